//! [`Position`]: the rules as a game for search.

use std::fmt;
use std::hash::{Hash, Hasher};

use stonework_board::{Board, Cell, CellSet};
use stonework_game::{Game, Indexed, Keyed, Outcome, Player, Sym};

use crate::history::{Change, History};
use crate::plane::{At, Plane};
use crate::stones::{Stones, neighbours};
use crate::tables::{SYMMETRIES, Tables, options_word, swaps_players, symmetry};
use crate::{Captures, Options, SetupError};

/// A move: a stone, or the theft of the first one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Move {
    /// A stone of the side to move on an empty cell.
    Place(Cell),
    /// Blue's first action: red's stone at (r, q) becomes a blue one at (q, r).
    Steal,
}

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Ending {
    /// This player has connected both sides.
    Connection(Player),
    /// The board has occurred as often as [`Options::repetition`] says: a draw.
    Repetition,
    /// As many turns as [`Options::turns`] says have been played: a draw.
    TurnLimit,
}

impl Ending {
    /// Who has won, if anybody.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Connection(player) => Outcome::Win(player),
            Self::Repetition | Self::TurnLimit => Outcome::Draw,
        }
    }

    /// `connection`, `repetition` or `turn limit`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Connection(_) => "connection",
            Self::Repetition => "repetition",
            Self::TurnLimit => "turn limit",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connection(player) => write!(f, "{} has connected both sides", colour(*player)),
            Self::Repetition => f.write_str("a draw by repetition"),
            Self::TurnLimit => f.write_str("a draw by the number of turns"),
        }
    }
}

/// A Cachex position on a board of size 3 to 15: stones, turns played, boards that have occurred.
///
/// Red ([`Player::First`]) joins the sides r = 0 and r = n − 1, blue ([`Player::Second`]) q = 0 and
/// q = n − 1. Sides alternate strictly, so the number of [turns](Position::turns) says who moves.
///
/// `==` covers size, [`Options`], stones, turns, and how often each board has occurred so far (boards
/// by their 64-bit keys), for that decides later draws. [`Hash`] covers the key and the turns. The
/// [keys](Keyed) leave turns and occurrences out, as [`horizon`](Keyed::horizon) tells searches; they
/// cover size, options, stones, side to move, the stage of the opening, and whether the game is drawn.
/// Keys stay the same between versions as long as the major version does.
///
/// A draw by repetition is exact: keys only say where to look, and boards with the same key are compared
/// by what has changed between them. The comparison is of boards alone; whose turn it is does not
/// count.
///
/// Playing a stone is O(n) words, plus a flood of what is newly connected to a side, or, for a capture
/// from a chain that is connected to a side, of that player's stones. Taking back is a copy. Memory:
/// about 0.9 kB and 16 bytes a turn; an [`Undo`] has 288 bytes.
///
/// ```
/// use stonework_cachex::{Ending, Position};
/// use stonework_game::{Game, Textual, Outcome, Player};
/// let mut game = Position::new(4)?;
/// for action in ["3,3", "steal", "0,1", "1,0", "1,1", "2,2", "2,1"] {
///     game.play(game.parse_move(action)?)?;
/// }
/// assert_eq!(game.winning_cells(Player::First).len(), 2);
/// game.play(game.parse_move("3,1")?)?;                          // blue blocks one of them
/// game.play(game.parse_move("3,0")?)?;
/// assert_eq!(game.ending(), Some(Ending::Connection(Player::First)));
/// let chain = game.winning_chain().unwrap();
/// let chain: Vec<_> = chain.iter().map(|cell| game.coordinates(cell)).collect();
/// assert_eq!(chain, [(0, 1), (1, 1), (2, 1), (3, 0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Position {
    tables: &'static Tables,
    options: Options,
    /// The word of the options.
    word: u64,
    stones: Stones,
    history: History,
    turns: u16,
    /// How often the board that has occurred most often has.
    highest: u16,
    ending: Option<Ending>,
}

