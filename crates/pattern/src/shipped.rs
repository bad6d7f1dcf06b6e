//! The pattern file of this crate, compiled by its build script.

use std::sync::LazyLock;

use crate::code::Reach;
use crate::files;
use crate::patterns::Patterns;
use crate::tables::{Node, Reply, RingResult, Slot, Tables};

/// The text of [`havannah`]'s patterns.
pub const HAVANNAH: &str = include_str!("../patterns/havannah.pat");

/// The tables of the build script.
#[expect(clippy::unreadable_literal, reason = "nobody reads it")]
mod built {
    use super::{Node, Reach, Reply, RingResult, Slot};

    include!(concat!(env!("OUT_DIR"), "/havannah.rs"));
}

/// Patterns that defend links in Havannah: if the opponent has just intruded into a two-bridge, or into one of the two links of a
/// stone to the edge, the answer is the other cell.
///
/// The build script of this crate compiles the tables; the first call unpacks them.
///
/// ```
/// use stonework_pattern::{Cells, havannah};
/// let code = Cells::parse("o.o...").unwrap().example().unwrap();
/// let answer = havannah().find(code).unwrap();
/// assert_eq!(havannah().list()[answer.pattern].name(), Some("bridge"));
/// assert_eq!((answer.cells, answer.chance), (1 << 1, 8));
/// ```
#[must_use]
pub fn havannah() -> &'static Patterns {
    static SHIPPED: LazyLock<Patterns> = LazyLock::new(|| {
        let mut tables = Tables {
            results: built::RESULTS.to_vec(),
            nodes: built::NODES.to_vec(),
            slots: built::SLOTS.to_vec(),
            replies: built::REPLIES.to_vec(),
            ..Tables::default()
        };
        for &(key, result) in built::FIRST {
            tables.first[usize::from(key)] = result;
        }
        let tables = tables.finish();
        let (patterns, _) = files::read(files::shipped(HAVANNAH), &mut |_, _| Err(String::new()));
        Patterns { tables, patterns }
    });
    &SHIPPED
}
