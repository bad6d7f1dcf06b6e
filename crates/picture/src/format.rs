//! [`PictureFormat`]: the formats of files by name.

use stonework_board::{DiagonalDiagram, Diagram, Drawing, Shape};

use crate::{
    FilmFrame, MAX_FRAMES, MAX_TEXTS, PictureError, gif, havannah_board, latex_document, pdf, png, tikz,
};

/// A diagram on either lattice.
#[derive(Clone, Debug)]
pub enum Shown {
    /// A board of hexagonal cells.
    Cells(Diagram),
    /// The diagonal lattice.
    Locations(DiagonalDiagram),
}

impl Shown {
    fn text(&self) -> String {
        match self {
            Self::Cells(diagram) => diagram.text(),
            Self::Locations(diagram) => diagram.text(),
        }
    }

    fn drawing(&self) -> Drawing {
        match self {
            Self::Cells(diagram) => diagram.drawing(),
            Self::Locations(diagram) => diagram.drawing(),
        }
    }

    /// A figure for LaTeX: in the vocabulary of the package `havannah` if it has words for the board and for all marks but that of
    /// the last move.
    fn latex(&self) -> String {
        match self {
            Self::Cells(diagram)
                if matches!(diagram.board().shape(), Shape::Hexagon(_)) && diagram.is_plain() =>
            {
                havannah_board(diagram).unwrap_or_else(|_| tikz(&diagram.drawing()))
            }
            _ => tikz(&self.drawing()),
        }
    }
}

/// A format of files with pictures.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PictureFormat {
    /// Lines of text.
    Text,
    /// SVG.
    Svg,
    /// PNG.
    Png,
    /// GIF, still or animated.
    Gif,
    /// PDF, a page for each picture.
    Pdf,
    /// LaTeX, a page for each picture.
    Tex,
}

impl PictureFormat {
    /// All formats.
    pub const ALL: [Self; 6] = [Self::Text, Self::Svg, Self::Png, Self::Gif, Self::Pdf, Self::Tex];

    /// The end of the names of its files: `txt`, `svg`, `png`, `gif`, `pdf` or `tex`.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Gif => "gif",
            Self::Pdf => "pdf",
            Self::Tex => "tex",
        }
    }

    /// The format of files with an extension, in small or capital letters.
    ///
    /// # Errors
    /// [`PictureError::Format`] for another extension.
    pub fn of_extension(extension: &str) -> Result<Self, PictureError> {
        let found = Self::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()));
        found.ok_or_else(|| PictureError::Format { extension: extension.chars().take(20).collect() })
    }

    /// `true` for a format whose files have several pictures.
    #[must_use]
    pub const fn has_several(self) -> bool {
        !matches!(self, Self::Svg | Self::Png)
    }

    /// `true` for a format of pixels.
    #[must_use]
    pub const fn has_pixels(self) -> bool {
        matches!(self, Self::Png | Self::Gif)
    }

    /// Checks that a file of this format can have a number of pictures, before they are made. Their number alone counts: a film may
    /// have too many pixels, too.
    ///
    /// ```
    /// use stonework_picture::PictureFormat;
    /// assert!(PictureFormat::Gif.check(500).is_ok() && PictureFormat::Text.check(501).is_ok());
    /// assert!(PictureFormat::Text.check(20_000).is_ok() && PictureFormat::Text.check(20_001).is_err());
    /// assert!(PictureFormat::Gif.check(501).is_err() && PictureFormat::Png.check(2).is_err());
    /// ```
    ///
    /// # Errors
    /// [`PictureError::Frames`] for no picture, and for more than [`MAX_FRAMES`] of GIF, PDF or LaTeX; [`PictureError::Texts`] for more
    /// than [`MAX_TEXTS`] of text; [`PictureError::Several`] for more than one picture in a format that has one.
    pub const fn check(self, pictures: usize) -> Result<(), PictureError> {
        if pictures > 1 && !self.has_several() {
            return Err(PictureError::Several { format: self.extension(), pictures });
        }
        let is_limited = matches!(self, Self::Gif | Self::Pdf | Self::Tex);
        if pictures == 0 || is_limited && pictures > MAX_FRAMES {
            return Err(PictureError::Frames { frames: pictures });
        }
        if pictures > MAX_TEXTS {
            return Err(PictureError::Texts { texts: pictures });
        }
        Ok(())
    }

    /// The content of a file with pictures. Each has its time in milliseconds, which GIF alone uses. `width` is in pixels, for
    /// formats that have them. Without a width, a pixel is a unit of the drawing.
    ///
    /// ```
    /// use stonework_board::{Board, Diagram};
    /// use stonework_picture::{PictureFormat, Shown};
    /// let shown = [(Shown::Cells(Diagram::new(Board::hexagon(3)?)), 800)];
    /// assert!(PictureFormat::of_extension("PNG")?.file(&shown, None)?.starts_with(b"\x89PNG"));
    /// assert!(PictureFormat::Tex.file(&shown, None)?.starts_with(b"\\documentclass"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`check`](Self::check), [`png()`], [`gif()`] and [`pdf()`].
    pub fn file(self, pictures: &[(Shown, u32)], width: Option<u32>) -> Result<Vec<u8>, PictureError> {
        // Drawings take far more memory than diagrams, so their number is checked before they are made.
        self.check(pictures.len())?;
        let (first, _) = pictures.first().ok_or(PictureError::Frames { frames: 0 })?;
        let drawings = || pictures.iter().map(|(shown, _)| shown.drawing()).collect::<Vec<_>>();
        let width = |page: &Drawing| width.unwrap_or(page.width());
        match self {
            Self::Text => {
                let texts: Vec<String> = pictures.iter().map(|(shown, _)| shown.text() + "\n").collect();
                Ok(texts.join("\n").into_bytes())
            }
            Self::Svg => Ok(first.drawing().svg().into_bytes()),
            Self::Png => {
                let drawing = first.drawing();
                png(&drawing, width(&drawing))
            }
            Self::Gif => {
                let frame =
                    |(shown, millis): &(Shown, u32)| FilmFrame { drawing: shown.drawing(), millis: *millis };
                let frames: Vec<FilmFrame> = pictures.iter().map(frame).collect();
                gif(&frames, width(&frames[0].drawing))
            }
            Self::Pdf => pdf(&drawings()),
            Self::Tex => {
                let figures: Vec<String> = pictures.iter().map(|(shown, _)| shown.latex()).collect();
                Ok(latex_document(&figures).into_bytes())
            }
        }
    }
}
