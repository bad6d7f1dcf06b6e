//! [`Blend`] and [`Currents`]: an evaluation and an order of moves for alpha-beta, made of the measures.

use stonework_cachex::{Move, Position};
use stonework_game::{Game, Keyed, Player};
use stonework_search::{Evaluator, MoveOrder, Parameter, ParameterError, WIN};

use crate::circuit::Circuit;
use crate::distance::Walks;
use crate::frame::{CELLS, Frame};
use crate::threats::StonePairs;
use crate::two_distance::Spread;

/// The weights of the measures. A measure of weight 0 is not computed and costs nothing.
///
/// Only ratios matter to the choice of moves. In the default set `resistance` is fixed at 400, and `stone` to `tempo`
/// were tuned by games on n = 7 (`docs/lab/cachex.md`).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// The weight of ln(opponent's resistance / own resistance); see [`Circuit`].
    pub resistance: f64,
    /// The weight of the opponent's shortest connection less the own one, in stones; see [`Shortest`](crate::Shortest).
    pub distance: f64,
    /// The weight of the same difference across templates; see [`Linked`](crate::Linked).
    pub linked: f64,
    /// The weight of the opponent's two-distance less the own one; see [`TwoDistance`](crate::TwoDistance).
    pub two_distance: f64,
    /// The weight of each own stone, and minus the weight of each stone of the opponent.
    pub stone: f64,
    /// The weight of each stone of the opponent that the side to move can capture.
    pub attack: f64,
    /// Minus the weight of each stone of the side to move that the opponent can capture.
    pub danger: f64,
    /// The value of the turn for the side to move.
    pub tempo: f64,
}

impl Weights {
    /// The weights of the quickest evaluation: the shortest connection, stones and the turn.
    pub const DISTANCE: Self = Self {
        resistance: 0.0,
        distance: 100.0,
        linked: 0.0,
        two_distance: 0.0,
        stone: 20.0,
        attack: 0.0,
        danger: 0.0,
        tempo: 50.0,
    };
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            resistance: 400.0,
            distance: 0.0,
            linked: 0.0,
            two_distance: 0.0,
            stone: 24.0,
            attack: 56.0,
            danger: 38.0,
            tempo: 91.0,
        }
    }
}

/// The greatest weight.
const MAX_WEIGHT: f64 = 10_000.0;

impl Weights {
    fn all(&mut self) -> [(&'static str, &'static str, &mut f64); 8] {
        [
            ("resistance", "weight of ln(opponent's resistance / own resistance)", &mut self.resistance),
            ("distance", "weight of each stone that the opponent needs more", &mut self.distance),
            ("linked", "the same across templates", &mut self.linked),
            (
                "two_distance",
                "weight of the opponent's two-distance less the own one",
                &mut self.two_distance,
            ),
            ("stone", "weight of each stone more", &mut self.stone),
            ("attack", "weight of each stone that the side to move can capture", &mut self.attack),
            ("danger", "weight of each stone that the opponent can capture", &mut self.danger),
            ("tempo", "weight of the turn", &mut self.tempo),
        ]
    }

    /// The weights as parameters, with the names of the fields.
    #[must_use]
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut own = *self;
        own.all()
            .map(|(name, about, &mut value)| Parameter::new(name, about, value, -MAX_WEIGHT, MAX_WEIGHT))
            .into()
    }

    /// Sets one of the [parameters](Weights::parameters).
    ///
    /// # Errors
    /// An error for an unknown name, or for a value out of range.
    pub fn set_parameter(&mut self, parameter: &str, value: f64) -> Result<(), ParameterError> {
        Parameter::find(&self.parameters(), parameter, value)?;
        for (name, _, weight) in self.all() {
            if name == parameter {
                *weight = value;
            }
        }
        Ok(())
    }
}

/// Values a position by the [weighted](Weights) differences of [`Circuit`], [`Shortest`](crate::Shortest),
/// [`Linked`](crate::Linked), [`TwoDistance`](crate::TwoDistance), stones and [`StonePairs`].
///
/// Wins in one come first: the value is `WIN / 4` if the side to move has one, and `−WIN / 4` if the opponent has two and
/// the side to move can capture nothing. If blue may steal, the value is the value of the better side.
///
/// The value stays the same under a transposition of the board that exchanges the colours. With the default weights two
/// circuits take most of the time, about 20 µs at n = 9.
#[derive(Clone, Debug)]
pub struct Blend {
    weights: Weights,
    frames: [Frame; 2],
    circuit: Circuit,
    walks: Walks,
    spread: Box<Spread>,
}

