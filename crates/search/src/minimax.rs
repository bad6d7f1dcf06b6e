//! [`Minimax`]: the complete game tree, and a depth-limited search that judges all other engines.

mod game_tree;

use stonework_game::{Game, Outcome, Player};

pub use self::game_tree::{Census, GameTree, Reply};
use crate::{
    Allowance, Bounds, Engine, Evaluator, Limits, Meter, Report, SearchContext, Stop, Value, WIN, WIN_BOUND,
};

/// Plain negamax over every line to a depth, or to the end: no pruning, no table, no order.
///
/// With a depth limit and an evaluator, minimax is the reference for all other engines. Without an evaluator,
/// minimax walks the complete game tree of the Rogers seed (§2.2, §4.2), with values −1, 0 and 1, the first best
/// move, and the size of the tree ([`Report::nodes`]); [`tree`](Minimax::tree) returns the values of all moves. A
/// value is exact for the depth that was searched. A value that the evaluator knows [exactly](Evaluator::exact)
/// ends a line. There is no recursion.
///
/// # Arguments
/// * The evaluator: the value of positions at the depth limit; `()` values all positions at 0.
/// * [`Limits`]: the search keeps depth, nodes, time and the cancel flag. The search does not use the seed.
///
/// # Returns
/// A [`Report`] with the exact value for the depth, one line, and proven bounds if no line was cut off. A search
/// that a limit of nodes or time ends has no value and no best move.
///
/// # Complexity
/// With b moves a position and depth d: time O(bᵈ), memory O(b · d) moves.
///
/// # References
/// *E. Zermelo, Über eine Anwendung der Mengenlehre auf die Theorie des Schachspiels, 1913; C. E. Shannon, Programming a
/// computer for playing chess, 1950.*
///
/// # Example
/// ```
/// use stonework_game::example::Nim;
/// use stonework_search::{Engine, Limits, Minimax, Value};
/// let report = Minimax::new(()).think(&Nim::new(7), &Limits::none());
/// assert_eq!((report.best, report.value), (Some(1), Value::Win(5)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Minimax<Eval = ()> {
    evaluate: Eval,
}

impl<Eval> Minimax<Eval> {
    /// An engine with an evaluator for positions at the depth limit.
    #[must_use]
    pub const fn new(evaluate: Eval) -> Self {
        Self { evaluate }
    }

    /// Walks the whole tree below a position, as far as the limits allow. The result has the exact value of each
    /// move, the best and the worst moves, and the numbers of positions and lines.
    ///
    /// A root that is over is a tree of one position.
    ///
    /// ```
    /// use stonework_game::example::Nim;
    /// use stonework_search::{Limits, Minimax};
    /// let tree = Minimax::new(()).tree(&Nim::new(7), &Limits::none());
    /// assert!(tree.best().map(|reply| reply.mv).eq([1]));
    /// assert!(tree.worst().map(|reply| (reply.mv, reply.bounds.value())).eq([(2, Some(-1))]));
    /// ```
    pub fn tree<G: Game>(&mut self, root: &G, limits: &Limits) -> GameTree<G::Move>
    where
        Eval: Evaluator<G>,
    {
        self.tree_within(root, &Meter::new(limits))
    }

    fn tree_within<G: Game>(&mut self, root: &G, meter: &Meter<'_>) -> GameTree<G::Move>
    where
        Eval: Evaluator<G>,
    {
        let mut walk = Walk {
            evaluate: &mut self.evaluate,
            depth: meter.limits().depth.unwrap_or(u32::MAX),
            game: root.clone(),
            plies: Vec::new(),
            spare: Vec::new(),
            moves: Vec::new(),
            total: Census::default(),
            census: Census::default(),
            replies: Vec::new(),
        };
        let value = walk.run(meter);
        walk.total.add(&walk.census);
        let solved = if walk.total.cut > 0 { Stop::Depth } else { Stop::Solved };
        GameTree {
            value: value.map_or(Value::Unknown, |value| walk.total.value(value)),
            bounds: value.map_or(Bounds::UNKNOWN, |value| walk.total.proves(value)),
            replies: walk.replies,
            census: walk.total,
            stopped: meter.stopped().unwrap_or(solved),
        }
    }
}

/// The value of a game that ends `more` plies after a position `plies` plies after the root, for the side to move
/// in that position. The sum of plies is bounded so that a win stays a proven win.
#[must_use]
pub(crate) fn known_value(outcome: Outcome, mover: Player, plies: u32, more: u32) -> i32 {
    let distance = plies.saturating_add(more).min((WIN - WIN_BOUND) as u32);
    outcome.value_for(mover) * (WIN - distance as i32)
}

/// One position of the current line.
struct Ply<G: Game> {
    moves: Vec<G::Move>,
    next: usize,
    undo: Option<G::Undo>,
    best: i32,
    line: Vec<G::Move>,
}

impl<G: Game> Ply<G> {
    const fn new() -> Self {
        Self { moves: Vec::new(), next: 0, undo: None, best: i32::MIN, line: Vec::new() }
    }
}

impl<G: Game, Eval: Evaluator<G>> Engine<G> for Minimax<Eval> {
    /// Searches to the end, or to a limit of nodes, time or the cancel flag; at such a limit the report has no
    /// value and `best` is `None`.
    fn search(&mut self, root: &G, limits: &Limits, context: SearchContext<'_, G::Move>) -> Report<G::Move> {
        context.unless_over(root, limits, |meter, watch| {
            let mut report = self.tree_within(root, meter).report(root);
            report.time = meter.elapsed();
            watch(&report);
            report
        })
    }
}

/// The walk over a tree.
struct Walk<'a, G: Game, Eval> {
    evaluate: &'a mut Eval,
    depth: u32,
    game: G,
    /// The positions of the current line.
    plies: Vec<Ply<G>>,
    spare: Vec<Ply<G>>,
    /// The moves of the newest position of the line.
    moves: Vec<G::Move>,
    /// The census of the root and of the finished replies.
    total: Census,
    /// The census of the current reply so far.
    census: Census,
    replies: Vec<Reply<G::Move>>,
}

