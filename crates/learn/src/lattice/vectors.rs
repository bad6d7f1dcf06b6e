//! The vectors of a processor. A calculation is compiled for each kind of them, and sums of products of whole numbers have operations
//! of their own in each. Those sums are exact, so that every processor finds the same ones.
#![expect(clippy::inline_always, reason = "compiled for the vectors of the caller")]

#[cfg(not(target_arch = "x86_64"))]
use pulp::{Arch, Simd, WithSimd};

use super::kernel::{CHANNELS, LANES, Lanes, Row};

/// The pairs of channels of a cell.
pub(super) const PAIRS: usize = CHANNELS / 2;
/// The halves of the outputs of a layer.
pub(super) const HALVES: usize = CHANNELS / LANES;
/// The cells whose sums are computed together.
pub(super) const CELLS: usize = 8;

/// The whole numbers of a cell, of 16 bits: in each pair a channel, and the channel [`PAIRS`] after it.
pub(super) type PairRow = [i32; PAIRS];
/// The weights from a pair of channels to the lanes of a half.
pub(super) type Pair = [[i16; 2]; LANES];
/// The weights of a layer, for each half and each direction; where a vector begins, a line of the cache begins.
#[derive(Clone, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub(super) struct PairWeights(pub(super) [[[Pair; PAIRS]; 7]; HALVES]);
/// For each direction the rows beside some cells.
pub(super) type Around<'a> = [[&'a PairRow; CELLS]; 7];
/// For each half the units of the sums, and the numbers that are added to them.
pub(super) type Scale = [[Lanes; 2]; HALVES];

/// A calculation that is compiled for several kinds of vectors, with all that is inlined into it.
pub(super) trait Vectorised {
    type Output;

    /// To be inlined always.
    fn run(self, vectors: impl Vectors) -> Self::Output;
}

/// A kind of vectors.
pub(super) trait Vectors: Copy {
    /// The sums of the products of weights with rows, each times its unit, and a number added.
    fn sums(self, weights: &PairWeights, rows: &Around<'_>, scale: &Scale) -> [Row; CELLS];
}

/// Runs a calculation by the widest vectors of the processor.
pub(super) fn vectorised<V: Vectorised>(calculation: V) -> V::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(vectors) = Wide::try_new() {
            return vectors.vectorize(
                #[inline(always)]
                || calculation.run(vectors),
            );
        }
        if let Some(vectors) = pulp::x86::V3::try_new() {
            return vectors.vectorize(
                #[inline(always)]
                || calculation.run(vectors),
            );
        }
        calculation.run(Plain)
    }
    #[cfg(not(target_arch = "x86_64"))]
    Arch::new().dispatch(Dispatched(calculation))
}

#[cfg(not(target_arch = "x86_64"))]
struct Dispatched<V>(V);

#[cfg(not(target_arch = "x86_64"))]
impl<V: Vectorised> WithSimd for Dispatched<V> {
    type Output = V::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> V::Output {
        self.0.run(Plain)
    }
}

/// Vectors that have no operation for pairs of whole numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain;

impl Vectors for Plain {
    #[inline(always)]
    fn sums(self, weights: &PairWeights, rows: &Around<'_>, scale: &Scale) -> [Row; CELLS] {
        let mut sums = [[[0; LANES]; HALVES]; CELLS];
        for (direction, rows) in rows.iter().enumerate() {
            for (half, weights) in weights.0.iter().enumerate() {
                for (pair, weights) in weights[direction].iter().enumerate() {
                    for at in 0..CELLS {
                        let both = rows[at][pair];
                        for lane in 0..LANES {
                            let [low, high] = weights[lane].map(i32::from);
                            sums[at][half][lane] += i32::from(both as i16) * low + (both >> 16) * high;
                        }
                    }
                }
            }
        }
        let mut all = [[0.0; CHANNELS]; CELLS];
        for (all, sums) in all.iter_mut().zip(&sums) {
            for (half, [units, more]) in scale.iter().enumerate() {
                for lane in 0..LANES {
                    all[half * LANES + lane] = more[lane] + sums[half][lane] as f32 * units[lane];
                }
            }
        }
        all
    }
}

