//! Tests of the limits and the memory of Monte-Carlo trees, and of trees that are kept between moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::common::{
    limits_of_zero_give_a_report, random, search, search_cancelled_after, stops_in_time, visits,
};
use crate::games::FourInARow;
use stonework_game::{Game, Outcome};
use stonework_search::{Limits, Mcts, MctsOptions, Stop};

#[test]
fn limits_are_kept_to_the_number() {
    let game = FourInARow::new(7, 6);
    for (threads, own_trees) in [(1, false), (3, false), (3, true)] {
        let settings = MctsOptions::with_rave().threads(threads).own_trees(own_trees);
        let mut engine = Mcts::new(random(), settings).unwrap();
        for n in [1, 2, 3, 10, 63, 64, 65, 1000, 12_345, 100_003] {
            let report = search(&mut engine, &game, &Limits::none().simulations(n), 5);
            assert_eq!((report.simulations, report.stopped), (n, Some(Stop::Simulations)));
            assert_eq!(report.lines.len(), 1);
            let report = search(&mut engine, &game, &Limits::none().nodes(n), 5);
            assert_eq!((report.nodes, report.stopped), (n, Some(Stop::Nodes)), "{threads}");
        }
    }
}

#[test]
fn zero_limits_give_a_report() {
    limits_of_zero_give_a_report(|| Mcts::new(random(), MctsOptions::uct()).unwrap());
}

#[test]
fn depth_bounds_the_tree() {
    let mut engine = Mcts::new(random(), MctsOptions::uct().expand_after(1)).unwrap();
    for depth in [1, 2, 3] {
        let limits = Limits::none().depth(depth).simulations(2000);
        let report = search(&mut engine, &FourInARow::new(7, 6), &limits, 5);
        assert_eq!((report.depth, report.simulations), (depth, 2000));
    }
}

#[test]
fn time_and_cancel_within_milliseconds() {
    let game = FourInARow::new(7, 6);
    let mut engine = Mcts::new(random(), MctsOptions::uct().bytes(1 << 20)).unwrap();
    stops_in_time(&mut engine, &game);
}

#[test]
fn a_hard_memory_cap_is_held_and_the_search_goes_on() {
    let game = FourInARow::new(7, 6);
    for (threads, own_trees) in [(1, false), (2, false), (2, true)] {
        let settings = MctsOptions::uct().expand_after(1).threads(threads).bytes(64 << 10);
        let mut engine = Mcts::new(random(), settings.own_trees(own_trees)).unwrap();
        let report = search(&mut engine, &game, &Limits::none().simulations(200_000), 1);
        // Without the limit of bytes, the tree would have millions of nodes of 32 bytes.
        assert_eq!(report.simulations, 200_000);
        assert!(report.bytes <= 64 << 10 && report.bytes > 63 << 10, "{}", report.bytes);
        assert_eq!(report.best, Some(3), "{report:?}");
        assert!(report.depth > 5);
    }
}

#[test]
fn a_small_tree_solves_what_needs_a_hundred_times_more() {
    let game = FourInARow::new(4, 4);
    let free = search(
        &mut Mcts::new(random(), MctsOptions::uct().expand_after(1)).unwrap(),
        &game,
        &Limits::none(),
        1,
    );
    // The bytes of the free tree are counted in whole chunks.
    let cap = free.bytes / 100;
    let settings = MctsOptions::uct().expand_after(1).bytes(cap);
    let small = search(&mut Mcts::new(random(), settings).unwrap(), &game, &Limits::none(), 1);
    println!("{} {} {} {}", free.bytes, small.bytes, free.simulations, small.simulations);
    assert_eq!(small.proven, Some(Outcome::Draw));
    assert!(small.bytes <= cap);
}

#[test]
fn no_visit_is_lost() {
    let game = FourInARow::new(7, 6);
    for settings in [MctsOptions::uct(), MctsOptions::with_rave(), MctsOptions::with_rave().own_trees(true)] {
        let settings = settings.threads(4.try_into().unwrap()).virtual_loss(3).keep(true).lines(7);
        let mut engine = Mcts::new(random(), settings).unwrap();
        let report = search(&mut engine, &game, &Limits::none().simulations(50_000), 1);
        assert_eq!(visits(&report).iter().sum::<u64>(), 50_000);
        assert_eq!(engine.kept_visits(), 50_000);
        // A search counts no simulation that a limit of nodes interrupts.
        let report = search(&mut engine, &game, &Limits::none().nodes(9_999), 2);
        assert_eq!(engine.kept_visits(), 50_000 + report.simulations);
    }
}

