//! A link holds by exhaustive play on its carrier.

use stonework_board::CellSet;
use stonework_game::{Player, below, rng};
use stonework_havannah::Position;
use stonework_havannah_analysis::{Link, LinkBudget, LinkEnd, LinkSet};
use stonework_oracle::link_holds;

use crate::{count, random_position};

/// Whether the judge agrees with a link.
fn holds(position: &Position, owner: Player, link: &Link) -> bool {
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

/// Judges up to `most` links of each of random positions until `wanted` are judged.
fn judge(wanted: usize, most: usize, seed: u64) {
    let mut rng = rng(seed);
    let (mut judged, mut positions, mut sizes) = (0, 0, [0; 16]);
    while judged < wanted {
        let size = 3 + (positions % 6) as u8;
        let cells = Position::new(size).unwrap().board().len();
        let stones = below(&mut rng, cells * 3 / 4);
        let position = random_position(size, stones, &mut rng);
        positions += 1;
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
    }
    println!("{judged} links of {positions} positions hold; by cells of the carrier: {sizes:?}");
}

#[test]
fn every_link_holds() {
    judge(3000, 60, 1);
}

/// `STONEWORK_LINKS=1000000 cargo test --release -p stonework-oracle --test analysis -- --ignored --nocapture links_by`
#[test]
#[ignore = "long: as many links as STONEWORK_LINKS says"]
fn every_link_holds_links_by_the_million() {
    judge(count("STONEWORK_LINKS", 100_000), 400, 2);
}

#[test]
#[ignore = "a measurement"]
fn microseconds_of_links() {
    for size in [4, 5, 6, 8, 10] {
        let mut rng = rng(7);
        let cells = Position::new(size).unwrap().board().len();
        let (mut links, mut combinations, mut whole) = (0, 0, 0);
        let mut time = std::time::Duration::ZERO;
        for _ in 0..20 {
            let position = random_position(size, cells / 3, &mut rng);
            let start = std::time::Instant::now();
            let set = LinkSet::of(
                &position,
                Player::First,
                &LinkBudget {
                    carrier: count("CARRIER", 8),
                    per_pair: count("PAIR", 12),
                    ..LinkBudget::default()
                },
            )
            .unwrap();
            time += start.elapsed();
            links += set.len();
            combinations += set.combinations();
            whole += usize::from(set.is_complete());
        }
        println!(
            "size {size}: {} us, {} links, {} combinations, {whole} complete",
            time.as_micros() / 20,
            links / 20,
            combinations / 20
        );
    }
}
