//! [`Openings`]: the first moves of the games of a match.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use stonework_game::text::head;
use stonework_game::{Game, Textual, below};

use crate::referee::check;
use crate::seeds;

/// The openings of a match. Both games of a pair have the same opening.
///
/// ```
/// use stonework_game::example::Nim;
/// use stonework_arena::Openings;
/// let book = Openings::book("# two replies\n1 2\n2, 1\n", &Nim::new(9))?;
/// assert_eq!(book.list(&Nim::new(9), 3, 0), [vec![1, 2], vec![2, 1], vec![1, 2]]);
/// let random = Openings::Random { plies: 2 };
/// assert_eq!(random.list(&Nim::new(9), 4, 7).len(), 4);
/// # Ok::<(), stonework_arena::BookError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings<M> {
    /// Random legal moves that leave the game open. The positions differ, as long as different positions can be
    /// found.
    Random {
        /// The number of moves: up to [`MOST_PLIES`](Self::MOST_PLIES) in the programs of this workspace, as a random game need not
        /// end.
        plies: u32,
    },
    /// The openings of a list, in turn. After the last opening, the list begins again.
    Book(Vec<Vec<M>>),
}

/// A book that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// A line is no opening.
    #[error("line {line} of the book: {what}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The fault of the line.
        what: String,
    },
    /// The book has no openings.
    #[error("the book has no openings")]
    Empty,
}

/// A number of plies that random openings cannot have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text}: a number of plies up to {}, as in random:2", Openings::<()>::MOST_PLIES)]
pub struct PliesError {
    /// The text.
    pub text: String,
}

impl<M> Openings<M> {
    /// The largest number of plies in the name of random openings.
    pub const MOST_PLIES: u32 = 100;

    /// The openings of a name: `none`, or `random:PLIES` with at most 100 plies. `None` for any other text, such as the path
    /// of a book.
    ///
    /// # Errors
    /// An error for a number of plies that is no number or is above 100.
    ///
    /// ```
    /// use stonework_arena::Openings;
    /// assert_eq!(Openings::<u8>::named("random:2")?, Some(Openings::Random { plies: 2 }));
    /// assert_eq!(Openings::<u8>::named("book.txt")?, None);
    /// assert!(Openings::<u8>::named("random:101").is_err());
    /// # Ok::<(), stonework_arena::PliesError>(())
    /// ```
    pub fn named(text: &str) -> Result<Option<Self>, PliesError> {
        if text == "none" {
            return Ok(Some(Self::Random { plies: 0 }));
        }
        let Some(plies) = text.strip_prefix("random:") else { return Ok(None) };
        let plies = plies.parse().ok().filter(|&plies| plies <= Self::MOST_PLIES);
        let plies = plies.ok_or_else(|| PliesError { text: text.to_owned() })?;
        Ok(Some(Self::Random { plies }))
    }
}

impl<M: Copy> Openings<M> {
    /// A digest of a book, which distinguishes books in the header of a log: FNV-1a over the names of its moves.
    /// `None` for random openings.
    #[must_use]
    pub fn digest<G: Game<Move = M> + Textual>(&self, start: &G) -> Option<u64> {
        let Self::Book(book) = self else { return None };
        let line =
            |line: &Vec<M>| line.iter().map(|&mv| start.move_text(mv) + " ").collect::<String>() + "\n";
        let text: String = book.iter().map(line).collect();
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        Some(text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
    }

    /// Reads a book. Each line has one opening, with moves in the game's notation. Spaces separate the moves; commas
    /// do too where the moves themselves have no commas. A `#` begins a comment. Each opening must be legal from
    /// `start` and leave the game open.
    ///
    /// # Errors
    /// The first line at fault, and its fault.
    pub fn book<G: Game<Move = M> + Textual>(text: &str, start: &G) -> Result<Self, BookError> {
        let mut book = Vec::new();
        // Some editors begin a file in UTF-8 with this mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, line) in text.lines().enumerate() {
            let failed = |what: String| BookError::Line { line: index + 1, what };
            let line = line.split('#').next().unwrap_or_default();
            let mut game = start.clone();
            let mut moves = Vec::new();
            for word in line.split_whitespace() {
                let whole = word.trim_matches(',');
                let first = whole.split(',').next().unwrap_or_default();
                // In some games a move has a comma, such as `3,4`; its first part alone is no move.
                let parts =
                    if game.parse_move(first).is_ok() { whole.split(',').collect() } else { vec![whole] };
                for text in parts.into_iter().filter(|text| !text.is_empty()) {
                    let mv = game.parse_move(text);
                    let mv = mv.map_err(|e| failed(format!("`{}`: {e}", head(text))))?;
                    game.play(mv).map_err(|e| failed(format!("`{}`: {e}", head(text))))?;
                    moves.push(mv);
                }
            }
            if !moves.is_empty() {
                check(start, &moves).map_err(failed)?;
                book.push(moves);
            }
        }
        if book.is_empty() { Err(BookError::Empty) } else { Ok(Self::Book(book)) }
    }

