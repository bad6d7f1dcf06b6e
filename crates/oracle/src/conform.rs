//! Compares rules under test with ours, move by move, and shrinks the first disagreement.

mod difference;
mod questions;
mod shrink;
mod tried;

use std::collections::HashSet;
use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

use rand_core::RngCore;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use stonework_board::{Board, Notation};
use stonework_session::{Described, State};

use crate::corpus::{GameText, Generator, Kind, cachex, cover, of_kinds, printed};
use crate::query::{Query, QueryResult};
use crate::replay;
pub(crate) use difference::beginning;
pub use difference::difference;
use questions::{POSITION, Questions, questions};
use shrink::Shrinking;
pub use tried::Tried;

/// The names of the games.
const HAVANNAH: &str = stonework_havannah::Position::DESCRIPTION.name;
const CACHEX: &str = stonework_cachex::Position::DESCRIPTION.name;
const COVER: &str = stonework_cover::Position::DESCRIPTION.name;

/// Rules under test: anything that can answer a [`Query`].
///
/// A closure will do:
///
/// ```
/// use stonework_oracle::{Conformance, Query, State, replay};
/// // Rules that never see a ring.
/// let mut blind = |query: &Query| {
///     let mut verdict = replay(query);
///     if let Ok(state) = &mut verdict {
///         if state.how.as_deref() == Some(&["ring".to_owned()]) {
///             *state = State { to_move: state.to_move.clone(), ..State::default() };
///         }
///     }
///     Ok(verdict)
/// };
/// let report = Conformance::havannah(7).sizes(4..=4).random_games(50).run(&mut blind);
/// let counterexample = report.counterexample.unwrap();
/// assert_eq!(counterexample.game.moves.len(), 11);        // six stones around a cell, five of the other side
/// assert!(counterexample.what.contains("outcome"));
/// ```
pub trait Subject {
    /// The facts after the moves, or the fault of the question.
    ///
    /// # Errors
    /// An error if the rules under test crash, hang or give an invalid answer; each counts as a disagreement.
    fn replay(&mut self, query: &Query) -> Result<QueryResult, String>;
}

impl<F: FnMut(&Query) -> Result<QueryResult, String>> Subject for F {
    fn replay(&mut self, query: &Query) -> Result<QueryResult, String> {
        self(query)
    }
}

/// A comparison of rules on many games: the printed games of the seeds, generated games, and games of the caller.
#[derive(Clone, Debug)]
pub struct Conformance {
    game: &'static str,
    seed: u64,
    sizes: Vec<u8>,
    /// Up to this size a comparison plays all random games, on larger boards one in [`FEWER`].
    many: u8,
    random_games: u32,
    notations: Vec<Notation>,
    shrinking: Duration,
    extra: Vec<GameText>,
}

/// The result of a comparison.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// Games compared.
    pub games: u64,
    /// Questions compared: positions, and illegal moves in positions.
    pub plies: u64,
    /// The games and questions by kind.
    pub tried: Tried,
    /// `true` if the watcher ended the comparison before all games were compared.
    pub stopped: bool,
    /// The first disagreement, shrunk.
    pub counterexample: Option<Counterexample>,
}

/// A game on which the rules disagree.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Counterexample {
    /// The shrunk game; the rules disagree about its last move.
    pub game: GameText,
    /// Our answer.
    pub expected: QueryResult,
    /// The subject's answer, or its failure.
    pub got: Result<QueryResult, String>,
    /// The difference in words.
    pub what: String,
    /// The number of moves of the game before it was shrunk.
    pub found_with: usize,
    /// `true` if shrinking came to its end: the game without any one of its moves, or without any one move of each
    /// side, shows no disagreement. There may be a smaller game of other moves.
    pub least: bool,
}

/// A step of a comparison, for its watcher.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Step<'a> {
    /// The number of games compared so far.
    Compared(u64),
    /// The first disagreement, before it is shrunk.
    Found(&'a Counterexample),
    /// The progress of shrinking.
    Shrinking {
        /// Questions asked.
        asked: u64,
        /// Moves of the smallest game so far.
        moves: usize,
    },
}

