//! Games as compressed lines of JSON.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::SelfPlayGame;
use crate::log::shortened;

/// The largest number of bytes that [`unpacked`] makes of a blob: 1 GiB.
pub const MAX_UNPACKED: u64 = 1 << 30;

/// Bytes that are no games.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// The bytes are not compressed text, or other bytes stand behind it.
    #[error("no compressed text: {0}")]
    Io(#[from] io::Error),
    /// The text is longer than the limit.
    #[error("longer than {limit} bytes")]
    TooLong {
        /// The largest number of bytes.
        limit: u64,
    },
    /// A line is no game.
    #[error("line {line}: {what}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The reason.
        what: String,
    },
}

/// Games as bytes: a line of JSON for each, compressed in the format gzip. Equal games give equal bytes.
///
/// # Errors
/// The error of the writer; none in memory.
pub fn packed(games: &[SelfPlayGame]) -> io::Result<Vec<u8>> {
    let mut lines = Vec::new();
    for game in games {
        serde_json::to_writer(&mut lines, game)?;
        lines.push(b'\n');
    }
    compressed(&lines)
}

/// The games of [`packed`] bytes. The memory never exceeds the limit and the games.
///
/// # Errors
/// An error if the bytes are not compressed lines of games, or have more than `limit` bytes when they are unpacked.
pub fn unpacked(bytes: &[u8], limit: u64) -> Result<Vec<SelfPlayGame>, PackError> {
    let text = unpacked_text(bytes, limit)?;
    let game = |(at, line): (usize, &str)| {
        serde_json::from_str(line)
            .map_err(|error| PackError::Line { line: at + 1, what: shortened(&error.to_string()) })
    };
    text.lines().enumerate().map(game).collect()
}

pub(super) fn compressed(text: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(text)?;
    encoder.finish()
}

/// The text of compressed bytes, such as those of a file of a [`SelfPlayFolder`](super::SelfPlayFolder), or of several such files one after
/// the other.
///
/// # Errors
/// An error if the bytes are not compressed UTF-8, or have more than `limit` bytes when they are unpacked.
pub fn unpacked_text(bytes: &[u8], limit: u64) -> Result<String, PackError> {
    let mut text = Vec::new();
    MultiGzDecoder::new(bytes).take(limit.saturating_add(1)).read_to_end(&mut text)?;
    if text.len() as u64 > limit {
        return Err(PackError::TooLong { limit });
    }
    let wrong = |error: std::string::FromUtf8Error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].split(|&byte| byte == b'\n').count();
        PackError::Line { line, what: "it is not UTF-8".to_owned() }
    };
    String::from_utf8(text).map_err(wrong)
}
