//! Estimates of the positions and games of Cover, by figures 8 and 9 of Bos' thesis.

use stonework_board::{Cell, Diagonal, Home};

/// The average number of locations that a stone makes unusable, its own included.
///
/// Figure 8 counts 7 locations for a stone in the middle, 5 at an edge and 3 in a corner, and its text says 4 for a homebase.
/// These numbers agree with the lattice. But the printed results follow only with 2 for each homebase, so this function counts 2.
///
/// # Panics
/// If the lattice disagrees with these numbers.
#[must_use]
pub fn overlapped(lattice: &Diagonal) -> f64 {
    let homes = [Home::Bottom, Home::Top].map(|home| lattice.homebase(home));
    let unusable = |cell: Cell| {
        let exact = 1 + lattice.overlaps(cell).count();
        let (a, b) = lattice.coordinates(cell);
        let edges = [a, b].into_iter().filter(|n| [1, lattice.side()].contains(n)).count();
        let kind = if homes.contains(&cell) { 4 } else { [7, 5, 3][edges] };
        assert_eq!(exact, kind, "{}", lattice.name(cell));
        if homes.contains(&cell) { 2 } else { exact }
    };
    lattice.cells().map(unusable).sum::<usize>() as f64 / lattice.len() as f64
}

/// The number of positions by figure 8: for each number of blue and of red stones, the placements of these stones times two
/// sides to move times the possible last moves.
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

/// The logarithm to base ten of the number of games by figure 9: a game of Cover-X has ten plies for each of X stones, and a
/// ply has five moves for each of X / 2 stones.
#[must_use]
pub fn games(size: u8) -> f64 {
    10.0 * f64::from(size) * (5.0 * f64::from(size) / 2.0).log10()
}
