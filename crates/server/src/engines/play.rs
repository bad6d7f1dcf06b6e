//! A game as an engine plays it: it follows the events in a task, and searches in a thread.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use stonework_arena::{Contestant, Entrant, Pace, Terms};
use stonework_game::{Game, Player};
use stonework_roster::{Clock, Decision, PlayerConfig};
use stonework_search::Limits;
use stonework_session::{AnyPosition, Fault, Registry};
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use super::{Engines, Memory, SEARCH_BYTES, ServerEngine, StopAtDrop};
use crate::table::{GameEvent, GameSettings, GameTable, Order, Proposal, Step};

/// The time that a program has beyond its time for a move.
const GRACE: Duration = Duration::from_secs(1);

/// The time without an event after which an engine that is not to move is parked: its memory is for others, until it has to move.
const PARKED_AFTER: Duration = Duration::from_secs(600);

/// A task of the thread in which an engine plays, in the position after these moves.
enum Request {
    Decide {
        moves: Vec<String>,
        clock: Clock,
        /// Told when the search begins.
        begun: oneshot::Sender<()>,
        answer: oneshot::Sender<Result<Order, String>>,
        permit: OwnedSemaphorePermit,
    },
    /// To think in the time of the other side until the flag is set.
    Ponder { moves: Vec<String>, until: Arc<AtomicBool>, permit: OwnedSemaphorePermit },
}

/// A decision to come. One that is dropped is for nobody: its search ends, and its answer is not used.
type Thinking<'a> = Pin<Box<dyn Future<Output = Result<Order, String>> + Send + 'a>>;

/// The memory to come of an engine that was parked.
type Waking<'a> = Pin<Box<dyn Future<Output = Memory> + Send + 'a>>;

/// A game as an engine follows it.
struct Followed {
    start: AnyPosition,
    position: AnyPosition,
    moves: Vec<String>,
    clocks: Option<[u64; 2]>,
    /// The number of the move that the engine has asked for last.
    asked: u32,
}

impl Followed {
    /// Follows an event. `Ok(Some(…))` is the answer to a proposal.
    fn follow(&mut self, event: &GameEvent, own: &str) -> Result<Option<Order>, Fault> {
        match event {
            GameEvent::Moved { mv, clocks, .. } => {
                self.position.play_text(mv, 0)?;
                self.moves.push(mv.clone());
                self.clocks = *clocks;
            }
            GameEvent::TakenBack { plies, clocks } => {
                self.clocks = clocks.or(self.clocks);
                self.moves.truncate(*plies as usize);
                self.position = self.start.clone();
                for mv in &self.moves {
                    self.position.play_text(mv, 0)?;
                }
                self.asked = 0;
            }
            GameEvent::Illegal { side, .. } if side == own => self.asked = 0,
            GameEvent::Proposed { side, proposal } if side != own => {
                return Ok(Some(if *proposal == Proposal::Takeback {
                    Order::Accept
                } else {
                    Order::Decline
                }));
            }
            _ => {}
        }
        Ok(None)
    }

    fn next_ply(&self) -> u32 {
        self.moves.len() as u32 + 1
    }
}

/// Decides on a move, as soon as the server has a place for the search. The clock runs from the beginning of the search.
async fn think(
    engines: &Engines,
    table: &GameTable,
    requests: mpsc::Sender<Request>,
    moves: Vec<String>,
    clock: Clock,
) -> Result<Order, String> {
    let ended = || "has ended".to_owned();
    let ply = moves.len() as u32 + 1;
    let permit = engines.permit_of_game().await.ok_or_else(ended)?;
    let ((begun, begins), (answer, found)) = (oneshot::channel(), oneshot::channel());
    let request = Request::Decide { moves, clock, begun, answer, permit };
    requests.send(request).await.map_err(|_| ended())?;
    begins.await.map_err(|_| ended())?;
    table.think(ply).await;
    match found.await.map_err(|_| ended())?? {
        Order::Play { mv, .. } => Ok(Order::Play { mv, ply: Some(ply) }),
        other => Ok(other),
    }
}

