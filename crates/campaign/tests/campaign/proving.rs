//! Proving by the jobs of a farm, without a queue: what workers tell each other steers, and decides nothing.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::json;
use stonework_campaign::proving::{
    EachMovePlan, KnownProofs, Learned, ProofCheck, ProofPlan, ProofQuestion, ProofWork,
};
use stonework_farm::{Check as _, Digest, FarmJob, FarmPlan as _, FarmWork as _, WorkSeat, Worked};
use stonework_files::System;
use stonework_game::example::Nim;
use stonework_game::{Game as _, Outcome, Player};
use stonework_proof::{Claim, ImmediateRules};
use stonework_search::{Dfpn, DfpnOptions, DfpnProver, JobTreeOptions, Limits, Prover as _};

type Work = ProofWork<Nim, DfpnProver>;

/// The bytes of a hint before its entries, and the bytes of an entry.
const HEAD: usize = 32;
const ENTRY: usize = 16;

fn solver() -> DfpnProver {
    DfpnProver::new("nim", (), Dfpn::new(DfpnOptions::new().keep(true)).unwrap())
}

fn worker() -> Work {
    ProofWork::new("nim", solver(), &Limits::none().bytes(1 << 20))
}

fn plan(stones: u8, nodes: u64) -> ProofPlan<Nim, ()> {
    plan_of(stones, nodes, ProofQuestion::Value)
}

fn plan_of(stones: u8, nodes: u64, question: ProofQuestion) -> ProofPlan<Nim, ()> {
    let options = JobTreeOptions::new().nodes(nodes);
    ProofPlan::new("nim", Nim::new(stones), question, (), options).unwrap().glance(2).share(1)
}

fn done(work: &mut Work, job: &FarmJob) -> (Vec<u8>, Vec<Vec<u8>>, u64) {
    match work.work(job, &WorkSeat::default()) {
        Worked::Done { answer, blobs, nodes } => (answer, blobs, nodes),
        other => panic!("{other:?}"),
    }
}

/// Runs a campaign by one worker, which hears `hints` before each job. Returns the value and all nodes.
fn campaign(stones: u8, work: &mut Work, hints: &[Vec<u8>]) -> (Option<Outcome>, u64) {
    let check = ProofCheck::<Nim, _>::new("nim", solver());
    let (mut plan, mut all) = (plan(stones, 50), 0);
    while let Some(job) = plan.next() {
        for hint in hints {
            work.hear(hint);
        }
        let (answer, blobs, nodes) = done(work, &job);
        all += nodes;
        let checked = check.check(&job, &answer, &blobs).unwrap();
        let _ = plan.take(&job, &checked);
    }
    assert!(plan.is_over());
    (plan.outcome(), all)
}

/// The hints of a worker that has proved a position.
fn hints(stones: u8) -> Vec<Vec<u8>> {
    let (mut plan, mut work, mut hints) = (plan(stones, 50), worker(), Vec::new());
    while let Some(job) = plan.next() {
        let (answer, ..) = done(&mut work, &job);
        let _ = plan.take(&job, &answer);
        hints.extend(work.hint());
    }
    hints
}

/// A worker that goes on with a position proves the moves of the position at the limit alone.
#[test]
fn a_lone_worker_makes_no_proofs_that_the_tree_leaves_unused() {
    let proofs = |lone| {
        let options = JobTreeOptions::new().nodes(4).lone(lone);
        let question = ProofQuestion::Wins(Player::First);
        let mut plan = ProofPlan::new("nim", Nim::new(21), question, (), options).unwrap();
        let (mut work, mut jobs, mut proofs) = (worker(), 0, 0);
        while let Some(job) = plan.next() {
            let (answer, blobs, _) = done(&mut work, &job);
            (jobs, proofs) = (jobs + 1, proofs + blobs.len());
            let _ = plan.take(&job, &answer);
        }
        assert_eq!(plan.answers().len(), 1);
        (jobs, proofs)
    };
    let (jobs, alone) = proofs(1 << 20);
    assert!(jobs > 2 && alone == 1, "{jobs} jobs, {alone} proofs");
    let (_, opened) = proofs(0);
    assert!(opened > 1, "{opened} proofs");
}

#[test]
fn the_value_does_not_depend_on_the_side_that_is_asked_about_first() {
    for stones in [20, 21] {
        let winner = if stones % 3 == 0 { Player::Second } else { Player::First };
        for first in [Player::First, Player::Second] {
            let mut plan = plan_of(stones, 50, ProofQuestion::ValueFrom(first));
            let mut work = worker();
            while let Some(job) = plan.next() {
                let (answer, ..) = done(&mut work, &job);
                let _ = plan.take(&job, &answer);
            }
            assert_eq!(plan.outcome(), Some(Outcome::Win(winner)), "{stones} {first:?}");
            // A first yes ends the campaign.
            let sides: Vec<Player> = plan.answers().iter().map(|answer| answer.who).collect();
            assert_eq!(sides, if first == winner { vec![first] } else { vec![first, winner] });
        }
    }
}

