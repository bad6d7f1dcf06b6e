//! Slow rules of Havannah, from its definitions, with one fault.

use std::collections::BTreeSet;
use std::rc::Rc;

use stonework_oracle::{Query, State};

use crate::{Rules, faults};

faults! {
    // Faults of the ring.
    RingOnlyAroundEmpty: "a ring counts only with an empty cell inside",
    RingAroundEmptyMissed: "a ring with an empty cell inside is not seen",
    RingNeedsEnemy: "a ring counts only with an enemy stone inside",
    RingAroundEnemyMissed: "a ring around enemy stones alone is not seen",
    RingFilledMissed: "seven stones that fill a hexagon are no ring",
    RingOnlyLocal: "only six stones around one cell are a ring",
    RingLongMissed: "a ring around more than three cells is not seen",
    RingShortMissed: "a ring around a single cell is not seen",
    RingAtRimMissed: "a ring with a stone on the rim is not seen",
    RingFloodFromCorners: "the outside is flooded from the corners alone",
    RingFloodOverEmpty: "the outside is flooded over empty cells alone",
    RingLeaks: "the outside also flows between two stones that touch",
    RingAroundRimCell: "a rim cell whose neighbours are own stones makes a ring",
    NoRing: "rings do not win",
    RingOfBlackMissed: "black's rings do not win",
    RingOnLastCellDraws: "a ring by the last empty cell is a draw",
    RingMissedFrom11: "on size 11 and more, rings do not win",
    RimRingMissedFrom15: "on size 15 and more, a ring with a stone on the rim is not seen",
    // Faults of the bridge.
    BridgeOfThree: "a bridge needs three corners",
    BridgeOfAdjacentMissed: "two corners of one edge are no bridge",
    BridgeOfOppositeMissed: "two opposite corners are no bridge",
    BridgeUnconnected: "any two corners are a bridge, connected or not",
    NoBridge: "bridges do not win",
    BridgeOfWhiteMissed: "white's bridges do not win",
    BridgeOnLastCellDraws: "a bridge by the last empty cell is a draw",
    BridgeMissedFrom8: "on size 8 and more, bridges do not win",
    BridgeMissedFrom10: "on size 10 and more, bridges do not win",
    BridgeMissedOn20: "on size 20, bridges do not win",
    // Faults of the fork.
    ForkWithCorners: "a corner belongs to its two edges",
    ForkOfFour: "a fork needs four edges",
    ForkOfTwo: "two edges are a fork",
    ForkOfAdjacentMissed: "three edges in a row are no fork",
    ForkOfSpreadMissed: "three edges of which no two are adjacent are no fork",
    ForkUnconnected: "any three edges are a fork, connected or not",
    NoFork: "forks do not win",
    ForkOnLastCellDraws: "a fork by the last empty cell is a draw",
    ForkMissedFrom6: "on size 6 and more, forks do not win",
    ForkMissedFrom9: "on size 9 and more, forks do not win",
    ForkMissedFrom12: "on size 12 and more, forks do not win",
    // Faults of ends.
    DrawNever: "a full board without a win goes on",
    DrawOneEarly: "with one cell left the game is a draw",
    DrawWhenDead: "a draw is declared as soon as nobody can win",
    DrawIsWin: "a full board without a win is won by the last mover",
    DrawIsLoss: "a full board without a win is lost by the last mover",
    WinnerOpposite: "the other side is told as the winner",
    FirstKindOnly: "of several kinds at once only the first is told",
    AfterWinAccepted: "moves are accepted after a win",
    AfterDrawAccepted: "moves are accepted after a draw: swaps and cells beyond the board alike",
    AfterEndLegal: "empty cells are counted as legal after a win",
    // Faults of the swap.
    SwapAny: "a swap is accepted at any time while the game goes on, with the right or without",
    SwapNoRight: "a swap is accepted as the second action without the right",
    SwapFirst: "a swap is accepted as the first action",
    SwapLate: "a swap is accepted as any of the second to fourth actions",
    SwapBySecondAtFourth: "black may still swap as the fourth action",
    SwapTwice: "a swap may be answered by a swap",
    SwapAfterEnd: "a swap is accepted after the end",
    SwapRefused: "a swap is never accepted",
    SwapKeepsTurn: "after a swap black is to move again",
    SwapKeepsColours: "a swap passes the turn and leaves the stone white",
    SwapNotCounted: "the right to swap is not counted as a legal move",
    // Faults of cells and turns.
    OccupiedAccepted: "a stone may be placed on any other",
    OccupiedOwnAccepted: "a stone may be placed on an own one",
    OccupiedLastRefusedOnly: "only the cell of the last stone is refused as taken",
    RhombusAccepted: "cells off the hexagon but within its square are accepted",
    BeforeRowAccepted: "a cell just before the beginning of a lower row is accepted",
    AfterRowAccepted: "a cell just behind the end of an upper row is accepted",
    NumberZeroAccepted: "the number 0 is a cell of the first row",
    RowBeyondAccepted: "there is one row more",
    GridBeyondAccepted: "in grid notation, a row has one cell more",
    GridAsHgui: "grid notation is read as hgui",
    WebMirrored: "the second letter of web notation is read from the other side",
    WebBeyondAccepted: "in web notation, cells off the hexagon but within its square are accepted",
    CellNumbersWrap: "cells have numbers of eight bits",
    RowsAfterZWrap: "rows after the 26th are read as the first ones",
    TurnAfterEnd: "after a win the winner is to move",
    IndexFromOne: "the index of an illegal move counts from one",
    IndexIsLast: "the index of an illegal move is that of the last move",
    OccupiedIsOver: "a taken cell is refused as if the game were over",
}

