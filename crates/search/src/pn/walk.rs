//! [`Walk`]: depth-first proof-number search by one thread, without recursion.

use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

use stonework_game::{Finite, Keyed};

use super::leaf::{Expansion, LeafEvaluator};
use super::numbers::{INFINITE, MOST, Query, plus};
use super::pace::Pace;
use super::store::{Known, Store, effort, nodes_of};
use crate::table::move_tag;
use crate::{HashUse, Meter, ProofNumbers, ProofTactics, Stop};

/// The greatest number of plies of a line: a longer line ends the search. Games that end have far shorter lines.
pub(crate) const MAX_PLIES: usize = 1 << 16;
/// The number of moves that are evaluated with [focus](Shared::focus), beside half of the unrefuted moves.
const FOCUS: usize = 3;
/// The number of steps between two checks for a position of the current line that another thread has decided.
const GLANCE: u32 = 64;

/// The data that the threads of one search share.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) store: &'a Store,
    pub(crate) meter: &'a Meter<'a>,
    /// The number of threads below a position, by a part of its key. Collisions affect only the order of the
    /// search.
    pub(crate) busy: Option<Box<[AtomicU16]>>,
    /// `true` once a thread has found the answer.
    pub(crate) done: AtomicBool,
    /// ε in 1024ths.
    pub(crate) epsilon: u32,
    /// `true` if the refutation of a move is tried against the move's siblings.
    pub(crate) transfer: bool,
    /// `true` if only the most promising moves are evaluated until some of these moves are refuted.
    pub(crate) focus: bool,
    /// The least work of the entries whose keys are collected; 0 if none are.
    pub(crate) harvest: u64,
    /// The thresholds of the root.
    pub(crate) thresholds: ProofNumbers,
    /// `true` if the table also holds answers to the question about the other side.
    pub(crate) both: bool,
}

/// The number of counters in `busy`.
const CROWD: usize = 1 << 12;

/// The part by which each other thread below a position raises its φ: one in this number. With a greater part,
/// threads leave a move that is clearly best; with a smaller part, threads do the same work.
const CROWDING: u32 = 8;

impl<'a> Shared<'a> {
    pub(crate) fn new(store: &'a Store, meter: &'a Meter<'a>, threads: usize, hundredths: u16) -> Self {
        let busy = (threads > 1).then(|| (0..CROWD).map(|_| AtomicU16::new(0)).collect());
        let epsilon = u32::from(hundredths) * 1024 / 100;
        Self {
            store,
            meter,
            busy,
            done: AtomicBool::new(false),
            epsilon,
            transfer: false,
            focus: false,
            harvest: 0,
            thresholds: ProofNumbers::UNBOUNDED,
            both: false,
        }
    }

    fn crowd(&self, key: u64) -> Option<&AtomicU16> {
        self.busy.as_ref()?.get((key >> 20) as usize % CROWD)
    }

    /// A number raised by the number of other threads below the position, so that threads take different lines.
    fn crowded(&self, number: u32, key: u64) -> u32 {
        match self.crowd(key) {
            Some(crowd) if number < INFINITE => {
                let c = u32::from(crowd.load(Ordering::Relaxed));
                number.saturating_add(number.saturating_mul(c).div_ceil(CROWDING)).min(MOST)
            }
            _ => number,
        }
    }
}

/// A move and the numbers of the position after it.
#[derive(Clone, Debug)]
pub(super) struct Child<M> {
    pub(super) mv: M,
    pub(super) work: u8,
    pub(super) numbers: ProofNumbers,
    key: u64,
}

/// A position of the current line. The numbers of the position's children stay in the line even if the table loses
/// them, so that every return makes progress with a table of any size.
#[derive(Debug)]
pub(super) struct Frame<U> {
    key: u64,
    /// `true` if the side of the question is to move.
    pub(super) or_node: bool,
    no_moves: bool,
    /// `true` if the first move is the refutation of the opponent's win, from the question before: all other moves
    /// wait until the first move is refuted.
    led: bool,
    /// The thresholds: the search of this position ends when its proof number or its disproof number reaches the
    /// threshold.
    thresholds: ProofNumbers,
    /// The index of the position's first child in `children`.
    pub(super) first: usize,
    /// The index of the position's first unevaluated move in `rest`.
    rest: usize,
    /// The child whose position is the next frame; `usize::MAX` until the expansion of the position is complete.
    pub(super) current: usize,
    pub(super) work: u64,
    undo: Option<U>,
}

