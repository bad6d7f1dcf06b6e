//! Monte-Carlo tree search.

mod collect;
mod defence;
mod forest;
mod graph;
mod mates;
mod node;
mod options;
mod parameters;
mod parts;
mod playouts;
mod rank;
mod rave_buffer;
mod select;
mod settle;
mod sub_search;
mod tree;
mod worker;

use std::fmt;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use stonework_game::{Finite, Indexed, Keyed};

use self::forest::{grow, tidied};
pub use self::mates::Mates;
use self::options::Lists;
pub use self::options::{Choice, MctsOptions, Rave, Widening};
use self::parts::{Strategies, ThreadStrategies};
pub use self::playouts::{RandomPlayout, ReplyPlayout};
pub(crate) use self::sub_search::SubSearch;
use self::sub_search::{Knowledge, NoSubSearch};
use self::tree::{Arena, Plan, Tree};
use self::worker::Worker;
use crate::{
    Engine, Evaluator, HashUse, Limits, Meter, OptionsError, Parameter, ParameterError, PlayoutPolicy,
    Priors, Report, SearchContext, Stop, Tactics, Verdict,
};

/// Monte-Carlo tree search: UCT and RAVE with a solver, for any game whose moves have numbers.
///
/// A *simulation* walks from the root to a leaf, always to the child with the best score for the side to move;
/// makes the leaf's children once the leaf has enough visits; runs the [`PlayoutPolicy`] to the end of a game; and
/// tallies the result in all nodes of its path. Results are kept for the side that chose the move, so a side may
/// move twice in a row. Scores are those of UCT, mixed with the results of playouts in which the same side played
/// the move later ([`Rave`]), and with the [`Priors`] of the game ([`MctsOptions::bias`],
/// [`MctsOptions::widening`]).
///
/// **Solver.** Each node has the set of outcomes – win, draw, loss – that are not ruled out. Outcomes that the
/// game's end and [`Tactics`] prove propagate up the tree, and no simulation goes to a node that cannot improve on
/// the proven bound; so in a finite game a search without limits ends with the exact value, under every option.
/// [`Verdict::Only`](crate::Verdict::Only) drops the siblings of forced replies, and a single reply is followed in
/// the same simulation; [`Mates`] finds forced replies for every game.
///
/// **Memory.** A node takes 32 bytes, and siblings lie side by side. When the tree has reached its
/// [size](MctsOptions::bytes), the least visited half is dropped and the search continues; proven outcomes of
/// the nodes that stay are kept, and the main line stays as far as it fits into a quarter of the memory. A tree that
/// cannot be made smaller stays as it is, and simulations continue.
///
/// **Between moves.** With [`MctsOptions::keep`] the tree stays. The next search continues with the tree if the
/// root of the search is the old root or at most two plies below; a call of [`advance`](Mcts::advance) with the
/// move takes less time. To ponder, search with a [cancel flag](Limits::cancel) while the opponent thinks. The
/// report of a search that continues with a tree depends on the searches before it.
///
/// **Threads** work on one tree, each with clones of playout, priors and tactics and its own random numbers; nodes
/// are atomic words. The threads lose no visit, and hardly any result of RAVE. With
/// [`own_trees`](MctsOptions::own_trees) each thread has a tree of its own and waits for no other thread; the
/// statistics of the root's moves are added up at the end (*root parallelisation*). Own trees make more
/// simulations in a second, but no tree is deeper than the tree of a single thread, each tree has only its part of
/// the memory, and a report during the search covers one tree.
///
/// # Trees and graphs
/// With [`graph`](Mcts::graph) a position that several lines of moves lead to is one position, for games that are
/// [`Finite`] and have a [`horizon`](Keyed::horizon) without end, so that the value depends only on the position.
/// Images under the game's symmetries are different positions. Moves that lead to the same position share its
/// children and the count of its visits; each move keeps its own visits and results (UCT1 in the paper of 2008
/// below), and takes over the proven outcomes of the position at the next simulation through it. When a full graph
/// is made smaller, and when its root moves on, each position stays in one place: the other moves find the
/// position again by its key. The index takes a 32nd of the memory, and each position with children one node more.
/// [`Report::hash`] counts the positions that were looked up, found and made.
///
/// # Arguments
/// * The playout policy, and [`MctsOptions`]; then, by methods, [`Priors`], [`Tactics`] and whether a
///   [graph](Mcts::graph) is searched. Move numbers must be below 2³²; a position with more than 65 535 moves gets
///   playouts, but no children.
/// * [`Limits`]: the search keeps all limits; without a limit, only a solved root ends the search.
///   [`Limits::depth`] bounds the depth of the tree, and does not end the search. All random choices come from the
///   seed: on one thread and without `keep`, equal roots, limits and seeds give equal reports.
///
/// # Returns
/// A [`Report`] with at most [`MctsOptions::lines`] lines, each with its visits. Its value is that of the best
/// move: `2000 q − 1000` for a mean result q, or `±(WIN − plies)` if the root is proven, where the plies are those of the line
/// shown, not always the shortest. `best` is `None` without a single simulation and without a proof, but for two cases. If the memory
/// is too small for the root and its children, it is a move that the tactics name, or the first one. If the search ends while a
/// kept tree is made ready for its root, it is the best move that the tree had there. In a lost root the best
/// move is the one with the longest proof in the tree; in a drawn root, a drawing move with the best results. [`Report::nodes`] counts
/// the nodes on the paths of simulations, the root included.
///
/// # Complexity
/// A simulation takes O(depth of the tree) steps and one playout; a step seldom compares all b children of a node,
/// mostly at the last nodes of a path ([`MctsOptions::revisit`]). Memory: 32 bytes a node, at most
/// [`MctsOptions::bytes`] and [`Limits::bytes`], which the engine keeps for its next search. RAVE takes a part of
/// this memory: 16 bytes a [move number](Indexed::index_len) and thread, 528 with several threads on one tree.
///
/// # References
/// *Kocsis and Szepesvári, Bandit based Monte-Carlo planning, 2006; Gelly and Silver, Combining online
/// and offline priors in UCT, 2007; Winands, Björnsson and Saito, Monte-Carlo tree search solver,
/// 2008; Chaslot, Winands and van den Herik, Parallel Monte-Carlo tree search, 2008; Childs, Brodeur and Kocsis,
/// Transpositions and move groups in Monte Carlo tree search, 2008; Cazenave and Saffidine, Score bounded Monte-Carlo tree
/// search, 2010; Ewalds, Playing and solving Havannah, 2012.*
///
/// # Example
/// ```
/// use stonework_game::{Outcome, Player, example::Nim};
/// use stonework_search::{Engine, Limits, Mcts, MctsOptions, RandomPlayout};
/// let nim = Nim::new(7);                           // a move takes one or two stones; the last stone wins
/// let mut engine = Mcts::new(RandomPlayout::new(100), MctsOptions::with_rave())?;
/// let report = engine.think(&nim, &Limits::none().simulations(10_000));
/// assert_eq!(report.best, Some(1));
/// assert_eq!(report.proven, Some(Outcome::Win(Player::First)));
/// # Ok::<(), stonework_search::OptionsError>(())
/// ```
#[derive(Clone)]
pub struct Mcts<G, Playout, Prior = (), Tactic = (), Value = ()> {
    options: MctsOptions,
    playout: Playout,
    priors: Prior,
    tactics: Tactic,
    evaluator: Value,
    /// The function for the keys by which a graph finds positions again, if the game has keys, and `true` if the
    /// engine searches a graph.
    graph: Option<(KeyOf<G>, bool)>,
    trees: Kept<G>,
}

