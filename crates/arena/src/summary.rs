//! [`MatchSummary`]: a match between two players as text and JSON.

use std::fmt::{self, Write};

use serde_json::{Value, json};

use crate::table::Times;
use crate::{CrossTable, Games, Score, SprtVerdict, Tally};

/// The result of a match between two players, as text and as JSON: points, Elo with its error, games lost by a fault, the times of
/// both sides, and the verdict of a sequential test.
///
/// ```
/// use stonework_arena::{Games, MatchSummary, Score};
/// let (score, games) = (Score::new(None), Games::default());
/// let summary = MatchSummary::new(["ann", "bob"], ["white", "black"], &score, &games);
/// assert_eq!(summary.json()["as_white"]["games"], 0);
/// assert_eq!(summary.text(), "ann against bob: 0 of 0 points, +0 =0 -0 (+0 =0 -0 as white, +0 =0 -0 as black)\n");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MatchSummary<'a> {
    names: [&'a str; 2],
    sides: [&'a str; 2],
    score: &'a Score,
    faults: [u64; 2],
    times: [Times; 2],
}

impl<'a> MatchSummary<'a> {
    /// The summary of a score. `names` are the names of player 0 and player 1; `sides` are the names of the sides, the side that
    /// moves first at index 0. Faults and times are those of the games that the score counts, which are the first games of `games`.
    #[must_use]
    pub fn new(names: [&'a str; 2], sides: [&'a str; 2], score: &'a Score, games: &Games) -> Self {
        let counted = games.iter().filter(|line| (line.game as u64) < score.tally().games());
        let table = CrossTable::new(names.map(str::to_owned).to_vec(), counted);
        let (faults, times) =
            ([0, 1].map(|player| table.faults(player)), [0, 1].map(|player| table.times(player)));
        Self { names, sides, score, faults, times }
    }

    /// The summary as JSON, from the view of player 0. A number that is infinite or unknown is null. Fields:
    ///
    /// * `players`: the names of both players.
    /// * `games`, `wins`, `draws` and `losses`; the same counts as `as_SIDE` for the games that player 0 played on each side.
    /// * `score`: the points for each game.
    /// * `pairs`: the numbers of pairs of games in which player 0 made 0, ½, 1, 1½ and 2 points.
    /// * `elo`, `interval`, `error`: the difference in Elo, its 95 % confidence interval, and half the width of the interval.
    /// * `los`: the probability that player 0 is the stronger player (*likelihood of superiority*).
    /// * `faults`: the number of games that each player has lost by a fault.
    /// * `seconds`, `cpu_seconds`: the mean time that each player took in a game, by the clock and of the processor; null if
    ///   it is not known.
    /// * `sprt`: the sequential test, with its log-likelihood ratio, its bounds and its verdict; null without a test.
    #[must_use]
    pub fn json(&self) -> Value {
        let Self { names, sides, score, faults, times } = *self;
        let [first, second] = score.colours();
        let mut summary = counts(score.tally());
        let elo = score.elo();
        summary["players"] = json!(names);
        summary["score"] = json!(score.tally().score());
        for (side, tally) in sides.into_iter().zip([first, second]) {
            summary[format!("as_{side}")] = counts(tally);
        }
        summary["pairs"] = json!(score.pairs().0);
        summary["elo"] = json!(elo.map(|elo| elo.difference));
        summary["error"] = json!(elo.and_then(|elo| elo.error()));
        summary["interval"] = json!(elo.map(|elo| [elo.least, elo.most]));
        summary["los"] = json!(elo.map(|elo| elo.los));
        summary["faults"] = json!(faults);
        summary["seconds"] = json!(times.map(|times| times.seconds()));
        summary["cpu_seconds"] = json!(times.map(|times| times.cpu_seconds()));
        summary["sprt"] = json!(score.test().map(|test| {
            let (lower, upper) = test.bounds();
            json!({
                "test": test.to_string(), "llr": test.ratio(&score.pairs()), "lower": lower, "upper": upper,
                "verdict": score.verdict(),
            })
        }));
        summary
    }

    /// The summary as text: a line with the points, and one line each for Elo, times, faults and the sequential test, where there are
    /// any.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let Self { names, sides, score, faults, times } = *self;
        let [first, second] = score.colours();
        let signed = |tally: Tally| format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses);
        let tally = score.tally();
        writeln!(
            out,
            "{} against {}: {} of {} points, {} ({} as {}, {} as {})",
            names[0],
            names[1],
            tally.points(),
            tally.games(),
            signed(tally),
            signed(first),
            sides[0],
            signed(second),
            sides[1]
        )?;
        if let Some(elo) = score.elo() {
            let pairs = score.pairs().0;
            writeln!(
                out,
                "  Elo {elo} (95 %), stronger with probability {:.1} %; pairs by points 0 to 2: {pairs:?}",
                100.0 * elo.los
            )?;
        }
        if let [Some(one), Some(other)] = times.map(|times| times.seconds()) {
            let [cpu, other_cpu] = times.map(|times| {
                times.cpu_seconds().map_or_else(|| "unknown".to_owned(), |seconds| format!("{seconds:.2} s"))
            });
            writeln!(out, "  a game took {one:.2} s and {other:.2} s, and of CPU {cpu} and {other_cpu}")?;
        }
        if faults != [0, 0] {
            writeln!(out, "  games lost by a fault: {} and {}", faults[0], faults[1])?;
        }
        if let Some(test) = score.test() {
            let (lower, upper) = test.bounds();
            let verdict = match score.verdict() {
                SprtVerdict::Open => "no decision yet",
                SprtVerdict::Lower => "elo0 rather than elo1",
                SprtVerdict::Upper => "elo1 rather than elo0",
            };
            let ratio = test.ratio(&score.pairs());
            writeln!(out, "  SPRT {test}: {ratio:.2} between {lower:.2} and {upper:.2}: {verdict}")?;
        }
        Ok(())
    }
}

fn counts(tally: Tally) -> Value {
    json!({"games": tally.games(), "wins": tally.wins, "draws": tally.draws, "losses": tally.losses})
}
