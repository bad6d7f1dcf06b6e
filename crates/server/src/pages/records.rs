//! The page of records: browse, filter, find a position, and the statistics of Bos 1995, appendix D.

use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};

use super::play::refused;
use super::shell;
use crate::ServerApp;
use crate::http::ServerFault;
use crate::records::{Filter, Page, list};
use crate::results::Statistics;

/// The filter as a form sends it: every field is there, and may be empty.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Asked {
    player: String,
    game: String,
    size: String,
    how: String,
    position: String,
    after: String,
}

impl Asked {
    fn filter(&self) -> Result<Filter, String> {
        let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        let wrong = |size: String| format!("size {}: 1 to 255", stonework_game::text::head(&size));
        let size = given(&self.size).map(|size| size.parse().map_err(|_| wrong(size))).transpose()?;
        Ok(Filter {
            player: given(&self.player),
            game: given(&self.game),
            size,
            how: given(&self.how),
            position: given(&self.position),
            after: given(&self.after),
        })
    }
}

pub(super) async fn records(
    State(app): State<ServerApp>,
    Query(asked): Query<Asked>,
) -> Result<Response, ServerFault> {
    let unfit = |why: &str| Ok(refused(axum::http::StatusCode::UNPROCESSABLE_ENTITY, why));
    let filter = match asked.filter() {
        Ok(filter) => filter,
        Err(why) => return unfit(&why),
    };
    let page = match list(app.store(), app.registry(), &filter).await? {
        Ok(page) => page,
        Err(fault) => return unfit(&fault.to_string()),
    };
    let counts = app.results().statistics(app.store()).await?;
    let body = html! {
        h1 { "Records" }
        form method="get" action="/r" .card {
            p .row {
                label { "player " input name="player" size="12" value=(asked.player); }
                label { "game " select name="game" {
                    option value="" { "any" }
                    @for name in app.registry().names() { option value=(name) selected[name == asked.game] { (name) } }
                } }
                label { "size " input name="size" size="3" value=(asked.size); }
                label { "end " input name="how" size="10" value=(asked.how); }
                button .main { "Find" }
            }
            p { label { "games with the position after these moves, or a symmetric one (game and size are needed): " input name="position" size="40" value=(asked.position); } }
        }
        (table(&page))
        @if let Some(next) = &page.next {
            form method="get" action="/r" {
                @for (name, value) in [("player", &asked.player), ("game", &asked.game), ("size", &asked.size), ("how", &asked.how), ("position", &asked.position), ("after", next)] {
                    input type="hidden" name=(name) value=(value);
                }
                button { "Older games" }
            }
        }
        h2 { "Statistics" }
        (numbers(&counts))
    };
    Ok(shell::page("Records – Stonework", &body).into_response())
}

fn table(page: &Page) -> Markup {
    html! {
        @if page.games.is_empty() { p { "No game fits." } }
        @else {
            div .scroll tabindex="0" role="region" aria-label="games" { table {
                thead { tr { th scope="col" { "game" } th scope="col" { "players" } th scope="col" { "moves" } th scope="col" { "result" } th scope="col" { "files" } } }
                tbody { @for game in &page.games {
                    tr {
                        th scope="row" { a href={ "/g/" (game.id) } { (game.game) " " (game.size) } }
                        td { (game.first) " – " (game.second) }
                        td { (game.plies) }
                        td {
                            @match (&game.winner, game.over) {
                                (Some(winner), _) => { (winner) " " (game.how.as_deref().unwrap_or_default()) },
                                (None, true) => { "does not count" },
                                (None, false) => { "goes on" },
                            }
                            @if let Some(claimed) = game.claimed.as_ref().filter(|claimed| !claimed.is_empty()) { ", the file says " (claimed) }
                        }
                        td { a href={ "/records/" (game.id) ".sgf" } aria-label={ "SGF of the game " (game.id) } { "SGF" } " " a href={ "/records/" (game.id) ".txt" } aria-label={ "text of the game " (game.id) } { "text" } }
                    }
                } }
            } }
        }
    }
}

/// The lengths, winners and ends of the finished games, by game and size.
fn numbers(counts: &[Statistics]) -> Markup {
    html! {
        @if counts.is_empty() { p { "No game has ended yet." } }
        @else {
            div .scroll tabindex="0" role="region" aria-label="statistics" { table {
                thead { tr { th scope="col" { "game" } th scope="col" { "games" } th scope="col" { "moves: mean, least, most" } th scope="col" { "winners" } th scope="col" { "ends" } } }
                tbody { @for one in counts {
                    tr {
                        th scope="row" { (one.game) " " (one.size) }
                        td { (one.games) }
                        td { (format!("{:.1}", one.mean_plies)) ", " (one.least_plies) ", " (one.most_plies) }
                        td { @for (side, count) in &one.winners { (side) " " (count) " " } }
                        td { @for (how, count) in &one.ends { (how) " " (count) " " } }
                    }
                } }
            } }
        }
    }
}
