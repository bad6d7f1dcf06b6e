//! [`Search`] and [`Analysis`]: a search of the present position of a session by an engine, and its findings.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use stonework_game::text::line_names;
use stonework_roster::{PlayerConfig, PlayerSpec};
use stonework_search::{Engine, Limits, Report, SearchContext, Stop};

use crate::{AnyMove, AnyPosition, Fault, Session};

/// A search for a good move. At least one of the limits must end the search of the engine.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Search {
    /// The engine, as `NAME` or `NAME:OPTION=VALUE,…`; `None` is the game's usual player. Limits among its options hold beside those
    /// below: `mcts:simulations=100`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// A limit of time in seconds, up to a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// A limit of positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// A limit of simulations, for engines that make them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulations: Option<u64>,
    /// A limit of plies, for engines that look to a fixed depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The largest number of bytes for tables and trees; 256 MiB unless given. A program that searches for others has
    /// to bound this number itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<usize>,
    /// The number of threads, 1 to 256; 1 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// The seed of all random choices; 1 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The number of lines of the findings, for engines with a parameter `lines`; the engine's own number unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<u32>,
}

/// The largest number of threads of a search.
const MOST_THREADS: usize = 256;

/// The longest time of a search in seconds: a day.
const MOST_SECONDS: f64 = 86_400.0;

impl Search {
    fn limits(&self, cancel: Arc<AtomicBool>) -> Result<Limits, Fault> {
        let time = match self.seconds {
            None => None,
            Some(seconds @ 0.0..=MOST_SECONDS) => Some(Duration::from_secs_f64(seconds)),
            Some(other) => {
                return Err(Fault::new("search", format!("{other} seconds: 0 to {MOST_SECONDS}")));
            }
        };
        if let Some(threads) = self.threads.filter(|threads| !(1..=MOST_THREADS).contains(threads)) {
            return Err(Fault::new("search", format!("{threads} threads: 1 to {MOST_THREADS}")));
        }
        let Self { nodes, simulations, depth, .. } = *self;
        let limits = Limits::none().bytes(self.bytes.unwrap_or(256 << 20)).cancel(cancel);
        Ok(Limits { time, nodes, simulations, depth, ..limits })
    }
}

/// The findings of a search, moves in the notation of the session.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Analysis {
    /// The best move; null if the game is over, or if the search has found no move.
    pub best: Option<String>,
    /// The value for the side to move, in the units of the evaluator, or in thousandths of a mean result. A proven
    /// win or loss has the value ±(1 000 000 − plies).
    pub value: i32,
    /// The name of the side that wins with best play, or `draw`; null unless proven.
    pub outcome: Option<String>,
    /// The best moves with the moves that follow, the best line first.
    pub lines: Vec<AnalysisLine>,
    /// The number of positions visited.
    pub nodes: u64,
    /// The number of simulations made.
    pub simulations: u64,
    /// The number of plies of the last finished iteration.
    pub depth: u32,
    /// The time in seconds.
    pub seconds: f64,
    /// The limit that has ended the search; null while it goes on.
    pub stopped: Option<String>,
}

/// One of the best moves with the moves that follow.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AnalysisLine {
    /// The moves in order.
    pub moves: Vec<String>,
    /// The value of the line, as [`Analysis::value`].
    pub value: i32,
    /// The number of visits of the first move; only from a Monte-Carlo search.
    pub visits: Option<u64>,
}

fn names(root: &AnyPosition, moves: &[AnyMove], notation: usize) -> Vec<String> {
    line_names(root, moves, |position, mv| position.move_text_in(mv, notation))
}

fn analysis(root: &AnyPosition, report: &Report<AnyMove>, notation: usize) -> Analysis {
    let lines = report.lines.iter().map(|line| AnalysisLine {
        moves: names(root, &line.moves, notation),
        value: line.value.score(),
        visits: line.visits,
    });
    Analysis {
        best: report.best.map(|mv| root.move_text_in(mv, notation)),
        value: report.value.score(),
        outcome: report.proven.map(|outcome| root.description().outcome(outcome).to_owned()),
        lines: lines.collect(),
        nodes: report.nodes,
        simulations: report.simulations,
        depth: report.depth,
        seconds: report.time.as_secs_f64(),
        stopped: report.stopped.map(Stop::name).map(str::to_owned),
    }
}

