//! The openings of the empty board, and the words of the output about them.

use stonework_board::Cell;
use stonework_campaign::value_by_moves;
use stonework_game::{Game, Outcome, Player, Textual as _};
use stonework_havannah::{Position, colour};
use stonework_proof::Claim;

/// The largest board whose openings are proved one by one.
pub(crate) const LARGEST: u8 = 4;

/// `true` for the empty board of a size whose openings are proved one by one.
pub(crate) fn are_asked(root: &Position) -> bool {
    root.stone_count() == 0 && !root.swap_enabled() && root.size() <= LARGEST
}

/// The opening of a position with a single stone: the stone is White's, Black is to move, and there is no right to
/// swap. `None` for every other position; a claim about such a position says nothing about the empty board.
pub(crate) fn opening(root: &Position) -> Option<Cell> {
    let is_one = root.stone_count() == 1 && root.to_move() == Player::Second && !root.swap_enabled();
    root.stones(Player::First).first().filter(|_| is_one)
}

/// The position of a claim in words: the name of the opening, or else the text of the position.
pub(crate) fn place(root: &Position) -> String {
    opening(root).map_or_else(
        || format!("in {}", root.position_text()),
        |cell| format!("after {} and its images on size {}", root.board().name(cell), root.size()),
    )
}

/// An outcome in words.
pub(crate) fn said(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(player) => format!("{} wins", colour(player)),
        Outcome::Draw => "a draw".to_owned(),
    }
}

/// The other moves of an orbit in words, to follow the first one; empty without any.
pub(crate) fn and_images(images: &[String]) -> String {
    if images.is_empty() { String::new() } else { format!(" (and so {})", images.join(" ")) }
}

/// The value of the empty board, if there is an exact claim about each opening.
pub(crate) fn conclusion(claims: &[(Position, Claim)]) -> Option<Outcome> {
    let root = Position::new(claims.first()?.0.size()).ok()?;
    value_by_moves(&root, claims)
}
