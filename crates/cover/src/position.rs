//! [`Position`]: the rules as a game for search.

use std::fmt;
use std::hash::{Hash, Hasher};

use stonework_board::{Cell, CellSet, Diagonal, DiagonalDiagram, Heading, Intersection, Stone};
use stonework_game::{Game, Indexed, Keyed, Outcome, Player, Sym};

use crate::history::{Change, History, Recent, moved};
use crate::stones::{Shot, Stones};
use crate::tables::{SYMMETRIES, Step, Tables, cell, home, mapped, state_word, symmetry};
use crate::{IllegalMove, Options, SetupError};

/// A move: one step of a stone of the side to move. The stone that it shoots follows from the position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Move {
    /// The location of the stone.
    pub from: Cell,
    /// The direction of the step.
    pub heading: Heading,
    /// `true` if the stone does not shoot although it could, which only [`Options::voluntary_shots`] allows.
    pub holds_fire: bool,
}

impl Move {
    /// A step that shoots if it can.
    #[must_use]
    pub const fn new(from: Cell, heading: Heading) -> Self {
        Self { from, heading, holds_fire: false }
    }

    /// The same step without the shot.
    #[must_use]
    pub const fn holding(self) -> Self {
        Self { holds_fire: true, ..self }
    }

    /// The same step, with its shot if it has one.
    pub(crate) const fn firing(self) -> Self {
        Self { holds_fire: false, ..self }
    }
}

/// A Cover position on a board of size 1 to 10: stones, side to move, and the history that repetition depends on.
///
/// Blue ([`Player::First`]) moves first and goes up from A01 to the opposite corner; red goes down. A side wins by a step onto
/// the opponent's homebase, by shooting the opponent's last stone, or if the opponent has no legal move.
///
/// `==` and the [keys](Keyed) cover size, [`Options`], stones, side to move, and the history that later legal moves depend on
/// by the [`Repetition`](crate::Repetition) in force. So no value depends on facts that a key leaves out, and
/// [`horizon`](Keyed::horizon) is the default.
///
/// | repetition | part of `==` and keys |
/// |---|---|
/// | none | nothing |
/// | four plies | [`Recent`]: the last move of each side, and the fact that the last move returned an earlier one; nothing after a capture |
/// | eight plies | the last seven boards since the last capture, in their order |
/// | any | the set of all boards since the last capture (in `==` by their hashes) |
///
/// [`Hash`] covers the key. Keys stay the same within a major version.
///
/// A move and its undo take at most O(Y), for the shot. Keys are O(1); under the rule `Any`, keys and legal moves are O(plies
/// since the last capture). A position is one block of memory of under 450 bytes, plus 16 bytes a ply if the rule needs whole
/// boards.
///
/// ```
/// use stonework_cover::Position;
/// use stonework_game::{Game, Textual, Outcome, Player};
/// let mut game = Position::parse_position("4 b four [C02]x[B05] -")?;
/// for mv in ["C02-D03", "B05-A04", "D03-C02"] {
///     game.play(game.parse_move(mv)?)?;
/// }
/// let back = game.parse_move("A04-B05")?;
/// assert_eq!(game.check(back).unwrap_err().to_string(), "A04-B05 would repeat a board (four plies)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Position {
    tables: &'static Tables,
    options: Options,
    to_move: Player,
    won: Option<Player>,
    stones: Stones,
    hashes: [u64; SYMMETRIES],
    history: History,
}

/// The undo token of a move, with the stone that the move has captured.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    mv: Move,
    hit: Option<Cell>,
    change: Change,
}

impl Undo {
    /// The location of the stone that the move has captured.
    #[must_use]
    pub const fn hit(&self) -> Option<Cell> {
        self.hit
    }
}

/// The undo token of a pass, from [`Position::pass`].
#[derive(Clone, Debug)]
pub struct Passed(History);

impl Position {
    /// The initial board of a size from 1 to 10, with the default rules.
    ///
    /// # Errors
    /// [`SetupError::Size`] for any other size.
    pub fn new(size: u8) -> Result<Self, SetupError> {
        Self::with_options(size, Options::default())
    }

    /// The initial board, with other rules.
    ///
    /// # Errors
    /// [`SetupError::Size`] for any size other than 1 to 10.
    pub fn with_options(size: u8, options: Options) -> Result<Self, SetupError> {
        let mut position = Self::empty(size, options)?;
        for player in Player::BOTH {
            for cell in initial(position.lattice(), player) {
                position.put(player, cell);
            }
        }
        Ok(position)
    }

