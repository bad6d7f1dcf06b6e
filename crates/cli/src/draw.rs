//! `draw`: a position or a game as text or as a file of pictures.

use std::fmt::Display;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde_json::json;
use stonework_board::{Layout, Notation, Theme};
use stonework_files::read_text;
use stonework_game::{Game, Textual};
use stonework_oracle::{RecordFile, RecordOptions};
use stonework_picture::{DELAYS, MAX_SIDE, PictureFormat, Shown};
use stonework_record::Tree;
use stonework_session::{AnyMove, AnyPosition, Description, MoveTable, Picture, PictureOptions, Registry};

use crate::failure::{Failure, one_line, say};
use crate::help;
use crate::out::{Out, is_same_file};
use crate::start::{StartArgs, split};

/// Draw a position or a game, as text or into a file: SVG, PNG, GIF, PDF, LaTeX
#[derive(Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the switches of the command line do not depend on each other"
)]
#[command(long_about = help::DRAW_ABOUT, after_long_help = help::DRAW)]
pub(crate) struct Draw {
    #[command(flatten)]
    start: StartArgs,
    /// A record (SGF; for Havannah HGF, too), or `-` for standard input
    #[arg(value_name = "FILE", conflicts_with_all = ["size", "swap", "no_swap", "position", "moves"])]
    file: Option<PathBuf>,
    /// Stop after this many moves
    #[arg(long, value_name = "PLY", visible_alias = "ply")]
    to: Option<usize>,
    /// Begin an animation after this many moves
    #[arg(long, value_name = "PLY", requires = "animate", default_value_t = 0)]
    from: usize,
    /// Write to a file; its name ends in .svg, .png, .gif, .pdf, .tex or .txt
    #[arg(short, long, value_name = "FILE", value_parser = named)]
    output: Option<PathBuf>,
    /// Draw SVG
    #[arg(long)]
    svg: bool,
    /// Draw each position of the game: frames of a GIF, pages of a PDF
    #[arg(long)]
    animate: bool,
    /// Milliseconds for each position of an animation, or `clock`, as in the record
    #[arg(long, value_name = "MS", requires = "animate", default_value = "800", value_parser = delay)]
    delay: Delay,
    /// Width of a PNG or GIF in pixels; unless given, cells are 40 apart
    #[arg(long, value_name = "PX", value_parser = width, allow_negative_numbers = true)]
    width: Option<u32>,
    /// Colours: paper, wood, dark, contrast or colour-blind
    #[arg(long, value_name = "NAME", value_parser = Theme::named, default_value = "paper")]
    theme: Theme,
    /// Number the stones in the order of play
    #[arg(long)]
    numbers: bool,
    /// Show the effect of the last move: captured stones, a step, a shot
    #[arg(long)]
    traces: bool,
    /// Draw strokes between neighbouring stones of one side
    #[arg(long)]
    strokes: bool,
    /// Rows from left to right, or columns upwards; unless given, as the notation has it
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<Lies>,
    /// Mark these cells, in addition to a winning chain
    #[arg(long, value_name = "CELLS")]
    highlight: Option<String>,
    /// Mark the cells of these layers of `analyse`, separated by commas
    #[arg(long, value_name = "LIST")]
    layers: Option<String>,
    /// Colour the cells by the moves of a report of `search` or `solve --explore`
    #[arg(long, value_name = "FILE", conflicts_with = "animate")]
    heat: Option<PathBuf>,
    /// A title above the board
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

/// The direction of the lattice on the page.
#[derive(Clone, Copy, ValueEnum)]
enum Lies {
    // Rows of cells run from left to right, the first cell is top left.
    Rows,
    // A quarter turn anticlockwise: rows run upwards, the first cell is bottom left.
    Columns,
}

/// Reads a width in pixels.
fn width(text: &str) -> Result<u32, String> {
    let width = text.parse().ok().filter(|width| (1..=MAX_SIDE).contains(width));
    width.ok_or_else(|| format!("a number of pixels from 1 to {MAX_SIDE}"))
}

/// The time of a position of an animation.
#[derive(Clone, Copy, PartialEq)]
enum Delay {
    /// Milliseconds.
    Each(u32),
    /// The time of the next move, by the clocks of the record.
    Clock,
}

/// The milliseconds of a position for which there is no clock.
const NO_CLOCK: u32 = 800;
/// The most milliseconds of a position by a clock.
const MOST_BY_CLOCK: u32 = 10_000;

/// Reads a time in milliseconds, or `clock`.
fn delay(text: &str) -> Result<Delay, String> {
    let delay = text.parse().ok().filter(|delay| DELAYS.contains(delay)).map(Delay::Each);
    let delay = delay.or_else(|| (text == "clock").then_some(Delay::Clock));
    delay.ok_or_else(|| {
        format!("a number of milliseconds from {} to {}, or clock", DELAYS.start(), DELAYS.end())
    })
}

/// The milliseconds of a position before a move that took this time.
fn milliseconds(time: Option<Duration>) -> u32 {
    let shown =
        |time: Duration| time.as_millis().clamp((*DELAYS.start()).into(), MOST_BY_CLOCK.into()) as u32;
    time.map_or(NO_CLOCK, shown)
}

/// Reads the name of a file of pictures.
fn named(text: &str) -> Result<PathBuf, String> {
    format(Path::new(text)).map(|_| text.into())
}

/// The format of a file by its name; text for a name without an extension.
fn format(path: &Path) -> Result<PictureFormat, String> {
    let extension = path.extension().map_or("txt".into(), |extension| extension.to_string_lossy());
    PictureFormat::of_extension(&extension).map_err(|error| error.to_string())
}

/// A picture for a file.
fn shown(picture: Picture, game: &Description) -> Result<Shown, Failure> {
    match picture {
        Picture::Cells(diagram) => Ok(Shown::Cells(diagram)),
        Picture::Locations(diagram) => Ok(Shown::Locations(diagram)),
        Picture::Text(_) => Err(Failure::input(format!("there are no pictures of {}", game.name))),
    }
}

impl Draw {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        self.check_output(out)?;
        let rules = self.start.rules(registry)?;
        let mut times = Vec::new();
        let (start, moves) = if let Some(file) = &self.file {
            let how = RecordOptions { size: None, notation: self.start.notation(), swap: true };
            let source = RecordFile::open(file).map_err(Failure::input)?;
            times = source.move_times(rules);
            tell_rest(&source);
            let (start, moves) = source.first_game(rules, how).map_err(Failure::input)?;
            // A notation that the game does not have is refused, as that of moves is.
            start.notation(self.start.notation().map(Notation::name)).map_err(Failure::input)?;
            (start, moves)
        } else if self.start.is_given() {
            let start = self.start.first(rules)?;
            (start.clone(), self.start.play_on(start)?.moves)
        } else {
            return Err(Failure::input("nothing to draw: give --size N, --position TEXT or a FILE"));
        };
        let to = self.to.unwrap_or(moves.len());
        let plies = if self.animate { self.from..=to } else { to..=to };
        let beyond =
            [("--to", to), ("--from", *plies.start())].into_iter().find(|&(_, ply)| ply > moves.len());
        if let Some((option, ply)) = beyond {
            return Err(Failure::input(format!("{option} {ply}: the game has {} moves", moves.len())));
        }
        if plies.is_empty() {
            return Err(Failure::input(format!("--from {}: beyond --to {to}", self.from)));
        }
        if self.delay == Delay::Clock && times.iter().all(Option::is_none) {
            return Err(Failure::input("--delay clock: the game has no clocks"));
        }
        self.draw(&start, &moves[..to], plies, &times, out)
    }

