//! The slow judge of Cover: the numbered rules, one after the other, on lists of stones.
//!
//! The judge is written from the rules alone and independent of `stonework-cover`, with which it shares only the words
//! for moves and options. It has its own geometry, and remembers every board of the game.

use stonework_board::{Cell, Heading};
use stonework_cover::{MAX_SIZE, MIN_SIZE, Move, Options, Repetition, SetupError};
use stonework_game::{Game, Outcome, Player};

/// A location (a, b), from 1.
pub type CoverPlace = (i32, i32);

/// The stones of a board with their owners, sorted.
pub type CoverBoard = Vec<(Player, CoverPlace)>;

/// The eight steps, with their changes of (a, b).
const STEPS: [(Heading, CoverPlace); 8] = [
    (Heading::Up, (1, 1)),
    (Heading::Down, (-1, -1)),
    (Heading::Left, (1, -1)),
    (Heading::Right, (-1, 1)),
    (Heading::UpLeft, (1, 0)),
    (Heading::UpRight, (0, 1)),
    (Heading::DownLeft, (0, -1)),
    (Heading::DownRight, (-1, 0)),
];

/// Rule G2: `true` for a location whose stone is vertical.
fn vertical((a, b): CoverPlace) -> bool {
    (a + b) % 2 == 0
}

/// Rule G3: the intersections (d, s) that a stone covers.
fn covers((a, b): CoverPlace) -> [(i32, i32); 2] {
    let (d, s) = (b - a, a + b);
    if vertical((a, b)) { [(d, s - 1), (d, s + 1)] } else { [(d - 1, s), (d + 1, s)] }
}

/// Rule G4: the stone that covers an intersection.
fn on(board: &CoverBoard, point: (i32, i32)) -> Option<(Player, CoverPlace)> {
    board.iter().copied().find(|&(_, place)| covers(place).contains(&point))
}

/// The stones of both sides on the initial board of a size.
#[must_use]
pub fn cover_start(size: u8) -> CoverBoard {
    let (x, y) = (i32::from(size), 2 * i32::from(size) + 3);
    let mut board = CoverBoard::new();
    for (player, s) in [(Player::First, y - 3), (Player::Second, y + 5)] {
        for i in 0..x {
            let d = 4 * i - 2 * (x - 1);
            board.push((player, ((s - d) / 2, i32::midpoint(s, d))));
        }
    }
    board.sort_unstable();
    board
}

/// A Cover game that remembers all its boards.
///
/// ```
/// use stonework_cover::Options;
/// use stonework_game::{Game, Player};
/// use stonework_oracle::CoverJudge;
/// let mut judge = CoverJudge::new(4, Options::default())?;
/// let mv = judge.step((3, 5), (4, 6)).unwrap();                      // C05-D06
/// judge.play(mv)?;
/// assert!(judge.board().contains(&(Player::First, (4, 6))));
/// let mut moves = Vec::new();
/// judge.legal_moves(&mut moves);
/// assert_eq!((judge.to_move(), moves.len()), (Player::Second, 26));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoverJudge {
    size: u8,
    options: Options,
    first: Player,
    /// The boards from the first to the present one.
    boards: Vec<CoverBoard>,
    moves: Vec<(CoverPlace, CoverPlace)>,
}

/// The reason why the judge of Cover refuses a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CoverRefused {
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// A rule of moving, shooting or repetition forbids the move.
    #[error("{0:?} is not legal")]
    Move(Move),
}

impl CoverJudge {
    /// The initial board of a size from 1 to 10.
    ///
    /// # Errors
    /// [`SetupError::Size`] for another size.
    pub fn new(size: u8, options: Options) -> Result<Self, SetupError> {
        Self::from_board(size, options, cover_start(size), Player::First)
    }

