//! [`PositionCensus`]: the positions of a table by their numbers of stones and their values.

use stonework_cover::Position;
use stonework_endgame::{Table, Value};
use stonework_game::{ByPlayer, Player};

use crate::Space;

/// The positions without a past of two numbers of stones, whichever side is to move, by their values in a table.
///
/// A position with red to move counts as the position with blue to move that has colours and ends exchanged.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PositionCensus {
    /// All positions.
    pub legal: u64,
    /// The positions with blue to move.
    pub blue_to_move: u64,
    /// The positions with each pair of mirror images as one. If both sides have equally many stones, only the
    /// positions with blue to move count, since the exchange of colours makes the others the same.
    pub variants: u64,
    /// The positions that each side wins.
    pub won: ByPlayer<u64>,
    /// The positions that neither side wins.
    pub drawn: u64,
    /// The greatest distance of a win, and the first position that has it, with blue to move.
    pub longest: Option<(u16, Position)>,
}

impl Space {
    /// Counts the positions in which blue has `blue` stones and red `red`. Positions without a value in the table, such as positions
    /// with more stones than the space has, do not count.
    ///
    /// # Complexity
    /// A probe for each placing of the stones, twice.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use stonework_cover::Options;
    /// use stonework_cover_players::Space;
    /// use stonework_endgame::{Options as Means, solve};
    /// let space = Space::new(2, (1, 1), Options::default())?;
    /// let table = solve(&space, &Means::default(), &mut |_| ControlFlow::Continue(()))?.table;
    /// let census = space.census(&table, 1, 1);
    /// assert_eq!(census.legal, census.won.first + census.won.second + census.drawn);
    /// assert_eq!((census.legal, census.won.first), (2 * census.blue_to_move, census.won.second));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn census(&self, table: &Table, blue: usize, red: usize) -> PositionCensus {
        let mut census = PositionCensus::default();
        self.count(table, (blue, red), Player::First, &mut census);
        census.blue_to_move = census.legal;
        let variants = census.variants;
        self.count(table, (red, blue), Player::Second, &mut census);
        if blue == red {
            census.variants = variants;
        }
        census
    }

    /// Counts the positions with blue to move and these numbers of stones as positions with `mover` to move.
    fn count(&self, table: &Table, stones: (usize, usize), mover: Player, census: &mut PositionCensus) {
        for (position, mirrored) in self.positions(stones.0, stones.1) {
            let Some(value) = table.probe(self, &position) else { continue };
            census.legal += 1;
            census.variants += u64::from(!mirrored);
            match value {
                Value::Win(_) => census.won[mover] += 1,
                Value::Loss(_) => census.won[mover.other()] += 1,
                Value::Draw => census.drawn += 1,
            }
            let most = census.longest.as_ref().map(|&(most, _)| most);
            if let Some(plies) = value.distance().filter(|&plies| most.is_none_or(|most| plies > most)) {
                census.longest = Some((plies, position));
            }
        }
    }
}
