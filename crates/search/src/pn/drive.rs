//! [`drive`]: a report with a win, a draw or a loss, from questions with the answers yes and no.

use stonework_game::{Game, Player};

use super::numbers::{Frontier, Query};
use super::walk::Answer;
use crate::{Bounds, HashUse, Limits, Line, Meter, ProofNumbers, Report, Stop, Value};

/// The question of a proof-number search about the root.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Question {
    /// The value: the question if the side to move wins, and after a no the question if its opponent wins.
    #[default]
    Value,
    /// Only the question if this side wins. The report has bounds; after a no, a draw and a loss are both
    /// possible.
    Wins(Player),
}

/// A question about a root, and the meter of the search that answers it.
pub(crate) struct Task<'a, G> {
    pub(crate) root: &'a G,
    pub(crate) question: Query,
    pub(crate) meter: &'a Meter<'a>,
}

/// A search that answers questions about a root.
pub(crate) trait Solve<G: Game> {
    /// Searches until the question is answered or a limit is reached.
    fn ask(&mut self, task: &Task<'_, G>, tick: &mut dyn FnMut(Answer<G::Move>)) -> Answer<G::Move>;

    /// The known moves of the principal variation after [`ask`](Solve::ask); not empty if the answer has a best
    /// move.
    fn line(&mut self, task: &Task<'_, G>, answer: Answer<G::Move>) -> Vec<G::Move>;

    fn hash(&self) -> HashUse;

    fn bytes(&self) -> usize;
}

/// Searches the question of the options and fills the report.
pub(crate) fn drive<G: Game>(
    solver: &mut dyn Solve<G>,
    root: &G,
    ask: Question,
    meter: &Meter<'_>,
    watch: &mut dyn FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    let mover = root.to_move();
    let mut report = Report::empty();
    let sides = match ask {
        Question::Value => vec![mover, mover.other()],
        Question::Wins(who) => vec![who],
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
    report.stopped = Some(match meter.stopped() {
        _ if all_answered => Stop::Solved,
        Some(reason) => reason,
        None => Stop::Depth,
    });
    report.time = meter.elapsed();
    report
}

/// The answer to "does `who` win?", by as many questions as necessary; `None` if a limit prevents an answer.
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
            // The same rule as after the question: the best move and its line stay once bounds are known.
            if let Some(best) = so_far.best.filter(|_| report.bounds == Bounds::UNKNOWN) {
                report.best = Some(best);
                report.lines = vec![Line::new(vec![best], report.value)];
            }
            report.proof_numbers = Some(so_far.numbers);
            report.nodes = meter.nodes();
            report.time = meter.elapsed();
            watch(report);
        };
        let task = Task { root, question, meter };
        let answer = solver.ask(&task, &mut tick);
        let decided = answer.numbers.decided();
        let sure = decided.filter(|&yes| question.frontier.is_none_or(|f| f.answer != yes));
        // An answer that rests on positions at the limit of depth leaves the question about the root open.
        let is_guess = decided.is_some() && sure.is_none();
        report.proof_numbers = Some(if is_guess { ProofNumbers::OPEN } else { answer.numbers });
        if answer.best.is_some() && (sure.is_some() || report.bounds == Bounds::UNKNOWN) {
            report.best = answer.best;
            let mut line = solver.line(&task, answer);
            line.truncate(usize::from(u16::MAX));
            report.lines = vec![Line::new(line, report.value)];
        }
        if let Some(yes) = sure {
            note(report, root.to_move(), who, yes);
            return sure;
        }
        decided?;
    }
    None
}

/// The questions that decide if a side wins: one question without a depth limit, and two with one. The first of
/// the two counts every cut position as a no, so that its yes is certain; the second counts every cut position as
/// a yes, so that its no is certain.
fn questions(who: Player, limits: &Limits) -> Vec<Query> {
    match limits.depth {
        None => vec![Query::new(who)],
        Some(plies) => {
            [false, true].map(|answer| Query { who, frontier: Some(Frontier { plies, answer }) }).into()
        }
    }
}

/// Puts an answer into the report.
fn note<M>(report: &mut Report<M>, mover: Player, who: Player, yes: bool) {
    report.bounds = report.bounds.seen_by(who == mover).with_answer(yes).seen_by(who == mover);
    report.proven = report.bounds.outcome(mover);
    let plies = report.line().len().max(1) as u32;
    report.value = report.proven.map_or(Value::Unknown, |outcome| Value::of(outcome, mover, plies));
    if let Some(line) = report.lines.first_mut() {
        line.value = report.value;
    }
}

fn finish<G: Game>(report: &mut Report<G::Move>, solver: &dyn Solve<G>, meter: &Meter<'_>) {
    report.nodes = meter.nodes();
    report.hash = solver.hash();
    report.bytes = report.bytes.max(solver.bytes());
    report.time = meter.elapsed();
}

#[cfg(test)]
mod tests {
    use stonework_game::example::Nim;

    use super::*;
    use crate::{Dfpn, Engine, Pn};

    /// A search with a limit of depth asks what holds if all cut positions were lost, or won. (The numbers of such a question told a
    /// proof of what was open.)
    #[test]
    fn numbers_are_decided_where_bounds_are_known() {
        let (mut open, mut known) = (0, 0);
        for heap in 1..12 {
            for plies in 0..8 {
                let limits = Limits::none().depth(plies);
                for report in [
                    Dfpn::default().think(&Nim::new(heap), &limits),
                    Pn::default().think(&Nim::new(heap), &limits),
                ] {
                    let is_open = report.bounds == Bounds::UNKNOWN;
                    let decided = report.proof_numbers.and_then(ProofNumbers::decided);
                    assert!(!is_open || decided.is_none(), "{heap} {plies} {report:?}");
                    assert!(report.proven.is_none() || decided.is_some(), "{heap} {plies} {report:?}");
                    (open, known) = (open + usize::from(is_open), known + usize::from(!is_open));
                }
            }
        }
        assert!(open > 20 && known > 20, "{open} {known}");
    }
}
