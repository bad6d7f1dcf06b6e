//! [`SeatedGame`]: a game as the program at one side follows it.

use stonework_game::{Game, Player};
use stonework_session::{AnyPosition, Fault};

use super::Port;
use super::line::ServerLine;
use crate::ServerApp;
use crate::table::GameEvent;

/// A game as the program at one side follows it: the position, for the names of moves on the wire.
#[derive(Debug)]
pub(super) struct SeatedGame {
    pub(super) side: Player,
    pub(super) position: AnyPosition,
    pub(super) plies: u32,
    pub(super) clocks: Option<[u64; 2]>,
    /// The number of the notation on the wire.
    notation: usize,
}

impl SeatedGame {
    pub(super) fn new(app: &ServerApp, port: &Port, side: Player) -> Result<Self, Fault> {
        let position = app.registry().game(&port.settings.game)?.start(&port.settings.start())?;
        let notation = port.notation.map_or(Ok(0), |name| position.notation(Some(name)))?;
        let clocks = port.settings.clock.main.map(|main| [main; 2]);
        Ok(Self { side, position, plies: 0, clocks, notation })
    }

    /// The clocks of the program and of the opponent.
    pub(super) fn both_clocks(&self) -> Option<(u64, u64)> {
        self.clocks.map(|clocks| (clocks[self.side.index()], clocks[self.side.other().index()]))
    }

    /// `true` if the program is to move.
    pub(super) fn is_mine(&self) -> bool {
        self.position.to_move() == self.side && self.position.outcome().is_none()
    }

    /// The text of a move in the usual notation as the wire has it: `Put K19`, `Swap`.
    fn wire(&self, mv: &str) -> String {
        match self.position.read_move(mv, 0) {
            Ok(found) if Some(found) == self.position.swap_move() => "Swap".to_owned(),
            Ok(found) => format!("Put {}", self.position.move_text_in(found, self.notation)),
            Err(_) => mv.to_owned(),
        }
    }

    /// The move of the line `Swap` in the usual notation: a swap, and in Cachex the steal.
    pub(super) fn swap(&self) -> String {
        let swap = self.position.swap_move();
        swap.map_or_else(|| "swap".to_owned(), |mv| self.position.move_text_in(mv, 0))
    }

    /// The move of a program in the usual notation. A text that is no move on the wire is no move there, either.
    pub(super) fn usual(&self, mv: &str) -> String {
        let found = self.position.read_move(mv, self.notation);
        found.map_or_else(|_| format!("Put {mv}"), |found| self.position.move_text_in(found, 0))
    }

    /// Follows an event. Returns the lines for the program; `true` with the last of them.
    pub(super) fn follow(&mut self, event: &GameEvent) -> Result<(Vec<ServerLine>, bool), Fault> {
        let mut lines = Vec::new();
        match event {
            GameEvent::Moved { ply, mv, clocks, .. } => {
                let (own, text) = (self.is_mine(), self.wire(mv));
                self.position.play_text(mv, 0)?;
                (self.plies, self.clocks) = (*ply, *clocks);
                lines.push(if own {
                    ServerLine::Ok { ply: *ply, mv: text }
                } else {
                    ServerLine::Move { ply: *ply, mv: text, clocks: self.both_clocks() }
                });
            }
            GameEvent::Illegal { ply, side, mv, reason } if *side == self.side_name() => {
                let mv = if mv.starts_with("Put ") { mv.clone() } else { self.wire(mv) };
                // A colon in the text of a move would end it.
                let mv = mv.replace(": ", ":");
                lines.push(ServerLine::Illegal { ply: *ply, mv, why: reason.clone() });
            }
            GameEvent::Over { winner, how, cells } => {
                let winner = winner.clone().unwrap_or_else(|| "void".to_owned());
                let cells = cells.first().map(|cells| self.cells(cells)).unwrap_or_default();
                lines.push(ServerLine::Over { winner, how: how.clone(), cells });
                return Ok((lines, true));
            }
            _ => {}
        }
        Ok((lines, false))
    }

    /// The names of cells on the wire.
    fn cells(&self, cells: &[String]) -> Vec<String> {
        let wire = |cell: &String| match self.position.read_move(cell, 0) {
            Ok(mv) => self.position.move_text_in(mv, self.notation),
            Err(_) => cell.clone(),
        };
        cells.iter().map(wire).collect()
    }

    pub(super) fn side_name(&self) -> &'static str {
        self.position.description().side(self.side)
    }
}
