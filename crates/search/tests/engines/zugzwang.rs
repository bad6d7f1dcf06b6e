//! Tests of null moves in zugzwang, with the verification of figure 18 of the Bos thesis.

use stonework_game::{Game, Keyed, Outcome, Player};
use stonework_search::{AlphaBeta, AlphaBetaOptions, Engine, Limits, NullMove};

/// A heap from which a move takes one or two stones; the player who takes the last stone wins. With a multiple of
/// three every move loses, and a pass would win.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Heap {
    left: u8,
    to_move: Player,
}

#[derive(Debug, thiserror::Error)]
#[error("{0} cannot be taken")]
struct CannotTake(u8);

impl Game for Heap {
    type Move = u8;
    type Undo = u8;
    type Illegal = CannotTake;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.left == 0).then_some(Outcome::Win(!self.to_move))
    }

    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        out.extend(1..=self.left.min(2));
    }

    fn check(&self, take: u8) -> Result<(), CannotTake> {
        (1..=self.left.min(2)).contains(&take).then_some(()).ok_or(CannotTake(take))
    }

    fn play_unchecked(&mut self, take: u8) -> u8 {
        (self.left, self.to_move) = (self.left - take, !self.to_move);
        take
    }

    fn undo(&mut self, take: u8) {
        (self.left, self.to_move) = (self.left + take, !self.to_move);
    }
}

impl Keyed for Heap {
    fn key(&self) -> u64 {
        u64::from(self.left) << 1 | self.to_move as u64
    }
}

#[derive(Clone)]
struct HandOver;

impl NullMove<Heap> for HandOver {
    type Undo = ();

    fn play_null(&mut self, game: &mut Heap) -> Option<()> {
        game.to_move = !game.to_move;
        Some(())
    }

    fn undo_null(&mut self, game: &mut Heap, (): ()) {
        game.to_move = !game.to_move;
    }
}

/// The theoretical value, as a heuristic value.
fn theory(game: &Heap) -> i32 {
    if game.left.is_multiple_of(3) { -100 } else { 100 }
}

#[test]
fn a_pass_that_only_looks_good_is_not_believed() {
    for left in 20..40 {
        let root = Heap { left, to_move: Player::First };
        // After a pass a lost side would appear to be the winner; only the verification refutes the value.
        let passed = Heap { left, to_move: Player::Second };
        assert_eq!(theory(&passed), theory(&root));
        for depth in 1..=9 {
            for reduction in 1..=3 {
                let mut engine = AlphaBeta::new(theory, AlphaBetaOptions::new().null_move(reduction))
                    .unwrap()
                    .null_move(HandOver);
                let report = engine.think(&root, &Limits::none().depth(depth));
                assert_eq!(
                    report.value.score(),
                    theory(&root),
                    "{left} left, depth {depth}, reduced by {reduction}"
                );
            }
        }
    }
}
