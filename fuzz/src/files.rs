//! Laws about files that programs read: proofs, saved searches, end-game tables, opening books, logs of results.
//!
//! A file with a right check is seldom found by chance. Bytes that do not begin as such a file are therefore its contents,
//! and are put into one whose checks are right.

use std::io::Write as _;
use std::path::Path;
use std::sync::OnceLock;

use flate2::{Compression, Crc, write::DeflateEncoder};
use serde_json::{Value, json};
use stonework_arena::{Log, Openings};
use stonework_endgame::Stored;
use stonework_files::Simulated;
use stonework_game::{Game, Outcome, Textual};
use stonework_havannah::Position;
use stonework_havannah_solver::{HavannahRules, Solver};
use stonework_proof::{Claim, ProofError, ProofFault, Verified, VerifyLimits, verify};
use stonework_search::{Engine, Limits};

/// The longest message about a file of any length.
pub(crate) const SHORT: usize = 600;

pub(crate) fn crc(parts: &[&[u8]]) -> u32 {
    let mut crc = Crc::new();
    for part in parts {
        crc.update(part);
    }
    crc.sum()
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(bytes).and_then(|()| packer.finish()).expect("memory takes all")
}

/// Lines with their check, and blocks each of which has the check of those before it in its own.
fn chained(lines: &str, blocks: &[(u32, Vec<u8>)]) -> Vec<u8> {
    let mut chain = crc(&[lines.as_bytes()]);
    let mut file = format!("{lines}check {chain:08x}\n").into_bytes();
    for (count, payload) in blocks {
        let sizes = [count.to_le_bytes(), (payload.len() as u32).to_le_bytes()].concat();
        chain = crc(&[&chain.to_le_bytes(), &sizes, payload]);
        file.extend([&sizes[..], &chain.to_le_bytes(), payload].concat());
    }
    file
}

/// Roots of proofs: openings, and positions of other kinds.
pub(crate) const ROOTS: [&str; 8] = [
    "2 b - w./.../..",
    "2 w - ../.../..",
    "2 b - ../.w./..",
    "2 b s w./.../..",
    "2 b - wb/.../..",
    "3 b - w../..../..w../..b./...",
    "3 b - .../..../..w../..../...",
    "3 b - bwb/wbbw/.wwb./wbbw/b.w",
];
const CLAIMS: [&str; 5] = ["first wins", "second wins", "first does not win", "second does not win", "draw"];

/// Whether a position ends like this, by solving it; what was found out is remembered.
pub(crate) fn outcome(root: usize) -> Outcome {
    static KNOWN: [OnceLock<Outcome>; ROOTS.len()] = [const { OnceLock::new() }; ROOTS.len()];
    *KNOWN[root].get_or_init(|| {
        let position = Position::parse_position(ROOTS[root]).expect("a position from the list");
        let report = Solver::default().think(&position, &Limits::none());
        report.proven.expect("it is small")
    })
}

/// Records as numbers in LEB128, counted: the bytes of the first so many records, and how many of them are shared.
fn counted(bytes: &[u8], most: u64) -> (usize, u64, u64) {
    let (mut at, mut records, mut shared) = (0, 0, 0);
    let number = |at: &mut usize| {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = *bytes.get(*at)?;
            *at += 1;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(value);
            }
        }
        None
    };
    while records < most {
        let mut next = at;
        let Some(record) = number(&mut next) else { break };
        let (more, is_shared) = match record.checked_sub(1) {
            None => (1, 0),
            Some(code) if code & 2 != 0 => (code / 4, code & 1),
            Some(code) => (0, code & 1),
        };
        if !(0..more).all(|_| number(&mut next).is_some()) {
            break;
        }
        (at, records, shared) = (next, records + 1, shared + is_shared);
    }
    (at, records, shared)
}

fn verified(file: &[u8]) -> Result<Verified<Position>, ProofError> {
    let caps = VerifyLimits { plies: 400, positions: 20_000, shared: 10_000 };
    let verified = verify("havannah", &HavannahRules, file, &caps);
    if let Err(refused) = &verified {
        assert!(refused.to_string().len() < SHORT && refused.byte <= file.len() as u64, "{refused}");
    }
    verified
}

