//! The output of the command line in the pages of `docs/` is the present output.
//!
//! In a block of code, a line `$ stonework …` is a command, the lines `< …` after it are its input, and the rest up to
//! the next command is its output, errors last. The commands of a page run in an empty folder. A block that begins with
//! ```` ```text NAME ```` is a file in that folder. A picture that a command writes to `docs/pictures` is compared with
//! the committed picture. `STONEWORK_BOOK=write cargo test -p stonework-cli --test book` writes pages and pictures
//! anew.

#[cfg(unix)]
mod help;
mod maps;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs};

/// The root folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// `true` if the test writes pages and pictures anew.
fn writes() -> bool {
    env::var_os("STONEWORK_BOOK").is_some_and(|word| word == "write")
}

/// The pages with commands to check: the README, and all pages of the book but the results, whose figures depend on
/// the machine.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = ["docs", "docs/games", "docs/solutions"]
        .iter()
        .flat_map(|folder| fs::read_dir(root().join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// An empty folder for the commands of a page, with the files that the page shows.
fn scratch(name: &str, page: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("book-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("docs/pictures")).unwrap();
    for block in page.split("\n```text ").skip(1) {
        let (name, rest) = block.split_once('\n').unwrap();
        fs::write(folder.join(name), rest.split("```").next().unwrap()).unwrap();
    }
    folder
}

/// Runs a program with its arguments and an input, in a folder.
fn ran(words: &[&str], folder: &Path, input: &str, env: &[(&str, &str)]) -> Output {
    let mut child = Command::new(words[0])
        .args(&words[1..])
        .current_dir(folder)
        .envs(env.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program may end before it has read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// The output of a command.
fn said(command: &str, input: &str, folder: &Path) -> String {
    let words = shlex::split(command).unwrap_or_else(|| panic!("`{command}`: quotes that do not end"));
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    words[0] = env!("CARGO_BIN_EXE_stonework");
    let output = ran(&words, folder, input, &[]);
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat()
}

/// A line with all times set to zero: `0.00 s`, and `"seconds":0`.
fn untimed(line: &str) -> String {
    let number = |c: char| c.is_ascii_digit() || c == '.';
    let mut untimed = String::new();
    for (at, part) in line.split("seconds\":").enumerate() {
        let rest = if at == 0 { part } else { part.trim_start_matches(number) };
        untimed += if at == 0 { "" } else { "seconds\":0" };
        untimed += rest;
    }
    let words = untimed.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let time = |at: usize| {
        words.get(at + 1).is_some_and(|unit| unit.trim_end_matches([',', ')']) == "s")
            && words[at].chars().all(number)
    };
    let words = words.iter().enumerate().map(|(at, word)| if time(at) { "0.00" } else { word });
    words.collect::<Vec<_>>().join(" ").trim_end().to_owned()
}

/// A page with the present output of its commands, and the number of commands.
fn anew(page: &str, folder: &Path) -> (String, usize) {
    let (mut text, mut commands) = (String::new(), 0);
    let (mut fenced, mut command) = (false, None::<(String, String)>);
    for line in page.lines() {
        let fence = line.starts_with("```");
        let next = fenced && line.starts_with("$ stonework ");
        if let Some((words, input)) = &mut command {
            if let Some(more) = line.strip_prefix("< ") {
                let _ = writeln!(input, "{more}");
                let _ = writeln!(text, "{line}");
                continue;
            }
            if !fence && !next {
                continue;
            }
            let output = said(words, input, folder);
            let output: String = output.lines().map(|line| untimed(line) + "\n").collect();
            text += &output;
            command = None;
            commands += 1;
        }
        fenced ^= fence;
        if next {
            command = Some((line[2..].to_owned(), String::new()));
        }
        let _ = writeln!(text, "{line}");
    }
    (text, commands)
}

/// Compares a file of the repository with its expected text, or writes the file.
fn agrees(path: &Path, now: &str) {
    if writes() {
        fs::write(path, now).unwrap();
        return;
    }
    let shown = fs::read_to_string(path).unwrap_or_default();
    for (number, (shown, said)) in shown.lines().zip(now.lines()).enumerate() {
        assert_eq!(shown, said, "{}:{}", path.display(), number + 1);
    }
    assert_eq!(shown.lines().count(), now.lines().count(), "{}", path.display());
}

#[test]
fn pages_show_what_the_program_says() {
    let (mut commands, mut pictures) = (0, 0);
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let folder = scratch(&path.file_stem().unwrap().to_string_lossy(), &page);
        let (now, found) = anew(&page, &folder);
        agrees(&path, &now);
        commands += found;
        for picture in fs::read_dir(folder.join("docs/pictures")).unwrap().map(|entry| entry.unwrap()) {
            let committed = root().join("docs/pictures").join(picture.file_name());
            let now = fs::read(picture.path()).unwrap();
            if let Ok(text) = str::from_utf8(&now) {
                agrees(&committed, text);
            } else if writes() {
                fs::write(committed, now).unwrap();
            } else {
                assert!(fs::read(&committed).ok() == Some(now), "{}: other bytes", committed.display());
            }
            pictures += 1;
        }
    }
    assert!(commands > 30 && pictures > 1, "{commands} commands, {pictures} pictures: where have they gone?");
}

/// The targets of the links of a page, without web addresses: a path and the name of a heading, of which one may be empty.
fn links(page: &str) -> impl Iterator<Item = (&str, &str)> {
    let ends = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    ends.filter(|link| !link.is_empty() && !link.contains("://"))
        .map(|link| link.split_once('#').unwrap_or((link, "")))
}

/// `true` if a page has a heading of this name: its text in small letters, with `-` for a space and without punctuation.
fn has_heading(page: &str, name: &str) -> bool {
    let mut is_code = false;
    page.lines().any(|line| {
        is_code ^= line.starts_with("```");
        let letters = line.trim_start_matches('#').trim().chars().filter_map(|letter| match letter {
            ' ' => Some('-'),
            '-' | '_' => Some(letter),
            _ => letter.is_alphanumeric().then(|| letter.to_ascii_lowercase()),
        });
        !is_code && line.starts_with('#') && letters.eq(name.chars())
    })
}

#[test]
fn links_lead_somewhere() {
    let mut pages = pages();
    let more = ["docs/results", "docs/lab"].map(|folder| fs::read_dir(root().join(folder)).unwrap());
    pages.extend(more.into_iter().flatten().map(|entry| entry.unwrap().path()));
    pages.extend(["CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name)));
    let mut found = 0;
    let mut headings = 0;
    for path in pages.iter().filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
        let page = fs::read_to_string(path).unwrap();
        for (link, heading) in links(&page) {
            // Code also has brackets before parentheses, but without a path in the parentheses.
            let target = path.parent().unwrap().join(link);
            let is_path = link.contains(['/', '.']) && !link.contains(' ');
            assert!(!is_path || target.exists(), "{}: {link}", path.display());
            found += 1;
            let is_page = link.is_empty() || target.extension().is_some_and(|extension| extension == "md");
            if is_page && !heading.is_empty() {
                let there = if link.is_empty() { page.clone() } else { fs::read_to_string(&target).unwrap() };
                assert!(has_heading(&there, heading), "{}: {link}#{heading}", path.display());
                headings += 1;
            }
        }
    }
    assert!(found > 30 && headings > 30, "{found} links, {headings} to headings: where have they gone?");
    let page = "# A: `b` and C-d, 26 November\n```\n# code\n```\n";
    assert!(has_heading(page, "a-b-and-c-d-26-november") && !has_heading(page, "code"));
}

#[test]
fn the_readme_has_every_command() {
    let help = said("stonework --help", "", &root());
    let listed = help.split("\nCommands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let commands = listed.lines().filter_map(|line| line.split_whitespace().next());
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let rows: String = readme.lines().filter(|line| line.starts_with("| `")).collect();
    let mut found = 0;
    for command in commands.filter(|&command| command != "help") {
        assert!(rows.contains(&format!("`{command}`")), "README.md has no row for {command}");
        found += 1;
    }
    assert!(found > 20, "{found} commands: where have they gone?");
}

/// The types and constants that the `lib.rs` of a crate exports by `pub use`.
fn exported(source: &str) -> Vec<&str> {
    let uses = source.split("\npub use ").skip(1).filter_map(|rest| rest.split(';').next());
    let names =
        uses.flat_map(|names| names.rsplit("::").next().unwrap_or_default().split(['{', '}', ',', '\n']));
    names.map(str::trim).filter(|name| name.starts_with(char::is_uppercase)).collect()
}

#[test]
fn the_glossary_has_every_public_noun_of_searching_and_proving() {
    let glossary = fs::read_to_string(root().join("docs/concepts.md")).unwrap();
    for of in ["engine", "search", "roster", "proof"] {
        let source = fs::read_to_string(root().join(format!("crates/{of}/src/lib.rs"))).unwrap();
        let names = exported(&source);
        assert!(names.len() > 1, "{names:?}");
        for name in names {
            assert!(glossary.contains(&format!("`{name}`")), "docs/concepts.md has no row for {name}");
        }
    }
    let some = "\npub use a::B;\npub use c::{\n    D, e,\n    F,\n};\n";
    assert_eq!(exported(some), ["B", "D", "F"]);
}

#[test]
fn commands_and_their_input_are_found() {
    let page = "Text.\n```text\n$ stonework oracle\n< {\nold\n```\n$ stonework no command\n";
    let (now, commands) = anew(page, &root());
    assert_eq!(commands, 1);
    let answer = now.lines().nth(4).unwrap();
    assert!(answer.contains("\"kind\":\"json\""), "{answer}");
    assert!(now.ends_with("```\n$ stonework no command\n"), "{now}");
}

#[test]
fn times_are_left_out() {
    let line = r#"{"cpu_seconds":0.22,"nodes":2,"seconds":0.5}  7 games in 1.25 s, 3.5 s) 2 stones"#;
    assert_eq!(
        untimed(line),
        r#"{"cpu_seconds":0,"nodes":2,"seconds":0}  7 games in 0.00 s, 0.00 s) 2 stones"#
    );
}
