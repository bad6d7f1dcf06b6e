//! GIF, still and animated.

use std::borrow::Cow;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use stonework_board::Drawing;

use crate::canvas::{Area, Canvas};
use crate::palette::{Census, Palette};
use crate::{DELAYS, MAX_FRAMES, MAX_PIXELS, PictureError};

/// A frame of an animation.
#[derive(Clone, Debug)]
pub struct FilmFrame {
    /// The picture.
    pub drawing: Drawing,
    /// The time for which the frame is shown, in milliseconds: 20 to 60,000. GIF rounds it to hundredths of a second.
    pub millis: u32,
}

/// The frames as an animated GIF file of a width in pixels, which repeats for ever; a single frame is a still picture.
///
/// All frames have one palette. Each frame after the first has only the rectangle that differs from the frame before, and in it
/// only the pixels that differ. Time is O(pixels of the first frame + pixels of these rectangles), memory O(pixels of a
/// frame).
///
/// ```
/// use stonework_board::{Board, Diagram, Stone};
/// use stonework_picture::{FilmFrame, gif};
/// let board = Board::hexagon(4)?;
/// let mut diagram = Diagram::new(board);
/// let mut frames = Vec::new();
/// for (name, stone) in [("d4", Stone::Light), ("e5", Stone::Dark)] {
///     diagram = diagram.stone(board.parse(name)?, stone);
///     frames.push(FilmFrame { drawing: diagram.drawing(), millis: 800 });
/// }
/// assert!(gif(&frames, 400)?.starts_with(b"GIF89a"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PictureError::Width`] and [`PictureError::Height`] as [`png()`](crate::png); [`PictureError::Frames`] for no frame and for
/// more than [`MAX_FRAMES`]; [`PictureError::Delay`] for a time that is too short or too long; [`PictureError::Pages`] for frames of
/// different pages; [`PictureError::Pixels`] if more than [`MAX_PIXELS`] pixels change.
pub fn gif(frames: &[FilmFrame], width: u32) -> Result<Vec<u8>, PictureError> {
    let first = frames.first().filter(|_| frames.len() <= MAX_FRAMES);
    let first = &first.ok_or(PictureError::Frames { frames: frames.len() })?.drawing;
    let mut canvas = Canvas::new(first, width)?;
    let page = |drawing: &Drawing| (drawing.width(), drawing.height());
    for (number, frame) in frames.iter().enumerate() {
        if page(&frame.drawing) != page(first) {
            return Err(PictureError::Pages {
                frame: number + 1,
                page: page(&frame.drawing),
                first: page(first),
            });
        }
        if !DELAYS.contains(&frame.millis) {
            return Err(PictureError::Delay { millis: frame.millis });
        }
    }
    let mut areas = vec![vec![canvas.all()]];
    areas.extend(frames.windows(2).map(|pair| canvas.changes(&pair[0].drawing, &pair[1].drawing)));
    let pixels = areas.iter().flatten().map(Area::pixels).sum();
    if pixels > MAX_PIXELS {
        return Err(PictureError::Pixels { pixels });
    }
    let mut census = Census::default();
    for (frame, areas) in frames.iter().zip(&areas) {
        for &area in areas {
            canvas.paint(&frame.drawing, area);
            census.count(&canvas, area);
        }
    }
    write(frames, &areas, &mut canvas, &census.palette())
        .map_err(|error| PictureError::Encoder { format: "GIF", reason: error.to_string() })
}

/// Writes the frames, each painted on the frame before in its areas.
fn write(
    frames: &[FilmFrame],
    areas: &[Vec<Area>],
    canvas: &mut Canvas,
    palette: &Palette,
) -> Result<Vec<u8>, gif::EncodingError> {
    let mut file = Vec::new();
    // The entry after the last colour stands for a pixel that stays as it was.
    let same = palette.colours.len() as u8;
    let mut colours = palette.bytes();
    colours.extend([0; 3]);
    let mut encoder = Encoder::new(&mut file, canvas.width as u16, canvas.height as u16, &colours)?;
    if frames.len() > 1 {
        encoder.set_repeat(Repeat::Infinite)?;
    }
    let mut shown: Vec<u8> = Vec::new();
    for (frame, areas) in frames.iter().zip(areas) {
        for &area in areas {
            canvas.paint(&frame.drawing, area);
        }
        let (area, buffer) = if shown.is_empty() {
            shown = palette.places(canvas, canvas.all());
            (canvas.all(), shown.clone())
        } else {
            changed(areas, canvas, palette, same, &mut shown)
        };
        encoder.write_frame(&Frame {
            delay: ((frame.millis + 5) / 10) as u16,
            dispose: DisposalMethod::Keep,
            transparent: (!buffer.is_empty() && buffer.contains(&same)).then_some(same),
            left: area.left as u16,
            top: area.top as u16,
            width: area.width as u16,
            height: area.height as u16,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        })?;
    }
    drop(encoder);
    Ok(file)
}

/// The rectangle with all changed areas, and its pixels: `same` for a pixel that is shown already.
fn changed(
    areas: &[Area],
    canvas: &Canvas,
    palette: &Palette,
    same: u8,
    shown: &mut [u8],
) -> (Area, Vec<u8>) {
    let whole = areas.iter().copied().reduce(|a, b| a.and(&b));
    // A frame has at least one pixel.
    let whole = whole.unwrap_or(Area { left: 0, top: 0, width: 1, height: 1 });
    let mut buffer = vec![same; whole.pixels() as usize];
    for &area in areas {
        let places = palette.places(canvas, area);
        for (row, line) in places.chunks(area.width as usize).enumerate() {
            let (y, x) = (area.top as usize + row, area.left as usize);
            let to = (y - whole.top as usize) * whole.width as usize + x - whole.left as usize;
            let before = &mut shown[y * canvas.width as usize + x..][..line.len()];
            for ((to, before), &now) in buffer[to..][..line.len()].iter_mut().zip(before).zip(line) {
                if *before != now {
                    (*to, *before) = (now, now);
                }
            }
        }
    }
    (whole, buffer)
}
