//! [`FrameMustPlay`]: the moves that lose by a frame of the opponent, remembered by position.

use stonework_board::Cell;
use stonework_game::{Game, Player};
use stonework_havannah_analysis::{FrameBudget, LinkBudget, MustPlay};

use crate::small_position::SmallPosition;
use crate::word::{Widest, Word};

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
    stones: [Widest; 2],
    to_move: Player,
    /// Bit i for cell i.
    left: Widest,
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
        let [white, black] =
            stones.map(|stones| (0..Widest::PARTS).fold(0, |folded, part| folded ^ stones.part(part)));
        let slot = stonework_game::scatter(white ^ stonework_game::scatter(black)) as usize % SLOTS;
        let same = |known: &Known| known.board == board && known.stones == stones && known.to_move == to_move;
        let left = if let Some(known) = self.known[slot].filter(same) {
            known.left
        } else {
            let left = left(game);
            self.known[slot] = Some(Known { board, stones, to_move, left });
            left
        };
        moves.retain(|mv| !(left & Word::bit(mv.index() as u32)).is_empty());
    }
}

/// The cells that must-play leaves, by their numbers; all cells where there is no must-play. Boards to size 10 have 271 cells.
fn left<W: Word>(game: &SmallPosition<W>) -> Widest {
    let must = game.position().ok().and_then(|position| MustPlay::of(&position, &BUDGET).ok());
    must.map_or(!Widest::NONE, |must| {
        must.cells().iter().fold(Widest::NONE, |left, cell| left | Word::bit(cell.index() as u32))
    })
}
