//! What a game's author can tell an engine, as type parameters: one value for each thread.

use std::convert::Infallible;

use rand_core::RngCore;
use stonework_game::{Game, Outcome, Player};

use crate::{Dial, DialError, Limits, Meter, Report};

/// A search engine for a game. Object-safe for a fixed game.
pub trait Engine<G: Game>: Send {
    /// Searches a position within the limits, all random choices coming from `seed`. `watch` is called
    /// with what is known whenever something new is, and the final report is returned.
    ///
    /// A root that is over, and limits that allow nothing, give a report that says so; nothing
    /// panics.
    fn search(
        &mut self,
        root: &G,
        limits: &Limits,
        seed: u64,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move>;

    /// The numbers that it can be tuned by; none unless the engine says otherwise.
    fn dials(&self) -> Vec<Dial> {
        Vec::new()
    }

    /// Sets one of its [dials](Engine::dials).
    ///
    /// # Errors
    /// For a dial that it does not have and a value that makes no sense; nothing is changed then.
    fn turn(&mut self, dial: &str, value: f64) -> Result<(), DialError> {
        Dial::find(&self.dials(), dial, value)?;
        Err(DialError::Refused { name: dial.to_owned(), value, why: "it is only shown".to_owned() })
    }
}

/// A boxed engine is an engine.
impl<G: Game, E: Engine<G> + ?Sized> Engine<G> for Box<E> {
    fn search(
        &mut self,
        root: &G,
        limits: &Limits,
        seed: u64,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        (**self).search(root, limits, seed, watch)
    }

    fn dials(&self) -> Vec<Dial> {
        (**self).dials()
    }

    fn turn(&mut self, dial: &str, value: f64) -> Result<(), DialError> {
        (**self).turn(dial, value)
    }
}

/// Searches with `search`, unless the root is over: then that is the report.
pub(crate) fn unless_over<G: Game>(
    root: &G,
    limits: &Limits,
    watch: &mut dyn FnMut(&Report<G::Move>),
    search: impl FnOnce(&Meter<'_>, &mut dyn FnMut(&Report<G::Move>)) -> Report<G::Move>,
) -> Report<G::Move> {
    if let Some(outcome) = root.outcome() {
        let report = Report::over(outcome, root.to_move());
        watch(&report);
        return report;
    }
    search(&Meter::new(limits), watch)
}

/// A heuristic value of a position that is not over, and what is known of it for certain.
pub trait Evaluate<G: Game>: Send {
    /// For the side to move, between `-WIN / 2` and `WIN / 2`; the other side's value is the negative.
    fn eval(&mut self, game: &G) -> i32;

    /// How a position that is not over ends with best play, and in how many plies from here (0 for a draw),
    /// where that is known for certain: from a table of endings. A search takes it for the end of the game,
    /// at the depth limit and before it, everywhere but at the root.
    ///
    /// It must hold for the position as it is, its past included: the search believes it whatever the
    /// game's [`horizon`](stonework_game::Keyed::horizon). By default nothing is known.
    fn exact(&mut self, _game: &G) -> Option<(Outcome, u32)> {
        None
    }
}

/// Everything is worth nothing: for searches that only want what is certain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flat;

impl<G: Game> Evaluate<G> for Flat {
    fn eval(&mut self, _: &G) -> i32 {
        0
    }
}

/// A function is an evaluator.
impl<G: Game, F: FnMut(&G) -> i32 + Send> Evaluate<G> for F {
    fn eval(&mut self, game: &G) -> i32 {
        self(game)
    }
}

/// A game's own opinion of which moves to try first.
pub trait Order<G: Game>: Send {
    /// The higher, the earlier; moves of equal worth keep the order of
    /// [`legal_moves`](Game::legal_moves).
    fn worth(&mut self, game: &G, mv: G::Move) -> i32;
}

impl<G: Game> Order<G> for Flat {
    fn worth(&mut self, _: &G, _: G::Move) -> i32 {
        0
    }
}

/// Which moves are noisy: those that a quiescence search follows beyond the depth.
pub trait Quiet<G: Game>: Send {
    /// Appends the noisy ones among the legal moves of a position that is not over.
    fn noisy(&mut self, game: &G, out: &mut Vec<G::Move>);
}

/// No move is noisy.
impl<G: Game> Quiet<G> for Flat {
    fn noisy(&mut self, _: &G, _: &mut Vec<G::Move>) {}
}

/// Handing the turn over without a move, for null-move pruning, where a game can express it.
pub trait Pass<G: Game>: Send {
    /// What takes a pass back.
    type Undo;

    /// Passes in a position that is not over; `None` where it cannot, or where passing is often better
    /// than any move.
    fn pass(&mut self, game: &mut G) -> Option<Self::Undo>;

    /// Takes a pass back; restores `==`.
    fn unpass(&mut self, game: &mut G, undo: Self::Undo);
}

/// Nobody passes.
impl<G: Game> Pass<G> for Flat {
    type Undo = Infallible;

    fn pass(&mut self, _: &mut G) -> Option<Infallible> {
        None
    }

    fn unpass(&mut self, _: &mut G, undo: Infallible) {
        match undo {}
    }
}

/// Plays a game to the end, somehow.
pub trait Playout<G: Game>: Send {
    /// The result for the first player, −1 to 1: a fraction where the playout stops before the end.
    fn run(&mut self, from: &G, rng: &mut impl RngCore) -> f32;

    /// The moves of the last run in order, with who made them.
    fn trace(&self) -> impl Iterator<Item = (Player, G::Move)> + '_;
}

/// What a look at a position decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict<M> {
    /// Nothing.
    Open,
    /// The side to move wins with this move.
    Win(M),
    /// The side to move loses, whatever it does.
    Loss,
    /// Every move outside the list loses.
    Only,
    /// This side cannot win any more.
    Never(Player),
    /// Neither side can win any more.
    Draw,
}

/// Cheap certainties of a game, such as wins in one move and forced replies.
pub trait Tactics<G: Game>: Send {
    /// Looks at a position that is not over. May play on it, and undoes what it has played. `only` comes
    /// empty, and is filled for [`Verdict::Only`].
    fn probe(&mut self, game: &mut G, only: &mut Vec<G::Move>) -> Verdict<G::Move>;

