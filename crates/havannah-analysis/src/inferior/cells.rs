//! [`InferiorCells`]: dead, captured and dominated cells.

use std::cmp::Reverse;

use stonework_board::{Cell, CellSet};
use stonework_game::{ByPlayer, Game, Player};
use stonework_havannah::Position;

use super::ground::{Ground, View};
use super::no_use::Sieve;
use crate::AnalysisError;
use crate::error::in_play;

/// The dead, captured and dominated cells of a position, on which neither side needs to play.
///
/// * A **dead** cell makes no difference to any filling of the board: neither side has a formation (bridge, fork or ring) with
///   the cell that it would not have without the cell. The kind of the formation does not count. The value of the
///   position is the same if the cell is empty, white or black, the same side to move.
/// * Two cells are **captured** by a side if the cells are without use for it, and after a stone of the opponent on one of them its
///   stone on the other makes the first dead. The value does not change if the side is given both. Cells that become dead by
///   the gift are counted as captured too.
/// * A cell is **dominated** by another if a stone of the side to move on the other makes the first dead. A stone on the
///   dominating cell is at least as good.
///
/// Values are values of best play: a win of either side, or a draw, also by a full board. The exact claims, the
/// proofs, and laws of Hex that fail here are in [`inferior_rules`](crate::inferior_rules). Every claim is checked by
/// all fillings and by all games of small numbers of empty cells (`tests/inferior`, record in `docs/lab/inferior.md`).
///
/// The cells are sure, but not all: the rules look at the six neighbours of a cell and at the places behind them, at chains on
/// edges, and at connected parts of the board. Of the dead cells that all fillings find in random positions with 12 empty cells
/// or fewer, the rules find about two thirds. Dead cells are rare early in a game: at most 0.3 % of the empty cells of
/// real games on boards at most a fifth filled, and 1 to 4 % on boards nearly half filled.
///
/// White `O` to move, Black `@`:
///
/// ```text
///       1 2 3 4
///    a . . @ . 5        f6 is dead: the white f5 and g6 are beside each other, the black e6 and f7 too, and a stone on
///   b . . O O @ 6       e5 or g7 only lengthens one of these rows.
///  c @ @ O . . . 7      White has one use for c4 and e5, the six stones around d4, and Black has none. Black captures
/// d O . . O O O .       them: if White takes one, Black takes the other.
///  e . . O . @ O
///   f . @ O . @
///    g . . O .
/// ```
///
/// ```
/// use stonework_board::CellSet;
/// use stonework_game::{Player, Textual};
/// use stonework_havannah::Position;
/// use stonework_havannah_analysis::InferiorCells;
/// let position = Position::parse_position("4 w - ..b./..wwb/bbw.../w..www./..w.bw/.bw.b/..w.")?;
/// let board = position.board();
/// let names = |cells: CellSet| cells.iter().map(|cell| board.name(cell)).collect::<Vec<_>>();
/// let inferior = InferiorCells::of(&position)?;
/// assert_eq!(names(inferior.dead()), ["f6"]);
/// assert_eq!(names(inferior.captured(Player::Second)), ["c4", "e5"]);
/// // A white stone on e3 makes d3 dead, and so is at least as good.
/// assert_eq!(names(inferior.dominated()), ["d3"]);
/// let better = inferior.dominator(board.parse("d3")?);
/// assert_eq!(better.map(|cell| board.name(cell)).as_deref(), Some("e3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InferiorCells {
    player: Player,
    empty: CellSet,
    no_use: ByPlayer<CellSet>,
    captured: ByPlayer<CellSet>,
    /// For each dominated cell, a cell that dominates it and is not dominated itself.
    dominators: Vec<Option<Cell>>,
}

impl InferiorCells {
    /// The inferior cells of a position; the dominated cells are for the side to move.
    ///
    /// O(cells²) in time, once and for each pair of captured cells, if the rules need a fixed number of passes over the board
    /// as they do in practice; O(cells) in memory. Mean of 20 positions of random games, a third or two thirds of the
    /// board filled: about 0.15 ms at size 5, 3 ms at size 8, 10 ms at size 10.
    ///
    /// # Errors
    /// An error if the game is over, or if a swap may still come.
    pub fn of(position: &Position) -> Result<Self, AnalysisError> {
        in_play(position)?;
        let mut work = Work::new(position);
        let stones =
            ByPlayer { first: position.stones(Player::First), second: position.stones(Player::Second) };
        let player = position.to_move();
        let no_use = work.no_use(&stones);
        let mut filled = stones;
        // A dead cell may have either colour.
        filled[player] |= no_use.first & no_use.second;
        let captured = work.fill(&mut filled);
        let dominators = work.dominators(&filled, player);
        Ok(Self { player, empty: position.empty_cells().collect(), no_use, captured, dominators })
    }

    /// The side to move, for which cells are dominated.
    #[must_use]
    pub const fn player(&self) -> Player {
        self.player
    }

    /// The empty cells without use for a side: no filling of the board gives the side a formation only with such a
    /// cell.
    ///
    /// The opponent may have use for these cells. A cell without use for both sides is dead.
    #[must_use]
    pub fn no_use(&self, player: Player) -> CellSet {
        self.no_use[player]
    }

