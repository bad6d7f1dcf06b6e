//! [`Paint`]: the colours of the screen, or none.

use ratatui::style::{Color, Modifier, Style};
use stonework_board::Stone;

/// The colours of the screen, or none. Every difference that a colour shows is shown by a character or by bold, reversed
/// or underlined text, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Paint {
    pub(crate) plain: bool,
}

/// The shades of a cell from few visits to many, on a board of wood.
const SHADES: [u8; 5] = [180, 179, 215, 208, 202];

/// The colour of the empty board.
const WOOD: u8 = 180;

impl Paint {
    fn coloured(self, style: Style, colour: impl FnOnce(Style) -> Style) -> Style {
        if self.plain { style } else { colour(style) }
    }

    /// The style of a side, by its name.
    fn side(self, name: &str, first: bool) -> Style {
        let colour = match name {
            "red" => 124,
            "blue" => 19,
            _ if first => 231,
            _ => 16,
        };
        self.coloured(Style::new(), |style| style.fg(Color::Indexed(colour)).add_modifier(Modifier::BOLD))
    }

    /// A cell of the board.
    pub(crate) fn cell(self, stone: Option<Stone>, sides: [&str; 2]) -> Style {
        let style = match stone {
            Some(Stone::Light) => self.side(sides[0], true),
            Some(Stone::Dark) => self.side(sides[1], false),
            None => self.coloured(Style::new(), |style| style.fg(Color::Indexed(58))),
        };
        self.coloured(style, |style| style.bg(Color::Indexed(WOOD)))
    }

    /// The shade of a cell with a share of the visits from 0 to 1.
    pub(crate) fn shade(self, share: f64) -> Style {
        let shade = SHADES[((share * SHADES.len() as f64) as usize).min(SHADES.len() - 1)];
        self.coloured(Style::new(), |style| style.bg(Color::Indexed(shade)))
    }

    /// A cell that a picture marks.
    pub(crate) fn marked(self) -> Style {
        self.coloured(Style::new().add_modifier(Modifier::UNDERLINED), |style| style.bg(Color::Indexed(114)))
    }

    /// The value of a move: a win, a loss, or neither, for the side to move.
    pub(crate) fn value(self, sign: i32) -> Style {
        let colour = match sign {
            1 => 22,
            -1 => 88,
            _ => 240,
        };
        self.coloured(Style::new().add_modifier(Modifier::BOLD), |style| style.fg(Color::Indexed(colour)))
    }

    /// Text that is less important.
    pub(crate) fn quiet(self) -> Style {
        self.coloured(Style::new(), |style| style.add_modifier(Modifier::DIM))
    }

    /// A heading, and the row or page that is chosen.
    pub(crate) const fn strong() -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The cursor.
    pub(crate) const fn reversed() -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}
