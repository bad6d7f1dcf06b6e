//! Games for tests of rules: printed games, random games, and games for the places where rules often have errors.

mod built;
pub(crate) mod cachex;
pub(crate) mod cover;

use rand_core::RngCore;
use stonework_board::{Board, Cell, CellSet, Notation, SizeError};
use stonework_game::{ByPlayer, Game, Outcome, Player, below};
use stonework_havannah::{Move, Position, Setup};
use stonework_session::{Described, play_text};

use crate::{Fault, Judge, Query, formations};

/// A game with a name, as text moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameText {
    /// The source and the purpose of the game.
    pub name: String,
    /// The name of the rules: `havannah`, `cachex` or `cover`.
    pub game: &'static str,
    /// Cells on a side.
    pub size: u8,
    /// A board as text and the side to move there, if the game does not begin at the initial position.
    pub start: Option<(String, String)>,
    /// `true` if the game is played with the right to swap.
    pub swap: bool,
    /// The notation of Havannah's cells in the moves, if it is not `hgui`; `None` for other games.
    pub notation: Option<Notation>,
    /// The moves.
    pub moves: Vec<String>,
}

impl GameText {
    /// The question about the game after these moves, which replace its own.
    #[must_use]
    pub fn query(&self, moves: Vec<String>) -> Query {
        let (position, to_move) = self.start.clone().unzip();
        let notation = self.notation.map(|notation| notation.name().to_owned());
        Query { notation, position, to_move, ..Query::new(self.game, self.size, self.swap, moves) }
    }
}

/// The games that the Rogers and Ewalds seeds print, with their known ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// The game.
    pub game: GameText,
    /// `white`, `black` or `draw`; `None` for a game that is not over.
    pub outcome: Option<&'static str>,
    /// The kinds of win, in the order ring, bridge, fork.
    pub how: Vec<&'static str>,
}

/// The printed games, in the order of the file `data/printed.txt`.
#[must_use]
pub fn printed() -> Vec<Printed> {
    let text = include_str!("../data/printed.txt");
    text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).map(read_printed).collect()
}

/// Reads a line `name | size | outcome | kinds | moves`; the crate's tests read all lines.
fn read_printed(line: &'static str) -> Printed {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [name, size, outcome, how, moves] = fields[..] else { unreachable!("five fields: {line}") };
    let moves: Vec<String> = moves.split_whitespace().map(str::to_lowercase).collect();
    let swap = moves.get(1).is_some_and(|m| m == "swap");
    let size = size.parse().unwrap_or_else(|e| unreachable!("a size: {line}: {e}"));
    Printed {
        game: GameText {
            name: name.to_owned(),
            game: Position::DESCRIPTION.name,
            size,
            start: None,
            swap,
            notation: None,
            moves,
        },
        outcome: (outcome != "-").then_some(outcome),
        how: how.split_whitespace().filter(|&k| k != "-").collect(),
    }
}

/// A generator of games on one size of board. Each kind takes its randomness from the caller alone.
#[derive(Clone, Copy, Debug)]
pub struct Generator {
    board: &'static Board,
}

/// The purpose of a generated game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// Uniformly random moves to the end.
    Random,
    /// Uniformly random moves, with a swap.
    Swapped,
    /// Uniformly random moves, with the right to swap and no swap.
    Unswapped,
    /// A full board without a winner; sizes from 3.
    Drawn,
    /// The last stone fills a hexagon of seven own stones.
    FilledRing,
    /// White fills a strip two cells wide all around the board except the last cells: a ring search that walks all
    /// paths takes exponential time.
    TwoWideStrip,
    /// A ring is closed by a stone on the rim.
    RimRing,
    /// One side plays beside its own stones: large chains, and several runs of own stones around a cell.
    Clustered,
    /// A ring around many cells.
    LongRing,
    /// A bridge between any two corners.
    LongBridge,
    /// A fork between any three edges.
    LongFork,
    /// A ring that the last empty cell completes.
    LastRing,
    /// A bridge that the last empty cell completes.
    LastBridge,
    /// A fork that the last empty cell completes.
    LastFork,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 14] = [
        Self::Random,
        Self::Swapped,
        Self::Unswapped,
        Self::Drawn,
        Self::FilledRing,
        Self::TwoWideStrip,
        Self::RimRing,
        Self::Clustered,
        Self::LongRing,
        Self::LongBridge,
        Self::LongFork,
        Self::LastRing,
        Self::LastBridge,
        Self::LastFork,
    ];

    /// The name of the games of this kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Swapped => "swapped",
            Self::Unswapped => "not swapped",
            Self::Drawn => "drawn",
            Self::FilledRing => "filled ring",
            Self::TwoWideStrip => "two-wide strip",
            Self::RimRing => "rim ring",
            Self::Clustered => "clustered",
            Self::LongRing => "long ring",
            Self::LongBridge => "long bridge",
            Self::LongFork => "long fork",
            Self::LastRing => "ring on the last cell",
            Self::LastBridge => "bridge on the last cell",
            Self::LastFork => "fork on the last cell",
        }
    }
}

