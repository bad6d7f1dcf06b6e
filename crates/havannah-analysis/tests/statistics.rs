//! Statistics of games agree with the reference data, the seeds and simple counts.

use stonework_board::{Board, Cell};
use stonework_game::{Game, Player, Textual, below, rng};
use stonework_havannah::{Move, Position, Setup, WinKind, WinKinds};
use stonework_havannah_analysis::{Complexity, GameStatistics, Lengths, StatisticsError};

fn random_games(size: u8, games: u64, seed: u64) -> GameStatistics {
    let (mut statistics, mut rng) = (GameStatistics::new(size).unwrap(), rng(seed));
    let start = Position::new(size).unwrap();
    for _ in 0..games {
        let mut game = start.clone();
        let mut cells: Vec<Cell> = game.empty_cells().collect();
        while game.outcome().is_none() {
            game.play(Move::Place(cells.swap_remove(below(&mut rng, cells.len())))).unwrap();
        }
        statistics.add(&game).unwrap();
    }
    statistics
}

/// The shares of games by kind; a win of several kinds counts as the first of fork, bridge, ring.
fn first_kind(statistics: &GameStatistics) -> [f64; 3] {
    let all = [WinKinds::RING, WinKinds::BRIDGE, WinKinds::FORK];
    let mut counts = [0; 3];
    for set in 1..8 {
        let kinds = (0..3).filter(|i| set >> i & 1 != 0).fold(WinKinds::NONE, |kinds, i| kinds.with(all[i]));
        let first = if set >= 4 {
            0
        } else if set >= 2 {
            1
        } else {
            2
        };
        counts[first] +=
            Player::BOTH.map(|player| statistics.won_with_exactly(player, kinds)).iter().sum::<u64>();
    }
    counts.map(|count| count as f64 / statistics.games() as f64)
}

/// Figures of 0.6 to 5 million random games of three other programs and of prototypes: mean length and its deviation,
/// forks, bridges and rings by the first kind, draws, wins of the first player; then rings, bridges and forks, each kind of a
/// last move counted.
struct Figures {
    size: u8,
    games: u64,
    length: (f64, f64),
    first: [f64; 3],
    draws: f64,
    wins: f64,
    kinds: [f64; 3],
}

#[test]
fn random_games_are_like_those_of_other_programs() {
    let all = [
        Figures {
            size: 4,
            games: 20_000,
            length: (27.950, 4.69),
            first: [0.4407, 0.4998, 0.0589],
            draws: 0.00068,
            wins: 0.5531,
            kinds: [0.064, 0.589, 0.441],
        },
        Figures {
            size: 5,
            games: 8_000,
            length: (46.538, 6.92),
            first: [0.5119, 0.2943, 0.1936],
            draws: 0.00018,
            wins: 0.5363,
            kinds: [0.201, 0.371, 0.513],
        },
        Figures {
            size: 8,
            games: 2_000,
            length: (120.460, 19.43),
            first: [0.2303, 0.0485, 0.7212],
            draws: 0.0,
            wins: 0.5144,
            kinds: [0.725, 0.066, 0.232],
        },
        Figures {
            size: 10,
            games: 800,
            length: (179.828, 31.33),
            first: [0.0794, 0.0123, 0.9083],
            draws: 0.0,
            wins: 0.5092,
            kinds: [0.911, 0.017, 0.079],
        },
    ];
    for figures in all {
        let Figures { size, games, .. } = figures;
        let statistics = random_games(size, games, 11);
        let n = games as f64;
        // The tolerance is four standard errors and the rounding of the figures.
        let near = |what: &str, share: f64, figure: f64| {
            let error = 4.0 * (figure * (1.0 - figure) / n).sqrt() + 0.0006;
            assert!((share - figure).abs() < error, "size {size}, {what}: {share} for {figure} ± {error}");
        };
        for (i, what) in ["first fork", "first bridge", "first ring"].into_iter().enumerate() {
            near(what, first_kind(&statistics)[i], figures.first[i]);
        }
        for (kind, figure) in WinKind::ALL.into_iter().zip(figures.kinds) {
            near(kind.name(), statistics.share(kind), figure);
        }
        near("draws", statistics.draws() as f64 / n, figures.draws);
        near("wins", statistics.wins().first as f64 / n, figures.wins);
        let (mean, deviation) =
            (statistics.lengths().mean().unwrap(), statistics.lengths().deviation().unwrap());
        let error = figures.length.1 / n.sqrt();
        assert!((mean - figures.length.0).abs() < 4.0 * error, "size {size}: mean length {mean}");
        assert!((deviation - figures.length.1).abs() < 4.0 * error, "size {size}: deviation {deviation}");
        assert_eq!(statistics.rings().games(), (statistics.share(WinKind::Ring) * n).round() as u64);
    }
}

