//! [`verify`]: the check of a proof file by the rules.

use std::io::Read;

use stonework_game::text::head;
use stonework_game::{Finite, Indexed, Textual};

use super::read::{TITLE, TOP_TITLE};
use super::strategy::StrategyChecker;
use super::{Claim, ImmediateRules, KnownClaims, ProofError, ProofFault, ProofReader, ProofVisitor};

/// The size beyond which a proof file is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VerifyLimits {
    /// The plies of the longest path.
    pub plies: usize,
    /// The number of positions visited, ends of games included, in the whole file.
    pub positions: u64,
    /// The number of shared positions of one strategy; each position takes 28 bytes of memory.
    pub shared: u64,
}

/// The limits 10 000 plies, 2³⁶ positions, 2²³ shared positions (224 MiB).
impl Default for VerifyLimits {
    fn default() -> Self {
        Self { plies: 10_000, positions: 1 << 36, shared: 1 << 23 }
    }
}

/// The content of a proof file that holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified<G> {
    /// Each root position with its proven claim, in the order of the file.
    pub claims: Vec<(G, Claim)>,
    /// The number of positions visited, ends of games included. Positions on lines of threats do not count.
    pub positions: u64,
    /// The number of records.
    pub records: u64,
    /// The number of records of each kind.
    pub kinds: RecordCounts,
    /// The number of shared positions.
    pub shared: u64,
    /// The plies of the longest path. A path ends at a reference to a shared position or at a line of threats.
    pub plies: usize,
    /// The size of the proof of each claim, in the order of the file.
    pub by_claim: Vec<ClaimCounts>,
}

/// The size of the proof of one claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClaimCounts {
    /// The number of positions visited, ends of games included. Positions on lines of threats do not count.
    pub positions: u64,
    /// The number of records.
    pub records: u64,
    /// The number of records of each kind.
    pub kinds: RecordCounts,
    /// The number of shared positions.
    pub shared: u64,
    /// The plies of the longest path. A path ends at a reference to a shared position or at a line of threats.
    pub plies: usize,
    /// The plies of the longest game that the opponent can force until the goal is reached. Plies after references to
    /// shared positions and plies on lines of threats count.
    pub longest: u32,
}

impl ClaimCounts {
    pub(crate) fn add(&mut self, other: Self) {
        self.positions += other.positions;
        self.records += other.records;
        self.kinds.add(other.kinds);
        self.shared += other.shared;
        self.plies = self.plies.max(other.plies);
        self.longest = self.longest.max(other.longest);
    }
}

/// The number of records of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RecordCounts {
    /// The number of references to shared positions.
    pub references: u64,
    /// The number of records with one move of the strategy's side.
    pub moves: u64,
    /// The number of records with all moves of the opponent.
    pub all: u64,
    /// The number of leaves at which the strategy's side wins by a line of threats.
    pub lines: u64,
    /// The number of records with moves of the opponent, most of which a line of threats answers.
    pub answers: u64,
    /// The number of leaves at which the player of a goal not to win can no longer win.
    pub never: u64,
}

impl RecordCounts {
    fn add(&mut self, other: Self) {
        self.references += other.references;
        self.moves += other.moves;
        self.all += other.all;
        self.lines += other.lines;
        self.answers += other.answers;
        self.never += other.never;
    }
}

/// Verifies a proof file: plays all its strategies by the rules of the game, and refuses the file at the first move that does
/// not belong to a proof of its claims. No search takes place.
///
/// The caller has to compare the roots, which are part of the result, with the intended positions.
///
/// # Arguments
/// * `game` – the name of the game, which the file must state.
/// * `rules` – the [`ImmediateRules`] with which the proof was written. The verifier trusts them as it trusts the game.
/// * `input` – the file, read once from its beginning to its end. The header is read byte by byte: use a buffer.
/// * `limits` – the size beyond which the file is refused.
///
/// # Returns
/// The proven claims, and the size of their proofs.
///
/// # Errors
/// A [`ProofError`] with the byte of the file, the number of records before the fault, and the fault.
///
/// # Complexity
/// Time: the time of playing every move of the strategies once, and the lines of threats. Memory: a list of moves for
/// each ply, and 28 bytes for each shared position of one strategy. Depth of the stack: constant.
///
/// # Reference
/// L. V. Allis, *Searching for Solutions in Games and Artificial Intelligence*, 1994, chapter 2, defines solution
/// trees; a strategy is such a tree. The graph of shared positions has no cycles, as every game is [`Finite`].
///
/// # Example
/// ```
/// use stonework_game::{Player, example::Nim};
/// use stonework_proof::{Claim, VerifyLimits, verify};
/// use stonework_search::{Dfpn, Limits};
/// let root = Nim::new(30);           // take one or two stones; the last stone wins
/// let claim = Claim::Wins(Player::Second);
/// let mut file = Vec::new();
/// Dfpn::default().prove(&root, claim, &(), &Limits::none())?.write("nim", &(), &mut file)?;
/// let verified = verify::<Nim, _>("nim", &(), &file[..], &VerifyLimits::default())?;
/// assert_eq!((verified.claims, verified.plies), (vec![(root, claim)], 20));
/// file[30] ^= 1;
/// assert!(verify::<Nim, _>("nim", &(), &file[..], &VerifyLimits::default()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify<G: Finite + Textual + Indexed, R: ImmediateRules<G>>(
    game: &str,
    rules: &R,
    input: impl Read,
    limits: &VerifyLimits,
) -> Result<Verified<G>, ProofError> {
    verify_with(game, rules, input, limits, &mut ())
}

