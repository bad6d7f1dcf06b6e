//! The solver of small boards: its game is the game of the rules, its pruning never changes a value.

use std::collections::HashMap;

use rand_xoshiro::rand_core::RngCore;
use stonework_board::CellSet;
use stonework_game::{Game, Keyed, Outcome, Player, Textual, laws};
use stonework_havannah::{Move, Position};
use stonework_havannah_solver::Threats;
use stonework_havannah_solver::{HavannahRules, SmallPosition, Solver, ThreatSearch, Unfit, Word, Words};
use stonework_proof::ImmediateRules;
use stonework_search::{
    AlphaBeta, AlphaBetaOptions, Dfpn, DfpnOptions, Engine, Limits, Minimax, Question, Report, Tactics,
    Verdict,
};

use crate::positions::{after, drawn};
use crate::scattered::{random, scattered};

fn small_of<W: Word>(position: &Position) -> SmallPosition<W> {
    SmallPosition::try_from(position).unwrap()
}

/// Asserts that both positions agree in everything that both types offer.
fn assert_same<W: Word>(small: &SmallPosition<W>, position: &Position) {
    assert_eq!((small.to_move(), small.outcome()), (position.to_move(), position.outcome()));
    let (mut few, mut moves) = (Vec::new(), Vec::new());
    small.legal_moves(&mut few);
    position.legal_moves(&mut moves);
    assert_eq!(few.into_iter().map(Move::Place).collect::<Vec<_>>(), moves);
    for player in Player::BOTH {
        let wins: CellSet = small.winning_cells(player).collect();
        assert_eq!(wins, position.winning_cells(player), "{player:?} in {}", position.position_text());
        assert_eq!(small.can_win(player), position.can_win(player), "{}", position.position_text());
    }
}

fn play_beside<W: Word>(size: u8, games: u32) {
    let mut rng = random(u64::from(size));
    for _ in 0..games {
        let mut position = Position::new(size).unwrap();
        let mut small = small_of::<W>(&position);
        let mut undos = Vec::new();
        while position.outcome().is_none() {
            assert_same(&small, &position);
            // The same position built from the stones alone, and from the text.
            assert_same(&small_of::<W>(&position), &position);
            let cells: Vec<_> = position.empty_cells().collect();
            let cell = cells[rng.next_u64() as usize % cells.len()];
            undos.push((small.clone(), small.play(cell).unwrap()));
            position.play(Move::Place(cell)).unwrap();
            assert!(small.play(cell).is_err());
        }
        assert_same(&small, &position);
        assert_same(&small_of::<W>(&position), &position);
        while let Some((before, undo)) = undos.pop() {
            small.undo(undo);
            assert_eq!((&small, small.key()), (&before, before.key()));
        }
    }
}

#[test]
fn small_positions_are_the_rules_game() {
    for size in 2..=4 {
        play_beside::<u64>(size, 60);
        play_beside::<u128>(size, 20);
    }
    for size in 5..=6 {
        play_beside::<u128>(size, 20);
    }
    for size in [2, 7, 8] {
        play_beside::<Words<4>>(size, 5);
    }
    for size in [6, 9, 10] {
        play_beside::<Words<6>>(size, 3);
    }
}

#[test]
fn small_positions_keep_the_laws() {
    for size in 2..=4 {
        let start = small_of::<u64>(&Position::new(size).unwrap());
        laws::game(&start, 1, 10).unwrap();
        laws::keyed(&start, 1, 10).unwrap();
        laws::notation(&start, 1, 3).unwrap();
    }
    let start = small_of::<u128>(&Position::new(6).unwrap());
    laws::game(&start, 1, 3).unwrap();
    laws::keyed(&start, 1, 3).unwrap();
    let start = small_of::<Words<4>>(&Position::new(8).unwrap());
    laws::game(&start, 1, 2).unwrap();
    laws::keyed(&start, 1, 2).unwrap();
    let start = small_of::<Words<6>>(&Position::new(10).unwrap());
    laws::game(&start, 1, 1).unwrap();
    laws::keyed(&start, 1, 1).unwrap();
}

#[test]
fn canonical_keys_name_orbits_and_nothing_else() {
    let mut rng = random(2);
    let mut by_key: HashMap<u64, Vec<u8>> = HashMap::new();
    for i in 0..4000 {
        let size = 2 + (i % 3) as u8;
        let position = scattered(size, 1 + i % 5, &mut rng);
        let (mut orbit, mut same) = (Vec::new(), Vec::new());
        assert!(HavannahRules.canonical_bytes(&position, &mut orbit));
        let small = small_of::<u64>(&position);
        assert!(HavannahRules.canonical_bytes(&small, &mut same));
        assert_eq!(orbit, same);
        let known = by_key.entry(small.canonical().0).or_insert_with(|| orbit.clone());
        assert_eq!(*known, orbit);
    }
    let orbits: std::collections::HashSet<_> = by_key.values().collect();
    assert_eq!(orbits.len(), by_key.len(), "an orbit with two keys");
}

