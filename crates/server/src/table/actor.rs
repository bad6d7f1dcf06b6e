//! [`Actor`]: the task of one game.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use stonework_game::Player;
use stonework_session::Fault;
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio::time::{Instant, sleep, sleep_until};

use super::{
    GameBrief, GameEvent, GameView, NumberedEvent, PAUSE, SeatKind, Step, TableState, ToldEvent, log,
};
use crate::Store;

/// The number of events that wait for a slow reader. A slower one reads the log again.
const BACKLOG: usize = 64;

/// The time that a side has to come back, after its connection broke or after the server has started again.
const ABSENCE: u64 = 60_000;

/// The time that the task of a game goes on after the end, for a rematch.
const AFTER_END: u64 = 600_000;

/// The time that a game goes on without any event.
const IDLE: u64 = 30 * 24 * 3600 * 1000;

type Answer = oneshot::Sender<Result<u64, Fault>>;

/// The events after a number, and those to come.
type Followed = (Vec<Arc<ToldEvent>>, broadcast::Receiver<Arc<ToldEvent>>);

/// A request to the task of a game.
pub(super) enum Message {
    Step(Step, Answer),
    Watch(u64, oneshot::Sender<Followed>),
    View(oneshot::Sender<GameView>),
    Brief(oneshot::Sender<GameBrief>),
    /// The task ends if the game has ended.
    Leave,
    Presence(Player, bool),
    Think(u32),
}

pub(super) struct Actor {
    id: Arc<str>,
    state: TableState,
    log: Vec<Arc<ToldEvent>>,
    live: broadcast::Sender<Arc<ToldEvent>>,
    store: Store,
    /// Counts the games that have ended; `true` for this one.
    ended: (watch::Sender<u64>, Arc<AtomicBool>),
    base: Instant,
    /// The times at which the sides went away.
    absent: [Option<u64>; 2],
    /// `true` for a side that has not come back since the server has started again.
    awaited: [bool; 2],
    /// The time of the last event.
    last: u64,
    /// The time at which a game without another event is over.
    idle_by: u64,
}

impl Actor {
    pub(super) fn new(
        id: Arc<str>,
        state: TableState,
        log: Vec<Arc<ToldEvent>>,
        store: Store,
        ended: (watch::Sender<u64>, Arc<AtomicBool>),
        base: Instant,
    ) -> Self {
        let (live, _) = broadcast::channel(BACKLOG);
        let last = base.elapsed().as_millis() as u64;
        Self {
            id,
            state,
            log,
            live,
            store,
            ended,
            base,
            absent: [None; 2],
            awaited: [false; 2],
            last,
            idle_by: last + IDLE,
        }
    }

    fn now(&self) -> u64 {
        self.base.elapsed().as_millis() as u64
    }

    pub(super) async fn run(mut self, mut inbox: mpsc::Receiver<Message>, returned: Option<u64>) {
        if let Some(since) = returned {
            self.idle_by = self.last + IDLE.saturating_sub(since);
            // Persons without a clock may come back when they like; all others have a time to come back.
            let clock = self.state.settings().clock;
            let timed = clock.main.is_some() || clock.per_move.is_some();
            let now = self.now();
            self.absent = self.state.seats().each_ref().map(|seat| match seat.kind {
                SeatKind::Engine => None,
                SeatKind::Person if !timed => None,
                _ => Some(now),
            });
            self.awaited = self.absent.map(|since| since.is_some());
        }
        self.turn();
        loop {
            let wake = self.wake();
            tokio::select! {
                message = inbox.recv() => match message {
                    Some(Message::Leave) if self.state.end().is_some() => return,
                    Some(message) => self.receive(message).await,
                    None => return,
                },
                () = sleep_until(self.base + Duration::from_millis(wake)) => {
                    if self.now() >= wake && self.woken().await {
                        return;
                    }
                }
            }
        }
    }

    /// Starts the clock of the side to move, unless one of the sides is awaited after a restart.
    fn turn(&mut self) {
        if self.awaited == [false; 2] && self.state.deadline().is_none() {
            let now = self.now();
            self.state.next_turn(now);
        }
    }

    /// The time of the next thing that happens without a message.
    fn wake(&self) -> u64 {
        if self.state.end().is_some() {
            return self.last + AFTER_END;
        }
        let back = self.back_by().into_iter();
        back.chain(self.state.deadline()).chain([self.idle_by]).min().unwrap_or(u64::MAX >> 1)
    }

    /// The time by which an absent side has to be back. If both sides are absent, the side that left last has the later time: the game
    /// waits for it, and is void if neither comes back.
    fn back_by(&self) -> Option<u64> {
        let since = match self.absent {
            [Some(one), Some(two)] => Some(one.max(two)),
            [one, two] => one.or(two),
        };
        since.map(|since| since + ABSENCE)
    }

