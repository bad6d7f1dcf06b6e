//! Commands about the session: the list of commands, the board, the player and the time.
#![expect(clippy::unnecessary_wraps, reason = "commands have one shape, whether they can fail or not")]

use stonework_game::text::head;

use super::{Entry, decimal, number, seconds};
use crate::host::{Host, Named};
use crate::protocol::Call;
use crate::server::{Answer, CurrentAgent, Server};

pub(super) fn entries<H: Host>() -> Vec<Entry<H>> {
    vec![
        Entry::new("protocol_version", "", "2", |_, _| Ok("2".to_owned())),
        Entry::new("name", "", "the name of the engine", |server, _| Ok(server.host.name().to_owned())),
        Entry::new("version", "", "its version", |server, _| Ok(server.host.version().to_owned())),
        Entry::new("known_command", "NAME", "`true` or `false`", known_command),
        Entry::new("list_commands", "", "all commands, a line each", list_commands),
        Entry::new("help", "[NAME]", "commands with their arguments and a line about each", help),
        Entry::new("gogui-interrupt", "", "that the comment `# interrupt` ends a search", |_, _| {
            Ok(String::new())
        }),
        Entry::new("gogui-analyze_commands", "", "commands for the menu of `GoGui`", analyze_commands),
        Entry::new("quit", "", "ends the session", quit),
        Entry::new("boardsize", "SIZE", "begins a game of another size", boardsize),
        Entry::new("clear_board", "", "begins a game of the same size, clocks anew", clear_board),
        Entry::new("komi", "NUMBER", "taken, and without meaning here", |_, call| {
            decimal(call.arguments[0]).map(|_| String::new())
        }),
        Entry::new(
            "time_settings",
            "MAIN PERIOD MOVES",
            "seconds a side, then seconds of a period and the moves in it; `0 0 0`, or a period for no moves: no limit",
            time_settings,
        ),
        Entry::new(
            "time_left",
            "COLOUR SECONDS MOVES",
            "sets a side's clock: seconds and moves left; 0 moves: main time",
            time_left,
        ),
        Entry::new(
            "list_engines",
            "",
            "the players: a line with name and description for each",
            list_engines,
        ),
        Entry::new(
            "engine",
            "[NAME]",
            "changes the player, as NAME or NAME:OPTION=VALUE,…; its other options as at its start; alone: its name",
            engine,
        ),
        Entry::new(
            "seed",
            "[NUMBER]",
            "a fresh player with the same options and another seed; alone: the seed",
            seed,
        ),
        Entry::new("list_options", "", "the player's options: name, value, range, purpose", list_options),
        Entry::new("set_option", "NAME VALUE", "sets one", set_option),
    ]
}

fn known_command<H: Host>(server: &mut Server<H>, call: &Call<'_>) -> Answer {
    Ok(server.commands().iter().any(|entry| entry.name == call.arguments[0]).to_string())
}

fn list_commands<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let names: Vec<&str> = server.commands().iter().map(|entry| entry.name.as_str()).collect();
    Ok(names.join("\n"))
}

fn help<H: Host>(server: &mut Server<H>, call: &Call<'_>) -> Answer {
    let wanted = |entry: &&Entry<H>| call.arguments.first().is_none_or(|name| entry.name == *name);
    let lines = server.commands().iter().filter(wanted).map(|e| format!("{}: {}", e.usage(), e.about));
    let lines: Vec<String> = lines.collect();
    match call.arguments.first() {
        Some(name) if lines.is_empty() => Err(format!("unknown command: {}", head(name))),
        _ => Ok(lines.join("\n")),
    }
}

