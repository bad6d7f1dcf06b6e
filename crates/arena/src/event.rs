//! [`Event`]: the games of a match or a round robin, played several at a time.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use serde::{Deserialize, Serialize};
use stonework_game::{ByPlayer, Game, Outcome, Player, Textual};

use crate::{Contestant, NotPlayed, Terms, play, seeds};

/// Games between some players. Each two players meet twice in a round, from the same opening with colours swapped.
/// Two players make a match, more players a round robin.
///
/// The number of a game and the event determine everything about the game: the players, the opening and the seeds. So
/// games can be played in any order, by several threads, and on different days.
#[derive(Clone, Debug)]
pub struct Event<G: Game> {
    /// The position before the opening.
    pub start: G,
    /// The number of players.
    pub players: usize,
    /// The terms of every game.
    pub terms: Terms,
    /// The opening of each round; there are as many rounds as openings.
    pub openings: Vec<Vec<G::Move>>,
    /// The seed of all other seeds.
    pub seed: u64,
}

/// The players, the opening and the seeds of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The number of the game, from 0. Games 2k and 2k + 1 are a pair.
    pub game: usize,
    /// The round, from 0.
    pub round: usize,
    /// The number of the player who moves first, and the number of the player who moves second.
    pub players: ByPlayer<usize>,
    /// The seeds of both players.
    pub seeds: ByPlayer<u64>,
}

/// A game that was played, as a line of a log. Arrays, and [`Won`] in place of [`Outcome`], suit files of games. In
/// each array, the player who moved first comes first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameLine {
    /// The number of the game, from 0.
    pub game: usize,
    /// The round, from 0.
    pub round: usize,
    /// The numbers of the players, the player of the first move first.
    pub players: [usize; 2],
    /// The result.
    pub result: Won,
    /// The reason for the result: `rules`, `resigned`, or the fault of the loser.
    pub reason: String,
    /// The number of moves of the opening.
    pub opening: usize,
    /// All moves, in the game's notation.
    pub moves: Vec<String>,
    /// The seconds of each player by the wall clock, for its decisions and for receiving moves.
    pub seconds: [f64; 2],
    /// The seconds of each player by the processor, where this figure is available: for an agent its decisions, for a
    /// program everything from the beginning to the end of the game.
    pub cpu_seconds: [Option<f64>; 2],
    /// The seeds of both players.
    pub seeds: [u64; 2],
}

/// The winner of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Won {
    /// The player who moved first.
    First,
    /// The player who moved second.
    Second,
    /// No player: a draw.
    Draw,
}

impl From<Outcome> for Won {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(Player::First) => Self::First,
            Outcome::Win(Player::Second) => Self::Second,
            Outcome::Draw => Self::Draw,
        }
    }
}

impl From<Won> for Outcome {
    fn from(won: Won) -> Self {
        match won {
            Won::First => Self::Win(Player::First),
            Won::Second => Self::Win(Player::Second),
            Won::Draw => Self::Draw,
        }
    }
}

impl GameLine {
    /// The points of the player who moved first: 0, ½ or 1.
    #[must_use]
    pub const fn points(&self) -> f64 {
        match self.result {
            Won::First => 1.0,
            Won::Second => 0.0,
            Won::Draw => 0.5,
        }
    }

    /// `true` if the game ended by the rules or with a resignation; `false` if a side failed or the referee stopped
    /// the game.
    #[must_use]
    pub fn is_regular(&self) -> bool {
        self.reason == "rules" || self.reason == "resigned"
    }
}

/// The largest number of games of an event in the programs of this workspace: a list of their numbers stays within 32 MB.
pub const MOST_GAMES: usize = 4_000_000;

impl<G: Game + Textual> Event<G> {
    /// The number of games: two for each pair of players and each round.
    #[must_use]
    pub const fn games(&self) -> usize {
        self.players * self.players.saturating_sub(1) * self.openings.len()
    }

    /// The game of a number.
    ///
    /// ```
    /// use stonework_game::example::Nim;
    /// use stonework_arena::{Event, Terms};
    /// let openings = vec![vec![1], vec![2]];
    /// let event = Event { start: Nim::new(9), players: 3, terms: Terms::default(), openings, seed: 1 };
    /// let who = |game| event.fixture(game).players;
    /// assert_eq!(event.games(), 12);
    /// assert_eq!([who(0), who(2), who(4), who(6)].map(|p| (p.first, p.second)), [(0, 1), (0, 2), (1, 2), (0, 1)]);
    /// assert_eq!([who(1), who(11)].map(|p| (p.first, p.second)), [(1, 0), (2, 1)]);
    /// assert_eq!((event.fixture(5).round, event.fixture(6).round), (0, 1));
    /// ```
    #[must_use]
    pub fn fixture(&self, game: usize) -> Fixture {
        let pairings = (self.players * self.players.saturating_sub(1) / 2).max(1);
        let (mut pairing, round) = (game / 2 % pairings, game / 2 / pairings);
        let mut a = 0;
        while pairing >= self.players.saturating_sub(a + 1).max(1) {
            pairing -= self.players - a - 1;
            a += 1;
        }
        let b = a + 1 + pairing;
        let players = if game.is_multiple_of(2) { ByPlayer::new(a, b) } else { ByPlayer::new(b, a) };
        let seed = |side| seeds::side(self.seed, game, side);
        Fixture { game, round, players, seeds: ByPlayer::new(seed(0), seed(1)) }
    }

