//! Simulates workers that prove an opening of Havannah by jobs, with a clock that counts nodes.
//!
//! ```text
//! $ cargo run --release -p stonework-benches --bin farm_simulation -- size=4 moves=b2 alone
//! size=4 moves=b2 alone: 15584012 nodes, yes
//! $ cargo run --release -p stonework-benches --bin farm_simulation -- size=4 moves=b2 alone=15584012 workers=32 sharing=1000
//! ```
//!
//! Arguments, each `NAME=VALUE`: `size` and `moves` (separated by commas) of the root; `who` (`first` or `second`) of the
//! question; `workers`; `sharing` (`own`, `emptied`, `one`, or the least nodes of shared entries); `nodes`, `growth` and `lone` of jobs;
//! `loss` (8 for an eighth, 0 for none); `focus` and `eager` (`true`, `false`); `charge` in nodes a job; `glance`; `alone`, the nodes of
//! one search, which is searched without this argument, and `table`, the bytes of all tables together. Results are in
//! `docs/lab/farm.md`.

use std::collections::HashMap;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Instant;

use stonework_benches::farm_simulation::{Farm, Root, Sharing, alone, simulate};
use stonework_game::{Game, Player, Textual};
use stonework_havannah::Position;
use stonework_search::JobTreeOptions;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("farm_simulation: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The arguments by name.
struct Arguments(HashMap<String, String>);

impl Arguments {
    fn get<T: FromStr>(&self, name: &str, usual: T) -> Result<T, String> {
        let Some(text) = self.0.get(name) else { return Ok(usual) };
        text.parse().map_err(|_| format!("`{text}` is no value of `{name}`"))
    }
}

fn run() -> Result<(), String> {
    let pairs = std::env::args().skip(1).map(|argument| match argument.split_once('=') {
        Some((name, value)) => (name.to_owned(), value.to_owned()),
        None => (argument, String::new()),
    });
    let arguments = Arguments(pairs.collect());
    let (size, moves) = (arguments.get("size", 4)?, arguments.get("moves", String::new())?);
    let mut position = Position::new(size).map_err(|error| error.to_string())?;
    for text in moves.split(',').filter(|text| !text.is_empty()) {
        let mv = position.parse_move(text).map_err(|error| error.to_string())?;
        position.play(mv).map_err(|error| error.to_string())?;
    }
    let root = Root::try_from(&position).map_err(|error| error.to_string())?;
    let who = match arguments.get("who", "first".to_owned())?.as_str() {
        "first" => Player::First,
        "second" => Player::Second,
        other => return Err(format!("`{other}` is not first or second")),
    };
    let tables = arguments.get("table", 4_usize << 30)?;
    let name = format!("size={size} moves={moves}");
    let searched = arguments.0.get("alone").is_none_or(String::is_empty);
    let nodes = if searched {
        let begun = Instant::now();
        let (nodes, answer) = alone(&root, who, tables.min(1 << 30));
        println!("{name} alone={nodes} answer={answer:?} seconds={:.0}", begun.elapsed().as_secs_f64());
        nodes
    } else {
        arguments.get("alone", 1)?
    };
    if !arguments.0.contains_key("workers") {
        return Ok(());
    }
    simulated(&arguments, &name, &root, who, nodes, tables)
}

fn simulated(
    arguments: &Arguments,
    name: &str,
    root: &Root,
    who: Player,
    alone: u64,
    tables: usize,
) -> Result<(), String> {
    let workers: usize = arguments.get("workers", 1)?;
    let sharing: Sharing = arguments.get("sharing", Sharing::Own)?;
    let options = JobTreeOptions::new()
        .nodes(arguments.get("nodes", 20_000)?)
        .growth(arguments.get("growth", 0)?)
        .virtual_loss(arguments.get("loss", 8)?)
        .focus(arguments.get("focus", true)?)
        .lone(arguments.get("lone", 0)?)
        .eager(arguments.get("eager", true)?);
    let share = if sharing == Sharing::OneTable { tables } else { tables / workers.max(1) };
    let farm = Farm {
        workers,
        sharing,
        tree: options,
        charge: arguments.get("charge", 900)?,
        glance: arguments.get("glance", 0)?,
        table: share.min(1 << 30),
        most_nodes: alone * arguments.get("most", 12)?,
    };
    let begun = Instant::now();
    let outcome = simulate(root, who, &farm);
    let ratio = |part: u64| part as f64 / alone as f64;
    let speed_up = alone as f64 / outcome.time.max(1) as f64;
    let counts = outcome.counts;
    let calls = counts.reports + counts.offered;
    println!(
        "{name} workers={workers} sharing={sharing} nodes={} growth={} loss={} focus={} eager={} charge={} glance={} \
         answer={:?} speedup={speed_up:.2} efficiency={:.0}% total={:.3} idle={:.1}% jobs={} needless={} \
         shared={} positions={} bytes={} shown={} tree_us={:.0} seconds={:.0}",
        options.nodes,
        options.growth,
        options.virtual_loss,
        options.focus,
        options.eager,
        farm.charge,
        farm.glance,
        outcome.answer,
        100.0 * speed_up / workers as f64,
        ratio(outcome.nodes),
        100.0 * outcome.idle as f64 / (outcome.time.max(1) * workers as u64) as f64,
        counts.offered,
        outcome.cancelled,
        outcome.shared,
        outcome.most.0,
        outcome.most.1,
        counts.shown,
        outcome.tree_time.as_secs_f64() * 1e6 / calls.max(1) as f64,
        begun.elapsed().as_secs_f64(),
    );
    Ok(())
}
