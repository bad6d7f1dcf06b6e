//! [`Bos`]: the evaluation of the thesis.

use stonework_cover::Position;
use stonework_game::Player;
use stonework_search::{AlphaBeta, AlphaBetaOptions, Evaluator, OptionsError, Parameter};

use crate::survey::Survey;
use crate::weighed::{self, Weigh, Weight};
use crate::{Kinds, Shots, Tabled, Turn};

/// The evaluation of A. Bos, *Cover the World in One Game* (1995), section 3.4 and figure 22.
///
/// The terms, for both sides, and the reading of the text where the text leaves a choice:
///
/// | weight | figure 22 | counts |
/// |---|---|---|
/// | `winning` | 9000 | a full breakthrough: figure 29 with both adjustments |
/// | `stone` | 250 | stones |
/// | `threat` | 18 | locations that a stone could hit with its next move, for each stone that could |
/// | `horizontal` | 15 | 2Y − 2 less the horizontal lines to the other homebase, imaginary ones too |
/// | `vertical` | 15 | Y − 1 less the vertical lines to the middle |
/// | `line` | 13 | 2Y − 2 less the lines, of stones with fewer of them to go than any enemy there |
/// | `distance` | 20 | Y − 1 less the steps, of stones with fewer of them to go than any enemy there |
/// | `depth` | 1 | the plies that a full breakthrough still takes, against it |
///
/// Games that are over are the engine's to value, so the one point for each ply is taken off only where a
/// breakthrough stands for the end of the game. What the table of one stone against one decides (§4.1) is the engine's,
/// too: see [`search`](Bos::search).
///
/// ```
/// use stonework_cover::Setup;
/// use stonework_cover_players::Bos;
/// use stonework_search::Evaluator;
/// let value = |board| Bos::new().evaluate(&Setup::from_board(4, board).unwrap().position().unwrap());
/// assert_eq!(value("[G01,E03,C05,A07]x[K05,I07,G09,E11]"), 0);
/// assert!(value("[I09]x[J08]") > 9000);
/// ```
///
/// O(stones × Y).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bos {
    weights: [i32; 8],
}

/// Names and published values, in the order of figure 22.
const WEIGHTS: [Weight; 8] = [
    ("winning", "for a full breakthrough", 9000),
    ("stone", "for each stone", 250),
    ("threat", "for each location that is attacked", 18),
    ("horizontal", "for each horizontal line of the way", 15),
    ("vertical", "for each vertical line towards the middle", 15),
    ("line", "for each line, of stones that no enemy is before", 13),
    ("distance", "for each step, of stones that no enemy is nearer than", 20),
    ("depth", "off for each ply until a breakthrough is home", 1),
];

/// Weights are between minus this and this: sums of all of them stay far below a win.
const MOST: f64 = 20_000.0;

impl Bos {
    /// With the published weights.
    #[must_use]
    pub fn new() -> Self {
        Self { weights: WEIGHTS.map(|(_, _, value)| value) }
    }

    /// The search that plays with it, which may have several threads: null moves that save two plies and are verified,
    /// quiescence on shots, moves in the thesis' order, and the best moves of other branches at the same ply
    /// before them, as the principal continuation is used there. No table and no history of moves.
    ///
    /// The table of one stone against one is asked, as in §4.1. There it is asked before the search and by the
    /// evaluation, where a win counts 9000; it has no history in it, so what may depend on that is searched for
    /// four plies. Here the states have their history, so it is asked at every position, and what it says is certain.
    ///
    /// In 1995 the depth was fixed. Here the search deepens step by step, so that it can be given positions
    /// or time; [`only_depth`](AlphaBetaOptions::only_depth), the parameter `depth`, makes it as it was.
    ///
    /// # Errors
    /// If the number of threads is out of its range.
    pub fn search(threads: usize) -> Result<AlphaBeta<Tabled<Self>, Kinds, Shots, Turn>, OptionsError> {
        let options = AlphaBetaOptions::new()
            .quiet_depth(8)
            .null_move(2)
            .bytes(0)
            .aspiration(0)
            .history(false)
            .counter_moves(false)
            .threads(threads);
        let search = AlphaBeta::new(Tabled::new(Self::new()), options)?;
        Ok(search.order(Kinds).noisy_moves(Shots).null_move(Turn))
    }

    fn side(&self, survey: &Survey, player: Player) -> i32 {
        let [winning, stone, threat, horizontal, vertical, line, distance, depth] = self.weights;
        let (side, most) = (survey.side(player), survey.most);
        let guards = survey.guards(player);
        let mut value = stone * side.len() + threat * side.threats;
        for x in side.stones() {
            let through = survey.through(player, x, guards);
            value += horizontal * (2 * most - x.lines) + vertical * (most - x.aside);
            value += i32::from(through.lines) * line * (2 * most - x.lines);
            value += i32::from(through.steps) * distance * (most - x.steps);
            value += i32::from(through.full) * (winning - 2 * depth * x.steps);
        }
        value
    }
}

impl Default for Bos {
    fn default() -> Self {
        Self::new()
    }
}

impl Evaluator<Position> for Bos {
    fn evaluate(&mut self, game: &Position) -> i32 {
        let survey = Survey::new(game);
        let mine = survey.mover();
        self.side(&survey, mine) - self.side(&survey, mine.other())
    }
}

impl Weigh for Bos {
    fn weights(&self) -> Vec<Parameter> {
        weighed::parameters(&WEIGHTS, &self.weights, MOST)
    }

    fn weigh(&mut self, name: &str, value: i32) {
        weighed::set(&WEIGHTS, &mut self.weights, name, value);
    }
}
