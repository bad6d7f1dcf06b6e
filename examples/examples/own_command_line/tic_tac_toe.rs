//! Tic-tac-toe: the rules, two players, and the registry that has the game beside those of Stonework.

use std::fmt;

use stonework_game::{
    Finite, Game, Indexed, Keyed, Outcome, ParseError, Player, Textual,
    text::{head, number},
};
use stonework_roster::{Agent, Clock, Decision};
use stonework_roster::{Roster, RosterEntry};
use stonework_search::Minimax;
use stonework_session::{Described, Description, Fault, GameType, Registry, Start};

/// The nine cells, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TicTacToe {
    cells: [Option<Player>; 9],
    to_move: Player,
}

#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("cell {0} is not free, or the game is over")]
struct NotFree(u8);

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

impl Game for TicTacToe {
    type Move = u8;
    type Undo = u8;
    type Illegal = NotFree;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        let owner = |line: &[usize; 3]| {
            let [a, b, c] = line.map(|cell| self.cells[cell]);
            a.filter(|_| a == b && b == c)
        };
        let winner = LINES.iter().find_map(owner).map(Outcome::Win);
        winner.or_else(|| self.cells.iter().all(Option::is_some).then_some(Outcome::Draw))
    }

    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        out.extend((0..9).filter(|&cell| self.check(cell).is_ok()));
    }

    fn check(&self, cell: u8) -> Result<(), NotFree> {
        let free = self.cells[usize::from(cell)].is_none() && self.outcome().is_none();
        if free { Ok(()) } else { Err(NotFree(cell + 1)) }
    }

    fn play_unchecked(&mut self, cell: u8) -> u8 {
        self.cells[usize::from(cell)] = Some(self.to_move);
        self.to_move = self.to_move.other();
        cell
    }

    fn undo(&mut self, cell: u8) {
        self.cells[usize::from(cell)] = None;
        self.to_move = self.to_move.other();
    }
}

impl Finite for TicTacToe {}

impl Keyed for TicTacToe {
    /// The position as a number of base three; the side to move follows from it.
    fn key(&self) -> u64 {
        self.cells.iter().fold(0, |key, cell| 3 * key + cell.map_or(0, |player| 1 + player.index() as u64))
    }
}

impl Indexed for TicTacToe {
    fn index_len(&self) -> usize {
        9
    }

    fn move_index(&self, cell: u8) -> usize {
        cell.into()
    }

    fn move_at(&self, index: usize) -> Option<u8> {
        u8::try_from(index).ok().filter(|&cell| cell < 9)
    }
}

/// Moves as `1` to `9`, row by row; positions as nine letters, such as `x...o....`.
impl Textual for TicTacToe {
    fn write_move(&self, cell: u8, w: &mut dyn fmt::Write) -> fmt::Result {
        write!(w, "{}", cell + 1)
    }

    fn parse_move(&self, text: &str) -> Result<u8, ParseError> {
        let cell = number::<u8>(text).filter(|cell| (1..=9).contains(cell));
        cell.map(|cell| cell - 1)
            .ok_or_else(|| ParseError::new(0, format!("`{}` is no cell: 1 to 9", head(text))))
    }

    fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result {
        let letter = |cell: &Option<Player>| cell.map_or('.', |player| ['x', 'o'][player.index()]);
        self.cells.iter().try_for_each(|cell| w.write_char(letter(cell)))
    }

    fn parse_position(text: &str) -> Result<Self, ParseError> {
        let wrong = |at| ParseError::new(at, "expected nine of `x`, `o` and `.`, with `x` and `o` in turn");
        let mut game = Self { cells: [None; 9], to_move: Player::First };
        if text.len() != 9 {
            return Err(wrong(text.len().min(9)));
        }
        for (at, letter) in text.bytes().enumerate() {
            game.cells[at] = match letter {
                b'x' => Some(Player::First),
                b'o' => Some(Player::Second),
                b'.' => None,
                _ => return Err(wrong(at)),
            };
        }
        let count = |player| game.cells.iter().filter(|&&cell| cell == Some(player)).count();
        game.to_move = match count(Player::First).checked_sub(count(Player::Second)) {
            Some(0) => Player::First,
            Some(1) => Player::Second,
            _ => return Err(wrong(0)),
        };
        Ok(game)
    }
}

impl Described for TicTacToe {
    const DESCRIPTION: Description =
        Description { sizes: (3, 3), usual_size: 3, ..Description::new("tic-tac-toe", ["x", "o"]) };

    fn start(start: &Start) -> Result<Self, Fault> {
        start.size_in(&Self::DESCRIPTION)?;
        let text = start.position.as_deref().unwrap_or(".........");
        Self::parse_position(text).map_err(|error| Fault::new("position", error.to_string()))
    }

    fn size(&self) -> u8 {
        3
    }
}

/// Plays on the first free cell.
struct Simple;

impl Agent<TicTacToe> for Simple {
    fn new_game(&mut self) {}

    fn decide(&mut self, game: &TicTacToe, _: &Clock) -> Option<Decision<u8>> {
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        moves.first().map(|&cell| Decision::Play(cell))
    }
}

/// The games of Stonework and tic-tac-toe.
pub(crate) fn registry() -> Registry {
    let players = Roster::new()
        .with(RosterEntry::engine("minimax", "the complete game tree", |_| Ok(Minimax::new(()))))
        .with(RosterEntry::agent("simple", "the first free cell", |_| Ok(Simple)));
    Registry::standard().with(GameType::with_players(&players))
}
