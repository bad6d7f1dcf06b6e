// A game: the server tells its events, and the page shows the position after them.

import { $, Board, ask, make, say } from './board.js';

const id = document.body.dataset.link;
const moves = [];
let game = null;
let me = null;
let last = 0;
let shown = null;
let view = null;
let end = null;
let proposed = null;
let clocks = null;
let since = 0;
let socket;
let waiting = null;
let sure = false;

const board = new Board($('board'), (move) => order({ op: 'play', move, ply: moves.length + 1 }));
const mine = () => (game ? [0, 1].filter((at) => game.seats[at].kind === 'person' && game.seats[at].name === me) : []);
const mover = () => view.sides.indexOf(view.to_move);
const live = () => shown === null && !end;
let latest = null;
let past = true;
let asked = 0;

const order = (order) => {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ game: id, order, tag: 1 }));
  else say('The connection is lost: nothing was sent.');
};

const connect = () => {
  socket = new WebSocket(`${location.protocol.replace('http', 'ws')}//${location.host}/ws`);
  socket.onopen = () => {
    past = true;
    // A game without new events has no past to wait for.
    setTimeout(() => { past = false; }, 2000);
    socket.send(JSON.stringify({ watch: id, after: last }));
    $('net').textContent = '';
  };
  socket.onmessage = ({ data }) => tell(JSON.parse(data));
  socket.onclose = () => {
    $('net').textContent = 'The connection is lost. The page tries again.';
    setTimeout(connect, 1000);
  };
};

const tell = (told) => {
  if (told.error) {
    say(told.error.message);
    // The answer to an order repeats its tag. Without one, it is the page that does not follow the game yet: a new connection asks again.
    if (told.tag == null && ['busy', 'store'].includes(told.error.kind)) socket.close();
  }
  if (!told.event) return;
  last = told.number;
  const { event } = told;
  if (event === 'begun') game = told;
  else if (event === 'moved') {
    moves.push(told.move);
    clocks = told.clocks ?? null;
    since = performance.now();
    proposed = null;
    shown = null;
    said = `${told.side}: ${told.move}`;
  } else if (event === 'taken_back') {
    moves.length = told.plies;
    proposed = null;
    refresh();
    said = 'moves were taken back';
  } else if (event === 'proposed') {
    proposed = told;
    said = `${told.side} proposes: ${told.proposal}`;
  } else if (event === 'declined') {
    proposed = null;
    said = `${told.side} declines`;
  } else if (event === 'illegal') said = `${told.side}: ${told.move} is illegal: ${told.reason}`;
  else if (event === 'over') {
    end = told;
    proposed = null;
    since = 0;
  } else if (event === 'rematch') {
    $('again').replaceChildren(make('a', { href: `/g/${told.id}` }, 'The next game'));
    // A game that is opened later stays in sight, with a link.
    if (mine().length && !past) location.href = `/g/${told.id}`;
  }
  clearTimeout(waiting);
  waiting = setTimeout(settled, 15);
};

/** Shows the game after some events. The events of the past say nothing of the time since the last move. */
const settled = () => {
  if (past) refresh();
  past = false;
  show();
};
let said = '';

/** How a game ended that the board does not tell. */
const ending = () => {
  const { winner, how } = end;
  if (view.sentence && view.outcome === winner) return view.sentence;
  const by = how.join(', ');
  if (winner === null) return `The game does not count: ${by}.`;
  return winner === 'draw' ? `A draw: ${by}.` : `${winner[0].toUpperCase()}${winner.slice(1)} wins: ${by}.`;
};

const show = async () => {
  if (!game) return;
  const { settings } = game;
  const now = moves.slice(0, shown ?? moves.length);
  const at = ++asked;
  let answer;
  try {
    answer = await ask('/api/view', { game: settings.game, size: settings.size, swap: settings.swap, moves: now });
  } catch (error) {
    say(error.message);
    // No event asks again while the game waits for this person.
    setTimeout(() => { if (at === asked) show(); }, 2000);
    return;
  }
  // An answer that comes after that of a later question is of no use.
  if (at !== asked) return;
  view = answer;
  if (now.length === moves.length) latest = view;
  const turn = live() && mine().includes(mover());
  board.show({ ...view, legal: turn ? view.legal : [] });
  $('board').classList.toggle('still', !turn);
  $('standing').textContent = end ? ending() : turn ? `Your move: ${view.to_move}.` : `${view.to_move} is to move.`;
  document.title = `${turn ? '● ' : ''}${game.seats[0].name} – ${game.seats[1].name}`;
  $('swap-move').replaceChildren(
    ...(turn ? view.legal.filter((one) => !one.cell) : []).map((one) => make('button', { type: 'button', onclick: () => board.play(one.move) }, one.move)),
  );
  say(end ? ending() : `${said}${turn ? ` – your move` : ''}`);
  lists();
  buttons();
};

