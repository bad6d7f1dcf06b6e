//! Campaigns under faults, by the program itself: processes that are killed and stopped at random, a server that is killed,
//! a network that is cut, a disk that is full, a worker that reports late and twice, a worker that lies. Each run must find the same theorem, with a proof set that holds and each job counted once.
//!
//! ```sh
//! cargo build --release -p stonework-cli --features nats
//! STONEWORK=$PWD/target/release/stonework RUNS=50 \
//!     cargo test -p stonework-cli --test farm_faults -- --ignored --nocapture --test-threads 1
//! ```
//!
//! `STONEWORK` is the program; unless given, the one that the tests are built with. `RUNS` is the number of runs of each
//! kind, 2 unless given; `SEED` the seed of the first one; `ROOT` the arguments of the position and of its jobs, b2 d4 of
//! size 4 with jobs of 5000 nodes unless given; `OUTCOME` its value, white unless given. `KINDS` names some of the kinds, such as `Liar,Twice`.

#![cfg(unix)]

#[path = "../../farm/tests/nats/port.rs"]
mod port;

use std::collections::{BTreeMap, HashMap};
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rand_core::{RngCore as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;
use stonework_campaign::proving::ProofWork;
use stonework_farm::{
    Blob, Coordinator, Embedded, EmbeddedOptions, FarmJob, FarmJobId, FarmWork, JobDecision, JobOffer,
    JobOutcome, Queue as _, Spent, WorkReport, WorkSeat, Worked, Worker,
};
use stonework_files::System;
use stonework_havannah::Position;
use stonework_havannah_solver::Solver;
use stonework_search::Limits;

/// The kinds of runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Fault {
    None,
    KillWorkers,
    KillCoordinator,
    KillServer,
    KillAny,
    StopWorker,
    StopServer,
    /// The network between the workers and the server is cut for a while: connections stay, and nothing passes.
    Partition,
    /// The coordinator's files cannot grow for a while.
    FullDisk,
    /// A worker reports late, and twice.
    Twice,
    Liar,
    /// Each of the other kinds of its place, one after the other in random order, and all bad workers at the same time.
    Every,
}

/// The campaign, unless the setting `ROOT` says another one.
const ROOT: &str = "--size 4 --moves b2,d4 --job-nodes 5000";

fn setting(name: &str, otherwise: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| otherwise.to_owned())
}

fn program() -> String {
    setting("STONEWORK", env!("CARGO_BIN_EXE_stonework"))
}

/// A process that is killed with this value.
struct Process {
    command: Vec<String>,
    output: PathBuf,
    child: Option<Child>,
}

impl Process {
    fn new(command: Vec<String>, output: PathBuf) -> Self {
        let mut process = Self { command, output, child: None };
        process.start();
        process
    }

    fn start(&mut self) {
        let output = std::fs::OpenOptions::new().create(true).append(true).open(&self.output).unwrap();
        let error = output.try_clone().unwrap();
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]).stdin(Stdio::null()).stdout(output).stderr(error);
        self.child = Some(command.spawn().unwrap_or_else(|error| panic!("{}: {error}", self.command[0])));
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Sends a signal, unless the process has ended: its number may be another's by then.
    fn signal(&mut self, name: &str) {
        if self.has_ended() {
            return;
        }
        let Some(child) = &self.child else { return };
        let _ = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    }

    fn has_ended(&mut self) -> bool {
        self.child.as_mut().is_none_or(|child| child.try_wait().is_ok_and(|status| status.is_some()))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.signal("CONT");
        self.kill();
    }
}

/// One run of a campaign.
struct Run {
    folder: PathBuf,
    server: Option<Process>,
    port: u16,
    /// The way of the workers to the server.
    proxy: Option<Arc<Proxy>>,
    coordinator: Process,
    workers: Vec<Process>,
    /// How often each kind of harm was done.
    harms: BTreeMap<Fault, u32>,
}

