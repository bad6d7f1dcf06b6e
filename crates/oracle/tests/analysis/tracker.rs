//! Links kept from move to move, compared with links that are made anew, and with the slow judge.

use std::collections::BTreeMap;
use std::time::Duration;

use stonework_board::{Cell, CellSet};
use stonework_game::{Game, Player, below, rng};
use stonework_havannah::{Move, Position};
use stonework_havannah_analysis::{Link, LinkBudget, LinkEnd, LinkSet, LinkTracker};

use crate::cost::shortest;
use crate::links::holds;
use crate::{count, sensible};

/// The least carriers of the full links, and of the half links, between each two ends.
type Carriers = BTreeMap<([LinkEnd; 2], bool), Vec<CellSet>>;

fn least_carriers(links: &LinkSet) -> Carriers {
    let mut all = Carriers::new();
    for link in links.iter() {
        let mut ends = link.ends;
        ends.sort_unstable();
        all.entry((ends, link.is_full())).or_default().push(link.carrier);
    }
    for carriers in all.values_mut() {
        let copy = carriers.clone();
        carriers.retain(|a| !copy.iter().any(|b| b != a && b.is_subset(a)));
        carriers.sort_by_key(|set| set.iter().collect::<Vec<Cell>>());
        carriers.dedup();
    }
    // A half link is worth nothing beside a full link within its carrier.
    let full = all.clone();
    for ((ends, is_full), carriers) in &mut all {
        let better = full.get(&(*ends, true)).filter(|_| !*is_full);
        carriers.retain(|a| !better.is_some_and(|better| better.iter().any(|b| b.is_subset(a))));
    }
    all.retain(|_, carriers| !carriers.is_empty());
    all
}

/// Plays and takes back random moves; the tracker has the same least carriers as a fresh set each time.
fn compare(size: u8, moves: usize, carrier: usize, seed: u64) {
    let budget = LinkBudget { carrier, per_pair: 10_000, ..LinkBudget::default() };
    let mut rng = rng(seed);
    let mut compared = 0;
    while compared < moves {
        let mut game = Position::new(size).unwrap();
        for _ in 0..below(&mut rng, game.board().len() / 3) {
            let cell = sensible(&game, &mut rng);
            game.play(Move::Place(cell)).unwrap();
            if game.outcome().is_some() {
                break;
            }
        }
        if game.outcome().is_some() {
            continue;
        }
        let owner = Player::BOTH[below(&mut rng, 2)];
        let mut tracker = LinkTracker::new(&game, owner, &budget).unwrap();
        let mut undo = Vec::new();
        for _ in 0..12 {
            if below(&mut rng, 4) == 0 && !undo.is_empty() {
                game.undo(undo.pop().unwrap());
                assert!(tracker.undo());
            } else {
                let cell = sensible(&game, &mut rng);
                let token = game.play(Move::Place(cell)).unwrap();
                if game.outcome().is_some() {
                    assert!(tracker.play(&game, cell).is_err());
                    game.undo(token);
                    continue;
                }
                tracker.play(&game, cell).unwrap();
                undo.push(token);
            }
            assert_eq!(tracker.depth(), undo.len());
            let fresh = LinkSet::of(&game, owner, &budget).unwrap();
            assert!(fresh.is_complete());
            let [kept, made] = [tracker.links(), &fresh].map(least_carriers);
            if kept != made {
                let differs = |(key, carriers): &(&([LinkEnd; 2], bool), &Vec<CellSet>)| {
                    made.get(*key) != Some(*carriers)
                };
                let first = kept.iter().find(differs);
                panic!(
                    "{game:?} {owner:?}: {first:?}, anew {:?}; {} and {}",
                    first.map(|(key, _)| made.get(key)),
                    kept.len(),
                    made.len()
                );
            }
            compared += 1;
        }
    }
}

