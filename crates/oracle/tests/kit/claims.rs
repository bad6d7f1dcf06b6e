//! Questions with claims about links, frames, must-play and wins: a golden file, and the claims of
//! `stonework-havannah-analysis` asked as JSON.
//!
//! `STONEWORK_CLAIMS=write cargo test -p stonework-oracle --test kit claims::` writes the answers into the file.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use stonework_board::{Cell, CellSet};
use stonework_game::{Game, Player, Textual, below, rng};
use stonework_havannah::{Move, Position, colour};
use stonework_havannah_analysis::{FrameBudget, Frames, Link, LinkBudget, LinkEnd, LinkSet, MustPlay};
use stonework_oracle::{PositionClaim, Query, answer, judge_claim};

#[test]
fn claims_have_the_answers_of_the_golden_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/claims.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let mut now = String::new();
    let (mut held, mut refused) = (0, 0);
    for line in text.lines() {
        let mut case: Value = serde_json::from_str(line).unwrap();
        let said: Value = serde_json::from_str(&answer(&case["question"].to_string())).unwrap();
        for field in ["claim", "error"] {
            if case.get(field).is_some() {
                assert!(said.get(field).is_some(), "{}: {said}", case["name"]);
                case[field] = said[field].clone();
            }
        }
        held += usize::from(said["claim"]["holds"] == json!(true));
        refused += usize::from(said["ok"] == json!(false));
        writeln!(now, "{case}").unwrap();
    }
    if std::env::var("STONEWORK_CLAIMS").as_deref() == Ok("write") {
        return fs::write(&path, &now).unwrap();
    }
    assert!(held > 10 && refused > 10);
    for (line, now) in text.lines().zip(now.lines()) {
        let [line, now]: [Value; 2] = [line, now].map(|line| serde_json::from_str(line).unwrap());
        assert_eq!(line, now);
    }
}

/// The answer to a claim about a position.
fn asked(position: &Position, claim: &Value) -> Option<bool> {
    let claim: PositionClaim = serde_json::from_value(claim.clone()).unwrap();
    let (position, claim) = (Some(position.position_text()), Some(claim));
    let query = Query { position, claim, size: None, ..Query::new("havannah", 0, false, Vec::new()) };
    judge_claim(&query).unwrap().holds
}

fn names(position: &Position, cells: &CellSet) -> Vec<String> {
    cells.iter().map(|cell| position.board().name(cell)).collect()
}

/// A link as a claim; `None` for a corner that is empty but not in the carrier.
fn link_claim(position: &Position, side: Player, link: &Link) -> Value {
    let board = position.board();
    let corner =
        |at: u8| board.corner_cells().nth(usize::from(at) % 6).map_or(String::new(), |c| board.name(c));
    let ends = link.ends.map(|end| match end {
        LinkEnd::Chain(cell) | LinkEnd::Empty(cell) => board.name(cell),
        LinkEnd::Edge(edge) => format!("{}-{}", corner(edge), corner(edge + 1)),
        LinkEnd::Corner(at) => corner(at),
    });
    let key = link.key.map(|key| board.name(key));
    json!({"link": {"side": colour(side), "ends": ends, "carrier": names(position, &link.carrier), "key": key}})
}

#[test]
fn the_claims_of_the_analysis_hold() {
    let mut rng = rng(5);
    let (mut links, mut frames, mut cells) = (0, 0, 0);
    for _ in 0..12 {
        let mut position = Position::new(4).unwrap();
        while position.stone_count() < 18 && position.outcome().is_none() {
            let empty: Vec<Cell> = position.empty_cells().collect();
            position.play(Move::Place(empty[below(&mut rng, empty.len())])).unwrap();
        }
        if position.outcome().is_some() {
            continue;
        }
        for side in Player::BOTH {
            let set = LinkSet::of(&position, side, &LinkBudget::default()).unwrap();
            for link in set.iter().step_by(40) {
                assert_eq!(asked(&position, &link_claim(&position, side, &link)), Some(true), "{link:?}");
                links += 1;
            }
            let found = Frames::of(&position, side, &FrameBudget::default()).unwrap();
            for frame in found.all().iter().filter(|frame| frame.carrier.len() < 11).step_by(5) {
                let (kind, key) = (frame.kind.name(), frame.key.map(|key| position.board().name(key)));
                let carrier = names(&position, &frame.carrier);
                let claim =
                    json!({"frame": {"side": colour(side), "kind": kind, "carrier": carrier, "key": key}});
                assert_eq!(asked(&position, &claim), Some(true), "{frame:?}");
                frames += 1;
            }
        }
        let must = MustPlay::of(&position, &FrameBudget::default()).unwrap();
        let claim = json!({"must_play": {"cells": names(&position, &must.cells())}});
        assert_eq!(asked(&position, &claim), Some(true));
        cells += position.empty_cells().count() - must.cells().len();
    }
    assert!(links > 100 && frames > 10 && cells > 10, "{links} {frames} {cells}");
}
