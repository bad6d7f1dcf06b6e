//! Files of games: logs of `match` and `tournament`, and files of `selfplay`.

use std::path::{Path, PathBuf};

use serde_json::Value;
use stonework_arena::self_play::{MAX_UNPACKED, Searched, SelfPlayGame, unpacked_text};
use stonework_arena::{GameLine, Won, unsealed};
use stonework_files::{Disk, read_bytes, read_text};
use stonework_game::text::head;
use stonework_game::{Game, Textual, scatter};
use stonework_learn::{GameMoves, SearchedMoves};
use stonework_session::Start;

use super::games::Learnable;
use crate::failure::Failure;

/// The largest number of bytes of a file of games: 1 GiB, the limit of a log.
const MAX_GAMES: u64 = stonework_arena::MAX_LOG;

/// The name of the game of the first file, and the text of the size of its board.
pub(super) fn game_of(disk: &dyn Disk, files: &[PathBuf]) -> Result<(Option<String>, String), Failure> {
    let Some(path) = files.first() else { return Ok((None, String::new())) };
    let text = text(disk, path)?;
    let header: Value = serde_json::from_str(text.lines().next().unwrap_or_default())
        .map_err(|error| Failure::input(format!("{}: line 1: {error}", path.display())))?;
    Ok((header["game"].as_str().map(str::to_owned), header["size"].to_string()))
}

/// The text of a file, unpacked if its name ends in `.gz`.
fn text(disk: &dyn Disk, path: &Path) -> Result<String, Failure> {
    let wrong = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", path.display()));
    if path.extension().is_none_or(|extension| extension != "gz") {
        return read_text(disk, path, MAX_GAMES).map_err(|error| wrong(&error));
    }
    let bytes = read_bytes(disk, path, MAX_GAMES).map_err(|error| wrong(&error))?;
    unpacked_text(&bytes, MAX_UNPACKED).map_err(|error| wrong(&error))
}

/// The lines of a file of games, one after the other.
struct Lines<'a> {
    /// The rest of the file.
    text: &'a str,
    /// The number of the last line, from 1.
    line: usize,
    /// The check of the last line.
    check: String,
}

impl Lines<'_> {
    /// The number and the content of the next line, without its check; an error has the number, too. A line that another program
    /// has written may be without a check. A last line without an end, which a killed process has left, is passed over.
    fn next(&mut self) -> Result<Option<(usize, Value)>, (usize, String)> {
        if self.text.is_empty() {
            return Ok(None);
        }
        let (line, rest) = self.text.split_once('\n').unwrap_or((self.text, ""));
        let is_cut = line.len() == self.text.len();
        (self.text, self.line) = (rest, self.line + 1);
        let line = line.strip_suffix('\r').unwrap_or(line);
        let wrong = |what: String| (self.line, what);
        let mut object = None;
        if let Some((own, check)) = unsealed(line, &self.check).map_err(wrong)? {
            (object, self.check) = (Some(own), check);
        }
        match serde_json::from_str(object.as_deref().unwrap_or(line)) {
            Ok(value) => Ok(Some((self.line, without_check(value)))),
            Err(_) if is_cut && self.line > 1 => Ok(None),
            Err(error) => Err((self.line, error.to_string())),
        }
    }
}

/// A line without its field `check`.
fn without_check(mut line: Value) -> Value {
    if let Some(fields) = line.as_object_mut() {
        fields.remove("check");
    }
    line
}

