//! [`Judgement`]: whether the best move of a search is settled.

use std::time::Duration;

use stonework_game::Player;

use super::node::{Node, Tally};
use super::options::{Choice, MctsOptions};
use super::tree::Tree;
use crate::Meter;

/// The time between two judgements.
const BETWEEN: Duration = Duration::from_millis(2);
/// The least simulations by which the speed of a search is known.
const FEW: u64 = 64;
/// The part of the best move's visits from which on another move counts as a rival.
const RIVAL: f64 = 0.7;
/// The part of the best move's visits from which on the mean result of another move is trusted.
const TRUSTED: f64 = 0.1;
/// The fall of the best move's mean result, 0 to 1, that calls for more time.
const FALL: f32 = 0.03;

/// The judgement of a search whose limits say how much time is [enough](field@crate::Limits::enough).
///
/// The best move is the most visited one. The search ends
///
/// * at once if all other moves are proven to lose;
/// * before the time if no other move could become the best one, even if all simulations until then went to it;
/// * at the time, or later as soon as the move is not in doubt. It is in doubt while another move has nearly as many visits or
///   a better result, and while its result is worse than that of the best move when the search began.
#[derive(Debug)]
pub(super) struct Judgement {
    enough: Duration,
    last: Duration,
    /// The mean result of the best move at the first judgement.
    before: Option<f32>,
}

impl Judgement {
    /// The judgement of a search; `None` if its limits do not ask for one, or if its best move is not the most visited one.
    pub(super) fn new(options: &MctsOptions, meter: &Meter<'_>) -> Option<Self> {
        let enough = meter.limits().enough.filter(|_| options.choice == Choice::Visits)?;
        meter.judge();
        Some(Self { enough, last: Duration::ZERO, before: None })
    }

    /// `true` if the search may end after this time with this number of simulations.
    pub(super) fn is_settled<G: stonework_game::Indexed>(
        &mut self,
        tree: &Tree<G>,
        now: Duration,
        simulations: u64,
    ) -> bool {
        if now < self.last + BETWEEN {
            return false;
        }
        self.last = now;
        let Some(root) = tree.arena.node(0) else { return false };
        let meta = root.meta();
        self.judge(tree.arena.kids(root, meta), meta.side(), now, simulations)
    }

    fn judge(&mut self, kids: &[Node], side: Player, now: Duration, simulations: u64) -> bool {
        let open = || kids.iter().filter(|kid| kid.meta().set().bounds(side).value() != Some(-1));
        let Some(best) = open().max_by_key(|kid| kid.tally().visits()) else { return false };
        let (visits, mean) = (f64::from(best.tally().visits()), best.tally().mean());
        let before = *self.before.get_or_insert(mean);
        let others = || open().filter(|kid| !std::ptr::eq(*kid, best)).map(Node::tally);
        let Some(second) = others().map(|other| f64::from(other.visits())).reduce(f64::max) else {
            return visits > 0.0;
        };
        if let Some(left) = self.enough.checked_sub(now).filter(|left| !left.is_zero()) {
            let speed = simulations as f64 / now.as_secs_f64();
            return simulations >= FEW && visits - second > speed * left.as_secs_f64();
        }
        let trusted = others().filter(|other| f64::from(other.visits()) >= TRUSTED * visits);
        let better = trusted.map(Tally::mean).fold(0.0, f32::max) > mean;
        second < RIVAL * visits && !better && mean >= before - FALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcomes::Outcomes;

    const SIDE: Player = Player::First;
    const SECOND: Duration = Duration::from_secs(1);

    /// Nodes with these visits and mean results of First.
    fn nodes(all: &[(u32, f32)]) -> Vec<Node> {
        let node = |(index, &(visits, result)): (usize, &(u32, f32))| {
            let node = Node::default();
            node.start(index as u32, 0.0);
            (0..visits).for_each(|_| _ = node.add(Tally::one(2.0 * result - 1.0), 0, false));
            node
        };
        all.iter().enumerate().map(node).collect()
    }

    fn judged(kids: &[Node], seconds: u32, simulations: u64, before: f32) -> bool {
        let mut judgement = Judgement { enough: 10 * SECOND, last: Duration::ZERO, before: Some(before) };
        judgement.judge(kids, SIDE, seconds * SECOND, simulations)
    }

    #[test]
    fn a_search_ends_early_if_no_move_can_catch_up() {
        let kids = nodes(&[(700, 0.5), (100, 0.5)]);
        // 100 simulations a second: 500 more at five seconds, 700 at three.
        assert!(judged(&kids, 5, 500, 0.5));
        assert!(!judged(&kids, 3, 300, 0.5));
    }

    #[test]
    fn a_move_in_doubt_gets_more_time() {
        assert!(judged(&nodes(&[(700, 0.5), (100, 0.4)]), 10, 1000, 0.5));
        assert!(!judged(&nodes(&[(700, 0.5), (600, 0.4)]), 10, 1000, 0.5), "a rival");
        assert!(!judged(&nodes(&[(700, 0.5), (100, 0.6)]), 10, 1000, 0.5), "a better result");
        assert!(judged(&nodes(&[(700, 0.5), (10, 0.6)]), 10, 1000, 0.5), "a better result by few visits");
        assert!(!judged(&nodes(&[(700, 0.5), (100, 0.4)]), 10, 1000, 0.6), "a fall");
    }

    #[test]
    fn a_single_move_that_does_not_lose_is_settled() {
        let kids = nodes(&[(7, 0.5), (600, 0.4), (0, 0.0)]);
        assert!(!judged(&kids, 1, 600, 0.5));
        for kid in &kids[1..] {
            kid.restrict(Outcomes::LOSS);
        }
        assert!(judged(&kids, 1, 600, 0.5));
        assert!(!judged(&nodes(&[(0, 0.0)]), 1, 600, 0.5), "without a visit");
    }
}
