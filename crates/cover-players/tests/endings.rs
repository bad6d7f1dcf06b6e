//! Cover's players and solvers with tables of endings: their results agree with the tables.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::Duration;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_cover::{Move, Options, Position, Repetition, Setup};
use stonework_cover_players::{
    Bounded, DeepeningSolver, Endings, ImmediateThreats, Shots, Space, StepOrder, Tabled, ThreatSequences,
    WeightedTerms, roster,
};
use stonework_endgame::{Options as Means, StateSpace, Value, replies, solve};
use stonework_game::{Game, Outcome, Player, Textual, laws};
use stonework_roster::PlayerConfig;
use stonework_roster::{Clock, Decision};
use stonework_search::{
    AlphaBeta, AlphaBetaOptions, Dfpn, Engine, Limits, Pn, Report, SearchContext, Stop, WIN, WIN_BOUND,
};

const WITHOUT: Options = Options { repetition: Repetition::None, voluntary_shots: false };

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn solved(size: u8, stones: (usize, usize), options: Options) -> Endings {
    Endings::solve(Space::new(size, stones, options).unwrap(), &Means::default()).unwrap()
}

/// One against one of Cover-2 with the usual rule.
fn small() -> &'static Endings {
    static SMALL: OnceLock<Endings> = OnceLock::new();
    SMALL.get_or_init(|| solved(2, (1, 1), Options::default()))
}

/// All of Cover-2 without the rule of repetition, and its endings with a stone less.
fn whole() -> &'static [Endings; 2] {
    static WHOLE: OnceLock<[Endings; 2]> = OnceLock::new();
    WHOLE.get_or_init(|| [(2, 2), (2, 1)].map(|stones| solved(2, stones, WITHOUT)))
}

/// States of a table with these numbers of stones, and with any past that such states can have.
fn states(endings: &Endings, stones: (usize, usize), count: usize, seed: u64) -> Vec<(Position, Value)> {
    let (space, mut rng) = (endings.space(), rng(seed));
    let tier = space.tiers().find(|tier| (tier.mine, tier.theirs) == stones).unwrap();
    let mut all = Vec::new();
    while all.len() < count {
        let rank = tier.numbers.start + rng.next_u64() % (tier.numbers.end - tier.numbers.start);
        all.extend(space.unrank(rank).map(|state| (state.clone(), endings.value(&state).unwrap())));
    }
    all
}

fn search(engine: &mut (impl Engine<Position> + ?Sized), root: &Position, limits: &Limits) -> Report<Move> {
    engine.think(root, limits)
}

fn ending(value: Value, root: &Position) -> Outcome {
    value.outcome(root.to_move())
}

fn worth(value: Value) -> i32 {
    match value {
        Value::Win(plies) => WIN - i32::from(plies),
        Value::Loss(plies) => i32::from(plies) - WIN,
        Value::Draw => 0,
    }
}

#[test]
fn with_the_table_one_ply_is_the_table() {
    let one = Limits::none().depth(1);
    for name in ["cover", "bos", "alphabeta"] {
        // `alphabeta` has only a given table; the other players have the shared table.
        let endings = (name == "alphabeta").then(|| small().clone());
        let mut engine = roster(endings).engine(name, &PlayerConfig::default()).unwrap();
        for (root, value) in states(small(), (1, 1), 300, 1) {
            let report = search(&mut *engine, &root, &one);
            assert_eq!(
                (report.value.score(), report.proven),
                (worth(value), Some(ending(value, &root))),
                "{name} {root:?}"
            );
            let Some(plies) = value.distance() else { continue };
            // The line goes to the end of the game.
            assert_eq!(report.line().len(), usize::from(plies), "{name} {root:?}");
            let mut game = root.clone();
            for &mv in report.line() {
                game.play(mv).unwrap();
            }
            assert_eq!(game.outcome(), Some(ending(value, &root)));
        }
    }
}

