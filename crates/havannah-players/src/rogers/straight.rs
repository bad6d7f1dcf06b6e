//! [`Straight`]: from a corner straight across the board.

use rand_core::RngCore;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use stonework_board::{Cell, CellSet};
use stonework_game::{Game, Player, below};
use stonework_havannah::{Move, Position};
use stonework_roster::{Agent, Clock, Decision};

use super::{Corner, blocks, turned};

/// "Straight fork/bridge" (§3.4, §4.3), with defence if asked for (§3.5, §4.4).
///
/// A move is decided so:
///
/// 1. with defence: block what the opponent's last stone threatens (bridge, fork or ring), if anything;
/// 2. *opening*: take the corner and the two cells beside it on the rim, which join two edges. If the opponent
///    has one of the three: next corner;
/// 3. *side reached*: if the last stone of the line, opening aside, lies on the rim and the game is not won, the
///    line has come back to where it began: next corner;
/// 4. *ahead*: go on from the line's last stone in the direction away from the corner, or else turned by +1, −1,
///    +2, −2 or 3 sixths, to the first empty cell. Own stones are in the way like others;
/// 5. *back*: where none is empty, try the same from the stone before, and so on, through the opening too;
/// 6. *next corner*: where no stone is left, begin again at 2. Where no corner is left, resign.
///
/// The corners come in random order, new for each game. Every move is O(1) but for stepping back; the defence is
/// O(stones).
///
/// Two choices that the seed leaves open: an opening cell that is its own from an earlier corner counts as taken and is
/// skipped; cells off the board are as if occupied; stones that block belong to no line. Memory that does not fit
/// the position – another size or side, stones that are gone – is forgotten, as at a new game. If several stones
/// of the opponent's are new, as in a position that was set up, the first block that one of them asks for is
/// played, in the order of cells.
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
    /// Corners that are untried, the next one last.
    untried: Vec<Corner>,
    /// How many of the corner's three stones are placed.
    opened: usize,
    /// The stones from the corner on that are not exhausted.
    line: Vec<Cell>,
    /// The opponent's stones at the last decision.
    known: CellSet,
}

impl Straight {
    /// Without defence; the corners' order comes from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed), defends: false, plan: None }
    }

    /// With defence.
    #[must_use]
    pub fn defending(mut self) -> Self {
        self.defends = true;
        self
    }
}

impl Agent<Position> for Straight {
    /// The next game's corners come in another order.
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

    /// Whether the position can have come from where this was remembered.
    fn fits(&self, game: &Position) -> bool {
        let stand = |mut cells: Box<dyn Iterator<Item = Cell> + '_>, owner| {
            cells.all(|cell| game.stone(cell) == Some(owner))
        };
        (self.size, self.side) == (game.size(), game.to_move())
            && stand(Box::new(self.line.iter().copied()), self.side)
            && stand(Box::new(self.known.iter()), self.side.other())
    }

    /// The line's next stone; `None` where no corner is left.
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

    /// The next stone of the opening; `None` if it is complete or the corner lost, which leaves no line.
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

    /// The next stone beyond the opening; `None` if the line has come to a side or is exhausted.
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
