//! [`SmallPosition`]: Havannah on a small board, for solvers.

use std::fmt;

use stonework_board::{Board, Cell};
use stonework_game::{ByPlayer, Finite, Game, Indexed, Keyed, Outcome, ParseError, Player, Sym, Textual};
use stonework_havannah::{IllegalMove, Position, Setup, SetupError};

use crate::lattice::{Lattice, SYMMETRIES};
use crate::side::Side;
use crate::word::Word;

/// A Havannah position on a board to size 10, without swap: `SmallPosition<u64>` for sizes 2 to 4, `SmallPosition<u128>` to 6,
/// `SmallPosition<Words<4>>` to 8 and `SmallPosition<Words<6>>` to 10.
///
/// The game, with its texts, is the same as [`Position`]'s. A set of cells is a single number, which makes
/// [`ThreatSearch`](crate::ThreatSearch) fast. To size 4 [keys](Keyed) are exact: different positions have different keys.
///
/// ```
/// use stonework_game::Game;
/// use stonework_havannah::Position;
/// use stonework_havannah_solver::SmallPosition;
/// let mut position = SmallPosition::<u64>::try_from(&Position::new(4)?)?;
/// let corner = position.board().parse("a1")?;
/// position.play(corner)?;
/// assert!(position.play(corner).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SmallPosition<W: Word> {
    lattice: &'static Lattice<W>,
    sides: ByPlayer<Side<W>>,
    empty: W,
    /// For each symmetric image, the sum that its key comes from.
    sums: [u64; SYMMETRIES],
    to_move: Player,
    winner: Option<Player>,
}

/// The undo token of a stone.
#[derive(Clone, Copy, Debug)]
pub struct Undo<W> {
    cell: W,
    before: Side<W>,
}

/// The reason why a position has no form as a [`SmallPosition`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// The board is too large.
    #[error("size {size}: small positions of {bits} bits go to size {limit}")]
    Size {
        /// The size of the board.
        size: u8,
        /// Bits of the word.
        bits: u32,
        /// The largest size.
        limit: u8,
    },
    /// The position has the right to swap.
    #[error("small positions are without swap")]
    Swap,
}

impl<W: Word> SmallPosition<W> {
    /// The geometry of the board.
    #[must_use]
    pub const fn board(&self) -> &'static Board {
        self.lattice.board
    }

    #[inline]
    pub(crate) const fn lattice(&self) -> &'static Lattice<W> {
        self.lattice
    }

    #[inline]
    pub(crate) const fn side(&self, player: Player) -> &Side<W> {
        match player {
            Player::First => &self.sides.first,
            Player::Second => &self.sides.second,
        }
    }

    #[inline]
    pub(crate) const fn empty(&self) -> W {
        self.empty
    }

    /// The empty cells on which a stone of `player` would win at once, whichever side is to move; none after the end. O(1).
    pub fn winning_cells(&self, player: Player) -> impl Iterator<Item = Cell> + use<W> {
        let wins = if self.outcome().is_none() { self.sides[player].wins(self.empty) } else { W::NONE };
        self.lattice.cells_of(wins)
    }

    /// `true` if `player` could still win if all further stones were of its colour. O(cells).
    #[must_use]
    pub fn can_win(&self, player: Player) -> bool {
        match self.outcome() {
            Some(outcome) => outcome == Outcome::Win(player),
            None => self.lattice.has_win(self.sides[player].stones | self.empty),
        }
    }

    /// The owner of the stone on a cell; `None` for an empty cell and off the board.
    #[must_use]
    pub fn stone(&self, cell: Cell) -> Option<Player> {
        let set = self.lattice.set(cell);
        Player::BOTH.into_iter().find(|&player| !(self.sides[player].stones & set).is_empty())
    }

    /// The same position as a [`Position`] of the rules.
    ///
    /// # Errors
    /// The error of [`Setup::position`]; never for a position before a win.
    pub fn position(&self) -> Result<Position, SetupError> {
        let mut setup = Setup::new(self.board().size());
        for player in Player::BOTH {
            setup.stones[player].extend(self.lattice.cells_of(self.sides[player].stones));
        }
        setup.to_move = self.to_move;
        setup.position()
    }
}

impl<W: Word> TryFrom<&Position> for SmallPosition<W> {
    type Error = Unfit;

    fn try_from(position: &Position) -> Result<Self, Unfit> {
        let size = position.size();
        let unfit = Unfit::Size { size, bits: 8 * size_of::<W>() as u32, limit: W::MAX_SIZE };
        let lattice = W::lattice(size).ok_or(unfit)?;
        if position.swap_enabled() {
            return Err(Unfit::Swap);
        }
        let winner = position.outcome().and_then(Outcome::winner);
        let mut sides = ByPlayer::new(Side::new(lattice), Side::new(lattice));
        let empty = position.empty_cells().fold(W::NONE, |set, cell| set | lattice.set(cell));
        let mut sums = [0_u64; SYMMETRIES];
        for player in Player::BOTH {
            for cell in &position.stones(player) {
                let cell = lattice.set(cell);
                sides[player].place(lattice, cell, empty);
                add(&mut sums, lattice.weights(cell, player));
            }
        }
        Ok(Self { lattice, sides, empty, sums, to_move: position.to_move(), winner })
    }
}