/// Follows a game, and plays when the side is to move.
pub(super) async fn play(
    engines: &Engines,
    table: &GameTable,
    side: Player,
    engine: &ServerEngine,
    settings: &GameSettings,
    memory: Option<Memory>,
) -> Result<(), String> {
    let cancel = Arc::new(AtomicBool::new(false));
    let _stop = StopAtDrop(Arc::clone(&cancel));
    let has_tables = engines.has_tables(engine, settings);
    let begin = |memory| thread(&engines.registry, side, engine, settings, Arc::clone(&cancel), memory);
    // Without a thread the engine is parked: it has no tables, and no memory.
    let mut thread = memory.map(begin).transpose()?;
    let mut waking: Option<Waking<'_>> = None;
    let mut moved = Instant::now();
    let game = engines.registry.game(&settings.game).map_err(|fault| fault.message)?;
    let own = game.description().side(side);
    let start = game.start(&settings.start()).map_err(|fault| fault.message)?;
    let clocks = settings.clock.main.map(|main| [main; 2]);
    let mut followed = Followed { position: start.clone(), start, moves: Vec::new(), clocks, asked: 0 };
    let Some(mut watch) = table.watch(0).await else { return Ok(()) };
    let mut thinking: Option<Thinking<'_>> = None;
    let mut pondering: Option<(u32, StopAtDrop)> = None;
    loop {
        let ply = followed.next_ply();
        pondering = pondering.filter(|(of, _)| *of == ply);
        let goes_on = followed.position.outcome().is_none() && !watch.has_past();
        let mine = followed.position.to_move() == side;
        if goes_on
            && !mine
            && pondering.is_none()
            && let Some(requests) = &thread
            && let Ok(permit) = Arc::clone(&engines.ponders).try_acquire_owned()
        {
            let until = Arc::new(AtomicBool::new(false));
            let request =
                Request::Ponder { moves: followed.moves.clone(), until: Arc::clone(&until), permit };
            // A thread that still ends a search for nobody has no time for a thought.
            if requests.try_send(request).is_ok() {
                pondering = Some((ply, StopAtDrop(until)));
            }
        }
        let wanted = goes_on && mine && thinking.is_none() && followed.asked != ply;
        if wanted && thread.is_none() && waking.is_none() {
            waking = Some(Box::pin(engines.memory_of_game(has_tables)));
        }
        if wanted && let Some(requests) = &thread {
            let left = followed.clocks.map(|clocks| Duration::from_millis(clocks[side.index()]));
            let clock =
                Clock { left, increment: Duration::from_millis(settings.clock.increment), moves: None };
            let moves = followed.moves.clone();
            thinking = Some(Box::pin(think(engines, table, requests.clone(), moves, clock)));
        }
        let found = async { ready(&mut thinking).await };
        let memory = async { ready(&mut waking).await };
        let parks = thread.is_some() && goes_on && !mine;
        tokio::select! {
            // An event comes before an answer: it may take back the position that the answer is for.
            biased;
            told = watch.next() => {
                let Some(told) = told else { return Ok(()) };
                let event = &told.numbered.event;
                if matches!(event, GameEvent::Over { .. }) {
                    return Ok(());
                }
                moved = Instant::now();
                if let Some(answer) = followed.follow(event, own).map_err(|fault| fault.message)? {
                    // A proposal that is no longer open needs no answer.
                    let _ = table.insist(Step::Order(side, answer)).await;
                }
                if matches!(event, GameEvent::TakenBack { .. }) {
                    pondering = None;
                    if thinking.take().is_some() {
                        cancel.store(true, Ordering::SeqCst);
                    }
                }
            }
            memory = memory => {
                waking = None;
                thread = Some(begin(memory)?);
            }
            () = sleep_until(moved + PARKED_AFTER), if parks => (thread, pondering) = (None, None),
            order = found => {
                thinking = None;
                followed.asked = ply;
                match table.insist(Step::Order(side, order?)).await {
                    Err(fault) if !["over", "ply", "turn"].contains(&fault.kind.as_str()) => {
                        return Err(format!("gave an order that is refused: {fault}"));
                    }
                    _ => {}
                }
            }
        }
    }
}

/// The output of a future; it is never ready without a future.
async fn ready<F: Future + Unpin>(future: &mut Option<F>) -> F::Output {
    match future {
        Some(future) => future.await,
        None => std::future::pending().await,
    }
}

