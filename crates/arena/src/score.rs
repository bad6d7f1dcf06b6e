//! [`Score`]: the present score of a match between two players.

use std::collections::BTreeMap;

use crate::{Elo, GameLine, Pairs, Sprt, SprtVerdict, Tally};

/// A match between player 0 and player 1, from the view of player 0.
///
/// Games are counted in the order of their numbers, whatever the order in which they end: a game counts when all
/// games with lower numbers are known. So the score, and the game after which a test has its verdict, do not depend
/// on the number of games played at once. Games after the verdict do not count.
#[derive(Clone, PartialEq, Debug)]
pub struct Score {
    test: Option<Sprt>,
    verdict: SprtVerdict,
    /// The results of player 0 as the first player, and as the second player.
    colours: [Tally; 2],
    pairs: Pairs,
    /// The points of the first game of a pair whose second game is not counted yet.
    half: Option<f64>,
    /// The number of the game that counts next.
    next: usize,
    /// The games that wait for a game with a lower number: the points of player 0, and the number of the player who
    /// moved first.
    waiting: BTreeMap<usize, (f64, usize)>,
}

impl Score {
    /// A match without games, perhaps with a test that ends the match.
    #[must_use]
    pub const fn new(test: Option<Sprt>) -> Self {
        Self {
            test,
            verdict: SprtVerdict::Open,
            colours: [Tally { wins: 0, draws: 0, losses: 0 }; 2],
            pairs: Pairs([0; 5]),
            half: None,
            next: 0,
            waiting: BTreeMap::new(),
        }
    }

    /// Adds a game.
    pub fn add(&mut self, line: &GameLine) {
        let first = line.players[0];
        let points = if first == 0 { line.points() } else { 1.0 - line.points() };
        if line.game >= self.next {
            self.waiting.insert(line.game, (points, first));
        }
        while self.verdict == SprtVerdict::Open {
            let Some((points, first)) = self.waiting.remove(&self.next) else { return };
            self.next += 1;
            self.colours[usize::from(first != 0)].add(points);
            match self.half.take() {
                None => self.half = Some(points),
                Some(before) => {
                    self.pairs.add(before, points);
                    self.verdict = self.test.map_or(SprtVerdict::Open, |test| test.verdict(&self.pairs));
                }
            }
        }
    }

    /// All games that count.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let [a, b] = self.colours;
        Tally { wins: a.wins + b.wins, draws: a.draws + b.draws, losses: a.losses + b.losses }
    }

    /// The games in which player 0 moved first, and the games in which player 0 moved second.
    #[must_use]
    pub const fn colours(&self) -> [Tally; 2] {
        self.colours
    }

    /// The complete pairs.
    #[must_use]
    pub const fn pairs(&self) -> Pairs {
        self.pairs
    }

    /// The estimate of the Elo difference from the complete pairs.
    #[must_use]
    pub fn elo(&self) -> Option<Elo> {
        self.pairs.elo()
    }

    /// The test, if there is one.
    #[must_use]
    pub const fn test(&self) -> Option<Sprt> {
        self.test
    }

    /// The verdict of the test.
    #[must_use]
    pub const fn verdict(&self) -> SprtVerdict {
        self.verdict
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Won;

    fn line(game: usize, result: Won) -> GameLine {
        GameLine {
            game,
            round: game / 2,
            players: if game.is_multiple_of(2) { [0, 1] } else { [1, 0] },
            result,
            reason: "rules".to_owned(),
            opening: 0,
            moves: Vec::new(),
            seconds: [0.0; 2],
            cpu_seconds: [None; 2],
            seeds: [0; 2],
        }
    }

    #[test]
    fn the_order_of_arrival_changes_nothing() {
        // Player 0 wins nearly everything: the test ends the match before the last game.
        let result = |game: usize| match (game % 10, game % 2) {
            (3, _) => Won::Draw,
            (7, _) | (_, 0) => Won::First,
            _ => Won::Second,
        };
        let score = |order: &[usize]| {
            let mut score = Score::new("elo0=0,elo1=100".parse().ok());
            for &game in order {
                score.add(&line(game, result(game)));
            }
            (score.tally(), score.colours(), score.pairs(), score.verdict())
        };
        let forwards: Vec<usize> = (0..200).collect();
        let backwards: Vec<usize> = (0..200).rev().collect();
        let mixed: Vec<usize> = (0..200).map(|i| i * 77 % 200).collect();
        let (tally, _, _, verdict) = score(&forwards);
        assert_eq!(verdict, SprtVerdict::Upper);
        assert!(tally.games() < 100 && tally.games() % 2 == 0, "{tally:?}");
        assert_eq!(score(&backwards), score(&forwards));
        assert_eq!(score(&mixed), score(&forwards));
    }

    #[test]
    fn points_go_to_the_right_player_and_colour() {
        let mut score = Score::new(None);
        for (game, result) in [Won::First, Won::First, Won::Draw, Won::Second].into_iter().enumerate() {
            score.add(&line(game, result));
        }
        let [first, second] = score.colours();
        assert_eq!((first.wins, first.draws, first.losses), (1, 1, 0));
        assert_eq!((second.wins, second.draws, second.losses), (1, 0, 1));
        assert_eq!(score.pairs(), Pairs([0, 0, 1, 1, 0]));
        // A game before game 6 is missing, so game 6 waits.
        score.add(&line(6, Won::First));
        assert_eq!(score.tally().games(), 4);
    }
}
