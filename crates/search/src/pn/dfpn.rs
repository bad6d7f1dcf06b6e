//! [`Dfpn`]: depth-first proof-number search.

use std::num::NonZeroUsize;
use std::thread;

use stonework_game::{Finite, Keyed};

use super::drive::{Ask, Solve, Told, drive, told};
use super::judge::{Initial, Judge, Look};
use super::numbers::{Numbers, Question};
use super::store::Store;
use super::walk::{Answer, Shared, Walk};
use crate::{Engine, Flat, HashUse, Limits, MAX_THREADS, Meter, Report, Tactics, unless_over};

/// Depth-first proof-number search: proves wins, draws and losses of games that end, with a table of
/// any size.
///
/// The value comes out of two questions with two answers, *does this side win?* for the side to move
/// and, if it does not, for the other; the moves that have shown that it does not are tried first then.
/// Numbers of alternatives are added up; the next best alternative takes over once the best has become 1 + ε times as hard. What a position's alternatives are worth
/// stays with the line that is being searched, so the search goes on however small the table is, if more
/// slowly. No step is random: the seed is not used, and with one thread equal searches have equal reports.
///
/// Nodes are positions visited: each move tried from a position, each time it is listed, and each position that is looked at for
/// a [`transfer`](Dfpn::transfer). The memory
/// limit sizes the table (64 MiB without one); the current line comes on top. A depth limit cuts lines
/// and proves what is certain in spite of that. `T` is [`Tactics`], cloned for each thread.
///
/// Values of proven wins count the plies of the known line, which need not be the shortest.
///
/// *A. Nagai, Df-pn algorithm for searching AND/OR trees and its applications, 2002; J. Pawlewicz and
/// Ł. Lew, Improving depth-first PN-search: 1+ε trick, 2007.*
#[derive(Debug)]
pub struct Dfpn<T = Flat> {
    tactics: T,
    told: Told,
    epsilon: u16,
    transfer: bool,
    focus: bool,
    threads: NonZeroUsize,
    keep: bool,
    pub(super) store: Store,
    /// Nodes of the searches whose findings are in the table.
    pub(super) worked: u64,
}

told!(Dfpn, "The size of the table where [`Limits::bytes`] does not set it.");

impl Dfpn {
    /// With ε = 0.25, one thread, a table of 64 MiB and no tactics.
    #[must_use]
    pub fn new() -> Self {
        Self {
            tactics: Flat,
            told: Told::new(64 << 20),
            epsilon: 25,
            transfer: false,
            focus: false,
            threads: NonZeroUsize::MIN,
            keep: false,
            store: Store::new(0),
            worked: 0,
        }
    }
}

impl<T> Dfpn<T> {
    /// With a game's certainties.
    #[must_use]
    pub fn tactics<U>(self, tactics: U) -> Dfpn<U> {
        let Self { told, epsilon, transfer, focus, threads, keep, store, worked, .. } = self;
        Dfpn { tactics, told, epsilon, transfer, focus, threads, keep, store, worked }
    }

    /// ε in hundredths, so that 25 is the ¼ of the paper: how much harder an alternative must become before the next one
    /// is tried. 0 switches at once, and often.
    #[must_use]
    pub const fn epsilon(mut self, hundredths: u16) -> Self {
        self.epsilon = hundredths;
        self
    }

    /// Whether the refutation of a move, once it is found, is tried against the moves beside it, with at most a hundred positions
    /// looked at for each of them. What is gained is certain, what it costs is counted as nodes. Off at first: it pays where there
    /// are many moves of which most change little and [`Tactics`] see far, and otherwise neither pays nor costs much.
    #[must_use]
    pub const fn transfer(mut self, on: bool) -> Self {
        self.transfer = on;
        self
    }

    /// Whether of a position's moves only half of those that are not refuted, and three more, are looked at, in the order of
    /// [`Tactics::order`]; the others when these are refuted. Until then they are thought to be as hard to refute as these.
    /// Off at first: it pays where the order is good and a look is dear.
    ///
    /// *B. Arneson, R. Hayward and P. Henderson, Solving Hex: beyond humans, 2010, where it is called focused df-pn.*
    #[must_use]
    pub const fn focus(mut self, on: bool) -> Self {
        self.focus = on;
        self
    }

    /// Threads that share the table; they stay out of each other's way. With more than one, reports
    /// differ from run to run. More than [`MAX_THREADS`] count as so many.
    #[must_use]
    pub const fn threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// Whether what a search has found stays in the table for the next one, if that has the same size.
    /// Then a search's report depends on those before it. One that goes on with the question that a limit has stopped finds the table
    /// as it was.
    #[must_use]
    pub const fn keep(mut self, keep: bool) -> Self {
        self.keep = keep;
        self
    }

    /// As [`ask`](Dfpn::ask), for an engine that keeps its table.
    pub const fn ask_next(&mut self, ask: Ask) {
        self.told.ask = ask;
    }

    pub(super) fn run<G: Finite + Keyed>(&self, _: &G) -> Run<'_, G, T>
    where
        T: Tactics<G> + Clone,
    {
        let judge = || Judge::new(self.tactics.clone(), self.told.initial);
        Run {
            judges: (0..self.threads.get().min(MAX_THREADS)).map(|_| judge()).collect(),
            store: &self.store,
            epsilon: self.epsilon,
            transfer: self.transfer,
            focus: self.focus,
            asked: 0,
            hash: HashUse::default(),
        }
    }