/// Vectors of 256 bits. Two products of numbers of 16 bits and their sum are one operation.
#[cfg(target_arch = "x86_64")]
impl Vectors for pulp::x86::V3 {
    #[inline(always)]
    fn sums(self, weights: &PairWeights, rows: &Around<'_>, scale: &Scale) -> [Row; CELLS] {
        /// The cells whose sums of a half stay in registers.
        const FEW: usize = 4;
        let mut all = [[0.0; CHANNELS]; CELLS];
        for (few, all) in all.chunks_exact_mut(FEW).enumerate() {
            for (half, (weights, scale)) in weights.0.iter().zip(scale).enumerate() {
                let [units, more]: [[_; 2]; 2] = pulp::cast(*scale);
                let mut sums = [[self.avx._mm256_setzero_si256(); 2]; FEW];
                for (weights, rows) in weights.iter().zip(rows) {
                    for (pair, &weights) in weights.iter().enumerate() {
                        let weights: [_; 2] = pulp::cast(weights);
                        for at in 0..FEW {
                            let both = self.avx._mm256_set1_epi32(rows[few * FEW + at][pair]);
                            for part in 0..2 {
                                let products = self.avx2._mm256_madd_epi16(both, weights[part]);
                                sums[at][part] = self.avx2._mm256_add_epi32(sums[at][part], products);
                            }
                        }
                    }
                }
                for (all, sums) in all.iter_mut().zip(sums) {
                    let (all, _) = all[half * LANES..].as_chunks_mut::<{ LANES / 2 }>();
                    for part in 0..2 {
                        let sum = self.avx._mm256_cvtepi32_ps(sums[part]);
                        let sum =
                            self.avx._mm256_add_ps(more[part], self.avx._mm256_mul_ps(sum, units[part]));
                        all[part] = pulp::cast(sum);
                    }
                }
            }
        }
        all
    }
}

#[cfg(target_arch = "x86_64")]
pulp::simd_type!({
    /// Vectors of 512 bits. Two products of numbers of 16 bits and their sum with a third number are one operation.
    pub(super) struct Wide {
        sse: f!("sse"),
        sse2: f!("sse2"),
        sse3: f!("sse3"),
        ssse3: f!("ssse3"),
        sse4_1: f!("sse4.1"),
        sse4_2: f!("sse4.2"),
        popcnt: f!("popcnt"),
        avx: f!("avx"),
        avx2: f!("avx2"),
        fma: f!("fma"),
        avx512f: f!("avx512f"),
        avx512bw: f!("avx512bw"),
        avx512dq: f!("avx512dq"),
        avx512vl: f!("avx512vl"),
        avx512vnni: f!("avx512vnni"),
    }
});

#[cfg(target_arch = "x86_64")]
impl Vectors for Wide {
    #[inline(always)]
    fn sums(self, weights: &PairWeights, rows: &Around<'_>, scale: &Scale) -> [Row; CELLS] {
        let PairWeights([first, second]) = weights;
        let mut sums = [[self.avx512f._mm512_setzero_si512(); HALVES]; CELLS];
        for ((rows, first), second) in rows.iter().zip(first).zip(second) {
            for (pair, (&one, &other)) in first.iter().zip(second).enumerate() {
                let weights = [one, other];
                for at in 0..CELLS {
                    let both = self.avx512f._mm512_set1_epi32(rows[at][pair]);
                    for half in 0..HALVES {
                        let products = self.avx512bw._mm512_madd_epi16(both, pulp::cast(weights[half]));
                        sums[at][half] = self.avx512f._mm512_add_epi32(sums[at][half], products);
                    }
                }
            }
        }
        let mut all = [[0.0; CHANNELS]; CELLS];
        for (half, &[units, more]) in scale.iter().enumerate() {
            for (all, sums) in all.iter_mut().zip(sums) {
                let sum = self.avx512f._mm512_cvtepi32_ps(sums[half]);
                let sum = self.avx512f._mm512_mul_ps(sum, pulp::cast(units));
                let sum: Lanes = pulp::cast(self.avx512f._mm512_add_ps(pulp::cast(more), sum));
                all[half * LANES..][..LANES].copy_from_slice(&sum);
            }
        }
        all
    }
}

