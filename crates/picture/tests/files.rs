//! Files, decoded again and compared with the pictures that were meant.

use gif::{ColorOutput, DecodeOptions};
use stonework_board::{
    Board, Diagonal, DiagonalDiagram, Diagram, Drawing, Figure, Overlay, Rgb, Stone, StoneColours, Theme,
};
use stonework_picture::{FilmFrame, MAX_FRAMES, PictureError, gif, png};

/// A decoded picture: its width, and its pixels row by row.
#[derive(Clone, PartialEq)]
struct Pixels {
    width: usize,
    pixels: Vec<Rgb>,
}

impl Pixels {
    fn height(&self) -> usize {
        self.pixels.len() / self.width
    }

    /// The pixel at a place in hundredths of a unit of a page.
    fn at(&self, page: &Drawing, x: i32, y: i32) -> Rgb {
        let scale = self.width as f64 / f64::from(page.width()) / 100.0;
        self.pixels[(f64::from(y) * scale) as usize * self.width + (f64::from(x) * scale) as usize]
    }
}

fn decoded_png(file: &[u8]) -> Pixels {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    let pixels = bytes.chunks_exact(3).map(|c| Rgb(c[0], c[1], c[2])).collect();
    Pixels { width: info.width as usize, pixels }
}

/// The pictures that a viewer of a GIF file shows, each with its time in hundredths of a second and the share of the page that
/// its rectangle takes.
fn decoded_gif(file: &[u8]) -> Vec<(Pixels, u16, f64)> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder = options.read_info(file).unwrap();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut shown = Pixels { width, pixels: vec![Rgb(1, 2, 3); width * height] };
    let mut all = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (place, c) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, c)| c[3] > 0) {
            let (row, column) = (place / usize::from(frame.width), place % usize::from(frame.width));
            let at = (row + usize::from(frame.top)) * width + column + usize::from(frame.left);
            shown.pixels[at] = Rgb(c[0], c[1], c[2]);
        }
        let part = f64::from(frame.width) * f64::from(frame.height) / (width * height) as f64;
        all.push((shown.clone(), frame.delay, part));
    }
    all
}

/// Asserts that two pictures differ in few pixels, and there only by a shade: palettes differ in the colours of edges.
fn alike(a: &Pixels, b: &Pixels) {
    assert_eq!((a.width, a.height()), (b.width, b.height()));
    let difference = |a: Rgb, b: Rgb| a.0.abs_diff(b.0).max(a.1.abs_diff(b.1)).max(a.2.abs_diff(b.2));
    let apart: Vec<u8> = a.pixels.iter().zip(&b.pixels).map(|(&a, &b)| difference(a, b)).collect();
    let most = apart.iter().copied().max().unwrap();
    let differ = apart.iter().filter(|&&apart| apart > 0).count();
    assert!(most <= 64 && differ * 10 <= apart.len(), "{differ} pixels differ, by at most {most}");
}

/// A diagram with all kinds of marks.
fn busy(board: &'static Board, theme: Theme) -> Diagram {
    let cells: Vec<_> = board.cells().collect();
    let overlay = cells.iter().enumerate().fold(Overlay::new(), |overlay, (i, &cell)| match i % 7 {
        0 => overlay.heat(cell, i as f64 / cells.len() as f64),
        1 => overlay.label(cell, i.to_string()),
        2 => overlay.ghost(cell, Stone::Light),
        3 => overlay.highlight([cell]),
        4 => overlay.arrow(cell, cells[i / 2]),
        _ => overlay,
    });
    let stones = cells.iter().copied().step_by(5);
    Diagram::new(board).theme(theme).title("Größe ½ → ∞").stones(stones, Stone::Dark).overlay(overlay)
}

#[test]
fn a_png_has_the_colours_of_each_theme_where_they_were_meant() {
    let board = Board::hexagon(5).unwrap();
    for theme in Theme::ALL {
        let stones =
            [Stone::Light, Stone::Dark].map(|stone| theme.stone(StoneColours::default(), stone).fill);
        let diagram = Diagram::new(board).theme(theme);
        let diagram = diagram.stones(board.cells().step_by(2), Stone::Light);
        let drawing = diagram.stones(board.cells().step_by(4), Stone::Dark).drawing();
        let file = png(&drawing, 700).unwrap();
        assert_eq!(file, png(&drawing, 700).unwrap(), "the same bytes every time");
        let picture = decoded_png(&file);
        assert_eq!(picture.width, 700);
        assert_eq!(picture.pixels[0], theme.background);
        let mut seen = [0; 2];
        for part in drawing.parts() {
            if let Figure::Circle { centre, .. } = part.figure {
                let colour = picture.at(&drawing, centre.x, centre.y);
                assert_eq!(Some(colour), part.paint.fill, "{}", theme.name);
                seen[stones.iter().position(|&fill| fill == colour).unwrap()] += 1;
            }
        }
        assert_eq!(seen, [15, 16]);
    }
}