#[test]
fn a_kept_tree_keeps_its_statistics() {
    let mut game = FourInARow::new(7, 6);
    let settings = MctsOptions::with_rave().keep(true).lines(7);
    let mut engine = Mcts::new(random(), settings).unwrap();
    let first = search(&mut engine, &game, &Limits::none().simulations(20_000), 1);
    let best = first.best.unwrap();
    assert!(engine.advance(best));
    let kept = engine.kept_visits();
    // The kept visits are all visits of the move but the few visits before its children were made.
    assert!(kept <= visits(&first)[0] && kept + 10 > visits(&first)[0], "{kept} {:?}", visits(&first));
    game.play(best).unwrap();
    let second = search(&mut engine, &game, &Limits::none().simulations(1000), 1);
    assert_eq!(visits(&second).iter().sum::<u64>(), kept + 1000);
    // The next root is two plies below, without a call of `advance`.
    for _ in 0..2 {
        let reply = search(&mut engine.clone(), &game, &Limits::none().simulations(1000), 2).best.unwrap();
        game.play(reply).unwrap();
    }
    let third = search(&mut engine, &game, &Limits::none().simulations(1), 1);
    assert!(visits(&third).iter().sum::<u64>() > 50, "{third:?}");
    // A search of an unknown position begins with a new tree.
    let fourth = search(&mut engine, &FourInARow::new(6, 6), &Limits::none().simulations(10), 1);
    assert_eq!(visits(&fourth).iter().sum::<u64>(), 10);
    assert!(!engine.advance(99));
    assert_eq!(engine.kept_visits(), 0);
}

#[test]
fn pondering_is_a_search_that_is_cancelled() {
    let game = FourInARow::new(7, 6);
    let mut engine = Mcts::new(random(), MctsOptions::uct().keep(true)).unwrap();
    let report = search_cancelled_after(&mut engine, &game, Duration::from_millis(20));
    assert_eq!(report.stopped, Some(Stop::Cancel));
    assert_eq!(engine.kept_visits(), report.simulations);
}

/// A search in another thread during the opponent's time, which the opponent's move ends.
#[test]
fn what_was_found_while_the_opponent_thought_counts() {
    for (threads, own_trees) in [(1, false), (2, false), (2, true)] {
        let mut game = FourInARow::new(7, 6);
        let settings = MctsOptions::with_rave().keep(true).lines(7).threads(threads);
        let mut engine = Mcts::new(random(), settings.own_trees(own_trees)).unwrap();
        let own = search(&mut engine, &game, &Limits::none().simulations(2000), 1).best.unwrap();
        game.play(own).unwrap();
        assert!(engine.advance(own));
        // The opponent chooses the least expected move, which has the fewest visits.
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits::none().cancel(flag.clone());
        let (pondered, late, mut engine) = std::thread::scope(|scope| {
            let pondering = scope.spawn(|| {
                let report = search(&mut engine, &game, &limits, 2);
                (report, Instant::now(), engine)
            });
            std::thread::sleep(Duration::from_millis(200));
            flag.store(true, Ordering::Relaxed);
            let set = Instant::now();
            let (report, ended, engine) = pondering.join().unwrap();
            (report, ended.saturating_duration_since(set), engine)
        });
        assert_eq!(pondered.stopped, Some(Stop::Cancel));
        // A busy machine may be late to wake a thread, but not by a second.
        assert!(late < Duration::from_secs(1), "{late:?}");
        let last = pondered.lines.last().unwrap();
        let (reply, before) = (last.moves[0], last.visits.unwrap());
        game.play(reply).unwrap();
        assert!(engine.advance(reply));
        let kept = engine.kept_visits();
        assert!(kept > 0 && kept <= before, "{kept} of {before}");
        let report = search(&mut engine, &game, &Limits::none().simulations(100), 3);
        assert_eq!(report.simulations, 100);
        assert_eq!(visits(&report).iter().sum::<u64>(), kept + 100);
    }
}

#[test]
fn a_kept_tree_without_room_for_the_moves_names_a_move_each_time() {
    let game = FourInARow::new(7, 6);
    let mut engine = Mcts::new(random(), MctsOptions::uct().keep(true)).unwrap();
    // Room for the root, but not for its seven moves.
    let limits = Limits::none().bytes(256).simulations(10);
    for turn in 0..3 {
        let report = search(&mut engine, &game, &limits, 1);
        assert_eq!((report.best, report.stopped), (Some(0), Some(Stop::Memory)), "turn {turn}");
    }
}
