//! The data of a playout board, and its loop. [`PlayoutBoard`](super::PlayoutBoard) explains the ideas.

#![expect(clippy::inline_always, reason = "one loop: its parts must see each other's constants")]

use rand_core::RngCore;

use super::around::{narrow, wide};
use super::layout::{HALF, Layout, MAX_SPOTS, is_wide};
use crate::WinKinds;
use crate::tables::connection;

/// The six neighbours in a window, and the cell itself.
const NEIGHBOURS: u64 = 0b110_101_011;
const CENTRE: u32 = 4;
/// The number of a chain: a byte if a byte is enough.
pub(super) trait Id: Copy + PartialEq + Sized {
    fn of(index: usize) -> Self;
    fn index(self) -> usize;
    fn plus(self, more: u8) -> Self;
    /// A table in which every chain is its own root.
    fn roots<const IDS: usize>() -> [Self; IDS];
}

macro_rules! id {
    ($type:ty) => {
        impl Id for $type {
            #[inline(always)]
            fn of(index: usize) -> Self {
                index as Self
            }
            #[inline(always)]
            fn index(self) -> usize {
                usize::from(self)
            }
            #[inline(always)]
            fn plus(self, more: u8) -> Self {
                self.wrapping_add(Self::from(more))
            }
            #[inline(always)]
            fn roots<const IDS: usize>() -> [Self; IDS] {
                const {
                    let mut all = [0; IDS];
                    let mut i = 0;
                    while i < IDS {
                        all[i] = i as Self;
                        i += 1;
                    }
                    all
                }
            }
        }
    };
}
id!(u8);
id!(u16);

/// The stones and chains of both sides. The numbers of spots and ids are powers of two, so that an
/// index needs a mask and no check.
#[derive(Clone, Copy)]
struct Chains<T, const WORDS: usize, const SPOTS: usize, const IDS: usize> {
    /// Word `2 · row + side`: rows `row − 1`, `row` and `row + 1` of that side, interleaved by column.
    windows: [u64; WORDS],
    /// The data of a root. Bits 0–11: corners and edges of its chain; the bits above: the height of its tree, at most
    /// 2.
    masks: [u16; IDS],
    parents: [T; IDS],
    /// For each stone a chain that it belongs to; for other spots, remains of earlier games.
    labels: [T; SPOTS],
}

/// The height of a tree of chains, above the mask.
const HEIGHT: u32 = 1 << 12;
const MASK: u32 = HEIGHT - 1;

impl<T: Id, const WORDS: usize, const SPOTS: usize, const IDS: usize> Chains<T, WORDS, SPOTS, IDS> {
    const WIDE: bool = WORDS > 2 * HALF;

    const fn reset(&mut self, roots: [T; IDS]) {
        self.windows = [0; WORDS];
        self.masks = [0; IDS];
        self.parents = roots;
    }

    /// Puts a stone on an empty spot. Returns the kinds of win that it completes.
    #[inline(always)]
    fn put(&mut self, layout: &Layout, spot: usize, side: usize, next: &mut T) -> WinKinds {
        let place = layout.spots[spot & (SPOTS - 1)];
        let window = self.occupy(layout, place, side);
        let join = &layout.joins[window];
        self.labels[spot & (SPOTS - 1)] = *next;
        *next = next.plus(join.founds);
        let root = self.root(spot, join.first);
        self.labels[spot & (SPOTS - 1)] = T::of(root);
        let rim = if Self::WIDE { place >> 16 & MASK } else { place >> 16 };
        let mask = u32::from(self.masks[root]) | rim;
        if join.more {
            return self.join(layout, Stone { spot, side, window }, root, mask, *next);
        }
        self.masks[root] = mask as u16;
        kinds(layout, mask)
    }

    /// Sets the bits of a stone. Returns its window before.
    #[inline(always)]
    fn occupy(&mut self, layout: &Layout, place: u32, side: usize) -> usize {
        let (shift, word) = (place as u8, (place >> 8 & 255) as usize);
        let rows: &mut [u64; 6] = (&mut self.windows[word..word + 6]).try_into().expect("six words");
        let window = rows[2 + side] >> (shift & 63);
        let bit = layout.bits[usize::from(shift)];
        rows[4 + side] |= bit;
        rows[2 + side] |= bit << 1;
        rows[side] |= bit << 2;
        if Self::WIDE && place >> 28 != 0 {
            self.occupy_across(place, side);
        }
        (window & 511) as usize
    }

    /// Sets the bits of a stone in a column of the seam, which both halves have.
    #[cold]
    #[inline(never)]
    fn occupy_across(&mut self, place: u32, side: usize) {
        let word = (place >> 8 & 255) as usize + side;
        let (word, bit) = if place >> 28 == 1 { (word + 2 * HALF, 1) } else { (word - 2 * HALF, 1 << 60) };
        self.windows[word + 4] |= bit;
        self.windows[word + 2] |= bit << 1;
        self.windows[word] |= bit << 2;
    }

