//! Laws that hold for every input, as functions for tests and fuzz targets.

use crate::{Collection, Dialect, Encoding, ParseOptions, Record, Tree, convert};

/// Checks three laws on any bytes: no function of this crate panics; a file that is read is written back byte for byte,
/// also after edits that change nothing; the conversion of a record to its own dialect changes nothing. Returns `true`
/// if the bytes are a file of games. O(bytes).
///
/// # Panics
/// If the bytes break a law. The panic is the purpose of the function.
#[must_use]
pub fn reading_and_writing_are_inverse(bytes: &[u8]) -> bool {
    for encoding in [Encoding::Utf8, Encoding::Latin1, Encoding::Detect] {
        let options = ParseOptions::with_encoding(encoding);
        let _ = options.parse(bytes).map_err(|e| e.to_string());
        if let Ok(file) = options.parse_collection(bytes) {
            assert_eq!(file.to_bytes(), bytes, "what was read is not what is written");
            for game in &file.games {
                check_game(game);
            }
        }
    }
    Collection::parse(bytes).is_ok()
}

fn check_game(game: &Tree) {
    let text = game.to_bytes();
    let mut edited = game.clone();
    for node in game.descendants(game.root()) {
        let same = edited.map_values::<crate::EditError>(node, |_, value| Ok(Some(value.raw().to_owned())));
        assert_eq!(same, Ok(false), "an edit that changes nothing changed something");
        for property in game.properties(node) {
            assert!(game.property(node, &property.name()).is_some(), "a property is not found by its name");
            assert!(property.values().count() > 0, "a property without values");
            let _ = property.values().map(|v| v.text().len() + v.simple_text().len()).sum::<usize>();
        }
    }
    assert_eq!(edited.to_bytes(), text);
    assert_eq!(game.descendants(game.root()).count(), game.len(), "a node is missing from the walk");
    if let Ok(record) = Record::read(game) {
        check_conversions(game, &record);
    }
    let mut laid_out = game.clone();
    if laid_out.lay_out().is_ok() {
        let again = Tree::parse_str(&laid_out.to_string()).map(|t| t.len());
        assert_eq!(again, Ok(game.len()), "a tree that was laid out does not parse");
    }
}

fn check_conversions(game: &Tree, record: &Record) {
    if let Ok(same) = convert(game, record.dialect) {
        assert_eq!(same.to_bytes(), game.to_bytes(), "a conversion to the same dialect changed something");
    }
    let dialects = [Dialect::HAVANNAH_GUI, Dialect::OLD_HAVANNAH_GUI, Dialect::LITTLE_GOLEM, Dialect::ROGERS];
    for to in dialects {
        let Ok(other) = convert(game, to) else { continue };
        let read = Record::read(&other).map(|r| (r.size, r.moves, r.setup));
        let same = (record.size, record.moves.clone(), record.setup.clone());
        assert_eq!(read, Ok(same), "a conversion changed the game");
    }
}
