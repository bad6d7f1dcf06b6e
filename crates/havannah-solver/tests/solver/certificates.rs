//! The proofs of the solver hold, and files that are damaged or forged are refused.

use std::collections::HashMap;

use rand_xoshiro::rand_core::RngCore;
use stonework_game::{Player, Textual};
use stonework_havannah::Position;
use stonework_havannah_solver::{HavannahRules, Solver, ThreatSearch};
use stonework_proof::{Claim, JoinError, ProofFault, ProofReader, VerifyLimits, join, verify};
use stonework_search::{Engine, Limits};

use crate::positions::{after, drawn};
use crate::scattered::{random, scattered};

fn certificate(position: &Position, solver: &mut Solver) -> (Claim, Vec<u8>) {
    let report = solver.think(position, &Limits::none());
    let (claim, mut file) = (Claim::of(report.proven.unwrap()), Vec::new());
    solver.prove(position, claim, &Limits::none(), &mut file).unwrap();
    (claim, file)
}

fn check(file: &[u8]) -> Result<Vec<(Position, Claim)>, stonework_proof::ProofError> {
    verify("havannah", &HavannahRules, file, &VerifyLimits::default()).map(|verified| verified.claims)
}

#[test]
fn certificates_hold_whatever_the_outcome() {
    let mut rng = random(7);
    let mut seen = HashMap::new();
    let mut solver = Solver::default();
    for i in 0..60 {
        let position = match i % 4 {
            0 => scattered(3, i % 8, &mut rng),
            1 => scattered(4, 12 + i % 8, &mut rng),
            2 => drawn(18 + i / 5),
            _ if i % 12 == 11 => {
                let (size, stones) = [(7, 100), (8, 120), (9, 150), (10, 180)][i / 12 % 4];
                scattered(size, stones, &mut rng)
            }
            _ => scattered(5, 34 + i % 8, &mut rng),
        };
        let (claim, file) = certificate(&position, &mut solver);
        *seen.entry(claim).or_insert(0) += 1;
        assert_eq!(check(&file).unwrap(), [(position.clone(), claim)]);
        // Every other claim is refused as wrong.
        for wrong in [Claim::Wins(Player::First), Claim::Wins(Player::Second), Claim::Draw] {
            if wrong != claim {
                let refused = solver.prove(&position, wrong, &Limits::none(), Vec::new());
                assert_eq!(refused.unwrap_err().to_string(), "the claim is wrong");
            }
        }
    }
    assert_eq!(seen.len(), 3, "{seen:?}");
}

#[test]
fn certificates_without_foresight_hold_too() {
    let mut rng = random(8);
    for threat_search in
        [ThreatSearch::new().threats(false), ThreatSearch::new().budget(0), ThreatSearch::new().budget(1)]
    {
        let mut solver = Solver::default().threat_search(threat_search);
        for stones in [9, 12, 14] {
            let position = scattered(3, stones, &mut rng);
            let (claim, file) = certificate(&position, &mut solver);
            assert_eq!(check(&file).unwrap(), [(position, claim)]);
        }
    }
}

/// All openings of size 3 in one file.
fn size_3() -> Vec<u8> {
    let mut solver = Solver::default();
    let files: Vec<Vec<u8>> =
        ["a1", "a2", "b2", "b3", "c3"].map(|opening| certificate(&after(3, opening), &mut solver).1).into();
    let readers = files.iter().map(|file| ProofReader::new(&file[..]).unwrap()).collect();
    let mut all = Vec::new();
    join(readers, &mut all).unwrap();
    all
}

#[test]
fn size_3_is_one_file() {
    let file = size_3();
    let claims = check(&file).unwrap();
    let winners: Vec<_> = claims.iter().map(|(_, claim)| *claim).collect();
    let (white, black) = (Claim::Wins(Player::First), Claim::Wins(Player::Second));
    assert_eq!(winners, [white, black, black, black, black]);
    assert!(file.len() < 2000, "{}", file.len());
}

#[test]
fn joining_names_the_proof_that_is_damaged() {
    let whole = certificate(&after(3, "a1"), &mut Solver::default()).1;
    let mut damaged = whole.clone();
    *damaged.last_mut().unwrap() ^= 1;
    let readers = [&whole, &damaged].map(|file| ProofReader::new(&file[..]).unwrap()).into();
    let error = join(readers, std::io::sink()).unwrap_err();
    assert!(matches!(error, JoinError::Refused { proof: 1, .. }), "{error}");
    assert!(error.to_string().starts_with("proof 1: "), "{error}");
    let none = Vec::<ProofReader<&[u8]>>::new();
    let error = join(none, std::io::sink()).unwrap_err();
    assert_eq!(error.to_string(), "cannot write: a file of 0 claims: 1 to 4096");
}

/// The fault that `join` finds in the checks of a file's blocks, without unpacking or proving anything; `None` if they
/// hold.
fn damage(file: &[u8]) -> Option<stonework_proof::ProofError> {
    let reader = match ProofReader::new(file) {
        Ok(reader) => reader,
        Err(refused) => return Some(refused),
    };
    match join(vec![reader], std::io::sink()) {
        Err(JoinError::Refused { refused, .. }) => Some(refused),
        other => other.map(|_| None).unwrap(),
    }
}

