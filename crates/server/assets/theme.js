// The colours that a person has chosen, on every page.
const root = document.documentElement;
const set = (name) => (name ? (root.dataset.theme = name) : delete root.dataset.theme);
set(localStorage.theme);
addEventListener('DOMContentLoaded', () => {
  const choice = document.getElementById('theme');
  choice.hidden = false;
  choice.value = localStorage.theme ?? '';
  choice.addEventListener('change', () => {
    localStorage.theme = choice.value;
    set(choice.value);
  });
});
