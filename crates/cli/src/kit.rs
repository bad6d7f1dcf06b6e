//! `kit`: a game to print.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;
use stonework_board::{DiagonalDiagram, Stone};
use stonework_picture::{Kit as Print, KitStones, Paper};
use stonework_session::{Picture, Registry, Start};

use crate::failure::Failure;
use crate::help;
use crate::out::Out;
use crate::start::{GameArgs, any_size};

/// Make a game to print and cut out: board, stones and rules, as PDF at true size
#[derive(Args)]
#[command(after_long_help = help::KIT)]
pub(crate) struct Kit {
    #[command(flatten)]
    game: GameArgs,
    /// Cells on a side of the board; for Cover the X of Cover-X
    #[arg(long, value_name = "N", value_parser = any_size, allow_negative_numbers = true)]
    size: u64,
    /// The paper
    #[arg(long, value_enum, default_value_t = Sheet::A4)]
    paper: Sheet,
    /// The PDF file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// A size of paper.
#[derive(Clone, Copy, ValueEnum)]
enum Sheet {
    /// 210 by 297 mm
    A4,
    /// 8.5 by 11 inches
    Letter,
}

impl Kit {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let start = self.game.of(registry)?.start(&Start::of_size(self.size)).map_err(Failure::input)?;
        let game = start.description();
        let picture = start.picture(&[], 0).map_err(Failure::input)?;
        let (board, pieces) = match &picture {
            Picture::Cells(diagram) => {
                let count = diagram.board().len().div_ceil(2);
                (diagram.drawing(), [Stone::Light, Stone::Dark].map(|stone| (diagram.piece(stone), count)))
            }
            Picture::Locations(diagram) => {
                let lattice = diagram.lattice();
                let count =
                    |stone| lattice.cells().filter(|&cell| diagram.stone_on(cell) == Some(stone)).count();
                let empty = DiagonalDiagram::new(lattice).drawing();
                (empty, [Stone::Light, Stone::Dark].map(|stone| (diagram.piece(stone), count(stone))))
            }
            Picture::Text(_) => {
                return Err(Failure::input(format!("there are no pictures of {}", game.name)));
            }
        };
        let stones = |(side, (stone, count)): (&str, _)| KitStones { side: side.to_owned(), stone, count };
        let kit = Print {
            title: format!("{}, size {}", capital(game.name), self.size),
            board,
            stones: game.sides.into_iter().zip(pieces).map(stones).collect(),
            rules: start.rules().iter().map(|&paragraph| paragraph.to_owned()).collect(),
        };
        let paper = match self.paper {
            Sheet::A4 => Paper::A4,
            Sheet::Letter => Paper::Letter,
        };
        out.replace(&"", &self.output, &kit.pdf(paper).map_err(Failure::input)?)?;
        if out.wants_json() {
            out.object(&json!({ "file": self.output.display().to_string() }))?;
        }
        Ok(())
    }
}

/// A name as the first word of a title. The first letter may have several bytes.
fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_begins_with_a_capital_of_any_length() {
        for (name, title) in
            [("cover", "Cover"), ("\u{e9}checs", "\u{c9}checs"), ("\u{56f4}", "\u{56f4}"), ("", "")]
        {
            assert_eq!(capital(name), title);
        }
    }
}