    /// Refuses an output that is the record or the file of reports, which would be lost.
    fn check_output(&self, out: &Out) -> Result<(), Failure> {
        let Some(output) = &self.output else { return Ok(()) };
        let record = self.file.as_deref().filter(|file| file.as_os_str() != "-");
        let inputs = [("the record", record), ("the file of --heat", self.heat.as_deref())];
        let is_output = |file: &Path| is_same_file(&**out.disk(), file, output);
        match inputs.into_iter().find(|(_, file)| file.is_some_and(is_output)) {
            Some((what, _)) => Err(Failure::input(format!("-o {}: it is {what}", output.display()))),
            None => Ok(()),
        }
    }

    fn draw(
        &self,
        start: &AnyPosition,
        moves: &[AnyMove],
        plies: RangeInclusive<usize>,
        times: &[Option<Duration>],
        out: &mut Out,
    ) -> Result<(), Failure> {
        let by_name =
            self.output.as_deref().map_or(Ok(PictureFormat::Text), format).map_err(Failure::input)?;
        if let Some(path) = self.output.as_deref().filter(|_| self.svg && by_name != PictureFormat::Svg) {
            let path = path.display();
            return Err(Failure::input(format!("--svg: -o {path} has another format by its name")));
        }
        let format = if self.svg { PictureFormat::Svg } else { by_name };
        if self.width.is_some() && !format.has_pixels() {
            return Err(Failure::input("--width: only PNG and GIF have pixels"));
        }
        // A film takes far more memory than its moves, so its pictures are counted before they are made.
        let pictures = plies.end().saturating_sub(*plies.start()).saturating_add(1);
        format.check(pictures).map_err(Failure::input)?;
        let (game, first) = (start.description(), *plies.start());
        let film = self.options(&game, out)?.film(start, moves, plies).map_err(|fault| {
            match fault.kind.as_str() {
                "layer" => Failure::input(format!("--layers: {fault}")),
                "highlight" => Failure::input(format!("--highlight {fault}")),
                "picture" => Failure::input(format!("--{fault}")),
                _ => Failure::input(fault),
            }
        })?;
        let last = film.len() - 1;
        let time = |at: usize| match self.delay {
            Delay::Each(delay) if at < last => delay,
            Delay::Each(delay) => (3 * delay).min(*DELAYS.end()),
            Delay::Clock if at < last => milliseconds(times.get(first + at).copied().flatten()),
            Delay::Clock => 3 * NO_CLOCK,
        };
        let file = if let (PictureFormat::Text, [Picture::Text(text)]) = (format, &film[..]) {
            format!("{text}\n").into_bytes()
        } else {
            let film = film.into_iter().enumerate();
            let film: Result<Vec<_>, _> =
                film.map(|(at, picture)| Ok::<_, Failure>((shown(picture, &game)?, time(at)))).collect();
            format.file(&film?, self.width).map_err(Failure::input)?
        };
        let position =
            moves.iter().try_fold(start.clone(), |mut position, &mv| position.play(mv).map(|_| position));
        let board = position.map_err(Failure::input)?.position_text();
        let name = if format == PictureFormat::Text { "text" } else { format.extension() };
        if let Some(path) = &self.output {
            out.replace(&"", path, &file)?;
            if out.wants_json() {
                let file = path.display().to_string();
                return out.object(&json!({ "board": board, "format": name, "file": file }));
            }
        } else if out.wants_json() {
            let diagram = String::from_utf8_lossy(&file);
            return out.object(&json!({ "board": board, "format": name, "diagram": diagram }));
        } else {
            out.write_all(&file)?;
        }
        Ok(())
    }

