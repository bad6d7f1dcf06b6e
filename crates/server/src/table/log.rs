//! The events of games in the database.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, OptionalExtension, params};
use stonework_game::Keyed;

use super::{GameEvent, NumberedEvent, Seat, SeatKind, TableState, ToldEvent};
use crate::{Store, StoreError};

/// Milliseconds since 1970.
pub(crate) fn wall() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}

/// The changes that the events of a step make in the database.
pub(super) struct Changes {
    events: Vec<(u64, String)>,
    plies: u32,
    /// The number of moves that stay, if moves are taken back.
    back: Option<u32>,
    /// The winner and the kind of the end, if the game ends.
    end: Option<(Option<String>, String)>,
    /// The name of the game, the size, and the new positions: number of moves and least key.
    seen: (String, u8, Vec<(u32, i64)>),
}

impl Changes {
    pub(super) fn of(state: &TableState, told: &[Arc<ToldEvent>]) -> Self {
        let mut changes = Self::without_positions(state, told);
        let mut position = state.session().position().clone();
        for told in told {
            if let GameEvent::Moved { mv, ply, .. } = &told.numbered.event
                && position.play_text(mv, 0).is_ok()
            {
                changes.seen.2.push((*ply, canonical(&position)));
            }
        }
        changes
    }

    /// The changes without the new positions, for a game whose rules have panicked.
    pub(super) fn without_positions(state: &TableState, told: &[Arc<ToldEvent>]) -> Self {
        let settings = state.settings();
        let mut changes = Self {
            events: told.iter().map(|told| (told.number(), body(&told.numbered.event))).collect(),
            plies: state.plies(),
            back: None,
            end: None,
            seen: (settings.game.clone(), settings.size, Vec::new()),
        };
        for told in told {
            match &told.numbered.event {
                GameEvent::Moved { ply, .. } => changes.plies = *ply,
                GameEvent::TakenBack { plies, .. } => (changes.plies, changes.back) = (*plies, Some(*plies)),
                GameEvent::Over { winner, how, .. } => {
                    changes.end = Some((winner.clone(), how.join(" ")));
                }
                _ => {}
            }
        }
        changes
    }
}

/// The least key of the symmetric positions, as the database stores it.
pub(crate) fn canonical(position: &stonework_session::AnyPosition) -> i64 {
    position.canonical().0.cast_signed()
}

fn body(event: &GameEvent) -> String {
    serde_json::to_string(event).unwrap_or_else(|error| unreachable!("an event is always JSON: {error}"))
}

/// Stores an event of a game.
pub(crate) fn insert(
    connection: &Connection,
    id: &str,
    number: u64,
    event: &GameEvent,
) -> rusqlite::Result<()> {
    insert_body(connection, id, number, &body(event))
}

fn insert_body(connection: &Connection, id: &str, number: u64, body: &str) -> rusqlite::Result<()> {
    let sql = "INSERT INTO event (game_id, number, body) VALUES (?1, ?2, ?3)";
    connection.prepare_cached(sql)?.execute(params![id, number.cast_signed(), body])?;
    Ok(())
}

/// The greatest number of games in progress of a person or a program.
const MOST_GAMES: i64 = 10;

/// The sentence that refuses another game of a player; `None` if the player may begin one.
pub(crate) fn too_many_games(connection: &Connection, name: &str) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT count(*) FROM game WHERE ended_at IS NULL AND (first = ?1 OR second = ?1)";
    let games: i64 = connection.prepare_cached(sql)?.query_row([name], |row| row.get(0))?;
    Ok((games >= MOST_GAMES).then(|| {
        format!("{name} plays {games} games: at most {MOST_GAMES} at the same time; end one of them first")
    }))
}

/// Stores the beginning of a game, unless a person or a program plays too many games. Then the answer is the sentence that says so.
pub(super) fn begin(
    store: &Store,
    id: &str,
    begun: &GameEvent,
    state: &TableState,
) -> impl Future<Output = Result<Option<String>, StoreError>> + Send + use<> {
    let store = store.clone();
    let (id, body, settings) = (id.to_owned(), body(begun), state.settings().clone());
    let [first, second] = state.seats().each_ref().map(|seat| seat.name.clone());
    let limited = state.seats().each_ref().map(|seat| seat.kind != SeatKind::Engine);
    let clock = serde_json::to_string(&settings.clock).unwrap_or_default();
    let work = move |connection: &Connection| {
        for (name, limited) in [&first, &second].into_iter().zip(limited) {
            if limited && let Some(why) = too_many_games(connection, name)? {
                return Ok(Some(why));
            }
        }
        let sql = "INSERT INTO game (id, game, size, swap, first, second, settings, began_at, last_at) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)";
        let row = params![id, settings.game, settings.size, settings.swap, first, second, clock, wall()];
        connection.prepare_cached(sql)?.execute(row)?;
        insert_body(connection, &id, 1, &body)?;
        Ok(None)
    };
    async move { store.write(work).await }
}

