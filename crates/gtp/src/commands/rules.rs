//! Commands by which `GoGui` shows a game whose rules `GoGui` does not have.
#![expect(
    clippy::unnecessary_wraps,
    reason = "all commands have one signature, whether they can fail or not"
)]

use stonework_game::{Game, Outcome, Player};

use super::Entry;
use crate::host::{Host, Square};
use crate::protocol::Call;
use crate::server::{Answer, Server};

pub(super) fn entries<H: Host>() -> Vec<Entry<H>> {
    vec![
        Entry::new("gogui-rules_game_id", "", "the name of the game", |server, _| Ok(square(server)?.game)),
        Entry::new("gogui-rules_board_size", "", "the rows of the square", |server, _| {
            Ok(square(server)?.rows.len().to_string())
        }),
        Entry::new("gogui-rules_board", "", "the square: `X` black, `O` white, `.` no stone", board),
        Entry::new("gogui-rules_side_to_move", "", "`black` or `white`", |server, _| {
            Ok(server.host.colours()[server.game.position().to_move()].to_owned())
        }),
        Entry::new("gogui-rules_legal_moves", "", "the legal moves; none after the end", legal_moves),
        Entry::new(
            "gogui-rules_final_result",
            "",
            "the result, in words; nothing while the game goes on",
            result,
        ),
    ]
}

/// The board as a square; the message of the refusal for a board that is not square.
fn square<H: Host>(server: &Server<H>) -> Result<Square, String> {
    server.host.square(server.game.position()).ok_or_else(|| "this board is no square".to_owned())
}

/// The rows of the square, one letter for each cell.
fn board<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let black = server.colour("black").unwrap_or(Player::First);
    let letter = |stone: &Option<Player>| match stone {
        Some(player) if *player == black => "X",
        Some(_) => "O",
        None => ".",
    };
    let line = |row: &Vec<Option<Player>>| row.iter().map(letter).collect::<Vec<_>>().join(" ");
    Ok(format!("\n{}", square(server)?.rows.iter().map(line).collect::<Vec<_>>().join("\n")))
}

fn legal_moves<H: Host>(server: &mut Server<H>, call: &Call<'_>) -> Answer {
    if server.game.is_over() { Ok(String::new()) } else { super::play::all_legal(server, call) }
}

fn result<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    Ok(match server.game.position().outcome() {
        Some(Outcome::Win(player)) => format!("{} wins", server.host.colours()[player]),
        Some(Outcome::Draw) => "draw".to_owned(),
        None => String::new(),
    })
}
