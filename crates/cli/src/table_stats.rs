//! The facts about each game that `table` needs, and the counts of a table.

use std::convert::Infallible;
use std::fmt::Display;
use std::io::Write;

use serde_json::{Value as Json, json};
use stonework_cachex_players as cachex;
use stonework_cover_players as cover;
use stonework_endgame::{StateSpace, Statistics, Table, Value, replies};
use stonework_game::{Game, Player, Textual};

use crate::failure::Failure;
use crate::out::Out;
use crate::table::{moves, side};

/// A space of `table`.
pub(crate) trait Listed: StateSpace<State: Textual> + Display + Sized {
    /// The name of the game in files and on the command line.
    const GAME: &'static str;
    /// `true` if moves contain commas.
    const COMMAS: bool;

    /// The space of a text; `None` if it has more numbers than the limits.
    fn named(text: &str, limits: cover::SpaceLimits) -> Result<Option<Self>, String>;

    /// The bytes of the lists by which positions have numbers.
    fn lists(&self) -> u64;

    /// The name of a side.
    fn colour(player: Player) -> &'static str;

    /// The first position of a game.
    fn start(&self) -> Self::State;

    /// Reads a position from a text.
    fn read(&self, text: &str, to_move: Option<&str>) -> Result<Self::State, String>;

    /// Prints the counts of a table.
    fn stats(&self, table: &Table, out: &mut Out) -> Result<(), Failure>;
}

/// The longest win or loss: its number of plies, and its state.
fn longest<S: Listed>(space: &S, found: &Statistics) -> Json {
    let most = found.longest_win.into_iter().chain(found.longest_loss).max_by_key(|&(plies, _)| plies);
    let position = |rank| space.unrank(rank).map(|state| state.position_text());
    most.map_or(Json::Null, |(plies, rank)| json!({ "plies": plies, "position": position(rank) }))
}

/// The values of the moves of the start.
fn start<S: Listed>(space: &S, table: &Table) -> Option<Json> {
    let start = space.start();
    let value = table.probe(space, &start)?;
    let Ok(replies) = replies(&start, |next| Ok::<_, Infallible>(table.probe(space, next)));
    Some(json!({
        "part": "start",
        "position": start.position_text(),
        "value": value.name(),
        "plies": value.distance(),
        "moves": moves(&start, &replies),
    }))
}

/// Prints an object as JSON, or its fields as words: `part` first, then the other fields in this order.
fn print(object: &Json, order: &[&str], out: &mut Out) -> Result<(), Failure> {
    if out.wants_json() {
        return out.object(object);
    }
    let text = |value: &Json| match value {
        Json::String(text) => text.clone(),
        Json::Null => "-".to_owned(),
        other => other.to_string(),
    };
    let told = |value: &Json, order: &[&str]| {
        let fields: Vec<String> =
            order.iter().filter_map(|&name| value.get(name)).filter(|v| !v.is_null()).map(text).collect();
        fields.join(" ")
    };
    writeln!(out, "{}", text(&object["part"]))?;
    for &name in order {
        match &object[name] {
            Json::Array(moves) => {
                for mv in moves {
                    writeln!(out, "    {}", told(mv, &["move", "value", "plies"]))?;
                }
            }
            value => {
                let whole = told(value, &["value", "plies", "position"]);
                let whole = if value.is_object() { whole } else { text(value) };
                writeln!(out, "  {:<13} {whole}", name.replace('_', " "))?;
            }
        }
    }
    Ok(())
}

/// The order of the fields of each part.
const TIER: [&str; 8] = ["mine", "theirs", "numbers", "won", "lost", "drawn", "holes", "longest"];
const POSITIONS: [&str; 8] =
    ["stones", "legal", "blue_to_move", "variants", "won_by_blue", "won_by_red", "drawn", "longest"];
const START: [&str; 4] = ["position", "value", "plies", "moves"];
const OPENING: [&str; 4] = ["move", "steal", "stone", "best"];

impl Listed for cover::Space {
    const GAME: &'static str = "cover";
    const COMMAS: bool = false;

    fn named(text: &str, limits: cover::SpaceLimits) -> Result<Option<Self>, String> {
        match Self::parse_within(text, limits) {
            Err(cover::SpaceError::Numbers { .. }) => Ok(None),
            space => space.map(Some).map_err(|error| error.to_string()),
        }
    }

    fn lists(&self) -> u64 {
        self.bytes()
    }

