//! `farm work`: workers.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;

use clap::Args;
use serde_json::json;
use stonework_arena::farm::{KIND as GAMES, SELF_PLAY};
use stonework_campaign::proving::ProofWork;
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
    /// The name of this machine, in reports; unless given, of this process. On a server, the name that its account may
    /// report under
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// A directory for reports that cannot be sent while the server is away; the next worker of this name sends them
    #[arg(long, value_name = "DIR")]
    spool: Option<PathBuf>,
}

/// The threads of a worker.
#[derive(Args, Clone, Copy)]
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
}

/// The end of one thread.
struct End {
    worker: String,
    result: Result<WorkerEnd, QueueError>,
    jobs: u64,
    nodes: u64,
}

impl Hands {
    /// Works in threads of a scope. Each thread opens its own queue.
    pub(super) fn work<'scope>(
        self,
        scope: &'scope thread::Scope<'scope, '_>,
        open: &'scope (dyn Fn() -> Result<Arc<dyn Queue>, Failure> + Sync),
        name: &str,
        spool: Option<&(Arc<dyn Disk>, PathBuf)>,
        games: Option<&GamesMaker<'_>>,
        stop: &'scope AtomicBool,
    ) -> Result<Vec<thread::ScopedJoinHandle<'scope, Result<EndOfThread, Failure>>>, Failure> {
        let (seats, threads) =
            if self.together { (self.threads.min(1), self.threads) } else { (self.threads, 1) };
        let limits = Limits::none().bytes(self.memory);
        let options = Solver::options().threads(threads.max(1).into()).keep(true).both_sides(true);
        let mut first = Solver::new(options).map_err(Failure::input)?;
        let group = HintGroup::new(name);
        let hands = (1..=seats)
            .map(|number| {
                let worker = if seats == 1 { name.to_owned() } else { format!("{name}-{number}") };
                let spool =
                    spool.map(|(disk, folder)| (Arc::clone(disk), folder.join(format!("{worker}.report"))));
                let work = ProofWork::<Position, _>::new(HAVANNAH, first.beside(&limits), &limits);
                let work = AnyWork { proofs: work, games: games.map(|make| make()) };
                let group = group.clone();
                scope.spawn(move || {
                    let queue = open()?;
                    Ok(EndOfThread(one(&*queue, worker, (work, group), spool, stop)))
                })
            })
            .collect();
        Ok(hands)
    }
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

/// The end of one thread, for [`WorkArgs::run`].
pub(super) struct EndOfThread(End);

fn one(
    queue: &dyn Queue,
    name: String,
    (mut work, group): (AnyWork, HintGroup),
    spool: Option<(Arc<dyn Disk>, PathBuf)>,
    stop: &AtomicBool,
) -> End {
    let mut worker = Worker::new(name.clone(), BUILD).hints(group);
    if let Some((disk, file)) = spool {
        worker = worker.spool(disk, file);
    }
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
        let stop = interrupted();
        let name = self.name.clone().unwrap_or_else(|| format!("process-{}", std::process::id()));
        let spool = match &self.spool {
            Some(folder) => {
                let made = out.disk().make_directory(folder);
                made.map_err(|error| Failure::input(format!("--spool {}: {error}", folder.display())))?;
                Some((Arc::clone(out.disk()), folder.clone()))
            }
            None => None,
        };
        let first = self.carrier.open(false)?;
        // A connection to a server serves all threads; a file is opened by each.
        let is_shared = self.carrier.server.is_some();
        let open = || if is_shared { Ok(Arc::clone(&first)) } else { self.carrier.open(false) };
        let games = || games_work(registry, &first, &stop);
        let ends = thread::scope(|scope| {
            let threads = self.hands.work(scope, &open, &name, spool.as_ref(), Some(&games), &stop)?;
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
