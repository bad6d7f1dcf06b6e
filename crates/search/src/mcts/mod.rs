//! Monte-Carlo tree search.

mod aid;
mod collect;
mod dials;
mod forest;
mod graph;
mod hearsay;
mod mates;
mod node;
mod playouts;
mod rank;
mod select;
mod settings;
mod tree;
mod worker;

use std::fmt;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use stonework_game::{Finite, Indexed, Keyed};

pub(crate) use self::aid::Aid;
use self::aid::{Alone, Insight};
use self::forest::{grow, tidied};
pub use self::mates::Mates;
pub use self::playouts::{RandomPlayout, ReplyPlayout};
use self::settings::Lists;
pub use self::settings::{Choice, Rave, Settings, SettingsError, Widening};
use self::tree::{Arena, Plan, Tree};
use self::worker::Worker;
use crate::{
    Dial, DialError, Engine, Flat, HashUse, Knowledge, Limits, Meter, Playout, Report, Stop, Tactics,
    unless_over,
};

/// Monte-Carlo tree search: UCT and RAVE with a solver, for any game whose moves have numbers.
///
/// ```
/// use stonework_game::{Outcome, Player, example::Nim};
/// use stonework_search::{Engine, Limits, Mcts, RandomPlayout, Settings};
/// let nim = Nim::new(7);                              // take one or two; the last one wins
/// let mut engine = Mcts::new(Settings::with_rave(), RandomPlayout::new(100))?;
/// let report = engine.search(&nim, &Limits::none().simulations(10_000), 1, &mut |_| {});
/// assert_eq!(report.best, Some(1));
/// assert_eq!(report.proof, Some(Outcome::Win(Player::First)));
/// # Ok::<(), stonework_search::SettingsError>(())
/// ```
///
/// # How it works
///
/// A *simulation* walks from the root to a leaf, always to the child with the best score for the side to
/// move; makes the leaf's children once it was visited often enough; lets the [`Playout`] play to the end;
/// and tallies the result in all nodes on its way. Results are kept for the side that chose the move, so a
/// side may well move twice in a row. Scores are those of UCT, mixed with what was heard of a move in
/// playouts where it came later ([`Rave`]), and with the [`Knowledge`] of the game ([`Settings::bias`],
/// [`Settings::widening`]).
///
/// **Solver.** Each node knows which outcomes – win, draw, loss – are not ruled out. What the game's end
/// and [`Tactics`] prove is handed up, and no simulation goes where nothing better than what is proven
/// already can come out; so in a finite game a search without limits ends with the exact value, whatever
/// the settings. [`Verdict::Only`](crate::Verdict::Only) collapses the siblings of forced replies, and a
/// single reply is followed in the same simulation; [`Mates`] gives that to every game.
///
/// **Memory.** A node takes 32 bytes, its siblings lie beside it. When the tree has reached its
/// [size](Settings::bytes), the least visited half is dropped and the search goes on; what is proven of
/// the nodes that stay is kept. A tree that cannot be made smaller stays as it is, and simulations go on.
///
/// **Between moves.** With [`Settings::keep`] the tree stays. The next search goes on with it if its
/// root is the old one or at most two plies below; [`advance`](Mcts::advance) says the move and is quicker.
/// To ponder, search with a [cancel flag](Limits::cancel) while the opponent thinks. A search that goes on
/// with a tree depends on what was searched before; without `keep` the same root, limits and seed give
/// the same report, on one thread.
///
/// **Threads** work on one tree, each with clones of playout, knowledge and tactics and its own random
/// numbers; nodes are atomic words. No visit is lost, and of what was heard hardly anything. With
/// [`own_trees`](Settings::own_trees) each has a tree of its own and nothing to wait for; what they say of the root's
/// moves is added up at the end (*root parallelisation*): more simulations a second, but no thread's tree is deeper than
/// that of one alone, a tree has only its part of the memory, and what is reported on the way is what one tree says.
///
/// # Trees and graphs
///
/// With [`graph`](Mcts::graph) positions that are reached in several ways are one, for games that say so of
/// themselves: [`Finite`], and with a [`horizon`](Keyed::horizon) without end, so that nothing but the position
/// decides. Images under the game's symmetries are not one. Moves that lead to the same position share its
/// children with all that is known of them, and how often it was visited; each of them keeps its own visits and
/// results (UCT1 in the paper below), and takes over what was proven of the position when a simulation next goes
/// through it. When a full graph is made smaller, and when its root moves on, each position stays in one place: the
/// other ways to it find it again by its key. A 32nd of the memory is taken for that, and a node more for each
/// position with children. [`Report::hash`] says how many positions were looked up, found and made.
///
/// # Limits and reports
///
/// [`Report::nodes`] counts the nodes that simulations have walked over, the root included;
/// [`Limits::depth`] bounds the depth of the tree, but does not end a search. Without a single simulation
/// and without proof, `best` is `None`. [`Report::value`] is that of the best move: `2000 q − 1000` for a
/// mean result q, or `±(WIN − plies)` if the root is proven, where the plies are those of the line shown,
/// not always the shortest.
///
/// Memory: 32 bytes a node, at most [`Settings::bytes`] and [`Limits::bytes`], kept by the engine for its
/// next search; with RAVE, 16 bytes a [move number](Indexed::index_len) and thread of it are taken for
/// notes, 528 with several threads on one tree. Numbers of moves must be below 2³²; a position with more than 65 535 moves
/// is played out, but gets no children. Time: each simulation
/// compares the children on its way, most often only those of its last nodes ([`Settings::revisit`]).
///
/// Kocsis and Szepesvári, *Bandit based Monte-Carlo planning* (2006); Gelly and Silver, *Combining online
/// and offline knowledge in UCT* (2007); Winands, Björnsson and Saito, *Monte-Carlo tree search solver*
/// (2008); Chaslot, Winands and van den Herik, *Parallel Monte-Carlo tree search* (2008); Cazenave and Saffidine, *Score bounded Monte-Carlo tree search* (2010); Childs, Brodeur and Kocsis,
/// *Transpositions and move groups in Monte Carlo tree search* (2008); Ewalds, *Playing and solving Havannah* (2012).
#[derive(Clone)]
pub struct Mcts<G, P, K = Flat, T = Flat> {
    settings: Settings,
    playout: P,
    knowledge: K,
    tactics: T,
    /// What positions are found again by, if it may search a graph, and whether it does.
    graph: Option<(KeyOf<G>, bool)>,
    trees: Kept<G>,
}

