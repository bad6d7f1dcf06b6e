//! [`Contestant`]: one side of a game, wherever it thinks; [`AgentContestant`]: in this process.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use stonework_game::{Game, Player};
use stonework_roster::{Agent, Clock, Decision, PlayerConfig, PlayerSpec, Roster};
use stonework_search::Parameter;

/// How much time a side has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pace {
    /// As long as its own limits let it think.
    #[default]
    Own,
    /// So long for each move.
    Move(Duration),
    /// A clock: so much for the game, and so much more after each move.
    Game {
        /// For the whole game.
        base: Duration,
        /// Added after each move.
        increment: Duration,
    },
}

/// The terms of a game, the same for both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The time to think.
    pub pace: Pace,
    /// How far a move or clock may be overstepped before that loses the game: what starting threads,
    /// pipes and a busy machine cost.
    pub grace: Duration,
    /// How long a program may take for each command that no time is set for: to start, to set up a game, and, with
    /// [`Pace::Own`], to be told a move and to decide.
    pub patience: Duration,
    /// Plies after which the referee calls a draw, for games that may not end; `None`: never.
    pub max_plies: Option<u32>,
}

impl Default for Terms {
    /// Own limits, 2 seconds of grace, 30 seconds of patience, no limit of plies.
    fn default() -> Self {
        let (grace, patience) = (Duration::from_secs(2), Duration::from_secs(30));
        Self { pace: Pace::Own, grace, patience, max_plies: None }
    }
}

/// Why a side loses a game other than by the rules. The game is lost, the match goes on.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// It played a move that the rules do not allow, or no move at all.
    #[error("illegal move \"{text}\": {why}")]
    Illegal {
        /// What it played.
        text: String,
        /// What the rules say.
        why: String,
    },
    /// It could not be started.
    #[error("does not start: {0}")]
    Start(String),
    /// Its process ended, or closed its output.
    #[error("died: {0}")]
    Died(String),
    /// It panicked.
    #[error("panicked: {0}")]
    Panicked(String),
    /// It took too long.
    #[error("timed out after {:.3} s, {:.3} s were allowed", taken.as_secs_f64(), allowed.as_secs_f64())]
    TimedOut {
        /// How long it took, or was waited for.
        taken: Duration,
        /// How long it had.
        allowed: Duration,
    },
    /// It was stopped from outside: the game counts for nothing.
    #[error("stopped")]
    Stopped,
    /// It wrote without end.
    #[error("flooded its output: {0}")]
    Flooded(String),
    /// It did not keep to the protocol, or refused something that it has to do.
    #[error("protocol: {0}")]
    Protocol(String),
}

/// One side of a game.
///
/// The referee calls [`prepare`](Self::prepare), then [`told`](Self::told) for each move of the opening and
/// of the opponent and [`choose`](Self::choose) for each of its own, in the order of the game. After a fault
/// it is not called again but for the next `prepare`, which has to bring it back.
///
/// The referee's clock runs during `told` and `choose` alike. Both are given a `limit`: after so long the call has lost the
/// game. It is what is left of the time for this move and of the grace, or, with [`Pace::Own`], the patience, which the
/// referee does not measure.
///
/// | who plays | contestant |
/// |---|---|
/// | an [`Agent`] of this process | [`AgentContestant`] |
/// | a program that speaks GTP | what [`GtpContestant::contestant`](crate::GtpContestant::contestant) makes |
pub trait Contestant<G: Game>: Send {
    /// Gets ready for a new game from `start`, as the given side, with random choices from `seed`.
    ///
    /// # Errors
    /// If it cannot play.
    fn prepare(&mut self, start: &G, side: Player, seed: u64, terms: &Terms) -> Result<(), Fault>;

    /// Hears of a move in `game`, which is legal and about to be played.
    ///
    /// # Errors
    /// If it cannot go on.
    fn told(&mut self, game: &G, mv: G::Move, limit: Duration) -> Result<(), Fault>;

    /// Decides in `game`, in which it is to move. The referee checks the move and plays it.
    ///
    /// # Errors
    /// If it has no answer.
    fn choose(&mut self, game: &G, clock: &Clock, limit: Duration) -> Result<Decision<G::Move>, Fault>;

    /// The processor's time that it has taken in this game, after it was prepared: its decisions, and of a program
    /// whatever else it did; `None` where it cannot be had.
    fn cpu(&self) -> Option<Duration> {
        None
    }
}

/// Makes an agent from a seed.
type Make<G> = Box<dyn FnMut(u64) -> Result<Box<dyn Agent<G>>, String> + Send>;

/// An agent of this process as a contestant.
///
/// A new agent is made for each game, from the game's seed, so that a game does not depend on those before
/// it. A panic loses the game. An agent that never comes back cannot be stopped: in one process there is no
/// way to; agents that may hang are played over GTP.
///
/// With [`Pace::Move`] an agent that has the parameter `seconds` is turned to the time, unless it stands at less; any
/// other is shown a clock with so much left for one move.
pub struct AgentContestant<G: Game> {
    make: Make<G>,
    agent: Option<Box<dyn Agent<G>>>,
    /// What it is shown instead of no clock.
    clock: Clock,
    cpu: Option<Duration>,
}

