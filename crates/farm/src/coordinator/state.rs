//! The state of a campaign, as it is told while the campaign goes on and in its end.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::{CoordinateError, CoordinatorEvent, Ended, Progress, Run, is_passing, later};
use crate::queue::{Control, Depth};

/// The largest number of names in a status that is shortened: 500 of them take 33 KiB.
const SHORT: usize = 500;

impl Run<'_, '_> {
    /// Stores and reports the state.
    pub(super) fn tell(&mut self, since: Instant) -> Result<(), CoordinateError> {
        self.progress.open = self.open.len();
        self.progress.journal_bytes = self.journal.bytes();
        (self.progress.speed, self.progress.workers) = self.pace.speeds(since);
        self.progress.plan = self.plan.progress();
        (self.watch)(&CoordinatorEvent::Progress(&self.progress));
        let mut status = serde_json::to_vec(&self.progress).unwrap_or_default();
        if status.len() as u64 > crate::embedded::MAX_STATUS {
            let shut_out = self.progress.shut_out.iter().take(SHORT).cloned().collect();
            let (workers, plan) = (BTreeMap::new(), serde_json::Value::Null);
            let short = Progress { workers, shut_out, plan, ..self.progress.clone() };
            status = serde_json::to_vec(&short).unwrap_or_default();
        }
        Ok(self.queue.set_status(&status)?)
    }

    /// Ends a campaign that has its result: it is in the journal. The end is told until the queue has it, for the workers read it
    /// there and nowhere else; `stop` alone ends the attempts.
    pub(super) fn finish(&mut self, since: Instant) -> Ended {
        self.progress.control = Control::Over;
        self.progress.depth = Depth::default();
        self.open.clear();
        loop {
            // The watcher gets the last state, with the last decisions, from a queue that is away, too. One without space for the
            // state may have space for the end.
            let mut full = None;
            let state = later(self.tell(since), &mut full);
            match self.tell_end().and(state) {
                Err(error) if is_passing(&error) && !self.stop.load(Ordering::Relaxed) => {
                    self.trouble(&error.to_string());
                }
                told => {
                    if let Some(error) = told.err().or(full) {
                        (self.watch)(&CoordinatorEvent::Trouble(&error.to_string(), Duration::ZERO));
                    }
                    return Ended::Over;
                }
            }
        }
    }

    /// Tells the workers the end. Another coordinator that leads by now tells it itself.
    fn tell_end(&mut self) -> Result<(), CoordinateError> {
        if self.regain()? {
            self.queue.clear()?;
            self.queue.set_control(Control::Over)?;
        }
        Ok(())
    }
}