impl Run {
    fn new(on_server: bool, fault: Fault) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("stonework-faults-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let port = port::free_port();
        let server = on_server.then(|| {
            let store = folder.join("store").display().to_string();
            let words = ["nats-server", "-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd", &store];
            let server = Process::new(words.map(str::to_owned).to_vec(), folder.join("server.log"));
            wait_for(port);
            server
        });
        let proxy = on_server.then(|| Proxy::new(port));
        let farm = folder.join("farm").display().to_string();
        let carrier_at = |port: u16| {
            if on_server {
                format!("--server nats://127.0.0.1:{port} --term 1")
            } else {
                format!("--dir {farm} --term 1")
            }
        };
        let carrier = carrier_at(port);
        let root = setting("ROOT", ROOT);
        let words = |text: String| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
        let dir = if on_server { format!("--dir {farm}") } else { String::new() };
        let coordinate = format!("{} farm coordinate {carrier} {dir} {root} --threads 0 --json", program());
        let coordinator = Process::new(words(coordinate), folder.join("coordinator.log"));
        let since = Instant::now();
        while !on_server && !folder.join("farm/farm.db").exists() && since.elapsed() < Duration::from_secs(20)
        {
            thread::sleep(Duration::from_millis(10));
        }
        thread::sleep(Duration::from_millis(100));
        let count = if matches!(fault, Fault::Liar | Fault::Twice) { 1 } else { 2 };
        let carrier = carrier_at(proxy.as_ref().map_or(port, |proxy| proxy.port));
        let workers = (1..=count)
            .map(|number| {
                let work =
                    format!("{} farm work {carrier} --name worker-{number} --memory 64MiB --json", program());
                Process::new(words(work), folder.join(format!("worker-{number}.log")))
            })
            .collect();
        Self { folder, server, port, proxy, coordinator, workers, harms: BTreeMap::new() }
    }

    /// The last line of the coordinator, if it has ended with one.
    fn result(&self) -> Option<Value> {
        let text = std::fs::read_to_string(self.folder.join("coordinator.log")).ok()?;
        let last = text.lines().rev().find(|line| line.starts_with('{'))?;
        let value: Value = serde_json::from_str(last).ok()?;
        (value["event"] == "over").then_some(value)
    }

    /// Starts a server again that has ended by itself, as a service manager does: nats-server 2.9.10 may end so after a pause.
    fn keep_server(&mut self) {
        let Some(server) = self.server.as_mut() else { return };
        if server.has_ended() {
            let log = std::fs::read_to_string(&server.output).unwrap_or_default();
            let why = log.lines().rev().find(|line| line.starts_with("panic:")).unwrap_or("see its log");
            println!("the server has ended by itself and is started again: {why}");
            server.start();
            wait_for(self.port);
        }
    }

    /// Does harm once.
    fn harm(&mut self, fault: Fault, random: &mut Xoshiro256PlusPlus) {
        use Fault::{
            Every, FullDisk, KillAny, KillCoordinator, KillServer, KillWorkers, Partition, StopServer,
            StopWorker,
        };
        let kinds: &[Fault] = match (fault, self.server.is_some()) {
            (KillAny, true) => &[KillWorkers, KillCoordinator, KillServer],
            (KillAny, false) => &[KillWorkers, KillCoordinator],
            (Every, true) => &[KillWorkers, KillCoordinator, KillServer, StopWorker, StopServer, Partition],
            (Every, false) => &[KillWorkers, KillCoordinator, StopWorker, FullDisk],
            _ => &[fault],
        };
        let fault = kinds[random.next_u32() as usize % kinds.len()];
        let worker = random.next_u32() as usize % self.workers.len();
        if !matches!(fault, Fault::None | Fault::Liar | Fault::Twice) {
            *self.harms.entry(fault).or_default() += 1;
        }
        match fault {
            KillWorkers => {
                self.workers[worker].kill();
                self.workers[worker].start();
            }
            KillCoordinator => {
                self.coordinator.kill();
                self.coordinator.start();
            }
            KillServer => {
                if let Some(server) = &mut self.server {
                    server.kill();
                    server.start();
                    wait_for(self.port);
                }
            }
            StopWorker => {
                // Longer than a lease: the job goes to another worker, and the report of this one is late.
                self.workers[worker].signal("STOP");
                thread::sleep(Duration::from_millis(2500));
                self.workers[worker].signal("CONT");
            }
            StopServer => {
                if let Some(server) = &mut self.server {
                    server.signal("STOP");
                    thread::sleep(Duration::from_millis(2500));
                    server.signal("CONT");
                }
            }
            Partition => {
                if let Some(proxy) = &self.proxy {
                    proxy.is_cut.store(true, Ordering::Relaxed);
                    thread::sleep(Duration::from_millis(2500));
                    proxy.is_cut.store(false, Ordering::Relaxed);
                }
            }
            FullDisk => self.fill_disk(),
            KillAny | Every => unreachable!("{fault:?} stands for other kinds"),
            Fault::None | Fault::Liar | Fault::Twice => {}
        }
    }
}