/// The summary of a position's children.
#[derive(Clone, Copy, Debug)]
struct Tally {
    numbers: ProofNumbers,
    best: usize,
    /// The second smallest φ of the children, raised for other threads.
    runner_up: u32,
}

/// The result of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Answer<M> {
    pub(crate) numbers: ProofNumbers,
    /// The deciding move, or the most promising move; `None` if no move was evaluated.
    pub(crate) best: Option<M>,
}

/// One thread's search.
pub(crate) struct Walk<'a, G: Finite + Keyed, Tactic> {
    pub(super) game: G,
    pub(super) question: Query,
    pub(super) evaluator: &'a mut LeafEvaluator<G, Tactic>,
    pub(super) shared: &'a Shared<'a>,
    pub(super) frames: Vec<Frame<G::Undo>>,
    pub(super) children: Vec<Child<G::Move>>,
    /// The unevaluated moves of the positions of the line, the most promising move of each position last.
    rest: Vec<G::Move>,
    moves: Vec<G::Move>,
    pace: Pace<'a>,
    until_glance: u32,
    pub(crate) hash: HashUse,
    /// The keys of positions that were left with at least the work of [`Shared::harvest`].
    pub(crate) harvested: Vec<u64>,
}

impl<'a, G: Finite + Keyed, Tactic: ProofTactics<G>> Walk<'a, G, Tactic> {
    pub(crate) fn new(
        game: &G,
        question: Query,
        evaluator: &'a mut LeafEvaluator<G, Tactic>,
        shared: &'a Shared<'a>,
    ) -> Self {
        Self {
            game: game.clone(),
            question,
            evaluator,
            shared,
            frames: Vec::new(),
            children: Vec::new(),
            rest: Vec::new(),
            moves: Vec::new(),
            pace: Pace::new(shared.meter),
            until_glance: GLANCE,
            hash: HashUse::default(),
            harvested: Vec::new(),
        }
    }

    /// Searches until the question is answered, a limit is reached, or another thread has the answer. `run` calls
    /// `tick` now and then with the best move so far.
    pub(crate) fn run(&mut self, tick: &mut dyn FnMut(Answer<G::Move>)) -> Answer<G::Move> {
        let answer = self.root(tick);
        self.pace.settle();
        if answer.numbers.decided().is_some() {
            self.shared.done.store(true, Ordering::Relaxed);
        }
        answer
    }

    fn root(&mut self, tick: &mut dyn FnMut(Answer<G::Move>)) -> Answer<G::Move> {
        let unknown = Answer::UNKNOWN;
        if !self.spend() {
            return unknown;
        }
        if let Ok(answer) = self.evaluator.root(&mut self.game, &self.question) {
            return answer;
        }
        let key = self.question.key(&self.game, 0);
        let mut complete = self.enter(None, key, self.shared.thresholds, 0);
        while complete {
            complete = self.widen();
            if !complete {
                break;
            }
            let Some(frame) = self.frames.last() else { return unknown };
            let tally = self.tally(frame);
            if tally.numbers.proof >= frame.thresholds.proof
                || tally.numbers.disproof >= frame.thresholds.disproof
            {
                if self.frames.len() == 1 {
                    break;
                }
                self.leave(tally);
                self.spread();
                continue;
            }
            if self.pace.tick() {
                tick(self.root_best());
            }
            if self.shared.busy.is_none() || self.still_best(tally.best) {
                complete = self.descend(tally);
            }
        }
        self.unwind(complete)
    }

    /// Leaves all positions of the line, from the current one up to the root, and stores their numbers.
    fn unwind(&mut self, complete: bool) -> Answer<G::Move> {
        let entered = self.frames.last().is_none_or(|frame| frame.current != usize::MAX);
        if !entered && self.frames.len() > 1 {
            // Some children of the last position are not evaluated: the position has no numbers yet.
            self.drop_frame();
        }
        while self.frames.len() > 1 {
            let Some(frame) = self.frames.last() else { break };
            let tally = self.tally(frame);
            self.leave(tally);
        }
        let answer = self.root_best();
        if let Some(frame) = self.frames.first() {
            let unfinished = !complete && frame.current == usize::MAX;
            let (key, nodes, work) = (frame.key, frame.work, effort(frame.work));
            if !unfinished {
                self.gather(key, nodes);
                self.keep(key, answer.numbers, work, answer.best);
            }
        }
        self.drop_frame();
        answer
    }