    /// Appends the line of threats on which [`probe`](Tactics::probe)'s verdict about this position rests, if it does on one:
    /// the winner's moves, each of which leaves the other side one answer, to the last that leaves none. If the winner is
    /// not to move, they win after every move that the verdict leaves out.
    fn line(&mut self, _game: &mut G, _line: &mut Vec<G::Move>) {}

    /// Puts the moves that a position is left with into an order, the most promising first. It costs time, never correctness.
    /// By default they stay as they are.
    fn order(&mut self, _game: &G, _moves: &mut [G::Move]) {}

    /// How hard a position looks that [`probe`](Tactics::probe) did not decide and just left so many moves of: first for the side to
    /// move to get what it wants, then for the other side to refute that. A proof-number search begins with these
    /// numbers; only their ratios matter, and they cost order, never correctness. Both are at least 1.
    fn estimate(&mut self, _game: &G, moves: u32) -> (u32, u32) {
        (1, moves)
    }
}

/// Nothing is known cheaply.
impl<G: Game> Tactics<G> for Flat {
    fn probe(&mut self, _: &mut G, _: &mut Vec<G::Move>) -> Verdict<G::Move> {
        Verdict::Open
    }
}

/// What is known of a new node's moves before any was tried, for Monte-Carlo trees.
pub trait Knowledge<G: Game>: Send {
    /// Appends one prior for each of `moves`, in their order: 0 for no opinion, up to about 1 for a move
    /// that is almost surely good; how much it weighs is the engine's option.
    fn priors(&mut self, game: &G, moves: &[G::Move], out: &mut Vec<f32>);
}

impl<G: Game> Knowledge<G> for Flat {
    fn priors(&mut self, _: &G, moves: &[G::Move], out: &mut Vec<f32>) {
        out.extend(moves.iter().map(|_| 0.0));
    }
}
