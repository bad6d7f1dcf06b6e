//! Evolution as in 1995: the weights of a Cover player bred from random ones by playing each other, beside a
//! modern tuner, and matches to see what came of it.
//!
//! ```text
//! $ cargo run --release -p stonework-examples --example cover_evolution -- generations bos 200 300 1 evolution
//! $ cargo run --release -p stonework-examples --example cover_evolution -- spsa bos 200 300 1 evolution
//! $ cargo run --release -p stonework-examples --example cover_evolution -- match cover bos 2000 400 1 elo0=70,elo1=147
//! ```
//!
//! The first two take METHOD PLAYER ROUNDS NODES SEED FOLDER: they tune the player's weights on Cover-4 with so
//! many positions a move, keep every trial in `FOLDER/METHOD.jsonl`, from where the same command goes on after
//! it was stopped, draw `FOLDER/METHOD.svg`, and let the result play against each set of the first generation. The
//! last takes two players as `NAME` or `NAME:WEIGHT=VALUE,…`, NODES, PAIRS at most, a seed and perhaps a
//! sequential test that ends it; without any argument there is such a match, of eight quick games. `tune` in place of `spsa` begins with the player's own weights.

use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;
use stonework_arena::tune::{Generations, Parameter, Spsa, Trial, TrialLine, Tuner, plot, tune};
use stonework_arena::{
    AgentContestant, Contestant, Event, GameLine, Log, Openings, Score, Sprt, Terms, Verdict,
};
use stonework_cover::Position;
use stonework_players::cover::roster;
use stonework_players::roster::Seat;
use stonework_search::{Agent, Dial, Limits};

type Failure = Box<dyn Error + Send + Sync>;

/// Games are on Cover-4, from random moves, and a draw after so many plies: they need not end.
const OPENING: u32 = 2;
const PLIES: u32 = 200;
const THREADS: usize = 2;

/// A player by name with some of its dials turned.
#[derive(Clone)]
struct Spec {
    name: String,
    dials: Vec<(String, f64)>,
}

impl Spec {
    /// Reads `NAME` or `NAME:WEIGHT=VALUE,…`.
    fn parse(text: &str) -> Result<Self, Failure> {
        let (name, list) = text.split_once(':').unwrap_or((text, ""));
        let dial = |part: &str| -> Result<_, Failure> {
            let (dial, value) = part.split_once('=').ok_or_else(|| format!("`{part}` is no WEIGHT=VALUE"))?;
            Ok((dial.to_owned(), value.parse()?))
        };
        let dials =
            list.split(',').filter(|part| !part.is_empty()).map(dial).collect::<Result<_, Failure>>()?;
        Ok(Self { name: name.to_owned(), dials })
    }

    fn agent(&self, nodes: u64, seed: u64) -> Result<Box<dyn Agent<Position>>, String> {
        let limits = Limits::none().nodes(nodes).bytes(4 << 20);
        let seat = Seat { limits, seed, ..Seat::default() };
        let mut agent = roster::agent(&self.name, &seat).map_err(|error| error.to_string())?;
        for (dial, value) in &self.dials {
            agent.turn(dial, *value).map_err(|error| error.to_string())?;
        }
        Ok(agent)
    }

    fn contestant(&self, nodes: u64) -> Box<dyn Contestant<Position>> {
        let own = self.clone();
        Box::new(AgentContestant::new(move |seed| own.agent(nodes, seed)))
    }
}

/// The pairs of games between two players.
fn event(pairs: usize, seed: u64) -> Result<Event<Position>, Failure> {
    let start = Position::new(4)?;
    let openings = Openings::Random { plies: OPENING }.list(&start, pairs, seed);
    let terms = Terms { max_plies: Some(PLIES), ..Terms::default() };
    Ok(Event { start, players: 2, terms, openings, seed })
}

/// Plays so many pairs of games between two players, or until a test has its verdict.
fn play(
    players: [&Spec; 2],
    nodes: u64,
    pairs: usize,
    seed: u64,
    threads: usize,
    test: Option<Sprt>,
) -> Result<Score, Failure> {
    let (event, stop, mut score) = (event(pairs, seed)?, AtomicBool::new(false), Score::new(test));
    let make = |player: usize| players[player].contestant(nodes);
    let mut add = |line: GameLine| {
        score.add(&line);
        stop.store(score.verdict() != Verdict::Open, Ordering::Relaxed);
    };
    event.run(&make, &|_| false, threads, &stop, &mut add)?;
    Ok(score)
}

/// What is tuned: all weights of the player. From its own, between 0 and four times as much; or from random
/// ones of either sign, up to twice as much, so that the tuner has to find out what is good at all.
fn space(player: &Spec, own: bool, seed: u64) -> Result<Vec<Parameter>, Failure> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let agent = player.agent(1, 1)?;
    let known = agent.dials();
    let weights =
        known.iter().skip_while(|dial| dial.name != "winning").take_while(|dial| dial.name != "aspiration");
    let parameter = |dial: &Dial| {
        let (name, whole, value) = (dial.name.to_owned(), dial.whole, dial.value.abs());
        let most = if own { 4.0 * value } else { 2.0 * value }.max(4.0).min(dial.most);
        let least = if own { 0.0 } else { -most };
        let share = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let start = if own { dial.value } else { least + share * (most - least) };
        Parameter { name, start, least, most, whole }
    };
    Ok(weights.map(parameter).collect())
}

