// The board of a page. The server draws the picture and the areas of the cells; this file attaches the mouse and the keyboard.

export const $ = (id) => document.getElementById(id);

/** Tells a sentence to screen readers, and shows it. */
export const say = (text) => {
  $('say').textContent = text;
};

/** Sends JSON, and returns JSON. A refused request throws the sentence of the server. */
export const post = async (address, body, signal) => {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  if (!answer.ok) {
    const why = await answer.text();
    let message = why;
    try {
      message = JSON.parse(why).error.message;
    } catch {
      // The answer is plain text.
    }
    throw new Error(message || `the server answers ${answer.status}`);
  }
  return answer;
};
export const ask = async (address, body) => (await post(address, body)).json();

/** Calls `tell` with each line of JSON of an answer. */
export const lines = async (address, body, signal, tell) => {
  const reader = (await post(address, body, signal)).body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n');
    rest = parts.pop();
    for (const part of parts) if (part) tell(JSON.parse(part));
  }
};

/** An element with a text and children. */
export const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
};

const ways = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  q: [-1, -1.7], w: [1, -1.7], a: [-1, 0], s: [1, 0], z: [-1, 1.7], x: [1, 1.7],
};

/** A board: `play` gets a legal move that the person has chosen, `mark` a cell with Shift. */
export class Board {
  constructor(element, play, mark) {
    this.element = element;
    this.play = play;
    this.mark = mark;
    this.legal = [];
    this.from = null;
    element.addEventListener('click', (event) => this.near(event) || this.choose(event.target, event.shiftKey));
    element.addEventListener('keydown', (event) => this.key(event));
    element.addEventListener('contextmenu', (event) => {
      if (this.mark && event.target.dataset.cell) {
        event.preventDefault();
        this.mark(event.target.dataset.cell);
      }
    });
  }

  /** Shows a position as `/api/view` tells it. */
  show(view) {
    const focus = this.element.contains(document.activeElement) && document.activeElement.dataset.cell;
    this.element.innerHTML = `<div class="sheet">${view.picture}${view.areas}</div>`;
    this.legal = view.legal;
    this.from = null;
    this.at = focus || this.at;
    const area = this.area(this.at);
    if (area) {
      this.element.querySelector('[tabindex="0"]')?.setAttribute('tabindex', -1);
      area.setAttribute('tabindex', 0);
      if (focus) area.focus({ preventScroll: true });
    }
  }

  /** Replaces the picture alone. */
  picture(svg) {
    this.element.querySelector('.sheet').firstElementChild.outerHTML = svg;
  }

  area(cell) {
    return cell && this.element.querySelector(`[data-cell="${CSS.escape(cell)}"]`);
  }

  /** With a finger on cells that are too small for one, the first touch makes the board larger around it. */
  near(event) {
    const width = event.target.dataset.cell && event.target.getBoundingClientRect().width;
    if (!width || width >= 24 || !matchMedia('(pointer: coarse)').matches) return false;
    const sheet = this.element.querySelector('.sheet');
    const box = sheet.getBoundingClientRect();
    const scale = 25 / width;
    sheet.style.width = `${100 * scale}%`;
    this.element.scrollLeft = (event.clientX - box.x) * scale - this.element.clientWidth / 2;
    say('The board is larger now: choose a cell, or move the board with a finger.');
    return true;
  }

  choose(area, shift) {
    const cell = area.dataset.cell;
    if (!cell) return;
    if (shift && this.mark) {
      this.mark(cell);
      return;
    }
    const moves = this.legal.filter((move) => (move.from ? move.from === this.from && move.cell === cell : move.cell === cell));
    if (moves.length) {
      this.select(null);
      this.play(moves[0].move);
    } else if (this.legal.some((move) => move.from === cell)) {
      this.select(cell === this.from ? null : cell);
    } else {
      say(`${area.getAttribute('aria-label')}: no legal move`);
    }
  }

  /** Chooses the stone that is to move, and shows where it can go. */
  select(cell) {
    this.from = cell;
    const to = this.legal.filter((move) => move.from && move.from === cell).map((move) => move.cell);
    for (const area of this.element.querySelectorAll('[data-cell]')) {
      area.classList.toggle('from', area.dataset.cell === cell);
      area.classList.toggle('to', to.includes(area.dataset.cell));
    }
    if (cell) say(`${cell} goes to ${to.join(', ')}`);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.choose(event.target, event.shiftKey);
    } else if (event.key === 'Escape') {
      this.select(null);
    } else if (event.target.dataset.cell && ways[event.key]) {
      event.preventDefault();
      this.go(event.target, ways[event.key]);
    }
  }

  /** Moves the focus to the nearest cell in a direction. */
  go(area, [right, down]) {
    const middle = (one) => {
      const box = one.getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const [x, y] = middle(area);
    const long = Math.hypot(right, down);
    let best = null;
    let least = Infinity;
    for (const other of this.element.querySelectorAll('[data-cell]')) {
      const [ox, oy] = middle(other);
      const along = ((ox - x) * right + (oy - y) * down) / long;
      const aside = Math.abs((oy - y) * right - (ox - x) * down) / long;
      if (along > 1 && along + 3 * aside < least) {
        least = along + 3 * aside;
        best = other;
      }
    }
    if (best) {
      area.setAttribute('tabindex', -1);
      best.setAttribute('tabindex', 0);
      best.focus();
      this.at = best.dataset.cell;
    }
  }
}
