//! The font of this crate: `DejaVu` Sans, reduced to European letters, digits and a few signs.

use ttf_parser::{Face, GlyphId};

/// The font as a TrueType file.
pub(crate) static FILE: &[u8] = include_bytes!("../font/DejaVuSans-subset.ttf");

/// The font, opened. O(1).
pub(crate) struct Font {
    pub(crate) face: Face<'static>,
}

impl Font {
    /// Opens the font.
    pub(crate) fn new() -> Self {
        match Face::parse(FILE, 0) {
            Ok(face) => Self { face },
            Err(error) => unreachable!("the font of this crate is a font, as a test holds: {error}"),
        }
    }

    /// The units of the font's own lengths in the size of the font.
    pub(crate) fn units(&self) -> f32 {
        f32::from(self.face.units_per_em())
    }

    /// The glyphs of a text from left to right, each with its distance from the start of the text, for a font of size 1;
    /// and the width of the text. A character that the font lacks is an empty box.
    pub(crate) fn line(&self, text: &str) -> (Vec<(GlyphId, f32)>, f32) {
        let mut at = 0.0;
        let place = |letter: char| {
            let glyph = self.face.glyph_index(letter).unwrap_or(GlyphId(0));
            let start = at;
            at += f32::from(self.face.glyph_hor_advance(glyph).unwrap_or(0)) / self.units();
            (glyph, start)
        };
        let glyphs = text.chars().map(place).collect();
        (glyphs, at)
    }
}
