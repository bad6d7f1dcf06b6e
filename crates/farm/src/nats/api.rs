//! Requests to the server, and its errors in our words.

use std::time::Duration;

use async_nats::{HeaderMap, Message, Request};
use bytes::Bytes;
use serde_json::{Value, json};

use super::connection::{ANSWER, JetStream};
use crate::queue::QueueError;

/// Codes of `JetStream`'s errors.
const NO_MESSAGE: u64 = 10037;
const NO_STREAM: u64 = 10059;
const NO_CONSUMER: u64 = 10014;
const WRONG_LAST: u64 = 10071;
const NO_CLUSTER: u64 = 10074;
const FULL: [u64; 4] = [10023, 10028, 10047, 10077];

/// A stored message.
pub(super) struct Stored {
    pub(super) place: u64,
    pub(super) bytes: Vec<u8>,
}

impl JetStream {
    /// A request with its answer as a message.
    pub(super) async fn ask(
        &self,
        subject: String,
        payload: Bytes,
        headers: Option<HeaderMap>,
        wait: Duration,
    ) -> Result<Message, QueueError> {
        let mut request = Request::new().payload(payload).timeout(Some(wait));
        if let Some(headers) = headers {
            request = request.headers(headers);
        }
        self.send(subject, request).await
    }

    /// A request whose answer comes to an inbox of its own.
    pub(super) async fn ask_once(
        &self,
        subject: String,
        payload: Bytes,
        wait: Duration,
    ) -> Result<Message, QueueError> {
        let request = Request::new().payload(payload).timeout(Some(wait)).inbox(self.client.new_inbox());
        self.send(subject, request).await
    }

    async fn send(&self, subject: String, request: Request) -> Result<Message, QueueError> {
        self.connected()?;
        let answer = self.client.send_request(subject.clone(), request).await;
        answer.map_err(|error| {
            if matches!(error.kind(), async_nats::RequestErrorKind::NoResponders) {
                // The stream of the subject is gone, or nothing on the server is ready yet.
                self.shared.is_bare();
            }
            let forbidden = self.shared.forbidden().take();
            match forbidden.filter(|text| text.contains(&subject)) {
                Some(text) => QueueError::Forbidden(text),
                None => QueueError::Away(format!("{subject}: {error}")),
            }
        })
    }

    /// A request to `JetStream`.
    pub(super) async fn api(&self, end: &str, body: &Value) -> Result<Value, QueueError> {
        let payload = if body.is_null() { Bytes::new() } else { Bytes::from(body.to_string()) };
        let answer = self.ask(format!("$JS.API.{end}"), payload, None, ANSWER).await?;
        self.answer(&answer.payload)
    }

    /// The answer of `JetStream`, or its error.
    fn answer(&self, bytes: &[u8]) -> Result<Value, QueueError> {
        let answer: Value = serde_json::from_slice(bytes)
            .map_err(|error| QueueError::Away(format!("an odd answer: {error}")))?;
        let error = &answer["error"];
        if error.is_null() {
            return Ok(answer);
        }
        let text = error["description"].as_str().unwrap_or("an error without words").to_owned();
        Err(match error["err_code"].as_u64().unwrap_or(0) {
            WRONG_LAST => QueueError::Deposed,
            NO_CLUSTER => QueueError::Forbidden(text),
            code if FULL.contains(&code) => QueueError::Full(text),
            NO_STREAM | NO_CONSUMER => {
                self.shared.is_bare();
                QueueError::Away(text)
            }
            10058 | 10025 => {
                QueueError::Foreign(format!("the server has other objects of this name: {text}"))
            }
            _ => QueueError::Away(text),
        })
    }

    /// Publishes to a stream, and waits until the stream has it. Returns the place.
    pub(super) async fn put_message(
        &self,
        subject: String,
        bytes: Vec<u8>,
        headers: Option<HeaderMap>,
    ) -> Result<u64, QueueError> {
        let answer = self.ask(subject, bytes.into(), headers, ANSWER).await?;
        let answer = self.answer(&answer.payload)?;
        answer["seq"].as_u64().ok_or_else(|| QueueError::Away("an answer without a place".to_owned()))
    }

    /// The last message of a subject.
    pub(super) async fn last(&self, stream: &str, subject: &str) -> Result<Option<Stored>, QueueError> {
        self.stored(stream, &json!({"last_by_subj": subject})).await
    }

    /// The message at a place, or another one that the server is asked for.
    pub(super) async fn stored(&self, stream: &str, which: &Value) -> Result<Option<Stored>, QueueError> {
        let payload = Bytes::from(which.to_string());
        let answer = self.ask(format!("$JS.API.STREAM.MSG.GET.{stream}"), payload, None, ANSWER).await?;
        let value: Value = serde_json::from_slice(&answer.payload).unwrap_or_default();
        if value["error"]["err_code"] == NO_MESSAGE
            || value["error"]["code"] == 404 && value["error"]["err_code"] != NO_STREAM
        {
            return Ok(None);
        }
        let answer = self.answer(&answer.payload)?;
        let message = &answer["message"];
        let place = message["seq"].as_u64().unwrap_or(0);
        let data = message["data"].as_str().unwrap_or_default();
        let bytes =
            decode64(data).ok_or_else(|| QueueError::Away("a message that is no base 64".to_owned()))?;
        Ok(Some(Stored { place, bytes }))
    }
}

/// The number of messages in a stream, by the last place and the first.
pub(super) fn expected(place: u64) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert("Nats-Expected-Last-Sequence", place.to_string());
    headers
}

/// Headers by which a message is stored only after the message at a place of the same subject; 0 for none.
pub(super) fn expected_of_subject(place: u64) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert("Nats-Expected-Last-Subject-Sequence", place.to_string());
    headers
}

/// Headers by which a message that comes twice within two minutes is stored once.
pub(super) fn once(id: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert("Nats-Msg-Id", id);
    headers
}

/// Reads base 64 with padding, as the server writes it.
fn decode64(text: &str) -> Option<Vec<u8>> {
    let value = |letter: u8| -> Option<u32> {
        Some(match letter {
            b'A'..=b'Z' => u32::from(letter - b'A'),
            b'a'..=b'z' => u32::from(letter - b'a') + 26,
            b'0'..=b'9' => u32::from(letter - b'0') + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        })
    };
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let bits = group.iter().try_fold(0, |bits, &letter| Some(bits << 6 | value(letter)?))?;
        let bits = bits << (6 * (4 - group.len()));
        let count = group.len() * 6 / 8;
        bytes.extend_from_slice(&bits.to_be_bytes()[1..=count]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::decode64;

    #[test]
    fn base_64_is_read_with_each_padding() {
        let cases = [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYmFy", "foobar")];
        for (text, bytes) in cases {
            assert_eq!(decode64(text).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        assert_eq!(decode64("Zm9-"), None);
    }
}
