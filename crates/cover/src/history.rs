//! [`History`]: the moves so far, as far as the rule of repetition makes legal moves depend on them.

use stonework_board::Cell;
use stonework_game::Player;

use crate::Move;
use crate::tables::{Tables, kind, symmetry, word};
use crate::{Options, Repetition};

/// The history that the rule of four plies needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Recent {
    /// The last move of the side to move; the opponent has moved since, so only with `theirs`.
    pub mine: Option<Move>,
    /// The last move of its opponent.
    pub theirs: Option<Move>,
    /// `true` if `theirs` took back the opponent's move before it. `mine` was played between these two moves.
    pub returned: bool,
}

/// A move of the game, and the board before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Earlier {
    /// The hash of the board before the move.
    hash: u64,
    mv: Move,
}

/// The history, as far as the variant of the rule needs it.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    recent: Recent,
    /// The moves of the game, if the rule compares whole boards; otherwise empty.
    earlier: Vec<Earlier>,
    /// The index in `earlier` of the first move after the last capture.
    since: u32,
}

/// The values before a move, which [`History::undone`] restores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    recent: Recent,
    since: u32,
}

/// A history that has only the last move of each side. As in a game, it does not keep whether a move has held its fire.
impl From<Recent> for History {
    fn from(Recent { mine, theirs, returned }: Recent) -> Self {
        let recent = Recent { mine: mine.map(Move::firing), theirs: theirs.map(Move::firing), returned };
        Self { recent, ..Self::default() }
    }
}

impl Repetition {
    /// The number of earlier whole boards that the rule compares.
    const fn boards(self) -> usize {
        match self {
            Self::Any => usize::MAX,
            Self::EightPlies => 7,
            Self::None | Self::FourPlies | Self::FourPliesByMoves => 0,
        }
    }

    /// `true` if the rule depends on the last move of each side, as [`Recent`] has them.
    const fn needs_recent(self) -> bool {
        matches!(self, Self::FourPlies | Self::FourPliesByMoves)
    }
}

impl History {
    /// The earlier boards that the rule compares, the oldest first.
    fn window(&self, repetition: Repetition) -> &[Earlier] {
        let all = &self.earlier[self.since as usize..];
        &all[all.len().saturating_sub(repetition.boards())..]
    }

    pub(crate) const fn recent(&self) -> Recent {
        self.recent
    }

    /// `true` if the rule forbids the move. `captures` is `true` if the move captures a stone; `hash` returns the hash of the
    /// board after the move.
    #[inline]
    pub(crate) fn forbids(
        &self,
        tables: &Tables,
        repetition: Repetition,
        mv: Move,
        captures: bool,
        hash: impl FnOnce() -> u64,
    ) -> bool {
        match repetition {
            Repetition::None => false,
            Repetition::FourPlies | Repetition::FourPliesByMoves => {
                let allowed = !self.recent.returned || (captures && repetition == Repetition::FourPlies);
                !allowed && self.recent.mine.is_some_and(|mine| tables.returns(mine, mv))
            }
            Repetition::EightPlies | Repetition::Any => {
                !captures && self.recurs(tables, repetition, mv, hash())
            }
        }
    }

    /// `true` if a move without capture leads to one of the boards that the rule compares. Two boards are the same if the
    /// moves between them [cancel out](cancels); their hashes are compared first.
    fn recurs(&self, tables: &Tables, repetition: Repetition, mv: Move, hash: u64) -> bool {
        let window = self.window(repetition);
        window.iter().enumerate().any(|(i, earlier)| {
            earlier.hash == hash && {
                let moves = window[i..].iter().map(|earlier| earlier.mv).chain([mv]);
                cancels(tables, moves)
            }
        })
    }

    /// Adds a move. `hit` is the location of the captured stone; `hash` is the hash of the board before the move.
    #[inline]
    pub(crate) fn played(
        &mut self,
        tables: &Tables,
        repetition: Repetition,
        mv: Move,
        hit: Option<Cell>,
        hash: u64,
    ) -> Change {
        let change = Change { recent: self.recent, since: self.since };
        if repetition.needs_recent() {
            let Recent { mine, theirs, .. } = self.recent;
            if hit.is_some() && repetition == Repetition::FourPlies {
                self.recent = Recent::default();
                return change;
            }
            // A captured stone cannot take back its move.
            let theirs = theirs.filter(|&theirs| hit.is_none() || tables.target(theirs) != hit);
            let returned = theirs.is_some() && mine.is_some_and(|mine| tables.returns(mine, mv));
            self.recent = Recent { mine: theirs, theirs: Some(mv.firing()), returned };
        } else if repetition != Repetition::None {
            self.earlier.push(Earlier { hash, mv: mv.firing() });
            if hit.is_some() {
                self.since = self.earlier.len() as u32;
            }
        }
        change
    }

