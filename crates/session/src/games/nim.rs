//! The description of Nim, the game of the examples. The size of a game is the number of stones of its heap.

use stonework_game::{Textual, example::Nim};

use crate::{Described, Description, Fault, Start};

impl Described for Nim {
    const DESCRIPTION: Description =
        Description { sizes: (1, 255), usual_size: 7, ..Description::new("nim", ["first", "second"]) };

    fn start(start: &Start) -> Result<Self, Fault> {
        let Some(text) = &start.position else {
            return start.size_in(&Self::DESCRIPTION)?.map(Self::new).ok_or_else(Start::missing);
        };
        Self::parse_position(text).map_err(|error| Fault::new("position", error.to_string()))
    }

    fn size(&self) -> u8 {
        self.left()
    }
}
