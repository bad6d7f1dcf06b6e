//! Estimates of the distance of each side from a win, for the order in which a proof-number search tries moves.

use arrayvec::ArrayVec;
use stonework_board::Cell;

use crate::lattice::Lattice;
use crate::side::Side;
use crate::word::{Widest, Word};

/// The longest way to one corner or edge that counts, in stones.
pub(super) const REACH: usize = 4;
/// Bits of the widest word.
const WIDTH: usize = 64 * Widest::PARTS;

/// The weight of a way to one corner or edge: entry n − 1 is for a way of n stones.
const WORTH: [u64; REACH] = [64, 16, 4, 1];

/// The number of codes. The code of a cell has a digit of three bits for each length of a way, from the shortest on: the number of corners,
/// or of edges, that are so far.
const CODES: usize = 1 << (3 * REACH);
/// The sum over all pairs of corners of the products of two weights and 32, half the largest weight, by the code of a cell.
static BRIDGES: [u32; CODES] = by_code(2, WORTH[0] / 2);
/// The sum over all triples of edges of the products of three weights, by the code of a cell.
static FORKS: [u32; CODES] = by_code(3, 1);

/// The sums of the products of `many` of the weights of a code, times a factor.
const fn by_code(many: usize, factor: u64) -> [u32; CODES] {
    let mut table = [0; CODES];
    let mut code = 0;
    while code < CODES {
        // The sums of the products of none, one, two and three of the weights so far.
        let mut sums = [1, 0, 0, 0];
        let (mut n, mut left) = (0, code);
        while n < REACH {
            let mut times = left % 8;
            while times > 0 {
                sums[3] += sums[2] * WORTH[n];
                sums[2] += sums[1] * WORTH[n];
                sums[1] += WORTH[n];
                times -= 1;
            }
            left /= 8;
            n += 1;
        }
        table[code] = (sums[many] * factor) as u32;
        code += 1;
    }
    table
}

/// The fewest stones for a bridge with a stone on the cell, by its code; 0 if the ways are too few.
static FEWEST_BRIDGE: [u8; CODES] = fewest_by_code(2);
/// The same for a fork.
static FEWEST_FORK: [u8; CODES] = fewest_by_code(3);

/// The stones of the `many` shortest ways of a code together, which share the cell; 0 for a code with fewer ways.
const fn fewest_by_code(many: usize) -> [u8; CODES] {
    let mut table = [0; CODES];
    let mut code = 0;
    while code < CODES {
        let (mut ways, mut stones) = (0, 1);
        let (mut n, mut left) = (0, code);
        while n < REACH {
            let mut times = left % 8;
            while times > 0 && ways < many {
                ways += 1;
                stones += n;
                times -= 1;
            }
            left /= 8;
            n += 1;
        }
        if ways == many {
            table[code] = stones as u8;
        }
        code += 1;
    }
    table
}

/// For all cells at once the digits of their codes, bit by bit.
struct Counts<W>([[W; 3]; REACH]);

impl<W: Word> Counts<W> {
    /// The lengths of the ways of a side from each empty cell to six starts. Ways count as if no two shared a cell.
    fn of(lattice: &Lattice<W>, own: W, starts: &[W; 6], empty: W) -> Self {
        let mut counts = [[W::NONE; 3]; REACH];
        for &start in starts {
            let mut left = empty;
            let mut chains = own;
            let mut found = start & empty;
            for (n, digit) in counts.iter_mut().enumerate() {
                if n > 0 {
                    // The cells that need one more stone: the neighbours of `found`, and the cells beside a chain that
                    // touches `found`.
                    found = lattice.spread(found);
                    let touched = found & chains;
                    if !touched.is_empty() {
                        let touched = lattice.flood(touched, chains);
                        chains &= !touched;
                        found |= lattice.spread(touched);
                    }
                    found &= left;
                }
                left &= !found;
                let mut carry = found;
                for bit in digit {
                    (*bit, carry) = (*bit ^ carry, *bit & carry);
                }
            }
        }
        Self(counts)
    }

    /// The codes of 64 cells: that of cell 16 · b + r is in row r, from bit 16 · b on.
    fn codes(&self, part: usize) -> [u64; 16] {
        let mut rows = [0; 16];
        for (row, bits) in rows.iter_mut().zip(self.0.as_flattened()) {
            *row = bits.part(part);
        }
        // Rows and columns of the four blocks of 16 × 16 bits change places: blocks of half the width, and so on.
        for (width, low) in [(8, 0x00ff), (4, 0x0f0f), (2, 0x3333), (1, 0x5555)] {
            let low = low * 0x0001_0001_0001_0001;
            for row in (0..16).filter(|row| row & width == 0) {
                let other = (rows[row] >> width ^ rows[row + width]) & low;
                rows[row + width] ^= other;
                rows[row] ^= other << width;
            }
        }
        rows
    }
}

