//! Cover's tables against tables that share nothing with them: the slow judge's moves, states that are the
//! last four boards, and the plainest way to find values.

use std::collections::HashMap;
use std::ops::ControlFlow;

use stonework_cover::{Move, Options, Repetition, Setup};
use stonework_cover_players::Space;
use stonework_endgame::{Options as Means, Value, solve};
use stonework_game::{Game, Player};
use stonework_oracle::{CoverBoard, CoverJudge};

/// The part of a game that the rule of repetition looks back on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    size: u8,
    /// The side that made the first of the moves.
    first: Player,
    /// The board before the moves.
    board: CoverBoard,
    moves: Vec<Move>,
}

/// The number of moves that the rule looks back on from the board before the next move; none before a shot.
fn past(options: Options) -> usize {
    if options.repetition == Repetition::None { 0 } else { 3 }
}

impl State {
    /// The boards from the first to the present one. Two ways of moving to the same boards are the same state.
    fn judge(&self, options: Options) -> (CoverJudge, Vec<CoverBoard>) {
        let mut judge = CoverJudge::from_board(self.size, options, self.board.clone(), self.first).unwrap();
        let mut boards = vec![judge.board().clone()];
        for &mv in &self.moves {
            judge.play(mv).unwrap();
            boards.push(judge.board().clone());
        }
        (judge, boards)
    }
}

/// The result of a state's move: a state, or the end of the game, which the mover has won or not.
enum Next {
    State(usize),
    Over(bool),
}

/// All states that play leads to from `starts`, and their values: 1000 less the plies for the side to move, by looking
/// one ply further until that changes nothing.
fn judged(size: u8, options: Options, starts: Vec<State>) -> Vec<(State, i32)> {
    let mut numbers: HashMap<(Player, Vec<CoverBoard>), usize> = HashMap::new();
    let (mut states, mut next): (Vec<State>, Vec<Vec<Next>>) = (Vec::new(), Vec::new());
    let mut number = |state: State, states: &mut Vec<State>| {
        let (judge, boards) = state.judge(options);
        *numbers.entry((judge.to_move(), boards)).or_insert_with(|| {
            states.push(state);
            states.len() - 1
        })
    };
    for start in starts {
        number(start, &mut states);
    }
    while next.len() < states.len() {
        let state = states[next.len()].clone();
        let (judge, boards) = state.judge(options);
        let (mover, mut moves, mut found) = (judge.to_move(), Vec::new(), Vec::new());
        judge.legal_moves(&mut moves);
        for mv in moves {
            let mut after = judge.clone();
            after.play(mv).unwrap();
            if let Some(outcome) = after.outcome() {
                found.push(Next::Over(outcome.winner() == Some(mover)));
                continue;
            }
            let shot = after.board().len() < judge.board().len();
            let mut moves: Vec<Move> = state.moves.iter().copied().chain([mv]).collect();
            let kept = if shot { 0 } else { moves.len().min(past(options)) };
            let before = moves.len() - kept;
            let board = boards.get(before).unwrap_or(after.board()).clone();
            moves.drain(..before);
            let first = if kept % 2 == 0 { after.to_move() } else { after.to_move().other() };
            found.push(Next::State(number(State { size, first, board, moves }, &mut states)));
        }
        next.push(found);
    }
    let mut values = vec![0_i32; states.len()];
    loop {
        let told = |next: &Next| match *next {
            Next::Over(won) => {
                if won {
                    999
                } else {
                    -999
                }
            }
            Next::State(to) => -values[to] + values[to].signum(),
        };
        let better: Vec<i32> = next.iter().map(|next| next.iter().map(told).max().unwrap()).collect();
        if better == values {
            return states.into_iter().zip(values).collect();
        }
        values = better;
    }
}

/// Asserts that every state of the judge has its value in the table; the numbers of all states, of the won and of the
/// lost.
fn same(size: u8, stones: (usize, usize), options: Options) -> (usize, usize, usize) {
    let space = Space::new(size, stones, options).unwrap();
    let table = solve(&space, &Means::default(), &mut |_| ControlFlow::Continue(())).unwrap().table;
    let mut starts = Vec::new();
    for (more, fewer) in [stones, (stones.1, stones.0)] {
        for (position, _) in space.positions(more, fewer).filter(|(position, _)| position.outcome().is_none())
        {
            let place = |cell| {
                let (a, b) = position.lattice().coordinates(cell);
                (i32::from(a), i32::from(b))
            };
            let stones = |player| position.stones(player).map(move |cell| (player, place(cell)));
            let mut board: CoverBoard = Player::BOTH.into_iter().flat_map(stones).collect();
            board.sort_unstable();
            starts.push(State { size, first: Player::First, board, moves: Vec::new() });
        }
    }
    let states = judged(size, options, starts);
    let (mut won, mut lost) = (0, 0);
    for (state, value) in &states {
        let (judge, _) = state.judge(options);
        let mut setup = Setup { options, to_move: judge.to_move(), ..Setup::new(size) };
        for &(player, (a, b)) in judge.board() {
            let lattice = stonework_board::Diagonal::of(size).unwrap();
            setup.stones[player].insert(lattice.cell(a as u8, b as u8).unwrap());
        }
        setup.history.clone_from(&state.moves);
        let position = setup.position().unwrap();
        let expected = match value.signum() {
            1 => Value::Win((1000 - value) as u16),
            -1 => Value::Loss((1000 + value) as u16),
            _ => Value::Draw,
        };
        assert_eq!(table.probe(&space, &position), Some(expected), "{position:?}");
        won += usize::from(*value > 0);
        lost += usize::from(*value < 0);
    }
    println!("Cover-{size} {stones:?} {options:?}: {} states, {won} won, {lost} lost", states.len());
    (states.len(), won, lost)
}

fn options(repetition: Repetition) -> Options {
    Options { repetition, ..Options::default() }
}

#[test]
fn one_against_one_of_cover_1_is_the_judges() {
    let (states, won, lost) = same(1, (1, 1), options(Repetition::FourPlies));
    assert!(states > 10_000 && won > 1_000 && lost > 1_000);
}

#[test]
#[ignore = "minutes: cargo test --release -p stonework-cover-players --test judged -- --ignored --nocapture (docs/lab/tables.md)"]
fn more_of_cover_2_is_the_judges() {
    same(2, (1, 1), options(Repetition::FourPlies));
    let (_, won, lost) = same(2, (2, 2), options(Repetition::None));
    assert!(won > lost);
}
