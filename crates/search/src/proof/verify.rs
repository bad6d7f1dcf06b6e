//! Verifying a proof: the rules, the file, and nothing else.

use std::hash::{BuildHasher, RandomState};
use std::io::Read;

use stonework_game::text::head;
use stonework_game::{Finite, Game, Notation, Outcome, Player};

use super::blocks::{Fault, GAME_LINE, ROOT_LINE, Reader, Refused};
use super::{Claim, Sight};

/// How large a proof may be before it is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Caps {
    /// Plies of the longest line.
    pub plies: usize,
    /// Positions that are met, ends of games among them.
    pub positions: u64,
    /// Shared positions of one strategy; each takes 28 bytes.
    pub shared: u64,
}

/// 10 000 plies, 2³⁶ positions, 2²³ shared ones (224 MiB).
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
    /// The same for each claim.
    pub by_claim: Vec<Tally>,
}

/// What the proof of one claim has, counted while it was verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
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
    /// Plies of the longest game that the other side can make of it, through shared positions and lines of threats: until
    /// the side of the strategy has won, or the one who is not to win never will.
    pub longest: u32,
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

/// What a strategy does at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Deed {
    /// All moves are played.
    All,
    /// One move is.
    Move,
    /// These moves win, now or after all moves but those that are played.
    Line,
    /// The one who is not to win cannot any more.
    Never,
}

/// Who is told what a proof holds while it is verified: the beginning and the end of each position that has a record of its
/// own, one inside the other.
pub(crate) trait Listener<G: Game> {
    /// A strategy begins: for the claim that `who` wins, or does not.
    fn strategy(&mut self, who: Player, wins: bool);

    /// At this position the strategy does so, with these moves.
    fn begin(&mut self, game: &G, deed: Deed, moves: &[G::Move]) -> Result<(), Fault>;

    /// The last position that has begun, which is this one, is shown, and settled within so many plies.
    fn end(&mut self, game: &G, plies: u32);
}

/// Nobody.
impl<G: Game> Listener<G> for () {
    fn strategy(&mut self, _: Player, _: bool) {}

    fn begin(&mut self, _: &G, _: Deed, _: &[G::Move]) -> Result<(), Fault> {
        Ok(())
    }

    fn end(&mut self, _: &G, _: u32) {}
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
    verify_aloud(game, sight, input, caps, &mut ())
}

/// The same for a listener.
pub(crate) fn verify_aloud<G: Finite + Notation, S: Sight<G>>(
    game: &str,
    sight: &S,
    input: impl Read,
    caps: &Caps,
    listener: &mut impl Listener<G>,
) -> Result<Verified<G>, Refused> {
    let mut reader = Reader::new(input)?;
    if reader.game() != game {
        let (found, expected) = (reader.game().to_owned(), game.to_owned());
        return Err(reader.refuse_line(GAME_LINE, Fault::Game { found, expected }));
    }
    let mut claims = Vec::new();
    for (i, (text, claim)) in reader.claims().enumerate() {
        let root = read_root(text).map_err(|fault| reader.refuse_line(ROOT_LINE + 2 * i, fault))?;
        claims.push((root, claim));
    }
    let checked = check(&mut reader, sight, caps, &claims, listener);
    let (total, by_claim) = checked.map_err(|fault| reader.refuse(fault))?;
    let Tally { positions, records, kinds, shared, plies, .. } = total;
    Ok(Verified { claims, positions, records, kinds, shared, plies, by_claim })
}

/// A root position, which must be written as the game writes it.
fn read_root<G: Notation>(text: &str) -> Result<G, Fault> {
    let root = G::parse_position(text).map_err(Fault::Root)?;
    let expected = root.position_text();
    if text == expected {
        return Ok(root);
    }
    let same = text.char_indices().zip(expected.chars()).find(|((_, a), b)| a != b);
    let at = same.map_or(text.len().min(expected.len()), |((at, _), _)| at);
    let [found, expected] = [text, &expected].map(|text| head(text.get(at..).unwrap_or_default()).to_owned());
    Err(Fault::Spelling { at, found, expected })
}

/// Counts it, in all and by claim.
fn check<G: Finite + Notation, S: Sight<G>, R: Read>(
    reader: &mut Reader<R>,
    sight: &S,
    caps: &Caps,
    claims: &[(G, Claim)],
    listener: &mut impl Listener<G>,
) -> Result<(Tally, Vec<Tally>), Fault> {
    let (mut total, mut by_claim) = (Tally::default(), Vec::new());
    for (root, claim) in claims {
        let before = total;
        let (mut longest, mut plies) = (0, 0);
        for (who, wins) in claim.parts() {
            listener.strategy(who, wins);
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
                heights: Vec::new(),
                listener: &mut *listener,
                positions: total.positions,
                plies: 0,
                kinds: total.kinds,
            };
            longest = longest.max(part.walk(reader)?);
            total.positions = part.positions;
            plies = plies.max(part.plies);
            total.kinds = part.kinds;
            total.shared += part.shared.len() as u64;
        }
        total.records = reader.records;
        total.plies = total.plies.max(plies);
        total.longest = total.longest.max(longest);
        by_claim.push(Tally {
            positions: total.positions - before.positions,
            records: total.records - before.records,
            kinds: total.kinds.without(before.kinds),
            shared: total.shared - before.shared,
            plies,
            longest,
        });
    }
    reader.finish(total.shared)?;
    Ok((total, by_claim))
}

