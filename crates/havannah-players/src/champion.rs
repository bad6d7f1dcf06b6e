//! [`Champion`]: the engine of the strongest player.

use stonework_havannah::{Move, Position};
use stonework_havannah_solver::Sequences;
use stonework_roster::PlayerConfig;
use stonework_search::{
    Engine, Limits, Mcts, MctsOptions, OptionsError, Parameter, ParameterError, Report, SearchContext,
};

use crate::first_moves::{Opening, opening};
use crate::perfect::without_swap;
use crate::roster::tree;
use crate::{HavannahNet, HavannahPriors, PatternGames};

/// The strongest player, as measured: `docs/results/strength.md`. Its share of learned values depends on the size of the
/// board, until the parameter `share` is set. In games with the right to swap a table decides the first move and the swap.
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
        match opening(root, context.seed) {
            Some(Opening::Decided(mut report)) => {
                let lines = self.tree.parameters().into_iter().find(|own| own.name == "lines");
                report.lines.truncate(lines.map_or(1, |own| own.value as usize).max(1));
                report
            }
            Some(Opening::Declined) => {
                let plain = without_swap(root);
                self.tree.search(plain.as_ref().unwrap_or(root), limits, context)
            }
            None => self.tree.search(root, limits, context),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The share after a search on a board of this size.
    fn share_on(champion: &mut Champion, size: u8) -> f64 {
        champion.think(&Position::new(size).unwrap(), &Limits::none().simulations(10));
        champion.parameters().into_iter().find(|own| own.name == "share").unwrap().value
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
