//! Moves at the ends of games: defence in lost positions, draws in hand, and trees in little memory.

use stonework_game::{Game, Outcome, Player};
use stonework_search::{Engine, Limits, Mcts, MctsOptions, RandomPlayout, Stop, Tactics, Value, Verdict};

use super::common::search;
use crate::games::{FourInARow, Literal, TicTacToe};

fn random<G: Game>() -> RandomPlayout<G> {
    RandomPlayout::new(100)
}

/// The plies to the end with best play, where the winner takes the shortest and the loser the longest way; `None` if
/// the position is not won for `winner`.
fn plies<G: Game>(game: &G, winner: Player) -> Option<u32> {
    match game.outcome() {
        Some(Outcome::Win(player)) if player == winner => return Some(0),
        Some(_) => return None,
        None => {}
    }
    let after = game.moves().into_iter().map(|mv| {
        let mut next = game.clone();
        next.play_unchecked(mv);
        plies(&next, winner)
    });
    if game.to_move() == winner {
        after.flatten().min().map(|plies| plies + 1)
    } else {
        after.collect::<Option<Vec<u32>>>()?.into_iter().max().map(|plies| plies + 1)
    }
}

#[test]
fn a_lost_side_defends_nearly_as_long_as_can_be() {
    let (mut lost, mut best, mut chosen, mut worst) = (0, 0, 0, 0);
    for seed in 0..400 {
        let game = Literal::new(seed, 9, 4, false, false);
        let winner = game.to_move().other();
        if game.outcome().is_some() || plies(&game, winner).is_none() {
            continue;
        }
        let options = MctsOptions::uct().expand_after(1);
        let report = search(&mut Mcts::new(random(), options).unwrap(), &game, &Limits::none(), seed);
        assert_eq!(report.proven, Some(Outcome::Win(winner)));
        let length = |mv| {
            let mut next = game;
            next.play_unchecked(mv);
            plies(&next, winner).unwrap()
        };
        let lengths: Vec<u32> = game.moves().into_iter().map(length).collect();
        lost += 1;
        best += lengths.iter().max().unwrap();
        worst += lengths.iter().min().unwrap();
        chosen += length(report.best.unwrap());
    }
    assert!(lost > 50, "{lost} lost positions");
    // A proof need not hold the shortest win against each defence, so the choice need not be the best one.
    assert!(
        10 * (chosen - worst) > 8 * (best - worst),
        "{chosen} plies of {worst} to {best}, {lost} positions"
    );
}

#[test]
fn a_drawn_side_keeps_the_draw_under_every_cap_of_memory() {
    for bytes in [1 << 10, 3000, 1 << 14, 1 << 20] {
        let options = MctsOptions::with_rave().bytes(bytes).keep(true);
        let mut engine = Mcts::new(random(), options).unwrap();
        let mut game = TicTacToe::default();
        while game.outcome().is_none() {
            let report = search(&mut engine, &game, &Limits::none().simulations(200_000), 1);
            if bytes > 1 << 14 {
                assert_eq!(report.proven, Some(Outcome::Draw), "{bytes} bytes: {report:?}");
            }
            game.play(report.best.unwrap()).unwrap();
        }
        assert_eq!(game.outcome(), Some(Outcome::Draw), "{bytes} bytes");
    }
}

/// Tactics that see when neither side can win any more.
#[derive(Clone, Copy)]
struct Dead;

impl Tactics<TicTacToe> for Dead {
    fn probe(&mut self, game: &mut TicTacToe, _: &mut Vec<u8>) -> Verdict<u8> {
        let mut open = vec![*game];
        while let Some(next) = open.pop() {
            if matches!(next.outcome(), Some(Outcome::Win(_))) {
                return Verdict::Open;
            }
            open.extend(next.moves().into_iter().map(|mv| {
                let mut after = next;
                after.play_unchecked(mv);
                after
            }));
        }
        Verdict::Draw
    }
}

/// The report of a search that the tactics had decided as a draw before the first simulation named no move.
#[test]
fn a_root_in_which_neither_side_can_win_has_a_move() {
    let mut game = TicTacToe::default();
    // The rows x o x, x o o and o x.
    for mv in [0, 1, 2, 4, 3, 5, 7, 6] {
        game.play(mv).unwrap();
    }
    assert_eq!(Dead.probe(&mut game, &mut Vec::new()), Verdict::Draw);
    let mut engine = Mcts::new(random(), MctsOptions::uct()).unwrap().tactics(Dead);
    let report = search(&mut engine, &game, &Limits::none(), 1);
    assert_eq!((report.proven, report.value), (Some(Outcome::Draw), Value::Draw));
    assert!(report.best.is_some_and(|mv| game.check(mv).is_ok()), "{report:?}");
}

#[test]
fn every_cap_of_memory_leaves_a_legal_move_and_is_kept() {
    let game = FourInARow::new(7, 6);
    for bytes in (0..2048).step_by(37).chain([4096, 10_000, 30_000]) {
        for threads in [1, 2] {
            let options = MctsOptions::with_rave().threads(threads).bytes(bytes);
            let report = search(
                &mut Mcts::new(random(), options).unwrap(),
                &game,
                &Limits::none().simulations(500),
                1,
            );
            let best = report.best.unwrap_or_else(|| panic!("{bytes} bytes: {report:?}"));
            assert!(game.check(best).is_ok());
            assert!(report.bytes <= bytes, "{} of {bytes} bytes", report.bytes);
            let told = report.simulations == 500 || report.stopped == Some(Stop::Memory);
            assert!(told, "{bytes} bytes: {report:?}");
        }
    }
}

#[test]
fn the_main_line_survives_in_a_tree_that_is_made_smaller() {
    let game = FourInARow::new(7, 6);
    let options = MctsOptions::uct().expand_after(1).bytes(16 << 10).lines(7);
    let mut engine = Mcts::new(random(), options).unwrap();
    let mut shortest = usize::MAX;
    let mut watch = |report: &stonework_search::Report<u8>| {
        if report.simulations > 1000 {
            shortest = shortest.min(report.line().len());
        }
    };
    let context = stonework_search::SearchContext::seed(1).watch(&mut watch);
    let report = engine.search(&game, &Limits::none().simulations(400_000), context);
    assert!(report.bytes <= 16 << 10);
    // The tree has room for 500 nodes, and was made smaller hundreds of times.
    assert!(shortest.min(report.line().len()) >= 4, "{shortest} {:?}", report.line());
}
