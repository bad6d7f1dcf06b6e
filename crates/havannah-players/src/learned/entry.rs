//! [`learned_entry`]: a player with files of the caller.

use std::sync::Arc;

use stonework_havannah::Position;
use stonework_learn::{LatticeNet, MoveWeights, ValueNet, WrongCount};
use stonework_roster::{Leveled, MakeError, PlayerConfig, RosterEntry};
use stonework_search::Engine;

use super::{HavannahJudge, HavannahNet, HavannahPriors};
use crate::champion::{ALWAYS, Champion, ChampionAgent};

/// An entry like `champion` with a network and weights of the caller in place of its own. Without a network the share of
/// values is 0, without weights the bias is 0; both stay options of the player. With a network on the lattice, the player
/// searches by it alone, at all sizes; without one, no such network searches.
///
/// # Errors
/// If the network or the weights are not those of Havannah's features.
///
/// ```
/// use stonework_havannah_players::{HavannahMoves, learned_entry, roster};
/// use stonework_learn::{MoveFeatures, MoveWeights};
/// use stonework_roster::PlayerConfig;
/// let weights = MoveWeights::zero(HavannahMoves::new().weights());
/// let roster = roster(None).with(learned_entry("beginner", None, Some(weights), None)?);
/// assert!(roster.engine("beginner", &PlayerConfig::default()).is_ok());
/// assert!(learned_entry("wrong", None, Some(MoveWeights::zero(5)), None).is_err());
/// # Ok::<(), stonework_learn::WrongCount>(())
/// ```
pub fn learned_entry(
    name: &str,
    value: Option<ValueNet>,
    priors: Option<MoveWeights>,
    lattice: Option<LatticeNet>,
) -> Result<RosterEntry<Position>, WrongCount> {
    let value = value.map(HavannahNet::new).transpose()?;
    let priors = priors.map(HavannahPriors::new).transpose()?;
    let judge = lattice.map(|net| HavannahJudge::new(Arc::new(net))).transpose()?;
    let make = Arc::new(move |config: &PlayerConfig| {
        let mut own = Champion::learned(
            config,
            value.clone().unwrap_or_else(HavannahNet::shipped),
            priors.clone().unwrap_or_else(HavannahPriors::shipped),
            judge.clone().unwrap_or_else(HavannahJudge::shipped),
        )?;
        own.set_parameter("lattice", if judge.is_some() { ALWAYS } else { 0.0 })?;
        for (option, given) in [("share", value.is_some()), ("bias", priors.is_some())] {
            if !given {
                own.set_parameter(option, 0.0)?;
            }
        }
        Ok::<_, MakeError>(own)
    });
    let again = Arc::clone(&make);
    let about = "champion with learned files of the caller";
    let entry = RosterEntry::engine(name, about, move |config| Ok(Leveled::new(make(config)?)));
    let entry = entry
        .played_by(move |config| Ok(ChampionAgent::new(Leveled::new(again(config)?.resisting()), config)));
    Ok(entry.threads().simulations())
}
