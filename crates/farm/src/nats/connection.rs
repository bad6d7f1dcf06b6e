//! The connection, and the objects on the server.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::{Client, ClientError, ConnectOptions, Event, ServerAddr, Subscriber};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::job::check_name;
use crate::queue::{Hint, QueueError, check_term};
use crate::{Digest, FarmJobId, KEPT_HINTS, MAX_BLOB, MAX_HINT};

/// The time for which a request waits for its answer.
pub(super) const ANSWER: Duration = Duration::from_secs(5);
/// The time for which the first connection is awaited.
const FIRST: Duration = Duration::from_secs(3);
/// The largest number of withdrawn jobs that a worker remembers.
const MOST_WITHDRAWN: usize = 100_000;
/// The largest number of leases and of waiting workers.
const MOST_WORKERS: u64 = 200_000;
/// The largest number of replicas that a server knows.
const MAX_REPLICAS: u32 = 5;

/// The way in which a program shows a server what it is.
#[derive(Clone, Default)]
#[non_exhaustive]
pub enum Login {
    /// Nothing is shown.
    #[default]
    None,
    /// A name and a password.
    Password {
        /// The name.
        user: String,
        /// The password.
        password: String,
    },
    /// A file of credentials: a token and a key, as `nsc` writes it.
    Credentials(PathBuf),
    /// The seed of an nkey.
    Nkey(String),
}

/// Without the secrets.
impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("None"),
            Self::Password { user, .. } => write!(f, "Password({user})"),
            Self::Credentials(file) => write!(f, "Credentials({})", file.display()),
            Self::Nkey(_) => f.write_str("Nkey"),
        }
    }
}

/// The settings of a [`JetStream`] queue.
#[derive(Clone, Debug)]
pub struct JetStreamOptions {
    /// The name of the campaign; several campaigns share a server.
    pub campaign: String,
    /// The term of leases, from 0.1 s to a year, which the first coordinator of a campaign sets on the server. A worker has the term of
    /// the coordinator.
    pub term: Duration,
    /// `true` for a program that makes the objects on the server: a coordinator. A worker makes none, and needs no
    /// permission for it.
    pub makes: bool,
    /// The number of servers of a cluster that hold each object, 1 to 5, best an odd number: a majority of them has to run. With
    /// 3 the queue goes on when any one of them ends. The first coordinator of a campaign sets it.
    pub replicas: u32,
    /// The credentials that the program shows the server.
    pub login: Login,
    /// A file with the certificates that the server's certificate is checked by, besides those of the system.
    pub roots: Option<PathBuf>,
    /// The certificate and the key of this program, where the server asks for one.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// `true` to refuse a connection that is not encrypted. A server's URL `tls://…` asks for it as well.
    pub tls: bool,
}

/// The campaign `farm`, a term of ten seconds, one replica, no login, no TLS.
impl Default for JetStreamOptions {
    fn default() -> Self {
        Self {
            campaign: "farm".to_owned(),
            term: Duration::from_secs(10),
            makes: true,
            replicas: 1,
            login: Login::None,
            roots: None,
            certificate: None,
            tls: false,
        }
    }
}

/// A queue on a NATS server with `JetStream`. One value serves all threads of a process.
///
/// The connection comes back by itself after the end of a server. The jobs lie in the memory of one server, or of several with
/// [`replicas`](JetStreamOptions::replicas). If they are gone, the coordinator publishes them again, as
/// [`epoch`](crate::Queue::epoch) tells it.
pub struct JetStream {
    pub(super) options: JetStreamOptions,
    /// The servers as `HOST:PORT`, for errors.
    addresses: String,
    pub(super) shared: Arc<Shared>,
    pub(super) client: Client,
    pub(super) state: Mutex<Local>,
    /// Last: the tasks of the client end with it.
    pub(super) runtime: Runtime,
}

/// The knowledge of the client's own tasks.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// The number of connections so far.
    connections: AtomicU64,
    /// The term of the campaign in milliseconds, as the coordinator has told it; 0 before.
    term: AtomicU64,
    /// `true` if an object was missing since the last setup.
    is_bare: AtomicBool,
    withdrawn: Mutex<HashSet<FarmJobId>>,
    /// The last refusal of a permission.
    forbidden: Mutex<Option<String>>,
    /// The reason why the last attempt to connect has failed; `None` while there is a connection.
    failed: Mutex<Option<String>>,
    hints: Mutex<Hints>,
}

/// The last hints of other workers.
#[derive(Debug, Default)]
pub(super) struct Hints {
    last: VecDeque<Hint>,
    /// The number of hints so far.
    count: u64,
    /// `true` once the process listens for hints.
    listens: bool,
}

