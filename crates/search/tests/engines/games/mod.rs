//! The games of the tests: small games, each with an unusual property.
#![expect(dead_code, reason = "every test file uses some of them")]

/// An unused constant, so that the expectation above is met in every test file.
const USED_BY_NONE: () = ();

use stonework_game::{Finite, Game, Indexed, Keyed, Outcome, Player, Sym};

/// Implements `Indexed` for a game whose moves are their own numbers, below the `width` of the game.
macro_rules! numbered_by_width {
    ($game:ty) => {
        impl Indexed for $game {
            fn index_len(&self) -> usize {
                self.width.into()
            }

            fn move_index(&self, mv: u8) -> usize {
                mv.into()
            }

            fn move_at(&self, index: usize) -> Option<u8> {
                u8::try_from(index).ok().filter(|&mv| mv < self.width)
            }
        }
    };
}

/// Scatters a number. The function is the hash of literal trees.
pub(crate) const fn scatter(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("move {0} is not legal here")]
pub(crate) struct Illegal(pub(crate) u8);

/// A game tree from a hash function: every node has 1 to `width` moves; leaves are at `depth` or, one node in
/// eight, before; outcomes are won, lost or drawn by hash. With `double`, the side to move is hashed too, so that
/// a player may move twice. With `merge`, moves commute, so that several lines lead to one position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Literal {
    seed: u64,
    at: u64,
    ply: u8,
    depth: u8,
    width: u8,
    double: bool,
    merge: bool,
}

impl Literal {
    pub(crate) fn new(seed: u64, depth: u8, width: u8, double: bool, merge: bool) -> Self {
        Self { seed, at: 0, ply: 0, depth, width, double, merge }
    }

    fn hash(&self, salt: u64) -> u64 {
        scatter(self.at ^ scatter(self.seed ^ u64::from(self.ply) << 32 ^ salt))
    }

    fn width(&self) -> u8 {
        1 + (self.hash(1) % u64::from(self.width)) as u8
    }

    pub(crate) fn eval(&self) -> i32 {
        let value = (self.hash(5) % 201) as i32 - 100;
        if self.to_move() == Player::First { value } else { -value }
    }
}

impl Game for Literal {
    type Move = u8;
    type Undo = (u64, u8);
    type Illegal = Illegal;

    fn to_move(&self) -> Player {
        let second = if self.double { self.hash(2) & 1 } else { u64::from(self.ply & 1) };
        Player::BOTH[second as usize]
    }

    fn outcome(&self) -> Option<Outcome> {
        let early = self.ply > 0 && self.hash(3).is_multiple_of(8);
        (self.ply >= self.depth || early).then(|| match self.hash(4) % 5 {
            0 | 1 => Outcome::Win(Player::First),
            2 | 3 => Outcome::Win(Player::Second),
            _ => Outcome::Draw,
        })
    }

    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        if self.outcome().is_none() {
            out.extend(0..self.width());
        }
    }

    fn check(&self, mv: u8) -> Result<(), Illegal> {
        let legal = self.outcome().is_none() && mv < self.width();
        if legal { Ok(()) } else { Err(Illegal(mv)) }
    }

    fn play_unchecked(&mut self, mv: u8) -> (u64, u8) {
        let before = (self.at, self.ply);
        let step = u64::from(mv) + 1;
        self.at = if self.merge { self.at + step } else { scatter(self.at ^ step << 8) };
        self.ply += 1;
        before
    }

    fn undo(&mut self, (at, ply): (u64, u8)) {
        (self.at, self.ply) = (at, ply);
    }
}

impl Finite for Literal {}

impl Keyed for Literal {
    fn key(&self) -> u64 {
        self.hash(6)
    }
}

numbered_by_width!(Literal);

/// Four in a row on a board of `width` columns and `height` rows, up to 7 × 6: Connect Four.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FourInARow {
    /// The stones of each player: a bit for each cell, columns of `height + 1` bits, from the bottom.
    stones: [u64; 2],
    heights: [u8; 7],
    width: u8,
    height: u8,
    plies: u8,
    won: bool,
    /// `true` if three in a row win already.
    three: bool,
}

impl FourInARow {
    pub(crate) fn new(width: u8, height: u8) -> Self {
        Self { stones: [0; 2], heights: [0; 7], width, height, plies: 0, won: false, three: false }
    }

    /// The game in which three in a row win.
    pub(crate) fn three(width: u8, height: u8) -> Self {
        Self { three: true, ..Self::new(width, height) }
    }

    fn bit(&self, column: u8, row: u8) -> u64 {
        1 << (column * (self.height + 1) + row)
    }

