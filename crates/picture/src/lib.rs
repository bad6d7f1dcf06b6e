//! Pictures of boards as files: PNG, still and animated GIF, PDF and LaTeX, and kits to print.
//!
//! **A picture**: a diagram of `stonework-board`, with a theme and marks, becomes a drawing, and the drawing a file:
//!
//! ```
//! use stonework_board::{Board, Diagram, Overlay, Stone, Theme};
//! let board = Board::hexagon(5)?;
//! let [e5, d4] = [board.parse("e5")?, board.parse("d4")?];
//! let diagram = Diagram::new(board).stone(e5, Stone::Light).theme(Theme::named("wood")?);
//! let diagram = diagram.overlay(Overlay::new().heat(d4, 0.8).label(d4, "63"));
//! let png = stonework_picture::png(&diagram.drawing(), 600)?;
//! assert!(png.starts_with(b"\x89PNG") && png.len() < 60_000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **A film**: one frame for each position of a game:
//!
//! ```
//! use stonework_board::{Board, Diagram, Stone};
//! use stonework_picture::{FilmFrame, gif};
//! let board = Board::rhombus(4)?;
//! let cells: Vec<_> = board.row(1).collect();
//! let after = |count: usize| Diagram::new(board).stones(cells[..count].iter().copied(), Stone::Dark).drawing();
//! let frames: Vec<_> = (0..=4).map(|count| FilmFrame { drawing: after(count), millis: 600 }).collect();
//! assert!(gif(&frames, 300)?.starts_with(b"GIF89a"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Print**: PDF, a page for each drawing, and text for LaTeX:
//!
//! ```
//! use stonework_board::{Board, Diagram, Diagonal, DiagonalDiagram, Stone};
//! let board = Board::hexagon(4)?;
//! let diagram = Diagram::new(board).stone(board.parse("b3")?, Stone::Dark);
//! assert!(stonework_picture::pdf(&[diagram.drawing()])?.starts_with(b"%PDF-"));
//! let figure = stonework_picture::havannah_board(&diagram)?;
//! assert!(figure.contains("\\HStoneGroup[color=black]{b3}"));
//! let cover = DiagonalDiagram::new(Diagonal::of(2)?).drawing();
//! assert!(stonework_picture::tikz(&cover).starts_with("\\begin{tikzpicture}"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | function | file | limits |
//! |---|---|---|
//! | [`png()`] | PNG with a palette | sides of [`MAX_SIDE`] pixels |
//! | [`gif()`] | GIF, still or animated | [`MAX_FRAMES`] frames, [`MAX_PIXELS`] changed pixels |
//! | [`pdf()`] | PDF, a page for each drawing | [`MAX_FRAMES`] pages |
//! | [`Kit::pdf`] | board, stones and rules to print and cut out | A4 or Letter |
//! | [`PictureFormat::file`] | each of these, SVG and text, by the name of the format | the same; [`MAX_TEXTS`] pictures as text |
//! | [`havannah_board`], [`tikz`], [`latex_document`] | LaTeX | |
//!
//! The same drawing gives the same bytes on every machine: the font, `DejaVu` Sans for European languages, is in the crate. Its
//! licence is `font/LICENSE`. A letter that it lacks is an empty box.
//!
//! What this crate does not do: it knows no games, it reads no records, and it opens no files. SVG and text are in
//! `stonework-board`. The crate has no features.

mod canvas;
mod film;
mod font;
mod format;
mod kit;
mod latex;
mod outline;
mod palette;
mod pdf;
mod still;

use std::ops::RangeInclusive;

pub use film::{FilmFrame, gif};
pub use format::{PictureFormat, Shown};
pub use kit::{Kit, KitStones, Paper};
pub use latex::{havannah_board, latex_document, tikz};
pub use pdf::pdf;
pub use still::png;
use stonework_board::Shape;

/// The longest side of a picture, in pixels.
pub const MAX_SIDE: u32 = 4096;

/// The most frames of an animation, and the most pages of a file of PDF or LaTeX.
pub const MAX_FRAMES: usize = 500;

/// The most pictures of a file of text. A picture takes some four kilobytes of memory until the file is written.
pub const MAX_TEXTS: usize = 20_000;

/// The most pixels that an animation may change, with all pixels of the first frame: some ten seconds of work.
pub const MAX_PIXELS: u64 = 500_000_000;

/// The shortest and the longest time of a frame, in milliseconds. Browsers slow shorter times down.
pub const DELAYS: RangeInclusive<u32> = 20..=60_000;

/// The reason why there is no picture.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The width is 0, or more than [`MAX_SIDE`].
    #[error("a picture {width} pixels wide: widths are 1 to {MAX_SIDE}")]
    Width {
        /// The refused width.
        width: u32,
    },
    /// The height that follows from the width is more than [`MAX_SIDE`].
    #[error("a picture {width} pixels wide is {height} pixels high: the most is {MAX_SIDE}")]
    Height {
        /// The width.
        width: u32,
        /// The height.
        height: u32,
    },
    /// The number of frames or pages is 0, or more than [`MAX_FRAMES`].
    #[error("{frames} frames: a file has 1 to {MAX_FRAMES}")]
    Frames {
        /// The number of frames.
        frames: usize,
    },
    /// More than [`MAX_TEXTS`] pictures as text.
    #[error("{texts} pictures as text: a file has at most {MAX_TEXTS}")]
    Texts {
        /// The number of pictures.
        texts: usize,
    },
    /// The time of a frame is outside of [`DELAYS`].
    #[error("a frame of {millis} ms: times are {} to {} ms", DELAYS.start(), DELAYS.end())]
    Delay {
        /// The refused time.
        millis: u32,
    },
    /// A frame has another page than the first one.
    #[error("frame {frame} is {} by {} units large, the first frame {} by {}", page.0, page.1, first.0, first.1)]
    Pages {
        /// The number of the frame, from 1.
        frame: usize,
        /// Its width and height.
        page: (u32, u32),
        /// The width and height of the first frame.
        first: (u32, u32),
    },
    /// More than [`MAX_PIXELS`] pixels change.
    #[error("an animation of {pixels} changed pixels: the most is {MAX_PIXELS}; a smaller width has fewer")]
    Pixels {
        /// The number of pixels.
        pixels: u64,
    },
    /// No format has files of this name.
    #[error("no pictures in files called `.{extension}`: there are txt, svg, png, gif, pdf and tex")]
    Format {
        /// The end of the name (its beginning, if it is long).
        extension: String,
    },
    /// A format with one picture was to have several.
    #[error("{pictures} pictures in one file of format {format}: gif, pdf, tex and txt have several")]
    Several {
        /// The format.
        format: &'static str,
        /// The number of pictures.
        pictures: usize,
    },
    /// A kit has more than 1000 stones of a side.
    #[error("{count} stones of {side}: a kit has at most 1000 of each side")]
    Stones {
        /// The side.
        side: String,
        /// The number of stones.
        count: usize,
    },
    /// The board has no names in the notation of the LaTeX package.
    #[error("havannah.sty draws hexagons of size 2 to 13, not {shape:?}")]
    NoHavannah {
        /// The shape and size of the board.
        shape: Shape,
    },
    /// The encoder of a format has refused the picture.
    #[error("{format}: {reason}")]
    Encoder {
        /// The format.
        format: &'static str,
        /// The encoder's reason.
        reason: String,
    },
}
