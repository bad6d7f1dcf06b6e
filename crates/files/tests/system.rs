//! The disk of the system: links, permissions, locks between processes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use stonework_files::{Disk, Lock, LockError, ReadError, System, read_bytes, read_text, replace, unfinished};

/// A folder of one test, removed at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("stonework-files-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(&self.0).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    replace(&System, path, |out| out.write_all(text.as_bytes()))
}

#[test]
fn what_was_there_stays_until_all_is_written() {
    let place = Place::new("stays");
    let path = place.file("p");
    write(&path, "old").unwrap();
    let failed = replace(&System, &path, |out| {
        out.write_all(b"half of the new")?;
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        Err::<(), _>(io::Error::other("stopped"))
    });
    assert_eq!(failed.unwrap_err().to_string(), "stopped");
    assert_eq!((fs::read_to_string(&path).unwrap(), place.names()), ("old".to_owned(), vec!["p".to_owned()]));
    assert_eq!(write(&place.0, "x").unwrap_err().kind(), io::ErrorKind::IsADirectory);
}

/// An unfinished file without write permission could not be opened, and was removed for it.
#[cfg(unix)]
#[test]
fn a_file_beside_that_cannot_be_opened_stays() {
    let place = Place::new("beside");
    let (path, beside) = (place.file("p"), unfinished(&place.file("p")));
    // A file that no user may open for writing, whatever the user's rights: a link that leads in a circle.
    std::os::unix::fs::symlink("p.stonework-new", &beside).unwrap();
    assert!(write(&path, "new").is_err());
    assert!(fs::symlink_metadata(&beside).unwrap().is_symlink());
    assert_eq!(place.names(), ["p.stonework-new"]);
}

/// A file of the user with the name `PATH.new` was written over and lost.
#[test]
fn a_file_with_an_ordinary_name_stays() {
    let place = Place::new("ordinary");
    let (path, other) = (place.file("p"), place.file("p.new"));
    fs::write(&other, "of the user").unwrap();
    write(&path, "content").unwrap();
    assert!(replace(&System, &path, |_| Err::<(), _>(io::Error::other("stopped"))).is_err());
    assert_eq!(fs::read_to_string(&other).unwrap(), "of the user");
    // What a killed process has left is written over.
    fs::write(unfinished(&path), "half").unwrap();
    write(&path, "new content").unwrap();
    assert_eq!(
        (fs::read_to_string(&path).unwrap().as_str(), place.names()),
        ("new content", vec!["p".to_owned(), "p.new".to_owned()])
    );
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay_and_devices_are_written_to() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new("links");
    let (target, link, loops) = (place.file("target"), place.file("link"), place.file("loop"));
    write(&target, "old").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
    symlink("target", &link).unwrap();
    write(&link, "new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&target).unwrap(), "new");
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
    symlink("loop", &loops).unwrap();
    assert!(write(&loops, "x").is_err());
    // A write to a link without a target makes the target.
    symlink("later", place.file("dangling")).unwrap();
    write(&place.file("dangling"), "made").unwrap();
    assert_eq!(fs::read_to_string(place.file("later")).unwrap(), "made");
    write(Path::new("/dev/null"), "nothing").unwrap();
}

/// A shell replaces `>(command)` by `/dev/fd/N`; `/dev/stdout` for a pipe works in the same way.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_is_written_to_under_its_name_in_dev() {
    use std::io::Read;
    use std::os::fd::AsRawFd;
    let (mut reader, writer) = io::pipe().unwrap();
    write(Path::new(&format!("/dev/fd/{}", writer.as_raw_fd())), "text").unwrap();
    drop(writer);
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text, "text");
}

#[cfg(unix)]
#[test]
fn a_named_pipe_keeps_what_is_written_until_somebody_reads() {
    let place = Place::new("fifo");
    let path = place.file("pipe");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let written = std::thread::spawn({
        let path = path.clone();
        move || write(&path, "text")
    });
    std::thread::sleep(Duration::from_millis(50));
    // A reader that comes too late would wait for ever.
    let (sender, read) = std::sync::mpsc::channel();
    std::thread::spawn(move || sender.send(fs::read_to_string(&path)));
    assert_eq!(read.recv_timeout(Duration::from_secs(60)).unwrap().unwrap(), "text");
    written.join().unwrap().unwrap();
}

#[test]
fn a_reader_takes_no_more_than_its_limit() {
    let place = Place::new("limit");
    let path = place.file("p");
    write(&path, "12345").unwrap();
    assert_eq!(read_text(&System, &path, 5).unwrap(), "12345");
    assert!(matches!(read_text(&System, &path, 4), Err(ReadError::TooLong { limit: 4 })));
    fs::write(&path, b"ab\xffc").unwrap();
    assert_eq!(read_bytes(&System, &path, 4).unwrap(), b"ab\xffc");
    assert!(matches!(read_bytes(&System, &path, 3), Err(ReadError::TooLong { limit: 3 })));
    assert!(matches!(read_text(&System, &path, 9), Err(ReadError::Encoding { at: 2 })));
    assert!(matches!(read_text(&System, &place.file("none"), 9), Err(ReadError::Io(_))));
}

