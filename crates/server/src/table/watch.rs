//! [`GameWatch`]: the events of a game, those of the past and those to come, each once and in order.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::{GameTable, NumberedEvent, PAUSE, log};

/// An event with its JSON, which is written once for all who follow the game.
#[derive(Debug)]
pub struct ToldEvent {
    /// The event.
    pub numbered: NumberedEvent,
    /// The event as a JSON object in one line.
    pub json: String,
}

impl ToldEvent {
    pub(crate) fn new(numbered: NumberedEvent) -> Self {
        let json = serde_json::to_string(&numbered)
            .unwrap_or_else(|error| unreachable!("an event is always JSON: {error}"));
        Self { numbered, json }
    }

    /// The number of the event.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.numbered.number
    }
}

/// The events of a game after a number. It ends with the task of the game.
#[derive(Debug)]
pub struct GameWatch {
    /// The game and its events to come; `None` for a game whose task has ended.
    live: Option<(GameTable, broadcast::Receiver<Arc<ToldEvent>>)>,
    past: VecDeque<Arc<ToldEvent>>,
    after: u64,
    /// `true` if this reader was too slow, and has to read the log again.
    lagged: bool,
}

impl GameWatch {
    pub(crate) fn new(
        table: GameTable,
        after: u64,
        past: Vec<Arc<ToldEvent>>,
        live: broadcast::Receiver<Arc<ToldEvent>>,
    ) -> Self {
        Self { live: Some((table, live)), past: past.into(), after, lagged: false }
    }

    pub(crate) fn finished(events: Vec<NumberedEvent>) -> Self {
        let past = events.into_iter().map(|event| Arc::new(ToldEvent::new(event))).collect();
        Self { live: None, past, after: 0, lagged: false }
    }

    /// `true` if events of the past are still to be returned.
    #[must_use]
    pub fn has_past(&self) -> bool {
        !self.past.is_empty()
    }

    /// The next event; `None` when the game has ended and all its events were returned.
    ///
    /// A future that is dropped before it is ready loses no event.
    pub async fn next(&mut self) -> Option<Arc<ToldEvent>> {
        loop {
            if let Some(told) = self.past.pop_front() {
                self.after = told.number();
                return Some(told);
            }
            let (table, live) = self.live.as_mut()?;
            if self.lagged {
                let table = table.clone();
                if let Some(watch) = table.watch(self.after).await {
                    *self = watch;
                } else if let Ok(events) = log::events(&table.store, &table.id, self.after).await {
                    // The task has ended, and the events are in the database alone.
                    *self = Self::finished(events);
                } else {
                    tokio::time::sleep(PAUSE).await;
                }
                continue;
            }
            match live.recv().await {
                Ok(told) if told.number() <= self.after => {}
                Ok(told) => {
                    self.after = told.number();
                    return Some(told);
                }
                Err(RecvError::Lagged(_)) => self.lagged = true,
                Err(RecvError::Closed) => return None,
            }
        }
    }
}
