//! [`play`]: one game under the rules.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use stonework_game::{ByPlayer, Game, Notation, Outcome, Player};
use stonework_search::{Clock, Decision};

use crate::{Contestant, Fault, Pace, Terms};

/// A game that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Played<M> {
    /// How it ended.
    pub outcome: Outcome,
    /// By what.
    pub end: End,
    /// All moves, those of the opening included.
    pub moves: Vec<M>,
    /// The time that the decisions of each side took by the clock on the wall.
    pub time: ByPlayer<Duration>,
    /// And by the processor's, where it can be had.
    pub cpu: ByPlayer<Option<Duration>>,
}

/// A game that was not played to its end. It counts for nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotPlayed {
    /// The opening cannot be played, or ends the game.
    #[error("no opening: {0}")]
    Opening(String),
    /// Somebody has asked to stop.
    #[error("stopped")]
    Stopped,
}

/// What ended a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The rules of the game.
    Rules,
    /// The loser gave up.
    Resigned,
    /// The loser failed.
    Fault(Fault),
    /// The limit of plies.
    MaxPlies(u32),
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rules => f.write_str("rules"),
            Self::Resigned => f.write_str("resigned"),
            Self::Fault(fault) => write!(f, "{fault}"),
            Self::MaxPlies(plies) => write!(f, "stopped after {plies} plies"),
        }
    }
}

/// The referee's side of a clock.
struct Watch {
    terms: Terms,
    left: ByPlayer<Duration>,
    used: ByPlayer<Duration>,
}

impl Watch {
    fn new(terms: &Terms) -> Self {
        let base = if let Pace::Game { base, .. } = terms.pace { base } else { Duration::ZERO };
        let both = |time| ByPlayer { first: time, second: time };
        Self { terms: *terms, left: both(base), used: both(Duration::ZERO) }
    }

    /// What a side is shown.
    fn clock(&self, side: Player) -> Clock {
        match self.terms.pace {
            Pace::Game { increment, .. } => Clock { left: Some(self.left[side]), increment, moves: None },
            _ => Clock::NONE,
        }
    }

    /// Takes the time of a decision off; an error if it was too long.
    fn spend(&mut self, side: Player, taken: Duration) -> Result<(), Fault> {
        self.used[side] += taken;
        let allowed = match self.terms.pace {
            Pace::Own => self.terms.patience,
            Pace::Move(time) => time,
            Pace::Game { .. } => self.left[side],
        };
        let limit = if self.terms.pace == Pace::Own { allowed } else { allowed + self.terms.grace };
        if taken > limit {
            return Err(Fault::TimedOut { taken, allowed });
        }
        if let Pace::Game { increment, .. } = self.terms.pace {
            let left = &mut self.left[side];
            *left = left.saturating_sub(taken) + increment;
        }
        Ok(())
    }
}

/// Plays one game from `start`: first the moves of the opening, then what the two sides decide.
///
/// Legality and the end are the game's to say. Whoever resigns, plays an illegal move, panics, dies, floods
/// its output or takes too long loses, for the reason given; if a side cannot even be made ready, it loses
/// before its first move, the first side being asked first.
///
/// # Errors
/// If a move of the opening is illegal, or the opening ends the game; or if `stop` was set, which is looked
/// at between moves.
///
/// ```
/// use stonework_game::example::Nim;
/// use stonework_arena::{AgentContestant, Terms, play};
/// use stonework_game::{ByPlayer, Outcome, Player};
/// use stonework_search::{Agent, Flat, Limits, Minimax, Thinker};
/// let side = || {
///     AgentContestant::new(|seed| {
///         let agent = Thinker::new(Minimax::new(Flat), Limits::none(), seed);
///         Ok(Box::new(agent) as Box<dyn Agent<Nim>>)
///     })
/// };
/// let stop = std::sync::atomic::AtomicBool::new(false);
/// let (mut a, mut b) = (side(), side());
/// let sides = ByPlayer::new(&mut a as &mut _, &mut b as &mut _);
/// let played = play(&Nim::new(7), &[2], sides, ByPlayer::new(1, 2), &Terms::default(), &stop)?;
/// assert_eq!((played.outcome, played.end.to_string()), (Outcome::Win(Player::Second), "rules".into()));
/// assert_eq!(played.moves[..2], [2, 2]);                      // 7 − 2 leaves 5, and taking 2 more wins
/// # Ok::<(), stonework_arena::NotPlayed>(())
/// ```
pub fn play<G: Game + Notation>(
    start: &G,
    opening: &[G::Move],
    mut sides: ByPlayer<&mut dyn Contestant<G>>,
    seeds: ByPlayer<u64>,
    terms: &Terms,
    stop: &AtomicBool,
) -> Result<Played<G::Move>, NotPlayed> {
    let mut table = Table { game: start.clone(), moves: Vec::new(), watch: Watch::new(terms) };
    check(start, opening).map_err(NotPlayed::Opening)?;
    let (outcome, end) = match table.run(start, opening, &mut sides, seeds, stop) {
        Ok(Some(ended)) => ended,
        Ok(None) => return Err(NotPlayed::Stopped),
        Err((side, fault)) => (Outcome::Win(side.other()), End::Fault(fault)),
    };
    let cpu = ByPlayer { first: sides.first.cpu(), second: sides.second.cpu() };
    Ok(Played { outcome, end, moves: table.moves, time: table.watch.used, cpu })
}

