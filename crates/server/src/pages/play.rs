//! Pages of games between players: the first page, the page that begins a game, and the page of a game. All of them work by forms; with
//! JavaScript, the page of a game follows it live.

use axum::extract::{Form, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use stonework_game::Game;
use stonework_session::{Fault, GameType, Session, Start};

use super::board::{Look, Shown, sentence};
use super::{introduction, plain, shell, small};
use crate::analysis::compute;
use crate::http::{Caller, ServerFault, Visitor};
use crate::table::{ClockSettings, GameSettings, GameView, Order, Proposal, Seat, SeatKind, TableEnd};
use crate::{Offer, Opponent, ServerApp, ServerEngine};

/// The greatest number of games with a picture on the first page.
const PICTURES: usize = 12;

/// The engines that play a game, the levels first.
pub(crate) fn opponents<'a>(app: &'a ServerApp, game: &str) -> Vec<&'a ServerEngine> {
    let plays = |engine: &&ServerEngine| engine.games.iter().any(|of| of == game) && !engine.is_out();
    let mut engines: Vec<_> = app.engines().iter().filter(plays).collect();
    engines.sort_by_key(|engine| !engine.name.contains("-level-"));
    engines
}

/// The name of an opponent in a list: `level 3: mcts:simulations=300`.
pub(crate) fn opponent_name(engine: &ServerEngine) -> String {
    match engine.name.split_once("-level-") {
        Some((_, level)) => format!("level {level}: {}", engine.player),
        None => format!("{}: {}", engine.name, engine.about),
    }
}

fn settings_text(settings: &GameSettings) -> String {
    let swap = if settings.swap { ", swap" } else { "" };
    let clock = settings.clock;
    let seconds = |time: u64| format!("{} s", time as f64 / 1000.0);
    let whole = |time: u64| {
        if time.is_multiple_of(60_000) { format!("{} min", time / 60_000) } else { seconds(time) }
    };
    let main = clock.main.map(|main| format!(", {} + {}", whole(main), seconds(clock.increment)));
    let per_move = clock.per_move.map(|time| format!(", {} a move", seconds(time)));
    let (main, per_move) = (main.unwrap_or_default(), per_move.unwrap_or_default());
    format!("{} {}{swap}{main}{per_move}", settings.game, settings.size)
}

pub(super) async fn home(State(app): State<ServerApp>, visitor: Visitor) -> Response {
    let mut tables = Vec::new();
    for table in app.tables().into_iter().filter(|table| !table.is_over()) {
        if let Some(brief) = table.brief().await {
            tables.push((table, brief));
        }
    }
    // The visitor's games come first, and of them those in which the visitor is to move.
    tables.sort_by_key(|(_, brief)| match visitor.name.as_ref().and_then(|name| brief.side_of(name)) {
        Some(side) if side == brief.to_move => 0,
        Some(_) => 1,
        None => 2,
    });
    let mut games = Vec::new();
    for (table, _) in tables {
        // A game is replayed for its picture, so only as many are as are shown.
        if games.len() < PICTURES
            && let Some(view) = table.view().await.filter(|view| view.end.is_none())
        {
            games.push(view);
        }
    }
    let (of, offers) = (app.clone(), app.lobby().list());
    match compute(&app, move || Ok(home_page(&of, &visitor, games, &offers))).await {
        Ok(page) => page.into_response(),
        Err(refused) => fault_page(&refused.0),
    }
}

