//! [`Weighed`]: an alpha-beta search whose evaluator's weights are parameters.

use crate::Tabled;
use stonework_cover::{Move, Position};
use stonework_search::{
    AlphaBeta, Engine, Evaluator, Limits, MoveOrder, NoisyMoves, NullMove, Parameter, ParameterError, Report,
    SearchContext,
};

/// An evaluator with weights that can be turned.
pub trait Weigh: Evaluator<Position> {
    /// The weights.
    fn weights(&self) -> Vec<Parameter>;

    /// Sets a weight to a value that its parameter allows.
    fn weigh(&mut self, name: &str, value: i32);
}

/// A weight's name, what it weighs, and its usual value.
pub(super) type Weight = (&'static str, &'static str, i32);

/// The parameters of weights that may be between minus `most` and `most`.
pub(super) fn parameters<const N: usize>(
    known: &[Weight; N],
    values: &[i32; N],
    most: f64,
) -> Vec<Parameter> {
    let parameter = |(&(name, about, _), &value): (&Weight, &i32)| {
        Parameter::whole(name, about, value.into(), -most, most)
    };
    known.iter().zip(values).map(parameter).collect()
}

/// Sets the weight of a name, if there is one.
pub(super) fn set<const N: usize>(known: &[Weight; N], values: &mut [i32; N], name: &str, value: i32) {
    let found = known.iter().zip(values).find(|((known, ..), _)| *known == name);
    if let Some((_, weight)) = found {
        *weight = value;
    }
}

/// The parameter of the table.
const ENDINGS: &str = "endings";

/// An alpha-beta search for Cover that shows the weights of its evaluator among its parameters, and whether it asks the
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
    O: MoveOrder<Position> + Clone,
    Q: NoisyMoves<Position> + Clone,
    P: NullMove<Position> + Clone,
{
    fn search(&mut self, root: &Position, limits: &Limits, context: SearchContext<'_, Move>) -> Report<Move> {
        self.0.evaluator_mut().heed(limits);
        self.0.search(root, limits, context)
    }

    fn parameters(&self) -> Vec<Parameter> {
        let asked = f64::from(self.0.evaluator().shares());
        let about = "the table of one stone against one; 0: not asked";
        let mut parameters = vec![Parameter::whole(ENDINGS, about, asked, 0.0, 1.0)];
        parameters.extend(self.0.evaluator().weights());
        parameters.extend(Engine::<Position>::parameters(&self.0));
        parameters
    }

    fn set_parameter(&mut self, parameter: &str, value: f64) -> Result<(), ParameterError> {
        Parameter::find(&self.parameters(), parameter, value)?;
        if parameter == ENDINGS {
            self.0.evaluator_mut().share(value > 0.0);
        } else if self.0.evaluator().weights().iter().any(|weight| weight.name == parameter) {
            self.0.evaluator_mut().weigh(parameter, value as i32);
        } else {
            return Engine::<Position>::set_parameter(&mut self.0, parameter, value);
        }
        // What the table holds was weighed otherwise.
        self.0.clear();
        Ok(())
    }
}
