//! `solve --map`: the winner after each opening of a small board and after each reply, as a page with pictures.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use stonework_board::{Cell, Notation};
use stonework_game::{MoveOrbit, Outcome, Player};
use stonework_havannah::{Move, Position};
use stonework_havannah_solver::{HavannahBook, KnownValue, MoveValues, OpeningValues, opening_values};
use stonework_search::Limits;
use stonework_session::outcome_name;

use crate::explore::not_explored;
use crate::failure::Failure;
use crate::openings::said;
use crate::out::Out;
use crate::picture;
use crate::start::Named as _;

/// The largest board that `--map` solves by itself; larger boards need a proof.
pub(crate) const SOLVED: u8 = 3;

/// The moves with their values on the board.
fn diagram(map: &MoveValues, notation: Notation) -> Result<String, Failure> {
    let diagram = picture::diagram(&map.position, notation, &[])?;
    Ok(map.values.iter().fold(diagram, |d, (cell, known)| d.label(*cell, known.label())).text())
}

/// The number of moves with each outcome.
fn counts(map: &MoveValues) -> String {
    let ends =
        [Some(Outcome::Win(Player::First)), Some(Outcome::Win(Player::Second)), Some(Outcome::Draw), None];
    let parts = ends.into_iter().map(|value| (value, map.count(value))).filter(|&(_, count)| count > 0);
    let parts =
        parts.map(|(value, count)| format!("{} after {count}", value.map_or("unknown".to_owned(), said)));
    parts.collect::<Vec<_>>().join(", ")
}

fn fields(map: &MoveValues, notation: Notation) -> Value {
    let field = |(cell, known): &(Cell, KnownValue)| {
        json!({
            "move": map.position.move_name(Move::Place(*cell), notation),
            "outcome": known.value.map_or("unknown", outcome_name::<Position>),
            "plies": known.plies,
            "from": known.source.name(),
        })
    };
    map.values.iter().map(field).collect()
}

/// Writes the page about a size.
pub(crate) fn page(
    size: u8,
    book: &HavannahBook,
    file: Option<&Path>,
    notation: Notation,
    limits: &Limits,
    seed: u64,
    out: &mut Out,
) -> Result<(), Failure> {
    let root = Position::new(size).map_err(Failure::input)?;
    notation.fits(root.board().shape()).map_err(Failure::input)?;
    let name = |mv: Move| root.move_name(mv, notation);
    let values = opening_values(book, &root, limits, seed).map_err(|why| not_explored(&why))?;
    let OpeningValues { openings, replies } = &values;
    let value = openings.outcome();
    if out.wants_json() {
        let after = |(orbit, map): &(MoveOrbit<Move>, MoveValues)| {
            json!({
                "move": name(orbit.mv),
                "images": orbit.images.iter().map(|&mv| name(mv)).collect::<Vec<_>>(),
                "replies": fields(map, notation),
            })
        };
        return out.object(&json!({
            "size": size,
            "outcome": value.map_or("unknown", outcome_name::<Position>),
            "openings": fields(openings, notation),
            "after": replies.iter().map(after).collect::<Vec<_>>(),
        }));
    }
    let source = file.map_or(String::new(), |file| format!(" --explore {}", file.display()));
    let named =
        if notation == Notation::default() { String::new() } else { format!(" --notation {notation}") };
    let value = value.map_or("the outcome is unknown".to_owned(), said);
    writeln!(out, "# Havannah of size {size}: {value}\n")?;
    writeln!(out, "Written by `stonework solve --map --size {size}{source}{named}`, without swap.\n")?;
    writeln!(
        out,
        "The letter on an empty cell is the outcome if the side to move plays there: `w` White wins, `b` Black wins, `=` a draw,\n\
         `?` unknown. The number is an upper bound on the further plies of a win, if the winner keeps to the proof. The shortest win may\n\
         take fewer plies. A win without a number is not in the proof: the solver found it. `O` is White's stone.\n"
    )?;
    writeln!(out, "## White's openings\n\n{}.\n", counts(openings))?;
    writeln!(out, "```text\n{}```", ended(&diagram(openings, notation)?))?;
    for (MoveOrbit { mv, images }, map) in replies {
        let also: Vec<String> = images.iter().map(|&mv| name(mv)).collect();
        let known = openings.values.iter().find(|(cell, _)| Move::Place(*cell) == *mv);
        let known = known.and_then(|(_, known)| known.value);
        let value = known.map_or("unknown".to_owned(), said);
        writeln!(out, "\n## After {}: {value}\n", name(*mv))?;
        if !also.is_empty() {
            writeln!(
                out,
                "Images of this opening under the symmetries of the board: {}.\n",
                also.join(", ")
            )?;
        }
        writeln!(out, "Black's replies: {}.\n", counts(map))?;
        writeln!(out, "```text\n{}```", ended(&diagram(map, notation)?))?;
    }
    Ok(())
}

/// The text with a final line break.
fn ended(text: &str) -> String {
    if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}
