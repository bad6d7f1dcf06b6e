//! The shipped patterns on games of Havannah.

mod common;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use common::{below, rng};
use stonework_board::{Board, Cell};
use stonework_game::{Game, Player, Textual};
use stonework_havannah::{Move, PlayoutBoard, Position};
use stonework_pattern::{Code, Patterns, Reach, State, havannah};

fn code(position: &Position, last: Cell) -> Code {
    let to_move = position.to_move();
    Code::at(position.board(), last, Reach::Eighteen, |cell| match position.stone(cell) {
        None => State::Empty,
        Some(player) if player == to_move => State::Other,
        Some(_) => State::Mover,
    })
}

/// The answer of the shipped patterns to the last of some moves: the name of the pattern and the cells.
fn answer(size: u8, moves: &str) -> Option<(String, Vec<String>)> {
    let mut position = Position::new(size).unwrap();
    let mut last = None;
    for name in moves.split(' ') {
        let mv = position.parse_move(name).unwrap();
        position.play(mv).unwrap();
        last = Some(mv);
    }
    let Some(Move::Place(last)) = last else { panic!("no stone") };
    let board = position.board();
    let answer = havannah().find(code(&position, last))?;
    let cells = answer.cells_on(board, last).map(|cell| board.name(cell)).collect();
    Some((havannah().list()[answer.pattern].title(), cells))
}

fn told(name: &str, cells: &[&str]) -> (String, Vec<String>) {
    (name.to_owned(), cells.iter().map(|&cell| cell.to_owned()).collect())
}

#[test]
fn an_intrusion_into_a_bridge_is_answered_in_its_other_cell() {
    assert_eq!(answer(5, "d4 a1 e6 d5"), Some(told("bridge", &["e5"])));
    assert_eq!(answer(5, "d4 a1 e6 e5"), Some(told("bridge", &["d5"])));
    // Several bridges at once: the answer has one cell for each.
    assert_eq!(answer(5, "e4 a1 d5 e5"), Some(told("bridge", &["d4"])));
    assert_eq!(answer(5, "e4 a1 d5 a2 f6 e5"), Some(told("bridge", &["d4", "e6", "f5"])));
    // The other cell is taken already: there is no answer.
    assert_eq!(answer(5, "d4 e5 e6 d5"), None);
    // Black keeps its own bridges, and ignores a bridge that white fills itself.
    assert_eq!(answer(5, "a1 d4 a2 e6 d5"), Some(told("bridge", &["e5"])));
    assert_eq!(answer(5, "d4 a1 e6 a2 d5"), None);
}

#[test]
fn an_intrusion_into_a_link_to_the_edge_is_answered_in_the_other_cell() {
    // a3 and a2 link b3 to the upper edge.
    assert_eq!(answer(5, "b3 e5 i7 a3"), Some(told("edge", &["a2"])));
    assert_eq!(answer(5, "b3 e5 i7 a2"), Some(told("edge", &["a3"])));
    // The links to the other edges have the same answers.
    let board = Board::hexagon(5).unwrap();
    for edge in 0..6 {
        let on_edge: Vec<Cell> = board.edge_cells(edge).collect();
        assert_eq!(on_edge.len(), 3);
        let next = board.neighbours(on_edge[1]).filter(|c| board.edge_mask(*c) & 1 << edge == 0);
        let inner: Vec<Cell> = next.filter(|&c| !board.is_rim(c)).collect();
        for stone in inner {
            let links: Vec<Cell> =
                board.neighbours(stone).filter(|&c| board.edge_mask(c) >> edge & 1 != 0).collect();
            assert_eq!(links.len(), 2);
            for (intruded, other) in [(links[0], links[1]), (links[1], links[0])] {
                let name = |cell| board.name(cell);
                let moves = format!("{} e5 f5 {}", name(stone), name(intruded));
                assert_eq!(answer(5, &moves), Some(told("edge", &[&name(other)])), "{moves}");
            }
        }
    }
    // b2 has one link to the upper edge, a2; the corner a1 is not part of the edge.
    assert_eq!(answer(5, "b2 e5 i7 a2"), None);
    // The stones have another way to the edge: b4 has the links a3 and a4.
    assert_eq!(answer(6, "b3 f6 b4 a3"), None);
    assert_eq!(answer(6, "b3 f6 b4 a2"), None);
    // The other way is cut already.
    assert_eq!(answer(6, "b3 a4 b4 a2"), Some(told("edge", &["a3"])));
    assert_eq!(answer(6, "b4 a2 b3 a4"), Some(told("edge", &["a3"])));
}

