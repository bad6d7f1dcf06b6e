//! [`Complexity`]: the numbers of positions and games.

use std::f64::consts::{LN_10, PI};
use std::fmt;

use stonework_board::{Board, SizeError};

/// A large number by its decimal logarithm, printed with one digit: `6 × 10^15`.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Magnitude(f64);

impl Magnitude {
    /// The decimal logarithm.
    #[must_use]
    pub const fn log10(self) -> f64 {
        self.0
    }
}

impl fmt::Display for Magnitude {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exponent = self.0.floor();
        let digit = 10f64.powf(self.0 - exponent).round();
        // 9.7 rounds to ten.
        let (digit, exponent) = if digit < 10.0 { (digit, exponent) } else { (1.0, exponent + 1.0) };
        write!(f, "{digit} × 10^{exponent}")
    }
}

/// The sizes of the state space and of the game tree of one board, by counting stones: no count takes wins into account.
///
/// Placings: T₀ [all](Complexity::fillings), T₁ [with alternate stones](Complexity::positions), T₂ [up to
/// symmetry](Complexity::classes). Games: [full boards](Complexity::full_games) with their mean branching, and games of the mean
/// length of random ones ([`games`](Complexity::games), [`mean_branching`](Complexity::mean_branching); lengths of 20 000 to
/// 700 000 games, `tests/statistics.rs`):
///
/// | size | cells | T₀ | T₁ | T₂ | full games | branching | mean length | games | branching |
/// |---|---|---|---|---|---|---|---|---|---|
/// | 3 | 19 | 1 × 10^9 | 3 × 10^8 | 2 × 10^7 | 1 × 10^17 | 10.0 | 13.6 | 5 × 10^14 | 12.7 |
/// | 4 | 37 | 5 × 10^17 | 7 × 10^16 | 6 × 10^15 | 1 × 10^43 | 19.0 | 28.0 | 3 × 10^37 | 23.5 |
/// | 5 | 61 | 1 × 10^29 | 2 × 10^28 | 1 × 10^27 | 5 × 10^83 | 31.0 | 46.5 | 2 × 10^72 | 38.2 |
/// | 6 | 91 | 3 × 10^43 | 3 × 10^42 | 2 × 10^41 | 1 × 10^140 | 46.0 | 68.7 | 4 × 10^118 | 57.2 |
/// | 7 | 127 | 4 × 10^60 | 3 × 10^59 | 3 × 10^58 | 3 × 10^213 | 64.0 | 93.5 | 6 × 10^175 | 80.7 |
/// | 8 | 169 | 4 × 10^80 | 3 × 10^79 | 3 × 10^78 | 4 × 10^304 | 85.0 | 120.7 | 1 × 10^243 | 109.2 |
/// | 9 | 217 | 3 × 10^103 | 2 × 10^102 | 2 × 10^101 | 2 × 10^414 | 109.0 | 148.9 | 5 × 10^317 | 143.1 |
/// | 10 | 271 | 2 × 10^129 | 1 × 10^128 | 1 × 10^127 | 2 × 10^543 | 136.0 | 179.7 | 4 × 10^402 | 181.6 |
///
/// T. Ewalds prints the same T₂ for all eight sizes (*Playing and Solving Havannah*, 2012). T. Rogers prints the same cells and
/// branching of full games for sizes 2, 3, 5, 8 and 10, and 10⁵⁴³ full games for size 10 (*A program to play Havannah*, 2004).
///
/// ```
/// use stonework_havannah_analysis::Complexity;
/// let size_4 = Complexity::of(4)?;
/// assert_eq!(size_4.cells(), 37);
/// assert_eq!(size_4.classes().to_string(), "6 × 10^15");                 // as in Ewalds' table
/// assert_eq!(size_4.mean_branching(37.0), Some(19.0));
/// assert_eq!(Complexity::of(10)?.full_games().to_string(), "2 × 10^543"); // Rogers: 10^543
/// # Ok::<(), stonework_board::SizeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Complexity {
    size: u8,
    cells: u16,
}

impl Complexity {
    /// The board of a size from 2 to 20.
    ///
    /// # Errors
    /// An error for any other size.
    pub fn of(size: u8) -> Result<Self, SizeError> {
        Ok(Self { size, cells: Board::hexagon(size)?.len() as u16 })
    }

    /// The number of cells on a side of the board.
    #[must_use]
    pub const fn size(self) -> u8 {
        self.size
    }

    /// The number of cells of the board, n below.
    #[must_use]
    pub const fn cells(self) -> u16 {
        self.cells
    }

