//! [`Proof::write`] and [`join`]: proofs as files.

use std::collections::HashMap;
use std::io::{self, Read, Write};

use stonework_files::{BlockLayout, BlockWriter, Compression};
use stonework_game::{Game, Indexed, Keyed, Player, Textual};

use crate::threats::{Immediate, drop_answered, immediate, position_key};
use crate::trusted::{CLAIMS, KnownClaims, TITLE, TOP_TITLE};
use crate::{Claim, Goal, ImmediateRules, Proof, ProofAction, ProofError, ProofFault, ProofReader, Strategy};

/// The size of a file of proofs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// The bytes of the file.
    pub bytes: u64,
    /// The number of records: positions that are neither over nor decided by immediate wins, and references to
    /// such positions.
    pub records: u64,
    /// The number of positions that a strategy meets more than once.
    pub shared: u64,
}

/// A writer of the header and the records.
#[derive(Debug)]
struct ProofWriter<W> {
    blocks: BlockWriter<W>,
    /// The records of the current block.
    content: Vec<u8>,
    records: u64,
}

impl<W: Write> ProofWriter<W> {
    fn new(out: W, title: &str, game: &str, claims: &[(String, Claim)]) -> io::Result<Self> {
        let count = claims.len();
        if !(1..=CLAIMS).contains(&count) {
            let what = format!("a file of {count} claims: 1 to {CLAIMS}");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let (count, texts) = (count.to_string(), claims.iter().map(|(_, claim)| claim.to_string()));
        let texts: Vec<String> = texts.collect();
        let mut fields = vec![("game", game), ("claims", &count)];
        for ((root, _), claim) in claims.iter().zip(&texts) {
            fields.extend([("root", root.as_str()), ("claim", claim)]);
        }
        Ok(Self { blocks: BlockWriter::new(out, title, &fields)?, content: Vec::new(), records: 0 })
    }

    /// Writes one record, its numbers in LEB128. No number continues in the next block.
    fn record(&mut self, numbers: &[u64]) -> io::Result<()> {
        for &number in numbers {
            let mut rest = number;
            while rest >= 128 {
                self.content.push(rest as u8 | 128);
                rest >>= 7;
            }
            self.content.push(rest as u8);
            if self.content.len() + 10 > BlockLayout::BYTES.most as usize {
                self.block()?;
            }
        }
        self.records += 1;
        Ok(())
    }

    fn block(&mut self) -> io::Result<()> {
        if !self.content.is_empty() {
            self.blocks.block(self.content.len() as u32, &self.content, Compression::Usual)?;
            self.content.clear();
        }
        Ok(())
    }

    /// Writes the records of a block of another file, which are counted elsewhere.
    fn copy(&mut self, records: &[u8]) -> io::Result<()> {
        if self.content.len() + records.len() > BlockLayout::BYTES.most as usize {
            self.block()?;
        }
        self.content.extend_from_slice(records);
        Ok(())
    }

    fn finish(mut self, shared: u64) -> io::Result<Written> {
        self.block()?;
        let counts = [self.records.to_le_bytes(), shared.to_le_bytes()].concat();
        let (_, bytes) = self.blocks.finish(&counts)?;
        Ok(Written { bytes, records: self.records, shared })
    }
}

/// A position on the current path.
struct Ply<U> {
    /// The undo of the move that leads to the position; `None` at the root.
    undo: Option<U>,
    /// The index in `moves` of the position's first move that is still to be followed; moves are taken from the
    /// end.
    first: usize,
}

impl<G: Keyed + Textual + Indexed> Proof<G> {
    /// Writes the proof as a file, which [`verify`](crate::verify()) reads: all positions that the strategies meet, depth first, as
    /// [the first page](crate#the-file) describes.
    ///
    /// # Arguments
    /// * `game` – the name of the game, one line.
    /// * `rules` – the [`ImmediateRules`] with which the proof was made.
    /// * `out` – the output, which gets many small writes: use a buffer.
    ///
    /// # Returns
    /// The size of the file.
    ///
    /// # Errors
    /// The error of the output; an error if a name or a root position is not one line of at most 65536 bytes; an
    /// error for more or fewer strategies than the claim has goals; and an error if a strategy has no action at a
    /// position that it meets.
    ///
    /// # Complexity
    /// Time: the time of playing all moves of the strategies once, and the lines of threats. Memory: 16 bytes for
    /// each shared position. Equal proofs give equal bytes.
    ///
    /// # Example
    /// ```
    /// use stonework_game::{Keyed, Player, example::Nim};
    /// use stonework_proof::{Claim, Proof, ProofAction, Strategy, VerifyLimits, verify};
    /// let root = Nim::new(2);                            // take one or two; the last one wins
    /// let mut strategy = Strategy::new();
    /// strategy.insert(root.key(), ProofAction::Move(2));
    /// let (claim, mut file) = (Claim::Wins(Player::First), Vec::new());
    /// let written = Proof::new(root, claim, vec![strategy]).write("nim", &(), &mut file)?;
    /// assert_eq!((written.bytes, written.records), (file.len() as u64, 1));
    /// assert!(verify::<Nim, _>("nim", &(), &file[..], &VerifyLimits::default()).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write<R: ImmediateRules<G>>(&self, game: &str, rules: &R, out: impl Write) -> io::Result<Written> {
        self.write_titled(TITLE, game, rules, &KnownClaims::default(), out)
    }