#[test]
fn positions_that_do_not_fit_are_refused() {
    let five = Position::new(5).unwrap();
    assert!(matches!(
        SmallPosition::<u64>::try_from(&five),
        Err(Unfit::Size { size: 5, bits: 64, limit: 4 })
    ));
    assert!(SmallPosition::<u128>::try_from(&Position::new(7).unwrap()).is_err());
    assert!(SmallPosition::<Words<4>>::try_from(&Position::new(9).unwrap()).is_err());
    assert!(matches!(
        SmallPosition::<Words<6>>::try_from(&Position::new(11).unwrap()),
        Err(Unfit::Size { size: 11, bits: 384, limit: 10 })
    ));
    let swap = Position::with_swap(4).unwrap();
    assert_eq!(SmallPosition::<u64>::try_from(&swap).unwrap_err(), Unfit::Swap);
    assert!(SmallPosition::<u64>::parse_position("5 w - ..../....").is_err());
}

/// The threat search with each set of its options, with a name.
fn threat_searches() -> Vec<(String, ThreatSearch)> {
    let mut all = Vec::new();
    for budget in [0, 1, 2, 10, 200] {
        for (must_play, draws) in [(false, false), (true, false), (false, true), (true, true)] {
            let threat_search = ThreatSearch::new().budget(budget).must_play(must_play).draws(draws);
            all.push((format!("budget {budget}, must-play {must_play}, draws {draws}"), threat_search));
        }
    }
    all.push(("no threats".to_owned(), ThreatSearch::new().threats(false).draws(false)));
    all.push(("no estimates".to_owned(), ThreatSearch::new().estimates(false)));
    all.push(("frames".to_owned(), ThreatSearch::new().frames(Some(1))));
    all
}

fn value(report: &Report<impl Copy>) -> Outcome {
    report.proven.expect("no limit was set")
}

fn solve<W: Word>(threat_search: &ThreatSearch, position: &Position) -> Outcome {
    let values = [false, true].map(|on| {
        let mut engine =
            Dfpn::new(DfpnOptions::new().transfer(on).focus(on)).unwrap().tactics(threat_search.clone());
        value(&engine.think(&small_of::<W>(position), &Limits::none()))
    });
    assert_eq!(values[0], values[1], "{}", position.position_text());
    values[0]
}

/// The value by plain search over the rules' own positions, without tactics, tables or order.
fn plain(position: &Position) -> Outcome {
    value(&Minimax::new(()).think(position, &Limits::none()))
}

#[test]
fn foresight_never_changes_a_value() {
    let mut rng = random(3);
    let mut seen = HashMap::new();
    let mut cases: Vec<Position> = (0..6).map(|stones| scattered(2, stones % 4, &mut rng)).collect();
    cases.extend((0..25).map(|i| scattered(3, 11 + i % 5, &mut rng)));
    cases.extend((0..40).map(|i| scattered(4, 30 + i % 4, &mut rng)));
    for position in &cases {
        let truth = plain(position);
        *seen.entry(format!("{truth:?}")).or_insert(0) += 1;
        for (name, threat_search) in threat_searches() {
            let text = position.position_text();
            assert_eq!(solve::<u64>(&threat_search, position), truth, "{name}: {text}");
        }
        assert_eq!(solve::<u128>(&ThreatSearch::new(), position), truth);
        assert_eq!(solve::<Words<4>>(&ThreatSearch::new(), position), truth);
    }
    assert_eq!(seen.len(), 3, "all three outcomes: {seen:?}");
}

/// On boards above size 6 the judge is a proof-number search over the rules' positions that knows only wins in one and blocks.
#[test]
fn large_boards_have_the_values_of_the_rules() {
    let mut rng = random(6);
    let mut judge = Dfpn::default().tactics(Threats);
    let mut seen = HashMap::new();
    for (size, stones) in [(7, 100), (8, 110), (9, 140), (10, 170)] {
        for i in 0..10 {
            let position = scattered(size, stones - i, &mut rng);
            let Some(truth) = judge.think(&position, &Limits::none().nodes(100_000)).proven else { continue };
            *seen.entry(format!("{size} {truth:?}")).or_insert(0) += 1;
            if size <= 8 {
                assert_eq!(solve::<Words<4>>(&ThreatSearch::new(), &position), truth);
            }
            assert_eq!(solve::<Words<6>>(&ThreatSearch::new().frames(Some(1)), &position), truth);
            assert_eq!(Solver::default().think(&position, &Limits::none()).proven, Some(truth));
        }
    }
    println!("{seen:?}");
    assert!(seen.len() >= 6 && seen.values().sum::<u32>() >= 25, "{seen:?}");
}

