//! Matches in this process: faults of agents, clocks, resumed matches, and matches of equal players.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;
use stonework_arena::{
    AgentContestant, Contestant, CrossTable, Event, GameLine, Games, GtpContestant, Log, Openings, Pace,
    Score, SprtVerdict, Terms, Won, play,
};
use stonework_game::{ByPlayer, Game, Player, Textual, example::Nim};
use stonework_roster::{Agent, Clock, Decision, EngineAgent};
use stonework_search::{Limits, Minimax, Parameter};

/// An agent that plays at random, or commits its `deed`.
struct Odd {
    rng: Xoshiro256PlusPlus,
    deed: &'static str,
    decided: u32,
}

impl Agent<Nim> for Odd {
    fn new_game(&mut self) {
        self.decided = 0;
    }

    fn decide(&mut self, game: &Nim, clock: &Clock) -> Option<Decision<u8>> {
        let mut legal = Vec::new();
        game.legal_moves(&mut legal);
        let any = legal[self.rng.next_u64() as usize % legal.len()];
        match self.deed {
            "panics" => panic!("on purpose"),
            "cheats" => Some(Decision::Play(3)),
            "gives nothing" => None,
            "resigns" => Some(Decision::Resign),
            "dawdles" => {
                std::thread::sleep(Duration::from_millis(800));
                Some(Decision::Play(any))
            }
            "gains time" => {
                // The expected clock: a base of nine seconds, and an increment of nine seconds for each earlier move.
                self.decided += 1;
                let all = Duration::from_secs(9) * self.decided;
                let left = clock.left.expect("a clock");
                assert!(left <= all && left + Duration::from_secs(8) > all, "{clock:?}");
                Some(Decision::Play(any))
            }
            "looks at the clock" => {
                assert!(clock.left.is_some_and(|left| left <= Duration::from_secs(9)), "{clock:?}");
                Some(Decision::Play(any))
            }
            _ => Some(Decision::Play(any)),
        }
    }
}

fn odd(deed: &'static str) -> Box<dyn Contestant<Nim>> {
    Box::new(AgentContestant::new(move |seed| {
        let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        if deed == "is missing" {
            Err("there is none".to_owned())
        } else {
            Ok(Box::new(Odd { rng, deed, decided: 0 }))
        }
    }))
}

fn perfect() -> Box<dyn Contestant<Nim>> {
    let make =
        |seed| Ok(Box::new(EngineAgent::new(Minimax::new(()), Limits::none(), seed)) as Box<dyn Agent<Nim>>);
    Box::new(AgentContestant::new(make))
}

fn event(players: usize, rounds: usize, seed: u64, terms: Terms) -> Event<Nim> {
    let start = Nim::new(11);
    let openings = Openings::Random { plies: 2 }.list(&start, rounds, seed);
    Event { start, players, terms, openings, seed }
}

fn all(
    event: &Event<Nim>,
    make: &(dyn Fn(usize) -> Box<dyn Contestant<Nim>> + Sync),
    threads: usize,
) -> Games {
    let mut games = Games::default();
    event.run(make, &|_| false, threads, &AtomicBool::new(false), &mut |line| games.add(line)).unwrap();
    assert_eq!(games.len(), event.games());
    games
}

#[test]
fn agents_that_fail_lose_that_game() {
    let slow = Terms {
        pace: Pace::Move(Duration::from_millis(20)),
        grace: Duration::from_millis(600),
        ..Terms::default()
    };
    for (deed, reason, terms) in [
        ("panics", "panicked: on purpose", Terms::default()),
        ("cheats", "illegal move \"3\": cannot take 3 of ", Terms::default()),
        ("gives nothing", "illegal move \"none\": the game is not over", Terms::default()),
        ("is missing", "does not start: there is none", Terms::default()),
        ("resigns", "resigned", Terms::default()),
        ("dawdles", "timed out after ", slow),
    ] {
        let make = |player: usize| if player == 0 { odd("") } else { odd(deed) };
        let games = all(&event(2, 3, 1, terms), &make, 6);
        for line in games.iter() {
            let winner = if line.players[0] == 0 { Won::First } else { Won::Second };
            assert_eq!(line.result, winner, "{deed}: {line:?}");
            assert!(line.reason.starts_with(reason), "{deed}: {line:?}");
        }
        let table = CrossTable::new(vec!["a".into(), "b".into()], games.iter());
        assert_eq!(table.faults(1), if deed == "resigns" { 0 } else { 6 });
    }
}

