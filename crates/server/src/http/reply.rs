//! [`ServerFault`]: a refusal as an answer over HTTP.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use stonework_session::Fault;

use crate::StoreError;

/// A refusal, as an HTTP status and a JSON object with the kind and the message of the fault.
#[derive(Debug)]
pub(crate) struct ServerFault {
    status: StatusCode,
    fault: Fault,
}

impl ServerFault {
    pub(crate) fn new(status: StatusCode, kind: &str, message: impl Into<String>) -> Self {
        Self { status, fault: Fault::new(kind, message) }
    }

    /// The kind and the message of the fault.
    pub(crate) fn told(&self) -> (&str, &str) {
        (&self.fault.kind, &self.fault.message)
    }

    /// The status of the answer.
    pub(crate) const fn status(&self) -> StatusCode {
        self.status
    }

    /// There is nothing at an address.
    pub(crate) fn missing(what: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "missing", what)
    }

    /// There is too much at the same time.
    pub(crate) fn busy(what: impl Into<String>) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "busy", what)
    }
}

impl From<Fault> for ServerFault {
    fn from(fault: Fault) -> Self {
        let status = match fault.kind.as_str() {
            "store" => StatusCode::SERVICE_UNAVAILABLE,
            "over" | "ply" | "turn" | "offer" | "proposal" | "abort" => StatusCode::CONFLICT,
            "engine" | "games" => StatusCode::TOO_MANY_REQUESTS,
            "void" => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self { status, fault }
    }
}

impl From<StoreError> for ServerFault {
    fn from(error: StoreError) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "store", error.to_string())
    }
}

impl IntoResponse for ServerFault {
    fn into_response(self) -> Response {
        let body = json!({ "error": { "kind": self.fault.kind, "message": self.fault.message, "at": self.fault.at } });
        let mut response = (self.status, Json(body)).into_response();
        if matches!(self.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

pub(crate) async fn not_found() -> ServerFault {
    ServerFault::missing("there is nothing at this address")
}
