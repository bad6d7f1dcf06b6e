//! [`AlphaBeta`]: principal variation search with a table, for any game that has keys.

mod node;
mod options;
mod order;
mod parts;
mod root;

use std::panic::resume_unwind;

use stonework_game::Keyed;

use crate::table::TranspositionTable;
use crate::{
    Allowance, Bounds, Engine, Evaluator, HashUse, Limits, Meter, MoveOrder, NoisyMoves, NullMove,
    OptionsError, Parameter, ParameterError, Report, SearchContext, Stop,
};
use node::{Depth, INFINITE, Kind, LEVELS, Worker};
pub use options::AlphaBetaOptions;
use order::{Level, Memory};
use parts::{AlphaBetaParts, Strategies};

/// Alpha-beta search: principal variation search with iterative deepening, aspiration windows and a
/// table that threads share, for any game that has keys.
///
/// **Value.** With [`exact_depth`](AlphaBetaOptions::exact_depth) and without the options that prune (null move, late moves,
/// beam), the value to depth d is that of [`Minimax`](crate::Minimax) to depth d with the same evaluator, with any table.
/// Without `exact_depth` the table may answer with deeper searches, and values may differ where positions recur at
/// different plies. A proven [`Value`](crate::Value), [`Report::bounds`] and [`Report::proven`] are proven by lines to the end of the game
/// under every option; the options that prune can only miss a quicker win.
///
/// **Exact evaluations.** A value that the evaluator knows [exactly](Evaluator::exact) stands for the end of the game, so that a
/// win in many plies can be found at depth 1. The search then stops, and may overlook a quicker win.
///
/// **History.** Evaluator, order and noisy moves must depend on nothing that the key leaves out. Within the game's
/// [`horizon`](Keyed::horizon), a number of plies, history decides nothing: a value from a deeper search is not
/// stored.
///
/// **Threads** (lazy SMP). Helpers search the same root to the same depth or one ply deeper, and share the table.
///
/// # Arguments
/// * The evaluator, and [`AlphaBetaOptions`]; then, by methods, the game's [order](AlphaBeta::order), its
///   [noisy moves](AlphaBeta::noisy_moves) and its [null move](AlphaBeta::null_move).
/// * [`Limits`]: the search keeps all limits but simulations. The search does not use the seed.
///
/// # Returns
/// A [`Report`] of the last finished iteration, with at most [`AlphaBetaOptions::lines`] lines. When a limit ends an
/// iteration, a move of that iteration counts if it was searched to the end and was better than all moves before it. The
/// watcher gets a report after every iteration. With one thread equal limits give equal reports.
///
/// # Complexity
/// With b moves a position and depth d: time O(bᵈ), and O(b^(d/2)) where the best move is always tried first. Memory: the
/// table, which [`Report::bytes`] counts, and for each thread O(b · d) moves and about 200 kB. Depth is at most 240 plies,
/// so that recursion is bounded.
///
/// # References
/// *D. E. Knuth and R. W. Moore, An analysis of alpha-beta pruning, 1975; T. A. Marsland and M. Campbell, Parallel search of
/// strongly ordered game trees, 1982.*
///
/// # Example
/// ```
/// use stonework_game::example::Nim;
/// use stonework_search::{AlphaBeta, AlphaBetaOptions, Engine, Limits, Value};
/// let position = Nim::new(7);                      // a move takes one or two stones; the last stone wins
/// let mut engine = AlphaBeta::new(|_: &Nim| 0, AlphaBetaOptions::new())?;
/// let report = engine.think(&position, &Limits::none());
/// assert_eq!((report.best, report.value), (Some(1), Value::Win(5)));
///
/// let mut three_lines = AlphaBeta::new((), AlphaBetaOptions::new().bytes(1 << 20).lines(3))?;
/// let report = three_lines.think(&position, &Limits::none().depth(6));
/// assert_eq!(report.lines.len(), 2);               // there are only two moves
/// assert_eq!(report.lines[1].value, Value::Loss(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AlphaBeta<Eval = (), Order = (), Noisy = (), Null = ()> {
    options: AlphaBetaOptions,
    strategies: Strategies<Eval, Order, Noisy, Null>,
    table: TranspositionTable,
}

