//! [`Worker`]: one thread's simulations.

mod expand;
mod study;

use rand_xoshiro::Xoshiro256PlusPlus;
use stonework_game::{ByPlayer, Indexed, Outcome, Player};

use super::KeyOf;
use super::Shared;
use super::node::{self, Node, Tally};
use super::parts::ThreadStrategies;
use super::rave_buffer::RaveBuffer;
use super::select::Caches;
use super::sub_search::SubSearch;
use crate::outcomes::Outcomes;
use crate::{Allowance, Evaluator, HashUse, PlayoutPolicy, Stop, Tactics, Verdict, WIN};

/// A node of a path.
#[derive(Clone, Copy)]
struct Step<'s> {
    node: &'s Node,
    kids: &'s [Node],
    /// The head of the children, in a graph.
    head: Option<&'s Node>,
    /// The side to move; the first player until the position is probed.
    side: Player,
    /// The number of lost visits that the thread has added to the node beforehand.
    entered: u32,
}

/// The number of visits from which on a lost visit hardly changes a score. From there on no lost visits are added,
/// as threads would compete for the node's cache line.
const OFTEN: u32 = 256;
/// The number of visits of the root that a thread beside other threads gathers before they are counted.
const GATHERED: u32 = 64;

impl<'s> Step<'s> {
    /// A step to a node without its children.
    fn leaf(node: &'s Node, side: Player, entered: u32) -> Self {
        Self { node, kids: &[], head: None, side, entered }
    }
}

/// The end of a simulation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// The visit was counted on the whole path.
    Counted,
    /// The game has contradicted itself, and the visit is not counted.
    Void,
    /// A limit does not allow the simulation.
    Refused,
}

/// The state of one thread, for a whole search. The state is aligned to cache lines, as workers lie side by side.
#[repr(align(128))]
pub(super) struct Worker<G: Indexed, S> {
    /// The root after the moves of `played`: the first moves that two successive simulations share are not played
    /// again.
    game: G,
    played: Vec<(u32, G::Undo)>,
    pub(super) strategies: S,
    rng: Xoshiro256PlusPlus,
    caches: Caches,
    rave_buffer: RaveBuffer,
    /// The function for the keys by which a graph finds positions again; `None` in a tree.
    key: Option<KeyOf<G>>,
    /// The use of the index of a graph.
    pub(super) found: HashUse,
    /// The visits of the root that are not counted yet.
    gathered: Tally,
    moves: Vec<G::Move>,
    only: Vec<G::Move>,
    prior_values: Vec<f32>,
    order: Vec<u32>,
    pub(super) allowance: Allowance,
    /// The number of finished simulations.
    pub(super) done: u64,
    /// The plies of the longest path.
    pub(super) deepest: usize,
}

/// The most simulations between two looks at the clock: few enough that a sudden series of slow simulations does
/// not delay the stop.
const LONGEST: u32 = 256;

impl<G: Indexed, S: ThreadStrategies<G>> Worker<G, S> {
    /// A worker for a tree of at most `nodes` nodes. `amaf` is the number of move numbers of RAVE.
    pub(super) fn new(
        root: &G,
        strategies: S,
        rng: Xoshiro256PlusPlus,
        key: Option<KeyOf<G>>,
        nodes: usize,
        amaf: usize,
    ) -> Self {
        Self {
            game: root.clone(),
            played: Vec::new(),
            strategies,
            rng,
            caches: Caches::new(nodes),
            rave_buffer: RaveBuffer::new(amaf),
            key,
            found: HashUse::default(),
            gathered: Tally::default(),
            moves: Vec::new(),
            only: Vec::new(),
            prior_values: Vec::new(),
            order: Vec::new(),
            allowance: Allowance::default(),
            done: 0,
            deepest: 0,
        }
    }

