//! Lines, requests and records of random bytes: each has an answer, and none is a panic.

use crate::common::{Tested, request, server};
use axum::body::Body;
use axum::http::header;
use stonework_server::{ClientLine, ClockSettings, Order, ServerLine};

/// A generator of random numbers of a few lines, from a seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }

    /// Words that the server knows, among random characters, cut and doubled.
    fn text(&mut self) -> String {
        const WORDS: &[&str] = &[
            "player",
            "gtp",
            "Put",
            "Swap",
            "Pass",
            "Resign",
            "again",
            "quit",
            " ",
            " ",
            "A1",
            "K19",
            "a1",
            "swap",
            "-",
            "+",
            ":",
            "stonework 1",
            "size",
            "clock",
            "move",
            "notation",
            "turn",
            "ok",
            "over",
            "game",
            "resume",
            "illegal",
            "1",
            "99999999999999999999",
            "{\"op\":\"play\",\"move\":\"",
            "\"}",
            "{",
            "[",
            "\"",
            "null",
            "\"ply\":",
            "(;GM[Cachex]SZ[3]",
            ";R[0,0]",
            "B[",
            "]",
            ")",
            "(;FF[4]",
            "..",
            "/",
            "%",
            "%00",
            "\u{0}",
            "\r",
            "é",
            "\u{1F600}",
            "0,0",
            "havannah",
            "4s",
            ".svg",
            "[G01]x[K05]",
        ];
        let mut text = String::new();
        for _ in 0..self.next(12) {
            match self.next(4) {
                0 => text.push(char::from_u32(self.next(0x300) as u32).unwrap_or('?')),
                1 => text.extend(std::iter::repeat_n('x', self.next(40))),
                _ => text.push_str(WORDS[self.next(WORDS.len())]),
            }
        }
        text
    }
}

/// Every line that is read is written and read alike.
fn lines(count: usize, seed: u64) {
    let mut random = Random(seed);
    for _ in 0..count {
        let text = random.text();
        if let Ok(line) = text.parse::<ClientLine>() {
            assert_eq!(line.to_string().parse::<ClientLine>().as_ref(), Ok(&line), "{text:?}");
        }
        if let Ok(line) = text.parse::<ServerLine>() {
            assert_eq!(line.to_string().parse::<ServerLine>().as_ref(), Ok(&line), "{text:?}");
        }
        if let Ok(clock) = ClockSettings::parse(&text) {
            assert_eq!(clock.check(), Ok(()), "{text:?}");
        }
        // Text that is no order is an error, and no panic.
        let _ = serde_json::from_str::<Order>(&text);
    }
}

/// The text as a part of an address. Letters, digits and the bytes of `kept` stay as they are.
pub(crate) fn encoded(text: &str, kept: &[u8]) -> String {
    let letter = |byte: u8| match byte {
        byte if byte.is_ascii_alphanumeric() || kept.contains(&byte) => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(letter).collect()
}

async fn requests(server: &Tested, count: usize, seed: u64) {
    let mut random = Random(seed);
    let key = server.player("noise").await;
    for _ in 0..count {
        let (text, kind) = (random.text(), random.next(7));
        let part = encoded(&text, b".,/");
        let (method, address) = match kind {
            0 => ("GET", format!("/pic/havannah/{part}")),
            1 => ("GET", format!("/records/{part}")),
            2 => ("GET", format!("/api/records?game=havannah&size=4&position={part}")),
            3 => ("POST", "/api/records".to_owned()),
            4 => ("POST", "/api/games".to_owned()),
            5 => ("POST", format!("/api/games/{part}")),
            _ => ("GET", format!("/exec?cmd={part}")),
        };
        let request = request(method, &address)
            .header(header::AUTHORIZATION, format!("Bearer {key}"))
            .header(header::CONTENT_TYPE, "application/json");
        let Ok(request) = request.body(Body::from(text.clone())) else { continue };
        let answer = server.send(request).await;
        assert!(!answer.status.is_server_error(), "{method} {address} {text:?}: {}", answer.text());
    }
    let metrics = server.get("/metrics").await.text();
    assert!(metrics.contains("stonework_panics_total 0\n"), "{metrics}");
}

#[test]
fn random_lines_have_an_answer() {
    lines(50_000, 1);
}

#[tokio::test]
async fn random_requests_have_an_answer() {
    requests(&server().await, 400, 2).await;
}

#[tokio::test]
#[ignore = "some minutes: cargo test --release -p stonework-server --test server noise:: -- --ignored (docs/results/server.md)"]
async fn ten_million_lines_and_requests_have_an_answer() {
    lines(9_900_000, 3);
    requests(&server().await, 100_000, 4).await;
}
