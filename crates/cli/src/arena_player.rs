//! Players of a match by their names on the command line.

use std::sync::Arc;

use stonework_arena::{AgentContestant, Contestant, GtpContestant, GtpDialect, Pace, Terms};
use stonework_roster::{PlayerConfig, PlayerSpec, Roster};
use stonework_session::{AnyPosition, GameType};

use crate::engines::ended;
use crate::failure::{Failure, say};

/// A player: one of ours, perhaps with options, or a program.
#[derive(Clone)]
pub(crate) struct Entrant {
    /// As it was given.
    pub(crate) spec: String,
    /// For tables.
    pub(crate) name: String,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    Own(PlayerSpec),
    Program(Box<GtpContestant>),
}

/// Reads the name and the options of one of our players.
pub(crate) fn spec_of(text: &str) -> Result<PlayerSpec, Failure> {
    text.parse().map_err(|error| Failure::input(format!("player {error}")))
}

/// Refuses a depth as the only limit of a player that it would not end.
pub(crate) fn ends(
    spec: &PlayerSpec,
    roster: &Roster<AnyPosition>,
    config: &PlayerConfig,
    terms: &Terms,
) -> Result<(), String> {
    if terms.pace != Pace::Own || spec.is_limited() {
        Ok(())
    } else {
        ended(roster, &spec.name, &config.limits)
    }
}

/// One of our players as a contestant, made anew for each game.
pub(crate) fn contestant(
    spec: PlayerSpec,
    roster: &Roster<AnyPosition>,
    config: &PlayerConfig,
) -> Box<dyn Contestant<AnyPosition>> {
    let (roster, config) = (roster.clone(), config.clone());
    Box::new(AgentContestant::new(move |seed| {
        let config = PlayerConfig { seed, ..config.clone() };
        spec.agent(&roster, &config).map_err(|error| error.to_string())
    }))
}

impl Entrant {
    /// Reads a player: `gtp:COMMAND`, `castro:COMMAND`, `lajkonik:COMMAND`, each perhaps with a notation, as in
    /// `gtp/grid:COMMAND`; anything else is one of ours.
    pub(crate) fn parse(
        text: &str,
        game: &GameType,
        start: &AnyPosition,
        size: u32,
        swap: bool,
    ) -> Result<Self, Failure> {
        let (head, command) = text.split_once(':').unwrap_or((text, ""));
        let (dialect, notation) = head.split_once('/').map_or((head, None), |(d, n)| (d, Some(n)));
        let Some(dialect) = GtpDialect::ALL.into_iter().find(|known| known.name == dialect) else {
            let spec = spec_of(text)?;
            spec.agent(game.roster(), &PlayerConfig::default())
                .map_err(|why| Failure::input(format!("player `{text}`: {why}")))?;
            return Ok(Self { spec: text.to_owned(), name: text.to_owned(), kind: Kind::Own(spec) });
        };
        let [first, second] = game.description().sides;
        let mut program = GtpContestant::new(command, dialect, size).swap(swap).colours(first, second);
        if let Some(notation) = notation {
            let wrong = |why: String| Failure::input(format!("player `{text}`: {why}"));
            program = speaking(program, start, notation).map_err(wrong)?;
        }
        let file = command.split_whitespace().next().unwrap_or_default();
        let file = std::path::Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned());
        let name = format!("{}:{}", dialect.name, file.unwrap_or_default());
        Ok(Self { spec: text.to_owned(), name, kind: Kind::Program(Box::new(program)) })
    }

    /// Whether it needs no limit from outside: it has its own, or is a program, which has its ways.
    pub(crate) fn is_limited(&self) -> bool {
        match &self.kind {
            Kind::Own(spec) => spec.is_limited(),
            Kind::Program(_) => true,
        }
    }

    /// Whether it is a program.
    pub(crate) const fn is_program(&self) -> bool {
        matches!(self.kind, Kind::Program(_))
    }

    /// Whether it can play on these terms; says on standard error if a program does not repeat ids.
    pub(crate) fn probe(
        &self,
        roster: &Roster<AnyPosition>,
        config: &PlayerConfig,
        terms: &Terms,
    ) -> Result<(), Failure> {
        let repeats = match &self.kind {
            Kind::Own(spec) => spec
                .agent(roster, config)
                .map_err(|error| error.to_string())
                .and_then(|_| ends(spec, roster, config, terms))
                .map(|()| true),
            Kind::Program(program) => {
                supervised(program, config).probe(terms).map_err(|fault| fault.to_string())
            }
        };
        if !repeats.map_err(|why| Failure::input(format!("player `{}`: {why}", self.spec)))? {
            say(format_args!(
                "note: player `{}` does not repeat the ids of commands; an answer too many may be taken for the next one",
                self.spec
            ));
        }
        Ok(())
    }

    /// The player, ready to be prepared.
    pub(crate) fn contestant(
        &self,
        roster: &Roster<AnyPosition>,
        config: &PlayerConfig,
    ) -> Box<dyn Contestant<AnyPosition>> {
        match &self.kind {
            Kind::Own(spec) => contestant(spec.clone(), roster, config),
            Kind::Program(program) => supervised(program, config).contestant(),
        }
    }
}

/// Has a program name moves in a notation.
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

/// The program, which is stopped when a search would be.
fn supervised(program: &GtpContestant, config: &PlayerConfig) -> GtpContestant {
    let program = program.clone();
    match &config.limits.cancel {
        Some(flag) => program.cancel(Arc::clone(flag)),
        None => program,
    }
}

/// Gives players of the same name numbers, so that names tell them apart.
pub(crate) fn distinguish(entrants: &mut [Entrant]) {
    let names: Vec<String> = entrants.iter().map(|entrant| entrant.name.clone()).collect();
    for (index, entrant) in entrants.iter_mut().enumerate() {
        if names.iter().filter(|&name| *name == entrant.name).count() > 1 {
            let number = names[..=index].iter().filter(|&name| *name == entrant.name).count();
            entrant.name = format!("{}#{number}", entrant.name);
        }
    }
}
