//! [`Pn`]: best-first proof-number search with its tree in memory, on one or two levels.

use stonework_game::{Finite, Game};

use super::arena::{Arena, Node, Patience, Pool};
use super::drive::{Question, Solve, Task, drive};
use super::leaf::{Expansion, Initial, LeafEvaluator};
use super::numbers::{INFINITE, Query, plus};
use super::pace::Pace;
use super::walk::{Answer, MAX_PLIES};
use crate::options::options;
use crate::{Engine, HashUse, Limits, Meter, ProofNumbers, ProofTactics, Report, SearchContext, Stop};

/// Proof-number search (PN): repeated expansion of the most proving node, with the whole tree in memory. With
/// [`squared`](PnOptions::squared), PN²: a second search expands each position, and only the first level of the
/// second search is kept.
///
/// Questions and nodes have the same meaning as in [`Dfpn`](crate::Dfpn). A position that several lines lead to is
/// searched several times. The search continues at the node where the last numbers changed, not at the root. When
/// the memory limit is reached (256 MiB unless set), the nodes below decided positions are freed. If this step
/// frees little, the least promising positions at the bottom of the tree lose their children and keep their
/// numbers; a search whose tree is far larger than the memory may then never end. The search ends with
/// [`Stop::Memory`] if the memory has no room for the current line. Three 32-bit words and a move make a node of
/// 20 to 24 bytes. No step is random.
///
/// # Arguments
/// * [`PnOptions`]; then, by a method, [`ProofTactics`].
/// * [`Limits`]: nodes, time, bytes, the cancel flag; a limit of depth cuts lines. The search does not use the
///   seed.
///
/// # Returns
/// A [`Report`] with the bounds that are proven, the [numbers](Report::proof_numbers) of the root and one line.
///
/// # Complexity
/// Time O(nodes · b) with b moves a position; memory O(nodes), up to the limit of bytes.
///
/// # References
/// *L. V. Allis, Searching for solutions in games and artificial intelligence, 1994; D. M. Breuker, Memory versus search in
/// games, 1998.*
///
/// # Example
/// ```
/// use stonework_game::example::Nim;
/// use stonework_game::{Outcome, Player};
/// use stonework_search::{Engine, Limits, Pn};
/// let report = Pn::default().think(&Nim::new(7), &Limits::none());
/// assert_eq!(report.proven, Some(Outcome::Win(Player::First)));
/// ```
#[derive(Clone, Debug)]
pub struct Pn<Tactic = ()> {
    tactics: Tactic,
    options: PnOptions,
}

options! {
    /// The options of a [`Pn`].
    ///
    /// ```
    /// use stonework_search::{Pn, PnOptions};
    /// let engine = Pn::new(PnOptions::new().bytes(1 << 20).squared(|nodes| nodes));
    /// ```
    #[derive(Clone, Copy, Debug)]
    PnOptions;
    /// The default options: one level, at most 256 MiB, the question of the value.
    new;

    /// The numbers of new positions.
    initial: Initial = Initial::Moves;
    /// The memory of the tree in bytes if [`Limits::bytes`] is not set; 256 MiB unless set.
    bytes: usize = 256 << 20;
    /// The question about the root.
    question: Question = Question::Value;
    /// Two levels (PN²), off unless set. The function returns the greatest number of nodes of a second-level tree
    /// from the number of nodes of the first-level tree. The memory that is left is the other limit. With `|nodes|
    /// nodes` both trees may have the same size.
    squared: Option<fn(u64) -> u64> = None, some fn(u64) -> u64;
}

/// An engine with the [default options](PnOptions::new), without tactics.
impl Default for Pn {
    fn default() -> Self {
        Self::new(PnOptions::new())
    }
}

impl Pn {
    /// An engine with options, without tactics. All options are valid.
    #[must_use]
    pub const fn new(options: PnOptions) -> Self {
        Self { tactics: (), options }
    }
}

impl<Tactic> Pn<Tactic> {
    /// Sets the game's tactics.
    #[must_use]
    pub fn tactics<Own>(self, tactics: Own) -> Pn<Own> {
        Pn { tactics, options: self.options }
    }
}

