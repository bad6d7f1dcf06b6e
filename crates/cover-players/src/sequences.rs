//! [`ThreatSequences`]: wins by threat sequences.

use std::collections::HashMap;

use stonework_cover::{Move, Position};
use stonework_game::{Game, Keyed, Outcome, Player};
use stonework_search::{Allowance, Bounds, Engine, Limits, Line, Meter, Report, SearchContext, Stop, Value};

use crate::Endings;
use crate::proofs::{to_the_end, winners, without_search};

/// The largest number of the attacker's moves in a sequence; the recursion is at most twice as deep.
const MAX_ATTACKS: u32 = 60;
/// The bytes of an entry of the memory, from the size of the map.
const ENTRY: usize = 48;

/// A search for wins by threat sequences, as in threat-space search (L. V. Allis, 1994). The thesis leaves such a search
/// aside (§3.2), since Cover "does not have many game winning threats".
///
/// A *threat* is a move after which its side would win with its next move if the opponent passed: by a step onto the
/// homebase, the shot at a last stone, a move that leaves a last stone no reply, or a shot that leads to a won ending of
/// the table. The side to move plays only threats; its opponent plays all moves. So a sequence that is found is a win, and
/// a search without a result proves nothing. Sequences of one threat are tried first, then of two, and so on. The memory
/// has positions with their history, and the number of threats that do not suffice.
///
/// Nodes are the positions after the moves that are tried. The moves that decide whether a move is a threat are not counted.
/// The limit of depth is the number of plies of a sequence, the last one included.
///
/// ```
/// use stonework_cover::Position;
/// use stonework_game::{Textual, Outcome, Player};
/// use stonework_cover_players::ThreatSequences;
/// use stonework_search::{Engine, Limits, Value};
/// let game = Position::parse_position("4 b four [I09]x[K05] -")?;
/// let report = ThreatSequences::new(1 << 20, None).think(&game, &Limits::none());
/// assert_eq!((report.proven, report.value), (Some(Outcome::Win(Player::First)), Value::Win(3)));
/// # Ok::<(), stonework_game::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ThreatSequences {
    entries: usize,
    endings: Option<Endings>,
}

impl ThreatSequences {
    /// A search with a memory of `bytes` bytes, or of the limits' bytes if these are fewer, and with or without a
    /// table of endings. The memory has at least the entry of the position that is searched.
    #[must_use]
    pub const fn new(bytes: usize, endings: Option<Endings>) -> Self {
        Self { entries: bytes / ENTRY, endings }
    }
}

/// Results about a position in which the attacker is to move.
#[derive(Clone, Copy, Debug, Default)]
struct Tried {
    /// The largest number of attacker's moves with which no sequence wins.
    failed: u32,
    /// The number of attacker's moves of a sequence that wins, and its first move.
    won: Option<(u32, Move)>,
}

struct Search<'a> {
    game: Position,
    attacker: Player,
    endings: Option<&'a Endings>,
    memory: HashMap<u64, Tried>,
    entries: usize,
    meter: &'a Meter<'a>,
    allowance: Allowance,
    halted: bool,
    /// `true` if a sequence was cut off at its largest length.
    cut: bool,
}

