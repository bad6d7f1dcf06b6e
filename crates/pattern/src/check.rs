//! The faults of a single pattern.

use stonework_board::Symmetry;

use crate::code::Reach;
use crate::compile::MAX_ENTRIES;
use crate::fault::{Fault, FaultKind};
use crate::source::{Pattern, letter};

/// The most exceptions of a pattern: with them, its images take all entries of the tables.
const MAX_EXCEPTIONS: usize = MAX_ENTRIES / Symmetry::ALL.len() - 1;

/// The first fault of a pattern, if any.
pub(crate) fn fault(pattern: &Pattern) -> Option<Fault> {
    answer_fault(pattern).or_else(|| cells_fault(pattern))
}

fn answer_fault(pattern: &Pattern) -> Option<Fault> {
    let reach = pattern.cells.reach();
    let at = |what| Some(Fault { at: pattern.answer_at.clone(), what });
    if pattern.answer == 0 {
        return at(FaultKind::NoAnswer);
    }
    let beyond = pattern.answer & !reach.mask();
    if beyond != 0 {
        let (cells, last) = (reach.cells(), letter(reach.cells() - 1));
        return at(FaultKind::Beyond { cell: letter(beyond.trailing_zeros() as usize), cells, last });
    }
    let taken = pattern.answer & !pattern.cells.empty();
    if taken != 0 {
        let i = taken.trailing_zeros() as usize;
        return at(FaultKind::Taken { cell: letter(i), state: pattern.cells.word(i) });
    }
    None
}

fn cells_fault(pattern: &Pattern) -> Option<Fault> {
    let title = || pattern.title();
    let reach: Reach = pattern.cells.reach();
    if pattern.cells.example().is_none() {
        return Some(Fault { at: pattern.at.clone(), what: FaultKind::Unreachable { pattern: title() } });
    }
    if let Some((at, _)) = pattern.exceptions.get(MAX_EXCEPTIONS) {
        let (count, limit) = (pattern.exceptions.len(), MAX_EXCEPTIONS);
        let what = FaultKind::Limit { what: "exceptions of a pattern", count, limit };
        return Some(Fault { at: at.clone(), what });
    }
    for (at, cells) in &pattern.exceptions {
        let at = || at.clone();
        if cells.reach() != reach {
            let what = FaultKind::ExceptionReach { found: cells.reach().cells(), cells: reach.cells() };
            return Some(Fault { at: at(), what });
        }
        if pattern.cells.both(cells).and_then(|both| both.example()).is_none() {
            return Some(Fault { at: at(), what: FaultKind::ExceptsNothing { pattern: title() } });
        }
    }
    None
}