/// Any bytes are a proof that holds, and then its claims are true, or are refused with a place in the file.
///
/// # Panics
/// If neither is so.
pub fn proofs(data: &[u8]) {
    if data.starts_with(b"stonework") || data.len() < 2 {
        _ = verified(data);
        return;
    }
    let (root, claim) = (usize::from(data[0]) % ROOTS.len(), CLAIMS[usize::from(data[1]) % CLAIMS.len()]);
    let lines = format!("stonework proof 2\ngame havannah\nclaims 1\nroot {}\nclaim {claim}\n", ROOTS[root]);
    let file = |most: u64| {
        let (len, records, shared) = counted(&data[2..], most);
        let bytes = if most == u64::MAX { &data[2..] } else { &data[2..2 + len] };
        let counts = [records.to_le_bytes(), shared.to_le_bytes()].concat();
        let mut blocks = vec![(bytes.len() as u32, deflated(bytes)), (0, counts)];
        blocks.retain(|(len, payload)| *len > 0 || payload.len() == 16);
        chained(&lines, &blocks)
    };
    let verified = match verified(&file(u64::MAX)) {
        // What is more than the proof needs is left out.
        Err(ProofError { fault: ProofFault::Trailing, record, .. }) => verified(&file(record)),
        other => other,
    };
    let Ok(verified) = verified else { return };
    let (_, claim) = &verified.claims[0];
    let value = outcome(root);
    assert!(Claim::of(value).shows(*claim), "{claim} in {}: {value:?}", ROOTS[root]);
}

/// Any bytes are a saved search, and then the search goes on from it, or are refused with a short reason and leave
/// nothing behind.
///
/// # Panics
/// If neither is so.
pub fn checkpoints(data: &[u8]) {
    static LINES: OnceLock<String> = OnceLock::new();
    let root = Position::new(2).expect("there is this size");
    let limits = Limits::none().nodes(500).bytes(1 << 16);
    let file = if data.starts_with(b"stonework") {
        data.to_vec()
    } else {
        // The header of a search of this position, but for the number of entries.
        let lines = LINES.get_or_init(|| {
            let (mut solver, mut file) = (Solver::new(Solver::options().keep(true)).unwrap(), Vec::new());
            solver.think(&root, &limits);
            solver.save(&root, &mut file).expect("memory takes all");
            let text = String::from_utf8_lossy(&file);
            text.split_once("entries ").expect("it is in the header").0.to_owned()
        });
        let blocks = data.chunks(16 * 4096).map(|part| part.len() / 16 * 16).filter(|&len| len > 0);
        let (mut at, mut packed) = (0, Vec::new());
        for len in blocks {
            let entries = &data[at..at + len];
            let rows: Vec<u8> =
                (0..16).flat_map(|row| entries.chunks_exact(16).map(move |entry| entry[row])).collect();
            packed.push(((len / 16) as u32, deflated(&rows)));
            at += len;
        }
        packed.push((0, Vec::new()));
        chained(&format!("{lines}entries {}\n", data.len() / 16), &packed)
    };
    let mut solver = Solver::new(Solver::options().keep(true)).unwrap();
    match solver.load(&root, &limits, &file[..]) {
        Err(error) => {
            assert!(error.to_string().len() < SHORT, "{error}");
            let report = solver.think(&root, &limits);
            assert!(report.nodes <= 600, "{} nodes", report.nodes);
        }
        Ok(kept) => {
            assert_eq!(kept.bytes, file.len() as u64);
            let report = solver.think(&root, &limits);
            assert!(report.best.is_none_or(|mv| root.check(mv).is_ok()));
            let mut saved = Vec::new();
            solver.save(&root, &mut saved).expect("memory takes all");
            let again = Solver::new(Solver::options().keep(true)).unwrap().load(&root, &limits, &saved[..]);
            assert!(again.is_ok(), "{again:?}");
        }
    }
}

/// Any bytes are an end-game table, every number of which can be asked, or are refused with a short reason.
///
/// # Panics
/// If neither is so.
pub fn tables(data: &[u8]) {
    let file = if data.starts_with(b"stonework") { data.to_vec() } else { table(data) };
    let stored = match Stored::with_cache(file, 1 << 14) {
        Ok(stored) => stored,
        Err(error) => return assert!(error.to_string().len() < SHORT, "{error}"),
    };
    let all = stored.table();
    assert_eq!(stored.value(stored.len()).ok(), Some(None));
    for rank in (0..stored.len()).step_by(if stored.len() > 5000 { 997 } else { 7 }).take(2000) {
        match (stored.value(rank), &all) {
            (Ok(value), Ok(all)) => assert_eq!(value, all.value(rank)),
            (Err(error), all) => assert!(all.is_err() && error.to_string().len() < SHORT, "{error}"),
            (Ok(_), Err(_)) => {}
        }
    }
}

