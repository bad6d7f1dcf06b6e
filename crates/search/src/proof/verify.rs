//! Verifying a proof: the rules, the file, and nothing else.

use std::hash::{BuildHasher, RandomState};
use std::io::Read;

use stonework_game::{Finite, Notation, Outcome, Player};

use super::blocks::{Fault, Reader, Refused};
use super::{Claim, Sight};

/// How large a proof may be before it is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Caps {
    /// Plies of the longest line.
    pub plies: usize,
    /// Positions that are met, ends of games among them.
    pub positions: u64,
    /// Shared positions of one strategy; each takes 16 bytes.
    pub shared: u64,
}

/// 10 000 plies, 2³⁶ positions, 2²³ shared ones (128 MiB).
impl Default for Caps {
    fn default() -> Self {
        Self { plies: 10_000, positions: 1 << 36, shared: 1 << 23 }
    }
}

/// A proof that holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified<G> {
    /// The root positions with what is shown of them, as the file lists them.
    pub claims: Vec<(G, Claim)>,
    /// Positions that were met, ends of games among them; those on lines of threats not.
    pub positions: u64,
    /// Records that were read.
    pub records: u64,
    /// Records by kind.
    pub kinds: Kinds,
    /// Shared positions.
    pub shared: u64,
    /// Plies of the longest line, up to shared positions and lines of threats.
    pub plies: usize,
}

/// How often each kind of record was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Kinds {
    /// References to shared positions.
    pub references: u64,
    /// One move of the strategy's side.
    pub moves: u64,
    /// All moves of the other side.
    pub all: u64,
    /// Leaves: the strategy's side wins by a line of threats.
    pub lines: u64,
    /// A line of threats answers most moves of the other side.
    pub answers: u64,
    /// Leaves: the one who is not to win never will.
    pub never: u64,
}

/// Reads a proof about a game and checks every move of it.
///
/// `game` is the name that the file must give. That the roots are the positions which the caller has in
/// mind is the caller's to compare. Memory, time and limits are described at the
/// [module](super).
///
/// # Errors
/// With the place and what is wrong there, if this is no proof of what it claims.
pub fn verify<G: Finite + Notation, S: Sight<G>>(
    game: &str,
    sight: &S,
    input: impl Read,
    caps: &Caps,
) -> Result<Verified<G>, Refused> {
    let mut reader = Reader::new(input)?;
    if reader.game() != game {
        let (found, expected) = (reader.game().to_owned(), game.to_owned());
        return Err(reader.refuse(Fault::Game { found, expected }));
    }
    let mut claims = Vec::new();
    for (root, claim) in reader.claims() {
        let root = G::parse_position(root).map_err(|error| reader.refuse(Fault::Root(error)))?;
        claims.push((root, claim));
    }
    let (kinds, shared) = (Kinds::default(), 0);
    let mut verified = Verified { claims, positions: 0, records: 0, kinds, shared, plies: 0 };
    check(&mut reader, sight, caps, &mut verified).map_err(|fault| reader.refuse(fault))?;
    verified.records = reader.records;
    Ok(verified)
}

fn check<G: Finite + Notation, S: Sight<G>, R: Read>(
    reader: &mut Reader<R>,
    sight: &S,
    caps: &Caps,
    verified: &mut Verified<G>,
) -> Result<(), Fault> {
    let roots = verified.claims.clone();
    for (root, claim) in roots {
        for (who, wins) in claim.parts() {
            let mut part = Part {
                game: root.clone(),
                sight,
                who,
                wins,
                side: if wins { who } else { who.other() },
                caps,
                path: Vec::new(),
                moves: Vec::new(),
                room: Vec::new(),
                line: Vec::new(),
                bytes: Vec::new(),
                shared: Vec::new(),
                keys: [RandomState::new(), RandomState::new()],
                positions: verified.positions,
                plies: verified.plies,
                kinds: verified.kinds,
            };
            part.walk(reader)?;
            verified.positions = part.positions;
            verified.plies = part.plies;
            verified.kinds = part.kinds;
            verified.shared += part.shared.len() as u64;
        }
    }
    reader.finish(verified.shared)
}

/// A position on the current path.
struct Ply<U> {
    undo: Option<U>,
    /// Where its moves begin that are still to be played; they are taken from the end.
    first: usize,
    /// Its number among the shared ones.
    shared: Option<usize>,
}

