//! Nim and noughts and crosses, compared with plain minimax.

use std::collections::{BTreeSet, HashMap};

use crate::graph::{go_on, solve_all_ways};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use stonework_endgame::example::Heaps;
use stonework_endgame::{Options, StateSpace, Value, laws, verify};
use stonework_game::example::Nim;
use stonework_game::{Game, Outcome, Player};

/// Plain minimax: 1000 less the distance for a win.
fn minimax<G: Game>(game: &G) -> i32 {
    if let Some(outcome) = game.outcome() {
        return 1000 * outcome.value_for(game.to_move());
    }
    let moves = game.moves();
    let score = |mv| {
        let mut next = game.clone();
        next.play_unchecked(mv);
        let score = minimax(&next);
        let score = if next.to_move() == game.to_move() { score } else { -score };
        score - score.signum()
    };
    moves.into_iter().map(score).max().unwrap()
}

fn score(value: Value) -> i32 {
    match value {
        Value::Win(plies) => 1000 - i32::from(plies),
        Value::Draw => 0,
        Value::Loss(plies) => i32::from(plies) - 1000,
    }
}

#[test]
fn heaps_of_nim_equal_minimax() {
    let table = solve_all_ways(&Heaps(20)).unwrap().table;
    for left in 1..=20 {
        let nim = Nim::new(left);
        assert_eq!(score(table.probe(&Heaps(20), &nim).unwrap()), minimax(&nim), "{left}");
    }
    assert_eq!(table.probe(&Heaps(20), &Nim::new(0)), Some(Value::Loss(0)));
    assert_eq!(table.probe(&Heaps(20), &Nim::new(21)), None);
}

/// Noughts and crosses: each side's cells as bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Noughts {
    cells: [u16; 2],
}

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

#[derive(Debug)]
struct Taken(u8);

impl std::fmt::Display for Taken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cell {} is taken, or the game is over", self.0)
    }
}

impl std::error::Error for Taken {}

impl Game for Noughts {
    type Move = u8;
    type Undo = u8;
    type Illegal = Taken;

    fn to_move(&self) -> Player {
        Player::BOTH[(self.cells[0] | self.cells[1]).count_ones() as usize % 2]
    }

    fn outcome(&self) -> Option<Outcome> {
        for player in Player::BOTH {
            if LINES.iter().any(|line| self.cells[player.index()] & line == *line) {
                return Some(Outcome::Win(player));
            }
        }
        (self.cells[0] | self.cells[1] == 0o777).then_some(Outcome::Draw)
    }

    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        out.extend((0..9).filter(|&cell| self.check(cell).is_ok()));
    }

    fn check(&self, cell: u8) -> Result<(), Taken> {
        let open = cell < 9 && ((self.cells[0] | self.cells[1]) >> cell) & 1 == 0;
        if open && self.outcome().is_none() { Ok(()) } else { Err(Taken(cell)) }
    }

    fn play_unchecked(&mut self, cell: u8) -> u8 {
        self.cells[self.to_move().index()] |= 1 << cell;
        cell
    }

    fn undo(&mut self, cell: u8) {
        self.cells = self.cells.map(|cells| cells & !(1 << cell));
    }
}

/// The states that play can reach, in their order, with or without the states that are over.
struct Reachable {
    states: Vec<Noughts>,
    ranks: HashMap<Noughts, u64>,
}

impl Reachable {
    fn new(ends: bool) -> Self {
        let start = Noughts { cells: [0; 2] };
        let (mut found, mut open) = (BTreeSet::from([start]), vec![start]);
        while let Some(state) = open.pop() {
            let moves = state.moves();
            for mv in moves {
                let mut next = state;
                next.play_unchecked(mv);
                if found.insert(next) {
                    open.push(next);
                }
            }
        }
        let states: Vec<_> = found.into_iter().filter(|state| ends || state.outcome().is_none()).collect();
        let ranks = states.iter().copied().zip(0..).collect();
        Self { states, ranks }
    }
}

impl StateSpace for Reachable {
    type State = Noughts;

    fn len(&self) -> u64 {
        self.states.len() as u64
    }

    fn rank(&self, state: &Noughts) -> Option<u64> {
        self.ranks.get(state).copied()
    }

    fn unrank(&self, rank: u64) -> Option<Noughts> {
        self.states.get(usize::try_from(rank).ok()?).copied()
    }
}

#[test]
fn noughts_and_crosses_equals_minimax() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    stonework_game::laws::game(&Noughts { cells: [0; 2] }, 1, 20).unwrap();
    for (ends, count) in [(true, 5478), (false, 4520)] {
        let space = Reachable::new(ends);
        assert_eq!(space.len(), count);
        laws(&space, &mut rng, 10_000).unwrap();
        let table = solve_all_ways(&space).unwrap().table;
        verify(&space, &table, &Options::default(), &mut go_on).unwrap();
        assert_eq!(table.probe(&space, &Noughts { cells: [0; 2] }), Some(Value::Draw));
        for state in space.states.iter().filter(|state| (state.cells[0] | state.cells[1]) != 0) {
            assert_eq!(score(table.probe(&space, state).unwrap()), minimax(state), "{state:?}");
        }
        let found = table.statistics();
        let ended = if ends { 958 } else { 0 };
        let (sum, holes) = (found.won + found.lost + found.drawn, found.holes);
        assert_eq!((sum, holes), (4520 + ended, 0));
    }
}
