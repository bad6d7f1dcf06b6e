//! [`AlphaBetaOptions`], and the check of their ranges.

use crate::MAX_THREADS;
use crate::options::{OptionsError, options};
use crate::parameters::{NumericOption, numeric_options};
use crate::{Parameter, ParameterError};

/// The plies of the deepest iteration, so that recursion is bounded.
pub(super) const MAX_DEPTH: u32 = 240;
/// The greatest number of plies of quiescence.
pub(super) const MAX_QUIET: u32 = 15;

options! {
    /// The options of an [`AlphaBeta`](super::AlphaBeta).
    ///
    /// ```
    /// use stonework_search::{AlphaBeta, AlphaBetaOptions};
    /// let options = AlphaBetaOptions::new().bytes(1 << 20).late_moves(4, 1).lines(3);
    /// assert!(AlphaBeta::new((), options).is_ok());
    /// let error = AlphaBeta::new((), AlphaBetaOptions::new().threads(0)).unwrap_err();
    /// assert_eq!(error.to_string(), "threads is 0, but has to be between 1 and 256");
    /// ```
    #[derive(Clone, PartialEq, Eq, Debug)]
    AlphaBetaOptions;
    /// One thread, one line, a table of 16 MiB that is cleared before every search, all orderings on, nothing that prunes.
    new;

    /// The bytes of the transposition table; fewer if the limits allow fewer or the system has fewer. 16 MiB unless set; 0 for no table.
    /// Memory is in use only where an entry was stored.
    bytes: usize = 16 << 20;
    /// The least depth, in plies, of a position for which the table is read and written. 2 unless set: just above the depth
    /// limit a look-up costs more than most evaluators do. 1 means all positions.
    table_depth: u32 = 2;
    /// If `true`, the next search of the same engine uses the entries that one search has put into the table. Off
    /// unless set, since then a report depends on earlier searches.
    keep: bool = false;
    /// If `true`, the search takes from the table only values of searches to exactly the depth in question, or
    /// values that hold at every depth: then the value is that of [`Minimax`](crate::Minimax) at the same depth.
    /// Off unless set: the search then takes values of deeper searches, too.
    exact_depth: bool = false;
    /// The depth of the only iteration, 1 to 240 plies; the depth of the [limits](crate::Limits) if that is less. Iterations
    /// get deeper and deeper unless this is set. A limit of nodes or time then leaves the moves that were searched so far.
    only_depth: Option<u32> = None, some u32;
    /// The distance of the bounds of an iteration's first window from the value of the last iteration, in the units of the
    /// evaluator; 0 for no window; 16 unless set.
    aspiration: i32 = 16;
    /// If `true`, two moves that caused cut-offs elsewhere at the same ply (killer moves) are tried early. On
    /// unless set.
    killers: bool = true;
    /// If `true`, moves are ordered by the number of cut-offs that they have caused (history heuristic). On unless
    /// set.
    history: bool = true;
    /// If `true`, the last move that caused a cut-off after the same move (counter-move) is tried early. On unless
    /// set.
    counter_moves: bool = true;
    /// The most plies, 0 to 15, of quiescence: noisy moves are followed beyond the depth of the search. 0 unless set: then
    /// noisy moves only come first in the order and are spared by beam and reductions. The noisy moves are those of
    /// [`AlphaBeta::noisy_moves`](super::AlphaBeta::noisy_moves).
    quiet_depth: u32 = 0;
    /// The reduction, 1 to 240 plies, of null-move pruning. The search prunes a position that stays good after a null move,
    /// searched less deep by the reduction, if a search of the position itself at the same lesser depth confirms it: a null
    /// move may be better than any move. Off unless set. The null move is that of
    /// [`AlphaBeta::null_move`](super::AlphaBeta::null_move).
    null_move: Option<u32> = None, some u32;
    /// The number, at least 1, of a position's first moves that are not reduced; 4 unless set.
    late_after: usize = 4;
    /// The reduction, at most 240 plies, of quiet moves after the first [`late_after`](field@Self::late_after): such a move is
    /// searched in full only if it turns out better than expected. 0 unless set: no reduction.
    late_by: u32 = 0;
    /// The most moves of a position, at least 1, that are searched. The limit does not count the table's move,
    /// noisy moves and all moves of the root. The limit has no effect while every move so far loses. No limit
    /// unless set.
    beam: Option<usize> = None, some usize;
    /// The number, at least 1, of best moves that get a value and a line of their own. 1 unless set.
    lines: usize = 1;
    /// The number of threads that search the same root and share the table, 1 to [`MAX_THREADS`]. 1 unless set;
    /// reports are the same in every run only with one thread.
    threads: usize = 1;
}

