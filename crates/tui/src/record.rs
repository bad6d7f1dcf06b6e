//! Records: a [`Line`] from SGF and as SGF, with a comment for each position.

use stonework_game::{Game, Outcome, Textual};
use stonework_record::{NodeId, Tree};
use stonework_session::{Fault, GameRecord, GameType, Registry, Session, Start};

use crate::line::Line;

/// A game from a record.
pub(crate) struct Opened {
    /// The name of the game.
    pub(crate) game: &'static str,
    pub(crate) start: Start,
    pub(crate) moves: Vec<String>,
    /// The comments, by the number of moves before.
    pub(crate) comments: Vec<String>,
    /// The names of the players, the first player's first.
    pub(crate) players: [String; 2],
    /// The number of variations of the record, which are left out.
    pub(crate) variations: usize,
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`")]
fn fault(error: impl ToString) -> Fault {
    Fault::new("record", error.to_string())
}

/// `true` for a node with a move of either side.
fn has_move(tree: &Tree, node: NodeId, game: &GameType) -> bool {
    let letter = |side: &str| side[..1].to_uppercase();
    game.description().sides.iter().any(|side| tree.property(node, &letter(side)).is_some())
}

/// The nodes of the main line with the number of moves up to each of them.
fn numbered(tree: &Tree, game: &GameType) -> Vec<(NodeId, usize)> {
    let mut ply = 0;
    let number = |node| {
        ply += usize::from(has_move(tree, node, game));
        (node, ply)
    };
    tree.main_line().map(number).collect()
}

/// Reads a record of a game, or of another game of the registry.
pub(crate) fn open(registry: &Registry, game: &str, bytes: &[u8]) -> Result<Opened, Fault> {
    let tree = Tree::parse(bytes).map_err(fault)?;
    let first = registry.game(game)?;
    let (game, record) = match first.read_record(&tree, None) {
        Ok(record) => (first, record),
        Err(refused) => {
            let others = registry.games().iter().filter(|other| other.name() != game);
            let found = others.map(|other| Some((other, other.read_record(&tree, None).ok()?)));
            found.flatten().next().ok_or(refused)?
        }
    };
    let mut comments = vec![String::new(); record.moves.len() + 1];
    for (node, ply) in numbered(&tree, game) {
        let (Some(comment), Some(text)) = (tree.comment(node), comments.get_mut(ply)) else { continue };
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&comment);
    }
    Ok(Opened {
        game: game.name(),
        start: Start { swap: record.swap && game.description().swaps, ..Start::of_size(record.size) },
        variations: tree.variations(),
        moves: record.moves,
        comments,
        players: record.players,
    })
}

/// The SGF text of a line with its comments.
pub(crate) fn save(
    session: &Session,
    line: &Line,
    players: [&str; 2],
    ended: Option<Outcome>,
    resigned: bool,
) -> Result<String, Fault> {
    let mut end = session.fork();
    end.undo(end.moves().len())?;
    let mut own = Vec::new();
    for text in line.moves() {
        let before = end.position().clone();
        end.play(text)?;
        own.extend(end.last_move().map(|mv| before.move_text(mv)));
    }
    let result = ended.or_else(|| end.position().outcome());
    let application = concat!("stonework:", env!("CARGO_PKG_VERSION"));
    let record = GameRecord {
        moves: &own,
        players,
        result,
        resigned,
        application: Some(application),
        ..GameRecord::default()
    };
    let text = session.start().record(&record)?;
    let mut tree = Tree::parse(text.as_bytes()).map_err(fault)?;
    let mut done = None;
    for (node, ply) in numbered(&tree, session.game()) {
        let comment = line.entries().get(ply).map_or("", |entry| entry.comment.as_str());
        if done != Some(ply) && !comment.is_empty() {
            tree.set_comment(node, comment).map_err(fault)?;
        }
        done = Some(ply);
    }
    Ok(tree.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record that is saved and opened is the same game with the same comments.
    #[test]
    fn a_saved_record_opens_again() {
        let swap = Start { swap: true, ..Start::of_size(4) };
        for (game, start, moves) in [
            ("havannah", swap, "d4 swap a1 b2"),
            ("cachex", Start::of_size(4), "0,0 steal 2,2"),
            ("cover", Start::of_size(2), "A03-B03 E07-E06"),
        ] {
            let mut session = Session::new(Registry::standard(), game, &start, None).unwrap();
            let mut line = Line::default();
            line.present_mut().comment = "before the first move".to_owned();
            for mv in moves.split(' ') {
                session.play(mv).unwrap_or_else(|fault| panic!("{fault}: {:?}", session.legal()));
                line.play(session.moves().last().unwrap(), session.position().to_move().other());
                line.present_mut().comment = format!("after {mv} ] \\");
            }
            let text = save(&session, &line, ["Ann", "Bob"], None, false).unwrap();
            // The reader finds the game by itself.
            let opened = open(&Registry::standard(), "havannah", text.as_bytes()).unwrap();
            assert_eq!((opened.game, &opened.start), (game, &start), "{text}");
            assert_eq!(opened.moves, session.moves(), "{text}");
            let comments: Vec<&str> = line.entries().iter().map(|entry| entry.comment.as_str()).collect();
            assert_eq!(opened.comments, comments, "{text}");
            assert_eq!((opened.players, opened.variations), (["Ann", "Bob"].map(str::to_owned), 0));
        }
    }
}
