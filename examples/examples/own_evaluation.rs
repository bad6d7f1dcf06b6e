//! Alpha-beta with an evaluation of one's own: in Cachex, stones and how near to the middle they are.
//!
//! ```text
//! own evaluation: 3,0, worth 110, after 137 nodes
//! it captures 2 stones
//! none: worth 0, after 84 nodes
//! ```

use stonework::cachex::Position;
use stonework::game::{Game, Player, Textual};
use stonework::search::{AlphaBeta, AlphaBetaOptions, Engine, Evaluator, Limits};

/// The worth of a stone, and the loss of worth for each step away from the middle.
#[derive(Clone)]
struct Middle {
    stone: i32,
    step: i32,
}

impl Evaluator<Position> for Middle {
    /// For the side to move, and the same for both sides: what one gains the other loses.
    fn evaluate(&mut self, game: &Position) -> i32 {
        let middle = i32::from(game.size()) - 1;
        let worth = |side: Player| -> i32 {
            let stone = |cell| {
                let (row, column) = game.coordinates(cell);
                let [row, column] = [row, column].map(|at| (2 * i32::from(at) - middle).abs());
                self.stone - self.step * (row + column) / 2
            };
            game.stones(side).iter().map(stone).sum()
        };
        worth(game.to_move()) - worth(game.to_move().other())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Position::new(5)?;
    for action in ["1,1", "2,1", "4,4", "2,0"] {
        game.play(game.parse_move(action)?)?;
    }
    let limits = Limits::none().depth(2);
    let mut own = AlphaBeta::new(Middle { stone: 100, step: 10 }, AlphaBetaOptions::new())?;
    let report = own.think(&game, &limits);
    let best = report.best.ok_or("a game that goes on has a move")?;
    println!(
        "own evaluation: {}, worth {}, after {} nodes",
        game.move_text(best),
        report.value.score(),
        report.nodes
    );
    let undo = game.play(best)?;
    println!("it captures {} stones", undo.captured().len());
    game.undo(undo);
    let plain = AlphaBeta::default().think(&game, &limits);
    println!("none: worth {}, after {} nodes", plain.value.score(), plain.nodes);
    Ok(())
}
