//! Players and engines of a game, for positions of type [`AnyPosition`].

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use stonework_roster::Roster;
use stonework_roster::{Agent, Clock, Decision};
use stonework_search::{Engine, Limits, Parameter, ParameterError, Report, SearchContext};

use crate::{AnyMove, AnyPosition, Described};

/// The players of a game, for positions without its type.
///
/// ```
/// use stonework_game::example::Nim;
/// use stonework_roster::{PlayerConfig, Roster, RosterEntry};
/// use stonework_roster::{Clock, Decision};
/// use stonework_search::Minimax;
/// use stonework_session::{AnyPosition, any_roster};
/// let roster = Roster::<Nim>::new().with(RosterEntry::engine("minimax", "all", |_| Ok(Minimax::new(()))));
/// let mut agent = any_roster(&roster).agent("minimax", &PlayerConfig::default())?;
/// let position = AnyPosition::new(Nim::new(8));
/// let Some(Decision::Play(mv)) = agent.decide(&position, &Clock::NONE) else { panic!("it gives up") };
/// assert_eq!(position.move_text_in(mv, 0), "2");
/// # Ok::<(), stonework_roster::RosterError>(())
/// ```
#[must_use]
pub fn any_roster<G: Described>(roster: &Roster<G>) -> Roster<AnyPosition> {
    roster.map(any_engine, any_agent)
}

/// An engine of a game, for positions without its type. A position of another game has an empty report.
///
/// ```
/// use stonework_game::{Outcome, Player, example::Nim};
/// use stonework_search::{Engine, Limits, Minimax};
/// use stonework_session::{AnyPosition, any_engine};
/// let mut engine = any_engine::<Nim>(Box::new(Minimax::new(())));
/// let report = engine.think(&AnyPosition::new(Nim::new(7)), &Limits::none());
/// assert_eq!(report.proven, Some(Outcome::Win(Player::First)));
/// ```
#[must_use]
pub fn any_engine<G: Described>(engine: Box<dyn Engine<G>>) -> Box<dyn Engine<AnyPosition>> {
    Box::new(AnyEngine(engine))
}

struct AnyEngine<G>(Box<dyn Engine<G>>);

impl<G: Described> Engine<AnyPosition> for AnyEngine<G> {
    fn search(
        &mut self,
        root: &AnyPosition,
        limits: &Limits,
        context: SearchContext<'_, AnyMove>,
    ) -> Report<AnyMove> {
        let Some(root) = root.downcast_ref::<G>() else { return Report::empty() };
        let number = |mv| AnyMove::of(root, mv);
        let SearchContext { seed, watch } = context;
        let report = match watch {
            None => self.0.search(root, limits, SearchContext::seed(seed)),
            Some(watch) => {
                let mut watch = |report: &Report<G::Move>| watch(&report.map(number));
                self.0.search(root, limits, SearchContext::seed(seed).watch(&mut watch))
            }
        };
        report.map(number)
    }

    fn new_game(&mut self) {
        self.0.new_game();
    }

    fn parameters(&self) -> Vec<Parameter> {
        self.0.parameters()
    }

    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), ParameterError> {
        self.0.set_parameter(name, value)
    }
}

/// An agent of a game, for positions without its type. In a position of another game the agent makes no decision.
#[must_use]
pub fn any_agent<G: Described>(agent: Box<dyn Agent<G>>) -> Box<dyn Agent<AnyPosition>> {
    Box::new(AnyAgent { agent, report: None })
}

struct AnyAgent<G> {
    agent: Box<dyn Agent<G>>,
    report: Option<Report<AnyMove>>,
}

impl<G: Described> Agent<AnyPosition> for AnyAgent<G> {
    fn new_game(&mut self) {
        self.agent.new_game();
        self.report = None;
    }

    fn decide(&mut self, game: &AnyPosition, clock: &Clock) -> Option<Decision<AnyMove>> {
        let game = game.downcast_ref::<G>()?;
        let decision = self.agent.decide(game, clock);
        self.report = self.agent.report().map(|report| report.map(|mv| AnyMove::of(game, mv)));
        Some(match decision? {
            Decision::Play(mv) => Decision::Play(AnyMove::of(game, mv)),
            Decision::Resign => Decision::Resign,
        })
    }

    fn ponder(&mut self, game: &AnyPosition, until: &Arc<AtomicBool>) {
        if let Some(game) = game.downcast_ref::<G>() {
            self.agent.ponder(game, until);
        }
    }

    fn report(&self) -> Option<&Report<AnyMove>> {
        self.report.as_ref()
    }

    fn parameters(&self) -> Vec<Parameter> {
        self.agent.parameters()
    }

    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), ParameterError> {
        self.agent.set_parameter(name, value)
    }
}
