//! [`WeightedTerms`]: our evaluation.

use stonework_cover::Position;
use stonework_game::Player;
use stonework_search::{AlphaBeta, AlphaBetaOptions, Evaluator, OptionsError, Parameter};

use crate::survey::{Side, Survey, Through};
use crate::weighed::{self, Weigh, Weight};
use crate::{Kinds, Shots, Tabled};

/// The terms of [`Bos`](crate::Bos) and some more, by weights of our own.
///
/// | weight | counts |
/// |---|---|
/// | `stone`, `threat`, `line`, `distance` | as there |
/// | `horizontal` | lines of the way that are done, for each stone |
/// | `vertical` | lines towards the middle, for each stone |
/// | `winning` | a full breakthrough of the side that is sooner home, and no other |
/// | `soon` | off for each ply that it still takes |
/// | `last` | for each stone less than two that a side has left, against it |
/// | `exposed` | stones of the side to move that could be shot, against it |
/// | `prey` | enemies that the side to move could shoot, where quiescence does not |
/// | `upright` | vertical stones |
/// | `free` | lengthwise steps that nothing blocks |
/// | `lead` | steps by which the side's nearest stone is nearer than the enemy's nearest |
/// | `tempo` | having the move |
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
    ("threat", "for each location that is attacked", 1),
    ("horizontal", "for each horizontal line of the way", 4),
    ("vertical", "for each vertical line towards the middle", 13),
    ("line", "for each line, of stones that no enemy is before", 7),
    ("distance", "for each step, of stones that no enemy is nearer than", 8),
    ("exposed", "off for each own stone that can be shot", 100),
    ("prey", "for each enemy that can be shot", 90),
    ("upright", "for each vertical stone", 3),
    ("free", "for each lengthwise step that is open", 13),
    ("lead", "for each step by which the nearest stone is nearer", 9),
    ("tempo", "for the move", 19),
];

/// Weights are between minus this and this.
const MOST: f64 = 5000.0;

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
    /// With the weights that play best so far: tuned by play against itself, see docs/lab/cover.md.
    #[must_use]
    pub fn new() -> Self {
        Self { weights: WEIGHTS.map(|(_, _, value)| value) }
    }

    /// The search that plays with it, with a table of so many bytes and so many threads: table, killers, history and counter-moves, an
    /// aspiration window, late moves searched less deep, quiescence on shots, the table of one stone against one. No
    /// null moves: they lose.
    ///
    /// # Errors
    /// If the number of threads is out of its range.
    pub fn search(
        bytes: usize,
        threads: usize,
    ) -> Result<AlphaBeta<Tabled<Self>, Kinds, Shots>, OptionsError> {
        let options = AlphaBetaOptions::new().quiet_depth(8).late_moves(4, 1).aspiration(60);
        let search = AlphaBeta::new(Tabled::new(Self::new()), options.bytes(bytes).threads(threads))?;
        Ok(search.order(Kinds).noisy_moves(Shots))
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
        let (mine, theirs) = (self.side(&survey, mover), self.side(&survey, mover.other()));
        let mut value = mine.value - theirs.value + tempo + lead * (theirs.nearest - mine.nearest);
        value += prey * theirs.exposed - exposed * mine.exposed;
        // In plies: the side to move is there after 2n − 1 of them, the other after 2n.
        let plies = |steps: Option<i32>, late: i32| steps.map(|steps| 2 * steps - 1 + late);
        value += match (plies(mine.through, 0), plies(theirs.through, 1)) {
            (None, None) => 0,
            (Some(plies), None) => winning - soon * plies,
            (None, Some(plies)) => soon * plies - winning,
            (Some(mine), Some(theirs)) if mine < theirs => winning - soon * mine,
            (Some(_), Some(theirs)) => soon * theirs - winning,
        };
        value
    }
}

impl Weigh for WeightedTerms {
    fn weights(&self) -> Vec<Parameter> {
        weighed::parameters(&WEIGHTS, &self.weights, MOST)
    }

    fn weigh(&mut self, name: &str, value: i32) {
        weighed::set(&WEIGHTS, &mut self.weights, name, value);
    }
}
