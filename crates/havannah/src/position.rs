//! [`Position`]: the rules as a game for search.

use std::hash::{Hash, Hasher};

use stonework_board::{Board, Cell, CellSet, SizeError, Symmetry};
use stonework_game::{Finite, Game, Indexed, Keyed, Outcome, Player, Sym};

use crate::chains::{Chains, Joint, Placed};
use crate::tables::{SYMMETRIES, Tables, word};
use crate::wins::{Change, Stone, Wins};
use crate::{Chain, WinKind, WinKinds};

/// A move: a stone, or the exchange of colours.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Move {
    /// A stone of the side to move on an empty cell.
    Place(Cell),
    /// The swap: the first stone becomes the second player's, and the first player moves next.
    Swap,
}

/// The right to swap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) enum Right {
    /// The game has no swap, or its time is past.
    None,
    /// The second player's first action may be a swap; no stone is on the board yet.
    Ahead,
    /// The side to move may swap now.
    Now,
}

/// A Havannah position on a board of size 2 to 20: stones, side to move, the right to swap.
///
/// Beside the stones it keeps, move by move and with undo, the chains with their corners and edges, the winning cells of both
/// sides, and hash words for all twelve symmetries. A stone takes O(1), apart from the look-up of chains (at most log₂ of their
/// size steps), and from the liberties of a chain that is joined to another chain or reaches a new corner or edge.
///
/// `==`, [`Hash`] and the [keys](Keyed) cover size, stones, side to move and the right to swap, but not the order of the moves.
/// Keys stay the same within a major version.
///
/// Memory: about 1.3 kB at size 4 and 5.6 kB at size 10, in a few boxed slices. For random games,
/// [`PlayoutBoard`](crate::PlayoutBoard) is faster: it keeps chains only.
///
/// ```
/// use stonework_game::{Game, Textual, Outcome, Player};
/// use stonework_havannah::{Position, WinKind};
/// let mut game = Position::new(4)?;
/// for name in ["a1", "b1", "a2", "b2", "a3", "b3"] {
///     game.play(game.parse_move(name)?)?;
/// }
/// let a4 = game.board().parse("a4")?;
/// assert!(game.winning_cells(Player::First).contains(a4));
/// game.play(game.parse_move("a4")?)?;
/// assert_eq!(game.outcome(), Some(Outcome::Win(Player::First)));
/// assert_eq!(game.kinds().to_string(), "bridge");
/// let chain = game.winning_chain(WinKind::Bridge).unwrap();
/// assert_eq!(chain.iter().map(|c| game.board().name(c)).collect::<Vec<_>>(), ["a1", "a2", "a3", "a4"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    chains: Chains,
    wins: Wins,
    hashes: [u64; SYMMETRIES],
    to_move: Player,
    right: Right,
    /// The number of stones on the board.
    stones: u16,
    /// The last stone that each side has played, which is no part of the state.
    last: [Option<Cell>; 2],
    won: Option<Won>,
}

/// A finished game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Won {
    pub(crate) player: Player,
    pub(crate) kinds: WinKinds,
    /// The last stone of the game; `None` in a position from a setup, which may have several rings.
    pub(crate) closing: Option<Cell>,
}

/// The undo token of a move.
#[derive(Clone, Copy, Debug)]
pub struct Undo(Back);

#[derive(Clone, Copy, Debug)]
enum Back {
    Stone { cell: Cell, placed: Placed, change: Option<Change>, right: Right, last: Option<Cell> },
    Swap { last: [Option<Cell>; 2] },
}

/// The reason why a move is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The cell has a stone.
    #[error("{} already has a stone of {}", name(*size, *cell), colour(*owner))]
    Occupied {
        /// The cell.
        cell: Cell,
        /// The owner of the stone.
        owner: Player,
        /// The size of the board.
        size: u8,
    },
    /// The board has no such cell.
    #[error("cell {} is not on a board of size {size}, which has cells 0 to {}", cell.index(), 3 * u16::from(*size) * (u16::from(*size) - 1))]
    OffBoard {
        /// The cell.
        cell: Cell,
        /// The size of the board.
        size: u8,
    },
    /// The game has ended.
    #[error("the game is over: {}", match .outcome { Outcome::Win(p) => format!("{} has won", colour(*p)), Outcome::Draw => "a draw".to_owned() })]
    Over {
        /// The outcome.
        outcome: Outcome,
    },
    /// A swap can only be the second player's first action, in a game with swap.
    #[error("no swap here: {}", if *.enabled { "it is the second player's first action or none" } else { "this game is played without, or the time for it is past" })]
    Swap {
        /// `true` if a swap will still be possible in this game.
        enabled: bool,
    },
}

fn name(size: u8, cell: Cell) -> String {
    Board::hexagon(size).map_or_else(|e| e.to_string(), |board| board.name(cell))
}

