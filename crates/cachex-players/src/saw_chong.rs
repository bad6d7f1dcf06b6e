//! The player of Saw and Chong (*Playing the Game*, 2022): its evaluation, its minimax of depth 2, and its greedy rule for
//! small boards.
//!
//! ```
//! use stonework_cachex::Position;
//! use stonework_game::{Game, Textual, Outcome, Player};
//! use stonework_cachex_players::saw_chong::SawChong;
//! use stonework_roster::{Agent, Clock, Decision};
//! let mut game = Position::new(5)?;
//! let mut player = SawChong::new();
//! while let Some(Decision::Play(mv)) = player.decide(&game, &Clock::NONE) {
//!     game.play(mv)?;
//! }
//! assert_eq!(game.outcome(), Some(Outcome::Win(Player::Second)));      // against itself
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The report of Saw and Chong leaves some rules open. This player's choices, for a board of size n:
//!
//! | words of the report | choice |
//! |---|---|
//! | "score increases exponentially based on the number of captures" | 2ᶜ − 1 for c cells on which a stone captures, c at most 10; 0 while at most n²/2 stones are on the board |
//! | "length of the connected coordinates" | rows (red) or columns (blue) that the longest chain spans |
//! | "distance … to the closest goal area" | n less the rows or columns between the longest chain and the nearest of the player's sides that the chain does not touch |
//! | "swappable area" | the cells off the rim |
//! | "prioritise avoiding that outcome" | moves after which the opponent cannot capture come before all others |
//! | "either of the corners" | 0,0, or n − 1,n − 1 if 0,0 is occupied; with both occupied, a cell beside the opponent's stones |

use stonework_board::{Cell, CellSet};
use stonework_cachex::{Move, Position};
use stonework_game::{Game, Outcome, Player};
use stonework_roster::{Agent, Clock, Decision};
use stonework_search::{Evaluator, WIN};

use crate::Shortest;

/// The evaluation of Saw and Chong: the [sum](SawChongSum::of) of the side to move less that of its opponent.
///
/// The sum has three terms: the available captures, late in the game; the length of the longest chain; and the nearness
/// of that chain to its goal. O(cells).
#[derive(Clone, Copy, Debug, Default)]
pub struct SawChongSum;

/// The row of a cell for red, the column for blue.
fn line(game: &Position, player: Player, cell: Cell) -> i32 {
    let (r, q) = game.coordinates(cell);
    i32::from(if player == Player::First { r } else { q })
}

impl SawChongSum {
    /// The sum for one player.
    #[must_use]
    pub fn of(game: &Position, player: Player) -> i32 {
        let size = i32::from(game.size());
        let captures = if 2 * game.stone_count() > usize::from(game.size()).pow(2) {
            (1 << game.capturing(player).count().min(10)) - 1
        } else {
            0
        };
        let mut left = game.stones(player);
        let (mut longest, mut near) = (0, 0);
        while let Some(first) = left.first() {
            left.remove(first);
            let (mut least, mut most) = (size, -1);
            let mut open = CellSet::from_iter([first]);
            while let Some(cell) = open.first() {
                open.remove(cell);
                let at = line(game, player, cell);
                (least, most) = (least.min(at), most.max(at));
                for next in game.board().neighbours(cell) {
                    if left.remove(next) {
                        open.insert(next);
                    }
                }
            }
            let length = most - least + 1;
            let gaps = [least, size - 1 - most].into_iter().filter(|&gap| gap > 0);
            let worth = size - gaps.min().unwrap_or(0);
            (longest, near) = (longest, near).max((length, worth));
        }
        captures + longest + near
    }
}

impl Evaluator<Position> for SawChongSum {
    fn evaluate(&mut self, game: &Position) -> i32 {
        let me = game.to_move();
        Self::of(game, me) - Self::of(game, me.other())
    }
}

/// The player of Saw and Chong. From size 7 on: minimax of depth 2 with [`SawChongSum`], on cells beside stones. On
/// smaller boards: a greedy rule that extends its stones from a corner. The player has no randomness and ignores the clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SawChong;

impl SawChong {
    /// The player.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }

