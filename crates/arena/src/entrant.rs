//! [`Entrant`]: a player of a match, by name.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use stonework_game::Game;
use stonework_roster::{PlayerConfig, PlayerSpec, Roster, SpecError};
use stonework_session::{AnyPosition, GameType, Start};

use crate::{AgentContestant, Contestant, GtpContestant, GtpDialect, Pace, Terms};

/// The reason why a text is no player, or why a player cannot play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EntrantError {
    /// The text of a roster's player has an invalid option.
    #[error("player {0}")]
    Spec(#[from] SpecError),
    /// A depth is the only limit of a player that has no fixed depth: the player would never end.
    #[error(
        "player `{spec}`: a depth of {depth} ends no search of {name}: it needs seconds, nodes or simulations"
    )]
    Endless {
        /// The text of the player.
        spec: String,
        /// The name in the roster.
        name: String,
        /// The depth.
        depth: u32,
    },
    /// The roster or the program refuses.
    #[error("player `{spec}`: {reason}")]
    Refused {
        /// The text of the player.
        spec: String,
        /// The wrong value, or the answer of the program.
        reason: String,
    },
}

/// A player of a match by its name: a player of a roster, or a program that speaks the Go Text Protocol.
///
/// | text | player |
/// |---|---|
/// | `NAME`, `NAME:OPTION=VALUE,…` | an entry of the game's roster, a [`PlayerSpec`] |
/// | `gtp:COMMAND`, `castro:COMMAND`, `lajkonik:COMMAND` | a program, by its [`GtpDialect`] |
/// | `gtp/NOTATION:COMMAND` and so on | the same; the program's moves are in this notation of the game |
///
/// The [first example](crate) is a match between two entrants.
#[derive(Clone, Debug)]
pub struct Entrant {
    spec: String,
    name: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Own(PlayerSpec),
    Program(Box<GtpContestant>),
}

impl Entrant {
    /// Reads a player of a game from its text, for games from `start`. A player of the roster is made once, with the usual
    /// configuration, and dropped; a program is not started.
    ///
    /// # Errors
    /// [`EntrantError::Spec`] for an option without a number. [`EntrantError::Refused`] for a name or an option that
    /// the roster does not have, and for a notation that the game does not have or that does not fit the board.
    pub fn parse(text: &str, game: &GameType, start: &Start) -> Result<Self, EntrantError> {
        let refused = |reason: String| EntrantError::Refused { spec: text.to_owned(), reason };
        let (head, command) = text.split_once(':').unwrap_or((text, ""));
        let (dialect, notation) = head.split_once('/').map_or((head, None), |(d, n)| (d, Some(n)));
        let Some(dialect) = GtpDialect::ALL.into_iter().find(|known| known.name == dialect) else {
            let spec: PlayerSpec = text.parse()?;
            spec.agent(game.roster(), &PlayerConfig::default())
                .map_err(|error| refused(error.to_string()))?;
            return Ok(Self { spec: text.to_owned(), name: text.to_owned(), kind: Kind::Own(spec) });
        };
        let position = game.start(start).map_err(|fault| refused(fault.message))?;
        let [first, second] = game.description().sides;
        let mut program = GtpContestant::new(command, dialect, position.size().into())
            .swap(start.swap)
            .colours(first, second);
        if let Some(notation) = notation {
            program = speaking(program, &position, notation).map_err(refused)?;
        }
        let file = command.split_whitespace().next().unwrap_or_default();
        let file = Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned());
        let name = format!("{}:{}", dialect.name, file.unwrap_or_default());
        Ok(Self { spec: text.to_owned(), name, kind: Kind::Program(Box::new(program)) })
    }

    /// The text that the player was read from.
    #[must_use]
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// The name for tables: for a roster's player the text, for a program the dialect and the file of the program.
    /// After [`Entrant::distinguish`] the name may end in `#` and a number.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// `true` if the player is a program.
    #[must_use]
    pub const fn is_program(&self) -> bool {
        matches!(self.kind, Kind::Program(_))
    }

    /// `true` if the player needs no limit from outside: it is a program, or has a limit among its options.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        match &self.kind {
            Kind::Own(spec) => spec.is_limited(),
            Kind::Program(_) => true,
        }
    }

    /// Checks that the player can play on these terms; a program is started and ended. Returns `true` for a program
    /// that repeats the ids of commands ([`GtpContestant::probe`]), and for a roster's player.
    ///
    /// # Errors
    /// The refusal of the roster or of the program, or [`EntrantError::Endless`].
    pub fn probe(
        &self,
        roster: &Roster<AnyPosition>,
        config: &PlayerConfig,
        terms: &Terms,
    ) -> Result<bool, EntrantError> {
        let refused = |reason: String| EntrantError::Refused { spec: self.spec.clone(), reason };
        match &self.kind {
            Kind::Own(spec) => {
                spec.agent(roster, config).map_err(|error| refused(error.to_string()))?;
                check_ends(&self.spec, spec, roster, config, terms)?;
                Ok(true)
            }
            Kind::Program(program) => {
                supervised(program, config).probe(terms).map_err(|fault| refused(fault.to_string()))
            }
        }
    }

    /// The contestant of the player. A program is stopped when the flag of the configuration's limits is set.
    #[must_use]
    pub fn contestant(
        &self,
        roster: &Roster<AnyPosition>,
        config: &PlayerConfig,
    ) -> Box<dyn Contestant<AnyPosition>> {
        match &self.kind {
            Kind::Own(spec) => Box::new(AgentContestant::of_roster(spec.clone(), roster, config)),
            Kind::Program(program) => supervised(program, config).contestant(),
        }
    }

    /// Adds numbers to equal names, so that all names differ.
    pub fn distinguish(entrants: &mut [Self]) {
        let names: Vec<String> = entrants.iter().map(|entrant| entrant.name.clone()).collect();
        let mut taken: HashSet<String> = names.iter().cloned().collect();
        for entrant in entrants {
            if names.iter().filter(|&name| *name == entrant.name).count() > 1 {
                // The file of a program may have a name that ends in a number already.
                let mut numbered = (1_u64..).map(|number| format!("{}#{number}", entrant.name));
                let name = numbered.find(|name| taken.insert(name.clone()));
                entrant.name = name.unwrap_or_default();
            }
        }
    }
}

