//! [`Log`]: results as lines of JSON that survive a kill, each with a check.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use serde::{Serialize, Serializer, de::DeserializeOwned};
use serde_json::Value;
use stonework_files::{Disk, Handle, Kind, System, crc32};

/// The largest number of bytes of a log: 1 GiB.
pub const MAX_LOG: u64 = 1 << 30;
/// The largest number of bytes of a line: 1 MiB.
pub const MAX_LINE: u64 = 1 << 20;

/// The length of a file and a check of its content. The header of a log has the digests of the files on which the
/// games depend.
///
/// ```
/// use std::path::Path;
/// use stonework_arena::FileDigest;
/// use stonework_files::{Disk, Simulated};
/// let disk = Simulated::new();
/// disk.create(Path::new("table"), None)?.write_all(b"values")?;
/// let digest = FileDigest::of(&disk, Path::new("table"))?;
/// assert_eq!(digest.bytes, 6);
/// assert_eq!(serde_json::to_string(&digest)?, format!(r#"{{"bytes":6,"check":"{:08x}"}}"#, digest.check));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct FileDigest {
    /// The number of bytes of the file.
    pub bytes: u64,
    /// The CRC-32 over the check of all parts before, and the last part of at most 64 KiB; eight hexadecimal digits
    /// in JSON.
    #[serde(serialize_with = "hexadecimal")]
    pub check: u32,
}

/// The number of bytes of a part of a file, for a [`FileDigest`].
const PART: u64 = 1 << 16;

impl FileDigest {
    /// Reads a file to its end.
    ///
    /// # Errors
    /// The error of the system.
    pub fn of(disk: &dyn Disk, path: &Path) -> io::Result<Self> {
        let (mut input, mut digest, mut part) = (disk.open(path)?, Self { bytes: 0, check: 0 }, Vec::new());
        loop {
            part.clear();
            let read = Read::by_ref(&mut input).take(PART).read_to_end(&mut part)?;
            if read == 0 {
                return Ok(digest);
            }
            digest.bytes += read as u64;
            digest.check = crc32(&[&digest.check.to_le_bytes(), &part]);
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out a reference")]
fn hexadecimal<S: Serializer>(check: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{check:08x}"))
}

/// A file of JSON lines: a header that describes a task, then a line for each finished part of the task.
///
/// An existing file is continued if its header is the same. A process that is killed during a write leaves at most
/// one line without an end; the next run drops that line. Each line is synced before [`add`](Log::add) returns. One
/// process at a time has the file: the system's lock on the file ends with that process.
///
/// # The file
/// Each line is a JSON object whose last field is `check`, eight hexadecimal digits. The check is the CRC-32 of two
/// parts: the text of the check of the line before (empty for the first line), and the line without `,"check":"…"`.
/// So a line that was edited, left out, doubled or moved is refused with its number.
///
/// ```text
/// {"what":"match","seed":7,"check":"0a54ae04"}
/// {"game":0,"result":"first","check":"5b2ee6a0"}
/// ```
#[derive(Debug)]
pub struct Log {
    file: Box<dyn Handle>,
    /// The check of the last line, as text.
    check: String,
    /// The number of bytes of all whole lines.
    len: u64,
    /// `true` while a part of a line that was not written may stand behind the whole lines.
    is_torn: bool,
}

/// A log that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another process writes to the file.
    #[error("another process is at work on it: wait until that process ends, or stop it")]
    Held,
    /// The path names no regular file, but a directory, a pipe or a device.
    #[error("it is no regular file, where a log could be continued")]
    NoFile,
    /// The file is the log of another task.
    #[error("it is the log of something else: {field} is {there}, not {here}")]
    Other {
        /// The first field of the header that differs.
        field: String,
        /// The value in the file.
        there: String,
        /// The requested value.
        here: String,
    },
    /// A line is invalid.
    #[error("line {line}: {what}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The fault of the line.
        what: String,
    },
    /// The file is longer than [`MAX_LOG`].
    #[error("longer than {MAX_LOG} bytes")]
    TooLong,
}

impl Log {
    /// Opens the log with this header, a JSON object, and returns its lines. A missing or empty file becomes a new
    /// log. O(file) memory.
    ///
    /// # Errors
    /// An error if the file cannot be read and written, another process has it, it has another header, or one of its
    /// lines has no check or is invalid. The file does not change then.
    pub fn open<T: DeserializeOwned>(path: &Path, header: &Value) -> Result<(Self, Vec<T>), LogError> {
        Self::open_on(&System, path, header)
    }

