//! [`Net`]: all claims of one side in a position, made by the rules *and* and *or*.
//!
//! Claims leave the queue by the size of their carriers. A rule never makes a carrier smaller. So a claim that leaves
//! the queue and has no accepted claim within its carrier stays minimal: a net that is made at once never takes an
//! accepted claim back. A net that grows from that of an earlier position does ([`grow`](super::grow)).

use std::collections::VecDeque;

use stonework_board::{Board, Cell, Direction};
use stonework_game::Player;
use stonework_havannah::Position;

use super::LinkBudget;
use crate::mask::Mask;

/// The key of a full link: no key.
pub(crate) const NONE: u16 = u16::MAX;
/// The number of no claim.
pub(crate) const NO_CLAIM: u32 = u32::MAX;
/// The number of no pair.
const NO_PAIR: u32 = u32::MAX;
/// The memory of a queued claim, in claims: a list that grows by doubling reserves at most twice its length.
pub(super) const QUEUED: usize = 2;
/// The most half links that the rule *or* puts together.
const MOST_HALVES: usize = 4;

/// A link, accepted or queued.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claim<const W: usize> {
    /// Two nodes, the smaller number first.
    pub(crate) ends: [u16; 2],
    /// The owner's first move in a half link, [`NONE`] in a full link.
    pub(crate) key: u16,
    /// The most own stones that the connection takes, the key among them.
    pub(crate) moves: u16,
    /// The number of cells of the carrier.
    pub(crate) size: u16,
    pub(crate) carrier: Mask<W>,
    /// The cells z for which a completed path crosses the ray from z to the east an odd number of times. The path
    /// leads from the first end to the second; the end of a chain is the stone that names it.
    pub(crate) turns: Mask<W>,
    /// The cells for which `turns` is undefined: own stones, cells on which the path may run, and cells that it may
    /// pass on either side. All cells if an end is an edge or a corner.
    pub(crate) loose: Mask<W>,
    /// The numbers of the claims that imply this claim: two by the rule *and*, two to four half links by the rule
    /// *or*, none for adjacency. The other entries are [`NO_CLAIM`].
    pub(crate) parts: [u32; MOST_HALVES],
}

impl<const W: usize> Claim<W> {
    pub(crate) const fn is_full(&self) -> bool {
        self.key == NONE
    }

    pub(crate) const fn other(&self, node: u16) -> u16 {
        if self.ends[0] == node { self.ends[1] } else { self.ends[0] }
    }

    /// `true` if this claim makes `other` superfluous.
    fn covers(&self, other: &Self) -> bool {
        self.carrier.is_subset(&other.carrier)
            && self.loose.or(&self.turns.xor(&other.turns)).is_subset(&other.loose)
    }
}

/// The accepted claims between two nodes.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) ends: [u16; 2],
    pub(crate) full: Vec<u32>,
    pub(crate) half: Vec<u32>,
}

/// All claims of one side. A node is a cell (an empty cell, or the first stone of a chain), an edge or a corner: edge
/// e is node `cells + e`, corner i is node `cells + 6 + i`.
#[derive(Clone, Debug)]
pub(crate) struct Net<const W: usize> {
    pub(crate) cells: u16,
    pub(crate) claims: Vec<Claim<W>>,
    pub(crate) pairs: Vec<Pair>,
    /// The pairs of each node.
    pub(crate) around: Vec<Vec<u32>>,
    /// The node of each cell; [`NONE`] for a stone of the opponent.
    pub(crate) node: Vec<u16>,
    /// The cells with an own stone.
    pub(crate) own: Mask<W>,
    /// The pair of two nodes, [`NO_PAIR`] if they have none.
    slots: Vec<u32>,
    /// The accepted full claims of each node, by size.
    full: Vec<Vec<u32>>,
    queue: Vec<VecDeque<Claim<W>>>,
    pub(super) budget: LinkBudget,
    /// `true` if claims of an earlier position may be covered by new ones.
    pub(super) grown: bool,
    pub(crate) combinations: u64,
    bytes: usize,
    pub(crate) complete: bool,
}

impl<const W: usize> Net<W> {
    /// The memory of a net without claims, in bytes.
    pub(crate) const fn least_bytes(cells: usize) -> usize {
        let nodes = cells.saturating_add(12);
        let pairs = nodes.saturating_mul(nodes).saturating_mul(size_of::<u32>());
        pairs.saturating_add(nodes.saturating_mul(2 * size_of::<Vec<u32>>() + size_of::<u16>()))
    }

