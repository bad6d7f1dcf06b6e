//! [`HavannahJudge`]: networks on the lattice by the size of the board.

use std::sync::{Arc, OnceLock};

use stonework_havannah::{Move, Position};
use stonework_learn::{LatticeJudge, LatticeNet, WrongCount};
use stonework_search::{Evaluator, Priors};

use super::{HavannahPlanes, shipped_lattice};

/// A size of the board of each network, in the order of their sizes.
const SIZES: [u8; 3] = [5, 6, 7];

/// The network for a size of the board.
pub(super) const fn of_size(size: u8) -> usize {
    match size {
        0..=5 => 0,
        6 => 1,
        _ => 2,
    }
}

/// The judge of a network.
type Judge = LatticeJudge<HavannahPlanes>;

/// Networks by the size of the board, as values and priors. A shipped network is read when a board of its sizes is judged first.
/// Clones share judgements.
#[derive(Clone, Debug)]
pub(crate) struct HavannahJudge {
    own: [Option<Judge>; SIZES.len()],
    /// The judgements that all clones share.
    shared: Arc<[OnceLock<Judge>; SIZES.len()]>,
}

impl HavannahJudge {
    /// The same network for boards of all sizes.
    ///
    /// # Errors
    /// If the network is not one of Havannah's planes.
    pub(crate) fn new(net: Arc<LatticeNet>) -> Result<Self, WrongCount> {
        let judge = LatticeJudge::new(HavannahPlanes::of(&net), net)?;
        Ok(Self { own: SIZES.map(|_| Some(judge.clone())), shared: Arc::default() })
    }

    /// The networks of [`shipped_lattice`], with judgements of its own.
    pub(crate) fn shipped() -> Self {
        Self { own: SIZES.map(|_| None), shared: Arc::default() }
    }

    fn on(&mut self, game: &Position) -> &mut Judge {
        let at = of_size(game.size());
        self.own[at].get_or_insert_with(|| self.shared[at].get_or_init(|| shipped(at)).clone())
    }
}

/// A judge with a shipped network, which is read once.
fn shipped(at: usize) -> Judge {
    static SHIPPED: [OnceLock<Arc<LatticeNet>>; SIZES.len()] = [const { OnceLock::new() }; SIZES.len()];
    let net = SHIPPED[at].get_or_init(|| Arc::new(shipped_lattice(SIZES[at])));
    LatticeJudge::new(HavannahPlanes::of(net), Arc::clone(net))
        .unwrap_or_else(|error| unreachable!("a part of this crate: {error}"))
}

impl Evaluator<Position> for HavannahJudge {
    fn evaluate(&mut self, game: &Position) -> i32 {
        self.on(game).evaluate(game)
    }
}

impl Priors<Position> for HavannahJudge {
    fn priors(&mut self, game: &Position, moves: &[Move], out: &mut Vec<f32>) {
        self.on(game).priors(game, moves, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_size_is_judged_by_its_network() {
        let mut judge = HavannahJudge::shipped();
        for size in [4, 5, 6, 7, 10] {
            let game = Position::new(size).unwrap();
            let of = |size| HavannahJudge::new(Arc::new(shipped_lattice(size))).unwrap();
            let value = judge.evaluate(&game);
            assert_eq!(value, of(size).evaluate(&game), "size {size}");
            for other in SIZES.into_iter().filter(|&other| of_size(other) != of_size(size)) {
                assert_ne!(value, of(other).evaluate(&game), "sizes {size} and {other}");
            }
        }
    }
}
