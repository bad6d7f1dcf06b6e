//! The description of Cover.

use stonework_board::{DiagonalNotation, Home};
use stonework_cover::{IllegalMove, MAX_SIZE, MIN_SIZE, Move, Position, Setup, Undo, colour};
use stonework_game::{Game, Outcome, Player, Textual};

use super::one_notation;
use crate::{Described, Description, Fault, Picture, Start, State};

/// The name of a move is `A07-B08`, with or without the stone that the move hits. The name of a location is `A07`.
impl Described for Position {
    const DESCRIPTION: Description = Description {
        sizes: (MIN_SIZE, MAX_SIZE),
        usual_size: 4,
        max_plies: Some(1000),
        ..Description::new("cover", [colour(Player::First), colour(Player::Second)])
    };

    /// `position` is a one-line text form, or the board alone as `[…]x[…]`. A board alone has the usual rules, no
    /// history, and blue to move unless `to_move` names red.
    fn start(start: &Start) -> Result<Self, Fault> {
        if start.swap {
            return Err(Fault::new("swap", "no swap in Cover"));
        }
        let game = &Self::DESCRIPTION;
        let bad = |e: &dyn ToString| Fault::new("position", e.to_string());
        let mut setup = match (start.position.as_deref(), start.size_in(game)?) {
            (None, None) => return Err(Start::missing()),
            (None, Some(size)) => Self::new(size).map_err(|e| bad(&e))?.setup(),
            (Some(board), None) if board.starts_with('[') => {
                return Err(Fault::new("size", "no size: `[…]x[…]` does not say it"));
            }
            (Some(board), Some(size)) if board.starts_with('[') => {
                Setup::from_board(size, board).map_err(|e| bad(&e))?
            }
            (Some(text), size) => {
                let position = Self::parse_position(text).map_err(|e| bad(&e))?;
                Start::same_size(size, position.size())?;
                position.setup()
            }
        };
        let mover = start.player_in(game)?.unwrap_or(setup.to_move);
        if mover != setup.to_move && !setup.history.is_empty() {
            let text = format!("the history says that {} moves", colour(setup.to_move));
            return Err(Fault::new("to_move", text));
        }
        setup.to_move = mover;
        setup.position().map_err(|e| bad(&e))
    }

    fn size(&self) -> u8 {
        self.size()
    }

    fn notation(&self, name: Option<&str>) -> Result<usize, Fault> {
        one_notation(Some("diagram"), "locations of Cover are `A07`", name)
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

    fn describe(&self, _: usize, state: &mut State) {
        let ending = self.outcome().map(|outcome| ending(self, outcome));
        state.how = Some(ending.iter().map(|&(how, _)| how.to_owned()).collect());
        state.cells = Some(ending.into_iter().map(|(_, cells)| cells).collect());
        state.board = Some(self.board_in(DiagonalNotation::Diagram));
        state.position = Some(self.position_text());
        state.captured = Some(Vec::new());
    }

    fn picture(&self, moves: &[Move], _: usize) -> Result<Picture, Fault> {
        let last = moves.last().and_then(|&mv| self.target(mv)).filter(|&cell| self.stone(cell).is_some());
        let diagram = self.diagram();
        Ok(Picture::Locations(match last {
            Some(cell) => diagram.last(cell),
            None => diagram,
        }))
    }
}

/// The kind of an end, and the stone that shows it: the winner's stone on the homebase.
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