#[test]
fn a_film_shows_each_frame_and_stores_what_changes() {
    let board = Board::hexagon(6).unwrap();
    let mut diagram = Diagram::new(board).theme(Theme::DARK);
    let mut frames = vec![FilmFrame { drawing: diagram.drawing(), millis: 500 }];
    for (at, cell) in board.cells().step_by(8).enumerate() {
        let stone = if at % 2 == 0 { Stone::Light } else { Stone::Dark };
        diagram = diagram.stone(cell, stone).label(cell, (at + 1).to_string()).last(cell);
        frames.push(FilmFrame { drawing: diagram.drawing(), millis: 250 });
    }
    let chain: Vec<_> = board.cells().step_by(16).collect();
    frames.push(FilmFrame { drawing: diagram.highlight(chain).drawing(), millis: 3000 });
    // A frame that equals the one before.
    frames.push(frames.last().unwrap().clone());
    let file = gif(&frames, 500).unwrap();
    assert_eq!(file, gif(&frames, 500).unwrap(), "the same bytes every time");
    assert!(file.windows(11).any(|part| part == b"NETSCAPE2.0"), "it repeats");
    let shown = decoded_gif(&file);
    assert_eq!(shown.len(), frames.len());
    for (frame, (picture, delay, _)) in frames.iter().zip(&shown) {
        alike(picture, &decoded_png(&png(&frame.drawing, 500).unwrap()));
        assert_eq!(u32::from(*delay) * 10, frame.millis);
    }
    let parts: f64 = shown.iter().skip(1).map(|(_, _, part)| part).sum();
    assert!(parts < 0.45 * (shown.len() - 1) as f64, "the frames are {parts} pages large");
    assert!(shown[1].0 != shown[0].0 && shown[shown.len() - 1].0 == shown[shown.len() - 2].0);
    let still = decoded_gif(&gif(&frames[..1], 500).unwrap());
    assert_eq!(still.len(), 1);
    alike(&still[0].0, &shown[0].0);
}

#[test]
fn letters_are_drawn_and_differ() {
    let board = Board::hexagon(2).unwrap();
    let cell = board.cells().nth(3).unwrap();
    let picture = |label: &str| {
        decoded_png(&png(&Diagram::new(board).coordinates(false).label(cell, label).drawing(), 300).unwrap())
    };
    let empty = picture("");
    let ink = |label: &str| picture(label).pixels.iter().zip(&empty.pixels).filter(|(a, b)| a != b).count();
    for label in ["1", "8", "w", "½", "Ж", "→", "ß"] {
        assert!(ink(label) > 20, "{label} leaves no ink");
    }
    assert!(ink("8") > ink("1") && picture("3") != picture("5"));
    // A letter that the font lacks is a box.
    assert!(ink("語") > 20 && picture("語") == picture("字"));
}

#[test]
fn all_boards_and_marks_become_pictures() {
    let boards = [Board::hexagon(20), Board::rhombus(19), Board::rhombus(1), Board::hexagon(2)];
    let all = boards.into_iter().zip(Theme::ALL);
    let mut drawings: Vec<Drawing> =
        all.map(|(board, theme)| busy(board.unwrap(), theme).drawing()).collect();
    for size in [1, 10] {
        let lattice = Diagonal::of(size).unwrap();
        let cells: Vec<_> = lattice.cells().collect();
        let overlay = Overlay::new().heat(cells[3], 0.5).label(cells[5], "12").label(cells[0], "1");
        let overlay = overlay.ghost(cells[7], Stone::Dark).shot(cells[0], cells[8]).arrow(cells[1], cells[9]);
        let diagram = DiagonalDiagram::new(lattice).stone(cells[0], Stone::Light).last(cells[0]);
        drawings.push(diagram.overlay(overlay).title("Cover").drawing());
    }
    for drawing in drawings {
        let picture = decoded_png(&png(&drawing, 320).unwrap());
        assert_eq!(picture.width, 320);
        let expected = 320.0 * f64::from(drawing.height()) / f64::from(drawing.width());
        assert!((picture.height() as f64 - expected).abs() <= 0.5);
        let tiny = decoded_png(&png(&drawing, 1).unwrap());
        assert_eq!((tiny.width, tiny.height()), (1, 1));
    }
}

#[test]
fn limits_are_named() {
    let board = Board::hexagon(3).unwrap();
    let drawing = Diagram::new(board).drawing();
    for width in [0, 4097, 1_000_000_000, u32::MAX] {
        let error = png(&drawing, width).unwrap_err();
        assert_eq!(error, PictureError::Width { width });
        assert_eq!(error.to_string(), format!("a picture {width} pixels wide: widths are 1 to 4096"));
    }
    let tall = Drawing::new(10, 30, Rgb(0, 0, 0));
    assert_eq!(png(&tall, 2000), Err(PictureError::Height { width: 2000, height: 6000 }));
    let frame = |millis| FilmFrame { drawing: drawing.clone(), millis };
    assert_eq!(gif(&[], 100), Err(PictureError::Frames { frames: 0 }));
    assert_eq!(gif(&vec![frame(100); MAX_FRAMES + 1], 9), Err(PictureError::Frames { frames: 501 }));
    assert!(gif(&vec![frame(100); MAX_FRAMES], 9).is_ok());
    for millis in [0, 19, 60_001, u32::MAX] {
        assert_eq!(gif(&[frame(millis)], 100), Err(PictureError::Delay { millis }));
    }
    for (millis, hundredths) in [(20, 2), (24, 2), (25, 3), (67, 7), (59_999, 6000), (60_000, 6000)] {
        assert_eq!(decoded_gif(&gif(&[frame(millis)], 20).unwrap())[0].1, hundredths, "{millis}");
    }
    let other = FilmFrame { drawing: tall, millis: 100 };
    let error = gif(&[frame(100), other], 100).unwrap_err().to_string();
    assert_eq!(error, "frame 2 is 10 by 30 units large, the first frame 264 by 243");
    // A film in which every pixel changes each time.
    let change = |at: usize| {
        let theme = if at.is_multiple_of(2) { Theme::PAPER } else { Theme::DARK };
        let cells = board.cells();
        FilmFrame { drawing: busy(board, theme).stones(cells, Stone::Light).drawing(), millis: 100 }
    };
    let frames: Vec<_> = (0..48).map(change).collect();
    assert!(matches!(gif(&frames, 3600), Err(PictureError::Pixels { pixels: 500_000_001.. })));
}
