//! `solve --map`: who wins after each opening of a small board and after each reply, drawn on a page.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use stonework_board::{Cell, Notation};
use stonework_game::{Game, Outcome};
use stonework_havannah::{Move, Position};
use stonework_oracle::outcome_name;
use stonework_players::solver::Solver;
use stonework_players::{Certificate, certificate};
use stonework_search::proof::{Claim, Reader, join};
use stonework_search::{Engine, Limits};

use crate::explore::{Explorer, Known, label};
use crate::failure::Failure;
use crate::openings::{orbits, said};
use crate::out::Out;
use crate::picture;

/// The largest board that is solved for its map; larger ones need a proof.
pub(crate) const SOLVED: u8 = 3;

/// The map of one position: each move with what follows.
struct Map {
    position: Position,
    moves: Vec<(Cell, Known)>,
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
        let field = |(cell, known): &(Cell, Known)| {
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
pub(crate) fn proved(size: u8, bytes: usize) -> Result<Certificate, Failure> {
    let root = Position::new(size).map_err(Failure::input)?;
    let (mut solver, limits) = (Solver::new(), Limits::none());
    let mut files: Vec<Vec<u8>> = Vec::new();
    for (cell, _) in orbits(&root) {
        let mut position = root.clone();
        position.play_unchecked(Move::Place(cell));
        let value = solver.search(&position, &limits, 0, &mut |_| {}).proof;
        let value = value.ok_or_else(|| Failure::input(format!("size {size} is not solved")))?;
        let mut file = Vec::new();
        solver.prove(&position, Claim::of(value), &limits, &mut file).map_err(Failure::input)?;
        files.push(file);
    }
    let readers = files.iter().map(|file| Reader::new(&file[..])).collect::<Result<_, _>>();
    let mut all = Vec::new();
    join(readers.map_err(Failure::input)?, &mut all).map_err(Failure::input)?;
    certificate(&all[..], bytes).map_err(Failure::input)
}

/// Writes the page about a size.
pub(crate) fn page(
    size: u8,
    book: &Certificate,
    file: Option<&Path>,
    limits: &Limits,
    seed: u64,
    out: &mut Out,
) -> Result<(), Failure> {
    let root = Position::new(size).map_err(Failure::input)?;
    let notation = Notation::default();
    let mut explorer = Explorer::new(book, root.clone(), notation, limits.clone(), seed)?;
    let openings = Map::of(&mut explorer, root.clone());
    let best = openings.moves.iter().map(|(_, known)| known.value).collect::<Option<Vec<_>>>();
    let value = best.and_then(|all| all.into_iter().max_by_key(|outcome| outcome.value_for(root.to_move())));
    let mut maps = Vec::new();
    for (cell, images) in orbits(&root) {
        explorer.walk.play(cell).map_err(Failure::input)?;
        let mut position = root.clone();
        position.play_unchecked(Move::Place(cell));
        maps.push((cell, images, Map::of(&mut explorer, position)));
        explorer.walk.back();
    }
    let name = |cell: Cell| root.board().name(cell);
    if out.wants_json() {
        let after = |(cell, images, map): &(Cell, Vec<Cell>, Map)| {
            json!({
                "move": name(*cell),
                "images": images.iter().copied().map(name).collect::<Vec<_>>(),
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
        let also: Vec<String> = images.iter().copied().map(name).collect();
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
