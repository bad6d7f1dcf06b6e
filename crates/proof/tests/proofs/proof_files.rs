//! Tests that proofs are found, written, read and verified, and that changed files are refused.

use proptest::prelude::*;
use stonework_files::BlockFault;
use stonework_game::{Finite, Game, Indexed, Player, Textual};
use stonework_proof::{
    Claim, Proof, ProofFault, ProofReader, Strategy, Verified, VerifyLimits, join, verify,
};
use stonework_search::{Dfpn, DfpnOptions, Engine, Limits, ProveError, Stop};

use crate::noughts::Noughts;
use crate::tree::{Tree, claims, file, truth};

fn read<G: Finite + Textual + Indexed>(file: &[u8]) -> Result<Verified<G>, stonework_proof::ProofError> {
    verify("test", &(), file, &VerifyLimits::default())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_holds_is_proven_and_nothing_else(seed: u64, bytes in prop::sample::select(vec![0, 500, 1 << 16])) {
        let root = Tree::new(seed);
        for (claim, holds) in claims(truth(&root)) {
            if !holds {
                let wrong = Dfpn::default().prove(&root, claim, &(), &Limits::none()).unwrap_err();
                prop_assert_eq!(wrong, ProveError::Wrong);
                continue;
            }
            let file = file(&root, claim, bytes);
            let verified = read::<Tree>(&file).unwrap();
            prop_assert_eq!(verified.claims, vec![(root, claim)]);
        }
    }

    /// Learned proofs of the positions after all moves leave little to search, and the proof of the root contains
    /// their strategies.
    #[test]
    fn what_is_learned_need_not_be_searched(seed: u64, cut in 0..100_usize) {
        let root = Tree::new(seed);
        let value = truth(&root);
        let moves = root.moves();
        let files: Vec<_> = moves
            .iter()
            .map(|&mv| {
                let mut below = root;
                below.play_unchecked(mv);
                file(&below, Claim::of(truth(&below)), 1 << 16)
            })
            .collect();
        let mut learner = Dfpn::new(DfpnOptions::new().keep(true).bytes(1 << 16)).unwrap();
        let limits = Limits::none();
        for file in &files {
            // A file that breaks off is refused, and the positions verified before the fault hold.
            let broken = &file[..file.len() * cut / 100];
            prop_assert!(learner.learn("test", &(), &limits, broken, |tree: &Tree| Some(*tree)).is_err());
        }
        prop_assert_eq!(learner.think(&root, &limits).proven, Some(value));
        let mut learner = Dfpn::new(DfpnOptions::new().keep(true).bytes(1 << 16)).unwrap();
        for file in &files {
            let learned = learner.learn("test", &(), &limits, &file[..], |tree: &Tree| Some(*tree));
            prop_assert_eq!(learned.unwrap(), read::<Tree>(file).unwrap());
        }
        let report = learner.think(&root, &limits);
        prop_assert_eq!(report.proven, Some(value));
        // The search visits each move of the root, for at most two questions.
        prop_assert!(report.nodes <= 4 * moves.len() as u64, "{} nodes", report.nodes);
        let mut joint = Vec::new();
        learner.prove(&root, Claim::of(value), &(), &limits).unwrap().write("test", &(), &mut joint).unwrap();
        prop_assert_eq!(read::<Tree>(&joint).unwrap().claims, vec![(root, Claim::of(value))]);
    }

    #[test]
    fn records_do_not_go_with_another_header(seed: u64) {
        let root = Tree::new(seed);
        let claim = Claim::of(truth(&root));
        let file = file(&root, claim, 1 << 16);
        let forged = forge(&file, &format!("{} 0 0", seed ^ 1), claim);
        // The check of the first block covers the check of the header.
        let refused = read::<Tree>(&forged).unwrap_err();
        let kind = matches!(refused.fault, ProofFault::File(BlockFault::Check { .. }));
        prop_assert!(kind && refused.record == 0, "{}", refused);
    }
}