/// A function that returns the key under which a position may be shared.
type KeyOf<G> = fn(&G) -> Option<u64>;

/// The trees between two searches. A clone of an engine has no trees.
struct Kept<G>(Vec<Tree<G>>);

impl<G> Clone for Kept<G> {
    fn clone(&self) -> Self {
        Self(Vec::new())
    }
}

/// The data that the threads of a search share.
struct Shared<'s> {
    arena: &'s Arena,
    options: &'s MctsOptions,
    lists: &'s Lists,
    meter: &'s Meter<'s>,
    /// The greatest number of plies of the tree below the root.
    depth: u32,
    /// `true` if a full tree stays as it is.
    frozen: bool,
    /// `true` if several threads work on the tree.
    threaded: bool,
    /// The lost visits that a thread adds on its path beforehand: 0 for a single thread.
    virtual_loss: u32,
}

impl<G: Indexed, Playout> Mcts<G, Playout> {
    /// An engine with a playout policy and options, without priors and tactics.
    ///
    /// # Errors
    /// The error names the option that is out of its range, its value and the range.
    pub fn new(playout: Playout, options: MctsOptions) -> Result<Self, OptionsError>
    where
        Playout: PlayoutPolicy<G>,
    {
        options.check()?;
        Ok(Self {
            options,
            playout,
            priors: (),
            tactics: (),
            evaluator: (),
            graph: None,
            trees: Kept(Vec::new()),
        })
    }
}

