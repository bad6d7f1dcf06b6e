//! The addresses of the server, and the connections that ask for them.

mod assets;

use axum::Router;
use tokio::net::TcpListener;

use crate::{App, analysis, pages, proofs, studies};

/// All addresses of the server.
pub fn router(app: App) -> Router {
    Router::new()
        .merge(assets::routes())
        .merge(pages::routes())
        .merge(analysis::routes())
        .merge(proofs::routes())
        .merge(studies::routes())
        .with_state(app)
}

/// Answers the connections of a listener until the listener fails.
///
/// # Errors
/// The error of the listener.
pub async fn serve(app: App, listener: TcpListener) -> std::io::Result<()> {
    axum::serve(listener, router(app)).await
}
