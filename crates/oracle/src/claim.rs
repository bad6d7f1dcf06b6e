//! [`PositionClaim`]: statements of others about a position of Havannah, judged without links and frames.

use serde::{Deserialize, Serialize};
use stonework_board::{Cell, CellSet, Notation};
use stonework_game::text::head;
use stonework_game::{Game, Outcome, Player};
use stonework_havannah::{Move, Position, WinKind, colour};
use stonework_search::{Dfpn, DfpnOptions, Engine, Limits, Question};

use crate::{Fault, formation_is_forced, link_holds};

/// The most cells of the carrier in a question.
pub const MAX_CLAIM_CARRIER: usize = 14;
/// The most positions of a question for each position that it solves.
pub const MAX_CLAIM_NODES: u64 = 10_000_000;
/// The memory of a search, in bytes.
const TABLE: usize = 16 << 20;

/// A statement about a position of Havannah.
///
/// As JSON, an object with one field, which names the kind of the statement. Cells are in the notation of the question.
///
/// | claim | it holds if |
/// |---|---|
/// | `{"link":{"side":"white","ends":["b3","a1-a4"],"carrier":["a2","a3"]}}` | the side can connect the ends by moves on the carrier, though the other side moves first; with a `key`, if the side begins there |
/// | `{"frame":{"side":"white","kind":"bridge","carrier":[…],"key":"c2"}}` | the same for a bridge, a fork or a ring |
/// | `{"must_play":{"cells":["c3","d4"],"nodes":100000}}` | the side to move loses on every other empty cell |
/// | `{"win":{"side":"white","nodes":100000}}` | the side wins, whatever the other side plays: a frame or a race that is won |
///
/// An end is a cell or an edge. A cell with a stone stands for its chain; an empty cell outside the carrier counts as a
/// stone of the side; a cell of the carrier has to be reached. An edge is named by its two corners, as in `a1-a4`.
///
/// Links and frames are judged by all moves of both sides in all orders on the carrier, which has at most
/// [`MAX_CLAIM_CARRIER`] cells; wins of the other side do not count. The other claims are judged by df-pn, with the rules
/// alone and at most `nodes` positions for each position to solve, up to [`MAX_CLAIM_NODES`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PositionClaim {
    /// Two ends stay connected.
    Link {
        /// The side that keeps the link.
        side: String,
        /// The ends.
        ends: [String; 2],
        /// The empty cells that the link needs.
        carrier: Vec<String>,
        /// The first move of the side in a half link.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    },
    /// A formation is completed.
    Frame {
        /// The side that has the frame.
        side: String,
        /// The formation: `ring`, `bridge` or `fork`.
        kind: String,
        /// The empty cells that the frame needs.
        carrier: Vec<String>,
        /// The first move of the side in a half-frame.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    },
    /// The side to move loses on all empty cells but these.
    MustPlay {
        /// The cells that may not lose.
        cells: Vec<String>,
        /// The most positions for each cell.
        #[serde(default = "nodes")]
        nodes: u64,
    },
    /// A side wins.
    Win {
        /// The side.
        side: String,
        /// The most positions.
        #[serde(default = "nodes")]
        nodes: u64,
    },
}

const fn nodes() -> u64 {
    100_000
}

/// The result of judging a [`PositionClaim`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Judgement {
    /// `true` if the claim holds; null if it is neither shown nor refuted within the positions that the question allows.
    pub holds: Option<bool>,
    /// The cells outside a must-play on which the side to move does not lose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refuted_by: Vec<String>,
    /// The cells outside a must-play that the search has not decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<String>,
}

impl From<Option<bool>> for Judgement {
    fn from(holds: Option<bool>) -> Self {
        Self { holds, refuted_by: Vec::new(), undecided: Vec::new() }
    }
}

/// A position with the notation of a question.
struct Asked<'a> {
    position: &'a Position,
    notation: Notation,
}

/// Judges a claim about a position.
///
/// # Errors
/// A fault of the kind `over` or `swap` if nothing can be claimed about the position; `budget` for `nodes` of 0 or too
/// many; otherwise `claim`, with the offending value.
pub(crate) fn judge(
    position: &Position,
    notation: Notation,
    claim: &PositionClaim,
) -> Result<Judgement, Fault> {
    if let Some(outcome) = position.outcome() {
        let end = match outcome {
            Outcome::Win(player) => format!("{} has won", colour(player)),
            Outcome::Draw => "a draw".to_owned(),
        };
        return Err(Fault::new("over", format!("the game is over: {end}")));
    }
    if position.swap_enabled() {
        return Err(Fault::new("swap", "a swap may still exchange the colours of the stones"));
    }
    let asked = Asked { position, notation };
    match claim {
        PositionClaim::Link { side, ends, carrier, key } => {
            let (player, carrier, key) = (player(side)?, asked.carrier(carrier)?, asked.key(key.as_deref())?);
            asked.link(player, ends, &carrier, key)
        }
        PositionClaim::Frame { side, kind, carrier, key } => {
            let (player, carrier, key) = (player(side)?, asked.carrier(carrier)?, asked.key(key.as_deref())?);
            let known = WinKind::ALL.into_iter().find(|known| known.name() == kind);
            let kind =
                known.ok_or_else(|| refused("kind", format!("`{}`: ring, bridge or fork", head(kind))))?;
            let own = position.stones(player);
            let forced = formation_is_forced(position.board(), &own, kind, &carrier, key);
            forced.map(|holds| Some(holds).into()).map_err(|e| refused("carrier", e.to_string()))
        }
        PositionClaim::MustPlay { cells, nodes } => asked.must_play(cells, *nodes),
        PositionClaim::Win { side, nodes } => {
            let limits = limits(*nodes)?;
            Ok(wins(position, player(side)?, &limits).into())
        }
    }
}

