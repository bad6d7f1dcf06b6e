//! Names and keys of players. A key is shown once; the database has its SHA-256.

use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::table::{plays, rename, wall};
use crate::{Store, StoreError};

/// The number of random bytes of a key.
const KEY_BYTES: usize = 32;

/// The longest name of a player, in characters.
pub(crate) const MOST_NAME: usize = 24;

/// The name in the records of a player who has gone.
const ANONYMOUS: &str = "anonymous";

/// The reason why a name cannot be had.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum NameFault {
    #[error("`{0}` is no name: 1 to {MOST_NAME} letters, digits, `.`, `_` or `-`")]
    Text(String),
    #[error("the name {0} is taken")]
    Taken(String),
}

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // Without random numbers of the system no key is safe.
    getrandom::fill(&mut bytes).unwrap_or_else(|error| panic!("the system has no random numbers: {error}"));
    bytes
}

/// The id of a new game: eight letters and digits.
pub(crate) fn new_id() -> String {
    const LETTERS: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    // The modulus makes four of the 36 letters a little more frequent, which does not matter for an id.
    random::<8>().iter().map(|byte| char::from(LETTERS[usize::from(byte % 36)])).collect()
}

/// `true` or `false`, by lot.
pub(crate) fn lot() -> bool {
    random::<1>()[0] & 1 == 0
}

/// `true` for the text of an id.
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// Checks the text of a name.
pub(crate) fn check_name(name: &str) -> Result<(), NameFault> {
    let good = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    if (1..=MOST_NAME).contains(&name.len()) && name.bytes().all(good) {
        return Ok(());
    }
    Err(NameFault::Text(name.chars().take(2 * MOST_NAME).collect()))
}

/// Bytes as two digits each.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

fn hash(key: &str) -> Vec<u8> {
    Sha256::digest(key.as_bytes()).to_vec()
}

/// Registers a name. Returns its key; a name that is taken is a fault.
pub(crate) async fn register(store: &Store, name: &str) -> Result<Result<String, NameFault>, StoreError> {
    let reserved = [ANONYMOUS, "guest", "draw"];
    if let Err(fault) = check_name(name) {
        return Ok(Err(fault));
    }
    if reserved.iter().any(|word| name.eq_ignore_ascii_case(word)) {
        return Ok(Err(NameFault::Taken(name.to_owned())));
    }
    let bytes: [u8; KEY_BYTES] = random();
    let key = format!("{name}:{}", hexadecimal(&bytes));
    let (name, hashed) = (name.to_owned(), hash(&key));
    let taken = NameFault::Taken(name.clone());
    let work = move |connection: &Connection| {
        let sql = "INSERT OR IGNORE INTO player (name, key_hash, made_at) \
                   SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM player WHERE lower(name) = lower(?1))";
        connection.prepare_cached(sql)?.execute(params![name, hashed, wall()])
    };
    Ok(if store.write(work).await? == 1 { Ok(key) } else { Err(taken) })
}

/// Registers a new guest. Returns the name and the key.
pub(crate) async fn register_guest(store: &Store) -> Result<(String, String), StoreError> {
    loop {
        let name = format!("guest-{}", &new_id()[..6]);
        if let Ok(key) = register(store, &name).await? {
            return Ok((name, key));
        }
    }
}

/// The name of the player with a key; `None` for a key that is not, or no longer, valid.
pub(crate) async fn name_of(store: &Store, key: &str) -> Result<Option<String>, StoreError> {
    let Some((name, _)) = key.split_once(':').filter(|(name, _)| check_name(name).is_ok()) else {
        return Ok(None);
    };
    let (name, hashed) = (name.to_owned(), hash(key));
    let work = move |connection: &Connection| {
        let sql = "SELECT key_hash FROM player WHERE name = ?1";
        let stored: Option<Vec<u8>> =
            connection.prepare_cached(sql)?.query_row([&name], |row| row.get(0)).optional()?.flatten();
        Ok(stored.filter(|stored| bool::from(stored.ct_eq(&hashed))).map(|_| name))
    };
    store.read(work).await
}

/// `true` if a name has a key.
pub(crate) async fn is_registered(store: &Store, name: &str) -> Result<bool, StoreError> {
    let name = name.to_owned();
    let work = move |connection: &Connection| {
        let sql = "SELECT 1 FROM player WHERE lower(name) = lower(?1)";
        Ok(connection.prepare_cached(sql)?.query_row([name], |_| Ok(())).optional()?.is_some())
    };
    store.read(work).await
}

/// Deletes a player, and makes the name anonymous in all records. `false` while the player has a game that goes on.
pub(crate) async fn forget(store: &Store, name: &str) -> Result<bool, StoreError> {
    let name = name.to_owned();
    let work = move |connection: &Connection| {
        if plays(connection, &name)? {
            return Ok(false);
        }
        rename(connection, &name, ANONYMOUS)?;
        connection.prepare_cached("DELETE FROM player WHERE name = ?1")?.execute([name])?;
        Ok(true)
    };
    store.write(work).await
}
