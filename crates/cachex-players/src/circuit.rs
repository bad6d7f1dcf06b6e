//! [`Circuit`]: the resistance between a player's two sides, by Kirchhoff's laws.

use stonework_board::Cell;
use stonework_cachex::Position;
use stonework_game::Player;

use crate::frame::{AREA, CELLS, Frame, STEPS, State, step};

/// A cell that is no node: it has a stone of the opponent, or is cut off from both sides.
const NONE: u16 = u16::MAX;
/// The low side of the board, beside row 0, at one volt.
const LOW: u16 = NONE - 1;
/// The high side of the board, beside row n − 1, at zero volts.
const HIGH: u16 = NONE - 2;
/// A cell that is connected to a side, but has no number yet.
const UNNUMBERED: u16 = NONE - 3;

/// A link between two nodes, or between a node and a side.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The node with the smaller number.
    node: u16,
    /// The node with the greater number, or [`LOW`] or [`HIGH`].
    other: u16,
    /// The conductance in siemens, the inverse of ohms.
    conductance: f64,
}

/// A player's electrical circuit, after Anshelevich (*A hierarchical approach to computer Hex*, Artificial Intelligence
/// 134, 2002, section 6).
///
/// Every cell is a resistor: 0 ohms for an own stone, 1 ohm for an empty cell, infinite for a stone of the opponent. A link
/// between neighbours has the sum of their resistances. A link between a cell and a side of the board has the resistance of
/// the cell. Each own chain is one node. A chain that touches a side is part of that side. With one volt between the sides, the
/// current is the inverse of the [resistance](Circuit::resistance). The [share](Circuit::share) of the current through
/// a cell measures the importance of that cell.
///
/// The equations are solved directly. The nodes are numbered by rows, and each chain by its last cell. This order gives the
/// matrix a narrow skyline. `LDLᵀ` takes O(n⁴) steps for n² cells, about 4 000 multiplications at n = 9. Conjugate gradients
/// that begin with the voltages of the previous position take 15 iterations at n = 5, 31 at n = 9 and 58 at n = 15. They
/// are two to four times as slow (`docs/lab/cachex.md`). A general sparse solver would have to compute an order of the
/// nodes for each position.
///
/// ```
/// use stonework_cachex::{Position, Setup};
/// use stonework_game::Player;
/// use stonework_cachex_players::Circuit;
/// let mut circuit = Circuit::new();
/// let game = Setup::from_rows("r../rb./.bb", 5)?.position()?;
/// circuit.connect(&game, Player::First);
/// assert!((circuit.resistance() - 2.0).abs() < 1e-9); // one cell is left: 1 to the chain, 1 to the side
/// assert!((circuit.share(game.cell(2, 0).unwrap()) - 1.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Circuit {
    resistance: f64,
    /// The node of each cell of the padded board, or [`LOW`], [`HIGH`], [`NONE`] or [`UNNUMBERED`].
    node: [u16; AREA],
    /// For each node, the lowest node that is linked to it, or itself.
    first: Vec<u16>,
    /// The index in `rows` at which the row of each node begins. The row of node i has the columns `first[i]` to i − 1.
    begin: Vec<usize>,
    /// The rows of the matrix; after [`factor`](Self::factor), the rows of L.
    rows: Vec<f64>,
    /// The diagonal of the matrix; after [`factor`](Self::factor), the inverse of D.
    diagonal: Vec<f64>,
    links: Vec<Link>,
    /// The right-hand side of the equations: the conductance of each node to the low side, times one volt. After
    /// [`flow`](Self::flow), the inflow plus the outflow of each node.
    currents: Vec<f64>,
    /// The voltage of each node.
    volts: Vec<f64>,
    /// The part of the whole current that flows through each cell, by the board's own numbers.
    shares: [f64; CELLS],
    /// The cells from which a flood still has to go on.
    stack: Vec<u16>,
}

impl Default for Circuit {
    fn default() -> Self {
        Self::new()
    }
}

