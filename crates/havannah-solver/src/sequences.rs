//! [`Sequences`]: threat sequences and must-play in positions of any size.

use arrayvec::ArrayVec;
use stonework_board::{Cell, CellSet};
use stonework_game::{Game, Player};
use stonework_havannah::{Move, Position};
use stonework_search::{Effort, ProofTactics, Tactics, Verdict};

use crate::Threats;

/// The largest number of the attacker's moves in a sequence.
const LONGEST: usize = 12;

/// The most positions that a search may visit on account of visits.
const MOST: u32 = 1024;

/// The attacker's moves of a sequence.
type Line = ArrayVec<Cell, LONGEST>;

/// The verdicts of [`Threats`], and by [`study`](Tactics::study) those of threat sequences, for positions that a Monte-Carlo
/// tree visits often:
///
/// - the side to move has a threat sequence: it wins with the first move of the sequence;
/// - the opponent would have one with the turn: every move after which the sequence, played move by move, still wins is a loss.
///
/// A *threat sequence* is a row of at most twelve threats, each with one answer, that ends with two winning cells at once.
///
/// A search for a sequence visits at most [`budget`](Self::budget) positions, and one more for each 512 visits up to 1024 more.
/// It tries the empty cells within two steps of the attacker's stones: O(cells) moves a position, some microseconds. A budget
/// that is too low leaves verdicts out, and makes no wrong one.
///
/// ```
/// use stonework_game::Textual;
/// use stonework_havannah::Position;
/// use stonework_havannah_solver::Sequences;
/// use stonework_search::{Effort, Tactics, Verdict};
/// // White has no winning cell, but a stone on d1 makes two.
/// let mut position = Position::parse_position("4 w - w.w./...../ww..../.b...../....bw/..b.b/b...")?;
/// let d1 = Verdict::Win(position.parse_move("d1")?);
/// let mut sequences = Sequences::new();
/// assert_eq!(sequences.probe(&mut position, &mut Vec::new()), Verdict::Open);
/// assert_eq!(sequences.study(&mut position, &mut Effort::visits(0), &mut Vec::new()), d1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sequences {
    budget: u32,
}

impl Default for Sequences {
    fn default() -> Self {
        Self::new()
    }
}

impl Sequences {
    /// Sequences with a budget of 8 positions.
    #[must_use]
    pub const fn new() -> Self {
        Self { budget: 8 }
    }

    /// Sets the number of positions that each search for a sequence may visit, at least 1.
    #[must_use]
    pub const fn budget(mut self, positions: u32) -> Self {
        self.budget = positions;
        self
    }
}

impl Tactics<Position> for Sequences {
    fn probe(&mut self, game: &mut Position, only: &mut Vec<Move>) -> Verdict<Move> {
        Threats.probe(game, only)
    }

    fn study(&mut self, game: &mut Position, effort: &mut Effort, only: &mut Vec<Move>) -> Verdict<Move> {
        let verdict = self.probe(game, only);
        let opponent = game.to_move().other();
        if !matches!(verdict, Verdict::Open | Verdict::Only) || game.swap_enabled() {
            return verdict;
        }
        let budget = self.budget.saturating_add((effort.visits / 512).min(MOST));
        if let Some(first) = sequence(game, budget).first() {
            return Verdict::Win(Move::Place(*first));
        }
        // Against a winning cell there is one move, which the sequence of an opponent with the turn does not judge.
        if verdict == Verdict::Only {
            return verdict;
        }
        let mut passed = game.setup();
        passed.to_move = opponent;
        let Ok(mut passed) = passed.position() else { return verdict };
        let line = sequence(&mut passed, budget);
        if line.is_empty() {
            return verdict;
        }
        game.legal_moves(only);
        only.retain(|&mv| {
            let undo = game.play_unchecked(mv);
            let lost = still_wins(game, &line);
            game.undo(undo);
            !lost
        });
        if only.is_empty() { Verdict::Loss } else { Verdict::Only }
    }
}

impl ProofTactics<Position> for Sequences {}

/// A threat sequence of the side to move, which has no winning cell; no moves if the budget of positions finds none.
fn sequence(game: &mut Position, budget: u32) -> Line {
    let board = game.board();
    let near = |cell| board.around(cell).take(18).flatten();
    let reach: CellSet = game.stones(game.to_move()).into_iter().flat_map(near).collect();
    let mut line = Line::new();
    search(game, &reach, 0, &mut { budget }, &mut line);
    line.reverse();
    line
}

/// Searches for a sequence of the side to move, which has no winning cell. `reach` has the cells within two steps of its
/// stones; `line` receives the moves, the last one first. The recursion is at most [`LONGEST`] deep.
fn search(game: &mut Position, reach: &CellSet, ply: usize, budget: &mut u32, line: &mut Line) -> bool {
    if *budget == 0 || ply >= LONGEST {
        return false;
    }
    *budget -= 1;
    let me = game.to_move();
    let blocks = game.winning_cells(me.other());
    let tried = match game.winning_count(me.other()) {
        0 => *reach,
        1 => blocks,
        _ => return false,
    };
    let mut threats = CellSet::new();
    for cell in tried {
        if game.stone(cell).is_some() {
            continue;
        }
        let undo = game.play_unchecked(Move::Place(cell));
        let wins = game.winning_count(me);
        game.undo(undo);
        if wins > 1 {
            line.push(cell);
            return true;
        }
        if wins == 1 {
            threats.insert(cell);
        }
    }
    for cell in threats {
        let undo = game.play_unchecked(Move::Place(cell));
        let found = game.winning_cells(me).first().is_some_and(|answer| {
            let undo = game.play_unchecked(Move::Place(answer));
            let mut reach = *reach;
            reach.extend(game.board().around(cell).take(18).flatten());
            let found = search(game, &reach, ply + 1, budget, line);
            game.undo(undo);
            found
        });
        game.undo(undo);
        if found {
            line.push(cell);
            return true;
        }
    }
    false
}

/// `true` if the side to move, which has no winning cell, wins by these moves, with every answer forced.
fn still_wins(game: &mut Position, line: &[Cell]) -> bool {
    if game.outcome().is_some() {
        return false;
    }
    let me = game.to_move();
    let mut undos = ArrayVec::<_, { 2 * LONGEST }>::new();
    let mut won = false;
    for &cell in line {
        if game.stone(cell).is_some() || !blocks_all(game, me.other(), cell) {
            break;
        }
        undos.push(game.play_unchecked(Move::Place(cell)));
        let wins = game.winning_cells(me);
        match game.winning_count(me) {
            0 => break,
            1 => {
                let Some(answer) = wins.first() else { break };
                undos.push(game.play_unchecked(Move::Place(answer)));
            }
            _ => {
                won = true;
                break;
            }
        }
    }
    while let Some(undo) = undos.pop() {
        game.undo(undo);
    }
    won
}

/// `true` if a stone on `cell` leaves this side no winning cell.
fn blocks_all(game: &Position, side: Player, cell: Cell) -> bool {
    match game.winning_count(side) {
        0 => true,
        1 => game.winning_cells(side).contains(cell),
        _ => false,
    }
}