impl Generator {
    /// A generator for boards of a size from 2 to 20.
    ///
    /// # Errors
    /// An error for another size.
    pub fn new(size: u8) -> Result<Self, SizeError> {
        Ok(Self { board: Board::hexagon(size)? })
    }

    /// A random game of a kind. `None` if the size has no game of this kind (no game on size 2 can be drawn, and a
    /// hexagon of seven cells on size 2 is the whole board), or if the random tries fail.
    pub fn game(&self, kind: Kind, rng: &mut impl RngCore) -> Option<GameText> {
        self.of_kind(kind, rng)
    }

    fn of_kind(self, kind: Kind, rng: &mut dyn RngCore) -> Option<GameText> {
        let moves = match kind {
            Kind::Random => self.random(rng, |_, empty, rng| empty[below(rng, empty.len())]),
            Kind::Swapped | Kind::Unswapped => return Some(self.swapped(kind, rng)),
            Kind::Clustered => self.random(rng, |position, empty, rng| clustered(position, empty, rng)),
            Kind::Drawn => self.drawn(rng)?,
            Kind::FilledRing => self.filled_ring(rng)?,
            Kind::RimRing => self.rim_ring(rng)?,
            Kind::TwoWideStrip => (0..8).find_map(|_| self.strip(rng))?,
            Kind::LongRing | Kind::LongBridge | Kind::LongFork => self.long(kind, rng)?,
            Kind::LastRing | Kind::LastBridge | Kind::LastFork => self.last(kind, rng)?,
        };
        Some(self.text(kind, &moves))
    }

    fn text(self, kind: Kind, cells: &[Cell]) -> GameText {
        let moves = cells.iter().map(|&c| self.board.name(c)).collect();
        GameText {
            name: kind.name().to_owned(),
            game: Position::DESCRIPTION.name,
            size: self.board.size(),
            start: None,
            swap: false,
            notation: None,
            moves,
        }
    }

    fn start(self) -> Position {
        Position::new(self.board.size()).unwrap_or_else(|e| unreachable!("checked by `new`: {e}"))
    }

    /// Plays to the end; a rule chooses the cells.
    fn random(
        self,
        rng: &mut dyn RngCore,
        choose: impl Fn(&Position, &[Cell], &mut dyn RngCore) -> Cell,
    ) -> Vec<Cell> {
        let mut position = self.start();
        let mut moves = Vec::new();
        while position.outcome().is_none() {
            let empty: Vec<Cell> = position.empty_cells().collect();
            let cell = choose(&position, &empty, rng);
            position.play_unchecked(Move::Place(cell));
            moves.push(cell);
        }
        moves
    }

    /// A game with the right to swap, which black uses if the kind has a swap.
    fn swapped(self, kind: Kind, rng: &mut dyn RngCore) -> GameText {
        let mut position = Position::with_swap(self.board.size()).unwrap_or_else(|e| unreachable!("{e}"));
        let mut moves = Vec::new();
        while position.outcome().is_none() {
            let empty: Vec<Cell> = position.empty_cells().collect();
            let cell = empty[below(rng, empty.len())];
            let mv = if moves.len() == 1 && kind == Kind::Swapped { Move::Swap } else { Move::Place(cell) };
            position.play_unchecked(mv);
            moves.push(if mv == Move::Swap { "swap".to_owned() } else { self.board.name(cell) });
        }
        GameText {
            name: kind.name().to_owned(),
            game: Position::DESCRIPTION.name,
            size: self.board.size(),
            start: None,
            swap: true,
            notation: None,
            moves,
        }
    }

    /// Both sides avoid every cell that wins, until the board is full. A side takes a cell that would win for the other
    /// side as soon as there is one.
    fn drawn(self, rng: &mut dyn RngCore) -> Option<Vec<Cell>> {
        // Each try costs about as much as the board has cells.
        for _ in 0..(20_000 / self.board.len()).min(200) {
            let mut position = self.start();
            let mut moves = Vec::new();
            while position.outcome().is_none() {
                let me = position.to_move();
                let (mine, theirs) = (position.winning_cells(me), position.winning_cells(me.other()));
                let block: Vec<Cell> = (theirs - mine).iter().collect();
                let quiet: Vec<Cell> = position.empty_cells().filter(|&c| !mine.contains(c)).collect();
                let from = if block.is_empty() { quiet } else { block };
                if from.is_empty() {
                    break;
                }
                let cell = from[below(rng, from.len())];
                position.play_unchecked(Move::Place(cell));
                moves.push(cell);
            }
            if position.outcome() == Some(Outcome::Draw) {
                return Some(moves);
            }
        }
        None
    }

