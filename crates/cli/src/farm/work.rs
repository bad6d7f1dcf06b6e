//! `farm work`: workers.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use clap::Args;
use serde_json::json;
use stonework_arena::farm::{KIND as GAMES, SELF_PLAY};
use stonework_campaign::proving::{KnownProofs, Learned, ProofWork};
use stonework_farm::{
    FarmJob, FarmWork, HintGroup, Queue, QueueError, WorkSeat, Worked, Worker, WorkerEnd, WorkerEvent,
};
use stonework_files::Disk;
use stonework_havannah::Position;
use stonework_havannah_solver::Solver;
use stonework_search::Limits;
use stonework_session::Registry;

use super::carrier::CarrierArgs;
use crate::arena_farm::{GamesWork, games_work};
use crate::engines::{bytes, interrupted};
use crate::failure::{Failure, say};
use crate::help;
use crate::out::Out;
use crate::start::HAVANNAH;

/// The program and its version, in each report.
pub(crate) const BUILD: &str = concat!("stonework ", env!("CARGO_PKG_VERSION"));

/// Do jobs of a campaign, a match, a tuning or self-play, until it is over or Ctrl-C
#[derive(Args)]
#[command(after_long_help = help::FARM)]
pub(crate) struct WorkArgs {
    #[command(flatten)]
    carrier: CarrierArgs,
    #[command(flatten)]
    hands: Hands,
    /// The name of this machine, in reports; unless given, of this process. Each of several threads adds its number:
    /// NAME-1, NAME-2, …. On a server, the account must have the right to report under these names
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Seconds for which a worker waits for its coordinator: where no campaign has begun, 5 unless given, and where the campaign is over,
    /// 30 unless given
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(0..=86_400))]
    wait: Option<u32>,
    /// A directory for reports that cannot be sent while the server is away; the next worker of this name sends them
    #[arg(long, value_name = "DIR")]
    spool: Option<PathBuf>,
}

/// The threads of a worker.
#[derive(Args, Clone)]
pub(super) struct Hands {
    /// Jobs at a time; all threads share one table
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(0..=1024))]
    pub(super) threads: u16,
    /// Search one job at a time with all threads, instead of a job for each thread
    #[arg(long)]
    together: bool,
    /// Memory for the table, such as 512MiB or 4GiB
    #[arg(long, value_name = "BYTES", default_value = "256MiB", value_parser = bytes)]
    memory: usize,
    /// Begin with the proofs of this directory, which `farm export` of another campaign has written
    #[arg(long, value_name = "DIR")]
    known: Option<PathBuf>,
}

/// The end of one thread.
struct End {
    worker: String,
    result: Result<WorkerEnd, QueueError>,
    jobs: u64,
    nodes: u64,
}

impl Hands {
    /// Works in threads of a scope, until `stop` is set or until the campaign is over: one that is over from the beginning after a time to
    /// [`wait`](Worker::waits). Without this time a coordinator is beside the threads, and `stop` alone ends them. Each thread opens its
    /// own queue. Reports that cannot be sent go to the folder `spool`.
    pub(super) fn work<'scope>(
        &self,
        scope: &'scope thread::Scope<'scope, '_>,
        open: &'scope (dyn Fn() -> Result<Arc<dyn Queue>, Failure> + Sync),
        name: &str,
        (disk, spool): (&Arc<dyn Disk>, Option<&Path>),
        games: Option<&GamesMaker<'_>>,
        (stop, wait): (&'scope AtomicBool, Option<Duration>),
    ) -> Result<Vec<thread::ScopedJoinHandle<'scope, Result<EndOfThread, Failure>>>, Failure> {
        let (seats, threads) =
            if self.together { (self.threads.min(1), self.threads) } else { (self.threads, 1) };
        let limits = Limits::none().bytes(self.memory);
        let options = Solver::options().threads(threads.max(1).into()).keep(true).both_sides(true);
        let mut first = Solver::new(options).map_err(Failure::input)?;
        let group = HintGroup::new(name);
        let known = self.known.as_deref().map(|folder| known_proofs(folder, disk)).transpose()?;
        let hands = (1..=seats)
            .map(|number| {
                let worker = if seats == 1 { name.to_owned() } else { format!("{name}-{number}") };
                let mut hand = Worker::new(worker.clone(), BUILD).hints(group.clone());
                if let Some(folder) = spool {
                    hand = hand.spool(Arc::clone(disk), folder.join(format!("{worker}.report")));
                }
                hand = match wait {
                    Some(time) => hand.waits(time),
                    None => hand.stays(),
                };
                let work = ProofWork::<Position, _>::new(HAVANNAH, first.beside(&limits), &limits);
                let work = match &known {
                    Some(known) => work.known(known.clone()),
                    None => work,
                };
                let work = AnyWork { proofs: work, games: games.map(|make| make()) };
                scope.spawn(move || {
                    let end = open().map(|queue| one(&*queue, worker.clone(), &hand, work, stop));
                    if wait.is_none() {
                        // The coordinator may wait for days, and so would the news of this end.
                        tell_end(&worker, &end);
                    }
                    end.map(EndOfThread)
                })
            })
            .collect();
        Ok(hands)
    }
}

