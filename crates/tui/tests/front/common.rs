//! An [`App`] at a table: keys and clicks go in, tasks run at once, and the screen comes out as text.

use std::path::{Path, PathBuf};
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use stonework_tui::{App, Effect, Input, TuiOptions};

pub(crate) struct Table {
    pub app: App,
    pub terminal: Terminal<TestBackend>,
    pub now: Duration,
    /// The files that were written.
    pub files: Vec<(PathBuf, String)>,
    pub quit: bool,
    pub suspended: usize,
}

impl Table {
    pub(crate) fn new(options: TuiOptions) -> Self {
        Self::of_size(options, 80, 24)
    }

    pub(crate) fn of_size(options: TuiOptions, width: u16, height: u16) -> Self {
        let app = App::new(options).unwrap();
        let terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut table =
            Self { app, terminal, now: Duration::ZERO, files: Vec::new(), quit: false, suspended: 0 };
        table.draw();
        table.input(Input::Tick);
        table
    }

    pub(crate) fn draw(&mut self) {
        self.terminal.draw(|frame| self.app.draw(frame)).unwrap();
    }

    /// Handles an input, does what the app asks for, and draws.
    pub(crate) fn input(&mut self, input: Input) {
        let mut inputs = vec![input];
        while let Some(input) = inputs.pop() {
            for effect in self.app.handle(self.now, input) {
                match effect {
                    Effect::Quit => self.quit = true,
                    Effect::Suspend => self.suspended += 1,
                    Effect::Start(task) => {
                        let (id, mut all) = (task.id(), Vec::new());
                        task.run(&mut |news| all.push(news));
                        inputs.extend(all.into_iter().rev().map(|news| Input::News(id, news)));
                    }
                    Effect::Read(path) => {
                        let found = self.files.iter().rev().find(|(name, _)| *name == path);
                        let bytes = found.map(|(_, text)| text.clone().into_bytes());
                        inputs.push(Input::File(path, bytes.ok_or_else(|| "no such file".to_owned())));
                    }
                    Effect::Write { path, text, replace } => {
                        let there = self.files.iter().any(|(name, _)| *name == path);
                        if replace || !there {
                            self.files.push((path.clone(), text));
                        }
                        inputs.push(Input::Saved(path, Ok(replace || !there)));
                    }
                }
            }
        }
        self.draw();
    }

    pub(crate) fn key(&mut self, code: KeyCode) {
        self.input(Input::Terminal(Event::Key(code.into())));
    }

    pub(crate) fn control(&mut self, letter: char) {
        let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
        self.input(Input::Terminal(Event::Key(key)));
    }

    /// Types keys: a character is its key, and `<Name>` is a key by name.
    pub(crate) fn keys(&mut self, keys: &str) {
        let mut rest = keys;
        while let Some(c) = rest.chars().next() {
            let named = rest.strip_prefix('<').and_then(|after| after.split_once('>'));
            let (code, after) = match named {
                Some((name, after)) => (named_key(name), after),
                None => (KeyCode::Char(c), &rest[c.len_utf8()..]),
            };
            self.key(code);
            rest = after;
        }
    }

    /// Lets time pass.
    pub(crate) fn wait(&mut self, time: Duration) {
        self.now += time;
        self.input(Input::Tick);
    }

    pub(crate) fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) {
        let mouse = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        self.input(Input::Terminal(Event::Mouse(mouse)));
    }

    /// Clicks on a place of the screen.
    pub(crate) fn click_at(&mut self, column: u16, row: u16) {
        self.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
    }

    /// Clicks on a cell of the board, by its name.
    pub(crate) fn click(&mut self, cell: &str) {
        let (column, row) =
            self.app.place_of(cell).unwrap_or_else(|| panic!("{cell} is not in sight\n{}", self.screen()));
        self.click_at(column, row);
    }

    /// The lines of the screen, without spaces at their ends.
    pub(crate) fn screen(&self) -> String {
        let buffer = self.terminal.backend().buffer();
        let lines = buffer.content().chunks(buffer.area.width.into());
        let line = |cells: &[ratatui::buffer::Cell]| {
            let text: String = cells.iter().map(ratatui::buffer::Cell::symbol).collect();
            text.trim_end().to_owned() + "\n"
        };
        lines.map(line).collect()
    }

    /// Compares the screen with its file, or writes the file if the environment says so.
    pub(crate) fn compare(&self, name: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/screens/{name}.txt"));
        let screen = untimed(&self.screen());
        if writes() {
            std::fs::write(&path, &screen).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(screen, expected, "the screen is not {}:\n{screen}", path.display());
    }
}

/// `true` if the tests write the expected screens anew.
pub(crate) fn writes() -> bool {
    std::env::var("STONEWORK_SCREENS").as_deref() == Ok("write")
}

/// A screen with the seconds of searches set to zero.
pub(crate) fn untimed(screen: &str) -> String {
    let line = |line: &str| match line.strip_suffix(" s").and_then(|line| line.rsplit_once(' ')) {
        Some((rest, time)) if time.parse::<f64>().is_ok() => format!("{rest} 0.0 s\n"),
        _ => format!("{line}\n"),
    };
    screen.lines().map(line).collect()
}

fn named_key(name: &str) -> KeyCode {
    match name {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "Tab" => KeyCode::Tab,
        "BackTab" => KeyCode::BackTab,
        "PgUp" => KeyCode::PageUp,
        "PgDn" => KeyCode::PageDown,
        "Backspace" => KeyCode::Backspace,
        other => panic!("no key <{other}>"),
    }
}
