//! What the commands that play ask of a game, and the games by name.

mod cachex;
mod cover;
mod havannah;

use stonework_arena::{GameLine, GtpContestant, Won};
use stonework_board::{Cell, DiagonalDiagram, Diagram, Notation};
use stonework_game::{Indexed, Player};
use stonework_oracle::{Asked, Fault, Query};
use stonework_players::roster::{Entry, RosterError, Seat};
use stonework_record::Tree;
use stonework_search::{Agent, Engine};

use crate::playouts::{Plain, Runner};

/// Calls a method that is generic over a [`Played`] game with the game of a name, which must be one of
/// [`stonework_oracle::GAMES`].
macro_rules! for_game {
    ($name:expr, $this:ident.$method:ident($($argument:expr),*)) => {
        match $name {
            <stonework_cachex::Position as stonework_oracle::Asked>::NAME => {
                $this.$method::<stonework_cachex::Position>($($argument),*)
            }
            <stonework_cover::Position as stonework_oracle::Asked>::NAME => {
                $this.$method::<stonework_cover::Position>($($argument),*)
            }
            _ => $this.$method::<stonework_havannah::Position>($($argument),*),
        }
    };
}
pub(crate) use for_game;

/// A position on either lattice.
pub(crate) enum Picture {
    /// A board of hexagonal cells.
    Cells(Diagram),
    /// The diagonal lattice.
    Locations(DiagonalDiagram),
}

impl Picture {
    /// The same with something done to a board of cells; the other lattice has no such things.
    pub(crate) fn on_cells(self, change: impl FnOnce(Diagram) -> Diagram) -> Self {
        match self {
            Self::Cells(diagram) => Self::Cells(change(diagram)),
            locations @ Self::Locations(_) => locations,
        }
    }

    /// With a line above.
    pub(crate) fn title(self, title: &str) -> Self {
        match self {
            Self::Cells(diagram) => Self::Cells(diagram.title(title)),
            Self::Locations(diagram) => Self::Locations(diagram.title(title)),
        }
    }

    /// Lines without a final break.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Cells(diagram) => diagram.text(),
            Self::Locations(diagram) => diagram.text(),
        }
    }

    pub(crate) fn svg(&self) -> String {
        match self {
            Self::Cells(diagram) => diagram.svg(),
            Self::Locations(diagram) => diagram.svg(),
        }
    }
}

/// A square that holds the board, row by row from the top: off the board nothing, else the move to that place and the
/// stone that is there.
pub(crate) type Places<M> = Vec<Vec<Option<(M, Option<Player>)>>>;

