//! Proofs as objects: written to a file, read back, and verified with the rules alone.
//!
//! A proof is a strategy. That a side wins is shown by one move wherever that side is to move and by all
//! moves wherever the other is, down to games that it has won. That a side does not win is shown by one
//! move of the other and all of its own, down to games that it has not won; a draw, by both sides not
//! winning. [`Dfpn::prove`](crate::Dfpn::prove) finds one and [`Proof::write`] stores it; [`verify`] needs
//! nothing but [`Game`], [`Finite`](stonework_game::Finite) and [`Notation`](stonework_game::Notation), and
//! contains no search.
//!
//! ```
//! # use std::fmt;
//! # use stonework_game::{Finite, Game, Keyed, Notation, Outcome, ParseError, Player};
//! # #[derive(Clone, PartialEq, Eq, Debug)]
//! # struct Heap { left: u8, to_move: Player }
//! # #[derive(Debug)] struct No;
//! # impl fmt::Display for No { fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result { Ok(()) } }
//! # impl std::error::Error for No {}
//! # impl Heap { fn new(left: u8) -> Self { Self { left, to_move: Player::First } } }
//! # impl Game for Heap {
//! #     type Move = u8;
//! #     type Undo = u8;
//! #     type Illegal = No;
//! #     fn to_move(&self) -> Player { self.to_move }
//! #     fn outcome(&self) -> Option<Outcome> { (self.left == 0).then_some(Outcome::Win(!self.to_move)) }
//! #     fn legal_moves(&self, out: &mut impl Extend<u8>) { out.extend(1..=self.left.min(2)); }
//! #     fn check(&self, mv: u8) -> Result<(), No> { (1..=self.left.min(2)).contains(&mv).then_some(()).ok_or(No) }
//! #     fn play_unchecked(&mut self, mv: u8) -> u8 { self.left -= mv; self.to_move = !self.to_move; mv }
//! #     fn undo(&mut self, mv: u8) { self.left += mv; self.to_move = !self.to_move; }
//! # }
//! # impl Finite for Heap {}
//! # impl Keyed for Heap { fn key(&self) -> u64 { u64::from(self.left) << 1 | self.to_move as u64 } }
//! # impl Notation for Heap {
//! #     fn write_move(&self, mv: u8, w: &mut dyn fmt::Write) -> fmt::Result { write!(w, "{mv}") }
//! #     fn parse_move(&self, text: &str) -> Result<u8, ParseError> { Ok(text.parse().unwrap()) }
//! #     fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result { write!(w, "{} {}", self.left, self.to_move as u8) }
//! #     fn parse_position(text: &str) -> Result<Self, ParseError> {
//! #         let (left, side) = text.split_once(' ').unwrap();
//! #         Ok(Self { left: left.parse().unwrap(), to_move: Player::BOTH[usize::from(side == "1")] })
//! #     }
//! # }
//! use stonework_search::proof::{Caps, Claim, verify};
//! use stonework_search::{Dfpn, Limits};
//! let root = Heap::new(30);           // take one or two; the last one wins
//! let claim = Claim::Wins(Player::Second);
//! let mut file = Vec::new();
//! Dfpn::new().prove(&root, claim, &Limits::none())?.write("heap", &mut file)?;
//! let verified = verify::<Heap>("heap", &file[..], &Caps::default())?;
//! assert_eq!((verified.root, verified.claim, verified.plies), (root, claim, 20));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The file
//! Five lines of text, then blocks. Numbers are little-endian.
//!
//! ```text
//! stonework proof 1
//! game <the game's name>
//! root <the root position, as the game writes it>
//! claim first wins | second wins | draw | first does not win | second does not win
//! check <CRC-32 of the lines above, in eight hexadecimal digits>
//!
//! block   bytes of records (u32) · bytes of payload (u32) · check (u32) · payload: records, deflated
//! end     0 (u32) · 16 (u32) · check (u32) · number of records (u64) · number of shared ones (u64)
//! ```
//!
//! The check of a block is the CRC-32 of the check before it, the two lengths and the payload: blocks
//! that are edited, cut, exchanged or taken from another proof are found where they stand. The records
//! are the positions of the strategy that are not over, depth first, moves in the game's order; each is a
//! number in LEB128:
//!
//! ```text
//! 0, then n      the n-th shared position of this part (from 0), which was shown before
//! 1 + 2·i + s    one move: the i-th legal one
//! 1 + s          all moves
//! ```
//!
//! where s is 1 if the position is shared: it will be met again. A draw has two parts, *first does not win*
//! and *second does not win*, one after the other.
//!
//! # What verifying takes
//! Memory: a list of moves for each ply, and 16 bytes for each shared position, which is known again by
//! 128 bits of its text hashed under keys that are drawn anew each time. Positions that are equal but for
//! a symmetry are not shared. Time: that of playing all moves once. [`Caps`] limit all three.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use stonework_game::{Game, Outcome, Player};

