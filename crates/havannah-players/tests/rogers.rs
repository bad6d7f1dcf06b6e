//! The players of Rogers (2004): the rules of the report, its printed game, and its findings.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use stonework_board::{Cell, Notation};
use stonework_game::{Game, Outcome, Player, Textual as _, perft};
use stonework_havannah::{Move, Position, Setup, WinKind};
use stonework_havannah_players::rogers::Straight;
use stonework_havannah_players::roster;
use stonework_roster::PlayerConfig;
use stonework_roster::{Agent, Clock, Decision};
use stonework_search::{Census, Limits, Minimax, WIN};

/// The game of Appendix B: "Straight fork/bridge with defence" is White, the example Black.
const APPENDIX_B: &str = "J19 H16 K19 I16 I18 G16 I17 J17 J18 H15 G15 H14 K18 F15 K17 H17 K16 I15 K15 E14 \
    K14 G14 F14 F13 E13 E12 G13 D13 D12 I14 K13 J15 J16 I13 H13 F12 K12 J13 J14 J12 I12 E11 K11 C12 \
    K10 D11 C11 C10 D10 G12 H12 J11 F11 J10 K9 I9 I10 J9 K8 I11 K7 H11 G11 H10 H9 G10 K6 H8 I8 G8 G9 \
    E10 F10 E9 F9 D9 C9 D8 K5 B9 K4 J8 K3 K2 L3";

fn named(game: &Position, name: &str) -> Cell {
    Notation::Rogers.parse(game.board(), name).unwrap()
}

/// The player with the first seed for which it begins on this cell.
fn beginning_on(name: &str, size: u8, make: impl Fn(u64) -> Straight) -> Straight {
    let game = Position::new(size).unwrap();
    let first = Some(Decision::Play(Move::Place(named(&game, name))));
    let begins = |&seed: &u64| make(seed).decide(&game, &Clock::NONE) == first;
    make((0..1000).find(begins).unwrap())
}

#[test]
fn the_printed_game_is_played_move_by_move() {
    let mut game = Position::new(10).unwrap();
    let mut player = beginning_on("J19", 10, |seed| Straight::new(seed).defending());
    for (ply, name) in APPENDIX_B.split_whitespace().enumerate() {
        let mv = Move::Place(named(&game, name));
        if ply % 2 == 0 {
            assert_eq!(player.decide(&game, &Clock::NONE), Some(Decision::Play(mv)), "move {}", ply + 1);
        }
        game.play(mv).unwrap();
    }
    assert_eq!(game.outcome(), Some(Outcome::Win(Player::First)));
    assert_eq!(game.kinds().to_string(), "fork");
}

/// The player with a name; `blind` is the example without its look at wins in one.
fn player(name: &str, seed: u64) -> Box<dyn Agent<Position>> {
    let blind = name == "blind";
    let mut agent = roster(None)
        .agent(if blind { "leipzig" } else { name }, &PlayerConfig { seed, ..PlayerConfig::default() })
        .unwrap();
    if blind {
        agent.set_parameter("alert", 0.0).unwrap();
    }
    agent
}

/// The results of a series of games.
#[derive(Default)]
struct Tally {
    games: u32,
    /// The games that the first-named player won, by ring, bridge, fork and resignation.
    won: u32,
    drawn: u32,
    /// The games that the first to move won.
    first: u32,
    resigned: u32,
    rings: u32,
    plies: u32,
}

impl Tally {
    fn of(size: u8, games: u32, names: [&str; 2]) -> Self {
        let mut agents = [player(names[0], 1), player(names[1], 2)];
        let mut tally = Self { games, ..Self::default() };
        for number in 0..games {
            tally.play(Position::new(size).unwrap(), &mut agents, (number % 2) as usize);
        }
        tally
    }

    /// One game; `white` is the index of the agent that moves first.
    fn play(&mut self, mut game: Position, agents: &mut [Box<dyn Agent<Position>>; 2], white: usize) {
        for agent in agents.iter_mut() {
            agent.new_game();
        }
        let winner = loop {
            let config = (white + game.to_move().index()) % 2;
            match agents[config].decide(&game, &Clock::NONE) {
                Some(Decision::Play(mv)) => game.play(mv).unwrap(),
                Some(Decision::Resign) => {
                    self.resigned += 1;
                    break Some(game.to_move().other());
                }
                None => break game.outcome().unwrap().winner(),
            };
            self.plies += 1;
        };
        self.drawn += u32::from(winner.is_none());
        self.first += u32::from(winner == Some(Player::First));
        self.won += u32::from(winner.is_some_and(|side| white == side.index()));
        self.rings += u32::from(game.kinds().contains(WinKind::Ring));
    }
}

