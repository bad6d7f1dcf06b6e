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
    /// The names of the sides, the first player's first.
    pub sides: [&'static str; 2],
    /// The least and the greatest size of a board.
    pub sizes: (u8, u8),
    /// The size where none is given.
    pub usual_size: u8,
    /// The names of the notations of moves, the usual one first. Empty where the game has one notation without a name.
    pub notations: &'static [&'static str],
    /// Whether commas separate the moves of a list, as spaces do. `false` where a move has a comma itself.
    pub commas: bool,
    /// Whether a game against a person is played with the right to swap unless that is refused.
    pub swaps: bool,
    /// The plies after which a match calls a game a draw, where a game may go on for ever.
    pub max_plies: Option<u32>,
    /// The kinds of win that are counted, in the order of the bits of [`Described::kinds`](crate::Described::kinds).
    /// Empty where there is one kind.
    pub kinds: &'static [&'static str],
}

impl Description {
    /// A game of one board of size 1, one notation, no swap, and one kind of win.
    #[must_use]
    pub const fn new(name: &'static str, sides: [&'static str; 2]) -> Self {
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

    /// The side of a name or of its first letter.
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

    /// The moves of a list: words between spaces, and between commas where the game [has such lists](Self::commas).
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
    /// The size of the board. It may be left out where `position` has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The text of a position; `None` is the initial position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// The name of the side to move, where it is not the side that the position names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_move: Option<String>,
    /// Whether the game has the right to swap.
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
    /// `size` for a size that the game does not have, with those that it has.
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
    /// `to_move` for a text that is neither side, with the names of the sides.
    pub fn player_in(&self, game: &Description) -> Result<Option<Player>, Fault> {
        let Some(name) = self.to_move.as_deref() else { return Ok(None) };
        let [first, second] = game.sides;
        let fault = || format!("`{}` does not move: `{first}` or `{second}`", head(name));
        game.player(name).map(Some).ok_or_else(|| Fault::new("to_move", fault()))
    }

    /// Compares the size of a position's own text with the size that is given.
    ///
    /// # Errors
    /// `size` if both are there and differ.
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
