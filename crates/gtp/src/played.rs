//! [`Played`]: a game as it is played, so that it can be taken back.

use stonework_game::{Game, Player};

/// What was done.
enum Step<G: Game> {
    /// A move, and how to take it back.
    Move(Player, G::Move, G::Undo),
    /// A pass after the end, by which controllers let a game end.
    Pass,
}

/// A position with the way to it.
pub(crate) struct Played<G: Game> {
    now: G,
    steps: Vec<Step<G>>,
}

impl<G: Game> Played<G> {
    pub(crate) const fn new(start: G) -> Self {
        Self { now: start, steps: Vec::new() }
    }

    pub(crate) const fn now(&self) -> &G {
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

    /// Passes; only where the game is over.
    pub(crate) fn pass(&mut self) {
        self.steps.push(Step::Pass);
    }

    /// Takes the last steps back, if there are so many.
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

    /// Moves and passes.
    pub(crate) const fn len(&self) -> usize {
        self.steps.len()
    }

    /// The moves with who made them.
    pub(crate) fn moves(&self) -> Vec<(Player, G::Move)> {
        let moved = |step: &Step<G>| match step {
            Step::Move(player, mv, _) => Some((*player, *mv)),
            Step::Pass => None,
        };
        self.steps.iter().filter_map(moved).collect()
    }
}