/// Unless sizes are given, boards of uncommon sizes have one game in [`FEWER`].
const FEWER: u32 = 20;

impl Conformance {
    /// A comparison of Havannah's rules with the printed games and 100 random games on every size from 2 to 10, and 5
    /// on sizes from 11 to 20.
    #[must_use]
    pub fn havannah(seed: u64) -> Self {
        Self::of::<stonework_havannah::Position>(seed, 10)
    }

    /// A comparison of Cachex's rules, with 100 random games on every size from 3 to 9 and 5 on sizes from 10 to 15.
    #[must_use]
    pub fn cachex(seed: u64) -> Self {
        Self::of::<stonework_cachex::Position>(seed, 9)
    }

    /// A comparison of Cover's rules, with 100 random games on every size from 1 to 4 and 5 on sizes from 5 to 10.
    #[must_use]
    pub fn cover(seed: u64) -> Self {
        Self::of::<stonework_cover::Position>(seed, 4)
    }

    fn of<G: Described>(seed: u64, many: u8) -> Self {
        let (least, most) = G::DESCRIPTION.sizes;
        Self {
            game: G::DESCRIPTION.name,
            seed,
            sizes: (least..=most).collect(),
            many,
            random_games: 100,
            notations: vec![Notation::Hgui],
            shrinking: Duration::from_secs(60),
            extra: Vec::new(),
        }
    }

    /// The same comparison on these sizes of board, with the full number of games on each. Printed games of other sizes
    /// are left out, and so are sizes without a board.
    #[must_use]
    pub fn sizes(mut self, sizes: impl IntoIterator<Item = u8>) -> Self {
        self.sizes = sizes.into_iter().collect();
        self.many = u8::MAX;
        self
    }

    /// The same comparison with this number of uniformly random games for each size, and a tenth of it for each
    /// constructed kind.
    #[must_use]
    pub const fn random_games(mut self, games: u32) -> Self {
        self.random_games = games;
        self
    }

    /// The same comparison with Havannah's cells named in these notations, in turn from game to game. The names are in
    /// `hgui` without this call, and on boards that none of the notations can name.
    #[must_use]
    pub fn notations(mut self, notations: impl IntoIterator<Item = Notation>) -> Self {
        self.notations = notations.into_iter().collect();
        self
    }

    /// The same comparison with a limit on the time of shrinking. The default limit is one minute.
    #[must_use]
    pub const fn shrink_for(mut self, time: Duration) -> Self {
        self.shrinking = time;
        self
    }

    /// The same comparison with these games too, whatever their size.
    #[must_use]
    pub fn games(mut self, games: impl IntoIterator<Item = GameText>) -> Self {
        self.extra.extend(games);
        self
    }