#[test]
fn a_search_without_the_table_never_contradicts_it() {
    let mut engine = AlphaBeta::new((), AlphaBetaOptions::new().quiet_depth(2))
        .unwrap()
        .order(StepOrder)
        .noisy_moves(Shots);
    let (mut proven, limits) = (0, Limits::none().depth(7));
    for (root, value) in states(small(), (1, 1), 120, 2) {
        let report = search(&mut engine, &root, &limits);
        if report.proven.is_some() {
            assert_eq!(report.proven, Some(ending(value, &root)), "{root:?}");
            assert!(
                report.value.score().abs() <= worth(value).abs(),
                "{root:?}: {} {value:?}",
                report.value.score()
            );
            proven += 1;
        }
        // The search finds, to the ply, every outcome within its depth.
        if value.distance().is_some_and(|plies| plies <= 7) {
            assert_eq!(report.value.score(), worth(value), "{root:?}");
        }
    }
    assert!(proven > 40, "{proven}");
}

/// Two against two, with the endings of fewer stones: proven values are right, and more of them are proven than
/// without.
fn two_against_two(full: &Endings, lower: &Endings, count: usize, nodes: u64) {
    let limits = Limits::none().nodes(nodes);
    let mut proven = [0; 2];
    for (root, value) in states(full, (2, 2), count, 3) {
        for (with, proven) in [false, true].into_iter().zip(&mut proven) {
            let mut known = Tabled::new(WeightedTerms::new()).sharing(false);
            if with {
                known.give(lower.clone());
            }
            let mut engine = AlphaBeta::new(known, AlphaBetaOptions::new().quiet_depth(8).late_moves(4, 1))
                .unwrap()
                .order(StepOrder)
                .noisy_moves(Shots);
            let report = search(&mut engine, &root, &limits);
            if report.proven.is_some() {
                assert_eq!(report.proven, Some(ending(value, &root)), "{root:?}");
                *proven += 1;
            }
            // A win is at least as long as the shortest one.
            assert!(report.value.score() < WIN_BOUND || report.value.score() <= worth(value), "{root:?}");
        }
    }
    assert!(proven[1] > proven[0] && proven[1] > count / 4, "{proven:?} of {count}");
}

#[test]
fn two_against_two_agrees_with_the_full_table() {
    let [full, lower] = whole();
    two_against_two(full, lower, 80, 400);
    // The whole table decides at once, with a search of one ply.
    let mut engine = roster(Some(full.clone())).engine("cover", &PlayerConfig::default()).unwrap();
    let start = Position::with_options(2, WITHOUT).unwrap();
    let report = search(&mut *engine, &start, &Limits::none().depth(1));
    assert_eq!((report.proven, report.stopped), (Some(Outcome::Draw), Some(Stop::Solved)));
}

/// Two against two with the rule of repetition.
#[test]
#[ignore = "five minutes, 2.3 GiB: cargo test --release -p stonework-cover-players --test endings -- --ignored --nocapture (docs/lab/cover.md)"]
fn two_against_two_agrees_with_the_full_table_by_the_rule() {
    let rule = Options::default();
    two_against_two(&solved(2, (2, 2), rule), &solved(2, (2, 1), rule), 2000, 2000);
}

fn read(size: u8, board: &str, to_move: Player) -> Position {
    Setup { to_move, ..Setup::from_board(size, board).unwrap() }.position().unwrap()
}

/// Figure 28: the player `cover` wins in 38 against the best defence of the table, and so does the player of 1995.
#[test]
fn the_longest_win_is_played_to_its_end() {
    let endings = Endings::shared(4, Options::default(), &mut || true).unwrap();
    for name in ["cover", "bos"] {
        let mut game = read(4, "[A08]x[A11]", Player::Second);
        let config =
            PlayerConfig { limits: Limits::none().nodes(100).bytes(1 << 20), ..PlayerConfig::default() };
        let mut player = roster(None).agent(name, &config).unwrap();
        let mut plies = 0;
        while game.outcome().is_none() && plies < 50 {
            let Ok::<_, Infallible>(all) = replies(&game, |next| Ok(endings.value(next)));
            let best = all[0].0;
            let mv = match game.to_move() {
                Player::Second => best,
                Player::First => match player.decide(&game, &Clock::NONE) {
                    Some(Decision::Play(mv)) => mv,
                    other => panic!("{name}: {other:?}"),
                },
            };
            game.play(mv).unwrap();
            plies += 1;
        }
        assert_eq!((game.outcome(), plies), (Some(Outcome::Win(Player::First)), 38), "{name}");
    }
}

