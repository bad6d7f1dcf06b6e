//! [`Book`]: a verified proof in memory, to look positions up in.

use std::fmt;
use std::io::Read;
use std::marker::PhantomData;

use stonework_game::{Finite, Game, Keyed, Notation, Outcome, Player, Sym};

use super::blocks::{Fault, Refused};
use super::verify::{Deed, Listener, verify_aloud};
use super::{Caps, Claim, Sight, Verified};

/// A proof that was verified while it was read, and can be asked what it says of a position. [`Walk`](super::Walk) asks.
///
/// It holds the positions that have records of their own, each once, by their canonical keys; what is decided at sight or
/// on a line of threats is found again by playing it. Positions are told apart by their keys alone: if these are not exact,
/// another position is taken for one of the book by an accident of hashing.
///
/// ```
/// use stonework_game::{Player, example::Nim};
/// use stonework_search::proof::{Book, Caps, Claim, Reason};
/// use stonework_search::{Dfpn, Flat, Limits};
/// let root = Nim::new(31);           // take one or two; the last one wins
/// let mut file = Vec::new();
/// let claim = Claim::Wins(Player::First);
/// Dfpn::new().prove(&root, claim, &Flat, &Limits::none())?.write("nim", &Flat, &mut file)?;
/// let book: Book<Nim, Flat> = Book::read("nim", Flat, &file[..], &Caps::default(), 1 << 20)?;
/// let mut walk = book.walk(root);
/// assert_eq!(walk.said()[0].reason, Reason::Move(1));
/// walk.play(1)?;
/// walk.play(2)?;                      // the other one may do what he likes
/// assert_eq!((walk.said()[0].claim, walk.choice()), (claim, Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Book<G: Game, S> {
    pub(super) sight: S,
    verified: Verified<G>,
    chapters: Vec<Chapter<G::Move>>,
}

/// The positions of all strategies for one claim.
#[derive(Clone, Debug)]
struct Chapter<M> {
    /// Who is asked about, and whether that side wins.
    about: (Player, bool),
    /// By key, once all are read.
    entries: Vec<Entry>,
    /// Their moves, as in the representative of the orbit.
    moves: Vec<M>,
}

/// What a strategy does at a position: 16 bytes.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// Where its moves are.
    at: u32,
    /// Within how many plies it is settled, or 65535.
    plies: u16,
    /// How many moves, and what is done with them in the two highest bits.
    len: u16,
}

/// Moves of an entry, at most.
const MOST_MOVES: usize = (1 << 14) - 1;
const DEEDS: [Deed; 4] = [Deed::All, Deed::Move, Deed::Line, Deed::Never];

impl Entry {
    fn len(self) -> usize {
        usize::from(self.len) & MOST_MOVES
    }

    fn deed(self) -> Deed {
        DEEDS[usize::from(self.len >> 14)]
    }
}

/// What a book says of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said<M> {
    /// What is shown of it: never [`Claim::Draw`] but of a game that is over; a draw is said twice, once for each side.
    pub claim: Claim,
    /// How.
    pub reason: Reason<M>,
    /// Plies within which that is settled if the claim's side keeps to the book: it has won, or the one who is not to win
    /// never will. At most 65535.
    pub plies: u32,
    /// Whether the rules show it at sight, in moves that are forced or one move ahead: without the book.
    pub sight: bool,
}

/// Why a claim holds. The *side* is the one that the strategy is for: the winner, or the opponent of who does not win.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason<M> {
    /// The game is over.
    Over,
    /// The side moves and wins at once with each of these.
    AtOnce(Vec<M>),
    /// The other one moves, and cannot stop all of these, which win.
    Defenceless(Vec<M>),
    /// Every other move loses at once for who makes it; after this one it is settled.
    Forced(M),
    /// The side moves, and this is the move.
    Move(M),
    /// The side moves, and wins with these moves while each answer is the only one.
    Line(Vec<M>),
    /// The other one moves, and no move helps.
    All,
    /// The same; against most of them the side wins with these moves while each answer is the only one.
    Answers(Vec<M>),
    /// The one who is not to win never will.
    Never,
}

/// What all that is said of a position comes to: its value, if that is known.
pub fn value_of<M>(said: &[Said<M>]) -> Option<Outcome> {
    let shown = |claim| said.iter().any(|said| said.claim.shows(claim));
    let winner = Player::BOTH.into_iter().find(|&player| shown(Claim::Wins(player)));
    let drawn = Player::BOTH.into_iter().all(|player| shown(Claim::DoesNotWin(player)));
    winner.map(Outcome::Win).or(drawn.then_some(Outcome::Draw))
}

impl Claim {
    /// Whether the other claim follows from this one.
    #[must_use]
    pub fn shows(self, other: Self) -> bool {
        let loser = match other {
            Self::DoesNotWin(loser) => Some(loser),
            _ => None,
        };
        self == other
            || match self {
                Self::Wins(winner) => loser == Some(winner.other()),
                Self::Draw => loser.is_some(),
                Self::DoesNotWin(_) => false,
            }
    }

    /// Who is asked about, and whether that side wins.
    pub(super) const fn about(who: Player, wins: bool) -> Self {
        if wins { Self::Wins(who) } else { Self::DoesNotWin(who) }
    }
}

impl<G: Game, S> fmt::Debug for Book<G, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions: usize = self.chapters.iter().map(|chapter| chapter.entries.len()).sum();
        f.debug_struct("Book").field("positions", &positions).finish_non_exhaustive()
    }
}

/// The key of a position and the symmetry that leads to its representative.
fn name<G: Keyed, S: Sight<G>>(game: &G) -> (u64, Sym) {
    if S::SYMMETRIC { game.canonical() } else { (game.key(), Sym(0)) }
}