    pub(crate) fn of(position: &Position, owner: Player, budget: &LinkBudget) -> Self {
        let mut net = Self::empty(position.board().len(), budget);
        let within = net.find_chains(position, owner);
        net.adjacent(position.board(), &within);
        net.run();
        net.close();
        net
    }

    /// Frees the memory of the queue.
    pub(super) fn close(&mut self) {
        self.queue = Vec::new();
    }

    /// Takes memory from the budget; `false` if too little is left.
    pub(super) const fn reserve(&mut self, bytes: usize) -> bool {
        let fits = self.bytes + bytes <= self.budget.bytes;
        if fits {
            self.bytes += bytes;
        } else {
            self.complete = false;
        }
        fits
    }

    /// A net without nodes and claims.
    pub(super) fn empty(cells: usize, budget: &LinkBudget) -> Self {
        let nodes = cells + 12;
        // No carrier has more cells than the board.
        let budget = LinkBudget { carrier: budget.carrier.min(cells), ..*budget };
        Self {
            cells: cells as u16,
            claims: Vec::new(),
            pairs: Vec::new(),
            around: vec![Vec::new(); nodes],
            node: vec![NONE; cells],
            own: Mask::EMPTY,
            slots: vec![NO_PAIR; nodes * nodes],
            full: vec![Vec::new(); nodes],
            queue: vec![VecDeque::new(); budget.carrier + 1],
            budget,
            grown: false,
            combinations: 0,
            bytes: Self::least_bytes(cells),
            complete: true,
        }
    }

    pub(crate) const fn is_terminal(&self, node: u16) -> bool {
        node >= self.cells
    }

    /// `true` if the node is an own chain.
    pub(crate) const fn is_chain(&self, node: u16) -> bool {
        node < self.cells && self.own.contains(node)
    }

    /// The accepted claims between two nodes.
    pub(crate) fn pair(&self, a: u16, b: u16) -> Option<&Pair> {
        self.pairs.get(self.slots[self.slot(a, b)] as usize)
    }

    /// The numbers of the accepted claims by the size of their carriers.
    pub(crate) fn accepted(&self) -> Vec<u32> {
        let mut numbers: Vec<u32> =
            self.pairs.iter().flat_map(|pair| pair.full.iter().chain(&pair.half)).copied().collect();
        numbers.sort_by_key(|&at| (self.claims[at as usize].size, at));
        numbers
    }

    /// The number of accepted claims.
    pub(crate) fn len(&self) -> usize {
        self.pairs.iter().map(|pair| pair.full.len() + pair.half.len()).sum()
    }

    fn slot(&self, a: u16, b: u16) -> usize {
        usize::from(a.min(b)) * (usize::from(self.cells) + 12) + usize::from(a.max(b))
    }

    /// Names every chain after its first stone. Returns, for every own stone, the crossings of a path from the first
    /// stone to it.
    pub(super) fn find_chains(&mut self, position: &Position, owner: Player) -> Vec<Mask<W>> {
        let board = position.board();
        let mut within = vec![Mask::EMPTY; board.len()];
        for cell in position.empty_cells() {
            self.node[cell.index()] = cell.index() as u16;
        }
        let stones = position.stones(owner);
        for first in &stones {
            self.own.insert(first.index() as u16);
            if self.node[first.index()] != NONE {
                continue;
            }
            self.node[first.index()] = first.index() as u16;
            let mut frontier = vec![first];
            while let Some(cell) = frontier.pop() {
                for next in board.neighbours(cell).filter(|&n| stones.contains(n)) {
                    if self.node[next.index()] == NONE {
                        self.node[next.index()] = first.index() as u16;
                        within[next.index()] = within[cell.index()].xor(&crossings(board, cell, next));
                        frontier.push(next);
                    }
                }
            }
        }
        within
    }

    /// Puts the links by adjacency into the queue.
    fn adjacent(&mut self, board: &Board, within: &[Mask<W>]) {
        for cell in board.cells() {
            let node = self.node[cell.index()];
            if node == NONE {
                continue;
            }
            let (edges, corners) = (board.edge_mask(cell), board.corner_mask(cell));
            for side in 0..6 {
                if edges >> side & 1 != 0 {
                    self.base(node, self.cells + side, Mask::EMPTY);
                }
                if corners >> side & 1 != 0 {
                    self.base(node, self.cells + 6 + side, Mask::EMPTY);
                }
            }
            if self.is_chain(node) {
                continue;
            }
            for next in board.neighbours(cell) {
                let other = self.node[next.index()];
                // The loop meets a pair of empty cells from both cells.
                if other != NONE && (next > cell || self.is_chain(other)) {
                    self.base(node, other, crossings(board, cell, next).xor(&within[next.index()]));
                }
            }
        }
    }