/// The six steps between neighbours.
const STEPS: [(i32, i32); 6] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)];

type Place = (i32, i32);

/// The cells of a board, and two lists for each of them. They are made once for a game, since each move looks at all of them.
struct Shape {
    size: i32,
    cells: Vec<Place>,
    /// The neighbours of each cell, by its slot.
    near: Vec<Vec<Place>>,
    /// The edges that a cell is on, in their order around the board: none, one, or two for a corner.
    edges: Vec<Vec<usize>>,
}

impl Shape {
    fn new(size: i32) -> Self {
        let (n, m) = (2 * size - 1, size - 1);
        let slots = ((2 * size + 1) * (2 * size + 1)) as usize;
        let mut shape =
            Self { size, cells: Vec::new(), near: vec![Vec::new(); slots], edges: vec![Vec::new(); slots] };
        shape.cells = (0..n).flat_map(|r| (0..n).map(move |c| (r, c))).filter(|&p| shape.on(p)).collect();
        for at in 0..shape.cells.len() {
            let (r, c) = shape.cells[at];
            let slot = shape.slot((r, c));
            let steps = STEPS.into_iter().map(|(dr, dc)| (r + dr, c + dc));
            shape.near[slot] = steps.filter(|&p| shape.on(p)).collect();
            let gaps = [r, m - (c - r), 2 * m - c, 2 * m - r, m - (r - c), c];
            shape.edges[slot] = (0..6).filter(|&i| gaps[i] == 0).collect();
        }
        shape
    }

    fn on(&self, (r, c): Place) -> bool {
        let n = 2 * self.size - 1;
        (0..n).contains(&r) && (0..n).contains(&c) && (r - c).abs() < self.size
    }

    /// The slot of a cell in a square with a margin of one.
    fn slot(&self, (r, c): Place) -> usize {
        ((r + 1) * (2 * self.size + 1) + c + 1) as usize
    }
}

