//! Cover's players: evaluations against a slow count, engines against minimax, and games between players. *The thesis* is
//! A. Bos, *Cover the World in One Game* (1995).

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_board::{Cell, Diagonal, DiagonalSymmetry, Heading, Home, Orientation};
use stonework_cover::{Move, Position, Setup};
use stonework_cover_players::{Bos, Shots, StepOrder, Turn, Weighted, WeightedTerms, roster};
use stonework_game::{Game, Keyed, Outcome, Player, Textual};
use stonework_roster::PlayerConfig;
use stonework_roster::{Clock, Decision};
use stonework_search::{
    AlphaBeta, AlphaBetaOptions, Engine, Evaluator, Limits, Minimax, MoveOrder, NoisyMoves, NullMove, WIN,
    WIN_BOUND,
};

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn below(rng: &mut impl RngCore, n: usize) -> usize {
    ((u128::from(rng.next_u64()) * n as u128) >> 64) as usize
}

fn legal(game: &Position) -> Vec<Move> {
    game.moves()
}

/// Positions that are not over, from random games.
fn positions(size: u8, count: usize, rng: &mut impl RngCore) -> Vec<Position> {
    let mut all = Vec::new();
    while all.len() < count {
        let mut game = Position::new(size).unwrap();
        for _ in 0..60 {
            let moves = legal(&game);
            if moves.is_empty() || all.len() == count {
                break;
            }
            if below(rng, 4) == 0 {
                all.push(game.clone());
            }
            game.play(moves[below(rng, moves.len())]).unwrap();
        }
    }
    all
}

/// The image of a position under a symmetry, without its history.
fn image(game: &Position, symmetry: DiagonalSymmetry) -> Position {
    let mut setup = Setup { to_move: game.to_move(), ..Setup::new(game.size()) };
    for player in Player::BOTH {
        let swapped = if symmetry.swaps_homes() { player.other() } else { player };
        setup.stones[swapped] = game.stones(player).map(|cell| game.lattice().map(symmetry, cell)).collect();
    }
    if symmetry.swaps_homes() {
        setup.to_move = setup.to_move.other();
    }
    setup.position().unwrap()
}

#[test]
fn evaluations_are_equal_under_symmetries() {
    for size in [1, 2, 4, 6, 10] {
        for game in positions(size, 100, &mut rng(size.into())) {
            for symmetry in DiagonalSymmetry::ALL {
                let other = image(&game, symmetry);
                assert_eq!(Bos::new().evaluate(&game), Bos::new().evaluate(&other), "{game:?} {other:?}");
                assert_eq!(
                    WeightedTerms::new().evaluate(&game),
                    WeightedTerms::new().evaluate(&other),
                    "{game:?} {other:?}"
                );
            }
        }
    }
}

/// The view from one end of a stone along its line: the free intersections, and the stone behind them, if there is one.
type Sight = (Vec<(i8, i8)>, Option<(Cell, Player)>);

/// The evaluation of figure 22 of the thesis, term by term, from the coordinates alone. The opponent's homebase is the goal
/// of a player.
struct SlowCount<'a> {
    game: &'a Position,
    lattice: &'a Diagonal,
}

