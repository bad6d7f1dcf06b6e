//! The files of `assets/`, compiled into the program. No request reaches a file of the machine.

use axum::Router;
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::not_found;
use crate::ServerApp;

/// A file of the page.
struct Asset {
    name: &'static str,
    kind: &'static str,
    body: &'static [u8],
}

macro_rules! asset {
    ($name:literal, $kind:expr) => {
        Asset { name: $name, kind: $kind, body: include_bytes!(concat!("../../assets/", $name)) }
    };
}

/// The type of modules in JavaScript.
const SCRIPT: &str = "text/javascript; charset=utf-8";

const ASSETS: &[Asset] = &[
    asset!("page.css", "text/css; charset=utf-8"),
    asset!("theme.js", SCRIPT),
    asset!("board.js", SCRIPT),
    asset!("link.js", SCRIPT),
    asset!("analysis.js", SCRIPT),
    asset!("game.js", SCRIPT),
    asset!("lobby.js", SCRIPT),
    asset!("wait.js", SCRIPT),
];

pub(crate) fn routes() -> Router<ServerApp> {
    Router::new().route("/assets/{name}", get(asset))
}

async fn asset(Path(name): Path<String>) -> Response {
    match ASSETS.iter().find(|asset| asset.name == name) {
        Some(asset) => ([(header::CONTENT_TYPE, asset.kind)], asset.body).into_response(),
        None => not_found().await.into_response(),
    }
}
