//! [`Perfect`]: plays small boards as well as anybody can, from a proof and from solving.

use std::fmt;
use std::sync::Arc;

use stonework_game::{ByPlayer, Game, Outcome, Player};
use stonework_havannah::{Move, Position, Setup};
use stonework_havannah_solver::{HavannahBook, SmallPosition, Solver, Threats};
use stonework_proof::value_of;
use stonework_roster::PlayerConfig;
use stonework_roster::{Agent, Clock, Decision};
use stonework_search::{
    Bounds, Engine, Limits, Line, Mcts, OptionsError, Report, SearchContext, Stop, Value,
};

use crate::RandomGames;
use crate::roster::mcts;

/// Positions that are looked at for a move where no limit is set.
const NODES: u64 = 300_000;
/// Games that are played at random for a move that could not be solved, where no limit is set.
const SIMULATIONS: u64 = 10_000;
/// Bytes for the tables that count how hard replies are.
const SMALL_TABLE: usize = 1 << 20;

/// Never loses a game that it knows to be won, nor one that it knows to be drawn.
///
/// To size 3 it knows everything by solving. On size 4 it knows what its [`HavannahBook`] says – all games in which it
/// opens, with that of all openings – and elsewhere what it can solve within its limits, or 300 000 positions a move without
/// any. A move that is not solved is chosen by a Monte-Carlo
/// tree, and its [report](Agent::report) has no proof. Larger boards are played the same way.
///
/// In a lost game it plays for length: the reply after which the book needs most plies or, outside of it, the solver most
/// positions. With the right to swap it takes an opening that wins, and offers one that does not if there is any.
///
/// ```
/// use stonework_game::{Game, Outcome, Player};
/// use stonework_havannah::{Move, Position};
/// use stonework_havannah_players::Perfect;
/// use stonework_roster::PlayerConfig;
/// use stonework_roster::{Agent, Clock, Decision};
/// let mut player = Perfect::new(&PlayerConfig::default(), None)?;
/// let mut game = Position::new(3)?;
/// while game.outcome().is_none() {
///     let mv = if game.to_move() == Player::First {
///         match player.decide(&game, &Clock::NONE) {
///             Some(Decision::Play(mv)) => mv,
///             other => unreachable!("{other:?}"),
///         }
///     } else {
///         Move::Place(game.empty_cells().last().unwrap())
///     };
///     game.play(mv)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Win(Player::First)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Perfect {
    book: Option<Arc<HavannahBook>>,
    /// It keeps what it has found.
    solver: Solver,
    /// Counts how hard replies are.
    counter: Solver,
    /// For what cannot be solved.
    guesser: Mcts<Position, RandomGames, (), Threats>,
    limits: Limits,
    seed: u64,
    report: Option<Report<Move>>,
}

impl fmt::Debug for Perfect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { book, limits, seed, .. } = self;
        f.debug_struct("Perfect")
            .field("book", book)
            .field("limits", limits)
            .field("seed", seed)
            .finish_non_exhaustive()
    }
}

impl Perfect {
    /// A player with the limits, threads and seed of a configuration, and with a book of proofs if there is one.
    ///
    /// # Errors
    /// If the Monte-Carlo tree cannot have so many threads or so few bytes.
    pub fn new(config: &PlayerConfig, book: Option<Arc<HavannahBook>>) -> Result<Self, OptionsError> {
        let mut limits = config.limits.clone();
        let half = config.bytes() / 2;
        if limits.nodes.is_none() && limits.time.is_none() {
            limits.nodes = Some(NODES);
        }
        let guesser = PlayerConfig { limits: limits.clone().bytes(half), ..config.clone() };
        Ok(Self {
            book,
            solver: Solver::new(Solver::options().threads(config.threads).keep(true))?,
            counter: Solver::default(),
            guesser: mcts(&guesser)?,
            limits: limits.bytes(half),
            seed: config.seed,
            report: None,
        })
    }

    /// The move, with what is known of the position.
    fn think(&mut self, game: &Position, limits: &Limits) -> Report<Move> {
        if game.swap_enabled() {
            return self.think_of_swap(game, limits);
        }
        if let Some(report) = self.looked_up(game) {
            return report;
        }
        let mut report = self.solved(game, limits);
        match report.proven {
            Some(Outcome::Win(winner)) if winner != game.to_move() => {
                report.best = self.hardest(game, limits).or(report.best);
                report
            }
            Some(_) => report,
            None => self.guess(game, limits),
        }
    }

    /// The findings of the solver.
    fn solved(&mut self, game: &Position, limits: &Limits) -> Report<Move> {
        // Half of the time is for a move that cannot be solved.
        let limits = Limits { time: limits.time.map(|time| time / 2), simulations: None, ..limits.clone() };
        self.solver.search(game, &limits, SearchContext::seed(self.seed))
    }

