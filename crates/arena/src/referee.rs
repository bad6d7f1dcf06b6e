//! [`play`]: one game under the rules.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use stonework_game::{ByPlayer, Game, Outcome, Player, Textual};
use stonework_roster::{Clock, Decision};
use web_time::Instant;

use crate::{Contestant, Fault, Pace, Terms};

/// A game that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Played<M> {
    /// The outcome.
    pub outcome: Outcome,
    /// The reason for the end.
    pub end: End,
    /// All moves, those of the opening included.
    pub moves: Vec<M>,
    /// The time of each side by the wall clock, for its decisions and for receiving moves.
    pub time: ByPlayer<Duration>,
    /// The processor time of each side, where this figure is available ([`Contestant::cpu`]).
    pub cpu: ByPlayer<Option<Duration>>,
}

/// The reason why a game was not played to its end. The game does not count.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotPlayed {
    /// The opening cannot be played, or ends the game.
    #[error("no opening: {0}")]
    Opening(String),
    /// The flag `stop` was set, or a side was stopped.
    #[error("stopped")]
    Stopped,
}

/// The reason for the end of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The rules of the game.
    Rules,
    /// The loser resigned.
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

/// The clocks of both sides, as the referee keeps them.
struct Watch {
    terms: Terms,
    /// The time of each side for its next move.
    allowed: ByPlayer<Duration>,
    /// The part of `allowed` that each side has used.
    spent: ByPlayer<Duration>,
    /// The time that each side has used in this game.
    used: ByPlayer<Duration>,
}

impl Watch {
    fn new(terms: &Terms) -> Self {
        let allowed = match terms.pace {
            Pace::Own => terms.patience,
            Pace::Move(time) => time,
            Pace::Game { base, .. } => base,
        };
        let both = |time| ByPlayer { first: time, second: time };
        let none = both(Duration::ZERO);
        Self { terms: *terms, allowed: both(allowed), spent: none, used: none }
    }

    /// The clock that a side receives.
    fn clock(&self, side: Player) -> Clock {
        let left = self.allowed[side].saturating_sub(self.spent[side]);
        match self.terms.pace {
            Pace::Game { increment, .. } => Clock { left: Some(left), increment, moves: None },
            _ => Clock::NONE,
        }
    }

    /// The greatest time of a side for its next call.
    fn limit(&self, side: Player) -> Duration {
        if self.terms.pace == Pace::Own {
            return self.terms.patience;
        }
        self.allowed[side].saturating_add(self.terms.grace).saturating_sub(self.spent[side])
    }

    /// Runs a call of a side, and subtracts the time from the clock of that side. An error if the side took too long.
    /// A side that fails for another reason fails for that reason, not for its time.
    fn charge<T>(&mut self, side: Player, act: impl FnOnce(&Self) -> Result<T, Fault>) -> Result<T, Fault> {
        let since = Instant::now();
        let done = act(self);
        let taken = since.elapsed();
        self.used[side] += taken;
        self.spent[side] += taken;
        let (spent, allowed) = (self.spent[side], self.allowed[side]);
        let timed = self.terms.pace != Pace::Own;
        match done {
            Ok(_) if timed && spent > allowed.saturating_add(self.terms.grace) => {
                Err(Fault::TimedOut { taken: spent, allowed })
            }
            // The times in the fault cover only the last call, so the times of the whole move replace them.
            Err(Fault::TimedOut { .. }) if timed => Err(Fault::TimedOut { taken: spent, allowed }),
            done => done,
        }
    }

    /// Ends a move of a side: a clock gets its increment.
    fn moved(&mut self, side: Player) {
        if let Pace::Game { increment, .. } = self.terms.pace {
            let left = self.allowed[side].saturating_sub(self.spent[side]);
            self.allowed[side] = left.saturating_add(increment);
        }
        self.spent[side] = Duration::ZERO;
    }
}

