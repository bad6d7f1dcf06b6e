//! The laws that every game keeps, as checks for the tests of any game.
//!
//! Each check plays random games from a start position and reports the first law that is broken, with the moves that lead there.
//! The games follow from the seed, the second argument:
//!
//! ```
//! use stonework_game::{example::Nim, laws};
//! laws::game(&Nim::new(9), 1, 20)?;
//! # Ok::<(), stonework_game::laws::Broken>(())
//! ```

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::hash::Hash;

use rand_core::RngCore;

use crate::{Finite, Game, Indexed, Keyed, Outcome, Player, Textual, below, rng};

/// A law that a game breaks.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{law}: {detail}; after the moves {moves:?}")]
#[non_exhaustive]
pub struct Broken {
    /// The law.
    pub law: &'static str,
    /// The values that break the law.
    pub detail: String,
    /// The moves from the start position to the position that breaks the law.
    pub moves: Vec<String>,
}

/// The largest number of plies of a game in these checks.
const MAX_PLIES: usize = 10_000;

/// Plays random games, and calls `check` with each position and its moves.
fn walk<G: Game>(
    start: &G,
    rng: &mut impl RngCore,
    games: u32,
    mut check: impl FnMut(&G, &[G::Move]) -> Result<(), (&'static str, String)>,
) -> Result<(), Broken> {
    for _ in 0..games {
        let mut game = start.clone();
        let mut played: Vec<G::Move> = Vec::new();
        loop {
            let moves = game.moves();
            check(&game, &moves).map_err(|(law, detail)| {
                let moves = played.iter().map(|m| format!("{m:?}")).collect();
                Broken { law, detail, moves }
            })?;
            if moves.is_empty() || played.len() >= MAX_PLIES {
                break;
            }
            let mv = moves[below(rng, moves.len())];
            game.play_unchecked(mv);
            played.push(mv);
        }
    }
    Ok(())
}

fn require(
    holds: bool,
    law: &'static str,
    detail: impl FnOnce() -> String,
) -> Result<(), (&'static str, String)> {
    if holds { Ok(()) } else { Err((law, detail())) }
}

/// The laws of [`Game`]:
///
/// - moves exist exactly while there is no outcome;
/// - the moves are distinct, in a stable order, and pass [`check`](Game::check);
/// - moves of other positions that are not legal here fail `check` and leave the position unchanged;
/// - undo restores `==`, the side to move and the outcome after every move, and these and the moves move by move for whole games;
/// - a game that was taken back to its beginning can be played again, with the same positions, moves and outcome.
///
/// # Errors
/// The error names the first law that is broken.
pub fn game<G: Game>(start: &G, seed: u64, games: u32) -> Result<(), Broken> {
    let mut known: HashSet<G::Move> = HashSet::new();
    walk(start, &mut rng(seed), games, |game, moves| {
        let over = game.outcome().is_some();
        require(over == moves.is_empty(), "moves exist exactly while there is no outcome", || {
            format!("outcome {:?} with {} moves", game.outcome(), moves.len())
        })?;
        let mut again = Vec::new();
        game.legal_moves(&mut again);
        require(again == moves, "the order of moves is stable", || format!("{moves:?} then {again:?}"))?;
        let set: HashSet<G::Move> = moves.iter().copied().collect();
        require(set.len() == moves.len(), "moves are distinct", || format!("{moves:?}"))?;
        for &mv in moves {
            require(game.check(mv).is_ok(), "legal moves pass check", || format!("{mv:?}"))?;
            let mut copy = game.clone();
            let undo = copy.play_unchecked(mv);
            require(copy != *game, "a move changes the position", || format!("{mv:?}"))?;
            copy.undo(undo);
            require(copy == *game, "undo restores the position", || format!("{mv:?}"))?;
            // A game may leave what follows from the rest of a position out of `==`, and restore the rest alone.
            let (found, expected) = (standing(&copy), standing(game));
            require(found == expected, "undo restores the side to move and the outcome", || {
                format!("{mv:?}: {found:?}, not {expected:?}")
            })?;
        }
        for &mv in known.iter().filter(|mv| !set.contains(mv)) {
            let mut copy = game.clone();
            require(copy.play(mv).is_err(), "moves that are not listed are refused", || format!("{mv:?}"))?;
            require(copy == *game, "a refused move changes nothing", || format!("{mv:?}"))?;
        }
        known.extend(set);
        Ok(())
    })?;
    unwinding(start, &mut rng(seed), games)
}

/// The side to move and the outcome.
fn standing<G: Game>(game: &G) -> (Player, Option<Outcome>) {
    (game.to_move(), game.outcome())
}

/// The laws that whole games, taken back move by move, pass through the same positions with the same moves, and that they can be
/// played again from their beginning.
fn unwinding<G: Game>(start: &G, rng: &mut impl RngCore, games: u32) -> Result<(), Broken> {
    for _ in 0..games {
        let mut game = start.clone();
        // Each position with the move from there.
        let mut line: Vec<(G, G::Move)> = Vec::new();
        let mut undos = Vec::new();
        let mut moves: Vec<G::Move> = Vec::new();
        while line.len() < MAX_PLIES {
            moves.clear();
            game.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            let mv = moves[below(rng, moves.len())];
            line.push((game.clone(), mv));
            undos.push(game.play_unchecked(mv));
        }
        let end = game.clone();
        let broken = |law, plies: usize, detail| {
            let moves = line[..plies].iter().map(|(_, mv)| format!("{mv:?}")).collect();
            Err(Broken { law, detail, moves })
        };
        let alike = |one: &G, other: &G| standing(one) == standing(other) && one.moves() == other.moves();
        for (ply, undo) in undos.into_iter().enumerate().rev() {
            game.undo(undo);
            let (before, mv) = &line[ply];
            let detail =
                || format!("taking back {mv:?} gave {game:?}, {:?}, {:?}", standing(&game), game.moves());
            if game != *before {
                return broken("a game unwinds through the same positions", ply + 1, detail());
            }
            if !alike(&game, before) {
                return broken("a game unwinds through the same moves and outcomes", ply + 1, detail());
            }
        }
        let ends = line.iter().map(|(position, _)| position).skip(1).chain([&end]);
        for (ply, (after, (_, mv))) in ends.zip(&line).enumerate() {
            game.play_unchecked(*mv);
            if game != *after || !alike(&game, after) {
                let detail = format!(
                    "{mv:?} was played again and gave {game:?}, {:?}, {:?}",
                    standing(&game),
                    game.moves()
                );
                return broken("a game that was taken back can be played again", ply + 1, detail);
            }
        }
    }
    Ok(())
}

/// The laws of [`Keyed`]:
///
/// - an undo restores the keys;
/// - positions with equal keys have equal moves, the same side to move and the same outcome;
/// - [`unmap_move`](Keyed::unmap_move) is the inverse of [`map_move`](Keyed::map_move);
/// - positions with equal canonical keys have equal moves after the mapping, and the same outcome for the side to move.
///
/// # Errors
/// The error names the first law that is broken.
pub fn keyed<G: Keyed>(start: &G, seed: u64, games: u32) -> Result<(), Broken> {
    let mut by_key: HashMap<u64, (G, HashSet<G::Move>)> = HashMap::new();
    let mut by_orbit: HashMap<u64, (G, HashSet<G::Move>)> = HashMap::new();
    walk(start, &mut rng(seed), games, |game, moves| {
        let set: HashSet<G::Move> = moves.iter().copied().collect();
        let (orbit, sym) = game.canonical();
        for &mv in moves {
            let back = game.unmap_move(sym, game.map_move(sym, mv));
            require(back == mv, "mapped moves come back", || format!("{mv:?} became {back:?} by {sym:?}"))?;
            let mut copy = game.clone();
            let undo = copy.play_unchecked(mv);
            copy.undo(undo);
            let same = copy.key() == game.key() && copy.canonical().0 == orbit;
            require(same, "undo restores the keys", || format!("{mv:?}"))?;
        }
        let mapped: HashSet<G::Move> = moves.iter().map(|&mv| game.map_move(sym, mv)).collect();
        let (known, same) = by_key.entry(game.key()).or_insert_with(|| (game.clone(), set.clone()));
        let mover = (known.to_move(), game.to_move());
        require(*same == set && mover.0 == mover.1, "equal keys, equal moves and mover", || {
            format!("{known:?} and {game:?}, {:?} and {:?} to move; {}", mover.0, mover.1, parted(same, &set))
        })?;
        let ends = (known.outcome(), game.outcome());
        require(ends.0 == ends.1, "equal keys, equal outcomes", || {
            format!("{known:?} and {game:?}: {ends:?}")
        })?;
        let (known, same) = by_orbit.entry(orbit).or_insert_with(|| (game.clone(), mapped.clone()));
        require(*same == mapped, "equal canonical keys, equal mapped moves", || {
            format!("{known:?} and {game:?}; {}", parted(same, &mapped))
        })?;
        let value = |game: &G| game.outcome().map(|outcome| outcome.value_for(game.to_move()));
        let values = (value(known), value(game));
        require(values.0 == values.1, "equal canonical keys, equal outcomes for the side to move", || {
            format!("{known:?} and {game:?}: {values:?}")
        })
    })
}

/// A text with the moves that only one of two positions has.
fn parted<M: Copy + Eq + Hash + Debug>(one: &HashSet<M>, other: &HashSet<M>) -> String {
    let only =
        |here: &HashSet<M>, there: &HashSet<M>| format!("{:?}", here.difference(there).collect::<Vec<_>>());
    format!("moves of the first alone {}, of the second alone {}", only(one, other), only(other, one))
}

/// The number of histories of a key that the check compares with later histories.
const HISTORIES: usize = 8;
/// The largest number of plies of a game of [`horizon`].
const HORIZON_PLIES: usize = 200;

/// The law of [`horizon`](Keyed::horizon): positions with equal keys and different histories have equal outcomes on every line
/// of moves that is not longer than both horizons and `depth`.
///
/// Every second move of the random games leads back to an earlier key, if such a move exists. A game whose key covers
/// the whole position keeps the law without a comparison. O(moves ^ `depth`) for each pair of histories, so 3 or 4 is
/// a good depth.
///
/// # Errors
/// The error has the first line on which the outcomes differ, with both positions.
pub fn horizon<G: Keyed>(start: &G, seed: u64, games: u32, depth: u32) -> Result<(), Broken> {
    let mut rng = rng(seed);
    let mut by_key: HashMap<u64, Vec<G>> = HashMap::new();
    for _ in 0..games {
        let (mut game, mut played) = (start.clone(), Vec::new());
        loop {
            let others = by_key.entry(game.key()).or_default();
            for other in others.iter().filter(|other| **other != game) {
                let plies = depth.min(game.horizon()).min(other.horizon());
                if let Some((line, outcomes)) = parting(&game, other, plies) {
                    let (horizon, another) = (game.horizon(), other.horizon());
                    let detail = format!(
                        "{game:?}, horizon {horizon}, and {other:?}, horizon {another}, have equal keys; \
                         after {line:?} the outcomes are {outcomes:?}"
                    );
                    let moves = played.iter().map(|mv: &G::Move| format!("{mv:?}")).collect();
                    return Err(Broken {
                        law: "equal keys, equal outcomes within the horizon",
                        detail,
                        moves,
                    });
                }
            }
            if others.len() < HISTORIES && !others.contains(&game) {
                others.push(game.clone());
            }
            let moves = game.moves();
            if moves.is_empty() || played.len() >= HORIZON_PLIES {
                break;
            }
            let mut back = Vec::new();
            for &mv in moves.iter().filter(|_| played.len() % 2 == 1) {
                let undo = game.play_unchecked(mv);
                if by_key.contains_key(&game.key()) {
                    back.push(mv);
                }
                game.undo(undo);
            }
            let from = if back.is_empty() { &moves } else { &back };
            let mv = from[below(&mut rng, from.len())];
            game.play_unchecked(mv);
            played.push(mv);
        }
    }
    Ok(())
}

/// A line of moves and the different outcomes after it.
type Parting<M> = (Vec<M>, [Option<Outcome>; 2]);

/// The first line of at most `plies` plies after which two positions have different outcomes.
fn parting<G: Game>(one: &G, other: &G, plies: u32) -> Option<Parting<G::Move>> {
    let mut lines = vec![(one.clone(), other.clone(), Vec::new())];
    while let Some((one, other, line)) = lines.pop() {
        let outcomes = [one.outcome(), other.outcome()];
        if outcomes[0] != outcomes[1] {
            return Some((line, outcomes));
        }
        if line.len() >= plies as usize {
            continue;
        }
        let moves = one.moves();
        for mv in moves.into_iter().filter(|&mv| other.check(mv).is_ok()) {
            let (mut one, mut other, mut line) = (one.clone(), other.clone(), line.clone());
            one.play_unchecked(mv);
            other.play_unchecked(mv);
            line.push(mv);
            lines.push((one, other, line));
        }
    }
    None
}

/// The law of [`Finite`]: no key recurs within a game, and every game ends (within 10 000 plies).
///
/// # Errors
/// The error has the first game that breaks the law.
pub fn finite<G: Finite + Keyed>(start: &G, seed: u64, games: u32) -> Result<(), Broken> {
    let mut rng = rng(seed);
    for _ in 0..games {
        let mut keys = HashSet::new();
        walk(start, &mut rng, 1, |game, _| {
            require(keys.insert(game.key()), "no position recurs", || format!("{game:?}"))?;
            require(keys.len() < MAX_PLIES, "every game ends", || format!("{} plies", keys.len()))
        })?;
    }
    Ok(())
}

/// The laws of [`Indexed`]: the numbers of moves are distinct and below [`index_len`](Indexed::index_len), and
/// [`move_at`](Indexed::move_at) is the inverse of [`move_index`](Indexed::move_index).
///
/// # Errors
/// The error names the first law that is broken.
pub fn indexed<G: Indexed>(start: &G, seed: u64, games: u32) -> Result<(), Broken> {
    walk(start, &mut rng(seed), games, |game, moves| {
        for &mv in moves {
            let index = game.move_index(mv);
            let len = game.index_len();
            require(index < len, "numbers are below the length", || format!("{mv:?}: {index} of {len}"))?;
            let back = game.move_at(index);
            require(back == Some(mv), "numbers lead back to moves", || format!("{mv:?}: {index}: {back:?}"))?;
        }
        let len = game.index_len();
        let named: Vec<_> = (0..len + 2).filter_map(|i| Some((i, game.move_at(i)?))).collect();
        let wrong = named.iter().find(|&&(i, mv)| i >= len || game.move_index(mv) != i);
        require(wrong.is_none(), "moves lead back to numbers", || format!("{wrong:?}"))
    })
}

/// The laws of [`Textual`]: the text of a move reads back as the move; the text of a position reads back as a position with
/// the same moves, side to move, outcome and text.
///
/// # Errors
/// The error names the first law that is broken.
pub fn notation<G: Textual>(start: &G, seed: u64, games: u32) -> Result<(), Broken> {
    fn show<T: Debug, E: Debug>(text: &str, got: &Result<T, E>) -> String {
        format!("`{text}` read as {got:?}")
    }
    walk(start, &mut rng(seed), games, |game, moves| {
        for &mv in moves {
            let text = game.move_text(mv);
            let back = game.parse_move(&text);
            require(back.as_ref() == Ok(&mv), "moves read back", || show(&text, &back))?;
        }
        let text = game.position_text();
        let back = G::parse_position(&text);
        let Ok(position) = &back else { return Err(("positions read back", show(&text, &back))) };
        let mut again = Vec::new();
        position.legal_moves(&mut again);
        let same = (position.to_move(), position.outcome()) == (game.to_move(), game.outcome());
        let same = same && again == moves && position.position_text() == text;
        require(same, "positions read back", || show(&text, &back))
    })
}
