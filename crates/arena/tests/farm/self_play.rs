//! Self-play by several workers of a farm: the files of one process, whatever happens to workers, reports and coordinator.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use stonework_arena::Won;
use stonework_arena::farm::{
    MAX_SELF_PLAY_CHUNK, RepeatCheck, SelfPlayCheck, SelfPlayIntake, SelfPlayPlan, SelfPlayProver,
    SelfPlayWork, SelfPlayed,
};
use stonework_arena::self_play::{
    MAX_UNPACKED, ProvenPlay, Searched, SelfPlay, SelfPlayFolder, SelfPlayGame, packed, unpacked,
};
use stonework_engine::{Engine, Limits};
use stonework_farm::{
    Blob, Check as _, Coordinator, CoordinatorEvent, Embedded, EmbeddedOptions, Ended, FarmJob,
    FarmPlan as _, FarmWork, JobDecision, JobOffer, JobOutcome, Queue as _, Spent, WorkReport, WorkSeat,
    Worked, Worker,
};
use stonework_files::{Disk, Simulated};
use stonework_game::example::Nim;
use stonework_search::{Dfpn, Mcts, MctsOptions, RandomPlayout};

const GAMES: usize = 26;
const FILE: usize = 10;

fn play() -> SelfPlay<Nim> {
    SelfPlay { opening: 3, stray: 0.3, ..SelfPlay::new(Nim::new(40), 7) }
}

fn engine() -> Result<Box<dyn Engine<Nim>>, String> {
    let options = MctsOptions::uct().lines(9);
    Ok(Box::new(Mcts::new(RandomPlayout::new(100), options).map_err(|error| error.to_string())?))
}

fn limits() -> Limits {
    Limits::none().simulations(12)
}

fn words() -> Value {
    json!({"seed": 7})
}

fn work() -> SelfPlayWork<Nim> {
    SelfPlayWork::new(Box::new(|given: &Value| {
        let played = SelfPlayed { play: play(), limits: limits(), make: Box::new(engine), prover: None };
        if *given == words() { Ok(played) } else { Err("other games".to_owned()) }
    }))
}

fn games() -> Vec<SelfPlayGame> {
    let mut games = Vec::new();
    let mut each = |game| {
        games.push(game);
        Ok(())
    };
    play().run(0..GAMES, &engine, &limits(), 1, &AtomicBool::new(false), &mut each).unwrap();
    games
}

fn open(disk: &Simulated) -> SelfPlayFolder<'_> {
    SelfPlayFolder::open(disk, Path::new("games"), &json!({"game": "nim"}), FILE).unwrap()
}

/// The files of a folder.
fn files(disk: &Simulated) -> Vec<(PathBuf, Vec<u8>)> {
    let path = |number: usize, end: &str| PathBuf::from(format!("games/games-{number:05}.jsonl{end}"));
    let paths = (0..4).flat_map(|number| [path(number, ""), path(number, ".gz")]);
    paths.filter_map(|path| disk.content(&path).map(|bytes| (path, bytes))).collect()
}

/// The files that one process writes.
fn alone() -> Vec<(PathBuf, Vec<u8>)> {
    let disk = Simulated::new();
    let mut folder = open(&disk);
    for game in games() {
        folder.add(&game).unwrap();
    }
    drop(folder);
    files(&disk)
}

/// A directory for a queue, and the disk of its coordinator, which outlive a coordinator.
struct Place(PathBuf, Simulated);

