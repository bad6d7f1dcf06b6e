//! Reads a game record, plays it by the rules, says who has won, how and with which cells, and draws the
//! end.
//!
//! ```text
//! $ cargo run -p stonework-examples --example replay_a_game
//! Ann (white) and Bob (black), 23 moves
//! white has won: fork
//! the fork: a3 b1 b2 b3 c4 d5 e5 f5 g5 h6 i6
//!
//!               1   2   3   4   5
//!         a   @   .   O*  .   .   6
//!       b  (O)* O*  O*  .   @   .   7
//!     c   .   @   .   O*  .   @   .   8
//!   d   .   .   .   @   O*  @   .   .   9
//! e   .   .   .   .   O*  .   @   .   .
//!   f   .   .   .   O*  .   @   .   .
//!     g   .   .   O*  .   @   .   .
//!       h   .   .   O*  @   .   .
//!         i   .   O*  .   @   .
//! ```

use stonework_board::{Diagram, Stone};
use stonework_game::{Game, Player};
use stonework_havannah::{Move, Position, WinKind, colour};
use stonework_record::{Action, Record, Tree};

/// A fork; the stone that began is Black's since the swap.
const GAME: &[u8] = b"(;FF[4]GM[Havannah]SZ[5]PW[Ann]PB[Bob]\n;W[d4];B[swap];W[e5]C[the centre]\n\
    ;B[d6];W[d5];B[c6];W[f5];B[f7];W[c4];B[e7];W[g5];B[g7];W[b3]\n\
    (;B[b5];W[h6];B[h7];W[b2];B[i8];W[i6];B[c2];W[a3];B[a1];W[b1])(;B[a3]C[better]))\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let record = Record::read(&Tree::parse(GAME)?)?;
    let swap = record.moves.iter().any(|m| m.action == Action::Swap);
    let mut game = if swap { Position::with_swap(record.size)? } else { Position::new(record.size)? };
    let mut last = None;
    for mv in &record.moves {
        match mv.action {
            Action::Place(cell) => {
                game.play(Move::Place(cell))?;
                last = Some(cell);
            }
            Action::Swap => _ = game.play(Move::Swap)?,
            Action::Resign | Action::Pass => break,
        }
    }
    let white = record.white.as_deref().unwrap_or("?");
    let black = record.black.as_deref().unwrap_or("?");
    println!("{white} (white) and {black} (black), {} moves", record.moves.len());

    let mut diagram = Diagram::new(game.board())
        .stones(game.stones(Player::First), Stone::Light)
        .stones(game.stones(Player::Second), Stone::Dark);
    let winner = game.outcome().and_then(stonework_game::Outcome::winner).ok_or("nobody has won")?;
    println!("{} has won: {}", colour(winner), game.kinds());
    for kind in game.kinds().iter() {
        let chain = game.winning_chain(kind).ok_or("no chain")?;
        let names: Vec<_> = chain.iter().map(|c| game.board().name(c)).collect();
        println!("the {kind}: {}", names.join(" "));
        diagram = diagram.highlight(chain);
    }
    if let Some(cell) = last {
        diagram = diagram.last(cell);
    }
    println!("\n{}", diagram.text());

    assert_eq!((winner, game.kinds().iter().collect::<Vec<_>>()), (Player::First, vec![WinKind::Fork]));
    Ok(())
}
