//! [`AlphaBetaOptions`], and the check of them.

use crate::limits::MAX_THREADS;
use crate::parameters::{Parameter, ParameterError};

/// Plies of the deepest iteration, so that recursion is bounded.
pub(super) const MAX_DEPTH: u32 = 240;
/// Plies of quiescence at the most.
pub(super) const MAX_QUIET: u32 = 15;

/// Which of the engine's own memories order the moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memories {
    pub(super) killers: bool,
    pub(super) history: bool,
    pub(super) counter_moves: bool,
}

/// Late moves are searched less deep.
#[derive(Clone, Copy, Debug)]
pub(super) struct Late {
    pub(super) after: usize,
    pub(super) by: u32,
}

/// The options of an [`AlphaBeta`](super::AlphaBeta).
///
/// The options to begin with: one thread, one line, a table of 16 MiB that is cleared before every search, all orderings
/// on, nothing that prunes.
///
/// ```
/// use stonework_search::{AlphaBeta, AlphaBetaOptions};
/// let options = AlphaBetaOptions::new().bytes(1 << 20).late_moves(4, 1).lines(3);
/// assert!(AlphaBeta::new((), options).is_ok());
/// let error = AlphaBeta::new((), AlphaBetaOptions::new().threads(0)).unwrap_err();
/// assert_eq!(error.to_string(), "threads must be 1 to 256, not 0");
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct AlphaBetaOptions {
    pub(super) bytes: usize,
    pub(super) table_depth: u32,
    pub(super) keep: bool,
    pub(super) exact_depth: bool,
    /// There is one iteration, of this depth.
    pub(super) only_depth: Option<u32>,
    /// Half the first window; 0 for none.
    pub(super) aspiration: i32,
    pub(super) memories: Memories,
    pub(super) quiet_depth: u32,
    pub(super) null_move: Option<u32>,
    pub(super) late: Option<Late>,
    pub(super) beam: Option<usize>,
    pub(super) lines: usize,
    pub(super) threads: usize,
}

/// An option that makes no sense.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AlphaBetaError {
    /// The number of threads.
    #[error("threads must be 1 to {MAX_THREADS}, not {0}")]
    Threads(usize),
    /// The number of lines.
    #[error("lines must be at least 1, not {0}")]
    Lines(usize),
    /// The width of the beam.
    #[error("the beam must be at least 1 move wide, not {0}")]
    Beam(usize),
    /// The depth of quiescence.
    #[error("quiescence must be 0 to {MAX_QUIET} plies deep, not {0}")]
    QuietDepth(u32),
    /// The reduction of null moves.
    #[error("a null move must reduce by 1 to {MAX_DEPTH} plies, not {0}")]
    NullMove(u32),
    /// The reduction of late moves.
    #[error(
        "late moves must be reduced by 1 to {MAX_DEPTH} plies after at least 1 full move, not by {by} after {after}"
    )]
    LateMoves {
        /// Moves that are searched in full.
        after: usize,
        /// Plies.
        by: u32,
    },
    /// The depth of the only iteration.
    #[error("the only depth must be 1 to {MAX_DEPTH} plies, not {0}")]
    OnlyDepth(u32),
    /// The aspiration window.
    #[error("the aspiration window must not be negative, but is {0}")]
    Aspiration(i32),
}

impl Default for AlphaBetaOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl AlphaBetaOptions {
    /// The options to begin with.
    pub const fn new() -> Self {
        Self {
            bytes: 16 << 20,
            table_depth: 2,
            keep: false,
            exact_depth: false,
            only_depth: None,
            aspiration: 16,
            memories: Memories { killers: true, history: true, counter_moves: true },
            quiet_depth: 0,
            null_move: None,
            late: None,
            beam: None,
            lines: 1,
            threads: 1,
        }
    }

    /// Plies, at most 15, of quiescence: noisy moves are followed beyond the depth of the search. 0 unless set: then noisy
    /// moves only come first in the order and are spared by beam and reductions. The noisy moves are those of
    /// [`AlphaBeta::noisy_moves`](super::AlphaBeta::noisy_moves).
    pub const fn quiet_depth(mut self, depth: u32) -> Self {
        self.quiet_depth = depth;
        self
    }

