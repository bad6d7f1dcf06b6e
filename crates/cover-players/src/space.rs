//! [`Space`]: the states of Cover with few stones, by number.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use stonework_board::{Cell, Diagonal, DiagonalSymmetry, Heading};
use stonework_cover::{Move, Options, Position, Recent, Repetition};
use stonework_endgame::StateSpace;
use stonework_game::text::head;
use stonework_game::{ByPlayer, Game, Player};

/// The most stones of a side.
const MAX_STONES: usize = 4;
/// The most placings of stones in a tier, illegal ones included.
const PLACINGS: u64 = 1 << 28;
/// The entry of a placing without a board.
const NONE: u32 = u32::MAX;

/// The states of Cover-X with at most a few stones of either side, by number.
///
/// A state is a board, the side to move, and the last moves that the rule of repetition depends on. Only states that are not
/// over have numbers. The numbers go board by board, and the boards are in *tiers* of equal numbers of stones, the fewest
/// stones first. A shot leads to a lower tier, so a table has all endings that can follow. One number stands for:
///
/// * a state with blue to move, its image with colours and ends exchanged, and the mirror images of both, by the board
///   with the smallest number (on a board that is its own mirror image, two states that mirror each other have two
///   numbers);
/// * states that differ only in a last move that cannot be returned now without a shot: no later state depends on it.
///
/// So with the rule of four plies, a board on which `a` moves of the side to move and `c` last moves of its opponent are no
/// shots has 1 + c (1 + 2a) numbers:
///
/// ```text
/// 0                            no last moves: a fresh position, or after a shot
/// 1 + i (1 + 2a)               the opponent's i-th last move; the mover's last move cannot be returned
/// 2 + i (1 + 2a) + 2j          the same, but the mover's j-th move would return its last move
/// 3 + i (1 + 2a) + 2j          the same, but it is illegal, as the opponent has returned a move already
/// ```
///
/// Without a rule of repetition a board has one number. The legality of the opponent's last moves goes back one ply
/// only, so some numbers are states that no game reaches.
///
/// ```
/// use std::ops::ControlFlow;
/// use stonework_cover::{Options, Setup};
/// use stonework_endgame::{Options as Means, Value, solve};
/// use stonework_cover_players::Space;
/// let space = Space::new(2, (1, 1), Options::default())?;
/// let table = solve(&space, &Means::default(), &mut |_| ControlFlow::Continue(()))?.table;
/// let position = Setup::from_board(2, "[A02]x[E07]")?.position()?;
/// assert_eq!(table.probe(&space, &position), Some(Value::Win(23)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Space {
    lattice: &'static Diagonal,
    options: Options,
    /// The most stones of a side, the larger number first.
    most: (usize, usize),
    /// The image of each location under each symmetry.
    maps: [Vec<u16>; 4],
    /// For each number of stones, the number of sets of as many locations.
    sets: [u64; MAX_STONES + 1],
    boards: Vec<Boards>,
    len: u64,
}

/// The boards of a tier.
#[derive(Clone, Debug)]
struct Boards {
    mine: usize,
    theirs: usize,
    /// For each placing, the index of its board in `known`, or [`NONE`].
    index: Vec<u32>,
    known: Vec<Board>,
}

impl Boards {
    fn bytes(&self) -> u64 {
        (self.index.capacity() * size_of::<u32>() + self.known.capacity() * size_of::<Board>()) as u64
    }
}

/// A board on which the game goes on.
#[derive(Clone, Copy, Debug)]
struct Board {
    /// The number of its first state.
    first: u64,
    /// The steps, eight bits for each stone in the order of locations. For stones of the side to move, these are the
    /// legal steps that are no shots; for stones of the opponent, the steps that return a possible last move.
    steps: u64,
    /// The stones of the side to move, then the opponent's stones, both in the order of their locations.
    stones: [u16; 2 * MAX_STONES],
}

