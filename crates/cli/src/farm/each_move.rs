//! The end of `farm coordinate --each-move`.

use std::io::Write as _;

use serde_json::json;
use stonework_campaign::proving::EachMovePlan;
use stonework_farm::{Coordinator, Ended, Progress as State};
use stonework_game::{Finite, Indexed, Keyed, Textual};
use stonework_havannah::Position;
use stonework_havannah_solver::{HavannahRules, ThreatSearch};
use stonework_proof::set::ProofSet;
use stonework_proof::{ImmediateRules, ProofReader, join};
use stonework_search::ProofTactics;
use stonework_session::outcome_name;

use super::coordinate::{Coordinate, further, joined, name, write_set};
use crate::failure::Failure;
use crate::openings::{and_images, said};
use crate::out::Out;

/// A campaign about each move of a position, when its coordinator has ended.
pub(super) struct EachMove<'a> {
    pub(super) args: &'a Coordinate,
    pub(super) coordinator: &'a Coordinator,
    pub(super) ended: Ended,
    pub(super) state: State,
}

impl EachMove<'_> {
    /// Prints the values of all moves, after their proofs are in their files: the set of a move in a directory named by the
    /// move.
    pub(super) fn tell<G>(
        self,
        plan: &mut EachMovePlan<G, ThreatSearch>,
        out: &mut Out,
    ) -> Result<(), Failure>
    where
        G: Finite + Keyed + Indexed + Textual,
        ThreatSearch: ProofTactics<G>,
        HavannahRules: ImmediateRules<G>,
    {
        let folder = self.args.dir()?.join("set");
        let is_over = self.ended == Ended::Over;
        let text = |mv: &G::Move| plan.root().move_text(*mv);
        let orbits = plan.moves().iter().map(|of| &of.orbit);
        let names: Vec<(String, Vec<String>)> =
            orbits.map(|orbit| (text(&orbit.mv), orbit.images.iter().map(text).collect())).collect();
        let mut sets: Vec<ProofSet> = Vec::new();
        if is_over {
            out.disk()
                .make_directory(&folder)
                .map_err(|error| Failure::input(format!("{}: {error}", folder.display())))?;
            for (of, (mv, _)) in plan.moves_mut().iter_mut().zip(&names) {
                sets.push(write_set(&mut of.plan, self.coordinator, &folder.join(mv), out)?);
            }
        }
        let mut proof = None;
        if let (Some(file), true) = (&self.args.proof, is_over) {
            let parts = sets.iter().zip(&names).map(|(set, (mv, _))| joined::<G>(set, folder.join(mv)));
            let parts: Vec<Vec<u8>> = parts.collect::<Result<_, _>>()?;
            let readers: Result<Vec<_>, _> = parts.iter().map(|part| ProofReader::new(&part[..])).collect();
            let mut bytes = Vec::new();
            join(readers.map_err(Failure::input)?, &mut bytes).map_err(Failure::input)?;
            out.replace(&"--proof ", file, &bytes)?;
            proof = Some((file, bytes.len()));
        }
        let State { decided, nodes, .. } = self.state;
        let outcomes: Vec<_> = plan.moves().iter().map(|of| of.plan.outcome()).collect();
        if out.wants_json() {
            let openings: Vec<_> = names
                .iter()
                .zip(&outcomes)
                .enumerate()
                .map(|(at, ((mv, images), outcome))| {
                    json!({
                        "move": mv,
                        "images": images,
                        "outcome": outcome.map_or("unknown", outcome_name::<Position>),
                        "set": sets.get(at).map(|set| json!({"files": set.files.len(), "directory": folder.join(mv).display().to_string()})),
                    })
                })
                .collect();
            return out.object(&json!({
                "event": name(self.ended),
                "outcome": plan.outcome().map_or("unknown", outcome_name::<Position>),
                "openings": openings,
                "decided": decided,
                "nodes": nodes,
                "proof": proof.map(|(file, bytes)| json!({"file": file.display().to_string(), "bytes": bytes})),
            }));
        }
        writeln!(out, "{}", plan.outcome().map_or_else(|| "unknown".to_owned(), said))?;
        for ((mv, images), outcome) in names.iter().zip(outcomes) {
            let value = outcome.map_or_else(|| "unknown".to_owned(), said);
            writeln!(out, "  {mv}: {value}{}", and_images(images))?;
        }
        if !is_over {
            writeln!(out, "  {}; {}", name(self.ended), further(self.ended))?;
        }
        writeln!(out, "  {decided} jobs, {nodes} nodes")?;
        if is_over {
            writeln!(out, "  a directory of proof files for each move in {}", folder.display())?;
        }
        if let Some((file, bytes)) = proof {
            writeln!(out, "  proof: {bytes} bytes in {}", file.display())?;
        }
        Ok(())
    }
}
