//! [`Solver`]: the engine that finds the outcome with best play, on boards of any size, and proves it.

use std::io::{self, Read, Write};

use stonework_board::Cell;
use stonework_game::Player;
use stonework_havannah::{Move, Position};
use stonework_proof::{Claim, ProofError, Verified, Written};
use stonework_search::{
    ChildNumbers, Dfpn, DfpnOptions, Engine, Limits, LoadError, OptionsError, Parameter, ParameterError,
    ProverError, Question, Report, SavedTable, SearchContext, TableEntry, Tactics, Verdict,
};

use crate::{HavannahRules, SmallPosition, ThreatSearch, Threats, Word, Words};

/// Proof-number search for Havannah: with [`ThreatSearch`] on [`SmallPosition`]s to size 10; with [`Threats`] on larger boards and
/// as long as a swap is possible.
///
/// ```
/// use stonework_game::{Outcome, Player};
/// use stonework_havannah::Position;
/// use stonework_havannah_solver::{HavannahRules, Solver};
/// use stonework_proof::{VerifyLimits, Claim, verify};
/// use stonework_search::{Engine, Limits};
/// let (root, limits) = (Position::new(3)?, Limits::none());
/// let mut solver = Solver::default();
/// let report = solver.think(&root, &limits);
/// let mut file = Vec::new();
/// solver.prove(&root, Claim::of(report.proven.unwrap()), &limits, &mut file)?;
/// let verified = verify("havannah", &HavannahRules, &file[..], &VerifyLimits::default())?;
/// assert_eq!(verified.claims, [(root, Claim::Wins(Player::First))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    small: Dfpn<ThreatSearch>,
    /// The option [`ThreatSearch::frames`] of `small`.
    frames: Option<u64>,
    large: Dfpn<Threats>,
}

/// The form in which the solver searches a position of the rules: the narrowest that the position fits.
#[expect(clippy::large_enum_variant, reason = "there is one for a search")]
pub(crate) enum Root<'a> {
    To4(SmallPosition<u64>),
    To6(SmallPosition<u128>),
    To8(SmallPosition<Words<4>>),
    To10(SmallPosition<Words<6>>),
    Rules(&'a Position),
}

impl<'a> Root<'a> {
    pub(crate) fn of(position: &'a Position) -> Self {
        SmallPosition::try_from(position)
            .map(Self::To4)
            .or_else(|_| SmallPosition::try_from(position).map(Self::To6))
            .or_else(|_| SmallPosition::try_from(position).map(Self::To8))
            .or_else(|_| SmallPosition::try_from(position).map(Self::To10))
            .unwrap_or(Self::Rules(position))
    }
}

/// Evaluates an expression with the engine for a position, borrowed from the [`Solver`] as `&` or as `&mut`, and the position
/// in the form in which that engine searches it.
macro_rules! on_root {
    (& $($mutable:ident)?; $solver:ident, $position:expr, |$dfpn:ident, $root:ident| $body:expr) => {
        match Root::of($position) {
            Root::To4(position) => {
                let ($dfpn, $root) = (& $($mutable)? $solver.small, &position);
                $body
            }
            Root::To6(position) => {
                let ($dfpn, $root) = (& $($mutable)? $solver.small, &position);
                $body
            }
            Root::To8(position) => {
                let ($dfpn, $root) = (& $($mutable)? $solver.small, &position);
                $body
            }
            Root::To10(position) => {
                let ($dfpn, $root) = (& $($mutable)? $solver.small, &position);
                $body
            }
            Root::Rules($root) => {
                let $dfpn = & $($mutable)? $solver.large;
                $body
            }
        }
    };
}

/// The conversion of a move of any form of the position to a move of the rules.
trait RulesMove {
    fn by_rules(self) -> Move;
}

impl RulesMove for Cell {
    fn by_rules(self) -> Move {
        Move::Place(self)
    }
}

