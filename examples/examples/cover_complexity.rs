//! How large Cover is: the estimates of figures 8 to 10 of Bos' thesis, recomputed from the lattice, with the
//! places where the thesis' own figures differ. Figure 11 is the example `cover_among_games`.
//!
//! ```text
//!             locations  overlapped   positions  printed      games  printed
//! Cover-2            49        5.82    5.35e  9       9    9.54e 13       13
//! Cover-4           121        6.26    1.04e 18      18    1.00e 40       40
//! Cover-6           225        6.46    8.92e 26      27    3.68e 70       70
//! Cover-8           361        6.57    2.50e 36      36    1.21e104      104
//! Cover-10          529        6.65    1.76e 46      45    6.22e139      139
//!
//! one stone against one on Cover-4: 27768 estimated, 27294 counted
//! ```

use stonework_board::Diagonal;
use stonework_cover::Setup;
use stonework_examples::complexity::{games, overlapped, positions};
use stonework_game::Player;

/// Size; exponents of ten of the positions by figure 8, and as figure 10 prints them; those of the games. The
/// thesis rounds down for Cover-2 and up for Cover-6; for Cover-10 it prints a power too few.
const EXPONENTS: [(u8, i32, i32, i32); 5] =
    [(2, 9, 9, 13), (4, 18, 18, 40), (6, 26, 27, 70), (8, 36, 36, 104), (10, 46, 45, 139)];

/// A number by its logarithm: `1.04e 18`.
fn scientific(log: f64) -> String {
    format!("{:.2}e{:3}", 10_f64.powf(log.fract()), log.floor())
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
    Ok(())
}