mod blocks;
mod verify;
mod write;

pub use blocks::{Fault, Reader, Refused};
pub use verify::{Caps, Verified, verify};
pub use write::Written;

/// What a proof shows of its root.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// This side wins.
    Wins(Player),
    /// This side does not win: it loses or draws.
    DoesNotWin(Player),
    /// Neither side wins.
    Draw,
}

impl Claim {
    /// That the game ends like this.
    #[must_use]
    pub const fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(player) => Self::Wins(player),
            Outcome::Draw => Self::Draw,
        }
    }

    /// The strategies that show it: who is asked about, and whether that side wins.
    pub(crate) fn parts(self) -> Vec<(Player, bool)> {
        match self {
            Self::Wins(who) => vec![(who, true)],
            Self::DoesNotWin(who) => vec![(who, false)],
            Self::Draw => Player::BOTH.map(|who| (who, false)).into(),
        }
    }

    const ALL: [(Self, &'static str); 5] = [
        (Self::Wins(Player::First), "first wins"),
        (Self::Wins(Player::Second), "second wins"),
        (Self::DoesNotWin(Player::First), "first does not win"),
        (Self::DoesNotWin(Player::Second), "second does not win"),
        (Self::Draw, "draw"),
    ];
}

/// `first wins`, `second wins`, `first does not win`, `second does not win`, `draw`.
impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.iter().find(|(claim, _)| claim == self).map_or("", |&(_, name)| name);
        f.write_str(name)
    }
}

/// Text that is no claim.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no claim: there are {list}", list = Claim::ALL.map(|(_, name)| name).join(", "))]
pub struct NoClaim(pub String);

impl FromStr for Claim {
    type Err = NoClaim;

    fn from_str(text: &str) -> Result<Self, NoClaim> {
        let found = Self::ALL.iter().find(|(_, name)| *name == text);
        found.map(|&(claim, _)| claim).ok_or_else(|| NoClaim(text.to_owned()))
    }
}

/// A strategy that shows a [`Claim`], in memory: a choice for each of its positions.
#[derive(Clone, Debug)]
pub struct Proof<G> {
    pub(crate) root: G,
    pub(crate) claim: Claim,
    pub(crate) parts: Vec<Part>,
}

/// The positions of one strategy by their keys.
pub(crate) type Part = HashMap<u64, Choice>;

/// What happens at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Choice {
    /// The number of the one move, or of none where all are played.
    pub(crate) index: u32,
    /// Whether it is met more than once.
    pub(crate) shared: bool,
}

impl<G: Game> Proof<G> {
    /// Where the strategy begins.
    #[must_use]
    pub const fn root(&self) -> &G {
        &self.root
    }

    /// What it shows.
    #[must_use]
    pub const fn claim(&self) -> Claim {
        self.claim
    }

    /// How many different positions it has that are not over.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.parts.iter().map(HashMap::len).sum()
    }
}