    /// The games of the comparison, in order: generated games on growing boards, so that counterexamples are small;
    /// then printed games; then games of the caller. Equal seeds give equal games.
    pub fn corpus(&self) -> impl Iterator<Item = GameText> + '_ {
        let generated = self.sizes.iter().flat_map(|&size| self.generated(size));
        let printed = printed().into_iter().map(|printed| printed.game);
        let printed = printed.filter(|game| game.game == self.game && self.sizes.contains(&game.size));
        let ours = generated.chain(printed).enumerate().map(|(i, game)| self.renamed(i, game));
        ours.chain(self.extra.iter().cloned())
    }

    fn generated(&self, size: u8) -> Box<dyn Iterator<Item = GameText> + '_> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ u64::from(size) << 56);
        let games = if size > self.many { self.random_games.div_ceil(FEWER) } else { self.random_games };
        match self.game {
            CACHEX => Box::new(cachex::games(size, games, rng)),
            COVER => Box::new(cover::games(size, games, rng)),
            _ => match Generator::new(size) {
                Err(_) => Box::new(std::iter::empty()),
                Ok(generator) => {
                    Box::new(of_kinds(Kind::ALL, games, move |kind| generator.game(kind, &mut rng)))
                }
            },
        }
    }

    /// A game of Havannah with its cells named in the notation for this number.
    fn renamed(&self, number: usize, game: GameText) -> GameText {
        let Ok(board) = Board::hexagon(game.size) else { return game };
        if game.game != HAVANNAH {
            return game;
        }
        let fitting: Vec<Notation> =
            self.notations.iter().copied().filter(|notation| notation.fits(board.shape()).is_ok()).collect();
        let notation = fitting.get(number % fitting.len().max(1)).copied().unwrap_or_default();
        if notation == Notation::Hgui {
            return game;
        }
        // A text that is no cell, such as `swap`, is the same in all notations.
        let name = |text: &String| board.parse(text).ok().and_then(|cell| notation.name_of(board, cell).ok());
        let moves = game.moves.iter().map(|text| name(text).unwrap_or_else(|| text.clone())).collect();
        GameText { notation: Some(notation), moves, ..game }
    }

    /// Asks the subject about positions of every game, and about every kind of illegal move there, until the subject
    /// disagrees.
    pub fn run(&self, subject: &mut impl Subject) -> Report {
        self.run_watched(subject, |_| ControlFlow::Continue(()))
    }

    /// As [`run`](Conformance::run), with a call of the watcher after each game, at a disagreement and during
    /// shrinking. The watcher can end the comparison; the report then has the results so far.
    pub fn run_watched(
        &self,
        subject: &mut impl Subject,
        mut watch: impl FnMut(Step<'_>) -> ControlFlow<()>,
    ) -> Report {
        let mut report = Report::default();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut known = HashSet::new();
        for game in self.corpus() {
            let thorough = known.insert((game.size, game.notation));
            report.tried.game(&game.name, game.size);
            let Questions { all, fills } = questions_about(&game, thorough, &mut rng);
            for question in all {
                report.plies += 1;
                let whole = question.kind == POSITION && question.moves.len() == game.moves.len();
                let query = game.query(question.moves);
                let expected = replay(&query);
                report.tried.question(&question.kind, &expected);
                if let Some(how) = expected.as_ref().ok().filter(|_| whole).and_then(ways_to_end) {
                    report.tried.end(&how, fills);
                }
                if let Some(found) = disagreement(subject, &game, query, expected) {
                    report.counterexample =
                        Some(Shrinking::new(self.shrinking, subject, watch).smaller(found));
                    return report;
                }
            }
            report.games += 1;
            if watch(Step::Compared(report.games)).is_break() {
                report.stopped = true;
                return report;
            }
        }
        report
    }
}

/// The questions about a game of any kind.
fn questions_about(game: &GameText, thorough: bool, rng: &mut impl RngCore) -> Questions {
    match game.game {
        CACHEX => questions::<stonework_cachex::Position>(game, thorough, rng),
        COVER => questions::<stonework_cover::Position>(game, thorough, rng),
        _ => questions::<stonework_havannah::Position>(game, thorough, rng),
    }
}

/// The ways in which the game has ended; `None` if it goes on.
fn ways_to_end(state: &State) -> Option<Vec<String>> {
    let outcome = state.outcome.clone()?;
    let how = state.how.clone().unwrap_or_default();
    Some(if how.is_empty() { vec![outcome] } else { how })
}

/// The counterexample, if the subject's answer differs from ours.
fn disagreement(
    subject: &mut impl Subject,
    game: &GameText,
    query: Query,
    expected: QueryResult,
) -> Option<Counterexample> {
    let got = subject.replay(&query);
    let what = difference(&expected, &got)?;
    let game = GameText { moves: query.moves, ..game.clone() };
    let found_with = game.moves.len();
    Some(Counterexample { game, expected, got, what, found_with, least: false })
}

/// The difference, the moves, and the question that reproduces it.
impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GameText { name, size, moves, .. } = &self.game;
        let query = self.game.query(moves.clone());
        writeln!(
            f,
            "{} ({name}, size {size}, {} moves, found with {})",
            self.what,
            moves.len(),
            self.found_with
        )?;
        write!(f, "{}", serde_json::to_string(&query).map_err(|_| fmt::Error)?)
    }
}
