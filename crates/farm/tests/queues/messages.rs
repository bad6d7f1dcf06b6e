//! Messages: read as written, and refused when cut, changed, too long or of another version. Reports that wait in a file.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use stonework_farm::laws::{SquaresWork, Temper};
use stonework_farm::{
    Blob, Control, Digest, FarmJob, JobDecision, JobOutcome, MAX_ANSWER, MAX_INLINE, Queue, Spent, Unfit,
    WireError, WorkReport, Worker, WorkerEnd, WorkerEvent, decode_decision, decode_job, decode_report,
    encode_decision, encode_job, encode_report,
};
use stonework_files::{Disk, Simulated};

use crate::Folder;

fn job() -> FarmJob {
    FarmJob::new("law", 3, *b"body\nwith a line").unwrap()
}

fn report(outcome: JobOutcome) -> WorkReport {
    let (worker, build, spent) = ("worker-1".into(), "test 1".into(), Spent { nodes: 5, millis: 6 });
    WorkReport { job: job().id(), worker, build, spent, outcome }
}

fn done(blobs: &[Vec<u8>]) -> WorkReport {
    let blobs = blobs.iter().map(|bytes| Blob::of(bytes)).collect();
    report(JobOutcome::Done { body: b"answer".to_vec(), blobs })
}

#[test]
fn messages_are_read_as_they_were_written() {
    assert_eq!(decode_job(&encode_job(&job())).unwrap(), job());
    let blobs = [b"one".to_vec(), Vec::new(), vec![7; 1000]];
    let sent = done(&blobs);
    let here: Vec<&[u8]> = vec![&blobs[2], &blobs[0]];
    let (got, inline) = decode_report(&encode_report(&sent, &here).unwrap()).unwrap();
    assert_eq!(got, sent);
    assert_eq!(inline.len(), 2);
    for outcome in [JobOutcome::Failed { why: "ä\"\n".into() }, JobOutcome::Unable { why: String::new() }] {
        let sent = report(outcome);
        assert_eq!(decode_report(&encode_report(&sent, &[]).unwrap()).unwrap(), (sent, Vec::new()));
    }
}

#[test]
fn a_message_that_is_cut_or_longer_is_refused() {
    let blobs = [b"blob".to_vec()];
    let whole = encode_report(&done(&blobs), &[&blobs[0]]).unwrap();
    for end in 0..whole.len() {
        assert!(decode_report(&whole[..end]).is_err(), "{end} bytes");
    }
    let longer = [&whole[..], b"x"].concat();
    assert!(decode_report(&longer).is_err());
    let whole = encode_job(&job());
    assert!((0..whole.len()).all(|end| decode_job(&whole[..end]).is_err()));
}

#[test]
fn a_blob_with_another_digest_is_refused() {
    let blobs = [b"blob".to_vec()];
    let mut bytes = encode_report(&done(&blobs), &[&blobs[0]]).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    assert!(matches!(decode_report(&bytes), Err(WireError::Damaged { .. })));
}

#[test]
fn a_message_of_another_version_names_both_versions() {
    let bytes = encode_job(&job());
    let text = String::from_utf8(bytes).unwrap().replace("\"farm\":1", "\"farm\":2");
    let error = decode_job(text.as_bytes()).unwrap_err();
    assert_eq!(error, WireError::Version { found: 2 });
    assert!(error.to_string().contains('2') && error.to_string().contains('1'));
}

/// The words of the parser quote the message.
#[test]
fn a_fault_that_quotes_a_message_is_short_and_on_one_line() {
    let long = "x".repeat(5000);
    for text in [format!("{{\"farm\":\"{long}\"}}\n"), "{\"farm\":1,\"job\":\"\\u001b[2J\\n\"}\n".to_owned()]
    {
        let error = decode_report(text.as_bytes()).unwrap_err();
        let told = error.to_string();
        assert!(matches!(error, WireError::Damaged { .. }), "{told}");
        assert!(told.len() < 500 && !told.contains(char::is_control), "{told:?}");
    }
}

#[test]
fn values_beyond_a_limit_are_refused_with_the_limit() {
    let long = report(JobOutcome::Done { body: vec![0; MAX_ANSWER + 1], blobs: Vec::new() });
    assert!(
        matches!(encode_report(&long, &[]), Err(Unfit::Long { limit, .. }) if limit == MAX_ANSWER as u64)
    );
    let blobs = [vec![0; MAX_INLINE + 1]];
    assert!(matches!(encode_report(&done(&blobs), &[&blobs[0]]), Err(Unfit::Long { .. })));
    let many = JobOutcome::Done { body: Vec::new(), blobs: vec![Blob::of(b""); 257] };
    assert!(encode_report(&report(many), &[]).is_err());
    let vast = JobOutcome::Done {
        body: Vec::new(),
        blobs: vec![Blob { digest: Digest::of(b""), bytes: u64::MAX }; 2],
    };
    assert!(encode_report(&report(vast), &[]).is_err());
    assert!(FarmJob::new("two words", 1, *b"").is_err());
}