/// An engine that values every undecided position at 0, for searches whose only purpose is proven values.
impl Default for AlphaBeta {
    fn default() -> Self {
        Self::unchecked((), AlphaBetaOptions::new())
    }
}

impl<Eval> AlphaBeta<Eval> {
    /// An engine with an evaluator and options, without the game's own order, noisy moves and null move.
    ///
    /// # Errors
    /// The error names the option that is out of its range, its value and the range.
    pub fn new(evaluator: Eval, options: AlphaBetaOptions) -> Result<Self, OptionsError> {
        options.check()?;
        Ok(Self::unchecked(evaluator, options))
    }

    fn unchecked(eval: Eval, options: AlphaBetaOptions) -> Self {
        let strategies = Strategies { eval, order: (), noisy: (), null: () };
        Self { options, strategies, table: TranspositionTable::new(0) }
    }
}

impl<Eval, Order, Noisy, Null> AlphaBeta<Eval, Order, Noisy, Null> {
    /// Sets the game's own order of moves. The worth of a move is added to the move's history, which is between
    /// −4096 and 4096.
    #[must_use]
    pub fn order<Own>(self, order: Own) -> AlphaBeta<Eval, Own, Noisy, Null> {
        let Self { options, strategies: Strategies { eval, noisy, null, .. }, table } = self;
        AlphaBeta { options, strategies: Strategies { eval, order, noisy, null }, table }
    }

    /// Sets the game's noisy moves. Noisy moves come first in the order, beam and reductions spare them, and a
    /// [quiescence search](AlphaBetaOptions::quiet_depth) follows them.
    #[must_use]
    pub fn noisy_moves<Own>(self, noisy: Own) -> AlphaBeta<Eval, Order, Own, Null> {
        let Self { options, strategies: Strategies { eval, order, null, .. }, table } = self;
        AlphaBeta { options, strategies: Strategies { eval, order, noisy, null }, table }
    }

    /// Sets the game's null move, used where [`AlphaBetaOptions::null_move`] is on.
    #[must_use]
    pub fn null_move<Own>(self, null: Own) -> AlphaBeta<Eval, Order, Noisy, Own> {
        let Self { options, strategies: Strategies { eval, order, noisy, .. }, table } = self;
        AlphaBeta { options, strategies: Strategies { eval, order, noisy, null }, table }
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// The evaluator, for changes between searches. A kept table holds values of the old evaluator: [`clear`](Self::clear) it.
    pub const fn evaluator_mut(&mut self) -> &mut Eval {
        &mut self.strategies.eval
    }

    /// The evaluator.
    pub const fn evaluator(&self) -> &Eval {
        &self.strategies.eval
    }

    /// Makes a table of the size of options and limits, or keeps the table if its size is the same.
    fn prepare(&mut self, limits: &Limits) {
        let bytes = self.options.bytes.min(limits.bytes.unwrap_or(usize::MAX));
        if !self.table.made_for(bytes) {
            self.table = TranspositionTable::new(bytes);
        } else if self.options.keep {
            self.table.grow_older();
        } else {
            self.table.clear();
        }
    }
}

/// Ends the helpers' search when the leading thread is done, even by a panic of an evaluator.
struct Done<'a>(&'a Meter<'a>);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.stop(Stop::Cancel);
    }
}