fn home_page(app: &ServerApp, visitor: &Visitor, games: Vec<GameView>, offers: &[Offer]) -> Markup {
    let own = |view: &GameView| visitor.name.as_ref().and_then(|name| view.side_of(name));
    let body = html! {
        h1 { "Play" }
        p { "Three games with stones on lattices. Play against an engine, a friend or whoever comes, or " a href="/a" { "analyse a position" } "." }
        ul .grid {
            @for game in app.registry().games() {
                li .card {
                    h2 { a href={ "/play/" (game.name()) } { "Play " (shell::capital(game.name())) } }
                    @if let Ok(picture) = picture_of(app, game) { (picture) }
                    (introduction(game))
                }
            }
        }
        div #lists {
            h2 { "Open offers" }
            @if offers.is_empty() { p { "Nobody waits for an opponent." } }
            ul {
                @for offer in offers {
                    li { (offer.by.name) ": " (settings_text(&offer.settings)) " – " a href={ "/g/" (offer.id) } { "to the offer" } }
                }
            }
            h2 { "Games now" }
            @if games.is_empty() { p { "No game is being played." } }
            ul .grid {
                @for view in games {
                    @let turn = own(&view) == Some(view.session.position().to_move());
                    li .card {
                        a href={ "/g/" (view.id) } { (view.seats[0].name) " – " (view.seats[1].name) }
                        p { (settings_text(&view.settings)) @if turn { strong { " – your move" } } }
                        (small(view.session))
                    }
                }
            }
        }
    };
    shell::with_script("Stonework", Some("lobby.js"), None, &body)
}

pub(super) async fn intro(State(app): State<ServerApp>, Path(name): Path<String>) -> Response {
    let Ok(game) = app.registry().game(&name) else {
        return refused(
            StatusCode::NOT_FOUND,
            &format!("There is no game of this name. The games are {}.", app.registry().names().join(", ")),
        );
    };
    shell::page(&format!("Play {} – Stonework", shell::capital(&name)), &intro_body(&app, game))
        .into_response()
}

/// The beginning of a game on a board of at most size 5.
fn small_start(game: &GameType) -> Start {
    Start::of_size(u64::from(game.description().usual_size.min(5)))
}

fn picture_of(app: &ServerApp, game: &GameType) -> Result<Markup, Fault> {
    Session::new(app.registry().clone(), game.name(), &small_start(game), None).map(small)
}

/// The page of Bos 1995, appendix D: introduction, variant, which side the person plays, and the opponent.
fn intro_body(app: &ServerApp, game: &GameType) -> Markup {
    let description = game.description();
    let start = small_start(game);
    let picture = picture_of(app, game);
    let ports = app.ports().into_iter().filter(|(_, settings)| settings.game == game.name());
    html! {
        h1 { "Play " (shell::capital(game.name())) }
        div .play {
            div .intro {
                @for rule in game.start(&start).map(|position| position.rules()).unwrap_or_default() { p { (rule) } }
                @if let Ok(picture) = picture { (picture) }
            }
            div {
                form method="post" action={ "/play/" (game.name()) } .card {
                    p { label { "Opponent " select name="with" {
                        @for engine in opponents(app, game.name()) { option value=(engine.name) { (opponent_name(engine)) } }
                        option value="!anyone" { "a person or program, whoever comes first" }
                        option value="!friend" { "a friend, to whom you send the link" }
                        @for (port, settings) in ports { option value={ "!port " (port) } { "the next on port " (port) ": " (settings_text(&settings)) } }
                    } } }
                    p { label { "Size " input type="number" name="size" min=(description.sizes.0) max=(description.sizes.1) value=(description.usual_size); }
                        @if description.swaps { " " label { input type="checkbox" name="swap" checked; " right to swap" } } }
                    p { label { "You play " select name="side" {
                        option value="" { "by lot" }
                        option value=(description.sides[0]) { (description.sides[0]) ", which begins" }
                        option value=(description.sides[1]) { (description.sides[1]) }
                    } } }
                    p { label { "Clock " select name="clock" {
                        option value="" { "no clock" }
                        option value="60+1" { "1 minute + 1 s" }
                        option value="300+5" { "5 minutes + 5 s" }
                        option value="900+10" { "15 minutes + 10 s" }
                        option value="3600+30" { "1 hour + 30 s" }
                    } } }
                    button .main { "Play" }
                }
                p { "Without JavaScript and without an account: " a href="/b" { "the plain pages" } "." }
            }
        }
    }
}

pub(super) fn refused(status: StatusCode, what: &str) -> Response {
    let body = html! { h1 { "Refused" } p { (what) } p { a href="/" { "To the first page" } } };
    (status, shell::page("Refused – Stonework", &body)).into_response()
}

fn fault_page(fault: &Fault) -> Response {
    refused(ServerFault::from(fault.clone()).status(), &fault.to_string())
}

