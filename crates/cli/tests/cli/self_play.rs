//! The files of `selfplay`: their headers and the checks of their lines.

use crate::common::run_words;
use crate::learn::folder;

/// The checks of the lines count for a reader, too. (A line that was edited, left out or moved was learned from, and a last line that
/// a kill had cut off was an error.)
#[test]
fn only_lines_of_games_as_they_were_written_are_learned_from() {
    let folder = folder("edited");
    let (out, file) = (folder.join("games"), folder.join("games.jsonl").display().to_string());
    let play = "selfplay --player mcts --size 3 --games 6 --chunk 10 --simulations 20 --out";
    assert_eq!(run_words(&format!("{play} {}", out.display())).code, Some(0));
    let text = std::fs::read_to_string(out.join("games-00000.jsonl")).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 7);
    let value = folder.join("value").display().to_string();
    let learn = |text: &str| {
        std::fs::write(&file, text).unwrap();
        run_words(&format!("learn value {file} --epochs 1 -o {value}"))
    };
    assert_eq!(learn(&text).code, Some(0));
    let result = |from: &str, to: &str| {
        lines[3].replace(&format!("\"result\":\"{from}"), &format!("\"result\":\"{to}"))
    };
    let edited =
        if lines[3].contains("\"first\"") { result("first", "second") } else { result("second", "first") };
    assert_ne!(edited, lines[3]);
    let ordered = |order: &[usize]| order.iter().map(|&at| lines[at]).collect::<String>();
    for (text, line) in [
        (text.replace(lines[3], &edited), 4),
        (text.replace("\"seed\":1", "\"seed\":2"), 1),
        (ordered(&[0, 1, 2, 4, 3, 5, 6]), 4),
        (ordered(&[0, 1, 3, 4, 5, 6]), 3),
        (ordered(&[0, 1, 2, 2, 3, 4, 5, 6]), 4),
    ] {
        let refused = learn(&text);
        let place = format!("{file}: line {line}: edited or out of place: its check is ");
        assert!(refused.code == Some(2) && refused.err.contains(&place), "{}", refused.err);
    }
    // A killed process leaves a beginning of a line at the end; another program writes lines without checks.
    let games = |text: &str| {
        std::fs::write(&file, text).unwrap();
        run_words(&format!("--json learn report {file} --value {value}")).good()[0]["games"].clone()
    };
    assert_eq!(games(&text[..text.len() - 1]), 6);
    assert_eq!(games(&text[..text.len() - 2]), 5);
    let plain = |line: &&str| {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().remove("check");
        format!("{line}\n")
    };
    assert_eq!(games(&lines[..5].iter().map(plain).collect::<String>()), 4);
}

/// Several threads search otherwise than one, so the games of a folder depend on their number.
#[test]
fn a_folder_of_games_goes_on_with_the_same_number_of_threads() {
    let out = folder("threads").display().to_string();
    let play = |more: &str| {
        run_words(&format!("selfplay --player mcts --size 3 --simulations 20 --out {out}{more}"))
    };
    assert_eq!(play(" --games 2 --threads 2").code, Some(0));
    let other = play(" --games 4");
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("threads is 2, not missing"), "{}", other.err);
    assert_eq!(play(" --games 4 --threads 2").code, Some(0));
}