/// The fault of a value in a claim.
fn refused(field: &str, message: impl std::fmt::Display) -> Fault {
    Fault::new("claim", format!("{field}: {message}"))
}

fn player(side: &str) -> Result<Player, Fault> {
    let known = Player::BOTH.into_iter().find(|&player| colour(player) == side);
    known.ok_or_else(|| refused("side", format!("`{}`: white or black", head(side))))
}

fn limits(nodes: u64) -> Result<Limits, Fault> {
    if !(1..=MAX_CLAIM_NODES).contains(&nodes) {
        return Err(Fault::new("budget", format!("nodes: {nodes}: 1 to {MAX_CLAIM_NODES}")));
    }
    Ok(Limits::none().nodes(nodes))
}

/// `true` if `player` wins, by the rules alone; `None` if the limits end the search.
fn wins(position: &Position, player: Player, limits: &Limits) -> Option<bool> {
    if let Some(outcome) = position.outcome() {
        return Some(outcome == Outcome::Win(player));
    }
    let options = DfpnOptions::new().bytes(TABLE).question(Question::Wins(player));
    let report = Dfpn::new(options).ok()?.think(position, limits);
    let bounds = if position.to_move() == player { report.bounds } else { report.bounds.reversed() };
    if bounds.least == 1 { Some(true) } else { (bounds.most < 1).then_some(false) }
}

impl Asked<'_> {
    fn cell(&self, field: &str, name: &str) -> Result<Cell, Fault> {
        self.notation.parse(self.position.board(), name).map_err(|e| refused(field, e))
    }

    fn name(&self, cell: Cell) -> String {
        self.notation.name_of(self.position.board(), cell).unwrap_or_default()
    }

    fn empty(&self, field: &str, name: &str) -> Result<Cell, Fault> {
        let cell = self.cell(field, name)?;
        match self.position.stone(cell) {
            Some(owner) => Err(refused(field, format!("{name} has a stone of {}", colour(owner)))),
            None => Ok(cell),
        }
    }

    fn carrier(&self, names: &[String]) -> Result<CellSet, Fault> {
        let cells = names.iter().map(|name| self.empty("carrier", name)).collect::<Result<CellSet, _>>()?;
        match cells.len() {
            0..=MAX_CLAIM_CARRIER => Ok(cells),
            count => {
                Err(refused("carrier", format!("{count} cells: a question may have {MAX_CLAIM_CARRIER}")))
            }
        }
    }

    fn key(&self, name: Option<&str>) -> Result<Option<Cell>, Fault> {
        name.map(|name| self.empty("key", name)).transpose()
    }

    /// The cells of an edge that is named by its corners.
    fn edge(&self, name: &str) -> Option<CellSet> {
        let board = self.position.board();
        let (a, b) = name.split_once('-')?;
        let [a, b] = [a, b].map(|corner| self.notation.parse(board, corner).ok());
        let corners: Vec<Cell> = board.corner_cells().collect();
        (0..6u8).find_map(|edge| {
            let ends = [edge, edge + 1].map(|at| corners.get(usize::from(at) % 6).copied());
            (ends == [a, b] || ends == [b, a]).then(|| board.edge_cells(edge).collect())
        })
    }

    fn link(
        &self,
        player: Player,
        ends: &[String; 2],
        carrier: &CellSet,
        key: Option<Cell>,
    ) -> Result<Judgement, Fault> {
        let mut own = self.position.stones(player);
        let mut sets = [CellSet::new(); 2];
        for (set, name) in sets.iter_mut().zip(ends) {
            if let Some(edge) = self.edge(name) {
                *set = edge;
                continue;
            }
            if name.contains('-') {
                return Err(refused(
                    "ends",
                    format!("`{}`: an edge is named by its two corners", head(name)),
                ));
            }
            let cell = self.cell("ends", name)?;
            if self.position.stone(cell) == Some(player.other()) {
                return Err(refused("ends", format!("{name} has a stone of {}", colour(player.other()))));
            }
            if !carrier.contains(cell) {
                own.insert(cell);
            }
            set.insert(cell);
        }
        let holds = link_holds(self.position.board(), &own, [&sets[0], &sets[1]], carrier, key);
        holds.map(|holds| Some(holds).into()).map_err(|e| refused("carrier", e))
    }

    fn must_play(&self, names: &[String], nodes: u64) -> Result<Judgement, Fault> {
        let limits = limits(nodes)?;
        let kept = names.iter().map(|name| self.empty("cells", name)).collect::<Result<CellSet, _>>()?;
        let winner = self.position.to_move().other();
        let mut judgement = Judgement::from(Some(true));
        for cell in self.position.empty_cells().filter(|&cell| !kept.contains(cell)) {
            let mut after = self.position.clone();
            after.play_unchecked(Move::Place(cell));
            match wins(&after, winner, &limits) {
                Some(true) => {}
                Some(false) => judgement.refuted_by.push(self.name(cell)),
                None => judgement.undecided.push(self.name(cell)),
            }
        }
        if !judgement.refuted_by.is_empty() {
            judgement.holds = Some(false);
        } else if !judgement.undecided.is_empty() {
            judgement.holds = None;
        }
        Ok(judgement)
    }
}
