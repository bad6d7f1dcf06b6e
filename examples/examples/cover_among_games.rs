//! Cover among other games: figure 11 of Bos' thesis, with the estimates of the example `cover_complexity`. To the right the
//! exponent of ten of the number of positions, upwards that of games; digits are Cover, `0` is Cover-10. Beyond the edge
//! lie renju, go-moku and go.
//!
//! ```text
//!   150 |                                                x
//!   140 |                                              0
//!   130 |
//!   120 |                                              c
//!   110 |
//!   100 |                                    8
//!    90 |
//!    80 |
//!    70 |                           6
//!    60 |                            o
//!    50 |          m                   d
//!    40 |                  4
//!    30 |            w        k        q
//!    20 |              f
//!    10 |          2
//!     0 |
//!       +--------------------------------------------------
//!        0         10        20        30        40        50
//!
//! m nine men's morris, w awari, f connect-four, k checkers, o othello, q qubic, d draughts, c chess, x Chinese chess, r renju, g go-moku, G go
//! Cover-2: connect-four is nearest
//! Cover-4: checkers is nearest
//! Cover-6: othello is nearest
//! Cover-8: chess is nearest
//! Cover-10: Chinese chess is nearest
//! ```

use stonework_board::Diagonal;
use stonework_examples::complexity::{games, positions};

/// Other games with the exponents of ten of their positions and games, as L. V. Allis, *Searching for Solutions in
/// Games and Artificial Intelligence* (1994), estimates them. The thesis' picture is not legible; it draws these two
/// numbers.
const OTHERS: [(char, &str, f64, f64); 12] = [
    ('m', "nine men's morris", 10.0, 50.0),
    ('w', "awari", 12.0, 32.0),
    ('f', "connect-four", 14.0, 21.0),
    ('k', "checkers", 21.0, 31.0),
    ('o', "othello", 28.0, 58.0),
    ('q', "qubic", 30.0, 34.0),
    ('d', "draughts", 30.0, 54.0),
    ('c', "chess", 46.0, 123.0),
    ('x', "Chinese chess", 48.0, 150.0),
    ('r', "renju", 105.0, 70.0),
    ('g', "go-moku", 105.0, 70.0),
    ('G', "go", 172.0, 360.0),
];

/// The game whose two exponents are nearest.
fn nearest(x: f64, y: f64) -> &'static str {
    let far = |other: &(char, &str, f64, f64)| (other.2 - x).hypot(other.3 - y);
    OTHERS.iter().min_by(|a, b| far(a).total_cmp(&far(b))).map_or("", |other| other.1)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut cover = Vec::new();
    for size in [2, 4, 6, 8, 10] {
        cover.push((size, positions(Diagonal::of(size)?).log10(), games(size)));
    }
    // A row for ten powers, a column for each.
    let mut page = vec![vec![' '; 51]; 16];
    let own = cover.iter().map(|&(size, x, y)| (char::from(b'0' + size % 10), x, y));
    for (mark, x, y) in own.chain(OTHERS.map(|(mark, _, x, y)| (mark, x, y))) {
        let row = page.get_mut((y / 10.0).round() as usize);
        if let Some(place) = row.and_then(|row| row.get_mut(x.round() as usize)) {
            *place = mark;
        }
    }
    for (i, row) in page.iter().enumerate().rev() {
        println!("{:>5} |{}", 10 * i, row.iter().collect::<String>().trim_end());
    }
    println!("      +{}\n       0         10        20        30        40        50\n", "-".repeat(50));
    println!("{}", OTHERS.map(|(mark, name, ..)| format!("{mark} {name}")).join(", "));
    for &(size, x, y) in &cover {
        println!("Cover-{size}: {} is nearest", nearest(x, y));
    }
    // What the thesis reads from its picture.
    let near = |at: usize| nearest(cover[at].1, cover[at].2);
    assert_eq!((near(1), near(2)), ("checkers", "othello"));
    let (_, morris, x, y) = OTHERS[0];
    assert!(cover[0].1 < x && cover[0].2 < y, "Cover-2 is smaller than {morris}");
    Ok(())
}
