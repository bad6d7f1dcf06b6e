//! [`Threats`]: what the winning cells of both sides decide.

use stonework_game::{Game, Player};
use stonework_havannah::{Move, Position};
use stonework_search::{ProofTactics, Tactics, Verdict};

/// Looks at the cells on which either side would win at once, which a [`Position`] keeps anyway:
///
/// - the side to move has one: it wins there;
/// - the other side has two or more: the side to move loses;
/// - the other side has one: every move elsewhere loses;
/// - few cells are left, and a side cannot win even with all of them: it never will.
///
/// O(1), but for the last look, which is O(cells) and comes only when at most two fifths of the cells are
/// empty: before, somebody can practically always win.
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
        // Before the right to swap is past, a stone changes its colour: nothing is forced yet.
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
    fn late(game: &Position) -> Verdict<Move> {
        let cells = game.board().len();
        let empty = cells - game.stone_count();
        let dead = |&p: &Player| 5 * empty <= 2 * cells && !game.can_win(p);
        Player::BOTH.into_iter().find(dead).map_or(Verdict::Open, Verdict::Never)
    }
}
