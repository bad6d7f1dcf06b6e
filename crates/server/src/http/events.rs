//! `/api/games/ID/events`: the events of a game as lines of JSON, for bots.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::stream::unfold;
use serde::Deserialize;
use tokio::time::timeout;

use super::api::no_game;
use super::{ServerFault, Visitor};
use crate::{ServerApp, keys};

/// The interval of empty lines in a stream without events, so that both ends notice a broken connection.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

pub(super) fn routes() -> Router<ServerApp> {
    Router::new().route("/api/games/{id}/events", get(events))
}

#[derive(Deserialize)]
struct After {
    after: Option<u64>,
}

async fn events(
    State(app): State<ServerApp>,
    Path(id): Path<String>,
    Query(query): Query<After>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, ServerFault> {
    let last_id = headers.get("last-event-id").and_then(|last| last.to_str().ok()?.parse().ok());
    let after = query.after.or(last_id).unwrap_or(0);
    let watch = if keys::is_id(&id) { app.watch(&id, after).await? } else { None };
    let watch = watch.ok_or_else(|| no_game(&id))?;
    if let Some(name) = visitor.name {
        here(&app, &id, &name).await;
    }
    let lines = unfold(watch, |mut watch| async move {
        let line = match timeout(SIGN_OF_LIFE, watch.next()).await {
            Ok(told) => format!("{}\n", told?.json),
            Err(_) => "\n".to_owned(),
        };
        Some((Ok::<_, Infallible>(Bytes::from(line)), watch))
    });
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    Ok((kind, Body::from_stream(lines)).into_response())
}

/// Tells a game that a player has come back.
pub(super) async fn here(app: &ServerApp, id: &str, name: &str) {
    if let Some(table) = app.table(id)
        && let Some(game) = table.brief().await
        && let Some(side) = game.side_of(name)
    {
        table.presence(side, true).await;
    }
}
