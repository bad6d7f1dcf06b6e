//! A program on a port that speaks GTP and nothing else. The server gives the commands.

use std::io;
use std::time::Duration;

use stonework_game::{Game, Player};
use tokio::time::{Instant, sleep, timeout};

use super::Port;
use super::connection::{IDLE, Wire, sit_down};
use crate::ServerApp;
use crate::table::{GameEvent, GameTable, GameWatch, Order};

/// The time for the answer to a command that asks for no move.
const PATIENCE: Duration = Duration::from_secs(30);

/// The greatest number of lines of an answer.
const MOST_LINES: usize = 1000;

fn broken(why: String) -> io::Error {
    io::Error::other(why)
}

/// Reads an answer: lines up to an empty one. `Err` within is a refusal.
async fn answer(wire: &mut Wire) -> io::Result<Result<String, String>> {
    let mut lines = Vec::new();
    loop {
        let line = wire.line().await?;
        if line.is_empty() && lines.is_empty() {
            continue;
        }
        if line.is_empty() {
            break;
        }
        lines.push(line);
        if lines.len() > MOST_LINES {
            return Err(broken(format!("an answer has more than {MOST_LINES} lines")));
        }
    }
    let text = lines.join("\n");
    let rest = |text: &str| text[1..].trim_start_matches(|c: char| c.is_ascii_digit()).trim().to_owned();
    match text.as_bytes().first() {
        Some(b'=') => Ok(Ok(rest(&text))),
        Some(b'?') => Ok(Err(rest(&text))),
        _ => Err(broken("an answer begins with `=` or `?`".to_owned())),
    }
}

async fn ask(wire: &mut Wire, command: &str) -> io::Result<String> {
    wire.send(command).await?;
    let found = timeout(PATIENCE, answer(wire)).await??;
    found.map_err(|why| broken(format!("the program refuses `{command}`: {why}")))
}

/// Plays a game with a program that speaks GTP. Always `true`: the program waits for the next game.
pub(super) async fn play(
    app: &ServerApp,
    port: &Port,
    wire: &mut Wire,
    table: GameTable,
    side: Player,
) -> io::Result<bool> {
    let failed = |fault: stonework_session::Fault| broken(fault.to_string());
    let (_, mut watch, _) = sit_down(&table, side).await?;
    let game = app.registry().game(&port.settings.game).map_err(failed)?;
    let description = game.description();
    let mut position = game.start(&port.settings.start()).map_err(failed)?;
    ask(wire, &format!("boardsize {}", port.settings.size)).await?;
    ask(wire, "clear_board").await?;
    let settings = port.settings.clock;
    if let Some(per_move) = settings.per_move.filter(|_| settings.main.is_none()) {
        // A program without this command plays at its own pace.
        wire.send(&format!("time_settings 0 {} 1", (per_move / 1000).max(1))).await?;
        let _ = timeout(PATIENCE, answer(wire)).await??;
    }
    let (mut clocks, mut asked, mut plies, mut own) =
        (settings.main.map(|main| [main; 2]), 0, 0_u32, None::<String>);
    loop {
        let mine = position.to_move() == side && position.outcome().is_none();
        if mine && !watch.has_past() && asked != plies + 1 {
            asked = plies + 1;
            let colour = description.side(side);
            if let Some(clocks) = clocks {
                wire.send(&format!("time_left {colour} {} 0", clocks[side.index()] / 1000)).await?;
                let _ = timeout(PATIENCE, answer(wire)).await??;
            }
            wire.send(&format!("genmove {colour}")).await?;
            let Some(text) = decided(wire, &mut watch, (&table, side)).await? else { return Ok(true) };
            let order = if text.eq_ignore_ascii_case("resign") {
                Order::Resign
            } else {
                let mv = position
                    .read_move(&text, 0)
                    .map_or_else(|_| text.clone(), |mv| position.move_text_in(mv, 0));
                own = Some(mv.clone());
                Order::Play { mv, ply: Some(asked) }
            };
            let before = table.order(side, order).await;
            if let Err(fault) = before
                && fault.kind != "over"
            {
                return Err(broken(fault.to_string()));
            }
            continue;
        }
        let Some(told) = watch.next().await else { return Err(broken("the game has ended".to_owned())) };
        match &told.numbered.event {
            GameEvent::Moved { ply, mv, clocks: now, side: mover, .. } => {
                position.play_text(mv, 0).map_err(failed)?;
                (plies, clocks) = (*ply, *now);
                // A program has played its own move already.
                if own.take().as_ref() != Some(mv) {
                    ask(wire, &format!("play {mover} {mv}")).await?;
                }
            }
            // The program has played a move that is not legal, and does not know it: this is no game.
            GameEvent::Illegal { side: by, .. } if by == description.side(side) => {
                let _ = table.order(side, Order::Resign).await;
            }
            GameEvent::Proposed { .. } => decline(&table, side).await,
            GameEvent::Over { .. } => return Ok(true),
            _ => {}
        }
    }
}

/// Declines a proposal: the program knows none. One that is no longer open needs no answer.
async fn decline(table: &GameTable, side: Player) {
    let _ = table.order(side, Order::Decline).await;
}

/// The decision of a program, within [`IDLE`]; `None` if the game ends before. The answer is awaited then, too, so that it is not taken
/// for a later one.
async fn decided(
    wire: &mut Wire,
    watch: &mut GameWatch,
    (table, side): (&GameTable, Player),
) -> io::Result<Option<String>> {
    let late = sleep(IDLE);
    let found = answer(wire);
    tokio::pin!(late, found);
    let mut over = false;
    loop {
        tokio::select! {
            found = &mut found => {
                let text = found?.map_err(|why| broken(format!("the program refuses to move: {why}")))?;
                return Ok((!over).then_some(text));
            }
            told = watch.next(), if !over => {
                if told.as_ref().is_some_and(|told| matches!(told.numbered.event, GameEvent::Proposed { .. })) {
                    decline(table, side).await;
                }
                over = told.is_none_or(|told| matches!(told.numbered.event, GameEvent::Over { .. }));
                if over {
                    late.as_mut().reset(Instant::now() + PATIENCE);
                }
            }
            () = &mut late => return Err(io::ErrorKind::TimedOut.into()),
        }
    }
}
