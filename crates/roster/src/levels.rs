//! [`Leveled`]: an engine at levels of strength.

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use stonework_engine::{Engine, Limits, Line, Parameter, ParameterError, Report, SearchContext, Value};
use stonework_game::Game;

/// The highest level: the engine as it is.
pub const TOP_LEVEL: u8 = 20;

/// The simulations and the noise of the levels 1 to 19. The noise is the standard deviation of the error in a move's mean
/// result, which is between 0 and 1.
const LEVELS: [(u64, f64); TOP_LEVEL as usize - 1] = [
    (50, 0.90),
    (50, 0.62),
    (50, 0.46),
    (50, 0.35),
    (50, 0.24),
    (50, 0.155),
    (50, 0.0),
    (85, 0.0),
    (145, 0.0),
    (230, 0.0),
    (360, 0.0),
    (580, 0.0),
    (1100, 0.0),
    (2400, 0.0),
    (5200, 0.0),
    (11_000, 0.0),
    (25_000, 0.0),
    (55_000, 0.0),
    (130_000, 0.0),
];

/// The most moves that a level below the highest chooses among.
const LINES: f64 = 40.0;

/// An engine with a parameter `level`, 1 to [`TOP_LEVEL`], for opponents of every strength. The highest level is the engine as
/// it is. A lower level sees less and errs in its values, and plays no random moves:
///
/// * it makes at most the simulations of its level, 50 at the levels 1 to 7 and 130 000 at level 19;
/// * at the levels 1 to 6 each of its candidates, the moves that the engine reports with a value, gets an error of the
///   level's noise on top of its value, and the move with the highest sum is played. The mean of few visits counts in part.
///   A move that wins at once is worth 1, a move that loses at once 0: a low level overlooks some of them.
///
/// With the player `champion` of Havannah neighbouring levels from 1 to 17 are 56 to 135 Elo apart at size 6
/// (docs/results/strength.md); the distances in other games and at other sizes were not measured.
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
}

impl<E> Leveled<E> {
    /// The engine at the highest level.
    #[must_use]
    pub const fn new(engine: E) -> Self {
        Self { engine, level: TOP_LEVEL }
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

    /// The simulations and the noise; `None` at the highest level.
    fn weakness(&self) -> Option<(u64, f64)> {
        LEVELS.get(usize::from(self.level) - 1).copied()
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
        let Some((simulations, noise)) = self.weakness() else {
            return self.engine.search(root, limits, context);
        };
        let mut limits = limits.clone();
        limits.simulations = Some(limits.simulations.unwrap_or(u64::MAX).min(simulations));
        let lines = self.engine.parameters().into_iter().find(|own| own.name == "lines").map(|own| own.value);
        if let Some(lines) = lines {
            self.engine.set_parameter("lines", lines.max(LINES)).unwrap_or_default();
        }
        let seed = context.seed;
        let mut report = self.engine.search(root, &limits, context);
        if let Some(lines) = lines {
            self.engine.set_parameter("lines", lines).unwrap_or_default();
            if noise > 0.0 {
                err(&mut report, noise, seed);
            }
            report.lines.truncate(lines as usize);
        }
        report
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
