//! [`Lobby`]: players who wait for an opponent.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use stonework_game::Player;
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, timeout};

use crate::table::{GameSettings, GameTable, Seat, SeatKind};

/// The greatest number of offers of one player.
const MOST_OF_ONE: usize = 5;

/// The greatest number of offers in all.
const MOST: usize = 500;

/// The time that an offer of a person on the page stays.
const LIFETIME: Duration = Duration::from_secs(24 * 3600);

/// The time between two looks of those who wait for the end of an offer.
const LOOK: Duration = Duration::from_secs(60);

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
    Taken(TakenOffer),
    /// The offer waits.
    Waiting,
    /// There are too many offers: a sentence with the limit.
    Refused(String),
}

struct Open {
    offer: Offer,
    since: Instant,
    begun: Option<Begun>,
    /// `true` from the moment in which the offer is taken to the beginning of its game.
    taken: bool,
    /// Closed when the offer is no longer there.
    here: watch::Sender<()>,
}

impl Open {
    fn new(offer: Offer, begun: Option<Begun>) -> Self {
        Self { offer, since: Instant::now(), begun, taken: false, here: watch::Sender::default() }
    }

    /// `true` if this offer can meet another on its port. Engines do not meet each other.
    fn may_meet(&self, other: &Offer) -> bool {
        let (one, two) = (&self.offer.by, &other.by);
        let engines = [one, two].iter().all(|by| by.kind == SeatKind::Engine);
        self.offer.port == other.port && one.name != two.name && !engines && !self.taken
    }
}

type Offers = BTreeMap<String, Open>;

/// The open offers. An offer is taken by one call under one lock, so that two players cannot take the same offer.
#[derive(Default)]
pub(crate) struct Lobby(Arc<Mutex<Offers>>);

/// An offer that is taken, and whose game has not begun. It is open again if this is dropped before.
pub(crate) struct TakenOffer {
    offer: Offer,
    begun: Option<Begun>,
    offers: Arc<Mutex<Offers>>,
    is_done: bool,
}

impl TakenOffer {
    pub(crate) const fn offer(&self) -> &Offer {
        &self.offer
    }

    /// Ends the offer: its game has begun. Returns who waits to be told.
    pub(crate) fn done(mut self) -> Option<Begun> {
        self.is_done = true;
        self.begun.take()
    }
}

impl Drop for TakenOffer {
    fn drop(&mut self) {
        let mut offers = locked(&self.offers);
        if self.is_done {
            offers.remove(&self.offer.id);
        } else if let Some(open) = offers.get_mut(&self.offer.id) {
            (open.begun, open.taken) = (self.begun.take(), false);
        }
    }
}

fn locked(offers: &Mutex<Offers>) -> MutexGuard<'_, Offers> {
    offers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The sentence that refuses another offer of a player; `None` if there is room for it.
fn too_many(open: &Offers, by: &Seat) -> Option<String> {
    let mine = open.values().filter(|other| other.offer.by.name == by.name).count();
    let full = by.kind != SeatKind::Engine && (mine >= MOST_OF_ONE || open.len() >= MOST);
    full.then(|| format!("{mine} offers of {} are open: at most {MOST_OF_ONE}, and {MOST} in all", by.name))
}

impl std::fmt::Debug for Lobby {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lobby").field("open", &self.open().len()).finish()
    }
}