/// A position; each move is followed by a look at the whole board.
#[derive(Clone)]
pub(crate) struct Havannah {
    fault: Fault,
    size: i32,
    shape: Rc<Shape>,
    swap: bool,
    notation: String,
    /// A square of cells with a margin of one: 0 empty, 1 white, 2 black.
    cells: Vec<u8>,
    to_move: u8,
    plies: usize,
    stones: usize,
    swapped: bool,
    last: Option<Place>,
    /// The winner, 0 for a draw, and the kinds.
    ended: Option<(u8, Vec<&'static str>)>,
}

impl Havannah {
    fn index(&self, (r, c): Place) -> usize {
        let number = (r + 1) * (2 * self.size + 1) + c + 1;
        if self.fault == Fault::CellNumbersWrap && self.size > 8 {
            // The numbers of cells go from 0 to 255 and begin again.
            return (number % 256) as usize;
        }
        number as usize
    }

    fn at(&self, place: Place) -> u8 {
        self.cells[self.index(place)]
    }

    fn on(&self, place: Place) -> bool {
        self.shape.on(place)
    }

    fn near(&self, place: Place) -> &[Place] {
        &self.shape.near[self.shape.slot(place)]
    }

    fn board(&self) -> impl Iterator<Item = Place> {
        self.shape.cells.iter().copied()
    }

    fn edges(&self, place: Place) -> &[usize] {
        &self.shape.edges[self.shape.slot(place)]
    }

    fn flood(
        &self,
        seeds: impl IntoIterator<Item = Place>,
        leak: bool,
        open: impl Fn(Place) -> bool,
    ) -> Vec<bool> {
        let mut reached = vec![false; self.shape.near.len()];
        let slot = |place| self.shape.slot(place);
        let mut todo: Vec<Place> = seeds.into_iter().filter(|&p| open(p)).collect();
        for &p in &todo {
            reached[slot(p)] = true;
        }
        while let Some(place) = todo.pop() {
            let diagonal = leak.then(|| [(place.0 + 1, place.1 - 1), (place.0 - 1, place.1 + 1)]);
            let more = diagonal.into_iter().flatten().filter(|&p| self.on(p));
            for next in self.near(place).iter().copied().chain(more) {
                if open(next) && !reached[slot(next)] {
                    reached[slot(next)] = true;
                    todo.push(next);
                }
            }
        }
        reached
    }

    fn reached(&self, reached: &[bool], place: Place) -> bool {
        reached[self.shape.slot(place)]
    }

    fn ring(&self, side: u8) -> bool {
        use Fault::*;
        let own = |p: Place| self.at(p) == side;
        let rim = |p: Place| !self.edges(p).is_empty();
        let seeds: Vec<Place> = self
            .board()
            .filter(|&p| if self.fault == RingFloodFromCorners { self.edges(p).len() > 1 } else { rim(p) })
            .collect();
        let outside = self.flood(seeds, self.fault == RingLeaks, |p| {
            if self.fault == RingFloodOverEmpty { self.at(p) == 0 } else { !own(p) }
        });
        let inside: Vec<Place> = self.board().filter(|&p| !own(p) && !self.reached(&outside, p)).collect();
        let all_round = |p: Place| self.near(p).iter().all(|&p| own(p));
        let filled = self.board().any(|p| own(p) && !rim(p) && all_round(p));
        let any = |content: u8| inside.iter().any(|&p| self.at(p) == content);
        let ring = filled || !inside.is_empty();
        match self.fault {
            NoRing => false,
            RingOfBlackMissed => ring && side == 1,
            RingMissedFrom11 => ring && self.size < 11,
            RingOnlyAroundEmpty => any(0),
            RingAroundEmptyMissed => ring && !any(0),
            RingNeedsEnemy => any(3 - side),
            RingAroundEnemyMissed => filled || any(0),
            RingFilledMissed => !inside.is_empty(),
            RingOnlyLocal => self.board().any(|p| !rim(p) && all_round(p)),
            RingLongMissed => ring && inside.len() <= 3,
            RingShortMissed => filled || inside.len() > 1,
            RingAtRimMissed => ring && !self.at_rim(side, &inside),
            RimRingMissedFrom15 => ring && !(self.size >= 15 && self.at_rim(side, &inside)),
            RingAroundRimCell => ring || self.board().any(|p| rim(p) && own(p) && all_round(p)),
            _ => ring,
        }
    }

