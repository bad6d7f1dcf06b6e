//! [`Dfpn`]: depth-first proof-number search.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use stonework_game::{Finite, Keyed};

use super::drive::{Question, Solve, Task, drive};
use super::leaf::{Evaluation, Initial, LeafEvaluator};
use super::numbers::Query;
use super::store::Store;
use super::walk::{Answer, Shared, Walk};
use crate::options::{OptionsError, options};
use crate::{Engine, HashUse, Limits, MAX_THREADS, ProofNumbers, ProofTactics, Report, SearchContext};

/// Depth-first proof-number search: proves wins, draws and losses of games that end, with a table of
/// any size.
///
/// The value is the answer to two questions: *does the side to move win?*, and if the answer is no, *does its
/// opponent win?* The search for the second question first tries the refutations of the moves in the first
/// question. The numbers of a position's alternatives are added up; the next best alternative takes over once the
/// best one has become 1 + ε times as hard. The numbers of the alternatives along the current line are kept beside
/// the table, so the search makes progress with a table of any size, more slowly with a small table. No step is
/// random: with one thread equal searches have equal reports.
///
/// Nodes are positions visited: each child of a position, each time the position is expanded, and each position
/// that is evaluated for a [`transfer`](DfpnOptions::transfer). A depth limit cuts lines; then the report has the
/// bounds that hold for every value below the cut. Each thread has a clone of the tactics.
///
/// Values of proven wins count the plies of the known line, which need not be the shortest.
///
/// # Arguments
/// * [`DfpnOptions`]; then, by a method, [`ProofTactics`].
/// * [`Limits`]: nodes, time, bytes, the cancel flag; a limit of depth cuts lines. The search does not use the
///   seed.
///
/// # Returns
/// A [`Report`] with the bounds that are proven, the [numbers](Report::proof_numbers) of the root and one line.
///
/// # Complexity
/// Time O(nodes · b) with b moves a position. Memory: the table, of any size, and O(b · depth) for the current line.
///
/// # References
/// *A. Nagai, Df-pn algorithm for searching AND/OR trees and its applications, 2002; J. Pawlewicz and
/// Ł. Lew, Improving depth-first PN-search: 1+ε trick, 2007.*
///
/// # Example
/// ```
/// use stonework_game::example::Nim;
/// use stonework_game::{Outcome, Player};
/// use stonework_search::{Dfpn, DfpnOptions, Engine, Limits};
/// let mut engine = Dfpn::new(DfpnOptions::new().bytes(1 << 20))?;
/// let report = engine.think(&Nim::new(40), &Limits::none().nodes(10_000));
/// assert_eq!(report.proven, Some(Outcome::Win(Player::First)));
/// # Ok::<(), stonework_search::OptionsError>(())
/// ```
#[derive(Debug)]
pub struct Dfpn<Tactic = ()> {
    tactics: Tactic,
    options: DfpnOptions,
    pub(super) store: Arc<Store>,
    /// The number of nodes of the searches whose findings are in the table.
    pub(super) nodes_searched: u64,
    /// The keys of the entries for the next [`harvest`](Dfpn::harvest), some of them more than once.
    pub(super) harvested: Vec<u64>,
}

