//! [`picture`]: a position as the specification draws it.

use std::fmt::Write;

use stonework_cachex::{Move, Position};
use stonework_game::Player;

/// A position as text, with r = 0 at the bottom as in the pictures of the specification and the referee:
/// `r`, `b` and `.`, the stone that was placed last in parentheses.
///
/// ```
/// use stonework_cachex::Position;
/// use stonework_game::{Game, Notation};
/// use stonework_players::cachex::picture;
/// let mut game = Position::new(3)?;
/// let moves = [game.parse_move("0,0")?, game.parse_move("1,2")?];
/// for mv in moves {
///     game.play(mv)?;
/// }
/// let lines = [
///     "r = 2        .   .   .",
///     "r = 1      .   .  (b)",
///     "r = 0    r   .   .",
///     "    q =  0   1   2",
/// ];
/// assert_eq!(picture(&game, &moves).lines().collect::<Vec<_>>(), lines);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn picture(game: &Position, moves: &[Move]) -> String {
    let size = game.size();
    let last = match moves.last() {
        Some(Move::Place(cell)) => Some(*cell),
        _ => None,
    };
    let mut text = String::new();
    for row in (0..size).rev() {
        let mut line = format!("r = {row:<3} {}", "  ".repeat(usize::from(row)));
        for cell in (0..size).filter_map(|column| game.cell(row, column)) {
            let stone = match game.stone(cell) {
                None => '.',
                Some(Player::First) => 'r',
                Some(Player::Second) => 'b',
            };
            let (before, after) = if last == Some(cell) { ('(', ')') } else { (' ', ' ') };
            let _ = write!(line, "{before}{stone}{after} ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push_str("    q =  ");
    for column in 0..size {
        let _ = write!(text, "{column:<4}");
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}
