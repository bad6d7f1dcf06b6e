//! The description of Cover.

use std::collections::BTreeMap;

use stonework_board::{Cell, DiagonalNotation, Home, Overlay, Stone};
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
        let won = self.outcome().map(|outcome| ending(self, outcome).1).unwrap_or_default();
        let won = won.iter().filter_map(|name| self.lattice().parse(name).ok());
        let diagram = diagram.overlay(Overlay::new().highlight(won));
        Ok(Picture::Locations(match last {
            Some(cell) => diagram.last(cell),
            None => diagram,
        }))
    }

    fn place_of(&self, mv: Move) -> Option<Cell> {
        self.target(mv)
    }

    fn read_cell(&self, text: &str, _: usize) -> Result<Cell, Fault> {
        self.lattice().parse(text).map_err(|error| Fault::new("move", error.to_string()))
    }

    /// The number of the last move of each stone that has moved.
    fn numbered(&self, moves: &[Move]) -> Vec<(Cell, usize)> {
        let mut numbers = BTreeMap::new();
        for (ply, &mv) in moves.iter().enumerate() {
            numbers.remove(&mv.from);
            numbers.extend(self.target(mv).map(|cell| (cell, ply + 1)));
        }
        numbers.into_iter().filter(|&(cell, _)| self.stone(cell).is_some()).collect()
    }

    fn rules() -> &'static [&'static str] {
        &[
            "Oblong stones lie on the lines of the board, each on two neighbouring crossings of lines, upright or level. Two \
             stones never share a crossing. Blue begins at the lower corner of the board, red at the upper corner; the \
             corners are the homebases. The sides move one stone in turn; blue begins.",
            "A stone steps along its line or sideways by one place, or turns about one of its ends.",
            "Shot: a stone that steps along its line shoots ahead. The first stone on the way stops the shot. It is taken from \
             the board if it is the enemy's and lies across the line.",
            "A side wins with a stone on the enemy's homebase, or when the enemy has no stone left. The board of four moves \
             ago must not come again.",
        ]
    }

    /// An arrow for the step; for a shot its line, and a ghost of the stone that is hit.
    fn traces(&self, mv: Move) -> Overlay {
        let Some(to) = self.target(mv) else { return Overlay::new() };
        let step = Overlay::new().arrow(mv.from, to);
        let Some(hit) = self.hit(mv) else { return step };
        let stone = match self.stone(hit) {
            Some(Player::First) => Stone::Light,
            _ => Stone::Dark,
        };
        step.shot(to, hit).ghost(hit, stone)
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