    /// The root of the chain of the stone `step` away. No tree is higher than 2.
    #[inline(always)]
    fn root(&self, spot: usize, step: i16) -> usize {
        let label = self.labels[spot.wrapping_add(step as usize) & (SPOTS - 1)];
        let parent = self.parents[label.index() & (IDS - 1)];
        self.parents[parent.index() & (IDS - 1)].index() & (IDS - 1)
    }

    /// The rest of [`Chains::put`] for a stone with several runs around it or a run of three.
    #[inline(always)]
    fn join(&mut self, layout: &Layout, stone: Stone, root: usize, mask: u32, next: T) -> WinKinds {
        let tasks = layout.tasks[stone.window];
        if tasks == 1 {
            return self.unite(layout, &stone, 0, root, mask, next);
        }
        if tasks & 1 == 0 {
            let found = self.filled(layout, stone.spot, stone.side, tasks >> 2);
            self.masks[root] = mask as u16;
            return found.with(kinds(layout, mask));
        }
        self.join_many(layout, stone, root, mask, next)
    }

    /// A ring if one of the neighbours in the directions `middles` has six own neighbours.
    #[inline(always)]
    fn filled(&self, layout: &Layout, spot: usize, side: usize, mut middles: u8) -> WinKinds {
        let mut found = WinKinds::NONE;
        while middles != 0 {
            let step = layout.steps[middles.trailing_zeros() as usize & 7];
            let place = layout.spots[spot.wrapping_add(step as usize) & (SPOTS - 1)];
            middles &= middles - 1;
            let row = self.windows[(place >> 8 & 255) as usize + 2 + side];
            if row >> (place & 63) & NEIGHBOURS == NEIGHBOURS {
                found = WinKinds::RING;
            }
        }
        found
    }

    #[inline(never)]
    fn join_many(&mut self, layout: &Layout, stone: Stone, root: usize, mask: u32, next: T) -> WinKinds {
        let tasks = layout.tasks[stone.window];
        let found = self.filled(layout, stone.spot, stone.side, tasks >> 2);
        let mut found = found.with(self.unite(layout, &stone, 0, root, mask, next));
        if tasks & 2 != 0 {
            let root = self.root(stone.spot, 0);
            let mask = u32::from(self.masks[root]);
            found = found.with(self.unite(layout, &stone, 1, root, mask, next));
        }
        found
    }

    /// Joins the chain `root`, whose mask is to be `mask`, with the chain of another run. A ring if both are one
    /// chain. The higher tree stays the root.
    #[inline(always)]
    fn unite(
        &mut self,
        layout: &Layout,
        stone: &Stone,
        run: usize,
        root: usize,
        mask: u32,
        next: T,
    ) -> WinKinds {
        let other = self.root(stone.spot, layout.others[run][stone.window]);
        if other == root {
            self.masks[root] = mask as u16;
            return WinKinds::RING.with(won(mask & MASK));
        }
        let their = u32::from(self.masks[other]);
        let (top, low) = if mask >= their { (root, other) } else { (other, root) };
        self.parents[low] = T::of(top);
        self.labels[stone.spot & (SPOTS - 1)] = T::of(top);
        let mut height = mask.max(their) & !MASK;
        if (mask ^ their) < HEIGHT {
            height += HEIGHT;
        }
        if height > 2 * HEIGHT {
            self.flatten(next);
            height = HEIGHT;
        }
        let mask = (mask | their) & MASK;
        self.masks[top] = (mask | height) as u16;
        kinds(layout, mask)
    }

    /// Makes every chain a child of its root. Trees are at most 3 high before.
    #[cold]
    #[inline(never)]
    fn flatten(&mut self, next: T) {
        for id in 0..next.index() & (2 * IDS - 1) {
            let id = id & (IDS - 1);
            let parent = self.parents[id].index() & (IDS - 1);
            let parent = self.parents[parent].index() & (IDS - 1);
            self.parents[id] = self.parents[parent];
        }
        for mask in &mut self.masks {
            let flat = if u32::from(*mask) < HEIGHT { 0 } else { HEIGHT as u16 };
            *mask = (*mask & MASK as u16) | flat;
        }
    }
}

/// The bridge and fork of a chain.
#[inline(always)]
fn kinds(layout: &Layout, mask: u32) -> WinKinds {
    let mask = mask & MASK;
    if layout.won[mask as usize] { won(mask) } else { WinKinds::NONE }
}

