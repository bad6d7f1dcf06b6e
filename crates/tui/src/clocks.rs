//! [`GameClocks`]: the time of both sides.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use stonework_game::{ByPlayer, Player};
use stonework_roster::Clock;

/// The time of a side for a whole game, and the time that is added after each move.
///
/// The text form is `T` or `T+I` in seconds.
///
/// ```
/// use std::time::Duration;
/// use stonework_tui::TimeControl;
/// let clock: TimeControl = "300+5".parse()?;
/// assert_eq!((clock.base, clock.increment), (Duration::from_secs(300), Duration::from_secs(5)));
/// let refused = "soon".parse::<TimeControl>().unwrap_err();
/// assert_eq!(refused.to_string(), "no clock `soon`: seconds above 0 and at most 604800, such as 300 or 300+5");
/// # Ok::<(), stonework_tui::TimeControlError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// The time for the whole game.
    pub base: Duration,
    /// The time that is added after each move.
    pub increment: Duration,
}

/// The longest time of a clock in seconds: a week.
const MOST_SECONDS: f64 = 604_800.0;

/// A text that is no [`TimeControl`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no clock `{text}`: seconds above 0 and at most {MOST_SECONDS}, such as 300 or 300+5")]
pub struct TimeControlError {
    /// The beginning of the text.
    pub text: String,
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let wrong = || TimeControlError { text: stonework_game::text::head(text).to_owned() };
        let seconds = |text: &str, least: f64| {
            let seconds: f64 = text.parse().map_err(|_| wrong())?;
            let fits = seconds >= least && seconds <= MOST_SECONDS;
            if fits { Ok(Duration::from_secs_f64(seconds)) } else { Err(wrong()) }
        };
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        Ok(Self { base: seconds(base, 0.001)?, increment: seconds(increment, 0.0)? })
    }
}

/// The clocks of a game. A clock runs only between [`start`](Self::start) and [`stop`](Self::stop).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GameClocks {
    control: TimeControl,
    left: ByPlayer<Duration>,
    /// The side whose clock runs, and the time of day at which it was started.
    running: Option<(Player, Duration)>,
}

impl GameClocks {
    /// The clocks at the beginning of a game.
    pub(crate) const fn new(control: TimeControl) -> Self {
        Self { control, left: ByPlayer::new(control.base, control.base), running: None }
    }

    /// The time left of a side.
    pub(crate) fn left(&self, player: Player, now: Duration) -> Duration {
        let spent = match self.running {
            Some((running, since)) if running == player => now.saturating_sub(since),
            _ => Duration::ZERO,
        };
        self.left[player].saturating_sub(spent)
    }

    /// The times left of both sides, the first player's first.
    pub(crate) fn both(&self, now: Duration) -> [Duration; 2] {
        Player::BOTH.map(|player| self.left(player, now))
    }

    /// Starts the clock of a side, if it does not run yet.
    pub(crate) fn start(&mut self, player: Player, now: Duration) {
        if self.running.is_none_or(|(running, _)| running != player) {
            self.stop(now);
            self.running = Some((player, now));
        }
    }

    /// Stops the clock that runs.
    pub(crate) fn stop(&mut self, now: Duration) {
        if let Some((player, _)) = self.running {
            self.left[player] = self.left(player, now);
            self.running = None;
        }
    }

    /// Ends a move of a side: its clock stops and gets the increment.
    pub(crate) fn moved(&mut self, player: Player, now: Duration) {
        self.stop(now);
        self.left[player] = self.left[player].saturating_add(self.control.increment);
    }

    /// Sets the times of both sides, and stops the clocks.
    pub(crate) fn set(&mut self, left: [Duration; 2]) {
        self.left = ByPlayer::new(left[0], left[1]);
        self.running = None;
    }

    /// The side whose time is over.
    pub(crate) fn fallen(&self, now: Duration) -> Option<Player> {
        let (player, _) = self.running?;
        self.left(player, now).is_zero().then_some(player)
    }

    /// The clock that a player receives.
    pub(crate) fn clock(&self, player: Player, now: Duration) -> Clock {
        Clock { left: Some(self.left(player, now)), increment: self.control.increment, moves: None }
    }
}

/// A time as `4:07`, or as `7.3` below ten seconds.
pub(crate) struct Time(pub(crate) Duration);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = self.0.as_millis() / 100;
        let seconds = self.0.as_secs();
        match seconds {
            0..10 => write!(f, "{}.{}", tenths / 10, tenths % 10),
            10..3600 => write!(f, "{}:{:02}", seconds / 60, seconds % 60),
            _ => write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn only_the_side_to_move_loses_time_and_gets_the_increment() {
        let mut clocks = GameClocks::new(TimeControl { base: s(60), increment: s(5) });
        clocks.start(Player::First, s(100));
        clocks.start(Player::First, s(105));
        assert_eq!(clocks.both(s(110)), [s(50), s(60)]);
        clocks.moved(Player::First, s(110));
        assert_eq!(clocks.both(s(1000)), [s(55), s(60)]);
        clocks.start(Player::Second, s(1000));
        assert_eq!((clocks.fallen(s(1059)), clocks.fallen(s(1060))), (None, Some(Player::Second)));
        assert_eq!(clocks.clock(Player::Second, s(1010)).left, Some(s(50)));
        clocks.set([s(1), s(2)]);
        assert_eq!((clocks.both(s(5000)), clocks.fallen(s(9999))), ([s(1), s(2)], None));
    }

    #[test]
    fn a_time_is_short() {
        let text = |ms| Time(Duration::from_millis(ms)).to_string();
        assert_eq!(
            [text(7349), text(10_000), text(247_000), text(3_661_000)],
            ["7.3", "0:10", "4:07", "1:01:01"]
        );
    }
}