    /// Makes the table ready.
    pub(super) fn prepare(&mut self, limits: &Limits, keep: bool) {
        let fresh = Store::new(limits.bytes.unwrap_or(self.told.bytes));
        if fresh.bytes() != self.store.bytes() {
            self.store = fresh;
            self.worked = 0;
        } else if !keep {
            self.store.forget();
            self.worked = 0;
        }
    }
}

impl<G: Finite + Keyed, T: Tactics<G> + Clone> Engine<G> for Dfpn<T> {
    fn search(
        &mut self,
        root: &G,
        limits: &Limits,
        _seed: u64,
        watch: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        unless_over(root, limits, watch, |meter, watch| {
            self.prepare(limits, self.keep);
            let report = drive(&mut self.run(root), root, self.told.ask, meter, watch);
            self.worked += report.nodes;
            report
        })
    }
}

/// One search.
pub(super) struct Run<'a, G: Finite + Keyed, T> {
    pub(super) judges: Vec<Judge<G, T>>,
    pub(super) store: &'a Store,
    pub(super) epsilon: u16,
    pub(super) transfer: bool,
    pub(super) focus: bool,
    asked: u32,
    hash: HashUse,
}

impl<G: Finite + Keyed, T: Tactics<G>> Solve<G> for Run<'_, G, T> {
    fn ask(
        &mut self,
        root: &G,
        question: Question,
        meter: &Meter<'_>,
        tick: &mut dyn FnMut(Answer<G::Move>),
    ) -> Answer<G::Move> {
        self.store.begin(question.key(root, 0));
        let mut shared = Shared::new(self.store, meter, self.judges.len(), self.epsilon);
        (shared.transfer, shared.focus) = (self.transfer, self.focus);
        shared.both = self.asked > 0 && question.frontier.is_none();
        self.asked += 1;
        let (own, others) = self.judges.split_at_mut(1);
        let Some(own) = own.first_mut() else { return Answer::UNKNOWN };
        let shared = &shared;
        let (answer, hash) = thread::scope(|scope| {
            let helpers: Vec<_> = others
                .iter_mut()
                .map(|judge| {
                    scope.spawn(move || {
                        let mut walk = Walk::new(root, question, judge, shared);
                        (walk.run(&mut |_| {}), walk.hash)
                    })
                })
                .collect();
            let mut walk = Walk::new(root, question, own, shared);
            let first = (walk.run(tick), walk.hash);
            helpers.into_iter().filter_map(|helper| helper.join().ok()).fold(first, |(best, hash), (a, h)| {
                let better = best.numbers.decided().is_none() && a.numbers.decided().is_some();
                (if better { a } else { best }, hash.plus(h))
            })
        });
        self.hash = self.hash.plus(hash);
        answer
    }

    fn line(&mut self, root: &G, question: Question, answer: Answer<G::Move>) -> Vec<G::Move> {
        let Some(judge) = self.judges.first_mut() else { return Vec::new() };
        line(root, question, answer, judge, self.store)
    }

    fn hash(&self) -> HashUse {
        self.hash
    }

    fn bytes(&self) -> usize {
        self.store.bytes()
    }
}

/// Positions that are looked at for the principal variation, so that a search which is out of time ends.
const LINE_LOOKS: usize = 2048;

/// The principal variation, as far as table and tactics know it: who gets its way takes the move that
/// decides, who does not the one that was hardest to refute.
fn line<G: Finite + Keyed, T: Tactics<G>>(
    root: &G,
    question: Question,
    answer: Answer<G::Move>,
    judge: &mut Judge<G, T>,
    store: &Store,
) -> Vec<G::Move> {
    let mut game = root.clone();
    let mut line = Vec::new();
    let mut next = answer.best;
    let mut looks = 0;
    while let Some(mv) = next.filter(|&mv| looks < LINE_LOOKS && game.check(mv).is_ok()) {
        line.push(mv);
        game.play_unchecked(mv);
        next = follow(&mut game, question, line.len() as u32, judge, store, &mut looks);
    }
    line
}

/// The move to follow from a position of the principal variation.
pub(super) fn follow<G: Finite + Keyed, T: Tactics<G>>(
    game: &mut G,
    question: Question,
    ply: u32,
    judge: &mut Judge<G, T>,
    store: &Store,
    looks: &mut usize,
) -> Option<G::Move> {
    if game.outcome().is_some() {
        return None;
    }
    let asker_moves = game.to_move() == question.who;
    let mut moves = Vec::new();
    judge.list(game, &mut moves);
    let mut best: Option<(G::Move, (u32, u8))> = None;
    let mut informed = moves.len() == 1;
    for &mv in &moves {
        *looks += 1;
        let undo = game.play_unchecked(mv);
        let known = store.get(question.key(game, ply + 1)).filter(|_| game.outcome().is_none());
        let look = judge.look(game, &question, ply + 1);
        game.undo(undo);
        let numbers = match look {
            Look::Decided(..) => look.numbers(),
            Look::Open(open) => known.map_or(open, |known| known.numbers),
        };
        informed |= known.is_some() || numbers.decided().is_some();
        let want = numbers.seen(asker_moves).0;
        let work = known.map_or(0, |known| known.work);
        // Of equals: the quickest win, the longest resistance.
        let rank = (want, if want == 0 { work } else { u8::MAX - work });
        if best.is_none_or(|(_, other)| rank < other) {
            best = Some((mv, rank));
        }
    }
    best.filter(|_| informed).map(|(mv, _)| mv)
}

impl<M> Answer<M> {
    pub(super) const UNKNOWN: Self = Self { numbers: Numbers { proof: 1, disproof: 1 }, best: None };
}
