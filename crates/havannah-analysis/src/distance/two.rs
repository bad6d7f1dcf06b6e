//! [`TwoDistances`]: how far a side is if the opponent may always take the best way from it.

use stonework_board::{Board, Cell, CellSet, Direction, SizeError};
use stonework_game::Player;
use stonework_havannah::Position;

use super::origin::{Origin, OriginError, Source, rim};
use super::walk::{FAR, NONE, StoneMap, cell};

/// The least sum of two-distances for a bridge or a fork.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Potential {
    /// The sum of the distances from a cell to two corners or three edges, the cell counted once; 0 if the win is on
    /// the board.
    pub stones: u16,
    /// The empty cells with that sum.
    pub cells: CellSet,
}

/// The two-distances of one side: an empty cell at a goal has 1, every other one 1 more than the *second* least number of
/// its neighbours, since the opponent takes the best.
///
/// Goals are corners, edges and chains. An empty corner is 1, and no other cell has a distance to it: the opponent takes
/// the corner. With an own stone on it a corner is the chain of this stone. Neighbours are taken through own stones: the
/// empty cells around a chain are all next to each other and, if the chain is at the goal, all at 1.
///
/// An estimate: the value says how hard a connection is to stop, not whether it can be stopped. There is none for rings:
/// the second best way around a cell shares cells with the best, and no source says how to count them.
///
/// A workspace as [`Distances`](crate::Distances) is. Source: V. van Rijswijck, *Computer Hex: are bees better than
/// fruitflies?* (2000); for Cachex the same measure is
/// `stonework-cachex-players`' `TwoDistance`, on words of that game's small boards.
///
/// ```
/// use stonework_game::{Player, Textual};
/// use stonework_havannah::Position;
/// use stonework_havannah_analysis::{Origin, TwoDistances};
/// let game = Position::parse_position("5 w - ...../....../......./......../....w..../......../......./....../.....")?;
/// let mut white = TwoDistances::of(&game, Player::First);
/// let from_top = white.from(Origin::Edge(0))?;
/// let at = |name: &str| from_top.get(game.board().parse(name).unwrap());
/// assert_eq!([at("a3"), at("b3"), at("c4"), at("d4")], [Some(1), Some(2), Some(3), Some(5)]);
/// assert_eq!((at("a1"), at("e5")), (Some(4), None));          // the corner is on no edge; a stone has no number
/// assert_eq!(white.fork().map(|fork| fork.stones), Some(11)); // 1 + 6 + 6 at the middle of an edge
/// assert_eq!(white.bridge(), None);                           // no corner is white's
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TwoDistances {
    board: &'static Board,
    player: Player,
    state: Vec<Content>,
    /// The chain of each own stone, by number.
    label: Vec<u16>,
    chains: Vec<Chain>,
    /// The empty neighbours of the chains, one chain after the other.
    liberties: Vec<u16>,
    /// From each corner, then from each edge; then room for a cell's.
    maps: Vec<StoneMap>,
    work: Work,
}

/// What is in a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Content {
    Empty,
    Own,
    Blocked,
}

/// A chain of own stones.
#[derive(Clone, Copy, Debug)]
struct Chain {
    /// Corners and edges that it touches.
    rim: u16,
    /// Where its empty neighbours begin and end.
    liberties: (usize, usize),
    /// The last cell that has told the others around the chain of its distance, and how many have.
    told: (u16, u8),
}

/// Working memory.
#[derive(Clone, Debug)]
struct Work {
    /// The first neighbour of a cell that has a distance.
    first: Vec<u16>,
    now: Vec<u16>,
    next: Vec<u16>,
}

impl TwoDistances {
    /// A workspace for a size from 2 to 20, with the empty board loaded as the first player sees it.
    ///
    /// # Errors
    /// For any other size.
    pub fn new(size: u8) -> Result<Self, SizeError> {
        Ok(Self::of(&Position::new(size)?, Player::First))
    }

    /// Measures a position for one side, in a new workspace.
    #[must_use]
    pub fn of(position: &Position, player: Player) -> Self {
        let cells = position.board().len();
        let mut distances = Self {
            board: position.board(),
            player,
            state: vec![Content::Empty; cells],
            label: vec![NONE; cells],
            chains: Vec::new(),
            liberties: Vec::new(),
            maps: vec![StoneMap::new(cells); 13],
            work: Work { first: vec![NONE; cells], now: Vec::new(), next: Vec::new() },
        };
        distances.load(position, player);
        distances
    }

    /// Measures another position: O(cells); 13, 39 and 60 µs at sizes 5, 8 and 10. A position of another size makes the workspace anew.
    pub fn load(&mut self, position: &Position, player: Player) {
        if position.size() != self.board.size() {
            *self = Self::of(position, player);
            return;
        }
        self.player = player;
        self.state.fill(Content::Empty);
        for (side, content) in [(player, Content::Own), (player.other(), Content::Blocked)] {
            for at in position.stones(side) {
                self.state[at.index()] = content;
            }
        }
        self.find_chains();
        for place in 0..12 {
            self.seed_rim(place);
            self.spread(place);
        }
    }

    /// The side that is measured.
    #[must_use]
    pub const fn player(&self) -> Player {
        self.player
    }

