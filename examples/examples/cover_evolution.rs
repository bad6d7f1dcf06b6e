//! Evolution as in 1995: the weights of a Cover player bred from random ones by playing each other, or found by a
//! modern tuner; then the result plays 40 games against each set of the first generation.
//!
//! ```text
//! best: bos:winning=4876,stone=273,threat=-4,horizontal=22,vertical=-19,line=-10,distance=-20,soon=1
//! against the first generation: 222.5 of 400, 55.6 %
//! ```
//!
//! That is `generations bos 2 20 1`: METHOD PLAYER ROUNDS NODES SEED, with so many positions a move on Cover-4. With a
//! FOLDER after them, as in `spsa bos 200 200 1 evolution`, every trial is kept in `FOLDER/METHOD.jsonl`, from where the
//! same command goes on after it was stopped, and `FOLDER/METHOD.svg` shows how it went. What came of it is in
//! `docs/lab/cover.md`; `stonework tune` begins with a player's own weights, `stonework match` plays any two.

use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;
use stonework_arena::tune::{Dimension, Generations, Spsa, Tuner, plot, score_by_games, tune};
use stonework_arena::{AgentContestant, Contestant, Event, Log, LogError, Openings, Score, Terms};
use stonework_cover::Position;
use stonework_cover_players::roster;
use stonework_roster::PlayerConfig;
use stonework_search::{Limits, Parameter};

/// All weights of a player, from random ones of either sign, up to twice as much as its own, so that a tuner has to
/// find out what is good at all.
fn space(player: &str, seed: u64) -> Result<Vec<Dimension>, Box<dyn Error>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let parameters = roster(None).agent(player, &PlayerConfig::default())?.parameters().into_iter();
    let weights = parameters
        .skip_while(|parameter| parameter.name != "winning")
        .take_while(|parameter| parameter.name != "aspiration");
    let parameter = |parameter: Parameter| {
        let most = (2.0 * parameter.value.abs()).max(4.0).min(parameter.most);
        let share = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let start = share * 2.0 * most - most;
        Dimension { name: parameter.name.to_owned(), start, least: -most, most, whole: parameter.whole }
    };
    Ok(weights.map(parameter).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let arg = |at: usize, usual| args.get(at).map_or(usual, String::as_str);
    let (method, player, folder) = (arg(0, "generations"), arg(1, "bos"), args.get(5).map(Path::new));
    let (rounds, nodes, seed) = (arg(2, "2").parse()?, arg(3, "20").parse()?, arg(4, "1").parse()?);
    let space = space(player, seed)?;
    let pool = Generations::new(space.clone(), 10, rounds, seed);
    let first = pool.pool().to_vec();
    let mut tuner: Box<dyn Tuner> = match method {
        "generations" => Box::new(pool),
        "spsa" => Box::new(Spsa::new(space.clone(), rounds, 8, seed)),
        _ => return Err(format!("no method `{method}`; there is generations, spsa").into()),
    };
    let open = |folder: &Path| -> Result<_, LogError> {
        std::fs::create_dir_all(folder)?;
        let games = json!({"player": player, "nodes": nodes, "seed": seed, "parameters": space});
        let header = json!({"method": method, "rounds": rounds, "games": games});
        Log::open(&folder.join(format!("{method}.jsonl")), &header)
    };
    let (mut log, done) = folder.map(open).transpose()?.unzip();

    // Cover need not end, so after some plies it is a draw.
    let (start, terms) = (Position::new(4)?, Terms { max_plies: Some(200), ..Terms::default() });
    let (openings, stop) = (Openings::Random { plies: 2 }, AtomicBool::new(false));
    let make = |values: &[f64]| -> Box<dyn Contestant<Position>> {
        let (player, limits) = (player.to_owned(), Limits::none().nodes(nodes).bytes(4 << 20));
        let weights: Vec<_> = space.iter().cloned().zip(values.to_vec()).collect();
        Box::new(AgentContestant::new(move |seed| {
            let config = PlayerConfig { limits: limits.clone(), seed, ..PlayerConfig::default() };
            let mut agent = roster(None).agent(&player, &config).map_err(|error| error.to_string())?;
            for (weight, value) in &weights {
                agent.set_parameter(&weight.name, weight.fit(*value)).map_err(|error| error.to_string())?;
            }
            Ok(agent)
        }))
    };
    let play = score_by_games(&start, terms, &openings, &make, &stop);
    tune(&mut *tuner, &play, log.as_mut(), done.unwrap_or_default(), 2, &stop, &mut |_| {})?;
    let best = tuner.best();
    if let Some(folder) = folder {
        let picture = plot(&format!("{method}: {player}"), &tuner.trace());
        std::fs::write(folder.join(format!("{method}.svg")), picture)?;
    }
    let weights: Vec<_> = space.iter().zip(&best).map(|(p, value)| format!("{}={value}", p.name)).collect();
    println!("best: {player}:{}", weights.join(","));

    let (mut points, mut games) = (0.0, 0);
    for (seed, rival) in (seed + 1..).zip(&first) {
        let openings = openings.list(&start, 20, seed);
        let event = Event { start: start.clone(), players: 2, terms, openings, seed };
        let mut score = Score::new(None);
        event.run(&|side| make([&best, rival][side]), &|_| false, 2, &stop, &mut |line| score.add(&line))?;
        (points, games) = (points + score.tally().points(), games + score.tally().games());
    }
    println!("against the first generation: {points} of {games}, {:.1} %", 100.0 * points / games as f64);
    Ok(())
}