const lists = () => {
  const rows = [];
  moves.forEach((move, ply) => {
    const current = ply + 1 === (shown ?? moves.length);
    const button = make('button', { type: 'button', 'aria-current': current ? 'true' : null, onclick: () => go(ply + 1) }, move);
    if (ply % 2 === 0) rows.push(make('tr', {}, make('th', { scope: 'row' }, `${ply / 2 + 1}`), make('td', {}, button)));
    else rows.at(-1).append(make('td', {}, button));
  });
  $('moves').replaceChildren(...rows);
  $('list').scrollTop = shown === null ? 1e6 : $('list').scrollTop;
  const { settings } = game;
  $('analyse').href = `/a#1/${settings.game}/${settings.size}${settings.swap ? 's' : ''}/${moves.join('.')}`;
};

const buttons = () => {
  const seats = mine();
  const playing = seats.length > 0 && !end;
  for (const name of ['resign', 'takeback', 'draw']) $(name).hidden = !playing;
  $('takeback').disabled = !moves.length;
  $('abort').hidden = !playing || moves.length > 1;
  $('rematch').hidden = !seats.length || !end;
  const asked = proposed && (seats.length === 2 || (seats.length && view.sides[seats[0]] !== proposed.side));
  $('answer').hidden = !asked;
  if (asked) $('asked').textContent = `${proposed.side} proposes: ${proposed.proposal}`;
  sure = false;
  $('resign').textContent = 'Resign';
};

const go = (ply) => {
  shown = ply >= moves.length ? null : Math.max(0, ply);
  said = `position after ${ply} moves`;
  show();
};

const text = (left) => {
  const seconds = Math.max(0, left) / 1000;
  const whole = Math.floor(seconds);
  return whole < 20 ? seconds.toFixed(1) : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
};
let warned = false;
setInterval(() => {
  if (!clocks || !latest) return;
  const turn = latest.sides.indexOf(latest.to_move);
  clocks.forEach((left, at) => {
    const runs = since && !end && at === turn;
    const now = left - (runs ? performance.now() - since : 0);
    $(`clock-${at}`).textContent = text(now);
    $(`side-${at}`).classList.toggle('turn', !end && at === turn);
    if (runs && mine().includes(at) && now < 10000 && !warned) {
      warned = true;
      say('ten seconds are left');
    }
    if (now > 15000 && mine().includes(at)) warned = false;
  });
}, 100);

const refresh = async () => {
  const told = await (await fetch(`/api/games/${id}`)).json();
  // The events are newer than this answer.
  if (!told.seats || told.last < last) return;
  clocks = told.clocks ?? null;
  since = told.ticking ? performance.now() : 0;
  $('watchers').textContent = `${told.watchers} watching`;
};

const on = (name, work) => $(name).addEventListener('click', work);
on('resign', () => {
  if (sure) order({ op: 'resign' });
  else $('resign').textContent = 'Resign: press again';
  sure = !sure;
});
on('takeback', () => order({ op: 'propose', proposal: 'takeback' }));
on('draw', () => order({ op: 'propose', proposal: 'draw' }));
on('rematch', () => order({ op: 'propose', proposal: 'rematch' }));
on('abort', () => order({ op: 'abort' }));
on('accept', () => order({ op: 'accept' }));
on('decline', () => order({ op: 'decline' }));
on('begin', () => go(0));
on('back', () => go((shown ?? moves.length) - 1));
on('on', () => go((shown ?? moves.length) + 1));
on('end', () => go(moves.length));

me = (await (await fetch('/api/players/me')).json()).name;
for (const form of document.querySelectorAll('.plain')) form.hidden = true;
connect();
await refresh();
setInterval(refresh, 15000);
