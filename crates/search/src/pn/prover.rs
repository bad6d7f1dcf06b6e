//! [`Prover`]: a solver whose proofs and tables are files, and [`DfpnProver`]: [`Dfpn`] as a prover.

use std::io::{self, Read, Write};

use stonework_game::{Finite, Game, Indexed, Keyed, Player, Textual};
use stonework_proof::{Claim, ImmediateRules, ProofError, Verified, VerifyLimits, Written, verify};

use super::{ChildNumbers, Dfpn, LoadError, ProveError, Question, SavedTable, TableEntry};
use crate::strategy::ProofTactics;
use crate::{Engine, Limits, Report, SearchContext};

/// An engine that finds exact values and writes proofs of these values, takes over proofs of other searches, and
/// saves its table for another process.
///
/// The trait serves programs that prove a position for hours, in several processes. `G` is the game by its rules;
/// the engine may search another representation of the game. The trait can be used as `dyn Prover<G>`.
///
/// An implementation keeps these promises:
/// - The table stays from one call to the next, as long as [`Limits::bytes`] stays the same. So `search` uses the
///   table of `load`, and `prove` the table of `search`.
/// - `verify` accepts every proof that `prove` writes, within the limits. A proof has at most the positions of the nodes that
///   `prove` may visit.
/// - A learned proof or a loaded table changes the time of a search and the choice among equal moves, never a
///   value.
pub trait Prover<G: Game>: Engine<G> {
    /// Sets the question that the following searches answer.
    fn set_question(&mut self, question: Question);

    /// Finds a proof of a claim about a position and writes it.
    ///
    /// # Errors
    /// An error if the claim is wrong, if a limit is reached, or if the output returns an error.
    fn prove(
        &mut self,
        root: &G,
        claim: Claim,
        limits: &Limits,
        out: &mut dyn Write,
    ) -> Result<Written, ProverError>;

    /// Verifies a proof by the rules alone, without the table. A file of few bytes may be a proof of many positions: `limits` says
    /// how many.
    ///
    /// # Errors
    /// An error if the proof does not hold, or is larger than the limits.
    fn verify(&self, limits: &VerifyLimits, proof: &mut dyn Read) -> Result<Verified<G>, ProofError>;

    /// Verifies a proof and puts each position of the proof into the table. The caller promises that later
    /// searches have roots with the size and the options of `like`; a proof about other positions may be left out
    /// of the table. Of the limits, the bytes and the flag that cancels count.
    ///
    /// # Errors
    /// An error if the proof does not hold, or if the flag is set.
    fn learn(&mut self, like: &G, limits: &Limits, proof: &mut dyn Read) -> Result<Verified<G>, ProofError>;

    /// Writes the table. `root` is the position of the last search.
    ///
    /// # Errors
    /// The error of the output.
    fn save(&self, root: &G, out: &mut dyn Write) -> io::Result<SavedTable>;

    /// Reads a table that a search of the same position has saved.
    ///
    /// # Errors
    /// An error if the file is damaged or of another position; the table is then empty.
    fn load(&mut self, root: &G, limits: &Limits, input: &mut dyn Read) -> Result<SavedTable, LoadError>;

    /// The bytes of the table in use, and the bytes of the whole table.
    fn table_usage(&self) -> (usize, usize);

    /// The moves that the search tries at a position that is not over, with their numbers for the question "does
    /// `who` win?", from the table of the last search: see [`Dfpn::children`].
    fn children(&self, root: &G, who: Player) -> Vec<ChildNumbers<G::Move>>;

    /// Searches with `nodes` nodes below each move of an open position that the table knows by fewer nodes, and returns
    /// the nodes of all these searches: see [`Dfpn::glance`].
    fn glance(&mut self, root: &G, who: Player, nodes: u64, limits: &Limits) -> u64;

    /// Sets the least nodes of the entries that [`harvest`](Prover::harvest) returns; 0 for none.
    fn set_harvest(&mut self, nodes: u64);

    /// Empties the table, for a search whose entries were found to be wrong: see [`Dfpn::forget`].
    fn forget(&mut self);

    /// Takes the entries of the table that are worth telling other searches: see [`Dfpn::harvest`].
    fn harvest(&mut self) -> Vec<TableEntry>;

    /// Puts entries of other searches into the table, and returns the number of entries taken: see
    /// [`Dfpn::plant`]. `like` is a position of the size and the options of later searches.
    fn plant(&mut self, like: &G, entries: &[TableEntry], limits: &Limits) -> usize;
}