/// The proof files of a directory, in the order of their names.
fn known_proofs(folder: &Path, disk: &Arc<dyn Disk>) -> Result<KnownProofs, Failure> {
    let unreadable = |error| Failure::input(format!("--known {}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|ending| ending == "proof") {
            files.push(path);
        }
    }
    if files.is_empty() {
        return Err(Failure::input(format!("--known {}: no files that end in .proof", folder.display())));
    }
    files.sort();
    let name = folder.display().to_string();
    Ok(KnownProofs::new(Arc::clone(disk), files, move |Learned { proofs, positions, refused, .. }| {
        for (path, why) in refused {
            say(format_args!("--known {}: left out: {why}", path.display()));
        }
        say(format_args!("--known {name}: {proofs} proofs with {positions} positions"));
    }))
}

/// Makes the work of a thread that plays games.
pub(super) type GamesMaker<'a> = dyn Fn() -> GamesWork + 'a;

/// The work of any kind that this program knows.
struct AnyWork {
    proofs: ProofWork<Position, Solver>,
    games: Option<GamesWork>,
}

impl FarmWork for AnyWork {
    fn work(&mut self, job: &FarmJob, seat: &WorkSeat) -> Worked {
        match &mut self.games {
            Some(games) if [GAMES, SELF_PLAY].contains(&job.kind()) => games.work(job, seat),
            _ => self.proofs.work(job, seat),
        }
    }

    fn hear(&mut self, hint: &[u8]) {
        self.proofs.hear(hint);
    }

    fn hint(&mut self) -> Option<Vec<u8>> {
        self.proofs.hint()
    }
}

/// Says why a worker beside a coordinator has ended too early.
fn tell_end(worker: &str, end: &Result<End, Failure>) {
    let why: &dyn std::fmt::Display = match end {
        Err(Failure::Input(why)) => why,
        Err(_) => &"it cannot begin",
        Ok(End { result: Err(error), .. }) => error,
        Ok(End { result: Ok(WorkerEnd::ShutOut), .. }) => &"shut out after bad answers",
        Ok(_) => return,
    };
    say(format_args!(
        "{worker}: this worker has ended: {why}; without other workers the jobs wait for `farm work`, or for the same command \
         after Ctrl-C"
    ));
}

/// Runs a coordinator with workers beside it. The flag that ends the workers is set in the end, also by a panic: the panic would
/// wait for ever for the workers' threads.
pub(crate) fn beside_workers<T>(over: &AtomicBool, coordinate: impl FnOnce() -> T) -> T {
    struct Ends<'a>(&'a AtomicBool);
    impl Drop for Ends<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let _ends = Ends(over);
    coordinate()
}

/// The end of one thread, for [`WorkArgs::run`].
pub(super) struct EndOfThread(End);

fn one(queue: &dyn Queue, name: String, worker: &Worker, mut work: AnyWork, stop: &AtomicBool) -> End {
    let (mut jobs, mut nodes) = (0, 0);
    let end = worker.run(queue, &mut work, stop, &mut |event| match event {
        WorkerEvent::Reported(report) => {
            jobs += 1;
            nodes += report.spent.nodes;
        }
        WorkerEvent::Away(error, time) => {
            say(format_args!("{name}: {error}; once more in {:.1} s", time.as_secs_f64()));
        }
        _ => {}
    });
    End { worker: name, result: end, jobs, nodes }
}

impl WorkArgs {
    pub(super) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        if self.hands.threads == 0 {
            return Err(Failure::input("--threads 0: a worker has 1 to 1024 threads"));
        }
        let stop = interrupted();
        let name = self.name.clone().unwrap_or_else(|| format!("process-{}", std::process::id()));
        if let Some(folder) = &self.spool {
            let made = out.disk().make_directory(folder);
            made.map_err(|error| Failure::input(format!("--spool {}: {error}", folder.display())))?;
        }
        let files = (out.disk(), self.spool.as_deref());
        let seconds = |unless_given| Duration::from_secs(self.wait.unwrap_or(unless_given).into());
        self.carrier.wait(seconds(5), &stop);
        let first = self.carrier.open(false)?;
        // A connection to a server serves all threads; a file is opened by each.
        let is_shared = self.carrier.server.is_some();
        let open = || if is_shared { Ok(Arc::clone(&first)) } else { self.carrier.open(false) };
        let games = || games_work(registry, &first, &stop);
        let wait = seconds(30);
        let ends = thread::scope(|scope| {
            let threads = self.hands.work(scope, &open, &name, files, Some(&games), (&stop, Some(wait)))?;
            let ends = threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            Ok::<_, Failure>(ends.collect::<Vec<_>>())
        })?;
        for end in ends {
            let EndOfThread(End { worker, result: end, jobs, nodes }) = end?;
            let end = match end.map_err(Failure::input)? {
                WorkerEnd::Stopped => "stopped",
                WorkerEnd::Over => "over",
                WorkerEnd::ShutOut => "shut out",
            };
            if out.wants_json() {
                out.object(&json!({ "worker": worker, "end": end, "jobs": jobs, "nodes": nodes }))?;
            } else {
                writeln!(out, "{worker}: {end}, {jobs} jobs, {nodes} nodes")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    /// The command hung: its scope waited for the workers, and the workers for the flag.
    #[test]
    fn a_panic_of_a_coordinator_ends_the_workers_beside_it() {
        let over = AtomicBool::new(false);
        let run = || beside_workers(&over, || panic!("a plan has failed"));
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        assert!(over.load(Ordering::Relaxed));
        over.store(false, Ordering::Relaxed);
        assert_eq!(beside_workers(&over, || 7), 7);
        assert!(over.load(Ordering::Relaxed));
    }
}
