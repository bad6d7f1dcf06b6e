//! Records of the other games: trees as `match --sgf` writes them, and lists of games.

use std::io::{self, Write};

use serde_json::{Value, json};
use stonework_oracle::{Line, Lines, MAX_LINE, Query, State, play, replay};
use stonework_record::Tree;

use crate::failure::{Failure, say};
use crate::games::Played;
use crate::out::Out;
use crate::picture;
use crate::records::Source;

use super::Replay;

/// A game as it is recorded.
struct Game {
    file: String,
    /// Which game of the file, if there may be several: as a list calls it, else its number.
    id: Option<Value>,
    /// File and game, for a person.
    label: String,
    size: u64,
    moves: Vec<String>,
    /// The players by side, where they are named.
    names: Vec<String>,
    /// Who has won, as the record says: a side, `draw` or something else.
    claimed: Option<String>,
}

impl Replay {
    /// Replays records of a game that is not Havannah.
    pub(super) fn run_as<G: Played>(&self, out: &mut Out) -> Result<(), Failure> {
        let mut bad = false;
        for file in &self.files {
            let mut complain = |what: &str, out: &mut Out| -> Result<(), Failure> {
                bad = true;
                out.flush()?;
                say(format_args!("error: {}", what.split_whitespace().collect::<Vec<_>>().join(" ")));
                Ok(())
            };
            let source = match Source::open(file) {
                Ok(source) => source,
                Err(what) => {
                    complain(&what, out)?;
                    continue;
                }
            };
            let alone = self.files.len() == 1 && !source.has_several();
            for game in games::<G>(source, self.size) {
                match game.and_then(replayed::<G>) {
                    Ok((game, state, query)) => tell::<G>(out, &game, state, &query, alone)?,
                    Err(what) => complain(&what, out)?,
                }
            }
        }
        if bad { Err(Failure::Reported) } else { Ok(()) }
    }
}

/// The game with its last position, or which of its moves is illegal.
fn replayed<G: Played>(game: Game) -> Result<(Game, State, Query), String> {
    let query = Query { size: Some(game.size), ..Query::new(G::NAME, 0, false, game.moves.clone()) };
    match replay(&query) {
        Ok(state) => Ok((game, state, query)),
        Err(fault) => {
            let at = fault.at.map(|at| format!("move {}, {}: ", at + 1, game.moves[at]));
            Err(format!("{}: {}{fault}", game.label, at.unwrap_or_default()))
        }
    }
}

/// The games of a file in order, or what is wrong with them. A list is read line by line.
fn games<G: Played>(source: Source, size: Option<u64>) -> Box<dyn Iterator<Item = Result<Game, String>>> {
    match source {
        Source::Trees { label, trees } => {
            let several = trees.len() > 1;
            Box::new(
                trees
                    .into_iter()
                    .enumerate()
                    .map(move |(i, tree)| from_tree::<G>(&tree, size, &label, several.then_some(i + 1))),
            )
        }
        Source::Lines { label, reader } => {
            let lines = Lines::new(reader, MAX_LINE).enumerate();
            Box::new(lines.filter_map(move |(i, line)| from_line(line, size, &label, i + 1).transpose()))
        }
    }
}

/// The main line of a tree: moves are what the sides' letters have, one a node.
fn from_tree<G: Played>(
    tree: &Tree,
    size: Option<u64>,
    file: &str,
    number: Option<usize>,
) -> Result<Game, String> {
    let label = number.map_or_else(|| file.to_owned(), |number| format!("{file}, game {number}"));
    let text = |name: &str| Some(tree.property(tree.root(), name)?.value().simple_text().into_owned());
    let letters = G::SIDES.map(|side| side[..1].to_uppercase());
    if let Some(other) = text("GM").filter(|game| !game.eq_ignore_ascii_case(G::NAME)) {
        return Err(format!("{label}: GM says {other}, which is not {}", G::NAME));
    }
    let said = text("SZ")
        .map(|said| said.trim().parse().map_err(|_| format!("{label}: SZ says {said}, which is no size")));
    let size = size.map(Ok).or(said).ok_or_else(|| format!("{label}: no size (SZ): give --size"))??;
    let played = |node| letters.iter().find_map(|letter| tree.property(node, letter));
    let moves =
        tree.main_line().filter_map(|node| Some(played(node)?.value().simple_text().into_owned())).collect();
    let names = letters.iter().map(|letter| text(&format!("P{letter}")).unwrap_or_default()).collect();
    let claimed = text("RE").map(|result| match (result.as_str(), result.chars().next()) {
        ("0", _) => "draw".to_owned(),
        (_, Some(first)) => {
            let side = letters.iter().position(|letter| letter.starts_with(first));
            side.map_or(result.clone(), |side| G::SIDES[side].to_owned())
        }
        _ => result,
    });
    Ok(Game {
        file: file.to_owned(),
        id: number.map(|number| json!(number)),
        label,
        size,
        moves,
        names,
        claimed,
    })
}

