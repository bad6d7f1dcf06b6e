//! [`FramePlan`]: the moves that complete a frame.

use stonework_board::Cell;

use crate::LinkSet;
use crate::links::net::{NO_CLAIM, Net};
use crate::links::with_net;

/// The answers of a frame's owner, move by move, until the formation is complete.
///
/// ```
/// use stonework_game::{Player, Textual};
/// use stonework_havannah::Position;
/// use stonework_havannah_analysis::{FrameBudget, Frames};
/// let position = Position::parse_position("4 b - ...w/b.w../.w..../w..b.../...b../...../....")?;
/// let board = position.board();
/// let frames = Frames::of(&position, Player::First, &FrameBudget::default())?;
/// let mut plan = frames.plan(frames.proven().next().unwrap()).unwrap();
/// // Black intrudes on d2 and on a3: White answers in the same two-bridge.
/// assert_eq!(plan.answer(board.parse("d2").ok()), board.parse("c1").ok());
/// assert_eq!(plan.answer(board.parse("a3").ok()), board.parse("b4").ok());
/// // Black plays elsewhere: White takes one of the cells b2 and c3 that are left, and the bridge is there.
/// assert!(plan.answer(board.parse("g7").ok()).is_some());
/// assert!(plan.is_complete());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct FramePlan<'a> {
    links: &'a LinkSet,
    key: Option<Cell>,
    /// The full links that are not complete, by the numbers of claims. Their carriers are disjoint, and each link
    /// follows by the rule *or*.
    live: Vec<u32>,
}

impl<'a> FramePlan<'a> {
    /// The plan of a frame that consists of these claims.
    pub(crate) fn new(links: &'a LinkSet, key: Option<Cell>, claims: &[u32]) -> Self {
        let mut plan = Self { links, key, live: Vec::new() };
        with_net!(&links.nets, net => plan.enter(net, claims));
        plan
    }

    /// The owner's first move in a half-frame, before any answer; `None` in a frame.
    #[must_use]
    pub const fn key(&self) -> Option<Cell> {
        self.key
    }

    /// `true` if the formation is complete, given a stone on the key.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.live.is_empty()
    }

    /// The owner's answer to a stone of the opponent on `intrusion`, or to any other move that leaves the carrier as
    /// it is; `None` once the formation is complete.
    ///
    /// If the intrusion is in a link that is not complete, the answer keeps that link; else the answer shortens a link. Cells
    /// that no longer matter, and cells off the board, are no intrusions.
    pub fn answer(&mut self, intrusion: Option<Cell>) -> Option<Cell> {
        let links = self.links;
        with_net!(&links.nets, net => {
            let hit = |claim: u32| {
                intrusion.is_some_and(|c| net.claims[claim as usize].carrier.contains(c.index() as u16))
            };
            let at = self.live.iter().position(|&claim| hit(claim)).or(self.live.len().checked_sub(1))?;
            let link = self.live.swap_remove(at);
            // No cell is in the carriers of all alternatives.
            let alternative = parts(net, link).find(|&half| !hit(half))?;
            self.enter(net, &[alternative]);
            Cell::new(net.claims[alternative as usize].key.into())
        })
    }

    /// Adds the links that are not complete among these claims, given stones on the keys of half links.
    fn enter<const W: usize>(&mut self, net: &Net<W>, claims: &[u32]) {
        let mut open = claims.to_vec();
        while let Some(claim) = open.pop() {
            let is_choice = net.claims[claim as usize].is_full()
                && parts(net, claim).next().is_some_and(|part| !net.claims[part as usize].is_full());
            if is_choice {
                self.live.push(claim);
            } else {
                open.extend(parts(net, claim));
            }
        }
    }
}

/// The claims that imply a claim.
fn parts<const W: usize>(net: &Net<W>, claim: u32) -> impl Iterator<Item = u32> + '_ {
    net.claims[claim as usize].parts.iter().copied().filter(|&part| part != NO_CLAIM)
}