impl Run {
    /// Runs the coordinator for a while with a limit for its files, at the present size of the journal and some bytes.
    fn fill_disk(&mut self) {
        let journal = std::fs::metadata(self.folder.join("farm/journal")).map_or(0, |data| data.len());
        self.coordinator.kill();
        let blocks = (journal / 1024 + 8).to_string();
        // The signal is ignored, so that a write beyond the limit is an error, as on a full disk.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        let own = std::mem::take(&mut self.coordinator.command);
        let limited = ["bash", "-c", &script, "bash"].map(str::to_owned);
        self.coordinator.command = limited.into_iter().chain(own.iter().cloned()).collect();
        self.coordinator.start();
        thread::sleep(Duration::from_millis(2500));
        self.coordinator.kill();
        self.coordinator.command = own;
        self.coordinator.start();
    }
}

/// A way to a server that can be cut: bytes wait, and connections stay.
struct Proxy {
    port: u16,
    is_cut: AtomicBool,
}

impl Proxy {
    fn new(server: u16) -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let proxy = Arc::new(Self { port, is_cut: AtomicBool::new(false) });
        let way = Arc::clone(&proxy);
        // The threads end with the test program.
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { continue };
                let (Ok(from_client), Ok(from_server)) = (client.try_clone(), server.try_clone()) else {
                    continue;
                };
                for (from, to) in [(from_client, server), (from_server, client)] {
                    let way = Arc::clone(&way);
                    thread::spawn(move || way.pass(from, &to));
                }
            }
        });
        proxy
    }

    fn pass(&self, mut from: TcpStream, mut to: &TcpStream) {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(count) = from.read(&mut buffer) {
            while self.is_cut.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(10));
            }
            if count == 0 || to.write_all(&buffer[..count]).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        if !thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

fn wait_for(port: u16) {
    let since = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(since.elapsed() < Duration::from_secs(30), "the server does not answer");
        thread::sleep(Duration::from_millis(20));
    }
}

/// A worker that turns every answer round, and damages every second proof.
struct Liar(ProofWork<Position, Solver>, bool);

impl FarmWork for Liar {
    fn work(&mut self, job: &FarmJob, seat: &WorkSeat) -> Worked {
        let Worked::Done { answer, mut blobs, nodes } = self.0.work(job, seat) else { return Worked::Left };
        let text = String::from_utf8(answer).unwrap();
        self.1 = !self.1;
        let text = if text.contains("\"yes\":true") {
            text.replace("\"yes\":true", "\"yes\":false")
        } else {
            text.replace("\"yes\":false", "\"yes\":true")
        };
        if let Some(blob) = blobs.first_mut().filter(|_| self.1) {
            let middle = blob.len() / 2;
            blob[middle] ^= 1;
        }
        Worked::Done { answer: text.into_bytes(), blobs, nodes }
    }
}

/// The worker that lies, beside a campaign in a directory.
fn lie(folder: &Path, stop: &AtomicBool) {
    let queue = Embedded::open(&folder.join("farm"), &EmbeddedOptions::default()).unwrap();
    let solver = Solver::new(Solver::options().keep(true)).unwrap();
    let work = ProofWork::<Position, _>::new("havannah", solver, &Limits::none().bytes(16 << 20));
    // Its end is of no interest: it is shut out, or the campaign is over.
    let _ = Worker::new("liar", "liar 1").run(&queue, &mut Liar(work, false), stop, &mut |_| {});
}

