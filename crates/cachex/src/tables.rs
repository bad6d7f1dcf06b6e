//! The tables that all positions of a size share.

use std::sync::OnceLock;

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::SplitMix64;
use stonework_board::{Board, Cell, Symmetry};
use stonework_game::Player;

use crate::plane::{At, Plane};
use crate::{MAX_SIZE, MIN_SIZE, Options, SetupError};

/// The number of symmetries of the game: identity, half turn, and the two reflections, which exchange the players.
pub(crate) const SYMMETRIES: usize = 4;

/// The seed of all hash words; another seed changes every key.
const HASH_SEED: u64 = 0x4361_6368_6578_0001;

/// The hash words of one stone, or of a whole board, under each symmetry.
pub(crate) type Hashes = [u64; SYMMETRIES];

#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) board: &'static Board,
    /// The row and the column of every cell.
    pub(crate) at: Box<[At]>,
    /// The cell that is illegal for the first stone: the centre of a board of odd size.
    pub(crate) centre: Option<Cell>,
    /// Every cell.
    pub(crate) full: Plane,
    /// The two sides of the board that each player connects.
    pub(crate) edges: [[Plane; 2]; 2],
    /// The hash words of a stone: `zobrist[2 * cell + player]`.
    zobrist: Box<[Hashes]>,
    /// The hash words by the stage of the opening, then by the side to move.
    stages: [[u64; 2]; 3],
    /// The hash word of a game that repetition or the turn limit has ended.
    pub(crate) drawn: u64,
}

impl Tables {
    /// The tables of a size, made at the first call.
    pub(crate) fn of(size: u8) -> Result<&'static Self, SetupError> {
        static ALL: [OnceLock<Tables>; MAX_SIZE as usize + 1] =
            [const { OnceLock::new() }; MAX_SIZE as usize + 1];
        let fits = (MIN_SIZE..=MAX_SIZE).contains(&size);
        match Board::rhombus(size) {
            Ok(board) if fits => Ok(ALL[usize::from(size)].get_or_init(|| Self::build(board))),
            _ => Err(SetupError::Size { size }),
        }
    }

    fn build(board: &'static Board) -> Self {
        let last = board.size() - 1;
        let at: Box<[At]> =
            (0..board.size()).flat_map(|r| (0..board.size()).map(move |q| At { r, q })).collect();
        let edge = |on: fn(At) -> u8, line: u8| at.iter().copied().filter(|&c| on(c) == line).collect();
        let edges = [|at: At| at.r, |at: At| at.q].map(|on| [edge(on, 0), edge(on, last)]);
        let mut words = SplitMix64::seed_from_u64(HASH_SEED ^ u64::from(board.size()) << 32);
        let stones: Vec<u64> = (0..2 * board.len()).map(|_| words.next_u64()).collect();
        let image = |number: usize, cell: Cell, player: Player| {
            let player = if swaps_players(number) { player.other() } else { player };
            stones[2 * board.map(symmetry(number), cell).index() + player.index()]
        };
        let images = |(cell, player)| std::array::from_fn(|number| image(number, cell, player));
        let each = board.cells().flat_map(|c| Player::BOTH.map(|p| (c, p)));
        Self {
            board,
            centre: if last.is_multiple_of(2) { Cell::new(board.len() / 2) } else { None },
            full: at.iter().copied().collect(),
            edges,
            zobrist: each.map(images).collect(),
            stages: std::array::from_fn(|_| [words.next_u64(), words.next_u64()]),
            drawn: words.next_u64(),
            at,
        }
    }

    pub(crate) fn cell(&self, at: At) -> Cell {
        let index = usize::from(at.r) * usize::from(self.board.size()) + usize::from(at.q);
        Cell::new(index).unwrap_or_else(|| unreachable!("{at:?} is on no board"))
    }

    #[inline]
    pub(crate) fn stone(&self, at: At, player: Player) -> &Hashes {
        let cell = usize::from(at.r) * usize::from(self.board.size()) + usize::from(at.q);
        &self.zobrist[2 * cell + player.index()]
    }

    /// The part of a key that depends on neither stones nor options.
    #[inline]
    pub(crate) const fn stage(&self, turns: u16, to_move: Player) -> u64 {
        let stage = if turns < 2 { turns } else { 2 };
        self.stages[stage as usize][to_move.index()]
    }
}

/// The part of a key that depends on the options.
pub(crate) fn options_word(options: Options) -> u64 {
    let both = u64::from(options.repetition) << 16 | u64::from(options.turns);
    SplitMix64::seed_from_u64(HASH_SEED ^ both).next_u64()
}

/// The board's symmetry with a number below [`SYMMETRIES`].
pub(crate) fn symmetry(number: usize) -> Symmetry {
    const ALL: [u8; SYMMETRIES] = [0, 3, 7, 10];
    Symmetry::new(ALL[number]).unwrap_or(Symmetry::IDENTITY)
}

/// `true` if a symmetry maps red's sides to blue's.
pub(crate) const fn swaps_players(number: usize) -> bool {
    number >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_along_the_rows_and_have_the_same_neighbours_as_on_the_board() {
        for size in MIN_SIZE..=MAX_SIZE {
            let tables = Tables::of(size).unwrap();
            for cell in tables.board.cells() {
                let at = tables.at[cell.index()];
                assert_eq!(tables.cell(at), cell);
                let mut neighbours: Vec<Cell> = tables.board.neighbours(cell).collect();
                neighbours.sort_unstable();
                let mut beside = Plane::one(at).beside(&tables.full);
                beside.toggle(at);
                assert_eq!(beside.iter().map(|at| tables.cell(at)).collect::<Vec<_>>(), neighbours);
            }
        }
    }

    #[test]
    fn symmetries_take_each_players_sides_to_their_own_or_exchange_them() {
        let tables = Tables::of(5).unwrap();
        assert_eq!(Symmetry::of(tables.board.shape()), (0..SYMMETRIES).map(symmetry).collect::<Vec<_>>());
        let sides = |player: usize| tables.edges[player][0].or(&tables.edges[player][1]);
        for number in 0..SYMMETRIES {
            let map = |at| tables.at[tables.board.map(symmetry(number), tables.cell(at)).index()];
            let image: Plane = sides(0).iter().map(map).collect();
            assert_eq!(image, sides(usize::from(swaps_players(number))));
        }
        let (from, to) = (At { r: 1, q: 4 }, At { r: 4, q: 1 });
        let images: Vec<Cell> = (2..4).map(|n| tables.board.map(symmetry(n), tables.cell(from))).collect();
        assert!(images.contains(&tables.cell(to)), "one of them is the transposition of a steal");
    }
}
