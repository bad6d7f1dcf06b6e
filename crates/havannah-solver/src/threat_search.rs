//! [`ThreatSearch`]: the outcomes that forcing moves decide.

use stonework_board::Cell;
use stonework_game::{ByPlayer, Game, Player};
use stonework_search::{ProofTactics, Tactics, Verdict};

use crate::estimate::{refutation, sort};
use crate::frame_must_play::FrameMustPlay;
use crate::sequence::{Attack, Sequence};
use crate::small_position::SmallPosition;
use crate::word::{Widest, Word, cells};

/// Verdicts by forcing moves in a [`SmallPosition`]:
///
/// - **threats**: a winning cell of the side to move wins; two of the opponent lose; one of the opponent must be blocked;
/// - **sequences**: the side to move wins by a threat sequence, for which the search has a budget of positions;
/// - **must-play**: if the opponent would have a threat sequence with the turn, every move that does not break it loses. A
///   move is left out only if the sequence, replayed after it, still wins;
/// - **draws**: a side that could not win even with stones on all empty cells never wins.
///
/// All four are on, and each can be switched off. They are certain: a search with them finds the same values as
/// without.
///
/// A fifth kind of verdict is off unless set, **must-play by frames**: links that complete a win of the opponent.
///
/// The last option, **estimates**, gives a proof-number search first proof numbers and an order of moves, by the number of stones
/// that each side still needs for a bridge or a fork. Estimates are uncertain, and change only the order of the search.
///
/// ```
/// use stonework_game::{Outcome, Player};
/// use stonework_havannah::Position;
/// use stonework_havannah_solver::{SmallPosition, ThreatSearch};
/// use stonework_search::{Dfpn, Engine, Limits};
/// let root = SmallPosition::<u64>::try_from(&Position::new(3)?)?;
/// let report = Dfpn::default().tactics(ThreatSearch::new()).think(&root, &Limits::none());
/// assert_eq!(report.proven, Some(Outcome::Win(Player::First)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "switches that have nothing to do with each other")]
pub struct ThreatSearch {
    threats: bool,
    budget: u32,
    must_play: bool,
    draws: bool,
    estimates: bool,
    /// For each side as the attacker, the last position in which a search found that the side has no sequence of any
    /// length.
    no_sequence: ByPlayer<Option<NoSequence>>,
    frames: Option<FrameMustPlay>,
}

/// A position in which one side has no threat sequence, even with the turn.
///
/// The side has no sequence either if the opponent has more stones, and so none after any further move of the opponent.
#[derive(Clone, Copy, Debug)]
struct NoSequence {
    board: (u8, usize),
    stones: Widest,
    others: Widest,
}

impl NoSequence {
    fn new<W: Word>(game: &SmallPosition<W>, attacker: Player) -> Self {
        let stones = |player| game.side(player).stones.wide();
        let board = (game.board().size(), size_of::<W>());
        Self { board, stones: stones(attacker), others: stones(attacker.other()) }
    }

    /// `true` if the absence of a sequence here implies its absence in `other`.
    fn implies(&self, other: &Self) -> bool {
        self.stones == other.stones && (self.others & !other.others).is_empty() && self.board == other.board
    }
}

impl Default for ThreatSearch {
    fn default() -> Self {
        Self::new()
    }
}

