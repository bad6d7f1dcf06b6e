//! Helpers for readers of moves and positions: the fields of a line, numbers in their one form, quotes of a user's text.
//!
//! ```
//! use stonework_game::{ParseError, text};
//! /// Reads `LEFT SIDE`.
//! fn left(line: &str) -> Result<u8, ParseError> {
//!     let [(left, at), _side] = text::fields(line);
//!     text::number(left).ok_or_else(|| ParseError::new(at, format!("`{}` is no heap", text::head(left))))
//! }
//! assert_eq!(left("7 first"), Ok(7));
//! assert_eq!(left("07 first").unwrap_err().to_string(), "`07` is no heap (at byte 0)");
//! ```

use std::str::FromStr;

use crate::Game;

/// The `N` fields of a line, which single spaces separate, each with its first byte.
///
/// The last field has the rest of the line, spaces included. A missing field is empty, at the end of the line.
///
/// ```
/// use stonework_game::text::fields;
/// assert_eq!(fields("3 w  ww."), [("3", 0), ("w", 2), (" ww.", 4)]);
/// assert_eq!(fields("3"), [("3", 0), ("", 1)]);
/// ```
#[must_use]
pub fn fields<const N: usize>(line: &str) -> [(&str, usize); N] {
    let mut fields = [("", 0); N];
    let mut at = 0;
    for (i, field) in fields.iter_mut().enumerate() {
        let rest = &line[at..];
        let end = if i + 1 == N { rest.len() } else { rest.find(' ').unwrap_or(rest.len()) };
        *field = (&rest[..end], at);
        at = (at + end + 1).min(line.len());
    }
    fields
}

/// A number in the form in which it would be printed; `None` for any other form, such as `04` and `+4`.
///
/// ```
/// use stonework_game::text::number;
/// assert_eq!((number("4"), number::<u8>("04"), number::<u8>("256")), (Some(4_u8), None, None));
/// ```
#[must_use]
pub fn number<T: FromStr + ToString>(text: &str) -> Option<T> {
    text.parse().ok().filter(|number: &T| number.to_string() == text)
}

/// The names of the moves of a line from a position, each named in the position in which it is played: a name may tell what the move
/// does there, as a shot in Cover. The first illegal move ends the line.
///
/// ```
/// use stonework_game::example::Nim;
/// use stonework_game::{Game, text::line_names};
/// let left = |game: &Nim, mv: u8| format!("{mv} of {}", game.left());
/// assert_eq!(line_names(&Nim::new(5), &[2, 1, 2, 1], left), ["2 of 5", "1 of 3", "2 of 2"]);
/// ```
pub fn line_names<G: Game>(
    root: &G,
    line: &[G::Move],
    mut name: impl FnMut(&G, G::Move) -> String,
) -> Vec<String> {
    let (mut game, mut names) = (root.clone(), Vec::with_capacity(line.len()));
    for &mv in line {
        let text = name(&game, mv);
        if game.play(mv).is_err() {
            break;
        }
        names.push(text);
    }
    names
}

/// At most 40 characters of a user's text, so that an error about a long line stays short.
///
/// ```
/// use stonework_game::text::head;
/// assert_eq!((head("f5"), head(&"é".repeat(50)).chars().count()), ("f5", 40));
/// ```
#[must_use]
pub fn head(text: &str) -> &str {
    text.char_indices().nth(40).map_or(text, |(end, _)| &text[..end])
}
