//! LaTeX: the vocabulary of the package `havannah`, and `TikZ`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use stonework_board::{Cell, Diagram, Drawing, Figure, Notation, PagePoint, Paint, Rgb, Shape, Stone};

use crate::PictureError;

/// The largest board with a letter for each row.
const MOST: u8 = 13;
/// The greatest width of a `TikZ` picture, and the greatest size of a unit, in centimetres.
const WIDTH: f64 = 12.0;
const UNIT: f64 = 0.02;

/// A hexagon in the vocabulary of the LaTeX package `havannah` of M. Ciura, as in T. Ewalds, *Playing and solving
/// Havannah*, 2012: an environment `HavannahBoard` with stones as `\HStoneGroup`, numbered stones of alternating colours as
/// `\HGame`, and highlighted cells as `\HHexGroup`. Cells have the names of [`Notation::Hgui`]. O(cells).
///
/// ```
/// use stonework_board::{Board, Diagram, Stone};
/// let board = Board::hexagon(3)?;
/// let mut diagram = Diagram::new(board).coordinates(false);
/// for (name, number) in [("c3", "1"), ("c2", "2"), ("b3", "3")] {
///     let stone = if number == "2" { Stone::Dark } else { Stone::Light };
///     diagram = diagram.stone(board.parse(name)?, stone).label(board.parse(name)?, number);
/// }
/// let text = "\\begin{HavannahBoard}[board size=3,coordinate style=classical,show coordinates=false]
/// \\HGame{c3,c2,b3}
/// \\end{HavannahBoard}
/// ";
/// assert_eq!(stonework_picture::havannah_board(&diagram)?, text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PictureError::NoHavannah`] for a rhombus, and for a hexagon of more than 13 cells on a side.
pub fn havannah_board(diagram: &Diagram) -> Result<String, PictureError> {
    let board = diagram.board();
    let size = match board.shape() {
        Shape::Hexagon(size) if size <= MOST => size,
        shape => return Err(PictureError::NoHavannah { shape }),
    };
    let name = |cell: &Cell| Notation::Hgui.name_of(board, *cell).unwrap_or_default();
    let names = |cells: &[Cell]| cells.iter().map(name).collect::<Vec<_>>().join(",");
    let hidden = if diagram.has_coordinates() { "" } else { ",show coordinates=false" };
    let mut text =
        format!("\\begin{{HavannahBoard}}[board size={size},coordinate style=classical{hidden}]\n");
    let marked: Vec<Cell> = diagram.highlighted().collect();
    if !marked.is_empty() {
        text += "\\renewcommand\\HDrawHex{\\filldraw[draw=gray,fill=blue!20]}\n";
        let _ = writeln!(text, "\\HHexGroup{{{}}}", names(&marked));
    }
    let game = game(diagram);
    let mut groups: BTreeMap<(bool, Option<&str>), Vec<Cell>> = BTreeMap::new();
    for cell in board.cells().filter(|cell| !game.iter().any(|(_, placed)| placed == cell)) {
        if let Some(stone) = diagram.stone_on(cell) {
            groups.entry((stone == Stone::Light, diagram.label_on(cell))).or_default().push(cell);
        }
    }
    for ((light, label), cells) in groups {
        let label = label.map(|label| format!(",label={{{}}}", escaped(label))).unwrap_or_default();
        let colour = if light { "white" } else { "black" };
        let _ = writeln!(text, "\\HStoneGroup[color={colour}{label}]{{{}}}", names(&cells));
    }
    if let Some(&(first, cell)) = game.first() {
        let mut options = Vec::new();
        if diagram.stone_on(cell) == Some(Stone::Dark) {
            options.push("first player=black".to_owned());
        }
        if first != 1 {
            options.push(format!("first move label={first}"));
        }
        let options = if options.is_empty() { String::new() } else { format!("[{}]", options.join(",")) };
        let cells: Vec<Cell> = game.iter().map(|&(_, cell)| cell).collect();
        let _ = writeln!(text, "\\HGame{options}{{{}}}", names(&cells));
    }
    Ok(text + "\\end{HavannahBoard}\n")
}

/// The stones that are numbered without a gap, in the order of their numbers, if their colours alternate; otherwise none.
fn game(diagram: &Diagram) -> Vec<(u32, Cell)> {
    let numbered = |cell: Cell| {
        diagram.stone_on(cell)?;
        let label = diagram.label_on(cell)?;
        // The package writes the numbers itself: `+7` and `007` are other texts.
        let number = label.parse().ok().filter(|number: &u32| number.to_string() == label)?;
        Some((number, cell))
    };
    let mut game: Vec<(u32, Cell)> = diagram.board().cells().filter_map(numbered).collect();
    game.sort_unstable();
    let in_turn = |pair: &[(u32, Cell)]| {
        pair[0].0.checked_add(1) == Some(pair[1].0)
            && diagram.stone_on(pair[0].1) != diagram.stone_on(pair[1].1)
    };
    if game.windows(2).all(in_turn) { game } else { Vec::new() }
}

