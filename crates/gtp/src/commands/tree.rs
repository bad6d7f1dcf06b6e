//! Games and searches as SGF, JSON and pictures.

use serde_json::json;
use stonework_game::{Game, Outcome, Player, Textual};
use stonework_record::{EditError, NodeId, Tree};
use stonework_search::{Line, Stop};

use super::analysis::{line, searched};
use crate::host::{Host, MoveOf};
use crate::protocol::Call;
use crate::server::{Answer, Searched, Server};

/// A record with moves from the beginning of the game, its last node, and the position after them.
fn record<H: Host>(
    server: &Server<H>,
    moves: &[(Player, MoveOf<H>)],
) -> Result<(Tree, NodeId, H::Game), EditError> {
    let (mut tree, mut game) = (Tree::new(), server.game.start().clone());
    tree.set_property(tree.root(), "FF", &["4"])?;
    for (name, value) in server.host.record(&game) {
        tree.set_property(tree.root(), name, &[value])?;
    }
    let mut at = tree.root();
    for &(_, mv) in moves {
        at = add(server, &mut tree, at, &mut game, mv)?.unwrap_or(at);
    }
    Ok((tree, at, game))
}

/// Plays a move and adds it below a node; `None` for a move that is illegal. Records have the usual notation of the game, whatever
/// the notation of the session is.
fn add<H: Host>(
    server: &Server<H>,
    tree: &mut Tree,
    below: NodeId,
    game: &mut H::Game,
    mv: MoveOf<H>,
) -> Result<Option<NodeId>, EditError> {
    let (letter, text) = (server.letter(game.to_move()), game.move_text(mv));
    if game.play(mv).is_err() {
        return Ok(None);
    }
    let node = tree.add_child(below)?;
    tree.set_property(node, &letter, &[text])?;
    Ok(Some(node))
}

fn finished(tree: Result<Tree, EditError>) -> Answer {
    let laid_out = tree.and_then(|mut tree| tree.lay_out().map(|()| tree));
    laid_out.map(|tree| tree.to_string()).map_err(|error| error.to_string())
}

pub(super) fn printsgf<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let tree = record(server, &server.game.moves()).and_then(|(mut tree, _, game)| {
        if let Some(outcome) = game.outcome() {
            tree.set_property(tree.root(), "RE", &[server.score(outcome)])?;
        }
        Ok(tree)
    });
    finished(tree)
}

pub(super) fn sgf<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let Searched { moves, report, .. } = searched(server)?;
    let tree = record(server, moves).and_then(|(mut tree, end, root)| {
        for Line { moves, value, visits } in &report.lines {
            let (mut at, mut game) = (end, root.clone());
            for (ply, &mv) in moves.iter().enumerate() {
                // The moves of a search are legal; an illegal move ends the line.
                let Some(node) = add(server, &mut tree, at, &mut game, mv)? else { break };
                at = node;
                if ply == 0 {
                    let visits = visits.map_or(String::new(), |visits| format!(" visits {visits}"));
                    tree.set_comment(at, &format!("value {}{visits}", value.score()))?;
                }
            }
        }
        Ok(tree)
    });
    finished(tree)
}

pub(super) fn json<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let Searched { root, moves, report } = searched(server)?;
    let before: Vec<MoveOf<H>> = moves.iter().map(|&(_, mv)| mv).collect();
    let lines: Vec<_> = report
        .lines
        .iter()
        .map(
            |l| json!({ "line": line(server, root, &l.moves), "value": l.value.score(), "visits": l.visits }),
        )
        .collect();
    let object = json!({
        "position": root.position_text(),
        "moves": line(server, server.game.start(), &before),
        "to_move": server.host.colours()[root.to_move()],
        "best": report.best.map(|mv| server.host.write_move(root, mv, server.style)),
        "value": report.value.score(),
        "outcome": server.outcome(report.proven, "unknown"),
        "nodes": report.nodes,
        "simulations": report.simulations,
        "depth": report.depth,
        "memory_bytes": report.bytes,
        "seconds": report.time.as_secs_f64(),
        "stopped_by": report.stopped.map(Stop::name),
        "lines": lines,
    });
    Ok(object.to_string())
}

pub(super) fn heatmap<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let Searched { root, report, .. } = searched(server)?;
    let total: f64 = report.lines.iter().filter_map(|line| line.visits).map(|visits| visits as f64).sum();
    let mark = |line: &Line<MoveOf<H>>| {
        let text = match line.visits {
            Some(visits) if total > 0.0 => format!("{:.0}%", visits as f64 * 100.0 / total),
            _ => line.value.score().to_string(),
        };
        Some((*line.moves.first()?, text))
    };
    let marks: Vec<(MoveOf<H>, String)> = report.lines.iter().filter_map(mark).collect();
    server.host.svg(root, &marks, server.style).ok_or_else(|| "there are no pictures of this game".to_owned())
}

impl<H: Host> Server<H> {
    /// The letter of a side. SGF uses the letter for the moves of the side, and a score for its wins.
    fn letter(&self, player: Player) -> String {
        self.host.colours()[player].chars().take(1).flat_map(char::to_uppercase).collect()
    }

    /// An outcome as a score.
    pub(super) fn score(&self, outcome: Outcome) -> String {
        outcome.winner().map_or_else(|| "0".to_owned(), |player| format!("{}+", self.letter(player)))
    }
}
