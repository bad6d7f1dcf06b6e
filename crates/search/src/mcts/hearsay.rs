//! [`Hearsay`]: what moves have heard in the latest playouts, before the tree is told.

use stonework_game::{ByPlayer, Player};

use super::node::{Node, Tally};
use super::tree::Arena;

/// From so many visits on, several threads are likely to be at the children of one node.
const BUSY: u32 = 32;
/// Playouts that are gathered before the children of such a node are told.
const GATHERED: u32 = 32;
/// Nodes for which a thread gathers.
const NODES: usize = 64;

/// One thread's notes: by the number of a move, what came of the playout at hand; and, if there are other
/// threads, sums for the children of much visited nodes. Telling all children of the root after every
/// playout would have the threads wait for one another's cache lines most of the time.
pub(super) struct Hearsay {
    now: ByPlayer<Vec<u64>>,
    gathered: Vec<Gathered>,
}

/// Bytes that threads need for their notes at the most.
pub(super) fn bytes(moves: usize, threads: usize) -> usize {
    let lists = if threads > 1 { 2 + NODES } else { 2 };
    lists.saturating_mul(size_of::<u64>()).saturating_mul(moves).saturating_mul(threads)
}

struct Gathered {
    /// The first child's slot; 0 for nobody.
    link: u32,
    /// How many children there are.
    count: usize,
    playouts: u32,
    /// By the number of a move, so that the children are not touched, which other threads write to.
    sums: Vec<u64>,
}

impl Hearsay {
    /// For so many numbers of moves; none without RAVE.
    pub(super) fn new(moves: usize) -> Self {
        let nobody = || Gathered { link: 0, count: 0, playouts: 0, sums: Vec::new() };
        let gathered = (0..if moves > 0 { NODES } else { 0 }).map(|_| nobody()).collect();
        Self { now: ByPlayer::new(vec![0; moves], vec![0; moves]), gathered }
    }

    /// A side has played a move with this result for it.
    #[inline]
    pub(super) fn note(&mut self, player: Player, mv: usize, one: Tally) {
        if let Some(heard) = self.now[player].get_mut(mv) {
            *heard = one.0;
        }
    }

    /// Tells the children of a node, where `player` is to move.
    #[inline]
    pub(super) fn tell(&mut self, arena: &Arena, node: &Node, kids: &[Node], player: Player, threaded: bool) {
        let now = &self.now[player];
        let heard = |kid: &Node| now.get(kid.mv() as usize).copied().unwrap_or(0);
        let link = node.link();
        let index = (link.wrapping_mul(0x9e37_79b9) >> 16) as usize % NODES;
        let often = threaded && node.tally().visits() >= BUSY;
        let Some(gathered) = self.gathered.get_mut(index).filter(|_| often) else {
            for kid in kids {
                kid.hear(heard(kid));
            }
            return;
        };
        if gathered.link != link || gathered.playouts >= GATHERED {
            gathered.tell(arena);
            (gathered.link, gathered.count) = (link, kids.len());
            gathered.sums.resize(now.len(), 0);
        }
        gathered.playouts += 1;
        gathered.sums.iter_mut().zip(now).for_each(|(sum, heard)| *sum += heard);
    }

    /// Tells everybody what was gathered, before the thread pauses.
    pub(super) fn tell_all(&mut self, arena: &Arena) {
        self.gathered.iter_mut().for_each(|gathered| gathered.tell(arena));
    }

    /// The playout is told.
    #[inline]
    pub(super) fn forget(&mut self) {
        self.now.first.fill(0);
        self.now.second.fill(0);
    }
}

impl Gathered {
    /// Tells the children, and is nobody's afterwards.
    fn tell(&mut self, arena: &Arena) {
        if self.link != 0 {
            for kid in arena.block(self.link, self.count) {
                kid.hear(self.sums.get(kid.mv() as usize).copied().unwrap_or(0));
            }
        }
        (self.link, self.playouts) = (0, 0);
        self.sums.clear();
    }
}
