//! Writing proofs.

use std::collections::HashMap;
use std::io::{self, Read, Write};

use stonework_game::{Game, Keyed, Notation, Player};

use super::blocks::{Fault, Reader, Refused, Writer};
use super::{Part, Proof, Seen, Sight, Step, name, seen, wins_by};

/// What was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// Bytes of the file.
    pub bytes: u64,
    /// Records: positions that are neither over nor decided at sight, and references to them.
    pub records: u64,
    /// Positions that are met more than once.
    pub shared: u64,
}

/// A position on the way.
struct Ply<U> {
    undo: Option<U>,
    /// Where its moves begin that are still to be played; they are taken from the end.
    first: usize,
}

impl<G: Keyed + Notation> Proof<G> {
    /// Writes the proof as a stream; `game` is the game's name, `sight` the one with which it was made. Many small writes:
    /// give it a buffer.
    ///
    /// # Errors
    /// What the output returns, and a name or root position that is no single line.
    pub fn write<S: Sight<G>>(&self, game: &str, sight: &S, out: impl Write) -> io::Result<Written> {
        let mut writer = Writer::new(out, game, &[(self.root.position_text(), self.claim)])?;
        let mut shared = 0;
        for ((who, wins), part) in self.claim.parts().into_iter().zip(&self.parts) {
            let side = if wins { who } else { who.other() };
            let mut walk = Walk {
                game: self.root.clone(),
                side,
                part,
                sight,
                ids: HashMap::new(),
                moves: Vec::new(),
                room: Vec::new(),
            };
            walk.all(&mut writer)?;
            shared += walk.ids.len() as u64;
        }
        let records = writer.records;
        let bytes = writer.finish(shared)?;
        Ok(Written { bytes, records, shared })
    }
}

/// Proofs that cannot be [joined](join).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JoinError {
    /// One of them is damaged, or about another game than the first.
    #[error("proof {proof}: {refused}")]
    Refused {
        /// Its number, from 0.
        proof: usize,
        /// What is wrong with it.
        refused: Refused,
    },
    /// They cannot be written: what the output returns, or a number of claims that no file has.
    #[error("cannot write: {0}")]
    Output(#[from] io::Error),
}

/// Puts proofs together, each of which was read up to its header: the claims of all, in their order. A stream; the proofs
/// are not verified, but what is damaged is refused.
///
/// # Errors
/// With the number of the proof and what is wrong with it, proofs of different games as [`Fault::Game`]; or with what the
/// output returns.
pub fn join<R: Read>(mut proofs: Vec<Reader<R>>, out: impl Write) -> Result<Written, JoinError> {
    let game = proofs.first().map_or_else(String::new, |proof| proof.game().to_owned());
    if let Some((i, proof)) = proofs.iter().enumerate().find(|(_, proof)| proof.game() != game) {
        let found = proof.game().to_owned();
        let refused = proof.refuse(Fault::Game { found, expected: game });
        return Err(JoinError::Refused { proof: i, refused });
    }
    let claims: Vec<_> = proofs.iter().flat_map(Reader::claims).map(|(r, c)| (r.to_owned(), c)).collect();
    let mut writer = Writer::new(out, &game, &claims).map_err(JoinError::Output)?;
    let mut shared = 0;
    for (i, proof) in proofs.iter_mut().enumerate() {
        let (records, more) = loop {
            let fault = match proof.chunk() {
                Ok(Ok(records)) => {
                    writer.chunk(records).map_err(JoinError::Output)?;
                    continue;
                }
                Ok(Err(counts)) => match proof.ended() {
                    Ok(()) => break counts,
                    Err(fault) => fault,
                },
                Err(fault) => fault,
            };
            return Err(JoinError::Refused { proof: i, refused: proof.refuse(fault) });
        };
        writer.records += records;
        shared += more;
    }
    let records = writer.records;
    let bytes = writer.finish(shared).map_err(JoinError::Output)?;
    Ok(Written { bytes, records, shared })
}

/// Writes one strategy.
struct Walk<'a, G: Keyed, S> {
    game: G,
    side: Player,
    part: &'a Part<G::Move>,
    sight: &'a S,
    /// The numbers of shared positions by key.
    ids: HashMap<u64, u64>,
    moves: Vec<G::Move>,
    room: Vec<G::Move>,
}

