//! PDF.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, LineCapStyle, LineJoinStyle, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use stonework_board::{Drawing, Figure, PagePoint, Paint, Rgb};
use ttf_parser::cmap::Subtable;

use crate::font::{FILE, Font};
use crate::outline::{BASE, Pen, draw, units};
use crate::{MAX_FRAMES, PictureError};

/// The name of the font within a file.
const NAME: Name<'_> = Name(b"DejaVuSans");
const IDENTITY: SystemInfo<'_> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };
/// Points in a unit of a drawing, which is a pixel of 1/96 inch.
const POINTS: f32 = 0.75;

/// Drawings as a PDF file, a page for each, with text that can be searched. A unit of a drawing is 1/96 inch.
/// O(parts).
///
/// # Errors
/// [`PictureError::Frames`] for no drawing and for more than [`MAX_FRAMES`].
pub fn pdf(drawings: &[Drawing]) -> Result<Vec<u8>, PictureError> {
    if drawings.is_empty() || drawings.len() > MAX_FRAMES {
        return Err(PictureError::Frames { frames: drawings.len() });
    }
    let page = |drawing: &Drawing| {
        let (wide, high) = (POINTS * drawing.width() as f32, POINTS * drawing.height() as f32);
        let mut sheet = Sheet::new(wide, high);
        sheet.drawing(drawing, (0.0, high), POINTS);
        sheet
    };
    let title = drawings[0].title().unwrap_or("Board").to_owned();
    Ok(document(&title, drawings.iter().map(page)))
}

/// A page: its size in points, and what is painted there. Its origin is at the bottom left.
pub(crate) struct Sheet {
    width: f32,
    height: f32,
    font: Font,
    content: Content,
}

impl Pen for Content {
    fn start(&mut self, x: f32, y: f32) {
        self.move_to(x, y);
    }

    fn line(&mut self, x: f32, y: f32) {
        self.line_to(x, y);
    }

    fn curve(&mut self, [a, b, c]: [(f32, f32); 3]) {
        self.cubic_to(a.0, a.1, b.0, b.1, c.0, c.1);
    }

    fn close(&mut self) {
        self.close_path();
    }
}

/// A part of a colour, from 0 to 1.
fn share(colour: u8) -> f32 {
    f32::from(colour) / 255.0
}

impl Sheet {
    pub(crate) fn new(width: f32, height: f32) -> Self {
        let mut content = Content::new();
        content.set_line_cap(LineCapStyle::RoundCap).set_line_join(LineJoinStyle::RoundJoin);
        Self { width, height, font: Font::new(), content }
    }

    /// Paints a drawing with its top left corner at a place, a unit of the drawing so many points large.
    pub(crate) fn drawing(&mut self, drawing: &Drawing, (x, y): (f32, f32), points: f32) {
        let to = PagePoint { x: drawing.width() as i32 * 100, y: drawing.height() as i32 * 100 };
        let page = Figure::Bar { from: PagePoint::default(), to, round: 0 };
        self.content.save_state().transform([points, 0.0, 0.0, -points, x, y]);
        self.figure(&page, &Paint::filled(drawing.background()));
        for part in drawing.parts() {
            self.figure(&part.figure, &part.paint);
        }
        self.content.restore_state();
    }

    /// Paints a figure with its origin at a place, as [`Sheet::drawing`].
    pub(crate) fn piece(&mut self, figure: &Figure, paint: &Paint, (x, y): (f32, f32), points: f32) {
        self.content.save_state().transform([points, 0.0, 0.0, -points, x, y]);
        self.figure(figure, paint);
        self.content.restore_state();
    }

    /// Paints a figure where y points downwards.
    fn figure(&mut self, figure: &Figure, paint: &Paint) {
        if let Some(Rgb(r, g, b)) = paint.fill {
            self.content.set_fill_rgb(share(r), share(g), share(b));
        }
        if let Figure::Text { centre, size, content } = figure {
            let (size, wide) = (units(*size), self.font.line(content).1);
            let place = (units(centre.x) - wide * size / 2.0, units(centre.y) + BASE * size);
            return self.show(content, size, [1.0, 0.0, 0.0, -1.0, place.0, place.1]);
        }
        if let Some(Rgb(r, g, b)) = paint.stroke {
            let width = units(paint.width);
            let dash = [3.0 * width; 2];
            let dash = if paint.dashed { &dash[..] } else { &[] };
            self.content.set_stroke_rgb(share(r), share(g), share(b)).set_line_width(width);
            self.content.set_dash_pattern(dash.iter().copied(), 0.0);
        }
        draw(figure, &self.font, &mut self.content);
        match (paint.fill, paint.stroke) {
            (Some(_), Some(_)) => self.content.fill_nonzero_and_stroke(),
            (Some(_), None) => self.content.fill_nonzero(),
            (None, Some(_)) => self.content.stroke(),
            (None, None) => self.content.end_path(),
        };
    }

