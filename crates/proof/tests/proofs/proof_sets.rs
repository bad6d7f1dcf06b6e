//! Tests that proof sets are made, verified, joined and read, and that changed sets are refused with the place.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use stonework_game::{Game, Keyed, Outcome, Player, Textual, example::Nim};
use stonework_proof::set::{
    ProofSet, SetCheck, SetError, SetFile, SetFileKind, SetFolder, SetProgress, VerifiedSet, join_set,
    verify_set,
};
use stonework_proof::{
    Claim, KnownClaims, Proof, ProofAction, ProofBook, ProofFault, Strategy, VerifyLimits, value_of, verify,
    verify_top,
};
use stonework_search::{
    Dfpn, DfpnOptions, Engine, JobFinding, JobReport, JobTree, JobTreeOptions, Limits, Question, TreeJobId,
};

use crate::noughts::Noughts;

type Files = BTreeMap<String, Vec<u8>>;

const GAME: &str = "noughts";

/// A position with many lines, in which the first player wins: `x` has two corners, and moves.
fn root() -> Noughts {
    Noughts::parse_position("x..o.....").unwrap()
}

fn proof_of(position: Noughts, claim: Claim) -> Vec<u8> {
    let mut file = Vec::new();
    let mut engine = Dfpn::default();
    engine.prove(&position, claim, &(), &Limits::none()).unwrap().write(GAME, &(), &mut file).unwrap();
    file
}

/// Answers "does `who` win?" by jobs of a few nodes, and makes the set of the answer.
fn set_of(root: Noughts, who: Player, nodes: u64) -> (ProofSet, Files) {
    let options = JobTreeOptions::new().nodes(nodes).symmetric(false);
    let mut tree = JobTree::new(root, who, (), options).unwrap();
    let mut files: BTreeMap<TreeJobId, Vec<u8>> = BTreeMap::new();
    while let Some(job) = tree.next() {
        let options = DfpnOptions::new().keep(true).question(Question::Wins(who));
        let mut engine = Dfpn::new(options).unwrap();
        let report = engine.think(&job.position, &Limits::none().nodes(job.nodes));
        let mut finding = JobFinding::of(report.proof_numbers.unwrap(), &engine.children(&job.position, who));
        if let JobFinding::Open { children, .. } = &mut finding {
            children.clear();
        }
        if let JobFinding::Shown(yes) = finding {
            let claim = if yes { Claim::Wins(who) } else { Claim::DoesNotWin(who) };
            files.insert(job.id, proof_of(job.position, claim));
        }
        tree.report(job.id, JobReport { nodes: report.nodes, finding });
    }
    let top = tree.top(&()).unwrap();
    assert!(top.gaps.is_empty());
    let mut set = ProofSet::new(GAME, &root, top.claim);
    let mut known = KnownClaims::default();
    let mut content = Files::new();
    for leaf in &top.leaves {
        let name = format!("{}.proof", leaf.job);
        set.files.push(SetFile::of_bytes(&name, &files[&leaf.job]).unwrap());
        known.add(&leaf.position, &(), top.claim, 0);
        content.insert(name, files[&leaf.job].clone());
    }
    let mut bytes = Vec::new();
    top.proof.write_top(GAME, &(), &known, &mut bytes).unwrap();
    set.files.push(SetFile::of_bytes("top", &bytes).unwrap());
    content.insert("top".to_owned(), bytes);
    (set, content)
}

fn checked(set: &ProofSet, files: &Files) -> Result<VerifiedSet<Noughts>, SetError> {
    verify_set(GAME, &(), set, files, &SetCheck::default())
}

fn large() -> (ProofSet, Files) {
    let (set, files) = set_of(root(), Player::First, 8);
    assert!(set.files.len() > 8, "{} files", set.files.len());
    (set, files)
}

