//! [`Dfpn::children`], [`Dfpn::glance`], [`Dfpn::harvest`] and [`Dfpn::plant`]: the findings of a bounded search, for searches of other
//! processes.

use stonework_game::{Finite, Keyed, Player};

use super::Dfpn;
use super::drive::{Solve, Task};
use super::leaf::LeafEvaluator;
use super::numbers::Query;
use super::store::{nodes_of, pack, read, unpack};
use crate::{Limits, Meter, ProofNumbers, ProofTactics};

/// A move of a position, with the numbers of the position after the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChildNumbers<M> {
    /// The move.
    pub mv: M,
    /// The proof and disproof numbers of the question that was asked.
    pub numbers: ProofNumbers,
    /// The nodes that the search has spent below the position, rounded down by at most one in eight; 0 for a
    /// position that was evaluated but not searched.
    pub nodes: u64,
}

/// An entry of the table of a [`Dfpn`] on its way to another search of the same game and the same version.
///
/// The entry has a key of 64 bits of position and question, the proof numbers, the work, and for a decided position
/// the name of the deciding move. An entry steers a search. A decided entry also ends it: a wrong one makes an answer
/// wrong, which a proof then does not follow. Take entries from searches that you trust with your time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TableEntry {
    key: u64,
    data: u64,
}

impl TableEntry {
    /// The bytes of an entry.
    pub const BYTES: usize = 16;

    /// The entry as bytes: the key, then the data as [`Dfpn::save`] describes them, both little-endian.
    #[must_use]
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let (key, data) = bytes.split_at_mut(8);
        key.copy_from_slice(&self.key.to_le_bytes());
        data.copy_from_slice(&self.data.to_le_bytes());
        bytes
    }

    /// The entry of these bytes; `None` if they are no valid entry.
    #[must_use]
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Option<Self> {
        let word = |half: &[u8]| half.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        let (key, data) = bytes.split_at(8);
        let entry = Self { key: word(key), data: word(data) };
        read(entry.data).map(|_| entry)
    }

    /// The proof and disproof numbers.
    #[must_use]
    pub fn numbers(self) -> ProofNumbers {
        unpack(self.data).numbers
    }

    /// The nodes below the position, rounded down by at most one in eight.
    #[must_use]
    pub fn nodes(self) -> u64 {
        nodes_of(unpack(self.data).work)
    }
}

impl<Tactic> Dfpn<Tactic> {
    /// The moves of a position with their numbers for the question "does `who` win?", from the table of the last
    /// search. The list has the moves that the search tries: of moves that lead to images of one position only the
    /// first, and none that the tactics exclude. Positions that the table has lost are evaluated.
    ///
    /// The call takes one evaluation for each move, and no search. A worker that could not decide a position within
    /// its limit reports these numbers.
    ///
    /// ```
    /// use stonework_game::{Game, example::Nim};
    /// use stonework_search::{Dfpn, DfpnOptions, Engine, Limits, Question};
    /// let root = Nim::new(200);
    /// let options = DfpnOptions::new().keep(true).question(Question::Wins(root.to_move()));
    /// let mut engine = Dfpn::new(options)?;
    /// assert_eq!(engine.think(&root, &Limits::none().nodes(100)).proven, None);
    /// let children = engine.children(&root, root.to_move());
    /// assert_eq!(children.iter().map(|child| child.mv).collect::<Vec<_>>(), [1, 2]);
    /// assert!(children.iter().all(|child| child.nodes > 0));
    /// # Ok::<(), stonework_search::OptionsError>(())
    /// ```
    #[must_use]
    pub fn children<G: Finite + Keyed>(&self, root: &G, who: Player) -> Vec<ChildNumbers<G::Move>>
    where
        Tactic: ProofTactics<G> + Clone,
    {
        if root.outcome().is_some() {
            return Vec::new();
        }
        let question = Query::new(who);
        let mut evaluator = LeafEvaluator::new(self.tactics_ref().clone(), self.initial());
        let (mut game, mut moves) = (root.clone(), Vec::new());
        evaluator.expand(&mut game, &mut moves);
        let mut children: Vec<ChildNumbers<G::Move>> = Vec::with_capacity(moves.len());
        let mut keys: Vec<u64> = Vec::with_capacity(moves.len());
        for mv in moves {
            let undo = game.play_unchecked(mv);
            let key = question.key(&game, 1);
            let honest = game.outcome().is_none() && game.horizon() == u32::MAX;
            if !honest || !keys.contains(&key) {
                let known = Some(key).filter(|_| honest).and_then(|key| self.store.get(key));
                let nodes = known.map_or(0, |known| if known.work == 0 { 0 } else { nodes_of(known.work) });
                let numbers = known.map(|known| known.numbers);
                let numbers = numbers.unwrap_or_else(|| {
                    let own = evaluator.evaluate(&mut game, &question, 1).numbers();
                    if honest { self.by_other_side(&game, &question, own) } else { own }
                });
                keys.extend(honest.then_some(key));
                children.push(ChildNumbers { mv, numbers, nodes });
            }
            game.undo(undo);
        }
        children
    }

