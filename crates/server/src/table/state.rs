//! [`TableState`]: the rules of a game between two players with clocks, as a state that follows from its events.

use stonework_game::{Game, Player};
use stonework_session::{AnyPosition, Fault, Registry, Session};

use super::event::{GameEvent, GameSettings, Order, Proposal, Seat, SeatKind};

/// The milliseconds of each move that do not count, for the way over the wire.
pub(crate) const LAG: u64 = 250;

/// The number of illegal moves that loses a game.
const MOST_ILLEGAL: u8 = 3;

/// The longest text of a move that is stored with an illegal move, in characters.
const MOST_MOVE_TEXT: usize = 64;

/// A change of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// A player asks for something.
    Order(Player, Order),
    /// The clock of the side to move may have run out.
    Flag,
    /// A side has not come back in time, or cannot play on.
    Gone(Player),
    /// The game cannot go on, and does not count.
    Void,
    /// After the end: the next game of the same players has an id.
    Rematch(String),
}

/// The end of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableEnd {
    /// The side that has won, or `draw`; `None` if the game does not count.
    pub winner: Option<String>,
    /// The kind of the end of the game, as in [`GameEvent::Over`].
    pub how: Vec<String>,
    /// For each kind of win, the cells that show it.
    pub cells: Vec<Vec<String>>,
}

impl TableEnd {
    /// The standing of a game in words: that of its position, unless the game has ended before the rules end it.
    pub(crate) fn standing(end: Option<&Self>, position: &AnyPosition) -> String {
        let Some(end) = end.filter(|_| position.outcome().is_none()) else { return position.standing() };
        let how = end.how.join(", ");
        match end.winner.as_deref() {
            Some("draw") => format!("a draw: {how}"),
            Some(winner) => format!("{winner} wins: {how}"),
            None => format!("the game does not count: {how}"),
        }
    }
}

/// The state of a game: position, clocks, proposals, end.
///
/// [`decide`](Self::decide) says which events follow from a step, and changes nothing. [`apply`](Self::apply) changes the state by an
/// event. So events can be stored between the two, and the state of a game is the state after its events.
#[derive(Debug)]
pub(crate) struct TableState {
    session: Session,
    settings: GameSettings,
    seats: [Seat; 2],
    /// The milliseconds that the sides have left.
    left: Option<[u64; 2]>,
    /// What the sides had left before each move; empty without a clock.
    known: Vec<[u64; 2]>,
    /// The time at which the clock of the side to move was started; `None` while it stands still.
    since: Option<u64>,
    illegal: [u8; 2],
    proposed: Option<(Player, Proposal)>,
    /// The proposals of each side since the last move, or since the end.
    proposals: [u8; 2],
    end: Option<TableEnd>,
    /// The id of the rematch.
    next: Option<String>,
}

/// The proposals of a side without a move.
const MOST_PROPOSALS: u8 = 10;

fn refuse<T>(kind: &str, message: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::new(kind, message))
}

impl TableState {
    /// The state after the first event of a game.
    pub(crate) fn new(registry: &Registry, first: &GameEvent) -> Result<Self, Fault> {
        let GameEvent::Begun { settings, seats } = first else {
            return refuse("record", "the first event of a game is its beginning");
        };
        settings.clock.check().map_err(|why| Fault::new("clock", why))?;
        let session = Session::new(registry.clone(), &settings.game, &settings.start(), None)?;
        let left = settings.clock.main.map(|main| [main; 2]);
        let (settings, seats) = (settings.clone(), seats.clone());
        let (since, illegal, proposed) = (None, [0; 2], None);
        let (known, proposals) = (Vec::new(), [0; 2]);
        Ok(Self {
            session,
            settings,
            seats,
            left,
            known,
            since,
            illegal,
            proposed,
            proposals,
            end: None,
            next: None,
        })
    }

    pub(crate) const fn session(&self) -> &Session {
        &self.session
    }

    pub(crate) const fn settings(&self) -> &GameSettings {
        &self.settings
    }

    pub(crate) const fn seats(&self) -> &[Seat; 2] {
        &self.seats
    }

    pub(crate) const fn end(&self) -> Option<&TableEnd> {
        self.end.as_ref()
    }

    /// The id of the rematch.
    pub(crate) fn next(&self) -> Option<&str> {
        self.next.as_deref()
    }

