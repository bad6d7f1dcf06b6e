//! The output about proof files, compared with the results of a slow checker.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{Read as _, Write as _};

use rand_core::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use stonework_game::{Game, Keyed, Player, Textual};
use stonework_havannah::{Move, Position};
use stonework_havannah_solver::{HavannahRules, Solver, read_book};
use stonework_proof::set::{ProofSet, SetFile};
use stonework_proof::{
    Claim, KnownClaims, Proof, ProofAction, ProofReader, Strategy, VerifyLimits, join, verify,
};
use stonework_search::{Engine, Limits};

use crate::common::{feed, file, run};
use crate::proof_checker::{Counts, Shown, check};

/// A proof of a claim about a position, or of its value; `None` without a result.
fn proof(text: &str, claim: Option<Claim>) -> Option<Vec<u8>> {
    let root = Position::parse_position(text).ok()?;
    let mut solver = Solver::default();
    let value = root.outcome().or_else(|| solver.think(&root, &Limits::none()).proven)?;
    let claim = claim.unwrap_or(Claim::of(value));
    let mut bytes = Vec::new();
    Claim::of(value)
        .shows(claim)
        .then(|| solver.prove(&root, claim, &Limits::none(), &mut bytes).unwrap())?;
    Some(bytes)
}

/// Several proofs joined into one file.
fn joined(proofs: &[Vec<u8>]) -> Vec<u8> {
    let mut all = Vec::new();
    join(proofs.iter().map(|bytes| ProofReader::new(&bytes[..]).unwrap()).collect(), &mut all).unwrap();
    all
}

/// Random positions as texts: stones of both sides, either side to move, sometimes with the right to swap.
fn positions(seed: u64, sizes: &[u8]) -> impl Iterator<Item = String> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut below = move |n: u32| rng.next_u32() % n;
    let sizes = sizes.to_vec();
    std::iter::repeat_with(move || {
        let size = sizes[below(sizes.len() as u32) as usize];
        let rows: Vec<usize> = Position::new(size)
            .map(|p| (0..p.board().rows()).map(|r| p.board().row(r).len()).collect())
            .unwrap();
        let mut letters = vec!['.'; rows.iter().sum()];
        // The position has at most one stone, or any number of stones.
        let few = below(3) == 0;
        let most = if few { 1 } else { letters.len() as u32 };
        for _ in 0..below(most + 1).max(u32::from(few)) {
            let at = below(letters.len() as u32) as usize;
            letters[at] = if below(if few { 4 } else { 2 }) == 0 { 'b' } else { 'w' };
        }
        let (side, swap) = (["w", "b"][below(2) as usize], if below(4) == 0 { "s" } else { "-" });
        let mut letters = letters.into_iter();
        let rows: Vec<String> = rows.iter().map(|&len| letters.by_ref().take(len).collect()).collect();
        format!("{size} {side} {swap} {}", rows.join("/"))
    })
}

const CLAIMS: [Option<Claim>; 4] = [
    None,
    Some(Claim::DoesNotWin(Player::First)),
    Some(Claim::DoesNotWin(Player::Second)),
    Some(Claim::Draw),
];

/// The value of the empty board that follows from the claims, in words, with the size of the first claim.
fn empty_board(shown: &[Shown]) -> Option<(u8, &'static str)> {
    let size = shown[0].place.size();
    let exact = ["second wins", "draw", "first wins"];
    let board = Position::new(size).unwrap();
    let ranks = board.empty_cells().map(|cell| {
        let mut after = board.clone();
        after.play_unchecked(Move::Place(cell));
        let (wanted, _) = after.canonical();
        let is_it = |shown: &&Shown| {
            let root = Position::parse_position(&shown.root).unwrap();
            shown.place.opening().is_some() && exact.contains(&&*shown.claim) && root.canonical().0 == wanted
        };
        exact.iter().position(|claim| Some(*claim) == shown.iter().find(is_it).map(|shown| &*shown.claim))
    });
    let best = ranks.collect::<Option<Vec<usize>>>()?.into_iter().max()?;
    Some((size, ["black wins", "a draw", "white wins"][best]))
}

fn kinds(counts: &Counts) -> String {
    let Counts { references, moves, all, lines, answers, never, .. } = counts;
    format!(
        "{moves} moves, {all} times all answers, {answers} times those that disturb a line, leaves: {lines} lines of threats, {never} dead draws, {references} references"
    )
}