/// The kinds of a chain that has won, in a function outside the loop, as it runs once in a game.
#[cold]
#[inline(never)]
fn won(mask: u32) -> WinKinds {
    connection(mask as u16)
}

/// A stone just put on the board.
#[derive(Clone, Copy)]
struct Stone {
    spot: usize,
    side: usize,
    window: usize,
}

/// The progress of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Progress {
    /// The number of empty cells.
    pub(super) left: u16,
    /// The number of empty cells at the beginning of the trace.
    pub(super) start: u16,
    /// The next chain to be numbered.
    next: u16,
    /// The side to move.
    pub(super) side: u8,
    /// The kinds of win that have been completed.
    pub(super) kinds: WinKinds,
}

/// The data that change in a game, except [`Progress`].
#[derive(Clone, Copy)]
pub(super) struct State<T, const WORDS: usize, const SPOTS: usize, const IDS: usize, const CELLS: usize> {
    chains: Chains<T, WORDS, SPOTS, IDS>,
    /// The empty spots in any order, then the occupied spots, the last move first.
    list: [u16; CELLS],
}

impl<T: Id, const WORDS: usize, const SPOTS: usize, const IDS: usize, const CELLS: usize>
    State<T, WORDS, SPOTS, IDS, CELLS>
{
    /// The empty board; the size must fit.
    pub(super) fn new(layout: &Layout) -> Self {
        let size = layout.board.size();
        let rows = if is_wide(size) { 2 * HALF } else { layout.board.rows() + 2 };
        assert!(2 * rows <= WORDS && layout.board.len() <= CELLS && 2 * Layout::founders(size) <= IDS);
        assert!(SPOTS <= MAX_SPOTS && layout.board.rows().pow(2) <= SPOTS);
        let chains =
            Chains { windows: [0; WORDS], masks: [0; IDS], parents: T::roots(), labels: [T::of(0); SPOTS] };
        let mut state = Self { chains, list: [0; CELLS] };
        state.list[..layout.spot_of.len()].copy_from_slice(&layout.spot_of);
        state
    }

    pub(super) const fn list(&self) -> &[u16] {
        &self.list
    }

    /// Removes all stones.
    pub(super) fn reset(&mut self, layout: &Layout) -> Progress {
        self.chains.reset(T::roots());
        let left = layout.board.len() as u16;
        Progress { left, start: left, next: 0, side: 0, kinds: WinKinds::NONE }
    }

    /// Sets up any stones. For each row, `rows` has the number of the cell at bit 0, which may be off the board, and
    /// the words of both sides.
    pub(super) fn load(&mut self, layout: &Layout, rows: impl Iterator<Item = (i16, [u64; 2])>) -> Progress {
        let mut now = self.reset(layout);
        let mut next = T::of(0);
        let cells = layout.spot_of.len();
        // The list has all spots, the last spot first. An occupied spot is exchanged with the last empty spot. Spots
        // that come later are before both, in their old places.
        self.list.copy_from_slice(&layout.backwards[..CELLS]);
        let mut left = cells;
        for (origin, [first, second]) in rows {
            let mut bits = first | second;
            while bits != 0 {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                let at = cells - 1 - (i32::from(origin) + bit as i32) as usize;
                left -= 1;
                let side = (second >> bit & 1) as usize;
                self.chains.put(layout, self.list[at].into(), side, &mut next);
                self.list.swap(at, left);
            }
        }
        (now.left, now.start) = (left as u16, left as u16);
        now.next = next.index() as u16;
        now
    }

    /// `true` if a side has a stone on a spot.
    pub(super) fn has(&self, layout: &Layout, spot: u16, side: usize) -> bool {
        let place = layout.spots[usize::from(spot)];
        self.chains.windows[(place >> 8 & 255) as usize + 2 + side] >> ((place & 63) + CENTRE) & 1 != 0
    }

    /// The stones of either side within two steps of a spot; the bits of cells off the board are undefined.
    #[inline]
    pub(super) fn around(&self, layout: &Layout, spot: u16) -> [u32; 2] {
        let place = layout.spots[usize::from(spot)];
        if WORDS > 2 * HALF { wide(&self.chains.windows, place) } else { narrow(&self.chains.windows, place) }
    }

    /// Plays one stone; `false` if the spot is not empty.
    pub(super) fn place(&mut self, layout: &Layout, spot: u16, now: &mut Progress) -> bool {
        let left = usize::from(now.left);
        let Some(at) = self.place_of(layout, spot, left) else { return false };
        self.list.swap(at, left - 1);
        self.play(layout, spot.into(), now);
        true
    }

    /// The index of a spot among the first `left` spots of the list.
    ///
    /// The list is a permutation of the spots, so the walk from a spot's first place to the first place of the spot that stands
    /// there, and so on, ends at the place of the spot. On a board that was set up a game ago most walks have one step; on an
    /// older board walks grow long, and the list is searched instead.
    #[inline]
    fn place_of(&self, layout: &Layout, spot: u16, left: usize) -> Option<usize> {
        let first_place =
            |spot: u16| layout.spot_of.len() - 1 - usize::from(layout.cell_of[usize::from(spot)]);
        let mut at = first_place(spot);
        for _ in 0..MOST_STEPS {
            let found = self.list[at];
            if found == spot {
                return Some(at).filter(|&at| at < left);
            }
            at = first_place(found);
        }
        position(&self.list[..left], spot)
    }

    /// Plays one stone at random; there must be an empty spot.
    pub(super) fn step(
        &mut self,
        layout: &Layout,
        now: &mut Progress,
        rng: &mut (impl RngCore + ?Sized),
    ) -> u16 {
        let (spot, _) = draw::<SPOTS>(&mut self.list[..usize::from(now.left)], &mut rng.next_u64());
        self.play(layout, spot, now);
        spot as u16
    }

    /// Plays the last of the empty spots.
    fn play(&mut self, layout: &Layout, spot: usize, now: &mut Progress) {
        let mut next = T::of(now.next.into());
        now.kinds = self.chains.put(layout, spot, usize::from(now.side), &mut next);
        now.next = next.index() as u16;
        now.left -= 1;
        now.side ^= 1;
    }

    /// Plays random moves until a side has won or the board is full. The game must not be won yet.
    #[inline(never)]
    pub(super) fn run(&mut self, layout: &Layout, now: &mut Progress, rng: &mut (impl RngCore + ?Sized)) {
        now.start = now.left;
        let mut list = &mut self.list[..usize::from(now.left)];
        let chains = &mut self.chains;
        let mut next = T::of(now.next.into());
        let mut side = usize::from(now.side);
        let mut found = WinKinds::NONE;
        // The number of cells that were drawn, but not played any more.
        let mut unplayed = 0;
        'game: {
            macro_rules! play {
                ($spot:expr, $side:expr, $unplayed:expr) => {
                    found = chains.put(layout, $spot, $side, &mut next);
                    if !found.is_empty() {
                        unplayed = $unplayed;
                        break 'game;
                    }
                };
            }
            if side == 1 && !list.is_empty() {
                let (spot, rest) = draw::<SPOTS>(list, &mut rng.next_u64());
                list = rest;
                side = 0;
                play!(spot, 1, 0);
            }
            // Four cells are drawn at once, ahead of their moves, so that they are ready after a mispredicted branch.
            while list.len() >= 4 {
                let random = &mut rng.next_u64();
                let (a, rest) = draw::<SPOTS>(list, random);
                let (b, rest) = draw::<SPOTS>(rest, random);
                let (c, rest) = draw::<SPOTS>(rest, random);
                let (d, rest) = draw::<SPOTS>(rest, random);
                list = rest;
                play!(a, 0, 3);
                play!(b, 1, 2);
                play!(c, 0, 1);
                play!(d, 1, 0);
            }
            let random = &mut rng.next_u64();
            while !list.is_empty() {
                let (spot, rest) = draw::<SPOTS>(list, random);
                list = rest;
                play!(spot, side, 0);
                side ^= 1;
            }
        }
        now.left = (list.len() + unplayed) as u16;
        now.next = next.index() as u16;
        now.kinds = found;
        now.side ^= ((now.start - now.left) & 1) as u8;
    }
}

