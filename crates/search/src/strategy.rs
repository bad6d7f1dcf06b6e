//! The strategies that a game's author can give to an engine. Each thread of a search has a clone of each
//! strategy.

use std::convert::Infallible;

use rand_core::RngCore;
use stonework_game::{Game, Outcome, Player};

use crate::Limits;

/// An evaluator: heuristic values of positions that are not over, and exact values of positions for which they are
/// known.
pub trait Evaluator<G: Game>: Send {
    /// The value for the side to move, between `-WIN / 2` and `WIN / 2`; the other side's value is the negative.
    fn evaluate(&mut self, game: &G) -> i32;

    /// The outcome with best play of a position that is not over, and the number of plies to this outcome (0 for a
    /// draw), if both are known for certain, for example from a table of endings. A search treats such a position
    /// as the end of the game, at the depth limit and before it, everywhere but at the root.
    ///
    /// The outcome must hold for the position with its history: the search does not check the game's
    /// [`horizon`](stonework_game::Keyed::horizon). `None` by default.
    fn exact(&mut self, _game: &G) -> Option<(Outcome, u32)> {
        None
    }
}

/// An evaluator with the value 0 for every position, for searches that use only proven values.
impl<G: Game> Evaluator<G> for () {
    fn evaluate(&mut self, _: &G) -> i32 {
        0
    }
}

/// A function is an evaluator.
impl<G: Game, F: FnMut(&G) -> i32 + Send> Evaluator<G> for F {
    fn evaluate(&mut self, game: &G) -> i32 {
        self(game)
    }
}

/// A game's own order of moves.
pub trait MoveOrder<G: Game>: Send {
    /// The worth of a move: moves of higher worth are tried earlier; moves of equal worth keep the order of
    /// [`legal_moves`](Game::legal_moves).
    fn worth(&mut self, game: &G, mv: G::Move) -> i32;
}

/// The moves stay in the order of [`legal_moves`](Game::legal_moves).
impl<G: Game> MoveOrder<G> for () {
    fn worth(&mut self, _: &G, _: G::Move) -> i32 {
        0
    }
}

/// The noisy moves of a game, which a quiescence search follows beyond the depth.
pub trait NoisyMoves<G: Game>: Send {
    /// Appends the noisy moves among the legal moves of a position that is not over.
    fn noisy_moves(&mut self, game: &G, out: &mut Vec<G::Move>);
}

/// No move is noisy.
impl<G: Game> NoisyMoves<G> for () {
    fn noisy_moves(&mut self, _: &G, _: &mut Vec<G::Move>) {}
}

/// The null move of a game, for null-move pruning: it passes the turn to the opponent.
pub trait NullMove<G: Game>: Send {
    /// The token that takes a null move back.
    type Undo;

    /// Passes in a position that is not over; `None` if the game allows no pass, or if passing is often better
    /// than any move.
    fn play_null(&mut self, game: &mut G) -> Option<Self::Undo>;

    /// Takes a pass back; restores `==`.
    fn undo_null(&mut self, game: &mut G, undo: Self::Undo);
}

/// A game without a null move.
impl<G: Game> NullMove<G> for () {
    type Undo = Infallible;

    fn play_null(&mut self, _: &mut G) -> Option<Infallible> {
        None
    }

    fn undo_null(&mut self, _: &mut G, undo: Infallible) {
        match undo {}
    }
}

/// A policy of playouts, which plays a game to its end.
pub trait PlayoutPolicy<G: Game>: Send {
    /// The result for the first player, −1 to 1: a fraction if the playout stops before the end.
    fn run(&mut self, from: &G, rng: &mut impl RngCore) -> f32;

    /// The moves of the last run in order, each with its player.
    fn trace(&self) -> impl Iterator<Item = (Player, G::Move)> + '_;
}

/// The verdict of [`Tactics`] about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict<M> {
    /// The position is not decided.
    Open,
    /// The side to move wins with this move.
    Win(M),
    /// The side to move loses after every move.
    Loss,
    /// Every move outside the list loses.
    Only,
    /// This side can no longer win.
    Never(Player),
    /// Neither side can win any more.
    Draw,
}

impl<M> Verdict<M> {
    /// The same verdict with the move in another form.
    pub fn map<N>(self, form: impl FnOnce(M) -> N) -> Verdict<N> {
        match self {
            Self::Open => Verdict::Open,
            Self::Win(mv) => Verdict::Win(form(mv)),
            Self::Loss => Verdict::Loss,
            Self::Only => Verdict::Only,
            Self::Never(player) => Verdict::Never(player),
            Self::Draw => Verdict::Draw,
        }
    }
}

/// Certain facts about a position that cost little, such as wins in one move and forced replies.
pub trait Tactics<G: Game>: Send {
    /// The verdict about a position that is not over. The method may play on the position, and undoes its moves.
    /// `only` is empty at the call; for [`Verdict::Only`] the method adds the moves that may not lose.
    fn probe(&mut self, game: &mut G, only: &mut Vec<G::Move>) -> Verdict<G::Move>;

    /// A verdict with the same contract that may take longer than that of [`probe`](Self::probe), for a position that a
    /// Monte-Carlo tree has visited often: [`MctsOptions::study_after`](crate::MctsOptions::study_after). A search within the
    /// study keeps the [`Effort`], and adds its nodes to it. The verdict of `probe` by default.
    fn study(&mut self, game: &mut G, _effort: &mut Effort, only: &mut Vec<G::Move>) -> Verdict<G::Move> {
        self.probe(game, only)
    }
}

