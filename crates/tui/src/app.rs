//! [`App`]: the state of the terminal's front end. Inputs go in, effects come out, and a frame shows the state.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::Frame;
use ratatui::layout::Rect;
use stonework_game::{Game, Outcome, Player};
use stonework_roster::{PlayerSpec, RosterEntry};
use stonework_session::{Analysis, AnyMove, Fault, Layer, Picture, Session, Start};

use crate::board::{BoardText, cell_names, places_of};
use crate::clocks::GameClocks;
use crate::line::Line;
use crate::options::{Effect, Input, TuiOptions};
use crate::task::{MoveValue, SeatAgent};
use crate::view;

/// The number of moves that an engine is asked to tell, for the shades on the board.
pub(crate) const LINES: u32 = 100;

/// A page of the panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tab {
    Moves,
    Engine,
    Layers,
    Proof,
    Notes,
}

impl Tab {
    pub(crate) const ALL: [Self; 5] = [Self::Moves, Self::Engine, Self::Layers, Self::Proof, Self::Notes];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Moves => "Moves",
            Self::Engine => "Engine",
            Self::Layers => "Layers",
            Self::Proof => "Proof",
            Self::Notes => "Notes",
        }
    }
}

/// The question of a prompt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Prompt {
    Move,
    /// The comment on the position after a number of moves.
    Comment(usize),
    Save,
    Open,
    Player(Player),
}

/// A question with the answers yes and no.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Question {
    Resign,
    Quit,
    New,
    /// To open a record in place of a game that is in no file.
    Open(PathBuf),
    Overwrite(PathBuf),
}

/// The receiver of keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    Board,
    Prompt(Prompt, String),
    Confirm(Question),
    Help,
}

/// The end of a game other than by its rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    Resigned(Player),
    Time(Player),
    /// The result that an opened record has, with the reason of the record, or an empty text.
    Recorded(Outcome, String),
}

impl Ending {
    pub(crate) const fn outcome(&self) -> Outcome {
        match self {
            Self::Resigned(player) | Self::Time(player) => Outcome::Win(player.other()),
            Self::Recorded(outcome, _) => *outcome,
        }
    }

    /// The reason as the result of a record has it, behind the `+`.
    pub(crate) fn reason(&self) -> &str {
        match self {
            Self::Resigned(_) => "Resign",
            Self::Time(_) => "Time",
            Self::Recorded(_, reason) => reason,
        }
    }
}

/// A task that runs, or whose result is shown. The `id` of the last result is 0.
pub(crate) struct Running {
    pub(crate) id: u64,
    pub(crate) cancel: Arc<AtomicBool>,
}

impl Drop for Running {
    /// A task whose result nobody waits for is stopped.
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

/// A finding that is looked for or known, for one position.
pub(crate) enum Sought<T> {
    No,
    Running(Running),
    Found(T),
    Failed(String),
}

/// The thoughts of a player or of an analysis about the present position.
pub(crate) struct Thinking {
    pub(crate) running: Running,
    /// The side whose player decides; `None` for an analysis.
    pub(crate) side: Option<Player>,
    /// The name of the player or of the engine.
    pub(crate) name: String,
}

/// The findings of a search.
pub(crate) struct Findings {
    /// The name of the player or of the engine.
    pub(crate) name: String,
    /// The number of moves before the position that was searched.
    pub(crate) ply: usize,
    pub(crate) analysis: Analysis,
}

/// The state of the terminal's front end.
///
/// [`handle`](Self::handle) changes the state, and [`draw`](Self::draw) shows the state. Neither of them reads a clock, a file or
/// a terminal, so that a test can play whole games. With [`ponders`](TuiOptions::ponders), `handle` starts a thread for the thoughts
/// of a player in the other side's time.
#[expect(clippy::struct_excessive_bools, reason = "the switches of the screen do not depend on each other")]
pub struct App {
    pub(crate) options: TuiOptions,
    pub(crate) session: Session,
    pub(crate) line: Line,
    pub(crate) board: BoardText,
    pub(crate) names: Vec<String>,
    /// The index of the place under the cursor.
    pub(crate) cursor: usize,
    /// The index of the first place of a move that needs two.
    pub(crate) chosen: Option<usize>,
    pub(crate) players: [Option<String>; 2],
    pub(crate) agents: [Option<SeatAgent>; 2],
    /// The names of people in a record.
    pub(crate) people: [String; 2],
    pub(crate) clocks: Option<GameClocks>,
    /// `true` while the players wait.
    pub(crate) paused: bool,
    pub(crate) mode: Mode,
    pub(crate) tab: Tab,
    pub(crate) scroll: usize,
    pub(crate) message: String,
    pub(crate) thinking: Option<Thinking>,
    /// `true` while each position that is shown is analysed.
    pub(crate) analysing: bool,
    /// The last findings.
    pub(crate) findings: Option<Findings>,
    pub(crate) heat: bool,
    pub(crate) strokes: bool,
    /// The number of the layer on the board.
    pub(crate) layer: Option<usize>,
    pub(crate) layer_found: Sought<Layer>,
    pub(crate) values: Sought<Vec<MoveValue>>,
    /// The tasks of a layer and of exact values that have not ended. They may take long to notice that they have to stop, so
    /// that the next one waits for its predecessor.
    pub(crate) working: [Option<u64>; 2],
    pub(crate) next_id: u64,
    /// `true` if the record has changes that are in no file.
    pub(crate) unsaved: bool,
    pub(crate) file: Option<PathBuf>,
    /// `true` if this program has written the file. A file that was only opened may hold more than the app keeps: variations,
    /// other games, marks.
    pub(crate) written: bool,
    pub(crate) now: Duration,
    pub(crate) area: Rect,
    /// The first line and column of the board that are shown.
    pub(crate) offset: (usize, usize),
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App")
            .field("session", &self.session)
            .field("mode", &self.mode)
            .finish_non_exhaustive()
    }
}