impl SlowCount<'_> {
    fn stones(&self, player: Player) -> Vec<Cell> {
        self.game.stones(player).collect()
    }

    /// The horizontal lines from a location to the player's goal.
    fn lines(&self, cell: Cell, player: Player) -> i32 {
        let (a, b) = self.lattice.coordinates(cell);
        let height = i32::from(a) + i32::from(b);
        if player == Player::First { 2 * i32::from(self.lattice.side()) - height } else { height - 2 }
    }

    /// The steps from a location to the player's goal.
    fn steps(&self, cell: Cell, player: Player) -> i32 {
        let (a, b) = self.lattice.coordinates(cell);
        if player == Player::First {
            i32::from(self.lattice.side()) - i32::from(a.min(b))
        } else {
            i32::from(a.max(b)) - 1
        }
    }

    /// For both directions along a stone's line: the free intersections up to the first covered intersection, and the
    /// stone that covers it.
    fn sights(&self, cell: Cell) -> [Sight; 2] {
        let (column, height) = (self.lattice.column(cell), self.lattice.height(cell));
        let (dx, dy) = if self.lattice.orientation(cell) == Orientation::Vertical { (0, 1) } else { (1, 0) };
        let look = |sign: i8| {
            let mut free = Vec::new();
            for i in 1.. {
                // The end of the stone itself is at distance 1 from its middle.
                let far = 2 * i + 1;
                let (d, s) = (column + sign * dx * far, height + sign * dy * far);
                let Some(point) = self.lattice.intersection_at(d, s) else { break };
                if let Some(stone) = self.game.covering(point) {
                    return (free, Some(stone));
                }
                free.push((d, s));
            }
            (free, None)
        };
        [look(1), look(-1)]
    }

    /// `true` if stones on the two locations lie in different directions.
    fn across(&self, cell: Cell, other: Cell) -> bool {
        self.lattice.orientation(cell) != self.lattice.orientation(other)
    }

    /// The number of pairs of a stone and a location that the stone could hit.
    fn threats(&self, player: Player) -> i32 {
        let mut count = 0;
        for cell in self.stones(player) {
            for (free, met) in self.sights(cell) {
                for place in self.lattice.cells().filter(|&place| self.across(cell, place)) {
                    let ends = self.lattice.intersections(place).map(|end| self.lattice.point(end));
                    count += free.iter().filter(|point| ends.contains(point)).count() as i32;
                }
                count += i32::from(met.is_some_and(|(at, owner)| owner != player && self.across(cell, at)));
            }
        }
        count
    }

    /// `true` if a stone of `by` can shoot the stone on `target`.
    fn shootable(&self, target: Cell, by: Player) -> bool {
        let hits = |cell: Cell| {
            self.across(cell, target)
                && self.sights(cell).iter().any(|(_, met)| met.is_some_and(|(at, _)| at == target))
        };
        self.stones(by).into_iter().any(hits)
    }

    fn value(&self, player: Player) -> i32 {
        let most = i32::from(self.lattice.side()) - 1;
        let mine = self.game.to_move() == player;
        let enemies = self.stones(player.other());
        let mut value = 250 * self.stones(player).len() as i32 + 18 * self.threats(player);
        for x in self.stones(player) {
            let (lines, steps) = (self.lines(x, player), self.steps(x, player));
            value += 15 * (2 * most - lines) + 15 * (most - i32::from(self.lattice.vertical_line(x)));
            let level = mine && self.lattice.orientation(x) == Orientation::Vertical;
            let by_lines = enemies.iter().all(|&z| {
                let theirs = self.lines(z, player);
                lines < theirs || level && lines == theirs
            });
            let by_steps = enemies.iter().all(|&z| steps < self.steps(z, player));
            value += if by_lines { 13 * (2 * most - lines) } else { 0 };
            value += if by_steps { 20 * (most - steps) } else { 0 };
            if by_lines && by_steps && (mine || !self.shootable(x, player.other())) {
                value += 9000 - 2 * steps;
            }
        }
        value
    }
}

#[test]
fn bos_is_the_evaluation_of_figure_22() {
    let mut breakthroughs = 0;
    for size in [1, 2, 3, 4, 6] {
        for game in positions(size, 60, &mut rng(u64::from(size) + 100)) {
            let count = SlowCount { game: &game, lattice: game.lattice() };
            let mover = game.to_move();
            let slow = count.value(mover) - count.value(mover.other());
            assert_eq!(Bos::new().evaluate(&game), slow, "{game:?}");
            breakthroughs += usize::from(slow.abs() > 8000);
        }
    }
    assert!(breakthroughs >= 10, "{breakthroughs} breakthroughs");
}

#[test]
fn noisy_moves_are_the_legal_moves_that_shoot_or_reach_the_homebase() {
    let (mut shots, mut home) = (0, 0);
    for size in [1, 2, 4] {
        for game in positions(size, 300, &mut rng(u64::from(size) + 200)) {
            let goal = if game.to_move() == Player::First { Home::Top } else { Home::Bottom };
            let goal = game.lattice().homebase(goal);
            let arrives = |mv: &Move| game.target(*mv) == Some(goal);
            let wanted: Vec<Move> =
                legal(&game).into_iter().filter(|mv| game.hit(*mv).is_some() || arrives(mv)).collect();
            let mut noisy = Vec::new();
            Shots.noisy_moves(&game, &mut noisy);
            assert_eq!(
                noisy.is_empty() || arrives(&noisy[0]),
                noisy.is_empty() || wanted.iter().any(arrives)
            );
            home += wanted.iter().filter(|mv| arrives(mv)).count();
            shots += wanted.iter().filter(|mv| game.hit(**mv).is_some()).count();
            let sorted = |mut moves: Vec<Move>| {
                moves.sort_unstable();
                moves
            };
            assert_eq!(sorted(noisy), sorted(wanted), "{game:?}");
        }
    }
    assert!(shots > 50 && home > 5, "{shots} {home}");
}

