//! The conformance kit with wrong rules: the kit finds each fault, and shows it by a small game.
//!
//! One slow implementation of each game's rules takes a fault: one error of the rules. Without a fault the kit must
//! find nothing; with any fault it must find a disagreement.

mod cachex;
mod cover;
mod havannah;

use std::fmt::Debug;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use stonework_board::Notation;
use stonework_oracle::{Conformance, Fault, GameText, Query, QueryResult, Report, State, Subject};

/// An enum of faults, each with a sentence on the wrong rule.
macro_rules! faults {
    ($($name:ident: $what:literal,)*) => {
        /// An error of the rules.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Fault {
            /// The rules are right.
            Nothing,
            $(#[doc = $what] $name,)*
        }

        impl Fault {
            /// All faults, with their sentences.
            pub(crate) const ALL: &[(Self, &str)] = &[$((Self::$name, $what)),*];
        }
    };
}
use faults;

/// Slow rules of a game, with at most one fault.
trait Rules: Clone {
    /// The faults of these rules.
    type Fault: Copy + PartialEq + Debug + Sync;

    /// The position that a question starts from.
    fn start(query: &Query, fault: Self::Fault) -> Result<Self, String>;

    /// Plays a move. The error is the kind of the refusal.
    fn play(&mut self, text: &str) -> Result<(), &'static str>;

    /// The facts about the position.
    fn state(&self) -> State;

    /// `true` if these rules also give the optional fields of an answer: only for a fault in these fields. The kit must
    /// find all other faults without them.
    fn told(fault: Self::Fault) -> bool;

    /// The index in the answer for a refused move `at`, of a game of `moves` moves.
    fn index(fault: Self::Fault, at: usize, moves: usize) -> usize;
}

/// Rules as a subject, which reuses the positions that the last question has in common with this question.
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

/// The report of the kit on rules with a fault.
fn compare<R: Rules>(kit: &Conformance, fault: R::Fault) -> Report {
    kit.run(&mut Slow::<R>::new(fault))
}

/// The kit finds all faults, in two threads, and rules without a fault pass. On boards up to size 5, a game without a superfluous move
/// has at most `longest` moves.
fn hold<R: Rules>(kit: &Conformance, right: R::Fault, faults: &[(R::Fault, &str)], longest: usize) {
    // The games are made once, not once for each fault.
    let kit = kit.clone().sizes([]).games(kit.corpus()).shrink_for(Duration::from_secs(1));
    let report = compare::<R>(&kit, right);
    assert_eq!(report.counterexample, None, "right rules: {}", report.counterexample.as_ref().unwrap());
    println!("right rules: {} games, no disagreement\n{}", report.games, report.tried);
    let (next, missed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let find = || {
        while let Some(&(fault, what)) = faults.get(next.fetch_add(1, Ordering::Relaxed)) {
            let report = compare::<R>(&kit, fault);
            let Some(found) = report.counterexample else {
                println!("{fault:?}: not found in {} games", report.games);
                missed.lock().unwrap().push(format!("{fault:?}: {what}"));
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
    };
    thread::scope(|scope| {
        scope.spawn(find);
        find();
    });
    let missed = missed.into_inner().unwrap();
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

/// Rules that see a ring only around an empty cell: the smallest game has six stones around one of five stones of the
/// other side, whatever the first game.
#[test]
fn a_ring_around_a_stone_is_shown_with_eleven_moves() {
    for seed in 1..=8 {
        let kit = Conformance::havannah(seed).sizes([3]).random_games(100);
        let report = compare::<havannah::Havannah>(&kit, havannah::Fault::RingOnlyAroundEmpty);
        let found = report.counterexample.unwrap();
        assert_eq!((found.game.moves.len(), found.least), (11, true), "seed {seed}: {found}");
    }
}
