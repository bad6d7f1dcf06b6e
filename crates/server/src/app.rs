//! [`ServerApp`]: the parts of a running server that all requests share.

use std::sync::Arc;

use stonework_game::Player;
use stonework_session::{Fault, Registry};

use crate::engines::{Engines, engine_seats};
use crate::http::{Boards, CorePlaces, Rates};
use crate::keys;
use crate::lobby::{Begun, Lobby, Met, Offer, TakenOffer};
use crate::metrics::Metrics;
use crate::proofs::Proofs;
use crate::results::Results;
use crate::table::{
    GameBrief, GameSettings, GameTable, GameView, GameWatch, Order, Proposal, Seat, SeatKind, Step, Tables,
};
use crate::{Config, ConfigError, PortConfig, ServerEngine, Store, StoreError};

/// The reason why a server does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The configuration is refused.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The database cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The parts of a running server. A clone is another handle to the same server.
#[derive(Clone, Debug)]
pub struct ServerApp(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    config: Config,
    registry: Registry,
    store: Store,
    tables: Arc<Tables>,
    lobby: Lobby,
    engines: Arc<Engines>,
    metrics: Metrics,
    rates: Rates,
    drawers: CorePlaces,
    pages: CorePlaces,
    boards: Boards,
    proofs: Proofs,
    results: Results,
    rematches: tokio::sync::Mutex<()>,
}

/// The opponent of a new game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opponent {
    /// An engine of the server, by its name.
    Engine(String),
    /// Whoever comes first.
    Anyone,
    /// Whoever has the link.
    Friend,
}

/// Does work to its end, also if who has asked for it goes away: a game that is half begun would have no task.
async fn to_its_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, Fault>> + Send + 'static,
) -> Result<T, Fault> {
    match tokio::spawn(work).await {
        Ok(done) => done,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => Err(Fault::new("over", "the server ends")),
    }
}

impl ServerApp {
    /// Opens the database, and continues the games that were running. The games are those of [`Registry::standard`].
    ///
    /// # Errors
    /// [`OpenError`] for a configuration that contradicts itself, and for a database that cannot be opened.
    pub async fn open(config: Config) -> Result<Self, OpenError> {
        Self::with_games(config, Registry::standard()).await
    }

    /// The same with the games of a registry of your own.
    ///
    /// # Errors
    /// As [`ServerApp::open`].
    pub async fn with_games(config: Config, registry: Registry) -> Result<Self, OpenError> {
        config.check(&registry)?;
        let engines = Arc::new(Engines::new(&registry, &config)?);
        let store = Store::open(&config.data).await?;
        let tables = Arc::new(Tables::new(store.clone(), registry.clone(), config.games));
        let (lobby, metrics, rates) = (Lobby::default(), Metrics::default(), Rates::new(&config));
        let (drawers, boards) = (CorePlaces::default(), Boards::default());
        let proofs = Proofs::open(&config.proofs);
        let app = Self(Arc::new(Parts {
            config,
            registry,
            store,
            tables,
            lobby,
            engines,
            metrics,
            rates,
            drawers,
            pages: CorePlaces::default(),
            boards,
            proofs,
            results: Results::default(),
            rematches: tokio::sync::Mutex::default(),
        }));
        for (table, seats) in app.0.tables.resume().await? {
            app.seat_engines(&table, &seats);
        }
        Ok(app)
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// The games by name.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.0.registry
    }

    /// The certificates.
    pub(crate) fn proofs(&self) -> &Proofs {
        &self.0.proofs
    }

    /// The database.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The engines that the server offers.
    #[must_use]
    pub fn engines(&self) -> &[ServerEngine] {
        self.0.engines.list()
    }

    pub(crate) fn searches(&self) -> &Arc<Engines> {
        &self.0.engines
    }

    /// A number that no other server of this process has at the same time.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// The address of the page, as programs on the ports are told it.
    pub(crate) fn address_of_page(&self) -> String {
        let config = self.config();
        config.origin.clone().unwrap_or_else(|| format!("http://{}", config.listen))
    }

    pub(crate) fn results(&self) -> &Results {
        &self.0.results
    }

