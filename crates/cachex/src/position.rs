//! [`Position`]: the rules as a game for search.

use std::fmt;
use std::hash::{Hash, Hasher};

use stonework_board::{Board, Cell, CellSet};
use stonework_game::{Game, Indexed, Keyed, Outcome, Player, Sym};

use crate::action::{Ending, IllegalMove, Move};
use crate::history::{Change, History};
use crate::plane::{At, Plane};
use crate::stones::{Stones, neighbours};
use crate::tables::{SYMMETRIES, Tables, options_word, swaps_players, symmetry};
use crate::{Captures, Options, SetupError};

/// A Cachex position on a board of size 3 to 15: the stones, the number of turns played, and the boards that have occurred.
///
/// Red ([`Player::First`]) connects the sides r = 0 and r = n − 1, blue ([`Player::Second`]) the sides q = 0 and q = n − 1.
/// Turns alternate strictly, so the side to move follows from the number of [turns](Position::turns).
///
/// `==` covers size, [`Options`], stones, turns, and the number of occurrences of each board so far. Later draws depend on these
/// numbers; `==` identifies earlier boards by their 64-bit keys. [`Hash`] covers the key and the turns. The [keys](Keyed) cover size,
/// options, stones, side to move, the stage of the opening, and whether the game is drawn. The keys leave out turns and
/// occurrences, for which searches have the [`horizon`](Keyed::horizon). Keys stay the same within a major version.
///
/// A draw by repetition is exact: `play` compares boards with equal keys by the changes between them. The comparison is of
/// boards alone; the side to move may differ.
///
/// Playing a stone takes O(n) operations on words, and a flood if the stone connects other stones to a side, or if it captures
/// from a chain that is connected to a side. The first flood goes over the newly connected stones, the second over the stones of
/// the captured player. Taking back is a copy. A position has about 0.9 kB and 16 bytes for each turn; an [`Undo`] has 288 bytes.
///
/// ```
/// use stonework_cachex::{Ending, Position};
/// use stonework_game::{Game, Textual, Outcome, Player};
/// let mut game = Position::new(4)?;
/// for action in ["3,3", "steal", "0,1", "1,0", "1,1", "2,2", "2,1"] {
///     game.play(game.parse_move(action)?)?;
/// }
/// assert_eq!(game.winning_cells(Player::First).len(), 2);
/// game.play(game.parse_move("3,1")?)?;                          // blue blocks one of the two cells
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
    /// The part of the keys that depends on the options.
    options_key: u64,
    stones: Stones,
    history: History,
    turns: u16,
    /// The greatest number of occurrences of any board in this game.
    most_occurrences: u16,
    ending: Option<Ending>,
}

/// The undo token of a move: the stones and the most occurrences before the move, and the stones that the move has captured.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    before: Stones,
    most_occurrences: u16,
    captured: Captures,
}

impl Undo {
    /// The stones that the move has captured.
    #[must_use]
    pub const fn captured(&self) -> Captures {
        self.captured
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

    /// The empty board, with other limits.
    ///
    /// # Errors
    /// An error for any size other than 3 to 15, or for options out of their ranges.
    pub fn with_options(size: u8, options: Options) -> Result<Self, SetupError> {
        crate::Setup { options, ..crate::Setup::new(size) }.position()
    }

    /// The position with these stones. The caller has checked that the stones are on the board, that no cell has two stones, and
    /// that options, turns and occurrences are in their ranges.
    pub(crate) fn set_up(
        tables: &'static Tables,
        options: Options,
        stones: [Plane; 2],
        turns: u16,
        occurrences: u16,
    ) -> Self {
        let stones = Stones::set_up(tables, stones);
        let history = History::new(stones.hashes[0], occurrences);
        let mut position = Self {
            tables,
            options,
            options_key: options_word(options),
            stones,
            history,
            turns,
            most_occurrences: occurrences,
            ending: None,
        };
        let joined = Player::BOTH.into_iter().find(|&player| position.stones.joined(player));
        position.ending = position.ending_now(joined);
        position
    }

    /// The end of the game in the present position, if the game is over. `joined` is the player whose chain connects both sides.
    /// A connection precedes a repetition, and a repetition precedes the limit of turns.
    #[inline]
    fn ending_now(&self, joined: Option<Player>) -> Option<Ending> {
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
    /// Pictures of [`Board`] have r = 0 at the top; pictures of the specification have r = 0 at the bottom.
    #[must_use]
    pub const fn board(&self) -> &'static Board {
        self.tables.board
    }

    /// The number of cells on a side of the board, 3 to 15.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.board().size()
    }

