//! The search for frames among the links of one side.

use stonework_board::Cell;
use stonework_havannah::WinKind;

use super::FrameBudget;
use crate::links::net::{Claim, NO_CLAIM, NONE, Net};
use crate::mask::Mask;

/// A frame with its links as numbers of claims.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found<const W: usize> {
    pub(super) kind: WinKind,
    /// The key of a half-frame, [`NONE`] for a frame.
    key: u16,
    pub(super) hub: u16,
    claims: [u32; 3],
    pub(super) carrier: Mask<W>,
    pub(super) moves: u16,
    pub(super) enclosed: Mask<W>,
    /// The number of cells of the carrier.
    size: usize,
}

impl<const W: usize> Found<W> {
    pub(super) fn key(&self) -> Option<Cell> {
        if self.key == NONE { None } else { Cell::new(self.key.into()) }
    }

    pub(super) fn claims(&self) -> impl Iterator<Item = u32> {
        self.claims.into_iter().filter(|&c| c != NO_CLAIM)
    }

    fn covers(&self, other: &Self) -> bool {
        (self.key == NONE || other.key != NONE)
            && self.moves <= other.moves
            && self.carrier.is_subset(&other.carrier)
    }
}

/// The search.
pub(super) struct Finder<'a, const W: usize> {
    net: &'a Net<W>,
    budget: &'a FrameBudget,
    combinations: u64,
    pub(super) found: Vec<Found<W>>,
    pub(super) complete: bool,
}

impl<'a, const W: usize> Finder<'a, W> {
    pub(super) const fn new(net: &'a Net<W>, budget: &'a FrameBudget) -> Self {
        Self { net, budget, combinations: 0, found: Vec::new(), complete: true }
    }

    pub(super) fn run(&mut self) {
        for hub in 0..self.net.cells {
            if self.net.node[usize::from(hub)] != hub {
                continue;
            }
            self.rings(hub);
            self.bridges(hub);
            self.forks(hub);
        }
    }

    /// Counts a combination. Returns `true` if the budget allows it.
    const fn spend(&mut self) -> bool {
        let allowed = self.combinations < self.budget.combinations;
        if allowed {
            self.combinations += 1;
        } else {
            self.complete = false;
        }
        allowed
    }

    /// The full and the half claims between the hub and another node that a frame may use; half claims only from a
    /// chain.
    fn lists(&self, hub: u16, other: u16) -> (&'a [u32], &'a [u32]) {
        let net = self.net;
        match net.pair(hub, other) {
            Some(pair) if net.is_chain(hub) && (net.is_chain(other) || net.is_terminal(other)) => {
                (&pair.full, &pair.half)
            }
            Some(pair) => (&pair.full, &[]),
            None => (&[], &[]),
        }
    }

