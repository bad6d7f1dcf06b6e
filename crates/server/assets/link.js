// A tree of moves, and the link that holds it. The server has the same text in `link.rs`.

const node = (parent, move) => ({ parent, move, marks: [], value: '', comment: '', next: [] });

/** A comment as a link has it: `_` for a space, `=` and two digits for a byte that is no letter, digit or `-`. */
const pack = (text) =>
  [...new TextEncoder().encode(text)]
    .map((byte) => [byte, String.fromCharCode(byte)])
    .map(([byte, letter]) => (letter === ' ' ? '_' : /[-0-9A-Za-z]/.test(letter) ? letter : `=${byte.toString(16).padStart(2, '0')}`))
    .join('');
const unpack = (text) => decodeURIComponent(text.replaceAll('_', ' ').replaceAll('=', '%'));

export const newTree = (game, start) => {
  const root = node(null, '');
  return { game, start, root, at: root };
};

/** The moves from the root to a node. */
export const path = (at) => {
  const moves = [];
  for (; at.parent; at = at.parent) moves.unshift(at.move);
  return moves;
};

export const end = (at) => (at.next.length ? end(at.next[0]) : at);

/** The node of a move after a node: one of its variations, or a new one that the tree has not got yet. */
export const child = (at, move) => at.next.find((one) => one.move === move) ?? node(at, move);

/** Goes to a node; a new one becomes the last of its variations. */
export const keep = (tree, at) => {
  if (at.parent && !at.parent.next.includes(at)) at.parent.next.push(at);
  tree.at = at;
};

export const write = (tree) => {
  let text = '';
  let number = 0;
  let shown = 0;
  const line = (at, parted) => {
    for (; at; [at] = at.next.slice(0, 1)) {
      if (at === tree.at) shown = number;
      number += 1;
      if (at.parent) {
        text += (parted ? '' : '.') + at.move;
        parted = false;
      }
      for (const mark of at.marks) text += `!${mark}`;
      if (at.value) text += `$${at.value}`;
      if (at.comment) text += `'${pack(at.comment)}`;
      if (at.marks.length || at.value || at.comment) parted = false;
      for (const other of at.next.slice(1)) {
        text += '(';
        line(other, true);
        text += ')';
        parted = false;
      }
    }
  };
  line(tree.root, true);
  return `1/${tree.game}/${tree.start}/${text}${tree.at === end(tree.root) ? '' : `~${shown}`}`;
};

export const read = (text) => {
  const [version, game, start, ...rest] = text.split('/');
  if (version !== '1') throw new Error(`a link of version ${version}: this page reads version 1`);
  const tree = newTree(game, start);
  const all = [tree.root];
  const open = [];
  let at = tree.root;
  let branch = false;
  let shown = null;
  for (const [, sign, word] of rest.join('/').matchAll(/([.()!$~']?)([^.()!$~']*)/g)) {
    if (sign === '(') {
      open.push(at);
      branch = true;
    } else if (sign === ')') {
      at = open.pop() ?? tree.root;
    }
    if (sign === '!') at.marks.push(word);
    else if (sign === '$') at.value = word;
    else if (sign === "'") at.comment = unpack(word);
    else if (sign === '~') shown = all[Number(word)];
    else if (word) {
      let found = at.next.find((one) => one.move === word);
      if (!found) {
        found = node(at, word);
        all.push(found);
        if (branch) at.next.push(found);
        else at.next.unshift(found);
      }
      branch = false;
      at = found;
    }
  }
  tree.at = shown ?? end(tree.root);
  return tree;
};

/** The first position as the server reads it. */
export const startOf = (start) =>
  start.startsWith('=')
    ? { position: start.slice(1).replaceAll('_', ' ').replaceAll(':', '/') }
    : { size: parseInt(start, 10), swap: start.endsWith('s') };
