//! Links, frames and must-play of Havannah against slow judges.

mod frames;
mod links;
mod traps;

use stonework_board::{Cell, CellSet};
use stonework_game::{Game, Rng, below};
use stonework_havannah::{Move, Position};
use stonework_havannah_analysis::StonesToWin;

/// A position after a number of moves, in which the game goes on. In a third of the games all moves are random. In the others each
/// side mostly stops a win in one; else it plays two cells away from an own stone, beside one, on a cell of its
/// shortest way to a win, or anywhere, so that chains, frames and races come about.
fn random_position(size: u8, stones: usize, rng: &mut Rng) -> Position {
    loop {
        let mut position = Position::new(size).unwrap();
        let random = below(rng, 3) == 0;
        while position.outcome().is_none() && position.stone_count() < stones {
            let cell =
                if random { any(&position.empty_cells().collect(), rng) } else { sensible(&position, rng) };
            position.play(Move::Place(cell)).unwrap();
        }
        if position.outcome().is_none() {
            return position;
        }
    }
}

fn any(cells: &CellSet, rng: &mut Rng) -> Cell {
    cells.iter().nth(below(rng, cells.len())).unwrap()
}

fn sensible(position: &Position, rng: &mut Rng) -> Cell {
    let (mover, board) = (position.to_move(), position.board());
    let own = position.stones(mover);
    let empty: CellSet = position.empty_cells().collect();
    let around = |range: std::ops::Range<usize>| {
        let near =
            |c: &Cell| board.around(*c).take(range.end).skip(range.start).flatten().any(|n| own.contains(n));
        empty.iter().filter(near).collect::<CellSet>()
    };
    // Wins are left alone now and then, so that positions with wins in one occur too.
    let urgent = if below(rng, 8) == 0 { vec![] } else { vec![mover.other()] };
    let choices = urgent.into_iter().map(|p| position.winning_cells(p)).chain([match below(rng, 4) {
        0 => around(6..12),
        1 => around(0..6),
        2 => StonesToWin::of(position, mover, 8).unwrap().map_or(CellSet::new(), |s| s.cells),
        _ => empty,
    }]);
    let cells = choices.into_iter().find(|cells| !cells.is_empty()).unwrap_or(empty);
    any(&cells, rng)
}

/// How many cases a long test takes: from the environment, or the default.
fn count(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
