//! The keys and the mouse of an [`App`].

use std::path::PathBuf;

use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use stonework_game::{Game, Player};

use crate::app::{App, Mode, Prompt, Question, Sought, Tab};
use crate::board::places_of;
use crate::options::Effect;
use crate::view::Screen;

/// The keys on the board with their meaning, as the help shows them.
pub(crate) const KEYS: &[(&str, &str)] = &[
    ("← → Home End", "one move back, one move on; first, last position"),
    ("h j k l", "move the cursor; a click does it, too"),
    ("Enter Space", "play on the cursor; in Cover the stone, then its target"),
    (":", "type a move"),
    ("s", "swap, or steal"),
    ("u", "take a move back for good, against a player two"),
    ("R", "resign"),
    ("g x", "let the player think; stop it: it plays its best move so far"),
    ("p P", "choose the player of the first side, of the second side"),
    ("a t", "analyse each position shown; shades for visits on or off"),
    ("Tab 1 … 5", "the pages Moves, Engine, Layers, Proof, Notes"),
    ("↑ ↓ PgUp PgDn", "scroll the page"),
    ("[ ]", "the layer before, the next layer of findings on the board"),
    ("c", "write a comment on the position"),
    ("v", "change between the two lines of the game"),
    ("n z", "the next notation; strokes between stones"),
    ("w o N", "save the record as SGF; open one; begin a new game"),
    ("? q", "this help; quit"),
    ("Ctrl-Z Ctrl-C", "suspend the program; end it at once"),
];

/// The sign for a line break of a comment while the comment is typed.
const LINE_BREAK: &str = "\u{21b5}";

/// The largest number of characters of a text that is typed.
const MAX_TEXT: usize = 4096;

