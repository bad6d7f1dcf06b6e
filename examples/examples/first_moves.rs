//! Measures the first moves of Havannah: for each first move, up to symmetry, games of `champion` against itself. Each line of
//! the result is the size, the cell, the games and the wins of White; a draw is half a win. The file that the players use,
//! `crates/havannah-players/data/first-moves.txt`, was made of such lines.
//!
//! ```text
//! $ cargo run -q -p stonework-examples --example first_moves -- 3 4 100 1
//! 3 a1 4 3
//! 3 a2 4 2
//! 3 b2 4 0
//! 3 c3 4 0
//! ```
//!
//! The arguments are the size, the games of each first move, the simulations of each move, and the seed.

use std::io::Write as _;

use stonework_game::{Game, Outcome, Player, Textual, move_orbits};
use stonework_havannah::Position;
use stonework_havannah_players::roster;
use stonework_roster::PlayerConfig;
use stonework_search::{Limits, SearchContext};

/// The winner of a game of `champion` against itself after a first move; `None` for a draw. A proven position ends the game.
fn winner(
    root: &Position,
    simulations: u64,
    seed: u64,
) -> Result<Option<Player>, Box<dyn std::error::Error>> {
    let mut game = root.clone();
    let mut champion = roster(None).engine("champion", &PlayerConfig::default())?;
    let limits = Limits::none().simulations(simulations);
    for ply in 0.. {
        if let Some(outcome) = game.outcome() {
            return Ok(outcome.winner());
        }
        let report = champion.search(&game, &limits, SearchContext::seed(seed.wrapping_add(ply)));
        if let Some(outcome) = report.proven {
            return Ok(outcome.winner());
        }
        game.play(report.best.ok_or("no move")?)?;
    }
    Ok(Outcome::Draw.winner())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, otherwise: u64| arguments.get(at).map_or(Ok(otherwise), |text| text.parse());
    let (size, games) = (u8::try_from(number(0, 4)?)?, number(1, 2)?);
    let (simulations, seed) = (number(2, 200)?, number(3, 1)?);
    let empty = Position::new(size)?;
    for orbit in move_orbits(&empty) {
        let (mut root, text) = (empty.clone(), empty.move_text(orbit.mv));
        root.play(orbit.mv)?;
        let mut points = 0.0;
        for game in 0..games {
            points += match winner(&root, simulations, seed.wrapping_add(game << 32))? {
                Some(Player::First) => 1.0,
                Some(Player::Second) => 0.0,
                None => 0.5,
            };
        }
        println!("{size} {text} {games} {points}");
        std::io::stdout().flush()?;
    }
    Ok(())
}
