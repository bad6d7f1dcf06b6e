//! [`Pace`]: the speed of the workers.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use crate::{JobDecision, Spent};

/// The costs of the last minute.
#[derive(Debug, Default)]
pub(super) struct Pace(VecDeque<(Instant, String, Spent)>);

impl Pace {
    const SPAN: Duration = Duration::from_secs(60);

    pub(super) fn add(&mut self, decision: &JobDecision) {
        self.0.push_back((Instant::now(), decision.worker.clone(), decision.spent));
    }

    /// The nodes a second of all workers, and of each while it works.
    pub(super) fn speeds(&mut self, since: Instant) -> (f64, BTreeMap<String, f64>) {
        while self.0.front().is_some_and(|(at, ..)| at.elapsed() > Self::SPAN) {
            self.0.pop_front();
        }
        let span = since.elapsed().min(Self::SPAN).as_secs_f64().max(0.001);
        let (mut by_worker, mut all): (BTreeMap<String, Spent>, _) = (BTreeMap::new(), Spent::default());
        for (_, worker, spent) in &self.0 {
            let sum = by_worker.entry(worker.clone()).or_default();
            (*sum, all) = (sum.plus(*spent), all.plus(*spent));
        }
        let own = |(worker, Spent { nodes, millis }): (String, Spent)| {
            (worker, nodes as f64 * 1000.0 / millis.max(1) as f64)
        };
        (all.nodes as f64 / span, by_worker.into_iter().map(own).collect())
    }
}
