//! The slow judge of Havannah: wins by their definitions, with flood fills over the whole board.
//!
//! The judge is written from the rules alone and independent of `stonework-havannah`, with which it shares only the
//! geometry of the board and the words for results.

use stonework_board::{Board, Cell, CellSet};
use stonework_game::{Finite, Game, Outcome, Player};
use stonework_havannah::{Move, WinKind, WinKinds};

/// All formations that a set of stones of one colour contains. O(cells).
#[must_use]
pub fn formations(board: &Board, stones: &CellSet) -> WinKinds {
    let mut found = WinKinds::NONE;
    if has_ring(board, stones) {
        found = found.with(WinKind::Ring.into());
    }
    for chain in chains(board, stones) {
        let corners = board.corner_cells().filter(|&c| chain.contains(c)).count();
        let edges = (0..6).filter(|&e| board.edge_cells(e).any(|c| chain.contains(c))).count();
        if corners >= 2 {
            found = found.with(WinKind::Bridge.into());
        }
        if edges >= 3 {
            found = found.with(WinKind::Fork.into());
        }
    }
    found
}

/// The chains of a set of stones: its connected parts. O(cells).
#[must_use]
pub fn chains(board: &Board, stones: &CellSet) -> Vec<CellSet> {
    let mut left = *stones;
    let mut chains = Vec::new();
    while let Some(seed) = left.first() {
        let chain = flood(board, [seed], |c| stones.contains(c));
        left -= chain;
        chains.push(chain);
    }
    chains
}

/// The cells that paths of neighbours connect with `seeds` over `open` cells; seeds that are not open are left out.
fn flood(board: &Board, seeds: impl IntoIterator<Item = Cell>, open: impl Fn(Cell) -> bool) -> CellSet {
    let mut reached = CellSet::new();
    let mut frontier: Vec<Cell> = seeds.into_iter().filter(|&c| open(c)).collect();
    reached.extend(frontier.iter().copied());
    while let Some(cell) = frontier.pop() {
        frontier.extend(board.neighbours(cell).filter(|&n| open(n) && reached.insert(n)));
    }
    reached
}

/// `true` if a set of stones contains a ring. O(cells).
///
/// A flood from outside fills the cells without own stones. A ring encloses a cell: either a cell that the flood does
/// not reach, or an own stone. An own stone escapes if and only if it lies on the rim or beside a cell of the flood. So
/// if the flood reaches all other cells, a stone is enclosed if and only if it is not on the rim and all its six
/// neighbours are own.
#[must_use]
pub fn has_ring(board: &Board, stones: &CellSet) -> bool {
    let rim = board.cells().filter(|&c| board.is_rim(c));
    let outside = flood(board, rim, |c| !stones.contains(c));
    outside.len() + stones.len() < board.len()
        || stones.iter().any(|c| !board.is_rim(c) && board.neighbours(c).all(|n| stones.contains(n)))
}

/// The literal definition of a ring, O(cells²). `true` if there is a cell, of any content, such that every path from
/// this cell to the outside of the board meets one of the *other* stones of the set.
#[must_use]
pub fn has_ring_by_definition(board: &Board, stones: &CellSet) -> bool {
    board.cells().any(|cell| {
        let reached = flood(board, [cell], |c| c == cell || !stones.contains(c));
        !reached.iter().any(|c| board.is_rim(c))
    })
}

/// A Havannah position that answers every question by looking at the whole board.
///
/// ```
/// use stonework_game::{Game, Outcome, Player};
/// use stonework_havannah::{Move, WinKinds};
/// use stonework_oracle::Judge;
/// let mut judge = Judge::new(4, false)?;
/// for name in "a1 b1 a2 b2 a3 b3 a4".split(' ') {
///     judge.play(Move::Place(judge.board().parse(name)?))?;
/// }
/// assert_eq!(judge.outcome(), Some(Outcome::Win(Player::First)));
/// assert_eq!(judge.kinds(), WinKinds::BRIDGE);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judge {
    size: u8,
    stones: [CellSet; 2],
    to_move: Player,
    /// The number of actions so far, on which the right to swap depends.
    actions: usize,
    swap: bool,
    ended: Option<(Outcome, WinKinds)>,
}