impl App {
    /// The front end with a game at its beginning, after the given moves, or after the moves of a record.
    ///
    /// # Errors
    /// The fault of the game, of the start, of a move, of the record, or of the notation; the fault `player` for a player that
    /// the game does not have.
    pub fn new(mut options: TuiOptions) -> Result<Self, Fault> {
        let record = options.record.take();
        let session = Self::session(&options, &mut options.start.clone())?;
        let mut app = Self {
            players: [None, None],
            agents: [None, None],
            people: [String::new(), String::new()],
            clocks: options.clock.map(GameClocks::new),
            line: Line::default(),
            board: BoardText::default(),
            names: Vec::new(),
            cursor: 0,
            chosen: None,
            paused: false,
            mode: Mode::Board,
            tab: Tab::Moves,
            scroll: 0,
            message: String::new(),
            thinking: None,
            analysing: false,
            findings: None,
            heat: true,
            strokes: false,
            layer: None,
            layer_found: Sought::No,
            values: Sought::No,
            working: [None, None],
            next_id: 0,
            unsaved: false,
            file: None,
            written: false,
            now: Duration::ZERO,
            area: Rect::new(0, 0, 80, 24),
            offset: (0, 0),
            session,
            options,
        };
        app.begin();
        let moves = std::mem::take(&mut app.options.moves);
        // Nobody waits for these moves, so the clocks do not count them.
        app.paused = true;
        for (at, mv) in moves.iter().enumerate() {
            app.play(mv).map_err(|fault| fault.at(at))?;
        }
        app.paused = false;
        if let Some((path, bytes)) = record {
            app.open(&bytes)?;
            app.file = Some(path);
        }
        for (side, name) in Player::BOTH.into_iter().zip(app.options.players.clone()) {
            app.seat(side, name.as_deref().unwrap_or_default())?;
        }
        app.unsaved = false;
        app.say("? shows the keys");
        Ok(app)
    }

    /// A session at the start of the options. A start without a board gets the usual size.
    pub(crate) fn session(options: &TuiOptions, start: &mut Start) -> Result<Session, Fault> {
        if start.size.is_none() && start.position.is_none() {
            let usual = options.registry.game(&options.game)?.description().usual_size;
            start.size = Some(usual.into());
        }
        Session::new(options.registry.clone(), &options.game, start, options.notation.as_deref())
    }

    /// Makes everything fit a new session.
    pub(crate) fn begin(&mut self) {
        (self.line, self.chosen, self.scroll) = (Line::default(), None, 0);
        (self.agents, self.people) = ([None, None], [String::new(), String::new()]);
        self.clocks = self.options.clock.map(GameClocks::new);
        (self.layer, self.offset, self.unsaved) = (None, (0, 0), false);
        self.names = cell_names(self.session.position(), self.notation());
        self.cursor = usize::MAX;
        self.position_changed();
        self.cursor = self.board.places.len() / 2;
    }

    /// The number of the notation.
    pub(crate) fn notation(&self) -> usize {
        let name = self.options.notation.as_deref();
        self.session.start().notation(name).unwrap_or_default()
    }

    /// Handles an input at a time, which is counted from any moment and never decreases.
    ///
    /// # Panics
    /// If a player has panicked while it thought in the other side's time.
    pub fn handle(&mut self, now: Duration, input: Input) -> Vec<Effect> {
        self.now = self.now.max(now);
        let mut effects = Vec::new();
        match input {
            Input::Terminal(event) => self.event(&event, &mut effects),
            Input::News(id, news) => self.news(id, news.0),
            Input::File(path, Ok(bytes)) => match self.open(&bytes) {
                Ok(()) => (self.file, self.written) = (Some(path), false),
                Err(fault) => self.message = format!("{}: {fault}", path.display()),
            },
            Input::Saved(path, Ok(true)) => {
                self.message = format!("saved: {}", path.display());
                (self.file, self.written, self.unsaved) = (Some(path), true, false);
            }
            Input::Saved(path, Ok(false)) => self.mode = Mode::Confirm(Question::Overwrite(path)),
            Input::File(path, Err(error)) | Input::Saved(path, Err(error)) => {
                self.message = format!("{}: {error}", path.display());
            }
            Input::Tick => {}
        }
        self.settle(&mut effects);
        effects
    }

