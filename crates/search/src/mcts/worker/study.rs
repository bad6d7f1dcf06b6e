//! Costly verdicts about nodes with many visits.

use stonework_game::{Indexed, Outcome};

use super::super::node::Node;
use super::super::parts::ThreadStrategies;
use super::{Step, Worker, prove};
use crate::outcomes::Outcomes;
use crate::{Effort, Meter, Tactics, Verdict};

/// `true` if the tactics study a node with its visit of this number: at the powers of four from `after` on; 0 for never.
#[inline]
pub(super) const fn is_due(visits: u32, after: u32) -> bool {
    after > 0 && visits >= after && visits.is_power_of_two() && visits.trailing_zeros().is_multiple_of(2)
}

impl<G: Indexed, S: ThreadStrategies<G>> Worker<G, S> {
    /// Studies the node at the end of the path. Returns `true` if its value is known then.
    pub(super) fn study(&mut self, meter: &Meter<'_>, path: &[Step<'_>], visits: u32) -> bool {
        let Some((step, way)) = path.split_last() else { return false };
        if !self.follow(path) {
            return false;
        }
        if self.learn_by_study(meter, step, visits) {
            self.propagate_proof(way);
        }
        step.node.meta().exact()
    }

    /// Restricts a node with children and the children by the study of the game's position. Returns `true` if the node has
    /// changed.
    pub(super) fn learn_by_study(&mut self, meter: &Meter<'_>, step: &Step<'_>, visits: u32) -> bool {
        self.only.clear();
        let mut effort = Effort { visits, left: meter.rest(&self.allowance), nodes: 0 };
        let verdict = self.strategies.knowledge().tactics.study(&mut self.game, &mut effort, &mut self.only);
        // The study keeps the limit of nodes, so the count cannot pass it.
        let _ = meter.nodes_at_once(&mut self.allowance, effort.nodes);
        self.learn_verdict(step, verdict)
    }

    /// Restricts a node with children and the children by a verdict about the game's position, with the moves of
    /// [`Verdict::Only`] in `only`. Returns `true` if the node has changed.
    pub(super) fn learn_verdict(&mut self, step: &Step<'_>, verdict: Verdict<G::Move>) -> bool {
        let side = self.game.to_move();
        let (win, loss) = (Outcomes::of(Outcome::Win(side)), Outcomes::of(Outcome::Win(side.other())));
        let node = step.node;
        let changed = match verdict {
            Verdict::Open => return false,
            Verdict::Win(mv) => {
                let index = self.game.move_index(mv) as u32;
                match step.kids.iter().find(|kid| kid.mv() == index) {
                    Some(kid) => {
                        kid.restrict(win);
                        false
                    }
                    None => node.restrict(win),
                }
            }
            Verdict::Only if !self.only.is_empty() => {
                self.order.clear();
                self.order.extend(self.only.iter().map(|&mv| self.game.move_index(mv) as u32));
                self.order.sort_unstable();
                let losing = |kid: &&Node| self.order.binary_search(&kid.mv()).is_err();
                step.kids.iter().filter(losing).for_each(|kid| _ = kid.restrict(loss));
                false
            }
            Verdict::Loss | Verdict::Only => node.restrict(loss),
            Verdict::Never(player) => node.restrict(Outcomes::without_win(player)),
            Verdict::Draw => node.restrict(Outcomes::of(Outcome::Draw)),
        };
        if step.kids.is_empty() { changed } else { prove(step) || changed }
    }
}
