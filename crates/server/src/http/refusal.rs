//! Refusals that axum makes itself, such as a body without its type, in the form of every other refusal: [`ServerFault`].

use axum::body::to_bytes;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, map_response};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;

use super::MOST_BODY;
use super::reply::ServerFault;

/// The longest sentence of axum that is told, in characters: it may repeat the body.
const MOST_TOLD: usize = 300;

/// The limit of a body that an answer is about, where it is not [`MOST_BODY`].
#[derive(Clone, Copy)]
struct BodyLimit(usize);

/// An address whose body has a limit of its own, in bytes.
pub(crate) fn with_most_body<S>(address: MethodRouter<S>, most: usize) -> MethodRouter<S>
where
    S: Clone + Send + Sync + 'static,
{
    let mark = move |mut response: Response| async move {
        response.extensions_mut().insert(BodyLimit(most));
        response
    };
    address.layer(DefaultBodyLimit::max(most)).layer(map_response(mark))
}

/// `true` for a refusal without a body, or with a line of plain text. Handlers refuse with JSON or a page, so axum has made this one.
fn is_of_axum(response: &Response) -> bool {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    (status.is_client_error() || status.is_server_error())
        && kind.is_none_or(|kind| kind.as_bytes().starts_with(b"text/plain"))
}

/// Tells the refusals of axum as JSON, with their status and their headers.
pub(super) async fn tell(request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let [kind, length] =
        [header::CONTENT_TYPE, header::CONTENT_LENGTH].map(|name| request.headers().get(name).map(text));
    let response = next.run(request).await;
    if !is_of_axum(&response) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let said = to_bytes(body, 1 << 20).await.unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let message = match parts.status {
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            let kind = kind.map_or("no `Content-Type`".to_owned(), |kind| format!("`Content-Type: {kind}`"));
            format!("{said}, and the request has {kind}")
        }
        StatusCode::PAYLOAD_TOO_LARGE => {
            let most = parts.extensions.get().map_or(MOST_BODY, |BodyLimit(most)| *most);
            let length =
                length.map_or("a longer body".to_owned(), |length| format!("a body of {length} bytes"));
            format!("{length}: at most {most} bytes")
        }
        StatusCode::METHOD_NOT_ALLOWED => {
            format!("{method} is no method of this address: the header `Allow` has its methods")
        }
        status if said.is_empty() => status.canonical_reason().unwrap_or("the request is refused").to_owned(),
        _ => said.into_owned(),
    };
    let told: String = message.chars().take(MOST_TOLD).collect();
    let mut answer = ServerFault::new(parts.status, "request", told).into_response();
    for name in [header::CONTENT_TYPE, header::CONTENT_LENGTH] {
        parts.headers.remove(name);
    }
    answer.headers_mut().extend(parts.headers);
    answer
}