    /// Takes the last move back.
    #[inline]
    pub(crate) fn undone(&mut self, change: Change) {
        self.recent = change.recent;
        self.since = change.since;
        self.earlier.pop();
    }

    /// The moves that lead to this history, the oldest first.
    pub(crate) fn moves(&self, tables: &Tables, options: Options) -> Vec<Move> {
        if !options.repetition.needs_recent() {
            return self.window(options.repetition).iter().map(|earlier| earlier.mv).collect();
        }
        let Recent { mine, theirs, returned } = self.recent;
        // The move that `theirs` took back: from its target, in the opposite direction.
        let before = theirs.filter(|_| returned).and_then(|theirs| {
            let from = tables.target(theirs)?;
            Some(Move { from, heading: theirs.heading.opposite(), holds_fire: false })
        });
        before.into_iter().chain(mine).chain(theirs).collect()
    }

    /// The part of the key that the history makes, under the symmetry with the number `to`. `hash` is the hash of the image of
    /// the present board, and `mover` is the side to move before the symmetry is applied.
    pub(crate) fn word(
        &self,
        tables: &Tables,
        repetition: Repetition,
        to: usize,
        hash: u64,
        mover: Player,
    ) -> u64 {
        let symmetry = symmetry(to as u8);
        let index = |mv: Move| {
            let from = tables.lattice.map(symmetry, mv.from);
            8 * from.index() as u64 + symmetry.heading(mv.heading).index() as u64
        };
        match repetition {
            Repetition::None => 0,
            Repetition::FourPlies | Repetition::FourPliesByMoves => {
                let Recent { mine, theirs, returned } = self.recent;
                let mine = mine.map_or(0, |mv| word(kind::MINE, 2 * index(mv) + u64::from(returned)));
                mine ^ theirs.map_or(0, |mv| word(kind::THEIRS, index(mv)))
            }
            Repetition::EightPlies | Repetition::Any => {
                let (mut hash, mut sum, mut player) = (hash, 0_u64, mover);
                for (age, earlier) in self.window(repetition).iter().rev().enumerate() {
                    player = player.other();
                    hash ^= moved(tables, player, earlier.mv, to);
                    // Only under the rule of eight plies do boards become too old, so their ages are part of the key.
                    let age = if repetition == Repetition::Any { 0 } else { age as u64 };
                    sum = sum.wrapping_add(word(kind::EARLIER + age, hash));
                }
                sum
            }
        }
    }

    /// `true` if two histories of the same board forbid the same moves from now on.
    pub(crate) fn same(&self, other: &Self, repetition: Repetition) -> bool {
        if repetition != Repetition::Any {
            return self.recent == other.recent && self.window(repetition) == other.window(repetition);
        }
        let boards = |history: &Self| {
            let mut hashes: Vec<_> = history.window(repetition).iter().map(|e| e.hash).collect();
            hashes.sort_unstable();
            hashes
        };
        boards(self) == boards(other)
    }
}

/// The change of a board's hash by a move without capture.
#[inline]
pub(crate) fn moved(tables: &Tables, player: Player, mv: Move, symmetry: usize) -> u64 {
    let to = tables.target(mv).map_or(0, |to| tables.words(player, to)[symmetry]);
    tables.words(player, mv.from)[symmetry] ^ to
}

/// `true` if moves without captures, by the two sides in turn, lead back to the board before them.
fn cancels(tables: &Tables, moves: impl Iterator<Item = Move>) -> bool {
    let mut changed: Vec<(usize, Cell)> = Vec::new();
    let mut toggle = |of| match changed.iter().position(|&c| c == of) {
        Some(at) => _ = changed.swap_remove(at),
        None => changed.push(of),
    };
    for (ply, mv) in moves.enumerate() {
        toggle((ply % 2, mv.from));
        if let Some(to) = tables.target(mv) {
            toggle((ply % 2, to));
        }
    }
    changed.is_empty()
}
