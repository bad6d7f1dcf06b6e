//! The results of a tree: moves in order, lines, the report.

use stonework_game::{Indexed, Player};

use super::defence;
use super::node::{self, Node};
use super::options::{Choice, MctsOptions};
use super::sub_search::{Knowledge, SubSearch};
use super::tree::{Arena, Tree};
use crate::{Bounds, Line, Report, Tactics, Value};

/// The sum of the visits of the root's children.
pub(super) fn visits(arena: &Arena) -> u64 {
    let Some(root) = arena.node(0) else { return 0 };
    arena.kids(root, root.meta()).iter().map(|kid| u64::from(kid.tally().visits())).sum()
}

/// The criterion of the choice between two open moves.
fn worth(choice: Choice, node: &Node) -> f64 {
    let tally = node.tally();
    let visits = f64::from(tally.visits());
    let mean = f64::from(tally.mean());
    match choice {
        Choice::Visits => visits + mean / 2.0,
        _ if visits == 0.0 => f64::NEG_INFINITY,
        Choice::Value => mean,
        Choice::Secure(a) => mean - f64::from(a) / visits.sqrt(),
    }
}

/// The mean result of a node of which half a dozen draws are a part: a few visits say little.
fn hope(node: &Node) -> f32 {
    const DRAWS: f32 = 6.0;
    let visits = node.tally().visits() as f32;
    (node.tally().sum() + 0.5 * DRAWS) / (visits + DRAWS)
}

/// The best child for the continuation of a line from a node: a proven line goes on to its end, another line while its moves
/// have visits.
fn next<'a>(node: &Node, kids: &'a [Node], side: Player) -> Option<&'a Node> {
    let wanted = node.meta().set().bounds(side).value();
    ranked(kids, side, Choice::Visits).into_iter().find(|kid| match wanted {
        Some(value) => kid.meta().set().bounds(side).value() == Some(value),
        None => kid.tally().visits() > 0,
    })
}

/// The slots of the nodes of the main line that have children, as long as the children take at most `most` slots together.
pub(super) fn main_line(arena: &Arena, most: usize) -> Vec<u32> {
    let (mut slots, mut slot, mut taken) = (Vec::new(), 0, 0);
    while let Some(node) = arena.node(slot) {
        let kids = arena.kids(node, node.meta());
        taken += kids.len();
        if kids.is_empty() || taken > most {
            break;
        }
        slots.push(slot);
        let Some(best) = next(node, kids, node.meta().side()) else { break };
        slot = node.link() + kids.iter().take_while(|kid| !std::ptr::eq(*kid, best)).count() as u32;
    }
    slots
}

/// The children in the order of preference of the side to move.
fn ranked(kids: &[Node], side: Player, choice: Choice) -> Vec<&Node> {
    let bounds = |node: &Node| node.meta().set().bounds(side);
    let mut open: Vec<&Node> = kids.iter().filter(|kid| bounds(kid).value().is_none()).collect();
    let order = |a: &&Node, b: &&Node| worth(choice, b).total_cmp(&worth(choice, a));
    open.sort_by(order);
    let proven = |value: i8| {
        let mut nodes: Vec<&Node> = kids.iter().filter(|kid| bounds(kid).value() == Some(value)).collect();
        nodes.sort_by_key(|kid| std::cmp::Reverse(kid.tally().visits()));
        nodes
    };
    let promises = |kid: &&Node| {
        let bounds = bounds(kid);
        bounds.least == 0 || bounds.most > 0 && kid.tally().visits() > 0 && kid.tally().mean() > 0.5
    };
    let mut draws = proven(0);
    // All of them keep the draw: the best results are where the other side errs most.
    draws.sort_by(|a, b| hope(b).total_cmp(&hope(a)));
    // A proven draw comes before the first move that does not promise more.
    let better = if draws.is_empty() { open.len() } else { open.iter().take_while(|k| promises(k)).count() };
    let mut all = proven(1);
    all.extend(&open[..better]);
    all.extend(draws);
    all.extend(&open[better..]);
    all.extend(proven(-1));
    all
}

