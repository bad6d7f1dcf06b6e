//! The files in `docs/farm` for systemd, Slurm and containers, the help texts and the pages about the farm have commands and
//! options that this program has, and agree with each other; so do the files for the server in `examples/server`.

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

/// A server that asks for TLS takes no connection without, and the other way round. So the coordinator and the workers of an
/// example name one server alike, and no login goes to another machine in plain text.
#[test]
fn the_examples_of_the_farm_reach_one_server_in_one_way() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut seen = 0;
    for name in [
        "docs/farm/stonework-coordinator.service",
        "docs/farm/stonework-worker@.service",
        "docs/farm/Containerfile",
        "crates/farm/README.md",
    ] {
        for words in commands(&std::fs::read_to_string(folder.join(name)).unwrap()) {
            let Some(at) = words.iter().position(|word| word == "--server") else { continue };
            assert_eq!(words[at + 1], "tls://farm.example.org:4222", "{name}: {words:?}");
            assert!(words.iter().any(|word| word == "--roots"), "{name}: no --roots: {words:?}");
            seen += 1;
        }
    }
    assert!(seen >= 6, "{seen} commands");
}

/// The memory of searches, of which the server's process needs more, fits into the memory that systemd allows.
#[test]
fn the_unit_of_the_server_allows_the_memory_of_its_configuration() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/server");
    let number = |file: &str, key: &str| -> u64 {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let value = text.lines().find_map(|line| line.strip_prefix(key)).unwrap();
        value.trim_start_matches([' ', '=']).trim_end_matches('G').parse().unwrap()
    };
    let (allowed, searches) =
        (number("stonework-server.service", "MemoryMax"), number("stonework-server.toml", "memory"));
    assert!(allowed * 1024 > searches, "MemoryMax={allowed}G, memory = {searches}");
}
