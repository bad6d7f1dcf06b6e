//! [`CrossTable`]: the results of a round robin as text, JSON and SVG.

use std::fmt::Write;
use std::time::Duration;

use serde_json::{Value, json};

use crate::{GameLine, Rating, Tally, Won, ratings};

/// The first column of the points against each player.
const FIRST_OPPONENT: usize = 7;

/// The results of each player against each other player. A player's number is its place in the list of names.
///
/// ```
/// use stonework_arena::CrossTable;
/// let table = CrossTable::new(vec!["ann".into(), "bob".into()], std::iter::empty());
/// assert_eq!(table.json()["players"][0]["name"], "ann");
/// assert!(table.svg().starts_with("<svg"));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct CrossTable {
    names: Vec<String>,
    /// `cells[a][b]` counts the games of player `a` against player `b`: wins are wins of `a`.
    cells: Vec<Vec<Tally>>,
    /// For each player, the number of games lost by a fault.
    faults: Vec<u64>,
    /// For each player, the times of its games.
    times: Vec<Times>,
    ratings: Vec<Rating>,
}

/// The sum of the times of a player in its games. It does not depend on their order.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Times {
    games: u32,
    clock: Duration,
    /// `None` if the processor time of a game is not known.
    cpu: Option<Duration>,
}

impl Times {
    const NONE: Self = Self { games: 0, clock: Duration::ZERO, cpu: Some(Duration::ZERO) };

    fn add(&mut self, seconds: f64, cpu: Option<f64>) {
        let time = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::ZERO);
        self.games = self.games.saturating_add(1);
        self.clock = self.clock.saturating_add(time(seconds));
        self.cpu = self.cpu.zip(cpu).map(|(sum, cpu)| sum.saturating_add(time(cpu)));
    }

    /// The mean seconds of a game by the clock; `None` without games.
    pub(crate) fn seconds(&self) -> Option<f64> {
        self.mean(Some(self.clock))
    }

    /// The mean seconds of processor time of a game; `None` without games, and if it is not known.
    pub(crate) fn cpu_seconds(&self) -> Option<f64> {
        self.mean(self.cpu)
    }

    fn mean(&self, sum: Option<Duration>) -> Option<f64> {
        sum.filter(|_| self.games > 0).map(|sum| sum.as_secs_f64() / f64::from(self.games))
    }
}