    /// Does what is due; `true` if the task has to end.
    async fn woken(&mut self) -> bool {
        if self.state.end().is_some() {
            return true;
        }
        let now = self.now();
        let late = self.back_by().is_some_and(|by| now >= by);
        let step = match self.absent {
            [Some(_), Some(_)] if late => Step::Void,
            [Some(_), None] if late => Step::Gone(Player::First),
            [None, Some(_)] if late => Step::Gone(Player::Second),
            _ if now >= self.idle_by => Step::Gone(self.state.to_move()),
            _ => Step::Flag,
        };
        if self.step(&step).await.is_err() {
            sleep(PAUSE).await;
        }
        false
    }

    async fn receive(&mut self, message: Message) {
        match message {
            Message::Step(step, told) => {
                if let Step::Order(side, _) = step {
                    self.presence(side, true);
                }
                let _ = told.send(self.step(&step).await);
            }
            Message::Watch(after, told) => {
                let past = self.log.iter().filter(|told| told.number() > after).cloned().collect();
                let _ = told.send((past, self.live.subscribe()));
            }
            Message::View(told) => {
                let (last, watchers) = (self.log.len() as u64, self.live.receiver_count());
                let _ = told.send(GameView::of(&self.id, &self.state, self.now(), last, watchers));
            }
            Message::Presence(side, here) => self.presence(side, here),
            Message::Think(ply) if ply == self.state.plies() + 1 => {
                let now = self.now();
                self.state.start_clock(now);
            }
            Message::Brief(told) => drop(told.send(GameBrief::of(&self.id, &self.state))),
            Message::Think(_) | Message::Leave => {}
        }
    }

    fn presence(&mut self, side: Player, here: bool) {
        let absent = &mut self.absent[side.index()];
        if here {
            self.awaited[side.index()] = false;
            if absent.take().is_some() {
                self.turn();
            }
        } else if absent.is_none() {
            *absent = Some(self.base.elapsed().as_millis() as u64);
        }
    }

    async fn step(&mut self, step: &Step) -> Result<u64, Fault> {
        let now = self.now();
        match catch_unwind(AssertUnwindSafe(|| self.state.decide(now, step))) {
            Ok(events) => self.tell(events?).await,
            Err(_) => self.void().await,
        }
    }

    /// Ends a game whose rules have panicked.
    async fn void(&mut self) -> Result<u64, Fault> {
        eprintln!("stonework-server: game {}: the rules have panicked, the game is void", self.id);
        let how = vec!["void".to_owned()];
        self.tell(vec![GameEvent::Over { winner: None, how, cells: Vec::new() }]).await?;
        Err(Fault::new("void", "the rules of the game have failed: the game is void, and its moves are kept"))
    }

    /// Stores events, changes the state by them, and tells them, in this order.
    async fn tell(&mut self, events: Vec<GameEvent>) -> Result<u64, Fault> {
        if events.is_empty() {
            return Ok(self.log.len() as u64);
        }
        let first = self.log.len() as u64 + 1;
        let number = |(at, event)| ToldEvent::new(NumberedEvent { number: first + at as u64, event });
        let told: Vec<_> = events.into_iter().enumerate().map(number).map(Arc::new).collect();
        let changes = catch_unwind(AssertUnwindSafe(|| log::Changes::of(&self.state, &told)));
        let changes = changes.unwrap_or_else(|_| log::Changes::without_positions(&self.state, &told));
        let stored = log::append(&self.store, &self.id, changes).await;
        stored.map_err(|error| Fault::new("store", error.to_string()))?;
        let now = self.now();
        (self.last, self.idle_by) = (now, now + IDLE);
        let mut broken = false;
        for told in told {
            let event = &told.numbered.event;
            let applied = catch_unwind(AssertUnwindSafe(|| {
                self.state.apply(now, event)?;
                // The clock of a side that is awaited starts when it comes back.
                if self.awaited[self.state.to_move().index()] {
                    self.state.stop_clock();
                }
                Ok::<_, Fault>(())
            }));
            broken |= !matches!(applied, Ok(Ok(()))) && self.state.end().is_none();
            if matches!(event, GameEvent::Over { .. }) {
                self.absent = [None; 2];
                self.ended.1.store(true, Ordering::Relaxed);
                self.ended.0.send_modify(|count| *count += 1);
            }
            self.log.push(Arc::clone(&told));
            // Without readers, nobody is told.
            let _ = self.live.send(told);
        }
        if broken {
            return Box::pin(self.void()).await;
        }
        Ok(self.log.len() as u64)
    }
}