/// The best move of a tree's root; `None` if no move has a visit or a proven outcome.
pub(super) fn best_move<G: Indexed>(tree: &Tree<G>, choice: Choice) -> Option<G::Move> {
    let root = tree.arena.node(0)?;
    let meta = root.meta();
    let best = *ranked(tree.arena.kids(root, meta), tree.root.to_move(), choice).first()?;
    let known = best.tally().visits() > 0 || best.meta().exact();
    let mv = tree.root.move_at(best.mv() as usize).filter(|_| known)?;
    tree.root.check(mv).is_ok().then_some(mv)
}

/// The children, those with the most visits first. Like [`by_prior`], the function depends on no game, so a program with many
/// players has its sort once.
pub(super) fn most_visited_first(kids: &[Node]) -> Vec<&Node> {
    let mut sorted: Vec<&Node> = kids.iter().collect();
    sorted.sort_by_key(|kid| std::cmp::Reverse(kid.tally().visits()));
    sorted
}

/// Sorts indices of `priors`, the largest prior first.
pub(super) fn by_prior(order: &mut [u32], priors: &[f32]) {
    order.sort_by(|&a, &b| priors[b as usize].total_cmp(&priors[a as usize]));
}

/// The value of a move for the side that makes it.
fn value(node: &Node, side: Player, plies: usize) -> Value {
    let bounds = node.meta().set().bounds(side);
    let mean = |value: i8| f32::midpoint(value.into(), 1.0);
    let open = || Value::Mean(node.tally().mean().clamp(mean(bounds.least), mean(bounds.most)));
    proven(bounds, plies).unwrap_or_else(open)
}

/// The value of exact bounds, `plies` plies before the end of the game.
fn proven(bounds: Bounds, plies: usize) -> Option<Value> {
    Some(match bounds.value()? {
        1 => Value::Win(plies as u32),
        -1 => Value::Loss(plies as u32),
        _ => Value::Draw,
    })
}

/// The line that begins with a move of the root.
fn line<G: Indexed, Tactic: Tactics<G>, Sub: SubSearch<G>>(
    tree: &Tree<G>,
    first: &Node,
    knowledge: &mut Knowledge<Tactic, Sub>,
) -> Vec<G::Move> {
    let mut game = tree.root.clone();
    let mut moves = Vec::new();
    let mut node = first;
    while let Some(mv) = game.move_at(node.mv() as usize).filter(|&mv| game.check(mv).is_ok()) {
        game.play_unchecked(mv);
        moves.push(mv);
        let meta = node.meta();
        let kids = tree.arena.kids(node, meta);
        let side = game.to_move();
        let Some(next) = next(node, kids, side) else {
            moves.extend(knowledge.ending(&mut game, meta.set().bounds(Player::First)));
            break;
        };
        node = next;
    }
    moves
}

/// The root's children with the statistics and proven outcomes of all trees, as copies that lead into the first tree.
fn together<G: Indexed>(trees: &[&Tree<G>], kids: &[Node]) -> Vec<Node> {
    let sums: Vec<Node> = kids.iter().map(Node::copied).collect();
    for tree in &trees[1..] {
        let Some(root) = tree.arena.node(0) else { continue };
        for kid in tree.arena.kids(root, root.meta()) {
            if let Some(sum) = sums.iter().find(|sum| sum.mv() == kid.mv()) {
                sum.add_all(kid.tally());
                sum.restrict(kid.meta().set());
            }
        }
    }
    sums
}

