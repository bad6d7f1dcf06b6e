//! [`SelfPlay::confirm`] and [`ProvenPlay::confirm`]: check a game by replaying it under the rules.

use rand_core::RngCore;
use stonework_game::text::head;
use stonework_game::{Game, Textual, rng};

use super::game::{MOST_MOVES, Searched, SelfPlay, SelfPlayGame, random};
use super::proven::{BRANCHES, Branch, ProvenPlay, SEARCHES, value};
use crate::{NotConfirmed, Won, seeds};

impl<G: Game + Textual> SelfPlay<G> {
    /// Checks a game that claims to be of this plan, by replaying it. The opening, and each later random move, must be those
    /// of the game's number and the plan's seed. Each move must be legal and in the notation of the game. The game must go to
    /// the end by the rules, to the limit of plies, or to a proof, and have the result that follows. There is a search for
    /// each move after the opening, with at most [`MOST_MOVES`] different legal moves, the most visited first, and a value
    /// from 0 to 1.
    ///
    /// A replay searches nothing. It cannot show that the engine has chosen these moves, visits, values and proofs; the
    /// check accepts them. The time is that of a replay, and of reading the moves of all searches.
    ///
    /// # Errors
    /// The first difference between the game and the plan or the rules.
    ///
    /// ```
    /// use stonework_arena::Won;
    /// use stonework_arena::self_play::SelfPlay;
    /// use stonework_engine::Limits;
    /// use stonework_game::example::Nim;
    /// use stonework_search::{Mcts, MctsOptions, RandomPlayout};
    /// let play = SelfPlay::new(Nim::new(20), 7);
    /// let mut engine = Mcts::new(RandomPlayout::new(100), MctsOptions::uct().lines(9))?;
    /// let mut game = play.play(3, &mut engine, &Limits::none().simulations(50))?;
    /// assert_eq!(play.confirm(&game), Ok(()));
    /// game.opening += 1;                                          // the plan has another opening
    /// assert!(play.confirm(&game).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn confirm(&self, game: &SelfPlayGame) -> Result<(), NotConfirmed> {
        self.difference(game).map_or(Ok(()), |what| Err(NotConfirmed { game: game.game, what }))
    }

    /// The first difference between a game and the plan or the rules; `None` if the game is confirmed.
    fn difference(&self, line: &SelfPlayGame) -> Option<String> {
        let mut rng = rng(seeds::self_play(self.seed, line.game));
        if !line.branches.is_empty() {
            return Some(format!("{} branches, and a game of this plan has none", line.branches.len()));
        }
        let (mut position, mut opening) = (self.start.clone(), Vec::new());
        self.open(&mut position, &mut opening, &mut rng);
        if line.opening != opening.len() || !line.moves.starts_with(&opening) {
            return Some(format!("the opening of this game is `{}`", opening.join(" ")));
        }
        let played = &line.moves[opening.len()..];
        if line.searches.len() != played.len() {
            return Some(format!("{} searches for {} moves", line.searches.len(), played.len()));
        }
        for (ply, (text, search)) in (opening.len()..).zip(played.iter().zip(&line.searches)) {
            let at_move =
                |why: &dyn std::fmt::Display| Some(format!("move {} ({}): {why}", ply + 1, head(text)));
            if position.outcome().is_some() || self.is_long(ply) {
                return at_move(&"the game is over before");
            }
            if let Some(why) = search.difference(&position) {
                return at_move(&why);
            }
            let mv = match read(&position, text) {
                Ok(mv) => mv,
                Err(why) => return at_move(&why),
            };
            // The seed of the search.
            let _ = rng.next_u64();
            let stray = if self.strays(&mut rng) { random(&position, &mut rng) } else { None };
            if let Some(stray) = stray.filter(|&stray| stray != mv) {
                return at_move(&format!("the random move here is {}", position.move_text(stray)));
            }
            if let Err(error) = position.play(mv) {
                return at_move(&error);
            }
        }
        self.end_difference(line, &position)
    }

    /// The difference, if the result of a line does not follow from its last position.
    fn end_difference(&self, line: &SelfPlayGame, last: &G) -> Option<String> {
        let expected = match (last.outcome(), self.is_long(line.moves.len()), line.proven) {
            (None, false, true) => return None,
            (Some(_), _, true) | (None, true, true) => {
                return Some("nothing is left to prove after the last move".to_owned());
            }
            (Some(outcome), _, false) => Won::from(outcome),
            (None, true, false) => Won::Draw,
            (None, false, false) => return Some("the game is not over".to_owned()),
        };
        (line.result != expected).then(|| format!("the result is {expected:?}, not {:?}", line.result))
    }
}