impl<G: Indexed, Playout, Prior, Tactic, Value> Mcts<G, Playout, Prior, Tactic, Value> {
    /// Sets the game's prior values of moves, for [`MctsOptions::bias`], [`MctsOptions::puct`] and [`MctsOptions::widening`].
    #[must_use]
    pub fn priors<Own>(self, priors: Own) -> Mcts<G, Playout, Own, Tactic, Value> {
        let Self { options, playout, tactics, evaluator, graph, trees, .. } = self;
        Mcts { options, playout, priors, tactics, evaluator, graph, trees }
    }

    /// Sets the game's tactics, which probe every new node.
    #[must_use]
    pub fn tactics<Own>(self, tactics: Own) -> Mcts<G, Playout, Prior, Own, Value> {
        let Self { options, playout, priors, evaluator, graph, trees, .. } = self;
        Mcts { options, playout, priors, tactics, evaluator, graph, trees }
    }

    /// Sets the game's evaluator, whose values are a part of the results of simulations: [`MctsOptions::share`]. Its value v
    /// counts as the result 2v / [`WIN`](crate::WIN), so that ±`WIN` / 2 stands for a sure win and a sure loss.
    ///
    /// ```
    /// use stonework_game::example::Nim;
    /// use stonework_search::{Engine, Limits, Mcts, MctsOptions, RandomPlayout, WIN};
    /// // With one or two stones a turn, whoever faces a multiple of three loses.
    /// let judge = |nim: &Nim| if nim.left() % 3 == 0 { -WIN / 2 } else { WIN / 2 };
    /// let options = MctsOptions::uct().share(0.5);
    /// let mut engine = Mcts::new(RandomPlayout::new(100), options)?.evaluator(judge);
    /// let report = engine.think(&Nim::new(20), &Limits::none().simulations(500));
    /// assert_eq!(report.best, Some(2));
    /// # Ok::<(), stonework_search::OptionsError>(())
    /// ```
    #[must_use]
    pub fn evaluator<Own>(self, evaluator: Own) -> Mcts<G, Playout, Prior, Tactic, Own> {
        let Self { options, playout, priors, tactics, graph, trees, .. } = self;
        Mcts { options, playout, priors, tactics, evaluator, graph, trees }
    }

    /// Turns the search of a [graph](Mcts#trees-and-graphs) in place of a tree on or off. In a graph, a position
    /// that several lines of moves lead to is one position. Off unless set.
    #[must_use]
    pub fn graph(self, on: bool) -> Self
    where
        G: Keyed + Finite,
    {
        Self { graph: Some((graph::shared_key, on)), ..self }
    }

    /// The function for the keys by which a graph finds positions again; `None` if the engine searches a tree.
    fn key(&self) -> Option<KeyOf<G>> {
        self.graph.and_then(|(key, on)| on.then_some(key))
    }

    /// The options.
    #[must_use]
    pub const fn options(&self) -> &MctsOptions {
        &self.options
    }

    pub(crate) const fn own_tactics(&self) -> &Tactic {
        &self.tactics
    }

    /// The game's tactics, to set their options between searches. Each thread of a search has a clone of them.
    #[must_use]
    pub const fn tactics_mut(&mut self) -> &mut Tactic {
        &mut self.tactics
    }

    /// Plays a move on the root of the tree that the last search [kept](MctsOptions::keep), and keeps the subtree
    /// below it. Returns `true` if the tree has that subtree; otherwise the whole tree is dropped. O(tree).
    pub fn advance(&mut self, mv: G::Move) -> bool {
        let keep = self.options.keep;
        self.trees.0.retain_mut(|tree| keep && tree.advance(mv));
        !self.trees.0.is_empty()
    }

    /// Drops the tree and frees its memory, which an engine otherwise keeps for its next search.
    pub fn clear(&mut self) {
        self.trees.0.clear();
    }

    /// The number of visits of the kept tree, by all searches since the first visit of its root; 0 without a tree.
    #[must_use]
    pub fn kept_visits(&self) -> u64 {
        self.trees.0.iter().map(|tree| rank::visits(&tree.arena)).sum()
    }