#[test]
fn tracked_links_are_those_of_a_fresh_search() {
    compare(3, 300, 6, 31);
    compare(4, 150, 5, 32);
    compare(5, 40, 4, 33);
}

/// Within the usual budgets, links are kept that the judge confirms, in long lines of moves.
fn judge_tracked(wanted: usize, seed: u64) {
    let mut rng = rng(seed);
    let mut judged = 0;
    while judged < wanted {
        let size = 3 + below(&mut rng, 4) as u8;
        let mut game = Position::new(size).unwrap();
        let owner = Player::BOTH[below(&mut rng, 2)];
        let mut tracker = LinkTracker::new(&game, owner, &LinkBudget::default()).unwrap();
        loop {
            let cell = sensible(&game, &mut rng);
            game.play(Move::Place(cell)).unwrap();
            if game.outcome().is_some() {
                break;
            }
            tracker.play(&game, cell).unwrap();
            let links: Vec<Link> = tracker.links().iter().collect();
            for _ in 0..links.len().min(8) {
                let link = &links[below(&mut rng, links.len())];
                assert!(holds(&game, owner, link), "{game:?} {owner:?} {link:?}");
                judged += 1;
            }
        }
    }
    println!("{judged} tracked links hold");
}

#[test]
fn tracked_links_hold() {
    judge_tracked(1500, 34);
}

/// `STONEWORK_LINKS=100000 cargo test --release -p stonework-oracle --test analysis -- --ignored --nocapture tracked_links_hold`
#[test]
#[ignore = "minutes: STONEWORK_LINKS=100000 cargo test --release -p stonework-oracle --test analysis -- --ignored tracked_links_hold --nocapture (docs/lab/analysis.md)"]
fn tracked_links_hold_by_the_thousand() {
    judge_tracked(count("STONEWORK_LINKS", 100_000), 35);
}

/// `cargo test --release -p stonework-oracle --test analysis -- --ignored --nocapture microseconds_a_ply`
#[test]
#[ignore = "prints times: cargo test --release -p stonework-oracle --test analysis -- --ignored microseconds_a_ply --nocapture (docs/lab/analysis.md)"]
fn microseconds_a_ply() {
    for (carrier, per_pair) in [(8, 12), (4, 4)] {
        let budget = LinkBudget { carrier, per_pair, ..LinkBudget::default() };
        for size in [4, 5, 6, 8, 10] {
            let mut rng = rng(36);
            let mut times = [Duration::ZERO; 3];
            let mut plies = [0u32; 2];
            for _ in 0..4 {
                let mut game = Position::new(size).unwrap();
                let cells = game.board().len();
                for _ in 0..cells / 5 {
                    let cell = sensible(&game, &mut rng);
                    if game.completes(game.to_move(), cell).is_empty() {
                        game.play(Move::Place(cell)).unwrap();
                    }
                }
                let mut tracker = LinkTracker::new(&game, Player::First, &budget).unwrap();
                for _ in 0..cells / 5 {
                    let cell = sensible(&game, &mut rng);
                    if !game.completes(game.to_move(), cell).is_empty() {
                        break;
                    }
                    let own = usize::from(game.to_move() == Player::First);
                    game.play(Move::Place(cell)).unwrap();
                    let (time, after) = shortest(|| tracker.links().after(&game, cell).unwrap());
                    std::hint::black_box(after);
                    times[own] += time;
                    plies[own] += 1;
                    times[2] += shortest(|| LinkSet::of(&game, Player::First, &budget).unwrap()).0;
                    tracker.play(&game, cell).unwrap();
                }
            }
            let [other, own] = [0, 1].map(|i| times[i].as_micros() / u128::from(plies[i].max(1)));
            let anew = times[2].as_micros() / u128::from((plies[0] + plies[1]).max(1));
            println!(
                "size {size}, carriers to {carrier}, {per_pair} links of a pair: after a stone of the other side {other}, after an own \
                 stone {own}, anew {anew}"
            );
        }
    }
}
