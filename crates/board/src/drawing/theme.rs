//! [`Theme`]: the colours of a picture.

use std::fmt;

use crate::Stone;

/// A colour: red, green and blue, 0 to 255 each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// The text is like `#1c5d8c`.
impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

impl Rgb {
    /// The colour of six hexadecimal digits in small letters.
    const fn of(digits: &str) -> Self {
        const fn part(digits: &[u8], at: usize) -> u8 {
            let (high, low) = (digits[at], digits[at + 1]);
            let high = if high < b'a' { high - b'0' } else { high - b'a' + 10 };
            let low = if low < b'a' { low - b'0' } else { low - b'a' + 10 };
            16 * high + low
        }
        let digits = digits.as_bytes();
        Self(part(digits, 0), part(digits, 2), part(digits, 4))
    }

    /// The colour at a place on the way to another one: 0 of `steps` is this colour, `steps` of `steps` the other one.
    pub(crate) fn towards(self, other: Self, step: u8, steps: u8) -> Self {
        let (step, steps) = (u32::from(step), u32::from(steps.max(1)));
        let mix = |a: u8, b: u8| ((u32::from(a) * (steps - step) + u32::from(b) * step) / steps) as u8;
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }
}

/// The colours of a stone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StoneLook {
    /// The stone.
    pub fill: Rgb,
    /// Its outline.
    pub rim: Rgb,
    /// The text on the stone.
    pub label: Rgb,
}

impl StoneLook {
    const fn of([fill, rim, label]: [&str; 3]) -> Self {
        Self { fill: Rgb::of(fill), rim: Rgb::of(rim), label: Rgb::of(label) }
    }
}

/// The colours of the two kinds of stones, the colours of [`Stone::Light`] first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum StoneColours {
    /// White and black, as in Havannah.
    #[default]
    WhiteBlack,
    /// Red and blue, as in Cachex.
    RedBlue,
    /// Blue and red, as in Cover.
    BlueRed,
}

/// The colours of a picture. The themes of this crate are [`Theme::ALL`]; a caller can make others.
///
/// ```
/// use stonework_board::{Board, Diagram, Theme};
/// let theme = Theme::named("dark")?;
/// let svg = Diagram::new(Board::hexagon(3)?).theme(theme).svg();
/// assert!(svg.contains(&theme.board.to_string()));
/// assert_eq!(Theme::named("pink").unwrap_err().to_string(),
///     "no theme `pink`: there are paper, wood, dark, contrast and colour-blind");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme {
    /// The name.
    pub name: &'static str,
    /// The page.
    pub background: Rgb,
    /// A cell.
    pub board: Rgb,
    /// A location of the diagonal lattice on which a stone stands upright.
    pub upright: Rgb,
    /// A corner of a hexagon, and a homebase of the diagonal lattice.
    pub corner: Rgb,
    /// The lines between cells, or on which the stones of the diagonal lattice lie.
    pub line: Rgb,
    /// A text on the page or on an empty cell.
    pub ink: Rgb,
    /// A coordinate.
    pub faint: Rgb,
    /// A highlighted cell.
    pub tint: Rgb,
    /// The line around highlighted cells.
    pub outline: Rgb,
    /// An arrow, and the line of a shot.
    pub arrow: Rgb,
    /// The least and the most heat.
    pub heat: [Rgb; 2],
    /// The cells of each [`CellClass`](crate::CellClass), in the order of its variants.
    pub classes: [Rgb; 4],
    /// White stones.
    pub white: StoneLook,
    /// Black stones.
    pub black: StoneLook,
    /// Red stones.
    pub red: StoneLook,
    /// Blue stones.
    pub blue: StoneLook,
}

impl Default for Theme {
    fn default() -> Self {
        Self::PAPER
    }
}

impl Theme {
    /// Warm white cells on white, for a page of text. The default.
    pub const PAPER: Self = Self {
        name: "paper",
        background: Rgb::of("ffffff"),
        board: Rgb::of("f5ecdb"),
        upright: Rgb::of("e2d8c3"),
        corner: Rgb::of("e9dabb"),
        line: Rgb::of("b3a486"),
        ink: Rgb::of("242424"),
        faint: Rgb::of("5c5545"),
        tint: Rgb::of("b9d3e6"),
        outline: Rgb::of("1c5d8c"),
        arrow: Rgb::of("a33b1f"),
        heat: [Rgb::of("fbf3df"), Rgb::of("e06a2b")],
        classes: [Rgb::of("fffbf0"), Rgb::of("c9bfab"), Rgb::of("d9e8c8"), Rgb::of("e4ded2")],
        white: StoneLook::of(["ffffff", "242424", "242424"]),
        black: StoneLook::of(["242424", "242424", "ffffff"]),
        red: StoneLook::of(["c43d31", "6b1c15", "ffffff"]),
        blue: StoneLook::of(["336fb5", "163b66", "ffffff"]),
    };

