//! Inferior cells agree with all fillings and with all games.

mod cases;
mod judge;
mod positions;
mod refute;
mod shares;
mod tally;
mod windows;
