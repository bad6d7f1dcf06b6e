//! [`Results`]: statistics and ratings of the finished games, which are counted once for each version of the results.

use std::collections::{BTreeMap, HashMap};
use std::panic::resume_unwind;
use std::sync::Arc;

use rusqlite::{Connection, params};
use serde::Serialize;
use stonework_arena::ratings;
use stonework_session::GameType;
use tokio::sync::{Mutex, MutexGuard};

use crate::{Store, StoreError};

/// The greatest number of players with ratings.
const MOST_RATED: usize = 200;

/// The statistics and ratings of a version of the results. Counting goes through all games, so nobody counts twice what has not changed:
/// who comes while another counts waits for the numbers of the other.
#[derive(Debug, Default)]
pub(crate) struct Results(Mutex<Known>);

/// What was counted in a version of the results.
#[derive(Debug, Default)]
struct Known {
    version: i64,
    statistics: Option<Arc<Vec<Statistics>>>,
    /// By the name of the game, which is one of the registry, and the size.
    ratings: HashMap<(&'static str, Option<u8>), Arc<Vec<Rated>>>,
}

impl Results {
    /// What is known of the present version.
    async fn known(&self, store: &Store) -> Result<MutexGuard<'_, Known>, StoreError> {
        let mut known = self.0.lock().await;
        let version = |connection: &Connection| {
            connection.prepare_cached("SELECT version FROM results")?.query_row([], |row| row.get(0))
        };
        let version = store.read(version).await?;
        if known.version != version {
            *known = Known { version, ..Known::default() };
        }
        Ok(known)
    }

    /// Statistics of the finished games, by game and size.
    pub(crate) async fn statistics(&self, store: &Store) -> Result<Arc<Vec<Statistics>>, StoreError> {
        let mut known = self.known(store).await?;
        if known.statistics.is_none() {
            known.statistics = Some(Arc::new(statistics(store).await?));
        }
        Ok(known.statistics.clone().unwrap_or_default())
    }

    /// Ratings of the players of a game, from all stored games between two names. Imported games do not count.
    pub(crate) async fn ratings(
        &self,
        store: &Store,
        game: &GameType,
        size: Option<u8>,
    ) -> Result<Arc<Vec<Rated>>, StoreError> {
        let mut known = self.known(store).await?;
        let key = (game.name(), size);
        if let Some(found) = known.ratings.get(&key) {
            return Ok(Arc::clone(found));
        }
        let rated = Arc::new(rated(store, game, size).await?);
        known.ratings.insert(key, Arc::clone(&rated));
        Ok(rated)
    }
}

/// The finished games of one game and size.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Statistics {
    pub(crate) game: String,
    pub(crate) size: u8,
    pub(crate) games: u64,
    pub(crate) mean_plies: f64,
    pub(crate) least_plies: u32,
    pub(crate) most_plies: u32,
    /// The number of games by winner; games that do not count are left out.
    pub(crate) winners: BTreeMap<String, u64>,
    /// The number of games by the kind of their end.
    pub(crate) ends: BTreeMap<String, u64>,
}

async fn statistics(store: &Store) -> Result<Vec<Statistics>, StoreError> {
    let work = |connection: &Connection| {
        let sql = "SELECT game, size, winner, how, count(*), sum(plies), min(plies), max(plies) FROM game \
                   WHERE winner IS NOT NULL \
                   GROUP BY game, size, winner, how ORDER BY game, size";
        let mut query = connection.prepare_cached(sql)?;
        let mut rows = query.query([])?;
        let mut found: Vec<Statistics> = Vec::new();
        while let Some(row) = rows.next()? {
            let (game, size): (String, u8) = (row.get(0)?, row.get(1)?);
            if found.last().is_none_or(|last| (&last.game, last.size) != (&game, size)) {
                found.push(Statistics { game, size, least_plies: u32::MAX, ..Statistics::default() });
            }
            let Some(last) = found.last_mut() else { continue };
            let (count, plies): (i64, i64) = (row.get(4)?, row.get(5)?);
            let count = count.cast_unsigned();
            last.games += count;
            // The sum for now.
            last.mean_plies += plies as f64;
            last.least_plies = last.least_plies.min(row.get(6)?);
            last.most_plies = last.most_plies.max(row.get(7)?);
            *last.winners.entry(row.get(2)?).or_default() += count;
            *last.ends.entry(row.get::<_, Option<String>>(3)?.unwrap_or_default()).or_default() += count;
        }
        for statistics in &mut found {
            statistics.mean_plies /= statistics.games as f64;
        }
        Ok(found)
    };
    store.read(work).await
}

