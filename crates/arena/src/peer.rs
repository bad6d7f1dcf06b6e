//! [`GtpContestant`]: a program that speaks the Go Text Protocol, as a contestant.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use stonework_game::text::head;
use stonework_game::{ByPlayer, Game, Player, Textual};
use stonework_gtp::{Controller, ControllerError};
use stonework_roster::{Clock, Decision};
use web_time::Instant;

use crate::contestant::MOVES_TO_COME;
use crate::dialect::fill;
use crate::{Contestant, Fault, GtpDialect, Pace, Terms};

/// Translates the name of a move; `None` if there is no such move.
type Translate = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// A program that speaks the Go Text Protocol, in some [`GtpDialect`].
///
/// The program is started before the first game, and again before the game after a fault that ended it. It receives
/// the size, the moves and the time. It does not receive limits of positions or simulations, nor a seed: two games
/// with the same seed may differ. Every command of a game counts on the program's clock.
#[derive(Clone)]
pub struct GtpContestant {
    command: String,
    dialect: GtpDialect,
    size: u32,
    swap: bool,
    colours: ByPlayer<&'static str>,
    translate: Option<(Translate, Translate)>,
    cancel: Option<Arc<AtomicBool>>,
}

impl std::fmt::Debug for GtpContestant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { command, dialect, size, .. } = self;
        write!(f, "GtpContestant({}:{command}, size {size})", dialect.name)
    }
}

impl GtpContestant {
    /// A program by its command line, for games on a board of this size. The command line consists of words, with
    /// quotes as in a shell; no shell runs. The first side is called white, the second black, and there is no swap.
    #[must_use]
    pub fn new(command: impl Into<String>, dialect: GtpDialect, size: u32) -> Self {
        let colours = ByPlayer::new("white", "black");
        Self { command: command.into(), dialect, size, swap: false, colours, translate: None, cancel: None }
    }

    /// Sets the names of the two sides.
    #[must_use]
    pub const fn colours(mut self, first: &'static str, second: &'static str) -> Self {
        self.colours = ByPlayer::new(first, second);
        self
    }

    /// Sets whether the game has the right to swap.
    #[must_use]
    pub const fn swap(mut self, swap: bool) -> Self {
        self.swap = swap;
        self
    }

    /// Sets a flag that ends every wait for the program as soon as the flag is set, with [`Fault::Stopped`].
    #[must_use]
    pub fn cancel(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Sets the names of moves of a program with other names than the game's notation: `to` translates a name for the
    /// program, and `from` translates an answer of the program.
    #[must_use]
    pub fn translating(
        mut self,
        to: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
        from: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.translate = Some((Arc::new(to), Arc::new(from)));
        self
    }

    /// Starts the program, prepares it for a game under these terms, and ends it. Returns `true` if the program
    /// repeats the ids of commands ([`Controller::echoes_ids`]).
    ///
    /// # Errors
    /// The fault of a program that cannot play.
    pub fn probe(&self, terms: &Terms) -> Result<bool, Fault> {
        let mut peer = self.peer();
        peer.terms = *terms;
        peer.start()?;
        peer.new_game()?;
        Ok(peer.controller.as_ref().and_then(Controller::echoes_ids).unwrap_or_default())
    }

    /// The contestant, which starts the program when it is prepared.
    #[must_use]
    pub fn contestant<G: Game + Textual>(&self) -> Box<dyn Contestant<G>> {
        Box::new(self.peer())
    }

    fn peer(&self) -> Peer {
        let (controller, side, terms) = (None, Player::First, Terms::default());
        Peer { of: self.clone(), controller, side, terms, before: None, cpu: None, told: None }
    }
}

/// A running program.
#[derive(Debug)]
struct Peer {
    of: GtpContestant,
    controller: Option<Controller>,
    side: Player,
    terms: Terms,
    /// The processor time of the program at the beginning of this game.
    before: Option<Duration>,
    /// The processor time of the program in this game, set at the end of the program.
    cpu: Option<Duration>,
    /// With a time for each move, the time that the program was last told.
    told: Option<Duration>,
}

impl Peer {
    /// Sends a command. After any error but a refusal, `controller` is `None`.
    fn send(&mut self, command: &str, limit: Duration) -> Result<String, Fault> {
        let Some(controller) = &mut self.controller else {
            return Err(Fault::Died("it is not running".to_owned()));
        };
        let answer = controller.send(command, limit);
        if !controller.is_open() {
            self.cpu = self.taken();
            self.controller = None;
        }
        answer.map_err(fault)
    }

