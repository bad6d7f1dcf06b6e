//! The common parts of the benches: the games that they play, and how their results are checked.
//!
//! ```text
//! cargo bench -p stonework-benches                       # all
//! cargo bench -p stonework-benches --bench playout -- 10 # one, on size 10
//! cargo test -p stonework-benches --benches              # each once, for its checks
//! ```
//!
//! `src/bin/instructions.rs` runs one of the workloads plainly, for counting instructions.

pub mod farm_simulation;

use rand_core::RngCore;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use stonework_board::Cell;
use stonework_game::{Game, Keyed};
use stonework_havannah::{Move, Position, Undo};
use stonework_oracle::Judge;

/// The sizes that are measured.
pub const SIZES: [u8; 5] = [4, 5, 8, 10, 20];

/// The generator of all workloads.
pub type Rng = Xoshiro256PlusPlus;

/// The generator with a seed.
#[must_use]
pub fn rng(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

/// Random games from the empty board to the end, as moves.
#[derive(Clone, Debug)]
pub struct Games {
    /// The empty board.
    pub start: Position,
    /// The moves of each game.
    pub games: Vec<Vec<Move>>,
    /// All moves together.
    pub plies: u64,
    /// The keys of the last positions, in exclusive or.
    pub keys: u64,
}

impl Games {
    /// Games on a board of a size, the same for the same numbers. Their length and their ends are those of
    /// the slow judge, their keys those of positions that are set up.
    ///
    /// # Panics
    /// If they are not; that is checked for up to three games.
    #[must_use]
    pub fn random(size: u8, games: usize) -> Self {
        let start = Position::new(size).expect("a size from the list");
        let mut rng = rng(size.into());
        let mut all = Self { games: Vec::new(), plies: 0, keys: 0, start };
        for number in 0..games {
            let mut cells: Vec<Cell> = all.start.board().cells().collect();
            shuffle(&mut cells, &mut rng);
            let mut game = all.start.clone();
            let mut moves = Vec::new();
            while game.outcome().is_none() {
                let mv = Move::Place(cells[moves.len()]);
                game.play_unchecked(mv);
                moves.push(mv);
            }
            if number < 3 {
                check(&game, &moves);
            }
            all.plies += moves.len() as u64;
            all.keys ^= game.key();
            all.games.push(moves);
        }
        all
    }

    /// Plays every game to its end and takes it back, on one position, and gives the keys of the last
    /// positions in exclusive or.
    ///
    /// # Panics
    /// If a game does not lead back to the empty board.
    pub fn there_and_back(&self, position: &mut Position, undos: &mut Vec<Undo>) -> u64 {
        let mut keys = 0;
        for moves in &self.games {
            undos.extend(moves.iter().map(|&mv| position.play_unchecked(mv)));
            keys ^= position.key();
            while let Some(undo) = undos.pop() {
                position.undo(undo);
            }
        }
        assert_eq!(position.stone_count(), 0);
        keys
    }
}

fn check(end: &Position, moves: &[Move]) {
    let mut judge = Judge::new(end.size(), false).expect("a size from the list");
    for &mv in moves {
        assert_eq!(judge.outcome(), None);
        judge.play(mv).expect("the judge allows it");
    }
    assert_eq!((judge.outcome(), judge.kinds()), (end.outcome(), end.kinds()));
    let set_up = end.setup().position().expect("a position of a game");
    assert_eq!((set_up.key(), &set_up), (end.key(), end));
}

/// Uniformly, from the last to the first.
fn shuffle(cells: &mut [Cell], rng: &mut Rng) {
    for i in (1..cells.len()).rev() {
        let other = (u128::from(rng.next_u64()) * (i as u128 + 1)) >> 64;
        cells.swap(i, other as usize);
    }
}

/// A file of game records with so many bytes or a little more: nested variations, comments with escapes
/// and white space, always the same. Tells the nodes as well.
#[must_use]
pub fn sgf(bytes: usize) -> (String, usize) {
    let mut rng = rng(7);
    let mut below = move |n: u32| ((u64::from(rng.next_u32()) * u64::from(n)) >> 32) as u32;
    let mut text = String::from("(;FF[4]CA[UTF-8]GM[Havannah]SZ[10]PW[Ann]PB[Bob]");
    let (mut nodes, mut depth) = (1, 1);
    while text.len() < bytes {
        // A line of moves, at times with a remark; then up some variations and down a new one.
        text.push_str("\n(");
        depth += 1;
        for ply in 0..=below(24) {
            let letter = char::from(b'a' + below(10) as u8);
            let colour = if ply % 2 == 0 { 'W' } else { 'B' };
            text.extend([';', colour, '[', letter, char::from(b'1' + below(9) as u8), ']']);
            nodes += 1;
            if below(16) == 0 {
                text.push_str("C[better is [a1\\], as \\\\ shows]");
            }
        }
        for _ in 0..below(3).min(depth - 1) {
            text.push(')');
            depth -= 1;
        }
    }
    text.push_str(&")".repeat(depth as usize));
    (text, nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_lead_there_and_back() {
        let games = Games::random(5, 4);
        let keys = games.there_and_back(&mut games.start.clone(), &mut Vec::new());
        assert_eq!(keys, games.keys);
    }

    #[test]
    fn the_record_has_its_size_and_nodes() {
        let (text, nodes) = sgf(10_000);
        assert!((10_000..11_000).contains(&text.len()));
        assert_eq!(stonework_record::Tree::parse_str(&text).unwrap().len(), nodes);
    }
}
