//! [`Champion`]: the engine of the strongest player.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use stonework_game::{Game, Outcome, Player};
use stonework_havannah::{Move, Position};
use stonework_havannah_solver::SolverTactics;
use stonework_roster::{Agent, Clock, Decision, EngineAgent, Level, Leveled, Levels, PlayerConfig};
use stonework_search::{
    Bounds, Effort, Engine, Limits, Mcts, MctsOptions, Meter, OptionsError, Parameter, ParameterError,
    Report, SearchContext, Tactics, Value, Verdict,
};

use crate::first_moves::{Opening, opening};
use crate::learned::HavannahJudge;
use crate::perfect::without_swap;
use crate::roster::tree;
use crate::{HavannahNet, HavannahPriors, PatternGames, RandomGames};

/// The strongest player, as measured: `docs/results/strength.md`. Some parameters depend on the size of the board until they
/// are set: [`BY_SIZE`].
#[derive(Debug)]
pub(crate) struct Champion {
    /// The search by playouts.
    tree: Mcts<Position, PatternGames, HavannahPriors, SolverTactics, HavannahNet>,
    /// The search by the network on the lattice, without playouts.
    judged: Mcts<Position, RandomGames, HavannahJudge, SolverTactics, HavannahJudge>,
    /// The network searches while the board has fewer stones than this.
    judged_below: usize,
    /// The simulations of a search by the network where simulations are counted; with 0 playouts search then.
    judged_simulations: u64,
    /// `true` if the network has made the last search.
    is_judged: bool,
    /// `true` for the parameters of [`BY_SIZE`] that were set.
    is_set: [bool; BY_SIZE.len()],
    /// The nodes of the solver for each visit of a position that is visited often; with the network, [`MORE_NODES`] times as many from
    /// a [`WORTH`]th of the visits on.
    probe_nodes: f64,
    /// The root of the last search.
    last: Option<Position>,
    /// `true` if the player goes on in lost positions.
    resists: bool,
    /// The side that the last search has found to lose, and the plies to the end of its line.
    lost: Option<(Player, u32)>,
}

/// The most bytes of the solver's table. With little memory it takes a quarter.
const TABLE: usize = 64 << 20;

/// The greatest value of the parameter `probe_nodes`.
const MOST_PROBED: f64 = 1000.0;

