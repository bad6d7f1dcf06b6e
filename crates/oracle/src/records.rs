//! Games from files: trees of SGF and HGF, and lists of games as JSON lines, in one form.

mod filed;
mod folder;
mod lines;
mod replayed;
mod trees;

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use stonework_board::Notation;
use stonework_game::{Game, Indexed, Player};
use stonework_havannah::{IllegalMove, Move, Position};
use stonework_record::{Action, Claim, Colour, Dialect, Encoding, ParseOptions, Reading, RecordLimits, Tree};
use stonework_session::{AnyMove, AnyPosition, Described, GameType};

pub use self::filed::FiledGame;
pub use self::folder::{record_files, recorded_games};
pub use self::lines::ListedEnd;
pub use self::replayed::{GameEnd, ReplayCounts, ReplayedGame};
use crate::{GameText, Lines, MAX_LINE};

/// Options of reading games, which overrule the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RecordOptions {
    /// The size of the board, in place of the record's own.
    pub size: Option<u8>,
    /// The notation of cells, in place of the record's own.
    pub notation: Option<Notation>,
    /// `true` if the second player's first action may be a swap.
    pub swap: bool,
}

/// The reason why a file or one of its games cannot be read or replayed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ReplayError {
    /// The file, with the game or the line in it.
    pub place: String,
    /// The fault, with the wrong move and value.
    pub reason: String,
}

impl ReplayError {
    fn new(place: &str, reason: &dyn fmt::Display) -> Self {
        Self { place: place.to_owned(), reason: reason.to_string() }
    }
}

/// A game of Havannah as a file records it. Its moves need not be legal.
///
/// ```
/// use stonework_oracle::{GameEnd, RecordFile, RecordOptions};
/// let list = r#"{"id":7,"size":4,"moves_hgui":["a1","b1","a2","b2","a3","b3","a4"],"win_by":"W"}"#;
/// let file = RecordFile::Lines { label: "list".to_owned(), reader: Box::new(list.as_bytes()) };
/// for game in file.games(RecordOptions::default()) {
///     let game = game?;
///     let replayed = game.replay(None)?;
///     assert_eq!((game.label.as_str(), replayed.end()), ("list, game 7", GameEnd::Formation));
///     assert!(game.disagreements(&replayed).is_empty());
/// }
/// # Ok::<(), stonework_oracle::ReplayError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct ListedGame {
    /// The file, by its path or as `standard input`.
    pub file: String,
    /// The name of the game in a file of several: the `id` of a list, else the number of the tree.
    pub id: Option<Value>,
    /// The file and the game, for a reader.
    pub label: String,
    /// The notation of the cells in the record.
    pub notation: Notation,
    /// The first position.
    pub start: Position,
    /// The moves, each with its side if the record names the side.
    pub steps: Vec<(Option<Player>, Action)>,
    /// The players, the place and the date by name, if the record has them.
    pub header: Vec<(&'static str, String)>,
    /// The result that the record claims.
    pub claimed: Option<Claim>,
    /// Remarks on irregular parts of the record.
    pub quirks: Vec<String>,
    /// The end that a list of games gives; `None` for a tree.
    pub listed: Option<ListedEnd>,
}

