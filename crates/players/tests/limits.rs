//! Everybody in the three rosters ends by each limit that the roster says ends a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use stonework_game::Game;
use stonework_players::roster::{Entry, RosterError, Seat};
use stonework_players::{cachex, cover, roster};
use stonework_search::{Agent, Clock, Engine, Limits, Stop};

/// How long a search may take on a busy machine before it counts as one without an end.
const LONG: Duration = Duration::from_secs(120);

/// Limits, one at a time.
fn limits() -> [(&'static str, Limits); 4] {
    [
        ("time", Limits::none().time(Duration::from_millis(20))),
        ("nodes", Limits::none().nodes(500)),
        ("simulations", Limits::none().simulations(20)),
        ("depth", Limits::none().depth(1)),
    ]
}

/// Does something with a flag that is set if it takes too long; whether that was not needed.
fn ends(act: impl FnOnce(Arc<AtomicBool>)) -> bool {
    let flag = Arc::new(AtomicBool::new(false));
    let (done, wait) = channel::<()>();
    let late = Arc::clone(&flag);
    let watchdog = thread::spawn(move || {
        if wait.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
            late.store(true, Ordering::Relaxed);
        }
    });
    act(Arc::clone(&flag));
    drop(done);
    watchdog.join().unwrap();
    !flag.load(Ordering::Relaxed)
}

/// How a roster makes one by name.
type Make<T> = fn(&str, &Seat) -> Result<Box<T>, RosterError>;

fn all_end<G: Game>(roster: &[Entry], start: &G, engine: Make<dyn Engine<G>>, agent: Make<dyn Agent<G>>) {
    for entry in roster {
        assert_eq!(entry.ends(&Limits::none().bytes(1 << 20)), !entry.engine && entry.name != "perfect");
        for (what, limits) in limits() {
            if !entry.ends(&limits) {
                assert!(["simulations", "depth"].contains(&what), "{}, {what}", entry.name);
                continue;
            }
            let limits = limits.bytes(8 << 20);
            let seat = Seat { limits: limits.clone(), ..Seat::default() };
            if what == "simulations" && agent(entry.name, &seat).is_err() {
                // It plays, but makes none.
                continue;
            }
            let played = ends(|flag| {
                let seat = Seat { limits: limits.clone().cancel(flag), ..Seat::default() };
                let mut agent = agent(entry.name, &seat).unwrap();
                assert!(agent.decide(start, &Clock::NONE).is_some(), "{}, {what}", entry.name);
            });
            assert!(played, "{} plays for ever with a limit of {what}", entry.name);
            if !entry.engine {
                continue;
            }
            let searched = ends(|flag| {
                let mut engine = engine(entry.name, &seat).unwrap();
                let report = engine.search(start, &limits.cancel(flag), 1, &mut |_| {});
                assert_ne!(report.stopped, Stop::Cancel, "{}, {what}", entry.name);
            });
            assert!(searched, "{} searches for ever with a limit of {what}", entry.name);
        }
    }
}

#[test]
fn everybody_ends_by_each_limit_that_the_roster_says() {
    let havannah = stonework_havannah::Position::new(5).unwrap();
    all_end(roster::ROSTER, &havannah, roster::engine, roster::agent);
    let board = stonework_cachex::Position::new(6).unwrap();
    all_end(cachex::roster::ROSTER, &board, cachex::roster::engine, cachex::roster::agent);
    let board = stonework_cover::Position::new(3).unwrap();
    all_end(cover::roster::ROSTER, &board, cover::roster::engine, cover::roster::agent);
}

#[test]
fn what_looks_to_no_fixed_depth_is_not_said_to_end_by_one() {
    let names = |roster: &[Entry]| -> Vec<&str> {
        let endless = roster.iter().filter(|entry| !entry.ends(&Limits::none().depth(2)));
        endless.map(|entry| entry.name).collect()
    };
    assert_eq!(names(roster::ROSTER), ["mcts", "hybrid", "uct", "rave", "perfect"]);
    assert_eq!(names(cachex::roster::ROSTER), ["mcts", "uct"]);
    assert_eq!(names(cover::roster::ROSTER), ["uct"]);
}
