//! [`MustPlay`]: the cells outside of which the side to move loses.

use stonework_board::{Cell, CellSet};
use stonework_game::{Game, Player};
use stonework_havannah::Position;

use crate::{AnalysisError, Frame, FrameBudget, Frames};

/// The cells on which the side to move must play: a stone on any other cell loses, by a frame of the opponent.
///
/// A stone outside the carrier of a half-frame leaves the half-frame as it is, and the opponent's next move makes it a
/// frame. So the stone must lie in the carriers of all half-frames. Against a frame no stone helps. In either case a
/// stone may still be good if it brings its own side's win so near that the frame is too slow; such cells are never
/// left out. The rule is the rule of [`Frames`], applied after the stone.
///
/// ```
/// use stonework_game::Textual;
/// use stonework_havannah::Position;
/// use stonework_havannah_analysis::{FrameBudget, MustPlay};
/// // White wins in one on a4. Black cannot, so there is one cell for Black.
/// let position = Position::parse_position("4 b - www./...../.b..../..b..../....../...../....")?;
/// let a4 = position.board().parse("a4")?;
/// let must = MustPlay::of(&position, &FrameBudget::default())?;
/// assert_eq!(must.cells(), [a4].into_iter().collect());
/// assert!(must.reason(a4).is_none() && !must.is_lost());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MustPlay {
    player: Player,
    cells: CellSet,
    frames: Frames,
    /// For each cell, the number of the frame by which a stone on the cell loses.
    reasons: Vec<Option<u32>>,
}

impl MustPlay {
    /// The cells on which the side to move must play, by the opponent's frames within the budget.
    ///
    /// # Errors
    /// An error if the game is over, if a swap may still come, or if a limit of the budget is too low.
    pub fn of(position: &Position, budget: &FrameBudget) -> Result<Self, AnalysisError> {
        let player = position.to_move();
        let frames = Frames::of(position, player.other(), budget)?;
        let mut cells = CellSet::new();
        let mut reasons = vec![None; position.board().len()];
        for cell in position.empty_cells() {
            let reason = frames.all().iter().position(|frame| frames.wins_after(frame, cell));
            reasons[cell.index()] = reason.map(|r| r as u32);
            if reason.is_none() {
                cells.insert(cell);
            }
        }
        Ok(Self { player, cells, frames, reasons })
    }

    /// The side to move.
    #[must_use]
    pub const fn player(&self) -> Player {
        self.player
    }

    /// The empty cells without a proof that they lose.
    #[must_use]
    pub const fn cells(&self) -> CellSet {
        self.cells
    }

    /// `true` if every cell loses: the side to move has lost.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.cells.is_empty()
    }

    /// The opponent's frame or half-frame by which a stone on this cell loses; `None` for the cells of
    /// [`cells`](MustPlay::cells), and for a cell that is taken or off the board.
    #[must_use]
    pub fn reason(&self, cell: Cell) -> Option<&Frame> {
        let number = self.reasons.get(cell.index()).copied().flatten()?;
        self.frames.all().get(number as usize)
    }

    /// The opponent's frames.
    #[must_use]
    pub const fn frames(&self) -> &Frames {
        &self.frames
    }
}