/// Takes a move back, and tells what it has captured.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    before: Stones,
    highest: u16,
    captured: Captures,
}

impl Undo {
    /// The stones that the move took from the board.
    #[must_use]
    pub const fn captured(&self) -> Captures {
        self.captured
    }
}

/// Why a move is not allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// There is a stone already.
    #[error("{} already has a stone of {}", name(*size, *cell), colour(*owner))]
    Occupied {
        /// The cell.
        cell: Cell,
        /// Whose stone it is.
        owner: Player,
        /// The size of the board.
        size: u8,
    },
    /// The board has no such cell.
    #[error("cell {} is not on a board of size {size}, which has cells 0 to {}", cell.index(), u16::from(*size) * u16::from(*size) - 1)]
    OffBoard {
        /// The cell.
        cell: Cell,
        /// The size of the board.
        size: u8,
    },
    /// The first stone of a game may not go to the centre of a board of odd size.
    #[error("the first stone may not go to the centre, which is {} on a board of size {size}", name(*size, *cell))]
    Centre {
        /// The cell.
        cell: Cell,
        /// The size of the board.
        size: u8,
    },
    /// Only blue's first action may be a steal.
    #[error("no steal after {turns} turns: it is blue's first action, after one turn, or none")]
    Steal {
        /// Turns played so far.
        turns: u16,
    },
    /// The game has ended.
    #[error("the game is over: {ending}")]
    Over {
        /// How it has ended.
        ending: Ending,
    },
}

/// A cell as `r,q`.
pub(crate) fn name(size: u8, cell: Cell) -> String {
    let (cell, size) = (cell.index(), usize::from(size.max(1)));
    format!("{},{}", cell / size, cell % size)
}

/// `red` for the first player and `blue` for the second, as the rules call them.
#[must_use]
pub const fn colour(player: Player) -> &'static str {
    match player {
        Player::First => "red",
        Player::Second => "blue",
    }
}

impl Position {
    /// The empty board of a size from 3 to 15, with the limits of the rules.
    ///
    /// # Errors
    /// [`SetupError::Size`] for any other size.
    pub fn new(size: u8) -> Result<Self, SetupError> {
        Self::with_options(size, Options::default())
    }

    /// The empty board, with limits of one's own.
    ///
    /// # Errors
    /// For a size that is not 3 to 15, or options out of their ranges.
    pub fn with_options(size: u8, options: Options) -> Result<Self, SetupError> {
        crate::Setup { options, ..crate::Setup::new(size) }.position()
    }

    /// Stones that are known to be on the board, two on no cell; options, turns and occurrences that are
    /// known to be in their ranges.
    pub(crate) fn set_up(
        tables: &'static Tables,
        options: Options,
        stones: [Plane; 2],
        turns: u16,
        occurrences: u16,
    ) -> Self {
        let stones = Stones::set_up(tables, stones);
        let history = History::new(stones.hashes[0], occurrences);
        let word = options_word(options);
        let mut position =
            Self { tables, options, word, stones, history, turns, highest: occurrences, ending: None };
        let joined = Player::BOTH.into_iter().find(|&player| position.stones.joined(player));
        position.ending = position.end(joined);
        position
    }

    /// Why the game ends now, if it does, in the order of precedence.
    #[inline]
    fn end(&self, joined: Option<Player>) -> Option<Ending> {
        if let Some(player) = joined {
            Some(Ending::Connection(player))
        } else if self.history.count() >= self.options.repetition {
            Some(Ending::Repetition)
        } else if self.turns >= self.options.turns {
            Some(Ending::TurnLimit)
        } else {
            None
        }
    }

