//! Positions from outside with a past: what can be read can be written and read again, along every game from it.

use rand_xoshiro::{
    Xoshiro256PlusPlus,
    rand_core::{RngCore, SeedableRng},
};
use stonework_board::{Cell, Diagonal, Heading};
use stonework_cover::{Move, Options, Position, Repetition, Setup};
use stonework_game::{Game, Keyed, Player, Textual};

fn below(rng: &mut Xoshiro256PlusPlus, n: usize) -> usize {
    rng.next_u32() as usize % n
}

/// Stones anywhere, and moves of some of them that may have led there.
fn setup(rng: &mut Xoshiro256PlusPlus) -> Setup {
    let size = 1 + below(rng, 4) as u8;
    let lattice = Diagonal::of(size).unwrap();
    let cells: Vec<Cell> = lattice.cells().collect();
    let repetition = Repetition::ALL[below(rng, 5)];
    let options = Options { repetition, voluntary_shots: below(rng, 3) == 0 };
    let mut setup = Setup { options, to_move: Player::BOTH[below(rng, 2)], ..Setup::new(size) };
    for player in Player::BOTH {
        for _ in 0..=below(rng, usize::from(size)) {
            setup.stones[player].insert(cells[below(rng, cells.len())]);
        }
    }
    // From the last move back to the first; now and then a stone goes back to where it has come from.
    let (mut stones, mut player) = (setup.stones, setup.to_move);
    for _ in 0..below(rng, 5) {
        player = player.other();
        let own: Vec<Cell> = stones[player].iter().collect();
        let back = setup.history.iter().rev().nth(1).map(|mv| mv.from).filter(|_| below(rng, 2) == 0);
        let to = own[below(rng, own.len())];
        let from = Heading::ALL.iter().filter_map(|&heading| lattice.neighbour(to, heading));
        let from: Vec<Cell> = from.filter(|&from| back.is_none_or(|back| back == from)).collect();
        let Some(&from) = from.get(below(rng, from.len().max(1))) else { break };
        stones[player].remove(to);
        stones[player].insert(from);
        setup.history.push(Move::new(from, lattice.heading(from, to).unwrap()));
    }
    setup.history.reverse();
    setup
}

fn is_read_again(position: &Position) {
    let text = position.position_text();
    let again = Position::parse_position(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(
        (&again, again.key(), again.outcome()),
        (position, position.key(), position.outcome()),
        "{text}"
    );
    assert_eq!(again.position_text(), text);
}

#[test]
fn every_position_that_is_read_is_written_and_read_along_every_game_from_it() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut read, mut with_past) = (0, 0);
    for _ in 0..20_000 {
        let setup = setup(&mut rng);
        let Ok(mut position) = setup.position() else { continue };
        read += 1;
        with_past += usize::from(setup.history.len() > 2);
        is_read_again(&position);
        for _ in 0..8 {
            let moves = position.moves();
            for &mv in &moves {
                let undo = position.play(mv).unwrap();
                is_read_again(&position);
                position.undo(undo);
            }
            let Some(&mv) = moves.get(below(&mut rng, moves.len().max(1))) else { break };
            position.play(mv).unwrap();
        }
    }
    assert!(read > 2000 && with_past > 300, "{read} {with_past}");
}

#[test]
fn stones_that_overlap_between_two_moves_of_the_history_are_refused() {
    let text = "4 r four-moves [G07,H04]x[D10,E07,I02] G07-F07,F08-E07,F07-G07";
    let error = Position::parse_position(text).unwrap_err().to_string();
    assert!(error.contains("before move 3 of the history: stones on F07 and E07 overlap"), "{error}");
    // What follows would be written with the last moves alone.
    let last = text.replace("G07-F07,F08-E07,", "");
    let error = Position::parse_position(&last).unwrap_err().to_string();
    assert!(error.contains("before the history: stones on F07 and E07 overlap"), "{error}");
}
