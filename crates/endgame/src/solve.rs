//! Retrograde analysis: the decided states, distance by distance.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::Ordering::{AcqRel, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU16};

use stonework_game::Game;

use crate::checkpoint::{Keeper, Reached, State, StateMut};
use crate::links::Links;
use crate::value::{DRAW, HOLE, decode, encode};
use crate::workers::{CHUNK, each_chunk};
use crate::{Checkpoint, Options, Progress, ProgressWatch, SolveError, Stage, StateSpace, Table, Value};

/// A table, and the memory of its build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    /// The values.
    pub table: Table,
    /// The largest number of bytes of the arrays at one time.
    pub bytes: usize,
    /// `true` if there was memory for links. Without links each distance took a sweep that generated the moves of all
    /// undecided states.
    pub linked: bool,
}

/// The exact value and distance of every state of a space.
///
/// Endless play counts as a draw: a win must be forced, and a state is drawn if neither side can force a win. The sides
/// need not alternate. The result does not depend on the number of threads.
///
/// Levels: the states that are decided in d plies decide others in d + 1 plies or, through values from
/// [`outside`](StateSpace::outside), in more. Links lead from each state to its predecessors, and each state has a
/// count of its moves that are not known to lose. With links the time is in the order of the moves (the moves of each
/// state are generated twice), and the memory is 8 bytes for each number and 4 for each move. If [`Options::bytes`]
/// does not allow this memory, or the space has more than 2³¹ numbers, each level is a sweep that generates the moves
/// of all undecided states anew. A build by sweeps takes 2 bytes for each number, and time in the order of moves ×
/// levels. In both cases each level reads one word for each 4096 numbers.
///
/// # Errors
/// See [`SolveError`].
///
/// ```
/// use stonework_endgame::example::Heaps;
/// use std::ops::ControlFlow;
/// use stonework_endgame::{Options, Value, solve};
/// let solved = solve(&Heaps(30), &Options::default(), &mut |_| ControlFlow::Continue(()))?;
/// assert_eq!(solved.table.value(30), Some(Value::Loss(20)));
/// let tight = Options { bytes: Some(10), ..Options::default() };
/// let error = solve(&Heaps(30), &tight, &mut |_| ControlFlow::Continue(())).unwrap_err();
/// assert_eq!(error.to_string(), "the table needs 64 bytes, the limit is 10");
/// # Ok::<(), stonework_endgame::SolveError>(())
/// ```
pub fn solve<S: StateSpace>(
    space: &S,
    options: &Options,
    watch: ProgressWatch,
) -> Result<Solved, SolveError> {
    build(space, options, None, watch)
}

/// As [`solve`], with the state of the build written to a file from time to time, in every stage. If there is such a
/// file already, the build goes on from it. The table does not depend on the places of the interruptions.
///
/// A build that began without links, for lack of memory, goes on without links. A build with too little memory for the
/// links of its checkpoint goes on without them. A build that is stopped writes a checkpoint first.
///
/// # Errors
/// See [`SolveError`]. A checkpoint that is damaged or of another space is an error, and its file stays unchanged.
///
/// ```
/// use stonework_endgame::example::Heaps;
/// use std::ops::ControlFlow;
/// use std::time::Duration;
/// use stonework_endgame::{Checkpoint, Options, SolveError, Stage, resume, solve};
/// let path = std::env::temp_dir().join(format!("stonework-doc-{}", std::process::id()));
/// let checkpoint = Checkpoint::new(&path, "nim", "heap 30").every(Duration::ZERO);
/// let (space, options) = (Heaps(30), Options::default());
/// let mut until_ten = |progress: stonework_endgame::Progress| match progress.stage {
///     Stage::Level(10) => ControlFlow::Break(()),
///     _ => ControlFlow::Continue(()),
/// };
/// assert_eq!(resume(&space, &options, &checkpoint, &mut until_ten), Err(SolveError::Stopped));
/// let solved = resume(&space, &options, &checkpoint, &mut |_| ControlFlow::Continue(()))?;
/// assert_eq!(solved.table, solve(&space, &options, &mut |_| ControlFlow::Continue(()))?.table);
/// checkpoint.remove()?;
/// # Ok::<(), SolveError>(())
/// ```
pub fn resume<S: StateSpace>(
    space: &S,
    options: &Options,
    checkpoint: &Checkpoint,
    watch: ProgressWatch,
) -> Result<Solved, SolveError> {
    build(space, options, Some(checkpoint), watch)
}

