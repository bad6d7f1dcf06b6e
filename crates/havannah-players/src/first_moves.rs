//! The chances of first moves, for games with the right to swap.

use std::sync::LazyLock;

use stonework_game::{Game, Outcome, Player, Textual, move_orbits};
use stonework_havannah::{Move, Position};
use stonework_search::{Bounds, Line, Report, Stop, UNKNOWN_PLIES, Value};

/// The table: `SIZE CELL GAMES WINS` in each line, with one cell for all its images, or `SIZE CELL proven white|black`.
const TABLE: &str = include_str!("../data/first-moves.txt");

/// First moves whose chances are as near to a half as the nearest one, up to this difference, are all played.
const NEAR: f64 = 0.03;

/// A first move, up to symmetry.
#[derive(Clone, PartialEq, Debug)]
struct FirstMove {
    size: u8,
    cell: String,
    chance: Chance,
}

/// The chance of White after a first move, in a game without the right to swap.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Chance {
    /// The winner is proven.
    Proven(Player),
    /// The share of games that White won.
    Share(f64),
}

impl Chance {
    /// The chance as a number between 0 and 1.
    const fn number(self) -> f64 {
        match self {
            Self::Proven(Player::First) => 1.0,
            Self::Proven(Player::Second) => 0.0,
            Self::Share(share) => share,
        }
    }

    /// The value for White or, with `false`, for the other side.
    fn value(self, white: bool) -> Value {
        match self {
            Self::Proven(winner) => {
                let side = if white { Player::First } else { Player::Second };
                Value::of(Outcome::Win(winner), side, UNKNOWN_PLIES)
            }
            Self::Share(share) => Value::Mean(if white { share } else { 1.0 - share } as f32),
        }
    }
}

/// Reads a line of the table. A draw is half a win; the share counts two more games, one won and one lost, so that it is
/// never 0 or 1.
fn read(line: &str) -> Option<FirstMove> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [size, cell, games, wins] = words[..] else { return None };
    let chance = match (games, wins) {
        ("proven", "white") => Chance::Proven(Player::First),
        ("proven", "black") => Chance::Proven(Player::Second),
        _ => {
            let (games, wins): (u32, f64) = (games.parse().ok()?, wins.parse().ok()?);
            if !(0.0..=f64::from(games)).contains(&wins) {
                return None;
            }
            Chance::Share((wins + 1.0) / (f64::from(games) + 2.0))
        }
    };
    Some(FirstMove { size: size.parse().ok()?, cell: cell.to_owned(), chance })
}

/// All first moves of a size with their chances; `None` for a size that the table lacks.
pub(crate) fn chances(size: u8) -> Option<Vec<(Move, Chance)>> {
    static ALL: LazyLock<Vec<FirstMove>> = LazyLock::new(|| TABLE.lines().filter_map(read).collect());
    let empty = Position::new(size).ok()?;
    let of = |mv: Move| {
        let cell = empty.move_text(mv);
        ALL.iter().find(|first| first.size == size && first.cell == cell).map(|first| first.chance)
    };
    let mut all = Vec::new();
    for orbit in move_orbits(&empty) {
        let images = || std::iter::once(orbit.mv).chain(orbit.images.iter().copied());
        let chance = images().find_map(of)?;
        all.extend(images().map(|mv| (mv, chance)));
    }
    Some(all)
}

/// The decision about a first move in a game with the right to swap.
pub(crate) enum Opening {
    /// This report has the move: a first move, or the swap.
    Decided(Report<Move>),
    /// Black keeps its side.
    Declined,
}

/// The opening of a game with the right to swap, by the table; `None` in every other position, and for a size that the table
/// lacks. `seed` chooses among first moves that are equally near to a half.
pub(crate) fn opening(root: &Position, seed: u64) -> Option<Opening> {
    if !root.swap_enabled() || root.stone_count() > 1 {
        return None;
    }
    let chances = chances(root.size())?;
    if root.stone_count() == 0 {
        return first(&chances, seed).map(Opening::Decided);
    }
    root.check(Move::Swap).ok()?;
    let placed = root.stones(Player::First).iter().next()?;
    let (_, chance) = *chances.iter().find(|(mv, _)| *mv == Move::Place(placed))?;
    if chance.number() <= 0.5 {
        return Some(Opening::Declined);
    }
    let proven = matches!(chance, Chance::Proven(_)).then_some(Outcome::Win(Player::Second));
    let line = Line::new(vec![Move::Swap], chance.value(true));
    Some(Opening::Decided(decided(vec![line], proven, Player::Second)))
}

