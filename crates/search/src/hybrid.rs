//! [`Hybrid`]: a Monte-Carlo tree whose open nodes are handed to df-pn.

use std::fmt;

use stonework_game::{Finite, Indexed, Keyed, Player};

use crate::mcts::{Aid, framed};
use crate::pn::{Probe, Store};
use crate::{
    Bounds, Dial, DialError, Engine, Flat, HashUse, Knowledge, Limits, Mcts, Meter, Playout, Report, Tactics,
};

/// A Monte-Carlo tree whose open nodes are handed to depth-first proof-number searches, for games that end.
///
/// ```
/// use stonework_game::example::Nim;
/// use stonework_game::{Outcome, Player};
/// use stonework_search::{Engine, Hybrid, Limits, Mcts, RandomPlayout, Settings};
/// let mut engine = Hybrid::new(Mcts::new(Settings::with_rave(), RandomPlayout::new(100))?);
/// let report = engine.search(&Nim::new(40), &Limits::none(), 1, &mut |_| {});
/// assert_eq!(report.proof, Some(Outcome::Win(Player::First)));
/// # Ok::<(), stonework_search::SettingsError>(())
/// ```
///
/// A Monte-Carlo tree knows where to look, and proof numbers how to decide what was found there. When a node
/// below the root has got [`after`](Hybrid::after) visits, and again whenever they have doubled, df-pn asks
/// whether the side that seems to be ahead wins, and if it does not, whether the other side does. It may
/// spend so many [nodes for each visit](Hybrid::nodes): little on what is seldom visited, more and more on
/// what decides the game. What it proves – a win, a draw, a loss, or only that a side cannot win – the tree
/// hands up as if it had found that itself, and no simulation goes there any more.
///
/// All these searches and all threads share one table of proof numbers, keyed by position. A search that was
/// broken off is taken up where it was; what is proven in one place of the tree holds in all others where
/// the same position or an image of it is met; and what the tree proves itself the table learns.
///
/// Limits, threads and determinism are those of [`Mcts`]; with one thread equal searches have equal reports.
/// [`Report::nodes`] counts the nodes of both. Half of the memory ([`Limits::bytes`] or
/// [`Settings::bytes`](crate::Settings::bytes)) is the table's, half the tree's. With
/// [`Settings::keep`](crate::Settings::keep) the table is kept together with the tree.
///
/// *T. Ewalds, Playing and solving Havannah, 2012, wished for it.*
pub struct Hybrid<G, P, K = Flat, T = Flat> {
    tree: Mcts<G, P, K, T>,
    after: u32,
    nodes: u32,
    epsilon: u16,
    store: Store,
}

/// The most nodes of one proof-number search, so that other limits are not waited for.
const MOST: u32 = 1 << 24;

impl<G: Indexed, P, K, T> Hybrid<G, P, K, T> {
    /// Proof-number searches after 8 visits, with 32 nodes for each visit, below this tree. They use its
    /// tactics.
    #[must_use]
    pub fn new(tree: Mcts<G, P, K, T>) -> Self {
        Self { tree, after: 8, nodes: 32, epsilon: 25, store: Store::new(0) }
    }

    /// Visits of a node before its first proof-number search; 0 counts as 1.
    #[must_use]
    pub fn after(mut self, visits: u32) -> Self {
        self.after = visits.max(1);
        self
    }

    /// Nodes that a proof-number search may visit for each visit of the node that it begins at; 0 for no
    /// such searches.
    #[must_use]
    pub const fn nodes(mut self, nodes: u32) -> Self {
        self.nodes = nodes;
        self
    }

    /// The tree.
    #[must_use]
    pub const fn tree(&self) -> &Mcts<G, P, K, T> {
        &self.tree
    }

    /// As [`Mcts::advance`]. The table is kept in any case.
    pub fn advance(&mut self, mv: G::Move) -> bool {
        self.tree.advance(mv)
    }

    /// Drops tree and table and gives their memory back.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.store = Store::new(0);
    }
}

impl<G, P, K, T> Engine<G> for Hybrid<G, P, K, T>
where
    G: Indexed + Keyed + Finite,
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
        framed(root, limits, watch, |meter, watch| {
            let bytes = limits.bytes.unwrap_or(usize::MAX).min(self.tree.settings().bytes);
            self.prepare(bytes / 2);
            let Self { tree, store, .. } = self;
            let (after, nodes) = (self.after, self.nodes);
            let tactics = tree.own_tactics().clone();
            let probe = || Prober { probe: Probe::new(tactics.clone(), store, self.epsilon), after, nodes };
            let mut report = tree.go(root, meter, seed, watch, &probe, bytes - store.bytes());
            report.bytes += store.bytes();
            report
        })
    }

    /// Those of the tree; `probe_after` and `probe_nodes` are [`after`](Hybrid::after) and
    /// [`nodes`](Hybrid::nodes).
    fn dials(&self) -> Vec<Dial> {
        let mut dials = self.tree.dials();
        dials.push(Dial::whole("probe_after", "visits before df-pn", self.after.into(), 1.0, 1e9));
        dials.push(Dial::whole("probe_nodes", "df-pn nodes a visit; 0: none", self.nodes.into(), 0.0, 1e6));
        dials
    }

    fn turn(&mut self, dial: &str, value: f64) -> Result<(), DialError> {
        Dial::find(&self.dials(), dial, value)?;
        match dial {
            "probe_after" => self.after = value as u32,
            "probe_nodes" => self.nodes = value as u32,
            _ => return self.tree.turn(dial, value),
        }
        Ok(())
    }
}

impl<G: Indexed, P, K, T> Hybrid<G, P, K, T> {
    /// Makes a table of at most so many bytes ready.
    fn prepare(&mut self, bytes: usize) {
        let fresh = Store::new(bytes);
        if fresh.bytes() != self.store.bytes() {
            self.store = fresh;
        } else if !self.tree.settings().keep {
            self.store.forget();
        }
        self.store.grow_older();
    }
}

/// A thread's probe, with what says when to use it.
struct Prober<'a, G: Finite + Keyed, T> {
    probe: Probe<'a, G, T>,
    after: u32,
    nodes: u32,
}

impl<G: Finite + Keyed, T: Tactics<G>> Aid<G> for Prober<'_, G, T> {
    const HELPS: bool = true;

    #[inline]
    fn budget(&self, visits: u32) -> u32 {
        let times = visits / self.after;
        if !times.is_power_of_two() || times * self.after != visits {
            return 0;
        }
        visits.saturating_mul(self.nodes).min(MOST)
    }

    fn known(&mut self, game: &G) -> Bounds {
        self.probe.known(game)
    }

    fn tell(&mut self, game: &G, bounds: Bounds) {
        self.probe.tell(game, bounds);
    }

    fn ask(
        &mut self,
        game: &G,
        known: Bounds,
        first: Player,
        nodes: u32,
        meter: &Meter<'_>,
    ) -> (Bounds, u32) {
        let (bounds, spent) = self.probe.ask(game, known, first, nodes.into(), meter);
        (bounds, u32::try_from(spent).unwrap_or(nodes))
    }

    fn line(&mut self, game: &G, bounds: Bounds) -> Vec<G::Move> {
        self.probe.line(game, bounds)
    }

    fn hash(&self) -> HashUse {
        self.probe.hash
    }
}

impl<G, P, K, T> fmt::Debug for Hybrid<G, P, K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hybrid")
            .field("tree", &self.tree)
            .field("after", &self.after)
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}
