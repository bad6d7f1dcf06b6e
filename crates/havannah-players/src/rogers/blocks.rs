//! The cell that blocks the threats of the last stone (§4.4).

use stonework_board::{Axial, Cell, CellSet, Direction};
use stonework_havannah::Position;

use super::turned;

/// The cell that blocks a threat by the stone on `last`, if there is a threat by the rules of §4.4:
///
/// 1. the *chain* is all stones that steps of one cell connect to the last stone; the *group* is all stones that
///    steps of at most two cells connect to it ("2-connected"), whatever lies between;
/// 2. a bridge threatens if the chain has a corner and the group two; a fork, if the chain has two edges and the
///    group three. The block is the first empty cell beside both the chain and the rest of the group;
/// 3. a ring threatens if two stones of the chain are two apart and the cell halfway is empty. The block is that
///    cell. Only one of two cells halfway counts. A stone on the cell need not close a ring.
///
/// A corner or edge that the chain would reach with its very last stone is no threat by these rules. Only one of
/// several threats is blocked.
///
/// The report leaves two choices open, which its printed game decides. Of two cells halfway, the block is the cell
/// whose coordinates are the means, rounded down. Stones come in the reverse of the order in which a breadth-first
/// walk from the last stone meets them. The neighbours of a stone come in the order of the report's numbers, the cells
/// two steps away clockwise.
///
/// O(stones).
pub(super) fn block(game: &Position, last: Cell) -> Option<Cell> {
    let board = game.board();
    let (chain, group) = (reach(game, last, 1), reach(game, last, 2));
    let count = |cells: &[Cell]| {
        let corners = cells.iter().fold(0, |bits, &cell| bits | board.corner_mask(cell));
        let edges = cells.iter().fold(0, |bits, &cell| bits | board.edge_mask(cell));
        (corners.count_ones(), edges.count_ones())
    };
    let ((chain_corners, chain_edges), (corners, edges)) = (count(&chain), count(&group));
    let joined: CellSet = chain.iter().copied().collect();
    if (chain_corners >= 1 && corners >= 2) || (chain_edges >= 2 && edges >= 3) {
        let loose: CellSet = group.iter().copied().filter(|&cell| !joined.contains(cell)).collect();
        let cell = join(game, &chain, &loose);
        if cell.is_some() {
            return cell;
        }
    }
    let halfway = |&cell: &Cell| {
        let two_away = board.ring(cell, 2).filter(|&other| joined.contains(other));
        let mut between = two_away.filter_map(|other| {
            let sum = board.coord(cell) + board.coord(other);
            board.cell_at(Axial::new(sum.row / 2, sum.column / 2))
        });
        between.find(|&cell| game.stone(cell).is_none())
    };
    chain.iter().find_map(halfway)
}

/// The stones that steps of at most `step` cells connect to `from`, in the reverse of the order of a breadth-first
/// walk.
fn reach(game: &Position, from: Cell, step: u16) -> Vec<Cell> {
    let (board, owner) = (game.board(), game.stone(from));
    let mut met = vec![from];
    let mut seen: CellSet = met.iter().copied().collect();
    let mut at = 0;
    while let Some(&cell) = met.get(at) {
        at += 1;
        let near = (1..=step).flat_map(|radius| board.ring(cell, radius));
        met.extend(near.filter(|&other| game.stone(other) == owner && seen.insert(other)));
    }
    met.reverse();
    met
}

/// The first empty cell beside both the chain and one of the loose stones.
fn join(game: &Position, chain: &[Cell], loose: &CellSet) -> Option<Cell> {
    let board = game.board();
    let beside = chain.iter().flat_map(|&cell| {
        (0..6).filter_map(move |number| board.neighbour(cell, turned(Direction::SE, number)))
    });
    let mut open = beside.filter(|&cell| game.stone(cell).is_none());
    open.find(|&cell| board.neighbours(cell).any(|other| loose.contains(other)))
}