#[test]
fn the_dial_turns_the_shared_table_off() {
    let root = read(2, "[A02]x[E07]", Player::First);
    for name in ["cover", "bos"] {
        let mut engine = roster(None).engine(name, &PlayerConfig::default()).unwrap();
        let value =
            |engine: &mut dyn Engine<Position>| search(engine, &root, &Limits::none().depth(1)).value.score();
        assert_eq!(value(&mut *engine), WIN - 23);
        engine.set_parameter("endings", 0.0).unwrap();
        assert_eq!(
            engine
                .parameters()
                .iter()
                .find(|parameter| parameter.name == "endings")
                .map(|parameter| parameter.value),
            Some(0.0)
        );
        assert!(value(&mut *engine) < WIN_BOUND, "{name}");
        assert!(engine.set_parameter("endings", 2.0).is_err());
        engine.set_parameter("endings", 1.0).unwrap();
        assert_eq!(value(&mut *engine), WIN - 23);
    }
}

/// A search with little time does not wait for a table, a search with enough time does; both get the same table then.
#[test]
fn a_table_is_made_once_and_waited_for_if_there_is_time() {
    let options = Options { voluntary_shots: true, ..Options::default() };
    assert_eq!(Endings::shared(3, options, &mut || false), None);
    let made = Endings::shared(3, options, &mut || true).unwrap();
    assert_eq!(Endings::shared(3, options, &mut || false).as_ref(), Some(&made));
    assert_eq!(format!("{made:?}"), "Endings(size 3, 1v1, four+voluntary)");
    for size in [0, 9, 10, 11] {
        assert_eq!(Endings::shared(size, options, &mut || true), None);
    }
    let any = Options { repetition: Repetition::Any, ..options };
    assert_eq!(Endings::shared(3, any, &mut || true), None);
    // Without a table the player still plays.
    let root = Setup { options: any, ..Setup::from_board(3, "[C04]x[E08]").unwrap() }.position().unwrap();
    let mut engine = roster(None).engine("cover", &PlayerConfig::default()).unwrap();
    assert!(search(&mut *engine, &root, &Limits::none().nodes(100)).best.is_some());
}

/// A caller that takes its time in `wait` holds nobody else up. (It held the lock of the table.)
#[test]
fn a_caller_that_waits_keeps_no_other_from_the_table() {
    let options = Options { repetition: Repetition::None, ..Options::default() };
    let mut answers = 0;
    let mut wait = || {
        let (told, heard) = mpsc::channel();
        thread::spawn(move || told.send(Endings::shared(2, options, &mut || false).is_some()));
        heard.recv_timeout(Duration::from_secs(60)).expect("the other caller has an answer meanwhile");
        answers += 1;
        true
    };
    assert!(Endings::shared(2, options, &mut wait).is_some());
    assert!(answers > 0);
}

/// A file for one test.
fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("stonework-endings-{}-{name}", std::process::id()))
}

