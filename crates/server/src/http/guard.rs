//! The checks of every request, and the headers of every answer.

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;

use super::reply::ServerFault;
use crate::ServerApp;

/// The longest address of a request, in bytes.
const MOST_URL: usize = 8 << 10;

/// The longest time of a request until its answer begins.
const MOST_TIME: Duration = Duration::from_secs(10);

/// The rules for the contents of a page. Pages under `/embed/` alone may be framed.
const CONTENT: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                       connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors ";

/// The host that a request names.
fn host<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> Option<&'a str> {
    let named = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    named.or_else(|| uri.authority().map(axum::http::uri::Authority::as_str))
}

/// `true` for a host, with or without a port, that is a name of this machine itself.
fn is_local(host: &str) -> bool {
    let name = if host.starts_with('[') {
        host.split(']').next().unwrap_or_default().trim_start_matches('[')
    } else {
        host.rsplit_once(':').map_or(host, |(name, _)| name)
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The origin that a browser gives for a page of this server; `None` for a host that is not this server's. A page of another site
/// can point its own name to this machine, so a host that is not known is refused.
pub(crate) fn host_origin(app: &ServerApp, headers: &HeaderMap, uri: &Uri) -> Option<String> {
    let host = host(headers, uri)?;
    match app.config().origin.as_deref() {
        Some(origin) => {
            let known = origin.split_once("://").map_or(origin, |(_, host)| host);
            (known.eq_ignore_ascii_case(host) || (!app.config().public && is_local(host)))
                .then(|| origin.to_owned())
        }
        None => is_local(host).then(|| format!("http://{host}")),
    }
}

/// `true` if a request comes from a page of this server. The origin is compared as a whole.
fn is_same_site(headers: &HeaderMap, origin: &str) -> bool {
    let text = |name| headers.get(name).map(HeaderValue::to_str);
    let fetched = text(header::HeaderName::from_static("sec-fetch-site"));
    let given = text(header::ORIGIN);
    let fetched_here = fetched.as_ref().is_none_or(|site| matches!(site, Ok("same-origin")));
    let given_here = given.as_ref().is_none_or(|given| matches!(given, Ok(given) if *given == origin));
    fetched_here && given_here && (fetched.is_some() || given.is_some())
}

/// Refuses requests with long addresses, for other hosts, and from pages of other sites; ends requests that take too long.
pub(super) async fn check(State(app): State<ServerApp>, request: Request, next: Next) -> Response {
    let refused = |status, message: &str| ServerFault::new(status, "request", message).into_response();
    let long = request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    if long > MOST_URL {
        return refused(StatusCode::URI_TOO_LONG, &format!("an address of {long} bytes: at most {MOST_URL}"));
    }
    let Some(origin) = host_origin(&app, request.headers(), request.uri()) else {
        return refused(StatusCode::MISDIRECTED_REQUEST, "the host of the request is not this server");
    };
    let headers = request.headers();
    let with_key = headers.contains_key(header::AUTHORIZATION);
    let socket = headers.get(header::UPGRADE).is_some();
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    if (changes || socket) && !with_key && !is_same_site(headers, &origin) {
        let why = if headers.contains_key(header::ORIGIN) || headers.contains_key("sec-fetch-site") {
            "the request comes from a page of another site, and has no key".to_owned()
        } else {
            format!("the request has no key, `Authorization: Bearer KEY`, and no header `Origin: {origin}`")
        };
        return refused(StatusCode::FORBIDDEN, &why);
    }
    match tokio::time::timeout(MOST_TIME, next.run(request)).await {
        Ok(response) => response,
        Err(_) => refused(StatusCode::REQUEST_TIMEOUT, "the request has taken more than 10 seconds"),
    }
}

/// Adds the headers that protect a page.
pub(super) async fn headers(request: Request, next: Next) -> Response {
    let framed = request.uri().path().starts_with("/embed/");
    let mut response = next.run(request).await;
    let content = format!("{CONTENT}{}", if framed { "*" } else { "'none'" });
    let fixed = [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", if framed { "cross-origin" } else { "same-origin" }),
    ];
    let headers = response.headers_mut();
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if let Ok(content) = HeaderValue::from_str(&content) {
        headers.insert(header::CONTENT_SECURITY_POLICY, content);
    }
    response
}

/// Answers a handler that panics with the status 500.
pub(super) async fn catch(State(app): State<ServerApp>, request: Request, next: Next) -> Response {
    let address = request.uri().path().to_owned();
    let answered = AssertUnwindSafe(next.run(request)).catch_unwind().await;
    answered.unwrap_or_else(|_| {
        app.metrics().panics.add();
        eprintln!("stonework-server: {address}: the handler has panicked");
        ServerFault::new(StatusCode::INTERNAL_SERVER_ERROR, "panic", "the server has failed").into_response()
    })
}
