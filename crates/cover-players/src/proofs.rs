//! [`DeepeningSolver`]: proof numbers in Cover, whose games may go on for ever.

use std::time::Duration;

use stonework_cover::{IllegalMove, Move, Passed, Position, Undo};
use stonework_endgame::replies;
use stonework_game::{Finite, Game, Keyed, Outcome, Player, Sym};
use stonework_search::{
    Bounds, Engine, Limits, Line, Meter, NoisyMoves, ProofTactics, Report, SearchContext, Stop, Tactics,
    Value, Verdict, WIN, WIN_BOUND,
};

use crate::{Endings, Shots};

/// A position of Cover that is played for a limited number of plies, and ends where a table of endings has a value.
///
/// A game of Cover can repeat positions. Proof-number search needs games that end ([`Finite`]): a position that came again
/// below itself would count as a step of its own proof, and its result would depend on the way to it. A bounded
/// position and its key include the number of plies that are left, so that no position comes again. With no plies
/// left, the game is a draw.
///
/// A *win* of either side is a win of Cover, by the rules or by the table. A *draw* means only that neither side has won
/// within the plies. The values of the table hold for every history, as its states include their history.
///
/// ```
/// use stonework_cover::Position;
/// use stonework_game::{Game, Textual, Outcome, Player};
/// use stonework_cover_players::{ImmediateThreats, Bounded};
/// use stonework_search::{Dfpn, Engine, Limits};
/// let game = Position::parse_position("4 b four [H10]x[J09] -")?;
/// let prove = |plies| {
///     let bounded = Bounded::new(game.clone(), plies, None);
///     Dfpn::default().tactics(ImmediateThreats).think(&bounded, &Limits::none()).proven
/// };
/// assert_eq!((prove(2), prove(9)), (Some(Outcome::Draw), Some(Outcome::Win(Player::First))));
/// # Ok::<(), stonework_game::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounded {
    game: Position,
    left: u32,
    endings: Option<Endings>,
    /// The outcome by the rules or by the table, if the position has one.
    ended: Option<Outcome>,
}

/// The reason why a move of a [`Bounded`] game is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoundedError {
    /// The move breaks a rule of Cover.
    #[error(transparent)]
    Rule(#[from] IllegalMove),
    /// No plies are left, or the table has the value of the position.
    #[error("the game is over: {left} plies are left")]
    Over {
        /// The plies that are left.
        left: u32,
    },
}

impl Bounded {
    /// The position `game`, to be played for `plies` plies, or until the table has a value.
    #[must_use]
    pub fn new(game: Position, plies: u32, endings: Option<Endings>) -> Self {
        let mut bounded = Self { game, left: plies, endings, ended: None };
        bounded.ended = bounded.end();
        bounded
    }

    /// The position of Cover.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.game
    }

    /// The plies that are left.
    #[must_use]
    pub const fn left(&self) -> u32 {
        self.left
    }

    fn end(&self) -> Option<Outcome> {
        self.game.outcome().or_else(|| {
            let value = self.endings.as_ref().and_then(|endings| endings.value(&self.game));
            value.map(|value| value.outcome(self.game.to_move()))
        })
    }

    fn pass(&mut self) -> Option<(Passed, Option<Outcome>)> {
        let passed = self.game.pass()?;
        let before = self.ended;
        self.ended = self.end();
        Some((passed, before))
    }

    fn undo_null(&mut self, (passed, before): (Passed, Option<Outcome>)) {
        self.game.undo_null(passed);
        self.ended = before;
    }

    /// A move that wins at once.
    fn winning(&mut self) -> Option<Move> {
        if self.outcome().is_some() {
            return None;
        }
        let mover = self.to_move();
        winners(&self.game).into_iter().find(|&mv| {
            let undo = self.play_unchecked(mv);
            let won = self.outcome() == Some(Outcome::Win(mover));
            self.undo(undo);
            won
        })
    }
}

/// The moves that may win at once in a position that is not over: shots and the step onto the homebase; all moves if
/// the opponent has one stone, which may be left without a move. Only a shot leads from a position that a table lacks
/// to a position that it has.
pub(super) fn winners(game: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    if game.stone_count(game.to_move().other()) > 1 {
        Shots.noisy_moves(game, &mut moves);
    } else {
        game.legal_moves(&mut moves);
    }
    moves
}

impl Game for Bounded {
    type Move = Move;
    type Undo = (Undo, Option<Outcome>);
    type Illegal = BoundedError;

