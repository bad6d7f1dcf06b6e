//! `/api/records`, `/records/ID.FORMAT`, `/api/statistics`, `/api/ratings`.

use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;

use super::api::{no_game, view_json};
use super::{Caller, ServerFault, with_most_body};
use crate::analysis::{Refused, compute};
use crate::records::{Filter, Imported, Page, imported, list, rogers, sgf};
use crate::results::{Rated, Statistics};
use crate::{ServerApp, keys};

/// The greatest file of a record, in bytes.
const MOST_RECORD: usize = 1 << 20;

pub(super) fn routes() -> Router<ServerApp> {
    Router::new()
        .route("/api/records", with_most_body(get(page).post(read), MOST_RECORD))
        .route("/records/{name}", get(record))
        .route("/api/statistics", get(counts))
        .route("/api/ratings", get(ranks))
}

async fn page(State(app): State<ServerApp>, Query(filter): Query<Filter>) -> Result<Json<Page>, ServerFault> {
    Ok(Json(list(app.store(), app.registry(), &filter).await??))
}

async fn read(
    State(app): State<ServerApp>,
    player: Caller,
    body: Bytes,
) -> Result<(StatusCode, Caller, Json<Imported>), ServerFault> {
    let registry = app.registry().clone();
    let judged = compute(&app, move || imported(&registry, &body)).await;
    let (imported, store) = judged.map_err(|Refused(fault)| ServerFault::from(fault))?;
    app.store().write(store).await?;
    Ok((StatusCode::CREATED, player, Json(imported)))
}

/// The record of a game as SGF, as JSON, or as text in the form of Rogers' appendix B.
async fn record(State(app): State<ServerApp>, Path(name): Path<String>) -> Result<Response, ServerFault> {
    let (id, format) = name.split_once('.').unwrap_or((&name, ""));
    let view = if keys::is_id(id) { app.view(id).await? } else { None };
    let view = view.ok_or_else(|| no_game(id))?;
    match format {
        "sgf" => {
            Ok(([(header::CONTENT_TYPE, "application/x-go-sgf; charset=utf-8")], sgf(&view)?).into_response())
        }
        "txt" => Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], rogers(&view)?).into_response()),
        "json" => Ok(Json(view_json(&view)).into_response()),
        _ => Err(ServerFault::missing("a record is .sgf, .txt or .json")),
    }
}

#[derive(Deserialize)]
struct Of {
    game: Option<String>,
    size: Option<u8>,
}

async fn counts(
    State(app): State<ServerApp>,
    Query(of): Query<Of>,
) -> Result<Json<Vec<Statistics>>, ServerFault> {
    let all = app.results().statistics(app.store()).await?;
    let asked = |one: &&Statistics| of.game.as_ref().is_none_or(|game| *game == one.game);
    Ok(Json(all.iter().filter(asked).cloned().collect()))
}

async fn ranks(State(app): State<ServerApp>, Query(of): Query<Of>) -> Result<Json<Vec<Rated>>, ServerFault> {
    let game = app.registry().game(of.game.as_deref().unwrap_or("havannah"))?.clone();
    let rated = app.results().ratings(app.store(), &game, of.size).await?;
    Ok(Json(rated.to_vec()))
}
