// The lists of the first page, kept up to date.
setInterval(async () => {
  if (document.hidden || document.querySelector('#lists :focus')) return;
  const answer = await fetch('/');
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  document.getElementById('lists').replaceChildren(...page.getElementById('lists').childNodes);
}, 5000);
