//! The roster of Havannah.

use std::sync::Arc;

use stonework_havannah::Position;
use stonework_havannah_solver::{HavannahBook, Solver, Threats};
use stonework_pattern::Patterns;
use stonework_roster::{PlayerConfig, Roster, RosterEntry};
use stonework_search::{
    AlphaBeta, AlphaBetaOptions, Hybrid, HybridOptions, Mcts, MctsOptions, Minimax, OptionsError,
    PlayoutPolicy, Pn, PnOptions,
};

use crate::champion::{Champion, ChampionAgent};
use crate::rogers::{FullTree, Leipzig, Straight};
use crate::{Links, Near, PatternGames, Perfect, RandomGames};

/// The engines and players of Havannah by name, the engines first. All of them play on boards of any size. Only the player
/// `perfect` uses the proof file.
///
/// ```
/// use stonework_havannah::Position;
/// use stonework_roster::PlayerConfig;
/// use stonework_roster::{Clock, Decision};
/// use stonework_search::Limits;
/// let config = PlayerConfig { limits: Limits::none().simulations(100), seed: 7, ..PlayerConfig::default() };
/// let mut player = stonework_havannah_players::roster(None).agent("rave", &config)?;
/// assert!(matches!(player.decide(&Position::new(4)?, &Clock::NONE), Some(Decision::Play(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn roster(proof: Option<Arc<HavannahBook>>) -> Roster<Position> {
    players(trees(solvers()), proof)
}

/// The engines that solve.
fn solvers() -> Roster<Position> {
    Roster::new()
        .with(
            RosterEntry::engine("dfpn", "depth-first proof numbers with threat sequences", |config| {
                Ok(Solver::new(Solver::options().threads(config.threads))?)
            })
            .threads(),
        )
        .with(RosterEntry::engine("pns", "proof numbers with the tree in memory", |_| {
            Ok(Pn::default().tactics(Threats))
        }))
        .with(RosterEntry::engine("pn2", "proof numbers on two levels", |_| {
            Ok(Pn::new(PnOptions::new().squared(|nodes| nodes.max(1000))).tactics(Threats))
        }))
        .with(
            RosterEntry::engine(
                "alphabeta",
                "alpha-beta without evaluation: forced outcomes only",
                |config| Ok(AlphaBeta::new((), options(config))?.order(Near)),
            )
            .threads(),
        )
        .with(
            RosterEntry::engine("links", "alpha-beta with an evaluation: stones still needed", |config| {
                Ok(AlphaBeta::new(Links::new(), options(config))?.order(Near))
            })
            .threads(),
        )
        .with(RosterEntry::engine("minimax", "the complete game tree: size 2 only", |_| Ok(Minimax::new(()))))
}

/// The Monte-Carlo trees.
fn trees(roster: Roster<Position>) -> Roster<Position> {
    roster
        .with(
            RosterEntry::engine(
                "champion",
                "the strongest player: mcts with learned values and priors",
                |config| Ok(Champion::new(config)?.leveled()?),
            )
            .played_by(|config| Ok(ChampionAgent::new(Champion::new(config)?.resisting().leveled()?, config)))
            .threads()
            .simulations(),
        )
        .with(
            RosterEntry::engine("mcts", "Monte-Carlo tree with RAVE and threats", |config| Ok(mcts(config)?))
                .threads()
                .simulations(),
        )
        .with(
            RosterEntry::engine("hybrid", "mcts that hands its nodes to dfpn", |config| {
                Ok(Hybrid::new(mcts(config)?, HybridOptions::new())?)
            })
            .threads()
            .simulations(),
        )
        .with(
            // Children made at the fifth visit cost a third of the memory and no strength: docs/lab/search.md.
            RosterEntry::engine("uct", "plain Monte-Carlo tree: the base line", |config| {
                Ok(plain(config, MctsOptions::uct().expand_after(5), None)?)
            })
            .threads()
            .simulations(),
        )
        .with(
            RosterEntry::engine("rave", "plain Monte-Carlo tree with RAVE", |config| {
                Ok(plain(config, MctsOptions::with_rave(), None)?)
            })
            .threads()
            .simulations(),
        )
        .with(pattern_entry(PatternGames::shipped))
}

