//! Games that are played: each a task of its own, which owns position, clocks and events.

mod actor;
mod event;
#[cfg(test)]
mod laws;
mod log;
mod state;
mod watch;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use stonework_game::Player;
use stonework_session::{Fault, Registry, Session};
use tokio::sync::{mpsc, oneshot, watch as watch_channel};

use crate::{Store, StoreError};
use actor::{Actor, Message};
pub use event::{ClockSettings, GameEvent, GameSettings, NumberedEvent, Order, Proposal, Seat, SeatKind};
pub(crate) use log::{canonical, insert, plays, rename, wall};
pub use state::TableEnd;
pub(crate) use state::{Step, TableState};
pub use watch::{GameWatch, ToldEvent};

/// The number of orders that wait for a game. A player who sends more waits with them.
const WAITING: usize = 32;

/// The pause after the database has refused.
const PAUSE: std::time::Duration = std::time::Duration::from_secs(1);

/// The games of a server. The map has the games whose task runs: those that go on, and those that have ended a short time ago.
#[derive(Debug)]
pub(crate) struct Tables {
    store: Store,
    registry: Registry,
    base: tokio::time::Instant,
    /// The greatest number of games that go on.
    most: usize,
    /// Counts the games that have ended.
    ended: watch_channel::Sender<u64>,
    running: Mutex<HashMap<String, GameTable>>,
}

/// A game whose task runs. A clone is another handle to the same game.
#[derive(Clone, Debug)]
pub struct GameTable {
    id: Arc<str>,
    messages: mpsc::Sender<Message>,
    /// `true` when the game has ended.
    over: Arc<AtomicBool>,
    /// The database, which has the events when the task has ended.
    store: Store,
}

/// The facts of a game at a moment, for lists and orders. In contrast to a [`GameView`], they cost no replay of the game.
#[derive(Debug)]
pub(crate) struct GameBrief {
    pub(crate) id: String,
    pub(crate) settings: GameSettings,
    pub(crate) seats: [Seat; 2],
    pub(crate) to_move: Player,
    pub(crate) plies: u32,
    /// The proposal that waits for an answer, with the side that made it.
    pub(crate) proposed: Option<(Player, Proposal)>,
    pub(crate) over: bool,
}

impl GameBrief {
    fn of(id: &str, state: &TableState) -> Self {
        Self {
            id: id.to_owned(),
            settings: state.settings().clone(),
            seats: state.seats().clone(),
            to_move: state.to_move(),
            plies: state.plies(),
            proposed: state.proposed(),
            over: state.end().is_some(),
        }
    }

    /// As [`GameView::side_of`].
    pub(crate) fn side_of(&self, name: &str) -> Option<Player> {
        side_of(&self.seats, self.to_move, name)
    }
}

/// The side of a player at the page; for a player who has both seats, the side to move.
fn side_of(seats: &[Seat; 2], to_move: Player, name: &str) -> Option<Player> {
    let has = |player: Player| {
        let seat = &seats[player.index()];
        seat.kind == SeatKind::Person && seat.name == name
    };
    [to_move, to_move.other()].into_iter().find(|&player| has(player))
}

/// A game at a moment.
#[derive(Debug)]
pub struct GameView {
    /// The id.
    pub id: String,
    /// The game, the board and the time.
    pub settings: GameSettings,
    /// The players, the first player first.
    pub seats: [Seat; 2],
    /// The position with the moves that led to it.
    pub session: Session,
    /// The milliseconds that both sides have left; `None` without a clock.
    pub clocks: Option<[u64; 2]>,
    /// `true` if the clock of the side to move runs.
    pub ticking: bool,
    /// The proposal that waits for an answer, with the side that made it.
    pub proposed: Option<(Player, Proposal)>,
    /// The end of the game; `None` while it goes on.
    pub end: Option<TableEnd>,
    /// The id of the rematch that has begun.
    pub next: Option<String>,
    /// The number of the last event.
    pub last: u64,
    /// The number of connections that follow the game.
    pub watchers: usize,
}

impl GameView {
    fn of(id: &str, state: &TableState, now: u64, last: u64, watchers: usize) -> Self {
        Self {
            id: id.to_owned(),
            settings: state.settings().clone(),
            seats: state.seats().clone(),
            session: state.session().fork(),
            clocks: state.clocks(now),
            ticking: state.deadline().is_some(),
            proposed: state.proposed(),
            end: state.end().cloned(),
            next: state.next().map(str::to_owned),
            last,
            watchers,
        }
    }