options! {
    /// The options of a [`Dfpn`].
    ///
    /// ```
    /// use stonework_search::{Dfpn, DfpnOptions};
    /// assert!(Dfpn::new(DfpnOptions::new().bytes(1 << 20).threads(2)).is_ok());
    /// let error = Dfpn::new(DfpnOptions::new().threads(0)).unwrap_err();
    /// assert_eq!(error.to_string(), "threads is 0, but has to be between 1 and 256");
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    DfpnOptions;
    /// The default options: ε = 0.25, one thread, a table of 64 MiB, the question of the value.
    new;

    /// The numbers of new positions.
    initial: Initial = Initial::Moves;
    /// The size of the table in bytes if [`Limits::bytes`] is not set; 64 MiB unless set.
    bytes: usize = 64 << 20;
    /// The question about the root.
    question: Question = Question::Value;
    /// ε in hundredths, so that 25 is the ¼ of the paper: the part by which the best alternative must become
    /// harder than the next alternative before the search switches to the next. With 0 the search switches at
    /// once, and often. 25 unless set.
    epsilon: u16 = 25;
    /// If `true`, the refutation of a move is tried against the sibling moves, with at most a hundred evaluated
    /// positions for each sibling. The findings are certain, and the positions count as nodes. Off unless set: the
    /// transfer saves time in games with many moves of which most change little and with far-sighted
    /// [`Tactics`](crate::Tactics), and otherwise neither saves nor costs much.
    transfer: bool = false;
    /// If `true`, the search first evaluates only half of a position's unrefuted moves, and three more, in the
    /// order of [`ProofTactics::order`]. The remaining moves are evaluated when these moves are refuted; until
    /// then each remaining move counts as equally hard to refute. Off unless set: the focus saves time if the
    /// order is good and the evaluation of a position takes long.
    ///
    /// *B. Arneson, R. Hayward and P. Henderson, Solving Hex: beyond humans, 2010, under the name of focused
    /// df-pn.*
    focus: bool = false;
    /// The number of threads, 1 to [`MAX_THREADS`], that share the table and avoid each other's lines. With more
    /// than one thread, reports differ from run to run.
    threads: usize = 1;
    /// If `true`, the table stays for the next search, if the next search has a table of the same size. Then a
    /// search's report depends on the searches before it. A search that continues an interrupted question finds
    /// the table unchanged.
    keep: bool = false;
    /// The least number of nodes below a position whose entry [`harvest`](Dfpn::harvest) returns; 0 for no harvest.
    /// The names of these entries take 8 bytes each, and more than once for a position that the search leaves more
    /// than once, until they are harvested.
    harvest: u64 = 0;
    /// If `true`, a search uses the answers about the other side that its table has: a position that the opponent wins is
    /// lost, and the refutation of the opponent's win is tried first. For an engine that [keeps](DfpnOptions::keep) its
    /// table; the second question of a search for the value does so in any case.
    both_sides: bool = false;
}

/// An engine with the [default options](DfpnOptions::new), without tactics.
impl Default for Dfpn {
    fn default() -> Self {
        Self::unchecked(DfpnOptions::new())
    }
}

impl Dfpn {
    /// An engine with options, without tactics.
    ///
    /// # Errors
    /// An error if the number of threads is out of its range.
    pub fn new(options: DfpnOptions) -> Result<Self, OptionsError> {
        OptionsError::check(&[("threads", options.threads as f64, 1.0, MAX_THREADS as f64)])?;
        Ok(Self::unchecked(options))
    }

    fn unchecked(options: DfpnOptions) -> Self {
        Self {
            tactics: (),
            options,
            store: Arc::new(Store::new(0)),
            nodes_searched: 0,
            harvested: Vec::new(),
        }
    }
}

impl<Tactic> Dfpn<Tactic> {
    /// The same engine with the option [`keep`](DfpnOptions::keep) on.
    pub(super) const fn keeping(mut self) -> Self {
        self.options.keep = true;
        self
    }

    /// Sets the game's tactics.
    #[must_use]
    pub fn tactics<Own>(self, tactics: Own) -> Dfpn<Own> {
        let Self { options, store, nodes_searched, harvested, .. } = self;
        Dfpn { tactics, options, store, nodes_searched, harvested }
    }

    /// The game's tactics, to set their options between searches.
    #[must_use]
    pub const fn tactics_mut(&mut self) -> &mut Tactic {
        &mut self.tactics
    }

    pub(super) const fn tactics_ref(&self) -> &Tactic {
        &self.tactics
    }

    /// The numbers of new positions.
    pub(super) const fn initial(&self) -> Initial {
        self.options.initial
    }

    pub(super) const fn uses_both_sides(&self) -> bool {
        self.options.both_sides
    }

    /// Sets the [question](DfpnOptions::question) of the next search, for an engine that keeps its table.
    pub const fn set_question(&mut self, question: Question) {
        self.options.question = question;
    }

    /// Sets the [least nodes](DfpnOptions::harvest) of entries to harvest.
    pub const fn set_harvest(&mut self, nodes: u64) {
        self.options.harvest = nodes;
    }

