//! The texts of `--help`. The page of a command has the text `…_ABOUT` above the list of options, and the text with the name
//! of the command below the list. `NEXT` is the end of the tour by `demo`. A paragraph is one line of a file: the terminal breaks it.

use clap::builder::Resettable;
use clap::error::ErrorKind;
use clap::{Arg, Command};

pub(crate) const ABOUT: &str = include_str!("help/about.txt").trim_ascii_end();

pub(crate) const EXAMPLES: &str = include_str!("help/examples.txt").trim_ascii_end();

pub(crate) const NEXT: &str = include_str!("help/next.txt").trim_ascii_end();

pub(crate) const DEMO_ABOUT: &str = include_str!("help/demo_about.txt").trim_ascii_end();

pub(crate) const REPLAY_ABOUT: &str = include_str!("help/replay_about.txt").trim_ascii_end();

pub(crate) const REPLAY: &str = include_str!("help/replay.txt").trim_ascii_end();

pub(crate) const DRAW_ABOUT: &str = include_str!("help/draw_about.txt").trim_ascii_end();

pub(crate) const DRAW: &str = include_str!("help/draw.txt").trim_ascii_end();

pub(crate) const KIT: &str = include_str!("help/kit.txt").trim_ascii_end();

pub(crate) const ANALYSE_ABOUT: &str = include_str!("help/analyse_about.txt").trim_ascii_end();

pub(crate) const ANALYSE: &str = include_str!("help/analyse.txt").trim_ascii_end();

pub(crate) const REVIEW_ABOUT: &str = include_str!("help/review_about.txt").trim_ascii_end();

pub(crate) const REVIEW: &str = include_str!("help/review.txt").trim_ascii_end();

pub(crate) const ORACLE_ABOUT: &str = include_str!("help/oracle_about.txt").trim_ascii_end();

pub(crate) const ORACLE: &str = include_str!("help/oracle.txt").trim_ascii_end();

pub(crate) const CONFORM_ABOUT: &str = include_str!("help/conform_about.txt").trim_ascii_end();

pub(crate) const CONFORM: &str = include_str!("help/conform.txt").trim_ascii_end();

pub(crate) const PERFT_ABOUT: &str = include_str!("help/perft_about.txt").trim_ascii_end();

pub(crate) const PERFT: &str = include_str!("help/perft.txt").trim_ascii_end();

pub(crate) const PLAYOUTS_ABOUT: &str = include_str!("help/playouts_about.txt").trim_ascii_end();

pub(crate) const PLAYOUTS: &str = include_str!("help/playouts.txt").trim_ascii_end();

pub(crate) const SOLVE_ABOUT: &str = include_str!("help/solve_about.txt").trim_ascii_end();

pub(crate) const SOLVE: &str = include_str!("help/solve.txt").trim_ascii_end();

pub(crate) const SEARCH_ABOUT: &str = include_str!("help/search_about.txt").trim_ascii_end();

pub(crate) const SEARCH: &str = include_str!("help/search.txt").trim_ascii_end();

pub(crate) const VERIFY_ABOUT: &str = include_str!("help/verify_about.txt").trim_ascii_end();

pub(crate) const VERIFY: &str = include_str!("help/verify.txt").trim_ascii_end();

pub(crate) const GTP_ABOUT: &str = include_str!("help/gtp_about.txt").trim_ascii_end();

pub(crate) const GTP: &str = include_str!("help/gtp.txt").trim_ascii_end();

pub(crate) const TUI_ABOUT: &str = include_str!("help/tui_about.txt").trim_ascii_end();

pub(crate) const TUI: &str = include_str!("help/tui.txt").trim_ascii_end();

pub(crate) const DIAL_ABOUT: &str = include_str!("help/dial_about.txt").trim_ascii_end();

pub(crate) const DIAL: &str = include_str!("help/dial.txt").trim_ascii_end();

pub(crate) const REFEREE_ABOUT: &str = include_str!("help/referee_about.txt").trim_ascii_end();

pub(crate) const REFEREE: &str = include_str!("help/referee.txt").trim_ascii_end();

pub(crate) const MATCH_ABOUT: &str = include_str!("help/match_about.txt").trim_ascii_end();

pub(crate) const MATCH: &str = include_str!("help/match.txt").trim_ascii_end();

pub(crate) const TOURNAMENT_ABOUT: &str = include_str!("help/tournament_about.txt").trim_ascii_end();

