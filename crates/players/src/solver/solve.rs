//! [`Solver`]: finds out who wins, on boards of any size, and proves it.

use std::io::{self, Read, Write};
use std::num::NonZeroUsize;

use stonework_board::Cell;
use stonework_havannah::{Move, Position};
use stonework_search::proof::{Claim, Refused, Verified, Written};
use stonework_search::{Ask, Dfpn, Engine, Kept, KeptError, Limits, Line, ProveError, Report};

use super::{ByRules, Compact, Foresight};
use crate::Threats;

/// Proof-number search for Havannah: with [`Foresight`] on compact positions to size 6, with [`Threats`] beyond and where a
/// swap is still possible.
///
/// ```
/// use stonework_game::{Outcome, Player};
/// use stonework_havannah::Position;
/// use stonework_players::solver::{ByRules, Solver};
/// use stonework_search::proof::{Caps, Claim, verify};
/// use stonework_search::{Engine, Limits};
/// let (root, limits) = (Position::new(3)?, Limits::none());
/// let mut solver = Solver::new();
/// let report = solver.search(&root, &limits, 0, &mut |_| {});
/// let mut file = Vec::new();
/// solver.prove(&root, Claim::of(report.proof.unwrap()), &limits, &mut file)?;
/// let verified = verify("havannah", &ByRules, &file[..], &Caps::default())?;
/// assert_eq!(verified.claims, [(root, Claim::Wins(Player::First))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    small: Dfpn<Foresight>,
    large: Dfpn<Threats>,
}

/// Why no proof was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// None was found.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// It cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    /// With all foresight, refutations tried against the moves beside them, focus up to size 6, ε = 0.5, one thread and a table of
    /// 64 MiB where limits set none.
    #[must_use]
    pub fn new() -> Self {
        let dfpn = || Dfpn::new().transfer(true).epsilon(50);
        Self { small: dfpn().focus(true).tactics(Foresight::new()), large: dfpn().tactics(Threats) }
    }

    /// With a foresight of one's own.
    #[must_use]
    pub fn foresight(self, foresight: Foresight) -> Self {
        Self { small: self.small.tactics(foresight), ..self }
    }

    /// As [`Dfpn::threads`].
    #[must_use]
    pub fn threads(self, threads: NonZeroUsize) -> Self {
        Self { small: self.small.threads(threads), large: self.large.threads(threads) }
    }

    /// As [`Dfpn::ask`].
    #[must_use]
    pub fn ask(self, ask: Ask) -> Self {
        Self { small: self.small.ask(ask), large: self.large.ask(ask) }
    }

    /// As [`Solver::ask`], for a solver that goes on.
    pub fn ask_next(&mut self, ask: Ask) {
        self.small.ask_next(ask);
        self.large.ask_next(ask);
    }

    /// As [`Dfpn::keep`]: for several positions of one game.
    #[must_use]
    pub fn keep(self, keep: bool) -> Self {
        Self { small: self.small.keep(keep), large: self.large.keep(keep) }
    }

    /// As [`Dfpn::epsilon`].
    #[must_use]
    pub fn epsilon(self, hundredths: u16) -> Self {
        Self { small: self.small.epsilon(hundredths), large: self.large.epsilon(hundredths) }
    }

    /// As [`Dfpn::transfer`].
    #[must_use]
    pub fn transfer(self, on: bool) -> Self {
        Self { small: self.small.transfer(on), large: self.large.transfer(on) }
    }

    /// As [`Dfpn::focus`], where [`Foresight`] puts moves into an order.
    #[must_use]
    pub fn focus(self, on: bool) -> Self {
        Self { small: self.small.focus(on), ..self }
    }

    /// Finds a proof of a claim and writes it, as a proof about `havannah` to be verified with [`ByRules`]. Begins with what
    /// the last search has left in the table, if that had the same limit of bytes; see [`Dfpn::prove`].
    ///
    /// # Errors
    /// If the claim is wrong, a limit is reached, or the output returns an error.
    pub fn prove(
        &mut self,
        root: &Position,
        claim: Claim,
        limits: &Limits,
        out: impl Write,
    ) -> Result<Written, CertifyError> {
        let (name, sight) = (GAME, &ByRules);
        if let Ok(root) = Compact::<u64>::try_from(root) {
            return Ok(self.small.prove(&root, claim, sight, limits)?.write(name, sight, out)?);
        }
        if let Ok(root) = Compact::<u128>::try_from(root) {
            return Ok(self.small.prove(&root, claim, sight, limits)?.write(name, sight, out)?);
        }
        Ok(self.large.prove(root, claim, sight, limits)?.write(name, sight, out)?)
    }
}

/// The name of the game in the files of [`Solver::save`].
const GAME: &str = "havannah";

