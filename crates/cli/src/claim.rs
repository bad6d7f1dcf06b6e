//! Jobs in a directory that several processes share: who works at which.
//!
//! A job is claimed by making the file `JOB.claim`, which only one process can do. In it is which process that is, on which
//! machine, and a number that grows every [`BEAT`]. The claim of a process that is dead is taken over: on the same machine as soon
//! as there is no such process any more, elsewhere when the number has stood still for [`PATIENCE`] while one looked on, by one's
//! own clock. Where two processes still come to work at one job, as when one was suspended, both do, and nothing breaks.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often a process shows that it is alive.
const BEAT: Duration = Duration::from_secs(20);
/// How long others wait for that.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long they wait for a claim that has nothing in it yet: who makes one writes at once.
const HASTE: Duration = Duration::from_secs(2);

/// The claims in a directory, as one process has seen them.
pub(crate) struct Claims {
    directory: PathBuf,
    own: String,
    /// What was in the claims of others, and since when.
    seen: HashMap<PathBuf, (String, Instant)>,
}

/// A job that is this process' own; given back when dropped.
pub(crate) struct Held {
    path: PathBuf,
    own: String,
    /// Closed to end the beat.
    end: Option<Sender<()>>,
    beat: Option<JoinHandle<()>>,
}

impl Claims {
    pub(crate) fn new(directory: &Path) -> Self {
        Self { directory: directory.to_owned(), own: process(std::process::id()), seen: HashMap::new() }
    }

    /// Claims a job; nothing if somebody else has it.
    pub(crate) fn take(&mut self, job: &str) -> io::Result<Option<Held>> {
        let path = self.directory.join(format!("{job}.claim"));
        if let Some(held) = self.make(&path)? {
            return Ok(Some(held));
        }
        let Some(text) = gone_is_none(fs::read_to_string(&path))? else { return self.make(&path) };
        if !self.is_dead(&path, &text) {
            return Ok(None);
        }
        // Only one can rename it; and if it is another one by now, it goes back.
        let aside = self.directory.join(format!("{job}.claim-{}", std::process::id()));
        if gone_is_none(fs::rename(&path, &aside))?.is_none() {
            return Ok(None);
        }
        let same = fs::read_to_string(&aside).is_ok_and(|found| found == text);
        if !same {
            // Fails if there is a new one already.
            let _ = fs::hard_link(&aside, &path);
        }
        fs::remove_file(&aside)?;
        self.seen.remove(&path);
        if same { self.make(&path) } else { Ok(None) }
    }

    fn make(&self, path: &Path) -> io::Result<Option<Held>> {
        let mut file = match File::create_new(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(None),
            Err(error) => return Err(error),
        };
        file.write_all(text(&self.own, 0).as_bytes())?;
        let (end, ended) = mpsc::channel();
        let (own, at) = (self.own.clone(), path.to_owned());
        let beat = thread::spawn(move || {
            let mut number = 0;
            while ended.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) && is_of(&at, &own) {
                number += 1;
                // What cannot be written now may be so next time.
                let file = OpenOptions::new().write(true).truncate(true).open(&at);
                let _ = file.and_then(|mut file| file.write_all(text(&own, number).as_bytes()));
            }
        });
        Ok(Some(Held { path: path.to_owned(), own: self.own.clone(), end: Some(end), beat: Some(beat) }))
    }

    /// Whether who made this claim no longer works at it.
    fn is_dead(&mut self, path: &Path, text: &str) -> bool {
        let owner = text.lines().next().unwrap_or_default();
        let machine = |line: &str| line.split_once(" on ").map(|(_, machine)| machine.to_owned());
        let here = machine(&self.own).filter(|here| !here.is_empty());
        if here.is_some() && machine(owner) == here {
            let pid = owner.split(' ').nth(1).and_then(|pid| pid.parse().ok());
            return pid.is_some_and(|pid| began(pid).is_none() || process(pid) != owner);
        }
        match self.seen.get(path) {
            Some((before, since)) if before == text => {
                since.elapsed() >= if text.is_empty() { HASTE } else { PATIENCE }
            }
            _ => {
                self.seen.insert(path.to_owned(), (text.to_owned(), Instant::now()));
                false
            }
        }
    }
}

