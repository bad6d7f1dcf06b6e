//! Connect Four, whose rules are in `rules.rs`, gets every engine by implementing the traits.
//!
//! ```text
//! laws      kept in 20 random games
//! perft     7 49 343 2401 16807 117649 823536
//! alphabeta first move 3, value 1 to depth 8
//! mcts      first move 3, 20000 simulations
//! on 4x4 everybody finds a draw: alphabeta mcts pn dfpn
//! ```

mod rules;

use rules::ConnectFour;
use stonework_game::{Finite, Game, Indexed, Keyed, Outcome, Player, laws, perft, scatter};
use stonework_search::{
    AlphaBeta, AlphaBetaOptions, Dfpn, Engine, Limits, Mcts, MctsOptions, Pn, RandomPlayout, SearchContext,
};

/// No position comes back, and every game ends: what proof numbers ask for.
impl Finite for ConnectFour {}

impl Keyed for ConnectFour {
    fn key(&self) -> u64 {
        let size = u64::from(self.width) << 8 | u64::from(self.height);
        scatter(scatter(scatter(size) ^ self.stones[0]) ^ self.stones[1])
    }
}

impl Indexed for ConnectFour {
    fn index_len(&self) -> usize {
        self.width.into()
    }

    fn move_index(&self, column: u8) -> usize {
        column.into()
    }

    fn move_at(&self, index: usize) -> Option<u8> {
        u8::try_from(index).ok().filter(|&column| column < self.width)
    }
}

/// Cells near the middle column are worth more.
fn evaluate(game: &ConnectFour) -> i32 {
    let worth = |set: u64| -> i32 {
        let stones = |c: u8| (set >> (c * (game.height + 1)) & ((1 << game.height) - 1)).count_ones() as i32;
        (0..game.width).map(|c| stones(c) * i32::from(c.min(game.width - 1 - c))).sum()
    };
    let lead = worth(game.stones[1]) - worth(game.stones[0] ^ game.stones[1]);
    if game.to_move() == Player::First { lead } else { -lead }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = ConnectFour { width: 7, height: 6, stones: [0; 2], won: false };
    laws::keyed(&game, 1, 20)?;
    println!("laws      kept in 20 random games");
    let counts: Vec<u64> = (1..=7).map(|depth| perft(&game, depth).nodes).collect();
    println!("perft     {}", counts.iter().map(u64::to_string).collect::<Vec<_>>().join(" "));
    let report = AlphaBeta::new(evaluate, AlphaBetaOptions::new())?.think(&game, &Limits::none().depth(8));
    println!(
        "alphabeta first move {:?}, value {} to depth 8",
        report.best.ok_or("no move")?,
        report.value.score()
    );
    let mut mcts = Mcts::new(RandomPlayout::new(100), MctsOptions::uct())?;
    let report = mcts.search(&game, &Limits::none().simulations(20_000), SearchContext::seed(1));
    println!("mcts      first move {:?}, {} simulations", report.best.ok_or("no move")?, report.simulations);
    let small = ConnectFour { width: 4, height: 4, ..game };
    let engines: [(&str, Box<dyn Engine<ConnectFour>>); 4] = [
        ("alphabeta", Box::new(AlphaBeta::default())),
        ("mcts", Box::new(mcts)),
        ("pn", Box::new(Pn::default())),
        ("dfpn", Box::new(Dfpn::default())),
    ];
    print!("on 4x4 everybody finds a draw:");
    for (name, mut engine) in engines {
        let report = engine.search(&small, &Limits::none(), SearchContext::seed(1));
        assert_eq!(report.proven, Some(Outcome::Draw), "{name}");
        print!(" {name}");
    }
    println!();
    Ok(())
}