    /// The limits of this game.
    #[must_use]
    pub const fn options(&self) -> Options {
        self.options
    }

    /// The cell in row `r` and column `q`, both from 0; `None` outside the board.
    #[must_use]
    pub fn cell(&self, r: u8, q: u8) -> Option<Cell> {
        (r < self.size() && q < self.size()).then(|| self.tables.cell(At { r, q }))
    }

    /// The row r and the column q of a cell.
    ///
    /// # Panics
    /// If the cell is not on the board.
    #[must_use]
    pub fn coordinates(&self, cell: Cell) -> (u8, u8) {
        let At { r, q } = self.tables.at[cell.index()];
        (r, q)
    }

    /// The owner of the stone on a cell; `None` for an empty cell.
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

    /// The number of stones on the board.
    #[must_use]
    pub fn stone_count(&self) -> usize {
        Player::BOTH.map(|player| self.stones.of(player).len()).iter().sum()
    }

    /// The empty cells, in the order of their numbers.
    pub fn empty_cells(&self) -> impl Iterator<Item = Cell> + use<> {
        self.cells(self.stones.empty(self.tables))
    }

    /// The cells of a plane, in the order of their numbers.
    fn cells(&self, plane: Plane) -> impl Iterator<Item = Cell> + use<> {
        let tables = self.tables;
        plane.iter().map(move |at| tables.cell(at))
    }

    /// The number of turns played so far, a steal included. After an even number of turns red moves.
    #[must_use]
    pub const fn turns(&self) -> u16 {
        self.turns
    }

    /// The number of occurrences of the present board in this game, with either side to move. The present occurrence counts.
    #[must_use]
    pub fn occurrences(&self) -> u16 {
        self.history.count()
    }

    /// `true` if [`Move::Steal`] is legal now.
    #[must_use]
    pub const fn may_steal(&self) -> bool {
        self.turns == 1 && self.ending.is_none()
    }

    /// The end of the game; `None` while it goes on.
    #[must_use]
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The stones that a stone of `player` on a cell would capture, whichever side is to move, also after the end of the game.
    /// Empty if the cell is occupied or off the board. O(1).
    #[must_use]
    pub fn captures(&self, player: Player, cell: Cell) -> Captures {
        let open = self.board().contains(cell) && self.stone(cell).is_none();
        let pattern = if open { self.stones.captures(player, self.tables.at[cell.index()]) } else { 0 };
        Captures::new(cell, self.size(), pattern)
    }

