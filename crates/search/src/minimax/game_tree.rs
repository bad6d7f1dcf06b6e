//! [`GameTree`]: the values of all moves of a position, and the size of the tree below the position.

use stonework_game::{ByPlayer, Game, Outcome};

use crate::{Bounds, Line, Report, Stop, Value, WIN_BOUND};

/// The tree below a position: the value of each move of the position, and the size of the tree.
///
/// ```
/// use stonework_game::example::Nim;
/// use stonework_search::{Limits, Minimax};
/// // Three stones; a move takes one or two; the last stone wins.
/// let tree = Minimax::new(()).tree(&Nim::new(3), &Limits::none());
/// assert_eq!(tree.bounds.value(), Some(-1));
/// assert_eq!(tree.replies.iter().map(|reply| &reply.line[..]).collect::<Vec<_>>(), [&[1, 2][..], &[2, 1]]);
/// let (nodes, leaves, longest) = (tree.census.nodes, tree.census.leaves(), tree.census.longest);
/// assert_eq!((nodes, leaves, longest), (7, 3, 3));
/// assert_eq!((tree.census.wins.first, tree.census.wins.second), (1, 2));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct GameTree<M> {
    /// The moves of the root in the order of [`legal_moves`](Game::legal_moves). If the walk was not finished, the list
    /// has only the moves with complete trees.
    pub replies: Vec<Reply<M>>,
    /// The value for the side to move at the root, as [`Report::value`]. The value is unknown if the walk was
    /// not finished: a limit of nodes or time, or the cancel flag, has ended it.
    pub value: Value,
    /// The bounds that the value proves.
    pub bounds: Bounds,
    /// The size of the tree, the root included.
    pub census: Census,
    /// The reason why the walk ended.
    pub stopped: Stop,
}

impl<M> GameTree<M> {
    /// The moves with the greatest value: among wins the quickest, among losses the slowest.
    pub fn best(&self) -> impl Iterator<Item = &Reply<M>> {
        let best = self.replies.iter().map(|reply| reply.value.score()).max();
        self.replies.iter().filter(move |reply| Some(reply.value.score()) == best)
    }

    /// The moves with the least value: among losses the quickest, among wins the slowest.
    pub fn worst(&self) -> impl Iterator<Item = &Reply<M>> {
        let worst = self.replies.iter().map(|reply| reply.value.score()).min();
        self.replies.iter().filter(move |reply| Some(reply.value.score()) == worst)
    }

    /// The same tree with its moves in another form.
    #[must_use]
    pub fn map<N>(self, mut form: impl FnMut(M) -> N) -> GameTree<N> {
        let mut map_reply = |reply: Reply<M>| {
            let Reply { mv, value, bounds, line, census } = reply;
            Reply { mv: form(mv), value, bounds, line: line.into_iter().map(&mut form).collect(), census }
        };
        let Self { value, bounds, census, stopped, .. } = self;
        let replies = self.replies.into_iter().map(&mut map_reply).collect();
        GameTree { replies, value, bounds, census, stopped }
    }
}

/// A move of the root and the tree below it.
#[derive(Clone, PartialEq, Debug)]
pub struct Reply<M> {
    /// The move.
    pub mv: M,
    /// The value of the move for the side to move at the root, as [`Report::value`].
    pub value: Value,
    /// The bounds that the tree proves: exactly one of −1, 0 and 1 if no line of the tree is cut.
    pub bounds: Bounds,
    /// The move, and after it the best moves of the sides in turn; among equal moves the first. `value` comes from the last
    /// position of the line.
    pub line: Vec<M>,
    /// The size of the tree from this move on; the root is not in it.
    pub census: Census,
}

/// The size of a tree, and the ends of its lines. Two lines that reach the same position both count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Census {
    /// The number of positions.
    pub nodes: u64,
    /// The number of lines that end with a win, by winner. A position whose outcome the evaluator knows ends its line with
    /// this outcome.
    pub wins: ByPlayer<u64>,
    /// The number of lines that end with a draw.
    pub draws: u64,
    /// The number of lines that end before the game does: at the limit of depth, or at a position that has neither an
    /// outcome nor legal moves.
    pub cut: u64,
    /// The number of plies of the longest line from the root.
    pub longest: u32,
}

impl Census {
    /// The number of lines.
    #[must_use]
    pub const fn leaves(&self) -> u64 {
        self.wins.first + self.wins.second + self.draws + self.cut
    }

    /// Counts the end of a line.
    pub(super) fn leaf(&mut self, outcome: Option<Outcome>, plies: u32) {
        match outcome {
            Some(Outcome::Win(player)) => self.wins[player] += 1,
            Some(Outcome::Draw) => self.draws += 1,
            None => self.cut += 1,
        }
        self.longest = self.longest.max(plies);
    }

    /// Adds the lines of another tree.
    pub(super) fn add(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.wins.first += other.wins.first;
        self.wins.second += other.wins.second;
        self.draws += other.draws;
        self.cut += other.cut;
        self.longest = self.longest.max(other.longest);
    }

    /// The value of the root of this tree, by its score. The score 0 is a draw if no line was cut.
    pub(super) const fn value(&self, score: i32) -> Value {
        if self.cut == 0 && score == 0 { Value::Draw } else { Value::from_score(score) }
    }

    /// The bounds that a score of the root of this tree proves.
    pub(super) const fn proves(&self, score: i32) -> Bounds {
        if self.cut == 0 || score.abs() >= WIN_BOUND {
            Bounds::exact(score.signum() as i8)
        } else {
            Bounds::UNKNOWN
        }
    }
}

impl<M: Copy> GameTree<M> {
    /// The report of [`Engine::search`](crate::Engine::search) on this tree, without the time; `root` is the root of the tree.
    /// If the walk was not finished, the report has no best move and no value.
    pub fn report<G: Game<Move = M>>(&self, root: &G) -> Report<M> {
        let report = Report { nodes: self.census.nodes, stopped: Some(self.stopped), ..Report::empty() };
        if !matches!(self.stopped, Stop::Solved | Stop::Depth) {
            return report;
        }
        let line = self.best().next().map_or(&[][..], |reply| &reply.line);
        Report {
            best: line.first().copied(),
            value: self.value,
            bounds: self.bounds,
            proven: self.bounds.outcome(root.to_move()),
            lines: if line.is_empty() { Vec::new() } else { vec![Line::new(line.to_vec(), self.value)] },
            depth: self.census.longest,
            ..report
        }
    }
}