    /// The numbers of the root, from its children.
    fn root_best(&self) -> Answer<G::Move> {
        let Some(frame) = self.frames.first() else {
            return Answer::UNKNOWN;
        };
        let ends = (self.children.len(), self.rest.len());
        let (end, rest) = self.frames.get(1).map_or(ends, |next| (next.first, next.rest));
        let children = self.children.get(frame.first..end).unwrap_or(&[]);
        let mut tally = self.tally_of(frame, children, rest - frame.rest);
        if frame.current == usize::MAX && tally.numbers.phi_delta(frame.or_node).0 != 0 {
            // Some children are not evaluated.
            tally.numbers = ProofNumbers { proof: 1, disproof: 1 };
        }
        let lost = tally.numbers.phi_delta(frame.or_node).1 == 0;
        let best = if lost { most_work(children) } else { children.get(tally.best) };
        Answer { numbers: tally.numbers, best: best.map(|child| child.mv) }
    }

    /// Counts a node; `false` if a limit forbids it.
    #[inline]
    pub(super) fn spend(&mut self) -> bool {
        self.pace.node(Some(&self.shared.done))
    }

    /// Begins a position: expands it and evaluates its children. Returns `false` if the search must stop.
    fn enter(&mut self, undo: Option<G::Undo>, key: u64, thresholds: ProofNumbers, before: u64) -> bool {
        let or_node = self.game.to_move() == self.question.who;
        let (first, rest) = (self.children.len(), self.rest.len());
        let (current, work) = (usize::MAX, before);
        let (no_moves, led) = (false, false);
        let frame = Frame { key, or_node, no_moves, led, thresholds, first, rest, current, work, undo };
        self.frames.push(frame);
        if let Some(crowd) = self.shared.crowd(key) {
            crowd.fetch_add(1, Ordering::Relaxed);
        }
        if self.frames.len() > MAX_PLIES {
            self.shared.meter.stop(Stop::Depth);
        }
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        let no_moves = self.evaluator.expand(&mut self.game, &mut moves) == Expansion::NoMoves;
        if before > 0 {
            self.evaluator.tactics.prune(&mut self.game, before, &mut moves);
        }
        if self.shared.focus && moves.len() > FOCUS {
            self.evaluator.tactics.order(&self.game, &mut moves);
        }
        let led = self.shared.both && or_node && self.lead(&mut moves);
        self.rest.extend(moves.iter().rev());
        self.moves = moves;
        if let Some(frame) = self.frames.last_mut() {
            (frame.no_moves, frame.led) = (no_moves, led);
        }
        let complete = self.widen();
        if let Some(frame) = self.frames.last_mut().filter(|_| complete) {
            frame.current = 0;
        }
        complete
    }

    /// Moves the refutation of the opponent's win to the front, if the table has that refutation. Returns `true`
    /// if the refutation is a move of the list.
    fn lead(&mut self, moves: &mut [G::Move]) -> bool {
        if self.game.horizon() != u32::MAX {
            return false;
        }
        let (canonical, sym) = self.game.canonical();
        let other = self.question.key_of(canonical, false, self.frames.len() as u32 - 1);
        let Some(known) = self.find(other).filter(|known| known.numbers == ProofNumbers::DISPROVEN) else {
            return false;
        };
        let found = moves.iter().position(|&mv| move_tag(&self.game, sym, mv) == known.tag);
        if let Some(moves) = found.and_then(|found| moves.get_mut(..=found)) {
            moves.rotate_right(1);
        }
        found.is_some()
    }

    /// Evaluates more children of the current position, as long as too few are open. Returns `false` if the search must stop.
    pub(super) fn widen(&mut self) -> bool {
        let Some(frame) = self.frames.last() else { return true };
        let (first, rest, or_node, led) = (frame.first, frame.rest, frame.or_node, frame.led);
        if self.rest.len() == rest {
            return true;
        }
        let (mut open, mut leads) = (0, led);
        for (i, child) in self.children.get(first..).unwrap_or_default().iter().enumerate() {
            match child.numbers.phi_delta(or_node) {
                (0, _) => return true,
                (_, delta) => {
                    open += usize::from(delta != 0);
                    leads &= i > 0 || delta != 0;
                }
            }
        }
        let live = open + self.rest.len() - rest;
        let wanted = match (leads, self.shared.focus) {
            (true, _) => 1,
            (false, true) => FOCUS + live / 2,
            (false, false) => live,
        };
        let mut visited = 0;
        let mut complete = true;
        while open < wanted && self.rest.len() > rest {
            complete = self.spend();
            let Some(mv) = self.rest.pop_if(|_| complete) else { break };
            visited += 1;
            let undo = self.game.play_unchecked(mv);
            let child = self.child(mv, first);
            self.game.undo(undo);
            let Some(child) = child else { continue };
            let (phi, delta) = child.numbers.phi_delta(or_node);
            self.children.push(child);
            if phi == 0 {
                break;
            }
            open += usize::from(delta != 0);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.work += visited;
        }
        complete
    }

