//! [`Layer`]: named findings about a position, in sentences and in marked cells.

use serde::{Deserialize, Serialize};
use stonework_board::{CellClass, Overlay};
use stonework_game::Player;
use stonework_game::text::head;

use crate::described::{Described, outcome_text};
use crate::{AnyPosition, Fault};

/// A layer that a game offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct LayerInfo {
    /// The name, as a command line and a request write it.
    pub name: &'static str,
    /// A line about the layer.
    pub about: &'static str,
}

impl LayerInfo {
    /// The layer that every game has: the moves of [`Described::winning_moves`].
    pub const THREATS: Self = Self { name: "threats", about: "the moves with which each side wins at once" };
}

/// The limits of the cost of a layer, and of the number of its findings. A lower budget leaves findings out; every
/// finding stays correct.
///
/// ```
/// use stonework_session::LayerBudget;
/// let budget: LayerBudget = serde_json::from_str(r#"{"carrier": 5}"#)?;
/// assert_eq!((budget.carrier, budget.combinations, budget.findings), (5, 1_000_000, 8));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct LayerBudget {
    /// The largest number of cells of the carrier of a link, 1 or more.
    pub carrier: usize,
    /// The largest number of pairs of links to combine for each side, 1 or more. The limit counts again for pairs of
    /// links that make a win.
    pub combinations: u64,
    /// The largest number of findings for each side, 1 or more. A sentence after the last finding counts the other
    /// findings.
    pub findings: usize,
}

/// The usual budget: carriers of at most 8 cells, a million combinations, 8 findings for each side.
impl Default for LayerBudget {
    fn default() -> Self {
        Self { carrier: 8, combinations: 1_000_000, findings: 8 }
    }
}

impl LayerBudget {
    /// Refuses a limit of 0.
    fn check(&self) -> Result<(), Fault> {
        let limits = [
            ("carrier", "cells", self.carrier as u64),
            ("combinations", "pairs of links", self.combinations),
            ("findings", "sentences", self.findings as u64),
        ];
        match limits.into_iter().find(|(.., given)| *given == 0) {
            Some((name, unit, given)) => {
                Err(Fault::new("budget", format!("{name}: a budget of {given} {unit}; the least is 1")))
            }
            None => Ok(()),
        }
    }
}

/// A sentence about a position, with the cells that it names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The name of the side that the sentence is about; null for a sentence about both sides.
    pub side: Option<String>,
    /// The sentence.
    pub text: String,
    /// The cells or moves of the finding, such as a carrier.
    pub cells: Vec<String>,
}

/// A cell that a layer marks in a picture.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mark {
    /// The cell.
    pub cell: String,
    /// The text on the cell; without a text the cell is highlighted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// The findings of one kind about a position: sentences, and the marks of a picture.
///
/// ```
/// use stonework_session::{LayerBudget, Registry, Session, Start};
/// let mut session = Session::new(Registry::standard(), "havannah", &Start::of_size(4), None)?;
/// session.play_all(&["a1", "b1", "a2", "b2", "a3", "b3"])?;
/// let threats = &session.layers(&["threats"], &LayerBudget::default())?[0];
/// assert_eq!(threats.findings[0].text, "White wins at once on a4.");
/// assert_eq!(threats.marks[0].cell, "a4");
/// # Ok::<(), stonework_session::Fault>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Layer {
    /// The name of the layer.
    pub layer: String,
    /// The findings, the side to move first.
    pub findings: Vec<Finding>,
    /// The marked cells.
    pub marks: Vec<Mark>,
    /// `true` unless the limit of combinations, or a limit of the layer's own, has left links or frames out. A link with a larger
    /// carrier, and a finding beyond [`LayerBudget::findings`], which a sentence counts, leave it `true`.
    pub complete: bool,
}

impl Layer {
    /// A layer without findings.
    pub(crate) fn new(name: &str) -> Self {
        Self { layer: name.to_owned(), findings: Vec::new(), marks: Vec::new(), complete: true }
    }

    /// Adds a finding.
    pub(crate) fn tell(&mut self, side: Option<&str>, text: String, cells: Vec<String>) {
        self.findings.push(Finding { side: side.map(str::to_owned), text, cells });
    }

    /// Highlights cells.
    pub(crate) fn highlight(&mut self, cells: impl IntoIterator<Item = String>) {
        self.marks.extend(cells.into_iter().map(|cell| Mark { cell, label: None }));
    }

