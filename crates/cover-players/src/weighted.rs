//! [`WeightedSearch`]: an alpha-beta search whose evaluator's weights are parameters.

use crate::Tabled;
use stonework_cover::{Move, Position};
use stonework_search::{
    AlphaBeta, Engine, Evaluator, Limits, MoveOrder, NoisyMoves, NullMove, Parameter, ParameterError, Report,
    SearchContext,
};

/// An evaluator with weights that can be set.
pub trait Weighted: Evaluator<Position> {
    /// The weights as parameters.
    fn weights(&self) -> Vec<Parameter>;

    /// Sets a weight to a value that its parameter allows; an unknown name changes nothing.
    fn weigh(&mut self, name: &str, value: i32);
}

/// A weight's name, its description, and its default value.
pub(super) type Weight = (&'static str, &'static str, i32);

/// Weights as parameters, each with the range from −`most` to `most`.
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

/// Sets the weight with a name, if there is one.
pub(super) fn set<const N: usize>(known: &[Weight; N], values: &mut [i32; N], name: &str, value: i32) {
    let found = known.iter().zip(values).find(|((known, ..), _)| *known == name);
    if let Some((_, weight)) = found {
        *weight = value;
    }
}

/// The parameter that turns the shared table on and off.
const ENDINGS: &str = "endings";

/// An alpha-beta search for Cover whose parameters include the weights of its evaluator, and `endings`: 1 if it uses the
/// shared table of endings, 0 if not.
#[derive(Debug)]
pub struct WeightedSearch<E, O, Q, P>(AlphaBeta<Tabled<E>, O, Q, P>);

impl<E, O, Q, P> WeightedSearch<E, O, Q, P> {
    /// The search `engine` with these parameters.
    #[must_use]
    pub const fn new(engine: AlphaBeta<Tabled<E>, O, Q, P>) -> Self {
        Self(engine)
    }
}

impl<E, O, Q, P> Engine<Position> for WeightedSearch<E, O, Q, P>
where
    E: Weighted + Clone,
    O: MoveOrder<Position> + Clone,
    Q: NoisyMoves<Position> + Clone,
    P: NullMove<Position> + Clone,
{
    fn search(&mut self, root: &Position, limits: &Limits, context: SearchContext<'_, Move>) -> Report<Move> {
        self.0.evaluator_mut().heed(limits);
        self.0.search(root, limits, context)
    }

    fn new_game(&mut self) {
        Engine::<Position>::new_game(&mut self.0);
    }

    fn parameters(&self) -> Vec<Parameter> {
        let shares = f64::from(self.0.evaluator().shares());
        let about = "1 with the table of one stone against one, 0 without";
        let mut parameters = vec![Parameter::whole(ENDINGS, about, shares, 0.0, 1.0)];
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
        // The values in the transposition table are from the old weights.
        self.0.clear();
        Ok(())
    }
}