#[test]
fn a_set_made_by_jobs_holds_with_any_number_of_threads() {
    let (set, files) = large();
    let one = checked(&set, &files).unwrap();
    assert_eq!((one.root, one.claim), (root(), Claim::Wins(Player::First)));
    assert_eq!(one.files, (set.files.len() - 1, 1));
    assert_eq!(one.bytes, files.values().map(|file| file.len() as u64).sum::<u64>());
    let told = AtomicUsize::new(0);
    let watch = |_, all| {
        assert_eq!(all, set.files.len());
        told.fetch_add(1, Ordering::Relaxed);
    };
    let check = SetCheck { threads: 4, watch: Some(&watch), ..SetCheck::default() };
    assert_eq!(verify_set(GAME, &(), &set, &files, &check).unwrap(), one);
    assert_eq!(told.load(Ordering::Relaxed), set.files.len());
}

#[test]
fn both_answers_of_a_question_have_sets() {
    for (who, yes) in [(Player::First, true), (Player::Second, false)] {
        let (set, files) = set_of(root(), who, 10);
        let claim = if yes { Claim::Wins(who) } else { Claim::DoesNotWin(who) };
        assert_eq!(checked(&set, &files).unwrap().claim, claim);
    }
    let (set, files) = set_of(Noughts::default(), Player::First, 30);
    assert_eq!(checked(&set, &files).unwrap().claim, Claim::DoesNotWin(Player::First));
}

#[test]
fn a_set_is_joined_into_one_file_without_a_search() {
    let (set, files) = large();
    let mut joined = Vec::new();
    join_set::<Noughts, ()>(GAME, &(), &set, &files, 1, 100_000, &mut joined).unwrap();
    let verified = verify::<Noughts, _>(GAME, &(), &joined[..], &VerifyLimits::default()).unwrap();
    assert_eq!(verified.claims, [(root(), Claim::Wins(Player::First))]);
    let mut by_many = Vec::new();
    join_set::<Noughts, ()>(GAME, &(), &set, &files, 4, 100_000, &mut by_many).unwrap();
    assert_eq!(by_many, joined, "the file depends on the number of threads");
    let error = join_set::<Noughts, ()>(GAME, &(), &set, &files, 2, 10, &mut Vec::new()).unwrap_err();
    assert!(matches!(error, SetError::TooLarge { limit: 10, .. }), "{error}");
}

#[test]
fn a_book_of_a_set_knows_the_game_to_its_end() {
    let (set, files) = large();
    let read =
        |bytes| ProofBook::<Noughts, ()>::read_set(GAME, (), &set, &files, &VerifyLimits::default(), bytes);
    let book = read(1 << 20).unwrap();
    assert_eq!(book.verified().claims, [(root(), Claim::Wins(Player::First))]);
    let mut walk = book.walk(root());
    while walk.position().outcome().is_none() {
        let value = value_of(&walk.entries());
        assert_eq!(value, Some(Outcome::Win(Player::First)), "{}", walk.position().position_text());
        let mv = walk.choice().unwrap();
        walk.play(mv).unwrap();
    }
    assert_eq!(walk.position().outcome(), Some(Outcome::Win(Player::First)));
    assert!(read(100).is_err());
}

/// Two files may show the claim, within other numbers of plies: the least number counts, in whatever order they stand.
#[test]
fn a_book_and_a_check_of_a_set_tell_the_same_plies() {
    // `x` wins at once, or makes two threats first.
    let (root, claim) = (Noughts::parse_position("xx.oxo.o.").unwrap(), Claim::Wins(Player::First));
    let after = |moves: &[u8]| {
        let mut game = root;
        for &mv in moves {
            game.play(mv).unwrap();
        }
        game.key()
    };
    let proof = |actions: Vec<(u64, ProofAction<u8>)>| {
        let (mut strategy, mut file) = (Strategy::new(), Vec::new());
        for (key, action) in actions {
            strategy.insert(key, action);
        }
        Proof::new(root, claim, vec![strategy]).write(GAME, &(), &mut file).unwrap();
        file
    };
    let quick = proof(vec![(after(&[]), ProofAction::Move(2))]);
    let slow = proof(vec![
        (after(&[]), ProofAction::Move(6)),
        (after(&[6]), ProofAction::All),
        (after(&[6, 2]), ProofAction::Move(8)),
        (after(&[6, 8]), ProofAction::Move(2)),
    ]);
    let files = Files::from([("quick".to_owned(), quick), ("slow".to_owned(), slow)]);
    for names in [["quick", "slow"], ["slow", "quick"]] {
        let mut set = ProofSet::new(GAME, &root, claim);
        set.files = names.map(|name| SetFile::of_bytes(name, &files[name]).unwrap()).to_vec();
        let limits = VerifyLimits::default();
        let book = ProofBook::<Noughts, ()>::read_set(GAME, (), &set, &files, &limits, 1 << 20).unwrap();
        assert_eq!(checked(&set, &files).unwrap().longest, 1);
        assert_eq!(book.verified().by_claim[0].longest, 1, "{names:?}");
    }
}

