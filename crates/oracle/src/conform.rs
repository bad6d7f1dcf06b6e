//! Compares somebody's rules with ours, move by move, and shrinks the first disagreement.

use std::fmt;

use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use serde::Serialize;

use crate::asked::{Asked, cachex_games, cover_games};
use crate::corpus::{GameText, Generator, Kind, of_kinds, printed};
use crate::query::{BySide, Query, State, Verdict};
use crate::replay;

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
    /// What is true after the moves, or why the question has no answer.
    ///
    /// # Errors
    /// If the rules under test crash, hang or talk nonsense; that counts as a disagreement.
    fn replay(&mut self, query: &Query) -> Result<Verdict, String>;
}

impl<F: FnMut(&Query) -> Result<Verdict, String>> Subject for F {
    fn replay(&mut self, query: &Query) -> Result<Verdict, String> {
        self(query)
    }
}

/// A comparison of rules on many games: those printed in the seeds, generated ones, and any others.
#[derive(Clone, Debug)]
pub struct Conformance {
    game: &'static str,
    seed: u64,
    sizes: Vec<u8>,
    random_games: u32,
    extra: Vec<GameText>,
}

/// What a comparison has found.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Report {
    /// Games compared.
    pub games: u64,
    /// Positions compared.
    pub plies: u64,
    /// The first disagreement, made as small as could be.
    pub counterexample: Option<Counterexample>,
}

/// A game on which the rules disagree.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Counterexample {
    /// The shrunk game; its last move is where they part.
    pub game: GameText,
    /// What we say.
    pub expected: Verdict,
    /// What the subject says, or how it failed.
    pub got: Result<Verdict, String>,
    /// The difference in words.
    pub what: String,
    /// How many moves the game had before it was shrunk.
    pub found_with: usize,
}

/// The most questions that shrinking asks.
const SHRINKING: u32 = 20_000;

impl Conformance {
    /// A comparison of Havannah's rules with the printed games and 100 random games on every size from 2
    /// to 10.
    #[must_use]
    pub fn havannah(seed: u64) -> Self {
        let game = stonework_havannah::Position::NAME;
        Self { game, seed, sizes: (2..=10).collect(), random_games: 100, extra: Vec::new() }
    }

    /// Of the rules of Cachex, with 100 random games on every size from 3 to 9.
    #[must_use]
    pub fn cachex(seed: u64) -> Self {
        Self { game: stonework_cachex::Position::NAME, sizes: (3..=9).collect(), ..Self::havannah(seed) }
    }

    /// Of the rules of Cover, with 100 random games on every size from 1 to 4.
    #[must_use]
    pub fn cover(seed: u64) -> Self {
        Self { game: stonework_cover::Position::NAME, sizes: (1..=4).collect(), ..Self::havannah(seed) }
    }

    /// On these sizes of board; printed games of other sizes are left out. Sizes that no board has are
    /// passed over.
    #[must_use]
    pub fn sizes(mut self, sizes: impl IntoIterator<Item = u8>) -> Self {
        self.sizes = sizes.into_iter().collect();
        self
    }

    /// So many uniformly random games for each size, and a tenth as many of each constructed kind.
    #[must_use]
    pub const fn random_games(mut self, games: u32) -> Self {
        self.random_games = games;
        self
    }

    /// These games too, whatever their size.
    #[must_use]
    pub fn games(mut self, games: impl IntoIterator<Item = GameText>) -> Self {
        self.extra.extend(games);
        self
    }

