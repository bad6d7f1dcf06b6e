//! [`StonePairs`]: stones that can be captured; [`Noisy`]: wins, blocks and captures; [`Decisive`]: verdicts by wins in one.

use stonework_board::{Cell, CellSet};
use stonework_cachex::{Move, Position};
use stonework_game::{Game, Keyed, Player};
use stonework_search::{NoisyMoves, Tactics, Verdict};

/// The stones that one player could capture with its next stone.
///
/// ```
/// use stonework_cachex::Setup;
/// use stonework_game::Player;
/// use stonework_cachex_players::StonePairs;
/// let game = Setup::from_rows("...../.bb../.r.../...../.....", 6)?.position()?;
/// let red = StonePairs::of(&game, Player::First);
/// assert_eq!((red.cells, red.stones, red.most), (1, 2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StonePairs {
    /// The number of cells on which a stone would capture.
    pub cells: u32,
    /// The number of different stones of the opponent that one of these stones would capture.
    pub stones: u32,
    /// The largest number of stones that a single stone would capture.
    pub most: u32,
}

impl StonePairs {
    /// Counts the stones in a position, whichever side is to move. O(cells).
    #[must_use]
    pub fn of(game: &Position, player: Player) -> Self {
        let (mut pairs, mut stones) = (Self::default(), CellSet::new());
        for (_, captures) in game.capturing(player) {
            pairs.cells += 1;
            pairs.most = pairs.most.max(captures.len() as u32);
            stones.extend(captures.iter());
        }
        pairs.stones = if pairs.cells > 0 { stones.len() as u32 } else { 0 };
        pairs
    }
}

/// The noisy moves of a quiescence search: all wins in one; without a win in one, the blocks of the opponent's wins in
/// one, and all captures.
///
/// An engine follows noisy moves beyond its depth, and its beam never drops them. A steal is not noisy. O(cells).
#[derive(Clone, Copy, Debug, Default)]
pub struct Noisy;

impl NoisyMoves<Position> for Noisy {
    fn noisy_moves(&mut self, game: &Position, out: &mut Vec<Move>) {
        if game.turns() == 0 {
            return;
        }
        let me = game.to_move();
        let wins = game.winning_cells(me);
        if !wins.is_empty() {
            out.extend(wins.iter().map(Move::Place));
            return;
        }
        let blocks = game.winning_cells(me.other());
        out.extend(blocks.iter().map(Move::Place));
        let capturing = game.capturing(me).map(|(cell, _)| cell);
        out.extend(capturing.filter(|&cell| !blocks.contains(cell)).map(Move::Place));
    }
}

/// Verdicts by wins in one. The side to move wins if it has a win in one. If the opponent has one, the side to move can
/// only block or capture. If the opponent has two, the side to move loses if it can capture nothing.
///
/// The verdicts are exact: within two plies of a possible draw by repetition or by the number of turns, only own wins
/// give a verdict. O(cells).
#[derive(Clone, Copy, Debug, Default)]
pub struct Decisive;

impl Tactics<Position> for Decisive {
    fn probe(&mut self, game: &mut Position, only: &mut Vec<Move>) -> Verdict<Move> {
        let me = game.to_move();
        if let Some(cell) = game.winning_cells(me).first() {
            return Verdict::Win(Move::Place(cell));
        }
        let blocks = game.winning_cells(me.other());
        if blocks.is_empty() || game.may_steal() || game.horizon() < 2 {
            return Verdict::Open;
        }
        only.extend(game.capturing(me).map(|(cell, _)| Move::Place(cell)));
        if blocks.len() > 1 && only.is_empty() {
            return Verdict::Loss;
        }
        let block = |cell: &Cell| !only.contains(&Move::Place(*cell));
        let blocks: Vec<Cell> = blocks.iter().filter(block).collect();
        only.extend(blocks.into_iter().map(Move::Place));
        Verdict::Only
    }
}
