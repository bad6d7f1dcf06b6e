//! The screen of an [`App`]: its parts, the board and the lines around the board.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use stonework_game::{Game, Player};

use crate::app::{App, Ending, Mode, Prompt, Question, Tab};
use crate::clocks::Time;
use crate::keys::KEYS;
use crate::page;
use crate::style::Paint;

/// The least width of a screen with the panel beside the board.
const BESIDE: u16 = 50;

/// The least height of a screen with the panel below the board.
const BELOW: u16 = 20;

/// The width of the panel, unless the screen is narrower than twice the width.
const PANEL: u16 = 36;

/// The parts of the screen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Screen {
    header: Rect,
    /// The characters of the board.
    pub(crate) board: Rect,
    tabs: Rect,
    sides: Rect,
    pub(crate) page: Rect,
    message: Rect,
    keys: Rect,
}

impl Screen {
    /// The parts of a screen of any size. A part without room is empty.
    pub(crate) fn of(area: Rect, app: &App) -> Self {
        let (header, rest) = top(area, 1);
        let (rest, keys) = bottom(rest, u16::from(rest.height > 3));
        let (body, message) = bottom(rest, u16::from(rest.height > 1));
        let wide = app.board.width().min(1000) as u16 + 2;
        let (board, panel) = if area.width >= BESIDE {
            let width = body.width.saturating_sub(wide).max(PANEL.min(body.width / 2));
            let board = Rect { width: body.width - width, ..body };
            (board, Rect { x: body.x + board.width, width, ..body })
        } else if body.height >= BELOW {
            let high = (app.board.lines.len() as u16).min(body.height - BELOW / 2);
            top(body, high)
        } else {
            top(body, body.height)
        };
        let (tabs, rest) = top(panel, 1);
        let (sides, page) = top(rest, 2);
        // A margin of one column at each side of the board.
        let inner = Rect { x: board.x + board.width.min(1), width: board.width.saturating_sub(2), ..board };
        Self { header, board: inner, tabs, sides, page, message, keys }
    }

    /// The page whose name stands at a place.
    pub(crate) fn tab_at(&self, at: Position) -> Option<Tab> {
        self.tabs.contains(at).then_some(())?;
        self.tab_places().find(|(_, x, width)| (*x..x + width).contains(&at.x)).map(|(tab, ..)| tab)
    }

    /// The pages with the columns of their names.
    fn tab_places(&self) -> impl Iterator<Item = (Tab, u16, u16)> + use<> {
        let mut x = self.tabs.x;
        Tab::ALL.into_iter().map(move |tab| {
            let (start, width) = (x, tab.name().len() as u16 + 2);
            x += width;
            (tab, start, width)
        })
    }

    /// The number of moves up to the played move that stands at a place.
    pub(crate) fn ply_at(&self, app: &App, at: Position) -> Option<usize> {
        (app.tab == Tab::Moves && self.page.contains(at)).then(|| page::ply_at(app, self.page, at)).flatten()
    }

    /// The legal move that stands at a place.
    pub(crate) fn legal_at(&self, app: &App, at: Position) -> Option<String> {
        (app.tab == Tab::Moves && self.page.contains(at))
            .then(|| page::legal_at(app, self.page, at))
            .flatten()
    }
}

/// The first lines of an area, and the others.
pub(crate) fn top(area: Rect, height: u16) -> (Rect, Rect) {
    let height = height.min(area.height);
    (Rect { height, ..area }, Rect { y: area.y + height, height: area.height - height, ..area })
}

/// The lines of an area but the last ones, and the last ones.
pub(crate) fn bottom(area: Rect, height: u16) -> (Rect, Rect) {
    top(area, area.height - height.min(area.height))
}

/// Writes a text into the first line of an area, as much as there is room for.
pub(crate) fn write(buffer: &mut Buffer, area: Rect, text: &str, style: Style) {
    if area.width > 0 && area.height > 0 {
        buffer.set_stringn(area.x, area.y, text, area.width.into(), style);
    }
}

/// Draws the screen.
pub(crate) fn draw(app: &mut App, frame: &mut Frame<'_>) {
    let screen = Screen::of(app.area, app);
    follow_cursor(app, screen.board);
    let (paint, buffer) = (Paint { plain: app.options.plain }, frame.buffer_mut());
    if app.mode == Mode::Help {
        return help(app, buffer);
    }
    write(buffer, screen.header, &heading(app), Paint::strong());
    board(app, paint, screen.board, buffer);
    for (tab, x, width) in screen.tab_places() {
        let style = if tab == app.tab { Paint::reversed() } else { paint.quiet() };
        let room = Rect { x, width, ..screen.tabs }.intersection(screen.tabs);
        write(buffer, room, &format!(" {} ", tab.name()), style);
    }
    sides(app, screen.sides, buffer);
    page::draw(app, paint, screen.page, buffer);
    write(buffer, screen.message, &foot(app, screen.message.width), Paint::strong());
    write(buffer, screen.keys, &hints(app), paint.quiet());
}

