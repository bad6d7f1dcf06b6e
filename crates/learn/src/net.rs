//! [`ValueNet`]: a small network whose first layer is a sum of rows.

use stonework_game::Player;

/// The number of values of a row.
pub const WIDTH: usize = 32;
/// The number of values of the hidden layer.
pub const HIDDEN: usize = 16;
/// The unit of the first layer: a value of 1 is this number.
pub(crate) const UNIT: f32 = 128.0;
/// The highest value of a sum that the next layer sees; a lower bound is 0.
pub(crate) const TOP: f32 = 8.0;

/// A row of the first layer, in 128ths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Row(pub(crate) [i16; WIDTH]);

impl Row {
    /// A row without any effect.
    pub const ZERO: Self = Self([0; WIDTH]);
}

/// The sum of rows for one side: the first layer of a network. Additions wrap, so the sum after any additions and
/// subtractions is exactly the sum of the rows that are in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Sum(pub(crate) [i16; WIDTH]);

impl Sum {
    /// Adds a row.
    #[inline]
    pub fn add(&mut self, row: &Row) {
        for (sum, value) in self.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_add(*value);
        }
    }
}

/// The rows of one thing on the board as both sides see it, side by side: those of the first player, then those of the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct RowPair([i16; 2 * WIDTH]);

impl RowPair {
    /// Rows without any effect.
    pub const ZERO: Self = Self([0; 2 * WIDTH]);
}

/// The sums of both sides side by side, for an evaluator that keeps them from move to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct SumPair([i16; 2 * WIDTH]);

impl SumPair {
    /// Adds rows.
    #[inline]
    pub fn add(&mut self, rows: &RowPair) {
        for (sum, value) in self.0.iter_mut().zip(&rows.0) {
            *sum = sum.wrapping_add(*value);
        }
    }

    /// Puts the rows `new` in the place of the rows `old`.
    #[inline]
    pub fn exchange(&mut self, old: &RowPair, new: &RowPair) {
        for (sum, (old, new)) in self.0.iter_mut().zip(old.0.iter().zip(&new.0)) {
            *sum = sum.wrapping_add(new.wrapping_sub(*old));
        }
    }

    /// The sum of a side.
    #[must_use]
    pub fn of(&self, side: Player) -> Sum {
        let start = side.index() * WIDTH;
        Sum(std::array::from_fn(|at| self.0[start + at]))
    }
}

/// A network for the value of a position.
///
/// ```text
///   rows of the features, as each side sees the position
///        own                     enemy
///   sum of 32 values        sum of 32 values           whole numbers, exact
///        \                      /
///         64 values, 0 to 8 each                       clipped
///                   |
///              16 values, at least 0
///                   |
///         tanh of one number: −1 to 1                  for the side to move
/// ```
///
/// The first layer is in whole numbers: a move changes a few rows, and the sum after any moves and undos is exactly that of the
/// position. The other layers are 1 040 products in `f32`, in one order, so that equal inputs give equal values.
///
/// Sources: *Nasu, Efficiently updatable neural-network-based evaluation functions, 2018*, for the sum that is kept from move to
/// move; the pattern tables of the Gomoku program Rapfi for rows by patterns.
#[derive(Clone, PartialEq, Debug)]
pub struct ValueNet {
    pub(crate) rows: Vec<Row>,
    pub(crate) bias: Sum,
    pub(crate) head: Head,
}

/// The layers behind the sums.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Head {
    /// For each of the 64 values of the sums, its weight in each of the 16 hidden values.
    pub(crate) hidden: Vec<[f32; HIDDEN]>,
    pub(crate) hidden_bias: [f32; HIDDEN],
    pub(crate) out: [f32; HIDDEN],
    pub(crate) out_bias: f32,
}

impl Head {
    pub(crate) fn zero() -> Self {
        Self {
            hidden: vec![[0.0; HIDDEN]; 2 * WIDTH],
            hidden_bias: [0.0; HIDDEN],
            out: [0.0; HIDDEN],
            out_bias: 0.0,
        }
    }