    /// The side of a player at the page; for a player who has both seats, the side to move. `None` for a spectator.
    #[must_use]
    pub fn side_of(&self, name: &str) -> Option<Player> {
        side_of(&self.seats, stonework_game::Game::to_move(self.session.position()), name)
    }
}

fn gone() -> Fault {
    Fault::new("over", "the game has ended")
}

impl GameTable {
    /// The id of the game.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    async fn ask<T>(&self, message: impl FnOnce(oneshot::Sender<T>) -> Message) -> Option<T> {
        let (told, answer) = oneshot::channel();
        self.messages.send(message(told)).await.ok()?;
        answer.await.ok()
    }

    pub(crate) async fn step(&self, step: Step) -> Result<u64, Fault> {
        self.ask(|told| Message::Step(step, told)).await.unwrap_or_else(|| Err(gone()))
    }

    /// Takes a step. While the database refuses, it waits and tries again.
    pub(crate) async fn insist(&self, step: Step) -> Result<u64, Fault> {
        loop {
            match self.step(step.clone()).await {
                Err(fault) if fault.kind == "store" => tokio::time::sleep(PAUSE).await,
                done => return done,
            }
        }
    }

    /// Carries out what a side asks for. Returns the number of the last event of the game, when it is stored.
    ///
    /// # Errors
    /// A fault for an illegal move, for a move out of turn, for a proposal that is not there, and for a database that refuses.
    pub async fn order(&self, side: Player, order: Order) -> Result<u64, Fault> {
        self.step(Step::Order(side, order)).await
    }

    /// The events after a number, those of the past and those to come.
    pub async fn watch(&self, after: u64) -> Option<GameWatch> {
        let (past, live) = self.ask(|told| Message::Watch(after, told)).await?;
        Some(GameWatch::new(self.clone(), after, past, live))
    }

    /// The facts of the game at this moment.
    pub(crate) async fn brief(&self) -> Option<GameBrief> {
        self.ask(Message::Brief).await
    }

    /// `true` when the game has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// The game at this moment. O(moves), in the task of the game.
    pub async fn view(&self) -> Option<GameView> {
        self.ask(Message::View).await
    }

    /// Tells that a side is there, or has gone. A side whose absence counts and that does not come back loses.
    pub(crate) async fn presence(&self, side: Player, here: bool) {
        let _ = self.messages.send(Message::Presence(side, here)).await;
    }

    /// Starts the clock of an engine for a move: its search begins.
    pub(crate) async fn think(&self, ply: u32) {
        let _ = self.messages.send(Message::Think(ply)).await;
    }
}

impl Tables {
    pub(crate) fn new(store: Store, registry: Registry, most: usize) -> Self {
        Self {
            store,
            registry,
            base: tokio::time::Instant::now(),
            most,
            ended: watch_channel::Sender::default(),
            running: Mutex::default(),
        }
    }

    fn map(&self) -> std::sync::MutexGuard<'_, HashMap<String, GameTable>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game with an id, if its task runs.
    pub(crate) fn get(&self, id: &str) -> Option<GameTable> {
        let table = self.map().get(id).cloned()?;
        (!table.messages.is_closed()).then_some(table)
    }

    /// A number that changes whenever a game ends.
    pub(crate) fn ended(&self) -> watch_channel::Receiver<u64> {
        self.ended.subscribe()
    }

    /// The games whose task runs.
    pub(crate) fn all(&self) -> Vec<GameTable> {
        self.map().values().filter(|table| !table.messages.is_closed()).cloned().collect()
    }

    /// Refuses a player who plays as many games as a player may. A game that begins checks this again, in one step with its storage; this
    /// check comes before an offer is taken.
    pub(crate) async fn check_games(&self, name: &str) -> Result<(), Fault> {
        let name = name.to_owned();
        let found = self.store.read(move |connection| log::too_many_games(connection, &name)).await;
        match found.map_err(|error| Fault::new("store", error.to_string()))? {
            Some(why) => Err(Fault::new("games", why)),
            None => Ok(()),
        }
    }

    /// Stores the beginning of a game, and starts its task.
    pub(crate) async fn begin(
        self: &Arc<Self>,
        id: &str,
        settings: GameSettings,
        seats: [Seat; 2],
    ) -> Result<GameTable, Fault> {
        // Games that begin at the same moment may pass this check together.
        let all = self.all();
        if all.len() >= self.most {
            // Games that have ended make room: they wait for a rematch, and are in the database.
            let over: Vec<&GameTable> = all.iter().filter(|table| table.is_over()).collect();
            if all.len() - over.len() >= self.most {
                let why = format!("the server has {} games, the most: try again later", self.most);
                return Err(Fault::new("games", why));
            }
            for table in over {
                let _ = table.messages.try_send(Message::Leave);
            }
        }
        let begun = GameEvent::Begun { settings, seats };
        let state = TableState::new(&self.registry, &begun)?;
        let stored = log::begin(&self.store, id, &begun, &state).await;
        if let Some(why) = stored.map_err(|error| Fault::new("store", error.to_string()))? {
            return Err(Fault::new("games", why));
        }
        let first = ToldEvent::new(NumberedEvent { number: 1, event: begun });
        Ok(self.run(id, state, vec![Arc::new(first)], None))
    }

