//! `tune`: good values for a player's numeric options.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};
use stonework_arena::farm::{TrialCheck, TrialPlan, Tuning};
use stonework_arena::tune::{
    Dimension, DimensionError, DimensionFault, Generations, Spsa, Trial, TrialLine, TuneError, Tuner, plot,
    score_by_games, tune,
};
use stonework_arena::{AgentContestant, Contestant, Log, Pace, check_ends};
use stonework_files::Disk;
use stonework_roster::PlayerSpec;
use stonework_session::Registry;

use crate::arena::{Bout, BoutArgs, open, refused, unheard};
use crate::arena_farm::{EventWords, GamesFarm, tell};
use crate::failure::{Failure, say};
use crate::help;
use crate::out::Out;
use crate::progress::Progress;

/// Tune the numeric options of a player by games against itself
#[derive(Args)]
#[command(long_about = help::TUNE_ABOUT, after_long_help = help::TUNE)]
pub(crate) struct Tune {
    /// The player: NAME or NAME:OPTION=VALUE,…
    #[arg(value_name = "PLAYER")]
    player: String,
    /// Options and ranges, NAME=LEAST..MOST,… such as rave=0..5000
    #[arg(long, value_name = "RANGES", required = true)]
    dials: String,
    /// `spsa`, simultaneous perturbation, or `generations`, a genetic algorithm
    #[arg(long, value_name = "METHOD", default_value = "spsa")]
    method: Method,
    /// The largest number of rounds
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rounds: u32,
    /// Trials a round (spsa)
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u16).range(1..=1000))]
    batch: u16,
    /// Sets of values in the pool (generations)
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u16).range(2..=100))]
    pool: u16,
    /// Keep the results in this file; if it exists, go on from its end
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw the course of the tuning into this SVG file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    bout: BoutArgs,
    #[command(flatten)]
    farm: GamesFarm,
}

/// The method of tuning.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Method {
    Spsa,
    Generations,
}

/// Reads the options to tune, with their ranges.
fn space(player: &str, spec: &PlayerSpec, bout: &Bout, dials: &str) -> Result<Vec<Dimension>, Failure> {
    let agent = spec
        .agent(&bout.roster, &bout.config)
        .map_err(|why| Failure::input(format!("player `{player}`: {why}")))?;
    let space = Dimension::parse_list(dials, &agent.parameters()).map_err(|error| match error {
        DimensionError::Part { part, fault: DimensionFault::Unknown { known } } => {
            Failure::input(format!("--dials `{part}`: {player} has no such option; there is {known}"))
        }
        error @ DimensionError::Part { .. } => Failure::input(format!("--dials {error}")),
        error => Failure::input(format!("--dials: {error}")),
    })?;
    let endless = |dial: &&Dimension| PlayerSpec::LIMITS.contains(&&*dial.name) && dial.least <= 0.0;
    match space.iter().find(endless) {
        Some(Dimension { name, .. }) => {
            Err(Failure::input(format!("--dials `{dials}`: {name}=0 is no limit, and a move would not end")))
        }
        None => Ok(space),
    }
}

/// The player with the options to tune.
struct Dials<'a> {
    spec: &'a PlayerSpec,
    space: &'a [Dimension],
    bout: &'a Bout,
    /// The reason of the first refusal of each option, and `true` once it was told.
    refusals: Mutex<BTreeMap<String, (String, bool)>>,
}

impl Dials<'_> {
    /// The player with some values. An option may depend on another one: the player refuses the number of moves before a reduction
    /// of 0 plies. The options are tried again after the others. A value that is refused then is left out, since it has no
    /// effect there.
    fn player(&self, values: &[f64]) -> PlayerSpec {
        let mut spec = self.spec.clone();
        // The player was made by these words before.
        let Ok(mut agent) = spec.agent(&self.bout.roster, &self.bout.config) else { return spec };
        let mut left: Vec<(&str, f64)> =
            self.space.iter().map(|dial| dial.name.as_str()).zip(values.iter().copied()).collect();
        loop {
            let before = left.len();
            let mut refused = Vec::new();
            left.retain(|&(name, value)| match agent.set_parameter(name, value) {
                Ok(()) => {
                    spec.parameters.push((name.to_owned(), value));
                    false
                }
                Err(error) => {
                    refused.push((name.to_owned(), error.to_string()));
                    true
                }
            });
            if left.is_empty() || left.len() == before {
                let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
                for (name, reason) in refused {
                    refusals.entry(name).or_insert((reason, false));
                }
                return spec;
            }
        }
    }

    /// Refuses an option that the player takes neither at the start nor with all options at one end of their ranges.
    fn check(&self, dials: &str) -> Result<(), Failure> {
        let ends: [fn(&Dimension) -> f64; 3] = [|dial| dial.start, |dial| dial.least, |dial| dial.most];
        let players = ends.map(|end| self.player(&self.space.iter().map(end).collect::<Vec<_>>()));
        let given = self.spec.parameters.len();
        let is_set = |dial: &Dimension| {
            players.iter().any(|player| player.parameters[given..].iter().any(|(name, _)| *name == dial.name))
        };
        let Some(dial) = self.space.iter().find(|dial| !is_set(dial)) else { return Ok(()) };
        let refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        let reason = refusals.get(&dial.name).map_or("refused", |(reason, _)| reason);
        Err(Failure::input(format!("--dials `{dials}`: {reason}")))
    }

    /// Tells refusals that were not told yet.
    fn tell(&self) {
        let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, (reason, is_told)) in &mut *refusals {
            if !std::mem::replace(is_told, true) {
                say(format_args!("--dials: {reason}; a player with such values plays without {name}"));
            }
        }
    }
}

