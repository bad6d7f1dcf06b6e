//! Games from files: trees of SGF and HGF, and lists of games as JSON lines, in one form.

mod lines;
mod trees;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use serde_json::Value;
use stonework_board::Notation;
use stonework_game::{Game, Player};
use stonework_havannah::{IllegalMove, Move, Position};
use stonework_oracle::Lines;
use stonework_record::{Action, Claim, Colour, Dialect, Encoding, Limits, ParseOptions, Reading, Tree};

use self::lines::Formation;

/// How games are to be read, where the caller knows better than the files.
#[derive(Clone, Copy)]
pub(crate) struct HowToRead {
    pub(crate) size: Option<u8>,
    pub(crate) notation: Option<Notation>,
    /// Whether the second player's first action may be a swap.
    pub(crate) swap: bool,
}

/// A game as it is recorded. Nothing says yet that its moves are legal.
pub(crate) struct Recorded {
    pub(crate) file: String,
    /// Which game of the file, if there may be several: as a list calls it, else its number.
    pub(crate) id: Option<Value>,
    /// File and game, for a person.
    pub(crate) label: String,
    /// How the record writes cells.
    pub(crate) notation: Notation,
    pub(crate) start: Position,
    /// The moves, with the side that makes them where the record says so.
    pub(crate) steps: Vec<(Option<Player>, Action)>,
    /// What the record says about players, place and time.
    pub(crate) header: Vec<(&'static str, String)>,
    /// The result that the record claims.
    pub(crate) claimed: Option<Claim>,
    /// What a reader should know.
    pub(crate) quirks: Vec<String>,
    /// The end that a list of games gives.
    pub(crate) formation: Option<Formation>,
}

/// A game after its moves.
pub(crate) struct Replayed {
    pub(crate) position: Position,
    pub(crate) moves: Vec<Move>,
    /// Who has resigned.
    pub(crate) resigned: Option<Player>,
    /// Moves in the record after a resignation.
    pub(crate) passed_over: usize,
}

impl Recorded {
    /// Plays the moves, all or so many of them, up to a resignation.
    ///
    /// # Errors
    /// With the number of the move and the rule that it breaks.
    pub(crate) fn replay(&self, plies: Option<usize>) -> Result<Replayed, String> {
        let mut position = self.start.clone();
        let mut moves = Vec::new();
        let count = plies.unwrap_or(usize::MAX);
        for (i, &(colour, action)) in self.steps.iter().enumerate().take(count) {
            let refuse = |what: String| {
                let dialect = Dialect { notation: self.notation, ..Dialect::default() };
                let name = action.write(self.start.board(), dialect).unwrap_or_default();
                Err(format!("{}: move {} ({name}): {what}", self.label, i + 1))
            };
            let mv = match action {
                Action::Resign => {
                    let resigned = Some(colour.unwrap_or_else(|| position.to_move()));
                    let passed_over = self.steps.len() - i - 1;
                    return Ok(Replayed { position, moves, resigned, passed_over });
                }
                Action::Pass => return refuse("Havannah has no pass".to_owned()),
                Action::Swap => Move::Swap,
                Action::Place(cell) => Move::Place(cell),
            };
            if position.outcome().is_none() && colour.is_some_and(|c| c != position.to_move()) {
                let mover = stonework_havannah::colour(position.to_move());
                return refuse(format!("the record has it for the other side, but {mover} is to move"));
            }
            if let Err(illegal) = position.play(mv) {
                let what = match illegal {
                    IllegalMove::Occupied { owner, .. } => {
                        format!("there is a stone of {} already", stonework_havannah::colour(owner))
                    }
                    other => other.to_string(),
                };
                return refuse(what);
            }
            moves.push(mv);
        }
        Ok(Replayed { position, moves, resigned: None, passed_over: 0 })
    }
}

/// The side of a colour.
pub(crate) const fn player(colour: Colour) -> Player {
    match colour {
        Colour::White => Player::First,
        Colour::Black => Player::Second,
    }
}

/// A file of games that has been opened.
pub(crate) enum Source {
    /// The trees of an SGF or HGF file.
    Trees { label: String, trees: Vec<Tree> },
    /// A list of games, a JSON object on each line.
    Lines { label: String, reader: Box<dyn BufRead> },
}

impl Source {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// With the name of the file.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let stdin = path.as_os_str() == "-";
        let label = if stdin { "standard input".to_owned() } else { path.display().to_string() };
        let failed = |e: io::Error| format!("{label}: {e}");
        let mut reader: Box<dyn BufRead> = if stdin {
            Box::new(BufReader::new(io::stdin()))
        } else {
            Box::new(BufReader::new(File::open(path).map_err(failed)?))
        };
        let named_so = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("jsonl"));
        let begins_so =
            reader.fill_buf().map_err(failed)?.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'{');
        if named_so || begins_so {
            return Ok(Self::Lines { label, reader });
        }
        let options = ParseOptions { encoding: Encoding::Detect, limits: Limits::default() };
        let mut bytes = Vec::new();
        let limit = options.limits.bytes;
        reader.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() > limit {
            return Err(format!("{label}: more than {limit} bytes, which is the limit"));
        }
        let trees = options.parse_collection(&bytes).map_err(|e| format!("{label}: {e}"))?.games;
        Ok(Self::Trees { label, trees })
    }

    /// Whether the file is a list of games or has more than one.
    pub(crate) const fn has_several(&self) -> bool {
        match self {
            Self::Trees { trees, .. } => trees.len() > 1,
            Self::Lines { .. } => true,
        }
    }

    /// The games in order, or what is wrong with them. A list is read line by line.
    pub(crate) fn games(self, how: HowToRead) -> Box<dyn Iterator<Item = Result<Recorded, String>>> {
        match self {
            Self::Trees { label, trees } => {
                let several = trees.len() > 1;
                Box::new(trees.into_iter().enumerate().map(move |(i, tree)| {
                    let reading = Reading { size: how.size, notation: how.notation };
                    trees::recorded(&label, several.then_some(i + 1), &tree, reading, how.swap)
                }))
            }
            Self::Lines { label, reader } => {
                let lines = Lines::new(reader, stonework_oracle::MAX_LINE).enumerate();
                Box::new(lines.filter_map(move |(i, line)| {
                    let at = format!("{label}, line {}", i + 1);
                    lines::recorded(&at, &label, line, how).transpose()
                }))
            }
        }
    }
}
