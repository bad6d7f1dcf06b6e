//! Two engines play a game of Havannah against each other. Each search is limited to 1000 nodes. Output: the moves, the board
//! and the result.
//!
//! ```text
//! g4 b3 d1 e3 c4 c2 f3 e2 b2 f5 c3 c5 b1 c1 e4 f4 d2 d3 a1 g5
//!       1 2 3 4
//!    a O . . . 5
//!   b O O @ . . 6
//!  c @ @ O O @ . 7
//! d O O @ . . . .
//!  e @ @ O . . .
//!   f O @ @ . .
//!    g O @ . .
//! black wins by fork
//! ```

use stonework::board::{Diagram, Stone};
use stonework::game::{Game, Outcome, Player, Textual};
use stonework::havannah::{Position, colour};
use stonework::havannah_players::{Links, Near, RandomGames};
use stonework::havannah_solver::Threats;
use stonework::search::{AlphaBeta, AlphaBetaOptions, Engine, Limits, Mcts, MctsOptions, SearchContext};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut white = Mcts::new(RandomGames::new(), MctsOptions::with_rave())?.tactics(Threats);
    let mut black = AlphaBeta::new(Links::new(), AlphaBetaOptions::new())?.order(Near);
    let limits = Limits::none().nodes(1000);
    let mut game = Position::new(4)?;
    let mut names = Vec::new();
    while game.outcome().is_none() {
        let report = match game.to_move() {
            Player::First => white.search(&game, &limits, SearchContext::seed(1)),
            Player::Second => black.think(&game, &limits),
        };
        let mv = report.best.ok_or("a game that goes on has a move")?;
        names.push(game.move_text(mv));
        game.play(mv)?;
    }
    println!("{}", names.join(" "));
    let stones = [(Player::First, Stone::Light), (Player::Second, Stone::Dark)];
    let diagram = stones
        .into_iter()
        .fold(Diagram::new(game.board()), |diagram, (side, stone)| diagram.stones(game.stones(side), stone));
    println!("{}", diagram.text());
    match game.outcome() {
        Some(Outcome::Win(side)) => println!("{} wins by {}", colour(side), game.kinds()),
        _ => println!("a draw"),
    }
    Ok(())
}
