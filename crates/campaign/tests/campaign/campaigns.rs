//! Tests of campaigns of a small game: every plan, several workers, stops, lost leases and damaged files.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use stonework_campaign::laws::Pool as _;
use stonework_campaign::{Campaign, CampaignError, CampaignEvent, JobId, Leases as _, Plan, Taken};
use stonework_game::{Outcome, Player, example::Nim};
use stonework_proof::Claim;
use stonework_search::{Dfpn, DfpnProver, Limits, Prover as _, Stop};

use crate::common::{MemoryPool, folder};

const PLANS: [Plan; 4] =
    [Plan::OneJob, Plan::Replies, Plan::Openings { split: false }, Plan::Openings { split: true }];

fn solver() -> DfpnProver {
    DfpnProver::new("nim", (), Dfpn::default())
}

/// The value of a heap: a multiple of three is lost.
fn value(left: u8) -> Outcome {
    Outcome::Win(if left.is_multiple_of(3) { Player::Second } else { Player::First })
}

fn claims(file: &Path) -> Vec<(Nim, Claim)> {
    solver().verify(&mut &fs::read(file).unwrap()[..]).unwrap().claims
}

/// The files in a directory, apart from the proof.
fn others(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count() - usize::from(folder.join("p").exists())
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
                Plan::Openings { .. } => {
                    let moves: Vec<u8> = results.jobs.iter().map(|job| job.mv).collect();
                    assert_eq!(moves, (1..=left.min(2)).collect::<Vec<_>>());
                    let proved: Vec<Claim> = results.jobs.iter().map(|job| Claim::of(job.outcome)).collect();
                    assert_eq!(claims.iter().map(|(_, claim)| *claim).collect::<Vec<_>>(), proved);
                }
                _ => assert_eq!(claims, [(Nim::new(left), Claim::of(value(left)))]),
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
    for plan in &PLANS[1..] {
        let error = Campaign::new(root, &file).plan(*plan).run(&mut solver(), &mut |_| {}).unwrap_err();
        assert!(matches!(error, CampaignError::NoMoves), "{error}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// Workers with leases on files and in memory, each with its own solver.
#[test]
fn workers_share_a_campaign() {
    let folder = folder("shared");
    let file = folder.join("p");
    let pool = MemoryPool::new();
    for plan in &PLANS[1..] {
        let by_files =
            Campaign::new(Nim::new(200), &file).plan(*plan).checkpoint_every(Duration::from_millis(1));
        for campaign in [by_files.clone(), by_files.leases(pool.worker())] {
            let outcomes: Vec<_> = thread::scope(|scope| {
                let work = || campaign.run(&mut solver(), &mut |_| {}).unwrap();
                let workers: Vec<_> = (0..3).map(|_| scope.spawn(work)).collect();
                workers.into_iter().map(|worker| worker.join().unwrap().outcome).collect()
            });
            assert_eq!(outcomes, [Some(value(200)); 3], "{plan:?}");
            let expected = if *plan == Plan::Replies { 1 } else { 2 };
            let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
            assert_eq!((claims(&file).len(), left.as_slice()), (expected, &[file.clone()][..]), "{plan:?}");
            fs::remove_file(&file).unwrap();
        }
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

/// A job belongs to one worker, and the error names this worker.
#[test]
fn a_campaign_of_one_job_names_its_holder() {
    let folder = folder("held");
    let pool = MemoryPool::new();
    let campaign = Campaign::new(Nim::new(9), folder.join("p")).leases(pool.worker());
    let Taken::Lease(lease) = pool.take(&JobId::whole()).unwrap() else { panic!("not free") };
    let error = campaign.run(&mut solver(), &mut |_| {}).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, CampaignError::Held { .. }) && text.contains("the holder of lease 1"), "{text}");
    drop(lease);
    campaign.run(&mut solver(), &mut |_| {}).unwrap();
    fs::remove_dir_all(&folder).unwrap();
}

/// The term of a lease passes during the search: the worker writes no proof without the lease, and the campaign
/// still comes to its end.
#[test]
fn a_lost_lease_wastes_work_and_nothing_else() {
    let folder = folder("lost");
    let (file, pool) = (folder.join("p"), MemoryPool::new());
    for plan in PLANS {
        let campaign = Campaign::new(Nim::new(200), &file).plan(plan).leases(pool.worker());
        let (mut losses, mut proved) = (0, 0);
        let mut run = || {
            campaign.run(&mut solver(), &mut |event| match event {
                CampaignEvent::Began { .. } if losses < 2 => {
                    losses += 1;
                    pool.expire();
                }
                CampaignEvent::Proved { .. } => proved += 1,
                _ => {}
            })
        };
        if plan == Plan::OneJob {
            for _ in 0..2 {
                let error = run().unwrap_err();
                assert!(matches!(error, CampaignError::LeaseLost { .. }), "{error}");
            }
        }
        let results = run().unwrap();
        assert_eq!((results.outcome, losses, others(&folder)), (Some(value(200)), 2, 0), "{plan:?}");
        assert!(proved > 0 && !claims(&file).is_empty());
        fs::remove_file(&file).unwrap();
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn damaged_files_are_named_and_stay() {
    let folder = folder("damaged");
    let file = folder.join("p");
    let parts = folder.join("p.parts");
    let campaign = Campaign::new(Nim::new(30), &file).plan(Plan::Openings { split: false });
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

/// A worker without a free job reports the holder for which it waits, and stops at its limit of time.
#[test]
fn a_worker_waits_for_others_until_it_is_stopped() {
    let folder = folder("waiting");
    let (file, pool) = (folder.join("p"), MemoryPool::new());
    let leases: Vec<_> = ["1", "2"].map(|name| pool.take(&JobId::whole().child(name)).unwrap()).into();
    let limits = Limits::none().time(Duration::from_millis(300));
    let campaign = Campaign::new(Nim::new(30), &file).plan(Plan::Replies).leases(pool.worker());
    let mut holders = Vec::new();
    let results = campaign
        .clone()
        .limits(limits)
        .run(&mut solver(), &mut |event| {
            if let CampaignEvent::Waiting { holder } = event {
                holders.extend(holder.map(|holder| holder.worker.clone()));
            }
        })
        .unwrap();
    assert_eq!(results.stopped.unwrap().reason, Stop::Time);
    assert!(holders.iter().any(|holder| holder.starts_with("the holder of lease")), "{holders:?}");
    drop(leases);
    assert_eq!(campaign.run(&mut solver(), &mut |_| {}).unwrap().outcome, Some(value(30)));
    fs::remove_dir_all(&folder).unwrap();
}