    fn to_move(&self) -> Player {
        self.game.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.ended.or_else(|| (self.left == 0).then_some(Outcome::Draw))
    }

    fn legal_moves(&self, out: &mut impl Extend<Move>) {
        if self.outcome().is_none() {
            self.game.legal_moves(out);
        }
    }

    fn check(&self, mv: Move) -> Result<(), BoundedError> {
        if self.outcome().is_some() {
            return Err(BoundedError::Over { left: self.left });
        }
        Ok(self.game.check(mv)?)
    }

    fn play_unchecked(&mut self, mv: Move) -> Self::Undo {
        self.left = self.left.saturating_sub(1);
        let undo = (self.game.play_unchecked(mv), self.ended);
        self.ended = self.end();
        undo
    }

    fn undo(&mut self, (undo, ended): Self::Undo) {
        self.left += 1;
        self.game.undo(undo);
        self.ended = ended;
    }
}

impl Finite for Bounded {}

/// The factor of the plies that are left in the key.
const PLIES_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Keyed for Bounded {
    fn key(&self) -> u64 {
        self.game.key() ^ u64::from(self.left).wrapping_mul(PLIES_FACTOR)
    }

    fn canonical(&self) -> (u64, Sym) {
        let (key, to) = self.game.canonical();
        (key ^ u64::from(self.left).wrapping_mul(PLIES_FACTOR), to)
    }

    fn map_move(&self, to: Sym, mv: Move) -> Move {
        self.game.map_move(to, mv)
    }

    fn unmap_move(&self, to: Sym, mv: Move) -> Move {
        self.game.unmap_move(to, mv)
    }
}

/// Verdicts by moves that end a game at once: a step onto the homebase, the shot at a last stone, a move that leaves a last
/// stone no reply, a shot that leads to a won ending.
///
/// The side to move wins if it has such a move. If its opponent threatens such a move, the side to move must answer the
/// threat. Each probe plays all moves, and the shots after them.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImmediateThreats;

impl Tactics<Bounded> for ImmediateThreats {
    fn probe(&mut self, game: &mut Bounded, only: &mut Vec<Move>) -> Verdict<Move> {
        if let Some(mv) = game.winning() {
            return Verdict::Win(mv);
        }
        if game.left < 2 {
            return Verdict::Open;
        }
        let Some(passed) = game.pass() else { return Verdict::Open };
        let threat = game.outcome().is_none() && game.winning().is_some();
        game.undo_null(passed);
        if !threat {
            return Verdict::Open;
        }
        game.legal_moves(only);
        only.retain(|&mv| {
            let undo = game.play_unchecked(mv);
            let answered = game.outcome().is_some() || game.winning().is_none();
            game.undo(undo);
            answered
        });
        if only.is_empty() { Verdict::Loss } else { Verdict::Only }
    }
}

impl ProofTactics<Bounded> for ImmediateThreats {}

/// The largest number of plies that a game may have.
const MAX_PLIES: u32 = 200;

/// A solver of Cover by games of limited length. It searches the position as a [`Bounded`] game of two plies, then of
/// half as many plies more each time.
///
/// The solver proves only wins: a game that neither side wins within some plies is no draw of Cover. The value counts
/// the plies of the line, which need not be the shortest. The limit of depth is the largest number of plies, 200 if
/// none is set. The other limits hold for all searches together.
///
/// ```
/// use stonework_cover::Position;
/// use stonework_game::{Textual, Outcome, Player};
/// use stonework_cover_players::{ImmediateThreats, DeepeningSolver};
/// use stonework_search::{Dfpn, Engine, Limits};
/// let game = Position::parse_position("4 r four [C02]x[A04] C02-D03,B05-A04,D03-C02")?;
/// let report = DeepeningSolver::new(Dfpn::default().tactics(ImmediateThreats), None).think(&game, &Limits::none());
/// assert_eq!(report.proven, Some(Outcome::Win(Player::First)));
/// # Ok::<(), stonework_game::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DeepeningSolver<E> {
    engine: E,
    endings: Option<Endings>,
}

impl<E: Engine<Bounded>> DeepeningSolver<E> {
    /// A solver of Cover by the solver `engine` of limited games, with a table of endings or without.
    #[must_use]
    pub const fn new(engine: E, endings: Option<Endings>) -> Self {
        Self { engine, endings }
    }
}

