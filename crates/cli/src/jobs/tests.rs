use std::fs::{self, File};
use std::time::Instant;

use stonework_files::System;
use stonework_players::solver::Solver;

use super::*;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("stonework-jobs-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn with_run<T>(every: Duration, work: impl FnOnce(&mut LongRun<'_>) -> T) -> T {
    let limits = Limits::none().bytes(1 << 22);
    let mut solver = Solver::new().keep(true);
    let disk = system();
    work(&mut LongRun {
        disk: &disk,
        solver: &mut solver,
        limits: &limits,
        seed: 0,
        every,
        since: Instant::now(),
    })
}

fn system() -> Arc<dyn Disk> {
    Arc::new(System)
}

fn position(size: u8, moves: &str) -> Position {
    let mut position = Position::new(size).unwrap();
    for mv in moves.split_whitespace() {
        position.play(position.parse_move(mv).unwrap()).unwrap();
    }
    position
}

const MINUTE: Duration = Duration::from_secs(60);

/// Of two that have seen all parts, the one that comes late has all openings, too.
#[test]
fn who_finds_all_put_together_has_all_openings() {
    let folder = folder("late");
    let (file, root) = (folder.join("size2.proof"), position(2, ""));
    for split in [false, true] {
        let plan = Plan::Openings { split };
        let first = with_run(MINUTE, |run| prove(&root, run, &file, plan)).unwrap();
        let mut late = Jobs::new(&system(), root.clone(), file.clone(), None, plan, String::new()).unwrap();
        assert!(late.parts.exists());
        let second = late.together().unwrap().unwrap();
        let said =
            |all: &Proved| all.children.iter().map(|child| (child.cell, child.outcome)).collect::<Vec<_>>();
        assert_eq!((said(&second), second.children.len()), (said(&first), late.all.len()));
        assert_eq!((second.outcome, first.outcome), (first.outcome, Some(Outcome::Win(root.to_move()))));
        assert_eq!(second.written.unwrap().bytes, first.written.unwrap().bytes);
        assert!(!late.parts.exists());
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// Who is at a reply ends when the value is known from another one, at the next checkpoint, and has the value, too.
#[test]
fn replies_that_nobody_needs_any_more_are_given_up() {
    let folder = folder("needless");
    // Black wins, with a few of his moves; one of those that are tried first takes millions of nodes.
    let (file, root) = (folder.join("black.proof"), position(4, "d4 c3 e4 f5 c5"));
    with_run(Duration::from_millis(10), |run| {
        let mut jobs =
            Jobs::new(&system(), root.clone(), file.clone(), None, Plan::Replies, String::new()).unwrap();
        assert!(matches!(jobs.round(run, &|| true).unwrap(), Round::Others(_)));
        assert!(jobs.done.is_empty());
        assert_eq!(fs::read_dir(&jobs.parts).unwrap().count(), 0);
        // Another has found it.
        with_run(MINUTE, |other| {
            part_of(other, &root, Claim::Wins(root.to_move()), &file).unwrap().unwrap();
        });
        let Round::Over(proved) = jobs.round(run, &|| false).unwrap() else { panic!("not over") };
        assert_eq!((proved.outcome, proved.children.len()), (Some(Outcome::Win(root.to_move())), 0));
        assert!(proved.written.is_some() && !jobs.parts.exists());
    });
    fs::remove_dir_all(&folder).unwrap();
}

/// A reply that is the end of the game has no job, and one of the side to move that wins ends the list.
#[test]
fn a_win_among_the_replies_is_enough() {
    let folder = folder("enough");
    let file = folder.join("white.proof");
    // White joins two corners; Black has one cell to stop that, and it is too late.
    for (root, replies) in [(position(3, "a1 c3 a2 c4"), 1), (position(3, "a1 e5 a2"), 16)] {
        let proved = with_run(MINUTE, |run| prove(&root, run, &file, Plan::Replies)).unwrap();
        let value = with_run(MINUTE, |run| run.solver.search(&root, run.limits, 0, &mut |_| {})).proof;
        assert_eq!(proved.outcome, value);
        assert!(proved.children.len() <= replies, "{} replies", proved.children.len());
        let input = BufReader::new(File::open(&file).unwrap());
        let proof: Verified<Position> = verify("havannah", &ByRules, input, &Caps::default()).unwrap();
        assert_eq!(proof.claims, [(root, Claim::of(value.unwrap()))]);
    }
    fs::remove_dir_all(&folder).unwrap();
}
