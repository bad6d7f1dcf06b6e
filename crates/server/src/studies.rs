//! Studies: a shared tree in which persons say which side wins at a position. The claims back up to the first position by themselves,
//! over a graph in which transpositions and symmetric positions are one. The claims of persons and the values by rules and proofs are two
//! columns; a claim that an exact value contradicts shows its refutation.
//!
//! | address | page |
//! |---|---|
//! | `GET /s`, `POST /s` | the studies; begins a study |
//! | `GET /s/ID?at=MOVES` | a position of a study |
//! | `POST /s/ID` | adds a claim |
//!
//! The pages need no JavaScript.

mod graph;

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::extract::{Form, Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Json, Router};
use maud::{Markup, html};
use rusqlite::OptionalExtension;
use serde::{Deserialize, Serialize};
use stonework_board::{CellClass, Overlay};
use stonework_game::{Game, Player};
use stonework_session::{Fault, GameType, Session, Start};

use crate::analysis::{Refused, compute};
use crate::pages::board::{Look, Shown};
use crate::pages::shell;
use crate::{ServerApp, StoreError};
use graph::{Graph, MoverValue, Node, key};

/// The greatest number of studies.
const MOST_STUDIES: usize = 10_000;

/// The greatest number of claims in a study.
const MOST_CLAIMS: usize = 500;

/// The greatest number of moves to a claim.
const MOST_MOVES: usize = 400;

/// The greatest number of positions in a graph.
const MOST_POSITIONS: usize = 4000;

/// The greatest number of characters of a title.
const TITLE: usize = 80;

/// The greatest number of characters of a name.
const NAME: usize = 24;

pub(crate) fn routes() -> Router<ServerApp> {
    Router::new().route("/s", get(list).post(begin)).route("/s/{id}", get(show).post(claim))
}

/// A study as the database has it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Study {
    title: String,
    game: String,
    start: Start,
    claims: Vec<Claim>,
}

/// A claim of a person about a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Claim {
    /// The moves to the position.
    line: Vec<String>,
    /// The name of the side that wins, `draw`, or `unknown`.
    #[serde(rename = "claim")]
    outcome: String,
    by: String,
    /// Milliseconds since 1970.
    at: u64,
}

