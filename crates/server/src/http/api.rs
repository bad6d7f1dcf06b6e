//! `/api/players`, `/api/games`, `/api/offers`, `/api/engines`: what the page and bots ask for.

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use stonework_session::Fault;

use super::identity::cookie;
use super::rate::Client;
use super::{Caller, ServerFault, Visitor};
use crate::table::{ClockSettings, GameSettings, GameView, Order, Proposal, TableEnd};
use crate::{Offer, Opponent, ServerApp, keys};

pub(super) fn routes() -> Router<ServerApp> {
    Router::new()
        .route("/api/players", post(register))
        .route("/api/players/me", get(me).delete(forget))
        .route("/api/engines", get(engines))
        .route("/api/offers", get(offers))
        .route("/api/games", get(games).post(open))
        .route("/api/games/{id}", get(game).post(order).delete(withdraw))
        .route("/api/ports", get(ports).post(wait_on_port))
        .route("/api/games/{id}/accept", post(accept))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Registration {
    name: String,
}

async fn register(
    State(app): State<ServerApp>,
    client: Option<Extension<Client>>,
    Json(body): Json<Registration>,
) -> Result<Response, ServerFault> {
    if app.engines().iter().any(|engine| engine.name.eq_ignore_ascii_case(&body.name)) {
        let what = format!("{}: the name of an engine of this server", body.name);
        return Err(ServerFault::new(StatusCode::UNPROCESSABLE_ENTITY, "name", what));
    }
    app.rates().new_player(client.as_deref())?;
    match keys::register(app.store(), &body.name).await? {
        Err(fault) => Err(ServerFault::new(StatusCode::UNPROCESSABLE_ENTITY, "name", fault.to_string())),
        Ok(key) => {
            let cookie = [(header::SET_COOKIE, cookie(&app, &key))];
            Ok((StatusCode::CREATED, cookie, Json(json!({ "name": body.name, "key": key }))).into_response())
        }
    }
}

async fn me(visitor: Visitor) -> Json<Value> {
    Json(json!({ "name": visitor.name }))
}

async fn forget(State(app): State<ServerApp>, visitor: Visitor) -> Result<Response, ServerFault> {
    let Some(name) = visitor.name else { return Err(ServerFault::missing("no player has asked")) };
    if !keys::forget(app.store(), &name).await? {
        let why = format!("{name} has a game that goes on");
        return Err(ServerFault::new(StatusCode::CONFLICT, "player", why));
    }
    app.lobby().withdraw_all(&name);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie(&app, ""))]).into_response())
}

async fn engines(State(app): State<ServerApp>) -> Json<Value> {
    let engine = |engine: &crate::ServerEngine| {
        json!({ "name": engine.name, "player": engine.player, "about": engine.about, "games": engine.games,
                "seconds": engine.seconds, "out": engine.is_out() })
    };
    Json(app.engines().iter().map(engine).collect())
}

fn offer_json(app: &ServerApp, offer: &Offer) -> Value {
    let game = app.registry().game(&offer.settings.game);
    let side = game.ok().zip(offer.side).map(|(game, side)| game.description().side(side));
    json!({ "id": offer.id, "settings": offer.settings, "by": offer.by, "side": side, "port": offer.port })
}

async fn offers(State(app): State<ServerApp>) -> Json<Value> {
    Json(app.lobby().list().iter().map(|offer| offer_json(&app, offer)).collect())
}

/// A game as JSON.
pub(super) fn view_json(view: &GameView) -> Value {
    let side = |player| view.session.game().description().side(player);
    let proposed = view.proposed.map(|(by, proposal)| json!({ "side": side(by), "proposal": proposal }));
    let standing = TableEnd::standing(view.end.as_ref(), view.session.position());
    let end =
        view.end.as_ref().map(|end| json!({ "winner": end.winner, "how": end.how, "cells": end.cells }));
    json!({
        "id": view.id, "settings": view.settings, "seats": view.seats, "moves": view.session.moves(),
        "state": view.session.state(), "standing": standing, "clocks": view.clocks,
        "ticking": view.ticking, "proposed": proposed, "end": end, "last": view.last, "watchers": view.watchers,
    })
}

async fn games(State(app): State<ServerApp>) -> Json<Value> {
    let mut list = Vec::new();
    for table in app.tables() {
        if let Some(game) = table.brief().await {
            list.push(json!({ "id": game.id, "settings": game.settings, "seats": game.seats, "plies": game.plies, "over": game.over }));
        }
    }
    Json(Value::Array(list))
}