/// A worker, beside a campaign in a directory, whose every second report comes after its lease, and whose every report comes twice.
fn report_twice(folder: &Path, stop: &AtomicBool) {
    let queue = Embedded::open(&folder.join("farm"), &EmbeddedOptions::default()).unwrap();
    let solver = Solver::new(Solver::options().keep(true)).unwrap();
    let mut work = ProofWork::<Position, _>::new("havannah", solver, &Limits::none().bytes(16 << 20));
    let mut is_late = false;
    while !stop.load(Ordering::Relaxed) {
        let lease = match queue.lease("twice", Duration::from_millis(200)) {
            Ok(JobOffer::Job(lease)) => lease,
            Ok(JobOffer::Over) => return,
            _ => continue,
        };
        let Worked::Done { answer, blobs, nodes } = work.work(&lease.job, &WorkSeat::default()) else {
            continue;
        };
        is_late = !is_late;
        if is_late {
            thread::sleep(Duration::from_millis(1500));
        }
        let outcome =
            JobOutcome::Done { body: answer, blobs: blobs.iter().map(|blob| Blob::of(blob)).collect() };
        let spent = Spent { nodes, millis: 1 };
        let (worker, build) = ("twice".to_owned(), "twice 1".to_owned());
        let report = WorkReport { job: lease.job.id(), worker, build, spent, outcome };
        let _ = queue.report(Some(&lease), &report, &blobs);
        let _ = queue.report(None, &report, &blobs);
    }
}

/// The decisions of a journal, and the bytes of their proofs. A position that the tree of jobs has dropped and meets again is asked
/// again, as the same job.
#[derive(Default)]
struct Decided {
    answers: HashMap<FarmJobId, Vec<Vec<u8>>>,
    number: u64,
    bytes: usize,
}

impl Decided {
    /// Reads the journal, which is the coordinator's and may grow meanwhile; it may not be there yet.
    fn read(folder: &Path) -> Self {
        let mut decided = Self::default();
        if folder.join("farm/journal").exists() {
            let coordinator = Coordinator::new(Arc::new(System), folder.join("farm"), "test");
            let each = &mut |decision: &JobDecision| {
                decided.answers.entry(decision.job.id()).or_default().push(decision.answer.clone());
                decided.bytes += decision.inline.iter().map(|(_, proof)| proof.len()).sum::<usize>();
            };
            decided.number = coordinator.read(&mut |_| {}, each).unwrap();
        }
        decided
    }

    /// Checks that all decisions of an earlier state of the journal are there, with the same answers.
    fn goes_on_from(&self, earlier: &Self) {
        for (job, answers) in &earlier.answers {
            let goes_on = self.answers.get(job).is_some_and(|now| now.starts_with(answers));
            assert!(goes_on, "a decision about {job} is lost or changed");
        }
    }
}

/// Goes on from a copy of the journal alone, and returns the result. A decision about a job that the tree has not given out, such as a
/// second one about a job that was given out once, is refused.
fn replayed(folder: &Path) -> Value {
    let (farm, copy) = (folder.join("farm"), folder.join("copy"));
    std::fs::create_dir_all(copy.join("blobs")).unwrap();
    std::fs::copy(farm.join("journal"), copy.join("journal")).unwrap();
    for blob in std::fs::read_dir(farm.join("blobs")).into_iter().flatten() {
        let blob = blob.unwrap();
        std::fs::copy(blob.path(), copy.join("blobs").join(blob.file_name())).unwrap();
    }
    let root = setting("ROOT", ROOT);
    let words = format!("farm coordinate --dir {} {root} --threads 0 --json", copy.display());
    let ran = Command::new(program()).args(words.split_whitespace()).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "a job counts twice: {err}");
    serde_json::from_str(out.lines().last().unwrap()).unwrap()
}

