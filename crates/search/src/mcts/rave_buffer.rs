//! [`RaveBuffer`]: AMAF (all moves as first) results of the latest playouts, before they are added to the tree.

use stonework_game::{ByPlayer, Player};

use super::node::{Node, Tally};
use super::tree::Arena;

/// The number of visits of a node from which on several threads are likely to be at its children.
const BUSY: u32 = 32;
/// The number of playouts that are gathered before their results are added to the children of such a node.
const GATHERED: u32 = 32;
/// The number of nodes for which a thread gathers playouts.
const NODES: usize = 64;

/// One thread's AMAF results: the result of the current playout by move number; and, if there are other threads,
/// sums for the children of much visited nodes. If every thread added to all children of the root after every
/// playout, the threads would wait for each other's cache lines most of the time.
///
/// *S. Gelly and D. Silver, Combining online and offline knowledge in UCT, 2007.*
pub(super) struct RaveBuffer {
    now: ByPlayer<Vec<u64>>,
    gathered: Vec<Gathered>,
}

/// The most bytes of the buffers of `threads` threads for `moves` move numbers.
pub(super) fn bytes(moves: usize, threads: usize) -> usize {
    let lists = if threads > 1 { 2 + NODES } else { 2 };
    lists.saturating_mul(size_of::<u64>()).saturating_mul(moves).saturating_mul(threads)
}

struct Gathered {
    /// The slot of the node's first child; 0 if the place is free.
    link: u32,
    /// The number of children.
    count: usize,
    playouts: u32,
    /// The sums by move number, apart from the children, to which other threads write.
    sums: Vec<u64>,
}

impl RaveBuffer {
    /// A buffer for `moves` move numbers; 0 without RAVE.
    pub(super) fn new(moves: usize) -> Self {
        let free = || Gathered { link: 0, count: 0, playouts: 0, sums: Vec::new() };
        let gathered = (0..if moves > 0 { NODES } else { 0 }).map(|_| free()).collect();
        Self { now: ByPlayer::new(vec![0; moves], vec![0; moves]), gathered }
    }

    /// Records the result of the current playout for the move `mv` of the side `player`.
    #[inline]
    pub(super) fn record(&mut self, player: Player, mv: usize, one: Tally) {
        if let Some(amaf) = self.now[player].get_mut(mv) {
            *amaf = one.0;
        }
    }

    /// Adds the current playout to the children of a node where `player` is to move, or to the sums for them.
    #[inline]
    pub(super) fn flush(
        &mut self,
        arena: &Arena,
        node: &Node,
        kids: &[Node],
        player: Player,
        threaded: bool,
    ) {
        let now = &self.now[player];
        let amaf = |kid: &Node| now.get(kid.mv() as usize).copied().unwrap_or(0);
        let link = node.link();
        let index = (link.wrapping_mul(0x9e37_79b9) >> 16) as usize % NODES;
        let often = threaded && node.tally().visits() >= BUSY;
        let Some(gathered) = self.gathered.get_mut(index).filter(|_| often) else {
            for kid in kids {
                kid.add_amaf(amaf(kid));
            }
            return;
        };
        if gathered.link != link || gathered.playouts >= GATHERED {
            gathered.flush(arena);
            (gathered.link, gathered.count) = (link, kids.len());
            gathered.sums.resize(now.len(), 0);
        }
        gathered.playouts += 1;
        gathered.sums.iter_mut().zip(now).for_each(|(sum, amaf)| *sum += amaf);
    }

    /// Adds all sums to the tree, before the thread pauses.
    pub(super) fn flush_all(&mut self, arena: &Arena) {
        self.gathered.iter_mut().for_each(|gathered| gathered.flush(arena));
    }

    /// Clears the results of the current playout.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.now.first.fill(0);
        self.now.second.fill(0);
    }
}

impl Gathered {
    /// Adds the sums to the children and frees the place.
    fn flush(&mut self, arena: &Arena) {
        if self.link != 0 {
            for kid in arena.block(self.link, self.count) {
                kid.add_amaf(self.sums.get(kid.mv() as usize).copied().unwrap_or(0));
            }
        }
        (self.link, self.playouts) = (0, 0);
        self.sums.clear();
    }
}
