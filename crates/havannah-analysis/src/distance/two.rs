//! [`TwoDistances`]: the distance of a side if the opponent always takes the best way from it.

use stonework_board::{CellSet, SizeError};
use stonework_game::Player;
use stonework_havannah::Position;

use super::field::{Content, Field};
use super::origin::{Origin, OriginError, Source, rim};
use super::ring::Rings;
use super::walk::{FAR, Ground, StoneMap, cell};

/// The least sum of two-distances for a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Potential {
    /// The sum of the distances from a cell to two corners, to three edges, or to one chain on two ways, the cell counted
    /// once; 0 if the win is on the board.
    pub stones: u16,
    /// The empty cells with that sum.
    pub cells: CellSet,
}

/// The two-distances of one side: an empty cell at a goal has 1, every other empty cell 1 more than the *second* least
/// number of its neighbours, since the opponent takes the best.
///
/// Goals are corners, edges and chains. An empty corner has 1, and no other cell has a distance to it: the opponent
/// takes the corner. A corner with an own stone is the chain of this stone. Neighbours count through own stones: the
/// empty cells around a chain are neighbours of each other and, if the chain is at the goal, all have 1.
///
/// The measure is an estimate: it says how hard a connection is to stop, and proves none. For bridges and forks
/// potentials are sums to several goals, as in the source. The source has no potential for rings; here the two goals
/// are the two ways around a cell to one chain.
///
/// The type is a workspace like [`Distances`](crate::Distances). Source: V. van Rijswijck, *Computer Hex: are bees
/// better than fruitflies?* (2000). The same measure for Cachex is `TwoDistance` of `stonework-cachex-players`, on
/// words of that game's small boards.
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
/// assert_eq!(white.ring().map(|ring| ring.stones), Some(13)); // 7 + 7 on the two ways around a neighbour
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TwoDistances {
    player: Player,
    ground: Ground,
    field: Field,
    /// The corners and edges that each chain touches.
    touched: Vec<u16>,
    /// The maps from each corner, then from each edge, then from a cell.
    maps: Vec<StoneMap>,
    rings: Rings,
    /// The board with each cell twice, cut from a cell to the rim.
    doubled: Field,
    /// The two-distances on the doubled board.
    values: Vec<u16>,
    /// The cells that a ring can enclose, each after the number of stones of its cheapest ring.
    enclosed: Vec<(u16, u16)>,
}

impl TwoDistances {
    /// A workspace for a size from 2 to 20, with the empty board loaded for the first player.
    ///
    /// # Errors
    /// An error for any other size.
    pub fn new(size: u8) -> Result<Self, SizeError> {
        Ok(Self::of(&Position::new(size)?, Player::First))
    }

    /// Measures a position for one side, in a new workspace.
    #[must_use]
    pub fn of(position: &Position, player: Player) -> Self {
        let ground = Ground::new(position.board());
        let cells = ground.cells();
        let mut field = Field::new(cells);
        field.neighbours.clone_from(&ground.neighbours);
        let mut distances = Self {
            player,
            ground,
            field,
            touched: Vec::new(),
            maps: vec![StoneMap::new(cells); 13],
            rings: Rings::new(cells),
            doubled: Field::new(2 * cells),
            values: vec![FAR; 2 * cells],
            enclosed: Vec::new(),
        };
        distances.load(position, player);
        distances
    }

    /// Measures another position: O(cells); 13, 39 and 60 µs at sizes 5, 8 and 10. A position of another size makes the
    /// workspace anew.
    pub fn load(&mut self, position: &Position, player: Player) {
        let board = self.ground.board;
        if position.size() != board.size() {
            *self = Self::of(position, player);
            return;
        }
        self.player = player;
        self.ground.load(position, player);
        for (content, &cost) in self.field.contents.iter_mut().zip(&self.ground.costs) {
            *content = match cost {
                0 => Content::Own,
                1 => Content::Empty,
                _ => Content::Blocked,
            };
        }
        self.field.find_chains();
        self.touched.clear();
        self.touched.resize(self.field.chains.len(), 0);
        for at in position.stones(player) {
            self.touched[usize::from(self.field.label[at.index()])] |= rim(board, at);
        }
        for place in 0..12 {
            let at_goal = |at: usize| self.ground.costs[at] == 1 && rim(board, cell(at)) >> place & 1 != 0;
            let cells = (0..self.ground.cells()).filter(|&at| at_goal(at));
            self.field.goal.extend(cells.map(|at| at as u16));
            for chain in 0..self.touched.len() {
                if self.touched[chain] >> place & 1 != 0 {
                    self.field.goal_around(chain);
                }
            }
            self.field.spread(&mut self.maps[place].values);
        }
    }