/// The expected sentence about each claim.
fn by_claim(shown: &[Shown]) -> String {
    let mut text = String::new();
    for Shown { root, place, claim, counts, .. } in shown {
        let place = place.opening().unwrap_or_else(|| root.clone());
        let Counts { nodes, records, shared, longest, .. } = counts;
        let _ = writeln!(
            text,
            "  {place}: {claim} within {longest} plies, {nodes} positions, {records} records, {shared} shared"
        );
        let _ = writeln!(text, "    {}", kinds(counts));
    }
    text
}

/// The expected text output of `verify`.
fn sentences(shown: &[Shown]) -> String {
    let mut text = String::new();
    if let [only] = shown {
        let _ = writeln!(text, "the proof holds: {} (first is white, second black)", only.claim);
        let _ = writeln!(text, "  root: {}", only.root);
    } else {
        let _ = writeln!(text, "the proof holds: {} claims (first is white, second black)", shown.len());
        for Shown { root, place, claim, .. } in shown {
            let place = place.opening().map_or_else(
                || format!("in {root}"),
                |cell| format!("after {cell} and its images on size {}", place.size()),
            );
            let _ = writeln!(text, "  {claim} {place}");
        }
    }
    if let Some((size, value)) = empty_board(shown) {
        let _ = writeln!(text, "  these are all openings of size {size}: from the empty board, {value}");
    }
    let sum = |of: fn(&Counts) -> u64| shown.iter().map(|shown| of(&shown.counts)).sum::<u64>();
    let longest = shown.iter().map(|shown| shown.counts.longest).max().unwrap();
    let (nodes, records, shared) = (sum(|c| c.nodes), sum(|c| c.records), sum(|c| c.shared));
    let _ = writeln!(
        text,
        "  {nodes} positions checked, {records} records, {shared} of them shared, the longest game {longest} plies"
    );
    let total = Counts {
        references: sum(|c| c.references),
        moves: sum(|c| c.moves),
        all: sum(|c| c.all),
        lines: sum(|c| c.lines),
        answers: sum(|c| c.answers),
        never: sum(|c| c.never),
        ..Counts::default()
    };
    let _ = writeln!(text, "  {}", kinds(&total));
    if shown.len() > 1 {
        text += &by_claim(shown);
    }
    text
}

/// The expected JSON output of `verify`, claim by claim.
fn fields(shown: &[Shown]) -> Value {
    let field = |Shown { root, place, claim, counts, .. }: &Shown| {
        let Counts { nodes, records, shared, plies, longest, references, moves, all, lines, answers, never } =
            counts;
        json!({
            "root": root, "opening": place.opening(), "claim": claim,
            "nodes": nodes, "records": records, "shared": shared, "plies": plies, "longest": longest,
            "kinds": {
                "references": references, "moves": moves, "all": all, "lines": lines, "answers": answers,
                "never": never,
            },
        })
    };
    shown.iter().map(field).collect()
}

/// Compares all output about a file – text, JSON, and answers of `--explore` – with the results of the slow checker.
fn is_told_truly(name: &str, bytes: &[u8]) -> Vec<Shown> {
    let shown = check(bytes).unwrap_or_else(|why| panic!("{name}: {why}"));
    let path = file(name, bytes);
    let ran = run(&["verify", &path]);
    assert_eq!((ran.out, ran.err.as_str(), ran.code), (sentences(&shown), "", Some(0)), "{path}");
    let verdict = run(&["verify", "--json", &path]).good().remove(0);
    assert_eq!(verdict["claims"], fields(&shown), "{path}");
    let value =
        empty_board(&shown).map(|(_, value)| value.trim_end_matches(" wins").trim_start_matches("a "));
    assert_eq!(verdict["empty_board"], json!(value), "{path}");
    if shown.iter().all(|shown| !shown.root.contains('s')) {
        let stats = feed(&["solve", "--explore", &path], b"stats\n").out;
        assert!(stats.ends_with(&by_claim(&shown)), "{path}: {stats}");
        let answers = feed(&["solve", "--json", "--explore", &path], b"stats\n").good();
        assert_eq!(answers[0]["claims"], fields(&shown), "{path}");
    }
    shown
}

#[test]
fn an_opening_is_named_only_where_it_is_one() {
    let openings = ["3 b - w../..../...../..../...", "3 b - .w./..../...../..../..."];
    let no_openings = [
        "3 w - w../..../...../..../...",
        "3 b s w../..../...../..../...",
        "3 w - .../..../...../..../...",
        "3 w - b../..../...../..../...",
        "3 b - ww./..../...../..../...",
        "3 b - w../b.../...../..../...",
    ];
    let roots = openings.iter().chain(&no_openings);
    let proofs: Vec<_> = roots.filter_map(|root| proof(root, None)).collect();
    assert_eq!(proofs.len(), 8);
    let shown = is_told_truly("odd_roots.proof", &joined(&proofs));
    let named: Vec<_> = shown.iter().filter_map(|shown| shown.place.opening()).collect();
    assert_eq!(named, ["a1", "a2"]);
}