/// The states with equal numbers of stones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tier {
    /// Stones of the side to move.
    pub mine: usize,
    /// Stones of its opponent.
    pub theirs: usize,
    /// The numbers of the states.
    pub numbers: Range<u64>,
}

/// The most numbers and bytes of a [`Space`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpaceLimits {
    /// The most numbers, such as those of a table.
    pub numbers: u64,
    /// The most bytes of the lists of boards.
    pub bytes: u64,
}

impl SpaceLimits {
    /// No limits.
    pub const NONE: Self = Self { numbers: u64::MAX, bytes: u64::MAX };
}

/// The reason why a [`Space`] does not exist.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpaceError {
    /// The size has no board.
    #[error("no Cover-{size}: sizes are 1 to 10")]
    Size {
        /// The size.
        size: u8,
    },
    /// A side has no stone, or more stones than the game has or than a space can have.
    #[error("{0} against {1} stones on Cover-{size}: 1 to {most} of either side", stones.0, stones.1, most = usize::from(*size).min(MAX_STONES))]
    Stones {
        /// Stones of the sides.
        stones: (usize, usize),
        /// The size of the board.
        size: u8,
    },
    /// The number of placings is more than a list can hold.
    #[error("{placings} placings of {0} against {1} stones: at most {PLACINGS}", stones.0, stones.1)]
    Placings {
        /// The number of placings.
        placings: u64,
        /// Stones of the sides.
        stones: (usize, usize),
    },
    /// More bytes for the lists of boards than the caller allows.
    #[error("{0} against {1} stones on Cover-{size}: the lists of boards take more than {most} bytes", stones.0, stones.1)]
    Bytes {
        /// Stones of the sides.
        stones: (usize, usize),
        /// The size of the board.
        size: u8,
        /// The bytes that are allowed.
        most: u64,
    },
    /// More numbers than the caller allows.
    #[error("{0} against {1} stones on Cover-{size} have more than {most} numbers", stones.0, stones.1)]
    Numbers {
        /// Stones of the sides.
        stones: (usize, usize),
        /// The size of the board.
        size: u8,
        /// The numbers that are allowed.
        most: u64,
    },
    /// The rule of repetition depends on more than four plies.
    #[error("repetition `{repetition}`: states are numbered for `four` and `none`")]
    Repetition {
        /// The rule.
        repetition: Repetition,
    },
    /// A text that names no space.
    #[error("`{text}` names no space: `size 4, 1v1, four` is one")]
    Text {
        /// The start of the text.
        text: String,
    },
}

/// A board from the side to move, which moves up.
#[derive(Clone, Copy)]
struct View {
    mine: [u16; MAX_STONES],
    theirs: [u16; MAX_STONES],
    placing: u64,
    symmetry: DiagonalSymmetry,
}

impl Space {
    /// The name of the game in stored tables.
    pub const GAME: &'static str = "cover";

    /// The states of Cover-`size` with at most `stones` stones of the two sides, in either order. Time and memory are in the
    /// order of the placings of the stones: 30 ms for one stone against one of Cover-4, two seconds for two against two of
    /// Cover-2.
    ///
    /// # Errors
    /// An error for an impossible size or number of stones, for too many placings, or for a rule of repetition of more
    /// than four plies; see [`SpaceError`].
    pub fn new(size: u8, stones: (usize, usize), options: Options) -> Result<Self, SpaceError> {
        Self::within(size, stones, options, SpaceLimits::NONE)
    }