    /// Writes the proof as the top of a proof set, which [`verify_top`](crate::verify_top()) reads with the same known
    /// claims: the strategies end at positions with a known claim that shows their goal.
    ///
    /// # Errors
    /// The errors of [`write`](Proof::write).
    pub fn write_top<R: ImmediateRules<G>>(
        &self,
        game: &str,
        rules: &R,
        known: &KnownClaims,
        out: impl Write,
    ) -> io::Result<Written> {
        self.write_titled(TOP_TITLE, game, rules, known, out)
    }

    fn write_titled<R: ImmediateRules<G>>(
        &self,
        title: &str,
        game: &str,
        rules: &R,
        known: &KnownClaims,
        out: impl Write,
    ) -> io::Result<Written> {
        let (goals, strategies) = (self.claim.goals().count(), self.strategies.len());
        if strategies != goals {
            let what = format!("{strategies} strategies for the claim `{}`, which has {goals}", self.claim);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let mut writer = ProofWriter::new(out, title, game, &[(self.root.position_text(), self.claim)])?;
        let mut shared = 0;
        for (goal, strategy) in self.claim.goals().zip(&self.strategies) {
            let mut strategy = StrategyWriter {
                game: self.root.clone(),
                goal,
                side: goal.side(),
                strategy,
                rules,
                known,
                shared: HashMap::new(),
                moves: Vec::new(),
                room: Vec::new(),
            };
            strategy.write(&mut writer)?;
            shared += strategy.shared.len() as u64;
        }
        writer.finish(shared)
    }
}

/// The reason why proofs cannot be [joined](join).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// A file is damaged, or about another game than the first file.
    #[error("proof {proof}: {refused}")]
    Refused {
        /// The number of the file, from 0.
        proof: usize,
        /// The reason.
        refused: ProofError,
    },
    /// The result cannot be written: the error of the output, or a number of claims that is not allowed.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
}

/// Joins files of proofs about one game into one file, with the claims of all files in their order.
///
/// # Arguments
/// * `proofs` – the files, each read up to the end of its header.
/// * `out` – the output.
///
/// # Returns
/// The size of the new file.
///
/// # Errors
/// A [`JoinError`] with the number of the refused file. The proofs are not verified, but damaged files are
/// refused.
///
/// # Complexity
/// O(bytes) time, the memory of one block.
///
/// # Example
/// ```
/// use stonework_game::{Player, example::Nim};
/// use stonework_proof::{Claim, ProofReader, join};
/// use stonework_search::{Dfpn, Limits};
/// let proof = |left, winner| {
///     let mut file = Vec::new();
///     let proof = Dfpn::default().prove(&Nim::new(left), Claim::Wins(winner), &(), &Limits::none());
///     proof.unwrap().write("nim", &(), &mut file).map(|_| file)
/// };
/// let files = [proof(4, Player::First)?, proof(6, Player::Second)?];
/// let readers = files.iter().map(|file| ProofReader::new(&file[..])).collect::<Result<_, _>>()?;
/// let mut both = Vec::new();
/// join(readers, &mut both)?;
/// let claims: Vec<_> = ProofReader::new(&both[..])?.claims().map(|(root, _)| root.to_owned()).collect();
/// assert_eq!(claims, ["4 first", "6 first"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn join<R: Read>(mut proofs: Vec<ProofReader<R>>, out: impl Write) -> Result<Written, JoinError> {
    let game = proofs.first().map_or_else(String::new, |proof| proof.game().to_owned());
    for (proof, reader) in proofs.iter().enumerate() {
        reader.expect_game(&game).map_err(|refused| JoinError::Refused { proof, refused })?;
    }
    let claims = proofs.iter().flat_map(ProofReader::claims);
    let claims: Vec<_> = claims.map(|(root, claim)| (root.to_owned(), claim)).collect();
    let mut writer = ProofWriter::new(out, TITLE, &game, &claims)?;
    let mut shared = 0_u64;
    for (i, proof) in proofs.iter_mut().enumerate() {
        let refused = |refused| JoinError::Refused { proof: i, refused };
        loop {
            match proof.records() {
                Ok(Some(records)) => writer.copy(records)?,
                Ok(None) => break,
                Err(fault) => return Err(refused(proof.refuse(fault))),
            }
        }
        let (records, more) = proof.counts().map_err(|fault: ProofFault| refused(proof.refuse(fault)))?;
        // The counts of a file are its own claims.
        let sum = writer.records.checked_add(records).zip(shared.checked_add(more));
        let too_large = ProofFault::TooLarge { limit: u64::MAX, what: "records" };
        (writer.records, shared) = sum.ok_or_else(|| refused(proof.refuse(too_large)))?;
    }
    Ok(writer.finish(shared)?)
}