#[test]
fn clocks_run_down_and_end_games() {
    let clock = |base, increment| {
        let (base, increment) = (Duration::from_millis(base), Duration::from_millis(increment));
        Terms { pace: Pace::Game { base, increment }, grace: Duration::ZERO, ..Terms::default() }
    };
    // A game has at least three moves of the agent, of 800 ms each.
    let make = |player: usize| if player == 0 { odd("") } else { odd("dawdles") };
    let games = all(&event(2, 2, 3, clock(1500, 0)), &make, 4);
    assert!(games.iter().all(|line| line.reason.starts_with("timed out after ")), "{games:?}");
    for (deed, increment) in [("gains time", 9000), ("looks at the clock", 0)] {
        let games = all(&event(2, 2, 3, clock(9000, increment)), &|_| odd(deed), 1);
        assert!(games.iter().all(|line| line.reason == "rules"), "{games:?}");
    }
    // The longest time there is, and an increment: the sum has no overflow.
    let endless = Pace::Game { base: Duration::MAX, increment: Duration::from_secs(1) };
    let games = all(&event(2, 1, 3, Terms { pace: endless, ..Terms::default() }), &|_| odd(""), 1);
    assert!(games.iter().all(|line| line.reason == "rules"), "{games:?}");
    let make = |_: usize| odd("looks at the clock");
    // An agent without a parameter for seconds receives the time for its move as a clock.
    let terms = Terms { pace: Pace::Move(Duration::from_secs(9)), ..Terms::default() };
    let games = all(&event(2, 2, 3, terms), &make, 1);
    assert!(games.iter().all(|line| line.reason == "rules"), "{games:?}");
}

#[test]
fn the_referee_calls_a_draw_after_the_last_ply() {
    let terms = Terms { max_plies: Some(4), ..Terms::default() };
    let games = all(&event(2, 1, 1, terms), &|_| perfect(), 1);
    for line in games.iter() {
        assert_eq!((line.result, line.moves.len()), (Won::Draw, 4));
        assert_eq!(line.reason, "stopped after 4 plies");
    }
}

/// The games without the times, which differ from run to run.
fn timeless(games: &Games) -> Vec<GameLine> {
    let strip = |line: &GameLine| GameLine { seconds: [0.0; 2], cpu_seconds: [None; 2], ..line.clone() };
    games.iter().map(strip).collect()
}

#[test]
fn games_do_not_depend_on_how_many_are_played_at_once() {
    let make = |player: usize| if player == 0 { perfect() } else { odd("") };
    let event = event(3, 8, 5, Terms::default());
    assert_eq!(timeless(&all(&event, &make, 1)), timeless(&all(&event, &make, 4)));
}

/// The test stops a match after some games, cuts its log in the middle of a line, and resumes the match. The table is
/// the table of a match without interruption.
#[test]
fn a_killed_match_ends_with_the_same_table() {
    let make = |player: usize| if player == 0 { perfect() } else { odd("") };
    let event = event(3, 10, 5, Terms::default());
    let names = || ["a", "b", "c"].map(String::from).to_vec();
    let whole = all(&event, &make, 2);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("killed.jsonl");
    for cut in [1, 40, 400, 2000, 5000] {
        let _ = std::fs::remove_file(&path);
        let header = json!({"what": "test", "seed": 5});
        let (mut log, known) = Log::open::<GameLine>(&path, &header).unwrap();
        assert!(known.is_empty());
        let (stop, mut count) = (AtomicBool::new(false), 0);
        let watch = &mut |line: GameLine| {
            log.add(&line).unwrap();
            count += 1;
            stop.store(count >= 30, Ordering::Relaxed);
        };
        event.run(&make, &|_| false, 2, &stop, watch).unwrap();
        drop(log);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - cut.min(bytes.len())]).unwrap();
        let (mut log, known) = Log::open::<GameLine>(&path, &header).unwrap();
        let mut games: Games = known.into_iter().collect();
        assert!(games.len() < event.games());
        let before: Vec<usize> = games.iter().map(|line| line.game).collect();
        let watch = &mut |line: GameLine| {
            log.add(&line).unwrap();
            games.add(line);
        };
        event.run(&make, &|game| before.contains(&game), 2, &AtomicBool::new(false), watch).unwrap();
        assert_eq!(timeless(&games), timeless(&whole), "cut by {cut}");
        let table = |games: &Games| CrossTable::new(names(), games.iter()).text();
        assert_eq!(table(&games), table(&whole));
    }
}

