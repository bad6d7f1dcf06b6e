//! [`Strategies`]: evaluator, order, noisy moves and null move of a search.

use stonework_game::Keyed;

use crate::{Evaluator, MoveOrder, NoisyMoves, NullMove};

/// The strategies of one thread.
#[derive(Clone, Debug)]
pub(super) struct Strategies<Eval, Order, Noisy, Null> {
    pub(super) eval: Eval,
    pub(super) order: Order,
    pub(super) noisy: Noisy,
    pub(super) null: Null,
}

/// Strategies for a game: a name for the bounds on the four types of [`Strategies`].
pub(super) trait AlphaBetaParts<G: Keyed>: Send {
    type Eval: Evaluator<G>;
    type Order: MoveOrder<G>;
    type Noisy: NoisyMoves<G>;
    type Null: NullMove<G>;

    fn eval(&mut self) -> &mut Self::Eval;
    fn order(&mut self) -> &mut Self::Order;
    fn noisy(&mut self) -> &mut Self::Noisy;
    fn null(&mut self) -> &mut Self::Null;
}

impl<G, Eval, Order, Noisy, Null> AlphaBetaParts<G> for Strategies<Eval, Order, Noisy, Null>
where
    G: Keyed,
    Eval: Evaluator<G>,
    Order: MoveOrder<G>,
    Noisy: NoisyMoves<G>,
    Null: NullMove<G>,
{
    type Eval = Eval;
    type Order = Order;
    type Noisy = Noisy;
    type Null = Null;

    #[inline]
    fn eval(&mut self) -> &mut Eval {
        &mut self.eval
    }

    #[inline]
    fn order(&mut self) -> &mut Order {
        &mut self.order
    }

    #[inline]
    fn noisy(&mut self) -> &mut Noisy {
        &mut self.noisy
    }

    #[inline]
    fn null(&mut self) -> &mut Null {
        &mut self.null
    }
}
