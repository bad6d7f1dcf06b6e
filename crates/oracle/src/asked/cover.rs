//! Questions about Cover.

use stonework_board::{DiagonalNotation, Home};
use stonework_cover::{IllegalMove, MAX_SIZE, MIN_SIZE, Position, Setup, Undo, colour};
use stonework_game::{Game, Notation, Outcome, Player};

use super::{Asked, no_notation_but, same_size, side, size};
use crate::query::{Fault, Query, State};

/// Moves are named `A07-B08`, with or without what they hit, and locations `A07`.
impl Asked for Position {
    type Names = ();
    const NAME: &'static str = "cover";
    const SIDES: [&'static str; 2] = [colour(Player::First), colour(Player::Second)];
    const SIZES: (u8, u8) = (MIN_SIZE, MAX_SIZE);

    /// `position` is a one-line text form, or the board alone as `[…]x[…]`: then by the usual rules,
    /// without history, with blue to move unless `to_move` says otherwise.
    fn start(query: &Query) -> Result<Self, Fault> {
        if query.swap {
            return Err(Fault::new("swap", "no swap in Cover"));
        }
        let bad = |e: &dyn ToString| Fault::new("position", e.to_string());
        let mut setup = match (query.position.as_deref(), size::<Self>(query)?) {
            (None, None) => return Err(Fault::new("size", "neither size nor position is given")),
            (None, Some(size)) => Self::new(size).map_err(|e| bad(&e))?.setup(),
            (Some(board), None) if board.starts_with('[') => {
                return Err(Fault::new("size", "no size: `[…]x[…]` does not say it"));
            }
            (Some(board), Some(size)) if board.starts_with('[') => {
                Setup::from_board(size, board).map_err(|e| bad(&e))?
            }
            (Some(text), size) => {
                let position = Self::parse_position(text).map_err(|e| bad(&e))?;
                same_size(size, position.size())?;
                position.setup()
            }
        };
        let mover = side::<Self>(query)?.unwrap_or(setup.to_move);
        if mover != setup.to_move && !setup.history.is_empty() {
            let said = format!("the history says that {} moves", colour(setup.to_move));
            return Err(Fault::new("to_move", said));
        }
        setup.to_move = mover;
        setup.position().map_err(|e| bad(&e))
    }

    fn names(&self, query: &Query) -> Result<(), Fault> {
        no_notation_but(Some("diagram"), "locations of Cover are `A07`", query)
    }

    fn fault_kind(illegal: &IllegalMove) -> &'static str {
        match illegal {
            IllegalMove::Over { .. } => "over",
            IllegalMove::Blocked { .. } => "occupied",
            IllegalMove::OwnHome { .. } => "home",
            IllegalMove::Repetition { .. } => "repetition",
            _ => "move",
        }
    }

    fn captured(&self, last: &Undo) -> Vec<String> {
        last.hit().map(|cell| self.lattice().name(cell)).into_iter().collect()
    }

    fn describe(&self, (): (), state: &mut State) {
        let ending = self.outcome().map(|outcome| ending(self, outcome));
        state.how = Some(ending.iter().map(|&(how, _)| how.to_owned()).collect());
        state.cells = Some(ending.into_iter().map(|(_, cells)| cells).collect());
        state.board = Some(self.board_in(DiagonalNotation::Diagram));
        state.position = Some(self.position_text());
        state.captured = Some(Vec::new());
    }
}

/// How a game has ended, and the stone that shows it: the winner's on the homebase.
fn ending(position: &Position, outcome: Outcome) -> (&'static str, Vec<String>) {
    let (winner, goal) = match outcome {
        Outcome::Win(Player::Second) => (Player::Second, Home::Bottom),
        _ => (Player::First, Home::Top),
    };
    let goal = position.lattice().homebase(goal);
    if position.stone(goal) == Some(winner) {
        return ("homebase", vec![position.lattice().name(goal)]);
    }
    let gone = position.stone_count(winner.other()) == 0;
    (if gone { "last stone" } else { "no move" }, Vec::new())
}
