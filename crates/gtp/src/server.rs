//! [`Server`]: the side of the protocol that receives commands.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use stonework_game::text::head;
use stonework_game::{ByPlayer, Game, Outcome, Player};
use stonework_roster::{Agent, PlayerSpec, Ponderer, SpecError};
use stonework_search::{ParameterError, Report};

use crate::clock::Clocks;
use crate::commands::{self, Entry};
use crate::host::{Host, MoveOf};
use crate::lines::{self, Line};
use crate::listener::{Collector, Heard, Listener, Stream};
use crate::played::Played;
use crate::protocol::{Call, GtpReply, MAX_LINE, plain};

/// The text of a success or of a refusal.
pub(crate) type Answer = Result<String, String>;

/// The player, with the data that make an equal player.
pub(crate) struct CurrentAgent<G: Game> {
    pub(crate) player: Ponderer<G>,
    pub(crate) name: String,
    pub(crate) seed: u64,
    /// The changed parameters with their values, in the order in which they were set: a value may be allowed only after another one.
    pub(crate) parameters_set: Vec<(String, f64)>,
}

impl<G: Game> CurrentAgent<G> {
    /// A player of a host by its text, `NAME` or `NAME:OPTION=VALUE,…`.
    pub(crate) fn of<H: Host<Game = G>>(host: &H, text: &str, seed: u64) -> Result<Self, String> {
        let spec: PlayerSpec = text.parse().map_err(|error: SpecError| error.to_string())?;
        host.check_limits(&spec)?;
        let PlayerSpec { name, parameters } = spec;
        let agent = new_agent(host, &name, seed, &parameters)?;
        Ok(Self { player: Ponderer::new(agent), name, seed, parameters_set: parameters })
    }

    /// Sets a parameter of the player, and notes it for players to come.
    ///
    /// The list is not longer than 63 entries as long as the last values of the parameters can be set in some order.
    pub(crate) fn set<H: Host<Game = G>>(&mut self, host: &H, name: &str, value: f64) -> Result<(), String> {
        let mut spec = PlayerSpec { name: self.name.clone(), parameters: self.parameters_set.clone() };
        match spec.parameters.last_mut() {
            Some((last, set)) if last.as_str() == name => *set = value,
            _ => spec.parameters.push((name.to_owned(), value)),
        }
        host.check_limits(&spec)?;
        self.agent().set_parameter(name, value).map_err(|error: ParameterError| error.to_string())?;
        self.parameters_set = spec.parameters;
        let count = self.parameters_set.len();
        if count >= 64 && count.is_power_of_two() {
            self.shorten(host);
        }
        Ok(())
    }

    /// Leaves the last value of each parameter in the list, in an order in which a new player takes them. Without such an order the
    /// list stays.
    fn shorten<H: Host<Game = G>>(&mut self, host: &H) {
        let Ok(mut agent) = host.agent(&self.name, self.seed) else { return };
        let (mut left, mut taken): (Vec<(String, f64)>, Vec<_>) = (Vec::new(), Vec::new());
        for (name, value) in self.parameters_set.iter().rev() {
            if left.iter().all(|(other, _)| other != name) {
                left.push((name.clone(), *value));
            }
        }
        left.reverse();
        let mut before = usize::MAX;
        while left.len() < before {
            before = left.len();
            left.retain(|(name, value)| {
                let refused = agent.set_parameter(name, *value).is_err();
                if !refused {
                    taken.push((name.clone(), *value));
                }
                refused
            });
        }
        if left.is_empty() {
            self.parameters_set = taken;
        }
    }

    /// The player, after the end of its thought in the time of the other side.
    pub(crate) fn agent(&mut self) -> &mut Box<dyn Agent<G>> {
        self.player.agent()
    }
}

/// A player of a host with parameters.
fn new_agent<H: Host>(
    host: &H,
    name: &str,
    seed: u64,
    parameters: &[(String, f64)],
) -> Result<Box<dyn Agent<H::Game>>, String> {
    let mut agent = host.agent(name, seed)?;
    for (parameter, value) in parameters {
        agent.set_parameter(parameter, *value).map_err(|error: ParameterError| error.to_string())?;
    }
    Ok(agent)
}

