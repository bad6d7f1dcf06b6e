//! [`Contestant`]: one side of a game, in this process or outside it. [`AgentContestant`]: a side in this process.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use stonework_engine::Parameter;
use stonework_game::{Game, Player};
use stonework_roster::{Agent, Clock, Decision, PlayerConfig, PlayerSpec, Roster};

/// The time that a side has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pace {
    /// No time from the referee: the side's own limits apply.
    #[default]
    Own,
    /// A time for each move.
    Move(Duration),
    /// A clock: a time for the game, and an increment after each move.
    Game {
        /// The time for the whole game.
        base: Duration,
        /// The increment after each move.
        increment: Duration,
    },
}

/// The terms of a game, the same for both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// The time to think.
    pub pace: Pace,
    /// The time by which a side may exceed its time for a move or its clock before the side loses the game. It allows
    /// for the cost of threads, pipes and a busy machine.
    pub grace: Duration,
    /// The time that a program has for each command without a time of its own: the start, the setup of a game, and,
    /// with [`Pace::Own`], the moves of the other side and the own decisions.
    pub patience: Duration,
    /// The number of plies after which the referee calls a draw, for games that may not end; `None` is no limit.
    pub max_plies: Option<u32>,
}

impl Default for Terms {
    /// Own limits, 2 seconds of grace, 30 seconds of patience, no limit of plies.
    fn default() -> Self {
        let (grace, patience) = (Duration::from_secs(2), Duration::from_secs(30));
        Self { pace: Pace::Own, grace, patience, max_plies: None }
    }
}

/// The reason why a side loses a game, other than by the rules. The match goes on.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The side played a move that the rules do not allow, or no move at all.
    #[error("illegal move \"{text}\": {why}")]
    Illegal {
        /// The move.
        text: String,
        /// The reason of the rules.
        why: String,
    },
    /// The side could not be started.
    #[error("does not start: {0}")]
    Start(String),
    /// The process of the side ended, or closed its output.
    #[error("died: {0}")]
    Died(String),
    /// The side panicked.
    #[error("panicked: {0}")]
    Panicked(String),
    /// The side took too long.
    #[error("timed out after {:.3} s, {:.3} s were allowed", taken.as_secs_f64(), allowed.as_secs_f64())]
    TimedOut {
        /// The time that the side took, or the time that the referee waited.
        taken: Duration,
        /// The time that the side had.
        allowed: Duration,
    },
    /// The side was stopped from outside: the game does not count.
    #[error("stopped")]
    Stopped,
    /// The side wrote output without end.
    #[error("flooded its output: {0}")]
    Flooded(String),
    /// The side broke the protocol, or refused a required command.
    #[error("protocol: {0}")]
    Protocol(String),
}

/// One side of a game.
///
/// The referee calls [`prepare`](Self::prepare) first. Then it calls [`receive`](Self::receive) for each move of the
/// opening and of the opponent, and [`choose`](Self::choose) for each move of the contestant itself, in the order of
/// the game. After a fault, the next call is the next `prepare`, which has to make the contestant ready again.
///
/// The referee's clock runs during `receive` and during `choose`. A call that takes longer than its `limit` loses the
/// game. The limit is the rest of the time for this move and of the grace. With [`Pace::Own`] the limit is the
/// patience, which the referee does not measure.
///
/// | side | contestant |
/// |---|---|
/// | an [`Agent`] of this process | [`AgentContestant`] |
/// | a program that speaks GTP | the result of [`GtpContestant::contestant`](crate::GtpContestant::contestant) |
pub trait Contestant<G: Game>: Send {
    /// Gets ready for a new game from `start`, as the given side, with random choices from `seed`.
    ///
    /// # Errors
    /// A fault if the contestant cannot play.
    fn prepare(&mut self, start: &G, side: Player, seed: u64, terms: &Terms) -> Result<(), Fault>;

    /// Receives a move in `game`. The move is legal, and the referee is about to play it.
    ///
    /// # Errors
    /// A fault if the contestant cannot go on.
    fn receive(&mut self, game: &G, mv: G::Move, limit: Duration) -> Result<(), Fault>;

    /// Decides in `game`, where the contestant is to move. The referee checks the move and plays it.
    ///
    /// # Errors
    /// A fault if the contestant has no answer.
    fn choose(&mut self, game: &G, clock: &Clock, limit: Duration) -> Result<Decision<G::Move>, Fault>;

    /// Thinks about `game`, in which the other side is to move, until the flag is set: [`Agent::ponder`]. As provided, the call
    /// does nothing: a program that ponders does so by itself. No [match](crate::play) calls this method.
    ///
    /// # Errors
    /// A fault if the contestant cannot go on.
    fn ponder(&mut self, _game: &G, _until: &Arc<AtomicBool>) -> Result<(), Fault> {
        Ok(())
    }

    /// The processor time of the contestant in this game, after `prepare`: for an agent its decisions, for a program
    /// everything that it does. `None` where this time is not available.
    fn cpu(&self) -> Option<Duration> {
        None
    }

    /// Says that this process does nothing else while the contestant decides: it plays no other game at the same time. So the
    /// processor time of the process is that of the contestant, with all its threads. As provided, the call does nothing.
    fn has_process(&mut self) {}
}

/// Makes an agent from a seed.
type Make<G> = Box<dyn FnMut(u64) -> Result<Box<dyn Agent<G>>, String> + Send>;

