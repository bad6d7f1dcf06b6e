//! The processes of a program, found in `/proc`.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::thread;
use std::time::{Duration, Instant};

use procfs::process::{ProcState, Process, Stat, all_processes};
use rustix::process::{Pid, Signal, getuid, kill_process};

use crate::MARK;

/// The time limit of killing, if new processes keep appearing or killed processes do not end.
const PATIENCE: Duration = Duration::from_secs(3);

/// The processes of a program: its first process, and the marks of its descendants.
#[derive(Debug)]
pub(crate) struct Family {
    /// The first process, which leads the group.
    leader: i32,
    /// The start of the first process, in the system's ticks: no process of the program is older.
    born: u64,
    /// The name that the marks of all processes contain.
    name: OsString,
}

impl Family {
    pub(crate) fn new(leader: u32, name: OsString) -> Self {
        let leader = i32::try_from(leader).unwrap_or(i32::MAX);
        let born = Process::new(leader).and_then(|process| process.stat()).map_or(0, |stat| stat.starttime);
        Self { leader, born, name }
    }

    /// The processor time of all processes; `None` if there is none.
    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        let found = self.members(&HashSet::new());
        let waited = |ticks: i64| u64::try_from(ticks).unwrap_or(0);
        let ticks = |s: &Stat| s.utime + s.stime + waited(s.cutime) + waited(s.cstime);
        let ticks: u64 = found.iter().map(ticks).sum();
        let second = procfs::ticks_per_second().max(1);
        (!found.is_empty()).then(|| Duration::from_millis(ticks.saturating_mul(1000) / second))
    }

    /// Kills all processes, including processes that start in the meantime, and waits until none of them runs.
    pub(crate) fn kill(&self) {
        let since = Instant::now();
        let dead = |stat: &Stat| matches!(stat.state(), Ok(ProcState::Zombie | ProcState::Dead));
        // A killed process runs on for a moment. If its parent is gone by then, nothing else tells that it belongs here.
        let mut struck = HashSet::new();
        loop {
            let members = self.members(&struck);
            let alive: Vec<&Stat> = members.iter().filter(|stat| !dead(stat)).collect();
            if alive.is_empty() || since.elapsed() >= PATIENCE {
                return;
            }
            for stat in alive {
                struck.insert(identity(stat));
                // A process of another user cannot be killed, and an ended process needs no kill.
                let _ = Pid::from_raw(stat.pid).map(|pid| kill_process(pid, Signal::KILL));
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// The processes of the program, including ended processes that no process has waited for. The processes in `seen` are
    /// known to belong to the program.
    fn members(&self, seen: &HashSet<(i32, u64)>) -> Vec<Stat> {
        let Ok(processes) = all_processes() else { return Vec::new() };
        // A process that ends during the look-up is left out.
        let young = |process: Process| Some((process.stat().ok()?, process));
        let mut others: Vec<(Stat, Process)> = processes
            .flatten()
            .filter_map(young)
            .filter(|(stat, _)| stat.starttime >= self.born || stat.pid == self.leader)
            .collect();
        let mut known = HashSet::from([self.leader]);
        let mut members = Vec::new();
        let marked = |process: &Process| {
            let mine = process.uid().is_ok_and(|uid| uid == getuid().as_raw());
            let environment = if mine { process.environ().ok() } else { None };
            environment
                .and_then(|all| all.get(OsStr::new(MARK)).map(|mark| self.names(mark)))
                .unwrap_or(false)
        };
        // Children may stand before their parents, and a daemon's children need not have its mark.
        let mut marks_read = false;
        loop {
            let before = others.len();
            others.retain(|(stat, process)| {
                let member = stat.pid == self.leader
                    || seen.contains(&identity(stat))
                    || stat.pgrp == self.leader
                    || known.contains(&stat.ppid)
                    || (!marks_read && marked(process));
                if member {
                    known.insert(stat.pid);
                    members.push(stat.clone());
                }
                !member
            });
            marks_read = true;
            if others.len() == before {
                return members;
            }
        }
    }

    /// `true` if a mark contains the name.
    fn names(&self, mark: &OsStr) -> bool {
        let (mark, name) = (mark.as_bytes(), self.name.as_bytes());
        mark.windows(name.len()).any(|part| part == name)
    }
}

/// The process identifier and the start of a process. The system may give the identifier alone to a later process.
fn identity(stat: &Stat) -> (i32, u64) {
    (stat.pid, stat.starttime)
}
