//! [`Agent`]: a player of whole games.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use stonework_engine::{Engine, Limits, Parameter, ParameterError, Report, SearchContext, WIN};
use stonework_game::Game;

/// The time that a side has left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// The time left: for the next `moves` moves, or for the rest of the game. `None`: no clock runs.
    pub left: Option<Duration>,
    /// The time that is added after each move.
    pub increment: Duration,
    /// The number of moves that `left` must last for; `None`: all moves of the rest of the game.
    pub moves: Option<u32>,
}

impl Clock {
    /// No clock.
    pub const NONE: Self = Self { left: None, increment: Duration::ZERO, moves: None };

    /// The time to think about one move, if this side may have `moves` more moves in the game: an even share of the
    /// time left plus nine tenths of the increment, but at most nine tenths of the time left. If
    /// [`Clock::moves`] is set, it replaces `moves`. `None` without a clock.
    ///
    /// ```
    /// use std::time::Duration;
    /// use stonework_roster::Clock;
    /// let clock = Clock { left: Some(Duration::from_secs(100)), ..Clock::NONE };
    /// assert_eq!(clock.share(50), Some(Duration::from_secs(2)));
    /// assert_eq!(clock.share(0), Some(Duration::from_secs(90)));
    /// let endless = Clock { left: Some(Duration::MAX), ..Clock::NONE };
    /// assert!(endless.share(1).is_some_and(|share| endless.most(share) >= share));
    /// ```
    #[must_use]
    pub fn share(&self, moves: u32) -> Option<Duration> {
        let left = self.left?;
        let moves = self.moves.unwrap_or(moves).max(1);
        Some((left / moves).saturating_add(nine_tenths(self.increment)).min(nine_tenths(left)))
    }

    /// The most time to think about a move whose [share](Self::share) of the clock is `share`, for a move in doubt: three
    /// shares, but beyond the share itself at most a quarter of the time left.
    ///
    /// ```
    /// use std::time::Duration;
    /// use stonework_roster::Clock;
    /// let clock = |seconds| Clock { left: Some(Duration::from_secs(seconds)), ..Clock::NONE };
    /// assert_eq!(clock(100).most(Duration::from_secs(2)), Duration::from_secs(6));
    /// assert_eq!(clock(8).most(Duration::from_secs(2)), Duration::from_secs(2));
    /// ```
    #[must_use]
    pub fn most(&self, share: Duration) -> Duration {
        share.saturating_mul(3).min(self.left.unwrap_or(Duration::MAX) / 4).max(share)
    }
}

fn nine_tenths(time: Duration) -> Duration {
    time.saturating_sub(time / 10)
}

/// The decision of an agent on its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision<M> {
    /// This move. In a game with a swap, the swap is a move.
    Play(M),
    /// The resignation.
    Resign,
}

/// A player of whole games. An agent may keep findings from move to move, and shares out the time on its clock.
///
/// The trait is object-safe for a fixed game.
pub trait Agent<G: Game>: Send {
    /// Forgets the last game: trees and tables of its searches, too.
    fn new_game(&mut self);

    /// The decision in a position; `None` if the game is over.
    fn decide(&mut self, game: &G, clock: &Clock) -> Option<Decision<G::Move>>;

    /// Thinks about a position in which the other side is to move, until the flag is set or nothing is left to find, and keeps
    /// the findings for the next decision. After the flag is set the call returns within a few milliseconds. The agent's
    /// [report](Agent::report) and its random choices stay as they are. As provided, the call does nothing.
    /// [`Ponderer`](crate::Ponderer) makes the call in a thread.
    fn ponder(&mut self, _game: &G, _until: &Arc<AtomicBool>) {}

    /// The search behind the last decision; `None` unless the agent searches.
    fn report(&self) -> Option<&Report<G::Move>> {
        None
    }

    /// The agent's parameters, for tuning; none by default.
    fn parameters(&self) -> Vec<Parameter> {
        Vec::new()
    }

    /// Sets one of the agent's [parameters](Agent::parameters).
    ///
    /// # Errors
    /// An error if the agent does not have the parameter, or if the value is out of the parameter's range; the
    /// agent is then unchanged.
    fn set_parameter(&mut self, parameter: &str, value: f64) -> Result<(), ParameterError> {
        Parameter::read_only(&self.parameters(), parameter, value)
    }
}

/// A boxed agent is an agent.
impl<G: Game, T: Agent<G> + ?Sized> Agent<G> for Box<T> {
    fn new_game(&mut self) {
        (**self).new_game();
    }

    fn decide(&mut self, game: &G, clock: &Clock) -> Option<Decision<G::Move>> {
        (**self).decide(game, clock)
    }

    fn ponder(&mut self, game: &G, until: &Arc<AtomicBool>) {
        (**self).ponder(game, until);
    }

    fn report(&self) -> Option<&Report<G::Move>> {
        (**self).report()
    }

    fn parameters(&self) -> Vec<Parameter> {
        (**self).parameters()
    }