/// The results of a calculation by all kinds of vectors that the processor has.
#[cfg(test)]
pub(super) fn by_all_kinds<V: Vectorised>(calculation: impl Fn() -> V) -> Vec<V::Output> {
    let mut results = vec![calculation().run(Plain)];
    #[cfg(target_arch = "x86_64")]
    {
        let v3 = pulp::x86::V3::try_new().map(|vectors| vectors.vectorize(|| calculation().run(vectors)));
        let wide = Wide::try_new().map(|vectors| vectors.vectorize(|| calculation().run(vectors)));
        results.extend(v3.into_iter().chain(wide));
    }
    results.push(vectorised(calculation()));
    results
}

#[cfg(test)]
mod tests {
    use rand_core::{RngCore, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    /// The sums of rows that differ from direction to direction.
    struct Turned<'a>(&'a PairWeights, &'a [[[i16; 2]; PAIRS]; CELLS], &'a Scale);

    impl Vectorised for Turned<'_> {
        type Output = [Row; CELLS];

        fn run(self, vectors: impl Vectors) -> [Row; CELLS] {
            let Self(weights, numbers, scale) = self;
            let pair = |[low, high]: [i16; 2]| i32::from(low) & 0xffff | i32::from(high) << 16;
            let rows = numbers.map(|row| row.map(pair));
            let around =
                std::array::from_fn(|direction| std::array::from_fn(|at| &rows[(at + direction) % CELLS]));
            vectors.sums(weights, &around, scale)
        }
    }

    #[test]
    fn all_kinds_of_vectors_find_the_same_sums() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        // A float has the sums of the first round exactly. Those of the last round are the greatest ones.
        for (weight, number, greatest) in [(100, 180, false), (1169, 8191, false), (1169, 8191, true)] {
            let mut draw = |most: i16| {
                if greatest { most } else { (rng.next_u32() % (2 * most as u32 + 1)) as i16 - most }
            };
            let mut weights = PairWeights([[[[[0; 2]; LANES]; PAIRS]; 7]; HALVES]);
            let pairs = weights.0.as_flattened_mut().as_flattened_mut().as_flattened_mut();
            pairs.fill_with(|| [draw(weight), draw(weight)]);
            let mut numbers = [[[0; 2]; PAIRS]; CELLS];
            numbers.as_flattened_mut().fill_with(|| [draw(number), draw(number)]);
            let scale = std::array::from_fn(|half| {
                [0.5, 3.0].map(|number| std::array::from_fn(|lane| number + (half * LANES + lane) as f32))
            });
            let sum = |at: usize, half: usize, lane: usize| {
                let products = (0..7).flat_map(|direction| {
                    let row = &numbers[(at + direction) % CELLS];
                    weights.0[half][direction].iter().zip(row).flat_map(move |(weights, numbers)| {
                        weights[lane].iter().zip(numbers).map(|(&a, &b)| i64::from(a) * i64::from(b))
                    })
                });
                let (sum, [units, more]): (i64, _) = (products.sum(), &scale[half]);
                more[lane] + sum as f32 * units[lane]
            };
            let exact: [Row; CELLS] = std::array::from_fn(|at| {
                std::array::from_fn(|channel| sum(at, channel / LANES, channel % LANES))
            });
            for found in by_all_kinds(|| Turned(&weights, &numbers, &scale)) {
                assert_eq!(found, exact);
            }
        }
    }
}
