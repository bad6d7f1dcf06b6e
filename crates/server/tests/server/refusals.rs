//! Every refusal is a JSON object of one form, those that axum makes itself included.

use crate::common::{Answer, request, server};
use axum::body::Body;
use axum::http::{StatusCode, header};
use serde_json::{Value, json};

/// The message of a refusal, whose form is checked.
fn message(answer: &Answer, status: StatusCode, kind: &str) -> String {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "application/json", "{}", answer.text());
    let body = answer.json();
    let message = body["error"]["message"].as_str().unwrap_or_default();
    assert_eq!(body, json!({ "error": { "kind": kind, "message": message, "at": null } }));
    assert!(!message.is_empty());
    message.to_owned()
}

#[tokio::test]
async fn a_body_that_is_not_the_json_asked_for_is_refused_in_json() {
    let server = server().await;
    let key = server.player("ann").await;
    for (kind, body, status, told) in [
        (
            None,
            r#"{"game":"havannah"}"#,
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the request has no `Content-Type`",
        ),
        (
            Some("text/plain"),
            "{}",
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the request has `Content-Type: text/plain`",
        ),
        (Some("application/json"), "{", StatusCode::BAD_REQUEST, "EOF while parsing"),
        (Some("application/json"), "", StatusCode::BAD_REQUEST, "EOF while parsing"),
        (Some("application/json"), r#"{"size":4}"#, StatusCode::UNPROCESSABLE_ENTITY, "missing field `game`"),
        (
            Some("application/json"),
            r#"{"game":"havannah","size":400}"#,
            StatusCode::UNPROCESSABLE_ENTITY,
            "`400`",
        ),
    ] {
        let mut asked = request("POST", "/api/games").header(header::AUTHORIZATION, format!("Bearer {key}"));
        if let Some(kind) = kind {
            asked = asked.header(header::CONTENT_TYPE, kind);
        }
        let answer = server.send(asked.body(Body::from(body)).unwrap()).await;
        let message = message(&answer, status, "request");
        assert!(message.contains(told), "{kind:?} {body}: {message}");
    }
    // A sentence of axum that repeats a long body is cut.
    let long = json!({ "x".repeat(60_000): 1 });
    let answer = server.with_key("POST", "/api/games", &key, &long).await;
    let message = message(&answer, StatusCode::UNPROCESSABLE_ENTITY, "request");
    assert!(message.contains("xxx") && message.len() == 300, "{message}");
    assert_eq!(server.get("/api/offers").await.json(), json!([]));
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused_with_its_limit() {
    let server = server().await;
    let key = server.player("ann").await;
    let text = "x".repeat((1 << 20) + 1);
    for (address, most) in [
        ("/api/players", 64 << 10),
        ("/api/view", 64 << 10),
        ("/api/records", 1 << 20),
        ("/api/read", 1 << 20),
    ] {
        let body = Value::String(text.clone());
        let length = body.to_string().len();
        let answer = server.with_key("POST", address, &key, &body).await;
        let told = message(&answer, StatusCode::PAYLOAD_TOO_LARGE, "request");
        let known = [
            format!("a body of {length} bytes: at most {most} bytes"),
            format!("a longer body: at most {most} bytes"),
        ];
        assert!(known.contains(&told), "{address}: {told}");
    }
}

#[tokio::test]
async fn an_address_that_is_not_understood_is_refused_in_json() {
    let server = server().await;
    let key = server.player("ann").await;
    for (address, told) in [
        ("/api/games/%ff", "UTF-8"),
        ("/api/ratings?size=large", "size"),
        ("/exec", "missing field `cmd`"),
        ("/pic/havannah/4/a1.svg?width=wide", "width"),
        ("/ws", "upgrade"),
    ] {
        let message = message(&server.get(address).await, StatusCode::BAD_REQUEST, "request");
        assert!(message.contains(told), "{address}: {message}");
    }
    for address in ["/nothing", "/api/nothing", "/assets/nothing.js"] {
        message(&server.get(address).await, StatusCode::NOT_FOUND, "missing");
    }
    message(&server.with_key("POST", "/nothing", &key, &Value::Null).await, StatusCode::NOT_FOUND, "missing");
    for (method, address, allowed) in [
        ("PUT", "/api/games", "GET,HEAD,POST"),
        ("DELETE", "/api/records", "GET,HEAD,POST"),
        ("POST", "/metrics", "GET,HEAD"),
    ] {
        let answer = server.with_key(method, address, &key, &Value::Null).await;
        let message = message(&answer, StatusCode::METHOD_NOT_ALLOWED, "request");
        assert!(message.starts_with(method), "{message}");
        assert_eq!(answer.header("allow"), allowed, "{method} {address}");
    }
}

/// Moves that a person pastes are refused with the reason of the board, if there is no board for them.
#[tokio::test]
async fn moves_without_a_board_are_refused_with_the_reason() {
    let server = server().await;
    let key = server.player("ann").await;
    for (game, size, told) in
        [("cachex", None, "neither size nor position is given"), ("havannah", Some(400), "sizes are 2 to 20")]
    {
        let body = json!({ "text": "a1 b2", "game": game, "size": size });
        let answer = server.with_key("POST", "/api/read", &key, &body).await;
        let message = message(&answer, StatusCode::UNPROCESSABLE_ENTITY, "size");
        assert!(message.contains(told), "{message}");
    }
}

/// A search of a page takes one core; by the options of its engine it could take 256 threads.
#[tokio::test]
async fn a_search_of_a_page_has_one_thread() {
    let server = server().await;
    let key = server.player("ann").await;
    for address in ["/api/live", "/api/review"] {
        let body =
            json!({ "game": "havannah", "size": 4, "moves": ["a1"], "engine": "mcts:rave=5,threads=8" });
        let answer = server.with_key("POST", address, &key, &body).await;
        let told = message(&answer, StatusCode::UNPROCESSABLE_ENTITY, "search");
        assert_eq!(told, "threads=8: a search on this server has one");
    }
}