    /// Another engine with the same options and tactics and **the same table**: each uses at once what the other finds. The
    /// engines may search at the same time, in threads of their own, also about different positions of one game. The
    /// table has the size that `limits` set; an engine that later searches with limits of another size leaves the shared
    /// table, and so does an engine that does not [keep](DfpnOptions::keep) its table.
    ///
    /// ```
    /// use stonework_game::example::Nim;
    /// use stonework_search::{Dfpn, DfpnOptions, Engine, Limits};
    /// let limits = Limits::none().bytes(1 << 20);
    /// let mut one = Dfpn::new(DfpnOptions::new().keep(true))?;
    /// let mut other = one.beside(&limits);
    /// let first = one.think(&Nim::new(120), &limits);
    /// assert!(other.think(&Nim::new(121), &limits).nodes < first.nodes);
    /// # Ok::<(), stonework_search::OptionsError>(())
    /// ```
    #[must_use]
    pub fn beside(&mut self, limits: &Limits) -> Self
    where
        Tactic: Clone,
    {
        self.prepare(limits, true);
        let (tactics, options, store) = (self.tactics.clone(), self.options, Arc::clone(&self.store));
        Self { tactics, options, store, nodes_searched: 0, harvested: Vec::new() }
    }

    pub(super) fn run<G: Finite + Keyed>(&self, _: &G) -> Run<'_, G, Tactic>
    where
        Tactic: ProofTactics<G> + Clone,
    {
        let evaluator = || LeafEvaluator::new(self.tactics.clone(), self.options.initial);
        Run {
            evaluators: (0..self.options.threads).map(|_| evaluator()).collect(),
            store: &self.store,
            epsilon: self.options.epsilon,
            transfer: self.options.transfer,
            focus: self.options.focus,
            harvest: self.options.harvest,
            harvested: Vec::new(),
            both: self.options.both_sides,
            asked: 0,
            hash: HashUse::default(),
        }
    }

    /// Makes a table of the size of limits and options, or keeps the table if its size is the same.
    pub(super) fn prepare(&mut self, limits: &Limits, keep: bool) {
        let fresh = Store::new(limits.bytes.unwrap_or(self.options.bytes));
        if fresh.bytes() != self.store.bytes() {
            self.store = Arc::new(fresh);
            self.nodes_searched = 0;
        } else if !keep {
            self.forget();
        }
    }

    /// Empties the table. A table that other engines [share](Dfpn::beside) stays as it is with them.
    pub fn forget(&mut self) {
        match Arc::get_mut(&mut self.store) {
            Some(store) => store.forget(),
            None => self.store = Arc::new(self.store.empty_copy()),
        }
        self.harvested.clear();
        self.nodes_searched = 0;
    }
}

impl<G: Finite + Keyed, Tactic: ProofTactics<G> + Clone> Engine<G> for Dfpn<Tactic> {
    fn search(&mut self, root: &G, limits: &Limits, context: SearchContext<'_, G::Move>) -> Report<G::Move> {
        context.unless_over(root, limits, |meter, watch| {
            self.prepare(limits, self.options.keep);
            let mut run = self.run(root);
            let report = drive(&mut run, root, self.options.question, meter, watch);
            let mut harvested = std::mem::take(&mut run.harvested);
            self.harvested.append(&mut harvested);
            self.nodes_searched += report.nodes;
            report
        })
    }

    /// Empties a table that is [kept](DfpnOptions::keep), as [`forget`](Dfpn::forget).
    fn new_game(&mut self) {
        if self.options.keep {
            self.forget();
        }
    }
}

/// The state of one search.
pub(super) struct Run<'a, G: Finite + Keyed, Tactic> {
    pub(super) evaluators: Vec<LeafEvaluator<G, Tactic>>,
    pub(super) store: &'a Store,
    pub(super) epsilon: u16,
    pub(super) transfer: bool,
    pub(super) focus: bool,
    harvest: u64,
    harvested: Vec<u64>,
    both: bool,
    asked: u32,
    hash: HashUse,
}

impl<G: Finite + Keyed, Tactic> Run<'_, G, Tactic> {
    /// The keys for [`harvest`](Dfpn::harvest).
    pub(super) fn harvested(self) -> Vec<u64> {
        self.harvested
    }
}

