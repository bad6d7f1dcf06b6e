//! The pages of the panel.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use stonework_game::{Game, Outcome, Player};
use stonework_search::UNKNOWN_PLIES;
use stonework_session::Picture;

use crate::app::{App, Findings, Sought, Tab};
use crate::board::places_of;
use crate::style::Paint;
use crate::view::{bottom, top, write};

/// The width of the list of the moves played.
const PLAYED: u16 = 24;

/// The height of the graph of the values, with its heading and the mark of the present position.
const GRAPH: u16 = 8;

/// A line of a page.
type Row = (String, Style);

/// Draws the page of the panel.
pub(crate) fn draw(app: &mut App, paint: Paint, area: Rect, buffer: &mut Buffer) {
    if app.tab == Tab::Moves {
        return moves(app, paint, area, buffer);
    }
    let (area, graph_area) = match app.tab {
        Tab::Engine if area.height > 2 * GRAPH => bottom(area, GRAPH),
        _ => (area, Rect::default()),
    };
    let width = usize::from(area.width).max(1);
    let rows = match app.tab {
        Tab::Moves | Tab::Engine => engine(app),
        Tab::Layers => layers(app, paint, width),
        Tab::Proof => proof(app, paint),
        Tab::Notes => notes(app, paint, width),
    };
    app.scroll = app.scroll.min(rows.len().saturating_sub(area.height.into()));
    for (row, (text, style)) in (area.y..area.bottom()).zip(rows.iter().skip(app.scroll)) {
        write(buffer, Rect { y: row, height: 1, ..area }, text, *style);
    }
    graph(app, paint, graph_area, buffer);
}

/// The characters of the stones of both sides on the board.
pub(crate) fn stones(app: &App) -> [char; 2] {
    match app.session.position().picture(&[], app.notation()) {
        Ok(Picture::Cells(diagram)) => diagram.stone_glyphs(),
        Ok(Picture::Locations(_)) => ['O', '@'],
        _ => [' ', ' '],
    }
}

/// The rows of the list of moves: for each side the number of moves up to its move.
fn played(app: &App) -> Vec<[Option<usize>; 2]> {
    let mut rows: Vec<[Option<usize>; 2]> = Vec::new();
    for (ply, entry) in app.line.entries().iter().enumerate().skip(1) {
        let side = entry.mover.map_or(0, Player::index);
        match rows.last_mut() {
            Some(row) if row[side..].iter().all(Option::is_none) => row[side] = Some(ply),
            _ => {
                let mut row = [None, None];
                row[side] = Some(ply);
                rows.push(row);
            }
        }
    }
    rows
}

/// The lists of the page: the moves played, and the legal moves.
fn lists(area: Rect) -> (Rect, Rect) {
    let width = PLAYED.min(area.width * 2 / 3);
    let (_, area) = top(area, 1);
    let legal = Rect { x: area.x + width, width: area.width - width, ..area };
    (Rect { width, ..area }, legal)
}

/// The number of the first row of the list of moves that is shown: the present move is in sight.
fn first_played(app: &App, rows: &[[Option<usize>; 2]], height: u16) -> usize {
    let present = rows.iter().position(|row| row.contains(&Some(app.line.ply()))).unwrap_or(0);
    let height = usize::from(height);
    (present + height / 3 + 1).saturating_sub(height).min(rows.len().saturating_sub(height))
}

/// The width of a name in the list of legal moves, and the number of names in a row.
fn grid(legal: &[String], area: Rect) -> (usize, usize) {
    let width = legal.iter().map(|name| name.chars().count() + 1).max().unwrap_or(1);
    (width, (usize::from(area.width) / width).max(1))
}

/// The two lists of moves.
fn moves(app: &mut App, paint: Paint, area: Rect, buffer: &mut Buffer) {
    let (list, legal_list) = lists(area);
    let legal = app.session.legal();
    let sides = app.session.game().description().sides;
    let heading = format!("    {:9} {}", sides[0], sides[1]);
    write(buffer, Rect { width: list.width, ..area }, &heading, paint.quiet());
    let right = Rect { x: legal_list.x, width: legal_list.width, ..area };
    write(buffer, right, &format!("legal: {}", legal.len()), paint.quiet());
    let rows = played(app);
    let first = first_played(app, &rows, list.height);
    for ((number, row), y) in rows.iter().enumerate().skip(first).zip(list.y..list.bottom()) {
        let line = Rect { y, height: 1, ..list };
        write(buffer, line, &format!("{:>3}", number + 1), paint.quiet());
        for (ply, x) in row.iter().zip([4, 14]) {
            let Some(ply) = *ply else { continue };
            let entry = &app.line.entries()[ply];
            let star = if entry.comment.is_empty() { "" } else { "*" };
            let cell = Rect { x: line.x + x, width: 10, ..line }.intersection(line);
            let style = if ply == app.line.ply() { Paint::reversed() } else { Style::new() };
            write(buffer, cell, &format!("{}{star}", entry.mv), style);
        }
    }
    let (width, across) = grid(&legal, legal_list);
    let count = legal.len().div_ceil(across);
    app.scroll = app.scroll.min(count.saturating_sub(legal_list.height.into()));
    for (names, y) in legal.chunks(across).skip(app.scroll).zip(legal_list.y..legal_list.bottom()) {
        let names: Vec<String> = names.iter().map(|name| format!("{name:0$}", width - 1)).collect();
        let text = names.join(" ");
        write(buffer, Rect { y, height: 1, ..legal_list }, text.trim_end(), Style::new());
    }
}

