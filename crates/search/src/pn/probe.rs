//! [`Probe`]: df-pn with a budget, for single positions of a Monte-Carlo tree.

use stonework_game::{Finite, Keyed, Player};

use super::dfpn::{LINE_EVALUATIONS, follow};
use super::leaf::{Initial, LeafEvaluator};
use super::numbers::Query;
use super::store::{Known, Store, effort};
use super::walk::{Shared, Walk};
use crate::hybrid::HybridOptions;
use crate::mcts::SubSearch;
use crate::{Bounds, HashUse, Limits, Meter, ProofNumbers, ProofTactics};

/// The work, in nodes, of an entry that the tree has proven: more than the work of an evaluation.
const ELSEWHERE: u64 = 64;
/// The greatest number of plies of a line.
const LINE: usize = 256;

/// ε of the searches, in hundredths.
const EPSILON: u16 = 25;
/// The greatest number of nodes of one search, so that the search soon returns to the tree.
const MOST_NODES: u32 = 1 << 24;

/// One thread's df-pn searches for a [`Hybrid`](crate::Hybrid), on a table of proofs that all threads share.
///
/// In positions that history may decide ([`Keyed::horizon`]), the table is neither read nor written.
#[derive(Debug)]
pub(crate) struct Probe<'a, G: Finite + Keyed, Tactic> {
    evaluator: LeafEvaluator<G, Tactic>,
    store: &'a Store,
    options: HybridOptions,
    hash: HashUse,
}

impl<'a, G: Finite + Keyed, Tactic: ProofTactics<G>> Probe<'a, G, Tactic> {
    pub(crate) fn new(tactics: Tactic, store: &'a Store, options: HybridOptions) -> Self {
        Self {
            evaluator: LeafEvaluator::new(tactics, Initial::default()),
            store,
            options,
            hash: HashUse::default(),
        }
    }
}

impl<G: Finite + Keyed, Tactic: ProofTactics<G>> SubSearch<G> for Probe<'_, G, Tactic> {
    const ACTIVE: bool = true;

    #[inline]
    fn budget(&self, visits: u32) -> u32 {
        let times = visits / self.options.probe_after;
        if !times.is_power_of_two() || times * self.options.probe_after != visits {
            return 0;
        }
        visits.saturating_mul(self.options.probe_nodes).min(MOST_NODES)
    }

    fn known(&mut self, game: &G) -> Bounds {
        let mut bounds = Bounds::UNKNOWN;
        if game.horizon() != u32::MAX {
            return bounds;
        }
        let canonical = game.canonical().0;
        for who in Player::BOTH {
            self.hash.probes += 1;
            let known = self.store.get(Query::new(who).key_of(canonical, game.to_move() == who, 0));
            self.hash.hits += u64::from(known.is_some());
            if let Some(yes) = known.and_then(|known| known.numbers.decided()) {
                learn(&mut bounds, who, yes);
            }
        }
        bounds
    }

    fn tell(&mut self, game: &G, bounds: Bounds) {
        if game.horizon() != u32::MAX || game.outcome().is_some() {
            return;
        }
        let canonical = game.canonical().0;
        for who in Player::BOTH {
            let Some(yes) = answer(bounds, who) else { continue };
            let key = Query::new(who).key_of(canonical, game.to_move() == who, 0);
            if self.store.get(key).is_none_or(|known| known.numbers.decided().is_none()) {
                self.hash.stores += 1;
                let known = Known { numbers: ProofNumbers::answer(yes), work: effort(ELSEWHERE), tag: 0 };
                self.store.put(key, known);
            }
        }
    }

    /// The question "does `first` win?" gets three quarters of the nodes, and the question about the opponent of
    /// `first` the rest.
    fn ask(
        &mut self,
        game: &G,
        known: Bounds,
        first: Player,
        nodes: u32,
        meter: &Meter<'_>,
    ) -> (Bounds, u32) {
        let (nodes, mut bounds, mut spent) = (u64::from(nodes), known, 0);
        for (who, until) in [(first, nodes - nodes / 4), (first.other(), nodes)] {
            if answer(bounds, who).is_some() || spent >= until {
                continue;
            }
            let limits = Limits::none().nodes(until - spent);
            let own = meter.within(&limits);
            let mut shared = Shared::new(self.store, &own, 1, EPSILON);
            shared.both = true;
            let mut walk = Walk::new(game, Query::new(who), &mut self.evaluator, &shared);
            let decided = walk.run(&mut |_| {}).numbers.decided();
            self.hash = self.hash.plus(walk.hash);
            spent += own.nodes();
            if let Some(yes) = decided {
                learn(&mut bounds, who, yes);
            }
        }
        (bounds, u32::try_from(spent).unwrap_or(nodes as u32))
    }

    fn line(&mut self, game: &G, bounds: Bounds) -> Vec<G::Move> {
        let mut game = game.clone();
        let mut line = Vec::new();
        let who = Player::BOTH.into_iter().find(|&who| answer(bounds, who) == Some(true));
        let question = Query::new(who.unwrap_or(Player::First));
        let mut evaluations = 0;
        while bounds.value().is_some() && line.len() < LINE && evaluations < LINE_EVALUATIONS {
            let next = follow(
                &mut game,
                question,
                line.len() as u32,
                &mut self.evaluator,
                self.store,
                &mut evaluations,
            );
            let Some(mv) = next.filter(|&mv| game.check(mv).is_ok()) else { break };
            game.play_unchecked(mv);
            line.push(mv);
        }
        line
    }

    fn hash(&self) -> HashUse {
        self.hash
    }
}

/// The answer to "does `who` win?" by bounds for the first player.
fn answer(bounds: Bounds, who: Player) -> Option<bool> {
    bounds.seen_by(who == Player::First).wins()
}

/// Adds the answer to "does `who` win?" to bounds for the first player.
fn learn(bounds: &mut Bounds, who: Player, wins: bool) {
    let first = who == Player::First;
    *bounds = bounds.seen_by(first).with_answer(wins).seen_by(first);
}
