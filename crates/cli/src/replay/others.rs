//! Records of the other games: trees as `match --sgf` writes them, and lists of games.

use std::io::{self, Write};

use serde_json::{Value, json};
use stonework_oracle::{InputLine, Lines, MAX_LINE, RecordFile};
use stonework_record::Tree;
use stonework_session::{AnyMove, AnyPosition, GameType, RecordedGame, Start, State};

use crate::failure::{Failure, say};
use crate::out::Out;
use crate::picture;

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
    pub(super) fn others(&self, rules: &GameType, out: &mut Out) -> Result<(), Failure> {
        let mut bad = false;
        for file in &self.files {
            let mut complain = |what: &str, out: &mut Out| -> Result<(), Failure> {
                bad = true;
                out.flush()?;
                say(format_args!("error: {}", what.split_whitespace().collect::<Vec<_>>().join(" ")));
                Ok(())
            };
            let source = match RecordFile::open(file) {
                Ok(source) => source,
                Err(error) => {
                    complain(&error.to_string(), out)?;
                    continue;
                }
            };
            let alone = self.files.len() == 1 && !source.has_several();
            for game in games(rules, source, self.size) {
                match game.and_then(|game| replayed(rules, game)) {
                    Ok((game, state)) => tell(rules, out, &game, state, alone)?,
                    Err(what) => complain(&what, out)?,
                }
            }
        }
        if bad { Err(Failure::Reported) } else { Ok(()) }
    }
}

/// The game with its last position, or which of its moves is illegal.
fn replayed(rules: &GameType, game: Game) -> Result<(Game, State), String> {
    match rules.replay(&Start::of_size(game.size), None, &game.moves) {
        Ok(state) => Ok((game, state)),
        Err(fault) => {
            let at = fault.at.map(|at| format!("move {}, {}: ", at + 1, game.moves[at]));
            Err(format!("{}: {}{fault}", game.label, at.unwrap_or_default()))
        }
    }
}

/// The games of a file in order, or what is wrong with them. A list is read line by line.
fn games<'a>(
    rules: &'a GameType,
    source: RecordFile,
    size: Option<u64>,
) -> Box<dyn Iterator<Item = Result<Game, String>> + 'a> {
    match source {
        RecordFile::Trees { label, trees } => {
            let several = trees.len() > 1;
            Box::new(
                trees
                    .into_iter()
                    .enumerate()
                    .map(move |(i, tree)| from_tree(rules, &tree, size, &label, several.then_some(i + 1))),
            )
        }
        RecordFile::Lines { label, reader } => {
            let lines = Lines::new(reader, MAX_LINE).enumerate();
            Box::new(lines.filter_map(move |(i, line)| from_line(line, size, &label, i + 1).transpose()))
        }
    }
}

/// The main line of a tree.
fn from_tree(
    rules: &GameType,
    tree: &Tree,
    size: Option<u64>,
    file: &str,
    number: Option<usize>,
) -> Result<Game, String> {
    let label = number.map_or_else(|| file.to_owned(), |number| format!("{file}, game {number}"));
    let record = rules.read_record(tree, size).map_err(|fault| format!("{label}: {fault}"))?;
    let RecordedGame { size, moves, players, claimed, .. } = record;
    let id = number.map(|number| json!(number));
    Ok(Game { file: file.to_owned(), id, label, size, moves, names: players.to_vec(), claimed })
}

/// A line with `size` and `moves`, perhaps `id`; nothing for an empty one and for the header of a match's log.
fn from_line(
    line: io::Result<InputLine>,
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

fn tell(rules: &GameType, out: &mut Out, game: &Game, state: State, alone: bool) -> Result<(), Failure> {
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
    writeln!(out, "{}: {} of size {}, {moves} moves", game.label, rules.name(), game.size)?;
    for (side, name) in rules.description().sides.iter().zip(&game.names).filter(|(_, name)| !name.is_empty())
    {
        writeln!(out, "  {side:<7} {}", name.trim())?;
    }
    let (position, moves) = played(rules, game)?;
    let drawn = position.picture(&moves, 0).map_err(Failure::input)?;
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
fn played(rules: &GameType, game: &Game) -> Result<(AnyPosition, Vec<AnyMove>), Failure> {
    let mut position = rules.start(&Start::of_size(game.size)).map_err(Failure::input)?;
    let mut moves = Vec::new();
    for text in &game.moves {
        moves.push(position.play_text(text, 0).map_err(Failure::input)?.0);
    }
    Ok((position, moves))
}
