//! Compiles patterns into tables.
//!
//! The tables are a tree that a look-up walks ring by ring. A node stands for the patterns that are left after the inner rings,
//! and its key has only the cells of its ring on which one of these patterns has a condition. So a `?` costs nothing unless
//! another pattern with the same inner rings has a condition on that cell.

use std::collections::{HashMap, HashSet};

use bitvec::prelude::*;
use smallvec::SmallVec;

use crate::cells::Cells;
use crate::check;
use crate::code::Reach;
use crate::cover::{Gap, Item, MAX_STEPS};
use crate::fault::{Fault, FaultKind, FoundFaults, SourcePlace};
use crate::source::{self, Pattern};
use crate::tables::{NONE, Node, Reply, RingResult, Tables, index};

/// The most entries of all tables together. Each item takes at least one.
pub(crate) const MAX_ENTRIES: usize = 1 << 22;

/// The largest number of items that are compared with patterns that may be shadowed.
const MAX_COMPARED: usize = 1 << 28;

/// The tables of patterns, or the faults: those of the texts, `faults`, and those of the patterns.
pub(crate) fn compile(patterns: &[Pattern], mut faults: FoundFaults) -> Result<Tables, FoundFaults> {
    let mut sound = Vec::new();
    for (number, pattern) in patterns.iter().enumerate() {
        if faults.is_full() {
            return Err(faults);
        }
        match check::fault(pattern) {
            Some(fault) => faults.push(fault),
            None => sound.push(number as u32),
        }
    }
    let mut compiler = Compiler::new(patterns, faults);
    compiler.add_all(&sound);
    compiler.root();
    compiler.unanswered(&sound);
    if compiler.faults.is_empty() { Ok(compiler.tables.finish()) } else { Err(compiler.faults) }
}

/// An image of a pattern.
struct Image {
    pattern: u32,
    answer: u32,
    /// The index of its cells among the items; its exceptions follow them.
    item: u32,
}

struct Compiler<'a> {
    patterns: &'a [Pattern],
    images: Vec<Image>,
    items: Vec<Item>,
    tables: Tables,
    replies: HashMap<(u32, u32), u32>,
    /// Nodes by ring and by the remaining items, because several ways lead to the same node.
    nodes: HashMap<(Reach, Vec<u32>), u32>,
    entries: usize,
    /// For each pattern, `true` if it is known to answer somewhere.
    answers: BitVec,
    compared: HashSet<(u32, u32)>,
    /// The remaining part of [`MAX_STEPS`].
    steps: usize,
    faults: FoundFaults,
    /// `true` if there are more entries or faults than the limits allow.
    full: bool,
}

impl<'a> Compiler<'a> {
    fn new(patterns: &'a [Pattern], faults: FoundFaults) -> Self {
        Self {
            patterns,
            images: Vec::new(),
            items: Vec::new(),
            tables: Tables::default(),
            replies: HashMap::new(),
            nodes: HashMap::new(),
            entries: 0,
            answers: bitvec![0; patterns.len()],
            compared: HashSet::new(),
            steps: MAX_STEPS,
            full: faults.is_full(),
            faults,
        }
    }

    fn add_all(&mut self, sound: &[u32]) {
        for &number in sound {
            self.add(number);
            if self.items.len() > MAX_ENTRIES {
                return self.overflow(number, self.items.len());
            }
        }
    }

    fn report(&mut self, at: SourcePlace, what: FaultKind) {
        self.faults.push(Fault { at, what });
        self.full |= self.faults.is_full();
    }

    fn add(&mut self, number: u32) {
        for source::Image { cells, exceptions, answer } in self.patterns[number as usize].images() {
            let image = self.images.len() as u32;
            self.images.push(Image { pattern: number, answer, item: self.items.len() as u32 });
            self.items.push(Item { cells, image, is_exception: false });
            self.items.extend(exceptions.into_iter().map(|cells| Item { cells, image, is_exception: true }));
        }
    }