    /// Makes `count` trees of at most `bytes` bytes each. If the search stopped before the trees were ready, returns the best
    /// move that a kept tree had for this root, if it had one.
    fn trees(
        &mut self,
        root: &G,
        bytes: usize,
        count: usize,
        meter: &Meter<'_>,
    ) -> Result<Vec<Tree<G>>, Option<G::Move>> {
        let plan = Plan { bytes, widest: root.index_len(), graph: self.key().is_some() };
        let mut trees = std::mem::take(&mut self.trees.0);
        trees.retain(|tree| tree.arena.made_for() == plan);
        trees.truncate(count);
        let (mut best, choice) = (None, self.options.choice);
        let mut ready = |tree: &mut Tree<G>| {
            let there = tidied(tree, meter);
            if there && tree.move_to(root) {
                // While the nodes move, no move can be read.
                best = best.or_else(|| rank::best_move(tree, choice));
                return tidied(tree, meter);
            }
            there
        };
        if self.options.keep && !trees.iter_mut().all(&mut ready) {
            self.trees.0 = trees;
            return Err(best);
        }
        for tree in &mut trees {
            if !self.options.keep || tree.root != *root {
                tree.restart(root);
            }
        }
        trees.resize_with(count, || Tree::new(root, plan));
        Ok(trees)
    }
}

