//! [`diagram`]: a position as the specification draws it.

use stonework_board::{Diagram, Glyphs, Stone};
use stonework_cachex::{Move, Position};
use stonework_game::Player;

/// A position with r = 0 at the bottom as in the pictures of the specification and the referee: `r`, `b` and `.`,
/// the stone that was placed last in parentheses. In SVG red's stones are light ones.
///
/// ```
/// use stonework_cachex::Position;
/// use stonework_game::{Game, Notation};
/// use stonework_players::cachex::diagram;
/// let mut game = Position::new(3)?;
/// let moves = [game.parse_move("0,0")?, game.parse_move("1,2")?];
/// for mv in moves {
///     game.play(mv)?;
/// }
/// let lines = ["  2 . . .", " 1 . .(b)", "0 r . .", " 0 1 2"];
/// assert_eq!(diagram(&game, &moves).text().lines().collect::<Vec<_>>(), lines);
/// assert!(diagram(&game, &moves).svg().starts_with("<svg "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If a move places a stone off the board.
pub fn diagram(game: &Position, moves: &[Move]) -> Diagram {
    let diagram = Diagram::new(game.board())
        .counted()
        .glyphs(Glyphs { light: 'r', dark: 'b', empty: '.' })
        .stones(game.stones(Player::First), Stone::Light)
        .stones(game.stones(Player::Second), Stone::Dark);
    match moves.last() {
        Some(Move::Place(cell)) => diagram.last(*cell),
        _ => diagram,
    }
}
