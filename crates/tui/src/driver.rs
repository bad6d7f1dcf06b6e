//! [`run`]: an [`App`] on the real terminal, with its threads and files.

use std::fs::File;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use ratatui::crossterm::event;
use stonework_files::{Disk, replace};

use crate::app::App;
use crate::options::{Effect, Input};
use crate::task::{Task, TaskNews};
use crate::terminal::{Screenful, suspend, wait_for_input, with_terminal};

/// The largest number of bytes of a record.
pub const MAX_RECORD: u64 = 16 << 20;

/// The longest wait for a key, while news of a task may come.
const PATIENCE: Duration = Duration::from_millis(50);

/// Reads the bytes of a record.
///
/// # Errors
/// The errors of the file, and an error for a file with more than [`MAX_RECORD`] bytes.
pub fn read_record_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_RECORD + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_RECORD {
        return Err(io::Error::other(format!("more than {MAX_RECORD} bytes")));
    }
    Ok(bytes)
}

/// Runs an app on the terminal until it ends, or until `stop` is set, for example by a signal. Records are saved on `disk`.
///
/// The terminal is as before when this function returns, and when it panics. Tasks that still run are told to stop.
///
/// # Errors
/// An error if standard input or standard output is no terminal, and the errors of the terminal.
pub fn run(app: &mut App, disk: &dyn Disk, stop: &AtomicBool) -> io::Result<()> {
    let done = with_terminal(|screen| Driver::new(app, disk).serve(screen, stop));
    app.leave();
    done
}

struct Driver<'a> {
    app: &'a mut App,
    disk: &'a dyn Disk,
    since: Instant,
    tell: Sender<(u64, TaskNews)>,
    news: Receiver<(u64, TaskNews)>,
}

impl<'a> Driver<'a> {
    fn new(app: &'a mut App, disk: &'a dyn Disk) -> Self {
        let (tell, news) = channel();
        Self { app, disk, since: Instant::now(), tell, news }
    }

    fn serve(&mut self, screen: &mut Screenful, stop: &AtomicBool) -> io::Result<()> {
        let mut going = self.handle(Input::Tick, screen)?;
        let mut changed = true;
        while going && !stop.load(Ordering::Relaxed) {
            if changed || self.app.is_busy() {
                screen.draw(|frame| self.app.draw(frame))?;
            }
            changed = false;
            // All that has come is handled before the next picture.
            if !wait_for_input(PATIENCE)? {
                return Ok(());
            }
            while going && event::poll(Duration::ZERO)? {
                going = self.handle(Input::Terminal(event::read()?), screen)?;
                changed = true;
            }
            while let Ok((id, news)) = self.news.try_recv() {
                going &= self.handle(Input::News(id, news), screen)?;
                changed = true;
            }
            going = going && self.handle(Input::Tick, screen)?;
        }
        Ok(())
    }

    /// Hands an input to the app, and does what the app asks for; `false` at the end.
    fn handle(&mut self, input: Input, screen: &mut Screenful) -> io::Result<bool> {
        let mut inputs = vec![input];
        while let Some(input) = inputs.pop() {
            for effect in self.app.handle(self.since.elapsed(), input) {
                match effect {
                    Effect::Quit => return Ok(false),
                    Effect::Suspend => suspend(screen)?,
                    Effect::Start(task) => self.start(task),
                    Effect::Read(path) => {
                        let bytes = read_record_file(&path).map_err(|error| error.to_string());
                        inputs.push(Input::File(path, bytes));
                    }
                    Effect::Write { path, text, replace } => {
                        let saved = self.write(&path, &text, replace).map_err(|error| error.to_string());
                        inputs.push(Input::Saved(path, saved));
                    }
                }
            }
        }
        Ok(true)
    }

    /// Writes a file; `false` if a file is there that may not be replaced.
    fn write(&self, path: &Path, text: &str, over: bool) -> io::Result<bool> {
        if !over && self.disk.look(path)?.is_some() {
            return Ok(false);
        }
        replace(self.disk, path, |out| out.write_all(text.as_bytes()))?;
        Ok(true)
    }

    /// Runs a task in a thread. A panic of the task is the news that it has failed.
    fn start(&self, task: Box<Task>) {
        let (id, tell) = (task.id(), self.tell.clone());
        let failed = tell.clone();
        let thread = std::thread::Builder::new().name("stonework task".to_owned()).spawn(move || {
            // The receiver is gone only when the program ends.
            let mut told = |news| drop(tell.send((id, news)));
            if catch_unwind(AssertUnwindSafe(|| task.run(&mut told))).is_err() {
                told(TaskNews::failed("the player or engine has failed"));
            }
        });
        if let Err(error) = thread {
            drop(failed.send((id, TaskNews::failed(format!("no thread: {error}")))));
        }
    }
}
