//! `dial`: a player on a port of a server.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use clap::Args;
use stonework_arena::{Contestant, Entrant, Pace, Terms};
use stonework_files::read_text;
use stonework_game::Game;
use stonework_game::text::head;
use stonework_roster::{Clock, Decision, PlayerConfig};
use stonework_session::{AnyPosition, GameType, Registry, Start};

use crate::failure::{Failure, plain, say};
use crate::help;
use crate::out::Out;
use crate::start::seconds;

/// The longest line of a server with its end, in bytes.
const MOST_LINE: u64 = 16 << 10;

/// The time without a line after which a server counts as gone; it gives a sign of life each 30 seconds.
const SILENCE: Duration = Duration::from_secs(600);

/// The longest pause between two tries, in seconds.
const MOST_PAUSE: u64 = 60;

/// The longest key in a file, in bytes.
const MOST_KEY: u64 = 1024;

/// Play on a port of `stonework-server`: wait there for an opponent, and play the game
#[derive(Args)]
#[command(long_about = help::DIAL_ABOUT, after_long_help = help::DIAL)]
pub(crate) struct Dial {
    /// The port
    #[arg(value_name = "HOST:PORT")]
    address: String,
    /// A player of the game, as NAME or NAME:OPTION=VALUE,…
    #[arg(long, value_name = "NAME", required_unless_present = "cmd", conflicts_with = "cmd")]
    engine: Option<String>,
    /// A program that speaks GTP, with its arguments
    #[arg(long, value_name = "GTP PROGRAM")]
    cmd: Option<String>,
    /// The name on the server; unless given, dial-NAME
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// A file with the key of the name
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// Seconds for a move, where the clock of the game does not ask for less
    #[arg(long, value_name = "T", default_value = "1", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Duration,
    /// Play game after game, and dial again when the connection breaks
    #[arg(long = "loop")]
    again: bool,
}

/// The reason why a connection ends.
enum End {
    /// The server or the network: another try may help.
    Broken(String),
    /// The server or the player refuses: another try does not help.
    Refused(String),
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        Self::Broken(match error.kind() {
            // A text that is no address is none at the next try either.
            ErrorKind::InvalidInput => return Self::Refused(format!("{error}; an address is HOST:PORT")),
            // The system's words for a time that has run out say nothing of the server, and differ.
            ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                format!("no answer, or no sign of life for {} s", SILENCE.as_secs())
            }
            _ => error.to_string(),
        })
    }
}