/// The choices of a person who begins a game.
#[derive(Deserialize)]
pub(super) struct Opening {
    with: String,
    size: u8,
    #[serde(default, deserialize_with = "super::ticked")]
    swap: bool,
    #[serde(default)]
    side: String,
    #[serde(default)]
    clock: String,
}

pub(super) async fn begin(
    State(app): State<ServerApp>,
    Path(name): Path<String>,
    player: Caller,
    Form(form): Form<Opening>,
) -> Response {
    let begun = async {
        let description = app.registry().game(&name)?.description();
        if let Some(port) = form.with.strip_prefix("!port ") {
            let port = port.parse().map_err(|_| Fault::new("port", "no such port"))?;
            return app.meet(&player.name, port).await;
        }
        let clock = match form.clock.as_str() {
            "" => ClockSettings::default(),
            text => ClockSettings::parse(text).map_err(|why| Fault::new("clock", why))?,
        };
        let swap = form.swap && description.swaps;
        let settings = GameSettings { game: name.clone(), size: form.size, swap, clock };
        let opponent = match form.with.as_str() {
            "!anyone" => Opponent::Anyone,
            "!friend" => Opponent::Friend,
            engine => Opponent::Engine(engine.to_owned()),
        };
        app.open_game(&player.name, settings, description.player(&form.side), opponent).await
    };
    match begun.await {
        Ok(id) => (player, Redirect::to(&format!("/g/{id}"))).into_response(),
        Err(fault) => fault_page(&fault),
    }
}

pub(super) async fn game(
    State(app): State<ServerApp>,
    Path(id): Path<String>,
    visitor: Visitor,
) -> Result<Response, ServerFault> {
    if let Some(offer) = app.lobby().get(&id) {
        return Ok(offer_page(&offer, &visitor).into_response());
    }
    let view = if crate::keys::is_id(&id) { app.view(&id).await? } else { None };
    let Some(view) = view else {
        return Ok(refused(StatusCode::NOT_FOUND, "There is no such game."));
    };
    Ok(match compute(&app, move || game_page(view, &visitor)).await {
        Ok(page) => page.into_response(),
        Err(refused) => fault_page(&refused.0),
    })
}

fn offer_page(offer: &Offer, visitor: &Visitor) -> Markup {
    let own = visitor.name.as_deref() == Some(&offer.by.name);
    let body = html! {
        h1 { "An offer: " (settings_text(&offer.settings)) }
        p #standing { (offer.by.name) " waits for an opponent." }
        form method="post" action={ "/g/" (offer.id) } .row {
            @if own {
                p { "Send the address of this page to a friend, or wait. The game begins when somebody accepts." }
                a href={ "/g/" (offer.id) } { "Continue" }
                button name="op" value="withdraw" { "Withdraw the offer" }
            } @else {
                button .main name="op" value="take" { "Play against " (offer.by.name) }
            }
        }
    };
    shell::with_script("An offer – Stonework", own.then_some("wait.js"), Some(&offer.id), &body)
}

fn seat(view: &GameView, at: usize, name: &str) -> Markup {
    let Seat { name: player, kind } = &view.seats[at];
    let kind = match kind {
        SeatKind::Person => "",
        SeatKind::Program => " (program)",
        SeatKind::Engine => " (engine)",
    };
    html! {
        div .card .side id={ "side-" (at) } {
            span { strong { (player) } (kind) ", " (name) }
            span .clock id={ "clock-" (at) } { @if let Some(clocks) = view.clocks { (clocks[at] / 1000) " s" } }
        }
    }
}

