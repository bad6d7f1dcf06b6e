//! Records of games: lists, positions, export, import.

use rusqlite::types::Value as Sql;
use rusqlite::{Connection, params, params_from_iter};
use serde::{Deserialize, Serialize};
use stonework_game::{Game, Textual};
use stonework_record::Tree;
use stonework_session::{AnyPosition, Fault, GameRecord, GameType, Registry, Start, rogers_text};

use crate::table::{GameEvent, GameSettings, GameView, Seat, SeatKind, canonical, insert, wall};
use crate::{Store, StoreError, keys};

/// The number of games on one page of a list.
const PAGE: usize = 50;

/// The greatest number of moves of a record that is imported.
const MOST_MOVES: usize = 5000;

/// The conditions of a list of games. An absent field is no condition.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Filter {
    /// The name of a player.
    pub(crate) player: Option<String>,
    /// The name of a game.
    pub(crate) game: Option<String>,
    /// The size of the board.
    pub(crate) size: Option<u8>,
    /// The kind of the end of the game.
    pub(crate) how: Option<String>,
    /// A position: the text of one, or the moves to one, with `game` and `size`.
    pub(crate) position: Option<String>,
    /// The key of the last game of the page before.
    pub(crate) after: Option<String>,
}

/// A game in a list.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Listed {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) size: u8,
    pub(crate) first: String,
    pub(crate) second: String,
    /// Milliseconds since 1970.
    pub(crate) began_at: i64,
    pub(crate) over: bool,
    pub(crate) winner: Option<String>,
    pub(crate) how: Option<String>,
    pub(crate) plies: u32,
    /// The result that an imported file claims, empty for a file without one; `None` for a game that was played here.
    pub(crate) claimed: Option<String>,
}

/// A page of a list, the newest games first.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Page {
    pub(crate) games: Vec<Listed>,
    /// The key for the next page; `None` on the last one.
    pub(crate) next: Option<String>,
}

/// The least key of the symmetric positions of a text.
fn searched(registry: &Registry, filter: &Filter, text: &str) -> Result<(String, u8, i64), Fault> {
    let name = filter.game.as_deref().unwrap_or("havannah");
    let game = registry.game(name)?;
    let position = match filter.size {
        Some(size) => {
            let mut position = game.start(&Start::of_size(size.into()))?;
            let description = game.description();
            for (at, mv) in description.words(text).enumerate() {
                position.play_text(mv, 0).map_err(|fault| fault.at(at))?;
            }
            position
        }
        None => game.start(&Start { position: Some(text.to_owned()), ..Start::default() })?,
    };
    Ok((name.to_owned(), position.size(), canonical(&position)))
}

/// A page of the games that fit.
pub(crate) async fn list(
    store: &Store,
    registry: &Registry,
    filter: &Filter,
) -> Result<Result<Page, Fault>, StoreError> {
    let (mut conditions, mut values): (Vec<&str>, Vec<Sql>) = (vec!["1"], Vec::new());
    if let Some(name) = &filter.player {
        conditions.push("(first = ? OR second = ?)");
        values.extend([name.clone().into(), name.clone().into()]);
    }
    if let Some(text) = filter.position.as_deref().filter(|text| !text.trim().is_empty()) {
        let (game, size, key) = match searched(registry, filter, text) {
            Ok(found) => found,
            Err(fault) => return Ok(Err(fault)),
        };
        conditions.push("id IN (SELECT game_id FROM seen WHERE game = ? AND size = ? AND canonical = ?)");
        values.extend([game.into(), i64::from(size).into(), key.into()]);
    } else {
        if let Some(game) = filter.game.as_ref().filter(|game| !game.is_empty()) {
            conditions.push("game = ?");
            values.push(game.clone().into());
        }
        if let Some(size) = filter.size {
            conditions.push("size = ?");
            values.push(i64::from(size).into());
        }
    }
    if let Some(how) = filter.how.as_ref().filter(|how| !how.is_empty()) {
        conditions.push("how = ?");
        values.push(how.clone().into());
    }
    if let Some(after) = filter.after.as_deref().filter(|after| !after.is_empty()) {
        let key = after.split_once('-').and_then(|(at, id)| Some((at.parse::<i64>().ok()?, id)));
        let Some((at, id)) = key else {
            let shown: String = after.chars().take(40).collect();
            return Ok(Err(Fault::new(
                "after",
                format!("`{shown}` is no key of a page: take `next` of a list"),
            )));
        };
        conditions.push("(began_at, id) < (?, ?)");
        values.extend([at.into(), id.to_owned().into()]);
    }
    let sql = format!(
        "SELECT id, game, size, first, second, began_at, ended_at IS NOT NULL, winner, how, plies, claimed \
         FROM game WHERE {} ORDER BY began_at DESC, id DESC LIMIT {}",
        conditions.join(" AND "),
        PAGE + 1
    );
    let work = move |connection: &Connection| {
        let mut query = connection.prepare_cached(&sql)?;
        let row = |row: &rusqlite::Row<'_>| {
            Ok(Listed {
                id: row.get(0)?,
                game: row.get(1)?,
                size: row.get(2)?,
                first: row.get(3)?,
                second: row.get(4)?,
                began_at: row.get(5)?,
                over: row.get(6)?,
                winner: row.get(7)?,
                how: row.get(8)?,
                plies: row.get(9)?,
                claimed: row.get(10)?,
            })
        };
        query.query_map(params_from_iter(values), row)?.collect::<Result<Vec<_>, _>>()
    };
    let mut games = store.read(work).await?;
    let more = games.len() > PAGE;
    games.truncate(PAGE);
    let next = games.last().filter(|_| more).map(|last| format!("{}-{}", last.began_at, last.id));
    Ok(Ok(Page { games, next }))
}

