//! The description of Cachex.

use std::collections::BTreeMap;

use stonework_board::{Cell, CellSet, Diagram, Glyphs, Overlay, Stone, StoneColours};
use stonework_cachex::{IllegalMove, MAX_SIZE, MIN_SIZE, Move, Position, Setup, Undo, colour};
use stonework_game::{Game, Outcome, Player, Textual};

use super::one_notation;
use crate::{Described, Description, Fault, Picture, Start, State};

/// Cells and moves have one notation: `r,q` for a cell, and `steal`.
impl Described for Position {
    const DESCRIPTION: Description = Description {
        sizes: (MIN_SIZE, MAX_SIZE),
        usual_size: 8,
        commas: false,
        ..Description::new("cachex", [colour(Player::First), colour(Player::Second)])
    };

    /// `position` is a one-line text form, or the rows of a board alone. Rows alone get the least possible number of
    /// turns: none for an empty board, one for a single red stone with blue to move, and otherwise two or three, so
    /// that neither side may steal.
    fn start(start: &Start) -> Result<Self, Fault> {
        if start.swap {
            return Err(Fault::new("swap", "no swap in Cachex: blue's first action may be `steal`"));
        }
        let game = &Self::DESCRIPTION;
        let size = start.size_in(game)?;
        let bad = |e: &dyn ToString| Fault::new("position", e.to_string());
        let mover = start.player_in(game)?;
        let position = match (start.position.as_deref(), size) {
            (None, None) => return Err(Start::missing()),
            (None, Some(size)) => Self::new(size).map_err(|e| bad(&e))?,
            (Some(text), _) if text.contains(' ') => Self::parse_position(text).map_err(|e| bad(&e))?,
            (Some(rows), _) => {
                let mut setup = Setup::from_rows(rows, 0).map_err(|e| bad(&e))?;
                let (red, blue) = (setup.stones.first.len(), setup.stones.second.len());
                setup.turns = match (mover.unwrap_or(Player::First), red, blue) {
                    (Player::First, 0, 0) => 0,
                    (Player::Second, 1, 0) => 1,
                    (Player::First, ..) => 2,
                    (Player::Second, ..) => 3,
                };
                setup.position().map_err(|e| bad(&e))?
            }
        };
        Start::same_size(size, position.size())?;
        match mover {
            Some(mover) if mover != position.to_move() => {
                let other = game.side(mover.other());
                Err(Fault::new("to_move", format!("the number of turns says that {other} moves")))
            }
            _ => Ok(position),
        }
    }

    fn size(&self) -> u8 {
        self.size()
    }

    fn notation(&self, name: Option<&str>) -> Result<usize, Fault> {
        one_notation(None, "cells of Cachex are `r,q`", name)
    }

    fn fault_kind(illegal: &IllegalMove) -> &'static str {
        match illegal {
            IllegalMove::Over { .. } => "over",
            IllegalMove::Occupied { .. } => "occupied",
            IllegalMove::Steal { .. } => "swap",
            IllegalMove::Centre { .. } => "centre",
            _ => "move",
        }
    }

    fn swap_move() -> Option<Move> {
        Some(Move::Steal)
    }

    fn captured(&self, last: &Undo) -> Vec<String> {
        last.captured().iter().map(|cell| self.move_text(Move::Place(cell))).collect()
    }

    fn describe(&self, _: usize, state: &mut State) {
        let names = |cells: CellSet| -> Vec<String> {
            cells.iter().map(|cell| self.move_text(Move::Place(cell))).collect()
        };
        state.how = Some(self.ending().iter().map(|ending| ending.name().to_owned()).collect());
        state.cells = Some(self.winning_chain().map(names).into_iter().collect());
        state.board = Some(self.rows());
        state.position = Some(self.position_text());
        state.captured = Some(Vec::new());
    }

    fn standing(&self) -> String {
        match (self.outcome(), self.ending()) {
            (Some(Outcome::Win(player)), _) => format!("{} wins", colour(player)),
            (_, Some(ending)) => format!("a draw by {}", ending.name()),
            _ => format!("not over, {} to move", colour(self.to_move())),
        }
    }

    /// The row r = 0 is at the bottom, as in the pictures of the specification and of the referee. Text has `r`, `b`
    /// and `.`, with the last stone in parentheses. The winner's chain is highlighted.
    fn picture(&self, moves: &[Move], _: usize) -> Result<Picture, Fault> {
        let diagram = Diagram::new(self.board())
            .counted()
            .glyphs(Glyphs { light: 'r', dark: 'b', empty: '.' })
            .stones(self.stones(Player::First), Stone::Light)
            .stones(self.stones(Player::Second), Stone::Dark)
            .colours(StoneColours::RedBlue)
            .highlight(self.winning_chain().unwrap_or_default());
        Ok(Picture::Cells(match moves.last() {
            Some(Move::Place(cell)) => diagram.last(*cell),
            _ => diagram,
        }))
    }

    fn target_cell(mv: Move) -> Option<Cell> {
        match mv {
            Move::Place(cell) => Some(cell),
            Move::Steal => None,
        }
    }

    /// The captured stones are ghosts.
    fn traces(&self, mv: Move) -> Overlay {
        let Move::Place(cell) = mv else { return Overlay::new() };
        let other = match self.to_move() {
            Player::First => Stone::Dark,
            Player::Second => Stone::Light,
        };
        let captured = self.captures(self.to_move(), cell);
        captured.iter().fold(Overlay::new(), |overlay, cell| overlay.ghost(cell, other))
    }

    fn rules() -> &'static [&'static str] {
        &[
            "Red and blue place a stone in turn on any empty cell; red begins, but not on the centre. Red connects the lower \
             edge with the upper edge, blue the left edge with the right edge. A chain of own stones between both own edges \
             wins.",
            "Steal: instead of a first stone, blue may take red's first stone. It becomes blue and moves to the mirror image \
             of its cell, with row and column exchanged.",
            "Capture: four cells that form a diamond have two pairs of opposite cells. A stone that completes a diamond of two \
             own and two enemy stones, each pair opposite, takes the two enemy stones from the board. All captures of a stone \
             happen at once, before a win is looked for.",
            "The seventh occurrence of a board and the 343rd turn are draws.",
        ]
    }

    /// A stolen stone stands on the cell of the steal. Captured stones are absent.
    fn numbered(&self, moves: &[Move]) -> Vec<(Cell, usize)> {
        let mut placed = BTreeMap::new();
        for (ply, &mv) in moves.iter().enumerate() {
            let cell = match (mv, moves[0]) {
                (Move::Place(cell), _) => Some(cell),
                (Move::Steal, Move::Place(stolen)) => {
                    placed.clear();
                    let (row, column) = self.coordinates(stolen);
                    self.cell(column, row)
                }
                _ => None,
            };
            placed.extend(cell.map(|cell| (cell, ply + 1)));
        }
        placed.into_iter().filter(|&(cell, _)| self.stone(cell).is_some()).collect()
    }
}
