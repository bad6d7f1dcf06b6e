//! Tests of alpha-beta. Options that do not prune leave the values of minimax unchanged, and options that prune prove nothing
//! false.

use crate::games::{Forgetful, FourInARow, Literal, TicTacToe, Walk, scatter};
use proptest::prelude::*;
use proptest::sample::select;
use stonework_game::{Game, Keyed, Outcome, Player};
use stonework_search::{
    AlphaBeta, AlphaBetaOptions, Bounds, Engine, Evaluator, Limits, Minimax, MoveOrder, NoisyMoves, NullMove,
    Report, Stop, WIN, WIN_BOUND,
};

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Options that must not change a value.
#[derive(Clone, Copy, Debug)]
struct Setting {
    table: usize,
    table_depth: u32,
    aspiration: i32,
    /// Killer moves, history of moves and counter moves, each on or off.
    memories: [bool; 3],
    /// `true` for the order of [`Shuffled`].
    order: bool,
    lines: usize,
    threads: usize,
}

fn settings() -> impl Strategy<Value = Setting> {
    let tables = (select(vec![0, 64, 4096, 1 << 18]), 1..4_u32);
    let threads = prop_oneof![9 => Just(1_usize), 1 => Just(2)];
    (tables, select(vec![0, 1, 16, 1000]), any::<[bool; 3]>(), any::<bool>(), 1..4_usize, threads).prop_map(
        |((table, table_depth), aspiration, memories, order, lines, threads)| Setting {
            table,
            table_depth,
            aspiration,
            memories,
            order,
            lines,
            threads,
        },
    )
}

/// An arbitrary order of moves, by hash; with `false` the order of the game.
#[derive(Clone, Copy, Debug)]
struct Shuffled(bool);

impl<G: Keyed<Move = u8>> MoveOrder<G> for Shuffled {
    fn worth(&mut self, game: &G, mv: u8) -> i32 {
        if self.0 { (scatter(game.key() ^ u64::from(mv)) >> 32) as i32 } else { 0 }
    }
}

/// Noisy moves: about one move in three, by hash.
#[derive(Clone, Copy, Debug)]
struct Third;

impl<G: Keyed<Move = u8>> NoisyMoves<G> for Third {
    fn noisy_moves(&mut self, game: &G, out: &mut Vec<u8>) {
        game.legal_moves(out);
        out.retain(|&mv| scatter(game.key() ^ u64::from(mv) << 7).is_multiple_of(3));
    }
}

fn options(with: Setting) -> AlphaBetaOptions {
    let [killers, history, counters] = with.memories;
    AlphaBetaOptions::new()
        .bytes(with.table)
        .table_depth(with.table_depth)
        .aspiration(with.aspiration)
        .killers(killers)
        .history(history)
        .counter_moves(counters)
        .lines(with.lines)
        .threads(with.threads)
}

fn search<G: Game>(engine: &mut impl Engine<G>, root: &G, limits: &Limits) -> Report<G::Move> {
    engine.think(root, limits)
}

/// The value by the definition of minimax, with a quiescence search of `noisy` plies beyond the depth.
fn judge<G: Keyed<Move = u8>>(game: &mut G, eval: fn(&G) -> i32, depth: u32, noisy: u32, ply: i32) -> i32 {
    if let Some(outcome) = game.outcome() {
        return outcome.value_for(game.to_move()) * (WIN - ply);
    }
    let (mut moves, mut best) = (Vec::new(), -WIN);
    if depth > 0 {
        game.legal_moves(&mut moves);
    } else {
        best = eval(game);
        if noisy > 0 {
            Third.noisy_moves(game, &mut moves);
        }
    }
    let mover = game.to_move();
    for mv in moves {
        let undo = game.play_unchecked(mv);
        let left = if depth > 0 { (depth - 1, noisy) } else { (0, noisy - 1) };
        let value = judge(game, eval, left.0, left.1, ply + 1);
        best = best.max(if game.to_move() == mover { value } else { -value });
        game.undo(undo);
    }
    best
}

