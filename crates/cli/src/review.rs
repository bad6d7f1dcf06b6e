//! `review`: every move of a game judged, and the judgements written into its record.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use stonework_files::read_text;
use stonework_record::Tree;
use stonework_session::{Registry, ReviewOptions, ReviewedMove, Session, annotate};

use crate::engines::Budget;
use crate::failure::Failure;
use crate::help;
use crate::out::Out;
use crate::start::GameArgs;

/// The most bytes of a record.
const MOST_BYTES: u64 = 16 << 20;

/// Judge every move of a game: mistakes by proof or by value, with the better line
#[derive(Args)]
#[command(long_about = help::REVIEW_ABOUT, after_long_help = help::REVIEW)]
pub(crate) struct Review {
    #[command(flatten)]
    game: GameArgs,
    /// The SGF record; the main line is judged
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The player whose values judge: champion, mcts, uct, rave or hybrid, perhaps with options
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Positions that the solver may visit to prove one position; 0 asks no solver
    #[arg(long, value_name = "N", default_value_t = ReviewOptions::default().proof_nodes)]
    proof_nodes: u64,
    /// Candidates for each move at most
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    lines: u32,
    /// Write the record with the judgements to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    budget: Budget,
}

impl Review {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let game = self.game.of(registry)?;
        let named = |what: &dyn std::fmt::Display| Failure::input(format!("{}: {what}", self.file.display()));
        let text = read_text(&**out.disk(), &self.file, MOST_BYTES).map_err(|error| named(&error))?;
        let mut tree = Tree::parse_str(&text).map_err(|error| named(&error))?;
        let session =
            Session::from_record(registry.clone(), game.name(), &text).map_err(|fault| named(&fault))?;
        let usual = ReviewOptions::default();
        let mut search = self.budget.search();
        if !self.budget.is_limited() {
            search.simulations = usual.search.simulations;
        }
        let search =
            stonework_session::Search { engine: self.engine.clone(), lines: Some(self.lines), ..search };
        let options = ReviewOptions { search, proof_nodes: self.proof_nodes };
        let mut told = Ok(());
        let moves = session
            .review(&options, &mut |judged| {
                if told.is_ok() {
                    told = tell(judged, out);
                }
            })
            .map_err(Failure::input)?;
        told?;
        if let Some(path) = &self.output {
            annotate(&mut tree, game, &moves).map_err(|fault| named(&fault))?;
            out.replace(&"-o ", path, &tree.to_bytes())?;
        }
        Ok(())
    }
}

fn tell(judged: &ReviewedMove, out: &mut Out) -> Result<(), Failure> {
    if out.wants_json() {
        out.object(judged)?;
    } else {
        writeln!(out, "{}. {} {}: {}", judged.number, judged.side, judged.mv, judged.comment())?;
    }
    out.flush()
}