/// Two players who play at random, in whole matches through the referee. A test of 0 against 100 Elo errs in at most
/// a twentieth of the matches; 8 of 60 are three standard errors above a twentieth.
#[test]
fn equal_players_are_not_told_apart() {
    let make = |_: usize| odd("");
    let mut wrong = 0;
    for seed in 0..60 {
        let event = event(2, 400, 1000 + seed, Terms::default());
        let mut score = Score::new("elo0=0,elo1=100,alpha=0.05,beta=0.05".parse().ok());
        let stop = AtomicBool::new(false);
        event
            .run(&make, &|_| false, 2, &stop, &mut |line| {
                score.add(&line);
                stop.store(score.verdict() != SprtVerdict::Open, Ordering::Relaxed);
            })
            .unwrap();
        assert_ne!(score.verdict(), SprtVerdict::Open, "seed {seed}: {:?}", score.tally());
        wrong += u32::from(score.verdict() == SprtVerdict::Upper);
    }
    assert!(wrong <= 8, "{wrong} of 60");
}

#[test]
fn random_openings_differ_while_they_can_and_leave_the_game_open() {
    let start = Nim::new(9);
    let all = Openings::Random { plies: 2 }.list(&start, 40, 3);
    // 9 less 2 to 4 gives three different positions.
    let mut first: Vec<u8> = all[..3].iter().map(|moves| moves.iter().sum()).collect();
    first.sort_unstable();
    assert_eq!(first, [2, 3, 4]);
    assert_eq!(all[..10], Openings::Random { plies: 2 }.list(&start, 10, 3));
    assert_ne!(all, Openings::Random { plies: 2 }.list(&start, 40, 4));
    // A game that is over has no opening moves.
    assert_eq!(Openings::Random { plies: 3 }.list(&Nim::new(0), 1, 3), [Vec::<u8>::new()]);
    // A heap of one ends with the first move, so every opening is shorter than 3 plies.
    assert_eq!(Openings::Random { plies: 3 }.list(&Nim::new(1), 2, 3), [Vec::<u8>::new(), Vec::new()]);
    for (book, said) in [
        ("", "the book has no openings"),
        ("# nothing\n\n", "the book has no openings"),
        ("1 2\n1 x\n", "line 2 of the book: `x`: "),
        ("1 2\n2 2 2 2 2\n", "line 2 of the book: `2`: cannot take 2 of 1"),
        ("2 2 2 2 1", "line 1 of the book: the game is over after 5 moves"),
    ] {
        let error = Openings::book(book, &start).unwrap_err().to_string();
        assert!(error.starts_with(said), "{book:?}: {error}");
    }
}

/// The openings of a long match on a small board took tens of seconds, and no signal was heard.
#[test]
fn a_list_of_openings_ends_when_it_is_stopped() {
    let (start, stop) = (Nim::new(5), AtomicBool::new(false));
    let book = Openings::book("1 2\n2 1", &start).unwrap();
    for openings in [Openings::Random { plies: 2 }, book] {
        assert_eq!(openings.list_until(&start, 9, 3, &stop), Some(openings.list(&start, 9, 3)));
        stop.store(true, Ordering::Relaxed);
        assert_eq!(openings.list_until(&start, usize::MAX, 3, &stop), None);
        stop.store(false, Ordering::Relaxed);
    }
}

#[test]
fn books_separate_moves_by_spaces_or_commas_and_leave_commas_in_moves_alone() {
    let read = |text: &str| Openings::book(text, &Nim::new(9)).unwrap();
    assert_eq!(read("1,2\n1, 2\n1 , 2\n,1 2,\n"), Openings::Book(vec![vec![1, 2]; 4]));
    assert_eq!(read("\u{feff}1 2\n"), Openings::Book(vec![vec![1, 2]]), "a mark of an editor");
    let start = stonework_cachex::Position::new(4).unwrap();
    let moves = |text: &str| -> Vec<_> { text.split(' ').map(|mv| start.parse_move(mv).unwrap()).collect() };
    let book = Openings::book("0,3 steal\n1,0, 3,3 # corners\n", &start).unwrap();
    assert_eq!(book, Openings::Book(vec![moves("0,3 steal"), moves("1,0 3,3")]));
    let error = Openings::book("0,3 4,0", &start).unwrap_err().to_string();
    assert_eq!(error, "line 1 of the book: `4,0`: `4` is no row or column: 0 to 3 (at byte 0)");
}

