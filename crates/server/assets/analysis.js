// The analysis page. The whole analysis is in the link: the server stores nothing.

import { $, Board, ask, lines, make, post, say } from './board.js';
import { child, end, keep, newTree, path, read, startOf, write } from './link.js';

let tree;
let view;
let search = null;
let found = null;
let hidden = null;
let layers = new Set();
let exact = null;
let setup = null;
let asked = 0;
let answered = 0;
let kept = null;

const place = (at = tree.at, of = tree) => ({
  game: of.game,
  ...startOf(of.start),
  moves: path(at),
  notation: $('notation').value || undefined,
});
/** A cell of the board in the game's own notation, which the link has. */
const ownCell = (cell) => view.names[cell] ?? cell;
const ownMove = (text) => view.own[view.legal.findIndex((one) => one.move === text)];

/** Runs work, and tells why it was refused. */
const tell = (work) => async (...given) => {
  try {
    return await work(...given);
  } catch (error) {
    if (error.name !== 'AbortError') say(error.message);
  }
};

/** The answer to a question; null if a later one was asked meanwhile: then the answer is of no use. */
const latest = async (question) => {
  const mine = ++asked;
  try {
    const told = await question();
    return mine === asked ? told : null;
  } catch (error) {
    if (mine === asked) throw error;
    return null;
  } finally {
    if (mine === asked) answered = mine;
  }
};
/** While an answer is to come, the board takes no move and no mark: it still shows the position before. */
const waits = () => asked !== answered;

/** Writes the tree into the address. A link that was not read stays there until the tree changes. */
const address = () => {
  const text = write(tree);
  if (text === kept) return;
  kept = null;
  history.replaceState(null, '', `#${text}`);
};

const look = (marks = tree.at.marks) => ({
  marks,
  layers: view && view.outcome === null ? [...layers] : [],
  numbers: $('numbers').checked,
  strokes: $('strokes').checked,
});

const board = new Board(
  $('board'),
  tell(async (text) => {
    if (waits()) return;
    const before = hidden;
    const place = found;
    const searched = Boolean(search);
    if (!(await show({ at: child(tree.at, ownMove(text)) }))) return;
    if (before && place) judge(text, place);
    if (searched || $('hide').checked) live();
  }),
  tell(async (name) => {
    if (setup || waits()) return;
    const cell = ownCell(name);
    const { marks } = tree.at;
    await show({ marks: marks.includes(cell) ? marks.filter((one) => one !== cell) : [...marks, cell] });
  }),
);
const choose = board.choose.bind(board);
board.choose = (area, shift) => {
  if (!setup || !area.dataset.cell) return waits() ? undefined : choose(area, shift);
  const stones = ['', 'first', 'second'];
  const cell = area.dataset.cell;
  setup.set(cell, stones[(stones.indexOf(setup.get(cell) ?? '') + 1) % 3]);
  return arrange();
};

/** Asks for a position with its look. A layer may have no answer here: then the board is shown without layers, and `why` says so. */
const looked = async (where, how) => {
  try {
    return { told: await ask('/api/view', { ...where, look: how }) };
  } catch (error) {
    if (!how.layers.length) throw error;
    return { told: await ask('/api/view', { ...where, look: { ...how, layers: [] } }), why: error.message };
  }
};

