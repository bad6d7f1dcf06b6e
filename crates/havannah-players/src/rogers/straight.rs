//! [`Straight`]: a line from a corner straight across the board.

use rand_core::RngCore;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use stonework_board::{Cell, CellSet};
use stonework_game::{Game, Player, below};
use stonework_havannah::{Move, Position};
use stonework_roster::{Agent, Clock, Decision};

use super::{Corner, blocks, turned};

/// "Straight fork/bridge" (§3.4, §4.3), with defence as an option (§3.5, §4.4).
///
/// The steps of a decision:
///
/// 1. with defence: block the threat of the opponent's last stone (bridge, fork or ring), if there is one;
/// 2. *opening*: take the corner and the two cells beside it on the rim, which join two edges. If the opponent
///    has one of the three, begin again at the next corner;
/// 3. *side reached*: if the last stone of the line, opening aside, lies on the rim and the game is not won, the
///    line has come back to its first edges: begin again at the next corner;
/// 4. *ahead*: go on from the line's last stone in the direction away from the corner, or else turned by +1, −1,
///    +2, −2 or 3 sixths, to the first empty cell. Own stones block the line as the opponent's do;
/// 5. *back*: if no such cell is empty, go on from the stone before, and so on, through the opening too;
/// 6. *next corner*: if no stone is left, begin again at step 2. If no corner is left, resign.
///
/// The corners come in random order, new for each game. A move is O(1), apart from steps back; the defence is
/// O(stones).
///
/// The report leaves some cases open. Here an own stone of an earlier corner on a cell of the opening counts as placed;
/// cells off the board count as occupied; stones that block belong to no line. The memory is cleared, as for a new
/// game, if it does not fit the position: another size or side, or stones that are gone. If several stones of the
/// opponent are new, as in a position from a setup, the first of them in the order of cells that makes a threat is
/// blocked.
#[derive(Clone, Debug)]
pub struct Straight {
    rng: Xoshiro256PlusPlus,
    defends: bool,
    plan: Option<Plan>,
}

/// The memory of a game.
#[derive(Clone, Debug)]
struct Plan {
    size: u8,
    side: Player,
    corner: Corner,
    /// The corners that are untried, the next one last.
    untried: Vec<Corner>,
    /// The number of the corner's three stones that are placed.
    opened: usize,
    /// The stones from which the line can still go on, in their order from the corner.
    line: Vec<Cell>,
    /// The opponent's stones at the last decision.
    known: CellSet,
}

impl Straight {
    /// A player without defence; the order of the corners comes from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed), defends: false, plan: None }
    }

    /// The same player with defence.
    #[must_use]
    pub fn defending(mut self) -> Self {
        self.defends = true;
        self
    }
}

impl Agent<Position> for Straight {
    /// Forgets the game; the corners of the next game come in another order.
    fn new_game(&mut self) {
        self.plan = None;
    }

    fn decide(&mut self, game: &Position, _: &Clock) -> Option<Decision<Move>> {
        if game.outcome().is_some() {
            return None;
        }
        let mut plan =
            self.plan.take().filter(|plan| plan.fits(game)).unwrap_or_else(|| Plan::new(game, &mut self.rng));
        let theirs = game.stones(game.to_move().other());
        let block = || {
            let mut new = theirs.iter().filter(|&cell| !plan.known.contains(cell));
            new.find_map(|last| blocks::block(game, last))
        };
        let block = if self.defends { block() } else { None };
        let cell = block.or_else(|| plan.advance(game));
        plan.known = theirs;
        self.plan = Some(plan);
        Some(cell.map_or(Decision::Resign, |cell| Decision::Play(Move::Place(cell))))
    }
}

impl Plan {
    fn new(game: &Position, rng: &mut impl RngCore) -> Self {
        let mut untried = Corner::ALL.to_vec();
        for i in (1..untried.len()).rev() {
            untried.swap(i, below(rng, i + 1));
        }
        let corner = untried.swap_remove(0);
        let (size, side) = (game.size(), game.to_move());
        Self { size, side, corner, untried, opened: 0, line: Vec::new(), known: CellSet::new() }
    }

    /// `true` if the position can follow the remembered position.
    fn fits(&self, game: &Position) -> bool {
        let stand = |mut cells: Box<dyn Iterator<Item = Cell> + '_>, owner| {
            cells.all(|cell| game.stone(cell) == Some(owner))
        };
        (self.size, self.side) == (game.size(), game.to_move())
            && stand(Box::new(self.line.iter().copied()), self.side)
            && stand(Box::new(self.known.iter()), self.side.other())
    }

    /// The line's next stone; `None` if no corner is left.
    fn advance(&mut self, game: &Position) -> Option<Cell> {
        loop {
            if let Some(cell) = self.open(game).or_else(|| self.ahead(game)) {
                self.line.push(cell);
                return Some(cell);
            }
            self.corner = self.untried.pop()?;
            self.opened = 0;
            self.line.clear();
        }
    }

    /// The next stone of the opening; `None` if the opening is complete, or if the opponent has a cell of it, which clears
    /// the line.
    fn open(&mut self, game: &Position) -> Option<Cell> {
        let stones = self.corner.stones(game.board())?;
        if self.opened < 3 && stones.iter().any(|&cell| game.stone(cell) == Some(self.side.other())) {
            self.line.clear();
            return None;
        }
        while let Some(&cell) = stones.get(self.opened) {
            self.opened += 1;
            if game.stone(cell).is_none() {
                return Some(cell);
            }
            self.line.push(cell);
        }
        None
    }

    /// The next stone beyond the opening; `None` if the line has reached an edge or cannot go on.
    fn ahead(&mut self, game: &Position) -> Option<Cell> {
        const TURNS: [i8; 6] = [0, 1, -1, 2, -2, 3];
        let board = game.board();
        if self.line.len() > 3 && self.line.last().is_some_and(|&cell| board.is_rim(cell)) {
            return None;
        }
        while let Some(&from) = self.line.last() {
            let next = |turn| board.neighbour(from, turned(self.corner.heading(), turn));
            let mut open = TURNS.into_iter().filter_map(next).filter(|&cell| game.stone(cell).is_none());
            if let Some(cell) = open.next() {
                return Some(cell);
            }
            self.line.pop();
        }
        None
    }
}
