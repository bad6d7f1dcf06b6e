//! [`EachMovePlan`]: the plans of the moves of a position as one plan of a farm.

use std::collections::HashMap;

use serde_json::{Value, json};
use stonework_farm::{FarmJob, FarmJobId, FarmPlan};
use stonework_game::{Finite, Keyed, MoveOrbit, Outcome, Textual, move_orbits, scatter};
use stonework_search::{JobTreeOptions, OptionsError, ProofTactics};

use super::{KIND, ProofPlan, ProofQuestion, VERSION};

/// A move of a position, up to symmetry, and the plan of the position after it.
#[derive(Debug)]
pub struct MovePlan<G: Finite + Keyed, T> {
    /// The move, and the moves that lead to the same position but for a symmetry.
    pub orbit: MoveOrbit<G::Move>,
    /// The plan.
    pub plan: ProofPlan<G, T>,
}

/// The plan of proving the position after each move of a position, up to symmetry, such as all openings of a board.
///
/// All moves share one queue, one journal and the workers with their tables. The moves are proved in the order of the legal
/// moves; workers that find no job at one move get jobs of the next, so that none is idle at the end of a proof.
///
/// ```
/// use stonework_campaign::proving::{EachMovePlan, ProofQuestion};
/// use stonework_farm::FarmPlan;
/// use stonework_game::example::Nim;
/// use stonework_search::JobTreeOptions;
/// let options = JobTreeOptions::new();
/// let mut plan = EachMovePlan::new("nim", &Nim::new(5), |_| ProofQuestion::Value, &(), options)?;
/// assert_eq!(plan.moves().iter().map(|of| of.orbit.mv).collect::<Vec<_>>(), [1, 2]);
/// assert!(plan.next().is_some() && !plan.is_over());
/// # Ok::<(), stonework_search::OptionsError>(())
/// ```
#[derive(Debug)]
pub struct EachMovePlan<G: Finite + Keyed, T> {
    game: String,
    root: G,
    moves: Vec<MovePlan<G, T>>,
    /// The places of the moves of running jobs.
    running: HashMap<FarmJobId, usize>,
}

impl<G: Finite + Keyed + Textual, T: ProofTactics<G> + Clone> EachMovePlan<G, T> {
    /// A plan without an answer. A game that is over has no moves, and its plan is over.
    ///
    /// # Arguments
    /// * `game` – the name of the game, as proof files have it.
    /// * `question` – the question about the position after a move.
    /// * `tactics` – the tactics of the workers' searches.
    /// * `options` – the options of each tree; the limit of bytes is for each of them.
    ///
    /// # Errors
    /// An error if an option of the trees is out of its range.
    pub fn new(
        game: impl Into<String>,
        root: &G,
        mut question: impl FnMut(&G) -> ProofQuestion,
        tactics: &T,
        options: JobTreeOptions,
    ) -> Result<Self, OptionsError> {
        let (game, mut moves) = (game.into(), Vec::new());
        for (place, orbit) in move_orbits(root).into_iter().enumerate() {
            let mut after = root.clone();
            after.play_unchecked(orbit.mv);
            let question = question(&after);
            let plan = ProofPlan::new(game.clone(), after, question, tactics.clone(), options)?;
            moves.push(MovePlan { orbit, plan: plan.marked(scatter(place as u64)) });
        }
        Ok(Self { game, root: root.clone(), moves, running: HashMap::new() })
    }

    /// Sets [`ProofPlan::glance`] of all moves.
    #[must_use]
    pub fn glance(self, nodes: u64) -> Self {
        self.each(|plan| plan.glance(nodes))
    }

    /// Sets [`ProofPlan::share`] of all moves.
    #[must_use]
    pub fn share(self, nodes: u64) -> Self {
        self.each(|plan| plan.share(nodes))
    }

    fn each(mut self, set: impl Fn(ProofPlan<G, T>) -> ProofPlan<G, T>) -> Self {
        let set = |of: MovePlan<G, T>| MovePlan { plan: set(of.plan), ..of };
        self.moves = self.moves.into_iter().map(set).collect();
        self
    }

    /// The position whose moves are proved.
    #[must_use]
    pub const fn root(&self) -> &G {
        &self.root
    }

    /// The moves with their plans, in the order of the legal moves.
    #[must_use]
    pub fn moves(&self) -> &[MovePlan<G, T>] {
        &self.moves
    }

    /// The moves with their plans, to [write](ProofPlan::write_set) their proofs.
    pub fn moves_mut(&mut self) -> &mut [MovePlan<G, T>] {
        &mut self.moves
    }

    /// The value of the position, once the value after a winning move or after each move is known. O(moves).
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        let side = self.root.to_move();
        let known: Vec<Option<Outcome>> = self.moves.iter().map(|of| of.plan.outcome()).collect();
        let best = known.iter().flatten().copied().max_by_key(|outcome| outcome.value_for(side));
        best.filter(|&best| best == Outcome::Win(side) || known.iter().all(Option::is_some))
    }
}

impl<G: Finite + Keyed + Textual, T: ProofTactics<G> + Clone> FarmPlan for EachMovePlan<G, T> {
    fn identity(&self) -> String {
        let questions: Vec<ProofQuestion> = self.moves.iter().map(|of| of.plan.question).collect();
        let first = self.moves.first().map_or_else(String::new, |of| of.plan.identity());
        let root = self.root.position_text();
        format!("{KIND} {VERSION}: {}, each move of {root}, {questions:?}; {first}", self.game)
    }

    fn next(&mut self) -> Option<FarmJob> {
        let mut of_moves = self.moves.iter_mut().enumerate();
        let (place, job) = of_moves.find_map(|(place, of)| Some((place, of.plan.next()?)))?;
        self.running.insert(job.id(), place);
        Some(job)
    }

    fn take(&mut self, job: &FarmJob, answer: &[u8]) -> Vec<FarmJobId> {
        let Some(place) = self.running.remove(&job.id()) else { return Vec::new() };
        let needless = self.moves[place].plan.take(job, answer);
        for id in &needless {
            self.running.remove(id);
        }
        needless
    }

    fn is_over(&self) -> bool {
        self.moves.iter().all(|of| of.plan.is_over())
    }

    /// The state of the first move that is open, the number of all moves, and the moves that are proved.
    fn progress(&self) -> Value {
        let open = self.moves.iter().find(|of| !of.plan.is_over());
        let mut progress = open.map_or_else(|| json!({}), |of| of.plan.progress());
        let name = |of: &MovePlan<G, T>| self.root.move_text(of.orbit.mv);
        let is_over = |of: &&MovePlan<G, T>| of.plan.is_over();
        progress["move"] = json!(open.map(name));
        progress["moves"] = json!(self.moves.len());
        progress["over"] = json!(self.moves.iter().filter(is_over).map(name).collect::<Vec<_>>());
        progress
    }
}
