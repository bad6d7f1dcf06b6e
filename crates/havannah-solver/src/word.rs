//! [`Word`]: sets of cells as the bits of one number.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

use crate::lattice::Lattice;

/// A number whose bits are cells: `u64` for boards to size 4, `u128` to size 6, [`Words<4>`](Words) to size 8 and [`Words<6>`](Words) to
/// size 10.
///
/// The trait is sealed: only these four types implement it.
pub trait Word:
    Copy
    + Eq
    + Hash
    + Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + BitXorAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + sealed::Sealed
    + 'static
{
    /// No cell.
    const NONE: Self;
    /// The size of the largest board that fits.
    const MAX_SIZE: u8;
    /// The distance of the first bits of two neighbouring rows.
    const STRIDE: u32 = 2 * Self::MAX_SIZE as u32 - 1;
    /// The number of parts of 64 bits.
    const PARTS: usize;

    /// A number with a bit for each chain of a side on the largest board, and for a few more.
    type Numbers: Word;

    /// The set of the cell with bit `index`.
    fn bit(index: u32) -> Self;

    /// The bit of the lowest cell; the width of the word if the set is empty.
    fn index(self) -> u32;

    /// The set without its lowest cell.
    #[must_use]
    fn rest(self) -> Self;

    /// The number of cells.
    fn count(self) -> u32;

    /// The 64 bits of a part, of which part 0 has the lowest bits; 0 beyond the last part.
    fn part(self, part: usize) -> u64;

    /// The same bits in the widest word.
    #[inline]
    fn wide(self) -> Widest {
        Words(std::array::from_fn(|part| self.part(part)))
    }

    /// The tables of a size from 2 to [`MAX_SIZE`](Word::MAX_SIZE).
    #[doc(hidden)]
    fn lattice(size: u8) -> Option<&'static Lattice<Self>>;

    /// `true` if the set is empty.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// `true` if the set has at least two cells.
    #[inline]
    fn several(self) -> bool {
        !self.rest().is_empty()
    }

    /// The set of the lowest cell; empty if the set is empty.
    #[inline]
    #[must_use]
    fn lowest(self) -> Self {
        self & !self.rest()
    }
}

/// The widest word.
pub(crate) type Widest = Words<6>;

/// A number of 64 · N bits, the lowest 64 of them first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Words<const N: usize>([u64; N]);

/// The operators that combine two words part by part.
macro_rules! bitwise {
    ($($operator:ident $method:ident, $assigns:ident $assign:ident;)*) => {$(
        impl<const N: usize> $operator for Words<N> {
            type Output = Self;

            #[inline]
            fn $method(mut self, other: Self) -> Self {
                self.$assign(other);
                self
            }
        }

        impl<const N: usize> $assigns for Words<N> {
            #[inline]
            fn $assign(&mut self, other: Self) {
                for (own, other) in self.0.iter_mut().zip(other.0) {
                    own.$assign(other);
                }
            }
        }
    )*};
}

bitwise! {
    BitAnd bitand, BitAndAssign bitand_assign;
    BitOr bitor, BitOrAssign bitor_assign;
    BitXor bitxor, BitXorAssign bitxor_assign;
}

impl<const N: usize> Not for Words<N> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|part| !part))
    }
}

impl<const N: usize> Shl<u32> for Words<N> {
    type Output = Self;

    #[inline]
    fn shl(self, by: u32) -> Self {
        let (parts, bits) = ((by / 64) as usize, by % 64);
        let part = |at: usize| if at < N { self.0[at] } else { 0 };
        Self(std::array::from_fn(|at| {
            let (high, low) = (part(at.wrapping_sub(parts)), part(at.wrapping_sub(parts + 1)));
            high << bits | low >> 1 >> (63 - bits)
        }))
    }
}

impl<const N: usize> Shr<u32> for Words<N> {
    type Output = Self;

    #[inline]
    fn shr(self, by: u32) -> Self {
        let (parts, bits) = ((by / 64) as usize, by % 64);
        let part = |at: usize| if at < N { self.0[at] } else { 0 };
        Self(std::array::from_fn(|at| {
            let (low, high) = (part(at + parts), part(at + parts + 1));
            low >> bits | high << 1 << (63 - bits)
        }))
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for u128 {}
    impl<const N: usize> Sealed for super::Words<N> {}
}

/// The tables of a size, made when they are asked for first.
macro_rules! lattice {
    ($word:ty, $most:literal) => {
        const MAX_SIZE: u8 = $most;

        fn lattice(size: u8) -> Option<&'static Lattice<Self>> {
            static ALL: [std::sync::OnceLock<Lattice<$word>>; $most + 1] =
                [const { std::sync::OnceLock::new() }; $most + 1];
            let slot = ALL.get(usize::from(size)).filter(|_| size >= 2)?;
            Some(slot.get_or_init(|| Lattice::new(size)))
        }
    };
}

