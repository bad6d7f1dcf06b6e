//! The plies that a proof states, compared with all games of noughts and crosses in which one side follows the proof.

use stonework_game::{Game, Outcome, Player, Textual};
use stonework_proof::{BookWalk, Claim, ImmediateRules, ProofBook, VerifyLimits};
use stonework_search::{Dfpn, Engine, Limits};

use crate::noughts::Noughts;

/// Rules with the facts of noughts and crosses: a cell that completes a line is an immediate win, and a player cannot win if each
/// line has a stone of the opponent.
struct Lines;

impl ImmediateRules<Noughts> for Lines {
    fn winning_moves(&self, game: &Noughts, player: Player, out: &mut Vec<u8>) {
        let occupied = game.stones[0] | game.stones[1];
        let empty = (0..9).filter(|cell| occupied >> cell & 1 == 0);
        out.extend(empty.filter(|cell| Noughts::has_line(game.stones[player.index()] | 1 << cell)));
    }

    fn cannot_win(&self, game: &Noughts, player: Player) -> bool {
        !Noughts::has_line(!game.stones[player.other().index()] & 0o777)
    }

    fn canonical_bytes(&self, game: &Noughts, out: &mut Vec<u8>) -> bool {
        out.extend(game.position_text().into_bytes());
        true
    }
}

/// The plies of the longest game from the position of `walk` if `side` follows the proof. Plays all such games, and compares the
/// plies of the book's entry at each position.
fn longest(walk: &mut BookWalk<'_, Noughts, Lines>, side: Player, claim: Claim) -> u32 {
    let game = *walk.position();
    let has_immediate_win = Player::BOTH.into_iter().any(|player| {
        let mut moves = Vec::new();
        Lines.winning_moves(&game, player, &mut moves);
        !moves.is_empty()
    });
    let cannot_win = claim == Claim::DoesNotWin(side.other()) && Lines.cannot_win(&game, side.other());
    // Immediate wins come first: a proof states that a player cannot win only at positions without immediate wins.
    if game.outcome().is_some() || cannot_win && !has_immediate_win {
        return 0;
    }
    let mut moves = Vec::new();
    if game.to_move() == side {
        moves.extend(walk.choice());
    } else {
        game.legal_moves(&mut moves);
    }
    let mut most = 0;
    for mv in moves {
        walk.play(mv).unwrap();
        most = most.max(1 + longest(walk, side, claim));
        walk.back();
    }
    let entries = walk.entries();
    let entry = entries.iter().find(|entry| entry.claim.shows(claim)).unwrap();
    assert_eq!(entry.plies, most, "{claim} in {}: {entry:?}", game.position_text());
    most
}

#[test]
fn a_proof_states_the_plies_of_the_longest_game_from_each_position() {
    let (mut proofs, mut without_records) = (0, 0);
    let mut open = vec![Noughts::default()];
    while let Some(root) = open.pop() {
        let moves = root.moves();
        // The test follows about a third of the moves of each position.
        open.extend(moves.iter().filter(|&&mv| (usize::from(mv) + moves.len()) % 3 == 0).map(|&mv| {
            let mut next = root;
            next.play_unchecked(mv);
            next
        }));
        let Some(value) = Dfpn::default().think(&root, &Limits::none()).proven else { continue };
        for side in Player::BOTH {
            for (claim, holds) in [
                (Claim::Wins(side), value == Outcome::Win(side)),
                (Claim::DoesNotWin(side.other()), value != Outcome::Win(side.other())),
            ] {
                if !holds {
                    continue;
                }
                let mut file = Vec::new();
                let proof = Dfpn::default().prove(&root, claim, &Lines, &Limits::none()).unwrap();
                proof.write("test", &Lines, &mut file).unwrap();
                let book: ProofBook<Noughts, Lines> =
                    ProofBook::read("test", Lines, &file[..], &VerifyLimits::default(), 1 << 20).unwrap();
                let counts = book.verified().by_claim[0];
                let plies = longest(&mut book.walk(root), side, claim);
                assert_eq!(counts.longest, plies, "{claim} in {}", root.position_text());
                proofs += 1;
                without_records += u32::from(counts.records == 0 && plies == 2);
            }
        }
    }
    assert!(proofs > 300 && without_records > 5, "{proofs} proofs, {without_records} without records");
}
