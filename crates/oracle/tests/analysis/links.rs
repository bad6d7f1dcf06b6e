//! A link holds by exhaustive play on its carrier.

use stonework_board::CellSet;
use stonework_game::{Player, below, rng};
use stonework_havannah::Position;
use stonework_havannah_analysis::{Link, LinkBudget, LinkEnd, LinkSet};
use stonework_oracle::link_holds;

use crate::{count, random_positions, real_positions};

/// `true` if the judge agrees with a link.
pub(crate) fn holds(position: &Position, owner: Player, link: &Link) -> bool {
    let board = position.board();
    let mut own = position.stones(owner);
    let mut ends = [CellSet::new(); 2];
    for (set, end) in ends.iter_mut().zip(link.ends) {
        match end {
            LinkEnd::Chain(cell) => {
                assert_eq!(position.stone(cell), Some(owner));
                set.insert(cell);
            }
            LinkEnd::Empty(cell) => {
                assert_eq!(position.stone(cell), None);
                set.insert(cell);
                own.insert(cell);
            }
            LinkEnd::Edge(edge) => set.extend(board.edge_cells(edge)),
            LinkEnd::Corner(corner) => set.extend(board.corner_cells().nth(corner.into())),
        }
    }
    assert!(
        link.carrier.iter().all(|c| position.stone(c).is_none() && !link.ends.contains(&LinkEnd::Empty(c)))
    );
    assert!(link.key.is_none_or(|key| link.carrier.contains(key)));
    link_holds(board, &own, [&ends[0], &ends[1]], &link.carrier, link.key).unwrap()
}

/// Judges up to `most` links of each side in each position until `wanted` links are judged.
fn judge(positions: impl Iterator<Item = Position>, wanted: usize, most: usize, seed: u64) {
    let mut rng = rng(seed);
    let (mut judged, mut seen, mut sizes) = (0, 0, [0; 16]);
    for position in positions {
        seen += 1;
        for owner in Player::BOTH {
            let links = LinkSet::of(&position, owner, &LinkBudget::default()).unwrap();
            let all: Vec<Link> = links.iter().filter(|link| !link.carrier.is_empty()).collect();
            for _ in 0..most.min(all.len()) {
                let link = &all[below(&mut rng, all.len())];
                assert!(holds(&position, owner, link), "{position:?} {owner:?} {link:?}");
                sizes[link.carrier.len()] += 1;
                judged += 1;
            }
        }
        if judged >= wanted {
            break;
        }
    }
    println!("{judged} links of {seen} positions hold; by cells of the carrier: {sizes:?}");
}

#[test]
fn every_link_holds() {
    judge(random_positions(0, 75, 1), 3000, 60, 1);
}

/// `STONEWORK_LINKS=1000000 cargo test --release -p stonework-oracle --test analysis -- --ignored --nocapture links_by`
#[test]
#[ignore = "an hour: STONEWORK_LINKS=1000000 cargo test --release -p stonework-oracle --test analysis -- --ignored links_by --nocapture (docs/lab/analysis.md)"]
fn every_link_holds_links_by_the_million() {
    judge(random_positions(0, 75, 2), count("STONEWORK_LINKS", 100_000), 400, 2);
}

/// `STONEWORK_LINKS=1000000 cargo test --release -p stonework-oracle --test analysis -- --ignored --nocapture links_of_the`
#[test]
#[ignore = "reads ../shared/data: cargo test --workspace -- --ignored reference_data"]
fn every_link_holds_in_real_games_links_of_the_reference_data() {
    judge(real_positions(3), count("STONEWORK_LINKS", 3000), 400, 3);
}