/// A parameter by name, and its value on a board of a size.
type OfSize = (&'static str, fn(u8) -> f64);

/// The parameters that depend on the size of the board.
const BY_SIZE: [OfSize; 4] = [("share", share), ("bias", bias), ("graph", graph), (LATTICE, lattice)];

/// The parameter that lets the network search.
const LATTICE: &str = "lattice";

/// The greatest value of this parameter, in stones: more than any board has.
pub(crate) const ALWAYS: f64 = 10_000.0;

/// The parameter that lets the network search where simulations are counted.
const LATTICE_SIMULATIONS: &str = "lattice_simulations";

/// The greatest value of this parameter.
const MOST_SIMULATIONS: f64 = 1e9;

/// The parameters of the search by the network.
const JUDGED: [&str; 2] = ["puct", "unvisited_loss"];

/// About as many simulations by playouts take the time of one by the network.
const WORTH: u32 = 64;

/// A visit by the network is worth so many times the nodes of the solver: less than [`WORTH`], since each node has its threat search.
const MORE_NODES: f64 = 16.0;

/// The share of learned values in the result of a simulation on a board of a size: the smaller the board, the more a playout
/// sees of the game.
fn share(size: u8) -> f64 {
    match size {
        0..=6 => 0.3,
        7 => 0.4,
        _ => 0.5,
    }
}

/// The weight of priors on a board of a size.
fn bias(size: u8) -> f64 {
    if size <= MOST_SHARED { 0.7 } else { 0.3 }
}

/// 1 on a board on which many lines lead to the same positions, for a search of a graph; 0 for a tree.
fn graph(size: u8) -> f64 {
    f64::from(u8::from(size <= MOST_SHARED))
}

/// The number of stones from which on playouts search on a board of a size: about three sevenths of its cells. With fewer
/// stones the network sees more of the game: `docs/results/strength.md`.
fn lattice(size: u8) -> f64 {
    match size {
        5 => 26.0,
        6 => 39.0,
        7 => 54.0,
        8 => 72.0,
        9 => 93.0,
        10 => 116.0,
        _ => 0.0,
    }
}

/// The levels of the player: `docs/results/strength.md`.
fn levels() -> Levels {
    LEVELS.map(|(simulations, noise, judged)| {
        let level = Level::new(simulations, noise);
        if judged > 0 { level.with(LATTICE_SIMULATIONS, f64::from(judged)) } else { level }
    })
}

/// The simulations of each level, its noise, and the simulations of the network where the network searches; 0 for none.
const LEVELS: [(u64, f64, u32); 19] = [
    (50, 0.9, 0),
    (50, 0.55, 0),
    (50, 0.34, 0),
    (50, 0.188, 0),
    (50, 0.09, 0),
    (108, 0.0, 0),
    (215, 0.0, 0),
    (415, 0.0, 0),
    (850, 0.0, 0),
    (2000, 0.0, 0),
    (4700, 0.0, 0),
    (9200, 0.0, 0),
    (20_000, 0.0, 15),
    (30_000, 0.0, 37),
    (45_000, 0.0, 91),
    (65_000, 0.0, 225),
    (90_000, 0.0, 555),
    (130_000, 0.0, 1370),
    (200_000, 0.0, 3380),
];

/// The greatest size of a board on which a search finds many positions again.
const MOST_SHARED: u8 = 6;

/// The visits for which the solver is asked once more whether a position is lost.
const AGAIN: u32 = 1 << 16;

/// The default of the parameter `probe_nodes`.
const PROBED: f64 = 1.0 / 16.0;

/// The least size of a board on which patterns answer in playouts: `docs/results/strength.md`.
const PATTERNS_FROM: u8 = 8;

impl Champion {
    /// The player with the files of this crate.
    pub(crate) fn new(config: &PlayerConfig) -> Result<Self, OptionsError> {
        Self::learned(config, HavannahNet::shipped(), HavannahPriors::shipped(), HavannahJudge::shipped())
    }

    /// The player with other learned values and priors.
    pub(crate) fn learned(
        config: &PlayerConfig,
        net: HavannahNet,
        priors: HavannahPriors,
        judge: HavannahJudge,
    ) -> Result<Self, OptionsError> {
        let options = MctsOptions::with_rave()
            .exploration(0.0)
            .share(share(u8::MAX) as f32)
            .bias(bias(u8::MAX) as f32)
            .expand_after(5)
            .study_after(512);
        let tree = tree(config, options, PatternGames::shipped().from_size(PATTERNS_FROM))?
            .tactics(SolverTactics::new())
            .priors(priors)
            .evaluator(net);
        let options = MctsOptions::uct()
            .exploration(0.0)
            .share(1.0)
            .puct(1.0)
            .revisit(0.0)
            .expand_after(1)
            .study_after(512 / WORTH);
        let judged = self::tree(config, options, RandomGames::new())?
            .tactics(SolverTactics::new().after(4096 / WORTH).threat_search())
            .priors(judge.clone())
            .evaluator(judge)
            .graph(true);
        Ok(Self {
            tree,
            judged,
            judged_below: 0,
            judged_simulations: 0,
            is_judged: false,
            is_set: [false; BY_SIZE.len()],
            probe_nodes: PROBED,
            last: None,
            resists: false,
            lost: None,
        })
    }

    /// The same player, which goes on in positions that it has found to be lost: with a search in which the solver has no
    /// part, for the moves that are hardest to answer.
    pub(crate) fn resisting(self) -> Self {
        Self { resists: true, ..self }
    }

    /// The same player with levels, the highest of them by the network where it searches at all.
    ///
    /// # Errors
    /// An error if the player has not the parameter of a level. It has them all.
    pub(crate) fn leveled(self) -> Result<Leveled<Self>, ParameterError> {
        Leveled::with(self, levels())
    }

    /// `true` if the solver still finds the root to be lost. `nodes` counts its nodes.
    fn is_lost(&mut self, root: &Position, limits: &Limits, nodes: &mut u64) -> bool {
        let visits = if self.is_judged { AGAIN / WORTH } else { AGAIN };
        let mut effort = Effort { left: limits.clone(), ..Effort::visits(visits) };
        let verdict = self.solver().study(&mut root.clone(), &mut effort, &mut Vec::new());
        *nodes += effort.nodes;
        verdict == Verdict::Loss
    }

    /// Searches a root that its side loses, the winner's line `plies` long, without the solver, so that the tree does not know
    /// it. The report has the moves of that search, and the proven outcome.
    fn resist(
        &mut self,
        root: &Position,
        plies: u32,
        limits: &Limits,
        context: SearchContext<'_, Move>,
    ) -> Report<Move> {
        self.solver().set_nodes(0.0);
        let mut report = self.engine().search(root, limits, context);
        if report.proven.is_none() {
            let outcome = Outcome::Win(root.to_move().other());
            report.proven = Some(outcome);
            report.bounds = Bounds::of(outcome, root.to_move());
            report.value = Value::of(outcome, root.to_move(), plies);
        }
        report
    }

    /// The search of this move.
    fn engine(&mut self) -> &mut dyn Engine<Position> {
        if self.is_judged { &mut self.judged } else { &mut self.tree }
    }

    /// The solver of the search of this move.
    const fn solver(&mut self) -> &mut SolverTactics {
        if self.is_judged { self.judged.tactics_mut() } else { self.tree.tactics_mut() }
    }

    /// Drops the tree.
    fn clear(&mut self) {
        if self.is_judged { self.judged.clear() } else { self.tree.clear() }
    }

    fn lattice(&self) -> Parameter {
        let about = "with fewer stones a network searches without playouts; 0: never";
        Parameter::whole(LATTICE, about, self.judged_below as f64, 0.0, ALWAYS)
    }

    /// Sets a parameter of this engine or of its searches.
    fn set(&mut self, name: &str, value: f64) -> Result<(), ParameterError> {
        if name == LATTICE {
            self.judged_below = value as usize;
            return Ok(());
        }
        if name == LATTICE_SIMULATIONS {
            self.judged_simulations = value as u64;
            return Ok(());
        }
        if JUDGED.contains(&name) {
            return self.judged.set_parameter(name, value);
        }
        self.tree.set_parameter(name, value)?;
        // Both searches have these.
        if ["threads", "own_trees", "lines"].contains(&name) {
            self.judged.set_parameter(name, value)?;
        }
        Ok(())
    }

    fn counted(&self) -> Parameter {
        let about = "a count of simulations is at most this many of the network; 0: of playouts";
        Parameter::whole(LATTICE_SIMULATIONS, about, self.judged_simulations as f64, 0.0, MOST_SIMULATIONS)
    }

    fn probed(&self) -> Parameter {
        let about = "df-pn nodes a visit, from 4096 visits on; 0: none";
        Parameter::new("probe_nodes", about, self.probe_nodes, 0.0, MOST_PROBED)
    }
}

impl Engine<Position> for Champion {
    fn search(&mut self, root: &Position, limits: &Limits, context: SearchContext<'_, Move>) -> Report<Move> {
        for ((name, of_size), _) in BY_SIZE.into_iter().zip(self.is_set).filter(|(_, is_set)| !is_set) {
            let set = self.set(name, of_size(root.size()));
            set.unwrap_or_else(|error| unreachable!("a value for each size: {error}"));
        }
        // A count of simulations means playouts, unless the network is asked for.
        let is_asked = BY_SIZE.iter().zip(self.is_set).any(|(&(name, _), is_set)| name == LATTICE && is_set);
        let by_network = is_asked || self.judged_simulations > 0 || limits.simulations.is_none();
        let is_judged = root.stone_count() < self.judged_below && by_network;
        if is_judged != self.is_judged {
            // The other search gives its memory back.
            self.clear();
            self.solver().forget();
            self.is_judged = is_judged;
        }
        let bytes = limits.bytes.unwrap_or(usize::MAX).min(self.tree.options().bytes);
        let table = if self.probe_nodes > 0.0 { TABLE.min(bytes / 4) } else { 0 };
        let mut limits = limits.clone().bytes(bytes - table);
        if is_judged && self.judged_simulations > 0 {
            limits.simulations = limits.simulations.map(|count| count.min(self.judged_simulations));
        }
        let follows = self.last.replace(root.clone()).is_some_and(|last| leads_to(&last, root));
        let nodes_a_visit = self.probe_nodes * if self.is_judged { MORE_NODES } else { 1.0 };
        let solver = self.solver();
        solver.set_nodes(nodes_a_visit);
        solver.set_bytes(table);
        // The table of another game would make equal searches differ.
        if !follows {
            solver.forget();
        }
        let meter = Meter::new(&limits);
        let (mut nodes, mut simulations) = (0, 0);
        let SearchContext { seed, mut watch } = context;
        let mut told = |report: &Report<Move>| watch.iter_mut().for_each(|watch| watch(report));
        let lost = self.lost.take().filter(|&(side, _)| follows && side == root.to_move());
        let lost = lost.filter(|_| self.is_lost(root, &limits, &mut nodes));
        let left = rest(&meter, nodes, 0);
        let own = SearchContext::seed(seed).watch(&mut told);
        let mut report = match lost {
            Some((_, plies)) => self.resist(root, plies, &left, own),
            None => self.engine().search(root, &left, own),
        };
        if let (Value::Loss(plies), true) = (report.value, self.resists) {
            self.lost = Some((root.to_move(), plies));
            if lost.is_none() {
                // The tree knows the loss, and would tell no move from another.
                self.clear();
                let left = rest(&meter, nodes + report.nodes, report.simulations);
                if is_worth_a_search(&left, &limits) {
                    (nodes, simulations) = (nodes + report.nodes, report.simulations);
                    report = self.resist(root, plies, &left, SearchContext::seed(seed).watch(&mut told));
                }
            }
        }
        report.nodes += nodes;
        report.simulations += simulations;
        report.time = meter.elapsed();
        report.bytes += self.solver().table_bytes();
        report
    }

    /// Drops the tree; the solver's table is emptied in the next search, as it does not follow a search before.
    fn new_game(&mut self) {
        self.clear();
        self.last = None;
    }

    fn parameters(&self) -> Vec<Parameter> {
        let mut parameters = self.tree.parameters();
        let judged = self.judged.parameters();
        for own in &mut parameters {
            if let Some(judged) =
                judged.iter().find(|judged| judged.name == own.name && JUDGED.contains(&own.name))
            {
                own.value = judged.value;
            }
        }
        parameters.extend([self.lattice(), self.counted(), self.probed()]);
        parameters
    }

    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), ParameterError> {
        let probed = self.probed();
        if name == probed.name {
            Parameter::find(&[probed], name, value)?;
            self.probe_nodes = value;
            return Ok(());
        }
        Parameter::find(&self.parameters(), name, value)?;
        self.set(name, value)?;
        for (is_set, (of_size, _)) in self.is_set.iter_mut().zip(BY_SIZE) {
            *is_set |= name == of_size;
        }
        Ok(())
    }
}