/// An agent of two threads that lets the second thread do the work.
struct Leader;

const WORK: Duration = Duration::from_millis(30);

impl Agent<Nim> for Leader {
    fn new_game(&mut self) {}

    fn decide(&mut self, game: &Nim, _: &Clock) -> Option<Decision<u8>> {
        let work = || {
            let since = cpu_time::ThreadTime::now();
            while since.elapsed() < WORK {
                std::hint::black_box(*game);
            }
        };
        std::thread::scope(|scope| scope.spawn(work).join().expect("the work has no end that fails"));
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        moves.first().copied().map(Decision::Play)
    }

    fn parameters(&self) -> Vec<Parameter> {
        vec![Parameter::whole("threads", "threads", 2.0, 1.0, 2.0)]
    }
}

/// The processor time of a player with two threads was that of the thread that did nothing.
#[test]
#[cfg(any(unix, windows))]
fn processor_time_counts_all_threads_of_an_agent_or_is_not_known() {
    let event = event(2, 1, 1, Terms::default());
    let leader = || Box::new(AgentContestant::new(|_| Ok(Box::new(Leader) as Box<dyn Agent<Nim>>)));
    for has_process in [true, false] {
        let make = |_| {
            let mut contestant: Box<dyn Contestant<Nim>> = leader();
            if has_process {
                contestant.has_process();
            }
            contestant
        };
        for line in all(&event, &make, 1).iter() {
            let decisions = line.moves.len() - line.opening;
            for (side, least) in [decisions.div_ceil(2), decisions / 2].into_iter().enumerate() {
                let known = line.cpu_seconds[side];
                assert_eq!(known.is_some(), has_process, "{line:?}");
                assert!(known.is_none_or(|cpu| cpu >= WORK.as_secs_f64() * least as f64), "{line:?}");
            }
        }
    }
}

#[test]
fn what_is_played_and_counted_goes_to_other_threads() {
    fn shared<T: Send + Sync>() {}
    fn sent<T: Send>() {}
    shared::<Event<Nim>>();
    shared::<(Games, Score, CrossTable)>();
    shared::<GtpContestant>();
    sent::<AgentContestant<Nim>>();
    sent::<Log>();
}

/// The processor time of the second player in a game.
fn second_cpu(mut first: Box<dyn Contestant<Nim>>, second: &mut dyn Contestant<Nim>) -> Option<Duration> {
    let sides: ByPlayer<&mut dyn Contestant<Nim>> = ByPlayer::new(&mut *first, second);
    let (seeds, stop) = (ByPlayer::new(1, 2), AtomicBool::new(false));
    play(&Nim::new(11), &[], sides, seeds, &Terms::default(), &stop).unwrap().cpu.second
}

/// The figure of a side is that of this game, also if the game has ended before the side has done anything.
#[test]
fn a_side_that_decides_nothing_takes_no_processor_time() {
    let mut second = perfect();
    assert!(second_cpu(perfect(), &mut *second).is_some_and(|time| time > Duration::ZERO));
    // The first player does not start, so the second one is not prepared for the game.
    assert_eq!(second_cpu(odd("is missing"), &mut *second), Some(Duration::ZERO));
    assert_eq!(second_cpu(odd("resigns"), &mut *second), Some(Duration::ZERO));
}

/// A clock beside a time for each move, as a server has it: an agent without a parameter for its time took a share of the whole clock.
#[test]
fn a_clock_does_not_lengthen_the_time_for_a_move() {
    let mut agent = odd("looks at the clock");
    let terms = Terms { pace: Pace::Move(Duration::from_secs(9)), ..Terms::default() };
    agent.prepare(&Nim::new(11), Player::First, 1, &terms).unwrap();
    for left in [None, Some(300), Some(2)] {
        let clock = Clock { left: left.map(Duration::from_secs), ..Clock::NONE };
        let chosen = agent.choose(&Nim::new(11), &clock, Duration::from_secs(30));
        assert!(matches!(chosen, Ok(Decision::Play(1 | 2))), "{left:?}: {chosen:?}");
    }
}
