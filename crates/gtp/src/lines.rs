//! Lines of bounded length.

use std::io::{self, BufRead, Read};

/// A line without its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    /// The text, cut at the limit. Bytes that are not UTF-8 are replaced.
    pub(crate) text: String,
    /// The length in bytes of a line that is longer than the limit; `None` if `text` is the whole line.
    pub(crate) too_long: Option<u64>,
}

/// Reads the next line. Of a line that is longer than `limit` bytes, the rest is skipped. `None` at the end of the input.
pub(crate) fn read(reader: &mut impl BufRead, limit: usize) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    if Read::take(&mut *reader, limit as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let mut length = bytes.len() as u64;
    let too_long = length > limit as u64 && bytes.last() != Some(&b'\n');
    if too_long {
        length += skip(reader)?;
        bytes.truncate(limit);
    }
    let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned();
    Ok(Some(Line { text, too_long: too_long.then_some(length) }))
}

/// Skips the rest of a line. Returns the number of skipped bytes without the line feed.
fn skip(reader: &mut impl BufRead) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let chunk = match reader.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let (used, at_end) = end.map_or((chunk.len(), chunk.is_empty()), |end| (end + 1, true));
        reader.consume(used);
        skipped += (used - usize::from(end.is_some())) as u64;
        if at_end {
            return Ok(skipped);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn long_lines_are_cut_and_the_next_line_is_read() {
        for chunk in 1..8 {
            let input = b"123456\n12345\n\r\n1234567890\r\n\xff6\nx";
            let mut reader = BufReader::with_capacity(chunk, &input[..]);
            let mut lines = Vec::new();
            while let Some(Line { text, too_long }) = read(&mut reader, 5).unwrap() {
                lines.push((text, too_long));
            }
            let expected = [
                ("12345", Some(6)),
                ("12345", None),
                ("", None),
                ("12345", Some(11)),
                ("\u{fffd}6", None),
                ("x", None),
            ];
            assert_eq!(lines, expected.map(|(text, long)| (text.to_owned(), long)), "chunks of {chunk}");
        }
    }
}
