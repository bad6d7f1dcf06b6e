//! The longest defence in a lost position.

use std::cmp::Reverse;

use stonework_game::{Outcome, Player};

use super::node::Node;
use super::tree::Arena;
use crate::outcomes::Outcomes;

/// The most nodes that are looked at for all moves of a root together: a few milliseconds.
const MOST_NODES: usize = 100_000;

/// Sorts lost moves by the lengths of their proofs in the tree, the longest first; moves of equal length stay in their order,
/// those with the most visits first. A move whose proof is too large to be measured counts as the longest.
pub(super) fn longest_first(arena: &Arena, moves: &mut [&Node], winner: Player) {
    let budget = MOST_NODES / moves.len().max(1);
    moves.sort_by_cached_key(|mv| Reverse(plies(arena, mv, winner, budget).unwrap_or(u32::MAX)));
}

/// The children of a node of which some are looked at.
struct Frame<'a> {
    kids: &'a [Node],
    /// The number of children that have been looked at.
    done: usize,
    /// `true` if the winner is to move and takes the shortest way.
    shortest: bool,
    plies: Option<u32>,
}

impl Frame<'_> {
    fn learn(&mut self, plies: u32) {
        let best = if self.shortest { u32::min } else { u32::max };
        self.plies = Some(self.plies.map_or(plies, |known| best(known, plies)));
    }
}

/// The number of plies from a node that one side has won to the end of its proof in the tree, where the winner takes the
/// shortest and the loser the longest way; `None` if the proof has more than `budget` nodes. A position that the tactics
/// have decided is an end: the rest of its game is not in the tree.
fn plies(arena: &Arena, node: &Node, winner: Player, mut budget: usize) -> Option<u32> {
    let won = Outcomes::of(Outcome::Win(winner));
    let frame = |node: &Node| {
        let meta = node.meta();
        Frame { kids: arena.kids(node, meta), done: 0, shortest: meta.side() == winner, plies: None }
    };
    let mut stack = vec![frame(node)];
    loop {
        let top = stack.last_mut()?;
        if let Some(kid) = top.kids.get(top.done) {
            top.done += 1;
            budget = budget.checked_sub(1)?;
            if kid.meta().set() == won {
                stack.push(frame(kid));
            }
            continue;
        }
        let found = stack.pop()?.plies.unwrap_or(0);
        match stack.last_mut() {
            Some(above) => above.learn(found + 1),
            None => return Some(found),
        }
    }
}