    /// Evaluates the position after a move; `None` if a sibling is its image under a symmetry.
    fn child(&mut self, mv: G::Move, first: usize) -> Option<Child<G::Move>> {
        let ply = self.frames.len() as u32;
        if let Some(outcome) = self.game.outcome() {
            let numbers = ProofNumbers::answer(outcome.winner() == Some(self.question.who));
            return Some(Child { mv, work: 0, numbers, key: 0 });
        }
        let canonical = self.game.canonical().0;
        let or_node = self.game.to_move() == self.question.who;
        let key = self.question.key_of(canonical, or_node, ply);
        let honest = self.game.horizon() == u32::MAX;
        if honest {
            if self.children.iter().skip(first).any(|other| other.key == key) {
                return None;
            }
            if let Some(known) = self.find(key) {
                return Some(Child { mv, work: known.work, numbers: known.numbers, key });
            }
        }
        let mut numbers = self.evaluator.evaluate(&mut self.game, &self.question, ply).numbers();
        if honest && self.shared.both && numbers.decided().is_none() {
            let other = self.question.key_of(canonical, !or_node, ply);
            match self.find(other).and_then(|known| known.numbers.decided()) {
                // If the other side wins, this side does not win.
                Some(true) => numbers = ProofNumbers::DISPROVEN,
                // If the other side does not win, this side wins or the game is drawn: the refutation is followed
                // first.
                Some(false) => numbers.proof = 1,
                None => {}
            }
        }
        if honest {
            self.shared.store.put(key, Known { numbers, work: 0, tag: 0 });
        }
        Some(Child { mv, work: 0, numbers, key })
    }

    pub(super) fn find(&mut self, key: u64) -> Option<Known> {
        self.hash.probes += 1;
        let known = self.shared.store.get(key);
        self.hash.hits += u64::from(known.is_some());
        known
    }

    pub(super) fn keep(&mut self, key: u64, numbers: ProofNumbers, work: u8, decider: Option<G::Move>) {
        if self.game.horizon() != u32::MAX {
            return;
        }
        let tag = match (numbers.decided(), decider) {
            (Some(_), Some(mv)) => move_tag(&self.game, self.game.canonical().1, mv),
            _ => 0,
        };
        self.hash.stores += 1;
        self.shared.store.put(key, Known { numbers, work, tag });
    }

    fn tally(&self, frame: &Frame<G::Undo>) -> Tally {
        let children = self.children.get(frame.first..).unwrap_or(&[]);
        self.tally_of(frame, children, self.rest.len() - frame.rest)
    }

    /// The summary of a position with `rest` unevaluated moves: each of these moves counts as much as the mean of
    /// the evaluated open moves.
    fn tally_of(&self, frame: &Frame<G::Undo>, children: &[Child<G::Move>], rest: usize) -> Tally {
        if frame.no_moves {
            return Tally { numbers: ProofNumbers::DISPROVEN, best: 0, runner_up: INFINITE };
        }
        let (mut least, mut sum, mut open) = (INFINITE, 0, 0);
        let (mut best, mut first, mut runner_up) = (0, u32::MAX, INFINITE);
        for (i, child) in children.iter().enumerate() {
            let (phi, delta) = child.numbers.phi_delta(frame.or_node);
            least = least.min(phi);
            sum = plus(sum, delta);
            open += u64::from(delta != 0);
            let seen = self.shared.crowded(phi, child.key);
            if seen < first {
                runner_up = first.min(INFINITE);
                (best, first) = (i, seen);
            } else {
                runner_up = runner_up.min(seen);
            }
        }
        if rest > 0 && least != 0 {
            let rest = rest as u64;
            (least, sum) = match open {
                0 => (1, rest.min(MOST.into()) as u32),
                _ => (least, (u64::from(sum) * (open + rest) / open).min(MOST.into()) as u32),
            };
        }
        Tally { numbers: ProofNumbers::from_phi_delta((least, sum), frame.or_node), best, runner_up }
    }