/// Whether an opening can be played and leaves a game to play.
pub(crate) fn check<G: Game + Notation>(start: &G, opening: &[G::Move]) -> Result<(), String> {
    let mut game = start.clone();
    for (index, &mv) in opening.iter().enumerate() {
        let text = game.move_text(mv);
        game.play(mv).map_err(|why| format!("move {} ({text}): {why}", index + 1))?;
    }
    if game.outcome().is_some() {
        return Err(format!("the game is over after {} moves", opening.len()));
    }
    Ok(())
}

/// A game in progress.
struct Table<G: Game> {
    game: G,
    moves: Vec<G::Move>,
    watch: Watch,
}

/// The side that fails, and how.
type Failed = (Player, Fault);

impl<G: Game + Notation> Table<G> {
    fn run(
        &mut self,
        start: &G,
        opening: &[G::Move],
        sides: &mut ByPlayer<&mut dyn Contestant<G>>,
        seeds: ByPlayer<u64>,
        stop: &AtomicBool,
    ) -> Result<Option<(Outcome, End)>, Failed> {
        let terms = self.watch.terms;
        for side in [Player::First, Player::Second] {
            let ready = sides[side].prepare(start, side, seeds[side], &terms);
            ready.map_err(|fault| (side, fault))?;
        }
        for &mv in opening {
            for side in [Player::First, Player::Second] {
                sides[side].told(&self.game, mv).map_err(|fault| (side, fault))?;
            }
            self.make(mv);
        }
        loop {
            // First of all: a search that was stopped as well has not decided in earnest.
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            if let Some(outcome) = self.game.outcome() {
                return Ok(Some((outcome, End::Rules)));
            }
            if let Some(most) = terms.max_plies.filter(|&most| self.moves.len() >= most as usize) {
                return Ok(Some((Outcome::Draw, End::MaxPlies(most))));
            }
            let side = self.game.to_move();
            let Decision::Play(mv) = self.ask(side, sides[side]).map_err(|fault| (side, fault))? else {
                return Ok(Some((Outcome::Win(side.other()), End::Resigned)));
            };
            // The last move need not be heard by anybody.
            let before = self.game.clone();
            self.make(mv);
            if self.game.outcome().is_none() {
                let other = side.other();
                sides[other].told(&before, mv).map_err(|fault| (other, fault))?;
            }
        }
    }

    /// A side's decision; a move is legal.
    fn ask(&mut self, side: Player, contestant: &mut dyn Contestant<G>) -> Result<Decision<G::Move>, Fault> {
        let since = Instant::now();
        let decision = contestant.choose(&self.game, &self.watch.clock(side));
        // Whoever fails loses for that, not for the time that it took.
        let in_time = self.watch.spend(side, since.elapsed());
        let decision = decision?;
        in_time?;
        if let Decision::Play(mv) = decision {
            let why =
                |why: G::Illegal| Fault::Illegal { text: self.game.move_text(mv), why: why.to_string() };
            self.game.check(mv).map_err(why)?;
        }
        Ok(decision)
    }

    fn make(&mut self, mv: G::Move) {
        self.moves.push(mv);
        let _ = self.game.play_unchecked(mv);
    }
}
