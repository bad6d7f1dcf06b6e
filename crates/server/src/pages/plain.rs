//! The pages of Bos 1995, appendix D: a whole game without JavaScript. The input of a page is the position; each legal move is a link, in
//! the picture and in a list. After a move there is a page with a button to continue, which asks the opponent for its move.
//!
//! Nothing is stored. The address has the game.

use std::fmt::Write;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use stonework_game::Game;
use stonework_roster::{Clock, Decision, PlayerConfig, PlayerSpec};
use stonework_search::Limits;
use stonework_session::{Fault, Registry, Session, Start};

use super::board::{Look, MAX_MOVES, Shown, sentence};
use super::play::{opponent_name, opponents, refused};
use super::{introduction, shell};
use crate::ServerApp;
use crate::analysis::{QUICK, Running, compute, run_apart};
use crate::engines::{SEARCH_BYTES, SECONDS};

/// A game as an address has it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Plain {
    size: Option<u64>,
    #[serde(deserialize_with = "super::ticked")]
    swap: bool,
    /// The opponent: a player of the roster, or nothing for two persons at one machine.
    with: String,
    /// The side of the opponent: `first` or `second`.
    side: String,
    /// The moves, parted by points.
    moves: String,
    /// The location of the stone that is to move.
    from: Option<String>,
    /// Present if the opponent is to make its move now.
    go: Option<String>,
}

impl Plain {
    fn session(&self, registry: &Registry, game: &str) -> Result<Session, Fault> {
        let description = registry.game(game)?.description();
        let start = Start {
            swap: self.swap && description.swaps,
            ..Start::of_size(self.size.unwrap_or(u64::from(description.usual_size)))
        };
        let mut session = Session::new(registry.clone(), game, &start, None)?;
        let moves: Vec<&str> = self.moves.split('.').filter(|mv| !mv.is_empty()).collect();
        if moves.len() > MAX_MOVES {
            return Err(Fault::new("move", format!("{} moves: at most {MAX_MOVES}", moves.len())));
        }
        session.play_all(&moves)?;
        Ok(session)
    }

    /// The address of the game after these moves.
    fn address(&self, game: &str, moves: &[String], more: &str) -> String {
        let mut address = format!("/b/{game}?size={}", self.size.unwrap_or_default());
        if self.swap {
            address += "&swap=on";
        }
        let _ = write!(
            address,
            "&with={}&side={}&moves={}",
            encoded(&self.with),
            encoded(&self.side),
            encoded(&moves.join("."))
        );
        address + more
    }

    /// `true` if the opponent is to move.
    fn waits(&self, session: &Session) -> bool {
        let own = usize::from(self.side != "first");
        !self.with.is_empty() && session.position().to_move().index() == own
    }
}

/// A text as a part of an address.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._,:=".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// The page that begins a game: introduction, variant, opponent, and which side starts.
pub(crate) async fn games(State(app): State<ServerApp>) -> Markup {
    let body = html! {
        h1 { "Plain pages" }
        p { "These pages need no JavaScript. Every legal move is a link in the picture and in a list. The address of a page has the whole game." }
        @for game in app.registry().games() {
            @let description = game.description();
            section .card {
                h2 { (game.name()) }
                (introduction(game))
                form method="get" action={ "/b/" (game.name()) } .row {
                    label { "size " input type="number" name="size" min=(description.sizes.0) max=(description.sizes.1) value=(description.usual_size); }
                    @if description.swaps { label { input type="checkbox" name="swap"; " right to swap" } }
                    label { "against " select name="with" {
                        @for engine in opponents(&app, game.name()) { option value=(engine.name) { (opponent_name(engine)) } }
                        option value="" { "a person at this machine" }
                    } }
                    label { "which plays " select name="side" {
                        option value="second" { (description.sides[1]) " (second)" }
                        option value="first" { (description.sides[0]) " (first)" }
                    } }
                    button .main { "Play" }
                }
            }
        }
    };
    shell::page("Plain pages – Stonework", &body)
}

pub(crate) async fn game(
    State(app): State<ServerApp>,
    Path(game): Path<String>,
    Query(mut plain): Query<Plain>,
) -> Response {
    let registry = app.registry().clone();
    if plain.size.is_none() {
        plain.size = registry.game(&game).ok().map(|game| game.description().usual_size.into());
    }
    let (asked, name) = (plain.clone(), game.clone());
    let session = match compute(&app, move || asked.session(&registry, &name)).await {
        Ok(session) => session,
        Err(refused) => return refused_page(&refused.0, &game),
    };
    let over = session.position().outcome().is_some();
    if plain.go.is_some() && !over && plain.waits(&session) {
        let running = match Running::start(&app).await {
            Ok(running) => running,
            Err(busy) => return refused(busy.status(), busy.told().1),
        };
        let Some(engine) = app.searches().find(&plain.with, &game) else {
            let fault = Fault::new(
                "player",
                format!("no player of {game} is called `{}`", stonework_game::text::head(&plain.with)),
            );
            return refused_page(&fault, &game);
        };
        let (player, moves) = (engine.player.clone(), session.moves());
        let decided = run_apart(move || {
            let _running = running;
            decide(&session, &player)
        });
        return match decided.await {
            Ok(mv) => {
                let moves = [moves, vec![mv]].concat();
                Redirect::to(&plain.address(&game, &moves, "")).into_response()
            }
            Err(refused) => refused_page(&refused.0, &game),
        };
    }
    let name = game.clone();
    match compute(&app, move || show(&plain, &name, session)).await {
        Ok(page) => page.into_response(),
        Err(refused) => refused_page(&refused.0, &game),
    }
}

