//! [`Heap`]: a small host for the examples, Nim over the protocol.

use stonework_game::example::Nim;
use stonework_roster::{Agent, EngineAgent};
use stonework_search::{Limits, Minimax};

use crate::{Host, Named};

/// A host that plays Nim with one heap. The command `boardsize` sets the number of stones of the heap, at most 255.
#[derive(Clone, Copy, Debug)]
pub struct Heap;

impl Host for Heap {
    type Game = Nim;

    fn name(&self) -> &'static str {
        "Heap"
    }

    fn version(&self) -> &'static str {
        "1.0"
    }

    fn start(&self, size: Option<u32>) -> Result<Nim, String> {
        let left = u8::try_from(size.unwrap_or(7)).map_err(|_| "heaps are up to 255")?;
        Ok(Nim::new(left))
    }

    fn agents(&self) -> Vec<Named> {
        vec![("minimax".into(), "sees everything".into())]
    }

    fn agent(&self, _: &str, seed: u64) -> Result<Box<dyn Agent<Nim>>, String> {
        Ok(Box::new(EngineAgent::new(Minimax::new(()), Limits::none(), seed)))
    }
}
