//! Laws about a farm: workers that lie, messages and journals, lists of proofs.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use stonework_campaign::proving::{KIND, ProofCheck, ProofPlan, ProofQuestion, ProofWork, VERSION};
use stonework_farm::{
    Check as _, Digest, FarmJob, FarmPlan as _, FarmWork as _, JobDecision, Journal, WorkSeat, Worked,
    decode_decision, decode_job, decode_report, encode_decision, encode_job, encode_report,
};
use stonework_files::{Disk, Simulated};
use stonework_game::{Game as _, Outcome, Textual as _};
use stonework_havannah::Position;
use stonework_havannah_solver::Solver;
use stonework_proof::set::ProofSet;
use stonework_search::{JobTreeOptions, Limits};

use crate::files::{ROOTS, SHORT, crc, outcome};

/// The bytes of an input, one after the other; zeros after the last one.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        let Some((&byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        byte
    }

    fn take(&mut self, count: usize) -> Vec<u8> {
        let (part, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        part.to_vec()
    }

    /// A number of a search, often one of those with a meaning of their own.
    fn number(&mut self) -> u32 {
        match self.next() {
            byte @ 0..128 => u32::from(byte),
            byte @ 128..192 => 1 << (byte % 32),
            byte => u32::MAX >> (byte % 32),
        }
    }
}

/// A worker whose answers are its input, and all proofs that were made so far.
struct Liar<'a> {
    input: Bytes<'a>,
    proofs: Vec<Vec<u8>>,
}

impl Liar<'_> {
    /// The name of a proof, which is among the blobs or not.
    fn proof(&mut self, blobs: &mut Vec<Vec<u8>>) -> Digest {
        let (which, change) = (usize::from(self.input.next()), self.input.next());
        let mut proof = self.proofs.get(which % (self.proofs.len() + 1)).cloned().unwrap_or_default();
        if change >= 128 && !proof.is_empty() {
            let at = usize::from(self.input.next()) * 7 % proof.len();
            proof[at] ^= change;
        }
        let digest = Digest::of(&proof);
        if change & 3 != 3 {
            blobs.push(proof);
        }
        digest
    }

    /// An answer to a job about a position, with its blobs.
    fn answer(&mut self, position: &Position) -> (Vec<u8>, Vec<Vec<u8>>) {
        let (kind, spent, mut blobs) = (self.input.next(), self.input.number(), Vec::new());
        let answer = match kind % 4 {
            0 => {
                let length = self.input.next();
                return (self.input.take(length.into()), blobs);
            }
            1 => {
                let yes = kind & 4 == 0;
                json!({"shown": {"yes": yes, "proof": self.proof(&mut blobs), "spent": spent}})
            }
            _ => {
                let numbers = (self.input.number(), self.input.number());
                let legal = position.moves();
                let moves = (0..self.input.next() % 32).map(|_| self.of_move(position, &legal, &mut blobs));
                json!({"open": {"numbers": numbers, "moves": moves.collect::<Vec<_>>(), "spent": spent}})
            }
        };
        (answer.to_string().into_bytes(), blobs)
    }

    fn of_move(
        &mut self,
        position: &Position,
        legal: &[<Position as stonework_game::Game>::Move],
        blobs: &mut Vec<Vec<u8>>,
    ) -> Value {
        let text = match self.input.next() {
            byte @ 0..240 if !legal.is_empty() => position.move_text(legal[usize::from(byte) % legal.len()]),
            _ => String::from_utf8_lossy(&self.input.take(3)).into_owned(),
        };
        let numbers = (self.input.number(), self.input.number());
        match self.input.next() % 2 {
            0 => json!({"mv": text, "numbers": numbers}),
            _ => json!({"mv": text, "numbers": numbers, "proof": self.proof(blobs)}),
        }
    }
}

/// The answer of a worker that does its work.
fn honest(work: &mut ProofWork<Position, Solver>, job: &FarmJob) -> (Vec<u8>, Vec<Vec<u8>>) {
    match work.work(job, &WorkSeat::default()) {
        Worked::Done { answer, blobs, .. } => (answer, blobs),
        other => panic!("an honest worker has {other:?}"),
    }
}