/// The report of a search, with the searched position.
pub(crate) struct Searched<G: Game> {
    pub(crate) root: G,
    /// The moves to the root.
    pub(crate) moves: Vec<(Player, G::Move)>,
    pub(crate) report: Report<G::Move>,
}

/// An engine of the protocol for the game of a [`Host`]: line by line, or on a reader and a writer.
///
/// ```
/// use stonework_gtp::Server;
/// use stonework_gtp::example::Heap;
/// let mut server = Server::new(Heap, "minimax", 1)?;
/// assert_eq!(server.line("# only a comment"), None);
/// assert_eq!(server.line("1 genmove white").unwrap().to_string(), "=1 1\n\n");
/// let reply = server.line("play w 2").unwrap();
/// assert_eq!(reply.result(), Err("illegal move: black is to move, not white"));
/// # Ok::<(), String>(())
/// ```
pub struct Server<H: Host> {
    pub(crate) host: H,
    commands: Arc<[Entry<H>]>,
    pub(crate) game: Played<H::Game>,
    pub(crate) current: CurrentAgent<H::Game>,
    pub(crate) clocks: Clocks,
    /// The size of the last `boardsize` command.
    pub(crate) size: Option<u32>,
    /// The index of the style of moves in [`Host::styles`].
    pub(crate) style: usize,
    pub(crate) searched: Option<Searched<H::Game>>,
    /// `true` if the player thinks between the commands, while the other side is to move.
    ponders: bool,
    /// The side for which the player has made the last move of `genmove` in this game.
    pub(crate) moved: Option<Player>,
    pub(crate) quit: bool,
}

impl<H: Host + fmt::Debug> fmt::Debug for Server<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Server");
        shown
            .field("host", &self.host)
            .field("game", self.game.position())
            .field("player", &self.current.name);
        shown.finish_non_exhaustive()
    }
}

impl<H: Host> Server<H> {
    /// A server with a new game of the usual size, and a player with a seed, as `NAME` or `NAME:OPTION=VALUE,…`.
    ///
    /// # Errors
    /// The error of the host: the player or the game does not exist. The error of the player: it refuses an option.
    pub fn new(host: H, agent: &str, seed: u64) -> Result<Self, String> {
        let game = Played::new(host.start(None)?);
        let current = CurrentAgent::of(&host, agent, seed)?;
        let commands = commands::table(&host).into();
        Ok(Self {
            host,
            commands,
            game,
            current,
            clocks: Clocks::default(),
            size: None,
            style: 0,
            searched: None,
            ponders: false,
            moved: None,
            quit: false,
        })
    }

    /// The same server, whose player also thinks while the controller waits for the other side's move: after each `genmove`,
    /// from one command to the next. Every line with a command ends the thought, and so do the end of the input and the drop of
    /// the server. Off unless set.
    ///
    /// ```
    /// use stonework_gtp::Server;
    /// use stonework_gtp::example::Heap;
    /// let mut server = Server::new(Heap, "minimax", 1)?.pondering(true);
    /// assert_eq!(server.line("genmove white").unwrap().result(), Ok("1"));
    /// assert_eq!(server.line("play black 2").unwrap().result(), Ok(""));
    /// # Ok::<(), String>(())
    /// ```
    #[must_use]
    pub fn pondering(self, on: bool) -> Self {
        Self { ponders: on, ..self }
    }

    /// The host.
    #[must_use]
    pub const fn host(&self) -> &H {
        &self.host
    }

    /// The position.
    #[must_use]
    pub const fn game(&self) -> &H::Game {
        self.game.position()
    }

    /// `true` after the command `quit`. The server answers no further command then.
    #[must_use]
    pub const fn has_quit(&self) -> bool {
        self.quit
    }

    /// The answer to a line; `None` for a line without a command. A live analysis, such as `lz-analyze`, ends after its first
    /// interval.
    pub fn line(&mut self, line: &str) -> Option<GtpReply> {
        let mut collector = Collector::default();
        let reply = self.answer(line, || false, &mut collector)?;
        Some(collector.reply(reply))
    }

