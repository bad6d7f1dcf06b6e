//! Hex on a rhombus: each engine solves it. The rules are in `rules.rs`.
//!
//! ```text
//! minimax   the first player wins on 3x3: 548650 nodes
//! alphabeta the first player wins on 3x3: 1083 nodes
//! mcts      the first player wins on 3x3: 5312 nodes
//! pn        the first player wins on 3x3: 3552 nodes
//! dfpn      the first player wins on 3x3: 3890 nodes
//! openings that win on 4x4
//!  1 2 3 4
//! a . . . @ a
//!  b . . @ . b
//!   c . @ . . c
//!    d @ . . . d
//!       1 2 3 4
//! ```

mod rules;

use rules::Hex;
use stonework_board::{Cell, Diagram, Stone};
use stonework_game::{Finite, Game, Indexed, Keyed, Outcome, Player, laws};
use stonework_search::{
    AlphaBeta, Dfpn, Engine, Limits, Mcts, MctsOptions, Minimax, Pn, RandomPlayout, SearchContext,
};

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
    laws::keyed(&Hex::new(5)?, 1, 20)?;
    let engines: [(&str, Box<dyn Engine<Hex>>); 5] = [
        ("minimax", Box::new(Minimax::new(()))),
        ("alphabeta", Box::new(AlphaBeta::default())),
        ("mcts", Box::new(Mcts::new(RandomPlayout::new(25), MctsOptions::with_rave())?)),
        ("pn", Box::new(Pn::default())),
        ("dfpn", Box::new(Dfpn::default())),
    ];
    for (name, mut engine) in engines {
        let report = engine.search(&Hex::new(3)?, &Limits::none(), SearchContext::seed(1));
        assert_eq!(report.proven, Some(Outcome::Win(Player::First)), "{name}");
        println!("{name:<9} the first player wins on 3x3: {} nodes", report.nodes);
    }
    let (empty, mut solver) = (Hex::new(4)?, Dfpn::default());
    let mut openings = Diagram::new(empty.board());
    for cell in empty.board().cells() {
        let mut game = empty.clone();
        game.play(cell)?;
        let report = solver.think(&game, &Limits::none());
        let wins = report.proven == Some(Outcome::Win(Player::First));
        openings = if wins { openings.stone(cell, Stone::Dark) } else { openings };
    }
    println!("openings that win on 4x4\n{}", openings.text());
    Ok(())
}