/// The report of all trees of one root, without the counts, the time and the stop of the search. The lines come
/// from one tree: a solved tree, or the most visited tree.
pub(super) fn report<G: Indexed, Tactic: Tactics<G>, Sub: SubSearch<G>>(
    trees: &[&Tree<G>],
    options: &MctsOptions,
    knowledge: &mut Knowledge<Tactic, Sub>,
) -> Report<G::Move> {
    let mut report = Report::empty();
    let mut trees = trees.to_vec();
    let best = (0..trees.len())
        .min_by_key(|&at| std::cmp::Reverse((trees[at].solved(), visits(&trees[at].arena))))
        .unwrap_or(0);
    trees.rotate_left(best);
    let Some((&tree, root)) = trees.first().and_then(|tree| Some((tree, tree.arena.node(0)?))) else {
        return report;
    };
    let side = tree.root.to_move();
    let meta = root.meta();
    let mut set = meta.set();
    let mut kids = tree.arena.kids(root, meta);
    let sums;
    if trees.len() > 1 {
        sums = together(&trees, kids);
        kids = &sums;
        // One tree may have refuted some moves, and another tree the rest.
        if !kids.is_empty() {
            set = set.and(node::of_kids(kids, side)).unwrap_or(set);
        }
    }
    report.bounds = set.bounds(side);
    report.proven = report.bounds.outcome(side);
    let known = |kid: &&Node| kid.tally().visits() > 0 || kid.meta().exact();
    let mut best = ranked(kids, side, options.choice);
    if report.bounds.value() == Some(-1) {
        defence::longest_first(&tree.arena, &mut best, side.other());
    }
    if best.iter().any(known) || report.proven.is_some() {
        for kid in best.iter().filter(|kid| known(kid) || report.proven.is_some()).take(options.lines) {
            let moves = line(tree, kid, knowledge);
            let visits = Some(kid.tally().visits().into());
            report.lines.push(Line { value: value(kid, side, moves.len()), moves, visits });
        }
    }
    if report.lines.is_empty() && report.proven.is_some() {
        // The tactics have decided the root, which has no child.
        let bounds = set.bounds(Player::First);
        let mut moves = knowledge.ending(&mut tree.root.clone(), bounds);
        if moves.is_empty() && report.bounds.value() != Some(1) {
            // The root is lost, or neither side can win any more, and the tactics give no line: any legal move serves.
            tree.root.legal_moves(&mut moves);
            moves.truncate(1);
        }
        if !moves.is_empty() {
            report.lines.push(Line::new(moves, Value::Unknown));
        }
    }
    let plies = report.line().len();
    if let Some(first) = report.lines.first_mut() {
        report.value = proven(report.bounds, plies).unwrap_or(first.value);
        if options.lines == 1 || first.visits.is_none() {
            first.value = report.value;
        }
    }
    report.best = report.line().first().copied();
    report
}

#[cfg(test)]
mod tests {
    use super::node::Tally;
    use super::*;
    use crate::outcomes::Outcomes;

    const LOSS: Outcomes = Outcomes::LOSS;
    const DRAW: Outcomes = Outcomes::DRAW;
    const OPEN: Outcomes = Outcomes::ANY;

    /// Nodes with these visits, mean results of First and proven outcomes.
    fn nodes(all: &[(u32, f32, Outcomes)]) -> Vec<Node> {
        let node = |(index, &(visits, result, set)): (usize, &(u32, f32, Outcomes))| {
            let node = Node::default();
            node.start(index as u32, 0.0);
            (0..visits).for_each(|_| _ = node.add(Tally::one(result), 0, false));
            node.restrict(set);
            node
        };
        all.iter().enumerate().map(node).collect()
    }

    fn order(all: &[(u32, f32, Outcomes)], side: Player, choice: Choice) -> Vec<u32> {
        ranked(&nodes(all), side, choice).iter().map(|node| node.mv()).collect()
    }

    #[test]
    fn proven_wins_come_first_and_losses_last() {
        let all = [(9, -0.5, OPEN), (1, 0.0, LOSS), (2, 0.0, Outcomes::WIN), (5, 0.5, OPEN), (7, 0.0, OPEN)];
        assert_eq!(order(&all, Player::First, Choice::Visits), [2, 0, 4, 3, 1]);
        assert_eq!(order(&all, Player::First, Choice::Value), [2, 3, 4, 0, 1]);
        assert_eq!(order(&all, Player::Second, Choice::Visits), [1, 0, 4, 3, 2]);
        assert_eq!(order(&all, Player::First, Choice::Secure(9.0)), [2, 0, 4, 3, 1]);
    }

    #[test]
    fn a_draw_in_hand_comes_before_what_does_not_promise_more() {
        let all = [(9, 0.25, OPEN), (3, 0.0, DRAW), (8, -0.25, OPEN), (7, 0.5, OPEN)];
        assert_eq!(order(&all, Player::First, Choice::Visits), [0, 1, 2, 3]);
        let all = [(9, -0.25, OPEN), (3, 0.0, DRAW), (8, 0.25, OPEN)];
        assert_eq!(order(&all, Player::First, Choice::Visits), [1, 0, 2]);
        // A move that is a draw at least promises more, even with a low mean.
        let all = [(9, -0.25, DRAW.to(Outcomes::WIN)), (3, 0.0, DRAW)];
        assert_eq!(order(&all, Player::First, Choice::Visits), [0, 1]);
    }
}
