//! Verifying a proof: the rules, the file, and nothing else.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Read;

use stonework_game::{Finite, Notation, Outcome, Player};

use super::Claim;
use super::blocks::{Fault, Reader, Refused};

/// How large a proof may be before it is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Caps {
    /// Plies of the longest line.
    pub plies: usize,
    /// Positions that are met, ends of games among them.
    pub positions: u64,
    /// Shared positions of one part; each takes 16 bytes.
    pub shared: u64,
}

/// 10 000 plies, 2³⁶ positions, 2²⁴ shared ones (256 MiB).
impl Default for Caps {
    fn default() -> Self {
        Self { plies: 10_000, positions: 1 << 36, shared: 1 << 24 }
    }
}

/// A proof that holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified<G> {
    /// The root position.
    pub root: G,
    /// What is shown of it.
    pub claim: Claim,
    /// Positions that were met, ends of games among them.
    pub positions: u64,
    /// Records that were read.
    pub records: u64,
    /// Shared positions.
    pub shared: u64,
    /// Plies of the longest line, up to shared positions.
    pub plies: usize,
}

/// Reads a proof about a game and checks every move of it.
///
/// `game` is the name that the file must give. That the root is the position which the caller has in
/// mind is the caller's to compare. Memory, time and limits are described at the
/// [module](super).
///
/// # Errors
/// With the place and what is wrong there, if this is no proof of what it claims.
pub fn verify<G: Finite + Notation>(
    game: &str,
    input: impl Read,
    caps: &Caps,
) -> Result<Verified<G>, Refused> {
    let mut reader = Reader::new(input)?;
    if reader.game() != game {
        let (found, expected) = (reader.game().to_owned(), game.to_owned());
        return Err(reader.refuse(Fault::Game { found, expected }));
    }
    let root = G::parse_position(reader.root()).map_err(|error| reader.refuse(Fault::Root(error)))?;
    let claim = reader.claim();
    let mut verified = Verified { root, claim, positions: 0, records: 0, shared: 0, plies: 0 };
    check(&mut reader, caps, &mut verified).map_err(|fault| reader.refuse(fault))?;
    verified.records = reader.records;
    Ok(verified)
}

fn check<G: Finite + Notation, R: Read>(
    reader: &mut Reader<R>,
    caps: &Caps,
    verified: &mut Verified<G>,
) -> Result<(), Fault> {
    for (who, wins) in verified.claim.parts() {
        let mut part = Part {
            game: verified.root.clone(),
            who,
            wins,
            caps,
            line: Vec::new(),
            moves: Vec::new(),
            shared: Vec::new(),
            keys: [RandomState::new(), RandomState::new()],
            positions: verified.positions,
            plies: verified.plies,
        };
        part.walk(reader)?;
        verified.positions = part.positions;
        verified.plies = part.plies;
        verified.shared += part.shared.len() as u64;
    }
    reader.finish(verified.shared)
}

/// A position on the current line.
struct Ply<U> {
    undo: Option<U>,
    /// Where its moves begin that are still to be played; they are taken from the end.
    first: usize,
    /// Its number among the shared ones.
    shared: Option<usize>,
}

/// Walks through one strategy.
struct Part<'a, G: Finite + Notation> {
    game: G,
    who: Player,
    wins: bool,
    caps: &'a Caps,
    line: Vec<Ply<G::Undo>>,
    moves: Vec<G::Move>,
    /// What shared positions are known by, once all below them is shown.
    shared: Vec<Option<[u64; 2]>>,
    keys: [RandomState; 2],
    positions: u64,
    plies: usize,
}

