//! [`Frames`]: disjoint links that complete a win, and proofs that some of them win.

mod find;

use stonework_board::{Cell, CellSet};
use stonework_game::{Game, Player};
use stonework_havannah::{Position, WinKind};

use crate::links::with_net;
use crate::{AnalysisError, FramePlan, Link, LinkBudget, LinkEnd, LinkSet, StonesToWin};
use find::{Finder, Found};

/// Links with disjoint carriers that together complete a bridge, a fork or a ring.
///
/// A **frame** has full links only: if its owner answers every intrusion, the owner completes the formation although
/// the opponent moves first. A **half-frame** lacks one move of the owner, the [`key`](Frame::key), which makes it a
/// frame.
///
/// ```text
///       1 2 3 4
///    a . . q W 5       A frame of White that is a bridge. Its hub is the chain b3. The link from there to the corner a4 has
///   b . s W r . 6      the carrier {q, r}. The link to the corner d1 has the carrier {s, t, u, v}: two two-bridges that meet
///  c u W t . . . 7     at the chain c2. White needs three moves.
/// d W v . . . . .      Without the stone on c2 it is a half-frame with the key c2, which needs four.
///  e . . . . . .
///   f . . . . .
///    g . . . .
/// ```
///
/// All links of a frame meet at the *hub*. A bridge has a link from the hub to each of two corners, a fork a link to
/// each of three edges, a ring two links to the same other end. A hub that is an empty cell is the key.
///
/// A frame says nothing about the opponent's own wins; [`Frames::proven`] does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The formation.
    pub kind: WinKind,
    /// The owner's first move in a half-frame; `None` in a frame.
    pub key: Option<Cell>,
    /// The end at which the links meet.
    pub hub: LinkEnd,
    /// The links; empty for a ring that the key alone closes around own stones.
    pub links: Vec<Link>,
    /// The empty cells on which the formation may depend: the carriers of the links, and the key.
    pub carrier: CellSet,
    /// The most stones that the owner needs, if every intrusion is answered; the key is one of them.
    pub moves: u16,
    /// For a ring, the cells that it encloses however the links are completed, without own stones and cells of the
    /// carrier. Empty for a bridge and a fork.
    pub enclosed: CellSet,
    /// The numbers of the links' claims.
    claims: Vec<u32>,
}

impl Frame {
    /// `true` if the opponent may move first.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.key.is_none()
    }
}

/// The limits of the search for frames. A budget that is too low leaves frames out, and never makes a wrong one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FrameBudget {
    /// The limits of the search for links.
    pub links: LinkBudget,
    /// The most links that the search puts together to frames, 1 or more.
    pub combinations: u64,
    /// The most frames and half-frames that the search finds, 1 or more; the smallest carriers stay. Wins in one are told beside them.
    pub frames: usize,
}

/// The default is the default limits of links, a million combinations, and 256 frames.
impl Default for FrameBudget {
    fn default() -> Self {
        Self { links: LinkBudget::default(), combinations: 1_000_000, frames: 256 }
    }
}

/// The frames and half-frames of one side in one position.
///
/// # Which frames win
/// Let the owner of a frame need *n* moves, and let the opponent be *d* stones away from any win
/// ([`StonesToWin`]). The owner wins
///
/// - with a frame or half-frame, if it is the owner's turn and *d* ≥ *n*;
/// - with a frame, if it is the opponent's turn and *d* > *n*.
///
/// *Why.* The owner answers each intrusion within its link, and after any other move of the opponent shortens a link, as if the
/// opponent had intruded there. So the formation is there with the owner's *n*-th stone at the latest. Until then the opponent
/// has had *n* − 1 moves, or *n* with the first turn; in the latter case the last of them must win at once to matter. The owner is
/// free to follow the links unless the opponent wins or threatens to win in one, before the owner's last stone. That would be
/// a win of the opponent with at most *n* − 1 stones, or *n* with the first turn, even if the owner's stones were not there.
///
/// The rule leaves out the wins in which the owner must break off and answer a threat, and still wins; a
/// [`Race`](crate::Race) finds many of them.
///
/// ```
/// use stonework_game::{Player, Textual};
/// use stonework_havannah::Position;
/// use stonework_havannah_analysis::{FrameBudget, Frames};
/// let position = Position::parse_position("4 b - ...w/b.w../.w..../w..b.../...b../...../....")?;
/// let frames = Frames::of(&position, Player::First, &FrameBudget::default())?;
/// // White needs three moves; Black, to move, needs more, so White wins.
/// assert_eq!(frames.proven().map(|frame| frame.moves).collect::<Vec<_>>(), [3]);
/// assert!(frames.opponent().is_none_or(|black| black.stones > 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Frames {
    links: LinkSet,
    list: Vec<Frame>,
    complete: bool,
    owner_moves: bool,
    /// The number of stones that the opponent needs, if it is at most the number of moves of the longest frame.
    opponent: Option<StonesToWin>,
}

