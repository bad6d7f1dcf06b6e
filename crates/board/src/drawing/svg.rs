//! Drawings as SVG.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::{Drawing, Figure, PagePoint, Paint, Rgb};

const FONT: &str = "Helvetica, Arial, 'Liberation Sans', sans-serif";

/// Hundredths as a decimal number without zeros at its end.
struct Decimal(i32);

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (whole, part) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        let sign = if self.0 < 0 { "-" } else { "" };
        match part {
            0 => write!(f, "{sign}{whole}"),
            tenths if tenths % 10 == 0 => write!(f, "{sign}{whole}.{}", tenths / 10),
            hundredths => write!(f, "{sign}{whole}.{hundredths:02}"),
        }
    }
}

/// The text is like `12.5 -3`.
impl std::fmt::Display for PagePoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", Decimal(self.x), Decimal(self.y))
    }
}

pub(super) fn write(drawing: &Drawing) -> String {
    let (width, height) = (drawing.width, drawing.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"{FONT}\" text-anchor=\"middle\" stroke-linecap=\"round\" \
         stroke-linejoin=\"round\">\n"
    );
    if let Some(title) = &drawing.title {
        let _ = writeln!(out, "<title>{}</title>", escape(title));
    }
    let background = drawing.background;
    let _ = writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"{background}\"/>");
    let mut path: Option<Paint> = None;
    for part in &drawing.parts {
        // Neighbouring polygons and lines of equal colours are one path.
        if path.is_some_and(|open| open != part.paint || outline(&part.figure).is_none()) {
            out += "\"/>\n";
            path = None;
        }
        if let Some(outline) = outline(&part.figure) {
            if path.is_some() {
                out.push('\n');
            } else {
                let _ = write!(out, "<path {} d=\"", look(&part.paint));
                path = Some(part.paint);
            }
            out += &outline;
        } else {
            out += &shape(&part.figure, &part.paint);
        }
    }
    if path.is_some() {
        out += "\"/>\n";
    }
    out + "</svg>\n"
}

/// The outline of a polygon or line: its start, and steps from point to point.
fn outline(figure: &Figure) -> Option<String> {
    let (points, end) = match figure {
        Figure::Polygon(points) => (points, "z"),
        Figure::Line(points) => (points, ""),
        _ => return None,
    };
    let mut outline = format!("M{}", points.first()?);
    for (at, pair) in points.windows(2).enumerate() {
        let step = PagePoint { x: pair[1].x - pair[0].x, y: pair[1].y - pair[0].y };
        let _ = write!(outline, "{}{step}", if at == 0 { "l" } else { " " });
    }
    Some(outline + end)
}

/// The attributes of colours.
fn look(paint: &Paint) -> String {
    let mut look = format!("fill=\"{}\"", paint.fill.map_or("none".to_owned(), |fill| fill.to_string()));
    if let Some(stroke) = paint.stroke {
        let _ = write!(look, " stroke=\"{stroke}\" stroke-width=\"{}\"", Decimal(paint.width));
        if paint.dashed {
            let _ = write!(look, " stroke-dasharray=\"{}\"", Decimal(3 * paint.width));
        }
    }
    look
}

/// The element of a figure that is no path.
fn shape(figure: &Figure, paint: &Paint) -> String {
    match figure {
        Figure::Circle { centre, radius } => format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}/>\n",
            Decimal(centre.x),
            Decimal(centre.y),
            Decimal(*radius),
            look(paint)
        ),
        Figure::Bar { from, to, round } => format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" {}/>\n",
            Decimal(from.x),
            Decimal(from.y),
            Decimal(to.x - from.x),
            Decimal(to.y - from.y),
            Decimal(*round),
            look(paint)
        ),
        // The middle of capitals and digits is about a third of the font size above the base line.
        Figure::Text { centre, size, content } => format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\">{}</text>\n",
            Decimal(centre.x),
            Decimal(centre.y + 35 * size / 100),
            Decimal(*size),
            paint.fill.unwrap_or(Rgb(0, 0, 0)),
            escape(content)
        ),
        Figure::Polygon(_) | Figure::Line(_) => String::new(),
    }
}

/// Escapes the text of an element, which has no control characters.
fn escape(text: &str) -> Cow<'_, str> {
    let special = |c: char| matches!(c, '&' | '<' | '>' | '\u{fffe}' | '\u{ffff}');
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            other => escaped.push(other),
        }
    }
    Cow::Owned(escaped)
}