#[test]
#[ignore = "prints a table: cargo test --release -p stonework-havannah-analysis --test statistics -- --ignored figures --nocapture (docs/lab/analysis.md)"]
fn figures_of_random_games_and_of_boards() {
    println!(
        "size games mean sd ring bridge fork draws | of rings: six own opponent empty, mean size, quantiles"
    );
    for size in 3..=10 {
        let games = 20_000_000 / u64::from(size).pow(3);
        let statistics = random_games(size, games, 5);
        let [ring, bridge, fork] = WinKind::ALL.map(|kind| statistics.share(kind));
        let (lengths, rings) = (statistics.lengths(), statistics.rings());
        let of_rings = |count: u64| count as f64 / rings.games() as f64;
        println!(
            "{size} {games} {:.2} {:.2} {ring:.4} {bridge:.4} {fork:.4} {:.5} | {:.3} {:.3} {:.3} {:.3}, {:.2} {:?}",
            lengths.mean().unwrap(),
            lengths.deviation().unwrap(),
            statistics.draws() as f64 / games as f64,
            of_rings(rings.six_stones()),
            of_rings(rings.with_own_inside()),
            of_rings(rings.with_opponent_inside()),
            of_rings(rings.with_nothing_inside()),
            rings.sizes().mean().unwrap(),
            [0.25, 0.5, 0.75, 0.95, 1.0].map(|share| rings.sizes().quantile(share).unwrap()),
        );
        let board = Complexity::of(size).unwrap();
        let mean = lengths.mean().unwrap();
        println!(
            "  {} cells: T0 {}, T1 {}, T2 {}, full {}, of mean length {}, branching {:.1} {:.1}",
            board.cells(),
            board.fillings(),
            board.positions(),
            board.classes(),
            board.full_games(),
            board.games(mean).unwrap(),
            board.mean_branching(board.cells().into()).unwrap(),
            board.mean_branching(mean).unwrap(),
        );
    }
}

#[test]
fn games_are_counted_once_under_their_kinds() {
    let played = |size: u8, moves: &str| {
        let mut game = Position::new(size).unwrap();
        for text in moves.split(' ') {
            game.play(game.parse_move(text).unwrap()).unwrap();
        }
        game
    };
    let bridge = played(4, "a1 b1 a2 b2 a3 b3 a4");
    let fork = played(4, "b1 c1 b2 c2 b3 c3 b4 c4 b5 c5 a2");
    let ring = played(4, "b2 f3 b3 f4 c2 f5 c4 f6 d3 f7 d4");
    let filled = played(4, "b2 f3 b3 f4 c2 f5 c4 f6 d3 f7 c3 e6 d4");
    let draw = played(
        4,
        "g7 a1 f5 g4 e3 d2 e2 d1 c2 d3 c3 f7 d6 b4 a4 b5 a3 e5 c4 b3 a2 c1 b1 f6 e4 d4 g6 e7 d7 b2 c5 f3 f4 g5 d5 e6 c6",
    );
    let mut statistics = GameStatistics::new(4).unwrap();
    for game in [&bridge, &fork, &ring, &filled, &draw] {
        statistics.add(game).unwrap();
    }
    assert_eq!((statistics.games(), statistics.draws()), (5, 1));
    assert_eq!((statistics.wins().first, statistics.wins().second), (4, 0));
    assert_eq!(WinKind::ALL.map(|kind| statistics.won_with(Player::First, kind)), [2, 1, 1]);
    assert_eq!(WinKind::ALL.map(|kind| statistics.won_with(Player::Second, kind)), [0; 3]);
    assert_eq!(statistics.won_with_exactly(Player::First, WinKinds::FORK), 1);
    let rings = statistics.rings();
    assert_eq!((rings.games(), rings.six_stones()), (2, 2));
    assert_eq!(
        (rings.with_own_inside(), rings.with_opponent_inside(), rings.with_nothing_inside()),
        (1, 0, 1)
    );
    assert_eq!(statistics.lengths().quantile(0.0), Some(7));
    assert_eq!(statistics.lengths().quantile(0.5), Some(11));
    assert_eq!(statistics.lengths().quantile(1.0), Some(37));

    let mut twice = statistics.clone();
    twice.merge(&statistics).unwrap();
    assert_eq!((twice.games(), twice.rings().games(), twice.draws()), (10, 4, 2));
    assert_eq!(twice.lengths().histogram()[11], 4);

    let running = Position::new(4).unwrap();
    let error = statistics.add(&running).unwrap_err();
    assert_eq!(error, StatisticsError::Running { stones: 0, empty: 37 });
    assert_eq!(error.to_string(), "the game is not over: 0 stones, 37 empty cells, no win");
    let error = statistics.merge(&GameStatistics::new(5).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "a game of size 5 among games of size 4");
    assert_eq!(statistics.games(), 5);
    assert!(GameStatistics::new(21).is_err());
}