    /// The sentences, one on each line.
    #[must_use]
    pub fn text(&self) -> String {
        let lines: Vec<&str> = self.findings.iter().map(|finding| finding.text.as_str()).collect();
        lines.join("\n")
    }

    /// The marks as an overlay on a picture of the position, in the notation of the layer. Letters of sides colour their
    /// cells, too. A mark on a move does not show in games in which a move is more than a cell.
    pub fn overlay(&self, position: &AnyPosition, notation: usize) -> Overlay {
        let letters = position.description().sides.map(|side| side.get(..1).unwrap_or_default());
        let class = |label: &str| match label {
            label if label == letters[0] => Some(CellClass::Light),
            label if label == letters[1] => Some(CellClass::Dark),
            label if label == letters.concat() => Some(CellClass::Shared),
            _ => None,
        };
        self.marks.iter().fold(Overlay::new(), |overlay, mark| {
            match (position.read_cell(&mark.cell, notation), &mark.label) {
                (Ok(cell), Some(label)) => {
                    let overlay = overlay.label(cell, label);
                    class(label).map_or(overlay.clone(), |class| overlay.class([cell], class))
                }
                (Ok(cell), None) => overlay.highlight([cell]),
                (Err(_), _) => overlay,
            }
        })
    }
}

impl AnyPosition {
    /// The layers of these names, in the order of the names; an empty list stands for all layers of the game.
    /// `notation` names the cells.
    ///
    /// # Errors
    /// The fault `over` for a game that has ended; `layer` for a name that the game does not have, with the names of
    /// its layers; `budget` for a limit of 0; `swap` while the right to swap leaves a layer without an answer.
    pub fn find_layers<T: AsRef<str>>(
        &self,
        names: &[T],
        notation: usize,
        budget: &LayerBudget,
    ) -> Result<Vec<Layer>, Fault> {
        let all = self.layers().iter().map(|layer| layer.name);
        let names: Vec<&str> =
            if names.is_empty() { all.collect() } else { names.iter().map(AsRef::as_ref).collect() };
        names.into_iter().map(|name| self.layer(name, notation, budget)).collect()
    }
}

/// A layer of a position.
pub(crate) fn layer<G: Described>(
    position: &G,
    name: &str,
    notation: usize,
    budget: &LayerBudget,
) -> Result<Layer, Fault> {
    let known = G::layers();
    if !known.iter().any(|layer| layer.name == name) {
        let names: Vec<&str> = known.iter().map(|layer| layer.name).collect();
        let (game, there) = (G::DESCRIPTION.name, names.join(", "));
        return Err(Fault::new("layer", format!("no layer `{}` of {game}: {there}", head(name))));
    }
    if let Some(outcome) = position.outcome() {
        return Err(Fault::new("over", format!("the game is over: {}", outcome_text::<G>(outcome))));
    }
    budget.check()?;
    position.layer(name, notation, budget)
}

/// The sides, the side to move first.
pub(crate) fn sides<G: Described>(position: &G) -> [Player; 2] {
    [position.to_move(), position.to_move().other()]
}

/// The name of a side at the beginning of a sentence.
pub(crate) fn subject<G: Described>(player: Player) -> String {
    capital(G::DESCRIPTION.side(player))
}

/// A text with a capital letter at its beginning.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Words as a list: `a1, b2 or c3`.
pub(crate) fn joined(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// The layer [`LayerInfo::THREATS`].
pub(crate) fn threats<G: Described>(position: &G, notation: usize) -> Layer {
    let mut layer = Layer::new(LayerInfo::THREATS.name);
    for player in sides(position) {
        let Some(moves) = position.winning_moves(player) else { continue };
        let (side, name) = (subject::<G>(player), G::DESCRIPTION.side(player));
        let words: Vec<String> = moves.iter().map(|&mv| position.move_text_in(mv, notation)).collect();
        let placed = moves.iter().all(|&mv| G::target_cell(mv).is_some());
        let text = match (words.is_empty(), placed) {
            (true, _) => format!("{side} cannot win at once."),
            (false, true) => format!("{side} wins at once on {}.", joined(&words, "or")),
            (false, false) => format!("{side} wins at once by {}.", joined(&words, "or")),
        };
        if placed {
            layer.highlight(words.iter().cloned());
        }
        layer.tell(Some(name), text, words);
    }
    layer
}