    /// The opening of a pair that stands alone, such as a trial of a tuner: a random opening, or the line of the book that the
    /// seed chooses. Equal seeds give equal openings.
    ///
    /// ```
    /// use stonework_game::example::Nim;
    /// use stonework_arena::Openings;
    /// let book = Openings::book("1 2\n2 1", &Nim::new(9))?;
    /// assert!((0..9).any(|seed| book.one(&Nim::new(9), seed) == [1, 2]));
    /// assert!((0..9).any(|seed| book.one(&Nim::new(9), seed) == [2, 1]));
    /// # Ok::<(), stonework_arena::BookError>(())
    /// ```
    #[must_use]
    pub fn one<G: Game<Move = M> + Textual>(&self, start: &G, seed: u64) -> Vec<M> {
        match self {
            Self::Book(book) => {
                let line = seeds::opening(seed, 0) % (book.len() as u64).max(1);
                book.get(line as usize).cloned().unwrap_or_default()
            }
            Self::Random { .. } => self.list(start, 1, seed).pop().unwrap_or_default(),
        }
    }

    /// The openings of the first `count` pairs. A longer list begins with the same openings, and equal seeds give
    /// equal lists. Positions that differ by a symmetry count as different.
    ///
    /// If every attempt at a random opening ends the game, the opening is shorter.
    ///
    /// Memory: the openings, and for random ones, until the list is complete, 16 bytes for each position and at most some 32 MB for the
    /// moves on the way.
    #[must_use]
    pub fn list<G: Game<Move = M> + Textual>(&self, start: &G, count: usize, seed: u64) -> Vec<Vec<M>> {
        self.list_until(start, count, seed, &AtomicBool::new(false)).unwrap_or_default()
    }

    /// The same [list](Self::list), or `None` once `stop` is set: a million openings take seconds.
    #[must_use]
    pub fn list_until<G: Game<Move = M> + Textual>(
        &self,
        start: &G,
        count: usize,
        seed: u64,
        stop: &AtomicBool,
    ) -> Option<Vec<Vec<M>>> {
        let mut tried = Tried::new(start);
        let opening = |pair| match self {
            _ if stop.load(Ordering::Relaxed) => None,
            Self::Book(book) if book.is_empty() => Some(Vec::new()),
            Self::Book(book) => book.get(pair % book.len()).cloned(),
            Self::Random { plies } => Some(tried.opening(*plies, seeds::opening(seed, pair))),
        };
        (0..count).map(opening).collect()
    }
}

/// The number of attempts to find a new position.
const TRIES: u32 = 100;
/// The largest number of moves of the positions that are kept: about 32 MB.
const MOST_MOVES: usize = 1 << 20;

/// A position as 128 bits, which two positions of a match do not share.
fn digest<G: Textual>(position: &G) -> [u64; 2] {
    let text = position.position_text();
    [0_u8, 1].map(|part| {
        let mut hasher = DefaultHasher::new();
        (part, &text).hash(&mut hasher);
        hasher.finish()
    })
}

/// A move of a position on the way to an opening.
#[derive(Clone, Copy)]
enum Way {
    /// The move was not tried.
    New,
    /// The move ends the game.
    Ends,
    /// The move completes an opening that was met before.
    Met,
    /// The move leads to the position at this place.
    To(usize),
}

/// The openings that were tried. Where there are fewer positions than openings, nearly all attempts repeat earlier ones; they need no
/// position then.
struct Tried<'a, G: Game> {
    start: &'a G,
    /// The positions after complete openings, as [`digest`] has them.
    seen: HashSet<[u64; 2]>,
    /// The positions on the way, the first one at the front, each with its moves.
    places: Vec<Vec<(G::Move, Way)>>,
    /// The number of all these moves.
    moves: usize,
    /// The largest number of moves that are kept.
    most: usize,
}