impl Hints {
    fn add(&mut self, from: &str, bytes: &[u8]) {
        if bytes.len() > MAX_HINT {
            return;
        }
        self.count += 1;
        if self.last.len() >= KEPT_HINTS {
            self.last.pop_front();
        }
        self.last.push_back(Hint { place: self.count, from: from.to_owned(), bytes: bytes.to_vec() });
    }

    /// The hints after a place.
    pub(super) fn after(&self, place: u64) -> Vec<Hint> {
        self.last.iter().filter(|hint| hint.place > place).cloned().collect()
    }
}

impl Shared {
    pub(super) fn withdrawn(&self) -> MutexGuard<'_, HashSet<FarmJobId>> {
        self.withdrawn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn forbidden(&self) -> MutexGuard<'_, Option<String>> {
        self.forbidden.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self) -> MutexGuard<'_, Option<String>> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn hints(&self) -> MutexGuard<'_, Hints> {
        self.hints.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The term of the campaign; `None` before the coordinator has told it.
    pub(super) fn term(&self) -> Option<Duration> {
        let millis = self.term.load(Ordering::Relaxed);
        (millis > 0).then(|| Duration::from_millis(millis))
    }

    pub(super) fn set_term(&self, millis: u64) {
        self.term.store(millis, Ordering::Relaxed);
    }

    pub(super) fn is_bare(&self) {
        self.is_bare.store(true, Ordering::Relaxed);
    }
}

/// The knowledge of this value about its jobs.
#[derive(Debug, Default)]
pub(super) struct Local {
    /// The number of connections at the last setup.
    set_up: u64,
    /// See [`epoch`](crate::Queue::epoch).
    pub(super) epoch: u64,
    /// The places of published jobs in their stream.
    pub(super) places: HashMap<FarmJobId, u64>,
    /// The places that jobs had when their reports came: a job that was published once more may still be there.
    pub(super) reported: HashMap<FarmJobId, u64>,
    /// The first place of the stream of jobs, by its time of birth.
    first_place: Option<u64>,
    /// The end of each lease, by its token.
    pub(super) leases: HashMap<String, Instant>,
    pub(super) puller: Option<Puller>,
}

/// An open request for reports.
#[derive(Debug)]
pub(super) struct Puller {
    pub(super) messages: Subscriber,
    pub(super) inbox: String,
    /// Messages that the server may still send to the present request.
    pub(super) left: usize,
    pub(super) until: Instant,
}

impl fmt::Debug for JetStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JetStream").field("options", &self.options).finish_non_exhaustive()
    }
}

impl JetStream {
    /// Connects to a server, such as `nats://127.0.0.1:4222` or `tls://farm.example.org`; several, separated by commas,
    /// for a cluster. A server that does not answer yet is awaited by later calls.
    ///
    /// # Errors
    /// An error if a server or the options cannot be used, such as more than five replicas.
    pub fn connect(servers: &str, options: JetStreamOptions) -> Result<Self, QueueError> {
        check_name("the name of a campaign", &options.campaign)?;
        check_term(options.term)?;
        if !(1..=MAX_REPLICAS).contains(&options.replicas) {
            let why = format!("{} replicas; 1 to {MAX_REPLICAS} are possible", options.replicas);
            return Err(QueueError::Forbidden(why));
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| QueueError::Away(error.to_string()))?;
        let shared = Arc::new(Shared::default());
        let servers: Vec<ServerAddr> = servers.split(',').map(address).collect::<Result<_, _>>()?;
        let names = servers.iter().map(|server| format!("{}:{}", server.host(), server.port()));
        let addresses = names.collect::<Vec<_>>().join(", ");
        let client = runtime.block_on(connect(servers, &options, Arc::clone(&shared)))?;
        let queue = Self { options, addresses, shared, client, state: Mutex::default(), runtime };
        queue.runtime.block_on(queue.listen())?;
        Ok(queue)
    }