    /// The games that are compared, in order: generated ones on growing boards, so that what is found is
    /// small; printed ones; those that were added. The same for the same seed.
    pub fn corpus(&self) -> impl Iterator<Item = GameText> + '_ {
        let generated = self.sizes.iter().flat_map(|&size| self.generated(size));
        let printed = printed().into_iter().map(|printed| printed.game);
        let printed = printed.filter(|game| game.game == self.game && self.sizes.contains(&game.size));
        generated.chain(printed).chain(self.extra.iter().cloned())
    }

    fn generated(&self, size: u8) -> Box<dyn Iterator<Item = GameText> + '_> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ u64::from(size) << 56);
        match self.game {
            stonework_cachex::Position::NAME => Box::new(cachex_games::games(size, self.random_games, rng)),
            stonework_cover::Position::NAME => Box::new(cover_games::games(size, self.random_games, rng)),
            _ => match Generator::new(size) {
                Err(_) => Box::new(std::iter::empty()),
                Ok(generator) => Box::new(of_kinds(Kind::ALL, self.random_games, move |kind| {
                    generator.game(kind, &mut rng)
                })),
            },
        }
    }

    /// Asks the subject about every position of every game, and about moves that are not legal there,
    /// until it disagrees.
    pub fn run(&self, subject: &mut impl Subject) -> Report {
        self.run_watched(subject, |_| {})
    }

    /// As [`run`](Conformance::run), calling `watch` after each game with how many there have been.
    pub fn run_watched(&self, subject: &mut impl Subject, mut watch: impl FnMut(u64)) -> Report {
        let mut report = Report { games: 0, plies: 0, counterexample: None };
        for game in self.corpus() {
            for moves in questions(&game) {
                report.plies += 1;
                if let Some(found) = disagreement(subject, &game, moves) {
                    report.counterexample = Some(shrink(subject, found));
                    return report;
                }
            }
            report.games += 1;
            watch(report.games);
        }
        report
    }
}

/// Every prefix of a game; then a taken cell halfway, a cell that is on no board, and a move after the
/// last one; for Cachex also steals and first moves that are not allowed.
fn questions(game: &GameText) -> impl Iterator<Item = Vec<String>> + '_ {
    let prefixes = (0..=game.moves.len()).map(|n| game.moves[..n].to_vec());
    let with = |n: usize, mv: &str| {
        let mut moves = game.moves[..n].to_vec();
        moves.push(mv.to_owned());
        moves
    };
    let half = game.moves.len() / 2;
    let taken = game.moves.first().map(|first| with(half.max(1), first));
    let nowhere = Some(with(half, "z99"));
    let after = game.moves.first().map(|first| with(game.moves.len(), first));
    let mut special = Vec::new();
    if game.game == stonework_cachex::Position::NAME {
        let (centre, size) = (game.size / 2, game.size);
        special = vec![
            with(0, &format!("{centre},{centre}")),
            with(0, "steal"),
            with(half, "steal"),
            with(half, &format!("{size},0")),
        ];
    }
    prefixes.chain(taken).chain(nowhere).chain(after).chain(special)
}

fn disagreement(subject: &mut impl Subject, game: &GameText, moves: Vec<String>) -> Option<Counterexample> {
    let query = game.query(moves);
    let expected = replay(&query);
    let got = subject.replay(&query);
    let what = difference(&expected, &got)?;
    let game = GameText { moves: query.moves, ..game.clone() };
    let found_with = game.moves.len();
    Some(Counterexample { game, expected, got, what, found_with })
}

/// How an answer differs from ours; `None` if it does not. Fields that a subject leaves out are not
/// compared, nor are the wording and kind of errors.
#[must_use]
pub fn difference(expected: &Verdict, got: &Result<Verdict, String>) -> Option<String> {
    let got = match got {
        Ok(verdict) => verdict,
        Err(failure) => return Some(failure.clone()),
    };
    match (expected, got) {
        (Ok(ours), Ok(theirs)) => differing_field(ours, theirs),
        (Err(ours), Err(theirs)) if ours.at == theirs.at => None,
        (Err(ours), Err(theirs)) => {
            let (theirs, at) = (json(&theirs.at), json(&ours.at));
            Some(format!("the error is at move {theirs}, we say {at} ({ours})"))
        }
        (Ok(_), Err(theirs)) => Some(format!("refused ({theirs}), we accept it")),
        (Err(ours), Ok(_)) => Some(format!("accepted, we refuse it ({ours})")),
    }
}