/** Draws a position; `true` if it is on the board. A position that the server refuses leaves the tree and the address as they were. */
const show = async ({ of = tree, at = of.at, marks = at.marks, fresh = false, arranged = false } = {}) => {
  const how = { ...look(marks), ...(fresh && { layers: [] }) };
  const answer = await latest(() => looked({ ...place(at, of), ...(fresh && { notation: undefined }) }, how));
  if (!answer) return false;
  if (fresh) {
    $('game').value = of.game;
    $('layers').replaceChildren();
    layers = new Set();
    $('notation').replaceChildren();
  }
  found = null;
  hidden = null;
  exact = null;
  at.marks = marks;
  // A search and a set-up are of the position on the board.
  if (at !== tree.at) {
    stop();
    if (setup && !arranged) arm(null);
  }
  tree = of;
  keep(tree, at);
  address();
  view = answer.told;
  if (setup && setup.notation !== view.notation) arm(view.stones);
  if (answer.why) say(answer.why);
  board.show(view);
  $('comment').value = tree.at.comment;
  $('standing').textContent = view.sentence ?? view.standing;
  if (view.outcome) say(view.sentence);
  $('findings').replaceChildren(...view.findings.map(({ text }) => make('li', {}, text)));
  $('candidates').replaceChildren();
  $('about').textContent = '';
  $('swap-move').replaceChildren(
    ...view.legal.filter((one) => !one.cell).map((one) => make('button', { type: 'button', onclick: () => board.play(one.move) }, one.move)),
  );
  fill('notation', view.notations, view.notation);
  for (const { name, about } of view.layers) {
    if (!$(`layer-${name}`)) {
      const box = make('input', { type: 'checkbox', id: `layer-${name}`, onchange: (event) => toggle(name, event.target.checked) });
      $('layers').append(make('label', { title: about }, box, ` ${name}`));
    }
  }
  moves();
  graph();
  return true;
};

const toggle = tell(async (name, on) => {
  if (on) layers.add(name);
  else layers.delete(name);
  await show();
});

const fill = (id, options, value) => {
  if ($(id).childElementCount !== options.length) {
    $(id).replaceChildren(...options.map((one) => make('option', { value: one }, one)));
  }
  $(id).value = value ?? '';
};

const go = tell(async (at) => {
  stop();
  return show({ at });
});

/** A value of a link in words, for the first player. */
const words = (value) => {
  if (!value) return '';
  const [first, second] = view.sides;
  const within = value.slice(1) ? ` within ${value.slice(1)}` : '';
  if (value[0] === 'W') return `${first} wins${within}`;
  if (value[0] === 'L') return `${second} wins${within}`;
  if (value === 'D') return 'a draw';
  return `${Math.round(50 + Number(value) / 20)} %`;
};
const height = (value) => {
  if (value[0] === 'W') return 1000;
  if (value[0] === 'L') return -1000;
  return value === 'D' ? 0 : Number(value);
};

/** The two lists of moves, with the variations of each position. */
const moves = () => {
  const line = [];
  for (let at = end(tree.at); at.parent; at = at.parent) line.unshift(at);
  const rows = [];
  const button = (at) =>
    make(
      'button',
      { type: 'button', 'aria-current': at === tree.at ? 'true' : null, title: words(at.value), onclick: () => go(at) },
      at.move + (at.mistake ? ' ?' : ''),
    );
  line.forEach((at, ply) => {
    const cell = make('td', {}, button(at), ...at.parent.next.filter((one) => one !== at).map((one) => make('span', { class: 'branch' }, button(one))));
    if (ply % 2 === 0) rows.push(make('tr', {}, make('th', { scope: 'row' }, `${ply / 2 + 1}`), cell));
    else rows.at(-1).append(cell);
  });
  $('moves').replaceChildren(...rows);
  $('first').textContent = view.sides[0];
  $('second').textContent = view.sides[1];
};

/** The graph of the value through the line. */
const graph = () => {
  const line = [];
  for (let at = end(tree.at); at; at = at.parent) line.unshift(at);
  const space = 'http://www.w3.org/2000/svg';
  const svg = $('graph');
  svg.replaceChildren();
  const step = 300 / Math.max(1, line.length - 1);
  const known = line.map((at, ply) => [at, ply * step, 50 - height(at.value || '0') / 22]).filter(([at]) => at.value);
  svg.parentElement.hidden = !known.length;
  const draw = (name, attributes) => {
    const element = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    svg.append(element);
    return element;
  };
  draw('line', { x1: 0, y1: 50, x2: 300, y2: 50, class: 'zero' });
  draw('polyline', { points: known.map(([, x, y]) => `${x},${y}`).join(' '), class: 'curve' });
  for (const [at, x, y] of known) {
    const dot = draw('circle', { cx: x, cy: y, r: at === tree.at ? 5 : 3, class: at.mistake ? 'bad' : 'dot' });
    dot.addEventListener('click', () => go(at));
  }
};