    /// Starts the task of a game. `returned`: the game was running when the server ended, and had its last event so many milliseconds ago.
    fn run(
        self: &Arc<Self>,
        id: &str,
        state: TableState,
        log: Vec<Arc<ToldEvent>>,
        returned: Option<u64>,
    ) -> GameTable {
        let (messages, inbox) = mpsc::channel(WAITING);
        let store = self.store.clone();
        let table = GameTable { id: id.into(), messages, over: Arc::default(), store };
        let (store, ended) = (self.store.clone(), (self.ended.clone(), Arc::clone(&table.over)));
        let actor = Actor::new(Arc::clone(&table.id), state, log, store, ended, self.base);
        self.map().insert(id.to_owned(), table.clone());
        let (tables, id) = (Arc::clone(self), id.to_owned());
        tokio::spawn(async move {
            actor.run(inbox, returned).await;
            tables.map().remove(&id);
        });
        table
    }

    /// Continues the games that were running when the server ended. Returns them with their seats.
    pub(crate) async fn resume(self: &Arc<Self>) -> Result<Vec<(GameTable, [Seat; 2])>, StoreError> {
        let mut resumed = Vec::new();
        for (id, since) in log::running(&self.store).await? {
            let Some((state, told)) = self.replayed(&id).await? else { continue };
            if state.end().is_none() {
                let seats = state.seats().clone();
                resumed.push((self.run(&id, state, told, Some(since)), seats));
            }
        }
        Ok(resumed)
    }

    /// The state of a stored game after its events. A game whose events cannot be replayed is void, and is kept.
    async fn replayed(&self, id: &str) -> Result<Option<(TableState, Vec<Arc<ToldEvent>>)>, StoreError> {
        let events = match log::events(&self.store, id, 0).await {
            // One event that is no event any more ends its game, and keeps no other game from going on.
            Err(StoreError::Database(rusqlite::Error::FromSqlConversionFailure(..))) => {
                log::void(&self.store, id).await?;
                return Ok(None);
            }
            events => events?,
        };
        let Some(first) = events.first() else { return Ok(None) };
        let replay = || {
            let mut state = TableState::new(&self.registry, &first.event)?;
            for numbered in &events[1..] {
                state.apply(0, &numbered.event)?;
            }
            state.stop_clock();
            Ok::<_, Fault>(state)
        };
        let replayed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(replay));
        if let Ok(Ok(state)) = replayed {
            let told = events.into_iter().map(|event| Arc::new(ToldEvent::new(event))).collect();
            return Ok(Some((state, told)));
        }
        log::void(&self.store, id).await?;
        Ok(None)
    }

    /// The facts of the game with an id at this moment, or at its end.
    pub(crate) async fn brief(&self, id: &str) -> Result<Option<GameBrief>, StoreError> {
        if let Some(table) = self.get(id)
            && let Some(brief) = table.brief().await
        {
            return Ok(Some(brief));
        }
        let replayed = self.replayed(id).await?;
        Ok(replayed.map(|(state, _)| GameBrief::of(id, &state)))
    }

    /// The game with an id at this moment, or at its end.
    pub(crate) async fn view(&self, id: &str) -> Result<Option<GameView>, StoreError> {
        if let Some(table) = self.get(id)
            && let Some(view) = table.view().await
        {
            return Ok(Some(view));
        }
        let replayed = self.replayed(id).await?;
        Ok(replayed.map(|(state, told)| GameView::of(id, &state, 0, told.len() as u64, 0)))
    }

    /// The events of a game after a number. `None` without such a game.
    pub(crate) async fn watch(&self, id: &str, after: u64) -> Result<Option<GameWatch>, StoreError> {
        if let Some(table) = self.get(id)
            && let Some(watch) = table.watch(after).await
        {
            return Ok(Some(watch));
        }
        let events = log::events(&self.store, id, after).await?;
        if events.is_empty() && log::events(&self.store, id, 0).await?.is_empty() {
            return Ok(None);
        }
        Ok(Some(GameWatch::finished(events)))
    }
}
