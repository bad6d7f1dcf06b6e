//! How two answers to one question differ.

use serde::Serialize;

use stonework_session::{BySide, Fault, State};

use crate::query::QueryResult;

/// The kinds of refusals that mean one rule each. `move` and other words may stand for any.
const TELLING: [&str; 6] = ["over", "occupied", "swap", "centre", "home", "repetition"];

/// How an answer differs from ours; `None` if it does not. Fields that a subject leaves out are not
/// compared, nor is the wording of errors.
///
/// Of a refusal the index of the move is compared, and the kind, unless the subject says `move` or a word that is
/// not in the list of [`Fault::kind`]: a program need not tell its reasons apart, but those that it tells are to
/// be right.
#[must_use]
pub fn difference(expected: &QueryResult, got: &Result<QueryResult, String>) -> Option<String> {
    let got = match got {
        Ok(verdict) => verdict,
        Err(failure) => return Some(failure.clone()),
    };
    match (expected, got) {
        (Ok(ours), Ok(theirs)) => differing_field(ours, theirs),
        (Err(ours), Err(theirs)) if ours.at == theirs.at => other_reason(ours, theirs),
        (Err(ours), Err(theirs)) => {
            let (theirs, at) = (json(&theirs.at), json(&ours.at));
            Some(format!("the error is at move {theirs}, we say {at} ({ours})"))
        }
        (Ok(_), Err(theirs)) => Some(format!("refused ({theirs}), we accept it")),
        (Err(ours), Ok(_)) => Some(format!("accepted, we refuse it ({ours})")),
    }
}

/// Whether a refusal gives the reason of another rule.
fn other_reason(ours: &Fault, theirs: &Fault) -> Option<String> {
    let telling = |fault: &Fault| TELLING.contains(&fault.kind.as_str());
    // What is no move can break any rule besides, but for the end of the game.
    let told = telling(theirs) && (telling(ours) || theirs.kind == "over") && ours.kind != theirs.kind;
    told.then(|| format!("the error is of kind {}, we say {} ({ours})", json(&theirs.kind), json(&ours.kind)))
}

/// A value as it stands in an answer.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn differing_field(ours: &State, theirs: &State) -> Option<String> {
    fn field<T: PartialEq + Serialize>(name: &str, ours: &T, theirs: &T) -> Option<String> {
        (ours != theirs).then(|| format!("{name} is {}, we say {}", json(theirs), json(ours)))
    }
    fn given<T: PartialEq + Serialize>(name: &str, ours: Option<&T>, theirs: Option<&T>) -> Option<String> {
        theirs.and_then(|_| field(name, &ours, &theirs))
    }
    fn sorted(names: &[String]) -> Vec<String> {
        let mut names = names.to_vec();
        names.sort();
        names
    }
    let how = |state: &State| state.how.as_deref().map(sorted);
    let winning = |state: &State| {
        let sides = state.winning_cells.as_ref();
        sides.map(|s| BySide { white: sorted(&s.white), black: sorted(&s.black) })
    };
    let captured = |state: &State| -> Option<Vec<Vec<String>>> {
        state.captured.as_ref().map(|moves| moves.iter().map(|cells| sorted(cells)).collect())
    };
    field("outcome", &ours.outcome, &theirs.outcome)
        .or_else(|| given("how", how(ours).as_ref(), how(theirs).as_ref()))
        .or_else(|| field("to_move", &ours.to_move, &theirs.to_move))
        .or_else(|| given("plies", ours.plies.as_ref(), theirs.plies.as_ref()))
        .or_else(|| given("legal", ours.legal.as_ref(), theirs.legal.as_ref()))
        .or_else(|| given("winning_cells", winning(ours).as_ref(), winning(theirs).as_ref()))
        .or_else(|| given("can_win", ours.can_win.as_ref(), theirs.can_win.as_ref()))
        .or_else(|| given("captured", captured(ours).as_ref(), captured(theirs).as_ref()))
}