impl Held {
    /// Whether nobody has taken it over.
    pub(crate) fn is_ours(&self) -> bool {
        is_of(&self.path, &self.own)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.end.take();
        if let Some(beat) = self.beat.take() {
            // It does not panic; if it did, the claim is still to be given back.
            let _ = beat.join();
        }
        if self.is_ours() {
            // One that stays is found to be dead.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn text(own: &str, number: u64) -> String {
    format!("{own}\nbeat {number}\n")
}

fn is_of(path: &Path, own: &str) -> bool {
    fs::read_to_string(path).is_ok_and(|text| text.lines().next() == Some(own))
}

fn gone_is_none<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// A process of this machine, told apart from others that had or will have its number: by when it began, the start of the
/// system and the space of numbers. Where the system does not tell these, nothing follows " on".
fn process(pid: u32) -> String {
    let space = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    let machine = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let began = began(pid).unwrap_or_else(|| "-".to_owned());
    format!("process {pid} {began} on {} {}", machine.trim(), space.display()).trim_end().to_owned()
}

/// When a process began, in the system's own units; nothing if there is none, or it is dead and its parent has not noticed.
fn began(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in brackets, may have anything in it; the state follows it, and the time is the 20th field from there.
    let (_, rest) = stat.rsplit_once(") ")?;
    if rest.starts_with(['Z', 'X']) {
        return None;
    }
    rest.split(' ').nth(19).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("stonework-claims-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn only_one_has_a_job_until_it_is_given_back() {
        let path = directory("one");
        let (mut one, mut other) = (Claims::new(&path), Claims::new(&path));
        let held = one.take("a1").unwrap().unwrap();
        assert!(held.is_ours() && other.take("a1").unwrap().is_none());
        assert!(other.take("a2").unwrap().is_some());
        drop(held);
        assert!(other.take("a1").unwrap().is_some());
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
        fs::remove_dir(&path).unwrap();
    }

    #[test]
    fn what_the_dead_have_claimed_is_taken_over() {
        let path = directory("dead");
        let mut claims = Claims::new(&path);
        let own = process(std::process::id());
        let at = |job: &str| path.join(format!("{job}.claim"));
        // Of a process of this machine that is no more, and of one that had our number before.
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .arg("--list")
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let of_child = process(child.id());
        child.wait().unwrap();
        let began = own.split(' ').nth(2).unwrap();
        let earlier = own.replacen(&format!(" {began} "), " 1 ", 1);
        for (job, owner) in [("child", of_child), ("earlier", earlier)] {
            fs::write(at(job), text(&owner, 3)).unwrap();
            let taken = claims.take(job).unwrap();
            // Where the system does not tell, only time does.
            assert_eq!(taken.is_some(), own.contains(" on ") && !own.ends_with(" on"), "{owner}");
        }
        // Of another machine: by its beat.
        fs::write(at("far"), text("process 1 1 on the moon", 3)).unwrap();
        assert!(claims.take("far").unwrap().is_none());
        let long_ago = Instant::now().checked_sub(PATIENCE).unwrap();
        claims.seen.get_mut(&at("far")).unwrap().1 = long_ago;
        fs::write(at("far"), text("process 1 1 on the moon", 4)).unwrap();
        assert!(claims.take("far").unwrap().is_none(), "it beats");
        claims.seen.get_mut(&at("far")).unwrap().1 = long_ago;
        let held = claims.take("far").unwrap().unwrap();
        // Of one that was killed before it had written anything.
        fs::write(at("new"), "").unwrap();
        assert!(claims.take("new").unwrap().is_none());
        claims.seen.get_mut(&at("new")).unwrap().1 = Instant::now().checked_sub(HASTE).unwrap();
        assert!(claims.take("new").unwrap().is_some());
        // Who is taken over does not take away what is another's now.
        fs::write(at("far"), text("process 1 1 on the moon", 5)).unwrap();
        assert!(!held.is_ours());
        drop(held);
        assert!(at("far").exists());
        fs::remove_dir_all(&path).unwrap();
    }
}