impl<G: Finite, Tactic: ProofTactics<G> + Clone> Engine<G> for Pn<Tactic> {
    fn search(&mut self, root: &G, limits: &Limits, context: SearchContext<'_, G::Move>) -> Report<G::Move> {
        context.unless_over(root, limits, |meter, watch| {
            let pool = Pool::new(limits.bytes.unwrap_or(self.options.bytes));
            let mut trees = Trees {
                evaluator: LeafEvaluator::new(self.tactics.clone(), self.options.initial),
                first: Arena::new(&pool),
                second: Arena::new(&pool),
                pool,
                budget: self.options.squared,
            };
            drive(&mut trees, root, self.options.question, meter, watch)
        })
    }
}

/// The memory of one search.
struct Trees<G: Game, Tactic> {
    evaluator: LeafEvaluator<G, Tactic>,
    first: Arena<G::Move>,
    second: Arena<G::Move>,
    pool: Pool<G::Move>,
    budget: Option<fn(u64) -> u64>,
}

impl<G: Finite, Tactic: ProofTactics<G>> Solve<G> for Trees<G, Tactic> {
    fn ask(&mut self, task: &Task<'_, G>, tick: &mut dyn FnMut(Answer<G::Move>)) -> Answer<G::Move> {
        let mut growth = Growth {
            game: task.root.clone(),
            question: task.question,
            evaluator: &mut self.evaluator,
            pool: &mut self.pool,
            meter: task.meter,
            pace: Pace::new(task.meter),
            moves: Vec::new(),
            children: Vec::new(),
        };
        let answer = growth.answer(&mut self.first, &mut self.second, self.budget, tick);
        growth.pace.settle();
        answer
    }

    fn line(&mut self, task: &Task<'_, G>, answer: Answer<G::Move>) -> Vec<G::Move> {
        let mut game = task.root.clone();
        let mut line = Vec::new();
        let mut at = ROOT;
        let mut next = answer.best;
        while let Some(mv) = next.filter(|&mv| game.check(mv).is_ok()) {
            let children = self.first.get(at).map_or(0..0, Node::children);
            let mut children = children.filter_map(|i| Some((i, self.first.get(i)?)));
            let child = children.find(|(_, node)| node.mv == Some(mv)).map(|(i, _)| i);
            line.push(mv);
            game.play_unchecked(mv);
            let Some(child) = child else { break };
            at = child;
            next = best(&self.first, at, game.to_move() == task.question.who).and_then(|(_, node)| node.mv);
        }
        line
    }

    fn hash(&self) -> HashUse {
        HashUse::default()
    }

    fn bytes(&self) -> usize {
        self.pool.bytes()
    }
}

/// The child with the least φ, which the side to move tries next.
fn best<M: Copy>(tree: &Arena<M>, at: u32, or_node: bool) -> Option<(u32, &Node<M>)> {
    let children = tree.get(at)?.children().filter_map(|i| Some((i, tree.get(i)?)));
    children.min_by_key(|(_, node)| node.numbers.phi_delta(or_node).0)
}

/// The answer of a tree about its root.
fn root_answer<M: Copy>(tree: &Arena<M>, or_node: bool) -> Answer<M> {
    let numbers = tree.get(ROOT).map_or(Answer::<M>::UNKNOWN.numbers, |root| root.numbers);
    Answer { numbers, best: best(tree, ROOT, or_node).and_then(|(_, node)| node.mv) }
}

/// The number of a tree's root.
const ROOT: u32 = 0;
/// The reason that ends the growth of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Halt {
    /// A limit of the meter.
    Limit,
    /// The memory limit.
    Full,
}

/// The way in which the leaves of a tree are expanded.
enum Level<'a, M> {
    /// Expansion by the moves of the leaf, until the tree has this number of nodes.
    Plain(u64),
    /// Expansion by a second tree; the function returns the greatest number of nodes of the second tree from the
    /// number of nodes of the first tree.
    Squared(&'a mut Arena<M>, fn(u64) -> u64),
}

/// The state of a running search.
struct Growth<'a, G: Game, Tactic> {
    game: G,
    question: Query,
    evaluator: &'a mut LeafEvaluator<G, Tactic>,
    pool: &'a mut Pool<G::Move>,
    meter: &'a Meter<'a>,
    pace: Pace<'a>,
    moves: Vec<G::Move>,
    children: Vec<Node<G::Move>>,
}

