//! [`plot`]: curves as SVG.

use std::fmt::Write;

use super::Curve;
use crate::table::escaped;

/// The width and the height of the field of curves; the margins around it.
const FIELD: (f64, f64) = (640.0, 320.0);
const LEFT: f64 = 56.0;
const TOP: f64 = 32.0;

/// A picture of some curves over the rounds, with a legend, without scripts, style sheets or fonts from elsewhere.
/// The vertical scale covers all values, and at least the range from 0 to 1. A value that is not finite leaves a gap.
///
/// ```
/// let svg = stonework_arena::tune::plot("fitness", &[("best".into(), vec![0.5, 0.7, 0.9])]);
/// assert!(svg.starts_with("<svg") && svg.contains("<polyline") && svg.contains(">best</text>"));
/// ```
#[must_use]
pub fn plot(title: &str, curves: &[Curve]) -> String {
    let finite = || curves.iter().flat_map(|curve| &curve.1).copied().filter(|y| y.is_finite());
    let (low, high) = (finite().fold(0.0, f64::min), finite().fold(1.0, f64::max));
    let rounds = curves.iter().map(|curve| curve.1.len()).max().unwrap_or(0);
    let x = |round: usize| LEFT + FIELD.0 * round as f64 / (rounds.max(2) - 1) as f64;
    let y = |value: f64| TOP + FIELD.1 * (high - value) / (high - low);
    let (width, height) =
        (LEFT + FIELD.0 + 200.0, (TOP + FIELD.1 + 40.0).max(TOP + 20.0 * curves.len() as f64));
    let mut svg = String::new();
    let mut add = |line: std::fmt::Arguments<'_>| {
        // Writing to a string does not fail.
        let _ = svg.write_fmt(line);
        svg.push('\n');
    };
    add(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-weight=\"bold\">{}</text>",
        escaped(title)
    ));
    for step in 0..=4 {
        let value = low + (high - low) * f64::from(step) / 4.0;
        let (at, right, label) = (y(value), LEFT + FIELD.0, LEFT - 6.0);
        add(format_args!(
            "<line x1=\"{LEFT}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#ccc\"/>\
             <text x=\"{label}\" y=\"{:.1}\" text-anchor=\"end\">{value:.2}</text>",
            at + 4.0
        ));
    }
    for round in [0, rounds.saturating_sub(1)] {
        let (at, below) = (x(round), TOP + FIELD.1 + 20.0);
        add(format_args!("<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{}</text>", round + 1));
    }
    for (index, (name, values)) in curves.iter().enumerate() {
        // Hues that are a golden angle apart differ, whatever the number of curves is.
        let hue = (index as f64 * 137.508) % 360.0;
        let (at, row) = (LEFT + FIELD.0 + 16.0, TOP + 20.0 * index as f64 + 12.0);
        let colour = format!("hsl({hue:.0},70%,40%)");
        let points: Vec<(usize, f64)> = values.iter().copied().enumerate().collect();
        for part in points.split(|(_, value)| !value.is_finite()).filter(|part| !part.is_empty()) {
            let points: Vec<String> =
                part.iter().map(|&(round, value)| format!("{:.1},{:.1}", x(round), y(value))).collect();
            let points = points.join(" ");
            add(format_args!(
                "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
            ));
        }
        add(format_args!("<text x=\"{at}\" y=\"{row}\" fill=\"{colour}\">{}</text>", escaped(name)));
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_not_finite_leaves_a_gap() {
        let svg = plot("gaps", &[("one".into(), vec![f64::NAN, 0.0, 1.0, f64::INFINITY, 0.5])]);
        let lines: Vec<usize> = svg
            .lines()
            .filter_map(|line| line.strip_prefix("<polyline points=\"")?.split_once('"'))
            .map(|(points, _)| points.split(' ').count())
            .collect();
        assert_eq!(lines, [2, 1]);
    }
}