    /// The geometry of the board: a rhombus, whose row numbers are r and whose columns are q.
    ///
    /// Its pictures have r = 0 at the top, so they are those of the specification upside down.
    #[must_use]
    pub const fn board(&self) -> &'static Board {
        self.tables.board
    }

    /// Cells on a side of the board, 3 to 15.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.board().size()
    }

    /// The limits that this game is played with.
    #[must_use]
    pub const fn options(&self) -> Options {
        self.options
    }

    /// The cell in row `r` and column `q`, both from 0; `None` outside the board.
    #[must_use]
    pub fn cell(&self, r: u8, q: u8) -> Option<Cell> {
        (r < self.size() && q < self.size()).then(|| self.tables.cell(At { r, q }))
    }

    /// Row r and column q of a cell.
    ///
    /// # Panics
    /// If the cell is not on the board.
    #[must_use]
    pub fn coordinates(&self, cell: Cell) -> (u8, u8) {
        let At { r, q } = self.tables.at[cell.index()];
        (r, q)
    }

    /// Whose stone is on a cell.
    ///
    /// # Panics
    /// If the cell is not on the board.
    #[must_use]
    pub fn stone(&self, cell: Cell) -> Option<Player> {
        self.stones.owner(self.tables.at[cell.index()])
    }

    /// The stones of one side.
    #[must_use]
    pub fn stones(&self, player: Player) -> CellSet {
        self.cells(*self.stones.of(player)).collect()
    }

    /// How many stones are on the board.
    #[must_use]
    pub fn stone_count(&self) -> usize {
        Player::BOTH.map(|player| self.stones.of(player).len()).iter().sum()
    }

    /// The empty cells, in the order of their numbers.
    pub fn empty_cells(&self) -> impl Iterator<Item = Cell> + use<> {
        self.cells(self.stones.empty(self.tables))
    }

    fn cells(&self, plane: Plane) -> impl Iterator<Item = Cell> + use<> {
        let tables = self.tables;
        plane.iter().map(move |at| tables.cell(at))
    }

    /// Turns played so far, a steal included; after an even number red moves.
    #[must_use]
    pub const fn turns(&self) -> u16 {
        self.turns
    }

    /// How often the board has occurred in this game, now included, whoever was to move.
    #[must_use]
    pub fn occurrences(&self) -> u16 {
        self.history.count()
    }

    /// Whether [`Move::Steal`] is legal now.
    #[must_use]
    pub const fn may_steal(&self) -> bool {
        self.turns == 1 && self.ending.is_none()
    }

    /// Why the game is over, if it is.
    #[must_use]
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// What a stone of `player` on a cell would take, whoever is to move and whether or not the game is
    /// over; nothing if the cell is not empty or not on the board. O(1).
    #[must_use]
    pub fn captures(&self, player: Player, cell: Cell) -> Captures {
        let open = self.board().contains(cell) && self.stone(cell).is_none();
        let pattern = if open { self.stones.captures(player, self.tables.at[cell.index()]) } else { 0 };
        Captures::new(cell, self.size(), pattern)
    }

    /// The empty cells on which a stone of `player` would capture, with what it would take; in the order
    /// of the cells' numbers, whoever is to move. O(cells).
    pub fn capturing(&self, player: Player) -> impl Iterator<Item = (Cell, Captures)> + '_ {
        self.stones.empty(self.tables).iter().filter_map(move |at| {
            let pattern = self.stones.captures(player, at);
            let cell = self.tables.cell(at);
            (pattern != 0).then(|| (cell, Captures::new(cell, self.size(), pattern)))
        })
    }

    /// The stones of `player` that the other side could capture with its next stone. O(cells).
    #[must_use]
    pub fn endangered(&self, player: Player) -> CellSet {
        self.capturing(player.other()).flat_map(|(_, captures)| captures.iter()).collect()
    }

    /// Whether a stone of `player` on a cell would win, whoever is to move; no if the cell is not empty
    /// or not on the board, or the game is over. O(1).
    ///
    /// A capture cannot spoil it: a move takes no stone of the mover's.
    #[must_use]
    pub fn wins(&self, player: Player, cell: Cell) -> bool {
        let open = self.ending.is_none() && self.board().contains(cell) && self.stone(cell).is_none();
        open && self.stones.would_join(self.tables, player, self.tables.at[cell.index()])
    }

    /// The empty cells on which a stone of `player` would win at once, whoever is to move; none after the
    /// end. A few operations a row.
    #[must_use]
    pub fn winning_cells(&self, player: Player) -> CellSet {
        let plane = match self.ending {
            None => self.stones.joining(self.tables, player),
            Some(_) => Plane::EMPTY,
        };
        self.cells(plane).collect()
    }

    /// A smallest set of the winner's stones that connects both sides; `None` if nobody has won.
    /// O(cells) words.
    #[must_use]
    pub fn winning_chain(&self) -> Option<CellSet> {
        let Some(Ending::Connection(player)) = self.ending else { return None };
        let stones = *self.stones.of(player);
        let [low, high] = &self.tables.edges[player.index()];
        // Layers of equal distance from the low side, up to the first that meets the high one.
        let mut layers = vec![low.and(&stones)];
        let mut left = stones.minus(&layers[0]);
        while layers.last()?.and(high).is_empty() {
            let layer = layers.last()?.beside(&left);
            left = left.minus(&layer);
            layers.push(layer);
        }
        let mut at = layers.pop()?.and(high).iter().next()?;
        let mut chain = vec![at];
        while let Some(layer) = layers.pop() {
            at = neighbours(at, layer.around(at)).next()?;
            chain.push(at);
        }
        Some(chain.into_iter().map(|at| self.tables.cell(at)).collect())
    }

    /// Key of a symmetric image.
    #[inline]
    fn image_key(&self, number: usize) -> u64 {
        let side = if swaps_players(number) { self.to_move().other() } else { self.to_move() };
        let drawn = match self.ending {
            Some(Ending::Repetition | Ending::TurnLimit) => self.tables.drawn,
            _ => 0,
        };
        self.stones.hashes[number] ^ self.tables.stage(self.turns, side) ^ self.word ^ drawn
    }
}

