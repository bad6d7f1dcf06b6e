//! [`MctsOptions`], and tables of the parts of a score.

use super::node::MOST_PLAYOUTS;
use crate::MAX_THREADS;
use crate::options::{OptionsError, options};

/// The share of a move's RAVE value (its mean result in the playouts in which the same side played it later) in the value
/// of a move with n visits.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum Rave {
    /// √(k / (3n + k)): after k visits both values weigh the same (Gelly and Silver 2007).
    Schedule(f32),
    /// m / (n + m + 4nmb²) for a move in m such playouts: the least mean squared error if the RAVE value has a bias of b
    /// (Silver 2009). Results are between 0 and 1.
    LeastError(f32),
}

/// Progressive widening: of a node's moves, the start + factor · Nᵖᵒʷᵉʳ with the highest priors are compared after N visits.
/// Moves that are proven useless do not count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Widening {
    /// The number of moves that are compared from the beginning, at least 1.
    pub start: u32,
    /// The factor of the further moves.
    pub factor: f32,
    /// The power of the visits, 0 to 1.
    pub power: f32,
}

/// The criterion of the best move at the end. A proven win is always first and a proven loss last; a proven
/// draw comes before moves that do not promise more.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub enum Choice {
    /// The move with the most visits.
    #[default]
    Visits,
    /// The move with the highest mean result.
    Value,
    /// The move with the highest q − a/√n: the mean result less a term for the uncertainty of few visits.
    Secure(f32),
}

options! {
    /// The options of an [`Mcts`](super::Mcts). Results count 0 for a loss, ½ for a draw, 1 for a win.
    ///
    /// ```
    /// use stonework_search::{Choice, Rave, MctsOptions};
    /// let options = MctsOptions::uct().rave(Rave::Schedule(500.0)).exploration(0.3).choice(Choice::Value);
    /// assert!(options.check().is_ok());
    /// let error = options.expand_after(0).check().unwrap_err();
    /// assert_eq!(error.to_string(), "expand_after is 0, but has to be between 1 and 4294967295");
    /// ```
    #[derive(Clone, PartialEq, Debug)]
    MctsOptions;
    /// The options for plain UCT (upper confidence bounds on trees).
    uct;

    /// The constant c in the bonus c·√(ln N / n) of a move with n of its node's N visits.
    exploration: f32 = 0.7;
    /// The share of RAVE values in the values of moves; `None` for no RAVE.
    rave: Option<Rave> = None, some Rave;
    /// First-play urgency: the value of a move without visits and without a RAVE value. From about 1 on, every
    /// move is tried once before any move is tried twice.
    first_play: f32 = 10.0;
    /// Progressive bias: a move with n visits gets bias · prior / (n + 1) on top.
    bias: f32 = 0.0;
    /// PUCT: with a weight c above 0, priors are chances from 0 to 1, and a move with n of its node's N visits and a prior p has the
    /// value q + c · p · √N / (n + 1), where q is its mean result. Exploration, RAVE and the progressive bias then count for
    /// nothing (Rosin, Multi-armed bandits with episode context, 2011; Silver et al., Mastering the game of Go without human
    /// knowledge, 2017).
    puct: f32 = 0.0;
    /// With PUCT, a move without visits has the mean result of its siblings less this loss times √s, where s is the sum of the
    /// priors of the moves with visits, in place of [`first_play`](Self::first_play).
    unvisited_loss: f32 = 0.2;
    /// Progressive widening.
    widening: Option<Widening> = None, some Widening;
    /// The number of playouts of one simulation, 1 to 64. A simulation counts as one visit with the mean result of
    /// its playouts.
    playouts: u32 = 1;
    /// The share of the [evaluator's](super::Mcts::evaluator) value in the result of a simulation, 0 to 1, for RAVE as well; the
    /// rest is the result of the playouts. With a share of 1 there are no playouts, and RAVE learns from proven results
    /// alone.
    share: f32 = 0.0;
    /// The share of its visits, 0 to 1, for which the best move of a full comparison is taken without another
    /// comparison. The share saves most comparisons.
    revisit: f32 = 0.02;
    /// The number of visits of a leaf after which the next visit makes the leaf's children. A leaf with a single
    /// move that does not lose at once gets that child with its first visit.
    expand_after: u32 = 2;
    /// The number of visits after which the tactics [study](crate::Tactics::study) a node: at the first power of four from
    /// this number on, and at each further one, and at the beginning of a search its root; 0 for never.
    study_after: u32 = 0;
    /// The number of lost visits that a thread adds on its path, so that other threads take other paths.
    virtual_loss: u32 = 1;
    /// The number of threads, 1 to [`MAX_THREADS`].
    threads: usize = 1;
    /// If `true`, each thread has a tree of its own, with its part of the memory; otherwise all threads work on
    /// one tree.
    own_trees: bool = false;
    /// The memory of the tree, or of all trees together, in bytes; less if the [limits](crate::Limits) are less.
    bytes: usize = 1 << 30;
    /// If `true`, the engine keeps the tree for the next search.
    keep: bool = false;
    /// The criterion of the best move.
    choice: Choice = Choice::Visits;
    /// The number of [lines](crate::Report::lines) of a report, at least 1.
    lines: usize = 1;
}

