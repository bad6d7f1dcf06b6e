//! [`SolverTactics`]: proof-number searches in positions that a Monte-Carlo tree visits often.

use std::sync::{Arc, Mutex, PoisonError};

use stonework_game::{Game, Player, move_orbits};
use stonework_havannah::{Move, Position};
use stonework_search::{Effort, Engine, Limits, ProofNumbers, Question, Tactics, Verdict};

use crate::{Sequences, Solver, ThreatSearch};

/// The least number of visits of a position that is searched, unless set.
const AFTER: u32 = 4096;
/// The most nodes of one study: some tenth of a second.
const MOST: f64 = 65_536.0;

/// The positions that a search for a threat sequence may visit in a position without visits, and the most that visits add.
const BUDGET: u32 = 50;
const MOST_BUDGET: u32 = 4096;

/// The verdicts of [`Sequences`], and by [`study`](Tactics::study) those of a [`Solver`] in positions with many visits: 4096 or more, unless
/// [`after`](Self::after) says another number.
///
/// The solver searches with [`nodes`](Self::nodes) nodes for each visit, at most 65 536 at once: one half of them for the
/// question if the side to move wins, the other half for the question if its opponent wins. A yes is a verdict, and two noes are a
/// draw. Otherwise every move that the search has found to lose is left out. Verdicts are certain, and the effort changes only their
/// number.
///
/// A clone shares the table of the solver, so that the threads of a tree and its later searches use what was found before;
/// [`forget`](Self::forget) empties it. The table grows with its use, up to [`bytes`](Self::bytes).
///
/// ```
/// use stonework_game::{Game, Textual};
/// use stonework_havannah::Position;
/// use stonework_havannah_solver::SolverTactics;
/// use stonework_search::{Effort, Tactics, Verdict};
/// let mut position = Position::new(4)?;
/// for name in ["b1", "d2", "a2", "e4"] {
///     position.play(position.parse_move(name)?)?;
/// }
/// let (mut tactics, mut only) = (SolverTactics::new(), Vec::new());
/// assert_eq!(tactics.study(&mut position, &mut Effort::visits(1), &mut only), Verdict::Open);
/// let verdict = tactics.study(&mut position, &mut Effort::visits(1 << 20), &mut only);
/// assert!(matches!(verdict, Verdict::Win(_)), "white wins: {verdict:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SolverTactics {
    sequences: Sequences,
    /// The threat search of every position, if it is asked for.
    threat_search: Option<ThreatSearch>,
    /// The solver whose table all clones share. It does not search itself.
    shared: Arc<Mutex<Solver>>,
    /// The solver of this clone.
    own: Option<Solver>,
    nodes: f64,
    after: u32,
    bytes: usize,
}

impl Default for SolverTactics {
    fn default() -> Self {
        Self::new()
    }
}

/// Another handle of the same table.
impl Clone for SolverTactics {
    fn clone(&self) -> Self {
        let threat_search = self.threat_search.clone();
        Self { shared: Arc::clone(&self.shared), own: None, threat_search, ..*self }
    }
}

impl SolverTactics {
    /// Tactics with a sixteenth of a node for each visit, and a table of 64 MiB.
    #[must_use]
    pub fn new() -> Self {
        let shared = Arc::new(Mutex::new(Solver::beside_trees()));
        Self {
            sequences: Sequences::new(),
            threat_search: None,
            shared,
            own: None,
            nodes: 1.0 / 16.0,
            after: AFTER,
            bytes: 64 << 20,
        }
    }

    /// Lets [`probe`](Tactics::probe) give the verdicts of a [`ThreatSearch`] in every position that has the form of a
    /// [`SmallPosition`](crate::SmallPosition), and [`study`](Tactics::study) give them with larger budgets: threat sequences and must-play
    /// at each node of a tree, for some microseconds each. That pays where a node costs more, as by a network.
    #[must_use]
    pub fn threat_search(mut self) -> Self {
        self.threat_search = Some(ThreatSearch::new());
        self
    }

    /// Sets the nodes of the solver for each visit; with 0 or less it never searches.
    #[must_use]
    pub const fn nodes(mut self, nodes: f64) -> Self {
        self.set_nodes(nodes);
        self
    }

    /// Sets the nodes of the solver for each visit, as [`nodes`](Self::nodes) does.
    pub const fn set_nodes(&mut self, nodes: f64) {
        self.nodes = nodes;
    }

    /// Sets the least number of visits of a position that the solver searches.
    #[must_use]
    pub const fn after(mut self, visits: u32) -> Self {
        self.after = visits;
        self
    }

    /// Sets the most bytes of the table.
    #[must_use]
    pub fn bytes(mut self, bytes: usize) -> Self {
        self.set_bytes(bytes);
        self
    }