/// White's and Black's stones by the report's names, White to move.
fn position(white: &[&str], black: &[&str]) -> Position {
    let mut setup = Setup::new(10);
    let game = Position::new(10).unwrap();
    setup.stones.first.extend(white.iter().map(|name| named(&game, name)));
    setup.stones.second.extend(black.iter().map(|name| named(&game, name)));
    setup.position().unwrap()
}

fn decides(player: &mut Straight, game: &Position) -> String {
    match player.decide(game, &Clock::NONE) {
        Some(Decision::Play(Move::Place(cell))) => Notation::Rogers.name_of(game.board(), cell).unwrap(),
        other => format!("{other:?}"),
    }
}

/// The position with Black's stones of [`on_its_way`] added.
fn later(white: &[&str], black: &[&str]) -> Position {
    position(white, &[&ANSWERS, black].concat())
}

/// A player after its stones K19 and I18 beside the corner J19, and then I17.
fn on_its_way() -> Straight {
    let mut player = beginning_on("J19", 10, Straight::new);
    let mut game = Position::new(10).unwrap();
    for (own, answer) in LINE.into_iter().zip(ANSWERS) {
        assert_eq!(decides(&mut player, &game), own);
        game.play(Move::Place(named(&game, own))).unwrap();
        game.play(Move::Place(named(&game, answer))).unwrap();
    }
    player
}

const LINE: [&str; 4] = ["J19", "K19", "I18", "I17"];
const ANSWERS: [&str; 4] = ["A1", "S19", "A3", "S17"];

#[test]
fn it_deflects_by_one_two_and_three_and_then_goes_back() {
    // From I17: ahead, +1, −1, +2, −2; the way back (3) has the player's own stone I18. From I18: ahead is I17, +1 and
    // +2 are J18 and J19, so the move is −1.
    let ways = ["I16", "J17", "H16", "J18", "H17"];
    for taken in 0..ways.len() {
        let game = later(&LINE, &ways[..taken]);
        assert_eq!(decides(&mut on_its_way(), &game), ways[taken]);
    }
    // If all these cells are taken, I18 has no other way either, and K19 has K18 ahead.
    assert_eq!(decides(&mut on_its_way(), &later(&LINE, &ways)), "K18");
    // The next stone is L19, +1 from K19.
    let more: Vec<&str> = ways.into_iter().chain(["K18"]).collect();
    assert_eq!(decides(&mut on_its_way(), &later(&LINE, &more)), "L19");
}

#[test]
fn own_stones_are_in_the_way_as_well() {
    let own: Vec<&str> = LINE.into_iter().chain(["I16"]).collect();
    assert_eq!(decides(&mut on_its_way(), &later(&own, &[])), "J17");
}

#[test]
fn a_line_that_is_back_on_the_rim_goes_to_the_next_corner() {
    let mut player = on_its_way();
    let black = ["I16", "J17", "H16", "J18"];
    assert_eq!(decides(&mut player, &later(&LINE, &black)), "H17");
    let own: Vec<&str> = LINE.into_iter().chain(["H17"]).collect();
    let game = later(&own, &black);
    let next = decides(&mut player, &game);
    assert!(game.board().corner_mask(named(&game, &next)) != 0, "{next}");
}

#[test]
fn an_exhausted_corner_is_left() {
    // All cells around the corner are Black's, or will be.
    let black = ["I16", "J17", "H16", "J18", "H17", "K18", "L19"];
    let game = later(&LINE, &black);
    let next = decides(&mut on_its_way(), &game);
    assert!(game.board().corner_mask(named(&game, &next)) != 0, "{next}");
}

#[test]
fn a_corner_with_an_opposing_stone_is_not_begun() {
    for seed in 0..20 {
        let first = decides(&mut Straight::new(seed), &Position::new(10).unwrap());
        let game = Position::new(10).unwrap();
        let beside = game.board().neighbours(named(&game, &first)).filter(|&cell| game.board().is_rim(cell));
        for taken in beside {
            let game = position(&[], &[&Notation::Rogers.name_of(game.board(), taken).unwrap()]);
            let other = decides(&mut Straight::new(seed), &game);
            assert_ne!(other, first);
            assert!(game.board().corner_mask(named(&game, &other)) != 0);
        }
    }
}

#[test]
fn it_resigns_when_all_corners_are_taken() {
    let black = ["A2", "B1", "K2", "R9", "S18", "R19", "I18", "K19", "A9", "J1", "S11"];
    let mut player = Straight::new(1);
    assert_eq!(player.decide(&position(&[], &black), &Clock::NONE), Some(Decision::Resign));
    // With one corner free, the player goes there.
    let mut player = Straight::new(1);
    assert_eq!(decides(&mut player, &position(&[], &["A2", "K2", "S18", "I18", "A9"])), "S10");
}

