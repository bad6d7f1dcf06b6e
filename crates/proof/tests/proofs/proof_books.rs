//! Tests that the book of a proof keeps its claim against all answers.

use std::fmt;

use stonework_files::BlockFault;
use stonework_game::{Finite, Game, Indexed, Keyed, Outcome, Player, Textual};
use stonework_proof::{Claim, ProofBook, ProofFault, ProofReader, VerifyLimits, join, value_of};

use crate::noughts::Noughts;
use crate::tree::{Tree, claims, file, truth};

fn book<G: Finite + Keyed + Textual + Indexed>(file: &[u8]) -> ProofBook<G, ()> {
    ProofBook::read("test", (), file, &VerifyLimits::default(), 1 << 20).unwrap()
}

/// Checks that the side of the claim, by the moves of the book, keeps the claim against all answers within the
/// stated plies. Returns the number of positions with a move of that side.
fn follow<G: Finite + Keyed + Textual + Indexed + PartialEq + fmt::Debug>(
    root: &G,
    claim: Claim,
    side: Player,
) -> usize {
    let file = file(root, claim, 1 << 16);
    let book = book::<G>(&file);
    let tally = book.verified().by_claim[0];
    let mut walk = book.walk(root.clone());
    let line = walk.longest();
    assert!(line.len() <= tally.longest as usize, "{line:?} {tally:?}");
    let mut open: Vec<(Vec<G::Move>, u32)> = vec![(Vec::new(), tally.longest)];
    let mut played = 0;
    while let Some((moves, left)) = open.pop() {
        while walk.back().is_some() {}
        assert_eq!(walk.position(), root);
        for &mv in &moves {
            walk.play(mv).unwrap();
        }
        let entries = walk.entries();
        let of_side = entries.iter().find(|entries| entries.claim.shows(claim));
        let plies = of_side.unwrap_or_else(|| panic!("{entries:?} after {moves:?}")).plies;
        assert!(plies <= left, "{plies} after {moves:?}, {left} before");
        // Every entry is true.
        let value = truth(walk.position());
        let holding = claims(value).into_iter().filter(|(_, holds)| *holds);
        let holding: Vec<Claim> = holding.map(|(claim, _)| claim).collect();
        assert!(entries.iter().all(|entries| holding.contains(&entries.claim)), "{entries:?}, {value:?}");
        assert!(value_of(&entries).is_none_or(|known| known == value));
        if walk.position().outcome().is_some() {
            continue;
        }
        let next: Vec<G::Move> = if walk.position().to_move() == side {
            played += 1;
            walk.choice().into_iter().collect()
        } else {
            walk.replies().into_iter().map(|(mv, _)| mv).collect()
        };
        assert!(!next.is_empty());
        for mv in next {
            open.push(([&moves[..], &[mv]].concat(), plies.saturating_sub(1)));
        }
    }
    played
}

#[test]
fn a_book_keeps_what_it_claims_against_all_answers() {
    let mut played = 0;
    for seed in 0..200 {
        let root = Tree::new(seed);
        let value = truth(&root);
        for (claim, _) in claims(value).into_iter().filter(|(claim, holds)| *holds && *claim != Claim::Draw) {
            let side = match claim {
                Claim::Wins(side) => side,
                Claim::DoesNotWin(who) => who.other(),
                Claim::Draw => continue,
            };
            played += follow(&root, claim, side);
        }
    }
    assert!(played > 1000, "{played}");
    for who in Player::BOTH {
        assert!(follow(&Noughts::default(), Claim::DoesNotWin(who), who.other()) > 20);
    }
}

/// With a strategy that does not lose and one that wins in one book, the move was that of the first strategy: a proven win was
/// given away.
#[test]
fn a_book_with_a_weaker_claim_about_the_same_positions_keeps_the_win() {
    let mut played = 0;
    for seed in 0..200 {
        let root = Tree::new(seed);
        let Outcome::Win(winner) = truth(&root) else { continue };
        let both =
            [Claim::DoesNotWin(winner.other()), Claim::Wins(winner)].map(|claim| file(&root, claim, 1 << 16));
        let readers = both.iter().map(|file| ProofReader::new(&file[..]).unwrap()).collect();
        let mut joined = Vec::new();
        join(readers, &mut joined).unwrap();
        let book = book::<Tree>(&joined);
        let mut open: Vec<Vec<u8>> = vec![Vec::new()];
        while let Some(moves) = open.pop() {
            let mut walk = book.walk(root);
            for &mv in &moves {
                walk.play(mv).unwrap();
            }
            let entries = walk.entries();
            assert_eq!(value_of(&entries), Some(Outcome::Win(winner)), "{entries:?} after {moves:?}");
            if walk.position().outcome().is_some() {
                continue;
            }
            let next: Vec<u8> = if walk.position().to_move() == winner {
                played += 1;
                walk.choice().into_iter().collect()
            } else {
                walk.replies().into_iter().map(|(mv, _)| mv).collect()
            };
            assert!(!next.is_empty());
            open.extend(next.into_iter().map(|mv| [&moves[..], &[mv]].concat()));
        }
    }
    assert!(played > 100, "{played}");
}

#[test]
fn a_drawn_book_says_both_sides_and_is_silent_elsewhere() {
    let file = file(&Noughts::default(), Claim::Draw, 1 << 16);
    let book = book::<Noughts>(&file);
    let verified = book.verified();
    let (all, own) = (verified.positions, verified.by_claim[0]);
    assert_eq!((own.positions, own.records, own.plies), (all, verified.records, verified.plies));
    assert!(own.longest == 9 && book.positions() > 50 && book.bytes() < 1 << 14, "{own:?}");
    let mut walk = book.walk(Noughts::default());
    assert_eq!((walk.entries().len(), value_of(&walk.entries())), (2, Some(Outcome::Draw)));
    assert_eq!(walk.longest().len(), 9);
    // The game is outside both strategies: the book has no entry about a position, unless entries follow from the
    // next positions.
    let mut silent = 0;
    for (mv, entries) in walk.replies() {
        walk.play(mv).unwrap();
        silent += usize::from(entries.is_empty());
        assert!(value_of(&entries).is_none_or(|value| value == Outcome::Draw));
        walk.back();
    }
    assert!(silent < 9);
    // A position in which the side to move wins at once is outside the strategies.
    let foreign = Noughts::parse_position("xx.oo...x").unwrap();
    let entries = book.walk(foreign).entries();
    assert!(entries.iter().all(|entries| Claim::Wins(Player::Second).shows(entries.claim)), "{entries:?}");
    let illegal = walk.play(9);
    assert!(illegal.is_err() && walk.position() == &Noughts::default() && walk.back().is_none());
}

#[test]
fn a_book_that_does_not_fit_is_refused() {
    let file = file(&Noughts::default(), Claim::Draw, 1 << 16);
    let least = book::<Noughts>(&file).bytes();
    for bytes in [0, 15, least / 2] {
        let refused = ProofBook::<Noughts, ()>::read("test", (), &file[..], &VerifyLimits::default(), bytes)
            .unwrap_err();
        assert!(
            matches!(refused.fault, ProofFault::TooLarge { limit, .. } if limit == bytes as u64),
            "{refused}"
        );
    }
    let refused = ProofBook::<Noughts, ()>::read("test", (), &file[..99], &VerifyLimits::default(), 1 << 20);
    assert!(matches!(refused.unwrap_err().fault, ProofFault::File(BlockFault::Cut)));
}
