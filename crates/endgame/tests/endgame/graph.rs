//! Games given as graphs, and a naive judge of them.

use std::ops::ControlFlow;
use std::sync::Arc;

use rand_xoshiro::rand_core::RngCore;
use stonework_endgame::{Options, Progress, SolveError, Solved, StateSpace, Value, solve};
use stonework_game::{Game, Outcome, Player};

pub(crate) fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Solves a space in four ways: with links and by sweeps, each with one thread and with three. All ways must agree.
pub(crate) fn solve_all_ways<S: StateSpace>(space: &S) -> Result<Solved, SolveError> {
    let chunks = space.len().div_ceil(4096);
    let sweeps = Some(2 * (space.len() + chunks) as usize);
    let first = solve(space, &Options { threads: 1, bytes: None }, &mut go_on);
    for (threads, bytes) in [(3, None), (1, sweeps), (3, sweeps)] {
        let other = solve(space, &Options { threads, bytes }, &mut go_on);
        match (&first, other) {
            (Ok(first), Ok(other)) => {
                assert_eq!((first.linked, other.linked), (true, bytes.is_none()));
                assert!(first.table == other.table, "{threads} threads, {bytes:?} bytes");
                assert!(bytes.is_none_or(|bytes| other.bytes == bytes));
            }
            (Err(_), Err(_)) => {}
            (first, other) => panic!("{first:?}, but with {threads} threads, {bytes:?} bytes {other:?}"),
        }
    }
    first
}

/// A node of a graph: the side to move, the outcome if the node is an end, and the nodes that its moves lead to.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) mover: Player,
    pub(crate) end: Option<Outcome>,
    pub(crate) next: Vec<u32>,
}

pub(crate) fn node(mover: Player, next: &[u32]) -> Node {
    Node { mover, end: None, next: next.to_vec() }
}

pub(crate) fn end(mover: Player, outcome: Outcome) -> Node {
    Node { mover, end: Some(outcome), next: Vec::new() }
}

/// Random nodes with one to four moves each and random sides; some nodes are ends.
pub(crate) fn random_graph(nodes: u32, ends: u32, rng: &mut impl RngCore) -> Vec<Node> {
    let any =
        |rng: &mut dyn RngCore, below: u32| ((u64::from(rng.next_u32()) * u64::from(below)) >> 32) as u32;
    (0..nodes)
        .map(|_| {
            let mover = Player::BOTH[any(rng, 2) as usize];
            if any(rng, 100) < ends {
                let outcomes = [Outcome::Win(Player::First), Outcome::Win(Player::Second), Outcome::Draw];
                end(mover, outcomes[any(rng, 3) as usize])
            } else {
                let moves = 1 + any(rng, 4);
                Node { mover, end: None, next: (0..moves).map(|_| any(rng, nodes)).collect() }
            }
        })
        .collect()
}

/// A walk on a graph.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    pub(crate) graph: Arc<Vec<Node>>,
    pub(crate) at: u32,
}

impl PartialEq for Walk {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && Arc::ptr_eq(&self.graph, &other.graph)
    }
}

impl Eq for Walk {}

#[derive(Debug)]
pub(crate) struct NoMove(u32);

impl std::fmt::Display for NoMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no move {}", self.0)
    }
}

impl std::error::Error for NoMove {}

impl Walk {
    fn node(&self) -> &Node {
        &self.graph[self.at as usize]
    }
}

impl Game for Walk {
    type Move = u32;
    type Undo = u32;
    type Illegal = NoMove;

    fn to_move(&self) -> Player {
        self.node().mover
    }

    fn outcome(&self) -> Option<Outcome> {
        self.node().end
    }

    fn legal_moves(&self, out: &mut impl Extend<u32>) {
        out.extend(0..self.node().next.len() as u32);
    }

    fn check(&self, mv: u32) -> Result<(), NoMove> {
        if (mv as usize) < self.node().next.len() { Ok(()) } else { Err(NoMove(mv)) }
    }

    fn play_unchecked(&mut self, mv: u32) -> u32 {
        let before = self.at;
        self.at = self.node().next[mv as usize];
        before
    }

    fn undo(&mut self, before: u32) {
        self.at = before;
    }
}

/// The nodes of a graph by their numbers, except the nodes with a value from outside and the nodes that are left out.
pub(crate) struct Nodes {
    pub(crate) graph: Arc<Vec<Node>>,
    /// The values of nodes that are not in the space.
    pub(crate) known: Vec<Option<Value>>,
    /// The length that the space states.
    pub(crate) len: u64,
}

impl Nodes {
    pub(crate) fn new(graph: Vec<Node>) -> Self {
        let (known, len) = (vec![None; graph.len()], graph.len() as u64);
        Self { graph: Arc::new(graph), known, len }
    }
}

impl StateSpace for Nodes {
    type State = Walk;

    fn len(&self) -> u64 {
        self.len
    }

    fn rank(&self, walk: &Walk) -> Option<u64> {
        self.known[walk.at as usize].is_none().then_some(u64::from(walk.at))
    }

    fn unrank(&self, rank: u64) -> Option<Walk> {
        let inside = self.known.get(rank as usize)?.is_none();
        inside.then(|| Walk { graph: Arc::clone(&self.graph), at: rank as u32 })
    }

    fn outside(&self, walk: &Walk) -> Option<Value> {
        self.known[walk.at as usize]
    }
}

/// The values of all nodes: the results that can be forced in 0, 1, 2 … plies, until one more ply changes nothing.
pub(crate) fn judge(graph: &[Node]) -> Vec<Value> {
    const SURE: i32 = 1_000_000;
    let mut scores = vec![0; graph.len()];
    loop {
        let scored: Vec<i32> = graph
            .iter()
            .map(|node| {
                let told = |&to: &u32| {
                    let next = &graph[to as usize];
                    let score =
                        if next.mover == node.mover { scores[to as usize] } else { -scores[to as usize] };
                    score - i32::signum(score)
                };
                match node.end {
                    Some(outcome) => SURE * outcome.value_for(node.mover),
                    None => node.next.iter().map(told).max().unwrap(),
                }
            })
            .collect();
        if scored == scores {
            break;
        }
        scores = scored;
    }
    let value = |score: i32| match score.signum() {
        1 => Value::Win((SURE - score) as u16),
        -1 => Value::Loss((SURE + score) as u16),
        _ => Value::Draw,
    };
    scores.into_iter().map(value).collect()
}
