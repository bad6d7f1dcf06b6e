//! [`Many`]: many boards that are stepped at once.

use rand_core::RngCore;
use rand_xoshiro::Xoshiro256PlusPlus;
use stonework_board::Cell;
use stonework_game::{Outcome, Player};
use stonework_havannah::{PlayoutBoard, Position};
use stonework_session::{Described, Start};
use {stonework_cachex as cachex, stonework_cover as cover};

use crate::legal::each_legal;
use crate::planes::{PLANES, Planar, hexagon_place};

/// One of the boards.
trait One: Send + Sync {
    fn actions(&self) -> usize;
    fn shape(&self) -> [usize; 3];
    fn restart(&mut self);
    fn is_legal(&self, action: usize) -> bool;
    fn play(&mut self, action: usize) -> Option<Outcome>;
    fn to_move(&self) -> Player;
    fn mark_legal(&self, mask: &mut [bool]);
    fn random(&self, rng: &mut Xoshiro256PlusPlus, moves: &mut Vec<u32>) -> u32;
    fn write(&self, out: &mut [f32]);
}

/// A board of any game by its rules.
struct Rules<G> {
    position: G,
    start: G,
    plies: u32,
    most: u32,
}

/// A number below `count`, each with the same chance but for one part in 2³² of it.
fn below(rng: &mut Xoshiro256PlusPlus, count: usize) -> usize {
    ((u64::from(rng.next_u32()) * count as u64) >> 32) as usize
}

impl<G: Planar> One for Rules<G> {
    fn actions(&self) -> usize {
        self.position.index_len()
    }

    fn shape(&self) -> [usize; 3] {
        self.position.shape()
    }

    fn restart(&mut self) {
        self.position = self.start.clone();
        self.plies = 0;
    }

    fn is_legal(&self, action: usize) -> bool {
        self.position.move_at(action).is_some_and(|mv| self.position.check(mv).is_ok())
    }

    fn play(&mut self, action: usize) -> Option<Outcome> {
        if let Some(mv) = self.position.move_at(action) {
            self.position.play_unchecked(mv);
        }
        self.plies += 1;
        self.position.outcome().or((self.plies >= self.most).then_some(Outcome::Draw))
    }

    fn to_move(&self) -> Player {
        self.position.to_move()
    }

    fn mark_legal(&self, mask: &mut [bool]) {
        each_legal(&self.position, |action| mask[action] = true);
    }

    fn random(&self, rng: &mut Xoshiro256PlusPlus, moves: &mut Vec<u32>) -> u32 {
        moves.clear();
        each_legal(&self.position, |action| moves.push(action as u32));
        moves.get(below(rng, moves.len())).copied().unwrap_or_default()
    }

    fn write(&self, out: &mut [f32]) {
        self.position.write_planes(self.position.to_move(), out);
    }
}

/// Many boards of one game, without its type. A board whose game has ended begins a new game in the same step.
///
/// `out` of each method has as many numbers as all boards need together, and is overwritten whole.
pub trait Many: Send + Sync {
    /// The number of boards, at least 1.
    fn len(&self) -> usize;
    /// Never true: there is at least one board.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The number of action numbers.
    fn actions(&self) -> usize;
    /// The planes, rows and columns of one board.
    fn shape(&self) -> [usize; 3];
    /// Begins a new game on every board.
    fn restart(&mut self);
    /// Plays an action on every board; `rewards` are the movers', `done` is true where a game has ended.
    ///
    /// # Errors
    /// The first board whose action is not legal. No board is stepped then.
    fn step(&mut self, actions: &[i64], rewards: &mut [f32], done: &mut [bool]) -> Result<(), String>;
    /// Writes the side to move of each board: 0 for the side of the first move.
    fn players(&self, out: &mut [i8]);
    /// Writes which actions are legal, board by board.
    fn masks(&self, out: &mut [bool]);
    /// Writes the planes of each board from the side to move.
    fn planes(&self, out: &mut [f32]);
    /// Writes a legal action for each board; each legal action has the same chance.
    fn random(&self, rng: &mut Xoshiro256PlusPlus, out: &mut [i64]);
}