async fn game(State(app): State<ServerApp>, Path(id): Path<String>) -> Result<Json<Value>, ServerFault> {
    if let Some(offer) = app.lobby().get(&id) {
        return Ok(Json(json!({ "id": id, "offer": offer_json(&app, &offer) })));
    }
    let view = if keys::is_id(&id) { app.view(&id).await? } else { None };
    view.map(|view| Json(view_json(&view))).ok_or_else(|| no_game(&id))
}

pub(super) fn no_game(id: &str) -> ServerFault {
    let shown: String = id.chars().take(20).collect();
    ServerFault::missing(format!("there is no game {shown}"))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Opening {
    game: String,
    size: Option<u8>,
    #[serde(default)]
    swap: bool,
    #[serde(default)]
    clock: ClockSettings,
    side: Option<String>,
    #[serde(default)]
    engine: Option<String>,
    #[serde(default)]
    friend: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OnPort {
    port: u16,
}

/// A person waits on a port for the next who comes, or meets the one who waits there.
async fn wait_on_port(
    State(app): State<ServerApp>,
    player: Caller,
    Json(body): Json<OnPort>,
) -> Result<Response, ServerFault> {
    let id = app.meet(&player.name, body.port).await?;
    let body = json!({ "id": id, "name": player.name });
    Ok((StatusCode::CREATED, player, Json(body)).into_response())
}

async fn ports(State(app): State<ServerApp>) -> Json<Value> {
    let port = |(number, settings): (u16, GameSettings)| json!({ "port": number, "settings": settings });
    Json(app.ports().into_iter().map(port).collect())
}

async fn open(
    State(app): State<ServerApp>,
    player: Caller,
    Json(body): Json<Opening>,
) -> Result<Response, ServerFault> {
    let game = app.registry().game(&body.game)?.description();
    let side = match &body.side {
        None => None,
        Some(name) => Some(game.player(name).ok_or_else(|| {
            let [first, second] = game.sides;
            let shown: String = name.chars().take(20).collect();
            Fault::new("side", format!("no side is called `{shown}`: `{first}` or `{second}`"))
        })?),
    };
    let size = body.size.unwrap_or(game.usual_size);
    let settings = GameSettings { game: body.game, size, swap: body.swap, clock: body.clock };
    let opponent = match body.engine {
        Some(name) => Opponent::Engine(name),
        None if body.friend => Opponent::Friend,
        None => Opponent::Anyone,
    };
    let id = app.open_game(&player.name, settings, side, opponent).await?;
    let body = json!({ "id": id, "name": player.name });
    Ok((StatusCode::CREATED, player, Json(body)).into_response())
}

async fn accept(
    State(app): State<ServerApp>,
    Path(id): Path<String>,
    player: Caller,
) -> Result<Response, ServerFault> {
    app.accept(&id, &player.name).await?;
    let body = json!({ "id": id, "name": player.name });
    Ok((player, Json(body)).into_response())
}

async fn withdraw(
    State(app): State<ServerApp>,
    Path(id): Path<String>,
    player: Caller,
) -> Result<StatusCode, ServerFault> {
    if app.lobby().withdraw(&id, &player.name) {
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(ServerFault::missing(format!("{} has no open offer with this id", player.name)))
}

/// Gives the order of a player in a game. Returns the number of the last event.
pub(super) async fn give_order(
    app: &ServerApp,
    name: &str,
    id: &str,
    order: Order,
) -> Result<u64, ServerFault> {
    let game = if keys::is_id(id) { app.brief(id).await? } else { None };
    let game = game.ok_or_else(|| no_game(id))?;
    let side = game.side_of(name).ok_or_else(|| {
        ServerFault::new(StatusCode::FORBIDDEN, "seat", format!("{name} does not play in the game {id}"))
    })?;
    // Who has both seats answers the own proposals.
    let alone = game.seats[0] == game.seats[1];
    let side = match (&order, game.proposed) {
        (Order::Accept | Order::Decline, Some((by, _))) if alone => by.other(),
        (Order::Propose { proposal: Proposal::Takeback }, _) if alone => side.other(),
        _ => side,
    };
    Ok(app.order(id, side, order).await?)
}

async fn order(
    State(app): State<ServerApp>,
    Path(id): Path<String>,
    visitor: Visitor,
    Json(body): Json<Order>,
) -> Result<Json<Value>, ServerFault> {
    let name = visitor.name.ok_or_else(|| {
        ServerFault::new(StatusCode::UNAUTHORIZED, "key", "an order needs the key of a player")
    })?;
    let last = give_order(&app, &name, &id, body).await?;
    Ok(Json(json!({ "last": last })))
}