    fn item(&self, item: u32) -> &Item {
        &self.items[item as usize]
    }

    fn pattern_of(&self, item: u32) -> u32 {
        self.images[self.item(item).image as usize].pattern
    }

    /// The first ring, as a table of all its possible states.
    fn root(&mut self) {
        let all: Vec<u32> = (0..self.items.len() as u32).collect();
        let path = Cells::any(Reach::Six);
        let care = Reach::Six.mask();
        for (key, group) in self.groups(&all, Reach::Six, care) {
            let result = self.result(path, Reach::Six, care, key, &group);
            self.tables.set_first(key, result);
        }
    }

    /// The remaining items, for each possible state of the cells of a ring with a condition.
    fn groups(&mut self, live: &[u32], ring: Reach, care: u32) -> Vec<(u32, Vec<u32>)> {
        if self.full {
            return Vec::new();
        }
        let mut entries = Vec::with_capacity(live.len());
        for &number in live {
            let cells = self.item(number).cells;
            let single = cells.single();
            let mut loose = care & !single;
            let count = each(loose).fold(1, |n, i| n * cells.states(i).count_ones() as usize);
            self.entries += count;
            if self.entries > MAX_ENTRIES {
                self.overflow(self.pattern_of(number), self.entries);
                return Vec::new();
            }
            let [mover, other] = cells.planes().map(|plane| plane & care & single);
            let from = entries.len();
            entries.push((index(ring, mover, other), number));
            while loose != 0 {
                let (cell, end) = (loose.trailing_zeros(), entries.len());
                loose &= loose - 1;
                let states = (0..4u32).filter(|state| cells.states(cell as usize) >> state & 1 != 0);
                let bits = states.map(|s| index(ring, (s & 1) << cell, (s >> 1) << cell));
                let bits: SmallVec<[u32; 4]> = bits.collect();
                for at in from..end {
                    let base = entries[at].0;
                    entries[at].0 = base | bits[0];
                    entries.extend(bits[1..].iter().map(|bits| (base | bits, number)));
                }
            }
        }
        entries.sort_unstable();
        let chunks = entries.chunk_by(|a, b| a.0 == b.0);
        chunks.map(|chunk| (chunk[0].0, chunk.iter().map(|&(_, item)| item).collect())).collect()
    }

    fn overflow(&mut self, pattern: u32, count: usize) {
        if !self.full {
            self.full = true;
            let pattern = &self.patterns[pattern as usize];
            self.report(
                pattern.at.clone(),
                FaultKind::Entries { pattern: pattern.title(), count, limit: MAX_ENTRIES },
            );
        }
    }

    /// The reply, and the next node, if the cells of a ring with a condition have these states; `path` has the states of the
    /// inner rings.
    fn result(&mut self, path: Cells, ring: Reach, care: u32, key: u32, group: &[u32]) -> RingResult {
        let (ended, left): (Vec<u32>, Vec<u32>) =
            group.iter().partition(|&&item| self.item(item).cells.reach() == ring);
        let left = self.with_owners(left);
        let path = path.fixed(care, unindexed(ring, key));
        let reply = self.answer(path, &ended, &left);
        let node = ring.longer().filter(|_| !left.is_empty());
        let node = node.map_or(NONE, |ring| self.node(path, ring, left));
        RingResult { reply, node }
    }

    /// The items, except exceptions to patterns that are not among them.
    fn with_owners(&self, items: Vec<u32>) -> Vec<u32> {
        if !items.iter().any(|&item| self.item(item).is_exception) {
            return items;
        }
        let there: HashSet<u32> = items.iter().copied().collect();
        let owned = |&item: &u32| there.contains(&self.images[self.item(item).image as usize].item);
        items.iter().copied().filter(owned).collect()
    }

