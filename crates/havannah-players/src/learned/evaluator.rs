//! [`HavannahNet`]: the network's value of a position, kept from position to position.

use std::sync::Arc;

use stonework_game::{ByPlayer, Game, Player};
use stonework_havannah::Position;
use stonework_learn::{RowPair, SumPair, ValueNet, WrongCount, evaluator_value};
use stonework_search::Evaluator;

use super::codes::{CENTRE, Codes, PLACES, classes, places, swapped};
use super::position_features::{CHAINS, Layout, chain_class, size, stage};

/// An [`Evaluator`] by a network for [`HavannahFeatures`](crate::HavannahFeatures). It keeps the sums of the rows of both sides,
/// and changes the rows of the cells around those whose stones have changed since the position before: after a move at most
/// fourteen rows a side. The values are those of a [`NetEvaluator`](stonework_learn::NetEvaluator) exactly.
#[derive(Clone, Debug)]
pub struct HavannahNet {
    shared: Arc<Shared>,
    codes: Codes,
    /// The sums of the rows of cells and stones.
    sums: SumPair,
    /// For each cell, the classes whose rows are in the sums: near and far.
    counted: Vec<[u16; 2]>,
    /// The cells whose codes may have changed, near and far, and a mark for each cell that is in the list.
    near: Dirty,
    far: Dirty,
}

/// Cells, each at most once.
#[derive(Clone, Debug, Default)]
struct Dirty {
    cells: Vec<u16>,
    marked: Vec<bool>,
}

impl Dirty {
    #[inline]
    fn insert(&mut self, cell: u16) {
        if !std::mem::replace(&mut self.marked[usize::from(cell)], true) {
            self.cells.push(cell);
        }
    }
}

/// The network with its rows in pairs.
#[derive(Debug)]
struct Shared {
    net: ValueNet,
    /// The rows of each class, near and far, as the first player sees the cells, with the rows of the same cells as the second
    /// player sees them.
    near: Vec<RowPair>,
    far: Vec<RowPair>,
    /// The rows of the place of a stone, by its owner and place.
    places: ByPlayer<Vec<RowPair>>,
    /// The rows of chains, by owner and class.
    chains: ByPlayer<Vec<RowPair>>,
    stages: Vec<RowPair>,
    sizes: Vec<RowPair>,
}

/// The number of no row.
const NONE: u32 = u32::MAX;

impl Shared {
    fn new(net: ValueNet) -> Self {
        let (layout, classes) = (Layout::new(), classes());
        let mut swapped_class = vec![0; classes.count];
        for code in 0..3_u16 << CENTRE {
            swapped_class[usize::from(classes.of[usize::from(code)])] =
                classes.of[usize::from(swapped(code))];
        }
        let row = |first: u32, class: u16| if class == 0 { NONE } else { first + u32::from(class) };
        let of_classes = |first: u32| {
            let pair = |class: usize| net.pair(row(first, class as u16), row(first, swapped_class[class]));
            (0..classes.count).map(pair).collect()
        };
        let owned = |count: u32, row: &dyn Fn(u32, bool) -> u32| {
            let of = |player| {
                let first = player == Player::First;
                (0..count).map(|at| net.pair(row(at, first), row(at, !first))).collect()
            };
            ByPlayer::new(of(Player::First), of(Player::Second))
        };
        let both = |rows: std::ops::Range<u32>| rows.map(|row| net.pair(row, row)).collect();
        Self {
            near: of_classes(0),
            far: of_classes(layout.far),
            places: owned(PLACES as u32, &|at, own| layout.place(at as u8, own)),
            chains: owned(CHAINS as u32, &|at, own| layout.chain(at, own)),
            stages: both(layout.stages..layout.sizes),
            sizes: both(layout.sizes..layout.rows),
            net,
        }
    }
}

impl HavannahNet {
    /// An evaluator by a network, for boards of any size.
    ///
    /// # Errors
    /// If the network is not one for [`HavannahFeatures`](crate::HavannahFeatures).
    pub fn new(net: ValueNet) -> Result<Self, WrongCount> {
        WrongCount::check(net.rows(), Layout::new().rows as usize)?;
        let (sums, shared) = (net.empty_pair(), Arc::new(Shared::new(net)));
        let (near, far) = (Dirty::default(), Dirty::default());
        Ok(Self { shared, codes: Codes::default(), sums, counted: Vec::new(), near, far })
    }

    /// Starts with the empty board of another size.
    fn restart(&mut self, size: u8) {
        let empty = Position::new(size).unwrap_or_else(|error| unreachable!("{error}"));
        self.codes = Codes::default();
        self.codes.follow(&empty, |_, _, _| ());
        let class = |code: &u16| classes().of[usize::from(*code)];
        let codes = self.codes.near.iter().zip(&self.codes.far);
        self.counted = codes.map(|(near, far)| [class(near), class(far)]).collect();
        self.sums = self.shared.net.empty_pair();
        for &[near, far] in &self.counted {
            self.sums.add(&self.shared.near[usize::from(near)]);
            self.sums.add(&self.shared.far[usize::from(far)]);
        }
        for dirty in [&mut self.near, &mut self.far] {
            *dirty = Dirty { cells: Vec::new(), marked: vec![false; self.counted.len()] };
        }
    }

    /// Brings the sums up to a position.
    fn follow(&mut self, position: &Position) {
        if self.counted.len() != position.board().len() {
            self.restart(position.size());
        }
        let Self { shared, codes, sums, counted, near, far } = self;
        let places = places(position.board());
        codes.follow(position, |cell, reached, [before, now]| {
            let here = cell.index() as u16;
            near.insert(here);
            far.insert(here);
            reached.near[..usize::from(reached.near_count)].iter().for_each(|&(cell, _)| near.insert(cell));
            reached.far[..usize::from(reached.far_count)].iter().for_each(|&(cell, _)| far.insert(cell));
            let rows = |owner: Player| &shared.places[owner][usize::from(places[cell.index()])];
            match [before, now].map(|owner| owner.map(rows)) {
                [Some(before), Some(now)] => sums.exchange(before, now),
                [Some(before), None] => sums.exchange(before, &RowPair::ZERO),
                [None, Some(now)] => sums.add(now),
                [None, None] => {}
            }
        });
        let of = &classes().of;
        for (at, dirty, codes, rows) in
            [(0, near, &codes.near, &shared.near), (1, far, &codes.far, &shared.far)]
        {
            for cell in dirty.cells.drain(..) {
                let cell = usize::from(cell);
                dirty.marked[cell] = false;
                let (old, new) = (counted[cell][at], of[usize::from(codes[cell])]);
                if old != new {
                    counted[cell][at] = new;
                    sums.exchange(&rows[usize::from(old)], &rows[usize::from(new)]);
                }
            }
        }
    }
}

impl Evaluator<Position> for HavannahNet {
    fn evaluate(&mut self, game: &Position) -> i32 {
        self.follow(game);
        let Shared { net, chains, stages, sizes, .. } = &*self.shared;
        let mut sums = self.sums;
        for player in Player::BOTH {
            for chain in game.chains(player) {
                sums.add(&chains[player][chain_class(chain) as usize]);
            }
        }
        sums.add(&stages[stage(game) as usize]);
        sums.add(&sizes[size(game.board()) as usize]);
        let me = game.to_move();
        evaluator_value(net.value(&sums.of(me), &sums.of(me.other())))
    }
}
