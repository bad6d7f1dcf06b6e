use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use stonework_files::{Disk, System};
use stonework_game::{Game, Player};
use stonework_havannah::Position;
use stonework_havannah_solver::Solver;
use stonework_proof::Claim;
use stonework_search::Limits;

use super::*;
use crate::job::Layout;
use crate::{Campaign, FileLeases};

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("stonework-jobs-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn settings(file: &Path, every: Duration) -> Settings {
    let disk: Arc<dyn Disk> = Arc::new(System);
    Settings {
        disk: Arc::clone(&disk),
        leases: Arc::new(FileLeases::new(disk, file.to_owned())),
        layout: Layout::new(file.to_owned()),
        limits: Limits::none().bytes(1 << 22),
        seed: 0,
        every,
    }
}

fn solver() -> Solver {
    Solver::new(Solver::options().keep(true)).unwrap()
}

fn campaign(root: &Position, file: &Path, plan: Plan) -> Campaign<Position> {
    Campaign::new(root.clone(), file).plan(plan).limits(Limits::none().bytes(1 << 22))
}

fn position(size: u8, moves: &str) -> Position {
    let mut position = Position::new(size).unwrap();
    for mv in moves.split_whitespace() {
        position.play(position.parse_move(mv).unwrap()).unwrap();
    }
    position
}

/// The later one of two workers with all parts has all openings, too.
#[test]
fn a_worker_that_finds_the_proof_written_has_all_openings() {
    let folder = folder("late");
    let (file, root) = (folder.join("size2.proof"), position(2, ""));
    let settings = settings(&file, Duration::from_secs(60));
    for split in [false, true] {
        let plan = Plan::Openings { split };
        let _ = fs::remove_file(&file);
        let mut late = JobList::new(&settings, JobId::whole(), root.clone(), plan, &[]).unwrap();
        let first = campaign(&root, &file, plan).run(&mut solver(), &mut |_| {}).unwrap();
        settings.disk.make_directory(&settings.layout.parts(&late.id)).unwrap();
        let mut worker =
            Worker { prover: &mut solver(), settings: &settings, since: Instant::now(), watch: &mut |_| {} };
        let last = late.orbits[0].mv;
        let Advance::Over(second) = late.merge(last, &mut worker).unwrap() else { panic!("not over") };
        let values = |all: &Results<_>| all.jobs.iter().map(|job| (job.mv, job.outcome)).collect::<Vec<_>>();
        assert_eq!((values(&second), second.jobs.len()), (values(&first), late.orbits.len()));
        assert_eq!((second.outcome, first.outcome), (first.outcome, Some(Outcome::Win(root.to_move()))));
        assert_eq!(second.proof, first.proof);
        assert!(!settings.layout.parts(&late.id).exists());
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// A worker that searches a reply ends at the next checkpoint after another worker has found the value, and has
/// the value, too.
#[test]
fn replies_that_are_needed_no_more_are_given_up() {
    let folder = folder("obsolete");
    // Black wins with only a few moves; a move that is tried early takes millions of nodes.
    let (file, root) = (folder.join("black.proof"), position(4, "d4 c3 e4 f5 c5"));
    let settings = settings(&file, Duration::from_millis(10));
    let mut prover = solver();
    let mut worker =
        Worker { prover: &mut prover, settings: &settings, since: Instant::now(), watch: &mut |_| {} };
    // The file of a list above, which exists already.
    let above = Goal { file: folder.join("above"), before: None, parts: folder.join("above.parts") };
    fs::write(&above.file, "written").unwrap();
    let new =
        |above: &[Goal]| JobList::new(&settings, JobId::whole(), root.clone(), Plan::Replies, above).unwrap();
    let mut jobs = new(&[above]);
    assert!(matches!(jobs.advance(&mut worker).unwrap(), Advance::Waiting(_)));
    assert!(jobs.done.is_empty());
    let parts = settings.layout.parts(&jobs.id);
    assert_eq!(fs::read_dir(&parts).unwrap().count(), 0);
    // Another worker has found the value.
    let mut jobs = new(&[]);
    let results = campaign(&root, &file, Plan::OneJob).run(&mut solver(), &mut |_| {}).unwrap();
    let Advance::Over(found) = jobs.advance(&mut worker).unwrap() else { panic!("not over") };
    assert_eq!((found.outcome, found.jobs.len()), (Some(Outcome::Win(Player::Second)), 0));
    assert_eq!((found.outcome, found.proof), (results.outcome, results.proof));
    assert!(!parts.exists());
    fs::remove_dir_all(&folder).unwrap();
}

/// A worker may begin after another one has written the proof, and before the other one removes the directory.
#[test]
fn a_list_that_is_cleared_behind_its_worker_is_over() {
    let folder = folder("cleared");
    let (file, root) = (folder.join("black.proof"), position(4, "d4 c3 e4 f5 c5"));
    let settings = settings(&file, Duration::from_millis(10));
    let results = campaign(&root, &file, Plan::OneJob).run(&mut solver(), &mut |_| {}).unwrap();
    for in_search in [false, true] {
        let mut jobs = JobList::new(&settings, JobId::whole(), root.clone(), Plan::Replies, &[]).unwrap();
        let parts = settings.layout.parts(&jobs.id);
        let clear = || fs::rename(&parts, done_folder(&parts)).unwrap();
        let mut began = false;
        let mut watch = |event: &CampaignEvent<'_, _>| {
            if matches!(event, CampaignEvent::Began { .. }) && !std::mem::replace(&mut began, true) {
                clear();
            }
        };
        if !in_search {
            clear();
        }
        let mut prover = solver();
        let mut worker =
            Worker { prover: &mut prover, settings: &settings, since: Instant::now(), watch: &mut watch };
        let Advance::Over(found) = jobs.advance(&mut worker).unwrap() else { panic!("not over") };
        assert_eq!((found.outcome, found.proof), (results.outcome, results.proof.clone()));
        assert!(!parts.exists() && !done_folder(&parts).exists());
        assert_eq!(began, in_search);
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// A reply that ends the game has no job, and a winning reply of the side to move ends the list.
#[test]
fn a_win_among_the_replies_is_enough() {
    let folder = folder("enough");
    let file = folder.join("white.proof");
    // White needs one cell for a bridge: White is to move in the first position, and Black in the second position.
    for (root, replies) in [(position(3, "a1 c3 a2 c4"), 1), (position(3, "a1 e5 a2"), 16)] {
        let by_replies = campaign(&root, &file, Plan::Replies).run(&mut solver(), &mut |_| {}).unwrap();
        let whole = campaign(&root, &folder.join("p"), Plan::OneJob).run(&mut solver(), &mut |_| {}).unwrap();
        assert_eq!(by_replies.outcome, whole.outcome);
        assert!(by_replies.jobs.len() <= replies, "{} replies", by_replies.jobs.len());
        let proof = solver().verify(&mut &fs::read(&file).unwrap()[..]).unwrap();
        assert_eq!(proof.claims, [(root, Claim::of(whole.outcome.unwrap()))]);
    }
    fs::remove_dir_all(&folder).unwrap();
}
