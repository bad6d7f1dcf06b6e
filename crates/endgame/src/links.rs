//! [`Links`]: for each state, the states that lead to it, and the number of its moves that are not known to lose.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering::Relaxed};

use crate::SolveError;
use crate::solve::allocate;
use crate::workers::CHUNK;

/// ```text
/// begins   [ 0 | 2 | 2 | 5 ]         state 0 is reached from 7 and, by the same side, from 3;
/// from     [ 7, 3s | 1, 4, 7 ]       state 1 from none; state 2 from 1, 4 and 7
/// ```
///
/// `begins` counts from the base of its chunk, so its numbers fit into 32 bits.
pub(crate) struct Links {
    /// For each state, the number of its moves that are not known to lose.
    left: Vec<AtomicU16>,
    /// For each state, first the number of its links. [`begin`](Links::begin) turns the numbers into ends, and each new
    /// link lowers its end by one, down to the beginning.
    begins: Vec<AtomicU32>,
    /// The index of each chunk's first link, and then the number of all links.
    bases: Vec<u64>,
    /// The links: twice the state that leads here, plus 1 if its mover is to move again.
    from: Vec<AtomicU32>,
}

impl Links {
    /// The largest number of states of which twice a number fits into 32 bits.
    pub(crate) const MAX_STATES: u64 = 1 << 31;

    /// The bytes of the arrays for a number of states and of links.
    pub(crate) const fn bytes(states: u64, moves: u64) -> u64 {
        let bases = 8 * (states.div_ceil(CHUNK) + 1);
        states.saturating_mul(6).saturating_add(bases).saturating_add(moves.saturating_mul(4))
    }

    pub(crate) fn new(states: u64) -> Result<Self, SolveError> {
        Ok(Self {
            left: allocate(states, || AtomicU16::new(0))?,
            begins: allocate(states, || AtomicU32::new(0))?,
            bases: allocate(states.div_ceil(CHUNK) + 1, || 0)?,
            from: Vec::new(),
        })
    }

    /// Stores the number of moves of a state that are not known to lose.
    pub(crate) fn count(&self, state: u64, moves: u16) {
        self.left[state as usize].store(moves, Relaxed);
    }

    /// Counts a link to a state. [`link`](Links::link) adds the link later.
    pub(crate) fn announce(&self, to: u64) {
        self.begins[to as usize].fetch_add(1, Relaxed);
    }

    /// Turns counts into ends and returns the number of all links; `None` if too many links lead into one chunk.
    pub(crate) fn begin(&mut self) -> Option<u64> {
        let mut all = 0;
        for (base, counts) in self.bases.iter_mut().zip(self.begins.chunks_mut(CHUNK as usize)) {
            *base = all;
            let mut sum = 0_u32;
            for count in counts {
                sum = sum.checked_add(*count.get_mut())?;
                *count.get_mut() = sum;
            }
            all += u64::from(sum);
        }
        *self.bases.last_mut()? = all;
        Some(all)
    }

    /// The number of links for which there is room.
    pub(crate) fn moves(&self) -> u64 {
        self.from.len() as u64
    }

    /// Writes all arrays, one after the other.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.left.iter().try_for_each(|left| out.write_all(&left.load(Relaxed).to_le_bytes()))?;
        self.begins.iter().try_for_each(|begin| out.write_all(&begin.load(Relaxed).to_le_bytes()))?;
        self.bases.iter().try_for_each(|base| out.write_all(&base.to_le_bytes()))?;
        self.from.iter().try_for_each(|from| out.write_all(&from.load(Relaxed).to_le_bytes()))
    }

    /// Reads the arrays that [`write`](Links::write) has written, for the same number of states. Lack of memory is an
    /// error, and so is a link or a chunk's first link beyond the arrays.
    pub(crate) fn read(&mut self, moves: u64, input: &mut impl Read) -> io::Result<()> {
        self.make_room(moves).map_err(io::Error::other)?;
        for left in &mut self.left {
            *left.get_mut() = u16::from_le_bytes(bytes(input)?);
        }
        for begin in &mut self.begins {
            *begin.get_mut() = u32::from_le_bytes(bytes(input)?);
        }
        for base in &mut self.bases {
            *base = u64::from_le_bytes(bytes(input)?);
        }
        for from in &mut self.from {
            *from.get_mut() = u32::from_le_bytes(bytes(input)?);
        }
        let states = self.left.len() as u64;
        let inside = self.bases.iter().all(|&base| base <= moves)
            && self.from.iter_mut().all(|from| u64::from(*from.get_mut() / 2) < states);
        if inside { Ok(()) } else { Err(io::Error::other("its links lead beyond its states")) }
    }

    /// Skips the arrays that [`write`](Links::write) has written.
    pub(crate) fn skip(states: u64, moves: u64, input: &mut impl Read) -> io::Result<()> {
        let len = Self::bytes(states, moves);
        match io::copy(&mut input.take(len), &mut io::sink())? {
            passed if passed == len => Ok(()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    pub(crate) fn make_room(&mut self, moves: u64) -> Result<(), SolveError> {
        self.from = allocate(moves, || AtomicU32::new(0))?;
        Ok(())
    }

    /// Adds a link that [`announce`](Links::announce) has counted. `false` if there is no room for the link, which wrong counts of a
    /// checkpoint lead to.
    pub(crate) fn link(&self, state: u64, same: bool, to: u64) -> bool {
        let at = self.begins[to as usize].fetch_sub(1, Relaxed).wrapping_sub(1);
        let at = self.bases[(to / CHUNK) as usize] + u64::from(at);
        let room = self.from.get(at as usize);
        if let Some(room) = room {
            room.store(state as u32 * 2 + u32::from(same), Relaxed);
        }
        room.is_some()
    }

    /// The index of the first link to a state.
    fn bound(&self, state: u64) -> usize {
        let begin = self.begins[state as usize].load(Relaxed);
        (self.bases[(state / CHUNK) as usize] + u64::from(begin)) as usize
    }

    /// The states that lead to a state; `true` beside a state whose mover is to move again. None where wrong counts of a checkpoint
    /// leave no list.
    pub(crate) fn to(&self, state: u64) -> impl Iterator<Item = (u64, bool)> + '_ {
        let next = state + 1;
        let end = if next < self.begins.len() as u64 { self.bound(next) } else { self.from.len() };
        self.from.get(self.bound(state)..end).unwrap_or_default().iter().map(|from| {
            let from = from.load(Relaxed);
            (u64::from(from / 2), from % 2 == 1)
        })
    }

    /// Counts a move that loses. Returns `true` if no other move of the state is left.
    pub(crate) fn lose_one(&self, state: u64) -> bool {
        self.left[state as usize].fetch_sub(1, Relaxed) == 1
    }
}

/// The next bytes.
fn bytes<const N: usize>(input: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}
