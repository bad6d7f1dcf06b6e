//! [`ProofSet`]: a proof made of many files.

mod check;
mod files;
mod join;
mod manifest;
mod progress;

pub(crate) use check::visit_set;
pub use check::{SetCheck, VerifiedSet, verify_set};
pub use files::{SetFiles, SetFolder};
pub use join::join_set;
pub use progress::SetProgress;

use std::io;

use crate::{Claim, ProofError};

/// The greatest number of files of a set.
pub const MOST_FILES: usize = 1 << 24;

/// The list of the files of a proof set: a proof of one claim about one root, made of many files.
///
/// The set has *proof files*, each as [`verify`](crate::verify()) reads it, and *top files*. A top file is a proof whose
/// strategies end at positions about which an earlier file of the list has a claim that shows the goal. The set holds
/// if every file holds, and if a claim of a file shows the claim of the set.
///
/// A top file refers only to files before it, so that references do not go in circles.
///
/// ```
/// use std::collections::BTreeMap;
/// use stonework_game::{Game, Keyed, Player, example::Nim};
/// use stonework_proof::{Claim, KnownClaims, Proof, ProofAction, Strategy};
/// use stonework_proof::set::{ProofSet, SetCheck, SetFile, verify_set};
/// let (root, claim) = (Nim::new(4), Claim::Wins(Player::First));
/// let mut below = root;
/// below.play(1)?;                    // three are left: every move of the opponent loses
/// let (mut proof, mut top) = (Vec::new(), Vec::new());
/// let mut strategy = Strategy::new();
/// strategy.insert(below.key(), ProofAction::All);
/// for left in [1, 2] {
///     let mut after = below;
///     after.play(3 - left)?;
///     strategy.insert(after.key(), ProofAction::Move(left));
/// }
/// Proof::new(below, claim, vec![strategy]).write("nim", &(), &mut proof)?;
/// let mut strategy = Strategy::new();
/// strategy.insert(root.key(), ProofAction::Move(1));
/// let mut known = KnownClaims::default();
/// known.add(&below, &(), claim, 0);
/// Proof::new(root, claim, vec![strategy]).write_top("nim", &(), &known, &mut top)?;
/// let mut set = ProofSet::new("nim", &root, claim);
/// set.files.push(SetFile::of_bytes("below", &proof)?);
/// set.files.push(SetFile::of_bytes("top", &top)?);
/// let files = BTreeMap::from([("below".to_owned(), proof), ("top".to_owned(), top)]);
/// let verified = verify_set::<Nim, _>("nim", &(), &set, &files, &SetCheck::default())?;
/// assert_eq!((verified.claim, verified.root), (claim, root));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofSet {
    /// The name of the game.
    pub game: String,
    /// The root position, as the game writes it.
    pub root: String,
    /// The claim about the root.
    pub claim: Claim,
    /// The files: every file before the top files that refer to it.
    pub files: Vec<SetFile>,
}

/// The kind of a file of a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SetFileKind {
    /// A proof that holds alone.
    Proof,
    /// A proof that rests on the claims of files before it.
    Top,
}

impl SetFileKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Proof => "proof",
            Self::Top => "top",
        }
    }
}

/// A file of a set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetFile {
    /// The kind.
    pub kind: SetFileKind,
    /// The name: 1 to 255 letters, digits, `.`, `-` and `_` of ASCII, the first no `.`.
    pub name: String,
    /// The size in bytes.
    pub bytes: u64,
    /// The SHA-256 of the file.
    pub sha256: [u8; 32],
    /// The root positions of the file, each with the claim about it, as the file has them.
    pub claims: Vec<(String, Claim)>,
}

/// The reason why a set of proofs is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// A line of the list is wrong.
    #[error("line {line} of the list: {reason}")]
    List {
        /// The number of the line, from 1.
        line: u64,
        /// The reason.
        reason: String,
    },
    /// The list cannot be read.
    #[error("the list: {0}")]
    Unreadable(#[source] io::Error),
    /// A file of the set is missing or cannot be read.
    #[error("file `{name}`: {error}")]
    File {
        /// The name of the file.
        name: String,
        /// The error.
        #[source]
        error: io::Error,
    },
    /// A file of the set is not the file that the list names.
    #[error("file `{name}` is another file than the list names: its {what} is {found}, not {expected}")]
    Other {
        /// The name of the file.
        name: String,
        /// The noun: size, SHA-256, claim or number of claims.
        what: &'static str,
        /// The text of the file's own.
        found: String,
        /// The text of the list.
        expected: String,
    },
    /// A file of the set does not hold.
    #[error("file `{name}` does not hold: {refused}")]
    Refused {
        /// The name of the file.
        name: String,
        /// The reason, with the place.
        #[source]
        refused: ProofError,
    },
    /// No file shows the claim of the set.
    #[error("no file of the set shows that {claim} from `{root}`")]
    Unshown {
        /// The root of the set.
        root: String,
        /// The claim of the set.
        claim: Claim,
    },
    /// The root of the set is no position of the game, or the list is about another game.
    #[error("the list is about {found}, not about {expected}")]
    Subject {
        /// The text of the list.
        found: String,
        /// The text that is expected.
        expected: String,
    },
    /// The set is too large for one file or one book.
    #[error("more than {limit} {what}")]
    TooLarge {
        /// The limit.
        limit: u64,
        /// The noun of the limit.
        what: &'static str,
    },
    /// The progress or the joined proof cannot be written.
    #[error("cannot write: {0}")]
    Output(#[source] io::Error),
    /// The check was cancelled.
    #[error("cancelled")]
    Cancelled,
}
