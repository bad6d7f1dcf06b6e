//! The claims about random positions, compared with all fillings, all games and df-pn.

use stonework_board::{Cell, CellSet};
use stonework_game::{Game, Outcome, Player, Rng, Textual, rng};
use stonework_havannah::{Move, Position, Setup};
use stonework_havannah_analysis::InferiorCells;
use stonework_search::{Dfpn, DfpnOptions, Engine, Limits};

use crate::judge::{Fillings, Judge};
use crate::positions::{played, scattered};

/// The numbers of claims and of true facts. The judge stops at the first claim that is wrong.
#[derive(Default, Debug)]
pub(crate) struct Tally {
    positions: u64,
    empty: u64,
    /// The cells without use for one side: by the rules, and by all fillings.
    no_use: [u64; 2],
    /// The dead cells: by the rules, and by all fillings.
    dead: [u64; 2],
    /// The captured and dominated cells of the positions whose games were all played.
    captured: u64,
    dominated: u64,
    /// The values of positions that were compared.
    values: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Self) {
        let pairs = [
            (&mut self.positions, other.positions),
            (&mut self.empty, other.empty),
            (&mut self.captured, other.captured),
            (&mut self.dominated, other.dominated),
            (&mut self.values, other.values),
        ];
        for (sum, more) in pairs {
            *sum += more;
        }
        for i in 0..2 {
            self.no_use[i] += other.no_use[i];
            self.dead[i] += other.dead[i];
        }
    }

    /// The number of dead, captured and dominated cells that were compared.
    pub(crate) const fn inferior(&self) -> u64 {
        self.dead[0] + self.captured + self.dominated
    }

    /// Compares the claims with all fillings, and, if `games`, with all games.
    pub(crate) fn check(&mut self, judge: &Judge, position: &Position, games: bool) {
        let inferior = InferiorCells::of(position).unwrap();
        let mut fillings = Fillings::of(judge, position);
        let empty: CellSet = position.empty_cells().collect();
        let text = position.position_text();
        let mut dead = empty;
        for player in Player::BOTH {
            let useful = fillings.useful(player);
            let no_use = inferior.no_use(player);
            assert!(no_use.is_subset(&(empty - useful)), "{text}: {player:?} has use for one of {no_use:?}");
            self.no_use[0] += no_use.len() as u64;
            self.no_use[1] += (empty - useful).len() as u64;
            dead -= useful;
        }
        let captured = Player::BOTH.map(|player| inferior.captured(player));
        assert_eq!(
            inferior.dead() | captured[0] | captured[1] | inferior.dominated() | inferior.others(),
            empty
        );
        assert!(captured.iter().all(|set| set.is_disjoint(&inferior.dead())));
        self.positions += 1;
        self.empty += empty.len() as u64;
        self.dead[0] += inferior.dead().len() as u64;
        self.dead[1] += dead.len() as u64;
        if games {
            self.captured += captured.iter().map(|set| set.len() as u64).sum::<u64>();
            self.dominated += inferior.dominated().len() as u64;
            self.compare_values(&inferior, &mut fillings, &text);
        }
    }

    fn compare_values(&mut self, inferior: &InferiorCells, fillings: &mut Fillings, text: &str) {
        let dead: Vec<Cell> = inferior.dead().iter().collect();
        let [white, black] = Player::BOTH.map(|player| inferior.captured(player).iter().collect::<Vec<_>>());
        let [white_dead, black_dead] = [[&white[..], &dead].concat(), [&black[..], &dead].concat()];
        for mover in Player::BOTH {
            let value = fillings.value(&[], &[], mover);
            let mut same = |first: &[Cell], second: &[Cell]| {
                let with = fillings.value(first, second, mover);
                assert_eq!(with, value, "{text}: {mover:?} to move, with {first:?} and {second:?}");
                self.values += 1;
            };
            for cell in &dead {
                same(&[*cell], &[]);
                same(&[], &[*cell]);
            }
            same(&white, &[]);
            same(&[], &black);
            same(&white_dead, &black);
            same(&white, &black_dead);
        }
        let mover = inferior.player();
        let mut after = |cell: Cell| match mover {
            Player::First => fillings.value(&[cell], &[], mover.other()),
            Player::Second => -fillings.value(&[], &[cell], mover.other()),
        };
        for cell in &inferior.dominated() {
            let by = inferior.dominator(cell).unwrap();
            assert!(inferior.others().contains(by), "{text}: {by:?} dominates and is inferior");
            assert!(after(by) >= after(cell), "{text}: {by:?} does not dominate {cell:?}");
            self.values += 1;
        }
        let sign = if mover == Player::First { 1 } else { -1 };
        let best = inferior.others().iter().map(after).max().unwrap_or(0);
        assert_eq!(best, sign * fillings.value(&[], &[], mover), "{text}: no best move is left");
        self.values += 1;
    }
}

type Make = fn(u8, usize, &mut Rng) -> Option<Position>;

