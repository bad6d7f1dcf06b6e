//! [`play_match`]: matches and round robins.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde_json::{Value as Json, json};
use stonework_arena::{
    CrossTable, Entrant, Event, GameLine, Games, MOST_GAMES, MatchSummary, NotPlayed, Openings, Score, Terms,
};
use stonework_game::Player;
use stonework_roster::PlayerConfig;
use stonework_search::Limits;
use stonework_session::{AnyMove, Start};

use crate::convert::{game, number, optional, plain, refused};
use crate::work::interruptible;

/// The games of a match or a round robin, and what they show.
///
/// Attributes:
///     players: the names of the players.
///     text: the result in words: the score with its error for two players, a table for more.
#[pyclass(frozen, module = "stonework")]
pub(crate) struct MatchResult {
    #[pyo3(get)]
    players: Vec<String>,
    #[pyo3(get)]
    text: String,
    json: Json,
    games: Vec<Json>,
}

#[pymethods]
impl MatchResult {
    /// The games, a dictionary each, ready for `pandas.DataFrame`: `game`, `round`, `first` and `second` (names of players),
    /// `winner` (a name, or `None` for a draw), `side` (the winner's side), `points` (of the first player), `reason`, `plies`,
    /// `opening`, `moves`, `first_seconds`, `second_seconds`.
    #[getter]
    fn games<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        plain(py, &self.games)
    }

    /// The statistics: for two players the tally, the Elo difference with its error, and the results by colour; for more
    /// players the table.
    #[getter]
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        plain(py, &self.json)
    }

    fn __len__(&self) -> usize {
        self.games.len()
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<MatchResult {}: {} games>", self.players.join(", "), self.games.len())
    }
}

fn fields(line: &GameLine, players: &[String], sides: [&str; 2]) -> Json {
    let winner = match line.points() {
        1.0 => Some(0),
        0.0 => Some(1),
        _ => None,
    };
    let named = |at: usize| players.get(line.players[at]);
    json!({
        "game": line.game,
        "round": line.round,
        "first": named(0),
        "second": named(1),
        "winner": winner.and_then(named),
        "side": winner.map(|at| sides[at]),
        "points": line.points(),
        "reason": line.reason,
        "plies": line.moves.len(),
        "opening": line.opening,
        "moves": line.moves,
        "first_seconds": line.seconds[0],
        "second_seconds": line.seconds[1],
    })
}

/// Plays a match of two players, or a round robin of more.
///
/// In every round each two players meet twice, from an opening of random moves, with colours swapped.
///
/// Args:
///     players: two or more players, each a name of the roster with its limits (`mcts:simulations=100`) or a program
///         (`gtp:COMMAND`).
///     game, size, swap: the game; the usual size unless given.
///     rounds: the number of rounds.
///     opening: the number of random moves before each pair of games, 0 to 100.
///     threads: the number of games at a time.
///     seed: the seed of all openings and random choices. Equal seeds give equal games if no player uses a clock.
///
/// Raises:
///     ValueError: for a player without a limit or an unknown player, and for numbers out of their ranges.
#[pyfunction]
#[pyo3(signature = (players, *, game="havannah", size=None, swap=false, rounds=10, opening=1, threads=1, seed=1))]
#[expect(clippy::too_many_arguments, reason = "Python's keywords")]
pub(crate) fn play_match(
    py: Python<'_>,
    players: Vec<String>,
    game: &str,
    #[pyo3(from_py_with = optional)] size: Option<u64>,
    swap: bool,
    #[pyo3(from_py_with = number)] rounds: usize,
    #[pyo3(from_py_with = number)] opening: u32,
    #[pyo3(from_py_with = number)] threads: usize,
    #[pyo3(from_py_with = number)] seed: u64,
) -> PyResult<MatchResult> {
    let kind = self::game(game)?;
    let description = kind.description();
    let ranges =
        [("players", players.len(), 2, 64), ("rounds", rounds, 1, 1_000_000), ("threads", threads, 1, 256)];
    if let Some((name, given, least, most)) =
        ranges.into_iter().find(|&(_, given, least, most)| given < least || given > most)
    {
        return Err(refused(format!("{given} {name}: {least} to {most}")));
    }
    let (most, games) = (Openings::<AnyMove>::MOST_PLIES, players.len() * (players.len() - 1) * rounds);
    if opening > most {
        return Err(refused(format!("an opening of {opening} moves: 0 to {most}")));
    }
    if games > MOST_GAMES {
        return Err(refused(format!(
            "{rounds} rounds of {} players: {games} games, at most {MOST_GAMES}",
            players.len()
        )));
    }
    let start = Start { swap, ..Start::of_size(size.unwrap_or(description.usual_size.into())) };
    let position = kind.start(&start).map_err(refused)?;
    let mut entrants: Vec<Entrant> = players
        .iter()
        .map(|text| Entrant::parse(text, kind, &start))
        .collect::<Result<_, _>>()
        .map_err(refused)?;
    // A player that does not search needs no limit.
    let ends = |entrant: &Entrant| {
        let entry = kind.roster().entry(entrant.name());
        entrant.is_limited() || entry.is_some_and(|entry| entry.ends(&Limits::none()))
    };
    if let Some(endless) = entrants.iter().find(|entrant| !ends(entrant)) {
        let name = endless.name();
        return Err(refused(format!(
            "player `{name}`: no limit: give one, such as `{name}:simulations=100`"
        )));
    }
    Entrant::distinguish(&mut entrants);
    let cancel = Arc::new(AtomicBool::new(false));
    let config =
        PlayerConfig { limits: Limits::none().cancel(Arc::clone(&cancel)), ..PlayerConfig::default() };
    let terms = Terms { max_plies: description.max_plies, ..Terms::default() };
    let names: Vec<String> = entrants.iter().map(|entrant| entrant.name().to_owned()).collect();
    let (roster, flag) = (kind.roster().clone(), Arc::clone(&cancel));
    let played = interruptible(py, &cancel, move || {
        let openings = Openings::Random { plies: opening }.list_until(&position, rounds, seed, &flag);
        let openings = openings.ok_or(NotPlayed::Stopped)?;
        let event = Event { start: position, players: entrants.len(), terms, openings, seed };
        let make = |player: usize| entrants[player].contestant(&roster, &config);
        let (mut games, mut lines) = (Games::default(), Vec::new());
        let run = event.run(&make, &|_| false, threads, &flag, &mut |line| {
            lines.push(line.clone());
            games.add(line);
        });
        run.map(|()| (games, lines))
    })?;
    let (games, mut lines) = played.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    lines.sort_by_key(|line| line.game);
    let (text, json) = if let [first, second] = &names[..] {
        let mut score = Score::new(None);
        for line in &lines {
            score.add(line);
        }
        let summary = MatchSummary::new([first, second], description.sides, &score, &games);
        (summary.text(), summary.json())
    } else {
        let table = CrossTable::new(names.clone(), games.iter());
        (table.text(), table.json())
    };
    let sides = [Player::First, Player::Second].map(|player| description.side(player));
    let games = lines.iter().map(|line| fields(line, &names, sides)).collect();
    Ok(MatchResult { players: names, text, json, games })
}
