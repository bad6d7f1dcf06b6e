//! [`Perfect`]: perfect play on small boards, from a proof and by solving.

use std::fmt;
use std::sync::Arc;

use stonework_game::{ByPlayer, Game, Outcome, Player};
use stonework_havannah::{Move, Position, Setup};
use stonework_havannah_solver::{HavannahBook, Solver};
use stonework_proof::value_of;
use stonework_roster::PlayerConfig;
use stonework_roster::{Agent, Clock, Decision};
use stonework_search::{
    Bounds, Engine, Limits, Line, OptionsError, Report, SearchContext, Stop, UNKNOWN_PLIES, Value,
};

use crate::champion::Champion;

/// The limit of the solver's nodes for a move, if the configuration has none.
const NODES: u64 = 300_000;
/// The limit of the tree's simulations for a move that is not solved, if the configuration has none.
const SIMULATIONS: u64 = 10_000;
/// The bytes of the table that measures how hard a reply is to refute.
const SMALL_TABLE: usize = 1 << 20;

/// A player that never loses a position that it has proved won or drawn.
///
/// To size 3 the solver proves every position. On size 4 the values come from the [`HavannahBook`], and from the solver
/// for positions that the book lacks. (The book of all openings has all games in which `Perfect` opens.) The solver keeps
/// the limits of the configuration, or 300 000 nodes a move without any. If it proves nothing, a Monte-Carlo tree
/// chooses the move, and the [report](Agent::report) has no proof. Boards above size 4 are played the same way.
///
/// In a lost game `Perfect` chooses the reply with the longest win in the book or, outside the book, the reply that costs
/// the solver most nodes. With the right to swap, it takes over an opening that wins. As the first side it opens with a
/// stone that does not win, if there is one.
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
    /// The solver of the positions; its table stays from move to move.
    solver: Solver,
    /// The solver whose nodes measure how hard a reply is to refute.
    gauge: Solver,
    /// The engine for positions that the solver leaves open.
    tree: Champion,
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
    /// An error for a number of threads out of the range of the Monte-Carlo tree, or for fewer bytes than the tree
    /// needs.
    pub fn new(config: &PlayerConfig, book: Option<Arc<HavannahBook>>) -> Result<Self, OptionsError> {
        let mut limits = config.limits.clone();
        let half = config.bytes() / 2;
        if limits.nodes.is_none() && limits.time.is_none() {
            limits.nodes = Some(NODES);
        }
        let tree = PlayerConfig { limits: limits.clone().bytes(half), ..config.clone() };
        Ok(Self {
            book,
            solver: Solver::new(Solver::options().threads(config.threads).keep(true))?,
            gauge: Solver::default(),
            tree: Champion::new(&tree)?,
            limits: limits.bytes(half),
            seed: config.seed,
            report: None,
        })
    }

    /// The move, with the value of the position if it is known.
    fn think(&mut self, game: &Position, limits: &Limits) -> Report<Move> {
        if game.swap_enabled() {
            return self.think_of_swap(game, limits);
        }
        if let Some(report) = self.by_book(game) {
            return report;
        }
        let mut report = self.by_solver(game, limits);
        match report.proven {
            Some(Outcome::Win(winner)) if winner != game.to_move() => {
                if let Some(best) = self.hardest(game, limits).filter(|&best| report.best != Some(best)) {
                    report.lines = vec![Line::new(vec![best], report.value)];
                    report.best = Some(best);
                }
                report
            }
            Some(_) => report,
            None => self.by_tree(game, limits),
        }
    }

    /// The report of the solver.
    fn by_solver(&mut self, game: &Position, limits: &Limits) -> Report<Move> {
        // The other half of the time is for the tree, if the solver proves nothing.
        let limits = Limits { time: limits.time.map(|time| time / 2), simulations: None, ..limits.clone() };
        self.solver.search(game, &limits, SearchContext::seed(self.seed))
    }

    /// The statement of the proof file about a position, or about the same position with colours exchanged.
    fn by_book(&self, game: &Position) -> Option<Report<Move>> {
        let book = self.book.as_ref()?;
        [false, true].into_iter().find_map(|exchange| {
            let position = if exchange { exchanged(game)? } else { game.clone() };
            let mut walk = book.walk(&position).ok()?;
            let value = value_of(&walk.entries())?;
            let best = walk.choice()?;
            let outcome = match value {
                Outcome::Win(player) if exchange => Outcome::Win(player.other()),
                other => other,
            };
            let best = Move::Place(best);
            let value = Value::of(outcome, game.to_move(), UNKNOWN_PLIES);
            Some(Report {
                best: Some(best),
                value,
                bounds: Bounds::of(outcome, game.to_move()),
                proven: Some(outcome),
                lines: vec![Line::new(vec![best], value)],
                stopped: Some(Stop::Solved),
                ..Report::empty()
            })
        })
    }

    /// A move that draws or, if all moves lose, the move that costs most nodes to refute; `None` if there is no move. A first move that
    /// may be taken over is best if it loses by itself, and worst if it wins.
    fn hardest(&mut self, game: &Position, limits: &Limits) -> Option<Move> {
        let moves = game.moves();
        let share = |all: u64| all / (moves.len() as u64).max(1) + 100;
        let limits = Limits {
            nodes: limits.nodes.map(share).or(Some(NODES / 37)),
            time: limits.time.map(|time| time / 2 / moves.len().max(1) as u32),
            simulations: None,
            ..limits.clone().bytes(SMALL_TABLE)
        };
        let swaps = game.swap_enabled();
        let mut best: Option<((u8, u64), Move)> = None;
        for mv in moves {
            let mut next = game.clone();
            next.play_unchecked(mv);
            let Some(next) = without_swap(&next) else { continue };
            let report = self.gauge.search(&next, &limits, SearchContext::seed(self.seed));
            let rank = match next.outcome().or(report.proven) {
                Some(Outcome::Draw) => return Some(mv),
                Some(Outcome::Win(winner)) => u8::from((winner == game.to_move()) != swaps) * 2,
                None => 1,
            };
            if best.is_none_or(|(most, _)| (rank, report.nodes) > most) {
                best = Some(((rank, report.nodes), mv));
            }
        }
        best.map(|(_, mv)| mv)
    }

    /// Chooses the opening that wins least, or decides whether to swap.
    fn think_of_swap(&mut self, game: &Position, limits: &Limits) -> Report<Move> {
        let Some(plain) = without_swap(game) else { return self.by_tree(game, limits) };
        if game.stone_count() == 0 {
            // The value of the best opening may be known, and not those of all.
            let best = self.hardest(game, limits);
            let lines = best.map(|best| Line::new(vec![best], Value::Unknown)).into_iter().collect();
            return Report { best, lines, ..Report::empty() };
        }
        let report = self.by_book(&plain).unwrap_or_else(|| self.by_solver(&plain, limits));
        match report.proven {
            Some(Outcome::Win(Player::First)) => {
                let win = Outcome::Win(Player::Second);
                // The side that swaps has the win that the other side had, one ply later.
                let value = match report.value {
                    Value::Loss(plies) => Value::Win(plies.saturating_add(1).min(UNKNOWN_PLIES)),
                    _ => Value::Unknown,
                };
                let lines = vec![Line::new(vec![Move::Swap], value)];
                let bounds = Bounds::of(win, game.to_move());
                Report { best: Some(Move::Swap), value, bounds, lines, proven: Some(win), ..report }
            }
            Some(_) => report,
            None => self.by_tree(game, limits),
        }
    }

    /// The move of the Monte-Carlo tree, without a proof.
    fn by_tree(&mut self, game: &Position, limits: &Limits) -> Report<Move> {
        let nodes = limits.nodes.map(|nodes| nodes.min(SIMULATIONS));
        let mut limits = Limits { nodes: None, time: limits.time.map(|time| time / 2), ..limits.clone() };
        if limits.time.is_none() {
            limits.simulations = limits.simulations.or(nodes).or(Some(SIMULATIONS));
        }
        self.tree.search(game, &limits, SearchContext::seed(self.seed))
    }
}

/// The same stones and side to move, without the right to swap.
pub(crate) fn without_swap(game: &Position) -> Option<Position> {
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
        self.solver.forget();
        self.tree.new_game();
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