/// The colour of a player by the rules: `white` for the first player, `black` for the second.
#[must_use]
pub const fn colour(player: Player) -> &'static str {
    match player {
        Player::First => "white",
        Player::Second => "black",
    }
}

impl Position {
    /// The empty board of a size from 2 to 20, to be played without swap.
    ///
    /// # Errors
    /// An error for any other size.
    pub fn new(size: u8) -> Result<Self, SizeError> {
        Self::start(size, Right::None)
    }

    /// The empty board, with the right to swap: the second player's first action may be
    /// [`Move::Swap`].
    ///
    /// # Errors
    /// An error for any size other than 2 to 20.
    pub fn with_swap(size: u8) -> Result<Self, SizeError> {
        Self::start(size, Right::Ahead)
    }

    pub(crate) fn start(size: u8, right: Right) -> Result<Self, SizeError> {
        let chains = Chains::new(Tables::of(size)?);
        let wins = Wins::new(&chains);
        Ok(Self {
            chains,
            wins,
            hashes: [0; SYMMETRIES],
            to_move: Player::First,
            right,
            stones: 0,
            last: [None; 2],
            won: None,
        })
    }

    /// The geometry of the board.
    #[must_use]
    pub const fn board(&self) -> &'static Board {
        self.chains.tables.board
    }

    /// The number of cells on a side of the board, 2 to 20.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.board().size()
    }

    /// The owner of the stone on a cell; `None` for an empty cell.
    ///
    /// # Panics
    /// If the cell is not on the board.
    #[must_use]
    pub fn stone(&self, cell: Cell) -> Option<Player> {
        self.chains.owner(cell.index())
    }

    /// The stones of one side.
    #[must_use]
    pub fn stones(&self, player: Player) -> CellSet {
        self.chains.cells(|row| self.chains.rows()[row][player.index()]).collect()
    }

    /// For each row, the number of the cell at bit 0, which may be off the board, and the stones of both sides.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (i16, [u64; 2])> + '_ {
        let origins = &self.chains.tables.origin;
        origins.iter().zip(self.chains.rows()).map(|(&origin, &[first, second, _])| (origin, [first, second]))
    }

    /// The number of stones on the board.
    #[must_use]
    pub const fn stone_count(&self) -> usize {
        self.stones as usize
    }

    /// The empty cells, in the order of their numbers.
    pub fn empty_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.chains.cells(|row| self.chains.empty(row))
    }

    /// The last stone that a side has played with [`Game::play`]; `None` before its first stone, and after a swap. The
    /// information is no part of the state: neither `==` nor a key knows it.
    #[must_use]
    pub fn last_stone(&self, player: Player) -> Option<Cell> {
        self.last[player.index()]
    }

    /// The chain of the stone on a cell; `None` for an empty cell. O(log stones).
    ///
    /// # Panics
    /// If the cell is not on the board.
    #[must_use]
    pub fn chain(&self, cell: Cell) -> Option<Chain> {
        self.stone(cell).map(|_| self.chains.chain(self.chains.find(cell.index() as u16)))
    }

    /// The chains of one side, in the order of the cells that name them. O(rows + stones).
    pub fn chains(&self, player: Player) -> impl Iterator<Item = Chain> + '_ {
        let stones = self.chains.cells(move |row| self.chains.rows()[row][player.index()]);
        stones
            .filter(|cell| self.chains.names_chain(cell.index()))
            .map(|cell| self.chains.chain(cell.index() as u16))
    }

    /// `true` if a swap is still possible in this game, now or as the second player's first action.
    #[must_use]
    pub fn swap_enabled(&self) -> bool {
        self.right != Right::None
    }

    /// The kinds of win that the winner has completed: with the last stone of a game, or anywhere in a position from a setup.
    /// Empty while the game goes on and after a draw.
    #[must_use]
    pub fn kinds(&self) -> WinKinds {
        self.won.map_or(WinKinds::NONE, |won| won.kinds)
    }

    /// A smallest set of the winner's stones that makes this kind of win; `None` if the game was not won by this kind.
    ///
    /// A bridge is a shortest path between two corners; a fork a smallest tree that touches three
    /// edges; a ring a shortest cycle through the stone that closed it or, in a position from a setup, a shortest cycle of all.
    /// O(cells) for bridge and fork, O(cells²) for a ring; in a position from a setup O(cells² · size) for a ring.
    #[must_use]
    pub fn winning_chain(&self, kind: WinKind) -> Option<CellSet> {
        let won = self.won.filter(|won| won.kinds.contains(kind))?;
        let stones = self.stones(won.player);
        match kind {
            WinKind::Bridge => crate::shortest::bridge(self.board(), &stones),
            WinKind::Fork => crate::shortest::fork(self.board(), &stones),
            WinKind::Ring => crate::shortest::ring(self.board(), &stones, won.closing),
        }
    }

    /// The kinds of win that a stone of `player` on a cell would complete, whichever side is to move. Empty if the cell is
    /// occupied or off the board, and after the end of the game.
    #[must_use]
    pub fn completes(&self, player: Player, cell: Cell) -> WinKinds {
        let open = self.outcome().is_none() && self.board().contains(cell);
        if !open || self.chains.owner(cell.index()).is_some() {
            return WinKinds::NONE;
        }
        self.chains.joint(player, cell.index()).kinds
    }

    /// The empty cells on which a stone of `player` would win at once, whichever side is to move; none after the end. The
    /// position updates the cells move by move, so the call only copies them: O(rows + winning cells).
    #[must_use]
    pub fn winning_cells(&self, player: Player) -> CellSet {
        self.winning(player).collect()
    }

    /// The number of [`winning_cells`](Position::winning_cells). O(1).
    #[must_use]
    pub fn winning_count(&self, player: Player) -> usize {
        if self.outcome().is_none() { self.wins.count(player).into() } else { 0 }
    }

    fn winning(&self, player: Player) -> impl Iterator<Item = Cell> + '_ {
        let some = self.winning_count(player) > 0;
        self.chains.cells(move |row| if some { self.wins.word(player, row) } else { 0 })
    }

    /// `true` if some way to fill the board, with all further stones of `player`'s colour, wins for `player`. If
    /// neither side can win, the game is a certain draw.
    ///
    /// The method puts a stone of the side on every empty cell, and looks for a win: O(cells). It lets the side cross the
    /// opponent's two-bridges, as a test without these crossings would be unsound.
    #[must_use]
    pub fn can_win(&self, player: Player) -> bool {
        if let Some(outcome) = self.outcome() {
            return outcome == Outcome::Win(player);
        }
        let mut chains = self.chains.clone();
        self.empty_cells().any(|cell| {
            let joint = chains.joint(player, cell.index());
            chains.place(player, cell.index(), &joint);
            !joint.kinds.is_empty()
        })
    }

    /// Puts a stone on an empty cell without a turn, for a setup. Returns the kinds of win that it completes.
    pub(crate) fn add_stone(&mut self, player: Player, cell: Cell) -> WinKinds {
        let joint = self.chains.joint(player, cell.index());
        self.put(player, cell.index(), &joint);
        joint.kinds
    }

    /// Sets the side to move, the right to swap and the result, for a setup.
    pub(crate) const fn conclude(&mut self, to_move: Player, right: Right, won: Option<Won>) {
        self.to_move = to_move;
        self.right = right;
        self.won = won;
    }

    #[inline]
    fn put(&mut self, player: Player, cell: usize, joint: &Joint) -> (Placed, Option<Change>) {
        let placed = self.chains.place(player, cell, joint);
        self.stones += 1;
        self.rehash(player, cell);
        // After a win no cell is a winning cell.
        let stone = Stone { player, cell };
        let change = joint
            .kinds
            .is_empty()
            .then(|| self.wins.played(&mut self.chains, stone, joint, &placed, self.stones));
        (placed, change)
    }

    #[inline]
    fn rehash(&mut self, player: Player, cell: usize) {
        let words = &self.chains.tables.zobrist[2 * cell + player.index()];
        for (hash, word) in self.hashes.iter_mut().zip(words) {
            *hash ^= word;
        }
    }

    /// The part of the key that does not depend on stones.
    #[inline]
    fn state_word(&self) -> u64 {
        const WORDS: [u64; 6] = [word(64), word(65), word(66), word(67), word(68), word(69)];
        const SIZES: [u64; 21] = {
            let mut all = [0; 21];
            let mut size = 0;
            while size < 21 {
                all[size] = word(128 + size as u64);
                size += 1;
            }
            all
        };
        SIZES[usize::from(self.size())] ^ WORDS[2 * self.right as usize + self.to_move.index()]
    }

    /// Gives the first stone to the other side, for a swap and for its undo.
    fn recolour(&mut self, from: Player) {
        let Some(cell) = self.stones(from).first() else { return };
        let mut fresh = Self::start(self.size(), self.right).unwrap_or_else(|e| unreachable!("{e}"));
        fresh.add_stone(from.other(), cell);
        fresh.to_move = self.to_move;
        *self = fresh;
    }
}

