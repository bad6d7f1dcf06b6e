//! [`learned_entry`]: a player with files of the caller.

use std::sync::Arc;

use stonework_havannah::Position;
use stonework_learn::{MoveWeights, ValueNet, WrongCount};
use stonework_roster::{Leveled, MakeError, PlayerConfig, RosterEntry};
use stonework_search::Engine;

use super::{HavannahNet, HavannahPriors};
use crate::champion::{Champion, ChampionAgent};

/// An entry like `champion` with a network and weights of the caller in place of its own. Without a network the share of
/// values is 0, without weights the bias is 0; both stay options of the player.
///
/// # Errors
/// If the network or the weights are not those of Havannah's features.
///
/// ```
/// use stonework_havannah_players::{HavannahMoves, learned_entry, roster};
/// use stonework_learn::{MoveFeatures, MoveWeights};
/// use stonework_roster::PlayerConfig;
/// let weights = MoveWeights::zero(HavannahMoves::new().weights());
/// let roster = roster(None).with(learned_entry("beginner", None, Some(weights))?);
/// assert!(roster.engine("beginner", &PlayerConfig::default()).is_ok());
/// assert!(learned_entry("wrong", None, Some(MoveWeights::zero(5))).is_err());
/// # Ok::<(), stonework_learn::WrongCount>(())
/// ```
pub fn learned_entry(
    name: &str,
    value: Option<ValueNet>,
    priors: Option<MoveWeights>,
) -> Result<RosterEntry<Position>, WrongCount> {
    let value = value.map(HavannahNet::new).transpose()?;
    let priors = priors.map(HavannahPriors::new).transpose()?;
    let make = Arc::new(move |config: &PlayerConfig| {
        let mut own = Champion::learned(
            config,
            value.clone().unwrap_or_else(HavannahNet::shipped),
            priors.clone().unwrap_or_else(HavannahPriors::shipped),
        )?;
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
    let entry = entry.played_by(move |config| Ok(ChampionAgent::new(again(config)?, config)));
    Ok(entry.threads().simulations())
}
