//! [`Leipzig`]: one random clump.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use stonework_board::{Cell, CellSet};
use stonework_game::{Game, below};
use stonework_havannah::{Move, Position};
use stonework_roster::{Agent, Clock, Decision};
use stonework_search::{Parameter, ParameterError};

/// The "example" of the Leipzig server (§1.3, §5.4): grows one random clump, until that closes a ring.
///
/// A move is decided so:
///
/// 1. win at once, where that can be done;
/// 2. else take a cell on which the opponent would win at once;
/// 3. else a random one of the empty cells beside its own stones;
/// 4. else, at the beginning or where there is none, any empty cell.
///
/// The seed tells of 3 only. In its printed game 41 of the example's 42 stones are that, and the other one (move
/// 84, far from all its stones) is one of the two cells on which White would win: so 2, and with it 1, which the
/// printed game never offers. Each step takes a random one of the cells that it allows. O(cells) a move.
///
/// [Parameter](Agent::parameters) `alert`: 0 leaves out 1 and 2.
#[derive(Clone, Debug)]
pub struct Leipzig {
    rng: Xoshiro256PlusPlus,
    alert: bool,
}

impl Leipzig {
    /// All random choices come from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed), alert: true }
    }
}

impl Leipzig {
    /// The cells of the first step that has any.
    fn choice(&self, game: &Position) -> Vec<Cell> {
        let me = game.to_move();
        if self.alert {
            let at_once = [me, me.other()].map(|side| game.winning_cells(side));
            if let Some(cells) = at_once.iter().find(|cells| !cells.is_empty()) {
                return cells.iter().collect();
            }
        }
        let beside: CellSet = game.stones(me).iter().flat_map(|cell| game.board().neighbours(cell)).collect();
        let clump: Vec<Cell> = game.empty_cells().filter(|&cell| beside.contains(cell)).collect();
        if clump.is_empty() { game.empty_cells().collect() } else { clump }
    }
}

impl Agent<Position> for Leipzig {
    /// There is nothing to forget; the next game goes on with the random numbers of the last.
    fn new_game(&mut self) {}

    fn decide(&mut self, game: &Position, _: &Clock) -> Option<Decision<Move>> {
        if game.outcome().is_some() {
            return None;
        }
        let choice = self.choice(game);
        let cell = choice.get(below(&mut self.rng, choice.len()))?;
        Some(Decision::Play(Move::Place(*cell)))
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter::whole(
            "alert",
            "sees wins in one of both sides",
            u8::from(self.alert).into(),
            0.0,
            1.0,
        )]
    }

    fn set_parameter(&mut self, parameter: &str, value: f64) -> Result<(), ParameterError> {
        Parameter::find(&self.parameters(), parameter, value)?;
        self.alert = value > 0.0;
        Ok(())
    }
}
