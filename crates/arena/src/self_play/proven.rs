//! [`ProvenPlay`]: positions near the first proof of a game, with their proven results.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use rand_core::RngCore;
use serde::{Deserialize, Serialize};
use stonework_engine::{Engine, Limits, SearchContext, Stop};
use stonework_game::{Game, Outcome, Player, Rng, Textual, below, rng};

use super::game::{MakeEngine, Searched, SelfPlay, SelfPlayError, SelfPlayGame, Visits, in_order, visited};
use crate::{Won, seeds};

/// The most branches of a game: moves beside the one that was played.
pub(super) const BRANCHES: usize = 4;

/// The most searches of a game: of the position before the first proven one, of that one and of the two after it.
pub(super) const SEARCHES: usize = 4;

/// The share of visits that a move has which is proven to win.
const WINS: f64 = 0.6;

/// A move beside the one of a game's line, with the proven result of the position after it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// The number of the line's moves before this move.
    pub ply: usize,
    /// The move, in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The proven result.
    pub result: Won,
    /// The search of the position after the move.
    pub search: Searched,
}

/// A plan of games that end soon after the first position that a second engine, the *prover*, decides. Such games teach the
/// exact value of positions in which a proof is just in reach, and of moves beside each other that win and lose. Games of
/// [`SelfPlay`] have none of these positions: they end at a proof, and their results are those of both sides' mistakes.
///
/// The engine's moves are drawn by their visits. The record of a game begins with the last position without a proof, if a move
/// that wins is known there, or else with the first proven position. It goes on for at most two moves of perfect play.
///
/// ```
/// use stonework_arena::self_play::{ProvenPlay, SelfPlay};
/// use stonework_engine::Limits;
/// use stonework_game::example::Nim;
/// use stonework_search::{Dfpn, DfpnOptions, Mcts, MctsOptions, RandomPlayout};
///
/// let play = ProvenPlay { play: SelfPlay { opening: 2, ..SelfPlay::new(Nim::new(40), 7) }, from: 4 };
/// let mut player = Mcts::new(RandomPlayout::new(100), MctsOptions::uct().lines(9))?;
/// let (mut prover, few) = (Dfpn::new(DfpnOptions::new())?, Limits::none().nodes(100).bytes(1 << 16));
/// let game = play.play(0, &mut player, &mut prover, [&Limits::none().simulations(20), &few])?;
/// assert!(game.opening >= 4 && !game.searches.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ProvenPlay<G: Game> {
    /// The plan of the games before the proof. Its random moves are those of the opening alone: `stray` has no part.
    pub play: SelfPlay<G>,
    /// The number of moves after which the prover is asked first.
    pub from: u32,
}

