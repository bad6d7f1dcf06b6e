//! Tic-tac-toe in Python, by the registry with which `examples/examples/own_command_line` has it in the command line.
//!
//! ```text
//! $ pip install ./python/own_game
//! $ python -c "import tic_tac_toe as t; b = t.Board('tic-tac-toe', 3); b.push('5'); print(t.Engine('minimax', nodes=10**6).play(b))"
//! 1
//! ```

#[path = "../../../examples/examples/own_command_line/tic_tac_toe.rs"]
mod game;

use pyo3::prelude::*;

/// The games of Stonework, and tic-tac-toe.
#[pymodule(gil_used = false)]
fn tic_tac_toe(module: &Bound<'_, PyModule>) -> PyResult<()> {
    stonework_python::join(module, game::registry())
}