/// The reason why [`Prover::prove`] has written no proof.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProverError {
    /// No proof was found.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// The proof cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// [`Dfpn`] with the name of its game and the immediate rules of its proofs: a [`Prover`] for any game.
///
/// ```
/// use stonework_game::example::Nim;
/// use stonework_proof::{Claim, VerifyLimits};
/// use stonework_search::{Dfpn, DfpnProver, Engine, Limits, Prover};
/// let (root, limits, mut file) = (Nim::new(30), Limits::none(), Vec::new());
/// let mut prover = DfpnProver::new("nim", (), Dfpn::default());
/// let value = prover.think(&root, &limits).proven.unwrap();
/// prover.prove(&root, Claim::of(value), &limits, &mut file)?;
/// assert_eq!(prover.verify(&VerifyLimits::default(), &mut &file[..])?.claims, [(root, Claim::of(value))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DfpnProver<Tactic = (), Rules = ()> {
    game: String,
    rules: Rules,
    engine: Dfpn<Tactic>,
}

impl<Tactic, Rules> DfpnProver<Tactic, Rules> {
    /// A prover that [keeps](crate::DfpnOptions::keep) its table, with any options of `engine`.
    ///
    /// # Arguments
    /// `game`: the name of the game in the files, on one line. `rules`: the immediate rules with which proofs are written and verified, `()`
    /// for a game that has none of its own. `engine`: the search, with its tactics and options.
    #[must_use]
    pub fn new(game: &str, rules: Rules, engine: Dfpn<Tactic>) -> Self {
        Self { game: game.to_owned(), rules, engine: engine.keeping() }
    }
}

impl<G: Finite + Keyed, Tactic: ProofTactics<G> + Clone, Rules: Send> Engine<G> for DfpnProver<Tactic, Rules>
where
    Dfpn<Tactic>: Engine<G>,
{
    fn search(&mut self, root: &G, limits: &Limits, context: SearchContext<'_, G::Move>) -> Report<G::Move> {
        self.engine.search(root, limits, context)
    }

    fn new_game(&mut self) {
        self.engine.forget();
    }
}

impl<G, Tactic, Rules> Prover<G> for DfpnProver<Tactic, Rules>
where
    G: Finite + Keyed + Indexed + Textual,
    Tactic: ProofTactics<G> + Clone,
    Rules: ImmediateRules<G> + Send,
    Dfpn<Tactic>: Engine<G>,
{
    fn set_question(&mut self, question: Question) {
        self.engine.set_question(question);
    }

    fn prove(
        &mut self,
        root: &G,
        claim: Claim,
        limits: &Limits,
        out: &mut dyn Write,
    ) -> Result<Written, ProverError> {
        let proof = self.engine.prove(root, claim, &self.rules, limits)?;
        Ok(proof.write(&self.game, &self.rules, out)?)
    }

    fn verify(&self, limits: &VerifyLimits, proof: &mut dyn Read) -> Result<Verified<G>, ProofError> {
        verify(&self.game, &self.rules, proof, limits)
    }

    fn learn(&mut self, _: &G, limits: &Limits, proof: &mut dyn Read) -> Result<Verified<G>, ProofError> {
        self.engine.learn(&self.game, &self.rules, limits, proof, |game: &G| Some(game.clone()))
    }

    fn save(&self, root: &G, out: &mut dyn Write) -> io::Result<SavedTable> {
        self.engine.save(&self.game, root, out)
    }

    fn load(&mut self, root: &G, limits: &Limits, input: &mut dyn Read) -> Result<SavedTable, LoadError> {
        self.engine.load(&self.game, root, limits, input)
    }

    fn table_usage(&self) -> (usize, usize) {
        self.engine.table_usage()
    }

    fn children(&self, root: &G, who: Player) -> Vec<ChildNumbers<G::Move>> {
        self.engine.children(root, who)
    }

    fn glance(&mut self, root: &G, who: Player, nodes: u64, limits: &Limits) -> u64 {
        self.engine.glance(root, who, nodes, limits)
    }

    fn set_harvest(&mut self, nodes: u64) {
        self.engine.set_harvest(nodes);
    }

    fn forget(&mut self) {
        self.engine.forget();
    }

    fn harvest(&mut self) -> Vec<TableEntry> {
        self.engine.harvest()
    }

    fn plant(&mut self, _: &G, entries: &[TableEntry], limits: &Limits) -> usize {
        self.engine.plant(entries, limits)
    }
}
