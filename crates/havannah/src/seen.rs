//! [`SeenStones`]: the stones of the position that was last looked at, and [`Chain`]: a chain as one looks at it.

use stonework_board::Cell;
use stonework_game::Player;

use crate::Position;

/// The stones of the position that a tool has last looked at, for tools that keep sums or codes beside a position: the tool
/// learns the cells that differ, whatever was played and undone between.
///
/// ```
/// use stonework_game::{Game, Player, Textual};
/// use stonework_havannah::{Position, SeenStones};
/// let mut position = Position::new(4)?;
/// let mut seen = SeenStones::new();
/// seen.differences(&position, |_, _, _| panic!("the board is empty"));
/// position.play(position.parse_move("b2")?)?;
/// position.play(position.parse_move("c3")?)?;
/// let mut found = Vec::new();
/// seen.differences(&position, |cell, before, now| found.push((position.board().name(cell), before, now)));
/// assert_eq!(found, [("b2".into(), None, Some(Player::First)), ("c3".into(), None, Some(Player::Second))]);
/// seen.differences(&position, |_, _, _| panic!("nothing has changed"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SeenStones {
    size: u8,
    rows: Vec<[u64; 2]>,
}

impl SeenStones {
    /// No stones, for boards of any size.
    #[must_use]
    pub const fn new() -> Self {
        Self { size: 0, rows: Vec::new() }
    }

    /// Calls `each` for every cell whose stone is another one than in the position before, in the order of the cells' numbers,
    /// with the owner of the stone before and now; `None` stands for an empty cell. Then the stones of `position` are the stones
    /// last seen. Returns `false` if the position before had another size: it then counts as an empty board of this size.
    /// O(rows + differences).
    pub fn differences(
        &mut self,
        position: &Position,
        mut each: impl FnMut(Cell, Option<Player>, Option<Player>),
    ) -> bool {
        let same = self.size == position.size();
        if !same {
            self.size = position.size();
            self.rows.clear();
            self.rows.extend(position.rows().map(|_| [0; 2]));
        }
        for (seen, (origin, rows)) in self.rows.iter_mut().zip(position.rows()) {
            let mut bits = (seen[0] ^ rows[0]) | (seen[1] ^ rows[1]);
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                let owner = |rows: &[u64; 2]| match (rows[0] >> bit & 1, rows[1] >> bit & 1) {
                    (1, _) => Some(Player::First),
                    (_, 1) => Some(Player::Second),
                    _ => None,
                };
                if let Some(cell) = Cell::new((i32::from(origin) + bit as i32) as usize) {
                    each(cell, owner(seen), owner(&rows));
                }
            }
            *seen = rows;
        }
        same
    }
}

/// A chain: connected stones of one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Chain {
    /// One of its stones, the same for each of its stones.
    pub cell: Cell,
    /// The number of its stones.
    pub stones: u16,
    /// The corners that it touches, bit 0 to 5 as in [`corner_mask`](stonework_board::Board::corner_mask).
    pub corners: u8,
    /// The edges that it touches, bit 0 to 5 as in [`edge_mask`](stonework_board::Board::edge_mask); corners belong to no edge.
    pub edges: u8,
}

#[cfg(test)]
mod tests {
    use rand_core::{RngCore, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use stonework_board::CellSet;
    use stonework_game::Game;

    use super::*;
    use crate::Move;

    /// The chain of a stone by a walk over its neighbours.
    fn walked(position: &Position, cell: Cell) -> CellSet {
        let owner = position.stone(cell);
        let (mut chain, mut open) = (CellSet::new(), vec![cell]);
        while let Some(cell) = open.pop() {
            if chain.insert(cell) {
                open.extend(position.board().neighbours(cell).filter(|&near| position.stone(near) == owner));
            }
        }
        chain
    }

    fn check(position: &Position) {
        for player in Player::BOTH {
            let mut seen = CellSet::new();
            for chain in position.chains(player) {
                let stones = walked(position, chain.cell);
                assert_eq!(stones.len(), usize::from(chain.stones));
                let board = position.board();
                assert_eq!(chain.corners, stones.iter().fold(0, |all, c| all | board.corner_mask(c)));
                assert_eq!(chain.edges, stones.iter().fold(0, |all, c| all | board.edge_mask(c)));
                for stone in &stones {
                    assert!(seen.insert(stone), "two chains with a stone in common");
                    assert_eq!(position.chain(stone), Some(chain));
                }
            }
            assert_eq!(seen, position.stones(player));
        }
        assert!(position.empty_cells().all(|cell| position.chain(cell).is_none()));
    }

    #[test]
    fn chains_and_differences_are_those_of_a_walk_after_moves_and_undos() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut seen = SeenStones::new();
        for size in [2, 3, 5, 8, 11, 20, 4] {
            let mut position = Position::new(size).unwrap();
            let mut before = position.clone();
            seen.differences(&position, |_, _, _| ());
            let mut undos = Vec::new();
            for _ in 0..120 {
                let back = rng.next_u32() as usize % (undos.len() + 1) / 2;
                for _ in 0..back {
                    let (undo, last) = undos.pop().unwrap();
                    position.undo(undo);
                    assert_eq!(Player::BOTH.map(|p| position.last_stone(p)), last);
                }
                for _ in 0..rng.next_u32() % 8 {
                    let moves = position.moves();
                    if moves.is_empty() {
                        break;
                    }
                    let (last, side) = (Player::BOTH.map(|p| position.last_stone(p)), position.to_move());
                    let mv = moves[rng.next_u32() as usize % moves.len()];
                    undos.push((position.play(mv).unwrap(), last));
                    assert_eq!(position.last_stone(side).map(Move::Place), Some(mv));
                }
                check(&position);
                seen.differences(&position, |cell, old, new| {
                    assert_eq!((before.stone(cell), position.stone(cell)), (old, new));
                    assert_ne!(old, new);
                });
                let board = position.board();
                seen.differences(&before, |_, _, _| ());
                let mut same: Vec<_> =
                    board.cells().filter(|&c| before.stone(c) != position.stone(c)).collect();
                seen.differences(&position, |cell, _, _| assert_eq!(cell, same.remove(0)));
                assert!(same.is_empty(), "{same:?}");
                before = position.clone();
            }
        }
    }
}
