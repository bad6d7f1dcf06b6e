//! Searches for the analysis page.

use axum::Router;

use crate::App;

pub(crate) fn routes() -> Router<App> {
    Router::new()
}
