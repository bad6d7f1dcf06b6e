//! [`LatticeJudge`]: a network as the evaluator and the priors of a search.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use stonework_game::{Game, Keyed};
use stonework_search::{Evaluator, Priors};

use super::net::{LatticeJudgement, LatticeNet, LatticeScratch};
use super::planes::{LatticePlanes, PlaneMark};
use super::train::chances;
use crate::evaluator::{WrongCount, evaluator_value};

/// The number of positions whose judgements are kept.
const PLACES: usize = 1 << 14;

/// Judgements by the keys of their positions.
type Kept = Vec<(u64, Arc<LatticeJudgement>)>;

/// A network as an [`Evaluator`] and as [`Priors`] whose values are the chances of moves, for a search with
/// [`puct`](stonework_search::MctsOptions::puct). A search asks for the value of a position first, and for the chances of its moves
/// when it comes back: the judgements of the last positions are kept, 16 384 at most, each under its place by the position's key (5 MiB with
/// 61 cells).
/// Clones share them.
#[derive(Clone, Debug)]
pub struct LatticeJudge<P> {
    net: Arc<LatticeNet>,
    planes: P,
    kept: Arc<Mutex<Kept>>,
    marks: Vec<PlaneMark>,
    scratch: LatticeScratch,
}

impl<P> LatticeJudge<P> {
    /// A judge by a network.
    ///
    /// # Errors
    /// If the network has another number of planes than the game.
    pub fn new<G: Game>(planes: P, net: Arc<LatticeNet>) -> Result<Self, WrongCount>
    where
        P: LatticePlanes<G>,
    {
        WrongCount::check(net.planes(), planes.planes())?;
        let kept = Arc::new(Mutex::new(Vec::new()));
        Ok(Self { net, planes, kept, marks: Vec::new(), scratch: LatticeScratch::default() })
    }

    /// The judgement of a position.
    pub fn judge<G: Keyed>(&mut self, game: &G) -> Arc<LatticeJudgement>
    where
        P: LatticePlanes<G>,
    {
        let key = game.key();
        let at = key as usize % PLACES;
        if let Some((found, judged)) = self.kept().get(at)
            && *found == key
            && !judged.scores.is_empty()
        {
            return Arc::clone(judged);
        }
        self.marks.clear();
        self.planes.marks(game, &mut self.marks);
        let judged = Arc::new(self.net.judge(&self.planes.lattice(game), &self.marks, &mut self.scratch));
        let mut kept = self.kept();
        if kept.is_empty() {
            kept.resize(PLACES, (0, Arc::default()));
        }
        kept[at] = (key, Arc::clone(&judged));
        judged
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<G: Keyed, P: LatticePlanes<G> + Send> Evaluator<G> for LatticeJudge<P> {
    fn evaluate(&mut self, game: &G) -> i32 {
        evaluator_value(self.judge(game).value)
    }
}

/// The chances of the moves. A move without a cell gets the mean chance.
impl<G: Keyed, P: LatticePlanes<G> + Send> Priors<G> for LatticeJudge<P> {
    fn priors(&mut self, game: &G, moves: &[G::Move], out: &mut Vec<f32>) {
        let judged = self.judge(game);
        let cells: Vec<Option<u16>> = moves.iter().map(|&mv| self.planes.cell(game, mv)).collect();
        let known: Vec<u16> = cells.iter().flatten().copied().collect();
        let mut chances = chances(&known, &judged.scores).into_iter();
        let mean = 1.0 / moves.len().max(1) as f32;
        let rest = known.len() as f32 * mean;
        out.extend(cells.iter().map(|cell| match cell {
            Some(_) => rest * chances.next().unwrap_or(0.0),
            None => mean,
        }));
    }
}
