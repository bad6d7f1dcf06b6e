//! Explains the end of a game of Little Golem, move by move: where the side to move must play, and why.
//!
//! ```text
//! $ cargo run -p stonework-examples --example analyse
//! after move 13, i5:
//!    Black must play on one of c3 and d4: a stone on any other cell loses.
//!    After a stone on h6, i6 or i7 White's i9 makes a bridge frame i9–g4–i5 with the carrier {h8, i8, i9}; White wins in at most 2 moves.
//!    After a stone on any other cell White's i6 makes a ring frame from i6 to g4 on two ways around h5 with the carrier {h6, i6, i7}; White wins in at most 2 moves.
//! after move 14, c3:
//!    White must play on d4: a stone on any other cell loses.
//!    After a stone on any other cell Black's d4 makes a ring; Black wins at once.
//! after move 15, d4:
//!    Black has lost: after a stone on any cell White wins by a frame.
//!    After a stone on h6, i6 or i7 White's i9 makes a bridge frame i9–g4–i5 with the carrier {h8, i8, i9}; White wins in at most 2 moves.
//!    After a stone on any other cell White's i6 makes a ring frame from i6 to g4 on two ways around h5 with the carrier {h6, i6, i7}; White wins in at most 2 moves.
//! after move 16, b1:
//!    White's i6 makes a ring frame from i6 to g4 on two ways around h5 with the carrier {h6, i6, i7}; White wins in at most 2 moves whatever Black plays.
//!    White's i9 makes a bridge frame i9–g4–i5 with the carrier {h8, i8, i9}; White wins in at most 2 moves whatever Black plays.
//!    White may play on any cell: no cell is shown to lose.
//! after move 17, i6:
//!    Black has lost: after a stone on any cell White wins by a frame.
//!    After a stone on h6 White's i7 makes a ring; White wins at once.
//!    After a stone on any other cell White's h6 makes a ring; White wins at once.
//! after move 18, g3:
//!    White's h6 makes a ring; White wins at once whatever Black plays.
//!    White's i7 makes a ring; White wins at once whatever Black plays.
//!    White may play on any cell: no cell is shown to lose.
//! after move 19, h6:
//!    white wins by ring
//! ```

use std::error::Error;

use stonework_session::{LayerBudget, Registry, Session, Start};

/// Game 1148882 of Little Golem, won by a ring.
const MOVES: &str = "g5 f4 g4 f3 h7 e4 h4 e2 g6 d2 d3 c2 i5 c3 d4 b1 i6 g3 h6";

fn main() -> Result<(), Box<dyn Error>> {
    let mut session = Session::new(Registry::standard(), "havannah", &Start::of_size(5), None)?;
    // The two best frames and reasons are enough here.
    let budget = LayerBudget { findings: 2, ..LayerBudget::default() };
    for (number, text) in (1..).zip(MOVES.split(' ')) {
        session.play(text)?;
        if number < 13 {
            continue;
        }
        println!("after move {number}, {text}:");
        if session.position().state(0, number).outcome.is_some() {
            println!("   {}", session.position().standing());
            break;
        }
        for layer in session.layers(&["frames", "must-play"], &budget)? {
            let told = layer
                .findings
                .iter()
                .filter(|finding| layer.layer == "must-play" || finding.text.contains("whatever"));
            told.for_each(|finding| println!("   {}", finding.text));
        }
    }
    Ok(())
}
