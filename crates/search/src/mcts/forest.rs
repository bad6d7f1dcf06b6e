//! A tree and the threads that work on it.

use std::time::Duration;

use stonework_game::Indexed;

use super::Shared;
use super::options::{Lists, MctsOptions};
use super::parts::ThreadStrategies;
use super::rank;
use super::settle::Judgement;
use super::tree::Tree;
use super::worker::Worker;
use crate::{Allowance, Meter, Report, Stop};

/// Grows a tree until a limit is reached or the tree is solved. If a limit interrupts the work to make the tree
/// smaller, returns the report of the tree before that work.
pub(super) fn grow<G: Indexed, S: ThreadStrategies<G>>(
    tree: &mut Tree<G>,
    workers: &mut [Worker<G, S>],
    options: &MctsOptions,
    lists: &Lists,
    meter: &Meter<'_>,
    watch: &mut dyn FnMut(&Report<G::Move>),
) -> Option<Report<G::Move>> {
    let threaded = workers.len() > 1;
    let (mut frozen, mut opened) = (false, false);
    let mut judgement = Judgement::new(options, meter);
    loop {
        let shared = Shared {
            arena: &tree.arena,
            options,
            lists,
            meter,
            depth: meter.limits().depth.unwrap_or(u32::MAX),
            frozen,
            threaded,
            virtual_loss: if threaded { options.virtual_loss } else { 0 },
        };
        if !opened && !workers[0].open_root(&shared) {
            return None;
        }
        opened = true;
        phase(&shared, tree, workers, &mut judgement, watch);
        if workers.iter().any(|worker| meter.owes(&worker.allowance)) {
            // A thread that left a full tree has kept an allowance that another thread was then refused.
            phase(&Shared { frozen: true, ..shared }, tree, workers, &mut judgement, watch);
        }
        if meter.stopped().is_some() || frozen {
            return None;
        }
        // Threads on other trees may use the settled allowance meanwhile.
        for worker in workers.iter_mut() {
            meter.settle(&mut worker.allowance);
        }
        let before = rank::report(&[&*tree], options, workers[0].strategies.knowledge());
        frozen = !prune(tree, meter);
        if tree.pending.is_some() {
            return Some(before);
        }
    }
}

/// Simulates with all threads until a limit, a solved root or a full tree ends the phase. This thread reports.
fn phase<G: Indexed, S: ThreadStrategies<G>>(
    shared: &Shared<'_>,
    tree: &Tree<G>,
    workers: &mut [Worker<G, S>],
    judgement: &mut Option<Judgement>,
    watch: &mut dyn FnMut(&Report<G::Move>),
) {
    const BETWEEN: Duration = Duration::from_millis(250);
    let meter = shared.meter;
    let mut last = meter.elapsed();
    let mut tick = |strategies: &mut S, allowance: &Allowance| {
        let now = meter.elapsed();
        if judgement.as_mut().is_some_and(|it| it.is_settled(tree, now, meter.spent(allowance).1)) {
            meter.stop(Stop::Time);
        }
        if now.saturating_sub(last) >= BETWEEN {
            last = now;
            let mut report = rank::report(&[tree], shared.options, strategies.knowledge());
            (report.nodes, report.simulations) = meter.spent(allowance);
            report.time = now;
            report.bytes = tree.arena.bytes();
            watch(&report);
        }
    };
    let Some((first, others)) = workers.split_first_mut() else { return };
    std::thread::scope(|scope| {
        for worker in others {
            scope.spawn(|| worker.run(shared, &mut |_, _| ()));
        }
        first.run(shared, &mut tick);
    });
}

/// Drops the least visited half of a full tree. Returns `false` if the drop has not made enough room, or if the
/// time left is too short; in the latter case the tree stays as it is. If the search stops in the middle of the
/// work, the rest of the work is left pending.
fn prune<G: Indexed>(tree: &mut Tree<G>, meter: &Meter<'_>) -> bool {
    let before = tree.arena.used();
    if let Some(time) = meter.limits().time {
        // Three passes of a few nanoseconds a slot.
        let needed = Duration::from_nanos(before as u64 * 20);
        if time.saturating_sub(meter.elapsed()) < needed {
            return false;
        }
    }
    tree.prune();
    tidied(tree, meter) && tree.arena.used() <= before - before / 8
}

/// Finishes pending work on a tree, bit by bit; `false` if the search stops before the end of the work.
pub(super) fn tidied<G: Indexed>(tree: &mut Tree<G>, meter: &Meter<'_>) -> bool {
    /// The number of slots between two looks at the clock, whose work takes well below a millisecond.
    const SLOTS: usize = 1 << 14;
    while !tree.tidy(SLOTS) {
        meter.look();
        if meter.stopped().is_some() {
            return false;
        }
    }
    true
}