/// The SGF record of a game.
pub(crate) fn sgf(view: &GameView) -> Result<String, Fault> {
    let moves = view.session.moves();
    let players = view.seats.each_ref().map(|seat| seat.name.as_str());
    let (mut result, mut resigned) = (view.session.position().outcome(), false);
    let mut comment = None;
    if let Some(end) = view.end.as_ref().filter(|_| result.is_none()) {
        let description = view.session.game().description();
        let winner = end.winner.as_deref();
        let player = winner.and_then(|winner| description.player(winner));
        let draw = winner == Some("draw");
        result = player.map(stonework_game::Outcome::Win).or(draw.then_some(stonework_game::Outcome::Draw));
        resigned = end.how == ["resign"] && player == Some(view.session.position().to_move().other());
        let word = winner.map_or("The game does not count".to_owned(), |winner| format!("Result: {winner}"));
        comment = Some(format!("{word} ({}).", end.how.join(" ")));
    }
    let application = concat!("stonework-server:", env!("CARGO_PKG_VERSION"));
    let comment = comment.as_deref();
    let record = GameRecord {
        moves: &moves,
        players,
        result,
        resigned,
        reason: "",
        comment,
        round: None,
        application: Some(application),
    };
    view.session.start().record(&record)
}

/// The record of a game in the form of Rogers' appendix B, under a line with the players.
pub(crate) fn rogers(view: &GameView) -> Result<String, Fault> {
    let [first, second] = view.seats.each_ref().map(|seat| seat.name.as_str());
    let sides = view.session.game().description().sides;
    let head = format!(
        "{} {}: {} {first}, {} {second}\n\n",
        view.settings.game, view.settings.size, sides[0], sides[1]
    );
    let end = view.end.as_ref().map_or(String::new(), |end| {
        format!("\n{} ({})\n", end.winner.as_deref().unwrap_or("void"), end.how.join(" "))
    });
    Ok(head + &rogers_text(&view.session)? + &end)
}

/// A game that was imported: the verdict of the rules beside the claim of the file.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Imported {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) size: u8,
    pub(crate) plies: usize,
    /// The end by the rules: a side, `draw`, or nothing for a game that the rules have not ended.
    pub(crate) verdict: Option<String>,
    /// How, by the rules.
    pub(crate) how: Vec<String>,
    /// The result that the file claims.
    pub(crate) claimed: Option<String>,
    /// `false` if verdict and claim contradict each other.
    pub(crate) agrees: bool,
    /// The first move that the rules refuse, with the reason. The moves before it are kept.
    pub(crate) refused: Option<String>,
    /// The number of variations of the file, which are left out: a stored game is one line.
    pub(crate) variations_left_out: usize,
}

/// A printable name of a player of a file.
fn tidy(name: &str) -> String {
    let tidy: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
    if tidy.trim().is_empty() { "unknown".to_owned() } else { tidy.trim().to_owned() }
}

/// A record of one of the games.
struct Recorded {
    game: GameType,
    record: stonework_session::RecordedGame,
    start: AnyPosition,
    /// The number of variations beside the main line.
    variations: usize,
}

