//! [`Kit`]: a game to print and to cut out.

use stonework_board::{Drawing, Figure, PagePoint, Paint, Part, Rgb};

use crate::PictureError;
use crate::outline::units;
use crate::pdf::{Sheet, document};

/// Points in a millimetre.
const MM: f32 = 72.0 / 25.4;
/// The margin of a page, which printers leave white, in points.
const MARGIN: f32 = 12.0 * MM;
/// The distance of two stones to cut out, in points.
const GAP: f32 = 2.0 * MM;
/// The most stones of a kind.
const MOST: usize = 1000;
const TITLE: f32 = 17.0;
const TEXT: f32 = 10.5;
const LEADING: f32 = 15.0;

/// A size of paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Paper {
    /// 210 by 297 mm.
    #[default]
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

impl Paper {
    /// The width and height in points.
    const fn points(self) -> (f32, f32) {
        match self {
            Self::A4 => (210.0 * MM, 297.0 * MM),
            Self::Letter => (612.0, 792.0),
        }
    }
}

/// The stones of one side in a kit.
#[derive(Clone, Debug)]
pub struct KitStones {
    /// The name of the side.
    pub side: String,
    /// A stone, anywhere on the page of the board.
    pub stone: Part,
    /// The number of stones, at most 1000.
    pub count: usize,
}

/// A game to print: the board, stones to cut out, and the rules, on sheets of paper.
///
/// The board fills the width of the paper or its height. The stones have the size that fits the board. A line of 50 mm
/// beside the board shows whether a printer has kept the size.
///
/// ```
/// use stonework_board::{Board, Diagram, Stone};
/// use stonework_picture::{Kit, KitStones, Paper};
/// let diagram = Diagram::new(Board::hexagon(5)?);
/// let stones = |side: &str, stone| KitStones { side: side.to_owned(), stone: diagram.piece(stone), count: 31 };
/// let kit = Kit {
///     title: "Havannah, size 5".to_owned(),
///     board: diagram.drawing(),
///     stones: vec![stones("white", Stone::Light), stones("black", Stone::Dark)],
///     rules: vec!["A side wins with a ring, a bridge or a fork.".to_owned()],
/// };
/// assert!(kit.pdf(Paper::A4)?.starts_with(b"%PDF-"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Kit {
    /// The line above the board.
    pub title: String,
    /// The board without stones.
    pub board: Drawing,
    /// The stones.
    pub stones: Vec<KitStones>,
    /// The paragraphs of the rules.
    pub rules: Vec<String>,
}

impl Kit {
    /// The kit as a PDF file: a page with the board, pages with stones, pages with the rules. O(stones + parts of the
    /// board).
    ///
    /// # Errors
    /// [`PictureError::Stones`] for more than 1000 stones of a side.
    pub fn pdf(&self, paper: Paper) -> Result<Vec<u8>, PictureError> {
        if let Some(stones) = self.stones.iter().find(|stones| stones.count > MOST) {
            return Err(PictureError::Stones { side: stones.side.clone(), count: stones.count });
        }
        let (wide, high) = paper.points();
        let below = 2.0 * LEADING + TITLE;
        let room = (wide - 2.0 * MARGIN, high - 2.0 * MARGIN - below - LEADING);
        let scale = (room.0 / self.board.width() as f32).min(room.1 / self.board.height() as f32);
        let mut pages = Pages { paper: (wide, high), sheets: Vec::new(), y: 0.0 };
        pages.turn();
        pages.line(&self.title, TITLE, 2.0 * LEADING);
        let left = (wide - scale * self.board.width() as f32) / 2.0;
        let top = pages.y + TITLE;
        pages.sheet().drawing(&self.board, (left, top), scale);
        pages.y = MARGIN;
        let note = "Print at 100 %, without fitting to the page. Then this line is 50 mm long:";
        pages.line(note, TEXT, LEADING);
        let bar = |x: i32| PagePoint { x, y: 0 };
        let line = Figure::Line(vec![bar(0), bar(5000)]);
        let at = (MARGIN + pages.sheet().width_of(note, TEXT) + 8.0, MARGIN + 3.0);
        pages.sheet().piece(&line, &Paint::line(Rgb(0, 0, 0), 40), at, MM);
        self.lay_stones(&mut pages, scale);
        pages.turn();
        pages.line(&self.title, TITLE, 2.0 * LEADING);
        for paragraph in &self.rules {
            for line in wrapped(pages.sheet(), paragraph, room.0) {
                pages.line(&line, TEXT, LEADING);
            }
            pages.y -= LEADING / 2.0;
        }
        Ok(document(&self.title, pages.sheets))
    }

    /// Lays out the stones in rows, each side under its name.
    fn lay_stones(&self, pages: &mut Pages, scale: f32) {
        pages.turn();
        for KitStones { side, stone, count } in &self.stones {
            let (from, to) = stone.bounds();
            let size = (scale * units(to.x - from.x), scale * units(to.y - from.y));
            let columns = (((pages.paper.0 - 2.0 * MARGIN + GAP) / (size.0 + GAP)) as usize).max(1);
            pages.room(2.0 * LEADING + size.1);
            let name = format!("{side}: {count}. Cut the stones out, or lay them out on cardboard.");
            pages.line(&name, TEXT, LEADING);
            for first in (0..*count).step_by(columns) {
                pages.room(size.1 + GAP);
                for column in 0..columns.min(count - first) {
                    let at = (MARGIN + column as f32 * (size.0 + GAP), pages.y + TEXT);
                    let origin = (at.0 - scale * units(from.x), at.1 + scale * units(from.y));
                    pages.sheet().piece(&stone.figure, &stone.paint, origin, scale);
                }
                pages.y -= size.1 + GAP;
            }
            pages.y -= LEADING;
        }
    }
}

/// Sheets that are filled from the top.
struct Pages {
    paper: (f32, f32),
    sheets: Vec<Sheet>,
    /// The base line of the next text on the last sheet.
    y: f32,
}

impl Pages {
    /// Begins a sheet.
    fn turn(&mut self) {
        self.sheets.push(Sheet::new(self.paper.0, self.paper.1));
        self.y = self.paper.1 - MARGIN - TITLE;
    }

    fn sheet(&mut self) -> &mut Sheet {
        if self.sheets.is_empty() {
            self.turn();
        }
        let last = self.sheets.len() - 1;
        &mut self.sheets[last]
    }

    /// Begins a sheet unless there is room for so many points.
    fn room(&mut self, points: f32) {
        if self.y - points < MARGIN {
            self.turn();
        }
    }

    /// Writes a line and goes down.
    fn line(&mut self, text: &str, size: f32, down: f32) {
        self.room(0.0);
        let at = (MARGIN, self.y);
        self.sheet().text(text, size, at);
        self.y -= down;
    }
}

/// The lines of a paragraph, broken at spaces.
fn wrapped(sheet: &Sheet, paragraph: &str, width: f32) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in paragraph.split_whitespace() {
        let longer =
            lines.last().map(|line| if line.is_empty() { word.to_owned() } else { format!("{line} {word}") });
        let longer = longer.unwrap_or_default();
        let last = lines.len() - 1;
        if lines[last].is_empty() || sheet.width_of(&longer, TEXT) <= width {
            lines[last] = longer;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
