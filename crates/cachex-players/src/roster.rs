//! The roster of Cachex.

use stonework_cachex::Position;
use stonework_roster::{PlayerConfig, Roster, RosterEntry};
use stonework_search::{
    AlphaBeta, AlphaBetaOptions, Mcts, MctsOptions, Minimax, OptionsError, RandomPlayout,
};

use crate::saw_chong::{SawChong, SawChongSum};
use crate::{Blend, Decisive, Expert, Noisy, Weights, expert};

/// The number of plies after which a playout is a draw; few playouts last so long.
const PLAYOUT: u32 = 343;

/// The engines and players of Cachex by name, the engines first. All of them play on boards of any size.
///
/// ```
/// use stonework_cachex::Position;
/// use stonework_game::Game;
/// use stonework_roster::PlayerConfig;
/// use stonework_roster::{Clock, Decision};
/// use stonework_search::Limits;
/// let (roster, limits) = (stonework_cachex_players::roster(), Limits::none().nodes(1000).bytes(1 << 20));
/// let config = PlayerConfig { limits, ..PlayerConfig::default() };
/// let mut game = Position::new(5)?;
/// for name in ["cachex", "seed", "mcts"] {
///     let decision = roster.agent(name, &config)?.decide(&game, &Clock::NONE);
///     let Some(Decision::Play(mv)) = decision else { panic!("{name} gives up") };
///     game.play(mv)?;
/// }
/// assert_eq!(game.turns(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn roster() -> Roster<Position> {
    Roster::new()
        .with(
            RosterEntry::engine(
                "cachex",
                "alpha-beta with resistance, currents, captures and a beam",
                |config| Ok(expert::search(Blend::default(), AlphaBetaOptions::new().bytes(config.bytes()))?),
            )
            .played_by(|config| Ok(Expert::new(Weights::default(), config.limits.clone(), config.bytes())?)),
        )
        .with(
            RosterEntry::engine(
                "distance",
                "alpha-beta with the shortest connection: the quickest evaluation",
                |config| {
                    Ok(AlphaBeta::new(Blend::new(Weights::DISTANCE), options(config))?.noisy_moves(Noisy))
                },
            )
            .threads(),
        )
        .with(
            RosterEntry::engine("seed-sum", "alpha-beta with the evaluation of Saw and Chong", |config| {
                Ok(AlphaBeta::new(SawChongSum, options(config))?.noisy_moves(Noisy))
            })
            .threads(),
        )
        .with(
            RosterEntry::engine(
                "alphabeta",
                "alpha-beta without evaluation: forced outcomes only",
                |config| Ok(AlphaBeta::new((), options(config))?.noisy_moves(Noisy)),
            )
            .threads(),
        )
        .with(
            RosterEntry::engine("mcts", "Monte-Carlo tree with RAVE and wins in one", |config| {
                Ok(tree(config, MctsOptions::with_rave())?.tactics(Some(Decisive)))
            })
            .threads()
            .simulations(),
        )
        .with(
            RosterEntry::engine("uct", "plain Monte-Carlo tree", |config| {
                Ok(tree(config, MctsOptions::uct())?.tactics(None::<Decisive>))
            })
            .threads()
            .simulations(),
        )
        .with(RosterEntry::engine(
            "minimax",
            "the complete game tree: size 3 only, with a limit of depth",
            |_| Ok(Minimax::new(())),
        ))
        .with(RosterEntry::agent(
            "seed",
            "the player of Saw and Chong: minimax of depth 2, or a greedy rule below size 7",
            |_| Ok(SawChong::new()),
        ))
}

/// A Monte-Carlo tree with the limits of a configuration.
pub(crate) fn tree(
    config: &PlayerConfig,
    options: MctsOptions,
) -> Result<Mcts<Position, RandomPlayout<Position>>, OptionsError> {
    let options = options.threads(config.threads).bytes(config.bytes()).keep(true);
    Mcts::new(RandomPlayout::new(PLAYOUT), options)
}

/// The options of an alpha-beta search with the table and the threads of a configuration.
fn options(config: &PlayerConfig) -> AlphaBetaOptions {
    AlphaBetaOptions::new().bytes(config.bytes()).threads(config.threads)
}