    pub(crate) fn lobby(&self) -> &Lobby {
        &self.0.lobby
    }

    pub(crate) fn rates(&self) -> &Rates {
        &self.0.rates
    }

    pub(crate) fn drawers(&self) -> &CorePlaces {
        &self.0.drawers
    }

    /// The places to compute pages.
    pub(crate) fn pages(&self) -> &CorePlaces {
        &self.0.pages
    }

    pub(crate) fn boards(&self) -> &Boards {
        &self.0.boards
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// The game with an id, if its task runs: the game goes on, or has ended a short time ago.
    #[must_use]
    pub fn table(&self, id: &str) -> Option<GameTable> {
        self.0.tables.get(id)
    }

    /// The games whose task runs.
    #[must_use]
    pub fn tables(&self) -> Vec<GameTable> {
        self.0.tables.all()
    }

    /// A number that changes whenever a game ends.
    pub(crate) fn ended_games(&self) -> tokio::sync::watch::Receiver<u64> {
        self.0.tables.ended()
    }

    /// The game with an id, at this moment or at its end. `None` without such a game.
    ///
    /// # Errors
    /// [`StoreError`] if the database refuses.
    pub async fn view(&self, id: &str) -> Result<Option<GameView>, StoreError> {
        self.0.tables.view(id).await
    }

    /// The facts of the game with an id, at this moment or at its end. `None` without such a game.
    pub(crate) async fn brief(&self, id: &str) -> Result<Option<GameBrief>, StoreError> {
        self.0.tables.brief(id).await
    }

    /// The events of a game after a number. `None` without such a game.
    ///
    /// # Errors
    /// [`StoreError`] if the database refuses.
    pub async fn watch(&self, id: &str, after: u64) -> Result<Option<GameWatch>, StoreError> {
        self.0.tables.watch(id, after).await
    }

    /// Opens a game for a player: begins it with an engine, or waits for an opponent. Returns the id of the game. `side` is the side of
    /// the player; `None` is decided by lot.
    ///
    /// # Errors
    /// A fault for a game that does not exist, for an engine that does not play it, for too many open offers, and for a player who plays
    /// ten games already.
    pub async fn open_game(
        &self,
        name: &str,
        settings: GameSettings,
        side: Option<Player>,
        opponent: Opponent,
    ) -> Result<String, Fault> {
        settings.clock.check().map_err(|why| Fault::new("clock", why))?;
        self.registry().game(&settings.game)?.start(&settings.start())?;
        self.0.tables.check_games(name).await?;
        let id = keys::new_id();
        let by = Seat { name: name.to_owned(), kind: SeatKind::Person };
        if let Opponent::Engine(engine) = &opponent {
            let other = Seat { name: engine.clone(), kind: SeatKind::Engine };
            let (app, id) = (self.clone(), id.clone());
            to_its_end(async move { app.begin(&id, settings, by, other, side).await }).await?;
        } else {
            let private = opponent == Opponent::Friend;
            let offer = Offer { id: id.clone(), settings, by, side, port: None, private };
            self.lobby().add(offer, None).map_err(|why| Fault::new("offer", why))?;
        }
        Ok(id)
    }

    /// Begins a game between two players. Returns the game, and the side of `by`.
    pub(crate) async fn begin(
        &self,
        id: &str,
        settings: GameSettings,
        by: Seat,
        other: Seat,
        side: Option<Player>,
    ) -> Result<(GameTable, Player), Fault> {
        let side = side.unwrap_or_else(|| if keys::lot() { Player::First } else { Player::Second });
        let seats = if side == Player::First { [by, other] } else { [other, by] };
        let mut reserved = Vec::new();
        for (at, engine) in engine_seats(&seats) {
            let permit = self.0.engines.reserve(&engine, &settings);
            reserved.push((at, permit.map_err(|why| Fault::new("engine", why))?));
        }
        let table = self.0.tables.begin(id, settings.clone(), seats.clone()).await?;
        for (at, permit) in reserved {
            self.0.engines.sit(table.clone(), Player::BOTH[at], &seats[at].name, &settings, permit);
        }
        Ok((table, side))
    }

    /// Accepts the offer with an id, if it is still open. The game begins.
    ///
    /// # Errors
    /// A fault for an offer that is taken, for an offer of the same player, and if one of the players plays ten games already.
    pub async fn accept(&self, id: &str, name: &str) -> Result<GameTable, Fault> {
        let seat = Seat { name: name.to_owned(), kind: SeatKind::Person };
        if let Some(offer) = self.lobby().get(id) {
            if offer.by == seat {
                return Err(Fault::new("offer", "the offer is your own"));
            }
            self.0.tables.check_games(name).await?;
            if offer.by.kind != SeatKind::Engine {
                self.0.tables.check_games(&offer.by.name).await?;
            }
        }
        let taken = self.lobby().take(id);
        let taken = taken.ok_or_else(|| Fault::new("offer", "the offer is taken, or taken back"))?;
        Ok(self.begin_offer(taken, seat).await?.0)
    }

    /// The ports with the settings of their games.
    #[must_use]
    pub fn ports(&self) -> Vec<(u16, GameSettings)> {
        let port = |port: &PortConfig| Some((port.listen.port(), port.settings().ok()?));
        self.config().port.iter().filter_map(port).collect()
    }

    /// Lets a person wait on a port, or meet the player who waits there. Returns the id of the game.
    ///
    /// # Errors
    /// A fault for a port that the server does not have, for too many open offers, and for a player who plays ten games already.
    pub async fn meet(&self, name: &str, port: u16) -> Result<String, Fault> {
        let known = self.ports().into_iter().find(|(number, _)| *number == port);
        let (_, settings) = known.ok_or_else(|| Fault::new("port", format!("there is no port {port}")))?;
        let by = Seat { name: name.to_owned(), kind: SeatKind::Person };
        let id = keys::new_id();
        let offer = Offer { id: id.clone(), settings, by, side: None, port: Some(port), private: false };
        let begun = self.meet_on_port(offer, None).await?;
        Ok(begun.map_or(id, |(table, _)| table.id().to_owned()))
    }

    /// Begins a game with the oldest offer on the port of an offer, or else lets the offer wait. An offer whose player, or whose engine, can
    /// begin no game now stays, and the next is tried. Returns the game, and the side of the player who has come.
    pub(crate) async fn meet_on_port(
        &self,
        offer: Offer,
        mut begun: Option<Begun>,
    ) -> Result<Option<(GameTable, Player)>, Fault> {
        let limited = |seat: &Seat| seat.kind != SeatKind::Engine;
        if limited(&offer.by) {
            self.0.tables.check_games(&offer.by.name).await?;
        }
        let mut tried = Vec::new();
        loop {
            let taken = match self.lobby().meet(&offer, &mut begun, &tried) {
                Met::Waiting => return Ok(None),
                Met::Refused(why) => return Err(Fault::new("offer", why)),
                Met::Taken(taken) => taken,
            };
            tried.push(taken.offer().id.clone());
            match self.begin_offer(taken, offer.by.clone()).await {
                Ok(met) => return Ok(Some(met)),
                Err(fault) if ["games", "engine"].contains(&fault.kind.as_str()) => {}
                Err(fault) => return Err(fault),
            }
        }
    }

    /// Begins games between players who wait on a port: they could not meet when they came, since one of them played as many games as a
    /// player may. Who still plays as many is passed over. One of the two is a program: a person on the page
    /// waits under the id of the own offer, which is then the id of the game, and two persons see each other's offers and accept them.
    pub(crate) async fn pair_on_port(&self, port: u16) -> Result<(), Fault> {
        let waiting = self.lobby().waiting(port);
        if waiting.len() < 2 {
            return Ok(());
        }
        let mut free: Option<Offer> = None;
        for offer in waiting {
            match self.0.tables.check_games(&offer.by.name).await {
                Err(fault) if fault.kind == "games" => continue,
                checked => checked?,
            }
            let Some(older) = free.take() else {
                free = Some(offer);
                continue;
            };
            let is_person = |offer: &Offer| offer.by.kind == SeatKind::Person;
            if is_person(&older) && is_person(&offer) {
                free = Some(older);
                continue;
            }
            let [first, second] = if is_person(&offer) { [&offer, &older] } else { [&older, &offer] };
            // An offer that was taken meanwhile needs no game; the other one is tried again the next time.
            let taken = self.lobby().take(&first.id).zip(self.lobby().take(&second.id));
            let Some((first, second)) = taken else { continue };
            let taker = second.offer().by.clone();
            let (table, side) = match self.begin_offer(first, taker).await {
                Err(fault) if fault.kind == "games" => continue,
                begun => begun?,
            };
            if let Some(begun) = second.done()
                && begun.send((table.clone(), side)).is_err()
            {
                table.presence(side, false).await;
            }
        }
        Ok(())
    }

    /// Begins the game of an offer that was taken. Returns the game, and the side of the player who has taken it. The offer is open again
    /// if no game begins.
    pub(crate) async fn begin_offer(
        &self,
        taken: TakenOffer,
        taker: Seat,
    ) -> Result<(GameTable, Player), Fault> {
        let app = self.clone();
        to_its_end(async move {
            let offer = taken.offer().clone();
            let (table, side) = app.begin(&offer.id, offer.settings, offer.by, taker, offer.side).await?;
            let is_engine = taken.offer().by.kind == SeatKind::Engine;
            if let Some(begun) = taken.done()
                && begun.send((table.clone(), side)).is_err()
                && !is_engine
            {
                // The connection broke at this moment: its absence counts from now on.
                table.presence(side, false).await;
            }
            Ok((table, side.other()))
        })
        .await
    }

    /// Gives an order of a player in a game. A rematch begins when both have proposed it, or at once against an engine.
    /// Returns the number of the last event.
    ///
    /// # Errors
    /// The faults of [`GameTable::order`].
    pub async fn order(&self, id: &str, side: Player, order: Order) -> Result<u64, Fault> {
        let table = self.table(id).ok_or_else(|| Fault::new("over", "the game has ended"))?;
        let rematch = matches!(order, Order::Propose { proposal: Proposal::Rematch } | Order::Accept);
        if rematch
            && let Some(view) = table.view().await
            && view.end.is_some()
        {
            let other = &view.seats[side.other().index()];
            let agreed =
                other.kind == SeatKind::Engine || view.proposed == Some((side.other(), Proposal::Rematch));
            if agreed {
                return self.rematch(&table).await;
            }
            if other.kind == SeatKind::Program {
                return Err(Fault::new(
                    "proposal",
                    format!("{} waits on its port for the next game", other.name),
                ));
            }
        }
        table.order(side, order).await
    }

    /// Begins a rematch, and tells the game of it when the new game is there.
    async fn rematch(&self, table: &GameTable) -> Result<u64, Fault> {
        let (app, table) = (self.clone(), table.clone());
        to_its_end(async move {
            // Of two at the same time, the second finds the event of the first.
            let _one = app.0.rematches.lock().await;
            let gone = || Fault::new("over", "the game has ended");
            let view = table.view().await.ok_or_else(gone)?;
            if view.next.is_some() {
                return Err(Fault::new("over", "the rematch has begun"));
            }
            let [first, second] = view.seats;
            let begun = app.begin(&keys::new_id(), view.settings, second, first, Some(Player::First)).await;
            let (new, _) = begun?;
            let told = table.step(Step::Rematch(new.id().to_owned())).await;
            if told.is_err() {
                // Nobody knows the new game.
                let _ = new.insist(Step::Void).await;
            }
            told
        })
        .await
    }

    /// Seats the engines of a game that goes on after a start of the server.
    fn seat_engines(&self, table: &GameTable, seats: &[Seat; 2]) {
        let (app, table, seats) = (self.clone(), table.clone(), seats.clone());
        tokio::spawn(async move {
            let Some(view) = table.view().await else { return };
            for (at, name) in engine_seats(&seats) {
                let side = Player::BOTH[at];
                match app.0.engines.reserve_place(&name, &view.settings) {
                    Ok(permit) => app.0.engines.sit(table.clone(), side, &name, &view.settings, permit),
                    Err(why) => {
                        eprintln!("stonework-server: game {}: {why}", table.id());
                        // A game that has ended already stays as it is.
                        let _ = table.insist(Step::Gone(side)).await;
                    }
                }
            }
        });
    }
}