#[test]
fn every_sentence_about_a_file_is_what_a_slow_reading_says() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let roots = positions(2, &[2, 3, 3]);
    let mut proofs = roots.filter_map(|root| proof(&root, CLAIMS[rng.next_u32() as usize % 4]));
    let mut openings = 0;
    for i in 0..25 {
        let some: Vec<_> = proofs.by_ref().take(1 + i % 5).collect();
        let shown = is_told_truly(&format!("sentences_{i}.proof"), &joined(&some));
        openings += shown.iter().filter(|shown| shown.place.opening().is_some()).count();
    }
    assert!(openings > 3, "{openings}");
}

#[test]
fn all_openings_of_a_size_decide_the_empty_board() {
    for (size, orbits) in [(2, 2), (3, 4)] {
        let board = Position::new(size).unwrap();
        let after = board.empty_cells().map(|cell| {
            let mut after = board.clone();
            after.play_unchecked(Move::Place(cell));
            (after.canonical().0, proof(&after.position_text(), None).unwrap())
        });
        let proofs: Vec<_> = after.collect::<HashMap<_, _>>().into_values().collect();
        assert_eq!(proofs.len(), orbits);
        let name = format!("openings_{size}.proof");
        assert_eq!(empty_board(&is_told_truly(&name, &joined(&proofs))), Some((size, "white wins")));
        // The claims do not suffice without one of them. A claim about another board does not replace it.
        let other = proof("3 b - ww./..../...../..../...", None).unwrap();
        let some = [&proofs[1..], &[other]].concat();
        assert_eq!(empty_board(&is_told_truly(&name, &joined(&some))), None);
    }
}

#[test]
fn no_position_is_settled_later_or_earlier_than_a_slow_reading_says() {
    let mut seen = 0;
    for (i, root) in positions(3, &[2, 3, 3, 3]).filter(|root| !root.contains('s')).take(200).enumerate() {
        let Some(bytes) = proof(&root, CLAIMS[i % 4]) else { continue };
        let shown = check(&bytes).unwrap();
        let book = read_book(&bytes[..], usize::MAX).unwrap();
        assert_eq!(u64::from(book.verified().by_claim[0].longest), shown[0].counts.longest, "{root}");
        for record in &shown[0].records {
            let position = Position::parse_position(&record.place.text()).unwrap();
            let empty = position.empty_cells().count() as u64;
            let said = book.walk(&position).unwrap().entries();
            let said = said.iter().find(|said| said.claim.to_string() == record.claim);
            let plies = said.map(|said| u64::from(said.plies));
            assert_eq!(plies, Some(record.plies), "{} in the proof of {root}", record.place.text());
            assert!(record.plies <= empty, "{} plies, {empty} cells", record.plies);
            seen += 1;
        }
    }
    assert!(seen > 400, "{seen}");
}

#[test]
fn the_proof_of_size_4_is_as_long_as_the_board_has_cells() {
    let proof = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/havannah-size4.proof");
    let verdict = run(&["verify", "--json", proof]).good().remove(0);
    let claims = verdict["claims"].as_array().unwrap();
    let longest: Vec<_> = claims.iter().map(|claim| (claim["opening"].as_str(), &claim["longest"])).collect();
    let expected = ["a1", "a2", "b2", "b3", "c3", "d4"].map(|cell| (Some(cell), json!(36)));
    assert_eq!(longest, expected.iter().map(|(cell, plies)| (*cell, plies)).collect::<Vec<_>>());
}

/// The lines of the header before its check, the unpacked records of all blocks, and the counts at the end.
fn taken_apart(bytes: &[u8]) -> (String, Vec<u8>, [u8; 16]) {
    let check = bytes.windows(7).position(|part| part == b"\ncheck ").unwrap() + 1;
    let lines = std::str::from_utf8(&bytes[..check]).unwrap().to_owned();
    let (mut rest, mut records) = (&bytes[check + "check 01234567\n".len()..], Vec::new());
    loop {
        let word = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().unwrap()) as usize;
        let payload = &rest[12..12 + word(4)];
        if word(0) == 0 {
            return (lines, records, payload.try_into().unwrap());
        }
        flate2::read::DeflateDecoder::new(payload).read_to_end(&mut records).unwrap();
        rest = &rest[12 + payload.len()..];
    }
}

