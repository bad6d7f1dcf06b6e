//! [`PlayerSpec`]: a player's name and parameters, as a command line has them.

use std::fmt;
use std::str::FromStr;

use stonework_engine::{Engine, Limits, ParameterError};
use stonework_game::Game;

use crate::agent::{Agent, limit_parameters, set_limit};
use crate::roster::{PlayerConfig, Roster, RosterError};

/// The name of an entry of a [`Roster`], and values for some of its parameters: `NAME` or `NAME:OPTION=VALUE,…`.
///
/// The text is read without a roster: any name is accepted.
///
/// ```
/// use stonework_roster::PlayerSpec;
/// let spec: PlayerSpec = "mcts: simulations=1000, exploration=0.5".parse()?;
/// assert_eq!(spec.name, "mcts");
/// let values: Vec<f64> = spec.parameters.iter().map(|&(_, value)| value).collect();
/// assert_eq!(values, [1000.0, 0.5]);
/// let error = "mcts:fast".parse::<PlayerSpec>().unwrap_err();
/// assert_eq!(error.to_string(), "`mcts:fast`: `fast` is no OPTION=VALUE");
/// # Ok::<(), stonework_roster::SpecError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerSpec {
    /// The name.
    pub name: String,
    /// Names of parameters with their values, in the order of the text.
    pub parameters: Vec<(String, f64)>,
}

/// A text that is no [`PlayerSpec`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}`: `{part}` is no OPTION=VALUE")]
pub struct SpecError {
    /// The whole text.
    pub text: String,
    /// The part of the text that is not an option with a number.
    pub part: String,
}

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let option = |part: &str| {
            let wrong = || SpecError { text: text.to_owned(), part: part.to_owned() };
            let (parameter, value) = part.split_once('=').ok_or_else(wrong)?;
            let value = value.trim().parse().map_err(|_| wrong())?;
            Ok((parameter.trim().to_owned(), value))
        };
        let parts = options.split(',').map(str::trim).filter(|part| !part.is_empty());
        Ok(Self { name: name.to_owned(), parameters: parts.map(option).collect::<Result<_, _>>()? })
    }
}

/// The text from which the same name and values are read.
///
/// ```
/// use stonework_roster::PlayerSpec;
/// let spec = PlayerSpec { name: "mcts".into(), parameters: vec![("rave".into(), 500.0), ("exploration".into(), 0.1 + 0.2)] };
/// assert_eq!(spec.to_string(), "mcts:rave=500,exploration=0.30000000000000004");
/// assert_eq!(spec.to_string().parse::<PlayerSpec>()?, spec);
/// # Ok::<(), stonework_roster::SpecError>(())
/// ```
impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (at, (name, value)) in self.parameters.iter().enumerate() {
            write!(f, "{}{name}={value}", if at == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

impl PlayerSpec {
    /// The parameters that limit a search, for players that have them; 0 is no limit.
    pub const LIMITS: [&str; 4] = ["nodes", "simulations", "seconds", "depth"];

    /// `true` if one of the parameters [limits](Self::LIMITS) a search. Of several values of a parameter the last one counts.
    ///
    /// ```
    /// use stonework_roster::PlayerSpec;
    /// let is_limited = |text: &str| Ok::<_, stonework_roster::SpecError>(text.parse::<PlayerSpec>()?.is_limited());
    /// assert!(is_limited("mcts:nodes=0,simulations=50")? && !is_limited("mcts:rave=50")?);
    /// assert!(!is_limited("mcts:nodes=50,nodes=0")?);
    /// # Ok::<(), stonework_roster::SpecError>(())
    /// ```
    #[must_use]
    pub fn is_limited(&self) -> bool {
        let last = |limit| self.parameters.iter().rev().find(|(name, _)| name == limit);
        Self::LIMITS.into_iter().filter_map(last).any(|&(_, value)| value > 0.0)
    }

    /// The player without the limits `nodes`, `simulations` and `seconds` among its parameters, and `limits` with these: where
    /// there are two limits, the smaller one holds. A player has them as parameters, but its engine has not.
    ///
    /// ```
    /// use stonework_engine::Limits;
    /// use stonework_roster::PlayerSpec;
    /// let spec: PlayerSpec = "mcts:simulations=50,rave=500,nodes=900,seconds=0".parse()?;
    /// let (engine, limits) = spec.limited(&Limits::none().nodes(100))?;
    /// assert_eq!(engine.to_string(), "mcts:rave=500");
    /// assert_eq!((limits.nodes, limits.simulations, limits.time), (Some(100), Some(50), None));
    /// let error = "mcts:nodes=0.5".parse::<PlayerSpec>()?.limited(&limits).unwrap_err();
    /// assert_eq!(error.to_string(), "mcts: nodes is 0.5, but has to be a whole number");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// An error for a value that is no limit.
    pub fn limited(&self, limits: &Limits) -> Result<(Self, Limits), RosterError> {
        let (mut rest, mut own) = (Self { name: self.name.clone(), parameters: Vec::new() }, Limits::none());
        let known = limit_parameters(&own);
        for &(ref name, value) in &self.parameters {
            if let Some(limit) = known.iter().find(|limit| limit.name == name) {
                let checked = limit.check(value);
                checked.map_err(|source| RosterError::Parameter { name: self.name.clone(), source })?;
                set_limit(&mut own, name, value);
            } else {
                rest.parameters.push((name.clone(), value));
            }
        }
        let limits = Limits {
            nodes: least(own.nodes, limits.nodes),
            simulations: least(own.simulations, limits.simulations),
            time: least(own.time, limits.time),
            ..limits.clone()
        };
        Ok((rest, limits))
    }

    /// The player with its parameters set.
    ///
    /// # Errors
    /// The errors of [`Roster::agent`], and an error if the player has no such parameter or refuses the value.
    pub fn agent<G: Game + 'static>(
        &self,
        roster: &Roster<G>,
        config: &PlayerConfig,
    ) -> Result<Box<dyn Agent<G>>, RosterError> {
        let mut agent = roster.agent(&self.name, config)?;
        self.set(|name, value| agent.set_parameter(name, value))?;
        Ok(agent)
    }

    /// The engine with its parameters set.
    ///
    /// # Errors
    /// The errors of [`Roster::engine`], and an error if the engine has no such parameter or refuses the value.
    pub fn engine<G: Game + 'static>(
        &self,
        roster: &Roster<G>,
        config: &PlayerConfig,
    ) -> Result<Box<dyn Engine<G>>, RosterError> {
        let mut engine = roster.engine(&self.name, config)?;
        self.set(|name, value| engine.set_parameter(name, value))?;
        Ok(engine)
    }

    fn set(&self, mut set: impl FnMut(&str, f64) -> Result<(), ParameterError>) -> Result<(), RosterError> {
        let refused = |source| RosterError::Parameter { name: self.name.clone(), source };
        self.parameters.iter().try_for_each(|(name, value)| set(name, *value)).map_err(refused)
    }
}

/// The smaller one of two limits.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    [one, other].into_iter().flatten().min()
}
