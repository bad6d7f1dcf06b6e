//! `match`: two players, one against the other.

use std::io::Write;

use clap::Args;
use serde_json::{Value, json};
use stonework_arena::{CrossTable, Score, Sprt, SprtVerdict, Tally};
use stonework_session::Registry;

use crate::arena::{Arena, BoutArgs, Fixture, KeepArgs, even};
use crate::failure::Failure;
use crate::help;
use crate::out::Out;

/// Let two players play each other, and measure the difference of their strength
#[derive(Args)]
#[command(long_about = help::MATCH_ABOUT, after_long_help = help::MATCH)]
pub(crate) struct Match {
    /// A player: NAME, NAME:OPTION=VALUE,… or gtp:COMMAND
    #[arg(value_name = "A")]
    a: String,
    /// The second player, in the same forms
    #[arg(value_name = "B")]
    b: String,
    /// Games to play, an even number
    #[arg(long, value_name = "N", default_value = "20", value_parser = even)]
    games: usize,
    /// Stop when a sequential test decides between two Elo differences, such as
    /// elo0=0,elo1=50,alpha=0.05,beta=0.05
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    #[command(flatten)]
    bout: BoutArgs,
    #[command(flatten)]
    keep: KeepArgs,
}

impl Match {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let players = [self.a.clone(), self.b.clone()];
        let test = self.sprt.map_or(Value::Null, |test| json!(test.to_string()));
        let extra = [("sprt", test)];
        let fixture = Fixture { what: "match", players: &players, games: self.games, extra: &extra };
        let mut arena = Arena::new(&fixture, &self.bout, &self.keep, registry, out.disk())?;
        let mut score = Score::new(self.sprt);
        arena.run(out, &mut |line| {
            score.add(line);
            score.verdict() != SprtVerdict::Open
        })?;
        let names = arena.names();
        let faults = faults(&arena, score.tally().games());
        let complete = arena.is_complete() || score.verdict() != SprtVerdict::Open;
        if out.wants_json() {
            return out.object(&summary(arena.sides(), &names, &score, faults, complete));
        }
        tell(out, arena.sides(), &names, &score, faults, complete)
    }
}

/// How many of the games that count each player has lost by a fault.
fn faults(arena: &Arena, games: u64) -> [u64; 2] {
    let counted = arena.games.iter().filter(|line| (line.game as u64) < games);
    let table = CrossTable::new(arena.names(), counted);
    [table.faults(0), table.faults(1)]
}

fn counts(tally: Tally) -> Value {
    json!({"games": tally.games(), "wins": tally.wins, "draws": tally.draws, "losses": tally.losses})
}

fn summary(sides: [&str; 2], names: &[String], score: &Score, faults: [u64; 2], complete: bool) -> Value {
    let [first, second] = score.colours();
    let mut summary = counts(score.tally());
    let elo = score.elo();
    // What is infinite becomes null.
    summary["players"] = json!(names);
    summary["score"] = json!(score.tally().score());
    for (side, tally) in sides.into_iter().zip([first, second]) {
        summary[format!("as_{side}")] = counts(tally);
    }
    summary["pairs"] = json!(score.pairs().0);
    summary["elo"] = json!(elo.map(|elo| elo.difference));
    summary["error"] = json!(elo.and_then(|elo| elo.error()));
    summary["interval"] = json!(elo.map(|elo| [elo.least, elo.most]));
    summary["los"] = json!(elo.map(|elo| elo.los));
    summary["faults"] = json!(faults);
    summary["complete"] = json!(complete);
    summary["sprt"] = json!(score.test().map(|test| {
        let (lower, upper) = test.bounds();
        json!({
            "test": test.to_string(), "llr": test.ratio(&score.pairs()), "lower": lower, "upper": upper,
            "verdict": score.verdict(),
        })
    }));
    summary
}

fn tell(
    out: &mut Out,
    sides: [&str; 2],
    names: &[String],
    score: &Score,
    faults: [u64; 2],
    complete: bool,
) -> Result<(), Failure> {
    let [first, second] = score.colours();
    let line = |tally: Tally| format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses);
    let tally = score.tally();
    writeln!(
        out,
        "\n{} against {}: {} of {} points, {} ({} as {}, {} as {})",
        names[0],
        names[1],
        tally.points(),
        tally.games(),
        line(tally),
        line(first),
        sides[0],
        line(second),
        sides[1]
    )?;
    if let Some(elo) = score.elo() {
        let pairs = score.pairs().0;
        writeln!(
            out,
            "  Elo {elo} (95 %), stronger with probability {:.1} %; pairs by points 0 to 2: {pairs:?}",
            100.0 * elo.los
        )?;
    }
    if faults != [0, 0] {
        writeln!(out, "  games lost by a fault: {} and {}", faults[0], faults[1])?;
    }
    if let Some(test) = score.test() {
        let (lower, upper) = test.bounds();
        let verdict = match score.verdict() {
            SprtVerdict::Open => "no decision yet",
            SprtVerdict::Lower => "elo0 rather than elo1",
            SprtVerdict::Upper => "elo1 rather than elo0",
        };
        let ratio = test.ratio(&score.pairs());
        writeln!(out, "  SPRT {test}: {ratio:.2} between {lower:.2} and {upper:.2}: {verdict}")?;
    }
    if !complete {
        writeln!(out, "  stopped before the end; with --out, the same command goes on")?;
    }
    Ok(())
}
