//! [`LinkTracker`]: the links of one side along a line of moves.

use stonework_board::Cell;
use stonework_game::Player;
use stonework_havannah::Position;

use crate::{AnalysisError, LinkBudget, LinkSet};

/// The links of one side, from one position to the next and back.
///
/// After each stone the tracker keeps the links that the stone does not touch, and makes only the others
/// ([`LinkSet::after`]). It takes a move back by dropping the last set. Each stone of the line costs the memory of one
/// set, at most the budget's bytes.
///
/// ```
/// use stonework_game::{Game, Player, Textual};
/// use stonework_havannah::Position;
/// use stonework_havannah_analysis::{LinkBudget, LinkEnd, LinkTracker};
/// let mut game = Position::parse_position("4 b - ..../..w../....../......./....../...../....")?;
/// let (b3, a2) = (game.board().parse("b3")?, game.board().parse("a2")?);
/// let mut tracker = LinkTracker::new(&game, Player::First, &LinkBudget::default())?;
/// let cells = |tracker: &LinkTracker| -> Result<usize, Box<dyn std::error::Error>> {
///     let link = tracker.links().full_between(LinkEnd::Chain(b3), LinkEnd::Edge(0))?.next();
///     Ok(link.map_or(0, |link| link.carrier.len()))
/// };
/// assert_eq!(cells(&tracker)?, 2);
/// // Black's a2 leaves White no full link of two cells to the upper edge.
/// game.play(game.parse_move("a2")?)?;
/// tracker.play(&game, a2)?;
/// assert_ne!(cells(&tracker)?, 2);
/// assert!(tracker.undo());
/// assert_eq!(cells(&tracker)?, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LinkTracker {
    /// The links before all moves, and after each.
    sets: Vec<LinkSet>,
}

impl LinkTracker {
    /// The links of `owner` in a position, and within the same budget after each move.
    ///
    /// # Errors
    /// The errors of [`LinkSet::of`].
    pub fn new(position: &Position, owner: Player, budget: &LinkBudget) -> Result<Self, AnalysisError> {
        Ok(Self { sets: vec![LinkSet::of(position, owner, budget)?] })
    }

    /// The links in the present position.
    #[must_use]
    pub fn links(&self) -> &LinkSet {
        self.sets.last().unwrap_or_else(|| unreachable!("the first set is never dropped"))
    }

    /// Goes on to a position that has one more stone, on `cell`.
    ///
    /// # Errors
    /// The errors of [`LinkSet::after`]; the tracker stays where it is.
    pub fn play(&mut self, after: &Position, cell: Cell) -> Result<(), AnalysisError> {
        self.sets.push(self.links().after(after, cell)?);
        Ok(())
    }

    /// Goes back by one stone. `false` at the first position.
    pub fn undo(&mut self) -> bool {
        let back = self.sets.len() > 1;
        if back {
            self.sets.pop();
        }
        back
    }

    /// The number of stones that [`undo`](LinkTracker::undo) can take back.
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.sets.len() - 1
    }
}
