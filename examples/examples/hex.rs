//! Hex on a rhombus: a game on the geometry of `board`, solved by every engine.
//!
//! ```text
//! $ cargo run --release -p stonework-examples --example hex
//! minimax   the first player wins on 3x3: 548650 nodes
//! alphabeta the first player wins on 3x3: 1083 nodes, and so on; then a picture of the
//! openings that win on 4x4: those on the short diagonal.
//! ```

use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use stonework_board::{Board, Cell, CellSet, Diagram, Stone};
use stonework_game::{ByPlayer, Finite, Game, Indexed, Keyed, Outcome, Player, laws};
use stonework_search::{AlphaBeta, Dfpn, Engine, Flat, Limits, Mcts, Minimax, Pn, RandomPlayout, Settings};

/// The first player joins the edges 0 and 2, above and below; the second one 1 and 3.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Hex {
    size: u8,
    stones: ByPlayer<CellSet>,
    to_move: Player,
    winner: Option<Player>,
    key: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("{0:?} is taken or not on the board, or the game is over")]
struct NotFree(Cell);

impl Hex {
    fn new(size: u8) -> Result<Self, stonework_board::SizeError> {
        let stones = ByPlayer::default();
        let size = Board::rhombus(size)?.size();
        Ok(Self { size, stones, to_move: Player::First, winner: None, key: size.into() })
    }

    fn board(&self) -> &'static Board {
        Board::rhombus(self.size).expect("a size that `new` has checked")
    }

    /// Puts a stone there or takes it away, in the key.
    fn toggle(&mut self, cell: Cell) {
        let number = 2 * cell.index() as u64 + self.to_move.index() as u64 + 1;
        let word = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.key ^= (word ^ word >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }

    /// The edges that the chain of a cell touches, a bit each.
    fn edges(&self, from: Cell) -> u8 {
        let own = &self.stones[self.to_move];
        let (mut seen, mut open, mut edges) = (CellSet::new(), vec![from], 0);
        while let Some(cell) = open.pop() {
            if seen.insert(cell) {
                edges |= self.board().edge_mask(cell);
                open.extend(self.board().neighbours(cell).filter(|&n| own.contains(n)));
            }
        }
        edges
    }
}

impl Game for Hex {
    type Move = Cell;
    type Undo = Cell;
    type Illegal = NotFree;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(Outcome::Win)
    }

    fn legal_moves(&self, out: &mut impl Extend<Cell>) {
        out.extend(self.board().cells().filter(|&cell| self.check(cell).is_ok()));
    }

    fn check(&self, cell: Cell) -> Result<(), NotFree> {
        let taken = self.stones.iter().any(|(_, stones)| stones.contains(cell));
        let free = self.winner.is_none() && self.board().contains(cell) && !taken;
        free.then_some(()).ok_or(NotFree(cell))
    }

    fn play_unchecked(&mut self, cell: Cell) -> Cell {
        self.stones[self.to_move].insert(cell);
        self.toggle(cell);
        let both = if self.to_move == Player::First { 0b0101 } else { 0b1010 };
        self.winner = (self.edges(cell) & both == both).then_some(self.to_move);
        self.to_move = !self.to_move;
        cell
    }

    fn undo(&mut self, cell: Cell) {
        (self.winner, self.to_move) = (None, !self.to_move);
        self.toggle(cell);
        self.stones[self.to_move].remove(cell);
    }
}

impl Finite for Hex {}

impl Keyed for Hex {
    fn key(&self) -> u64 {
        self.key
    }
}

impl Indexed for Hex {
    fn index_len(&self) -> usize {
        self.board().len()
    }

    fn move_index(&self, cell: Cell) -> usize {
        cell.index()
    }

    fn move_at(&self, index: usize) -> Option<Cell> {
        Cell::new(index).filter(|&cell| self.board().contains(cell))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    laws::keyed(&Hex::new(5)?, &mut Xoshiro256PlusPlus::seed_from_u64(1), 20)?;
    let engines: [(&str, Box<dyn Engine<Hex>>); 5] = [
        ("minimax", Box::new(Minimax::new(Flat))),
        ("alphabeta", Box::new(AlphaBeta::new(Flat))),
        ("mcts", Box::new(Mcts::new(Settings::with_rave(), RandomPlayout::new(25))?)),
        ("pn", Box::new(Pn::new())),
        ("dfpn", Box::new(Dfpn::new())),
    ];
    for (name, mut engine) in engines {
        let report = engine.search(&Hex::new(3)?, &Limits::none(), 1, &mut |_| {});
        assert_eq!(report.proof, Some(Outcome::Win(Player::First)), "{name}");
        println!("{name:<9} the first player wins on 3x3: {} nodes", report.nodes);
    }
    let (empty, mut solver) = (Hex::new(4)?, Dfpn::new());
    let mut openings = Diagram::new(empty.board());
    for cell in empty.board().cells() {
        let mut game = empty.clone();
        game.play(cell)?;
        let report = solver.search(&game, &Limits::none(), 0, &mut |_| {});
        let wins = report.proof == Some(Outcome::Win(Player::First));
        openings = if wins { openings.stone(cell, Stone::Dark) } else { openings };
    }
    println!("openings that win on 4x4\n{}", openings.text());
    Ok(())
}
