//! [`ProofBook`]: a verified proof in memory, in which positions are looked up.

use std::fmt;
use std::io::Read;
use std::marker::PhantomData;

use stonework_game::{Finite, Game, Indexed, Keyed, Sym, Textual};

use crate::set::{ProofSet, SetError, SetFiles, visit_set};
use crate::trusted::{Goal, ProofAction, ProofVisitor, Verified, VerifyLimits, verify_with};
use crate::{BookEntry, Claim, ImmediateRules, ProofError, ProofFault, Why, position_key};

/// A verified file of proofs in memory. [`BookWalk`](crate::BookWalk) looks positions up in the book.
///
/// The book has each position with a record of its own once, by its key: see [`position_key`]. Positions that
/// immediate wins decide, and positions on lines of threats, are found by playing on. Two positions with equal
/// keys count as one position: if keys are not exact, an entry may be about another position, by an accident of
/// hashing.
///
/// # Complexity
/// Memory: 16 bytes for each position, and the bytes of the moves of its action. A look-up takes O(log positions).
///
/// # Example
/// ```
/// use stonework_game::{Player, example::Nim};
/// use stonework_proof::{Claim, ProofBook, VerifyLimits, Why};
/// use stonework_search::{Dfpn, Limits};
/// let root = Nim::new(31);           // take one or two; the last one wins
/// let mut file = Vec::new();
/// let claim = Claim::Wins(Player::First);
/// Dfpn::default().prove(&root, claim, &(), &Limits::none())?.write("nim", &(), &mut file)?;
/// let book: ProofBook<Nim, ()> = ProofBook::read("nim", (), &file[..], &VerifyLimits::default(), 1 << 20)?;
/// let mut walk = book.walk(root);
/// assert_eq!(walk.entries()[0].why, Why::Move(1));
/// walk.play(1)?;
/// walk.play(2)?;                      // the opponent may play any move
/// assert_eq!((walk.entries()[0].claim, walk.choice()), (claim, Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct ProofBook<G: Game, R> {
    pub(super) rules: R,
    verified: Verified<G>,
    sections: Vec<Section<G::Move>>,
}

/// The positions of all strategies with one goal.
#[derive(Clone, Debug)]
struct Section<M> {
    goal: Goal,
    /// The records, sorted by key once the whole file is read.
    records: Vec<Record>,
    /// The moves of all records, each in the frame of the representative of its position's orbit.
    moves: Vec<M>,
}

/// The action at a position: 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Record {
    key: u64,
    /// The index of the action's first move.
    first: u32,
    /// The plies within which the goal is reached, or 65535.
    plies: u16,
    /// The number of the action's moves, and the kind of action in the two highest bits.
    packed: u16,
}

/// The greatest number of moves of a record.
const MOST_MOVES: usize = (1 << 14) - 1;

/// The kinds of actions, by the two highest bits of [`Record::packed`].
const ALL: u16 = 0;
const MOVE: u16 = 1;
const LINE: u16 = 2;

const fn kind_of<M, L>(action: &ProofAction<M, L>) -> u16 {
    match action {
        ProofAction::All => ALL,
        ProofAction::Move(_) => MOVE,
        ProofAction::Line(_) => LINE,
        ProofAction::Never => 3,
    }
}

impl<G: Game, R> fmt::Debug for ProofBook<G, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions: usize = self.sections.iter().map(|section| section.records.len()).sum();
        f.debug_struct("ProofBook").field("positions", &positions).finish_non_exhaustive()
    }
}

impl<G: Finite + Keyed + Textual + Indexed, R: ImmediateRules<G>> ProofBook<G, R> {
    /// Reads and verifies a file of proofs as [`verify`](crate::verify()) does, and keeps its positions.
    ///
    /// # Arguments
    /// * `game`, `rules`, `input`, `limits` – as for [`verify`](crate::verify()).
    /// * `bytes` – the greatest memory of positions and moves. Growing vectors may take three times this memory
    ///   for a moment.
    ///
    /// # Errors
    /// The errors of [`verify`](crate::verify()), and [`ProofFault::TooLarge`] if the book needs more than `bytes`
    /// bytes.
    pub fn read(
        game: &str,
        rules: R,
        input: impl Read,
        limits: &VerifyLimits,
        bytes: usize,
    ) -> Result<Self, ProofError> {
        let mut builder = BookBuilder::<R, G::Move>::new(bytes);
        let verified = verify_with(game, &rules, input, limits, &mut builder)?;
        Ok(Self { rules, verified, sections: builder.sections() })
    }

    /// Reads and verifies a [set](crate::set) of proofs as [`verify_set`](crate::set::verify_set) does with one thread, and
    /// keeps the positions of all files. The only claim of the book is the claim of the set.
    ///
    /// # Errors
    /// The errors of [`verify_set`](crate::set::verify_set), and [`ProofFault::TooLarge`] in the file at which the book needs
    /// more than `bytes` bytes.
    pub fn read_set(
        game: &str,
        rules: R,
        set: &ProofSet,
        files: &dyn SetFiles,
        limits: &VerifyLimits,
        bytes: usize,
    ) -> Result<Self, SetError> {
        let mut builder = BookBuilder::<R, G::Move>::new(bytes);
        let verified = visit_set(game, &rules, set, files, limits, &mut builder)?;
        Ok(Self { rules, verified, sections: builder.sections() })
    }

