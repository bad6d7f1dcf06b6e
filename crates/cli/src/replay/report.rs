//! What a replayed game came to, as an object and in words.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;
use serde_json::Value;
use stonework_board::Notation;
use stonework_game::{Game, Notation as _, Outcome};
use stonework_havannah::{Position, colour};
use stonework_oracle::outcome_name;
use stonework_record::Claim;

use crate::failure::Failure;
use crate::out::Out;
use crate::picture;
use crate::records::{Recorded, Replayed, player};

/// How the note on a claim begins that is not what the moves say.
const CLAIMS: &str = "the record claims";

/// A game's line of JSON.
#[derive(Serialize)]
pub(super) struct Report {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    size: u8,
    /// Moves played, a swap among them, a resignation not.
    plies: usize,
    to_move: &'static str,
    outcome: Option<&'static str>,
    how: Vec<&'static str>,
    cells: Vec<Vec<String>>,
    pub(super) end: &'static str,
    /// The last move.
    last: Option<String>,
    /// The result that the record claims, and whether the moves say the same.
    claimed: Option<String>,
    claim_agrees: Option<bool>,
    quirks: Vec<String>,
    /// What the record says of itself.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    header: BTreeMap<&'static str, String>,
    board: String,
    /// Where a list of games says something else than its moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differs: Vec<String>,
}

impl Report {
    pub(super) fn new(game: &Recorded, replayed: &Replayed, notation: Notation) -> Self {
        let position = &replayed.position;
        let (outcome, end) = match (position.outcome(), replayed.resigned) {
            (Some(Outcome::Win(_)), _) => (picture::outcome(position), "formation"),
            (Some(Outcome::Draw), _) => (picture::outcome(position), "draw"),
            (None, Some(player)) => (Some(colour(player.other())), "resign"),
            (None, None) => (None, "unfinished"),
        };
        let mut quirks = game.quirks.clone();
        let claim_agrees = claim_agrees(game.claimed.as_ref(), outcome);
        if let (Some(false), Some(claimed), Some(outcome)) = (claim_agrees, &game.claimed, outcome) {
            quirks.push(format!("{CLAIMS} {claimed}, the moves say {outcome}"));
        }
        if replayed.passed_over > 0 {
            quirks.push(format!("moves after the resignation, passed over: {}", replayed.passed_over));
        }
        let (how, cells) = picture::winning(position, notation)
            .into_iter()
            .map(|(kind, cells)| (kind.name(), cells))
            .unzip();
        Self {
            file: game.file.clone(),
            id: game.id.clone(),
            size: position.size(),
            plies: replayed.moves.len(),
            to_move: colour(position.to_move()),
            outcome,
            how,
            cells,
            end,
            last: replayed.moves.last().map(|&mv| picture::move_name(position, mv, notation)),
            claimed: game.claimed.as_ref().map(ToString::to_string),
            claim_agrees,
            quirks,
            header: game.header.iter().cloned().collect(),
            board: position.position_text(),
            differs: Vec::new(),
        }
    }

    pub(super) fn with_differences(mut self, differs: &[String]) -> Self {
        self.differs = differs.to_vec();
        self
    }

    /// Whether the claimed result is the one of the moves; nothing if either says nothing.
    pub(super) const fn claim_agrees(&self) -> Option<bool> {
        self.claim_agrees
    }

    /// The result on one line.
    pub(super) fn in_short(&self) -> String {
        let moves = self.moves();
        let last = self.last.as_deref().unwrap_or_default();
        let result = match (self.end, self.outcome) {
            ("formation", Some(winner)) => {
                format!("{winner} wins with {last} by {}: {}", self.how.join(" and "), self.chains())
            }
            ("resign", Some(winner)) => format!("{winner} wins by resignation"),
            ("draw", _) => "a draw".to_owned(),
            _ => format!("not over, {} to move", self.to_move),
        };
        format!("size {}, {moves}, {result}", self.size)
    }

    fn moves(&self) -> String {
        if self.plies == 1 { "1 move".to_owned() } else { format!("{} moves", self.plies) }
    }

