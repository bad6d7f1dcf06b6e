//! PNG.

use std::borrow::Cow;

use png::{BitDepth, ColorType, Compression, Encoder, Filter};
use stonework_board::Drawing;

use crate::PictureError;
use crate::canvas::Canvas;
use crate::palette::Census;

/// The drawing as a PNG file of a width in pixels, at most [`MAX_SIDE`](crate::MAX_SIDE); the height follows from the page.
/// The picture has a palette of at most 255 colours. O(pixels).
///
/// ```
/// use stonework_board::{Board, Diagram};
/// let drawing = Diagram::new(Board::hexagon(4)?).drawing();
/// let png = stonework_picture::png(&drawing, 400)?;
/// assert!(png.starts_with(b"\x89PNG"));
/// assert_eq!(stonework_picture::png(&drawing, 0).unwrap_err().to_string(),
///     "a picture 0 pixels wide: widths are 1 to 4096");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PictureError::Width`] and [`PictureError::Height`] for a picture without pixels or with a side that is too long.
pub fn png(drawing: &Drawing, width: u32) -> Result<Vec<u8>, PictureError> {
    let mut canvas = Canvas::new(drawing, width)?;
    canvas.paint(drawing, canvas.all());
    let mut census = Census::default();
    census.count(&canvas, canvas.all());
    let palette = census.palette();
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, canvas.width, canvas.height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(Cow::Owned(palette.bytes()));
    encoder.set_compression(Compression::High);
    encoder.set_filter(Filter::NoFilter);
    let places = palette.places(&canvas, canvas.all());
    let wrong =
        |error: png::EncodingError| PictureError::Encoder { format: "PNG", reason: error.to_string() };
    let mut writer = encoder.write_header().map_err(wrong)?;
    writer.write_image_data(&places).map_err(wrong)?;
    writer.finish().map_err(wrong)?;
    Ok(file)
}