/// The order of section 3.3 of the thesis: the first moves of a vertical and of a horizontal stone, for each side.
#[test]
fn moves_are_ordered_by_kind_of_step_and_then_by_the_stone_moved_last() {
    use Heading::{Down, Left, Right, Up};
    let headings = |board: &str, to_move, from: &str| -> Vec<Heading> {
        let mut setup = Setup::from_board(4, board).unwrap();
        setup.to_move = to_move;
        let game = setup.position().unwrap();
        let from = game.lattice().parse(from).unwrap();
        let mut moves: Vec<Move> = Heading::ALL.map(|heading| Move::new(from, heading)).to_vec();
        moves.sort_by_key(|&mv| std::cmp::Reverse(StepOrder.worth(&game, mv)));
        moves.into_iter().map(|mv| mv.heading).collect()
    };
    assert_eq!(headings("[E05]x[K05]", Player::First, "E05")[..4], [Up, Down, Left, Right]);
    assert_eq!(headings("[E04]x[K05]", Player::First, "E04")[..4], [Left, Right, Up, Down]);
    assert_eq!(headings("[A07]x[F06]", Player::Second, "F06")[..4], [Down, Up, Right, Left]);
    assert_eq!(headings("[A07]x[F05]", Player::Second, "F05")[..4], [Right, Left, Down, Up]);
    let mut game = Position::new(4).unwrap();
    for mv in ["C05-D06", "E11-D10"] {
        game.play(game.parse_move(mv).unwrap()).unwrap();
    }
    let first = legal(&game).into_iter().max_by_key(|&mv| StepOrder.worth(&game, mv));
    assert_eq!(first.map(|mv| game.move_text(mv)).as_deref(), Some("D06-E07"));
}

#[test]
fn a_pass_is_taken_back_exactly() {
    let (mut passed, mut over) = (0, 0);
    for size in [1, 2, 4] {
        for mut game in positions(size, 200, &mut rng(u64::from(size) + 300)) {
            let before = game.clone();
            let undo = Turn.play_null(&mut game).expect("it is not over");
            assert_eq!(game.to_move(), before.to_move().other());
            assert_ne!(game.key(), before.key());
            // The rules agree with the position after a pass: the same board, the other side, no history.
            let mut setup = before.setup();
            (setup.to_move, setup.history) = (before.to_move().other(), Vec::new());
            assert_eq!(setup.position().unwrap(), game);
            assert_eq!(setup.position().unwrap().outcome(), game.outcome());
            over += usize::from(game.outcome().is_some());
            assert!(game.outcome().is_none() || Turn.play_null(&mut game).is_none());
            Turn.undo_null(&mut game, undo);
            assert_eq!((&game, game.key(), game.recent()), (&before, before.key(), before.recent()));
            passed += 1;
        }
    }
    assert!(passed == 600 && over < 100, "{passed} {over}");
}

/// The key includes the history that decides legality, so a value in the table holds for every position with the key.
#[test]
fn a_search_with_a_table_has_the_values_of_minimax() {
    let mut exact = AlphaBeta::new(Bos::new(), AlphaBetaOptions::new().table_depth(1).exact_depth(true))
        .unwrap()
        .order(StepOrder);
    let mut slow = Minimax::new(Bos::new());
    for (size, depth) in [(1, 6), (2, 4)] {
        for game in positions(size, 25, &mut rng(u64::from(size) + 400)) {
            let limits = Limits::none().depth(depth);
            let (ours, theirs) = (exact.think(&game, &limits), slow.think(&game, &limits));
            assert_eq!(ours.value, theirs.value, "{game:?}");
        }
    }
}

/// Position 4 of §5.1 and the positions of figure 23: the thesis says that blue wins.
#[test]
fn the_wins_of_the_thesis_are_found() {
    for (position, plies) in [
        ("4 r four [C02]x[A04] C02-D03,B05-A04,D03-C02", None),
        ("4 r four [I09]x[J08] -", None),
        ("4 b four [I09]x[J11] -", Some(1)),
        ("4 b four [I09]x[K05] -", Some(3)),
    ] {
        let game = Position::parse_position(position).unwrap();
        for name in ["bos", "cover"] {
            let mut engine = roster(None).engine(name, &PlayerConfig::default()).unwrap();
            let report = engine.think(&game, &Limits::none().depth(14).nodes(400_000));
            let blue =
                if game.to_move() == Player::First { report.value.score() } else { -report.value.score() };
            assert!(blue >= WIN_BOUND, "{name} {position}: {blue}");
            assert_eq!(report.proven, Some(Outcome::Win(Player::First)));
            assert!(plies.is_none_or(|plies| blue == WIN - plies), "{name} {position}: {blue}");
        }
    }
}