#[test]
fn the_list_comes_back_as_it_was_written() {
    let (set, _) = large();
    let mut text = Vec::new();
    let bytes = set.write(&mut text).unwrap();
    assert_eq!(bytes, text.len() as u64);
    assert_eq!(ProofSet::read(&text[..]).unwrap(), set);
    assert!(
        text.starts_with(b"stonework proof set 1\ngame noughts\nroot x..o.....\nclaim first wins\nfiles ")
    );
    for change in [
        |set: &mut ProofSet| set.files[0].name = "../proof".to_owned(),
        |set: &mut ProofSet| set.files[0].name = set.files[1].name.clone(),
        |set: &mut ProofSet| set.game.push_str("\nroot x"),
        |set: &mut ProofSet| set.files[0].claims.clear(),
    ] {
        let mut other = set.clone();
        change(&mut other);
        assert!(other.write(&mut Vec::new()).is_err());
    }
}

#[test]
fn every_change_of_a_list_is_refused() {
    let (set, files) = large();
    let mut text = Vec::new();
    set.write(&mut text).unwrap();
    for at in 0..text.len() {
        for change in [1_u8, 32] {
            let mut edited = text.clone();
            edited[at] ^= change;
            let read = ProofSet::read(&edited[..]).and_then(|set| checked(&set, &files));
            assert!(read.is_err(), "byte {at}");
        }
    }
    for cut in 0..text.len() {
        assert!(ProofSet::read(&text[..cut]).is_err(), "cut at {cut}");
    }
    let longer = [&text[..], b"\n"].concat();
    let error = ProofSet::read(&longer[..]).unwrap_err().to_string();
    assert!(error.contains("more follows the check"), "{error}");
}

#[test]
fn the_fault_of_a_list_with_a_long_word_is_short() {
    let (set, _) = large();
    let mut text = Vec::new();
    set.write(&mut text).unwrap();
    let (text, long) = (String::from_utf8(text).unwrap(), "x".repeat(5000));
    let mut faults = 0;
    for (at, line) in text.lines().enumerate() {
        for (word, old) in line.split(' ').enumerate() {
            let changed = line.split(' ').enumerate().map(|(n, text)| if n == word { &long } else { text });
            let changed = changed.collect::<Vec<_>>().join(" ");
            let lines = text.lines().enumerate().map(|(n, line)| if n == at { &changed } else { line });
            let edited = lines.fold(String::new(), |all, line| all + line + "\n");
            let error = ProofSet::read(edited.as_bytes()).unwrap_err().to_string();
            assert!(error.len() < 300, "line {at}, `{old}`: {} bytes", error.len());
            faults += 1;
        }
    }
    assert!(faults > 20, "{faults}");
}

#[test]
fn every_changed_byte_of_a_file_is_refused_with_the_name_of_the_file() {
    let (set, files) = set_of(root(), Player::First, 20);
    for file in &set.files {
        for at in 0..file.bytes as usize {
            let mut edited = files.clone();
            edited.get_mut(&file.name).unwrap()[at] ^= 1;
            let error = checked(&set, &edited).unwrap_err();
            assert!(
                matches!(&error, SetError::Other { name, what: "SHA-256", .. } if *name == file.name),
                "{error}"
            );
            // The same with a list that has the new SHA-256: the proof itself is refused.
            let Ok(entry) = SetFile::of_bytes(&file.name, &edited[&file.name]) else { continue };
            let mut listed = set.clone();
            let place = listed.files.iter().position(|other| other.name == file.name).unwrap();
            listed.files[place] = entry;
            assert!(checked(&listed, &edited).is_err(), "{} {at}", file.name);
        }
    }
}

