//! [`Dfpn::learn`]: the positions of a proof as entries of the table.

use std::io::{self, Read};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use stonework_game::{Finite, Indexed, Keyed, Player, Textual};
use stonework_proof::{
    Goal, ImmediateRules, ProofAction, ProofError, ProofFault, ProofVisitor, Verified, VerifyLimits,
    verify_with,
};

use super::Dfpn;
use super::numbers::Query;
use super::store::{Known, Store, effort};
use crate::Limits;
use crate::ProofNumbers;

impl<Tactic> Dfpn<Tactic> {
    /// Verifies a proof as [`verify`](stonework_proof::verify()) does, and puts each position of the proof into
    /// the table. A search then builds on proofs of positions below its root or beside its root, and its own
    /// [proof](Dfpn::prove) contains their strategies. The method is for engines that
    /// [keep](crate::DfpnOptions::keep) their tables.
    ///
    /// # Arguments
    /// * `game`, `rules`, `proof` – as for [`verify`](stonework_proof::verify()).
    /// * `limits` – the size of the table, and the flag that cancels. A table that has this size already keeps its entries.
    /// * `searched` – a function from a position of the rules to the position that this engine searches. Positions
    ///   with the result `None` are left out, and so are positions that history beyond the key decides
    ///   ([`Keyed::horizon`]).
    ///
    /// The time is that of [`verify`](stonework_proof::verify()).
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
    /// The errors of [`verify`](stonework_proof::verify()), and an error of reading once the flag is set. After an error, the table has the positions that were
    /// verified before the fault; their values are proven.
    pub fn learn<Position: Finite + Textual + Indexed, Rules: ImmediateRules<Position>, G: Finite + Keyed>(
        &mut self,
        game: &str,
        rules: &Rules,
        limits: &Limits,
        proof: impl Read,
        searched: impl Fn(&Position) -> Option<G>,
    ) -> Result<Verified<Position>, ProofError> {
        self.prepare(limits, true);
        // The store accepts entries only after the first question has begun.
        self.store.grow_older();
        self.store.note_side(None);
        let mut filler = TableFiller {
            store: &self.store,
            searched,
            goal: Goal { player: Player::First, wins: true },
            shown: Vec::new(),
            cancel: limits.cancel.clone(),
            positions: PhantomData,
        };
        verify_with(game, rules, proof, &VerifyLimits::default(), &mut filler)
    }
}

/// A visitor that puts the positions of a proof into the table.
struct TableFiller<'a, Position, G, Searched: Fn(&Position) -> Option<G>> {
    store: &'a Store,
    searched: Searched,
    /// The goal of the current strategy.
    goal: Goal,
    /// The number of verified positions below each position of the current line.
    shown: Vec<u64>,
    cancel: Option<Arc<AtomicBool>>,
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
        if self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(ProofFault::File(io::Error::other("the verification was cancelled").into()));
        }
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
        // If one player wins, the other player does not win.
        if wins {
            put(player.other(), false);
        }
    }
}
