//! [`Frame`]: the board in the coordinates of one player, for measures from side to side.

use stonework_board::Cell;
use stonework_cachex::Position;
use stonework_game::Player;

/// The columns of the padded board: 15 cells and a blocked place at either end.
const WIDTH: usize = 17;
/// The number of places of the padded board.
pub(super) const AREA: usize = WIDTH * WIDTH;
/// The number of cells of the largest board.
pub(super) const CELLS: usize = 225;

/// The six neighbours in a ring, as steps on the padded board; rows grow upwards. The cell beyond neighbours i − 1 and
/// i is the sum of their steps.
pub(super) const STEPS: [isize; 6] =
    [WIDTH as isize - 1, WIDTH as isize, 1, 1 - WIDTH as isize, -(WIDTH as isize), -1];

/// The content of a cell, for the player of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum State {
    Empty,
    Own,
    /// A stone of the opponent, or a place beside the board.
    Blocked,
}

/// The board in a player's own frame, in which the player connects the rows 0 and n − 1: the board for red, the
/// transposed board for blue. So a measure for blue equals the same measure for red with colours and sides exchanged,
/// to the last bit.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) size: usize,
    player: Player,
    pub(super) states: [State; AREA],
}

/// The place one step from a cell; the cell must not be on the rim of the padded board.
#[inline]
pub(super) const fn step(from: usize, step: isize) -> usize {
    from.wrapping_add_signed(step)
}

impl Frame {
    pub(super) const fn new(player: Player) -> Self {
        Self { size: 0, player, states: [State::Blocked; AREA] }
    }

    /// The padded board's number of a cell of this frame.
    #[inline]
    pub(super) const fn at(row: usize, column: usize) -> usize {
        (row + 1) * WIDTH + column + 1
    }

    /// Copies the stones of a position into the frames of both players, red first.
    pub(super) fn load([red, blue]: &mut [Self; 2], game: &Position) {
        let size = usize::from(game.size());
        for frame in [&mut *red, &mut *blue] {
            if frame.size != size {
                (frame.size, frame.states) = (size, [State::Blocked; AREA]);
            }
        }
        for (index, cell) in game.board().cells().enumerate() {
            let (row, column) = (index / size, index % size);
            let states = match game.stone(cell) {
                None => [State::Empty; 2],
                Some(Player::First) => [State::Own, State::Blocked],
                Some(Player::Second) => [State::Blocked, State::Own],
            };
            red.states[Self::at(row, column)] = states[0];
            blue.states[Self::at(column, row)] = states[1];
        }
    }

    /// Both frames of a position.
    pub(super) fn both(game: &Position) -> [Self; 2] {
        let mut frames = Player::BOTH.map(Self::new);
        Self::load(&mut frames, game);
        frames
    }

    /// The frame of one player.
    pub(super) fn of(game: &Position, player: Player) -> Self {
        let [red, blue] = Self::both(game);
        match player {
            Player::First => red,
            Player::Second => blue,
        }
    }

    /// The cells of the board by rows, as numbers on the padded board.
    #[inline]
    pub(super) fn cells(&self) -> impl Iterator<Item = usize> + use<> {
        let size = self.size;
        (0..size).flat_map(move |row| {
            let first = Self::at(row, 0);
            first..first + size
        })
    }

    /// The row and the column of a cell, in the frame.
    #[inline]
    pub(super) const fn place(at: usize) -> (usize, usize) {
        (at / WIDTH - 1, at % WIDTH - 1)
    }

    /// The number of a cell of the board, in the position's own order.
    #[inline]
    pub(super) const fn index(&self, at: usize) -> usize {
        let (row, column) = Self::place(at);
        match self.player {
            Player::First => row * self.size + column,
            Player::Second => column * self.size + row,
        }
    }

    /// The cell of the position's board.
    pub(super) fn cell(&self, at: usize) -> Cell {
        let index = self.index(at);
        Cell::new(index).unwrap_or_else(|| unreachable!("{index} is on no board"))
    }

    #[inline]
    pub(super) fn is(&self, at: usize, state: State) -> bool {
        self.states[at] == state
    }
}

#[cfg(test)]
mod tests {
    use stonework_cachex::Setup;

    use super::*;

    #[test]
    fn frames_are_the_board_and_its_transposition() {
        let game = Setup::from_rows("r.b./..../.rr./b...", 6).unwrap().position().unwrap();
        let frames = Frame::both(&game);
        for (frame, player) in frames.iter().zip(Player::BOTH) {
            assert_eq!(frame.cells().count(), 16);
            for at in frame.cells() {
                let state = match game.stone(frame.cell(at)) {
                    None => State::Empty,
                    Some(owner) if owner == player => State::Own,
                    Some(_) => State::Blocked,
                };
                assert_eq!(frame.states[at], state);
                let near: Vec<_> = STEPS
                    .map(|s| step(at, s))
                    .into_iter()
                    .filter(|&n| frame.cells().any(|at| at == n))
                    .map(|n| frame.cell(n))
                    .collect();
                assert_eq!(near.len(), game.board().neighbours(frame.cell(at)).count());
                assert!(game.board().neighbours(frame.cell(at)).all(|n| near.contains(&n)));
            }
        }
        let at = Frame::at(0, 2);
        assert_eq!((frames[0].index(at), frames[1].index(at), Frame::place(at)), (2, 8, (0, 2)));
    }
}
