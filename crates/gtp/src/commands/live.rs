//! Analyses that report while they search, in the forms of Leela Zero and `KataGo`, which front ends read.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use stonework_game::text::head;
use stonework_search::{Engine, Line, ParameterError, Report, SearchContext, Value};

use super::{Entry, analysis, number};
use crate::host::{Host, MoveOf};
use crate::listener::Listener;
use crate::protocol::Call;
use crate::server::{Answer, Server};

/// The arguments of a live analysis.
const SYNTAX: &str = "[COLOUR] [INTERVAL] [KEY VALUE]…";

/// The centiseconds between two lines without an argument.
const INTERVAL: u32 = 100;

/// The longest interval: an hour.
const MOST_INTERVAL: u32 = 360_000;

/// Keys of `KataGo` for findings that no search here has.
const MISSING: [(&str, &str); 7] = [
    ("ownership", "no player here says which side will own a cell"),
    ("ownershipStdev", "no player here says which side will own a cell"),
    ("movesOwnership", "no player here says which side will own a cell"),
    ("movesOwnershipStdev", "no player here says which side will own a cell"),
    ("pvVisits", "the visits are counted for first moves alone"),
    ("pvEdgeVisits", "the visits are counted for first moves alone"),
    ("noResultValue", "every game has a result"),
];

pub(super) fn entries<H: Host>() -> Vec<Entry<H>> {
    let about = |form: &str| {
        format!(
            "lets an engine search until the next line: every INTERVAL centiseconds its moves as {form} tells them"
        )
    };
    vec![
        Entry::live("lz-analyze", SYNTAX, about("Leela Zero")),
        Entry::live("kata-analyze", SYNTAX, about("`KataGo`")),
        Entry::new("stop", "", "ends an analysis, as every line does", |_, _| Ok(String::new())),
    ]
}

/// A request for an analysis.
struct Request {
    interval: Duration,
    /// The greatest number of moves in a line.
    moves: usize,
    /// `true` for a last part about the position itself.
    root: bool,
    /// `true` for the numbers of `KataGo`: shares from 0 to 1 in place of parts of 10 000.
    kata: bool,
}

impl Request {
    fn read<H: Host>(server: &Server<H>, call: &Call<'_>) -> Result<Self, String> {
        let mut words = call.arguments.iter().copied().peekable();
        if let Some(player) = words.next_if(|word| server.colour(word).is_ok()) {
            server.turn_of(server.colour(player)?)?;
        }
        let numeric = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        let mut interval = words.next_if(numeric).map_or(Ok(INTERVAL), centiseconds)?;
        let (mut moves, mut root) = (usize::MAX, false);
        while let Some(key) = words.next() {
            if let "avoid" | "allow" = key {
                return Err(format!("{key}: every search looks at all legal moves"));
            }
            let value = words.next().ok_or_else(|| format!("syntax error: {} without a value", head(key)))?;
            match key {
                "interval" => interval = centiseconds(value)?,
                "maxmoves" => moves = number::<usize>(value)?.max(1),
                // All known moves are in a line.
                "minmoves" => drop(number::<usize>(value)?),
                "rootInfo" => root = flag(value)?,
                _ => match MISSING.iter().find(|(name, _)| *name == key) {
                    Some((_, why)) if flag(value)? => return Err(format!("{key}: {why}")),
                    Some(_) => {}
                    None => {
                        let known = "interval, minmoves, maxmoves or rootInfo";
                        return Err(format!("syntax error: no key `{}`: {known}", head(key)));
                    }
                },
            }
        }
        let interval = Duration::from_millis(10 * u64::from(interval));
        Ok(Self { interval, moves, root, kata: call.name.starts_with("kata") })
    }

    /// The findings as a line: `info move …` for each move; `None` if no move is known.
    fn line<H: Host>(&self, server: &Server<H>, report: &Report<MoveOf<H>>) -> Option<String> {
        let whole = report.simulations.max(report.nodes);
        let lines = report.lines.iter().filter(|line| !line.moves.is_empty()).take(self.moves).enumerate();
        let infos = lines.filter_map(|(order, Line { moves, value, visits })| {
            let names = analysis::line(server, server.game.position(), moves);
            let first = names.first()?;
            // A search without visits has looked at every move with all of its positions.
            let visits = visits.unwrap_or(whole);
            let (rate, least) = (rate(*value), least(*value, visits));
            let numbers = if self.kata {
                let utility = 2.0 * rate - 1.0;
                format!("utility {utility:.6} winrate {rate:.6} lcb {least:.6}")
            } else {
                format!("winrate {} lcb {}", parts(rate), parts(least))
            };
            Some(format!("info move {first} visits {visits} {numbers} order {order} pv {}", names.join(" ")))
        });
        let mut infos: Vec<String> = infos.collect();
        if infos.is_empty() {
            return None;
        }
        if self.root {
            let rate = rate(report.value);
            infos.push(format!("rootInfo visits {whole} utility {:.6} winrate {rate:.6}", 2.0 * rate - 1.0));
        }
        Some(infos.join(" "))
    }
}

