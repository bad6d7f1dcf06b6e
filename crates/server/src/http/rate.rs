//! [`Rates`]: the number of requests and connections of each address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use super::reply::ServerFault;
use crate::{Config, ServerApp};

/// The number of addresses that are remembered. Beyond it, addresses that are at rest are forgotten, with the players that they have made.
const MOST_ADDRESSES: usize = 10_000;

/// The recent requests of an address.
#[derive(Clone, Copy, Debug)]
struct Use {
    /// The number of requests that it may make now.
    left: f64,
    at: Instant,
    connections: usize,
    /// The number of new players that it may make now.
    players: f64,
}

/// The requests and connections of each address. An address of version 6 stands for its network of 64 bits.
#[derive(Debug)]
pub(crate) struct Rates {
    uses: Mutex<HashMap<IpAddr, Use>>,
    per_second: f64,
    burst: f64,
    connections: usize,
    players_per_hour: f64,
}

/// A connection that counts while it is open.
#[derive(Debug)]
pub(crate) struct Counted {
    app: ServerApp,
    address: IpAddr,
}

impl Drop for Counted {
    fn drop(&mut self) {
        if let Some(used) = self.app.rates().uses().get_mut(&self.address) {
            used.connections = used.connections.saturating_sub(1);
        }
    }
}

/// Takes one of a number, if one is left.
fn take(left: &mut f64) -> bool {
    let free = *left >= 1.0;
    *left -= if free { 1.0 } else { 0.0 };
    free
}

/// The address by which a client is counted.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(six) => match six.to_ipv4_mapped() {
            Some(four) => IpAddr::V4(four),
            None => IpAddr::V6(Ipv6Addr::from_bits(six.to_bits() & !0xFFFF_FFFF_FFFF_FFFF)),
        },
        four @ IpAddr::V4(_) => four,
    }
}

impl Rates {
    pub(crate) fn new(config: &Config) -> Self {
        let limits = config.limits;
        Self {
            uses: Mutex::default(),
            per_second: limits.requests_per_second.into(),
            burst: limits.burst.into(),
            connections: limits.connections_per_address,
            players_per_hour: limits.players_per_hour.into(),
        }
    }

    fn uses(&self) -> MutexGuard<'_, HashMap<IpAddr, Use>> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(&self, address: IpAddr, change: impl FnOnce(&mut Use) -> bool) -> bool {
        let (now, mut uses) = (Instant::now(), self.uses());
        if uses.len() >= MOST_ADDRESSES && !uses.contains_key(&address) {
            let rest = |used: &Use| (now - used.at).as_secs_f64() * self.per_second >= self.burst;
            uses.retain(|_, used| used.connections > 0 || !rest(used));
            if uses.len() >= MOST_ADDRESSES {
                return false;
            }
        }
        let new = Use { left: self.burst, at: now, connections: 0, players: self.players_per_hour };
        let used = uses.entry(address).or_insert(new);
        let seconds = (now - used.at).as_secs_f64();
        used.left = (used.left + seconds * self.per_second).min(self.burst);
        let hours = seconds / 3600.0;
        used.players = (used.players + hours * self.players_per_hour).min(self.players_per_hour);
        used.at = now;
        change(used)
    }

    /// `true` if an address may make a request now.
    pub(crate) fn request(&self, address: IpAddr) -> bool {
        self.of(network(address), |used| take(&mut used.left))
    }

    /// Counts a new player of the address of a request.
    ///
    /// # Errors
    /// *Busy* for an address that has made as many players as it may.
    pub(super) fn new_player(&self, client: Option<&Client>) -> Result<(), ServerFault> {
        let address = counted(client);
        if self.of(address, |used| take(&mut used.players)) {
            return Ok(());
        }
        let most = self.players_per_hour;
        Err(ServerFault::busy(format!(
            "{most} new players an hour of {address} are the most: bring the key of one of them, or try again later"
        )))
    }

    /// Counts a connection of an address, if it may have one more.
    pub(crate) fn connect(app: &ServerApp, address: IpAddr) -> Option<Counted> {
        let (rates, address) = (app.rates(), network(address));
        let free = rates.of(address, |used| {
            let free = used.connections < rates.connections;
            used.connections += usize::from(free);
            free
        });
        free.then(|| Counted { app: app.clone(), address })
    }
}

/// `true` for the address of the trusted proxy. A socket of both versions sees an address of version 4 as one of version 6.
pub(super) fn is_proxy(app: &ServerApp, peer: IpAddr) -> bool {
    app.config().trusted_proxy.is_some_and(|proxy| proxy.to_canonical() == peer.to_canonical())
}

/// The client of a request, for a connection that makes more requests.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client(pub(super) IpAddr);

/// The address by which the client of a request is counted; without one, this machine.
pub(super) fn counted(client: Option<&Client>) -> IpAddr {
    client.map_or(IpAddr::from([127, 0, 0, 1]), |Client(address)| network(*address))
}

/// The address of the client of a request: of the connection, or the last that the trusted proxy names.
pub(crate) fn client(app: &ServerApp, request: &Request) -> IpAddr {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::from([127, 0, 0, 1]), |ConnectInfo(peer)| peer.ip());
    if !is_proxy(app, peer) {
        return peer;
    }
    let named = request.headers().get_all("x-forwarded-for").iter().next_back();
    let last = named.and_then(|named| named.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
    last.unwrap_or(peer)
}

/// Refuses the requests of an address that makes too many.
pub(super) async fn limit(State(app): State<ServerApp>, mut request: Request, next: Next) -> Response {
    app.metrics().requests.add();
    let client = client(&app, &request);
    if app.rates().request(client) {
        request.extensions_mut().insert(Client(client));
        return next.run(request).await;
    }
    app.metrics().refused.add();
    let limits = app.config().limits;
    let what = format!("more than {} requests a second from {client}", limits.requests_per_second);
    ServerFault::busy(what).into_response()
}
