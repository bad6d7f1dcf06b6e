//! A player that thinks while the other side does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use stonework_game::Game;
use stonework_game::example::Nim;
use stonework_roster::{Agent, Clock, Decision, EngineAgent, Ponderer};
use stonework_search::{Limits, Mcts, MctsOptions, RandomPlayout};

/// An agent that thinks until it is told to stop, and counts its thoughts and its ends.
struct Thinker(Arc<[AtomicU32; 2]>);

impl Agent<Nim> for Thinker {
    fn new_game(&mut self) {}

    fn decide(&mut self, game: &Nim, _: &Clock) -> Option<Decision<u8>> {
        game.moves().first().copied().map(Decision::Play)
    }

    fn ponder(&mut self, _: &Nim, until: &Arc<AtomicBool>) {
        self.0[0].fetch_add(1, Ordering::SeqCst);
        while !until.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        self.0[1].fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn a_thought_ends_when_the_player_is_wanted_and_leaves_no_thread() {
    let counts = Arc::new([AtomicU32::new(0), AtomicU32::new(0)]);
    let mut player = Ponderer::new(Box::new(Thinker(Arc::clone(&counts))));
    assert!(player.agent().decide(&Nim::new(9), &Clock::NONE).is_some());
    for round in 1..=20 {
        player.ponder(&Nim::new(8));
        assert!(player.is_pondering());
        // Without the flag the thought would never end, and this call not return.
        assert!(player.agent().decide(&Nim::new(7), &Clock::NONE).is_some());
        assert!(!player.is_pondering());
        assert_eq!([&counts[0], &counts[1]].map(|count| count.load(Ordering::SeqCst)), [round; 2]);
    }
    // Another thought ends the first.
    player.ponder(&Nim::new(8));
    player.ponder(&Nim::new(7));
    drop(player);
    // The agent is gone, and every thought has ended: no thread holds it.
    assert_eq!(Arc::strong_count(&counts), 1);
    assert_eq!(counts[0].load(Ordering::SeqCst), counts[1].load(Ordering::SeqCst));
}

fn tree(limits: Limits) -> EngineAgent<Nim, Mcts<Nim, RandomPlayout<Nim>>> {
    let options = MctsOptions::uct().keep(true).lines(2).bytes(1 << 20);
    EngineAgent::new(Mcts::new(RandomPlayout::new(300), options).unwrap(), limits, 1)
}

/// The visits of the moves in the agent's last search.
fn visits(agent: &dyn Agent<Nim>) -> u64 {
    agent.report().unwrap().lines.iter().filter_map(|line| line.visits).sum()
}

#[test]
fn a_position_that_was_pondered_starts_with_visits() {
    let limits = Limits::none().simulations(10);
    // A heap whose game is too long to be solved here.
    let (own, reply) = (Nim::new(200), 2);
    let mut game = own;
    let mut plain = tree(limits.clone());
    let Some(Decision::Play(mv)) = plain.decide(&own, &Clock::NONE) else { panic!("it gives up") };
    game.play(mv).unwrap();
    let mut pondered = tree(limits);
    assert_eq!(pondered.decide(&own, &Clock::NONE), Some(Decision::Play(mv)));
    let mut player = Ponderer::new(Box::new(pondered));
    player.ponder(&game);
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert_eq!(visits(&**player.agent()), 10, "a thought leaves the last report as it is");
    game.play(reply).unwrap();
    plain.decide(&game, &Clock::NONE);
    player.agent().decide(&game, &Clock::NONE);
    let (with, without) = (visits(&**player.agent()), visits(&plain));
    assert!(with > without + 10, "{with} visits with pondering, {without} without");
    let report = player.agent().report().unwrap();
    assert!(report.simulations == 10 && report.bytes <= 1 << 20, "{report:?}");
}

#[test]
fn a_player_that_never_ponders_decides_as_without_the_wrapper() {
    let mut plain = tree(Limits::none().simulations(200));
    let mut wrapped = Ponderer::new(Box::new(tree(Limits::none().simulations(200))));
    let mut game = Nim::new(30);
    while game.outcome().is_none() {
        let decision = plain.decide(&game, &Clock::NONE);
        assert_eq!(wrapped.agent().decide(&game, &Clock::NONE), decision);
        let Some(Decision::Play(mv)) = decision else { panic!("it gives up") };
        game.play(mv).unwrap();
    }
}
