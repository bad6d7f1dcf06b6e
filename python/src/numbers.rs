//! [`Numbers`]: action numbers of another program.

use pyo3::prelude::*;
use stonework_havannah as havannah;
use stonework_python_boards::hexagon_place;
use stonework_session::AnyPosition;

use crate::convert::refused;

/// Action numbers of another program, for a board of Havannah.
pub(crate) struct Numbers {
    /// The cell of each number of the other program.
    pub(crate) own: Vec<Option<u32>>,
    /// The other program's number of each cell.
    pub(crate) other: Vec<u32>,
}

impl Numbers {
    pub(crate) fn open_spiel(position: &AnyPosition) -> PyResult<Self> {
        let Some(typed) = position.downcast_ref::<havannah::Position>() else {
            let game = position.description().name;
            return Err(refused(format!(
                "no action numbers `open_spiel` of {game}: OpenSpiel has Havannah alone"
            )));
        };
        let board = typed.board();
        let width = 2 * usize::from(board.size()) - 1;
        let mut own = vec![None; width * width];
        let other: Vec<u32> = board.cells().map(|cell| hexagon_place(board, cell) as u32).collect();
        for (cell, &number) in other.iter().enumerate() {
            own[number as usize] = Some(cell as u32);
        }
        Ok(Self { own, other })
    }
}
