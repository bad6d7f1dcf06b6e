//! Laws of games that are kept for their proven positions: each result is that of the rules, whatever the threads.

use std::sync::atomic::AtomicBool;

use stonework_arena::Won;
use stonework_arena::self_play::{
    Branch, ProvenPlay, Searched, SelfPlay, SelfPlayError, SelfPlayGame, packed, unpacked,
};
use stonework_engine::{Engine, Limits};
use stonework_game::{Game, Player, Textual, example::Nim};
use stonework_search::{Dfpn, DfpnOptions, Mcts, MctsOptions, RandomPlayout};

const GAMES: usize = 40;
const FROM: u32 = 5;

fn plan() -> ProvenPlay<Nim> {
    ProvenPlay { play: SelfPlay { opening: 3, ..SelfPlay::new(Nim::new(40), 7) }, from: FROM }
}

fn player() -> Result<Box<dyn Engine<Nim>>, String> {
    let options = MctsOptions::uct().lines(9);
    Ok(Box::new(Mcts::new(RandomPlayout::new(100), options).map_err(|error| error.to_string())?))
}

fn prover() -> Result<Box<dyn Engine<Nim>>, String> {
    Ok(Box::new(Dfpn::new(DfpnOptions::new()).map_err(|error| error.to_string())?))
}

/// The games with some nodes of the prover.
fn games(plan: &ProvenPlay<Nim>, nodes: u64, threads: usize) -> Vec<SelfPlayGame> {
    let mut games = Vec::new();
    let mut each = |game| {
        games.push(game);
        Ok(())
    };
    let limits = [&Limits::none().simulations(12), &Limits::none().nodes(nodes).bytes(1 << 16)];
    plan.run(0..GAMES, [&player, &prover], limits, threads, &AtomicBool::new(false), &mut each).unwrap();
    games
}

/// The winner by the rules: a side that faces a multiple of three loses.
fn winner(game: Nim) -> Player {
    if game.left().is_multiple_of(3) { game.to_move().other() } else { game.to_move() }
}

fn won(winner: Player) -> Won {
    if winner == Player::First { Won::First } else { Won::Second }
}

/// Checks a search of a position, and tells whether its side wins.
fn check(game: Nim, result: Won, search: &Searched) -> bool {
    let winner = winner(game);
    assert_eq!(won(winner), result, "{game:?}");
    let is_won = winner == game.to_move();
    assert_eq!(search.value, Some(f32::from(u8::from(is_won))));
    let legal: Vec<String> = game.moves().into_iter().map(|mv| game.move_text(mv)).collect();
    assert!(search.visits.iter().all(|(mv, visits)| legal.contains(mv) && *visits > 0));
    assert!(search.visits.is_sorted_by(|a, b| a.1 >= b.1) && !search.visits.is_empty());
    is_won
}

#[test]
fn results_and_values_are_those_of_the_rules() {
    let (mut branches, mut parents, mut lost) = (0, 0, 0);
    for line in games(&plan(), 40, 1) {
        assert!(line.opening >= FROM as usize && (1..=4).contains(&line.searches.len()), "{line:?}");
        assert_eq!(line.searches.len(), line.moves.len() - line.opening);
        let (mut game, mut before) = (Nim::new(40), Vec::new());
        for (ply, name) in line.moves.iter().enumerate() {
            before.push(game);
            if let Some(search) = ply.checked_sub(line.opening).map(|at| &line.searches[at]) {
                lost += usize::from(!check(game, line.result, search));
                // The moves after the first search keep its result.
                let mut next = game;
                next.play(next.parse_move(name).unwrap()).unwrap();
                assert_eq!(won(winner(next)), line.result);
            }
            game.play(game.parse_move(name).unwrap()).unwrap();
        }
        assert_eq!(line.proven, game.outcome().is_none());
        assert_eq!(line.result, won(winner(game)));
        for branch in &line.branches {
            let mut beside = before[branch.ply];
            assert!(line.moves[branch.ply] != branch.mv && branch.ply + 1 >= line.opening, "{line:?}");
            beside.play(beside.parse_move(&branch.mv).unwrap()).unwrap();
            check(beside, branch.result, &branch.search);
            branches += 1;
            parents += usize::from(branch.ply == line.opening);
        }
    }
    assert!(branches > 5 && parents > 0 && lost > 5, "{branches} {parents} {lost}");
}

#[test]
fn a_game_follows_from_its_number_whatever_the_threads() {
    let all = games(&plan(), 40, 1);
    assert_eq!(all, games(&plan(), 40, 3));
    assert!(all.iter().enumerate().all(|(at, game)| game.game == at));
    let limits = [&Limits::none().simulations(12), &Limits::none().nodes(40).bytes(1 << 16)];
    let alone = plan().play(17, &mut *player().unwrap(), &mut *prover().unwrap(), limits).unwrap();
    assert_eq!(alone, all[17]);
    assert_eq!(unpacked(&packed(&all).unwrap(), 1 << 20).unwrap(), all);
}