pub(crate) const TOURNAMENT: &str = include_str!("help/tournament.txt").trim_ascii_end();

pub(crate) const TUNE_ABOUT: &str = include_str!("help/tune_about.txt").trim_ascii_end();

pub(crate) const TUNE: &str = include_str!("help/tune.txt").trim_ascii_end();

pub(crate) const PATTERNS_ABOUT: &str = include_str!("help/patterns_about.txt").trim_ascii_end();

pub(crate) const PATTERNS: &str = include_str!("help/patterns.txt").trim_ascii_end();

pub(crate) const TABLE_ABOUT: &str = include_str!("help/table_about.txt").trim_ascii_end();

pub(crate) const TABLE: &str = include_str!("help/table.txt").trim_ascii_end();

pub(crate) const LEARN_ABOUT: &str = include_str!("help/learn_about.txt").trim_ascii_end();

pub(crate) const LEARN: &str = include_str!("help/learn.txt").trim_ascii_end();

pub(crate) const SELFPLAY_ABOUT: &str = include_str!("help/selfplay_about.txt").trim_ascii_end();

pub(crate) const SELFPLAY: &str = include_str!("help/selfplay.txt").trim_ascii_end();

pub(crate) const FARM_ABOUT: &str = include_str!("help/farm_about.txt").trim_ascii_end();

pub(crate) const FARM: &str = include_str!("help/farm.txt").trim_ascii_end();

/// The mark of a page of `--help` as clap would print it, with three lines for each option.
const LONG: &str = "long";

/// `true` if the answer to the user is a page of help.
pub(crate) fn is_page(error: &clap::Error) -> bool {
    matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand)
}

/// `true` if the user has asked for a page of `--help`, from a program of [`with_examples`].
pub(crate) fn is_long(error: &clap::Error) -> bool {
    error.kind() == ErrorKind::DisplayHelp && error.to_string().starts_with(LONG)
}

/// Lets a program print the pages of `--help` with all options in a list, an option a line.
pub(crate) fn in_lists(command: Command) -> Command {
    let [above, below] = [command.get_long_about(), command.get_after_long_help()].map(Option::<&_>::cloned);
    let above = above.or_else(|| command.get_about().cloned());
    let below = below.or_else(|| command.get_after_help().cloned());
    let shown = |argument: Arg| {
        let text = argument.get_long_help().or(argument.get_help()).cloned();
        argument.help(Resettable::from(text)).long_help(None::<&str>).hide_short_help(false)
    };
    command
        .help_template("{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}")
        .before_help(Resettable::from(above))
        .before_long_help(None::<&str>)
        .long_about(None::<&str>)
        .after_help(Resettable::from(below))
        .after_long_help(None::<&str>)
        .mut_args(shown)
        .mut_subcommands(in_lists)
}

/// Puts an example at the end of each page of `-h`: the first example of the command on its page of `--help`, or on the page
/// of its group. A command without an example of its own gets the line that shows the page.
pub(crate) fn with_examples(program: Command) -> Command {
    let name = program.get_name().to_owned();
    with_example(program, &name, "")
}

/// The depth of the recursion is that of the commands: a group and its commands.
fn with_example(command: Command, path: &str, of_group: &str) -> Command {
    let own = command.get_after_long_help().map(ToString::to_string);
    let page = own.unwrap_or_else(|| of_group.to_owned());
    let example = example(&page, path)
        .map_or_else(|| format!("Examples: {path} --help"), |example| format!("Example:\n{example}"));
    let command = command.mut_subcommands(|below| {
        let path = format!("{path} {}", below.get_name());
        with_example(below, &path, &page)
    });
    command.before_long_help(LONG).after_help(example)
}

/// The first example of a page that has the command, with the lines that it goes on in.
fn example(page: &str, command: &str) -> Option<String> {
    let start = if page.starts_with("Example") { 0 } else { page.find("\nExample")? };
    let mut lines = page[start..].lines();
    while let Some(line) = lines.next() {
        let mut shown = line.replacen("  $ ", "  ", 1);
        while shown.ends_with('\\') {
            shown = format!("{shown}\n{}", lines.next()?);
        }
        let is_named = shown
            .find(command)
            .is_some_and(|at| shown[at + command.len()..].chars().next().is_none_or(char::is_whitespace));
        if shown.starts_with("  ") && is_named {
            return Some(shown);
        }
    }
    None
}