/// Checks that the limits of a configuration end a roster's player that has no time of the terms and no limit among
/// its options. `text` is the text of the player.
///
/// # Errors
/// [`EntrantError::Endless`] if a depth is the only limit, and the player has no fixed depth.
///
/// ```
/// use stonework_arena::{Terms, check_ends};
/// use stonework_search::Limits;
/// use stonework_roster::PlayerConfig;
/// use stonework_session::Registry;
/// let (registry, terms) = (Registry::standard(), Terms::default());
/// let roster = registry.game("havannah")?.roster();
/// let config = PlayerConfig { limits: Limits::none().depth(2), ..PlayerConfig::default() };
/// assert!(check_ends("links", &"links".parse()?, roster, &config, &terms).is_ok());
/// let refused = check_ends("uct", &"uct".parse()?, roster, &config, &terms).unwrap_err().to_string();
/// assert_eq!(refused, "player `uct`: a depth of 2 ends no search of uct: it needs seconds, nodes or simulations");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_ends<G: Game>(
    text: &str,
    spec: &PlayerSpec,
    roster: &Roster<G>,
    config: &PlayerConfig,
    terms: &Terms,
) -> Result<(), EntrantError> {
    let PlayerConfig { limits, .. } = config;
    let ends = terms.pace != Pace::Own
        || spec.is_limited()
        || roster.entry(&spec.name).is_some_and(|entry| entry.ends(limits));
    match limits.depth {
        Some(depth) if !ends => {
            Err(EntrantError::Endless { spec: text.to_owned(), name: spec.name.clone(), depth })
        }
        _ => Ok(()),
    }
}

/// Sets the notation of a program's moves.
fn speaking(program: GtpContestant, start: &AnyPosition, notation: &str) -> Result<GtpContestant, String> {
    let game = start.description();
    if game.notations.is_empty() {
        return Err(format!("no notation `{notation}`: {} has one", game.name));
    }
    let number = start.notation(Some(notation)).map_err(|fault| fault.message)?;
    let renamed = |from: usize, to: usize| {
        let start = start.clone();
        move |text: &str| {
            let name = start.move_text_in(start.read_move(text, from).ok()?, to);
            (!name.is_empty()).then_some(name)
        }
    };
    Ok(program.translating(renamed(0, number), renamed(number, 0)))
}

/// The program with the flag of the searches: the flag stops the program too.
fn supervised(program: &GtpContestant, config: &PlayerConfig) -> GtpContestant {
    let program = program.clone();
    match &config.limits.cancel {
        Some(flag) => program.cancel(Arc::clone(flag)),
        None => program,
    }
}
