//! Tests of campaigns of a small game: both plans, stops, two runs at a time, damaged files, and the files of earlier
//! versions.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use stonework_campaign::{Campaign, CampaignError, CampaignEvent, Plan, Results};
use stonework_files::{Disk, Handle, Lock, Look, System};
use stonework_game::{Outcome, Player, example::Nim};
use stonework_proof::{Claim, VerifyLimits};
use stonework_search::{Dfpn, DfpnProver, Limits, Prover as _, Stop};

const PLANS: [Plan; 2] = [Plan::OneJob, Plan::Openings];

/// Makes an empty directory for a test; each name has its own directory.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("stonework-campaign-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn solver() -> DfpnProver {
    DfpnProver::new("nim", (), Dfpn::default())
}

/// The value of a heap: a multiple of three is lost.
fn value(left: u8) -> Outcome {
    Outcome::Win(if left.is_multiple_of(3) { Player::Second } else { Player::First })
}

fn claims(file: &Path) -> Vec<(Nim, Claim)> {
    solver().verify(&VerifyLimits::default(), &mut &fs::read(file).unwrap()[..]).unwrap().claims
}

/// The number of files in a directory, apart from the proof.
fn others(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count() - usize::from(folder.join("p").exists())
}

/// The lock on a file, as another process would hold it.
fn lock(path: &Path) -> Lock {
    let disk: Arc<dyn Disk> = Arc::new(System);
    Lock::take(&disk, path).unwrap()
}