/// A writer of one strategy.
struct StrategyWriter<'a, G: Keyed, R> {
    game: G,
    goal: Goal,
    side: Player,
    strategy: &'a Strategy<G::Move>,
    rules: &'a R,
    known: &'a KnownClaims,
    /// The numbers of shared positions by key.
    shared: HashMap<u64, u64>,
    /// The moves that are still to be followed, ply after ply.
    moves: Vec<G::Move>,
    /// Working memory for immediate wins.
    room: Vec<G::Move>,
}

impl<G: Keyed + Indexed, R: ImmediateRules<G>> StrategyWriter<'_, G, R> {
    fn write<W: Write>(&mut self, writer: &mut ProofWriter<W>) -> io::Result<()> {
        let mut path: Vec<Ply<G::Undo>> = Vec::new();
        let mut undo = None;
        loop {
            // The walk visits a position.
            let first = self.moves.len();
            if self.visit(writer)? {
                path.push(Ply { undo: undo.take(), first });
            } else {
                back(&mut self.game, undo.take());
            }
            // Then the walk goes on to the next position.
            while let Some(ply) = path.last()
                && self.moves.len() <= ply.first
            {
                let taken_back = path.pop().and_then(|ply| ply.undo);
                back(&mut self.game, taken_back);
            }
            match self.moves.pop() {
                Some(mv) if !path.is_empty() => undo = Some(self.game.play_unchecked(mv)),
                _ => return Ok(()),
            }
        }
    }

    /// Writes the action at a position and lists the moves to follow, the first move last; `false` if no move is
    /// to follow.
    fn visit<W: Write>(&mut self, writer: &mut ProofWriter<W>) -> io::Result<bool> {
        if self.game.outcome().is_some() || self.known.find(&self.game, self.rules, self.goal).is_some() {
            return Ok(false);
        }
        match immediate(self.rules, &self.game, self.side, &mut self.room) {
            Immediate::Won | Immediate::Lost => return Ok(false),
            Immediate::Forced(mv) => {
                self.moves.push(mv);
                return Ok(true);
            }
            Immediate::Open => {}
        }
        let (key, _) = position_key::<G, R>(&self.game);
        if let Some(&number) = self.shared.get(&key) {
            writer.record(&[0, number])?;
            return Ok(false);
        }
        let missing = || io::Error::other("a strategy without an action for one of its positions");
        let planned = self.strategy.positions.get(&key).ok_or_else(missing)?;
        if planned.shared {
            self.shared.insert(key, self.shared.len() as u64);
        }
        let shared = u64::from(planned.shared);
        let first = self.moves.len();
        let mover = self.game.to_move();
        self.game.legal_moves(&mut self.moves);
        match &planned.action {
            ProofAction::Never => {
                self.moves.truncate(first);
                writer.record(&[3 + shared])?;
            }
            ProofAction::Move(mv) => {
                let listed = self.moves.get(first..).unwrap_or_default();
                let index = listed.iter().position(|other| other == mv).ok_or_else(missing)?;
                self.moves.truncate(first);
                self.moves.push(*mv);
                writer.record(&[1 + 4 * index as u64 + shared])?;
            }
            ProofAction::All => {
                writer.record(&[1 + shared])?;
                self.moves.get_mut(first..).unwrap_or_default().reverse();
            }
            ProofAction::Line(line) => {
                let mut record = vec![3 + 4 * line.len() as u64 + shared];
                record.extend(line.iter().map(|&mv| self.game.move_index(mv) as u64));
                writer.record(&record)?;
                if mover == self.side {
                    self.moves.truncate(first);
                } else {
                    drop_answered(self.rules, &mut self.game, self.side, line, &mut self.moves, first);
                    self.moves.get_mut(first..).unwrap_or_default().reverse();
                }
            }
        }
        Ok(self.moves.len() > first)
    }
}

fn back<G: Game>(game: &mut G, undo: Option<G::Undo>) {
    if let Some(undo) = undo {
        game.undo(undo);
    }
}
