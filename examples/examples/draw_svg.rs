//! Draws a finished game as an SVG picture: numbered stones, the winning chain marked.
//!
//! ```text
//! $ cargo run -p stonework-examples --example draw_svg -- ring.svg
//! ring.svg: 8324 bytes
//! ```
//!
//! Without a path the picture goes to standard output.

use stonework_board::{Board, Diagram, Stone};
use stonework_game::{Game, Player, Textual};
use stonework_havannah::{Move, Position, WinKind};

/// White closes a ring around d5.
const MOVES: &str = "d4 e8 c4 f5 c5 f4 e6 b2 d6 g7 e5";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let board = Board::hexagon(5)?;
    let mut game = Position::new(5)?;
    let mut diagram = Diagram::new(board).title("A ring in eleven moves");
    for (number, text) in (1..).zip(MOVES.split(' ')) {
        let mv = game.parse_move(text)?;
        let stone = if game.to_move() == Player::First { Stone::Light } else { Stone::Dark };
        game.play(mv)?;
        if let Move::Place(cell) = mv {
            diagram = diagram.stone(cell, stone).label(cell, number.to_string()).last(cell);
        }
    }
    let ring = game.winning_chain(WinKind::Ring).ok_or("no ring")?;
    let svg = diagram.highlight(ring).svg();
    assert_eq!(ring.len(), 6);
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));

    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(&path, &svg)?;
        println!("{path}: {} bytes", svg.len());
    } else {
        println!("{svg}");
    }
    Ok(())
}