    /// As [`new`](Space::new), within limits. A larger space is refused once it is found to be larger, before the rest is
    /// counted.
    ///
    /// # Errors
    /// As [`new`](Space::new), and [`SpaceError::Numbers`] or [`SpaceError::Bytes`] for a larger space.
    ///
    /// ```
    /// use stonework_cover::Options;
    /// use stonework_cover_players::{Space, SpaceLimits};
    /// let limits = SpaceLimits { numbers: 1000, ..SpaceLimits::NONE };
    /// let error = Space::within(10, (2, 1), Options::default(), limits).unwrap_err();
    /// assert_eq!(error.to_string(), "2 against 1 stones on Cover-10 have more than 1000 numbers");
    /// ```
    pub fn within(
        size: u8,
        stones: (usize, usize),
        options: Options,
        limits: SpaceLimits,
    ) -> Result<Self, SpaceError> {
        let lattice = Diagonal::of(size).map_err(|_| SpaceError::Size { size })?;
        let (more, fewer) = (stones.0.max(stones.1), stones.0.min(stones.1));
        if fewer == 0 || more > usize::from(size).min(MAX_STONES) {
            return Err(SpaceError::Stones { stones, size });
        }
        if !matches!(options.repetition, Repetition::FourPlies | Repetition::None) {
            return Err(SpaceError::Repetition { repetition: options.repetition });
        }
        let sets = std::array::from_fn(|count| choose(lattice.len() as u64, count as u64));
        let placings = sets[more] * sets[fewer];
        if placings > PLACINGS {
            return Err(SpaceError::Placings { placings, stones });
        }
        let map = |symmetry| lattice.cells().map(|cell| lattice.map(symmetry, cell).index() as u16).collect();
        let maps = DiagonalSymmetry::ALL.map(map);
        let mut space =
            Self { lattice, options, most: (more, fewer), maps, sets, boards: Vec::new(), len: 0 };
        for total in 2..=more + fewer {
            for mine in (1..=more).rev().filter(|&mine| (1..=more).contains(&total.saturating_sub(mine))) {
                let theirs = total - mine;
                if mine.min(theirs) <= fewer {
                    space.add(mine, theirs, limits, stones)?;
                }
            }
        }
        Ok(space)
    }

    /// Gives numbers to the boards of a tier. `of` are the most stones of the space.
    fn add(
        &mut self,
        mine: usize,
        theirs: usize,
        limits: SpaceLimits,
        of: (usize, usize),
    ) -> Result<(), SpaceError> {
        let (size, placings, before) = (self.size(), self.sets[mine] * self.sets[theirs], self.bytes());
        let check = |bytes: u64| {
            let most = limits.bytes;
            if before + bytes > most { Err(SpaceError::Bytes { stones: of, size, most }) } else { Ok(()) }
        };
        check(placings * size_of::<u32>() as u64)?;
        let index = Vec::with_capacity(placings as usize);
        let mut boards = Boards { mine, theirs, index, known: Vec::new() };
        for placing in 0..placings {
            boards.index.push(NONE);
            let stones = self.stones_of(&boards, placing);
            let Some(position) = self.placed(&boards, &stones, Recent::default()) else { continue };
            let View { placing: mirrored, .. } = self.view(&position, DiagonalSymmetry::MIRROR);
            if position.outcome().is_some() || mirrored < placing {
                continue;
            }
            let steps = self.steps(&position);
            let board = Board { first: self.len, steps, stones };
            boards.index[placing as usize] = boards.known.len() as u32;
            boards.known.push(board);
            self.len += self.states(mine, steps);
            if self.len > limits.numbers {
                return Err(SpaceError::Numbers { stones: of, size, most: limits.numbers });
            }
            check(boards.bytes())?;
        }
        boards.known.shrink_to_fit();
        self.boards.push(boards);
        Ok(())
    }