impl Solver {
    /// Writes what the table knows, to go on from it in another process: [`Dfpn::save`]. `root` is the position of the last
    /// search.
    ///
    /// ```
    /// use stonework_havannah::Position;
    /// use stonework_players::solver::Solver;
    /// use stonework_search::{Engine, Limits};
    /// let (root, mut file) = (Position::new(3)?, Vec::new());
    /// let mut solver = Solver::new().keep(true);
    /// assert_eq!(solver.search(&root, &Limits::none().nodes(20), 0, &mut |_| {}).proof, None);
    /// solver.save(&root, &mut file)?;
    /// let mut another = Solver::new().keep(true);
    /// another.load(&root, &Limits::none(), &file[..])?;
    /// assert!(another.search(&root, &Limits::none(), 0, &mut |_| {}).proof.is_some());
    /// assert_eq!(another.filled().0, solver.filled().0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// What the output returns.
    pub fn save(&self, root: &Position, out: impl Write) -> io::Result<Kept> {
        if let Ok(root) = Compact::<u64>::try_from(root) {
            return self.small.save(GAME, &root, out);
        }
        if let Ok(root) = Compact::<u128>::try_from(root) {
            return self.small.save(GAME, &root, out);
        }
        self.large.save(GAME, root, out)
    }

    /// Reads what a search of the same position has [saved](Solver::save): [`Dfpn::load`]. For a solver that
    /// [keeps](Solver::keep) its table.
    ///
    /// # Errors
    /// If the file is damaged or about something else; the table is empty then.
    pub fn load(&mut self, root: &Position, limits: &Limits, input: impl Read) -> Result<Kept, KeptError> {
        if let Ok(root) = Compact::<u64>::try_from(root) {
            return self.small.load(GAME, &root, limits, input);
        }
        if let Ok(root) = Compact::<u128>::try_from(root) {
            return self.small.load(GAME, &root, limits, input);
        }
        self.large.load(GAME, root, limits, input)
    }

    /// Verifies a proof about `havannah` by the rules, as [`verify`](stonework_search::proof::verify()) does with [`ByRules`], and puts what it
    /// shows into the table: [`Dfpn::learn`]. Searches are to be of positions like `like`, of its size and with or without a swap;
    /// what a proof shows of others is left out. For a solver that [keeps](Solver::keep) its table.
    ///
    /// ```
    /// use stonework_game::{Game, Notation};
    /// use stonework_havannah::Position;
    /// use stonework_players::solver::Solver;
    /// use stonework_search::proof::Claim;
    /// use stonework_search::{Engine, Limits};
    /// let (root, limits) = (Position::new(3)?, Limits::none());
    /// let mut opened = root.clone();
    /// opened.play(opened.parse_move("a1")?)?;
    /// let (mut one, mut proof) = (Solver::new(), Vec::new());
    /// let outcome = one.search(&opened, &limits, 0, &mut |_| {}).proof.unwrap();
    /// one.prove(&opened, Claim::of(outcome), &limits, &mut proof)?;
    /// let mut other = Solver::new().keep(true);
    /// let verified = other.learn(&root, &limits, &proof[..])?;
    /// assert_eq!(verified.claims, [(opened, Claim::of(outcome))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the proof does not hold.
    pub fn learn(
        &mut self,
        like: &Position,
        limits: &Limits,
        proof: impl Read,
    ) -> Result<Verified<Position>, Refused> {
        let alike = |position: &Position| position.size() == like.size();
        if Compact::<u64>::try_from(like).is_ok() {
            let searched = |p: &Position| Compact::<u64>::try_from(p).ok().filter(|_| alike(p));
            return self.small.learn(GAME, &ByRules, limits, proof, searched);
        }
        if Compact::<u128>::try_from(like).is_ok() {
            let searched = |p: &Position| Compact::<u128>::try_from(p).ok().filter(|_| alike(p));
            return self.small.learn(GAME, &ByRules, limits, proof, searched);
        }
        let searched = |p: &Position| alike(p).then(|| p.clone());
        self.large.learn(GAME, &ByRules, limits, proof, searched)
    }

    /// As [`Dfpn::worked`].
    #[must_use]
    pub const fn worked(&self) -> u64 {
        self.small.worked() + self.large.worked()
    }

    /// As [`Dfpn::filled`].
    #[must_use]
    pub fn filled(&self) -> (usize, usize) {
        let (small, large) = (self.small.filled(), self.large.filled());
        (small.0 + large.0, small.1 + large.1)
    }
}

impl Engine<Position> for Solver {
    fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        seed: u64,
        watch: &mut dyn FnMut(&Report<Move>),
    ) -> Report<Move> {
        let mut told = |report: &Report<Cell>| watch(&translated(report));
        if let Ok(root) = Compact::<u64>::try_from(root) {
            return translated(&self.small.search(&root, limits, seed, &mut told));
        }
        if let Ok(root) = Compact::<u128>::try_from(root) {
            return translated(&self.small.search(&root, limits, seed, &mut told));
        }
        self.large.search(root, limits, seed, watch)
    }
}

/// A report with the moves of the rules.
fn translated(report: &Report<Cell>) -> Report<Move> {
    let moves = |line: &[Cell]| line.iter().map(|&cell| Move::Place(cell)).collect();
    Report {
        best: report.best.map(Move::Place),
        value: report.value,
        bounds: report.bounds,
        proof: report.proof,
        numbers: report.numbers,
        line: moves(&report.line),
        lines: report.lines.iter().map(|l| Line { moves: moves(&l.moves), value: l.value }).collect(),
        visits: report.visits.clone(),
        nodes: report.nodes,
        simulations: report.simulations,
        depth: report.depth,
        hash: report.hash,
        bytes: report.bytes,
        time: report.time,
        stopped: report.stopped,
    }
}
