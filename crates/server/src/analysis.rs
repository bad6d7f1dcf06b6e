//! The analysis page: positions drawn, searches told live, games reviewed, analyses read and written. Nothing is stored.
//!
//! | request | answer |
//! |---|---|
//! | `POST /api/view` | the picture, the legal moves and the facts of a position |
//! | `POST /api/live` | the findings of a search, one JSON object a line, until the search ends or the reader goes away |
//! | `POST /api/review` | the value of each position of a game, one JSON object a line, with the mistakes |
//! | `POST /api/read` | the link of a pasted text |
//! | `POST /api/setup` | the text of a position that a person sets up |
//! | `POST /api/sgf` | the SGF of a link |

mod stream;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use stonework_game::{Game, Outcome, Player, Textual};
use stonework_havannah::Setup;
use stonework_roster::{PlayerSpec, RosterEntry, SpecError};
use stonework_search::Stop;
use stonework_session::{Analysis, AnyPosition, Fault, MoveEntry, MoveTable, Search, Session, Start};

use crate::engines::SEARCH_BYTES;
use crate::http::with_most_body;
use crate::link::{AnalysisLink, read_anything};
use crate::pages::board::{Look, Place, Shown, cell_names};
use crate::{ServerApp, proofs};
pub(crate) use stream::{LineSender, Running, stream};

/// The greatest number of bytes of a pasted text.
const MAX_TEXT: usize = 1 << 20;

/// The shortest search of the analysis in seconds.
const LEAST_SECONDS: f64 = 0.05;

/// The longest search of the analysis in seconds.
const MAX_SECONDS: f64 = 600.0;

/// The seconds of a review for each position, least, usual and most.
const REVIEW: (f64, f64, f64) = (0.05, 0.5, 10.0);

/// A loss of this share of a point is a mistake, of twice the share a blunder.
const MISTAKE: f64 = 0.15;

pub(crate) fn routes() -> Router<ServerApp> {
    Router::new()
        .route("/api/view", post(view))
        .route("/api/live", post(live))
        .route("/api/review", post(review))
        .route("/api/read", with_most_body(post(read), MAX_TEXT))
        .route("/api/sgf", post(sgf))
        .route("/api/setup", post(setup))
}

/// A refused request: status 422 with the library's sentence.
pub(crate) struct Refused(pub(crate) Fault);

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Self(fault)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (StatusCode::UNPROCESSABLE_ENTITY, Json(json!({ "error": self.0 }))).into_response()
    }
}

/// A position with marks, which are cells in the game's own notation.
#[derive(Deserialize)]
struct View {
    #[serde(flatten)]
    place: Place,
    #[serde(default)]
    look: Look,
}

/// Runs work that computes for more than a moment, away from the threads that answer requests, and has a place of its own.
pub(crate) async fn run_apart<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, Refused> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(Refused),
        Err(_) => Err(Refused(Fault::new("internal", "the work has failed"))),
    }
}

/// Runs work that computes for more than a moment in one of the places for pages. The work has the place to its end, also if
/// who has asked for it goes away.
pub(crate) async fn compute<T: Send + 'static>(
    app: &ServerApp,
    work: impl FnOnce() -> Result<T, Fault> + Send + 'static,
) -> Result<T, Refused> {
    let permit = app.pages().permit().await;
    let work = move || {
        let _permit = permit;
        work()
    };
    run_apart(work).await
}

async fn view(State(app): State<ServerApp>, Json(request): Json<View>) -> Result<Json<Value>, Refused> {
    let registry = app.registry().clone();
    compute(&app, move || {
        let View { place, mut look } = request;
        let session = place.session(&registry)?;
        let notation = place.notation.as_deref();
        let cells = other_names(&session, notation)?;
        if !cells.is_empty() {
            for mark in &mut look.marks {
                let cell = session.position().read_cell(mark, 0)?;
                if let Some((name, _)) = cells.get(cell.index()) {
                    mark.clone_from(name);
                }
            }
        }
        let mut told = Shown::new(session, notation, &look)?.json();
        told["names"] = json!(cells.into_iter().collect::<BTreeMap<_, _>>());
        Ok(Json(told))
    })
    .await
}