    /// Hears of withdrawn jobs.
    async fn listen(&self) -> Result<(), QueueError> {
        let mut messages = self
            .client
            .subscribe(self.subject("cancel"))
            .await
            .map_err(|error| QueueError::Away(error.to_string()))?;
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            while let Some(message) = messages.next().await {
                let mut withdrawn = shared.withdrawn();
                if withdrawn.len() > MOST_WITHDRAWN {
                    withdrawn.clear();
                }
                withdrawn
                    .extend(message.payload.chunks_exact(32).filter_map(Digest::from_slice).map(FarmJobId));
            }
        });
        Ok(())
    }

    /// Begins to listen for hints of workers. Earlier hints are gone: a plain subject keeps none.
    pub(super) fn hear_hints(&self) -> Result<(), QueueError> {
        if std::mem::replace(&mut self.shared.hints().listens, true) {
            return Ok(());
        }
        let shared = Arc::clone(&self.shared);
        self.runtime.block_on(async {
            let messages = self.client.subscribe(self.subject("hint.*")).await;
            let mut messages = messages.map_err(|error| QueueError::Away(error.to_string()))?;
            tokio::spawn(async move {
                while let Some(message) = messages.next().await {
                    let from = message.subject.rsplit('.').next().unwrap_or_default();
                    shared.hints().add(from, &message.payload);
                }
            });
            Ok(())
        })
    }

    pub(super) fn state(&self) -> MutexGuard<'_, Local> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A subject of the campaign.
    pub(super) fn subject(&self, end: &str) -> String {
        format!("sw.{}.{end}", self.options.campaign)
    }

    /// A stream of the campaign.
    pub(super) fn stream(&self, end: &str) -> String {
        format!("SW_{}_{end}", self.options.campaign)
    }

    /// Checks that there is a connection.
    ///
    /// # Errors
    /// [`QueueError::Away`] without one, with the servers and the reason why the last attempt has failed.
    pub(super) fn connected(&self) -> Result<(), QueueError> {
        if self.client.connection_state() == State::Connected {
            return Ok(());
        }
        let why = self.shared.failed().as_ref().map_or(String::new(), |why| format!(": {why}"));
        Err(QueueError::Away(format!("no connection to the server {}{why}", self.addresses)))
    }

    /// Makes the objects on the server that are missing, once for each connection. Jobs that are gone change the epoch.
    pub(super) fn ensure(&self) -> Result<(), QueueError> {
        let connections = self.shared.connections.load(Ordering::Relaxed);
        let is_bare = self.shared.is_bare.swap(false, Ordering::Relaxed);
        if !is_bare && self.state().set_up == connections && connections > 0 {
            return Ok(());
        }
        let made = if self.options.makes {
            self.runtime.block_on(self.make()).inspect_err(|_| self.shared.is_bare())?
        } else {
            false
        };
        // A subscription ends by a task.
        let _context = self.runtime.enter();
        let mut state = self.state();
        state.set_up = connections;
        state.puller = None;
        if made {
            state.epoch += 1;
            state.places.clear();
            state.reported.clear();
        }
        Ok(())
    }

    /// Makes all objects. Returns `true` if the stream of jobs is new.
    async fn make(&self) -> Result<bool, QueueError> {
        let (term, replicas) = (self.options.term.as_nanos() as u64, self.options.replicas);
        let streams = [
            (
                "JOBS",
                json!({"subjects": [self.subject("job")], "retention": "workqueue", "storage": "memory"}),
            ),
            ("REPORTS", json!({"subjects": [self.subject("report.*")], "retention": "workqueue"})),
            (
                "DECISIONS",
                json!({"subjects": [self.subject("decision")], "deny_delete": true, "deny_purge": true}),
            ),
            ("STATE", json!({"subjects": [self.subject("state.*")], "max_msgs_per_subject": 1})),
            (
                "LEAD",
                json!({"subjects": [self.subject("lead")], "max_msgs_per_subject": 1, "max_age": term, "storage": "memory", "duplicate_window": term}),
            ),
        ];
        let mut is_new = false;
        for (end, mut config) in streams {
            let name = self.stream(end);
            config["name"] = json!(name);
            config["num_replicas"] = json!(replicas);
            let answer = self.api(&format!("STREAM.CREATE.{name}"), &config).await;
            let answer = match answer {
                Err(QueueError::Foreign(text)) if end == "LEAD" => return Err(self.other_lead(text).await),
                answer => answer?,
            };
            if end == "JOBS" {
                is_new = self.begin_jobs(&answer).await?;
            }
        }
        // No worker gets a job before the consumers are there: each knows the term at its first job.
        self.tell_term().await?;
        for (stream, name) in [("JOBS", "W"), ("REPORTS", "C")] {
            let stream = self.stream(stream);
            let config = json!({"stream_name": stream, "config": {
                "durable_name": name, "ack_policy": "explicit", "ack_wait": term, "deliver_policy": "all",
                "max_deliver": -1, "max_ack_pending": MOST_WORKERS, "max_waiting": MOST_WORKERS,
            }});
            self.api(&format!("CONSUMER.DURABLE.CREATE.{stream}.{name}"), &config).await?;
        }
        let store = async_nats::jetstream::object_store::Config {
            bucket: self.stream("BLOBS"),
            num_replicas: replicas as usize,
            ..Default::default()
        };
        let context = async_nats::jetstream::new(self.client.clone());
        let made = context.create_object_store(store).await;
        made.map_err(|error| QueueError::Away(format!("object store: {error}")))?;
        Ok(is_new)
    }
}

