//! `/exec`, `/status.json`, `/metrics`: a board driven by lines of the Go Text Protocol, as Lajkonik has it.
//!
//! Each visitor with a key has one board for each game. `GET` takes the lines that change nothing, `POST` every line.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use stonework_game::{Game, Player, Textual};
use stonework_gtp::{GtpReply, Server, SessionHost, SessionHostOptions};
use stonework_roster::PlayerConfig;
use stonework_search::Limits;
use stonework_session::{Analysis, AnyPosition, Fault, GameType, Search, Session, Start};
use tokio::time::Instant;

use super::rate::{Client, counted};
use super::{Caller, ServerFault, Visitor};
use crate::ServerApp;
use crate::engines::{SEARCH_BYTES, StopAtDrop};

/// The longest line, in bytes.
const MOST_LINE: usize = 1024;

/// The greatest number of boards.
const MOST_BOARDS: usize = 64;

/// The greatest number of boards of one address, which may have many guests.
const MOST_OF_ADDRESS: usize = 8;

/// The time after which a board without a line is forgotten.
const IDLE: Duration = Duration::from_secs(1800);

/// The seconds of a search.
const SECONDS: f64 = 2.0;

/// The commands that change nothing.
const READING: &[&str] =
    &["name", "version", "protocol_version", "list_commands", "known_command", "showboard"];

/// The commands that change the board of the visitor, and take no time.
const CHANGING: &[&str] = &["boardsize", "clear_board", "play", "undo", "swap", "komi"];

/// The boards of the visitors.
#[derive(Debug, Default)]
pub(crate) struct Boards(Mutex<HashMap<(String, String), Arc<Board>>>);

/// A board with what a search of it has found.
#[derive(Debug)]
struct Board {
    game: GameType,
    /// The address that has asked for the board first.
    address: IpAddr,
    used: Mutex<Instant>,
    server: Mutex<Server<SessionHost>>,
    status: Mutex<[Option<Analysis>; 2]>,
    thinking: AtomicBool,
}

fn locked<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn routes() -> Router<ServerApp> {
    Router::new()
        .route("/exec", get(read).post(change))
        .route("/status.json", get(status))
        .route("/metrics", get(metrics))
}

#[derive(Deserialize)]
struct Line {
    cmd: String,
    game: Option<String>,
}

impl Boards {
    /// The board of a visitor; a new one, if there is none.
    fn of(&self, game: &GameType, name: &str, client: Option<&Client>) -> Result<Arc<Board>, ServerFault> {
        let mut boards = locked(&self.0);
        boards.retain(|_, board| {
            locked(&board.used).elapsed() < IDLE || board.thinking.load(Ordering::Relaxed)
        });
        let key = (name.to_owned(), game.name().to_owned());
        if let Some(board) = boards.get(&key) {
            *locked(&board.used) = Instant::now();
            return Ok(Arc::clone(board));
        }
        if boards.len() >= MOST_BOARDS {
            return Err(ServerFault::busy(format!(
                "{MOST_BOARDS} boards are in use: wait until one is free"
            )));
        }
        let address = counted(client);
        if boards.values().filter(|board| board.address == address).count() >= MOST_OF_ADDRESS {
            return Err(ServerFault::busy(format!(
                "{address} has {MOST_OF_ADDRESS} boards, the most: a board without a line is free after {} minutes",
                IDLE.as_secs() / 60
            )));
        }
        let limits = Limits::none().bytes(SEARCH_BYTES).time(Duration::from_secs_f64(SECONDS));
        let config = PlayerConfig { limits, ..PlayerConfig::default() };
        let host = SessionHost::new(game, SessionHostOptions { config, ..SessionHostOptions::default() })?;
        let server = Server::new(host, game.usual_player(), 1).map_err(|why| Fault::new("line", why))?;
        let board = Arc::new(Board {
            game: game.clone(),
            address,
            used: Mutex::new(Instant::now()),
            server: Mutex::new(server),
            status: Mutex::default(),
            thinking: AtomicBool::new(false),
        });
        boards.insert(key, Arc::clone(&board));
        Ok(board)
    }
}

/// The word of a line that is its command, after an id.
fn command(line: &str) -> &str {
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default();
    if first.bytes().all(|byte| byte.is_ascii_digit()) { words.next().unwrap_or_default() } else { first }
}

fn check(line: &Line) -> Result<(), ServerFault> {
    let wrong = |why: String| ServerFault::new(StatusCode::UNPROCESSABLE_ENTITY, "line", why);
    if line.cmd.len() > MOST_LINE {
        return Err(wrong(format!("a line of {} bytes: at most {MOST_LINE}", line.cmd.len())));
    }
    if line.cmd.chars().any(char::is_control) {
        return Err(wrong("a line has no control characters".to_owned()));
    }
    Ok(())
}

