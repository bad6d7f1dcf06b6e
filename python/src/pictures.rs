//! Pictures of boards and films of games.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Deserialize;
use stonework_board::{Overlay, Theme};
use stonework_picture::{DELAYS, MAX_SIDE, PictureFormat, Shown};
use stonework_session::{MoveEntry, MoveTable, Picture, PictureOptions};

use crate::board::Board;
use crate::convert::{number, refused};

/// The keywords of a picture.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Look {
    highlight: Vec<String>,
    labels: Vec<(String, String)>,
    arrows: Vec<(String, String)>,
    heat: Option<Vec<MoveEntry>>,
    layers: Vec<String>,
    theme: Option<String>,
    title: Option<String>,
    numbers: bool,
    traces: bool,
    strokes: bool,
    width: Option<u32>,
}

impl Look {
    fn options(&self, notation: usize) -> PyResult<PictureOptions> {
        let heat = self.heat.clone().map(|moves| MoveTable { moves });
        let theme = self.theme.as_deref().map_or(Ok(Theme::default()), Theme::named).map_err(refused)?;
        Ok(PictureOptions {
            notation,
            theme,
            title: self.title.clone(),
            numbers: self.numbers,
            traces: self.traces,
            highlight: self.highlight.clone(),
            layers: self.layers.clone(),
            heat,
            strokes: self.strokes,
            ..PictureOptions::default()
        })
    }

    fn width(&self, format: PictureFormat) -> PyResult<Option<u32>> {
        match self.width {
            Some(width) if width == 0 || width > MAX_SIDE => {
                Err(refused(format!("a width of {width} pixels: 1 to {MAX_SIDE}")))
            }
            Some(width) if !format.has_pixels() => {
                let format = format.extension();
                Err(refused(format!("a width of {width} pixels in {format}: only png and gif have pixels")))
            }
            width => Ok(width),
        }
    }

    fn marked(&self, board: &Board, picture: Picture) -> PyResult<Picture> {
        let position = board.position();
        let cell = |name: &str| position.read_cell(name, board.notation).map_err(refused);
        let mut overlay = Overlay::new();
        for (name, label) in &self.labels {
            overlay = overlay.label(cell(name)?, label);
        }
        for (from, to) in &self.arrows {
            overlay = overlay.arrow(cell(from)?, cell(to)?);
        }
        Ok(picture.overlay(overlay))
    }
}

fn shown(picture: Picture) -> PyResult<Shown> {
    match picture {
        Picture::Cells(diagram) => Ok(Shown::Cells(diagram)),
        Picture::Locations(diagram) => Ok(Shown::Locations(diagram)),
        Picture::Text(_) => Err(refused("the game has no pictures")),
    }
}

fn look(options: Option<&str>) -> PyResult<Look> {
    options.map_or_else(|| Ok(Look::default()), |options| serde_json::from_str(options).map_err(refused))
}

/// A picture of the board's position as the content of a file. `svg`, `png`, `pdf` and `tex` of the package are shorter.
#[pyfunction]
#[pyo3(signature = (board, format, options=None))]
pub(crate) fn draw<'py>(
    board: &Bound<'py, Board>,
    format: &str,
    options: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (py, look) = (board.py(), look(options)?);
    let board = board.try_borrow()?;
    let format = PictureFormat::of_extension(format).map_err(refused)?;
    let (moves, ply) = (board.moves(), board.line.len());
    let film = look.options(board.notation)?.film(&board.line.start(), &moves, ply..=ply).map_err(refused)?;
    let picture = film.into_iter().next().ok_or_else(|| refused("no picture"))?;
    let (picture, width) = (shown(look.marked(&board, picture)?)?, look.width(format)?);
    let file = py.detach(|| format.file(&[(picture, 800)], width));
    Ok(PyBytes::new(py, &file.map_err(refused)?))
}

/// The pictures of a game, move by move, as the content of one file. `gif` of the package is shorter.
#[pyfunction]
#[pyo3(signature = (board, format, millis=800, options=None))]
pub(crate) fn film<'py>(
    board: &Bound<'py, Board>,
    format: &str,
    #[pyo3(from_py_with = number)] millis: u32,
    options: Option<&str>,
) -> PyResult<Bound<'py, PyBytes>> {
    let (py, look) = (board.py(), look(options)?);
    let board = board.try_borrow()?;
    let format = PictureFormat::of_extension(format).map_err(refused)?;
    if !DELAYS.contains(&millis) {
        return Err(refused(format!(
            "{millis} milliseconds a picture: {} to {}",
            DELAYS.start(),
            DELAYS.end()
        )));
    }
    let (moves, ply) = (board.moves(), board.line.len());
    let film = look.options(board.notation)?.film(&board.line.start(), &moves, 0..=ply).map_err(refused)?;
    let last = film.len() - 1;
    // The last picture stays three times as long.
    let time = |at: usize| if at == last { (3 * millis).min(*DELAYS.end()) } else { millis };
    let film = film.into_iter().enumerate();
    let film = film.map(|(at, picture)| Ok((shown(look.marked(&board, picture)?)?, time(at))));
    let (film, width) = (film.collect::<PyResult<Vec<_>>>()?, look.width(format)?);
    let file = py.detach(|| format.file(&film, width));
    Ok(PyBytes::new(py, &file.map_err(refused)?))
}