    fn colour(player: Player) -> &'static str {
        stonework_cover::colour(player)
    }

    fn start(&self) -> stonework_cover::Position {
        let start = stonework_cover::Position::with_options(self.size(), self.options());
        start.unwrap_or_else(|error| unreachable!("the space has been made: {error}"))
    }

    fn read(&self, text: &str, to_move: Option<&str>) -> Result<stonework_cover::Position, String> {
        if !text.starts_with('[') {
            return stonework_cover::Position::parse_position(text).map_err(|e| e.to_string());
        }
        let mut setup = stonework_cover::Setup::from_board(self.size(), text).map_err(|e| e.to_string())?;
        setup.options = self.options();
        if let Some(name) = to_move {
            setup.to_move = side(name, Self::colour)?;
        }
        setup.position().map_err(|e| e.to_string())
    }

    fn stats(&self, table: &Table, out: &mut Out) -> Result<(), Failure> {
        for tier in self.tiers() {
            let found = table.statistics_of(tier.numbers.clone());
            let object = json!({
                "part": "tier",
                "mine": tier.mine,
                "theirs": tier.theirs,
                "numbers": tier.numbers.end - tier.numbers.start,
                "won": found.won,
                "lost": found.lost,
                "drawn": found.drawn,
                "holes": found.holes,
                "longest": longest(self, &found),
            });
            print(&object, &TIER, out)?;
        }
        for tier in self.tiers().filter(|tier| tier.mine >= tier.theirs) {
            let census = self.census(table, tier.mine, tier.theirs);
            let longest = |(plies, position): (u16, stonework_cover::Position)| json!({ "plies": plies, "position": position.position_text() });
            let object = json!({
                "part": "positions",
                "stones": format!("{}v{}", tier.mine, tier.theirs),
                "legal": census.legal,
                "blue_to_move": census.blue_to_move,
                "variants": census.variants,
                "won_by_blue": census.won.first,
                "won_by_red": census.won.second,
                "drawn": census.drawn,
                "longest": census.longest.map(longest),
            });
            print(&object, &POSITIONS, out)?;
        }
        start(self, table).map_or(Ok(()), |object| print(&object, &START, out))
    }
}

impl Listed for cachex::Space {
    const GAME: &'static str = "cachex";
    const COMMAS: bool = true;

    fn named(text: &str, limits: cover::SpaceLimits) -> Result<Option<Self>, String> {
        let space: Self = text.parse().map_err(|error: cachex::SpaceError| error.to_string())?;
        Ok(Some(space).filter(|space| space.len() <= limits.numbers))
    }

    fn lists(&self) -> u64 {
        0
    }

    fn colour(player: Player) -> &'static str {
        stonework_cachex::colour(player)
    }

    fn start(&self) -> stonework_cachex::Position {
        let start = stonework_cachex::Position::new(self.size());
        start.unwrap_or_else(|error| unreachable!("the space has been made: {error}"))
    }

    fn read(&self, text: &str, to_move: Option<&str>) -> Result<stonework_cachex::Position, String> {
        if text.contains(' ') {
            return stonework_cachex::Position::parse_position(text).map_err(|e| e.to_string());
        }
        // Texts with more stones than a board holds are refused below.
        let stones = text.bytes().filter(|byte| matches!(byte, b'r' | b'b')).take(1000).count() as u16;
        let turns = match to_move.map(|name| side(name, Self::colour)).transpose()? {
            Some(player) if usize::from(stones % 2) != player.index() => stones + 1,
            _ => stones,
        };
        let setup = stonework_cachex::Setup::from_rows(text, turns).map_err(|e| e.to_string())?;
        setup.position().map_err(|e| e.to_string())
    }

    fn stats(&self, table: &Table, out: &mut Out) -> Result<(), Failure> {
        let found = table.statistics();
        let object = json!({
            "part": "tier",
            "numbers": table.len(),
            "won": found.won,
            "lost": found.lost,
            "drawn": found.drawn,
            "holes": found.holes,
            "longest": longest(self, &found),
        });
        print(&object, &TIER[2..], out)?;
        if let Some(object) = start(self, table) {
            print(&object, &START, out)?;
        }
        let begin = self.start();
        let mut first = Vec::new();
        begin.legal_moves(&mut first);
        for mv in first {
            let mut opened = begin.clone();
            opened.play_unchecked(mv);
            let Ok(answers) = replies(&opened, |next| Ok::<_, Infallible>(table.probe(self, next)));
            let steal = |mv: stonework_cachex::Move| mv == stonework_cachex::Move::Steal;
            let stolen = answers.iter().find(|&&(mv, _)| steal(mv)).map(|&(_, value)| value);
            let placed = answers.iter().find(|&&(mv, _)| !steal(mv)).map(|&(_, value)| value);
            let told =
                |value: Option<Value>| value.map(|v| json!({ "value": v.name(), "plies": v.distance() }));
            let object = json!({
                "part": "opening",
                "move": begin.move_text(mv),
                "steal": told(stolen),
                "stone": told(placed),
                "best": if stolen > placed { "steal" } else { "stone" },
            });
            print(&object, &OPENING, out)?;
        }
        Ok(())
    }
}
