//! Inferior cells are what all fillings and all games say.

mod cases;
mod judge;
mod positions;
mod refute;
mod shares;
mod tally;
mod windows;