/// Stores the events of a step.
pub(super) async fn append(store: &Store, id: &str, changes: Changes) -> Result<(), StoreError> {
    let id = id.to_owned();
    let work = move |connection: &Connection| {
        for (number, body) in &changes.events {
            insert_body(connection, &id, *number, body)?;
        }
        if let Some(plies) = changes.back {
            let sql = "DELETE FROM seen WHERE game_id = ?1 AND ply > ?2";
            connection.prepare_cached(sql)?.execute(params![id, plies])?;
        }
        let (game, size, positions) = &changes.seen;
        for (ply, key) in positions {
            let sql = "INSERT OR IGNORE INTO seen (game, size, canonical, game_id, ply) VALUES (?1, ?2, ?3, ?4, ?5)";
            connection.prepare_cached(sql)?.execute(params![game, size, key, id, ply])?;
        }
        let sql = "UPDATE game SET plies = ?2, last_at = ?3 WHERE id = ?1";
        connection.prepare_cached(sql)?.execute(params![id, changes.plies, wall()])?;
        if let Some((winner, how)) = &changes.end {
            let sql = "UPDATE game SET ended_at = ?2, winner = ?3, how = ?4 WHERE id = ?1";
            connection.prepare_cached(sql)?.execute(params![id, wall(), winner, how])?;
        }
        Ok(())
    };
    store.write(work).await
}

/// Ends a game that cannot be replayed, as void. Its events stay as they are.
pub(super) async fn void(store: &Store, id: &str) -> Result<(), StoreError> {
    let id = id.to_owned();
    let over = body(&GameEvent::Over { winner: None, how: vec!["void".to_owned()], cells: Vec::new() });
    let work = move |connection: &Connection| {
        let sql =
            "UPDATE game SET ended_at = ?2, winner = NULL, how = 'void' WHERE id = ?1 AND ended_at IS NULL";
        if connection.prepare_cached(sql)?.execute(params![id, wall()])? == 1 {
            let sql = "SELECT coalesce(max(number), 0) + 1 FROM event WHERE game_id = ?1";
            let number: i64 = connection.prepare_cached(sql)?.query_row([&id], |row| row.get(0))?;
            insert_body(connection, &id, number.cast_unsigned(), &over)?;
        }
        Ok(())
    };
    store.write(work).await
}

/// The ids of the games that have not ended, the oldest first, each with the milliseconds since its last event.
pub(super) async fn running(store: &Store) -> Result<Vec<(String, u64)>, StoreError> {
    let now = wall();
    let work = move |connection: &Connection| {
        let sql = "SELECT id, coalesce(last_at, ?1) FROM game WHERE ended_at IS NULL ORDER BY began_at, id";
        let row = |row: &rusqlite::Row<'_>| {
            let last: i64 = row.get(1)?;
            // The clock of the machine may have been set back.
            Ok((row.get(0)?, now.saturating_sub(last).max(0).cast_unsigned()))
        };
        connection.prepare_cached(sql)?.query_map([now], row)?.collect()
    };
    store.read(work).await
}

/// The events of a game after a number, in order.
pub(super) async fn events(store: &Store, id: &str, after: u64) -> Result<Vec<NumberedEvent>, StoreError> {
    let id = id.to_owned();
    store.read(move |connection| numbered(connection, &id, after)).await
}

/// The events of a game after a number, in order.
pub(crate) fn numbered(
    connection: &Connection,
    id: &str,
    after: u64,
) -> rusqlite::Result<Vec<NumberedEvent>> {
    numbered_up_to(connection, id, after, i64::MAX.cast_unsigned())
}

/// The events of a game after a number up to another one, in order.
fn numbered_up_to(
    connection: &Connection,
    id: &str,
    after: u64,
    last: u64,
) -> rusqlite::Result<Vec<NumberedEvent>> {
    let sql =
        "SELECT number, body FROM event WHERE game_id = ?1 AND number > ?2 AND number <= ?3 ORDER BY number";
    let mut query = connection.prepare_cached(sql)?;
    let rows = query.query_map(params![id, after.cast_signed(), last.cast_signed()], |row| {
        let (number, body): (i64, String) = (row.get(0)?, row.get(1)?);
        let event = serde_json::from_str(&body).map_err(|error| {
            rusqlite::Error::FromSqlConversionFailure(1, rusqlite::types::Type::Text, Box::new(error))
        })?;
        Ok(NumberedEvent { number: number.cast_unsigned(), event })
    })?;
    rows.collect()
}

/// Replaces the name of a player in the records of all games. Returns the number of games.
pub(crate) fn rename(connection: &Connection, old: &str, new: &str) -> rusqlite::Result<usize> {
    let sql = "SELECT id FROM game WHERE first = ?1 OR second = ?1";
    let ids: Vec<String> =
        connection.prepare_cached(sql)?.query_map([old], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for id in &ids {
        // The first event alone has the names: a player may have thousands of games with hundreds of events.
        let first = numbered_up_to(connection, id, 0, 1)?.into_iter().next();
        if let Some(NumberedEvent { event: GameEvent::Begun { settings, mut seats }, .. }) = first {
            // An engine of this name is another player.
            let own = |seat: &Seat| seat.name == old && seat.kind != SeatKind::Engine;
            for (seat, column) in seats.iter_mut().zip(["first", "second"]).filter(|(seat, _)| own(seat)) {
                new.clone_into(&mut seat.name);
                let sql = format!("UPDATE game SET {column} = ?2 WHERE id = ?1");
                connection.prepare_cached(&sql)?.execute([id.as_str(), new])?;
            }
            let body = body(&GameEvent::Begun { settings, seats });
            connection
                .prepare_cached("UPDATE event SET body = ?2 WHERE game_id = ?1 AND number = 1")?
                .execute([id, &body])?;
        }
    }
    Ok(ids.len())
}

/// `true` if a player has a game that goes on.
pub(crate) fn plays(connection: &Connection, name: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM game WHERE ended_at IS NULL AND (first = ?1 OR second = ?1) LIMIT 1";
    Ok(connection.prepare_cached(sql)?.query_row([name], |_| Ok(())).optional()?.is_some())
}
