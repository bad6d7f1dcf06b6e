//! [`ImmediateRules`]: the facts about a position that the verifier takes from the rules.

use std::fmt::{self, Write};

use stonework_game::{Indexed, Player, Textual};

/// Facts that follow from the rules of a game at one position, without playing on: immediate wins, and that a player
/// can no longer win. A proof leaves these facts out, and is shorter without them.
///
/// The verifier trusts these facts as it trusts the rules. An implementation should therefore follow from the rules
/// alone, and a sceptic has to read it. `()` states no facts and suits every game with a text form.
///
/// Moves in a proof have the numbers of [`Indexed`].
pub trait ImmediateRules<G: Indexed> {
    /// `true` if [`canonical_bytes`](Self::canonical_bytes) are equal for all positions with equal
    /// [canonical](stonework_game::Keyed::canonical) keys. A proof then has one position of each orbit.
    const SYMMETRIC: bool = false;

    /// Appends the immediate winning moves of a player. The position is not over.
    ///
    /// * For the side to move: moves that end the game with a win of that side. If that side can win at once and the
    ///   opponent's list is not empty, at least one move must be appended.
    /// * For the opponent: its immediate winning moves, each of which the side to move can only stop by making the same
    ///   move. After any other move that does not win at once, the opponent is to move and wins with its immediate
    ///   winning move.
    fn winning_moves(&self, game: &G, player: Player, out: &mut Vec<G::Move>);

    /// `true` if a player can no longer win, however both play on. `false` is always right. The position is not over.
    fn cannot_win(&self, game: &G, player: Player) -> bool;

    /// Appends a canonical encoding of the position. Two positions may share an encoding only if a symmetry that
    /// preserves the rules maps one onto the other. `false` if the position has no encoding: a proof then cannot refer
    /// to the position a second time.
    fn canonical_bytes(&self, game: &G, out: &mut Vec<u8>) -> bool;
}

/// Rules without facts; the encoding of a position is its text.
impl<G: Textual + Indexed> ImmediateRules<G> for () {
    fn winning_moves(&self, _: &G, _: Player, _: &mut Vec<G::Move>) {}

    fn cannot_win(&self, _: &G, _: Player) -> bool {
        false
    }

    fn canonical_bytes(&self, game: &G, out: &mut Vec<u8>) -> bool {
        struct Bytes<'a>(&'a mut Vec<u8>);
        impl Write for Bytes<'_> {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0.extend_from_slice(text.as_bytes());
                Ok(())
            }
        }
        game.write_position(&mut Bytes(out)).is_ok()
    }
}