impl<'a, G: Game + Textual> Tried<'a, G> {
    fn new(start: &'a G) -> Self {
        let mut tried = Self { start, seen: HashSet::new(), places: Vec::new(), moves: 0, most: MOST_MOVES };
        tried.add(start);
        tried
    }

    /// Keeps a position with its moves, and returns its place. When there is no more room, all others but the first go.
    fn add(&mut self, game: &G) -> usize {
        if self.moves > self.most {
            self.places.truncate(1);
            self.places.iter_mut().flatten().for_each(|(_, way)| *way = Way::New);
            self.moves = self.places.iter().map(Vec::len).sum();
        }
        let moves: Vec<_> = game.moves().into_iter().map(|mv| (mv, Way::New)).collect();
        self.moves += moves.len();
        self.places.push(moves);
        self.places.len() - 1
    }

    /// A random opening. If no attempt gives a new position, it is the last of the longest ones.
    fn opening(&mut self, plies: u32, seed: u64) -> Vec<G::Move> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut best = Vec::new();
        for _ in 0..TRIES {
            let (moves, is_new) = self.attempt(plies as usize, &mut rng);
            if moves.len() >= best.len() {
                best = moves;
            }
            if is_new || plies == 0 {
                break;
            }
        }
        best
    }

    /// Random moves until the opening is complete or the game would end. The second value is `true` if the position after a complete
    /// opening is new.
    fn attempt(&mut self, plies: usize, rng: &mut Xoshiro256PlusPlus) -> (Vec<G::Move>, bool) {
        let (mut at, mut moves) = (0, Vec::new());
        while moves.len() < plies {
            let chosen = below(rng, self.places[at].len());
            let Some(&(mv, way)) = self.places[at].get(chosen) else { break };
            if let Way::Ends = way {
                break;
            }
            moves.push(mv);
            match way {
                Way::To(place) => at = place,
                Way::Met | Way::Ends => break,
                Way::New => {
                    let mut game = self.start.clone();
                    for &mv in &moves {
                        game.play_unchecked(mv);
                    }
                    if game.outcome().is_some() {
                        self.places[at][chosen].1 = Way::Ends;
                        moves.pop();
                        break;
                    }
                    if moves.len() == plies {
                        self.places[at][chosen].1 = Way::Met;
                        return (moves, self.seen.insert(digest(&game)));
                    }
                    let place = self.add(&game);
                    // Without room the position before is gone.
                    if place > at {
                        self.places[at][chosen].1 = Way::To(place);
                    }
                    at = place;
                }
            }
        }
        (moves, false)
    }
}

#[cfg(test)]
mod tests {
    use stonework_game::example::Nim;

    use super::*;

    /// The slow judge: each attempt with its position.
    fn judged(start: Nim, plies: usize, seed: u64, seen: &mut HashSet<String>) -> Vec<u8> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut best = Vec::new();
        for _ in 0..TRIES {
            let (mut game, mut moves) = (start, Vec::new());
            while moves.len() < plies {
                let legal = game.moves();
                let Some(&mv) = legal.get(below(&mut rng, legal.len())) else { break };
                let undo = game.play_unchecked(mv);
                if game.outcome().is_some() {
                    game.undo(undo);
                    break;
                }
                moves.push(mv);
            }
            let complete = moves.len() == plies;
            if moves.len() >= best.len() {
                best = moves;
            }
            if complete && seen.insert(game.position_text()) {
                break;
            }
        }
        best
    }

    /// Also where there are fewer positions than openings, games that end within an opening, and room for a few positions alone.
    #[test]
    fn openings_are_those_of_attempts_that_remember_nothing() {
        for (stones, plies) in [(40, 0), (40, 1), (40, 3), (40, 7), (7, 3), (5, 4), (1, 2)] {
            let start = Nim::new(stones);
            for most in [0, 5, 20, MOST_MOVES] {
                let (mut tried, mut seen) = (Tried::new(&start), HashSet::new());
                tried.most = most;
                for seed in 0..200 {
                    let expected = judged(start, plies, seed, &mut seen);
                    let found = tried.opening(plies as u32, seed);
                    assert_eq!(found, expected, "{stones} stones, {plies} plies, {most} moves, seed {seed}");
                    assert!(tried.moves <= most + 2 * 3, "{} moves are kept", tried.moves);
                }
            }
        }
    }
}