    /// Opens a log as [`open`](Log::open), on another disk.
    ///
    /// # Errors
    /// The errors of [`open`](Log::open).
    pub fn open_on<T: DeserializeOwned>(
        disk: &dyn Disk,
        path: &Path,
        header: &Value,
    ) -> Result<(Self, Vec<T>), LogError> {
        let path = disk.target(path)?;
        if disk.look(&path)?.is_some_and(|there| there.kind != Kind::File) {
            return Err(LogError::NoFile);
        }
        let mut file = disk.edit(&path)?;
        if !file.try_lock()? {
            return Err(LogError::Held);
        }
        let mut reader = Reader { input: BufReader::new(&mut *file), check: String::new(), len: 0, line: 0 };
        let (head, check) = sealed(&header.to_string(), "")?;
        let mut lines = Vec::new();
        match reader.next()? {
            Ok(there) => compare(&reader.parsed(&there)?, header)?,
            // An empty file, or a beginning of this header, may be overwritten.
            Err(rest) if head.as_bytes().starts_with(&rest) => {
                file.cut(0)?;
                file.write_all(head.as_bytes())?;
                file.sync()?;
                disk.sync_directory(path.parent().filter(|p| *p != Path::new("")).unwrap_or(Path::new(".")))?;
                return Ok((Self { file, check, len: head.len() as u64, is_torn: false }, lines));
            }
            Err(_) => return Err(reader.wrong("it is no log: its first line has no end")),
        }
        while let Ok(line) = reader.next()? {
            lines.push(reader.parsed(&line)?);
        }
        let Reader { check, len, .. } = reader;
        file.cut(len)?;
        Ok((Self { file, check, len, is_torn: false }, lines))
    }

    /// Adds a line and syncs the file.
    ///
    /// # Errors
    /// An error if `line` is no JSON object, is longer than [`MAX_LINE`], or cannot be written, or if the log would become longer
    /// than [`MAX_LOG`]. The log stays as it was.
    pub fn add(&mut self, line: &impl Serialize) -> io::Result<()> {
        let (text, check) = sealed(&serde_json::to_string(line)?, &self.check)?;
        let (len, more) = (self.len, text.len() as u64);
        if len + more > MAX_LOG {
            let full =
                format!("the log is full: {len} bytes and {more} more, and at most {MAX_LOG} are read");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, full));
        }
        self.mend()?;
        self.is_torn = true;
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync());
        if let Err(error) = written {
            let _ = self.mend();
            return Err(error);
        }
        self.is_torn = false;
        self.len += text.len() as u64;
        self.check = check;
        Ok(())
    }

    /// Cuts off a line that was not written. Half a line is dropped at the next opening of the file, but no line may follow it.
    fn mend(&mut self) -> io::Result<()> {
        if self.is_torn {
            self.file.cut(self.len)?;
            self.is_torn = false;
        }
        Ok(())
    }
}

/// The largest number of bytes of the reason why a line is refused.
const MOST_REASON: usize = 300;

/// The beginning of a reason, which may have a name or a text of the line, of any length.
pub(crate) fn shortened(reason: &str) -> String {
    if reason.len() <= MOST_REASON {
        return reason.to_owned();
    }
    let end = (0..=MOST_REASON).rev().find(|&end| reason.is_char_boundary(end));
    format!("{}…", &reason[..end.unwrap_or(0)])
}

/// The last field of each line, without its value.
const FIELD: &str = ",\"check\":\"";