impl<G: Finite + Keyed + Notation, S: Sight<G>> Book<G, S> {
    /// Reads and verifies a proof as [`verify`](super::verify()) does, and keeps what it says in at most so many `bytes`: 16 for each
    /// position and those of its moves. Vectors that grow may take up to three times of that for a moment.
    ///
    /// # Errors
    /// As [`verify`](super::verify()), and [`Fault::TooLarge`] for a book that does not fit.
    pub fn read(game: &str, sight: S, input: impl Read, caps: &Caps, bytes: usize) -> Result<Self, Refused> {
        let mut scribe = Scribe::<S, G::Move> {
            chapters: Vec::new(),
            current: 0,
            open: Vec::new(),
            limit: bytes,
            used: 0,
            of: PhantomData,
        };
        let verified = verify_aloud(game, &sight, input, caps, &mut scribe)?;
        let mut chapters = scribe.chapters;
        for chapter in &mut chapters {
            chapter.entries.sort_unstable_by_key(|entry| (entry.key, entry.plies));
            chapter.entries.dedup_by_key(|entry| entry.key);
            chapter.entries.shrink_to_fit();
            chapter.moves.shrink_to_fit();
        }
        Ok(Self { sight, verified, chapters })
    }

    /// What was verified: the roots, the claims and the counts.
    pub const fn verified(&self) -> &Verified<G> {
        &self.verified
    }

    /// How many different positions it holds.
    pub fn positions(&self) -> usize {
        self.chapters.iter().map(|chapter| chapter.entries.len()).sum()
    }

    /// Bytes that its positions and their moves take.
    pub fn bytes(&self) -> usize {
        let of = |chapter: &Chapter<G::Move>| {
            size_of::<Entry>() * chapter.entries.len() + size_of::<G::Move>() * chapter.moves.len()
        };
        self.chapters.iter().map(of).sum()
    }

    /// What the records say of a position that is neither over nor decided or forced at sight.
    pub(super) fn records(&self, game: &G) -> Vec<Said<G::Move>> {
        let (key, sym) = name::<G, S>(game);
        self.chapters.iter().filter_map(|chapter| chapter.look(game, key, sym)).collect()
    }
}

impl<M: Copy> Chapter<M> {
    /// O(log positions).
    fn look<G: Keyed<Move = M>>(&self, game: &G, key: u64, sym: Sym) -> Option<Said<M>> {
        let found = self.entries.binary_search_by_key(&key, |entry| entry.key).ok()?;
        let entry = *self.entries.get(found)?;
        let (who, wins) = self.about;
        let at = entry.at as usize;
        let stored = self.moves.get(at..at + entry.len())?;
        let moves: Vec<M> = stored.iter().map(|&mv| game.unmap_move(sym, mv)).collect();
        let side = if wins { who } else { who.other() };
        let reason = match (entry.deed(), game.to_move() == side) {
            (Deed::All, _) => Reason::All,
            (Deed::Never, _) => Reason::Never,
            (Deed::Line, true) => Reason::Line(moves),
            (Deed::Line, false) => Reason::Answers(moves),
            // A move that is not legal belongs to another position.
            (Deed::Move, _) => Reason::Move(*moves.first().filter(|mv| game.check(**mv).is_ok())?),
        };
        Some(Said { claim: Claim::about(who, wins), reason, plies: entry.plies.into(), sight: false })
    }
}

/// Writes down what is verified.
struct Scribe<S, M> {
    chapters: Vec<Chapter<M>>,
    /// The chapter that is written.
    current: usize,
    /// Entries that have begun.
    open: Vec<usize>,
    limit: usize,
    used: usize,
    of: PhantomData<fn(S)>,
}

impl<G: Keyed, S: Sight<G>> Listener<G> for Scribe<S, G::Move> {
    fn strategy(&mut self, who: Player, wins: bool) {
        let about = (who, wins);
        let known = self.chapters.iter().position(|chapter| chapter.about == about);
        self.current = known.unwrap_or_else(|| {
            self.chapters.push(Chapter { about, entries: Vec::new(), moves: Vec::new() });
            self.chapters.len() - 1
        });
    }

    fn begin(&mut self, game: &G, deed: Deed, moves: &[G::Move]) -> Result<(), Fault> {
        let Some(chapter) = self.chapters.get_mut(self.current) else { return Ok(()) };
        self.used += size_of::<Entry>() + size_of_val(moves);
        if self.used > self.limit {
            return Err(Fault::TooLarge { limit: self.limit as u64, what: "bytes for a book" });
        }
        let too_long = |_| Fault::LongLine(moves.len() as u64);
        let len = u16::try_from(moves.len()).map_err(too_long)?;
        if moves.len() > MOST_MOVES {
            return Err(Fault::LongLine(moves.len() as u64));
        }
        let most = u64::from(u32::MAX);
        let at = u32::try_from(chapter.moves.len());
        let at = at.map_err(|_| Fault::TooLarge { limit: most, what: "moves in a book" })?;
        let (key, sym) = name::<G, S>(game);
        chapter.moves.extend(moves.iter().map(|&mv| game.map_move(sym, mv)));
        let deed = DEEDS.iter().position(|&other| other == deed).unwrap_or(0) as u16;
        self.open.push(chapter.entries.len());
        chapter.entries.push(Entry { key, at, plies: 0, len: len | deed << 14 });
        Ok(())
    }

    fn end(&mut self, _: &G, plies: u32) {
        let entries = self.chapters.get_mut(self.current).map(|chapter| &mut chapter.entries);
        if let (Some(entries), Some(index)) = (entries, self.open.pop())
            && let Some(entry) = entries.get_mut(index)
        {
            entry.plies = plies.min(u32::from(u16::MAX)) as u16;
        }
    }
}
