//! [`HavannahStatistics`]: statistics of finished games of Havannah by size, in sentences and as objects.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use stonework_game::Player;
use stonework_havannah::{Position, WinKind};
use stonework_havannah_analysis::{Complexity, GameStatistics, Lengths};

/// Counts games of Havannah by the size of their boards.
///
/// ```
/// use stonework_game::Textual;
/// use stonework_havannah::Position;
/// use stonework_session::HavannahStatistics;
/// let mut counted = HavannahStatistics::default();
/// counted.add(&Position::parse_position("2 b - ww/.b./..")?);
/// counted.add(&Position::new(2)?);
/// let report = &counted.reports()[0];
/// assert_eq!((report.games, report.white, report.bridge, report.unfinished), (1, 1, 1, 1));
/// assert!(report.to_string().starts_with("size 2: 1 game, 1 more without an end\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct HavannahStatistics(BTreeMap<u8, (GameStatistics, u64)>);

impl HavannahStatistics {
    /// Counts a game by its last position. A game without a formation and with empty cells counts as unfinished.
    pub fn add(&mut self, end: &Position) {
        let size = end.size();
        let fresh =
            || GameStatistics::new(size).unwrap_or_else(|e| unreachable!("the size of a position: {e}"));
        let (statistics, unfinished) = self.0.entry(size).or_insert_with(|| (fresh(), 0));
        *unfinished += u64::from(statistics.add(end).is_err());
    }

    /// The statistics of each size that occurred, the smallest size first.
    #[must_use]
    pub fn reports(&self) -> Vec<StatisticsReport> {
        self.0
            .values()
            .map(|(statistics, unfinished)| StatisticsReport::new(statistics, *unfinished))
            .collect()
    }
}

/// The number of stones in games, or in the smallest rings of games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct StoneCounts {
    /// The mean.
    pub mean: f64,
    /// The least number.
    pub least: u16,
    /// The median, the lower one of two.
    pub median: u16,
    /// The greatest number.
    pub most: u16,
}

/// The games with a ring, by the rings of six stones, *benzene rings*.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct RingReport {
    /// The games with a ring.
    pub games: u64,
    /// The games with a ring of six stones.
    pub six_stones: u64,
    /// Of these, the games with a seventh stone of the winner inside a ring.
    pub around_own: u64,
    /// The games with a stone of the loser inside, and none of the winner.
    pub around_other: u64,
    /// The games with rings around empty cells only.
    pub around_empty: u64,
    /// The number of stones of the smallest ring of each game; null without a ring.
    pub stones: Option<StoneCounts>,
}

/// The sizes of the state space and of the game tree, as decimal logarithms; wins are not taken into account.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ComplexityReport {
    /// The cells of the board.
    pub cells: u16,
    /// The placings in which the stones alternate, T₁.
    pub positions: f64,
    /// The same up to symmetry, Ewalds' T₂.
    pub classes: f64,
    /// The orders in which the board can be filled.
    pub full_games: f64,
    /// The games of the mean length; null without a game.
    pub games: Option<f64>,
    /// The mean number of moves over a game of the mean length; null without a game.
    pub branching: Option<f64>,
}

/// The statistics of the games of one size. Its `Display` is the same in sentences.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StatisticsReport {
    /// The size of the board.
    pub size: u8,
    /// The games that ended with a formation or a full board.
    pub games: u64,
    /// The other games: resigned or unfinished. They are not part of the other numbers.
    pub unfinished: u64,
    /// The games that White has won.
    pub white: u64,
    /// The games that Black has won.
    pub black: u64,
    /// The drawn games.
    pub draws: u64,
    /// The games won with a ring, alone or with another kind.
    pub ring: u64,
    /// The games won with a bridge.
    pub bridge: u64,
    /// The games won with a fork.
    pub fork: u64,
    /// The number of stones of a game; null without a game.
    pub stones: Option<StoneCounts>,
    /// The rings.
    pub rings: RingReport,
    /// The sizes of state space and game tree.
    pub complexity: ComplexityReport,
}

impl StatisticsReport {
    fn new(of: &GameStatistics, unfinished: u64) -> Self {
        let lengths = |lengths: &Lengths| {
            let [least, median, most] = [0.0, 0.5, 1.0].map(|share| lengths.quantile(share));
            Some(StoneCounts { mean: lengths.mean()?, least: least?, median: median?, most: most? })
        };
        let won = |kind| Player::BOTH.map(|player| of.won_with(player, kind)).iter().sum();
        let board = Complexity::of(of.size()).unwrap_or_else(|e| unreachable!("the size of a position: {e}"));
        let (mean, rings) = (of.lengths().mean(), of.rings());
        Self {
            size: of.size(),
            games: of.games(),
            unfinished,
            white: of.wins().first,
            black: of.wins().second,
            draws: of.draws(),
            ring: won(WinKind::Ring),
            bridge: won(WinKind::Bridge),
            fork: won(WinKind::Fork),
            stones: lengths(of.lengths()),
            rings: RingReport {
                games: rings.games(),
                six_stones: rings.six_stones(),
                around_own: rings.with_own_inside(),
                around_other: rings.with_opponent_inside(),
                around_empty: rings.with_nothing_inside(),
                stones: lengths(rings.sizes()),
            },
            complexity: ComplexityReport {
                cells: board.cells(),
                positions: board.positions().log10(),
                classes: board.classes().log10(),
                full_games: board.full_games().log10(),
                games: mean.and_then(|mean| Some(board.games(mean)?.log10())),
                branching: mean.and_then(|mean| board.mean_branching(mean)),
            },
        }
    }
}

/// `1 game`, `2 games`.
fn number(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

impl fmt::Display for StatisticsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { white, black, draws, ring, bridge, fork, rings, complexity, .. } = self;
        write!(f, "size {}: {}", self.size, number(self.games, "game"))?;
        if self.unfinished > 0 {
            write!(f, ", {} more without an end", self.unfinished)?;
        }
        writeln!(f)?;
        if let Some(StoneCounts { mean, least, median, most }) = self.stones {
            writeln!(f, "  winner  white {white}, black {black}, draw {draws}")?;
            writeln!(f, "  kind    ring {ring}, bridge {bridge}, fork {fork}")?;
            writeln!(f, "  stones  {least} to {most}, median {median}, mean {mean:.1}")?;
        }
        if let Some(StoneCounts { least, median, most, .. }) = rings.stones {
            let RingReport { games, six_stones, around_own, around_other, around_empty, .. } = rings;
            writeln!(
                f,
                "  rings   {}; stones of the smallest: {least} to {most}, median {median}",
                number(*games, "game")
            )?;
            writeln!(
                f,
                "          {six_stones} with six stones: around an own stone {around_own}, a stone of the loser {around_other}, \
                 an empty cell {around_empty}"
            )?;
        }
        let ComplexityReport { cells, positions, classes, full_games, games, branching } = *complexity;
        writeln!(
            f,
            "  board   {cells} cells, 10^{positions:.1} positions, 10^{classes:.1} up to symmetry, 10^{full_games:.1} games to a full board"
        )?;
        if let (Some(games), Some(branching)) = (games, branching) {
            writeln!(
                f,
                "          10^{games:.1} games of the mean length, with {branching:.1} moves a position"
            )?;
        }
        Ok(())
    }
}