/// A line with its check and its line feed, made from an object; and the check alone.
fn sealed(object: &str, before: &str) -> io::Result<(String, String)> {
    let fault = |what: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    let Some(body) = object.strip_suffix('}').filter(|body| body.len() > 1) else {
        return fault("a line of a log is a JSON object with a field at least");
    };
    let check = format!("{:08x}", crc32(&[before.as_bytes(), object.as_bytes()]));
    let line = format!("{body}{FIELD}{check}\"}}\n");
    if line.len() as u64 > MAX_LINE {
        return fault("a line of a log is longer than 1 MiB");
    }
    Ok((line, check))
}

/// The object of a line of a [`Log`] without its check, and the check, for readers of logs that write none. `before` is the check of
/// the line before, empty for the first line. `None` for a line that does not end with a check. O(line).
///
/// ```
/// use stonework_arena::unsealed;
/// let line = r#"{"what":"match","seed":7,"check":"6be77121"}"#;
/// let (object, check) = unsealed(line, "")?.unwrap();
/// assert_eq!((&*object, &*check), (r#"{"what":"match","seed":7}"#, "6be77121"));
/// assert!(unsealed(&line.replace("seed\":7", "seed\":8"), "").is_err());
/// assert_eq!(unsealed(&object, "")?, None);
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// The reason why the check is not that of the line.
pub fn unsealed(line: &str, before: &str) -> Result<Option<(String, String)>, String> {
    let parts = line.strip_suffix("\"}").and_then(|rest| rest.rsplit_once(FIELD));
    let Some((body, check)) = parts.filter(|(_, check)| check.len() == 8) else { return Ok(None) };
    let object = format!("{body}}}");
    let expected = format!("{:08x}", crc32(&[before.as_bytes(), object.as_bytes()]));
    if check == expected {
        return Ok(Some((object, expected)));
    }
    Err(format!("edited or out of place: its check is {check}, of what is there {expected}"))
}

/// The lines of a file, one after the other.
struct Reader<R> {
    input: R,
    /// The check of the last line.
    check: String,
    /// The number of bytes of the lines so far.
    len: u64,
    /// The number of the last line, from 1.
    line: usize,
}

impl<R: BufRead> Reader<R> {
    /// The next line without its check and its line feed, or else the last bytes of a file whose last line has no
    /// end.
    fn next(&mut self) -> Result<Result<String, Vec<u8>>, LogError> {
        let mut bytes = Vec::new();
        (&mut self.input).take(MAX_LINE + 1).read_until(b'\n', &mut bytes)?;
        self.line += 1;
        let read = bytes.len() as u64;
        if read > MAX_LINE {
            return Err(self.wrong(&format!("longer than {MAX_LINE} bytes")));
        }
        if bytes.pop_if(|last| *last == b'\n').is_none() {
            return Ok(Err(bytes));
        }
        self.len += read;
        if self.len > MAX_LOG {
            return Err(LogError::TooLong);
        }
        let text = String::from_utf8(bytes).map_err(|_| self.wrong("it is not UTF-8"))?;
        let Some((object, check)) = unsealed(&text, &self.check).map_err(|what| self.wrong(&what))? else {
            return Err(self.wrong("it does not end with its check: it is no line of a log of this version"));
        };
        self.check = check;
        Ok(Ok(object))
    }

    fn parsed<T: DeserializeOwned>(&self, text: &str) -> Result<T, LogError> {
        serde_json::from_str(text).map_err(|e| self.wrong(&e.to_string()))
    }

    fn wrong(&self, what: &str) -> LogError {
        LogError::Line { line: self.line, what: shortened(what) }
    }
}