    /// Prunes positions that stay good after a null move, searched `reduction` plies less deep, and after a search of the
    /// position itself at the same lesser depth that confirms it: a null move may be better than any move. Off unless
    /// set. The null move is that of [`AlphaBeta::null_move`](super::AlphaBeta::null_move).
    pub const fn null_move(mut self, reduction: u32) -> Self {
        self.null_move = Some(reduction);
        self
    }

    /// Bytes of the transposition table, or as many as the limits allow if that is less. 16 MiB unless
    /// set; 0 for none.
    pub const fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// The table is asked and told only about positions that are searched to at least this depth. 2 unless
    /// set: just above the limit a look-up costs more than most evaluators do. 1 means all.
    pub const fn table_depth(mut self, depth: u32) -> Self {
        self.table_depth = depth;
        self
    }

    /// Whether what one search has put into the table is used by the next one of the same engine. Off
    /// unless set, since then a report depends on earlier searches.
    pub const fn keep(mut self, keep: bool) -> Self {
        self.keep = keep;
        self
    }

    /// Whether only values that were searched to exactly the depth that is asked for, or that hold at
    /// this depth whatever it is, are taken from the table: then the value is that of
    /// [`Minimax`](crate::Minimax) at the same depth. Off unless set: deeper values are taken too.
    pub const fn exact_depth(mut self, exact: bool) -> Self {
        self.exact_depth = exact;
        self
    }

    /// Searches to this depth at once, without the iterations before it; to the depth of the
    /// [limits](crate::Limits) if that is less. Deeper and deeper unless this is called. A limit of nodes or
    /// time then leaves the moves that were searched until then.
    pub const fn only_depth(mut self, depth: u32) -> Self {
        self.only_depth = Some(depth);
        self
    }

    /// How far from the last iteration's value the next one's window reaches at first; 0 for no
    /// window. In the units of the evaluator; 16 unless set.
    pub const fn aspiration(mut self, window: i32) -> Self {
        self.aspiration = window;
        self
    }

    /// Whether two moves that cut off elsewhere at the same ply are tried early. On unless set.
    pub const fn killers(mut self, on: bool) -> Self {
        self.memories.killers = on;
        self
    }

    /// Whether moves are ordered by how often they have cut off. On unless set.
    pub const fn history(mut self, on: bool) -> Self {
        self.memories.history = on;
        self
    }

    /// Whether the move that has last cut off after the same move is tried early. On unless set.
    pub const fn counter_moves(mut self, on: bool) -> Self {
        self.memories.counter_moves = on;
        self
    }

    /// Searches quiet moves after the first `after` of a position `by` plies less deep, and in full only
    /// if they turn out better than expected. Off unless this is called.
    pub const fn late_moves(mut self, after: usize, by: u32) -> Self {
        self.late = Some(Late { after, by });
        self
    }

    /// Looks at no more than `width` moves of a position, except the table's, noisy ones, and all of
    /// them at the root and where those looked at lose. Off unless this is called.
    pub const fn beam(mut self, width: usize) -> Self {
        self.beam = Some(width);
        self
    }

    /// How many of the best moves get a value and a line of their own. 1 unless set.
    pub const fn lines(mut self, lines: usize) -> Self {
        self.lines = lines;
        self
    }

    /// Threads that search the same root and share the table, 1 to [`MAX_THREADS`]. 1 unless set; reports are
    /// the same in every run only with 1.
    pub const fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    pub(super) fn check(&self) -> Result<(), AlphaBetaError> {
        if !(1..=MAX_THREADS).contains(&self.threads) {
            return Err(AlphaBetaError::Threads(self.threads));
        }
        if self.lines == 0 {
            return Err(AlphaBetaError::Lines(self.lines));
        }
        if let Some(width @ 0) = self.beam {
            return Err(AlphaBetaError::Beam(width));
        }
        if self.quiet_depth > MAX_QUIET {
            return Err(AlphaBetaError::QuietDepth(self.quiet_depth));
        }
        if let Some(by) = self.null_move.filter(|by| !(1..=MAX_DEPTH).contains(by)) {
            return Err(AlphaBetaError::NullMove(by));
        }
        if let Some(Late { after, by }) = self.late
            && (after == 0 || !(1..=MAX_DEPTH).contains(&by))
        {
            return Err(AlphaBetaError::LateMoves { after, by });
        }
        if let Some(depth) = self.only_depth.filter(|depth| !(1..=MAX_DEPTH).contains(depth)) {
            return Err(AlphaBetaError::OnlyDepth(depth));
        }
        if self.aspiration < 0 {
            return Err(AlphaBetaError::Aspiration(self.aspiration));
        }
        Ok(())
    }

