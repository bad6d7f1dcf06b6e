//! A law about pattern files.

use stonework_board::Symmetry;
use stonework_pattern::Patterns;

/// The longest message about a text of any length.
const SHORT: usize = 600;

/// Bytes of a text, and cells in it that may be several things. Each of these makes a table four times as large, so that
/// with more of them few inputs a second could be tried; the compiler's own limit has a test in `stonework-pattern`.
const BYTES: usize = 200;
const LOOSE: usize = 4;

/// Any short text is patterns, which are written as a text that means the same and which all answer somewhere,
/// turned or not; or it is a list of faults, each short and at a place of the text.
///
/// # Panics
/// If it is neither.
pub fn pattern_text(data: &[u8]) {
    let text = String::from_utf8_lossy(&data[..data.len().min(BYTES)]);
    if text.matches(['?', '!']).count() > LOOSE {
        return;
    }
    let patterns = match Patterns::compile(&text) {
        Ok(patterns) => patterns,
        Err(faults) => {
            assert!(!faults.list().is_empty());
            for fault in faults.list() {
                assert!(fault.to_string().len() < SHORT, "{fault}");
                let line = text.split('\n').nth(fault.at.line - 1).expect("a line of the text");
                assert!((1..=line.chars().count() + 1).contains(&fault.at.column), "{fault}");
            }
            return;
        }
    };
    let written: Vec<String> = patterns.list().iter().map(ToString::to_string).collect();
    let again = Patterns::compile(&written.join("\n")).expect("what was written is patterns");
    let rewritten: Vec<String> = again.list().iter().map(ToString::to_string).collect();
    assert_eq!(rewritten, written);
    for pattern in patterns.list() {
        let code = pattern.cells().example().expect("some board has these cells");
        let found = patterns.find(code);
        assert_eq!(again.find(code), found);
        assert!(found.is_some() || pattern.exceptions().any(|cells| cells.contain(code)));
        for symmetry in Symmetry::ALL {
            let image = patterns.find(code.image(symmetry));
            assert_eq!(image.map(|answer| answer.pattern), found.map(|answer| answer.pattern));
        }
    }
}