    /// A wooden board.
    pub const WOOD: Self = Self {
        name: "wood",
        background: Rgb::of("f6e7c9"),
        board: Rgb::of("e2b976"),
        upright: Rgb::of("d0a15c"),
        corner: Rgb::of("d2a055"),
        line: Rgb::of("8c5f2c"),
        ink: Rgb::of("2b1a0c"),
        faint: Rgb::of("6a4825"),
        tint: Rgb::of("f7e28f"),
        outline: Rgb::of("7a2e0e"),
        arrow: Rgb::of("7a1414"),
        heat: [Rgb::of("eac98d"), Rgb::of("e8663a")],
        classes: [Rgb::of("f3ddb0"), Rgb::of("a8804a"), Rgb::of("c9c477"), Rgb::of("c9ab7b")],
        white: StoneLook::of(["fdf9ee", "5a452c", "2b1a0c"]),
        black: StoneLook::of(["1e1813", "0d0a08", "fdf9ee"]),
        red: StoneLook::of(["a8261d", "55100b", "ffffff"]),
        blue: StoneLook::of(["235593", "102c50", "ffffff"]),
    };

    /// A dark page.
    pub const DARK: Self = Self {
        name: "dark",
        background: Rgb::of("171a1f"),
        board: Rgb::of("38404a"),
        upright: Rgb::of("2b3139"),
        corner: Rgb::of("4a5562"),
        line: Rgb::of("6b7785"),
        ink: Rgb::of("eceae4"),
        faint: Rgb::of("aab3bf"),
        tint: Rgb::of("2d5f82"),
        outline: Rgb::of("74c4f3"),
        arrow: Rgb::of("f2b134"),
        heat: [Rgb::of("404954"), Rgb::of("a04a1a")],
        classes: [Rgb::of("5b6673"), Rgb::of("22272e"), Rgb::of("406043"), Rgb::of("303338")],
        white: StoneLook::of(["f2f1ec", "101216", "171a1f"]),
        black: StoneLook::of(["0b0d10", "9fa9b5", "f2f1ec"]),
        red: StoneLook::of(["e05a4c", "300d0a", "171a1f"]),
        blue: StoneLook::of(["5a9be0", "0b1f38", "171a1f"]),
    };

    /// Black lines on white, for poor eyes and poor printers.
    pub const CONTRAST: Self = Self {
        name: "contrast",
        background: Rgb::of("ffffff"),
        board: Rgb::of("ffffff"),
        upright: Rgb::of("e6e6e6"),
        corner: Rgb::of("dcdcdc"),
        line: Rgb::of("000000"),
        ink: Rgb::of("000000"),
        faint: Rgb::of("000000"),
        tint: Rgb::of("ffe14d"),
        outline: Rgb::of("000000"),
        arrow: Rgb::of("b00020"),
        heat: [Rgb::of("ffffff"), Rgb::of("ff9a00")],
        classes: [Rgb::of("fff4c2"), Rgb::of("b8b8b8"), Rgb::of("bfe6ff"), Rgb::of("e0e0e0")],
        white: StoneLook::of(["ffffff", "000000", "000000"]),
        black: StoneLook::of(["000000", "000000", "ffffff"]),
        red: StoneLook::of(["d0001c", "000000", "ffffff"]),
        blue: StoneLook::of(["0037a8", "000000", "ffffff"]),
    };

    /// Colours that people with any colour vision tell apart, from M. Okabe and K. Ito, *Color universal design*, 2002.
    pub const COLOUR_BLIND: Self = Self {
        name: "colour-blind",
        background: Rgb::of("ffffff"),
        board: Rgb::of("f4f4f0"),
        upright: Rgb::of("dfdfda"),
        corner: Rgb::of("ddddd6"),
        line: Rgb::of("999992"),
        ink: Rgb::of("1a1a1a"),
        faint: Rgb::of("555550"),
        tint: Rgb::of("f0e442"),
        outline: Rgb::of("000000"),
        arrow: Rgb::of("cc79a7"),
        heat: [Rgb::of("f4f4f0"), Rgb::of("009e73")],
        classes: [Rgb::of("f7d98a"), Rgb::of("9ccfee"), Rgb::of("e3b5cf"), Rgb::of("d0d0ca")],
        white: StoneLook::of(["ffffff", "1a1a1a", "1a1a1a"]),
        black: StoneLook::of(["1a1a1a", "1a1a1a", "ffffff"]),
        red: StoneLook::of(["d55e00", "4a2100", "000000"]),
        blue: StoneLook::of(["0072b2", "00263c", "ffffff"]),
    };

    /// All themes of this crate.
    pub const ALL: [Self; 5] = [Self::PAPER, Self::WOOD, Self::DARK, Self::CONTRAST, Self::COLOUR_BLIND];

    /// The theme with a name.
    ///
    /// # Errors
    /// [`ThemeError`] if there is none.
    pub fn named(name: &str) -> Result<Self, ThemeError> {
        let found = Self::ALL.into_iter().find(|theme| theme.name == name);
        found.ok_or_else(|| ThemeError { name: crate::notation::shorten(name) })
    }

    /// The colours of a stone.
    #[must_use]
    pub const fn stone(&self, colours: StoneColours, stone: Stone) -> StoneLook {
        match (colours, stone) {
            (StoneColours::WhiteBlack, Stone::Light) => self.white,
            (StoneColours::WhiteBlack, Stone::Dark) => self.black,
            (StoneColours::RedBlue, Stone::Light) | (StoneColours::BlueRed, Stone::Dark) => self.red,
            (StoneColours::RedBlue, Stone::Dark) | (StoneColours::BlueRed, Stone::Light) => self.blue,
        }
    }
}

/// The refusal of a name that no theme has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no theme `{name}`: there are paper, wood, dark, contrast and colour-blind")]
pub struct ThemeError {
    /// The name (its beginning, if it is long).
    pub name: String,
}
