//! [`HavannahBook`]: proofs about Havannah in memory, from one file or from a set of files.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use stonework_board::{Board, Cell};
use stonework_game::{Game as _, Outcome, Player};
use stonework_havannah::{IllegalMove, Position};
use stonework_proof::set::{ProofSet, SetError, SetFiles, SetFolder};
use stonework_proof::{BookEntry, BookReply, BookWalk, ProofBook, ProofError, Verified, VerifyLimits};

use crate::solve::GAME;
use crate::{HavannahRules, SmallPosition, Unfit, Word, Words};

/// A position of a book about boards to size 6, and to size 10.
type Small = SmallPosition<u128>;
type Large = SmallPosition<Words<6>>;

/// Verified proofs about boards to size 10, in which positions are looked up: a [`ProofBook`] of [`SmallPosition`]s, whose word
/// follows from the size of the first root.
#[derive(Clone, Debug)]
pub struct HavannahBook {
    proofs: Proofs,
    verified: Verified<Position>,
}

#[derive(Clone, Debug)]
enum Proofs {
    Small(ProofBook<Small, HavannahRules>),
    Large(ProofBook<Large, HavannahRules>),
}

/// A game beside a [`HavannahBook`]: a [`BookWalk`] with cells as moves.
#[derive(Debug)]
pub struct HavannahWalk<'a>(Walk<'a>);

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "walks are made one at a time")]
enum Walk<'a> {
    Small(BookWalk<'a, Small, HavannahRules>),
    Large(BookWalk<'a, Large, HavannahRules>),
}

/// The same expression for both words.
macro_rules! for_both {
    ($kind:ident, $both:expr, $one:ident => $then:expr) => {
        match $both {
            $kind::Small($one) => $then,
            $kind::Large($one) => $then,
        }
    };
}

impl HavannahBook {
    fn new(proofs: Proofs) -> Self {
        let verified = for_both!(Proofs, &proofs, book => by_rules(book.verified()));
        Self { proofs, verified }
    }

    /// The result of the verification: roots, claims and counts.
    #[must_use]
    pub const fn verified(&self) -> &Verified<Position> {
        &self.verified
    }

    /// The number of different positions in the book.
    #[must_use]
    pub fn positions(&self) -> usize {
        for_both!(Proofs, &self.proofs, book => book.positions())
    }

    /// The bytes that positions and moves take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        for_both!(Proofs, &self.proofs, book => book.bytes())
    }

    /// A walk that begins at any position, in the book or not.
    ///
    /// # Errors
    /// An error for a position with the right to swap, on a board above size 10, or above size 6 if the first root of the book
    /// is not.
    pub fn walk(&self, from: &Position) -> Result<HavannahWalk<'_>, Unfit> {
        Ok(HavannahWalk(match &self.proofs {
            Proofs::Small(book) => Walk::Small(book.walk(from.try_into()?)),
            Proofs::Large(book) => Walk::Large(book.walk(from.try_into()?)),
        }))
    }
}

impl HavannahWalk<'_> {
    /// The geometry of the board.
    #[must_use]
    pub const fn board(&self) -> &'static Board {
        for_both!(Walk, &self.0, walk => walk.position().board())
    }

    /// The side to move.
    #[must_use]
    pub fn to_move(&self) -> Player {
        for_both!(Walk, &self.0, walk => walk.position().to_move())
    }

    /// The outcome of a finished game.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        for_both!(Walk, &self.0, walk => walk.position().outcome())
    }

    /// The moves that have led to the current position from the beginning of the walk.
    #[must_use]
    pub fn moves(&self) -> Vec<Cell> {
        for_both!(Walk, &self.0, walk => walk.moves().collect())
    }

    /// Plays a move of the side to move: see [`BookWalk::play`].
    ///
    /// # Errors
    /// An error if the move is not legal; the walk is then unchanged.
    pub fn play(&mut self, cell: Cell) -> Result<(), IllegalMove> {
        for_both!(Walk, &mut self.0, walk => walk.play(cell))
    }

    /// Takes the last move back; `None` at the beginning of the walk.
    pub fn back(&mut self) -> Option<Cell> {
        for_both!(Walk, &mut self.0, walk => walk.back())
    }

    /// The entries about the current position: see [`BookWalk::entries`].
    pub fn entries(&mut self) -> Vec<BookEntry<Cell>> {
        for_both!(Walk, &mut self.0, walk => walk.entries())
    }

    /// All legal moves with the entries about the position after each: see [`BookWalk::replies`].
    pub fn replies(&mut self) -> Vec<BookReply<Cell>> {
        for_both!(Walk, &mut self.0, walk => walk.replies())
    }

    /// The move that the book advises: see [`BookWalk::choice`].
    pub fn choice(&mut self) -> Option<Cell> {
        for_both!(Walk, &mut self.0, walk => walk.choice())
    }

    /// The longest game that the book allows: see [`BookWalk::longest`].
    pub fn longest(&mut self) -> Vec<Cell> {
        for_both!(Walk, &mut self.0, walk => walk.longest())
    }
}