/// The rating of a player.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Rated {
    pub(crate) name: String,
    pub(crate) games: u64,
    pub(crate) elo: f64,
    /// Half the width of the 95 % interval; `None` while groups of players have not met.
    pub(crate) error: Option<f64>,
}

async fn rated(store: &Store, game: &GameType, size: Option<u8>) -> Result<Vec<Rated>, StoreError> {
    let (name, sides) = (game.name(), game.description().sides);
    let work = move |connection: &Connection| {
        let sql = "SELECT first, second, winner, count(*) FROM game \
                   WHERE winner IS NOT NULL AND claimed IS NULL AND first <> second AND game = ?1 AND (?2 IS NULL OR size = ?2) \
                   GROUP BY first, second, winner";
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        connection
            .prepare_cached(sql)?
            .query_map(params![name, size], row)?
            .collect::<Result<Vec<(String, String, String, i64)>, _>>()
    };
    let results = store.read(work).await?;
    let rating = tokio::task::spawn_blocking(move || rate(&results, sides[0]));
    rating.await.or_else(|error| match error.try_into_panic() {
        Ok(panic) => resume_unwind(panic),
        Err(_) => Err(StoreError::Closed),
    })
}

fn rate(results: &[(String, String, String, i64)], first_side: &str) -> Vec<Rated> {
    let mut games: BTreeMap<&str, u64> = BTreeMap::new();
    for (first, second, _, count) in results {
        *games.entry(first).or_default() += count.cast_unsigned();
        *games.entry(second).or_default() += count.cast_unsigned();
    }
    let mut names: Vec<&str> = games.keys().copied().collect();
    names.sort_by_key(|name| std::cmp::Reverse(games[name]));
    names.truncate(MOST_RATED);
    let index: BTreeMap<&str, usize> = names.iter().enumerate().map(|(at, name)| (*name, at)).collect();
    let mut points = vec![vec![0.0; names.len()]; names.len()];
    for (first, second, winner, count) in results {
        let (Some(&a), Some(&b)) = (index.get(first.as_str()), index.get(second.as_str())) else { continue };
        let of_first = match winner.as_str() {
            "draw" => 0.5,
            winner if winner == first_side => 1.0,
            _ => 0.0,
        };
        points[a][b] += of_first * *count as f64;
        points[b][a] += (1.0 - of_first) * *count as f64;
    }
    let mut rated: Vec<Rated> = names
        .iter()
        .zip(ratings(&points))
        .map(|(name, rating)| Rated {
            name: (*name).to_owned(),
            games: games[name],
            elo: rating.elo,
            error: rating.error.is_finite().then_some(rating.error),
        })
        .collect();
    rated.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    rated
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games are counted anew when a result is added or a player has another name, and not before.
    #[tokio::test]
    async fn results_are_counted_once_for_each_version() {
        let folder = std::env::temp_dir().join(format!("stonework-results-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let store = Store::open(&folder.join("games.db")).await.unwrap();
        let change =
            async |sql: &'static str| store.write(|connection| connection.execute_batch(sql)).await.unwrap();
        let (results, registry) = (Results::default(), stonework_session::Registry::standard());
        let game = registry.game("havannah").unwrap();
        let counted = async || {
            let statistics = results.statistics(&store).await.unwrap();
            let mean = statistics.first().map_or(0.0, |first| first.mean_plies);
            let rated = results.ratings(&store, game, None).await.unwrap();
            (mean, rated.iter().map(|one| one.name.clone()).collect::<Vec<_>>().join(" "))
        };
        let told = |mean, names: &str| (mean, names.to_owned());
        assert_eq!(counted().await, told(0.0, ""));
        change(
            "INSERT INTO game (id, game, size, swap, first, second, settings, began_at, plies) \
             VALUES ('a', 'havannah', 4, 0, 'ann', 'bob', '{}', 1, 6)",
        )
        .await;
        assert_eq!(counted().await, told(0.0, ""));
        change("UPDATE game SET winner = 'white', how = 'ring', ended_at = 2").await;
        assert_eq!(counted().await, told(6.0, "ann bob"));
        // The number of moves of a game that has ended never changes; here it shows that nothing is counted anew.
        change("UPDATE game SET plies = 8").await;
        assert_eq!(counted().await, told(6.0, "ann bob"));
        change("UPDATE game SET first = 'anonymous'").await;
        assert_eq!(counted().await, told(8.0, "anonymous bob"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
