//! [`Dfpn::learn`]: the positions of a proof as entries of the table.

use std::io::Read;
use std::marker::PhantomData;

use stonework_game::{Finite, Indexed, Keyed, Player, Textual};
use stonework_proof::{
    Goal, ImmediateRules, ProofAction, ProofError, ProofFault, ProofVisitor, Verified, VerifyLimits,
    verify_with,
};

use super::Dfpn;
use super::numbers::{ProofNumbers, Query};
use super::store::{Known, Store, effort};
use crate::Limits;

impl<Tactic> Dfpn<Tactic> {
    /// Verifies a proof as [`verify`](stonework_proof::verify()) does, and puts each position that it shows into the table. A search then builds on
    /// proofs of positions below its root or beside it, and its own [proof](Dfpn::prove) takes their strategies up. For engines that
    /// [keep](crate::DfpnOptions::keep) their tables.
    ///
    /// # Arguments
    /// * `game`, `rules`, `proof` – as for [`verify`](stonework_proof::verify()).
    /// * `limits` – the size of the table. A table of that size keeps its entries.
    /// * `searched` – a position of the rules as this engine searches it. Positions for which it returns `None` are left out, and so
    ///   are positions that history beyond the key decides ([`Keyed::horizon`]).
    ///
    /// Time: that of verifying.
    ///
    /// ```
    /// use stonework_game::example::Nim;
    /// use stonework_game::Game;
    /// use stonework_proof::Claim;
    /// use stonework_search::{Dfpn, DfpnOptions, Engine, Limits};
    /// let (root, limits) = (Nim::new(40), Limits::none());
    /// let mut below = root;
    /// below.play(1)?;
    /// let (mut one, mut file) = (Dfpn::default(), Vec::new());
    /// let value = one.think(&below, &limits).proven.unwrap();
    /// one.prove(&below, Claim::of(value), &(), &limits)?.write("nim", &(), &mut file)?;
    /// let mut other = Dfpn::new(DfpnOptions::new().keep(true))?;
    /// let alone = Dfpn::default().think(&root, &limits);
    /// other.learn("nim", &(), &limits, &file[..], |nim: &Nim| Some(*nim))?;
    /// let report = other.think(&root, &limits);
    /// assert_eq!(report.proven, alone.proven);
    /// assert!(report.nodes < alone.nodes / 5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`verify`](stonework_proof::verify()). The table then has the positions that were verified before the fault: they hold.
    pub fn learn<Position: Finite + Textual + Indexed, Rules: ImmediateRules<Position>, G: Finite + Keyed>(
        &mut self,
        game: &str,
        rules: &Rules,
        limits: &Limits,
        proof: impl Read,
        searched: impl Fn(&Position) -> Option<G>,
    ) -> Result<Verified<Position>, ProofError> {
        self.prepare(limits, true);
        // Nothing is stored before the first question begins.
        self.store.grow_older();
        let mut filler = TableFiller {
            store: &self.store,
            searched,
            goal: Goal { player: Player::First, wins: true },
            shown: Vec::new(),
            positions: PhantomData,
        };
        verify_with(game, rules, proof, &VerifyLimits::default(), &mut filler)
    }
}

/// Puts the positions of a proof into the table.
struct TableFiller<'a, Position, G, Searched: Fn(&Position) -> Option<G>> {
    store: &'a Store,
    searched: Searched,
    /// The goal of the current strategy.
    goal: Goal,
    /// For each position that was entered and not left: the positions below it that were verified.
    shown: Vec<u64>,
    positions: PhantomData<fn(&Position) -> G>,
}

impl<Position, G, Searched> ProofVisitor<Position> for TableFiller<'_, Position, G, Searched>
where
    Position: Finite + Textual,
    G: Finite + Keyed,
    Searched: Fn(&Position) -> Option<G>,
{
    fn strategy(&mut self, goal: Goal) {
        self.goal = goal;
    }

    fn enter(
        &mut self,
        _: &Position,
        _: ProofAction<Position::Move, &[Position::Move]>,
    ) -> Result<(), ProofFault> {
        self.shown.push(0);
        Ok(())
    }

    fn leave(&mut self, game: &Position, _: u32) {
        let shown = self.shown.pop().unwrap_or(0) + 1;
        if let Some(above) = self.shown.last_mut() {
            *above += shown;
        }
        let Some(game) = (self.searched)(game).filter(|game| game.horizon() == u32::MAX) else { return };
        let put = |player, answer| {
            let known = Known { numbers: ProofNumbers::answer(answer), work: effort(shown), tag: 0 };
            self.store.put(Query::new(player).key(&game, 0), known);
        };
        let Goal { player, wins } = self.goal;
        put(player, wins);
        // If one player wins, the other does not.
        if wins {
            put(player.other(), false);
        }
    }
}
