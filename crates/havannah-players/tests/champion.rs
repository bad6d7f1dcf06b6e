//! The player `champion`: threat sequences at its root, and equal searches.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_game::{Game, Outcome, Textual};
use stonework_havannah::{Move, Position};
use stonework_havannah_players::roster;
use stonework_havannah_solver::Sequences;
use stonework_roster::{Agent, Clock, Decision, PlayerConfig, Ponderer};
use stonework_search::{Effort, Engine, Limits, Report, SearchContext, Stop, Tactics, Value, Verdict};

/// A position with random stones, perhaps one that is over.
fn scattered(size: u8, stones: usize, rng: &mut Xoshiro256PlusPlus) -> Position {
    let mut root = Position::new(size).unwrap();
    while root.stone_count() < stones && root.outcome().is_none() {
        let cells: Vec<_> = root.empty_cells().collect();
        root.play_unchecked(Move::Place(cells[rng.next_u64() as usize % cells.len()]));
    }
    root
}

fn search(root: &Position, simulations: u64) -> Report<Move> {
    let mut champion = roster(None).engine("champion", &PlayerConfig::default()).unwrap();
    champion.search(root, &Limits::none().simulations(simulations), SearchContext::seed(1))
}

#[test]
fn a_threat_sequence_wins_and_a_must_play_is_kept_from_the_first_simulation_on() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let (mut won, mut forced) = (0, 0);
    for _ in 0..400 {
        let root = scattered(6, 40, &mut rng);
        if root.outcome().is_some() || root.winning_count(root.to_move()) > 0 {
            continue;
        }
        let mut only = Vec::new();
        let verdict = Sequences::new().study(&mut root.clone(), &mut Effort::visits(0), &mut only);
        let report = search(&root, 1);
        match verdict {
            Verdict::Win(_) => {
                won += 1;
                assert_eq!(report.proven, Some(Outcome::Win(root.to_move())), "{root:?}");
                let line = report.line();
                assert!(line.len() > 1, "the line of a sequence has its answers: {line:?}");
                let mut end = root.clone();
                for &mv in line {
                    end.play(mv).unwrap();
                }
                assert_eq!(end.outcome(), report.proven, "{line:?} in {root:?}");
            }
            Verdict::Only => {
                forced += 1;
                assert!(only.contains(&report.best.unwrap()), "{root:?}");
            }
            _ => {}
        }
    }
    assert!(won > 20 && forced > 20, "{won} sequences and {forced} must-plays");
}

#[test]
fn equal_seeds_and_simulations_give_equal_reports() {
    for size in [4, 5, 6, 8, 10] {
        let root = scattered(size, 4, &mut Xoshiro256PlusPlus::seed_from_u64(size.into()));
        let told = |report: Report<Move>| {
            (
                report.best,
                report.value,
                report.nodes,
                report.lines.into_iter().map(|line| line.moves).collect::<Vec<_>>(),
            )
        };
        assert_eq!(told(search(&root, 3000)), told(search(&root, 3000)));
    }
}

/// A position from a game between two programs at size 5, lost for Black, who is to move.
fn lost() -> Position {
    let mut root = Position::new(5).unwrap();
    for name in ["c5", "d6", "c6", "d7", "a5", "e6", "b6", "f7", "c4", "a4", "b2"] {
        root.play(root.parse_move(name).unwrap()).unwrap();
    }
    root
}

#[test]
fn a_player_goes_on_in_a_lost_position_and_the_engine_stops() {
    let (root, limits) = (lost(), Limits::none().simulations(6000));
    let loses = Some(Outcome::Win(root.to_move().other()));
    let config = PlayerConfig { limits: limits.clone(), seed: 1, ..PlayerConfig::default() };
    let mut engine = roster(None).engine("champion", &config).unwrap();
    engine.set_parameter("probe_nodes", 32.0).unwrap();
    let report = engine.think(&root, &limits);
    assert_eq!((report.proven, report.stopped), (loses, Some(Stop::Solved)));
    assert!(report.simulations < 5000);

    let mut player = roster(None).agent("champion", &config).unwrap();
    player.set_parameter("probe_nodes", 32.0).unwrap();
    let Some(Decision::Play(answer)) = player.decide(&root, &Clock::NONE) else { panic!("a move") };
    let told = player.report().unwrap();
    assert_eq!((told.proven, told.simulations), (loses, 6000));
    assert!(matches!(told.value, Value::Loss(_)));
    // The next decision asks the solver again, and the tree searches on until it proves the loss itself.
    let mut next = root.clone();
    next.play(answer).unwrap();
    next.play(engine.think(&next, &limits).best.unwrap()).unwrap();
    player.decide(&next, &Clock::NONE).unwrap();
    let told = player.report().unwrap();
    assert_eq!(told.proven, loses);
    assert!(told.simulations > 100);
}