fn build<S: StateSpace>(
    space: &S,
    options: &Options,
    checkpoint: Option<&Checkpoint>,
    watch: ProgressWatch,
) -> Result<Solved, SolveError> {
    if !options.has_threads() {
        return Err(SolveError::Threads(options.threads));
    }
    let len = space.len();
    let limit = options.bytes.map_or(u64::MAX, |bytes| bytes as u64);
    let chunks = len.div_ceil(CHUNK);
    let need = len.saturating_add(chunks).saturating_mul(2);
    if let Some(limit) = options.bytes.filter(|&limit| need > limit as u64) {
        return Err(SolveError::Memory { need, limit });
    }
    let mut solver = Solver {
        space,
        threads: options.threads,
        codes: allocate(len, || AtomicU16::new(DRAW))?,
        due: allocate(chunks, || AtomicU16::new(u16::MAX))?,
        links: None,
        late: AtomicBool::new(false),
    };
    let with_counts = need.saturating_add(Links::bytes(len, 0));
    if with_counts <= limit && len <= Links::MAX_STATES {
        solver.links = Some(Links::new(len)?);
    }
    // A checkpoint may tell more moves than there can be.
    let most = len.saturating_mul(u64::from(u16::MAX));
    let fits = |moves| moves <= most && need.saturating_add(Links::bytes(len, moves)) <= limit;
    let mut reached = Reached { stage: Stage::Survey, chunk: 0 };
    if let Some(kept) = checkpoint {
        let (codes, links, late) = (&mut solver.codes[..], &mut solver.links, &solver.late);
        if let Some(there) = kept.read(&mut StateMut { chunks, codes, links, late, fits: &fits })? {
            reached = there;
            solver.take_up(reached);
        }
    }
    let mut keeper = checkpoint.map(Keeper::new);
    // The survey needs only the counts.
    let mut bytes = if solver.links.is_some() { with_counts } else { need };
    if reached.stage == Stage::Survey {
        solver.stage(reached, &mut keeper, watch, |_, range| solver.survey(range))?;
        if let Some(mut links) = solver.links.take() {
            let moves = links.begin().unwrap_or(u64::MAX);
            if moves < u64::MAX && fits(moves) {
                links.make_room(moves)?;
                solver.links = Some(links);
            }
        }
        reached = Reached { stage: Stage::Link, chunk: 0 };
    }
    if let Some(links) = &solver.links {
        bytes = need + Links::bytes(len, links.moves());
        if reached.stage == Stage::Link {
            solver.stage(reached, &mut keeper, watch, |_, range| solver.link(range, checkpoint))?;
        }
    }
    // A level that was interrupted comes first.
    let mut begun = matches!(reached.stage, Stage::Level(_)).then_some(reached);
    loop {
        let nearest = || solver.due.iter().map(|due| due.load(Relaxed)).min().filter(|&d| d < u16::MAX);
        let from = match begun.take() {
            Some(begun) => begun,
            None => match nearest() {
                Some(level) => Reached { stage: Stage::Level(level), chunk: 0 },
                None => break,
            },
        };
        let Stage::Level(level) = from.stage else { break };
        solver.stage(from, &mut keeper, watch, |chunk, range| solver.level(level, chunk, range))?;
    }
    let linked = solver.links.is_some();
    let codes = solver.codes.into_iter().map(AtomicU16::into_inner).collect();
    Ok(Solved { table: Table::new(codes), bytes: bytes as usize, linked })
}

/// Chunks for each thread between two checks for a checkpoint and for a stop.
const SLICE: u64 = 4;

/// An array; an error instead of an abort if there is no memory for it.
pub(crate) fn allocate<T>(len: u64, make: impl FnMut() -> T) -> Result<Vec<T>, SolveError> {
    let error = SolveError::Allocation { bytes: len.saturating_mul(size_of::<T>() as u64) };
    let Ok(len) = usize::try_from(len) else { return Err(error) };
    let mut array = Vec::new();
    array.try_reserve_exact(len).map_err(|_| error)?;
    array.resize_with(len, make);
    Ok(array)
}