impl<G: Finite, Tactic: ProofTactics<G>> Growth<'_, G, Tactic> {
    fn answer(
        &mut self,
        first: &mut Arena<G::Move>,
        second: &mut Arena<G::Move>,
        budget: Option<fn(u64) -> u64>,
        tick: &mut dyn FnMut(Answer<G::Move>),
    ) -> Answer<G::Move> {
        second.clear(self.pool);
        if !self.pace.node(None) {
            return Answer::UNKNOWN;
        }
        let numbers = match self.evaluator.root(&mut self.game, &self.question) {
            Err(numbers) => numbers,
            Ok(answer) => {
                first.clear(self.pool);
                return answer;
            }
        };
        if first.plant(Node::new(None, numbers), self.pool) {
            let level = budget.map_or(Level::Plain(u64::MAX), |budget| Level::Squared(second, budget));
            if self.grow(first, level, 0, Some(tick)) == Err(Halt::Full) {
                self.meter.stop(Stop::Memory);
            }
        } else {
            self.meter.stop(Stop::Memory);
        }
        let or_node = self.game.to_move() == self.question.who;
        root_answer(first, or_node)
    }

    /// Grows a tree until its root is decided, its number of nodes is at the limit, or a limit of the search is
    /// reached. The game is the same afterwards.
    fn grow(
        &mut self,
        tree: &mut Arena<G::Move>,
        mut level: Level<'_, G::Move>,
        base: u32,
        mut tick: Option<&mut dyn FnMut(Answer<G::Move>)>,
    ) -> Result<(), Halt> {
        let root_moves = self.game.to_move() == self.question.who;
        let mut path: Vec<(u32, G::Undo)> = Vec::new();
        let mut at = ROOT;
        let mut result = Ok(());
        while result.is_ok() && tree.get(ROOT).is_some_and(|root| root.numbers.decided().is_none()) {
            if matches!(level, Level::Plain(most) if tree.nodes() >= most) {
                break;
            }
            if let Some(tick) = &mut tick
                && self.pace.tick()
            {
                tick(root_answer(tree, root_moves));
            }
            // First, the walk goes down to the most proving node.
            while let Some((child, &Node { mv: Some(mv), .. })) =
                best(tree, at, self.game.to_move() == self.question.who)
            {
                path.push((at, self.game.play_unchecked(mv)));
                at = child;
            }
            if path.len() > MAX_PLIES {
                self.meter.stop(Stop::Depth);
                result = Err(Halt::Limit);
                break;
            }
            // Then the most proving node is expanded, and the numbers above it are updated.
            let ply = base + path.len() as u32;
            let no_moves = match &mut level {
                Level::Plain(_) => self.expand(tree, at, ply),
                Level::Squared(second, budget) => self.expand_by_tree(tree, at, ply, second, *budget),
            };
            match no_moves {
                Ok(numbers) => at = self.back_up(tree, at, numbers, &mut path),
                Err(halt) => result = Err(halt),
            }
        }
        while let Some((_, undo)) = path.pop() {
            self.game.undo(undo);
        }
        result
    }

    /// Updates the numbers of the ancestors of a leaf, up to the first ancestor whose numbers stay the same, and
    /// returns that ancestor.
    fn back_up(
        &mut self,
        tree: &mut Arena<G::Move>,
        leaf: u32,
        mut decided: Option<ProofNumbers>,
        path: &mut Vec<(u32, G::Undo)>,
    ) -> u32 {
        let mut at = leaf;
        loop {
            let or_node = self.game.to_move() == self.question.who;
            let numbers = decided.take().unwrap_or_else(|| sum(tree, at, or_node));
            let Some(node) = tree.get_mut(at) else { return at };
            if node.numbers == numbers {
                return at;
            }
            node.numbers = numbers;
            let Some((parent, undo)) = path.pop() else { return at };
            self.game.undo(undo);
            at = parent;
        }
    }

    /// Makes the children of a leaf. Returns the numbers of the leaf if it has no moves.
    fn expand(
        &mut self,
        tree: &mut Arena<G::Move>,
        leaf: u32,
        ply: u32,
    ) -> Result<Option<ProofNumbers>, Halt> {
        let or_node = self.game.to_move() == self.question.who;
        let mut moves = std::mem::take(&mut self.moves);
        let mut children = std::mem::take(&mut self.children);
        moves.clear();
        children.clear();
        let listed = self.evaluator.expand(&mut self.game, &mut moves);
        let mut result = Ok(None);
        for &mv in &moves {
            if !self.pace.node(None) {
                result = Err(Halt::Limit);
                break;
            }
            let undo = self.game.play_unchecked(mv);
            let numbers = self.evaluator.evaluate(&mut self.game, &self.question, ply + 1).numbers();
            self.game.undo(undo);
            if numbers.phi_delta(or_node).0 == 0 {
                children.clear();
                children.push(Node::new(Some(mv), numbers));
                break;
            }
            children.push(Node::new(Some(mv), numbers));
        }
        if listed == Expansion::NoMoves {
            result = Ok(Some(ProofNumbers::DISPROVEN));
        } else if moves.is_empty() {
            result = Ok(Some(ProofNumbers::answer(!or_node)));
        } else if result.is_ok() {
            result = self.add_children(tree, leaf, &children).map(|()| None);
        } else if result.is_err() && leaf == ROOT {
            // The search ends. A child of the root can be reported as the best move, but the children decide
            // nothing.
            let _ = self.add_children(tree, leaf, &children);
        }
        (self.moves, self.children) = (moves, children);
        result
    }

    /// Expands a leaf by a search of its own, whose first level becomes the children.
    fn expand_by_tree(
        &mut self,
        tree: &mut Arena<G::Move>,
        leaf: u32,
        ply: u32,
        second: &mut Arena<G::Move>,
        budget: fn(u64) -> u64,
    ) -> Result<Option<ProofNumbers>, Halt> {
        let Some(&Node { numbers, mv, .. }) = tree.get(leaf) else { return Err(Halt::Full) };
        let budget = budget(tree.nodes()).max(2);
        let grown = if second.plant(Node::new(mv, numbers), self.pool) {
            self.grow(second, Level::Plain(budget), ply, None)
        } else {
            Err(Halt::Full)
        };
        let root = second.get(ROOT).copied();
        let children = root.map_or(0..0, |root| root.children());
        let mut first_level: Vec<_> =
            children.filter_map(|i| second.get(i)).map(|node| Node::new(node.mv, node.numbers)).collect();
        second.clear(self.pool);
        if grown == Err(Halt::Limit) {
            if leaf == ROOT {
                let _ = self.add_children(tree, leaf, &first_level);
            }
            return Err(Halt::Limit);
        }
        let decided = root.map(|root| root.numbers).filter(|numbers| numbers.decided().is_some());
        if first_level.is_empty() {
            return match decided {
                Some(numbers) => Ok(Some(numbers)),
                // The memory has no room for a tree, but may have room for the moves alone.
                None => self.expand(tree, leaf, ply),
            };
        }
        if decided.is_some() {
            let or_node = self.game.to_move() == self.question.who;
            if let Some(decider) =
                first_level.iter().find(|node| node.numbers.phi_delta(or_node).0 == 0).copied()
            {
                first_level = vec![decider];
            }
        }
        self.add_children(tree, leaf, &first_level).map(|()| None)
    }

    /// Adds children to a leaf. If the pool has no room, frees the nodes below decided positions, and prunes the
    /// tree if this step frees little. An error if the pool still has no room, or if a limit ends the search meanwhile.
    fn add_children(
        &mut self,
        tree: &mut Arena<G::Move>,
        leaf: u32,
        children: &[Node<G::Move>],
    ) -> Result<(), Halt> {
        if tree.expand(leaf, children, self.pool) {
            return Ok(());
        }
        let mut goes_on = || {
            self.meter.look();
            self.meter.stopped().is_none()
        };
        let mut patience = Patience::new(&mut goes_on);
        let enough = tree.nodes() / 32;
        while tree.collect(&mut patience).ok_or(Halt::Limit)? < enough {
            if tree.prune(leaf, &mut patience).ok_or(Halt::Limit)? == 0 {
                break;
            }
            if tree.expand(leaf, children, self.pool) {
                return Ok(());
            }
        }
        if tree.expand(leaf, children, self.pool) { Ok(()) } else { Err(Halt::Full) }
    }
}

/// The numbers of a node, from its children.
fn sum<M: Copy>(tree: &Arena<M>, at: u32, or_node: bool) -> ProofNumbers {
    let children = tree.get(at).map_or(0..0, Node::children).filter_map(|i| tree.get(i));
    let seen = children.map(|node| node.numbers.phi_delta(or_node));
    let (least, sum) = seen.fold((INFINITE, 0), |(l, s), (phi, delta)| (l.min(phi), plus(s, delta)));
    ProofNumbers::from_phi_delta((least, sum), or_node)
}
