//! [`Tabled`]: an evaluator that asks tables of endings.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use stonework_cover::Position;
use stonework_game::{Game, Outcome};
use stonework_search::{Evaluator, Limits, Parameter};

use crate::weighed::Weigh;
use crate::{Endings, Space};

/// An evaluator with tables of endings beside it: what they know ends a line of the search
/// ([`Evaluator::exact`]).
///
/// A table that it was [given](Tabled::give) is asked first, then, unless it is [turned off](Tabled::share), the
/// [shared](Endings::shared) one of a stone against a stone, which is made when a search first meets
/// such a position. A search with a limit of time does not wait for that: it goes on without until the table is there.
///
/// ```
/// use stonework_cover::Setup;
/// use stonework_game::Game;
/// use stonework_cover_players::{Kinds, Tabled, WeightedTerms};
/// use stonework_search::{AlphaBeta, AlphaBetaOptions, Engine, Limits, Value};
/// let mut engine = AlphaBeta::new(Tabled::new(WeightedTerms::new()), AlphaBetaOptions::new())?.order(Kinds);
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
    /// The shared table that was asked last.
    shared: Option<Endings>,
    /// Whether a search can wait for a table that is being made, and what ends the waiting.
    hurry: bool,
    cancel: Option<Arc<AtomicBool>>,
}

impl<E> Tabled<E> {
    /// With the shared table of one stone against one.
    #[must_use]
    pub const fn new(own: E) -> Self {
        Self { own, given: None, share: true, shared: None, hurry: false, cancel: None }
    }

    /// Is given a table, between searches; where it has no answer, the shared one is asked.
    pub fn give(&mut self, endings: Endings) {
        self.given = Some(endings);
    }

    /// Whether the shared table is asked.
    #[must_use]
    pub fn sharing(self, share: bool) -> Self {
        Self { share, ..self }
    }

    /// As [`sharing`](Tabled::sharing), between searches.
    pub const fn share(&mut self, share: bool) {
        self.share = share;
    }

    /// Whether the shared table is asked.
    #[must_use]
    pub const fn shares(&self) -> bool {
        self.share
    }

    /// Learns what the next search may cost: with a limit of time there is no waiting for a table, and when the cancel
    /// flag is set the waiting ends.
    pub fn heed(&mut self, limits: &Limits) {
        self.hurry = limits.time.is_some();
        self.cancel.clone_from(&limits.cancel);
    }

    fn ask_shared(&mut self, game: &Position) -> Option<(Outcome, u32)> {
        if !self.share || game.stone_count(game.to_move()) + game.stone_count(game.to_move().other()) > 2 {
            return None;
        }
        let fits = |space: &Space| space.size() == game.size() && space.options() == game.options();
        if !self.shared.as_ref().is_some_and(|endings| fits(endings.space())) {
            let cancelled = || self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
            let wait = &mut || !self.hurry && !cancelled();
            self.shared = Some(Endings::shared(game.size(), game.options(), wait)?);
        }
        known(self.shared.as_ref()?, game)
    }
}

fn known(endings: &Endings, game: &Position) -> Option<(Outcome, u32)> {
    let value = endings.value(game)?;
    Some((value.outcome(game.to_move()), value.distance().map_or(0, u32::from)))
}

impl<E: Evaluator<Position>> Evaluator<Position> for Tabled<E> {
    fn evaluate(&mut self, game: &Position) -> i32 {
        self.own.evaluate(game)
    }

    fn exact(&mut self, game: &Position) -> Option<(Outcome, u32)> {
        let given = self.given.as_ref().and_then(|endings| known(endings, game));
        given.or_else(|| self.ask_shared(game))
    }
}

/// The weights of the evaluator.
impl<E: Weigh> Weigh for Tabled<E> {
    fn weights(&self) -> Vec<Parameter> {
        self.own.weights()
    }

    fn weigh(&mut self, name: &str, value: i32) {
        self.own.weigh(name, value);
    }
}