#[test]
fn rings_have_the_size_of_the_smallest() {
    // Rings of six stones around one cell, eight around two, ten around three in a row.
    for (line, size) in [(1, 6), (2, 8), (3, 10)] {
        let board = Board::hexagon(6).unwrap();
        let inside: Vec<Cell> = board.row(5).skip(3).take(line).collect();
        let mut setup = Setup::new(6);
        setup.stones.first = inside.iter().flat_map(|&cell| board.neighbours(cell)).collect();
        for &cell in &inside {
            setup.stones.first.remove(cell);
        }
        setup.stones.second.insert(inside[0]);
        let mut statistics = GameStatistics::new(6).unwrap();
        statistics.add(&setup.position().unwrap()).unwrap();
        let rings = statistics.rings();
        assert_eq!(rings.sizes().quantile(1.0), Some(size));
        assert_eq!(rings.six_stones(), u64::from(line == 1));
        assert_eq!(rings.with_opponent_inside(), rings.six_stones());
    }
}

#[test]
fn no_game_has_no_length() {
    let lengths = Lengths::new();
    assert_eq!((lengths.mean(), lengths.deviation(), lengths.quantile(0.5)), (None, None, None));
    let mut one = Lengths::new();
    one.add(0);
    assert_eq!((one.mean(), one.deviation(), one.quantile(2.0)), (Some(0.0), None, Some(0)));
    assert_eq!(one.quantile(f64::NAN), None);
    assert!(GameStatistics::new(2).unwrap().share(WinKind::Ring).abs() < f64::EPSILON);
}

/// Ewalds' table of T₂, Rogers' table of levels and branching.
#[test]
fn sizes_of_the_seeds_tables() {
    let ewalds = [
        (3, 19, "2 × 10^7"),
        (4, 37, "6 × 10^15"),
        (5, 61, "1 × 10^27"),
        (6, 91, "2 × 10^41"),
        (7, 127, "3 × 10^58"),
        (8, 169, "3 × 10^78"),
        (9, 217, "2 × 10^101"),
        (10, 271, "1 × 10^127"),
    ];
    for (size, cells, classes) in ewalds {
        let board = Complexity::of(size).unwrap();
        assert_eq!((board.cells(), board.classes().to_string()), (cells, classes.to_owned()), "size {size}");
    }
    for (size, levels, branching) in
        [(2, 7, 4.0), (3, 19, 10.0), (5, 61, 31.0), (8, 169, 85.0), (10, 271, 136.0)]
    {
        let board = Complexity::of(size).unwrap();
        assert_eq!((board.cells(), board.mean_branching(levels.into())), (levels, Some(branching)));
    }
    assert_eq!(Complexity::of(10).unwrap().full_games().log10() as u32, 543);
}