/// A verification with its roots as positions of the rules. Every root of a file comes from the text of such a position.
fn by_rules<W: Word>(verified: &Verified<SmallPosition<W>>) -> Verified<Position> {
    let &Verified { positions, records, kinds, shared, plies, .. } = verified;
    let root = |root: &SmallPosition<W>| root.position().unwrap_or_else(|error| unreachable!("{error}"));
    let claims = verified.claims.iter().map(|(small, claim)| (root(small), *claim)).collect();
    Verified { claims, positions, records, kinds, shared, plies, by_claim: verified.by_claim.clone() }
}

/// `true` if a root, as text, is on a board above size 6. A root of no size is refused later.
fn is_large(root: &str) -> bool {
    let size = root.split(' ').next().and_then(|size| size.parse().ok());
    size.is_some_and(|size: u8| size > <u128 as Word>::MAX_SIZE)
}

/// The bytes of a file in which its first root begins: four short lines.
const HEAD: u64 = 128;

/// Reads and verifies a file of proofs about Havannah, and keeps its positions in at most `bytes` bytes: 16 for each position, and
/// two for each move of its action. See [`ProofBook::read`].
///
/// # Errors
/// An error for a file that proves nothing, is about another game or a board above size 10, or needs more than `bytes`. If the
/// first root is on a board to size 6, the others have to be, too.
pub fn read_book(mut input: impl Read, bytes: usize) -> Result<HavannahBook, ProofError> {
    let mut head = Vec::new();
    // The bytes before an error stay in `head`; the read below meets the error again, and names its place.
    let _ = input.by_ref().take(HEAD).read_to_end(&mut head);
    let lines = String::from_utf8_lossy(&head);
    let is_large = lines.lines().find_map(|line| line.strip_prefix("root ")).is_some_and(is_large);
    let (input, limits) = (head.chain(input), VerifyLimits::default());
    Ok(HavannahBook::new(if is_large {
        Proofs::Large(ProofBook::read(GAME, HavannahRules, input, &limits, bytes)?)
    } else {
        Proofs::Small(ProofBook::read(GAME, HavannahRules, input, &limits, bytes)?)
    }))
}

/// Reads and verifies a [set](stonework_proof::set) of proofs as [`read_book`] does a file. See [`ProofBook::read_set`].
///
/// # Errors
/// The errors of [`ProofBook::read_set`].
pub fn read_book_set(set: &ProofSet, files: &dyn SetFiles, bytes: usize) -> Result<HavannahBook, SetError> {
    let limits = VerifyLimits::default();
    Ok(HavannahBook::new(if is_large(&set.root) {
        Proofs::Large(ProofBook::read_set(GAME, HavannahRules, set, files, &limits, bytes)?)
    } else {
        Proofs::Small(ProofBook::read_set(GAME, HavannahRules, set, files, &limits, bytes)?)
    }))
}

/// The reason why there is no book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file or the list of the set cannot be opened.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file of proofs is refused.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The set of proofs is refused.
    #[error(transparent)]
    Set(#[from] SetError),
}

/// Reads and verifies the proofs at a path as [`read_book`] does: a file of proofs, or the directory of a
/// [proof set](stonework_proof::set).
///
/// # Errors
/// The errors of [`read_book`] and [`read_book_set`], and the error of the file system.
pub fn open_book(path: &Path, bytes: usize) -> Result<HavannahBook, BookError> {
    if path.is_dir() {
        let set = ProofSet::read(File::open(path.join(ProofSet::NAME))?)?;
        return Ok(read_book_set(&set, &SetFolder(path.to_owned()), bytes)?);
    }
    Ok(read_book(BufReader::with_capacity(1 << 16, File::open(path)?), bytes)?)
}
