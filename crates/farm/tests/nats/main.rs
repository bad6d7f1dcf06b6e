//! The laws on a real NATS server, which each test starts for itself on a free port of this machine. To run them:
//! `apt-get install nats-server`, then `cargo test -p stonework-farm --features nats -- --include-ignored`.

mod port;
mod server;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use server::{Cluster, Server};
use stonework_farm::laws::{self, Carrier};
use stonework_farm::{
    Blob, Control, Digest, FarmJob, FarmJobId, JetStream, JetStreamOptions, JobOffer, JobOutcome, Leading,
    Login, MAX_BLOB, MAX_INLINE, Queue, QueueError, Spent, WorkReport,
};

impl Carrier for Server {
    fn connect(&self) -> Arc<dyn Queue> {
        let options = JetStreamOptions { term: Duration::from_millis(800), ..JetStreamOptions::default() };
        Arc::new(JetStream::connect(&self.url(), options).unwrap())
    }

    fn interrupt(&self) {
        self.kill();
        self.start();
    }
}

#[test]
#[ignore = "needs nats-server: cargo test -p stonework-farm --features nats --test nats -- --ignored (in .ci/run)"]
fn a_server_keeps_the_laws_of_queues() {
    laws::queue(|| Server::new("")).unwrap();
}

#[test]
#[ignore = "needs nats-server: cargo test -p stonework-farm --features nats --test nats -- --ignored (in .ci/run)"]
fn a_farm_on_a_server_keeps_its_laws() {
    laws::farm(|| Server::new("")).unwrap();
}

/// The accounts of `docs/farm/nats.conf`.
fn accounts() -> String {
    let text = include_str!("../../../../docs/farm/nats.conf");
    text[text.find("authorization").unwrap()..].to_owned()
}

fn connect(server: &Server, user: &str, password: &str, makes: bool) -> JetStream {
    let login = Login::Password { user: user.to_owned(), password: password.to_owned() };
    let term = Duration::from_secs(2);
    JetStream::connect(&server.url(), JetStreamOptions { term, makes, login, ..JetStreamOptions::default() })
        .unwrap()
}

