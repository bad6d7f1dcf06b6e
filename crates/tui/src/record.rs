//! Records: a [`Line`] from SGF and as SGF, with a comment for each position.

use stonework_game::{Game, Outcome, Player, Textual};
use stonework_record::{Encoding, NodeId, ParseOptions, Tree};
use stonework_session::{Fault, GameRecord, GameType, Registry, Session, Start};

use crate::app::Ending;
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
    /// The end of the game, by its result or by a resignation.
    pub(crate) ended: Option<Ending>,
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

/// The end of a record: the result that it claims, or the resignation that is its last move.
fn ending(tree: &Tree, game: &GameType, claimed: Option<&str>) -> Option<Ending> {
    let description = game.description();
    let letter = |player: Player| description.side(player)[..1].to_uppercase();
    let resigns = |node, player| {
        let text = tree.property(node, &letter(player)).map(|property| property.value().simple_text());
        text.is_some_and(|text| text.trim().eq_ignore_ascii_case("resign"))
    };
    let last = tree.main_line().last();
    let by_move = last.and_then(|node| Player::BOTH.into_iter().find(|&player| resigns(node, player)));
    let result = tree.simple_text(tree.root(), "RE").unwrap_or_default();
    let how = result.split_once('+').map_or("", |(_, how)| how.trim());
    let is = |words: [&str; 2]| words.iter().any(|word| how.eq_ignore_ascii_case(word));
    match (claimed, claimed.and_then(|name| description.player(name))) {
        (_, Some(winner)) if is(["r", "resign"]) || by_move == Some(winner.other()) => {
            Some(Ending::Resigned(winner.other()))
        }
        (_, Some(winner)) if is(["t", "time"]) => Some(Ending::Time(winner.other())),
        (_, Some(winner)) => Some(Ending::Recorded(Outcome::Win(winner), how.to_owned())),
        (Some("draw"), None) => Some(Ending::Recorded(Outcome::Draw, String::new())),
        _ => by_move.map(Ending::Resigned),
    }
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
    let tree = ParseOptions::with_encoding(Encoding::Detect).parse(bytes).map_err(fault)?;
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
        start: record.start(),
        variations: tree.variations(),
        ended: ending(&tree, game, record.claimed.as_deref()),
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
    let ended = line.ended.as_ref();
    let result = ended.map(Ending::outcome).or_else(|| end.position().outcome());
    let application = concat!("stonework:", env!("CARGO_PKG_VERSION"));
    let record = GameRecord {
        moves: &own,
        players,
        result,
        resigned,
        reason: ended.map_or("", Ending::reason),
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
            let text = save(&session, &line, ["Ann", "Bob"], false).unwrap();
            // The reader finds the game by itself.
            let opened = open(&Registry::standard(), "havannah", text.as_bytes()).unwrap();
            assert_eq!((opened.game, &opened.start), (game, &start), "{text}");
            assert_eq!(opened.moves, session.moves(), "{text}");
            let comments: Vec<&str> = line.entries().iter().map(|entry| entry.comment.as_str()).collect();
            assert_eq!(opened.comments, comments, "{text}");
            assert_eq!((opened.players, opened.variations), (["Ann", "Bob"].map(str::to_owned), 0));
        }
    }

    /// A record in ISO 8859-1 was refused, and `replay` reads it.
    #[test]
    fn a_record_in_iso_8859_1_is_opened_and_saved_in_utf_8() {
        let registry = Registry::standard();
        let mut options = crate::TuiOptions::new(registry.clone(), "havannah");
        options.record = Some((std::path::PathBuf::new(), b"(;SZ[4]PW[J\xf6rg];W[a1]C[\xdcber])".to_vec()));
        let again = crate::App::new(options).unwrap().sgf().unwrap();
        assert!(
            ["CA[UTF-8]", "PW[J\u{f6}rg]", "C[\u{dc}ber]"].iter().all(|text| again.contains(text)),
            "{again}"
        );
    }

    /// A record in which black begins was refused.
    #[test]
    fn a_record_in_which_black_begins_is_opened_and_saved() {
        let registry = Registry::standard();
        let mut options = crate::TuiOptions::new(registry.clone(), "havannah");
        options.record = Some((std::path::PathBuf::new(), b"(;SZ[4];B[a1];W[b2]C[well];B[c3])".to_vec()));
        let app = crate::App::new(options).unwrap();
        assert_eq!(app.game().position().to_move(), Player::Second);
        let again = app.sgf().unwrap();
        assert!(again.contains("B[a1];W[b2]C[well];B[c3]"), "{again}");
        assert_eq!(open(&registry, "havannah", again.as_bytes()).unwrap().moves, ["a1", "b2", "c3"]);
    }

    /// Such a record was refused.
    #[test]
    fn a_record_with_stones_that_were_set_up_is_opened_and_saved() {
        let registry = Registry::standard();
        for (text, game, moves) in [
            ("(;SZ[4]AW[a1]AB[b2];B[c3];W[d4])", "havannah", ["c3", "d4"]),
            ("(;GM[Cachex]SZ[3]SWP[.r./.b./...];R[0,0];B[2,0])", "cachex", ["0,0", "2,0"]),
        ] {
            let mut options = crate::TuiOptions::new(registry.clone(), game);
            options.record = Some((std::path::PathBuf::new(), text.as_bytes().to_vec()));
            let app = crate::App::new(options).unwrap();
            let again = app.sgf().unwrap();
            let opened = open(&registry, game, again.as_bytes()).unwrap();
            assert_eq!(
                (opened.moves.as_slice(), again.contains("SWP[")),
                (&moves.map(str::to_owned)[..], true)
            );
            assert_eq!(
                app.game().position(),
                &registry.game(game).unwrap().start(&opened.start).unwrap(),
                "{again}"
            );
        }
    }

    /// The end that a record has other than by its moves is found, and is in the record that is saved again.
    #[test]
    fn the_result_of_a_record_stays() {
        let (registry, white, black) = (Registry::standard(), Player::First, Player::Second);
        let red = white;
        let wins = |player, reason: &str| Ending::Recorded(Outcome::Win(player), reason.to_owned());
        let draw = Ending::Recorded(Outcome::Draw, String::new());
        for (game, text, ended, saved) in [
            ("havannah", "(;SZ[4]RE[B+Resign];W[a1];B[b2])", Some(Ending::Resigned(white)), "RE[B+Resign]"),
            ("havannah", "(;SZ[4]RE[W+R];W[a1];B[b2])", Some(Ending::Resigned(black)), "RE[W+Resign]"),
            ("havannah", "(;SZ[4]RE[W+T];W[a1];B[b2])", Some(Ending::Time(black)), "RE[W+Time]"),
            ("havannah", "(;SZ[4]RE[W];W[a1];B[b2])", Some(wins(white, "")), "RE[W]"),
            ("havannah", "(;SZ[4]RE[B+Forfeit];W[a1];B[b2])", Some(wins(black, "Forfeit")), "RE[B+Forfeit]"),
            ("havannah", "(;SZ[4]RE[draw];W[a1];B[b2])", Some(draw.clone()), "RE[Draw]"),
            ("havannah", "(;SZ[4];W[a1];B[b2];W[resign])", Some(Ending::Resigned(white)), "W[resign]"),
            ("havannah", "(;SZ[4];W[a1];B[b2])", None, "B[b2]"),
            ("cachex", "(;GM[Cachex]SZ[4]RE[R+R];R[0,0])", Some(Ending::Resigned(black)), "RE[R+Resign]"),
            ("cachex", "(;GM[Cachex]SZ[4]RE[blue+];R[0,0])", Some(wins(black, "")), "RE[B+]"),
            ("cachex", "(;GM[Cachex]SZ[4]RE[B+time];R[0,0])", Some(Ending::Time(red)), "RE[B+Time]"),
            ("cachex", "(;GM[Cachex]SZ[4]RE[0];R[0,0])", Some(draw), "RE[0]"),
            ("cachex", "(;GM[Cachex]SZ[4]RE[?];R[0,0])", None, "R[0,0]"),
        ] {
            let opened = open(&registry, game, text.as_bytes()).unwrap();
            assert_eq!(opened.ended, ended, "{text}");
            let mut options = crate::TuiOptions::new(registry.clone(), game);
            options.record = Some((std::path::PathBuf::new(), text.as_bytes().to_vec()));
            let again = crate::App::new(options).unwrap().sgf().unwrap();
            assert!(again.to_lowercase().contains(&saved.to_lowercase()), "{text}: {again}");
            assert_eq!(open(&registry, game, again.as_bytes()).unwrap().ended, ended, "{text}: {again}");
        }
    }
}