impl ThreatSearch {
    /// All verdicts and estimates, with a budget of fifty positions for a sequence.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            threats: true,
            budget: 50,
            must_play: true,
            draws: true,
            estimates: true,
            no_sequence: ByPlayer::new(None, None),
            frames: None,
        }
    }

    /// The switch for verdicts by winning cells. Without these verdicts the search has no sequences and no must-play
    /// either.
    #[must_use]
    pub const fn threats(mut self, threats: bool) -> Self {
        self.threats = threats;
        self
    }

    /// The number of positions that the search for one sequence may visit; 0 for no such search.
    #[must_use]
    pub const fn budget(mut self, positions: u32) -> Self {
        self.budget = positions;
        self
    }

    pub(crate) const fn set_budget(&mut self, positions: u32) {
        self.budget = positions;
    }

    /// The switch for must-play: the search leaves out moves that do not break the opponent's sequence.
    #[must_use]
    pub const fn must_play(mut self, on: bool) -> Self {
        self.must_play = on;
        self
    }

    /// The switch for verdicts about a side that can never win.
    #[must_use]
    pub const fn draws(mut self, on: bool) -> Self {
        self.draws = on;
        self
    }

    /// The switch for first proof numbers and an order of moves by the number of stones that each side still needs.
    #[must_use]
    pub const fn estimates(mut self, on: bool) -> Self {
        self.estimates = on;
        self
    }

    /// The work, in nodes and at least 1, from which on a proof-number search asks the [frames](stonework_havannah_analysis::MustPlay) of the
    /// opponent for must-play; `None` for never. Never unless set: on positions of sizes 4 and 5 an answer takes longer
    /// than it saves (`docs/lab/solving.md`).
    ///
    /// Frames have links with carriers of at most four cells, at most four of a pair. Answers are remembered: 4096
    /// positions, of less than a megabyte.
    #[must_use]
    pub fn frames(mut self, after: Option<u64>) -> Self {
        self.set_frames(after);
        self
    }

    pub(crate) fn set_frames(&mut self, after: Option<u64>) {
        self.frames = after.map(FrameMustPlay::new);
    }

    pub(crate) fn frames_after(&self) -> Option<u64> {
        self.frames.as_ref().map(FrameMustPlay::after)
    }

    fn attack<W: Word>(game: &SmallPosition<W>, attacker: Player) -> Attack<W> {
        Attack { attacker: *game.side(attacker), defender: *game.side(attacker.other()), empty: game.empty() }
    }

    /// The verdict, and the moves to which it restricts the side to move. `line` receives the winner's sequence.
    #[inline]
    fn verdict<W: Word>(&mut self, game: &SmallPosition<W>, line: &mut Sequence<W>) -> (Verdict<W>, W) {
        let (me, empty, lattice) = (game.to_move(), game.empty(), game.lattice());
        if self.threats {
            let wins = game.side(me).wins(empty);
            if !wins.is_empty() {
                return (Verdict::Win(wins.lowest()), W::NONE);
            }
            let blocks = game.side(me.other()).wins(empty);
            if blocks.several() {
                return (Verdict::Loss, W::NONE);
            }
            if self.budget > 0
                && !self.no_sequence[me].is_some_and(|known| known.implies(&NoSequence::new(game, me)))
            {
                let mut budget = self.budget;
                if Self::attack(game, me).find(lattice, &mut budget, line) {
                    return (Verdict::Win(line.first().copied().unwrap_or(W::NONE)), W::NONE);
                }
            }
            if !blocks.is_empty() {
                return (Verdict::Only, blocks);
            }
        }
        if self.draws
            && let Some(verdict) = Self::dead(game)
        {
            return (verdict, W::NONE);
        }
        if self.threats && self.must_play && self.budget > 0 {
            let attack = Self::attack(game, me.other());
            let mut budget = self.budget;
            if attack.find(lattice, &mut budget, line) {
                let left = attack.defences(lattice, line);
                return (if left.is_empty() { Verdict::Loss } else { Verdict::Only }, left);
            }
            // A search with budget left over has tried all sequences.
            if budget > 0 {
                self.no_sequence[me.other()] = Some(NoSequence::new(game, me.other()));
            }
        }
        (Verdict::Open, W::NONE)
    }

    /// The verdict about sides that can never win. `None` if each side can win, or if many cells are empty, when a
    /// dead side is unlikely.
    fn dead<W: Word>(game: &SmallPosition<W>) -> Option<Verdict<W>> {
        if 5 * game.empty().count() as usize > 2 * game.board().len() {
            return None;
        }
        match Player::BOTH.map(|player| game.can_win(player)) {
            [true, true] => None,
            [false, false] => Some(Verdict::Draw),
            [first, _] => Some(Verdict::Never(if first { Player::Second } else { Player::First })),
        }
    }
}

impl<W: Word> Tactics<SmallPosition<W>> for ThreatSearch {
    fn probe(&mut self, game: &mut SmallPosition<W>, only: &mut Vec<Cell>) -> Verdict<Cell> {
        let lattice = game.lattice();
        let (verdict, left) = self.verdict(game, &mut Sequence::new());
        if verdict == Verdict::Only {
            only.extend(cells(left).map(|cell| lattice.cell(cell)));
        }
        verdict.map(|cell| lattice.cell(cell))
    }
}

impl<W: Word> ProofTactics<SmallPosition<W>> for ThreatSearch {
    fn order(&mut self, game: &SmallPosition<W>, moves: &mut [Cell]) {
        if self.estimates {
            let me = game.to_move();
            sort(game.lattice(), [game.side(me), game.side(me.other())], game.empty(), moves);
        }
    }

    fn estimate(&mut self, game: &SmallPosition<W>, moves: u32) -> (u32, u32) {
        if !self.estimates {
            return (1, moves);
        }
        let me = game.to_move();
        let (mover, other) = (game.side(me), game.side(me.other()));
        (16, refutation(game.lattice(), mover, other, game.empty(), moves))
    }

    fn threat_line(&mut self, game: &mut SmallPosition<W>, line: &mut Vec<Cell>) {
        let mut found = Sequence::new();
        let lattice = game.lattice();
        if !matches!(self.verdict(game, &mut found).0, Verdict::Open | Verdict::Never(_) | Verdict::Draw) {
            line.extend(found.iter().map(|&cell| lattice.cell(cell)));
        }
    }

    fn prune(&mut self, game: &mut SmallPosition<W>, work: u64, moves: &mut Vec<Cell>) {
        if let Some(frames) = &mut self.frames {
            frames.prune(game, work, moves);
        }
    }
}
