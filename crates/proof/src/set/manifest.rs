//! The list of a [`ProofSet`] as text.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};

use sha2::{Digest, Sha256};
use stonework_files::crc32;
use stonework_game::Textual;
use stonework_game::text::head;

use super::{MOST_FILES, ProofSet, SetError, SetFile, SetFileKind};
use crate::trusted::{CLAIMS, TITLE, TOP_TITLE};
use crate::{Claim, ProofError, ProofReader};

/// The first line of a list.
const LIST: &str = "stonework proof set 1";
/// The greatest number of bytes of a line.
const LINE: usize = 1 << 16;

impl ProofSet {
    /// The usual name of the list in the directory of a set.
    pub const NAME: &'static str = "proof.set";

    /// A list without files.
    #[must_use]
    pub fn new<G: Textual>(game: &str, root: &G, claim: Claim) -> Self {
        Self { game: game.to_owned(), root: root.position_text(), claim, files: Vec::new() }
    }

    /// Writes the list. `docs/formats.md` describes it. Returns the number of bytes.
    ///
    /// # Errors
    /// The error of the output, and an error for a name or a text that the list cannot have.
    pub fn write(&self, mut out: impl Write) -> io::Result<u64> {
        let mut text = format!("{LIST}\ngame {}\nroot {}\nclaim {}\n", self.game, self.root, self.claim);
        let mut add = |line: std::fmt::Arguments<'_>| text.write_fmt(line).map_err(io::Error::other);
        add(format_args!("files {}\n", self.files.len()))?;
        for file in &self.files {
            let (kind, hash) = (file.kind.name(), hex(&file.sha256));
            add(format_args!("{kind} {hash} {} {} {}\n", file.bytes, file.claims.len(), file.name))?;
            for (root, claim) in &file.claims {
                add(format_args!("root {root}\nclaim {claim}\n"))?;
            }
        }
        let check = crc32(&[text.as_bytes()]);
        writeln!(text, "check {check:08x}").map_err(io::Error::other)?;
        // A list that cannot be read again is not written.
        match Self::read(text.as_bytes()) {
            Ok(again) if again == *self => {}
            Ok(_) => return Err(invalid("a text of more than one line".to_owned())),
            Err(error) => return Err(invalid(error.to_string())),
        }
        out.write_all(text.as_bytes())?;
        Ok(text.len() as u64)
    }

    /// Reads a list. The files of the list are not opened.
    ///
    /// # Errors
    /// [`SetError::List`] with the line, and the error of the input.
    pub fn read(input: impl Read) -> Result<Self, SetError> {
        let mut lines =
            Lines { input: BufReader::new(input), line: 0, before: Vec::new(), text: String::new() };
        lines.exactly(LIST)?;
        let game = lines.field("game")?;
        let root = lines.field("root")?;
        let claim = lines.claim()?;
        let count: usize = lines.number("files")?;
        if count > MOST_FILES {
            return Err(lines.wrong(format!("{count} files: at most {MOST_FILES}")));
        }
        let (mut files, mut names) = (Vec::new(), HashSet::new());
        for _ in 0..count {
            let file = lines.file()?;
            if !names.insert(file.name.clone()) {
                return Err(lines.wrong(format!("the name `{}` stands twice", file.name)));
            }
            files.push(file);
        }
        lines.end()?;
        Ok(Self { game, root, claim, files })
    }
}