    fn set_parameter(&mut self, parameter: &str, value: f64) -> Result<(), ParameterError> {
        (**self).set_parameter(parameter, value)
    }
}

/// An engine as an agent. A search ends at the fixed limits or at the [share](Clock::share) of the clock, whichever comes
/// first. An engine that judges whether its best move is settled ([`Limits::enough`](field@Limits::enough)) ends before the share
/// of the clock where more time changes nothing, and after it, [at most three times as late](Clock::most), where its move is in
/// doubt. The agent resigns after searches with low values if [`resigning`](Self::resigning) says so.
///
/// ```
/// use stonework_game::example::Nim;
/// use stonework_roster::{Agent, Clock, Decision, EngineAgent};
/// use stonework_search::{Limits, Minimax};
/// let mut agent = EngineAgent::new(Minimax::new(()), Limits::none(), 1);
/// assert_eq!(agent.decide(&Nim::new(7), &Clock::NONE), Some(Decision::Play(1)));
/// let mut agent = agent.resigning(-900_000, 1);
/// assert_eq!(agent.decide(&Nim::new(6), &Clock::NONE), Some(Decision::Resign));
/// ```
#[derive(Clone, Debug)]
pub struct EngineAgent<G: Game, E> {
    engine: E,
    limits: Limits,
    seed: u64,
    /// The number of moves that the agent has made in this game.
    decided: u32,
    /// The value at or below which a search is hopeless, and the number of hopeless searches in a row after which the
    /// agent resigns; 0: never.
    resign: (i32, u32),
    /// The number of hopeless searches in a row so far.
    hopeless: u32,
    /// The number of its own moves that the agent expects in a game; `None`: the game tells.
    length: Option<u32>,
    /// `true` if every search ends at its share of the clock.
    even: bool,
    last: Option<Report<G::Move>>,
}

impl<G: Game, E: Engine<G>> EngineAgent<G, E> {
    /// An agent that searches each move within `limits`. The seed of a search is `seed` plus the number of the agent's earlier
    /// moves in this game.
    #[must_use]
    pub const fn new(engine: E, limits: Limits, seed: u64) -> Self {
        Self {
            engine,
            limits,
            seed,
            decided: 0,
            resign: (-WIN, 0),
            hopeless: 0,
            length: None,
            even: false,
            last: None,
        }
    }

    /// Makes the agent resign after `times` searches in a row with a value of at most `value`; 0 times: never.
    #[must_use]
    pub const fn resigning(mut self, value: i32, times: u32) -> Self {
        self.resign = (value, times);
        self
    }

    /// Sets the number of its own moves that the agent expects in a game, by which it shares out the clock. Unless set, the
    /// agent expects half of the [plies that the game expects](Game::expected_plies) in each position, or 40 moves in a game
    /// that expects none.
    #[must_use]
    pub const fn expecting(mut self, moves: u32) -> Self {
        self.length = Some(moves);
        self
    }

    /// The engine.
    #[must_use]
    pub const fn engine(&self) -> &E {
        &self.engine
    }

    /// The limits of one move.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The number of its own moves, from this one on, that the agent expects.
    fn to_come(&self, game: &G) -> u32 {
        let plies = if self.length.is_none() { game.expected_plies() } else { None };
        if let Some(plies) = plies {
            return plies.div_ceil(2).max(1);
        }
        let length = self.length.unwrap_or(USUAL_LENGTH);
        // At least a quarter of the expected moves counts as still to come, also in a long game.
        length.saturating_sub(self.decided).max(length / 4).max(1)
    }

    /// Searches within the limits and the share of the clock.
    fn think(&mut self, game: &G, clock: &Clock) -> Report<G::Move> {
        let mut limits = self.limits.clone();
        if let Some(share) = clock.share(self.to_come(game)) {
            let own = limits.time.unwrap_or(Duration::MAX);
            if self.even {
                limits.time = Some(share.min(own));
            } else {
                let most = clock.most(share).min(own);
                (limits.time, limits.enough) = (Some(most), Some(share.min(own)));
            }
        }
        let seed = self.seed.wrapping_add(u64::from(self.decided));
        self.decided += 1;
        self.engine.search(game, &limits, SearchContext::seed(seed))
    }

    /// The agent's parameters, without those of the engine.
    fn own_parameters(&self) -> [Parameter; 6] {
        let [nodes, simulations, seconds] = limit_parameters(&self.limits);
        [
            nodes,
            simulations,
            seconds,
            Parameter::whole(
                "resign_at",
                "value at or below which a search is hopeless",
                self.resign.0.into(),
                (-WIN).into(),
                WIN.into(),
            ),
            Parameter::whole(
                "resign_after",
                "hopeless searches in a row before resigning; 0: never",
                self.resign.1.into(),
                0.0,
                1000.0,
            ),
            Parameter::whole(
                "even_time",
                "on a clock each search takes its share",
                f64::from(u8::from(self.even)),
                0.0,
                1.0,
            ),
        ]
    }
}