/// The result of a move.
#[derive(Clone, Copy)]
enum Step {
    /// A state of the space; `same` if the mover is to move again.
    Inside { to: u64, same: bool },
    /// A value, from the mover's view before the move.
    Known(Value),
}

/// The moves of a state and their results, in memory that all states of a chunk share.
struct Steps<S: StateSpace> {
    moves: Vec<<S::State as Game>::Move>,
    steps: Vec<Step>,
}

impl<S: StateSpace> Steps<S> {
    const fn new() -> Self {
        Self { moves: Vec::new(), steps: Vec::new() }
    }
}

struct Solver<'a, S> {
    space: &'a S,
    threads: usize,
    /// The values so far. From the beginning of level d on, each state of distance d has its value. A win through a
    /// value from outside may stand here before its level, and a nearer win may still replace it.
    codes: Vec<AtomicU16>,
    /// For each chunk, the least distance of a state in it that has not been handled yet.
    due: Vec<AtomicU16>,
    links: Option<Links>,
    /// `true` if some move out of the space loses in more than one ply.
    late: AtomicBool,
}

impl<S: StateSpace> Solver<'_, S> {
    /// Does the rest of a stage, in slices; a checkpoint may be written between two slices. A build with a checkpoint
    /// stops only between two slices, because a checkpoint cannot hold half a slice.
    fn stage(
        &self,
        from: Reached,
        keeper: &mut Option<Keeper<'_>>,
        watch: ProgressWatch,
        work: impl Fn(usize, Range<u64>) -> Result<(), SolveError> + Sync,
    ) -> Result<(), SolveError> {
        let Reached { stage, mut chunk } = from;
        let (of, chunks) = (self.space.len(), self.due.len() as u64);
        loop {
            let slice = if keeper.is_some() { SLICE * self.threads as u64 } else { chunks };
            let end = chunks.min(chunk.saturating_add(slice));
            let before = chunk * CHUNK;
            let (mut stopped, is_kept) = (false, keeper.is_some());
            let mut tick = |done| {
                stopped |= watch(Progress { stage, done: of.min(before + done), of }).is_break();
                if stopped && !is_kept { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            each_chunk(self.threads, chunk..end, of, &work, &mut tick)?.ok_or(SolveError::Stopped)?;
            chunk = end;
            if let Some(keeper) = keeper {
                let (links, late) = (self.links.as_ref(), &self.late);
                let state = State { reached: Reached { stage, chunk }, codes: &self.codes, links, late };
                keeper.keep(&state, stopped)?;
            }
            if stopped {
                return Err(SolveError::Stopped);
            }
            if chunk >= chunks {
                return Ok(());
            }
        }
    }

    fn code(&self, rank: u64) -> u16 {
        self.codes[rank as usize].load(Relaxed)
    }

    /// Stores a value and makes its distance due. A value beyond [`MAX_DISTANCE`](crate::MAX_DISTANCE) is an error.
    fn set(&self, rank: u64, value: Value) -> Result<(), SolveError> {
        let code = encode(value).ok_or(SolveError::TooFar { rank })?;
        self.codes[rank as usize].store(code, Relaxed);
        if let Some(distance) = value.distance() {
            self.due[(rank / CHUNK) as usize].fetch_min(distance, Release);
        }
        Ok(())
    }

    /// Goes on from the codes of a checkpoint: the level is done in the chunks before `reached.chunk`.
    fn take_up(&mut self, reached: Reached) {
        let Reached { stage, chunk } = reached;
        let level = if let Stage::Level(level) = stage { level } else { 0 };
        for (at, (due, codes)) in (0_u64..).zip(self.due.iter_mut().zip(self.codes.chunks(CHUNK as usize))) {
            let done = matches!(stage, Stage::Level(_)) && at < chunk;
            let least = if done { level + 1 } else { level };
            let distances = codes.iter().filter_map(|code| decode(code.load(Relaxed))?.distance());
            *due.get_mut() = distances.filter(|&distance| distance >= least).min().unwrap_or(u16::MAX);
        }
    }

    /// Finds the result of each move of a state. Returns `false` if the game is over in the state.
    fn steps(&self, rank: u64, state: &mut S::State, to: &mut Steps<S>) -> Result<bool, SolveError> {
        to.steps.clear();
        if state.outcome().is_some() {
            return Ok(false);
        }
        to.moves.clear();
        state.legal_moves(&mut to.moves);
        if to.moves.is_empty() {
            return Err(SolveError::Stuck { rank });
        }
        if to.moves.len() > usize::from(u16::MAX) {
            return Err(SolveError::Moves { rank, moves: to.moves.len() });
        }
        let mover = state.to_move();
        for &mv in &to.moves {
            let undo = state.play_unchecked(mv);
            let same = state.to_move() == mover;
            let known = state.outcome().map(|outcome| Value::ended(outcome, state.to_move()));
            let inside = if known.is_none() { self.space.rank(state) } else { None };
            let step = if let Some(to) = inside {
                let len = self.space.len();
                if to >= len {
                    return Err(SolveError::NoState { rank, to, len });
                }
                Step::Inside { to, same }
            } else {
                let value = known.or_else(|| self.space.outside(state));
                let value = value.ok_or_else(|| SolveError::Undecided { rank, mv: format!("{mv:?}") })?;
                Step::Known(value.earlier(same))
            };
            to.steps.push(step);
            state.undo(undo);
        }
        Ok(true)
    }

    /// Stores the holes, the states that are over, and the states that values from outside alone decide; counts moves.
    fn survey(&self, range: Range<u64>) -> Result<(), SolveError> {
        let mut found = Steps::new();
        for rank in range {
            let Some(mut state) = self.space.unrank(rank) else {
                self.codes[rank as usize].store(HOLE, Relaxed);
                continue;
            };
            if !self.steps(rank, &mut state, &mut found)? {
                let outcome = state.outcome().expect("what has no steps is over");
                self.set(rank, Value::ended(outcome, state.to_move()))?;
                continue;
            }
            if let Some(value) = self.known(&found.steps, &|_| None) {
                self.set(rank, value)?;
            }
            let Some(links) = &self.links else { continue };
            let lost = found.steps.iter().filter(|step| matches!(step, Step::Known(Value::Loss(_)))).count();
            links.count(rank, (found.steps.len() - lost) as u16);
            if self.needs_links(rank) {
                inside(&found.steps).for_each(|(to, _)| links.announce(to));
            }
        }
        Ok(())
    }

    /// The value that follows from the known results: the nearest win, or the furthest loss if all moves lose.
    fn known(&self, steps: &[Step], lookup: &dyn Fn(u64) -> Option<Value>) -> Option<Value> {
        let (mut win, mut loss, mut open) = (None::<u16>, 0, false);
        for step in steps {
            let value = match *step {
                Step::Known(value) => Some(value),
                Step::Inside { to, same } => lookup(to).map(|value| value.earlier(same)),
            };
            match value {
                Some(Value::Win(plies)) => win = Some(win.map_or(plies, |least| least.min(plies))),
                Some(Value::Loss(plies)) => loss = loss.max(plies),
                Some(Value::Draw) | None => open = true,
            }
            if let Step::Known(Value::Loss(2..)) = step {
                self.late.store(true, Relaxed);
            }
        }
        win.map(Value::Win).or((!open).then_some(Value::Loss(loss)))
    }

    /// `false` for a win in one and for a state that values from outside have decided as lost: neither can change.
    fn needs_links(&self, rank: u64) -> bool {
        match decode(self.code(rank)) {
            Some(Value::Win(plies)) => plies > 1,
            Some(Value::Draw) => true,
            Some(Value::Loss(_)) | None => false,
        }
    }

    /// Adds the links of the states. The counts of a checkpoint may be of another numbering or of other rules.
    fn link(&self, range: Range<u64>, counted: Option<&Checkpoint>) -> Result<(), SolveError> {
        let Some(links) = &self.links else { return Ok(()) };
        let mut found = Steps::new();
        for rank in range.filter(|&rank| self.needs_links(rank)) {
            let Some(mut state) = self.space.unrank(rank) else { continue };
            self.steps(rank, &mut state, &mut found)?;
            for (to, same) in inside(&found.steps) {
                self.state_at(rank, to)?;
                if !links.link(rank, same, to) {
                    let what = format!("its counts have no room for the link from state {rank} to {to}");
                    return Err(counted.map_or_else(|| unreachable!("{what}"), |kept| kept.error(&what)));
                }
            }
        }
        Ok(())
    }

    /// The value at a number that a move leads to, if the number is decided.
    fn state_at(&self, rank: u64, to: u64) -> Result<Option<Value>, SolveError> {
        match self.code(to) {
            HOLE => Err(SolveError::NoState { rank, to, len: self.space.len() }),
            DRAW => Ok(None),
            code => Ok(decode(code)),
        }
    }

    /// Decides states by the states of this distance. With links: the predecessors of the chunk's states of this
    /// distance. Without links: the undecided states of the chunk that lead to states of this distance.
    fn level(&self, level: u16, chunk: usize, range: Range<u64>) -> Result<(), SolveError> {
        if self.due[chunk].load(Relaxed) != level && self.links.is_some() {
            return Ok(());
        }
        // This pass handles all states that other threads have made due before the swap; states made due after the swap
        // stay due.
        if self.due[chunk].load(Relaxed) == level {
            self.due[chunk].swap(u16::MAX, AcqRel);
        }
        let mut found = Steps::new();
        for rank in range {
            let value = match self.code(rank) {
                HOLE => continue,
                DRAW => None,
                code => decode(code),
            };
            let distance = value.and_then(Value::distance);
            if let Some(later) = distance.filter(|&distance| distance > level) {
                self.due[chunk].fetch_min(later, Relaxed);
            }
            match (&self.links, value) {
                (Some(links), Some(value)) if distance == Some(level) => self.spread(links, rank, value)?,
                (None, None | Some(Value::Win(_))) if distance.is_none_or(|plies| plies > level + 1) => {
                    self.examine(level, rank, value, &mut found)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Passes a state's value on to the states that lead to it.
    fn spread(&self, links: &Links, rank: u64, value: Value) -> Result<(), SolveError> {
        for (from, same) in links.to(rank) {
            let told = value.earlier(same);
            match told {
                Value::Win(plies) => {
                    let now = decode(self.code(from)).and_then(Value::distance);
                    if now.is_none_or(|now| now > plies) {
                        self.set(from, told)?;
                    }
                }
                Value::Loss(plies) => {
                    if links.lose_one(from) {
                        self.set(from, Value::Loss(plies.max(self.loss_outside(from)?)))?;
                    }
                }
                Value::Draw => {}
            }
        }
        Ok(())
    }

    /// The number of plies that a lost state can delay its end by leaving the space.
    fn loss_outside(&self, rank: u64) -> Result<u16, SolveError> {
        if !self.late.load(Relaxed) {
            return Ok(0);
        }
        let Some(mut state) = self.space.unrank(rank) else { return Ok(0) };
        let mut found = Steps::new();
        self.steps(rank, &mut state, &mut found)?;
        let losses = found.steps.iter().filter_map(|step| match step {
            Step::Known(Value::Loss(plies)) => Some(*plies),
            _ => None,
        });
        Ok(losses.max().unwrap_or(0))
    }

    /// Decides a state if its moves decide it now, without links.
    fn examine(
        &self,
        level: u16,
        rank: u64,
        before: Option<Value>,
        found: &mut Steps<S>,
    ) -> Result<(), SolveError> {
        let Some(mut state) = self.space.unrank(rank) else { return Ok(()) };
        if !self.steps(rank, &mut state, found)? {
            return Ok(());
        }
        for (to, _) in inside(&found.steps) {
            self.state_at(rank, to)?;
        }
        // Values that other threads store in the meantime are further away than this level.
        let near = |to| decode(self.code(to)).filter(|value| value.distance().is_some_and(|d| d <= level));
        match self.known(&found.steps, &near) {
            Some(value) if Some(value) != before => self.set(rank, value),
            _ => Ok(()),
        }
    }
}

/// The numbers that moves lead to; `true` beside a number if the mover is to move again.
fn inside(steps: &[Step]) -> impl Iterator<Item = (u64, bool)> + '_ {
    steps.iter().filter_map(|step| match *step {
        Step::Inside { to, same } => Some((to, same)),
        Step::Known(_) => None,
    })
}