/// The effort that a [study](Tactics::study) of a position may cost, and the nodes that it has cost.
///
/// ```
/// use stonework_search::Effort;
/// let effort = Effort::visits(1024);
/// assert_eq!((effort.visits, effort.nodes), (1024, 0));
/// ```
#[derive(Clone, Default, Debug)]
pub struct Effort {
    /// The number of times that the tree has visited the position: the more visits, the more effort is worth its time.
    pub visits: u32,
    /// The limits that are left to the whole search: nodes, time and the cancel flag.
    pub left: Limits,
    /// The nodes that searches within the study have visited.
    pub nodes: u64,
}

impl Effort {
    /// The effort for a position with this number of visits, without limits.
    #[must_use]
    pub fn visits(visits: u32) -> Self {
        Self { visits, ..Self::default() }
    }
}

/// Tactics with further methods for proof-number engines: initial numbers of open positions, an order of moves,
/// lines of threats for proofs. Every method has a default, so that one line makes any [`Tactics`] fit:
///
/// ```
/// use stonework_game::Game;
/// use stonework_search::{ProofTactics, Tactics, Verdict};
/// struct Blind;
/// impl<G: Game> Tactics<G> for Blind {
///     fn probe(&mut self, _: &mut G, _: &mut Vec<G::Move>) -> Verdict<G::Move> {
///         Verdict::Open
///     }
/// }
/// impl<G: Game> ProofTactics<G> for Blind {}
/// ```
pub trait ProofTactics<G: Game>: Tactics<G> {
    /// The initial (φ, δ) of a position that [`probe`](Tactics::probe) has just left open, with `moves` candidate
    /// moves: the effort to reach the goal of the side to move, and the effort to refute that goal. Both are at
    /// least 1. Only ratios matter, and the ratios affect the order of the search, never correctness. (1, `moves`)
    /// by default.
    fn estimate(&mut self, _game: &G, moves: u32) -> (u32, u32) {
        (1, moves)
    }

    /// Sorts the candidate moves of a position, the most promising first. The order affects the time, never
    /// correctness. By default the order does not change.
    fn order(&mut self, _game: &G, _moves: &mut [G::Move]) {}

    /// Appends the line of threats on which [`probe`](Tactics::probe)'s verdict about this position rests, if the
    /// verdict rests on such a line. The line has the winner's moves: each move but the last leaves the opponent
    /// one answer, and the last move leaves no answer. If the winner is not to move, the line wins after every
    /// move that the verdict leaves out. No line by default.
    fn threat_line(&mut self, _game: &mut G, _line: &mut Vec<G::Move>) {}

    /// Removes moves that lose from `moves`, the candidate moves of a position on which the search has already spent
    /// `work` nodes. Without any move left the side to move has lost. The search asks each time it returns to the
    /// position, but not at its root: facts that take longer than [`probe`](Tactics::probe) may are worth their time
    /// where `work` is large. Removes nothing by default.
    fn prune(&mut self, _game: &mut G, _work: u64, _moves: &mut Vec<G::Move>) {}
}

/// Every position is open.
impl<G: Game> Tactics<G> for () {
    fn probe(&mut self, _: &mut G, _: &mut Vec<G::Move>) -> Verdict<G::Move> {
        Verdict::Open
    }
}

/// `None` knows nothing: every position is open. So players with and without tactics have one type, and a program has the code
/// of their engine once.
impl<G: Game, T: Tactics<G>> Tactics<G> for Option<T> {
    fn probe(&mut self, game: &mut G, only: &mut Vec<G::Move>) -> Verdict<G::Move> {
        self.as_mut().map_or(Verdict::Open, |tactics| tactics.probe(game, only))
    }

    fn study(&mut self, game: &mut G, effort: &mut Effort, only: &mut Vec<G::Move>) -> Verdict<G::Move> {
        self.as_mut().map_or(Verdict::Open, |tactics| tactics.study(game, effort, only))
    }
}

impl<G: Game, T: ProofTactics<G>> ProofTactics<G> for Option<T> {
    fn estimate(&mut self, game: &G, moves: u32) -> (u32, u32) {
        self.as_mut().map_or((1, moves), |tactics| tactics.estimate(game, moves))
    }

    fn order(&mut self, game: &G, moves: &mut [G::Move]) {
        if let Some(tactics) = self {
            tactics.order(game, moves);
        }
    }

    fn threat_line(&mut self, game: &mut G, line: &mut Vec<G::Move>) {
        if let Some(tactics) = self {
            tactics.threat_line(game, line);
        }
    }

    fn prune(&mut self, game: &mut G, work: u64, moves: &mut Vec<G::Move>) {
        if let Some(tactics) = self {
            tactics.prune(game, work, moves);
        }
    }
}

impl<G: Game> ProofTactics<G> for () {}

/// Prior values of a new node's moves, for Monte-Carlo trees.
pub trait Priors<G: Game>: Send {
    /// Appends one prior for each of `moves`, in their order: 0 for no opinion, up to about 1 for a move
    /// that is almost surely good. The engine's options set the weight of priors; with
    /// [`puct`](crate::MctsOptions::puct) a prior is the chance that the move is the best one.
    fn priors(&mut self, game: &G, moves: &[G::Move], out: &mut Vec<f32>);
}

/// All priors are 0.
impl<G: Game> Priors<G> for () {
    fn priors(&mut self, _: &G, moves: &[G::Move], out: &mut Vec<f32>) {
        out.extend(moves.iter().map(|_| 0.0));
    }
}
