//! [`Gtp`]: another program that speaks the Go Text Protocol.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use stonework_arena::{Contestant, Entrant, Fault, Pace, Terms};
use stonework_game::{Game, Player, Textual};
use stonework_roster::{Clock, Decision, PlayerConfig};
use stonework_search::Limits;
use stonework_session::{AnyMove, AnyPosition, GameType, Start};

use crate::board::Board;
use crate::convert::{game, refused};
use crate::moves::Move;
use crate::work::interruptible;

/// A running program with the game that it knows.
struct Running {
    contestant: Box<dyn Contestant<AnyPosition>>,
    start: AnyPosition,
    side: Player,
    moves: Vec<AnyMove>,
}

/// A program that speaks the Go Text Protocol, as a player.
///
/// Args:
///     command: the command line; no shell runs.
///     dialect: `gtp`, `castro` or `lajkonik`; `gtp/NOTATION` for a program with names of moves in another notation.
///     seconds: the time for each move; the program's own limits unless given.
///     patience: the seconds after which a command without a time of its own has failed.
///
/// The program starts with the first `play`, and ends with `close()`, the end of a `with` block, or the end of the object's life.
#[pyclass(frozen, module = "stonework")]
pub(crate) struct Gtp {
    text: String,
    terms: Terms,
    running: Arc<Mutex<Option<Running>>>,
    cancel: Arc<AtomicBool>,
}

fn seconds(name: &str, value: f64) -> PyResult<Duration> {
    match value {
        value if (0.001..=86_400.0).contains(&value) => Ok(Duration::from_secs_f64(value)),
        other => Err(refused(format!("{name} of {other} seconds: 0.001 to 86400"))),
    }
}

/// A game to play on: its type, the program as a player of it, and its moves.
struct Task {
    game: &'static GameType,
    entrant: Entrant,
    start: AnyPosition,
    moves: Vec<AnyMove>,
}

/// Brings the program to the end of a game, and asks for its move.
fn choose(
    running: &mut Option<Running>,
    task: &Task,
    terms: &Terms,
    cancel: &Arc<AtomicBool>,
) -> Result<Option<AnyMove>, String> {
    let config =
        PlayerConfig { limits: Limits::none().cancel(Arc::clone(cancel)), ..PlayerConfig::default() };
    let said = |fault: Fault| fault.to_string();
    let mut position = task.start.clone();
    for &mv in &task.moves {
        position.play(mv).map_err(|fault| fault.to_string())?;
    }
    let side = position.to_move();
    let goes_on = running.as_ref().is_some_and(|known| {
        known.start == task.start && known.side == side && task.moves.starts_with(&known.moves)
    });
    let mut program = if let Some(program) = running.take().filter(|_| goes_on) {
        program
    } else {
        let mut contestant = task.entrant.contestant(task.game.roster(), &config);
        contestant.prepare(&task.start, side, 1, terms).map_err(said)?;
        Running { contestant, start: task.start.clone(), side, moves: Vec::new() }
    };
    let limit = match terms.pace {
        Pace::Move(time) => time + terms.grace,
        _ => terms.patience,
    };
    let mut now = task.start.clone();
    for (at, &mv) in task.moves.iter().enumerate() {
        if at >= program.moves.len() {
            program.contestant.receive(&now, mv, terms.patience).map_err(said)?;
            program.moves.push(mv);
        }
        now.play(mv).map_err(|fault| fault.to_string())?;
    }
    let decision = program.contestant.choose(&now, &Clock::NONE, limit).map_err(said)?;
    Ok(match decision {
        Decision::Play(mv) => {
            now.check(mv).map_err(|fault| format!("the program played an illegal move: {fault}"))?;
            program.moves.push(mv);
            *running = Some(program);
            Some(mv)
        }
        Decision::Resign => None,
    })
}

#[pymethods]
impl Gtp {
    #[new]
    #[pyo3(signature = (command, dialect="gtp", *, seconds=None, patience=30.0))]
    fn new(command: &str, dialect: &str, seconds: Option<f64>, patience: f64) -> PyResult<Self> {
        let pace =
            seconds.map(|time| self::seconds("a move", time)).transpose()?.map_or(Pace::Own, Pace::Move);
        let terms = Terms { pace, patience: self::seconds("a patience", patience)?, ..Terms::default() };
        let text = format!("{dialect}:{command}");
        let head = dialect.split('/').next().unwrap_or_default();
        if !stonework_arena::GtpDialect::ALL.iter().any(|known| known.name == head) {
            let dialect = stonework_game::text::head(dialect);
            return Err(refused(format!("no dialect `{dialect}`: gtp, castro or lajkonik")));
        }
        Ok(Self { text, terms, running: Arc::default(), cancel: Arc::default() })
    }

    /// The program's move in the board's position. The board does not change.
    ///
    /// The program keeps its game from call to call if the board has gone on from there.
    ///
    /// Returns:
    ///     the move; `None` if the program resigns.
    ///
    /// Raises:
    ///     ValueError: after the end of the game, for a notation that the game does not have, and for a board that does not begin
    ///         with the first position of its size: the protocol has no command for another one.
    ///     RuntimeError: if the program dies, hangs, breaks the protocol or plays an illegal move, with what it did.
    fn play(&self, py: Python<'_>, board: &Bound<'_, Board>) -> PyResult<Option<Move>> {
        let task = {
            let board = board.try_borrow()?;
            let start = board.line.start();
            let swap = start.downcast_ref::<stonework_havannah::Position>();
            let options = Start {
                swap: swap.is_some_and(stonework_havannah::Position::swap_enabled),
                ..Start::of_size(start.size().into())
            };
            if board.line.outcome().is_some() {
                return Err(refused(format!("the game is over: {}", board.position().standing())));
            }
            let game = game(board.game.name)?;
            if start != game.start(&options).map_err(refused)? {
                let first = start.position_text();
                return Err(refused(format!(
                    "the board begins with the position `{first}`, which a program cannot be told"
                )));
            }
            let entrant = Entrant::parse(&self.text, game, &options).map_err(refused)?;
            Task { game, entrant, start, moves: board.moves() }
        };
        let (terms, cancel) = (self.terms, Arc::clone(&self.cancel));
        let running = Arc::clone(&self.running);
        cancel.store(false, Ordering::Relaxed);
        let flag = Arc::clone(&cancel);
        let work =
            move || choose(&mut running.lock().unwrap_or_else(PoisonError::into_inner), &task, &terms, &flag);
        let mv = interruptible(py, &cancel, work)?.map_err(PyRuntimeError::new_err)?;
        let board = board.try_borrow()?;
        Ok(mv.map(|AnyMove(number)| board.named(number)))
    }

    /// Ends the program.
    fn close(&self, py: Python<'_>) {
        self.cancel.store(true, Ordering::Relaxed);
        py.detach(|| drop(self.running.lock().unwrap_or_else(PoisonError::into_inner).take()));
    }

    const fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) {
        self.close(py);
    }

    fn __repr__(&self) -> String {
        format!("<Gtp {}>", self.text)
    }
}