/// The first move that is nearest to a half: the other side takes the better half.
fn first(chances: &[(Move, Chance)], seed: u64) -> Option<Report<Move>> {
    let distance = |chance: Chance| (chance.number() - 0.5).abs();
    let least = chances.iter().map(|&(_, chance)| distance(chance)).min_by(f64::total_cmp)?;
    let near: Vec<Move> =
        chances.iter().filter(|(_, chance)| distance(*chance) <= least + NEAR).map(|(mv, _)| *mv).collect();
    let best = *near.get((seed % near.len().max(1) as u64) as usize)?;
    let worth = |chance: Chance| chance.value(chance.number() <= 0.5);
    let mut lines: Vec<(f64, Line<Move>)> = chances
        .iter()
        .map(|&(mv, chance)| {
            let order = if mv == best { -1.0 } else { distance(chance) };
            (order, Line::new(vec![mv], worth(chance)))
        })
        .collect();
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    let is_proven = chances.iter().all(|(_, chance)| matches!(chance, Chance::Proven(_)));
    let proven = is_proven.then_some(Outcome::Win(Player::Second));
    Some(decided(lines.into_iter().map(|(_, line)| line).collect(), proven, Player::First))
}

/// A report without a search.
fn decided(lines: Vec<Line<Move>>, proven: Option<Outcome>, to_move: Player) -> Report<Move> {
    let best = lines.first().and_then(|line| line.moves.first().copied());
    let value = lines.first().map_or(Value::Unknown, |line| line.value);
    let report = Report { best, value, proven, lines, ..Report::empty() };
    match proven {
        Some(outcome) => {
            Report { bounds: Bounds::of(outcome, to_move), stopped: Some(Stop::Solved), ..report }
        }
        None => report,
    }
}

#[cfg(test)]
mod tests {
    use stonework_havannah_solver::Solver;
    use stonework_search::{Engine as _, Limits};

    use super::*;

    #[test]
    fn every_line_of_the_table_is_read_and_every_first_move_has_one() {
        assert!(TABLE.lines().all(|line| read(line).is_some()), "{TABLE}");
        for size in 2..=10 {
            let cells = Position::new(size).unwrap().moves().len();
            assert_eq!(chances(size).unwrap().len(), cells, "size {size}");
        }
        assert!(chances(11).is_none());
        let orbits: usize = (2..=10).map(|size| move_orbits(&Position::new(size).unwrap()).len()).sum();
        assert_eq!(TABLE.lines().count(), orbits);
        assert_eq!(read("5 a1 10 11"), None);
        assert_eq!(read("5 a1 10"), None);
        assert_eq!(read("5 a1 proven 1"), None);
    }

    #[test]
    fn the_solver_agrees_with_the_proven_lines_of_sizes_2_and_3() {
        for size in 2..=3 {
            for (mv, chance) in chances(size).unwrap() {
                let mut position = Position::new(size).unwrap();
                position.play(mv).unwrap();
                let report = Solver::default().think(&position, &Limits::none());
                let Chance::Proven(winner) = chance else { panic!("size {size} is proven") };
                assert_eq!(report.proven, Some(Outcome::Win(winner)), "size {size} {mv:?}");
            }
        }
    }

    /// The number of a first move on a board of size 6.
    fn of(mv: Move) -> f64 {
        chances(6).unwrap().into_iter().find(|(other, _)| *other == mv).unwrap().1.number()
    }

    #[test]
    fn a_first_move_is_near_a_half_and_a_good_one_is_taken_over() {
        let root = Position::with_swap(6).unwrap();
        let mut first = std::collections::HashSet::new();
        for seed in 0..40 {
            let Some(Opening::Decided(report)) = opening(&root, seed) else { panic!("a first move") };
            let best = report.best.unwrap();
            let nearest = root.moves().into_iter().map(|mv| (of(mv) - 0.5).abs()).fold(1.0, f64::min);
            assert!((of(best) - 0.5).abs() <= nearest + NEAR, "{best:?}");
            assert_eq!(report.lines.len(), root.moves().len());
            assert_eq!(report.lines[0].moves, [best]);
            first.insert(root.move_text(best));
        }
        assert!(first.len() > 3, "images of a first move are played, too: {first:?}");
        for mv in root.moves() {
            let mut next = root.clone();
            next.play(mv).unwrap();
            match opening(&next, 1) {
                Some(Opening::Decided(report)) => {
                    assert_eq!((report.best, of(mv) > 0.5), (Some(Move::Swap), true), "{mv:?}");
                }
                Some(Opening::Declined) => assert!(of(mv) <= 0.5, "{mv:?}"),
                None => panic!("size 6 has a table"),
            }
        }
        assert!(opening(&Position::new(6).unwrap(), 1).is_none(), "no right to swap");
    }

    #[test]
    fn a_proven_size_is_a_proven_report() {
        let root = Position::with_swap(3).unwrap();
        let Some(Opening::Decided(report)) = opening(&root, 1) else { panic!("a first move") };
        assert_eq!(report.proven, Some(Outcome::Win(Player::Second)));
        assert_eq!((report.value.is_loss(), report.bounds.most), (true, -1));
        let mut next = root.clone();
        next.play(root.parse_move("a1").unwrap()).unwrap();
        let Some(Opening::Decided(report)) = opening(&next, 1) else { panic!("a swap") };
        assert!(report.value.is_win(), "{report:?}");
    }
}