    /// 3ⁿ: every cell empty or with a stone of either side. An upper bound; Ewalds' T₀.
    #[must_use]
    pub fn fillings(self) -> Magnitude {
        Magnitude(f64::from(self.cells) * 3f64.log10())
    }

    /// The placings with equally many stones of both sides, or one more of the first player's: Ewalds' T₁.
    ///
    /// ```text
    /// Σ n! ÷ (i! · i! · (n − 2i)!) + n! ÷ ((i + 1)! · i! · (n − 2i − 1)!)     for i = 0 … (n − 1) ÷ 2
    /// ```
    ///
    /// The number is still an upper bound of the positions that games reach: some placings have wins of both sides.
    /// O(n).
    #[must_use]
    pub fn positions(self) -> Magnitude {
        let terms = self.placings();
        let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = terms.iter().map(|term| (term - largest).exp()).sum();
        Magnitude((largest + sum.ln()) / LN_10)
    }

    /// The natural logarithms of the numbers of placings with 0, 1, 2, … stones.
    fn placings(self) -> Vec<f64> {
        let (mut log, mut logs) = (0.0, vec![0.0]);
        for stones in 0..self.cells {
            // One more stone on an empty cell, in any order with the stones of its side.
            log += f64::from(self.cells - stones).ln() - f64::from(stones / 2 + 1).ln();
            logs.push(log);
        }
        logs
    }

    /// [`positions`](Complexity::positions) as an exact number; `None` from size 6, where the number has more than 128
    /// bits.
    #[must_use]
    pub fn exact_positions(self) -> Option<u128> {
        let n = u128::from(self.cells);
        let (mut placings, mut sum) = (1u128, 1u128);
        for stones in 0..n {
            // The division has no remainder: both values are numbers of placings.
            placings = placings.checked_mul(n - stones)? / (stones / 2 + 1);
            sum = sum.checked_add(placings)?;
        }
        Some(sum)
    }

    /// [`positions`](Complexity::positions) ÷ 12, nearly the number of classes under the twelve symmetries of the board:
    /// Ewalds' T₂. Symmetric placings make the true number a little larger.
    #[must_use]
    pub fn classes(self) -> Magnitude {
        Magnitude(self.positions().0 - 12f64.log10())
    }

    /// n!: the orders in which the board can be filled, Rogers' size of the complete game tree.
    #[must_use]
    pub fn full_games(self) -> Magnitude {
        Magnitude(ln_factorial(f64::from(self.cells)) / LN_10)
    }

    /// n! ÷ (n − length)!: the games of a length, if none is won before; for a mean length, the usual estimate of the game
    /// tree. `None` for a length that is not 0 to n.
    #[must_use]
    pub fn games(self, length: f64) -> Option<Magnitude> {
        let n = f64::from(self.cells);
        let fits = (0.0..=n).contains(&length);
        fits.then(|| Magnitude((ln_factorial(n) - ln_factorial(n - length)) / LN_10))
    }

    /// The mean number of moves over a game of a length: n − (length − 1) ÷ 2; (n + 1) ÷ 2 for a full board, as in Rogers'
    /// table. `None` for a length that is not 1 to n.
    #[must_use]
    pub fn mean_branching(self, length: f64) -> Option<f64> {
        let n = f64::from(self.cells);
        (1.0..=n).contains(&length).then(|| n - (length - 1.0) / 2.0)
    }
}

/// The natural logarithm of x!, also between whole numbers (Γ(x + 1)), to about 10⁻¹²; x is not negative. Stirling's series,
/// after steps up to an argument for which the series is exact enough.
fn ln_factorial(x: f64) -> f64 {
    let (mut y, mut steps) = (x + 1.0, 0.0);
    while y < 20.0 {
        steps += y.ln();
        y += 1.0;
    }
    let inverse = 1.0 / y;
    let square = inverse * inverse;
    let series = inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square / 1680.0)));
    (y - 0.5) * y.ln() - y + 0.5 * (2.0 * PI).ln() + series - steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factorials_are_products() {
        let mut product = 0.0;
        for n in 1..=1141u32 {
            product += f64::from(n).ln();
            let error = (ln_factorial(n.into()) - product).abs();
            assert!(error < 1e-9 * product.max(1.0), "{n}: {error}");
        }
        assert!(ln_factorial(0.0).abs() < 1e-12);
        // Γ(½) is √π, and Γ(7/2) is 15 √π ÷ 8.
        assert!((ln_factorial(-0.5 + 3.0) - (15.0 * PI.sqrt() / 8.0).ln()).abs() < 1e-12);
    }
}