    /// A board without stones, for a setup.
    pub(crate) fn empty(size: u8, options: Options) -> Result<Self, SetupError> {
        let tables = Tables::of(size)?;
        Ok(Self {
            tables,
            options,
            to_move: Player::First,
            won: None,
            stones: Stones::new(tables.lattice),
            hashes: [0; SYMMETRIES],
            history: History::default(),
        })
    }

    /// The geometry of the board.
    #[must_use]
    pub const fn lattice(&self) -> &'static Diagonal {
        self.tables.lattice
    }

    /// The size X, 1 to 10.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.lattice().size()
    }

    /// The rules in force.
    #[must_use]
    pub const fn options(&self) -> Options {
        self.options
    }

    /// The owner of the stone on a location; `None` for an empty location.
    ///
    /// # Panics
    /// If the cell is not on the board.
    #[must_use]
    pub fn stone(&self, cell: Cell) -> Option<Player> {
        self.stones.at(cell)
    }

    /// The stone that covers an intersection: its location and its owner.
    ///
    /// # Panics
    /// If the intersection is not on the board.
    #[must_use]
    pub fn covering(&self, intersection: Intersection) -> Option<(Cell, Player)> {
        self.stones.covering(intersection)
    }

    /// The locations of one side's stones, in order.
    pub fn stones(&self, player: Player) -> impl Iterator<Item = Cell> + '_ {
        self.stones.list(player).numbers().iter().filter_map(|&number| cell(number))
    }

    /// The number of stones of a side.
    #[must_use]
    pub fn stone_count(&self, player: Player) -> usize {
        self.stones.list(player).len()
    }

    /// The moves on which repetition within four plies depends; empty under the other variants.
    #[must_use]
    pub const fn recent(&self) -> Recent {
        self.history.recent()
    }

    /// The move from one location to a neighbour, legal or not, that shoots if it can; `None` if the locations are not
    /// neighbours.
    #[must_use]
    pub fn move_to(&self, from: Cell, to: Cell) -> Option<Move> {
        let on = self.lattice().contains(from) && self.lattice().contains(to);
        let heading = if on { self.lattice().heading(from, to) } else { None };
        heading.map(|heading| Move::new(from, heading))
    }

    /// The location after a move; `None` if it is off the board.
    #[must_use]
    pub fn target(&self, mv: Move) -> Option<Cell> {
        if self.lattice().contains(mv.from) { self.tables.target(mv) } else { None }
    }

    /// The stone that a legal move of the side to move would shoot; `None` for a move without a shot or an impossible
    /// move.
    #[must_use]
    pub fn hit(&self, mv: Move) -> Option<Cell> {
        self.on_board(mv).ok().and_then(|()| self.aim(mv).ok().flatten())
    }

    /// The board as a picture, with light stones for blue and dark stones for red.
    pub fn diagram(&self) -> DiagonalDiagram {
        DiagonalDiagram::new(self.lattice())
            .stones(self.stones(Player::First), Stone::Light)
            .stones(self.stones(Player::Second), Stone::Dark)
    }

    /// Passes, which the rules do not allow, for null moves of a search. The history is cleared, and the game may be over, as
    /// the opponent may have no move. O(1), apart from the test for a move. `None` if the game is over already.
    #[must_use = "without it the pass cannot be taken back"]
    pub fn pass(&mut self) -> Option<Passed> {
        if self.won.is_some() {
            return None;
        }
        let history = std::mem::take(&mut self.history);
        self.to_move = self.to_move.other();
        self.won = (!self.can_move()).then(|| self.to_move.other());
        Some(Passed(history))
    }

    /// Takes the last pass back.
    pub fn undo_null(&mut self, passed: Passed) {
        self.to_move = self.to_move.other();
        self.won = None;
        self.history = passed.0;
    }

    /// All stones of a side.
    pub(crate) fn cells(&self, player: Player) -> CellSet {
        self.stones(player).collect()
    }

    /// The moves of the history of the present board, the oldest first.
    pub(crate) fn history(&self) -> Vec<Move> {
        self.history.moves(self.tables, self.options)
    }

    pub(crate) fn put(&mut self, player: Player, cell: Cell) {
        self.stones.put(player, cell);
        self.rehash(player, cell);
    }

    /// Sets the side to move, the last moves, and the winner if the game is won.
    pub(crate) fn conclude(&mut self, to_move: Player, recent: Recent) {
        self.to_move = to_move;
        self.history = History::from(recent);
        let reached = |player: Player| self.stone(self.goal(player)) == Some(player);
        let gone = |player| self.stone_count(player) == 0;
        let lost = |player: Player| reached(player.other()) || gone(player);
        self.won = match (lost(Player::First), lost(Player::Second)) {
            // If both sides have lost, the side that has just moved has reached the homebase last and wins.
            (true, true) => Some(to_move.other()),
            (true, false) => Some(Player::Second),
            (false, true) => Some(Player::First),
            (false, false) => (!self.can_move()).then(|| to_move.other()),
        };
    }

    /// The location on which a side wins.
    fn goal(&self, player: Player) -> Cell {
        self.lattice().homebase(home(player.other()))
    }

    #[inline]
    fn rehash(&mut self, player: Player, cell: Cell) {
        for (hash, word) in self.hashes.iter_mut().zip(self.tables.words(player, cell)) {
            *hash ^= word;
        }
    }

    /// Checks that a move is of a stone of the side to move.
    fn on_board(&self, mv: Move) -> Result<(), IllegalMove> {
        let (size, cell) = (self.size(), mv.from);
        if !self.lattice().contains(cell) {
            return Err(IllegalMove::OffBoard { cell, size });
        }
        match self.stone(cell) {
            Some(owner) if owner == self.to_move => Ok(()),
            owner => Err(IllegalMove::NotYours { cell, owner, to_move: self.to_move, size }),
        }
    }

    /// The stone that a move of an own stone hits, by the rules of moving and shooting alone.
    #[inline]
    fn aim(&self, mv: Move) -> Result<Option<Cell>, IllegalMove> {
        let (size, from) = (self.size(), mv.from);
        let Step { to, covers, lengthwise } = *self.tables.step(mv);
        let Some(to) = cell(to) else { return Err(IllegalMove::Edge { from, heading: mv.heading, size }) };
        if to == self.lattice().homebase(home(self.to_move)) {
            return Err(IllegalMove::OwnHome { to, size });
        }
        let blocked = |by| IllegalMove::Blocked { to, by, size };
        if !lengthwise {
            return match covers.into_iter().find_map(|point| self.covering(point)) {
                Some((by, _)) => Err(blocked(by)),
                None if mv.holds_fire => Err(IllegalMove::NoShot { from, to, size }),
                None => Ok(None),
            };
        }
        let ahead = self.lattice().ahead(from, mv.heading);
        match self.stones.shot(self.to_move, self.lattice().orientation(from), ahead) {
            Shot::Blocked(by) => Err(blocked(by)),
            Shot::Miss if mv.holds_fire => Err(IllegalMove::NoShot { from, to, size }),
            Shot::Hit(by) if mv.holds_fire && self.lattice().overlap(to, by) => Err(blocked(by)),
            Shot::Hit(_) if mv.holds_fire => Ok(None),
            Shot::Hit(hit) => Ok(Some(hit)),
            Shot::Miss => Ok(None),
        }
    }

    /// Checks a move by [`aim`](Self::aim), the options and the rule of repetition.
    #[inline]
    fn land(&self, mv: Move) -> Result<(), IllegalMove> {
        let captures = self.aim(mv)?.is_some();
        let hash = || self.hashes[0] ^ moved(self.tables, self.to_move, mv, 0);
        if self.history.forbids(self.tables, self.options.repetition, mv, captures, hash) {
            let to = self.tables.target(mv).unwrap_or(mv.from);
            let (from, repetition, size) = (mv.from, self.options.repetition, self.size());
            return Err(IllegalMove::Repetition { from, to, repetition, size });
        }
        Ok(())
    }

    /// The legal moves while the game is not over.
    #[inline]
    fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        let steps = self.stones(self.to_move).flat_map(|from| Heading::ALL.map(|h| Move::new(from, h)));
        let held = self.options.voluntary_shots;
        let ways = steps.flat_map(move |mv| [Some(mv), held.then(|| mv.holding())]);
        ways.flatten().filter(|&mv| self.land(mv).is_ok())
    }

    #[inline]
    fn can_move(&self) -> bool {
        self.moves().next().is_some()
    }

    /// The part of the key that does not depend on stones, under a symmetry.
    fn state(&self, number: usize) -> u64 {
        let mover = mapped(symmetry(number as u8), self.to_move);
        let hash = self.hashes[number];
        let past = self.history.word(self.tables, self.options.repetition, number, hash, self.to_move);
        state_word(self.size(), self.options, mover) ^ past
    }
}