/// Tells the key under which a position may be shared, if it may be.
type KeyOf<G> = fn(&G) -> Option<u64>;

/// The trees between two searches. A clone of an engine begins without.
struct Kept<G>(Vec<Tree<G>>);

impl<G> Clone for Kept<G> {
    fn clone(&self) -> Self {
        Self(Vec::new())
    }
}

/// What the threads of a search share.
struct Shared<'s> {
    arena: &'s Arena,
    settings: &'s Settings,
    lists: &'s Lists,
    meter: &'s Meter<'s>,
    /// Plies below the root that the tree may have.
    depth: u32,
    /// Whether a full tree stays as it is.
    frozen: bool,
    /// Whether there are several threads.
    threaded: bool,
    /// Visits that a thread puts on its way beforehand: 0 for a single thread.
    virtual_loss: u32,
}

impl<G: Indexed, P> Mcts<G, P> {
    /// An engine that knows nothing of the game but its playouts.
    ///
    /// # Errors
    /// For settings that make no sense.
    pub fn new(settings: Settings, playout: P) -> Result<Self, SettingsError> {
        settings.check()?;
        Ok(Self { settings, playout, knowledge: Flat, tactics: Flat, graph: None, trees: Kept(Vec::new()) })
    }
}

impl<G: Indexed, P, K, T> Mcts<G, P, K, T> {
    /// With a game's opinion of moves that were not tried yet; weighed by [`Settings::bias`] and used by
    /// [`Settings::widening`].
    #[must_use]
    pub fn knowledge<L>(self, knowledge: L) -> Mcts<G, P, L, T> {
        let Self { settings, playout, tactics, graph, trees, .. } = self;
        Mcts { settings, playout, knowledge, tactics, graph, trees }
    }