    /// All numbers, in the order of a file.
    pub(crate) fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        let hidden = self.hidden.iter_mut().flatten();
        hidden.chain(&mut self.hidden_bias).chain(&mut self.out).chain([&mut self.out_bias])
    }

    /// The output before the last function, and the hidden values.
    #[inline]
    pub(crate) fn output(&self, inputs: &[f32; 2 * WIDTH]) -> (f32, [f32; HIDDEN]) {
        let mut hidden = self.hidden_bias;
        for (input, weights) in inputs.iter().zip(&self.hidden) {
            for (sum, weight) in hidden.iter_mut().zip(weights) {
                *sum += input * weight;
            }
        }
        let mut out = self.out_bias;
        for (value, weight) in hidden.iter_mut().zip(&self.out) {
            *value = value.max(0.0);
            out += *value * weight;
        }
        (out, hidden)
    }
}

impl ValueNet {
    /// A network whose value is 0 in every position, for features below `rows`.
    #[must_use]
    pub fn zero(rows: usize) -> Self {
        Self { rows: vec![Row::ZERO; rows], bias: Sum([0; WIDTH]), head: Head::zero() }
    }

    /// The number of rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The row of a feature; a row without effect for a feature that the network does not have.
    #[must_use]
    #[inline]
    pub fn row(&self, feature: u32) -> &Row {
        self.rows.get(feature as usize).unwrap_or(&Row::ZERO)
    }

    /// The rows of two features, one as the first player sees it and one as the second player does.
    #[must_use]
    pub fn pair(&self, first: u32, second: u32) -> RowPair {
        let (first, second) = (self.row(first), self.row(second));
        RowPair(std::array::from_fn(|at| if at < WIDTH { first.0[at] } else { second.0[at - WIDTH] }))
    }

    /// The sums of no rows.
    #[must_use]
    pub fn empty_pair(&self) -> SumPair {
        SumPair(std::array::from_fn(|at| self.bias.0[at % WIDTH]))
    }

    /// The sum of the rows of some features.
    #[must_use]
    pub fn sum(&self, features: &[u32]) -> Sum {
        let mut sum = self.bias;
        for &feature in features {
            sum.add(self.row(feature));
        }
        sum
    }

    /// The value for the side to move, −1 for a sure loss to 1 for a sure win, from the sums of both sides: `own` for the side
    /// to move, `enemy` for its opponent.
    #[must_use]
    #[inline]
    pub fn value(&self, own: &Sum, enemy: &Sum) -> f32 {
        let mut inputs = [0.0; 2 * WIDTH];
        for (input, &sum) in inputs.iter_mut().zip(own.0.iter().chain(&enemy.0)) {
            *input = (f32::from(sum) * (1.0 / UNIT)).clamp(0.0, TOP);
        }
        squash(self.head.output(&inputs).0)
    }
}

/// A smooth function from all numbers to −1 … 1, `tanh(x / 2)`, by a formula of the basic operations alone, which give the same
/// result on every machine. The error is below 0.03.
pub(crate) fn squash(x: f32) -> f32 {
    // tanh(y) ≈ y (27 + y²) / (27 + 9 y²), which reaches 1 at y = 3.
    let y = (x * 0.5).clamp(-3.0, 3.0);
    let square = y * y;
    y * (27.0 + square) / (27.0 + 9.0 * square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squash_is_near_tanh_odd_and_rising() {
        let mut before = -1.0;
        for step in -400..=400 {
            let x = step as f32 / 40.0;
            let value = squash(x);
            assert!((value - (x / 2.0).tanh()).abs() < 0.03, "{x}: {value}");
            assert!((value + squash(-x)).abs() < 1e-6 && value >= before && value.abs() <= 1.0);
            before = value;
        }
    }

    #[test]
    fn an_exchange_is_a_subtraction_and_an_addition_even_where_sums_wrap() {
        let rows = [i16::MAX, -1234, 77].map(|value| RowPair([value; 2 * WIDTH]));
        let mut sum = SumPair([5; 2 * WIDTH]);
        sum.add(&rows[0]);
        sum.add(&rows[0]);
        sum.exchange(&rows[0], &rows[1]);
        sum.exchange(&rows[0], &rows[2]);
        assert_eq!(sum.of(Player::Second).0, [5 - 1234 + 77; WIDTH]);
    }
}
