//! Solves a position, writes the proof, and has it checked by somebody who trusts nothing but the rules.
//!
//! ```text
//! after a1: Some(Win(First)) in 2161 nodes
//! the proof has 199 bytes, 52 records
//! it holds: 102 positions, lines of up to 14 plies
//! with a bit turned over: edited, cut or out of place: the file states the check 4ac7d7c6, its bytes have 5ac7d7c6 (byte 0, record 0)
//! ```

use stonework::game::{Game, Outcome, Player, Textual};
use stonework::havannah::Position;
use stonework::havannah_solver::{HavannahRules, Threats};
use stonework::proof::{Claim, VerifyLimits, verify};
use stonework::search::{Dfpn, Engine, Limits};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut root = Position::new(3)?;
    root.play(root.parse_move("a1")?)?;
    let mut solver = Dfpn::default().tactics(Threats);
    let report = solver.think(&root, &Limits::none());
    println!("after a1: {:?} in {} nodes", report.proven, report.nodes);
    assert_eq!(report.proven, Some(Outcome::Win(Player::First)));

    let claim = Claim::Wins(Player::First);
    let mut file = Vec::new(); // or a std::fs::File
    let proof = solver.prove(&root, claim, &HavannahRules, &Limits::none())?;
    let written = proof.write("havannah", &HavannahRules, &mut file)?;
    println!("the proof has {} bytes, {} records", file.len(), written.records);

    let verified = verify::<Position, _>("havannah", &HavannahRules, &file[..], &VerifyLimits::default())?;
    assert_eq!(verified.claims, [(root, claim)]);
    println!("it holds: {} positions, lines of up to {} plies", verified.positions, verified.plies);

    let middle = file.len() / 2;
    file[middle] ^= 1;
    match verify::<Position, _>("havannah", &HavannahRules, &file[..], &VerifyLimits::default()) {
        Ok(_) => println!("a bit was turned over and nobody has seen it"),
        Err(refused) => println!("with a bit turned over: {refused}"),
    }
    Ok(())
}