impl<G, Eval, Order, Noisy, Null> Engine<G> for AlphaBeta<Eval, Order, Noisy, Null>
where
    G: Keyed,
    Eval: Evaluator<G> + Clone,
    Order: MoveOrder<G> + Clone,
    Noisy: NoisyMoves<G> + Clone,
    Null: NullMove<G> + Clone,
{
    fn search(&mut self, root: &G, limits: &Limits, context: SearchContext<'_, G::Move>) -> Report<G::Move> {
        context.unless_over(root, limits, |meter, watch| {
            self.prepare(limits);
            let bytes = self.table.bytes();
            let (options, table) = (&self.options, &self.table);
            // Helpers have strategies of their own. A search without depth has no moves to help with.
            let threads = if limits.depth == Some(0) { 1 } else { options.threads };
            let helpers: Vec<_> = (1..threads).map(|_| self.strategies.clone()).collect();
            let strategies = &mut self.strategies;
            let complete = |mut report: Report<G::Move>, hash: HashUse| {
                (report.nodes, report.time) = (meter.nodes(), meter.elapsed());
                (report.hash, report.bytes) = (hash, bytes);
                report.stopped = meter.stopped();
                report
            };
            let (report, hash) = std::thread::scope(|scope| {
                let helping = |(index, mut strategies): (usize, _)| {
                    let game = root.clone();
                    scope.spawn(move || {
                        let mut worker = Worker::new(game, &mut strategies, options, table, meter);
                        worker.deepen(2 - index as u32 % 2, false, &mut |_, _| {});
                        meter.settle(&mut worker.allowance);
                        worker.hash
                    })
                };
                let threads: Vec<_> = helpers.into_iter().enumerate().map(helping).collect();
                let _done = Done(meter);
                let mut worker = Worker::new(root.clone(), strategies, options, table, meter);
                let report = worker.lead(root, &mut |worker, report| watch(&complete(report, worker.hash)));
                meter.settle(&mut worker.allowance);
                let hashes = threads
                    .into_iter()
                    .map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
                (report, hashes.fold(worker.hash, HashUse::plus))
            });
            let report = complete(report, hash);
            Report { stopped: report.stopped.or(Some(Stop::Depth)), ..report }
        })
    }

    /// Empties a table that is [kept](AlphaBetaOptions::keep), as [`clear`](Self::clear).
    fn new_game(&mut self) {
        if self.options.keep {
            self.clear();
        }
    }

    fn parameters(&self) -> Vec<Parameter> {
        self.options.parameters()
    }

    fn set_parameter(&mut self, parameter: &str, value: f64) -> Result<(), ParameterError> {
        self.options = self.options.with_value(parameter, value)?;
        Ok(())
    }
}

impl<'a, G: Keyed, S: AlphaBetaParts<G>> Worker<'a, G, S> {
    fn new(
        game: G,
        strategies: &'a mut S,
        options: &'a AlphaBetaOptions,
        table: &'a TranspositionTable,
        meter: &'a Meter<'a>,
    ) -> Self {
        Self {
            game,
            strategies,
            options,
            table,
            meter,
            allowance: Allowance::default(),
            hash: HashUse::default(),
            halted: false,
            levels: (0..LEVELS).map(|_| Level::default()).collect(),
            memory: Memory::new(options),
        }
    }

    /// The search of the thread whose result is reported.
    fn lead(&mut self, root: &G, watch: &mut dyn FnMut(&mut Self, Report<G::Move>)) -> Report<G::Move> {
        self.meter.look();
        if self.meter.limits().depth == Some(0) {
            let found = self.visit(Depth::Full(0), (-INFINITE, INFINITE), 0, Kind::Principal);
            self.meter.stop(Stop::Depth);
            let mut report = Report::empty();
            if !self.halted {
                report.value = found.value();
            }
            if report.value.is_proven() {
                report.bounds = Bounds::exact(found.value.signum() as i8);
                report.proven = report.bounds.outcome(root.to_move());
            }
            return report;
        }
        let findings = self.deepen(1, true, &mut |worker, findings| {
            worker.meter.settle(&mut worker.allowance);
            let report = worker.report(root, findings);
            watch(worker, report);
        });
        self.report(root, &findings)
    }
}