/// A table whose checks are right: the first byte says how many entries too many or too few its header claims, every
/// two of the others are the code of an entry.
fn table(data: &[u8]) -> Vec<u8> {
    let (&wrong, codes) = data.split_first().unwrap_or((&0, &[]));
    let codes = &codes[..codes.len() / 2 * 2];
    let entries = (codes.len() as u64 / 2).saturating_add_signed(i64::from(wrong.cast_signed()) / 32);
    let blocks: Vec<Vec<u8>> = codes
        .chunks(4096)
        .map(|block| {
            let (low, high) = (block.iter().step_by(2), block.iter().skip(1).step_by(2));
            deflated(&low.chain(high).copied().collect::<Vec<u8>>())
        })
        .collect();
    let (game, parameters) = ("cover", "2 four 1v1");
    let mut head = b"stonework endgame 2\n".to_vec();
    head.extend(entries.to_le_bytes());
    head.extend([game, parameters].map(|text| (text.len() as u32).to_le_bytes()).concat());
    head.extend([game, parameters].concat().bytes());
    for block in &blocks {
        head.extend([(block.len() as u32).to_le_bytes(), crc(&[block]).to_le_bytes()].concat());
    }
    head.extend(crc(&[&head]).to_le_bytes());
    [head, blocks.concat()].concat()
}

/// Any text is a book of openings, each legal and not over, or a short error that names a line of it.
///
/// # Panics
/// If it is neither.
pub fn opening_books(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    book(&text, &Position::with_swap(4).expect("there is this size"));
    book(&text, &stonework_cachex::Position::new(4).expect("there is this size"));
    book(&text, &stonework_cover::Position::new(2).expect("there is this size"));
}

fn book<G: Game + Textual>(text: &str, start: &G) {
    let book = match Openings::book(text, start) {
        Ok(book) => book,
        Err(error) => return assert!(error.to_string().len() < SHORT, "{error}"),
    };
    for moves in book.list(start, 8, 1) {
        let mut game = start.clone();
        for mv in moves {
            assert!(game.play(mv).is_ok(), "an opening that is not legal");
        }
        assert!(game.outcome().is_none(), "an opening that ends the game");
    }
}

/// Any bytes are a log of results that can be gone on with, and reads the same afterwards, or are refused and left alone.
///
/// # Panics
/// If neither is so.
pub fn arena_logs(data: &[u8]) {
    let (path, header) = (Path::new("log"), json!({"what": "fuzz", "seed": 1}));
    // Bytes that do not begin as a log are the text of lines with right checks.
    let file = if data.starts_with(b"{") {
        data.to_vec()
    } else {
        let text = String::from_utf8_lossy(data);
        let (mut lines, mut before) = (Vec::new(), String::new());
        for line in [header.to_string().as_str()].into_iter().chain(text.split('\n')) {
            before = format!("{:08x}", crc(&[before.as_bytes(), line.as_bytes()]));
            let body = line.strip_suffix('}').unwrap_or(line);
            lines.push(format!("{body},\"check\":\"{before}\"}}\n"));
        }
        lines.concat().into_bytes()
    };
    let disk = Simulated::new();
    disk.put(path, &file);
    match Log::open_on::<Value>(&disk, path, &header) {
        Ok((mut log, lines)) => {
            log.add(&json!({"n": lines.len()})).expect("a disk in memory takes a line");
            drop(log);
            let (_, again) = Log::open_on::<Value>(&disk, path, &header).expect("what was read can be read");
            assert_eq!(again.len(), lines.len() + 1);
            assert_eq!(again[..lines.len()], lines[..]);
        }
        Err(error) => {
            assert!(error.to_string().len() < SHORT, "{error}");
            assert_eq!(disk.content(path).as_deref(), Some(&file[..]), "a refused file is left alone");
        }
    }
}
