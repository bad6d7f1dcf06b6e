//! Replays of games and positions from the literature.

use serde_json::json;
use stonework_board::Notation;
use stonework_game::Player;
use stonework_havannah::{Move, Position};
use stonework_oracle::{Fault, Printed, printed, printed_positions};
use stonework_session::{Described, play_text};

use super::Tour;
use crate::failure::Failure;
use crate::picture;
use crate::start::Named;

/// A printed game or position, played to its end.
struct Shown {
    name: String,
    position: Position,
    moves: Vec<Move>,
    as_printed: bool,
}

/// Plays moves and compares the end with the printed result.
fn show(
    name: &str,
    start: Result<Position, String>,
    moves: &[String],
    (outcome, how): (Option<&str>, &[&str]),
) -> Result<Shown, Failure> {
    let failed = |fault: Fault| Failure::input(format!("{name}: {fault}"));
    let mut position = start.map_err(|e| Failure::input(format!("{name}: {e}")))?;
    let mut played = Vec::new();
    for text in moves {
        play_text(&mut position, 0, text).map_err(failed)?;
        let cell = position.board().parse(text).map(Move::Place);
        played.push(cell.unwrap_or(Move::Swap));
    }
    let kinds: Vec<&str> = position.kinds().iter().map(stonework_havannah::WinKind::name).collect();
    let as_printed = picture::outcome(&position) == outcome && kinds == how;
    Ok(Shown { name: name.to_owned(), position, moves: played, as_printed })
}

fn show_game(printed: &Printed) -> Result<Shown, Failure> {
    let game = &printed.game;
    let start = if game.swap { Position::with_swap(game.size) } else { Position::new(game.size) };
    show(&game.name, start.map_err(|e| e.to_string()), &game.moves, (printed.outcome, &printed.how))
}

impl Shown {
    fn board(&self) -> Result<String, Failure> {
        Ok(picture::diagram(&self.position, Notation::Hgui, &self.moves)?.text())
    }

    /// The result in words, such as `white wins by fork with l3`.
    fn result(&self) -> String {
        let last = self.moves.last().map(|&mv| self.position.move_name(mv, Notation::Hgui));
        let with = match (self.position.kinds().is_empty(), last) {
            (false, Some(last)) => format!(" with {last}"),
            _ => String::new(),
        };
        self.position.standing() + &with
    }

    /// The winning cells, one line for each kind of win.
    fn cells(&self) -> String {
        let chains = picture::winning(&self.position, Notation::Hgui);
        let line = |(kind, cells): (_, Vec<String>)| {
            picture::wrapped(&format!("{kind}: {}", cells.join(" ")), 86, 6)
        };
        chains.into_iter().map(line).collect()
    }

    fn object(&self, tour: &mut Tour<'_>) -> Result<(), Failure> {
        let (how, cells): (Vec<_>, Vec<_>) = picture::winning(&self.position, Notation::Hgui)
            .into_iter()
            .map(|(kind, cells)| (kind.name(), cells))
            .unzip();
        tour.object(&json!({
            "part": "printed",
            "name": self.name,
            "size": self.position.size(),
            "plies": self.moves.len(),
            "outcome": picture::outcome(&self.position),
            "how": how,
            "cells": cells,
            "board": stonework_game::Textual::position_text(&self.position),
            "as_printed": self.as_printed,
        }))
    }
}

/// The longest printed game, in full.
pub(super) fn game(tour: &mut Tour<'_>) -> Result<(), Failure> {
    let Some(first) = printed().into_iter().next() else { return Ok(()) };
    let shown = show_game(&first)?;
    let moves = shown.moves.len();
    tour.heading(&format!("A printed game of {moves} moves: {} (white O, black @)", shown.name))?;
    tour.text(picture::indented(&shown.board()?, 4))?;
    let verdict = tour.verdict(shown.as_printed, "as printed");
    tour.text(format!("    {} – {verdict}", shown.result()))?;
    tour.text(shown.cells().trim_end())?;
    shown.object(tour)
}

/// The other printed games: a draw, and the same game at an earlier move.
pub(super) fn draws(tour: &mut Tour<'_>) -> Result<(), Failure> {
    tour.heading("A draw, which is rare: the full board, and the same game some moves earlier")?;
    let shown: Vec<Shown> = printed().iter().skip(1).map(show_game).collect::<Result<_, _>>()?;
    gallery(tour, &shown)?;
    let alive = |s: &Shown| Player::BOTH.into_iter().any(|p| s.position.can_win(p));
    if let Some(dead) = shown.iter().find(|s| s.name.ends_with("no win possible")) {
        let verdict = tour.verdict(!alive(dead), "as printed");
        let moves = dead.moves.len();
        tour.text(format!("    after {moves} moves no way to fill the board wins for anybody – {verdict}"))?;
    }
    Ok(())
}

/// The printed positions.
pub(super) fn positions(tour: &mut Tour<'_>) -> Result<(), Failure> {
    tour.heading("Printed positions: the three ways to win, and the traps in telling them")?;
    let shown: Vec<Shown> = printed_positions()
        .iter()
        .map(|p| {
            let start = p.setup.position().map_err(|e| e.to_string());
            show(&p.name, start, &p.moves, (p.outcome, &p.how))
        })
        .collect::<Result<_, _>>()?;
    gallery(tour, &shown)
}

/// Boards side by side across the page, with a line about each board below its row.
fn gallery(tour: &mut Tour<'_>, shown: &[Shown]) -> Result<(), Failure> {
    const WIDTH: usize = 92;
    const GAP: usize = 4;
    let width = |text: &str| text.lines().map(|l| l.chars().count()).max().unwrap_or(0);
    let mut row: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    let mut used = 0;
    for (i, one) in shown.iter().enumerate() {
        let block = format!("({})\n{}", i + 1, one.board()?);
        if used + width(&block) + GAP > WIDTH {
            tour.text(picture::indented(&picture::beside(&row, GAP), 4))?;
            row.clear();
            used = 0;
            tour.text(lines.join("\n") + "\n")?;
            lines.clear();
        }
        used += width(&block) + GAP;
        row.push(block);
        let verdict = tour.verdict(one.as_printed, "as printed");
        lines.push(format!("    ({}) {}:\n        {} – {verdict}", i + 1, one.name, one.result()));
        let cells = one.cells();
        if !cells.is_empty() {
            lines.push(picture::indented(cells.trim_end(), 2).trim_end().to_owned());
        }
        one.object(tour)?;
    }
    tour.text(picture::indented(&picture::beside(&row, GAP), 4))?;
    tour.text(lines.join("\n"))
}
