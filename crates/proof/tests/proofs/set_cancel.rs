//! A check of a set that is cancelled.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use stonework_game::{Player, example::Nim};
use stonework_proof::Claim;
use stonework_proof::set::{ProofSet, SetCheck, SetError, SetFile, SetFiles, verify_set};
use stonework_search::{Dfpn, Limits};

/// One file, at whose opening the check is cancelled.
struct Cancelling<'a> {
    content: &'a [u8],
    stop: &'a AtomicBool,
}

impl SetFiles for Cancelling<'_> {
    fn open(&self, _: &str) -> io::Result<Box<dyn Read + '_>> {
        self.stop.store(true, Ordering::Relaxed);
        Ok(Box::new(self.content))
    }
}

/// The check went on to the end of the file, which takes hours for a large one.
#[test]
fn a_cancelled_check_ends_in_the_middle_of_a_file() {
    let (root, claim) = (Nim::new(30), Claim::Wins(Player::Second));
    let mut content = Vec::new();
    let proof = Dfpn::default().prove(&root, claim, &(), &Limits::none()).unwrap();
    proof.write("nim", &(), &mut content).unwrap();
    let mut set = ProofSet::new("nim", &root, claim);
    set.files.push(SetFile::of_bytes("only", &content).unwrap());
    let (stop, done) = (AtomicBool::new(false), AtomicUsize::new(0));
    let watch = |count, _| done.store(count, Ordering::Relaxed);
    let files = Cancelling { content: &content, stop: &stop };
    let check = SetCheck { cancel: Some(&stop), watch: Some(&watch), ..SetCheck::default() };
    let error = verify_set::<Nim, _>("nim", &(), &set, &files, &check).unwrap_err();
    assert!(matches!(error, SetError::Cancelled), "{error}");
    assert_eq!(done.load(Ordering::Relaxed), 0);
    // Without the flag, the same files hold.
    let verified = verify_set::<Nim, _>("nim", &(), &set, &files, &SetCheck::default()).unwrap();
    assert_eq!(verified.claim, claim);
}