/// The campaign of each move of a heap, by one worker. Returns the values after the moves, and the value of the heap.
fn each_move(stones: u8) -> (Vec<(u8, Outcome)>, Option<Outcome>) {
    let check = ProofCheck::<Nim, _>::new("nim", solver());
    let options = JobTreeOptions::new().nodes(50);
    let question = |_: &Nim| ProofQuestion::Value;
    let mut plan =
        EachMovePlan::new("nim", &Nim::new(stones), question, &(), options).unwrap().glance(2).share(1);
    let (mut work, mut given) = (worker(), std::collections::HashSet::new());
    while !plan.is_over() {
        // The jobs of all moves that can be given out at once, and their answers in the other order.
        let mut jobs: Vec<FarmJob> = std::iter::from_fn(|| plan.next()).take(5).collect();
        assert!(!jobs.is_empty() || plan.is_over(), "{}", plan.progress());
        while let Some(job) = jobs.pop() {
            assert!(given.insert(job.id()), "a job was given out twice");
            let (answer, blobs, _) = done(&mut work, &job);
            let needless = plan.take(&job, &check.check(&job, &answer, &blobs).unwrap());
            jobs.retain(|job| !needless.contains(&job.id()));
        }
    }
    let values = plan.moves().iter().map(|of| (of.orbit.mv, of.plan.outcome().unwrap())).collect();
    (values, plan.outcome())
}

#[test]
fn each_move_is_proved_and_the_value_follows() {
    let wins = |second: bool| Outcome::Win(if second { Player::Second } else { Player::First });
    // In a long game lines merge again and again: numbers must not spread along each line by itself.
    for stones in [3, 20, 60, 97, 240] {
        // The side to move loses with a multiple of three. After the first move the second player is to move.
        let expected = [1, 2].map(|taken| (taken, wins((stones - taken) % 3 != 0)));
        assert_eq!(each_move(stones), (expected.to_vec(), Some(wins(stones % 3 == 0))), "{stones}");
    }
    // The move of the last stone ends the game, and needs no job.
    assert_eq!(each_move(1), (vec![(1, wins(false))], Some(wins(false))));
    assert_eq!(each_move(2), (vec![(1, wins(true)), (2, wins(false))], Some(wins(false))));
}

#[test]
fn campaigns_of_each_move_differ_by_position_question_and_options() {
    let plan = |stones, question, nodes| {
        let options = JobTreeOptions::new().nodes(nodes);
        EachMovePlan::new("nim", &Nim::new(stones), |_| question, &(), options).unwrap().identity()
    };
    let one = plan(9, ProofQuestion::Value, 50);
    assert_eq!(one, plan(9, ProofQuestion::Value, 50));
    let first = ProofQuestion::Wins(Player::First);
    for other in [plan(8, ProofQuestion::Value, 50), plan(9, first, 50), plan(9, ProofQuestion::Value, 60)] {
        assert_ne!(one, other);
    }
}

#[test]
fn a_worker_that_hears_entries_spends_fewer_nodes() {
    let hints = hints(99);
    assert!(!hints.is_empty());
    let (outcome, alone) = campaign(99, &mut worker(), &[]);
    let (same, with_hints) = campaign(99, &mut worker(), &hints);
    assert_eq!((outcome, same), (Some(Outcome::Win(Player::Second)), outcome));
    assert!(with_hints < alone, "{with_hints} and {alone}");
}

#[test]
fn entries_that_lie_cost_time_and_change_no_answer() {
    let mut lies = hints(99);
    for hint in &mut lies {
        for entry in hint[HEAD..].chunks_exact_mut(ENTRY) {
            // Proof and disproof number change places.
            let data = u64::from_le_bytes(entry[8..].try_into().unwrap());
            let (proof, disproof) = (data >> 40, data >> 16 & 0xff_ffff);
            let data = disproof << 40 | proof << 16 | data & 0xffff;
            entry[8..].copy_from_slice(&data.to_le_bytes());
        }
    }
    let (outcome, _) = campaign(99, &mut worker(), &lies);
    assert_eq!(outcome, Some(Outcome::Win(Player::Second)));
}

#[test]
fn any_bytes_are_a_hint_without_effect() {
    let junk = [Vec::new(), vec![7; 31], vec![9; HEAD + 3 * ENTRY], vec![0; 300_000]];
    let with_junk = campaign(60, &mut worker(), &junk);
    assert_eq!(with_junk, campaign(60, &mut worker(), &[]));
}

/// The proofs that the jobs of a campaign make.
fn proofs(stones: u8) -> Vec<Vec<u8>> {
    let (mut plan, mut work, mut proofs) = (plan(stones, 50), worker(), Vec::new());
    while let Some(job) = plan.next() {
        let (answer, blobs, _) = done(&mut work, &job);
        let _ = plan.take(&job, &answer);
        proofs.extend(blobs);
    }
    proofs
}

