//! [`GameRecord`]: a game to write as SGF. [`RecordedGame`]: a game from an SGF record.

use std::fmt::Display;

use stonework_game::text::head;
use stonework_game::{Outcome, Player};
use stonework_record::{NodeId, POSITION_PROPERTY, Tree};

use crate::described::{Described, play_text};
use crate::{Description, Fault, Start};

/// A game to write as an SGF record.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameRecord<'a> {
    /// The moves in the game's own notation.
    pub moves: &'a [String],
    /// The names of the players, the first player's first; an empty name is left out.
    pub players: [&'a str; 2],
    /// The result; `None` writes no result.
    pub result: Option<Outcome>,
    /// `true` if the side to move after the last move has resigned. A record of Havannah has a move for it, other records have the
    /// word in their result.
    pub resigned: bool,
    /// The reason of a win, which stands behind the `+` of the result: `Time`, `Forfeit`; empty writes none, and `Resign` if
    /// `resigned` is set.
    pub reason: &'a str,
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
    /// `true` if the game has the right to swap, and begins with the first position of its size.
    pub swap: bool,
    /// The text of the first position of a game that begins with another one than the first position of its size: with stones that
    /// were set up, or in Havannah with a move of black.
    pub position: Option<String>,
    /// The moves of the main line in the game's own notation.
    pub moves: Vec<String>,
    /// The names of the players, the first player's first; empty for a player without a name.
    pub players: [String; 2],
    /// The result in the record: the name of a side, `draw`, or the record's own text.
    pub claimed: Option<String>,
}

impl RecordedGame {
    /// The first position of the game.
    ///
    /// ```
    /// use stonework_record::Tree;
    /// use stonework_session::Registry;
    /// let game = Registry::standard().game("havannah")?.clone();
    /// let record = game.read_record(&Tree::parse_str("(;SZ[4];B[a1];W[b2])").unwrap(), None)?;
    /// assert_eq!(game.replay(&record.start(), None, &record.moves)?.to_move, "black");
    /// # Ok::<(), stonework_session::Fault>(())
    /// ```
    #[must_use]
    pub fn start(&self) -> Start {
        match self.position.clone() {
            Some(text) => Start { position: Some(text), ..Start::default() },
            None => Start { swap: self.swap, ..Start::of_size(self.size) },
        }
    }
}

/// A fault of a record.
pub(crate) fn fault(what: impl Display) -> Fault {
    Fault::new("record", what.to_string())
}

/// The letters of the sides, for their moves in SGF and for their wins in a result.
fn letters(game: &Description) -> [String; 2] {
    game.sides.map(|side| side[..1].to_uppercase())
}

/// The text of a position with which a game begins; `None` for the first position of its size. A position whose text does not have all
/// of it, such as its history, is refused: a reader would begin with another one.
pub(crate) fn set_up<G: Described>(start: &G) -> Result<Option<String>, Fault> {
    let is_first = |swap| {
        let first = G::start(&Start { swap, ..Start::of_size(start.size().into()) });
        first.is_ok_and(|first| first == *start)
    };
    if is_first(false) || is_first(true) {
        return Ok(None);
    }
    let text = start.position_text();
    if G::start(&Start { position: Some(text.clone()), ..Start::default() }).is_ok_and(|read| read == *start)
    {
        return Ok(Some(text));
    }
    Err(fault("the game begins with a position that has a history, and a record has the position alone"))
}

/// The result in a record: the name of a side, `draw`, or the record's own text.
fn claim(game: &Description, letters: &[String; 2], text: &str) -> String {
    if ["0", "draw"].iter().any(|draw| text.eq_ignore_ascii_case(draw)) {
        return "draw".to_owned();
    }
    let (winner, _) = text.split_once('+').unwrap_or((text, ""));
    let is = |name: &str| winner.eq_ignore_ascii_case(name);
    let side = game.sides.iter().zip(letters).find(|(side, letter)| is(letter) || is(side));
    side.map_or_else(|| text.to_owned(), |(side, _)| (*side).to_owned())
}

