//! Constant tables of each size: the steps of all locations, and hash words.

use std::sync::OnceLock;

use stonework_board::{Cell, Diagonal, DiagonalSymmetry, Heading, Home, Intersection, Motion};
use stonework_game::Player;

use crate::{Move, Options, SetupError};

/// The number of symmetries of the game.
pub(crate) const SYMMETRIES: usize = 4;
/// The number of no cell.
pub(crate) const NOWHERE: u16 = u16::MAX;
/// The seed of all hash words; another seed changes every key.
const SEED: u64 = 0x436f_7665_7200_1995;

/// A step from a location, looked up in one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// The location after the step, or [`NOWHERE`].
    pub(crate) to: u16,
    /// The intersections that the stone covers only after the step; twice the same for a single one, and undefined for
    /// a step off the board.
    pub(crate) covers: [Intersection; 2],
    /// `true` if the step is along the stone's line, and so shoots.
    pub(crate) lengthwise: bool,
}

/// The tables of a size.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) lattice: &'static Diagonal,
    /// The steps, by 8 · location + heading.
    steps: Box<[Step]>,
    /// The hash words of a stone under each symmetry, by 2 · location + player.
    words: Box<[[u64; SYMMETRIES]]>,
}

/// Mixes the bits of a word (the finaliser of `SplitMix64`).
const fn scatter(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The hash word of the thing `what` of a kind.
pub(crate) const fn word(kind: u64, what: u64) -> u64 {
    scatter(scatter(SEED ^ kind << 48).wrapping_add(what))
}

/// Kinds of hash words.
pub(crate) mod kind {
    pub(crate) const STONE: u64 = 1;
    pub(crate) const STATE: u64 = 2;
    pub(crate) const MINE: u64 = 3;
    pub(crate) const THEIRS: u64 = 4;
    pub(crate) const EARLIER: u64 = 5;
}

/// The hash word of the size, the options and the side to move.
pub(crate) const fn state_word(size: u8, options: Options, to_move: Player) -> u64 {
    let options = 2 * options.repetition as u64 + options.voluntary_shots as u64;
    word(kind::STATE, (size as u64) << 16 | options << 8 | to_move as u64)
}

/// A symmetry of the game by number; a symmetry that turns the board over also exchanges the players.
pub(crate) fn symmetry(number: u8) -> DiagonalSymmetry {
    DiagonalSymmetry::new(number).unwrap_or_default()
}

/// The owner of a player's stones after a symmetry.
pub(crate) fn mapped(symmetry: DiagonalSymmetry, player: Player) -> Player {
    if symmetry.swaps_homes() { player.other() } else { player }
}

/// A player's own homebase.
pub(crate) const fn home(player: Player) -> Home {
    match player {
        Player::First => Home::Bottom,
        Player::Second => Home::Top,
    }
}

impl Tables {
    /// The tables of a size, made at the first call.
    pub(crate) fn of(size: u8) -> Result<&'static Self, SetupError> {
        static ALL: [OnceLock<Tables>; Diagonal::MAX_SIZE as usize + 1] =
            [const { OnceLock::new() }; Diagonal::MAX_SIZE as usize + 1];
        let lattice = Diagonal::of(size).map_err(|_| SetupError::Size { size })?;
        Ok(ALL[usize::from(size)].get_or_init(|| Self::build(lattice)))
    }

    fn build(lattice: &'static Diagonal) -> Self {
        let all = lattice.cells().flat_map(|cell| Heading::ALL.map(|heading| (cell, heading)));
        let steps = all.map(|(cell, heading)| step(lattice, cell, heading)).collect();
        let stones = lattice.cells().flat_map(|cell| Player::BOTH.map(|player| (cell, player)));
        let words = stones.map(|(cell, player)| {
            DiagonalSymmetry::ALL.map(|symmetry| {
                let (cell, player) = (lattice.map(symmetry, cell), mapped(symmetry, player));
                word(kind::STONE, 2 * cell.index() as u64 + player as u64)
            })
        });
        Self { lattice, steps, words: words.collect() }
    }

    /// The step of a move.
    #[inline]
    pub(crate) fn step(&self, mv: Move) -> &Step {
        &self.steps[8 * mv.from.index() + mv.heading.index()]
    }

    /// The location after a move.
    #[inline]
    pub(crate) fn target(&self, mv: Move) -> Option<Cell> {
        cell(self.step(mv).to)
    }

    /// The hash words of a stone.
    #[inline]
    pub(crate) fn words(&self, player: Player, cell: Cell) -> &[u64; SYMMETRIES] {
        &self.words[2 * cell.index() + player.index()]
    }

    /// `true` if the second move returns the first move.
    #[inline]
    pub(crate) fn returns(&self, first: Move, second: Move) -> bool {
        self.target(first) == Some(second.from) && second.heading == first.heading.opposite()
    }
}

/// The cell with a number that the tables have made.
#[inline]
pub(crate) fn cell(number: u16) -> Option<Cell> {
    if number == NOWHERE { None } else { Cell::new(usize::from(number)) }
}

fn step(lattice: &Diagonal, from: Cell, heading: Heading) -> Step {
    let before = lattice.intersections(from);
    let lengthwise = heading.motion(lattice.orientation(from)) == Motion::Lengthwise;
    let Some(to) = lattice.neighbour(from, heading) else {
        return Step { to: NOWHERE, covers: before, lengthwise };
    };
    let mut new = lattice.intersections(to).into_iter().filter(|end| !before.contains(end));
    // A step to a neighbour covers at least one new intersection.
    let first = new.next().unwrap_or(before[0]);
    Step { to: to.index() as u16, covers: [first, new.next().unwrap_or(first)], lengthwise }
}
