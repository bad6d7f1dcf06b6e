//! [`PlayoutBoard`]: a board for random games, with the rules made again.

mod around;
mod core;
mod layout;
#[cfg(test)]
mod tests;

use std::fmt;

use rand_core::RngCore;
use stonework_board::{Board, Cell, SizeError};
use stonework_game::{ByPlayer, Game, Outcome, Player};

use self::core::{Progress, State};
use self::layout::{Layout, MAX_CELLS};
use crate::{Position, WinKinds};

/// A board that plays random games to the end, without undo, keys and swap. It allocates only when it is made.
///
/// ```
/// use stonework_game::{Game, Player, Textual, rng};
/// use stonework_havannah::{PlayoutBoard, Position};
/// let mut rng = rng(1);
/// let mut position = Position::new(5)?;
/// position.play(position.parse_move("e5")?)?;
/// let root = PlayoutBoard::from(&position);
/// let mut board = root.clone();
/// let mut won = 0;
/// for _ in 0..1000 {
///     board.copy_from(&root);
///     let playout = board.run(&mut rng);
///     won += usize::from(playout.winner == Some(Player::First));
///     assert_eq!(board.trace().len(), usize::from(playout.plies));
/// }
/// assert!((490..590).contains(&won), "{won}");                // 53.6 % in the long run
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # How it works
///
/// **Windows.** A new stone needs the pattern of its own neighbours. For each side and each row, a word has *three* rows, this
/// row and the rows above and below, interleaved by column. Three columns of the word are the neighbourhood of a cell, by
/// one shift:
///
/// ```text
///                                      column   x−1   x   x+1
///      NW  NE      bits  0   3          row y−1   0    3    6      bits 2 and 6 are
///     W   *   E         1  4  7         row y     1    4    7      no neighbours
///      SW  SE            5   8          row y+1   2    5    8
/// ```
///
/// A stone sets one bit in each of three words. Two columns of zeros at the ends and two rows that are never read take the
/// place of the rim. A word has room for 21 columns. Above size 10 a row has two words that share two columns, so that one of
/// them has all three columns of a cell.
///
/// **Chains.** The window gives the runs of own neighbours, with a stone of each run. A stone without own neighbours founds a
/// chain and takes the next number. Two chains are joined by union of their trees, the lower under the higher; if a tree would
/// have height three, all trees are reduced to height one, which is rare. So a look-up is always label, parent, parent, without
/// a loop and without a branch to mispredict. A root has a mask of the corners and edges of its chain, and a table of 4096
/// entries has the masks that win. By the [`ring_rule`](crate::ring_rule) a stone closes a ring if two runs have one root, or
/// if a neighbour in the middle of three own neighbours has six own neighbours itself. Nearly one stone in five has more than one
/// run or a run of three, and takes a slower path.
///
/// **Draws.** The empty cells are a list in any order. A draw exchanges a random entry with the last entry, and shortens the
/// list by one. The list is never sorted again: from any first order, every sequence of cells is equally likely. Four cells
/// are drawn from one random number of 64 bits by multiplication: no sequence of four is more likely than another by more than
/// 2⁻²³ (2⁻³¹ at size 10).
///
/// # Costs
///
/// The data are in one box with one of five capacities. The capacities are constants, so that one pointer is enough and most
/// indices need a mask in place of a check:
///
/// | up to size | windows | list | labels | chains | all |
/// |--|--|--|--|--|--|
/// | 4 | 144 | 74 | 64 | 32 × 3 | 424 |
/// | 5 | 176 | 122 | 128 | 64 × 3 | 664 |
/// | 8 | 272 | 338 | 256 | 128 × 3 | 1296 |
/// | 10 | 336 | 542 | 512 | 256 × 3 | 2200 |
/// | 20 | 1312 | 2282 | 4096 | 1024 × 4 | 11832 |
///
/// Beside these bytes, all boards of a size share about 25 kB of tables. The number of chains of a side has a proved bound:
/// (s − 1)² + ⌊3(s − 1)/2⌋ + 1.
///
/// A random stone takes 60 (size 10) to 69 instructions (sizes 4 and 20), reset included; a copy is one `memcpy`.
/// [`place`](PlayoutBoard::place) looks for its cell in the list, as an index of the list would take every random stone two
/// more writes, and every board two more bytes a cell. It finds the cell soonest on a board that was made from a position, or
/// copied from such a board, at the beginning of the game.
#[derive(Clone)]
pub struct PlayoutBoard {
    layout: &'static Layout,
    store: Store,
    now: Progress,
    winner: Option<Player>,
}

/// The result of a playout.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlayoutResult {
    /// The winner; `None` for a draw.
    pub winner: Option<Player>,
    /// The kinds of win that the last stone has completed.
    pub kinds: WinKinds,
    /// The number of stones that were played.
    pub plies: u16,
}

