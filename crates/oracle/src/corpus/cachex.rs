//! Games of Cachex for tests of rules.

use std::collections::HashSet;

use rand_core::RngCore;
use stonework_board::CellSet;
use stonework_cachex::{Move, Position};
use stonework_game::{Game, Player, Textual, below};
use stonework_session::Described;

use super::{GameText, of_kinds};

/// The purpose of a generated game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Uniformly random moves to the end.
    Random,
    /// Uniformly random moves after a steal.
    Stolen,
    /// Captures whenever there are any.
    Capturing,
    /// Stones among the stones of the other side, and captures now and then.
    Crowded,
    /// Moves that do not win, as long as there are any, and captures: to the seventh occurrence of a board, or to the
    /// last turn.
    Endless,
    /// A board that returns with either side to move: three or five stones are captured on the way.
    Odd,
    /// Moves that neither win nor capture, as long as there are any: to the last empty cell.
    Full,
    /// Moves that do not win and that repeat few boards: to the last turn.
    Long,
    /// The kind `Long` after a steal, with a win on the last turn if there is one.
    LongWon,
}

impl Kind {
    const ALL: [Self; 9] = [
        Self::Random,
        Self::Stolen,
        Self::Capturing,
        Self::Crowded,
        Self::Endless,
        Self::Odd,
        Self::Full,
        Self::Long,
        Self::LongWon,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Stolen => "stolen",
            Self::Capturing => "capturing",
            Self::Crowded => "crowded",
            Self::Endless => "endless",
            Self::Odd => "odd cycle",
            Self::Full => "full board",
            Self::Long => "long",
            Self::LongWon => "won at the end",
        }
    }

    /// `true` if moves that do not win come first.
    const fn peaceful(self) -> bool {
        matches!(self, Self::Endless | Self::Odd | Self::Full | Self::Long | Self::LongWon)
    }
}

/// `random` uniformly random games on boards of a size, and a tenth as many of each other kind.
pub(crate) fn games(size: u8, random: u32, mut rng: impl RngCore) -> impl Iterator<Item = GameText> {
    of_kinds(Kind::ALL, random, move |kind| match kind {
        // Size 3 has no such game, and the search on large boards takes long.
        Kind::Odd if !(4..=7).contains(&size) => None,
        Kind::Odd => (0..10).find_map(|_| game(kind, size, &mut rng)),
        _ => game(kind, size, &mut rng),
    })
}

fn game(kind: Kind, size: u8, rng: &mut dyn RngCore) -> Option<GameText> {
    let mut position = Position::new(size).ok()?;
    let mut moves = Vec::new();
    let mut legal = Vec::new();
    // The search for a way back needs a position with few empty cells.
    let few = if kind == Kind::Odd { 3 + below(rng, 5) } else { 0 };
    while position.outcome().is_none() && (few == 0 || position.empty_cells().count() > few) {
        legal.clear();
        position.legal_moves(&mut legal);
        let mv = choose(kind, &position, &legal, rng);
        moves.push(mv);
        position.play_unchecked(mv);
    }
    if kind == Kind::Odd {
        moves.extend(odd_cycles(position)?);
    }
    let reader = Position::new(size).ok()?;
    let moves = moves.into_iter().map(|mv| reader.move_text(mv)).collect();
    let name = kind.name().to_owned();
    Some(GameText {
        name,
        game: Position::DESCRIPTION.name,
        size,
        start: None,
        swap: false,
        notation: None,
        moves,
    })
}

/// The most positions in the search for a way back to a board.
const CYCLE: usize = 20_000;

