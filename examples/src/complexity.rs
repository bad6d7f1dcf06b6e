//! The size of Cover, by the estimates of figures 8 and 9 of Bos' thesis.

use stonework_board::{Cell, Diagonal, Home};

/// The average number of locations that a stone makes unusable, its own included.
///
/// Figure 8 multiplies kinds of fields by 7, 5, 3 and, by its text, 4 for the homebases. These factors agree with the
/// lattice, but the printed figures follow only with 2 for each homebase.
///
/// # Panics
/// If the lattice disagrees with the factors.
#[must_use]
pub fn overlapped(lattice: &Diagonal) -> f64 {
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

/// Figure 8: placements of i blue and j red stones, times two sides to move, times the possible last moves.
#[must_use]
pub fn positions(lattice: &Diagonal) -> f64 {
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

/// Figure 9, as a logarithm to base ten: ten plies for each of X stones, with five moves for each of X / 2 stones at a ply.
#[must_use]
pub fn games(size: u8) -> f64 {
    10.0 * f64::from(size) * (5.0 * f64::from(size) / 2.0).log10()
}