/// The state with its capacities: the type of a chain's number, then the numbers of words, spots, chains and cells.
#[derive(Clone)]
enum Store {
    Four(Box<State<u8, 18, 64, 32, 37>>),
    Five(Box<State<u8, 22, 128, 64, 61>>),
    Eight(Box<State<u8, 34, 256, 128, 169>>),
    Ten(Box<State<u8, 42, 512, 256, 271>>),
    Twenty(Box<State<u16, 164, 2048, 1024, MAX_CELLS>>),
}

/// Evaluates an expression for the state of any capacity.
macro_rules! with {
    ($store:expr, $state:ident => $do:expr) => {
        match $store {
            Store::Four($state) => $do,
            Store::Five($state) => $do,
            Store::Eight($state) => $do,
            Store::Ten($state) => $do,
            Store::Twenty($state) => $do,
        }
    };
}

impl PlayoutBoard {
    /// The empty board of a size from 2 to 20, first player to move.
    ///
    /// # Errors
    /// An error for any other size.
    pub fn new(size: u8) -> Result<Self, SizeError> {
        Layout::of(size).map(Self::empty)
    }

    fn empty(layout: &'static Layout) -> Self {
        let mut store = match layout.board.size() {
            0..=4 => Store::Four(Box::new(State::new(layout))),
            5 => Store::Five(Box::new(State::new(layout))),
            6..=8 => Store::Eight(Box::new(State::new(layout))),
            9..=10 => Store::Ten(Box::new(State::new(layout))),
            11.. => Store::Twenty(Box::new(State::new(layout))),
        };
        let now = with!(&mut store, state => state.reset(layout));
        Self { layout, store, now, winner: None }
    }

