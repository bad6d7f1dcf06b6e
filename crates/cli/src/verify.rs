//! `verify`: a proof, by the rules alone.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use stonework_game::Notation;
use stonework_havannah::Position;
use stonework_search::proof::{Caps, verify};

use crate::failure::Failure;
use crate::help;
use crate::out::Out;

/// Check a proof with nothing but the rules
#[derive(Args)]
#[command(long_about = help::VERIFY_ABOUT, after_long_help = help::VERIFY)]
pub(crate) struct Verify {
    /// The file that `solve --proof` has written
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Verify {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        let file =
            File::open(&self.file).map_err(|e| Failure::input(format!("{}: {e}", self.file.display())))?;
        match verify::<Position>("havannah", BufReader::new(file), &Caps::default()) {
            Ok(proof) if out.wants_json() => out.object(&json!({
                "ok": true,
                "claim": proof.claim.to_string(),
                "root": proof.root.position_text(),
                "nodes": proof.positions,
                "records": proof.records,
                "shared": proof.shared,
                "plies": proof.plies,
            })),
            Ok(proof) => {
                writeln!(out, "the proof holds: {} (first is white, second black)", proof.claim)?;
                writeln!(out, "  root: {}", proof.root.position_text())?;
                writeln!(out, "  {} positions checked, longest line {} plies", proof.positions, proof.plies)?;
                Ok(())
            }
            Err(refused) => {
                if out.wants_json() {
                    out.object(&json!({ "ok": false, "error": refused.to_string() }))?;
                } else {
                    writeln!(out, "the proof does not hold: {refused}")?;
                }
                out.flush()?;
                Err(Failure::Disagrees)
            }
        }
    }
}