    /// The empty cells on which a stone of `player` would capture, with the captured stones, in the order of the cells' numbers,
    /// whichever side is to move. O(cells).
    pub fn capturing(&self, player: Player) -> impl Iterator<Item = (Cell, Captures)> + '_ {
        self.stones.empty(self.tables).iter().filter_map(move |at| {
            let pattern = self.stones.captures(player, at);
            let cell = self.tables.cell(at);
            (pattern != 0).then(|| (cell, Captures::new(cell, self.size(), pattern)))
        })
    }

    /// The stones of `player` that the opponent could capture with its next stone. O(cells).
    #[must_use]
    pub fn endangered(&self, player: Player) -> CellSet {
        self.capturing(player.other()).flat_map(|(_, captures)| captures.iter()).collect()
    }

    /// `true` if a stone of `player` on a cell would win, whichever side is to move. `false` if the cell is occupied or
    /// off the board, and after the end of the game. O(1).
    ///
    /// Captures make no difference: a move captures no stones of its own side.
    #[must_use]
    pub fn wins(&self, player: Player, cell: Cell) -> bool {
        let open = self.ending.is_none() && self.board().contains(cell) && self.stone(cell).is_none();
        open && self.stones.would_join(self.tables, player, self.tables.at[cell.index()])
    }

    /// The empty cells on which a stone of `player` would win at once, whichever side is to move; none after the end. O(rows).
    #[must_use]
    pub fn winning_cells(&self, player: Player) -> CellSet {
        let plane = match self.ending {
            None => self.stones.joining(self.tables, player),
            Some(_) => Plane::EMPTY,
        };
        self.cells(plane).collect()
    }

    /// A smallest set of the winner's stones that connects both sides; `None` without a winner. O(cells) word operations.
    #[must_use]
    pub fn winning_chain(&self) -> Option<CellSet> {
        let Some(Ending::Connection(player)) = self.ending else { return None };
        let stones = *self.stones.of(player);
        let [low, high] = &self.tables.edges[player.index()];
        // Layers of equal distance from the low side, up to the first layer at the high side.
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

    /// The key of the position's image under the symmetry of this number.
    #[inline]
    fn image_key(&self, number: usize) -> u64 {
        let side = if swaps_players(number) { self.to_move().other() } else { self.to_move() };
        let drawn = match self.ending {
            Some(Ending::Repetition | Ending::TurnLimit) => self.tables.drawn,
            _ => 0,
        };
        self.stones.hashes[number] ^ self.tables.stage(self.turns, side) ^ self.options_key ^ drawn
    }
}

/// `true` if the changes together leave the board as it was. The latest change, made by `mover`, comes first.
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

    /// The moves are the empty cells in the order of their numbers, then the steal.
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
        let (before, most_occurrences) = (self.stones, self.most_occurrences);
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
        let same_board = |since: &mut dyn Iterator<Item = Change>| cancel_out(tables, since, player);
        let count = self.history.push(self.stones.hashes[0], change, same_board);
        self.most_occurrences = most_occurrences.max(count);
        self.ending = self.ending_now(joined);
        Undo { before, most_occurrences, captured }
    }

    /// Games of the players of this project have about nine plies for ten cells, captures included. A game that is longer goes
    /// on for half of the empty cells, and for at least a tenth of all cells.
    fn expected_plies(&self) -> Option<u32> {
        let cells = self.board().len();
        let usual = (9 * cells / 10).saturating_sub(usize::from(self.turns));
        let left = cells.saturating_sub(self.stone_count());
        Some(usual.max(left / 2).max(cells / 10).max(1) as u32)
    }

    fn undo(&mut self, undo: Undo) {
        self.stones = undo.before;
        self.most_occurrences = undo.most_occurrences;
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

/// The text is the one-line text of the position. It lacks only the numbers of occurrences of earlier boards.
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

    /// The smaller of two bounds: by the turn limit and by repetition. A board that has occurred k times has to occur limit − k times
    /// more: first after the next ply, and then at least two plies apart, as every ply changes the board.
    fn horizon(&self) -> u32 {
        let repeats_left = self.options.repetition.saturating_sub(1).saturating_sub(self.most_occurrences);
        let turns_left = self.options.turns.saturating_sub(self.turns).saturating_sub(1);
        (2 * u32::from(repeats_left)).min(u32::from(turns_left))
    }

    /// The symmetries are the identity, the half turn, and the two reflections. A reflection also exchanges the players, as it
    /// exchanges their sides of the board. An image in which blue has moved first is no position of a game, but it has a key.
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

/// The index of a stone is the number of its cell. The steal has the last index.
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
