//! [`LinkSet`]: the chains, cells, edges and corners that one side can keep connected.

mod grow;
pub(crate) mod net;

use stonework_board::{Board, Cell, CellSet};
use stonework_game::Player;
use stonework_havannah::Position;

use crate::AnalysisError;
use crate::error::in_play;
use net::{Claim, NONE, Net};

/// An end of a [`Link`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LinkEnd {
    /// The chain of the owner's stone on this cell. A [`LinkSet`] names a chain after its stone with the lowest number.
    Chain(Cell),
    /// An empty cell. The link holds once its owner has a stone on the cell.
    Empty(Cell),
    /// An edge, 0 to 5: any of its cells, of which none is a corner.
    Edge(u8),
    /// A corner cell, 0 to 5, with an own stone on it. A link to an empty corner has that cell in its carrier.
    Corner(u8),
}

/// Two ends that one side, the owner, can connect with own stones on cells of the carrier.
///
/// In a **full** link the opponent may move first inside the carrier; in a **half** link the owner moves first, on the
/// [`key`](Link::key). After that the sides move in turn, and the opponent may choose any cell of the carrier:
///
/// ```text
///   . u .        x and y: stones of the owner in two chains. A full link with the carrier {u, v}, a two-bridge.
///  . x v .       If the opponent takes u, the owner answers v. With a stone of the opponent on v there is a half link
///   . . y        with the key u and the carrier {u}.
/// ```
///
/// An end that is an empty cell counts as a stone of the owner; the cell is not in the carrier.
///
/// The claim is about connection alone. It does not say that the owner has time for the answers: a stone of the opponent in
/// the carrier may win, or threaten to win elsewhere. [`Frames`](crate::Frames) takes that into account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The ends, chains and empty cells before edges and corners.
    pub ends: [LinkEnd; 2],
    /// The empty cells on which the connection may depend. No cell of a carrier is an end.
    pub carrier: CellSet,
    /// The owner's first move in a half link; `None` in a full link.
    pub key: Option<Cell>,
    /// The most stones that the owner needs, if every intrusion is answered; the key is one of them.
    pub moves: u16,
}

impl Link {
    /// `true` if the opponent may move first.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.key.is_none()
    }
}

/// The limits of the search for links.
///
/// The search finds links by the size of their carriers. A budget that is too low therefore leaves out links with large
/// carriers, and never makes a wrong one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinkBudget {
    /// The most cells of a carrier, 1 or more.
    pub carrier: usize,
    /// The most full links, and the most half links, between the same two ends, 1 or more.
    pub per_pair: usize,
    /// The most pairs of links that the search puts together, 1 or more.
    pub combinations: u64,
    /// The most memory of the links, in bytes; [`LinkBudget::least_bytes`] or more.
    pub bytes: usize,
}

impl LinkBudget {
    /// The least memory for a board with this number of cells, in bytes: the table of its pairs of ends. `usize::MAX` for more bytes
    /// than there can be.
    #[must_use]
    pub const fn least_bytes(cells: usize) -> usize {
        Net::<18>::least_bytes(cells)
    }

    /// Refuses a limit that is too low.
    fn check(&self, cells: usize) -> Result<(), AnalysisError> {
        let limits = [
            ("cells of a carrier", self.carrier as u64, 1),
            ("links of a pair", self.per_pair as u64, 1),
            ("combinations", self.combinations, 1),
            ("bytes", self.bytes as u64, Self::least_bytes(cells) as u64),
        ];
        match limits.into_iter().find(|&(_, given, least)| given < least) {
            Some((what, given, least)) => Err(AnalysisError::Budget { what, given, least }),
            None => Ok(()),
        }
    }
}

/// The default is carriers of at most 8 cells, 12 links of a pair, 10 million combinations, and 64 MiB.
impl Default for LinkBudget {
    fn default() -> Self {
        Self { carrier: 8, per_pair: 12, combinations: 10_000_000, bytes: 64 << 20 }
    }
}

/// The links of one side in one position.
///
/// Adjacency is a link with an empty carrier. All other links follow by the two rules of H-search:
///
/// - **and**: two full links with disjoint carriers that meet at a chain of the owner are a full link; if they meet at an empty
///   cell, they are a half link with that cell as its key;
/// - **or**: half links between the same ends of which no cell is in all carriers are a full link.
///
/// A link is dropped if another link between the same ends has its carrier within the carrier of this link. If a cell lies
/// between the two links, both stay, as they could be two sides of a ring.
///
/// *V. Anshelevich, A hierarchical approach to computer Hex, 2002; P. Henderson, B. Arneson and R. Hayward, Hex, braids, the
/// crossing rule, and XH-search, 2009.*
///
/// ```
/// use stonework_game::{Player, Textual};
/// use stonework_havannah::Position;
/// use stonework_havannah_analysis::{LinkBudget, LinkEnd, LinkSet};
/// let position = Position::parse_position("4 b - ..../..w../....../......./....../...../....")?;
/// let board = position.board();
/// let links = LinkSet::of(&position, Player::First, &LinkBudget::default())?;
/// let b3 = LinkEnd::Chain(board.parse("b3")?);
/// let link = links.full_between(b3, LinkEnd::Edge(0))?.next().unwrap();
/// assert_eq!(link.carrier.iter().map(|c| board.name(c)).collect::<Vec<_>>(), ["a2", "a3"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LinkSet {
    board: &'static Board,
    owner: Player,
    pub(crate) nets: Nets,
}