    /// The bytes of the lists of boards.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.boards.iter().map(Boards::bytes).sum()
    }

    /// Reads the text of a space within limits, as [`within`](Space::within) says.
    ///
    /// # Errors
    /// As [`within`](Space::within), and [`SpaceError::Text`] for a text that names no space.
    pub fn parse_within(text: &str, limits: SpaceLimits) -> Result<Self, SpaceError> {
        let unknown = || SpaceError::Text { text: head(text).to_owned() };
        let parts: Vec<&str> = text.split(", ").collect();
        let [size, stones, rules] = parts[..] else { return Err(unknown()) };
        let size = size.strip_prefix("size ").and_then(|size| size.parse().ok()).ok_or_else(unknown)?;
        let (more, fewer) = stones.split_once('v').ok_or_else(unknown)?;
        let stones = more.parse().ok().zip(fewer.parse().ok()).ok_or_else(unknown)?;
        let (name, voluntary_shots) = match rules.strip_suffix("+voluntary") {
            Some(name) => (name, true),
            None => (rules, false),
        };
        let repetition = name.parse().map_err(|_| unknown())?;
        Self::within(size, stones, Options { repetition, voluntary_shots }, limits)
    }

    /// The size X of the boards.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.lattice.size()
    }

    /// The rules.
    #[must_use]
    pub const fn options(&self) -> Options {
        self.options
    }

    /// The most stones of one side and of the other.
    #[must_use]
    pub const fn stones(&self) -> (usize, usize) {
        self.most
    }

    /// The tiers, in the order of their numbers.
    pub fn tiers(&self) -> impl Iterator<Item = Tier> + '_ {
        let firsts = self.boards.iter().map(|boards| boards.known.first().map_or(self.len, |b| b.first));
        let ends = firsts.clone().skip(1).chain([self.len]);
        self.boards.iter().zip(firsts.zip(ends)).map(|(boards, (first, end))| Tier {
            mine: boards.mine,
            theirs: boards.theirs,
            numbers: first..end,
        })
    }

    /// All boards with `mine` stones of blue, who is to move, and `theirs` of red, without last moves; boards on which the game
    /// is over are included. The flag is `true` if the board's mirror image has a smaller number.
    pub fn positions(&self, mine: usize, theirs: usize) -> impl Iterator<Item = (Position, bool)> + '_ {
        let boards = self.boards.iter().find(move |boards| (boards.mine, boards.theirs) == (mine, theirs));
        let all = boards.map(|boards| (0..boards.index.len() as u64).map(move |placing| (boards, placing)));
        all.into_iter().flatten().filter_map(|(boards, placing)| {
            let position = self.placed(boards, &self.stones_of(boards, placing), Recent::default())?;
            let mirrored = self.view(&position, DiagonalSymmetry::MIRROR).placing < placing;
            Some((position, mirrored))
        })
    }

    /// The number of states of a board.
    fn states(&self, mine: usize, steps: u64) -> u64 {
        if self.options.repetition == Repetition::None {
            return 1;
        }
        let (ours, last) = split(mine, steps);
        1 + u64::from(last.count_ones()) * (1 + 2 * u64::from(ours.count_ones()))
    }

    /// The [`steps`](Board::steps) of a position with blue to move and without last moves.
    fn steps(&self, position: &Position) -> u64 {
        let mut steps = 0;
        let moves = position.moves();
        let mut shift = 0;
        for cell in position.stones(Player::First) {
            let quiet = |mv: &&Move| mv.from == cell && position.hit(**mv).is_none();
            for mv in moves.iter().filter(quiet) {
                steps |= 1 << (shift + mv.heading.index());
            }
            shift += 8;
        }
        let others: Vec<Cell> = position.stones(Player::Second).collect();
        let own: Vec<Cell> = position.stones(Player::First).collect();
        for &cell in &others {
            for heading in Heading::ALL {
                let Some(from) = self.lattice.neighbour(cell, heading) else { continue };
                // The step is a possible last move if it was legal and no shot on the board before it.
                let before: Vec<Cell> = others.iter().map(|&c| if c == cell { from } else { c }).collect();
                let stones = ByPlayer::new(&own[..], &before[..]);
                let recent = Recent::default();
                let before = Position::with_recent(self.size(), self.options, stones, Player::Second, recent);
                let Ok(before) = before else { continue };
                let mv = Move::new(from, heading.opposite());
                let held = self.options.voluntary_shots && before.check(mv.holding()).is_ok();
                if held || (before.check(mv).is_ok() && before.hit(mv).is_none()) {
                    steps |= 1 << (shift + heading.index());
                }
            }
            shift += 8;
        }
        steps
    }

    /// The stones of a placing.
    fn stones_of(&self, boards: &Boards, placing: u64) -> [u16; 2 * MAX_STONES] {
        let others = self.sets[boards.theirs];
        let mut stones = [0; 2 * MAX_STONES];
        unrank_set(placing / others, &mut stones[..boards.mine]);
        unrank_set(placing % others, &mut stones[boards.mine..boards.mine + boards.theirs]);
        stones
    }

    /// The position with these stones and last moves, blue to move; `None` if two stones overlap.
    fn placed(&self, boards: &Boards, stones: &[u16; 2 * MAX_STONES], recent: Recent) -> Option<Position> {
        let cells = stones.map(cell);
        let (mine, theirs) = cells[..boards.mine + boards.theirs].split_at(boards.mine);
        let stones = ByPlayer::new(mine, theirs);
        Position::with_recent(self.size(), self.options, stones, Player::First, recent).ok()
    }

    /// A position's board under a symmetry, which must turn the board over if red is to move.
    fn view(&self, position: &Position, symmetry: DiagonalSymmetry) -> View {
        let map = &self.maps[usize::from(symmetry.number())];
        let mover = position.to_move();
        let side = |player| {
            let mut cells = [u16::MAX; MAX_STONES];
            for (to, from) in cells.iter_mut().zip(position.stones(player)) {
                *to = map[from.index()];
            }
            cells.sort_unstable();
            cells
        };
        let (mine, theirs) = (side(mover), side(mover.other()));
        let others = self.sets[position.stone_count(mover.other())];
        View { mine, theirs, placing: rank_set(mine) * others + rank_set(theirs), symmetry }
    }

    /// The number of a position's last moves among the last moves of its board; `None` if they are impossible.
    fn past(&self, view: &View, board: &Board, position: &Position, mine: usize) -> Option<u64> {
        let Recent { mine: last, theirs, returned } = position.recent();
        let Some(theirs) = theirs else { return Some(0) };
        let (ours, others) = split(mine, board.steps);
        // The step that would return a move, by the index of its stone.
        let back = |mv: Move, stones: &[u16; MAX_STONES]| {
            let at = self.maps[usize::from(view.symmetry.number())][position.target(mv)?.index()];
            let stone = stones.iter().position(|&stone| stone == at)?;
            Some(8 * stone + view.symmetry.heading(mv.heading).opposite().index())
        };
        let ways = 1 + 2 * u64::from(ours.count_ones());
        let first = 1 + place(others, back(theirs, &view.theirs)?)? * ways;
        let returns = last.and_then(|last| place(ours, back(last, &view.mine)?));
        Some(first + returns.map_or(0, |place| 1 + 2 * place + u64::from(returned)))
    }

    /// The last moves with a number.
    fn recent(&self, boards: &Boards, board: &Board, number: u64) -> Option<Recent> {
        let Some(number) = number.checked_sub(1) else { return Some(Recent::default()) };
        let (ours, others) = split(boards.mine, board.steps);
        let ways = 1 + 2 * u64::from(ours.count_ones());
        let last = |stone: usize, step: usize| {
            let heading = Heading::ALL[step % 8];
            let to = cell(board.stones[stone + step / 8]);
            Some(Move::new(self.lattice.neighbour(to, heading)?, heading.opposite()))
        };
        let theirs = last(boards.mine, nth(others, number / ways)?)?;
        let Some(way) = (number % ways).checked_sub(1) else {
            return Some(Recent { theirs: Some(theirs), ..Recent::default() });
        };
        let mine = last(0, nth(ours, way / 2)?)?;
        Some(Recent { mine: Some(mine), theirs: Some(theirs), returned: way % 2 == 1 })
    }
}