    /// The stones of one side, in a random order that ends with `last`, alternating with random stones of the other
    /// side outside these cells. `None` if the game ends early or the other side has no room.
    fn with_stones(
        self,
        player: Player,
        stones: &[Cell],
        last: Cell,
        rng: &mut dyn RngCore,
    ) -> Option<Vec<Cell>> {
        let all: CellSet = stones.iter().copied().collect();
        for _ in 0..50 {
            let mut order: Vec<Cell> = stones.iter().copied().filter(|&c| c != last).collect();
            shuffle(&mut order, rng);
            order.push(last);
            let mut position = self.start();
            let mut moves = Vec::new();
            for &own in &order {
                if position.to_move() != player {
                    let lost = position.winning_cells(player.other());
                    let free: Vec<Cell> =
                        position.empty_cells().filter(|&c| !all.contains(c) && !lost.contains(c)).collect();
                    if position.outcome().is_some() || free.is_empty() {
                        break;
                    }
                    let other = free[below(rng, free.len())];
                    position.play_unchecked(Move::Place(other));
                    moves.push(other);
                }
                if position.outcome().is_some() {
                    break;
                }
                position.play_unchecked(Move::Place(own));
                moves.push(own);
            }
            if position.outcome().is_some() && moves.last() == Some(&last) {
                return Some(moves);
            }
        }
        None
    }

    /// The seven cells of a hexagon; one of the six outer cells comes last.
    fn filled_ring(self, rng: &mut dyn RngCore) -> Option<Vec<Cell>> {
        let inner: Vec<Cell> = self.board.cells().filter(|&c| !self.board.is_rim(c)).collect();
        let centre = inner[below(rng, inner.len())];
        let mut stones: Vec<Cell> = self.board.ring(centre, 1).collect();
        let last = stones[below(rng, stones.len())];
        stones.push(centre);
        self.with_stones(either(rng), &stones, last, rng)
    }

    /// A hexagon with a cell on the rim of the board, which comes last.
    fn rim_ring(self, rng: &mut dyn RngCore) -> Option<Vec<Cell>> {
        let beside: Vec<Cell> = self.board.cells().filter(|&c| !self.board.is_rim(c)).collect();
        let beside: Vec<(Cell, Cell)> = beside
            .into_iter()
            .flat_map(|c| self.board.ring(c, 1).map(move |r| (c, r)))
            .filter(|&(_, r)| self.board.is_rim(r))
            .collect();
        let (centre, last) = beside[below(rng, beside.len())];
        let stones: Vec<Cell> = self.board.ring(centre, 1).collect();
        self.with_stones(either(rng), &stones, last, rng)
    }

    /// White takes cells of the two rows next to one side, as long as no formation is complete.
    fn strip(self, rng: &mut dyn RngCore) -> Option<Vec<Cell>> {
        let first = below(rng, self.board.rows() - 1);
        let mut strip: Vec<Cell> = self.board.row(first).chain(self.board.row(first + 1)).collect();
        shuffle(&mut strip, rng);
        let mut stones = CellSet::new();
        for &cell in &strip {
            let mut more = stones;
            more.insert(cell);
            if formations(self.board, &more).is_empty() {
                stones = more;
            }
        }
        let last = strip.into_iter().find(|&c| !stones.contains(c))?;
        stones.insert(last);
        self.with_stones(Player::First, &stones.iter().collect::<Vec<_>>(), last, rng)
    }
}

/// A neighbour of an own stone, most of the time.
fn clustered(position: &Position, empty: &[Cell], rng: &mut dyn RngCore) -> Cell {
    let mine = position.stones(position.to_move());
    let near: Vec<Cell> =
        empty.iter().copied().filter(|&c| position.board().neighbours(c).any(|n| mine.contains(n))).collect();
    let from = if near.is_empty() || rng.next_u32().is_multiple_of(8) { empty } else { &near };
    from[below(rng, from.len())]
}

