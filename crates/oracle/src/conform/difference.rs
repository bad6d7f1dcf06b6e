//! The difference between two answers to one question.

use serde::Serialize;

use stonework_session::{BySide, Fault, State};

use crate::query::QueryResult;

/// The kinds of refusals that each name one rule. The kind `move`, and any word outside this list, may stand for any rule.
const SPECIFIC_KINDS: [&str; 6] = ["over", "occupied", "swap", "centre", "home", "repetition"];

/// The first difference between a subject's answer and our answer; `None` if they agree. Fields that a subject leaves out
/// are not compared. The wording of errors is not compared.
///
/// Two refusals agree if they have the same index of the move, and the same kind. A subject's kind is not compared if it
/// is `move`, or a word that is not in the list of [`Fault::kind`]: a program need not give its reasons, but each
/// reason that it gives must be right.
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
        (Ok(_), Err(theirs)) => Some(format!("refused ({}), we accept it", beginning(&theirs.to_string()))),
        (Err(ours), Ok(_)) => Some(format!("accepted, we refuse it ({ours})")),
    }
}

/// The beginning of a text of another program on one line, with a space for each control character, which a terminal would
/// obey.
pub(crate) fn beginning(text: &str) -> String {
    text.chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The difference between the kinds of two refusals of the same move; `None` if they agree or are not compared.
fn other_reason(ours: &Fault, theirs: &Fault) -> Option<String> {
    let specific = |fault: &Fault| SPECIFIC_KINDS.contains(&fault.kind.as_str());
    // If our kind is `move`, the text is no move. Such a text may break other rules too, so their kind may be any but
    // `over`: our rules would have said that the game has ended.
    let differs = specific(theirs) && (specific(ours) || theirs.kind == "over") && ours.kind != theirs.kind;
    differs
        .then(|| format!("the error is of kind {}, we say {} ({ours})", json(&theirs.kind), json(&ours.kind)))
}

/// A value as JSON, in the form that it has in an answer.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The first field in which two states differ. The order of the names within a field does not count.
fn differing_field(ours: &State, theirs: &State) -> Option<String> {
    fn field<T: PartialEq + Serialize>(name: &str, ours: &T, theirs: &T) -> Option<String> {
        (ours != theirs).then(|| format!("{name} is {}, we say {}", json(theirs), json(ours)))
    }
    /// [`field`], for a field that the subject may leave out.
    fn optional<T: PartialEq + Serialize>(
        name: &str,
        ours: Option<&T>,
        theirs: Option<&T>,
    ) -> Option<String> {
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
        .or_else(|| optional("how", how(ours).as_ref(), how(theirs).as_ref()))
        .or_else(|| field("to_move", &ours.to_move, &theirs.to_move))
        .or_else(|| optional("plies", ours.plies.as_ref(), theirs.plies.as_ref()))
        .or_else(|| optional("legal", ours.legal.as_ref(), theirs.legal.as_ref()))
        .or_else(|| optional("winning_cells", winning(ours).as_ref(), winning(theirs).as_ref()))
        .or_else(|| optional("can_win", ours.can_win.as_ref(), theirs.can_win.as_ref()))
        .or_else(|| optional("captured", captured(ours).as_ref(), captured(theirs).as_ref()))
}
