//! Pages for persons, as HTML that needs no JavaScript.

pub(crate) mod board;
mod plain;
mod play;
mod records;
pub(crate) mod shell;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use maud::{Markup, html};
use serde::{Deserialize as _, Deserializer};
use stonework_board::Board;
use stonework_session::{Fault, GameType, Session, Start};

use crate::ServerApp;
use crate::analysis::{Refused, compute};
use crate::link::AnalysisLink;
use board::{Look, Shown};

pub(crate) fn routes() -> Router<ServerApp> {
    Router::new()
        .route("/", get(play::home))
        .route("/play/{game}", get(play::intro).post(play::begin))
        .route("/g/{id}", get(play::game).post(play::order))
        .route("/a", get(analysis))
        .route("/a/{game}/{start}", get(still))
        .route("/a/{game}/{start}/{moves}", get(still))
        .route("/r", get(records::records))
        .route("/b", get(plain::games))
        .route("/b/{game}", get(plain::game))
        .route("/help", get(help))
        .route("/assets/themes.css", get(themes))
}

/// The box of a form: on if the field is there, as a browser sends it, unless it says no (`false`, `off`, `no`, `0`, nothing).
pub(crate) fn ticked<'de, D: Deserializer<'de>>(field: D) -> Result<bool, D::Error> {
    let text = String::deserialize(field)?;
    Ok(!["", "0", "false", "no", "off"].contains(&text.as_str()))
}

/// The rules of a game in a few sentences, with a picture of its first position.
pub(crate) fn introduction(game: &GameType) -> Markup {
    let description = game.description();
    let size = description.usual_size.min(5);
    let start = Start::of_size(size.into());
    let rules = game.start(&start).map(|position| position.rules()).unwrap_or_default();
    html! {
        details {
            summary { "The rules" }
            @for rule in rules { p { (rule) } }
        }
    }
}

/// A small picture of a position.
pub(crate) fn small(session: Session) -> Markup {
    match Shown::new(session, None, &Look::default()) {
        Ok(shown) => html! { div .board { (maud::PreEscaped(shown.picture())) } },
        Err(fault) => html! { p { (fault) } },
    }
}

/// The colours of the pictures in other themes.
async fn themes() -> impl IntoResponse {
    static CSS: std::sync::LazyLock<String> = std::sync::LazyLock::new(board::theme_css);
    (
        [(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, "max-age=3600")],
        CSS.as_str(),
    )
}

async fn analysis(State(app): State<ServerApp>) -> Response {
    let of = app.clone();
    let link = AnalysisLink::new("havannah", Start { swap: true, ..Start::of_size(8) });
    compute(&app, move || analysis_page(&of, &link)).await.unwrap_or_else(Refused::into_response)
}

/// An analysis whose moves are in the path: the server draws it, so that a pasted address shows the position.
async fn still(State(app): State<ServerApp>, Path(path): Path<Vec<String>>) -> Response {
    let mut text = format!("1/{}", path.join("/"));
    if path.len() == 2 {
        text.push('/');
    }
    let of = app.clone();
    let page = compute(&app, move || {
        let mut link: AnalysisLink = text.parse()?;
        link.check(of.registry())?;
        analysis_page(&of, &link)
    });
    page.await.unwrap_or_else(|Refused(fault)| {
        let body =
            html! { h1 { "This link cannot be read" } p { (fault) } p { a href="/a" { "An empty board" } } };
        (axum::http::StatusCode::UNPROCESSABLE_ENTITY, shell::page("Refused – Stonework", &body))
            .into_response()
    })
}