#[test]
fn a_missing_a_longer_and_a_shorter_file_are_refused() {
    let (set, files) = large();
    let name = set.files[3].name.clone();
    let mut missing = files.clone();
    missing.remove(&name);
    let error = checked(&set, &missing).unwrap_err();
    assert!(matches!(&error, SetError::File { name: it, .. } if *it == name), "{error}");
    for change in [|file: &mut Vec<u8>| file.push(0), |file: &mut Vec<u8>| file.truncate(file.len() - 1)] {
        let mut other = files.clone();
        change(other.get_mut(&name).unwrap());
        let error = checked(&set, &other).unwrap_err();
        assert!(matches!(&error, SetError::Other { name: it, what: "size", .. } if *it == name), "{error}");
    }
}

/// Proof files are verified before top files, so the sizes of top files are claims until then.
#[test]
fn sizes_whose_sum_is_too_large_are_refused_by_the_first_file() {
    let (mut set, mut files) = set_of(root(), Player::First, 8);
    let mut top = set.files.pop().unwrap();
    for name in ["top", "top2"] {
        (top.name, top.bytes) = (name.to_owned(), u64::MAX);
        set.files.push(top.clone());
    }
    files.insert("top2".to_owned(), files["top"].clone());
    let mut list = Vec::new();
    set.write(&mut list).unwrap();
    let error = checked(&ProofSet::read(&list[..]).unwrap(), &files).unwrap_err().to_string();
    assert!(error.starts_with("file `top` is another file than the list names: its size is "), "{error}");
    assert!(error.ends_with(", not 18446744073709551615"), "{error}");
}

#[test]
fn a_list_with_a_file_less_or_with_other_claims_is_refused() {
    let (set, files) = large();
    // Without a file, the top meets a position that needs a record.
    for missing in 0..set.files.len() - 1 {
        let mut less = set.clone();
        less.files.remove(missing);
        let error = checked(&less, &files).unwrap_err();
        assert!(matches!(&error, SetError::Refused { name, .. } if name == "top"), "{error}");
    }
    let mut without_top = set.clone();
    without_top.files.pop();
    let error = checked(&without_top, &files).unwrap_err();
    assert!(matches!(error, SetError::Unshown { .. }), "{error}");
    let mut other_claim = set.clone();
    other_claim.files[0].claims[0].1 = Claim::Draw;
    let error = checked(&other_claim, &files).unwrap_err();
    assert!(matches!(error, SetError::Other { what: "claim", .. }), "{error}");
    let mut other_root = set.clone();
    other_root.root = Noughts::default().position_text();
    assert!(matches!(checked(&other_root, &files).unwrap_err(), SetError::Unshown { .. }));
    let mut wrong = set.clone();
    wrong.claim = Claim::Wins(Player::Second);
    assert!(matches!(checked(&wrong, &files).unwrap_err(), SetError::Unshown { .. }));
    for change in
        [|set: &mut ProofSet| set.game.push('x'), |set: &mut ProofSet| set.root = "x--o-----".to_owned()]
    {
        let mut other = set.clone();
        change(&mut other);
        assert!(matches!(checked(&other, &files).unwrap_err(), SetError::Subject { .. }));
    }
}