/// The engine, the prover and their limits in one game.
struct Hands<'a, G: Game> {
    engines: [&'a mut dyn Engine<G>; 2],
    limits: [&'a Limits; 2],
    rng: Rng,
    number: usize,
}

/// A proven result, and a best move.
type Proof<G> = (Outcome, Option<<G as Game>::Move>);

impl<G: Game + Textual> ProvenPlay<G> {
    /// Plays the game of a number. The `engine` is as in [`SelfPlay::play`]; the limits are those of its searches and of the
    /// prover's. A game that ends by the rules or by the limit of plies before a proof has no searches.
    ///
    /// # Errors
    /// An error if a search was cancelled or found no move.
    pub fn play(
        &self,
        number: usize,
        engine: &mut dyn Engine<G>,
        prover: &mut dyn Engine<G>,
        limits: [&Limits; 2],
    ) -> Result<SelfPlayGame, SelfPlayError> {
        let rng = rng(seeds::self_play(self.play.seed, number));
        let mut hands = Hands { engines: [engine, prover], limits, rng, number };
        let (mut game, mut moves) = (self.play.start.clone(), Vec::new());
        self.play.open(&mut game, &mut moves, &mut hands.rng);
        let mut before: Option<(G, Visits<G::Move>)> = None;
        let found = loop {
            if game.outcome().is_some() || self.play.is_long(moves.len()) {
                break None;
            }
            if moves.len() >= self.from as usize
                && let Some(proof) = hands.prove(&game)?
            {
                break Some(proof);
            }
            let visits = hands.visits(&game, moves.len())?;
            let mv = hands.drawn(&visits);
            let next = after(&game, mv);
            moves.push(game.move_text(mv));
            before = Some((std::mem::replace(&mut game, next), visits));
        };
        let Some(proof) = found else {
            let result = game.outcome().unwrap_or(Outcome::Draw).into();
            let opening = moves.len();
            return Ok(SelfPlayGame { opening, result, ..SelfPlayGame::empty(number, moves) });
        };
        let mut line = SelfPlayGame::empty(number, moves);
        let first = match before.filter(|_| line.moves.len() > self.from as usize) {
            Some((parent, visits)) => hands.branch(&mut line, (parent, visits), (game, proof))?,
            None => (game, proof),
        };
        hands.follow(&mut line, first)?;
        Ok(line)
    }

    /// Plays the games of some numbers, as [`SelfPlay::run`] does, each with a new engine and a new prover.
    ///
    /// # Errors
    /// The errors of [`SelfPlay::run`].
    pub fn run(
        &self,
        numbers: Range<usize>,
        [engine, prover]: [MakeEngine<'_, G>; 2],
        limits: [&Limits; 2],
        threads: usize,
        stop: &AtomicBool,
        each: &mut dyn FnMut(SelfPlayGame) -> Result<(), String>,
    ) -> Result<(), SelfPlayError> {
        let play = |number| {
            let (mut engine, mut prover) =
                (engine().map_err(SelfPlayError::Failed)?, prover().map_err(SelfPlayError::Failed)?);
            self.play(number, &mut *engine, &mut *prover, limits)
        };
        in_order(numbers, &play, threads, stop, each)
    }
}

impl<G: Game + Textual> Hands<'_, G> {
    /// The proof of a position whose game goes on; `None` within the limits.
    fn prove(&mut self, game: &G) -> Result<Option<Proof<G>>, SelfPlayError> {
        let report = self.engines[1].search(game, self.limits[1], SearchContext::seed(self.rng.next_u64()));
        match report.stopped {
            Some(Stop::Cancel) => Err(SelfPlayError::Stopped),
            _ => Ok(report.proven.map(|outcome| (outcome, report.best))),
        }
    }

    /// The engine's moves with their visits, of which there are some.
    fn visits(&mut self, game: &G, plies: usize) -> Result<Visits<G::Move>, SelfPlayError> {
        let report = self.engines[0].search(game, self.limits[0], SearchContext::seed(self.rng.next_u64()));
        if report.stopped == Some(Stop::Cancel) {
            return Err(SelfPlayError::Stopped);
        }
        let mut visits = visited(&report);
        if visits.is_empty() {
            let best = report.best.ok_or(SelfPlayError::NoMove { game: self.number, plies })?;
            visits.push((best, 1));
        }
        Ok(visits)
    }

    /// A move, drawn by its visits.
    fn drawn(&mut self, visits: &[(G::Move, u64)]) -> G::Move {
        let all: u64 = visits.iter().map(|(_, visits)| visits).sum();
        let mut at = below(&mut self.rng, all as usize) as u64;
        for &(mv, visits) in visits {
            if at < visits {
                return mv;
            }
            at -= visits;
        }
        visits[0].0
    }

    /// Proves moves beside the last one of a line, and keeps them as branches; `parent` is the position before it, with the
    /// engine's visits. If one of all these moves wins, the line goes on with it, and begins at the parent. Returns the position
    /// at which the line begins.
    fn branch(
        &mut self,
        line: &mut SelfPlayGame,
        (parent, visits): (G, Visits<G::Move>),
        (game, proof): (G, Proof<G>),
    ) -> Result<(G, Proof<G>), SelfPlayError> {
        let own = Outcome::Win(parent.to_move());
        let ply = line.moves.len() - 1;
        let played = line.moves[ply].clone();
        let mut others = visits;
        others.retain(|(mv, _)| parent.move_text(*mv) != played);
        let mut proven = Vec::new();
        while proven.len() < BRANCHES && !others.is_empty() {
            let mv = self.drawn(&others);
            others.retain(|(other, _)| *other != mv);
            let child = after(&parent, mv);
            if child.outcome().is_none()
                && let Some(proof) = self.prove(&child)?
            {
                proven.push((parent.move_text(mv), child, proof));
            }
        }
        proven.insert(0, (played, game, proof));
        // The line's own move stays in front unless another one wins and it does not.
        let main = proven.iter().position(|(_, _, proof)| proof.0 == own);
        let (text, game, proof) = proven.remove(main.unwrap_or(0));
        for (mv, child, proof) in proven {
            let search = self.searched(&child, ply + 1, proof)?;
            line.branches.push(Branch { ply, mv, result: proof.0.into(), search });
        }
        line.moves.truncate(ply);
        if main.is_some() {
            let win = parent.parse_move(&text).ok();
            return Ok((parent, (own, win)));
        }
        line.moves.push(text);
        Ok((game, proof))
    }

    /// Goes on from a proven position, with moves that keep its result, and keeps the searches.
    fn follow(
        &mut self,
        line: &mut SelfPlayGame,
        (mut game, mut proof): (G, Proof<G>),
    ) -> Result<(), SelfPlayError> {
        (line.opening, line.result, line.proven) = (line.moves.len(), proof.0.into(), true);
        loop {
            let plies = line.moves.len();
            let search = self.searched(&game, plies, proof)?;
            let mv = match proof {
                (outcome, Some(best)) if outcome != Outcome::Win(game.to_move().other()) => best,
                _ => self.drawn_of(&game, &search, plies)?,
            };
            line.searches.push(search);
            line.moves.push(game.move_text(mv));
            game.play_unchecked(mv);
            if let Some(outcome) = game.outcome() {
                (line.result, line.proven) = (outcome.into(), false);
                return Ok(());
            }
            if line.searches.len() == SEARCHES {
                return Ok(());
            }
            match self.prove(&game)? {
                Some(next) if next.0 == proof.0 => proof = next,
                _ => return Ok(()),
            }
        }
    }

    /// A move of a search, drawn by its visits.
    fn drawn_of(&mut self, game: &G, search: &Searched, plies: usize) -> Result<G::Move, SelfPlayError> {
        let none = SelfPlayError::NoMove { game: self.number, plies };
        let moves: Visits<G::Move> = search
            .visits
            .iter()
            .filter_map(|(text, visits)| Some((game.parse_move(text).ok()?, *visits)))
            .collect();
        if moves.is_empty() { Err(none) } else { Ok(self.drawn(&moves)) }
    }

    /// The engine's search of a proven position, with the proven value. A move that is proven to win has a good part of the
    /// visits.
    fn searched(&mut self, game: &G, plies: usize, proof: Proof<G>) -> Result<Searched, SelfPlayError> {
        let mut visits = self.visits(game, plies)?;
        if let (Outcome::Win(side), Some(best)) = proof
            && side == game.to_move()
        {
            let all: u64 = visits.iter().map(|(_, visits)| visits).sum();
            let more = ((all as f64 * WINS / (1.0 - WINS)).ceil() as u64).max(1);
            match visits.iter_mut().find(|(mv, _)| *mv == best) {
                Some((_, visits)) => *visits += more,
                None => visits.push((best, more)),
            }
        }
        Ok(Searched::new(game, visits, Some(value(proof.0, game.to_move()))))
    }
}

/// The position after a legal move.
fn after<G: Game>(game: &G, mv: G::Move) -> G {
    let mut next = game.clone();
    next.play_unchecked(mv);
    next
}

/// The value of a result for a side, from 0 to 1.
pub(super) fn value(outcome: Outcome, side: Player) -> f32 {
    match outcome {
        Outcome::Win(winner) if winner == side => 1.0,
        Outcome::Win(_) => 0.0,
        Outcome::Draw => 0.5,
    }
}
