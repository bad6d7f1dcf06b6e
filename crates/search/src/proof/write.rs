//! Writing a proof.

use std::collections::HashMap;
use std::io::{self, Write};

use stonework_game::{Keyed, Notation};

use super::blocks::Writer;
use super::{Choice, Part, Proof};

/// What was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// Bytes of the file.
    pub bytes: u64,
    /// Records: positions that are not over, and references to them.
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
    /// Writes the proof as a stream; `game` is the game's name. Many small writes: give it a buffer.
    ///
    /// # Errors
    /// What the output returns, and a name or root position that is no single line.
    pub fn write(&self, game: &str, out: impl Write) -> io::Result<Written> {
        let mut writer = Writer::new(out, game, &self.root.position_text(), self.claim)?;
        let mut shared = 0;
        for part in &self.parts {
            shared += self.write_part(part, &mut writer)?;
        }
        let records = writer.records;
        let bytes = writer.finish(shared)?;
        Ok(Written { bytes, records, shared })
    }

    /// Writes one strategy; tells how many shared positions it has.
    fn write_part<W: Write>(&self, part: &Part, writer: &mut Writer<W>) -> io::Result<u64> {
        let mut game = self.root.clone();
        let mut ids: HashMap<u64, u64> = HashMap::new();
        let mut moves = Vec::new();
        let mut line: Vec<Ply<G::Undo>> = Vec::new();
        let mut undo = None;
        loop {
            // Meet a position ...
            let key = game.key();
            let reference = ids.get(&key);
            if game.outcome().is_none() && reference.is_none() {
                let missing = || io::Error::other("a strategy without a choice for one of its positions");
                let choice = part.get(&key).copied().ok_or_else(missing)?;
                let first = moves.len();
                write_choice(&game, choice, &mut moves, writer)?;
                if choice.shared {
                    ids.insert(key, ids.len() as u64);
                }
                line.push(Ply { undo: undo.take(), first });
            } else {
                if let Some(&id) = reference {
                    writer.record(&[0, id])?;
                }
                back(&mut game, undo.take());
            }
            // ... and go on to the next.
            while let Some(ply) = line.last()
                && moves.len() <= ply.first
            {
                let taken_back = line.pop().and_then(|ply| ply.undo);
                back(&mut game, taken_back);
            }
            match moves.pop() {
                Some(mv) if !line.is_empty() => undo = Some(game.play_unchecked(mv)),
                _ => return Ok(ids.len() as u64),
            }
        }
    }
}

/// Writes what is done at a position and lists the moves to follow, the first one last.
fn write_choice<G: Keyed, W: Write>(
    game: &G,
    choice: Choice,
    moves: &mut Vec<G::Move>,
    writer: &mut Writer<W>,
) -> io::Result<()> {
    let first = moves.len();
    game.legal_moves(moves);
    let shared = u64::from(choice.shared);
    let Some(listed) = moves.get_mut(first..) else { return Ok(()) };
    if let Some(mv) = listed.get(choice.index as usize).copied() {
        moves.truncate(first);
        moves.push(mv);
        writer.record(&[1 + 2 * u64::from(choice.index) + shared])
    } else {
        listed.reverse();
        writer.record(&[1 + shared])
    }
}

fn back<G: Keyed>(game: &mut G, undo: Option<G::Undo>) {
    if let Some(undo) = undo {
        game.undo(undo);
    }
}
