//! Games in which a side moves twice in a row.

use std::fmt;

use stonework_game::example::{CannotTake, Nim};
use stonework_game::{Game, Outcome, ParseError, Player, Textual};
use stonework_gtp::{Host, Named, Server};
use stonework_roster::{Agent, EngineAgent};
use stonework_search::{Limits, Minimax};

/// Nim in which the first side moves once and each side twice after that, as in Connect6.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Doubles {
    heap: Nim,
    plies: u32,
}

impl Game for Doubles {
    type Move = u8;
    type Undo = u8;
    type Illegal = CannotTake;

    fn to_move(&self) -> Player {
        if self.plies.div_ceil(2).is_multiple_of(2) { Player::First } else { Player::Second }
    }

    fn outcome(&self) -> Option<Outcome> {
        // The side that moved at the ply before took the last stone.
        let last = Self { heap: self.heap, plies: self.plies.checked_sub(1)? };
        self.heap.outcome().map(|_| Outcome::Win(last.to_move()))
    }

    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        self.heap.legal_moves(out);
    }

    fn check(&self, take: u8) -> Result<(), CannotTake> {
        self.heap.check(take)
    }

    fn play_unchecked(&mut self, take: u8) -> u8 {
        self.plies += 1;
        self.heap.play_unchecked(take)
    }

    fn undo(&mut self, take: u8) {
        self.plies -= 1;
        self.heap.undo(take);
    }
}

impl Textual for Doubles {
    fn write_move(&self, take: u8, w: &mut dyn fmt::Write) -> fmt::Result {
        self.heap.write_move(take, w)
    }

    fn parse_move(&self, text: &str) -> Result<u8, ParseError> {
        self.heap.parse_move(text)
    }

    fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result {
        self.heap.write_position(w)
    }

    fn parse_position(line: &str) -> Result<Self, ParseError> {
        Ok(Self { heap: Nim::parse_position(line)?, plies: 0 })
    }
}

struct Twice;

impl Host for Twice {
    type Game = Doubles;

    fn name(&self) -> &'static str {
        "Twice"
    }

    fn version(&self) -> &'static str {
        "1"
    }

    fn start(&self, size: Option<u32>) -> Result<Doubles, String> {
        let left = u8::try_from(size.unwrap_or(9)).map_err(|_| "heaps are up to 255")?;
        Ok(Doubles { heap: Nim::new(left), plies: 0 })
    }

    fn agents(&self) -> Vec<Named> {
        vec![("minimax".into(), "sees everything".into())]
    }

    fn agent(&self, _: &str, seed: u64) -> Result<Box<dyn Agent<Doubles>>, String> {
        Ok(Box::new(EngineAgent::new(Minimax::new(()), Limits::none(), seed)))
    }
}

#[test]
fn a_side_moves_twice_where_the_game_says_so() {
    let mut server = Server::new(Twice, "minimax", 1).unwrap();
    let mut say = |line: &str| server.line(line).unwrap().to_string();
    for (line, reply) in [
        ("play white 1", "="),
        ("play white 1", "? illegal move: black is to move, not white"),
        ("play black 1", "="),
        ("play white 1", "? illegal move: black is to move, not white"),
        ("reg_genmove white", "? illegal move: black is to move, not white"),
        ("play black 2", "="),
        ("genmove black", "? illegal move: white is to move, not black"),
        ("play white 1", "="),
        ("undo", "="),
        ("play white 2", "="),
        // Three stones are left, and white is to move again. White takes two, and black takes the last stone.
        ("play black 1", "? illegal move: white is to move, not black"),
        ("play white 2", "="),
        ("genmove black", "= 1"),
        ("winner", "= black"),
        ("genmove white", "= pass"),
    ] {
        assert_eq!(say(line), format!("{reply}\n\n"), "{line}");
    }
}

#[test]
fn a_whole_game_is_played_with_double_moves() {
    let mut server = Server::new(Twice, "minimax", 1).unwrap();
    let mut say = |line: &str| server.line(line).unwrap().to_string();
    say("boardsize 12");
    let mut sides = String::new();
    while say("winner") == "= none\n\n" {
        // The server refuses the side that is not to move.
        let refused = say("genmove white").starts_with("? illegal move: black is to move");
        sides.push(if refused { 'b' } else { 'w' });
        assert!(!refused || say("genmove black").starts_with("= "));
    }
    assert!(sides.len() >= 6 && "wbbwwbbwwbbww".starts_with(&sides), "{sides}");
}