/// The tally of both kinds of random positions, with 1 to 12 empty cells; all games up to ten.
fn tally(size: u8, positions: usize, seed: u64) -> Tally {
    let judge = Judge::new(size);
    let mut rng = rng(seed);
    let mut tally = Tally::default();
    for make in [played as Make, scattered] {
        for empty in 1..=12 {
            let mut left = positions;
            // Few random games of size 3 last so long.
            for _ in 0..200 * positions {
                if left == 0 {
                    break;
                }
                if let Some(position) = make(size, empty, &mut rng) {
                    tally.check(&judge, &position, empty <= 10);
                    left -= 1;
                }
            }
        }
    }
    tally
}

#[test]
fn inferior_cells_are_what_all_fillings_and_all_games_say() {
    for size in 3..=5 {
        let tally = tally(size, 40, 1);
        assert!(tally.inferior() > 250, "{tally:?}");
        // The rules find at least two fifths of all dead cells.
        assert!(5 * tally.dead[0] > 2 * tally.dead[1], "{tally:?}");
    }
}

#[test]
fn every_position_of_size_2() {
    let judge = Judge::new(2);
    let cells: Vec<Cell> = Position::new(2).unwrap().board().cells().collect();
    let mut tally = Tally::default();
    for number in 0..3_usize.pow(7) {
        let mut setup = Setup::new(2);
        for (i, &cell) in cells.iter().enumerate() {
            match number / 3_usize.pow(i as u32) % 3 {
                0 => {}
                1 => drop(setup.stones.first.insert(cell)),
                _ => drop(setup.stones.second.insert(cell)),
            }
        }
        for mover in Player::BOTH {
            setup.to_move = mover;
            if let Ok(position) = setup.position()
                && position.outcome().is_none()
            {
                tally.check(&judge, &position, true);
            }
        }
    }
    assert!(tally.positions > 300, "{tally:?}");
}

#[test]
#[ignore = "three minutes: STONEWORK_INFERIOR=3000 cargo test --release -p stonework-havannah-analysis --test inferior -- --ignored tally::long_run --exact --nocapture (docs/lab/inferior.md)"]
fn long_run() {
    let positions = std::env::var("STONEWORK_INFERIOR").map_or(2000, |number| number.parse().unwrap());
    let mut all = Tally::default();
    for size in 3..=5 {
        let start = std::time::Instant::now();
        let tally = tally(size, positions, 2);
        println!("size {size}: {tally:?}, {} inferior, {:?}", tally.inferior(), start.elapsed());
        all.add(&tally);
    }
    println!("all: {all:?}, {} inferior, 0 wrong", all.inferior());
}

/// The outcome of a position by df-pn.
fn solved(position: &Position) -> Outcome {
    if let Some(outcome) = position.outcome() {
        return outcome;
    }
    let mut dfpn = Dfpn::new(DfpnOptions::default()).unwrap();
    dfpn.think(position, &Limits::none()).proven.unwrap()
}

/// The position with more stones of a player and the same side to move.
fn with(position: &Position, player: Player, cells: &CellSet) -> Position {
    let mut setup = position.setup();
    setup.stones[player] |= *cells;
    setup.position().unwrap()
}

/// Compares the claims about a position with df-pn. Returns the number of inferior cells.
fn check_by_dfpn(position: &Position) -> usize {
    let inferior = InferiorCells::of(position).unwrap();
    let text = position.position_text();
    let value = solved(position);
    let mut checked = 0;
    for cell in &inferior.dead() {
        for player in Player::BOTH {
            assert_eq!(
                solved(&with(position, player, &[cell].into_iter().collect())),
                value,
                "{text} {cell:?}"
            );
        }
        checked += 1;
    }
    for player in Player::BOTH {
        let captured = inferior.captured(player);
        if !captured.is_empty() {
            assert_eq!(solved(&with(position, player, &captured)), value, "{text} {captured:?}");
            checked += captured.len();
        }
    }
    let rank = |cell: Cell| {
        let mut after = position.clone();
        after.play(Move::Place(cell)).unwrap();
        solved(&after).value_for(position.to_move())
    };
    for cell in &inferior.dominated() {
        assert!(rank(inferior.dominator(cell).unwrap()) >= rank(cell), "{text} {cell:?}");
        checked += 1;
    }
    checked
}

/// Positions of size 3 with at most 15 and of size 4 with at most 18 empty cells.
fn tally_by_dfpn(cells: usize, seed: u64) -> usize {
    let mut rng = rng(seed);
    let (mut checked, mut positions) = (0, 0);
    while checked < cells {
        for (size, empty) in [(3, 9), (3, 12), (3, 15), (4, 12), (4, 15), (4, 18)] {
            for make in [played as Make, scattered] {
                if let Some(position) = make(size, empty, &mut rng) {
                    positions += 1;
                    checked += check_by_dfpn(&position);
                }
            }
        }
    }
    println!("{checked} cells of {positions} positions");
    checked
}

#[test]
fn inferior_cells_are_what_a_solver_says() {
    assert!(tally_by_dfpn(100, 3) >= 100);
}

#[test]
#[ignore = "a minute: STONEWORK_INFERIOR=20000 cargo test --release -p stonework-havannah-analysis --test inferior -- --ignored long_run_of_the_solver --nocapture (docs/lab/inferior.md)"]
fn long_run_of_the_solver() {
    let cells = std::env::var("STONEWORK_INFERIOR").map_or(2000, |number| number.parse().unwrap());
    tally_by_dfpn(cells, 4);
}
