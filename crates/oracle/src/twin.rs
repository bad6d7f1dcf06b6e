//! A comparison of the rules of any game with a judge, on random games.

use std::collections::HashSet;
use std::error::Error;
use std::fmt;

use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use stonework_game::{Game, Outcome, Player, below};

/// The facts about a position, which a judge finds from the moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference<M> {
    /// The side to move, also after the end.
    pub to_move: Player,
    /// The outcome; `None` if the game goes on.
    pub outcome: Option<Outcome>,
    /// The legal moves in any order, none twice; empty when the game is over.
    pub legal: Vec<M>,
}

/// A disagreement of rules and judge, after a game that was shortened by leaving out moves, one or two at a time.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Mismatch<M> {
    /// The moves up to the disagreement.
    pub moves: Vec<M>,
    /// The facts by the judge.
    pub expected: Reference<M>,
    /// The facts by the rules.
    pub got: Reference<M>,
    /// A move that is illegal by the judge and that the rules accept, though they may not list it.
    pub accepted: Option<M>,
    /// A move that is legal by the judge and that the rules refuse, though they may list it.
    pub refused: Option<M>,
    /// The number of moves of the game before it was shrunk.
    pub found_with: usize,
}

impl<M: fmt::Debug + PartialEq> fmt::Display for Mismatch<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { moves, expected, got, accepted, refused, .. } = self;
        write!(f, "after {moves:?}: ")?;
        if got.to_move != expected.to_move {
            write!(f, "{:?} is to move, by the judge {:?}", got.to_move, expected.to_move)
        } else if got.outcome != expected.outcome {
            write!(f, "the outcome is {:?}, by the judge {:?}", got.outcome, expected.outcome)
        } else if let Some(mv) = accepted {
            write!(f, "{mv:?} is accepted, which is illegal by the judge")
        } else if let Some(mv) = refused.as_ref().filter(|mv| got.legal.contains(mv)) {
            write!(f, "{mv:?} is listed and refused")
        } else {
            write!(f, "the legal moves are {:?}, by the judge {:?}", got.legal, expected.legal)
        }
    }
}

impl<M: fmt::Debug + PartialEq> Error for Mismatch<M> {}

/// The most sequences of moves that shrinking tries.
const SHRINKING: u32 = 20_000;

/// Plays uniformly random games from a position and compares the rules with a judge after every move: the side to move,
/// the outcome, the set of legal moves, and the refusal of moves that have become illegal. Such moves are the moves of
/// the game, and the moves that were legal one and two plies before; also after the end. Returns the number of
/// positions compared.
///
/// The judge's only input is the moves so far. It should be written from the text of the rules, look at the whole board
/// each time, and be slow. Equal seeds give equal games. A game that has not ended after 10 000 moves ends there.
///
/// ```
/// use stonework_game::example::Nim;
/// use stonework_game::{Outcome, Player};
/// use stonework_oracle::{Reference, check_against};
/// // Take one or two of eleven; the last one wins.
/// let judge = |moves: &[u8]| {
///     let left = 11 - moves.iter().sum::<u8>();
///     let to_move = if moves.len() % 2 == 0 { Player::First } else { Player::Second };
///     let outcome = (left == 0).then_some(Outcome::Win(!to_move));
///     Reference { to_move, outcome, legal: (1..=left.min(2)).collect() }
/// };
/// assert!(check_against(&Nim::new(11), judge, 100, 1)? > 600);
/// // A judge of another game: the last one loses.
/// let wrong = |moves: &[u8]| Reference { outcome: judge(moves).outcome.map(|_| Outcome::Draw), ..judge(moves) };
/// let parted = check_against(&Nim::new(11), wrong, 100, 1).unwrap_err();
/// assert_eq!(parted.moves.iter().sum::<u8>(), 11);
/// # Ok::<(), stonework_oracle::Mismatch<u8>>(())
/// ```
///
/// # Errors
/// The first disagreement, shrunk.
pub fn check_against<G: Game>(
    start: &G,
    mut judge: impl FnMut(&[G::Move]) -> Reference<G::Move>,
    games: u32,
    seed: u64,
) -> Result<u64, Mismatch<G::Move>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut positions = 0;
    for _ in 0..games {
        let (mut game, mut moves) = (start.clone(), Vec::new());
        let mut before = Before::default();
        loop {
            positions += 1;
            let ruling = judge(&moves);
            if let Some(found) = parted(&game, &moves, &ruling, &before) {
                return Err(shrink(start, &mut judge, found));
            }
            if ruling.legal.is_empty() || moves.len() >= 10_000 {
                break;
            }
            let mv = ruling.legal[below(&mut rng, ruling.legal.len())];
            game.play_unchecked(mv);
            moves.push(mv);
            before.then(ruling);
        }
    }
    Ok(positions)
}