#[test]
fn a_file_cannot_refer_to_itself_or_to_a_later_file() {
    let (set, files) = large();
    // A top before the files that it refers to.
    let mut turned = set.clone();
    turned.files.rotate_right(1);
    assert!(matches!(checked(&turned, &files).unwrap_err(), SetError::Refused { .. }));
    // A top that ends at its own root, and two tops that would show each other.
    let (claim, mut known) = (Claim::Wins(Player::First), KnownClaims::default());
    known.add(&root(), &(), claim, 0);
    let mut circle = Vec::new();
    let own = Proof::new(root(), claim, vec![Strategy::new()]);
    own.write_top(GAME, &(), &known, &mut circle).unwrap();
    let mut circular = ProofSet::new(GAME, &root(), claim);
    let content = Files::from([("a".to_owned(), circle.clone()), ("b".to_owned(), circle.clone())]);
    for name in ["a", "b"] {
        circular.files.push(SetFile::of_bytes(name, &circle).unwrap());
        let error = checked(&circular, &content).unwrap_err();
        let fault = |error: &SetError| match error {
            SetError::Refused { name, refused } => {
                (name.clone(), matches!(refused.fault, ProofFault::Missing))
            }
            other => panic!("{other}"),
        };
        assert_eq!(fault(&error), ("a".to_owned(), true));
    }
}

#[test]
fn a_claim_about_the_other_player_shows_no_goal() {
    let (mut known, rules) = (KnownClaims::default(), ());
    known.add(&root(), &rules, Claim::Wins(Player::Second), 3);
    let find = |known: &KnownClaims, claim: Claim| known.find(&root(), &rules, claim.goals().next().unwrap());
    assert_eq!(find(&known, Claim::Wins(Player::First)), None);
    assert_eq!(find(&known, Claim::DoesNotWin(Player::First)), Some(3));
    assert_eq!(find(&known, Claim::DoesNotWin(Player::Second)), None);
    known.add(&root(), &rules, Claim::Wins(Player::First), 5);
    assert_eq!(find(&known, Claim::Wins(Player::First)), Some(5));
}

#[test]
fn a_proof_file_is_no_top_and_a_top_is_no_proof_file() {
    let (set, files) = large();
    let refused = |file: &[u8]| verify::<Noughts, _>(GAME, &(), file, &VerifyLimits::default()).is_err();
    assert!(refused(&files["top"]));
    let mut swapped = set.clone();
    for file in &mut swapped.files {
        file.kind = SetFileKind::Top;
    }
    let error = checked(&swapped, &files).unwrap_err();
    assert!(matches!(&error, SetError::Refused { name, .. } if *name == set.files[0].name), "{error}");
    let within = (&VerifyLimits::default(), &KnownClaims::default());
    assert!(verify_top::<Noughts, _>(GAME, &(), &files["top"][..], within, &mut ()).is_err());
}

#[test]
fn a_set_of_sets_has_tops_above_tops() {
    // Two stones a round: the positions 12, 9, 6, 3 of Nim are lost for the side to move.
    let nim = |left| Nim::parse_position(&format!("{left} first")).unwrap();
    let claim = Claim::Wins(Player::Second);
    let mut set = ProofSet::new("nim", &nim(12), claim);
    let mut files = Files::new();
    let mut known = KnownClaims::default();
    for left in [3_u8, 6, 9, 12] {
        let root = nim(left);
        let mut strategy = Strategy::new();
        strategy.insert(stonework_game::Keyed::key(&root), ProofAction::All);
        for take in [1, 2] {
            let mut after = root;
            after.play(take).unwrap();
            strategy.insert(stonework_game::Keyed::key(&after), ProofAction::Move(3 - take));
        }
        let (name, mut file) = (format!("left-{left}"), Vec::new());
        let proof = Proof::new(root, claim, vec![strategy]);
        if left == 3 {
            proof.write("nim", &(), &mut file).unwrap();
        } else {
            proof.write_top("nim", &(), &known, &mut file).unwrap();
        }
        known.add(&root, &(), claim, 0);
        set.files.push(SetFile::of_bytes(&name, &file).unwrap());
        files.insert(name, file);
    }
    let check = SetCheck::default();
    let verified = verify_set::<Nim, _>("nim", &(), &set, &files, &check).unwrap();
    assert_eq!((verified.files, verified.longest), ((1, 3), 8));
    // A check that is cancelled after its first top file does not go on to the next one.
    let stop = AtomicBool::new(false);
    let watch = |done, _| {
        assert!(done <= 2);
        stop.store(done >= 2, Ordering::Relaxed);
    };
    let cancelled = SetCheck { cancel: Some(&stop), watch: Some(&watch), ..SetCheck::default() };
    let error = verify_set::<Nim, _>("nim", &(), &set, &files, &cancelled).unwrap_err();
    assert!(matches!(error, SetError::Cancelled), "{error}");
    set.files.swap(1, 2);
    let error = verify_set::<Nim, _>("nim", &(), &set, &files, &check).unwrap_err();
    assert!(matches!(&error, SetError::Refused { name, .. } if name == "left-9"), "{error}");
}

