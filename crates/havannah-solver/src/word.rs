//! [`Word`]: sets of cells as the bits of one number.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

use crate::lattice::Lattice;

/// A number whose bits are cells: `u64` for boards to size 4, `u128` to size 6.
///
/// The trait is sealed: only these two types implement it.
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

    /// The set of the cell with bit `index`.
    fn bit(index: u32) -> Self;

    /// The bit of the lowest cell; the width of the word if the set is empty.
    fn index(self) -> u32;

    /// The set without its lowest cell.
    #[must_use]
    fn rest(self) -> Self;

    /// The number of cells.
    fn count(self) -> u32;

    /// The same bits in the widest word.
    fn wide(self) -> u128;

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

mod sealed {
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for u128 {}
}

macro_rules! word {
    ($int:ty, $size:literal) => {
        impl Word for $int {
            const NONE: Self = 0;
            const MAX_SIZE: u8 = $size;

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
            fn wide(self) -> u128 {
                self.into()
            }

            fn lattice(size: u8) -> Option<&'static Lattice<Self>> {
                static ALL: [std::sync::OnceLock<Lattice<$int>>; 7] =
                    [const { std::sync::OnceLock::new() }; 7];
                let slot = ALL.get(usize::from(size)).filter(|_| (2..=$size).contains(&size))?;
                Some(slot.get_or_init(|| Lattice::new(size)))
            }
        }
    };
}

word!(u64, 4);
word!(u128, 6);

/// The cells of a set, lowest first, each as a set of its own.
pub(crate) fn cells<W: Word>(mut set: W) -> impl Iterator<Item = W> {
    std::iter::from_fn(move || {
        let cell = set.lowest();
        set = set.rest();
        (!cell.is_empty()).then_some(cell)
    })
}
