//! The server of GTP, analysis, and the controller of programs.

mod controller;
mod double_moves;
mod live;
mod server;
mod session_host;