/// The inner product, as four independent sums, which the compiler can vectorise.
#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (fours, rest) = (a.chunks_exact(4), b.chunks_exact(4));
    let tail: f64 = fours.remainder().iter().zip(rest.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in fours.zip(rest) {
        for i in 0..4 {
            sums[i] += x[i] * y[i];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail
}

impl Circuit {
    /// A circuit for boards of any size. Before the first [`connect`](Circuit::connect), the resistance is infinite.
    #[must_use]
    pub fn new() -> Self {
        Self {
            resistance: f64::INFINITY,
            node: [NONE; AREA],
            first: Vec::new(),
            begin: Vec::new(),
            rows: Vec::new(),
            diagonal: Vec::new(),
            links: Vec::new(),
            currents: Vec::new(),
            volts: Vec::new(),
            shares: [0.0; CELLS],
            stack: Vec::new(),
        }
    }

    /// Builds and solves the circuit of one player. Allocates memory only for a board that is larger than all boards before.
    pub fn connect(&mut self, game: &Position, player: Player) {
        self.solve(&Frame::of(game, player), true);
    }

    /// The ohms between the sides: 0 for a player who has won, infinite for a player who has lost. The resistance of
    /// the empty board of size n is a little less than n + 1.
    #[must_use]
    pub const fn resistance(&self) -> f64 {
        self.resistance
    }

    /// The part of the whole current that flows through an empty cell, from 0 to 1. The share is 0 for other cells,
    /// and for a game that is over.
    #[must_use]
    pub fn share(&self, cell: Cell) -> f64 {
        self.shares.get(cell.index()).copied().unwrap_or(0.0)
    }

    /// The shares of all cells, by the board's own numbers.
    pub(super) const fn shares(&self) -> &[f64; CELLS] {
        &self.shares
    }

    /// Solves the circuit of a frame for the resistance and, if `with_shares`, for the shares.
    pub(super) fn solve(&mut self, frame: &Frame, with_shares: bool) {
        self.shares.fill(0.0);
        self.resistance = f64::INFINITY;
        if !self.reach(frame) {
            return;
        }
        if !self.number(frame) {
            self.resistance = 0.0;
            return;
        }
        self.assemble(frame);
        self.factor();
        let current = self.forward();
        self.resistance = 1.0 / current;
        if with_shares {
            self.backward();
            self.flow(frame, current);
        }
    }

    /// Marks the cells that are connected to a side. Returns `true` if some cells are connected to both sides.
    fn reach(&mut self, frame: &Frame) -> bool {
        self.node.fill(NONE);
        let mut joined = false;
        for (low, row) in [(true, 0), (false, frame.size - 1)] {
            for column in 0..frame.size {
                let at = Frame::at(row, column);
                if frame.states[at] == State::Blocked || self.node[at] != NONE {
                    continue;
                }
                self.node[at] = UNNUMBERED;
                self.stack.push(at as u16);
                while let Some(at) = self.stack.pop() {
                    joined |= low && Frame::place(at.into()).0 + 1 == frame.size;
                    for to in STEPS.map(|s| step(at.into(), s)) {
                        if frame.states[to] != State::Blocked && self.node[to] == NONE {
                            self.node[to] = UNNUMBERED;
                            self.stack.push(to as u16);
                        }
                    }
                }
            }
        }
        joined
    }

    /// Numbers the nodes. Returns `false` if a chain of stones joins the sides.
    fn number(&mut self, frame: &Frame) -> bool {
        for (side, row) in [(LOW, 0), (HIGH, frame.size - 1)] {
            for column in 0..frame.size {
                let at = Frame::at(row, column);
                match self.node[at] {
                    UNNUMBERED if frame.is(at, State::Own) => self.number_chain(frame, at, side),
                    LOW if side == HIGH => return false,
                    _ => {}
                }
            }
        }
        // Numbers go backwards from the last cell, so that a chain has the number of its last cell.
        let mut unnumbered = 0;
        for at in frame.cells() {
            unnumbered += u16::from(self.node[at] == UNNUMBERED);
        }
        let mut next = unnumbered;
        let last = Frame::at(frame.size - 1, frame.size - 1);
        for at in (Frame::at(0, 0)..=last).rev() {
            if self.node[at] == UNNUMBERED {
                next -= 1;
                if frame.is(at, State::Own) {
                    self.number_chain(frame, at, next);
                } else {
                    self.node[at] = next;
                }
            }
        }
        // A chain takes one number for all its stones, so the lowest numbers stay unused. The shift makes them begin
        // at 0.
        for at in frame.cells() {
            if self.node[at] < UNNUMBERED {
                self.node[at] -= next;
            }
        }
        self.first.clear();
        self.first.extend(0..unnumbered - next);
        true
    }

    /// Gives all stones of the chain at `from` the same node.
    fn number_chain(&mut self, frame: &Frame, from: usize, node: u16) {
        self.node[from] = node;
        self.stack.push(from as u16);
        while let Some(at) = self.stack.pop() {
            for to in STEPS.map(|s| step(at.into(), s)) {
                if frame.is(to, State::Own) && self.node[to] == UNNUMBERED {
                    self.node[to] = node;
                    self.stack.push(to as u16);
                }
            }
        }
    }

    /// Lists each link once: the links of each cell to the three neighbours before it, and to the sides.
    fn list_links(&mut self, frame: &Frame) {
        self.links.clear();
        let Self { node, first, links, .. } = self;
        for row in 0..frame.size {
            for at in Frame::at(row, 0)..Frame::at(row, frame.size) {
                let from = node[at];
                if from == NONE {
                    continue;
                }
                let empty = frame.states[at] == State::Empty;
                for to in [step(at, STEPS[3]), step(at, STEPS[4]), step(at, STEPS[5])] {
                    let to_state = frame.states[to];
                    let to = node[to];
                    if to_state == State::Blocked || to == from {
                        continue;
                    }
                    let conductance = if empty && to_state == State::Empty { 0.5 } else { 1.0 };
                    let (node, other) = (from.min(to), from.max(to));
                    if other < HIGH {
                        let first = &mut first[usize::from(other)];
                        *first = node.min(*first);
                    }
                    links.push(Link { node, other, conductance });
                }
                if empty && row == 0 {
                    links.push(Link { node: from, other: LOW, conductance: 1.0 });
                }
                if empty && row + 1 == frame.size {
                    links.push(Link { node: from, other: HIGH, conductance: 1.0 });
                }
            }
        }
    }

    /// Builds the matrix and the right-hand side.
    fn assemble(&mut self, frame: &Frame) {
        self.list_links(frame);
        let nodes = self.first.len();
        self.begin.clear();
        let mut length = 0;
        for (node, &first) in self.first.iter().enumerate() {
            self.begin.push(length);
            length += node - usize::from(first);
        }
        for (list, length) in
            [(&mut self.rows, length), (&mut self.diagonal, nodes), (&mut self.currents, nodes)]
        {
            list.clear();
            list.resize(length, 0.0);
        }
        for &Link { node, other, conductance } in &self.links {
            let (from, to) = (usize::from(node), usize::from(other));
            self.diagonal[from] += conductance;
            match other {
                LOW => self.currents[from] += conductance,
                HIGH => {}
                _ => {
                    self.diagonal[to] += conductance;
                    self.rows[self.begin[to] + from - usize::from(self.first[to])] -= conductance;
                }
            }
        }
    }

    /// Factors the matrix as `LDLᵀ`, row by row. Leaves L in `rows` and the inverse of D in `diagonal`.
    fn factor(&mut self) {
        for i in 0..self.first.len() {
            let first = usize::from(self.first[i]);
            let (above, row) = self.rows.split_at_mut(self.begin[i]);
            let row = &mut row[..i - first];
            for j in first..i {
                let other = usize::from(self.first[j]);
                let from = first.max(other);
                let begin = self.begin[j] + from - other;
                let sum = dot(&row[from - first..j - first], &above[begin..begin + j - from]);
                row[j - first] -= sum;
            }
            let mut pivot = self.diagonal[i];
            for (entry, inverse) in row.iter_mut().zip(&self.diagonal[first..i]) {
                let scaled = *entry * inverse;
                pivot -= *entry * scaled;
                *entry = scaled;
            }
            self.diagonal[i] = 1.0 / pivot;
        }
    }

    /// Forward substitution for one volt at the low side. Returns the whole current.
    fn forward(&mut self) -> f64 {
        let mut current: f64 = self.currents.iter().sum();
        self.volts.clear();
        for i in 0..self.first.len() {
            let first = usize::from(self.first[i]);
            let row = &self.rows[self.begin[i]..self.begin[i] + i - first];
            let value = self.currents[i] - dot(row, &self.volts[first..i]);
            self.volts.push(value);
            current -= value * value * self.diagonal[i];
        }
        current
    }

    /// Backward substitution: leaves the voltages in `volts`.
    fn backward(&mut self) {
        for (value, inverse) in self.volts.iter_mut().zip(&self.diagonal) {
            *value *= inverse;
        }
        for i in (0..self.first.len()).rev() {
            let first = usize::from(self.first[i]);
            let (above, rest) = self.volts.split_at_mut(i);
            let row = &self.rows[self.begin[i]..self.begin[i] + i - first];
            for (value, entry) in above[first..].iter_mut().zip(row) {
                *value -= entry * rest[0];
            }
        }
    }

    /// Computes the share of the whole `current` that flows through each empty cell.
    fn flow(&mut self, frame: &Frame, current: f64) {
        self.currents.fill(0.0);
        for &Link { node, other, conductance } in &self.links {
            let volts = match other {
                LOW => 1.0,
                HIGH => 0.0,
                _ => self.volts[usize::from(other)],
            };
            let flow = (self.volts[usize::from(node)] - volts).abs() * conductance;
            self.currents[usize::from(node)] += flow;
            if other < HIGH {
                self.currents[usize::from(other)] += flow;
            }
        }
        for at in frame.cells().filter(|&at| frame.is(at, State::Empty)) {
            if let Some(flow) = self.currents.get(usize::from(self.node[at])) {
                // The sum counts inflow and outflow. The current through the cell is half of the sum.
                self.shares[frame.index(at)] = flow / (2.0 * current);
            }
        }
    }
}
