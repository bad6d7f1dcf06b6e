//! The searches that the Cover thesis considered and left aside – proof numbers, and threats – beside alpha-beta, with the
//! tables of endings that it recommends for them and without: on positions that it prints as won and on some from random
//! games. How many are decided, with how many positions visited and how much of the processor's time.
//!
//! ```text
//! $ cargo run --release -p stonework-examples --example cover_proofs
//! printed as won, Cover-4:
//!   alphabeta  without     2 of 6,     317 positions for each,     12634 in all
//!   cover      without     3 of 6,     448 positions for each,     10346 in all
//!   dfpn       without     3 of 6,     839 positions for each,     11519 in all
//!   pns        without     3 of 6,     449 positions for each,     10347 in all
//!   threats    without     0 of 6,       0 positions for each,       563 in all
//!   alphabeta  with        5 of 6,       6 positions for each,      3033 in all
//!   cover      with        5 of 6,       6 positions for each,      3033 in all
//!   dfpn       with        5 of 6,       0 positions for each,      3000 in all
//!   pns        with        5 of 6,       0 positions for each,      3000 in all
//!   threats    with        5 of 6,       0 positions for each,        18 in all
//! Cover-2, one against one:
//!   alphabeta  without     8 of 12,     579 positions for each,     16638 in all
//!   cover      without     9 of 12,     683 positions for each,     15149 in all
//!   dfpn       without     8 of 12,     319 positions for each,     14559 in all
//!   pns        without     8 of 12,     231 positions for each,     13852 in all
//!   threats    without     2 of 12,       0 positions for each,       270 in all
//!   alphabeta  with       12 of 12,       6 positions for each,        82 in all
//!   cover      with       12 of 12,       6 positions for each,        82 in all
//!   dfpn       with       12 of 12,       0 positions for each,         0 in all
//!   pns        with       12 of 12,       0 positions for each,         0 in all
//!   threats    with       12 of 12,       0 positions for each,         0 in all
//! Cover-2, at most two against two:
//!   alphabeta  without     2 of 12,     294 positions for each,     30588 in all
//!   cover      without     2 of 12,     259 positions for each,     30518 in all
//!   dfpn       without     3 of 12,    1034 positions for each,     30104 in all
//!   pns        without     3 of 12,    1105 positions for each,     30317 in all
//!   threats    without     1 of 12,       0 positions for each,       199 in all
//!   alphabeta  with        2 of 12,     331 positions for each,     30663 in all
//!   cover      with        2 of 12,     307 positions for each,     30615 in all
//!   dfpn       with        3 of 12,    1005 positions for each,     30015 in all
//!   pns        with        3 of 12,     927 positions for each,     29783 in all
//!   threats    with        1 of 12,       0 positions for each,       199 in all
//! Cover-4, at most two against two:
//!   alphabeta  without     1 of 12,     839 positions for each,     33839 in all
//!   cover      without     1 of 12,    1069 positions for each,     34069 in all
//!   dfpn       without     1 of 12,     965 positions for each,     33965 in all
//!   pns        without     1 of 12,     593 positions for each,     33593 in all
//!   threats    without     1 of 12,      57 positions for each,       174 in all
//!   alphabeta  with        1 of 12,     911 positions for each,     33911 in all
//!   cover      with        1 of 12,    1063 positions for each,     34063 in all
//!   dfpn       with        1 of 12,    1018 positions for each,     34018 in all
//!   pns        with        1 of 12,     624 positions for each,     33624 in all
//!   threats    with        1 of 12,      57 positions for each,       174 in all
//! Cover-4, at most three against three:
//!   alphabeta  without     0 of 12,       0 positions for each,     36000 in all
//!   cover      without     0 of 12,       0 positions for each,     36000 in all
//!   dfpn       without     0 of 12,       0 positions for each,     36000 in all
//!   pns        without     0 of 12,       0 positions for each,     36000 in all
//!   threats    without     0 of 12,       0 positions for each,       414 in all
//!   alphabeta  with        0 of 12,       0 positions for each,     36000 in all
//!   cover      with        0 of 12,       0 positions for each,     36000 in all
//!   dfpn       with        0 of 12,       0 positions for each,     36000 in all
//!   pns        with        0 of 12,       0 positions for each,     36000 in all
//!   threats    with        0 of 12,       0 positions for each,       414 in all
//! ```
//!
//! Arguments: the positions of a search, and how many of a kind; 3000 12 without any. Times go to standard error. What is not decided is not
//! wrong: a draw is decided by nobody but alpha-beta, and only where tables tell it of all moves.