#[test]
fn a_first_stone_that_was_swapped_away_is_the_opponents() {
    for seed in 0..10 {
        let mut player = Straight::new(seed);
        let mut game = Position::with_swap(4).unwrap();
        let Some(Decision::Play(first)) = player.decide(&game, &Clock::NONE) else { panic!("it plays") };
        game.play(first).unwrap();
        game.play(Move::Swap).unwrap();
        let Some(Decision::Play(Move::Place(cell))) = player.decide(&game, &Clock::NONE) else {
            panic!("it plays")
        };
        assert!(game.board().corner_mask(cell) != 0 && Move::Place(cell) != first);
    }
}

#[test]
fn a_new_game_needs_no_notice() {
    let game = Position::new(10).unwrap();
    let mut player = on_its_way();
    let first = decides(&mut player, &game);
    assert!(game.board().corner_mask(named(&game, &first)) != 0);
    let small = Position::new(2).unwrap();
    assert!(
        matches!(player.decide(&small, &Clock::NONE), Some(Decision::Play(mv)) if small.check(mv).is_ok())
    );
}

#[test]
fn the_example_grows_one_clump_but_for_wins_in_one() {
    for seed in 0..20 {
        let (mut example, mut game) = (player("leipzig", seed), Position::new(6).unwrap());
        let mut other = player("rogers-straight", seed);
        while game.outcome().is_none() {
            let me = game.to_move();
            if me == Player::First {
                let Some(Decision::Play(mv)) = other.decide(&game, &Clock::NONE) else { break };
                game.play(mv).unwrap();
                continue;
            }
            let wins = game.winning_cells(me);
            let losses = game.winning_cells(me.other());
            let Some(Decision::Play(Move::Place(cell))) = example.decide(&game, &Clock::NONE) else {
                panic!("it always plays")
            };
            let own = game.stones(me);
            let expected = match (wins.is_empty(), losses.is_empty()) {
                (false, _) => wins.contains(cell),
                (true, false) => losses.contains(cell),
                (true, true) => own.is_empty() || game.board().neighbours(cell).any(|n| own.contains(n)),
            };
            assert!(expected, "seed {seed}");
            game.play(Move::Place(cell)).unwrap();
        }
    }
}

/// All positions of size 2 that the tree player can meet as one of the sides.
#[test]
fn the_tree_player_is_perfect_on_size_2() {
    for opening in [None, Some("b2"), Some("a1"), Some("c3")] {
        for seed in 0..50 {
            let mut agents = [player("rogers-tree", seed), player("leipzig", seed)];
            let mut game = Position::new(2).unwrap();
            if let Some(name) = opening {
                game.play(game.parse_move(name).unwrap()).unwrap();
            }
            // The tree player begins, or answers the opening.
            let side = game.to_move();
            let value = Minimax::new(()).tree(&game, &Limits::none()).bounds.value();
            while game.outcome().is_none() {
                let agent = &mut agents[usize::from(game.to_move() != side)];
                let Some(Decision::Play(mv)) = agent.decide(&game, &Clock::NONE) else {
                    panic!("both play on")
                };
                game.play(mv).unwrap();
            }
            // The tree player wins from the start and against the centre, and loses against a corner, unless the
            // example errs.
            let result = game.outcome().unwrap().value_for(side);
            assert!(value.is_some_and(|value| result >= i32::from(value)), "{opening:?} seed {seed}");
            assert_eq!(value, Some(if matches!(opening, None | Some("b2")) { 1 } else { -1 }));
        }
    }
}

/// The smallest tree of Havannah. The report (§6.3, table 6.1) gives it 7 levels, which is right, and 4 moves on
/// average, which holds only as long as no player has won.
#[test]
fn the_tree_of_size_2_is_counted() {
    let game = Position::new(2).unwrap();
    let tree = Minimax::new(()).tree(&game, &Limits::none());
    let Census { nodes, wins, draws, cut, longest } = tree.census;
    assert_eq!((nodes, wins.first, wins.second, draws, cut, longest), (2516, 1284, 384, 0, 0, 7));
    // A second count shares only the rules with the walk.
    let counts: Vec<_> = (0..=7).map(|plies| perft(&game, plies)).collect();
    assert_eq!(counts.iter().map(|count| count.nodes).sum::<u64>(), nodes);
    assert_eq!(counts.iter().map(|count| count.wins.first).sum::<u64>(), wins.first);
    assert_eq!(counts.iter().map(|count| count.wins.second).sum::<u64>(), wins.second);
    // White wins with the third ply from each corner, and loses from the centre by the fourth.
    let centre = Move::Place(game.board().parse("b2").unwrap());
    for reply in &tree.replies {
        let value = if reply.mv == centre { 4 - WIN } else { WIN - 3 };
        assert_eq!((reply.value.score(), reply.line.len()), (value, WIN.abs_diff(value.abs()) as usize));
    }
    assert_eq!(
        (tree.best().count(), tree.worst().map(|reply| reply.mv).collect::<Vec<_>>()),
        (6, vec![centre])
    );
}

