//! [`Lobby`]: players who wait for an opponent.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use stonework_game::Player;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::table::{GameSettings, GameTable, Seat, SeatKind};

/// The greatest number of offers of one player.
const MOST_OF_ONE: usize = 5;

/// The greatest number of offers in all.
const MOST: usize = 500;

/// The time that an offer of a person on the page stays.
const LIFETIME: Duration = Duration::from_secs(24 * 3600);

/// A player who waits for an opponent. The game will have the id of the offer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The id of the game.
    pub id: String,
    /// The game, the board and the time.
    pub settings: GameSettings,
    /// The player who waits.
    pub by: Seat,
    /// The side of that player; `None` is decided by lot.
    pub side: Option<Player>,
    /// The port on which the player waits; `None` for the page.
    pub port: Option<u16>,
    /// `true` if only a person who has the link can accept.
    pub private: bool,
}

/// Tells the player who waits that the game has begun.
pub(crate) type Begun = oneshot::Sender<(GameTable, Player)>;

/// The result of an offer on a port.
pub(crate) enum Met {
    /// Another player has waited there.
    Taken(Offer, Option<Begun>),
    /// The offer waits.
    Waiting,
}

struct Open {
    offer: Offer,
    since: Instant,
    begun: Option<Begun>,
}

/// The open offers. An offer is taken by one call under one lock, so that two players cannot take the same offer.
#[derive(Default)]
pub(crate) struct Lobby(Mutex<BTreeMap<String, Open>>);

impl std::fmt::Debug for Lobby {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lobby").field("open", &self.open().len()).finish()
    }
}

impl Lobby {
    fn open(&self) -> MutexGuard<'_, BTreeMap<String, Open>> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, open| match &open.begun {
            Some(begun) => !begun.is_closed(),
            None => open.since.elapsed() < LIFETIME,
        });
        open
    }

    /// Adds an offer.
    ///
    /// # Errors
    /// A sentence with the limit, if there are too many offers.
    pub(crate) fn add(&self, offer: Offer, begun: Option<Begun>) -> Result<(), String> {
        let mut open = self.open();
        let mine = open.values().filter(|other| other.offer.by.name == offer.by.name).count();
        if mine >= MOST_OF_ONE || open.len() >= MOST {
            return Err(format!(
                "{mine} offers of {} are open: at most {MOST_OF_ONE}, and {MOST} in all",
                offer.by.name
            ));
        }
        open.insert(offer.id.clone(), Open { offer, since: Instant::now(), begun });
        Ok(())
    }

    /// Takes an offer, if it is still open.
    pub(crate) fn take(&self, id: &str) -> Option<(Offer, Option<Begun>)> {
        self.open().remove(id).map(|open| (open.offer, open.begun))
    }

    /// Takes an offer back.
    pub(crate) fn withdraw(&self, id: &str, by: &str) -> bool {
        let mut open = self.open();
        let mine = open.get(id).is_some_and(|open| open.offer.by.name == by);
        mine && open.remove(id).is_some()
    }

    /// Takes the oldest offer on the port of an offer, or else adds the offer. Engines do not meet each other.
    pub(crate) fn meet(&self, offer: Offer, begun: Option<Begun>) -> Met {
        let mut open = self.open();
        let engine = |seat: &Seat| seat.kind == SeatKind::Engine;
        let fits = |other: &&Open| {
            let by = &other.offer.by;
            other.offer.port == offer.port && by.name != offer.by.name && !(engine(by) && engine(&offer.by))
        };
        let oldest = open.values().filter(fits).min_by_key(|other| other.since);
        let oldest = oldest.map(|other| other.offer.id.clone());
        if let Some(taken) = oldest.and_then(|id| open.remove(&id)) {
            return Met::Taken(taken.offer, taken.begun);
        }
        open.insert(offer.id.clone(), Open { offer, since: Instant::now(), begun });
        Met::Waiting
    }

    /// The offer with an id.
    pub(crate) fn get(&self, id: &str) -> Option<Offer> {
        self.open().get(id).map(|open| open.offer.clone())
    }

    /// The open offers that everybody may accept, the oldest first.
    pub(crate) fn list(&self) -> Vec<Offer> {
        let open = self.open();
        let mut list: Vec<&Open> = open.values().filter(|open| !open.offer.private).collect();
        list.sort_by_key(|open| open.since);
        list.into_iter().map(|open| open.offer.clone()).collect()
    }
}
