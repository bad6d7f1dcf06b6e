//! [`Overlay`]: marks on the cells of a diagram.

use std::collections::BTreeMap;

use super::{Drawing, Figure, PagePoint, Paint, StoneLook};
use crate::draw::{Point, one_line};
use crate::{Cell, CellSet, Rgb, Stone, Theme};

/// The number of shades of heat above the least one.
const SHADES: u8 = 24;

/// A class of cells with a colour of its own in each [`Theme`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CellClass {
    /// Cells of the side with light stones, such as the carrier of its connection.
    Light,
    /// Cells of the side with dark stones.
    Dark,
    /// Cells that matter to both sides, such as those of a must-play.
    Shared,
    /// Cells that matter to neither side, such as dead cells.
    Dead,
}

/// Marks on the cells of a diagram: labels, highlights, heat, ghosts, classes of cells, arrows and shots.
///
/// SVG and all that a [`Drawing`] becomes show all marks. Text shows labels, highlights, ghosts and heat.
///
/// ```
/// use stonework_board::{Board, Diagram, Overlay, Stone};
/// let board = Board::hexagon(3)?;
/// let cell = |name| board.parse(name);
/// let overlay = Overlay::new()
///     .heat(cell("a1")?, 1.0)
///     .heat(cell("a2")?, 0.31)
///     .ghost(cell("c3")?, Stone::Dark)
///     .label(cell("e5")?, "7")
///     .highlight([cell("c1")?])
///     .arrow(cell("c1")?, cell("c3")?);
/// let text = "
///      1 2 3
///   a 9 3 . 4
///  b . . . . 5
/// c .*. @?. .
///  d . . . .
///   e . . 7";
/// assert_eq!(Diagram::new(board).overlay(overlay).text(), text.trim_start_matches('\n'));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[must_use = "an overlay does nothing until a diagram has it"]
pub struct Overlay {
    pub(crate) labels: BTreeMap<Cell, String>,
    pub(crate) highlights: CellSet,
    pub(crate) heat: BTreeMap<Cell, f64>,
    pub(crate) ghosts: BTreeMap<Cell, Stone>,
    classes: BTreeMap<Cell, CellClass>,
    arrows: Vec<[Cell; 2]>,
    shots: Vec<[Cell; 2]>,
}

impl Overlay {
    /// No marks.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes a label on a cell, such as the number of a move or a value: `7:O` in text, on the stone in a drawing. On an
    /// empty cell the label replaces the dot. Control characters become spaces. An empty label removes the label before.
    pub fn label(mut self, cell: Cell, label: impl AsRef<str>) -> Self {
        match one_line(label.as_ref()) {
            label if label.is_empty() => self.labels.remove(&cell),
            label => self.labels.insert(cell, label),
        };
        self
    }

    /// Marks cells, such as a winning chain, in addition to cells marked before: `O*` in text, tinted and outlined together in
    /// a drawing.
    pub fn highlight(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.highlights.extend(cells);
        self
    }

    /// Colours a cell by a share from 0 to 1, such as the share of a search's visits. A share below 0, and one that is no
    /// number, is drawn as 0, a share above 1 as 1. Text has a digit from 0 to 9 on an empty cell without a label.
    pub fn heat(mut self, cell: Cell, share: f64) -> Self {
        self.heat.insert(cell, if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) });
        self
    }

    /// Draws a stone that is not on the board: one that was captured, or one that is proposed. It is pale with a dashed outline
    /// in a drawing, and has a question mark in text. A cell with a stone shows no ghost.
    pub fn ghost(mut self, cell: Cell, stone: Stone) -> Self {
        self.ghosts.insert(cell, stone);
        self
    }

    /// Colours cells as members of a class. A cell has one class, the last one.
    pub fn class(mut self, cells: impl IntoIterator<Item = Cell>, class: CellClass) -> Self {
        self.classes.extend(cells.into_iter().map(|cell| (cell, class)));
        self
    }

    /// Draws an arrow from cell to cell, such as the step of a stone. An arrow from a cell to itself is not drawn.
    pub fn arrow(mut self, from: Cell, to: Cell) -> Self {
        self.arrows.push([from, to]);
        self
    }

    /// Draws the line of a shot from cell to cell, with a cross at its end.
    pub fn shot(mut self, from: Cell, to: Cell) -> Self {
        self.shots.push([from, to]);
        self
    }

    /// `true` if there are no marks but highlights, and labels on stones.
    pub(crate) fn is_plain(&self, has_stone: impl Fn(Cell) -> bool) -> bool {
        let others =
            [self.heat.len(), self.ghosts.len(), self.classes.len(), self.arrows.len(), self.shots.len()];
        others == [0; 5] && self.labels.keys().all(|&cell| has_stone(cell))
    }

    /// Adds the marks of another overlay, which replace labels, heat, ghosts and classes of the same cells.
    pub fn and(mut self, other: Self) -> Self {
        self.labels.extend(other.labels);
        self.highlights.extend(other.highlights);
        self.heat.extend(other.heat);
        self.ghosts.extend(other.ghosts);
        self.classes.extend(other.classes);
        self.arrows.extend(other.arrows);
        self.shots.extend(other.shots);
        self
    }

    /// All cells with a mark, some of them more than once.
    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> {
        let marked = self.labels.keys().chain(self.heat.keys()).chain(self.ghosts.keys()).copied();
        let lines = self.arrows.iter().chain(&self.shots).flatten().copied();
        marked.chain(self.classes.keys().copied()).chain(lines).chain(self.highlights.iter())
    }

    /// The digit of a cell's heat in text.
    pub(crate) fn digit(&self, cell: Cell) -> Option<char> {
        let share = self.heat.get(&cell)?;
        char::from_digit((share * 9.0).round() as u32, 10)
    }
}

