//! The pie rule for a game whose own rules do not have it: after the first move, the second player may take over
//! the first player's stones. No stone changes its colour; the players exchange their roles.
//!
//! ```text
//! $ cargo run -p stonework-examples --example pie_rule
//! Ann  a1
//! Bob  swap
//! Ann  c3
//! Bob  a2
//! Ann  b2
//! Bob  a3
//! Bob has won with the white stones: bridge
//! ```

use stonework_game::{Game, Outcome, Pie, PieMove, Player, Textual};
use stonework_havannah::{Position, colour};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Pie::new(Position::new(3)?);
    let names = ["Ann", "Bob"];
    // On size 3 a first stone on a corner wins.
    for text in ["a1", "swap", "c3", "a2", "b2", "a3"] {
        let mv = game.parse_move(text)?;
        println!("{:4} {text}", names[game.to_move().index()]);
        game.play(mv)?;
    }
    let winner = game.outcome().and_then(Outcome::winner).ok_or("nobody has won")?;
    let role = game.game().outcome().and_then(Outcome::winner).ok_or("nobody has won")?;
    println!("{} has won with the {} stones: {}", names[winner.index()], colour(role), game.game().kinds());

    assert_eq!((winner, role), (Player::Second, Player::First));
    assert_eq!(
        game.play(PieMove::Swap).unwrap_err().to_string(),
        "roles can be exchanged only right after the first move"
    );
    Ok(())
}
