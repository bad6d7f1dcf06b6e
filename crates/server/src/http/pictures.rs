//! `/pic/GAME/POSITION.FORMAT` and `/pic/GAME/SIZE/MOVES.FORMAT`: pictures of positions and games.
//!
//! The position is in the address, and nothing else has an influence on the picture. So browsers may keep it for ever.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use stonework_board::Theme;
use stonework_picture::{MAX_FRAMES, PictureFormat, Shown};
use stonework_session::{AnyMove, AnyPosition, Fault, Picture, PictureOptions, Start};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::ServerFault;
use crate::ServerApp;
use crate::keys::hexadecimal;

/// The longest time of a request for a picture. A drawing that takes longer goes on to its end, within ten seconds or so, as files of
/// pictures are written in one piece, and keeps its place until then. There is a place for each core, so that no more drawings run.
const MOST_TIME: Duration = Duration::from_secs(2);

/// The milliseconds of a position in an animation, and of the last one.
const DELAYS: (u32, u32) = (800, 2400);

/// Places for work that computes, one for each core. Pictures have their own, so that long films keep no page waiting.
#[derive(Debug)]
pub(crate) struct CorePlaces(Arc<Semaphore>);

impl Default for CorePlaces {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self(Arc::new(Semaphore::new(cores)))
    }
}

impl CorePlaces {
    /// A place; waits until one is free.
    pub(crate) async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0).acquire_owned().await.ok()
    }
}

pub(super) fn routes() -> Router<ServerApp> {
    Router::new().route("/pic/{game}/{*position}", get(picture))
}

#[derive(Deserialize, Default)]
struct Look {
    width: Option<u32>,
    theme: Option<String>,
    #[serde(default)]
    numbers: bool,
    #[serde(default)]
    film: bool,
}

/// The first position and the moves of an address.
fn position(app: &ServerApp, game: &str, text: &str) -> Result<(AnyPosition, Vec<AnyMove>), Fault> {
    let game = app.registry().game(game)?;
    let sized = text.split_once('/').and_then(|(size, moves)| {
        let (size, swap) = size.strip_suffix('s').map_or((size, false), |size| (size, true));
        Some((Start { swap, ..Start::of_size(size.parse().ok()?) }, moves))
    });
    let size_alone = text.parse().ok().map(|size| (Start::of_size(size), ""));
    let Some((start, moves)) = sized.or(size_alone) else {
        let start = Start { position: Some(text.to_owned()), ..Start::default() };
        return Ok((game.start(&start)?, Vec::new()));
    };
    let start = game.start(&start)?;
    let (mut position, mut played) = (start.clone(), Vec::new());
    for (at, text) in moves.split('.').filter(|word| !word.is_empty()).enumerate() {
        let (mv, _) = position.play_text(text, 0).map_err(|fault| fault.at(at))?;
        played.push(mv);
    }
    Ok((start, played))
}

fn shown(picture: Picture) -> Result<Shown, Fault> {
    match picture {
        Picture::Cells(diagram) => Ok(Shown::Cells(diagram)),
        Picture::Locations(diagram) => Ok(Shown::Locations(diagram)),
        Picture::Text(_) => Err(Fault::new("picture", "there are no pictures of this game")),
    }
}

/// Draws what an address asks for.
fn draw(
    app: &ServerApp,
    game: &str,
    text: &str,
    format: PictureFormat,
    look: &Look,
) -> Result<Vec<u8>, Fault> {
    let (start, moves) = position(app, game, text)?;
    let theme = look.theme.as_deref().unwrap_or("paper");
    let theme = Theme::named(theme).map_err(|error| Fault::new("picture", error.to_string()))?;
    let options = PictureOptions { theme, numbers: look.numbers, ..PictureOptions::default() };
    let film = look.film && format.has_several();
    if film && moves.len() >= MAX_FRAMES {
        let what = format!("{} frames: a file has 1 to {MAX_FRAMES}", moves.len() + 1);
        return Err(Fault::new("picture", what));
    }
    let first = if film { 0 } else { moves.len() };
    let pictures = options.film(&start, &moves, first..=moves.len())?;
    let last = pictures.len() - 1;
    let timed = |(at, picture)| Ok((shown(picture)?, if at == last { DELAYS.1 } else { DELAYS.0 }));
    let pictures = pictures.into_iter().enumerate().map(timed).collect::<Result<Vec<_>, Fault>>()?;
    format.file(&pictures, look.width).map_err(|error| Fault::new("picture", error.to_string()))
}

fn kind(format: PictureFormat) -> &'static str {
    match format {
        PictureFormat::Svg => "image/svg+xml",
        PictureFormat::Png => "image/png",
        PictureFormat::Gif => "image/gif",
        PictureFormat::Pdf => "application/pdf",
        PictureFormat::Tex => "application/x-tex; charset=utf-8",
        PictureFormat::Text => "text/plain; charset=utf-8",
    }
}

async fn picture(
    State(app): State<ServerApp>,
    Path((game, address)): Path<(String, String)>,
    Query(look): Query<Look>,
    headers: HeaderMap,
) -> Result<Response, ServerFault> {
    let Some((text, extension)) = address.rsplit_once('.') else {
        return Err(ServerFault::missing(
            "the address of a picture ends in .svg, .png, .gif, .pdf, .tex or .txt",
        ));
    };
    let format =
        PictureFormat::of_extension(extension).map_err(|error| ServerFault::missing(error.to_string()))?;
    let all = format!(
        "{}|{game}|{address}|{:?}|{:?}|{}|{}",
        env!("CARGO_PKG_VERSION"),
        look.width,
        look.theme,
        look.numbers,
        look.film
    );
    let digest = Sha256::digest(all.as_bytes());
    let tag = format!("\"{}\"", hexadecimal(&digest[..12]));
    let keep = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable".to_owned()),
    ];
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return Ok((StatusCode::NOT_MODIFIED, keep).into_response());
    }
    let late = || {
        ServerFault::busy(
            "the picture is not ready within 2 seconds: a smaller width or fewer moves are quicker",
        )
    };
    let work = async {
        let permit = app.drawers().permit().await;
        let (app, text) = (app.clone(), text.to_owned());
        let drawn = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            draw(&app, &game, &text, format, &look)
        });
        let failed =
            |_| ServerFault::new(StatusCode::INTERNAL_SERVER_ERROR, "panic", "the picture cannot be drawn");
        drawn.await.map_err(failed)?.map_err(ServerFault::from)
    };
    let body = timeout(MOST_TIME, work).await.map_err(|_| late())??;
    Ok((keep, [(header::CONTENT_TYPE, kind(format))], body).into_response())
}
