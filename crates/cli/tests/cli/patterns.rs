//! `patterns check`, `explain` and `show`.

use serde_json::json;

use crate::common::{fields, file, run, run_words};

#[test]
fn check_counts_patterns_and_tells_every_fault() {
    let good = file("good.pat", b"{\"o.x...\", \".o..../....../......\", 5}\n");
    let ran = run(&["patterns", "check", &good]);
    assert!(ran.out.starts_with(&format!("{good}: patterns 1, ")), "{}", ran.out);
    let line = &run(&["patterns", "check", "--json", &good]).good()[0];
    assert_eq!((&line["ok"], &line["patterns"]), (&json!(true), &json!(1)));

    let bad = file("bad.pat", b"{\"o.z...\", \".o....\", 5}\n\n{\"o.....\", \"o.....\", 8}\n");
    let ran = run(&["patterns", "check", "--json", &bad, &good]);
    let expected = [
        format!("error: {bad}:1:5: `z` is no cell: there are . x o # ? and !. !x !o !#"),
        format!(
            "error: {bad}:3:12: answers in cell a, which is `o`: only a cell that must be empty (`.`) can be \
             answered in"
        ),
    ];
    assert_eq!(
        (ran.code, ran.err.lines().map(str::to_owned).collect::<Vec<_>>()),
        (Some(2), expected.into())
    );
    let lines = ran.json();
    assert_eq!((&lines[0]["ok"], &lines[1]["ok"]), (&json!(false), &json!(true)));
    assert_eq!(lines[0]["faults"][0]["at"], json!({ "file": bad, "line": 1, "column": 5 }));

    let ran = run(&["patterns", "check", "no-such-file.pat"]);
    let line = "error: no-such-file.pat: No such file or directory (os error 2)\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), line));
    // The files after it are checked.
    let ran = run(&["patterns", "check", "no-such-file.pat", &good]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), line));
    assert!(ran.out.starts_with(&format!("{good}: patterns 1, ")), "{}", ran.out);
}

#[test]
fn included_files_are_looked_for_beside_the_file_that_includes_them() {
    file("folder/part.pat", b"{\"o.....\", \"..o...\", 8}\n");
    let whole = file("folder/whole.pat", b"include \"part.pat\"\n{\"x.....\", \"..o...\", 8}\n");
    let line = &run(&["patterns", "check", "--json", &whole]).good()[0];
    assert_eq!(line["patterns"], 2);
}

#[test]
fn a_file_is_the_same_by_every_path() {
    file("paths/part.pat", b"part: {\"o.....\", \"..o...\", 8}\n");
    let whole = file(
        "paths/whole.pat",
        b"include \"part.pat\"\ninclude \"./part.pat\"\ninclude \"../paths/part.pat\"\n",
    );
    assert_eq!(run(&["patterns", "check", "--json", &whole]).good()[0]["patterns"], 1);
    let circle = file("paths/circle.pat", b"{\"o.....\", \"..o...\", 8}\ninclude \"./circle.pat\"\n");
    let ran = run(&["patterns", "check", &circle]);
    let said =
        format!("error: {circle}:2:9: `./circle.pat` includes itself, by way of the line at {circle}:2:9\n");
    assert_eq!((ran.code, ran.err), (Some(2), said));
}

#[test]
fn explain_names_the_pattern_and_its_cells() {
    // White has d4 and e6, a two-bridge over d5 and e5; black takes d5.
    let line = &run(&["patterns", "explain", "--json", "--size", "5", "--moves", "d4 a1 e6 d5"]).good()[0];
    let all = ["board", "cells", "chance", "code", "diagram", "last", "pattern", "weight"];
    assert_eq!(fields(line), all);
    assert_eq!((&line["cells"], &line["chance"]), (&json!(["e5"]), &json!(8)));
    assert_eq!(line["pattern"]["name"], "bridge");
    let text = run(&["patterns", "explain", "--size", "5", "--moves", "d4 a1 e6 d5"]).out;
    assert!(text.contains("answers in e5 with a chance of 8/8") && text.contains('*'), "{text}");

    let none = run(&["patterns", "explain", "--size", "5", "--moves", "e5"]).out;
    assert!(none.ends_with("no pattern matches\n"), "{none}");
    let svg = run(&["patterns", "explain", "--size", "5", "--moves", "d4 a1 e6 d5", "--svg"]).out;
    assert!(svg.starts_with("<svg "));
    let ran = run_words("patterns explain --size 5");
    let line = "error: no last stone to answer: give --moves that end with one\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), line));
}

#[test]
fn show_draws_a_pattern_with_its_images() {
    let shown = run_words("patterns show --name bridge");
    let first = "
     * o      o *      ? o      ? ?
    o X ?    ? X o    ? X *    ? X o
     ? ?      ? ?      ? o      o *
";
    assert_eq!(shown.code, Some(0));
    assert!(shown.out.contains("bridge: {\"o.o???\"") && shown.out.contains("6 images"), "{}", shown.out);
    assert!(shown.out.contains(first), "{}", shown.out);
    let lines = run_words("patterns show --json").good();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["images"].as_array().unwrap().len(), 6);
    assert_eq!(lines[1]["images"].as_array().unwrap().len(), 12);
    let none = run_words("patterns show --name ring");
    assert_eq!((none.code, none.err.as_str()), (Some(2), "error: --name ring: none of 2 patterns has it\n"));
}
