//! `solve --map`: who wins after each opening of a small board and after each reply, drawn on a page.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use stonework_board::{Cell, Notation};
use stonework_campaign::{MoveOrbit, move_orbits};
use stonework_game::{Game, Outcome, Textual as _};
use stonework_havannah::{Move, Position};
use stonework_havannah_solver::{Explorer, HavannahBook, KnownValue, Solver, read_book};
use stonework_proof::{Claim, ProofReader, join};
use stonework_search::{Engine, Limits};
use stonework_session::outcome_name;

use crate::explore::{label, not_explored};
use crate::failure::Failure;
use crate::openings::said;
use crate::out::Out;
use crate::picture;

/// The largest board that is solved for its map; larger ones need a proof.
pub(crate) const SOLVED: u8 = 3;

/// The map of one position: each move with what follows.
struct Map {
    position: Position,
    moves: Vec<(Cell, KnownValue)>,
}

impl Map {
    fn of(explorer: &mut Explorer<'_>, position: Position) -> Self {
        Self { position, moves: explorer.values() }
    }

    fn diagram(&self) -> Result<String, Failure> {
        let diagram = picture::diagram(&self.position, Notation::default(), &[])?;
        Ok(self.moves.iter().fold(diagram, |d, (cell, known)| d.label(*cell, label(known))).text())
    }

    /// How many moves end how.
    fn counts(&self) -> String {
        let count =
            |value: Option<Outcome>| self.moves.iter().filter(|(_, known)| known.value == value).count();
        let values = [
            Some(Outcome::Win(stonework_game::Player::First)),
            Some(Outcome::Win(stonework_game::Player::Second)),
            Some(Outcome::Draw),
            None,
        ];
        let parts = values
            .into_iter()
            .filter(|&value| count(value) > 0)
            .map(|value| format!("{} after {}", value.map_or("unknown".to_owned(), said), count(value)));
        parts.collect::<Vec<_>>().join(", ")
    }

    fn fields(&self) -> Value {
        let field = |(cell, known): &(Cell, KnownValue)| {
            json!({
                "move": self.position.board().name(*cell),
                "outcome": known.value.map_or("unknown", outcome_name::<Position>),
                "plies": known.plies,
                "from": known.source.name(),
            })
        };
        self.moves.iter().map(field).collect()
    }
}

/// Proves all openings of a board that is solved at once.
pub(crate) fn proved(size: u8, bytes: usize) -> Result<HavannahBook, Failure> {
    let root = Position::new(size).map_err(Failure::input)?;
    let (mut solver, limits) = (Solver::default(), Limits::none());
    let mut files: Vec<Vec<u8>> = Vec::new();
    for MoveOrbit { mv, .. } in move_orbits(&root) {
        let mut position = root.clone();
        position.play_unchecked(mv);
        let value = solver.think(&position, &limits).proven;
        let value = value.ok_or_else(|| Failure::input(format!("size {size} is not solved")))?;
        let mut file = Vec::new();
        solver.prove(&position, Claim::of(value), &limits, &mut file).map_err(Failure::input)?;
        files.push(file);
    }
    let readers = files.iter().map(|file| ProofReader::new(&file[..])).collect::<Result<_, _>>();
    let mut all = Vec::new();
    join(readers.map_err(Failure::input)?, &mut all).map_err(Failure::input)?;
    read_book(&all[..], bytes).map_err(Failure::input)
}

/// Writes the page about a size.
pub(crate) fn page(
    size: u8,
    book: &HavannahBook,
    file: Option<&Path>,
    limits: &Limits,
    seed: u64,
    out: &mut Out,
) -> Result<(), Failure> {
    let root = Position::new(size).map_err(Failure::input)?;
    let mut explorer =
        Explorer::new(book, root.clone(), limits.clone(), seed).map_err(|why| not_explored(&why))?;
    let openings = Map::of(&mut explorer, root.clone());
    let best = openings.moves.iter().map(|(_, known)| known.value).collect::<Option<Vec<_>>>();
    let value = best.and_then(|all| all.into_iter().max_by_key(|outcome| outcome.value_for(root.to_move())));
    let mut maps = Vec::new();
    for MoveOrbit { mv, images } in move_orbits(&root) {
        let Move::Place(cell) = mv else { continue };
        explorer.walk_mut().play(cell).map_err(Failure::input)?;
        let mut position = root.clone();
        position.play_unchecked(mv);
        maps.push((cell, images, Map::of(&mut explorer, position)));
        explorer.walk_mut().back();
    }
    let name = |cell: Cell| root.board().name(cell);
    if out.wants_json() {
        let after = |(cell, images, map): &(Cell, Vec<Move>, Map)| {
            json!({
                "move": name(*cell),
                "images": images.iter().map(|&mv| root.move_text(mv)).collect::<Vec<_>>(),
                "replies": map.fields(),
            })
        };
        return out.object(&json!({
            "size": size,
            "outcome": value.map_or("unknown", outcome_name::<Position>),
            "openings": openings.fields(),
            "after": maps.iter().map(after).collect::<Vec<_>>(),
        }));
    }
    let source = file.map_or(String::new(), |file| format!(" --explore {}", file.display()));
    let value = value.map_or("it is not known who wins".to_owned(), said);
    writeln!(out, "# Havannah of size {size}: {value}\n")?;
    writeln!(out, "Written by `stonework solve --map --size {size}{source}`, without swap.\n")?;
    writeln!(
        out,
        "On each empty cell stands who wins if the side to move plays there: `w` White, `b` Black, `=` nobody. A number says within how\n\
         many further plies, if the winner keeps to the proof: an upper bound, not the shortest win. Without a number the\n\
         move is not part of the proof, and the solver was asked. `O` is White's stone.\n"
    )?;
    writeln!(out, "## White's openings\n\n{}.\n", openings.counts())?;
    writeln!(out, "```text\n{}```", ended(&openings.diagram()?))?;
    for (cell, images, map) in &maps {
        let also: Vec<String> = images.iter().map(|&mv| root.move_text(mv)).collect();
        let known = openings.moves.iter().find(|(other, _)| other == cell).and_then(|(_, known)| known.value);
        let value = known.map_or("unknown".to_owned(), said);
        writeln!(out, "\n## After {}: {value}\n", name(*cell))?;
        if !also.is_empty() {
            writeln!(out, "The same but for a symmetry: {}.\n", also.join(", "))?;
        }
        writeln!(out, "Black's replies: {}.\n", map.counts())?;
        writeln!(out, "```text\n{}```", ended(&map.diagram()?))?;
    }
    Ok(())
}

/// With a line's end.
fn ended(text: &str) -> String {
    if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
}