/// This test program, as the holder of a lock.
fn holder(path: &Path) -> Child {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "holds_a_lock_when_asked", "--ignored"])
        .env("STONEWORK_FILES_LOCK", path)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let named = || fs::read_to_string(path).is_ok_and(|text| text == format!("process {}\n", child.id()));
    while !named() {
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

#[test]
#[ignore = "the other process of the test below, which starts it"]
fn holds_a_lock_when_asked() {
    let path = PathBuf::from(std::env::var_os("STONEWORK_FILES_LOCK").unwrap());
    let disk: Arc<dyn Disk> = Arc::new(System);
    let _lock = Lock::take(&disk, &path).unwrap();
    std::thread::sleep(Duration::from_secs(600));
}

#[test]
fn a_lock_ends_with_its_process_and_only_then() {
    let place = Place::new("lock");
    let path = place.file("p.lock");
    let disk: Arc<dyn Disk> = Arc::new(System);
    let mut other = holder(&path);
    let refused = Lock::take(&disk, &path).unwrap_err();
    assert!(matches!(refused, LockError::Held { .. }));
    let said = format!("process {} is at work on it and holds {}", other.id(), path.display());
    assert!(refused.to_string().starts_with(&said), "{refused}");
    other.kill().unwrap();
    other.wait().unwrap();
    assert!(path.exists());
    drop(Lock::take(&disk, &path).unwrap());
    assert!(place.names().is_empty());
}

/// A user deletes the lock file of a process at work, and another process takes the lock. The end of the first process
/// removed the lock file of the second one, so that a third process could take the lock, too.
#[test]
fn a_lock_whose_file_was_deleted_leaves_the_file_of_the_next_holder() {
    let place = Place::new("deleted-lock");
    let path = place.file("p.lock");
    let disk: Arc<dyn Disk> = Arc::new(System);
    let first = Lock::take(&disk, &path).unwrap();
    fs::remove_file(&path).unwrap();
    let second = Lock::take(&disk, &path).unwrap();
    drop(first);
    assert_eq!(place.names(), ["p.lock"]);
    assert!(matches!(Lock::take(&disk, &path), Err(LockError::Held { .. })));
    drop(second);
    assert!(place.names().is_empty());
}

/// Of `Cargo` the lock file would be `Cargo.lock`, which others have written.
#[test]
fn a_file_that_is_no_lock_file_stays_as_it_is() {
    let place = Place::new("foreign-lock");
    let path = place.file("Cargo.lock");
    let disk: Arc<dyn Disk> = Arc::new(System);
    for content in ["# made by others\n", "process x\n", "processes\n", "\0a", &"7".repeat(500)] {
        fs::write(&path, content).unwrap();
        let refused = Lock::take(&disk, &path).map(drop).unwrap_err();
        assert!(matches!(refused, LockError::Io { .. }), "{content}: {refused}");
        assert!(refused.to_string().contains("Cargo.lock: it is no lock file"), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), content);
    }
    #[cfg(unix)]
    {
        let pipe = place.file("pipe.lock");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let refused = Lock::take(&disk, &pipe).map(drop).unwrap_err();
        assert!(refused.to_string().contains("pipe.lock: it is no lock file"), "{refused}");
        fs::remove_file(&pipe).unwrap();
    }
    for left in [
        "",
        "pro",
        "process ",
        "process 12",
        "process 4294967295\n",
        "process 1 1 on the moon\nbeat 3\n",
        "\0\0\0",
    ] {
        fs::write(&path, left).unwrap();
        drop(Lock::take(&disk, &path).unwrap());
        assert!(place.names().is_empty(), "{left:?}");
    }
}

/// Many threads take and free one lock: never two hold it at a time.
#[test]
fn a_lock_that_many_want_is_held_by_one_at_a_time() {
    let place = Place::new("many");
    let path = place.file("p.lock");
    let inside = std::sync::atomic::AtomicU32::new(0);
    let relaxed = std::sync::atomic::Ordering::Relaxed;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let disk: Arc<dyn Disk> = Arc::new(System);
                let mut left = 50;
                while left > 0 {
                    let Ok(lock) = Lock::take(&disk, &path) else {
                        std::thread::yield_now();
                        continue;
                    };
                    assert_eq!(inside.fetch_add(1, relaxed), 0);
                    inside.fetch_sub(1, relaxed);
                    drop(lock);
                    left -= 1;
                }
            });
        }
    });
    assert!(place.names().is_empty());
}