fn centiseconds(text: &str) -> Result<u32, String> {
    match number::<u32>(text)? {
        interval @ 1..=MOST_INTERVAL => Ok(interval),
        other => Err(format!("syntax error: an interval of {other} centiseconds: 1 to {MOST_INTERVAL}")),
    }
}

fn flag(text: &str) -> Result<bool, String> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        other => Err(format!("syntax error: `{}` is neither true nor false", head(other))),
    }
}

/// The share of wins that a value stands for, 0 to 1, draws as halves. The units of an evaluator are no chances: they are
/// drawn to this range in their order, 400 units as ten to one.
fn rate(value: Value) -> f64 {
    match value {
        Value::Win(_) => 1.0,
        Value::Loss(_) => 0.0,
        Value::Draw | Value::Unknown => 0.5,
        Value::Mean(mean) => mean.into(),
        Value::Heuristic(units) => 1.0 / (1.0 + 10_f64.powf(-f64::from(units) / 400.0)),
    }
}

/// The lower end of the 95 % interval of the share of wins, if the visits were games without draws.
fn least(value: Value, visits: u64) -> f64 {
    let rate = rate(value);
    if value.is_proven() || visits == 0 {
        return rate;
    }
    (rate - 1.96 * (rate * (1.0 - rate) / visits as f64).sqrt()).max(0.0)
}

/// Parts of 10 000.
fn parts(share: f64) -> u32 {
    (share * 10_000.0).round() as u32
}

/// The engine of the current player, with the options that were set.
fn engine<H: Host>(
    server: &Server<H>,
    request: &Request,
) -> Result<crate::host::LiveEngine<H::Game>, String> {
    let (mut engine, limits) = server.host.live_engine(&server.current.name)?;
    let known = engine.parameters();
    for (name, value) in &server.current.parameters_set {
        if known.iter().any(|parameter| parameter.name == *name) {
            engine.set_parameter(name, *value).map_err(|error: ParameterError| error.to_string())?;
        }
    }
    if let Some(lines) = known.iter().find(|parameter| parameter.name == "lines") {
        let wanted = (request.moves as f64).clamp(lines.least, lines.most);
        engine.set_parameter("lines", wanted).map_err(|error: ParameterError| error.to_string())?;
    }
    Ok((engine, limits))
}

/// Searches until the controller's next line, and reports every interval. The search runs in a thread, so that reports are
/// in time whatever the engine does.
pub(super) fn analyze<H: Host>(
    server: &mut Server<H>,
    call: &Call<'_>,
    listener: &mut dyn Listener,
) -> Answer {
    if server.game.is_over() {
        return Err("the game is over".to_owned());
    }
    let request = Request::read(server, call)?;
    let (mut engine, limits) = engine(server, &request)?;
    let cancel = Arc::new(AtomicBool::new(false));
    let (limits, seed) = (limits.cancel(Arc::clone(&cancel)), server.current.seed);
    let (root, latest) = (server.game.position().clone(), Mutex::new(None));
    let known = || latest.lock().unwrap_or_else(PoisonError::into_inner);
    let mut said = false;
    thread::scope(|scope| {
        let known = &known;
        scope.spawn(move || {
            let mut watch = |report: &Report<MoveOf<H>>| *known() = Some(report.clone());
            let report = engine.search(&root, &limits, SearchContext::seed(seed).watch(&mut watch));
            *known() = Some(report);
        });
        while !listener.heard(request.interval) {
            let report = known().clone();
            if let Some(line) = report.and_then(|report| request.line(server, &report)) {
                listener.say(call.id, &line);
                said = true;
            }
        }
        cancel.store(true, Ordering::SeqCst);
    });
    let report = latest.into_inner().unwrap_or_else(PoisonError::into_inner);
    // The controller has a line also after a short time.
    if let Some(line) = report.as_ref().filter(|_| !said).and_then(|report| request.line(server, report)) {
        listener.say(call.id, &line);
    }
    server.remember(report);
    Ok(String::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_wins_are_from_0_to_1_and_in_the_order_of_the_values() {
        let values = [
            Value::Loss(2),
            Value::Heuristic(-500_000),
            Value::Heuristic(-1),
            Value::Draw,
            Value::Heuristic(1),
            Value::Mean(0.9),
            Value::Win(3),
        ];
        let rates = values.map(rate);
        assert!(rates.is_sorted() && rates.iter().all(|rate| (0.0..=1.0).contains(rate)), "{rates:?}");
        for value in values {
            assert!(least(value, 0) <= rate(value) && least(value, 10) <= least(value, 1000), "{value:?}");
        }
        assert_eq!((parts(0.5), parts(1.0)), (5000, 10_000));
    }
}
