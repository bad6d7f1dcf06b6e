//! [`HavannahNet`]: the network's value of a position, kept from position to position.

use std::sync::Arc;

use stonework_game::{Game, Player};
use stonework_havannah::Position;
use stonework_learn::{Row, Sum, ValueNet, WrongCount, evaluator_value};
use stonework_search::Evaluator;

use super::codes::{CENTRE, CODES, Codes, classes, places, seen_by};
use super::position_features::Layout;

/// An [`Evaluator`] by a network for [`HavannahFeatures`](crate::HavannahFeatures). It keeps the sums of the rows of both sides,
/// and changes the rows of the cells around those whose stones have changed since the position before: after a move about
/// fourteen rows a side. The values are those of a [`NetEvaluator`](stonework_learn::NetEvaluator) exactly.
#[derive(Clone, Debug)]
pub struct HavannahNet {
    shared: Arc<Shared>,
    codes: Codes,
    /// The sums of the cells' rows, as each side sees the board.
    sums: [Sum; 2],
    /// For each cell, the codes whose rows are in the sums: near and far.
    counted: Vec<[u16; 2]>,
    /// The cells whose codes may have changed, and a mark for each cell that is in the list.
    dirty: Vec<u16>,
    marked: Vec<bool>,
}

/// The network with the rows of all codes.
#[derive(Debug)]
struct Shared {
    net: ValueNet,
    layout: Layout,
    /// The row numbers of near and far codes; [`NONE`] for codes without an effect.
    near: Vec<u32>,
    far: Vec<u32>,
}

/// The number of no row.
const NONE: u32 = u32::MAX;

impl HavannahNet {
    /// An evaluator by a network, for boards of any size.
    ///
    /// # Errors
    /// If the network is not one for [`HavannahFeatures`](crate::HavannahFeatures).
    pub fn new(net: ValueNet) -> Result<Self, WrongCount> {
        let (layout, classes) = (Layout::new(), classes());
        WrongCount::check(net.rows(), layout.rows as usize)?;
        let row = |first: u32| {
            let of = |code: usize| match classes.of[code] {
                0 => NONE,
                class => first + u32::from(class),
            };
            (0..CODES).map(of).collect()
        };
        let shared = Shared { near: row(0), far: row(layout.far), layout, net };
        let sums = [shared.net.empty_sum(); 2];
        let shared = Arc::new(shared);
        Ok(Self { shared, codes: Codes::default(), sums, counted: Vec::new(), dirty: Vec::new(), marked: Vec::new() })
    }

    /// The rows of a cell with these codes, as a side sees them.
    #[inline]
    fn rows(shared: &Shared, codes: [u16; 2], side: Player) -> [&Row; 2] {
        let [near, far] = codes.map(|code| usize::from(seen_by(code, side)));
        [shared.net.row(shared.near[near]), shared.net.row(shared.far[far])]
    }

    /// The row of the place of a cell's stone; a row without effect for an empty cell.
    #[inline]
    fn place_row(shared: &Shared, place: u8, near: u16, side: Player) -> &Row {
        match seen_by(near, side) >> CENTRE {
            0 => &Row::ZERO,
            owner => shared.net.row(shared.layout.place(place, owner == 1)),
        }
    }

    /// Brings the sums up to a position.
    fn follow(&mut self, position: &Position) {
        let Self { shared, codes, sums, counted, dirty, marked } = self;
        let cells = position.board().len();
        if counted.len() != cells {
            *sums = [shared.net.empty_sum(); 2];
            *codes = Codes::default();
            counted.clear();
            marked.clear();
            marked.resize(cells, false);
            // The codes of the empty board, which have rows at the rim.
            codes.near.clear();
            let empty = Position::new(position.size()).unwrap_or_else(|error| unreachable!("{error}"));
            codes.follow(&empty, |_, _| ());
            counted.extend(codes.near.iter().zip(&codes.far).map(|(&near, &far)| [near, far]));
            for codes in counted.iter() {
                for side in Player::BOTH {
                    for row in Self::rows(shared, *codes, side) {
                        sums[side.index()].add(row);
                    }
                }
            }
        }
        let mut mark = |cell: u16| {
            if !std::mem::replace(&mut marked[usize::from(cell)], true) {
                dirty.push(cell);
            }
        };
        codes.follow(position, |cell, reached| {
            mark(cell.index() as u16);
            reached.near[..usize::from(reached.near_count)].iter().for_each(|&(cell, _)| mark(cell));
            reached.far[..usize::from(reached.far_count)].iter().for_each(|&(cell, _)| mark(cell));
        });
        let places = places(position.board());
        for cell in dirty.drain(..) {
            let cell = usize::from(cell);
            marked[cell] = false;
            let (old, new) = (counted[cell], [codes.near[cell], codes.far[cell]]);
            counted[cell] = new;
            for side in Player::BOTH {
                let sum = &mut sums[side.index()];
                let (before, after) = (Self::rows(shared, old, side), Self::rows(shared, new, side));
                for at in 0..2 {
                    if old[at] != new[at] {
                        sum.exchange(before[at], after[at]);
                    }
                }
                if old[0] >> CENTRE != new[0] >> CENTRE {
                    let row = |codes: [u16; 2]| Self::place_row(shared, places[cell], codes[0], side);
                    sum.exchange(row(old), row(new));
                }
            }
        }
    }
}

impl Evaluator<Position> for HavannahNet {
    fn evaluate(&mut self, game: &Position) -> i32 {
        self.follow(game);
        let Shared { net, layout, .. } = &*self.shared;
        let mut sums = self.sums;
        for player in Player::BOTH {
            for chain in game.chains(player) {
                sums[player.index()].add(net.row(layout.chain(&chain, true)));
                sums[player.other().index()].add(net.row(layout.chain(&chain, false)));
            }
        }
        for sum in &mut sums {
            sum.add(net.row(layout.stage(game)));
            sum.add(net.row(layout.size(game.board())));
        }
        let me = game.to_move();
        evaluator_value(net.value(&sums[me.index()], &sums[me.other().index()]))
    }
}
