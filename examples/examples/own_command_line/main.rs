//! Tic-tac-toe, a game that Stonework does not have, gets the commands of `stonework`: an implementation of the traits and a
//! registry are all that they need. The game, its players and the registry are in `tic_tac_toe.rs`; `python/own_game` makes a Python
//! module of the same registry.
//!
//! ```text
//! $ cargo run -q -p stonework-examples --example own_command_line -- match minimax simple --game tic-tac-toe --size 3 --games 2 --openings none
//! game 1 of 2, minimax – simple, 5 plies: minimax (x) wins
//! game 2 of 2, simple – minimax, 6 plies: minimax (o) wins
//!
//! minimax against simple: 2 of 2 points, +2 =0 -0 (+1 =0 -0 as x, +1 =0 -0 as o)
//!   Elo +inf ± ? (95 %), stronger with probability 100.0 %; pairs by points 0 to 2: [0, 0, 0, 0, 1]
//!   a game took 0.00 s and 0.00 s, and of CPU 0.00 s and 0.00 s
//! $ printf 'play x 5\ngenmove o\nshowboard\nquit\n' | cargo run -q -p stonework-examples --example own_command_line -- gtp --game tic-tac-toe
//! =
//!
//! = 1
//!
//! =
//! o...x....
//! not over, x to move
//!
//! =
//! ```

mod tic_tac_toe;

fn main() -> std::process::ExitCode {
    stonework_cli::run(&tic_tac_toe::registry(), std::env::args_os())
}
