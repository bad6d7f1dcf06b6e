//! [`ThreatSearch`]: what forcing moves decide.

use stonework_board::Cell;
use stonework_game::{ByPlayer, Game, Player};
use stonework_search::{ProofTactics, Tactics, Verdict};

use crate::estimate::{refutation, sort};
use crate::sequence::{Scene, Sequence};
use crate::small_position::SmallPosition;
use crate::word::{Word, cells};

/// Looks ahead along forcing moves of a [`SmallPosition`] position:
///
/// - **threats**: a win at once; two winning cells of the other side lose; one must be blocked;
/// - **sequences**: the side to move wins by moves that each threaten to win, found within a budget of positions;
/// - **must-play**: if the other side, were it to move, had such a sequence, every move that does not disturb it loses. A
///   move is left out only if the sequence, replayed after it, still wins;
/// - **draws**: a side that would not have won with all empty cells never wins.
///
/// All four are on, and can be switched off one by one. What it says is certain: search with it finds the same values as
/// without. A fifth, **estimates**, tells a proof-number search which of two open positions looks harder, and which of two moves is
/// more promising, by how few stones either side needs for a bridge or a fork; that is no certainty, and changes only the order.
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
    /// For either side as the attacker, where it was last seen to have no sequence, however long.
    hopeless: ByPlayer<Option<Hopeless>>,
}

/// A position in which one side, were it to move, has no sequence of threats.
///
/// With more stones of the other side it has none either, so that this holds after every move that the other side then makes.
#[derive(Clone, Copy, Debug)]
struct Hopeless {
    board: (u8, usize),
    stones: u128,
    others: u128,
}

impl Hopeless {
    fn new<W: Word>(game: &SmallPosition<W>, attacker: Player) -> Self {
        let stones = |player| game.side(player).stones.wide();
        let board = (game.board().size(), size_of::<W>());
        Self { board, stones: stones(attacker), others: stones(attacker.other()) }
    }

    /// Whether it follows that there is none in another position.
    fn implies(&self, other: &Self) -> bool {
        self.stones == other.stones && self.others & !other.others == 0 && self.board == other.board
    }
}

impl Default for ThreatSearch {
    fn default() -> Self {
        Self::new()
    }
}

impl ThreatSearch {
    /// Everything, with a budget of fifty positions for a sequence.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            threats: true,
            budget: 50,
            must_play: true,
            draws: true,
            estimates: true,
            hopeless: ByPlayer::new(None, None),
        }
    }

    /// Whether wins at once and blocks are seen; without them, nothing that builds on them is.
    #[must_use]
    pub const fn threats(mut self, threats: bool) -> Self {
        self.threats = threats;
        self
    }

    /// How many positions may be looked at for one sequence; 0 for none.
    #[must_use]
    pub const fn budget(mut self, positions: u32) -> Self {
        self.budget = positions;
        self
    }

    /// Whether moves that do not disturb the other side's sequence are left out.
    #[must_use]
    pub const fn must_play(mut self, on: bool) -> Self {
        self.must_play = on;
        self
    }

    /// Whether it is seen that a side can never win.
    #[must_use]
    pub const fn draws(mut self, on: bool) -> Self {
        self.draws = on;
        self
    }

    /// Whether open positions, and moves, are told apart by how near either side is to winning.
    #[must_use]
    pub const fn estimates(mut self, on: bool) -> Self {
        self.estimates = on;
        self
    }

    fn scene<W: Word>(game: &SmallPosition<W>, attacker: Player) -> Scene<W> {
        Scene { attacker: *game.side(attacker), defender: *game.side(attacker.other()), empty: game.empty() }
    }

    /// The verdict, and the moves of the sequence by which the winner wins.
    #[inline]
    fn see<W: Word>(&mut self, game: &SmallPosition<W>, line: &mut Sequence<W>) -> (Verdict<W>, W) {
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
                && !self.hopeless[me].is_some_and(|seen| seen.implies(&Hopeless::new(game, me)))
            {
                let mut budget = self.budget;
                if Self::scene(game, me).attack(lattice, &mut budget, line) {
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
            let scene = Self::scene(game, me.other());
            let mut budget = self.budget;
            if scene.attack(lattice, &mut budget, line) {
                let left = scene.disturbing(lattice, line);
                return (if left.is_empty() { Verdict::Loss } else { Verdict::Only }, left);
            }
            // Everything was tried.
            if budget > 0 {
                self.hopeless[me.other()] = Some(Hopeless::new(game, me.other()));
            }
        }
        (Verdict::Open, W::NONE)
    }

    /// The side that can never win, if few enough cells are left for that to be likely.
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
        let (verdict, left) = self.see(game, &mut Sequence::new());
        match verdict {
            Verdict::Win(cell) => Verdict::Win(lattice.cell(cell)),
            Verdict::Only => {
                only.extend(cells(left).map(|cell| lattice.cell(cell)));
                Verdict::Only
            }
            Verdict::Loss => Verdict::Loss,
            Verdict::Never(player) => Verdict::Never(player),
            Verdict::Draw => Verdict::Draw,
            Verdict::Open => Verdict::Open,
        }
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
        if !matches!(self.see(game, &mut found).0, Verdict::Open | Verdict::Never(_) | Verdict::Draw) {
            line.extend(found.iter().map(|&cell| lattice.cell(cell)));
        }
    }
}
