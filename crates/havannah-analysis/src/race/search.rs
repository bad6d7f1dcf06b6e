//! [`Tree`]: a proof-number search of the question whether one side, the attacker, wins, on few moves.
//!
//! The attacker tries forcing moves and the moves of frames; the defender has every move that frames do not refute.
//! So a win of the attacker is sure, and a failure means nothing.

use stonework_board::{Cell, CellSet};
use stonework_game::{Game, Player};
use stonework_havannah::{Move, Position};

use crate::{AnalysisError, Frame, FrameBudget, Frames, MustPlay};

/// The number of a question that is decided against the asker.
const INFINITE: u32 = u32::MAX;
/// The parent of the root.
const NO_NODE: u32 = u32::MAX;

/// The moves that a look at one position leaves, or its end.
enum Look {
    /// The attacker wins: on this cell at once, by this frame, or by two winning cells or several frames.
    Won { cell: Option<Cell>, frame: Option<Box<Frame>> },
    /// No win is known.
    Failed,
    /// The moves to try; all moves of the defender that may not lose.
    Moves(Vec<Cell>),
}

struct Node {
    parent: u32,
    /// The move that leads here; none at the root.
    cell: Option<Cell>,
    /// The number of the first child, and the number of children.
    children: (u32, u32),
    /// The least number of open positions to decide for a win of the attacker, and against it.
    proof: u32,
    disproof: u32,
    /// The winning cell and the frame of a position that is won without a further look.
    end: (Option<Cell>, Option<Box<Frame>>),
}

/// The search tree of one attacker.
pub(super) struct Tree<'a> {
    attacker: Player,
    position: Position,
    budget: &'a FrameBudget,
    nodes: Vec<Node>,
    pub(super) positions: u64,
    pub(super) complete: bool,
}

impl<'a> Tree<'a> {
    pub(super) fn new(position: &Position, attacker: Player, budget: &'a FrameBudget) -> Self {
        let mut tree = Self {
            attacker,
            position: position.clone(),
            budget,
            nodes: Vec::new(),
            positions: 0,
            complete: true,
        };
        tree.nodes.push(Node::open(NO_NODE, None));
        tree
    }

    /// Looks at positions until the question is decided or `most` positions were looked at. `true` if the attacker
    /// wins.
    pub(super) fn run(&mut self, most: u64) -> Result<bool, AnalysisError> {
        while self.is_open() && self.positions < most {
            self.positions += 1;
            let mut undo = Vec::new();
            let mut at = 0;
            while self.nodes[at].children.1 > 0 {
                at = self.best(at, self.position.to_move() == self.attacker);
                if let Some(cell) = self.nodes[at].cell {
                    undo.push(self.position.play_unchecked(Move::Place(cell)));
                }
            }
            let look = self.look();
            let attacks = self.position.to_move() == self.attacker;
            while let Some(undo) = undo.pop() {
                self.position.undo(undo);
            }
            self.expand(at, attacks, look?);
            self.back_up(at, attacks);
        }
        self.complete &= !self.is_open();
        Ok(self.nodes[0].proof == 0)
    }

    fn is_open(&self) -> bool {
        self.nodes[0].proof != 0 && self.nodes[0].disproof != 0
    }

    fn children(&self, at: usize) -> std::ops::Range<usize> {
        let (first, count) = self.nodes[at].children;
        first as usize..(first + count) as usize
    }

    /// The child with which the side to move at a node comes nearest to its answer.
    fn best(&self, at: usize, attacks: bool) -> usize {
        let need = |&child: &usize| {
            let Node { proof, disproof, .. } = self.nodes[child];
            if attacks { proof } else { disproof }
        };
        self.children(at).min_by_key(need).unwrap_or(at)
    }

    fn expand(&mut self, at: usize, attacks: bool, look: Look) {
        let first = self.nodes.len() as u32;
        match look {
            Look::Won { cell, frame } => {
                (self.nodes[at].proof, self.nodes[at].disproof) = (0, INFINITE);
                self.nodes[at].end = (cell, frame);
            }
            Look::Moves(cells) if !cells.is_empty() => {
                self.nodes[at].children = (first, cells.len() as u32);
                self.nodes.extend(cells.into_iter().map(|cell| Node::open(at as u32, Some(cell))));
                self.weigh(at, attacks);
            }
            Look::Moves(_) | Look::Failed => {
                (self.nodes[at].proof, self.nodes[at].disproof) = (INFINITE, 0);
            }
        }
    }

    /// Sets the numbers of a node from the numbers of its children.
    fn weigh(&mut self, at: usize, attacks: bool) {
        let of = |child: &Node| {
            if attacks { (child.proof, child.disproof) } else { (child.disproof, child.proof) }
        };
        let (mut least, mut sum) = (INFINITE, 0u32);
        for child in &self.nodes[self.children(at)] {
            let (mine, other) = of(child);
            least = least.min(mine);
            sum = sum.saturating_add(other);
        }
        let node = &mut self.nodes[at];
        (node.proof, node.disproof) = if attacks { (least, sum) } else { (sum, least) };
    }

