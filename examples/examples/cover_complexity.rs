//! How large Cover is: the estimates of figures 8 to 10 of Bos' thesis, recomputed from the lattice, with the
//! places where the thesis' own figures differ, and figure 11, Cover among other games.
//!
//! ```text
//! $ cargo run --release -p stonework-examples --example cover_complexity
//!             locations  overlapped   positions  printed      games  printed
//! Cover-2            49        5.82    5.35e  9       9    9.54e 13       13
//! Cover-4           121        6.26    1.04e 18      18    1.00e 40       40
//! Cover-6           225        6.46    8.92e 26      27    3.68e 70       70
//! Cover-8           361        6.57    2.50e 36      36    1.21e104      104
//! Cover-10          529        6.65    1.76e 46      45    6.22e139      139
//!
//! one stone against one on Cover-4: 27768 estimated, 27294 counted
//!
//! (figure 11 follows: a picture of the games, and which is nearest to each size of Cover)
//! ```

use stonework_board::{Cell, Diagonal, Home};
use stonework_cover::Setup;
use stonework_game::Player;

/// Size; exponents of ten of the positions by figure 8, and as figure 10 prints them; those of the games. The
/// thesis rounds down for Cover-2 and up for Cover-6; for Cover-10 it prints a power too few.
const EXPONENTS: [(u8, i32, i32, i32); 5] =
    [(2, 9, 9, 13), (4, 18, 18, 40), (6, 26, 27, 70), (8, 36, 36, 104), (10, 46, 45, 139)];

/// Figure 11: other games with the exponents of ten of their positions and games, as L. V. Allis, *Searching for
/// Solutions in Games and Artificial Intelligence* (1994), estimates them. The thesis' picture is not legible;
/// it draws these two numbers.
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

/// How many locations a stone makes unusable, its own included, on average.
///
/// Figure 8 multiplies kinds of fields by 7, 5, 3 and, as the text is read, 4 for the homebases. The lattice
/// says so too; but only 2 for each homebase gives the figures that are printed.
fn overlapped(lattice: &Diagonal) -> f64 {
    let homes = [Home::Bottom, Home::Top].map(|home| lattice.homebase(home));
    let of = |cell: Cell| {
        let exact = 1 + lattice.overlaps(cell).count();
        let (a, b) = lattice.coordinates(cell);
        let edges = [a, b].into_iter().filter(|n| [1, lattice.side()].contains(n)).count();
        let kind = if homes.contains(&cell) { 4 } else { [7, 5, 3][edges] };
        assert_eq!(exact, kind, "{}", lattice.name(cell));
        if homes.contains(&cell) { 2 } else { exact }
    };
    lattice.cells().map(of).sum::<usize>() as f64 / lattice.len() as f64
}

/// Figure 8: placements of i blue and j red stones, times either side to move, times the last moves.
fn positions(lattice: &Diagonal) -> f64 {
    let (fields, taken) = (lattice.len() as f64, overlapped(lattice));
    let placed = |stones: u8| (0..stones).map(|m| fields - f64::from(m) * taken).product::<f64>();
    let factorial = |n: u8| (1..=n).map(f64::from).product::<f64>();
    let sizes = || 1..=lattice.size();
    let term = |i: u8, j: u8| {
        let last_moves = (8.0 * f64::from(i)).powi(2) * (8.0 * f64::from(j));
        2.0 * placed(i + j) * last_moves / (factorial(i) * factorial(j))
    };
    sizes().flat_map(|i| sizes().map(move |j| (i, j))).map(|(i, j)| term(i, j)).sum()
}

/// Figure 9, as a logarithm: five moves for each of half of the stones, ten plies for each.
fn games(size: u8) -> f64 {
    10.0 * f64::from(size) * (5.0 * f64::from(size) / 2.0).log10()
}

/// A number by its logarithm: `1.04e 18`.
fn scientific(log: f64) -> String {
    format!("{:.2}e{:3}", 10_f64.powf(log.fract()), log.floor())
}

