//! `demo`: a tour of the commands on data in the program, which checks everything that it shows.

mod checks;
mod printed;

use std::fmt::Display;
use std::io::Write;
use std::time::Instant;

use clap::Args;
use serde_json::{Value, json};
use stonework_oracle::{Query, answer};

use crate::failure::Failure;
use crate::help;
use crate::out::Out;
use crate::picture;

/// Take a tour: printed games, a question to the oracle, counts, checks and speeds
#[derive(Args)]
#[command(long_about = help::DEMO_ABOUT)]
pub(crate) struct Demo {}

/// The tour in progress.
struct Tour<'a> {
    out: &'a mut Out,
    stop: u32,
    wrong: u32,
}

impl Demo {
    #[expect(clippy::unused_self, reason = "every command runs from its arguments; this one has none")]
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        let since = Instant::now();
        let mut tour = Tour { out, stop: 0, wrong: 0 };
        tour.text("A tour of stonework: everything below is computed now and compared with what is known.")?;
        printed::game(&mut tour)?;
        printed::draws(&mut tour)?;
        printed::positions(&mut tour)?;
        question(&mut tour)?;
        checks::counts(&mut tour)?;
        checks::judge(&mut tour)?;
        checks::random(&mut tour)?;
        let (wrong, seconds) = (tour.wrong, since.elapsed().as_secs_f64());
        tour.object(&json!({ "part": "end", "ok": wrong == 0, "wrong": wrong, "seconds": seconds }))?;
        if wrong > 0 {
            tour.text(format!("\n{wrong} of the results above are NOT what they should be."))?;
            tour.out.flush()?;
            return Err(Failure::Disagrees);
        }
        tour.text(format!("\nAll as it should be, in {seconds:.1} s. {}", help::NEXT))
    }
}

impl Tour<'_> {
    /// Begins a stop of the tour.
    fn heading(&mut self, text: &str) -> Result<(), Failure> {
        self.stop += 1;
        let stop = self.stop;
        self.text(format!("\n{stop}. {text}\n"))
    }

    /// Prints lines for people.
    fn text(&mut self, text: impl Display) -> Result<(), Failure> {
        if !self.out.wants_json() {
            writeln!(self.out, "{text}")?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// Prints a JSON line for programs.
    fn object(&mut self, object: &Value) -> Result<(), Failure> {
        if self.out.wants_json() {
            self.out.object(object)?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// The word for a checked fact. Counts a wrong fact.
    fn verdict(&mut self, good: bool, word: &'static str) -> String {
        self.wrong += u32::from(!good);
        if good { word.to_owned() } else { format!("NOT {word}") }
    }
}

/// A question for the oracle about a ring around an empty cell.
fn question(tour: &mut Tour<'_>) -> Result<(), Failure> {
    tour.heading("A question for the oracle: JSON in, JSON out, for programs in any language")?;
    let query = Query {
        id: 1.into(),
        size: None,
        position: Some("3 w - .b./bwwb/.w.w./bw.b/...".to_owned()),
        ..Query::new("havannah", 3, false, vec!["d4".to_owned()])
    };
    let line = serde_json::to_string(&query).unwrap_or_default();
    let reply = answer(&line);
    let value: Value = serde_json::from_str(&reply).unwrap_or_default();
    let good = value["outcome"] == "white" && value["how"] == json!(["ring"]);
    let verdict = tour.verdict(good, "as it should be: a ring around the empty c3");
    tour.text(format!("  $ echo '{line}' \\\n    | stonework oracle"))?;
    tour.text(picture::indented(&folded(&reply, 92), 2).trim_end())?;
    tour.text(format!("  {verdict}"))?;
    tour.object(&json!({ "part": "oracle", "question": query, "answer": value, "as_expected": good }))
}

/// A line of JSON, folded into several lines. Lines break only before names and strings.
fn folded(line: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for part in line.replace(",\"", ",\n\"").lines() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + part.chars().count() <= width => line.push_str(part),
            _ => lines.push(format!(" {part}")),
        }
    }
    lines.join("\n")
}
