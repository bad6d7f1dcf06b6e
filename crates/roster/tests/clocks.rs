//! The time that an agent gives its engine on a clock.

use std::time::Duration;

use stonework_game::Game;
use stonework_game::example::Nim;
use stonework_roster::{Agent, Clock, EngineAgent};
use stonework_search::{Engine, Limits, Meter, Report, SearchContext, Stop};

const SECOND: Duration = Duration::from_secs(1);

/// An engine that notes the limits of its searches.
#[derive(Default)]
struct Noting(Vec<Limits>);

impl Engine<Nim> for Noting {
    fn search(&mut self, root: &Nim, limits: &Limits, _: SearchContext<'_, u8>) -> Report<u8> {
        self.0.push(limits.clone());
        Report { best: root.moves().first().copied(), ..Report::empty() }
    }
}

/// The limits of time and of enough time of one search on this clock.
fn times(agent: &mut EngineAgent<Nim, Noting>, clock: &Clock) -> [Option<Duration>; 2] {
    agent.decide(&Nim::new(9), clock);
    agent.engine().0.last().map(|limits| [limits.time, limits.enough]).unwrap()
}

#[test]
fn a_search_has_its_share_of_the_clock_and_more_for_a_move_in_doubt() {
    let clock = Clock { left: Some(100 * SECOND), ..Clock::NONE };
    let agent = |limits| EngineAgent::new(Noting::default(), limits, 1).expecting(50);
    assert_eq!(times(&mut agent(Limits::none()), &clock), [Some(6 * SECOND), Some(2 * SECOND)]);
    assert_eq!(times(&mut agent(Limits::none()), &Clock::NONE), [None, None]);
    // A limit of time of the agent's own bounds both.
    assert_eq!(
        times(&mut agent(Limits::none().time(3 * SECOND)), &clock),
        [Some(3 * SECOND), Some(2 * SECOND)]
    );
    assert_eq!(times(&mut agent(Limits::none().time(SECOND)), &clock), [Some(SECOND), Some(SECOND)]);
    let mut even = agent(Limits::none());
    even.set_parameter("even_time", 1.0).unwrap();
    assert_eq!(times(&mut even, &clock), [Some(2 * SECOND), None]);
}

#[test]
fn a_clock_never_runs_out_by_a_move_in_doubt() {
    for left in [1, 10, 100, 1000] {
        let left = SECOND * left;
        for moves in [None, Some(1), Some(7)] {
            let clock = Clock { left: Some(left), increment: SECOND, moves };
            let share = clock.share(10).unwrap();
            assert!(clock.most(share) >= share && clock.most(share) <= left * 9 / 10);
        }
    }
}

#[test]
fn a_search_that_does_not_judge_ends_when_it_has_had_enough() {
    let limits = Limits::none().time(100 * SECOND).enough(Duration::from_millis(1));
    let meter = Meter::new(&limits);
    std::thread::sleep(Duration::from_millis(2));
    meter.look();
    assert_eq!(meter.stopped(), Some(Stop::Time));
    let judged = Meter::new(&limits);
    judged.judge();
    std::thread::sleep(Duration::from_millis(2));
    judged.look();
    assert_eq!(judged.stopped(), None);
    // Without a limit of time the search ends all the same.
    let limits = Limits { time: None, ..limits };
    let bounded = Meter::new(&limits);
    bounded.judge();
    std::thread::sleep(Duration::from_millis(2));
    bounded.look();
    assert_eq!(bounded.stopped(), Some(Stop::Time));
}