fn crc(parts: &[&[u8]]) -> u32 {
    let mut crc = flate2::Crc::new();
    for part in parts {
        crc.update(part);
    }
    crc.sum()
}

/// A file with these lines, records in blocks of `block` bytes, and counts, with correct checks.
fn put_together(lines: &str, records: &[u8], block: usize, counts: [u8; 16]) -> Vec<u8> {
    let mut chain = crc(&[lines.as_bytes()]);
    let mut file = format!("{lines}check {chain:08x}\n").into_bytes();
    let pack = |records: &[u8]| {
        let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        packer.write_all(records).unwrap();
        (records.len() as u32, packer.finish().unwrap())
    };
    for (len, payload) in records.chunks(block).map(pack).chain([(0, counts.to_vec())]) {
        let sizes = [len.to_le_bytes(), (payload.len() as u32).to_le_bytes()].concat();
        chain = crc(&[&chain.to_le_bytes(), &sizes, &payload]);
        file.extend([&sizes[..], &chain.to_le_bytes(), &payload].concat());
    }
    file
}

#[test]
fn a_checker_by_the_page_accepts_what_verify_accepts_and_nothing_else() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut below = |n: usize| rng.next_u32() as usize % n;
    let (mut accepted, mut refused) = (0, 0);
    for root in positions(5, &[2, 3]).take(120) {
        let Some(bytes) = proof(&root, CLAIMS[below(4)]) else { continue };
        let (lines, records, counts) = taken_apart(&bytes);
        for _ in 0..12 {
            let (mut lines, mut records, mut counts) = (lines.clone(), records.clone(), counts);
            match below(6) {
                0 => lines = lines.replace("first", "second"),
                1 => lines = lines.replace("does not win", "wins"),
                2 => counts[below(16)] ^= 1,
                3 if !records.is_empty() => drop(records.remove(below(records.len()))),
                4 => records.insert(below(records.len() + 1), below(9) as u8),
                _ if !records.is_empty() => {
                    let at = below(records.len());
                    records[at] = records[at].wrapping_add(below(6) as u8);
                }
                _ => {}
            }
            let file = put_together(&lines, &records, 1 + below(40), counts);
            let slow = check(&file);
            let fast = verify::<Position, _>("havannah", &HavannahRules, &file[..], &VerifyLimits::default());
            assert_eq!(slow.is_ok(), fast.is_ok(), "{lines} {records:?}: {:?}, {fast:?}", slow.err());
            let Ok(slow) = slow else {
                refused += 1;
                continue;
            };
            accepted += 1;
            let (slow, fast) = (slow[0].counts, fast.unwrap().by_claim[0]);
            assert_eq!(
                (slow.nodes, slow.records, slow.longest),
                (fast.positions, fast.records, fast.longest.into())
            );
        }
    }
    assert!(accepted > 100 && refused > 300, "{accepted} {refused}");
}

#[test]
fn what_cannot_be_read_is_no_proof_or_table_that_does_not_hold() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    for command in
        [&["verify"][..], &["verify", "--json"], &["table", "verify"], &["table", "verify", "--json"]]
    {
        // `verify` looks for the list of a proof set in a directory.
        let why =
            if command[0] == "verify" { "no proof set, for want of the file proof.set" } else { "directory" };
        for (path, why) in [(folder.to_owned(), why), (format!("{folder}/no such file"), "No such file")] {
            let ran = run(&[command, &[&path]].concat());
            assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{command:?} {path}");
            let begins = ran.err.starts_with(&format!("error: {path}: "));
            assert!(begins && ran.err.contains(why), "{}", ran.err);
        }
    }
}

#[test]
fn a_root_has_one_spelling() {
    let good = proof("3 b - w../..../...../..../...", None).unwrap();
    let text = String::from_utf8_lossy(&good);
    let (lines, _) = text.split_once("check ").unwrap();
    for (from, to) in [("root 3", "root 03"), ("root 3 b", "root 3  b"), ("...\nclaim", "... \nclaim")] {
        let lines = lines.replacen(from, to, 1);
        let other = format!("{lines}check {:08x}\n", crc(&[lines.as_bytes()]));
        let ran = run(&["verify", &file("spelling.proof", other.as_bytes())]);
        assert_eq!(ran.code, Some(1), "{lines}");
        let is_named = ran.out.contains("root") && ran.out.contains("(byte 41, record 0)");
        assert!(is_named, "{}", ran.out);
    }
}

