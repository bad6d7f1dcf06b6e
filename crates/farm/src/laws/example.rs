//! A workload of the laws: squares of numbers, where each number leads to two more.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::plan::{Check, FarmPlan, FarmWork, WorkSeat, Worked};
use crate::{FarmJob, FarmJobId};

/// The plan: the squares of 1 to `count`, where the jobs 2n and 2n + 1 are given out after the answer of n.
#[derive(Clone, Debug)]
pub struct Squares {
    count: u64,
    ready: BTreeSet<u64>,
    /// The answers, each with the number of times that it was taken.
    answers: Vec<(u64, u32)>,
    second: Second,
}

/// The job 2 of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Second {
    /// Is given out after the answer of 1, like every job, or is answered.
    Plain,
    /// Is given out beside the job 1, whose answer makes it needless.
    Early,
    /// Was found needless, and is given out again after the answer of 3.
    Needless,
}

const KIND: &str = "square";

fn job(number: u64) -> FarmJob {
    FarmJob::new(KIND, 1, number.to_string()).expect("a short job")
}

fn number(job: &FarmJob) -> Option<u64> {
    std::str::from_utf8(job.body()).ok()?.parse().ok()
}

impl Squares {
    /// The squares of 1 to `count`.
    #[must_use]
    pub fn new(count: u64) -> Self {
        Self {
            count,
            ready: BTreeSet::from([1]),
            answers: vec![(0, 0); count as usize + 1],
            second: Second::Plain,
        }
    }

    /// The same plan, of at least 3 squares, which gives the job 2 out beside 1, finds it needless when the answer of 1 comes
    /// first, and gives it out again after the answer of 3.
    #[must_use]
    pub fn with_needless(mut self) -> Self {
        self.second = Second::Early;
        self.ready.insert(2);
        self
    }

    /// The sum of all answers, and the largest number of times that one answer was taken.
    #[must_use]
    pub fn sum(&self) -> (u64, u32) {
        let times = self.answers.iter().map(|answer| answer.1).max().unwrap_or(0);
        (self.answers.iter().map(|answer| answer.0).sum(), times)
    }
}

impl FarmPlan for Squares {
    fn identity(&self) -> String {
        format!("squares of 1 to {}", self.count)
    }

    fn next(&mut self) -> Option<FarmJob> {
        self.ready.pop_first().map(job)
    }

    fn take(&mut self, job: &FarmJob, answer: &[u8]) -> Vec<FarmJobId> {
        let value = std::str::from_utf8(answer).ok().and_then(|text| text.parse().ok());
        let (Some(number), Some(value)) = (number(job), value) else { return Vec::new() };
        if (number, self.second) == (2, Second::Needless) {
            return Vec::new();
        }
        if let Some(slot) = self.answers.get_mut(number as usize) {
            *slot = (value, slot.1 + 1);
        }
        let is_known = |next: &u64| self.answers.get(*next as usize).is_none_or(|answer| answer.1 > 0);
        self.ready.extend([2 * number, 2 * number + 1].into_iter().filter(|next| !is_known(next)));
        match (number, self.second) {
            (1, Second::Early) => {
                self.second = Second::Needless;
                self.ready.remove(&2);
                return vec![self::job(2).id()];
            }
            (3, Second::Needless) => {
                self.second = Second::Plain;
                self.ready.insert(2);
            }
            (2, Second::Early) => self.second = Second::Plain,
            _ => {}
        }
        Vec::new()
    }

    fn is_over(&self) -> bool {
        self.answers.iter().skip(1).all(|answer| answer.1 > 0)
    }

    fn progress(&self) -> serde_json::Value {
        serde_json::json!({ "answers": self.answers.iter().filter(|answer| answer.1 > 0).count() })
    }
}

/// The check: the answer is the square, and the blob, which is the square as text, proves it.
#[derive(Clone, Copy, Debug)]
pub struct SquaresCheck;

impl Check for SquaresCheck {
    fn check(&self, job: &FarmJob, answer: &[u8], blobs: &[Vec<u8>]) -> Result<Vec<u8>, String> {
        let expected = number(job).map(|number| (number * number).to_string()).ok_or("no number")?;
        match blobs {
            [proof] if proof.starts_with(expected.as_bytes()) && answer == expected.as_bytes() => {
                Ok(answer.to_vec())
            }
            _ => Err(format!("{} is not {expected}", String::from_utf8_lossy(answer))),
        }
    }
}

/// The way of a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Temper {
    /// Does its jobs.
    Honest,
    /// Gives wrong answers, of 20 000 bytes.
    Liar,
    /// Fails at every second job.
    Clumsy,
    /// Knows no job.
    Outdated,
}

/// The work: takes a time, then squares.
#[derive(Clone, Copy, Debug)]
pub struct SquaresWork {
    /// The way of the worker.
    pub temper: Temper,
    /// The time of a job.
    pub time: Duration,
    /// The bytes of the blob.
    pub bytes: usize,
    /// The number of jobs so far.
    pub jobs: u64,
}

impl SquaresWork {
    /// A worker with a temper and a time for a job.
    #[must_use]
    pub const fn new(temper: Temper, time: Duration) -> Self {
        Self { temper, time, bytes: 64, jobs: 0 }
    }
}

impl FarmWork for SquaresWork {
    fn work(&mut self, job: &FarmJob, seat: &WorkSeat) -> Worked {
        self.jobs += 1;
        let since = std::time::Instant::now();
        while since.elapsed() < self.time {
            if seat.is_over() {
                return Worked::Left;
            }
            std::thread::sleep(Duration::from_millis(2).min(self.time));
        }
        let Some(number) = number(job) else { return Worked::Unable("no number".to_owned()) };
        let square = match self.temper {
            Temper::Liar => number * number + 1,
            Temper::Clumsy if self.jobs % 2 == 1 => return Worked::Failed("stumbled".to_owned()),
            Temper::Honest | Temper::Clumsy => number * number,
            Temper::Outdated => return Worked::Unable("unknown kind".to_owned()),
        };
        let mut blob = square.to_string().into_bytes();
        blob.resize(blob.len().max(self.bytes), b' ');
        let mut answer = square.to_string().into_bytes();
        if self.temper == Temper::Liar {
            answer.resize(20_000, b'x');
        }
        Worked::Done { answer, blobs: vec![blob], nodes: 1 }
    }
}