    /// The processor time of the running program in this game.
    fn taken(&self) -> Option<Duration> {
        Some(self.controller.as_ref()?.cpu_time()?.saturating_sub(self.before?))
    }

    /// Fills in a template and sends the command; an empty template is not sent.
    fn say(&mut self, template: &str, values: &[(&str, &str)], limit: Duration) -> Result<(), Fault> {
        let command = fill(template, values);
        if command.is_empty() { Ok(()) } else { self.send(&command, limit).map(drop) }
    }

    fn start(&mut self) -> Result<(), Fault> {
        self.controller = None;
        let mut controller = Controller::spawn(&self.of.command).map_err(fault)?;
        if let Some(flag) = &self.of.cancel {
            controller = controller.cancel(Arc::clone(flag));
        }
        self.controller = Some(controller);
        let patience = self.terms.patience;
        // The first reply shows whether the program repeats ids. The command must have no effect: a program that
        // takes the id for the name of the command may do nothing and report a success.
        match self.send("protocol_version", patience) {
            Err(fault) if self.controller.is_none() => return Err(fault),
            _ => {}
        }
        for line in self.of.dialect.setup {
            self.say(line, &[], patience)?;
        }
        self.say(self.of.dialect.swap[usize::from(self.of.swap)], &[], patience)
    }

    fn new_game(&mut self) -> Result<(), Fault> {
        let dialect = self.of.dialect;
        let (size, patience) = (self.of.size.to_string(), self.terms.patience);
        for line in dialect.new_game {
            self.say(line, &[("size", &size)], patience)?;
        }
        match self.terms.pace {
            Pace::Own => Ok(()),
            Pace::Move(time) => {
                self.told = Some(time);
                self.say(dialect.move_time, &[("move_time", &self.seconds(time)?)], patience)
            }
            Pace::Game { base, increment } => {
                let (base, increment) = (self.seconds(base)?, seconds(increment));
                self.say(dialect.game_time, &[("base", &base), ("increment", &increment)], patience)
            }
        }
    }

    /// A time of the terms in the form for the program.
    fn seconds(&self, time: Duration) -> Result<String, Fault> {
        let text = seconds(time);
        if self.of.dialect.whole_seconds && (time.subsec_nanos() > 0 || time.is_zero()) {
            let name = self.of.dialect.name;
            return Err(Fault::Start(format!("{name} thinks in whole seconds, at least 1, not {text}")));
        }
        Ok(text)
    }

    /// Sends the time before a decision: the time on the clock, or, with a time for each move, a time for this move that is
    /// shorter where the clock asks for less. A program with the whole clock would take more than the time for a move.
    fn tell_time(&mut self, clock: &Clock, limit: Duration) -> Result<(), Fault> {
        let Some(mut left) = clock.left else { return Ok(()) };
        let mut share = clock.share(MOVES_TO_COME).unwrap_or_default();
        if self.of.dialect.whole_seconds {
            // Both times are rounded down, but a share is at least a second.
            share = Duration::from_secs(share.as_secs().max(1));
            left = Duration::from_secs(left.as_secs());
        }
        if let Pace::Move(time) = self.terms.pace {
            let time = share.min(time);
            if self.told.replace(time) == Some(time) {
                return Ok(());
            }
            return self.say(self.of.dialect.move_time, &[("move_time", &seconds(time))], limit);
        }
        let (left, share) = (seconds(left), seconds(share));
        let colour = self.of.colours[self.side];
        let values = [("colour", colour), ("left", left.as_str()), ("share", share.as_str())];
        self.say(self.of.dialect.time_left, &values, limit)
    }
}

/// A number of seconds without trailing zeros, in thousandths unless the time is shorter: a time of 0 is no limit for a program.
fn seconds(time: Duration) -> String {
    let rounded = (time.as_secs_f64() * 1e3).round() / 1e3;
    format!("{}", if rounded > 0.0 { rounded } else { time.as_secs_f64() })
}

impl<G: Game + Textual> Contestant<G> for Peer {
    fn prepare(&mut self, _: &G, side: Player, _: u64, terms: &Terms) -> Result<(), Fault> {
        (self.side, self.terms) = (side, *terms);
        (self.before, self.cpu) = (None, None);
        // A program that ended after its last game is started once more.
        if self.controller.is_none() || self.new_game().is_err() {
            self.start()?;
            self.new_game()?;
        }
        self.before = self.controller.as_ref().and_then(Controller::cpu_time);
        Ok(())
    }