/// As many boards of a game by name as `count` says, in the first position of a size.
///
/// # Errors
/// The refusal of the game, and a number of boards that does not exist: 0, or more than have 2³¹ numbers of planes.
pub fn many(game: &str, start: &Start, count: usize) -> Result<Box<dyn Many>, String> {
    match game {
        "havannah" if !start.swap => {
            let position = Position::start(start).map_err(|fault| fault.to_string())?;
            fits(position.shape(), position.board().len() + 1, count)?;
            Ok(Box::new(Hexagons::new(&position, count)))
        }
        "havannah" => rules::<Position>(start, count),
        "cachex" => rules::<cachex::Position>(start, count),
        "cover" => rules::<cover::Position>(start, count),
        other => Err(format!("no boards at once of `{other}`: of havannah, cachex and cover")),
    }
}

impl<B: One> Many for Vec<B> {
    fn len(&self) -> usize {
        Self::len(self)
    }

    fn actions(&self) -> usize {
        self[0].actions()
    }

    fn shape(&self) -> [usize; 3] {
        self[0].shape()
    }

    fn restart(&mut self) {
        self.iter_mut().for_each(B::restart);
    }

    fn step(&mut self, actions: &[i64], rewards: &mut [f32], done: &mut [bool]) -> Result<(), String> {
        for (at, (board, &action)) in self.iter().zip(actions).enumerate() {
            if !usize::try_from(action).is_ok_and(|action| board.is_legal(action)) {
                return Err(not_legal(at, action));
            }
        }
        for (at, (board, &action)) in self.iter_mut().zip(actions).enumerate() {
            let mover = board.to_move();
            let outcome = board.play(action as usize);
            rewards[at] = outcome.map_or(0.0, |outcome| outcome.value_for(mover) as f32);
            done[at] = outcome.is_some();
            if outcome.is_some() {
                board.restart();
            }
        }
        Ok(())
    }

    fn players(&self, out: &mut [i8]) {
        for (board, out) in self.iter().zip(out) {
            *out = board.to_move().index() as i8;
        }
    }

    fn masks(&self, out: &mut [bool]) {
        out.fill(false);
        for (board, mask) in self.iter().zip(out.chunks_exact_mut(self.actions())) {
            board.mark_legal(mask);
        }
    }

    fn planes(&self, out: &mut [f32]) {
        for (board, planes) in self.iter().zip(out.chunks_exact_mut(self.shape().iter().product())) {
            board.write(planes);
        }
    }

    fn random(&self, rng: &mut Xoshiro256PlusPlus, out: &mut [i64]) {
        let mut moves = Vec::new();
        for (board, out) in self.iter().zip(out) {
            *out = board.random(rng, &mut moves).into();
        }
    }
}

/// Boards of Havannah without swap, on the board of playouts, which is the fastest. Legality and random choices read the
/// bits of the empty cells, which stay in the processor's cache.
struct Hexagons {
    boards: Vec<PlayoutBoard>,
    /// A board before the first move. A copy of it finds cells sooner than a board that is reset.
    start: PlayoutBoard,
    /// The bits of the empty cells: `words` words for each board.
    empty: Vec<u64>,
    /// The bits of one board before the first move.
    fresh: Vec<u64>,
    /// The place of each cell in a plane.
    places: Vec<usize>,
    width: usize,
}

impl Hexagons {
    fn new(start: &Position, count: usize) -> Self {
        let cells = start.board();
        let mut fresh = vec![0_u64; cells.len().div_ceil(64)];
        for cell in cells.cells() {
            fresh[cell.index() / 64] |= 1 << (cell.index() % 64);
        }
        let start = PlayoutBoard::from(start);
        Self {
            boards: vec![start.clone(); count],
            start,
            empty: fresh.repeat(count),
            places: cells.cells().map(|cell| hexagon_place(cells, cell)).collect(),
            width: 2 * usize::from(cells.size()) - 1,
            fresh,
        }
    }

