//! The slow judge of Cachex: the rules of its referee, one after the other, on a list of lists.
//!
//! The judge is written from the rules alone and independent of `stonework-cachex`, with which it shares only the words
//! for moves and endings. It has its own board and its own neighbours, and remembers whole boards.

use std::collections::HashSet;

use stonework_board::Cell;
use stonework_cachex::{Ending, MAX_SIZE, MIN_SIZE, Move, Options, SetupError};
use stonework_game::{Game, Outcome, Player};

/// A board: `board[r][q]`.
pub type CachexBoard = Vec<Vec<Option<Player>>>;

/// The six steps, in their order around a cell.
const STEPS: [(i32, i32); 6] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];

/// The stone on a cell; `None` for an empty cell and outside the board.
fn look(board: &CachexBoard, (r, q): (i32, i32)) -> Option<Player> {
    let row = board.get(usize::try_from(r).ok()?)?;
    *row.get(usize::try_from(q).ok()?)?
}

fn plus((r, q): (i32, i32), (dr, dq): (i32, i32)) -> (i32, i32) {
    (r + dr, q + dq)
}

/// The stones that a stone of `player` at `p` captures, with the stone on the board already: the union of the twelve
/// patterns, in the order of rows and columns.
#[must_use]
pub fn cachex_captures(board: &CachexBoard, player: Player, p: (i32, i32)) -> Vec<(i32, i32)> {
    let mut taken = Vec::new();
    for i in 0..6 {
        for d in [1, 2] {
            let (one, other) = (STEPS[i], STEPS[(i + 6 - d) % 6]);
            let (a, b, o) = (plus(p, one), plus(p, other), plus(plus(p, one), other));
            let enemy = Some(player.other());
            if look(board, a) == enemy && look(board, b) == enemy && look(board, o) == Some(player) {
                taken.extend([a, b]);
            }
        }
    }
    taken.sort_unstable();
    taken.dedup();
    taken
}

/// `true` if the chain of the stone at `p` touches both sides of the board that its player connects: r = 0 and r = n −
/// 1 for red, q = 0 and q = n − 1 for blue.
#[must_use]
pub fn cachex_connects(board: &CachexBoard, p: (i32, i32)) -> bool {
    let Some(player) = look(board, p) else { return false };
    let mut chain = HashSet::from([p]);
    let mut frontier = vec![p];
    while let Some(cell) = frontier.pop() {
        for next in STEPS.map(|step| plus(cell, step)) {
            if look(board, next) == Some(player) && chain.insert(next) {
                frontier.push(next);
            }
        }
    }
    let along = |&(r, q): &(i32, i32)| if player == Player::First { r } else { q };
    let last = board.len() as i32 - 1;
    chain.iter().any(|c| along(c) == 0) && chain.iter().any(|c| along(c) == last)
}

/// A Cachex game that remembers all its boards.
///
/// ```
/// use stonework_cachex::{Ending, Move, Options};
/// use stonework_board::Cell;
/// use stonework_game::{Game, Player};
/// use stonework_oracle::CachexJudge;
/// let mut judge = CachexJudge::new(3, Options::default())?;
/// for number in [0, 1, 3, 7, 6] {
///     judge.play(Move::Place(Cell::new(number).unwrap()))?;
/// }
/// assert_eq!(judge.ending(), Some(Ending::Connection(Player::First)));
/// assert_eq!(judge.rows(), "rb./r../rb.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CachexJudge {
    options: Options,
    /// The boards from the empty one to the present one: one more than the number of turns.
    boards: Vec<CachexBoard>,
    ending: Option<Ending>,
}

/// The reason why the judge of Cachex refuses a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CachexRefused {
    /// The cell is taken or not on the board, or the move is the centre on the first turn.
    #[error("{0:?} is taken, off the board, or the centre on the first turn")]
    Cell(Cell),
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// A steal that is not blue's first action.
    #[error("no steal now")]
    Steal,
}