/// The limits of the meter's search after these nodes and simulations, which the meter does not count.
fn rest(meter: &Meter<'_>, nodes: u64, simulations: u64) -> Limits {
    let limits = meter.limits();
    let time = |limit: Option<Duration>| limit.map(|time| time.saturating_sub(meter.elapsed()));
    let count = |limit: Option<u64>, spent: u64| limit.map(|limit| limit.saturating_sub(spent));
    Limits {
        nodes: count(limits.nodes, nodes),
        simulations: count(limits.simulations, simulations),
        time: time(limits.time),
        enough: time(limits.enough),
        ..limits.clone()
    }
}

/// `true` if at least a quarter of each limit is left, and one of them ends a search.
fn is_worth_a_search(rest: &Limits, whole: &Limits) -> bool {
    let counts = [(rest.nodes, whole.nodes), (rest.simulations, whole.simulations)];
    let nanos = |time: Option<Duration>| time.map(|time| time.as_nanos() as u64);
    let times = [(rest.time, whole.time), (rest.enough, whole.enough)];
    let times = times.map(|(rest, whole)| (nanos(rest), nanos(whole)));
    let mut pairs =
        counts.into_iter().chain(times).filter_map(|(rest, whole)| Some((rest?, whole?))).peekable();
    pairs.peek().is_some() && pairs.all(|(rest, whole)| rest >= whole / 4)
}