    /// The cells of each kind of win.
    fn chains(&self) -> String {
        let kinds: Vec<String> = self.cells.iter().map(|cells| cells.join(" ")).collect();
        kinds.join(" and ")
    }

    /// Header, board, result, and what a reader should know.
    pub(super) fn in_full(
        &self,
        out: &mut Out,
        game: &Recorded,
        replayed: &Replayed,
        notation: Notation,
    ) -> Result<(), Failure> {
        writeln!(out, "{}: size {}, {} ({notation} notation)", game.label, self.size, self.moves())?;
        for (name, text) in &game.header {
            writeln!(out, "  {name:<7} {}", text.trim())?;
        }
        let board = picture::diagram(&replayed.position, notation, &replayed.moves)?.text();
        writeln!(out, "\n{}", picture::indented(&board, 2))?;
        let last = self.last.as_deref().unwrap_or_default();
        match (self.end, self.outcome) {
            ("formation", Some(winner)) => {
                writeln!(
                    out,
                    "{winner} wins by {} with move {}, {last}",
                    self.how.join(" and "),
                    self.plies
                )?;
                for (kind, cells) in self.how.iter().zip(&self.cells) {
                    write!(out, "{}", picture::wrapped(&format!("{kind}: {}", cells.join(" ")), 90, 2))?;
                }
            }
            ("resign", Some(winner)) => {
                writeln!(out, "{winner} wins by resignation after move {}", self.plies)?;
            }
            _ => writeln!(out, "{}", picture::standing(&replayed.position))?,
        }
        if let Some(claimed) = &self.claimed {
            let moves = match (self.claim_agrees, self.outcome) {
                (Some(true), _) => "as the moves say",
                (Some(false), Some(outcome)) => &format!("but the moves say {outcome}"),
                _ => "which the moves neither confirm nor deny",
            };
            writeln!(out, "{CLAIMS} {claimed}, {moves}")?;
        }
        for quirk in self.quirks.iter().filter(|quirk| !quirk.starts_with(CLAIMS)) {
            write!(out, "{}", picture::wrapped(&format!("note: {quirk}"), 90, 0))?;
        }
        Ok(())
    }
}

fn claim_agrees(claimed: Option<&Claim>, outcome: Option<&str>) -> Option<bool> {
    let claimed = match claimed? {
        Claim::Draw => "draw",
        other => colour(player(other.winner()?)),
    };
    outcome.map(|outcome| outcome == claimed)
}

/// Where a list of games says something else than the moves: winner, kinds, ply, end, notations.
pub(super) fn disagreements(game: &Recorded, replayed: &Replayed, report: &Report) -> Vec<String> {
    let Some(said) = &game.formation else { return Vec::new() };
    let mut differs = Vec::new();
    if !said.notations_agree {
        differs.push("`moves` and `moves_hgui` are different moves".to_owned());
    }
    let formation = report.end == "formation";
    let says_so = said.winner.is_some() || said.end.as_deref() == Some("formation");
    if formation != says_so {
        let (record, moves) = if says_so { ("a", "no") } else { ("no", "a") };
        differs.push(format!("the list has {record} formation at the end, the moves have {moves} formation"));
        return differs;
    }
    let winner = replayed.position.outcome().map(outcome_name::<Position>);
    let named = said.winner.as_deref().map(|w| match w {
        "W" => "white",
        "B" => "black",
        other => other,
    });
    if formation && named.is_some() && named != winner {
        differs.push(format!("winner {}, the moves say {}", named.unwrap_or(""), winner.unwrap_or("nobody")));
    }
    if let (true, Some(kinds)) = (formation, &said.kinds) {
        let mut kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
        let mut how = report.how.clone();
        kinds.sort_unstable();
        how.sort_unstable();
        if kinds != how {
            differs.push(format!("kinds {}, the moves say {}", kinds.join(" and "), how.join(" and ")));
        }
    }
    if let (true, Some(ply)) = (formation, said.ply)
        && ply + 1 != report.plies as u64
    {
        differs.push(format!("winning move {}, the moves say {}", ply + 1, report.plies));
    }
    differs
}