    /// The knowledge of the proof file about a position, or about the same position with colours exchanged.
    fn looked_up(&self, game: &Position) -> Option<Report<Move>> {
        let book = self.book.as_ref()?;
        [false, true].into_iter().find_map(|exchange| {
            let position = if exchange { exchanged(game)? } else { game.clone() };
            let mut walk = book.walk(SmallPosition::try_from(&position).ok()?);
            let value = value_of(&walk.entries())?;
            let best = walk.choice()?;
            let outcome = match value {
                Outcome::Win(player) if exchange => Outcome::Win(player.other()),
                other => other,
            };
            let best = Move::Place(best);
            Some(Report {
                best: Some(best),
                bounds: Bounds::of(outcome, game.to_move()),
                proven: Some(outcome),
                lines: vec![Line::new(vec![best], Value::Unknown)],
                stopped: Some(Stop::Solved),
                ..Report::empty()
            })
        })
    }

    /// The move that keeps the value or, if all lose, the one that took most to refute; `None` if there is none.
    fn hardest(&mut self, game: &Position, limits: &Limits) -> Option<Move> {
        let moves = game.moves();
        let share = |all: u64| all / (moves.len() as u64).max(1) + 100;
        let limits = Limits {
            nodes: limits.nodes.map(share).or(Some(NODES / 37)),
            time: limits.time.map(|time| time / 2 / moves.len().max(1) as u32),
            simulations: None,
            ..limits.clone().bytes(SMALL_TABLE)
        };
        let mut best: Option<(u64, Move)> = None;
        for mv in moves {
            let mut next = game.clone();
            next.play_unchecked(mv);
            let Some(next) = without_swap(&next) else { continue };
            let report = self.counter.search(&next, &limits, SearchContext::seed(self.seed));
            let work = match next.outcome().or(report.proven) {
                Some(Outcome::Draw) => return Some(mv),
                Some(Outcome::Win(_)) => report.nodes,
                None => u64::MAX,
            };
            if best.is_none_or(|(most, _)| work > most) {
                best = Some((work, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }

    /// Opens so that swapping helps least, or decides whether to swap.
    fn think_of_swap(&mut self, game: &Position, limits: &Limits) -> Report<Move> {
        let Some(plain) = without_swap(game) else { return self.guess(game, limits) };
        if game.stone_count() == 0 {
            let best = self.hardest(game, limits);
            let lines = best.map(|best| Line::new(vec![best], Value::Unknown)).into_iter().collect();
            return Report { best, lines, stopped: Some(Stop::Solved), ..Report::empty() };
        }
        let report = self.looked_up(&plain).unwrap_or_else(|| self.solved(&plain, limits));
        match report.proven {
            Some(Outcome::Win(Player::First)) => {
                let proven = Some(Outcome::Win(Player::Second));
                let lines = vec![Line::new(vec![Move::Swap], report.value)];
                Report { best: Some(Move::Swap), lines, proven, ..report }
            }
            Some(_) => report,
            None => self.guess(game, limits),
        }
    }

    /// A move that is not proven to be any good.
    fn guess(&mut self, game: &Position, limits: &Limits) -> Report<Move> {
        let nodes = limits.nodes.map(|nodes| nodes.min(SIMULATIONS));
        let mut limits = Limits { nodes: None, time: limits.time.map(|time| time / 2), ..limits.clone() };
        if limits.time.is_none() {
            limits.simulations = limits.simulations.or(nodes).or(Some(SIMULATIONS));
        }
        self.guesser.search(game, &limits, SearchContext::seed(self.seed))
    }
}

/// The same stones and side to move, nobody with a right to swap.
fn without_swap(game: &Position) -> Option<Position> {
    Setup { swap: false, ..game.setup() }.position().ok()
}

/// The same game with the colours exchanged.
fn exchanged(game: &Position) -> Option<Position> {
    let setup = game.setup();
    let ByPlayer { first, second } = setup.stones;
    let stones = ByPlayer::new(second, first);
    Setup { stones, to_move: setup.to_move.other(), swap: false, ..setup }.position().ok()
}

impl Agent<Position> for Perfect {
    fn new_game(&mut self) {
        self.report = None;
    }

    fn decide(&mut self, game: &Position, clock: &Clock) -> Option<Decision<Move>> {
        if game.outcome().is_some() {
            return None;
        }
        let mut limits = self.limits.clone();
        let left = game.empty_cells().count() as u32 / 2;
        limits.time = match (limits.time, clock.share(left)) {
            (Some(time), Some(share)) => Some(time.min(share)),
            (time, share) => time.or(share),
        };
        let report = self.think(game, &limits);
        let best = report.best.or_else(|| game.empty_cells().next().map(Move::Place));
        self.report = Some(report);
        best.map(Decision::Play)
    }

    fn report(&self) -> Option<&Report<Move>> {
        self.report.as_ref()
    }
}