#[test]
fn a_stored_table_is_asked_and_a_damaged_one_refused() {
    let space = Space::new(2, (1, 1), WITHOUT).unwrap();
    let table = solve(&space, &Means::default(), &mut |_| std::ops::ControlFlow::Continue(())).unwrap().table;
    let mut bytes = Vec::new();
    table.write(Space::GAME, &space.to_string(), &mut bytes).unwrap();
    let path = file("cover-2");
    std::fs::write(&path, &bytes).unwrap();
    let stored = Endings::open(&path).unwrap();
    let held = solved(2, (1, 1), WITHOUT);
    for (state, value) in states(&held, (1, 1), 200, 4) {
        assert_eq!(stored.value(&state), Some(value));
    }
    assert_eq!(stored.value(&Position::new(2).unwrap()), None, "two stones each");
    // The player uses the table.
    let root = Setup { options: WITHOUT, ..Setup::from_board(2, "[A07]x[C06]").unwrap() }.position().unwrap();
    let mut engine = roster(Some(stored)).engine("bos", &PlayerConfig::default()).unwrap();
    engine.set_parameter("endings", 0.0).unwrap();
    assert_eq!(search(&mut *engine, &root, &Limits::none().depth(1)).value.score(), 12 - WIN);
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let error = Endings::open(&path).unwrap_err().to_string();
        error.strip_prefix(&format!("{}: ", path.display())).unwrap().to_owned()
    };
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 1;
    assert!(refused(&damaged).starts_with("block 0 (numbers from 0) is damaged: edited"));
    assert_eq!(refused(b"nothing of the kind"), "the first line is not `stonework endgame 2` (byte 0)");
    let other = |game: &str, parameters: &str| {
        let mut bytes = Vec::new();
        table.write(game, parameters, &mut bytes).unwrap();
        refused(&bytes)
    };
    assert_eq!(other("cachex", "size 3"), "a table of `cachex`, not of `cover`");
    assert_eq!(other("cover", "size 2, 1v1"), "`size 2, 1v1` names no space: `size 4, 1v1, four` is one");
    assert_eq!(other("cover", "size 1, 1v1, none"), "a table of 972 numbers for a space of 226");
    // To count the numbers of this space takes minutes and gigabytes.
    assert_eq!(
        other("cover", "size 10, 2v1, none"),
        "2 against 1 stones on Cover-10 have more than 972 numbers"
    );
    std::fs::remove_file(&path).unwrap();
    let missing = Endings::open(&path).unwrap_err().to_string();
    assert!(missing.starts_with(&format!("{}: ", path.display())), "{missing}");
    // An entry without a use for a table refuses one.
    let error = roster(Some(held)).agent("uct", &PlayerConfig::default()).err().unwrap().to_string();
    assert_eq!(error, "a table of Cover's endings (size 2, 1v1, none): uct asks none");
}

#[test]
fn a_bounded_game_keeps_the_laws() {
    for endings in [None, Some(small().clone())] {
        for plies in [0, 5, 40] {
            let start = Bounded::new(Position::new(2).unwrap(), plies, endings.clone());
            laws::game(&start, 6, 30).unwrap();
            laws::keyed(&start, 7, 30).unwrap();
            laws::finite(&start, 8, 30).unwrap();
        }
    }
    let over = Bounded::new(read(2, "[A02]x[E07]", Player::First), 3, Some(small().clone()));
    assert_eq!(over.outcome(), Some(Outcome::Win(Player::First)));
    let mv = over.position().parse_move("A02-A03").unwrap();
    assert_eq!(over.check(mv).unwrap_err().to_string(), "the game is over: 3 plies are left");
}

/// A memory that is too small for an entry still has the position that is searched, and so the winning move.
#[test]
fn threat_sequences_name_the_move_of_a_win_with_hardly_any_memory() {
    let game = Position::parse_position("4 b four [I09]x[K05] -").unwrap();
    for (own, limits) in [(0, Limits::none()), (1 << 20, Limits::none().bytes(1))] {
        let report = ThreatSequences::new(own, None).think(&game, &limits);
        assert_eq!(report.proven, Some(Outcome::Win(Player::First)));
        assert!(report.best.is_some_and(|mv| game.check(mv).is_ok()), "{report:?}");
    }
}

/// A solver of limited games that proves nothing, and notes the limits of its searches.
struct Noting<'a>(&'a mut Vec<Limits>);

impl Engine<Bounded> for Noting<'_> {
    fn search(&mut self, root: &Bounded, limits: &Limits, _: SearchContext<'_, Move>) -> Report<Move> {
        self.0.push(limits.clone());
        Report { nodes: 10, ..Report::over(Outcome::Draw, root.to_move()) }
    }
}

