//! From questions with two answers to a report with three values.

use stonework_game::{Game, Outcome, Player};

use super::judge::Initial;
use super::numbers::{Frontier, Question};
use super::walk::Answer;
use crate::{Bounds, HashUse, Limits, Meter, Report, Stop, WIN};

/// What a proof-number engine finds out about the root.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ask {
    /// Win, draw or loss: whether the side to move wins, and if not, whether the other does.
    #[default]
    Value,
    /// Only whether this side wins. The report has bounds; a `no` leaves open whether it is a draw.
    Wins(Player),
}

/// What is told to both engines in the same words: a field `told` of this type, and methods to set it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told {
    pub(crate) initial: Initial,
    /// Memory where no limit sets it.
    pub(crate) bytes: usize,
    pub(crate) ask: Ask,
}

impl Told {
    pub(crate) const fn new(bytes: usize) -> Self {
        Self { initial: Initial::Moves, bytes, ask: Ask::Value }
    }
}

/// The methods that set what an engine with a field `told` is [`Told`].
macro_rules! told {
    ($engine:ident, $bytes:literal) => {
        impl Default for $engine {
            fn default() -> Self {
                Self::new()
            }
        }

        impl<T> $engine<T> {
            /// What new positions count for.
            #[must_use]
            pub const fn initial(mut self, initial: Initial) -> Self {
                self.told.initial = initial;
                self
            }

            #[doc = $bytes]
            #[must_use]
            pub const fn bytes(mut self, bytes: usize) -> Self {
                self.told.bytes = bytes;
                self
            }

            /// What to find out.
            #[must_use]
            pub const fn ask(mut self, ask: Ask) -> Self {
                self.told.ask = ask;
                self
            }
        }
    };
}

pub(super) use told;

/// A way to answer questions.
pub(crate) trait Solve<G: Game> {
    /// Searches until there is an answer or the meter says stop.
    fn ask(
        &mut self,
        root: &G,
        question: Question,
        meter: &Meter<'_>,
        tick: &mut dyn FnMut(Answer<G::Move>),
    ) -> Answer<G::Move>;

    /// The principal variation after [`ask`](Solve::ask), as far as it is known, and not empty if there
    /// is a best move.
    fn line(&mut self, root: &G, question: Question, answer: Answer<G::Move>) -> Vec<G::Move>;

    fn hash(&self) -> HashUse;

    fn bytes(&self) -> usize;
}

/// Asks what is to be asked and says what came out.
pub(crate) fn drive<G: Game>(
    solver: &mut dyn Solve<G>,
    root: &G,
    ask: Ask,
    meter: &Meter<'_>,
    watch: &mut dyn FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    let mover = root.to_move();
    let mut report = Report::empty();
    let sides = match ask {
        Ask::Value => vec![mover, mover.other()],
        Ask::Wins(who) => vec![who],
    };
    let mut all_answered = true;
    for who in sides {
        let answered = settle(solver, root, who, meter, &mut report, watch);
        finish(&mut report, solver, meter);
        watch(&report);
        all_answered &= answered.is_some();
        if answered == Some(true) {
            all_answered = true;
            break;
        }
        if meter.stopped().is_some() {
            break;
        }
    }
    report.stopped = match meter.stopped() {
        _ if all_answered => Stop::Solved,
        Some(reason) => reason,
        None => Stop::Depth,
    };
    report.time = meter.elapsed();
    report
}

/// Whether one side wins, with as many questions as that takes.
fn settle<G: Game>(
    solver: &mut dyn Solve<G>,
    root: &G,
    who: Player,
    meter: &Meter<'_>,
    report: &mut Report<G::Move>,
    watch: &mut dyn FnMut(&Report<G::Move>),
) -> Option<bool> {
    for question in questions(who, meter.limits()) {
        let mut tick = |so_far: Answer<G::Move>| {
            report.best = so_far.best.or(report.best);
            report.numbers = Some(so_far.numbers.into());
            report.nodes = meter.nodes();
            report.time = meter.elapsed();
            watch(report);
        };
        let answer = solver.ask(root, question, meter, &mut tick);
        report.numbers = Some(answer.numbers.into());
        let decided = answer.numbers.decided();
        let sure = decided.filter(|&yes| question.frontier.is_none_or(|f| f.answer != yes));
        if answer.best.is_some() && (sure.is_some() || report.bounds == Bounds::UNKNOWN) {
            report.best = answer.best;
            report.line = solver.line(root, question, answer);
        }
        if let Some(yes) = sure {
            note(report, root.to_move(), who, yes);
            return sure;
        }
        decided?;
    }
    None
}

/// One question; or, where the depth is limited, whether it is answered by yes even if all that lies
/// deeper is a no, and by no even if all that is a yes.
fn questions(who: Player, limits: &Limits) -> Vec<Question> {
    match limits.depth {
        None => vec![Question::new(who)],
        Some(plies) => {
            [false, true].map(|answer| Question { who, frontier: Some(Frontier { plies, answer }) }).into()
        }
    }
}

/// Puts an answer into the report.
fn note<M>(report: &mut Report<M>, mover: Player, who: Player, yes: bool) {
    let mut bounds = if who == mover { report.bounds } else { report.bounds.reversed() };
    if yes {
        bounds = Bounds::exact(1);
    } else {
        bounds.most = bounds.most.min(0);
    }
    report.bounds = if who == mover { bounds } else { bounds.reversed() };
    report.proof = report.bounds.outcome(mover);
    let plies = report.line.len().max(1) as i32;
    report.value = match report.proof {
        Some(Outcome::Win(winner)) if winner == mover => WIN - plies,
        Some(Outcome::Win(_)) => plies - WIN,
        _ => 0,
    };
}

fn finish<G: Game>(report: &mut Report<G::Move>, solver: &dyn Solve<G>, meter: &Meter<'_>) {
    report.nodes = meter.nodes();
    report.hash = solver.hash();
    report.bytes = report.bytes.max(solver.bytes());
    report.time = meter.elapsed();
    report.line.truncate(report.line.len().min(usize::from(u16::MAX)));
}