/// A line with `size` and `moves`, perhaps `id`; nothing for an empty one and for the header of a match's log.
fn from_line(
    line: io::Result<Line>,
    size: Option<u64>,
    file: &str,
    number: usize,
) -> Result<Option<Game>, String> {
    let label = format!("{file}, line {number}");
    let wrong = |what: &str| format!("{label}: {what}");
    let line = line.map_err(|error| wrong(&error.to_string()))?;
    let text = line.text(MAX_LINE).map_err(|what| wrong(&what))?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    let object: Value = serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
    if object.get("moves").is_none() && object.get("players").is_some() {
        return Ok(None);
    }
    let size = size.or(object["size"].as_u64()).ok_or_else(|| wrong("no `size`: give --size"))?;
    let moves = object["moves"].as_array().ok_or_else(|| wrong("no list `moves`"))?;
    let moves = moves.iter().map(|mv| mv.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>();
    let moves = moves.ok_or_else(|| wrong("`moves` has something that is no text"))?;
    let id = object.get("id").cloned();
    Ok(Some(Game { file: file.to_owned(), id, label, size, moves, names: Vec::new(), claimed: None }))
}

fn tell<G: Played>(
    out: &mut Out,
    game: &Game,
    state: State,
    query: &Query,
    alone: bool,
) -> Result<(), Failure> {
    let agrees = game.claimed.as_ref().zip(state.outcome.as_ref()).map(|(said, is)| said == is);
    if out.wants_json() {
        let mut object = serde_json::to_value(&state).unwrap_or_default();
        object["file"] = json!(game.file);
        object["size"] = json!(game.size);
        object["claimed"] = json!(game.claimed);
        object["claim_agrees"] = json!(agrees);
        if let Some(id) = &game.id {
            object["id"] = id.clone();
        }
        return out.object(&object);
    }
    let moves = game.moves.len();
    let how = state.how.filter(|how| !how.is_empty()).map(|how| format!(" by {}", how.join(" and ")));
    let ends = match state.outcome.as_deref() {
        Some("draw") => format!("a draw{}", how.unwrap_or_default()),
        Some(winner) => format!("{winner} wins{}", how.unwrap_or_default()),
        None => format!("not over, {} to move", state.to_move),
    };
    if !alone {
        writeln!(out, "{}: size {}, {moves} moves: {ends}", game.label, game.size)?;
        return Ok(());
    }
    writeln!(out, "{}: {} of size {}, {moves} moves", game.label, G::NAME, game.size)?;
    for (side, name) in G::SIDES.iter().zip(&game.names).filter(|(_, name)| !name.is_empty()) {
        writeln!(out, "  {side:<7} {}", name.trim())?;
    }
    let (position, moves) = played::<G>(query)?;
    let drawn = position.picture(&moves, stonework_board::Notation::default()).map_err(Failure::input)?;
    writeln!(out, "\n{}\n{ends}", picture::indented(&drawn.text(), 2))?;
    if let Some(said) = &game.claimed {
        let moves = match agrees {
            Some(true) => "as the moves say",
            Some(false) => "but the moves say otherwise",
            None => "which the moves neither confirm nor deny",
        };
        writeln!(out, "the record says {said}, {moves}")?;
    }
    Ok(())
}

/// The position at the end of moves that are legal.
fn played<G: Played>(query: &Query) -> Result<(G, Vec<G::Move>), Failure> {
    let mut position = G::start(query).map_err(Failure::input)?;
    let names = position.names(query).map_err(Failure::input)?;
    let mut moves = Vec::new();
    for text in &query.moves {
        let (mv, _) = play(&mut position, names, text).map_err(Failure::input)?;
        moves.push(mv);
    }
    Ok((position, moves))
}