/// The name of each cell in a notation, with its name in the game's own; nothing for the game's own notation.
fn other_names(session: &Session, notation: Option<&str>) -> Result<Vec<(String, String)>, Fault> {
    let position = session.position();
    let notation = position.notation(notation)?;
    if notation == 0 {
        return Ok(Vec::new());
    }
    let picture = session.picture()?;
    let names = |notation| cell_names(position, &picture, notation).into_iter();
    Ok(names(notation).zip(names(0)).collect())
}

/// The engine of the analysis of a game, unless a request names one: a Monte-Carlo tree, whose values are shares of wins.
pub(crate) fn usual_engine(session: &Session) -> String {
    let roster = session.game().roster();
    let tree = ["champion", "mcts", "uct"]
        .into_iter()
        .find(|name| roster.entry(name).is_some_and(RosterEntry::is_engine));
    tree.unwrap_or_else(|| session.game().usual_solver()).to_owned()
}

/// `true` if the values of an engine are thousandths of a mean result.
fn counts_results(engine: &str) -> bool {
    let name = engine.split(':').next().unwrap_or_default();
    ["champion", "mcts", "uct", "rave", "hybrid"].iter().any(|tree| name.starts_with(tree))
}

/// A search for the analysis page.
#[derive(Deserialize)]
struct Live {
    #[serde(flatten)]
    place: Place,
    #[serde(default)]
    engine: Option<String>,
    #[serde(default)]
    seconds: Option<f64>,
    /// The greatest number of moves with marks; every legal move unless given.
    #[serde(default)]
    limit: Option<usize>,
}

/// The position of a request for a search, and the engine that searches.
async fn asked(
    app: &ServerApp,
    place: &Place,
    engine: Option<&String>,
) -> Result<(Session, String), Refused> {
    let (registry, place) = (app.registry().clone(), place.clone());
    let session = compute(app, move || place.session(&registry)).await?;
    let engine = engine.cloned().unwrap_or_else(|| usual_engine(&session));
    // A search has one place, and so one core.
    let spec: PlayerSpec =
        engine.parse().map_err(|error: SpecError| Fault::new("search", error.to_string()))?;
    let is_several = |(name, value): &&(String, f64)| name == "threads" && *value > 1.0;
    if let Some((_, threads)) = spec.parameters.iter().find(is_several) {
        return Err(
            Fault::new("search", format!("threads={threads}: a search on this server has one")).into()
        );
    }
    Ok((session, engine))
}

async fn live(State(app): State<ServerApp>, Json(request): Json<Live>) -> Result<Response, Refused> {
    let (session, engine) = asked(&app, &request.place, request.engine.as_ref()).await?;
    if session.state().outcome.is_some() {
        return Err(Fault::new("over", format!("the game is over: {}", session.position().standing())).into());
    }
    let seconds = request.seconds.unwrap_or(MAX_SECONDS).clamp(LEAST_SECONDS, MAX_SECONDS);
    let search = Search {
        engine: Some(engine.clone()),
        bytes: Some(SEARCH_BYTES),
        lines: Some(1000),
        ..Search::default()
    };
    let told =
        Told { session: session.fork(), notation: request.place.notation, engine, limit: request.limit };
    let flag = session.canceller();
    let gone = Arc::clone(&flag);
    let work = move |lines: &LineSender, running: &mut Running| {
        running.engines().ends_for_games(&flag);
        let by = Instant::now() + Duration::from_secs_f64(seconds);
        let mut best: Option<Analysis> = None;
        // A game that waits for a search ends this one, which begins again after the search of the game.
        loop {
            flag.store(false, Ordering::SeqCst);
            let left = by.saturating_duration_since(Instant::now());
            if !lines.has_reader() {
                return Ok(());
            }
            if left.is_zero() && best.is_some() {
                break;
            }
            if left.is_zero() || !running.engines().game_waits() {
                let seconds = Some(left.as_secs_f64().max(LEAST_SECONDS));
                // What is less than the reader knows is not told.
                let known = best.as_ref().map_or(0.0, |best| best.seconds);
                let found = session.search(&Search { seconds, ..search.clone() }, &mut |found| {
                    if found.seconds >= known {
                        lines.send(&told.json(found, false), false);
                    }
                })?;
                let stopped = |stop: Stop| found.stopped.as_deref() == Some(stop.name());
                let (gives_way, solved) = (stopped(Stop::Cancel), stopped(Stop::Solved));
                best = best.filter(|best| !solved && best.seconds > found.seconds).or(Some(found));
                if !gives_way {
                    break;
                }
            }
            if !running.give_way(lines) {
                return Ok(());
            }
        }
        if let Some(best) = best {
            lines.send(&told.json(&best, true), true);
        }
        Ok(())
    };
    Ok(stream(&app, gone, work).await)
}

