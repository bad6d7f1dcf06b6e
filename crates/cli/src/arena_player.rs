//! Players of a match by their names on the command line.

use std::sync::Arc;

use stonework_arena::{AgentContestant, Contestant, Dialect, GtpContestant, Pace, Terms};
use stonework_players::roster::Seat;
use stonework_search::Agent;

use crate::engines::ended;
use crate::failure::{Failure, say};
use crate::games::Played;

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
    Own(Own),
    Program(Box<GtpContestant>),
}

/// One of ours: `NAME` or `NAME:OPTION=VALUE,…`.
#[derive(Clone)]
pub(crate) struct Own {
    pub(crate) name: String,
    pub(crate) dials: Vec<(String, f64)>,
}

impl Own {
    /// Reads the name and the options of a player or an engine, as `what` says, without asking whether there are any such.
    pub(crate) fn parse(what: &str, text: &str) -> Result<Self, Failure> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let option = |part: &str| {
            let wrong = || Failure::input(format!("{what} `{text}`: `{part}` is no OPTION=VALUE"));
            let (dial, value) = part.split_once('=').ok_or_else(wrong)?;
            let value = value.trim().parse().map_err(|_| wrong())?;
            Ok((dial.trim().to_owned(), value))
        };
        let parts = options.split(',').map(str::trim).filter(|part| !part.is_empty());
        Ok(Self { name: name.to_owned(), dials: parts.map(option).collect::<Result<_, Failure>>()? })
    }

    /// The player.
    pub(crate) fn agent<G: Played>(&self, seat: &Seat) -> Result<Box<dyn Agent<G>>, String> {
        let mut agent = G::agent(&self.name, seat).map_err(|error| error.to_string())?;
        for (dial, value) in &self.dials {
            agent.turn(dial, *value).map_err(|error| format!("{}: {error}", self.name))?;
        }
        Ok(agent)
    }

    /// Refuses a depth as the only limit of a player that it would not end.
    pub(crate) fn ends<G: Played>(&self, seat: &Seat, terms: &Terms) -> Result<(), String> {
        if terms.pace != Pace::Own || self.is_limited() {
            Ok(())
        } else {
            ended::<G>(&self.name, &seat.limits)
        }
    }

    /// The player as a contestant, made anew for each game.
    pub(crate) fn contestant<G: Played>(&self, seat: &Seat) -> Box<dyn Contestant<G>> {
        let (own, seat) = (self.clone(), seat.clone());
        Box::new(AgentContestant::new(move |seed| own.agent(&Seat { seed, ..seat.clone() })))
    }

    /// Whether it has a limit of its own.
    pub(crate) fn is_limited(&self) -> bool {
        self.dials
            .iter()
            .any(|(dial, _)| ["nodes", "simulations", "seconds", "depth"].contains(&dial.as_str()))
    }
}

impl Entrant {
    /// Reads a player: `gtp:COMMAND`, `castro:COMMAND`, `lajkonik:COMMAND`, each perhaps with a notation, as in
    /// `gtp/grid:COMMAND`; anything else is one of ours.
    pub(crate) fn parse<G: Played>(text: &str, start: &G, size: u32, swap: bool) -> Result<Self, Failure> {
        let (head, command) = text.split_once(':').unwrap_or((text, ""));
        let (dialect, notation) = head.split_once('/').map_or((head, None), |(d, n)| (d, Some(n)));
        let Some(dialect) = Dialect::ALL.into_iter().find(|known| known.name == dialect) else {
            let own = Own::parse("player", text)?;
            own.agent::<G>(&Seat::default())
                .map_err(|why| Failure::input(format!("player `{text}`: {why}")))?;
            return Ok(Self { spec: text.to_owned(), name: text.to_owned(), kind: Kind::Own(own) });
        };
        let [first, second] = G::SIDES;
        let mut program = GtpContestant::new(command, dialect, size).swap(swap).colours(first, second);
        if let Some(notation) = notation {
            let wrong = |why: String| Failure::input(format!("player `{text}`: {why}"));
            program = start.speaking(program, notation).map_err(wrong)?;
        }
        let file = command.split_whitespace().next().unwrap_or_default();
        let file = std::path::Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned());
        let name = format!("{}:{}", dialect.name, file.unwrap_or_default());
        Ok(Self { spec: text.to_owned(), name, kind: Kind::Program(Box::new(program)) })
    }

    /// Whether it needs no limit from outside: it has its own, or is a program, which has its ways.
    pub(crate) fn is_limited(&self) -> bool {
        match &self.kind {
            Kind::Own(own) => own.is_limited(),
            Kind::Program(_) => true,
        }
    }

    /// Whether it is a program.
    pub(crate) const fn is_program(&self) -> bool {
        matches!(self.kind, Kind::Program(_))
    }

    /// Whether it can play on these terms; says on standard error if a program does not repeat ids.
    pub(crate) fn probe<G: Played>(&self, seat: &Seat, terms: &Terms) -> Result<(), Failure> {
        let repeats = match &self.kind {
            Kind::Own(own) => own.agent::<G>(seat).and_then(|_| own.ends::<G>(seat, terms)).map(|()| true),
            Kind::Program(program) => {
                supervised(program, seat).probe(terms).map_err(|fault| fault.to_string())
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
    pub(crate) fn contestant<G: Played>(&self, seat: &Seat) -> Box<dyn Contestant<G>> {
        match &self.kind {
            Kind::Own(own) => own.contestant(seat),
            Kind::Program(program) => supervised(program, seat).contestant(),
        }
    }
}

/// The program, which is stopped when a search would be.
fn supervised(program: &GtpContestant, seat: &Seat) -> GtpContestant {
    let program = program.clone();
    match &seat.limits.cancel {
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
