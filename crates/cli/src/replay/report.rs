//! The result of a replayed game, as an object and in words.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;
use serde_json::Value;
use stonework_board::Notation;
use stonework_game::{Game, Textual as _};
use stonework_havannah::{Position, colour};
use stonework_oracle::{ListedGame, ReplayedGame};
use stonework_session::{Described, outcome_name};

use crate::failure::{Failure, plain};
use crate::out::Out;
use crate::picture;
use crate::start::Named;

/// The JSON line of a game.
#[derive(Serialize)]
pub(super) struct Report {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    size: u8,
    /// The number of moves played: a swap counts, a resignation does not.
    plies: usize,
    to_move: &'static str,
    outcome: Option<&'static str>,
    how: Vec<&'static str>,
    cells: Vec<Vec<String>>,
    end: &'static str,
    /// The last move.
    last: Option<String>,
    /// The result in the record; `claim_agrees` is `true` if the moves have the same result.
    claimed: Option<String>,
    claim_agrees: Option<bool>,
    quirks: Vec<String>,
    /// The properties of the record.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    header: BTreeMap<&'static str, String>,
    board: String,
    /// The differences between a list of games and the moves of the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differs: Vec<String>,
}

impl Report {
    pub(super) fn new(game: &ListedGame, replayed: &ReplayedGame, notation: Notation) -> Self {
        let position = &replayed.position;
        let outcome = replayed.outcome().map(outcome_name::<Position>);
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
            end: replayed.end().name(),
            last: replayed.moves.last().map(|&mv| position.move_name(mv, notation)),
            claimed: game.claimed.as_ref().map(ToString::to_string),
            claim_agrees: game.claim_agrees(replayed),
            quirks: game.oddities(replayed),
            header: game.header.iter().cloned().collect(),
            board: position.position_text(),
            differs: Vec::new(),
        }
    }

    pub(super) fn with_differences(mut self, differs: &[String]) -> Self {
        self.differs = differs.to_vec();
        self
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

    /// The header, the board, the result, and notes for the reader.
    pub(super) fn in_full(
        &self,
        out: &mut Out,
        game: &ListedGame,
        replayed: &ReplayedGame,
        notation: Notation,
    ) -> Result<(), Failure> {
        let label = plain(&game.label);
        writeln!(out, "{label}: size {}, {} ({notation} notation)", self.size, self.moves())?;
        for (name, text) in &game.header {
            writeln!(out, "  {name:<7} {}", plain(text).trim())?;
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
            _ => writeln!(out, "{}", replayed.position.standing())?,
        }
        if let Some(claimed) = &self.claimed {
            let moves = match (self.claim_agrees, self.outcome) {
                (Some(true), _) => "as the moves say",
                (Some(false), Some(outcome)) => &format!("but the moves say {outcome}"),
                _ => "which the moves neither confirm nor deny",
            };
            writeln!(out, "{} {}, {moves}", ListedGame::CLAIMS, plain(claimed))?;
        }
        for quirk in self.quirks.iter().filter(|quirk| !quirk.starts_with(ListedGame::CLAIMS)) {
            write!(out, "{}", picture::wrapped(&format!("note: {quirk}"), 90, 0))?;
        }
        Ok(())
    }
}