/// The findings of a search as a page gets them.
struct Told {
    session: Session,
    notation: Option<String>,
    engine: String,
    limit: Option<usize>,
}

impl Told {
    fn json(&self, analysis: &Analysis, last: bool) -> Value {
        let results = counts_results(&self.engine);
        let mut heat = Vec::new();
        for line in analysis.lines.iter().take(self.limit.unwrap_or(usize::MAX)) {
            let Some(mv) = line.moves.first() else { continue };
            heat.push(MoveEntry {
                mv: mv.clone(),
                visits: line.visits,
                value: Some(line.value.into()),
                ..MoveEntry::default()
            });
        }
        // Every legal move has heat, also a move that the search has not looked at.
        if self.limit.is_none() && heat.iter().any(|entry| entry.visits.is_some()) {
            let known: std::collections::HashSet<String> =
                heat.iter().map(|entry| entry.mv.clone()).collect();
            let others = self.session.legal().into_iter().filter(|mv| !known.contains(mv));
            heat.extend(others.map(|mv| MoveEntry { mv, visits: Some(0), ..MoveEntry::default() }));
        }
        let table = MoveTable { moves: heat };
        let look = Look { heat: Some(table.clone()), ..Look::default() };
        let picture =
            Shown::new(self.session.fork(), self.notation.as_deref(), &look).map(|shown| shown.picture());
        let share = |value: i32| results.then(|| f64::from(value.clamp(-1000, 1000)).mul_add(0.05, 50.0));
        let lines: Vec<Value> = analysis
            .lines
            .iter()
            .map(|line| {
                let proven = proven(line.value, self.session.position().to_move());
                json!({
                    "moves": line.moves,
                    "value": line.value,
                    "percent": share(line.value).filter(|_| proven.is_none()),
                    "proven": proven,
                    "visits": line.visits,
                    "source": if proven.is_some() { "solver" } else { "estimate" },
                })
            })
            .collect();
        json!({
            "engine": self.engine,
            "best": analysis.best,
            "lines": lines,
            "outcome": analysis.outcome,
            "value": value_text(analysis, self.session.position().to_move(), results),
            "simulations": analysis.simulations,
            "nodes": analysis.nodes,
            "seconds": analysis.seconds,
            "table": table,
            "picture": picture.ok(),
            "ended": last,
        })
    }
}

/// The value of a proven result in a report: ±(a million − plies).
const PROVEN: i32 = 999_000;

/// A proven value as the text of a link: `W13`, `L13`.
fn proven(value: i32, mover: Player) -> Option<String> {
    let plies = 1_000_000 - value.abs();
    (value.abs() >= PROVEN).then(|| {
        let first = (value > 0) == (mover == Player::First);
        format!("{}{plies}", if first { 'W' } else { 'L' })
    })
}

/// The value of a position as the text of a link; `None` for an engine whose values are no shares of wins.
fn value_text(analysis: &Analysis, mover: Player, results: bool) -> Option<String> {
    if analysis.outcome.as_deref() == Some("draw") {
        return Some("D".to_owned());
    }
    let own = if mover == Player::First { 1 } else { -1 };
    proven(analysis.value, mover)
        .or_else(|| results.then(|| (own * analysis.value.clamp(-1000, 1000)).to_string()))
}

/// A review of a game.
#[derive(Deserialize)]
struct Review {
    #[serde(flatten)]
    place: Place,
    #[serde(default)]
    engine: Option<String>,
    /// The seconds for each position.
    #[serde(default)]
    seconds: Option<f64>,
}

