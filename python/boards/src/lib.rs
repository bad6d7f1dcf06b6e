//! The boards of the Python package, without Python: one game move by move, many games at once, and planes for networks.
//!
//! This crate alone is built for speed; the classes around it, the searches and the pictures are built small.
//!
//! ```text
//! line(registry.game("havannah")?, &Start::of_size(8))?.push(0)?;
//! many("havannah", &Start::of_size(8), 1024)?.random(&mut rng, &mut actions);
//! ```
//!
//! It has no rules, and reads no notation: these are in the crates of the games and in `session`.

mod any;
mod legal;
mod line;
mod many;
mod planes;

pub use line::{Line, line};
pub use many::{Many, many};
pub use planes::{PlaneSlice, hexagon_place};
