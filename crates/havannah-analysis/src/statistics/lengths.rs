//! [`Lengths`]: the lengths of games.

/// The number of games of each length.
///
/// ```
/// use stonework_havannah_analysis::Lengths;
/// let mut lengths = Lengths::new();
/// for length in [24, 26, 27, 31] {
///     lengths.add(length);
/// }
/// assert_eq!((lengths.mean(), lengths.quantile(0.5)), (Some(27.0), Some(26)));
/// assert_eq!(lengths.histogram()[26..28], [1, 1]);
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Lengths {
    games: u64,
    counts: Vec<u64>,
}

impl Lengths {
    /// No games yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { games: 0, counts: Vec::new() }
    }

    /// Counts a game with this number of stones.
    pub fn add(&mut self, stones: u16) {
        self.grow(usize::from(stones) + 1);
        self.counts[usize::from(stones)] += 1;
        self.games += 1;
    }

    /// Counts all games of other lengths too. O(longest game).
    pub fn merge(&mut self, other: &Self) {
        self.grow(other.counts.len());
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.games += other.games;
    }

    fn grow(&mut self, length: usize) {
        if self.counts.len() < length {
            self.counts.resize(length, 0);
        }
    }

    /// The number of games.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// The number of games with 0, 1, 2, … stones, up to the longest game.
    #[must_use]
    pub fn histogram(&self) -> &[u64] {
        &self.counts
    }

    /// The mean number of stones; `None` without a game. O(longest game).
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.games > 0).then(|| self.sum(|stones| stones) / self.games as f64)
    }

    /// The standard deviation of the number of stones, with n − 1 in the denominator; `None` with fewer than two games.
    /// O(longest game).
    #[must_use]
    pub fn deviation(&self) -> Option<f64> {
        let mean = self.mean().filter(|_| self.games > 1)?;
        Some((self.sum(|stones| (stones - mean).powi(2)) / (self.games - 1) as f64).sqrt())
    }

    fn sum(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.counts.iter().enumerate().map(|(stones, &count)| count as f64 * of(stones as f64)).sum()
    }

    /// The least length that a share of the games, 0 to 1, does not exceed: 0 is the shortest game, 0.5 the (lower) median, 1
    /// the longest game. A share outside is taken as the nearer end. `None` without a game or if the share is no number.
    /// O(longest game).
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<u16> {
        if self.games == 0 || share.is_nan() {
            return None;
        }
        let wanted = ((share.clamp(0.0, 1.0) * self.games as f64).ceil() as u64).max(1);
        let mut seen = 0;
        let reaches = |&count: &u64| {
            seen += count;
            seen >= wanted.min(self.games)
        };
        self.counts.iter().position(reaches).map(|stones| stones as u16)
    }
}