async fn review(State(app): State<ServerApp>, Json(request): Json<Review>) -> Result<Response, Refused> {
    let (mut session, engine) = asked(&app, &request.place, request.engine.as_ref()).await?;
    if !counts_results(&engine) {
        let what = format!("{engine} has values that are no shares of wins: a review needs mcts or uct");
        return Err(Fault::new("search", what).into());
    }
    let seconds = request.seconds.unwrap_or(REVIEW.1).clamp(REVIEW.0, REVIEW.2);
    // One session for all positions: its flag ends the search of each of them when the reader goes away.
    let gone = session.canceller();
    let proofs_of = app.clone();
    Ok(stream(&app, gone, move |lines, running| {
        let moves = session.moves();
        session.undo(moves.len())?;
        let mut before: Option<Judged> = None;
        for ply in 0..=moves.len() {
            if let Some(last) = ply.checked_sub(1) {
                session.play(&moves[last])?;
                if !running.give_way(lines) {
                    return Ok(());
                }
            }
            let here = Judged::of(&proofs_of, &session, &engine, seconds)?;
            if lines.is_gone() {
                return Ok(());
            }
            let mistake = before.as_ref().and_then(|before| before.mistake(&here));
            lines.send(
                &json!({
                    "ply": ply,
                    "move": ply.checked_sub(1).map(|last| &moves[last]),
                    "value": here.text,
                    "source": here.source,
                    "best": here.best,
                    "mistake": mistake,
                }),
                true,
            );
            before = Some(here);
        }
        lines.send(&json!({ "ended": true }), true);
        Ok(())
    })
    .await)
}

/// The value of a position of a review.
struct Judged {
    mover: Player,
    /// The mean result of the first player, −1 to 1.
    value: f64,
    /// The outcome, if the rules or a proof have it.
    exact: Option<Outcome>,
    text: String,
    source: &'static str,
    best: Option<String>,
}

impl Judged {
    fn of(app: &ServerApp, session: &Session, engine: &str, seconds: f64) -> Result<Self, Fault> {
        let position = session.position();
        let mover = position.to_move();
        let exact = |outcome: Outcome, plies: Option<u32>, source, best| {
            let (letter, value) = match outcome {
                Outcome::Win(Player::First) => ("W", 1.0),
                Outcome::Win(Player::Second) => ("L", -1.0),
                Outcome::Draw => ("D", 0.0),
            };
            let plies =
                plies.filter(|_| outcome != Outcome::Draw).map_or(String::new(), |plies| plies.to_string());
            Self { mover, value, exact: Some(outcome), text: format!("{letter}{plies}"), source, best }
        };
        if let Some(outcome) = position.outcome() {
            return Ok(exact(outcome, Some(0), "rules", None));
        }
        if let Some(known) = proofs::value(app, session) {
            return Ok(exact(known.outcome, known.plies, "proof", known.best));
        }
        let search = Search {
            engine: Some(engine.to_owned()),
            seconds: Some(seconds),
            bytes: Some(SEARCH_BYTES),
            ..Search::default()
        };
        let analysis = session.search(&search, &mut |_| {})?;
        let own = if mover == Player::First { 1.0 } else { -1.0 };
        let text = value_text(&analysis, mover, true).unwrap_or_default();
        let solved = matches!(text.chars().next(), Some('W' | 'L' | 'D'));
        let outcome = match text.chars().next() {
            Some('W') => Some(Outcome::Win(Player::First)),
            Some('L') => Some(Outcome::Win(Player::Second)),
            Some('D') => Some(Outcome::Draw),
            _ => None,
        };
        Ok(Self {
            mover,
            value: own * f64::from(analysis.value.clamp(-1000, 1000)) / 1000.0,
            exact: outcome,
            text,
            source: if solved { "solver" } else { "estimate" },
            best: analysis.best,
        })
    }