    fn base(&mut self, a: u16, b: u16, turns: Mask<W>) {
        let mut loose = self.own;
        for end in [a, b] {
            if self.is_terminal(end) {
                loose = Mask::ALL;
            } else {
                loose.insert(end);
            }
        }
        let ends = [a.min(b), a.max(b)];
        self.push(Claim {
            ends,
            key: NONE,
            moves: 0,
            size: 0,
            carrier: Mask::EMPTY,
            turns,
            loose,
            parts: [NO_CLAIM; MOST_HALVES],
        });
    }

    /// Puts a claim into the queue if no accepted claim covers it and the budget allows it.
    fn push(&mut self, claim: Claim<W>) {
        let size = usize::from(claim.size);
        if size > self.budget.carrier || self.is_covered(&claim) {
            return;
        }
        if !self.reserve(QUEUED * size_of::<Claim<W>>()) {
            return;
        }
        self.queue[size].push_back(claim);
    }

    pub(super) fn is_covered(&self, claim: &Claim<W>) -> bool {
        let Some(pair) = self.pair(claim.ends[0], claim.ends[1]) else { return false };
        let covers = |&i: &u32| self.claims[i as usize].covers(claim);
        pair.full.iter().any(covers) || (!claim.is_full() && pair.half.iter().any(covers))
    }

    /// Accepts the claims in the queue, until it is empty or the budget is used up.
    pub(super) fn run(&mut self) {
        while let Some(size) = (0..self.queue.len()).find(|&size| !self.queue[size].is_empty()) {
            while let Some(claim) = self.queue[size].pop_front() {
                self.bytes -= QUEUED * size_of::<Claim<W>>();
                if !self.is_covered(&claim) {
                    self.accept(claim);
                }
                if self.combinations >= self.budget.combinations {
                    self.complete = false;
                    return;
                }
            }
        }
    }

    /// Accepts a claim and draws its conclusions.
    fn accept(&mut self, claim: Claim<W>) {
        let at = self.claims.len() as u32;
        self.claims.push(claim);
        if !self.list(at) {
            self.claims.pop();
            return;
        }
        if claim.is_full() {
            for middle in claim.ends {
                self.join_at(middle, &claim, at);
            }
        } else {
            self.choose(&claim, at);
        }
    }

    /// Adds a claim to the lists of its pair and of its nodes, in place of the claims that it covers. `false` if the budget
    /// does not allow it.
    pub(super) fn list(&mut self, at: u32) -> bool {
        let claim = self.claims[at as usize];
        // A pair, its two entries beside its nodes, an entry of the claim in its pair and two beside its nodes.
        let bytes = 2 * (size_of::<Claim<W>>() + size_of::<Pair>() + 5 * size_of::<u32>());
        if self.bytes + bytes > self.budget.bytes {
            self.complete = false;
            return false;
        }
        let slot = self.slot(claim.ends[0], claim.ends[1]);
        if self.slots[slot] == NO_PAIR {
            self.slots[slot] = self.pairs.len() as u32;
            for end in claim.ends {
                self.around[usize::from(end)].push(self.pairs.len() as u32);
            }
            self.pairs.push(Pair { ends: claim.ends, full: Vec::new(), half: Vec::new() });
        }
        if self.grown {
            self.drop_covered(&claim);
        }
        let Pair { full, half, .. } = &mut self.pairs[self.slots[slot] as usize];
        let kept = if claim.is_full() { full } else { half };
        if kept.len() >= self.budget.per_pair {
            self.complete = false;
            return false;
        }
        insert(&self.claims, kept, at);
        self.bytes += bytes;
        if claim.is_full() {
            for middle in claim.ends {
                insert(&self.claims, &mut self.full[usize::from(middle)], at);
            }
        }
        true
    }

    /// Takes the claims that a claim covers out of all lists.
    fn drop_covered(&mut self, claim: &Claim<W>) {
        let slot = self.slot(claim.ends[0], claim.ends[1]);
        let (claims, pair) = (&self.claims, &mut self.pairs[self.slots[slot] as usize]);
        let stays = |&i: &u32| !claim.covers(&claims[i as usize]);
        pair.half.retain(stays);
        if !claim.is_full() || pair.full.iter().all(stays) {
            return;
        }
        pair.full.retain(stays);
        for end in claim.ends {
            let other = |i: &u32| claims[*i as usize].ends != claim.ends;
            self.full[usize::from(end)].retain(|i| other(i) || stays(i));
        }
    }

