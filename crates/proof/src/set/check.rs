//! [`verify_set`]: the check of all files of a set.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use stonework_files::BlockFault;
use stonework_game::text::head;
use stonework_game::{Finite, Indexed, Textual};

use super::files::read_file;
use super::progress::FileCounts;
use super::{ProofSet, SetError, SetFile, SetFileKind, SetFiles, SetProgress};
use crate::{
    Claim, ClaimCounts, Goal, ImmediateRules, KnownClaims, ProofAction, ProofFault, ProofReader,
    ProofVisitor, Verified, VerifyLimits, verify_top, verify_with,
};

/// The manner of checking a set.
#[derive(Clone, Copy, Default)]
pub struct SetCheck<'a> {
    /// The number of threads that verify proof files; 0 counts as 1. Top files are verified by one thread.
    pub threads: usize,
    /// The limits of each file.
    pub limits: VerifyLimits,
    /// The files that need no new check.
    pub progress: Option<&'a SetProgress>,
    /// The flag that ends the check at the next record, also in the middle of a file.
    pub cancel: Option<&'a AtomicBool>,
    /// A function that gets the number of checked files and the number of all files, from any thread.
    pub watch: Option<&'a (dyn Fn(usize, usize) + Sync)>,
}

impl std::fmt::Debug for SetCheck<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SetCheck").field("threads", &self.threads).finish_non_exhaustive()
    }
}

/// A set that holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifiedSet<G> {
    /// The root position.
    pub root: G,
    /// The proven claim about the root.
    pub claim: Claim,
    /// The number of proof files, and of top files.
    pub files: (usize, usize),
    /// The number of proof files that the progress showed.
    pub reused: usize,
    /// The bytes of all files.
    pub bytes: u64,
    /// The number of positions visited in all files.
    pub positions: u64,
    /// The number of records of all files.
    pub records: u64,
    /// The plies of the longest game that the opponent can force from the root until the goal is reached.
    pub longest: u32,
}

impl SetCheck<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }
}

/// A visitor that ends the check of a file once the check of the set is cancelled.
struct Canceller<'a> {
    check: &'a SetCheck<'a>,
    /// `true` once the visitor has ended the check of the file.
    ended: bool,
}

impl<G: Finite> ProofVisitor<G> for Canceller<'_> {
    fn strategy(&mut self, _: Goal) {}

    fn enter(&mut self, _: &G, _: ProofAction<G::Move, &[G::Move]>) -> Result<(), ProofFault> {
        self.ended = self.check.is_cancelled();
        if !self.ended {
            return Ok(());
        }
        Err(BlockFault::Io(io::ErrorKind::Interrupted.into()).into())
    }

    fn leave(&mut self, _: &G, _: u32) {}
}

/// A file that holds.
struct Checked<G> {
    claims: Vec<(G, Claim)>,
    counts: FileCounts,
    reused: bool,
}

/// Verifies a proof set: every proof file alone, on several threads, and then each top file with the claims of the
/// files before it. No search takes place.
///
/// # Arguments
/// * `game`, `rules` – as for [`verify`](crate::verify()).
/// * `set`, `files` – the list, and the files that it names. Each file is read whole into memory.
/// * `check` – threads, limits, progress.
///
/// # Errors
/// A [`SetError`] that names the file and the place: the first fault in the order of the list, proof files before top
/// files.
///
/// # Trust
/// The verdict rests on the trusted part of the crate and on this function. Beyond one file it rests on the rule that a
/// top file uses only claims of files that were verified before it.
pub fn verify_set<G: Finite + Textual + Indexed, R: ImmediateRules<G> + Sync>(
    game: &str,
    rules: &R,
    set: &ProofSet,
    files: &dyn SetFiles,
    check: &SetCheck<'_>,
) -> Result<VerifiedSet<G>, SetError> {
    let root = root_of::<G>(game, set)?;
    let done = AtomicUsize::new(0);
    let mut proofs = verify_proofs(game, rules, set, files, check, &done)?.into_iter();
    let mut verified = VerifiedSet {
        root,
        claim: set.claim,
        files: (0, 0),
        reused: 0,
        bytes: 0,
        positions: 0,
        records: 0,
        longest: 0,
    };
    let mut known = KnownClaims::default();
    let mut shown: Option<u32> = None;
    for file in &set.files {
        let checked = match file.kind {
            SetFileKind::Proof => proofs.next(),
            SetFileKind::Top => {
                if check.is_cancelled() {
                    return Err(SetError::Cancelled);
                }
                let checked = verify_file(game, rules, (file, files), (check, &known))?;
                tell(check, set, &done);
                Some(checked)
            }
        };
        let Some(Checked { claims, counts, reused }) = checked else { return Err(SetError::Cancelled) };
        let count = if file.kind == SetFileKind::Top { &mut verified.files.1 } else { &mut verified.files.0 };
        *count += 1;
        verified.reused += usize::from(reused);
        // The size of the list is that of the file, which was read: a sum of sizes that are only claimed may be too large.
        verified.bytes += file.bytes;
        // The counts of a file of progress may be any numbers.
        verified.positions = verified.positions.saturating_add(counts.positions);
        verified.records = verified.records.saturating_add(counts.records);
        for ((position, claim), &plies) in claims.iter().zip(&counts.longest) {
            // The top files add the plies of their own paths to it.
            known.add(position, rules, *claim, plies.min(u32::MAX / 2));
            if *position == verified.root && claim.shows(set.claim) {
                shown = Some(shown.map_or(plies, |least| least.min(plies)));
            }
        }
    }
    let unshown = || SetError::Unshown { root: set.root.clone(), claim: set.claim };
    verified.longest = shown.ok_or_else(unshown)?;
    Ok(verified)
}

