//! The winning cells of both sides, updated move by move.

use stonework_game::Player;

use crate::chains::{Chains, Joint, Placed};
use crate::tables::{ALL_SIX, BESIDE, CONNECTED, Place, pattern_bit};

/// The winning cells of both sides.
///
/// A winning cell stays a winning cell until it is taken. So a move adds cells to the sets, and removes only its own
/// cell. `since` has the move that added a cell, and undo removes the cells of the last move.
#[derive(Clone, Debug)]
pub(crate) struct Wins {
    /// The words of each row, one for each side.
    rows: Box<[[u64; 2]]>,
    /// The number of stones on the board when a cell joined its set, by `2·cell + side`.
    since: Box<[u16]>,
    count: [u16; 2],
}

/// A stone of a player on a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stone {
    pub(crate) player: Player,
    pub(crate) cell: usize,
}

/// The undo record of [`Wins::played`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    /// The number of cells that joined the mover's set.
    added: u16,
    /// For each player, `true` if the cell of the stone was in the player's set.
    taken: [bool; 2],
}

impl Wins {
    pub(crate) fn new(chains: &Chains) -> Self {
        let tables = chains.tables;
        let rows = vec![[0; 2]; tables.full.len()].into();
        Self { rows, since: vec![0; 2 * tables.board.len()].into(), count: [0; 2] }
    }

    /// The winning cells of a side in a row.
    #[inline]
    pub(crate) fn word(&self, player: Player, row: usize) -> u64 {
        self.rows[row][player.index()]
    }

    /// The number of winning cells of a side.
    #[inline]
    pub(crate) const fn count(&self, player: Player) -> u16 {
        self.count[player.index()]
    }

    #[inline]
    pub(crate) fn contains(&self, player: Player, place: &Place) -> bool {
        self.word(player, place.row.into()) >> place.bit & 1 != 0
    }

    /// Updates the sets after a stone, the `stones`-th on the board, with the `joint` before it and the record of
    /// [`Chains::place`].
    ///
    /// Only these cells can be new winning cells: the empty neighbours of the stone; the cells of `around`; and the sixth
    /// neighbour of a cell beside the stone that has five own neighbours. A lone stone off the rim makes no winning cell.
    pub(crate) fn played(
        &mut self,
        chains: &mut Chains,
        stone: Stone,
        joint: &Joint,
        placed: &Placed,
        stones: u16,
    ) -> Change {
        let Stone { player, cell } = stone;
        let place = &chains.tables.places[cell];
        let mut taken = [false; 2];
        if self.count != [0; 2] {
            taken = Player::BOTH.map(|p| self.take(p, place));
        }
        if joint.runs == 0 && joint.mask == 0 {
            return Change { added: 0, taken };
        }
        let before = self.count[player.index()];
        let notable = chains.notable(player, cell);
        let mut bits = notable | place.rim_around & chains.empty_pattern(cell);
        while bits != 0 {
            let d = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let neighbour = usize::from(place.neighbours[d]);
            let beside = &chains.tables.places[neighbour];
            // A cell beside only the stone's chain wins only by the corners and edges of the cell and the chain
            // together.
            let touched = usize::from((beside.rim | joint.mask) & 0xfff);
            if notable & pattern_bit(d) != 0 || CONNECTED[touched] {
                self.test(chains, player, neighbour, stones);
            }
            // The cells around joined chains are tested below; the test of this cell is done.
            chains.leave_out(beside);
        }
        if joint.runs != 0 && chains.five(placed) {
            self.test_sixths(chains, player, cell, stones);
        }
        while let Some((row, mut bits)) = chains.take_around() {
            while bits != 0 {
                self.test(chains, player, chains.cell_at(row, bits.trailing_zeros()), stones);
                bits &= bits - 1;
            }
        }
        Change { added: self.count[player.index()] - before, taken }
    }

    /// Tests the sixth neighbours of cells beside the stone that have five own neighbours. Such a cell lies beside another own
    /// neighbour of the stone.
    fn test_sixths(&mut self, chains: &Chains, player: Player, cell: usize, stones: u16) {
        let places = &chains.tables.places;
        let own = chains.pattern(player, cell);
        let mut bits = BESIDE[usize::from(own & ALL_SIX)] & places[cell].inside;
        while bits != 0 {
            let d = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let neighbour = usize::from(places[cell].neighbours[d]);
            let missing = chains.pattern(player, neighbour) ^ ALL_SIX;
            if missing.is_power_of_two() {
                let sixth = usize::from(places[neighbour].neighbours[missing.trailing_zeros() as usize]);
                if chains.is_empty(&places[sixth]) {
                    self.test(chains, player, sixth, stones);
                }
            }
        }
    }

    /// Removes the cell of the stone from a set. Returns `true` if the cell was in the set.
    fn take(&mut self, player: Player, place: &Place) -> bool {
        let had = self.contains(player, place);
        if had {
            self.rows[usize::from(place.row)][player.index()] &= !(1 << place.bit);
            self.count[player.index()] -= 1;
        }
        had
    }

    /// Adds an empty cell if it wins and is not in the set yet.
    #[inline]
    fn test(&mut self, chains: &Chains, player: Player, cell: usize, stones: u16) {
        if chains.wins(player, cell) {
            let place = &chains.tables.places[cell];
            if !self.contains(player, place) {
                self.add(player, cell, place, stones);
            }
        }
    }

    #[cold]
    fn add(&mut self, player: Player, cell: usize, place: &Place, stones: u16) {
        self.rows[usize::from(place.row)][player.index()] |= 1 << place.bit;
        self.since[2 * cell + player.index()] = stones;
        self.count[player.index()] += 1;
    }

    /// Undoes [`Wins::played`] with the same arguments.
    pub(crate) fn taken_back(&mut self, chains: &Chains, stone: Stone, change: Change, stones: u16) {
        let Stone { player, cell } = stone;
        if change.added > 0 {
            for row in 1..chains.tables.full.len() - 1 {
                let word = self.word(player, row);
                let mut bits = word;
                while bits != 0 {
                    let bit = bits.trailing_zeros();
                    bits &= bits - 1;
                    if self.since[2 * chains.cell_at(row, bit) + player.index()] == stones {
                        self.rows[row][player.index()] &= !(1 << bit);
                    }
                }
            }
            self.count[player.index()] -= change.added;
        }
        let place = &chains.tables.places[cell];
        for player in Player::BOTH {
            if change.taken[player.index()] {
                self.rows[usize::from(place.row)][player.index()] |= 1 << place.bit;
                self.count[player.index()] += 1;
            }
        }
    }
}