    /// Sets the most bytes of the table, as [`bytes`](Self::bytes) does. A table of another size is empty.
    pub fn set_bytes(&mut self, bytes: usize) {
        if self.bytes != bytes {
            (self.bytes, self.own) = (bytes, None);
        }
    }

    /// Empties the table. Other handles of the same table keep it as it is.
    pub fn forget(&mut self) {
        self.own = None;
        self.shared.lock().unwrap_or_else(PoisonError::into_inner).forget();
    }

    /// The bytes of the table in use.
    #[must_use]
    pub fn table_bytes(&self) -> usize {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner).table_usage().0
    }

    /// The solver of this handle.
    fn solver(&mut self, limits: &Limits) -> &mut Solver {
        let shared = &self.shared;
        let beside = || shared.lock().unwrap_or_else(PoisonError::into_inner).beside(limits);
        self.own.get_or_insert_with(beside)
    }

    /// The verdict of the threat search with a budget for a position with these visits; `None` if it is not asked for.
    fn by_threat_search(
        &mut self,
        game: &Position,
        visits: u32,
        only: &mut Vec<Move>,
    ) -> Option<Verdict<Move>> {
        let search = self.threat_search.as_mut()?;
        search.set_budget(BUDGET + visits.min(MOST_BUDGET));
        search.by_rules(game, only)
    }

    /// The verdict of the solver about a position whose moves but those in `only` lose; an empty list has all moves.
    fn solve(&mut self, game: &Position, effort: &mut Effort, only: &mut Vec<Move>) -> Verdict<Move> {
        let most = (f64::from(effort.visits) * self.nodes).min(MOST) as u64;
        let mut limits = effort.left.clone().bytes(self.bytes);
        let me = game.to_move();
        let mut noes = 0;
        for (who, part) in [(me, most / 2), (me.other(), most - most / 2)] {
            let left = effort.left.nodes.map_or(u64::MAX, |left| left.saturating_sub(effort.nodes));
            limits.nodes = Some(part.min(left));
            let solver = self.solver(&limits);
            solver.set_question(Question::Wins(who));
            let report = solver.think(game, &limits);
            effort.nodes += report.nodes;
            match (report.proof_numbers.and_then(ProofNumbers::decided), report.best) {
                (Some(true), Some(mv)) if who == me => return Verdict::Win(mv),
                (Some(true), _) if who != me => return Verdict::Loss,
                (Some(false), _) => noes += 1,
                _ => {}
            }
        }
        if noes == 2 {
            return Verdict::Draw;
        }
        // A search whose limits leave it no node asks no tactics, and below a win by the tactics the solver lists the winning move alone.
        if let Some(Verdict::Win(mv)) = ThreatSearch::new().by_rules(game, &mut Vec::new()) {
            return Verdict::Win(mv);
        }
        let losing = losing(self.solver(&limits), game);
        if only.is_empty() {
            game.legal_moves(only);
        }
        only.retain(|mv| !losing.contains(mv));
        if only.is_empty() { Verdict::Loss } else { Verdict::Only }
    }
}

impl Tactics<Position> for SolverTactics {
    fn probe(&mut self, game: &mut Position, only: &mut Vec<Move>) -> Verdict<Move> {
        match self.by_threat_search(game, 0, only) {
            Some(verdict) => verdict,
            None => self.sequences.probe(game, only),
        }
    }

    fn study(&mut self, game: &mut Position, effort: &mut Effort, only: &mut Vec<Move>) -> Verdict<Move> {
        let verdict = match self.by_threat_search(game, effort.visits, only) {
            Some(verdict) => verdict,
            None => self.sequences.study(game, effort, only),
        };
        let open = matches!(verdict, Verdict::Open | Verdict::Only) && !game.swap_enabled();
        if !open || effort.visits < self.after || self.nodes <= 0.0 {
            return verdict;
        }
        self.solve(game, effort, only)
    }
}

/// The moves that the table of a solver and its tactics know to lose. The solver lists one of the moves that are the same but for
/// a symmetry, and leaves out moves that do not break a threat.
fn losing(solver: &mut Solver, game: &Position) -> Vec<Move> {
    let opponent: Player = game.to_move().other();
    let children = solver.children(game, opponent);
    let mut losing = Vec::new();
    for orbit in move_orbits(game) {
        let images = || std::iter::once(orbit.mv).chain(orbit.images.iter().copied());
        let child = children.iter().find(|child| images().any(|mv| mv == child.mv));
        if child.is_none_or(|child| child.numbers.decided() == Some(true)) {
            losing.extend(images());
        }
    }
    losing
}
