//! Reads a game record, has each position searched, and writes the record back with what was found as comments.
//!
//! ```text
//! (;FF[4]GM[Havannah]SZ[3]PW[Ann]PB[Bob];W[a2]C[black wins: c1];B[c3]C[white wins: a1];W[a1]C[white wins: a3];B[b2]C[white wins: a3];W[c1]C[white wins: a3];B[b1]C[white wins: a3])
//! ```

use stonework::game::{Game, Outcome, Player, Textual};
use stonework::havannah::{Move, Position, colour};
use stonework::havannah_solver::Threats;
use stonework::record::{Action, Record, Tree};
use stonework::search::{Dfpn, Engine, Limits};

const GAME: &[u8] = b"(;FF[4]GM[Havannah]SZ[3]PW[Ann]PB[Bob];W[a2];B[c3];W[a1];B[b2];W[c1];B[b1])";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut tree = Tree::parse(GAME)?;
    let record = Record::read(&tree)?;
    let nodes: Vec<_> = tree.main_line().skip(1).collect();
    let mut game = Position::with_swap(record.size)?;
    let mut solver = Dfpn::default().tactics(Threats);
    for (node, step) in nodes.into_iter().zip(&record.moves) {
        let Action::Place(cell) = step.action else { continue };
        game.play(Move::Place(cell))?;
        let report = solver.think(&game, &Limits::none().nodes(100_000));
        let side = |side: Player| colour(side);
        let comment = match (report.proven, report.best) {
            (Some(Outcome::Win(winner)), Some(best)) => {
                format!("{} wins: {}", side(winner), game.move_text(best))
            }
            (Some(Outcome::Win(winner)), None) => format!("{} has won", side(winner)),
            (Some(Outcome::Draw), _) => "a draw".to_owned(),
            (None, _) => "not solved".to_owned(),
        };
        tree.set_comment(node, &comment)?;
    }
    println!("{tree}");
    Ok(())
}
