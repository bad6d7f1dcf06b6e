//! [`FrameMustPlay`]: the moves that lose by a frame of the opponent, remembered by position.

use stonework_board::Cell;
use stonework_game::{Game, Player};
use stonework_havannah_analysis::{FrameBudget, LinkBudget, MustPlay};

use crate::small_position::SmallPosition;
use crate::word::Word;

/// The number of positions that are remembered.
const SLOTS: usize = 1 << 12;

/// The limits of the search for frames. Larger limits take twice the time and leave out hardly more moves.
const BUDGET: FrameBudget = FrameBudget {
    links: LinkBudget { carrier: 4, per_pair: 4, combinations: 1 << 20, bytes: 4 << 20 },
    combinations: 1 << 17,
    frames: 64,
};

/// Must-play by frames, for positions on which a search has spent some work.
#[derive(Clone, Debug)]
pub(crate) struct FrameMustPlay {
    after: u64,
    /// The last position of each slot; empty before the first question.
    known: Vec<Option<Known>>,
}

/// The moves that are left in one position.
#[derive(Clone, Copy, Debug)]
struct Known {
    board: (u8, usize),
    stones: [u128; 2],
    to_move: Player,
    /// Bit i for cell i.
    left: u128,
}

impl FrameMustPlay {
    /// Must-play in positions that have taken `after` nodes or more.
    pub(crate) const fn new(after: u64) -> Self {
        Self { after, known: Vec::new() }
    }

    pub(crate) const fn after(&self) -> u64 {
        self.after
    }

    /// Removes the moves that lose by a frame.
    pub(crate) fn prune<W: Word>(&mut self, game: &SmallPosition<W>, work: u64, moves: &mut Vec<Cell>) {
        if work < self.after {
            return;
        }
        self.known.resize(SLOTS, None);
        let board = (game.board().size(), size_of::<W>());
        let stones = Player::BOTH.map(|player| game.side(player).stones.wide());
        let to_move = game.to_move();
        let [white, black] = stones.map(|stones| stones as u64 ^ (stones >> 64) as u64);
        let slot = stonework_game::scatter(white ^ stonework_game::scatter(black)) as usize % SLOTS;
        let same = |known: &Known| known.board == board && known.stones == stones && known.to_move == to_move;
        let left = if let Some(known) = self.known[slot].filter(same) {
            known.left
        } else {
            let left = left(game);
            self.known[slot] = Some(Known { board, stones, to_move, left });
            left
        };
        moves.retain(|mv| left >> mv.index() & 1 != 0);
    }
}

/// The cells that must-play leaves; all cells where there is no must-play. Boards to size 6 have 91 cells.
fn left<W: Word>(game: &SmallPosition<W>) -> u128 {
    let must = game.position().ok().and_then(|position| MustPlay::of(&position, &BUDGET).ok());
    must.map_or(u128::MAX, |must| must.cells().iter().fold(0, |left, cell| left | 1 << cell.index()))
}
