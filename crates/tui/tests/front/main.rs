//! Tests of the front end on a screen in memory.

mod any_input;
mod common;
mod play;
mod screens;
