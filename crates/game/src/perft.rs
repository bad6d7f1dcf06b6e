//! Counting all games to a depth.

use crate::{ByPlayer, Game, Outcome};

/// The number of sequences of legal moves of a given length, and the number of games that end at that length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Perft {
    /// The number of sequences of exactly this length; games that ended earlier are not extended.
    pub nodes: u64,
    /// The number of sequences that end with a win, by winner.
    pub wins: ByPlayer<u64>,
    /// The number of sequences that end in a draw.
    pub draws: u64,
}

impl Perft {
    /// Counts one position at the depth, by its outcome.
    pub fn count(&mut self, outcome: Option<Outcome>) {
        self.nodes += 1;
        match outcome {
            Some(Outcome::Win(player)) => self.wins[player] += 1,
            Some(Outcome::Draw) => self.draws += 1,
            None => {}
        }
    }
}

/// Counts the sequences of `depth` legal moves from a position, with their wins and draws.
///
/// A count of nodes alone would hide errors about the winner: in a placement game the count does not depend on the
/// rule for wins until a side can have won. Time is the sum of the counts up to `depth`; memory is one list of moves
/// for each ply.
///
/// ```
/// use stonework_game::example::Nim;
/// // Nim with 3 stones, one or two at a time; the side that takes the last stone wins.
/// let counts: Vec<_> = (0..=3).map(|d| stonework_game::perft(&Nim::new(3), d)).collect();
/// assert_eq!(counts.iter().map(|c| c.nodes).collect::<Vec<_>>(), [1, 2, 3, 1]);
/// assert_eq!((counts[2].wins.second, counts[3].wins.first), (2, 1));
/// ```
#[must_use]
pub fn perft<G: Game>(game: &G, depth: u32) -> Perft {
    let mut total = Perft::default();
    perft_with(game, depth, |position| total.count(position.outcome()));
    total
}

/// Calls `visit` with the position after every sequence of exactly `depth` legal moves.
///
/// The function serves counts that [`Perft`] does not have, such as wins by kind. It has no recursion: deep counts take
/// memory on the heap only.
pub fn perft_with<G: Game>(game: &G, depth: u32, mut visit: impl FnMut(&G)) {
    struct Ply<G: Game> {
        /// The moves that are still to be tried, the next move last.
        moves: Vec<G::Move>,
        /// The undo token of the move on the board.
        undo: Option<G::Undo>,
    }
    let mut game = game.clone();
    let mut plies: Vec<Ply<G>> = Vec::new();
    let mut spare: Vec<Vec<G::Move>> = Vec::new();
    let mut down = true;
    loop {
        if down && plies.len() == depth as usize {
            visit(&game);
        } else if down {
            let mut moves = spare.pop().unwrap_or_default();
            game.legal_moves(&mut moves);
            moves.reverse();
            plies.push(Ply { moves, undo: None });
        }
        let Some(ply) = plies.last_mut() else { return };
        if let Some(undo) = ply.undo.take() {
            game.undo(undo);
        }
        let next = ply.moves.pop();
        down = next.is_some();
        if let Some(mv) = next {
            ply.undo = Some(game.play_unchecked(mv));
        } else if let Some(ply) = plies.pop() {
            spare.push(ply.moves);
        }
    }
}
