//! [`Patterns`]: compiled patterns, and their answers.

use rand_core::RngCore;
use stonework_board::{Board, Cell};

use crate::code::Code;
use crate::compile::compile;
use crate::fault::Faults;
use crate::files::{self, File, Include};
use crate::source::Pattern;
use crate::tables::{Reply, Tables};

/// A set of patterns, compiled.
///
/// A look-up takes one access to a table for the inner ring, and one more for each further ring as long as a pattern has the same
/// inner rings. Its time does not depend on the number of patterns.
#[derive(Clone, PartialEq, Debug)]
pub struct Patterns {
    pub(crate) tables: Tables,
    pub(crate) patterns: Vec<Pattern>,
}

/// The answer of a pattern to the last move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Answer {
    /// The cells of the answer, all empty: bit i for the i-th of
    /// [`NEIGHBOURHOOD`](stonework_board::NEIGHBOURHOOD).
    pub cells: u32,
    /// The probability of the answer, in eighths.
    pub chance: u8,
    /// The weight of the pattern.
    pub weight: f32,
    /// The number of the pattern in [`Patterns::list`].
    pub pattern: usize,
}

impl Patterns {
    /// Compiles a text without `include`. Time is linear in the text and in the number of entries of the tables, at most about
    /// four million.
    ///
    /// # Errors
    /// The faults of the text, each with its line and column.
    pub fn compile(text: &str) -> Result<Self, Faults> {
        let file = File { name: String::new(), text: text.to_owned() };
        Self::compile_file(file, &mut |_, _| Err("this text is compiled without other files".to_owned()))
    }

    /// Compiles a file with the files that it includes, which `include` returns. The patterns of a file that is included twice
    /// count once. All texts together, those of repeated files too, have at most 64 MiB.
    ///
    /// # Errors
    /// The faults of all files, each with its file, line and column. A limit ends the compilation: of bytes, of patterns, of
    /// entries, or of 10 000 faults.
    pub fn compile_file(file: File, include: Include<'_>) -> Result<Self, Faults> {
        let (patterns, faults) = files::read(file, include);
        match compile(&patterns, faults) {
            Ok(tables) => Ok(Self { tables, patterns }),
            Err(faults) => Err(faults.sorted()),
        }
    }

    /// The answer of the longest pattern that matches and has at most as many cells as the code; `None` if no pattern
    /// matches.
    #[must_use]
    #[inline]
    pub fn find(&self, code: Code) -> Option<Answer> {
        self.tables.find(code).map(|&Reply { answer, weight, pattern, chance }| Answer {
            cells: answer,
            chance,
            weight,
            pattern: pattern as usize,
        })
    }

    /// The patterns, in the order of the text.
    #[must_use]
    pub fn list(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The pattern with a name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Pattern> {
        self.patterns.iter().find(|pattern| pattern.name() == Some(name))
    }

    /// The number of bytes of the tables.
    #[must_use]
    pub fn table_bytes(&self) -> usize {
        let Tables { first, results, nodes, slots, replies } = &self.tables;
        size_of_val(&**first)
            + size_of_val(&results[..])
            + size_of_val(&nodes[..])
            + size_of_val(&slots[..])
            + size_of_val(&replies[..])
    }
}

impl Answer {
    /// The cells of the answer, for a last move on `centre`.
    ///
    /// # Panics
    /// If the centre is not on the board.
    pub fn cells_on(&self, board: &'static Board, centre: Cell) -> impl Iterator<Item = Cell> + use<> {
        let answers = self.cells;
        let chosen = move |(i, cell): (usize, Option<Cell>)| cell.filter(|_| answers >> i & 1 != 0);
        board.around(centre).enumerate().filter_map(chosen)
    }

    /// A random choice of the answer: with its probability one of the cells, each equally likely; otherwise `None`. Takes one number
    /// from the generator.
    ///
    /// # Panics
    /// If the centre is not on the board.
    pub fn choose(&self, board: &Board, centre: Cell, rng: &mut (impl RngCore + ?Sized)) -> Option<Cell> {
        let random = rng.next_u64();
        if (random & 7) as u8 >= self.chance {
            return None;
        }
        let skipped = ((random >> 32) * u64::from(self.cells.count_ones())) >> 32;
        let cells = (0..skipped).fold(self.cells, |cells, _| cells & cells.wrapping_sub(1));
        board.around(centre).nth(cells.trailing_zeros() as usize)?
    }
}