/// The initial locations of a side's stones.
pub(crate) fn initial(lattice: &'static Diagonal, player: Player) -> impl Iterator<Item = Cell> {
    let (side, most) = (lattice.side() as i8, 2 * (lattice.size() as i8 - 1));
    let height = match player {
        Player::First => side - 3,
        Player::Second => side + 5,
    };
    (-most..=most).step_by(4).filter_map(move |column| lattice.cell_at(column, height))
}

impl Game for Position {
    type Move = Move;
    type Undo = Undo;
    type Illegal = IllegalMove;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        self.won.map(Outcome::Win)
    }

    /// The moves come by the locations of the stones, then in the order of [`Heading::ALL`].
    fn legal_moves(&self, out: &mut impl Extend<Move>) {
        if self.won.is_none() {
            out.extend(self.moves());
        }
    }

    fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if let Some(winner) = self.won {
            return Err(IllegalMove::Over { winner });
        }
        self.on_board(mv)?;
        if mv.holds_fire && !self.options.voluntary_shots {
            return Err(IllegalMove::MustShoot { from: mv.from, size: self.size() });
        }
        self.land(mv)
    }

    fn play_unchecked(&mut self, mv: Move) -> Undo {
        let player = self.to_move;
        let hit = self.aim(mv).unwrap_or(None);
        let to = self.tables.target(mv).unwrap_or(mv.from);
        let change = self.history.played(self.tables, self.options.repetition, mv, hit, self.hashes[0]);
        if let Some(hit) = hit {
            self.lift(player.other(), hit);
        }
        self.lift(player, mv.from);
        self.put(player, to);
        self.to_move = player.other();
        let won = to == self.goal(player) || self.stone_count(player.other()) == 0 || !self.can_move();
        self.won = won.then_some(player);
        Undo { mv, hit, change }
    }

    fn undo(&mut self, undo: Undo) {
        let player = self.to_move.other();
        self.to_move = player;
        self.won = None;
        self.lift(player, self.tables.target(undo.mv).unwrap_or(undo.mv.from));
        self.put(player, undo.mv.from);
        if let Some(hit) = undo.hit {
            self.put(player.other(), hit);
        }
        self.history.undone(undo.change);
    }
}

