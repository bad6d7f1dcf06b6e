//! The description of Havannah.

use rand_xoshiro::Xoshiro256PlusPlus;
use stonework_board::{Axial, Cell, CellSet, Diagram, Notation, NotationError, Stone};
use stonework_game::{Game, Outcome, Player, Textual};
use stonework_havannah::{
    IllegalMove, MAX_SIZE, MIN_SIZE, Move, PlayoutBoard, Position, Setup, WinKind, WinKinds, colour,
};
use stonework_record::{Action, Builder, Claim, Colour, Dialect, POSITION_PROPERTY, Reading, Record, Tree};

use super::havannah_layers::{LAYERS, layer};
use crate::described::play_text;
use crate::record::{begins, check_sides, fault, refused_as_havannah, set_up};
use crate::state::BySide;
use crate::{
    Described, Description, Fault, GameRecord, Layer, LayerBudget, LayerInfo, Picture, Places, PlayoutRunner,
    RandomGame, RecordedGame, Start, State,
};

/// The kinds of win in the order of their bits.
const KINDS: [WinKind; 3] = [WinKind::Ring, WinKind::Bridge, WinKind::Fork];

/// The notation of a number; the usual notation for a number without a notation.
fn numbered(notation: usize) -> Notation {
    Notation::ALL.get(notation).copied().unwrap_or_default()
}

/// The kinds of win as bits, one bit for each kind.
fn bits(kinds: WinKinds) -> u32 {
    let bits = KINDS.iter().enumerate().filter(|(_, kind)| kinds.contains(**kind));
    bits.fold(0, |bits, (number, _)| bits | 1 << number)
}

impl Described for Position {
    const DESCRIPTION: Description = Description {
        sizes: (MIN_SIZE, MAX_SIZE),
        usual_size: 10,
        notations: &NAMES,
        swaps: true,
        kinds: &["ring", "bridge", "fork"],
        ..Description::new("havannah", [colour(Player::First), colour(Player::Second)])
    };

    /// `position` is the one-line text form `SIZE SIDE SWAP ROWS`, which states the right to swap. A right that the text denies, and
    /// that could still be used, is refused.
    fn start(start: &Start) -> Result<Self, Fault> {
        let game = &Self::DESCRIPTION;
        let size = start.size_in(game)?;
        let mut setup = match (&start.position, size) {
            (None, None) => return Err(Start::missing()),
            (None, Some(size)) => Setup { swap: start.swap, ..Setup::new(size) },
            (Some(text), size) => {
                let position =
                    Self::parse_position(text).map_err(|e| Fault::new("position", e.to_string()))?;
                Start::same_size(size, position.size())?;
                position.setup()
            }
        };
        setup.to_move = start.player_in(game)?.unwrap_or(setup.to_move);
        let could_swap = || Setup { swap: true, ..setup.clone() }.position().is_ok();
        if start.swap && !setup.swap && could_swap() {
            let what = "the position has `-` for no right to swap, the question asks for this right";
            return Err(Fault::new("swap", what));
        }
        setup.position().map_err(|e| Fault::new("position", e.to_string()))
    }

    fn size(&self) -> u8 {
        self.size()
    }

    fn notation(&self, name: Option<&str>) -> Result<usize, Fault> {
        let fault = |e: NotationError| Fault::new("notation", e.to_string());
        let notation: Notation = name.map_or(Ok(Notation::Hgui), str::parse).map_err(fault)?;
        notation.fits(self.board().shape()).map_err(fault)?;
        Ok(Notation::ALL.iter().position(|&one| one == notation).unwrap_or_default())
    }

    fn move_text_in(&self, mv: Move, notation: usize) -> String {
        Self::move_text_in(self, mv, numbered(notation)).unwrap_or_default()
    }

    fn read_move(&self, text: &str, notation: usize) -> Result<Move, Fault> {
        self.parse_move_in(text, numbered(notation)).map_err(|e| Fault::new("move", e.to_string()))
    }

