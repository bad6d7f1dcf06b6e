//! [`HavannahJudge`]: networks on the lattice by the size of the board.

use std::sync::{Arc, OnceLock};

use stonework_havannah::{Move, Position};
use stonework_learn::{LatticeJudge, LatticeNet, WrongCount};
use stonework_search::{Evaluator, Priors};

use super::{HavannahPlanes, shipped_lattice};

/// The least size of a board of the network of large boards.
pub(super) const LARGE: u8 = 7;

/// A network for small boards and one for large boards, as values and priors. Clones share judgements.
#[derive(Clone, Debug)]
pub(crate) struct HavannahJudge {
    small: LatticeJudge<HavannahPlanes>,
    large: LatticeJudge<HavannahPlanes>,
}

impl HavannahJudge {
    /// The same network for boards of all sizes.
    ///
    /// # Errors
    /// If the network is not one of Havannah's planes.
    pub(crate) fn new(net: Arc<LatticeNet>) -> Result<Self, WrongCount> {
        let judge = LatticeJudge::new(HavannahPlanes::of(&net), net)?;
        Ok(Self { small: judge.clone(), large: judge })
    }

    /// The networks of [`shipped_lattice`], with judgements of its own.
    pub(crate) fn shipped() -> Self {
        static SHIPPED: OnceLock<[Arc<LatticeNet>; 2]> = OnceLock::new();
        let nets = SHIPPED.get_or_init(|| [LARGE - 1, LARGE].map(|size| Arc::new(shipped_lattice(size))));
        let [small, large] = nets.each_ref().map(|net| {
            LatticeJudge::new(HavannahPlanes::of(net), Arc::clone(net))
                .unwrap_or_else(|error| unreachable!("a part of this crate: {error}"))
        });
        Self { small, large }
    }

    const fn on(&mut self, game: &Position) -> &mut LatticeJudge<HavannahPlanes> {
        if game.size() < LARGE { &mut self.small } else { &mut self.large }
    }
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
        for size in [4, 6, 7, 10] {
            let game = Position::new(size).unwrap();
            let of = |size| HavannahJudge::new(Arc::new(shipped_lattice(size))).unwrap();
            let value = judge.evaluate(&game);
            assert_eq!(value, of(size).evaluate(&game), "size {size}");
            let other = if size < LARGE { LARGE } else { LARGE - 1 };
            assert_ne!(value, of(other).evaluate(&game), "size {size}");
        }
    }
}
