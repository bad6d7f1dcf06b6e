//! [`KnownClaims`]: positions whose claims other files show.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use stonework_game::Indexed;

use super::{Claim, Goal, ImmediateRules};

/// Positions with the claims about them that other files show, and the plies within which the goal of each claim is
/// reached. [`verify_top`](super::verify_top) takes these claims as proven.
///
/// Positions are compared by 128 bits of a hash of their canonical bytes, with random keys; 60 bytes a claim.
#[derive(Debug, Default)]
pub struct KnownClaims {
    claims: HashMap<[u64; 2], Vec<(Claim, u32)>>,
    keys: [RandomState; 2],
}

impl KnownClaims {
    fn digest<G: Indexed>(&self, game: &G, rules: &impl ImmediateRules<G>) -> Option<[u64; 2]> {
        let mut bytes = Vec::new();
        let named = rules.canonical_bytes(game, &mut bytes);
        named.then(|| self.keys.each_ref().map(|key| key.hash_one(&*bytes)))
    }

    /// Adds a claim; `false` if the position has no canonical bytes.
    pub fn add<G: Indexed>(
        &mut self,
        game: &G,
        rules: &impl ImmediateRules<G>,
        claim: Claim,
        plies: u32,
    ) -> bool {
        let digest = self.digest(game, rules);
        digest.is_some_and(|digest| {
            self.claims.entry(digest).or_default().push((claim, plies));
            true
        })
    }

    /// The plies within which the goal is reached, if a claim about the position shows the goal.
    pub fn find<G: Indexed>(&self, game: &G, rules: &impl ImmediateRules<G>, goal: Goal) -> Option<u32> {
        let digest = if self.claims.is_empty() { None } else { self.digest(game, rules) };
        let known = self.claims.get(&digest?)?.iter();
        known.filter(|(claim, _)| claim.shows(goal.claim())).map(|&(_, plies)| plies).min()
    }
}
