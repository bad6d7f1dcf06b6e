//! [`Distances`]: the fewest stones to a bridge, a fork and a ring.

use stonework_board::{Board, Cell, CellSet, SizeError};
use stonework_game::Player;
use stonework_havannah::{Position, WinKind};

use super::fork::{Meeting, meeting, through_bridges, through_forks};
use super::origin::{Origin, OriginError, Source, rim};
use super::ring::{Found, Rings};
use super::walk::{FAR, Ground, StoneMap, Tree, Walk, cell};

/// A win that takes the fewest stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    /// The kind of win.
    pub kind: WinKind,
    /// The number of stones that the side needs; 0 if the win is on the board.
    pub stones: u16,
    /// As many empty cells as stones are needed: own stones on all of them make the win.
    pub cells: CellSet,
    /// A cell that the ring encloses; `None` for a bridge and a fork.
    pub around: Option<Cell>,
}

/// A map; `known` is `true` if it is the map of the loaded position.
#[derive(Clone, Debug)]
struct Kept {
    map: StoneMap,
    known: bool,
}

impl Kept {
    fn new(cells: usize) -> Self {
        Self { map: StoneMap::new(cells), known: false }
    }
}

/// The cheapest ring.
#[derive(Clone, Copy, Debug)]
enum Cheapest {
    Unknown,
    Known(Option<Found>),
}

/// The fewest stones that one side needs, if the opponent passes: from corners, edges and chains to cells, and to a
/// bridge, a fork and a ring.
///
/// The type is a workspace: [`load`](Distances::load) takes a position, and the other methods measure it. The next
/// position of the same size uses the same memory, so that hardly anything is allocated. Only the stones on the board
/// count, not the turn and not the outcome.
///
/// A path costs one stone for each empty cell on it, nothing for a cell with an own stone, and cannot pass a cell of the
/// opponent. From the least costs of all paths follow
///
/// * for a **bridge**: the least sum of the distances of two corners to a cell where the two paths meet;
/// * for a **fork**: the same with three edges. A tree that joins three sets has one cell where its three branches
///   meet, so this is the cheapest tree (a Steiner tree with three terminals);
/// * for a **ring** around a cell: the shortest closed walk that avoids the cell and crosses a cut from the cell to the
///   outside an odd number of times. The walk is a shortest path on the *doubled* board, which has each cell twice, once
///   for either parity.
///
/// All three are exact: the fewest stones which, put on the board without an answer, make the win by the rules. Sources:
/// V. van Rijswijck, *Search and evaluation in Hex* (2002); S. Dreyfus and R. Wagner, *The Steiner problem in graphs* (1971);
/// the distance to a win is the knowledge of that name in T. Ewalds, *Playing and Solving Havannah* (2012).
///
/// Microseconds a call, mean of 20 positions of random games (two runs on a shared machine, `tests/speed.rs`); on the empty
/// board a ring takes two to three times as long, a map of rings half as long again:
///
/// | method | cost | size 5 | size 8 | size 10 |
/// |---|---|---|---|---|
/// | [`load`](Distances::load) | O(cells) | 14 | 39 | 63 |
/// | [`bridge`](Distances::bridge), [`fork`](Distances::fork) | O(cells) | 1 | 6 | 7 |
/// | [`ring`](Distances::ring) | O(cells² · size) | 41 | 180 | 290–690 |
/// | [`map`](Distances::map) of bridges | O(cells) | 3 | 11 | 14 |
/// | [`map`](Distances::map) of forks | O(cells) | 37 | 110 | 180 |
/// | [`map`](Distances::map) of rings | O(cells² · size) | 104 | 1230–1690 | 4000–5900 |
///
/// ```
/// use stonework_game::{Player, Textual};
/// use stonework_havannah::{Position, WinKind};
/// use stonework_havannah_analysis::{Distances, Origin};
/// let game = Position::parse_position("4 w - w.../...../..b.../.....b./....../...../...w")?;
/// let board = game.board();
/// let mut white = Distances::of(&game, Player::First);
///
/// // From the corner a1 four stones reach d4 past black's stone, the cell itself counted.
/// let from_a1 = white.from(Origin::Corner(0))?;
/// assert_eq!(from_a1.get(board.parse("d4")?), Some(4));
/// assert_eq!(from_a1.get(board.parse("c3")?), None);                   // black's own
///
/// // A bridge from a1 to the next corner takes three stones, and so does one from g7.
/// let bridge = white.bridge().unwrap();
/// assert_eq!(bridge.stones, 3);
/// assert_eq!(bridge.cells.len(), 3);
/// // No win is nearer, and each cell says how near a win with it is.
/// assert_eq!(white.nearest().map(|win| (win.kind, win.stones)), Some((WinKind::Bridge, 3)));
/// assert_eq!(white.win_map().get(board.parse("a2")?), Some(3));
/// assert_eq!(white.win_map().get(board.parse("d4")?), Some(6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Distances {
    player: Player,
    ground: Ground,
    walk: Walk,
    /// The trees from each corner, then from each edge.
    trees: Vec<Tree>,
    scratch: Tree,
    rings: Rings,
    cheapest_ring: Cheapest,
    bridges: Kept,
    forks: Kept,
    ringed: Kept,
    wins: Kept,
    /// The fewest stones of a ring around each cell; computed together with `ringed`.
    around: StoneMap,
}