    fn fault_kind(illegal: &IllegalMove) -> &'static str {
        match illegal {
            IllegalMove::Over { .. } => "over",
            IllegalMove::Swap { .. } => "swap",
            IllegalMove::Occupied { .. } => "occupied",
            _ => "move",
        }
    }

    fn swap_move() -> Option<Move> {
        Some(Move::Swap)
    }

    fn describe(&self, notation: usize, state: &mut State) {
        let notation = numbered(notation);
        let names = |cells: CellSet| -> Vec<String> {
            cells.iter().map(|c| notation.name_of(self.board(), c).unwrap_or_default()).collect()
        };
        let winning = |player| names(self.winning_cells(player));
        state.how = Some(self.kinds().iter().map(|k| k.name().to_owned()).collect());
        state.cells = Some(self.kinds().iter().filter_map(|k| self.winning_chain(k).map(names)).collect());
        state.winning_cells = Some(BySide { white: winning(Player::First), black: winning(Player::Second) });
        state.can_win =
            Some(BySide { white: self.can_win(Player::First), black: self.can_win(Player::Second) });
    }

    fn kinds(&self) -> u32 {
        bits(self.kinds())
    }

    fn winning_moves(&self, player: Player) -> Option<Vec<Move>> {
        Some(self.winning_cells(player).iter().map(Move::Place).collect())
    }

    fn layers() -> &'static [LayerInfo] {
        LAYERS
    }

    /// While a swap may still exchange the colours, the layers of links, frames and must-play are refused.
    fn layer(&self, name: &str, notation: usize, budget: &LayerBudget) -> Result<Layer, Fault> {
        layer(self, name, numbered(notation), notation, budget)
    }

    fn standing(&self) -> String {
        match self.outcome() {
            Some(Outcome::Win(player)) => format!("{} wins by {}", colour(player), self.kinds()),
            Some(Outcome::Draw) => "a draw: the board is full and nobody has won".to_owned(),
            None => format!("not over, {} to move", colour(self.to_move())),
        }
    }

    /// The winner's chains are highlighted, and the last stone is marked.
    fn picture(&self, moves: &[Move], notation: usize) -> Result<Picture, Fault> {
        let chains = self.kinds().iter().filter_map(|kind| self.winning_chain(kind));
        let mut diagram = Diagram::new(self.board())
            .notation(numbered(notation))
            .map_err(|e| Fault::new("notation", e.to_string()))?
            .stones(self.stones(Player::First), Stone::Light)
            .stones(self.stones(Player::Second), Stone::Dark)
            .highlight(chains.flat_map(|chain: CellSet| chain.iter().collect::<Vec<_>>()));
        if let Some(cell) = moves.iter().rev().find_map(|&mv| Self::target_cell(mv)) {
            diagram = diagram.last(cell);
        }
        Ok(Picture::Cells(diagram))
    }

    fn target_cell(mv: Move) -> Option<Cell> {
        match mv {
            Move::Place(cell) => Some(cell),
            Move::Swap => None,
        }
    }

    fn rules() -> &'static [&'static str] {
        &[
            "White and black place a stone in turn on any empty cell; white begins. Stones never move and are never taken. \
             Neighbouring stones of one side form a chain. A side wins with a stone that completes one of these:",
            "Bridge: a chain that joins two of the six corners.",
            "Fork: a chain that touches three of the six edges. Corners belong to no edge.",
            "Ring: a chain that encloses at least one cell, whatever is on the cell.",
            "A full board is a draw. With the right to swap, black may, instead of a first stone, take over white's stone; then \
             white moves.",
        ]
    }

    fn places(&self) -> Option<Places<Move>> {
        let width = 2 * i16::from(self.size()) - 1;
        let place = |row, column| {
            let cell = self.board().cell_at(Axial::new(row, column))?;
            Some((Move::Place(cell), self.stone(cell)))
        };
        Some((0..width).map(|row| (0..width).map(|column| place(row, column)).collect()).collect())
    }

    /// Random games on Havannah's own board for playouts.
    fn playouts(&self) -> Box<dyn PlayoutRunner> {
        let root = PlayoutBoard::from(self);
        Box::new(FastRunner { board: root.clone(), root })
    }

    /// The record is in the dialect of `HavannahGui`, which has swaps and resignations. On an empty board black may begin (`PL`); another
    /// first position stands in `SWP`.
    fn record(&self, game: &GameRecord<'_>) -> Result<String, Fault> {
        let black_begins = self.stone_count() == 0 && self.to_move() == Player::Second;
        let position = if black_begins { None } else { set_up(self)? };
        let mut record = Builder::new(self.size(), Dialect::HAVANNAH_GUI).map_err(fault)?;
        let [white, black] = game.players;
        let round = game.round.map(|round| round.to_string()).unwrap_or_default();
        let root =
            [("PW", white), ("PB", black), ("AP", game.application.unwrap_or_default()), ("RO", &round)];
        let first = black_begins.then_some(("PL", Colour::Black.letter()));
        let first = first.or_else(|| Some((POSITION_PROPERTY, position.as_deref()?)));
        for (name, value) in root.into_iter().chain(first).filter(|(_, value)| !value.is_empty()) {
            record.set(name, value).map_err(fault)?;
        }
        let mut position = self.clone();
        let mover = |position: &Self| match position.to_move() {
            Player::First => Colour::White,
            Player::Second => Colour::Black,
        };
        for text in game.moves {
            let colour = mover(&position);
            let (mv, _) = play_text(&mut position, 0, text).map_err(fault)?;
            let action = Self::target_cell(mv).map_or(Action::Swap, Action::Place);
            record.play(colour, action).map_err(fault)?;
        }
        if game.resigned {
            record.play(mover(&position), Action::Resign).map_err(fault)?;
        }
        if let Some(comment) = game.comment {
            record.comment(comment).map_err(fault)?;
        }
        if let Some(result) = game.result {
            let claim = match result {
                Outcome::Win(Player::First) => Claim::White,
                Outcome::Win(Player::Second) => Claim::Black,
                Outcome::Draw => Claim::Draw,
            };
            match claim.winner().filter(|_| !game.reason.is_empty()) {
                Some(winner) => record.set("RE", &format!("{}+{}", winner.letter(), game.reason)),
                None => record.result(&claim),
            }
            .map_err(fault)?;
        }
        Ok(record.finish().map_err(fault)?.to_string())
    }

    /// The record may be in any dialect. A resignation ends the moves. Black begins if the record says so (`PL`), or else if black
    /// has the first move. There is a right to swap unless the record begins with another position than the first one of its size.
    fn read_record(tree: &Tree, size: Option<u64>) -> Result<RecordedGame, Fault> {
        let size = Start { size, ..Start::default() }.size_in(&Self::DESCRIPTION)?;
        if let Some(refused) = refused_as_havannah(tree) {
            return Err(fault(refused));
        }
        let record = Record::read_with(tree, Reading { size, notation: None }).map_err(fault)?;
        let first = havannah_start(tree, &record, true)?;
        let (mut sides, mut moves) = (Vec::new(), Vec::new());
        for mv in &record.moves {
            sides.push(player(mv.colour));
            match mv.action {
                Action::Place(cell) => moves.push(record.board().name(cell)),
                Action::Swap => moves.push("swap".to_owned()),
                Action::Resign => break,
                Action::Pass => return Err(fault(format!("move {}: Havannah has no pass", moves.len() + 1))),
            }
        }
        let claimed = record.result.as_ref().map(|claim| match claim {
            Claim::White => "white".to_owned(),
            Claim::Black => "black".to_owned(),
            Claim::Draw => "draw".to_owned(),
            other => other.to_string(),
        });
        let players = [&record.white, &record.black].map(|name| name.clone().unwrap_or_default());
        let size = record.size.into();
        let is_usual =
            Self::start(&Start { swap: true, ..Start::of_size(size) }).is_ok_and(|usual| usual == first);
        let position = (!is_usual).then(|| first.position_text());
        let game = RecordedGame { size, swap: is_usual, position, moves, players, claimed };
        check_sides::<Self>(&game.start(), &sides, &game.moves)?;
        Ok(game)
    }
}

