//! The files in `docs/farm` for systemd, Slurm and containers, the help texts and the pages about the farm have commands and
//! options that this program has.

use std::path::Path;
use std::process::Command;

/// The commands of `stonework` in a file: continued lines are one, and variables are numbers.
fn commands(text: &str) -> Vec<Vec<String>> {
    let text = text.replace("\\\n", " ");
    let command = |line: &str| -> Option<Vec<String>> {
        let line = line.trim_start_matches(['#', ' ']);
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = words.iter().position(|word| word.rsplit(['/', '=']).next() == Some("stonework"))?;
        let words = &words[at + 1..];
        (words.first() == Some(&"farm")).then(|| words.iter().map(|word| plain(word)).collect())
    };
    text.lines().filter_map(command).collect()
}

/// A word as a shell or systemd passes it on: variables and specifiers become `1`.
fn plain(word: &str) -> String {
    let word = word.trim_matches('"').replace("%i", "1").replace("%l", "1");
    let mut parts = word.split('$');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        plain.push('1');
        plain.push_str(rest);
    }
    plain
}

#[test]
fn commands_are_found_in_each_form() {
    let words = |text: &str| commands(text).iter().map(|words| words.join(" ")).collect::<Vec<_>>();
    assert_eq!(words("ExecStart=/usr/bin/stonework farm work --threads %i"), ["farm work --threads 1"]);
    assert_eq!(words("exec stonework farm work \\\n  --name \"a-$B_C-$D\""), ["farm work --name a-1-1"]);
    assert_eq!(words("#   podman run -v ./x:/y stonework farm status --dir d"), ["farm status --dir d"]);
    assert!(words("User=stonework\nCOPY . /stonework\ncargo build -p stonework-cli").is_empty());
}

/// The argument parser answers 2 and names a wrong option. With `--help` at the end, right options before it are parsed and
/// nothing is run; so each option of a command is also looked up on the page of its command.
#[test]
fn commands_of_the_farm_have_options_that_the_program_has() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut seen = 0;
    for name in [
        "docs/farm/stonework-coordinator.service",
        "docs/farm/stonework-worker@.service",
        "docs/farm/workers.slurm",
        "docs/farm/Containerfile",
        "docs/farm.md",
        "docs/solve.md",
        "crates/cli/src/help/farm.txt",
        "crates/farm/README.md",
    ] {
        let found = commands(&std::fs::read_to_string(folder.join(name)).unwrap());
        assert!(!found.is_empty(), "{name} has no command");
        for words in found {
            let run = |words: &[String]| {
                Command::new(env!("CARGO_BIN_EXE_stonework")).args(words).arg("--help").output().unwrap()
            };
            let ran = run(&words);
            let told = String::from_utf8_lossy(&ran.stderr).into_owned();
            assert!(ran.status.success(), "{name}: {words:?}: {told}");
            let page = String::from_utf8_lossy(&run(&words[..2]).stdout).into_owned();
            for option in words.iter().filter(|word| word.starts_with("--")) {
                let is_there = page.split_whitespace().any(|word| word.trim_end_matches(',') == option);
                assert!(is_there, "{name}: `{}` has no {option}", words[..2].join(" "));
            }
            seen += 1;
        }
    }
    assert!(seen >= 14, "{seen} commands");
}
