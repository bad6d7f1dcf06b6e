//! [`Leipzig`]: one random clump.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use stonework_board::{Cell, CellSet};
use stonework_game::{Game, below};
use stonework_havannah::{Move, Position};
use stonework_roster::{Agent, Clock, Decision};
use stonework_search::{Parameter, ParameterError};

/// The "example" of the Leipzig server (§1.3, §5.4): grows one random clump, until the clump closes a ring.
///
/// The move is the first of these that exists, at random among equals:
///
/// 1. a cell on which its stone wins at once;
/// 2. a cell on which the opponent would win at once;
/// 3. an empty cell beside its own stones;
/// 4. any empty cell.
///
/// The report describes rule 3 only. In its printed game, 41 of the example's 42 stones follow rule 3. The other stone
/// (move 84, far from its other stones) is on one of the two cells on which White would win: hence rule 2, and
/// with it rule 1, for which the printed game has no occasion. O(cells) a move.
///
/// [Parameter](Agent::parameters) `alert`: 0 leaves out rules 1 and 2.
#[derive(Clone, Debug)]
pub struct Leipzig {
    rng: Xoshiro256PlusPlus,
    alert: bool,
}

impl Leipzig {
    /// A player whose random choices come from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed), alert: true }
    }
}

impl Leipzig {
    /// The cells of the first rule that has any.
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
    /// A player without memory of a game: the next game goes on with the random numbers of the last.
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
