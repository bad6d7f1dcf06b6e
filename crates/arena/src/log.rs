//! [`Log`]: what was done so far, as lines of JSON that survive a kill.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

/// A file of JSON lines: a header that says what is being done, then a line for each part of it that is
/// done.
///
/// A file that is there already is gone on with, if its header is the same. Whatever is killed while it
/// writes leaves at most one line without an end, which is dropped.
#[derive(Debug)]
pub struct Log {
    file: File,
}

/// A log that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is the log of something else.
    #[error("it is the log of something else: {field} is {there}, not {here}")]
    Other {
        /// The first field of the header that differs.
        field: String,
        /// What the file says.
        there: String,
        /// What was asked for.
        here: String,
    },
    /// A line is not what it should be.
    #[error("line {line}: {what}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
}

impl Log {
    /// Opens the log with this header, a JSON object; begins it if there is no file, or an empty one. Gives
    /// the lines that are there.
    ///
    /// # Errors
    /// If the file cannot be read and written, has another header or a line that is none. Nothing is
    /// changed then.
    pub fn open<T: DeserializeOwned>(path: &Path, header: &Value) -> Result<(Self, Vec<T>), LogError> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let head = format!("{header}\n");
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |end| end + 1);
        let mut lines = Vec::new();
        if whole == 0 {
            // Nothing, or the beginning of our own header, may be written over.
            if !head.as_bytes().starts_with(&bytes) {
                return Err(LogError::Line {
                    line: 1,
                    what: "it is no log: its first line has no end".to_owned(),
                });
            }
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(head.as_bytes())?;
            return Ok((Self { file }, lines));
        }
        for (index, line) in bytes[..whole - 1].split(|&b| b == b'\n').enumerate() {
            let failed = |e: serde_json::Error| LogError::Line { line: index + 1, what: e.to_string() };
            if index == 0 {
                compare(&serde_json::from_slice(line).map_err(failed)?, header)?;
            } else {
                lines.push(serde_json::from_slice(line).map_err(failed)?);
            }
        }
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::Start(whole as u64))?;
        Ok((Self { file }, lines))
    }

    /// Adds a line, with one write.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, line: &impl Serialize) -> io::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        self.file.write_all(&text)
    }
}

/// Whether two headers are the same.
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
    use serde_json::json;

    fn path(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("stonework-arena-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder.join(name)
    }

    #[test]
    fn a_file_cut_anywhere_is_gone_on_with() {
        let (path, header) = (path("cut"), json!({"what": "squares", "seed": 7}));
        let lines: Vec<u64> = (0..12).map(|i| i * i).collect();
        let (mut log, none) = Log::open::<u64>(&path, &header).unwrap();
        assert!(none.is_empty());
        for line in &lines {
            log.add(line).unwrap();
        }
        let whole = std::fs::read(&path).unwrap();
        for cut in 0..=whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let (mut log, there) = Log::open::<u64>(&path, &header).unwrap();
            assert_eq!(there, lines[..there.len()], "cut at {cut}");
            for line in &lines[there.len()..] {
                log.add(line).unwrap();
            }
            assert_eq!(std::fs::read(&path).unwrap(), whole, "cut at {cut}");
        }
    }

    #[test]
    fn other_files_are_refused_and_left_alone() {
        let path = path("other");
        let header = json!({"what": "squares", "seed": 7});
        for (content, said) in [
            ("dear diary", "line 1: it is no log"),
            ("dear\ndiary\n", "line 1: "),
            ("{\"what\":\"squares\",\"seed\":8}\n4\n", "seed is 8, not 7"),
            ("{\"what\":\"squares\"}\n", "seed is missing, not 7"),
            ("{\"seed\":7,\"what\":\"squares\",\"x\":1}\n", "x is 1, not missing"),
            ("{\"seed\":7,\"what\":\"squares\"}\n4\n\"nine\"\n16\n", "line 3: "),
        ] {
            std::fs::write(&path, content).unwrap();
            let error = Log::open::<u64>(&path, &header).unwrap_err().to_string();
            assert!(error.contains(said), "{content}: {error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
        }
    }
}
