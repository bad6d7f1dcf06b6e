//! [`Event`]: the games of a match or a round robin, played several at a time.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use serde::{Deserialize, Serialize};
use stonework_game::{ByPlayer, Game, Outcome, Player, Textual};

use crate::{Contestant, NotPlayed, Terms, play, seeds};

/// Games between some players: each pair of them meets twice a round, from the same opening with colours
/// swapped. Two players make a match, more of them a round robin.
///
/// Everything about a game – who plays, the opening, the seeds – follows from its number and the event, so
/// that games can be played in any order, by several threads, and on another day.
#[derive(Clone, Debug)]
pub struct Event<G: Game> {
    /// The position before the opening.
    pub start: G,
    /// How many players.
    pub players: usize,
    /// The terms of every game.
    pub terms: Terms,
    /// The opening of each round; there are as many rounds as openings.
    pub openings: Vec<Vec<G::Move>>,
    /// Where all seeds come from.
    pub seed: u64,
}

/// Who plays whom, from which opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The number of the game, from 0. Games 2k and 2k + 1 are a pair.
    pub game: usize,
    /// The round, from 0.
    pub round: usize,
    /// The player who moves first and the one who moves second.
    pub players: ByPlayer<usize>,
    /// The seeds of both.
    pub seeds: ByPlayer<u64>,
}

/// A game that was played, as a line of a log. Its arrays, and [`Won`] in place of [`Outcome`], are the form
/// that files of games have: whoever moved first comes first.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameLine {
    /// The number of the game, from 0.
    pub game: usize,
    /// The round, from 0.
    pub round: usize,
    /// The numbers of the players, the one who moved first before the other.
    pub players: [usize; 2],
    /// Who of these has won.
    pub result: Won,
    /// By what: `rules`, `resigned`, or what the loser did.
    pub reason: String,
    /// How many of the moves are the opening.
    pub opening: usize,
    /// All moves, in the game's notation.
    pub moves: Vec<String>,
    /// Seconds by the clock on the wall that each took, to decide and to be told moves.
    pub seconds: [f64; 2],
    /// Seconds of the processor, where they are known: for decisions, and of a program all from the game's beginning to
    /// its end.
    pub cpu_seconds: [Option<f64>; 2],
    /// The seeds of both.
    pub seeds: [u64; 2],
}

/// Who has won a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Won {
    /// Who moved first.
    First,
    /// Who moved second.
    Second,
    /// Nobody.
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

    /// Whether the game ended by the rules or with a resignation, not because a side failed or the referee
    /// stopped it.
    #[must_use]
    pub fn is_regular(&self) -> bool {
        self.reason == "rules" || self.reason == "resigned"
    }
}

impl<G: Game + Textual> Event<G> {
    /// How many games there are: two a pair of players and round.
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

    /// Plays the games that are not among those `done`, so many at a time but at least one, and hands each to `watch` when it
    /// is over, in no fixed order. Ends early, leaving out the games that are being played, once `stop` is
    /// set, which `watch` may do: between moves, and at once where a contestant heeds the same flag
    /// ([`GtpContestant::cancel`](crate::GtpContestant::cancel)).
    ///
    /// `make` makes a player by number; each thread makes its own. A side that fails loses that game, and
    /// no other.
    ///
    /// # Errors
    /// If an opening cannot be played.
    pub fn run(
        &self,
        make: &(dyn Fn(usize) -> Box<dyn Contestant<G>> + Sync),
        done: &dyn Fn(usize) -> bool,
        threads: usize,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(GameLine),
    ) -> Result<(), NotPlayed> {
        let left: Vec<usize> = (0..self.games()).filter(|&game| !done(game)).collect();
        let next = AtomicUsize::new(0);
        let (send, lines) = channel();
        thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.clamp(1, left.len().max(1)))
                .map(|_| {
                    let (send, left, next) = (send.clone(), &left, &next);
                    scope.spawn(move || self.work(make, left, next, stop, &send))
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
        left: &[usize],
        next: &AtomicUsize,
        stop: &AtomicBool,
        send: &Sender<Result<GameLine, NotPlayed>>,
    ) {
        let mut players: HashMap<usize, Box<dyn Contestant<G>>> = HashMap::new();
        while !stop.load(Ordering::Relaxed) {
            let Some(&game) = left.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            let fixture = self.fixture(game);
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
        let opening = &self.openings[round];
        let played = play(&self.start, opening, sides, seeds, &self.terms, stop)?;
        let mut position = self.start.clone();
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
            // A side may have failed before its end.
            opening: opening.len().min(played.moves.len()),
            moves: played.moves.iter().map(text).collect(),
            seconds: [played.time.first, played.time.second].map(|time| time.as_secs_f64()),
            cpu_seconds: [played.cpu.first, played.cpu.second].map(|time| time.map(|t| t.as_secs_f64())),
            seeds: [seeds.first, seeds.second],
        })
    }
}

/// The games that are known, by number: what a summary is made of, whatever the order in which they ended.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Games(BTreeMap<usize, GameLine>);

impl Games {
    /// Takes a game in; a game of the same number is replaced.
    pub fn add(&mut self, line: GameLine) {
        self.0.insert(line.game, line);
    }

    /// Whether a game is there.
    #[must_use]
    pub fn has(&self, game: usize) -> bool {
        self.0.contains_key(&game)
    }

    /// The games in order.
    pub fn iter(&self) -> impl Iterator<Item = &GameLine> {
        self.0.values()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
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