/// Random edits of single bytes: each edited file is refused, or its claims are unchanged. If the checks of blocks
/// find the edit, the file is verified in full only one time in `sample`: the verifier reads through the same checks.
fn edit(file: &[u8], edits: u32, sample: u32) {
    let truth = check(file).unwrap();
    let mut rng = random(9);
    let (mut refused, mut in_full) = (0, 0);
    for round in 0..edits {
        let mut edited = file.to_owned();
        let at = rng.next_u64() as usize % edited.len();
        let flip = 1 + (rng.next_u64() % 255) as u8;
        edited[at] ^= flip;
        let damage = damage(&edited);
        let error = if round % sample == 0 || damage.is_none() {
            in_full += 1;
            let checked = check(&edited);
            assert!(checked.is_err() || damage.is_none(), "byte {at} changed by {flip:#x}: {damage:?}");
            match checked {
                Ok(claims) => {
                    assert_eq!(claims, truth, "byte {at} changed by {flip:#x}");
                    continue;
                }
                Err(error) => Some(error),
            }
        } else {
            damage
        };
        let error = error.unwrap();
        refused += 1;
        assert!(error.byte <= at.max(1024) as u64, "{error} for an edit at {at}");
    }
    println!(
        "{refused} of {edits} edits refused, {in_full} verified in full; the others change nothing that is claimed"
    );
    assert!(refused * 100 >= edits * 99, "{refused} of {edits}");
}

#[test]
fn a_thousand_edits_of_size_3_are_refused() {
    edit(&size_3(), 1000, 1);
}

#[test]
#[ignore = "minutes: cargo test --release -p stonework-havannah-solver --test solver -- --ignored edits_of_size_4 --nocapture (docs/lab/solving.md)"]
fn a_thousand_edits_of_size_4_are_refused() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/havannah-size4.proof");
    edit(&std::fs::read(path).unwrap(), 1000, 50);
}

/// Records with right checks that prove nothing.
#[test]
fn forged_lines_are_refused() {
    let forge = |root: &Position, claim: Claim, numbers: &[u64]| {
        let mut out = Vec::new();
        handmade(&mut out, &root.position_text(), claim, numbers);
        check(&out).unwrap_err()
    };
    let white = Claim::Wins(Player::First);
    let open = after(4, "d4 a2");
    // Lines with a move that makes no threat, a move on a taken cell, a move off the board; a line that is too long.
    assert!(matches!(forge(&open, white, &[7, 0]).fault, ProofFault::Line(1)));
    let d4 = open.board().parse("d4").unwrap().index() as u64;
    assert!(matches!(forge(&open, white, &[7, d4]).fault, ProofFault::Line(1)));
    assert!(matches!(forge(&open, white, &[7, 38]).fault, ProofFault::Move { index: 38, .. }));
    assert!(matches!(forge(&open, white, &[43_003]).fault, ProofFault::LongLine(10_750)));
    // Both sides can still win.
    assert!(matches!(forge(&open, Claim::DoesNotWin(Player::First), &[3]).fault, ProofFault::Never));
    assert!(matches!(forge(&open, white, &[3]).fault, ProofFault::Never));
    // After each of Black's moves a line that does not answer it: the verifier goes on with every move, until the file
    // ends.
    let black = after(4, "d4");
    assert!(matches!(forge(&black, white, &[7, 0]).fault, ProofFault::Missing));
    // Black wins at once in this position.
    let lost = after(4, "d4 a1 e5 a2 c3 a3 g4");
    assert!(matches!(forge(&lost, white, &[]).fault, ProofFault::Lost));
}

fn handmade(out: &mut Vec<u8>, root: &str, claim: Claim, numbers: &[u64]) {
    use std::io::Write;
    let crc = |parts: &[&[u8]]| {
        let mut crc = flate2::Crc::new();
        for part in parts {
            crc.update(part);
        }
        crc.sum()
    };
    let header = format!("stonework proof 2\ngame havannah\nclaims 1\nroot {root}\nclaim {claim}\n");
    let mut chain = crc(&[header.as_bytes()]);
    out.extend(format!("{header}check {chain:08x}\n").bytes());
    let mut raw = Vec::new();
    for &number in numbers {
        let mut rest = number;
        while rest >= 128 {
            raw.push(rest as u8 | 128);
            rest >>= 7;
        }
        raw.push(rest as u8);
    }
    let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&raw).unwrap();
    let counts = [1_u64.to_le_bytes(), 0_u64.to_le_bytes()].concat();
    for (len, payload) in [(raw.len() as u32, packer.finish().unwrap()), (0, counts)] {
        let sizes = [len.to_le_bytes(), (payload.len() as u32).to_le_bytes()].concat();
        chain = crc(&[&chain.to_le_bytes(), &sizes, &payload]);
        out.extend([&sizes[..], &chain.to_le_bytes(), &payload].concat());
    }
}
