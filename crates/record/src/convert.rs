//! Records from one dialect into another.

use stonework_board::Board;

use crate::dialect::{Dialect, Header, Reading, SizeStyle, mark, written_size};
use crate::game_record::{Action, RecordError};
use crate::{Property, Tree};

/// The form of the values of a property.
#[derive(Clone, Copy)]
enum Holds {
    /// A move: a cell or a word.
    Move,
    /// A cell, or two with a colon between them.
    Cells,
    /// A cell, a colon and a text.
    Label,
}

/// The properties that name cells.
const CELL_PROPERTIES: [(&str, Holds); 13] = [
    ("W", Holds::Move),
    ("B", Holds::Move),
    ("AW", Holds::Cells),
    ("AB", Holds::Cells),
    ("AE", Holds::Cells),
    ("LB", Holds::Label),
    ("MA", Holds::Cells),
    ("TR", Holds::Cells),
    ("CR", Holds::Cells),
    ("SQ", Holds::Cells),
    ("SL", Holds::Cells),
    ("AR", Holds::Cells),
    ("LN", Holds::Cells),
];

/// The tree in another dialect. Every cell in `W`, `B`, `AW`, `AB`, `AE`, `LB`, `MA`, `TR`, `CR`, `SQ`, `SL`, `AR` and `LN` of
/// every node is written in the new notation, and the size in its style. All other bytes stay. O(bytes).
///
/// If a reader would take the result for another notation, the root gets the property
/// [`NOTATION_PROPERTY`](crate::NOTATION_PROPERTY), which the conversion back removes. Colours, results and names stay.
///
/// The conversion back gives the same bytes if the file uses one letter case throughout, names no notation, and writes its
/// size without zeros before it and without spaces. Otherwise it gives the same game.
///
/// ```
/// use stonework_record::{Dialect, Tree, convert};
/// let file = b"(;FF[4]SZ[4]SO[http://www.littlegolem.com] ;W[F3];B[swap] C[F3!] ;W[G4])";
/// let hgui = convert(&Tree::parse(file)?, Dialect::HAVANNAH_GUI)?;
/// assert_eq!(
///     hgui.to_string(),
///     "(;FF[4]SZ[4]SO[http://www.littlegolem.com]NOTATION[hgui] ;W[f5];B[swap] C[F3!] ;W[g7])"
/// );
/// assert_eq!(convert(&hgui, Dialect::LITTLE_GOLEM)?.to_bytes(), file);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`RecordError`] with the node and the value, if the value is no cell or the new notation cannot name its cell.
pub fn convert(tree: &Tree, to: Dialect) -> Result<Tree, RecordError> {
    convert_with(tree, to, Reading::default())
}

/// As [`convert`], with a size or a notation of `tree` that overrules the file.
///
/// # Errors
/// As [`convert`].
pub fn convert_with(tree: &Tree, to: Dialect, reading: Reading) -> Result<Tree, RecordError> {
    let Header { board, dialect: from, .. } = Header::read(tree, reading)?;
    let mut out = tree.clone();
    for node in tree.descendants(tree.root()) {
        out.map_values(node, |property, value| {
            let Some(holds) = holds(property) else { return Ok(None) };
            let cell = |name: &str| rename(board, from, to, holds, name);
            let renamed = match (holds, value.composed()) {
                (Holds::Move, _) | (_, None) => cell(value.raw()),
                (Holds::Label, Some((name, label))) => {
                    cell(name.raw()).map(|n| format!("{n}:{}", label.raw()))
                }
                (Holds::Cells, Some((a, b))) => {
                    cell(a.raw()).and_then(|a| Ok(format!("{a}:{}", cell(b.raw())?)))
                }
            };
            match renamed {
                Ok(raw) => Ok(Some(raw)),
                Err(source) => {
                    Err(RecordError::Cell { node, property: property.name().into_owned(), source })
                }
            }
        })?;
    }
    set_size(&mut out, board.size(), to.size_style)?;
    mark(&mut out, to.notation)?;
    Ok(out)
}

fn holds(property: &Property<'_>) -> Option<Holds> {
    CELL_PROPERTIES.iter().find(|(name, _)| property.is(name)).map(|&(_, holds)| holds)
}

/// The name of a cell in the other dialect, with the white space around it; unchanged if the two dialects do not differ
/// in it.
fn rename(
    board: &Board,
    from: Dialect,
    to: Dialect,
    holds: Holds,
    raw: &str,
) -> Result<String, stonework_board::NotationError> {
    let name = raw.trim();
    let new = match holds {
        Holds::Move => match Action::parse(board, from, name)? {
            place @ Action::Place(_) => place.write(board, to)?,
            _ => return Ok(raw.to_owned()),
        },
        _ => Action::Place(from.notation.parse(board, name)?).write(board, to)?,
    };
    if (from.notation, from.letters) == (to.notation, to.letters) {
        return Ok(raw.to_owned());
    }
    let start = raw.len() - raw.trim_start().len();
    Ok(format!("{}{new}{}", &raw[..start], &raw[start + name.len()..]))
}

/// Writes the size in a style, if the file has a size and in another style.
fn set_size(tree: &mut Tree, side: u8, style: SizeStyle) -> Result<(), RecordError> {
    let longest = 2 * u32::from(side) - 1;
    let (text, bare) = match style {
        SizeStyle::Side => (side.to_string(), false),
        SizeStyle::Diameter => (format!("d={longest}"), false),
        SizeStyle::Bare => (longest.to_string(), true),
    };
    match written_size(tree) {
        Ok(None) => Ok(()),
        // A right size stays in its spelling: `SZ[09]` stays.
        Ok(Some(written)) if written == (side, style) => Ok(()),
        // A size that is no size was overruled by the caller.
        Ok(Some(_)) | Err(_) => Ok(tree.set_size_text(&text, bare)?),
    }
}

impl Tree {
    /// Replaces the value of the root's `SZ`, with brackets or without.
    fn set_size_text(&mut self, text: &str, bare: bool) -> Result<(), crate::EditError> {
        let root = self.root();
        let mut properties = self.properties(root);
        let found = std::iter::from_fn(|| properties.next_found()).find(|(_, p)| p.is("SZ"));
        let Some((found, _)) = found else { return Ok(()) };
        let text = if bare { format!("SZ{text}") } else { format!("[{text}]") };
        self.splice(root, if bare { found.name..found.end } else { found.values..found.end }, &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_property_is_found_by_its_name() {
        for (name, _) in CELL_PROPERTIES {
            let tree = Tree::parse(format!("(;{name}[a1])").as_bytes()).unwrap();
            let property = tree.properties(tree.root()).next().unwrap();
            assert!(holds(&property).is_some());
        }
    }
}