fn invalid(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

/// The lines of a list.
struct Lines<R> {
    input: BufReader<R>,
    /// The number of the last line, from 1.
    line: u64,
    /// The bytes of all lines before the check.
    before: Vec<u8>,
    /// The last line, without its end.
    text: String,
}

impl<R: Read> Lines<R> {
    fn wrong(&self, reason: String) -> SetError {
        SetError::List { line: self.line, reason }
    }

    /// Reads the next line into `text`.
    fn next(&mut self) -> Result<(), SetError> {
        self.before.extend_from_slice(self.text.as_bytes());
        if self.line > 0 {
            self.before.push(b'\n');
        }
        self.line += 1;
        let mut bytes = Vec::new();
        let limit = LINE as u64 + 1;
        (&mut self.input).take(limit).read_until(b'\n', &mut bytes).map_err(SetError::Unreadable)?;
        if bytes.pop() != Some(b'\n') {
            let cut = if bytes.len() >= LINE { "more than 65536 bytes" } else { "the list ends here" };
            return Err(self.wrong(cut.to_owned()));
        }
        self.text =
            String::from_utf8(bytes).map_err(|_| self.wrong("bytes that are not UTF-8".to_owned()))?;
        Ok(())
    }

    fn exactly(&mut self, text: &str) -> Result<(), SetError> {
        self.next()?;
        if self.text == text { Ok(()) } else { Err(self.wrong(format!("expected `{text}`"))) }
    }

    fn field(&mut self, name: &str) -> Result<String, SetError> {
        self.next()?;
        let value = self.text.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
        value
            .map(str::to_owned)
            .ok_or_else(|| self.wrong(format!("expected a line that begins with `{name} `")))
    }

    fn number(&mut self, name: &str) -> Result<usize, SetError> {
        let text = self.field(name)?;
        plain(&text).ok_or_else(|| self.wrong(format!("`{}` is no number in digits alone", head(&text))))
    }

    fn claim(&mut self) -> Result<Claim, SetError> {
        let text = self.field("claim")?;
        text.parse().map_err(|unknown: crate::UnknownClaim| self.wrong(unknown.to_string()))
    }

    /// Reads the lines of one file.
    fn file(&mut self) -> Result<SetFile, SetError> {
        self.next()?;
        let parts: Vec<&str> = self.text.splitn(5, ' ').collect();
        let [kind, hash, bytes, count, name] = *parts else {
            return Err(self.wrong("expected kind, SHA-256, bytes, number of claims and name".to_owned()));
        };
        let kind = match kind {
            "proof" => SetFileKind::Proof,
            "top" => SetFileKind::Top,
            other => return Err(self.wrong(format!("`{}` is neither `proof` nor `top`", head(other)))),
        };
        let sha256 =
            unhex(hash).ok_or_else(|| self.wrong("a SHA-256 has 64 digits, 0 to 9 and a to f".to_owned()))?;
        let bytes = plain(bytes).ok_or_else(|| self.wrong(format!("`{}` bytes", head(bytes))))? as u64;
        let count = plain(count).filter(|count| (1..=CLAIMS).contains(count));
        let count = count.ok_or_else(|| self.wrong(format!("1 to {CLAIMS} claims")))?;
        if !is_name(name) {
            return Err(self.wrong(format!("`{}` is no name of a file of a set", head(name))));
        }
        let name = name.to_owned();
        let mut claims = Vec::with_capacity(count);
        for _ in 0..count {
            let root = self.field("root")?;
            claims.push((root, self.claim()?));
        }
        Ok(SetFile { kind, name, bytes, sha256, claims })
    }

    /// Reads the check and the end.
    fn end(&mut self) -> Result<(), SetError> {
        let found = self.field("check")?;
        let expected = format!("{:08x}", crc32(&[&self.before]));
        if found != expected {
            return Err(
                self.wrong(format!("the lines before have the check {expected}, not {}", head(&found)))
            );
        }
        let more = self.input.fill_buf().map_err(SetError::Unreadable)?;
        if more.is_empty() { Ok(()) } else { Err(self.wrong("more follows the check".to_owned())) }
    }
}

/// A number in digits without zeros before them.
fn plain(text: &str) -> Option<usize> {
    text.parse().ok().filter(|number: &usize| number.to_string() == text)
}

/// `true` for a name that stays in its directory and is written the same everywhere.
fn is_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    (1..=255).contains(&name.len()) && !name.starts_with('.') && name.bytes().all(allowed)
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

pub(super) fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    let digits = text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * i..2 * i + 2).filter(|_| digits)?, 16).ok()?;
    }
    Some(bytes)
}

impl SetFile {
    /// The entry of a file with this content: its kind and claims are read from its header. The proof is not verified.
    ///
    /// # Errors
    /// An error for bytes that do not begin as a proof file or a top file.
    pub fn of_bytes(name: &str, content: &[u8]) -> Result<Self, ProofError> {
        let top = content.starts_with(TOP_TITLE.as_bytes());
        let (kind, title) = if top { (SetFileKind::Top, TOP_TITLE) } else { (SetFileKind::Proof, TITLE) };
        let reader = ProofReader::titled(content, title)?;
        let claims = reader.claims().map(|(root, claim)| (root.to_owned(), claim)).collect();
        let sha256 = Sha256::digest(content).into();
        Ok(Self { kind, name: name.to_owned(), bytes: content.len() as u64, sha256, claims })
    }
}
