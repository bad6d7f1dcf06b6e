//! [`Task`]: work that takes time, for a thread beside the terminal, and [`TaskNews`], the results.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use stonework_game::{Game, Outcome};
use stonework_roster::{Clock, Decision, PlayerConfig, PlayerSpec, Ponderer};
use stonework_search::Limits;
use stonework_session::{Analysis, AnyMove, AnyPosition, Fault, Layer, LayerBudget, Search, Session};

/// The exact value of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveValue {
    /// The move.
    pub mv: AnyMove,
    /// The outcome after the move with best play; `None` if it is unknown.
    pub outcome: Option<Outcome>,
    /// An upper bound on the number of plies to the end of a won game.
    pub plies: Option<u32>,
    /// The source of the value, such as `proof`.
    pub source: &'static str,
}

/// A function that finds the exact values of the moves of a position, for example in a proof. The message of an error is
/// shown to the user. The function has to return soon after the flag is set.
pub type ExactValues =
    Arc<dyn Fn(&AnyPosition, &Arc<AtomicBool>) -> Result<Vec<MoveValue>, String> + Send + Sync>;

/// The time for a move without any other limit.
const USUAL_SECONDS: f64 = 5.0;

/// The number of own moves for which a player shares out its clock in a game that expects no number of plies.
const MOVES_TO_COME: u32 = 30;

/// A player that keeps its findings between the moves of a game.
pub(crate) struct SeatAgent {
    /// The player as text.
    pub(crate) name: String,
    /// The index of the side.
    pub(crate) side: usize,
    agent: Ponderer<AnyPosition>,
    cancel: Arc<AtomicBool>,
}

impl SeatAgent {
    /// Starts to think about a position in which the other side is to move, until the next decision.
    pub(crate) fn ponder(&mut self, position: &AnyPosition) {
        self.cancel.store(false, Ordering::Relaxed);
        self.agent.ponder(position);
    }

    /// `true` while the player thinks in the other side's time.
    pub(crate) fn is_pondering(&self) -> bool {
        self.agent.is_pondering()
    }

    /// Ends the thought of the other side's time.
    pub(crate) fn rest(&mut self) {
        let _ = self.agent.agent();
    }
}

/// The kind of a [`Task`].
pub(crate) enum Work {
    /// The decision of a player about its move.
    Decide { player: String, clock: Clock, limits: Search, agent: Option<SeatAgent> },
    /// A search for the user, until it is stopped.
    Analyse(Search),
    /// The findings of a layer.
    Layer(&'static str),
    /// The exact values of the moves.
    Values(ExactValues),
}

/// Work that takes time, on a position of its own.
///
/// [`App::handle`](crate::App::handle) makes tasks. The caller runs each task in a thread, and hands the news back.
pub struct Task {
    pub(crate) id: u64,
    pub(crate) session: Session,
    pub(crate) work: Work,
    pub(crate) cancel: Arc<AtomicBool>,
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task").field("id", &self.id).field("session", &self.session).finish_non_exhaustive()
    }
}

/// A result of a [`Task`].
#[derive(Debug)]
pub struct TaskNews(pub(crate) News);

/// The kinds of [`TaskNews`].
pub(crate) enum News {
    /// The findings so far.
    Progress(Analysis),
    /// A player's decision: the move, or `None` for a resignation.
    Decision {
        mv: Option<String>,
        analysis: Option<Analysis>,
        agent: Option<SeatAgent>,
    },
    /// The end of an analysis.
    Analysed(Analysis),
    Layer(Layer),
    Values(Vec<MoveValue>),
    Failed(String),
}

impl fmt::Debug for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Progress(_) => "Progress",
            Self::Decision { .. } => "Decision",
            Self::Analysed(_) => "Analysed",
            Self::Layer(_) => "Layer",
            Self::Values(_) => "Values",
            Self::Failed(message) => return f.debug_tuple("Failed").field(message).finish(),
        };
        f.write_str(name)
    }
}

impl TaskNews {
    /// The news that a task has failed, with a message for the user.
    #[must_use]
    pub fn failed(message: impl Into<String>) -> Self {
        Self(News::Failed(message.into()))
    }
}

