//! `replay`: plays recorded games by the rules and prints their results.

mod others;
mod report;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use stonework_board::Notation;
use stonework_havannah::Position;
use stonework_oracle::{ListedGame, RecordFile, RecordOptions, ReplayCounts, ReplayedGame};
use stonework_record::Tree;
use stonework_session::{Described, HavannahStatistics, Registry};

use self::report::Report;
use crate::failure::{Failure, one_line, plain, say};
use crate::help;
use crate::out::Out;
use crate::progress::Progress;
use crate::start::{GameArgs, HAVANNAH, SwapArgs, any_size, size};

/// Replay records of games: the final board, the winner, the kind of win, and its cells
#[derive(Args)]
#[command(long_about = help::REPLAY_ABOUT, after_long_help = help::REPLAY)]
pub(crate) struct Replay {
    #[command(flatten)]
    game: GameArgs,
    /// SGF or HGF files, or lists of games (*.jsonl); `-` reads standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The size of the board, in place of the record's
    #[arg(long, value_name = "N", value_parser = any_size, allow_negative_numbers = true)]
    size: Option<u64>,
    /// The notation of the records, in place of their own; results are in this notation, else in hgui
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
    #[command(flatten)]
    swap: SwapArgs<true>,
    /// Print statistics of all games by size, in place of the games
    #[arg(long)]
    statistics: bool,
}

/// The state of a run.
struct Run<'a> {
    out: &'a mut Out,
    notation: Notation,
    /// `true` if there is only one game. The output shows a single game in full.
    alone: bool,
    bad: u64,
    disagree: bool,
    statistics: Option<HavannahStatistics>,
}

impl Replay {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        if self.game.game == HAVANNAH {
            self.havannah(out)
        } else {
            self.others(self.game.of(registry)?, out)
        }
    }

    fn havannah(&self, out: &mut Out) -> Result<(), Failure> {
        let checked = self.size.map(|number| size(&number.to_string())).transpose();
        let size = checked.map_err(|what| Failure::input(format!("--size: {what}")))?;
        let how = RecordOptions { size, notation: self.notation, swap: self.swap.of(&Position::DESCRIPTION) };
        let notation = self.notation.unwrap_or_default();
        let (alone, statistics) = (self.files.len() == 1, self.statistics.then(HavannahStatistics::default));
        let mut run = Run { out, notation, alone, bad: 0, disagree: false, statistics };
        for file in &self.files {
            match RecordFile::open(file) {
                Ok(source) => run.source(source, how)?,
                Err(error) => run.refuse(&error.to_string())?,
            }
        }
        for report in run.statistics.iter().flat_map(HavannahStatistics::reports) {
            if run.out.wants_json() { run.out.object(&report)? } else { write!(run.out, "{report}")? }
        }
        match run {
            Run { bad: 1.., .. } => Err(Failure::Reported),
            Run { disagree: true, .. } => Err(Failure::Disagrees),
            _ => Ok(()),
        }
    }
}

/// Says on standard error, after all output so far, how many variations of a file are not replayed.
fn tell_variations(source: &RecordFile, out: &mut Out) -> Result<(), Failure> {
    let RecordFile::Trees { label, trees } = source else { return Ok(()) };
    let count: usize = trees.iter().map(Tree::variations).sum();
    if count > 0 {
        out.flush()?;
        say(format_args!(
            "{}: variations that are left out: {count}; the main line is replayed",
            one_line(label)
        ));
    }
    Ok(())
}

/// Reports a bad file or game on standard error, after all output so far.
fn complain(out: &mut Out, what: &str) -> Result<(), Failure> {
    out.flush()?;
    say(format_args!("error: {}", one_line(what)));
    Ok(())
}

impl Run<'_> {
    /// Reports a bad file or game. The run goes on with the next file or game.
    fn refuse(&mut self, what: &str) -> Result<(), Failure> {
        self.bad += 1;
        complain(self.out, what)
    }

    fn source(&mut self, source: RecordFile, how: RecordOptions) -> Result<(), Failure> {
        tell_variations(&source, self.out)?;
        let list = matches!(source, RecordFile::Lines { .. });
        self.alone &= !source.has_several();
        let mut summary = ReplayCounts::default();
        let mut progress = (!Out::is_terminal()).then(|| Progress::new("games", None));
        for (i, recorded) in source.games(how).enumerate() {
            let replayed = recorded.and_then(|game| {
                let replayed = game.replay(None)?;
                Ok((game, replayed))
            });
            match replayed {
                Ok((game, replayed)) => self.game(&game, &replayed, &mut summary)?,
                Err(error) => self.refuse(&error.to_string())?,
            }
            if let Some(progress) = &mut progress {
                progress.at(i as u64 + 1);
            }
        }
        drop(progress);
        if list && self.statistics.is_none() {
            self.disagree |= summary.differing > 0;
            if self.out.wants_json() {
                self.out.flush()?;
                say(summary);
            } else {
                write!(self.out, "{summary}")?;
            }
        }
        Ok(())
    }

    fn game(
        &mut self,
        game: &ListedGame,
        replayed: &ReplayedGame,
        summary: &mut ReplayCounts,
    ) -> Result<(), Failure> {
        if let Some(statistics) = &mut self.statistics {
            statistics.add(&replayed.position);
            return Ok(());
        }
        let report = Report::new(game, replayed, self.notation);
        let differs = game.disagreements(replayed);
        summary.count(game, replayed);
        if self.out.wants_json() {
            self.out.object(&report.with_differences(&differs))
        } else if self.alone {
            report.in_full(self.out, game, replayed, self.notation)
        } else {
            writeln!(self.out, "{}: {}", plain(&game.label), report.in_short())?;
            for what in &differs {
                writeln!(self.out, "  disagrees: {}", plain(what))?;
            }
            Ok(())
        }
    }
}