    /// The number of the reply of the patterns that end with this ring, or [`NONE`].
    fn answer(&mut self, path: Cells, ended: &[u32], left: &[u32]) -> u32 {
        let exceptions = ended.iter().map(|&item| self.item(item)).filter(|item| item.is_exception);
        let exempt: HashSet<u32> = exceptions.map(|item| item.image).collect();
        let matching = |&&item: &&u32| {
            let Item { image, is_exception, .. } = self.item(item);
            !is_exception && !exempt.contains(image)
        };
        let matching: Vec<u32> = ended.iter().filter(matching).copied().collect();
        let Some(&first) = matching.first() else { return NONE };
        let pattern = self.pattern_of(first);
        let mut answer = 0;
        for &item in &matching {
            if self.pattern_of(item) == pattern {
                answer |= self.images[self.item(item).image as usize].answer;
            } else {
                self.compare(first, item);
            }
        }
        if !self.full
            && !self.answers[pattern as usize]
            && let Some(region) = path.both(&self.item(first).cells)
        {
            let items: Vec<Item> = left.iter().map(|&i| *self.item(i)).collect();
            let reach = items.iter().map(|item| item.cells.reach()).max().unwrap_or(region.reach());
            let gap = Gap::search(region.extended(reach), &items, &mut self.steps);
            self.answers.set(pattern as usize, matches!(gap, Gap::At(_)));
        }
        self.reply(pattern, answer)
    }

    /// The number of a reply.
    fn reply(&mut self, pattern: u32, answer: u32) -> u32 {
        let next = self.tables.replies.len() as u32;
        *self.replies.entry((pattern, answer)).or_insert_with(|| {
            let Pattern { chance, weight, .. } = self.patterns[pattern as usize];
            self.tables.replies.push(Reply { answer, weight, pattern, chance });
            next
        })
    }

    /// Reports two patterns of one length that match the same neighbourhood, unless their exceptions or the shapes of
    /// boards exclude this.
    fn compare(&mut self, one: u32, two: u32) {
        let (a, b) = (self.pattern_of(one), self.pattern_of(two));
        let (early, late) = (a.min(b), a.max(b));
        if self.full || self.compared.contains(&(early, late)) {
            return;
        }
        let images = [self.item(one).image, self.item(two).image];
        let Some(region) = self.item(one).cells.both(&self.item(two).cells) else { return };
        // The exceptions of either pattern count as images that match, so the search finds a neighbourhood outside all
        // of them.
        let mut apart = Vec::new();
        for image in images {
            let from = self.images[image as usize].item as usize + 1;
            let own = self.items[from..].iter().take_while(|item| item.is_exception);
            apart.extend(own.map(|item| Item { is_exception: false, ..*item }));
        }
        let both = Gap::search(region, &apart, &mut self.steps);
        if both == Gap::None {
            return;
        }
        self.compared.insert((early, late));
        // One fault about the later pattern is enough.
        self.answers.set(late as usize, true);
        let [early, late] = [early, late].map(|i| &self.patterns[i as usize]);
        let what = match both {
            Gap::At(common) => FaultKind::Conflict { pattern: late.title(), other: early.at.clone(), common },
            _ => steps(),
        };
        let at = late.at.clone();
        self.report(at, what);
    }

    /// The node for the remaining items, from a ring on.
    fn node(&mut self, path: Cells, mut ring: Reach, left: Vec<u32>) -> u32 {
        let care = |ring: Reach| {
            left.iter().fold(0, |all, &item| all | self.item(item).cells.cared()) & ring.ring_mask()
        };
        while care(ring) == 0 && left.iter().all(|&item| self.item(item).cells.reach() > ring) {
            let Some(longer) = ring.longer() else { return NONE };
            ring = longer;
        }
        let care = care(ring);
        let inside = ring.mask() & !ring.ring_mask();
        let several = left.iter().any(|&item| self.item(item).cells.single() & inside != inside);
        if several && let Some(&node) = self.nodes.get(&(ring, left.clone())) {
            return node;
        }
        let node = self.tables.nodes.len() as u32;
        self.tables.nodes.push(Node { care, ring });
        if let [item] = left[..]
            && care & !self.item(item).cells.single() == 0
        {
            let result = self.only(path, ring, care, item, left);
            self.tables.add(node, result.0, result.1);
            return node;
        }
        let path = path.extended(ring);
        for (key, group) in self.groups(&left, ring, care) {
            let result = self.result(path, ring, care, key, &group);
            self.tables.add(node, key, result);
        }
        if several {
            self.nodes.insert((ring, left), node);
        }
        node
    }

