//! [`MoveTable`]: the values of moves, as a search or a proof reports them, on a picture.

use serde::{Deserialize, Serialize};
use stonework_board::{CellClass, CellSet, Overlay};

use crate::{AnyPosition, Fault};

/// The moves of a report with their values. Reports call the list `replies`, `openings`, `moves` or `lines`; the first of
/// these that is a list of moves with values counts. A report may have the names of moves on the way to its position in
/// `moves`, too.
///
/// ```
/// use stonework_session::{MoveTable, Registry, Start};
/// let position = Registry::standard().game("havannah")?.start(&Start::of_size(3))?;
/// let table = r#"{"best":"c3","moves":[{"move":"c3","visits":60},{"move":"b2","visits":20}]}"#;
/// let table: MoveTable = serde_json::from_str(table).unwrap();
/// let picture = position.picture(&[], 0)?.overlay(table.overlay(&position, 0)?);
/// assert!(picture.text().contains("75") && picture.text().contains("25"));
/// # Ok::<(), stonework_session::Fault>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "Report")]
pub struct MoveTable {
    /// The moves.
    pub moves: Vec<MoveEntry>,
}

/// The lists of a report.
#[derive(Deserialize)]
struct Report {
    replies: Option<Moves>,
    openings: Option<Moves>,
    moves: Option<Moves>,
    lines: Option<Moves>,
}

/// A list of moves: with values, or anything else.
#[derive(Deserialize)]
#[serde(untagged)]
enum Moves {
    Entries(Vec<MoveEntry>),
    Other(serde::de::IgnoredAny),
}

impl TryFrom<Report> for MoveTable {
    type Error = &'static str;

    fn try_from(report: Report) -> Result<Self, Self::Error> {
        let mut lists = [report.replies, report.openings, report.moves, report.lines].into_iter().flatten();
        let entries = |list| match list {
            Moves::Entries(moves) => Some(Self { moves }),
            Moves::Other(_) => None,
        };
        lists.find_map(entries).ok_or("there is no list of moves with values")
    }
}

/// A move with what is known of it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MoveEntry {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The number of simulations through the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visits: Option<u64>,
    /// The value of the move for the side that plays it, on any scale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The name of the side that wins after the move, `draw` or `unknown`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// The number of plies to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u64>,
}

impl MoveTable {
    /// The marks on a picture of the position before the moves:
    ///
    /// - for moves with an outcome, the class of the side that wins, and the plies to the win as a label, `=` for a draw;
    /// - for moves with visits, heat by their share of the most visits, and the percentage of all visits as a label from 1 %;
    /// - for moves with a value alone, heat from the least to the greatest value.
    ///
    /// Of moves to one cell the first with one of these counts. A move without a cell, such as a swap, has no mark.
    ///
    /// # Errors
    /// The fault `move` for a text that is no move.
    pub fn overlay(&self, position: &AnyPosition, notation: usize) -> Result<Overlay, Fault> {
        let game = position.description();
        let visits: u64 = self.moves.iter().filter_map(|entry| entry.visits).fold(0, u64::saturating_add);
        let most = self.moves.iter().filter_map(|entry| entry.visits).max().unwrap_or(0).max(1);
        let values = self.moves.iter().filter_map(|entry| entry.value).filter(|value| value.is_finite());
        let (least, greatest) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), v| (least.min(v), most.max(v)));
        let (mut overlay, mut marked) = (Overlay::new(), CellSet::new());
        for entry in &self.moves {
            let mv = position.read_move(&entry.mv, notation)?;
            let Some(cell) = position.place_of(mv) else { continue };
            let decided = entry.outcome.as_deref().filter(|&outcome| outcome != "unknown");
            let valued = entry.value.is_some() && greatest > least;
            if !(decided.is_some() || entry.visits.is_some() || valued) || !marked.insert(cell) {
                continue;
            }
            overlay = match (decided, entry.visits, entry.value) {
                (Some(outcome), ..) => {
                    let class = match game.sides.iter().position(|&side| side == outcome) {
                        Some(0) => CellClass::Light,
                        Some(_) => CellClass::Dark,
                        None => CellClass::Shared,
                    };
                    let label = match (class, entry.plies) {
                        (CellClass::Shared, _) => "=".to_owned(),
                        (_, Some(plies)) => plies.to_string(),
                        (_, None) => outcome.get(..1).unwrap_or_default().to_owned(),
                    };
                    overlay.class([cell], class).label(cell, label)
                }
                (None, Some(count), _) => {
                    let percent = (100.0 * count as f64 / visits.max(1) as f64).round();
                    let label = if percent >= 1.0 { format!("{percent}") } else { String::new() };
                    overlay.heat(cell, count as f64 / most as f64).label(cell, label)
                }
                (None, None, value) => {
                    overlay.heat(cell, (value.unwrap_or(least) - least) / (greatest - least))
                }
            };
        }
        Ok(overlay)
    }
}