/// `random` games of the first kind and a tenth as many of each other kind, as far as games of the kind can be made.
pub(crate) fn of_kinds<K: Copy>(
    kinds: impl IntoIterator<Item = K>,
    random: u32,
    game: impl FnMut(K) -> Option<GameText>,
) -> impl Iterator<Item = GameText> {
    let counts = std::iter::once(random).chain(std::iter::repeat(random.div_ceil(10)));
    let each = kinds.into_iter().zip(counts);
    // One game at a time: millions of games would not fit into memory.
    each.flat_map(|(kind, count)| std::iter::repeat_n(kind, count as usize)).filter_map(game)
}

/// A random side.
fn either(rng: &mut dyn RngCore) -> Player {
    Player::BOTH[below(rng, 2)]
}

fn shuffle(cells: &mut [Cell], rng: &mut dyn RngCore) {
    for i in (1..cells.len()).rev() {
        cells.swap(i, below(rng, i + 1));
    }
}

/// The positions of a game on the slow judge: the start, and the position after each move.
///
/// # Errors
/// The fault of a size without a board, or of a move that is no cell or not legal, with its index.
pub fn judged(game: &GameText) -> Result<Vec<Judge>, Fault> {
    let mut judge =
        Judge::new(game.size, game.swap).map_err(|error| Fault::new("size", error.to_string()))?;
    let mut all = vec![judge.clone()];
    for (i, text) in game.moves.iter().enumerate() {
        let fault = |error: &dyn ToString| Fault { at: Some(i), ..Fault::new("move", error.to_string()) };
        let swap = text.eq_ignore_ascii_case("swap");
        let mv = if swap { Ok(Move::Swap) } else { judge.board().parse(text).map(Move::Place) };
        judge.play(mv.map_err(|error| fault(&error))?).map_err(|refused| fault(&refused))?;
        all.push(judge.clone());
    }
    Ok(all)
}

/// `true` if the fast rules and the slow judge agree on the outcome and the kinds of win after every move of a game.
/// `false` also if either refuses the game.
///
/// ```
/// use stonework_game::rng;
/// use stonework_oracle::{Generator, Kind, agrees_with_judge};
/// let game = Generator::new(4)?.game(Kind::Random, &mut rng(1)).unwrap();
/// assert!(agrees_with_judge(&game));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn agrees_with_judge(game: &GameText) -> bool {
    let Ok(judges) = judged(game) else { return false };
    let start = if game.swap { Position::with_swap(game.size) } else { Position::new(game.size) };
    let Ok(mut position) = start else { return false };
    let same = |position: &Position, judge: &Judge| {
        position.outcome() == judge.outcome() && position.kinds() == judge.kinds()
    };
    let mut after = game.moves.iter().zip(&judges[1..]);
    same(&position, &judges[0])
        && after.all(|(text, judge)| play_text(&mut position, 0, text).is_ok() && same(&position, judge))
}

/// A position that the Ewalds seed prints as a figure, and the moves in the figure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintedPosition {
    /// The figure and its subject.
    pub name: String,
    /// The stones.
    pub setup: Setup,
    /// The moves, in `hgui` notation.
    pub moves: Vec<String>,
    /// `white` or `black`; `None` if the game is not over.
    pub outcome: Option<&'static str>,
    /// The kinds of win, in the order ring, bridge, fork.
    pub how: Vec<&'static str>,
}

/// The printed positions, in the order of the file `data/positions.txt`.
#[must_use]
pub fn printed_positions() -> Vec<PrintedPosition> {
    let text = include_str!("../data/positions.txt");
    text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')).map(read_position).collect()
}

/// Reads a line `name | size | to move | white | black | moves | outcome | kinds`; the crate's tests read all lines.
fn read_position(line: &'static str) -> PrintedPosition {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let [name, size, to_move, white, black, moves, outcome, how] = fields[..] else {
        unreachable!("eight fields: {line}")
    };
    let size = size.parse().unwrap_or_else(|e| unreachable!("a size: {line}: {e}"));
    let board = Board::hexagon(size).unwrap_or_else(|e| unreachable!("{line}: {e}"));
    let cells = |names: &str| -> CellSet {
        names
            .split_whitespace()
            .map(|n| board.parse(n).unwrap_or_else(|e| unreachable!("{line}: {e}")))
            .collect()
    };
    let mut setup = Setup::new(size);
    setup.stones = ByPlayer::new(cells(white), cells(black));
    setup.to_move = if to_move == "b" { Player::Second } else { Player::First };
    PrintedPosition {
        name: name.to_owned(),
        setup,
        moves: moves.split_whitespace().map(str::to_owned).collect(),
        outcome: (outcome != "-").then_some(outcome),
        how: how.split_whitespace().filter(|&k| k != "-").collect(),
    }
}