    fn receive(&mut self, game: &G, mv: G::Move, limit: Duration) -> Result<(), Fault> {
        let text = game.move_text(mv);
        let text = match &self.of.translate {
            Some((to, _)) => {
                to(&text).ok_or_else(|| Fault::Protocol(format!("no name for the move {text}")))?
            }
            None => text,
        };
        let colour = self.of.colours[game.to_move()];
        self.say(self.of.dialect.play, &[("colour", colour), ("move", &text)], limit)
    }

    fn choose(&mut self, game: &G, clock: &Clock, limit: Duration) -> Result<Decision<G::Move>, Fault> {
        let since = Instant::now();
        self.tell_time(clock, limit)?;
        let command = fill(self.of.dialect.genmove, &[("colour", self.of.colours[self.side])]);
        let answer = self.send(&command, limit.saturating_sub(since.elapsed()))?;
        let answer = answer.trim();
        let says = |words: &[&str]| words.iter().any(|word| word.eq_ignore_ascii_case(answer));
        if says(self.of.dialect.resign) {
            return Ok(Decision::Resign);
        }
        let head = || head(answer).to_owned();
        let illegal = |why: String| Fault::Illegal { text: head(), why };
        if says(self.of.dialect.none) {
            return Err(illegal("the game is not over".to_owned()));
        }
        let text = match &self.of.translate {
            Some((_, from)) => from(answer).ok_or_else(|| illegal("no such move".to_owned()))?,
            None => answer.to_owned(),
        };
        game.parse_move(&text).map(Decision::Play).map_err(|error| illegal(error.what))
    }

    fn cpu(&self) -> Option<Duration> {
        self.taken().or(self.cpu)
    }
}

/// The fault of a contestant for an error of the controller.
fn fault(error: ControllerError) -> Fault {
    match error {
        ControllerError::Start { .. } | ControllerError::CommandLine { .. } => {
            Fault::Start(error.to_string())
        }
        ControllerError::Died { .. } | ControllerError::InputClosed { .. } => Fault::Died(error.to_string()),
        ControllerError::Timeout { limit, .. } => Fault::TimedOut { taken: limit, allowed: limit },
        ControllerError::Cancelled { .. } => Fault::Stopped,
        ControllerError::Flood { .. } => Fault::Flooded(error.to_string()),
        // A refusal may have megabytes, and a line of a log has one at most.
        ControllerError::Refused { command, text } => {
            let (text, more) = cut(&text, MOST_REFUSAL);
            Fault::Protocol(ControllerError::Refused { command, text: format!("{text}{more}") }.to_string())
        }
        other => Fault::Protocol(other.to_string()),
    }
}

/// The largest number of characters of a refusal in the reason of a game.
const MOST_REFUSAL: usize = 400;

/// The first characters of a text, and an ellipsis if the text has more.
fn cut(text: &str, most: usize) -> (&str, &'static str) {
    text.char_indices().nth(most).map_or((text, ""), |(end, _)| (&text[..end], "…"))
}
