//! [`Engine`]: the interface that all searches share, and [`SearchContext`].

use std::fmt;

use stonework_game::Game;

use crate::limits::{Limits, Stop};
use crate::meter::Meter;
use crate::parameter::{Parameter, ParameterError};
use crate::report::Report;

/// A search engine for a game. The trait is object-safe for a fixed game.
///
/// The everyday call is [`think`](Engine::think). The full call has a seed and a watcher:
///
/// ```
/// use stonework_engine::{Engine, Limits, SearchContext};
/// use stonework_game::example::Nim;
/// /// The number of reports of a search from seed 3.
/// fn reports(engine: &mut dyn Engine<Nim>) -> usize {
///     let mut reports = 0;
///     let limits = Limits::none().nodes(100);
///     engine.search(&Nim::new(7), &limits, SearchContext::seed(3).watch(&mut |_| reports += 1));
///     reports
/// }
/// ```
pub trait Engine<G: Game>: Send {
    /// Searches a position within the limits and returns the final report. All random choices come from the
    /// context's seed. The search calls the context's watcher with a report whenever there are new findings.
    ///
    /// If the root is over, or if the limits allow no work, the report says so; the search does not panic.
    fn search(&mut self, root: &G, limits: &Limits, context: SearchContext<'_, G::Move>) -> Report<G::Move>;

    /// Searches a position within the limits, with seed 0 and without a watcher.
    fn think(&mut self, root: &G, limits: &Limits) -> Report<G::Move> {
        self.search(root, limits, SearchContext::default())
    }

    /// Forgets the searches before, for a new game: the next search finds no tree and no table of theirs. As provided, the call does
    /// nothing, for an engine that keeps nothing from search to search. An engine that contains another one passes the call on.
    fn new_game(&mut self) {}

    /// The engine's parameters, for tuning; none by default.
    fn parameters(&self) -> Vec<Parameter> {
        Vec::new()
    }

    /// Sets one of the engine's [parameters](Engine::parameters).
    ///
    /// # Errors
    /// An error if the engine does not have the parameter, or if the value is out of the parameter's range; the
    /// engine is then unchanged.
    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), ParameterError> {
        Parameter::read_only(&self.parameters(), name, value)
    }
}

/// A boxed engine is an engine.
impl<G: Game, Inner: Engine<G> + ?Sized> Engine<G> for Box<Inner> {
    fn search(&mut self, root: &G, limits: &Limits, context: SearchContext<'_, G::Move>) -> Report<G::Move> {
        (**self).search(root, limits, context)
    }

    fn think(&mut self, root: &G, limits: &Limits) -> Report<G::Move> {
        (**self).think(root, limits)
    }

    fn new_game(&mut self) {
        (**self).new_game();
    }

    fn parameters(&self) -> Vec<Parameter> {
        (**self).parameters()
    }

    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), ParameterError> {
        (**self).set_parameter(name, value)
    }
}

/// The seed of one search and the watcher of its reports.
pub struct SearchContext<'a, M> {
    /// The seed of all random choices. Engines without random choices ignore it.
    pub seed: u64,
    /// The watcher, which the search calls with a report whenever there are new findings.
    pub watch: Option<&'a mut Watch<'a, M>>,
}

/// A watcher: a function that is called with reports.
pub type Watch<'a, M> = dyn FnMut(&Report<M>) + 'a;

impl<'a, M> SearchContext<'a, M> {
    /// A seed and no watcher.
    #[must_use]
    pub const fn seed(seed: u64) -> Self {
        Self { seed, watch: None }
    }

    /// Sets the watcher.
    #[must_use]
    pub fn watch(self, watch: &'a mut dyn FnMut(&Report<M>)) -> Self {
        Self { watch: Some(watch), ..self }
    }

    /// Returns [`Report::over`] if the root is over, after a call of the watcher with this report. Otherwise runs
    /// `search` with a meter of the limits and with the watcher, and returns its report.
    ///
    /// Most engines begin with this call. The watcher gets the reports that `search` hands to it; the returned
    /// report is not handed to the watcher once more.
    ///
    /// A search that ends without a move for [want of memory](Stop::Memory) gets the first legal move as its best one, of
    /// unknown value: a player can always move.
    pub fn unless_over<G: Game<Move = M>>(
        self,
        root: &G,
        limits: &Limits,
        search: impl FnOnce(&Meter<'_>, &mut dyn FnMut(&Report<M>)) -> Report<M>,
    ) -> Report<M>
    where
        M: Copy,
    {
        let mut ignore = |_: &Report<M>| {};
        let watch: &mut dyn FnMut(&Report<M>) = match self.watch {
            Some(watch) => watch,
            None => &mut ignore,
        };
        if let Some(outcome) = root.outcome() {
            let report = Report::over(outcome, root.to_move());
            watch(&report);
            return report;
        }
        let mut report = search(&Meter::new(limits), watch);
        if report.best.is_none() && report.stopped == Some(Stop::Memory) {
            report.choose(root.moves().first().copied());
        }
        report
    }
}

/// Seed 0 and no watcher.
impl<M> Default for SearchContext<'_, M> {
    fn default() -> Self {
        Self::seed(0)
    }
}

impl<M> fmt::Debug for SearchContext<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchContext")
            .field("seed", &self.seed)
            .field("watched", &self.watch.is_some())
            .finish_non_exhaustive()
    }
}