impl Distances {
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
        let mut distances = Self {
            player,
            rings: Rings::new(cells),
            ground,
            walk: Walk::default(),
            trees: vec![Tree::new(cells); 12],
            scratch: Tree::new(cells),
            cheapest_ring: Cheapest::Unknown,
            bridges: Kept::new(cells),
            forks: Kept::new(cells),
            ringed: Kept::new(cells),
            wins: Kept::new(cells),
            around: StoneMap::new(cells),
        };
        distances.load(position, player);
        distances
    }

    /// Measures another position: one walk from each corner and each edge, O(cells). A position of another size makes the
    /// workspace anew.
    pub fn load(&mut self, position: &Position, player: Player) {
        if position.size() != self.ground.board.size() {
            *self = Self::of(position, player);
            return;
        }
        self.player = player;
        self.cheapest_ring = Cheapest::Unknown;
        for kept in [&mut self.bridges, &mut self.forks, &mut self.ringed, &mut self.wins] {
            kept.known = false;
        }
        self.ground.load(position, player);
        for (place, tree) in self.trees.iter_mut().enumerate() {
            for at in self.ground.board.cells().filter(|&at| rim(self.ground.board, at) >> place & 1 != 0) {
                let cost = self.ground.costs[at.index()];
                if cost != FAR {
                    self.walk.seeds.push((cost, at.into()));
                }
            }
            self.walk.spread(&self.ground, tree);
        }
    }

    /// The geometry of the board.
    #[must_use]
    pub const fn board(&self) -> &'static Board {
        self.ground.board
    }

    /// The side that is measured.
    #[must_use]
    pub const fn player(&self) -> Player {
        self.player
    }

    /// The fewest stones that join each cell to a corner, an edge, or a cell with its chain; both ends count if they
    /// are empty. A cell has no number if the opponent's stones cut it off. O(1) for corners and edges, O(cells) for a
    /// cell.
    ///
    /// # Errors
    /// An error for a corner, an edge or a cell that the board does not have.
    pub fn from(&mut self, origin: Origin) -> Result<&StoneMap, OriginError> {
        match origin.source(self.ground.board)? {
            Source::Rim(place) => Ok(&self.trees[place].costs),
            Source::Cell(at) => {
                let cost = self.ground.costs[at];
                self.walk.seeds.extend((cost != FAR).then_some((cost, at as u16)));
                self.walk.spread(&self.ground, &mut self.scratch);
                Ok(&self.scratch.costs)
            }
        }
    }

    /// The bridge that takes the fewest stones; `None` if the opponent has cut all corners off from each other. O(cells).
    #[must_use]
    pub fn bridge(&self) -> Option<Need> {
        let found = meeting::<2>(&self.ground, &self.trees[..6])?;
        Some(self.joined(WinKind::Bridge, &self.trees[..6], &found))
    }

    /// The fork that takes the fewest stones; `None` if no three edges can be joined any more, and on size 2, where no
    /// edge has a cell. O(cells).
    #[must_use]
    pub fn fork(&self) -> Option<Need> {
        let found = meeting::<3>(&self.ground, &self.trees[6..])?;
        Some(self.joined(WinKind::Fork, &self.trees[6..], &found))
    }

    fn joined<const N: usize>(&self, kind: WinKind, trees: &[Tree], found: &Meeting<N>) -> Need {
        let paths = found.ends.iter().flat_map(|&end| trees[end].path(found.at));
        let empty = paths.filter(|&at| self.ground.costs[at] == 1);
        Need { kind, stones: found.stones, cells: empty.map(cell).collect(), around: None }
    }

    /// The ring that takes the fewest stones, with a cell that it encloses; `None` if no cell can be enclosed any more.
    ///
    /// O(cells² · size), and less if a cheap ring is found early.
    #[must_use]
    pub fn ring(&mut self) -> Option<Need> {
        let found = match self.cheapest_ring {
            Cheapest::Known(found) => found,
            Cheapest::Unknown => self.rings.nearest(&self.ground),
        };
        self.cheapest_ring = Cheapest::Known(found);
        found.map(|found| self.circle(found))
    }

    /// The ring around a cell that takes the fewest stones, whatever is in the cell; `None` for a cell on the rim or off the
    /// board, and where the opponent's stones join the cell to the rim. O(cells · size).
    #[must_use]
    pub fn ring_around(&mut self, inside: Cell) -> Option<Need> {
        let on_board = self.ground.board.contains(inside);
        let found = on_board.then(|| self.rings.around(&self.ground, inside)).flatten()?;
        Some(self.circle(found))
    }

    fn circle(&mut self, found: Found) -> Need {
        let cells = self.rings.cells(&self.ground, found);
        Need { kind: WinKind::Ring, stones: found.stones, cells, around: Some(cell(found.inside)) }
    }

    /// The win of one kind that takes the fewest stones: [`bridge`](Distances::bridge), [`fork`](Distances::fork) or
    /// [`ring`](Distances::ring).
    #[must_use]
    pub fn need(&mut self, kind: WinKind) -> Option<Need> {
        match kind {
            WinKind::Bridge => self.bridge(),
            WinKind::Fork => self.fork(),
            WinKind::Ring => self.ring(),
        }
    }

    /// The win that takes the fewest stones, the *distance to a win*; among equals a bridge before a fork before a ring.
    /// `None` if the side cannot win any more. As costly as [`ring`](Distances::ring).
    #[must_use]
    pub fn nearest(&mut self) -> Option<Need> {
        let needs = [self.bridge(), self.fork(), self.ring()];
        needs.into_iter().flatten().min_by_key(|need| need.stones)
    }

    /// For each cell the fewest stones that make a win of one kind *in the chain of this cell*; an empty cell gets one of
    /// the stones. An own stone has the number that its chain needs. The opponent's stones have no number.
    ///
    /// The empty cells with the least number of the map are the cells of the cheapest wins. A cell that does not help has a
    /// number too: the number of the cheapest win with a branch to the cell.
    ///
    /// O(cells) for a bridge and a fork, O(cells² · size) for a ring; the second time O(1).
    pub fn map(&mut self, kind: WinKind) -> &StoneMap {
        let Self { ground, walk, trees, scratch, .. } = self;
        let kept = match kind {
            WinKind::Bridge => &mut self.bridges,
            WinKind::Fork => &mut self.forks,
            WinKind::Ring => &mut self.ringed,
        };
        if !kept.known {
            match kind {
                WinKind::Bridge => through_bridges(ground, &trees[..6], &mut kept.map),
                WinKind::Fork => through_forks(ground, walk, &trees[6..], scratch, &mut kept.map),
                WinKind::Ring => {
                    let found = self.rings.all(ground, &mut kept.map, &mut self.around);
                    self.cheapest_ring = Cheapest::Known(found);
                }
            }
            // Each cell may branch off the cheapest win through another cell.
            walk.seeds.extend(kept.map.iter().map(|(at, stones)| (stones, at.into())));
            walk.spread(ground, scratch);
            std::mem::swap(&mut kept.map, &mut scratch.costs);
            kept.known = true;
        }
        &kept.map
    }

    /// For each cell the least number of the three [maps](Distances::map): the fewest stones that make a win in the chain
    /// of this cell. As costly as the map of rings.
    pub fn win_map(&mut self) -> &StoneMap {
        if !self.wins.known {
            for kind in WinKind::ALL {
                self.map(kind);
            }
            let [bridges, forks, rings] =
                [&self.bridges, &self.forks, &self.ringed].map(|kept| &kept.map.values);
            let kinds = bridges.iter().zip(forks).zip(rings);
            for (least, ((&bridge, &fork), &ring)) in self.wins.map.values.iter_mut().zip(kinds) {
                *least = bridge.min(fork).min(ring);
            }
            self.wins.known = true;
        }
        &self.wins.map
    }

    /// For each cell the fewest stones of a ring *around* it, whatever is in the cell; cells on the rim have no
    /// number. As costly as the [map](Distances::map) of rings.
    pub fn around_map(&mut self) -> &StoneMap {
        self.map(WinKind::Ring);
        &self.around
    }
}