/// Verifies a proof file as [`verify`] does, and passes its content to a visitor.
///
/// # Errors
/// The errors of [`verify`], and the fault that the visitor returns.
pub fn verify_with<G: Finite + Textual + Indexed, R: ImmediateRules<G>>(
    game: &str,
    rules: &R,
    input: impl Read,
    limits: &VerifyLimits,
    visitor: &mut impl ProofVisitor<G>,
) -> Result<Verified<G>, ProofError> {
    verify_titled(ProofReader::titled(input, TITLE)?, game, rules, (limits, &KnownClaims::default()), visitor)
}

/// Verifies a file of a proof set whose strategies end at positions with known claims, as [`verify_with`] does. The
/// result holds if the known claims do.
///
/// # Errors
/// The errors of [`verify_with`].
pub fn verify_top<G: Finite + Textual + Indexed, R: ImmediateRules<G>>(
    game: &str,
    rules: &R,
    input: impl Read,
    (limits, known): (&VerifyLimits, &KnownClaims),
    visitor: &mut impl ProofVisitor<G>,
) -> Result<Verified<G>, ProofError> {
    verify_titled(ProofReader::titled(input, TOP_TITLE)?, game, rules, (limits, known), visitor)
}

fn verify_titled<G: Finite + Textual + Indexed, R: ImmediateRules<G>>(
    mut reader: ProofReader<impl Read>,
    game: &str,
    rules: &R,
    within: (&VerifyLimits, &KnownClaims),
    visitor: &mut impl ProofVisitor<G>,
) -> Result<Verified<G>, ProofError> {
    reader.expect_game(game)?;
    let mut claims = Vec::new();
    for (i, (text, claim)) in reader.claims().enumerate() {
        let root = read_root(text).map_err(|fault| reader.refuse_root(i, fault))?;
        claims.push((root, claim));
    }
    let checked = check(&mut reader, rules, within, &claims, visitor);
    let (total, by_claim) = checked.map_err(|fault| reader.refuse(fault))?;
    let ClaimCounts { positions, records, kinds, shared, plies, .. } = total;
    Ok(Verified { claims, positions, records, kinds, shared, plies, by_claim })
}

/// Reads a root position. Its text must be the text that the game itself writes.
fn read_root<G: Textual>(text: &str) -> Result<G, ProofFault> {
    let root = G::parse_position(text).map_err(ProofFault::Root)?;
    let expected = root.position_text();
    if text == expected {
        return Ok(root);
    }
    let unlike = text.char_indices().zip(expected.chars()).find(|((_, a), b)| a != b);
    let at = unlike.map_or(text.len().min(expected.len()), |((at, _), _)| at);
    let [found, expected] = [text, &expected].map(|text| head(text.get(at..).unwrap_or_default()).to_owned());
    Err(ProofFault::Spelling { at, found, expected })
}

/// Checks the strategies of all claims; returns the total size and the size for each claim.
fn check<G: Finite + Textual + Indexed, R: ImmediateRules<G>>(
    reader: &mut ProofReader<impl Read>,
    rules: &R,
    within: (&VerifyLimits, &KnownClaims),
    claims: &[(G, Claim)],
    visitor: &mut impl ProofVisitor<G>,
) -> Result<(ClaimCounts, Vec<ClaimCounts>), ProofFault> {
    let (mut total, mut by_claim) = (ClaimCounts::default(), Vec::new());
    for (root, claim) in claims {
        let mut counts = ClaimCounts::default();
        for goal in claim.goals() {
            visitor.strategy(goal);
            let before = total.positions + counts.positions;
            let checker = StrategyChecker::new(root.clone(), rules, goal, within, before, &mut *visitor);
            counts.add(checker.run(reader)?);
        }
        total.add(counts);
        by_claim.push(counts);
    }
    reader.finish(total.shared)?;
    Ok((total, by_claim))
}
