//! [`Description`]: the constants of a game, and [`Start`]: the options of a first position.

use serde::{Deserialize, Serialize};
use stonework_game::text::head;
use stonework_game::{Outcome, Player};

use crate::Fault;

/// The constants of a game: its name, the names of its sides, the sizes of its boards.
///
/// ```
/// use stonework_session::Description;
/// const NIM: Description = Description {
///     sizes: (1, 255),
///     usual_size: 7,
///     ..Description::new("nim", ["first", "second"])
/// };
/// assert!(NIM.notations.is_empty());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Description {
    /// The name of the game, as a command line and a request write it.
    pub name: &'static str,
    /// The names of the sides, the first player's first. They begin with two different letters from `a` to `z`, by which requests
    /// and records name the sides, too: `b` and `B` for `black`.
    pub sides: [&'static str; 2],
    /// The least and the greatest size of a board.
    pub sizes: (u8, u8),
    /// The size of a board for which no size is given.
    pub usual_size: u8,
    /// The names of the notations of moves, the usual notation first. Empty for a game with a single notation, which
    /// has no name.
    pub notations: &'static [&'static str],
    /// `true` if commas separate the moves of a list, as spaces do; `false` for a game whose moves have commas.
    pub commas: bool,
    /// `true` if games against a person have the right to swap unless the options refuse it.
    pub swaps: bool,
    /// The number of plies after which a match calls a game a draw, for a game that may go on for ever.
    pub max_plies: Option<u32>,
    /// The names of the kinds of win, in the order of the bits of [`Described::kinds`](crate::Described::kinds).
    /// Empty for a game with one kind.
    pub kinds: &'static [&'static str],
}

impl Description {
    /// A game of one board of size 1, one notation, no swap, and one kind of win.
    ///
    /// # Panics
    /// If the names of the sides do not begin with two different letters from `a` to `z`.
    #[must_use]
    pub const fn new(name: &'static str, sides: [&'static str; 2]) -> Self {
        let [first, second] = [sides[0].as_bytes(), sides[1].as_bytes()];
        assert!(
            matches!((first, second), (&[b'a'..=b'z', ..], &[b'a'..=b'z', ..])) && first[0] != second[0],
            "the names of the sides begin with two different letters from a to z"
        );
        Self {
            name,
            sides,
            sizes: (1, 1),
            usual_size: 1,
            notations: &[],
            commas: true,
            swaps: false,
            max_plies: None,
            kinds: &[],
        }
    }

    /// The name of a side.
    #[must_use]
    pub const fn side(&self, player: Player) -> &'static str {
        self.sides[player.index()]
    }

    /// The side with a name or its first letter.
    #[must_use]
    pub fn player(&self, name: &str) -> Option<Player> {
        let is = |side: &str| name == side || (name.len() == 1 && side.starts_with(name));
        Player::BOTH.into_iter().find(|&player| is(self.side(player)))
    }

    /// The name of the side that has won, or `draw`.
    #[must_use]
    pub const fn outcome(&self, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Win(player) => self.side(player),
            Outcome::Draw => "draw",
        }
    }

    /// The moves of a list: words between spaces, and also between commas if [`commas`](Self::commas) is `true`.
    pub fn words<'a>(&self, list: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
        let commas = self.commas;
        list.split(move |c: char| c.is_whitespace() || (commas && c == ',')).filter(|word| !word.is_empty())
    }
}

/// The options of the first position of a game.
///
/// ```
/// use stonework_session::{Registry, Start};
/// let havannah = Registry::standard().game("havannah")?.clone();
/// let position = havannah.start(&Start { swap: true, ..Start::of_size(4) })?;
/// assert_eq!(position.size(), 4);
/// let refused = havannah.start(&Start::of_size(99)).unwrap_err();
/// assert_eq!(refused.to_string(), "no board of size 99: sizes are 2 to 20");
/// # Ok::<(), stonework_session::Fault>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Start {
    /// The size of the board. It is optional if `position` gives the size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The text of a position; `None` is the initial position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The name of the side to move; `None` is the side that the position names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_move: Option<String>,
    /// `true` if the game has the right to swap. The text of a position of Havannah states this right, too: `true` is refused
    /// beside a text without a right that could still be used.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub swap: bool,
}

impl Start {
    /// The initial position of a size, without the right to swap.
    #[must_use]
    pub const fn of_size(size: u64) -> Self {
        Self { size: Some(size), position: None, to_move: None, swap: false }
    }

    /// The size, if it is given.
    ///
    /// # Errors
    /// The fault `size` for a size that the game does not have, with the least and the greatest size.
    pub fn size_in(&self, game: &Description) -> Result<Option<u8>, Fault> {
        let (least, most) = game.sizes;
        let Some(size) = self.size else { return Ok(None) };
        match u8::try_from(size) {
            Ok(size) if (least..=most).contains(&size) => Ok(Some(size)),
            _ => Err(Fault::new("size", format!("no board of size {size}: sizes are {least} to {most}"))),
        }
    }

    /// The side to move, if it is given.
    ///
    /// # Errors
    /// The fault `to_move` for a text that names neither side, with the names of the sides.
    pub fn player_in(&self, game: &Description) -> Result<Option<Player>, Fault> {
        let Some(name) = self.to_move.as_deref() else { return Ok(None) };
        let [first, second] = game.sides;
        let fault = || format!("`{}` does not move: `{first}` or `{second}`", head(name));
        game.player(name).map(Some).ok_or_else(|| Fault::new("to_move", fault()))
    }

    /// Compares the size in the text of a position with the given size.
    ///
    /// # Errors
    /// The fault `size` if both sizes are known and differ.
    pub fn same_size(given: Option<u8>, size: u8) -> Result<(), Fault> {
        match given {
            Some(given) if given != size => {
                let what = format!("the position has size {size}, the question says {given}");
                Err(Fault::new("size", what))
            }
            _ => Ok(()),
        }
    }

    /// The fault of a start with neither a size nor a position.
    #[must_use]
    pub fn missing() -> Fault {
        Fault::new("size", "neither size nor position is given")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_without_a_letter_of_their_own_are_refused() {
        for sides in [["", "black"], ["White", "black"], ["\u{e9}t\u{e9}", "hiver"], ["red", "rose"]] {
            let made = std::panic::catch_unwind(|| Description::new("seasons", sides));
            assert!(made.is_err(), "{sides:?}");
        }
    }
}