/// The move of a player of the roster, after a short time.
fn decide(session: &Session, player: &str) -> Result<String, Fault> {
    let refused = |error: String| Fault::new("player", error);
    let spec: PlayerSpec = player.parse().map_err(|error| refused(format!("{error}")))?;
    // A limit of the player's own, such as a depth, may be out of reach on a large board.
    let time = if spec.is_limited() { Duration::from_secs_f64(SECONDS) } else { QUICK };
    let limits = Limits::none().bytes(SEARCH_BYTES).time(time);
    let config = PlayerConfig { limits, ..PlayerConfig::default() };
    let mut agent =
        spec.agent(session.game().roster(), &config).map_err(|error| refused(error.to_string()))?;
    match agent.decide(session.position(), &Clock::NONE) {
        Some(Decision::Play(mv)) => Ok(session.text_of(mv)),
        _ => Err(refused(format!("{player} has no move"))),
    }
}

fn refused_page(fault: &Fault, game: &str) -> Response {
    let body = html! {
        h1 { "This page cannot be made" }
        p { (fault) }
        p { a href={ "/b/" (encoded(game)) } { "Begin again" } " or " a href="/b" { "choose a game" } "." }
    };
    (axum::http::StatusCode::UNPROCESSABLE_ENTITY, shell::page("Refused – Stonework", &body)).into_response()
}

fn show(plain: &Plain, game: &str, session: Session) -> Result<Markup, Fault> {
    let over = session.position().outcome().is_some();
    let (waits, moves) = (!over && plain.waits(&session), session.moves());
    let sides = session.game().description().sides;
    let mover = sides[session.position().to_move().index()];
    let ended = over.then(|| sentence(&session));
    let size = session.position().size();
    // Against a player, to the last position in which a person is to move.
    let (mut earlier, mut before) = (session.fork(), moves.len());
    while before > 0 && earlier.undo(1).is_ok() {
        before -= 1;
        if !plain.waits(&earlier) {
            break;
        }
    }
    let shown =
        Shown::new(session, None, &Look { marks: plain.from.iter().cloned().collect(), ..Look::default() })?;
    let after = |mv: &str| plain.address(game, &[&moves[..], &[mv.to_owned()]].concat(), "");
    let link = |cell: &str| -> Option<String> {
        if waits {
            return None;
        }
        let to = |legal: &&super::board::LegalMove| {
            legal.cell.as_deref() == Some(cell) && (legal.from.is_none() || legal.from == plain.from)
        };
        if let Some(legal) = shown.legal.iter().find(to) {
            return Some(after(&legal.mv));
        }
        let begins = shown.legal.iter().any(|legal| legal.from.as_deref() == Some(cell));
        begins.then(|| plain.address(game, &moves, &format!("&from={}#board", encoded(cell))))
    };
    let body = html! {
        h1 { (shell::capital(game)) " of size " (size) }
        div .play {
            div #board { (shown.board_of_links(link)) }
            div {
                div .card {
                    @if let Some(ended) = &ended {
                        p #standing { (ended) }
                    } @else if waits {
                        p #standing { (mover) " is to move: " (plain.with) }
                        p { a #continue href=(plain.address(game, &moves, "&go=1")) { "Continue" } }
                    } @else {
                        p #standing { (mover) " is to move." }
                        @if let Some(from) = &plain.from { p { "The stone on " (from) " is chosen. Its places are links in the picture." } }
                    }
                    p .row {
                        @if !moves.is_empty() {
                            a href=(plain.address(game, &moves[..before], "")) { "Take back" }
                        }
                        a href=(plain.address(game, &[], "")) { "New game" }
                        a href={ "/a#" (link_of(plain, game, &moves)) } { "Analyse" }
                    }
                }
                div .card {
                    h2 { "Moves" }
                    (two_lists(sides, &moves))
                }
                @if !waits && ended.is_none() {
                    div .card {
                        h2 { "Legal moves" }
                        ul #legal .moves {
                            @for legal in &shown.legal { li { a href=(after(&legal.mv)) { (legal.mv) } } }
                        }
                    }
                }
            }
        }
    };
    Ok(shell::page(&format!("{game} – Stonework"), &body))
}

/// The link of the analysis of a game.
fn link_of(plain: &Plain, game: &str, moves: &[String]) -> String {
    let swap = if plain.swap { "s" } else { "" };
    format!("1/{game}/{}{swap}/{}", plain.size.unwrap_or_default(), moves.join("."))
}

/// Two lists of moves, one for each player.
pub(crate) fn two_lists(sides: [&str; 2], moves: &[String]) -> Markup {
    html! {
        table {
            thead { tr { th scope="col" { "move" } th scope="col" { (sides[0]) } th scope="col" { (sides[1]) } } }
            tbody #moves {
                @for (number, pair) in moves.chunks(2).enumerate() {
                    tr {
                        th scope="row" { (number + 1) }
                        @for mv in pair { td { (mv) } }
                    }
                }
            }
        }
    }
}
