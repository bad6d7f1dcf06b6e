//! The conformance kit against wrong rules: each of them is found by name, and shown by a small game.
//!
//! One slow implementation of each game's rules takes a fault: one thing that it does wrong. Without a fault the
//! kit finds nothing; with any of them it must.

mod cachex;
mod cover;
mod havannah;

use std::fmt::Debug;

use std::time::Duration;

use stonework_board::Notation;
use stonework_oracle::{Conformance, Fault, GameText, Query, QueryResult, Report, State, Subject};

/// An enum of faults, each with a sentence on what the rules then do wrong.
macro_rules! faults {
    ($($name:ident: $what:literal,)*) => {
        /// One thing that the rules do wrong.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Fault {
            /// The rules are right.
            Nothing,
            $(#[doc = $what] $name,)*
        }

        impl Fault {
            /// All faults, with what they do.
            pub(crate) const ALL: &[(Self, &str)] = &[$((Self::$name, $what)),*];
        }
    };
}
use faults;

/// Slow rules of a game that can be wrong in one way.
trait Rules: Clone {
    /// The ways to be wrong.
    type Fault: Copy + PartialEq + Debug;

    /// The position that a question starts from.
    fn start(query: &Query, fault: Self::Fault) -> Result<Self, String>;

    /// Plays a move, or says of what kind the refusal is.
    fn play(&mut self, text: &str) -> Result<(), &'static str>;

    /// What is true of the position.
    fn state(&self) -> State;

    /// Whether these rules answer more than they must: only where the fault is in what else is told, so that all
    /// others have to be found without.
    fn told(fault: Self::Fault) -> bool;

    /// The index that is told of a refused move, of so many.
    fn index(fault: Self::Fault, at: usize, moves: usize) -> usize;
}

/// Rules as a subject, which goes on from what the last question has in common with this one.
struct Slow<R: Rules> {
    fault: R::Fault,
    asked: Query,
    states: Vec<R>,
}

impl<R: Rules> Slow<R> {
    fn new(fault: R::Fault) -> Self {
        Self { fault, asked: Query::new("", 0, false, Vec::new()), states: Vec::new() }
    }
}

impl<R: Rules> Subject for Slow<R> {
    fn replay(&mut self, query: &Query) -> Result<QueryResult, String> {
        let start = |query: &Query| Query { moves: Vec::new(), ..query.clone() };
        if start(query) != start(&self.asked) {
            self.states = vec![R::start(query, self.fault)?];
        }
        let same = self.asked.moves.iter().zip(&query.moves).take_while(|(one, other)| one == other).count();
        self.states.truncate(same + 1);
        self.asked = query.clone();
        for (at, text) in query.moves.iter().enumerate().skip(self.states.len() - 1) {
            let mut next = self.states[at].clone();
            if let Err(kind) = next.play(text) {
                let at = R::index(self.fault, at, query.moves.len());
                return Ok(Err(Fault { at: Some(at), ..Fault::new(kind, text) }));
            }
            self.states.push(next);
        }
        let state = self.states[query.moves.len()].state();
        if R::told(self.fault) {
            return Ok(Ok(state));
        }
        Ok(Ok(State { to_move: state.to_move, outcome: state.outcome, ..State::default() }))
    }
}

/// What the kit reports of rules with a fault.
fn compare<R: Rules>(kit: &Conformance, fault: R::Fault) -> Report {
    kit.run(&mut Slow::<R>::new(fault))
}

/// All faults are found, and those rules that have none pass. On boards up to size 5, a game from which no move can
/// be left out has at most `longest` moves.
fn hold<R: Rules>(kit: &Conformance, right: R::Fault, faults: &[(R::Fault, &str)], longest: usize) {
    let kit = kit.clone().shrink_for(Duration::from_secs(2));
    let report = compare::<R>(&kit, right);
    assert_eq!(report.counterexample, None, "right rules: {}", report.counterexample.as_ref().unwrap());
    println!("right rules: {} games, no disagreement\n{}", report.games, report.tried);
    let mut missed = Vec::new();
    for &(fault, what) in faults {
        let report = compare::<R>(&kit, fault);
        let Some(found) = report.counterexample else {
            println!("{fault:?}: not found in {} games", report.games);
            missed.push(format!("{fault:?}: {what}"));
            continue;
        };
        let (moves, GameText { size, name, .. }) = (found.game.moves.len(), &found.game);
        println!(
            "{fault:?}: {moves} moves on size {size} after {} games ({name}): {}",
            report.games, found.what
        );
        assert!(moves <= longest || *size > 5 || !found.least, "{fault:?}: {found}");
        assert!(moves <= found.found_with, "{fault:?}: {found}");
    }
    assert!(missed.is_empty(), "not found: {missed:#?}");
}

#[test]
fn every_fault_of_havannah_is_found_and_shown_by_a_small_game() {
    const { assert!(havannah::Fault::ALL.len() >= 40) };
    let kit = Conformance::havannah(1).random_games(10).notations(Notation::ALL);
    hold::<havannah::Havannah>(&kit, havannah::Fault::Nothing, havannah::Fault::ALL, 38);
}

#[test]
fn every_fault_of_cachex_is_found_and_shown_by_a_small_game() {
    const { assert!(cachex::Fault::ALL.len() >= 40) };
    let kit = Conformance::cachex(1).random_games(10);
    hold::<cachex::Cachex>(&kit, cachex::Fault::Nothing, cachex::Fault::ALL, 80);
}

#[test]
fn every_fault_of_cover_is_found_and_shown_by_a_small_game() {
    const { assert!(cover::Fault::ALL.len() >= 40) };
    let kit = Conformance::cover(1).random_games(10);
    hold::<cover::Cover>(&kit, cover::Fault::Nothing, cover::Fault::ALL, 8);
}

/// A ring that is seen only around an empty cell: six stones around one of five of the other side show it, whatever
/// game it is found with.
#[test]
fn a_ring_around_a_stone_is_shown_with_eleven_moves() {
    for seed in 1..=8 {
        let kit = Conformance::havannah(seed).sizes([3]).random_games(100);
        let report = compare::<havannah::Havannah>(&kit, havannah::Fault::RingOnlyAroundEmpty);
        let found = report.counterexample.unwrap();
        assert_eq!((found.game.moves.len(), found.least), (11, true), "seed {seed}: {found}");
    }
}