/// The values of all moves to a depth, best first.
fn root_values<G: Keyed<Move = u8>>(root: &G, eval: fn(&G) -> i32, depth: u32, noisy: u32) -> Vec<(i32, u8)> {
    let mut game = root.clone();
    let moves = game.moves();
    let mut values = Vec::new();
    for mv in moves {
        let undo = game.play_unchecked(mv);
        let value = judge(&mut game, eval, depth - 1, noisy, 1);
        values.push((if game.to_move() == root.to_move() { value } else { -value }, mv));
        game.undo(undo);
    }
    values.sort_unstable_by_key(|&(value, _)| std::cmp::Reverse(value));
    values
}

/// Checks that the line is legal, and that its end has the value.
fn check_line<G: Keyed<Move = u8>>(root: &G, eval: fn(&G) -> i32, line: &[u8], value: i32, depth: u32) {
    let mut game = root.clone();
    for &mv in line {
        game.play(mv).expect("lines are legal");
    }
    let plies = line.len() as i32;
    let at_depth = if game.to_move() == root.to_move() { eval(&game) } else { -eval(&game) };
    let end = game.outcome().map_or(at_depth, |outcome| outcome.value_for(root.to_move()) * (WIN - plies));
    assert!(
        game.outcome().is_some() || plies == depth as i32,
        "a line ends before the depth and before the end of the game: {line:?}"
    );
    assert_eq!(end, value, "{line:?} of {root:?}");
}

/// Checks that the engine with these options finds the value, the lines and the proven bounds of the definition.
fn agrees<G: Keyed<Move = u8>>(root: &G, eval: fn(&G) -> i32, depth: u32, with: Setting) -> Report<u8> {
    let engine = AlphaBeta::new(eval, options(with).exact_depth(true)).expect("options are in range");
    let mut engine = engine.order(Shuffled(with.order));
    let report = search(&mut engine, root, &Limits::none().depth(depth));
    let truth = search(&mut Minimax::new(eval), root, &Limits::none().depth(depth));
    assert_eq!(report.value.score(), truth.value.score(), "{root:?} {with:?}");
    if root.outcome().is_some() || depth == 0 {
        assert_eq!(report.best, None);
        return report;
    }
    check_line(root, eval, report.line(), report.value.score(), report.depth);
    assert_eq!(report.best, report.line().first().copied());
    if truth.stopped == Some(Stop::Solved) {
        assert_eq!((report.bounds, report.proven), (truth.bounds, truth.proven), "{root:?} {with:?}");
    } else if report.value.score().abs() < WIN_BOUND {
        let exact = report.bounds == Bounds::exact(0) && report.value.score() == 0;
        assert!(exact || report.bounds.value().is_none(), "{report:?}");
    }
    let values = root_values(root, eval, depth, 0);
    let lines: Vec<_> = report.lines.iter().map(|line| (line.value.score(), line.moves[0])).collect();
    let wanted = with.lines.min(values.len());
    assert_eq!(lines.len(), wanted);
    for (line, value) in lines.iter().zip(&values) {
        assert_eq!(line.0, value.0, "{root:?} {with:?}: {lines:?} and {values:?}");
        assert!(values.contains(line), "{root:?} {with:?}: {lines:?} and {values:?}");
    }
    for line in &report.lines {
        check_line(root, eval, &line.moves, line.value.score(), report.depth);
    }
    report
}

/// Checks that proven values are true under options that prune.
fn nothing_false_is_proven<G: Keyed<Move = u8>>(root: &G, truth: i32, report: &Report<u8>) {
    let sign = truth.signum() as i8;
    assert!((report.bounds.least..=report.bounds.most).contains(&sign), "{truth}: {report:?}");
    if report.value.score().abs() >= WIN_BOUND {
        assert_eq!(report.value.score().signum(), truth.signum(), "{report:?}");
        assert!(
            report.value.score().abs() <= truth.abs(),
            "the proven win is quicker than the quickest win: {report:?}"
        );
    }
    assert_eq!(report.proven, report.bounds.outcome(root.to_move()));
    assert_eq!(report.best.is_some(), root.outcome().is_none());
    report.line().iter().fold(root.clone(), |mut game, &mv| {
        game.play(mv).expect("lines are legal");
        game
    });
}

