//! Offers: their number, and the moment in which one becomes a game.

use std::sync::mpsc;

use crate::common::served::{Program, served};
use crate::common::server;
use axum::http::StatusCode;
use serde_json::{Value, json};
use stonework_server::ServerLine;

/// While an accepted offer becomes a game, it is there for who asks for it, and nobody else can take it.
#[tokio::test]
async fn an_offer_is_there_until_its_game_is() {
    let server = server().await;
    let [ann, bob, eve] =
        [server.player("ann").await, server.player("bob").await, server.player("eve").await];
    let opened = server.with_key("POST", "/api/games", &ann, &json!({ "game": "havannah", "size": 4 })).await;
    let id = opened.json()["id"].as_str().unwrap().to_owned();
    let (address, accept) = (format!("/api/games/{id}"), format!("/api/games/{id}/accept"));
    // The thread of the database waits, so that the game is not stored yet.
    let (go, wait) = mpsc::channel::<()>();
    let held = server.app.store().write(move |_| Ok(wait.recv().is_ok()));
    let asked = async {
        tokio::task::yield_now().await;
        // The acceptance waits for its storage now, or has not begun.
        while server.get("/api/offers").await.json() != json!([]) {
            tokio::task::yield_now().await;
        }
        let seen = server.get(&address).await;
        let second = server.with_key("POST", &accept, &eve, &Value::Null).await;
        let back = server.with_key("DELETE", &address, &ann, &Value::Null).await;
        go.send(()).unwrap();
        (seen, second, back)
    };
    let accepted = server.with_key("POST", &accept, &bob, &Value::Null);
    let (held, (seen, second, back), accepted) = tokio::join!(held, asked, accepted);
    assert!(held.unwrap());
    assert_eq!(seen.status, StatusCode::OK, "{}", seen.text());
    assert_eq!(second.status, StatusCode::CONFLICT, "{}", second.text());
    assert_eq!(back.status, StatusCode::NOT_FOUND, "{}", back.text());
    assert_eq!(accepted.status, StatusCode::OK, "{}", accepted.text());
    assert_eq!(server.get(&address).await.json()["seats"].as_array().unwrap().len(), 2);
}

/// An offer whose game cannot be stored is open again.
#[tokio::test]
async fn an_offer_whose_game_does_not_begin_is_open_again() {
    let server = server().await;
    let [ann, bob] = [server.player("ann").await, server.player("bob").await];
    let opened = server.with_key("POST", "/api/games", &ann, &json!({ "game": "havannah", "size": 4 })).await;
    let accept = format!("/api/games/{}/accept", opened.json()["id"].as_str().unwrap());
    for (refuses, status) in [(true, StatusCode::SERVICE_UNAVAILABLE), (false, StatusCode::OK)] {
        let pragma = format!("PRAGMA query_only = {refuses}");
        server.app.store().write(move |connection| connection.execute_batch(&pragma)).await.unwrap();
        let accepted = server.with_key("POST", &accept, &bob, &Value::Null).await;
        assert_eq!(accepted.status, status, "{}", accepted.text());
        let open = server.get("/api/offers").await.json().as_array().unwrap().len();
        assert_eq!(open, usize::from(refuses));
    }
}

/// A player has five open offers, those on ports too. An offer of a player who can begin no game disconnects nobody, and is passed over.
#[tokio::test]
async fn offers_on_a_port_are_limited_and_passed_over() {
    let served = served().await;
    let server = served.requests();
    let [ann, bob, eve] =
        [server.player("ann").await, server.player("bob").await, server.player("eve").await];
    let body = json!({ "port": served.port.port() });
    for _ in 0..5 {
        let waits = server.with_key("POST", "/api/ports", &ann, &body).await;
        assert_eq!(waits.status, StatusCode::CREATED, "{}", waits.text());
    }
    let refused = server.with_key("POST", "/api/ports", &ann, &body).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text());
    assert!(refused.text().contains("5 offers of ann are open: at most 5"), "{}", refused.text());
    // Room for the offers of the ten games.
    let offers = server.get("/api/offers").await.json();
    let id = offers[0]["id"].as_str().unwrap();
    server.with_key("DELETE", &format!("/api/games/{id}"), &ann, &Value::Null).await;
    for _ in 0..10 {
        server.game([&ann, &bob], json!({})).await;
    }
    let mut program = Program::waiting(served.port, "program").await;
    assert_eq!(server.get("/api/offers").await.json().as_array().unwrap().len(), 5);
    let met = server.with_key("POST", "/api/ports", &eve, &body).await;
    assert_eq!(met.status, StatusCode::CREATED, "{}", met.text());
    assert!(matches!(program.next().await, ServerLine::Game { opponent, .. } if opponent == "eve"));
}

/// Players on a port who could not meet when they came meet when one of them has room for a game again.
#[tokio::test]
async fn players_on_a_port_meet_when_a_game_has_ended() {
    let served = served().await;
    let server = served.requests();
    let [ann, bob] = [server.player("ann").await, server.player("bob").await];
    let waits = server.with_key("POST", "/api/ports", &ann, &json!({ "port": served.port.port() })).await;
    let id = waits.json()["id"].as_str().unwrap().to_owned();
    let mut games = Vec::new();
    for _ in 0..10 {
        games.push(server.game([&ann, &bob], json!({})).await);
    }
    let mut program = Program::waiting(served.port, "program").await;
    let (address, resign) = (format!("/api/games/{}", games[0]), json!({ "op": "resign" }));
    let resigned = server.with_key("POST", &address, &ann, &resign).await;
    assert_eq!(resigned.status, StatusCode::OK);
    // The game has the id under which Ann waits.
    let met = program.next().await;
    assert!(
        matches!(&met, ServerLine::Game { id: of, opponent, .. } if *of == id && opponent == "ann"),
        "{met}"
    );
    let game = server.get(&format!("/api/games/{id}")).await;
    assert_eq!(game.json()["seats"].as_array().unwrap().len(), 2, "{}", game.text());
}
