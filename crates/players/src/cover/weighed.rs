//! [`Weighed`]: an alpha-beta search whose evaluator's weights are dials.

use super::Tabled;
use stonework_cover::{Move, Position};
use stonework_search::{AlphaBeta, Dial, DialError, Engine, Evaluate, Limits, Order, Pass, Quiet, Report};

/// An evaluator with weights that can be turned.
pub trait Weigh: Evaluate<Position> {
    /// The weights.
    fn weights(&self) -> Vec<Dial>;

    /// Sets a weight to a value that its dial allows.
    fn weigh(&mut self, name: &str, value: i32);
}

/// A weight's name, what it weighs, and its usual value.
pub(super) type Weight = (&'static str, &'static str, i32);

/// The dials of weights that may be between minus `most` and `most`.
pub(super) fn dials<const N: usize>(known: &[Weight; N], values: &[i32; N], most: f64) -> Vec<Dial> {
    let dial =
        |(&(name, about, _), &value): (&Weight, &i32)| Dial::whole(name, about, value.into(), -most, most);
    known.iter().zip(values).map(dial).collect()
}

/// Sets the weight of a name, if there is one.
pub(super) fn set<const N: usize>(known: &[Weight; N], values: &mut [i32; N], name: &str, value: i32) {
    let found = known.iter().zip(values).find(|((known, ..), _)| *known == name);
    if let Some((_, weight)) = found {
        *weight = value;
    }
}

/// The dial of the table.
const ENDINGS: &str = "endings";

/// An alpha-beta search for Cover that shows the weights of its evaluator among its dials, and whether it asks the
/// shared table of endings (`endings`).
#[derive(Debug)]
pub struct Weighed<E, O, Q, P>(AlphaBeta<Tabled<E>, O, Q, P>);

impl<E, O, Q, P> Weighed<E, O, Q, P> {
    /// Takes the search.
    #[must_use]
    pub const fn new(engine: AlphaBeta<Tabled<E>, O, Q, P>) -> Self {
        Self(engine)
    }
}

impl<E, O, Q, P> Engine<Position> for Weighed<E, O, Q, P>
where
    E: Weigh + Clone,
    O: Order<Position> + Clone,
    Q: Quiet<Position> + Clone,
    P: Pass<Position> + Clone,
{
    fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        seed: u64,
        watch: &mut dyn FnMut(&Report<Move>),
    ) -> Report<Move> {
        self.0.evaluator_mut().heed(limits);
        self.0.search(root, limits, seed, watch)
    }

    fn dials(&self) -> Vec<Dial> {
        let asked = f64::from(self.0.evaluator().shares());
        let about = "the table of one stone against one; 0: not asked";
        let mut dials = vec![Dial::whole(ENDINGS, about, asked, 0.0, 1.0)];
        dials.extend(self.0.evaluator().weights());
        dials.extend(Engine::<Position>::dials(&self.0));
        dials
    }

    fn turn(&mut self, dial: &str, value: f64) -> Result<(), DialError> {
        Dial::find(&self.dials(), dial, value)?;
        if dial == ENDINGS {
            self.0.evaluator_mut().share(value > 0.0);
        } else if self.0.evaluator().weights().iter().any(|weight| weight.name == dial) {
            self.0.evaluator_mut().weigh(dial, value as i32);
        } else {
            return Engine::<Position>::turn(&mut self.0, dial, value);
        }
        // What the table holds was weighed otherwise.
        self.0.clear();
        Ok(())
    }
}