#[test]
#[ignore = "needs nats-server: cargo test -p stonework-farm --features nats --test nats -- --ignored (in .ci/run)"]
fn a_workers_account_does_jobs_and_may_do_nothing_else() {
    let server = Server::new(&accounts());
    let coordinator = connect(&server, "coordinator", "CHANGE-ME", true);
    let Leading::Taken(lead) = coordinator.lead("one").unwrap() else { panic!("held") };
    let job = FarmJob::new("law", 1, *b"1").unwrap();
    coordinator.publish(std::slice::from_ref(&job)).unwrap();
    let worker = connect(&server, "worker", "CHANGE-ME-TOO", false);
    let JobOffer::Job(lease) = worker.lease("w", Duration::from_secs(5)).unwrap() else { panic!("no job") };
    let blob = vec![3; MAX_INLINE + 1];
    let outcome = JobOutcome::Done { body: b"x".to_vec(), blobs: vec![Blob::of(&blob)] };
    let (name, build) = ("w".to_owned(), "test 1".to_owned());
    let report = WorkReport { job: job.id(), worker: name, build, spent: Spent::default(), outcome };
    worker.report(Some(&lease), &report, std::slice::from_ref(&blob)).unwrap();
    // A file that jobs name, in several messages.
    let file: Vec<u8> = (0..MAX_INLINE + 77).map(|at| (at % 251) as u8).collect();
    let digest = coordinator.put(&file).unwrap();
    assert_eq!(worker.get(&digest, MAX_BLOB).unwrap(), Some(file));
    assert!(worker.get(&digest, 1000).is_err());
    assert_eq!(worker.get(&Blob::of(b"nothing").digest, MAX_BLOB).unwrap(), None);
    assert!(worker.decide(&lead, 0, &[b"lie".to_vec()]).is_err());
    assert!(worker.publish(&[FarmJob::new("law", 1, *b"2").unwrap()]).is_err());
    let other = connect(&server, "worker", "CHANGE-ME-TOO", false);
    assert_eq!(other.hints(0).unwrap(), []);
    let since = std::time::Instant::now();
    while other.hints(0).unwrap().is_empty() {
        worker.hint("w", b"a hint").unwrap();
        assert!(since.elapsed() < Duration::from_secs(10), "a worker may tell hints and hear them");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(worker.reports(Duration::from_secs(2), 1).map_or(true, |got| got.is_empty()));
    assert!(worker.lead("other").is_err());
    assert!(worker.clear().is_err());
    assert!(worker.set_control(Control::Cancelled).is_err());
    assert!(worker.shut_out("other").is_err());
    assert!(worker.set_status(b"{}").is_err());
    // Nothing of it had an effect.
    assert_eq!(coordinator.decided().unwrap(), 0);
    assert_eq!(coordinator.control().unwrap(), Control::Running);
    assert_eq!(coordinator.depth().unwrap().waiting, 0);
    let got = coordinator.reports(Duration::from_secs(5), 10).unwrap();
    assert_eq!(got[0].report.as_ref().unwrap().0, report);
    assert_eq!(coordinator.get(&Blob::of(&blob).digest, MAX_BLOB).unwrap(), Some(blob));
    let stranger = connect(&server, "worker", "a guess", false);
    assert!(stranger.lease("w", Duration::ZERO).is_err());
}

/// Makes a certificate for 127.0.0.1, signed by an authority of its own. Returns the authority, the certificate and its key.
fn certificates(folder: &Path) -> [PathBuf; 3] {
    std::fs::create_dir_all(folder).unwrap();
    let [root, root_key, server, server_key, request, names] =
        ["root.pem", "root.key", "server.pem", "server.key", "server.csr", "names"]
            .map(|name| folder.join(name));
    std::fs::write(&names, "subjectAltName=IP:127.0.0.1\n").unwrap();
    let openssl = |words: &[&str], files: &[(&str, &Path)]| {
        let mut command = Command::new("openssl");
        command.args(words);
        for (option, file) in files {
            command.arg(option).arg(file);
        }
        let output = command.output().expect("openssl: apt-get install openssl");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    let of_root = [&["req", "-x509", "-days", "2", "-subj", "/CN=farm-test-root"], &key[..]].concat();
    openssl(&of_root, &[("-keyout", &root_key), ("-out", &root)]);
    let of_server = [&["req", "-new", "-subj", "/CN=127.0.0.1"], &key[..]].concat();
    openssl(&of_server, &[("-keyout", &server_key), ("-out", &request)]);
    let sign = ["x509", "-req", "-days", "2", "-CAcreateserial"];
    let files: [(&str, &Path); 5] =
        [("-in", &request), ("-CA", &root), ("-CAkey", &root_key), ("-extfile", &names), ("-out", &server)];
    openssl(&sign, &files);
    [root, server, server_key]
}

#[test]
#[ignore = "needs nats-server and openssl: cargo test -p stonework-farm --features nats --test nats -- --ignored (in .ci/run)"]
fn a_server_with_tls_takes_each_role_by_its_password_and_its_own_certificate_alone() {
    let folder = std::env::temp_dir().join(format!("stonework-nats-tls-{}", std::process::id()));
    let [root, certificate, key] = certificates(&folder);
    let tls = format!("tls {{ cert_file: {certificate:?}, key_file: {key:?} }}\n{}", accounts());
    let server = Server::new(&tls);
    let url = server.url().replace("nats://", "tls://");
    let connect = |user: &str, password: &str, makes: bool, roots: Option<&Path>| {
        let login = Login::Password { user: user.to_owned(), password: password.to_owned() };
        let (roots, tls) = (roots.map(Path::to_owned), true);
        JetStream::connect(&url, JetStreamOptions { makes, login, roots, tls, ..JetStreamOptions::default() })
    };
    let coordinator = connect("coordinator", "CHANGE-ME", true, Some(&root)).unwrap();
    let Leading::Taken(lead) = coordinator.lead("one").unwrap() else { panic!("held") };
    coordinator.publish(&[FarmJob::new("law", 1, *b"1").unwrap()]).unwrap();
    let worker = connect("worker", "CHANGE-ME-TOO", false, Some(&root)).unwrap();
    let JobOffer::Job(_) = worker.lease("w", Duration::from_secs(5)).unwrap() else { panic!("no job") };
    assert!(worker.decide(&lead, 0, &[b"lie".to_vec()]).is_err());
    assert_eq!(coordinator.decided().unwrap(), 0);
    // A wrong password, a certificate that nobody known has signed, and a connection without TLS do nothing.
    let may_lease =
        |queue: Result<JetStream, QueueError>| queue.and_then(|queue| queue.lease("w", Duration::ZERO));
    for (password, root, why) in
        [("a guess", Some(&*root), "authorization violation"), ("CHANGE-ME-TOO", None, "IO error")]
    {
        let error = may_lease(connect("worker", password, false, root)).unwrap_err().to_string();
        assert_eq!(error, format!("no connection to the server {}: {why}", server.address()));
    }
    let login = Login::Password { user: "worker".to_owned(), password: "CHANGE-ME-TOO".to_owned() };
    let plain = JetStreamOptions { makes: false, login, ..JetStreamOptions::default() };
    assert!(may_lease(JetStream::connect(&server.url(), plain)).is_err());
    drop(server);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Addresses that no server can have are refused at once, without a password in the error.
#[test]
fn an_address_without_a_server_is_refused() {
    for (url, why) in [
        ("", "the server ``: it has no host, such as 127.0.0.1 in `nats://127.0.0.1:4222`"),
        ("127.0.0.1,", "the server ``: it has no host, such as 127.0.0.1 in `nats://127.0.0.1:4222`"),
        ("http://a:secret@b", "the server `b`: invalid scheme for NATS server URL: http"),
    ] {
        let error = JetStream::connect(url, JetStreamOptions::default()).unwrap_err();
        assert_eq!((error.to_string(), error.is_passing()), (format!("not allowed: {why}"), false));
    }
}

#[test]
#[ignore = "needs nats-server: cargo test -p stonework-farm --features nats --test nats -- --ignored (in .ci/run)"]
fn a_server_that_comes_late_is_awaited() {
    let server = Server::new("");
    server.kill();
    let queue = JetStream::connect(&server.url(), JetStreamOptions::default()).unwrap();
    let error = queue.decided().unwrap_err();
    assert!(error.is_passing());
    assert_eq!(error.to_string(), format!("no connection to the server {}: IO error", server.address()));
    server.start();
    let since = std::time::Instant::now();
    while queue.decided().is_err() {
        assert!(since.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A cluster whose servers are interrupted one after the other.
impl Carrier for Cluster {
    fn connect(&self) -> Arc<dyn Queue> {
        let term = Duration::from_millis(800);
        let options = JetStreamOptions { term, replicas: 3, ..JetStreamOptions::default() };
        Arc::new(JetStream::connect(&self.urls(), options).unwrap())
    }

    fn interrupt(&self) {
        self.kill_one().start();
    }
}

#[test]
#[ignore = "four minutes, needs nats-server: cargo test -p stonework-farm --features nats --test nats -- --ignored on_a_cluster (docs/lab/farm-faults.md)"]
fn the_laws_of_queues_hold_on_a_cluster() {
    laws::queue(Cluster::new).unwrap();
}

#[test]
#[ignore = "four minutes, needs nats-server: cargo test -p stonework-farm --features nats --test nats -- --ignored on_a_cluster (docs/lab/farm-faults.md)"]
fn the_laws_of_farms_hold_on_a_cluster() {
    laws::farm(Cluster::new).unwrap();
}

#[test]
#[ignore = "needs nats-server: cargo test -p stonework-farm --features nats --test nats -- --ignored (in .ci/run)"]
fn a_queue_with_three_replicas_goes_on_while_any_one_server_is_away() {
    let cluster = Cluster::new();
    let queue = cluster.connect();
    let job = |number: u8| FarmJob::new("law", 1, vec![number]).unwrap();
    for number in 0..3 {
        let away = cluster.kill_one();
        let since = std::time::Instant::now();
        let patient = |call: &mut dyn FnMut() -> Result<(), QueueError>| {
            while let Err(error) = call() {
                assert!(error.is_passing() && since.elapsed() < Duration::from_secs(120), "{error}");
                std::thread::sleep(Duration::from_millis(50));
            }
        };
        patient(&mut || queue.publish(&[job(number)]));
        patient(&mut || match queue.lease("w", Duration::from_secs(1))? {
            JobOffer::Job(lease) => {
                let (body, blobs) = (b"x".to_vec(), Vec::new());
                let (worker, build, outcome) =
                    ("w".to_owned(), "test 1".to_owned(), JobOutcome::Done { body, blobs });
                let report =
                    WorkReport { job: lease.job.id(), worker, build, spent: Spent::default(), outcome };
                queue.report(Some(&lease), &report, &[])?;
                // An answer may be lost with its server: then an earlier job comes again.
                if lease.job != job(number) {
                    return Err(QueueError::Away("an earlier job".to_owned()));
                }
                Ok(())
            }
            _ => Err(QueueError::Away("no job yet".to_owned())),
        });
        // A decision whose answer is lost is there.
        patient(&mut || match queue.lead("one")? {
            _ if queue.decided()? > number.into() => Ok(()),
            Leading::Taken(lead) => queue.decide(&lead, number.into(), &[vec![number]]),
            Leading::Held { .. } => Err(QueueError::Away("the lead is not free yet".to_owned())),
        });
        away.start();
    }
    assert_eq!(queue.decided().unwrap(), 3);
}

#[test]
#[ignore = "needs nats-server: cargo test -p stonework-farm --features nats --test nats -- --ignored (in .ci/run)"]
fn replicas_without_a_cluster_are_refused() {
    let server = Server::new("");
    let of = |replicas| JetStreamOptions { replicas, ..JetStreamOptions::default() };
    let queue = JetStream::connect(&server.url(), of(3)).unwrap();
    let refused = queue.decided().unwrap_err();
    assert!(!refused.is_passing() && refused.to_string().contains("replicas"), "{refused}");
    let none = JetStream::connect(&server.url(), of(0)).unwrap_err().to_string();
    assert!(none.contains("0 replicas") && none.contains("1 to 5"), "{none}");
}

#[test]
#[ignore = "needs nats-server: cargo test -p stonework-farm --features nats --test nats -- --ignored (in .ci/run)"]
fn the_first_coordinator_sets_the_term_of_all() {
    let server = Server::new(&accounts());
    let connect = |user: &str, password: &str, term, makes| {
        let login = Login::Password { user: user.to_owned(), password: password.to_owned() };
        let term = Duration::from_secs(term);
        let options = JetStreamOptions { term, makes, login, ..JetStreamOptions::default() };
        JetStream::connect(&server.url(), options).unwrap()
    };
    let coordinator = connect("coordinator", "CHANGE-ME", 1, true);
    coordinator.publish(&[FarmJob::new("law", 1, *b"1").unwrap()]).unwrap();
    let worker = connect("worker", "CHANGE-ME-TOO", 10, false);
    let JobOffer::Job(_) = worker.lease("w", Duration::from_secs(5)).unwrap() else { panic!("no job") };
    assert_eq!(worker.term(), Duration::from_secs(1), "the worker extends its leases in time");
    let refused = connect("coordinator", "CHANGE-ME", 7, true).decided().unwrap_err();
    let text = refused.to_string();
    assert!(!refused.is_passing() && text.contains("is 1 s") && text.contains("has 7 s"), "{text}");
    // The same term goes on, and other changes of the state leave it as it is.
    let second = connect("coordinator", "CHANGE-ME", 1, true);
    second.shut_out("liar").unwrap();
    let late = connect("worker", "CHANGE-ME-TOO", 10, false);
    assert_eq!(late.lease("late", Duration::ZERO).unwrap(), JobOffer::Nothing);
    assert_eq!(late.term(), Duration::from_secs(1));
}

/// A queue whose calls are made once more while the server comes back.
fn patiently<T>(mut call: impl FnMut() -> Result<T, QueueError>) -> T {
    let since = std::time::Instant::now();
    loop {
        match call() {
            Ok(value) => return value,
            Err(error) => assert!(since.elapsed() < Duration::from_secs(60), "{error}"),
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A coordinator that stands by may be the first to make the objects again; the leader has to hear that its jobs are gone.
#[test]
#[ignore = "needs nats-server: cargo test -p stonework-farm --features nats --test nats -- --ignored (in .ci/run)"]
fn jobs_that_are_gone_change_the_epoch_whoever_makes_their_stream_again() {
    let cluster = Cluster::new();
    let (leader, other) = (cluster.connect(), cluster.connect());
    let job = FarmJob::new("law", 1, *b"1").unwrap();
    patiently(|| leader.publish(std::slice::from_ref(&job)));
    patiently(|| other.control());
    let epoch = leader.epoch();
    cluster.interrupt_all();
    // All objects are there again before the leader looks.
    patiently(|| other.depth());
    patiently(|| leader.depth());
    assert_ne!(leader.epoch(), epoch);
    patiently(|| leader.publish(std::slice::from_ref(&job)));
    let offer = patiently(|| leader.lease("w", Duration::from_secs(1)));
    assert!(matches!(&offer, JobOffer::Job(lease) if lease.job == job), "{offer:?}");
}

/// Two failures at one job in the same words and the same time are two reports: the job would wait for nobody otherwise.
#[test]
#[ignore = "needs nats-server: cargo test -p stonework-farm --features nats --test nats -- --ignored (in .ci/run)"]
fn a_second_failure_in_the_same_words_comes_and_a_report_that_is_sent_twice_comes_once() {
    let server = Server::new("");
    let queue = server.connect();
    let job = FarmJob::new("law", 1, *b"1").unwrap();
    let outcome = JobOutcome::Failed { why: "no memory".to_owned() };
    let (worker, build) = ("w".to_owned(), "test 1".to_owned());
    let report = WorkReport { job: job.id(), worker, build, spent: Spent::default(), outcome };
    for number in 1..=2 {
        queue.publish(std::slice::from_ref(&job)).unwrap();
        let JobOffer::Job(lease) = queue.lease("w", Duration::from_secs(5)).unwrap() else {
            panic!("no job")
        };
        // The answer to the first attempt may be lost.
        for _ in 0..2 {
            queue.report(Some(&lease), &report, &[]).unwrap();
        }
        let mut came = 0;
        loop {
            let got = queue.reports(Duration::from_millis(300), 10).unwrap();
            if got.is_empty() {
                break;
            }
            came += got.len();
            let receipts: Vec<_> = got.into_iter().map(|delivery| delivery.receipt).collect();
            queue.acknowledge(&receipts).unwrap();
        }
        assert_eq!(came, 1, "failure {number}");
    }
}

/// The jobs of a large farm that one answer makes needless are more than one message has room for.
#[test]
#[ignore = "needs nats-server: cargo test -p stonework-farm --features nats --test nats -- --ignored (in .ci/run)"]
fn any_number_of_jobs_is_withdrawn_at_once() {
    let server = Server::new("");
    let (queue, other) = (server.connect(), server.connect());
    let job = FarmJob::new("law", 1, *b"1").unwrap();
    queue.publish(std::slice::from_ref(&job)).unwrap();
    let JobOffer::Job(lease) = other.lease("w", Duration::from_secs(5)).unwrap() else { panic!("no job") };
    let others = (0..40_000_u32).map(|number| FarmJobId(Digest::of(&number.to_le_bytes())));
    let ids: Vec<FarmJobId> = others.chain([job.id()]).collect();
    queue.withdraw(&ids).unwrap();
    let since = std::time::Instant::now();
    while !other.is_withdrawn(&lease) {
        assert!(since.elapsed() < Duration::from_secs(20), "the worker is not told");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The stream of jobs was made again by the server's restart: a lease of the stream before took the job at its place away.
#[test]
#[ignore = "needs nats-server: cargo test -p stonework-farm --features nats --test nats -- --ignored (in .ci/run)"]
fn a_report_under_a_lease_of_a_server_that_has_ended_takes_no_other_job_away() {
    let server = Server::new("");
    let options = JetStreamOptions { term: Duration::from_secs(20), ..JetStreamOptions::default() };
    let queue = JetStream::connect(&server.url(), options.clone()).unwrap();
    let worker = JetStream::connect(&server.url(), JetStreamOptions { makes: false, ..options }).unwrap();
    let [one, two] = [b"1", b"2"].map(|body| FarmJob::new("law", 1, *body).unwrap());
    queue.publish(&[one.clone(), two.clone()]).unwrap();
    let JobOffer::Job(lease) = worker.lease("w", Duration::from_secs(5)).unwrap() else { panic!("no job") };
    assert_eq!(lease.job, one);
    let epoch = queue.epoch();
    server.kill();
    server.start();
    patiently(|| queue.control());
    assert_ne!(queue.epoch(), epoch);
    patiently(|| queue.publish(&[two.clone(), one.clone()]));
    let outcome = JobOutcome::Failed { why: "no memory".to_owned() };
    let (name, build) = ("w".to_owned(), "test 1".to_owned());
    let report = WorkReport { job: one.id(), worker: name, build, spent: Spent::default(), outcome };
    patiently(|| worker.report(Some(&lease), &report, &[]));
    let reports = patiently(|| queue.reports(Duration::from_secs(5), 1));
    assert_eq!(reports.len(), 1);
    assert_eq!(queue.missing(&[two.id()]).unwrap(), []);
    // The job whose report has come is taken out, although its worker had no lease of the new stream.
    queue.withdraw(&[one.id()]).unwrap();
    let left = patiently(|| worker.lease("v", Duration::from_secs(5)));
    let JobOffer::Job(lease) = left else { panic!("{left:?}") };
    assert_eq!((lease.job, worker.lease("v", Duration::ZERO).unwrap()), (two, JobOffer::Nothing));
}

/// Puts bytes into the store of blobs under a digest that need not be theirs, in messages of a length, as any worker can.
fn put_under(server: &Server, digest: Digest, bytes: &[u8], chunk: Option<usize>) {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        let store = async_nats::jetstream::new(client).get_object_store("SW_farm_BLOBS").await.unwrap();
        let meta = async_nats::jetstream::object_store::ObjectMetadata {
            name: digest.to_string(),
            chunk_size: chunk,
            ..Default::default()
        };
        store.put(meta, &mut &bytes[..]).await.unwrap();
    });
}

/// A worker may write what it likes to the store of blobs: the coordinator asked for each byte.
#[test]
#[ignore = "needs nats-server: cargo test -p stonework-farm --features nats --test nats -- --ignored (in .ci/run)"]
fn a_blob_in_many_small_messages_is_refused() {
    let server = Server::new("");
    let queue = JetStream::connect(&server.url(), JetStreamOptions::default()).unwrap();
    let blob = vec![7; 300];
    queue.control().unwrap();
    put_under(&server, Blob::of(&blob).digest, &blob, Some(1));
    let why = queue.get(&Blob::of(&blob).digest, MAX_BLOB).unwrap_err();
    assert!(
        matches!(&why, QueueError::Foreign(text) if text.contains("messages for 300 bytes, and at most 1 are read")),
        "{why}"
    );
}

/// A worker that guesses the blob of another one and writes other bytes under its digest got the other's report refused.
#[test]
#[ignore = "needs nats-server: cargo test -p stonework-farm --features nats --test nats -- --ignored (in .ci/run)"]
fn other_bytes_under_the_digest_of_a_blob_are_written_over() {
    let server = Server::new("");
    let queue = JetStream::connect(&server.url(), JetStreamOptions::default()).unwrap();
    let blob = vec![7; 300];
    let digest = Blob::of(&blob).digest;
    queue.control().unwrap();
    for (other, chunk) in [(&b"another"[..], None), (&blob[..], Some(1)), (&blob[1..], None)] {
        put_under(&server, digest, other, chunk);
        assert!(queue.get(&digest, MAX_BLOB).is_err());
        assert_eq!(queue.put(&blob).unwrap(), digest);
        assert_eq!(queue.get(&digest, MAX_BLOB).unwrap(), Some(blob.clone()));
    }
}