/// A terminal obeys control characters. The text of a fault has the words of the file.
#[test]
fn control_characters_of_a_proof_do_not_reach_the_terminal() {
    let lines = "stonework proof 2\ngame \u{1b}[2J\u{9b}31m\nclaims 1\nroot 2 w - ../.../..\nclaim draw\n";
    let evil = put_together(lines, &[1], 1, [0; 16]);
    let ran = run(&["verify", &file("evil.proof", &evil)]);
    assert!(ran.code == Some(1) && ran.out.contains("a proof about ` [2J 31m`"), "{:?}", ran.out);
    assert!(ran.out.chars().all(|c| c == '\n' || !c.is_control()), "{:?}", ran.out);
}

#[test]
fn verify_takes_the_directory_of_a_set() {
    let root = Position::new(3).unwrap();
    let mut opened = root.clone();
    let opening = opened.parse_move("a1").unwrap();
    opened.play(opening).unwrap();
    let below = proof(&opened.position_text(), None).unwrap();
    let claim = Claim::Wins(Player::First);
    let (mut strategy, mut known, mut top) = (Strategy::new(), KnownClaims::default(), Vec::new());
    strategy.insert(root.canonical().0, ProofAction::Move(opening));
    known.add(&opened, &HavannahRules, claim, 0);
    let proof = Proof::new(root.clone(), claim, vec![strategy]);
    proof.write_top("havannah", &HavannahRules, &known, &mut top).unwrap();
    let mut set = ProofSet::new("havannah", &root, claim);
    set.files.push(SetFile::of_bytes("a1.proof", &below).unwrap());
    set.files.push(SetFile::of_bytes("top", &top).unwrap());
    let folder = std::env::temp_dir().join(format!("stonework-cli-set-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut list = Vec::new();
    set.write(&mut list).unwrap();
    for (name, bytes) in [("proof.set", &list), ("a1.proof", &below), ("top", &top)] {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    let path = folder.to_str().unwrap();
    let progress = folder.join("progress");
    let call = ["verify", path, "--threads", "2", "--progress", progress.to_str().unwrap()];
    for before in [0, 1] {
        let ran = run(&[&call[..], &["--json"]].concat());
        let (text, code) = (ran.out, ran.code);
        let verdict: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (code, &verdict["ok"], &verdict["claim"]),
            (Some(0), &json!(true), &json!("first wins")),
            "{text}"
        );
        assert_eq!((&verdict["proofs"], &verdict["tops"]), (&json!(1), &json!(1)));
        assert_eq!(verdict["verified_before"], json!(before));
    }
    // Of a file they would be without effect.
    let one = folder.join("a1.proof");
    for (option, value) in [("--threads", "2"), ("--progress", progress.to_str().unwrap())] {
        let ran = run(&["verify", one.to_str().unwrap(), option, value]);
        let refused = format!("error: {option}: {} is no directory of a proof set\n", one.display());
        assert_eq!((ran.code, ran.err), (Some(2), refused));
    }
    let ran = feed(&["solve", "--explore", path], b"a1\n");
    let (text, code) = (ran.out, ran.code);
    assert_eq!(code, Some(0), "{text}");
    std::fs::remove_file(folder.join("a1.proof")).unwrap();
    let ran = run(&["verify", path]);
    let (text, code) = (ran.out, ran.code);
    assert_eq!(code, Some(1));
    assert!(text.contains("the proof does not hold: file `a1.proof`"), "{text}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_page_of_size_5_lists_the_proofs_beside_it_and_they_hold() {
    let solutions = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/solutions");
    let page = std::fs::read_to_string(solutions.join("size5.md")).unwrap();
    let mut listed = Vec::new();
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let moves = cells[0].trim_matches('`');
        let name = format!("{}.proof", moves.replace(' ', "-"));
        let path = solutions.join("size5").join(&name);
        let bytes = std::fs::metadata(&path).unwrap_or_else(|error| panic!("{name}: {error}")).len();
        assert_eq!(cells[4], format!("[{bytes} bytes](size5/{name})"));
        let mut root = Position::new(5).unwrap();
        for mv in moves.split(' ') {
            root.play(root.parse_move(mv).unwrap()).unwrap();
        }
        assert_eq!(cells[1], moves.split(' ').count().to_string());
        let verified = run(&["verify", path.to_str().unwrap(), "--json"]).good().pop().unwrap();
        assert_eq!(
            (&verified["ok"], &verified["root"]),
            (&json!(true), &json!(root.position_text())),
            "{name}"
        );
        let claim = cells[2].to_lowercase().replace("white", "first");
        assert_eq!(verified["claim"], claim, "{name}");
        listed.push(name);
    }
    let mut files: Vec<String> = std::fs::read_dir(solutions.join("size5"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    listed.sort();
    assert_eq!(listed, files);
}
