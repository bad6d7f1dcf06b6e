//! Tests of the plies of a proof against all games that the other side can force.

mod noughts;

use stonework_game::{Game, Outcome, Player, Textual};
use stonework_proof::{BookWalk, Claim, ImmediateRules, ProofBook, VerifyLimits};
use stonework_search::{Dfpn, Engine, Limits};

use crate::noughts::Noughts;

/// Rules with the cells that complete a line, and the players without an open line.
struct Lines;

impl ImmediateRules<Noughts> for Lines {
    fn winning_moves(&self, game: &Noughts, player: Player, out: &mut Vec<u8>) {
        let taken = game.stones[0] | game.stones[1];
        let free = (0..9).filter(|cell| taken >> cell & 1 == 0);
        out.extend(free.filter(|cell| Noughts::has_line(game.stones[player.index()] | 1 << cell)));
    }

    fn cannot_win(&self, game: &Noughts, player: Player) -> bool {
        !Noughts::has_line(!game.stones[player.other().index()] & 0o777)
    }

    fn canonical_bytes(&self, game: &Noughts, out: &mut Vec<u8>) -> bool {
        out.extend(game.position_text().into_bytes());
        true
    }
}

/// The plies of the longest game if `side` follows the proof, by playing all such games. Every entry on the way is
/// checked.
fn longest(walk: &mut BookWalk<'_, Noughts, Lines>, side: Player, claim: Claim) -> u32 {
    let game = *walk.position();
    let seen = Player::BOTH.into_iter().any(|player| {
        let mut moves = Vec::new();
        Lines.winning_moves(&game, player, &mut moves);
        !moves.is_empty()
    });
    let dead = claim == Claim::DoesNotWin(side.other()) && Lines.cannot_win(&game, side.other());
    if game.outcome().is_some() || dead && !seen {
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
    let about = entries.iter().find(|entries| entries.claim.shows(claim)).unwrap();
    assert_eq!(about.plies, most, "{claim} in {}: {about:?}", game.position_text());
    most
}

#[test]
fn a_proof_says_of_every_position_how_long_the_other_side_can_hold_out() {
    let (mut games, mut forced) = (0, 0);
    let mut open = vec![Noughts::default()];
    while let Some(root) = open.pop() {
        let moves = root.moves();
        // The test plays a third of all games, so that all kinds of positions occur.
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
                let tally = book.verified().by_claim[0];
                let plies = longest(&mut book.walk(root), side, claim);
                assert_eq!(tally.longest, plies, "{claim} in {}", root.position_text());
                games += 1;
                forced += u32::from(tally.records == 0 && plies == 2);
            }
        }
    }
    assert!(games > 300 && forced > 5, "{games} {forced}");
}
