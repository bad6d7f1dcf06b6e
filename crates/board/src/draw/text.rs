//! Diagrams as text.

use super::frame::{Coordinate, coordinates};
use super::{Diagram, Layout, Stone};
use crate::{Axial, Cell, Direction};

/// The text of a cell: `before`, then one character at the cell's place, then `after`.
struct Field {
    before: String,
    body: char,
    after: &'static str,
    labelled: bool,
}

impl Field {
    fn new(diagram: &Diagram, cell: Cell) -> Self {
        let (glyphs, overlay) = (diagram.glyphs, &diagram.overlay);
        let glyph = |stone: Stone| match stone {
            Stone::Light => glyphs.light,
            Stone::Dark => glyphs.dark,
        };
        let stone = diagram.stones[cell.index()].map(glyph);
        let ghost = overlay.ghosts.get(&cell).filter(|_| stone.is_none()).map(|&ghost| glyph(ghost));
        let bare = overlay.digit(cell).unwrap_or(glyphs.empty);
        let label = overlay.labels.get(&cell);
        let (text, body) = match (label, stone.or(ghost)) {
            (None, stone) => (String::new(), stone.unwrap_or(bare)),
            (Some(label), Some(stone)) => (format!("{label}:"), stone),
            (Some(label), None) => {
                let mut start = label.clone();
                let end = start.pop().unwrap_or(glyphs.empty);
                (start, end)
            }
        };
        let last = diagram.last == Some(cell);
        let after = match (last, overlay.highlights.contains(cell), ghost.is_some()) {
            (false, false, false) => "",
            (false, true, false) => "*",
            (true, false, false) => ")",
            (true, true, false) => ")*",
            (false, false, true) => "?",
            (false, true, true) => "?*",
            (true, false, true) => "?)",
            (true, true, true) => "?)*",
        };
        let before = if last { format!("({text}") } else { text };
        Self { before, body, after, labelled: label.is_some() }
    }

    fn left(&self) -> i32 {
        self.before.chars().count() as i32
    }

    fn right(&self) -> i32 {
        self.after.len() as i32
    }
}

/// Texts at places of a page that has no bounds yet.
#[derive(Default)]
struct Page {
    texts: Vec<(i32, i32, String)>,
    /// The line and the column of the character of each cell, in the order of the cells.
    cells: Vec<(i32, i32)>,
}

impl Page {
    fn put(&mut self, line: i32, x: i32, text: impl Into<String>) {
        self.texts.push((line, x, text.into()));
    }

    /// Writes the field of a cell, with the character of the cell at a place.
    fn field(&mut self, line: i32, x: i32, field: &Field) {
        self.cells.push((line, x));
        self.put(line, x - field.left(), format!("{}{}{}", field.before, field.body, field.after));
    }

    /// The first line, and the column of the leftmost text.
    fn corner(&self) -> (i32, i32) {
        let top = self.texts.iter().map(|text| text.0).min().unwrap_or(0);
        (top, self.texts.iter().map(|text| text.1).min().unwrap_or(0))
    }

    /// The lines from the first to the last text; the leftmost text starts at the left margin.
    fn lines(&self) -> Vec<String> {
        let Some(bottom) = self.texts.iter().map(|text| text.0).max() else { return Vec::new() };
        let (top, margin) = self.corner();
        let mut lines = vec![Vec::new(); (bottom - top) as usize + 1];
        for (line, x, text) in &self.texts {
            let line: &mut Vec<char> = &mut lines[(line - top) as usize];
            let start = (x - margin) as usize;
            let end = start + text.chars().count();
            line.resize(line.len().max(end), ' ');
            for (place, c) in line[start..].iter_mut().zip(text.chars()) {
                *place = c;
            }
        }
        lines.into_iter().map(|l| l.into_iter().collect::<String>().trim_end().to_owned()).collect()
    }
}

fn page(diagram: &Diagram) -> Page {
    let fields: Vec<Field> = diagram.board.cells().map(|c| Field::new(diagram, c)).collect();
    let mut page = Page::default();
    match diagram.chosen_layout() {
        Layout::Rows => rows(diagram, &fields, &mut page),
        Layout::Columns => columns(diagram, &fields, &mut page),
    }
    page
}

/// The line and the column of each cell in the text, in the order of the cells.
pub(super) fn places(diagram: &Diagram) -> Vec<(usize, usize)> {
    let page = page(diagram);
    let (top, margin) = page.corner();
    let above = i32::from(diagram.title.is_some());
    let place = |&(line, x): &(i32, i32)| ((line - top + above) as usize, (x - margin) as usize);
    page.cells.iter().map(place).collect()
}