/// The frame of every search with a tree: a root that is over, and the last report.
pub(crate) fn framed<G: Indexed>(
    root: &G,
    limits: &Limits,
    context: SearchContext<'_, G::Move>,
    search: impl FnOnce(&Meter<'_>, u64, &mut dyn FnMut(&Report<G::Move>)) -> Report<G::Move>,
) -> Report<G::Move> {
    let seed = context.seed;
    context.unless_over(root, limits, |meter, watch| {
        let mut report = search(meter, seed, watch);
        report.time = meter.elapsed();
        watch(&report);
        report
    })
}

impl<G, Playout, Prior, Tactic, Value> Engine<G> for Mcts<G, Playout, Prior, Tactic, Value>
where
    G: Indexed,
    Playout: PlayoutPolicy<G> + Clone,
    Prior: Priors<G> + Clone,
    Tactic: Tactics<G> + Clone,
    Value: Evaluator<G> + Clone,
{
    fn search(&mut self, root: &G, limits: &Limits, context: SearchContext<'_, G::Move>) -> Report<G::Move> {
        framed(root, limits, context, |meter, seed, watch| {
            self.go(root, meter, seed, watch, &|| NoSubSearch, usize::MAX)
        })
    }

    /// Drops the tree, as [`clear`](Self::clear).
    fn new_game(&mut self) {
        self.clear();
    }

    fn parameters(&self) -> Vec<Parameter> {
        let mut parameters = self.options.parameters();
        if let Some((_, on)) = self.graph {
            parameters.push(Parameter::whole(
                "graph",
                "a position is one on all ways to it",
                f64::from(u8::from(on)),
                0.0,
                1.0,
            ));
        }
        parameters
    }

    fn set_parameter(&mut self, parameter: &str, value: f64) -> Result<(), ParameterError> {
        Parameter::find(&Engine::<G>::parameters(self), parameter, value)?;
        if let ("graph", Some((key, _))) = (parameter, self.graph) {
            self.graph = Some((key, value > 0.0));
            return Ok(());
        }
        self.options = self.options.with_value(parameter, value)?;
        Ok(())
    }
}

impl<G, Playout, Prior, Tactic, Value> Mcts<G, Playout, Prior, Tactic, Value>
where
    G: Indexed,
    Playout: PlayoutPolicy<G> + Clone,
    Prior: Priors<G> + Clone,
    Tactic: Tactics<G> + Clone,
    Value: Evaluator<G> + Clone,
{
    /// Searches a position that is not over, with a sub-search for each thread and a tree of at most `bytes` bytes.
    pub(crate) fn go<Sub: SubSearch<G>>(
        &mut self,
        root: &G,
        meter: &Meter<'_>,
        seed: u64,
        watch: &mut dyn FnMut(&Report<G::Move>),
        sub_search: &dyn Fn() -> Sub,
        bytes: usize,
    ) -> Report<G::Move> {
        meter.look();
        if let Some(stopped) = meter.stopped() {
            return Report { stopped: Some(stopped), ..Report::empty() };
        }
        let threads = self.options.threads;
        let (count, crew) = if self.options.own_trees { (threads, 1) } else { (1, threads) };
        let own = self.options.rave.map_or(0, |_| count * rave_buffer::bytes(root.index_len(), crew));
        let bytes = meter.limits().bytes.unwrap_or(usize::MAX).min(self.options.bytes).min(bytes);
        let Some(bytes) = bytes.checked_sub(own) else {
            return self.without_tree(root);
        };
        let mut trees = match self.trees(root, bytes / count, count, meter) {
            Ok(trees) => trees,
            Err(best) => {
                let mut report = Report::empty();
                report.stopped = Some(meter.stopped().unwrap_or(Stop::Cancel));
                report.choose(best);
                return report;
            }
        };
        let mut workers = self.workers(root, trees[0].arena.limit(), seed, sub_search);
        let (options, lists) = (&self.options, &Lists::new(&self.options));
        let mut crews = trees.iter_mut().zip(workers.chunks_mut(crew));
        let before = std::thread::scope(|scope| {
            let own = crews.next();
            for (tree, crew) in crews {
                scope.spawn(|| grow(tree, crew, options, lists, meter, &mut |_| ()));
            }
            own.and_then(|(tree, crew)| grow(tree, crew, options, lists, meter, watch))
        });
        for worker in &mut workers {
            meter.settle(&mut worker.allowance);
        }
        let whole: Vec<&Tree<G>> = trees.iter().filter(|tree| tree.pending.is_none()).collect();
        let mut report = match before {
            Some(report) if whole.is_empty() => report,
            _ => rank::report(&whole, options, workers[0].strategies.knowledge()),
        };
        report.depth = workers.iter().map(|worker| worker.deepest).max().unwrap_or(0) as u32;
        report.bytes = trees.iter().map(|tree| tree.arena.bytes()).sum::<usize>() + own;
        report.hash = workers.iter_mut().fold(HashUse::default(), |sum, w| {
            sum.plus(w.strategies.knowledge().sub_search.hash()).plus(w.found)
        });
        report.nodes = meter.nodes();
        report.simulations = workers.iter().map(|worker| worker.done).sum();
        let solved = report.proven.map(|_| Stop::Solved);
        report.stopped = Some(solved.or_else(|| meter.stopped()).unwrap_or(Stop::Memory));
        self.trees.0 = trees;
        if report.best.is_none() && report.stopped == Some(Stop::Memory) {
            report.choose(self.without_tree(root).best);
        }
        report
    }

    /// The report of a search without memory: the move that the tactics name, if they name one.
    fn without_tree(&self, root: &G) -> Report<G::Move> {
        let mut only = Vec::new();
        let best = match self.tactics.clone().probe(&mut root.clone(), &mut only) {
            Verdict::Win(mv) => Some(mv),
            _ => only.first().copied(),
        };
        let mut report = Report { stopped: Some(Stop::Memory), ..Report::empty() };
        report.choose(best);
        report
    }

    fn workers<Sub: SubSearch<G>>(
        &self,
        root: &G,
        nodes: usize,
        seed: u64,
        sub_search: &dyn Fn() -> Sub,
    ) -> Vec<Worker<G, impl ThreadStrategies<G> + use<G, Playout, Prior, Tactic, Value, Sub>>> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let worker = |_| {
            let knowledge = Knowledge { tactics: self.tactics.clone(), sub_search: sub_search() };
            let (playout, priors) = (self.playout.clone(), self.priors.clone());
            let strategies = Strategies { playout, priors, evaluator: self.evaluator.clone(), knowledge };
            let own = rng.clone();
            rng.jump();
            let amaf = if self.options.rave.is_some() { root.index_len() } else { 0 };
            Worker::new(root, strategies, own, self.key(), nodes, amaf)
        };
        (0..self.options.threads).map(worker).collect()
    }
}

impl<G, Playout, Prior, Tactic, Value> fmt::Debug for Mcts<G, Playout, Prior, Tactic, Value> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcts").field("options", &self.options).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use stonework_game::example::Nim;

    use super::*;

    #[test]
    fn a_search_that_ends_before_its_kept_tree_is_ready_names_the_best_move_of_the_tree() {
        let options = MctsOptions::uct().expand_after(1).keep(true);
        let mut engine = Mcts::new(RandomPlayout::new(300), options).expect("the options are valid");
        let report = engine.think(&Nim::new(250), &Limits::none().simulations(50_000));
        let line = report.line();
        let mut next = Nim::new(250);
        for &mv in &line[..2] {
            stonework_game::Game::play(&mut next, mv).expect("the line is legal");
        }
        let limits = Limits::none();
        let meter = Meter::new(&limits);
        meter.stop(Stop::Time);
        let found = engine.trees(&next, 1 << 30, 1, &meter).expect_err("the work takes several steps");
        assert_eq!(found, Some(line[2]));
    }
}