    /// The dead cells. All of them may be filled at once, in any colours.
    #[must_use]
    pub fn dead(&self) -> CellSet {
        self.no_use.first & self.no_use.second
    }

    /// The cells that a side captures. All of them may be filled at once with its stones, together with the dead cells
    /// and the cells that the other side captures.
    #[must_use]
    pub fn captured(&self, player: Player) -> CellSet {
        self.captured[player]
    }

    /// A cell that dominates `cell`, and is not dominated, dead or captured itself; `None` if `cell` is not dominated.
    #[must_use]
    pub fn dominator(&self, cell: Cell) -> Option<Cell> {
        self.dominators.get(cell.index()).copied().flatten()
    }

    /// The dominated cells.
    #[must_use]
    pub fn dominated(&self) -> CellSet {
        self.empty.iter().filter(|&cell| self.dominator(cell).is_some()).collect()
    }

    /// The empty cells that are not inferior. One of them is a best move; if the position has none, its value is a
    /// draw.
    #[must_use]
    pub fn others(&self) -> CellSet {
        self.empty - self.dead() - self.captured.first - self.captured.second - self.dominated()
    }
}

/// The tables of a board and working memory.
struct Work {
    ground: Ground,
    sieve: Sieve,
    cells: CellSet,
}

impl Work {
    fn new(position: &Position) -> Self {
        let ground = Ground::new(position.board());
        let sieve = Sieve::new(&ground);
        Self { ground, sieve, cells: position.board().cells().collect() }
    }

    /// The empty cells without use for a side.
    fn no_use_of(&mut self, stones: &ByPlayer<CellSet>, player: Player) -> CellSet {
        let mut view = View::new(self.ground.cells(), &stones[player], &stones[player.other()]);
        self.sieve.sift(&self.ground, &mut view);
        let empty = self.cells - stones.first - stones.second;
        empty.iter().filter(|&cell| !view.is_able(cell.into())).collect()
    }

    fn no_use(&mut self, stones: &ByPlayer<CellSet>) -> ByPlayer<CellSet> {
        ByPlayer {
            first: self.no_use_of(stones, Player::First),
            second: self.no_use_of(stones, Player::Second),
        }
    }

    fn dead(&mut self, stones: &ByPlayer<CellSet>) -> CellSet {
        let first = self.no_use_of(stones, Player::First);
        if first.is_empty() { first } else { first & self.no_use_of(stones, Player::Second) }
    }

    /// Gives captured cells to the side that captures them until no captured cells are left. No cell may be dead
    /// before.
    fn fill(&mut self, stones: &mut ByPlayer<CellSet>) -> ByPlayer<CellSet> {
        let mut captured = ByPlayer { first: CellSet::new(), second: CellSet::new() };
        while let Some((owner, pair)) =
            Player::BOTH.into_iter().find_map(|owner| Some((owner, self.pair(stones, owner)?)))
        {
            stones[owner] |= pair;
            let dead = self.dead(stones);
            stones[owner] |= dead;
            captured[owner] |= pair | dead;
        }
        captured
    }

    /// Two empty cells that a side captures, in a position without dead cells.
    fn pair(&mut self, stones: &ByPlayer<CellSet>, owner: Player) -> Option<CellSet> {
        let no_use = self.no_use_of(stones, owner);
        let mut answers: Vec<(Cell, CellSet)> = Vec::new();
        for cell in &no_use {
            let mut after = *stones;
            after[owner].insert(cell);
            let killed = self.no_use_of(&after, owner.other());
            let back = answers.iter().find(|(before, by)| by.contains(cell) && killed.contains(*before));
            if let Some(&(before, _)) = back {
                return Some([before, cell].into_iter().collect());
            }
            answers.push((cell, killed));
        }
        None
    }

    /// For each cell that is dominated for a side, a cell that dominates it. No cell may be dead before.
    fn dominators(&mut self, stones: &ByPlayer<CellSet>, player: Player) -> Vec<Option<Cell>> {
        let empty = self.cells - stones.first - stones.second;
        let mut kills: Vec<(Cell, CellSet)> = Vec::new();
        for cell in &empty {
            let mut after = *stones;
            after[player].insert(cell);
            let dead = self.dead(&after);
            if !dead.is_empty() {
                kills.push((cell, dead));
            }
        }
        // The cells that kill most come first, so that of two cells that dominate each other the first stays
        // undominated.
        kills.sort_by_key(|(cell, dead)| (Reverse(dead.len()), cell.index()));
        let mut dominators = vec![None; self.ground.cells()];
        for (cell, dead) in kills {
            let root = root(&dominators, cell);
            for victim in dead.iter().filter(|&victim| victim != root) {
                dominators[victim.index()].get_or_insert(root);
            }
        }
        (0..dominators.len()).map(|at| dominators[at].map(|by| root(&dominators, by))).collect()
    }
}

/// The last cell of the chain of dominators that begins with this cell.
fn root(dominators: &[Option<Cell>], cell: Cell) -> Cell {
    let mut at = cell;
    while let Some(by) = dominators[at.index()] {
        at = by;
    }
    at
}