    /// Plays the games for which `done` is false, with `threads` games at a time but at least one, and passes each
    /// finished game to `watch`, in no fixed order. The run ends early once `stop` is set, also by `watch`: between
    /// moves, and at once where a contestant uses the same flag
    /// ([`GtpContestant::cancel`](crate::GtpContestant::cancel)). Unfinished games are dropped.
    ///
    /// `make` makes a player by number; each thread makes its own players. A side that fails loses that game, and no
    /// other.
    ///
    /// # Errors
    /// An error if an opening cannot be played.
    pub fn run(
        &self,
        make: &(dyn Fn(usize) -> Box<dyn Contestant<G>> + Sync),
        done: &dyn Fn(usize) -> bool,
        threads: usize,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(GameLine),
    ) -> Result<(), NotPlayed> {
        let games: Vec<usize> = (0..self.games()).filter(|&game| !done(game)).collect();
        EventPart { event: self, games: &games, before: 0 }.run(make, threads, stop, watch)
    }
}

/// Some games of an event, which may have the openings of their rounds alone.
pub(crate) struct EventPart<'a, G: Game> {
    /// The event. Its first opening is the one of the round `before`.
    pub(crate) event: &'a Event<G>,
    /// The numbers of the games. Each has a round with an opening.
    pub(crate) games: &'a [usize],
    pub(crate) before: usize,
}

impl<G: Game + Textual> EventPart<'_, G> {
    /// [`Event::run`] for these games.
    pub(crate) fn run(
        &self,
        make: &(dyn Fn(usize) -> Box<dyn Contestant<G>> + Sync),
        threads: usize,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(GameLine),
    ) -> Result<(), NotPlayed> {
        let next = AtomicUsize::new(0);
        let (send, lines) = channel();
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.clamp(1, self.games.len().max(1)))
                .map(|_| {
                    let (send, next) = (send.clone(), &next);
                    scope.spawn(move || self.work(make, next, stop, &send))
                })
                .collect();
            drop(send);
            let mut failed = Ok(());
            for line in lines {
                match line {
                    Ok(line) => watch(line),
                    Err(NotPlayed::Stopped) => {}
                    Err(why) => {
                        stop.store(true, Ordering::Relaxed);
                        failed = Err(why);
                    }
                }
            }
            for worker in workers {
                if let Err(panic) = worker.join() {
                    std::panic::resume_unwind(panic);
                }
            }
            failed
        })
    }

    fn work(
        &self,
        make: &(dyn Fn(usize) -> Box<dyn Contestant<G>> + Sync),
        next: &AtomicUsize,
        stop: &AtomicBool,
        send: &Sender<Result<GameLine, NotPlayed>>,
    ) {
        let mut players: HashMap<usize, Box<dyn Contestant<G>>> = HashMap::new();
        while !stop.load(Ordering::Relaxed) {
            let Some(&game) = self.games.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            let fixture = self.event.fixture(game);
            let ByPlayer { first, second } = fixture.players;
            let mut a = players.remove(&first).unwrap_or_else(|| make(first));
            let mut b = players.remove(&second).unwrap_or_else(|| make(second));
            let line = self.play(&fixture, ByPlayer::new(&mut *a, &mut *b), stop);
            players.extend([(first, a), (second, b)]);
            if send.send(line).is_err() {
                return;
            }
        }
    }

    fn play(
        &self,
        fixture: &Fixture,
        sides: ByPlayer<&mut dyn Contestant<G>>,
        stop: &AtomicBool,
    ) -> Result<GameLine, NotPlayed> {
        let &Fixture { game, round, players, seeds } = fixture;
        let Event { start, terms, openings, .. } = self.event;
        let opening = &openings[round - self.before];
        let played = play(start, opening, sides, seeds, terms, stop)?;
        let mut position = start.clone();
        let text = |&mv: &G::Move| {
            let text = position.move_text(mv);
            let _ = position.play_unchecked(mv);
            text
        };
        Ok(GameLine {
            game,
            round,
            players: [players.first, players.second],
            result: played.outcome.into(),
            reason: played.end.to_string(),
            // A side may have failed before the end of the opening.
            opening: opening.len().min(played.moves.len()),
            moves: played.moves.iter().map(text).collect(),
            seconds: [played.time.first, played.time.second].map(|time| time.as_secs_f64()),
            cpu_seconds: [played.cpu.first, played.cpu.second].map(|time| time.map(|t| t.as_secs_f64())),
            seeds: [seeds.first, seeds.second],
        })
    }
}

/// The finished games, by number. A summary of the games does not depend on the order in which they ended.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Games(BTreeMap<usize, GameLine>);

impl Games {
    /// Adds a game; a game of the same number is replaced.
    pub fn add(&mut self, line: GameLine) {
        self.0.insert(line.game, line);
    }

    /// `true` if the game of this number is in the set.
    #[must_use]
    pub fn has(&self, game: usize) -> bool {
        self.0.contains_key(&game)
    }

    /// The games in order.
    pub fn iter(&self) -> impl Iterator<Item = &GameLine> {
        self.0.values()
    }

    /// The number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// `true` if the set has no games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<GameLine> for Games {
    fn from_iter<T: IntoIterator<Item = GameLine>>(lines: T) -> Self {
        Self(lines.into_iter().map(|line| (line.game, line)).collect())
    }
}
