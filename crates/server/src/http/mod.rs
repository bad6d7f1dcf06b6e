//! The addresses of the server, and the connections that ask for them.

mod accept;
mod api;
mod assets;
mod events;
mod exec;
mod guard;
mod identity;
mod pictures;
mod rate;
mod records;
mod refusal;
mod reply;
mod socket;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};

use crate::{ServerApp, analysis, pages, proofs, studies};

pub use accept::serve;
pub(crate) use exec::Boards;
pub(crate) use identity::{Caller, Visitor};
pub(crate) use pictures::CorePlaces;
pub(crate) use rate::Rates;
pub(crate) use refusal::with_most_body;
pub(crate) use reply::{ServerFault, not_found};

/// The greatest body of a request, in bytes.
pub(crate) const MOST_BODY: usize = 64 << 10;

/// All addresses of the server, with their checks and limits.
///
/// A request needs the address of its client as an extension [`Client`](axum::extract::ConnectInfo), which [`serve`] adds; without it,
/// the client counts as one of this machine.
pub fn router(app: ServerApp) -> Router {
    Router::new()
        .merge(assets::routes())
        .merge(api::routes())
        .merge(events::routes())
        .merge(exec::routes())
        .merge(pictures::routes())
        .merge(records::routes())
        .merge(socket::routes())
        .merge(pages::routes())
        .merge(analysis::routes())
        .merge(proofs::routes())
        .merge(studies::routes())
        .fallback(not_found)
        .layer(DefaultBodyLimit::max(MOST_BODY))
        .layer(from_fn(refusal::tell))
        .layer(from_fn_with_state(app.clone(), guard::check))
        .layer(from_fn_with_state(app.clone(), rate::limit))
        .layer(from_fn(guard::headers))
        .layer(from_fn_with_state(app.clone(), guard::catch))
        .with_state(app)
}