/// Runs a campaign to its end under a fault, and checks its result; nothing that was decided before a fault may be lost.
fn campaign(on_server: bool, fault: Fault, seed: u64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let since = Instant::now();
    let mut run = Run::new(on_server, fault);
    let stop = Arc::new(AtomicBool::new(false));
    let bad: &[fn(&Path, &AtomicBool)] = match fault {
        Fault::Liar => &[lie],
        Fault::Twice => &[report_twice],
        Fault::Every if !on_server => &[lie, report_twice],
        _ => &[],
    };
    let bad: Vec<_> = bad
        .iter()
        .map(|work| {
            let (folder, stop) = (run.folder.clone(), Arc::clone(&stop));
            thread::spawn(move || work(&folder, &stop))
        })
        .collect();
    let limit = Duration::from_secs(setting("LIMIT", "300").parse().unwrap());
    let mut earlier = Decided::default();
    let result = loop {
        let pause = 200 + u64::from(random.next_u32() % 1200);
        let until = Instant::now() + Duration::from_millis(pause);
        while Instant::now() < until && !run.coordinator.has_ended() {
            run.keep_server();
            thread::sleep(Duration::from_millis(20));
        }
        if let Some(result) = run.result() {
            break result;
        }
        let log = run.folder.display();
        assert!(!run.coordinator.has_ended(), "the coordinator has given up: see {log}");
        assert!(since.elapsed() < limit, "no end within {limit:?}: see {log}");
        let decided = Decided::read(&run.folder);
        decided.goes_on_from(&earlier);
        earlier = decided;
        run.harm(fault, &mut random);
    };
    let seconds = since.elapsed().as_secs_f64();
    stop.store(true, Ordering::Relaxed);
    for worker in bad {
        worker.join().unwrap();
    }
    let decided = Decided::read(&run.folder);
    decided.goes_on_from(&earlier);
    let Decided { answers, number, bytes } = decided;
    assert_eq!(result["decided"], number, "a decision is lost");
    assert_eq!(replayed(&run.folder)["decided"], number, "a decision is lost when the journal is read again");
    let again = number - answers.len() as u64;
    assert_eq!(result["outcome"], setting("OUTCOME", "white"), "another theorem");
    let verified = Command::new(program())
        .arg("verify")
        .arg(run.folder.join("farm/set"))
        .arg("--json")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&verified.stdout).into_owned();
    assert!(verified.status.success() && text.contains("\"ok\":true"), "{text}");
    let place = if on_server { "server" } else { "file" };
    println!(
        "{place} {fault:?} seed {seed}: {seconds:.1} s, {} faults, {number} jobs, {again} of them again, {} nodes, {bytes} bytes of proofs, verified; {:?}",
        run.harms.values().sum::<u32>(),
        result["nodes"],
        run.harms
    );
}

fn runs(on_server: bool, faults: &[Fault]) {
    let runs: u64 = setting("RUNS", "2").parse().unwrap();
    let seed: u64 = setting("SEED", "1").parse().unwrap();
    let kinds = setting("KINDS", "");
    let wanted =
        |fault: &Fault| kinds.is_empty() || kinds.split(',').any(|kind| kind == format!("{fault:?}"));
    for &fault in faults.iter().filter(|fault| wanted(fault)) {
        for run in 0..runs {
            campaign(on_server, fault, seed + run);
        }
    }
}

#[test]
#[ignore = "minutes: cargo test -p stonework-cli --test farm_faults -- --ignored --nocapture --test-threads 1 (docs/lab/farm-faults.md)"]
fn a_campaign_in_a_directory_survives_every_fault() {
    use Fault::{Every, FullDisk, KillAny, KillCoordinator, KillWorkers, Liar, StopWorker, Twice};
    runs(
        false,
        &[Fault::None, KillWorkers, KillCoordinator, KillAny, StopWorker, FullDisk, Twice, Liar, Every],
    );
}

#[test]
#[ignore = "needs nats-server, and a program with the feature nats in STONEWORK: see the head of this file (docs/lab/farm-faults.md)"]
fn a_campaign_on_a_server_survives_every_fault() {
    use Fault::{
        Every, KillAny, KillCoordinator, KillServer, KillWorkers, Partition, StopServer, StopWorker,
    };
    let kills = [KillWorkers, KillCoordinator, KillServer, KillAny];
    runs(true, &[&[Fault::None], &kills[..], &[StopWorker, StopServer, Partition, Every]].concat());
}
