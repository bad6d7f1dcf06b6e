//! The syntax of the protocol: lines, commands and replies.

use std::fmt;

/// The longest line that a server reads, in bytes, without the end of a comment. A server refuses a longer line, and skips the
/// line to its end.
pub const MAX_LINE: usize = 64 << 10;

/// The longest text of a refusal, in characters.
const MAX_REFUSAL: usize = 400;

/// A command as it stands in a line: `[ID] NAME [ARGUMENT…]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Call<'a> {
    /// The id: digits.
    pub(crate) id: Option<&'a str>,
    pub(crate) name: &'a str,
    pub(crate) arguments: Vec<&'a str>,
}

/// A line in the form that the protocol prescribes before parsing: a space for each tab, no other control characters,
/// no comment.
pub(crate) fn plain(line: &str) -> String {
    let text = line.split('#').next().unwrap_or_default();
    let kept = text.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control());
    kept.collect()
}

impl<'a> Call<'a> {
    /// The command of a [`plain`] line; `None` for a line without a command.
    pub(crate) fn read(line: &'a str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let first = words.next()?;
        let is_id = first.bytes().all(|byte| byte.is_ascii_digit());
        let (id, name) = if is_id { (Some(first), words.next().unwrap_or_default()) } else { (None, first) };
        Some(Self { id, name, arguments: words.collect() })
    }
}

/// The answer to a command. Its [`Display`](fmt::Display) is the text for the controller: `=` or `?`, the id of the
/// command, a space and the text, and an empty line.
///
/// ```
/// use stonework_gtp::GtpReply;
/// let reply = GtpReply::new(Some("7"), Ok("a1\n\nb2".to_owned()));
/// assert_eq!(reply.to_string(), "=7 a1\nb2\n\n");
/// assert_eq!(GtpReply::new(None, Err("unknown command".to_owned())).to_string(), "? unknown command\n\n");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GtpReply {
    id: String,
    result: Result<String, String>,
}

impl GtpReply {
    /// The answer to a command with this id: the text of a success or of a refusal. Control characters are left out,
    /// and so are empty lines, which would end the reply. A refusal is cut at 400 characters.
    #[must_use]
    pub fn new(id: Option<&str>, result: Result<String, String>) -> Self {
        let refusal = |text: String| clean(&text).chars().take(MAX_REFUSAL).collect();
        Self {
            id: id.unwrap_or_default().to_owned(),
            result: result.map(|text| clean(&text)).map_err(refusal),
        }
    }

    /// The same success with these lines below, which have no control characters and are not empty.
    pub(crate) fn with_lines(self, lines: &[String]) -> Self {
        Self { result: self.result.map(|text| format!("{text}\n{}", lines.join("\n"))), ..self }
    }

    /// The text of a success.
    ///
    /// # Errors
    /// The text of a refusal.
    pub fn result(&self) -> Result<&str, &str> {
        self.result.as_deref().map_err(String::as_str)
    }
}

/// Removes control characters, and all empty lines but the first line.
fn clean(text: &str) -> String {
    let lines = text.split('\n').enumerate();
    let lines = lines.filter_map(|(number, line)| {
        let line: String = line.chars().filter(|c| !c.is_control()).collect();
        let line = line.trim_end().to_owned();
        (number == 0 || !line.is_empty()).then_some(line)
    });
    lines.collect::<Vec<_>>().join("\n")
}

impl fmt::Display for GtpReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, text) = match &self.result {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        let space = if text.is_empty() || text.starts_with('\n') { "" } else { " " };
        write!(f, "{sign}{}{space}{text}\n\n", self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_id_a_name_and_arguments() {
        let line = plain("\u{7}12 play\twhite \u{b}a1 # a comment");
        let call = Call::read(&line).unwrap();
        assert_eq!((call.id, call.name, &call.arguments[..]), (Some("12"), "play", &["white", "a1"][..]));
        for empty in ["", "   ", "# only this", "\t\r", "\u{1}"] {
            assert_eq!(Call::read(&plain(empty)), None, "{empty:?}");
        }
        let line = plain("0042");
        assert_eq!(Call::read(&line), Some(Call { id: Some("0042"), name: "", arguments: vec![] }));
    }

    #[test]
    fn a_reply_ends_with_its_only_empty_line() {
        for text in ["", "\n", "a\n\n\nb\n", "\n\u{7}\n x\n \n", "\r\n\r\n", "a\u{b}b"] {
            for result in [Ok(text.to_owned()), Err(text.to_owned())] {
                let sent = GtpReply::new(None, result).to_string();
                assert!(sent.starts_with(['=', '?']) && sent.ends_with("\n\n"), "{sent:?}");
                assert_eq!(sent.find("\n\n"), Some(sent.len() - 2), "{sent:?}");
                assert!(sent.chars().all(|c| c == '\n' || !c.is_control()), "{sent:?}");
            }
        }
    }
}
