//! [`Sight`]: what a proof need not spell out.

use stonework_game::{Game, Notation, Player};

use crate::Flat;

/// What the rules let anyone see of a position without playing on, so that a proof can be short: wins at once, and
/// that a side will never win. [`Flat`] sees nothing, and suits every game with [`Notation`].
///
/// Whoever verifies a proof relies on it as on the rules: it should be made of them alone.
pub trait Sight<G: Game> {
    /// Whether [`orbit`](Sight::orbit) is the same for all positions with one [canonical](stonework_game::Keyed::canonical)
    /// key, so that a proof shows one of them only.
    const SYMMETRIC: bool = false;

    /// Appends the moves that win at once for a side, in a position that is not over.
    ///
    /// For the side to move: some of the moves that end the game with its win, and at least one if there is one that
    /// is listed for anybody. For the other side: moves that no move but the same one takes away. If the side to move does not win at
    /// once and plays anything else, the other moves next, may play it and wins.
    fn wins(&self, game: &G, player: Player, out: &mut Vec<G::Move>);

    /// Whether it is certain that a side will not win, in a position that is not over.
    fn never(&self, game: &G, player: Player) -> bool;

    /// The number of a move in the file.
    fn number(&self, game: &G, mv: G::Move) -> u64;

    /// The move with a number. It is checked before it is played.
    fn with_number(&self, game: &G, number: u64) -> Option<G::Move>;

    /// Appends bytes that are the same for two positions only if one of them comes out of the other by a symmetry which maps
    /// games that follow on games that follow, with the same outcomes; `false` if there are none.
    fn orbit(&self, game: &G, out: &mut Vec<u8>) -> bool;
}

/// Nothing is seen; positions are the same if their texts are.
impl<G: Notation> Sight<G> for Flat {
    fn wins(&self, _: &G, _: Player, _: &mut Vec<G::Move>) {}

    fn never(&self, _: &G, _: Player) -> bool {
        false
    }

    fn number(&self, _: &G, _: G::Move) -> u64 {
        0
    }

    fn with_number(&self, _: &G, _: u64) -> Option<G::Move> {
        None
    }

    fn orbit(&self, game: &G, out: &mut Vec<u8>) -> bool {
        struct Bytes<'a>(&'a mut Vec<u8>);
        impl std::fmt::Write for Bytes<'_> {
            fn write_str(&mut self, text: &str) -> std::fmt::Result {
                self.0.extend_from_slice(text.as_bytes());
                Ok(())
            }
        }
        game.write_position(&mut Bytes(out)).is_ok()
    }
}