impl App {
    /// Handles an event of the terminal.
    pub(crate) fn event(&mut self, event: &Event, effects: &mut Vec<Effect>) {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, effects),
            Event::Mouse(mouse) if self.mode == Mode::Board => self.mouse(*mouse),
            Event::Paste(text) => {
                if let Mode::Prompt(_, typed) = &mut self.mode {
                    let printable = text.chars().map(|c| if c.is_control() { ' ' } else { c });
                    typed.extend(printable.take(MAX_TEXT.saturating_sub(typed.chars().count())));
                }
            }
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent, effects: &mut Vec<Effect>) {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('c') => effects.push(Effect::Quit),
                KeyCode::Char('z') => effects.push(Effect::Suspend),
                KeyCode::Char('u') => {
                    if let Mode::Prompt(_, typed) = &mut self.mode {
                        typed.clear();
                    }
                }
                _ => {}
            }
            return;
        }
        match std::mem::replace(&mut self.mode, Mode::Board) {
            Mode::Board => self.board_key(key.code, effects),
            Mode::Help => {}
            Mode::Confirm(question) => self.answered(question, key.code, effects),
            Mode::Prompt(prompt, typed) => self.typed(prompt, typed, key.code, effects),
        }
    }

    fn board_key(&mut self, code: KeyCode, effects: &mut Vec<Effect>) {
        let ply = self.line.ply();
        match code {
            KeyCode::Left => self.go(ply.saturating_sub(1)),
            KeyCode::Right => self.go(ply + 1),
            KeyCode::Home => self.go(0),
            KeyCode::End => self.go(usize::MAX),
            KeyCode::Up => self.scroll = self.scroll.saturating_sub(1),
            KeyCode::Down => self.scroll = self.scroll.saturating_add(1),
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(10),
            KeyCode::PageDown => self.scroll = self.scroll.saturating_add(10),
            KeyCode::Enter | KeyCode::Char(' ') => self.choose(self.cursor),
            KeyCode::Tab => self.turn_tab(1),
            KeyCode::BackTab => self.turn_tab(Tab::ALL.len() - 1),
            KeyCode::Esc => (self.chosen, self.message) = (None, String::new()),
            KeyCode::Char(c) => self.letter(c, effects),
            _ => {}
        }
    }

    fn letter(&mut self, c: char, effects: &mut Vec<Effect>) {
        match c {
            'h' => self.move_cursor(0, -1),
            'j' => self.move_cursor(1, 0),
            'k' => self.move_cursor(-1, 0),
            'l' => self.move_cursor(0, 1),
            ':' => self.ask(Prompt::Move, String::new()),
            's' => self.swap(),
            'u' => self.take_back(),
            'R' if self.outcome().is_none() && self.line.at_end() => {
                self.mode = Mode::Confirm(Question::Resign);
            }
            'g' => self.go_on(),
            'x' => self.stop_thinking(),
            'p' => self.ask_player(Player::First),
            'P' => self.ask_player(Player::Second),
            'a' => self.analyse(),
            't' => self.heat = !self.heat,
            '1'..='5' => self.show_tab(Tab::ALL[c as usize - '1' as usize]),
            '[' => self.turn_layer(false),
            ']' => self.turn_layer(true),
            'c' => {
                let comment = self.line.present().comment.replace('\n', LINE_BREAK);
                self.ask(Prompt::Comment(self.line.ply()), comment);
            }
            'v' => self.other_line(),
            'n' => self.next_notation(),
            'z' => {
                self.strokes = !self.strokes;
                self.redraw_board();
            }
            'w' => {
                let file = self.file.as_ref().map(|file| file.display().to_string());
                let name = file.unwrap_or_else(|| format!("{}.sgf", self.session.game().name()));
                self.ask(Prompt::Save, name);
            }
            'o' => self.ask(Prompt::Open, String::new()),
            'N' if self.unsaved => self.mode = Mode::Confirm(Question::New),
            'N' => self.new_game(),
            '?' => self.mode = Mode::Help,
            'q' if self.unsaved => self.mode = Mode::Confirm(Question::Quit),
            'q' => effects.push(Effect::Quit),
            _ => self.message = format!("no key `{c}`: ? shows the keys"),
        }
    }

    fn ask(&mut self, prompt: Prompt, text: String) {
        self.mode = Mode::Prompt(prompt, text);
    }

    fn ask_player(&mut self, side: Player) {
        let present = self.players[side.index()].clone();
        self.ask(Prompt::Player(side), present.unwrap_or_default());
    }

    /// The answer to a question: `y` is yes, every other key is no.
    fn answered(&mut self, question: Question, code: KeyCode, effects: &mut Vec<Effect>) {
        if !matches!(code, KeyCode::Char('y' | 'Y')) {
            self.say("no");
            return;
        }
        match question {
            // The game may have ended since the question, by the other side or by the clock.
            Question::Resign if self.outcome().is_some() => self.say("the game is over"),
            Question::Resign => self.resign(self.resigning()),
            Question::Quit => effects.push(Effect::Quit),
            Question::New => self.new_game(),
            Question::Open(path) => effects.push(Effect::Read(path)),
            Question::Overwrite(path) => self.save(path, true, effects),
        }
    }

    /// The side that resigns: the side to move, but the person, if a player is to move against a person.
    fn resigning(&self) -> Player {
        let mover = self.session.position().to_move();
        let is_person = |side: Player| self.players[side.index()].is_none();
        if !is_person(mover) && is_person(mover.other()) { mover.other() } else { mover }
    }

    /// A key while a text is typed.
    fn typed(&mut self, prompt: Prompt, mut text: String, code: KeyCode, effects: &mut Vec<Effect>) {
        match code {
            KeyCode::Esc => return,
            KeyCode::Enter => return self.entered(prompt, &text, effects),
            KeyCode::Backspace => drop(text.pop()),
            KeyCode::Char(c) if text.chars().count() < MAX_TEXT => text.push(c),
            _ => {}
        }
        self.mode = Mode::Prompt(prompt, text);
    }

    fn entered(&mut self, prompt: Prompt, text: &str, effects: &mut Vec<Effect>) {
        match prompt {
            Prompt::Move => self.play_typed(text),
            Prompt::Comment(ply) => {
                let comment = text.trim().replace(LINE_BREAK, "\n");
                if let Some(entry) = self.line.entry_mut(ply).filter(|entry| entry.comment != comment) {
                    entry.comment = comment;
                    self.unsaved = true;
                }
            }
            Prompt::Save if !text.trim().is_empty() => self.save(PathBuf::from(text.trim()), false, effects),
            Prompt::Open if !text.trim().is_empty() => {
                let path = PathBuf::from(text.trim());
                if self.unsaved {
                    self.mode = Mode::Confirm(Question::Open(path));
                } else {
                    effects.push(Effect::Read(path));
                }
            }
            Prompt::Save | Prompt::Open => {}
            Prompt::Player(side) => {
                if let Err(fault) = self.seat(side, text) {
                    self.message = fault.to_string();
                }
            }
        }
    }

    fn save(&mut self, path: PathBuf, replace: bool, effects: &mut Vec<Effect>) {
        // A file that this program has written is replaced without a question.
        let replace = replace || (self.written && self.file.as_ref() == Some(&path));
        match self.sgf() {
            Ok(text) => effects.push(Effect::Write { path, text, replace }),
            Err(fault) => self.message = fault.to_string(),
        }
    }

    /// Plays the moves of a text for a person.
    fn play_typed(&mut self, text: &str) {
        let words: Vec<String> = self.session.game().description().words(text).map(str::to_owned).collect();
        for word in words {
            if !self.person_plays(&word) {
                break;
            }
        }
    }

    /// Plays a move for a person; `false` if it is refused, with a message.
    fn person_plays(&mut self, text: &str) -> bool {
        let mover = self.session.position().to_move();
        if self.thinking.as_ref().is_some_and(|thinking| thinking.side == Some(mover)) {
            self.message = format!("{} is thinking: x lets it move, u takes a move back", self.side(mover));
            return false;
        }
        match self.play(text) {
            Ok(()) => {
                self.paused = !self.line.at_end();
                true
            }
            Err(fault) => {
                self.message = fault.to_string();
                false
            }
        }
    }

    fn swap(&mut self) {
        match self.session.position().swap_move() {
            Some(mv) => drop(self.person_plays(&self.session.text_of(mv))),
            None => self.message = format!("{} has no swap", self.session.game().name()),
        }
    }

    /// Lets the player of the side to move think, at the end of the line.
    fn go_on(&mut self) {
        self.paused = false;
        let mover = self.session.position().to_move();
        if !self.line.at_end() {
            self.say("the game goes on from its last position: End shows it");
        } else if self.players[mover.index()].is_none() {
            self.message =
                format!("{} is a person: {} chooses a player", self.side(mover), ["p", "P"][mover.index()]);
        }
    }

    fn analyse(&mut self) {
        if self.analysing {
            self.stop_thinking();
        } else if self.session.game().usual_player().is_empty() {
            self.message = format!("{} has no engine", self.session.game().name());
        } else {
            self.analysing = true;
            self.show_tab(Tab::Engine);
        }
    }

    pub(crate) fn show_tab(&mut self, tab: Tab) {
        (self.tab, self.scroll) = (tab, 0);
        let without = self.layer.is_none() && !self.session.position().layers().is_empty();
        if tab == Tab::Layers && without {
            self.turn_layer(true);
        }
    }

    fn turn_tab(&mut self, steps: usize) {
        let at = Tab::ALL.iter().position(|&tab| tab == self.tab).unwrap_or(0);
        self.show_tab(Tab::ALL[(at + steps) % Tab::ALL.len()]);
    }

    /// Goes to the next layer or to the layer before. Between the last and the first there is none.
    fn turn_layer(&mut self, on: bool) {
        let count = self.session.position().layers().len();
        self.layer = match (self.layer, on) {
            _ if count == 0 => None,
            (None, true) => Some(0),
            (None, false) => Some(count - 1),
            (Some(layer), true) => Some(layer + 1).filter(|&layer| layer < count),
            (Some(layer), false) => layer.checked_sub(1),
        };
        if self.layer.is_some() {
            (self.tab, self.scroll) = (Tab::Layers, 0);
        }
        self.layer_found = Sought::No;
        self.redraw_board();
    }

    fn move_cursor(&mut self, down: isize, right: isize) {
        self.cursor = self.board.next(self.cursor, down, right).unwrap_or(self.cursor);
    }

    /// Chooses a place: plays the move to the place, or chooses the stone whose target is asked next.
    pub(crate) fn choose(&mut self, place: usize) {
        if place >= self.board.places.len() {
            self.say("no cell here: `:` types a move");
            return;
        }
        self.cursor = place;
        let moves = self.moves_from(self.chosen);
        let whole: Vec<&String> =
            moves.iter().filter(|(_, places)| places.as_slice() == [place]).map(|(text, _)| text).collect();
        match (&*whole, self.chosen) {
            ([text], _) => drop(self.person_plays(&(*text).clone())),
            ([first, ..], _) => self.mode = Mode::Prompt(Prompt::Move, (*first).clone()),
            ([], _)
                if self.moves_from(None).iter().any(|(_, places)| places.len() > 1 && places[0] == place) =>
            {
                self.chosen = Some(place);
                let name = &self.board.places[place].name;
                self.message = format!("{name} to …");
            }
            ([], Some(_)) => (self.chosen, self.message) = (None, "no move to there".to_owned()),
            ([], None) => {
                let name = self.board.places[place].name.clone();
                self.refuse(&name);
            }
        }
    }

    /// The legal moves that begin at a place, or all legal moves, with the places that come after.
    fn moves_from(&self, chosen: Option<usize>) -> Vec<(String, Vec<usize>)> {
        let (position, mut moves) = (self.session.position(), Vec::new());
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        for mv in legal {
            let text = self.session.text_of(mv);
            let places = places_of(position, mv, &text, &self.board);
            match chosen {
                None => moves.push((text, places)),
                Some(chosen) if places.first() == Some(&chosen) => moves.push((text, places[1..].to_vec())),
                Some(_) => {}
            }
        }
        moves
    }

    /// Says why no move goes to a cell.
    fn refuse(&mut self, name: &str) {
        if !self.person_plays(name) && self.message.is_empty() {
            self.message = format!("no move to {name}");
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) {
        let screen = Screen::of(self.area, self);
        let at = (mouse.column, mouse.row).into();
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                if screen.board.contains(at) {
                    let line = usize::from(mouse.row - screen.board.y) + self.offset.0;
                    let column = usize::from(mouse.column - screen.board.x) + self.offset.1;
                    if let Some(place) = self.board.at(line, column) {
                        self.choose(place);
                    }
                } else if let Some(tab) = screen.tab_at(at) {
                    self.show_tab(tab);
                } else if let Some(ply) = screen.ply_at(self, at) {
                    self.go(ply);
                } else if let Some(text) = screen.legal_at(self, at) {
                    self.person_plays(&text);
                }
            }
            MouseEventKind::ScrollUp if screen.board.contains(at) => {
                self.go(self.line.ply().saturating_sub(1));
            }
            MouseEventKind::ScrollDown if screen.board.contains(at) => self.go(self.line.ply() + 1),
            MouseEventKind::ScrollUp => self.scroll = self.scroll.saturating_sub(1),
            MouseEventKind::ScrollDown => self.scroll = self.scroll.saturating_add(1),
            _ => {}
        }
    }
}