/// Each verdict, compared move by move with alpha-beta without a threat search.
#[test]
fn verdicts_hold_for_every_move() {
    let mut rng = random(4);
    let mut engine = AlphaBeta::default();
    let mut truth = |position: &Position| value(&engine.think(position, &Limits::none()));
    let (mut wins, mut losses, mut left_out) = (0, 0, 0);
    for i in 0..1500 {
        let position =
            if i % 2 == 0 { scattered(3, 5 + i % 8, &mut rng) } else { scattered(4, 24 + i % 8, &mut rng) };
        let me = position.to_move();
        let mut only = Vec::new();
        let verdict = ThreatSearch::new().probe(&mut small_of::<u64>(&position), &mut only);
        let mut value_after = |cell| {
            let mut next = position.clone();
            next.play_unchecked(Move::Place(cell));
            next.outcome().unwrap_or_else(|| truth(&next))
        };
        match verdict {
            Verdict::Win(cell) => {
                assert_eq!(value_after(cell), Outcome::Win(me));
                wins += 1;
            }
            Verdict::Loss | Verdict::Only => {
                for cell in position.empty_cells().filter(|cell| !only.contains(cell)) {
                    assert_eq!(value_after(cell), Outcome::Win(me.other()), "{}", position.position_text());
                    left_out += 1;
                }
                losses += usize::from(verdict == Verdict::Loss);
            }
            Verdict::Never(player) => assert_ne!(truth(&position), Outcome::Win(player)),
            Verdict::Draw => assert_eq!(truth(&position), Outcome::Draw),
            Verdict::Open => {}
        }
    }
    assert!(wins > 300 && losses > 20 && left_out > 1000, "{wins} {losses} {left_out}");
}

/// Positions of size 4 with 10 to 24 stones, all three outcomes among them, compared with alpha-beta over the rules'
/// positions with only wins in one and blocks. Positions that alpha-beta does not finish are left out.
#[test]
#[ignore = "minutes: cargo test --release -p stonework-havannah-solver --test solver -- --ignored agree --nocapture (docs/lab/solving.md)"]
fn two_thousand_positions_agree_with_alpha_beta() {
    let mut rng = random(5);
    let mut counts: HashMap<String, u32> = HashMap::new();
    let limits = Limits::none().nodes(1_000_000).bytes(256 << 20);
    let mut judge = AlphaBeta::new((), AlphaBetaOptions::new().bytes(256 << 20)).unwrap();
    let mut solver = Solver::default();
    let mut unfinished = 0;
    while counts.values().sum::<u32>() < 2000 {
        let stones = 10 + rng.next_u64() as usize % 15;
        let position = scattered(4, stones, &mut rng);
        match judge.think(&position, &limits).proven {
            Some(truth) => {
                let found = value(&solver.think(&position, &Limits::none().bytes(1 << 30)));
                assert_eq!(found, truth, "{}", position.position_text());
                *counts.entry(format!("{truth:?}")).or_default() += 1;
            }
            None => unfinished += 1,
        }
    }
    println!("{counts:?}, {unfinished} where alpha-beta did not finish");
    assert_eq!(counts.len(), 3);
}

/// The moves and the winner of a line of the reference data.
fn record(line: &str) -> (String, Player) {
    let field = |name: &str| line.split(&format!("\"{name}\":")).nth(1).unwrap();
    let moves = field("moves").trim_start_matches('[').split(']').next().unwrap().replace(['"', ','], " ");
    let white = field("winner").starts_with("\"white\"");
    (moves, if white { Player::First } else { Player::Second })
}

#[test]
fn the_map_of_size_3_agrees_and_takes_few_nodes() {
    let mut solver = Solver::default();
    let mut with_frames = Solver::default().threat_search(ThreatSearch::new().frames(Some(1)));
    let mut nodes = 0;
    for opening in ["a1", "a2", "b2", "b3", "c3"] {
        let position = after(3, opening);
        nodes += solver.think(&position, &Limits::none()).nodes;
    }
    assert!(nodes < 1000, "all openings of size 3 in {nodes} nodes");
    let text = stonework_reference_data::text("havannah/size3-map.jsonl");
    for line in text.lines() {
        let (moves, winner) = record(line);
        for solver in [&mut solver, &mut with_frames] {
            let report = solver.think(&after(3, &moves), &Limits::none());
            assert_eq!(report.proven, Some(Outcome::Win(winner)), "{line}");
        }
    }
    assert_eq!(text.lines().count(), 362);
}