impl Place {
    fn new(name: &str) -> Self {
        let folder = format!("stonework-arena-self-play-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        let _ = std::fs::remove_dir_all(&folder);
        Self(folder, Simulated::new())
    }

    fn queue(&self) -> Embedded {
        let options = EmbeddedOptions { term: Duration::from_millis(400), ..EmbeddedOptions::default() };
        Embedded::open(&self.0, &options).unwrap()
    }

    fn coordinator(&self) -> Coordinator {
        let disk: Arc<dyn Disk> = Arc::new(self.1.clone());
        Coordinator::new(disk, PathBuf::from("farm"), "one")
    }

    /// Plays the missing games of a folder by workers of other threads. `watch` gets each event with the flag that stops the
    /// coordinator; `write` is `false` for games that the process does not write before its end.
    fn run(
        &self,
        disk: &Simulated,
        workers: Vec<Hand>,
        write: &dyn Fn(usize) -> bool,
        watch: &mut dyn FnMut(&CoordinatorEvent<'_>, &AtomicBool),
    ) -> Ended {
        let (queue, coordinator) = (self.queue(), self.coordinator());
        let mut folder = open(disk);
        let missing = folder.missing(GAMES);
        let begun = coordinator.begun(&queue).unwrap().and_then(|identity| SelfPlayPlan::begun(&identity));
        let mut each = |game: SelfPlayGame| {
            if write(game.game) { folder.add(&game).map_err(|error| error.to_string()) } else { Ok(()) }
        };
        let mut intake = SelfPlayIntake::new(missing.start, &mut each);
        let mut plan = SelfPlayPlan::new(words(), begun.unwrap_or(missing.start)..missing.end, 3).unwrap();
        let (over, stop) = (AtomicBool::new(false), AtomicBool::new(false));
        std::thread::scope(|scope| {
            for worker in workers {
                let (queue, over) = (self.queue(), &over);
                scope.spawn(move || worker(queue, over));
            }
            let ended =
                coordinator.run(&queue, &mut plan, &SelfPlayCheck::Games(play()), &stop, &mut |event| {
                    match event {
                        CoordinatorEvent::Leads { .. } => {
                            let mut take =
                                |decision: &JobDecision| intake.take(decision, &coordinator).unwrap();
                            coordinator.read(&mut |_| {}, &mut take).unwrap();
                        }
                        CoordinatorEvent::Decided(decision) => intake.take(decision, &coordinator).unwrap(),
                        _ => {}
                    }
                    watch(event, &stop);
                });
            over.store(true, Ordering::Relaxed);
            ended.unwrap()
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

type Hand = Box<dyn FnOnce(Embedded, &AtomicBool) + Send>;

/// A worker with its own work.
fn hand(name: &'static str, mut work: impl FarmWork + Send + 'static) -> Hand {
    Box::new(move |queue, over| {
        Worker::new(name, "test 1").run(&queue, &mut work, over, &mut |_| {}).unwrap();
    })
}

/// A worker that reports each job twice, the second time without its lease.
fn twice() -> Hand {
    Box::new(|queue, over| {
        let mut work = work();
        while !over.load(Ordering::Relaxed) {
            let JobOffer::Job(lease) = queue.lease("twice", Duration::from_millis(50)).unwrap() else {
                continue;
            };
            let Worked::Done { answer, blobs, nodes } = work.work(&lease.job, &WorkSeat::default()) else {
                panic!("no games")
            };
            let names = blobs.iter().map(|blob| Blob::of(blob)).collect();
            let report = WorkReport {
                job: lease.job.id(),
                worker: "twice".to_owned(),
                build: "test 1".to_owned(),
                spent: Spent { nodes, millis: 1 },
                outcome: JobOutcome::Done { body: answer, blobs: names },
            };
            queue.report(Some(&lease), &report, &blobs).unwrap();
            queue.report(None, &report, &blobs).unwrap();
        }
    })
}

/// A worker that changes its games before it reports them.
struct Liar(fn(&mut SelfPlayGame));

impl FarmWork for Liar {
    fn work(&mut self, job: &FarmJob, seat: &WorkSeat) -> Worked {
        let Worked::Done { answer, blobs, nodes } = work().work(job, seat) else { return Worked::Left };
        let mut games = unpacked(&blobs[0], MAX_UNPACKED).unwrap();
        games.iter_mut().for_each(self.0);
        Worked::Done { answer, blobs: vec![packed(&games).unwrap()], nodes }
    }
}

/// A worker that is slower than the term of a lease, and is then the second one to report.
struct Slow;

impl FarmWork for Slow {
    fn work(&mut self, job: &FarmJob, seat: &WorkSeat) -> Worked {
        std::thread::sleep(Duration::from_millis(100));
        work().work(job, seat)
    }
}

#[test]
fn the_folder_of_several_workers_is_that_of_one_process() {
    let (place, disk) = (Place::new("same"), Simulated::new());
    let workers = vec![hand("one", work()), hand("slow", Slow), hand("two", work())];
    let ended = place.run(&disk, workers, &|_| true, &mut |_, _| {});
    assert_eq!(ended, Ended::Over);
    assert!(files(&disk) == alone());
    assert_eq!(files(&disk).len(), 3);
}

#[test]
fn a_report_that_comes_twice_counts_once() {
    let (place, disk) = (Place::new("twice"), Simulated::new());
    let (mut needless, mut decided) = (0, 0);
    place.run(&disk, vec![twice()], &|_| true, &mut |event, _| match event {
        CoordinatorEvent::Needless { .. } => needless += 1,
        CoordinatorEvent::Decided(_) => decided += 1,
        _ => {}
    });
    assert!(files(&disk) == alone());
    assert_eq!(decided, GAMES.div_ceil(3));
    assert!(needless > 0);
}

#[test]
fn a_liar_is_shut_out_and_changes_no_file() {
    let (place, disk) = (Place::new("liar"), Simulated::new());
    let liar = hand("liar", Liar(|game| game.proven = false));
    // The honest worker begins after the lies.
    let is_out = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&is_out);
    let honest: Hand = Box::new(move |queue, over| {
        while !seen.load(Ordering::Relaxed) && !over.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(10));
        }
        Worker::new("honest", "test 1").run(&queue, &mut work(), over, &mut |_| {}).unwrap();
    });
    let mut refused = Vec::new();
    place.run(&disk, vec![liar, honest], &|_| true, &mut |event, _| {
        if let CoordinatorEvent::Refused { worker, why, .. } = event {
            refused.push(((*worker).to_owned(), (*why).to_owned()));
        }
        is_out.fetch_or(matches!(event, CoordinatorEvent::ShutOut { .. }), Ordering::Relaxed);
    });
    assert!(files(&disk) == alone());
    assert_eq!(refused.len(), 3);
    assert!(refused.iter().all(|(worker, why)| worker == "liar" && why.contains("not over")), "{refused:?}");
}

#[test]
fn a_coordinator_that_is_killed_goes_on_from_its_journal_and_the_folder() {
    // The process ends after some decisions, of which the folder has the games up to a number.
    for (decisions, kept) in [(0, 0), (1, 0), (3, 4), (5, 13), (9, 20)] {
        let (place, disk) = (Place::new(&format!("kill-{decisions}")), Simulated::new());
        let mut decided = 0;
        place.run(&disk, vec![hand("one", work())], &|game| game < kept, &mut |event, stop| {
            decided += u64::from(matches!(event, CoordinatorEvent::Decided(_)));
            if decided >= decisions {
                stop.store(true, Ordering::Relaxed);
            }
        });
        assert!(open(&disk).games() <= kept);
        let mut more = 0;
        let ended = place.run(&disk, vec![hand("two", work())], &|_| true, &mut |event, _| {
            more += u64::from(matches!(event, CoordinatorEvent::Decided(_)));
        });
        assert_eq!(ended, Ended::Over);
        assert!(files(&disk) == alone(), "{decisions} decisions, {kept} games");
        assert_eq!(decided + more, GAMES.div_ceil(3) as u64, "no job is done twice");
        // Without the folder, the games come from the journal alone.
        let disk = Simulated::new();
        assert_eq!(place.run(&disk, Vec::new(), &|_| true, &mut |_, _| {}), Ended::Over);
        assert!(files(&disk) == alone());
    }
}

#[test]
fn a_folder_with_games_gets_the_others_alone() {
    let (place, disk) = (Place::new("begun"), Simulated::new());
    let mut folder = open(&disk);
    for game in games().iter().take(11) {
        folder.add(game).unwrap();
    }
    drop(folder);
    let mut decided = 0;
    place.run(&disk, vec![hand("one", work())], &|_| true, &mut |event, stop| {
        decided += u64::from(matches!(event, CoordinatorEvent::Decided(_)));
        stop.store(decided >= 2, Ordering::Relaxed);
    });
    assert!(open(&disk).games() > 11);
    place.run(&disk, vec![hand("two", work())], &|_| true, &mut |event, _| {
        decided += u64::from(matches!(event, CoordinatorEvent::Decided(_)));
    });
    assert!(files(&disk) == alone());
    assert_eq!(decided, (GAMES as u64 - 11).div_ceil(3));
}

/// The decisions about all jobs, in the order of their jobs.
fn decisions() -> Vec<JobDecision> {
    let mut plan = SelfPlayPlan::new(words(), 0..GAMES, 3).unwrap();
    let (mut work, check) = (work(), SelfPlayCheck::Games(play()));
    std::iter::from_fn(|| plan.next())
        .map(|job| {
            let Worked::Done { answer, blobs, nodes } = work.work(&job, &WorkSeat::default()) else {
                panic!("no games")
            };
            let answer = check.check(&job, &answer, &blobs).unwrap();
            assert_eq!(check.check(&job, &answer, &blobs).unwrap(), answer);
            let names: Vec<Blob> = blobs.iter().map(|blob| Blob::of(blob)).collect();
            let inline = names.iter().map(|blob| blob.digest).zip(blobs).collect();
            let (worker, build, spent) = (String::new(), String::new(), Spent { nodes, millis: 1 });
            JobDecision { offers: 0, job, worker, build, spent, answer, blobs: names, inline }
        })
        .collect()
}

#[test]
fn the_order_of_reports_does_not_matter() {
    let (all, place) = (decisions(), Place::new("order"));
    assert_eq!(all.len(), GAMES.div_ceil(3));
    let orders: [Vec<usize>; 3] = [
        (0..all.len()).rev().collect(),
        (0..all.len()).map(|at| at * 4 % all.len()).collect(),
        (0..all.len()).flat_map(|at| [at, at / 2]).collect(),
    ];
    for order in orders {
        let mut got = Vec::new();
        let mut each = |game| {
            got.push(game);
            Ok(())
        };
        let mut plan = SelfPlayPlan::new(words(), 0..GAMES, 3).unwrap();
        while plan.next().is_some() {}
        let mut intake = SelfPlayIntake::new(0, &mut each);
        let mut taken = [false; GAMES];
        for at in order {
            assert!(!plan.is_over() || taken[at]);
            intake.take(&all[at], &place.coordinator()).unwrap();
            if !std::mem::replace(&mut taken[at], true) {
                plan.take(&all[at].job, &all[at].answer);
            }
        }
        assert_eq!(got, games());
        assert!(plan.is_over());
        assert_eq!(plan.progress(), json!({"games": GAMES, "of": GAMES}));
    }
}

/// A search of a move.
fn search() -> Searched {
    Searched { value: Some(0.5), visits: vec![("1".to_owned(), 1)] }
}

/// A game that goes on to its end by the rules, with the random moves of the plan.
fn to_the_end(proven: &SelfPlayGame) -> SelfPlayGame {
    let mut game = SelfPlayGame { proven: false, ..proven.clone() };
    loop {
        game.searches.push(search());
        game.moves.push("1".to_owned());
        let mut why = play().confirm(&game).err().map(|why| why.to_string()).unwrap_or_default();
        if why.contains("the random move here is 2") {
            "2".clone_into(game.moves.last_mut().unwrap());
            why = play().confirm(&game).err().map(|why| why.to_string()).unwrap_or_default();
        }
        if why.contains("the result is") {
            game.result = if game.result == Won::First { Won::Second } else { Won::First };
            return game;
        }
        if why.is_empty() {
            return game;
        }
        assert!(why.contains("not over"), "{why}");
    }
}

#[test]
fn games_that_are_not_of_the_plan_are_refused() {
    let honest = games();
    for game in &honest {
        play().confirm(game).unwrap();
    }
    let of = |wanted: &dyn Fn(&SelfPlayGame) -> bool| honest.iter().find(|game| wanted(game)).unwrap();
    let any = of(&|game| game.searches.len() > 3);
    let last = any.searches.len() - 1;
    let refused = |game: &SelfPlayGame, change: &dyn Fn(&mut SelfPlayGame), said: &str| {
        let mut changed = game.clone();
        change(&mut changed);
        let why = play().confirm(&changed).unwrap_err().to_string();
        assert!(why.contains(said), "{why}, and not: {said}");
    };
    refused(any, &|game| game.game += 1, "the opening of this game");
    refused(any, &|game| game.opening -= 1, "the opening of this game");
    refused(any, &|game| game.moves.truncate(0), "the opening of this game");
    refused(any, &|game| game.moves.push("1".to_owned()), "searches for");
    refused(any, &|game| game.searches.truncate(last), "searches for");
    refused(any, &|game| game.moves[game.opening] = "9".to_owned(), "(9)");
    refused(any, &|game| game.moves[game.opening] = "x".repeat(90), "(xxx");
    refused(any, &|game| game.searches[0].value = Some(1.5), "a value of 1.5");
    refused(any, &|game| game.searches[last].visits[0].0 = "7".to_owned(), "visits of 7");
    refused(any, &|game| game.searches[0].visits[0].1 = 0, "has a visit");
    let twice =
        |game: &mut SelfPlayGame| game.searches[0].visits = vec![("1".to_owned(), 5), ("1".to_owned(), 4)];
    refused(any, &twice, "visits of 1 twice");
    let crowd = |game: &mut SelfPlayGame| game.searches[0].visits = vec![("1".to_owned(), 5); 41];
    refused(any, &crowd, "visits of 41 moves");
    let proven = of(&|game| game.proven);
    refused(proven, &|game| game.proven = false, "the game is not over");
    // A replay cannot judge a proof.
    play().confirm(&SelfPlayGame { result: Won::Draw, ..proven.clone() }).unwrap();
    let over = to_the_end(proven);
    play().confirm(&over).unwrap();
    refused(&over, &|game| game.proven = true, "nothing is left to prove");
    refused(&over, &|game| game.result = Won::Draw, "the result is");
    let more = |game: &mut SelfPlayGame| {
        game.moves.push("1".to_owned());
        game.searches.push(search());
    };
    refused(&over, &more, "over before");
    // A move that the engine has not chosen: the plan draws a random one, where the line has another one.
    let other = |text: &str| if text == "1" { "2" } else { "1" };
    let mut strays = 0;
    for game in &honest {
        for at in game.opening..game.moves.len() {
            let mut changed = game.clone();
            changed.moves[at] = other(&game.moves[at]).to_owned();
            strays += usize::from(
                play().confirm(&changed).is_err_and(|why| why.to_string().contains("the random move here")),
            );
        }
    }
    assert!(strays > 0);
    // A limit of plies makes a draw, and no move follows.
    let short = SelfPlay { max_plies: Some(5), ..play() };
    let drawn = (0..GAMES).map(|game| short.play(game, &mut *engine().unwrap(), &limits()).unwrap());
    let drawn: Vec<SelfPlayGame> = drawn.filter(|game| game.moves.len() == 5 && !game.proven).collect();
    assert!(drawn.iter().all(|game| short.confirm(game).is_ok() && game.result == Won::Draw));
    let why = play().confirm(&drawn[0]).unwrap_err().to_string();
    assert!(why.contains("the game is not over"), "{why}");
    let long = honest.iter().find(|game| game.moves.len() > 6 && game.opening < 5).unwrap();
    assert!(short.confirm(long).unwrap_err().to_string().contains("over before"));
}

#[test]
fn visits_that_no_search_has_made_are_found_by_playing_a_sample_again() {
    let mut plan = SelfPlayPlan::new(words(), 0..3, 3).unwrap();
    let job = plan.next().unwrap();
    let Worked::Done { answer, blobs, .. } = work().work(&job, &WorkSeat::default()) else {
        panic!("no games")
    };
    let again = RepeatCheck::new(SelfPlayCheck::Games(play()), work(), 1.0, 9);
    assert!(again.check(&job, &answer, &blobs).is_ok());
    let mut games = unpacked(&blobs[0], MAX_UNPACKED).unwrap();
    let search = games[1].searches.iter_mut().find(|search| search.visits.len() > 1).unwrap();
    search.visits[0].1 += 1;
    let lie = [packed(&games).unwrap()];
    // The rules say nothing about visits.
    assert!(SelfPlayCheck::Games(play()).check(&job, &answer, &lie).is_ok());
    let why = again.check(&job, &answer, &lie).unwrap_err();
    assert_eq!(why, "game 1 comes out otherwise when it is played again");
}

#[test]
fn a_job_of_other_games_is_left_and_blobs_that_do_not_fit_are_refused() {
    let mut plan = SelfPlayPlan::new(words(), 4..GAMES, 1000).unwrap();
    assert_eq!(SelfPlayPlan::begun(&plan.identity()), Some(4));
    assert_eq!(SelfPlayPlan::begun("games 2: …"), None);
    let job = plan.next().unwrap();
    let check = |blobs: &[Vec<u8>]| SelfPlayCheck::Games(play()).check(&job, &[], blobs).unwrap_err();
    assert!(check(&[]).contains("0 blobs"));
    assert!(check(&[b"lies".to_vec()]).contains("no compressed text"));
    assert!(check(&[packed(&games()).unwrap()]).contains("not 22 from 4"));
    let mut other = SelfPlayWork::<Nim>::new(Box::new(|_| Err("this is version 2, not 1".to_owned())));
    assert_eq!(other.work(&job, &WorkSeat::default()), Worked::Unable("this is version 2, not 1".to_owned()));
    let unknown = FarmJob::new("self-play", 9, job.body()).unwrap();
    assert!(matches!(work().work(&unknown, &WorkSeat::default()), Worked::Unable(_)));
    let many = json!({"words": words(), "first": 0, "count": MAX_SELF_PLAY_CHUNK + 1}).to_string();
    let many = FarmJob::new("self-play", 1, many).unwrap();
    assert!(matches!(work().work(&many, &WorkSeat::default()), Worked::Unable(why) if why.contains("257")));
    // A worker that is told to end leaves its job.
    let seat = WorkSeat::default();
    seat.end();
    assert_eq!(work().work(&job, &seat), Worked::Left);
    assert!(SelfPlayPlan::new(json!("x".repeat(40_000)), 0..1, 1).is_err());
}

#[test]
fn positions_near_proofs_are_those_of_one_process_and_a_lie_is_refused() {
    let plan = ProvenPlay { play: play(), from: 5 };
    let prover = || -> Result<Box<dyn Engine<Nim>>, String> { Ok(Box::new(Dfpn::default())) };
    let few = Limits::none().nodes(40).bytes(1 << 16);
    let mut alone = Vec::new();
    let mut each = |game| {
        alone.push(game);
        Ok(())
    };
    plan.run(4..9, [&engine, &prover], [&limits(), &few], 1, &AtomicBool::new(false), &mut each).unwrap();
    assert!(alone.iter().any(|game| !game.branches.is_empty()));

    let mut work = SelfPlayWork::new(Box::new(move |_: &Value| {
        let prover = SelfPlayProver { from: 5, limits: few.clone(), make: Box::new(prover) };
        Ok(SelfPlayed { play: play(), limits: limits(), make: Box::new(engine), prover: Some(prover) })
    }));
    let job = SelfPlayPlan::new(words(), 4..9, 5).unwrap().next().unwrap();
    let Worked::Done { answer, blobs, .. } = work.work(&job, &WorkSeat::default()) else {
        panic!("no games")
    };
    assert_eq!(unpacked(&blobs[0], MAX_UNPACKED).unwrap(), alone);
    let check = SelfPlayCheck::Proven(plan);
    assert!(check.check(&job, &answer, &blobs).is_ok());
    assert!(SelfPlayCheck::Games(play()).check(&job, &answer, &blobs).is_err());
    let proven = alone.iter_mut().find(|game| game.proven).unwrap();
    proven.result = if proven.result == Won::First { Won::Second } else { Won::First };
    let why = check.check(&job, &answer, &[packed(&alone).unwrap()]).unwrap_err();
    assert!(why.contains("and the result is"), "{why}");
    // Of a game that is told to end, nothing is kept.
    let seat = WorkSeat::default();
    seat.end();
    assert_eq!(work.work(&job, &seat), Worked::Left);
}