pub(super) fn draw(diagram: &Diagram) -> String {
    let page = page(diagram);
    let mut lines: Vec<String> = diagram.title.iter().cloned().collect();
    lines.extend(page.lines());
    lines.join("\n")
}

/// Draws rows from left to right, `pitch` characters from cell to cell, half as many from row to row.
fn rows(diagram: &Diagram, fields: &[Field], page: &mut Page) {
    let board = diagram.board;
    let spacing = if diagram.strokes { 2 } else { 1 };
    let mut pitch = 2 * spacing;
    for row in 0..board.rows() {
        // A coordinate stands before the first cell and after the last cell.
        let mut right = 0;
        for field in board.row(row).map(|c| &fields[c.index()]) {
            pitch = pitch.max(right + field.left() + spacing + i32::from(field.labelled));
            right = field.right();
        }
        pitch = pitch.max(right + spacing);
    }
    pitch += pitch % 2;
    let down = if diagram.counted { -1 } else { 1 };
    let place = |at: Axial| {
        let (row, column) = (i32::from(at.row), i32::from(at.column));
        (down * spacing * row, pitch * column - pitch / 2 * row)
    };

    for (cell, field) in board.cells().zip(fields) {
        let (line, x) = place(board.coord(cell));
        page.field(line, x, field);
        if !diagram.strokes {
            continue;
        }
        let aside = (pitch + 2) / 4;
        if diagram.joined(cell, Direction::SW) {
            page.put(line + down, x - aside, if diagram.counted { "\\" } else { "/" });
        }
        if diagram.joined(cell, Direction::SE) {
            page.put(line + down, x + aside, if diagram.counted { "/" } else { "\\" });
        }
        if diagram.joined(cell, Direction::E) {
            let next = fields[cell.index() + 1].left();
            page.put(line, x + (pitch + field.right() - next) / 2, "-");
        }
    }

    if diagram.coordinates {
        let all = coordinates(diagram);
        // Above and below the board two-digit numbers may need to stand upright.
        let outside = |c: &Coordinate| {
            let row = board.coord(c.cell).step(c.side).row;
            row < 0 || row >= board.rows() as i16
        };
        let wide = all.iter().filter(|c| outside(c) && c.text.chars().count() >= pitch as usize).count();
        for coordinate in &all {
            let at = board.coord(coordinate.cell).step(coordinate.side);
            let (line, x) = place(at);
            let length = coordinate.text.chars().count() as i32;
            if wide > 1 && outside(coordinate) {
                let above = (at.row < 0) != diagram.counted;
                let first = if above { line - length + 1 } else { line };
                for (below, digit) in (first..).zip(coordinate.text.chars()) {
                    page.put(below, x, digit);
                }
            } else if coordinate.side == Direction::W {
                page.put(line, x - length + 1, coordinate.text.as_str());
            } else {
                page.put(line, x, coordinate.text.as_str());
            }
        }
    }
}

/// Draws rows upwards, `pitch` characters from row to row, with two lines from cell to cell.
fn columns(diagram: &Diagram, fields: &[Field], page: &mut Page) {
    let board = diagram.board;
    let left = fields.iter().map(Field::left).max().unwrap_or(0);
    let right = fields.iter().map(Field::right).max().unwrap_or(0);
    // A line has the cells of every second row, and the strokes between them.
    let (stroke, pitch) = if diagram.strokes {
        let stroke = (right + 1).max(2);
        (stroke, (stroke + 1).max(left + 2).max(4))
    } else {
        (0, ((left + right + 3) / 2).max(3))
    };
    let place = |at: Axial| {
        let (row, column) = (i32::from(at.row), i32::from(at.column));
        (row - 2 * column, pitch * row)
    };

    for (cell, field) in board.cells().zip(fields) {
        let (line, x) = place(board.coord(cell));
        page.field(line, x, field);
        if !diagram.strokes {
            continue;
        }
        let (up, down) = (diagram.joined(cell, Direction::SE), diagram.joined(cell, Direction::SW));
        if up || down {
            page.put(
                line,
                x + stroke,
                if up && down {
                    "<"
                } else if up {
                    "/"
                } else {
                    "\\"
                },
            );
        }
        if diagram.joined(cell, Direction::W) {
            page.put(line + 1, x, "|");
        }
    }

    if diagram.coordinates {
        for Coordinate { cell, side, text } in coordinates(diagram) {
            let (line, x) = place(board.coord(cell).step(side));
            let leftwards = matches!(side, Direction::NE | Direction::NW);
            let start = if leftwards { x - text.chars().count() as i32 + 1 } else { x };
            page.put(line, start, text);
        }
    }
}
