//! [`Champion`]: the engine of the strongest player.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use stonework_havannah::{Move, Position};
use stonework_havannah_solver::Sequences;
use stonework_roster::{Agent, Clock, Decision, EngineAgent, Leveled, PlayerConfig};
use stonework_search::{
    Engine, Limits, Mcts, MctsOptions, OptionsError, Parameter, ParameterError, Report, SearchContext,
};

use crate::first_moves::{Opening, opening};
use crate::perfect::without_swap;
use crate::roster::tree;
use crate::{HavannahNet, HavannahPriors, PatternGames};

/// The strongest player, as measured: `docs/results/strength.md`. Its share of learned values depends on the size of the
/// board, until the parameter `share` is set.
#[derive(Clone, Debug)]
pub(crate) struct Champion {
    tree: Mcts<Position, PatternGames, HavannahPriors, Sequences, HavannahNet>,
    /// `true` if the share was set.
    share_is_set: bool,
}

/// The share of learned values in the result of a simulation on a board of a size: the smaller the board, the more a playout
/// sees of the game.
const fn share(size: u8) -> f64 {
    match size {
        0..=6 => 0.3,
        7 => 0.4,
        _ => 0.5,
    }
}

/// The least size of a board on which patterns answer in playouts: `docs/results/strength.md`.
const PATTERNS_FROM: u8 = 8;

impl Champion {
    /// The player with the files of this crate.
    pub(crate) fn new(config: &PlayerConfig) -> Result<Self, OptionsError> {
        Self::learned(config, HavannahNet::shipped(), HavannahPriors::shipped())
    }

    /// The player with other learned values and priors.
    pub(crate) fn learned(
        config: &PlayerConfig,
        net: HavannahNet,
        priors: HavannahPriors,
    ) -> Result<Self, OptionsError> {
        let options = MctsOptions::with_rave()
            .exploration(0.0)
            .share(share(u8::MAX) as f32)
            .bias(0.3)
            .expand_after(5)
            .study_after(512);
        let tree = tree(config, options, PatternGames::shipped().from_size(PATTERNS_FROM))?
            .tactics(Sequences::new())
            .priors(priors)
            .evaluator(net);
        Ok(Self { tree, share_is_set: false })
    }
}

impl Engine<Position> for Champion {
    fn search(&mut self, root: &Position, limits: &Limits, context: SearchContext<'_, Move>) -> Report<Move> {
        if !self.share_is_set {
            let set = self.tree.set_parameter("share", share(root.size()));
            set.unwrap_or_else(|error| unreachable!("the share is between 0 and 1: {error}"));
        }
        self.tree.search(root, limits, context)
    }

    fn parameters(&self) -> Vec<Parameter> {
        self.tree.parameters()
    }

    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), ParameterError> {
        self.tree.set_parameter(name, value)?;
        self.share_is_set |= name == "share";
        Ok(())
    }
}

/// The player of [`Champion`]. In games with the right to swap a table decides the first move and the swap, without a search;
/// the engine searches all positions.
#[derive(Debug)]
pub(crate) struct ChampionAgent {
    searching: EngineAgent<Position, Leveled<Champion>>,
    seed: u64,
    /// The report of the table, if the table made the last decision.
    opening: Option<Report<Move>>,
}

impl ChampionAgent {
    /// The player with the limits and the seed of a configuration.
    pub(crate) fn new(config: &PlayerConfig) -> Result<Self, OptionsError> {
        let engine = Leveled::new(Champion::new(config)?);
        let searching = EngineAgent::new(engine, config.limits.clone(), config.seed);
        Ok(Self { searching, seed: config.seed, opening: None })
    }
}

impl Agent<Position> for ChampionAgent {
    fn new_game(&mut self) {
        self.opening = None;
        self.searching.new_game();
    }

    fn decide(&mut self, game: &Position, clock: &Clock) -> Option<Decision<Move>> {
        self.opening = None;
        match opening(game, self.seed) {
            Some(Opening::Decided(report)) => {
                let best = report.best.map(Decision::Play);
                self.opening = Some(report);
                best
            }
            Some(Opening::Declined) => {
                let plain = without_swap(game);
                self.searching.decide(plain.as_ref().unwrap_or(game), clock)
            }
            None => self.searching.decide(game, clock),
        }
    }

    fn ponder(&mut self, game: &Position, until: &Arc<AtomicBool>) {
        self.searching.ponder(game, until);
    }

    fn report(&self) -> Option<&Report<Move>> {
        self.opening.as_ref().or_else(|| self.searching.report())
    }

    fn parameters(&self) -> Vec<Parameter> {
        Agent::<Position>::parameters(&self.searching)
    }

    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), ParameterError> {
        Agent::<Position>::set_parameter(&mut self.searching, name, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share after a search on a board of this size.
    fn share_on(champion: &mut Champion, size: u8) -> f64 {
        champion.think(&Position::new(size).unwrap(), &Limits::none().simulations(10));
        champion.parameters().into_iter().find(|own| own.name == "share").unwrap().value
    }

    #[test]
    fn the_player_opens_by_the_table_and_the_engine_searches() {
        use stonework_game::{Game, Textual};
        let config =
            PlayerConfig { limits: Limits::none().simulations(50), seed: 3, ..PlayerConfig::default() };
        let mut agent = ChampionAgent::new(&config).unwrap();
        let mut game = Position::with_swap(4).unwrap();
        let Some(Decision::Play(first)) = agent.decide(&game, &Clock::NONE) else { panic!("a first move") };
        assert_eq!(agent.report().unwrap().simulations, 0);
        game.play(first).unwrap();
        assert_eq!(agent.decide(&game, &Clock::NONE), Some(Decision::Play(Move::Swap)));
        let report = Champion::new(&config).unwrap().think(&game, &config.limits);
        assert!(report.simulations > 0, "the engine searches: {report:?}");
        // On size 2 the middle loses: Black keeps its side, and its move comes from a search.
        let mut game = Position::with_swap(2).unwrap();
        game.play(game.parse_move("b2").unwrap()).unwrap();
        let Some(Decision::Play(mv)) = agent.decide(&game, &Clock::NONE) else { panic!("a move") };
        assert!(mv != Move::Swap && game.check(mv).is_ok());
        agent.new_game();
        assert!(agent.decide(&Position::new(4).unwrap(), &Clock::NONE).is_some());
        assert!(agent.report().unwrap().simulations > 0, "no right to swap: a search");
    }

    #[test]
    fn the_share_follows_the_size_until_it_is_set() {
        let mut champion = Champion::new(&PlayerConfig::default()).unwrap();
        for size in [4, 8, 6, 5, 10] {
            assert!((share_on(&mut champion, size) - share(size)).abs() < 1e-9);
        }
        assert!(champion.set_parameter("share", 7.0).is_err());
        assert!((share_on(&mut champion, 8) - share(8)).abs() < 1e-9);
        champion.set_parameter("share", 0.25).unwrap();
        assert!((share_on(&mut champion, 8) - 0.25).abs() < 1e-9);
        assert!((share_on(&mut champion, 5) - 0.25).abs() < 1e-9);
    }
}