/// `true` if a position has all stones of another one on a board of the same size.
fn leads_to(from: &Position, to: &Position) -> bool {
    let stays = |side| from.stones(side).into_iter().all(|cell| to.stone(cell) == Some(side));
    from.size() == to.size() && Player::BOTH.into_iter().all(stays)
}

/// The player of [`Champion`]. In games with the right to swap a table decides the first move and the swap, without a search;
/// the engine searches all positions.
#[derive(Debug)]
pub(crate) struct ChampionAgent {
    searching: EngineAgent<Position, Leveled<Champion>>,
    seed: u64,
    /// The report of the table, if the table made the last decision.
    opening: Option<Report<Move>>,
}

impl ChampionAgent {
    /// The player of an engine with levels, with the limits and the seed of a configuration. The engine should resist.
    pub(crate) fn new(engine: Leveled<Champion>, config: &PlayerConfig) -> Self {
        let searching = EngineAgent::new(engine, config.limits.clone(), config.seed);
        Self { searching, seed: config.seed, opening: None }
    }
}

impl Agent<Position> for ChampionAgent {
    fn new_game(&mut self) {
        self.opening = None;
        self.searching.new_game();
    }

    fn decide(&mut self, game: &Position, clock: &Clock) -> Option<Decision<Move>> {
        self.opening = None;
        match opening(game, self.seed) {
            Some(Opening::Decided(report)) => {
                let best = report.best.map(Decision::Play);
                self.opening = Some(report);
                best
            }
            Some(Opening::Declined) => {
                let plain = without_swap(game);
                self.searching.decide(plain.as_ref().unwrap_or(game), clock)
            }
            None => self.searching.decide(game, clock),
        }
    }

