//! Proofs as objects: written to a file, read back, and verified with the rules alone.
//!
//! A proof is a strategy. That a side wins is shown by one move wherever that side is to move and by all
//! moves wherever the other is, down to games that it has won. That a side does not win is shown by one
//! move of the other and all of its own, down to games that it has not won; a draw, by both sides not
//! winning. [`Dfpn::prove`](crate::Dfpn::prove) finds one and [`Proof::write`] stores it; [`verify`] needs
//! nothing but [`Game`], [`Finite`](stonework_game::Finite), [`Notation`](stonework_game::Notation) and a [`Sight`], and
//! contains no search. A file may prove several claims.
//!
//! ```
//! use stonework_game::{Player, example::Nim};
//! use stonework_search::proof::{Caps, Claim, verify};
//! use stonework_search::{Dfpn, Flat, Limits};
//! let root = Nim::new(30);           // take one or two; the last one wins
//! let claim = Claim::Wins(Player::Second);
//! let mut file = Vec::new();
//! Dfpn::new().prove(&root, claim, &Flat, &Limits::none())?.write("nim", &Flat, &mut file)?;
//! let verified = verify::<Nim, _>("nim", &Flat, &file[..], &Caps::default())?;
//! assert_eq!((verified.claims, verified.plies), (vec![(root, claim)], 20));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The file
//! Lines of text, then blocks. Numbers in them are little-endian. `docs/formats.md` of the repository says the same of Havannah, with all that a
//! checker must know of its cells and moves.
//!
//! ```text
//! stonework proof 2
//! game <the game's name>
//! claims <how many, 1 to 4096, in digits without zeros before them>
//! root <a root position, exactly as the game writes it>                                       )  as many
//! claim first wins | second wins | draw | first does not win | second does not win            )  times
//! check <CRC-32 of the lines above with their line ends, in eight hexadecimal digits>
//!
//! block   bytes of records (u32, 1 to 65536) · bytes of payload (u32) · check (u32) · payload: records, raw deflate
//! end     0 (u32) · 16 (u32) · check (u32) · number of records (u64) · number of shared ones (u64)
//! ```
//!
//! The check of a block is the CRC-32 of the check before it (of the header, for the first block) as four bytes, the two lengths and the payload: blocks
//! that are edited, cut, exchanged or taken from another proof are found where they stand. Nothing follows the stream in a payload, and nothing follows the end.
//!
//! The records are the positions of the strategies, claim after claim in the order of the header. A draw has two strategies,
//! *first does not win* and *second does not win*, one after the other. Each strategy is for one *side*: the winner, or the
//! opponent of the one that does not win. It is walked depth first from its root, and at each position the first of these that fits
//! says what happens:
//!
//! 1. The game is over: as the claim says, or the proof is wrong.
//! 2. The side to move wins at once, as the [`Sight`] sees: good if it is the strategy's side, wrong if not.
//! 3. The other one has several such moves: the same the other way round. It has one: that move is played and nothing else.
//! 4. A record, which is a row of numbers in LEB128 (seven bits a byte, the lowest first, the eighth set in all bytes
//!    but the last; at most 64 bits, in as few bytes as a number needs). A record may go on in the next block, a number may not:
//!
//! ```text
//! 0, then n                      the n-th shared position of this strategy (from 0), which was shown before, or its
//!                                image under a symmetry
//! 1 + 4·i + s                    the strategy's side moves: the i-th legal move (from 0) is played
//!                                the other moves: all are played, in the game's order; i is 0
//! 3 + 4·k + s, then k numbers    k > 0, the strategy's side moves: the line of these moves must win
//!                                k > 0, the other moves: all moves are played, in the game's order; after each for which
//!                                the line wins nothing more is shown, otherwise the position is walked on
//!                                k = 0: the one who is not to win never will, as the sight sees
//! ```
//!
//! where s is 1 if the position is shared: it will be met again. Shared positions are numbered as their records begin, anew in each strategy. A position may be referred
//! to once all below it is shown. Moves of lines have the [numbers](Sight::number) that the sight gives them.
//!
//! A line is tried where the strategy's side is to move and the game is not over. It fails at its end. It wins if the side wins at once. It fails if the other one
//! would win at once with several moves or with another than the first of the line, or if that first move is not legal. It is played; then the line wins if the game is won, and fails if the game is over otherwise, if the side is
//! to move again, or if the other one can win at once. It wins if the side has several moves that win at once, and fails if there is none. If there is one, the other side plays
//! it, and the rest of the line is tried.
//!
//! # What verifying takes
//! Memory: a list of moves for each ply, and 28 bytes for each shared position of a strategy, which is known again by
//! 128 bits of its [orbit](Sight::orbit) hashed under keys that are drawn anew each time. Time: that of playing all moves
//! once, and the lines. [`Caps`] limit all of it.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use stonework_game::{Game, Outcome, Player};

mod blocks;
mod book;
mod forced;
mod sight;
mod verify;
mod walk;
mod write;

pub use blocks::{Fault, Reader, Refused};
pub use book::{Book, Reason, Said, value_of};
pub(crate) use forced::{Seen, name, seen, wins_by};
pub use sight::Sight;
pub use verify::{Caps, Kinds, Tally, Verified, verify};
pub(crate) use verify::{Deed, Listener, verify_aloud};
pub use walk::{Reply, Walk};
pub(crate) use write::undisturbed;
pub use write::{JoinError, Written, join};

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

    /// The strategies that show it: who is asked about, and whether that side wins. A strategy is for the winner, or the
    /// opponent of who does not win.
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
#[non_exhaustive]
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
pub struct Proof<G: Game> {
    pub(crate) root: G,
    pub(crate) claim: Claim,
    pub(crate) parts: Vec<Part<G::Move>>,
}

/// The positions of one strategy by their keys, as they are met first.
pub(crate) type Part<M> = HashMap<u64, Choice<M>>;

/// What happens at a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Choice<M> {
    pub(crate) step: Step<M>,
    /// Whether it is met more than once.
    pub(crate) shared: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step<M> {
    /// All moves are played.
    All,
    /// One move is.
    Move(M),
    /// These moves win, now or after all moves but those that are played.
    Line(Box<[M]>),
    /// The one who is not to win cannot any more.
    Never,
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

    /// How many different positions it has that are neither over nor decided at sight.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.parts.iter().map(HashMap::len).sum()
    }
}