impl CrossTable {
    /// The table of games in any order. A game with a player whose number has no name is left out.
    pub fn new<'a>(names: Vec<String>, games: impl Iterator<Item = &'a GameLine>) -> Self {
        let n = names.len();
        let mut cells = vec![vec![Tally::default(); n]; n];
        let (mut faults, mut times) = (vec![0; n], vec![Times::NONE; n]);
        for game in games.filter(|game| game.players.iter().all(|&player| player < n)) {
            let [first, second] = game.players;
            cells[first][second].add(game.points());
            cells[second][first].add(1.0 - game.points());
            for ((player, seconds), cpu) in game.players.into_iter().zip(game.seconds).zip(game.cpu_seconds) {
                times[player].add(seconds, cpu);
            }
            match game.result {
                Won::First if !game.is_regular() => faults[second] += 1,
                Won::Second if !game.is_regular() => faults[first] += 1,
                _ => {}
            }
        }
        let points: Vec<Vec<f64>> = cells.iter().map(|row| row.iter().map(Tally::points).collect()).collect();
        Self { names, cells, faults, times, ratings: ratings(&points) }
    }

    /// The number of games that a player has lost by a fault.
    ///
    /// # Panics
    /// If `player` is not the number of a player.
    #[must_use]
    pub fn faults(&self, player: usize) -> u64 {
        self.faults[player]
    }

    /// The times of a player.
    pub(crate) fn times(&self, player: usize) -> Times {
        self.times[player]
    }

    /// The counts of all games of a player.
    fn sum(&self, player: usize) -> Tally {
        self.cells[player].iter().fold(Tally::default(), |sum, cell| Tally {
            wins: sum.wins + cell.wins,
            draws: sum.draws + cell.draws,
            losses: sum.losses + cell.losses,
        })
    }

    /// The numbers of the players, the best rating first; players with equal ratings stay in the order of the names.
    #[must_use]
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        // Ratings that differ by rounding are equal. The sum has no negative zero.
        let rating = |player: usize| (self.ratings[player].elo * 1e6).round() + 0.0;
        order.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)));
        order
    }

    /// The head and then the rows in [order](Self::order), as texts. Each row has place, name, Elo, error, games,
    /// score and faults, and from [`FIRST_OPPONENT`] on the points against each player.
    fn rows(&self) -> Vec<Vec<String>> {
        let order = self.order();
        let head = ["", "player", "Elo", "±", "games", "score", "faults"].map(str::to_owned);
        let mut rows =
            vec![head.into_iter().chain((1..=order.len()).map(|i| i.to_string())).collect::<Vec<_>>()];
        for (place, &player) in order.iter().enumerate() {
            let (sum, Rating { elo, error }) = (self.sum(player), self.ratings[player]);
            let error = if error.is_finite() { format!("{error:.0}") } else { "?".to_owned() };
            let mut row = vec![
                (place + 1).to_string(),
                self.names[player].clone(),
                format!("{:+.0}", if elo.abs() < 0.5 { 0.0 } else { elo }),
                error,
                sum.games().to_string(),
                format!("{:.1} %", 100.0 * sum.score()),
                self.faults[player].to_string(),
            ];
            row.extend(order.iter().map(|&other| {
                let cell = self.cells[player][other];
                if player == other { "·".to_owned() } else { format!("{}/{}", cell.points(), cell.games()) }
            }));
            rows.push(row);
        }
        rows
    }

    /// The table for people: aligned columns.
    #[must_use]
    pub fn text(&self) -> String {
        let rows = self.rows();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
        let mut text = String::new();
        for row in &rows {
            let cell = |(column, cell): (usize, &String)| {
                let width = widths[column];
                if column == 1 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            };
            let line: Vec<String> = row.iter().enumerate().map(cell).collect();
            text.push_str(line.join("  ").trim_end());
            text.push('\n');
        }
        text
    }

    /// The table for programs: `players`, best first, each with `name`, `elo`, `error`, `games`, `wins`, `draws`,
    /// `losses`, `points`, `faults`, `seconds`, `cpu_seconds` and `against`. The two times are means of a game; `null` if they are
    /// not known. The list `against` has an element for each player in the same
    /// order: `games`, `wins`, `draws`, `losses` and `points` against that player; `null` for the player itself.
    #[must_use]
    pub fn json(&self) -> Value {
        let order = self.order();
        let counts = |tally: Tally| {
            json!({
                "games": tally.games(), "wins": tally.wins, "draws": tally.draws,
                "losses": tally.losses, "points": tally.points(),
            })
        };
        let players: Vec<Value> = order
            .iter()
            .map(|&player| {
                let mut object = counts(self.sum(player));
                object["name"] = json!(self.names[player]);
                object["elo"] = json!(self.ratings[player].elo);
                // An infinite error is null.
                object["error"] = json!(self.ratings[player].error);
                object["faults"] = json!(self.faults[player]);
                object["seconds"] = json!(self.times[player].seconds());
                object["cpu_seconds"] = json!(self.times[player].cpu_seconds());
                let against = |&other: &usize| {
                    if player == other { Value::Null } else { counts(self.cells[player][other]) }
                };
                object["against"] = order.iter().map(against).collect();
                object
            })
            .collect();
        json!({ "players": players })
    }

    /// The table for web pages: a picture without scripts, style sheets or fonts from elsewhere. The colour of a
    /// cell shows its score: from red (all lost) over white (one half) to green (all won).
    #[must_use]
    pub fn svg(&self) -> String {
        let (rows, order) = (self.rows(), self.order());
        let widths: Vec<usize> = (0..rows[0].len())
            .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0) * 8 + 16)
            .collect();
        let (width, height) = (widths.iter().sum::<usize>(), rows.len() * 24);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             font-family=\"monospace\" font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
        );
        let mut add = |line: std::fmt::Arguments<'_>| {
            // Writing to a string does not fail.
            let _ = svg.write_fmt(line);
        };
        for (r, row) in rows.iter().enumerate() {
            let mut x = 0;
            for (c, text) in row.iter().enumerate() {
                let y = r * 24;
                if r > 0 && c >= FIRST_OPPONENT && c - FIRST_OPPONENT != r - 1 {
                    let cell = self.cells[order[r - 1]][order[c - FIRST_OPPONENT]];
                    if cell.games() > 0 {
                        let fill = colour(cell.score());
                        let width = widths[c];
                        add(format_args!(
                            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"24\" fill=\"{fill}\"/>\n"
                        ));
                    }
                }
                let weight = if r == 0 { " font-weight=\"bold\"" } else { "" };
                let (at, anchor) = if c == 1 { (x + 8, "start") } else { (x + widths[c] - 8, "end") };
                let (y, text) = (y + 16, escaped(text));
                add(format_args!(
                    "<text x=\"{at}\" y=\"{y}\" text-anchor=\"{anchor}\"{weight}>{text}</text>\n"
                ));
                x += widths[c];
            }
        }
        svg + "</svg>\n"
    }
}