impl<G: Keyed, S: Sight<G>> Walk<'_, G, S> {
    fn all<W: Write>(&mut self, writer: &mut Writer<W>) -> io::Result<()> {
        let mut line: Vec<Ply<G::Undo>> = Vec::new();
        let mut undo = None;
        loop {
            // Meet a position ...
            let first = self.moves.len();
            if self.meet(writer)? {
                line.push(Ply { undo: undo.take(), first });
            } else {
                back(&mut self.game, undo.take());
            }
            // ... and go on to the next.
            while let Some(ply) = line.last()
                && self.moves.len() <= ply.first
            {
                let taken_back = line.pop().and_then(|ply| ply.undo);
                back(&mut self.game, taken_back);
            }
            match self.moves.pop() {
                Some(mv) if !line.is_empty() => undo = Some(self.game.play_unchecked(mv)),
                _ => return Ok(()),
            }
        }
    }

    /// Writes what is done at a position and lists the moves to follow, the first one last; `false` if there is none.
    fn meet<W: Write>(&mut self, writer: &mut Writer<W>) -> io::Result<bool> {
        if self.game.outcome().is_some() {
            return Ok(false);
        }
        match seen(self.sight, &self.game, self.side, &mut self.room) {
            Seen::Won | Seen::Lost => return Ok(false),
            Seen::Only(mv) => {
                self.moves.push(mv);
                return Ok(true);
            }
            Seen::Open => {}
        }
        let key = name::<G, S>(&self.game);
        if let Some(&id) = self.ids.get(&key) {
            writer.record(&[0, id])?;
            return Ok(false);
        }
        let missing = || io::Error::other("a strategy without a choice for one of its positions");
        let choice = self.part.get(&key).ok_or_else(missing)?;
        if choice.shared {
            self.ids.insert(key, self.ids.len() as u64);
        }
        let shared = u64::from(choice.shared);
        let first = self.moves.len();
        let mover = self.game.to_move();
        self.game.legal_moves(&mut self.moves);
        match &choice.step {
            Step::Never => {
                self.moves.truncate(first);
                writer.record(&[3 + shared])?;
            }
            Step::Move(mv) => {
                let listed = self.moves.get(first..).unwrap_or_default();
                let index = listed.iter().position(|other| other == mv).ok_or_else(missing)?;
                self.moves.truncate(first);
                self.moves.push(*mv);
                writer.record(&[1 + 4 * index as u64 + shared])?;
            }
            Step::All => {
                writer.record(&[1 + shared])?;
                self.moves.get_mut(first..).unwrap_or_default().reverse();
            }
            Step::Line(line) => {
                let mut record = vec![3 + 4 * line.len() as u64 + shared];
                record.extend(line.iter().map(|&mv| self.sight.number(&self.game, mv)));
                writer.record(&record)?;
                if mover == self.side {
                    self.moves.truncate(first);
                } else {
                    undisturbed(self.sight, &mut self.game, self.side, line, &mut self.moves, first);
                    self.moves.get_mut(first..).unwrap_or_default().reverse();
                }
            }
        }
        Ok(self.moves.len() > first)
    }
}

/// Drops the moves from `first` on after which the line wins.
pub(crate) fn undisturbed<G: Game, S: Sight<G>>(
    sight: &S,
    game: &mut G,
    side: Player,
    line: &[G::Move],
    moves: &mut Vec<G::Move>,
    first: usize,
) {
    let mut room = Vec::new();
    let mut kept = first;
    for i in first..moves.len() {
        let Some(&mv) = moves.get(i) else { break };
        let undo = game.play_unchecked(mv);
        let wins = game.outcome().is_none() && wins_by(sight, game, side, line, &mut room);
        game.undo(undo);
        if !wins && let Some(place) = moves.get_mut(kept) {
            *place = mv;
            kept += 1;
        }
    }
    moves.truncate(kept);
}

fn back<G: Game>(game: &mut G, undo: Option<G::Undo>) {
    if let Some(undo) = undo {
        game.undo(undo);
    }
}
