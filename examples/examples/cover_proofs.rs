//! The searches that the Cover thesis considered and left aside – proof numbers, and threats – beside alpha-beta, with the
//! tables of endings that it recommends for them and without: on positions that it prints as won, and on
//! positions from random games. How many are decided, with how many positions visited and how much of the processor's time.
//!
//! ```text
//! $ cargo run --release -p stonework-examples --example cover_proofs -- 20000 100
//! ```
//!
//! takes positions a search, and how many of a kind; 3000 and 12 without arguments. What is not decided is not
//! wrong: a draw is decided by nobody but alpha-beta, and only where tables tell it of all moves.

use std::error::Error;

use cpu_time::ThreadTime;
use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use stonework_cover::{Options, Position};
use stonework_game::{Game, Notation, Outcome, Player};
use stonework_players::cover::{Endings, roster};
use stonework_players::roster::Seat;
use stonework_search::Limits;

/// Alpha-beta that knows nothing, ours, and what the thesis left aside.
const ENGINES: [&str; 5] = ["alphabeta", "cover", "dfpn", "pns", "threats"];

/// What is printed as won by blue.
const PRINTED: [&str; 6] = [
    "4 r four [I09]x[J08] -",
    "4 b four [H10]x[J09] -",
    "4 b four [H10]x[J10] -",
    "4 b four [H09]x[I10] -",
    "4 r four [C02]x[A04] C02-D03,B05-A04,D03-C02",
    "4 b four [B05,G07,H04]x[D03,F08,I02,D10] -",
];

/// Positions from random games, up to eleven plies after the sides first have so many stones or fewer.
fn generated(size: u8, stones: usize, count: usize) -> Result<Vec<Position>, Box<dyn Error>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1995);
    let mut found = Vec::new();
    while found.len() < count {
        let (mut game, mut later) = (Position::new(size)?, rng.next_u64() % 12);
        for _ in 0..400 {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            let Some(&mv) = moves.get(rng.next_u64() as usize % moves.len().max(1)) else { break };
            game.play(mv)?;
            let few = Player::BOTH.iter().all(|&player| game.stone_count(player) <= stones);
            if few && later == 0 && game.outcome().is_none() {
                found.push(game);
                break;
            }
            later -= u64::from(few && later > 0);
        }
    }
    Ok(found)
}

/// What an engine decides of some positions, and what it takes for that.
fn solve(
    name: &str,
    positions: &[Position],
    nodes: u64,
    endings: Option<&Endings>,
) -> Result<Vec<Option<Outcome>>, Box<dyn Error>> {
    let limits = Limits::none().nodes(nodes).bytes(64 << 20);
    let mut engine =
        roster::engine(name, &Seat { limits: limits.clone(), endings: endings.cloned(), ..Seat::default() })?;
    if name == "cover" {
        // It has the table of its own accord.
        engine.turn("endings", if endings.is_some() { 1.0 } else { 0.0 })?;
    }
    let (mut spent, mut first, begun) = (0, 0, ThreadTime::now());
    let mut proofs = Vec::new();
    for position in positions {
        let report = engine.search(position, &limits, 1, &mut |_| {});
        spent += report.nodes;
        first += if report.proof.is_some() { report.nodes } else { 0 };
        proofs.push(report.proof);
    }
    let decided = proofs.iter().flatten().count();
    let seconds = begun.elapsed().as_secs_f64();
    let mean = if decided > 0 { first / decided as u64 } else { 0 };
    let tables = if endings.is_some() { "with" } else { "without" };
    let of = positions.len();
    println!(
        "  {name:10} {tables:8} {decided:4} of {of}, {mean:7} positions for each, {spent:9} in all, {seconds:7.2} s"
    );
    Ok(proofs)
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<u64> = std::env::args().skip(1).map(|arg| arg.parse()).collect::<Result<_, _>>()?;
    let (nodes, count) = (args.first().copied().unwrap_or(3000), args.get(1).map_or(12, |&n| n as usize));
    let printed: Result<Vec<_>, _> = PRINTED.iter().map(|text| Position::parse_position(text)).collect();
    let sets = [
        ("printed as won, Cover-4", 4, printed?),
        ("Cover-2, one against one", 2, generated(2, 1, count)?),
        ("Cover-2, at most two against two", 2, generated(2, 2, count)?),
        ("Cover-4, at most two against two", 4, generated(4, 2, count)?),
        ("Cover-4, at most three against three", 4, generated(4, 3, count)?),
    ];
    for (title, size, positions) in sets {
        println!("{title}:");
        let endings = Endings::shared(size, Options::default(), &mut || true).ok_or("no table")?;
        let mut all: Vec<Vec<Option<Outcome>>> = Vec::new();
        for endings in [None, Some(&endings)] {
            for name in ENGINES {
                all.push(solve(name, &positions, nodes, endings)?);
            }
        }
        // No two of them ever prove different things.
        for at in 0..positions.len() {
            let proven: Vec<Outcome> = all.iter().filter_map(|proofs| proofs[at]).collect();
            let same = proven.windows(2).all(|two| two[0] == two[1]);
            assert!(same, "{}: {proven:?}", positions[at].position_text());
        }
    }
    Ok(())
}