impl StateSpace for Space {
    type State = Position;

    fn len(&self) -> u64 {
        self.len
    }

    fn rank(&self, position: &Position) -> Option<u64> {
        let known = position.size() == self.size() && position.options() == self.options;
        if !known || position.outcome().is_some() {
            return None;
        }
        let mover = position.to_move();
        let (mine, theirs) = (position.stone_count(mover), position.stone_count(mover.other()));
        let boards = self.boards.iter().find(|boards| (boards.mine, boards.theirs) == (mine, theirs))?;
        let turn = match mover {
            Player::First => DiagonalSymmetry::IDENTITY,
            Player::Second => DiagonalSymmetry::FLIP,
        };
        let (view, mirrored) =
            (self.view(position, turn), self.view(position, turn.then(DiagonalSymmetry::MIRROR)));
        let view = if mirrored.placing < view.placing { mirrored } else { view };
        let board = boards.known.get(boards.index[view.placing as usize] as usize)?;
        Some(board.first + self.past(&view, board, position, mine)?)
    }

    fn unrank(&self, rank: u64) -> Option<Position> {
        if rank >= self.len {
            return None;
        }
        let begun = |boards: &&Boards| boards.known.first().is_some_and(|board| board.first <= rank);
        let boards = self.boards.iter().rev().find(begun)?;
        let at = boards.known.partition_point(|board| board.first <= rank) - 1;
        let board = &boards.known[at];
        let recent = self.recent(boards, board, rank - board.first)?;
        let position = self.placed(boards, &board.stones, recent)?;
        // The rule of repetition may leave no legal move.
        position.outcome().is_none().then_some(position)
    }
}