/// Moves the part of the board that is shown, so that the cursor is in it.
fn follow_cursor(app: &mut App, area: Rect) {
    let place = app.board.places.get(app.cursor);
    let (line, column) = place.map_or((0, 0), |place| (place.line, place.column));
    let shift = |offset: usize, at: usize, room: u16, all: usize| {
        let room = usize::from(room);
        // Two characters around the cursor are shown, too.
        let most = at.saturating_sub(2.min(room / 3));
        let least = (at + 3.min(room / 3 + 1)).saturating_sub(room);
        offset.clamp(least.min(most), most).min(all.saturating_sub(room))
    };
    app.offset.0 = shift(app.offset.0, line, area.height, app.board.lines.len());
    app.offset.1 = shift(app.offset.1, column, area.width, app.board.width());
}

/// The game, the number of moves and the standing.
fn heading(app: &App) -> String {
    let position = app.session.position();
    let (ply, len) = (app.line.ply(), app.line.len());
    let moves = if ply == len { format!("move {ply}") } else { format!("move {ply} of {len}") };
    let standing = match app.line.ended.as_ref().filter(|_| app.line.at_end()) {
        Some(Ending::Resigned(side)) => format!("{} has resigned", app.side(*side)),
        Some(Ending::Time(side)) => format!("{} has lost on time", app.side(*side)),
        Some(Ending::Recorded(outcome, reason)) => match outcome.winner() {
            Some(side) if reason.is_empty() => format!("{} has won by the record", app.side(side)),
            Some(side) => format!("{} has won by the record: {reason}", app.side(side)),
            None => "a draw by the record".to_owned(),
        },
        None => position.standing().trim_start_matches("not over, ").to_owned(),
    };
    let file = app.file.as_ref().map_or(String::new(), |file| format!(", {}", file.display()));
    let star = if app.unsaved { " *" } else { "" };
    let other = if app.line.has_other() { ", v: the other line" } else { "" };
    format!("{} {}, {moves}, {standing}{other}{file}{star}", app.session.game().name(), position.size())
}

/// Draws the board, with the cursor, the last move, the shades of the visits and the values of the moves.
fn board(app: &App, paint: Paint, area: Rect, buffer: &mut Buffer) {
    let (top, left) = app.offset;
    for (row, line) in (area.y..area.bottom()).zip(app.board.lines.iter().skip(top)) {
        let text: String = line.chars().skip(left).collect();
        write(buffer, Rect { y: row, height: 1, ..area }, &text, Style::new());
    }
    // The place of a character of the board on the screen, if it is shown.
    let spot = |line: usize, column: usize| {
        let (y, x) = (line.checked_sub(top)?, column.checked_sub(left)?);
        let at = Position {
            x: area.x.checked_add(x.try_into().ok()?)?,
            y: area.y.checked_add(y.try_into().ok()?)?,
        };
        area.contains(at).then_some(at)
    };
    let sides = app.session.game().description().sides;
    for place in &app.board.places {
        let style = paint.cell(place.stone, sides);
        let style = if place.highlighted { style.patch(paint.marked()) } else { style };
        let (wide, high) = place.reach;
        if place.stone.is_none() && wide + high > 0 {
            continue;
        }
        for line in place.line.saturating_sub(high)..=place.line + high {
            for column in place.column.saturating_sub(wide)..=place.column + wide {
                if let Some(at) = spot(line, column) {
                    buffer[at].set_style(style);
                }
            }
        }
        // The ground between the cells of a row.
        if (wide, high) == (0, 0)
            && let Some(at) = place.column.checked_sub(1).and_then(|column| spot(place.line, column))
        {
            buffer[at].set_style(paint.cell(None, sides));
        }
    }
    for (index, sign, share) in page::marks(app) {
        let place = &app.board.places[index];
        let Some(at) = spot(place.line, place.column) else { continue };
        let (symbol, style) = match (sign, share) {
            (Some(sign), _) => (["-", "=", "+"].get((sign + 1) as usize).copied(), paint.value(sign)),
            (None, share) => {
                let digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
                let digit = digits[((share * 9.0) as usize).min(8)];
                (Some(digit).filter(|_| paint.plain), paint.shade(share))
            }
        };
        if let Some(symbol) = symbol {
            buffer[at].set_symbol(symbol);
        }
        buffer[at].set_style(style);
    }
    let mut brackets = |place: usize, marks: [&str; 2]| {
        let place = &app.board.places[place];
        if place.reach != (0, 0) {
            return;
        }
        let ends = [place.column.checked_sub(1), Some(place.column + 1)];
        for (column, mark) in ends.into_iter().zip(marks) {
            if let Some(at) = column.and_then(|column| spot(place.line, column)) {
                buffer[at].set_symbol(mark).set_style(Paint::strong());
            }
        }
    };
    if app.cursor < app.board.places.len() {
        brackets(app.cursor, ["[", "]"]);
    }
    for place in app.last_places() {
        brackets(place, ["(", ")"]);
    }
    for place in [Some(app.cursor), app.chosen].into_iter().flatten() {
        let shown = app.board.places.get(place).and_then(|place| spot(place.line, place.column));
        if let Some(at) = shown {
            buffer[at].set_style(Paint::reversed());
        }
    }
}