const fn player(colour: Colour) -> Player {
    match colour {
        Colour::White => Player::First,
        Colour::Black => Player::Second,
    }
}

/// The first position of a record of Havannah: the one in its property `SWP`, or else the stones that are set up and the side with the
/// first move. With `swap` there is a right to swap, if the board is empty and white begins.
///
/// ```
/// use stonework_record::{Record, Tree};
/// use stonework_session::havannah_start;
/// let tree = Tree::parse_str("(;SZ[3]AW[b2]AB[c3];B[a1])").unwrap();
/// let start = havannah_start(&tree, &Record::read(&tree).unwrap(), true)?;
/// assert_eq!(stonework_game::Textual::position_text(&start), "3 b - .../.w../..b../..../...");
/// # Ok::<(), stonework_session::Fault>(())
/// ```
///
/// # Errors
/// The fault `record` for a text in `SWP` that is no position of the record's size, and for stones that are no position.
pub fn havannah_start(tree: &Tree, record: &Record, swap: bool) -> Result<Position, Fault> {
    if let Some(position) = begins(tree, record.size.into())? {
        return Ok(position);
    }
    let mut setup = Setup::new(record.size);
    for &(colour, cell) in &record.setup {
        for side in Player::BOTH {
            setup.stones[side].remove(cell);
        }
        if let Some(colour) = colour {
            setup.stones[player(colour)].insert(cell);
        }
    }
    setup.to_move = player(record.first_colour());
    setup.swap = swap && record.setup.is_empty() && setup.to_move == Player::First;
    setup.position().map_err(fault)
}

/// The names of the notations in the order of [`Notation::ALL`].
const NAMES: [&str; Notation::ALL.len()] = {
    let mut names = [""; Notation::ALL.len()];
    let mut number = 0;
    while number < names.len() {
        names[number] = Notation::ALL[number].name();
        number += 1;
    }
    names
};

/// Random games on Havannah's own board for playouts.
struct FastRunner {
    root: PlayoutBoard,
    board: PlayoutBoard,
}

impl PlayoutRunner for FastRunner {
    fn play(&mut self, rng: &mut Xoshiro256PlusPlus) -> RandomGame {
        self.board.copy_from(&self.root);
        let result = self.board.run(rng);
        RandomGame { winner: result.winner, plies: result.plies.into(), kinds: bits(result.kinds) }
    }
}