/// The reason why the judge refuses a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The cell is taken or not on the board.
    #[error("{0:?} is taken or off the board")]
    NotEmpty(Cell),
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// Swapping is not allowed now.
    #[error("no swap now")]
    Swap,
}

impl Judge {
    /// The empty board of a size from 2 to 20, with or without the right to swap.
    ///
    /// # Errors
    /// An error for another size.
    pub fn new(size: u8, swap: bool) -> Result<Self, stonework_board::SizeError> {
        Board::hexagon(size)?;
        let stones = [CellSet::new(); 2];
        Ok(Self { size, stones, to_move: Player::First, actions: 0, swap, ended: None })
    }

    /// The geometry of the board.
    #[must_use]
    pub fn board(&self) -> &'static Board {
        Board::hexagon(self.size).unwrap_or_else(|e| unreachable!("checked by `new`: {e}"))
    }

    /// The formations that the winner has completed.
    #[must_use]
    pub fn kinds(&self) -> WinKinds {
        self.ended.map_or(WinKinds::NONE, |(_, kinds)| kinds)
    }

    /// The stones of one side.
    #[must_use]
    pub const fn stones(&self, player: Player) -> CellSet {
        self.stones[player.index()]
    }

    /// `true` if `player` would own a formation with a stone on every empty cell.
    #[must_use]
    pub fn can_win(&self, player: Player) -> bool {
        if let Some((outcome, _)) = self.ended {
            return outcome == Outcome::Win(player);
        }
        let theirs = self.stones(player.other());
        let mine = self.board().cells().filter(|&c| !theirs.contains(c)).collect();
        !formations(self.board(), &mine).is_empty()
    }

    /// The empty cells on which `player` would complete a formation; none after the end.
    #[must_use]
    pub fn winning_cells(&self, player: Player) -> CellSet {
        let wins = |&cell: &Cell| {
            let mut mine = self.stones(player);
            mine.insert(cell) && !formations(self.board(), &mine).is_empty()
        };
        let empty = |&cell: &Cell| !self.stones.iter().any(|s| s.contains(cell));
        if self.ended.is_some() {
            CellSet::new()
        } else {
            self.board().cells().filter(empty).filter(wins).collect()
        }
    }

    fn may_swap(&self) -> bool {
        self.swap && self.actions == 1
    }
}

impl Game for Judge {
    type Move = Move;
    /// The whole previous position.
    type Undo = Self;
    type Illegal = Refused;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ended.map(|(outcome, _)| outcome)
    }

    fn legal_moves(&self, out: &mut impl Extend<Move>) {
        if self.ended.is_none() {
            let [first, second] = &self.stones;
            let empty = self.board().cells().filter(|&c| !first.contains(c) && !second.contains(c));
            out.extend(empty.map(Move::Place));
            out.extend(self.may_swap().then_some(Move::Swap));
        }
    }

    fn check(&self, mv: Move) -> Result<(), Refused> {
        let mut legal = Vec::new();
        self.legal_moves(&mut legal);
        match mv {
            _ if self.ended.is_some() => Err(Refused::Over),
            _ if legal.contains(&mv) => Ok(()),
            Move::Place(cell) => Err(Refused::NotEmpty(cell)),
            Move::Swap => Err(Refused::Swap),
        }
    }

    fn play_unchecked(&mut self, mv: Move) -> Self {
        let before = self.clone();
        let mover = self.to_move;
        match mv {
            Move::Swap => self.stones.swap(0, 1),
            Move::Place(cell) => {
                self.stones[mover.index()].insert(cell);
                let kinds = formations(self.board(), &self.stones[mover.index()]);
                if !kinds.is_empty() {
                    self.ended = Some((Outcome::Win(mover), kinds));
                } else if self.stones[0].len() + self.stones[1].len() == self.board().len() {
                    self.ended = Some((Outcome::Draw, kinds));
                }
            }
        }
        self.to_move = mover.other();
        self.actions += 1;
        before
    }

    fn undo(&mut self, before: Self) {
        *self = before;
    }
}

impl Finite for Judge {}