impl Default for Blend {
    fn default() -> Self {
        Self::new(Weights::default())
    }
}

/// The value of a position that is as good as won.
const WON: i32 = WIN / 4;

impl Blend {
    /// An evaluation with `weights`, for boards of any size.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        Self {
            weights,
            frames: Player::BOTH.map(Frame::new),
            circuit: Circuit::new(),
            walks: Walks::new(),
            spread: Box::new(Spread::new()),
        }
    }

    /// The value for the side to move, without regard to a steal.
    fn plain(&mut self, game: &Position) -> i32 {
        let me = game.to_move();
        if !game.winning_cells(me).is_empty() {
            return WON;
        }
        let weights = self.weights;
        let ours = StonePairs::of(game, me);
        if ours.cells == 0 && game.winning_cells(me.other()).len() > 1 {
            return -WON;
        }
        let Self { frames, circuit, walks, spread, .. } = self;
        Frame::load(frames, game);
        let mut value = weights.tempo;
        let mut add = |weight: f64, measure: &mut dyn FnMut(&Frame) -> f64| {
            if weight != 0.0 {
                let of = frames.each_ref().map(measure);
                value += weight * (of[me.other().index()] - of[me.index()]);
            }
        };
        add(weights.resistance, &mut |frame| {
            circuit.solve(frame, false);
            circuit.resistance().clamp(1e-3, 1e3).ln()
        });
        add(weights.distance, &mut |frame| walks.both(frame, false).into());
        add(weights.linked, &mut |frame| walks.both(frame, true).into());
        add(weights.two_distance, &mut |frame| {
            let (sum, cells) = spread.both(frame);
            // A side without a two-distance is one worse than any side with one.
            sum.map_or(2.0 * frame.size as f64 + 2.0, f64::from) - f64::from(cells.min(20)) / 40.0
        });
        let stones = |player| game.stones(player).len() as f64;
        value += weights.stone * (stones(me) - stones(me.other()));
        value += weights.attack * f64::from(ours.stones);
        if weights.danger != 0.0 {
            value -= weights.danger * f64::from(StonePairs::of(game, me.other()).stones);
        }
        value.clamp(f64::from(-WON / 2), f64::from(WON / 2)) as i32
    }
}

impl Evaluator<Position> for Blend {
    fn evaluate(&mut self, game: &Position) -> i32 {
        let value = self.plain(game);
        // A steal exchanges the sides: the value for one becomes the value for the other.
        if game.may_steal() { value.abs() } else { value }
    }
}

/// A preference for cells by the current that flows through them in both circuits together, and by the stones that a
/// stone on them captures. Each position takes the solution of two circuits, and each move O(1).
#[derive(Clone, Debug)]
pub struct Currents {
    key: Option<(u64, u16)>,
    frames: [Frame; 2],
    circuit: Circuit,
    worth: [i32; CELLS],
}

impl Default for Currents {
    fn default() -> Self {
        Self::new()
    }
}

impl Currents {
    /// An order for boards of any size.
    #[must_use]
    pub fn new() -> Self {
        Self {
            key: None,
            frames: [Frame::new(Player::First), Frame::new(Player::Second)],
            circuit: Circuit::new(),
            worth: [0; CELLS],
        }
    }

    fn solve(&mut self, game: &Position) {
        Frame::load(&mut self.frames, game);
        self.worth.fill(0);
        for frame in &self.frames {
            self.circuit.solve(frame, true);
            for (worth, share) in self.worth.iter_mut().zip(self.circuit.shares()) {
                *worth += (SCALE * share) as i32;
            }
        }
        let me = game.to_move();
        for (cell, captures) in game.capturing(me) {
            self.worth[cell.index()] += CAPTURE * captures.len() as i32;
        }
    }
}

/// The worth of a cell through which all current of a side flows; the engine's history heuristic adds 4096 at most.
const SCALE: f64 = 8192.0;
/// The worth of each captured stone.
const CAPTURE: i32 = 2000;

impl MoveOrder<Position> for Currents {
    fn worth(&mut self, game: &Position, mv: Move) -> i32 {
        let Move::Place(cell) = mv else { return 0 };
        let key = Some((game.key(), game.turns()));
        if self.key != key {
            self.solve(game);
            self.key = key;
        }
        self.worth[cell.index()]
    }
}