/// The links, with sets of cells of as few words as the board needs.
#[derive(Clone, Debug)]
pub(crate) enum Nets {
    /// Up to size 5.
    One(Net<1>),
    /// Sizes 6 to 8.
    Three(Net<3>),
    /// Sizes 9 and 10.
    Five(Net<5>),
    /// Up to size 20.
    Eighteen(Net<18>),
}

/// Evaluates an expression for the net of any width.
macro_rules! with_net {
    ($nets:expr, $net:ident => $do:expr) => {
        match $nets {
            $crate::links::Nets::One($net) => $do,
            $crate::links::Nets::Three($net) => $do,
            $crate::links::Nets::Five($net) => $do,
            $crate::links::Nets::Eighteen($net) => $do,
        }
    };
}
pub(crate) use with_net;

impl LinkSet {
    /// All links of `owner`, found within the budget. The side to move does not matter.
    ///
    /// O(pairs of links that share an end), which the budget limits.
    ///
    /// # Errors
    /// An error if the game is over, if a swap may still come, or if a limit of the budget is too low.
    pub fn of(position: &Position, owner: Player, budget: &LinkBudget) -> Result<Self, AnalysisError> {
        in_play(position)?;
        let board = position.board();
        budget.check(board.len())?;
        let nets = match board.len() {
            0..=64 => Nets::One(Net::of(position, owner, budget)),
            65..=192 => Nets::Three(Net::of(position, owner, budget)),
            193..=320 => Nets::Five(Net::of(position, owner, budget)),
            _ => Nets::Eighteen(Net::of(position, owner, budget)),
        };
        Ok(Self { board, owner, nets })
    }

    /// The side that keeps the links.
    #[must_use]
    pub const fn owner(&self) -> Player {
        self.owner
    }

    /// The links after a stone on an empty cell, of either side: `after` is the position with that stone.
    ///
    /// The links whose carriers and ends the stone does not touch stay. After a stone of the opponent these are all, in
    /// O(links). After a stone of the owner the links of the new chain are put together. The result has a link within the
    /// carrier of each link of [`of`](LinkSet::of), if no budget but that of the carrier is used up. [`LinkTracker`](crate::LinkTracker) keeps
    /// the sets of a line of moves.
    ///
    /// # Errors
    /// An error if the game is over or a swap may still come, if `after` has another size, or if the cell has no stone there.
    pub fn after(&self, after: &Position, cell: Cell) -> Result<Self, AnalysisError> {
        in_play(after)?;
        if after.size() != self.board.size() || !self.board.contains(cell) {
            return Err(AnalysisError::OffBoard { cell, size: self.board.size().min(after.size()) });
        }
        if after.stone(cell).is_none() {
            return Err(AnalysisError::Content { cell, empty: true });
        }
        let nets = match &self.nets {
            Nets::One(net) => Nets::One(net.after(after, self.owner, cell)),
            Nets::Three(net) => Nets::Three(net.after(after, self.owner, cell)),
            Nets::Five(net) => Nets::Five(net.after(after, self.owner, cell)),
            Nets::Eighteen(net) => Nets::Eighteen(net.after(after, self.owner, cell)),
        };
        Ok(Self { nets, ..*self })
    }

    /// The number of links. O(pairs of ends).
    #[must_use]
    pub fn len(&self) -> usize {
        with_net!(&self.nets, net => net.len())
    }