/// Calls `each` with the bit of every empty cell and its codes, of corners and of edges. Ways count as if no two shared a cell.
#[inline]
fn ways<W: Word>(lattice: &Lattice<W>, side: &Side<W>, empty: W, mut each: impl FnMut(usize, [usize; 2])) {
    let counts = [&side.corners, &side.edges].map(|starts| Counts::of(lattice, side.stones, starts, empty));
    for part in 0..W::PARTS {
        let mut left = empty.part(part);
        if left == 0 {
            continue;
        }
        let codes = counts.each_ref().map(|counts| counts.codes(part));
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            let code = |codes: &[u64; 16]| (codes[bit % 16] >> (bit / 16 * 16)) as usize % CODES;
            each(64 * part + bit, [code(&codes[0]), code(&codes[1])]);
        }
    }
}

/// Calls `help` with the bit of every empty cell and the worth of a stone of the side there.
///
/// The worth is the sum of two sums. The first is over all triples of edges that the cell may be connected to: the
/// products of three weights. The second is over all pairs of corners: the products of two weights and 32, half the
/// largest weight. Rings count for nothing.
fn helps<W: Word>(lattice: &Lattice<W>, side: &Side<W>, empty: W, mut help: impl FnMut(usize, u64)) {
    ways(lattice, side, empty, |bit, [corners, edges]| {
        let worth = BRIDGES[corners] + FORKS[edges];
        help(bit, worth.into());
    });
}

/// Calls `each` with every empty cell and the fewest stones for a bridge and for a fork with a stone there.
pub(super) fn fewest<W: Word>(
    lattice: &Lattice<W>,
    side: &Side<W>,
    empty: W,
    mut each: impl FnMut(Cell, [Option<u8>; 2]),
) {
    let known = |stones: u8| (stones > 0).then_some(stones);
    ways(lattice, side, empty, |bit, [corners, edges]| {
        let fewest = [FEWEST_BRIDGE[corners], FEWEST_FORK[edges]];
        each(lattice.cell(W::bit(bit as u32)), fewest.map(known));
    });
}

/// The first δ of an open position with `moves` moves, in sixteenths of the δ of a position with one move and two sides equally near
/// to a win. The two exponents, 1.3 and 1.5, are from experiments: `docs/lab/solving.md`.
pub(super) fn refutation<W: Word>(
    lattice: &Lattice<W>,
    mover: &Side<W>,
    other: &Side<W>,
    empty: W,
    moves: u32,
) -> u32 {
    let nearness = |side| {
        let mut sum = 1;
        helps(lattice, side, empty, |_, help| sum += help);
        logarithm(sum)
    };
    let ahead = nearness(mover) - nearness(other);
    power(4 * 256 + logarithm(u64::from(moves)) * 13 / 10 + ahead * 3 / 2)
}

/// Sorts moves by the sum of their worth for both sides, the greatest first.
pub(super) fn sort<W: Word>(lattice: &Lattice<W>, sides: [&Side<W>; 2], empty: W, moves: &mut [Cell]) {
    let mut sums: ArrayVec<u64, WIDTH> = std::iter::repeat_n(0, 64 * W::PARTS).collect();
    for side in sides {
        helps(lattice, side, empty, |bit, help| sums[bit] += help);
    }
    moves.sort_by_key(|&cell| std::cmp::Reverse(sums[lattice.set(cell).index() as usize]));
}

/// The logarithm of a number, which is not 0, to base 2 in 256ths, with linear interpolation between powers of 2.
fn logarithm(x: u64) -> i32 {
    let whole = x.max(1).ilog2();
    let fraction = (u128::from(x.max(1)) << 8 >> whole) as i32 - 256;
    256 * whole as i32 + fraction
}

