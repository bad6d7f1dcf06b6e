//! [`Expert`]: the strongest player.

use std::time::Duration;

use stonework_cachex::{Move, Position};
use stonework_game::Game;
use stonework_roster::{Agent, Clock, Decision};
use stonework_search::{
    AlphaBeta, AlphaBetaOptions, Engine, Limits, OptionsError, Parameter, ParameterError, Report,
    SearchContext,
};

use crate::budget::{Alarm, Budget, Watched, used};
use crate::{Blend, Currents, Noisy, Weights, opening};

/// The engine of the expert: alpha-beta with an evaluator, the move order [`Currents`], and a quiescence search along
/// [`Noisy`] moves, which its beam never drops.
pub(super) fn search<E>(
    evaluate: E,
    options: AlphaBetaOptions,
) -> Result<AlphaBeta<E, Currents, Noisy>, OptionsError> {
    let options =
        options.quiet_depth(QUIET_DEPTH).beam(BEAM).late_moves(LATE_AFTER, 1).aspiration(ASPIRATION);
    Ok(AlphaBeta::new(evaluate, options)?.order(Currents::new()).noisy_moves(Noisy))
}

const QUIET_DEPTH: u32 = 2;
const BEAM: usize = 14;
const LATE_AFTER: usize = 4;
const ASPIRATION: i32 = 60;

/// Alpha-beta with [`Blend`], a beam that never drops captures, wins or blocks, and a budget of time for the whole game.
///
/// The first stone comes from a table for n ≤ 7, and from the search on larger boards. The decision to steal is exact
/// for n = 3 and 4; on larger boards the search compares both branches. Values enter the transposition table only
/// within the position's horizon, so that no draw by repetition is mistaken.
///
/// Without other limits the budget of a game is n² seconds of processor time. Each move has a share of the budget, and
/// the player begins no iteration that would hardly end in time. Limits of nodes, depth or time, and a [`Clock`],
/// replace the budget. The cancel flag of the limits ends a search with either. One thread. Equal games and limits of nodes or depth
/// give equal moves: the table is kept from move to move.
///
/// ```
/// use stonework_cachex::Position;
/// use stonework_game::{Game, Textual};
/// use stonework_cachex_players::{Expert, Weights};
/// use stonework_roster::{Agent, Clock, Decision};
/// use stonework_search::Limits;
/// let mut expert = Expert::new(Weights::default(), Limits::none().nodes(2000), 1 << 20)?;
/// let mut game = Position::new(4)?;
/// game.play(game.parse_move("0,3")?)?;
/// let decision = expert.decide(&game, &Clock::NONE);
/// assert_eq!(decision, Some(Decision::Play(game.parse_move("steal")?)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Expert {
    weights: Weights,
    limits: Limits,
    engine: AlphaBeta<Watched<Blend>, Currents, Noisy>,
    alarm: Alarm,
    /// The budget of a game, as a multiple of n² seconds.
    part: f64,
    /// The time left for the game, and the size of its board.
    budget: Option<(u8, Budget)>,
    last: Option<Report<Move>>,
}

impl Expert {
    /// A player with `weights`, with `limits` for each move, and with a table of `table_bytes` bytes.
    ///
    /// # Errors
    /// The errors of [`AlphaBeta::new`], which accepts the options of this engine.
    pub fn new(weights: Weights, limits: Limits, table_bytes: usize) -> Result<Self, OptionsError> {
        let alarm = Alarm::new(limits.cancel.clone());
        let options = AlphaBetaOptions::new().bytes(table_bytes).keep(true);
        let engine = search(Self::evaluator(weights, &alarm), options)?;
        Ok(Self { weights, limits, engine, alarm, part: 1.0, budget: None, last: None })
    }

    /// Sets the budget of a game to `part` times n² seconds.
    #[must_use]
    pub const fn budgeted(mut self, part: f64) -> Self {
        self.part = part;
        self
    }

    fn evaluator(weights: Weights, alarm: &Alarm) -> Watched<Blend> {
        Watched::new(Blend::new(weights), alarm.clone())
    }