/// Checks that two headers are equal.
fn compare(there: &Value, here: &Value) -> Result<(), LogError> {
    if there == here {
        return Ok(());
    }
    let show = |value: Option<&Value>| value.map_or_else(|| "missing".to_owned(), Value::to_string);
    let keys = |value: &Value| -> Vec<String> {
        value.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default()
    };
    let differs = |field: &String| there.get(field) != here.get(field);
    let field = keys(here).into_iter().chain(keys(there)).find(differs);
    let field = field.unwrap_or_else(|| "the header".to_owned());
    Err(LogError::Other { there: show(there.get(&field)), here: show(here.get(&field)), field })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;
    use stonework_files::{DiskFault, Kept, Simulated};

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    struct Square {
        n: u64,
    }

    const PATH: &str = "squares.jsonl";

    fn header() -> Value {
        json!({"what": "squares", "seed": 7})
    }

    fn squares() -> Vec<Square> {
        (0..12).map(|i| Square { n: i * i }).collect()
    }

    /// Adds the missing lines. Returns the number of lines that were in the file before.
    fn go_on(disk: &Simulated) -> Result<usize, LogError> {
        let (mut log, there) = Log::open_on::<Square>(disk, Path::new(PATH), &header())?;
        assert_eq!(there, squares()[..there.len()]);
        for line in &squares()[there.len()..] {
            log.add(line)?;
        }
        Ok(there.len())
    }

    fn bytes(disk: &Simulated) -> Vec<u8> {
        disk.content(Path::new(PATH)).unwrap()
    }

    #[test]
    fn a_file_cut_anywhere_is_gone_on_with() {
        let disk = Simulated::new();
        assert_eq!(go_on(&disk).unwrap(), 0);
        let whole = bytes(&disk);
        for cut in 0..=whole.len() {
            disk.put(Path::new(PATH), &whole[..cut]);
            go_on(&disk).unwrap();
            assert_eq!(bytes(&disk), whole, "cut at {cut}");
        }
    }

    #[test]
    fn a_log_whose_disk_fails_anywhere_is_gone_on_with_and_keeps_what_add_has_returned() {
        let disk = Simulated::new();
        go_on(&disk).unwrap();
        let (whole, operations) = (bytes(&disk), disk.operations());
        for at in 0..operations {
            for fault in [DiskFault::Error, DiskFault::Short, DiskFault::Kill] {
                let disk = Simulated::new();
                disk.fail_at(at, fault);
                let mut added = 0;
                let opened = Log::open_on::<Square>(&disk, Path::new(PATH), &header());
                if let Ok((mut log, _)) = opened {
                    added = squares().iter().take_while(|line| log.add(line).is_ok()).count();
                }
                for kept in [Kept::Written, Kept::Names, Kept::Synced] {
                    let after = disk.restarted(kept);
                    let there = go_on(&after).unwrap_or_else(|e| panic!("{fault:?} at {at}, {kept:?}: {e}"));
                    assert!(there >= added, "{fault:?} at {at}, {kept:?}: {there} of {added}");
                    assert_eq!(bytes(&after), whole, "{fault:?} at {at}, {kept:?}");
                }
            }
        }
    }

    #[test]
    fn every_edit_of_a_log_is_refused() {
        let disk = Simulated::new();
        go_on(&disk).unwrap();
        let whole = bytes(&disk);
        let refused = |edited: &[u8], what: &str| {
            disk.put(Path::new(PATH), edited);
            let opened = Log::open_on::<Square>(&disk, Path::new(PATH), &header());
            assert!(opened.is_err(), "{what}: {}", String::from_utf8_lossy(edited));
            assert_eq!(bytes(&disk), edited, "{what}");
        };
        let end = whole.iter().rposition(|&b| b == b'\n').unwrap();
        for bit in 0..8 * end {
            let mut edited = whole.clone();
            edited[bit / 8] ^= 1 << (bit % 8);
            refused(&edited, &format!("bit {bit}"));
        }
        let lines: Vec<&[u8]> = whole.split_inclusive(|&b| b == b'\n').collect();
        for i in 1..lines.len() - 1 {
            let mut left_out = lines.clone();
            left_out.remove(i);
            refused(&left_out.concat(), "a line left out");
            let mut doubled = lines.clone();
            doubled.insert(i, lines[i]);
            refused(&doubled.concat(), "a line twice");
            let mut swapped = lines.clone();
            swapped.swap(i, i + 1);
            refused(&swapped.concat(), "two lines exchanged");
        }
    }

    #[test]
    fn other_files_are_refused_and_left_alone() {
        let disk = Simulated::new();
        let line = |object: &str| sealed(object, "").unwrap().0;
        for (content, said) in [
            ("dear diary".to_owned(), "line 1: it is no log"),
            ("dear\ndiary\n".to_owned(), "line 1: it does not end with its check"),
            ("{\"what\":\"squares\",\"seed\":7}\n".to_owned(), "line 1: it does not end with its check"),
            (line("{\"what\":\"squares\",\"seed\":8}"), "seed is 8, not 7"),
            (line("{\"what\":\"squares\"}"), "seed is missing, not 7"),
            (line("{\"seed\":7,\"what\":\"squares\",\"x\":1}"), "x is 1, not missing"),
            ("x".repeat(2 << 20), "line 1: longer than 1048576 bytes"),
        ] {
            disk.put(Path::new(PATH), content.as_bytes());
            let error = Log::open_on::<Square>(&disk, Path::new(PATH), &header()).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
            assert_eq!(bytes(&disk), content.as_bytes());
        }
    }

    #[test]
    fn a_log_does_not_become_longer_than_can_be_read() {
        let disk = Simulated::new();
        go_on(&disk).unwrap();
        let whole = bytes(&disk);
        let (mut log, _) = Log::open_on::<Square>(&disk, Path::new(PATH), &header()).unwrap();
        assert_eq!(log.len, whole.len() as u64);
        let line = sealed("{\"n\":144}", &log.check).unwrap().0.len() as u64;
        log.len = MAX_LOG - line + 1;
        let error = log.add(&Square { n: 144 }).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("the log is full: {} bytes and {line} more, and at most 1073741824 are read", log.len)
        );
        assert_eq!(bytes(&disk), whole);
        // The last line that fits is added.
        log.len -= 1;
        log.add(&Square { n: 144 }).unwrap();
        assert_eq!((log.len, bytes(&disk).len() as u64), (MAX_LOG, whole.len() as u64 + line));
    }

    /// A file whose next operations fail: a write after half of its bytes.
    #[derive(Debug)]
    struct Failing {
        file: Box<dyn Handle>,
        faults: u32,
    }

    impl Failing {
        fn fails(&mut self) -> io::Result<()> {
            let Some(left) = self.faults.checked_sub(1) else { return Ok(()) };
            self.faults = left;
            Err(io::Error::other("the disk fails"))
        }
    }

    impl Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.file.read(buffer)
        }
    }

    impl Write for Failing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.faults > 0 {
                self.file.write_all(&bytes[..bytes.len() / 2])?;
            }
            self.fails()?;
            self.file.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.file.flush()
        }
    }

    impl Handle for Failing {
        fn sync(&mut self) -> io::Result<()> {
            self.file.sync()
        }

        fn cut(&mut self, len: u64) -> io::Result<()> {
            self.fails()?;
            self.file.cut(len)
        }

        fn try_lock(&mut self) -> io::Result<bool> {
            self.file.try_lock()
        }

        fn is_at(&self, path: &Path) -> io::Result<bool> {
            self.file.is_at(path)
        }
    }

    #[test]
    fn no_line_follows_half_a_line_that_could_not_be_cut_off() {
        for faults in 1..4 {
            let disk = Simulated::new();
            let (mut log, _) = Log::open_on::<Square>(&disk, Path::new(PATH), &header()).unwrap();
            log.add(&squares()[0]).unwrap();
            log.file = Box::new(Failing { file: log.file, faults });
            let added = squares()[1..].iter().filter(|line| log.add(*line).is_ok()).count();
            assert!((1..11).contains(&added), "{faults} faults: {added}");
            drop(log);
            let (_, lines) = Log::open_on::<Square>(&disk, Path::new(PATH), &header()).unwrap();
            assert_eq!(lines.len(), 1 + added, "{faults} faults");
        }
    }

    #[test]
    fn two_at_a_time_cannot_have_one_log() {
        let folder = std::env::temp_dir().join(format!("stonework-arena-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(PATH);
        let (mut log, _) = Log::open::<Square>(&path, &header()).unwrap();
        log.add(&squares()[0]).unwrap();
        let second = Log::open::<Square>(&path, &header());
        assert!(matches!(second, Err(LogError::Held)), "{second:?}");
        drop(log);
        let (_, lines) = Log::open::<Square>(&path, &header()).unwrap();
        assert_eq!(lines, squares()[..1]);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