    /// Writes a black text from a place to the right.
    pub(crate) fn text(&mut self, text: &str, size: f32, (x, y): (f32, f32)) {
        self.content.set_fill_rgb(0.0, 0.0, 0.0);
        self.show(text, size, [1.0, 0.0, 0.0, 1.0, x, y]);
    }

    /// The width of a text in points.
    pub(crate) fn width_of(&self, text: &str, size: f32) -> f32 {
        self.font.line(text).1 * size
    }

    fn show(&mut self, text: &str, size: f32, matrix: [f32; 6]) {
        let glyphs: Vec<u8> =
            self.font.line(text).0.iter().flat_map(|(glyph, _)| glyph.0.to_be_bytes()).collect();
        let content = self.content.begin_text().set_font(NAME, size).set_text_matrix(matrix);
        content.show(Str(&glyphs)).end_text();
    }
}

/// Bytes that PDF readers unpack.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    match packer.write_all(bytes).and_then(|()| packer.finish()) {
        Ok(packed) => packed,
        Err(error) => unreachable!("writing to memory does not fail: {error}"),
    }
}

/// Pages as a file.
pub(crate) fn document(title: &str, sheets: impl IntoIterator<Item = Sheet>) -> Vec<u8> {
    let [catalog, tree, info, font, cid, descriptor, file, unicode] =
        std::array::from_fn(|number| Ref::new(number as i32 + 1));
    let mut next = unicode.next();
    let mut pdf = Pdf::new();
    let mut kids = Vec::new();
    for sheet in sheets {
        let (page, content) = (next.bump(), next.bump());
        kids.push(page);
        let mut writer = pdf.page(page);
        writer.media_box(Rect::new(0.0, 0.0, sheet.width, sheet.height)).parent(tree).contents(content);
        writer.resources().fonts().pair(NAME, font);
        writer.finish();
        pdf.stream(content, &packed(&sheet.content.finish())).filter(Filter::FlateDecode);
    }
    pdf.catalog(catalog).pages(tree);
    pdf.pages(tree).count(kids.len() as i32).kids(kids);
    pdf.document_info(info).title(TextStr(title)).creator(TextStr("stonework"));
    embed(&mut pdf, [font, cid, descriptor, file, unicode]);
    pdf.finish()
}

/// Writes the font.
fn embed(pdf: &mut Pdf, [font, cid, descriptor, file, unicode]: [Ref; 5]) {
    let Font { face } = Font::new();
    let thousandths = |length: i16| f32::from(length) * 1000.0 / f32::from(face.units_per_em());
    pdf.type0_font(font)
        .base_font(NAME)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(cid)
        .to_unicode(unicode);
    let widths = (0..face.number_of_glyphs()).map(|glyph| {
        let wide = face.glyph_hor_advance(ttf_parser::GlyphId(glyph)).unwrap_or(0);
        (f32::from(wide) * 1000.0 / f32::from(face.units_per_em())).round()
    });
    let mut writer = pdf.cid_font(cid);
    writer.subtype(CidFontType::Type2).base_font(NAME).system_info(IDENTITY).font_descriptor(descriptor);
    writer.cid_to_gid_map_predefined(Name(b"Identity"));
    writer.widths().consecutive(0, widths);
    writer.finish();
    let b = face.global_bounding_box();
    let bounds = [b.x_min, b.y_min, b.x_max, b.y_max].map(thousandths);
    pdf.font_descriptor(descriptor)
        .name(NAME)
        .flags(FontFlags::NON_SYMBOLIC)
        .bbox(Rect::new(bounds[0], bounds[1], bounds[2], bounds[3]))
        .italic_angle(0.0)
        .ascent(thousandths(face.ascender()))
        .descent(thousandths(face.descender()))
        .cap_height(thousandths(face.capital_height().unwrap_or(face.ascender())))
        .stem_v(80.0)
        .font_file2(file);
    pdf.stream(file, &packed(FILE)).filter(Filter::FlateDecode).pair(Name(b"Length1"), FILE.len() as i32);
    let mut names = UnicodeCmap::new(Name(b"Stonework"), IDENTITY);
    let mut pairs: Vec<(u16, char)> = Vec::new();
    for table in face.tables().cmap.iter().flat_map(|cmap| cmap.subtables).filter(Subtable::is_unicode) {
        table.codepoints(|code| {
            let pair = char::from_u32(code).and_then(|letter| Some((table.glyph_index(code)?.0, letter)));
            pairs.extend(pair);
        });
    }
    pairs.sort_unstable();
    pairs.dedup_by_key(|pair| pair.0);
    for (glyph, letter) in pairs {
        names.pair(glyph, letter);
    }
    pdf.stream(unicode, &packed(&names.finish())).filter(Filter::FlateDecode);
}
