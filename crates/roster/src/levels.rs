//! [`Leveled`]: an engine at levels of strength.

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use stonework_engine::{Engine, Limits, Line, Parameter, ParameterError, Report, SearchContext, Value};
use stonework_game::Game;

/// The highest level: the engine as it is.
pub const TOP_LEVEL: u8 = 20;

/// The limits of an engine at a level below the highest.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    simulations: u64,
    noise: f64,
    parameter: Option<(&'static str, f64)>,
}

impl Level {
    /// A level with at most so many simulations. The noise is the standard deviation of the error in a move's mean result, which
    /// is between 0 and 1; with 0 the engine plays its best move.
    #[must_use]
    pub const fn new(simulations: u64, noise: f64) -> Self {
        Self { simulations, noise, parameter: None }
    }

    /// The same level, at which a parameter of the engine has this value.
    #[must_use]
    pub const fn with(self, name: &'static str, value: f64) -> Self {
        Self { parameter: Some((name, value)), ..self }
    }
}

/// The levels 1 to 19 of an engine, in this order.
pub type Levels = [Level; TOP_LEVEL as usize - 1];

/// The levels of an engine without its own.
pub const LEVELS: Levels = [
    Level::new(50, 0.9),
    Level::new(50, 0.55),
    Level::new(50, 0.36),
    Level::new(50, 0.23),
    Level::new(50, 0.155),
    Level::new(50, 0.0),
    Level::new(100, 0.0),
    Level::new(200, 0.0),
    Level::new(370, 0.0),
    Level::new(660, 0.0),
    Level::new(1200, 0.0),
    Level::new(2700, 0.0),
    Level::new(6000, 0.0),
    Level::new(11_000, 0.0),
    Level::new(20_000, 0.0),
    Level::new(36_000, 0.0),
    Level::new(65_000, 0.0),
    Level::new(120_000, 0.0),
    Level::new(200_000, 0.0),
];

/// The most moves that a level below the highest chooses among.
const LINES: f64 = 40.0;

/// An engine with a parameter `level`, 1 to [`TOP_LEVEL`], for opponents of every strength. The highest level is the engine as
/// it is. A lower level sees less and errs in its values, and plays no random moves:
///
/// * it makes at most the simulations of its level, 50 at the levels 1 to 6 of [`LEVELS`] and 200 000 at level 19;
/// * at the levels 1 to 5 each of its candidates, the moves that the engine reports with a value, gets an error of the
///   level's noise on top of its value, and the move with the highest sum is played. The mean of few visits counts in part.
///   A move that wins at once is worth 1, a move that loses at once 0: a low level overlooks some of them.
///
/// An engine may have levels of its own, as the player `champion` of Havannah has: [`Leveled::with`]. Its levels 1 to 19 are 95
/// to 223 Elo apart at size 6, and the step to the full player depends on its time (docs/results/strength.md); the distances in
/// other games and at other sizes were not measured.
///
/// The engine should have the parameter `lines`; otherwise it has one candidate and errs never. Errors follow from the seed.
///
/// ```
/// use stonework_engine::{Engine, Limits};
/// use stonework_game::example::Nim;
/// use stonework_roster::Leveled;
/// use stonework_search::{Mcts, MctsOptions, RandomPlayout};
/// let mut engine = Leveled::new(Mcts::new(RandomPlayout::new(100), MctsOptions::uct())?);
/// Engine::<Nim>::set_parameter(&mut engine, "level", 3.0)?;
/// let report = engine.think(&Nim::new(20), &Limits::none());
/// assert_eq!(report.simulations, 50);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Leveled<E> {
    engine: E,
    level: u8,
    levels: Levels,
}

impl<E> Leveled<E> {
    /// The engine at the highest level, with the usual levels below: [`LEVELS`].
    #[must_use]
    pub const fn new(engine: E) -> Self {
        Self { engine, level: TOP_LEVEL, levels: LEVELS }
    }

    /// The engine at the highest level, with levels of its own below.
    ///
    /// # Errors
    /// If a level has a parameter that the engine has not, or a value out of its range.
    ///
    /// ```
    /// use stonework_game::example::Nim;
    /// use stonework_roster::{LEVELS, Leveled};
    /// use stonework_search::{Mcts, MctsOptions, RandomPlayout};
    /// let engine = || Mcts::new(RandomPlayout::new(100), MctsOptions::uct());
    /// let mut levels = LEVELS;
    /// levels[0] = levels[0].with("exploration", 3.0);             // the lowest level tries every move as often
    /// assert!(Leveled::with::<Nim>(engine()?, levels).is_ok());
    /// levels[0] = levels[0].with("sight", 3.0);
    /// assert!(Leveled::with::<Nim>(engine()?, levels).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with<G: Game>(engine: E, levels: Levels) -> Result<Self, ParameterError>
    where
        E: Engine<G>,
    {
        let parameters = engine.parameters();
        for (name, value) in levels.iter().filter_map(|level| level.parameter) {
            Parameter::find(&parameters, name, value)?;
        }
        Ok(Self { levels, ..Self::new(engine) })
    }