/// The games of a file, in the order in which they were played.
fn read<G: Learnable>(disk: &dyn Disk, path: &Path) -> Result<Vec<GameMoves<G>>, Failure> {
    let wrong = |line: usize, what: &dyn std::fmt::Display| {
        Failure::input(format!("{}: line {line}: {what}", path.display()))
    };
    let text = text(disk, path)?;
    let mut lines = Lines { text: &text, line: 0, check: String::new() };
    let Some((_, header)) = lines.next().map_err(|(at, what)| wrong(at, &what))? else {
        return Ok(Vec::new());
    };
    let game = header["game"].as_str().unwrap_or("no game");
    let own = G::DESCRIPTION.name;
    if game != own {
        return Err(wrong(1, &format!("games of {}, not of {own}", head(game))));
    }
    let size = header["size"].as_u64();
    let size = size.ok_or_else(|| wrong(1, &format!("the size is {}", header["size"])))?;
    let start = Start { swap: header["swap"] == true, ..Start::of_size(size) };
    let start = G::start(&start).map_err(|error| wrong(1, &error))?;
    let searched = header["what"] == "self-play";
    let mut games = Vec::new();
    while let Some((at, line)) = lines.next().map_err(|(at, what)| wrong(at, &what))? {
        if searched {
            let line: SelfPlayGame = serde_json::from_value(line).map_err(|error| wrong(at, &error))?;
            games.extend(of_self_play(&start, &line).map_err(|error| wrong(at, &error))?);
            continue;
        }
        let line: GameLine = serde_json::from_value(line).map_err(|error| wrong(at, &error))?;
        if line.is_regular() {
            let game = replayed(&start, &line.moves, line.opening, line.result);
            games.push(game.map_err(|error| wrong(at, &error))?);
        }
    }
    Ok(games)
}

/// A game by the rules: each move is read in its position.
fn replayed<G: Game + Textual>(
    start: &G,
    names: &[String],
    opening: usize,
    result: Won,
) -> Result<GameMoves<G>, String> {
    let mut game = start.clone();
    let mut moves = Vec::with_capacity(names.len());
    for (at, name) in names.iter().enumerate() {
        let mv =
            game.parse_move(name).map_err(|error| format!("move {}, {}: {error}", at + 1, head(name)))?;
        game.play(mv).map_err(|error| format!("move {}, {}: {error}", at + 1, head(name)))?;
        moves.push(mv);
    }
    Ok(GameMoves { start: start.clone(), moves, opening, outcome: result.into(), searches: Vec::new() })
}

/// A game of `selfplay`, with its searches, and one of each branch: up to the most visited move after it.
fn of_self_play<G: Game + Textual>(start: &G, line: &SelfPlayGame) -> Result<Vec<GameMoves<G>>, String> {
    let mut games = vec![searched(start, (&line.moves, line.opening, line.result), &line.searches)?];
    for branch in &line.branches {
        let before = line.moves.get(..branch.ply);
        let before = before.ok_or_else(|| format!("a branch after {} moves", branch.ply))?;
        let next = branch.search.visits.first().map(|(mv, _)| mv);
        let moves: Vec<String> = before.iter().chain([&branch.mv]).chain(next).cloned().collect();
        let search = std::slice::from_ref(&branch.search);
        games.push(searched(start, (&moves, branch.ply + 1, branch.result), search)?);
    }
    Ok(games)
}

/// A game with searches, by its moves, the number of those before the first search, and its result.
fn searched<G: Game + Textual>(
    start: &G,
    (moves, opening, result): (&[String], usize, Won),
    searches: &[Searched],
) -> Result<GameMoves<G>, String> {
    if opening > moves.len() {
        return Err(format!("an opening of {opening} moves in a game of {}", moves.len()));
    }
    let mut game = replayed(start, moves, opening, result)?;
    let mut position = start.clone();
    for &mv in game.moves.iter().take(opening) {
        position.play_unchecked(mv);
    }
    for (at, search) in searches.iter().enumerate() {
        let name = |(name, visits): &(String, u64)| {
            let mv = position.parse_move(name);
            mv.map(|mv| (mv, *visits)).map_err(|error| format!("search {}, {name}: {error}", at + 1))
        };
        let visits = search.visits.iter().map(name).collect::<Result<Vec<_>, String>>()?;
        game.searches.push(SearchedMoves { value: search.value, visits });
        if let Some(&mv) = game.moves.get(opening + at) {
            position.play_unchecked(mv);
        }
    }
    Ok(game)
}

/// All games of some files, in a fixed order without a pattern, so that the games that are held out are of all files.
pub(super) fn games<G: Learnable>(disk: &dyn Disk, files: &[PathBuf]) -> Result<Vec<GameMoves<G>>, Failure> {
    let mut all = Vec::new();
    for file in files {
        all.extend(read(disk, file)?);
    }
    if all.is_empty() {
        return Err(Failure::input("no games in these files"));
    }
    let mut mixed: Vec<(u64, GameMoves<G>)> = (1..).map(scatter).zip(all).collect();
    mixed.sort_by_key(|(key, _)| *key);
    Ok(mixed.into_iter().map(|(_, game)| game).collect())
}
