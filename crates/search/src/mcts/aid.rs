//! [`Aid`]: another search that helps a Monte-Carlo tree with single positions.

use stonework_game::{Game, Player};

use crate::{Bounds, HashUse, Meter, Tactics, Verdict};

/// A search that finds out what is certain of a position. One for each thread; all bounds are for the first
/// player.
pub(crate) trait Aid<G: Game>: Send {
    /// Whether there is any.
    const HELPS: bool;

    /// Nodes that it may spend on a node of the tree with just so many visits; mostly 0.
    fn budget(&self, visits: u32) -> u32;

    /// What is known of a position already.
    fn known(&mut self, game: &G) -> Bounds;

    /// Takes note of what is known of a position.
    fn tell(&mut self, game: &G, bounds: Bounds);

    /// Searches a position that is not over. `first` is who probably wins. Tells what is known now, and how
    /// many nodes were visited.
    fn ask(&mut self, game: &G, known: Bounds, first: Player, nodes: u32, meter: &Meter<'_>)
    -> (Bounds, u32);

    /// How a position that is decided goes on, as far as that is known.
    fn line(&mut self, game: &G, bounds: Bounds) -> Vec<G::Move>;

    /// How its table was used.
    fn hash(&self) -> HashUse;
}

/// No aid.
pub(super) struct Alone;

impl<G: Game> Aid<G> for Alone {
    const HELPS: bool = false;

    fn budget(&self, _: u32) -> u32 {
        0
    }

    fn known(&mut self, _: &G) -> Bounds {
        Bounds::UNKNOWN
    }

    fn tell(&mut self, _: &G, _: Bounds) {}

    fn ask(&mut self, _: &G, known: Bounds, _: Player, _: u32, _: &Meter<'_>) -> (Bounds, u32) {
        (known, 0)
    }

    fn line(&mut self, _: &G, _: Bounds) -> Vec<G::Move> {
        Vec::new()
    }

    fn hash(&self) -> HashUse {
        HashUse::default()
    }
}

/// What a thread can say of positions without simulating.
pub(super) struct Insight<T, A> {
    pub(super) tactics: T,
    pub(super) aid: A,
}

impl<T, A> Insight<T, A> {
    /// How a position goes on that the tree knows by no child: the aid's line, or the winning move that the
    /// tactics see.
    pub(super) fn ending<G>(&mut self, game: &mut G, bounds: Bounds) -> Vec<G::Move>
    where
        G: Game,
        T: Tactics<G>,
        A: Aid<G>,
    {
        if game.outcome().is_some() {
            return Vec::new();
        }
        let line = self.aid.line(game, bounds);
        if !line.is_empty() {
            return line;
        }
        match self.tactics.probe(game, &mut Vec::new()) {
            Verdict::Win(mv) => vec![mv],
            _ => Vec::new(),
        }
    }
}