/// `true` if stones of a player and the cell `given` join a cell with the goal.
fn joined(position: &Position, player: Player, from: Cell, goal: impl Fn(Cell) -> bool, given: Cell) -> bool {
    let board = position.board();
    let own = |cell: Cell| cell == given || position.stone(cell) == Some(player);
    let (mut open, mut seen) = (vec![from], BTreeSet::from([from]));
    while let Some(cell) = open.pop() {
        if goal(cell) {
            return true;
        }
        open.extend(board.neighbours(cell).filter(|&n| own(n) && seen.insert(n)));
    }
    false
}

#[test]
fn every_answer_in_random_games_joins_what_it_is_to_join() {
    let mut rng = rng(1);
    let mut found = [0, 0];
    for round in 0..400_u16 {
        let mut position = Position::new(4 + (round % 5) as u8).unwrap();
        while position.outcome().is_none() {
            let empty: Vec<Cell> = position.empty_cells().collect();
            let last = empty[below(empty.len(), &mut rng)];
            position.play(Move::Place(last)).unwrap();
            let Some(answer) = havannah().find(code(&position, last)) else { continue };
            let (board, me) = (position.board(), position.to_move());
            for cell in answer.cells_on(board, last) {
                assert_eq!(position.stone(cell), None);
                // Two own stones beside both cells; or one own stone, and both cells on an edge.
                let beside = |c: Cell| board.neighbours(c).any(|n| n == last);
                let ends: Vec<Cell> =
                    board.neighbours(cell).filter(|&n| position.stone(n) == Some(me) && beside(n)).collect();
                if havannah().list()[answer.pattern].name() == Some("bridge") {
                    assert_eq!(ends.len(), 2);
                    assert!(joined(&position, me, ends[0], |c| c == ends[1], cell));
                    found[0] += 1;
                } else {
                    let edge = board.edge_mask(cell) & board.edge_mask(last);
                    assert_eq!(edge.count_ones(), 1);
                    assert!(joined(&position, me, ends[0], |c| board.edge_mask(c) & edge != 0, cell));
                    found[1] += 1;
                }
            }
        }
    }
    assert!(found[0] > 1000 && found[1] > 200, "{found:?}");
}

#[test]
fn the_playout_board_shows_the_same_surroundings() {
    let mut rng = rng(2);
    for size in [3, 8, 10, 14] {
        let (mut board, mut position) = (PlayoutBoard::new(size).unwrap(), Position::new(size).unwrap());
        while board.outcome().is_none() {
            let mover = board.to_move();
            let (last, _) = board.step(&mut rng);
            position.play(Move::Place(last)).unwrap();
            let stones = board.around(last);
            let outside = board.board().outside(last);
            let fast = Code::new(Reach::Eighteen, stones[mover], stones[mover.other()], outside);
            assert_eq!(fast, code(&position, last));
        }
    }
}

#[test]
fn many_patterns_are_compiled() {
    let mut text = String::new();
    let mut rng = rng(3);
    let mut seen = BTreeSet::new();
    while seen.len() < 10_000 {
        let planes = [below(1 << 18, &mut rng) as u32 & !1, below(1 << 18, &mut rng) as u32 & !1];
        let code = Code::new(Reach::Eighteen, planes[0] & !planes[1], planes[1] & !planes[0], 0);
        let first = stonework_board::Symmetry::ALL.map(|s| code.image(s).to_string()).into_iter().min();
        if seen.insert(first) {
            writeln!(text, "{{\"{code}\", \"o.....\", 4}}").unwrap();
        }
    }
    let patterns = Patterns::compile(&text).unwrap();
    assert_eq!(patterns.list().len(), 10_000);
    for pattern in patterns.list() {
        let code = pattern.cells().example().unwrap();
        let number = patterns.find(code).unwrap().pattern;
        assert_eq!(patterns.list()[number].cells(), pattern.cells());
    }
}