fn game<'a>(app: &'a ServerApp, line: &Line) -> Result<&'a GameType, ServerFault> {
    Ok(app.registry().game(line.game.as_deref().unwrap_or("havannah"))?)
}

fn text(reply: Option<GtpReply>) -> Response {
    let text = reply.map(|reply| reply.to_string()).unwrap_or_default();
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, "no-store")], text)
        .into_response()
}

/// The answer to a line that a visitor may not give here.
fn refusal(command: &str) -> GtpReply {
    let shown: String = command.chars().take(40).collect();
    let known = [READING, CHANGING].concat().join(", ");
    GtpReply::new(None, Err(format!("`{shown}` is not among the commands here: {known}, genmove")))
}

async fn read(
    State(app): State<ServerApp>,
    visitor: Visitor,
    client: Option<Extension<Client>>,
    Query(line): Query<Line>,
) -> Result<Response, ServerFault> {
    check(&line)?;
    let command = command(&line.cmd).to_owned();
    if !READING.contains(&command.as_str()) {
        let changes = CHANGING.contains(&command.as_str()) || command == "genmove";
        if changes {
            let why = format!("{command} changes the board: use POST");
            return Err(ServerFault::new(StatusCode::METHOD_NOT_ALLOWED, "line", why));
        }
        return Ok(text(Some(refusal(&command))));
    }
    let board =
        app.boards().of(game(&app, &line)?, visitor.name.as_deref().unwrap_or("guest"), client.as_deref())?;
    blocking(move || locked(&board.server).line(&line.cmd)).await.map(text)
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ServerFault> {
    let failed = |_| ServerFault::new(StatusCode::INTERNAL_SERVER_ERROR, "panic", "the command has failed");
    tokio::task::spawn_blocking(work).await.map_err(failed)
}

async fn change(
    State(app): State<ServerApp>,
    player: Caller,
    client: Option<Extension<Client>>,
    Query(line): Query<Line>,
) -> Result<Response, ServerFault> {
    check(&line)?;
    let command = command(&line.cmd).to_owned();
    let board = app.boards().of(game(&app, &line)?, &player.name, client.as_deref())?;
    let answer = if command == "genmove" {
        let busy = || ServerFault::busy("all searches that the server allows are running");
        let permit = app.searches().try_permit().ok_or_else(busy)?;
        let memory = app.searches().memory(2).map_err(ServerFault::busy)?;
        if board.thinking.swap(true, Ordering::AcqRel) {
            return Err(ServerFault::busy("the engine thinks about this board already"));
        }
        let done = Done(Arc::clone(&board));
        let searches = Searches::new(&board);
        // A visitor who goes away drops this future, and the flags end both searches.
        let _flags = searches.stop_at_drop();
        let line = line.cmd.clone();
        let work = move || {
            let _held = (done, permit, memory);
            genmove(&board, searches, &line)
        };
        blocking(work).await?
    } else if READING.contains(&command.as_str()) || CHANGING.contains(&command.as_str()) {
        if board.thinking.load(Ordering::Acquire) {
            return Err(ServerFault::busy("the engine thinks about this board"));
        }
        *locked(&board.status) = [None, None];
        blocking(move || locked(&board.server).line(&line.cmd)).await?
    } else {
        Some(refusal(&command))
    };
    Ok((player, text(answer)).into_response())
}

/// Ends the state of thinking.
struct Done(Arc<Board>);

impl Drop for Done {
    fn drop(&mut self) {
        self.0.thinking.store(false, Ordering::Release);
    }
}

/// A session at a position, with a side to move.
fn session(game: &GameType, position: &AnyPosition, to_move: Player) -> Result<Session, Fault> {
    let side = game.description().side(to_move).to_owned();
    let registry = stonework_session::Registry::new().with(game.clone());
    let text = position.position_text();
    let start = Start { position: Some(text), to_move: Some(side), ..Start::default() };
    Session::new(registry, game.name(), &start, None)
}

/// The searches of a board for both sides.
struct Searches {
    to_move: Player,
    /// The position with the side to move; `None` if the game is over.
    mover: Option<Session>,
    /// The position with the other side to move. While there is a right to swap, only one side can be to move, and the other side has no
    /// heat.
    other: Option<Session>,
    /// Set when the visitor has gone.
    gone: Arc<AtomicBool>,
}

impl Searches {
    fn new(board: &Board) -> Self {
        let position = locked(&board.server).game().clone();
        let to_move = position.to_move();
        let goes_on = position.outcome().is_none();
        let of = |side| session(&board.game, &position, side).ok().filter(|_| goes_on);
        Self { to_move, mover: of(to_move), other: of(to_move.other()), gone: Arc::default() }
    }

    /// The flags that end the searches when they are dropped, the one of [`Searches::gone`] first.
    fn stop_at_drop(&self) -> Vec<StopAtDrop> {
        let sessions = [&self.mover, &self.other].into_iter().flatten().map(Session::canceller);
        std::iter::once(Arc::clone(&self.gone)).chain(sessions).map(StopAtDrop).collect()
    }
}

/// Searches for both sides, in two threads of one permit, and plays the move that was found for the side to move. For a visitor who has
/// gone, nothing is played.
fn genmove(board: &Board, searches: Searches, line: &str) -> Option<GtpReply> {
    let Searches { to_move, mover, other, gone } = searches;
    let search =
        Search { seconds: Some(SECONDS), bytes: Some(SEARCH_BYTES), lines: Some(400), ..Search::default() };
    *locked(&board.status) = [None, None];
    let run = |session: &Session, side: Player| {
        let mut watch = |found: &Analysis| locked(&board.status)[side.index()] = Some(found.clone());
        // A search that is refused has no findings.
        let _ = session.search(&search, &mut watch).map(|last| watch(&last));
    };
    if let Some(mover) = &mover {
        std::thread::scope(|scope| {
            let end = other.map(|session| {
                let end = session.canceller();
                scope.spawn(move || run(&session, to_move.other()));
                end
            });
            run(mover, to_move);
            // The findings of the other side decide nothing.
            end.inspect(|end| end.store(true, Ordering::Relaxed));
        });
    }
    if gone.load(Ordering::SeqCst) {
        return None;
    }
    let best = locked(&board.status)[to_move.index()].as_ref().and_then(|found| found.best.clone());
    let mut server = locked(&board.server);
    let Some(best) = best else { return server.line(line) };
    let words: Vec<&str> = line.split_whitespace().collect();
    let id = words.first().copied().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let Some(colour) = words.get(1 + usize::from(id.is_some())) else { return server.line(line) };
    let played = server.line(&format!("play {colour} {best}"))?;
    Some(GtpReply::new(id, played.result().map(|_| best).map_err(str::to_owned)))
}

/// The moves of a side with their visits and values.
fn heat(found: Option<&Analysis>) -> Value {
    let Some(found) = found else { return Value::Null };
    let line = |line: &stonework_session::AnalysisLine| json!({ "move": line.moves.first(), "visits": line.visits, "value": line.value, "line": line.moves });
    json!({ "best": found.best, "value": found.value, "simulations": found.simulations, "nodes": found.nodes,
            "seconds": found.seconds, "moves": found.lines.iter().map(line).collect::<Vec<_>>() })
}

#[derive(Deserialize)]
struct Of {
    game: Option<String>,
}

async fn status(
    State(app): State<ServerApp>,
    visitor: Visitor,
    client: Option<Extension<Client>>,
    Query(of): Query<Of>,
) -> Result<Response, ServerFault> {
    let game = app.registry().game(of.game.as_deref().unwrap_or("havannah"))?;
    let board = app.boards().of(game, visitor.name.as_deref().unwrap_or("guest"), client.as_deref())?;
    let status = locked(&board.status);
    let [first, second] = game.description().sides;
    let sides = json!({ first: heat(status[0].as_ref()), second: heat(status[1].as_ref()) });
    let body = json!({ "thinking": board.thinking.load(Ordering::Relaxed), "sides": sides });
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(body)).into_response())
}

/// The numbers of the server, in the text form that Prometheus reads.
async fn metrics(State(app): State<ServerApp>) -> Response {
    let counted = app.metrics();
    let numbers = [
        ("games", app.tables().iter().filter(|table| !table.is_over()).count() as u64),
        ("offers", app.lobby().list().len() as u64),
        ("searches", app.searches().running() as u64),
        ("connections", counted.connections.get()),
        ("port_connections", counted.port_connections.get()),
        ("requests_total", counted.requests.get()),
        ("refused_total", counted.refused.get()),
        ("panics_total", counted.panics.get()),
    ];
    let lines: Vec<String> =
        numbers.iter().map(|(name, number)| format!("stonework_{name} {number}\n")).collect();
    let text = lines.concat();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4"), (header::CACHE_CONTROL, "no-store")], text)
        .into_response()
}
