//! A GTP engine for a new game in a page: Nim, on standard input and output.
//!
//! ```text
//! $ printf 'boardsize 7\nshowboard\ngenmove white\nplay black 2\nquit\n' | cargo run -p stonework-examples --example gtp_engine
//! =
//!
//! =
//! 7 first
//!
//! = 1
//!
//! =
//!
//! =
//!
//! ```

use std::io::{self, BufReader};

use stonework::game::example::Nim;
use stonework::gtp::{Host, Named, Server};
use stonework::roster::{Agent, EngineAgent};
use stonework::search::{AlphaBeta, Limits, Minimax};

/// The facts that the game's traits do not state.
struct Heap;

impl Host for Heap {
    type Game = Nim;

    fn name(&self) -> &'static str {
        "Heap"
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn start(&self, size: Option<u32>) -> Result<Nim, String> {
        let left = u8::try_from(size.unwrap_or(11)).map_err(|_| "heaps are up to 255")?;
        Ok(Nim::new(left))
    }

    fn agents(&self) -> Vec<Named> {
        vec![("minimax".into(), "sees everything".into()), ("near".into(), "three plies ahead".into())]
    }

    fn agent(&self, name: &str, seed: u64) -> Result<Box<dyn Agent<Nim>>, String> {
        match name {
            "minimax" => Ok(Box::new(EngineAgent::new(Minimax::new(()), Limits::none(), seed))),
            "near" => Ok(Box::new(EngineAgent::new(AlphaBeta::default(), Limits::none().depth(3), seed))),
            _ => Err(format!("no player `{name}`: minimax or near")),
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut server = Server::new(Heap, "minimax", 1)?;
    Ok(server.serve(BufReader::new(io::stdin()), io::stdout())?)
}