/// Whether these changes, the latest first and made by `mover`, leave a board as it was.
fn cancel_out(tables: &Tables, changes: &mut dyn Iterator<Item = Change>, mut mover: Player) -> bool {
    let mut changed = [Plane::EMPTY; 2];
    for change in changes {
        let [own, enemy] = [mover.index(), mover.other().index()];
        match change {
            Change::Stone { cell, captured } => {
                let at = tables.at[usize::from(cell)];
                changed[own].toggle(at);
                neighbours(at, captured).for_each(|at| changed[enemy].toggle(at));
            }
            Change::Steal { cell } => {
                let at = tables.at[usize::from(cell)];
                changed[enemy].toggle(at);
                changed[own].toggle(at.across());
            }
        }
        mover = mover.other();
    }
    changed == [Plane::EMPTY; 2]
}

impl Game for Position {
    type Move = Move;
    type Undo = Undo;
    type Illegal = IllegalMove;

    fn to_move(&self) -> Player {
        Player::BOTH[usize::from(self.turns % 2)]
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ending.map(Ending::outcome)
    }

    /// Empty cells in the order of their numbers, then the steal.
    fn legal_moves(&self, out: &mut impl Extend<Move>) {
        if self.ending.is_some() {
            return;
        }
        let banned = if self.turns == 0 { self.tables.centre } else { None };
        out.extend(self.empty_cells().filter(|&cell| Some(cell) != banned).map(Move::Place));
        if self.may_steal() {
            out.extend([Move::Steal]);
        }
    }

    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        let size = self.size();
        if let Some(ending) = self.ending {
            return Err(IllegalMove::Over { ending });
        }
        match mv {
            Move::Steal if self.may_steal() => Ok(()),
            Move::Steal => Err(IllegalMove::Steal { turns: self.turns }),
            Move::Place(cell) if !self.board().contains(cell) => Err(IllegalMove::OffBoard { cell, size }),
            Move::Place(cell) => match self.stone(cell) {
                Some(owner) => Err(IllegalMove::Occupied { cell, owner, size }),
                None if self.turns == 0 && self.tables.centre == Some(cell) => {
                    Err(IllegalMove::Centre { cell, size })
                }
                None => Ok(()),
            },
        }
    }

    fn play_unchecked(&mut self, mv: Move) -> Undo {
        let (player, tables) = (self.to_move(), self.tables);
        let (before, highest) = (self.stones, self.highest);
        self.turns += 1;
        let (change, captured, joined) = match mv {
            Move::Place(cell) => {
                let at = tables.at[cell.index()];
                let captured = self.stones.place(tables, player, at);
                let joined = self.stones.joins(player, at).then_some(player);
                let change = Change::Stone { cell: cell.index() as u8, captured };
                (change, Captures::new(cell, self.size(), captured), joined)
            }
            Move::Steal => {
                let cell = tables.cell(self.stones.steal(tables, player.other()));
                (Change::Steal { cell: cell.index() as u8 }, Captures::new(cell, self.size(), 0), None)
            }
        };
        let same = |since: &mut dyn Iterator<Item = Change>| cancel_out(tables, since, player);
        let count = self.history.push(self.stones.hashes[0], change, same);
        self.highest = highest.max(count);
        self.ending = self.end(joined);
        Undo { before, highest, captured }
    }

    fn undo(&mut self, undo: Undo) {
        self.stones = undo.before;
        self.highest = undo.highest;
        self.history.pop();
        self.turns -= 1;
        self.ending = None;
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        let state = |p: &Self| (p.size(), p.options, p.turns, p.stones);
        state(self) == state(other) && self.history == other.history
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.key(), self.turns).hash(state);
    }
}

