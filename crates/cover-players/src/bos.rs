//! [`Bos`]: the evaluation of the thesis.

use stonework_cover::Position;
use stonework_game::Player;
use stonework_search::{AlphaBeta, AlphaBetaOptions, Evaluator, OptionsError, Parameter};

use crate::survey::Survey;
use crate::weighted::{self, Weight, Weighted};
use crate::{Shots, StepOrder, Tabled, Turn};

/// The evaluation of A. Bos, *Cover the World in One Game* (1995), section 3.4 and figure 22.
///
/// The terms of each side, with our reading of terms that the text leaves open:
///
/// | weight | figure 22 | the weight multiplies |
/// |---|---|---|
/// | `winning` | 9000 | full breakthroughs: figure 29 with both adjustments |
/// | `stone` | 250 | stones |
/// | `threat` | 18 | for each stone, the locations that it could hit with its next move |
/// | `horizontal` | 15 | for each stone, 2Y − 2 less the horizontal lines to the opponent's homebase, imaginary lines included |
/// | `vertical` | 15 | for each stone, Y − 1 less the vertical lines to the middle |
/// | `line` | 13 | the same lines as `horizontal`, but only for stones with fewer such lines to go than any enemy |
/// | `distance` | 20 | Y − 1 less the steps to the opponent's homebase, for stones with fewer such steps than any enemy |
/// | `soon` | 1 | minus the plies that a full breakthrough still takes |
///
/// The value of a position is the sum of the side to move less that of its opponent. The engine values games that are
/// over, so the term `soon` counts only for a breakthrough, which stands for the end of the game. The engine also uses
/// the table of one stone against one (§4.1): see [`search`](Bos::search).
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
    ("threat", "for each attacked location", 18),
    ("horizontal", "for each horizontal line of the way", 15),
    ("vertical", "for each vertical line towards the middle", 15),
    ("line", "for each line, of stones ahead of all enemies", 13),
    ("distance", "for each step, of stones nearer than all enemies", 20),
    ("soon", "off for each ply until a breakthrough is home", 1),
];

/// The largest absolute value of a weight: any sum of terms stays far below a win.
const MAX_WEIGHT: f64 = 20_000.0;

impl Bos {
    /// The evaluation with the published weights.
    #[must_use]
    pub fn new() -> Self {
        Self { weights: WEIGHTS.map(|(_, _, value)| value) }
    }

    /// The search of the thesis with `threads` threads: null moves with a reduction of two plies and verification,
    /// quiescence on shots, moves in the thesis' order, and before them the best moves of other branches at the same
    /// ply, as the thesis uses its principal continuation. It has no transposition table and no history of moves.
    ///
    /// Like the thesis (§4.1), the search uses the table of one stone against one. The table of the thesis has no
    /// history. The thesis uses it before the search and in the evaluation, where a win counts 9000, and searches
    /// positions that may depend on history for four plies. The states of the table here include their history, so
    /// that the table gives an exact value at every position of the search.
    ///
    /// The search of the thesis has a fixed depth. This search deepens step by step, so that it can keep limits of nodes
    /// or time; [`only_depth`](AlphaBetaOptions::only_depth), the parameter `depth`, fixes its depth.
    ///
    /// # Errors
    /// An error for a number of threads out of range.
    pub fn search(threads: usize) -> Result<AlphaBeta<Tabled<Self>, StepOrder, Shots, Turn>, OptionsError> {
        let options = AlphaBetaOptions::new()
            .quiet_depth(8)
            .null_move(2)
            .bytes(0)
            .aspiration(0)
            .history(false)
            .counter_moves(false)
            .threads(threads);
        let search = AlphaBeta::new(Tabled::new(Self::new()), options)?;
        Ok(search.order(StepOrder).noisy_moves(Shots).null_move(Turn))
    }

    fn side(&self, survey: &Survey, player: Player) -> i32 {
        let [winning, stone, threat, horizontal, vertical, line, distance, soon] = self.weights;
        let (side, most) = (survey.side(player), survey.most);
        let guards = survey.guards(player);
        let mut value = stone * side.len() + threat * side.threats;
        for x in side.stones() {
            let through = survey.through(player, x, guards);
            value += horizontal * (2 * most - x.lines) + vertical * (most - x.aside);
            value += i32::from(through.lines) * line * (2 * most - x.lines);
            value += i32::from(through.steps) * distance * (most - x.steps);
            value += i32::from(through.full) * (winning - 2 * soon * x.steps);
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
        let mover = survey.mover();
        self.side(&survey, mover) - self.side(&survey, mover.other())
    }
}

impl Weighted for Bos {
    fn weights(&self) -> Vec<Parameter> {
        weighted::parameters(&WEIGHTS, &self.weights, MAX_WEIGHT)
    }

    fn weigh(&mut self, name: &str, value: i32) {
        weighted::set(&WEIGHTS, &mut self.weights, name, value);
    }
}
