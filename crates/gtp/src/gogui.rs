//! Names of moves in `GoGui`. A move is a place of a square; its name is the letter of the column, without the letter i, and the
//! number of the row from below. The games are those of a registry.

use stonework_game::text::{head, number};
use stonework_game::{Player, Textual};
use stonework_session::{AnyMove, AnyPosition};

/// The letters of columns.
const COLUMNS: &str = "abcdefghjklmnopqrstuvwxyz";

/// Checks that `GoGui` can show a board of this game and of its size.
pub(crate) fn fit(game: &AnyPosition) -> Result<(), String> {
    let Some(places) = game.places() else {
        return Err(format!(
            "GoGui plays stones on places, and a move of {} is more than a place",
            game.description().name
        ));
    };
    let (rows, most) = (places.len(), COLUMNS.len());
    if rows <= most { Ok(()) } else { Err(format!("a board of {rows} rows: GoGui shows at most {most}")) }
}

/// The name of a move by its place. A move that is no place of the square keeps the name that the game gives it.
pub(crate) fn name(game: &AnyPosition, mv: AnyMove) -> String {
    let places = game.places().unwrap_or_default();
    let rows = places.iter().enumerate();
    let mut all =
        rows.flat_map(|(row, line)| line.iter().enumerate().map(move |(column, place)| (row, column, place)));
    let found = all.find(|(.., place)| place.is_some_and(|(other, _)| other == mv));
    let name = found.and_then(|(row, column, _)| {
        let letter = COLUMNS.chars().nth(column)?.to_ascii_uppercase();
        Some(format!("{letter}{}", places.len() - row))
    });
    name.unwrap_or_else(|| game.move_text(mv))
}

/// The move with a name of a place.
///
/// # Errors
/// An error if the text names no place, or a place that is not on the board.
pub(crate) fn parse(game: &AnyPosition, text: &str) -> Result<AnyMove, String> {
    let places = game.places().unwrap_or_default();
    let mut letters = text.chars();
    let column = letters.next().and_then(|letter| COLUMNS.find(letter.to_ascii_lowercase()));
    let (Some(column), Some(from_below)) = (column, number::<usize>(letters.as_str())) else {
        return Err(format!("`{}` is no place: a letter other than i, and a number", head(text)));
    };
    let row = places.len().checked_sub(from_below).and_then(|row| places.get(row));
    let place = row.and_then(|row| *row.get(column)?);
    place.map(|(mv, _)| mv).ok_or_else(|| format!("`{}` is not on the board", head(text)))
}

/// The square as text: `X` for a stone of the first player, `O` for a stone of the second player, `.` for a place without a stone,
/// and a space for a place that is not on the board.
pub(crate) fn draw(game: &AnyPosition) -> String {
    let places = game.places().unwrap_or_default();
    let letter = |place: &Option<(AnyMove, Option<Player>)>| match place {
        None => " ",
        Some((_, None)) => ".",
        Some((_, Some(Player::First))) => "X",
        Some((_, Some(Player::Second))) => "O",
    };
    let rows = places.iter().enumerate();
    let line = |(row, line): (usize, &Vec<_>)| {
        let letters: Vec<&str> = line.iter().map(letter).collect();
        format!("{:>2} {}", places.len() - row, letters.join(" ")).trim_end().to_owned()
    };
    let columns: Vec<String> =
        COLUMNS.chars().take(places.len()).map(|c| c.to_uppercase().to_string()).collect();
    let lines: Vec<String> = rows.map(line).collect();
    format!("{}\n   {}", lines.join("\n"), columns.join(" "))
}