    /// Stops all tasks. Their news no longer matter.
    pub(crate) fn leave(&mut self) {
        (self.thinking, self.analysing) = (None, false);
        (self.layer_found, self.values) = (Sought::No, Sought::No);
        self.rest();
    }

    /// Ends the thoughts of players in the other side's time. Each keeps its findings.
    fn rest(&mut self) {
        self.agents.iter_mut().flatten().for_each(SeatAgent::rest);
    }

    /// Draws the state on a frame of any size.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        self.area = frame.area();
        view::draw(self, frame);
    }

    /// The present session, for questions about the game.
    #[must_use]
    pub const fn game(&self) -> &Session {
        &self.session
    }

    /// The column and the row of a cell on the screen that was drawn last; `None` for a cell that is not shown.
    #[must_use]
    pub fn place_of(&self, cell: &str) -> Option<(u16, u16)> {
        let place = &self.board.places[self.board.named(cell)?];
        let area = view::Screen::of(self.area, self).board;
        let row = u16::try_from(place.line.checked_sub(self.offset.0)?).ok()?;
        let column = u16::try_from(place.column.checked_sub(self.offset.1)?).ok()?;
        (row < area.height && column < area.width).then(|| (area.x + column, area.y + row))
    }

    /// `true` if the state changes by itself as time passes: a clock runs, or a task works.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.thinking.is_some() || (self.clocks.is_some() && !self.paused)
    }

    /// `true` while a player thinks in the other side's time, by the option [`ponders`](TuiOptions::ponders).
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.agents.iter().flatten().any(SeatAgent::is_pondering)
    }

    /// The winner by the rules, by resignation or by time, if the position on the board is the last one.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        let ended = self.line.ended.as_ref().filter(|_| self.line.at_end());
        ended.map(Ending::outcome).or_else(|| self.session.position().outcome())
    }

    /// `true` while the game goes on from the position on the board.
    pub(crate) fn is_live(&self) -> bool {
        self.line.at_end() && self.outcome().is_none() && !self.paused
    }

    /// The position on the board has changed: everything that was found about the last one is forgotten.
    pub(crate) fn position_changed(&mut self) {
        self.thinking = None;
        self.rest();
        self.findings = None;
        self.chosen = None;
        (self.layer_found, self.values) = (Sought::No, Sought::No);
        self.redraw_board();
        let last = self.last_places();
        if let Some(&place) = last.last() {
            self.cursor = place;
        }
    }

    /// Draws the board anew, with the marks of the layer.
    pub(crate) fn redraw_board(&mut self) {
        let position = self.session.position();
        let last: Vec<AnyMove> = self.session.last_move().into_iter().collect();
        let picture = match position.picture(&[], self.notation()) {
            Ok(Picture::Locations(_)) => position.picture(&last, self.notation()),
            other => other,
        };
        let mut picture = picture.unwrap_or_else(|fault| Picture::Text(fault.to_string()));
        if let Sought::Found(layer) = &self.layer_found {
            picture = picture.overlay(layer.overlay(position, self.notation()));
        }
        let strokes = self.strokes;
        let picture = picture.on_cells(|diagram| diagram.strokes(strokes));
        self.board = BoardText::new(&picture, &self.names);
        self.cursor = self.cursor.min(self.board.places.len().saturating_sub(1));
    }

    /// The places of the last move.
    pub(crate) fn last_places(&self) -> Vec<usize> {
        let Some(mv) = self.session.last_move() else { return Vec::new() };
        let text = &self.line.present().mv;
        places_of(self.session.position(), mv, text, &self.board)
    }

    /// Changes the player of a side; an empty text is a person.
    pub(crate) fn seat(&mut self, side: Player, text: &str) -> Result<(), Fault> {
        let text = text.trim();
        if !text.is_empty() {
            let fault = |error: &dyn ToString| Fault::new("player", error.to_string());
            let spec: PlayerSpec = text.parse().map_err(|error| fault(&error))?;
            let roster = self.session.game().roster();
            if roster.entry(&spec.name).is_none() {
                let known: Vec<&str> = roster.entries().iter().map(RosterEntry::name).collect();
                let message = format!("no player `{}`: there is {}", spec.name, known.join(", "));
                return Err(Fault::new("player", message));
            }
        }
        self.players[side.index()] = Some(text.to_owned()).filter(|text| !text.is_empty());
        self.agents[side.index()] = None;
        self.thinking = None;
        Ok(())
    }

    /// Shows a message to the user.
    pub(crate) fn say(&mut self, message: impl Into<String>) {
        self.message = message.into();
    }

    /// The name of a side.
    pub(crate) fn side(&self, player: Player) -> &'static str {
        self.session.game().description().side(player)
    }
}