impl Position {
    fn lift(&mut self, player: Player, cell: Cell) {
        self.stones.lift(player, cell);
        self.rehash(player, cell);
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        let state = |p: &Self| (p.size(), p.options, p.to_move, p.hashes[0]);
        state(self) == state(other)
            && self.stones.lists() == other.stones.lists()
            && self.history.same(&other.history, self.options.repetition)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// The text is the one-line text of the position.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use stonework_game::Textual;
        write!(f, "Position({})", self.position_text())
    }
}

/// The symmetries are the symmetries of [`stonework_board::DiagonalSymmetry`]: 1 mirrors left and right; 2 turns the
/// board over and exchanges the players; 3 is both.
impl Keyed for Position {
    fn key(&self) -> u64 {
        self.hashes[0] ^ self.state(0)
    }

    fn canonical(&self) -> (u64, Sym) {
        let words =
            (0..SYMMETRIES).map(|number| (self.hashes[number] ^ self.state(number), Sym(number as u8)));
        words.min().unwrap_or_else(|| unreachable!("there are four symmetries"))
    }

    fn map_move(&self, to: Sym, mv: Move) -> Move {
        let symmetry = symmetry(to.0);
        Move { from: self.lattice().map(symmetry, mv.from), heading: symmetry.heading(mv.heading), ..mv }
    }

    /// The same as [`map_move`](Keyed::map_move), as each symmetry is its own inverse.
    fn unmap_move(&self, to: Sym, mv: Move) -> Move {
        self.map_move(to, mv)
    }
}

/// The number of a move is 8 · location + heading; with voluntary shots, the moves without a shot follow in the same order.
impl Indexed for Position {
    fn index_len(&self) -> usize {
        8 * self.lattice().len() * if self.options.voluntary_shots { 2 } else { 1 }
    }

    fn move_index(&self, mv: Move) -> usize {
        let held = if mv.holds_fire { 8 * self.lattice().len() } else { 0 };
        held + 8 * mv.from.index() + mv.heading.index()
    }

    fn move_at(&self, index: usize) -> Option<Move> {
        if index >= self.index_len() {
            return None;
        }
        let half = 8 * self.lattice().len();
        let (held, index) = (index >= half, index % half);
        let mv = Move::new(Cell::new(index / 8)?, Heading::ALL[index % 8]);
        self.tables.target(mv).map(|_| if held { mv.holding() } else { mv })
    }
}
