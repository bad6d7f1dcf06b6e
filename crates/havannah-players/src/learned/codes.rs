//! [`Codes`]: the surroundings of every cell as numbers, kept from position to position.

use std::sync::OnceLock;

use stonework_board::{Board, Cell, Symmetry};
use stonework_game::{Player, scatter};
use stonework_havannah::{Position, SeenStones};

/// The number of codes: a cell and six others, of four states each – empty, stone of the first player, stone of the second
/// player, off the board. Bits 0–1 are the state of the first of the six, bits 12–13 that of the cell itself.
pub(super) const CODES: usize = 1 << 14;
/// The bit of the state of the cell itself.
pub(super) const CENTRE: u32 = 12;
/// The codes of the six others alone.
pub(super) const RING: u16 = 0xfff;

const OUTSIDE: u16 = 3;

/// The state of a cell.
fn state(owner: Option<Player>) -> u16 {
    match owner {
        None => 0,
        Some(Player::First) => 1,
        Some(Player::Second) => 2,
    }
}

/// The code as the second player sees it: the states of stones change places.
pub(super) const fn swapped(code: u16) -> u16 {
    // A state of 1 becomes 2 and a state of 2 becomes 1; 0 and 3 stay.
    (code & 0x5555) << 1 | code >> 1 & 0x5555
}

/// The code as a side sees it: its own stones have the state 1.
pub(super) const fn seen_by(code: u16, side: Player) -> u16 {
    match side {
        Player::First => code,
        Player::Second => swapped(code),
    }
}

/// The six others under a symmetry of the hexagon: the image of each place.
fn images(symmetry: Symmetry) -> [u8; 6] {
    let around = symmetry.around();
    std::array::from_fn(|at| around[at])
}

/// The code of the six others under a symmetry.
fn image(code: u16, images: [u8; 6]) -> u16 {
    let ring = (0..6).fold(0, |all, at| all | (code >> (2 * at) & 3) << (2 * images[at]));
    code & !RING | ring
}

/// For each code the number of its class: codes that are images of each other under the twelve symmetries are one class. The
/// classes are numbered in the order of their least codes; class 0 is the empty cell with six empty cells.
pub(super) struct Classes {
    pub(super) of: Vec<u16>,
    pub(super) count: usize,
}

/// The classes of codes, for neighbours and for ends of two-bridges alike: a symmetry does the same to both.
pub(super) fn classes() -> &'static Classes {
    static CLASSES: OnceLock<Classes> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let images = Symmetry::ALL.map(images);
        let mut classes = Classes { of: vec![0; CODES], count: 0 };
        for code in 0..(u16::from(OUTSIDE as u8) << CENTRE) {
            let least = images.iter().map(|&images| image(code, images)).min().unwrap_or(code);
            if least == code {
                classes.of[usize::from(code)] = classes.count as u16;
                classes.count += 1;
            } else {
                classes.of[usize::from(code)] = classes.of[usize::from(least)];
            }
        }
        classes
    })
}

/// For each code of six neighbours and the direction of one of them, the number of their class: a marked neighbour is another
/// state. Number 0 stands for no marked neighbour.
pub(super) struct MarkedClasses {
    of: Vec<u16>,
    pub(super) count: usize,
}

impl MarkedClasses {
    pub(super) fn of(&self, ring: u16, direction: usize) -> u16 {
        self.of[usize::from(ring & RING) * 6 + direction]
    }
}

pub(super) fn marked_classes() -> &'static MarkedClasses {
    static CLASSES: OnceLock<MarkedClasses> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let images = Symmetry::ALL.map(images);
        let mut classes = MarkedClasses { of: vec![0; 6 << 12], count: 1 };
        for ring in 0..=RING {
            for direction in 0..6 {
                let to = |images: [u8; 6]| (image(ring, images), usize::from(images[direction]));
                let least = images.iter().map(|&images| to(images)).min().unwrap_or((ring, direction));
                let at = usize::from(ring) * 6 + direction;
                if least == (ring, direction) {
                    classes.of[at] = classes.count as u16;
                    classes.count += 1;
                } else {
                    classes.of[at] = classes.of(least.0, least.1);
                }
            }
        }
        classes
    })
}

/// The number of codes of a wedge: a neighbour, the two neighbours beside it, and the ends of the two two-bridges beside it, of
/// four states each. A cell has six wedges.
const WEDGE_CODES: usize = 1 << 10;

/// The wedges around a cell: for each code of one the number of its class – a wedge and its mirror image are one class – and a
/// random number of that class.
pub(super) struct Wedges {
    of: Vec<(u16, u32)>,
    pub(super) count: usize,
}

/// The bits of a number for the surroundings of a cell by its wedges.
pub(super) const SURROUNDINGS_BITS: u32 = 14;

impl Wedges {
    /// The classes of the six wedges around a cell with these codes of its six neighbours and of the six ends of two-bridges; and
    /// a number below 2^[`SURROUNDINGS_BITS`] for all twelve cells together, the same for surroundings that are images of each
    /// other. Others rarely share a number.
    #[inline]
    pub(super) fn around(&self, near: u16, far: u16) -> ([u16; 6], u32) {
        let twice = |ring: u16| u32::from(ring & RING) | u32::from(ring & RING) << 12;
        let (near, far) = (twice(near), twice(far));
        let mut sum = 0_u32;
        let classes = std::array::from_fn(|at| {
            let code = near >> (2 * at) & 0x3f | (far >> (2 * at) & 0xf) << 6;
            let (class, number) = self.of[code as usize];
            sum = sum.wrapping_add(number);
            class
        });
        (classes, sum.wrapping_mul(0x9e37_79b1) >> (32 - SURROUNDINGS_BITS))
    }
}

