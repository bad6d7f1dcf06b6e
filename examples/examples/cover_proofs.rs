//! The searches that the Cover thesis considered and left aside: proof numbers, and threats, against alpha-beta, on
//! positions that it prints as won.
//!
//! Cover may go in circles, and proof-number search wants games that end. So each position is played for so many
//! plies at most and is a draw then: what is proven within them is proven for good. Positions visited until the
//! proof, of 2 million at most:
//!
//! ```text
//! $ cargo run --release -p stonework-examples --example cover_proofs
//!                                                      plies      df-pn    threats         pn    alpha-beta  with knowledge
//! figure 23                                                9        982         96        566           609             373
//! figure 25, after H10-I11 J10-I09 I11-H10 I09-J09         9       2744        168       1498          3190            1056
//! figure 25                                               13      43996       1119      13181         15149           13761
//! figure 24, by history alone                             17       8535       1052       6670        111999           53750
//! position 4, by history alone                             9         32          8         32            25               7
//! position 2                                               9          -    not won          -       not won         not won
//! ```

use std::hash::Hash;

use stonework_cover::{Move, Position, Undo};
use stonework_game::{Finite, Game, Keyed, Notation, Outcome, Player, Sym};
use stonework_players::cover::{Kinds, Shots, Terms};
use stonework_search::{AlphaBeta, Dfpn, Engine, Evaluate, Flat, Limits, Order, Pn, Quiet, Tactics, Verdict};

/// A position of Cover that is a draw after some more plies.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Cut {
    game: Position,
    left: u32,
}

/// What a move of a game that is cut breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
enum Refused {
    /// A rule of Cover.
    #[error(transparent)]
    Rule(#[from] stonework_cover::IllegalMove),
    /// The game has been cut.
    #[error("no plies are left")]
    Over,
}

impl Game for Cut {
    type Move = Move;
    type Undo = Undo;
    type Illegal = Refused;

    fn to_move(&self) -> Player {
        self.game.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().or_else(|| (self.left == 0).then_some(Outcome::Draw))
    }

    fn legal_moves(&self, out: &mut impl Extend<Move>) {
        if self.left > 0 {
            self.game.legal_moves(out);
        }
    }

    fn check(&self, mv: Move) -> Result<(), Refused> {
        if self.left == 0 && self.game.outcome().is_none() {
            return Err(Refused::Over);
        }
        Ok(self.game.check(mv)?)
    }

    fn play_unchecked(&mut self, mv: Move) -> Undo {
        self.left = self.left.saturating_sub(1);
        self.game.play_unchecked(mv)
    }

