//! [`Race`]: which side completes its formation first.

mod search;

use stonework_board::Cell;
use stonework_game::{ByPlayer, Game, Player};
use stonework_havannah::Position;

use crate::error::in_play;
use crate::{AnalysisError, Frame, FrameBudget, Frames, LinkBudget};
use search::Tree;

/// The answer of a [`Race`] for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RaceAnswer {
    /// The side to move wins.
    Won,
    /// The side to move loses, whatever it plays.
    Lost,
    /// Not known within the budget. The side to move may win, lose or draw.
    Open,
}

/// The limits of the search for the winner of a race. A budget that is too low leaves a race open, and never makes a
/// wrong answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RaceBudget {
    /// The limits of the search for frames at each position.
    pub frames: FrameBudget,
    /// The most positions to look at for each side, 1 or more. The search holds at most 80 bytes for each cell of the
    /// board and each position, besides the frames of one position.
    pub positions: u64,
}

/// The default is 100 positions, with links of at most 4 cells, 4 of a pair; otherwise the default limits of frames. Larger
/// links decide about as many races, and take two to eight times as long (`docs/lab/analysis.md`).
impl Default for RaceBudget {
    fn default() -> Self {
        let links = LinkBudget { carrier: 4, per_pair: 4, ..LinkBudget::default() };
        Self { frames: FrameBudget { links, ..FrameBudget::default() }, positions: 100 }
    }
}

/// The race of both sides for the first formation: won, lost, or open for the side to move.
///
/// [`Frames::proven`] counts: a frame wins if its owner is faster, and never has to answer a threat. A race takes threats
/// into account. A *threat* is a stone after which the same side wins at once unless the opponent takes one cell. It
/// gains the time of a move, may take a cell that the opponent needs, and may break a link of the opponent's frame.
///
/// The search asks for each side whether it wins, the *attacker*, whatever the other side, the *defender*, plays:
///
/// - the attacker tries the cell that it must block; otherwise its threats, the moves of its frames and half-frames and,
///   beside a frame, the cells on which the defender comes nearer to a win;
/// - the defender has the cell that it must block; otherwise all cells of [`MustPlay`](crate::MustPlay), as any other cell
///   loses;
/// - a line ends with a win in one, with two winning cells at once, or with frames that win by count.
///
/// So a pure threat sequence is a race too. The answers *won* and *lost* are sure. The [`estimate`](Race::estimate) of an
/// open race only counts moves.
///
/// ```
/// use stonework_game::Textual;
/// use stonework_havannah::Position;
/// use stonework_havannah_analysis::{Race, RaceAnswer, RaceBudget};
/// // White has a bridge frame from d1 to a4 that needs two moves. Black threatens g7.
/// let position = Position::parse_position("4 w - ...w/..w../ww..../w....../....../...../bbb.")?;
/// let race = Race::of(&position, &RaceBudget::default())?;
/// assert_eq!(race.answer(), RaceAnswer::Won);
/// // White answers on g7. Now its frame is faster than anything that Black has.
/// assert_eq!(race.line(), [position.board().parse("g7")?]);
/// assert_eq!(race.frame().map(|frame| frame.moves), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Race {
    player: Player,
    answer: RaceAnswer,
    line: Vec<Cell>,
    frame: Option<Frame>,
    moves: ByPlayer<Option<u16>>,
    positions: u64,
    complete: bool,
}

impl Race {
    /// The race in a position, searched within the budget.
    ///
    /// As costly as [`MustPlay::of`](crate::MustPlay::of) for each position that the search looks at.
    ///
    /// # Errors
    /// An error if the game is over, if a swap may still come, or if a limit of the budget is too low.
    pub fn of(position: &Position, budget: &RaceBudget) -> Result<Self, AnalysisError> {
        in_play(position)?;
        if budget.positions == 0 {
            return Err(AnalysisError::Budget { what: "positions", given: 0, least: 1 });
        }
        let player = position.to_move();
        let mut race = Self {
            player,
            answer: RaceAnswer::Open,
            line: Vec::new(),
            frame: None,
            moves: ByPlayer::new(None, None),
            positions: 0,
            complete: true,
        };
        for owner in Player::BOTH {
            let frames = Frames::of(position, owner, &budget.frames)?;
            race.moves[owner] = frames.all().iter().map(|frame| frame.moves).min();
        }
        for (attacker, answer) in [(player, RaceAnswer::Won), (player.other(), RaceAnswer::Lost)] {
            let mut tree = Tree::new(position, attacker, &budget.frames);
            let won = tree.run(budget.positions)?;
            race.positions += tree.positions;
            if won {
                race.answer = answer;
                race.complete = true;
                (race.line, race.frame) = tree.line();
                break;
            }
            race.complete &= tree.complete;
        }
        Ok(race)
    }

    /// The side to move.
    #[must_use]
    pub const fn player(&self) -> Player {
        self.player
    }

    /// The answer for the side to move.
    #[must_use]
    pub const fn answer(&self) -> RaceAnswer {
        self.answer
    }

    /// The side that wins; `None` if the race is open.
    #[must_use]
    pub const fn winner(&self) -> Option<Player> {
        match self.answer {
            RaceAnswer::Won => Some(self.player),
            RaceAnswer::Lost => Some(self.player.other()),
            RaceAnswer::Open => None,
        }
    }

    /// The moves of both sides, in turn, until the win is plain: it is on the board, the winner has two winning cells at
    /// once, or frames win by count. The line is the longest of the loser's choices. It is empty if a frame wins by
    /// count now, and in an open race.
    #[must_use]
    pub fn line(&self) -> &[Cell] {
        &self.line
    }

    /// The winner's frame after the [`line`](Race::line), which wins by count; `None` if the line ends with a win, with two
    /// winning cells, or with several frames of which each refutes other moves.
    #[must_use]
    pub const fn frame(&self) -> Option<&Frame> {
        self.frame.as_ref()
    }

    /// The fewest moves of a frame or half-frame of a side; `None` if the side has none.
    #[must_use]
    pub fn moves(&self, player: Player) -> Option<u16> {
        self.moves[player]
    }

    /// The side that is first by an estimate: the side with fewer [`moves`](Race::moves), of equals the side to move. `None` if
    /// no side has a frame. The
    /// estimate may be wrong, also where the [`winner`](Race::winner) is known.
    #[must_use]
    pub fn estimate(&self) -> Option<Player> {
        let [own, other] =
            [self.player, self.player.other()].map(|player| self.moves[player].unwrap_or(u16::MAX));
        match (own, other) {
            (u16::MAX, u16::MAX) => None,
            _ if own <= other => Some(self.player),
            _ => Some(self.player.other()),
        }
    }

    /// The number of positions that the search looked at.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        self.positions
    }

    /// `true` if the race is decided, or no limit but the limit of a carrier's size has left it open.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.complete
    }
}