    /// `true` if a stone of the side beside the enclosed cells lies on the rim.
    fn at_rim(&self, side: u8, inside: &[Place]) -> bool {
        let mut beside = inside.iter().flat_map(|&p| self.near(p));
        beside.any(|&p| self.at(p) == side && !self.edges(p).is_empty())
    }

    /// The formations that the stone on `last` completes.
    fn kinds(&self, side: u8, last: Place) -> Vec<&'static str> {
        use Fault::*;
        let own = |p: Place| self.at(p) == side;
        let chain = self.flood([last], false, own);
        let mut corners = BTreeSet::new();
        let mut edges = BTreeSet::<usize>::new();
        let (mut all_corners, mut all_edges) = (0, BTreeSet::<usize>::new());
        for place in self.board().filter(|&p| own(p)) {
            let on = self.edges(place);
            if on.len() == 2 {
                all_corners += 1;
            } else {
                all_edges.extend(on);
            }
            if !self.reached(&chain, place) {
                continue;
            }
            if on.len() == 2 {
                // A corner has the number of its first edge in the order around the board.
                corners.insert(if on == [0, 5] { 5 } else { on[0] });
            }
            if on.len() == 1 || self.fault == ForkWithCorners {
                edges.extend(on);
            }
        }
        let apart = |gap: usize| {
            let mut pairs =
                corners.iter().flat_map(|&a: &usize| corners.iter().map(move |&b| (6 + a - b) % 6));
            pairs.any(|between| between == gap)
        };
        let bridge = corners.len() >= 2;
        let bridge = match self.fault {
            BridgeOfThree => corners.len() >= 3,
            BridgeOfAdjacentMissed => apart(2) || apart(3),
            BridgeOfOppositeMissed => apart(1) || apart(2),
            BridgeUnconnected => all_corners >= 2,
            NoBridge => false,
            BridgeOfWhiteMissed => bridge && side == 2,
            BridgeMissedFrom8 => bridge && self.size < 8,
            BridgeMissedFrom10 => bridge && self.size < 10,
            BridgeMissedOn20 => bridge && self.size < 20,
            _ => bridge,
        };
        let row = (0..6).any(|i| (0..3).all(|k| edges.contains(&((i + k) % 6))));
        let spread = [0, 1].iter().any(|&i| (0..3).all(|k| edges.contains(&(i + 2 * k))));
        let fork = edges.len() >= 3;
        let fork = match self.fault {
            ForkOfFour => edges.len() >= 4,
            ForkOfTwo => edges.len() >= 2,
            ForkOfAdjacentMissed => fork && !(row && edges.len() == 3),
            ForkOfSpreadMissed => fork && !(spread && edges.len() == 3),
            ForkUnconnected => all_edges.len() >= 3,
            NoFork => false,
            ForkMissedFrom6 => fork && self.size < 6,
            ForkMissedFrom9 => fork && self.size < 9,
            ForkMissedFrom12 => fork && self.size < 12,
            _ => fork,
        };
        let found = [("ring", self.ring(side)), ("bridge", bridge), ("fork", fork)];
        let mut kinds: Vec<_> = found.into_iter().filter(|&(_, is)| is).map(|(name, _)| name).collect();
        if self.fault == FirstKindOnly {
            kinds.truncate(1);
        }
        kinds
    }

    fn cells_of_board(&self) -> usize {
        (3 * self.size * (self.size - 1) + 1) as usize
    }

    /// `true` if a side would own a formation with a stone on every empty cell.
    fn can_win(&self, side: u8) -> bool {
        let mut all = self.clone();
        all.fault = Fault::Nothing;
        all.cells.iter_mut().filter(|cell| **cell == 0).for_each(|cell| *cell = side);
        let places: Vec<Place> = all.board().filter(|&p| all.at(p) == side).collect();
        places.iter().any(|&p| !all.edges(p).is_empty() && !all.kinds(side, p).is_empty()) || all.ring(side)
    }