impl<G: Finite + Notation> Part<'_, G> {
    fn walk<R: Read>(&mut self, reader: &mut Reader<R>) -> Result<(), Fault> {
        self.meet(None, reader)?;
        while let Some(ply) = self.line.last() {
            if self.moves.len() > ply.first
                && let Some(mv) = self.moves.pop()
            {
                let undo = self.game.play_unchecked(mv);
                self.meet(Some(undo), reader)?;
                continue;
            }
            if let Some(index) = ply.shared {
                let digest = self.digest()?;
                if let Some(slot) = self.shared.get_mut(index) {
                    *slot = Some(digest);
                }
            }
            if let Some(undo) = self.line.pop().and_then(|ply| ply.undo) {
                self.game.undo(undo);
            }
        }
        Ok(())
    }

    /// Meets a position: it is over as claimed, shown before, or becomes the end of the line.
    fn meet<R: Read>(&mut self, undo: Option<G::Undo>, reader: &mut Reader<R>) -> Result<(), Fault> {
        self.positions += 1;
        if self.positions > self.caps.positions {
            return Err(Fault::TooLarge { limit: self.caps.positions, what: "positions" });
        }
        let settled = match self.game.outcome() {
            Some(outcome) if (outcome == Outcome::Win(self.who)) == self.wins => true,
            Some(outcome) => return Err(Fault::Refuted(outcome)),
            None => self.open(reader)?,
        };
        if settled {
            if let Some(undo) = undo {
                self.game.undo(undo);
            }
        } else if let Some(ply) = self.line.last_mut() {
            ply.undo = undo;
        }
        Ok(())
    }

    /// Reads what is to be done at a position; `true` if it was shown before.
    fn open<R: Read>(&mut self, reader: &mut Reader<R>) -> Result<bool, Fault> {
        let record = reader.number()?;
        if record == 0 {
            self.known(reader.number()?)?;
            reader.records += 1;
            return Ok(true);
        }
        if self.line.len() >= self.caps.plies {
            return Err(Fault::TooLarge { limit: self.caps.plies as u64, what: "plies" });
        }
        let (index, shared) = ((record - 1) / 2, (record - 1) % 2 == 1);
        let first = self.moves.len();
        self.game.legal_moves(&mut self.moves);
        let count = self.moves.len() - first;
        if count == 0 {
            return Err(Fault::Stuck);
        }
        if (self.game.to_move() == self.who) == self.wins {
            let chosen = usize::try_from(index).ok().and_then(|i| self.moves.get(first + i)).copied();
            let Some(chosen) = chosen else { return Err(Fault::Move { index, moves: count }) };
            self.moves.truncate(first);
            self.moves.push(chosen);
        } else if index > 0 {
            return Err(Fault::Record(record));
        } else if let Some(listed) = self.moves.get_mut(first..) {
            // They are taken from the end.
            listed.reverse();
        }
        if shared && self.shared.len() as u64 >= self.caps.shared {
            return Err(Fault::TooLarge { limit: self.caps.shared, what: "shared positions" });
        }
        let shared = shared.then(|| {
            self.shared.push(None);
            self.shared.len() - 1
        });
        self.line.push(Ply { undo: None, first, shared });
        self.plies = self.plies.max(self.line.len());
        reader.records += 1;
        Ok(false)
    }

    /// Whether a shared position is the one on the board.
    fn known(&self, index: u64) -> Result<(), Fault> {
        let shown = usize::try_from(index).ok().and_then(|i| self.shared.get(i)).copied().flatten();
        match shown {
            None => Err(Fault::Unknown { index, shown: self.shared.len() as u64 }),
            Some(digest) if digest == self.digest()? => Ok(()),
            Some(_) => Err(Fault::Other { index }),
        }
    }

    fn digest(&self) -> Result<[u64; 2], Fault> {
        struct Both<H>([H; 2]);
        impl<H: Hasher> fmt::Write for Both<H> {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0.iter_mut().for_each(|hasher| hasher.write(text.as_bytes()));
                Ok(())
            }
        }
        let mut both = Both([self.keys[0].build_hasher(), self.keys[1].build_hasher()]);
        self.game.write_position(&mut both).map_err(|fmt::Error| Fault::Text)?;
        Ok(both.0.map(|hasher| hasher.finish()))
    }
}
