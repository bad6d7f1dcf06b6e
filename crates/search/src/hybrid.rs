//! [`Hybrid`]: a Monte-Carlo tree whose open nodes are handed to df-pn.

use std::fmt;

use stonework_game::{Finite, Indexed, Keyed};

use crate::mcts::framed;
use crate::options::{OptionsError, options};
use crate::parameters::{NumericOption, numeric_options};
use crate::pn::{Probe, Store};
use crate::{
    Engine, Limits, Mcts, Parameter, ParameterError, PlayoutPolicy, Priors, ProofTactics, Report,
    SearchContext,
};

/// A Monte-Carlo tree with depth-first proof-number searches below its open nodes, for games that end.
///
/// The Monte-Carlo tree finds the nodes that matter, and proof numbers decide them. When a node below the root has
/// [`probe_after`](HybridOptions::probe_after) visits, and again whenever its visits have doubled, df-pn tries to
/// prove a win of the side that seems to be ahead, and after a refutation a win of the other side. Each of these
/// searches may visit [`probe_nodes`](HybridOptions::probe_nodes) nodes for each visit of the node: few nodes
/// below a node with few visits, and more and more below the nodes that decide the game. A proven bound – a win, a
/// draw, a loss, or only that a side cannot win – propagates up the tree, and no simulation goes to a decided node
/// any more.
///
/// All these searches and all threads share one table of proof numbers, keyed by position. A search that a limit has
/// stopped continues at the next probe. A proof of one node holds for all other nodes with the same position or an image of
/// it, and bounds that the tree has proven are stored in the table.
///
/// # Arguments
/// * The Monte-Carlo tree, whose [`ProofTactics`] both searches use, and [`HybridOptions`].
/// * [`Limits`] and seed as for [`Mcts`]. The table and the tree take half of the memory each ([`Limits::bytes`]
///   or [`MctsOptions::bytes`](crate::MctsOptions::bytes)). With [`MctsOptions::keep`](crate::MctsOptions::keep)
///   the table is kept together with the tree.
///
/// # Returns
/// A [`Report`] as that of [`Mcts`], with the nodes of both searches. With one thread equal searches have equal reports.
///
/// # Complexity
/// That of [`Mcts`], and for a node with v visits at most O(v · [`probe_nodes`](HybridOptions::probe_nodes)) nodes of df-pn.
///
/// # References
/// *T. Ewalds, Playing and solving Havannah, 2012, which proposes the combination.*
///
/// # Example
/// ```
/// use stonework_game::example::Nim;
/// use stonework_game::{Outcome, Player};
/// use stonework_search::{Engine, Hybrid, HybridOptions, Limits, Mcts, MctsOptions, RandomPlayout};
/// let mut engine = Hybrid::new(Mcts::new(RandomPlayout::new(100), MctsOptions::with_rave())?, HybridOptions::new())?;
/// let report = engine.think(&Nim::new(40), &Limits::none());
/// assert_eq!(report.proven, Some(Outcome::Win(Player::First)));
/// # Ok::<(), stonework_search::OptionsError>(())
/// ```
pub struct Hybrid<G, Playout, Prior = (), Tactic = ()> {
    tree: Mcts<G, Playout, Prior, Tactic>,
    options: HybridOptions,
    store: Store,
}

options! {
    /// The options of a [`Hybrid`] beside those of its tree.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    HybridOptions;
    /// Proof-number searches after 8 visits, with 32 nodes for each visit.
    new;

    /// The number of visits, at least 1, of a node before its first proof-number search; 8 unless set.
    probe_after: u32 = 8;
    /// The number of nodes that a proof-number search may visit for each visit of the node at its root; 0 for no
    /// proof-number searches; 32 unless set.
    probe_nodes: u32 = 32;
}

numeric_options! { NUMERIC_OPTIONS: HybridOptions, |options, value|
    whole "probe_after" "visits before df-pn" 1.0, 1e9;
        options.probe_after.into(); options.probe_after = value as u32;
    whole "probe_nodes" "df-pn nodes a visit; 0: none" 0.0, 1e6;
        options.probe_nodes.into(); options.probe_nodes = value as u32;
}

impl<G: Indexed, Playout, Prior, Tactic> Hybrid<G, Playout, Prior, Tactic> {
    /// An engine with a tree, whose tactics the proof-number searches use, and options.
    ///
    /// # Errors
    /// An error if [`probe_after`](HybridOptions::probe_after) is 0.
    pub fn new(tree: Mcts<G, Playout, Prior, Tactic>, options: HybridOptions) -> Result<Self, OptionsError> {
        OptionsError::check(&[("probe_after", options.probe_after.into(), 1.0, u32::MAX.into())])?;
        Ok(Self { tree, options, store: Store::new(0) })
    }

    /// The tree.
    #[must_use]
    pub const fn tree(&self) -> &Mcts<G, Playout, Prior, Tactic> {
        &self.tree
    }

    /// Plays a move as [`Mcts::advance`] does. The table is always kept.
    pub fn advance(&mut self, mv: G::Move) -> bool {
        self.tree.advance(mv)
    }

    /// Drops tree and table and frees their memory.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.store = Store::new(0);
    }

    /// Makes a table of at most `bytes` bytes, or keeps the table if its size is the same.
    fn prepare(&mut self, bytes: usize) {
        let fresh = Store::new(bytes);
        if fresh.bytes() != self.store.bytes() {
            self.store = fresh;
        } else if !self.tree.options().keep {
            self.store.forget();
        }
        self.store.grow_older();
    }
}

impl<G, Playout, Prior, Tactic> Engine<G> for Hybrid<G, Playout, Prior, Tactic>
where
    G: Indexed + Keyed + Finite,
    Playout: PlayoutPolicy<G> + Clone,
    Prior: Priors<G> + Clone,
    Tactic: ProofTactics<G> + Clone,
{
    fn search(&mut self, root: &G, limits: &Limits, context: SearchContext<'_, G::Move>) -> Report<G::Move> {
        framed(root, limits, context, |meter, seed, watch| {
            let bytes = limits.bytes.unwrap_or(usize::MAX).min(self.tree.options().bytes);
            self.prepare(bytes / 2);
            let Self { tree, store, .. } = self;
            let (options, tactics) = (self.options, tree.own_tactics().clone());
            let probe = || Probe::new(tactics.clone(), store, options);
            let mut report = tree.go(root, meter, seed, watch, &probe, bytes - store.bytes());
            report.bytes += store.bytes();
            report
        })
    }

    /// Drops tree and table, as [`clear`](Self::clear).
    fn new_game(&mut self) {
        self.clear();
    }

    /// The parameters of the tree, and `probe_after` and `probe_nodes` of the [`HybridOptions`].
    fn parameters(&self) -> Vec<Parameter> {
        let mut parameters = self.tree.parameters();
        parameters.extend(NumericOption::parameters(NUMERIC_OPTIONS, &self.options));
        parameters
    }

    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), ParameterError> {
        Parameter::find(&self.parameters(), name, value)?;
        if NUMERIC_OPTIONS.iter().all(|option| option.parameter.name != name) {
            return self.tree.set_parameter(name, value);
        }
        self.options = NumericOption::with_value(NUMERIC_OPTIONS, &self.options, name, value, |_| Ok(()))?;
        Ok(())
    }
}

impl<G, Playout, Prior, Tactic> fmt::Debug for Hybrid<G, Playout, Prior, Tactic> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hybrid")
            .field("tree", &self.tree)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