    /// The empty cells beside `stones`; all empty cells if `stones` has no empty neighbour.
    fn beside(game: &Position, stones: &CellSet) -> Vec<Move> {
        let mut moves = game.moves();
        moves.retain(|mv| matches!(mv, Move::Place(_)));
        let touches = |mv: &Move| match mv {
            Move::Place(cell) => game.board().neighbours(*cell).any(|n| stones.contains(n)),
            Move::Steal => false,
        };
        if moves.iter().any(touches) {
            moves.retain(touches);
        }
        moves
    }

    /// The greedy rule: a win; else a block of a win; else, without own stones, a free corner; else the best cell beside
    /// the own stones, or beside the opponent's stones if the player has no stones or the opponent needs fewer stones to
    /// win. The best cell leaves the greatest difference between the stones that the opponent needs and the stones that
    /// the player needs.
    fn greedy(game: &Position) -> Option<Move> {
        let me = game.to_move();
        let decisive = [me, me.other()].into_iter().find_map(|p| game.winning_cells(p).first());
        if let Some(cell) = decisive {
            return Some(Move::Place(cell));
        }
        let own = game.stones(me);
        if own.is_empty() {
            let last = game.size() - 1;
            let corners = [game.cell(0, 0), game.cell(last, last)];
            let free = |cell: &Cell| game.check(Move::Place(*cell)).is_ok();
            if let Some(corner) = corners.into_iter().flatten().find(free) {
                return Some(Move::Place(corner));
            }
        }
        let need = |game: &Position, player| i32::from(Shortest::of(game, player).stones.unwrap_or(u8::MAX));
        let blocking = need(game, me.other()) < need(game, me);
        let from = if blocking || own.is_empty() { game.stones(me.other()) } else { own };
        let mut board = game.clone();
        let worth = |mv: Move| {
            let undo = board.play_unchecked(mv);
            let worth = need(&board, me.other()) - need(&board, me);
            board.undo(undo);
            worth
        };
        best(Self::beside(game, &from), worth)
    }

    /// The move by minimax of depth 2.
    fn search(game: &Position) -> Option<Move> {
        let me = game.to_move();
        let stones = game.stones(me) | game.stones(me.other());
        let mut board = game.clone();
        best(Self::beside(game, &stones), |mv| {
            let undo = board.play_unchecked(mv);
            let worth = Self::reply(&mut board, me);
            let safe = board.outcome().is_some() || board.capturing(me.other()).next().is_none();
            board.undo(undo);
            if safe { worth } else { worth - WIN / 8 }
        })
    }

    /// The least value for `me` after any reply.
    fn reply(board: &mut Position, me: Player) -> i32 {
        if let Some(outcome) = board.outcome() {
            return value(outcome, me);
        }
        let stones = board.stones(me) | board.stones(me.other());
        let mut replies = Self::beside(board, &stones);
        replies.extend(board.may_steal().then_some(Move::Steal));
        let each = replies.into_iter().map(|mv| {
            let undo = board.play_unchecked(mv);
            let worth = match board.outcome() {
                Some(outcome) => value(outcome, me),
                None => SawChongSum::of(board, me) - SawChongSum::of(board, me.other()),
            };
            board.undo(undo);
            worth
        });
        each.min().unwrap_or(0)
    }
}

/// The value of an outcome for `me`.
fn value(outcome: Outcome, me: Player) -> i32 {
    match outcome {
        Outcome::Win(player) if player == me => WIN,
        Outcome::Win(_) => -WIN,
        Outcome::Draw => 0,
    }
}

/// The first of the moves with the greatest worth.
fn best(moves: Vec<Move>, mut worth: impl FnMut(Move) -> i32) -> Option<Move> {
    let mut found = None;
    for mv in moves {
        let worth = worth(mv);
        if found.is_none_or(|(most, _)| worth > most) {
            found = Some((worth, mv));
        }
    }
    found.map(|(_, mv)| mv)
}

impl Agent<Position> for SawChong {
    fn new_game(&mut self) {}

    fn decide(&mut self, game: &Position, _: &Clock) -> Option<Decision<Move>> {
        if game.outcome().is_some() {
            return None;
        }
        let inside = |cell: Cell| {
            let (r, q) = game.coordinates(cell);
            let last = game.size() - 1;
            (1..last).contains(&r) && (1..last).contains(&q)
        };
        if game.may_steal() && game.stones(Player::First).first().is_some_and(inside) {
            return Some(Decision::Play(Move::Steal));
        }
        let small = game.size() < 7;
        let found = if small { Self::greedy(game) } else { Self::search(game) };
        found.map(Decision::Play)
    }
}