/// The most steps of a walk to the place of a spot.
const MOST_STEPS: usize = 8;

/// The index of a spot in the list. The search compares whole blocks at once.
fn position(list: &[u16], spot: u16) -> Option<usize> {
    const BLOCK: usize = 32;
    let block = list.chunks(BLOCK).position(|block| block.contains(&spot))?;
    let rest = list[block * BLOCK..].iter().position(|&s| s == spot)?;
    Some(block * BLOCK + rest)
}

/// Takes one of the spots at random and puts it behind the other spots. Returns the spot and the list of the other
/// spots.
///
/// The product of a 64-bit fraction and the number of spots has the index as its whole part and an
/// unused fraction as the rest, which serves for the next draw.
#[inline(always)]
#[expect(
    clippy::manual_swap,
    reason = "the checks of `swap` in builds with debug assertions took half of the time of playouts there"
)]
fn draw<'a, const SPOTS: usize>(list: &'a mut [u16], random: &mut u64) -> (usize, &'a mut [u16]) {
    let product = u128::from(*random) * list.len() as u128;
    *random = product as u64;
    let at = (product >> 64) as usize;
    let last = list.len() - 1;
    let spot = list[at];
    list[at] = list[last];
    list[last] = spot;
    (usize::from(spot) & (SPOTS - 1), &mut list[..last])
}