/// The name of a space in tables: `size 4, 1v1, four`.
impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options { repetition, voluntary_shots } = self.options;
        let shots = if voluntary_shots { "+voluntary" } else { "" };
        write!(f, "size {}, {}v{}, {repetition}{shots}", self.size(), self.most.0, self.most.1)
    }
}

/// Reads the text of [`Display`](fmt::Display).
impl FromStr for Space {
    type Err = SpaceError;

    fn from_str(text: &str) -> Result<Self, SpaceError> {
        Self::parse_within(text, SpaceLimits::NONE)
    }
}

/// A location by its number, which is below 23².
fn cell(number: u16) -> Cell {
    Cell::new(number.into()).unwrap_or_else(|| unreachable!("{number} is the number of a location"))
}

/// The steps of the side to move, which has `mine` stones, and the steps of its opponent.
fn split(mine: usize, steps: u64) -> (u64, u64) {
    // With four stones of each side the steps take all 64 bits, 32 for each side.
    let ours = steps & ((1 << (8 * mine)) - 1);
    (ours, steps >> (8 * mine))
}

/// The number of set bits below a bit; `None` if the bit itself is not set.
fn place(bits: u64, bit: usize) -> Option<u64> {
    (bits >> bit & 1 == 1).then(|| u64::from((bits & ((1 << bit) - 1)).count_ones()))
}

/// The set bit with `n` set bits below it.
fn nth(mut bits: u64, n: u64) -> Option<usize> {
    for _ in 0..n {
        bits &= bits.wrapping_sub(1);
    }
    (bits != 0).then(|| bits.trailing_zeros() as usize)
}

/// The number of sets of `k` out of `n`.
fn choose(n: u64, k: u64) -> u64 {
    match k {
        1 => n,
        2 => n * n.saturating_sub(1) / 2,
        _ => (0..k).fold(1, |product, i| product * n.saturating_sub(i) / (i + 1)),
    }
}

/// The number of a set, which is in ascending order and filled up with `u16::MAX`. The order of sets is by their
/// largest element, then by the next element.
fn rank_set(set: [u16; MAX_STONES]) -> u64 {
    let stones = set.into_iter().take_while(|&stone| stone != u16::MAX);
    stones.zip(1..).map(|(stone, k)| choose(stone.into(), k)).sum()
}

/// The set with a number, of `set.len()` elements.
fn unrank_set(mut number: u64, set: &mut [u16]) {
    for k in (1..=set.len() as u64).rev() {
        // The largest stone with at most `number` sets below it.
        let mut stone = k - 1;
        while choose(stone + 1, k) <= number {
            stone += 1;
        }
        set[k as usize - 1] = stone as u16;
        number -= choose(stone, k);
    }
}