    /// All claims of the two lists, the full claims first.
    fn both(&self, hub: u16, other: u16) -> impl Iterator<Item = (u32, &'a Claim<W>)> + use<'a, W> {
        let (full, half) = self.lists(hub, other);
        let net = self.net;
        full.iter().chain(half).map(move |&i| (i, &net.claims[i as usize]))
    }

    fn bridges(&mut self, hub: u16) {
        let corner = self.net.cells + 6;
        for i in 0..5 {
            for (a, first) in self.both(hub, corner + i) {
                let start = Part::of(self.net, hub, a, first);
                for j in i + 1..6 {
                    for (b, second) in self.both(hub, corner + j) {
                        if !self.spend() {
                            return;
                        }
                        if let Some(frame) = start.with(b, second) {
                            self.keep(frame.found(WinKind::Bridge, Mask::EMPTY));
                        }
                    }
                }
            }
        }
    }

    fn forks(&mut self, hub: u16) {
        let edge = self.net.cells;
        let near = (0..6).filter(|&e| self.net.pair(hub, edge + e).is_some()).count();
        if near < 3 {
            return;
        }
        for i in 0..4 {
            for (a, first) in self.both(hub, edge + i) {
                let start = Part::of(self.net, hub, a, first);
                for j in i + 1..5 {
                    for (b, second) in self.both(hub, edge + j) {
                        if !self.spend() {
                            return;
                        }
                        let Some(two) = start.with(b, second) else { continue };
                        for k in j + 1..6 {
                            for (c, third) in self.both(hub, edge + k) {
                                if !self.spend() {
                                    return;
                                }
                                if let Some(frame) = two.with(c, third) {
                                    self.keep(frame.found(WinKind::Fork, Mask::EMPTY));
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Finds rings. Two links between the same ends make a closed path. It encloses the cells for which the crossings
    /// of the two links differ, if the crossings of both are certain.
    fn rings(&mut self, hub: u16) {
        let net = self.net;
        for &pair in &net.around[usize::from(hub)] {
            let pair = &net.pairs[pair as usize];
            let other = if pair.ends[0] == hub { pair.ends[1] } else { pair.ends[0] };
            // At least one end is a chain. Of two chains the first is the hub; an empty cell is the hub.
            let counts =
                !net.is_terminal(other) && net.is_chain(other) && (!net.is_chain(hub) || hub < other);
            if !counts {
                continue;
            }
            let claims: Vec<(u32, &Claim<W>)> = self.both(hub, other).collect();
            for (i, &(a, first)) in claims.iter().enumerate() {
                let start = Part::of(net, hub, a, first);
                for &(b, second) in &claims[i + 1..] {
                    if !self.spend() {
                        return;
                    }
                    let enclosed = first.turns.xor(&second.turns).less(&first.loose.or(&second.loose));
                    if enclosed.is_empty() {
                        continue;
                    }
                    if let Some(frame) = start.with(b, second) {
                        self.keep(frame.found(WinKind::Ring, enclosed));
                    }
                }
            }
        }
    }

    /// Adds a frame unless an earlier frame makes it superfluous.
    fn keep(&mut self, frame: Found<W>) {
        if self.found.iter().any(|f| f.covers(&frame)) {
            return;
        }
        self.found.retain(|f| !frame.covers(f));
        self.found.push(frame);
        if self.found.len() > self.budget.frames {
            self.complete = false;
            let largest = (0..self.found.len()).max_by_key(|&i| (self.found[i].size, self.found[i].moves));
            self.found.swap_remove(largest.unwrap_or(0));
        }
    }
}

/// A frame that is not complete yet.
#[derive(Clone, Copy)]
struct Part<const W: usize> {
    hub: u16,
    key: u16,
    claims: [u32; 3],
    count: usize,
    carrier: Mask<W>,
    moves: u16,
}

impl<const W: usize> Part<W> {
    fn of(net: &Net<W>, hub: u16, number: u32, claim: &Claim<W>) -> Self {
        let mut part = Self {
            hub,
            key: claim.key,
            claims: [number, NO_CLAIM, NO_CLAIM],
            count: 1,
            carrier: claim.carrier,
            moves: claim.moves,
        };
        if !net.is_chain(hub) {
            part.key = hub;
            part.carrier.insert(hub);
            part.moves += 1;
        }
        part
    }

    /// The part with one more link, if the carriers are disjoint and the part still has at most one key.
    fn with(&self, number: u32, claim: &Claim<W>) -> Option<Self> {
        let keys = usize::from(self.key != NONE) + usize::from(!claim.is_full());
        if keys > 1 || !self.carrier.is_disjoint(&claim.carrier) {
            return None;
        }
        let mut part = *self;
        part.key = part.key.min(claim.key);
        part.claims[part.count] = number;
        part.count += 1;
        part.carrier = part.carrier.or(&claim.carrier);
        part.moves += claim.moves;
        Some(part)
    }

    fn found(&self, kind: WinKind, enclosed: Mask<W>) -> Found<W> {
        let Self { hub, key, claims, carrier, moves, .. } = *self;
        Found { kind, key, hub, claims, carrier, moves, enclosed, size: carrier.len() }
    }
}