fn analysis_page(app: &ServerApp, link: &AnalysisLink) -> Result<Response, Fault> {
    let session = link.session(app.registry().clone(), link.shown)?;
    let marks = link.nodes[link.shown].marks.clone();
    let shown = Shown::new(session, None, &Look { marks, ..Look::default() })?;
    let button = |id: &str, text: &str, label: &str| html! { button type="button" id=(id) aria-label=(label) title=(label) { (text) } };
    let check = |id: &str, text: &str| html! { label { input type="checkbox" id=(id); " " (text) } };
    let body = html! {
        h1 { "Analyse" }
        noscript { p .card { "This page needs JavaScript for moves and searches. " a href="/b" { "The plain pages" } " play without it. Here is the position of the link." } }
        div .play {
            div {
                (shown.board())
                p #say role="status" aria-live="polite" {}
                p #standing { (shown.session.position().standing()) }
                div .row {
                    (button("begin", "«", "first position"))
                    (button("back", "‹", "one move back"))
                    (button("on", "›", "one move on"))
                    (button("end", "»", "last position"))
                    (button("remove", "✕", "remove this move and its variations"))
                    span #swap-move .row {}
                }
                div .row {
                    (check("numbers", "numbers"))
                    (check("strokes", "strokes"))
                    span #layers .row {}
                    label { "notation " select #notation {} }
                }
                ul #findings {}
            }
            div {
                section .card aria-label="search" {
                    div .row {
                        button #live .main type="button" aria-pressed="false" { "Analyse" }
                        label { "engine " select #engine {} }
                    }
                    div .row {
                        label { "at most " input #limit type="number" min="1" max="400" size="4"; " moves" }
                        (check("hide", "hide until I have moved"))
                    }
                    p #about {}
                    div .scroll tabindex="0" role="region" aria-label="candidates" {
                        table {
                            thead { tr { th scope="col" { "move" } th scope="col" { "value" } th scope="col" { "visits, plies" } th scope="col" { "source" } th scope="col" { "line, reason" } } }
                            tbody #candidates {}
                        }
                    }
                }
                section #proofs .card aria-label="proof" hidden {
                    div .row {
                        button #values type="button" { "Values by proof" }
                        select #proof aria-label="certificate" {}
                        button #verify type="button" { "Check this proof" }
                    }
                }
                section .card aria-label="moves" {
                    div .scroll tabindex="0" role="region" aria-label="list of moves" {
                        table {
                            thead { tr { th scope="col" { "move" } th #first scope="col" { "first" } th #second scope="col" { "second" } } }
                            tbody #moves {}
                        }
                    }
                    div hidden { svg #graph viewBox="-6 -2 312 104" preserveAspectRatio="none" role="img" aria-label="value through the game: the first player's is up" {} }
                    div .row {
                        button #review type="button" { "Review the game" }
                        label { input #seconds type="number" min="0.05" max="10" step="0.05" value="0.5"; " s a position" }
                    }
                    ol #mistakes {}
                }
                section .card aria-label="comment" {
                    label for="comment" { "Comment on this position:" }
                    textarea #comment rows="2" {}
                }
                (new_board(app))
                section .card aria-label="files and links" {
                    div .row {
                        button #copy type="button" { "Copy the link" }
                        button #save type="button" { "Save SGF" }
                        label { "open SGF " input #file type="file" accept=".sgf,.hgf,.txt"; }
                    }
                    label for="paste" { "A link, SGF, or moves in any notation:" }
                    textarea #paste rows="3" spellcheck="false" {}
                    button #load type="button" { "Read this text" }
                }
            }
        }
    };
    let link = link.to_string();
    Ok(shell::with_script("Analyse – Stonework", Some("analysis.js"), Some(&link), &body).into_response())
}

/// The part of the analysis page that begins another board.
fn new_board(app: &ServerApp) -> Markup {
    html! {
                section .card aria-label="board" {
                    div .row {
                        select #game aria-label="game" {
                            @for game in app.registry().games() {
                                option value=(game.name()) data-size=(game.description().usual_size) { (game.name()) }
                            }
                        }
                        label { "size " input #size type="number" min="1" max="20" value="8"; }
                        label { input type="checkbox" id="swap"; " swap" }
                        button #new type="button" { "New board" }
                    }
                    div .row {
                        button #setup type="button" aria-pressed="false" { "Set up stones" }
                        label { "to move " select #mover {} }
                    }
                }
    }
}

async fn help() -> Markup {
    let keys = [
        ("arrows, or q w a s z x", "go from cell to cell"),
        ("Enter, space", "play on the cell; in Cover choose the stone, then its place"),
        ("Shift+Enter, Shift+click, right click", "mark the cell (analysis)"),
        ("space, h", "analyse, freeze"),
        ("1 to 9", "show the line of a candidate as ghosts"),
        ("p", "hide the findings until you have moved"),
        ("v", "values by proof"),
        ("t, m, l, f", "layers: threats, must-play, links, frames"),
        ("n", "numbers of moves"),
        (", and . or the arrows", "one move back or on; Home and End"),
    ];
    let body = html! {
        h1 { "Help" }
        h2 { "Keys" }
        table { tbody { @for (key, about) in keys { tr { th scope="row" { (key) } td { (about) } } } } }
        h2 { "Where a number is from" }
        p { "rules: the position alone shows it. proof: a certificate has it, and the server has checked the certificate by the rules. solver: a search has proved it. estimate: a search believes it." }
        h2 { "Boards" }
        p { "Havannah has sizes 2 to " (Board::hexagon(20).map_or(20, Board::size)) ". The address of an analysis has the whole analysis, and the server stores nothing of it." }
    };
    shell::page("Help – Stonework", &body)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::body::Body;
    use axum::http::{Request, StatusCode};
    use tokio::time::{sleep, timeout};
    use tower::ServiceExt as _;

    use super::*;

    /// Pages with a picture are work for some moments: they were made on the threads that answer requests, and a few long games kept all
    /// others waiting.
    #[tokio::test]
    async fn pages_with_pictures_wait_for_their_places() {
        let folder = std::env::temp_dir().join(format!("stonework-pages-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let config = crate::Config { data: folder.join("games.db"), ..crate::Config::default() };
        let app = ServerApp::open(config).await.unwrap();
        let clock = crate::ClockSettings::default();
        let settings = crate::GameSettings { game: "cover".to_owned(), size: 2, swap: false, clock };
        let opponent = crate::Opponent::Engine("cover-level-1".to_owned());
        let side = Some(stonework_game::Player::First);
        let game = format!("/g/{}", app.open_game("ann", settings, side, opponent).await.unwrap());
        for address in ["/a", "/a/havannah/8", "/a/havannah/8/d4.e5", "/b/cover?moves=", "/", &game] {
            let mut places = Vec::new();
            while let Ok(place) = timeout(Duration::from_millis(50), app.pages().permit()).await {
                places.push(place);
            }
            let request = Request::get(address).header("host", "localhost").body(Body::empty()).unwrap();
            let shown = tokio::spawn(crate::http::router(app.clone()).oneshot(request));
            sleep(Duration::from_millis(300)).await;
            assert!(!shown.is_finished(), "{address}");
            drop(places);
            assert_eq!(shown.await.unwrap().unwrap().status(), StatusCode::OK, "{address}");
        }
        drop(app);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
