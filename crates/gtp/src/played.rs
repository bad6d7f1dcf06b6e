//! [`Played`]: a game with its moves, so that moves can be taken back.

use stonework_game::{Game, Player};

/// A step of a game.
enum Step<G: Game> {
    /// A move with its side and the means to take the move back.
    Move(Player, G::Move, G::Undo),
    /// A pass after the end. Some controllers end a game by passes.
    Pass,
}

/// A position with the steps that led to the position.
pub(crate) struct Played<G: Game> {
    start: G,
    now: G,
    steps: Vec<Step<G>>,
}

impl<G: Game> Played<G> {
    pub(crate) fn new(start: G) -> Self {
        Self { now: start.clone(), start, steps: Vec::new() }
    }

    /// The position before the first move.
    pub(crate) const fn start(&self) -> &G {
        &self.start
    }

    pub(crate) const fn position(&self) -> &G {
        &self.now
    }

    pub(crate) fn is_over(&self) -> bool {
        self.now.outcome().is_some()
    }

    /// Plays a move if it is legal.
    pub(crate) fn play(&mut self, mv: G::Move) -> Result<(), G::Illegal> {
        let mover = self.now.to_move();
        let undo = self.now.play(mv)?;
        self.steps.push(Step::Move(mover, mv, undo));
        Ok(())
    }

    /// Adds a pass. The game must be over.
    pub(crate) fn pass(&mut self) {
        self.steps.push(Step::Pass);
    }

    /// Takes the last `count` steps back; `false` if there are fewer steps.
    pub(crate) fn undo(&mut self, count: usize) -> bool {
        if count > self.steps.len() {
            return false;
        }
        for _ in 0..count {
            if let Some(Step::Move(_, _, undo)) = self.steps.pop() {
                self.now.undo(undo);
            }
        }
        true
    }

    /// The number of moves and passes.
    pub(crate) const fn len(&self) -> usize {
        self.steps.len()
    }

    /// The moves, each with its side.
    pub(crate) fn moves(&self) -> Vec<(Player, G::Move)> {
        let moved = |step: &Step<G>| match step {
            Step::Move(player, mv, _) => Some((*player, *mv)),
            Step::Pass => None,
        };
        self.steps.iter().filter_map(moved).collect()
    }
}