#[test]
fn every_plan_proves_the_value_and_leaves_the_proof_alone() {
    let folder = folder("plans");
    let file = folder.join("p");
    for left in [1, 2, 3, 7, 30] {
        for plan in PLANS {
            let campaign = Campaign::new(Nim::new(left), &file).plan(plan);
            let results = campaign.run(&mut solver(), &mut |_| {}).unwrap();
            assert_eq!(results.outcome, Some(value(left)), "{left} {plan:?}");
            assert_eq!((results.stopped, others(&folder)), (None, 0), "{left} {plan:?}");
            let proof = results.proof.unwrap();
            assert_eq!((&proof.path, proof.written.bytes), (&file, fs::metadata(&file).unwrap().len()));
            let claims = claims(&file);
            match plan {
                Plan::Openings => {
                    let moves: Vec<u8> = results.jobs.iter().map(|job| job.mv).collect();
                    assert_eq!(moves, (1..=left.min(2)).collect::<Vec<_>>());
                    let proved: Vec<Claim> = results.jobs.iter().map(|job| Claim::of(job.outcome)).collect();
                    assert_eq!(claims.iter().map(|(_, claim)| *claim).collect::<Vec<_>>(), proved);
                }
                Plan::OneJob => assert_eq!(claims, [(Nim::new(left), Claim::of(value(left)))]),
            }
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_finished_game_has_a_proof_and_no_jobs() {
    let folder = folder("over");
    let file = folder.join("p");
    let root = Nim::new(0);
    let results = Campaign::new(root, &file).run(&mut solver(), &mut |_| {}).unwrap();
    assert_eq!(results.outcome, Some(value(0)));
    assert_eq!(claims(&file), [(root, Claim::Wins(Player::Second))]);
    let error = Campaign::new(root, &file).plan(Plan::Openings).run(&mut solver(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, CampaignError::NoMoves), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}

/// The second of two runs is refused at any time of the first one, and the first run ends as if it were alone.
#[test]
fn a_second_run_is_refused_and_the_first_is_unharmed() {
    let folder = folder("second");
    let file = folder.join("p");
    for plan in PLANS {
        let campaign =
            Campaign::new(Nim::new(200), &file).plan(plan).checkpoint_every(Duration::from_millis(1));
        let mut refused = 0;
        let results = campaign
            .run(&mut solver(), &mut |event| {
                if matches!(event, CampaignEvent::Searching { .. }) {
                    return;
                }
                // Whatever the plan of the second run is, the file is the same.
                for other in PLANS {
                    let second = campaign.clone().plan(other).run(&mut solver(), &mut |_| {});
                    let error = second.unwrap_err();
                    let (text, lock) = (error.to_string(), folder.join("p.lock").display().to_string());
                    assert!(matches!(error, CampaignError::Held { .. }) && text.contains(&lock), "{text}");
                    assert!(text.contains(&format!("process {} is at work", std::process::id())), "{text}");
                }
                refused += 1;
            })
            .unwrap();
        assert!(refused >= 3, "{plan:?}: {refused}");
        assert_eq!((results.outcome, others(&folder)), (Some(value(200)), 0), "{plan:?}");
        assert_eq!(claims(&file).len(), if plan == Plan::OneJob { 1 } else { 2 });
        fs::remove_file(&file).unwrap();
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// A slice without time for a single node is no reason to stop.
#[test]
fn a_campaign_without_time_between_checkpoints_ends() {
    let folder = folder("hasty");
    let file = folder.join("p");
    for plan in PLANS {
        let campaign = Campaign::new(Nim::new(20), &file).plan(plan).checkpoint_every(Duration::ZERO);
        let results = campaign.run(&mut solver(), &mut |_| {}).unwrap();
        assert_eq!((results.outcome, others(&folder)), (Some(value(20)), 0), "{plan:?}");
        fs::remove_file(&file).unwrap();
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_campaign_goes_on_where_a_limit_has_stopped_it() {
    let folder = folder("stopped");
    let file = folder.join("p");
    for plan in PLANS {
        let campaign = Campaign::new(Nim::new(201), &file).plan(plan);
        let stopped = campaign.clone().limits(Limits::none().nodes(100));
        let results = stopped.run(&mut solver(), &mut |_| {}).unwrap();
        assert_eq!((results.outcome, results.proof), (None, None), "{plan:?}");
        let unfinished = results.stopped.unwrap();
        assert_eq!((unfinished.reason, unfinished.mv.is_none()), (Stop::Nodes, plan == Plan::OneJob));
        assert!(others(&folder) > 0, "{plan:?}");
        let mut resumed = 0;
        let results = campaign
            .run(&mut solver(), &mut |event| {
                if let CampaignEvent::Resumed { saved, .. } = event {
                    resumed += saved.nodes;
                }
            })
            .unwrap();
        assert!(resumed >= 100, "{plan:?}: {resumed} nodes");
        assert!(results.work.nodes_before >= 100, "{plan:?}: {:?}", results.work);
        assert_eq!((results.outcome, others(&folder)), (Some(value(201)), 0), "{plan:?}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// A cancelled campaign has lost no finished job: the next run takes the proof over and counts no work for it.
#[test]
fn finished_jobs_are_taken_over() {
    let folder = folder("finished");
    let campaign = Campaign::new(Nim::new(100), folder.join("p")).plan(Plan::Openings);
    let cancel = Arc::new(AtomicBool::new(false));
    let limits = Limits { cancel: Some(Arc::clone(&cancel)), ..Limits::none() };
    let results = campaign
        .clone()
        .limits(limits)
        .run(&mut solver(), &mut |event| {
            if matches!(event, CampaignEvent::Proved { .. }) {
                cancel.store(true, Ordering::Relaxed);
            }
        })
        .unwrap();
    let stopped = results.stopped.unwrap();
    assert_eq!((results.jobs.len(), stopped.mv, stopped.reason), (1, Some(2), Stop::Cancel));
    let mut known = None;
    let results = campaign
        .run(&mut solver(), &mut |event| {
            if let CampaignEvent::Known { job, outcome, .. } = event {
                known = job.mv.map(|mv| (mv, *outcome));
            }
        })
        .unwrap();
    assert_eq!((known, results.jobs[0].work), (Some((1, value(100))), None));
    assert!(results.jobs[1].work.is_some());
    assert_eq!((results.outcome, others(&folder)), (Some(value(100)), 0));
    fs::remove_dir_all(&folder).unwrap();
}

/// A process may be killed after it has written the proof, while it removes the parts.
#[test]
fn a_finished_campaign_that_was_not_cleared_is_read_from_its_proof() {
    let folder = folder("uncleared");
    let (file, done) = (folder.join("p"), folder.join("p.parts.done"));
    let campaign = Campaign::new(Nim::new(30), &file).plan(Plan::Openings);
    let first = campaign.run(&mut solver(), &mut |_| {}).unwrap();
    let leave = || {
        fs::create_dir(&done).unwrap();
        for name in ["1.proof", "1.proof.stonework-new", "2.checkpoint", "2.lock", "all.lock"] {
            fs::write(done.join(name), "left").unwrap();
        }
    };
    leave();
    let again = campaign.run(&mut solver(), &mut |event| panic!("no work is left: {event:?}")).unwrap();
    let values = |all: &Results<u8>| -> Vec<_> { all.jobs.iter().map(|job| (job.mv, job.outcome)).collect() };
    assert_eq!((values(&again), again.outcome, again.proof), (values(&first), first.outcome, first.proof));
    assert!(again.jobs.iter().all(|job| job.work.is_none()) && others(&folder) == 0);
    // Without the proof, or with a proof of other positions, the campaign begins anew.
    for there in [None, Some(Nim::new(9))] {
        fs::remove_file(&file).unwrap();
        if let Some(root) = there {
            Campaign::new(root, &file).run(&mut solver(), &mut |_| {}).unwrap();
        }
        leave();
        let again = campaign.run(&mut solver(), &mut |_| {}).unwrap();
        assert!(again.jobs.iter().all(|job| job.work.is_some()));
        assert_eq!((again.outcome, claims(&file).len(), others(&folder)), (Some(value(30)), 2, 0));
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// An earlier version left lock files, which mean nothing without their process.
#[test]
fn locks_of_earlier_versions_are_removed_or_respected() {
    let folder = folder("locks");
    let parts = folder.join("p.parts");
    fs::create_dir(&parts).unwrap();
    let campaign = Campaign::new(Nim::new(30), folder.join("p")).plan(Plan::Openings);
    for name in ["1.lock", "2.lock", "all.lock"] {
        let held = lock(&parts.join(name));
        let error = campaign.run(&mut solver(), &mut |_| {}).unwrap_err();
        assert!(matches!(error, CampaignError::Held { .. }) && error.to_string().contains(name), "{error}");
        drop(held);
        fs::write(parts.join(name), "process 1\n").unwrap();
    }
    let results = campaign.run(&mut solver(), &mut |_| {}).unwrap();
    assert_eq!((results.outcome, others(&folder)), (Some(value(30)), 0));
    fs::remove_dir_all(&folder).unwrap();
}

/// The parts of other plans may be the work of days: a campaign does not use them and does not remove them.
#[test]
fn parts_of_other_plans_are_refused_and_stay() {
    let folder = folder("unused");
    let file = folder.join("p");
    for (plan, directory) in [
        (Plan::OneJob, "p.parts"),
        (Plan::OneJob, "p.parts.done"),
        (Plan::Openings, "p.parts/1.proof.parts"),
        (Plan::Openings, "p.parts/2.proof.parts.done"),
    ] {
        let campaign = Campaign::new(Nim::new(30), &file).plan(plan);
        let path = folder.join(directory);
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("2.proof"), "a reply").unwrap();
        let error = campaign.run(&mut solver(), &mut |_| {}).unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, CampaignError::UnusedParts { .. }), "{text}");
        assert!(
            text.starts_with(&path.display().to_string()) && text.contains("remove the directory"),
            "{text}"
        );
        assert_eq!(fs::read(path.join("2.proof")).unwrap(), b"a reply");
        // An empty directory holds nothing that could be lost.
        fs::remove_file(path.join("2.proof")).unwrap();
        let results = campaign.run(&mut solver(), &mut |_| {}).unwrap();
        assert_eq!((results.outcome, others(&folder)), (Some(value(30)), 0), "{directory}");
        fs::remove_file(&file).unwrap();
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn damaged_files_are_named_and_stay() {
    let folder = folder("damaged");
    let file = folder.join("p");
    let parts = folder.join("p.parts");
    let campaign = Campaign::new(Nim::new(30), &file).plan(Plan::Openings);
    fs::create_dir_all(&parts).unwrap();
    for (name, bytes) in [("1.proof", &b"stonework proof 2\n"[..]), ("1.checkpoint", b"stonework")] {
        let path = parts.join(name);
        fs::write(&path, bytes).unwrap();
        let error = campaign.run(&mut solver(), &mut |_| {}).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("remove it"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
        fs::remove_file(&path).unwrap();
    }
    // The proof of another position.
    Campaign::new(Nim::new(6), parts.join("1.proof")).run(&mut solver(), &mut |_| {}).unwrap();
    let error = campaign.run(&mut solver(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, CampaignError::ForeignPart { .. }), "{error}");
    fs::remove_file(parts.join("1.proof")).unwrap();
    campaign.run(&mut solver(), &mut |_| {}).unwrap();
    // A proof is no directory.
    let error = Campaign::new(Nim::new(6), &folder).run(&mut solver(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, CampaignError::NoFile { .. }), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}

/// The disk of the system, on which the file `p` can be opened and not read.
#[derive(Debug)]
struct Unreadable;

/// A file whose reads fail.
#[derive(Debug)]
struct Broken;

impl io::Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("a read was made to fail"))
    }
}

impl io::Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        unreachable!("it is open for reading")
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Handle for Broken {
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
    fn cut(&mut self, _: u64) -> io::Result<()> {
        unreachable!("it is open for reading")
    }
    fn try_lock(&mut self) -> io::Result<bool> {
        Ok(false)
    }
    fn is_at(&self, _: &Path) -> io::Result<bool> {
        Ok(true)
    }
}

impl Disk for Unreadable {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        if path.ends_with("p") { Ok(Box::new(Broken)) } else { System.open(path) }
    }
    fn create(&self, path: &Path, like: Option<&Path>) -> io::Result<Box<dyn Handle>> {
        System.create(path, like)
    }
    fn edit(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        System.edit(path)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        System.rename(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        System.remove(path)
    }
    fn make_directory(&self, path: &Path) -> io::Result<()> {
        System.make_directory(path)
    }
    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        System.remove_directory(path)
    }
    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        System.sync_directory(path)
    }
    fn look(&self, path: &Path) -> io::Result<Option<Look>> {
        System.look(path)
    }
    fn target(&self, path: &Path) -> io::Result<PathBuf> {
        System.target(path)
    }
}

/// An error of the disk while the proof of a finished campaign is read says nothing about the proof.
#[test]
fn parts_stay_when_the_proof_cannot_be_read() {
    let folder = folder("unreadable");
    let (file, done) = (folder.join("p"), folder.join("p.parts.done"));
    let campaign = Campaign::new(Nim::new(30), &file).plan(Plan::Openings);
    campaign.run(&mut solver(), &mut |_| {}).unwrap();
    fs::create_dir(&done).unwrap();
    fs::write(done.join("1.proof"), "left").unwrap();
    let error = campaign.clone().disk(Arc::new(Unreadable)).run(&mut solver(), &mut |_| {}).unwrap_err();
    let told = format!("{}: a read was made to fail", file.display());
    assert!(matches!(error, CampaignError::File { .. }) && error.to_string() == told, "{error}");
    assert_eq!(fs::read(done.join("1.proof")).unwrap(), b"left");
    // The disk is whole again: the results are in the proof.
    let results = campaign.run(&mut solver(), &mut |event| panic!("no work is left: {event:?}")).unwrap();
    assert_eq!((results.outcome, others(&folder)), (Some(value(30)), 0));
    fs::remove_dir_all(&folder).unwrap();
}