impl Kinds {
    /// What came after `before`.
    const fn without(self, before: Self) -> Self {
        Self {
            references: self.references - before.references,
            moves: self.moves - before.moves,
            all: self.all - before.all,
            lines: self.lines - before.lines,
            answers: self.answers - before.answers,
            never: self.never - before.never,
        }
    }
}

/// A position on the current path.
struct Ply<U> {
    undo: Option<U>,
    /// Where its moves begin that are still to be played; they are taken from the end.
    first: usize,
    /// Its number among the shared ones.
    shared: Option<usize>,
    /// Whether the listener was told of it.
    told: bool,
    /// Within how many plies what was shown below it is settled.
    plies: u32,
}

/// How a position goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    /// Not at all: it is settled, within so many plies.
    Settled(u32),
    /// With the moves that were listed; it may have a number among the shared ones. What was not listed is settled within so
    /// many plies. The listener may have been told.
    On { shared: Option<usize>, plies: u32, told: bool },
}

/// Walks through one strategy.
struct Part<'a, G: Finite + Notation, S, L> {
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
    /// Within how many plies shared positions are settled.
    heights: Vec<u32>,
    listener: &'a mut L,
    positions: u64,
    plies: usize,
    kinds: Kinds,
}

impl<G: Finite + Notation, S: Sight<G>, L: Listener<G>> Part<'_, G, S, L> {
    /// Walks through all of it; tells within how many plies its root is settled.
    fn walk<R: Read>(&mut self, reader: &mut Reader<R>) -> Result<u32, Fault> {
        let mut settled = self.meet(None, reader)?.unwrap_or(0);
        while let Some(ply) = self.path.last() {
            if self.moves.len() > ply.first
                && let Some(mv) = self.moves.pop()
            {
                let undo = self.game.play_unchecked(mv);
                if let Some(below) = self.meet(Some(undo), reader)? {
                    self.longer(below);
                }
                continue;
            }
            if let Some(index) = ply.shared {
                let plies = ply.plies;
                self.share(index, plies)?;
            }
            let Some(ply) = self.path.pop() else { break };
            if ply.told {
                self.listener.end(&self.game, ply.plies);
            }
            if let Some(undo) = ply.undo {
                self.game.undo(undo);
            }
            settled = ply.plies;
            self.longer(settled);
        }
        Ok(settled)
    }

    /// What follows the end of the path is settled within so many plies.
    fn longer(&mut self, below: u32) {
        if let Some(ply) = self.path.last_mut() {
            ply.plies = ply.plies.max(below + 1);
        }
    }

    /// All below a shared position is shown: it may be referred to.
    fn share(&mut self, index: usize, plies: u32) -> Result<(), Fault> {
        let digest = self.digest()?;
        if let (Some(slot), Some(height)) = (self.shared.get_mut(index), self.heights.get_mut(index)) {
            *slot = Some(digest);
            *height = plies;
        }
        Ok(())
    }

    /// Meets a position: it is settled within the plies that are returned, or becomes the end of the path, and how many plies
    /// it takes is known when it leaves the path.
    fn meet<R: Read>(&mut self, undo: Option<G::Undo>, reader: &mut Reader<R>) -> Result<Option<u32>, Fault> {
        self.positions += 1;
        if self.positions > self.caps.positions {
            return Err(Fault::TooLarge { limit: self.caps.positions, what: "positions" });
        }
        let first = self.moves.len();
        let next = match self.game.outcome() {
            Some(outcome) if (outcome == Outcome::Win(self.who)) == self.wins => Next::Settled(0),
            Some(outcome) => return Err(Fault::Refuted(outcome)),
            None => self.open(first, reader)?,
        };
        let (shared, plies, told) = match next {
            Next::On { shared, plies, told } => (shared, plies, told),
            Next::Settled(plies) => {
                if let Some(undo) = undo {
                    self.game.undo(undo);
                }
                return Ok(Some(plies));
            }
        };
        if self.path.len() >= self.caps.plies {
            return Err(Fault::TooLarge { limit: self.caps.plies as u64, what: "plies" });
        }
        self.path.push(Ply { undo, first, shared, told, plies });
        self.plies = self.plies.max(self.path.len());
        Ok(None)
    }

    /// Finds out what is to be done at a position that is not over.
    fn open<R: Read>(&mut self, first: usize, reader: &mut Reader<R>) -> Result<Next, Fault> {
        let mover = self.game.to_move();
        let at_once = self.winning(mover);
        if at_once > 0 {
            return if mover == self.side { Ok(Next::Settled(1)) } else { Err(Fault::Lost) };
        }
        match self.winning(mover.other()) {
            0 => self.record(first, reader),
            1 => {
                self.moves.extend(self.room.first());
                // After any other move the strategy's side wins at once.
                let plies = if mover != self.side && self.has_choice() { 2 } else { 0 };
                Ok(Next::On { shared: None, plies, told: false })
            }
            _ if mover == self.side => Err(Fault::Lost),
            _ => Ok(Next::Settled(2)),
        }
    }

    /// Whether there is more than one legal move.
    fn has_choice(&mut self) -> bool {
        let listed = self.moves.len();
        self.game.legal_moves(&mut self.moves);
        let count = self.moves.len() - listed;
        self.moves.truncate(listed);
        count > 1
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
            let plies = self.known(reader.number()?)?;
            reader.records += 1;
            self.kinds.references += 1;
            return Ok(Next::Settled(plies));
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
            self.heights.push(0);
        }
        let mut plies = 0;
        self.game.legal_moves(&mut self.moves);
        let count = self.moves.len() - first;
        let (kind, deed) = match (line, mine) {
            _ if count == 0 => return Err(Fault::Stuck),
            (true, _) if number == 0 => {
                if self.wins || !self.sight.never(&self.game, self.who) {
                    return Err(Fault::Never);
                }
                self.moves.truncate(first);
                self.line.clear();
                (&mut self.kinds.never, Deed::Never)
            }
            (true, true) => {
                plies = self.line_wins().ok_or(Fault::Line(self.line.len()))?;
                self.moves.truncate(first);
                (&mut self.kinds.lines, Deed::Line)
            }
            (true, false) => {
                plies = self.drop_answered(first);
                (&mut self.kinds.answers, Deed::Line)
            }
            (false, true) => {
                let chosen = usize::try_from(number).ok().and_then(|i| self.moves.get(first + i)).copied();
                let Some(chosen) = chosen else { return Err(Fault::Move { index: number, moves: count }) };
                self.moves.truncate(first);
                self.moves.push(chosen);
                self.line.clear();
                self.line.push(chosen);
                (&mut self.kinds.moves, Deed::Move)
            }
            (false, false) if number > 0 => return Err(Fault::Record(record)),
            (false, false) => {
                self.line.clear();
                (&mut self.kinds.all, Deed::All)
            }
        };
        *kind += 1;
        reader.records += 1;
        self.listener.begin(&self.game, deed, &self.line)?;
        // They are taken from the end.
        self.moves.get_mut(first..).unwrap_or_default().reverse();
        if self.moves.len() > first {
            return Ok(Next::On { shared: shared.then_some(index), plies, told: true });
        }
        if shared {
            self.share(index, plies)?;
        }
        self.listener.end(&self.game, plies);
        Ok(Next::Settled(plies))
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

    /// Keeps those moves from `first` on after which the line does not win; the others are settled within so many plies.
    fn drop_answered(&mut self, first: usize) -> u32 {
        let mut kept = Vec::with_capacity(self.moves.len() - first);
        let mut plies = 0;
        for mv in self.moves.split_off(first) {
            let undo = self.game.play_unchecked(mv);
            match self.line_wins() {
                Some(line) => plies = plies.max(line + 1),
                None => kept.push(mv),
            }
            self.game.undo(undo);
        }
        self.moves.append(&mut kept);
        plies
    }

    /// Within how many plies the strategy's side, to move, wins with the line, while each answer is the only one; nothing if it
    /// does not.
    fn line_wins(&mut self) -> Option<u32> {
        let mut undos = Vec::new();
        let mut more = None;
        for i in 0..self.line.len() {
            let Some(&mv) = self.line.get(i) else { break };
            if self.game.outcome().is_some() || self.game.to_move() != self.side {
                break;
            }
            if self.winning(self.side) > 0 {
                more = Some(1);
                break;
            }
            let blocks = self.winning(self.side.other());
            let only = blocks == 0 || blocks == 1 && self.room.first() == Some(&mv);
            if !only || self.game.check(mv).is_err() {
                break;
            }
            undos.push(self.game.play_unchecked(mv));
            if let Some(outcome) = self.game.outcome() {
                more = (outcome == Outcome::Win(self.side)).then_some(0);
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
                    more = Some(2);
                    break;
                }
            }
        }
        let plies = more.map(|more| undos.len() as u32 + more);
        while let Some(undo) = undos.pop() {
            self.game.undo(undo);
        }
        plies
    }

    /// Whether a shared position is the one on the board, and within how many plies it is settled.
    fn known(&mut self, index: u64) -> Result<u32, Fault> {
        let shown = usize::try_from(index).ok().and_then(|i| self.shared.get(i)).copied().flatten();
        match shown {
            None => Err(Fault::Unknown { index, shown: self.shared.len() as u64 }),
            Some(digest) if digest == self.digest()? => {
                Ok(usize::try_from(index).ok().and_then(|i| self.heights.get(i)).copied().unwrap_or(0))
            }
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
