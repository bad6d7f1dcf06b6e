//! [`StonesToWin`]: the number of stones that a side needs to win if the opponent never answers.

use stonework_board::CellSet;
use stonework_game::Player;
use stonework_havannah::{Position, WinKind, WinKinds};

use crate::error::in_play;
use crate::{AnalysisError, Distances};

/// The fewest stones with which a side completes a formation while the opponent passes, and the cells for the first of
/// them.
///
/// The number is exact for bridge, fork and ring. It is a bound for a race: a side cannot win with fewer own stones, whatever
/// the opponent does.
///
/// ```
/// use stonework_game::{Player, Textual};
/// use stonework_havannah::Position;
/// use stonework_havannah_analysis::StonesToWin;
/// let position = Position::parse_position("4 b - .ww./...../....../......./....../...../....")?;
/// let white = StonesToWin::of(&position, Player::First, 10)?.unwrap();
/// assert_eq!((white.stones, white.kinds.to_string().as_str()), (2, "bridge"));
/// let [a1, a4] = [position.board().parse("a1")?, position.board().parse("a4")?];
/// assert_eq!(white.cells, [a1, a4].into_iter().collect());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StonesToWin {
    /// The number of stones, 1 or more.
    pub stones: u16,
    /// The kinds of win that take this number of stones.
    pub kinds: WinKinds,
    /// The empty cells of all wins with that number of stones: exactly the cells on which a stone brings the win one stone nearer.
    pub cells: CellSet,
}

impl StonesToWin {
    /// The fewest stones with which `player` wins, if `most` or fewer suffice; `None` if not.
    ///
    /// As costly as [`Distances::ring`], and as the [map](Distances::map) of rings where no win is nearer than a ring.
    ///
    /// # Errors
    /// An error if the game is over or a swap may still come.
    pub fn of(position: &Position, player: Player, most: u16) -> Result<Option<Self>, AnalysisError> {
        in_play(position)?;
        let mut distances = Distances::of(position, player);
        let needs = WinKind::ALL.map(|kind| distances.need(kind).map(|need| need.stones));
        let Some(stones) = needs.into_iter().flatten().min().filter(|&stones| stones <= most) else {
            return Ok(None);
        };
        let (mut kinds, mut cells) = (WinKinds::NONE, CellSet::new());
        for kind in WinKind::ALL
            .into_iter()
            .zip(needs)
            .filter_map(|(kind, need)| (need == Some(stones)).then_some(kind))
        {
            kinds = kinds.with(kind.into());
            cells |= distances.map(kind).cells_at(stones);
        }
        // The maps have numbers on the side's own stones too.
        cells &= position.empty_cells().collect::<CellSet>();
        Ok(Some(Self { stones, kinds, cells }))
    }
}
