//! [`rogers_text`]: a game as the server of 2004 wrote it.

use std::fmt::Write;

use stonework_board::{Diagram, Glyphs, Layout, Notation, Overlay};

use crate::{AnyPosition, Fault, Picture, Session};

/// The number of moves of a section.
const SECTION: usize = 20;

/// The game of a session as text in sections of 20 moves, as in appendix B of Rogers (2004): the moves by number, two a line, then the
/// board after them. `X` is a stone of the first player and `O` one of the second. Strokes join the stones of a chain. The stones of the
/// section have the numbers of their moves.
///
/// Havannah has the notation of that report; other games have their usual notation, and Cover has no strokes.
///
/// ```
/// use stonework_session::{Registry, Session, Start, rogers_text};
/// let mut session = Session::new(Registry::standard(), "havannah", &Start::of_size(3), Some("rogers"))?;
/// session.play_all(&["C3", "B2", "C4"])?;
/// let text = rogers_text(&session)?;
/// assert!(text.starts_with("1 : Put C3, 2 : Put B2\n3 : Put C4\n\n"));
/// assert!(text.contains("1:X"));
/// # Ok::<(), stonework_session::Fault>(())
/// ```
///
/// # Errors
/// The fault `notation` if the notation does not fit the board.
pub fn rogers_text(session: &Session) -> Result<String, Fault> {
    let mut position = session.start().clone();
    let rogers = position.description().notations.iter().position(|&name| name == "rogers").unwrap_or(0);
    let moves = session.moves();
    let (mut text, mut played) = (String::new(), Vec::new());
    // A game without moves has one section, with the empty board.
    let sections = moves.len().div_ceil(SECTION).max(1);
    for section in 0..sections {
        let first = section * SECTION;
        let last = moves.len().min(first + SECTION);
        for (at, mv) in moves.iter().enumerate().take(last).skip(first) {
            let before = position.clone();
            let (mv, _) = position.play_text(mv, session.notation())?;
            played.push(mv);
            let name = before.move_text_in(mv, rogers);
            let shown =
                if Some(mv) == before.swap_move() { "Swap".to_owned() } else { format!("Put {name}") };
            let end = if (at - first).is_multiple_of(2) && at + 1 < last { ", " } else { "\n" };
            // A string takes every text.
            let _ = write!(text, "{} : {shown}{end}", at + 1);
        }
        let numbered = position.numbered(&played).into_iter().filter(|&(_, number)| number > first);
        let labels =
            numbered.fold(Overlay::new(), |labels, (cell, number)| labels.label(cell, number.to_string()));
        let board = board(&position, rogers)?.overlay(labels).text();
        let between = if section + 1 < sections { "\n\n\n" } else { "\n" };
        let _ = write!(text, "\n{board}{between}");
    }
    Ok(text)
}

/// The stones of a position, without marks.
fn board(position: &AnyPosition, notation: usize) -> Result<Picture, Fault> {
    let fault = |error: stonework_board::NotationError| Fault::new("notation", error.to_string());
    match position.picture(&[], notation)? {
        Picture::Cells(marked) if notation > 0 => {
            let stones = marked.board().cells().filter_map(|cell| Some((cell, marked.stone_on(cell)?)));
            let diagram = Diagram::new(marked.board()).notation(Notation::Rogers).map_err(fault)?;
            let diagram = stones.fold(diagram, |diagram, (cell, stone)| diagram.stone(cell, stone));
            Ok(Picture::Cells(diagram.layout(Layout::Columns).strokes(true).glyphs(Glyphs::ROGERS)))
        }
        Picture::Cells(diagram) => Ok(Picture::Cells(diagram.strokes(true).glyphs(Glyphs::ROGERS))),
        other => Ok(other),
    }
}