/// The number of moves up to the played move at a place of the page.
pub(crate) fn ply_at(app: &App, area: Rect, at: Position) -> Option<usize> {
    let (list, _) = lists(area);
    list.contains(at).then_some(())?;
    let rows = played(app);
    let row = rows.get(first_played(app, &rows, list.height) + usize::from(at.y - list.y))?;
    row[usize::from(at.x - list.x >= 14)]
}

/// The legal move at a place of the page.
pub(crate) fn legal_at(app: &App, area: Rect, at: Position) -> Option<String> {
    let (_, list) = lists(area);
    list.contains(at).then_some(())?;
    let legal = app.session.legal();
    let (width, across) = grid(&legal, list);
    let column = usize::from(at.x - list.x) / width;
    let row = app.scroll + usize::from(at.y - list.y);
    (column < across).then(|| legal.get(row * across + column).cloned()).flatten()
}

/// A value of a search as a number from −1 to 1. A proven win is 1; an even position is 0.
pub(crate) fn squashed(value: i32) -> f64 {
    const PROVEN: i32 = 900_000;
    if value.abs() >= PROVEN {
        return f64::from(value.signum());
    }
    let value = f64::from(value);
    value / (value.abs() + 300.0)
}

/// A value of a search: thousandths or units of an evaluator, or a proven result.
fn value_text(value: i32) -> String {
    match value.abs() {
        900_000.. => format!("{}{}", if value > 0 { "win" } else { "loss" }, plies(1_000_000 - value.abs())),
        _ => format!("{value:+}"),
    }
}

/// The number of plies to a proven end, if it is known.
fn plies(plies: i32) -> String {
    if (1..UNKNOWN_PLIES as i32).contains(&plies) { format!(" in {plies}") } else { String::new() }
}

/// The thoughts of an engine: the best moves with value, visits and line.
fn engine(app: &App) -> Vec<Row> {
    let mut rows = Vec::new();
    let state = match &app.thinking {
        Some(thinking) if thinking.side.is_some() => format!("{} decides …", thinking.name),
        Some(thinking) => format!("{} analyses …", thinking.name),
        None if app.findings.is_some() => "done".to_owned(),
        None => "a: analyse this position".to_owned(),
    };
    rows.push((state, Paint::strong()));
    let Some(Findings { name, ply, analysis: found }) = &app.findings else { return rows };
    if app.thinking.is_none() {
        rows[0].0 =
            if *ply == app.line.ply() { name.clone() } else { format!("{name}, before move {}", ply + 1) };
    }
    let cost = match (found.simulations, found.depth) {
        (0, depth) => format!("{} nodes, depth {depth}, {:.1} s", found.nodes, found.seconds),
        (simulations, _) => format!("{simulations} simulations, {:.1} s", found.seconds),
    };
    rows.push((cost, Style::new()));
    if let Some(outcome) = &found.outcome {
        let result = if outcome == "draw" { "a draw".to_owned() } else { format!("{outcome} wins") };
        rows.push((format!("proven: {result}"), Paint::strong()));
    }
    rows.push(("move      value   visits  line".to_owned(), Style::new()));
    for line in &found.lines {
        let Some((first, rest)) = line.moves.split_first() else { continue };
        let visits = line.visits.map_or(String::new(), |visits| visits.to_string());
        let text = format!("{first:8} {:>6} {visits:>8}  {}", value_text(line.value), rest.join(" "));
        rows.push((text, Style::new()));
    }
    rows
}

/// The places of the board with the sign of a proven value, or with a share of the visits from 0 to 1.
pub(crate) fn marks(app: &App) -> Vec<(usize, Option<i32>, f64)> {
    let position = app.session.position();
    let places = |text: &str| {
        let mv = position.read_move(text, app.notation()).ok()?;
        places_of(position, mv, text, &app.board).last().copied()
    };
    if let (Tab::Proof, Sought::Found(values)) = (app.tab, &app.values) {
        let mover = position.to_move();
        let sign = |outcome| match outcome {
            Outcome::Win(player) => {
                if player == mover {
                    1
                } else {
                    -1
                }
            }
            Outcome::Draw => 0,
        };
        let mark = |value: &crate::MoveValue| {
            let text = app.session.text_of(value.mv);
            Some((places(&text)?, Some(sign(value.outcome?)), 0.0))
        };
        return values.iter().filter_map(mark).collect();
    }
    let present = |findings: &&Findings| app.heat && findings.ply == app.line.ply();
    let Some(Findings { analysis: found, .. }) = app.findings.as_ref().filter(present) else {
        return Vec::new();
    };
    // A search without visits gives shares by value.
    let weight = |line: &stonework_session::AnalysisLine| match line.visits {
        Some(visits) => visits as f64,
        None => squashed(line.value) + 1.0,
    };
    let most = found.lines.iter().map(weight).fold(f64::EPSILON, f64::max);
    let mark = |line: &stonework_session::AnalysisLine| {
        Some((places(line.moves.first()?)?, None, (weight(line) / most).clamp(0.0, 1.0)))
    };
    found.lines.iter().filter_map(mark).collect()
}

