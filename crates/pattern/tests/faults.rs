//! Every fault comes with its line and column.

use std::collections::HashMap;
use std::fmt::Write as _;

use proptest::prelude::*;
use stonework_pattern::{Fault, File, Patterns};

/// A file, the files that it may include, and its faults.
struct Case<'a> {
    name: &'a str,
    text: String,
    others: HashMap<&'a str, String>,
    expected: Vec<&'a str>,
}

fn cases() -> Vec<Case<'static>> {
    let mut cases: Vec<Case> = Vec::new();
    let mut other = None;
    let mut told = false;
    for line in include_str!("data/faults/faults.txt").lines() {
        if let Some(name) = line.strip_prefix("=== ") {
            cases.push(Case { name, text: String::new(), others: HashMap::new(), expected: Vec::new() });
            (other, told) = (None, false);
            continue;
        }
        let case = cases.last_mut().unwrap();
        if let Some(name) = line.strip_prefix("-> ") {
            other = Some(name);
        } else if line == "---" {
            told = true;
        } else if told {
            case.expected.push(line);
        } else {
            let text = other.map_or(&mut case.text, |name| case.others.entry(name).or_default());
            text.push_str(line);
            text.push('\n');
        }
    }
    cases
}

fn faults(case: &Case) -> Vec<Fault> {
    let file = File { name: "made-up.pat".to_owned(), text: case.text.clone() };
    let mut include = |_: &str, path: &str| match case.others.get(path) {
        Some(text) => Ok(File { name: path.to_owned(), text: text.clone() }),
        None => Err("no such file".to_owned()),
    };
    Patterns::compile_file(file, &mut include).err().map_or(Vec::new(), |faults| faults.list().to_vec())
}

