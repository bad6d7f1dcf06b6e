//! [`StrategyChecker`]: the check of one strategy of a file against all answers.

use std::hash::{BuildHasher, RandomState};
use std::io::Read;

use stonework_game::{Finite, Indexed, Player, Textual};

use super::verify::ClaimCounts;
use super::{
    Goal, ImmediateRules, KnownClaims, ProofAction, ProofFault, ProofReader, ProofVisitor, VerifyLimits,
};

/// A position on the current path.
struct PathPosition<U> {
    /// The undo token of the move that leads to the position; `None` at the root.
    undo: Option<U>,
    /// The index in `moves` at which the moves of the position begin. The last move of `moves` is played first.
    first: usize,
    /// The position's number among the shared positions.
    shared: Option<usize>,
    /// `true` if the visitor has entered the position.
    entered: bool,
    /// The plies from the position within which the goal is reached, as far as the moves played so far show.
    plies: u32,
}

/// The result of visiting a position.
enum Visit {
    /// The goal is reached within this number of plies, and no move below the position is to be played.
    Reached(u32),
    /// The moves of the position, at the end of `moves`, are to be played.
    Open {
        /// The position's number among the shared positions.
        shared: Option<usize>,
        /// `true` if the visitor has entered the position.
        entered: bool,
        /// The plies within which the goal is reached after the moves that are not to be played.
        plies: u32,
    },
}

/// The shared positions of one strategy: 28 bytes each.
struct SharedPositions {
    /// A digest of the canonical bytes of each position: 128 bits. `None` until all positions below it have been verified.
    digests: Vec<Option<[u64; 2]>>,
    /// The plies within which the goal is reached from each position.
    plies: Vec<u32>,
    /// The random keys of the digests, new for each strategy, so that no file can be made to fit the keys.
    keys: [RandomState; 2],
    /// Working memory for canonical bytes.
    bytes: Vec<u8>,
}

impl SharedPositions {
    fn digest<G: Indexed>(
        &mut self,
        game: &G,
        rules: &impl ImmediateRules<G>,
    ) -> Result<[u64; 2], ProofFault> {
        self.bytes.clear();
        if !rules.canonical_bytes(game, &mut self.bytes) {
            return Err(ProofFault::Text);
        }
        Ok([0, 1].map(|i: usize| self.keys[i].hash_one(&*self.bytes)))
    }

    /// Gives a position the next number. Records cannot refer to the position yet.
    fn add(&mut self, limit: u64) -> Result<usize, ProofFault> {
        let index = self.digests.len();
        if index as u64 >= limit {
            return Err(ProofFault::TooLarge { limit, what: "shared positions" });
        }
        self.digests.push(None);
        self.plies.push(0);
        Ok(index)
    }
}

/// The check of one strategy: depth first, without recursion.
pub(super) struct StrategyChecker<'a, G: Finite, R, V> {
    game: G,
    rules: &'a R,
    goal: Goal,
    /// The side that follows the strategy.
    side: Player,
    limits: &'a VerifyLimits,
    known: &'a KnownClaims,
    /// The number of positions of the file that were visited before this strategy.
    before: u64,
    path: Vec<PathPosition<G::Undo>>,
    /// The moves that are still to be played: those of the first position of the path, then those of the second, …
    moves: Vec<G::Move>,
    /// Working memory for immediate wins.
    wins: Vec<G::Move>,
    /// The line of threats of the last record that has one.
    line: Vec<G::Move>,
    shared: SharedPositions,
    visitor: &'a mut V,
    counts: ClaimCounts,
}