/// The moves that were legal one and two plies before: the moves of the other side, and the moves of this side.
struct Before<M>([Vec<M>; 2]);

impl<M> Default for Before<M> {
    fn default() -> Self {
        Self([Vec::new(), Vec::new()])
    }
}

impl<M> Before<M> {
    /// Adds the legal moves of a position after one of them was played.
    fn then(&mut self, ruling: Reference<M>) {
        self.0.swap(0, 1);
        self.0[0] = ruling.legal;
    }
}

/// The disagreement of the rules with the judge's reference; `None` if they agree.
fn parted<G: Game>(
    game: &G,
    moves: &[G::Move],
    ruling: &Reference<G::Move>,
    before: &Before<G::Move>,
) -> Option<Mismatch<G::Move>> {
    let mut listed = Vec::new();
    game.legal_moves(&mut listed);
    let got = Reference { to_move: game.to_move(), outcome: game.outcome(), legal: listed };
    let set = |legal: &[G::Move]| legal.iter().copied().collect::<HashSet<_>>();
    let legal = set(&ruling.legal);
    let mut asked = moves.iter().chain(before.0.iter().flatten()).copied();
    let accepted = asked.find(|mv| !legal.contains(mv) && game.check(*mv).is_ok());
    let refused = ruling.legal.iter().copied().find(|mv| game.check(*mv).is_err());
    let same = got.to_move == ruling.to_move
        && got.outcome == ruling.outcome
        && got.legal.len() == legal.len()
        && set(&got.legal) == legal
        && accepted.is_none()
        && refused.is_none();
    (!same).then(|| Mismatch {
        moves: moves.to_vec(),
        expected: ruling.clone(),
        got,
        accepted,
        refused,
        found_with: moves.len(),
    })
}

/// Leaves out moves, two together or one, as long as rules and judge still disagree in a legal game.
fn shrink<G: Game>(
    start: &G,
    judge: &mut impl FnMut(&[G::Move]) -> Reference<G::Move>,
    mut found: Mismatch<G::Move>,
) -> Mismatch<G::Move> {
    let mut tries = SHRINKING;
    'again: loop {
        for width in [2, 1] {
            for at in 0..(found.moves.len() + 1).saturating_sub(width) {
                if tries == 0 {
                    return found;
                }
                tries -= 1;
                let mut fewer = found.moves.clone();
                fewer.drain(at..at + width);
                if let Some(smaller) = part_after(start, judge, &fewer) {
                    found = Mismatch { found_with: found.found_with, ..smaller };
                    continue 'again;
                }
            }
        }
        return found;
    }
}

/// The first disagreement in a game; `None` without one, and if the judge refuses a move before it.
fn part_after<G: Game>(
    start: &G,
    judge: &mut impl FnMut(&[G::Move]) -> Reference<G::Move>,
    moves: &[G::Move],
) -> Option<Mismatch<G::Move>> {
    let mut game = start.clone();
    let mut before = Before::default();
    for (at, &mv) in moves.iter().enumerate() {
        let ruling = judge(&moves[..at]);
        if !ruling.legal.contains(&mv) {
            return None;
        }
        if let Some(earlier) = parted(&game, &moves[..at], &ruling, &before) {
            return Some(earlier);
        }
        game.play_unchecked(mv);
        before.then(ruling);
    }
    parted(&game, moves, &judge(moves), &before)
}