/// The commands for the menu of `GoGui`: type, label and command, as in the manual of `GoGui`. `%c` is the side to
/// move.
fn analyze_commands<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let winner = server.host.winner_command();
    let offered = [
        ("string", "Winner", winner),
        ("plist", "Legal moves", "all_legal"),
        ("hstring", "Analyze", "analyze"),
        ("hstring", "Moves of the last search", "move_stats"),
        ("string", "Principal variation", "pv"),
        ("string", "Move without playing it", "reg_genmove %c"),
        ("hstring", "Solve", "solve"),
        ("hstring", "Options", "list_options"),
        ("hstring", "Players", "list_engines"),
    ];
    let known = |command: &str| {
        let name = command.split(' ').next().unwrap_or(command);
        server.commands().iter().any(|entry| entry.name == name)
    };
    let lines = offered.iter().filter(|(.., command)| known(command));
    let lines = lines.map(|(kind, label, command)| format!("{kind}/{label}/{command}"));
    let layers = server.host.layers().into_iter().map(|(name, _)| format!("hstring/Layer: {name}/{name}"));
    Ok(lines.chain(layers).collect::<Vec<_>>().join("\n"))
}

fn quit<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    server.quit = true;
    Ok(String::new())
}

fn boardsize<H: Host>(server: &mut Server<H>, call: &Call<'_>) -> Answer {
    let unacceptable = |why: String| format!("unacceptable size: {why}");
    let text = call.arguments[0];
    let size: u32 = text.parse().map_err(|_| unacceptable(format!("`{}` is no size", head(text))))?;
    let start = server.host.start(Some(size)).map_err(unacceptable)?;
    server.host.fits(&start, server.style).map_err(unacceptable)?;
    server.size = Some(size);
    server.begin(start);
    Ok(String::new())
}

fn clear_board<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let start = server.host.start(server.size)?;
    server.begin(start);
    Ok(String::new())
}

pub(super) fn coordinates<H: Host>(server: &mut Server<H>, call: &Call<'_>) -> Answer {
    let styles = server.host.styles();
    let named = |style: &String| call.name.strip_suffix("coords") == Some(style);
    let style = styles.iter().position(named).ok_or_else(|| format!("unknown command: {}", call.name))?;
    server.host.fits(server.game.position(), style)?;
    server.style = style;
    Ok(String::new())
}

fn time_settings<H: Host>(server: &mut Server<H>, call: &Call<'_>) -> Answer {
    let arguments = &call.arguments;
    server.clocks.set(seconds(arguments[0])?, seconds(arguments[1])?, number(arguments[2])?);
    Ok(String::new())
}

fn time_left<H: Host>(server: &mut Server<H>, call: &Call<'_>) -> Answer {
    let player = server.colour(call.arguments[0])?;
    server.clocks.set_time_left(player, seconds(call.arguments[1])?, number(call.arguments[2])?);
    Ok(String::new())
}

fn list_engines<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let lines = server.host.agents().into_iter().map(|(name, about): Named| format!("{name}: {about}"));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

fn engine<H: Host>(server: &mut Server<H>, call: &Call<'_>) -> Answer {
    let Some(player) = call.arguments.first() else { return Ok(server.current.name.clone()) };
    server.current = CurrentAgent::of(&server.host, player, server.current.seed)?;
    Ok(String::new())
}

fn seed<H: Host>(server: &mut Server<H>, call: &Call<'_>) -> Answer {
    let Some(text) = call.arguments.first() else { return Ok(server.current.seed.to_string()) };
    let before = std::mem::replace(&mut server.current.seed, number(text)?);
    match server.new_agent() {
        Ok(agent) => *server.current.agent() = agent,
        Err(error) => {
            server.current.seed = before;
            return Err(error);
        }
    }
    Ok(String::new())
}

fn list_options<H: Host>(server: &mut Server<H>, _: &Call<'_>) -> Answer {
    let parameters = server.current.agent().parameters();
    let lines = parameters.iter().map(|parameter| {
        format!(
            "{} {} {}..{} {}",
            parameter.name, parameter.value, parameter.least, parameter.most, parameter.about
        )
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

fn set_option<H: Host>(server: &mut Server<H>, call: &Call<'_>) -> Answer {
    let (name, value) = (call.arguments[0], decimal(call.arguments[1])?);
    server.current.set(&server.host, name, value)?;
    Ok(String::new())
}