    fn answer(
        &mut self,
        line: &str,
        interrupted: impl FnOnce() -> bool,
        listener: &mut dyn Listener,
    ) -> Option<GtpReply> {
        let line = plain(line);
        let call = Call::read(&line)?;
        if let Some(flag) = self.host.cancel() {
            flag.store(false, Ordering::SeqCst);
            if interrupted() {
                flag.store(true, Ordering::SeqCst);
            }
        }
        self.current.agent();
        let commands = Arc::clone(&self.commands);
        let entry = commands.iter().find(|entry| entry.name == call.name);
        let result = match entry {
            None => Err(format!("unknown command: {}", head(call.name))),
            Some(entry) if !entry.takes(call.arguments.len()) => {
                Err(format!("syntax error: {}", entry.usage()))
            }
            Some(entry) => entry.run(self, &call, listener),
        };
        self.ponder();
        Some(GtpReply::new(call.id, result))
    }

    /// Lets the player think about the position if the other side is to move after the player's own move.
    fn ponder(&mut self) {
        let position = self.game.position();
        let others_turn = self.moved.is_some_and(|own| own != position.to_move());
        if self.ponders && others_turn && !self.quit && !self.game.is_over() {
            self.current.player.ponder(position);
        }
    }

    /// Answers every line until `quit` or the end of the input. The server refuses a line over [`MAX_LINE`] bytes
    /// without storing the line, unless the bytes beyond belong to a comment, and replaces bytes that are not UTF-8.
    ///
    /// A thread reads a few lines ahead, so that the comment `# interrupt` ends the search of the command before the
    /// comment ([`Host::cancel`]), and so that every line, also an empty one, and the end of the input end a live analysis. After `quit`, the thread lasts until the reader returns once more.
    ///
    /// # Errors
    /// The errors of the reader and of the writer.
    pub fn serve(&mut self, reader: impl BufRead + Send + 'static, mut writer: impl Write) -> io::Result<()> {
        let heard = Heard::default();
        let interrupt = Arc::new(Interrupt { upto: AtomicU64::new(0), flag: self.host.cancel(), heard });
        let (send, receive) = sync_channel(16);
        let reading = Arc::clone(&interrupt);
        thread::Builder::new().name("gtp input".to_owned()).spawn(move || {
            let mut reader = reader;
            for number in 1.. {
                let line = lines::read(&mut reader, MAX_LINE).transpose();
                let Some(line) = line else { break };
                reading.watch(number, &line);
                if send.send((number, line)).is_err() {
                    return;
                }
            }
            reading.heard.line(u64::MAX);
        })?;
        for (number, line) in receive {
            let Line { text, too_long } = line?;
            let mut stream = Stream::new(&mut writer, &interrupt.heard, number);
            let reply = match too_long {
                // The limit has cut off nothing but a part of a comment.
                Some(bytes) if !text.contains('#') => Some(refuse(&text, bytes)),
                _ => self.answer(&text, || interrupt.upto.load(Ordering::SeqCst) > number, &mut stream),
            };
            stream.end(reply)?;
            if self.quit {
                break;
            }
        }
        self.current.agent();
        Ok(())
    }

    /// The commands in order.
    pub(crate) fn commands(&self) -> &[Entry<H>] {
        &self.commands
    }

    /// The side of a name.
    pub(crate) fn colour(&self, text: &str) -> Result<Player, String> {
        let ByPlayer { first, second } = self.host.colours();
        let is = |name: &str| {
            let letter = name.chars().next().map(String::from).unwrap_or_default();
            text.eq_ignore_ascii_case(name) || text.eq_ignore_ascii_case(&letter)
        };
        match (is(first), is(second)) {
            (true, _) => Ok(Player::First),
            (_, true) => Ok(Player::Second),
            _ => Err(format!("syntax error: no colour `{}`: {first} or {second}", head(text))),
        }
    }

    /// Refuses a move of a side that is not to move.
    pub(crate) fn turn_of(&self, player: Player) -> Result<(), String> {
        let to_move = self.game.position().to_move();
        if player == to_move {
            return Ok(());
        }
        let names = self.host.colours();
        Err(format!("illegal move: {} is to move, not {}", names[to_move], names[player]))
    }

