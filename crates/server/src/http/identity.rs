//! [`Visitor`] and [`Caller`]: who makes a request, by a key in a cookie or in the header `Authorization`.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponseParts, ResponseParts};
use std::convert::Infallible;

use super::rate::Client;
use super::reply::ServerFault;
use crate::{ServerApp, keys};

/// The client of a request: a player with a key, or nobody known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visitor {
    /// The name of the player; `None` without a key.
    pub(crate) name: Option<String>,
}

/// A player who makes a request. A visitor without a key becomes a guest, whose key goes into a cookie of the answer.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// The name.
    pub(crate) name: String,
    /// The cookie with the key of a new guest.
    cookie: Option<String>,
}

/// The name of the cookie. The prefix binds it to this host and to an encrypted connection.
fn cookie_name(app: &ServerApp) -> &'static str {
    if is_encrypted(app) { "__Host-stonework" } else { "stonework" }
}

fn is_encrypted(app: &ServerApp) -> bool {
    app.config().origin.as_deref().is_some_and(|origin| origin.starts_with("https://"))
}

/// The text of a cookie with a key; an empty key removes the cookie.
pub(crate) fn cookie(app: &ServerApp, key: &str) -> String {
    let secure = if is_encrypted(app) { "; Secure" } else { "" };
    let age = if key.is_empty() { 0 } else { 365 * 24 * 3600 };
    format!("{}={key}; Path=/; HttpOnly; SameSite=Lax; Max-Age={age}{secure}", cookie_name(app))
}

/// The key that a request brings.
fn key<'a>(app: &ServerApp, headers: &'a HeaderMap) -> Option<&'a str> {
    if let Some(given) = headers.get(header::AUTHORIZATION) {
        return Some(given.to_str().ok().and_then(|given| given.strip_prefix("Bearer ")).unwrap_or_default());
    }
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let mut pairs =
        cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == cookie_name(app)).map(|(_, key)| key)
}

/// The client of a request with these headers.
///
/// # Errors
/// A fault for a key in the header `Authorization` that is not, or no longer, valid, and for a database that refuses.
pub(super) async fn visitor(app: &ServerApp, headers: &HeaderMap) -> Result<Visitor, ServerFault> {
    let Some(key) = key(app, headers) else { return Ok(Visitor::default()) };
    let name = keys::name_of(app.store(), key).await?;
    if name.is_none() && headers.contains_key(header::AUTHORIZATION) {
        return Err(ServerFault::new(StatusCode::UNAUTHORIZED, "key", "the key is not, or no longer, valid"));
    }
    Ok(Visitor { name })
}

impl FromRequestParts<ServerApp> for Visitor {
    type Rejection = ServerFault;

    async fn from_request_parts(parts: &mut Parts, app: &ServerApp) -> Result<Self, ServerFault> {
        visitor(app, &parts.headers).await
    }
}

impl FromRequestParts<ServerApp> for Caller {
    type Rejection = ServerFault;

    async fn from_request_parts(parts: &mut Parts, app: &ServerApp) -> Result<Self, ServerFault> {
        if let Some(name) = visitor(app, &parts.headers).await?.name {
            return Ok(Self { name, cookie: None });
        }
        app.rates().new_player(parts.extensions.get::<Client>())?;
        let (name, key) = keys::register_guest(app.store()).await?;
        Ok(Self { name, cookie: Some(cookie(app, &key)) })
    }
}

impl OptionalFromRequestParts<ServerApp> for Caller {
    type Rejection = ServerFault;

    async fn from_request_parts(parts: &mut Parts, app: &ServerApp) -> Result<Option<Self>, ServerFault> {
        let name = visitor(app, &parts.headers).await?.name;
        Ok(name.map(|name| Self { name, cookie: None }))
    }
}

/// As a part of an answer, a player sets the cookie of a new guest.
impl IntoResponseParts for Caller {
    type Error = Infallible;

    fn into_response_parts(self, mut response: ResponseParts) -> Result<ResponseParts, Infallible> {
        if let Some(value) = self.cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
            response.headers_mut().append(header::SET_COOKIE, value);
        }
        Ok(response)
    }
}