fn refused(status: StatusCode, what: &str) -> Response {
    let body = html! { h1 { "Refused" } p { (what) } p { a href="/s" { "All studies" } } };
    (status, shell::page("Refused – Stonework", &body)).into_response()
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`")]
fn store(error: StoreError) -> Response {
    refused(StatusCode::SERVICE_UNAVAILABLE, &error.to_string())
}

/// The beginning of a text, in one line.
fn short(text: &str, most: usize) -> String {
    text.chars().filter(|c| !c.is_control()).take(most).collect::<String>().trim().to_owned()
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// The studies, the one that changed last first, with their titles.
async fn list(State(app): State<ServerApp>) -> Response {
    let found = app.store().read(|database| {
        let sql = "SELECT id, title, game, claims FROM study ORDER BY changed_at DESC LIMIT 100";
        let mut statement = database.prepare_cached(sql)?;
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        statement.query_map([], row)?.collect::<rusqlite::Result<Vec<(String, String, String, i64)>>>()
    });
    let studies = match found.await {
        Ok(studies) => studies,
        Err(error) => return store(error),
    };
    let body = html! {
        h1 { "Studies" }
        p { "A study is a tree that persons share. Each person says which side wins at a position; the claims back up to the first position. Positions that are equal by transposition or symmetry are one position." }
        ul {
            @for (id, title, game, claims) in &studies {
                li { a href={ "/s/" (id) } { (title) } " – " (game) ", " (claims) " claims" }
            }
        }
        form method="post" action="/s" .card {
            h2 { "Begin a study" }
            p .row {
                label { "title " input name="title" required maxlength=(TITLE); }
                label { "game " select name="game" { @for name in app.registry().names() { option { (name) } } } }
                label { "size " input type="number" name="size" min="1" max="20" value="4" required; }
                label { input type="checkbox" name="swap"; " right to swap" }
                button .main { "Begin" }
            }
            p { label { "or the text of a position: " input name="position" size="50"; } }
        }
    };
    shell::page("Studies – Stonework", &body).into_response()
}

#[derive(Deserialize)]
struct NewStudy {
    title: String,
    game: String,
    size: u64,
    #[serde(default, deserialize_with = "crate::pages::ticked")]
    swap: bool,
    #[serde(default)]
    position: String,
}

async fn begin(State(app): State<ServerApp>, Form(form): Form<NewStudy>) -> Response {
    let description = app.registry().game(&form.game).map(GameType::description);
    let swap = form.swap && description.is_ok_and(|description| description.swaps);
    let start = match form.position.trim() {
        "" => Start { swap, ..Start::of_size(form.size) },
        text => Start { position: Some(text.to_owned()), ..Start::default() },
    };
    if let Err(fault) = Session::new(app.registry().clone(), &form.game, &start, None) {
        return refused(StatusCode::UNPROCESSABLE_ENTITY, &fault.to_string());
    }
    let title = short(&form.title, TITLE);
    if title.is_empty() {
        return refused(StatusCode::UNPROCESSABLE_ENTITY, "a study needs a title");
    }
    let mut bytes = [0; 8];
    if getrandom::fill(&mut bytes).is_err() {
        return refused(StatusCode::SERVICE_UNAVAILABLE, "the machine has no random numbers");
    }
    let letter = |&byte: &u8| char::from(b"abcdefghijklmnopqrstuvwxyz012345"[usize::from(byte % 32)]);
    let id: String = bytes.iter().map(letter).collect();
    // The first position is in the graph from the beginning.
    let first = Claim { line: Vec::new(), outcome: "unknown".to_owned(), by: String::new(), at: now() };
    let study = Study { title, game: form.game, start, claims: vec![first] };
    let (body, new) = (serde_json::json!(study).to_string(), id.clone());
    let Study { title, game, .. } = study;
    let added = app.store().write(move |database| {
        let count: i64 = database.query_row("SELECT count(*) FROM study", [], |row| row.get(0))?;
        if count >= MOST_STUDIES as i64 {
            return Ok(false);
        }
        let sql = "INSERT INTO study (id, made_at, changed_at, body, title, game, claims) \
                   VALUES (?1, ?2, ?2, ?3, ?4, ?5, 1)";
        database.execute(sql, rusqlite::params![new, now() as i64, body, title, game])?;
        Ok(true)
    });
    match added.await {
        Ok(true) => Redirect::to(&format!("/s/{id}")).into_response(),
        Ok(false) => {
            refused(StatusCode::TOO_MANY_REQUESTS, &format!("there are {MOST_STUDIES} studies, the most"))
        }
        Err(error) => store(error),
    }
}

/// A study of the database; `None` for an id that there is not.
async fn read(app: &ServerApp, id: &str) -> Result<Option<Study>, Response> {
    let id = id.to_owned();
    let sql = "SELECT body FROM study WHERE id = ?1";
    let found = app
        .store()
        .read(move |database| database.query_row(sql, [id], |row| row.get::<_, String>(0)).optional());
    let body = found.await.map_err(store)?;
    Ok(body.and_then(|body| serde_json::from_str(&body).ok()))
}

/// The position of a study that is shown.
#[derive(Deserialize, Default)]
#[serde(default)]
struct At {
    at: String,
    /// `json` for the values as data.
    form: String,
}

fn parts(line: &str) -> Vec<String> {
    line.split('.').filter(|mv| !mv.is_empty()).map(str::to_owned).collect()
}

async fn show(State(app): State<ServerApp>, Path(id): Path<String>, Query(at): Query<At>) -> Response {
    let study = match read(&app, &id).await {
        Ok(Some(study)) => study,
        Ok(None) => return refused(StatusCode::NOT_FOUND, "there is no such study"),
        Err(response) => return response,
    };
    let of = app.clone();
    let page = compute(&app, move || page(&of, &id, &study, &at));
    match page.await {
        Ok(page) => page,
        Err(Refused(fault)) => refused(StatusCode::UNPROCESSABLE_ENTITY, &fault.to_string()),
    }
}

/// A move of the position that is shown, with the values of the next position.
struct Row {
    mv: String,
    exact: Option<&'static str>,
    claimed: Option<&'static str>,
    lines: usize,
}

fn page(app: &ServerApp, id: &str, study: &Study, at: &At) -> Result<Response, Fault> {
    let graph = Graph::new(app, study)?;
    let mut session = Session::new(app.registry().clone(), &study.game, &study.start, None)?;
    session.play_all(&parts(&at.at))?;
    let sides = session.game().description().sides;
    let mover = session.position().to_move();
    let (line, here) = (session.moves(), graph.0.get(&key(&session)));
    let mut rows = Vec::new();
    let mut overlay = Overlay::new();
    for mv in session.legal() {
        let mut after = session.fork();
        after.play(&mv)?;
        let Some(node) = graph.0.get(&key(&after)) else { continue };
        let next = after.position().to_move();
        let named = |value: Option<MoverValue>| value.map(|value| value.name(sides, next));
        let row = Row { exact: named(node.exact), claimed: named(node.claimed), lines: node.lines, mv };
        if let Some(cell) = after.last_move().and_then(|mv| session.position().place_of(mv)) {
            let letter = |name: &'static str| name.get(..1).unwrap_or_default().to_uppercase();
            let (claimed, exact) = (row.claimed.map(letter), row.exact.map(letter));
            let label = match (&exact, &claimed) {
                (Some(exact), _) => format!("{exact}!"),
                (None, Some(claimed)) => claimed.clone(),
                (None, None) => "?".to_owned(),
            };
            let class = match row.exact.or(row.claimed) {
                Some(side) if side == sides[0] => CellClass::Light,
                Some(side) if side == sides[1] => CellClass::Dark,
                _ => CellClass::Shared,
            };
            overlay = overlay.label(cell, label).class([cell], class);
        }
        rows.push(row);
    }
    let name = |value: Option<MoverValue>| value.map_or("unknown", |value| value.name(sides, mover));
    let refutations = here.map(|node| refutations(node, &rows, study, sides, mover)).unwrap_or_default();
    if at.form == "json" {
        let moves: BTreeMap<_, _> =
            rows.iter().map(|row| (row.mv.clone(), (row.exact, row.claimed))).collect();
        return Ok(Json(serde_json::json!({
            "exact": name(here.and_then(|node| node.exact)),
            "claimed": name(here.and_then(|node| node.claimed)),
            "positions": graph.0.len(),
            "moves": moves,
            "refuted": refutations,
        }))
        .into_response());
    }
    let to = |line: &[String]| format!("/s/{id}?at={}", line.join("."));
    let shown = Shown::new(session, None, &Look::default())?.with(overlay);
    let link = |cell: &str| {
        let legal = shown.legal.iter().find(|legal| legal.cell.as_deref() == Some(cell))?;
        Some(to(&[&line[..], std::slice::from_ref(&legal.mv)].concat()))
    };
    let body = html! {
        h1 { (study.title) }
        p { (study.game) ", " (graph.0.len()) " positions, transpositions and symmetric positions are one. " a href="/s" { "All studies" } }
        div .play {
            (shown.board_of_links(link))
            div {
                section .card aria-label="position" {
                    p { @if line.is_empty() { "The first position" } @else { "After " (line.join(" ")) } ", " (sides[mover.index()]) " to move." }
                    @if let Some((_, up)) = line.split_last() { p { a href=(to(up)) { "One move back" } } }
                    table {
                        tbody {
                            tr { th scope="row" { "by claims" } td #claimed { (name(here.and_then(|node| node.claimed))) } }
                            tr { th scope="row" { "by rules and proofs" } td #exact { (name(here.and_then(|node| node.exact))) } }
                        }
                    }
                    @if let Some((_, source)) = here.and_then(|node| node.known.as_ref()) { p { (source) } }
                    @for text in &refutations { p .bad { (text) } }
                }
                (claims(study, here, sides, id, &line))
                section .card aria-label="moves" {
                    h2 { "Moves of the study" }
                    (table_of(&rows, |mv| to(&[&line[..], &[mv.to_owned()]].concat())))
                    p { "Every other legal move is a link in the picture. A claim about the position after it adds it to the study." }
                }
                section .card aria-label="legal moves" {
                    details { summary { "All legal moves" }
                        ul .moves { @for legal in &shown.legal { li { a href=(to(&[&line[..], std::slice::from_ref(&legal.mv)].concat())) { (legal.mv) } } } }
                    }
                }
            }
        }
    };
    Ok(shell::page(&format!("{} – Stonework", study.title), &body).into_response())
}

/// The sentences about claims that an exact value contradicts, or that later claims contradict.
fn refutations(
    node: &Node,
    rows: &[Row],
    study: &Study,
    sides: [&'static str; 2],
    mover: Player,
) -> Vec<String> {
    let mut sentences = Vec::new();
    for &(index, value) in &node.claims {
        let Some(value) = value else { continue };
        let claim = &study.claims[index];
        let (against, source) = match (node.exact, node.claimed) {
            (Some(exact), _) if exact != value => (exact, "rules and proofs"),
            (None, Some(claimed)) if claimed != value => (claimed, "later claims"),
            _ => continue,
        };
        let winner = against.name(sides, mover);
        let by_move = rows.iter().find(|row| row.exact.or(row.claimed) == Some(winner)).map(|row| &row.mv);
        let refutation =
            by_move.filter(|_| against != MoverValue::Loss).map_or(String::new(), |mv| format!(" by {mv}"));
        sentences.push(format!(
            "The claim “{}” of {} is refuted by {source}: {winner}{refutation}.",
            claim.outcome, claim.by
        ));
    }
    sentences
}

/// The claims about a position, and the form for another claim.
fn claims(study: &Study, here: Option<&Node>, sides: [&'static str; 2], id: &str, line: &[String]) -> Markup {
    let known = here.map(|node| &node.claims[..]).unwrap_or_default();
    html! {
        section .card aria-label="claims" {
            h2 { "Claims" }
            ul #claims { @for claim in known.iter().map(|&(index, _)| &study.claims[index]).filter(|claim| !claim.by.is_empty()) {
                li { (claim.by) ": " (claim.outcome) @if claim.line != line { " (as " (claim.line.join(" ")) ")" } }
            } }
            form method="post" action={ "/s/" (id) } .row {
                input type="hidden" name="at" value=(line.join("."));
                label { "your name " input name="by" required maxlength=(NAME) size="10"; }
                label { "with best play " select name="claim" {
                    option value="unknown" { "unknown" }
                    @for side in sides { option value=(side) { (side) " wins" } }
                    option value="draw" { "a draw" }
                } }
                button .main { "Claim" }
            }
        }
    }
}

fn table_of(rows: &[Row], address: impl Fn(&str) -> String) -> Markup {
    html! {
        table {
            thead { tr { th scope="col" { "move" } th scope="col" { "claims" } th scope="col" { "exact" } th scope="col" { "lines" } } }
            tbody #rows { @for row in rows {
                tr {
                    th scope="row" { a href=(address(&row.mv)) { (row.mv) } }
                    td { (row.claimed.unwrap_or("unknown")) }
                    td { (row.exact.unwrap_or("unknown")) }
                    td { (row.lines) }
                }
            } }
        }
    }
}

#[derive(Deserialize)]
struct NewClaim {
    #[serde(default)]
    at: String,
    claim: String,
    by: String,
}

async fn claim(State(app): State<ServerApp>, Path(id): Path<String>, Form(form): Form<NewClaim>) -> Response {
    let study = match read(&app, &id).await {
        Ok(Some(study)) => study,
        Ok(None) => return refused(StatusCode::NOT_FOUND, "there is no such study"),
        Err(response) => return response,
    };
    let new = Claim { line: parts(&form.at), outcome: form.claim, by: short(&form.by, NAME), at: now() };
    let checked = {
        let (of, new) = (app.clone(), new.clone());
        compute(&app, move || check(&of, study, new))
    };
    let new = match checked.await {
        Ok(new) => new,
        Err(Refused(fault)) => return refused(StatusCode::UNPROCESSABLE_ENTITY, &fault.to_string()),
    };
    let (place, line) = (id.clone(), new.line.join("."));
    // Another person may have added a claim since: the claim is added to the study as it is now.
    let added = app.store().write(move |database| {
        let body: String =
            database.query_row("SELECT body FROM study WHERE id = ?1", [&place], |row| row.get(0))?;
        let Ok(mut study) = serde_json::from_str::<Study>(&body) else { return Ok(false) };
        if study.claims.len() >= MOST_CLAIMS {
            return Ok(false);
        }
        study.claims.push(new);
        let body = serde_json::json!(study).to_string();
        database.execute(
            "UPDATE study SET body = ?2, changed_at = ?3, claims = ?4 WHERE id = ?1",
            rusqlite::params![place, body, now() as i64, study.claims.len() as i64],
        )?;
        Ok(true)
    });
    match added.await {
        Ok(true) => Redirect::to(&format!("/s/{id}?at={line}")).into_response(),
        Ok(false) => {
            let what = format!("the study has {MOST_CLAIMS} claims, the most");
            refused(StatusCode::TOO_MANY_REQUESTS, &what)
        }
        Err(error) => store(error),
    }
}

/// Checks a claim: a name, a line of legal moves, a side, and a study that stays within its limits.
fn check(app: &ServerApp, mut study: Study, mut new: Claim) -> Result<Claim, Fault> {
    let fault = |what: String| Fault::new("study", what);
    if new.by.is_empty() {
        return Err(fault("a claim needs the name of a person".to_owned()));
    }
    if new.line.len() > MOST_MOVES {
        return Err(fault(format!("{} moves: at most {MOST_MOVES}", new.line.len())));
    }
    let mut session = Session::new(app.registry().clone(), &study.game, &study.start, None)?;
    let description = session.game().description();
    if description.player(&new.outcome).is_none() && !["draw", "unknown"].contains(&new.outcome.as_str()) {
        let [first, second] = description.sides;
        let head = stonework_game::text::head(&new.outcome).to_string();
        return Err(fault(format!("`{head}` is no claim: {first}, {second}, draw or unknown")));
    }
    session.play_all(&new.line)?;
    new.line = session.moves();
    study.claims.push(new.clone());
    Graph::new(app, &study)?;
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page of a study waits for a place to compute: the graph of a study is work for some moments.
    #[tokio::test]
    async fn a_page_of_a_study_waits_for_its_place() {
        let folder = std::env::temp_dir().join(format!("stonework-study-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let config = crate::Config { data: folder.join("games.db"), ..crate::Config::default() };
        let app = ServerApp::open(config).await.unwrap();
        let study = Study {
            title: "one".to_owned(),
            game: "havannah".to_owned(),
            start: Start::of_size(4),
            claims: Vec::new(),
        };
        let body = serde_json::json!(study).to_string();
        let sql = "INSERT INTO study (id, made_at, changed_at, body) VALUES ('abcdefgh', 0, 0, ?1)";
        app.store().write(move |database| database.execute(sql, [body])).await.unwrap();
        let mut places = Vec::new();
        while let Ok(place) =
            tokio::time::timeout(std::time::Duration::from_millis(50), app.pages().permit()).await
        {
            places.push(place);
        }
        let shown = tokio::spawn(show(State(app.clone()), Path("abcdefgh".to_owned()), Query(At::default())));
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        assert!(!shown.is_finished());
        drop(places);
        assert_eq!(shown.await.unwrap().status(), StatusCode::OK);
        drop(app);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