/// The inverse of [`logarithm`], from 1 to a million.
fn power(x: i32) -> u32 {
    let x = x.clamp(0, 256 * 20) as u32;
    (256 + x % 256) << (x / 256) >> 8
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use stonework_board::Board;
    use stonework_game::{Game, Player, Textual};
    use stonework_havannah::Position;

    use super::*;
    use crate::{SmallPosition, Words};

    #[test]
    fn powers_are_the_inverse_of_logarithms() {
        for x in 1..=300 {
            assert_eq!(power(logarithm(x)), x as u32);
        }
        assert_eq!((power(i32::MIN), power(i32::MAX)), (1, 1 << 20));
        assert_eq!(logarithm(u64::MAX), 64 * 256 - 1);
    }

    fn after(size: u8, moves: &str) -> Position {
        let mut position = Position::new(size).unwrap();
        for text in moves.split_whitespace() {
            position.play(position.parse_move(text).unwrap()).unwrap();
        }
        position
    }

    /// The result of `helps` for each cell, in the order of the board; 0 for a cell that is taken.
    fn found(position: &Position, player: Player) -> Vec<u64> {
        fn of<W: Word>(position: &Position, player: Player) -> Vec<u64> {
            let game = SmallPosition::<W>::try_from(position).unwrap();
            let mut all = [0; WIDTH];
            helps(game.lattice(), game.side(player), game.empty(), |bit, help| all[bit] = help);
            position.board().cells().map(|cell| all[game.lattice().set(cell).index() as usize]).collect()
        }
        match position.size() {
            0..=6 => of::<u128>(position, player),
            7..=8 => of::<Words<4>>(position, player),
            _ => of::<Words<6>>(position, player),
        }
    }

    /// The number of stones that a player must place to connect each cell, itself included, to the nearest of the goals.
    fn stones_needed(position: &Position, player: Player, goals: &[Cell]) -> Vec<Option<usize>> {
        let board: &Board = position.board();
        let cost = |cell| match position.stone(cell) {
            None => Some(1),
            Some(owner) => (owner == player).then_some(0),
        };
        let mut needed = vec![None; board.len()];
        let mut queue: VecDeque<_> = goals.iter().filter_map(|&goal| Some((goal, cost(goal)?))).collect();
        while let Some((cell, stones)) = queue.pop_front() {
            if needed[cell.index()].is_some_and(|known| known <= stones) {
                continue;
            }
            needed[cell.index()] = Some(stones);
            queue.extend(board.neighbours(cell).filter_map(|next| Some((next, stones + cost(next)?))));
        }
        needed
    }

    /// The results of `helps`, computed pair by pair and triple by triple.
    fn slow(position: &Position, player: Player) -> Vec<u64> {
        let board = position.board();
        let goals = |goal: &dyn Fn(Cell) -> bool| {
            let goals: Vec<Cell> = board.cells().filter(|&cell| goal(cell)).collect();
            stones_needed(position, player, &goals)
        };
        let corners: Vec<_> = (0..6).map(|k| goals(&|cell| board.corner_mask(cell) >> k & 1 == 1)).collect();
        let edges: Vec<_> = (0..6).map(|k| goals(&|cell| board.edge_mask(cell) >> k & 1 == 1)).collect();
        let worth =
            |stones: Option<usize>| stones.map_or(0, |n| [64, 16, 4, 1].get(n - 1).copied().unwrap_or(0));
        let help = |cell: Cell| {
            let (i, mut sum) = (cell.index(), 0);
            for a in 0..6 {
                for b in 0..a {
                    sum += 32 * worth(corners[a][i]) * worth(corners[b][i]);
                    for c in 0..b {
                        sum += [a, b, c].map(|k| worth(edges[k][i])).iter().product::<u64>();
                    }
                }
            }
            sum
        };
        board.cells().map(|cell| if position.stone(cell).is_some() { 0 } else { help(cell) }).collect()
    }

    #[test]
    fn worth_equals_the_sum_over_all_pairs_and_triples() {
        for (size, moves) in [
            (3, ""),
            (4, "b1 d4 c1"),
            (5, "a1 e5 b2 d4 c3 f6 e4 c5"),
            (6, "a3 f6 b4 e5 k11 d4 f1"),
            (8, "a3 h8 b4 o15"),
            (10, "b3 j9 c4"),
        ] {
            let position = after(size, moves);
            for player in Player::BOTH {
                assert_eq!(found(&position, player), slow(&position, player), "{size} {moves} {player:?}");
            }
        }
    }

    #[test]
    fn the_side_that_needs_fewer_stones_is_nearer() {
        // On size 4, white has b1 and c1 and is a stone short of the bridge from a1 to d1.
        let sum =
            |moves: &str| Player::BOTH.map(|player| found(&after(4, moves), player).iter().sum::<u64>());
        let [white, black] = sum("b1 d4 c1");
        assert!(white > black, "{white} {black}");
        let [blocked, other] = sum("b1 a1 c1 d1");
        assert!(white > blocked && other > black, "{blocked} {other}");
    }
}