impl AlphaBetaOptions {
    /// Sets [`late_after`](field@Self::late_after) and [`late_by`](field@Self::late_by).
    #[must_use]
    pub const fn late_moves(self, after: usize, by: u32) -> Self {
        self.late_after(after).late_by(by)
    }

    /// Checks that all options are in their ranges.
    pub(super) fn check(&self) -> Result<(), OptionsError> {
        let most = f64::from(u32::MAX);
        OptionsError::check(&[
            ("threads", self.threads as f64, 1.0, MAX_THREADS as f64),
            ("lines", self.lines as f64, 1.0, most),
            ("beam", self.beam.unwrap_or(1) as f64, 1.0, most),
            ("quiet_depth", self.quiet_depth.into(), 0.0, MAX_QUIET.into()),
            ("null_move", self.null_move.unwrap_or(1).into(), 1.0, MAX_DEPTH.into()),
            ("late_after", self.late_after as f64, 1.0, most),
            ("late_by", self.late_by.into(), 0.0, MAX_DEPTH.into()),
            ("only_depth", self.only_depth.unwrap_or(1).into(), 1.0, MAX_DEPTH.into()),
            ("aspiration", self.aspiration.into(), 0.0, i32::MAX.into()),
        ])
    }

    /// The numeric options by name. The reduction of null moves is shown only if null moves are on: the null move
    /// belongs to the game, and no option can switch null moves on.
    pub(super) fn parameters(&self) -> Vec<Parameter> {
        NumericOption::parameters(NUMERIC_OPTIONS, self)
    }

    /// The options with one of the [parameters](Self::parameters) set.
    pub(super) fn with_value(&self, name: &str, value: f64) -> Result<Self, ParameterError> {
        NumericOption::with_value(NUMERIC_OPTIONS, self, name, value, Self::check)
    }
}

numeric_options! { NUMERIC_OPTIONS: AlphaBetaOptions, |options, value|
    whole "aspiration" "half the first window" 0.0, 1e6;
        options.aspiration.into(); options.aspiration = value as i32;
    whole "quiet_depth" "plies of quiescence" 0.0, MAX_QUIET as f64;
        options.quiet_depth.into(); options.quiet_depth = value as u32;
    whole "late_after" "moves that are searched in full" 1.0, 1e6;
        options.late_after as f64; match options.late_by {
            0 => return Err("late_by is 0: no move is reduced"),
            _ => options.late_after = value as usize,
        };
    whole "late_by" "plies that later ones lose; 0: none" 0.0, 240.0;
        options.late_by.into(); options.late_by = value as u32;
    whole "beam" "moves looked at; 0: all" 0.0, 1e6;
        options.beam.unwrap_or(0) as f64; options.beam = (value > 0.0).then_some(value as usize);
    whole "lines" "lines of a report" 1.0, 1e6;
        options.lines as f64; options.lines = value as usize;
    whole "threads" "threads on the table" 1.0, MAX_THREADS as f64;
        options.threads as f64; options.threads = value as usize;
    whole "depth" "plies of the only iteration; 0: more and more" 0.0, MAX_DEPTH as f64;
        options.only_depth.unwrap_or(0).into(); options.only_depth = (value > 0.0).then_some(value as u32);
    whole "null_move" "plies that a pass saves" 1.0, 240.0;
        options.null_move?.into(); options.null_move = Some(value as u32);
}