    /// Reads a cell, which need not be on the board.
    fn read(&self, text: &str) -> Option<Place> {
        let m = self.size - 1;
        if self.notation == "web" {
            let [a, b] = text.as_bytes() else { return None };
            let (a, b) = (i32::from(*a) - i32::from(b'o'), i32::from(*b) - i32::from(b'o'));
            return Some((m + a, if self.fault == Fault::WebMirrored { m + b } else { m - b }));
        }
        let digits = text.find(|c: char| c.is_ascii_digit())?;
        let letters = text[..digits].to_ascii_lowercase();
        let number: i32 = text[digits..].parse().ok()?;
        let letter = |b: u8| i32::from(b) - i32::from(b'a');
        let row = match letters.as_bytes() {
            [a] => letter(*a),
            [_, b] if self.fault == Fault::RowsAfterZWrap => letter(*b),
            [a, b] => 26 * (letter(*a) + 1) + letter(*b),
            _ => return None,
        };
        let grid = self.notation == "grid" && self.fault != Fault::GridAsHgui;
        Some((row, number - 1 + if grid { (row - m).max(0) } else { 0 }))
    }

    /// `true` if a location is a cell by the rules of this board, empty or not.
    fn is_cell(&self, (r, c): Place) -> bool {
        use Fault::*;
        let n = 2 * self.size - 1;
        let square = (0..n).contains(&r) && (0..n).contains(&c);
        self.on((r, c))
            || match self.fault {
                RhombusAccepted => square,
                WebBeyondAccepted => square && self.notation == "web",
                BeforeRowAccepted => square && r - c == self.size,
                AfterRowAccepted => square && c - r == self.size,
                NumberZeroAccepted => (r, c) == (0, -1),
                RowBeyondAccepted => r == n && (self.size..n).contains(&c),
                GridBeyondAccepted => self.notation == "grid" && square && c - r == self.size,
                _ => false,
            }
    }

    fn may_swap(&self) -> bool {
        use Fault::*;
        let right = self.swap && self.plies == 1;
        match self.fault {
            SwapAny => true,
            SwapNoRight => self.plies == 1,
            SwapFirst => right || (self.swap && self.plies == 0),
            SwapLate => self.swap && (1..=3).contains(&self.plies),
            SwapBySecondAtFourth => right || (self.swap && self.plies == 3 && !self.swapped),
            SwapTwice => right || (self.swap && self.plies == 2 && self.swapped),
            SwapRefused => false,
            _ => right,
        }
    }

    fn swap_over(&mut self) {
        if self.fault != Fault::SwapKeepsColours {
            self.cells.iter_mut().filter(|cell| **cell != 0).for_each(|cell| *cell = 3 - *cell);
        }
        self.swapped = true;
        self.plies += 1;
        if self.fault != Fault::SwapKeepsTurn {
            self.to_move = 3 - self.to_move;
        }
    }

    fn place(&mut self, place: Place) {
        use Fault::*;
        let (mover, index) = (self.to_move, self.index(place));
        self.stones += usize::from(self.cells[index] == 0);
        self.cells[index] = mover;
        self.plies += 1;
        self.last = Some(place);
        self.to_move = 3 - mover;
        if self.ended.is_some() {
            return;
        }
        let kinds = if self.on(place) { self.kinds(mover, place) } else { Vec::new() };
        let left = self.cells_of_board().saturating_sub(self.stones);
        let forgotten = match self.fault {
            RingOnLastCellDraws => "ring",
            BridgeOnLastCellDraws => "bridge",
            ForkOnLastCellDraws => "fork",
            _ => "",
        };
        let won = !kinds.is_empty() && (left > 0 || kinds != [forgotten]);
        if won {
            let winner = if self.fault == WinnerOpposite { 3 - mover } else { mover };
            if self.fault == TurnAfterEnd {
                self.to_move = mover;
            }
            self.ended = Some((winner, kinds));
            return;
        }
        let draw = match self.fault {
            DrawNever => false,
            DrawOneEarly => left <= 1,
            DrawWhenDead => left == 0 || (left < 8 && !self.can_win(1) && !self.can_win(2)),
            _ => left == 0,
        };
        if draw {
            let winner = match self.fault {
                DrawIsWin => mover,
                DrawIsLoss => 3 - mover,
                _ => 0,
            };
            self.ended = Some((winner, Vec::new()));
        }
    }
}