/// The places of a lattice's cells on a page.
pub(crate) trait Ground {
    /// The centre of a cell.
    fn place(&self, cell: Cell) -> Point;
    /// The corners of a cell, and for each side, from its corner to the next one, the cell beyond.
    fn border(&self, cell: Cell) -> Vec<(Point, Option<Cell>)>;
    /// The figure of a stone.
    fn stone(&self, cell: Cell) -> Figure;
    /// The size of a label on a cell.
    fn label_size(&self, cell: Cell, letters: usize) -> f64;
    /// `true` if a label on an empty cell needs a plate, as a line runs below it.
    fn plated(&self) -> bool;
}

/// Paints the polygon of a cell.
fn cell(ground: &impl Ground, at: Cell) -> Figure {
    Figure::Polygon(ground.border(at).iter().map(|(corner, _)| corner.page()).collect())
}

/// Paints classes of cells, heat, and the highlighted cells with a line around each group.
pub(crate) fn tints(ground: &impl Ground, overlay: &Overlay, theme: &Theme, out: &mut Drawing) {
    let tinted = |fill: Rgb| Paint::both(fill, theme.line, 100);
    for (&at, &class) in &overlay.classes {
        out.paint(cell(ground, at), tinted(theme.classes[class as usize]));
    }
    for (&at, share) in &overlay.heat {
        let shade = (share * f64::from(SHADES)).round() as u8;
        out.paint(cell(ground, at), tinted(theme.heat[0].towards(theme.heat[1], shade, SHADES)));
    }
    let marked = &overlay.highlights;
    for at in marked {
        out.paint(cell(ground, at), tinted(theme.tint));
    }
    for at in marked {
        let border = ground.border(at);
        for (side, (from, beyond)) in border.iter().enumerate() {
            if beyond.is_none_or(|beyond| !marked.contains(beyond)) {
                let to = border[(side + 1) % border.len()].0;
                out.paint(Figure::Line(vec![from.page(), to.page()]), Paint::line(theme.outline, 300));
            }
        }
    }
}

/// Paints the ghosts on cells without a stone.
pub(crate) fn ghosts(
    ground: &impl Ground,
    overlay: &Overlay,
    theme: &Theme,
    look: impl Fn(Stone) -> StoneLook,
    taken: impl Fn(Cell) -> bool,
    out: &mut Drawing,
) {
    for (&at, &stone) in overlay.ghosts.iter().filter(|&(&at, _)| !taken(at)) {
        let StoneLook { fill, rim, .. } = look(stone);
        let pale = |colour: Rgb| colour.towards(theme.board, 5, 8);
        let paint = Paint { dashed: true, ..Paint::both(pale(fill), rim, 140) };
        out.paint(ground.stone(at), paint);
    }
}

/// Paints the labels: on stones in the colour of their letters, on other cells in ink.
pub(crate) fn labels(
    ground: &impl Ground,
    overlay: &Overlay,
    theme: &Theme,
    on: impl Fn(Cell) -> Option<Rgb>,
    out: &mut Drawing,
) {
    for (&at, label) in &overlay.labels {
        let letters = label.chars().count();
        let size = (ground.label_size(at, letters) * 100.0).round() as i32;
        let (centre, stone) = (ground.place(at).page(), on(at));
        if stone.is_none() && ground.plated() {
            let half = PagePoint { x: size * letters as i32 * 36 / 100, y: size * 55 / 100 };
            let from = PagePoint { x: centre.x - half.x, y: centre.y - half.y };
            let to = PagePoint { x: centre.x + half.x, y: centre.y + half.y };
            out.paint(Figure::Bar { from, to, round: size / 4 }, Paint::filled(theme.board));
        }
        let text = Figure::Text { centre, size, content: label.clone() };
        out.paint(text, Paint::filled(stone.unwrap_or(theme.ink)));
    }
}

/// Paints shots and arrows, on top of the stones.
pub(crate) fn paths(ground: &impl Ground, overlay: &Overlay, theme: &Theme, out: &mut Drawing) {
    let paint = Paint::line(theme.arrow, 260);
    let line = |points: &[Point]| Figure::Line(points.iter().map(|point| point.page()).collect());
    for &[from, to] in &overlay.shots {
        let (from, to) = (ground.place(from), ground.place(to));
        out.paint(line(&[from, to]), Paint { dashed: true, ..paint });
        for x in [-6.0, 6.0] {
            let ends = [-1.0, 1.0].map(|end| to.moved(Point { x, y: 6.0 }, end));
            out.paint(line(&ends), paint);
        }
    }
    for &[from, to] in overlay.arrows.iter().filter(|[from, to]| from != to) {
        let (from, to) = (ground.place(from), ground.place(to));
        let way = Point { x: to.x - from.x, y: to.y - from.y };
        let along = Point { x: way.x / way.x.hypot(way.y), y: way.y / way.x.hypot(way.y) };
        let across = Point { x: -along.y, y: along.x };
        let neck = to.moved(along, -11.0);
        out.paint(line(&[from, neck]), paint);
        let head = [to, neck.moved(across, 5.5), neck.moved(across, -5.5)].map(Point::page);
        out.paint(Figure::Polygon(head.to_vec()), Paint::both(theme.arrow, theme.arrow, 60));
    }
}
