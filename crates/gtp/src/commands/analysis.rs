//! Commands that search without playing a move, and show the results.

use std::time::Duration;

use stonework_game::Game;
use stonework_game::text::line_names;
use stonework_roster::Agent;
use stonework_search::{Bounds, Line, ParameterError, Report, Stop};

use super::{Entry, Run, live, number, play, seconds, tree};
use crate::clock;
use crate::host::{Host, MoveOf};
use crate::listener::Listener;
use crate::protocol::Call;
use crate::server::{Answer, Searched, Server};

/// The arguments of `analyze`: of the search that answers once, and of the live analysis.
const ANALYZE: &str = "[SECONDS] [LINES] or COLOUR [INTERVAL] [KEY VALUE]…";

/// The number of moves that an analysis shows without an argument, if the player can show several.
const DEFAULT_LINES: u32 = 10;

pub(super) fn entries<H: Host>() -> Vec<Entry<H>> {
    vec![
        Entry {
            name: "analyze".to_owned(),
            syntax: ANALYZE,
            about: "lets a new player search: the answer of `move_stats`; with a colour as `lz-analyze`"
                .to_owned(),
            run: Run::Live(analyze),
        },
        Entry::new(
            "move_stats",
            "",
            "the last search: its cost, and value, visits and line of its best moves",
            move_stats,
        ),
        Entry::new("pv", "", "the principal variation of the last search", pv),
        Entry::new(
            "tree_sgf",
            "",
            "the last search as SGF: the game up to it, its lines as variations",
            tree::sgf,
        ),
        Entry::new("tree_json", "", "the last search as a JSON object", tree::json),
    ]
}

fn analyze<H: Host>(server: &mut Server<H>, call: &Call<'_>, listener: &mut dyn Listener) -> Answer {
    if call.arguments.first().is_some_and(|word| server.colour(word).is_ok()) {
        return live::analyze(server, call, listener);
    }
    if call.arguments.len() > 2 {
        return Err(format!("syntax error: analyze {ANALYZE}"));
    }
    if server.game.is_over() {
        return Err("the game is over".to_owned());
    }
    let time = call.arguments.first().map(|text| seconds(text)).transpose()?;
    let lines: u32 = call.arguments.get(1).map_or(Ok(DEFAULT_LINES), |text| number(text))?;
    let mut agent = server.new_agent()?;
    if agent.parameters().iter().any(|parameter| parameter.name == "lines") {
        agent.set_parameter("lines", lines.into()).map_err(|error: ParameterError| error.to_string())?;
    }
    let game_clock = || play::clock(server, server.game.position().to_move());
    let clock = time.map_or_else(game_clock, clock::for_one_move);
    agent.decide(server.game.position(), &clock);
    let Some(report) = agent.report().cloned() else {
        return Err(format!("{} does not search", server.current.name));
    };
    server.remember(Some(report));
    move_stats(server, call)
}

/// The last search; without one, the message of the refusal.
pub(super) fn searched<H: Host>(server: &Server<H>) -> Result<&Searched<H::Game>, String> {
    let message = || "nothing was searched in this game: genmove, analyze or solve first".to_owned();
    server.searched.as_ref().ok_or_else(message)
}

/// The names of the moves of a line that begins at `root`.
pub(super) fn line<H: Host>(server: &Server<H>, root: &H::Game, line: &[MoveOf<H>]) -> Vec<String> {
    line_names(root, line, |game, mv| server.host.write_move(game, mv, server.style))
}

fn move_stats<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let Searched { root, report, .. } = searched(server)?;
    let line_texts = report.lines.iter().map(|Line { moves, value, visits }| {
        let moves = line(server, root, moves);
        let first = moves.first().map(String::as_str).unwrap_or_default();
        let visits = visits.map_or(String::new(), |visits| format!(" visits {visits}"));
        format!("{first} value {}{visits} pv {}", value.score(), moves.join(" "))
    });
    let lines: Vec<String> = std::iter::once(costs(server, report)).chain(line_texts).collect();
    Ok(lines.join("\n"))
}

/// The value, the outcome and the cost of a search as one line of text.
fn costs<H: Host>(server: &Server<H>, report: &Report<MoveOf<H>>) -> String {
    format!(
        "value {} outcome {} nodes {} simulations {} seconds {:.3} stopped {}",
        report.value.score(),
        server.outcome(report.proven, "unknown"),
        report.nodes,
        report.simulations,
        report.time.as_secs_f64(),
        report.stopped.map_or("none", Stop::name),
    )
}

fn pv<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let Searched { root, report, .. } = searched(server)?;
    Ok(line(server, root, report.line()).join(" "))
}

pub(super) fn layer<H: Host>(server: &mut Server<H>, call: &Call<'_>) -> Answer {
    server.host.layer(call.name, server.game.position(), server.style)
}

pub(super) fn solve<H: Host>(server: &mut Server<H>, call: &Call<'_>) -> Answer {
    let first_solver = || server.host.solvers().into_iter().next().map(|(name, _)| name);
    let name = call.name.strip_prefix("solve_").map(str::to_owned).or_else(first_solver).unwrap_or_default();
    let time: Option<Duration> = call.arguments.first().map(|text| seconds(text)).transpose()?;
    let report = server.host.solve(&name, server.game.position(), time)?;
    let mut lines = vec![server.outcome(report.proven, "unknown")];
    if report.proven.is_none() && report.bounds != Bounds::UNKNOWN {
        let mover = server.host.colours()[server.game.position().to_move()];
        let bound = if report.bounds.most <= 0 { "cannot win" } else { "cannot lose" };
        lines.push(format!("{mover} {bound}"));
    }
    let moves = line(server, server.game.position(), report.line());
    if !moves.is_empty() {
        lines.push(format!("line {}", moves.join(" ")));
    }
    lines.push(costs(server, &report));
    server.remember(Some(report));
    Ok(lines.join("\n"))
}