/// Reads a record of one of the games.
fn read(registry: &Registry, bytes: &[u8]) -> Result<Recorded, Fault> {
    let tree = Tree::parse(bytes).map_err(|error| Fault::new("record", error.to_string()))?;
    let mut refused = None;
    // Some programs write a number for a game, or nothing.
    let named = tree.simple_text(tree.root(), "GM").map(|name| name.trim().to_lowercase());
    let named = named.filter(|name| !name.is_empty() && name.parse::<u32>().is_err());
    let fits = |game: &&GameType| named.as_deref().is_none_or(|name| name == game.name());
    if let Some(name) = named.as_deref().filter(|_| !registry.games().iter().any(|game| fits(&game))) {
        let shown: String = name.chars().take(40).collect();
        return Err(Fault::new("record", format!("GM says {shown}, which is no game of this server")));
    }
    for game in registry.games().iter().filter(fits) {
        match game.read_record(&tree, None) {
            Ok(record) => {
                if let Some(first) = &record.position {
                    let what = format!(
                        "the game begins with the position `{first}`, and games of this server with an empty board"
                    );
                    return Err(Fault::new("record", what));
                }
                let start = game.start(&record.start())?;
                return Ok(Recorded { game: game.clone(), record, start, variations: tree.variations() });
            }
            // The first game is the one of most records without a name.
            Err(fault) => refused = refused.or(Some(fault)),
        }
    }
    Err(refused.unwrap_or_else(|| Fault::new("record", "the record names no game")))
}

/// Judges the game of an SGF or HGF file. Returns what is told of it, and the request that stores it.
pub(crate) fn imported(
    registry: &Registry,
    bytes: &[u8],
) -> Result<(Imported, impl FnOnce(&Connection) -> rusqlite::Result<()> + Send + use<>), Fault> {
    let Recorded { game, record: recorded, start, variations } = read(registry, bytes)?;
    if recorded.moves.len() > MOST_MOVES {
        let why = format!("a record of {} moves: at most {MOST_MOVES}", recorded.moves.len());
        return Err(Fault::new("record", why));
    }
    let id = keys::new_id();
    let (mut position, mut events, mut seen, mut refused) = (start, Vec::new(), Vec::new(), None);
    let settings = GameSettings {
        game: game.name().to_owned(),
        size: position.size(),
        swap: recorded.swap,
        clock: crate::ClockSettings::default(),
    };
    let seats = recorded.players.each_ref().map(|name| Seat { name: tidy(name), kind: SeatKind::Person });
    events.push(GameEvent::Begun { settings: settings.clone(), seats: seats.clone() });
    for (at, text) in recorded.moves.iter().enumerate() {
        let side = game.description().side(position.to_move()).to_owned();
        let own = position.read_move(text, 0).map(|mv| position.move_text(mv));
        match position.play_text(text, 0) {
            Ok(_) => {
                let (ply, mv) = (at as u32 + 1, own.unwrap_or_else(|_| text.clone()));
                events.push(GameEvent::Moved { ply, side, mv, used: 0, clocks: None });
                seen.push((ply, canonical(&position)));
            }
            Err(fault) => {
                refused = Some(format!("move {}: {}", at + 1, fault.message));
                break;
            }
        }
    }
    let plies = seen.len();
    let stored_plies = plies as u32;
    let state = position.state(0, plies);
    let verdict = position.outcome().map(|outcome| game.description().outcome(outcome).to_owned());
    let how = state.how.filter(|_| verdict.is_some()).unwrap_or_default();
    let claimed = recorded.claimed.map(|claim| tidy(&claim));
    // A file may end before the rules end the game: by resignation, for one. Then there is no contradiction.
    let agrees = refused.is_none() && (verdict.is_none() || claimed.is_none() || verdict == claimed);
    let winner = verdict.clone().or_else(|| {
        claimed.clone().filter(|claim| claim == "draw" || game.description().player(claim).is_some())
    });
    let ended = if how.is_empty() { vec!["import".to_owned()] } else { how.clone() };
    events.push(GameEvent::Over {
        winner: winner.clone(),
        how: ended.clone(),
        cells: state.cells.unwrap_or_default(),
    });
    let imported = Imported {
        id: id.clone(),
        game: settings.game.clone(),
        size: settings.size,
        plies,
        verdict,
        how,
        claimed: claimed.clone(),
        agrees,
        refused,
        variations_left_out: variations,
    };
    let work = move |connection: &Connection| {
        let sql = "INSERT INTO game (id, game, size, swap, first, second, settings, began_at, ended_at, winner, how, plies, claimed) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, '{}', ?7, ?7, ?8, ?9, ?10, ?11)";
        let claimed = claimed.unwrap_or_default();
        let [first, second] = seats.each_ref().map(|seat| &seat.name);
        let row = params![
            id,
            settings.game,
            settings.size,
            settings.swap,
            first,
            second,
            wall(),
            winner,
            ended.join(" "),
            stored_plies,
            claimed
        ];
        connection.prepare_cached(sql)?.execute(row)?;
        for (at, event) in events.iter().enumerate() {
            insert(connection, &id, at as u64 + 1, event)?;
        }
        let sql =
            "INSERT OR IGNORE INTO seen (game, size, canonical, game_id, ply) VALUES (?1, ?2, ?3, ?4, ?5)";
        for (ply, key) in seen {
            connection.prepare_cached(sql)?.execute(params![settings.game, settings.size, key, id, ply])?;
        }
        Ok(())
    };
    Ok((imported, work))
}