    /// The result of the verification: roots, claims and counts.
    pub const fn verified(&self) -> &Verified<G> {
        &self.verified
    }

    /// The number of different positions in the book.
    pub fn positions(&self) -> usize {
        self.sections.iter().map(|section| section.records.len()).sum()
    }

    /// The bytes that positions and moves take.
    pub fn bytes(&self) -> usize {
        let of = |section: &Section<G::Move>| {
            size_of::<Record>() * section.records.len() + size_of::<G::Move>() * section.moves.len()
        };
        self.sections.iter().map(of).sum()
    }

    /// The entries of the records about a position that is not over and has no immediate wins. A claim that another one shows is
    /// left out: its strategy may give a win away.
    pub(super) fn look_up(&self, game: &G) -> Vec<BookEntry<G::Move>> {
        let (key, sym) = position_key::<G, R>(game);
        let found = self.sections.iter().filter_map(|section| section.look_up(game, key, sym));
        let mut found: Vec<BookEntry<G::Move>> = found.collect();
        let claims: Vec<Claim> = found.iter().map(|entry| entry.claim).collect();
        let follows = |claim: Claim| claims.iter().any(|&other| other != claim && other.shows(claim));
        found.retain(|entry| !follows(entry.claim));
        found
    }
}

impl<M: Copy> Section<M> {
    /// The entry of the record with this key; `None` without such a record. O(log positions).
    fn look_up<G: Keyed<Move = M>>(&self, game: &G, key: u64, sym: Sym) -> Option<BookEntry<M>> {
        let found = self.records.binary_search_by_key(&key, |record| record.key).ok()?;
        let record = *self.records.get(found)?;
        let first = record.first as usize;
        let stored = self.moves.get(first..first + (usize::from(record.packed) & MOST_MOVES))?;
        let moves: Vec<M> = stored.iter().map(|&mv| game.unmap_move(sym, mv)).collect();
        let why = match (record.packed >> 14, game.to_move() == self.goal.side()) {
            (ALL, _) => Why::All,
            (LINE, true) => Why::Line(moves),
            (LINE, false) => Why::Answers(moves),
            // A move that is not legal belongs to another position with the same key.
            (MOVE, _) => Why::Move(*moves.first().filter(|mv| game.check(**mv).is_ok())?),
            _ => Why::Never,
        };
        Some(BookEntry { claim: self.goal.claim(), why, plies: record.plies.into(), by_rules: false })
    }
}

/// A visitor that collects the records of a book while the file is verified.
struct BookBuilder<R, M> {
    sections: Vec<Section<M>>,
    /// The index of the section of the current strategy.
    current: usize,
    /// The indices of the records of the current path.
    open: Vec<usize>,
    /// The greatest number of bytes.
    limit: usize,
    used: usize,
    rules: PhantomData<fn(R)>,
}

impl<R, M> BookBuilder<R, M> {
    const fn new(limit: usize) -> Self {
        Self { sections: Vec::new(), current: 0, open: Vec::new(), limit, used: 0, rules: PhantomData }
    }

    /// The sections, ready for look-ups.
    fn sections(self) -> Vec<Section<M>> {
        let mut sections = self.sections;
        for section in &mut sections {
            section.records.sort_unstable_by_key(|record| (record.key, record.plies));
            section.records.dedup_by_key(|record| record.key);
            section.records.shrink_to_fit();
            section.moves.shrink_to_fit();
        }
        sections
    }
}

impl<G: Keyed + Indexed, R: ImmediateRules<G>> ProofVisitor<G> for BookBuilder<R, G::Move> {
    fn strategy(&mut self, goal: Goal) {
        let known = self.sections.iter().position(|section| section.goal == goal);
        self.current = known.unwrap_or_else(|| {
            self.sections.push(Section { goal, records: Vec::new(), moves: Vec::new() });
            self.sections.len() - 1
        });
    }

    fn enter(&mut self, game: &G, action: ProofAction<G::Move, &[G::Move]>) -> Result<(), ProofFault> {
        let Some(section) = self.sections.get_mut(self.current) else { return Ok(()) };
        let moves = action.moves();
        self.used += size_of::<Record>() + size_of_val(moves);
        if self.used > self.limit {
            return Err(ProofFault::TooLarge { limit: self.limit as u64, what: "bytes for a book" });
        }
        if moves.len() > MOST_MOVES {
            return Err(ProofFault::LongLine(moves.len() as u64));
        }
        let limit = u64::from(u32::MAX);
        let first = u32::try_from(section.moves.len());
        let first = first.map_err(|_| ProofFault::TooLarge { limit, what: "moves in a book" })?;
        let (key, sym) = position_key::<G, R>(game);
        section.moves.extend(moves.iter().map(|&mv| game.map_move(sym, mv)));
        self.open.push(section.records.len());
        let packed = moves.len() as u16 | kind_of(&action) << 14;
        section.records.push(Record { key, first, plies: 0, packed });
        Ok(())
    }

    fn leave(&mut self, _: &G, plies: u32) {
        let records = self.sections.get_mut(self.current).map(|section| &mut section.records);
        if let (Some(records), Some(index)) = (records, self.open.pop())
            && let Some(record) = records.get_mut(index)
        {
            record.plies = plies.min(u32::from(u16::MAX)) as u16;
        }
    }
}
