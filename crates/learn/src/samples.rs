//! [`ValueSamples`] and [`MoveSamples`]: positions as lists of features, with what is to be learned.

use stonework_game::scatter;

/// A digest of numbers in their order, which distinguishes samples of different games.
pub(crate) fn digest(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(0, |digest, number| scatter(digest ^ number))
}

pub(crate) fn numbers(values: &[u32]) -> impl Iterator<Item = u64> {
    [values.len() as u64].into_iter().chain(values.iter().map(|&value| value.into()))
}

pub(crate) fn ends<const N: usize>(values: &[[usize; N]]) -> impl Iterator<Item = u64> {
    [values.len() as u64].into_iter().chain(values.iter().flatten().map(|&end| end as u64))
}

/// Positions for a [`ValueNet`](crate::ValueNet): the features of both sides and the result.
#[derive(Clone, Debug, Default)]
pub struct ValueSamples {
    features: Vec<u32>,
    /// For each position, the ends of the features of the side to move and of its opponent.
    ends: Vec<[usize; 2]>,
    targets: Vec<f32>,
}

impl ValueSamples {
    /// No positions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a position: the features as the side to move and as its opponent see it, and the result for the side to move, 0 for
    /// a loss to 1 for a win.
    pub fn push(&mut self, own: &[u32], enemy: &[u32], result: f32) {
        self.features.extend_from_slice(own);
        let middle = self.features.len();
        self.features.extend_from_slice(enemy);
        self.ends.push([middle, self.features.len()]);
        self.targets.push(result);
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// `true` without positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// A digest of all features and results. O(features).
    pub(crate) fn digest(&self) -> u64 {
        let targets = self.targets.iter().map(|target| target.to_bits().into());
        digest(numbers(&self.features).chain(ends(&self.ends)).chain(targets))
    }

    /// The features of both sides and the result.
    pub(crate) fn get(&self, index: usize) -> (&[u32], &[u32], f32) {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before][1]);
        let [middle, end] = self.ends[index];
        (&self.features[start..middle], &self.features[middle..end], self.targets[index])
    }
}

/// Positions for [`MoveWeights`](crate::MoveWeights): the features of all legal moves, and the chances that are to be learned.
#[derive(Clone, Debug, Default)]
pub struct MoveSamples {
    features: Vec<u32>,
    /// The end of the features of each move.
    move_ends: Vec<usize>,
    /// The end of the moves of each position, and the end of its targets.
    ends: Vec<[usize; 2]>,
    /// Places of moves with their shares.
    targets: Vec<(u32, f32)>,
}

impl MoveSamples {
    /// No positions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the features of a move of the position that the next call of [`close`](Self::close) ends.
    pub fn push_move(&mut self, features: &[u32]) {
        self.features.extend_from_slice(features);
        self.move_ends.push(self.features.len());
    }

    /// Ends a position. `targets` are places of moves among its moves with their shares, each at least 0; the shares are scaled
    /// so that they add up to 1. The played move alone is `&[(place, 1.0)]`.
    ///
    /// # Panics
    /// If the position has no such move, or the shares do not add up to more than 0.
    pub fn close(&mut self, targets: &[(usize, f32)]) {
        let start = self.ends.last().map_or(0, |end| end[0]);
        let sum: f32 = targets.iter().map(|(_, share)| share.max(0.0)).sum();
        assert!(sum > 0.0, "shares that add up to {sum}");
        for &(place, share) in targets {
            assert!(start + place < self.move_ends.len(), "move {place} of {}", self.move_ends.len() - start);
            self.targets.push((place as u32, share.max(0.0) / sum));
        }
        self.ends.push([self.move_ends.len(), self.targets.len()]);
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// `true` if there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A digest of all features and shares. O(features).
    pub(crate) fn digest(&self) -> u64 {
        let move_ends = self.move_ends.iter().map(|&end| end as u64);
        let targets = self.targets.iter().flat_map(|(place, share)| [*place, share.to_bits()].map(u64::from));
        digest(numbers(&self.features).chain(move_ends).chain(ends(&self.ends)).chain(targets))
    }

    /// The features of each move of a position, and places of moves with their shares.
    pub(crate) fn get(&self, index: usize) -> (impl ExactSizeIterator<Item = &[u32]>, &[(u32, f32)]) {
        let [start, first] = index.checked_sub(1).map_or([0, 0], |before| self.ends[before]);
        let [end, last] = self.ends[index];
        let moves = (start..end).map(|at| {
            let from = at.checked_sub(1).map_or(0, |before| self.move_ends[before]);
            &self.features[from..self.move_ends[at]]
        });
        (moves, &self.targets[first..last])
    }
}