#[test]
fn decisions_are_read_as_they_were_written() {
    let blob = b"proof".to_vec();
    let decision = JobDecision {
        offers: 3,
        job: job(),
        worker: "worker-1".into(),
        build: "test 1".into(),
        spent: Spent { nodes: 1, millis: 2 },
        answer: b"yes".to_vec(),
        blobs: vec![Blob::of(&blob)],
        inline: vec![(Digest::of(&blob), blob)],
    };
    let bytes = encode_decision(&decision);
    assert_eq!(decode_decision(&bytes).unwrap(), decision);
    assert!((0..bytes.len()).all(|end| decode_decision(&bytes[..end]).is_err()));
}

#[test]
fn a_report_that_waits_in_a_file_is_sent_by_the_next_worker() {
    let folder = Folder::new();
    let queue = folder.open();
    let disk: Arc<dyn Disk> = Arc::new(Simulated::new());
    let file = Path::new("worker.report");
    let blobs = [b"blob".to_vec()];
    let sent = done(&blobs);
    let bytes = encode_report(&sent, &[&blobs[0]]).unwrap();
    stonework_files::replace(&*disk, file, |out| out.write_all(&bytes)).unwrap();
    queue.set_control(Control::Over).unwrap();
    let (mut resent, mut work) = (0, SquaresWork::new(Temper::Honest, Duration::ZERO));
    let worker = Worker::new("worker-1", "test 2").spool(Arc::clone(&disk), file);
    let end = worker.run(&queue, &mut work, &AtomicBool::new(false), &mut |event| {
        resent += u32::from(matches!(event, WorkerEvent::Resent(_)));
    });
    assert_eq!((end.unwrap(), resent), (WorkerEnd::Over, 1));
    let got = queue.reports(Duration::ZERO, 10).unwrap();
    assert_eq!(got[0].report.as_ref().unwrap().0, sent);
    assert!(disk.look(file).unwrap().is_none());
    // A worker that is told to end gives its job back.
    queue.set_control(Control::Running).unwrap();
    queue.publish(&[FarmJob::new("square", 1, *b"7").unwrap()]).unwrap();
    let stop = AtomicBool::new(false);
    let mut slow = SquaresWork::new(Temper::Honest, Duration::from_secs(60));
    let end = Worker::new("slow", "test").run(&queue, &mut slow, &stop, &mut |event| {
        if matches!(event, WorkerEvent::Began(_)) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    assert_eq!(end.unwrap(), WorkerEnd::Stopped);
    assert_eq!(queue.depth().unwrap().waiting, 1);
}

/// It was removed, as if it were damaged.
#[test]
fn a_report_of_another_version_stays_in_its_file() {
    let folder = Folder::new();
    let disk: Arc<dyn Disk> = Arc::new(Simulated::new());
    let file = Path::new("worker.report");
    let bytes = encode_report(&done(&[]), &[]).unwrap();
    let later = String::from_utf8(bytes).unwrap().replacen("\"farm\":1", "\"farm\":2", 1).into_bytes();
    stonework_files::replace(&*disk, file, |out| out.write_all(&later)).unwrap();
    let worker = Worker::new("worker-1", "test 1").spool(Arc::clone(&disk), file);
    let mut work = SquaresWork::new(Temper::Honest, Duration::ZERO);
    let queue = folder.open();
    queue.set_control(Control::Over).unwrap();
    let end = worker.run(&queue, &mut work, &AtomicBool::new(false), &mut |_| {});
    let why = end.unwrap_err().to_string();
    assert!(why.contains("worker.report: the message has version 2") && why.contains("version 1"), "{why}");
    assert_eq!(stonework_files::read_bytes(&*disk, file, 1 << 16).unwrap(), later);
}

/// Two equal blobs, of which one had a place in the report, were both written there: 256 of them made a report of 64 MiB.
#[test]
fn a_report_has_no_more_bytes_of_blobs_than_were_given() {
    let bytes = vec![7; 1000];
    let report = done(&vec![bytes.clone(); 3]);
    for given in 0..=3 {
        let message = encode_report(&report, &vec![&bytes[..]; given]).unwrap();
        assert!((1000 * given..1000 * given + 1000).contains(&message.len()), "{}", message.len());
        let (read, inline) = decode_report(&message).unwrap();
        assert_eq!((read, inline), (report.clone(), vec![(Blob::of(&bytes).digest, bytes.clone()); given]));
    }
}