    pub(crate) const fn proposed(&self) -> Option<(Player, Proposal)> {
        self.proposed
    }

    /// The number of moves played.
    pub(crate) fn plies(&self) -> u32 {
        self.session.plies() as u32
    }

    pub(crate) fn to_move(&self) -> Player {
        self.session.position().to_move()
    }

    pub(crate) fn side(&self, player: Player) -> &'static str {
        self.session.game().description().side(player)
    }

    fn player(&self, side: &str) -> Result<Player, Fault> {
        let player = self.session.game().description().player(side);
        player.ok_or_else(|| Fault::new("side", format!("no side is called {side}")))
    }

    /// Starts the clock of the side to move, unless it runs already.
    pub(crate) fn start_clock(&mut self, now: u64) {
        if self.end.is_none() && self.since.is_none() {
            self.since = Some(now);
        }
    }

    /// Stops the clock of the side to move; the time since its start does not count.
    pub(crate) const fn stop_clock(&mut self) {
        self.since = None;
    }

    /// The milliseconds that both sides have left now.
    pub(crate) fn clocks(&self, now: u64) -> Option<[u64; 2]> {
        let mut left = self.left?;
        if let Some(since) = self.since {
            let mover = &mut left[self.to_move().index()];
            *mover = mover.saturating_sub(now.saturating_sub(since));
        }
        Some(left)
    }

    /// The time at which the side to move loses on time.
    pub(crate) fn deadline(&self) -> Option<u64> {
        let since = self.since?;
        let of_game = self.left.map(|left| left[self.to_move().index()]);
        let least = of_game.into_iter().chain(self.settings.clock.per_move).min()?;
        Some(since.saturating_add(least).saturating_add(LAG))
    }

    fn over(winner: Option<&str>, how: &str) -> GameEvent {
        GameEvent::Over { winner: winner.map(str::to_owned), how: vec![how.to_owned()], cells: Vec::new() }
    }

    /// The events that follow from a step. The state does not change.
    pub(crate) fn decide(&self, now: u64, step: &Step) -> Result<Vec<GameEvent>, Fault> {
        if let (Some(_), Step::Order(side, order)) = (&self.end, step) {
            return self.after_the_end(*side, order);
        }
        match (&self.end, step) {
            (Some(_), Step::Rematch(_)) if self.next.is_some() => {
                return refuse("over", "the rematch has begun");
            }
            (Some(_), Step::Rematch(id)) => return Ok(vec![GameEvent::Rematch { id: id.clone() }]),
            (Some(_), _) => return Ok(Vec::new()),
            _ => {}
        }
        let late = self.deadline().is_some_and(|deadline| now >= deadline);
        let lost = |side: Player, how| vec![Self::over(Some(self.side(side.other())), how)];
        match step {
            Step::Flag if late => Ok(lost(self.to_move(), "time")),
            Step::Flag => Ok(Vec::new()),
            Step::Order(side, Order::Play { .. }) if late && *side == self.to_move() => {
                Ok(lost(*side, "time"))
            }
            Step::Gone(side) => Ok(lost(*side, "gone")),
            Step::Void => Ok(vec![Self::over(None, "void")]),
            Step::Rematch(_) => refuse("proposal", "the game is not over: no rematch yet"),
            Step::Order(side, order) => match order {
                Order::Play { mv, ply } => self.play(now, *side, mv, *ply),
                Order::Resign => Ok(lost(*side, "resign")),
                Order::Propose { proposal } => self.propose(now, *side, *proposal),
                Order::Accept => self.accept(now, *side),
                Order::Decline => self.decline(*side),
                Order::Abort if self.plies() < 2 => Ok(vec![Self::over(None, "aborted")]),
                Order::Abort => {
                    refuse("abort", format!("{} moves are played: fewer than 2 may be aborted", self.plies()))
                }
            },
        }
    }

    fn after_the_end(&self, side: Player, order: &Order) -> Result<Vec<GameEvent>, Fault> {
        match order {
            Order::Propose { proposal: proposal @ Proposal::Rematch } if self.proposed.is_none() => {
                self.proposal(side, *proposal)
            }
            Order::Decline => self.decline(side),
            Order::Play { .. } => {
                let standing = TableEnd::standing(self.end.as_ref(), self.session.position());
                refuse("over", format!("the game is over: {standing}"))
            }
            _ => refuse("over", "the game is over"),
        }
    }

    fn play(&self, now: u64, side: Player, text: &str, ply: Option<u32>) -> Result<Vec<GameEvent>, Fault> {
        let next = self.plies() + 1;
        if let Some(ply) = ply.filter(|&ply| ply != next) {
            return refuse("ply", format!("move {ply} is not the next move, which is move {next}"));
        }
        if side != self.to_move() {
            return refuse(
                "turn",
                format!("{} is to move, not {}", self.side(self.to_move()), self.side(side)),
            );
        }
        let mut position = self.session.position().clone();
        let (mv, _) = match position.play_text(text, 0) {
            Ok(played) => played,
            Err(fault) => return self.illegal(side, next, text, fault),
        };
        let name = self.session.text_of(mv);
        let (used, mut clocks) = self.used(now);
        if let Some(left) = &mut clocks {
            left[side.index()] += self.settings.clock.increment;
        }
        let side = self.side(side).to_owned();
        let moved = GameEvent::Moved { ply: next, side, mv: name, used, clocks };
        Ok(std::iter::once(moved).chain(self.ended(&position, next)).collect())
    }

    /// The milliseconds that the clock of the side to move has lost since it was started, and what both sides have left.
    fn used(&self, now: u64) -> (u64, Option<[u64; 2]>) {
        let taken = self.since.map_or(0, |since| now.saturating_sub(since)).saturating_sub(LAG);
        let Some(mut left) = self.left else { return (taken, None) };
        let mine = &mut left[self.to_move().index()];
        let used = taken.min(*mine);
        *mine -= used;
        (used, Some(left))
    }

    fn illegal(&self, side: Player, ply: u32, text: &str, fault: Fault) -> Result<Vec<GameEvent>, Fault> {
        if self.seats[side.index()].kind == SeatKind::Person {
            return Err(fault);
        }
        let shown: String = text.chars().take(MOST_MOVE_TEXT).collect();
        let name = self.side(side).to_owned();
        let mut events = vec![GameEvent::Illegal { ply, side: name, mv: shown, reason: fault.message }];
        if self.illegal[side.index()] + 1 >= MOST_ILLEGAL {
            events.push(Self::over(Some(self.side(side.other())), "illegal"));
        }
        Ok(events)
    }

    /// The end of the game by the rules.
    fn ended(&self, position: &AnyPosition, plies: u32) -> Option<GameEvent> {
        let game = self.session.game().description();
        if let Some(outcome) = position.outcome() {
            let state = position.state(0, plies as usize);
            let usual = || vec![if outcome.winner().is_some() { "win" } else { "full" }.to_owned()];
            let how = state.how.filter(|how| !how.is_empty()).unwrap_or_else(usual);
            let winner = Some(game.outcome(outcome).to_owned());
            return Some(GameEvent::Over { winner, how, cells: state.cells.unwrap_or_default() });
        }
        game.max_plies.filter(|&most| plies >= most).map(|_| Self::over(Some("draw"), "plies"))
    }

    fn propose(&self, now: u64, side: Player, proposal: Proposal) -> Result<Vec<GameEvent>, Fault> {
        match proposal {
            Proposal::Rematch => return refuse("proposal", "the game is not over: no rematch yet"),
            Proposal::Takeback if self.takeback(side).is_none() => {
                return refuse("proposal", format!("{} has no move to take back", self.side(side)));
            }
            _ => {}
        }
        match self.proposed {
            Some((by, open)) if by != side && open == proposal => self.accept(now, side),
            Some((by, open)) if by == side && open == proposal => {
                refuse("proposal", "it is proposed already")
            }
            _ => self.proposal(side, proposal),
        }
    }

    /// A further proposal of a side. Each one is stored, so that their number has a limit.
    fn proposal(&self, side: Player, proposal: Proposal) -> Result<Vec<GameEvent>, Fault> {
        if self.proposals[side.index()] >= MOST_PROPOSALS {
            return refuse("proposal", format!("{MOST_PROPOSALS} proposals without a move are enough"));
        }
        Ok(vec![GameEvent::Proposed { side: self.side(side).to_owned(), proposal }])
    }

    /// The number of moves that stay if the last move of a side, and what came after, is taken back.
    fn takeback(&self, side: Player) -> Option<u32> {
        let mut position = self.session.start().clone();
        let mut last = None;
        for (ply, mv) in self.session.moves().iter().enumerate() {
            if position.to_move() == side {
                last = Some(ply as u32);
            }
            // The moves of a session are legal.
            position.play_text(mv, 0).ok()?;
        }
        last
    }

    /// The clocks after a takeback that a side has proposed. The time that this side has used stays used, also the time since the last
    /// move; its increments for the moves that are taken back go. The other side has the time that it had before these moves.
    fn clocks_back(&self, now: u64, by: Player, plies: u32) -> Option<[u64; 2]> {
        let (_, left) = self.used(now);
        let mut before = *self.known.get(plies as usize)?;
        let mut position = self.session.start().clone();
        let mut own = 0;
        for (ply, mv) in self.session.moves().iter().enumerate() {
            own += u64::from(ply >= plies as usize && position.to_move() == by);
            position.play_text(mv, 0).ok()?;
        }
        before[by.index()] = left?[by.index()].saturating_sub(own * self.settings.clock.increment);
        Some(before)
    }

    fn accept(&self, now: u64, side: Player) -> Result<Vec<GameEvent>, Fault> {
        match self.proposed {
            Some((by, proposal)) if by != side => match proposal {
                Proposal::Draw => Ok(vec![Self::over(Some("draw"), "agreed")]),
                Proposal::Takeback => {
                    let plies =
                        self.takeback(by).ok_or_else(|| Fault::new("proposal", "no move to take back"))?;
                    Ok(vec![GameEvent::TakenBack { plies, clocks: self.clocks_back(now, by, plies) }])
                }
                Proposal::Rematch => refuse("proposal", "a rematch is no part of this game"),
            },
            _ => refuse("proposal", "the other side has proposed nothing"),
        }
    }

    fn decline(&self, side: Player) -> Result<Vec<GameEvent>, Fault> {
        match self.proposed {
            Some((by, _)) if by != side => Ok(vec![GameEvent::Declined { side: self.side(side).to_owned() }]),
            _ => refuse("proposal", "the other side has proposed nothing"),
        }
    }

    /// Changes the state by an event that [`decide`](Self::decide) has named, or that was stored.
    pub(crate) fn apply(&mut self, now: u64, event: &GameEvent) -> Result<(), Fault> {
        match event {
            GameEvent::Begun { .. } => return refuse("record", "a game begins once"),
            GameEvent::Moved { mv, clocks, .. } => {
                self.session.play(mv)?;
                self.known.extend(self.left);
                self.left = *clocks;
                (self.proposed, self.proposals) = (None, [0; 2]);
                self.next_turn(now);
            }
            GameEvent::Illegal { side, .. } => {
                let side = self.player(side)?;
                self.illegal[side.index()] += 1;
            }
            GameEvent::Proposed { side, proposal } => {
                let side = self.player(side)?;
                self.proposed = Some((side, *proposal));
                self.proposals[side.index()] = self.proposals[side.index()].saturating_add(1);
            }
            GameEvent::Declined { .. } => self.proposed = None,
            GameEvent::TakenBack { plies, clocks } => {
                let count = self.session.plies().saturating_sub(*plies as usize);
                self.session.undo(count)?;
                self.known.truncate(*plies as usize);
                // A takeback of an earlier version has no clocks.
                self.left = clocks.or(self.left);
                self.proposed = None;
                self.next_turn(now);
            }
            GameEvent::Over { winner, how, cells } => {
                self.left = self.clocks(now);
                (self.since, self.proposed, self.proposals) = (None, None, [0; 2]);
                let (winner, how, cells) = (winner.clone(), how.clone(), cells.clone());
                self.end = Some(TableEnd { winner, how, cells });
            }
            GameEvent::Rematch { id } => (self.proposed, self.next) = (None, Some(id.clone())),
        }
        Ok(())
    }

    /// Starts the clock of the side to move; the clock of an engine waits for its search.
    pub(crate) fn next_turn(&mut self, now: u64) {
        let engine = self.seats[self.to_move().index()].kind == SeatKind::Engine;
        self.since = (!engine && self.end.is_none()).then_some(now);
    }
}