#[test]
fn a_worker_that_is_to_end_leaves_known_proofs_and_goes_on_with_them_later() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("known-proofs-left");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let proofs = proofs(57);
    let files: Vec<PathBuf> =
        (0..proofs.len()).map(|number| folder.join(format!("{number}.proof"))).collect();
    for (file, proof) in files.iter().zip(&proofs) {
        std::fs::write(file, proof).unwrap();
    }
    let told = Arc::new(Mutex::new(Vec::<Learned>::new()));
    let hears = Arc::clone(&told);
    let known = KnownProofs::new(Arc::new(System), files, move |learned| hears.lock().unwrap().push(learned));
    let (mut work, seat) = (worker().known(known), WorkSeat::default());
    let job = plan(60, 50).next().unwrap();
    seat.end();
    assert_eq!(work.work(&job, &seat), Worked::Left);
    assert_eq!(told.lock().unwrap().len(), 0, "no file is read");
    done(&mut work, &job);
    let told = told.lock().unwrap();
    let [learned] = &told[..] else { panic!("{told:?}") };
    assert_eq!((learned.proofs, learned.refused.len()), (proofs.len(), 0));
    // Within a file, too.
    let limits = Limits::none().cancel(seat.flag());
    let refused = solver().learn(&Nim::new(57), &limits, &mut &proofs[0][..]).unwrap_err();
    assert!(refused.to_string().contains("cancelled"), "{refused}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn workers_begin_with_known_proofs_and_leave_damaged_ones_out() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("known-proofs");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut files = Vec::new();
    let proofs = proofs(57);
    for (number, proof) in proofs.iter().enumerate() {
        files.push(folder.join(format!("{number}.proof")));
        std::fs::write(files.last().unwrap(), proof).unwrap();
    }
    let mut damaged = proofs[0].clone();
    *damaged.last_mut().unwrap() ^= 1;
    let (damaged_file, lacking) = (folder.join("damaged.proof"), folder.join("lacking.proof"));
    std::fs::write(&damaged_file, damaged).unwrap();
    files.extend([damaged_file.clone(), lacking.clone()]);
    let told = Arc::new(Mutex::new(Vec::<Learned>::new()));
    let hears = Arc::clone(&told);
    let known = KnownProofs::new(Arc::new(System), files, move |learned| hears.lock().unwrap().push(learned));
    // Clones read the files once. These two workers have tables of their own, so the second one has nothing.
    let (mut first, mut second) = (worker().known(known.clone()), worker().known(known));
    let (outcome, with_proofs) = campaign(60, &mut first, &[]);
    let (same, without) = campaign(60, &mut second, &[]);
    assert_eq!((outcome, same), (Some(Outcome::Win(Player::Second)), outcome));
    assert_eq!(without, campaign(60, &mut worker(), &[]).1);
    assert!(with_proofs * 2 < without, "{with_proofs} and {without}");
    let told = told.lock().unwrap();
    let [learned] = &told[..] else { panic!("{told:?}") };
    assert_eq!(learned.proofs, proofs.len());
    assert!(learned.positions > 0);
    let refused: Vec<_> = learned.refused.iter().map(|(path, _)| path).collect();
    assert_eq!(refused, [&damaged_file, &lacking]);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The rules of Nim, with a count of the positions that a verification looks at.
#[derive(Clone, Default)]
struct Counted(Arc<AtomicU64>);

impl ImmediateRules<Nim> for Counted {
    fn winning_moves(&self, game: &Nim, player: Player, out: &mut Vec<u8>) {
        self.0.fetch_add(1, Ordering::Relaxed);
        ImmediateRules::winning_moves(&(), game, player, out);
    }

    fn cannot_win(&self, game: &Nim, player: Player) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        ImmediateRules::cannot_win(&(), game, player)
    }

    fn canonical_bytes(&self, game: &Nim, out: &mut Vec<u8>) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        ImmediateRules::canonical_bytes(&(), game, out)
    }
}

/// A worker that lies may name one proof as often as an answer has room for names.
#[test]
fn a_proof_that_an_answer_names_many_times_is_verified_once() {
    let mut after_one = Nim::new(42);
    after_one.play(1).unwrap();
    let mut proof = Vec::new();
    // The side to move wins with 41 stones.
    let claim = Claim::DoesNotWin(Player::First);
    solver().prove(&after_one, claim, &Limits::none(), &mut proof).unwrap();
    let job = plan_of(42, 50, ProofQuestion::Wins(Player::First)).next().unwrap();
    let looks = |times: usize| {
        let of_move = json!({"mv": "1", "numbers": [u32::MAX, 0], "proof": Digest::of(&proof)});
        let answer = json!({"open": {"numbers": [1, 1], "moves": vec![of_move; times], "spent": 1}});
        let rules = Counted::default();
        let check = ProofCheck::<Nim, _>::new("nim", DfpnProver::new("nim", rules.clone(), Dfpn::default()));
        check.check(&job, answer.to_string().as_bytes(), std::slice::from_ref(&proof)).unwrap();
        rules.0.load(Ordering::Relaxed)
    };
    assert!(looks(1) > 0);
    assert_eq!(looks(100), looks(1));
}