impl RulesMove for Move {
    fn by_rules(self) -> Move {
        self
    }
}

/// The conversion of other positions to the form of this one.
trait SameForm: Sized {
    fn alike(&self, position: &Position) -> Option<Self>;
}

impl<W: Word> SameForm for SmallPosition<W> {
    fn alike(&self, position: &Position) -> Option<Self> {
        position.try_into().ok()
    }
}

impl SameForm for Position {
    fn alike(&self, position: &Position) -> Option<Self> {
        Some(position.clone())
    }
}

impl ThreatSearch {
    /// The verdict about a position of the rules; `None` if it has not the form of a [`SmallPosition`].
    pub(crate) fn by_rules(&mut self, position: &Position, only: &mut Vec<Move>) -> Option<Verdict<Move>> {
        let mut cells = Vec::new();
        let verdict = match Root::of(position) {
            Root::To4(mut root) => self.probe(&mut root, &mut cells),
            Root::To6(mut root) => self.probe(&mut root, &mut cells),
            Root::To8(mut root) => self.probe(&mut root, &mut cells),
            Root::To10(mut root) => self.probe(&mut root, &mut cells),
            Root::Rules(_) => return None,
        };
        only.extend(cells.into_iter().map(Move::Place));
        Some(verdict.map(Move::Place))
    }
}

/// The default has the [options that serve Havannah best](Solver::options).
impl Default for Solver {
    fn default() -> Self {
        Self::on_one_thread(Self::options())
    }
}

impl Solver {
    /// The options that serve Havannah best: [`transfer`](DfpnOptions::transfer) of refutations, [`focus`](DfpnOptions::focus),
    /// ε = 0.5, one thread, and a table of 64 MiB if the limits set no other size.
    #[must_use]
    pub const fn options() -> DfpnOptions {
        DfpnOptions::new().transfer(true).focus(true).epsilon(50)
    }

    /// A solver with options that have one thread.
    fn on_one_thread(options: DfpnOptions) -> Self {
        Self::new(options).expect("one thread is in the range")
    }

    /// A solver for many short searches of both questions about the positions of one game.
    pub(crate) fn beside_trees() -> Self {
        Self::on_one_thread(Self::options().keep(true).both_sides(true))
    }

    /// A solver with `options` and the whole [`ThreatSearch`]. The option `focus` acts only to size 10, as only [`ThreatSearch`]
    /// orders moves.
    ///
    /// # Errors
    /// An error if the number of threads is out of its range.
    pub fn new(options: DfpnOptions) -> Result<Self, OptionsError> {
        Ok(Self {
            small: Dfpn::new(options)?.tactics(ThreatSearch::new()),
            frames: None,
            large: Dfpn::new(options.focus(false))?.tactics(Threats),
        })
    }

    /// The same solver with other options of the threat search on small boards.
    #[must_use]
    pub fn threat_search(self, threat_search: ThreatSearch) -> Self {
        let frames = threat_search.frames_after();
        Self { small: self.small.tactics(threat_search), frames, ..self }
    }

    /// Sets the [question](DfpnOptions::question) of the next search, for a solver that keeps its table.
    pub const fn set_question(&mut self, question: Question) {
        self.small.set_question(question);
        self.large.set_question(question);
    }

    /// Finds a proof of a claim and writes it, as a proof about the game `havannah` to be verified with [`HavannahRules`]. The search
    /// begins with the table of the last search, if both have the same limit of bytes; see [`Dfpn::prove`].
    ///
    /// # Errors
    /// An error if the claim is wrong, a limit is reached, or the output returns an error.
    pub fn prove(
        &mut self,
        root: &Position,
        claim: Claim,
        limits: &Limits,
        out: impl Write,
    ) -> Result<Written, ProverError> {
        let rules = &HavannahRules;
        on_root!(&mut; self, root, |dfpn, root| {
            Ok(dfpn.prove(root, claim, rules, limits)?.write(GAME, rules, out)?)
        })
    }
}

