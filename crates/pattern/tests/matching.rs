//! The matches of compiled patterns are the matches of their texts.

mod common;
mod naive;

use std::collections::HashMap;
use std::fmt::Write as _;

use common::{below, rng};
use naive::{Naive, surroundings};
use rand_core::RngCore;
use stonework_board::Symmetry;
use stonework_pattern::{Answer, Cells, Code, Faults, HAVANNAH, Pattern, Patterns, Reach, State, havannah};

/// The images of patterns without free cells as codes, with their answers.
fn keys(patterns: &Patterns) -> HashMap<Code, u32> {
    let images = patterns.list().iter().flat_map(Pattern::images);
    let codes = images.filter_map(|image| image.cells.example());
    codes.filter_map(|code| patterns.find(code).map(|answer| (code, answer.cells))).collect()
}

#[test]
fn compiled_patterns_are_shared_and_what_is_looked_up_is_small() {
    fn shared<T: Send + Sync>() {}
    shared::<Patterns>();
    shared::<Faults>();
    assert_eq!((size_of::<Code>(), size_of::<Cells>()), (8, 20));
    assert!(size_of::<Answer>() <= 24, "{}", size_of::<Answer>());
}

#[test]
fn lajkoniks_triples_make_the_keys_that_are_known() {
    let made_up = [
        r#"{"o.x...", ".o..../....../......", 5}"#,
        r#"{"..x.o./#.....", "o...../....../......", 3}"#,
        r#"{"x....o/...o../......", ".o..../..o.../......", 2}"#,
    ];
    for text in made_up {
        let patterns = Patterns::compile(text).unwrap();
        let keys = keys(&patterns);
        assert_eq!(keys.len(), 12, "{text}");
        let answers = patterns.list()[0].answer().count_ones();
        assert!(keys.values().all(|cells| cells.count_ones() == answers));
    }
    let patterns = Patterns::compile(r#"{"o..o..", ".o..../....../......", 8}"#).unwrap();
    let keys = keys(&patterns);
    assert_eq!(keys.len(), 3);
    for (code, cells) in keys {
        let empty = (0..6).filter(|&i| code.state(i) == Some(State::Empty)).map(|i| 1 << i).sum::<u32>();
        assert_eq!(cells, empty);
    }
}

#[test]
fn a_list_as_lajkonik_has_it_is_read_as_it_is() {
    let text = r#"
        // Trailing commas, comments, several lines.
        {"o.x...",
         ".o..../....../......", 5},
        {"..x.o./#.....", "o...../....../......", 3}, // edge
        {"x....o/...o../......", ".o..../..o.../......", 2},
    "#;
    let patterns = Patterns::compile(text).unwrap();
    let read: Vec<_> =
        patterns.list().iter().map(|p| (p.cells().to_string(), p.answer(), p.chance())).collect();
    let expected = [
        ("o.x...".to_owned(), 1 << 1, 5),
        ("..x.o./#.....".to_owned(), 1, 3),
        ("x....o/...o../......".to_owned(), 1 << 1 | 1 << 8, 2),
    ];
    assert_eq!(read, expected);
}

#[test]
fn an_all_empty_neighbourhood_is_a_key() {
    for cells in ["......", "....../......", "....../....../......", "....../....../....../............"] {
        let patterns = Patterns::compile(&format!(r#"{{"{cells}", "o.....", 8}}"#)).unwrap();
        let code = Code::new(Reach::Thirty, 0, 0, 0);
        assert_eq!(patterns.find(code).unwrap().cells, 63, "{cells}");
        assert_eq!(patterns.find(Code::new(Reach::Thirty, 1, 0, 0)), None);
    }
    let none = Patterns::compile("").unwrap();
    assert_eq!(none.find(Code::new(Reach::Thirty, 0, 0, 0)), None);
}

#[test]
fn the_longest_match_wins_as_far_as_the_code_reaches() {
    let text = r#"
        six: {"......", "o.....", 1}
        twelve: {"....../x.....", "o.....", 2}
        eighteen: {"....../x...../x.....", "o.....", 3}
        thirty: {"....../x...../x...../x...........", "o.....", 4}
    "#;
    let patterns = Patterns::compile(text).unwrap();
    let chance = |reach, mover| patterns.find(Code::new(reach, mover, 0, 0)).map(|answer| answer.chance);
    let all = 1 << 6 | 1 << 12 | 1 << 18;
    assert_eq!(Reach::ALL.map(|reach| chance(reach, all)), [Some(1), Some(2), Some(3), Some(4)]);
    assert_eq!(chance(Reach::Thirty, 1 << 6 | 1 << 12), Some(3));
    assert_eq!(chance(Reach::Thirty, 1 << 6 | 1 << 18), Some(2));
    assert_eq!(chance(Reach::Thirty, 1 << 12 | 1 << 18), Some(1));
    assert_eq!(chance(Reach::Thirty, 1), None);
}

/// Random patterns, without patterns that conflict or are shadowed, until there are `count`.
fn random_patterns(count: usize, seed: u64) -> Patterns {
    let mut rng = rng(seed);
    let mut lines: Vec<String> = Vec::new();
    loop {
        while lines.len() < count {
            let reach = Reach::ALL[below(4, &mut rng)];
            lines.push(random_line(reach, &mut rng));
        }
        match Patterns::compile(&lines.join("\n")) {
            Ok(patterns) => return patterns,
            Err(faults) => remove(&mut lines, &faults),
        }
    }
}

fn remove(lines: &mut Vec<String>, faults: &Faults) {
    let mut bad: Vec<usize> = faults.list().iter().map(|fault| fault.at.line - 1).collect();
    bad.sort_unstable();
    bad.dedup();
    for line in bad.into_iter().rev() {
        lines.remove(line);
    }
}

/// Random surroundings of a board as a pattern, with `?` for some cells: the farther out, the more.
fn random_line(reach: Reach, rng: &mut impl RngCore) -> String {
    let code = surroundings(reach, rng);
    let cell = |i: usize, rng: &mut dyn RngCore| {
        let letter = code.state(i).unwrap().letter();
        match (rng.next_u32() % 32, i) {
            (0..16, 18..) | (0..12, 12..18) | (0..6, 6..12) | (0..2, _) => "?".to_owned(),
            (30, 6..) => format!("!{}", if letter == 'x' { 'o' } else { 'x' }),
            (31, _) => format!("!{}", if letter == '#' { '.' } else { '#' }),
            _ => letter.to_string(),
        }
    };
    let mut write = |with_answer: bool| {
        let mut text = String::new();
        let mut answer = String::new();
        for i in 0..reach.cells() {
            if matches!(i, 6 | 12 | 18) {
                text.push('/');
                answer.push('/');
            }
            let word = cell(i, rng);
            answer.push(if word == "." && rng.next_u32().is_multiple_of(3) { 'o' } else { '.' });
            text.push_str(&word);
        }
        if with_answer { format!("{{\"{text}\", \"{answer}\", {}}}", rng.next_u32() % 9) } else { text }
    };
    let mut line = write(true);
    // The same cells, with `?` for other cells.
    if line.len().is_multiple_of(4) {
        let _ = write!(line, " except \"{}\"", write(false));
    }
    line
}

/// The compiled patterns match every image of every code as the slow patterns do.
fn check(patterns: &Patterns, count: usize, seed: u64) -> usize {
    let naive = Naive::all(patterns);
    let images: Vec<Cells> =
        patterns.list().iter().flat_map(Pattern::images).map(|image| image.cells).collect();
    let mut rng = rng(seed);
    let mut found = 0;
    for n in 0..count {
        let reach = Reach::ALL[3 - n % 4];
        let mut code = surroundings(reach, &mut rng);
        // Every second code is made to match, in part.
        if n % 2 == 0 {
            let of = images[below(images.len(), &mut rng)].example().unwrap();
            let cells = Reach::ALL[below(4, &mut rng)].min(of.reach());
            let mut planes = [0; 4];
            for i in 0..reach.cells() {
                let state = if i < cells.cells() { of.state(i) } else { code.state(i) };
                planes[state.unwrap() as usize] |= 1 << i;
            }
            code = Code::new(reach, planes[1], planes[2], planes[3]);
        }
        let answer = patterns.find(code).map(|a| (a.pattern, a.cells, a.chance));
        assert_eq!(answer, Naive::find(&naive, code), "{code}");
        found += usize::from(answer.is_some());
    }
    found
}

#[test]
fn a_million_random_neighbourhoods_match_as_the_slow_way_does() {
    let patterns = random_patterns(40, 1);
    let found = check(&patterns, 1_000_000, 2);
    assert!((200_000..900_000).contains(&found), "{found}");
}

#[test]
fn the_shipped_patterns_match_as_the_slow_way_does() {
    let found = check(havannah(), 100_000, 3);
    assert!((10_000..90_000).contains(&found), "{found}");
}

#[test]
fn an_answer_turns_with_the_neighbourhood() {
    let sets = [random_patterns(40, 4), Patterns::compile(HAVANNAH).unwrap()];
    let mut rng = rng(5);
    for patterns in sets {
        let mut found = 0;
        for _ in 0..20_000 {
            let code = surroundings(Reach::Thirty, &mut rng);
            let answer = patterns.find(code);
            found += usize::from(answer.is_some());
            for symmetry in Symmetry::ALL {
                let image = patterns.find(code.image(symmetry));
                let turned = |cells: u32| {
                    let to = symmetry.around();
                    (0..30).filter(|i| cells >> i & 1 != 0).map(|i| 1 << to[i]).sum::<u32>()
                };
                assert_eq!(image.map(|a| (a.pattern, a.cells)), answer.map(|a| (a.pattern, turned(a.cells))));
            }
        }
        assert!(found > 100, "{found}");
    }
}

#[test]
fn what_was_compiled_at_build_time_is_what_is_compiled_now() {
    let file = stonework_pattern::File { name: "havannah.pat".to_owned(), text: HAVANNAH.to_owned() };
    let now = Patterns::compile_file(file, &mut |_, path| Err(path.to_owned())).unwrap();
    assert_eq!(now, *havannah());
}

#[test]
fn what_is_written_is_read_again_as_the_same() {
    for patterns in [random_patterns(30, 6), Patterns::compile(HAVANNAH).unwrap()] {
        let text: Vec<String> = patterns.list().iter().map(ToString::to_string).collect();
        let again = Patterns::compile(&text.join("\n")).unwrap();
        let written: Vec<String> = again.list().iter().map(ToString::to_string).collect();
        assert_eq!(written, text);
        let mut rng = rng(7);
        for _ in 0..50_000 {
            let code = surroundings(Reach::Thirty, &mut rng);
            assert_eq!(patterns.find(code), again.find(code));
        }
    }
}

#[test]
fn a_chance_is_in_eighths_and_cells_are_equally_likely() {
    let board = stonework_board::Board::hexagon(5).unwrap();
    let centre = board.parse("e5").unwrap();
    let mut rng = rng(8);
    for chance in 0..=8 {
        let patterns = Patterns::compile(&format!(r#"{{"o...xo", ".ooo..", {chance}}}"#)).unwrap();
        let mut planes = [1 << 0 | 1 << 5, 1 << 4];
        planes.reverse();
        let answer = patterns.find(Code::new(Reach::Eighteen, planes[0], planes[1], 0)).unwrap();
        let cells: Vec<_> = answer.cells_on(board, centre).collect();
        assert_eq!(cells, board.around(centre).skip(1).take(3).flatten().collect::<Vec<_>>());
        let mut counts = [0.0; 3];
        for _ in 0..40_000 {
            if let Some(cell) = answer.choose(board, centre, &mut rng) {
                counts[cells.iter().position(|&c| c == cell).unwrap()] += 1.0;
            }
        }
        let expected = 40_000.0 * f64::from(chance) / 24.0;
        assert!(counts.iter().all(|n: &f64| (n - expected).abs() <= 4.5 * expected.sqrt()), "{counts:?}");
    }
}