impl<G: Game, Eval: Evaluator<G>> Walk<'_, G, Eval> {
    /// The value of the root; `None` if a limit ended the walk.
    fn run(&mut self, meter: &Meter<'_>) -> Option<i32> {
        let mut allowance = Allowance::default();
        loop {
            if !meter.node(&mut allowance) {
                return None;
            }
            self.census.nodes += 1;
            if let Some(value) = self.leaf() {
                // The root is the whole tree.
                if self.plies.is_empty() {
                    return Some(value);
                }
                self.back_up(value, &[]);
            } else {
                let mut ply = self.spare.pop().unwrap_or_else(Ply::new);
                std::mem::swap(&mut ply.moves, &mut self.moves);
                if self.plies.is_empty() {
                    // The root belongs to no reply's tree.
                    self.total = std::mem::take(&mut self.census);
                }
                self.plies.push(ply);
            }
            // The walk goes back to the nearest position with a move to try.
            while self.plies.last().is_some_and(|ply| ply.next == ply.moves.len()) {
                let mut done = self.plies.pop()?;
                if self.plies.is_empty() {
                    return Some(done.best);
                }
                self.back_up(done.best, &done.line);
                (done.next, done.best) = (0, i32::MIN);
                self.spare.push(done);
            }
            let ply = self.plies.last_mut()?;
            let mv = ply.moves[ply.next];
            ply.next += 1;
            ply.undo = Some(self.game.play_unchecked(mv));
        }
    }

    /// The value of the position for its side to move, if the line ends at the position; otherwise `None`, with
    /// the position's moves in `moves`.
    fn leaf(&mut self) -> Option<i32> {
        let plies = self.plies.len() as u32;
        let asked = plies > 0 || self.depth == 0;
        let over = self.game.outcome().map(|outcome| (outcome, 0));
        let known = over.or_else(|| if asked { self.evaluate.exact(&self.game) } else { None });
        let outcome = known.map(|(outcome, _)| outcome);
        let value = match known {
            Some((outcome, more)) => known_value(outcome, self.game.to_move(), plies, more),
            None if plies == self.depth => self.evaluate.evaluate(&self.game).clamp(-WIN / 2, WIN / 2),
            None => {
                self.moves.clear();
                self.game.legal_moves(&mut self.moves);
                if !self.moves.is_empty() {
                    return None;
                }
                0
            }
        };
        self.census.leaf(outcome, plies);
        Some(value)
    }

    /// Goes back to the parent, and updates the parent by the position's value and best line.
    fn back_up(&mut self, value: i32, line: &[G::Move]) {
        let mover = self.game.to_move();
        let root = self.plies.len() == 1;
        let Some(parent) = self.plies.last_mut() else { return };
        if let Some(undo) = parent.undo.take() {
            self.game.undo(undo);
        }
        let value = if mover == self.game.to_move() { value } else { -value };
        let mv = parent.moves[parent.next - 1];
        if value > parent.best {
            parent.best = value;
            parent.line.clear();
            parent.line.push(mv);
            parent.line.extend_from_slice(line);
        }
        if root {
            let census = std::mem::take(&mut self.census);
            self.total.add(&census);
            let line = std::iter::once(mv).chain(line.iter().copied()).collect();
            let bounds = census.proves(value);
            self.replies.push(Reply { mv, value: census.value(value), bounds, line, census });
        }
    }
}