/// The number of lines that a search asks for, if the engine can be asked.
fn lines_of(engine: &dyn Engine<AnyPosition>, search: &Search) -> Option<f64> {
    let lines = search.lines?;
    engine.parameters().iter().any(|parameter| parameter.name == "lines").then_some(lines.into())
}

impl Session {
    /// The findings of a report about the present position, such as the report of an
    /// [`Agent`](stonework_roster::Agent) after its decision.
    #[must_use]
    pub fn analysis_of(&self, report: &Report<AnyMove>) -> Analysis {
        analysis(self.position(), report, self.notation())
    }

    /// A flag that ends the running search when the flag is set. A flag that is set between two searches ends the
    /// next search. The end of a search clears the flag.
    ///
    /// The flag stays the same as long as the session lives, also when a new game begins.
    #[must_use]
    pub fn canceller(&self) -> Arc<AtomicBool> {
        Arc::clone(self.cancel())
    }

    /// Searches the present position with an engine of the game's roster. `watch` receives the findings so far,
    /// whenever there are new findings.
    ///
    /// The call returns when the search ends. The position does not change.
    ///
    /// # Errors
    /// The fault `search` for an engine that the roster does not have, for an option that the engine refuses, and for
    /// limits that would never end the search.
    ///
    /// ```
    /// # use stonework_game::example::Nim;
    /// # use stonework_roster::{Roster, RosterEntry};
    /// # use stonework_search::Minimax;
    /// use stonework_session::{GameType, Registry, Search, Session, Start};
    /// # let minimax = RosterEntry::engine("minimax", "the complete game tree", |_| Ok(Minimax::new(())));
    /// # let nim = GameType::with_players(&Roster::<Nim>::new().with(minimax));
    /// let session = Session::new(Registry::new().with(nim), "nim", &Start::of_size(7), None)?;
    /// let search = Search { depth: Some(9), ..Search::default() };
    /// let analysis = session.search(&search, &mut |_| {})?;
    /// assert_eq!((analysis.best.as_deref(), analysis.outcome.as_deref()), (Some("1"), Some("first")));
    /// assert!(session.search(&Search::default(), &mut |_| {}).is_err());
    /// # Ok::<(), stonework_session::Fault>(())
    /// ```
    pub fn search(&self, search: &Search, watch: &mut dyn FnMut(&Analysis)) -> Result<Analysis, Fault> {
        self.search_told(search, watch).map(|(analysis, _)| analysis)
    }

    /// Searches as [`search`](Self::search). Also returns `true` if the flag of [`canceller`](Self::canceller) was set at the end
    /// of the search, whatever has ended it.
    pub(crate) fn search_told(
        &self,
        search: &Search,
        watch: &mut dyn FnMut(&Analysis),
    ) -> Result<(Analysis, bool), Fault> {
        let refused = |what: &dyn ToString| Fault::new("search", what.to_string());
        let limits = search.limits(self.canceller())?;
        let text = search.engine.as_deref().unwrap_or(self.game().usual_player());
        let spec: PlayerSpec = text.parse().map_err(|error| refused(&error))?;
        let (spec, limits) = spec.limited(&limits).map_err(|error| refused(&error))?;
        let standard = PlayerConfig::default();
        let config = PlayerConfig {
            limits: limits.clone(),
            threads: search.threads.unwrap_or(standard.threads),
            seed: search.seed.unwrap_or(standard.seed),
        };
        let roster = self.game().roster();
        let mut engine = spec.engine(roster, &config).map_err(|error| refused(&error))?;
        if let Some(lines) = lines_of(&*engine, search) {
            engine.set_parameter("lines", lines).map_err(|error| refused(&error))?;
        }
        // A fixed depth is among the options of an engine.
        if !spec.is_limited() && !roster.entry(&spec.name).is_some_and(|entry| entry.ends(&limits)) {
            let what =
                format!("{} would never end: no limit that it keeps, such as seconds or nodes", spec.name);
            return Err(refused(&what));
        }
        let (root, notation) = (self.position(), self.notation());
        let mut watch = |report: &Report<AnyMove>| watch(&analysis(root, report, notation));
        let report = engine.search(root, &limits, SearchContext::seed(config.seed).watch(&mut watch));
        let cancelled = self.cancel().swap(false, Ordering::Relaxed);
        Ok((analysis(root, &report, notation), cancelled))
    }
}