impl Lobby {
    fn open(&self) -> MutexGuard<'_, Offers> {
        let mut open = locked(&self.0);
        open.retain(|_, open| match &open.begun {
            _ if open.taken => true,
            Some(begun) => !begun.is_closed(),
            None => open.since.elapsed() < LIFETIME,
        });
        open
    }

    /// Takes an offer out of the open ones.
    fn take_from(&self, open: &mut Offers, id: &str) -> Option<TakenOffer> {
        let open = open.get_mut(id).filter(|open| !open.taken)?;
        open.taken = true;
        let (offer, begun) = (open.offer.clone(), open.begun.take());
        Some(TakenOffer { offer, begun, offers: Arc::clone(&self.0), is_done: false })
    }

    /// Adds an offer.
    ///
    /// # Errors
    /// A sentence with the limit, if there are too many offers.
    pub(crate) fn add(&self, offer: Offer, begun: Option<Begun>) -> Result<(), String> {
        let mut open = self.open();
        if let Some(why) = too_many(&open, &offer.by) {
            return Err(why);
        }
        open.insert(offer.id.clone(), Open::new(offer, begun));
        Ok(())
    }

    /// Takes an offer, if it is still open.
    pub(crate) fn take(&self, id: &str) -> Option<TakenOffer> {
        self.take_from(&mut self.open(), id)
    }

    /// Takes an offer back.
    pub(crate) fn withdraw(&self, id: &str, by: &str) -> bool {
        let mut open = self.open();
        let mine = open.get(id).is_some_and(|open| open.offer.by.name == by && !open.taken);
        mine && open.remove(id).is_some()
    }

    /// Takes all offers of a player back, also those for a friend, but for one that is taken at this moment.
    pub(crate) fn withdraw_all(&self, by: &str) {
        self.open().retain(|_, open| open.offer.by.name != by || open.taken);
    }

    /// Takes the oldest offer on the port of an offer that was not tried, or else adds the offer.
    pub(crate) fn meet(&self, offer: &Offer, begun: &mut Option<Begun>, tried: &[String]) -> Met {
        let mut open = self.open();
        let fits = |other: &&Open| other.may_meet(offer) && !tried.contains(&other.offer.id);
        let oldest = open.values().filter(fits).min_by_key(|other| other.since);
        let oldest = oldest.map(|other| other.offer.id.clone());
        if let Some(taken) = oldest.and_then(|id| self.take_from(&mut open, &id)) {
            return Met::Taken(taken);
        }
        if let Some(why) = too_many(&open, &offer.by) {
            return Met::Refused(why);
        }
        open.insert(offer.id.clone(), Open::new(offer.clone(), begun.take()));
        Met::Waiting
    }

    /// The players but engines who wait on a port, each with the oldest of the own offers there, the oldest offer first. An engine that
    /// waits looks again by itself.
    pub(crate) fn waiting(&self, port: u16) -> Vec<Offer> {
        let open = self.open();
        let here = |open: &&Open| {
            open.offer.port == Some(port) && open.offer.by.kind != SeatKind::Engine && !open.taken
        };
        let mut here: Vec<&Open> = open.values().filter(here).collect();
        here.sort_by_key(|open| open.since);
        let mut names = HashSet::new();
        let first = here.into_iter().filter(|open| names.insert(&open.offer.by.name));
        first.map(|open| open.offer.clone()).collect()
    }

    /// `true` if another offer waits that could meet an offer on its port.
    pub(crate) fn may_meet(&self, offer: &Offer) -> bool {
        self.open().values().any(|other| other.may_meet(offer))
    }

    /// The offer with an id, also one that is taken and whose game begins at this moment.
    pub(crate) fn get(&self, id: &str) -> Option<Offer> {
        self.open().get(id).map(|open| open.offer.clone())
    }

    /// Waits until the offer with an id is no longer there: it was taken and its game has begun, or it was taken back. Ends at once
    /// without such an offer.
    pub(crate) async fn gone(&self, id: &str) {
        loop {
            let here = self.open().get(id).map(|open| open.here.subscribe());
            let Some(mut here) = here else { return };
            // An offer whose time is over goes when somebody looks.
            let _ = timeout(LOOK, here.changed()).await;
        }
    }

    /// The open offers that everybody may accept, the oldest first.
    pub(crate) fn list(&self) -> Vec<Offer> {
        let open = self.open();
        let mut list: Vec<&Open> = open.values().filter(|open| !open.offer.private && !open.taken).collect();
        list.sort_by_key(|open| open.since);
        list.into_iter().map(|open| open.offer.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who waits for the end of an offer looked for it three times a second.
    #[tokio::test(start_paused = true)]
    async fn the_end_of_an_offer_is_told_at_once() {
        let (lobby, since) = (Lobby::default(), Instant::now());
        let clock = crate::ClockSettings::default();
        let settings = GameSettings { game: "havannah".to_owned(), size: 4, swap: false, clock };
        let by = Seat { name: "ann".to_owned(), kind: SeatKind::Person };
        let offer = |id: &str| Offer {
            id: id.to_owned(),
            settings: settings.clone(),
            by: by.clone(),
            side: None,
            port: None,
            private: false,
        };
        lobby.gone("none").await;
        lobby.add(offer("withdrawn"), None).unwrap();
        tokio::join!(lobby.gone("withdrawn"), async { assert!(lobby.withdraw("withdrawn", "ann")) });
        lobby.add(offer("taken"), None).unwrap();
        tokio::join!(lobby.gone("taken"), async { drop(lobby.take("taken").unwrap().done()) });
        assert_eq!(since.elapsed(), Duration::ZERO);
        // An offer whose game has not begun is open again.
        lobby.add(offer("open"), None).unwrap();
        drop(lobby.take("open"));
        assert!(timeout(Duration::from_secs(1), lobby.gone("open")).await.is_err());
        // One that nobody accepts goes at the end of its time.
        lobby.gone("open").await;
        assert!((LIFETIME..LIFETIME + 2 * LOOK).contains(&since.elapsed()), "{:?}", since.elapsed());
    }
}
