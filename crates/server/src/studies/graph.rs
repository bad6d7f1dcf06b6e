//! The graph of a study: positions that are equal by transposition or symmetry are one, and values back up over it.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use stonework_game::{Game, Keyed, Outcome, Player};
use stonework_session::{Fault, Session};

use super::{MOST_POSITIONS, Study};
use crate::{ServerApp, proofs};

/// The value of a position for the side to move. Symmetries that exchange the sides keep it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MoverValue {
    Win,
    Draw,
    Loss,
}

impl MoverValue {
    fn of(outcome: Outcome, mover: Player) -> Self {
        match outcome {
            Outcome::Draw => Self::Draw,
            Outcome::Win(winner) if winner == mover => Self::Win,
            Outcome::Win(_) => Self::Loss,
        }
    }

    /// The name of the side that wins.
    pub(super) const fn name(self, sides: [&'static str; 2], mover: Player) -> &'static str {
        match self {
            Self::Win => sides[mover.index()],
            Self::Loss => sides[mover.other().index()],
            Self::Draw => "draw",
        }
    }
}

/// A position of the graph of a study.
pub(super) struct Node {
    /// The first line that leads to the position, and the number of lines.
    pub(super) line: Vec<String>,
    pub(super) lines: usize,
    /// For each legal move, the key of the next position, and `true` if the same side moves again.
    next: Vec<(u64, bool)>,
    /// The value by the rules or by a proof, with its source.
    pub(super) known: Option<(MoverValue, String)>,
    /// The claims, by their index, with their values.
    pub(super) claims: Vec<(usize, Option<MoverValue>)>,
    /// The value by rules and proofs, backed up.
    pub(super) exact: Option<MoverValue>,
    /// The value by claims and rules, backed up.
    pub(super) claimed: Option<MoverValue>,
}

/// The graph of a study.
pub(super) struct Graph(pub(super) HashMap<u64, Node>);

/// The key of a position and its symmetric positions.
pub(super) fn key(session: &Session) -> u64 {
    session.position().canonical().0
}

impl Graph {
    pub(super) fn new(app: &ServerApp, study: &Study) -> Result<Self, Fault> {
        let mut nodes: HashMap<u64, Node> = HashMap::new();
        let root = Session::new(app.registry().clone(), &study.game, &study.start, None)?;
        let description = root.game().description();
        for (index, claim) in study.claims.iter().enumerate() {
            let mut session = root.fork();
            for ply in 0..=claim.line.len() {
                if let Some(mv) = ply.checked_sub(1).and_then(|last| claim.line.get(last)) {
                    session.play(mv)?;
                }
                let count = nodes.len();
                let node = match nodes.entry(key(&session)) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(_) if count >= MOST_POSITIONS => {
                        return Err(Fault::new("study", format!("more than {MOST_POSITIONS} positions")));
                    }
                    Entry::Vacant(free) => free.insert(node(app, &session)),
                };
                if node.line != claim.line[..ply] && ply == claim.line.len() {
                    node.lines += 1;
                }
                if ply == claim.line.len() {
                    let mover = session.position().to_move();
                    let outcome = match description.player(&claim.outcome) {
                        Some(player) => Some(Outcome::Win(player)),
                        None => (claim.outcome == "draw").then_some(Outcome::Draw),
                    };
                    node.claims.push((index, outcome.map(|outcome| MoverValue::of(outcome, mover))));
                }
            }
        }
        let mut graph = Self(nodes);
        graph.back_up();
        Ok(graph)
    }

    /// Backs values up. A value stays once it is known, so the work ends on a graph with cycles, too. A claim fills a
    /// position that neither the rules nor the claims after it decide.
    fn back_up(&mut self) {
        let order = self.leaves_first();
        self.settle(&order, false);
        self.settle(&order, true);
    }

    /// Gives values to open positions until no more get one. Each round fills a position or ends the loop.
    fn settle(&mut self, order: &[u64], with_claims: bool) {
        loop {
            let mut changed = false;
            for key in order {
                let node = &self.0[key];
                let own = node.known.as_ref().map(|(value, _)| *value);
                let claim = node.claims.iter().rev().find_map(|(_, value)| *value).filter(|_| with_claims);
                let exact = node.exact.or(own).or_else(|| self.by_moves(node, |node| node.exact));
                let claimed = node
                    .claimed
                    .or(own.filter(|_| node.next.is_empty()))
                    .or_else(|| self.by_moves(node, |node| node.claimed))
                    .or(claim);
                if (node.exact, node.claimed) != (exact, claimed) {
                    changed = true;
                    if let Some(node) = self.0.get_mut(key) {
                        (node.exact, node.claimed) = (exact, claimed);
                    }
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The keys of all positions, each after the positions that follow it, but for cycles. The order depends on the lines
    /// of the study alone.
    fn leaves_first(&self) -> Vec<u64> {
        let mut roots: Vec<(usize, &[String], u64)> =
            self.0.iter().map(|(&key, node)| (node.line.len(), &*node.line, key)).collect();
        roots.sort_unstable();
        let (mut seen, mut order) = (HashSet::new(), Vec::with_capacity(roots.len()));
        for (.., root) in roots {
            let mut path =
                if seen.insert(root) { vec![(root, self.0[&root].next.iter())] } else { Vec::new() };
            while let Some((key, next)) = path.last_mut() {
                if let Some(&(next, _)) = next.next() {
                    if let Some(node) = self.0.get(&next).filter(|_| seen.insert(next)) {
                        path.push((next, node.next.iter()));
                    }
                } else {
                    order.push(*key);
                    path.pop();
                }
            }
        }
        order
    }

    /// The value of a position by the values of its next positions.
    fn by_moves(&self, node: &Node, value: impl Fn(&Node) -> Option<MoverValue>) -> Option<MoverValue> {
        let mut best = Some(MoverValue::Loss);
        for &(next, again) in &node.next {
            let after = self.0.get(&next).and_then(&value).map(|value| match (value, again) {
                (MoverValue::Win, false) | (MoverValue::Loss, true) => MoverValue::Loss,
                (MoverValue::Loss, false) | (MoverValue::Win, true) => MoverValue::Win,
                (MoverValue::Draw, _) => MoverValue::Draw,
            });
            match after {
                Some(MoverValue::Win) => return Some(MoverValue::Win),
                None => best = None,
                Some(MoverValue::Draw) => best = best.map(|_| MoverValue::Draw),
                Some(MoverValue::Loss) => {}
            }
        }
        best.filter(|_| !node.next.is_empty())
    }
}

/// A position with what the rules and the proofs say about it.
fn node(app: &ServerApp, session: &Session) -> Node {
    let position = session.position();
    let mover = position.to_move();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut after = position.clone();
    let next = moves.into_iter().map(|mv| {
        let undo = after.play_unchecked(mv);
        let found = (after.canonical().0, after.to_move() == mover);
        after.undo(undo);
        found
    });
    let next = next.collect();
    let known = match position.outcome() {
        Some(outcome) => Some((MoverValue::of(outcome, mover), "rules".to_owned())),
        None => {
            proofs::value(app, session).map(|known| (MoverValue::of(known.outcome, mover), known.sentence))
        }
    };
    let line = session.moves();
    Node { line, lines: 1, next, known, claims: Vec::new(), exact: None, claimed: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position whose side to move is claimed to lose, or not, with the keys of the next positions.
    fn claimed(line: &[&str], next: &[u64], loses: bool) -> Node {
        Node {
            line: line.iter().map(|&mv| mv.to_owned()).collect(),
            lines: 1,
            next: next.iter().map(|&key| (key, false)).collect(),
            known: None,
            claims: if loses { vec![(0, Some(MoverValue::Loss))] } else { Vec::new() },
            exact: None,
            claimed: None,
        }
    }

    /// Key 9 is a position outside the graph, so that no position is decided by its moves alone.
    fn backed_up(nodes: Vec<(u64, Node)>) -> Vec<Option<MoverValue>> {
        let keys: Vec<u64> = nodes.iter().map(|&(key, _)| key).collect();
        let mut graph = Graph(nodes.into_iter().collect());
        graph.back_up();
        keys.iter().map(|key| graph.0[key].claimed).collect()
    }

    #[test]
    fn claims_on_a_cycle_of_positions_come_to_an_end() {
        // Each claimed loss would be a win by a move to the next one. No values of three such positions in a ring agree.
        let ring = || {
            vec![
                (1, claimed(&[], &[2, 9], true)),
                (2, claimed(&["a"], &[3, 9], true)),
                (3, claimed(&["a", "b"], &[1, 9], true)),
            ]
        };
        let values = backed_up(ring());
        assert_eq!(values, [Some(MoverValue::Loss), Some(MoverValue::Win), Some(MoverValue::Loss)]);
        // The order of a hash map changes from run to run, the values do not.
        for _ in 0..20 {
            assert_eq!(backed_up(ring()), values);
        }
    }

    #[test]
    fn a_claim_gives_way_to_the_claims_after_it_and_to_the_rules() {
        let values = backed_up(vec![
            (1, claimed(&[], &[2, 9], true)),
            (2, claimed(&["a"], &[3, 9], true)),
            (3, claimed(&["a", "b"], &[9], true)),
        ]);
        assert_eq!(values, [Some(MoverValue::Loss), Some(MoverValue::Win), Some(MoverValue::Loss)]);
        let mut over = claimed(&["a"], &[], false);
        over.known = Some((MoverValue::Loss, "rules".to_owned()));
        let values = backed_up(vec![(1, claimed(&[], &[2, 9], true)), (2, over)]);
        assert_eq!(values, [Some(MoverValue::Win), Some(MoverValue::Loss)]);
    }
}
