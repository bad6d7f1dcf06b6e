//! Plain minimax: the complete game tree, and a depth-limited search that the others are held against.

use stonework_game::{Game, Outcome};

use crate::{Bounds, Engine, Evaluate, Limits, Meter, Purse, Report, Stop, WIN};

/// Plain negamax over every line to a depth, or to the end: no pruning, no table, no order.
///
/// With a depth limit and an evaluator it is the judge for all other engines; without one it walks the
/// complete game tree of the Rogers seed (§2.2, §4.2): values −1, 0 and 1, the first best move, and the
/// size of the tree ([`Report::nodes`]). A value is exact for the depth that was searched. Time is the size
/// of the tree, memory one list of moves for each ply; no recursion.
///
/// ```
/// # use stonework_game::doc::Nim;
/// use stonework_search::{Engine, Flat, Limits, Minimax, WIN};
/// let report = Minimax::new(Flat).search(&Nim::new(7), &Limits::none(), 0, &mut |_| {});
/// assert_eq!((report.best, report.value), (Some(1), WIN - 5));       // leaves 6: won by the fifth ply
/// ```
#[derive(Clone, Debug, Default)]
pub struct Minimax<E = crate::Flat> {
    evaluate: E,
}

impl<E> Minimax<E> {
    /// With an evaluator for positions at the depth limit.
    #[must_use]
    pub const fn new(evaluate: E) -> Self {
        Self { evaluate }
    }
}

/// The value of a game that ended `plies` plies after the root, for the side to move there.
#[must_use]
pub(crate) const fn end_value(outcome: Outcome, mover: stonework_game::Player, plies: u32) -> i32 {
    outcome.value_for(mover) * (WIN - plies as i32)
}

/// One position on the way down.
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

impl<G: Game, E: Evaluate<G>> Engine<G> for Minimax<E> {
    /// Ends early only at a limit of nodes, time or the cancel flag; then nothing is known and
    /// `best` is `None`.
    fn search(
        &mut self,
        root: &G,
        limits: &Limits,
        _seed: u64,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let meter = Meter::new(limits);
        let mut purse = Purse::default();
        let mut report = match root.outcome() {
            Some(outcome) => Report::over(outcome, root.to_move()),
            None => self.tree(root, limits.depth.unwrap_or(u32::MAX), &meter, &mut purse),
        };
        meter.settle(&mut purse);
        report.nodes = meter.nodes();
        report.time = meter.elapsed();
        report.stopped = meter.stopped().unwrap_or(report.stopped);
        watch(&report);
        report
    }
}

impl<E> Minimax<E> {
    fn tree<G: Game>(&mut self, root: &G, depth: u32, meter: &Meter<'_>, purse: &mut Purse) -> Report<G::Move>
    where
        E: Evaluate<G>,
    {
        let mut game = root.clone();
        let mut plies: Vec<Ply<G>> = Vec::new();
        let mut spare: Vec<Ply<G>> = Vec::new();
        let mut moves = Vec::new();
        // Whether some line was cut off at the depth, or by a game that has no moves and says that it goes on.
        let mut cut = false;
        let mut entering = true;
        loop {
            if entering {
                if !meter.node(purse) {
                    return Report::empty();
                }
                let at = plies.len() as u32;
                let leaf = match game.outcome() {
                    Some(outcome) => Some(end_value(outcome, game.to_move(), at)),
                    None if at == depth => {
                        cut = true;
                        Some(self.evaluate.eval(&game))
                    }
                    None => {
                        moves.clear();
                        game.legal_moves(&mut moves);
                        cut |= moves.is_empty();
                        moves.is_empty().then_some(0)
                    }
                };
                if let Some(value) = leaf {
                    let mover = game.to_move();
                    let Some(parent) = plies.last_mut() else {
                        // The root is all there is.
                        return Report { value, stopped: Stop::Depth, ..Report::empty() };
                    };
                    if let Some(undo) = parent.undo.take() {
                        game.undo(undo);
                    }
                    Self::back_up(parent, mover, &game, value, &[]);
                } else {
                    let mut ply = spare.pop().unwrap_or_else(Ply::new);
                    std::mem::swap(&mut ply.moves, &mut moves);
                    plies.push(ply);
                }
            }
            let Some(ply) = plies.last_mut() else { return Report::empty() };
            if let Some(&mv) = ply.moves.get(ply.next) {
                ply.next += 1;
                ply.undo = Some(game.play_unchecked(mv));
                entering = true;
                continue;
            }
            let Some(mut done) = plies.pop() else { return Report::empty() };
            let mover = game.to_move();
            let Some(parent) = plies.last_mut() else {
                return Self::report(root, done.best, done.line, depth, cut);
            };
            if let Some(undo) = parent.undo.take() {
                game.undo(undo);
            }
            Self::back_up(parent, mover, &game, done.best, &done.line);
            (done.next, done.best) = (0, i32::MIN);
            spare.push(done);
            entering = false;
        }
    }

    /// Hands a child's value up; `game` is the parent's position.
    fn back_up<G: Game>(
        parent: &mut Ply<G>,
        child_mover: stonework_game::Player,
        game: &G,
        value: i32,
        line: &[G::Move],
    ) {
        let value = if child_mover == game.to_move() { value } else { -value };
        if value > parent.best {
            parent.best = value;
            parent.line.clear();
            parent.line.push(parent.moves[parent.next - 1]);
            parent.line.extend_from_slice(line);
        }
    }

    fn report<G: Game>(root: &G, value: i32, line: Vec<G::Move>, depth: u32, cut: bool) -> Report<G::Move> {
        let sure = value.abs() >= crate::SURE || !cut;
        let bounds = if sure { Bounds::exact(value.signum() as i8) } else { Bounds::UNKNOWN };
        Report {
            best: line.first().copied(),
            value,
            bounds,
            proof: bounds.outcome(root.to_move()),
            line,
            depth,
            stopped: if cut { Stop::Depth } else { Stop::Solved },
            ..Report::empty()
        }
    }
}
