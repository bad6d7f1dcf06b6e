//! Commands that play moves, take moves back, and report the position and the result.
#![expect(clippy::unnecessary_wraps, reason = "commands have one shape, whether they can fail or not")]

use std::sync::atomic::Ordering;

use stonework_game::{Game, Outcome, Player};
use stonework_roster::{Agent, Clock, Decision};
use web_time::Instant;

use super::{Entry, number, tree};
use crate::clock;
use crate::host::{Host, MoveOf};
use crate::protocol::Call;
use crate::server::{Answer, Server};

/// The most moves that one `playgame` command plays.
const MOST_MOVES: usize = 100_000;

pub(super) fn entries<H: Host>() -> Vec<Entry<H>> {
    vec![
        Entry::new(
            "play",
            "COLOUR MOVE",
            "plays a move; `pass` only after the end, where it does nothing",
            play,
        ),
        Entry::new(
            "genmove",
            "COLOUR",
            "chooses a move and plays it; `resign`; `pass` after the end",
            genmove,
        ),
        Entry::new(
            "reg_genmove",
            "COLOUR",
            "chooses a move with a fresh player and does not play it",
            reg_genmove,
        ),
        Entry::new("undo", "[NUMBER]", "takes back one move, or NUMBER moves", undo),
        Entry::new("playgame", "", "plays to the end: the moves and the winner", playgame),
        Entry::new("all_legal", "", "the legal moves", all_legal),
        Entry::new("showboard", "", "the position as text", showboard),
        Entry::new("printsgf", "", "the game as SGF", tree::printsgf),
        Entry::new("final_score", "", "`W+`, `B+` or `0` for a draw", final_score),
    ]
}

fn play<H: Host>(server: &mut Server<H>, call: &Call<'_>) -> Answer {
    let (player, text) = (server.colour(call.arguments[0])?, call.arguments[1]);
    if server.game.is_over() && text.eq_ignore_ascii_case("pass") {
        server.game.pass();
        return Ok(String::new());
    }
    let mv = server.read(text)?;
    if !server.game.is_over() {
        server.turn_of(player)?;
    }
    server.play(mv).map(|()| String::new())
}

pub(super) fn swap<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let Some(mv) = server.host.swap() else { return Err("illegal move: there is no swap".to_owned()) };
    server.play(mv).map(|()| String::new())
}

/// The clock for a player's next move: the running clock of the player, or else the host's time for one move.
pub(super) fn clock<H: Host>(server: &Server<H>, player: Player) -> Clock {
    match server.clocks.clock(player) {
        Clock::NONE => server.host.move_time().map_or(Clock::NONE, clock::for_one_move),
        running => running,
    }
}

/// The decision of the current agent for the side to move. The time of the decision is taken from the clock of that side,
/// and the server stores the report of the search.
fn decide<H: Host>(server: &mut Server<H>) -> Result<Decision<MoveOf<H>>, String> {
    let player = server.game.position().to_move();
    let clock = clock(server, player);
    let since = Instant::now();
    let decision = server.current.agent().decide(server.game.position(), &clock);
    server.clocks.spend(player, since.elapsed());
    let report = server.current.agent().report().cloned();
    server.remember(report);
    decision.ok_or_else(|| format!("{} has no move", server.current.name))
}

/// Plays a decision, and returns its text: the move, or `resign`.
fn carry_out<H: Host>(server: &mut Server<H>, decision: Decision<MoveOf<H>>) -> Answer {
    match decision {
        Decision::Resign => Ok("resign".to_owned()),
        Decision::Play(mv) => {
            let text = server.write(mv);
            server.play(mv)?;
            Ok(text)
        }
    }
}

fn genmove<H: Host>(server: &mut Server<H>, call: &Call<'_>) -> Answer {
    let player = server.colour(call.arguments[0])?;
    if server.game.is_over() {
        server.game.pass();
        return Ok("pass".to_owned());
    }
    server.turn_of(player)?;
    let decision = decide(server)?;
    server.moved = Some(player);
    carry_out(server, decision)
}

fn reg_genmove<H: Host>(server: &mut Server<H>, call: &Call<'_>) -> Answer {
    let player = server.colour(call.arguments[0])?;
    if server.game.is_over() {
        return Ok("pass".to_owned());
    }
    server.turn_of(player)?;
    let mut agent = server.new_agent()?;
    match agent.decide(server.game.position(), &clock(server, player)) {
        Some(Decision::Play(mv)) => Ok(server.write(mv)),
        Some(Decision::Resign) => Ok("resign".to_owned()),
        None => Err(format!("{} has no move", server.current.name)),
    }
}

fn undo<H: Host>(server: &mut Server<H>, call: &Call<'_>) -> Answer {
    let count: usize = call.arguments.first().map_or(Ok(1), |text| number(text))?;
    if server.game.undo(count) {
        return Ok(String::new());
    }
    Err(format!("cannot undo: {count} to take back of {}", server.game.len()))
}

fn playgame<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let cancel = server.host.cancel();
    let interrupted = || cancel.as_ref().is_some_and(|flag| flag.load(Ordering::SeqCst));
    let mut played = Vec::new();
    let mut resigned = None;
    while !server.game.is_over() && played.len() < MOST_MOVES {
        let mover = server.game.position().to_move();
        let decision = decide(server)?;
        played.push(carry_out(server, decision)?);
        if decision == Decision::Resign {
            resigned = Some(Outcome::Win(mover.other()));
            break;
        }
        if interrupted() {
            break;
        }
    }
    let outcome = server.game.position().outcome().or(resigned);
    Ok(format!("{}\n{}", played.join(" "), server.outcome(outcome, "none")))
}

pub(super) fn all_legal<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let moves = server.game.position().moves();
    Ok(moves.into_iter().map(|mv| server.write(mv)).collect::<Vec<_>>().join(" "))
}

fn showboard<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let moves: Vec<MoveOf<H>> = server.game.moves().into_iter().map(|(_, mv)| mv).collect();
    Ok(format!("\n{}", server.host.draw(server.game.position(), &moves, server.style)))
}

fn final_score<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let outcome = server.game.position().outcome();
    outcome.map(|outcome| server.score(outcome)).ok_or_else(|| "cannot score: the game goes on".to_owned())
}

pub(super) fn winner<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    Ok(server.outcome(server.game.position().outcome(), "none"))
}