/// The values by name, as JSON.
fn named(space: &[Dimension], values: &[f64]) -> Value {
    space.iter().zip(values).map(|(p, &value)| (p.name.clone(), json!(value))).collect::<Map<_, _>>().into()
}

impl Tune {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let spec: PlayerSpec =
            self.player.parse().map_err(|error| Failure::input(format!("player {error}")))?;
        let picture = ("--plot", self.plot.as_deref());
        self.bout.check_picture(&**out.disk(), picture, self.out.as_deref())?;
        let mut bout = self.bout.bout("tune", spec.is_limited(), registry, &**out.disk())?;
        check_ends(&self.player, &spec, &bout.roster, &bout.config, &bout.terms).map_err(refused)?;
        let space = space(&self.player, &spec, &bout, &self.dials)?;
        Dials { spec: &spec, space: &space, bout: &bout, refusals: Mutex::default() }.check(&self.dials)?;
        let rounds = self.rounds as usize;
        let (mut tuner, each): (Box<dyn Tuner>, u64) = match self.method {
            Method::Spsa => {
                let batch = usize::from(self.batch);
                (Box::new(Spsa::new(space.clone(), rounds, batch, bout.seed)), batch as u64)
            }
            Method::Generations => {
                let pool = usize::from(self.pool);
                let each = pool * (pool - 1) / 2;
                (Box::new(Generations::new(space.clone(), pool, rounds, bout.seed)), each as u64)
            }
        };
        let method = self.method.to_possible_value().map(|method| method.get_name().to_owned());
        bout.header["player"] = json!(self.player);
        bout.header["method"] = json!(method);
        bout.header["parameters"] = json!(space);
        bout.header["rounds"] = json!(rounds);
        bout.header["trials"] = json!(each);
        if bout.header["book"].is_string() {
            // Logs of version 2 have games with the first line of the book alone.
            bout.header["log"] = json!(3);
        }
        let (mut log, done) = open(&**out.disk(), "--out", self.out.as_deref(), &bout.header)?;
        let mut count = done.len() as u64;
        let disk = Arc::clone(out.disk());
        let mut progress = Progress::new("trials", Some(each * u64::from(self.rounds)));
        let mut failed = Ok(());
        let stop: &AtomicBool = &bout.stop;
        let dials = Dials { spec: &spec, space: &space, bout: &bout, refusals: Mutex::default() };
        let watch = &mut |line: &TrialLine| {
            count += 1;
            progress.at(count);
            if failed.is_ok() {
                failed = progress.aside(|| {
                    dials.tell();
                    show(out, &space, line)
                });
            }
            if failed.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let player = |values: &[f64]| dials.player(values);
        let tuned = if self.farm.is_asked()? {
            let trials = each as usize * rounds;
            self.tune_on_farm(
                &bout,
                &player,
                (&mut *tuner, trials),
                (log.as_mut(), done),
                (registry, &disk),
                watch,
            )
        } else {
            let make = |values: &[f64]| {
                let agent = AgentContestant::of_roster(player(values), &bout.roster, &bout.config);
                Box::new(agent) as Box<dyn Contestant<_>>
            };
            let play = score_by_games(&bout.start, bout.terms, &bout.openings, &make, stop);
            let tuned = tune(&mut *tuner, &play, log.as_mut(), done, bout.threads, stop, watch);
            tuned.map_err(|e| Failure::input(format!("--out: {e}")))
        };
        if let Err(Failure::Output(error)) = &failed
            && error.kind() == ErrorKind::BrokenPipe
            && self.out.is_some()
        {
            let (done, all) = (count as usize, (each * u64::from(self.rounds)) as usize);
            return Err(Failure::input(unheard(done, all, "trials", self.out.as_deref())));
        }
        failed?;
        tuned?;
        drop(progress);
        self.finish(out, &space, &*tuner, count)
    }

