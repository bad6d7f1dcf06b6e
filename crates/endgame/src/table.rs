//! [`Table`]: the values of a space in memory.

use std::cmp::Reverse;
use std::ops::Range;

use stonework_game::Game;

use crate::value::{MAX_DISTANCE, decode};
use crate::{StateSpace, Value};

/// The value of every number of a space; two bytes each.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Table {
    codes: Vec<u16>,
}

/// The counts and extremes of a [`Table`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// States that the side to move wins.
    pub won: u64,
    /// States that the side to move loses.
    pub lost: u64,
    /// States that neither side can win.
    pub drawn: u64,
    /// Numbers that no state has.
    pub holes: u64,
    /// The greatest distance of a win, and the first number that has it.
    pub longest_win: Option<(u16, u64)>,
    /// The greatest distance of a loss, and the first number that has it.
    pub longest_loss: Option<(u16, u64)>,
}

impl Table {
    pub(crate) const fn new(codes: Vec<u16>) -> Self {
        Self { codes }
    }

    pub(crate) fn codes(&self) -> &[u16] {
        &self.codes
    }

    /// Numbers in the space.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.codes.len() as u64
    }

    /// `true` if the space has no numbers.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The value at a number; `None` for a hole and beyond the end. O(1).
    #[must_use]
    pub fn value(&self, rank: u64) -> Option<Value> {
        self.codes.get(usize::try_from(rank).ok()?).copied().and_then(decode)
    }

    /// The value of a state: by the rules if the game is over, from the table if the state is in the space of the
    /// table, otherwise from [`outside`](StateSpace::outside); `None` if none of these has a value.
    #[must_use]
    pub fn probe<S: StateSpace>(&self, space: &S, state: &S::State) -> Option<Value> {
        if let Some(outcome) = state.outcome() {
            return Some(Value::ended(outcome, state.to_move()));
        }
        match space.rank(state) {
            Some(rank) => self.value(rank),
            None => space.outside(state),
        }
    }

    /// Counts and extremes. O(length).
    ///
    /// ```
    /// use stonework_endgame::example::Heaps;
    /// use std::ops::ControlFlow;
    /// use stonework_endgame::{Options, solve};
    /// let solved = solve(&Heaps(30), &Options::default(), &mut |_| ControlFlow::Continue(()))?;
    /// let found = solved.table.statistics();
    /// assert_eq!((found.won, found.lost, found.drawn, found.holes), (20, 10, 0, 1));
    /// assert_eq!((found.longest_win, found.longest_loss), (Some((19, 28)), Some((20, 30))));
    /// # Ok::<(), stonework_endgame::SolveError>(())
    /// ```
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics_of(0..self.len())
    }

    /// As [`statistics`](Table::statistics), for a part of the numbers, such as a tier of the space; numbers beyond the
    /// end do not count.
    #[must_use]
    pub fn statistics_of(&self, numbers: Range<u64>) -> Statistics {
        let mut all = Statistics::default();
        let (first, end) = (numbers.start.min(self.len()), numbers.end.min(self.len()));
        let codes = &self.codes[first as usize..end.max(first) as usize];
        for (rank, &code) in (first..).zip(codes) {
            let (count, longest, plies) = match decode(code) {
                Some(Value::Win(plies)) => (&mut all.won, &mut all.longest_win, plies),
                Some(Value::Loss(plies)) => (&mut all.lost, &mut all.longest_loss, plies),
                Some(Value::Draw) => {
                    all.drawn += 1;
                    continue;
                }
                None => {
                    all.holes += 1;
                    continue;
                }
            };
            *count += 1;
            if longest.is_none_or(|(most, _)| plies > most) {
                *longest = Some((plies, rank));
            }
        }
        all
    }
}

/// Each legal move with its value for its mover, the best moves first. `value` gives the value of a state, such as
/// [`Table::probe`] or [`Stored::probe`](crate::Stored::probe). Moves to states without a value are left out.
///
/// # Errors
/// The first error of `value`.
///
/// ```
/// use stonework_endgame::example::Heaps;
/// use std::ops::ControlFlow;
/// use std::convert::Infallible;
/// use stonework_endgame::{Options, solve};
/// use stonework_endgame::{Value, replies};
/// let table = solve(&Heaps(30), &Options::default(), &mut |_| ControlFlow::Continue(()))?.table;
/// let nim = stonework_game::example::Nim::new(30);
/// let replies = replies(&nim, |next| Ok::<_, Infallible>(table.probe(&Heaps(30), next)))?;
/// assert_eq!(replies, [(1, Value::Loss(20)), (2, Value::Loss(20))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn replies<G: Game, E>(
    state: &G,
    mut value: impl FnMut(&G) -> Result<Option<Value>, E>,
) -> Result<Vec<(G::Move, Value)>, E> {
    let (mut moves, mut found) = (Vec::new(), Vec::new());
    state.legal_moves(&mut moves);
    for mv in moves {
        let mut next = state.clone();
        next.play_unchecked(mv);
        let told = value(&next)?.and_then(|value| value.before(next.to_move() == state.to_move()));
        found.extend(told.map(|value| (mv, value)));
    }
    found.sort_by_key(|&(_, value)| Reverse(value));
    Ok(found)
}

/// The moves of best play from a decided state to the end of the game: in each state the first of its [`replies`].
/// `value` gives the value of a state. The line is empty in a draw, and it ends early in a state whose moves have no
/// values.
///
/// # Errors
/// The first error of `value`.
///
/// # Complexity
/// A call of `value` for each legal move of each state on the line. With a right table the line is as long as the
/// distance of the state; with any table it has at most [`MAX_DISTANCE`] moves.
///
/// ```
/// use stonework_endgame::example::Heaps;
/// use std::ops::ControlFlow;
/// use std::convert::Infallible;
/// use stonework_endgame::{Options, best_line, solve};
/// let table = solve(&Heaps(30), &Options::default(), &mut |_| ControlFlow::Continue(()))?.table;
/// let nim = stonework_game::example::Nim::new(8);
/// assert_eq!(best_line(&nim, |next| Ok::<_, Infallible>(table.probe(&Heaps(30), next)))?, [2, 1, 2, 1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn best_line<G: Game, E>(
    state: &G,
    mut value: impl FnMut(&G) -> Result<Option<Value>, E>,
) -> Result<Vec<G::Move>, E> {
    let (mut line, mut next) = (Vec::new(), state.clone());
    if value(state)?.is_none_or(|value| value == Value::Draw) {
        return Ok(line);
    }
    while next.outcome().is_none() && line.len() < usize::from(MAX_DISTANCE) {
        let Some(&(mv, _)) = replies(&next, &mut value)?.first() else { break };
        line.push(mv);
        next.play_unchecked(mv);
    }
    Ok(line)
}