/// The number of nodes of a search does not depend on the machine. Each kind of order has a position in which it saves
/// nodes; `docs/lab/solving.md` has its worth in general.
#[test]
fn orders_save_nodes() {
    let nodes = |moves: &str, estimates: bool, transfer: bool, focus: bool| -> u64 {
        let threat_search = ThreatSearch::new().estimates(estimates);
        let mut solver = Solver::new(Solver::options().transfer(transfer).focus(focus))
            .unwrap()
            .threat_search(threat_search);
        let report = solver.think(&after(4, moves), &Limits::none());
        assert!(report.proven.is_some(), "{moves}");
        report.nodes
    };
    let moves = "g4 a4 g7 f5 a1 d2 c3 d7 b5 c4 b4 b3 g6";
    let (without, with) = (nodes(moves, false, false, false), nodes(moves, false, true, false));
    assert!(2 * with < without, "transfer: {with} of {without}");
    let moves = "a4 g4 a1 b3 g7 d1 d7 f3 e2 d2";
    let (without, with) = (nodes(moves, false, false, false), nodes(moves, true, false, false));
    assert!(2 * with < without, "estimates: {with} of {without}");
    let moves = "g4 a4 g7 f5 a1 d2 c3 d7 b5 c4 b4 b3";
    let (without, with) = (nodes(moves, true, true, false), nodes(moves, true, true, true));
    assert!(2 * with < without, "focus: {with} of {without}");
}

/// Positions of the published proof: 2000 of its positions by a fixed seed, and the thousand leaves.
#[test]
#[ignore = "minutes: cargo test --release -p stonework-havannah-solver --test solver -- --ignored published --nocapture (docs/lab/solving.md)"]
fn positions_of_the_published_proof_are_won_by_white() {
    let proven = stonework_reference_data::text("havannah/size4-proven.jsonl.gz");
    let leaves = stonework_reference_data::text("havannah/size4-leaves-1M.jsonl");
    let proven: Vec<&str> = proven.lines().collect();
    // Must-play by frames from this work on, if the variable is set.
    let frames = std::env::var("STONEWORK_FRAMES").ok().map(|work| work.parse().unwrap());
    let mut rng = random(6);
    let picked = (0..2000).map(|_| proven[rng.next_u64() as usize % proven.len()]);
    let value = |line: &str, millions: u64| {
        let (moves, winner) = record(line);
        let limits = Limits::none().bytes(6 << 30).nodes(millions * 1_000_000);
        let report = Solver::new(Solver::options().question(Question::Wins(Player::First)))
            .unwrap()
            .threat_search(ThreatSearch::new().frames(frames))
            .think(&after(4, &moves), &limits);
        assert!(report.proven.is_none_or(|proof| proof == Outcome::Win(winner)), "{line}");
        (report.proven, report.nodes)
    };
    for (what, lines) in [("leaves", leaves.lines().collect::<Vec<_>>()), ("proven", picked.collect())] {
        let (mut nodes, mut hard, since) = (0, Vec::new(), std::time::Instant::now());
        for (i, line) in lines.iter().enumerate() {
            let (proof, spent) = value(line, 10);
            nodes += spent;
            if proof.is_none() {
                hard.push(line);
            }
            if (i + 1) % 100 == 0 {
                let right = i + 1 - hard.len();
                println!("{what}: {right} of {} right, {nodes} nodes, {:?}", i + 1, since.elapsed());
            }
        }
        assert!(what == "proven" || hard.is_empty(), "{hard:?}");
        // The positions that take more than ten million nodes.
        for line in hard {
            let (proof, spent) = value(line, 400);
            println!("{what}: {spent} nodes, {:?}, {line}", since.elapsed());
            assert!(proof.is_some(), "{line}");
        }
    }
}

#[test]
fn draws_are_proven_drawn() {
    let mut solver = Solver::default();
    for plies in 18..=31 {
        let position = drawn(plies);
        let report = solver.think(&position, &Limits::none());
        assert_eq!(report.proven, Some(Outcome::Draw), "after {plies}");
    }
}

/// The rules' own tactics decide fewer positions, never otherwise.
#[test]
fn foresight_sees_what_threats_see() {
    let mut rng = random(10);
    for i in 0..2000 {
        let mut position = scattered(4, 6 + i % 26, &mut rng);
        let (mut only, mut blocks) = (Vec::new(), Vec::new());
        let seen = ThreatSearch::new().probe(&mut small_of::<u64>(&position), &mut only);
        match Threats.probe(&mut position, &mut blocks) {
            Verdict::Win(_) => assert!(matches!(seen, Verdict::Win(_))),
            Verdict::Loss => assert_eq!(seen, Verdict::Loss),
            Verdict::Only if seen == Verdict::Only => {
                assert_eq!(only.into_iter().map(Move::Place).collect::<Vec<_>>(), blocks);
            }
            Verdict::Only => assert!(matches!(seen, Verdict::Win(_) | Verdict::Loss)),
            Verdict::Never(_) | Verdict::Draw | Verdict::Open => {}
        }
    }
}