    fn find_chains(&mut self) {
        let Self { board, state, label, chains, liberties, work, .. } = self;
        chains.clear();
        liberties.clear();
        label.fill(NONE);
        // The last chain beside which a cell was seen.
        work.first.fill(NONE);
        let stack = &mut work.now;
        stack.clear();
        for start in board.cells() {
            if state[start.index()] != Content::Own || label[start.index()] != NONE {
                continue;
            }
            let number = chains.len() as u16;
            let begin = liberties.len();
            let mut touches = 0;
            label[start.index()] = number;
            stack.push(start.into());
            while let Some(at) = stack.pop() {
                let at = cell(at.into());
                touches |= rim(board, at);
                for near in board.neighbours(at) {
                    match state[near.index()] {
                        Content::Own if label[near.index()] == NONE => {
                            label[near.index()] = number;
                            stack.push(near.into());
                        }
                        Content::Empty if work.first[near.index()] != number => {
                            work.first[near.index()] = number;
                            liberties.push(near.into());
                        }
                        _ => {}
                    }
                }
            }
            chains.push(Chain { rim: touches, liberties: (begin, liberties.len()), told: (NONE, 0) });
        }
    }

    /// Puts the empty cells at a corner or an edge on the list of the first cells.
    fn seed_rim(&mut self, place: usize) {
        let Self { board, state, chains, liberties, work, .. } = self;
        let at_goal = |at: &Cell| rim(board, *at) >> place & 1 != 0 && state[at.index()] == Content::Empty;
        work.now.extend(board.cells().filter(at_goal).map(u16::from));
        for chain in chains.iter().filter(|chain| chain.rim >> place & 1 != 0) {
            work.now.extend_from_slice(&liberties[chain.liberties.0..chain.liberties.1]);
        }
    }

    /// Gives the cells on the list 1, and all others what follows.
    fn spread(&mut self, place: usize) {
        let Self { board, state, label, chains, liberties, maps, work, .. } = self;
        let values = &mut maps[place].values;
        let Work { first, now, next } = work;
        values.fill(FAR);
        first.fill(NONE);
        for chain in chains.iter_mut() {
            chain.told = (NONE, 0);
        }
        now.retain(|&at| std::mem::replace(&mut values[usize::from(at)], 1) == FAR);
        let mut distance = 1;
        while !now.is_empty() {
            let mut tell = |from: u16, to: u16| {
                let at = usize::from(to);
                if values[at] != FAR {
                    return;
                }
                if first[at] == NONE {
                    first[at] = from;
                } else if first[at] != from {
                    values[at] = distance + 1;
                    next.push(to);
                }
            };
            for &from in now.iter() {
                for d in Direction::ALL {
                    let Some(near) = board.neighbour(cell(from.into()), d) else { continue };
                    match state[near.index()] {
                        Content::Empty => tell(from, near.into()),
                        Content::Own => {
                            let chain = &mut chains[usize::from(label[near.index()])];
                            // After two, each cell around the chain has been told by two others.
                            if chain.told.1 < 2 && chain.told.0 != from {
                                chain.told = (from, chain.told.1 + 1);
                                for &to in &liberties[chain.liberties.0..chain.liberties.1] {
                                    tell(from, to);
                                }
                            }
                        }
                        Content::Blocked => {}
                    }
                }
            }
            now.clear();
            std::mem::swap(now, next);
            distance += 1;
        }
    }

    /// The two-distance of each empty cell from a corner, an edge, or a cell with its chain. No number for stones and
    /// where a single stone can cut every way. O(1) for corners and edges, O(cells) for a cell.
    ///
    /// # Errors
    /// For a corner, an edge or a cell that the board does not have.
    pub fn from(&mut self, origin: Origin) -> Result<&StoneMap, OriginError> {
        let place = match origin.source(self.board)? {
            Source::Rim(place) => place,
            Source::Cell(at) => {
                match self.state[at] {
                    Content::Empty => self.work.now.push(at as u16),
                    Content::Own => {
                        let (begin, end) = self.chains[usize::from(self.label[at])].liberties;
                        self.work.now.extend_from_slice(&self.liberties[begin..end]);
                    }
                    Content::Blocked => {}
                }
                self.spread(12);
                12
            }
        };
        Ok(&self.maps[place])
    }

    /// The least potential for a bridge: the sum of a cell's distances to two corners, less 1. `None` where no empty cell
    /// has both. O(cells).
    #[must_use]
    pub fn bridge(&self) -> Option<Potential> {
        self.potential(0, 2)
    }

    /// The least potential for a fork: the sum of a cell's distances to three edges, less 2. `None` where no empty cell
    /// has all three. O(cells).
    #[must_use]
    pub fn fork(&self) -> Option<Potential> {
        self.potential(6, 3)
    }

    fn potential(&self, begin: usize, count: usize) -> Option<Potential> {
        let joined = |chain: &Chain| (chain.rim >> begin & 63).count_ones() as usize >= count;
        if self.chains.iter().any(joined) {
            return Some(Potential { stones: 0, cells: CellSet::new() });
        }
        let mut best: Option<Potential> = None;
        for at in 0..self.state.len() {
            let mut six: [u16; 6] = std::array::from_fn(|end| self.maps[begin + end].values[at]);
            six.sort_unstable();
            if six[count - 1] == FAR {
                continue;
            }
            let stones = six[..count].iter().sum::<u16>() - (count as u16 - 1);
            let cells = match best {
                Some(before) if before.stones < stones => continue,
                Some(before) if before.stones == stones => before.cells,
                _ => CellSet::new(),
            };
            best = Some(Potential { stones, cells: cells | std::iter::once(cell(at)).collect() });
        }
        best
    }
}