    /// Probes the root and makes its children, unless an earlier search has done so. `false` if a limit forbids
    /// the work.
    pub(super) fn open_root(&mut self, shared: &Shared<'_>) -> bool {
        let Some(node) = shared.arena.node(0) else {
            shared.meter.stop(Stop::Memory);
            return false;
        };
        if !shared.meter.nodes_at_once(&mut self.allowance, 1) {
            return false;
        }
        // A proven outcome without children shows no best move. Such an outcome comes from an earlier search that
        // had the root as an inner node, or from children that were dropped or left to another move to the
        // position.
        let bare = node.meta().count() == 0 && node.meta().set() != Outcomes::ANY;
        let hidden = is_hidden(node, shared.arena.kids(node, node.meta()));
        if S::Sub::ACTIVE || bare || hidden {
            node.widen();
        }
        if hidden && !S::Sub::ACTIVE {
            self.only.clear();
            let verdict = self.strategies.knowledge().tactics.probe(&mut self.game, &mut self.only);
            let (kids, head) = (shared.arena.kids(node, node.meta()), shared.arena.head(node, node.meta()));
            self.learn_verdict(&Step { kids, head, ..Step::leaf(node, node.meta().side(), 0) }, verdict);
        } else if S::Sub::ACTIVE || bare || !node.meta().seen() {
            self.look(node);
        }
        if node.meta().count() == 0 && !node.meta().exact() {
            if shared.depth == 0 {
                shared.meter.stop(Stop::Depth);
                return false;
            }
            if self.expand(shared, node).is_empty() {
                // Either the tree is full, perhaps since an earlier search, so that the moves were not even listed; or
                // the game is not over and has no moves, so that its outcome is unknown.
                let full = shared.arena.full() || !self.moves.is_empty();
                shared.meter.stop(if full { Stop::Memory } else { Stop::Solved });
                return false;
            }
        }
        if S::Sub::ACTIVE {
            self.recall(shared, node);
        }
        let (meta, visits) = (node.meta(), node.tally().visits());
        if shared.options.study_after > 0 && !meta.exact() {
            let (kids, head) = (shared.arena.kids(node, meta), shared.arena.head(node, meta));
            // An outcome that an earlier search has proven is worth the effort to prove it again.
            let visits = if bare || hidden { u32::MAX } else { visits };
            self.learn_by_study(
                shared.meter,
                &Step { kids, head, ..Step::leaf(node, meta.side(), 0) },
                visits,
            );
        }
        true
    }

    /// Restricts the root's children to the bounds that the sub-search knows.
    fn recall(&mut self, shared: &Shared<'_>, root: &Node) {
        let kids = shared.arena.kids(root, root.meta());
        for kid in kids {
            if self.play(kid.mv()) {
                if self.game.outcome().is_none() {
                    kid.restrict(Outcomes::from_bounds(
                        self.strategies.knowledge().sub_search.known(&self.game),
                    ));
                }
                self.back_to(0);
            }
        }
        if !kids.is_empty() {
            let head = shared.arena.head(root, root.meta());
            prove(&Step { kids, head, ..Step::leaf(root, root.meta().side(), 0) });
        }
    }

    /// Simulates until a limit is reached, the root is solved or the tree is full. Calls `tick` now and
    /// then.
    pub(super) fn run(&mut self, shared: &Shared<'_>, tick: &mut dyn FnMut(&mut S, &Allowance)) {
        let Some(root) = shared.arena.node(0) else { return };
        let mut path = Vec::new();
        self.caches.clear();
        let mut between = 1;
        let mut left = 0;
        let mut last = shared.meter.elapsed();
        loop {
            if left == 0 {
                shared.meter.look();
                tick(&mut self.strategies, &self.allowance);
                let now = shared.meter.elapsed();
                match now.saturating_sub(last).as_micros() {
                    0..=200 => between = (2 * between).min(LONGEST),
                    201..=600 => {}
                    _ => between = (between / 2).max(1),
                }
                (last, left) = (now, between);
            }
            left -= 1;
            if root.meta().exact() {
                shared.meter.stop(Stop::Solved);
            }
            let stop = shared.arena.full() && !shared.frozen;
            if stop || !shared.meter.simulation(&mut self.allowance) {
                break;
            }
            if self.simulate(shared, root, &mut path) == End::Refused {
                break;
            }
            self.done += 1;
        }
        self.rave_buffer.flush_all(shared.arena);
        self.count_root(root, shared.arena.kids(root, root.meta()));
    }

    /// Counts the gathered visits of the root.
    fn count_root(&mut self, root: &Node, kids: &[Node]) {
        if root.add_all(std::mem::take(&mut self.gathered)) {
            kids.iter().for_each(Node::trim);
        }
    }

