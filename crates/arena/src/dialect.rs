//! [`GtpDialect`]: the deviations of a program from the Go Text Protocol.

/// The commands and answers of a program, where the protocol leaves a choice or the program deviates from the
/// protocol.
///
/// Each command is a template with the fields `{size}`, `{colour}` and `{move}`, and with fields for numbers of
/// seconds: `{move_time}`, `{base}` and `{increment}` of the terms, `{left}` on the clock, and `{share}`, the part of
/// `{left}` for one move. An empty template is not sent.
///
/// | dialect | program | deviations |
/// |---|---|---|
/// | [`PLAIN`](Self::PLAIN) | the protocol, version 2, as written | `time_settings`, `time_left` |
/// | [`CASTRO`](Self::CASTRO) | Castro (T. Ewalds) | `time`; `none` without a move; sizes 3 to 10 |
/// | [`LAJKONIK`](Self::LAJKONIK) | Lajkonik (M. Ciura, P. Wieczorek) | whole seconds; one size, compiled in; `pass` on a full board |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GtpDialect {
    /// The name of the dialect.
    pub name: &'static str,
    /// The commands after the start of the program.
    pub setup: &'static [&'static str],
    /// The command after `setup`: the first for a game without a swap, the second for a game with a swap.
    pub swap: [&'static str; 2],
    /// The commands before each game: they set the size and clear the board. A program with a fixed size refuses
    /// every other size.
    pub new_game: &'static [&'static str],
    /// The command after `new_game` where a time for each move is set, and before a decision for which a clock beside that time asks
    /// for another time.
    pub move_time: &'static str,
    /// The command after `new_game` where a clock is set.
    pub game_time: &'static str,
    /// The command before each decision where a clock is set, and no time for each move.
    pub time_left: &'static str,
    /// `true` if times are whole seconds, at least one.
    pub whole_seconds: bool,
    /// The command with a move of the other side.
    pub play: &'static str,
    /// The command that asks for a move. The program also plays the move.
    pub genmove: &'static str,
    /// The answers of a program that resigns.
    pub resign: &'static [&'static str],
    /// The answers of a program that finds no move to play.
    pub none: &'static [&'static str],
}

impl GtpDialect {
    /// The protocol as written. Times that are not whole seconds are sent as decimal fractions, which the protocol
    /// does not foresee. A program that does not accept fractions refuses them, and no game is played.
    pub const PLAIN: Self = Self {
        name: "gtp",
        setup: &[],
        swap: ["", ""],
        new_game: &["boardsize {size}", "clear_board"],
        move_time: "time_settings 0 {move_time} 1",
        game_time: "time_settings {base} 0 0",
        time_left: "time_left {colour} {left} 0",
        whole_seconds: false,
        play: "play {colour} {move}",
        genmove: "genmove {colour}",
        resign: &["resign"],
        none: &["pass", "none"],
    };

    /// Castro. It has its own command for time, in fractions of a second; without that command it would save up
    /// unused time. There is no report on standard error. Coordinates are those of the program `HavannahGui`.
    pub const CASTRO: Self = Self {
        name: "castro",
        setup: &["verbose 0", "extended 0", "hguicoords"],
        swap: ["swap 0", "swap 1"],
        move_time: "time -g 0 -m {move_time} -i 0 -f 0",
        game_time: "time -g {base} -m {increment} -i 0 -f 0",
        time_left: "time -r {left}",
        none: &["none", "unknown"],
        ..Self::PLAIN
    };

    /// Lajkonik. Its time is an option in whole seconds. Without the option `end_games_quickly false`, it would end a
    /// game as soon as it has proved the winner, and answer `none` from then on.
    pub const LAJKONIK: Self = Self {
        name: "lajkonik",
        setup: &["set_option end_games_quickly false", "set_option use_lg_coordinates false"],
        swap: ["set_option use_swap false", "set_option use_swap true"],
        move_time: "set_option seconds_per_move {move_time}",
        game_time: "",
        time_left: "set_option seconds_per_move {share}",
        whole_seconds: true,
        ..Self::PLAIN
    };

    /// All dialects.
    pub const ALL: [Self; 3] = [Self::PLAIN, Self::CASTRO, Self::LAJKONIK];
}

/// Fills in a template. A value that contains a brace is not filled in again.
pub(crate) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(values.iter().find(|value| value.0 == name).map_or("", |value| value.1));
        rest = after;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled_in_once() {
        let values = [("colour", "{move}"), ("move", "f5")];
        assert_eq!(fill("play {colour} {move}", &values), "play {move} f5");
        assert_eq!(fill("clear_board", &values), "clear_board");
    }
}