/// The two sides with their players and clocks; `>` is at the side to move.
fn sides(app: &App, area: Rect, buffer: &mut Buffer) {
    let glyphs = page::stones(app);
    for (player, row) in Player::BOTH.into_iter().zip(0..area.height) {
        let at = player.index();
        let to_move = app.outcome().is_none() && app.session.position().to_move() == player;
        let name = match (&app.players[at], app.people[at].as_str()) {
            (Some(name), _) => name,
            (None, "") => "a person",
            (None, person) => person,
        };
        let clock = app.clocks.map_or(String::new(), |clocks| Time(clocks.left(player, app.now)).to_string());
        let mark = if to_move { '>' } else { ' ' };
        let width = usize::from(area.width).saturating_sub(clock.len() + 1);
        let text = format!("{mark}{} {}: {name}", glyphs[at], app.side(player));
        let text: String = text.chars().take(width).collect();
        let style = if to_move { Paint::strong() } else { Style::new() };
        write(buffer, Rect { y: area.y + row, height: 1, ..area }, &format!("{text:width$} {clock}"), style);
    }
}

/// The line of the message, of a question, or of a text that is typed. The end of a long text is shown.
fn foot(app: &App, width: u16) -> String {
    let (label, typed) = match &app.mode {
        Mode::Board | Mode::Help => return app.message.clone(),
        Mode::Confirm(question) => {
            let question = match question {
                Question::Resign => "resign?".to_owned(),
                Question::Quit => "quit without saving the game?".to_owned(),
                Question::New => "a new game without saving this one?".to_owned(),
                Question::Open(_) => "open the record without saving this game?".to_owned(),
                Question::Overwrite(path) => format!("{} is there: replace it?", path.display()),
            };
            return format!("{question} y: yes, any other key: no");
        }
        Mode::Prompt(prompt, typed) => {
            let label = match prompt {
                Prompt::Move => "move: ".to_owned(),
                Prompt::Comment(_) => "comment: ".to_owned(),
                Prompt::Save => "save as: ".to_owned(),
                Prompt::Open => "open: ".to_owned(),
                Prompt::Player(side) => format!("player of {} (empty: a person): ", app.side(*side)),
            };
            (label, typed)
        }
    };
    let room = usize::from(width).saturating_sub(label.chars().count() + 1);
    let hidden = typed.chars().count().saturating_sub(room);
    let shown: String = typed.chars().skip(hidden).collect();
    format!("{label}{shown}_")
}

/// The keys that matter now.
fn hints(app: &App) -> String {
    match app.mode {
        Mode::Prompt(..) => "Enter: done  Esc: not  Ctrl-U: empty".to_owned(),
        _ if app.thinking.as_ref().is_some_and(|thinking| thinking.side.is_some()) => {
            "x: move now  u: take back  ?: keys  q: quit".to_owned()
        }
        _ => "Enter: play  u: take back  a: analyse  Tab: page  ?: keys  q: quit".to_owned(),
    }
}

/// The help on one screen.
fn help(app: &App, buffer: &mut Buffer) {
    let (first, rest) = top(app.area, 1);
    write(buffer, first, "Keys (any key goes back to the board)", Paint::strong());
    let width = KEYS.iter().map(|(keys, _)| keys.chars().count()).max().unwrap_or(0);
    for ((keys, about), row) in KEYS.iter().zip(0..rest.height) {
        let line = Rect { y: rest.y + row, height: 1, ..rest };
        write(buffer, line, &format!(" {keys:width$}  {about}"), Style::new());
    }
}