    /// The numbers of a position that the table does not know, by what the table knows about the other side's question.
    fn by_other_side<G: Finite + Keyed>(
        &self,
        game: &G,
        question: &Query,
        own: ProofNumbers,
    ) -> ProofNumbers {
        let other = question.who.other();
        if !self.uses_both_sides() || own.decided().is_some() || !self.store.has_side(other) {
            return own;
        }
        let known = self.store.get(Query::new(other).key(game, 1));
        match known.and_then(|known| known.numbers.decided()) {
            Some(true) => ProofNumbers::DISPROVEN,
            Some(false) => ProofNumbers { proof: 1, ..own },
            None => own,
        }
    }

    /// Searches with `nodes` nodes below each move of an open position that the table knows by fewer nodes, so that the
    /// [numbers of the moves](Dfpn::children) can be compared. The table stays, also without the option
    /// [`keep`](crate::DfpnOptions::keep). `limits` sets the size of the table, and the limits of each search beside its nodes.
    ///
    /// Returns the nodes of all searches: at most `nodes` for each move.
    pub fn glance<G: Finite + Keyed>(&mut self, root: &G, who: Player, nodes: u64, limits: &Limits) -> u64
    where
        Tactic: ProofTactics<G> + Clone,
    {
        let limits = limits.clone().nodes(nodes);
        self.prepare(&limits, true);
        self.store.begin_any();
        let question = Query::new(who);
        let mut spent = 0;
        for child in self.children(root, who) {
            if child.nodes >= nodes || child.numbers.decided().is_some() {
                continue;
            }
            let mut game = root.clone();
            game.play_unchecked(child.mv);
            let meter = Meter::new(&limits);
            let mut run = self.run(&game);
            run.ask(&Task { root: &game, question, meter: &meter }, &mut |_| {});
            let mut harvested = run.harvested();
            self.harvested.append(&mut harvested);
            spent += meter.nodes();
        }
        self.nodes_searched += spent;
        spent
    }

    /// Takes the entries that the searches since the last call have left with at least
    /// [`harvest`](crate::DfpnOptions::harvest) nodes of work below them, sorted by key. An entry that the table has
    /// lost meanwhile is missing. The list is empty without that option.
    ///
    /// A search of N nodes leaves about 0.72 · N / n entries with n nodes or more (measured on Havannah).
    pub fn harvest(&mut self) -> Vec<TableEntry> {
        let mut keys = std::mem::take(&mut self.harvested);
        keys.sort_unstable();
        keys.dedup();
        let entry = |key| self.store.get(key).map(|known| TableEntry { key, data: pack(known, 0) });
        keys.into_iter().filter_map(entry).collect()
    }

    /// Puts entries of other searches into the table, for an engine that [keeps](crate::DfpnOptions::keep) its
    /// table. An open entry does not replace an entry with as much work. Returns the number of entries taken.
    /// About 50 ns an entry.
    ///
    /// `limits` sets the size of the table; a table that has this size already keeps its entries.
    ///
    /// ```
    /// use stonework_game::example::Nim;
    /// use stonework_search::{Dfpn, DfpnOptions, Engine, Limits};
    /// let (root, limits) = (Nim::new(120), Limits::none());
    /// let mut one = Dfpn::new(DfpnOptions::new().harvest(20))?;
    /// let alone = one.think(&root, &limits);
    /// let mut other = Dfpn::new(DfpnOptions::new().keep(true))?;
    /// assert!(other.plant(&one.harvest(), &limits) > 0);
    /// let report = other.think(&root, &limits);
    /// assert_eq!(report.proven, alone.proven);
    /// assert!(report.nodes < alone.nodes / 2);
    /// # Ok::<(), stonework_search::OptionsError>(())
    /// ```
    pub fn plant(&mut self, entries: &[TableEntry], limits: &Limits) -> usize {
        self.prepare(limits, true);
        // The store accepts entries only after the first question has begun.
        self.store.begin_any();
        self.store.note_side(None);
        let mut taken = 0;
        for &TableEntry { key, data } in entries {
            let new = unpack(data);
            let better = self.store.get(key).is_none_or(|old| {
                old.numbers.decided().is_none() && (new.numbers.decided().is_some() || new.work > old.work)
            });
            if better {
                self.store.put(key, new);
                taken += 1;
            }
        }
        taken
    }
}