/// The player with other values.
fn with(player: &Spec, space: &[Parameter], values: &[f64]) -> Spec {
    let mut own = player.clone();
    own.dials.extend(space.iter().zip(values).map(|(p, &value)| (p.name.clone(), p.fit(value))));
    own
}

fn evolve(
    method: &str,
    player: &str,
    rounds: usize,
    nodes: u64,
    seed: u64,
    folder: &Path,
) -> Result<(), Failure> {
    let player = Spec::parse(player)?;
    let space = space(&player, method == "tune", seed)?;
    let first = Generations::new(space.clone(), 10, rounds, seed).pool().to_vec();
    let mut tuner: Box<dyn Tuner> = match method {
        "spsa" | "tune" => Box::new(Spsa::new(space.clone(), rounds, 8, seed)),
        _ => Box::new(Generations::new(space.clone(), 10, rounds, seed)),
    };
    std::fs::create_dir_all(folder)?;
    let mut header = json!({
        "player": player.name, "method": method, "nodes": nodes, "seed": seed, "parameters": space,
    });
    if method != "generations" {
        // Its steps depend on how many there will be.
        header["rounds"] = json!(rounds);
    }
    let (mut log, done) = Log::open::<TrialLine>(&folder.join(format!("{method}.jsonl")), &header)?;
    println!("{} trials are there already", done.len());
    let score = |trial: &Trial| {
        let sides = [&trial.a, &trial.b].map(|values| with(&player, &space, values));
        let pair = play([&sides[0], &sides[1]], nodes, 1, trial.seed, 1, None).ok()?;
        (pair.tally().games() == 2).then(|| pair.tally().score())
    };
    let mut last = usize::MAX;
    let watch = &mut |line: &TrialLine| {
        if line.round != last {
            last = line.round;
            println!("round {}", last + 1);
        }
    };
    tune(&mut *tuner, &score, Some(&mut log), done, THREADS, &AtomicBool::new(false), watch)?;
    let best = tuner.best();
    std::fs::write(
        folder.join(format!("{method}.svg")),
        plot(&format!("{method}: {}", player.name), &tuner.trace()),
    )?;
    let named: Vec<String> =
        space.iter().zip(&best).map(|(p, value)| format!("{}={value}", p.name)).collect();
    println!("best: {}:{}", player.name, named.join(","));
    let champion = with(&player, &space, &best);
    let (mut points, mut all) = (0.0, 0_u64);
    for (number, set) in first.iter().enumerate() {
        let rival = with(&player, &space, set);
        let tally = play([&champion, &rival], nodes, 20, seed + 1 + number as u64, THREADS, None)?.tally();
        println!(
            "against set {} of the first generation: {} of {}",
            number + 1,
            tally.points(),
            tally.games()
        );
        points += tally.points();
        all += tally.games();
    }
    println!("against the first generation: {points} of {all}, {:.1} %", 100.0 * points / all as f64);
    Ok(())
}

fn duel(a: &str, b: &str, nodes: u64, pairs: usize, seed: u64, test: Option<&str>) -> Result<(), Failure> {
    let test = test.map(str::parse::<Sprt>).transpose()?;
    let players = [Spec::parse(a)?, Spec::parse(b)?];
    let score = play([&players[0], &players[1]], nodes, pairs, seed, THREADS, test)?;
    let (tally, pairs) = (score.tally(), score.pairs());
    println!(
        "{a} – {b}: {} won, {} drawn, {} lost: {:.1} %; pairs {:?}",
        tally.wins,
        tally.draws,
        tally.losses,
        100.0 * tally.score(),
        pairs.0,
    );
    if let Some(elo) = score.elo() {
        println!("Elo {elo}");
    }
    if let Some(test) = test {
        println!("{test}: {:?} ({:.2})", score.verdict(), test.ratio(&pairs));
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        // A taste, for who only wants to see it run.
        [] => duel("cover", "bos", 50, 4, 1, None),
        ["match", a, b, nodes, pairs, seed, ref test @ ..] if test.len() < 2 => {
            duel(a, b, nodes.parse()?, pairs.parse()?, seed.parse()?, test.first().copied())
        }
        [method @ ("generations" | "spsa" | "tune"), player, rounds, nodes, seed, folder] => {
            evolve(method, player, rounds.parse()?, nodes.parse()?, seed.parse()?, Path::new(folder))
        }
        _ => {
            Err("generations|spsa|tune PLAYER ROUNDS NODES SEED FOLDER, or match A B NODES PAIRS SEED [SPRT]"
                .into())
        }
    }
}
