//! Solves an end game of Cover backwards, stores the table and probes the file: one stone against one on Cover-2.
//!
//! ```text
//! 73367 states, 5426 bytes
//! 2 b four [A02]x[E07] -: Some(Win(23))
//! A02-A03 E07-D06 A03-B04 D06-E05 B04-C03 E05-F04 C03-D04 F04-G04 D04-E04 G04-F05 E04-D05 F05-E06 D05-E04 E06-F06 E04-D04 F06-G05 D04-E05 G05-G04 E05-E06 G04-F03 E06-F07 F03-G04 F07-G07 Some(Win(First))
//! ```

use std::ops::ControlFlow;

use stonework::cover::{Options, Setup};
use stonework::cover_players::Space;
use stonework::endgame::{self, Stored, Value, solve, verify};
use stonework::game::{Game, Textual};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let space = Space::new(2, (1, 1), Options::default())?;
    let mut watch = |_| ControlFlow::Continue(());
    let table = solve(&space, &endgame::Options::default(), &mut watch)?.table;
    verify(&space, &table, &endgame::Options::default(), &mut watch)?;
    let mut file = Vec::new(); // or a std::fs::File
    table.write("cover", "2 one against one", &mut file)?;
    println!("{} states, {} bytes", table.len(), file.len());

    let stored = Stored::open(file)?;
    let mut game = Setup::from_board(2, "[A02]x[E07]")?.position()?;
    println!("{}: {:?}", game.position_text(), stored.probe(&space, &game)?);
    // The winner takes what wins soonest, the loser what loses last.
    while let Some(Value::Win(plies) | Value::Loss(plies)) = stored.probe(&space, &game)? {
        let moves = game.moves();
        let best = moves.into_iter().find(|&mv| {
            let undo = game.play_unchecked(mv);
            let value = stored.probe(&space, &game);
            let over = game.outcome().is_some();
            game.undo(undo);
            let next = match value {
                Ok(Some(Value::Win(next) | Value::Loss(next))) => Some(next),
                _ => over.then_some(0),
            };
            next.is_some_and(|next| next + 1 == plies)
        });
        let Some(best) = best else { break };
        print!("{} ", game.move_text(best));
        game.play(best)?;
    }
    println!("{:?}", game.outcome());
    Ok(())
}