/// Every player, from random openings, against a random opponent.
#[test]
fn all_play_legal_moves_and_games_end() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let names = ["rogers-tree", "rogers-straight", "rogers-defence", "leipzig", "blind"];
    for (seed, size) in (2..=10).cycle().take(90).enumerate() {
        let mut agents = names.map(|name| player(name, seed as u64));
        for (turn, agent) in agents.iter_mut().enumerate() {
            let swap = rng.next_u32() % 2 == 0;
            let new = if swap { Position::with_swap } else { Position::new };
            let mut game = new(size).unwrap();
            let opening = rng.next_u32() as usize % game.board().len();
            let mut plies = 0;
            while game.outcome().is_none() {
                let moves = game.moves();
                // The agent has one side, and begins after a random opening.
                let own = (plies + turn) % 2 == 0 && plies >= opening;
                let mv = if own {
                    match agent.decide(&game, &Clock::NONE) {
                        Some(Decision::Play(mv)) => mv,
                        other => {
                            assert!(names[turn].starts_with("rogers-") && other == Some(Decision::Resign));
                            break;
                        }
                    }
                } else {
                    moves[rng.next_u32() as usize % moves.len()]
                };
                assert!(moves.contains(&mv), "{} on size {size}", names[turn]);
                game.play(mv).unwrap();
                plies += 1;
            }
            if game.outcome().is_some() {
                assert_eq!(agent.decide(&game, &Clock::NONE), None);
            }
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_games() {
    let moves = |name: &str| {
        let mut agents = [player(name, 5), player(name, 6)];
        let mut all = Vec::new();
        for _ in 0..3 {
            let mut game = Position::new(5).unwrap();
            agents.iter_mut().for_each(Agent::new_game);
            while let Some(Decision::Play(mv)) = agents[game.to_move().index()].decide(&game, &Clock::NONE) {
                game.play(mv).unwrap();
                all.push(mv);
            }
        }
        all
    };
    for name in ["rogers-tree", "rogers-straight", "rogers-defence", "leipzig"] {
        assert_eq!(moves(name), moves(name), "{name}");
    }
}

/// The report's findings (§5.4, §5.5) in small; the lab record has them over a thousand games.
#[test]
fn the_findings_hold_in_fifty_games() {
    let straight = Tally::of(10, 50, ["rogers-straight", "leipzig"]);
    assert!(straight.won <= 2, "the example beats it: {}", straight.won);
    let defence = Tally::of(10, 50, ["rogers-defence", "leipzig"]);
    assert!(defence.won <= 8, "it wins about 1 in 10 at the most: {}", defence.won);
    let itself = Tally::of(10, 50, ["rogers-straight", "rogers-straight"]);
    assert_eq!((itself.drawn, itself.resigned, itself.rings), (0, 0, 0));
    assert!((10..=40).contains(&itself.first), "the corners decide, not the turn: {}", itself.first);
}

const PAIRS: [[&str; 2]; 8] = [
    ["rogers-straight", "leipzig"],
    ["rogers-defence", "leipzig"],
    ["rogers-straight", "blind"],
    ["rogers-defence", "blind"],
    ["rogers-straight", "rogers-straight"],
    ["rogers-defence", "rogers-defence"],
    ["rogers-defence", "rogers-straight"],
    ["leipzig", "leipzig"],
];

/// A thousand games a pair and size.
#[test]
#[ignore = "minutes: cargo test --release -p stonework-havannah-players --test rogers -- --ignored findings --nocapture (docs/lab/rogers.md)"]
fn findings() {
    println!("| size | A | B | A wins | B wins | draws | first player wins | resigned | rings | plies |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for size in [4, 5, 6, 8, 10] {
        for names in PAIRS {
            let t = Tally::of(size, 1000, names);
            let lost = t.games - t.won - t.drawn;
            let plies = f64::from(t.plies) / f64::from(t.games);
            println!(
                "| {size} | {} | {} | {} | {lost} | {} | {} | {} | {} | {plies:.1} |",
                names[0], names[1], t.won, t.drawn, t.first, t.resigned, t.rings
            );
        }
    }
}