    /// Sets the numbers of the nodes above a node. `attacks` tells whether the attacker moves at the node.
    fn back_up(&mut self, at: usize, attacks: bool) {
        let (mut at, mut attacks) = (at, attacks);
        while self.nodes[at].parent != NO_NODE {
            (at, attacks) = (self.nodes[at].parent as usize, !attacks);
            self.weigh(at, attacks);
        }
    }

    fn look(&mut self) -> Result<Look, AnalysisError> {
        let mover = self.position.to_move();
        let [own, other] = [mover, mover.other()].map(|player| self.position.winning_cells(player));
        let attacks = mover == self.attacker;
        if let Some(cell) = own.first() {
            return Ok(if attacks { Look::Won { cell: Some(cell), frame: None } } else { Look::Failed });
        }
        match other.len() {
            0 if self.position.outcome().is_some() => Ok(Look::Failed),
            0 if attacks => self.attack(),
            0 => self.defend(),
            1 => Ok(Look::Moves(other.iter().collect())),
            _ if attacks => Ok(Look::Failed),
            _ => Ok(Look::Won { cell: None, frame: None }),
        }
    }

    /// The attacker's moves: threats first, then the moves of frames. Neither side wins at once.
    fn attack(&mut self) -> Result<Look, AnalysisError> {
        let mut threats = Vec::new();
        for cell in self.position.empty_cells().collect::<CellSet>() {
            let undo = self.position.play_unchecked(Move::Place(cell));
            let wins = self.position.winning_count(self.attacker);
            self.position.undo(undo);
            match wins {
                0 => {}
                1 => threats.push(cell),
                _ => return Ok(Look::Moves(vec![cell])),
            }
        }
        let frames = Frames::of(&self.position, self.attacker, self.budget)?;
        self.complete &= frames.is_complete();
        if let Some(frame) = frames.proven().min_by_key(|frame| frame.moves) {
            return Ok(Look::Won { cell: None, frame: Some(Box::new(frame.clone())) });
        }
        let mut seen: CellSet = threats.iter().copied().collect();
        let full = frames.all().iter().find(|frame| frame.is_full());
        let shortens = full.and_then(|frame| frames.plan(frame)?.answer(None));
        // A frame leaves the time to take a cell that the defender needs.
        let stops = frames.opponent().filter(|_| full.is_some()).map_or(CellSet::new(), |need| need.cells);
        let keys = frames.all().iter().filter_map(|frame| frame.key);
        threats.extend(keys.chain(shortens).chain(&stops).filter(|&cell| seen.insert(cell)));
        Ok(Look::Moves(threats))
    }

    /// The defender's moves that the attacker's frames do not refute. Neither side wins at once.
    fn defend(&mut self) -> Result<Look, AnalysisError> {
        let must = MustPlay::of(&self.position, self.budget)?;
        self.complete &= must.frames().is_complete();
        if must.is_lost() {
            let frame = must.frames().proven().find(|frame| frame.is_full());
            return Ok(Look::Won { cell: None, frame: frame.cloned().map(Box::new) });
        }
        let bound = must.cells().len() < self.position.empty_cells().count();
        Ok(if bound { Look::Moves(must.cells().iter().collect()) } else { Look::Failed })
    }

    /// The moves from the root of a won tree to the end of a longest line, and the frame there.
    pub(super) fn line(mut self) -> (Vec<Cell>, Option<Frame>) {
        // The length of the longest line below each node; children come after their parents.
        let mut length = vec![0u32; self.nodes.len()];
        for at in (1..self.nodes.len()).rev() {
            let parent = self.nodes[at].parent as usize;
            if self.nodes[at].proof == 0 {
                length[parent] = length[parent].max(length[at] + 1);
            }
        }
        let (mut line, mut at) = (Vec::new(), 0);
        while self.nodes[at].children.1 > 0 {
            let won = |child: &usize| self.nodes[*child].proof == 0;
            let longest =
                self.children(at).filter(won).max_by_key(|&child| (length[child], self.nodes.len() - child));
            at = longest.unwrap_or_else(|| unreachable!("a won position with children has a won child"));
            line.extend(self.nodes[at].cell);
        }
        let (cell, frame) = std::mem::take(&mut self.nodes[at].end);
        line.extend(cell);
        (line, frame.map(|frame| *frame))
    }
}

impl Node {
    const fn open(parent: u32, cell: Option<Cell>) -> Self {
        Self { parent, cell, children: (0, 0), proof: 1, disproof: 1, end: (None, None) }
    }
}
