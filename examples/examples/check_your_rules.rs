//! Finds the mistake in somebody's rules: here, rules that look for rings with a flood from the rim and
//! so never see one that is filled with its owner's own stones. The disagreement is found in a longer
//! game and shrunk to the fewest moves that show it.
//!
//! ```text
//! $ cargo run -p stonework-examples --example check_your_rules
//! in game 46: outcome is null, we say "white"
//! b3 c1 b4 d7 d5 e7 c4 f5 c3 c2 c5 f4 d4
//!
//!       1 2 3 4
//!    a . . . . 5
//!   b . . O O . 6
//!  c @ @ O O O . 7
//! d . . .(O)O . @
//!  e . . . . . @
//!   f . @ @ . .
//!    g . . . .
//! ```

use stonework_board::{Board, Cell, CellSet, Diagram, Stone};
use stonework_havannah::WinKinds;
use stonework_oracle::{Conformance, Fault, Query, QueryResult, State, Subject, chains, formations};

/// The rules under test; they are asked for the state after some moves from the empty board.
struct Forgetful;

impl Subject for Forgetful {
    fn replay(&mut self, query: &Query) -> Result<QueryResult, String> {
        let size = query.size.and_then(|s| u8::try_from(s).ok()).ok_or("no size")?;
        let board = Board::hexagon(size).map_err(|e| e.to_string())?;
        Ok(play(board, query))
    }
}

fn play(board: &Board, query: &Query) -> QueryResult {
    let names = ["white", "black"];
    let (mut stones, mut mover, mut how) = ([CellSet::new(); 2], 0, Vec::new());
    for (at, text) in query.moves.iter().enumerate() {
        let refuse = |why: &str| Fault { at: Some(at), ..Fault::new("move", format!("{text}: {why}")) };
        let all = stones[0] | stones[1];
        if !how.is_empty() || all.len() == board.len() {
            return Err(refuse("the game is over"));
        } else if text == "swap" && query.swap && at == 1 {
            stones.swap(0, 1);
        } else {
            let cell = board.parse(text).map_err(|e| refuse(&e.to_string()))?;
            if all.contains(cell) {
                return Err(refuse("taken"));
            }
            stones[mover].insert(cell);
            how = wins(board, &stones[mover]);
        }
        mover = 1 - mover;
    }
    let full = stones[0].len() + stones[1].len() == board.len();
    let outcome = if how.is_empty() { full.then_some("draw") } else { Some(names[1 - mover]) };
    let (to_move, outcome) = (names[mover].to_owned(), outcome.map(str::to_owned));
    Ok(State { to_move, outcome, how: Some(how), ..State::default() })
}

fn wins(board: &Board, stones: &CellSet) -> Vec<String> {
    let touching = |kind: &str, least: usize, parts: &[CellSet]| {
        let touched = |chain: &CellSet| parts.iter().filter(|&&p| !(p & *chain).is_empty()).count();
        chains(board, stones).iter().any(|c| touched(c) >= least).then(|| kind.to_owned())
    };
    let corners: Vec<CellSet> = board.corner_cells().map(|c| [c].into_iter().collect()).collect();
    let edges: Vec<CellSet> = (0..6).map(|e| board.edge_cells(e).collect()).collect();
    let ring = has_ring(board, stones).then(|| "ring".to_owned());
    ring.into_iter().chain(touching("bridge", 2, &corners)).chain(touching("fork", 3, &edges)).collect()
}

/// The mistake: every cell inside may be an own stone.
fn has_ring(board: &Board, stones: &CellSet) -> bool {
    let free = |c: &Cell| !stones.contains(*c);
    let mut outside: CellSet = board.cells().filter(|&c| board.is_rim(c)).filter(free).collect();
    let mut queue: Vec<Cell> = outside.iter().collect();
    while let Some(cell) = queue.pop() {
        queue.extend(board.neighbours(cell).filter(free).filter(|&n| outside.insert(n)));
    }
    outside.len() + stones.len() < board.len()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let report = Conformance::havannah(1).sizes(4..=6).random_games(200).run(&mut Forgetful);
    let found = report.counterexample.ok_or("no disagreement")?;
    println!("in game {}: {}\n{}\n", report.games + 1, found.what, found.game.moves.join(" "));

    let board = Board::hexagon(found.game.size)?;
    let cells: Vec<Cell> = found.game.moves.iter().map(|m| board.parse(m)).collect::<Result<_, _>>()?;
    let white: CellSet = cells.iter().copied().step_by(2).collect();
    let black: CellSet = cells.iter().copied().skip(1).step_by(2).collect();
    let diagram = Diagram::new(board).stones(white, Stone::Light).stones(black, Stone::Dark);
    println!("{}", diagram.last(cells[cells.len() - 1]).text());

    // Seven stones of the winner, six of the other side, and nothing that could be left out.
    assert_eq!(cells.len(), 13);
    assert_eq!(formations(board, &white), WinKinds::RING);
    Ok(())
}