/// Refuses a name or a key that is not one word: the line of the greeting has other words behind it.
fn one_word(what: &str, text: &str) -> Result<(), Failure> {
    let is_word = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control());
    if is_word { Ok(()) } else { Err(Failure::input(format!("{what} is not one word"))) }
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`")]
fn refused(why: impl ToString) -> End {
    End::Refused(why.to_string())
}

/// The board of a port, from the first line of the server.
struct Port {
    game: GameType,
    start: Start,
    notation: Option<&'static str>,
}

/// Prints a line at once, which may have the words of the server.
fn tell(out: &mut Out, line: &str) -> Result<(), End> {
    writeln!(out, "{}", plain(line))?;
    out.flush().map_err(|_| refused("standard output is closed"))
}

fn port(registry: &Registry, line: &str) -> Result<Port, End> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["stonework", "1", game, "size", size, rest @ ..] = &words[..] else {
        let shown: String = line.chars().take(60).collect();
        return Err(refused(format!("`{shown}` is not the first line of a port of stonework-server")));
    };
    let game = registry.game(game).map_err(refused)?.clone();
    let size = size.parse().map_err(|_| refused(format!("`{}` is no size", head(size))))?;
    let start = Start { swap: rest.first() == Some(&"swap"), ..Start::of_size(size) };
    let known = game.description().notations;
    let notation = known.iter().copied().find(|name| rest.last() == Some(name));
    Ok(Port { game, start, notation })
}

/// A connection that follows one game after the other.
struct Connection {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
}

impl Connection {
    fn line(&mut self) -> Result<String, End> {
        let mut line = Vec::new();
        (&mut self.reader).take(MOST_LINE + 1).read_until(b'\n', &mut line)?;
        if line.len() as u64 > MOST_LINE {
            return Err(refused(format!("a line of the server is longer than {MOST_LINE} bytes")));
        }
        match line.strip_suffix(b"\n") {
            Some(line) => match str::from_utf8(line) {
                Ok(line) => Ok(line.trim_end().to_owned()),
                Err(error) => Err(refused(format!("a line of the server: {error}"))),
            },
            None => Err(End::Broken("the server has closed the connection".to_owned())),
        }
    }

    fn say(&mut self, line: &str) -> Result<(), End> {
        Ok(self.writer.write_all(format!("{line}\n").as_bytes())?)
    }
}

/// A game, as the player knows it.
struct Played {
    position: AnyPosition,
    notation: usize,
    contestant: Box<dyn Contestant<AnyPosition>>,
    terms: Terms,
    /// The move that the player has decided on, which it need not receive.
    own: Option<String>,
}

impl Played {
    /// Follows a move of the server, which may be the player's own.
    fn follow(&mut self, text: &str) -> Result<(), End> {
        let text = text.strip_prefix("Put ").unwrap_or(text);
        // In Cachex this is a steal.
        let mv = match self.position.swap_move().filter(|_| text == "Swap") {
            Some(swap) => swap,
            None => self.position.read_move(text, self.notation).map_err(refused)?,
        };
        let name = self.position.move_text_in(mv, 0);
        if self.own.take().as_deref() != Some(name.as_str()) {
            self.contestant.receive(&self.position, mv, self.terms.patience).map_err(refused)?;
        }
        self.position.play(mv).map_err(refused)?;
        Ok(())
    }

    /// The line with the player's decision.
    fn decide(&mut self, left: Option<u64>) -> Result<String, End> {
        let clock = Clock { left: left.map(Duration::from_millis), ..Clock::NONE };
        let limit = match self.terms.pace {
            Pace::Move(time) => time + self.terms.grace,
            _ => self.terms.patience,
        };
        match self.contestant.choose(&self.position, &clock, limit).map_err(refused)? {
            Decision::Resign => Ok("Resign".to_owned()),
            Decision::Play(mv) => {
                self.own = Some(self.position.move_text_in(mv, 0));
                if Some(mv) == self.position.swap_move() {
                    return Ok("Swap".to_owned());
                }
                Ok(format!("Put {}", self.position.move_text_in(mv, self.notation)))
            }
        }
    }
}

impl Dial {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let key = match &self.key_file {
            None => String::new(),
            Some(file) => {
                let wrong = |error| Failure::input(format!("--key-file {}: {error}", file.display()));
                let text = read_text(&**out.disk(), file, MOST_KEY).map_err(wrong)?;
                one_word(&format!("--key-file {}: the key", file.display()), text.trim())?;
                format!(" {}", text.trim())
            }
        };
        let player =
            self.engine.clone().unwrap_or_else(|| format!("gtp:{}", self.cmd.as_deref().unwrap_or_default()));
        let plain: String =
            player.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(18).collect();
        let name = self.name.clone().unwrap_or_else(|| format!("dial-{plain}"));
        one_word(&format!("--name {name:?}"), &name)?;
        let mut pause = 1;
        loop {
            let mut played = 0;
            match self.connect(registry, out, &player, &format!("player {name}{key}"), &mut played) {
                Ok(()) => return Ok(()),
                Err(End::Refused(why)) => return Err(Failure::input(format!("{}: {why}", self.address))),
                Err(End::Broken(why)) if !self.again => {
                    return Err(Failure::input(format!("{}: {why}", self.address)));
                }
                Err(End::Broken(why)) => {
                    say(format_args!("{}: {why}; the next try is in {pause} s", self.address));
                }
            }
            if played > 0 {
                pause = 1;
            }
            sleep(Duration::from_secs(pause));
            pause = (2 * pause).min(MOST_PAUSE);
        }
    }

    /// Dials, and plays one game, or with `--loop` game after game.
    fn connect(
        &self,
        registry: &Registry,
        out: &mut Out,
        player: &str,
        greeting: &str,
        games: &mut u32,
    ) -> Result<(), End> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(SILENCE))?;
        let mut connection = Connection { reader: BufReader::new(stream.try_clone()?), writer: stream };
        let port = port(registry, &connection.line()?)?;
        let entrant = Entrant::parse(player, &port.game, &port.start).map_err(refused)?;
        connection.say(greeting)?;
        let mut game: Option<Played> = None;
        loop {
            let line = connection.line()?;
            let words: Vec<&str> = line.split_whitespace().collect();
            match (&words[..], &mut game) {
                (["refused" | "illegal" | "error", ..], _) => return Err(refused(line)),
                (["game", id, side, opponent, ..], game) => {
                    *game = Some(self.begin(&port, &entrant, side, u64::from(*games) + 1)?);
                    tell(out, &format!("game {id}: {side} against {opponent}"))?;
                }
                (["turn", _, mine, _], Some(game)) => {
                    let order = game.decide(mine.parse().ok())?;
                    connection.say(&order)?;
                }
                (["ok", _, text @ ..] | ["move", _, text @ .., _, _], Some(game)) => {
                    game.follow(&text.join(" "))?;
                }
                (["over", ..], _) => {
                    *games += 1;
                    tell(out, &line)?;
                }
                (["record", ..], _) => {
                    tell(out, &line)?;
                    game = None;
                    if !self.again {
                        return connection.say("quit");
                    }
                    connection.say("again")?;
                }
                _ => {}
            }
        }
    }

    fn begin(&self, port: &Port, entrant: &Entrant, side: &str, seed: u64) -> Result<Played, End> {
        let position = port.game.start(&port.start).map_err(refused)?;
        let notation = port.notation.map_or(Ok(0), |name| position.notation(Some(name))).map_err(refused)?;
        let side = port
            .game
            .description()
            .player(side)
            .ok_or_else(|| refused(format!("no side is called {side}")))?;
        let pace = Pace::Move(self.seconds);
        let terms = Terms { pace, ..Terms::default() };
        let mut contestant = entrant.contestant(port.game.roster(), &PlayerConfig::default());
        contestant.prepare(&position, side, seed, &terms).map_err(refused)?;
        Ok(Played { position, notation, contestant, terms, own: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Standard output of a test.
    #[derive(Clone, Default)]
    struct Page(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A terminal obeyed the words of a server.
    #[test]
    fn the_words_of_a_server_are_printed_without_control_characters() {
        let page = Page::default();
        let disk = std::sync::Arc::new(stonework_files::Simulated::new());
        let mut out = Out::new(Box::new(page.clone()), false, disk);
        tell(&mut out, "game 1: black against \u{1b}[2Jann\u{7}").ok().unwrap();
        assert_eq!(&*page.0.lock().unwrap(), b"game 1: black against  [2Jann \n");
    }

    #[test]
    fn a_silent_server_is_told_as_one() {
        let (listener, wait) =
            (std::net::TcpListener::bind("127.0.0.1:0").unwrap(), Duration::from_millis(1));
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        stream.set_read_timeout(Some(wait)).unwrap();
        let mut connection =
            Connection { reader: BufReader::new(stream.try_clone().unwrap()), writer: stream };
        let Err(End::Broken(why)) = connection.line() else { panic!("a line of nobody") };
        assert_eq!(why, "no answer, or no sign of life for 600 s");
    }
}