impl JetStream {
    /// Looks at the stream of jobs, and lets a new one begin at a place of its own. Returns `true` if the stream is new.
    ///
    /// A worker has its lease by the place of its job. If a stream began at place 1 like the stream before it, which was in the memory of a
    /// server that has ended, the worker's late answer to its lease would take another job away.
    async fn begin_jobs(&self, answer: &Value) -> Result<bool, QueueError> {
        let state = &answer["state"];
        let last = state["last_seq"].as_u64().unwrap_or(0);
        let mut is_other = false;
        // A stream of several servers outlives each of them.
        if self.options.replicas == 1 {
            // The stream has its time of birth from whichever program has made it: all programs have the same first place.
            let birth = Digest::of(answer["created"].as_str().unwrap_or_default().as_bytes());
            let first = birth.bytes()[..6].iter().fold(0, |place, &byte| place << 8 | u64::from(byte)) + 1;
            if state["messages"] == 0 && last < first {
                let end = format!("STREAM.PURGE.{}", self.stream("JOBS"));
                self.api(&end, &json!({"seq": first})).await?;
            }
            is_other = self.state().first_place.replace(first).is_some_and(|before| before != first);
        }
        // Another program may have made the stream again, and so may a cluster.
        let lost = self.state().places.values().any(|&place| place > last);
        Ok(is_other || lost || answer["did_create"] == true)
    }

    /// The error of a coordinator whose term is not the one of the campaign, or the error of the server.
    async fn other_lead(&self, text: String) -> QueueError {
        let info = self.api(&format!("STREAM.INFO.{}", self.stream("LEAD")), &serde_json::Value::Null).await;
        let found = info.ok().and_then(|info| info["config"]["max_age"].as_u64()).map(Duration::from_nanos);
        match found.filter(|found| *found != self.options.term) {
            Some(found) => QueueError::Foreign(format!(
                "the term of campaign {} on the server is {} s, and this coordinator has {} s: begin it with the same term",
                self.options.campaign,
                found.as_secs_f64(),
                self.options.term.as_secs_f64()
            )),
            None => QueueError::Foreign(text),
        }
    }
}

impl Drop for JetStream {
    fn drop(&mut self) {
        // A subscription ends by a task.
        let _context = self.runtime.enter();
        self.state().puller = None;
    }
}

/// The address of a server from its URL.
fn address(url: &str) -> Result<ServerAddr, QueueError> {
    let url = url.trim();
    // An error shows no password.
    let shown = url.rsplit('@').next().unwrap_or(url);
    let refused = |why: &dyn fmt::Display| QueueError::Forbidden(format!("the server `{shown}`: {why}"));
    let address: ServerAddr = url.parse().map_err(|error| refused(&error))?;
    if address.host().is_empty() {
        return Err(refused(&"it has no host, such as 127.0.0.1 in `nats://127.0.0.1:4222`"));
    }
    Ok(address)
}

async fn connect(
    servers: Vec<ServerAddr>,
    options: &JetStreamOptions,
    shared: Arc<Shared>,
) -> Result<Client, QueueError> {
    let mut connect = ConnectOptions::new()
        .name(format!("stonework {}", options.campaign))
        .retry_on_initial_connect()
        .request_timeout(Some(ANSWER))
        .ping_interval(Duration::from_secs(5))
        .connection_timeout(Duration::from_secs(5))
        .reconnect_delay_callback(|attempts| Duration::from_millis(50 << attempts.min(6)))
        .event_callback(move |event| {
            let shared = Arc::clone(&shared);
            async move {
                match event {
                    Event::Connected => {
                        *shared.failed() = None;
                        shared.connections.fetch_add(1, Ordering::Relaxed);
                    }
                    Event::ClientError(ClientError::Other(why)) => *shared.failed() = Some(why),
                    Event::ServerError(error) if error.to_string().to_lowercase().contains("permissions") => {
                        *shared.forbidden() = Some(error.to_string());
                    }
                    _ => {}
                }
            }
        });
    connect = match &options.login {
        Login::None => connect,
        Login::Password { user, password } => connect.user_and_password(user.clone(), password.clone()),
        Login::Nkey(seed) => connect.nkey(seed.clone()),
        Login::Credentials(file) => connect
            .credentials_file(file)
            .await
            .map_err(|error| QueueError::Forbidden(format!("{}: {error}", file.display())))?,
    };
    if let Some(roots) = &options.roots {
        connect = connect.add_root_certificates(roots.clone());
    }
    if let Some((certificate, key)) = &options.certificate {
        connect = connect.add_client_certificate(certificate.clone(), key.clone());
    }
    let client = connect
        .require_tls(options.tls)
        .connect(servers)
        .await
        .map_err(|error| QueueError::Away(error.to_string()))?;
    let since = Instant::now();
    while client.connection_state() != State::Connected && since.elapsed() < FIRST {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Ok(client)
}

/// The largest number of bytes of a blob in the object store, as the store counts.
pub(super) const MOST: usize = MAX_BLOB as usize;
