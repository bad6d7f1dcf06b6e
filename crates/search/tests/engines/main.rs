//! Every engine against minimax and the slow judges of its kind, on small games.

mod alphabeta;
mod alphabeta_limits;
mod games;
mod jobs;
mod kept;
mod known;
mod minimax;
mod parameters;
mod playouts;
mod proof_engines;
mod trees;
mod values;
mod zugzwang;