macro_rules! word {
    ($int:ty, $size:literal) => {
        impl Word for $int {
            const NONE: Self = 0;
            const PARTS: usize = size_of::<Self>() / 8;

            type Numbers = u64;

            lattice!($int, $size);

            #[inline]
            fn bit(index: u32) -> Self {
                1 << index
            }

            #[inline]
            fn index(self) -> u32 {
                self.trailing_zeros()
            }

            #[inline]
            fn rest(self) -> Self {
                self & self.wrapping_sub(1)
            }

            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline]
            fn part(self, part: usize) -> u64 {
                if part < Self::PARTS { (self >> (64 * part)) as u64 } else { 0 }
            }
        }
    };
}

word!(u64, 4);
word!(u128, 6);

macro_rules! words {
    ($parts:literal, $size:literal) => {
        impl Word for Words<$parts> {
            const NONE: Self = Self([0; $parts]);
            const PARTS: usize = $parts;

            type Numbers = u128;

            lattice!(Words<$parts>, $size);

            #[inline]
            fn bit(index: u32) -> Self {
                let mut bits = [0; $parts];
                bits[(index / 64) as usize] = 1 << (index % 64);
                Self(bits)
            }

            #[inline]
            fn index(self) -> u32 {
                let full = self.0.iter().take_while(|&&part| part == 0).count();
                let rest = self.0.get(full).map_or(0, |part| part.trailing_zeros());
                64 * full as u32 + rest
            }

            #[inline]
            fn rest(mut self) -> Self {
                if let Some(part) = self.0.iter_mut().find(|part| **part != 0) {
                    *part = part.rest();
                }
                self
            }

            #[inline]
            fn count(self) -> u32 {
                self.0.iter().map(|part| part.count_ones()).sum()
            }

            #[inline]
            fn part(self, part: usize) -> u64 {
                self.0.get(part).copied().unwrap_or(0)
            }
        }
    };
}

words!(4, 8);
words!(6, 10);

/// The cells of a set, lowest first, each as a set of its own.
pub(crate) fn cells<W: Word>(mut set: W) -> impl Iterator<Item = W> {
    std::iter::from_fn(move || {
        let cell = set.lowest();
        set = set.rest();
        (!cell.is_empty()).then_some(cell)
    })
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{RngCore, SeedableRng};

    use super::*;

    fn number(words: Words<2>) -> u128 {
        u128::from(words.0[1]) << 64 | u128::from(words.0[0])
    }

    #[test]
    fn operators_are_those_of_numbers() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..1000 {
            let [a, b] = [0; 2].map(|_| Words([rng.next_u64(), rng.next_u64() & rng.next_u64()]));
            let (one, two) = (number(a), number(b));
            assert_eq!([number(a & b), number(a | b), number(a ^ b)], [one & two, one | two, one ^ two]);
            assert_eq!(number(!a), !one);
            for by in [0, 1, 15, 16, 19, 20, 63, 64, 65, 127] {
                assert_eq!([number(a << by), number(a >> by)], [one << by, one >> by], "by {by}");
            }
        }
    }

    /// A number of some cells with the same cells as a list.
    fn check<W: Word>(bits: u32) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(bits.into());
        for some in 0..200 {
            let mut list: Vec<u32> = (0..some % 7).map(|_| rng.next_u64() as u32 % bits).collect();
            list.sort_unstable();
            list.dedup();
            let set = list.iter().fold(W::NONE, |set, &bit| set | W::bit(bit));
            assert_eq!(cells(set).map(W::index).collect::<Vec<_>>(), list);
            assert_eq!(set.count() as usize, list.len());
            assert_eq!((set.is_empty(), set.several()), (list.is_empty(), list.len() > 1));
            assert_eq!(cells(set.wide()).map(Word::index).collect::<Vec<_>>(), list);
            let lowest = list.first().map_or(W::NONE, |&bit| W::bit(bit));
            assert_eq!((set.lowest(), set.rest()), (lowest, set ^ lowest));
            if list.is_empty() {
                assert_eq!(set.index(), bits);
            }
        }
    }

    #[test]
    fn words_are_lists_of_cells() {
        check::<u64>(64);
        check::<u128>(128);
        check::<Words<4>>(256);
        check::<Words<6>>(384);
    }
}