impl Frames {
    /// The frames and half-frames of `owner`, found within the budget.
    ///
    /// A frame is dropped if another frame has its carrier within the carrier of this frame and takes no more moves. Wins in
    /// one are half-frames with a carrier of one cell; all of them are found.
    ///
    /// # Errors
    /// An error if the game is over, if a swap may still come, or if a limit of the budget is too low.
    pub fn of(position: &Position, owner: Player, budget: &FrameBudget) -> Result<Self, AnalysisError> {
        for (what, given) in [("combinations", budget.combinations), ("frames", budget.frames as u64)] {
            if given == 0 {
                return Err(AnalysisError::Budget { what, given, least: 1 });
            }
        }
        let links = LinkSet::of(position, owner, &budget.links)?;
        let mut frames: Vec<Frame> = Vec::new();
        let complete = with_net!(&links.nets, net => {
            let mut finder = Finder::new(net, budget);
            finder.run();
            frames.extend(finder.found.iter().map(|found| shown(&links, found)));
            finder.complete
        });
        let wins = position.winning_cells(owner);
        for key in &wins {
            if !frames.iter().any(|f| f.moves == 1 && f.key == Some(key)) {
                let Some(kind) = position.completes(owner, key).iter().next() else { continue };
                let carrier = CellSet::from_iter([key]);
                let (hub, enclosed) = (LinkEnd::Empty(key), CellSet::new());
                frames.push(Frame {
                    kind,
                    key: Some(key),
                    hub,
                    links: Vec::new(),
                    carrier,
                    moves: 1,
                    enclosed,
                    claims: Vec::new(),
                });
            }
        }
        // No half-frame is worth more than a win in one within its carrier.
        frames.retain(|f| f.is_full() || f.moves == 1 || f.carrier.is_disjoint(&wins));
        frames.sort_by_key(|f| (f.carrier.len(), f.moves, f.key));
        let longest = frames.iter().map(|f| f.moves).max().unwrap_or(0);
        let opponent = StonesToWin::of(position, owner.other(), longest)?;
        let complete = complete && links.is_complete();
        Ok(Self { links, list: frames, complete, owner_moves: position.to_move() == owner, opponent })
    }

    /// The side that keeps the links.
    #[must_use]
    pub const fn owner(&self) -> Player {
        self.links.owner()
    }

    /// The links of which the frames consist.
    #[must_use]
    pub const fn links(&self) -> &LinkSet {
        &self.links
    }

    /// The frames and half-frames by the size of their carriers.
    #[must_use]
    pub fn all(&self) -> &[Frame] {
        &self.list
    }

    /// `true` if no limit but the limit of a carrier's size has left out a frame or a link.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// The fewest stones with which the opponent would win if the owner passed; `None` if they are more than the moves
    /// of the longest frame.
    #[must_use]
    pub const fn opponent(&self) -> Option<&StonesToWin> {
        self.opponent.as_ref()
    }

    /// The frames with which their owner wins now, against any play, by the rule above; the smallest carriers first.
    ///
    /// In a half-frame the owner begins with the key.
    pub fn proven(&self) -> impl Iterator<Item = &Frame> {
        self.list.iter().filter(|frame| match (self.owner_moves, frame.key) {
            (true, _) => self.opponent_needs() >= frame.moves,
            (false, None) => self.opponent_needs() > frame.moves,
            (false, Some(_)) => false,
        })
    }

    /// The moves by which the owner completes one of these frames; `None` for any other frame.
    #[must_use]
    pub fn plan(&self, frame: &Frame) -> Option<FramePlan<'_>> {
        self.list.contains(frame).then(|| FramePlan::new(&self.links, frame.key, &frame.claims))
    }

    /// The least number of stones that the opponent needs; `u16::MAX` if more than every frame takes.
    fn opponent_needs(&self) -> u16 {
        self.opponent.map_or(u16::MAX, |o| o.stones)
    }

    /// `true` if the owner wins by this frame after the opponent's stone on `cell`, by the rule of [`Frames`].
    pub(crate) fn wins_after(&self, frame: &Frame, cell: Cell) -> bool {
        // The opponent wins at once if the distance becomes 0, which is below the moves of any frame.
        let nearer = u16::from(self.opponent.is_some_and(|o| o.cells.contains(cell)));
        (frame.is_full() || !frame.carrier.contains(cell)) && self.opponent_needs() - nearer >= frame.moves
    }
}

fn shown<const W: usize>(links: &LinkSet, found: &Found<W>) -> Frame {
    Frame {
        kind: found.kind,
        key: found.key(),
        hub: links.end_of(found.hub),
        links: found.claims().map(|claim| links.link(claim as usize)).collect(),
        claims: found.claims().collect(),
        carrier: found.carrier.cells(),
        moves: found.moves,
        enclosed: found.enclosed.cells(),
    }
}