    /// `true` if the set has no link. O(pairs of ends).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// `true` if no limit but the limit of a carrier's size has left out a link.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        with_net!(&self.nets, net => net.complete)
    }

    /// The number of pairs of links that the search put together.
    #[must_use]
    pub fn combinations(&self) -> u64 {
        with_net!(&self.nets, net => net.combinations)
    }

    /// All links by the size of their carriers.
    pub fn iter(&self) -> impl Iterator<Item = Link> + '_ {
        let numbers = with_net!(&self.nets, net => net.accepted());
        numbers.into_iter().map(|at| self.link(at as usize))
    }

    /// The end of a cell: the chain of its stone, named after the stone with the lowest number, or an empty end.
    ///
    /// # Errors
    /// An error if the cell is off the board or has a stone of the opponent.
    pub fn end(&self, cell: Cell) -> Result<LinkEnd, AnalysisError> {
        if !self.board.contains(cell) {
            return Err(AnalysisError::OffBoard { cell, size: self.board.size() });
        }
        let node = with_net!(&self.nets, net => net.node[cell.index()]);
        if node == NONE {
            return Err(AnalysisError::Opponent { cell, stone_of: self.owner.other() });
        }
        Ok(self.end_of(node))
    }

    /// The full links between two ends by the size of their carriers. A chain may be named by any of its stones.
    ///
    /// # Errors
    /// An error if an end does not exist: a cell off the board, a stone of the opponent, a chain on an empty cell, an
    /// edge or corner beyond 5.
    pub fn full_between(
        &self,
        a: LinkEnd,
        b: LinkEnd,
    ) -> Result<impl Iterator<Item = Link> + '_, AnalysisError> {
        let list = self.list(a, b, true)?;
        Ok(list.iter().map(|&i| self.link(i as usize)))
    }

    /// The half links between two ends by the size of their carriers. A chain may be named by any of its stones.
    ///
    /// # Errors
    /// The errors of [`full_between`](LinkSet::full_between).
    pub fn half_between(
        &self,
        a: LinkEnd,
        b: LinkEnd,
    ) -> Result<impl Iterator<Item = Link> + '_, AnalysisError> {
        let list = self.list(a, b, false)?;
        Ok(list.iter().map(|&i| self.link(i as usize)))
    }

    fn list(&self, a: LinkEnd, b: LinkEnd, full: bool) -> Result<&[u32], AnalysisError> {
        let (a, b) = (self.node_of(a)?, self.node_of(b)?);
        Ok(with_net!(&self.nets, net => match net.pair(a, b) {
            Some(pair) if full => &pair.full,
            Some(pair) => &pair.half,
            None => &[],
        }))
    }

    fn node_of(&self, end: LinkEnd) -> Result<u16, AnalysisError> {
        let cells = self.board.len() as u16;
        match end {
            LinkEnd::Edge(number) if number < 6 => Ok(cells + u16::from(number)),
            LinkEnd::Corner(number) if number < 6 => Ok(cells + 6 + u16::from(number)),
            LinkEnd::Edge(number) => Err(AnalysisError::Number { what: "edge", number }),
            LinkEnd::Corner(number) => Err(AnalysisError::Number { what: "corner", number }),
            LinkEnd::Chain(cell) | LinkEnd::Empty(cell) => match (end, self.end(cell)?) {
                (LinkEnd::Chain(_), LinkEnd::Chain(first)) => Ok(first.into()),
                (LinkEnd::Empty(_), LinkEnd::Empty(cell)) => Ok(cell.into()),
                (_, found) => Err(AnalysisError::Content { cell, empty: matches!(found, LinkEnd::Empty(_)) }),
            },
        }
    }

    pub(crate) fn end_of(&self, node: u16) -> LinkEnd {
        let cells = self.board.len() as u16;
        match Cell::new(node.into()).filter(|&c| self.board.contains(c)) {
            Some(cell) if with_net!(&self.nets, net => net.is_chain(node)) => LinkEnd::Chain(cell),
            Some(cell) => LinkEnd::Empty(cell),
            None if node < cells + 6 => LinkEnd::Edge((node - cells) as u8),
            None => LinkEnd::Corner((node - cells - 6) as u8),
        }
    }

    /// The link with the number of a claim.
    pub(crate) fn link(&self, at: usize) -> Link {
        with_net!(&self.nets, net => self.shown(&net.claims[at]))
    }

    fn shown<const W: usize>(&self, claim: &Claim<W>) -> Link {
        Link {
            ends: claim.ends.map(|node| self.end_of(node)),
            carrier: claim.carrier.cells(),
            key: if claim.is_full() { None } else { Cell::new(claim.key.into()) },
            moves: claim.moves,
        }
    }
}

#[cfg(test)]
mod tests {
    use stonework_game::{Game, Textual};

    use super::*;

    /// A budget beyond the board is a budget of the board.
    #[test]
    fn a_carrier_of_any_number_of_cells_may_be_asked_for() {
        let mut game = Position::new(3).unwrap();
        for mv in ["a1", "e5", "b3"] {
            game.play(game.parse_move(mv).unwrap()).unwrap();
        }
        let links = |carrier| {
            let links =
                LinkSet::of(&game, Player::First, &LinkBudget { carrier, ..LinkBudget::default() }).unwrap();
            links.iter().collect::<Vec<_>>()
        };
        assert!(!links(19).is_empty());
        assert_eq!(links(19), links(usize::MAX));
    }
}
