//! [`Pattern`], and its text.

use std::fmt;

use stonework_board::Symmetry;

use crate::cells::Cells;
use crate::code::image;
use crate::fault::SourcePlace;

/// The largest weight of a pattern.
pub const MAX_WEIGHT: f32 = 1e6;

/// A pattern as its text has it: a condition on the cells around the last move, and the answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    pub(crate) name: Option<String>,
    pub(crate) cells: Cells,
    pub(crate) exceptions: Vec<(SourcePlace, Cells)>,
    pub(crate) answer: u32,
    pub(crate) chance: u8,
    pub(crate) weight: f32,
    pub(crate) at: SourcePlace,
    /// The place of the answer in the text.
    pub(crate) answer_at: SourcePlace,
}

/// A pattern turned or mirrored.
#[derive(Clone, PartialEq, Debug)]
pub struct Image {
    /// The condition on the cells around the last move.
    pub cells: Cells,
    /// The exceptions to the condition.
    pub exceptions: Vec<Cells>,
    /// The cells of the answer.
    pub answer: u32,
}

impl Pattern {
    /// The images of the pattern, at most 12; the first is the pattern itself. Images with the same condition become
    /// one image, whose answer has the cells of all of them.
    #[must_use]
    pub fn images(&self) -> Vec<Image> {
        let mut images: Vec<Image> = Vec::new();
        for symmetry in Symmetry::ALL {
            let cells = self.cells.image(symmetry);
            let mut exceptions: Vec<Cells> = self.exceptions().map(|e| e.image(symmetry)).collect();
            exceptions.sort_unstable();
            let answer = image(self.answer, symmetry);
            match images.iter_mut().find(|twin| twin.cells == cells && twin.exceptions == exceptions) {
                Some(twin) => twin.answer |= answer,
                None => images.push(Image { cells, exceptions, answer }),
            }
        }
        images
    }

    /// The name of the pattern, if it has one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The name, or the cells of a pattern without a name, for messages.
    #[must_use]
    pub fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.cells.to_string())
    }

    /// The condition on the cells around the last move.
    #[must_use]
    pub const fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The exceptions to the condition.
    #[must_use]
    pub fn exceptions(&self) -> impl ExactSizeIterator<Item = &Cells> {
        self.exceptions.iter().map(|(_, cells)| cells)
    }

    /// The cells of the answer: bit i for the i-th of [`NEIGHBOURHOOD`](stonework_board::NEIGHBOURHOOD).
    #[must_use]
    pub const fn answer(&self) -> u32 {
        self.answer
    }

    /// The probability of the answer, in eighths.
    #[must_use]
    pub const fn chance(&self) -> u8 {
        self.chance
    }

    /// The weight, 1 unless given.
    #[must_use]
    pub const fn weight(&self) -> f32 {
        self.weight
    }

    /// The place of the pattern in its file.
    #[must_use]
    pub const fn place(&self) -> &SourcePlace {
        &self.at
    }
}

/// The text of the pattern on one line, with as many rings in the answer as in the cells but at least three.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            write!(f, "{name}: ")?;
        }
        write!(f, "{{\"{}\", \"", self.cells)?;
        for i in 0..self.cells.reach().cells().max(18) {
            let stroke = if matches!(i, 6 | 12 | 18) { "/" } else { "" };
            write!(f, "{stroke}{}", if self.answer >> i & 1 != 0 { 'o' } else { '.' })?;
        }
        write!(f, "\", {}}}", self.chance)?;
        for cells in self.exceptions() {
            write!(f, " except \"{cells}\"")?;
        }
        if self.weight.to_bits() != 1f32.to_bits() {
            write!(f, " weight {}", self.weight)?;
        }
        Ok(())
    }
}

/// The letter of the i-th cell: a to z, then A to D.
pub(crate) const fn letter(i: usize) -> char {
    (if i < 26 { b'a' + i as u8 } else { b'A' + (i - 26) as u8 }) as char
}