    fn is_free(&self, board: usize, cell: usize) -> bool {
        cell < self.places.len() && self.empty[board * self.fresh.len() + cell / 64] >> (cell % 64) & 1 != 0
    }
}

impl Many for Hexagons {
    fn len(&self) -> usize {
        self.boards.len()
    }

    fn actions(&self) -> usize {
        self.places.len() + 1
    }

    fn shape(&self) -> [usize; 3] {
        [PLANES, self.width, self.width]
    }

    fn restart(&mut self) {
        self.boards.fill(self.start.clone());
        self.empty = self.fresh.repeat(self.boards.len());
    }

    fn step(&mut self, actions: &[i64], rewards: &mut [f32], done: &mut [bool]) -> Result<(), String> {
        for (at, &action) in actions.iter().enumerate() {
            if !usize::try_from(action).is_ok_and(|action| self.is_free(at, action)) {
                return Err(not_legal(at, action));
            }
        }
        let words = self.fresh.len();
        for (at, (board, &action)) in self.boards.iter_mut().zip(actions).enumerate() {
            let (action, empty) = (action as usize, &mut self.empty[at * words..][..words]);
            empty[action / 64] &= !(1 << (action % 64));
            if let Some(cell) = Cell::new(action) {
                board.place(cell);
            }
            let outcome = board.outcome();
            // The side that moves never loses by its own stone.
            rewards[at] = if matches!(outcome, Some(Outcome::Win(_))) { 1.0 } else { 0.0 };
            done[at] = outcome.is_some();
            if outcome.is_some() {
                board.clone_from(&self.start);
                empty.copy_from_slice(&self.fresh);
            }
        }
        Ok(())
    }

    fn players(&self, out: &mut [i8]) {
        for (board, out) in self.boards.iter().zip(out) {
            *out = board.to_move().index() as i8;
        }
    }

    fn masks(&self, out: &mut [bool]) {
        for (at, mask) in out.chunks_exact_mut(self.actions()).enumerate() {
            for (cell, legal) in mask.iter_mut().enumerate() {
                *legal = self.is_free(at, cell);
            }
        }
    }

    fn planes(&self, out: &mut [f32]) {
        let area = self.width * self.width;
        for (board, out) in self.boards.iter().zip(out.chunks_exact_mut(PLANES * area)) {
            out.fill(0.0);
            let mover = board.to_move();
            for (cell, &place) in board.board().cells().zip(&self.places) {
                let plane = board.stone(cell).map_or(2, |side| usize::from(side != mover));
                out[plane * area + place] = 1.0;
            }
            out[3 * area..4 * area].fill(1.0);
        }
    }

    fn random(&self, rng: &mut Xoshiro256PlusPlus, out: &mut [i64]) {
        for (at, out) in out.iter_mut().enumerate() {
            // A cell with a stone is drawn again: few draws are needed, as random games leave a third of the cells empty.
            let mut drawn = below(rng, self.places.len());
            while !self.is_free(at, drawn) {
                drawn = below(rng, self.places.len());
            }
            *out = drawn as i64;
        }
    }
}

fn not_legal(board: usize, action: i64) -> String {
    format!("board {board}: action {action} is not legal, and no board was stepped")
}

/// The most numbers of all planes together: 2³¹.
const MAX_NUMBERS: usize = 1 << 31;

fn rules<G: Planar>(start: &Start, count: usize) -> Result<Box<dyn Many>, String> {
    let position = G::start(start).map_err(|fault| fault.to_string())?;
    let most = G::DESCRIPTION.max_plies.unwrap_or(u32::MAX);
    fits(position.shape(), position.index_len(), count)?;
    let board = |_| Rules { position: position.clone(), start: position.clone(), plies: 0, most };
    Ok(Box::new((0..count).map(board).collect::<Vec<_>>()))
}

fn fits(shape: [usize; 3], actions: usize, count: usize) -> Result<(), String> {
    let numbers = shape.iter().product::<usize>().max(actions);
    if count == 0 || count > MAX_NUMBERS / numbers {
        return Err(format!("{count} boards: 1 to {}", MAX_NUMBERS / numbers));
    }
    Ok(())
}