/// The players that are no engines.
fn players(roster: Roster<Position>, proof: Option<Arc<HavannahBook>>) -> Roster<Position> {
    roster
        .with(
            RosterEntry::agent(
                "perfect",
                "perfect play: to size 3, to size 4 with a proof file, and in positions that it solves",
                move |config| Ok(Perfect::new(config, proof.clone())?),
            )
            .simulations()
            .threads(),
        )
        .with(RosterEntry::agent(
            "rogers-tree",
            "the whole game tree once nine cells are empty, random before",
            |config| Ok(FullTree::new(config.limits.clone(), config.seed)),
        ))
        .with(RosterEntry::agent("rogers-straight", "from a corner straight across the board", |config| {
            Ok(Straight::new(config.seed))
        }))
        .with(RosterEntry::agent(
            "rogers-defence",
            "the same, but blocks the threats of the last stone",
            |config| Ok(Straight::new(config.seed).defending()),
        ))
        .with(RosterEntry::agent("leipzig", "one random clump", |config| Ok(Leipzig::new(config.seed))))
}

/// A Monte-Carlo tree with the limits of the configuration.
pub(crate) fn tree<P: PlayoutPolicy<Position>>(
    config: &PlayerConfig,
    options: MctsOptions,
    playout: P,
) -> Result<Mcts<Position, P>, OptionsError> {
    let options = options.threads(config.threads).bytes(config.bytes()).keep(true);
    Ok(Mcts::new(playout, options)?.graph(false))
}

/// A Monte-Carlo tree with random games, with threats or without.
type Plain = Mcts<Position, RandomGames, (), Option<Threats>>;

fn plain(
    config: &PlayerConfig,
    options: MctsOptions,
    threats: Option<Threats>,
) -> Result<Plain, OptionsError> {
    Ok(tree(config, options, RandomGames::new())?.tactics(threats))
}

/// The Monte-Carlo tree with RAVE and threats.
pub(crate) fn mcts(config: &PlayerConfig) -> Result<Plain, OptionsError> {
    plain(config, MctsOptions::with_rave(), Some(Threats))
}

/// The entry `mcts-patterns` of the [`roster()`] with the caller's patterns in place of the patterns of
/// `stonework-pattern`.
///
/// ```
/// use std::sync::Arc;
/// use stonework_havannah_players::{mcts_patterns, roster};
/// use stonework_pattern::Patterns;
/// use stonework_roster::PlayerConfig;
/// let bridges = Patterns::compile(r#"bridge: {"o.o???", ".o....", 8}  except "o.oooo""#)?;
/// let roster = roster(None).with(mcts_patterns(Arc::new(bridges)));
/// assert!(roster.engine("mcts-patterns", &PlayerConfig::default()).is_ok());
/// # Ok::<(), stonework_pattern::Faults>(())
/// ```
#[must_use]
pub fn mcts_patterns(patterns: Arc<Patterns>) -> RosterEntry<Position> {
    pattern_entry(move || PatternGames::new(Arc::clone(&patterns)))
}

fn pattern_entry(playout: impl Fn() -> PatternGames + Send + Sync + 'static) -> RosterEntry<Position> {
    RosterEntry::engine("mcts-patterns", "mcts whose playouts answer by patterns", move |config| {
        Ok(tree(config, MctsOptions::with_rave(), playout())?.tactics(Threats))
    })
    .threads()
    .simulations()
}

/// The options of an alpha-beta search with the table and the threads of a configuration.
fn options(config: &PlayerConfig) -> AlphaBetaOptions {
    AlphaBetaOptions::new().bytes(config.bytes()).threads(config.threads)
}