#[test]
fn a_game_that_ends_before_a_proof_has_no_searches() {
    let late = ProvenPlay { from: 1000, ..plan() };
    for line in games(&late, 40, 2) {
        let mut game = Nim::new(40);
        for name in &line.moves {
            game.play(game.parse_move(name).unwrap()).unwrap();
        }
        assert!(game.outcome().is_some() && !line.proven && line.searches.is_empty(), "{line:?}");
        assert_eq!((line.opening, line.result), (line.moves.len(), won(winner(game))));
    }
    let short = ProvenPlay { play: SelfPlay { max_plies: Some(4), ..plan().play }, from: 1000 };
    assert!(games(&short, 40, 1).iter().all(|line| line.moves.len() == 4 && line.result == Won::Draw));
}

#[test]
fn games_of_self_play_have_no_branches_and_a_stopped_search_ends_them() {
    let mut game = games(&plan(), 40, 1).into_iter().find(|line| !line.branches.is_empty()).unwrap();
    game.opening = 1;
    let play = SelfPlay { opening: 0, ..plan().play };
    assert!(play.confirm(&game).unwrap_err().to_string().contains("branches"));
    let (stop, limits) = (AtomicBool::new(true), Limits::none().simulations(1));
    let stopped = plan().run(0..9, [&player, &prover], [&limits, &limits], 1, &stop, &mut |_| Ok(()));
    assert_eq!(stopped, Err(SelfPlayError::Stopped));
}

#[test]
fn an_honest_game_is_confirmed_and_each_lie_is_named() {
    let honest = games(&plan(), 40, 1);
    for game in &honest {
        assert_eq!(plan().confirm(game), Ok(()));
    }
    let late = ProvenPlay { from: 1000, ..plan() };
    let unproven = games(&late, 40, 1);
    assert!(unproven.iter().all(|game| late.confirm(game).is_ok()));
    let why = late.confirm(&honest[0]).unwrap_err().to_string();
    assert!(why.contains("1000 moves, first"), "{why}");

    let refused = |game: &SelfPlayGame, lie: &dyn Fn(&mut SelfPlayGame), expected: &str| {
        let mut other = game.clone();
        lie(&mut other);
        let why = plan().confirm(&other).unwrap_err().to_string();
        assert!(why.contains(expected), "{why}\n{other:?}");
    };
    let other = |result| if result == Won::First { Won::Second } else { Won::First };
    let mut beside_first = honest.iter().filter(|game| !game.branches.is_empty() && game.searches.len() > 2);
    let first = beside_first.find(|game| game.branches[0].ply == game.opening).unwrap();
    // The record that begins two moves later: the side to move has lost before it, so the branch is of the move before.
    let mut later = first.clone();
    let ply = first.opening + 1;
    (later.opening, later.searches) = (ply + 1, first.searches[2..].to_vec());
    let mv = if first.moves[ply] == "1" { "2" } else { "1" }.to_owned();
    let search = Searched { value: Some(1.0), visits: vec![("1".to_owned(), 9)] };
    later.branches = vec![Branch { ply, mv, result: first.result, search }];
    assert_eq!(plan().confirm(&later), Ok(()));
    for game in [first, &later] {
        refused(game, &|game| game.game += 1, "opening of this game is");
        refused(game, &|game| game.opening += 1, "searches after");
        refused(game, &|game| game.opening = usize::MAX, "searches after");
        refused(game, &|game| drop(game.searches.pop()), "searches after");
        refused(game, &|game| game.result = other(game.result), "and the result is");
        refused(game, &|game| game.searches[0].value = None, "and the result is");
        refused(game, &|game| game.searches[0].visits[0].0 = "9".to_owned(), "visits of 9");
        refused(
            game,
            &|game| game.moves[game.opening] = "9".to_owned(),
            &format!("move {} (9)", game.opening + 1),
        );
        refused(game, &|game| game.branches[0].ply += 7, "branches after");
        refused(game, &|game| game.branches[0].ply = 0, "branches after 0 moves");
        refused(game, &|game| game.branches.push(game.branches[0].clone()), "different moves");
        refused(
            game,
            &|game| game.branches[0].mv = game.moves[game.branches[0].ply].clone(),
            "different moves",
        );
        refused(game, &|game| game.branches[0].mv = "9".to_owned(), "branch 9");
        refused(game, &|game| game.branches[0].result = other(game.branches[0].result), "and the result is");
        refused(game, &|game| game.branches = vec![game.branches[0].clone(); 5], "at most 4 and 4");
        refused(game, &|game| game.proven = !game.proven, "");
    }
    let ended = unproven.iter().find(|game| game.moves.len() > 5).unwrap();
    let branches = honest.iter().find(|game| !game.branches.is_empty()).unwrap().branches.clone();
    refused(ended, &|game| game.branches = branches.clone(), "without searches");
    refused(ended, &|game| game.proven = true, "without searches");
    refused(ended, &|game| drop(game.moves.pop()), "searches after");
}
