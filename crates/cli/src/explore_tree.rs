//! `solve --explore --export`: the first plies of a proof as a tree, in SGF or as JSON lines.

use std::fs::DirEntry;
use std::io::{self, Write};
use std::path::Path;

use serde_json::json;
use stonework_board::{Cell, Notation};
use stonework_files::replace;
use stonework_game::{Game, Player, Textual as _};
use stonework_havannah::{Move, Position, colour};
use stonework_havannah_solver::{ExploreError, HavannahBook, ProofNode, proof_tree};
use stonework_proof::value_of;
use stonework_record::{Action, Builder, Colour, Dialect, LetterCase, NodeId};
use stonework_session::outcome_name;

use crate::explore::{named, not_explored};
use crate::failure::Failure;
use crate::openings::opening;
use crate::out::Out;
use crate::start::Started;

/// The largest number of positions in a tree.
const MAX_POSITIONS: usize = 100_000;
/// The depth of a tree without `--plies`.
pub(crate) const DEFAULT_PLIES: usize = 4;

/// Refuses to write a tree over its own proof, which may have several names, or over a file of the directory of the proof.
pub(crate) fn check_target(proof: &Path, file: &Path) -> Result<(), Failure> {
    let (Ok(read), Ok(written)) = (proof.canonicalize(), file.canonicalize()) else { return Ok(()) };
    let refused = |what: String| Err(Failure::input(format!("--export {}: that is {what}", file.display())));
    if read == written {
        return refused("the proof itself".to_owned());
    }
    let is_written = |entry: DirEntry| entry.path().canonicalize().is_ok_and(|path| path == written);
    if read.read_dir().is_ok_and(|mut entries| entries.any(|entry| entry.is_ok_and(is_written))) {
        return refused(format!("a file of the proof {}", proof.display()));
    }
    Ok(())
}

/// Writes the tree below a position to a file: as SGF if the file's name ends in `.sgf`, else as JSON lines.
pub(crate) fn export(
    book: &HavannahBook,
    started: &Started,
    plies: usize,
    file: &Path,
    notation: Notation,
    out: &mut Out,
) -> Result<(), Failure> {
    let board = started.position.board();
    notation.fits(board.shape()).map_err(Failure::input)?;
    let name = |cell: Cell| notation.name_of(board, cell).unwrap_or_default();
    let nodes = proof_tree(book, &started.position, plies, MAX_POSITIONS).map_err(|error| match error {
        ExploreError::Unfit(unfit) => not_explored(&unfit),
        _ => Failure::input(format!("--plies {plies}: more than {MAX_POSITIONS} positions")),
    })?;
    let failed = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", file.display()));
    let sgf = file.extension().is_some_and(|e| e.eq_ignore_ascii_case("sgf"));
    let text =
        if sgf { Some(to_sgf(started, &nodes, notation, name).map_err(|e| failed(&e))?) } else { None };
    let written = replace(&**out.disk(), file, |mut output| match &text {
        Some(text) => output.write_all(text.as_bytes()),
        None => to_json(&started.position, &nodes, name, &mut output),
    });
    written.map_err(|e: io::Error| failed(&e))?;
    let (format, plies) = (if sgf { "sgf" } else { "json" }, depth(&nodes));
    if out.wants_json() {
        let file = file.display().to_string();
        return out.object(
            &json!({ "ok": true, "file": file, "format": format, "positions": nodes.len(), "plies": plies }),
        );
    }
    writeln!(out, "{} positions, {plies} plies deep, in {}", nodes.len(), file.display())?;
    Ok(())
}

/// The plies of the longest line of a tree, whose parents come before their children.
fn depth(nodes: &[ProofNode]) -> usize {
    let mut plies: Vec<usize> = Vec::with_capacity(nodes.len());
    for node in nodes {
        plies.push(node.parent.and_then(|parent| plies.get(parent)).map_or(0, |above| above + 1));
    }
    plies.into_iter().max().unwrap_or(0)
}

/// Writes the tree as JSON lines, one object for each position.
fn to_json(
    root: &Position,
    nodes: &[ProofNode],
    name: impl Fn(Cell) -> String + Copy,
    output: &mut impl Write,
) -> io::Result<()> {
    for (id, node) in nodes.iter().enumerate() {
        let mut line = json!({
            "id": id,
            "parent": node.parent,
            "move": node.mv.map(name),
            "to_move": node.outcome.is_none().then(|| colour(node.mover)),
            "outcome": value_of(&node.entries).map_or("unknown", outcome_name::<Position>),
            "said": named(&node.entries, name).collect::<Vec<_>>(),
        });
        if id == 0 {
            line["root"] = json!(root.position_text());
        }
        writeln!(output, "{line}")?;
    }
    Ok(())
}

/// The tree as a record with variations, in a notation. The comment of a move has the book's entries about the position after
/// the move.
fn to_sgf(
    started: &Started,
    nodes: &[ProofNode],
    notation: Notation,
    name: impl Fn(Cell) -> String + Copy,
) -> Result<String, Box<dyn std::error::Error>> {
    let root = &started.position;
    let colour_of = |player: Player| match player {
        Player::First => Colour::White,
        Player::Second => Colour::Black,
    };
    // Moves have the names that the comments have.
    let letters = if notation == Notation::Rogers { LetterCase::Upper } else { LetterCase::Lower };
    let mut record = Builder::new(root.size(), Dialect { notation, letters, ..Dialect::HAVANNAH_GUI })?;
    record.set("AP", concat!("stonework:", env!("CARGO_PKG_VERSION")))?;
    let mut from = Position::new(root.size())?;
    let moves = moves_from_empty(started);
    if moves.is_empty() && root.stone_count() > 0 {
        for player in Player::BOTH {
            record.setup(colour_of(player), &root.stones(player).iter().collect::<Vec<_>>())?;
        }
        record.set("PL", colour_of(root.to_move()).letter())?;
    }
    for mv in moves {
        if let Move::Place(cell) = mv {
            record.play(colour_of(from.to_move()), Action::Place(cell))?;
        }
        from.play_unchecked(mv);
    }
    let mut record_nodes: Vec<NodeId> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let parent = node.parent.and_then(|parent| record_nodes.get(parent)).copied();
        if let (Some(parent), Some(cell)) = (parent, node.mv) {
            let mover = node.parent.and_then(|parent| nodes.get(parent)).map_or(Player::First, |n| n.mover);
            record.go_to(parent).play(colour_of(mover), Action::Place(cell))?;
        }
        let comment: Vec<String> = named(&node.entries, name).map(|entry| entry.to_string()).collect();
        let comment = comment.join("\n");
        let comment = if comment.is_empty() { "not in the proof".to_owned() } else { comment };
        record.comment(&comment)?;
        record_nodes.push(record.cursor());
    }
    Ok(record.finish()?.to_string())
}

/// The moves from the empty board to the root of the tree. Empty if the moves are not known.
fn moves_from_empty(started: &Started) -> Vec<Move> {
    let root = &started.position;
    let Ok(mut from) = Position::new(root.size()) else { return Vec::new() };
    let moves = match opening(root) {
        Some(cell) if started.moves.is_empty() => vec![Move::Place(cell)],
        _ => started.moves.clone(),
    };
    for &mv in &moves {
        if from.play(mv).is_err() {
            return Vec::new();
        }
    }
    if from == *root { moves } else { Vec::new() }
}