    /// The side that is measured.
    #[must_use]
    pub const fn player(&self) -> Player {
        self.player
    }

    /// The two-distance of each empty cell from a corner, an edge, or a cell with its chain. Stones have no number,
    /// and neither have cells that a single stone can cut off. O(1) for corners and edges, O(cells) for a cell.
    ///
    /// # Errors
    /// An error for a corner, an edge or a cell that the board does not have.
    pub fn from(&mut self, origin: Origin) -> Result<&StoneMap, OriginError> {
        let place = match origin.source(self.ground.board)? {
            Source::Rim(place) => place,
            Source::Cell(at) => {
                match self.field.contents[at] {
                    Content::Empty => self.field.goal.push(at as u16),
                    Content::Own => self.field.goal_around(self.field.label[at].into()),
                    Content::Blocked => {}
                }
                self.field.spread(&mut self.maps[12].values);
                12
            }
        };
        Ok(&self.maps[place])
    }

    /// The least potential for a bridge: the sum of a cell's distances to two corners, less 1. `None` if no empty cell
    /// has both distances. O(cells).
    #[must_use]
    pub fn bridge(&self) -> Option<Potential> {
        self.potential(0, 2)
    }

    /// The least potential for a fork: the sum of a cell's distances to three edges, less 2. `None` if no empty cell
    /// has all three distances. O(cells).
    #[must_use]
    pub fn fork(&self) -> Option<Potential> {
        self.potential(6, 3)
    }

    fn potential(&self, begin: usize, count: usize) -> Option<Potential> {
        if self.touched.iter().any(|touched| (touched >> begin & 63).count_ones() as usize >= count) {
            return Some(Potential { stones: 0, cells: CellSet::new() });
        }
        let mut least = Least::default();
        for at in 0..self.ground.cells() {
            let mut six: [u16; 6] = std::array::from_fn(|end| self.maps[begin + end].values[at]);
            six.sort_unstable();
            if six[count - 1] != FAR {
                least.add(six[..count].iter().sum::<u16>() - (count as u16 - 1), at);
            }
        }
        least.0
    }

    /// The least potential for a ring: for a chain and a cell that it does not hold, the sum of another cell's distances to
    /// the chain on either way around the enclosed cell, less 1. `None` if no chain can be closed to a ring in two ways that
    /// one stone does not stop.
    ///
    /// The distances are taken on the doubled board of [`Distances`](crate::Distances), for each cell and each chain; cells
    /// whose cheapest ring already takes more stones are left out. O(cells² · chains); 0.2, 3.5 and 14 ms at sizes 5, 8 and 10
    /// in random games.
    #[must_use]
    pub fn ring(&mut self) -> Option<Potential> {
        let Self { ground, rings, doubled, values, enclosed, .. } = self;
        enclosed.clear();
        for inside in 0..ground.cells() {
            if let Some(found) = rings.around(ground, cell(inside)) {
                enclosed.push((found.stones, inside as u16));
            }
        }
        enclosed.sort_unstable();
        let mut least = Least::default();
        for &(stones, inside) in enclosed.iter() {
            if stones == 0 {
                return Some(Potential { stones: 0, cells: CellSet::new() });
            }
            // A two-distance is at least the distance.
            if least.0.is_some_and(|least| least.stones < stones) {
                break;
            }
            rings.double(ground, inside.into(), doubled);
            for chain in 0..doubled.chains.len() {
                // The other copy of the chain has the same distances.
                if doubled.chains[chain].start % 2 == 1 {
                    continue;
                }
                doubled.goal_around(chain);
                doubled.spread(values);
                for (at, pair) in values.chunks_exact(2).enumerate() {
                    if pair[0] != FAR && pair[1] != FAR {
                        least.add(pair[0] + pair[1] - 1, at);
                    }
                }
            }
        }
        least.0
    }
}

/// The least potential so far.
#[derive(Default)]
struct Least(Option<Potential>);

impl Least {
    fn add(&mut self, stones: u16, at: usize) {
        let mut cells = match self.0 {
            Some(before) if before.stones < stones => return,
            Some(before) if before.stones == stones => before.cells,
            _ => CellSet::new(),
        };
        cells.insert(cell(at));
        self.0 = Some(Potential { stones, cells });
    }
}