impl Task {
    pub(crate) fn new(id: u64, session: Session, mut work: Work) -> Self {
        let mut cancel = session.canceller();
        if let Work::Decide { player, agent, .. } = &mut work {
            *agent = agent.take().filter(|agent| agent.name == *player);
            if let Some(agent) = agent {
                cancel = Arc::clone(&agent.cancel);
            }
        }
        cancel.store(false, Ordering::Relaxed);
        Self { id, session, work, cancel }
    }

    /// The number of the task. The news of the task carry it back.
    #[must_use]
    pub const fn id(&self) -> u64 {
        self.id
    }

    /// A flag that ends the task early. A player then decides by its findings so far.
    #[must_use]
    pub fn canceller(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancel)
    }

    /// Does the work, and hands over the findings on the way. The last news are the result.
    pub fn run(self, tell: &mut dyn FnMut(TaskNews)) {
        let Self { session, work, cancel, .. } = self;
        let last = match work {
            Work::Decide { player, clock, limits, agent } => {
                decide(&session, &player, &clock, &limits, agent, cancel, tell)
            }
            Work::Analyse(search) => session
                .search(&search, &mut |found| tell(TaskNews(News::Progress(found.clone()))))
                .map(News::Analysed)
                .map_err(message),
            Work::Layer(name) => session
                .layers(&[name], &LayerBudget::default())
                .map(|mut layers| News::Layer(layers.remove(0)))
                .map_err(message),
            Work::Values(values) => values(session.position(), &cancel).map(News::Values),
        };
        tell(TaskNews(last.unwrap_or_else(News::Failed)));
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`")]
fn message(fault: Fault) -> String {
    fault.to_string()
}

/// The decision of a player. An engine searches, so that its findings are seen; a player with ways of its own decides.
fn decide(
    session: &Session,
    player: &str,
    clock: &Clock,
    limits: &Search,
    agent: Option<SeatAgent>,
    cancel: Arc<AtomicBool>,
    tell: &mut dyn FnMut(TaskNews),
) -> Result<News, String> {
    let spec: PlayerSpec = player.parse().map_err(|error| format!("player {error}"))?;
    let roster = session.game().roster();
    let live = roster.entry(&spec.name).is_some_and(|entry| entry.is_engine() && !entry.has_own_agent());
    match live.then(|| live_search(&spec, limits, clock, session.position())).flatten() {
        Some(search) => {
            let found = session.search(&search, &mut |found| tell(TaskNews(News::Progress(found.clone()))));
            let found = found.map_err(message)?;
            let mv = Some(found.best.clone().ok_or_else(|| format!("{player} has found no move"))?);
            Ok(News::Decision { mv, analysis: Some(found), agent: None })
        }
        None => decide_by_agent(session, &spec, player, clock, limits, agent, cancel),
    }
}

/// The search by which an engine of this text decides; `None` for an engine with parameters that only its player has.
fn live_search(spec: &PlayerSpec, search: &Search, clock: &Clock, position: &AnyPosition) -> Option<Search> {
    let is_own = |(name, _): &(String, f64)| ["resign_at", "resign_after", "even_time"].contains(&&**name);
    if spec.parameters.iter().any(is_own) {
        return None;
    }
    let seconds = seconds(search, clock, position, spec);
    Some(Search { engine: Some(spec.to_string()), seconds, ..search.clone() })
}

/// The seconds for a move: the smaller one of the limit and the share of the clock, or the usual time without any limit, here or among
/// the options of the player.
fn seconds(search: &Search, clock: &Clock, position: &AnyPosition, player: &PlayerSpec) -> Option<f64> {
    let to_come = position.expected_plies().map_or(MOVES_TO_COME, |plies| plies.div_ceil(2));
    let share = clock.share(to_come).map(|share| share.as_secs_f64());
    match (search.seconds, share) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (None, None) => {
            let Search { nodes, simulations, depth, .. } = search;
            let is_limited =
                nodes.is_some() || simulations.is_some() || depth.is_some() || player.is_limited();
            (!is_limited).then_some(USUAL_SECONDS)
        }
        (a, b) => a.or(b),
    }
}

fn decide_by_agent(
    session: &Session,
    spec: &PlayerSpec,
    player: &str,
    clock: &Clock,
    limits: &Search,
    agent: Option<SeatAgent>,
    cancel: Arc<AtomicBool>,
) -> Result<News, String> {
    let mut agent = if let Some(agent) = agent {
        agent
    } else {
        let time = seconds(limits, clock, session.position(), spec)
            .filter(|_| clock.left.is_none() && !spec.is_limited());
        let own = Limits {
            time: time.map(Duration::from_secs_f64),
            nodes: limits.nodes,
            simulations: limits.simulations,
            depth: limits.depth,
            ..Limits::none().bytes(limits.bytes.unwrap_or(256 << 20)).cancel(Arc::clone(&cancel))
        };
        // As an option, `seconds=0` would take the usual time away.
        let (spec, own) = spec.limited(&own).map_err(|error| error.to_string())?;
        let roster = session.game().roster();
        if clock.left.is_none() && roster.entry(&spec.name).is_some_and(|entry| !entry.ends(&own)) {
            return Err(format!(
                "{} would never end: no limit that it keeps, such as seconds or nodes",
                spec.name
            ));
        }
        let standard = PlayerConfig::default();
        let (threads, seed) =
            (limits.threads.unwrap_or(standard.threads), limits.seed.unwrap_or(standard.seed));
        let config = PlayerConfig { limits: own, threads, seed };
        let agent = spec.agent(roster, &config).map_err(|error| error.to_string())?;
        let side = session.position().to_move().index();
        SeatAgent { name: player.to_owned(), side, agent: Ponderer::new(agent), cancel }
    };
    let own = agent.agent.agent();
    // The agent may come from another game.
    if session.moves().len() < 2 {
        own.new_game();
    }
    let decision = own.decide(session.position(), clock);
    let mv = match decision.ok_or_else(|| format!("{player} has no move"))? {
        Decision::Play(mv) => Some(session.text_of(mv)),
        Decision::Resign => None,
    };
    let analysis = own.report().map(|report| session.analysis_of(report));
    Ok(News::Decision { mv, analysis, agent: Some(agent) })
}

#[cfg(test)]
mod tests {
    use stonework_session::{Registry, Start};

    use super::*;

    /// The player thought until it was stopped.
    #[test]
    fn a_depth_that_ends_no_search_of_the_player_is_refused() {
        let session = Session::new(Registry::standard(), "havannah", &Start::of_size(4), None).unwrap();
        let limits = Search { depth: Some(2), ..Search::default() };
        for player in ["champion", "mcts", "mcts:resign_at=0.1"] {
            let cancel = session.canceller();
            let decided = decide(&session, player, &Clock::NONE, &limits, None, cancel, &mut |_| {});
            let said = decided.map(|news| format!("{news:?}")).unwrap_err();
            assert!(said.contains("would never end: no limit that it keeps"), "{player}: {said}");
        }
        let limits = Search { simulations: Some(9), ..limits };
        let decided =
            decide(&session, "champion", &Clock::NONE, &limits, None, session.canceller(), &mut |_| {});
        assert!(matches!(decided, Ok(News::Decision { mv: Some(_), .. })));
    }

    /// A player with `seconds=0` played at once, and one with `nodes=0` had no move.
    #[test]
    fn an_option_of_0_is_no_limit() {
        let registry = Registry::standard();
        let position = registry.game("havannah").unwrap().start(&Start::of_size(4)).unwrap();
        let search = |text: &str| {
            let spec = text.parse().unwrap();
            live_search(&spec, &Search::default(), &Clock::NONE, &position).unwrap()
        };
        assert_eq!(search("mcts:seconds=0,nodes=0,simulations=0,rave=5").seconds, Some(USUAL_SECONDS));
        assert_eq!(search("mcts:simulations=7,seconds=0").seconds, None);
    }
}