/// A drawing as a `tikzpicture`, at most 12 cm wide. O(parts).
#[must_use]
pub fn tikz(drawing: &Drawing) -> String {
    let unit = (WIDTH / f64::from(drawing.width())).min(UNIT);
    let mut colours: BTreeMap<Rgb, usize> = BTreeMap::new();
    let mut body = String::new();
    let mut open: Option<Paint> = None;
    for part in drawing.parts() {
        let name = |colour: Rgb, colours: &mut BTreeMap<Rgb, usize>| {
            let next = colours.len();
            format!("stone{}", letters(*colours.entry(colour).or_insert(next)))
        };
        let paint = part.paint;
        let fill = paint.fill.map(|fill| name(fill, &mut colours));
        let stroke = paint.stroke.map(|stroke| name(stroke, &mut colours));
        if let Figure::Text { centre, size, content } = &part.figure {
            body += if open.take().is_some() { ";\n" } else { "" };
            let points = f64::from(*size) / 100.0 * unit * 72.27 / 2.54;
            let colour = fill.unwrap_or_else(|| "black".to_owned());
            let _ = writeln!(
                body,
                "\\node[text={colour},font=\\sffamily\\fontsize{{{points:.1}}}{{{points:.1}}}\\selectfont] at {} {{{}}};",
                place(*centre),
                escaped(content)
            );
            continue;
        }
        // Neighbouring figures of equal colours are one path.
        if open != Some(paint) {
            body += if open.is_some() { ";\n" } else { "" };
            let mut options: Vec<String> = fill.map(|fill| format!("fill={fill}")).into_iter().collect();
            if let Some(stroke) = stroke {
                let points = f64::from(paint.width) / 100.0 * unit * 72.27 / 2.54;
                options.push(format!("draw={stroke},line width={points:.2}pt"));
                if paint.dashed {
                    options.push(format!("dash pattern=on {0:.2}pt off {0:.2}pt", 3.0 * points));
                }
            }
            let _ = write!(body, "\\path[{}]", options.join(","));
            open = Some(paint);
        }
        body.push('\n');
        body += &path(&part.figure, unit);
    }
    body += if open.is_some() { ";\n" } else { "" };
    let mut text =
        format!("\\begin{{tikzpicture}}[x={unit:.5}cm,y=-{unit:.5}cm,line cap=round,line join=round]\n");
    for (Rgb(r, g, b), number) in colours {
        let _ = writeln!(text, "\\definecolor{{stone{}}}{{RGB}}{{{r},{g},{b}}}", letters(number));
    }
    text + &body + "\\end{tikzpicture}\n"
}

/// A number below 26² as two letters.
fn letters(number: usize) -> String {
    [number / 26, number].iter().map(|number| char::from(b'a' + (number % 26) as u8)).collect()
}

fn place(PagePoint { x, y }: PagePoint) -> String {
    format!("({},{})", f64::from(x) / 100.0, f64::from(y) / 100.0)
}

/// A figure as a path of `TikZ`.
fn path(figure: &Figure, unit: f64) -> String {
    let run = |points: &[PagePoint]| points.iter().map(|&point| place(point)).collect::<Vec<_>>().join("--");
    let length = |hundredths: i32| format!("{:.4}cm", f64::from(hundredths) / 100.0 * unit);
    match figure {
        Figure::Polygon(points) => run(points) + "--cycle",
        Figure::Line(points) => run(points),
        Figure::Circle { centre, radius } => format!("{} circle[radius={}]", place(*centre), length(*radius)),
        Figure::Bar { from, to, round } => {
            format!("{{[rounded corners={}] {} rectangle {}}}", length(*round), place(*from), place(*to))
        }
        Figure::Text { .. } => String::new(),
    }
}

/// A text with the signs of LaTeX escaped.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '\\' => escaped += "\\textbackslash{}",
            '^' => escaped += "\\textasciicircum{}",
            '~' => escaped += "\\textasciitilde{}",
            // In the usual encoding of fonts, these three are other signs.
            '<' => escaped += "\\textless{}",
            '>' => escaped += "\\textgreater{}",
            '|' => escaped += "\\textbar{}",
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => escaped.extend(['\\', letter]),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Figures – [`havannah_board`] or [`tikz`] – as a complete document, each on a page of its own.
#[must_use]
pub fn latex_document(figures: &[String]) -> String {
    let package =
        if figures.iter().any(|figure| figure.contains("{HavannahBoard}")) { "havannah" } else { "tikz" };
    format!(
        "\\documentclass{{article}}\n\\usepackage{{{package}}}\n\\pagestyle{{empty}}\n\\begin{{document}}\n{}\\end{{document}}\n",
        figures.join("\\newpage\n")
    )
}