/// The root of a set about this game.
pub(super) fn root_of<G: Textual>(game: &str, set: &ProofSet) -> Result<G, SetError> {
    let subject = |found: &str, expected: String| SetError::Subject { found: found.to_owned(), expected };
    if set.game != game {
        return Err(subject(&format!("the game `{}`", head(&set.game)), format!("`{}`", head(game))));
    }
    let root = G::parse_position(&set.root);
    let root = root.map_err(|error| {
        subject(&format!("the root `{}`", head(&set.root)), format!("a position: {error}"))
    })?;
    let expected = root.position_text();
    if expected != set.root {
        return Err(subject(&format!("the root `{}`", set.root), format!("`{expected}`")));
    }
    Ok(root)
}

fn tell(check: &SetCheck<'_>, set: &ProofSet, done: &AtomicUsize) {
    let done = done.fetch_add(1, Ordering::Relaxed) + 1;
    if let Some(watch) = check.watch {
        watch(done, set.files.len());
    }
}

/// Verifies all proof files of a set.
fn verify_proofs<G: Finite + Textual + Indexed, R: ImmediateRules<G> + Sync>(
    game: &str,
    rules: &R,
    set: &ProofSet,
    files: &dyn SetFiles,
    check: &SetCheck<'_>,
    done: &AtomicUsize,
) -> Result<Vec<Checked<G>>, SetError> {
    each_proof(set, check.threads, check.cancel, &|file| {
        let checked = verify_proof(game, rules, file, files, check)?;
        tell(check, set, done);
        Ok(checked)
    })
}

/// The results of a job for each proof file of a set, on several threads, in the order of the list; or the first error
/// in that order among the jobs that ran.
pub(super) fn each_proof<T: Send>(
    set: &ProofSet,
    threads: usize,
    cancel: Option<&AtomicBool>,
    job: &(dyn Fn(&SetFile) -> Result<T, SetError> + Sync),
) -> Result<Vec<T>, SetError> {
    let proofs: Vec<&SetFile> = set.files.iter().filter(|file| file.kind == SetFileKind::Proof).collect();
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let results: Mutex<Vec<(usize, Result<T, SetError>)>> = Mutex::new(Vec::new());
    let cancelled = || cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed));
    let work = || {
        while !failed.load(Ordering::Relaxed) && !cancelled() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = proofs.get(index) else { break };
            let result = job(file);
            if result.is_err() {
                failed.store(true, Ordering::Relaxed);
            }
            results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.clamp(1, proofs.len().max(1)) {
            scope.spawn(work);
        }
        work();
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|(index, _)| *index);
    let count = results.len();
    let results: Vec<T> = results.into_iter().map(|(_, result)| result).collect::<Result<_, _>>()?;
    if count < proofs.len() { Err(SetError::Cancelled) } else { Ok(results) }
}

/// Verifies one proof file, or finds it in the progress.
fn verify_proof<G: Finite + Textual + Indexed, R: ImmediateRules<G>>(
    game: &str,
    rules: &R,
    file: &SetFile,
    files: &dyn SetFiles,
    check: &SetCheck<'_>,
) -> Result<Checked<G>, SetError> {
    let before = check.progress.and_then(|progress| progress.find(&file.sha256));
    if let Some(counts) = before.filter(|counts| counts.longest.len() == file.claims.len()) {
        let content = read_file(files, file)?;
        let refused = |refused| SetError::Refused { name: file.name.clone(), refused };
        let own = ProofReader::new(&content[..]).map_err(refused)?;
        // The file may have been verified as a proof about another game.
        own.expect_game(game).map_err(refused)?;
        compare_claims(file, own.claims().map(|(root, claim)| (root.to_owned(), claim)))?;
        let parse = |(root, claim): &(String, Claim)| Some((G::parse_position(root).ok()?, *claim));
        if let Some(claims) = file.claims.iter().map(parse).collect() {
            return Ok(Checked { claims, counts: counts.clone(), reused: true });
        }
    }
    let checked = verify_file(game, rules, (file, files), (check, &KnownClaims::default()))?;
    if let Some(progress) = check.progress {
        progress.add(&file.sha256, &checked.counts).map_err(SetError::Output)?;
    }
    Ok(checked)
}

