// An offer: the page becomes the game when somebody accepts.
setInterval(async () => {
  const answer = await fetch(`/api/games/${document.body.dataset.link}`);
  if (answer.status === 404) document.getElementById('standing').textContent = 'The offer is gone: it was withdrawn, or nobody came for a day.';
  else if ((await answer.json()).seats) location.reload();
}, 1000);