impl MctsOptions {
    /// The options for RAVE with the schedule √(k / (3n + k)), and a little exploration.
    #[must_use]
    pub const fn with_rave() -> Self {
        Self { exploration: 0.1, rave: Some(Rave::Schedule(1000.0)), first_play: 1.0, ..Self::uct() }
    }

    /// `true` if the search uses priors.
    pub(super) fn uses_priors(&self) -> bool {
        self.bias != 0.0 || self.puct > 0.0 || self.widening.is_some()
    }

    /// Checks that an engine can work with these options.
    ///
    /// # Errors
    /// The error names the option, its value and the values that the option may have.
    pub fn check(&self) -> Result<(), OptionsError> {
        let most = f64::from(f32::MAX);
        let mut ranges = vec![
            ("exploration", self.exploration.into(), 0.0, most),
            ("first_play", self.first_play.into(), -most, most),
            ("bias", self.bias.into(), -most, most),
            ("puct", self.puct.into(), 0.0, 1000.0),
            ("unvisited_loss", self.unvisited_loss.into(), -1.0, 1.0),
            ("playouts", self.playouts.into(), 1.0, MOST_PLAYOUTS.into()),
            ("share", self.share.into(), 0.0, 1.0),
            ("revisit", self.revisit.into(), 0.0, 1.0),
            ("expand_after", self.expand_after.into(), 1.0, u32::MAX.into()),
            ("virtual_loss", self.virtual_loss.into(), 0.0, 1000.0),
            ("threads", self.threads as f64, 1.0, MAX_THREADS as f64),
            ("lines", self.lines as f64, 1.0, u32::MAX.into()),
        ];
        match self.rave {
            Some(Rave::Schedule(k)) => ranges.push(("rave schedule", k.into(), 0.0, most)),
            Some(Rave::LeastError(b)) => ranges.push(("rave least error", b.into(), 0.0, 1.0)),
            None => {}
        }
        if let Choice::Secure(a) = self.choice {
            ranges.push(("secure choice", a.into(), 0.0, most));
        }
        if let Some(widening) = self.widening {
            ranges.push(("widening start", widening.start.into(), 1.0, u32::MAX.into()));
            ranges.push(("widening factor", widening.factor.into(), 0.0, most));
            ranges.push(("widening power", widening.power.into(), 0.0, 1.0));
        }
        OptionsError::check(&ranges)?;
        if self.threads > 1 && self.virtual_loss == 0 && !self.own_trees {
            return Err(OptionsError::NoVirtualLoss { threads: self.threads });
        }
        let greedy = self.exploration == 0.0 && self.rave.is_none() && self.bias == 0.0 && self.puct == 0.0;
        if greedy && self.first_play <= 0.0 {
            return Err(OptionsError::NeverExplores { first_play: self.first_play });
        }
        Ok(())
    }
}

/// The number of visits up to which the parts of a score are in a table.
const LISTED: usize = 512;

/// The parts of a score, by visits.
#[derive(Debug)]
pub(super) struct Lists {
    /// √(ln N) times the exploration constant, by N.
    spread: Vec<f32>,
    /// 1/√n by n; 1 for no visits.
    narrow: Vec<f32>,
    /// The share of RAVE, by the schedule.
    amaf: Vec<f32>,
    exploration: f32,
    schedule: f32,
}

impl Lists {
    pub(super) fn new(options: &MctsOptions) -> Self {
        let schedule = if let Some(Rave::Schedule(k)) = options.rave { k } else { 0.0 };
        let mut lists = Self {
            spread: Vec::new(),
            narrow: Vec::new(),
            amaf: Vec::new(),
            exploration: options.exploration,
            schedule,
        };
        let by = |value: &dyn Fn(&Self, u32) -> f32| (0..LISTED as u32).map(|n| value(&lists, n)).collect();
        let (spread, narrow, amaf) = (by(&Self::spread), by(&Self::narrow), by(&Self::amaf));
        (lists.spread, lists.narrow, lists.amaf) = (spread, narrow, amaf);
        lists
    }

    #[inline]
    pub(super) fn spread(&self, visits: u32) -> f32 {
        let value = || self.exploration * (visits.max(1) as f32).ln().sqrt();
        self.spread.get(visits as usize).copied().unwrap_or_else(value)
    }

    #[inline]
    pub(super) fn narrow(&self, visits: u32) -> f32 {
        let value = || (visits.max(1) as f32).sqrt().recip();
        self.narrow.get(visits as usize).copied().unwrap_or_else(value)
    }

    #[inline]
    pub(super) fn amaf(&self, visits: u32) -> f32 {
        let value = || {
            let sum = 3.0 * visits as f32 + self.schedule;
            if sum > 0.0 { (self.schedule / sum).sqrt() } else { 0.0 }
        };
        self.amaf.get(visits as usize).copied().unwrap_or_else(value)
    }
}
