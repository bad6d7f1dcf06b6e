//! [`Event::confirm`]: checks a game of a log by replaying the game under the rules.

use stonework_game::text::head;
use stonework_game::{Game, Outcome, Textual};

use crate::{Event, Fixture, GameLine, Games, Won};

/// The reason why a line is not a game of an event.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("game {game}: {what}")]
pub struct NotConfirmed {
    /// The number of the game, from 0, as the line has it.
    pub game: usize,
    /// The difference between the line and the event or the rules.
    pub what: String,
}

/// The reason why an event cannot be resumed with the games of a log.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// A line is not a game of the event.
    #[error(transparent)]
    NotConfirmed(#[from] NotConfirmed),
    /// Two lines have the same number.
    #[error("game {game} is there twice")]
    Twice {
        /// The number of the game, from 0.
        game: usize,
    },
}

impl<G: Game + Textual> Event<G> {
    /// Collects the games of a log, so that the event can be resumed, after [checking](Event::confirm) each of them. Games with a
    /// number beyond the last number of this event are left out: they belong to a run of the same match with more games.
    ///
    /// # Errors
    /// The first line that is not confirmed, or that has the number of an earlier line.
    pub fn resume(&self, lines: impl IntoIterator<Item = GameLine>) -> Result<Games, ResumeError> {
        let mut games = Games::default();
        for line in lines.into_iter().filter(|line| line.game < self.games()) {
            self.confirm(&line)?;
            if games.has(line.game) {
                return Err(ResumeError::Twice { game: line.game });
            }
            games.add(line);
        }
        Ok(games)
    }

    /// Checks a game of a log by replaying it. The number, the round, the players, the seeds and the opening must be those
    /// of this event. Times must be finite and not negative. Each move must be legal. The result must follow from the rules,
    /// a resignation, a fault or the limit of plies. The replay plays each move once.
    ///
    /// A replay cannot show that a side resigned, failed or ran out of time; the check accepts the reason of the
    /// line. It does check that such a game has a winner, and that after a resignation the side to move has lost, unless the
    /// game ended within the opening.
    ///
    /// # Errors
    /// The first difference between the line and the event or the rules.
    pub fn confirm(&self, line: &GameLine) -> Result<(), NotConfirmed> {
        self.difference(line).map_or(Ok(()), |what| Err(NotConfirmed { game: line.game, what }))
    }

    /// The first difference between a line and the event or the rules; `None` if the line is confirmed.
    fn difference(&self, line: &GameLine) -> Option<String> {
        if line.game >= self.games() {
            return Some(format!("there are {} games", self.games()));
        }
        let Fixture { round, players, seeds, .. } = self.fixture(line.game);
        let expected = ([players.first, players.second], [seeds.first, seeds.second], round);
        if (line.players, line.seeds, line.round) != expected {
            return Some(format!("the round, the players or the seeds are not those of game {}", line.game));
        }
        let times = line.seconds.into_iter().chain(line.cpu_seconds.into_iter().flatten());
        if let Some(time) = times.into_iter().find(|time| !time.is_finite() || *time < 0.0) {
            return Some(format!("a time of {time} s: times are finite and not negative"));
        }
        let opening = &self.openings[round];
        // A side that fails before the end of the opening has received only a part of the opening.
        let received = opening.len().min(line.moves.len());
        if line.opening != received {
            return Some(format!("an opening of {} moves, not of {received}", line.opening));
        }
        let mut position = self.start.clone();
        for (ply, text) in line.moves.iter().enumerate() {
            let at_move = |why: String| Some(format!("move {} ({}): {why}", ply + 1, head(text)));
            let mv = match position.parse_move(text) {
                Ok(mv) => mv,
                Err(error) => return at_move(error.what),
            };
            if opening.get(ply).is_some_and(|&wanted| wanted != mv) {
                return at_move("the opening has another move".to_owned());
            }
            if let Err(error) = position.play(mv) {
                return at_move(error.to_string());
            }
        }
        self.end_difference(line, &position, opening.len())
    }

    /// The difference, if the result of a line does not follow from the last position and the line's reason.
    fn end_difference(&self, line: &GameLine, position: &G, opening: usize) -> Option<String> {
        let (result, reason) = (line.result, line.reason.as_str());
        let plies = line.moves.len();
        let opening_played = plies >= opening;
        let expected = match (position.outcome(), reason) {
            (Some(outcome), "rules") => Some(Won::from(outcome)),
            (Some(_), _) => return Some(format!("the game ends by the rules, not by `{}`", head(reason))),
            (None, "rules") => return Some("by the rules the game is not over".to_owned()),
            (None, "resigned") if opening_played => Some(Outcome::Win(position.to_move().other()).into()),
            (None, _) if opening_played && self.is_limit(plies, opening, reason) => Some(Won::Draw),
            // A side failed, perhaps within the opening. The moves do not show which side it was.
            (None, _) => None,
        };
        let holds = expected.map_or(result != Won::Draw, |expected| expected == result);
        (!holds).then(|| format!("the result is not {result:?} after `{}`", head(reason)))
    }

    /// `true` if a game of `plies` moves has reached the limit of plies, and `reason` says so. A game with a longer opening
    /// reaches the limit with its opening.
    fn is_limit(&self, plies: usize, opening: usize, reason: &str) -> bool {
        let limit = self.terms.max_plies.filter(|&most| plies == opening.max(most as usize));
        limit.is_some_and(|most| reason == crate::End::MaxPlies(most).to_string())
    }
}