#[test]
fn all_players_play_legal_moves_on_small_and_large_boards() {
    for entry in roster(None).entries() {
        for size in [1, 4, 10] {
            let limits = Limits::none().nodes(300).depth(3).bytes(1 << 20);
            let mut player = roster(None)
                .agent(entry.name(), &PlayerConfig { limits, ..PlayerConfig::default() })
                .unwrap();
            if let Some(simulations) =
                player.parameters().iter().find(|parameter| parameter.name == "simulations")
            {
                player.set_parameter(simulations.name, 20.0).unwrap();
            }
            let mut game = Position::new(size).unwrap();
            player.new_game();
            for _ in 0..6 {
                let Some(Decision::Play(mv)) = player.decide(&game, &Clock::NONE) else { break };
                game.play(mv).unwrap_or_else(|e| panic!("{}: {e}", entry.name()));
            }
        }
    }
    let error = roster(None).agent("bosch", &PlayerConfig::default()).err().unwrap().to_string();
    assert!(error.starts_with("no player `bosch`; there is cover, bos, "), "{error}");
}

#[test]
fn weights_are_parameters_and_change_values() {
    for (name, weights) in [("bos", Bos::new().weights()), ("cover", WeightedTerms::new().weights())] {
        let mut engine = roster(None).engine(name, &PlayerConfig::default()).unwrap();
        for weight in &weights {
            engine.set_parameter(weight.name, weight.value + 1.0).unwrap();
            let shown =
                engine.parameters().into_iter().find(|parameter| parameter.name == weight.name).unwrap();
            assert!((shown.value - weight.value - 1.0).abs() < 1e-9, "{name}: {}", weight.name);
            assert!(
                engine.set_parameter(weight.name, 0.5).is_err()
                    && engine.set_parameter(weight.name, 1e9).is_err()
            );
        }
        assert!(engine.set_parameter("nothing", 1.0).unwrap_err().to_string().contains("winning, "));
        let game = Position::parse_position("4 b four [C05,F06]x[F10,I03] -").unwrap();
        let limits = Limits::none().depth(1);
        let value = |engine: &mut dyn Engine<Position>| engine.think(&game, &limits).value;
        let before = value(&mut *engine);
        engine.set_parameter("threat", 1000.0).unwrap();
        assert_ne!(value(&mut *engine), before, "{name}");
    }
}

/// Plays a game between two players and returns the points of blue, the first player.
fn points_of_blue(names: [&str; 2], nodes: u64, opening: &[Move]) -> f64 {
    let config =
        PlayerConfig { limits: Limits::none().nodes(nodes).bytes(1 << 20), ..PlayerConfig::default() };
    let mut players = names.map(|name| roster(None).agent(name, &config).unwrap());
    let mut game = Position::new(4).unwrap();
    for &mv in opening {
        game.play(mv).unwrap();
    }
    for _ in 0..120 {
        match game.outcome() {
            Some(Outcome::Win(Player::First)) => return 1.0,
            Some(_) => return 0.0,
            None => {}
        }
        let Some(Decision::Play(mv)) = players[game.to_move().index()].decide(&game, &Clock::NONE) else {
            break;
        };
        game.play(mv).unwrap();
    }
    0.5
}

/// A short match of `cover` against `bos`, the player of the thesis, with 500 nodes a move as in docs/lab/cover.md: enough
/// games to notice a loss of strength.
#[test]
fn cover_beats_bos() {
    let mut rng = rng(5);
    let (mut points, pairs) = (0.0, 12);
    for _ in 0..pairs {
        let mut start = Position::new(4).unwrap();
        let mut opening = Vec::new();
        for _ in 0..2 {
            let moves = legal(&start);
            opening.push(moves[below(&mut rng, moves.len())]);
            start.play(opening[opening.len() - 1]).unwrap();
        }
        points += points_of_blue(["cover", "bos"], 500, &opening);
        points += 1.0 - points_of_blue(["bos", "cover"], 500, &opening);
    }
    assert!(points >= 0.55 * f64::from(2 * pairs), "{points} of {}", 2 * pairs);
}

/// A weight of `bos` had the name of an option of its search, which could not be set.
#[test]
fn no_two_parameters_have_one_name_and_depth_is_the_depth_of_the_search() {
    for entry in roster(None).entries() {
        let agent = roster(None).agent(entry.name(), &PlayerConfig::default()).unwrap();
        let mut names: Vec<&str> = agent.parameters().iter().map(|parameter| parameter.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{}: {names:?}", entry.name());
    }
    for name in ["bos", "cover", "alphabeta"] {
        let mut engine = roster(None).engine(name, &PlayerConfig::default()).unwrap();
        engine.set_parameter("depth", 2.0).unwrap();
        let report = engine.think(&Position::new(3).unwrap(), &Limits::none().nodes(1_000_000));
        assert_eq!(report.depth, 2, "{name}");
    }
}