impl<G: Game + Textual> ProvenPlay<G> {
    /// Checks a game that claims to be of this plan, by replaying it. The random moves at the beginning must be those of the
    /// game's number and the plan's seed. Each move, of the line and of a branch, must be legal and in the notation of the
    /// game. All searches of the line have the value of the game's result, and that of a branch the value of its own; visits
    /// are as in [`SelfPlay::confirm`]. A game without searches must go to the end by the rules or to the limit of plies.
    ///
    /// A replay proves nothing. It cannot show that the results are those of a proof, nor that the engine has chosen these moves
    /// and visits; the check accepts them. The time is that of a replay, and of reading the moves of all searches.
    ///
    /// # Errors
    /// The first difference between the game and the plan or the rules.
    ///
    /// ```
    /// use stonework_arena::Won;
    /// use stonework_arena::self_play::{ProvenPlay, SelfPlay};
    /// use stonework_engine::Limits;
    /// use stonework_game::example::Nim;
    /// use stonework_search::{Dfpn, Mcts, MctsOptions, RandomPlayout};
    /// let play = ProvenPlay { play: SelfPlay { opening: 2, ..SelfPlay::new(Nim::new(40), 7) }, from: 4 };
    /// let mut engine = Mcts::new(RandomPlayout::new(100), MctsOptions::uct().lines(9))?;
    /// let limits = [&Limits::none().simulations(20), &Limits::none().nodes(100).bytes(1 << 16)];
    /// let mut game = play.play(0, &mut engine, &mut Dfpn::default(), limits)?;
    /// assert_eq!(play.confirm(&game), Ok(()));
    /// game.searches[0].value = game.searches[0].value.map(|value| 1.0 - value);   // the other side
    /// assert!(play.confirm(&game).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn confirm(&self, game: &SelfPlayGame) -> Result<(), NotConfirmed> {
        self.difference(game).map_or(Ok(()), |what| Err(NotConfirmed { game: game.game, what }))
    }

    /// The first difference between a game and the plan or the rules; `None` if the game is confirmed.
    fn difference(&self, line: &SelfPlayGame) -> Option<String> {
        let mut rng = rng(seeds::self_play(self.play.seed, line.game));
        let (mut position, mut random) = (self.play.start.clone(), Vec::new());
        self.play.open(&mut position, &mut random, &mut rng);
        if !line.moves.starts_with(&random) {
            return Some(format!("the opening of this game is `{}`", random.join(" ")));
        }
        if let Some(why) = self.form_difference(line, random.len()) {
            return Some(why);
        }
        let first = line.opening;
        let ply = line.branches.first().map(|branch| branch.ply);
        for (at, text) in line.moves.iter().enumerate().skip(random.len()) {
            let at_move =
                |why: &dyn std::fmt::Display| Some(format!("move {} ({}): {why}", at + 1, head(text)));
            if position.outcome().is_some() {
                return at_move(&"the game is over before");
            }
            if ply == Some(at)
                && let Some(why) = differences(&line.branches, &position, (at, text))
            {
                return Some(why);
            }
            if let Some(search) = at.checked_sub(first).and_then(|search| line.searches.get(search))
                && let Some(why) = search.difference_to(&position, line.result)
            {
                return at_move(&why);
            }
            if let Err(why) = played(&mut position, text) {
                return at_move(&why);
            }
        }
        match (line.searches.is_empty(), position.outcome()) {
            (false, None) => (!line.proven).then(|| "the game is not over".to_owned()),
            _ => self.play.end_difference(line, &position),
        }
    }

    /// The first difference in the numbers of searches and branches, and in their places after `random` random moves.
    fn form_difference(&self, line: &SelfPlayGame, random: usize) -> Option<String> {
        let (first, searches, branches) = (line.opening, line.searches.len(), line.branches.len());
        if first.checked_add(searches) != Some(line.moves.len()) {
            return Some(format!("{searches} searches after {first} of {} moves", line.moves.len()));
        }
        if searches == 0 {
            let claims = line.proven || branches > 0;
            return claims.then(|| "a proof or branches of a game without searches".to_owned());
        }
        if searches > SEARCHES || branches > BRANCHES {
            return Some(format!(
                "{searches} searches and {branches} branches, and at most {SEARCHES} and {BRANCHES} are kept"
            ));
        }
        let least = random.max(self.from as usize);
        if first < least {
            return Some(format!(
                "a proof after {first} moves, and the prover is asked after {least} moves, first"
            ));
        }
        // Branches are moves beside the last one that led to the proof.
        let ply = line.branches.first()?.ply;
        let is_before = ply >= random && (ply == first || ply + 1 == first);
        (!is_before).then(|| format!("branches after {ply} moves, and searches after {first}"))
    }
}