/// Starts the thread in which an engine plays. The thread ends when the sender of the requests is dropped.
fn thread(
    registry: &Registry,
    side: Player,
    engine: &ServerEngine,
    settings: &GameSettings,
    cancel: Arc<AtomicBool>,
    memory: Memory,
) -> Result<mpsc::Sender<Request>, String> {
    let game = registry.game(&settings.game).map_err(|fault| fault.message)?.clone();
    let start = game.start(&settings.start()).map_err(|fault| fault.message)?;
    let entrant =
        Entrant::parse(&engine.player, &game, &settings.start()).map_err(|error| error.to_string())?;
    let per_move = settings.clock.per_move.map(Duration::from_millis);
    let own = engine.seconds.map(Duration::from_secs_f64);
    let pace = per_move.into_iter().chain(own).min().map_or(Pace::Own, Pace::Move);
    let terms = Terms { pace, grace: GRACE, ..Terms::default() };
    let stop = Arc::clone(&cancel);
    let limits = Limits::none().bytes(SEARCH_BYTES).cancel(cancel);
    let config = PlayerConfig { limits, seed: seed(), ..PlayerConfig::default() };
    let mut contestant = entrant.contestant(game.roster(), &config);
    let (requests, mut inbox) = mpsc::channel::<Request>(1);
    let work = move || {
        let mut played: Option<(AnyPosition, Vec<String>)> = None;
        let mut failed: Option<String> = None;
        while let Some(request) = inbox.blocking_recv() {
            match request {
                // The permit is free again when the search has ended.
                Request::Decide { moves, clock, begun, answer, permit: _permit } => {
                    stop.store(false, Ordering::SeqCst);
                    // Who drops a decision sets the flag after that. A flag that was set before this line is noticed here.
                    if answer.is_closed() || begun.send(()).is_err() {
                        continue;
                    }
                    let own = (side, config.seed);
                    let found = match failed.take() {
                        Some(why) => Err(why),
                        None => decide(&mut *contestant, &start, own, &terms, &mut played, moves, &clock),
                    };
                    // A caller that has gone needs no answer.
                    let _ = answer.send(found);
                }
                // The permit is free again when the thought has ended.
                Request::Ponder { moves, until, permit: _permit } => {
                    // The next decision tells of a fault.
                    failed = failed.or(ponder(&mut *contestant, &start, &moves, &until).err());
                }
            }
        }
        // The tables go before their memory is free for others.
        drop(contestant);
        drop(memory);
    };
    std::thread::Builder::new().name("engine".to_owned()).spawn(work).map_err(|error| error.to_string())?;
    Ok(requests)
}

fn seed() -> u64 {
    let mut bytes = [0; 8];
    // A seed that is always the same is still a seed.
    let _ = getrandom::fill(&mut bytes);
    u64::from_le_bytes(bytes)
}

/// Brings an engine to a position, and asks it for its decision. `played` is the position that the engine knows, with its moves.
fn decide(
    contestant: &mut dyn Contestant<AnyPosition>,
    start: &AnyPosition,
    (side, seed): (Player, u64),
    terms: &Terms,
    played: &mut Option<(AnyPosition, Vec<String>)>,
    mut moves: Vec<String>,
    clock: &Clock,
) -> Result<Order, String> {
    let known = played.take().filter(|(_, known)| moves.starts_with(known));
    let (mut position, done) = if let Some((position, known)) = known {
        (position, known.len())
    } else {
        contestant.prepare(start, side, seed, terms).map_err(|fault| fault.to_string())?;
        (start.clone(), 0)
    };
    for text in &moves[done..] {
        let mv = position.read_move(text, 0).map_err(|fault| fault.message)?;
        contestant.receive(&position, mv, terms.patience).map_err(|fault| fault.to_string())?;
        position.play(mv).map_err(|fault| fault.message)?;
    }
    let limit = match terms.pace {
        Pace::Move(time) => time + terms.grace,
        _ => clock.left.unwrap_or(terms.patience) + terms.grace,
    };
    let decision = contestant.choose(&position, clock, limit).map_err(|fault| fault.to_string())?;
    let Decision::Play(mv) = decision else { return Ok(Order::Resign) };
    let text = position.move_text_in(mv, 0);
    // A program has played its move already. If the game goes on without that move, the program is set up anew.
    position.play(mv).map_err(|fault| format!("plays {text}: {}", fault.message))?;
    moves.push(text.clone());
    *played = Some((position, moves));
    Ok(Order::Play { mv: text, ply: None })
}

/// Lets an engine think about the position after these moves, in which the other side is to move.
fn ponder(
    contestant: &mut dyn Contestant<AnyPosition>,
    start: &AnyPosition,
    moves: &[String],
    until: &Arc<AtomicBool>,
) -> Result<(), String> {
    let mut position = start.clone();
    for text in moves {
        position.play_text(text, 0).map_err(|fault| fault.message)?;
    }
    contestant.ponder(&position, until).map_err(|fault| fault.to_string())
}