/// The position after these moves. Each number picks one of the legal moves; a move that would end the game is not played.
fn after<G: Game>(mut game: G, picks: &[usize]) -> G {
    for &pick in picks {
        let moves = game.moves();
        let undo = game.play_unchecked(moves[pick % moves.len()]);
        if game.outcome().is_some() {
            game.undo(undo);
            return game;
        }
    }
    game
}

fn picks(most: usize) -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..60_usize, 0..most)
}

fn four_eval(game: &FourInARow) -> i32 {
    let value = (scatter(game.key()) % 41) as i32 - 20;
    // A table of canonical keys needs the same value for a position and its mirror image.
    let (canonical, _) = game.canonical();
    if canonical == game.key() { value } else { (scatter(canonical) % 41) as i32 - 20 }
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn literal_trees(seed: u64, depth in 0..7_u8, width in 1..5_u8, double: bool, merge: bool,
        to in 0..8_u32, with in settings()) {
        agrees(&Literal::new(seed, depth, width, double, merge), Literal::eval, to, with);
    }

    #[test]
    fn repetition_honours_the_horizon(cells in 3..9_u8, wins: [u8; 2], limit in select(vec![3_u8, 4, 7]),
        start in picks(12), to in 0..11_u32, with in settings()) {
        let root = after(Walk::new(cells, wins.map(|w| w % (cells + 2)), limit), &start);
        agrees(&root, Walk::eval, to, with);
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn connect_four_to_a_depth(width in 4..6_u8, start in picks(12), to in 1..7_u32, with in settings()) {
        let root = after(FourInARow::new(width, 4), &start);
        agrees(&root, four_eval, to, with);
    }

    #[test]
    fn connect_four_endings(width in 4..6_u8, start in prop::collection::vec(0..60_usize, 9..16), with in settings()) {
        let root = after(FourInARow::new(width, 4), &start);
        let report = agrees(&root, four_eval, 8, with);
        let free = 4 * u32::from(width) - start.len() as u32;
        prop_assert!(free > 8 || report.proven.is_some());
    }

    #[test]
    fn quiescence(seed: u64, depth in 1..8_u8, width in 1..4_u8, double: bool, merge: bool,
        to in 1..5_u32, quiet in 1..5_u32, with in settings()) {
        let root = Literal::new(seed, depth, width, double, merge);
        let options = options(with).exact_depth(true).quiet_depth(quiet);
        let engine = AlphaBeta::new(Literal::eval as fn(&Literal) -> i32, options).unwrap();
        let mut engine = engine.order(Shuffled(with.order)).noisy_moves(Third);
        let report = search(&mut engine, &root, &Limits::none().depth(to));
        let truth = judge(&mut root.clone(), Literal::eval, to, quiet, 0);
        if report.depth == to {
            prop_assert_eq!(report.value.score(), truth);
        }
        let end = search(&mut Minimax::new(()), &root, &Limits::none());
        nothing_false_is_proven(&root, end.value.score(), &report);
    }

    #[test]
    fn quiescence_honours_the_horizon(cells in 3..7_u8, wins: [u8; 2], limit in select(vec![3_u8, 4, 7]),
        to in 1..7_u32, quiet in 1..5_u32, with in settings()) {
        let root = Walk::new(cells, wins.map(|w| w % (cells + 2)), limit);
        let options = options(with).exact_depth(true).quiet_depth(quiet);
        let engine = AlphaBeta::new(Walk::eval as fn(&Walk) -> i32, options).unwrap();
        let mut engine = engine.order(Shuffled(with.order)).noisy_moves(Third);
        let report = search(&mut engine, &root, &Limits::none().depth(to));
        if report.depth == to {
            prop_assert_eq!(report.value.score(), judge(&mut root.clone(), Walk::eval, to, quiet, 0));
        }
    }
}

/// A null move for literal trees, by a step that no move makes.
#[derive(Clone, Copy, Debug)]
struct Skip;

impl NullMove<Literal> for Skip {
    type Undo = (u64, u8);

    fn play_null(&mut self, game: &mut Literal) -> Option<(u64, u8)> {
        Some(game.play_unchecked(200))
    }

    fn undo_null(&mut self, game: &mut Literal, undo: (u64, u8)) {
        game.undo(undo);
    }
}

/// Options that prune.
#[derive(Clone, Copy, Debug)]
struct Risky {
    quiet: u32,
    null: u32,
    late: Option<(usize, u32)>,
    beam: Option<usize>,
    exact: bool,
}

fn risky() -> impl Strategy<Value = Risky> {
    let late = prop::option::of((1..4_usize, 1..3_u32));
    (0..4_u32, 1..4_u32, late, prop::option::of(1..4_usize), any::<bool>())
        .prop_map(|(quiet, null, late, beam, exact)| Risky { quiet, null, late, beam, exact })
}

fn pruning<G, E, P>(evaluate: E, pass: P, with: Setting, risk: Risky) -> impl Engine<G>
where
    G: Keyed<Move = u8>,
    E: Evaluator<G> + Clone,
    P: NullMove<G> + Clone,
{
    let mut options = options(with).quiet_depth(risk.quiet).null_move(risk.null).exact_depth(risk.exact);
    if let Some((after, by)) = risk.late {
        options = options.late_moves(after, by);
    }
    if let Some(width) = risk.beam {
        options = options.beam(width);
    }
    let engine = AlphaBeta::new(evaluate, options).expect("options are in range");
    engine.order(Shuffled(with.order)).noisy_moves(Third).null_move(pass)
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn pruning_proves_nothing_false(seed: u64, depth in 1..8_u8, width in 1..5_u8, double: bool, merge: bool,
        to in 1..9_u32, with in settings(), risk in risky()) {
        let root = Literal::new(seed, depth, width, double, merge);
        let mut engine = pruning(Literal::eval, Skip, with, risk);
        let report = search(&mut engine, &root, &Limits::none().depth(to));
        let truth = search(&mut Minimax::new(()), &root, &Limits::none());
        nothing_false_is_proven(&root, truth.value.score(), &report);
    }

    #[test]
    fn pruning_proves_nothing_false_where_positions_recur(cells in 3..7_u8, wins: [u8; 2],
        start in picks(8), to in 1..14_u32, with in settings(), risk in risky()) {
        let root = after(Walk::new(cells, wins.map(|w| w % (cells + 2)), 3), &start);
        let mut engine = pruning(Walk::eval, (), with, risk);
        let report = search(&mut engine, &root, &Limits::none().depth(to));
        let truth = search(&mut Minimax::new(()), &root, &Limits::none());
        nothing_false_is_proven(&root, truth.value.score(), &report);
    }
}

/// Shows the purpose of `horizon`. The engine finds right values on the game, and wrong values on [`Forgetful`], the same
/// game without its horizon.
#[test]
fn a_table_that_ignores_the_horizon_is_wrong() {
    let forgetful = |game: &Forgetful<Walk>| game.0.eval();
    for limit in [3, 4, 7] {
        let mut wrong = 0;
        for seed in 0..600 {
            let random = |salt: u64| scatter(seed << 8 | salt) as usize;
            let cells = 3 + random(1) as u8 % 4;
            let wins = [random(2), random(3)].map(|r| r as u8 % (cells + 3));
            let start: Vec<_> = (0..random(4) % 8).map(|i| random(9 + i as u64)).collect();
            let honest = after(Walk::new(cells, wins, limit), &start);
            let depth = Limits::none().depth(9);
            let truth = search(&mut Minimax::new(Walk::eval), &honest, &depth).value.score();
            let options = AlphaBetaOptions::new().exact_depth(true).table_depth(1).bytes(1 << 16);
            let mut engine = AlphaBeta::new(Walk::eval, options.clone()).unwrap();
            assert_eq!(search(&mut engine, &honest, &depth).value.score(), truth, "{honest:?}");
            let mut engine = AlphaBeta::new(forgetful, options).unwrap();
            wrong += usize::from(search(&mut engine, &Forgetful(honest), &depth).value.score() != truth);
        }
        assert!(wrong > 0, "no game with limit {limit} has a wrong value without its horizon");
    }
}

#[test]
fn tic_tac_toe_is_a_draw() {
    for table in [0, 64, 4096, 1 << 20] {
        for exact in [false, true] {
            let mut engine =
                AlphaBeta::new((), AlphaBetaOptions::new().bytes(table).exact_depth(exact)).unwrap();
            let report = search(&mut engine, &TicTacToe::default(), &Limits::none());
            assert_eq!((report.value.score(), report.proven), (0, Some(Outcome::Draw)));
            assert_eq!((report.bounds, report.stopped), (Bounds::exact(0), Some(Stop::Solved)));
        }
    }
}

#[test]
fn connect_four_4x4_and_5x4_are_drawn() {
    for (width, threads) in [(4, 1), (4, 2), (5, 1), (5, 2)] {
        let mut engine = AlphaBeta::new((), AlphaBetaOptions::new().threads(threads)).unwrap();
        let report = search(&mut engine, &FourInARow::new(width, 4), &Limits::none());
        assert_eq!(
            (report.value.score(), report.proven, report.stopped),
            (0, Some(Outcome::Draw), Some(Stop::Solved))
        );
    }
}

/// *T. Rogers, A program to play Havannah, 2004*, section 2.3, quotes these four outcomes, of boards "rows*columns".
#[test]
fn connect_three_is_won_or_drawn_by_the_board() {
    for (height, width, drawn) in [(3, 3, true), (3, 4, false), (3, 5, false), (4, 3, true)] {
        let report = search(&mut AlphaBeta::default(), &FourInARow::three(width, height), &Limits::none());
        let outcome = if drawn { Outcome::Draw } else { Outcome::Win(Player::First) };
        assert_eq!(report.proven, Some(outcome), "{width} columns, {height} rows");
    }
}

#[test]
fn two_threads_find_the_value_of_one() {
    let root = FourInARow::new(7, 6);
    let values = [1, 2].map(|threads| {
        let mut engine = AlphaBeta::new(four_eval, AlphaBetaOptions::new().threads(threads)).unwrap();
        search(&mut engine, &root, &Limits::none().depth(9)).value
    });
    assert_eq!(values[0], values[1]);
}

#[test]
fn the_quickest_win_is_found() {
    // The first player has two in a row and is to move. A third stone with both ends open wins two plies later.
    let mut root = FourInARow::new(7, 6);
    for column in [3, 3, 2, 2] {
        root.play(column).unwrap();
    }
    let report = search(&mut AlphaBeta::default(), &root, &Limits::none());
    assert_eq!((report.value.score(), report.depth, report.line().len()), (WIN - 3, 3, 3));
    assert_eq!(report.proven, Some(Outcome::Win(Player::First)));
}

#[test]
fn pruning_saves_work() {
    let nodes = |options: AlphaBetaOptions| {
        let mut engine = AlphaBeta::new(Literal::eval, options.bytes(1 << 16)).unwrap().null_move(Skip);
        let roots = (0..40).map(|seed| Literal::new(seed, 9, 5, false, false));
        roots.map(|root| search(&mut engine, &root, &Limits::none().depth(8)).nodes).sum::<u64>()
    };
    // A null move that is reduced by more than the depth is never tried.
    let new = |by| AlphaBetaOptions::new().null_move(by);
    let all = nodes(new(100));
    assert!(nodes(new(2)) < all);
    assert!(nodes(new(100).late_moves(2, 1)) < all);
    assert!(nodes(new(100).beam(2)) < all);
}
