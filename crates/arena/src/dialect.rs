//! [`GtpDialect`]: what a program says differently from the Go Text Protocol's own words.

/// How a program is spoken to: the words for what the protocol leaves open, or the program does its own way.
///
/// Words are templates, in which `{size}`, `{colour}`, `{move}` and these numbers of seconds are filled in:
/// `{move_time}`, `{base}` and `{increment}` of the terms, `{left}` on the clock, and `{share}`, what of that
/// one move may take. An empty template is not sent.
///
/// | dialect | for | its ways |
/// |---|---|---|
/// | [`PLAIN`](Self::PLAIN) | the protocol, version 2, as written | `time_settings`, `time_left` |
/// | [`CASTRO`](Self::CASTRO) | Castro (T. Ewalds) | `time`; `none` without a move; sizes 3 to 10 |
/// | [`LAJKONIK`](Self::LAJKONIK) | Lajkonik (M. Ciura, P. Wieczorek) | whole seconds; one size, compiled in; `pass` on a full board |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GtpDialect {
    /// What it is called.
    pub name: &'static str,
    /// Sent once, after the start.
    pub setup: &'static [&'static str],
    /// Sent after that where the game has no swap, and where it has.
    pub swap: [&'static str; 2],
    /// Sent before each game, to set the size and to clear the board. A program with a fixed size refuses
    /// any other.
    pub new_game: &'static [&'static str],
    /// Sent after that where a time for each move is set.
    pub move_time: &'static str,
    /// Where there is a clock.
    pub game_time: &'static str,
    /// Sent before each decision where there is a clock.
    pub time_left: &'static str,
    /// Whether times are whole seconds, at least one.
    pub whole_seconds: bool,
    /// Tells it a move.
    pub play: &'static str,
    /// Asks it for a move, which it plays too.
    pub genmove: &'static str,
    /// What it answers when it gives up.
    pub resign: &'static [&'static str],
    /// What it answers when it thinks that there is nothing to play.
    pub none: &'static [&'static str],
}

impl GtpDialect {
    /// The protocol as it is written. Times that are not whole seconds are sent as decimal fractions, which
    /// the protocol does not foresee; a program that does not know them refuses, and nothing is played.
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

    /// Castro: its own command for time, in fractions of a second, whose unused part it would otherwise
    /// save up; no report on standard error; coordinates as in the program `HavannahGui`.
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

    /// Lajkonik: time is an option in whole seconds; it would take a game as over as soon as it has proved
    /// who wins, and answer `none` from then on.
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

    /// All of them.
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