/// How a position goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// Not at all.
    Settled,
    /// With the moves that were listed; it may have a number among the shared ones.
    On { shared: Option<usize> },
}

/// Walks through one strategy.
struct Part<'a, G: Finite + Notation, S> {
    game: G,
    sight: &'a S,
    who: Player,
    wins: bool,
    /// Who the strategy is for.
    side: Player,
    caps: &'a Caps,
    path: Vec<Ply<G::Undo>>,
    moves: Vec<G::Move>,
    room: Vec<G::Move>,
    /// The line of the last record.
    line: Vec<G::Move>,
    bytes: Vec<u8>,
    /// What shared positions are known by, once all below them is shown.
    shared: Vec<Option<[u64; 2]>>,
    keys: [RandomState; 2],
    positions: u64,
    plies: usize,
    kinds: Kinds,
}

impl<G: Finite + Notation, S: Sight<G>> Part<'_, G, S> {
    fn walk<R: Read>(&mut self, reader: &mut Reader<R>) -> Result<(), Fault> {
        self.meet(None, reader)?;
        while let Some(ply) = self.path.last() {
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
            if let Some(undo) = self.path.pop().and_then(|ply| ply.undo) {
                self.game.undo(undo);
            }
        }
        Ok(())
    }

    /// Meets a position: it is settled, or becomes the end of the path.
    fn meet<R: Read>(&mut self, undo: Option<G::Undo>, reader: &mut Reader<R>) -> Result<(), Fault> {
        self.positions += 1;
        if self.positions > self.caps.positions {
            return Err(Fault::TooLarge { limit: self.caps.positions, what: "positions" });
        }
        let first = self.moves.len();
        let next = match self.game.outcome() {
            Some(outcome) if (outcome == Outcome::Win(self.who)) == self.wins => Next::Settled,
            Some(outcome) => return Err(Fault::Refuted(outcome)),
            None => self.open(first, reader)?,
        };
        let Next::On { shared } = next else {
            if let Some(undo) = undo {
                self.game.undo(undo);
            }
            return Ok(());
        };
        if self.path.len() >= self.caps.plies {
            return Err(Fault::TooLarge { limit: self.caps.plies as u64, what: "plies" });
        }
        self.path.push(Ply { undo, first, shared });
        self.plies = self.plies.max(self.path.len());
        Ok(())
    }

    /// Finds out what is to be done at a position that is not over.
    fn open<R: Read>(&mut self, first: usize, reader: &mut Reader<R>) -> Result<Next, Fault> {
        let mover = self.game.to_move();
        let at_once = self.winning(mover);
        if at_once > 0 {
            return if mover == self.side { Ok(Next::Settled) } else { Err(Fault::Lost) };
        }
        match self.winning(mover.other()) {
            0 => self.record(first, reader),
            1 => {
                self.moves.extend(self.room.first());
                Ok(Next::On { shared: None })
            }
            _ if mover == self.side => Err(Fault::Lost),
            _ => Ok(Next::Settled),
        }
    }

    /// How many moves win at once for a side; they are in `room` then.
    fn winning(&mut self, player: Player) -> usize {
        self.room.clear();
        self.sight.wins(&self.game, player, &mut self.room);
        self.room.len()
    }

    /// Does what a record says.
    fn record<R: Read>(&mut self, first: usize, reader: &mut Reader<R>) -> Result<Next, Fault> {
        let record = reader.number()?;
        let Some(code) = record.checked_sub(1) else {
            self.known(reader.number()?)?;
            reader.records += 1;
            self.kinds.references += 1;
            return Ok(Next::Settled);
        };
        let (number, line, shared) = (code / 4, code & 2 != 0, code & 1 != 0);
        let mine = self.game.to_move() == self.side;
        if line && number > 0 {
            self.read_line(number, reader)?;
        }
        // Its number comes before those of the positions below it.
        let index = self.shared.len();
        if shared {
            if index as u64 >= self.caps.shared {
                return Err(Fault::TooLarge { limit: self.caps.shared, what: "shared positions" });
            }
            self.shared.push(None);
        }
        self.game.legal_moves(&mut self.moves);
        let count = self.moves.len() - first;
        let kind = match (line, mine) {
            _ if count == 0 => return Err(Fault::Stuck),
            (true, _) if number == 0 => {
                if self.wins || !self.sight.never(&self.game, self.who) {
                    return Err(Fault::Never);
                }
                self.moves.truncate(first);
                &mut self.kinds.never
            }
            (true, true) => {
                if !self.line_wins() {
                    return Err(Fault::Line(self.line.len()));
                }
                self.moves.truncate(first);
                &mut self.kinds.lines
            }
            (true, false) => {
                self.drop_answered(first);
                &mut self.kinds.answers
            }
            (false, true) => {
                let chosen = usize::try_from(number).ok().and_then(|i| self.moves.get(first + i)).copied();
                let Some(chosen) = chosen else { return Err(Fault::Move { index: number, moves: count }) };
                self.moves.truncate(first);
                self.moves.push(chosen);
                &mut self.kinds.moves
            }
            (false, false) if number > 0 => return Err(Fault::Record(record)),
            (false, false) => &mut self.kinds.all,
        };
        *kind += 1;
        reader.records += 1;
        // They are taken from the end.
        self.moves.get_mut(first..).unwrap_or_default().reverse();
        if self.moves.len() > first {
            return Ok(Next::On { shared: shared.then_some(index) });
        }
        if shared {
            let digest = self.digest()?;
            if let Some(slot) = self.shared.get_mut(index) {
                *slot = Some(digest);
            }
        }
        Ok(Next::Settled)
    }

    /// Reads the moves of a line.
    fn read_line<R: Read>(&mut self, count: u64, reader: &mut Reader<R>) -> Result<(), Fault> {
        if count > self.caps.plies as u64 {
            return Err(Fault::LongLine(count));
        }
        self.line.clear();
        for _ in 0..count {
            let number = reader.number()?;
            let unknown = Fault::Move { index: number, moves: 0 };
            self.line.push(self.sight.with_number(&self.game, number).ok_or(unknown)?);
        }
        Ok(())
    }

    /// Keeps those moves from `first` on after which the line does not win.
    fn drop_answered(&mut self, first: usize) {
        let mut kept = Vec::with_capacity(self.moves.len() - first);
        for mv in self.moves.split_off(first) {
            let undo = self.game.play_unchecked(mv);
            if !self.line_wins() {
                kept.push(mv);
            }
            self.game.undo(undo);
        }
        self.moves.append(&mut kept);
    }

    /// Whether the strategy's side, to move, wins with the line, while each answer is the only one.
    fn line_wins(&mut self) -> bool {
        let mut undos = Vec::new();
        let mut won = false;
        for i in 0..self.line.len() {
            let Some(&mv) = self.line.get(i) else { break };
            if self.game.outcome().is_some() || self.game.to_move() != self.side {
                break;
            }
            if self.winning(self.side) > 0 {
                won = true;
                break;
            }
            let blocks = self.winning(self.side.other());
            let only = blocks == 0 || blocks == 1 && self.room.first() == Some(&mv);
            if !only || self.game.check(mv).is_err() {
                break;
            }
            undos.push(self.game.play_unchecked(mv));
            if let Some(outcome) = self.game.outcome() {
                won = outcome == Outcome::Win(self.side);
                break;
            }
            if self.game.to_move() == self.side || self.winning(self.side.other()) > 0 {
                break;
            }
            match (self.winning(self.side), self.room.first().copied()) {
                (1, Some(answer)) if self.game.check(answer).is_ok() => {
                    undos.push(self.game.play_unchecked(answer));
                }
                (0 | 1, _) => break,
                _ => {
                    won = true;
                    break;
                }
            }
        }
        while let Some(undo) = undos.pop() {
            self.game.undo(undo);
        }
        won
    }

    /// Whether a shared position is the one on the board.
    fn known(&mut self, index: u64) -> Result<(), Fault> {
        let shown = usize::try_from(index).ok().and_then(|i| self.shared.get(i)).copied().flatten();
        match shown {
            None => Err(Fault::Unknown { index, shown: self.shared.len() as u64 }),
            Some(digest) if digest == self.digest()? => Ok(()),
            Some(_) => Err(Fault::Other { index }),
        }
    }

    fn digest(&mut self) -> Result<[u64; 2], Fault> {
        self.bytes.clear();
        if !self.sight.orbit(&self.game, &mut self.bytes) {
            return Err(Fault::Text);
        }
        Ok([0, 1].map(|i: usize| self.keys[i].hash_one(&*self.bytes)))
    }
}