/// A directory that is removed at the end.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("stonework-sets-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A file without end was read until memory was full, before its first line was looked at.
#[cfg(unix)]
#[test]
fn a_file_of_progress_is_read_only_if_it_begins_as_one() {
    let refused = SetProgress::open(std::path::Path::new("/dev/zero")).unwrap_err().to_string();
    assert_eq!(refused, "/dev/zero is no file of progress");
}

#[test]
fn a_stopped_check_goes_on_where_it_was() {
    let (set, files) = large();
    let folder = Folder::new("progress");
    for (name, content) in &files {
        std::fs::write(folder.0.join(name), content).unwrap();
    }
    let (source, path) = (SetFolder(folder.0.clone()), folder.0.join("progress"));
    let whole = checked(&set, &files).unwrap();
    // The check is cancelled after three files.
    let stop = AtomicBool::new(false);
    let watch = |done, _| stop.store(done >= 3, Ordering::Relaxed);
    let progress = SetProgress::open(&path).unwrap();
    let check = SetCheck {
        progress: Some(&progress),
        cancel: Some(&stop),
        watch: Some(&watch),
        ..SetCheck::default()
    };
    let error = verify_set::<Noughts, _>(GAME, &(), &set, &source, &check).unwrap_err();
    assert!(matches!(error, SetError::Cancelled), "{error}");
    // A line that was cut off is dropped.
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 4);
    std::fs::write(&path, &text[..text.len() - 2]).unwrap();
    let progress = SetProgress::open(&path).unwrap();
    assert_eq!(progress.len(), 2);
    let check = SetCheck { threads: 2, progress: Some(&progress), ..SetCheck::default() };
    let verified = verify_set::<Noughts, _>(GAME, &(), &set, &source, &check).unwrap();
    assert_eq!(verified, VerifiedSet { reused: 2, ..whole });
    // Counts of a file of progress that are too large to be added end at the greatest number.
    let text = std::fs::read_to_string(&path).unwrap();
    let large: String = text
        .lines()
        .map(|line| match line.splitn(4, ' ').collect::<Vec<_>>()[..] {
            [hash, _, _, longest] if hash.len() == 64 => {
                let plies = vec!["4294967295"; longest.split(',').count()].join(",");
                format!("{hash} {most} {most} {plies}\n", most = u64::MAX)
            }
            _ => format!("{line}\n"),
        })
        .collect();
    std::fs::write(&path, large).unwrap();
    let progress = SetProgress::open(&path).unwrap();
    let check = SetCheck { progress: Some(&progress), ..SetCheck::default() };
    let verified = verify_set::<Noughts, _>(GAME, &(), &set, &source, &check).unwrap();
    assert_eq!((verified.positions, verified.records), (u64::MAX, u64::MAX));
    assert!(verified.longest > u32::MAX / 2, "{}", verified.longest);
    std::fs::write(&path, &text).unwrap();
    // A file that was changed since is refused nevertheless.
    let progress = SetProgress::open(&path).unwrap();
    assert_eq!(progress.len(), set.files.len() - 1);
    let mut edited = files[&set.files[0].name].clone();
    *edited.last_mut().unwrap() ^= 1;
    std::fs::write(folder.0.join(&set.files[0].name), edited).unwrap();
    let check = SetCheck { progress: Some(&progress), ..SetCheck::default() };
    let error = verify_set::<Noughts, _>(GAME, &(), &set, &source, &check).unwrap_err();
    assert!(matches!(error, SetError::Other { what: "SHA-256", .. }), "{error}");
    std::fs::write(&path, "another file\n").unwrap();
    assert!(SetProgress::open(&path).is_err());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "another file\n");
    std::fs::write(&path, text.replace('\n', "\r\n")).unwrap();
    assert_eq!(SetProgress::open(&path).unwrap().len(), set.files.len() - 1);
}