    fn undo(&mut self, undo: Undo) {
        self.left += 1;
        self.game.undo(undo);
    }
}

impl Finite for Cut {}

impl Keyed for Cut {
    fn key(&self) -> u64 {
        self.game.key() ^ u64::from(self.left).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn canonical(&self) -> (u64, Sym) {
        let (key, to) = self.game.canonical();
        (key ^ u64::from(self.left).wrapping_mul(0x9e37_79b9_7f4a_7c15), to)
    }

    fn map_move(&self, to: Sym, mv: Move) -> Move {
        self.game.map_move(to, mv)
    }

    fn unmap_move(&self, to: Sym, mv: Move) -> Move {
        self.game.unmap_move(to, mv)
    }
}

/// What the player knows, of a game that is cut.
#[derive(Clone, Debug)]
struct Known(Terms);

impl Evaluate<Cut> for Known {
    fn eval(&mut self, cut: &Cut) -> i32 {
        self.0.eval(&cut.game)
    }
}

impl Order<Cut> for Known {
    fn worth(&mut self, cut: &Cut, mv: Move) -> i32 {
        Kinds.worth(&cut.game, mv)
    }
}

impl Quiet<Cut> for Known {
    fn noisy(&mut self, cut: &Cut, out: &mut Vec<Move>) {
        Shots.noisy(&cut.game, out);
    }
}

/// The threats that end a game at once: a step onto the homebase, the shot at a last stone, a move that leaves no
/// reply. Who has one wins; who faces one has to answer it.
#[derive(Clone, Copy, Debug)]
struct AtOnce;

/// A move that wins at once.
fn winning(game: &mut Position) -> Option<Move> {
    let (mover, mut moves) = (game.to_move(), Vec::new());
    game.legal_moves(&mut moves);
    moves.into_iter().find(|&mv| {
        let undo = game.play_unchecked(mv);
        let won = game.outcome() == Some(Outcome::Win(mover));
        game.undo(undo);
        won
    })
}

impl Tactics<Cut> for AtOnce {
    fn probe(&mut self, cut: &mut Cut, only: &mut Vec<Move>) -> Verdict<Move> {
        let game = &mut cut.game;
        if let Some(mv) = winning(game) {
            return Verdict::Win(mv);
        }
        if cut.left < 2 {
            return Verdict::Open;
        }
        let Some(passed) = game.pass() else { return Verdict::Open };
        let threat = game.outcome().is_none() && winning(game).is_some();
        game.unpass(passed);
        if !threat {
            return Verdict::Open;
        }
        game.legal_moves(only);
        only.retain(|&mv| {
            let undo = game.play_unchecked(mv);
            let answered = winning(game).is_none();
            game.undo(undo);
            answered
        });
        if only.is_empty() { Verdict::Loss } else { Verdict::Only }
    }
}

/// What is printed as won by blue: where, and within how many plies it is tried.
const PRINTED: [(&str, &str, u32); 6] = [
    ("figure 23", "4 r four [I09]x[J08] -", 9),
    ("figure 25, after H10-I11 J10-I09 I11-H10 I09-J09", "4 b four [H10]x[J09] -", 9),
    ("figure 25", "4 b four [H10]x[J10] -", 13),
    ("figure 24, by history alone", "4 b four [H09]x[I10] -", 17),
    ("position 4, by history alone", "4 r four [C02]x[A04] C02-D03,B05-A04,D03-C02", 9),
    ("position 2", "4 b four [B05,G07,H04]x[D03,F08,I02,D10] -", 9),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{:52} plies      df-pn    threats         pn    alpha-beta  with knowledge", "");
    let (mut proven, mut tried) = ([0; 5], 0);
    for (name, text, plies) in PRINTED {
        let cut = Cut { game: Position::parse_position(text)?, left: plies };
        let known = || Known(Terms::new());
        let mut engines: [Box<dyn Engine<Cut>>; 5] = [
            Box::new(Dfpn::new()),
            Box::new(Dfpn::with(AtOnce)),
            Box::new(Pn::new()),
            Box::new(AlphaBeta::builder(Flat).order(known()).quiet(known(), 0).build()?),
            Box::new(AlphaBeta::builder(known()).order(known()).quiet(known(), 8).aspiration(60).build()?),
        ];
        let limits = Limits::none().nodes(2_000_000).bytes(256 << 20);
        let reports = engines.each_mut().map(|engine| engine.search(&cut, &limits, 0, &mut |_| {}));
        let cells = reports.each_ref().map(|report| match report.proof {
            Some(Outcome::Win(Player::First)) => report.nodes.to_string(),
            Some(_) => "not won".to_owned(),
            None => "-".to_owned(),
        });
        let [dfpn, threats, pn, blind, seeing] = cells;
        println!("{name:52}{plies:6}{dfpn:>11}{threats:>11}{pn:>11}{blind:>14}{seeing:>16}");
        // No two of them prove different things.
        let outcomes: Vec<Outcome> = reports.iter().filter_map(|report| report.proof).collect();
        assert!(outcomes.windows(2).all(|two| two[0] == two[1]), "{name}: {outcomes:?}");
        for (count, report) in proven.iter_mut().zip(&reports) {
            *count += u32::from(report.proof == Some(Outcome::Win(Player::First)));
        }
        tried += 1;
    }
    println!("\nproven of {tried}: {proven:?}");
    // All but position 2, which nobody wins so quickly.
    assert_eq!(proven, [tried - 1; 5]);
    Ok(())
}
