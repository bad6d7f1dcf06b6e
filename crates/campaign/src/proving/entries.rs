//! The entries of search tables that workers tell each other, as bytes.

use stonework_farm::{Digest, MAX_HINT};
use stonework_search::TableEntry;

use super::VERSION;

/// The largest number of entries of one hint.
const MOST: usize = (MAX_HINT - HEAD) / TableEntry::BYTES;
/// The bytes before the entries: the digest of game and version.
const HEAD: usize = 32;

fn head(game: &str) -> Digest {
    Digest::of(format!("stonework entries {VERSION} {game}").as_bytes())
}

/// Entries as a hint; those with the most nodes, if there are more than fit.
pub(super) fn encode(game: &str, mut entries: Vec<TableEntry>) -> Vec<u8> {
    if entries.len() > MOST {
        entries.sort_unstable_by_key(|entry| std::cmp::Reverse(entry.nodes()));
        entries.truncate(MOST);
    }
    let mut bytes = head(game).bytes().to_vec();
    bytes.extend(entries.into_iter().flat_map(TableEntry::to_bytes));
    bytes
}

/// The entries of a hint; none if it is about another game, of another version, or damaged.
pub(super) fn decode(game: &str, hint: &[u8]) -> Vec<TableEntry> {
    let Some((start, rest)) = hint.split_at_checked(HEAD) else { return Vec::new() };
    if start != head(game).bytes() || rest.len() > MOST * TableEntry::BYTES {
        return Vec::new();
    }
    let (entries, left) = rest.as_chunks::<{ TableEntry::BYTES }>();
    if left.is_empty() {
        entries.iter().filter_map(|&entry| TableEntry::from_bytes(entry)).collect()
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: u8) -> TableEntry {
        let mut bytes = [0; TableEntry::BYTES];
        (bytes[0], bytes[8 + 1], bytes[8 + 2], bytes[8 + 5]) = (number, number, 1, 1);
        TableEntry::from_bytes(bytes).unwrap()
    }

    #[test]
    fn entries_come_back_as_they_were_told() {
        let entries = vec![entry(80), entry(90)];
        let hint = encode("nim", entries.clone());
        assert_eq!(decode("nim", &hint), entries);
        assert_eq!(decode("havannah", &hint), []);
        assert_eq!(decode("nim", &hint[..hint.len() - 1]), []);
        assert_eq!(decode("nim", b"short"), []);
    }

    #[test]
    fn a_hint_keeps_its_limit_and_the_entries_with_the_most_nodes() {
        let entries: Vec<_> = (0..MOST + 10).map(|i| entry(if i == MOST + 9 { 200 } else { 60 })).collect();
        let hint = encode("nim", entries);
        assert!(hint.len() <= MAX_HINT, "{}", hint.len());
        assert_eq!(decode("nim", &hint)[0], entry(200));
    }
}