    /// The rule *and* for the claim and each full claim that meets it at a node.
    pub(super) fn join_at(&mut self, middle: u16, claim: &Claim<W>, number: u32) {
        if self.is_terminal(middle) {
            return;
        }
        let chain = self.is_chain(middle);
        let x = claim.other(middle);
        // The key is a cell of the carrier, too.
        let Some(left) = self.budget.carrier.checked_sub(usize::from(claim.size) + usize::from(!chain))
        else {
            return;
        };
        for i in 0..self.full[usize::from(middle)].len() {
            if self.combinations >= self.budget.combinations {
                return;
            }
            let partner = self.full[usize::from(middle)][i];
            if partner == number {
                continue;
            }
            let next = &self.claims[partner as usize];
            // The partners come by size.
            if usize::from(next.size) > left {
                return;
            }
            self.combinations += 1;
            let y = next.other(middle);
            let same = x == y || (self.is_terminal(x) && self.is_terminal(y));
            if same
                || !claim.carrier.is_disjoint(&next.carrier)
                || next.carrier.contains(x)
                || claim.carrier.contains(y)
            {
                continue;
            }
            let mut joined = Claim {
                ends: [x.min(y), x.max(y)],
                key: NONE,
                moves: claim.moves + next.moves,
                size: claim.size + next.size,
                carrier: claim.carrier.or(&next.carrier),
                turns: claim.turns.xor(&next.turns),
                loose: claim.loose.or(&next.loose),
                parts: [number, partner, NO_CLAIM, NO_CLAIM],
            };
            if !chain {
                joined.key = middle;
                joined.moves += 1;
                joined.size += 1;
                joined.carrier.insert(middle);
            }
            self.push(joined);
        }
    }

    /// The rule *or* for half links of one pair, the given claim among them, whose carriers have no common cell.
    pub(super) fn choose(&mut self, claim: &Claim<W>, number: u32) {
        let pair = self.slots[self.slot(claim.ends[0], claim.ends[1])];
        // The given claim is among them; beside itself it leaves as many common cells as before, and so is passed over.
        let halves = self.pairs[pair as usize].half.len();
        let mut common = [claim.carrier; MOST_HALVES];
        let mut made = [Claim { parts: [number, NO_CLAIM, NO_CLAIM, NO_CLAIM], ..*claim }; MOST_HALVES];
        // The half link at each level, as an odometer, so that no recursion is needed.
        let mut at = [0; MOST_HALVES];
        let mut level = 1;
        while level > 0 && self.combinations < self.budget.combinations {
            if at[level] >= halves {
                level -= 1;
                at[level] += 1;
                continue;
            }
            self.combinations += 1;
            let alternative = self.pairs[pair as usize].half[at[level]];
            let half = &self.claims[alternative as usize];
            let left = common[level - 1].and(&half.carrier);
            let so_far = &made[level - 1];
            let carrier = so_far.carrier.or(&half.carrier);
            let size = carrier.len();
            if left == common[level - 1] || size > self.budget.carrier {
                at[level] += 1;
                continue;
            }
            let mut together = Claim {
                ends: claim.ends,
                key: NONE,
                moves: so_far.moves.max(half.moves),
                size: size as u16,
                carrier,
                turns: claim.turns,
                loose: so_far.loose.or(&half.loose).or(&claim.turns.xor(&half.turns)),
                parts: so_far.parts,
            };
            together.parts[level] = alternative;
            if left.is_empty() {
                self.push(together);
                at[level] += 1;
            } else if level + 1 < MOST_HALVES {
                (common[level], made[level]) = (left, together);
                at[level + 1] = at[level] + 1;
                level += 1;
            } else {
                at[level] += 1;
            }
        }
    }
}

/// Puts a claim into a list behind the claims of its size. A net that does not grow meets its claims by size.
fn insert<const W: usize>(claims: &[Claim<W>], list: &mut Vec<u32>, at: u32) {
    let size = claims[at as usize].size;
    let place = match list.last() {
        Some(&last) if claims[last as usize].size > size => {
            list.partition_point(|&other| claims[other as usize].size <= size)
        }
        _ => list.len(),
    };
    list.insert(place, at);
}

/// The cells whose ray to the east a step between neighbours crosses: the cells to the west of the upper cell, if the
/// step leads from one row to another.
fn crossings<const W: usize>(board: &Board, a: Cell, b: Cell) -> Mask<W> {
    let mut mask = Mask::EMPTY;
    let (upper, lower) = if a < b { (a, b) } else { (b, a) };
    if board.coord(upper).row != board.coord(lower).row {
        for cell in board.ray(upper, Direction::W) {
            mask.insert(cell.index() as u16);
        }
    }
    mask
}