#[inline]
fn add(sums: &mut [u64; SYMMETRIES], weights: &[u64; SYMMETRIES]) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum = sum.wrapping_add(*weight);
    }
}

impl<W: Word> Game for SmallPosition<W> {
    type Move = Cell;
    type Undo = Undo<W>;
    type Illegal = IllegalMove;

    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        match self.winner {
            Some(winner) => Some(Outcome::Win(winner)),
            None if self.empty.is_empty() => Some(Outcome::Draw),
            None => None,
        }
    }

    /// Empty cells in the order of their numbers.
    fn legal_moves(&self, out: &mut impl Extend<Cell>) {
        if self.outcome().is_none() {
            out.extend(self.lattice.cells_of(self.empty));
        }
    }

    fn check(&self, mv: Cell) -> Result<(), IllegalMove> {
        let size = self.board().size();
        if let Some(outcome) = self.outcome() {
            return Err(IllegalMove::Over { outcome });
        }
        if !self.board().contains(mv) {
            return Err(IllegalMove::OffBoard { cell: mv, size });
        }
        self.stone(mv).map_or(Ok(()), |owner| Err(IllegalMove::Occupied { cell: mv, owner, size }))
    }

    #[inline]
    fn play_unchecked(&mut self, mv: Cell) -> Undo<W> {
        let cell = self.lattice.set(mv);
        let player = self.to_move;
        let side = &mut self.sides[player];
        let undo = Undo { cell, before: *side };
        if !(side.wins(self.empty) & cell).is_empty() {
            self.winner = Some(player);
        }
        self.empty &= !cell;
        side.place(self.lattice, cell, self.empty);
        add(&mut self.sums, self.lattice.weights(cell, player));
        self.to_move = player.other();
        undo
    }

    #[inline]
    fn undo(&mut self, undo: Undo<W>) {
        let player = self.to_move.other();
        self.to_move = player;
        self.sides[player] = undo.before;
        self.empty |= undo.cell;
        self.winner = None;
        for (sum, weight) in self.sums.iter_mut().zip(self.lattice.weights(undo.cell, player)) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
}

impl<W: Word> Finite for SmallPosition<W> {}

impl<W: Word> PartialEq for SmallPosition<W> {
    fn eq(&self, other: &Self) -> bool {
        let stones = |p: &Self| Player::BOTH.map(|player| p.sides[player].stones);
        std::ptr::eq(self.lattice, other.lattice)
            && self.to_move == other.to_move
            && stones(self) == stones(other)
    }
}

impl<W: Word> Eq for SmallPosition<W> {}

impl<W: Word> Keyed for SmallPosition<W> {
    fn key(&self) -> u64 {
        self.lattice.key(self.sums[0], self.to_move)
    }

    #[inline]
    fn canonical(&self) -> (u64, Sym) {
        let mut best = (self.sums[0], 0);
        for (i, &sum) in self.sums.iter().enumerate().skip(1) {
            if sum < best.0 {
                best = (sum, i as u8);
            }
        }
        (self.lattice.key(best.0, self.to_move), Sym(best.1))
    }

    fn map_move(&self, to: Sym, mv: Cell) -> Cell {
        stonework_board::Symmetry::new(to.0).map_or(mv, |s| self.board().map(s, mv))
    }

    fn unmap_move(&self, to: Sym, mv: Cell) -> Cell {
        stonework_board::Symmetry::new(to.0).map_or(mv, |s| self.board().map(s.inverse(), mv))
    }
}

/// The numbers of [`Position`]: cells by their numbers, then the swap, which a [`SmallPosition`] never has.
impl<W: Word> Indexed for SmallPosition<W> {
    fn index_len(&self) -> usize {
        self.board().len() + 1
    }

    fn move_index(&self, mv: Cell) -> usize {
        mv.index()
    }

    fn move_at(&self, index: usize) -> Option<Cell> {
        Cell::new(index).filter(|&cell| self.board().contains(cell))
    }
}

/// The texts of [`Position`].
impl<W: Word> Textual for SmallPosition<W> {
    fn write_move(&self, mv: Cell, w: &mut dyn fmt::Write) -> fmt::Result {
        w.write_str(&self.board().name(mv))
    }

    fn parse_move(&self, text: &str) -> Result<Cell, ParseError> {
        self.board().parse(text).map_err(|e| ParseError { at: e.at(), what: e.to_string() })
    }

    fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result {
        self.position().map_err(|_| fmt::Error)?.write_position(w)
    }

    fn parse_position(text: &str) -> Result<Self, ParseError> {
        let position = Position::parse_position(text)?;
        Self::try_from(&position).map_err(|e| ParseError { at: 0, what: e.to_string() })
    }
}