impl Game for Position {
    type Move = Move;
    type Undo = Undo;
    type Illegal = IllegalMove;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.won {
            Some(won) => Some(Outcome::Win(won.player)),
            None if usize::from(self.stones) == self.board().len() => Some(Outcome::Draw),
            None => None,
        }
    }

    /// The moves are the empty cells in the order of their numbers, then the swap.
    fn legal_moves(&self, out: &mut impl Extend<Move>) {
        if self.outcome().is_some() {
            return;
        }
        out.extend(self.empty_cells().map(Move::Place));
        if self.right == Right::Now {
            out.extend([Move::Swap]);
        }
    }

    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if let Some(outcome) = self.outcome() {
            return Err(IllegalMove::Over { outcome });
        }
        match mv {
            Move::Swap if self.right == Right::Now => Ok(()),
            Move::Swap => Err(IllegalMove::Swap { enabled: self.right == Right::Ahead }),
            Move::Place(cell) if !self.board().contains(cell) => {
                Err(IllegalMove::OffBoard { cell, size: self.size() })
            }
            Move::Place(cell) => match self.chains.owner(cell.index()) {
                Some(owner) => Err(IllegalMove::Occupied { cell, owner, size: self.size() }),
                None => Ok(()),
            },
        }
    }

    fn play_unchecked(&mut self, mv: Move) -> Undo {
        let player = self.to_move;
        self.to_move = player.other();
        let Move::Place(cell) = mv else {
            self.right = Right::None;
            let last = self.last;
            self.recolour(player.other());
            return Undo(Back::Swap { last });
        };
        let joint = self.chains.joint(player, cell.index());
        let (placed, change) = self.put(player, cell.index(), &joint);
        if !joint.kinds.is_empty() {
            self.won = Some(Won { player, kinds: joint.kinds, closing: Some(cell) });
        }
        let right = self.right;
        self.right = if right == Right::Ahead { Right::Now } else { Right::None };
        let last = self.last[player.index()].replace(cell);
        Undo(Back::Stone { cell, placed, change, right, last })
    }

    /// Games of the players of this project have about 10 s − 25 plies on a board of s cells a side: 17 at size 4, 24 at size 5,
    /// 36 at size 6, 60 at size 8 and 72 at size 10, where they vary by half. As many of 10 s − 20 plies as are left are
    /// expected here, and at least a fifth of the empty cells.
    fn expected_plies(&self) -> Option<u32> {
        let (stones, cells) = (u32::from(self.stones), self.board().len() as u32);
        let usual = (10 * u32::from(self.size())).saturating_sub(20);
        Some(usual.saturating_sub(stones).max((cells - stones).div_ceil(5)))
    }

    fn undo(&mut self, undo: Undo) {
        let player = self.to_move.other();
        self.to_move = player;
        match undo.0 {
            Back::Swap { last } => {
                self.right = Right::Now;
                self.recolour(player);
                self.last = last;
            }
            Back::Stone { cell, placed, change, right, last } => {
                if let Some(change) = change {
                    let stone = Stone { player, cell: cell.index() };
                    self.wins.taken_back(&self.chains, stone, change, self.stones);
                }
                self.chains.take_back(player, cell.index(), &placed);
                self.rehash(player, cell.index());
                self.stones -= 1;
                self.right = right;
                self.last[player.index()] = last;
                self.won = None;
            }
        }
    }
}