#[test]
fn a_search_of_another_game_leaves_no_trace() {
    let mut champion = roster(None).engine("champion", &PlayerConfig::default()).unwrap();
    let mut told = |root: &Position| {
        let report = champion.search(root, &Limits::none().simulations(5000), SearchContext::seed(1));
        (report.best, report.value, report.nodes, report.simulations)
    };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    let [root, other] = [12, 13].map(|stones| scattered(5, stones, &mut rng));
    let first = told(&root);
    told(&other);
    assert_eq!(told(&root), first);
}

#[test]
fn nodes_of_the_solver_count() {
    let root = scattered(5, 12, &mut Xoshiro256PlusPlus::seed_from_u64(4));
    let limits = Limits::none().nodes(60_000);
    let nodes = |probed: f64| {
        let mut champion = roster(None).engine("champion", &PlayerConfig::default()).unwrap();
        champion.set_parameter("probe_nodes", probed).unwrap();
        let report = champion.search(&root, &limits, SearchContext::seed(1));
        assert!(report.nodes <= 60_000, "{}", report.nodes);
        report.simulations
    };
    assert!(nodes(1.0) < nodes(0.0), "nodes of the solver are taken from those of the tree");
}

/// Where simulations are counted, the thought in the time of the other side is a search of the same kind, and its tree stays.
#[test]
fn a_thought_counts_where_simulations_are_counted() {
    let agent = || {
        let config = PlayerConfig { limits: Limits::none().simulations(300), ..PlayerConfig::default() };
        roster(None).agent("champion", &config).unwrap()
    };
    let visits = |agent: &dyn Agent<Position>| {
        agent.report().unwrap().lines.iter().filter_map(|line| line.visits).sum::<u64>()
    };
    let mut game = Position::new(6).unwrap();
    let (mut plain, mut pondered) = (agent(), agent());
    let Some(Decision::Play(mv)) = plain.decide(&game, &Clock::NONE) else { panic!("it gives up") };
    assert_eq!(pondered.decide(&game, &Clock::NONE), Some(Decision::Play(mv)));
    game.play(mv).unwrap();
    let mut player = Ponderer::new(pondered);
    player.ponder(&game);
    std::thread::sleep(std::time::Duration::from_millis(500));
    let reply = search(&game, 300).best.unwrap();
    assert!(player.agent().report().is_some(), "the thought has ended");
    game.play(reply).unwrap();
    plain.decide(&game, &Clock::NONE);
    player.agent().decide(&game, &Clock::NONE);
    let (with, without) = (visits(&**player.agent()), visits(&*plain));
    assert!(with > without, "{with} visits with pondering, {without} without");
}

#[test]
fn a_new_game_finds_nothing_of_the_last_one() {
    let after_a_move = || {
        let mut game = Position::new(4).unwrap();
        game.play(game.parse_move("d4").unwrap()).unwrap();
        game
    };
    for (name, limits) in [
        ("champion", Limits::none().simulations(60)),
        ("mcts", Limits::none().simulations(60)),
        ("mcts-patterns", Limits::none().simulations(60)),
        ("rave", Limits::none().simulations(60)),
        ("hybrid", Limits::none().simulations(60)),
        ("perfect", Limits::none().nodes(800).simulations(60)),
        ("links", Limits::none().nodes(400)),
    ] {
        let config = PlayerConfig { limits, ..PlayerConfig::default() };
        for game in [Position::new(4).unwrap(), after_a_move()] {
            let mut agent = roster(None).agent(name, &config).unwrap();
            let mut decided = || {
                agent.new_game();
                let decision = agent.decide(&game, &Clock::NONE);
                let report = agent.report().unwrap();
                (decision, report.lines.clone(), report.nodes)
            };
            let first = decided();
            assert_eq!(decided(), first, "{name}");
        }
    }
}
