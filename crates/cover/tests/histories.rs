//! Setups with a history: the text of an accepted position is read as the same position, and so is the text of each position of a
//! game that begins there.

use rand_xoshiro::{
    Xoshiro256PlusPlus,
    rand_core::{RngCore, SeedableRng},
};
use stonework_board::{Cell, Diagonal, Heading};
use stonework_cover::{Move, Options, Position, Repetition, Setup};
use stonework_game::{Game, Keyed, Player, Textual};

/// A random number less than `n`.
fn below(rng: &mut Xoshiro256PlusPlus, n: usize) -> usize {
    rng.next_u32() as usize % n
}

/// A random setup: stones on random locations, and a history of random steps to these locations. The setup may be refused.
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
    // The history is made from its last move to its first. About half of the moves are taken back by the next move of the same
    // side: such a move begins where the next move ends, and ends where it begins.
    let (mut stones, mut player) = (setup.stones, setup.to_move);
    for _ in 0..below(rng, 5) {
        player = player.other();
        let own: Vec<Cell> = stones[player].iter().collect();
        let next = setup.history.iter().rev().nth(1).filter(|_| below(rng, 2) == 0);
        let back = next.and_then(|next| Some((lattice.neighbour(next.from, next.heading)?, next.from)));
        let (from, to) = if let Some(step) = back {
            step
        } else {
            let to = own[below(rng, own.len())];
            let from = Heading::ALL.iter().filter_map(|&heading| lattice.neighbour(to, heading));
            let from: Vec<Cell> = from.collect();
            let Some(&from) = from.get(below(rng, from.len().max(1))) else { break };
            (from, to)
        };
        stones[player].remove(to);
        stones[player].insert(from);
        let mv = Move::new(from, lattice.heading(from, to).unwrap());
        setup.history.push(if below(rng, 4) == 0 { mv.holding() } else { mv });
    }
    setup.history.reverse();
    setup
}

/// Checks that the text of a position is read as the same position.
fn check_text(position: &Position) {
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
fn texts_of_positions_with_a_history_are_read_as_the_same_positions() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut accepted, mut with_history) = (0, 0);
    for _ in 0..20_000 {
        let setup = setup(&mut rng);
        let Ok(mut position) = setup.position() else { continue };
        accepted += 1;
        with_history += usize::from(setup.history.len() > 2);
        check_text(&position);
        for _ in 0..8 {
            let moves = position.moves();
            for &mv in &moves {
                let undo = position.play(mv).unwrap();
                check_text(&position);
                position.undo(undo);
            }
            let Some(&mv) = moves.get(below(&mut rng, moves.len().max(1))) else { break };
            position.play(mv).unwrap();
        }
    }
    assert!(accepted > 2000 && with_history > 300, "{accepted} {with_history}");
}

#[test]
fn stones_that_overlap_between_two_moves_of_the_history_are_refused() {
    let text = "4 r four-moves [G07,H04]x[D10,E07,I02] G07-F07,F08-E07,F07-G07";
    let error = Position::parse_position(text).unwrap_err().to_string();
    assert!(error.contains("before move 3 of the history: stones on F07 and E07 overlap"), "{error}");
    // A text that has only the last move of this history is refused, too.
    let last = text.replace("G07-F07,F08-E07,", "");
    let error = Position::parse_position(&last).unwrap_err().to_string();
    assert!(error.contains("before the history: stones on F07 and E07 overlap"), "{error}");
}