impl Finite for Position {}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        let state = |p: &Self| (p.size(), p.to_move, p.right);
        state(self) == state(other)
            && self.hashes[0] == other.hashes[0]
            && self.chains.rows() == other.chains.rows()
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl Keyed for Position {
    fn key(&self) -> u64 {
        self.hashes[0] ^ self.state_word()
    }

    fn canonical(&self) -> (u64, Sym) {
        let mut best = (self.hashes[0], 0);
        for (i, &hash) in self.hashes.iter().enumerate().skip(1) {
            if hash < best.0 {
                best = (hash, i as u8);
            }
        }
        (best.0 ^ self.state_word(), Sym(best.1))
    }

    fn map_move(&self, to: Sym, mv: Move) -> Move {
        match (mv, Symmetry::new(to.0)) {
            (Move::Place(cell), Some(s)) => Move::Place(self.board().map(s, cell)),
            _ => mv,
        }
    }

    fn unmap_move(&self, to: Sym, mv: Move) -> Move {
        match (mv, Symmetry::new(to.0)) {
            (Move::Place(cell), Some(s)) => Move::Place(self.board().map(s.inverse(), cell)),
            _ => mv,
        }
    }
}

/// The numbers are the numbers of cells, then the swap.
impl Indexed for Position {
    fn index_len(&self) -> usize {
        self.board().len() + 1
    }

    fn move_index(&self, mv: Move) -> usize {
        match mv {
            Move::Place(cell) => cell.index(),
            Move::Swap => self.board().len(),
        }
    }

    fn move_at(&self, index: usize) -> Option<Move> {
        if index == self.board().len() {
            return Some(Move::Swap);
        }
        Cell::new(index).filter(|&c| self.board().contains(c)).map(Move::Place)
    }
}