/// The greatest value of the parameter `frames`.
const MOST_FRAMES: f64 = 1e12;

/// The name of the game in the files of [`Solver::save`].
pub(crate) const GAME: &str = "havannah";

impl Solver {
    /// Writes the table, from which a search in another process can go on: [`Dfpn::save`]. `root` is the position of the last search.
    ///
    /// ```
    /// use stonework_havannah::Position;
    /// use stonework_havannah_solver::Solver;
    /// use stonework_search::{Engine, Limits};
    /// let (root, mut file) = (Position::new(3)?, Vec::new());
    /// let mut solver = Solver::new(Solver::options().keep(true))?;
    /// assert_eq!(solver.think(&root, &Limits::none().nodes(20)).proven, None);
    /// solver.save(&root, &mut file)?;
    /// let mut another = Solver::new(Solver::options().keep(true))?;
    /// another.load(&root, &Limits::none(), &file[..])?;
    /// assert!(another.think(&root, &Limits::none()).proven.is_some());
    /// assert_eq!(another.table_usage().0, solver.table_usage().0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error of the output.
    pub fn save(&self, root: &Position, out: impl Write) -> io::Result<SavedTable> {
        on_root!(&; self, root, |dfpn, root| dfpn.save(GAME, root, out))
    }

    /// Reads the table that a search of the same position has [saved](Solver::save): [`Dfpn::load`]. The solver must
    /// [keep](DfpnOptions::keep) its table.
    ///
    /// # Errors
    /// An error if the file is damaged or about another position; the table is empty then.
    pub fn load(
        &mut self,
        root: &Position,
        limits: &Limits,
        input: impl Read,
    ) -> Result<SavedTable, LoadError> {
        on_root!(&mut; self, root, |dfpn, root| dfpn.load(GAME, root, limits, input))
    }

    /// Verifies a proof about the game `havannah` by the rules, as [`verify`](stonework_proof::verify()) does with
    /// [`HavannahRules`], and puts its positions into the table: [`Dfpn::learn`]. The table takes only positions of
    /// the size of `like`: with the right to swap if `like` has it, else without. Later searches must be of such
    /// positions. The solver must [keep](DfpnOptions::keep) its table.
    ///
    /// ```
    /// use stonework_game::{Game, Textual};
    /// use stonework_havannah::Position;
    /// use stonework_havannah_solver::Solver;
    /// use stonework_proof::Claim;
    /// use stonework_search::{Engine, Limits};
    /// let (root, limits) = (Position::new(3)?, Limits::none());
    /// let mut opened = root.clone();
    /// opened.play(opened.parse_move("a1")?)?;
    /// let (mut one, mut proof) = (Solver::default(), Vec::new());
    /// let outcome = one.think(&opened, &limits).proven.unwrap();
    /// one.prove(&opened, Claim::of(outcome), &limits, &mut proof)?;
    /// let mut other = Solver::new(Solver::options().keep(true))?;
    /// let verified = other.learn(&root, &limits, &proof[..])?;
    /// assert_eq!(verified.claims, [(opened, Claim::of(outcome))]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// An error if the proof does not hold.
    pub fn learn(
        &mut self,
        like: &Position,
        limits: &Limits,
        proof: impl Read,
    ) -> Result<Verified<Position>, ProofError> {
        on_root!(&mut; self, like, |dfpn, root| {
            let searched = |p: &Position| root.alike(p).filter(|_| p.size() == like.size());
            dfpn.learn(GAME, &HavannahRules, limits, proof, searched)
        })
    }