    /// With a game's cheap certainties, which are asked for at every new node.
    #[must_use]
    pub fn tactics<U>(self, tactics: U) -> Mcts<G, P, K, U> {
        let Self { settings, playout, knowledge, graph, trees, .. } = self;
        Mcts { settings, playout, knowledge, tactics, graph, trees }
    }

    /// Whether a position that is reached in several ways is one: a graph instead of a tree. See
    /// [there](Mcts#trees-and-graphs). Off until it is asked for.
    #[must_use]
    pub fn graph(self, on: bool) -> Self
    where
        G: Keyed + Finite,
    {
        Self { graph: Some((graph::shared_key, on)), ..self }
    }

    /// What positions are found again by, if a graph is searched.
    fn key(&self) -> Option<KeyOf<G>> {
        self.graph.and_then(|(key, on)| on.then_some(key))
    }

    /// The settings.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) const fn own_tactics(&self) -> &T {
        &self.tactics
    }

    /// A move was played, after a search that was to [keep its tree](Settings::keep): keeps what the tree knows of the position after it. Tells whether it knows
    /// anything; if not, the tree is dropped. O(tree).
    pub fn advance(&mut self, mv: G::Move) -> bool {
        let keep = self.settings.keep;
        self.trees.0.retain_mut(|tree| keep && tree.advance(mv));
        !self.trees.0.is_empty()
    }

    /// Drops the tree and gives its memory back, which an engine otherwise keeps for its next search.
    pub fn clear(&mut self) {
        self.trees.0.clear();
    }

    /// The visits of the tree that was kept, by all searches since its root was first reached; 0 without a
    /// tree.
    #[must_use]
    pub fn kept_visits(&self) -> u64 {
        self.trees.0.iter().map(|tree| rank::visits(&tree.arena)).sum()
    }

    /// So many trees to work on, of at most so many bytes each. `None` if the search was stopped before they were ready.
    fn trees(&mut self, root: &G, bytes: usize, count: usize, meter: &Meter<'_>) -> Option<Vec<Tree<G>>> {
        let plan = Plan { bytes, widest: root.index_len(), graph: self.key().is_some() };
        let mut trees = std::mem::take(&mut self.trees.0);
        trees.retain(|tree| tree.arena.made_for() == plan);
        trees.truncate(count);
        let ready = |tree: &mut Tree<G>| tidied(tree, meter) && (!tree.move_to(root) || tidied(tree, meter));
        if self.settings.keep && !trees.iter_mut().all(ready) {
            self.trees.0 = trees;
            return None;
        }
        for tree in &mut trees {
            if !self.settings.keep || tree.root != *root {
                tree.restart(root);
            }
        }
        trees.resize_with(count, || Tree::new(root, plan));
        Some(trees)
    }
}

