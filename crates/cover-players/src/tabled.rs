//! [`Tabled`]: an evaluator with tables of endings.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use stonework_cover::Position;
use stonework_game::{Game, Outcome};
use stonework_search::{Evaluator, Limits, Parameter};

use crate::weighted::Weighted;
use crate::{Endings, Space};

/// An evaluator with tables of endings beside it. A value of a table ends a line of the search ([`Evaluator::exact`]).
///
/// The evaluator has two tables: the table of [`give`](Tabled::give), and the [shared](Endings::shared) table of one
/// stone against one, which [`share`](Tabled::share) turns on and off. The given table comes first. The shared table
/// is solved when a search first meets a position of one stone against one, and the search waits for it. After
/// [`heed`](Tabled::heed) a search with a limit of time does not wait, and goes on without the table until it is solved;
/// [`WeightedSearch`](crate::WeightedSearch) calls `heed` before each search.
///
/// ```
/// use stonework_cover::Setup;
/// use stonework_game::Game;
/// use stonework_cover_players::{StepOrder, Tabled, WeightedTerms};
/// use stonework_search::{AlphaBeta, AlphaBetaOptions, Engine, Limits, Value};
/// let mut engine = AlphaBeta::new(Tabled::new(WeightedTerms::new()), AlphaBetaOptions::new())?.order(StepOrder);
/// let position = Setup::from_board(2, "[A02]x[E07]")?.position()?;
/// let report = engine.think(&position, &Limits::none().depth(1));
/// assert_eq!(report.value, Value::Win(23));
/// assert_eq!(report.line().len(), 23);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tabled<E> {
    own: E,
    given: Option<Endings>,
    share: bool,
    /// The shared table of the last look-up.
    shared: Option<Endings>,
    /// `true` if the search has a limit of time, and so does not wait for a table; `cancel` is the flag that ends the
    /// waiting.
    timed: bool,
    cancel: Option<Arc<AtomicBool>>,
}

impl<E> Tabled<E> {
    /// The evaluator `own` with the shared table of one stone against one.
    #[must_use]
    pub const fn new(own: E) -> Self {
        Self { own, given: None, share: true, shared: None, timed: false, cancel: None }
    }

    /// Sets the table that comes first, between searches.
    pub fn give(&mut self, endings: Endings) {
        self.given = Some(endings);
    }

    /// The same evaluator with the shared table (`true`) or without (`false`).
    #[must_use]
    pub fn sharing(self, share: bool) -> Self {
        Self { share, ..self }
    }

    /// Turns the shared table on or off, between searches.
    pub const fn share(&mut self, share: bool) {
        self.share = share;
    }

    /// `true` if the shared table is on.
    #[must_use]
    pub const fn shares(&self) -> bool {
        self.share
    }

    /// Sets the limits of the next search. With a limit of time, the evaluator does not wait for a table; a set cancel flag
    /// ends the waiting.
    pub fn heed(&mut self, limits: &Limits) {
        self.timed = limits.time.is_some();
        self.cancel.clone_from(&limits.cancel);
    }

    fn look_up_shared(&mut self, game: &Position) -> Option<(Outcome, u32)> {
        if !self.share || game.stone_count(game.to_move()) + game.stone_count(game.to_move().other()) > 2 {
            return None;
        }
        let fits = |space: &Space| space.size() == game.size() && space.options() == game.options();
        if !self.shared.as_ref().is_some_and(|endings| fits(endings.space())) {
            let cancelled = || self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
            let wait = &mut || !self.timed && !cancelled();
            self.shared = Some(Endings::shared(game.size(), game.options(), wait)?);
        }
        look_up(self.shared.as_ref()?, game)
    }
}

/// The outcome of a position by a table, and its distance in plies.
fn look_up(endings: &Endings, game: &Position) -> Option<(Outcome, u32)> {
    let value = endings.value(game)?;
    Some((value.outcome(game.to_move()), value.distance().map_or(0, u32::from)))
}

impl<E: Evaluator<Position>> Evaluator<Position> for Tabled<E> {
    fn evaluate(&mut self, game: &Position) -> i32 {
        self.own.evaluate(game)
    }

    fn exact(&mut self, game: &Position) -> Option<(Outcome, u32)> {
        let given = self.given.as_ref().and_then(|endings| look_up(endings, game));
        given.or_else(|| self.look_up_shared(game))
    }
}

/// The weights of the evaluator.
impl<E: Weighted> Weighted for Tabled<E> {
    fn weights(&self) -> Vec<Parameter> {
        self.own.weights()
    }

    fn weigh(&mut self, name: &str, value: i32) {
        self.own.weigh(name, value);
    }
}