impl<G: Finite + Keyed, Tactic: ProofTactics<G>> Solve<G> for Run<'_, G, Tactic> {
    fn ask(&mut self, task: &Task<'_, G>, tick: &mut dyn FnMut(Answer<G::Move>)) -> Answer<G::Move> {
        let Task { root, question, meter } = *task;
        self.store.begin(question.key(root, 0));
        self.store.note_side(Some(question.who));
        let mut shared = Shared::new(self.store, meter, self.evaluators.len(), self.epsilon);
        (shared.transfer, shared.focus) = (self.transfer, self.focus);
        shared.harvest = self.harvest;
        let both = self.asked > 0 || self.both && self.store.has_side(question.who.other());
        shared.both = both && question.frontier.is_none();
        self.asked += 1;
        let (own, others) = self.evaluators.split_at_mut(1);
        let Some(own) = own.first_mut() else { return Answer::UNKNOWN };
        let shared = &shared;
        let (answer, hash, mut harvested) = thread::scope(|scope| {
            let helpers: Vec<_> = others
                .iter_mut()
                .map(|evaluator| {
                    scope.spawn(move || {
                        let mut walk = Walk::new(root, question, evaluator, shared);
                        (walk.run(&mut |_| {}), walk.hash, walk.harvested)
                    })
                })
                .collect();
            let mut walk = Walk::new(root, question, own, shared);
            let first = (walk.run(tick), walk.hash, walk.harvested);
            let ended =
                helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
            ended.fold(first, |(best, hash, mut keys), (a, h, mut more)| {
                let better = best.numbers.decided().is_none() && a.numbers.decided().is_some();
                keys.append(&mut more);
                (if better { a } else { best }, hash.plus(h), keys)
            })
        });
        self.hash = self.hash.plus(hash);
        self.harvested.append(&mut harvested);
        answer
    }

    fn line(&mut self, task: &Task<'_, G>, answer: Answer<G::Move>) -> Vec<G::Move> {
        let Some(evaluator) = self.evaluators.first_mut() else { return Vec::new() };
        line(task.root, task.question, answer, evaluator, self.store)
    }

    fn hash(&self) -> HashUse {
        self.hash
    }

    fn bytes(&self) -> usize {
        self.store.bytes()
    }
}

/// The greatest number of positions that are evaluated for the principal variation, so that a search ends soon
/// after its time is over.
pub(super) const LINE_EVALUATIONS: usize = 2048;

/// The principal variation, as far as the table and the tactics have its moves. The side with the decided question
/// plays the deciding move, and its opponent the move that was hardest to refute.
fn line<G: Finite + Keyed, Tactic: ProofTactics<G>>(
    root: &G,
    question: Query,
    answer: Answer<G::Move>,
    evaluator: &mut LeafEvaluator<G, Tactic>,
    store: &Store,
) -> Vec<G::Move> {
    let mut game = root.clone();
    let mut line = Vec::new();
    let mut next = answer.best;
    let mut evaluations = 0;
    while let Some(mv) = next.filter(|&mv| evaluations < LINE_EVALUATIONS && game.check(mv).is_ok()) {
        line.push(mv);
        game.play_unchecked(mv);
        next = follow(&mut game, question, line.len() as u32, evaluator, store, &mut evaluations);
    }
    line
}

/// The move to follow from a position of the principal variation.
pub(super) fn follow<G: Finite + Keyed, Tactic: ProofTactics<G>>(
    game: &mut G,
    question: Query,
    ply: u32,
    evaluator: &mut LeafEvaluator<G, Tactic>,
    store: &Store,
    evaluations: &mut usize,
) -> Option<G::Move> {
    if game.outcome().is_some() {
        return None;
    }
    let or_node = game.to_move() == question.who;
    let mut moves = Vec::new();
    evaluator.expand(game, &mut moves);
    let mut best: Option<(G::Move, (u32, u8))> = None;
    let mut informed = moves.len() == 1;
    for &mv in &moves {
        *evaluations += 1;
        let undo = game.play_unchecked(mv);
        let known = store.get(question.key(game, ply + 1)).filter(|_| game.outcome().is_none());
        let look = evaluator.evaluate(game, &question, ply + 1);
        game.undo(undo);
        let numbers = match look {
            Evaluation::Decided(..) => look.numbers(),
            Evaluation::Open(open) => known.map_or(open, |known| known.numbers),
        };
        informed |= known.is_some() || numbers.decided().is_some();
        let phi = numbers.phi_delta(or_node).0;
        let work = known.map_or(0, |known| known.work);
        // Among moves with equal φ, the least work (the quickest win) is best if φ is 0, and otherwise the most
        // work (the longest resistance).
        let rank = (phi, if phi == 0 { work } else { u8::MAX - work });
        if best.is_none_or(|(_, other)| rank < other) {
            best = Some((mv, rank));
        }
    }
    best.filter(|_| informed).map(|(mv, _)| mv)
}

impl<M> Answer<M> {
    pub(super) const UNKNOWN: Self = Self { numbers: ProofNumbers::OPEN, best: None };
}