impl Rules for Havannah {
    type Fault = Fault;

    fn start(query: &Query, fault: Fault) -> Result<Self, String> {
        let size = i32::try_from(query.size.ok_or("no size")?).map_err(|e| e.to_string())?;
        if query.position.is_some() {
            return Err("no positions".to_owned());
        }
        let cells = vec![0; ((2 * size + 1) * (2 * size + 1)).max(256) as usize];
        let notation = query.notation.clone().unwrap_or_default();
        Ok(Self {
            fault,
            size,
            shape: Rc::new(Shape::new(size)),
            swap: query.swap,
            notation,
            cells,
            to_move: 1,
            plies: 0,
            stones: 0,
            swapped: false,
            last: None,
            ended: None,
        })
    }

    fn play(&mut self, text: &str) -> Result<(), &'static str> {
        use Fault::*;
        if let Some((winner, _)) = self.ended {
            let goes_on = match self.fault {
                AfterWinAccepted => winner != 0 && text != "swap",
                AfterDrawAccepted => winner == 0,
                SwapAfterEnd => text == "swap",
                _ => false,
            };
            if !goes_on {
                return Err("over");
            }
        }
        if text == "swap" {
            let may = self.may_swap() || (self.ended.is_some());
            if !may {
                return Err("swap");
            }
            self.swap_over();
            return Ok(());
        }
        let place = self.read(text).ok_or("move")?;
        if !self.is_cell(place) {
            return if self.fault == AfterDrawAccepted && self.ended.is_some() {
                Ok(())
            } else {
                Err("move")
            };
        }
        let there = self.at(place);
        let taken = match self.fault {
            OccupiedAccepted => false,
            OccupiedOwnAccepted => there == 3 - self.to_move,
            OccupiedLastRefusedOnly => self.last == Some(place),
            AfterDrawAccepted => there != 0 && self.ended.is_none(),
            _ => there != 0,
        };
        if taken {
            return Err(if self.fault == OccupiedIsOver { "over" } else { "occupied" });
        }
        self.place(place);
        Ok(())
    }

    fn state(&self) -> State {
        use Fault::*;
        let side = |side: u8| if side == 1 { "white" } else { "black" }.to_owned();
        let left = self.board().filter(|&p| self.at(p) == 0).count();
        let swap = usize::from(self.may_swap() && self.fault != SwapNotCounted);
        let over = self.ended.is_some() && self.fault != AfterEndLegal;
        State {
            plies: Some(self.plies as u64),
            to_move: side(self.to_move),
            outcome: self
                .ended
                .as_ref()
                .map(|&(winner, _)| if winner == 0 { "draw".to_owned() } else { side(winner) }),
            how: Some(self.ended.iter().flat_map(|(_, kinds)| kinds).map(|&kind| kind.to_owned()).collect()),
            legal: Some(if over { 0 } else { left + swap } as u64),
            ..State::default()
        }
    }

    fn told(fault: Fault) -> bool {
        use Fault::*;
        matches!(fault, FirstKindOnly | AfterEndLegal | SwapNotCounted | Nothing)
    }

    fn index(fault: Fault, at: usize, moves: usize) -> usize {
        match fault {
            Fault::IndexFromOne => at + 1,
            Fault::IndexIsLast => moves - 1,
            _ => at,
        }
    }
}