    /// The moves that the search tries at a position that is not over, with their numbers for the question "does
    /// `who` win?", from the table of the last search: [`Dfpn::children`].
    #[must_use]
    pub fn children(&self, root: &Position, who: Player) -> Vec<ChildNumbers<Move>> {
        on_root!(&; self, root, |dfpn, root| {
            let by_rules = |child: ChildNumbers<_>| {
                let ChildNumbers { mv, numbers, nodes } = child;
                ChildNumbers { mv: RulesMove::by_rules(mv), numbers, nodes }
            };
            dfpn.children(root, who).into_iter().map(by_rules).collect()
        })
    }

    /// Searches with `nodes` nodes below each move of an open position that the table knows by fewer nodes, and returns the nodes
    /// of all these searches: [`Dfpn::glance`].
    pub fn glance(&mut self, root: &Position, who: Player, nodes: u64, limits: &Limits) -> u64 {
        on_root!(&mut; self, root, |dfpn, root| dfpn.glance(root, who, nodes, limits))
    }

    /// Another solver with the same options and **the same table**, for another thread: [`Dfpn::beside`].
    #[must_use]
    pub fn beside(&mut self, limits: &Limits) -> Self {
        Self { small: self.small.beside(limits), frames: self.frames, large: self.large.beside(limits) }
    }

    /// Sets the [least nodes](DfpnOptions::harvest) of entries to harvest.
    pub const fn set_harvest(&mut self, nodes: u64) {
        self.small.set_harvest(nodes);
        self.large.set_harvest(nodes);
    }

    /// Empties the table: [`Dfpn::forget`].
    pub fn forget(&mut self) {
        self.small.forget();
        self.large.forget();
    }

    /// Takes the entries of the table that are worth telling other searches: [`Dfpn::harvest`].
    pub fn harvest(&mut self) -> Vec<TableEntry> {
        let mut entries = self.small.harvest();
        entries.extend(self.large.harvest());
        entries
    }

    /// Puts entries of other searches into the table for positions of the size of `like`, and returns the number of
    /// entries taken: [`Dfpn::plant`].
    pub fn plant(&mut self, like: &Position, entries: &[TableEntry], limits: &Limits) -> usize {
        on_root!(&mut; self, like, |dfpn, _root| dfpn.plant(entries, limits))
    }

    /// The nodes of all searches that filled the table, with the searches before [`load`](Solver::load).
    #[must_use]
    pub const fn nodes_searched(&self) -> u64 {
        self.small.nodes_searched() + self.large.nodes_searched()
    }

    /// Bytes of the table in use, and bytes of the whole table.
    #[must_use]
    pub fn table_usage(&self) -> (usize, usize) {
        let (small, large) = (self.small.table_usage(), self.large.table_usage());
        (small.0 + large.0, small.1 + large.1)
    }
}

impl Engine<Position> for Solver {
    fn search(&mut self, root: &Position, limits: &Limits, context: SearchContext<'_, Move>) -> Report<Move> {
        let SearchContext { seed, mut watch } = context;
        on_root!(&mut; self, root, |dfpn, root| {
            let mut by_rules = |report: &Report<_>| {
                if let Some(watch) = &mut watch {
                    watch(&report.map(RulesMove::by_rules));
                }
            };
            let context = SearchContext::seed(seed).watch(&mut by_rules);
            dfpn.search(root, limits, context).map(RulesMove::by_rules)
        })
    }

    /// Empties the table, as [`forget`](Solver::forget).
    fn new_game(&mut self) {
        self.forget();
    }

    /// The parameter `frames`, see [`ThreatSearch::frames`]; 0 for never.
    fn parameters(&self) -> Vec<Parameter> {
        let after = self.frames.unwrap_or(0);
        let about = "nodes below a position before frames are asked for must-play, to size 10; 0: never";
        vec![Parameter::whole("frames", about, after as f64, 0.0, MOST_FRAMES)]
    }

    fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), ParameterError> {
        Parameter::find(&Engine::<Position>::parameters(self), name, value)?;
        self.frames = (value > 0.0).then_some(value as u64);
        self.small.tactics_mut().set_frames(self.frames);
        Ok(())
    }
}