impl<'a, G: Finite + Textual + Indexed, R: ImmediateRules<G>, V: ProofVisitor<G>>
    StrategyChecker<'a, G, R, V>
{
    pub(super) fn new(
        root: G,
        rules: &'a R,
        goal: Goal,
        (limits, known): (&'a VerifyLimits, &'a KnownClaims),
        before: u64,
        visitor: &'a mut V,
    ) -> Self {
        let keys = [RandomState::new(), RandomState::new()];
        let shared = SharedPositions { digests: Vec::new(), plies: Vec::new(), keys, bytes: Vec::new() };
        Self {
            game: root,
            rules,
            goal,
            side: goal.side(),
            limits,
            known,
            before,
            path: Vec::new(),
            moves: Vec::new(),
            wins: Vec::new(),
            line: Vec::new(),
            shared,
            visitor,
            counts: ClaimCounts::default(),
        }
    }

    /// Plays the whole strategy.
    pub(super) fn run(mut self, reader: &mut ProofReader<impl Read>) -> Result<ClaimCounts, ProofFault> {
        let mut longest = self.visit(None, reader)?.unwrap_or(0);
        while let Some(last) = self.path.last() {
            if self.moves.len() > last.first
                && let Some(mv) = self.moves.pop()
            {
                let undo = self.game.play_unchecked(mv);
                if let Some(plies) = self.visit(Some(undo), reader)? {
                    self.note_plies(plies);
                }
                continue;
            }
            // All moves of the last position have been played: the position leaves the path.
            let Some(last) = self.path.pop() else { break };
            if let Some(index) = last.shared {
                self.show(index, last.plies)?;
            }
            if last.entered {
                self.visitor.leave(&self.game, last.plies);
            }
            if let Some(undo) = last.undo {
                self.game.undo(undo);
            }
            longest = last.plies;
            self.note_plies(longest);
        }
        self.counts.shared = self.shared.digests.len() as u64;
        self.counts.longest = longest;
        Ok(self.counts)
    }

    /// Notes that the goal is reached within `plies` plies after one move of the last position of the path: from that
    /// position it takes one ply more.
    fn note_plies(&mut self, plies: u32) {
        if let Some(last) = self.path.last_mut() {
            last.plies = last.plies.max(plies + 1);
        }
    }

    /// Allows references to the current position, which is shared, after all positions below it have been verified.
    fn show(&mut self, index: usize, plies: u32) -> Result<(), ProofFault> {
        let digest = self.shared.digest(&self.game, self.rules)?;
        if let (Some(slot), Some(within)) =
            (self.shared.digests.get_mut(index), self.shared.plies.get_mut(index))
        {
            *slot = Some(digest);
            *within = plies;
        }
        Ok(())
    }

    /// Visits the current position. Returns the plies within which the goal is reached, or `None` if moves are to be
    /// played. In that case the position joins the path, and its plies are known when the position leaves the path.
    fn visit(
        &mut self,
        undo: Option<G::Undo>,
        reader: &mut ProofReader<impl Read>,
    ) -> Result<Option<u32>, ProofFault> {
        self.counts.positions += 1;
        let limit = self.limits.positions;
        if self.before + self.counts.positions > limit {
            return Err(ProofFault::TooLarge { limit, what: "positions" });
        }
        let first = self.moves.len();
        let visit = match self.game.outcome() {
            Some(outcome) if self.goal.is_reached(outcome) => Visit::Reached(0),
            Some(outcome) => return Err(ProofFault::Refuted(outcome)),
            None => match self.known.find(&self.game, self.rules, self.goal) {
                Some(plies) => Visit::Reached(plies),
                None => self.open(first, reader)?,
            },
        };
        let (shared, entered, plies) = match visit {
            Visit::Open { shared, entered, plies } => (shared, entered, plies),
            Visit::Reached(plies) => {
                if let Some(undo) = undo {
                    self.game.undo(undo);
                }
                return Ok(Some(plies));
            }
        };
        let limit = self.limits.plies;
        if self.path.len() >= limit {
            return Err(ProofFault::TooLarge { limit: limit as u64, what: "plies" });
        }
        self.path.push(PathPosition { undo, first, shared, entered, plies });
        self.counts.plies = self.counts.plies.max(self.path.len());
        Ok(None)
    }

    /// Visits a position that is not over. Immediate wins decide the position or force one move; a position without
    /// immediate wins has a record, the next one.
    fn open(&mut self, first: usize, reader: &mut ProofReader<impl Read>) -> Result<Visit, ProofFault> {
        let mover = self.game.to_move();
        if self.find_wins(mover) > 0 {
            return if mover == self.side { Ok(Visit::Reached(1)) } else { Err(ProofFault::Lost) };
        }
        match self.find_wins(mover.other()) {
            0 => self.record(first, reader),
            1 => {
                self.moves.extend(self.wins.first());
                // After any other move of the opponent, the strategy's side wins at once.
                let plies = if mover != self.side && self.has_choice() { 2 } else { 0 };
                Ok(Visit::Open { shared: None, entered: false, plies })
            }
            _ if mover == self.side => Err(ProofFault::Lost),
            _ => Ok(Visit::Reached(2)),
        }
    }

    /// `true` if the position has more than one legal move.
    fn has_choice(&mut self) -> bool {
        let before = self.moves.len();
        self.game.legal_moves(&mut self.moves);
        let count = self.moves.len() - before;
        self.moves.truncate(before);
        count > 1
    }

    /// Puts the immediate wins of a player into `wins`; returns their number.
    fn find_wins(&mut self, player: Player) -> usize {
        self.wins.clear();
        self.rules.winning_moves(&self.game, player, &mut self.wins);
        self.wins.len()
    }

    /// Reads the record about the current position. Puts the moves that are to be played into `moves`, from `first` on.
    fn record(&mut self, first: usize, reader: &mut ProofReader<impl Read>) -> Result<Visit, ProofFault> {
        let record = reader.number()?;
        let Some(code) = record.checked_sub(1) else {
            let plies = self.refer(reader.number()?)?;
            self.counts.kinds.references += 1;
            self.count_record(reader);
            return Ok(Visit::Reached(plies));
        };
        let (number, is_line, is_shared) = (code / 4, code & 2 != 0, code & 1 != 0);
        if is_line {
            self.read_line(number, reader)?;
        }
        // The position gets its number before the shared positions below it.
        let shared = if is_shared { Some(self.shared.add(self.limits.shared)?) } else { None };
        self.game.legal_moves(&mut self.moves);
        if self.moves.len() == first {
            return Err(ProofFault::Stuck);
        }
        let own_turn = self.game.to_move() == self.side;
        let plies = match (is_line, own_turn) {
            (true, _) if number == 0 => self.never(first)?,
            (true, true) => self.winning_line(first)?,
            (true, false) => self.answering_line(first)?,
            (false, true) => self.single_move(first, number)?,
            (false, false) if number == 0 => self.all_moves()?,
            (false, false) => return Err(ProofFault::Record(record)),
        };
        self.count_record(reader);
        if self.moves.len() > first {
            // The last move of `moves` is played first.
            self.moves.get_mut(first..).unwrap_or_default().reverse();
            return Ok(Visit::Open { shared, entered: true, plies });
        }
        if let Some(index) = shared {
            self.show(index, plies)?;
        }
        self.visitor.leave(&self.game, plies);
        Ok(Visit::Reached(plies))
    }

    fn count_record(&mut self, reader: &mut ProofReader<impl Read>) {
        self.counts.records += 1;
        reader.count_record();
    }

    /// Checks a record which states that the player of a goal not to win can no longer win.
    fn never(&mut self, first: usize) -> Result<u32, ProofFault> {
        if self.goal.wins || !self.rules.cannot_win(&self.game, self.goal.player) {
            return Err(ProofFault::Never);
        }
        self.moves.truncate(first);
        self.counts.kinds.never += 1;
        self.visitor.enter(&self.game, ProofAction::Never)?;
        Ok(0)
    }

    /// Checks a record at a position of the strategy's side: the side wins by the line of threats.
    fn winning_line(&mut self, first: usize) -> Result<u32, ProofFault> {
        let plies = self.line_wins().ok_or(ProofFault::Line(self.line.len()))?;
        self.moves.truncate(first);
        self.counts.kinds.lines += 1;
        self.visitor.enter(&self.game, ProofAction::Line(&self.line))?;
        Ok(plies)
    }

    /// Checks a record at a position of the opponent: moves after which the line of threats does not win are to be played.
    fn answering_line(&mut self, first: usize) -> Result<u32, ProofFault> {
        let (mut kept, mut plies) = (first, 0);
        for i in first..self.moves.len() {
            let Some(&mv) = self.moves.get(i) else { break };
            let undo = self.game.play_unchecked(mv);
            let within = self.line_wins();
            self.game.undo(undo);
            if let Some(within) = within {
                plies = plies.max(within + 1);
            } else if let Some(slot) = self.moves.get_mut(kept) {
                *slot = mv;
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        self.counts.kinds.answers += 1;
        self.visitor.enter(&self.game, ProofAction::Line(&self.line))?;
        Ok(plies)
    }

    /// Checks a record with one move of the strategy's side: the index of the move among the legal moves.
    fn single_move(&mut self, first: usize, index: u64) -> Result<u32, ProofFault> {
        let moves = self.moves.len() - first;
        let mv = usize::try_from(index).ok().and_then(|i| self.moves.get(first..)?.get(i)).copied();
        let mv = mv.ok_or(ProofFault::Move { index, moves })?;
        self.moves.truncate(first);
        self.moves.push(mv);
        self.counts.kinds.moves += 1;
        self.visitor.enter(&self.game, ProofAction::Move(mv))?;
        Ok(0)
    }

    /// Takes a record with all moves of the opponent, which are in `moves` and are to be played.
    fn all_moves(&mut self) -> Result<u32, ProofFault> {
        self.counts.kinds.all += 1;
        self.visitor.enter(&self.game, ProofAction::All)?;
        Ok(0)
    }

    /// Reads the moves of a line of threats: those of the strategy's side.
    fn read_line(&mut self, count: u64, reader: &mut ProofReader<impl Read>) -> Result<(), ProofFault> {
        if count > self.limits.plies as u64 {
            return Err(ProofFault::LongLine(count));
        }
        self.line.clear();
        for _ in 0..count {
            let index = reader.number()?;
            let mv = usize::try_from(index).ok().and_then(|index| self.game.move_at(index));
            self.line.push(mv.ok_or(ProofFault::Move { index, moves: self.game.index_len() })?);
        }
        Ok(())
    }

    /// Plays the line of threats with the forced answers of the opponent, and takes it back. Returns the plies within
    /// which the strategy's side wins, or `None` if the line does not win.
    fn line_wins(&mut self) -> Option<u32> {
        let mut undos = Vec::new();
        let mut rest = None;
        for i in 0..self.line.len() {
            let Some(&mv) = self.line.get(i) else { break };
            if self.game.outcome().is_some() || self.game.to_move() != self.side {
                break;
            }
            if self.find_wins(self.side) > 0 {
                rest = Some(1);
                break;
            }
            let threats = self.find_wins(self.side.other());
            let meets_threats = threats == 0 || threats == 1 && self.wins.first() == Some(&mv);
            if !meets_threats || self.game.check(mv).is_err() {
                break;
            }
            undos.push(self.game.play_unchecked(mv));
            if let Some(outcome) = self.game.outcome() {
                rest = (outcome.winner() == Some(self.side)).then_some(0);
                break;
            }
            if self.game.to_move() == self.side || self.find_wins(self.side.other()) > 0 {
                break;
            }
            match (self.find_wins(self.side), self.wins.first().copied()) {
                (1, Some(answer)) if self.game.check(answer).is_ok() => {
                    undos.push(self.game.play_unchecked(answer));
                }
                (0 | 1, _) => break,
                _ => {
                    rest = Some(2);
                    break;
                }
            }
        }
        let plies = rest.map(|rest| undos.len() as u32 + rest);
        while let Some(undo) = undos.pop() {
            self.game.undo(undo);
        }
        plies
    }

    /// Checks a reference to a shared position, which must be the current position. Returns the plies within which the
    /// goal is reached.
    fn refer(&mut self, index: u64) -> Result<u32, ProofFault> {
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        match (self.shared.digests.get(at).copied().flatten(), self.shared.plies.get(at).copied()) {
            (Some(digest), Some(plies)) => {
                let here = self.shared.digest(&self.game, self.rules)?;
                if digest == here { Ok(plies) } else { Err(ProofFault::Other { index }) }
            }
            _ => Err(ProofFault::Unknown { index, shown: self.shared.digests.len() as u64 }),
        }
    }
}
