//! Games and searches as SGF, JSON and pictures.

use serde_json::json;
use stonework_game::{Game, Outcome, Player, Textual};
use stonework_record::{EditError, NodeId, Tree};
use stonework_search::{Line, Stop};

use super::analysis::{line, searched};
use crate::host::{Host, MoveOf};
use crate::protocol::Call;
use crate::server::{Answer, Searched, Server};

/// A record with the moves of a game, and its last node.
fn record<H: Host>(
    server: &Server<H>,
    game: &H::Game,
    moves: &[(Player, MoveOf<H>)],
) -> Result<(Tree, NodeId), EditError> {
    let mut tree = Tree::new();
    tree.set_property(tree.root(), "FF", &["4"])?;
    for (name, value) in server.host.record(game) {
        tree.set_property(tree.root(), name, &[value])?;
    }
    let mut at = tree.root();
    for &(player, mv) in moves {
        at = add(server, &mut tree, at, game, player, mv)?;
    }
    Ok((tree, at))
}

/// Adds a move below a node. Records have the usual notation of the game, whatever the notation of the session is.
fn add<H: Host>(
    server: &Server<H>,
    tree: &mut Tree,
    below: NodeId,
    game: &H::Game,
    player: Player,
    mv: MoveOf<H>,
) -> Result<NodeId, EditError> {
    let node = tree.add_child(below)?;
    tree.set_property(node, &server.letter(player), &[game.move_text(mv)])?;
    Ok(node)
}

fn finished(tree: Result<Tree, EditError>) -> Answer {
    let laid_out = tree.and_then(|mut tree| tree.lay_out().map(|()| tree));
    laid_out.map(|tree| tree.to_string()).map_err(|error| error.to_string())
}

pub(super) fn printsgf<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let game = server.game.position();
    let tree = record(server, game, &server.game.moves()).and_then(|(mut tree, _)| {
        if let Some(outcome) = game.outcome() {
            tree.set_property(tree.root(), "RE", &[server.score(outcome)])?;
        }
        Ok(tree)
    });
    finished(tree)
}

pub(super) fn sgf<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let Searched { root, moves, report } = searched(server)?;
    let tree = record(server, root, moves).and_then(|(mut tree, end)| {
        for Line { moves, value, visits } in &report.lines {
            let (mut at, mut game) = (end, root.clone());
            for (ply, &mv) in moves.iter().enumerate() {
                at = add(server, &mut tree, at, root, game.to_move(), mv)?;
                if ply == 0 {
                    let visits = visits.map_or(String::new(), |visits| format!(" visits {visits}"));
                    tree.set_comment(at, &format!("value {}{visits}", value.score()))?;
                }
                // The moves of a search are legal; an illegal move ends the line.
                if game.play(mv).is_err() {
                    break;
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
        "moves": line(server, root, &before),
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