/// The layers of the game, and the findings of the layer on the board.
fn layers(app: &App, paint: Paint, width: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for (number, layer) in app.session.position().layers().iter().enumerate() {
        let chosen = app.layer == Some(number);
        let style = if chosen { Paint::strong() } else { paint.quiet() };
        rows.push((format!("{} {}", if chosen { '>' } else { ' ' }, layer.name), style));
    }
    if let Some(layer) = app.layer {
        let about = app.session.position().layers()[layer].about;
        rows.extend(wrapped(about, width).into_iter().map(|text| (text, paint.quiet())));
    }
    rows.push((String::new(), Style::new()));
    match &app.layer_found {
        Sought::No if app.layer.is_none() => rows.push(("]: the next layer".to_owned(), Style::new())),
        Sought::No | Sought::Running(_) => rows.push(("…".to_owned(), Style::new())),
        Sought::Failed(message) => rows.extend(plain_rows(message, width)),
        Sought::Found(layer) => {
            rows.extend(layer.findings.iter().flat_map(|finding| plain_rows(&finding.text, width)));
        }
    }
    rows
}

/// The exact values of the moves.
fn proof(app: &App, paint: Paint) -> Vec<Row> {
    let values = match &app.values {
        _ if app.options.values.is_none() => {
            return plain_rows("no proof: start with --proof FILE", 34).collect();
        }
        Sought::No | Sought::Running(_) => return vec![("…".to_owned(), Style::new())],
        Sought::Failed(message) => return plain_rows(message, 34).collect(),
        Sought::Found(values) => values,
    };
    let row = |value: &crate::MoveValue| {
        let (result, sign) = match value.outcome {
            Some(Outcome::Win(player)) => {
                let sign = if player == app.session.position().to_move() { 1 } else { -1 };
                (format!("{} wins", app.side(player)), sign)
            }
            Some(Outcome::Draw) => ("a draw".to_owned(), 0),
            None => ("unknown".to_owned(), 0),
        };
        let within = value.plies.filter(|&plies| plies > 0);
        let within = within.map_or(String::new(), |plies| format!(" within {plies}"));
        (
            format!("{:6} {result}{within} ({})", app.session.text_of(value.mv), value.source),
            paint.value(sign),
        )
    };
    values.iter().map(row).collect()
}

/// The comment on the present position.
fn notes(app: &App, paint: Paint, width: usize) -> Vec<Row> {
    let comment = &app.line.present().comment;
    if comment.is_empty() {
        return vec![("no comment here; c writes one".to_owned(), paint.quiet())];
    }
    plain_rows(comment, width).collect()
}

fn plain_rows(text: &str, width: usize) -> impl Iterator<Item = Row> + use<> {
    wrapped(text, width).into_iter().map(|text| (text, Style::new()))
}

/// The lines of a text, broken between words where a line is longer than the width.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let full = line.chars().count() + 1 + word.chars().count() > width;
            if full && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

/// The graph of the values over the game: up for the first player, down for the second.
fn graph(app: &App, paint: Paint, area: Rect, buffer: &mut Buffer) {
    if area.height < GRAPH || area.width < 4 {
        return;
    }
    let sides = app.session.game().description().sides;
    let (heading, rest) = top(area, 1);
    write(buffer, heading, &format!("value: {} up, {} down", sides[0], sides[1]), paint.quiet());
    let (bars, foot) = bottom(rest, 1);
    let entries = app.line.entries();
    // Each column has as many positions as a long game needs.
    let positions = entries.len().div_ceil(bars.width.into()).max(1);
    let middle = i32::from(bars.height / 2);
    let full = if paint.plain { "#" } else { "█" };
    for (column, group) in (0..bars.width).zip(entries.chunks(positions)) {
        let value = group.iter().rev().find_map(|entry| entry.value);
        let reach = value.map_or(0, |value| (value * f64::from(middle)).round() as i32);
        for row in 0..i32::from(bars.height) {
            let up = middle - row;
            let filled =
                value.is_some() && (up == 0 || (up.signum() == reach.signum() && up.abs() <= reach.abs()));
            let symbol = match (filled, up) {
                (true, _) => full,
                (false, 0) => "-",
                _ => continue,
            };
            write(buffer, Rect::new(bars.x + column, bars.y + row as u16, 1, 1), symbol, Style::new());
        }
    }
    let present = (app.line.ply() / positions) as u16;
    if present < foot.width {
        write(buffer, Rect { x: foot.x + present, width: 1, ..foot }, "^", Paint::strong());
    }
}