/// The colour of a score: from red over white to green.
fn colour(score: f64) -> String {
    // A part of the colour: full up to a distance of 0, weakest at 1.
    let part = |distance: f64| (255.0 - 110.0 * distance.clamp(0.0, 1.0)).round() as u8;
    let (red, green) = (part(2.0 * score - 1.0), part(1.0 - 2.0 * score));
    format!("#{red:02x}{green:02x}{:02x}", green.min(red))
}

/// The text as it stands inside an XML element. Control characters become `U+FFFD`.
pub(crate) fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, c| {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game that ended by the rules.
    fn line(game: usize) -> GameLine {
        GameLine {
            game,
            round: game / 6,
            players: [0, 1],
            result: Won::Draw,
            reason: "rules".into(),
            opening: 0,
            moves: Vec::new(),
            seconds: [0.1 + game as f64 / 7.0; 2],
            cpu_seconds: [Some(0.3); 2],
            seeds: [0; 2],
        }
    }

    fn table(order: impl Iterator<Item = usize>) -> CrossTable {
        let games: Vec<GameLine> = order
            .map(|game| {
                let players = [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]][game % 6];
                let result = if players[0] < players[1] { Won::First } else { Won::Second };
                let draw = game % 5 == 0;
                GameLine {
                    players,
                    result: if draw { Won::Draw } else { result },
                    reason: if game == 7 { "died: it ended".into() } else { "rules".into() },
                    cpu_seconds: [Some(0.3), (players[1] != 2).then_some(0.5)],
                    ..line(game)
                }
            })
            .collect();
        CrossTable::new(["<ann>", "bob", "cyd & co"].map(String::from).to_vec(), games.iter())
    }

    #[test]
    fn a_table_does_not_depend_on_the_order_of_games() {
        assert_eq!(table(0..30), table((0..30).rev()));
    }

    #[test]
    fn players_with_equal_results_stay_in_the_order_of_their_names() {
        for players in 2..9 {
            let pairs = (0..players).flat_map(|a| (0..players).map(move |b| [a, b])).filter(|[a, b]| a != b);
            let names = (0..players).map(|player| format!("player {player}")).collect();
            let game = |(game, players)| GameLine { players, result: Won::First, ..line(game) };
            let games: Vec<GameLine> = pairs.enumerate().map(game).collect();
            assert_eq!(CrossTable::new(names, games.iter()).order(), (0..players).collect::<Vec<_>>());
        }
    }

    #[test]
    fn text_json_and_svg_say_the_same() {
        let table = table(0..30);
        let text = table.text();
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].contains("player") && lines[1].contains("<ann>") && lines[3].contains("cyd & co"),
            "{text}"
        );
        assert!(lines[1].contains("9/10") && lines[2].contains("1/10"), "{text}");
        let json = table.json();
        assert_eq!(
            (&json["players"][0]["name"], &json["players"][0]["points"]),
            (&json!("<ann>"), &json!(18.0))
        );
        assert_eq!(json["players"][1]["faults"], 1);
        assert_eq!(json["players"][0]["against"][0], Value::Null);
        let seconds = |player: usize, name| json["players"][player][name].as_f64();
        assert!((seconds(0, "cpu_seconds").unwrap() - 0.4).abs() < 1e-9, "half of the games each");
        assert!(seconds(0, "seconds").is_some_and(|mean| mean > 0.1) && seconds(2, "seconds").is_some());
        assert_eq!(seconds(2, "cpu_seconds"), None, "one game's time is not known");
        let svg = table.svg();
        assert!(
            svg.contains("&lt;ann&gt;") && svg.contains("cyd &amp; co") && !svg.contains("<ann>"),
            "{svg}"
        );
        assert_eq!(svg.matches("<rect").count(), 7);
        let points: f64 = (0..3).map(|i| json["players"][i]["points"].as_f64().unwrap()).sum();
        assert!((points - 30.0).abs() < 1e-9);
    }
}