    fn options(&self, game: &Description, out: &Out) -> Result<PictureOptions, Failure> {
        // In Havannah commas separate cells; in Cachex a comma is part of the name of a cell.
        let cells = game.words(self.highlight.as_deref().unwrap_or_default());
        Ok(PictureOptions {
            notation: self.start.notation_in(game),
            theme: self.theme,
            title: self.title.clone(),
            numbers: self.numbers,
            traces: self.traces,
            highlight: cells.map(str::to_owned).collect(),
            layers: split(self.layers.as_deref().unwrap_or_default()).map(str::to_owned).collect(),
            heat: self.heat.as_deref().map(|file| heat(file, out)).transpose()?,
            strokes: self.strokes,
            layout: self.layout.map(|lies| match lies {
                Lies::Rows => Layout::Rows,
                Lies::Columns => Layout::Columns,
            }),
        })
    }
}

/// Says on standard error what a file has beside the main line of its first game.
fn tell_rest(source: &RecordFile) {
    let RecordFile::Trees { label, trees } = source else { return };
    let label = one_line(label);
    if trees.len() > 1 {
        say(format_args!("{label}: games that are left out: {}; the first is drawn", trees.len() - 1));
    }
    let variations = trees.first().map_or(0, Tree::variations);
    if variations > 0 {
        say(format_args!("{label}: variations that are left out: {variations}; the main line is drawn"));
    }
}

/// The most bytes of a file with reports.
const MOST_HEAT: u64 = 64 << 20;

/// The last report in a file of JSON lines.
fn heat(file: &Path, out: &Out) -> Result<MoveTable, Failure> {
    let wrong = |why: &dyn Display| Failure::input(format!("--heat {}: {why}", file.display()));
    let text = read_text(&**out.disk(), file, MOST_HEAT).map_err(|error| wrong(&error))?;
    let reports = text.lines().rev().map(serde_json::from_str).find_map(Result::ok);
    reports.ok_or_else(|| wrong(&"no line with a list of moves, such as `search --json` writes"))
}
