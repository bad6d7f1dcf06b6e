//! The commands of the server, and the arguments that several of them read.

mod analysis;
mod live;
mod play;
mod rules;
mod session;
mod tree;

use std::str::FromStr;
use std::time::Duration;

use stonework_game::text::head;

use crate::host::Host;
use crate::listener::Listener;
use crate::protocol::Call;
use crate::server::{Answer, Server};

/// A command of the protocol.
pub(crate) struct Entry<H: Host> {
    pub(crate) name: String,
    /// The arguments of the command; an argument in brackets is optional, the last one may be repeated if `…` stands behind
    /// it, and `or` is between two forms.
    pub(crate) syntax: &'static str,
    /// The effect of the command, in one line.
    pub(crate) about: String,
    /// Carries out the command. The server calls it only with a number of arguments that the command [takes](Entry::takes).
    run: Run<H>,
}

/// The work of a command.
enum Run<H: Host> {
    Once(fn(&mut Server<H>, &Call<'_>) -> Answer),
    /// Work that sends lines of its reply, until the controller's next line.
    Live(fn(&mut Server<H>, &Call<'_>, &mut dyn Listener) -> Answer),
}

impl<H: Host> Entry<H> {
    fn new(
        name: impl Into<String>,
        syntax: &'static str,
        about: impl Into<String>,
        run: fn(&mut Server<H>, &Call<'_>) -> Answer,
    ) -> Self {
        Self { name: name.into(), syntax, about: about.into(), run: Run::Once(run) }
    }

    /// A live analysis.
    fn live(name: impl Into<String>, syntax: &'static str, about: impl Into<String>) -> Self {
        let run = Run::Live(live::analyze);
        Self { name: name.into(), syntax, about: about.into(), run }
    }

    pub(crate) fn run(&self, server: &mut Server<H>, call: &Call<'_>, listener: &mut dyn Listener) -> Answer {
        match self.run {
            Run::Once(run) => run(server, call),
            Run::Live(run) => run(server, call, listener),
        }
    }

    /// `true` if the command takes this number of arguments.
    pub(crate) fn takes(&self, arguments: usize) -> bool {
        self.syntax.split(" or ").any(|form| {
            let words = form.split_whitespace();
            // A bracket may have several words: `[KEY VALUE]…`.
            let mut is_open = false;
            let is_needed = |word: &&str| {
                let is_optional = is_open || word.starts_with('[');
                is_open = is_optional && !word.trim_end_matches('…').ends_with(']');
                !is_optional
            };
            let needed = words.clone().filter(is_needed).count();
            let most = if form.ends_with('…') { usize::MAX } else { words.count() };
            (needed..=most).contains(&arguments)
        })
    }

    /// The name and the arguments of the command.
    pub(crate) fn usage(&self) -> String {
        format!("{} {}", self.name, self.syntax).trim_end().to_owned()
    }
}

/// All commands of a server with this host, in the order of `list_commands`.
pub(crate) fn table<H: Host>(host: &H) -> Vec<Entry<H>> {
    let mut table = session::entries();
    for style in host.styles() {
        let about = format!("write and read moves in {style} notation");
        table.push(Entry::new(format!("{style}coords"), "", about, session::coordinates));
    }
    table.extend(play::entries());
    let about = "the winner: a colour, `draw`, or `none` while the game goes on";
    table.push(Entry::new(host.winner_command(), "", about, play::winner));
    if host.swap().is_some() {
        table.push(Entry::new("swap", "", "play the swap, for the side to move", play::swap));
    }
    if host.start(None).is_ok_and(|start| host.square(&start).is_some()) {
        table.extend(rules::entries());
    }
    table.extend(analysis::entries());
    table.extend(live::entries());
    let has_pictures = host.start(None).is_ok_and(|start| host.svg(&start, &[], 0).is_some());
    if has_pictures {
        let about = "the last search as an SVG picture: the share of the visits, or the value, on each move";
        table.push(Entry::new("heatmap_svg", "", about, tree::heatmap));
    }
    for (name, about) in host.layers() {
        table.push(Entry::new(name, "", about, analysis::layer));
    }
    let solvers = host.solvers();
    if let Some((default, _)) = solvers.first() {
        let about = format!("outcome and line with best play, by {default}");
        table.push(Entry::new("solve", "[SECONDS]", about, analysis::solve));
    }
    for (name, about) in solvers {
        let about = format!("outcome and line with best play, by {name}: {about}");
        table.push(Entry::new(format!("solve_{name}"), "[SECONDS]", about, analysis::solve));
    }
    table
}

/// Reads an argument as a number.
fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("syntax error: `{}` is no number that fits here", head(text)))
}

/// Reads an argument as a finite number.
fn decimal(text: &str) -> Result<f64, String> {
    let value: f64 = number(text)?;
    if value.is_finite() { Ok(value) } else { Err(format!("syntax error: {value} is no finite number")) }
}

/// Reads an argument as a time in seconds, at most a year.
fn seconds(text: &str) -> Result<Duration, String> {
    const YEAR: f64 = 31_557_600.0;
    match decimal(text)? {
        value @ 0.0..=YEAR => Ok(Duration::from_secs_f64(value)),
        value => Err(format!("syntax error: {value} seconds: 0 to {YEAR}")),
    }
}