/// A file that the progress names was taken for a proof about the game of the list, whatever game the file states.
#[test]
fn a_file_that_held_for_another_game_is_refused_although_the_progress_names_it() {
    let claim = Claim::Wins(Player::First);
    let mut set = ProofSet::new(GAME, &root(), claim);
    let proof = proof_of(root(), claim);
    set.files.push(SetFile::of_bytes("only", &proof).unwrap());
    let files = Files::from([("only".to_owned(), proof)]);
    let folder = Folder::new("game");
    let path = folder.0.join("progress");
    let progress = SetProgress::open(&path).unwrap();
    let check = SetCheck { progress: Some(&progress), ..SetCheck::default() };
    assert_eq!(verify_set::<Noughts, _>(GAME, &(), &set, &files, &check).unwrap().claim, claim);
    let progress = SetProgress::open(&path).unwrap();
    assert_eq!(progress.len(), 1);
    set.game = "crosses".to_owned();
    let check = SetCheck { progress: Some(&progress), ..SetCheck::default() };
    let error = verify_set::<Noughts, _>("crosses", &(), &set, &files, &check).unwrap_err();
    assert_eq!(
        error.to_string(),
        "file `only` does not hold: a proof about `noughts`, not about `crosses` (byte 18, record 0)"
    );
}

/// The lines of the check that wrote last replaced those of the other.
#[test]
fn two_checks_with_one_file_of_progress_keep_the_lines_of_both() {
    let sets =
        [(root(), 8), (Noughts::default(), 30)].map(|(root, nodes)| set_of(root, Player::First, nodes));
    let hashes = |(set, _): &(ProofSet, Files)| -> Vec<[u8; 32]> {
        set.files.iter().filter(|file| file.kind == SetFileKind::Proof).map(|file| file.sha256).collect()
    };
    let all: std::collections::BTreeSet<[u8; 32]> = sets.iter().flat_map(hashes).collect();
    assert!(sets.iter().all(|set| hashes(set).len() < all.len()));
    let folder = Folder::new("two-checks");
    let path = folder.0.join("progress");
    let both = [(); 2].map(|()| SetProgress::open(&path).unwrap());
    for ((set, files), progress) in sets.iter().zip(&both) {
        let check = SetCheck { progress: Some(progress), ..SetCheck::default() };
        verify_set::<Noughts, _>(GAME, &(), set, files, &check).unwrap();
    }
    assert_eq!(SetProgress::open(&path).unwrap().len(), all.len());
}

/// The whole name of the game, and the whole root, were in the message: 64 KiB each.
#[test]
fn the_refusal_of_another_game_or_root_is_short() {
    let (long, claim) = ("x".repeat(60_000), Claim::Wins(Player::First));
    let short = |error: &dyn std::fmt::Display, begin: &str| {
        let error = error.to_string();
        assert!(error.contains(begin) && error.len() < 300, "{} bytes", error.len());
    };
    let (mut set, files) = (ProofSet::new(GAME, &root(), claim), Files::new());
    set.game = long.clone();
    short(&checked(&set, &files).unwrap_err(), "about the game `xxx");
    (set.game, set.root) = (GAME.to_owned(), long.clone());
    short(&checked(&set, &files).unwrap_err(), "about the root `xxx");
    let mut proof = Vec::new();
    Dfpn::default()
        .prove(&root(), claim, &(), &Limits::none())
        .unwrap()
        .write(&long, &(), &mut proof)
        .unwrap();
    let error = verify::<Noughts, _>(GAME, &(), &proof[..], &VerifyLimits::default()).unwrap_err();
    short(&error, "a proof about `xxx");
}
