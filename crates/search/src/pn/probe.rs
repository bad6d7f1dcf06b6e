//! [`Probe`]: df-pn with a budget, for a search that wants to know of single positions.

use stonework_game::{Finite, Keyed, Player};

use super::dfpn::follow;
use super::judge::{Initial, Judge};
use super::numbers::{ProofNumbers, Query};
use super::store::{Known, Store, effort};
use super::walk::{Shared, Walk};
use crate::{Bounds, HashUse, Limits, Meter, ProofTactics};

/// Work that is noted of what was proven elsewhere: it is worth more than a look.
const ELSEWHERE: u64 = 64;
/// Plies of a line, and positions that are looked at for it.
const LINE: usize = 256;
const LINE_LOOKS: usize = 2048;

/// One thread's way to a table of proofs that it shares with others.
///
/// All answers are bounds on the value for the first player. Where history may decide
/// ([`Keyed::horizon`]), the table is neither asked nor told.
#[derive(Debug)]
pub(crate) struct Probe<'a, G: Finite + Keyed, T> {
    judge: Judge<G, T>,
    store: &'a Store,
    epsilon: u16,
    pub(crate) hash: HashUse,
}

impl<'a, G: Finite + Keyed, T: ProofTactics<G>> Probe<'a, G, T> {
    pub(crate) fn new(tactics: T, store: &'a Store, epsilon: u16) -> Self {
        Self { judge: Judge::new(tactics, Initial::default()), store, epsilon, hash: HashUse::default() }
    }

    /// The knowledge of the table about a position.
    pub(crate) fn known(&mut self, game: &G) -> Bounds {
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

    /// Tells the table what is known of a position.
    pub(crate) fn tell(&mut self, game: &G, bounds: Bounds) {
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

    /// Asks of a position that is not over what is not known yet: first whether `first` wins, with three
    /// quarters of the nodes, then whether the other side does. Tells also how many nodes that took.
    pub(crate) fn ask(
        &mut self,
        game: &G,
        known: Bounds,
        first: Player,
        nodes: u64,
        meter: &Meter<'_>,
    ) -> (Bounds, u64) {
        let mut bounds = known;
        let mut spent = 0;
        for (who, until) in [(first, nodes - nodes / 4), (first.other(), nodes)] {
            if answer(bounds, who).is_some() || spent >= until {
                continue;
            }
            let limits = Limits::none().nodes(until - spent);
            let own = meter.within(&limits);
            let mut shared = Shared::new(self.store, &own, 1, self.epsilon);
            shared.both = true;
            let mut walk = Walk::new(game, Query::new(who), &mut self.judge, &shared);
            let decided = walk.run(&mut |_| {}).numbers.decided();
            let hash = walk.hash;
            self.hash = self.hash.plus(hash);
            spent += own.nodes();
            if let Some(yes) = decided {
                learn(&mut bounds, who, yes);
            }
        }
        (bounds, spent)
    }

    /// How a position that is decided goes on, as far as table and tactics know.
    pub(crate) fn line(&mut self, game: &G, bounds: Bounds) -> Vec<G::Move> {
        let mut game = game.clone();
        let mut line = Vec::new();
        let who = Player::BOTH.into_iter().find(|&who| answer(bounds, who) == Some(true));
        let question = Query::new(who.unwrap_or(Player::First));
        let mut looks = 0;
        while bounds.value().is_some() && line.len() < LINE && looks < LINE_LOOKS {
            let next =
                follow(&mut game, question, line.len() as u32, &mut self.judge, self.store, &mut looks);
            let Some(mv) = next.filter(|&mv| game.check(mv).is_ok()) else { break };
            game.play_unchecked(mv);
            line.push(mv);
        }
        line
    }
}

/// Whether `who` wins by bounds for the first player.
fn answer(bounds: Bounds, who: Player) -> Option<bool> {
    bounds.seen_by(who == Player::First).wins()
}

/// Adds the answer to whether `who` wins to bounds for the first player.
fn learn(bounds: &mut Bounds, who: Player, wins: bool) {
    let first = who == Player::First;
    *bounds = bounds.seen_by(first).with_answer(wins).seen_by(first);
}