    pub(crate) fn write(&self, mv: MoveOf<H>) -> String {
        self.host.write_move(self.game.position(), mv, self.style)
    }

    pub(crate) fn read(&self, text: &str) -> Result<MoveOf<H>, String> {
        let read = self.host.parse_move(self.game.position(), text, self.style);
        read.map_err(|error| format!("illegal move: {error}"))
    }

    /// Plays a move for the side to move.
    pub(crate) fn play(&mut self, mv: MoveOf<H>) -> Result<(), String> {
        self.game.play(mv).map_err(|error| format!("illegal move: {error}"))
    }

    /// Begins a new game.
    pub(crate) fn begin(&mut self, start: H::Game) {
        self.game = Played::new(start);
        self.current.agent().new_game();
        self.moved = None;
        self.clocks.restart();
        self.searched = None;
    }

    /// A new player with the name, the seed and the parameters of the present player.
    pub(crate) fn new_agent(&self) -> Result<Box<dyn Agent<H::Game>>, String> {
        let CurrentAgent { name, seed, parameters_set, .. } = &self.current;
        new_agent(&self.host, name, *seed, parameters_set)
    }

    /// Stores the report of a search in the present position.
    pub(crate) fn remember(&mut self, report: Option<Report<MoveOf<H>>>) {
        let (root, moves) = (self.game.position().clone(), self.game.moves());
        self.searched = report.map(|report| Searched { root, moves, report });
    }

    /// An outcome in a word.
    pub(crate) fn outcome(&self, outcome: Option<Outcome>, unknown: &str) -> String {
        match outcome {
            Some(Outcome::Win(player)) => self.host.colours()[player].to_owned(),
            Some(Outcome::Draw) => "draw".to_owned(),
            None => unknown.to_owned(),
        }
    }
}

/// The answer to a line that is too long; only the beginning of the line is available.
fn refuse(beginning: &str, bytes: u64) -> GtpReply {
    let line = plain(beginning);
    let id = Call::read(&line).and_then(|call| call.id);
    let refusal = format!("a line of {bytes} bytes: at most {MAX_LINE}");
    // Digits up to the place of the cut may be a part of a number or of a word: they are no id.
    GtpReply::new(id.filter(|id| line.trim_start() != *id), Err(refusal))
}

/// The request of the controller to end the searches of earlier commands.
struct Interrupt {
    /// The number of the line with the last interrupt. Commands with a lower number are interrupted.
    upto: AtomicU64,
    flag: Option<Arc<AtomicBool>>,
    /// Any line, which ends a live analysis.
    heard: Heard,
}

impl Interrupt {
    /// Checks whether a line is the comment `# interrupt`. `upto` is set before the flag, and read after the flag is
    /// cleared. So no interrupt is lost, and none ends the search of a later command.
    fn watch(&self, number: u64, line: &io::Result<Line>) {
        self.heard.line(number);
        let Ok(Line { text, too_long: None }) = line else { return };
        if text.trim_start().strip_prefix('#').is_some_and(|comment| comment.trim() == "interrupt") {
            self.upto.store(number, Ordering::SeqCst);
            if let Some(flag) = &self.flag {
                flag.store(true, Ordering::SeqCst);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::Heap;

    /// The list grew with every command of a controller that sets two options in turn.
    #[test]
    fn the_options_for_a_new_player_do_not_grow_without_limit() {
        let mut server = Server::new(Heap, "minimax", 1).unwrap();
        for number in 1..=1000 {
            for line in
                [format!("set_option nodes {number}"), format!("set_option resign_after {}", number % 7)]
            {
                assert_eq!(server.line(&line).unwrap().result(), Ok(""), "{line}");
            }
            assert!(server.current.parameters_set.len() < 64);
        }
        let options = |server: &mut Server<Heap>| server.line("list_options").unwrap().to_string();
        let before = options(&mut server);
        server.line("seed 2");
        assert_eq!(options(&mut server), before);
    }
}