/// The limits of a search as parameters of a player.
pub(crate) fn limit_parameters(limits: &Limits) -> [Parameter; 3] {
    let count = |limit: Option<u64>| limit.map_or(0.0, |n| n as f64);
    let seconds = limits.time.map_or(0.0, |time| time.as_secs_f64());
    let [nodes, simulations] = [limits.nodes, limits.simulations].map(count);
    [
        Parameter::whole("nodes", "most positions of a search; 0: no limit", nodes, 0.0, MOST_COUNT),
        Parameter::whole(
            "simulations",
            "most simulations of a search; 0: no limit",
            simulations,
            0.0,
            MOST_COUNT,
        ),
        Parameter::new("seconds", "most seconds of a search; 0: no limit", seconds, 0.0, MOST_SECONDS),
    ]
}

/// Sets the limit of a parameter of [`limit_parameters`], whose value is in range. `false` if it is none of them.
pub(crate) fn set_limit(limits: &mut Limits, parameter: &str, value: f64) -> bool {
    let count = (value > 0.0).then_some(value as u64);
    match parameter {
        "nodes" => limits.nodes = count,
        "simulations" => limits.simulations = count,
        "seconds" => limits.time = (value > 0.0).then(|| Duration::from_secs_f64(value)),
        _ => return false,
    }
    true
}

/// The longest thought in the time of the other side: a forgotten program does not take a processor for ever.
const MOST_PONDERING: Duration = Duration::from_secs(600);
/// The distance of the seed of such a thought from the seed of the next decision.
const PONDERING: u64 = 1 << 63;
/// The number of its own moves that an agent expects in a game that does not know.
const USUAL_LENGTH: u32 = 40;
/// The greatest limit of nodes or simulations that a parameter accepts, 2⁵³: an `f64` holds every whole number up to
/// this one exactly.
const MOST_COUNT: f64 = 9_007_199_254_740_992.0;
/// The greatest limit of seconds that a parameter accepts: a day.
const MOST_SECONDS: f64 = 86_400.0;

impl<G: Game, E: Engine<G>> Agent<G> for EngineAgent<G, E> {
    fn new_game(&mut self) {
        (self.decided, self.hopeless, self.last) = (0, 0, None);
        self.engine.new_game();
    }

    /// The decision; the first legal move if the search ends without a move.
    fn decide(&mut self, game: &G, clock: &Clock) -> Option<Decision<G::Move>> {
        if game.outcome().is_some() {
            return None;
        }
        let report = self.think(game, clock);
        let (value, times) = self.resign;
        self.hopeless = if report.value.score() <= value { self.hopeless + 1 } else { 0 };
        let best = report.best;
        self.last = Some(report);
        if times > 0 && self.hopeless >= times {
            return Some(Decision::Resign);
        }
        let first = || {
            let moves = game.moves();
            moves.first().copied()
        };
        best.or_else(first).map(Decision::Play)
    }

    /// Searches the position with the agent's memory until the flag is set, at most for ten minutes. An engine that keeps its
    /// tree or its table goes on with it in the next decision; for another engine the search is lost.
    fn ponder(&mut self, game: &G, until: &Arc<AtomicBool>) {
        let Limits { bytes, depth, .. } = self.limits;
        // An engine may search in another way where simulations are counted, and keeps no tree from one way to the other.
        let simulations = self.limits.simulations.map(|_| u64::MAX);
        let limits = Limits {
            bytes,
            depth,
            simulations,
            ..Limits::none().time(MOST_PONDERING).cancel(Arc::clone(until))
        };
        let seed = self.seed.wrapping_add(u64::from(self.decided)).wrapping_add(PONDERING);
        self.engine.search(game, &limits, SearchContext::seed(seed));
    }

    fn report(&self) -> Option<&Report<G::Move>> {
        self.last.as_ref()
    }

    /// The agent's own parameters, `nodes`, `simulations`, `seconds`, `resign_at`, `resign_after` and `even_time`,
    /// and those of the engine.
    fn parameters(&self) -> Vec<Parameter> {
        let mut parameters = self.own_parameters().to_vec();
        parameters.extend(self.engine.parameters());
        parameters
    }

    fn set_parameter(&mut self, parameter: &str, value: f64) -> Result<(), ParameterError> {
        if !self.own_parameters().iter().any(|own| own.name == parameter) {
            // The error of an unknown name lists the parameters of the engine and of the agent.
            Parameter::find(&self.parameters(), parameter, value)?;
            return self.engine.set_parameter(parameter, value);
        }
        Parameter::find(&self.own_parameters(), parameter, value)?;
        match parameter {
            _ if set_limit(&mut self.limits, parameter, value) => {}
            "resign_at" => self.resign.0 = value as i32,
            "even_time" => self.even = value > 0.0,
            _ => self.resign.1 = value as u32,
        }
        Ok(())
    }
}