/// Any bytes are the answers and the hints of a worker that lies. The coordinator refuses an answer with a short reason,
/// or takes it; no answer makes it believe a wrong value. Afterwards an honest worker finds the value.
///
/// # Panics
/// If one of these is not so.
pub fn lying_workers(data: &[u8]) {
    let mut input = Bytes(data);
    let root = usize::from(input.next()) % ROOTS.len();
    let position = Position::parse_position(ROOTS[root]).expect("a position from the list");
    let nodes = 1 + u64::from(input.next());
    let options = JobTreeOptions::new().nodes(nodes).lone(0);
    let mut plan = ProofPlan::new("havannah", position, ProofQuestion::Value, (), options)
        .expect("options in their ranges")
        .glance(u64::from(input.next() % 4))
        .share(1);
    let check = ProofCheck::<Position, _>::new("havannah", Solver::default());
    let solver = Solver::new(Solver::options().keep(true)).expect("options in their ranges");
    let mut work = ProofWork::<Position, _>::new("havannah", solver, &Limits::none().bytes(1 << 16));
    let mut liar = Liar { input, proofs: Vec::new() };
    let (mut open, mut jobs, mut hint) = (VecDeque::new(), 0, Vec::new());
    while !plan.is_over() {
        jobs += 1;
        assert!(jobs < 20_000, "no value after {jobs} jobs");
        let lies = !liar.input.0.is_empty();
        let what = liar.input.next();
        if open.len() < 1 + usize::from(what) % 4
            && let Some(job) = plan.next()
        {
            open.push_back(job);
            continue;
        }
        let Some(job) = open.pop_front() else {
            // A plan sees that it is over when it is asked for a job.
            assert!(plan.is_over(), "no job, and no value");
            break;
        };
        let (answer, blobs) = if lies && what < 192 {
            let body: Value = job.read(KIND, VERSION).expect("a job of this kind");
            let text = body["position"].as_str().expect("a job has a position");
            liar.answer(&Position::parse_position(text).expect("a position of the game"))
        } else {
            if lies {
                for byte in &mut hint {
                    *byte ^= liar.input.next();
                }
                work.hear(&hint);
            }
            let (answer, blobs) = honest(&mut work, &job);
            liar.proofs.extend(blobs.iter().cloned());
            hint = work.hint().unwrap_or(hint);
            (answer, blobs)
        };
        match check.check(&job, &answer, &blobs) {
            Ok(checked) => {
                assert_eq!(check.check(&job, &checked, &blobs).as_ref(), Ok(&checked), "checked once more");
                let needless = plan.take(&job, &checked);
                open.retain(|job| !needless.contains(&job.id()));
            }
            Err(why) => {
                assert!(lies && why.len() < SHORT, "{why}");
                open.push_back(job);
            }
        }
        for answered in plan.answers() {
            let truth = outcome(root) == Outcome::Win(answered.who);
            assert_eq!(answered.yes, truth, "does {:?} win in {}", answered.who, ROOTS[root]);
        }
    }
    assert_eq!(plan.outcome(), Some(outcome(root)), "{}", ROOTS[root]);
}

/// The first line of a message, in which a star stands for the name of the bytes after the line, and the rest.
fn named(data: &[u8]) -> Vec<u8> {
    let Some(end) = data.iter().position(|&byte| byte == b'\n') else { return data.to_vec() };
    let digest = Digest::of(&data[end + 1..]).to_string();
    let head = data[..end].split(|&byte| byte == b'*').collect::<Vec<_>>().join(digest.as_bytes());
    [&head, &data[end..]].concat()
}