/** Draws another picture of the position, unless another position is on the board when it comes. */
const sketch = async (what) => {
  const { at } = tree;
  const { picture } = await ask('/api/view', what);
  if (at === tree.at) board.picture(picture);
};

/** One row of the findings of a search. */
const row = (one, number) => {
  const value = one.proven ? words(one.proven) : one.percent === null ? String(one.value) : `${one.percent.toFixed(0)} %`;
  const play = make('button', { type: 'button', onclick: () => board.play(one.moves[0]) }, one.moves[0]);
  const trace = tell(() => sketch({ ...place(), look: { ...look(), ghosts: one.moves } }));
  return make(
    'tr',
    { onmouseenter: trace },
    make('th', { scope: 'row' }, play),
    make('td', {}, value),
    make('td', {}, String(one.visits ?? '')),
    make('td', {}, one.source),
    make('td', {}, make('button', { type: 'button', class: 'line', title: `key ${number}`, onclick: trace }, one.moves.slice(1).join(' ') || '–')),
  );
};

const limit = () => Number($('limit').value) || undefined;

const rows = (told) => {
  $('candidates').replaceChildren(...told.lines.filter((one) => one.moves.length).slice(0, limit() ?? 12).map((one, at) => row(one, at + 1)));
};

/** Shows the findings of the search of a position, unless the person wants to move first. */
const findings = (told, at = tree.at) => {
  if (told.value) at.value = told.value;
  if (at !== tree.at) return;
  found = told;
  hidden = $('hide').checked ? told : null;
  const count = told.simulations || told.nodes;
  $('about').textContent = `${told.engine}: ${count} ${told.simulations ? 'simulations' : 'positions'}, ${told.seconds.toFixed(1)} s${hidden ? ' – hidden until you move' : ''}`;
  if (hidden) return;
  rows(told);
  if (told.picture) board.picture(told.picture);
};

/** Tells how a move stands among the findings that were hidden. */
const judge = (text, told) => {
  const known = told.lines.filter((one) => one.moves.length);
  if (!known.length) return;
  const at = known.findIndex((one) => one.moves[0] === text);
  const best = known[0];
  const percent = (one) => (one.percent === null ? one.proven ?? one.value : `${one.percent.toFixed(0)} %`);
  say(at < 0 ? `${text} was not looked at; best was ${best.moves[0]}` : `${text}: number ${at + 1}, ${percent(known[at])}; best was ${best.moves[0]}, ${percent(best)}`);
};

const stop = () => {
  search?.abort();
  search = null;
  $('live').setAttribute('aria-pressed', 'false');
  $('live').textContent = 'Analyse';
};

const live = tell(async () => {
  stop();
  if (view.outcome) return;
  const { at } = tree;
  const mine = new AbortController();
  search = mine;
  $('live').setAttribute('aria-pressed', 'true');
  $('live').textContent = 'Freeze';
  const body = { ...place(), engine: $('engine').value || undefined, limit: limit() };
  try {
    await lines('/api/live', body, mine.signal, (told) => {
      if (search !== mine) return;
      if (told.error) say(told.error.message);
      else findings(told, at);
    });
  } finally {
    if (search === mine) stop();
    if (found) address();
    if (found && !hidden) moves();
    graph();
  }
});