/// The text form, which is all but the counts of earlier boards.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use stonework_game::Textual;
        f.debug_tuple("Position").field(&format_args!("{}", self.position_text())).finish()
    }
}

impl Keyed for Position {
    fn key(&self) -> u64 {
        self.image_key(0)
    }

    /// A board that has occurred k times must occur as often again as is left to the limit; the first time
    /// may be the next ply, and since every ply changes the board, the others are at least two plies apart.
    /// The turn limit is the other bound.
    fn horizon(&self) -> u32 {
        let spare = self.options.repetition.saturating_sub(1).saturating_sub(self.highest);
        let left = self.options.turns.saturating_sub(self.turns).saturating_sub(1);
        (2 * u32::from(spare)).min(u32::from(left))
    }

    /// Over identity and half turn, and over the two reflections that exchange the players with their
    /// sides. An image of the opening in which blue has moved first is no position of a game; it has a
    /// key all the same.
    fn canonical(&self) -> (u64, Sym) {
        let mut best = (self.image_key(0), 0);
        for number in 1..SYMMETRIES {
            let key = self.image_key(number);
            if key < best.0 {
                best = (key, number as u8);
            }
        }
        (best.0, Sym(best.1))
    }

    fn map_move(&self, to: Sym, mv: Move) -> Move {
        match mv {
            Move::Place(cell) if usize::from(to.0) < SYMMETRIES => {
                Move::Place(self.board().map(symmetry(to.0.into()), cell))
            }
            _ => mv,
        }
    }

    /// Each symmetry is its own inverse.
    fn unmap_move(&self, to: Sym, mv: Move) -> Move {
        self.map_move(to, mv)
    }
}

/// Cells by their numbers, then the steal.
impl Indexed for Position {
    fn index_len(&self) -> usize {
        self.board().len() + 1
    }

    fn move_index(&self, mv: Move) -> usize {
        match mv {
            Move::Place(cell) => cell.index(),
            Move::Steal => self.board().len(),
        }
    }

    fn move_at(&self, index: usize) -> Option<Move> {
        if index == self.board().len() {
            return Some(Move::Steal);
        }
        Cell::new(index).filter(|&c| self.board().contains(c)).map(Move::Place)
    }
}