#[cfg(test)]
mod tests {
    use stonework_game::{Game, Textual};

    use super::*;

    /// The block after White's and Black's stones, placed in turn; the last white stone is the last stone.
    fn blocked(size: u8, white: &str, black: &str) -> Option<String> {
        let mut game = Position::new(size).unwrap();
        let mut black = black.split(' ');
        let mut last = None;
        for name in white.split(' ') {
            last = game.board().parse(name).ok();
            game.play(game.parse_move(name).unwrap()).unwrap();
            if let Some(name) = black.next() {
                game.play(game.parse_move(name).unwrap()).unwrap();
            }
        }
        block(&game, last.unwrap()).map(|cell| game.board().name(cell))
    }

    #[test]
    fn one_and_two_connected_sets_are_as_the_seed_has_them() {
        let mut game = Position::new(6).unwrap();
        // b2 is next to a1. d4 is two away from b2 over c3, which has a black stone. g7 is three away from d4.
        for name in ["a1", "c3", "b2", "k9", "d4", "k10", "g7"] {
            game.play(game.parse_move(name).unwrap()).unwrap();
        }
        let names = |step| {
            let cells = reach(&game, game.board().parse("a1").unwrap(), step);
            cells.iter().map(|&cell| game.board().name(cell)).collect::<Vec<_>>()
        };
        assert_eq!(names(1), ["b2", "a1"]);
        assert_eq!(names(2), ["d4", "b2", "a1"]);
        assert_eq!(names(3), ["g7", "d4", "b2", "a1"]);
    }

    #[test]
    fn a_bridge_is_blocked_where_both_parts_meet() {
        // Corners a1 and a5 with one gap at a3.
        assert_eq!(blocked(5, "a1 a2 a5 a4", "i5 i6 i7 i9").as_deref(), Some("a3"));
        // The chain of the last stone has no corner, though the group has two.
        assert_eq!(blocked(6, "a1 a2 a6 a4", "k6 k7 k8 k11"), None);
        // The chain is one step from the corner: the group has no other part to join.
        assert_eq!(blocked(4, "a1 a2 a3", "g4 g5 g7"), None);
    }

    #[test]
    fn a_fork_is_blocked_where_both_parts_meet() {
        // Row c joins two edges; a3 is on a third one and two away from c4, with b3 and b4 between.
        let black = "i5 i6 i8 i9 h4 h9 g4 f9";
        assert_eq!(blocked(5, "c1 c2 c3 c5 c6 c7 a3 c4", black).as_deref(), Some("b4"));
        // One of the two cells is taken: the block is the other cell.
        assert_eq!(blocked(5, "c1 c2 c3 c5 c6 c7 a3 c4", "i5 i6 i8 i9 h4 h9 g4 b4").as_deref(), Some("b3"));
        // e4 is as near, but on no edge.
        assert_eq!(blocked(5, "c1 c2 c3 c5 c6 c7 e4 c4", black), None);
        // One edge in the chain, though three in the group.
        assert_eq!(blocked(5, "c1 c2 c3 c5 c7 a3 c4", black), None);
    }

    #[test]
    fn the_cell_halfway_is_blocked_even_where_no_ring_closes() {
        // e5 and f7 are two apart, with e6 and f6 halfway; only e6 counts.
        assert_eq!(blocked(5, "e5 f7 f6", "a1 a2 i9").as_deref(), Some("e6"));
        assert_eq!(blocked(5, "e5 f7 e6", "a1 a2 i9"), None);
        // An arc around e5.
        assert_eq!(blocked(5, "e4 d4 d5 e6", "a1 a2 i9 i8").as_deref(), Some("e5"));
        // The cell halfway is taken already.
        assert_eq!(blocked(5, "e4 d4 d5 e6", "a1 a2 e5 i8"), None);
        // The cell halfway between two stones of a straight line has a stone of the line.
        assert_eq!(blocked(5, "e4 e5 e6", "a1 a2 i9"), None);
    }
}
