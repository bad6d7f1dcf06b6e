//! Reads a file with the files that it includes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::fault::{Fault, FaultKind, FoundFaults, SourcePlace};
use crate::source::Pattern;
use crate::text::{Item, Reader};

/// The most patterns, in all files.
pub const MAX_PATTERNS: usize = 100_000;
/// The largest depth of files that include files.
const MAX_DEPTH: usize = 16;
/// The most bytes of all files; a file that is included several times counts each time.
const MAX_BYTES: usize = 1 << 26;

/// A text with its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// The name in messages. Files with the same name are the same file, which is read once.
    pub name: String,
    /// The content.
    pub text: String,
}

/// A function that returns an included file, or in a few words the reason for its absence. Its arguments are the name
/// of the file with the `include`, and the path in it. It is called for each `include`, also of a file that is known.
pub type Include<'a> = &'a mut dyn FnMut(&str, &str) -> Result<File, String>;

/// The pattern file of this crate.
pub(crate) fn shipped(text: &str) -> File {
    File { name: "havannah.pat".to_owned(), text: text.to_owned() }
}

/// All patterns of a file and of the files that it includes, and the faults of the texts. A limit that is exceeded is the last
/// fault, and ends the reading.
pub(crate) fn read(file: File, include: Include<'_>) -> (Vec<Pattern>, FoundFaults) {
    let mut files = Files::default();
    let start = SourcePlace { file: file.name.as_str().into(), line: 1, column: 1 };
    if files.count(&file, &start) {
        files.open(file, &start);
    }
    while let Some((reader, _)) = files.open.last_mut() {
        match reader.next() {
            None => drop(files.open.pop()),
            Some(Err(fault)) => files.faults.push(fault),
            Some(Ok(Item::Pattern(pattern))) => files.add(pattern),
            Some(Ok(Item::Include { path, at })) => {
                let from = Arc::clone(reader.file());
                match include(&from, &path) {
                    Ok(file) if files.count(&file, &at) => files.include(file, path, at),
                    Ok(_) => break,
                    Err(reason) => {
                        files.faults.push(Fault { at, what: FaultKind::Include { path, reason } });
                    }
                }
            }
        }
        if files.patterns.len() > MAX_PATTERNS {
            let at = files.patterns[MAX_PATTERNS].at.clone();
            files.refuse(at, "patterns", files.patterns.len(), MAX_PATTERNS);
            files.patterns.pop();
            break;
        }
        if files.faults.is_full() {
            break;
        }
    }
    (files.patterns, files.faults)
}

#[derive(Default)]
struct Files {
    /// The open files, each with the place that includes it.
    open: Vec<(Reader, SourcePlace)>,
    /// The names of all files that were opened.
    known: HashSet<String>,
    bytes: usize,
    names: HashMap<String, SourcePlace>,
    patterns: Vec<Pattern>,
    faults: FoundFaults,
}

impl Files {
    fn refuse(&mut self, at: SourcePlace, what: &'static str, count: usize, limit: usize) {
        self.faults.push(Fault { at, what: FaultKind::Limit { what, count, limit } });
    }

    /// Counts the bytes of a file. Returns `true` if the limit allows them.
    fn count(&mut self, file: &File, at: &SourcePlace) -> bool {
        self.bytes += file.text.len();
        let fits = self.bytes <= MAX_BYTES;
        if !fits {
            self.refuse(at.clone(), "bytes of pattern files", self.bytes, MAX_BYTES);
        }
        fits
    }

    fn open(&mut self, file: File, at: &SourcePlace) {
        self.known.insert(file.name.clone());
        self.open.push((Reader::new(file.name.into(), file.text.into()), at.clone()));
    }

    fn include(&mut self, file: File, path: String, at: SourcePlace) {
        let same = |(_, (reader, _)): &(usize, &(Reader, SourcePlace))| **reader.file() == *file.name;
        if let Some((depth, _)) = self.open.iter().enumerate().find(same) {
            // The `include` line of that file that leads here; this line if the file includes itself.
            let other = self.open.get(depth + 1).map_or_else(|| at.clone(), |(_, from)| from.clone());
            self.faults.push(Fault { at, what: FaultKind::Circle { path, other } });
        } else if self.open.len() >= MAX_DEPTH {
            self.refuse(at, "files that include each other in a row", self.open.len() + 1, MAX_DEPTH);
        } else if !self.known.contains(&file.name) {
            self.open(file, &at);
        }
    }

    fn add(&mut self, pattern: Pattern) {
        if let Some(name) = &pattern.name {
            if let Some(other) = self.names.get(name) {
                let what = FaultKind::Name { name: name.clone(), other: other.clone() };
                self.faults.push(Fault { at: pattern.at.clone(), what });
            } else {
                self.names.insert(name.clone(), pattern.at.clone());
            }
        }
        self.patterns.push(pattern);
    }
}