/** The exact values of all moves by a proof. */
const values = tell(async () => {
  stop();
  say('looking up the proof…');
  const { at } = tree;
  const told = await ask('/api/values', place());
  if (at !== tree.at) return;
  exact = told;
  board.picture(exact.picture);
  $('about').textContent = `${exact.proof}: ${exact.entries.join('; ')}`;
  const order = { '+': 0, '=': 1, '?': 2, '-': 3 };
  const sorted = [...exact.moves].sort((a, b) => order[a.sign] - order[b.sign] || (a.sign === '+' ? a.plies - b.plies : b.plies - a.plies));
  $('candidates').replaceChildren(
    ...sorted.map((one) =>
      make(
        'tr',
        { 'data-move': one.move, 'data-outcome': one.outcome },
        make('th', { scope: 'row' }, make('button', { type: 'button', onclick: () => board.play(one.move) }, one.move)),
        make('td', {}, `${one.sign} ${one.outcome}`),
        make('td', {}, one.plies === null ? '' : String(one.plies)),
        make('td', {}, one.source),
        make('td', {}, make('button', { type: 'button', class: 'line', onclick: () => why(one) }, one.why)),
      ),
    ),
  );
  say(`${exact.moves.length} moves with values`);
});

/** Shows the reason of a value: the line of threats as numbered ghosts. */
const why = tell(async (one) => {
  await sketch({ ...place(), moves: [...path(tree.at), ownMove(one.move)], look: { threats: one.line, side: one.side } });
  say(`after ${one.move}: ${one.why}`);
});

const verify = tell(async () => {
  const name = $('proof').value;
  say(`checking ${name}…`);
  await lines('/api/verify', { name }, null, (told) => say(told.error ? told.error.message : `${told.name} holds: ${told.claims} claims, ${told.positions} positions and ${told.records} records checked in ${told.seconds.toFixed(1)} s, the longest line ${told.plies} plies`));
});

/** The value of each position of the line, and its mistakes. */
const review = tell(async () => {
  stop();
  const line = [];
  for (let at = end(tree.at); at; at = at.parent) line.unshift(at);
  const mine = new AbortController();
  search = mine;
  $('mistakes').replaceChildren();
  const body = { ...place(line.at(-1)), notation: undefined, seconds: Number($('seconds').value) || undefined };
  const judged = lines('/api/review', body, mine.signal, (told) => {
    if (told.error) throw new Error(told.error.message);
    if (told.ended) return;
    const at = line[told.ply];
    at.value = told.value;
    at.mistake = told.mistake;
    if (told.mistake) {
      const { kind, lost, better } = told.mistake;
      const text = `${told.ply}. ${told.move}: ${kind}, ${lost} points of 100 lost${better ? `, better ${better}` : ''} (${told.source})`;
      $('mistakes').append(make('li', {}, make('button', { type: 'button', onclick: () => go(at.parent) }, text)));
    }
    say(`position ${told.ply} of ${line.length - 1}: ${words(told.value)}`);
    graph();
  });
  try {
    await judged;
  } finally {
    mine.abort();
    if (search === mine) search = null;
    moves();
    address();
  }
  say(`${$('mistakes').childElementCount} mistakes in ${line.length - 1} moves`);
});

const load = tell(async (text) => {
  const told = await latest(() => ask('/api/read', { text, game: tree.game, ...startOf(tree.start) }));
  if (!told) return;
  if (await open(read(told.link))) say(told.notes.join(' ') || 'read');
});

const save = tell(async () => {
  const text = await (await post('/api/sgf', { link: write(tree) })).text();
  const link = make('a', { href: URL.createObjectURL(new Blob([text])), download: `${tree.game}.sgf` });
  link.click();
  $('paste').value = text;
});

/** Shows the stones of the set-up, as far as they are a position. */
const arrange = tell(async () => {
  stop();
  const of = (side) => [...setup].filter(([, stone]) => stone === side).map(([cell]) => cell);
  const told = await latest(() => ask('/api/setup', {
    game: tree.game, size: view.size, first: of('first'), second: of('second'), to_move: $('mover').value, notation: setup.notation,
  }));
  if (!told) return;
  await show({ of: newTree(tree.game, `=${told.position.replaceAll(' ', '_').replaceAll('/', ':')}`), arranged: true });
});