    /// Makes one simulation, with `path` as working memory.
    fn simulate<'s>(&mut self, shared: &Shared<'s>, root: &'s Node, path: &mut Vec<Step<'s>>) -> End {
        path.clear();
        let mut node = root;
        loop {
            let crowded = shared.threaded && !path.is_empty() && node.tally().visits() < OFTEN;
            let entered = if crowded { shared.virtual_loss } else { 0 };
            node.enter(entered);
            if S::Sub::ACTIVE && !path.is_empty() {
                self.consult(shared, path, node, entered);
            }
            if shared.arena.heads() > 0 {
                self.learn(path, node, shared.arena.head(node, node.meta()));
            }
            let meta = node.meta();
            let end = meta.exact() || path.len() as u64 >= u64::from(shared.depth);
            let kids = if end { &[] } else { shared.arena.kids(node, meta) };
            let head = shared.arena.head(node, meta);
            // The root has only one path to it, so the node's own visits count.
            let all = head.filter(|_| !path.is_empty()).unwrap_or(node).tally().visits();
            path.push(Step { node, kids, head, side: meta.side(), entered });
            if kids.is_empty() {
                break;
            }
            if study::is_due(all, shared.options.study_after)
                && self.study(shared.meter, path, all)
                && let Some(step) = path.last_mut()
            {
                step.kids = &[];
                break;
            }
            let Some(index) = self.caches.select(shared, node, meta, all, kids) else { break };
            node = &kids[index];
        }
        let mut end = End::Refused;
        if shared.meter.nodes_at_once(&mut self.allowance, path.len() as u64) {
            end = if self.follow(path) { self.leaf(shared, path) } else { End::Void };
        }
        self.deepest = self.deepest.max(path.len() - 1);
        if end != End::Counted {
            for step in path.iter() {
                step.node.leave(step.entered);
            }
        }
        end
    }

    /// Sets the game to the end of the path. `false` if a move's number means no move.
    fn follow(&mut self, path: &[Step<'_>]) -> bool {
        let moves = path[1..].iter().map(|step| step.node.mv());
        let same = self.played.iter().zip(moves.clone()).take_while(|(played, mv)| played.0 == *mv).count();
        self.back_to(same);
        for mv in moves.skip(same) {
            if !self.play(mv) {
                return false;
            }
        }
        true
    }

    /// Takes moves back until `plies` moves are left.
    fn back_to(&mut self, plies: usize) {
        while self.played.len() > plies {
            if let Some((_, undo)) = self.played.pop() {
                self.game.undo(undo);
            }
        }
    }

    fn play(&mut self, index: u32) -> bool {
        let Some(mv) = self.game.move_at(index as usize) else {
            debug_assert!(false, "number {index} is no move");
            return false;
        };
        debug_assert!(self.game.check(mv).is_ok(), "{mv:?} is not legal in {:?}", self.game);
        self.played.push((index, self.game.play_unchecked(mv)));
        true
    }

    /// The second half of a simulation, from the end of the path on: probes the leaf, expands the leaf, runs the
    /// playouts, and backpropagates.
    fn leaf<'s>(&mut self, shared: &Shared<'s>, path: &mut Vec<Step<'s>>) -> End {
        let mut news = false;
        loop {
            let at = path.len() - 1;
            let leaf = path[at].node;
            let fresh = !leaf.meta().seen();
            if fresh {
                // The path continues below the leaf only if the bounds stay the same.
                news = self.look(leaf);
                if S::Sub::ACTIVE && !leaf.meta().exact() {
                    news |= leaf.restrict(Outcomes::from_bounds(
                        self.strategies.knowledge().sub_search.known(&self.game),
                    ));
                }
            }
            let meta = leaf.meta();
            path[at].side = meta.side();
            if meta.exact() || !path[at].kids.is_empty() {
                // The result is the proven outcomes, without a playout. The path may not know of them yet: in a graph that was
                // made smaller, a node has taken over what another way to its position had proven.
                self.credit(shared, path, None);
                self.propagate_proof(&path[..path.len() - usize::from(path[at].kids.is_empty())]);
                self.backpropagate(shared, path, 0.0);
                return End::Counted;
            }
            let single = fresh && meta.forced() && self.only.len() == 1;
            let ripe = leaf.tally().visits() >= shared.options.expand_after.saturating_add(path[at].entered);
            let deep = at as u64 >= u64::from(shared.depth);
            if !(single || ripe) || deep {
                break;
            }
            let kids = self.expand(shared, leaf);
            let head = shared.arena.head(leaf, leaf.meta());
            if self.learn(&path[..at], leaf, head) && !self.follow(path) {
                return End::Void;
            }
            if leaf.meta().exact() {
                continue;
            }
            let all = head.unwrap_or(leaf).tally().visits();
            if kids.is_empty() {
                break;
            }
            let Some(index) = self.caches.select(shared, leaf, leaf.meta(), all, kids) else { break };
            if !shared.meter.nodes_at_once(&mut self.allowance, 1) {
                return End::Refused;
            }
            (path[at].kids, path[at].head) = (kids, head);
            let node = &kids[index];
            let entered = shared.virtual_loss;
            node.enter(entered);
            path.push(Step::leaf(node, Player::First, entered));
            if !self.play(node.mv()) {
                return End::Void;
            }
        }
        let result = self.estimate(shared, path);
        if news {
            self.propagate_proof(&path[..path.len() - 1]);
        }
        self.backpropagate(shared, path, result);
        End::Counted
    }

    /// The result of a simulation for the first player, at the end of the path: the evaluator's value and the mean of the
    /// playouts. RAVE learns from the result of each playout mixed with the value in the same way: if it learned from the
    /// playouts alone, moves without visits would be compared on another scale than the moves that were visited.
    fn estimate(&mut self, shared: &Shared<'_>, path: &[Step<'_>]) -> f32 {
        let share = shared.options.share;
        let mut value = 0.0;
        if share > 0.0 {
            value = self.value(path[path.len() - 1].node);
            if share >= 1.0 {
                return value;
            }
        }
        let playouts = shared.options.playouts;
        let mut sum = 0.0;
        for _ in 0..playouts {
            let result = self.strategies.playout().run(&self.game, &mut self.rng);
            debug_assert!((-1.0..=1.0).contains(&result), "a playout's result is {result}");
            let mixed = result + share * (value - result);
            sum += mixed;
            self.credit(shared, path, Some(mixed));
        }
        sum / playouts as f32
    }

    /// The evaluator's value of the game's position for the first player, −1 to 1. The position's node stores it for the next
    /// visits.
    fn value(&mut self, leaf: &Node) -> f32 {
        if let Some(value) = leaf.value() {
            return value;
        }
        let own = self.strategies.evaluator().evaluate(&self.game) as f32 * (2.0 / WIN as f32);
        let own = own.clamp(-1.0, 1.0);
        let value = if self.game.to_move() == Player::First { own } else { -own };
        leaf.set_value(value);
        value
    }

    /// In a graph: takes over the bounds that other paths have proven of a node's position, and propagates these
    /// bounds up this path. Returns `true` if the bounds changed.
    #[inline]
    fn learn(&mut self, way: &[Step<'_>], node: &Node, head: Option<&Node>) -> bool {
        let Some(head) = head else { return false };
        let set = head.meta().set();
        if !node.restrict(set) {
            return false;
        }
        if !S::Sub::ACTIVE || way.is_empty() || self.follow(way) {
            self.propagate_proof(way);
        }
        true
    }

    /// Probes a new position for an end of the game or a decision by the tactics. Returns `true` if the bounds
    /// changed.
    fn look(&mut self, node: &Node) -> bool {
        self.only.clear();
        let side = self.game.to_move();
        if let Some(outcome) = self.game.outcome() {
            node.look(side, false);
            return node.restrict(Outcomes::of(outcome));
        }
        let verdict = self.strategies.knowledge().tactics.probe(&mut self.game, &mut self.only);
        let forced = verdict == Verdict::Only && !self.only.is_empty();
        node.look(side, forced);
        match verdict {
            Verdict::Open => false,
            Verdict::Win(_) => node.restrict(Outcomes::of(Outcome::Win(side))),
            Verdict::Only if forced => false,
            Verdict::Loss | Verdict::Only => node.restrict(Outcomes::of(Outcome::Win(side.other()))),
            Verdict::Never(player) => node.restrict(Outcomes::without_win(player)),
            Verdict::Draw => node.restrict(Outcomes::of(Outcome::Draw)),
        }
    }

    /// Searches the node at the end of the path by the sub-search, if its visits allow a budget.
    fn consult<'s>(&mut self, shared: &Shared<'s>, path: &mut Vec<Step<'s>>, node: &'s Node, entered: u32) {
        let (meta, tally) = (node.meta(), node.tally());
        let budget = self.strategies.knowledge().sub_search.budget(tally.visits().saturating_sub(entered));
        if budget == 0 || meta.exact() || !meta.seen() {
            return;
        }
        path.push(Step::leaf(node, meta.side(), entered));
        let there = self.follow(path);
        path.pop();
        let left = shared.meter.nodes_left(&self.allowance);
        let budget = u32::try_from(left).unwrap_or(u32::MAX).min(budget);
        if !there || budget == 0 || !shared.meter.nodes_at_once(&mut self.allowance, budget.into()) {
            return;
        }
        let Some(chooser) = path.last().map(|step| step.side) else { return };
        let first = if tally.mean() >= 0.5 { chooser } else { chooser.other() };
        let known = meta.set().bounds(Player::First);
        let (bounds, spent) =
            self.strategies.knowledge().sub_search.ask(&self.game, known, first, budget, shared.meter);
        shared.meter.unspent(&mut self.allowance, budget.saturating_sub(spent));
        if node.restrict(Outcomes::from_bounds(bounds)) {
            self.propagate_proof(path);
        }
    }

    /// Propagates proven outcomes from the end of a path up, until a node does not change. The game's position is
    /// the end of the path or below.
    fn propagate_proof(&mut self, path: &[Step<'_>]) {
        for (at, step) in path.iter().enumerate().rev() {
            if !prove(step) {
                break;
            }
            if S::Sub::ACTIVE {
                self.back_to(at);
                let bounds = step.node.meta().set().bounds(Player::First);
                self.strategies.knowledge().sub_search.tell(&self.game, bounds);
            }
        }
    }

    /// Adds the result of a playout to the AMAF counters of all siblings of the path that the same side played
    /// later; without a playout, adds the proven result of the leaf.
    fn credit(&mut self, shared: &Shared<'_>, path: &[Step<'_>], result: Option<f32>) {
        if shared.options.rave.is_none() {
            return;
        }
        let (least, most) = path[path.len() - 1].node.meta().set().range();
        let value = result.unwrap_or(f32::midpoint(least, most));
        let one = ByPlayer::new(Tally::one(value), Tally::one(-value));
        if result.is_some() {
            for (player, mv) in self.strategies.playout().trace() {
                self.rave_buffer.record(player, self.game.move_index(mv), one[player]);
            }
        }
        for pair in path.windows(2).rev() {
            let [step, next] = pair else { continue };
            self.rave_buffer.record(step.side, next.node.mv() as usize, one[step.side]);
            self.rave_buffer.flush(shared.arena, step.node, step.kids, step.side, shared.threaded);
        }
        self.rave_buffer.clear();
    }

    /// Counts the visit on the whole path.
    fn backpropagate(&mut self, shared: &Shared<'_>, path: &[Step<'_>], mut result: f32) {
        let both = |result: f32| ByPlayer::new(Tally::one(result), Tally::one(-result));
        let mut one = both(result);
        for (at, step) in path.iter().enumerate().rev() {
            let set = step.node.meta().set();
            if set != Outcomes::ANY {
                let (least, most) = set.range();
                result = result.max(least).min(most);
                one = both(result);
            }
            // The side that chose this node; the root has the side to move.
            let chooser = if at == 0 { step.side } else { path[at - 1].side };
            if let Some(head) = step.head.filter(|_| at > 0)
                && head.add(one[chooser], 0, shared.threaded)
            {
                step.kids.iter().for_each(Node::trim);
            }
            if at == 0 && shared.threaded {
                self.gathered = self.gathered.plus(one[chooser]);
                if self.gathered.visits() >= (step.node.tally().visits() / 64).min(GATHERED) {
                    self.count_root(step.node, step.kids);
                }
            } else if step.node.add(one[chooser], step.entered, shared.threaded) {
                step.kids.iter().for_each(Node::trim);
            }
        }
    }
}

/// `true` if the side to move has a proven win or draw that no child shows. The parent's study may prove it: it finds the moves
/// that do not lose, and every other move is lost, whatever the children below it are known for.
fn is_hidden(node: &Node, kids: &[Node]) -> bool {
    let side = node.meta().side();
    let value = |node: &Node| node.meta().set().bounds(side).value();
    let known = value(node).filter(|&value| value >= 0);
    known.is_some() && !kids.is_empty() && kids.iter().all(|kid| value(kid) != known)
}

/// Combines the proven outcomes of the children; returns `true` if the node has changed.
fn prove(step: &Step<'_>) -> bool {
    let set = node::of_kids(step.kids, step.side);
    if let Some(head) = step.head {
        head.restrict(set);
    }
    step.node.restrict(set)
}
