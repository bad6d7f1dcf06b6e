//! `review`: every move of a game judged, and the judgements written into its record.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use clap::Args;
use stonework_board::Notation;
use stonework_game::Textual;
use stonework_oracle::{RecordFile, RecordOptions};
use stonework_record::{Encoding, Tree};
use stonework_roster::{PlayerSpec, Roster};
use stonework_session::{GameType, Registry, ReviewOptions, ReviewedMove, Session, Start, annotate};

use crate::engines::{Budget, interrupted};
use crate::failure::Failure;
use crate::help;
use crate::out::{Out, check_writable};
use crate::start::{GameArgs, SwapArgs, any_size};

/// Judge every move of a game: mistakes by proof or by value, with the better line
#[derive(Args)]
#[command(long_about = help::REVIEW_ABOUT, after_long_help = help::REVIEW)]
pub(crate) struct Review {
    #[command(flatten)]
    game: GameArgs,
    /// The SGF record, or `-` for standard input; the main line is judged
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The size of the board, in place of the record's
    #[arg(long, value_name = "N", value_parser = any_size, allow_negative_numbers = true)]
    size: Option<u64>,
    /// The notation of the record, in place of its own; judgements are in this notation, else in hgui
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
    #[command(flatten)]
    swap: SwapArgs<true>,
    /// The player whose values judge: champion, mcts, uct, rave or hybrid, perhaps with options
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Positions that the solver may visit to prove one position; 0 asks no solver
    #[arg(long, value_name = "N", default_value_t = ReviewOptions::default().proof_nodes)]
    proof_nodes: u64,
    /// Candidates for each move at most; unless given, here or as an option of the engine, 5
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    lines: Option<u32>,
    /// Write the record with the judgements to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    budget: Budget,
}

impl Review {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let game = self.game.of(registry)?;
        let (label, mut tree) = self.record()?;
        let named = |what: &dyn std::fmt::Display| Failure::input(format!("{label}: {what}"));
        // The trees that judge use no table of endings; the solver may.
        let solvers = self.budget.roster(game, None)?;
        let solver = solvers.entry(game.usual_solver()).cloned();
        let players = solver.into_iter().fold(self.budget.with_learned(game)?.roster().clone(), Roster::with);
        let known = registry.clone().with(game.clone().players(players));
        let session = self.session(known, game, &label, &tree)?;
        let usual = ReviewOptions::default();
        let mut search = self.budget.search();
        let spec = self.engine.as_deref().and_then(|text| text.parse::<PlayerSpec>().ok());
        if !self.budget.is_limited() && !spec.as_ref().is_some_and(PlayerSpec::is_limited) {
            search.simulations = usual.search.simulations;
        }
        // The text of the engine may set its option `lines`.
        let has_lines = spec.is_some_and(|spec| spec.parameters.iter().any(|(name, _)| name == "lines"));
        let lines = self.lines.or_else(|| usual.search.lines.filter(|_| !has_lines));
        let search = stonework_session::Search { engine: self.engine.clone(), lines, ..search };
        let options = ReviewOptions { search, proof_nodes: self.proof_nodes };
        if let Some(path) = &self.output {
            check_writable(&**out.disk(), &"-o ", path)?;
        }
        let (mut told, mut moves) = (Ok(()), Vec::new());
        let ended = until_interrupted(&session.canceller(), || {
            session.review(&options, &mut |judged| {
                moves.push(judged.clone());
                if told.is_ok() {
                    told = tell(judged, out);
                }
            })
        });
        // A review that was stopped has judged some moves, and the record gets them.
        if let Err(fault) = &ended
            && fault.kind != "cancelled"
        {
            return Err(Failure::input(fault));
        }
        if let Some(path) = &self.output {
            annotate(&mut tree, game, &moves).map_err(|fault| named(&fault))?;
            out.replace(&"-o ", path, &tree.to_bytes())?;
        }
        told?;
        ended.map(drop).map_err(Failure::input)
    }

    /// The name of the file, and its record in UTF-8.
    fn record(&self) -> Result<(String, Tree), Failure> {
        let (label, trees) = match RecordFile::open(&self.file).map_err(Failure::input)? {
            RecordFile::Trees { label, trees } => (label, trees),
            RecordFile::Lines { label, .. } => {
                return Err(Failure::input(format!(
                    "{label}: a list of games, and a review takes one record"
                )));
            }
        };
        let [tree] = <[Tree; 1]>::try_from(trees).map_err(|trees| {
            Failure::input(format!("{label}: {} games, and a review takes one", trees.len()))
        })?;
        let tree = in_utf8(tree).map_err(|error| Failure::input(format!("{label}: {error}")))?;
        Ok((label, tree))
    }

    /// A session of the game after the moves of the record.
    fn session(
        &self,
        known: Registry,
        game: &GameType,
        label: &str,
        tree: &Tree,
    ) -> Result<Session, Failure> {
        // A size, a right to swap and a notation that the game does not have are refused in the words of every command.
        let (standard, notation) = (game.description(), self.notation.map(Notation::name));
        let swap = self.swap.of(&standard);
        let size =
            Start { size: self.size, ..Start::default() }.size_in(&standard).map_err(Failure::input)?;
        let least = Start { swap, ..Start::of_size(size.unwrap_or(standard.sizes.0).into()) };
        let least = game.start(&least).map_err(Failure::input)?;
        least.notation(notation).map_err(Failure::input)?;
        let source = RecordFile::Trees { label: label.to_owned(), trees: vec![tree.clone()] };
        let how = RecordOptions { size, notation: self.notation, swap };
        let (start, moves) = source.first_game(game, how).map_err(Failure::input)?;
        let start = Start { position: Some(start.position_text()), ..Start::default() };
        let mut session = Session::new(known, game.name(), &start, notation).map_err(Failure::input)?;
        for mv in moves {
            session.play(&session.text_of(mv)).map_err(Failure::input)?;
        }
        Ok(session)
    }
}

/// The record in UTF-8: judgements have signs that ISO 8859-1 does not have.
fn in_utf8(tree: Tree) -> Result<Tree, Box<dyn std::error::Error>> {
    if tree.encoding() == Encoding::Utf8 {
        return Ok(tree);
    }
    let mut tree = Tree::parse_str(&tree.to_string())?;
    tree.set_property(tree.root(), "CA", &["UTF-8"])?;
    Ok(tree)
}

/// Runs work that a flag cancels. Ctrl-C sets the flag, again and again, as the end of each search clears it.
fn until_interrupted<T>(cancel: &AtomicBool, work: impl FnOnce() -> T) -> T {
    let (stop, over) = (interrupted(), AtomicBool::new(false));
    thread::scope(|scope| {
        let watch = scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                if stop.load(Ordering::Relaxed) {
                    cancel.store(true, Ordering::Relaxed);
                }
                thread::park_timeout(Duration::from_millis(20));
            }
        });
        let done = work();
        over.store(true, Ordering::Relaxed);
        watch.thread().unpark();
        done
    })
}

fn tell(judged: &ReviewedMove, out: &mut Out) -> Result<(), Failure> {
    if out.wants_json() {
        out.object(judged)?;
    } else {
        writeln!(out, "{}. {} {}: {}", judged.number, judged.side, judged.mv, judged.comment())?;
    }
    out.flush()
}