/** Begins the set-up with these stones, or ends it. */
const arm = (stones) => {
  setup = stones && new Map(stones);
  // The notation of the names of its cells.
  if (setup) setup.notation = view.notation;
  $('setup').setAttribute('aria-pressed', String(Boolean(setup)));
};

const open = async (of) => {
  stop();
  if (!(await show({ of, fresh: true }))) return false;
  $('size').value = view.size;
  fill('engine', view.engines, view.engine);
  $('mover').replaceChildren(...view.sides.map((side) => make('option', { value: side }, side)));
  return true;
};

const on = (id, work, kind = 'click') => $(id).addEventListener(kind, work);
on('live', () => (search ? stop() : live()));
on('values', values);
on('verify', verify);
on('review', review);
on('begin', () => go(tree.root));
on('back', () => tree.at.parent && go(tree.at.parent));
on('on', () => tree.at.next.length && go(tree.at.next[0]));
on('end', () => go(end(tree.at)));
on('remove', async () => {
  const gone = tree.at;
  const { parent } = gone;
  if (!parent || !(await go(parent))) return;
  parent.next = parent.next.filter((one) => one !== gone);
  moves();
  graph();
  address();
});
on('new', tell(() => open(newTree($('game').value, `${$('size').value}${$('swap').checked ? 's' : ''}`))));
on('game', () => {
  $('size').value = $('game').selectedOptions[0].dataset.size;
}, 'change');
on('load', () => load($('paste').value));
on('save', save);
on('comment', () => {
  tree.at.comment = $('comment').value;
  address();
}, 'input');
on('copy', tell(async () => {
  await navigator.clipboard.writeText(location.href);
  say('the link is copied');
}));
on('setup', () => {
  arm(setup ? null : view.stones);
  say(setup ? 'each click on a cell: first player, second player, empty' : 'the set-up ends');
});
on('mover', () => setup && arrange(), 'change');
for (const id of ['numbers', 'strokes', 'notation']) on(id, tell(() => show()), 'change');
on('limit', () => found && !hidden && rows(found), 'change');
on('hide', () => found && findings(found), 'change');
on('file', async (event) => {
  const [file] = event.target.files;
  if (file) load(await file.text());
}, 'change');

const keys = {
  ' ': 'live', v: 'values', n: 'numbers', p: 'hide', h: 'live', t: 'layer-threats', m: 'layer-must-play', l: 'layer-links', f: 'layer-frames',
  Home: 'begin', End: 'end', ',': 'back', '.': 'on',
};
document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|TEXTAREA|SELECT/.test(target.tagName)) return;
  if (key === ' ' && (target.dataset.cell || target.tagName === 'BUTTON')) return;
  if (/[1-9]/.test(key)) $('candidates').rows[key - 1]?.querySelector('.line')?.click();
  const walk = !target.dataset.cell && { ArrowLeft: 'back', ArrowRight: 'on' }[key];
  const id = walk || keys[key];
  if (id && $(id)) {
    event.preventDefault();
    $(id).click();
  }
});
// A page that the browser keeps in its cache must not keep its search.
addEventListener('pagehide', () => stop());
/** Opens the link of the address. A link that is not read stays there, so that it is not lost. */
const follow = async () => {
  try {
    const text = decodeURIComponent(location.hash.slice(1));
    if (text && (!view || text !== write(tree))) await open(read(text));
    return true;
  } catch (error) {
    kept = write(tree);
    say(`the link was not read: ${error.message}`);
    return false;
  }
};
addEventListener('hashchange', follow);

tell(async () => {
  tree = read(document.body.dataset.link);
  if (!location.hash.slice(1)) await open(tree);
  else if (!(await follow())) {
    const why = $('say').textContent;
    await open(tree);
    say(why);
  }
  const proofs = await (await fetch('/api/proofs')).json();
  $('proof').replaceChildren(...proofs.map(({ name }) => make('option', { value: name }, name)));
  $('proofs').hidden = !proofs.length;
})();