#[test]
fn made_up_faults_give_the_right_messages() {
    let cases = cases();
    assert!(cases.len() >= 50, "{} cases", cases.len());
    let mut wrong = String::new();
    for case in cases {
        let told: Vec<String> = faults(&case).iter().map(ToString::to_string).collect();
        if told.is_empty() || told != case.expected {
            writeln!(wrong, "=== {}\n{}", case.name, told.join("\n")).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_places_named_are_in_the_text() {
    for case in cases() {
        for fault in faults(&case) {
            let text = case.others.get(&*fault.at.file).unwrap_or(&case.text);
            // The place after the last line is a place as well.
            let mut lines: Vec<&str> = text.lines().collect();
            lines.push("");
            let line = lines[fault.at.line - 1];
            assert!(fault.at.column <= line.chars().count() + 1, "{}: {fault}", case.name);
        }
    }
}

#[test]
fn a_text_that_includes_nothing_asks_for_nothing() {
    let faults = Patterns::compile("include \"more.pat\"").unwrap_err();
    let message = "1:9: `more.pat` cannot be included: this text is compiled without other files";
    assert_eq!(faults.to_string(), message);
}

/// A pattern with such a name was read as a clause of the pattern before it, so that a written file was refused.
#[test]
fn a_pattern_may_have_the_name_of_a_clause() {
    let lines = [
        "include: {\"x.....\", \".o..../....../......\", 8} weight 2",
        "except: {\"xx?...\", \"...o../....../......\", 7} except \"xxx...\" weight 3",
        "weight: {\"x?x...\", \"...o../....../......\", 6} except \"xxx...\"",
    ];
    let patterns = Patterns::compile(&lines.join("\n")).unwrap();
    for (line, name) in lines.iter().zip(["include", "except", "weight"]) {
        assert_eq!(patterns.named(name).unwrap().to_string(), *line);
    }
    // The name also begins the next pattern after a fault.
    let faults = Patterns::compile(&format!("{{\"\", \"\"\n{}\nweight: {{\"x\"}}", lines[1])).unwrap_err();
    assert_eq!(faults.list().iter().map(|fault| fault.at.line).collect::<Vec<_>>(), [1, 3], "{faults}");
}

/// The message had the whole path, and a line of 64 MiB.
#[test]
fn a_long_path_is_cut_in_the_message() {
    let long = "\u{e9}".repeat(1_000_000);
    let cut = format!("`{}…`", &long[..240]);
    let message = Patterns::compile(&format!("include \"{long}\"")).unwrap_err().to_string();
    assert!(message.starts_with(&format!("1:9: {cut} cannot be included: ")), "{}", message.len());
}

#[test]
fn a_file_that_is_included_twice_is_read_once() {
    let file = |name: &str| {
        let text = match name {
            "main" => "include \"left\"\ninclude \"right\"\n",
            "left" | "right" => "include \"both\"\n",
            _ => "both: {\"......\", \"o.....\", 8}\n",
        };
        File { name: name.to_owned(), text: text.to_owned() }
    };
    let mut asked = Vec::new();
    let patterns = Patterns::compile_file(file("main"), &mut |from, path| {
        asked.push(format!("{from} {path}"));
        Ok(file(path))
    });
    let patterns = patterns.unwrap();
    assert_eq!(asked, ["main left", "left both", "main right", "right both"]);
    assert_eq!(patterns.named("both").unwrap().place().to_string(), "both:1:1");
}

#[test]
fn files_in_files_have_a_limit() {
    let file = |n: usize| File { name: n.to_string(), text: format!("include \"{}\"", n + 1) };
    let faults = Patterns::compile_file(file(1), &mut |_, path| Ok(file(path.parse().unwrap())));
    let message = "16:1:9: files that include each other in a row: 17, the limit is 16";
    assert_eq!(faults.unwrap_err().to_string(), message);
}

#[test]
fn patterns_have_a_limit() {
    let text = "{\"......\", \"o.....\", 8}\n".repeat(stonework_pattern::MAX_PATTERNS + 5);
    let faults = Patterns::compile(&text).unwrap_err();
    let message = "100001:1: patterns: 100001, the limit is 100000";
    assert!(faults.list().iter().any(|fault| fault.to_string() == message));
}

/// The places of a line take one pass over it: a pass for each word would take hours here.
#[test]
fn a_long_line_has_places_too() {
    let include = "include \"é\" ";
    let file = File { name: "main".to_owned(), text: include.repeat(1_000_000) + "8" };
    let faults =
        Patterns::compile_file(file, &mut |_, name| Ok(File { name: name.to_owned(), text: String::new() }));
    let message = "main:1:12000001: found `8`, expected a pattern: `{`, a name and `:`, or `include`";
    assert_eq!(faults.unwrap_err().to_string(), message);
}

#[test]
fn a_long_word_is_cut_in_its_message() {
    for (text, message) in [
        ("{\"......\", \"o.....\", LONG}", "chance 9999999999999999999999999999999999999999: it is"),
        ("{\"......\", \"o.....\", 8} weight LONG", "weight 9999999999999999999999999999999999999999: it is"),
    ] {
        let faults = Patterns::compile(&text.replace("LONG", &"9".repeat(1000))).unwrap_err().to_string();
        assert!(faults.contains(message), "{faults}");
    }
}

/// A terminal obeyed the text of a file in the messages about it.
#[test]
fn control_characters_of_a_file_are_escapes_in_its_messages() {
    let text = "include \"a\u{1b}[2Jb\"\nx \"\r\"\ny: {\"\u{7}\", \"o\", 8}\n";
    let file = File { name: "odd\nname".to_owned(), text: text.to_owned() };
    let faults = Patterns::compile_file(file, &mut |_, _| Err("no\tfile".to_owned())).unwrap_err();
    let said = faults.to_string();
    assert_eq!(said.lines().count(), 3, "{said}");
    assert!(said.lines().all(|line| !line.contains(char::is_control)), "{said:?}");
    assert!(said.starts_with(r"odd\nname:1:9: `a\u{1b}[2Jb` cannot be included: no\tfile"), "{said}");
}

#[test]
fn faults_have_a_limit() {
    let faults = Patterns::compile(&"a\n".repeat(1_000_000)).unwrap_err();
    let last = faults.list().last().unwrap().to_string();
    assert_eq!(last, "10001:1: faults of pattern files: 10001, the limit is 10000");
    assert_eq!(faults.list().len(), 10_001);
}

#[test]
fn every_text_that_is_included_counts_against_the_limit_of_bytes() {
    let (lines, text) = ("include \"again\"\n".repeat(100), " ".repeat(1 << 20));
    let mut asked = 0;
    let file = File { name: "main".to_owned(), text: lines.clone() };
    let faults = Patterns::compile_file(file, &mut |_, name| {
        asked += 1;
        Ok(File { name: name.to_owned(), text: text.clone() })
    });
    let bytes = lines.len() + (64 << 20);
    let message = format!("main:64:9: bytes of pattern files: {bytes}, the limit is 67108864");
    assert_eq!((faults.unwrap_err().to_string(), asked), (message, 64));
}

fn word() -> impl Strategy<Value = String> {
    let fixed =
        ["{", "}", "\"", ",", ":", "/", "//", "\n", " ", "except", "weight", "include", "8", "-1", "1e9"];
    prop_oneof![
        proptest::sample::select(fixed.to_vec()).prop_map(str::to_owned),
        "[.xo#?!/]{1,14}",
        "\"[.xo#?!]{6}(/[.xo#?]{6})?\"",
        "[a-z]{1,4}",
        any::<char>().prop_map(String::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_is_patterns_or_faults_at_places_in_it(words in proptest::collection::vec(word(), 0..40)) {
        let text: String = words.concat();
        match Patterns::compile(&text) {
            Ok(patterns) => {
                let written: Vec<String> = patterns.list().iter().map(ToString::to_string).collect();
                let again = Patterns::compile(&written.join("\n")).unwrap();
                let rewritten: Vec<String> = again.list().iter().map(ToString::to_string).collect();
                prop_assert_eq!(rewritten, written);
            }
            Err(faults) => {
                prop_assert!(!faults.list().is_empty());
                for fault in faults.list() {
                    prop_assert!(fault.at.line <= text.split('\n').count());
                    prop_assert!(fault.to_string().len() < 600);
                }
            }
        }
    }
}

/// Conflicts and patterns without an answer were told without a limit.
#[test]
fn faults_of_patterns_have_the_same_limit() {
    for (line, first) in
        [("{\"......\", \"o.....\", 8}\n", "both match"), ("{\"......\", \"......\", 8}\n", "has no cell")]
    {
        let faults = Patterns::compile(&line.repeat(20_000)).unwrap_err();
        assert_eq!(faults.list().len(), 10_001);
        assert!(faults.list()[0].to_string().contains(first), "{}", faults.list()[0]);
        let last = faults.list().last().unwrap().to_string();
        assert!(last.ends_with("faults of pattern files: 10001, the limit is 10000"), "{last}");
    }
}

/// A name of megabytes stood in each fault about its pattern.
#[test]
fn a_name_has_a_limit() {
    let named =
        |length: usize| Patterns::compile(&format!("{}: {{\"......\", \"o.....\", 8}}", "a".repeat(length)));
    assert!(named(100).is_ok());
    let told = named(101).unwrap_err().to_string();
    assert_eq!(told, "1:1: characters of a name: 101, the limit is 100");
}

/// Their twelve images took gigabytes.
#[test]
fn exceptions_have_a_limit() {
    let (most, exception) = (349_524, " except \"o.....\"");
    let told = |count: usize| {
        let text = format!("{{\"......\", \".o....\", 8}}{}", exception.repeat(count));
        Patterns::compile(&text).unwrap_err()
    };
    let faults = told(most + 1);
    let expected = format!("exceptions of a pattern: {}, the limit is {most}", most + 1);
    assert!(faults.to_string().ends_with(&expected), "{}", faults.list()[0]);
}