impl<G: Game> AgentContestant<G> {
    /// A contestant whose agents come from a function of the seed.
    #[must_use]
    pub fn new(make: impl FnMut(u64) -> Result<Box<dyn Agent<G>>, String> + Send + 'static) -> Self {
        Self { make: Box::new(make), agent: None, clock: Clock::NONE, cpu: None }
    }

    /// A contestant whose agents are a player of a roster, with the seeds of the games in place of that of the configuration.
    ///
    /// ```
    /// use stonework_arena::{AgentContestant, Contestant, Terms, play};
    /// use stonework_game::{ByPlayer, Outcome, Player, example::Nim};
    /// use stonework_search::Minimax;
    /// use stonework_roster::{PlayerConfig, Roster, RosterEntry};
    /// let minimax = RosterEntry::engine("minimax", "the complete game tree", |_| Ok(Minimax::new(())));
    /// let (roster, config) = (Roster::<Nim>::new().with(minimax), PlayerConfig::default());
    /// let mut first = AgentContestant::of_roster("minimax".parse()?, &roster, &config);
    /// let mut second = AgentContestant::of_roster("minimax".parse()?, &roster, &config);
    /// let sides: ByPlayer<&mut dyn Contestant<Nim>> = ByPlayer::new(&mut first, &mut second);
    /// let stop = std::sync::atomic::AtomicBool::new(false);
    /// let played = play(&Nim::new(9), &[], sides, ByPlayer::new(1, 2), &Terms::default(), &stop)?;
    /// assert_eq!(played.outcome, Outcome::Win(Player::Second));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_roster(spec: PlayerSpec, roster: &Roster<G>, config: &PlayerConfig) -> Self
    where
        G: 'static,
    {
        let (roster, config) = (roster.clone(), config.clone());
        Self::new(move |seed| {
            let config = PlayerConfig { seed, ..config.clone() };
            spec.agent(&roster, &config).map_err(|error| error.to_string())
        })
    }
}

impl<G: Game> std::fmt::Debug for AgentContestant<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AgentContestant").field("clock", &self.clock).finish_non_exhaustive()
    }
}

impl<G: Game> Contestant<G> for AgentContestant<G> {
    fn prepare(&mut self, _: &G, _: Player, seed: u64, terms: &Terms) -> Result<(), Fault> {
        (self.clock, self.cpu, self.agent) = (Clock::NONE, None, None);
        let mut agent = caught(|| (self.make)(seed))?.map_err(Fault::Start)?;
        if let Pace::Move(time) = terms.pace {
            self.clock = caught(|| shown(&mut *agent, time))?;
        }
        caught(|| agent.new_game())?;
        self.agent = Some(agent);
        Ok(())
    }

    fn told(&mut self, _: &G, _: G::Move, _: Duration) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, game: &G, clock: &Clock, _: Duration) -> Result<Decision<G::Move>, Fault> {
        let clock = if clock.left.is_some() { *clock } else { self.clock };
        let Some(agent) = &mut self.agent else {
            return Err(Fault::Start("it was not made ready".to_owned()));
        };
        let since = thread_time();
        let decided = caught(|| agent.decide(game, &clock));
        let spent = since.and_then(|since| Some(thread_time()?.saturating_sub(since)));
        self.cpu = spent.map(|spent| self.cpu.unwrap_or_default() + spent);
        if decided.is_err() {
            self.agent = None;
        }
        let none = || Fault::Illegal { text: "none".to_owned(), why: "the game is not over".to_owned() };
        decided?.ok_or_else(none)
    }

    fn cpu(&self) -> Option<Duration> {
        self.cpu
    }
}

/// The processor's time that this thread has used, where the system tells.
#[cfg(any(unix, windows))]
fn thread_time() -> Option<Duration> {
    cpu_time::ThreadTime::try_now().ok().map(|time| time.as_duration())
}

#[cfg(not(any(unix, windows)))]
fn thread_time() -> Option<Duration> {
    None
}

/// Limits an agent to a time for each move: by its parameter, or else by the clock that is given back.
fn shown<G: Game>(agent: &mut dyn Agent<G>, time: Duration) -> Clock {
    let seconds = time.as_secs_f64();
    // A parameter at 0 is no limit; an agent that keeps to less keeps to less.
    let less = |parameter: &Parameter| {
        parameter.name == "seconds" && parameter.value > 0.0 && parameter.value <= seconds
    };
    if agent.parameters().iter().any(less) || agent.set_parameter("seconds", seconds).is_ok() {
        return Clock::NONE;
    }
    Clock { left: Some(time), increment: Duration::ZERO, moves: Some(1) }
}

/// Runs what may panic. After a panic the agent is thrown away, so that nobody sees it half changed.
fn caught<T>(run: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| Fault::Panicked(message(&*panic)))
}

/// What a panic says.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").chars().take(200).collect()
}