    fn four(&self, set: u64) -> bool {
        let column = u32::from(self.height) + 1;
        [1, column, column - 1, column + 1].into_iter().any(|step| {
            let two = set & set >> step;
            two & two >> (if self.three { step } else { 2 * step }) != 0
        })
    }
}

impl Game for FourInARow {
    type Move = u8;
    type Undo = u8;
    type Illegal = Illegal;

    fn to_move(&self) -> Player {
        Player::BOTH[usize::from(self.plies % 2)]
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.won {
            return Some(Outcome::Win(self.to_move().other()));
        }
        (self.plies == self.width * self.height).then_some(Outcome::Draw)
    }

    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        if self.outcome().is_none() {
            out.extend((0..self.width).filter(|&c| self.heights[usize::from(c)] < self.height));
        }
    }

    fn check(&self, mv: u8) -> Result<(), Illegal> {
        let free = mv < self.width && self.heights[usize::from(mv)] < self.height;
        if free && self.outcome().is_none() { Ok(()) } else { Err(Illegal(mv)) }
    }

    fn play_unchecked(&mut self, mv: u8) -> u8 {
        let side = self.to_move().index();
        let row = self.heights[usize::from(mv)];
        self.stones[side] |= self.bit(mv, row);
        self.heights[usize::from(mv)] += 1;
        self.plies += 1;
        self.won = self.four(self.stones[side]);
        mv
    }

    fn undo(&mut self, mv: u8) {
        self.won = false;
        self.plies -= 1;
        self.heights[usize::from(mv)] -= 1;
        let bit = self.bit(mv, self.heights[usize::from(mv)]);
        self.stones[self.to_move().index()] &= !bit;
    }
}

impl Finite for FourInARow {}

impl FourInARow {
    fn key_of(&self, stones: [u64; 2]) -> u64 {
        scatter(stones[0] ^ scatter(stones[1] ^ scatter(u64::from(self.width) << 8 | u64::from(self.height))))
    }

    fn mirrored(&self, set: u64) -> u64 {
        let column = u32::from(self.height) + 1;
        let mask = (1 << column) - 1;
        (0..u32::from(self.width))
            .map(|c| (set >> (c * column) & mask) << ((u32::from(self.width) - 1 - c) * column))
            .sum()
    }
}

impl Keyed for FourInARow {
    fn key(&self) -> u64 {
        self.key_of(self.stones)
    }

    fn canonical(&self) -> (u64, Sym) {
        let mirror = self.key_of(self.stones.map(|s| self.mirrored(s)));
        if mirror < self.key() { (mirror, Sym(1)) } else { (self.key(), Sym(0)) }
    }

    fn map_move(&self, to: Sym, mv: u8) -> u8 {
        if to.0 == 1 { self.width - 1 - mv } else { mv }
    }

    fn unmap_move(&self, to: Sym, mv: u8) -> u8 {
        self.map_move(to, mv)
    }
}

numbered_by_width!(FourInARow);

/// Tic-tac-toe, a game small enough for every engine to solve.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct TicTacToe {
    stones: [u16; 2],
}

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl TicTacToe {
    fn full(self) -> u16 {
        self.stones[0] | self.stones[1]
    }
}

impl Game for TicTacToe {
    type Move = u8;
    type Undo = u8;
    type Illegal = Illegal;

    fn to_move(&self) -> Player {
        Player::BOTH[(self.full().count_ones() % 2) as usize]
    }

    fn outcome(&self) -> Option<Outcome> {
        let has = |p: &Player| LINES.iter().any(|l| self.stones[p.index()] & l == *l);
        let won = Player::BOTH.into_iter().find(has).map(Outcome::Win);
        won.or_else(|| (self.full() == 0o777).then_some(Outcome::Draw))
    }

    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        if self.outcome().is_none() {
            out.extend((0..9).filter(|i| self.full() >> i & 1 == 0));
        }
    }

    fn check(&self, mv: u8) -> Result<(), Illegal> {
        let free = mv < 9 && self.full() >> mv & 1 == 0;
        if free && self.outcome().is_none() { Ok(()) } else { Err(Illegal(mv)) }
    }

    fn play_unchecked(&mut self, mv: u8) -> u8 {
        self.stones[self.to_move().index()] |= 1 << mv;
        mv
    }

    fn undo(&mut self, mv: u8) {
        self.stones.iter_mut().for_each(|s| *s &= !(1 << mv));
    }
}

impl Finite for TicTacToe {}

impl Keyed for TicTacToe {
    fn key(&self) -> u64 {
        scatter(u64::from(self.stones[0]) << 16 | u64::from(self.stones[1]))
    }
}

impl Indexed for TicTacToe {
    fn index_len(&self) -> usize {
        9
    }

    fn move_index(&self, mv: u8) -> usize {
        mv.into()
    }

