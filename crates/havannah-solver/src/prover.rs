//! [`Solver`] as a [`Prover`].

use std::io::{self, Read, Write};

use stonework_game::Player;
use stonework_havannah::{Move, Position};
use stonework_proof::{Claim, ProofError, Verified, VerifyLimits, Written, verify};
use stonework_search::{
    ChildNumbers, Limits, LoadError, Prover, ProverError, Question, SavedTable, TableEntry,
};

use crate::solve::GAME;
use crate::{HavannahRules, Solver};

/// A prover needs the option [`keep`](stonework_search::DfpnOptions::keep) of the solver. Each method calls the method
/// of [`Solver`] with the same name.
impl Prover<Position> for Solver {
    fn set_question(&mut self, question: Question) {
        self.set_question(question);
    }

    fn prove(
        &mut self,
        root: &Position,
        claim: Claim,
        limits: &Limits,
        out: &mut dyn Write,
    ) -> Result<Written, ProverError> {
        self.prove(root, claim, limits, out)
    }

    fn verify(&self, limits: &VerifyLimits, proof: &mut dyn Read) -> Result<Verified<Position>, ProofError> {
        verify(GAME, &HavannahRules, proof, limits)
    }

    fn learn(
        &mut self,
        like: &Position,
        limits: &Limits,
        proof: &mut dyn Read,
    ) -> Result<Verified<Position>, ProofError> {
        self.learn(like, limits, proof)
    }

    fn save(&self, root: &Position, out: &mut dyn Write) -> io::Result<SavedTable> {
        self.save(root, out)
    }

    fn load(
        &mut self,
        root: &Position,
        limits: &Limits,
        input: &mut dyn Read,
    ) -> Result<SavedTable, LoadError> {
        self.load(root, limits, input)
    }

    fn table_usage(&self) -> (usize, usize) {
        self.table_usage()
    }

    fn children(&self, root: &Position, who: Player) -> Vec<ChildNumbers<Move>> {
        self.children(root, who)
    }

    fn glance(&mut self, root: &Position, who: Player, nodes: u64, limits: &Limits) -> u64 {
        self.glance(root, who, nodes, limits)
    }

    fn set_harvest(&mut self, nodes: u64) {
        self.set_harvest(nodes);
    }

    fn forget(&mut self) {
        self.forget();
    }

    fn harvest(&mut self) -> Vec<TableEntry> {
        self.harvest()
    }

    fn plant(&mut self, like: &Position, entries: &[TableEntry], limits: &Limits) -> usize {
        self.plant(like, entries, limits)
    }
}