/// Plays one game from `start`: the moves of the opening, then the decisions of the two sides.
///
/// The game decides about legality and the end. A side that resigns, plays an illegal move, panics, dies, floods its
/// output or takes too long loses, for that reason. A side that cannot be prepared loses before its first move; the
/// first side is prepared first.
///
/// The time of a side runs while the side decides and while it receives a move, also a move of the opening. It does
/// not run during `prepare`.
///
/// # Errors
/// An error if a move of the opening is illegal, or the opening ends the game. An error if `stop` was set: the flag
/// is checked between moves and after each fault of a side. An error also if a side was stopped ([`Fault::Stopped`]).
///
/// ```
/// use stonework_game::example::Nim;
/// use stonework_arena::{AgentContestant, Terms, play};
/// use stonework_game::{ByPlayer, Outcome, Player};
/// use stonework_roster::{Agent, EngineAgent};
/// use stonework_search::{Limits, Minimax};
/// let side = || {
///     AgentContestant::new(|seed| {
///         let agent = EngineAgent::new(Minimax::new(()), Limits::none(), seed);
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
pub fn play<G: Game + Textual>(
    start: &G,
    opening: &[G::Move],
    mut sides: ByPlayer<&mut dyn Contestant<G>>,
    seeds: ByPlayer<u64>,
    terms: &Terms,
    stop: &AtomicBool,
) -> Result<Played<G::Move>, NotPlayed> {
    let (moves, ready) = (Vec::new(), ByPlayer { first: false, second: false });
    let mut table = Table { game: start.clone(), moves, watch: Watch::new(terms), ready };
    check(start, opening).map_err(NotPlayed::Opening)?;
    let (outcome, end) = match table.run(start, opening, &mut sides, seeds, stop) {
        Ok(Some(ended)) => ended,
        Ok(None) | Err((_, Fault::Stopped)) => return Err(NotPlayed::Stopped),
        Err(_) if stop.load(Ordering::Relaxed) => return Err(NotPlayed::Stopped),
        Err((side, fault)) => (Outcome::Win(side.other()), End::Fault(fault)),
    };
    // A side that was not prepared still has the time of its game before.
    let taken = |side: Player, contestant: &dyn Contestant<G>| {
        if table.ready[side] { contestant.cpu() } else { Some(Duration::ZERO) }
    };
    let cpu =
        ByPlayer { first: taken(Player::First, sides.first), second: taken(Player::Second, sides.second) };
    Ok(Played { outcome, end, moves: table.moves, time: table.watch.used, cpu })
}

/// Checks that an opening can be played and does not end the game.
pub(crate) fn check<G: Game + Textual>(start: &G, opening: &[G::Move]) -> Result<(), String> {
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
    /// `true` for a side that was asked to prepare for this game.
    ready: ByPlayer<bool>,
}

/// The side that fails, and its fault.
type Failed = (Player, Fault);

impl<G: Game + Textual> Table<G> {
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
            self.ready[side] = true;
            let ready = sides[side].prepare(start, side, seeds[side], &terms);
            ready.map_err(|fault| (side, fault))?;
        }
        for &mv in opening {
            let before = self.game.clone();
            for side in [Player::First, Player::Second] {
                self.pass_on(&before, side, sides, mv)?;
            }
            self.make(mv);
        }
        loop {
            // This check comes first: the decision of a search that was stopped by the same flag must not count.
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
            // No side needs to receive the last move.
            let before = self.game.clone();
            self.make(mv);
            if self.game.outcome().is_none() {
                self.pass_on(&before, side.other(), sides, mv)?;
            }
        }
    }

    /// Passes a move to a side, with the position before the move.
    fn pass_on(
        &mut self,
        before: &G,
        side: Player,
        sides: &mut ByPlayer<&mut dyn Contestant<G>>,
        mv: G::Move,
    ) -> Result<(), Failed> {
        let received = self.watch.charge(side, |watch| sides[side].receive(before, mv, watch.limit(side)));
        received.map_err(|fault| (side, fault))
    }

    /// The decision of a side; a move is legal.
    fn ask(&mut self, side: Player, contestant: &mut dyn Contestant<G>) -> Result<Decision<G::Move>, Fault> {
        let Self { game, watch, .. } = self;
        let decide = |watch: &Watch| contestant.choose(game, &watch.clock(side), watch.limit(side));
        let decision = watch.charge(side, decide)?;
        watch.moved(side);
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
