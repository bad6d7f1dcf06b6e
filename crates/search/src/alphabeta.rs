//! [`AlphaBeta`]: principal variation search with a table, for any game that has keys.

mod node;
mod options;
mod order;
mod root;

use std::panic::resume_unwind;

use stonework_game::Keyed;

use crate::{
    Bounds, Dial, DialError, Engine, Evaluate, Flat, HashUse, Limits, Meter, Order, Pass, Purse, Quiet,
    Report, SURE, Stop, Table, unless_over,
};
use node::{INFINITE, Kind, LEVELS, Worker};
use options::Options;
pub use options::{AlphaBetaBuilder, AlphaBetaError};
use order::{Level, Memory};

/// Alpha-beta search: principal variation search with iterative deepening, aspiration windows and a
/// table that threads share, for any game that has keys.
///
/// ```
/// use stonework_game::example::Nim;
/// use stonework_search::{AlphaBeta, Engine, Flat, Limits, WIN};
/// let position = Nim::new(7);                                 // take one or two; the last one wins
/// let mut engine = AlphaBeta::new(|_: &Nim| 0);              // an evaluator: nothing is known
/// let report = engine.search(&position, &Limits::none(), 0, &mut |_| {});
/// assert_eq!((report.best, report.value), (Some(1), WIN - 5)); // of 7 take 1; won by the fifth ply
///
/// let mut three_lines = AlphaBeta::builder(Flat).bytes(1 << 20).lines(3).build()?;
/// let report = three_lines.search(&position, &Limits::none().depth(6), 0, &mut |_| {});
/// assert_eq!(report.lines.len(), 2);                           // there are only two moves
/// assert_eq!(report.lines[1].value, -(WIN - 4));              // taking 2 loses in four
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # What the value is
/// With no option that prunes – null move, late moves, beam – and with
/// [`exact_depth`](AlphaBetaBuilder::exact_depth), the value to depth d is that of
/// [`Minimax`](crate::Minimax) to depth d with the same evaluator, table or no table. Without
/// `exact_depth` the table may answer with deeper searches, and values may differ where positions recur at
/// different plies. A value beyond [`SURE`] and everything in [`Report::bounds`]
/// and [`Report::proof`] is proven by lines to the end of the game under every option; the options that
/// prune can only miss a quicker way.
///
/// What the evaluator knows [exactly](Evaluate::exact) stands for the end of the game, so that a win that is
/// many plies away can be found at depth 1; the search then stops, and a quicker win may be overlooked.
///
/// The evaluator and the game's order and noisy moves must read nothing that the key leaves out. What
/// history decides is the game's [`horizon`](Keyed::horizon) to tell: no value passes the table if it
/// looked further than that.
///
/// # What it costs
/// The table's bytes, as [`Report::bytes`] counts them, and for each thread move lists for
/// each ply and about 200 kB that order the moves. Depth is at most 240 plies, so that recursion is
/// bounded; there the search ends as by a depth limit.
///
/// # Reports
/// `watch` is called after every finished iteration. When a limit ends an iteration, a move of it counts
/// if it was searched to the end and was better than all before it. Nothing is left to chance: the seed is
/// not used, and with one thread equal limits give equal reports. With more threads (lazy SMP) helpers
/// search the same root one ply deeper or alike, and help by what they leave in the table.
#[derive(Debug)]
pub struct AlphaBeta<E = Flat, O = Flat, Q = Flat, P = Flat> {
    options: Options,
    evaluate: E,
    order: O,
    quiet: Q,
    pass: P,
    table: Table,
}

impl<E> AlphaBeta<E> {
    /// With an evaluator and the options that the [builder](Self::builder) begins with.
    #[must_use]
    pub fn new(evaluate: E) -> Self {
        let AlphaBetaBuilder { options, evaluate, order, quiet, pass } = AlphaBetaBuilder::new(evaluate);
        Self { options, evaluate, order, quiet, pass, table: Table::new(0) }
    }

    /// Options, beginning with: one thread, one line, a table of 16 MiB that is cleared before every
    /// search, all orderings on, nothing that prunes.
    pub const fn builder(evaluate: E) -> AlphaBetaBuilder<E> {
        AlphaBetaBuilder::new(evaluate)
    }
}

impl<E, O, Q, P> AlphaBeta<E, O, Q, P> {
    /// Empties the table of what earlier searches have left there.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// The evaluator, to be changed between searches. Values that a kept table holds are the old one's:
    /// [`clear`](Self::clear) it.
    pub const fn evaluator_mut(&mut self) -> &mut E {
        &mut self.evaluate
    }

    /// The evaluator.
    pub const fn evaluator(&self) -> &E {
        &self.evaluate
    }

