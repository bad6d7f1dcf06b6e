//! Every player of the three rosters ends by each limit that the roster names as one that ends its search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use stonework_game::Game;
use stonework_roster::Clock;
use stonework_roster::{PlayerConfig, Roster, RosterEntry};
use stonework_search::{Limits, SearchContext, Stop};

/// The time after which a search on a busy machine counts as endless.
const LONG: Duration = Duration::from_secs(120);

/// The limits, one at a time.
fn limits() -> [(&'static str, Limits); 4] {
    [
        ("time", Limits::none().time(Duration::from_millis(20))),
        ("nodes", Limits::none().nodes(500)),
        ("simulations", Limits::none().simulations(20)),
        ("depth", Limits::none().depth(1)),
    ]
}

/// Runs a function with a flag that is set after [`LONG`]. Returns `true` if the function ended before.
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

fn all_end<G: Game + 'static>(roster: &Roster<G>, start: &G) {
    for entry in roster.entries() {
        let name = entry.name();
        assert_eq!(entry.ends(&Limits::none().bytes(1 << 20)), !entry.is_engine() && name != "perfect");
        for (what, limits) in limits() {
            if !entry.ends(&limits) {
                assert!(["simulations", "depth"].contains(&what), "{name}, {what}");
                continue;
            }
            let limits = limits.bytes(8 << 20);
            let config = PlayerConfig { limits: limits.clone(), ..PlayerConfig::default() };
            if what == "simulations" && roster.agent(name, &config).is_err() {
                // The player plays, but has no simulations.
                continue;
            }
            let played = ends(|flag| {
                let config = PlayerConfig { limits: limits.clone().cancel(flag), ..PlayerConfig::default() };
                let mut agent = roster.agent(name, &config).unwrap();
                assert!(agent.decide(start, &Clock::NONE).is_some(), "{name}, {what}");
            });
            assert!(played, "{name} plays for ever with a limit of {what}");
            if !entry.is_engine() {
                continue;
            }
            let searched = ends(|flag| {
                let mut engine = roster.engine(name, &config).unwrap();
                let report = engine.search(start, &limits.cancel(flag), SearchContext::seed(1));
                assert_ne!(report.stopped, Some(Stop::Cancel), "{name}, {what}");
            });
            assert!(searched, "{name} searches for ever with a limit of {what}");
        }
    }
}

#[test]
fn everybody_ends_by_each_limit_that_the_roster_says() {
    all_end(&stonework_havannah_players::roster(None), &stonework_havannah::Position::new(5).unwrap());
    all_end(&stonework_cachex_players::roster(), &stonework_cachex::Position::new(6).unwrap());
    all_end(&stonework_cover_players::roster(None), &stonework_cover::Position::new(3).unwrap());
}

fn without_depth<G: Game>(roster: &Roster<G>) -> Vec<&str> {
    let endless = roster.entries().iter().filter(|entry| !entry.ends(&Limits::none().depth(2)));
    endless.map(RosterEntry::name).collect()
}

#[test]
fn what_looks_to_no_fixed_depth_is_not_said_to_end_by_one() {
    let havannah = stonework_havannah_players::roster(None);
    assert_eq!(
        without_depth(&havannah),
        ["champion", "mcts", "hybrid", "uct", "rave", "mcts-patterns", "perfect"]
    );
    assert_eq!(without_depth(&stonework_cachex_players::roster()), ["mcts", "uct"]);
    assert_eq!(without_depth(&stonework_cover_players::roster(None)), ["uct"]);
}
