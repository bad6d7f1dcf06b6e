//! A round robin of players by name, resumable, with a table and ratings. Cachex on 4 × 4, 200 nodes a move.
//!
//! ```text
//!    player     Elo    ±  games   score  faults    1    2    3
//! 1  cachex    +202  199     16  75.0 %       0    ·  4/8  8/8
//! 2  distance  +202  199     16  75.0 %       0  4/8    ·  8/8
//! 3  seed      -405  326     16   0.0 %       0  0/8  0/8    ·
//! ```

use std::sync::atomic::AtomicBool;

use stonework::arena::{AgentContestant, Contestant, CrossTable, Event, Games, Openings, Terms};
use stonework::cachex::Position;
use stonework::cachex_players::roster;
use stonework::roster::PlayerConfig;
use stonework::search::Limits;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let names = ["cachex", "distance", "seed"];
    let make = |number: usize| -> Box<dyn Contestant<Position>> {
        Box::new(AgentContestant::new(move |seed| {
            let config = PlayerConfig { limits: Limits::none().nodes(200), seed, ..PlayerConfig::default() };
            roster().agent(names[number], &config).map_err(|error| error.to_string())
        }))
    };
    let start = Position::new(4)?;
    let openings = Openings::Random { plies: 2 }.list(&start, 4, 1);
    let event = Event { start, players: names.len(), terms: Terms::default(), openings, seed: 1 };
    let mut games = Games::default();
    // Games that are known already would be left out here, and all added to a `Log`.
    event.run(&make, &|_| false, 2, &AtomicBool::new(false), &mut |game| games.add(game))?;
    println!("{}", CrossTable::new(names.map(str::to_owned).into(), games.iter()).text());
    Ok(())
}