/// Moves that lead to the same board with the other side to move, then back to the same board with this side to move,
/// and so on until the occurrences suffice for a draw.
fn odd_cycles(mut position: Position) -> Option<Vec<Move>> {
    if position.outcome().is_some() {
        return None;
    }
    let there = way_back(&position)?;
    let mut turned = position.clone();
    for &mv in &there {
        turned.play_unchecked(mv);
    }
    let back = way_back(&turned)?;
    let mut moves = Vec::new();
    for &mv in there.iter().chain(&back).cycle() {
        if position.outcome().is_some() {
            return Some(moves);
        }
        // Other boards on the way may have occurred too often before.
        position.play(mv).ok()?;
        moves.push(mv);
    }
    None
}

/// A shortest way without a win to the same board with the other side to move, on boards of at most 64 cells.
fn way_back(start: &Position) -> Option<Vec<Move>> {
    let bits = |cells: CellSet| cells.iter().fold(0_u64, |bits, cell| bits | 1 << cell.index());
    let stones = |position: &Position| Player::BOTH.map(|side| bits(position.stones(side)));
    let goal = stones(start);
    let mut seen = HashSet::from([(goal, start.to_move())]);
    // The move to each position, after the place of the position before it.
    let mut ways: Vec<(usize, Option<Move>)> = vec![(0, None)];
    let path = |ways: &[(usize, Option<Move>)], last: usize| {
        let back = std::iter::successors(ways.get(last), |way| ways.get(way.0));
        let mut moves: Vec<Move> = back.map_while(|way| way.1).collect();
        moves.reverse();
        moves
    };
    let (mut legal, mut next) = (Vec::new(), 0);
    while next < ways.len() && ways.len() < CYCLE {
        let mut position = start.clone();
        for mv in path(&ways, next) {
            position.play_unchecked(mv);
        }
        legal.clear();
        position.legal_moves(&mut legal);
        for &mv in &legal {
            let undo = position.play_unchecked(mv);
            let (over, after) = (position.outcome().is_some(), (stones(&position), position.to_move()));
            position.undo(undo);
            if over || !seen.insert(after) {
                continue;
            }
            ways.push((next, Some(mv)));
            if after.0 == goal {
                return Some(path(&ways, ways.len() - 1));
            }
        }
        next += 1;
    }
    None
}

fn choose(kind: Kind, position: &Position, legal: &[Move], rng: &mut dyn RngCore) -> Move {
    let me = position.to_move();
    if matches!(kind, Kind::Stolen | Kind::LongWon) && position.may_steal() {
        return Move::Steal;
    }
    let wins = |mv: &Move| matches!(*mv, Move::Place(cell) if position.wins(me, cell));
    let takes = |mv: &Move| matches!(*mv, Move::Place(cell) if !position.captures(me, cell).is_empty());
    if kind == Kind::LongWon
        && position.turns() + 1 == position.options().turns
        && let Some(&mv) = legal.iter().find(|&mv| wins(mv))
    {
        return mv;
    }
    let among = |mv: &Move| {
        let enemies = position.stones(me.other());
        matches!(*mv, Move::Place(cell) if position.board().neighbours(cell).any(|near| enemies.contains(near)))
    };
    let quiet: Vec<Move> =
        if kind.peaceful() { legal.iter().copied().filter(|mv| !wins(mv)).collect() } else { Vec::new() };
    let from = if quiet.is_empty() { legal } else { &quiet };
    let wanted: Vec<Move> = match kind {
        Kind::Capturing | Kind::Endless => from.iter().copied().filter(takes).collect(),
        Kind::Long | Kind::LongWon if below(rng, 4) > 0 => from.iter().copied().filter(takes).collect(),
        Kind::Crowded if below(rng, 4) == 0 => from.iter().copied().filter(takes).collect(),
        Kind::Crowded => from.iter().copied().filter(among).collect(),
        Kind::Full | Kind::Odd => from.iter().copied().filter(|mv| !takes(mv)).collect(),
        _ => Vec::new(),
    };
    let from = if wanted.is_empty() { from } else { &wanted };
    if kind == Kind::Endless && position.turns() > 20 {
        // Always the same choice, so that boards return.
        return from[0];
    }
    from[below(rng, from.len())]
}