/// What stands around every search with a tree: a root that is over, and the last report.
pub(crate) fn framed<G: Indexed>(
    root: &G,
    limits: &Limits,
    watch: &mut dyn FnMut(&Report<G::Move>),
    search: impl FnOnce(&Meter<'_>, &mut dyn FnMut(&Report<G::Move>)) -> Report<G::Move>,
) -> Report<G::Move> {
    unless_over(root, limits, watch, |meter, watch| {
        let mut report = search(meter, watch);
        report.time = meter.elapsed();
        watch(&report);
        report
    })
}

impl<G, P, K, T> Engine<G> for Mcts<G, P, K, T>
where
    G: Indexed,
    P: Playout<G> + Clone,
    K: Knowledge<G> + Clone,
    T: Tactics<G> + Clone,
{
    fn search(
        &mut self,
        root: &G,
        limits: &Limits,
        seed: u64,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        framed(root, limits, watch, |meter, watch| self.go(root, meter, seed, watch, &|| Alone, usize::MAX))
    }

    fn dials(&self) -> Vec<Dial> {
        let mut dials = self.settings.dials();
        if let Some((_, on)) = self.graph {
            dials.push(Dial::whole(
                "graph",
                "a position is one on all ways to it",
                f64::from(u8::from(on)),
                0.0,
                1.0,
            ));
        }
        dials
    }

    fn turn(&mut self, dial: &str, value: f64) -> Result<(), DialError> {
        Dial::find(&Engine::<G>::dials(self), dial, value)?;
        if let ("graph", Some((key, _))) = (dial, self.graph) {
            self.graph = Some((key, value > 0.0));
            return Ok(());
        }
        self.settings = self.settings.turned(dial, value)?;
        Ok(())
    }
}

impl<G, P, K, T> Mcts<G, P, K, T>
where
    G: Indexed,
    P: Playout<G> + Clone,
    K: Knowledge<G> + Clone,
    T: Tactics<G> + Clone,
{
    /// Searches a position that is not over, with an aid for each thread and a tree of at most so many
    /// bytes.
    pub(crate) fn go<A: Aid<G>>(
        &mut self,
        root: &G,
        meter: &Meter<'_>,
        seed: u64,
        watch: &mut dyn FnMut(&Report<G::Move>),
        aid: &dyn Fn() -> A,
        bytes: usize,
    ) -> Report<G::Move> {
        meter.look();
        if let Some(stopped) = meter.stopped() {
            return Report { stopped, ..Report::empty() };
        }
        let threads = self.settings.threads.get();
        let (count, crew) = if self.settings.own_trees { (threads, 1) } else { (1, threads) };
        let own = self.settings.rave.map_or(0, |_| count * hearsay::bytes(root.index_len(), crew));
        let bytes = meter.limits().bytes.unwrap_or(usize::MAX).min(self.settings.bytes).min(bytes);
        let Some(bytes) = bytes.checked_sub(own) else {
            return Report { stopped: Stop::Memory, ..Report::empty() };
        };
        let Some(mut trees) = self.trees(root, bytes / count, count, meter) else {
            return Report { stopped: meter.stopped().unwrap_or(Stop::Cancel), ..Report::empty() };
        };
        let mut workers = self.workers(root, trees[0].arena.limit(), seed, aid);
        let (settings, lists) = (&self.settings, &Lists::new(&self.settings));
        let mut crews = trees.iter_mut().zip(workers.chunks_mut(crew));
        let before = std::thread::scope(|scope| {
            let own = crews.next();
            for (tree, crew) in crews {
                scope.spawn(|| grow(tree, crew, settings, lists, meter, &mut |_| ()));
            }
            own.and_then(|(tree, crew)| grow(tree, crew, settings, lists, meter, watch))
        });
        for worker in &mut workers {
            meter.settle(&mut worker.purse);
        }
        let whole: Vec<&Tree<G>> = trees.iter().filter(|tree| tree.pending.is_none()).collect();
        let mut report = match before {
            Some(report) if whole.is_empty() => report,
            _ => rank::report(&whole, settings, &mut workers[0].insight),
        };
        report.depth = workers.iter().map(|worker| worker.deepest).max().unwrap_or(0) as u32;
        report.bytes = trees.iter().map(|tree| tree.arena.bytes()).sum::<usize>() + own;
        report.hash =
            workers.iter().fold(HashUse::default(), |sum, w| sum.plus(w.insight.aid.hash()).plus(w.found));
        report.nodes = meter.nodes();
        report.simulations = workers.iter().map(|worker| worker.done).sum();
        report.stopped = meter.stopped().unwrap_or(Stop::Memory);
        if report.proof.is_some() {
            report.stopped = Stop::Solved;
        }
        self.trees.0 = trees;
        report
    }

    fn workers<A: Aid<G>>(
        &self,
        root: &G,
        nodes: usize,
        seed: u64,
        aid: &dyn Fn() -> A,
    ) -> Vec<Worker<G, P, K, T, A>> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let worker = |_| {
            let insight = Insight { tactics: self.tactics.clone(), aid: aid() };
            let strategies = (self.playout.clone(), self.knowledge.clone(), insight);
            let own = rng.clone();
            rng.jump();
            let heard = if self.settings.rave.is_some() { root.index_len() } else { 0 };
            Worker::new(root, strategies, own, self.key(), nodes, heard)
        };
        (0..self.settings.threads.get()).map(worker).collect()
    }
}

impl<G, P, K, T> fmt::Debug for Mcts<G, P, K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcts").field("settings", &self.settings).finish_non_exhaustive()
    }
}
