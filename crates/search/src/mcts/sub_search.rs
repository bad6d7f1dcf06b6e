//! [`SubSearch`]: another search that helps a Monte-Carlo tree with single positions.

use stonework_game::{Game, Outcome, Player};

use crate::{Bounds, Effort, HashUse, Meter, Tactics, Verdict};

/// A search that finds proven bounds on single positions for a Monte-Carlo tree. Each thread has one; all bounds are for
/// the first player.
pub(crate) trait SubSearch<G: Game>: Send {
    /// `true` if the tree has a sub-search.
    const ACTIVE: bool;

    /// The nodes that the search may spend on a tree node with its latest visit; mostly 0.
    fn budget(&self, visits: u32) -> u32;

    /// The bounds of a position that are known without searching.
    fn known(&mut self, game: &G) -> Bounds;

    /// Stores bounds of a position that the tree has proven.
    fn tell(&mut self, game: &G, bounds: Bounds);

    /// Searches a position that is not over. `first` is the side that probably wins. Returns the bounds that are known now,
    /// and the number of nodes visited.
    fn ask(&mut self, game: &G, known: Bounds, first: Player, nodes: u32, meter: &Meter<'_>)
    -> (Bounds, u32);

    /// The known moves of the line of a decided position.
    fn line(&mut self, game: &G, bounds: Bounds) -> Vec<G::Move>;

    /// The use of the search's table.
    fn hash(&self) -> HashUse;
}

/// No sub-search.
pub(super) struct NoSubSearch;

impl<G: Game> SubSearch<G> for NoSubSearch {
    const ACTIVE: bool = false;

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

/// The most moves of a line that the tactics give.
const MOST_FORCED: usize = 64;
/// The most nodes of a search within a study for one move of such a line.
const MOST_NODES: u64 = 4096;

/// The sources of proven bounds that a thread has beside simulations.
pub(super) struct Knowledge<Tactic, Sub> {
    pub(super) tactics: Tactic,
    pub(super) sub_search: Sub,
}

impl<Tactic, Sub> Knowledge<Tactic, Sub> {
    /// The line of a position without children in the tree: the line of the sub-search, or the winning moves and the forced
    /// answers of the tactics. The game is at the end of the line then.
    pub(super) fn ending<G>(&mut self, game: &mut G, bounds: Bounds) -> Vec<G::Move>
    where
        G: Game,
        Tactic: Tactics<G>,
        Sub: SubSearch<G>,
    {
        if game.outcome().is_some() {
            return Vec::new();
        }
        let line = self.sub_search.line(game, bounds);
        if !line.is_empty() {
            return line;
        }
        let mut moves = Vec::new();
        let winner = bounds.outcome(Player::First).and_then(Outcome::winner);
        while moves.len() < MOST_FORCED && game.outcome().is_none() {
            let mut only = Vec::new();
            let mv = match self.tactics.probe(game, &mut only) {
                Verdict::Win(mv) => Some(mv),
                // Every answer loses.
                Verdict::Only | Verdict::Loss if winner == Some(game.to_move().other()) => {
                    only.first().copied().or_else(|| game.moves().first().copied())
                }
                _ if winner == Some(game.to_move()) => {
                    only.clear();
                    let mut effort = Effort::visits(u32::MAX);
                    effort.left.nodes = Some(MOST_NODES);
                    match self.tactics.study(game, &mut effort, &mut only) {
                        Verdict::Win(mv) => Some(mv),
                        _ => None,
                    }
                }
                _ => None,
            };
            let Some(mv) = mv else { break };
            game.play_unchecked(mv);
            moves.push(mv);
        }
        moves
    }
}
