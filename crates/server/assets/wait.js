// An offer: the page becomes the game when somebody accepts.
setInterval(async () => {
  const told = await (await fetch(`/api/games/${document.body.dataset.link}`)).json();
  if (told.seats) location.reload();
}, 1000);
