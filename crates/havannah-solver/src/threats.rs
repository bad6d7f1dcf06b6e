//! [`Threats`]: the outcomes that the winning cells of both sides decide.

use stonework_game::{Game, Player};
use stonework_havannah::{Move, Position};
use stonework_search::{ProofTactics, Tactics, Verdict};

/// Verdicts by the winning cells of both sides, which are part of a [`Position`], and by dead draws:
///
/// - the side to move has a winning cell: it wins on that cell;
/// - the opponent has two or more winning cells: the side to move loses;
/// - the opponent has one winning cell: every move elsewhere loses;
/// - a side cannot win even with stones on all empty cells: it never wins.
///
/// O(1), apart from the last verdict. The last verdict is O(cells), and waits until at most two fifths of the cells are
/// empty; before, both sides can practically always still win.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats;

impl Tactics<Position> for Threats {
    fn probe(&mut self, game: &mut Position, only: &mut Vec<Move>) -> Verdict<Move> {
        let me = game.to_move();
        if game.winning_count(me) > 0
            && let Some(cell) = game.winning_cells(me).first()
        {
            return Verdict::Win(Move::Place(cell));
        }
        // As long as a swap is possible, a stone may change its colour: nothing is forced yet.
        match game.winning_count(me.other()) {
            _ if game.swap_enabled() => Verdict::Open,
            0 => Self::late(game),
            1 => {
                only.extend(game.winning_cells(me.other()).first().map(Move::Place));
                Verdict::Only
            }
            _ => Verdict::Loss,
        }
    }
}

impl ProofTactics<Position> for Threats {}

impl Threats {
    /// The verdict about a side that can no longer win, if at most two fifths of the cells are empty.
    fn late(game: &Position) -> Verdict<Move> {
        let cells = game.board().len();
        let empty = cells - game.stone_count();
        let dead = |&p: &Player| 5 * empty <= 2 * cells && !game.can_win(p);
        Player::BOTH.into_iter().find(dead).map_or(Verdict::Open, Verdict::Never)
    }
}
