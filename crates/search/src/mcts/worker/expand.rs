//! Children of a node.

use stonework_game::Indexed;

use super::super::Shared;
use super::super::node::{Node, chance};
use super::super::parts::ThreadStrategies;
use super::super::rank;
use super::Worker;
use crate::{Priors, Tactics};

impl<G: Indexed, S: ThreadStrategies<G>> Worker<G, S> {
    /// Makes the children of the node of the game's position. Returns no children if the tree is full, if another
    /// thread makes the children, or if the game has no moves.
    pub(super) fn expand<'s>(&mut self, shared: &Shared<'s>, node: &Node) -> &'s [Node] {
        if shared.arena.full() || !node.claim() {
            return &[];
        }
        if node.meta().count() > 0 {
            node.unclaim();
            return shared.arena.kids(node, node.meta());
        }
        let key = self.key.and_then(|key| key(&self.game));
        if let Some(key) = key {
            self.found.probes += 1;
            if let Some(kids) = shared.arena.share(node, key) {
                self.found.hits += 1;
                return kids;
            }
        }
        self.moves.clear();
        if node.meta().forced() {
            self.only.clear();
            self.strategies.knowledge().tactics.probe(&mut self.game, &mut self.only);
            self.moves.extend_from_slice(&self.only);
            self.only.clear();
        }
        if self.moves.is_empty() {
            self.game.legal_moves(&mut self.moves);
        }
        let count = self.moves.len();
        let heads = shared.arena.heads();
        let room = if count == 0 || count > 0xffff { None } else { shared.arena.allocate(count + heads) };
        let Some(start) = room else {
            node.unclaim();
            return &[];
        };
        self.arrange(shared);
        let first = start + heads as u32;
        let kids = shared.arena.block(first, count);
        for (kid, &index) in kids.iter().zip(&self.order) {
            let prior = self.prior_values.get(index as usize).copied().unwrap_or(0.0);
            let mv = self.moves[index as usize];
            kid.start(self.game.move_index(mv) as u32, prior);
        }
        if heads > 0
            && let Some(head) = shared.arena.node(start)
        {
            head.start_head(key.unwrap_or(0), count);
        }
        node.adopt(first, count);
        if let (Some(index), Some(key)) = (shared.arena.index(), key) {
            index.put(key, start);
            self.found.stores += 1;
        }
        kids
    }

    /// Sets the order of children: by prior, and scattered without priors.
    fn arrange(&mut self, shared: &Shared<'_>) {
        let count = self.moves.len();
        // Neighbours in the list of moves are often similar, so they are not tried one after another.
        let step = (count * 5 / 8..2 * count).find(|&step| gcd(step, count) == 1).unwrap_or(1);
        let start = rand_core::RngCore::next_u32(&mut self.rng) as usize % count;
        self.order.clear();
        let mut at = start;
        for _ in 0..count {
            self.order.push(at as u32);
            at += step;
            at -= if at >= count { count } else { 0 };
        }
        self.prior_values.clear();
        if shared.options.uses_priors() {
            self.strategies.priors().priors(&self.game, &self.moves, &mut self.prior_values);
            debug_assert_eq!(self.prior_values.len(), count, "one prior for each move");
            self.prior_values.resize(count, 0.0);
            rank::by_prior(&mut self.order, &self.prior_values);
            if shared.options.puct > 0.0 {
                self.prior_values.iter_mut().for_each(|prior| *prior = chance(*prior));
            }
        }
    }
}

fn gcd(a: usize, b: usize) -> usize {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