/// Refuses a file whose claims are not the claims of the list.
fn compare_claims(
    file: &SetFile,
    found: impl ExactSizeIterator<Item = (String, Claim)>,
) -> Result<(), SetError> {
    let other = |what, found, expected| SetError::Other { name: file.name.clone(), what, found, expected };
    if found.len() != file.claims.len() {
        return Err(other("number of claims", found.len().to_string(), file.claims.len().to_string()));
    }
    for ((root, claim), (listed, expected)) in found.zip(&file.claims) {
        if (&root, claim) != (listed, *expected) {
            return Err(other(
                "claim",
                format!("{claim} from `{root}`"),
                format!("{expected} from `{listed}`"),
            ));
        }
    }
    Ok(())
}

/// Verifies one file by the rules, until the check is cancelled.
fn verify_file<G: Finite + Textual + Indexed, R: ImmediateRules<G>>(
    game: &str,
    rules: &R,
    file: (&SetFile, &dyn SetFiles),
    (check, known): (&SetCheck<'_>, &KnownClaims),
) -> Result<Checked<G>, SetError> {
    let mut canceller = Canceller { check, ended: false };
    let verified = verify_in_set(game, rules, file, (&check.limits, known), &mut canceller);
    let verified = verified.map_err(|error| if canceller.ended { SetError::Cancelled } else { error })?;
    let longest = verified.by_claim.iter().map(|claim| claim.longest).collect();
    let counts = FileCounts { positions: verified.positions, records: verified.records, longest };
    Ok(Checked { claims: verified.claims, counts, reused: false })
}

/// Verifies one file by the rules, compares its claims with the list, and passes its content to a visitor.
pub(super) fn verify_in_set<G: Finite + Textual + Indexed, R: ImmediateRules<G>>(
    game: &str,
    rules: &R,
    (file, files): (&SetFile, &dyn SetFiles),
    (limits, known): (&VerifyLimits, &KnownClaims),
    visitor: &mut impl ProofVisitor<G>,
) -> Result<Verified<G>, SetError> {
    let content = read_file(files, file)?;
    let verified: Result<Verified<G>, _> = match file.kind {
        SetFileKind::Proof => verify_with(game, rules, &content[..], limits, visitor),
        SetFileKind::Top => verify_top(game, rules, &content[..], (limits, known), visitor),
    };
    let verified = verified.map_err(|refused| SetError::Refused { name: file.name.clone(), refused })?;
    compare_claims(file, verified.claims.iter().map(|(root, claim)| (root.position_text(), *claim)))?;
    Ok(verified)
}

/// Verifies all files in the order of the list with one thread, and passes their content to a visitor.
pub(crate) fn visit_set<G: Finite + Textual + Indexed, R: ImmediateRules<G>>(
    game: &str,
    rules: &R,
    set: &ProofSet,
    files: &dyn SetFiles,
    limits: &VerifyLimits,
    visitor: &mut impl ProofVisitor<G>,
) -> Result<Verified<G>, SetError> {
    let root = root_of::<G>(game, set)?;
    let (mut known, mut shown, mut total) = (KnownClaims::default(), None::<u32>, ClaimCounts::default());
    for file in &set.files {
        let verified = verify_in_set(game, rules, (file, files), (limits, &known), visitor)?;
        for ((position, claim), counts) in verified.claims.iter().zip(&verified.by_claim) {
            total.add(*counts);
            known.add(position, rules, *claim, counts.longest);
            if *position == root && claim.shows(set.claim) {
                shown = Some(shown.map_or(counts.longest, |least| counts.longest.min(least)));
            }
        }
    }
    let longest = shown.ok_or_else(|| SetError::Unshown { root: set.root.clone(), claim: set.claim })?;
    let ClaimCounts { positions, records, kinds, shared, plies, .. } = total;
    let by_claim = vec![ClaimCounts { longest, ..total }];
    Ok(Verified { claims: vec![(root, set.claim)], positions, records, kinds, shared, plies, by_claim })
}