    fn move_at(&self, index: usize) -> Option<u8> {
        u8::try_from(index).ok().filter(|&m| m < 9)
    }
}

/// A walk on a ring of `cells` cells, one of which wins for the first player and one for the second player: each
/// side moves the single piece one or two cells on. The `limit`-th visit of a cell makes a draw, and the visits
/// are not in the key, like the repetition of Cachex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Walk {
    counts: Vec<u8>,
    wins: [u8; 2],
    at: u8,
    to_move: Player,
    limit: u8,
}

impl Walk {
    pub(crate) fn new(cells: u8, wins: [u8; 2], limit: u8) -> Self {
        let mut counts = vec![0; cells.into()];
        counts[0] = 1;
        Self { counts, wins, at: 0, to_move: Player::First, limit }
    }

    fn highest(&self) -> u8 {
        self.counts.iter().copied().max().unwrap_or(0)
    }
}

impl Game for Walk {
    type Move = u8;
    type Undo = u8;
    type Illegal = Illegal;

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn outcome(&self) -> Option<Outcome> {
        // Only the player who has just moved to the cell can have won.
        let mover = self.to_move.other();
        if self.at == self.wins[mover.index()] && self.at != 0 {
            return Some(Outcome::Win(mover));
        }
        (self.counts[usize::from(self.at)] >= self.limit).then_some(Outcome::Draw)
    }

    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        if self.outcome().is_none() {
            out.extend([1, 2]);
        }
    }

    fn check(&self, mv: u8) -> Result<(), Illegal> {
        if matches!(mv, 1 | 2) && self.outcome().is_none() { Ok(()) } else { Err(Illegal(mv)) }
    }

    fn play_unchecked(&mut self, mv: u8) -> u8 {
        self.at = (self.at + mv) % self.counts.len() as u8;
        self.counts[usize::from(self.at)] += 1;
        self.to_move = self.to_move.other();
        mv
    }

    fn undo(&mut self, mv: u8) {
        let cells = self.counts.len() as u8;
        self.counts[usize::from(self.at)] -= 1;
        self.at = (self.at + cells - mv) % cells;
        self.to_move = self.to_move.other();
    }
}

impl Walk {
    /// A value that depends only on the key.
    pub(crate) fn eval(&self) -> i32 {
        let value = (scatter(self.key() >> 1) % 201) as i32 - 100;
        if self.to_move == Player::First { value } else { -value }
    }
}

impl Keyed for Walk {
    fn key(&self) -> u64 {
        let wins = u64::from(self.wins[0]) << 8 | u64::from(self.wins[1]);
        scatter(
            u64::from(self.at) << 1
                | self.to_move.index() as u64
                | wins << 32
                | (self.counts.len() as u64) << 48,
        )
    }

    /// The number of plies before the earliest `limit`-th visit of a cell.
    fn horizon(&self) -> u32 {
        u32::from(self.limit.saturating_sub(1).saturating_sub(self.highest()))
    }
}

/// The same game with a false claim that history decides nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Forgetful<G>(pub(crate) G);

impl<G: Game> Game for Forgetful<G> {
    type Move = G::Move;
    type Undo = G::Undo;
    type Illegal = G::Illegal;

    fn to_move(&self) -> Player {
        self.0.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn legal_moves(&self, out: &mut impl Extend<G::Move>) {
        self.0.legal_moves(out);
    }

    fn check(&self, mv: G::Move) -> Result<(), G::Illegal> {
        self.0.check(mv)
    }

    fn play_unchecked(&mut self, mv: G::Move) -> G::Undo {
        self.0.play_unchecked(mv)
    }

    fn undo(&mut self, undo: G::Undo) {
        self.0.undo(undo);
    }
}

impl<G: Keyed> Keyed for Forgetful<G> {
    fn key(&self) -> u64 {
        self.0.key()
    }
}

/// A game that breaks the contract of `Game`: after `moves` moves the game is not over and has no legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Liar {
    pub(crate) moves: u8,
}

impl Game for Liar {
    type Move = u8;
    type Undo = ();
    type Illegal = Illegal;

    fn to_move(&self) -> Player {
        Player::BOTH[usize::from(self.moves % 2)]
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        out.extend(0..self.moves.min(3));
    }

    fn check(&self, mv: u8) -> Result<(), Illegal> {
        if mv < self.moves.min(3) { Ok(()) } else { Err(Illegal(mv)) }
    }

    fn play_unchecked(&mut self, _: u8) {
        self.moves -= 1;
    }

    fn undo(&mut self, (): ()) {
        self.moves += 1;
    }
}

impl Keyed for Liar {
    fn key(&self) -> u64 {
        scatter(self.moves.into())
    }
}
