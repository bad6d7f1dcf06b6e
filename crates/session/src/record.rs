//! [`GameRecord`]: a game to write as SGF. [`RecordedGame`]: a game from an SGF record.

use std::fmt::Display;

use stonework_game::Outcome;
use stonework_record::Tree;

use crate::described::{Described, play_text};
use crate::{Description, Fault};

/// A game to write as an SGF record.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameRecord<'a> {
    /// The moves in the game's own notation.
    pub moves: &'a [String],
    /// The names of the players, the first player's first; an empty name is left out.
    pub players: [&'a str; 2],
    /// The result; `None` writes no result.
    pub result: Option<Outcome>,
    /// `true` if the side to move after the last move has resigned.
    pub resigned: bool,
    /// A comment on the last move.
    pub comment: Option<&'a str>,
    /// The number of the round, from 1.
    pub round: Option<u32>,
    /// The name and version of the program, as `NAME:VERSION`.
    pub application: Option<&'a str>,
}

/// A game as a record has it. The moves need not be legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedGame {
    /// The size of the board.
    pub size: u64,
    /// `true` if the game has the right to swap.
    pub swap: bool,
    /// The moves of the main line in the game's own notation.
    pub moves: Vec<String>,
    /// The names of the players, the first player's first; empty for a player without a name.
    pub players: [String; 2],
    /// The result in the record: the name of a side, `draw`, or the record's own text.
    pub claimed: Option<String>,
}

/// A fault of a record.
pub(crate) fn fault(what: impl Display) -> Fault {
    Fault::new("record", what.to_string())
}

/// The letters of the sides, for their moves in SGF and for their wins in a result.
fn letters(game: &Description) -> [String; 2] {
    game.sides.map(|side| side[..1].to_uppercase())
}

/// Writes a record of any game: one node for each move, with the letters of the sides.
pub(crate) fn write<G: Described>(start: &G, record: &GameRecord<'_>) -> Result<String, Fault> {
    let mut tree = Tree::new();
    let mut root = vec![("FF", "4".to_owned())];
    root.extend(start.record_head());
    root.extend(record.application.map(|name| ("AP", name.to_owned())));
    root.extend(record.round.map(|round| ("RO", round.to_string())));
    let letters = letters(&G::DESCRIPTION);
    root.extend(record.result.map(|result| {
        let winner = result.winner().map(|player| format!("{}+", letters[player.index()]));
        ("RE", winner.unwrap_or_else(|| "0".to_owned()))
    }));
    for (name, value) in root {
        tree.set_property(tree.root(), name, &[value]).map_err(fault)?;
    }
    for (letter, name) in letters.iter().zip(record.players).filter(|(_, name)| !name.is_empty()) {
        tree.set_property(tree.root(), &format!("P{letter}"), &[name]).map_err(fault)?;
    }
    let (mut at, mut game) = (tree.root(), start.clone());
    for text in record.moves {
        at = tree.add_child(at).map_err(fault)?;
        tree.set_property(at, &letters[game.to_move().index()], &[text]).map_err(fault)?;
        play_text(&mut game, 0, text).map_err(fault)?;
    }
    if let Some(comment) = record.comment {
        tree.set_comment(at, comment).map_err(fault)?;
    }
    tree.lay_out().map_err(fault)?;
    Ok(tree.to_string())
}

/// Reads the main line of a record of any game. The moves are the values of the letters of the sides, one in each
/// node.
pub(crate) fn read(game: &Description, tree: &Tree, size: Option<u64>) -> Result<RecordedGame, Fault> {
    let text = |name: &str| Some(tree.property(tree.root(), name)?.value().simple_text().into_owned());
    let letters = letters(game);
    if let Some(other) = text("GM").filter(|name| !name.eq_ignore_ascii_case(game.name)) {
        return Err(fault(format!("GM says {other}, which is not {}", game.name)));
    }
    let own = text("SZ")
        .map(|text| text.trim().parse().map_err(|_| fault(format!("SZ says {text}, which is no size"))));
    let size = size.map(Ok).or(own).ok_or_else(|| fault("no size (SZ): give --size"))??;
    let played = |node| letters.iter().find_map(|letter| tree.property(node, letter));
    let moves =
        tree.main_line().filter_map(|node| Some(played(node)?.value().simple_text().into_owned())).collect();
    let players = letters.each_ref().map(|letter| text(&format!("P{letter}")).unwrap_or_default());
    let claimed = text("RE").map(|result| match (result.as_str(), result.chars().next()) {
        ("0", _) => "draw".to_owned(),
        (_, Some(first)) => {
            let side = letters.iter().position(|letter| letter.starts_with(first));
            side.map_or(result.clone(), |side| game.sides[side].to_owned())
        }
        _ => result,
    });
    Ok(RecordedGame { size, swap: false, moves, players, claimed })
}
