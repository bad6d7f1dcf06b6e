//! Stones of a board as rows of letters.

use std::fmt;

use crate::{Board, Cell, CellSet};

impl Board {
    /// Writes a letter for each cell: row by row from the top, `/` between rows.
    ///
    /// # Errors
    /// Only the errors of the writer.
    ///
    /// ```
    /// use stonework_board::Board;
    /// let board = Board::hexagon(2)?;
    /// let mut text = String::new();
    /// board.write_rows(&mut text, |cell| if board.is_rim(cell) { '.' } else { 'w' })?;
    /// assert_eq!(text, "../.w./..");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_rows(&self, w: &mut dyn fmt::Write, letter: impl Fn(Cell) -> char) -> fmt::Result {
        for row in 0..self.rows() {
            if row > 0 {
                w.write_char('/')?;
            }
            self.row(row).try_for_each(|cell| w.write_char(letter(cell)))?;
        }
        Ok(())
    }

    /// Reads the text of [`write_rows`](Board::write_rows) with the two letters `stones` for stones and `.` for empty cells.
    /// Returns the cells with the first letter and the cells with the second letter. O(cells).
    ///
    /// # Errors
    /// [`RowsError`] with the first wrong character.
    ///
    /// ```
    /// use stonework_board::Board;
    /// let board = Board::hexagon(2)?;
    /// let [white, black] = board.read_rows("w./.b./..", ['w', 'b'])?;
    /// assert!(white.iter().map(|cell| board.name(cell)).eq(["a1"]));
    /// assert!(black.iter().map(|cell| board.name(cell)).eq(["b2"]));
    /// let error = board.read_rows("w./.x./..", ['w', 'b']).unwrap_err();
    /// assert_eq!(error.to_string(), "expected `.`, `w` or `b` in the 2nd row, found `x`");
    /// assert_eq!(error.at, 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_rows(&self, rows: &str, stones: [char; 2]) -> Result<[CellSet; 2], RowsError> {
        let mut sets = [CellSet::new(); 2];
        let mut letters = rows.char_indices();
        for row in 0..self.rows() {
            // `None` is the slash before a row; no slash is before the first row.
            let slash = (row > 0).then_some(None);
            for cell in slash.into_iter().chain(self.row(row).map(Some)) {
                let next = letters.next();
                let (at, found) = next.map_or((rows.len(), None), |(at, letter)| (at, Some(letter)));
                match (cell, found) {
                    (None, Some('/')) | (Some(_), Some('.')) => {}
                    (Some(cell), Some(letter)) if letter == stones[0] => _ = sets[0].insert(cell),
                    (Some(cell), Some(letter)) if letter == stones[1] => _ = sets[1].insert(cell),
                    _ => {
                        let (row, [one, other]) = (ordinal(row + 1), stones);
                        let letters = cell.map(|_| format!("`.`, `{one}` or `{other}` in the {row} row"));
                        let expected = letters.unwrap_or_else(|| format!("`/` before the {row} row"));
                        return Err(RowsError { at, expected, found });
                    }
                }
            }
        }
        match letters.next() {
            None => Ok(sets),
            Some((at, letter)) => {
                let expected = format!("the end after {} rows", self.rows());
                Err(RowsError { at, expected, found: Some(letter) })
            }
        }
    }
}

/// The refusal of a text that is not the rows of a board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected}, found {}", found.map_or("the end".to_owned(), |letter| format!("`{letter}`")))]
#[non_exhaustive]
pub struct RowsError {
    /// The index of the first wrong byte in the text.
    pub at: usize,
    /// The valid characters at this byte, in words, with the number of the row.
    pub expected: String,
    /// The character at this byte; `None` at the end of the text.
    pub found: Option<char>,
}

/// A number as `1st`, `2nd` and so on. Messages count rows by ordinals, since some games number rows from 1 and others from 0.
fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::ordinal;

    #[test]
    fn each_ordinal_has_its_ending() {
        let ordinals = [1, 2, 3, 4, 11, 12, 13, 20, 21, 22, 33, 39].map(ordinal);
        let expected =
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "20th", "21st", "22nd", "33rd", "39th"];
        assert_eq!(ordinals, expected);
    }
}
