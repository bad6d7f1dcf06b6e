//! [`Clocks`]: the time of both sides, as the commands `time_settings` and `time_left` set the time.

use std::time::Duration;

use stonework_game::{ByPlayer, Player};
use stonework_roster::Clock;

/// The settings of a clock: a main time, then Canadian byo-yomi, which is periods of a fixed time for a fixed number
/// of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Settings {
    main: Duration,
    period: Duration,
    stones: u32,
}

impl Settings {
    const fn has_periods(&self) -> bool {
        self.stones > 0 && !self.period.is_zero()
    }
}

/// The rest of a side's time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Left {
    time: Duration,
    /// The number of moves that `time` must last for; 0 in the main time.
    stones: u32,
}

/// The clocks of a game.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clocks {
    settings: Option<Settings>,
    left: ByPlayer<Option<Left>>,
}

impl Clocks {
    /// Carries out `time_settings`. A period for no stones is no limit, and neither is a main time of 0 with a period
    /// of 0.
    pub(crate) fn set(&mut self, main: Duration, period: Duration, stones: u32) {
        let unlimited = if period.is_zero() { main.is_zero() } else { stones == 0 };
        self.settings = (!unlimited).then_some(Settings { main, period, stones });
        self.restart();
    }

    /// Sets the clocks to the beginning of a game.
    pub(crate) fn restart(&mut self) {
        let left = self.settings.map(|s| match s.main {
            Duration::ZERO => Left { time: s.period, stones: s.stones },
            main => Left { time: main, stones: 0 },
        });
        self.left = ByPlayer::new(left, left);
    }

    /// Carries out `time_left`.
    pub(crate) fn set_time_left(&mut self, player: Player, time: Duration, stones: u32) {
        self.left[player] = Some(Left { time, stones });
    }

    /// Subtracts the time of a move from the clock of a side.
    pub(crate) fn spend(&mut self, player: Player, spent: Duration) {
        let Some(left) = &mut self.left[player] else { return };
        let periods = self.settings.filter(Settings::has_periods);
        let fresh = periods.map(|s| Left { time: s.period, stones: s.stones });
        let mut spent = spent;
        if left.stones == 0 {
            match fresh {
                Some(fresh) if spent > left.time => {
                    spent -= left.time;
                    *left = fresh;
                }
                _ => {
                    left.time = left.time.saturating_sub(spent);
                    return;
                }
            }
        }
        left.time = left.time.saturating_sub(spent);
        left.stones -= 1;
        if left.stones == 0 {
            *left = fresh.unwrap_or(Left { time: Duration::ZERO, stones: 0 });
        }
    }

    /// The clock for the next move of a side.
    pub(crate) fn clock(&self, player: Player) -> Clock {
        let Some(left) = self.left[player] else { return Clock::NONE };
        if left.stones > 0 {
            return Clock { left: Some(left.time), increment: Duration::ZERO, moves: Some(left.stones) };
        }
        // After the main time, the periods begin. Until then, a share of a period counts as the increment of each
        // move.
        let periods = self.settings.filter(Settings::has_periods);
        let increment = periods.map_or(Duration::ZERO, |s| s.period / s.stones);
        Clock { left: Some(left.time.saturating_add(increment)), increment, moves: None }
    }
}

/// A clock for one move that takes at most `time`.
pub(crate) fn for_one_move(time: Duration) -> Clock {
    // An agent takes nine tenths of a clock at most.
    Clock { left: Some(time.saturating_mul(10) / 9), increment: Duration::ZERO, moves: Some(1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonework_game::Player::{First, Second};

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn some_settings_mean_no_limit() {
        for (main, period, stones, limited) in [
            (0, 0, 0, false),
            (0, 1, 0, false),
            (60, 1, 0, false),
            (0, 0, 5, false),
            (60, 0, 0, true),
            (60, 0, 5, true),
            (0, 10, 5, true),
            (60, 10, 5, true),
        ] {
            let mut clocks = Clocks::default();
            clocks.set(s(main), s(period), stones);
            assert_eq!(clocks.clock(First) != Clock::NONE, limited, "{main} {period} {stones}");
        }
    }

    #[test]
    fn time_runs_from_the_main_time_through_the_periods() {
        let mut clocks = Clocks::default();
        clocks.set(s(60), s(10), 2);
        assert_eq!(clocks.clock(First), Clock { left: Some(s(65)), increment: s(5), moves: None });
        clocks.spend(First, s(59));
        assert_eq!(clocks.clock(First).left, Some(s(6)));
        clocks.spend(First, s(4));
        assert_eq!(clocks.clock(First), Clock { left: Some(s(7)), increment: s(0), moves: Some(1) });
        clocks.spend(First, s(20));
        assert_eq!(clocks.clock(First), Clock { left: Some(s(10)), increment: s(0), moves: Some(2) });
        assert_eq!(clocks.clock(Second).left, Some(s(65)));
        clocks.restart();
        assert_eq!(clocks.clock(First).left, Some(s(65)));
    }

    #[test]
    fn an_absolute_time_ends() {
        let mut clocks = Clocks::default();
        clocks.set(s(60), s(0), 0);
        clocks.spend(First, s(61));
        assert_eq!(clocks.clock(First).left, Some(s(0)));
        clocks.set_time_left(First, s(3), 1);
        clocks.spend(First, s(1));
        assert_eq!(clocks.clock(First).left, Some(s(0)));
        assert_eq!(for_one_move(s(9)).share(40), Some(s(9)));
    }
}
