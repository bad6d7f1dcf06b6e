//! [`Field`]: a graph of places, the chains on them, and two-distances from a goal.

use super::walk::{FAR, NONE};

/// The content of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Content {
    Empty,
    Own,
    Blocked,
}

/// A chain of own stones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    /// The lowest place of the chain.
    pub(super) start: u16,
    /// The indices in the list of liberties at which the chain's empty neighbours begin and end.
    liberties: (usize, usize),
    /// The last place that has passed its distance on around the chain, and the number of such places.
    told: (u16, u8),
}

/// A graph of places: the cells of a board, or each cell twice.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// The places beside each place; the number of places stands for a missing neighbour.
    pub(super) neighbours: Vec<[u16; 6]>,
    /// The contents of all places, and of one blocked place after the last.
    pub(super) contents: Vec<Content>,
    /// The chain of each own stone, by number.
    pub(super) label: Vec<u16>,
    pub(super) chains: Vec<Chain>,
    /// The empty neighbours of the chains, one chain after the other.
    liberties: Vec<u16>,
    /// The places with distance 1, possibly more than once.
    pub(super) goal: Vec<u16>,
    next: Vec<u16>,
    /// For each place, the first of its neighbours that has a distance.
    first: Vec<u16>,
}

impl Field {
    pub(super) fn new(places: usize) -> Self {
        Self {
            neighbours: vec![[places as u16; 6]; places],
            contents: vec![Content::Blocked; places + 1],
            label: vec![NONE; places],
            chains: Vec::new(),
            liberties: Vec::new(),
            goal: Vec::new(),
            next: Vec::new(),
            first: vec![NONE; places],
        }
    }

    /// Adds the empty neighbours of a chain to the goal.
    pub(super) fn goal_around(&mut self, chain: usize) {
        let (begin, end) = self.chains[chain].liberties;
        self.goal.extend_from_slice(&self.liberties[begin..end]);
    }

    /// Finds the chains, in the order of their lowest places. O(places).
    pub(super) fn find_chains(&mut self) {
        let Self { neighbours, contents, label, chains, liberties, goal: stack, first: beside, .. } = self;
        chains.clear();
        liberties.clear();
        stack.clear();
        label.fill(NONE);
        // The last chain that was found beside each place.
        beside.fill(NONE);
        for start in 0..neighbours.len() {
            if contents[start] != Content::Own || label[start] != NONE {
                continue;
            }
            let (number, begin) = (chains.len() as u16, liberties.len());
            label[start] = number;
            stack.push(start as u16);
            while let Some(at) = stack.pop() {
                for near in neighbours[usize::from(at)] {
                    let place = usize::from(near);
                    match contents[place] {
                        Content::Own if label[place] == NONE => {
                            label[place] = number;
                            stack.push(near);
                        }
                        Content::Empty if beside[place] != number => {
                            beside[place] = number;
                            liberties.push(near);
                        }
                        _ => {}
                    }
                }
            }
            chains.push(Chain { start: start as u16, liberties: (begin, liberties.len()), told: (NONE, 0) });
        }
    }

    /// Gives 1 to the places of the goal, and to every other empty place 1 more than the second least number beside
    /// it. Empties the goal. O(places): each place passes its number on to its neighbours once, and around each chain
    /// at most twice.
    pub(super) fn spread(&mut self, values: &mut [u16]) {
        let Self { neighbours, contents, label, chains, liberties, goal: now, next, first } = self;
        values.fill(FAR);
        first.fill(NONE);
        for chain in chains.iter_mut() {
            chain.told = (NONE, 0);
        }
        now.retain(|&at| std::mem::replace(&mut values[usize::from(at)], 1) == FAR);
        let mut distance = 1;
        while !now.is_empty() {
            let mut tell = |from: u16, to: u16| {
                let at = usize::from(to);
                if values[at] != FAR {
                    return;
                }
                if first[at] == NONE {
                    first[at] = from;
                } else if first[at] != from {
                    values[at] = distance + 1;
                    next.push(to);
                }
            };
            for &from in now.iter() {
                for near in neighbours[usize::from(from)] {
                    match contents[usize::from(near)] {
                        Content::Empty => tell(from, near),
                        Content::Own => {
                            let chain = &mut chains[usize::from(label[usize::from(near)])];
                            // After two places, each place around the chain has two numbers beside it.
                            if chain.told.1 < 2 && chain.told.0 != from {
                                chain.told = (from, chain.told.1 + 1);
                                for &to in &liberties[chain.liberties.0..chain.liberties.1] {
                                    tell(from, to);
                                }
                            }
                        }
                        Content::Blocked => {}
                    }
                }
            }
            now.clear();
            std::mem::swap(now, next);
            distance += 1;
        }
    }
}