/// An agent of this process as a contestant.
///
/// A new agent is made for each game, from the game's seed, so that a game does not depend on earlier games. A panic
/// loses the game. One process cannot stop an agent that never returns; play an agent that may hang over GTP.
///
/// With [`Pace::Move`], the time is set as the agent's parameter `seconds`, unless that parameter already has a
/// smaller value. An agent without that parameter receives a clock with the time for one move.
///
/// [`cpu`](Contestant::cpu) is the time of the thread that asks the agent. The time of further threads of the agent is known only
/// if the contestant [has the process](Contestant::has_process) for itself; else it is left out, and `cpu` is `None` if the
/// agent's parameter `threads` is above 1.
pub struct AgentContestant<G: Game> {
    make: Make<G>,
    agent: Option<Box<dyn Agent<G>>>,
    /// The clock that the agent receives in place of [`Clock::NONE`].
    clock: Clock,
    cpu: Option<Duration>,
    has_process: bool,
}

impl<G: Game> AgentContestant<G> {
    /// A contestant that makes its agents by a function of the seed.
    #[must_use]
    pub fn new(make: impl FnMut(u64) -> Result<Box<dyn Agent<G>>, String> + Send + 'static) -> Self {
        Self { make: Box::new(make), agent: None, clock: Clock::NONE, cpu: None, has_process: false }
    }

    /// A contestant with the agents of a player of a roster. The seed of each game replaces the seed of the
    /// configuration.
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

impl<G: Game> AgentContestant<G> {
    /// The clock that the agent receives for a clock of the referee. A time for a move that the agent has by its clock stays the most
    /// that it takes: with the whole clock of a game it would take a share of that.
    fn clock_for(&self, clock: &Clock) -> Clock {
        match (clock.share(MOVES_TO_COME), self.clock.left) {
            (None, _) => self.clock,
            (Some(share), Some(most)) => Clock { left: Some(share.min(most)), ..self.clock },
            (Some(_), None) => *clock,
        }
    }
}

impl<G: Game> std::fmt::Debug for AgentContestant<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AgentContestant").field("clock", &self.clock).finish_non_exhaustive()
    }
}

impl<G: Game> Contestant<G> for AgentContestant<G> {
    fn prepare(&mut self, _: &G, _: Player, seed: u64, terms: &Terms) -> Result<(), Fault> {
        (self.clock, self.agent) = (Clock::NONE, None);
        self.cpu = thread_time().map(|_| Duration::ZERO);
        let mut agent = caught(|| (self.make)(seed))?.map_err(Fault::Start)?;
        if let Pace::Move(time) = terms.pace {
            self.clock = caught(|| shown(&mut *agent, time))?;
        }
        caught(|| agent.new_game())?;
        self.agent = Some(agent);
        Ok(())
    }

    fn receive(&mut self, _: &G, _: G::Move, _: Duration) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, game: &G, clock: &Clock, _: Duration) -> Result<Decision<G::Move>, Fault> {
        let clock = self.clock_for(clock);
        let Some(agent) = &mut self.agent else {
            return Err(Fault::Start("it was not made ready".to_owned()));
        };
        let time: fn() -> Option<Duration> = match self.has_process {
            true => process_time,
            false if caught(|| has_threads(&**agent))? => || None,
            false => thread_time,
        };
        let since = time();
        let decided = caught(|| agent.decide(game, &clock));
        let spent = since.and_then(|since| Some(time()?.saturating_sub(since)));
        self.cpu = self.cpu.zip(spent).map(|(sum, spent)| sum.saturating_add(spent));
        if decided.is_err() {
            self.agent = None;
        }
        let none = || Fault::Illegal { text: "none".to_owned(), why: "the game is not over".to_owned() };
        decided?.ok_or_else(none)
    }

    fn ponder(&mut self, game: &G, until: &Arc<AtomicBool>) -> Result<(), Fault> {
        let Some(agent) = &mut self.agent else { return Ok(()) };
        let pondered = caught(|| agent.ponder(game, until));
        if pondered.is_err() {
            self.agent = None;
        }
        pondered
    }

    fn cpu(&self) -> Option<Duration> {
        self.cpu
    }

    fn has_process(&mut self) {
        self.has_process = true;
    }
}

/// The number of moves for which a clock without a number of moves is shared out.
pub(crate) const MOVES_TO_COME: u32 = 20;

/// The processor time of this thread, where the system has this figure.
#[cfg(any(unix, windows))]
fn thread_time() -> Option<Duration> {
    cpu_time::ThreadTime::try_now().ok().map(|time| time.as_duration())
}

/// The processor time of all threads of this process, where the system has this figure.
#[cfg(any(unix, windows))]
fn process_time() -> Option<Duration> {
    cpu_time::ProcessTime::try_now().ok().map(|time| time.as_duration())
}

#[cfg(not(any(unix, windows)))]
fn thread_time() -> Option<Duration> {
    None
}

#[cfg(not(any(unix, windows)))]
fn process_time() -> Option<Duration> {
    None
}

/// `true` if an agent is set to search with several threads.
fn has_threads<G: Game>(agent: &dyn Agent<G>) -> bool {
    agent.parameters().iter().any(|parameter| parameter.name == "threads" && parameter.value > 1.0)
}

/// Limits an agent to a time for each move: by its parameter, or else by the clock that is returned.
fn shown<G: Game>(agent: &mut dyn Agent<G>, time: Duration) -> Clock {
    let seconds = time.as_secs_f64();
    // A parameter at 0 is no limit. An agent with a smaller limit keeps that limit.
    let less = |parameter: &Parameter| {
        parameter.name == "seconds" && parameter.value > 0.0 && parameter.value <= seconds
    };
    if agent.parameters().iter().any(less) || agent.set_parameter("seconds", seconds).is_ok() {
        return Clock::NONE;
    }
    Clock { left: Some(time), increment: Duration::ZERO, moves: Some(1) }
}

/// Runs a function that may panic. After a panic the agent is dropped, so that no call sees a half-changed agent.
fn caught<T>(run: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| Fault::Panicked(message(&*panic)))
}

/// The message of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").chars().take(200).collect()
}