/// A value as it stands in an answer.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn differing_field(ours: &State, theirs: &State) -> Option<String> {
    fn field<T: PartialEq + Serialize>(name: &str, ours: &T, theirs: &T) -> Option<String> {
        (ours != theirs).then(|| format!("{name} is {}, we say {}", json(theirs), json(ours)))
    }
    fn given<T: PartialEq + Serialize>(name: &str, ours: Option<&T>, theirs: Option<&T>) -> Option<String> {
        theirs.and_then(|_| field(name, &ours, &theirs))
    }
    fn sorted(names: &[String]) -> Vec<String> {
        let mut names = names.to_vec();
        names.sort();
        names
    }
    let how = |state: &State| state.how.as_deref().map(sorted);
    let winning = |state: &State| {
        let sides = state.winning_cells.as_ref();
        sides.map(|s| BySide { white: sorted(&s.white), black: sorted(&s.black) })
    };
    let captured = |state: &State| -> Option<Vec<Vec<String>>> {
        state.captured.as_ref().map(|moves| moves.iter().map(|cells| sorted(cells)).collect())
    };
    field("outcome", &ours.outcome, &theirs.outcome)
        .or_else(|| given("how", how(ours).as_ref(), how(theirs).as_ref()))
        .or_else(|| field("to_move", &ours.to_move, &theirs.to_move))
        .or_else(|| given("plies", ours.plies.as_ref(), theirs.plies.as_ref()))
        .or_else(|| given("legal", ours.legal.as_ref(), theirs.legal.as_ref()))
        .or_else(|| given("winning_cells", winning(ours).as_ref(), winning(theirs).as_ref()))
        .or_else(|| given("can_win", ours.can_win.as_ref(), theirs.can_win.as_ref()))
        .or_else(|| given("captured", captured(ours).as_ref(), captured(theirs).as_ref()))
}

/// Lets a game begin as late as can be, on the board that its moves have led to, with the subject still
/// disagreeing about the last move and about nothing before: where stones move, a game that leaves moves out
/// is no game any more.
fn begin_later(subject: &mut impl Subject, best: &Counterexample) -> Option<Counterexample> {
    let moves = &best.game.moves;
    (1..moves.len()).rev().find_map(|gone| {
        let state = replay(&best.game.query(moves[..gone].to_vec())).ok()?;
        let start = state.board.map(|board| (board, state.to_move));
        let game = GameText { start, moves: moves[gone..].to_vec(), ..best.game.clone() };
        let agreed = (0..game.moves.len())
            .all(|count| disagreement(subject, &game, game.moves[..count].to_vec()).is_none());
        let found = disagreement(subject, &game, game.moves.clone()).filter(|_| agreed)?;
        let found = Counterexample { found_with: best.found_with, ..found };
        (found.expected.is_ok() == best.expected.is_ok()).then_some(found)
    })
}

/// Takes moves out of a game, two of different sides at a time and then single ones, as long as the
/// subject still disagrees about what is left.
fn shrink(subject: &mut impl Subject, mut best: Counterexample) -> Counterexample {
    if best.game.game == stonework_cover::Position::NAME
        && let Some(later) = begin_later(subject, &best)
    {
        best = later;
    }
    let found_with = best.found_with;
    let mut budget = SHRINKING;
    let mut attempt = |best: &Counterexample, gone: &[usize]| -> Option<Counterexample> {
        budget = budget.checked_sub(1)?;
        let kept = |(i, mv): (usize, &String)| (!gone.contains(&i)).then(|| mv.clone());
        let moves = best.game.moves.iter().enumerate().filter_map(kept).collect();
        let smaller = disagreement(subject, &best.game, moves)?;
        (smaller.expected.is_ok() == best.expected.is_ok()).then_some(smaller)
    };
    loop {
        let n = best.game.moves.len();
        // Long even stretches first, halving; then pairs of different sides; then single moves.
        let stretches =
            std::iter::successors(Some((n / 2) & !1), |len| Some((len / 2) & !1).filter(|&l| l >= 2))
                .filter(|&len| len >= 2)
                .flat_map(|len| (0..=n - len).map(move |start| (start..start + len).collect::<Vec<_>>()));
        let pairs = (0..n).flat_map(|i| (i + 1..n).step_by(2).map(move |j| vec![i, j]));
        let singles = (0..n).map(|i| vec![i]);
        match stretches.chain(pairs).chain(singles).find_map(|gone| attempt(&best, &gone)) {
            Some(smaller) => best = smaller,
            None => return Counterexample { found_with, ..best },
        }
    }
}

/// The difference, the moves, and the question by which it can be seen again.
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