    /// As [`Compiler::result`], for a single item with one possible state of a ring: its key, and the result of the look-up.
    fn only(&mut self, path: Cells, ring: Reach, care: u32, item: u32, left: Vec<u32>) -> (u32, RingResult) {
        self.entries += 1;
        let Item { cells, image, .. } = *self.item(item);
        let [mover, other] = cells.planes().map(|plane| plane & care);
        let key = index(ring, mover, other);
        let Image { pattern, answer, .. } = self.images[image as usize];
        if let Some(longer) = ring.longer().filter(|_| cells.reach() > ring) {
            let path = path.extended(ring).fixed(care, [mover, other]);
            return (key, RingResult { reply: NONE, node: self.node(path, longer, left) });
        }
        // No other pattern remains that could answer first, and some board has these cells.
        self.answers.set(pattern as usize, true);
        (key, RingResult { reply: self.reply(pattern, answer), node: NONE })
    }

    /// Reports the patterns that are not known to answer anywhere.
    fn unanswered(&mut self, sound: &[u32]) {
        let mut compared = 0;
        for &number in sound {
            if self.full || self.answers[number as usize] {
                continue;
            }
            compared += self.items.len();
            let what = if compared > MAX_COMPARED { Some(steps()) } else { self.unanswered_by(number) };
            if let Some(what) = what {
                self.report(self.patterns[number as usize].at.clone(), what);
            }
            if compared > MAX_COMPARED {
                return;
            }
        }
    }

    /// The reason why a pattern never answers; `None` if it answers somewhere.
    fn unanswered_by(&mut self, number: u32) -> Option<FaultKind> {
        let pattern = &self.patterns[number as usize];
        let cells = pattern.cells;
        let excepted = |&cells: &Cells| Item { cells, image: u32::MAX, is_exception: false };
        let mut items: Vec<Item> = pattern.exceptions().map(excepted).collect();
        match Gap::search(cells, &items, &mut self.steps) {
            Gap::At(_) => {}
            Gap::None => return Some(FaultKind::ExceptsAll { pattern: pattern.title() }),
            Gap::Unknown => return Some(steps()),
        }
        let longer = |item: &&Item| item.cells.reach() > cells.reach() && item.cells.both(&cells).is_some();
        let longer: Vec<&Item> = self.items.iter().filter(longer).collect();
        let first = longer.first().map(|item| self.images[item.image as usize].pattern)?;
        items.extend(longer);
        let reach = items.iter().map(|item| item.cells.reach()).max().unwrap_or(cells.reach());
        match Gap::search(cells.extended(reach), &items, &mut self.steps) {
            Gap::At(_) => None,
            Gap::Unknown => Some(steps()),
            Gap::None => {
                let other = self.patterns[first as usize].at.clone();
                Some(FaultKind::Shadowed { pattern: pattern.title(), other })
            }
        }
    }
}

fn steps() -> FaultKind {
    let what = "steps to hold a pattern against its exceptions and longer patterns";
    FaultKind::Limit { what, count: MAX_STEPS + 1, limit: MAX_STEPS }
}

/// The numbers of the bits that are set.
fn each(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        next
    })
}

/// The planes of a key of [`index`].
fn unindexed(ring: Reach, key: u32) -> [u32; 2] {
    let width = ring.cells() - ring.ring_start();
    let plane = |bits: u32| (bits & ((1 << width) - 1)) << ring.ring_start();
    [plane(key), plane(key >> width)]
}
