//! How near a side is to winning, roughly: for the order in which a proof-number search tries moves.

use super::lattice::Lattice;
use super::side::Side;
use super::word::Word;

/// Stones that are thought of on the way to one corner or edge.
const REACH: usize = 4;
/// A fork's three ways share one cell: the most stones for one.
const MOST: usize = 3 * REACH - 2;

/// Empty cells by how few stones connect them to different corners, and to different edges.
struct Ways<W> {
    /// To one corner, to two.
    corners: [[W; REACH]; 2],
    /// To one edge, to two, to three.
    edges: [[W; REACH]; 3],
}

impl<W: Word> Ways<W> {
    fn new(lattice: &Lattice<W>, side: &Side<W>, empty: W) -> Self {
        let mut ways = Self { corners: [[W::NONE; REACH]; 2], edges: [[W::NONE; REACH]; 3] };
        let own = side.stones;
        for (k, &start) in side.corners.iter().chain(&side.edges).enumerate() {
            let mut reached = start & empty;
            for n in 0..REACH {
                if n > 0 {
                    // A stone more: beside what is reached, or beside a chain beside it.
                    let around = lattice.spread(reached);
                    reached |= (around | lattice.spread(lattice.flood(around & own, own))) & empty;
                }
                if k < 6 {
                    ways.corners[1][n] |= ways.corners[0][n] & reached;
                    ways.corners[0][n] |= reached;
                } else {
                    ways.edges[2][n] |= ways.edges[1][n] & reached;
                    ways.edges[1][n] |= ways.edges[0][n] & reached;
                    ways.edges[0][n] |= reached;
                }
            }
        }
        ways
    }

    /// The cells through which a bridge or fork takes so many stones at the most, by one less than their number.
    fn through(&self) -> [W; MOST] {
        let mut through = [W::NONE; MOST];
        let ([one, two], [first, second, third]) = (&self.corners, &self.edges);
        for a in 0..REACH {
            for b in a..REACH {
                through[a + b] |= one[a] & two[b];
                for c in b..REACH {
                    through[a + b + c] |= first[a] & second[b] & third[c];
                }
            }
        }
        through
    }
}

/// The logarithm to base 2, in 256ths, of how many empty cells a bridge or a fork may go through, each counted for a quarter of another
/// through which it takes a stone less. Rings count for nothing.
fn nearness<W: Word>(lattice: &Lattice<W>, side: &Side<W>, empty: W) -> i32 {
    let mut seen = W::NONE;
    let mut sum = 0;
    for set in Ways::new(lattice, side, empty).through() {
        sum = 4 * sum + u64::from((set & !seen).count());
        seen |= set;
    }
    logarithm(sum + 1)
}

/// How hard it looks to refute what the side to move may do, in sixteenths of what it is to refute one move of two sides that are
/// equally near to winning. The two exponents were found by trying: `docs/records/solving.md`.
pub(super) fn refutation<W: Word>(
    lattice: &Lattice<W>,
    mover: &Side<W>,
    other: &Side<W>,
    empty: W,
    moves: u32,
) -> u32 {
    let ahead = nearness(lattice, mover, empty) - nearness(lattice, other, empty);
    power(4 * 256 + logarithm(u64::from(moves)) * 3 / 2 + ahead * 13 / 10)
}

/// Of a number that is not 0, to base 2, in 256ths, the fraction being linear.
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
    use stonework_game::{Game, Notation, Player};
    use stonework_havannah::Position;

    use super::super::Compact;
    use super::*;

    #[test]
    fn powers_are_the_inverse_of_logarithms() {
        for x in 1..=300 {
            assert_eq!(power(logarithm(x)), x as u32);
        }
        assert_eq!((power(i32::MIN), power(i32::MAX)), (1, 1 << 20));
        assert_eq!(logarithm(u64::MAX), 64 * 256 - 1);
    }

    /// On size 4, white has b1 and c1 and is a stone short of the bridge from a1 to d1.
    fn near(moves: &str) -> [i32; 2] {
        let mut position = Position::new(4).unwrap();
        for text in moves.split(' ') {
            position.play(position.parse_move(text).unwrap()).unwrap();
        }
        let game = Compact::<u64>::try_from(&position).unwrap();
        Player::BOTH.map(|player| nearness(game.lattice(), game.side(player), game.empty()))
    }

    #[test]
    fn who_needs_fewer_stones_is_nearer() {
        let [white, black] = near("b1 d4 c1");
        assert!(white > black, "{white} {black}");
        let [blocked, other] = near("b1 a1 c1 d1");
        assert!(white > blocked && other > black, "{blocked} {other}");
    }

    #[test]
    fn ways_take_as_many_stones_as_said() {
        // On the empty board of size 3 a bridge along the rim takes three stones, one through the cells inside four, and one through
        // the centre five.
        let position = Position::new(3).unwrap();
        let game = Compact::<u64>::try_from(&position).unwrap();
        let through = Ways::new(game.lattice(), game.side(game.to_move()), game.empty()).through();
        let counts = through.map(Word::count);
        assert_eq!(counts, [0, 0, 12, 18, 19, 19, 19, 19, 19, 19]);
    }
}