    /// Makes the table as large as options and limits say.
    fn prepare(&mut self, limits: &Limits) {
        let bytes = self.options.bytes.min(limits.bytes.unwrap_or(usize::MAX));
        if Table::size(bytes) != self.table.bytes() {
            self.table = Table::new(bytes);
        } else if self.options.keep {
            self.table.grow_older();
        } else {
            self.table.clear();
        }
    }
}

/// Ends the helpers' search when the leading thread is done, be it by a panic of somebody's evaluator.
struct Done<'a>(&'a Meter<'a>);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.stop(Stop::Cancel);
    }
}

impl<G, E, O, Q, P> Engine<G> for AlphaBeta<E, O, Q, P>
where
    G: Keyed,
    E: Evaluate<G> + Clone,
    O: Order<G> + Clone,
    Q: Quiet<G> + Clone,
    P: Pass<G> + Clone,
{
    fn search(
        &mut self,
        root: &G,
        limits: &Limits,
        _seed: u64,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        unless_over(root, limits, watch, |meter, watch| {
            self.prepare(limits);
            let bytes = self.table.bytes();
            let (options, table) = (&self.options, &self.table);
            // Helpers have strategies of their own.
            let spare = (self.evaluate.clone(), self.order.clone(), self.quiet.clone(), self.pass.clone());
            let helpers: Vec<_> = (1..options.threads.get()).map(|_| spare.clone()).collect();
            let (evaluate, order) = (&mut self.evaluate, &mut self.order);
            let (quiet, pass) = (&mut self.quiet, &mut self.pass);
            let complete = |mut report: Report<G::Move>, hash: HashUse| {
                (report.nodes, report.time) = (meter.nodes(), meter.elapsed());
                (report.hash, report.bytes) = (hash, bytes);
                report.stopped = meter.stopped().unwrap_or(Stop::Depth);
                report
            };
            let (report, hash) = std::thread::scope(|scope| {
                let helping = |(index, (mut evaluate, mut order, mut quiet, mut pass)): (usize, _)| {
                    let game = root.clone();
                    scope.spawn(move || {
                        let strategies = (&mut evaluate, &mut order, &mut quiet, &mut pass);
                        let mut worker = Worker::new(game, strategies, options, table, meter);
                        worker.deepen(2 - index as u32 % 2, false, &mut |_, _| {});
                        meter.settle(&mut worker.purse);
                        worker.hash
                    })
                };
                let threads: Vec<_> = helpers.into_iter().enumerate().map(helping).collect();
                let strategies = (evaluate, order, quiet, pass);
                let _done = Done(meter);
                let mut worker = Worker::new(root.clone(), strategies, options, table, meter);
                let report = worker.lead(root, &mut |worker, report| watch(&complete(report, worker.hash)));
                meter.settle(&mut worker.purse);
                let hashes = threads
                    .into_iter()
                    .map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
                (report, hashes.fold(worker.hash, HashUse::plus))
            });
            complete(report, hash)
        })
    }

    fn dials(&self) -> Vec<Dial> {
        self.options.dials()
    }

    fn turn(&mut self, dial: &str, value: f64) -> Result<(), DialError> {
        self.options = self.options.turned(dial, value)?;
        Ok(())
    }
}

impl<'a, G, E, O, Q, P> Worker<'a, G, E, O, Q, P>
where
    G: Keyed,
    E: Evaluate<G>,
    O: Order<G>,
    Q: Quiet<G>,
    P: Pass<G>,
{
    fn new(
        game: G,
        (evaluate, order, quiet, pass): (&'a mut E, &'a mut O, &'a mut Q, &'a mut P),
        options: &'a Options,
        table: &'a Table,
        meter: &'a Meter<'a>,
    ) -> Self {
        Self {
            game,
            evaluate,
            order,
            quiet,
            pass,
            options,
            table,
            meter,
            purse: Purse::default(),
            hash: HashUse::default(),
            halted: false,
            levels: (0..LEVELS).map(|_| Level::default()).collect(),
            memory: Memory::new(options.memories),
        }
    }

    /// The search of the thread that answers for the result.
    fn lead(&mut self, root: &G, watch: &mut dyn FnMut(&mut Self, Report<G::Move>)) -> Report<G::Move> {
        self.meter.look();
        if self.meter.limits().depth == Some(0) {
            let found = self.visit(0, -INFINITE, INFINITE, 0, Kind::Principal);
            self.meter.stop(Stop::Depth);
            let mut report = Report::empty();
            if !self.halted {
                report.value = found.value;
            }
            if report.value.abs() >= SURE {
                report.bounds = Bounds::exact(report.value.signum() as i8);
                report.proof = report.bounds.outcome(root.to_move());
            }
            return report;
        }
        let findings = self.deepen(1, true, &mut |worker, findings| {
            worker.meter.settle(&mut worker.purse);
            let report = worker.report(root, findings);
            watch(worker, report);
        });
        self.report(root, &findings)
    }
}