/// The first part that branches of a position do not have; the position's ply, and the move of the line.
fn differences<G: Game + Textual>(
    branches: &[Branch],
    position: &G,
    (ply, text): (usize, &String),
) -> Option<String> {
    let mut seen = vec![text];
    for branch in branches {
        let in_branch = |why: &dyn std::fmt::Display| {
            Some(format!("branch {} after {} moves: {why}", head(&branch.mv), branch.ply))
        };
        if branch.ply != ply || seen.contains(&&branch.mv) {
            return in_branch(&format!("branches are different moves after {ply} moves"));
        }
        seen.push(&branch.mv);
        let mut after = position.clone();
        if let Err(why) = played(&mut after, &branch.mv) {
            return in_branch(&why);
        }
        if after.outcome().is_some() {
            return in_branch(&"the game is over");
        }
        if let Some(why) = branch.search.difference_to(&after, branch.result) {
            return in_branch(&why);
        }
    }
    None
}

/// Plays a legal move in the notation of the game.
fn played<G: Game + Textual>(position: &mut G, text: &str) -> Result<(), String> {
    let mv = read(position, text)?;
    position.play(mv).map(|_| ()).map_err(|error| error.to_string())
}

impl Searched {
    /// The first part of a search that no search of a position with a proven result has.
    fn difference_to<G: Game + Textual>(&self, position: &G, result: Won) -> Option<String> {
        let proven = value(result.into(), position.to_move());
        if self.value == Some(proven) {
            return self.difference(position);
        }
        Some(format!("a value of {:?}, and the result is {result:?}: {proven}", self.value))
    }

    /// The first part of a search that no search of a position has.
    fn difference<G: Game + Textual>(&self, position: &G) -> Option<String> {
        if let Some(value) = self.value.filter(|value| !(0.0..=1.0).contains(value)) {
            return Some(format!("a value of {value}: values are from 0 to 1"));
        }
        if self.visits.len() > MOST_MOVES {
            return Some(format!("visits of {} moves, and at most {MOST_MOVES} are kept", self.visits.len()));
        }
        if self.visits.iter().any(|&(_, visits)| visits == 0) || !self.visits.is_sorted_by(|a, b| a.1 >= b.1)
        {
            return Some("the most visited move is first, and each has a visit".to_owned());
        }
        let mut seen = Vec::with_capacity(self.visits.len());
        for (text, _) in &self.visits {
            match read(position, text) {
                Ok(mv) if seen.contains(&mv) => return Some(format!("visits of {} twice", head(text))),
                Ok(mv) => seen.push(mv),
                Err(why) => return Some(format!("visits of {}: {why}", head(text))),
            }
        }
        None
    }
}

/// A legal move in the notation of the game.
fn read<G: Game + Textual>(position: &G, text: &str) -> Result<G::Move, String> {
    let mv = position.parse_move(text).map_err(|error| error.what)?;
    position.check(mv).map_err(|error| error.to_string())?;
    let own = position.move_text(mv);
    if own == text { Ok(mv) } else { Err(format!("the game writes {own}")) }
}