impl<E: Engine<Bounded>> Engine<Position> for DeepeningSolver<E> {
    fn search(&mut self, root: &Position, limits: &Limits, context: SearchContext<'_, Move>) -> Report<Move> {
        let seed = context.seed;
        context.unless_over(root, limits, |meter, watch| self.search_within(root, meter, seed, watch))
    }

    fn new_game(&mut self) {
        self.engine.new_game();
    }
}

impl<E: Engine<Bounded>> DeepeningSolver<E> {
    /// Searches a position that is not over.
    fn search_within(
        &mut self,
        root: &Position,
        meter: &Meter<'_>,
        seed: u64,
        watch: &mut dyn FnMut(&Report<Move>),
    ) -> Report<Move> {
        let limits = meter.limits();
        if let Some(report) = without_search(root, self.endings.as_ref()) {
            watch(&report);
            return report;
        }
        let most = limits.depth.unwrap_or(MAX_PLIES).min(MAX_PLIES);
        let (mut plies, mut nodes) = (most.min(2), 0);
        loop {
            let time_left = |all: Option<Duration>| all.map(|all| all.saturating_sub(meter.elapsed()));
            let left = Limits {
                nodes: limits.nodes.map(|all| all - nodes.min(all)),
                time: time_left(limits.time),
                enough: time_left(limits.enough),
                depth: None,
                ..limits.clone()
            };
            let bounded = Bounded::new(root.clone(), plies, self.endings.clone());
            let mut report = self.engine.search(&bounded, &left, SearchContext::seed(seed));
            let won = matches!(report.proven, Some(Outcome::Win(_)));
            if won {
                to_the_end(root, self.endings.as_ref(), plies, &mut report);
            } else {
                (report.bounds, report.proven, report.value) = (Bounds::UNKNOWN, None, Value::Unknown);
            }
            nodes += report.nodes;
            (report.nodes, report.time, report.depth) = (nodes, meter.elapsed(), plies);
            let goes_on = !won && report.stopped == Some(Stop::Solved) && plies < most;
            if !won && report.stopped == Some(Stop::Solved) {
                report.stopped = Some(Stop::Depth);
            }
            watch(&report);
            if !goes_on {
                return report;
            }
            plies = (plies + (plies / 2).next_multiple_of(2).max(2)).min(most);
        }
    }
}

/// Extends the line of a win to the end of the game by the table, and sets the value to the plies of the line. If the line
/// breaks off before the end, the value is a win in `plies` plies or, with a table, in the largest number of plies.
pub(super) fn to_the_end(root: &Position, endings: Option<&Endings>, plies: u32, report: &mut Report<Move>) {
    let mut game = root.clone();
    let Some(line) = report.lines.first_mut() else { return };
    for &mv in &line.moves {
        game.play_unchecked(mv);
    }
    let plies = match without_search(&game, endings) {
        Some(end) => {
            line.moves.extend(end.line());
            line.moves.len() as u32
        }
        None if endings.is_none() => plies,
        None => WIN.abs_diff(WIN_BOUND),
    };
    line.value = match report.bounds.value() {
        Some(1) => Value::Win(plies),
        Some(-1) => Value::Loss(plies),
        _ => Value::Unknown,
    };
    report.value = line.value;
}

/// The report on a position that is over or in the table, with the whole line of best play.
pub(super) fn without_search(root: &Position, endings: Option<&Endings>) -> Option<Report<Move>> {
    if let Some(outcome) = root.outcome() {
        return Some(Report::over(outcome, root.to_move()));
    }
    let endings = endings?;
    let value = endings.value(root)?;
    let (mut game, mut line) = (root.clone(), Vec::new());
    // The line of a drawn game has one move.
    for _ in 0..value.distance().unwrap_or(1) {
        let Ok::<_, std::convert::Infallible>(all) = replies(&game, |next| Ok(endings.value(next)));
        let Some(&(mv, _)) = all.first() else { break };
        line.push(mv);
        game.play_unchecked(mv);
    }
    let outcome = value.outcome(root.to_move());
    let plies = value.distance().map_or(0, u32::from);
    let value = Value::of(outcome, root.to_move(), plies);
    Some(Report {
        best: line.first().copied(),
        value,
        bounds: Bounds::of(outcome, root.to_move()),
        proven: Some(outcome),
        lines: if line.is_empty() { Vec::new() } else { vec![Line::new(line, value)] },
        stopped: Some(Stop::Solved),
        ..Report::empty()
    })
}