    /// The rest of this game's budget; `None` before the first move that takes from it.
    #[must_use]
    pub fn time_left(&self) -> Option<Duration> {
        self.budget.map(|(_, budget)| budget.left())
    }

    /// The expected number of own moves to come.
    fn to_come(game: &Position) -> u32 {
        let size = u32::from(game.size());
        ((size * size).saturating_sub(game.turns().into()) / 4).max(size)
    }

    /// Searches within the limits, the clock or the budget.
    fn think(&mut self, game: &Position, clock: &Clock) -> Report<Move> {
        let mut limits = self.limits.clone();
        let limited = limits.nodes.or(limits.depth.map(u64::from)).is_some() || limits.time.is_some();
        let share = clock.share(Self::to_come(game));
        if limited || share.is_some() {
            limits.time = limits.time.into_iter().chain(share).min();
            return self.engine.think(game, &limits);
        }
        let budget = match self.budget {
            Some((size, budget)) if size == game.size() => budget,
            _ => Budget::new(game.size(), self.part),
        };
        let (share, start) = (budget.share(Self::to_come(game)), used());
        let most = (3 * share).min(budget.share(4));
        let mut budget = budget;
        let mut report = match start {
            Some(start) => {
                self.alarm.set(Some(start + most));
                limits.cancel = Some(self.alarm.flag());
                let alarm = &self.alarm;
                let mut watch = |_: &Report<Move>| {
                    // The next iteration takes several times as long as all earlier ones.
                    if used().is_some_and(|now| now.saturating_sub(start) > share / 2) {
                        alarm.ring();
                    }
                };
                self.engine.search(game, &limits, SearchContext::default().watch(&mut watch))
            }
            // Without a count of processor time, the limit is elapsed time, which is never less.
            None => self.engine.think(game, &limits.time(share)),
        };
        let spent = match (start, used()) {
            (Some(start), Some(end)) => end.saturating_sub(start),
            _ => report.time,
        };
        budget.spend(spent);
        self.budget = Some((game.size(), budget));
        report.time = spent;
        report
    }
}

impl Agent<Position> for Expert {
    fn new_game(&mut self) {
        self.engine.clear();
        (self.budget, self.last) = (None, None);
    }

    /// The move of the search, or the first noisy or legal move if the search ends without a move.
    fn decide(&mut self, game: &Position, clock: &Clock) -> Option<Decision<Move>> {
        if game.outcome().is_some() {
            return None;
        }
        if let Some(mv) = opening::known(game) {
            self.last = None;
            return Some(Decision::Play(mv));
        }
        let plain = opening::without_steal(game);
        let report = self.think(plain.as_ref().unwrap_or(game), clock);
        let best = report.best;
        self.last = Some(report);
        let first = || {
            let mut moves = Vec::new();
            stonework_search::NoisyMoves::noisy_moves(&mut Noisy, game, &mut moves);
            game.legal_moves(&mut moves);
            moves.first().copied()
        };
        best.or_else(first).map(Decision::Play)
    }

    fn report(&self) -> Option<&Report<Move>> {
        self.last.as_ref()
    }

    /// The [weights](Weights::parameters) and the parameters of the engine.
    fn parameters(&self) -> Vec<Parameter> {
        let mut parameters = self.weights.parameters();
        parameters.extend(Engine::<Position>::parameters(&self.engine));
        parameters
    }

    fn set_parameter(&mut self, parameter: &str, value: f64) -> Result<(), ParameterError> {
        if Engine::<Position>::parameters(&self.engine).iter().any(|own| own.name == parameter) {
            return Engine::<Position>::set_parameter(&mut self.engine, parameter, value);
        }
        // An unknown name is refused with the list of all parameters, not only of the weights.
        Parameter::find(&self.parameters(), parameter, value)?;
        let mut weights = self.weights;
        weights.set_parameter(parameter, value)?;
        *self.engine.evaluator_mut() = Self::evaluator(weights, &self.alarm);
        // The table has values by the old weights.
        self.engine.clear();
        self.weights = weights;
        Ok(())
    }
}
