//! `draw`: a position or a game as text or SVG.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::json;
use stonework_board::Layout;
use stonework_game::text::head;
use stonework_game::{Indexed, Textual};
use stonework_havannah::{Move, Position};
use stonework_oracle::{RecordFile, RecordOptions};
use stonework_session::{AnyMove, AnyPosition, LayerBudget, Picture, Registry};

use crate::analyse::layers;
use crate::failure::Failure;
use crate::help;
use crate::out::Out;
use crate::start::StartArgs;

/// Draw a position or a recorded game, as text or as SVG
#[derive(Args)]
#[command(long_about = help::DRAW_ABOUT, after_long_help = help::DRAW)]
pub(crate) struct Draw {
    #[command(flatten)]
    start: StartArgs,
    /// An SGF or HGF file, or `-` for standard input, instead of a position
    #[arg(value_name = "FILE", conflicts_with_all = ["size", "swap", "position", "moves"])]
    file: Option<PathBuf>,
    /// Stop after this many moves of the file
    #[arg(long, value_name = "N", requires = "file")]
    ply: Option<usize>,
    /// Write to a file: SVG if it is called *.svg, else text
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw SVG
    #[arg(long)]
    svg: bool,
    /// Number the stones in the order of play
    #[arg(long)]
    numbers: bool,
    /// Draw strokes between neighbouring stones of one side
    #[arg(long)]
    strokes: bool,
    /// Direction of the board; unless given, columns for rogers notation and rows otherwise
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<Lies>,
    /// Mark these cells, in addition to a winning chain
    #[arg(long, value_name = "CELLS")]
    highlight: Option<String>,
    /// Mark the cells of these layers of `analyse`, separated by commas
    #[arg(long, value_name = "LIST")]
    layers: Option<String>,
    /// A title above the board
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

/// The direction of the lattice on the page.
#[derive(Clone, Copy, ValueEnum)]
enum Lies {
    /// Rows of cells run from left to right, the first cell is top left
    Rows,
    /// A quarter turn anticlockwise: rows run upwards, the first cell is bottom left
    Columns,
}

impl Draw {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        if let Some(file) = &self.file {
            let (position, moves) = self.recorded(file)?;
            let moves: Vec<AnyMove> =
                moves.iter().map(|&mv| AnyMove(position.move_index(mv) as u32)).collect();
            return self.draw(&AnyPosition::new(position), &moves, out);
        }
        if !self.start.is_given() {
            return Err(Failure::input("nothing to draw: give --size N, --position TEXT or a FILE"));
        }
        let started = self.start.play_any(registry)?;
        self.draw(&started.position, &started.moves, out)
    }

    fn draw(&self, position: &AnyPosition, moves: &[AnyMove], out: &mut Out) -> Result<(), Failure> {
        let picture = self.picture(position, moves)?;
        let by_name = |p: &Path| p.extension().is_some_and(|e| e.eq_ignore_ascii_case("svg"));
        let svg = self.svg || self.output.as_deref().is_some_and(by_name);
        let picture = if svg { picture.svg() } else { Some(picture.text()) };
        let none = || Failure::input(format!("there are no SVG pictures of {}", position.description().name));
        let picture = picture.ok_or_else(none)?;
        let picture = if picture.ends_with('\n') { picture } else { picture + "\n" };
        let format = if svg { "svg" } else { "text" };
        let board = position.position_text();
        if let Some(path) = &self.output {
            out.replace(&"", path, &picture)?;
            if out.wants_json() {
                let file = path.display().to_string();
                return out.object(&json!({ "board": board, "format": format, "file": file }));
            }
        } else if out.wants_json() {
            return out.object(&json!({ "board": board, "format": format, "diagram": picture }));
        } else {
            out.write_all(picture.as_bytes())?;
        }
        Ok(())
    }

    /// The position of a record, and the moves that led to the position.
    fn recorded(&self, file: &Path) -> Result<(Position, Vec<Move>), Failure> {
        self.start.only_havannah("records")?;
        let how = RecordOptions { size: None, notation: self.start.notation(), swap: true };
        let source = RecordFile::open(file).map_err(Failure::input)?;
        let game = source.games(how).next();
        let none = || Failure::input(format!("{}: no game", file.display()));
        let game = game.ok_or_else(none)?.map_err(Failure::input)?;
        let played = game.steps.len();
        if let Some(ply) = self.ply.filter(|&ply| ply > played) {
            return Err(Failure::input(format!("--ply {ply}: {} has {played} moves", file.display())));
        }
        let replayed = game.replay(self.ply).map_err(Failure::input)?;
        Ok((replayed.position, replayed.moves))
    }

    fn picture(&self, position: &AnyPosition, moves: &[AnyMove]) -> Result<Picture, Failure> {
        let game = position.description();
        let notation = self.start.notation_in(&game);
        let picture = position.picture(moves, notation).map_err(Failure::input)?;
        if !matches!(picture, Picture::Cells(_)) {
            self.only_cells(game.name)?;
        }
        let mut marked = Vec::new();
        // In Havannah commas separate cells; in Cachex a comma is part of the name of a cell.
        for name in game.words(self.highlight.as_deref().unwrap_or_default()) {
            let wrong = |why: String| Failure::input(format!("--highlight {}: {why}", head(name)));
            let mv = position.read_move(name, notation).map_err(|fault| wrong(fault.message))?;
            let cell = position.target_cell(mv);
            marked.push(cell.ok_or_else(|| wrong(format!("`{name}` is no cell")))?);
        }
        let numbers = if self.numbers { position.numbered(moves) } else { Vec::new() };
        let picture = picture.on_cells(|diagram| {
            let diagram = diagram.strokes(self.strokes).highlight(marked);
            let diagram = match self.layout {
                Some(Lies::Rows) => diagram.layout(Layout::Rows),
                Some(Lies::Columns) => diagram.layout(Layout::Columns),
                None => diagram,
            };
            numbers
                .into_iter()
                .fold(diagram, |diagram, (cell, number)| diagram.label(cell, number.to_string()))
        });
        let picture = match &self.layers {
            Some(list) => layers(position, list, notation, &LayerBudget::default())?
                .iter()
                .fold(picture, |picture, layer| layer.mark(picture, position, notation)),
            None => picture,
        };
        Ok(match &self.title {
            Some(title) => picture.title(title),
            None => picture,
        })
    }

    /// Refuses the options that only boards of cells have.
    fn only_cells(&self, game: &str) -> Result<(), Failure> {
        let asked = [
            ("--numbers", self.numbers),
            ("--strokes", self.strokes),
            ("--layout", self.layout.is_some()),
            ("--highlight", self.highlight.is_some()),
            ("--layers", self.layers.is_some()),
        ];
        match asked.iter().find(|(_, given)| *given) {
            Some((option, _)) => {
                Err(Failure::input(format!("{option}: pictures of {game} have no such thing")))
            }
            None => Ok(()),
        }
    }
}