    /// The geometry of the board.
    #[must_use]
    pub const fn board(&self) -> &'static Board {
        self.layout.board
    }

    /// Removes all stones; the first player moves.
    #[inline]
    pub fn reset(&mut self) {
        self.now = with!(&mut self.store, state => state.reset(self.layout));
        self.winner = None;
    }

    /// Sets up the stones, the side to move and the result of a position, from a game or from a [`Setup`](crate::Setup). The
    /// right to swap is ignored. O(cells), mostly a copy; each stone takes the time of a move.
    ///
    /// # Panics
    /// If the position has another size.
    pub fn load(&mut self, position: &Position) {
        assert_eq!(self.board().size(), position.size(), "a position of another size");
        let layout = self.layout;
        self.now = with!(&mut self.store, state => state.load(layout, position.rows()));
        self.now.side = position.to_move().index() as u8;
        self.now.kinds = position.kinds();
        self.winner = position.outcome().and_then(Outcome::winner);
    }

    /// Becomes a copy of another board of the same size, without allocating.
    ///
    /// # Panics
    /// If the sizes differ.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        assert_eq!(self.board().size(), other.board().size(), "a board of another size");
        match (&mut self.store, &other.store) {
            (Store::Four(to), Store::Four(from)) => **to = **from,
            (Store::Five(to), Store::Five(from)) => **to = **from,
            (Store::Eight(to), Store::Eight(from)) => **to = **from,
            (Store::Ten(to), Store::Ten(from)) => **to = **from,
            (Store::Twenty(to), Store::Twenty(from)) => **to = **from,
            _ => unreachable!("one size has one capacity"),
        }
        self.now = other.now;
        self.winner = other.winner;
    }

    /// The side to move; after the end, the side that would be to move.
    #[must_use]
    #[inline]
    pub const fn to_move(&self) -> Player {
        if self.now.side == 0 { Player::First } else { Player::Second }
    }

    /// The outcome; `None` while the game goes on.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        match self.winner {
            Some(winner) => Some(Outcome::Win(winner)),
            None if self.now.left == 0 => Some(Outcome::Draw),
            None => None,
        }
    }

    /// The kinds of win that the winner has completed; empty while the game goes on and after a draw.
    #[must_use]
    pub const fn kinds(&self) -> WinKinds {
        self.now.kinds
    }

    /// The owner of the stone on a cell; `None` for an empty cell.
    ///
    /// # Panics
    /// If the cell is not on the board.
    #[must_use]
    pub fn stone(&self, cell: Cell) -> Option<Player> {
        let spot = self.layout.spot_of[cell.index()];
        let has = |p: &Player| with!(&self.store, state => state.has(self.layout, spot, p.index()));
        Player::BOTH.into_iter().find(has)
    }

    /// The stones of both sides within two steps of a cell: bit i for the i-th cell of
    /// [`NEIGHBOURHOOD`](stonework_board::NEIGHBOURHOOD), 0 to 17. With [`Board::outside`] these bits are all that a
    /// pattern needs. O(1), from the rows of bits that the board has anyway: playouts without patterns have no extra
    /// cost.
    ///
    /// ```
    /// use stonework_game::Player;
    /// use stonework_havannah::PlayoutBoard;
    /// let mut board = PlayoutBoard::new(5)?;
    /// let [e5, e4, c4] = ["e5", "e4", "c4"].map(|name| board.board().parse(name).unwrap());
    /// board.place(e4);
    /// board.place(c4);
    /// assert_eq!(board.around(e5)[Player::First], 1 << 0);           // the neighbour to the west
    /// assert_eq!(board.around(e5)[Player::Second], 1 << 7);          // two steps up, between NW and NE
    /// # Ok::<(), stonework_board::SizeError>(())
    /// ```
    ///
    /// # Panics
    /// If the cell is not on the board.
    #[must_use]
    #[inline]
    pub fn around(&self, cell: Cell) -> ByPlayer<u32> {
        let spot = self.layout.spot_of[cell.index()];
        let inside = !self.board().outside(cell);
        let [first, second] = with!(&self.store, state => state.around(self.layout, spot));
        ByPlayer { first: first & inside, second: second & inside }
    }

    /// The empty cells, in no order; while the game goes on, they are the moves.
    #[must_use]
    pub fn empty_cells(&self) -> impl ExactSizeIterator<Item = Cell> + '_ {
        self.list()[..usize::from(self.now.left)].iter().map(|&spot| self.cell(spot))
    }

    /// Plays a stone of the side to move. Returns the kinds of win that the stone completes. Finds the cell in the
    /// list of empty cells: O(cells), about 20 ns at size 10.
    ///
    /// # Panics
    /// If the cell is not empty, or the game is over.
    pub fn place(&mut self, cell: Cell) -> WinKinds {
        assert!(self.outcome().is_none(), "the game is over");
        let spot = self.layout.spot_of[cell.index()];
        let placed = with!(&mut self.store, state => state.place(self.layout, spot, &mut self.now));
        assert!(placed, "{} is not empty", self.board().name(cell));
        self.settle();
        self.now.kinds
    }

    /// Plays one random move like a move of [`run`](PlayoutBoard::run). Returns the cell and the kinds of win that the
    /// stone completes. For playouts that choose some moves by a policy and [`place`](PlayoutBoard::place) them.
    ///
    /// # Panics
    /// If the game is over.
    pub fn step(&mut self, rng: &mut (impl RngCore + ?Sized)) -> (Cell, WinKinds) {
        assert!(self.outcome().is_none(), "the game is over");
        let spot = with!(&mut self.store, state => state.step(self.layout, &mut self.now, rng));
        self.settle();
        (self.cell(spot), self.now.kinds)
    }

    /// Sets the winner after a move that has completed a win.
    #[inline]
    fn settle(&mut self) {
        if !self.now.kinds.is_empty() {
            self.winner = Some(self.to_move().other());
        }
    }

    /// Plays random moves, each empty cell equally likely, until a side has won or the board is full. Plays nothing
    /// after the end of the game.
    #[inline]
    pub fn run(&mut self, rng: &mut (impl RngCore + ?Sized)) -> PlayoutResult {
        if self.winner.is_some() {
            self.now.start = self.now.left;
        } else {
            with!(&mut self.store, state => state.run(self.layout, &mut self.now, rng));
            self.settle();
        }
        PlayoutResult { winner: self.winner, kinds: self.now.kinds, plies: self.now.start - self.now.left }
    }

    /// The stones in the order of play, with their owners: the stones of the last [`run`](PlayoutBoard::run) or,
    /// without a run, the stones since the last reset or load. The trace costs nothing until the call: the end of the
    /// list of empty cells is the record of the game.
    #[must_use]
    pub fn trace(&self) -> impl ExactSizeIterator<Item = (Player, Cell)> + '_ {
        let played = &self.list()[usize::from(self.now.left)..usize::from(self.now.start)];
        let first = if played.len().is_multiple_of(2) { self.to_move() } else { self.to_move().other() };
        let mover = move |ply: usize| if ply.is_multiple_of(2) { first } else { first.other() };
        played.iter().rev().enumerate().map(move |(ply, &spot)| (mover(ply), self.cell(spot)))
    }

    /// The bytes on the heap, with the list of empty cells, and the bytes of the struct itself. The tables that boards
    /// of a size share do not count.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        size_of::<Self>() + with!(&self.store, state => size_of_val(&**state))
    }

    fn list(&self) -> &[u16] {
        with!(&self.store, state => state.list())
    }

    fn cell(&self, spot: u16) -> Cell {
        Cell::new(self.layout.cell_of[usize::from(spot)].into()).expect("a number that the board gave")
    }
}

impl From<&Position> for PlayoutBoard {
    fn from(position: &Position) -> Self {
        let mut board = Self::new(position.size()).expect("the size of a position");
        board.load(position);
        board
    }
}

impl fmt::Debug for PlayoutBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlayoutBoard")
            .field("size", &self.board().size())
            .field("empty", &self.now.left)
            .field("to_move", &self.to_move())
            .field("outcome", &self.outcome())
            .finish_non_exhaustive()
    }
}
