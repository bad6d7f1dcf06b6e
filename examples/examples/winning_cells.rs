//! The winning cells of each side, before a move and after it is taken back; canonical keys, which are equal for turned and
//! mirrored positions; and the move after which no side can win any more.
//!
//! ```text
//! $ cargo run -p stonework-examples --example winning_cells
//! before      white wins on [a4], black wins on [], key c2b982a8d66c973e
//! f6 a4       white has won: bridge
//! taken back  white wins on [a4], black wins on [], key c2b982a8d66c973e
//! 12 images, 12 keys, one canonical key 0ea59ae9fdc61195
//! a draw in 37 moves, certain after Some(31)
//! ```

use std::collections::BTreeSet;
use std::error::Error;

use stonework_board::Symmetry;
use stonework_game::{Game, Keyed, Outcome, Player, Textual};
use stonework_havannah::{Position, Setup, Undo, colour};

/// The moves of a game that fills the board without a win.
const DRAWN: &str = "g7 a1 f5 g4 e3 d2 e2 d1 c2 d3 c3 f7 d6 b4 a4 b5 a3 e5 c4 b3 a2 c1 b1 f6 e4 d4 g6 e7 \
    d7 b2 c5 f3 f4 g5 d5 e6 c6";

/// Plays moves, and returns their undo tokens.
fn play(position: &mut Position, moves: &str) -> Result<Vec<Undo>, Box<dyn Error>> {
    moves.split_whitespace().map(|text| Ok(position.play(position.parse_move(text)?)?)).collect()
}

/// Prints the winning cells of both sides and the key.
fn show(when: &str, position: &Position) {
    print!("{when:11}");
    for player in Player::BOTH {
        let cells = position.winning_cells(player);
        let names: Vec<String> = cells.iter().map(|c| position.board().name(c)).collect();
        print!(" {} wins on [{}],", colour(player), names.join(" "));
    }
    println!(" key {:016x}", position.key());
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = Position::new(4)?;
    play(&mut game, "a1 d4 a2 c3 a3 e5 b3")?;
    show("before", &game);
    assert_eq!((game.winning_count(Player::First), game.winning_count(Player::Second)), (1, 0));

    // Black does not take white's winning cell a4, and white wins. Moves are taken back in reverse order.
    let before = game.clone();
    let mut undos = play(&mut game, "f6 a4")?;
    println!("f6 a4       {} has won: {}", colour(Player::First), game.kinds());
    assert_eq!(game.outcome(), Some(Outcome::Win(Player::First)));
    while let Some(undo) = undos.pop() {
        game.undo(undo);
    }
    show("taken back", &game);
    assert_eq!((&game, game.key()), (&before, before.key()));
    assert_eq!(game.winning_cells(Player::First), before.winning_cells(Player::First));

    // The twelve images of this position under the symmetries have twelve keys and one canonical key.
    let mut keys = BTreeSet::new();
    for symmetry in Symmetry::ALL {
        let mut setup = Setup { to_move: game.to_move(), ..Setup::new(4) };
        setup.stones.first = game.board().map_set(symmetry, &game.stones(Player::First));
        setup.stones.second = game.board().map_set(symmetry, &game.stones(Player::Second));
        let image = setup.position()?;
        assert_eq!(image.canonical().0, game.canonical().0);
        keys.insert(image.key());
    }
    println!("12 images, {} keys, one canonical key {:016x}", keys.len(), game.canonical().0);
    assert_eq!(keys.len(), 12);

    // A draw is certain when neither side could win even with stones of its own on all empty cells: before the board is full.
    let mut drawn = Position::new(4)?;
    let moves: Vec<&str> = DRAWN.split_whitespace().collect();
    let mut certain = None;
    for (ply, mv) in (1..).zip(&moves) {
        play(&mut drawn, mv)?;
        if certain.is_none() && !Player::BOTH.into_iter().any(|p| drawn.can_win(p)) {
            certain = Some(ply);
        }
    }
    println!("a draw in {} moves, certain after {certain:?}", moves.len());
    assert_eq!((drawn.outcome(), certain), (Some(Outcome::Draw), Some(31)));
    Ok(())
}
