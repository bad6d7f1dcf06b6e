//! `verify`: checks a proof or a table by the rules alone.

use std::io::{BufReader, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};
use stonework_files::BlockFault;
use stonework_game::Textual;
use stonework_havannah::Position;
use stonework_havannah_solver::HavannahRules;
use stonework_proof::{Claim, ClaimCounts, ProofFault, RecordCounts, Verified, VerifyLimits, verify};
use stonework_session::outcome_name;

use crate::failure::{Failure, plain};
use crate::help;
use crate::openings::{conclusion, opening, place, said};
use crate::out::Out;
use crate::progress::ReadProgress;
use crate::start::threads;
use crate::table::{is_table, verify_file};
use crate::verify_set::verify_folder;

/// Check a proof or a table with nothing but the rules
#[derive(Args)]
#[command(long_about = help::VERIFY_ABOUT, after_long_help = help::VERIFY)]
pub(crate) struct Verify {
    /// The file that `solve --proof` or `table build` has written, or the directory of a proof set
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The number of threads that verify the files of a proof set
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = threads())]
    threads: u16,
    /// A file that notes which files of a proof set hold, so that a check that was stopped goes on
    #[arg(long, value_name = "FILE")]
    progress: Option<PathBuf>,
}

impl Verify {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        if self.file.is_dir() {
            return verify_folder(&self.file, self.threads.into(), self.progress.as_deref(), out);
        }
        if self.progress.is_some() || self.threads > 1 {
            let option = if self.progress.is_some() { "--progress" } else { "--threads" };
            let file = self.file.display();
            return Err(Failure::input(format!("{option}: {file} is no directory of a proof set")));
        }
        if is_table(&self.file) {
            return verify_file(&self.file, out);
        }
        let opened = ReadProgress::open(&self.file);
        let (progress, file) = opened.map_err(|e| Failure::input(format!("{}: {e}", self.file.display())))?;
        let verified = verify::<Position, _>(
            "havannah",
            &HavannahRules,
            BufReader::with_capacity(1 << 16, progress.watch(file)),
            &VerifyLimits::default(),
        );
        drop(progress);
        match verified {
            Ok(proof) if out.wants_json() => {
                let first = proof.claims.first();
                let value = conclusion(&proof.claims);
                out.object(&json!({
                    "ok": true,
                    "claim": match &*proof.claims {
                        [(_, claim)] => claim.to_string(),
                        all => format!("{} claims", all.len()),
                    },
                    "root": first.map(|(root, _)| root.position_text()),
                    "claims": claim_fields(&proof),
                    "empty_board": value.map(outcome_name::<Position>),
                    "nodes": proof.positions,
                    "records": proof.records,
                    "shared": proof.shared,
                    "plies": proof.plies,
                    "kinds": kind_fields(&proof.kinds),
                }))
            }
            Ok(proof) => holds(&proof, out),
            // A file that cannot be read is neither right nor wrong.
            Err(refused) if matches!(refused.fault, ProofFault::File(BlockFault::Io(_))) => {
                Err(Failure::input(format!("{}: {refused}", self.file.display())))
            }
            Err(refused) => {
                if out.wants_json() {
                    out.object(&json!({ "ok": false, "error": refused.to_string() }))?;
                } else {
                    writeln!(out, "the proof does not hold: {}", plain(&refused.to_string()))?;
                }
                out.flush()?;
                Err(Failure::Disagrees)
            }
        }
    }
}

/// Prints the proved claims for people.
fn holds(proof: &Verified<Position>, out: &mut Out) -> Result<(), Failure> {
    match &*proof.claims {
        [(root, claim)] => {
            writeln!(out, "the proof holds: {claim} (first is white, second black)")?;
            writeln!(out, "  root: {}", root.position_text())?;
        }
        all => {
            writeln!(out, "the proof holds: {} claims (first is white, second black)", all.len())?;
            for (root, claim) in all {
                writeln!(out, "  {claim} {}", place(root))?;
            }
        }
    }
    if let (Some(value), Some((root, _))) = (conclusion(&proof.claims), proof.claims.first()) {
        writeln!(
            out,
            "  these are all openings of size {}: from the empty board, {}",
            root.size(),
            said(value)
        )?;
    }
    let Verified { positions, records, shared, kinds, .. } = proof;
    let longest = proof.by_claim.iter().map(|tally| tally.longest).max().unwrap_or(0);
    writeln!(
        out,
        "  {positions} positions checked, {records} records, {shared} of them shared, the longest game {longest} plies"
    )?;
    writeln!(out, "  {}", of_kinds(kinds))?;
    if proof.claims.len() > 1 {
        tell_claims(proof, out)?;
    }
    Ok(())
}

fn of_kinds(kinds: &RecordCounts) -> String {
    let RecordCounts { references, moves, all, lines, answers, never } = kinds;
    format!(
        "{moves} moves, {all} times all answers, {answers} times those that disturb a line, leaves: {lines} lines of threats, {never} dead draws, {references} references"
    )
}

fn kind_fields(kinds: &RecordCounts) -> Value {
    json!({
        "references": kinds.references,
        "moves": kinds.moves,
        "all": kinds.all,
        "lines": kinds.lines,
        "answers": kinds.answers,
        "never": kinds.never,
    })
}

/// The fields of each claim, with the counts of its proof.
pub(crate) fn claim_fields(proof: &Verified<Position>) -> Value {
    let field = |((start, claim), tally): (&(Position, Claim), &ClaimCounts)| {
        json!({
            "root": start.position_text(),
            "opening": opening(start).map(|cell| start.board().name(cell)),
            "claim": claim.to_string(),
            "nodes": tally.positions,
            "records": tally.records,
            "shared": tally.shared,
            "plies": tally.plies,
            "longest": tally.longest,
            "kinds": kind_fields(&tally.kinds),
        })
    };
    proof.claims.iter().zip(&proof.by_claim).map(field).collect()
}

/// Prints each claim for people, with the counts of its proof.
pub(crate) fn tell_claims(proof: &Verified<Position>, out: &mut Out) -> Result<(), Failure> {
    for ((start, claim), tally) in proof.claims.iter().zip(&proof.by_claim) {
        let place = opening(start).map_or_else(|| start.position_text(), |cell| start.board().name(cell));
        let ClaimCounts { positions, records, shared, longest, kinds, .. } = tally;
        writeln!(
            out,
            "  {place}: {claim} within {longest} plies, {positions} positions, {records} records, {shared} shared"
        )?;
        writeln!(out, "    {}", of_kinds(kinds))?;
    }
    Ok(())
}
