//! Counts all games of size 3 to a few plies, with the wins by kind: the plain number of games, a falling
//! factorial at first, hides errors in who has won.
//!
//! ```text
//! $ cargo run --release -p stonework-examples --example perft
//! depth     games   white   black    ring  bridge    fork
//!     1        19       0       0       0       0       0
//!     2       342       0       0       0       0       0
//!     3      5814       0       0       0       0       0
//!     4     93024       0       0       0       0       0
//!     5   1395360    8640       0       0    8640       0
//!
//! after b2 a1 b3 e3 c2 e5 c4 d2:
//! depth     games   white   black    ring  bridge    fork
//!     1        11       0       0       0       0       0
//!     2       110       0      20       0      20       0
//!     3       810      60       0      14      46       0
//!     4      6000       0    1612       0    1612      64
//!     5     30716    5264       0    1064    3552     648
//! ```

use stonework_game::{Game, Outcome, Player, Textual, perft_with};
use stonework_havannah::{Position, WinKind, WinKinds};
use stonework_oracle::Judge;

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Count {
    games: u64,
    /// Won by white, by black.
    wins: [u64; 2],
    /// Ring, bridge, fork; a game can be won by more than one.
    kinds: [u64; 3],
}

fn count<G: Game>(start: &G, depth: u32, kinds: fn(&G) -> WinKinds) -> Count {
    let mut count = Count::default();
    perft_with(start, depth, |position| {
        count.games += 1;
        if let Some(Outcome::Win(winner)) = position.outcome() {
            count.wins[winner.index()] += 1;
            for (n, kind) in count.kinds.iter_mut().zip(WinKind::ALL) {
                *n += u64::from(kinds(position).contains(kind));
            }
        }
    });
    count
}

/// Every game that is not over goes on with each of the empty cells, and only who has just moved wins.
fn table(start: &Position, depths: u32) -> Count {
    println!("depth     games   white   black    ring  bridge    fork");
    let (mut open, mut last) = (1, Count::default());
    for depth in 1..=depths {
        last = count(start, depth, Position::kinds);
        let Count { games, wins: [white, black], kinds: [ring, bridge, fork] } = last;
        println!("{depth:5}{games:10}{white:8}{black:8}{ring:8}{bridge:8}{fork:8}");
        let empty = start.board().len() as u64 - start.stone_count() as u64;
        assert_eq!(games, open * (empty + 1 - u64::from(depth)));
        let first_moves = (start.to_move() == Player::First) == (depth % 2 == 1);
        assert_eq!(if first_moves { black } else { white }, 0);
        open = games - white - black;
    }
    last
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Position::new(3)?;
    let five = table(&game, 5);
    // The six pairs of neighbouring corners are bridges of three stones: played in any order, with any
    // two of the other sixteen cells for black.
    assert_eq!(five.kinds, [0, 6 * 6 * 16 * 15, 0]);

    // The slow judge of the oracle counts the same, by the definitions alone.
    let opening = "b2 a1 b3 e3 c2 e5 c4 d2";
    let mut judge = Judge::new(3, false)?;
    for text in opening.split(' ') {
        let mv = game.parse_move(text)?;
        game.play(mv)?;
        judge.play(mv)?;
    }
    println!("\nafter {opening}:");
    let five = table(&game, 5);
    assert_eq!(five, count(&judge, 5, Judge::kinds));
    assert!(!five.kinds.contains(&0));
    Ok(())
}