/// Writes a record of any game: one node for each move, with the letters of the sides.
pub(crate) fn write<G: Described>(start: &G, record: &GameRecord<'_>) -> Result<String, Fault> {
    let begins = set_up(start)?;
    let mut tree = Tree::new();
    let mut root = vec![("FF", "4".to_owned())];
    root.extend(start.record_head());
    root.extend(begins.map(|text| (POSITION_PROPERTY, text)));
    root.extend(record.application.map(|name| ("AP", name.to_owned())));
    root.extend(record.round.map(|round| ("RO", round.to_string())));
    let letters = letters(&G::DESCRIPTION);
    root.extend(record.result.map(|result| {
        let how = if record.reason.is_empty() && record.resigned { "Resign" } else { record.reason };
        let winner = result.winner().map(|player| format!("{}+{how}", letters[player.index()]));
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

/// The position of the property [`POSITION_PROPERTY`] in the root of a record; `None` without the property. The moves of a record are read
/// as cells of its board, so a position of another size is refused.
pub(crate) fn begins<G: Described>(tree: &Tree, size: u64) -> Result<Option<G>, Fault> {
    let Some(text) = tree.simple_text(tree.root(), POSITION_PROPERTY) else { return Ok(None) };
    let start = Start { position: Some(text.trim().to_owned()), ..Start::default() };
    let position = G::start(&start).map_err(|why| fault(format!("{POSITION_PROPERTY}: {why}")))?;
    let own = u64::from(position.size());
    if own != size {
        return Err(fault(format!(
            "{POSITION_PROPERTY} is a position of size {own}, the record is of size {size}"
        )));
    }
    Ok(Some(position))
}

/// The refusal of a record of Havannah that names Cachex or Cover in `GM`; `None` for another name or number, which may be that
/// of another program for Havannah. Moves of another game would be left out, or read as other cells.
///
/// ```
/// use stonework_record::Tree;
/// use stonework_session::refused_as_havannah;
/// let refused = |text: &str| Tree::parse_str(text).ok().and_then(|tree| refused_as_havannah(&tree));
/// assert_eq!(refused("(;GM[Cachex]SZ[4];R[0,0])").unwrap(), "GM says Cachex, which is not havannah");
/// assert_eq!(refused("(;GM[44]SZ[4];W[a1])"), None);
/// ```
#[must_use]
pub fn refused_as_havannah(tree: &Tree) -> Option<String> {
    let others = [stonework_cachex::Position::DESCRIPTION.name, stonework_cover::Position::DESCRIPTION.name];
    let named = tree.simple_text(tree.root(), "GM")?;
    let is_other = others.iter().any(|other| named.trim().eq_ignore_ascii_case(other));
    let own = stonework_havannah::Position::DESCRIPTION.name;
    is_other.then(|| format!("GM says {}, which is not {own}", named.trim()))
}

/// Reads the main line of a record of any game. The moves are the values of the letters of the sides, at most one in each
/// node. As long as the moves are legal, each has the letter of the side to move.
pub(crate) fn read<G: Described>(tree: &Tree, size: Option<u64>) -> Result<RecordedGame, Fault> {
    let game = &G::DESCRIPTION;
    let text = |name: &str| Some(tree.property(tree.root(), name)?.value().simple_text().into_owned());
    let letters = letters(game);
    if let Some(other) = text("GM").filter(|name| name.to_lowercase() != game.name.to_lowercase()) {
        return Err(fault(format!("GM says {other}, which is not {}", game.name)));
    }
    let own = text("SZ")
        .map(|text| text.trim().parse().map_err(|_| fault(format!("SZ says {text}, which is no size"))));
    let size = size.map(Ok).or(own).ok_or_else(|| fault("no size (SZ): give --size"))??;
    let (mut sides, mut moves) = (Vec::new(), Vec::new());
    for node in tree.main_line() {
        if let Some((side, text)) = sided(tree, node, &letters)? {
            sides.push(side);
            moves.push(text);
        }
    }
    let position = begins::<G>(tree, size)?.map(|position| position.position_text());
    let players = letters.each_ref().map(|letter| text(&format!("P{letter}")).unwrap_or_default());
    let claimed = text("RE").map(|result| claim(game, &letters, result.trim()));
    let read = RecordedGame { size, swap: false, position, moves, players, claimed };
    check_sides::<G>(&read.start(), &sides, &read.moves)?;
    Ok(read)
}

/// The properties that set up and remove stones.
const SETUP: [&str; 3] = ["AB", "AW", "AE"];

/// The properties with the moves of most games.
const COLOURS: [&str; 2] = ["B", "W"];

/// The move of a node with its side; `None` for a node without a move. Refuses a second move and a move of other sides, which
/// would be left out, and stones that are set up.
fn sided(tree: &Tree, node: NodeId, letters: &[String; 2]) -> Result<Option<(Player, String)>, Fault> {
    let mut found = None;
    for property in tree.properties(node) {
        if let Some(name) = SETUP.into_iter().find(|name| property.is(name)) {
            let node = node.index();
            return Err(fault(format!("node {node}: {name} sets up stones, and a game has moves alone")));
        }
        let Some(side) = Player::BOTH.into_iter().find(|side| property.is(&letters[side.index()])) else {
            if let Some(name) = COLOURS.into_iter().find(|name| property.is(name)) {
                let node = node.index();
                return Err(fault(format!("node {node}: {name} has a move of another game")));
            }
            continue;
        };
        for value in property.values() {
            if found.replace((side, value.simple_text().into_owned())).is_some() {
                return Err(fault(format!("node {}: a second move, and a node has one", node.index())));
            }
        }
    }
    Ok(found)
}

/// Refuses a move of a side that is not to move. A replay tells an illegal move, so the check ends there.
pub(crate) fn check_sides<G: Described>(
    start: &Start,
    sides: &[Player],
    moves: &[String],
) -> Result<(), Fault> {
    let Ok(mut game) = G::start(start) else { return Ok(()) };
    for (at, (&side, text)) in sides.iter().zip(moves).enumerate() {
        let mover = game.to_move();
        if side != mover && game.outcome().is_none() {
            let name = |player| G::DESCRIPTION.side(player);
            return Err(fault(format!(
                "move {}, {}: {} is to move, not {}",
                at + 1,
                head(text),
                name(mover),
                name(side)
            )));
        }
        if play_text(&mut game, 0, text).is_err() {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use stonework_game::{Pie, example::Nim};

    use super::*;

    /// A game whose name begins with a letter of two bytes.
    impl Described for Pie<Nim> {
        const DESCRIPTION: Description =
            Description { sizes: (1, 9), ..Description::new("\u{e9}checs", ["first", "second"]) };

        fn start(start: &Start) -> Result<Self, Fault> {
            let size = start.size_in(&Self::DESCRIPTION)?.ok_or_else(Start::missing)?;
            Ok(Self::new(Nim::new(size)))
        }

        fn size(&self) -> u8 {
            self.game().left()
        }
    }

    #[test]
    fn a_record_of_a_game_with_any_name_is_written_and_read() {
        let moves = ["1", "swap", "2"].map(str::to_owned);
        let start = Pie::new(Nim::new(7));
        let text = write(&start, &GameRecord { moves: &moves, ..GameRecord::default() }).unwrap();
        assert!(text.contains("GM[\u{c9}checs]"), "{text}");
        let read = read::<Pie<Nim>>(&Tree::parse_str(&text).unwrap(), None).unwrap();
        assert_eq!((read.size, &read.moves[..]), (7, &moves[..]));
    }
}
