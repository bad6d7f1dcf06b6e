//! What the pages of `docs/` show of the command line is what it says.
//!
//! In a block of code a line `$ stonework …` is a command, lines `< …` after it are its input, and the rest up to the
//! next command is what it prints, errors last. `STONEWORK_BOOK=write cargo test -p stonework-cli --test book` writes
//! the pages anew.

#[cfg(unix)]
mod help;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs};

/// The pages with commands to check: all of the book but the records, whose figures depend on the machine.
fn pages() -> Vec<PathBuf> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut pages: Vec<PathBuf> = [docs.clone(), docs.join("games")]
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    pages
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
    // A program that does not read its input is none the worse for it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// What a command prints.
fn said(command: &str, input: &str) -> String {
    let words = shlex::split(command).unwrap_or_else(|| panic!("`{command}`: quotes that do not end"));
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    words[0] = env!("CARGO_BIN_EXE_stonework");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = ran(&words, &root, input, &[]);
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat()
}

/// A line with every time in it as none: `0.00 s`, and `"seconds":0`.
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

/// A page with the output of its commands as it is now, and how many commands it has.
fn anew(page: &str) -> (String, usize) {
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
            let output = said(words, input);
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

#[test]
fn pages_show_what_the_program_says() {
    let write = env::var_os("STONEWORK_BOOK").is_some_and(|word| word == "write");
    let mut commands = 0;
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let (now, found) = anew(&page);
        commands += found;
        if write {
            fs::write(&path, now).unwrap();
            continue;
        }
        for (number, (shown, said)) in page.lines().zip(now.lines()).enumerate() {
            assert_eq!(shown, said, "{}:{}", path.display(), number + 1);
        }
        assert_eq!(page.lines().count(), now.lines().count(), "{}", path.display());
    }
    assert!(commands > 10, "{commands} commands: where have they gone?");
}

/// Where the links of a page lead that are no address of the web.
fn links(page: &str) -> impl Iterator<Item = &str> {
    let ends = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    ends.map(|link| link.split('#').next().unwrap_or_default())
        .filter(|link| !link.is_empty() && !link.contains("://"))
}

#[test]
fn links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = pages();
    pages.extend(fs::read_dir(root.join("docs/records")).unwrap().map(|entry| entry.unwrap().path()));
    pages.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root.join(name)));
    let mut found = 0;
    for path in pages.iter().filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
        for link in links(&fs::read_to_string(path).unwrap()) {
            // Code has brackets before parentheses, too, but no path in them.
            let target = path.parent().unwrap().join(link);
            let is_path = link.contains(['/', '.']) && !link.contains(' ');
            assert!(!is_path || target.exists(), "{}: {link}", path.display());
            found += 1;
        }
    }
    assert!(found > 30, "{found} links: where have they gone?");
}

#[test]
fn commands_and_their_input_are_found() {
    let page = "Text.\n```text\n$ stonework oracle\n< {\nold\n```\n$ stonework no command\n";
    let (now, commands) = anew(page);
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