    /// The level.
    #[must_use]
    pub const fn level(&self) -> u8 {
        self.level
    }

    fn parameter(&self) -> Parameter {
        let (level, top) = (f64::from(self.level), f64::from(TOP_LEVEL));
        Parameter::whole("level", "strength, 20: full", level, 1.0, top)
    }

    /// Sets parameters of the engine to values that it takes.
    fn set_all<G: Game>(&mut self, values: [Option<(&str, f64)>; 2])
    where
        E: Engine<G>,
    {
        for (name, value) in values.into_iter().flatten() {
            self.engine.set_parameter(name, value).unwrap_or_default();
        }
    }

    /// The limits of the level; `None` at the highest level.
    fn weakness(&self) -> Option<Level> {
        self.levels.get(usize::from(self.level) - 1).copied()
    }
}

/// A random number with mean 0 and standard deviation 1, nearly normal: the sum of twelve uniform numbers.
fn normal(rng: &mut impl RngCore) -> f64 {
    (0..12).map(|_| f64::from(rng.next_u32()) / f64::from(u32::MAX)).sum::<f64>() - 6.0
}

/// The worth of a value, 0 for a loss to 1 for a win; `None` for a value without a scale.
fn worth(value: Value) -> Option<f64> {
    match value {
        Value::Mean(mean) => Some(mean.into()),
        Value::Draw => Some(0.5),
        Value::Win(_) => Some(1.0),
        Value::Loss(_) => Some(0.0),
        Value::Unknown | Value::Heuristic(_) => None,
    }
}

/// The share of a line's mean that counts: 1 for a line without visits, else the visits of the line over these visits and an
/// eighth of the most visits of a line. The mean of few visits is often too high by chance.
fn trust<M>(line: &Line<M>, most: u64) -> f64 {
    let visits = line.visits.filter(|_| matches!(line.value, Value::Mean(_)));
    visits.map_or(1.0, |visits| visits as f64 / (visits as f64 + most as f64 / 8.0).max(1.0))
}

/// Puts the line that the errors make the best at the front of the report.
fn err<M: Copy>(report: &mut Report<M>, noise: f64, seed: u64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x1eaf_0000_1eaf_0000);
    let (mut best, mut highest) = (0, f64::NEG_INFINITY);
    let most = report.lines.iter().filter_map(|line| line.visits).max().unwrap_or(0);
    for (at, line) in report.lines.iter().enumerate() {
        let error = noise * normal(&mut rng);
        if let Some(worth) = worth(line.value).map(|worth| worth * trust(line, most) + error)
            && worth > highest
        {
            (best, highest) = (at, worth);
        }
    }
    if let Some(line) = report.lines.get(best) {
        report.best = line.moves.first().copied().or(report.best);
        report.value = line.value;
        report.lines[..=best].rotate_right(1);
    }
}

impl<G: Game, E: Engine<G>> Engine<G> for Leveled<E> {
    fn search(&mut self, root: &G, limits: &Limits, context: SearchContext<'_, G::Move>) -> Report<G::Move> {
        let Some(Level { simulations, noise, parameter }) = self.weakness() else {
            return self.engine.search(root, limits, context);
        };
        let mut limits = limits.clone();
        limits.simulations = Some(limits.simulations.unwrap_or(u64::MAX).min(simulations));
        let own =
            |name| self.engine.parameters().into_iter().find(|own| own.name == name).map(|own| own.value);
        let lines = own("lines");
        let before = parameter.and_then(|(name, _)| Some((name, own(name)?)));
        let candidates = lines.map(|lines| ("lines", lines.max(LINES)));
        self.set_all::<G>([candidates, parameter]);
        let seed = context.seed;
        let mut report = self.engine.search(root, &limits, context);
        self.set_all::<G>([lines.map(|lines| ("lines", lines)), before]);
        if let Some(lines) = lines {
            if noise > 0.0 {
                err(&mut report, noise, seed);
            }
            report.lines.truncate(lines as usize);
        }
        report
    }

    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn parameters(&self) -> Vec<Parameter> {
        let mut parameters = vec![self.parameter()];
        parameters.extend(self.engine.parameters());
        parameters
    }

    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), ParameterError> {
        Parameter::find(&Engine::<G>::parameters(self), name, value)?;
        if name == "level" {
            self.level = value as u8;
            return Ok(());
        }
        self.engine.set_parameter(name, value)
    }
}