/// Any bytes are a job, a report or a decision, which is written and read alike, or are refused with a short reason; and
/// they are a journal that goes on, or a damaged one that stays as it is. The first byte says which.
///
/// # Panics
/// If neither is so.
pub fn farm_messages(data: &[u8]) {
    let Some((&kind, rest)) = data.split_first() else { return };
    let message = named(rest);
    let refused = match kind % 4 {
        0 => decode_job(&message).map(|job| assert_eq!(decode_job(&encode_job(&job)).ok(), Some(job))),
        1 => decode_report(&message).map(|(report, blobs)| {
            let inline: Vec<&[u8]> = blobs.iter().map(|(_, bytes)| &bytes[..]).collect();
            let again = encode_report(&report, &inline).expect("a report that was read is within the limits");
            let (report_again, blobs_again) = decode_report(&again).expect("what was written can be read");
            assert_eq!(report_again, report);
            assert!(blobs.iter().all(|blob| blobs_again.contains(blob)));
        }),
        2 => decode_decision(&message).map(|decision| {
            let again = decode_decision(&encode_decision(&decision)).expect("what was written can be read");
            assert!(decision.inline.iter().all(|blob| again.inline.contains(blob)));
            // A message may name a blob twice and have its bytes once: written again, it has them twice.
            let decision = JobDecision { inline: Vec::new(), ..decision };
            assert_eq!(JobDecision { inline: Vec::new(), ..again }, decision);
        }),
        _ => {
            journal(rest);
            Ok(())
        }
    };
    if let Err(error) = refused {
        assert!(error.to_string().len() < SHORT, "{error}");
    }
}

/// Bytes as a journal. Behind a zero they are the file itself; else each line is a record with right checks, and the first
/// byte says how many bytes of the end are missing: then the records that are whole are read, no less and no more.
fn journal(data: &[u8]) {
    let (&cut, lines) = data.split_first().unwrap_or((&0, &[]));
    let (mut file, mut whole) = (Vec::new(), None);
    if cut == 0 {
        file.extend_from_slice(lines);
    } else {
        let mut ends = Vec::new();
        for record in lines.split(|&byte| byte == b'\n') {
            let length = (record.len() as u32).to_le_bytes();
            let checks = [crc(&[&length]), crc(&[record])].map(u32::to_le_bytes);
            file.extend([&length[..], checks.as_flattened(), record].concat());
            ends.push(file.len());
        }
        file.truncate(file.len().saturating_sub(usize::from(cut) - 1));
        let left = ends.iter().filter(|&&end| end <= file.len()).count();
        whole = Some(lines.split(|&byte| byte == b'\n').take(left).map(<[u8]>::to_vec).collect::<Vec<_>>());
    }
    let (path, disk) = (Path::new("journal"), Arc::new(Simulated::new()));
    disk.put(path, &file);
    let open = |records: &mut Vec<Vec<u8>>| {
        Journal::open(Arc::<Simulated>::clone(&disk) as Arc<dyn Disk>, path, &mut |record| {
            records.push(record.to_vec());
        })
    };
    let mut records = Vec::new();
    match open(&mut records) {
        Err(error) => {
            assert!(error.to_string().len() < SHORT && whole.is_none(), "{error}");
            assert_eq!(disk.content(path).as_deref(), Some(&file[..]), "a damaged journal is left alone");
        }
        Ok(mut journal) => {
            assert!(whole.is_none_or(|whole| whole == records), "a record is lost, or another one");
            records.push(b"more".to_vec());
            journal.append(&records[records.len() - 1..]).expect("a disk in memory takes a record");
            drop(journal);
            let mut again = Vec::new();
            open(&mut again).expect("what was written can be read");
            assert_eq!(again, records);
        }
    }
}

/// Any text is a list of the files of a proof, which is written as it was read, or is refused with a short reason.
///
/// # Panics
/// If neither is so.
pub fn proof_sets(data: &[u8]) {
    // A text without a check gets the right one.
    let mut file = data.to_vec();
    if !data.windows(6).any(|part| part == b"check ") {
        file.extend(format!("check {:08x}\n", crc(&[data])).bytes());
    }
    match ProofSet::read(&file[..]) {
        Ok(set) => {
            let mut again = Vec::new();
            set.write(&mut again).expect("what was read can be written");
            assert_eq!(again, file);
        }
        Err(error) => assert!(error.to_string().len() < SHORT, "{error}"),
    }
}