impl ListedGame {
    /// Plays the moves, all or the first `plies` of them, up to a resignation.
    ///
    /// # Errors
    /// The fault of an illegal move, with its number and the rule that it breaks.
    pub fn replay(&self, plies: Option<usize>) -> Result<ReplayedGame, ReplayError> {
        let mut position = self.start.clone();
        let mut moves = Vec::new();
        let count = plies.unwrap_or(usize::MAX);
        for (i, &(colour, action)) in self.steps.iter().enumerate().take(count) {
            let refuse = |what: String| {
                let dialect = Dialect { notation: self.notation, ..Dialect::default() };
                let name = action.write(self.start.board(), dialect).unwrap_or_default();
                Err(ReplayError::new(&self.label, &format_args!("move {} ({name}): {what}", i + 1)))
            };
            let mv = match action {
                Action::Resign => {
                    let resigned = Some(colour.unwrap_or_else(|| position.to_move()));
                    let passed_over = self.steps.len() - i - 1;
                    return Ok(ReplayedGame { position, moves, resigned, passed_over });
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
        Ok(ReplayedGame { position, moves, resigned: None, passed_over: 0 })
    }

    /// The moves up to a resignation as a game for tests of rules.
    ///
    /// # Errors
    /// An error for a game that does not start from the empty board with White to move, and for a pass.
    pub fn to_text(&self) -> Result<GameText, ReplayError> {
        if self.start.stone_count() > 0 || self.start.to_move() != Player::First {
            let reason = "does not start from the empty board with white to move";
            return Err(ReplayError::new(&self.label, &reason));
        }
        let board = self.start.board();
        let mut moves = Vec::new();
        for (_, action) in self.steps.iter().take_while(|(_, action)| *action != Action::Resign) {
            if *action == Action::Pass {
                return Err(ReplayError::new(&self.label, &"Havannah has no pass"));
            }
            let name = action.write(board, Dialect::HAVANNAH_GUI);
            moves.push(name.map_err(|e| ReplayError::new(&self.label, &e))?);
        }
        let swap = moves.iter().any(|m| m == "swap");
        Ok(GameText {
            name: self.label.clone(),
            game: "havannah",
            size: self.start.size(),
            start: None,
            swap,
            notation: None,
            moves,
        })
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
pub enum RecordFile {
    /// The trees of an SGF or HGF file.
    Trees {
        /// The path, or `standard input`.
        label: String,
        /// The games of the file.
        trees: Vec<Tree>,
    },
    /// A list of games, a JSON object on each line.
    Lines {
        /// The path, or `standard input`.
        label: String,
        /// The lines that are not read yet.
        reader: Box<dyn BufRead>,
    },
}

impl fmt::Debug for RecordFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trees { label, trees } => {
                f.debug_struct("Trees").field("label", label).field("trees", trees).finish()
            }
            Self::Lines { label, .. } => {
                f.debug_struct("Lines").field("label", label).finish_non_exhaustive()
            }
        }
    }
}

impl RecordFile {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// An error with the name of the file, if the file cannot be read, is larger than the limit of records, or is not a
    /// collection of trees.
    pub fn open(path: &Path) -> Result<Self, ReplayError> {
        let stdin = path.as_os_str() == "-";
        let label = if stdin { "standard input".to_owned() } else { path.display().to_string() };
        let failed = |e: io::Error| ReplayError::new(&label, &e);
        let mut reader: Box<dyn BufRead> = if stdin {
            Box::new(BufReader::new(io::stdin()))
        } else {
            Box::new(BufReader::new(File::open(path).map_err(failed)?))
        };
        // Some editors begin a file in UTF-8 with this mark.
        let mark = "\u{feff}".as_bytes();
        if reader.fill_buf().map_err(failed)?.starts_with(mark) {
            reader.consume(mark.len());
        }
        let named_so = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("jsonl"));
        let begins_so =
            reader.fill_buf().map_err(failed)?.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'{');
        if named_so || begins_so {
            return Ok(Self::Lines { label, reader });
        }
        let options = ParseOptions { encoding: Encoding::Detect, limits: RecordLimits::default() };
        let mut bytes = Vec::new();
        let limit = options.limits.bytes;
        reader.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() > limit {
            let reason = format_args!("more than {limit} bytes, which is the limit");
            return Err(ReplayError::new(&label, &reason));
        }
        let trees = options.parse_collection(&bytes).map_err(|e| ReplayError::new(&label, &e))?.games;
        Ok(Self::Trees { label, trees })
    }

    /// The time that each move of the first game took, as [`Tree::move_times`]; no times for a list of games.
    #[must_use]
    pub fn move_times(&self, rules: &GameType) -> Vec<Option<Duration>> {
        let Self::Trees { trees, .. } = self else { return Vec::new() };
        let sides = rules.description().sides.map(|side| side[..1].to_uppercase());
        trees.first().map_or(Vec::new(), |tree| tree.move_times([&sides[0], &sides[1]]))
    }

    /// `true` if the file is a list of games or has more than one game.
    #[must_use]
    pub const fn has_several(&self) -> bool {
        match self {
            Self::Trees { trees, .. } => trees.len() > 1,
            Self::Lines { .. } => true,
        }
    }

    /// The games in order as games of Havannah; the reason instead of a game that cannot be read. A list is read line
    /// by line, at most [`MAX_LINE`] bytes of memory at a time; empty lines and the header of a match's log are left out.
    #[must_use]
    pub fn games(self, how: RecordOptions) -> Box<dyn Iterator<Item = Result<ListedGame, ReplayError>>> {
        match self {
            Self::Trees { label, trees } => {
                let several = trees.len() > 1;
                Box::new(trees.into_iter().enumerate().map(move |(i, tree)| {
                    let reading = Reading { size: how.size, notation: how.notation };
                    trees::recorded(&label, several.then_some(i + 1), &tree, reading, how.swap)
                }))
            }
            Self::Lines { label, reader } => {
                let lines = Lines::new(reader, MAX_LINE).enumerate();
                Box::new(lines.filter_map(move |(i, line)| {
                    let at = format!("{label}, line {}", i + 1);
                    lines::recorded(&at, &label, line, how).transpose()
                }))
            }
        }
    }

    /// The start and the moves of the first game. A game of Havannah ends before a resignation.
    ///
    /// ```
    /// use stonework_oracle::{RecordFile, RecordOptions};
    /// let list = r#"{"size":4,"moves":["a1","b1"]}"#;
    /// let file = RecordFile::Lines { label: "list".to_owned(), reader: Box::new(list.as_bytes()) };
    /// let registry = stonework_session::Registry::standard();
    /// let (start, moves) = file.first_game(registry.game("havannah")?, RecordOptions::default())?;
    /// assert_eq!((start.size(), moves.len()), (4, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// An error for a file without games, for a game that cannot be read, and for the first illegal move.
    pub fn first_game(
        self,
        rules: &GameType,
        how: RecordOptions,
    ) -> Result<(AnyPosition, Vec<AnyMove>), ReplayError> {
        let (Self::Trees { label, .. } | Self::Lines { label, .. }) = &self;
        let none = ReplayError::new(label, &"no game");
        if rules.name() == Position::DESCRIPTION.name {
            let game = self.games(how).next().ok_or(none)??;
            let moves = game.replay(None)?.moves;
            let moves = moves.iter().map(|&mv| AnyMove(game.start.move_index(mv) as u32)).collect();
            return Ok((AnyPosition::new(game.start), moves));
        }
        let game = self.games_of(rules, how.size.map(u64::from)).next().ok_or(none)??;
        game.moves(rules)
    }
}
