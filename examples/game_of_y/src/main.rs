//! The tools that a game gets by implementing the traits. `cargo run` checks the rules, searches and plays a match;
//! `cargo run -- gtp` is an engine with the Go Text Protocol.
//!
//! ```text
//! the laws hold; rules and judge agree on 2803 positions
//! perft 5 on size 3: 720 games; the first player wins 360, the second 0
//! alphabeta on size 4: Some(Win(First)), 4382 nodes
//! mcts      on size 4: Some(Win(First)), 51389 nodes
//! dfpn      on size 4: Some(Win(First)), 20895 nodes
//! mcts against alphabeta: 20 of 20 points
//! ```

use std::sync::atomic::AtomicBool;
use std::{env, io};

use game_of_y::Y;
use stonework::arena::{AgentContestant, Contestant, Event, Openings, Score, Terms};
use stonework::board::Cell;
use stonework::game::{Outcome, Player, laws, perft};
use stonework::gtp::{Host, Named, Server};
use stonework::oracle::{Reference, check_against};
use stonework::roster::{Agent, EngineAgent};
use stonework::search::{AlphaBeta, Dfpn, Engine, Limits, Mcts, MctsOptions, RandomPlayout};

/// A slow judge, by the definition of Y: a player wins with connected stones that touch all three sides. From each stone the
/// judge grows the set of connected stones until no stone is added.
fn judge(start: &Y, moves: &[Cell]) -> Reference<Cell> {
    let player = |ply: usize| if ply.is_multiple_of(2) { Player::First } else { Player::Second };
    let has_won = |parity: usize| {
        let own: Vec<Cell> = moves.iter().copied().skip(parity).step_by(2).collect();
        own.iter().any(|&first| {
            let mut set = vec![first];
            while let Some(&more) = own
                .iter()
                .find(|c| !set.contains(c) && set.iter().any(|&s| start.board().distance(s, **c) == 1))
            {
                set.push(more);
            }
            set.iter().fold(0, |sides, &cell| sides | start.sides(cell)) == 0b111
        })
    };
    let outcome =
        [0, 1].into_iter().find(|&parity| has_won(parity)).map(|parity| Outcome::Win(player(parity)));
    let legal = start.cells().filter(|cell| outcome.is_none() && !moves.contains(cell)).collect();
    Reference { to_move: player(moves.len()), outcome, legal }
}

/// The player with this name.
fn agent(name: &str, seed: u64) -> Result<Box<dyn Agent<Y>>, String> {
    let limits = Limits::none().simulations(500);
    Ok(match name {
        "mcts" => {
            let engine = Mcts::new(RandomPlayout::new(200), MctsOptions::with_rave())
                .map_err(|error| error.to_string())?;
            Box::new(EngineAgent::new(engine, limits, seed))
        }
        "alphabeta" => Box::new(EngineAgent::new(AlphaBeta::default(), Limits::none().depth(3), seed)),
        _ => return Err(format!("no player `{name}`: mcts or alphabeta")),
    })
}

/// The host of the protocol's server: the game and its players.
struct YHost;

impl Host for YHost {
    type Game = Y;

    fn name(&self) -> &'static str {
        "Y"
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn start(&self, size: Option<u32>) -> Result<Y, String> {
        let size = u8::try_from(size.unwrap_or(6)).map_err(|error| error.to_string())?;
        Y::new(size).map_err(|error| error.to_string())
    }

    fn agents(&self) -> Vec<Named> {
        vec![("mcts".into(), "random games".into()), ("alphabeta".into(), "three plies".into())]
    }

    fn agent(&self, name: &str, seed: u64) -> Result<Box<dyn Agent<Y>>, String> {
        agent(name, seed)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if env::args().nth(1).as_deref() == Some("gtp") {
        return Ok(Server::new(YHost, "mcts", 1)?.serve(io::BufReader::new(io::stdin()), io::stdout())?);
    }
    let five = Y::new(5)?;
    laws::game(&five, 1, 50)?;
    laws::keyed(&five, 1, 50)?;
    laws::indexed(&five, 1, 50)?;
    laws::notation(&five, 1, 50)?;
    laws::finite(&Y::new(3)?, 1, 50)?;
    let positions = check_against(&five, |moves| judge(&five, moves), 200, 1)?;
    println!("the laws hold; rules and judge agree on {positions} positions");
    let count = perft(&Y::new(3)?, 5);
    println!(
        "perft 5 on size 3: {} games; the first player wins {}, the second {}",
        count.nodes, count.wins.first, count.wins.second
    );

    let mcts = Mcts::new(RandomPlayout::new(200), MctsOptions::default())?;
    let engines: [(&str, Box<dyn Engine<Y>>); 3] = [
        ("alphabeta", Box::new(AlphaBeta::default())),
        ("mcts", Box::new(mcts)),
        ("dfpn", Box::new(Dfpn::default())),
    ];
    for (name, mut engine) in engines {
        let report = engine.think(&Y::new(4)?, &Limits::none());
        println!("{name:<9} on size 4: {:?}, {} nodes", report.proven, report.nodes);
    }

    let openings = Openings::Random { plies: 1 }.list(&five, 10, 1);
    let event = Event { start: five, players: 2, terms: Terms::default(), openings, seed: 1 };
    let names = ["mcts", "alphabeta"];
    let make = |number: usize| -> Box<dyn Contestant<Y>> {
        Box::new(AgentContestant::new(move |seed| agent(names[number], seed)))
    };
    let mut score = Score::new(None);
    event.run(&make, &|_| false, 2, &AtomicBool::new(false), &mut |game| score.add(&game))?;
    println!("mcts against alphabeta: {} of {} points", score.tally().points(), score.tally().games());
    Ok(())
}
