//! Shrinks the game of a disagreement.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::{COVER, Counterexample, HAVANNAH, Step, Subject, disagreement};
use crate::corpus::GameText;
use crate::replay;

/// The most moves of a game in which shrinking also replaces moves.
const REPLACING: usize = 40;
/// The watcher is called once for this number of questions.
const TOLD: u64 = 16;

/// A search for smaller games on which a subject still disagrees, until the time is over or the watcher ends the
/// search.
pub(super) struct Shrinking<'a, S, W> {
    time: Duration,
    since: Instant,
    subject: &'a mut S,
    watch: W,
    asked: u64,
    stopped: bool,
}

impl<'a, S: Subject, W: FnMut(Step<'_>) -> ControlFlow<()>> Shrinking<'a, S, W> {
    pub(super) fn new(time: Duration, subject: &'a mut S, watch: W) -> Self {
        Self { time, since: Instant::now(), subject, watch, asked: 0, stopped: false }
    }

    /// The smallest game that the search finds; at worst the given game.
    pub(super) fn smaller(mut self, mut best: Counterexample) -> Counterexample {
        self.stopped = (self.watch)(Step::Found(&best)).is_break();
        let found_with = best.found_with;
        if best.game.game == COVER {
            self.begin_later(&mut best);
        }
        self.leave_out_stretches(&mut best);
        while self.leave_out_few(&mut best)
            || self.exchange_sides(&mut best)
            || self.replace(&mut best)
            || self.leave_out_stones(&mut best)
        {}
        Counterexample { found_with, least: !self.stopped, ..best }
    }

    /// `true` once the time is over or the watcher has ended the search: no further question is asked.
    fn is_over(&mut self) -> bool {
        self.stopped |= self.since.elapsed() >= self.time;
        self.stopped
    }

    /// Makes another game the best one if the subject disagrees about it in the same way. Returns `true` in this case.
    ///
    /// A wrong answer is not the same as no answer: a program may end during a question.
    fn attempt(&mut self, best: &mut Counterexample, game: &GameText) -> bool {
        if self.is_over() {
            return false;
        }
        self.asked += 1;
        let query = game.query(game.moves.clone());
        let expected = replay(&query);
        let found = disagreement(self.subject, game, query, expected);
        // A program whose answer is no longer awaited seems to disagree; the watcher can end the search in this case.
        if self.asked.is_multiple_of(TOLD) || found.is_some() {
            let step = Step::Shrinking { asked: self.asked, moves: best.game.moves.len() };
            self.stopped |= (self.watch)(step).is_break();
        }
        let same = |found: &Counterexample| {
            found.expected.is_ok() == best.expected.is_ok() && found.got.is_ok() == best.got.is_ok()
        };
        match found.filter(same).filter(|_| !self.stopped) {
            Some(found) => {
                *best = found;
                true
            }
            None => false,
        }
    }

    /// Leaves out the moves with these numbers, which are in increasing order.
    fn leave_out(&mut self, best: &mut Counterexample, gone: &[usize]) -> bool {
        let kept = |(i, mv): (usize, &String)| (!gone.contains(&i)).then(|| mv.clone());
        let moves = best.game.moves.iter().enumerate().filter_map(kept).collect();
        self.attempt(best, &GameText { moves, ..best.game.clone() })
    }

    /// Leaves out long stretches of an even number of moves first, then ever shorter stretches.
    fn leave_out_stretches(&mut self, best: &mut Counterexample) {
        let mut length = (best.game.moves.len() / 2) & !1;
        while length >= 2 {
            let mut start = 0;
            while start + length <= best.game.moves.len() {
                let gone: Vec<usize> = (start..start + length).collect();
                if !self.leave_out(best, &gone) {
                    start += (length / 2).max(1);
                }
            }
            length = (length / 2) & !1;
        }
    }

    /// Leaves out one move of each side, or a single move. Returns `true` if the game became shorter.
    fn leave_out_few(&mut self, best: &mut Counterexample) -> bool {
        let before = best.game.moves.len();
        let mut first = 0;
        while first < best.game.moves.len() {
            let mut second = first + 1;
            while second < best.game.moves.len() {
                if !self.leave_out(best, &[first, second]) {
                    second += 2;
                }
            }
            if !self.leave_out(best, &[first]) {
                first += 1;
            }
            if self.stopped {
                break;
            }
        }
        best.game.moves.len() < before
    }

    /// For games in which stones stay in their places: lets the side with the last move begin, so that the other side
    /// needs one move less.
    fn exchange_sides(&mut self, best: &mut Counterexample) -> bool {
        let moves = best.game.moves.clone();
        let placed = best.game.game == HAVANNAH && !best.game.swap;
        if !placed || moves.len() % 2 == 1 {
            return false;
        }
        let half = moves.len() / 2;
        (0..half).any(|gone| {
            let mut others = (0..half).filter(|&i| i != gone).map(|i| moves[2 * i].clone());
            let owns = (0..half).map(|i| moves[2 * i + 1].clone());
            let moves = owns.flat_map(|own| [Some(own), others.next()]).flatten().collect();
            self.attempt(best, &GameText { moves, ..best.game.clone() })
        })
    }

    /// Leaves out one move of each side and puts one of these two in the place of a third move.
    fn replace(&mut self, best: &mut Counterexample) -> bool {
        let moves = best.game.moves.clone();
        let n = moves.len();
        if n > REPLACING {
            return false;
        }
        let pairs = (0..n).flat_map(|i| (i + 1..n).step_by(2).map(move |j| (i, j)));
        let mut ways = pairs.flat_map(|(i, j)| (0..n).flat_map(move |k| [(i, j, k, i), (i, j, k, j)]));
        ways.any(|(i, j, k, put)| {
            if k == i || k == j || self.stopped {
                return false;
            }
            let mut fewer = moves.clone();
            fewer[k].clone_from(&moves[put]);
            fewer.remove(j);
            fewer.remove(i);
            self.attempt(best, &GameText { moves: fewer, ..best.game.clone() })
        })
    }

    /// `true` if the subject agrees about all positions before the last move; `false` if the search is over before.
    fn agrees_before(&mut self, game: &GameText) -> bool {
        (0..game.moves.len()).all(|count| {
            if self.is_over() {
                return false;
            }
            let query = game.query(game.moves[..count].to_vec());
            let expected = replay(&query);
            expected.is_ok() && disagreement(self.subject, game, query, expected).is_none()
        })
    }

    /// Lets a game begin as late as possible, on the board that its moves lead to. In a game whose stones move, later
    /// moves are often illegal if earlier moves are left out.
    fn begin_later(&mut self, best: &mut Counterexample) {
        let moves = best.game.moves.clone();
        for gone in (1..moves.len()).rev() {
            let Ok(state) = replay(&best.game.query(moves[..gone].to_vec())) else { continue };
            let start = state.board.map(|board| (board, state.to_move));
            let game = GameText { start, moves: moves[gone..].to_vec(), ..best.game.clone() };
            if self.is_over() || (self.agrees_before(&game) && self.attempt(best, &game)) {
                return;
            }
        }
    }

    /// Leaves out a stone of the board on which a game of Cover begins.
    fn leave_out_stones(&mut self, best: &mut Counterexample) -> bool {
        let Some((board, to_move)) = best.game.start.clone() else { return false };
        let locations: Vec<(usize, &str)> = board
            .match_indices(|c: char| c.is_ascii_alphabetic() && c != 'x')
            .filter_map(|(at, _)| Some((at, board.get(at..at + 3)?)))
            .collect();
        locations.into_iter().any(|(at, name)| {
            let (before, after) = (&board[..at], &board[at + name.len()..]);
            let board = match (before.strip_suffix(','), after.strip_prefix(',')) {
                (_, Some(after)) => format!("{before}{after}"),
                (Some(before), None) => format!("{before}{after}"),
                (None, None) => format!("{before}{after}"),
            };
            let game = GameText { start: Some((board, to_move.clone())), ..best.game.clone() };
            self.agrees_before(&game) && self.attempt(best, &game)
        })
    }
}