impl Search<'_> {
    /// The outcome by the rules or by the table.
    fn end(&self) -> Option<Outcome> {
        let known = || self.endings?.value(&self.game).map(|value| value.outcome(self.game.to_move()));
        self.game.outcome().or_else(known)
    }

    fn moves(&self) -> Vec<Move> {
        self.game.moves()
    }

    /// A move of the attacker, who is to move, that wins at once.
    fn at_once(&mut self) -> Option<Move> {
        winners(&self.game).into_iter().find(|&mv| {
            let undo = self.game.play_unchecked(mv);
            let won = self.end() == Some(Outcome::Win(self.attacker));
            self.game.undo(undo);
            won
        })
    }

    /// `true` if the attacker, who has just moved, would win at once if the opponent passed.
    fn is_threat(&mut self) -> bool {
        let Some(passed) = self.game.pass() else { return false };
        let threat = self.end().is_none() && self.at_once().is_some();
        self.game.undo_null(passed);
        threat
    }

    fn note(&mut self, change: impl FnOnce(&mut Tried)) {
        let key = self.game.key();
        if self.memory.len() < self.entries || self.memory.contains_key(&key) {
            change(self.memory.entry(key).or_default());
        }
    }

    /// `true` if the attacker, who is to move, wins with at most `count` moves.
    fn attack(&mut self, count: u32) -> bool {
        let tried = self.memory.get(&self.game.key()).copied().unwrap_or_default();
        if tried.won.is_some_and(|(needs, _)| needs <= count) {
            return true;
        }
        if tried.failed >= count {
            // The earlier search of this position may have been cut off, too.
            self.cut |= tried.failed < u32::MAX;
            return false;
        }
        if tried.failed == 0
            && let Some(mv) = self.at_once()
        {
            self.note(|tried| tried.won = Some((1, mv)));
            return true;
        }
        let cut_before = std::mem::take(&mut self.cut);
        for mv in self.moves() {
            if !self.meter.node(&mut self.allowance) {
                self.halted = true;
                return false;
            }
            let undo = self.game.play_unchecked(mv);
            let threat = self.end().is_none() && self.is_threat();
            self.cut |= threat && count == 1;
            let won = threat && count > 1 && self.defend(count - 1);
            self.game.undo(undo);
            if self.halted {
                return false;
            }
            if won {
                self.note(|tried| tried.won = Some((count, mv)));
                self.cut |= cut_before;
                return true;
            }
        }
        // If no sequence was cut off, no longer sequence wins either.
        let failed = if self.cut { count } else { u32::MAX };
        self.note(|tried| tried.failed = failed);
        self.cut |= cut_before;
        false
    }

    /// `true` if the attacker wins with at most `count` further moves, whatever the opponent, who is to move, plays.
    fn defend(&mut self, count: u32) -> bool {
        for mv in self.moves() {
            if !self.meter.node(&mut self.allowance) {
                self.halted = true;
                return false;
            }
            let undo = self.game.play_unchecked(mv);
            let won = match self.end() {
                Some(outcome) => outcome == Outcome::Win(self.attacker),
                None => self.attack(count),
            };
            self.game.undo(undo);
            if !won {
                return false;
            }
        }
        true
    }

    /// The sequence, with the answers that take most moves to beat, up to an outcome by the rules or by the table. The
    /// search repeats positions that the memory lacks.
    fn line(&mut self, root: &Position, mut count: u32) -> Vec<Move> {
        let mut line = Vec::new();
        self.game = root.clone();
        while self.end().is_none() && count > 0 && self.attack(count) {
            let known = self.memory.get(&self.game.key()).and_then(|tried| tried.won);
            let Some((needs, mv)) = known else { break };
            count = needs - 1;
            line.push(mv);
            self.game.play_unchecked(mv);
            if self.end().is_some() {
                break;
            }
            let hardest = self.moves().into_iter().max_by_key(|&answer| {
                let undo = self.game.play_unchecked(answer);
                let known = self.memory.get(&self.game.key()).and_then(|tried| tried.won);
                self.game.undo(undo);
                known.map_or(0, |(needs, _)| needs)
            });
            let Some(answer) = hardest else { break };
            line.push(answer);
            self.game.play_unchecked(answer);
        }
        line
    }
}

impl Engine<Position> for ThreatSequences {
    fn search(&mut self, root: &Position, limits: &Limits, context: SearchContext<'_, Move>) -> Report<Move> {
        context.unless_over(root, limits, |meter, watch| {
            let report = self.search_within(root, meter);
            watch(&report);
            report
        })
    }
}

impl ThreatSequences {
    /// Searches a position that is not over.
    fn search_within(&self, root: &Position, meter: &Meter<'_>) -> Report<Move> {
        if let Some(report) = without_search(root, self.endings.as_ref()) {
            return report;
        }
        let limits = meter.limits();
        let mut search = Search {
            game: root.clone(),
            attacker: root.to_move(),
            endings: self.endings.as_ref(),
            memory: HashMap::new(),
            entries: self.entries.min(limits.bytes.map_or(usize::MAX, |bytes| bytes / ENTRY)).max(1),
            meter,
            allowance: Allowance::default(),
            halted: false,
            cut: false,
        };
        let most = limits.depth.map_or(MAX_ATTACKS, |plies| plies.div_ceil(2)).min(MAX_ATTACKS);
        let mut report = Report::empty();
        for count in 1..=most {
            search.cut = false;
            if search.attack(count) {
                report.lines = vec![Line::new(search.line(root, count), Value::Unknown)];
                report.best = report.line().first().copied();
                report.bounds = Bounds::exact(1);
                to_the_end(root, search.endings, 2 * count - 1, &mut report);
                report.proven = Some(Outcome::Win(root.to_move()));
                meter.stop(Stop::Solved);
            }
            report.depth = 2 * count - 1;
            if report.proven.is_some() || search.halted || !search.cut {
                break;
            }
        }
        meter.settle(&mut search.allowance);
        report.stopped = Some(meter.stopped().unwrap_or(Stop::Depth));
        (report.nodes, report.time) = (meter.nodes(), meter.elapsed());
        report.bytes = search.memory.len() * ENTRY;
        report
    }
}