    /// A game that begins on any board, without history. The board is not checked.
    ///
    /// # Errors
    /// [`SetupError::Size`] for a size that is not 1 to 10.
    pub fn from_board(
        size: u8,
        options: Options,
        mut board: CoverBoard,
        to_move: Player,
    ) -> Result<Self, SetupError> {
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(SetupError::Size { size });
        }
        board.sort_unstable();
        Ok(Self { size, options, first: to_move, boards: vec![board], moves: Vec::new() })
    }

    /// Rule G1: the largest coordinate.
    fn side(&self) -> i32 {
        2 * i32::from(self.size) + 3
    }

    /// The present board.
    #[must_use]
    pub fn board(&self) -> &CoverBoard {
        self.boards.last().unwrap_or_else(|| unreachable!("the first board is never taken back"))
    }

    /// Rule G5: the homebase of a side, which the other side wants to reach.
    fn home(&self, player: Player) -> CoverPlace {
        if player == Player::First { (1, 1) } else { (self.side(), self.side()) }
    }

    /// The move from one location to another, if it is one step.
    #[must_use]
    pub fn step(&self, from: CoverPlace, to: CoverPlace) -> Option<Move> {
        let delta = (to.0 - from.0, to.1 - from.1);
        let heading = STEPS.iter().find(|(_, step)| *step == delta)?.0;
        let index = (from.0 - 1) * self.side() + from.1 - 1;
        Some(Move::new(Cell::new(usize::try_from(index).ok()?)?, heading))
    }

    /// The first and the last location of a move.
    fn places(&self, mv: Move) -> (CoverPlace, CoverPlace) {
        let index = mv.from.index() as i32;
        let (a, b) = (index / self.side() + 1, index % self.side() + 1);
        let (da, db) = STEPS[mv.heading as usize].1;
        ((a, b), (a + da, b + db))
    }

    /// The board after a move, and `true` if the move has hit a stone; `None` if the rules of moving and shooting
    /// forbid the move.
    fn after(&self, mv: Move) -> Option<(CoverBoard, bool)> {
        let (mover, (from, to)) = (self.to_move(), self.places(mv));
        let mut board = self.board().clone();
        let at = board.iter().position(|&stone| stone == (mover, from))?;
        // M2: the mover's own intersections count as free.
        board.remove(at);
        let inside = |n: i32| (1..=self.side()).contains(&n);
        if !inside(to.0) || !inside(to.1) || to == self.home(mover) {
            return None;
        }
        let step = (to.0 - from.0, to.1 - from.1);
        let upright = step.0 == step.1;
        let lengthwise = step.0 != 0 && step.1 != 0 && upright == vertical(from);
        // S1, S2: the shot goes from the new intersection of the destination to the edge, or to the first stone.
        let mut hit = None;
        if lengthwise {
            let direction = (step.1 - step.0, step.0 + step.1);
            let mut point = covers(to).into_iter().find(|point| !covers(from).contains(point))?;
            while point.1 >= 1 && point.1 <= 2 * self.side() + 1 && point.0.abs() < self.side() {
                if let Some((owner, place)) = on(&board, point) {
                    hit = (owner != mover && vertical(place) != vertical(from)).then_some((owner, place));
                    break;
                }
                point = (point.0 + direction.0, point.1 + direction.1);
            }
        }
        if mv.holds_fire {
            // A move without its shot is allowed only if there is a hit and the options allow voluntary shots.
            if hit.is_none() || !self.options.voluntary_shots {
                return None;
            }
            hit = None;
        }
        // S3: the stone that is hit does not block.
        board.retain(|&stone| Some(stone) != hit);
        if covers(to).into_iter().any(|point| on(&board, point).is_some()) {
            return None;
        }
        board.push((mover, to));
        board.sort_unstable();
        Some((board, hit.is_some()))
    }

    /// `true` if rule R1 or its variants forbid the board that the move leads to.
    fn repeats(&self, mv: Move, board: &CoverBoard) -> bool {
        let back = |plies: usize| self.boards.len().checked_sub(plies).map(|i| &self.boards[i]);
        match self.options.repetition {
            Repetition::None => false,
            Repetition::FourPlies => back(4) == Some(board),
            Repetition::EightPlies => (1..=8).any(|plies| back(plies) == Some(board)),
            Repetition::Any => self.boards.contains(board),
            Repetition::FourPliesByMoves => {
                let [.., before, mine, theirs] = self.moves.as_slice() else { return false };
                let turned = |&(from, to): &(CoverPlace, CoverPlace)| (to, from);
                *theirs == turned(before) && self.places(mv) == turned(mine)
            }
        }
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.after(mv).is_some_and(|(board, _)| !self.repeats(mv, &board))
    }

    /// The moves that the rules allow, also after the end of the game.
    fn allowed(&self) -> impl Iterator<Item = Move> + '_ {
        let mover = self.to_move();
        let own = self.board().iter().filter(move |(owner, _)| *owner == mover);
        let steps = own.flat_map(|&(_, (a, b))| STEPS.map(|(_, (da, db))| ((a, b), (a + da, b + db))));
        let held = self.options.voluntary_shots;
        let ways = steps.filter_map(|(from, to)| self.step(from, to));
        let ways = ways.flat_map(move |mv| [Some(mv), held.then(|| mv.holding())]);
        ways.flatten().filter(|&mv| self.is_legal(mv))
    }
}

impl Game for CoverJudge {
    type Move = Move;
    type Undo = ();
    type Illegal = CoverRefused;

    fn to_move(&self) -> Player {
        if self.moves.len().is_multiple_of(2) { self.first } else { self.first.other() }
    }

    /// Rules E1 to E3, from the whole board.
    fn outcome(&self) -> Option<Outcome> {
        let mover = self.to_move();
        let lost = |player: Player| {
            let theirs = (player.other(), self.home(player));
            self.board().contains(&theirs) || !self.board().iter().any(|&(owner, _)| owner == player)
        };
        let loser = if lost(mover) || (!lost(mover.other()) && self.allowed().next().is_none()) {
            Some(mover)
        } else {
            lost(mover.other()).then(|| mover.other())
        };
        loser.map(|loser| Outcome::Win(loser.other()))
    }

    fn legal_moves(&self, out: &mut impl Extend<Move>) {
        if self.outcome().is_none() {
            out.extend(self.allowed());
        }
    }

    fn check(&self, mv: Move) -> Result<(), CoverRefused> {
        match self.outcome() {
            Some(_) => Err(CoverRefused::Over),
            None if self.is_legal(mv) => Ok(()),
            None => Err(CoverRefused::Move(mv)),
        }
    }

    fn play_unchecked(&mut self, mv: Move) {
        let board = self.after(mv).map_or_else(|| self.board().clone(), |(board, _)| board);
        let places = self.places(mv);
        self.boards.push(board);
        self.moves.push(places);
    }

    fn undo(&mut self, (): ()) {
        self.boards.pop();
        self.moves.pop();
    }
}
