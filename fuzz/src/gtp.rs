//! The law about lines of the Go Text Protocol.

use std::io::Cursor;
use std::time::Duration;

use stonework_board::{Board, Diagram};
use stonework_game::{Game, Textual};
use stonework_gtp::{Host, MAX_LINE, MoveOf, Named, Server};
use stonework_havannah::{Move, Position};
use stonework_roster::{Agent, Clock, Decision};
use stonework_search::{Line, Report, Value};

/// Plays the first legal move, and tells of it as if it had searched.
#[derive(Debug)]
struct First(Report<Move>);

/// The report of [`First`]: the first legal move.
fn found(game: &Position) -> Report<Move> {
    let mut report = Report::empty();
    let moves = game.moves();
    report.best = moves.first().copied();
    let line = |mv| Line { moves: vec![mv], value: Value::Heuristic(7), visits: Some(u64::MAX) };
    report.lines = moves.into_iter().take(3).map(line).collect();
    report
}

impl Agent<Position> for First {
    fn new_game(&mut self) {}

    fn decide(&mut self, game: &Position, _: &Clock) -> Option<Decision<Move>> {
        self.0 = found(game);
        self.0.best.map(Decision::Play)
    }

    fn report(&self) -> Option<&Report<Move>> {
        Some(&self.0)
    }
}

/// Havannah with next to nothing beside its traits.
#[derive(Debug)]
struct Small;

impl Host for Small {
    type Game = Position;

    fn name(&self) -> &'static str {
        "Small"
    }

    fn version(&self) -> &'static str {
        "1"
    }

    fn start(&self, size: Option<u32>) -> Result<Position, String> {
        let size = u8::try_from(size.unwrap_or(4)).map_err(|error| error.to_string())?;
        Position::with_swap(size).map_err(|error| error.to_string())
    }

    fn agents(&self) -> Vec<Named> {
        vec![("first".to_owned(), "plays the first move".to_owned())]
    }

    fn agent(&self, name: &str, _: u64) -> Result<Box<dyn Agent<Position>>, String> {
        let known = name == "first";
        known.then(|| Box::new(First(Report::empty())) as Box<_>).ok_or_else(|| format!("no player `{name}`"))
    }

    fn winner_command(&self) -> &'static str {
        "havannah_winner"
    }

    fn swap(&self) -> Option<MoveOf<Self>> {
        Some(Move::Swap)
    }

    fn svg(&self, game: &Position, marks: &[(Move, String)], _: usize) -> Option<String> {
        let board: &'static Board = game.board();
        let cells = marks.iter().filter_map(|(mv, text)| match mv {
            Move::Place(cell) => Some((*cell, text)),
            Move::Swap => None,
        });
        Some(cells.fold(Diagram::new(board), |diagram, (cell, text)| diagram.label(cell, text)).svg())
    }

    fn solvers(&self) -> Vec<Named> {
        self.agents()
    }

    fn solve(&self, _: &str, game: &Position, _: Option<Duration>) -> Result<Report<Move>, String> {
        Ok(found(game))
    }
}

fn server() -> Server<Small> {
    Server::new(Small, "first", 1).expect("the player exists")
}

/// The id of the command in a line, which may be none; `None` without a command.
fn command(line: &str) -> Option<String> {
    let text: String = line.split('#').next().unwrap_or_default().replace('\t', " ");
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    let first = text.split_whitespace().next()?;
    Some(if first.bytes().all(|b| b.is_ascii_digit()) { first.to_owned() } else { String::new() })
}

/// Any lines: each with a command gets one reply, with its id and one empty line, at its end; the others
/// get none. On a stream the same replies come back. The position stays one that can be told.
///
/// # Panics
/// If one of these is not so.
pub fn gtp_lines(data: &[u8]) {
    let mut server = server();
    let mut said = String::new();
    for line in data.split(|&byte| byte == b'\n').filter(|line| line.len() <= MAX_LINE) {
        let line = String::from_utf8_lossy(line);
        let (id, reply) = (command(&line), server.line(&line));
        assert_eq!(id.is_some(), reply.is_some(), "{line:?}");
        let (Some(id), Some(reply)) = (id, reply) else { continue };
        let text = reply.to_string();
        let rest = text.strip_prefix(['=', '?']).and_then(|rest| rest.strip_prefix(id.as_str()));
        assert!(rest.is_some_and(|rest| rest.starts_with([' ', '\n'])), "{line:?}: {text:?}");
        assert_eq!(text.find("\n\n"), Some(text.len() - 2), "{line:?}: {text:?}");
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{line:?}: {text:?}");
        assert!(reply.result().err().is_none_or(|refusal| (1..=1600).contains(&refusal.len())), "{text:?}");
        said += &text;
        let told = server.game().position_text();
        let read = Position::parse_position(&told).expect("a position that was told");
        assert_eq!((read.position_text(), read.outcome()), (told, server.game().outcome()));
        if server.has_quit() {
            break;
        }
    }
    if data.len() <= MAX_LINE {
        let mut streamed = Vec::new();
        self::server().serve(Cursor::new(data.to_vec()), &mut streamed).expect("nothing fails in memory");
        assert_eq!(String::from_utf8_lossy(&streamed), said);
    }
}