use std::error::Error;

use cpu_time::ThreadTime;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::RngCore, rand_core::SeedableRng};
use stonework_cover::{Options, Position};
use stonework_cover_players::{Endings, roster};
use stonework_game::{Game, Outcome, Player, Textual};
use stonework_roster::PlayerConfig;
use stonework_search::{Limits, SearchContext};

/// Alpha-beta that knows nothing, ours, which has the table of its own accord, and what the thesis left aside.
const ENGINES: [&str; 5] = ["alphabeta", "cover", "dfpn", "pns", "threats"];

/// The positions that are printed as won by blue.
const PRINTED: [&str; 6] = [
    "4 r four [I09]x[J08] -",
    "4 b four [H10]x[J09] -",
    "4 b four [H10]x[J10] -",
    "4 b four [H09]x[I10] -",
    "4 r four [C02]x[A04] C02-D03,B05-A04,D03-C02",
    "4 b four [B05,G07,H04]x[D03,F08,I02,D10] -",
];

/// A random game up to eleven plies after the sides first have so many stones or fewer, if it comes so far.
fn random(size: u8, stones: usize, rng: &mut impl RngCore) -> Option<Position> {
    let (mut game, mut later) = (Position::new(size).ok()?, rng.next_u64() % 12);
    for _ in 0..400 {
        let moves = game.moves();
        game.play(*moves.get(rng.next_u64() as usize % moves.len().max(1))?).ok()?;
        let few = Player::BOTH.iter().all(|&player| game.stone_count(player) <= stones);
        if few && later == 0 && game.outcome().is_none() {
            return Some(game);
        }
        later -= u64::from(few && later > 0);
    }
    None
}

/// The outcomes of the positions that an engine decides; prints the work that they take.
fn solve(
    name: &str,
    positions: &[Position],
    limits: &Limits,
    endings: Option<&Endings>,
) -> Result<Vec<Option<Outcome>>, Box<dyn Error>> {
    let config = PlayerConfig { limits: limits.clone(), ..PlayerConfig::default() };
    let mut engine = roster(endings.cloned()).engine(name, &config)?;
    if name == "cover" {
        engine.set_parameter("endings", f64::from(u8::from(endings.is_some())))?;
    }
    let begun = ThreadTime::now();
    let reports: Vec<_> =
        positions.iter().map(|p| engine.search(p, limits, SearchContext::seed(1))).collect();
    let seconds = begun.elapsed().as_secs_f64();
    let spent: u64 = reports.iter().map(|report| report.nodes).sum();
    let decided: Vec<u64> = reports.iter().filter(|r| r.proven.is_some()).map(|r| r.nodes).collect();
    let (number, of) = (decided.len(), positions.len());
    let mean = decided.iter().sum::<u64>() / number.max(1) as u64;
    let tables = if endings.is_some() { "with" } else { "without" };
    let row =
        format!("  {name:10} {tables:8} {number:4} of {of}, {mean:7} positions for each, {spent:9} in all");
    println!("{row}");
    // Times differ from run to run and stand apart.
    eprintln!("{row}, {seconds:7.2} s");
    Ok(reports.into_iter().map(|report| report.proven).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<usize>());
    let (nodes, count) = (args.next().unwrap_or(Ok(3000))? as u64, args.next().unwrap_or(Ok(12))?);
    let printed: Result<Vec<_>, _> = PRINTED.iter().map(|text| Position::parse_position(text)).collect();
    let generated = |size, stones| -> Vec<Position> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1995);
        std::iter::repeat_with(|| random(size, stones, &mut rng)).flatten().take(count).collect()
    };
    for (title, size, positions) in [
        ("printed as won, Cover-4", 4, printed?),
        ("Cover-2, one against one", 2, generated(2, 1)),
        ("Cover-2, at most two against two", 2, generated(2, 2)),
        ("Cover-4, at most two against two", 4, generated(4, 2)),
        ("Cover-4, at most three against three", 4, generated(4, 3)),
    ] {
        println!("{title}:");
        let table = Endings::shared(size, Options::default(), &mut || true).ok_or("no table")?;
        let mut proven = vec![None; positions.len()];
        let limits = Limits::none().nodes(nodes).bytes(64 << 20);
        for endings in [None, Some(&table)] {
            for name in ENGINES {
                for (known, proof) in proven.iter_mut().zip(solve(name, &positions, &limits, endings)?) {
                    assert!(proof.is_none() || *known.get_or_insert(proof) == proof, "{title}: {name}");
                }
            }
        }
    }
    Ok(())
}
