//! [`Ponderer`]: a player that thinks in the background while the other side does.

use std::fmt;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use stonework_game::Game;

use crate::Agent;

/// A player with a thread of its own for the time of the other side.
///
/// [`ponder`](Self::ponder) starts to think about the position in which the other side is to move, and returns at once.
/// [`agent`](Self::agent) ends the thought and gives the player back, within a few milliseconds
/// for an agent that keeps [its promise](Agent::ponder). So the player has at most one thought at a time, and a program that
/// never calls `ponder` never has a second thread. A dropped `Ponderer` waits for its thread.
///
/// ```
/// use stonework_game::Game;
/// use stonework_game::example::Nim;
/// use stonework_roster::{Agent, Clock, Decision, EngineAgent, Ponderer};
/// use stonework_search::{Limits, Mcts, MctsOptions, RandomPlayout};
/// let engine = Mcts::new(RandomPlayout::new(100), MctsOptions::uct().keep(true))?;
/// let mut player = Ponderer::new(Box::new(EngineAgent::new(engine, Limits::none().simulations(100), 1)));
/// let mut game = Nim::new(40);
/// let Some(Decision::Play(mv)) = player.agent().decide(&game, &Clock::NONE) else { panic!("it gives up") };
/// game.play(mv)?;
/// player.ponder(&game);
/// // The other side thinks, and moves:
/// game.play(2)?;
/// assert!(player.agent().decide(&game, &Clock::NONE).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Ponderer<G: Game> {
    /// Shared with the thread of a thought, and only then.
    agent: Arc<Mutex<Box<dyn Agent<G>>>>,
    thought: Option<Thought>,
}

/// A thread that thinks, and the flag that ends it.
struct Thought {
    until: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl<G: Game> fmt::Debug for Ponderer<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ponderer").field("is_pondering", &self.is_pondering()).finish_non_exhaustive()
    }
}

impl<G: Game> Ponderer<G> {
    /// A player that does not think yet.
    #[must_use]
    pub fn new(agent: Box<dyn Agent<G>>) -> Self {
        Self { agent: Arc::new(Mutex::new(agent)), thought: None }
    }

    /// The player, after the end of its thought.
    ///
    /// # Panics
    /// If the player has panicked while it thought.
    pub fn agent(&mut self) -> &mut Box<dyn Agent<G>> {
        if let Err(panic) = self.stop() {
            resume_unwind(panic);
        }
        let agent = Arc::get_mut(&mut self.agent).expect("the thread has ended and dropped its share");
        agent.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the thought, if there is one, and waits for its thread.
    fn stop(&mut self) -> thread::Result<()> {
        let Some(Thought { until, thread }) = self.thought.take() else { return Ok(()) };
        until.store(true, Ordering::Relaxed);
        thread.join()
    }

    /// `true` while the player thinks in the background.
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.thought.as_ref().is_some_and(|thought| !thought.thread.is_finished())
    }
}

impl<G: Game + 'static> Ponderer<G> {
    /// Starts to think about a position in which the other side is to move; a thought about another position ends. Where the
    /// system has no thread left, the player does not think.
    ///
    /// # Panics
    /// If the player has panicked while it thought before.
    pub fn ponder(&mut self, game: &G) {
        self.agent();
        let until = Arc::new(AtomicBool::new(false));
        let (agent, flag, game) = (Arc::clone(&self.agent), Arc::clone(&until), game.clone());
        let think = move || {
            let mut agent = agent.lock().unwrap_or_else(PoisonError::into_inner);
            agent.ponder(&game, &flag);
        };
        let thread = thread::Builder::new().name("ponder".to_owned()).spawn(think);
        self.thought = thread.ok().map(|thread| Thought { until, thread });
    }
}

/// Ends the thought and waits for its thread.
impl<G: Game> Drop for Ponderer<G> {
    fn drop(&mut self) {
        // A panic of the thread has been reported by the thread.
        let _ = self.stop();
    }
}