    /// The mistake of the move between two positions.
    fn mistake(&self, after: &Self) -> Option<Value> {
        let own = if self.mover == Player::First { 1.0 } else { -1.0 };
        // The share of a point that the mover has lost, from 0 to 1.
        let lost = (own * self.value - own * after.value) / 2.0;
        let proven = match (self.exact, after.exact) {
            (Some(before), Some(after)) => before != after,
            _ => false,
        };
        let kind = match lost {
            lost if proven && lost > 0.0 => "proven mistake",
            lost if lost >= 2.0 * MISTAKE => "blunder",
            lost if lost >= MISTAKE => "mistake",
            _ => return None,
        };
        Some(json!({ "kind": kind, "lost": (lost * 100.0).round(), "better": self.best }))
    }
}

/// A text that a person pastes.
#[derive(Deserialize)]
struct Pasted {
    text: String,
    game: String,
    #[serde(flatten)]
    start: Start,
}

async fn read(State(app): State<ServerApp>, Json(pasted): Json<Pasted>) -> Result<Json<Value>, Refused> {
    let registry = app.registry().clone();
    compute(&app, move || {
        let (link, notes) = read_anything(&registry, &pasted.game, &pasted.start, &pasted.text)?;
        Ok(Json(json!({ "link": link.to_string(), "notes": notes })))
    })
    .await
}

/// Stones that a person sets up.
#[derive(Deserialize)]
struct SetUp {
    game: String,
    size: u8,
    first: Vec<String>,
    second: Vec<String>,
    #[serde(default)]
    to_move: Option<String>,
    /// The notation of the cells; the game's own unless given.
    #[serde(default)]
    notation: Option<String>,
}

async fn setup(State(app): State<ServerApp>, Json(request): Json<SetUp>) -> Result<Json<Value>, Refused> {
    let registry = app.registry().clone();
    compute(&app, move || {
        let game = registry.game(&request.game)?;
        let empty = game.start(&Start::of_size(request.size.into()))?;
        let notation = empty.notation(request.notation.as_deref())?;
        let start = Start {
            size: Some(request.size.into()),
            position: Some(set_up(&empty, &request.first, &request.second, notation)?),
            to_move: request.to_move.filter(|_| game.name() != "cachex"),
            swap: false,
        };
        let position = game.start(&start)?;
        Ok(Json(json!({ "position": position.position_text() })))
    })
    .await
}

/// The text of a position with these stones, as the game's start takes it.
fn set_up(
    empty: &AnyPosition,
    first: &[String],
    second: &[String],
    notation: usize,
) -> Result<String, Fault> {
    let stone = |cell: &String| {
        let side = |cells: &[String], letter| cells.contains(cell).then_some(letter);
        side(first, 0_usize).or_else(|| side(second, 1))
    };
    match empty.description().name {
        "cover" => Ok(format!("[{}]x[{}]", first.join(","), second.join(","))),
        "cachex" => {
            let size = usize::from(empty.size());
            let letter = |row: usize, column: usize| match stone(&format!("{row},{column}")) {
                Some(0) => 'r',
                Some(_) => 'b',
                None => '.',
            };
            let row = |row| (0..size).map(|column| letter(row, column)).collect::<String>();
            Ok((0..size).map(row).collect::<Vec<_>>().join("/"))
        }
        _ => {
            let mut setup = Setup::new(empty.size());
            for (cells, side) in [(first, Player::First), (second, Player::Second)] {
                for cell in cells {
                    setup.stones[side].insert(empty.read_cell(cell, notation)?);
                }
            }
            let position = setup.position().map_err(|error| Fault::new("position", error.to_string()))?;
            Ok(position.position_text())
        }
    }
}

/// A link to write as SGF.
#[derive(Deserialize)]
struct Linked {
    link: String,
}

async fn sgf(State(app): State<ServerApp>, Json(request): Json<Linked>) -> Result<Response, Refused> {
    let registry = app.registry().clone();
    let text = compute(&app, move || request.link.parse::<AnalysisLink>()?.sgf(&registry)).await?;
    Ok(([(header::CONTENT_TYPE, "application/x-go-sgf; charset=utf-8")], text).into_response())
}

/// The time after which a page without JavaScript has its move.
pub(crate) const QUICK: Duration = Duration::from_millis(700);