pub(super) fn wedges() -> &'static Wedges {
    static WEDGES: OnceLock<Wedges> = OnceLock::new();
    WEDGES.get_or_init(|| {
        let mut wedges = Wedges { of: vec![(0, 0); WEDGE_CODES], count: 0 };
        for code in 0..WEDGE_CODES {
            let cell = |at: usize| code >> (2 * at) & 3;
            let mirror = cell(2) | cell(1) << 2 | cell(0) << 4 | cell(4) << 6 | cell(3) << 8;
            wedges.of[code] = if mirror < code {
                wedges.of[mirror]
            } else {
                wedges.count += 1;
                ((wedges.count - 1) as u16, scatter(code as u64 + 1) as u32)
            };
        }
        wedges
    })
}

/// The cells that have a cell among their six neighbours and among the six ends of their two-bridges, each with the bit of its
/// state in their codes.
#[derive(Clone, Copy)]
pub(super) struct Reached {
    pub(super) near: [(u16, u8); 6],
    pub(super) far: [(u16, u8); 6],
    pub(super) near_count: u8,
    pub(super) far_count: u8,
}

/// The codes of an empty board, and the cells that each cell is a part of the surroundings of.
struct Start {
    reached: Vec<Reached>,
    near: Vec<u16>,
    far: Vec<u16>,
}

fn start(board: &'static Board) -> &'static Start {
    static STARTS: [OnceLock<Start>; 21] = [const { OnceLock::new() }; 21];
    STARTS[usize::from(board.size()).min(20)].get_or_init(|| {
        let none = Reached { near: [(0, 0); 6], far: [(0, 0); 6], near_count: 0, far_count: 0 };
        let mut start =
            Start { reached: vec![none; board.len()], near: vec![0; board.len()], far: vec![0; board.len()] };
        for cell in board.cells() {
            let here = cell.index();
            for (at, there) in board.around(cell).take(12).enumerate() {
                let (codes, bit) =
                    if at < 6 { (&mut start.near, 2 * at) } else { (&mut start.far, 2 * (at - 6)) };
                let Some(there) = there else {
                    codes[here] |= OUTSIDE << bit;
                    continue;
                };
                let reached = &mut start.reached[there.index()];
                if at < 6 {
                    reached.near[usize::from(reached.near_count)] = (here as u16, bit as u8);
                    reached.near_count += 1;
                } else {
                    reached.far[usize::from(reached.far_count)] = (here as u16, bit as u8);
                    reached.far_count += 1;
                }
            }
        }
        start
    })
}

/// For every cell, the code of the cell and its six neighbours (*near*), and of the cell and the ends of its six two-bridges
/// (*far*), kept from position to position.
#[derive(Clone, Debug, Default)]
pub(super) struct Codes {
    seen: SeenStones,
    pub(super) near: Vec<u16>,
    pub(super) far: Vec<u16>,
}

impl Codes {
    /// Follows to a position. Calls `changed` for each cell whose stone is another one, after the
    /// change of its codes, with the owner of the stone before and now. Returns
    /// `false` if the size is another one than before: then the codes before are those of the empty board.
    #[inline]
    pub(super) fn follow(
        &mut self,
        position: &Position,
        mut changed: impl FnMut(Cell, &Reached, [Option<Player>; 2]),
    ) -> bool {
        let board = position.board();
        let start = start(board);
        if self.near.len() != board.len() {
            self.seen = SeenStones::new();
            self.near.clone_from(&start.near);
            self.far.clone_from(&start.far);
        }
        let Self { seen, near, far } = self;
        seen.differences(position, |cell, before, now| {
            let (change, here) = (state(before) ^ state(now), cell.index());
            near[here] ^= change << CENTRE;
            far[here] ^= change << CENTRE;
            let reached = &start.reached[here];
            for &(cell, bit) in &reached.near[..usize::from(reached.near_count)] {
                near[usize::from(cell)] ^= change << bit;
            }
            for &(cell, bit) in &reached.far[..usize::from(reached.far_count)] {
                far[usize::from(cell)] ^= change << bit;
            }
            changed(cell, reached, [before, now]);
        })
    }
}

/// For every cell of a board a number below [`PLACES`] for its place: the distance to the rim and the distance to the nearest
/// corner, both up to a limit, so that boards of different sizes share places.
pub(super) fn places(board: &'static Board) -> &'static [u8] {
    static ALL: [OnceLock<Vec<u8>>; 21] = [const { OnceLock::new() }; 21];
    ALL[usize::from(board.size()).min(20)].get_or_init(|| {
        let rim: Vec<Cell> = board.cells().filter(|&c| board.neighbours(c).count() < 6).collect();
        let corners: Vec<Cell> = board.corner_cells().collect();
        let nearest =
            |cells: &[Cell], cell| cells.iter().map(|&c| board.distance(c, cell)).min().unwrap_or(0);
        let place = |cell| nearest(&rim, cell).min(4) * 8 + nearest(&corners, cell).min(7);
        board.cells().map(|cell| place(cell) as u8).collect()
    })
}

/// The number of places.
pub(super) const PLACES: usize = 40;