/// Figure 11 as text: positions to the right and games upwards, both as exponents of ten; digits are Cover,
/// `0` is Cover-10. Beyond its edge lie renju, go-moku and go.
fn figure_11(cover: &[(u8, f64, f64)]) -> String {
    const WIDE: usize = 50;
    const HIGH: usize = 160;
    let mut page = vec![vec![' '; WIDE + 1]; HIGH / 5 + 1];
    let own = cover.iter().map(|&(size, x, y)| (char::from(b'0' + size % 10), x, y));
    for (mark, x, y) in own.chain(OTHERS.map(|(mark, _, x, y)| (mark, x, y))) {
        if let Some(place) =
            page.get_mut((y / 5.0).round() as usize).and_then(|row| row.get_mut(x.round() as usize))
        {
            *place = mark;
        }
    }
    let row = |(i, row): (usize, &Vec<char>)| {
        format!("{:>5} |{}", 5 * i, row.iter().collect::<String>().trim_end())
    };
    let rows: Vec<String> = page.iter().enumerate().rev().map(row).collect();
    format!(
        "{}\n      +{}\n       0         10        20        30        40        50",
        rows.join("\n"),
        "-".repeat(WIDE)
    )
}

/// The game whose two exponents are nearest.
fn nearest(x: f64, y: f64) -> &'static str {
    let far = |other: &(char, &str, f64, f64)| (other.2 - x).hypot(other.3 - y);
    OTHERS.iter().min_by(|a, b| far(a).total_cmp(&far(b))).map_or("", |other| other.1)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("            locations  overlapped   positions  printed      games  printed");
    for (size, states, printed, tree) in EXPONENTS {
        let lattice = Diagonal::of(size)?;
        let (state_log, tree_log) = (positions(lattice).log10(), games(size));
        println!(
            "{:<10}{:11}{:12.2}{:>12}{printed:8}{:>12}{tree:9}",
            format!("Cover-{size}"),
            lattice.len(),
            overlapped(lattice),
            scientific(state_log),
            scientific(tree_log),
        );
        assert_eq!([state_log.floor() as i32, tree_log.floor() as i32], [states, tree]);
    }
    let four = Diagonal::of(4)?;
    assert!((positions(four) / 1.041e18 - 1.0).abs() < 5e-4, "figure 8 prints 1.041 × 10^18");

    // Figure 27: the same estimate for one stone a side, and what the rules allow.
    let fields = four.len() as f64;
    let estimated = 2.0 * fields * (fields - overlapped(four));
    let mut counted = 0;
    for (blue, red) in four.cells().flat_map(|blue| four.cells().map(move |red| (blue, red))) {
        for to_move in Player::BOTH {
            let mut setup = Setup { to_move, ..Setup::new(4) };
            setup.stones.first.insert(blue);
            setup.stones.second.insert(red);
            counted += u32::from(setup.position().is_ok());
        }
    }
    println!("\none stone against one on Cover-4: {estimated:.0} estimated, {counted} counted");
    assert_eq!((estimated.round() as u32, counted), (27_768, 27_294));

    let sizes = EXPONENTS.map(|(size, ..)| size);
    let place = |size| Ok((size, positions(Diagonal::of(size)?).log10(), games(size)));
    let cover = sizes.into_iter().map(place).collect::<Result<Vec<_>, stonework_board::DiagonalError>>()?;
    println!("\n{}\n", figure_11(&cover));
    println!("{}", OTHERS.map(|(mark, name, ..)| format!("{mark} {name}")).join(", "));
    for &(size, x, y) in &cover {
        println!("Cover-{size}: {} is nearest", nearest(x, y));
    }
    // What the thesis reads from its picture.
    let near = |at: usize| nearest(cover[at].1, cover[at].2);
    assert_eq!((near(1), near(2)), ("checkers", "othello"));
    let (_, morris, _, _) = OTHERS[0];
    assert!(cover[0].1 < OTHERS[0].2 && cover[0].2 < OTHERS[0].3, "Cover-2 is smaller than {morris}");
    Ok(())
}