/// All limits are those of the whole search: each search of it has the rest.
#[test]
fn the_searches_of_a_deepening_solver_share_its_limits() {
    let (hour, mut noted) = (Duration::from_secs(3600), Vec::new());
    let limits = Limits::none().nodes(1000).time(hour).enough(hour).depth(60);
    let _ = DeepeningSolver::new(Noting(&mut noted), None).think(&Position::new(4).unwrap(), &limits);
    assert!(noted.len() > 5, "{noted:?}");
    let nodes: Vec<u64> = noted.iter().map(|limits| limits.nodes.unwrap()).collect();
    assert!(nodes.windows(2).all(|pair| pair[1] == pair[0] - 10), "{nodes:?}");
    for times in [|limits: &Limits| limits.time.unwrap(), |limits: &Limits| limits.enough.unwrap()] {
        let times: Vec<Duration> = noted.iter().map(times).collect();
        assert!(times.is_sorted_by(|before, after| before >= after) && times[0] <= hour, "{times:?}");
        assert!(times.last() < times.first(), "{times:?}");
    }
}

/// Proof numbers and threats prove wins, and only wins that the table has.
#[test]
fn what_proof_numbers_and_threats_prove_is_so() {
    let limits = Limits::none().nodes(1000).bytes(4 << 20);
    let [full, lower] = whole();
    for (endings, stones, of) in [(None, (1, 1), small()), (Some(lower), (2, 2), full)] {
        let given = || endings.cloned();
        let mut engines: [(&str, Box<dyn Engine<Position>>); 3] = [
            ("dfpn", Box::new(DeepeningSolver::new(Dfpn::default().tactics(ImmediateThreats), given()))),
            ("pns", Box::new(DeepeningSolver::new(Pn::default().tactics(ImmediateThreats), given()))),
            ("threats", Box::new(ThreatSequences::new(1 << 20, given()))),
        ];
        for (name, engine) in &mut engines {
            let (mut proven, mut whole) = (0, 0);
            for (root, value) in states(of, stones, 25, 5) {
                let report = search(&mut **engine, &root, &limits);
                let Some(found) = report.proven else {
                    assert!(
                        report.value.score() == 0 && report.stopped != Some(Stop::Solved),
                        "{name} {report:?}"
                    );
                    continue;
                };
                assert_eq!(found, ending(value, &root), "{name} {root:?}");
                assert_ne!(found, Outcome::Draw, "{name} {root:?}");
                proven += 1;
                if found == Outcome::Win(root.to_move()) {
                    assert!(report.value.score() <= worth(value), "{name} {root:?}");
                    // The line is legal, and leads to the win, unless the solver has forgotten the rest of it.
                    let mut game = root.clone();
                    for &mv in report.line() {
                        game.play(mv).unwrap();
                    }
                    let end = game.outcome().or_else(|| {
                        let value = endings?.value(&game)?;
                        Some(value.outcome(game.to_move()))
                    });
                    assert!(end.is_none_or(|end| end == found), "{name} {root:?}");
                    whole += usize::from(end.is_some());
                }
            }
            assert!(proven >= 3 && whole >= 1, "{name} {stones:?}: {proven}, {whole} lines");
        }
    }
}

/// The solver answers at once, with the whole line, if the table has the root.
#[test]
fn solvers_know_what_the_table_knows() {
    for name in ["dfpn", "pns", "threats"] {
        let mut engine = roster(Some(small().clone())).engine(name, &PlayerConfig::default()).unwrap();
        for (root, value) in states(small(), (1, 1), 50, 9) {
            let report = search(&mut *engine, &root, &Limits::none().nodes(10));
            assert_eq!(
                (report.proven, report.value.score()),
                (Some(ending(value, &root)), worth(value)),
                "{name} {root:?}"
            );
            let plies = value.distance().map_or(1, usize::from);
            assert_eq!(report.line().len(), plies, "{name} {root:?}");
        }
    }
}