fn game_page(view: GameView, visitor: &Visitor) -> Result<Markup, Fault> {
    let sides = view.session.game().description().sides;
    let own = visitor.name.as_ref().and_then(|name| view.side_of(name));
    let turn = own == Some(view.session.position().to_move()) && view.end.is_none();
    let (moves, position) = (view.session.moves(), view.session.position());
    let standing = TableEnd::standing(view.end.as_ref(), position);
    let ended = view.end.is_some().then(|| match position.outcome() {
        Some(_) => sentence(&view.session),
        None => shell::capital(&standing) + ".",
    });
    let button = |id: &str, text: &str, label: &str| html! { button type="button" id=(id) aria-label=(label) title=(label) { (text) } };
    let title = format!("{} – {}", view.seats[0].name, view.seats[1].name);
    let (id, settings) = (view.id.clone(), settings_text(&view.settings));
    let swap = if view.settings.swap { "s" } else { "" };
    let analysed = format!("{}/{}{swap}/{}", view.settings.game, view.settings.size, moves.join("."));
    let seats = [seat(&view, 0, sides[0]), seat(&view, 1, sides[1])];
    let shown = Shown::new(view.session, None, &Look::default())?;
    let body = html! {
        h1 { (title) }
        div .play {
            div {
                (shown.board())
                p #say role="status" aria-live="polite" {}
                div .row {
                    (button("begin", "«", "first position"))
                    (button("back", "‹", "one move back"))
                    (button("on", "›", "one move on"))
                    (button("end", "»", "last position"))
                    span #swap-move .row {}
                }
            }
            div {
                (seats[0]) (seats[1])
                div .card {
                    p #standing { @if let Some(ended) = &ended { (ended) } @else { (standing) "." } }
                    p #net role="status" {}
                    div #answer .row hidden { span #asked {} button #accept type="button" .main { "Accept" } button #decline type="button" { "Decline" } }
                    div .row {
                        button #takeback type="button" hidden { "Take back" }
                        button #draw type="button" hidden { "Offer a draw" }
                        button #resign type="button" hidden { "Resign" }
                        button #abort type="button" hidden { "Abort" }
                        button #rematch type="button" hidden { "Rematch" }
                        span #again {}
                    }
                    p .row { a #analyse href={ "/a/" (analysed) } { "Analyse" } " " a href={ "/records/" (id) ".sgf" } { "SGF" } " " span #watchers {} }
                    p { (settings) }
                }
                div .card .plain {
                    a href={ "/g/" (id) } { "Continue" }
                    @if turn {
                        form method="post" action={ "/g/" (id) } {
                            ul .moves { @for legal in &shown.legal { li { button name="move" value=(legal.mv) { (legal.mv) } } } }
                        }
                    }
                    @if own.is_some() && ended.is_none() {
                        form method="post" action={ "/g/" (id) } { button name="op" value="resign" { "Resign" } }
                    }
                }
                div .card {
                    div #list .scroll tabindex="0" role="region" aria-label="list of moves" { (plain::two_lists(sides, &moves)) }
                }
            }
        }
    };
    Ok(shell::with_script(&title, Some("game.js"), Some(&id), &body))
}

/// A move, or another order, from a form.
#[derive(Deserialize)]
pub(super) struct Given {
    #[serde(default)]
    op: String,
    #[serde(default, rename = "move")]
    mv: Option<String>,
}

pub(super) async fn order(
    State(app): State<ServerApp>,
    Path(id): Path<String>,
    player: Caller,
    Form(form): Form<Given>,
) -> Result<Response, ServerFault> {
    let done = if form.op == "take" {
        app.accept(&id, &player.name).await.map(drop)
    } else if form.op == "withdraw" {
        if app.lobby().withdraw(&id, &player.name) {
            return Ok((player, Redirect::to("/")).into_response());
        }
        Err(Fault::new("offer", "you have no open offer here: it was accepted, or is gone"))
    } else {
        let brief = if crate::keys::is_id(&id) { app.brief(&id).await? } else { None };
        let side = brief.as_ref().and_then(|brief| brief.side_of(&player.name));
        let order = match (form.mv, form.op.as_str()) {
            (Some(mv), _) => Some(Order::Play { mv, ply: None }),
            (None, "resign") => Some(Order::Resign),
            (None, "accept") => Some(Order::Accept),
            (None, "decline") => Some(Order::Decline),
            (None, "takeback") => Some(Order::Propose { proposal: Proposal::Takeback }),
            _ => None,
        };
        match (side, order) {
            (Some(side), Some(order)) => app.order(&id, side, order).await.map(drop),
            (None, _) => Err(Fault::new("seat", "you do not play in this game")),
            (_, None) => Err(Fault::new("order", "no move, and no order that is known")),
        }
    };
    Ok(match done {
        Ok(()) => (player, Redirect::to(&format!("/g/{id}"))).into_response(),
        Err(fault) => fault_page(&fault),
    })
}
