//! The questions about one game: its positions, and illegal moves there.

mod cachex;
mod cover;
mod havannah;

use std::collections::BTreeSet;

use rand_core::RngCore;
use stonework_board::Cell;
use stonework_game::below;
use stonework_session::{Described, play_text};

use crate::corpus::GameText;

/// The kind of a question about a position of the game: all its moves are moves of the game.
pub(super) const POSITION: &str = "position";

/// A question about a game.
pub(super) struct Question {
    /// The kind of the question.
    pub(super) kind: String,
    /// The moves.
    pub(super) moves: Vec<String>,
}

/// The questions about a game, and `true` if its last legal move fills the board.
pub(super) struct Questions {
    pub(super) all: Vec<Question>,
    pub(super) fills: bool,
}

/// A game for which illegal moves can be made up.
pub(super) trait Probed: Described {
    /// Texts that are no move in any position on this board, such as cells just beyond the rim.
    fn nowhere(&self, notation: usize) -> Vec<String>;

    /// Moves that break a rule in this position, or would break it if the game were not over, each with its fault. A
    /// legal move among them does no harm.
    fn wrong(&self, notation: usize, rng: &mut impl RngCore) -> Vec<(&'static str, String)>;

    /// `true` if the board has no empty cell, in games that fill their boards.
    fn is_full(&self) -> bool;
}

/// The number of positions of a long game that questions are about; of a shorter game all.
const POSITIONS: usize = 64;
/// The number of positions of a game with questions about illegal moves.
const PROBED: usize = 16;
/// The most texts that are no move anywhere, in the first game of a size.
const NOWHERE: usize = 200;

/// A question about every prefix of a game, or about a sample with the first and last prefixes; questions about illegal
/// moves of every kind in some positions, including the start and the end. `thorough` for the first game of a size.
pub(super) fn questions<G: Probed>(game: &GameText, thorough: bool, rng: &mut impl RngCore) -> Questions {
    let all: Vec<Question> = sample(game.moves.len(), POSITIONS, rng)
        .into_iter()
        .map(|n| Question { kind: POSITION.to_owned(), moves: game.moves[..n].to_vec() })
        .collect();
    let mut questions = Questions { all, fills: false };
    let query = game.query(Vec::new());
    let start = G::start(&query.start()).and_then(|start| {
        let notation = start.notation(query.notation.as_deref())?;
        Ok((start, notation))
    });
    let Ok((mut position, notation)) = start else { return questions };
    let nowhere = position.nowhere(notation);
    let legal = legal_length(position.clone(), notation, &game.moves);
    let probed = sample(legal, PROBED, rng);
    let mut captured = Vec::new();
    for n in 0..=legal {
        if n > 0 {
            match play_text(&mut position, notation, &game.moves[n - 1]) {
                Ok((_, undo)) => captured = position.captured(&undo),
                Err(_) => break,
            }
        }
        if !probed.contains(&n) {
            continue;
        }
        let over = if position.outcome().is_some() { ", after the end" } else { "" };
        let mut ask = |kind: &str, moves: &[&str]| {
            let own = game.moves[..n].iter().cloned();
            let moves = own.chain(moves.iter().map(|&mv| mv.to_owned())).collect();
            questions.all.push(Question { kind: format!("{kind}{over}"), moves });
        };
        for (kind, text) in position.wrong(notation, rng) {
            ask(kind, &[&text]);
        }
        for cell in &captured {
            ask("cell just captured", &[cell]);
        }
        if n > 0 {
            ask("last move again", &[&game.moves[n - 1]]);
        }
        let tried = if thorough && n == 0 { NOWHERE.min(nowhere.len()) } else { 2 };
        for i in 0..tried {
            let text = if tried == nowhere.len() { &nowhere[i] } else { &nowhere[below(rng, nowhere.len())] };
            ask("beyond the board", &[text]);
        }
        // A game in which the index of the illegal move is not that of the last move.
        let first = game.moves.first().map_or("", String::as_str);
        let text = &nowhere[below(rng, nowhere.len())];
        ask("wrong move and another one", &[text, game.moves.get(n).map_or(first, String::as_str)]);
    }
    questions.fills = position.is_full();
    questions
}

/// The number of moves from the start that are legal one after the other.
fn legal_length<G: Described>(mut position: G, notation: usize, moves: &[String]) -> usize {
    moves.iter().take_while(|text| play_text(&mut position, notation, text).is_ok()).count()
}

/// All numbers from 0 to `last`, or about `most` of them, with the first five and the last two.
fn sample(last: usize, most: usize, rng: &mut impl RngCore) -> BTreeSet<usize> {
    if last < most {
        return (0..=last).collect();
    }
    let middle: Vec<usize> = (0..most - 7).map(|_| 5 + below(rng, last - 5)).collect();
    (0..5).chain(middle).chain([last - 1, last]).collect()
}

/// At most one cell of each kind on which no stone may be placed: with an own stone, with a stone of the other side,
/// and an empty cell after the end.
fn placed_wrong(cells: &[Vec<Cell>; 3], rng: &mut impl RngCore) -> Vec<(&'static str, Cell)> {
    let kinds = ["cell of an own stone", "cell of the other's stone", "empty cell"];
    kinds.into_iter().zip(cells).filter_map(|(kind, cells)| Some((kind, one_of(cells, rng)?))).collect()
}

/// A random element; `None` if there are none.
fn one_of<T: Clone>(things: &[T], rng: &mut impl RngCore) -> Option<T> {
    (!things.is_empty()).then(|| things[below(rng, things.len())].clone())
}
