//! [`round_robin`]: games between some players of a roster.

use std::sync::atomic::AtomicBool;

use stonework_game::{Game, Textual};
use stonework_roster::{PlayerConfig, PlayerSpec, Roster, RosterError, SpecError};

use crate::{AgentContestant, Contestant, CrossTable, Event, Games, NotPlayed, Openings, Terms};

/// The reason why a round robin was not played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RoundRobinError {
    /// A text is no name with options.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A name is no player of the roster, or a player has no such option.
    #[error(transparent)]
    Player(#[from] RosterError),
    /// An opening cannot be played.
    #[error(transparent)]
    NotPlayed(#[from] NotPlayed),
}

/// Plays a match of two players of a roster, or a round robin of more, and returns the table.
///
/// Each `NAME` or `NAME:OPTION=VALUE` of `players` is read as a [`PlayerSpec`], with the default [`PlayerConfig`]. In every
/// round each two players meet twice, from an opening of one random move, with colours swapped. The games are played
/// one after another, without a clock. [`Event`] has all these choices.
///
/// The same seed gives the same games if no player uses a clock.
///
/// # Errors
/// An error if a name is no player of the roster, or if the start has no move.
///
/// ```
/// use stonework_arena::round_robin;
/// use stonework_game::example::Nim;
/// use stonework_roster::{Roster, RosterEntry};
/// use stonework_search::{Mcts, MctsOptions, Minimax, RandomPlayout};
/// let roster = Roster::<Nim>::new()
///     .with(RosterEntry::engine("minimax", "the complete game tree", |_| Ok(Minimax::new(()))))
///     .with(RosterEntry::engine("mcts", "a Monte-Carlo tree", |_| {
///         Ok(Mcts::new(RandomPlayout::new(100), MctsOptions::uct())?)
///     }).simulations());
/// let table = round_robin(&Nim::new(12), &roster, &["minimax", "mcts:simulations=5"], 4, 1)?;
/// assert!(table.text().contains("minimax"));
/// assert!(round_robin(&Nim::new(12), &roster, &["minimax", "nobody"], 4, 1).is_err());
/// # Ok::<(), stonework_arena::RoundRobinError>(())
/// ```
pub fn round_robin<G: Game + Textual + 'static>(
    start: &G,
    roster: &Roster<G>,
    players: &[&str],
    rounds: usize,
    seed: u64,
) -> Result<CrossTable, RoundRobinError> {
    let config = PlayerConfig::default();
    let specs: Vec<PlayerSpec> = players.iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
    for spec in &specs {
        // A player that cannot be made is refused before the first game.
        drop(spec.agent(roster, &config)?);
    }
    let make = |player: usize| -> Box<dyn Contestant<G>> {
        Box::new(AgentContestant::of_roster(specs[player].clone(), roster, &config))
    };
    let openings = Openings::Random { plies: 1 }.list(start, rounds, seed);
    let event = Event { start: start.clone(), players: specs.len(), terms: Terms::default(), openings, seed };
    let mut games = Games::default();
    event.run(&make, &|_| false, 1, &AtomicBool::new(false), &mut |game| games.add(game))?;
    Ok(CrossTable::new(players.iter().map(|&name| name.to_owned()).collect(), games.iter()))
}