/// The bytes of the six lines before the blocks.
fn header_len(file: &[u8]) -> usize {
    file.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i).nth(5).unwrap() + 1
}

fn crc(parts: &[&[u8]]) -> u32 {
    let mut crc = flate2::Crc::new();
    for part in parts {
        crc.update(part);
    }
    crc.sum()
}

/// The header of a proof of one claim, with a correct check.
fn header(root: &str, claim: Claim) -> Vec<u8> {
    let lines = format!("stonework proof 2\ngame test\nclaims 1\nroot {root}\nclaim {claim}\n");
    checked(&lines)
}

/// The lines of a header with their check.
fn checked(lines: &str) -> Vec<u8> {
    format!("{lines}check {:08x}\n", crc(&[lines.as_bytes()])).into_bytes()
}

/// Exchanges the root and the claim, and corrects the check of the header.
fn forge(file: &[u8], root: &str, claim: Claim) -> Vec<u8> {
    [&header(root, claim), &file[header_len(file)..]].concat()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

/// A proof with these numbers as records, with correct checks.
fn handmade(root: &str, claim: Claim, numbers: &[u64], records: u64, shared: u64) -> Vec<u8> {
    assert!(numbers.iter().all(|&n| n < 128));
    let raw: Vec<u8> = numbers.iter().map(|&n| n as u8).collect();
    of_blocks(header(root, claim), &[(raw.len(), packed(&raw))], records, shared)
}

/// A header and blocks, each with the bytes of its records and its payload, as one file with correct checks.
fn of_blocks(header: Vec<u8>, blocks: &[(usize, Vec<u8>)], records: u64, shared: u64) -> Vec<u8> {
    let lines = header.len() - "check 01234567\n".len();
    let mut chain = crc(&[&header[..lines]]);
    let mut file = header;
    let counts = [records.to_le_bytes(), shared.to_le_bytes()].concat();
    for (len, payload) in blocks.iter().chain(&[(0, counts)]) {
        let sizes = [(*len as u32).to_le_bytes(), (payload.len() as u32).to_le_bytes()].concat();
        chain = crc(&[&chain.to_le_bytes(), &sizes, payload]);
        file.extend([&sizes[..], &chain.to_le_bytes(), payload].concat());
    }
    file
}

/// A root, a claim, records, the two counts at the end of the file, and the expected text of the fault.
type Case = (&'static str, Claim, &'static [u64], u64, u64, &'static str);

fn fault(file: &[u8]) -> String {
    read::<Noughts>(file).unwrap_err().to_string()
}

#[test]
fn tic_tac_toe_is_proven_a_draw() {
    for bytes in [1 << 10, 1 << 20] {
        let file = file(&Noughts::default(), Claim::Draw, bytes);
        let verified = read::<Noughts>(&file).unwrap();
        assert_eq!(verified.claims, [(Noughts::default(), Claim::Draw)]);
        assert!(verified.shared > 10 && verified.plies == 9 && file.len() < 4096, "{}", file.len());
    }
}

#[test]
fn a_root_that_is_over_has_an_empty_proof() {
    let root = Noughts::parse_position("xxxoo....").unwrap();
    let file = file(&root, Claim::Wins(Player::First), 0);
    assert_eq!(read::<Noughts>(&file).unwrap().records, 0);
    let wrong = Dfpn::default().prove(&root, Claim::Draw, &(), &Limits::none());
    assert_eq!(wrong.unwrap_err(), ProveError::Wrong);
}

#[test]
fn every_edited_byte_is_refused_with_its_place() {
    let file = file(&Noughts::default(), Claim::Draw, 1 << 20);
    let header = header_len(&file);
    for at in 0..file.len() {
        for flip in [1, 0x20, 0x80, 0xff] {
            let mut edited = file.clone();
            edited[at] ^= flip;
            let refused = read::<Noughts>(&edited).expect_err("an edited proof");
            // In the header, a line that ends too early is noticed at the next line.
            let latest = if at < header { header } else { at };
            assert!(refused.byte <= latest as u64, "{refused} for an edit at {at}");
        }
    }
}

#[test]
fn every_cut_and_every_appendix_is_refused() {
    let file = file(&Noughts::default(), Claim::Draw, 1 << 20);
    for len in 0..file.len() {
        let refused = read::<Noughts>(&file[..len]).expect_err("a proof that is cut");
        assert!(
            matches!(refused.fault, ProofFault::File(BlockFault::Cut)),
            "{refused} at {len} of {}",
            file.len()
        );
    }
    let longer = [&file[..], b"\n"].concat();
    let refused = read::<Noughts>(&longer).unwrap_err();
    assert!(
        matches!(refused.fault, ProofFault::File(BlockFault::Trailing)) && refused.byte == file.len() as u64
    );
}

#[test]
fn blocks_that_change_places_are_refused() {
    // The file has two blocks and the end, from a proof whose records are repeated.
    let file = file(&Noughts::default(), Claim::Draw, 1 << 20);
    let header = header_len(&file);
    let len = u32::from_le_bytes(file[header + 4..header + 8].try_into().unwrap()) as usize + 12;
    let twice = [&file[..header + len], &file[header..]].concat();
    let refused = read::<Noughts>(&twice).unwrap_err();
    assert_eq!(refused.byte, (header + len) as u64, "{refused}");
    let without = [&file[..header], &file[header + len..]].concat();
    let refused = read::<Noughts>(&without).unwrap_err();
    assert_eq!((refused.byte, refused.record), (header as u64, 0), "{refused}");
}

#[test]
fn records_that_prove_nothing_are_refused() {
    let wins = Claim::Wins(Player::First);
    // The first player has two in a row and is to move: cell 2, the first legal move, wins.
    let root = "xx.oo....";
    assert_eq!(read::<Noughts>(&handmade(root, wins, &[1], 1, 0)).unwrap().positions, 2);
    let cases: [Case; 10] = [
        (root, wins, &[1], 2, 0, "2 records with 0 shared ones were counted"),
        (root, wins, &[1, 1], 1, 0, "more than the proof needs"),
        (root, wins, &[21], 1, 0, "move number 5 of a position with 5"),
        (root, wins, &[7, 99], 1, 0, "move number 99 of a position with 9"),
        (root, wins, &[5, 1, 1], 3, 0, "the records are cut off"),
        (root, wins, &[0, 0], 1, 0, "shared position 0 of 0 shown so far"),
        (root, Claim::DoesNotWin(Player::First), &[1], 1, 0, "a line that refutes the claim"),
        (root, Claim::DoesNotWin(Player::First), &[5], 1, 0, "record 5 where all moves are to be played"),
        ("xx.oo...", wins, &[1], 1, 0, "the root is no position: expected nine characters"),
        (root, wins, &[125, 0], 2, 0, "move number 31 of a position with 5"),
    ];
    for (root, claim, numbers, records, shared, expected) in cases {
        let message = fault(&handmade(root, claim, numbers, records, shared));
        assert!(message.contains(expected), "{message:?} for {expected:?}");
    }
}

/// A proof of a win in one with these bytes as its records.
fn with_bytes(bytes: &[u8], payload: Vec<u8>) -> Vec<u8> {
    let header = header("xx.oo....", Claim::Wins(Player::First));
    of_blocks(header, &[(bytes.len(), payload)], 1, 0)
}

#[test]
fn a_number_with_more_than_64_bits_is_refused() {
    // The record is 1 with bits above the 64th.
    let long = [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02];
    let message = fault(&with_bytes(&long, packed(&long)));
    assert!(message.contains("byte 0 of a block's records") && message.contains("80, 02]"), "{message}");
    let longer = [&[0x81; 10][..], &[1]].concat();
    assert!(fault(&with_bytes(&longer, packed(&longer))).contains("the number at byte 0"));
    // The number with the highest bit alone is valid, but no move has this number.
    let high = [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01];
    assert!(fault(&with_bytes(&high, packed(&high))).starts_with("move number 2305843009213693952"));
}

#[test]
fn a_number_with_zeros_before_it_is_refused() {
    for (bytes, at) in [(&[0x81, 0][..], 0), (&[0x81, 0x80, 0], 0), (&[0, 0x80, 0], 1)] {
        let message = fault(&with_bytes(bytes, packed(bytes)));
        assert!(message.contains(&format!("byte {at} of a block's records")), "{message}");
    }
}

#[test]
fn bytes_behind_the_records_of_a_block_are_refused() {
    let good = with_bytes(&[1], packed(&[1]));
    assert!(read::<Noughts>(&good).is_ok());
    let message = fault(&with_bytes(&[1], [packed(&[1]), b"hidden".to_vec()].concat()));
    assert!(message.starts_with("6 bytes of a block's payload come after"), "{message}");
    assert!(message.ends_with(&format!("(byte {}, record 0)", header_len(&good))), "{message}");
}

#[test]
fn a_block_of_more_than_65536_bytes_of_records_is_refused() {
    // A record of a line whose moves fill the block, or are one byte too long for it.
    let record = |len: usize| {
        let mut bytes = vec![0; len];
        bytes[0] = 1;
        bytes
    };
    for (len, expected) in
        [(1 << 16, "more than the proof needs"), ((1 << 16) + 1, "a block of 65537 bytes: at most 65536")]
    {
        let message = fault(&with_bytes(&record(len), packed(&record(len))));
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn numbers_and_roots_of_a_header_have_one_spelling() {
    let file = |count: &str, root: &str| {
        let lines = format!("stonework proof 2\ngame test\nclaims {count}\nroot {root}\nclaim first wins\n");
        of_blocks(checked(&lines), &[(1, packed(&[1]))], 1, 0)
    };
    assert!(read::<Noughts>(&file("1", "xx.oo....")).is_ok());
    for count in ["01", "+1", "1 ", " 1", "1\r", "１", "0", "4097", ""] {
        let message = fault(&file(count, "xx.oo...."));
        assert!(message.starts_with(&format!("`{count}` claims: 1 to 4096")), "{message}");
        assert!(message.ends_with("(byte 28, record 0)"), "{message}");
    }
    let message = fault(&file("1", "xx.oo...-"));
    assert_eq!(
        message,
        "the root is another spelling of a position: from byte 8 on `-`, not `.` (byte 37, record 0)"
    );
}

#[test]
fn a_reference_to_another_position_is_refused() {
    // The first player has two winning cells, 2 and 6, and the second player is to move, with the empty cells 2,
    // 5, 6 and 7.
    let root = "xx.xo...o";
    let wins = Claim::Wins(Player::First);
    assert_eq!(read::<Noughts>(&handmade(root, wins, &[1, 5, 1, 1, 1], 5, 0)).unwrap().plies, 2);
    assert_eq!(read::<Noughts>(&handmade(root, wins, &[1, 6, 1, 1, 1], 5, 1)).unwrap().shared, 1);
    let message = fault(&handmade(root, wins, &[1, 6, 0, 0, 1, 1], 5, 1));
    assert!(
        message.starts_with("shared position 0 is another one") && message.ends_with("record 2)"),
        "{message}"
    );
    // The root is not verified yet when a record below it refers to it.
    let message = fault(&handmade(root, wins, &[2, 0, 0, 1, 1, 1], 5, 1));
    assert!(message.starts_with("shared position 0 of 1 shown so far"), "{message}");
}

#[test]
fn caps_are_kept() {
    let file = file(&Noughts::default(), Claim::Draw, 1 << 20);
    let full = read::<Noughts>(&file).unwrap();
    let caps = VerifyLimits { plies: full.plies, positions: full.positions, shared: full.shared };
    assert!(verify::<Noughts, _>("test", &(), &file[..], &caps).is_ok());
    for (caps, what) in [
        (VerifyLimits { plies: full.plies - 1, ..caps }, "plies"),
        (VerifyLimits { positions: full.positions - 1, ..caps }, "positions"),
        (VerifyLimits { shared: 3, ..caps }, "shared positions"),
    ] {
        let refused = verify::<Noughts, _>("test", &(), &file[..], &caps).unwrap_err();
        assert!(refused.to_string().contains(what), "{refused}");
    }
}

#[test]
fn headers_are_read_alone_and_names_compared() {
    let file = file(&Noughts::default(), Claim::Draw, 1 << 20);
    let reader = ProofReader::new(&file[..]).unwrap();
    assert_eq!((reader.game(), reader.claims().collect()), ("test", vec![(".........", Claim::Draw)]));
    let refused = verify::<Noughts, _>("chess", &(), &file[..], &VerifyLimits::default()).unwrap_err();
    assert!(refused.to_string().starts_with("a proof about `test`, not about `chess`"), "{refused}");
    assert!(matches!(
        ProofReader::new(&b"stonework proof 1\n"[..]).unwrap_err().fault,
        ProofFault::File(BlockFault::Title { .. })
    ));
    let proof = Dfpn::default().prove(&Noughts::default(), Claim::Draw, &(), &Limits::none()).unwrap();
    assert!(proof.write("two\nlines", &(), Vec::new()).is_err());
}

/// A draw with one strategy was written as a file that does not hold, and a strategy too many was left out.
#[test]
fn a_proof_has_a_strategy_for_each_goal_or_is_not_written() {
    let (drawn, won) =
        (Noughts::parse_position("xoxxoooxx").unwrap(), Noughts::parse_position("xxxoo....").unwrap());
    let written = |root: Noughts, claim, count| {
        let proof = Proof::new(root, claim, vec![Strategy::new(); count]);
        proof.write("test", &(), Vec::new()).map(|written| written.records).map_err(|error| error.to_string())
    };
    let wins = Claim::Wins(Player::First);
    assert_eq!((written(drawn, Claim::Draw, 2), written(won, wins, 1)), (Ok(0), Ok(0)));
    let refused = |count: usize, claim: &str, goals: usize| {
        Err(format!("{count} strategies for the claim `{claim}`, which has {goals}"))
    };
    assert_eq!(written(drawn, Claim::Draw, 1), refused(1, "draw", 2));
    assert_eq!(written(won, wins, 2), refused(2, "first wins", 1));
    assert_eq!(written(won, wins, 0), refused(0, "first wins", 1));
}

/// The sum of the counts that two files claim was an overflow.
#[test]
fn files_whose_counts_are_too_large_to_be_added_are_not_joined() {
    let claim = Claim::Wins(Player::First);
    for counts in [(u64::MAX, 0), (1, u64::MAX)] {
        let file = handmade("xx.oo....", claim, &[1], counts.0, counts.1);
        let readers = [&file, &file].map(|file| ProofReader::new(&file[..]).unwrap()).into();
        let refused = join(readers, Vec::new()).unwrap_err().to_string();
        assert!(refused.starts_with("proof 1: more than 18446744073709551615 records"), "{refused}");
    }
}

#[test]
fn limits_end_the_making_of_a_proof() {
    let root = Noughts::default();
    let all = Limits::none();
    let mut nodes = 1;
    loop {
        match Dfpn::default().prove(&root, Claim::Draw, &(), &all.clone().nodes(nodes)) {
            Ok(proof) => break assert!(proof.positions() > 100 && nodes > 1000),
            Err(error) => assert_eq!(error, ProveError::Stopped(Stop::Nodes)),
        }
        nodes = nodes * 3 / 2 + 1;
    }
}