    /// The numeric options by name. The reduction of null moves shows only where they are on: a null
    /// move is the game's, and no option can switch it on.
    pub(super) fn parameters(&self) -> Vec<Parameter> {
        let Late { after, by } = self.late.unwrap_or(Late { after: 4, by: 0 });
        let only = self.only_depth.unwrap_or(0).into();
        let (most_quiet, most_threads) = (MAX_QUIET.into(), MAX_THREADS as f64);
        let reduction =
            |by: u32| Parameter::whole("null_move", "plies that a pass saves", by.into(), 1.0, 240.0);
        let mut parameters = vec![
            Parameter::whole("aspiration", "half the first window", self.aspiration.into(), 0.0, 1e6),
            Parameter::whole("quiet_depth", "plies of quiescence", self.quiet_depth.into(), 0.0, most_quiet),
            Parameter::whole("late_after", "moves that are searched in full", after as f64, 1.0, 1e6),
            Parameter::whole("late_by", "plies that later ones lose; 0: none", by.into(), 0.0, 240.0),
            Parameter::whole("beam", "moves looked at; 0: all", self.beam.unwrap_or(0) as f64, 0.0, 1e6),
            Parameter::whole("lines", "lines of a report", self.lines as f64, 1.0, 1e6),
            Parameter::whole("threads", "threads on the table", self.threads as f64, 1.0, most_threads),
            Parameter::whole(
                "depth",
                "plies of the only iteration; 0: more and more",
                only,
                0.0,
                MAX_DEPTH.into(),
            ),
        ];
        parameters.extend(self.null_move.map(reduction));
        parameters
    }

    /// The options with one of the [parameters](Self::parameters) turned.
    pub(super) fn turned(&self, name: &str, value: f64) -> Result<Self, ParameterError> {
        Parameter::find(&self.parameters(), name, value)?;
        let mut new = self.clone();
        let late = self.late.unwrap_or(Late { after: 4, by: 0 });
        let count = value as usize;
        match name {
            "aspiration" => new.aspiration = value as i32,
            "quiet_depth" => new.quiet_depth = value as u32,
            "late_after" => new.late = Some(Late { after: count, ..late }).filter(|late| late.by > 0),
            "late_by" => new.late = (count > 0).then_some(Late { by: value as u32, ..late }),
            "beam" => new.beam = (count > 0).then_some(count),
            "lines" => new.lines = count,
            "threads" => new.threads = count,
            "depth" => new.only_depth = (count > 0).then_some(value as u32),
            _ => new.null_move = Some(value as u32),
        }
        if name == "late_after" && new.late.is_none() {
            let why = "late_by is 0: no move is reduced".to_owned();
            return Err(ParameterError::Refused { name: name.to_owned(), value, why });
        }
        let refused = |why: AlphaBetaError| ParameterError::Refused {
            name: name.to_owned(),
            value,
            why: why.to_string(),
        };
        new.check().map_err(refused).map(|()| new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dial_turns_and_shows_it() {
        let options = AlphaBetaOptions::new().null_move(2).late_moves(3, 1);
        for parameter in options.parameters() {
            let turned = options.turned(parameter.name, parameter.value + 1.0).unwrap().parameters();
            let shown = turned.iter().find(|d| d.name == parameter.name).unwrap().value;
            assert!((shown - parameter.value - 1.0).abs() < 1e-9, "{}", parameter.name);
        }
        let plain = AlphaBetaOptions::new();
        assert!(plain.turned("null_move", 2.0).is_err(), "there is no pass");
        assert!(plain.turned("late_after", 9.0).is_err(), "nothing is reduced");
    }
}
