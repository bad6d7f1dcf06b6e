//! [`WeightedTerms`]: an evaluation with tuned weights.

use stonework_cover::Position;
use stonework_game::Player;
use stonework_search::{AlphaBeta, AlphaBetaOptions, Evaluator, OptionsError, Parameter};

use crate::survey::{Side, Survey, Through};
use crate::weighted::{self, Weight, Weighted};
use crate::{Shots, StepOrder, Tabled};

/// The terms of [`Bos`](crate::Bos) and some more, by weights of our own.
///
/// | weight | the weight multiplies |
/// |---|---|
/// | `stone`, `threat`, `horizontal`, `vertical`, `line`, `distance` | the counts of [`Bos`](crate::Bos) |
/// | `winning` | the full breakthrough that is home first, if there is one |
/// | `soon` | minus the plies that this breakthrough still takes |
/// | `last` | minus the number of stones that a side is short of two |
/// | `exposed` | minus the stones of the side to move that the opponent could shoot |
/// | `prey` | stones of the opponent that the side to move could shoot |
/// | `upright` | vertical stones |
/// | `free` | lengthwise steps that nothing blocks |
/// | `lead` | steps by which the side's nearest stone is nearer to its goal than the opponent's nearest |
/// | `tempo` | 1 for the side to move |
///
/// O(stones × Y).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeightedTerms {
    weights: [i32; COUNT],
}

const COUNT: usize = 15;

const WEIGHTS: [Weight; COUNT] = [
    ("winning", "for being the first to break through", 4000),
    ("soon", "off for each ply until a breakthrough is home", 28),
    ("stone", "for each stone", 430),
    ("last", "for each stone less than two, off", 140),
    ("threat", "for each attacked location", 1),
    ("horizontal", "for each horizontal line of the way", 4),
    ("vertical", "for each vertical line towards the middle", 13),
    ("line", "for each line, of stones ahead of all enemies", 7),
    ("distance", "for each step, of stones nearer than all enemies", 8),
    ("exposed", "off for each own stone that can be shot", 100),
    ("prey", "for each enemy that can be shot", 90),
    ("upright", "for each vertical stone", 3),
    ("free", "for each lengthwise step that is open", 13),
    ("lead", "for each step by which the nearest stone is nearer", 9),
    ("tempo", "for the move", 19),
];

/// The largest absolute value of a weight.
const MAX_WEIGHT: f64 = 5000.0;

/// The value of one side's stones, without breakthroughs.
struct Sum {
    value: i32,
    /// The least steps of a stone that has broken through.
    through: Option<i32>,
    /// The least steps of all stones.
    nearest: i32,
    exposed: i32,
}

impl WeightedTerms {
    /// The evaluation with the strongest weights so far, which were tuned by play against itself (docs/lab/cover.md).
    #[must_use]
    pub fn new() -> Self {
        Self { weights: WEIGHTS.map(|(_, _, value)| value) }
    }

    /// The search of the player `cover`, with a transposition table of `bytes` bytes and with `threads` threads: killers,
    /// history and counter-moves, an aspiration window, reductions of late moves, quiescence on shots, and the table of one
    /// stone against one. It has no null moves, which lost games.
    ///
    /// # Errors
    /// An error for a number of threads out of range.
    pub fn search(
        bytes: usize,
        threads: usize,
    ) -> Result<AlphaBeta<Tabled<Self>, StepOrder, Shots>, OptionsError> {
        let options = AlphaBetaOptions::new().quiet_depth(8).late_moves(4, 1).aspiration(60);
        let search = AlphaBeta::new(Tabled::new(Self::new()), options.bytes(bytes).threads(threads))?;
        Ok(search.order(StepOrder).noisy_moves(Shots))
    }

    fn side(&self, survey: &Survey, player: Player) -> Sum {
        let [_, _, stone, last, threat, horizontal, vertical, line, distance, _, _, upright, free, _, _] =
            self.weights;
        let (side, most) = (survey.side(player), survey.most);
        let guards = survey.guards(player);
        let mut sum = Sum { value: 0, through: None, nearest: most, exposed: 0 };
        sum.value =
            stone * side.len() - last * (2 - side.len()).max(0) + threat * side.threats + free * side.free;
        for x in Side::stones(side) {
            let Through { lines, steps, full } = survey.through(player, x, guards);
            sum.value += horizontal * (2 * most - x.lines) + vertical * (most - x.aside);
            sum.value += i32::from(lines) * line * (2 * most - x.lines);
            sum.value += i32::from(steps) * distance * (most - x.steps);
            sum.value += i32::from(x.upright) * upright;
            sum.nearest = sum.nearest.min(x.steps);
            sum.exposed += i32::from(x.shootable);
            if full {
                sum.through = Some(sum.through.map_or(x.steps, |steps| steps.min(x.steps)));
            }
        }
        sum
    }
}

impl Default for WeightedTerms {
    fn default() -> Self {
        Self::new()
    }
}

impl Evaluator<Position> for WeightedTerms {
    fn evaluate(&mut self, game: &Position) -> i32 {
        let [winning, soon, .., exposed, prey, _, _, lead, tempo] = self.weights;
        let survey = Survey::new(game);
        let mover = survey.mover();
        let (own, other) = (self.side(&survey, mover), self.side(&survey, mover.other()));
        let mut value = own.value - other.value + tempo + lead * (other.nearest - own.nearest);
        value += prey * other.exposed - exposed * own.exposed;
        // The side to move makes n steps in 2n − 1 plies, its opponent in 2n.
        let plies = |steps: Option<i32>, late: i32| steps.map(|steps| 2 * steps - 1 + late);
        value += match (plies(own.through, 0), plies(other.through, 1)) {
            (None, None) => 0,
            (Some(plies), None) => winning - soon * plies,
            (None, Some(plies)) => soon * plies - winning,
            (Some(own), Some(other)) if own < other => winning - soon * own,
            (Some(_), Some(other)) => soon * other - winning,
        };
        value
    }
}

impl Weighted for WeightedTerms {
    fn weights(&self) -> Vec<Parameter> {
        weighted::parameters(&WEIGHTS, &self.weights, MAX_WEIGHT)
    }

    fn weigh(&mut self, name: &str, value: i32) {
        weighted::set(&WEIGHTS, &mut self.weights, name, value);
    }
}