impl CachexJudge {
    /// The empty board of a size from 3 to 15.
    ///
    /// # Errors
    /// [`SetupError::Size`] for another size.
    pub fn new(size: u8, options: Options) -> Result<Self, SetupError> {
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(SetupError::Size { size });
        }
        let n = usize::from(size);
        Ok(Self { options, boards: vec![vec![vec![None; n]; n]], ending: None })
    }

    /// The present board.
    ///
    /// # Panics
    /// Never: the game always has a board.
    #[must_use]
    pub fn board(&self) -> &CachexBoard {
        self.boards.last().unwrap_or_else(|| unreachable!("the first board is never taken back"))
    }

    /// The number of turns, a steal included.
    #[must_use]
    pub const fn turns(&self) -> usize {
        self.boards.len() - 1
    }

    /// The number of occurrences of the present board.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        self.boards.iter().filter(|&board| board == self.board()).count()
    }

    /// The reason for the end of the game; `None` if the game goes on.
    #[must_use]
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The board as text: rows from r = 0, each from q = 0, `.` `r` `b`, joined by `/`.
    #[must_use]
    pub fn rows(&self) -> String {
        let letter = |stone: &Option<Player>| match stone {
            None => '.',
            Some(Player::First) => 'r',
            Some(Player::Second) => 'b',
        };
        self.board().iter().map(|row| row.iter().map(letter).collect()).collect::<Vec<String>>().join("/")
    }

    fn place_of(&self, cell: Cell) -> (i32, i32) {
        let n = self.board().len();
        ((cell.index() / n) as i32, (cell.index() % n) as i32)
    }

    fn may_place(&self, cell: Cell) -> bool {
        let n = self.board().len();
        let (r, q) = self.place_of(cell);
        let centre = 2 * r == n as i32 - 1 && r == q;
        cell.index() < n * n && look(self.board(), (r, q)).is_none() && !(centre && self.turns() == 0)
    }

    /// The board after a steal: red (r, q) becomes blue (q, r), and blue becomes red in the same way.
    fn stolen(&self) -> CachexBoard {
        let n = self.board().len();
        let swapped = |r: usize, q: usize| self.board()[q][r].map(Player::other);
        (0..n).map(|r| (0..n).map(|q| swapped(r, q)).collect()).collect()
    }
}

impl Game for CachexJudge {
    type Move = Move;
    type Undo = ();
    type Illegal = CachexRefused;

    fn to_move(&self) -> Player {
        if self.turns().is_multiple_of(2) { Player::First } else { Player::Second }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ending.map(Ending::outcome)
    }

    fn legal_moves(&self, out: &mut impl Extend<Move>) {
        if self.ending.is_none() {
            let n = self.board().len();
            let cells = (0..n * n).filter_map(Cell::new).filter(|&cell| self.may_place(cell));
            out.extend(cells.map(Move::Place));
            out.extend((self.turns() == 1).then_some(Move::Steal));
        }
    }

    fn check(&self, mv: Move) -> Result<(), CachexRefused> {
        match mv {
            _ if self.ending.is_some() => Err(CachexRefused::Over),
            Move::Place(cell) if !self.may_place(cell) => Err(CachexRefused::Cell(cell)),
            Move::Steal if self.turns() != 1 => Err(CachexRefused::Steal),
            _ => Ok(()),
        }
    }

    fn play_unchecked(&mut self, mv: Move) {
        let mover = self.to_move();
        let (board, won) = match mv {
            Move::Steal => (self.stolen(), false),
            Move::Place(cell) => {
                let mut board = self.board().clone();
                let (r, q) = self.place_of(cell);
                board[r as usize][q as usize] = Some(mover);
                for (r, q) in cachex_captures(&board, mover, (r, q)) {
                    board[r as usize][q as usize] = None;
                }
                let won = cachex_connects(&board, (r, q));
                (board, won)
            }
        };
        self.boards.push(board);
        if won {
            self.ending = Some(Ending::Connection(mover));
        } else if self.occurrences() >= usize::from(self.options.repetition) {
            self.ending = Some(Ending::Repetition);
        } else if self.turns() >= usize::from(self.options.turns) {
            self.ending = Some(Ending::TurnLimit);
        }
    }

    fn undo(&mut self, (): ()) {
        self.boards.pop();
        self.ending = None;
    }
}