    fn ponder(&mut self, game: &Position, until: &Arc<AtomicBool>) {
        self.searching.ponder(game, until);
    }

    fn report(&self) -> Option<&Report<Move>> {
        self.opening.as_ref().or_else(|| self.searching.report())
    }

    fn parameters(&self) -> Vec<Parameter> {
        Agent::<Position>::parameters(&self.searching)
    }

    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), ParameterError> {
        Agent::<Position>::set_parameter(&mut self.searching, name, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of the parameters [`BY_SIZE`] after a search on a board of this size.
    fn values_on(champion: &mut Champion, size: u8) -> [f64; BY_SIZE.len()] {
        champion.think(&Position::new(size).unwrap(), &Limits::none().simulations(10));
        let parameters = champion.parameters();
        BY_SIZE.map(|(name, _)| parameters.iter().find(|own| own.name == name).unwrap().value)
    }

    #[test]
    fn the_player_opens_by_the_table_and_the_engine_searches() {
        use stonework_game::{Game, Textual};
        let config =
            PlayerConfig { limits: Limits::none().simulations(50), seed: 3, ..PlayerConfig::default() };
        let mut agent =
            ChampionAgent::new(Champion::new(&config).unwrap().resisting().leveled().unwrap(), &config);
        let mut game = Position::with_swap(4).unwrap();
        let Some(Decision::Play(first)) = agent.decide(&game, &Clock::NONE) else { panic!("a first move") };
        assert_eq!(agent.report().unwrap().simulations, 0);
        game.play(first).unwrap();
        assert_eq!(agent.decide(&game, &Clock::NONE), Some(Decision::Play(Move::Swap)));
        assert!(Champion::new(&config).unwrap().think(&game, &config.limits).simulations > 0, "it searches");
        // On size 2 the middle loses: Black keeps its side, and its move comes from a search.
        let mut game = Position::with_swap(2).unwrap();
        game.play(game.parse_move("b2").unwrap()).unwrap();
        let Some(Decision::Play(mv)) = agent.decide(&game, &Clock::NONE) else { panic!("a move") };
        assert!(mv != Move::Swap && game.check(mv).is_ok());
        agent.new_game();
        assert!(agent.decide(&Position::new(4).unwrap(), &Clock::NONE).is_some());
        assert!(agent.report().unwrap().simulations > 0, "no right to swap: a search");
    }

    #[test]
    fn a_network_searches_in_place_of_playouts_if_asked_for() {
        let limits = Limits::none().simulations(40);
        let mut champion = Champion::new(&PlayerConfig::default()).unwrap();
        let mut lines = Vec::new();
        for (size, lattice) in [(5, 0.0), (5, ALWAYS), (8, 1.0), (4, 1.0), (5, 0.0), (5, 1.0)] {
            champion.set_parameter("lattice", lattice).unwrap();
            let root = Position::new(size).unwrap();
            let report = champion.think(&root, &limits);
            assert!(report.best.is_some() && report.proven.is_none() && report.simulations == 40);
            let mut fresh = Champion::new(&PlayerConfig::default()).unwrap();
            fresh.set_parameter("lattice", lattice).unwrap();
            assert_eq!(fresh.think(&root, &limits).lines, report.lines, "the same without searches before");
            if size == 5 {
                lines.push(report.lines);
            }
        }
        assert!(lines[0] != lines[1] && lines[0] == lines[2] && lines[1] == lines[3]);
    }

    #[test]
    fn unless_asked_for_the_network_searches_by_time_and_with_few_stones() {
        let mut champion = Champion::new(&PlayerConfig::default()).unwrap();
        let mut is_judged = |root: &Position, limits: &Limits| {
            champion.think(root, limits);
            champion.is_judged
        };
        let mut root = Position::new(5).unwrap();
        let time = Limits::none().time(Duration::from_millis(1));
        assert!(is_judged(&root, &time) && !is_judged(&root, &Limits::none().simulations(5)));
        assert!(
            is_judged(&Position::new(10).unwrap(), &time) && !is_judged(&Position::new(4).unwrap(), &time)
        );
        // Every second cell of the board, in the order of numbers: these 26 stones win for no side.
        let cells: Vec<_> = root.board().cells().step_by(2).collect();
        for &cell in &cells[..26] {
            assert!(is_judged(&root, &time), "{} stones", root.stone_count());
            root.play(Move::Place(cell)).unwrap();
        }
        assert!(root.outcome().is_none() && !is_judged(&root, &time));
    }

    #[test]
    fn high_levels_count_simulations_of_the_network_where_it_searches() {
        let mut champion = Champion::new(&PlayerConfig::default()).unwrap().leveled().unwrap();
        let limits = Limits::none().simulations(300);
        let expected = [(1, 50), (12, 300), (13, 15), (15, 91), (19, 300), (20, 300)]
            .map(|(level, count)| (5, level, count));
        for (size, level, expected) in expected.into_iter().chain([(4, 13, 300)]) {
            champion.set_parameter("level", f64::from(level)).unwrap();
            let report = champion.think(&Position::new(size).unwrap(), &limits);
            assert_eq!(report.simulations, expected, "size {size}, level {level}");
            let counted = champion.parameters().into_iter().find(|own| own.name == LATTICE_SIMULATIONS);
            assert!(counted.unwrap().value < 0.5, "the level's own value is taken back");
        }
    }

    #[test]
    fn parameters_follow_the_size_until_they_are_set() {
        let near = |found: [f64; BY_SIZE.len()], expected: [f64; BY_SIZE.len()]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {expected:?}");
        };
        let mut champion = Champion::new(&PlayerConfig::default()).unwrap();
        for size in [4, 8, 6, 5, 10] {
            near(values_on(&mut champion, size), BY_SIZE.map(|(_, of_size)| of_size(size)));
        }
        assert!(champion.set_parameter("share", 7.0).is_err());
        near(values_on(&mut champion, 8), [0.5, 0.3, 0.0, 72.0]);
        champion.set_parameter("share", 0.25).unwrap();
        near(values_on(&mut champion, 8), [0.25, 0.3, 0.0, 72.0]);
        near(values_on(&mut champion, 5), [0.25, 0.7, 1.0, 26.0]);
        champion.set_parameter("graph", 0.0).unwrap();
        champion.set_parameter("bias", 0.125).unwrap();
        near(values_on(&mut champion, 4), [0.25, 0.125, 0.0, 0.0]);
        champion.set_parameter("lattice", 0.0).unwrap();
        near(values_on(&mut champion, 5), [0.25, 0.125, 0.0, 0.0]);
    }
}