    /// Plays the trials by the workers of a farm. A trial that the log has already comes from the journal once more, and is
    /// compared.
    fn tune_on_farm(
        &self,
        bout: &Bout,
        player: &dyn Fn(&[f64]) -> PlayerSpec,
        (tuner, trials): (&mut dyn Tuner, usize),
        (mut log, done): (Option<&mut Log>, Vec<TrialLine>),
        (registry, disk): (&Registry, &Arc<dyn Disk>),
        watch: &mut dyn FnMut(&TrialLine),
    ) -> Result<(), Failure> {
        let general = self.bout.words(bout, Vec::new())?;
        let words = |trial: &Trial| {
            let players = [&trial.a, &trial.b].map(|values| player(values).to_string()).into();
            json!(EventWords { players, seed: trial.seed, ..general.clone() })
        };
        GamesFarm::check_plies(general.plies)?;
        let timed = bout.terms.pace != Pace::Own;
        let players = [self.player.clone(), self.dials.clone()];
        self.farm.check(timed, &players, general.threads)?;
        let open = self.farm.open(registry, disk, bout.threads, &bout.stop)?;
        // The farm begins with the first trial, and compares each trial with the log.
        if let Some(what) = GamesFarm::unsteady(timed, &players, general.threads)
            && !done.is_empty()
            && !open.has_begun()?
        {
            return Err(Failure::input(format!(
                "--farm: the file of --out has trials that this farm has not played, and with {what} they need not come out the \
                 same: go on without --farm, or give another --out"
            )));
        }
        open.put(self.bout.learned())?;
        let speed = open.speed(&bout.terms, &bout.start)?;
        let mut done: BTreeMap<_, _> =
            done.into_iter().map(|line| ((line.round, line.trial), line)).collect();
        let mut failed = Ok(());
        let mut take = |line: &TrialLine| {
            if failed.is_err() {
                return;
            }
            match done.remove(&(line.round, line.trial)) {
                Some(there) if there == *line => {}
                Some(TrialLine { round, trial, .. }) => failed = Err(TuneError::Log { round, trial }),
                None => {
                    failed = log.as_mut().map_or(Ok(()), |log| log.add(line)).map_err(TuneError::from);
                    watch(line);
                }
            }
            if failed.is_err() {
                bout.stop.store(true, Ordering::Relaxed);
            }
        };
        let (name, start, openings) = (bout.header.clone(), &bout.start, &bout.openings);
        let tuning = Tuning { name, words: &words, start, openings, speed, trials };
        let plan = TrialPlan::new(tuning, tuner, &mut take);
        let check = TrialCheck { start: start.clone(), terms: bout.terms };
        let ended = plan.map_err(Failure::input).and_then(|mut plan| open.run(&mut plan, &check, &mut tell));
        failed.map_err(|error| Failure::input(format!("--out: {error}")))?;
        ended
    }

    fn finish(
        &self,
        out: &mut Out,
        space: &[Dimension],
        tuner: &dyn Tuner,
        trials: u64,
    ) -> Result<(), Failure> {
        let (best, complete) = (tuner.best(), tuner.trials().is_empty());
        if out.wants_json() {
            let start: Vec<f64> = space.iter().map(|p| p.start).collect();
            out.object(&json!({
                "best": named(space, &best), "start": named(space, &start), "trials": trials, "complete": complete,
            }))?;
        } else {
            writeln!(out, "\nafter {trials} trials:")?;
            for (parameter, value) in space.iter().zip(&best) {
                writeln!(out, "  {} = {value} (was {})", parameter.name, parameter.start)?;
            }
            if !complete {
                writeln!(out, "stopped before the end; with --out, the same command goes on")?;
            }
        }
        // The values are told even if their picture cannot be written.
        out.flush()?;
        let Some(file) = &self.plot else { return Ok(()) };
        let picture = plot(&format!("{} by {}", self.dials, self.player), &tuner.trace());
        out.replace(&"--plot ", file, picture.as_bytes())
    }
}

fn show(out: &mut Out, space: &[Dimension], line: &TrialLine) -> Result<(), Failure> {
    let (a, b) = (named(space, &line.a), named(space, &line.b));
    if out.wants_json() {
        let (round, trial) = (line.round + 1, line.trial + 1);
        out.object(&json!({"round": round, "trial": trial, "a": a, "b": b, "score": line.score}))?;
    } else {
        writeln!(out, "round {}, trial {}: {a} – {b}: {}", line.round + 1, line.trial + 1, line.score)?;
    }
    out.flush()
}
