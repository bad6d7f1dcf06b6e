//! Links, frames and must-play of Havannah, compared with slow judges.

mod cost;
mod frames;
mod links;
mod race;
mod tracker;
mod traps;

use stonework_board::{Cell, CellSet};
use stonework_game::{Game, Rng, Textual, below, rng};
use stonework_havannah::{Move, Position};
use stonework_havannah_analysis::StonesToWin;
use stonework_reference_data as reference_data;

/// A position after a number of moves, in which the game goes on. In a third of the games all moves are random. In the
/// other games each side mostly stops a win in one. Otherwise it plays two cells away from an own stone, beside an own
/// stone, on a cell of its shortest way to a win, or anywhere, so that chains, frames and races occur.
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
    // Now and then a win in one is not stopped, so that positions with wins in one occur too.
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

/// Random positions of sizes 3 to 8 in turn, with `from` to `to` percent of the cells taken.
fn random_positions(from: usize, to: usize, seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = rng(seed);
    (0..).map(move |i| some_position(3 + (i % 6) as u8, (from, to), &mut rng))
}

/// A random position of a size, with a share of the cells taken.
fn some_position(size: u8, (from, to): (usize, usize), rng: &mut Rng) -> Position {
    let cells = Position::new(size).unwrap().board().len();
    random_position(size, cells * (from + below(rng, to - from)) / 100, rng)
}

/// Random positions of random games on Little Golem, on sizes 4 to 8, in which the game goes on.
fn real_positions(seed: u64) -> impl Iterator<Item = Position> {
    let games = reference_data::lines("havannah/littlegolem.jsonl");
    let mut rng = rng(seed);
    (0..).filter_map(move |_| {
        let game = &games[below(&mut rng, games.len())];
        let size = game["size"].as_u64()? as u8;
        if size > 8 {
            return None;
        }
        let mut position = Position::with_swap(size).unwrap();
        let moves = game["moves_hgui"].as_array()?;
        for text in moves.get(..2 + below(&mut rng, moves.len().saturating_sub(1)))? {
            let text = text.as_str()?;
            if text == "resign" {
                break;
            }
            position.play(position.parse_move(text).unwrap()).unwrap();
        }
        (position.outcome().is_none() && !position.swap_enabled()).then_some(position)
    })
}

/// The number of cases of a long test: from the environment, or the default.
fn count(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