/// The name of a property and its value.
pub(crate) type Property = (&'static str, String);

/// A game with players, in pictures and records.
pub(crate) trait Played: Asked + Indexed + Send + Sync + 'static {
    /// Everybody who plays it, the solvers first.
    const ROSTER: &'static [Entry];
    /// The player where none is named.
    const USUAL_PLAYER: &'static str;
    /// The engine that looks for a move where none is named.
    const USUAL_ENGINE: &'static str = Self::USUAL_PLAYER;
    /// The engine that solves where none is named.
    const USUAL_SOLVER: &'static str = "alphabeta";
    /// The size where none is given.
    const USUAL_SIZE: u8;
    /// Plies after which a match calls a game a draw, where a game may go on for ever.
    const MAX_PLIES: Option<u32> = None;
    /// Whether games over GTP are played with a right to swap that a command line grants.
    const SWAPS: bool = false;
    /// The command that asks who has won.
    const WINNER_COMMAND: &'static str;

    /// An engine by name.
    fn engine(name: &str, seat: &Seat) -> Result<Box<dyn Engine<Self>>, RosterError>;

    /// A player by name.
    fn agent(name: &str, seat: &Seat) -> Result<Box<dyn Agent<Self>>, RosterError>;

    /// The start of a game.
    fn begin(size: u64, swap: bool) -> Result<Self, Fault> {
        Self::start(&Query { size: Some(size), swap, ..Query::new(Self::NAME, 2, false, Vec::new()) })
    }

    /// The notations that moves can be written in, where there are several.
    fn notations() -> &'static [Notation] {
        &[]
    }

    /// Whether a notation can name the moves of this board.
    fn fits(&self, _notation: Notation) -> Result<(), String> {
        Ok(())
    }

    /// A move in a notation.
    fn name_move(&self, mv: Self::Move, _notation: Notation) -> String {
        self.move_text(mv)
    }

    /// Reads a move in a notation.
    fn named_move(&self, text: &str, _notation: Notation) -> Result<Self::Move, String> {
        self.parse_move(text).map_err(|error| error.to_string())
    }

    /// Has a program name cells in a notation.
    fn speaking(&self, _: GtpContestant, notation: &str) -> Result<GtpContestant, String> {
        Err(format!("no notation `{notation}`: {} has one", Self::NAME))
    }

    /// The move by which sides are exchanged.
    fn swap_move() -> Option<Self::Move> {
        None
    }

    /// The position on a square; `None` where a move is more than a place.
    fn places(&self) -> Option<Places<Self::Move>> {
        None
    }

    /// A picture of the position, the moves that led there given.
    fn picture(&self, moves: &[Self::Move], notation: Notation) -> Result<Picture, String>;

    /// How the game stands, in words.
    fn standing(&self) -> String;

    /// The cell that a move puts a stone on, if that is what it does.
    fn target(_mv: Self::Move) -> Option<Cell> {
        None
    }

    /// The stones on the board with the numbers of the moves that have put them there.
    fn placed(&self, moves: &[Self::Move]) -> Vec<(Cell, usize)> {
        let placed = moves.iter().enumerate();
        placed.filter_map(|(ply, &mv)| Some((Self::target(mv)?, ply + 1))).collect()
    }

    /// A cell by name, to be marked in a picture.
    fn cell_named(&self, name: &str, notation: Notation) -> Result<Cell, String> {
        let mv = self.named_move(name, notation)?;
        Self::target(mv).ok_or_else(|| format!("`{name}` is no cell"))
    }

    /// A picture as text and how the game stands.
    fn draw(&self, moves: &[Self::Move], notation: Notation) -> String {
        let text =
            self.picture(moves, notation).map_or_else(|_| self.position_text(), |picture| picture.text());
        format!("{text}\n{}", self.standing())
    }

    /// A picture with a text on some moves, the best one first.
    fn svg(&self, marks: &[(Self::Move, String)], notation: Notation) -> Option<String> {
        let mut picture = self.picture(&[], notation).ok()?;
        for (place, (mv, text)) in marks.iter().enumerate() {
            let Some(cell) = Self::target(*mv) else { continue };
            picture = picture.on_cells(|diagram| {
                let diagram = diagram.label(cell, text);
                if place == 0 { diagram.highlight([cell]) } else { diagram }
            });
        }
        Some(picture.svg())
    }

    /// What plays random games from here.
    fn runner(&self) -> Box<dyn Runner> {
        Box::new(Plain::from(self))
    }

    /// The size of the board.
    fn board_size(&self) -> u8;

    /// What stands in the root of a record besides the moves.
    fn record_head(&self) -> Vec<Property>;

    /// An SGF record of a game from this start, between players of these names.
    fn record(&self, line: &GameLine, names: [&str; 2]) -> Result<String, Box<dyn std::error::Error>> {
        let mut tree = Tree::new();
        let mut root = vec![("FF", "4".to_owned())];
        root.extend(self.record_head());
        root.push(("AP", concat!("stonework:", env!("CARGO_PKG_VERSION")).to_owned()));
        root.push(("RO", (line.round + 1).to_string()));
        let letters = Self::SIDES.map(|side| side[..1].to_uppercase());
        let result = match line.result {
            Won::First => format!("{}+", letters[0]),
            Won::Second => format!("{}+", letters[1]),
            Won::Draw => "0".to_owned(),
        };
        root.push(("RE", result));
        for (name, value) in root {
            tree.set_property(tree.root(), name, &[value])?;
        }
        for (letter, name) in letters.iter().zip(names) {
            tree.set_property(tree.root(), &format!("P{letter}"), &[name])?;
        }
        let (mut at, mut game) = (tree.root(), self.clone());
        for text in &line.moves {
            let mv = game.parse_move(text)?;
            at = tree.add_child(at)?;
            tree.set_property(at, &letters[game.to_move().index()], &[text])?;
            game.play(mv).map_err(|illegal| illegal.to_string())?;
        }
        if !line.is_regular() {
            tree.set_comment(at, &line.reason)?;
        }
        tree.lay_out()?;
        Ok(tree.to_string())
    }
}
