//! Meetings of paths from corners or edges.

use super::walk::{FAR, Ground, StoneMap, Tree, Walk};

/// The cheapest meeting of `N` paths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting<const N: usize> {
    pub(super) stones: u16,
    /// The cell in which the paths meet.
    pub(super) at: usize,
    /// The trees from which the paths come.
    pub(super) ends: [usize; N],
}

/// The sum of the `N` least of six numbers, and their indices, the least number first, among equals the first index.
fn least<const N: usize>(six: [u16; 6]) -> Option<(u16, [usize; N])> {
    let (mut ends, mut sum, mut taken) = ([0; N], 0, 0u8);
    for end in &mut ends {
        let free = (0..6).filter(|&i| taken >> i & 1 == 0 && six[i] != FAR);
        *end = free.min_by_key(|&i| six[i])?;
        taken |= 1 << *end;
        sum += six[*end];
    }
    Some((sum, ends))
}

/// The cheapest meeting in a cell, the cell counted once.
fn meeting_at<const N: usize>(ground: &Ground, trees: &[Tree], at: usize) -> Option<Meeting<N>> {
    let own = ground.costs[at];
    if own == FAR {
        return None;
    }
    let (sum, ends) = least::<N>(std::array::from_fn(|end| trees[end].costs.values[at]))?;
    Some(Meeting { stones: sum - (N as u16 - 1) * own, at, ends })
}

/// The cheapest meeting of `N` paths of six trees, in the cell with the lowest number.
pub(super) fn meeting<const N: usize>(ground: &Ground, trees: &[Tree]) -> Option<Meeting<N>> {
    (0..ground.cells()).filter_map(|at| meeting_at(ground, trees, at)).min_by_key(|found| found.stones)
}

/// For each cell the fewest stones of a walk from a corner through the cell to another corner.
pub(super) fn through_bridges(ground: &Ground, corners: &[Tree], map: &mut StoneMap) {
    for at in 0..ground.cells() {
        map.values[at] = meeting_at::<2>(ground, corners, at).map_or(FAR, |found| found.stones);
    }
}

/// For each cell the fewest stones of a tree that joins three edges and runs through the cell.
///
/// Such a tree is a tree that joins two edges to the cell, and a path from the cell to a third edge. One walk for each
/// pair of edges finds the tree: it begins at every cell with the cost of a path between the two edges through that
/// cell. (The step of Dreyfus and Wagner from two terminals to three.) 15 walks, O(cells).
pub(super) fn through_forks(
    ground: &Ground,
    walk: &mut Walk,
    edges: &[Tree],
    scratch: &mut Tree,
    map: &mut StoneMap,
) {
    map.values.fill(FAR);
    for (a, b) in (0..6).flat_map(|b| (0..b).map(move |a| (a, b))) {
        let both = |at: usize| match (edges[a].costs.values[at], edges[b].costs.values[at]) {
            (FAR, _) | (_, FAR) => None,
            (x, y) => Some((x + y - ground.costs[at], at as u16)),
        };
        walk.seeds.extend((0..ground.cells()).filter_map(both));
        walk.spread(ground, scratch);
        for (at, &pair) in scratch.costs.values.iter().enumerate().filter(|&(_, &pair)| pair != FAR) {
            let others = (0..6).filter(|&e| e != a && e != b).map(|e| edges[e].costs.values[at]);
            if let Some(third) = others.min().filter(|&third| third != FAR) {
                map.values[at] = map.values[at].min(pair + third - ground.costs[at]);
            }
        }
    }
}