    /// `true` if the table has no newer numbers of the best child than the child's parent. Otherwise the parent
    /// gets the newer numbers.
    fn still_best(&mut self, best: usize) -> bool {
        self.until_glance -= 1;
        if self.until_glance == 0 {
            self.until_glance = GLANCE;
            if self.overtaken() {
                return false;
            }
        }
        let Some(index) = self.frames.last().map(|frame| frame.first + best) else { return true };
        let open = |child: &&Child<G::Move>| child.numbers.decided().is_none();
        let Some(child) = self.children.get(index).filter(open) else { return true };
        let found = self.find(child.key);
        match (self.children.get_mut(index), found) {
            (Some(child), Some(known)) if known.numbers.decided().is_some() || known.work > child.work => {
                child.numbers = known.numbers;
                child.work = known.work;
                false
            }
            _ => true,
        }
    }

    /// `true` if another thread has decided a position of the current line; the walk then goes back to the parent
    /// of that position.
    fn overtaken(&mut self) -> bool {
        let decided = |frame: &Frame<G::Undo>| {
            self.shared.store.get(frame.key).is_some_and(|known| known.numbers.decided().is_some())
        };
        let Some(depth) = self.frames.iter().skip(1).position(decided) else { return false };
        while self.frames.len() > depth + 1 {
            let Some(frame) = self.frames.last() else { break };
            let (key, tally) = (frame.key, self.tally(frame));
            match self.shared.store.get(key) {
                // A decided entry stays decided.
                Some(known) if known.numbers.decided().is_some() => {
                    let work = self.drop_frame();
                    self.tell_parent(known.numbers, work);
                }
                _ => self.leave(tally),
            }
        }
        true
    }

    /// Plays the most promising move and begins the position after it.
    fn descend(&mut self, tally: Tally) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        let Some(child) = self.children.get(frame.first + tally.best) else { return false };
        frame.current = tally.best;
        let (phi, delta) = child.numbers.phi_delta(frame.or_node);
        let (phi_limit, delta_limit) = frame.thresholds.phi_delta(frame.or_node);
        let (_, sum) = tally.numbers.phi_delta(frame.or_node);
        let more = ((u64::from(tally.runner_up) * u64::from(self.shared.epsilon)) >> 10).max(1);
        let switch = (u64::from(tally.runner_up) + more).min(INFINITE.into()) as u32;
        // The thresholds are above the child's numbers, so that the child is searched.
        let phi_limit = phi_limit.min(switch).max(phi + 1);
        let delta_limit = match delta_limit {
            INFINITE => INFINITE,
            limit => limit.saturating_sub(sum).saturating_add(delta).clamp(delta + 1, INFINITE),
        };
        let thresholds = ProofNumbers::from_phi_delta((phi_limit, delta_limit), frame.or_node);
        let (mv, key, before) = (child.mv, child.key, nodes_of(child.work));
        let before = if child.work == 0 { 0 } else { before };
        let undo = self.game.play_unchecked(mv);
        self.enter(Some(undo), key, thresholds, before)
    }

    /// Ends a position: stores its numbers and updates its parent.
    fn leave(&mut self, tally: Tally) {
        let Some(frame) = self.frames.last() else { return };
        let (key, nodes, work) = (frame.key, frame.work, effort(frame.work));
        let wins = tally.numbers.phi_delta(frame.or_node).0 == 0;
        let decider = self.children.get(frame.first + tally.best).filter(|_| wins).map(|child| child.mv);
        self.gather(key, nodes);
        self.keep(key, tally.numbers, work, decider);
        let work = self.drop_frame();
        self.tell_parent(tally.numbers, work);
    }

    /// Collects the key of a position that is left after so many nodes.
    fn gather(&mut self, key: u64, nodes: u64) {
        if self.shared.harvest > 0 && nodes >= self.shared.harvest && self.game.horizon() == u32::MAX {
            self.harvested.push(key);
        }
    }

    fn tell_parent(&mut self, numbers: ProofNumbers, work: u64) {
        let Some(parent) = self.frames.last_mut() else { return };
        if let Some(child) = self.children.get_mut(parent.first + parent.current) {
            parent.work += work.saturating_sub(if child.work == 0 { 0 } else { nodes_of(child.work) });
            child.numbers = numbers;
            child.work = effort(work);
        }
    }

    /// Takes the last position off the line and returns its work.
    fn drop_frame(&mut self) -> u64 {
        let Some(frame) = self.frames.pop() else { return 0 };
        if let Some(crowd) = self.shared.crowd(frame.key) {
            crowd.fetch_sub(1, Ordering::Relaxed);
        }
        self.children.truncate(frame.first);
        self.rest.truncate(frame.rest);
        if let Some(undo) = frame.undo {
            self.game.undo(undo);
        }
        frame.work
    }
}

/// The child that was hardest to decide.
fn most_work<M>(children: &[Child<M>]) -> Option<&Child<M>> {
    children.iter().rev().max_by_key(|child| child.work)
}