#[test]
fn numbers_of_positions_are_those_that_are_counted() {
    // All boards of size 2 whose numbers of stones alternate.
    let counted = (0..3u32.pow(7)).filter(|board| {
        let digits = (0..7).map(|i| board / 3u32.pow(i) % 3);
        let (first, second) = digits.fold((0, 0), |(a, b), d| (a + i32::from(d == 1), b + i32::from(d == 2)));
        [0, 1].contains(&(first - second))
    });
    assert_eq!(Complexity::of(2).unwrap().exact_positions(), Some(counted.count() as u128));
    for size in 2..=20 {
        let board = Complexity::of(size).unwrap();
        match board.exact_positions() {
            Some(exact) => {
                assert!((board.positions().log10() - (exact as f64).log10()).abs() < 1e-12, "{size}");
            }
            None => assert!(size > 5),
        }
        assert!(board.positions() < board.fillings());
        assert!(
            (board.games(board.cells().into()).unwrap().log10() - board.full_games().log10()).abs() < 1e-12
        );
        assert!(board.games(0.0).unwrap().log10().abs() < 1e-9);
        assert_eq!(board.games(-1.0), None);
        assert_eq!(board.games(f64::NAN), None);
        assert_eq!(board.mean_branching(f64::from(board.cells()) + 1.0), None);
    }
}

/// Each line: size, winner, kinds, plies, moves.
fn of_lines(file: &str, size: u8) {
    let text = stonework_reference_data::text(file);
    let mut statistics = GameStatistics::new(size).unwrap();
    let (mut kinds, mut plies, mut games) = ([0; 3], Lengths::new(), 0);
    for line in text.lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let mut game = Position::new(size).unwrap();
        for text in &fields[4..] {
            game.play(game.parse_move(text).unwrap()).unwrap();
        }
        statistics.add(&game).unwrap();
        for (kind, count) in WinKind::ALL.into_iter().zip(&mut kinds) {
            *count += u64::from(fields[2].contains(kind.name()));
        }
        plies.add(fields[3].parse().unwrap());
        games += 1;
    }
    assert_eq!(statistics.games(), games);
    let counted = WinKind::ALL
        .map(|kind| Player::BOTH.map(|player| statistics.won_with(player, kind)).iter().sum::<u64>());
    assert_eq!(counted, kinds);
    assert_eq!(statistics.lengths(), &plies);
}

#[test]
#[ignore = "reads ../shared/data: cargo test --workspace -- --ignored reference_data"]
fn games_of_a_referee_are_counted_alike_in_the_reference_data() {
    of_lines("havannah/random-games-s5.txt", 5);
    of_lines("havannah/random-games-s8.txt", 8);
}

#[test]
#[ignore = "reads ../shared/data: cargo test --workspace -- --ignored reference_data"]
fn real_games_of_the_reference_data() {
    let mut all: Vec<GameStatistics> =
        (0..=10).map(|size| GameStatistics::new(size.max(2)).unwrap()).collect();
    let mut double = 0;
    for game in stonework_reference_data::lines("havannah/littlegolem.jsonl") {
        let (size, moves) = stonework_reference_data::size_and_moves(&game);
        let mut position = Position::with_swap(size).unwrap();
        for text in moves {
            position.play(position.parse_move(text).unwrap()).unwrap();
        }
        if position.outcome().is_some_and(|outcome| outcome.winner().is_some()) {
            all[usize::from(size)].add(&position).unwrap();
            double += u64::from(position.kinds().len() > 1);
        }
    }
    let sum = |count: &dyn Fn(&GameStatistics) -> u64| all.iter().map(count).sum::<u64>();
    let alone =
        |kinds: WinKinds| sum(&|s| Player::BOTH.map(|player| s.won_with_exactly(player, kinds)).iter().sum());
    assert_eq!(sum(&|s| s.games()), 1056);
    assert_eq!([WinKinds::FORK, WinKinds::BRIDGE, WinKinds::RING].map(alone), [627, 236, 188]);
    assert_eq!(double, 5);
    let rings = [
        sum(&|s| s.rings().games()),
        sum(&|s| s.rings().six_stones()),
        sum(&|s| s.rings().with_own_inside()),
        sum(&|s| s.rings().with_opponent_inside()),
    ];
    // A third of the rings of real games have six stones; of the rings of random games, four fifths.
    assert_eq!(rings, [189, 67, 11, 18]);
}
