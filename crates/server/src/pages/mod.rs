//! Pages for persons, as HTML that needs no JavaScript.

mod shell;

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use maud::{Markup, html};

use crate::App;

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/", get(home))
}

async fn home(State(app): State<App>) -> Markup {
    shell::page(
        "Stonework",
        &html! {
            h1 { "Stonework" }
            h2 { "Games" }
            ul {
                @for game in app.registry().games() {
                    li { (game.name()) }
                }
            }
        },
    )
}
