//! The cost of links, frames and must-play.

use std::time::{Duration, Instant};

use stonework_game::{Player, rng};
use stonework_havannah_analysis::{FrameBudget, Frames, LinkBudget, LinkSet, MustPlay, StonesToWin};

use crate::{count, random_position};

/// The time of the shortest of five runs, because other processes share the machine.
pub(crate) fn shortest<T>(mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut timed = || {
        let start = Instant::now();
        let result = run();
        (start.elapsed(), result)
    };
    let mut best = timed();
    for _ in 0..4 {
        let next = timed();
        if next.0 < best.0 {
            best = next;
        }
    }
    best
}

/// `cargo test --release -p stonework-oracle --test analysis -- --ignored --nocapture microseconds`, with carriers of
/// `STONEWORK_CARRIER` cells and `STONEWORK_PAIR` links of a pair at most.
#[test]
#[ignore = "prints times: cargo test --release -p stonework-oracle --test analysis -- --ignored microseconds --nocapture (docs/lab/analysis.md)"]
fn microseconds_of_an_analysis() {
    let links = LinkBudget::default();
    let links = LinkBudget {
        carrier: count("STONEWORK_CARRIER", links.carrier),
        per_pair: count("STONEWORK_PAIR", links.per_pair),
        ..links
    };
    let budget = FrameBudget { links, ..FrameBudget::default() };
    println!("{links:?}; 20 positions with a third of the cells taken; microseconds a position");
    for size in [4, 5, 6, 8, 10] {
        let mut rng = rng(7);
        let cells = 3 * usize::from(size) * (usize::from(size) - 1) + 1;
        let mut times = [Duration::ZERO; 4];
        let (mut all, mut combinations) = (0, 0);
        for _ in 0..20 {
            let position = random_position(size, cells / 3, &mut rng);
            let (time, set) = shortest(|| LinkSet::of(&position, Player::First, &links).unwrap());
            times[0] += time;
            all += set.len();
            combinations += set.combinations();
            times[1] += shortest(|| Frames::of(&position, Player::First, &budget).unwrap()).0;
            times[2] += shortest(|| MustPlay::of(&position, &budget).unwrap()).0;
            times[3] += shortest(|| StonesToWin::of(&position, Player::First, 8).unwrap()).0;
        }
        let [links, frames, must, stones] = times.map(|time| time.as_micros() / 20);
        println!(
            "size {size}: links {links}, frames {frames}, must-play {must}, stones to a win {stones}; {} links, \
             {} combinations",
            all / 20,
            combinations / 20
        );
    }
}
