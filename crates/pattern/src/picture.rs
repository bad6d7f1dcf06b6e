//! Patterns as pictures.

use stonework_board::NEIGHBOURHOOD;

use crate::cells::Cells;

impl Cells {
    /// The cells in their places, with `X` for the last move in the middle and `*` for the cells of the answer.
    ///
    /// ```
    /// use stonework_pattern::Patterns;
    /// let patterns = Patterns::compile(r#"{"o.o.!x?", ".o....", 8}"#)?;
    /// let pattern = &patterns.list()[0];
    /// let picture = "
    ///   *   o
    /// o   X   .
    ///   ?   !x
    /// ";
    /// assert_eq!(pattern.cells().picture(pattern.answer()), picture.trim_start_matches('\n'));
    /// # Ok::<(), stonework_pattern::Faults>(())
    /// ```
    #[must_use]
    pub fn picture(&self, answer: u32) -> String {
        let count = self.reach().cells();
        let words: Vec<String> = (0..count).map(|i| self.word(i)).collect();
        // Room for `!x`.
        let pitch = if words.iter().any(|word| word.len() > 1) { 2 } else { 1 };
        let mut marks = vec![(0, 0, "X")];
        for (i, (at, word)) in NEIGHBOURHOOD.iter().zip(&words).enumerate() {
            let word = if answer >> i & 1 != 0 { "*" } else { word };
            marks.push((at.row, 2 * at.column - at.row, word));
        }
        marks.sort_unstable();
        let left = marks.iter().map(|&(_, x, _)| x).min().unwrap_or(0);
        let mut picture = String::new();
        for row in marks.chunk_by(|a, b| a.0 == b.0) {
            let mut line = String::new();
            for &(_, x, word) in row {
                let start = pitch * (x - left) as usize;
                line.extend(std::iter::repeat_n(' ', start - line.len()));
                line.push_str(word);
            }
            picture.push_str(&line);
            picture.push('\n');
        }
        picture
    }
}
