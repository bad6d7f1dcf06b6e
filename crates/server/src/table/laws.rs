//! Laws of a game with clocks: any order of steps, at any times.

use proptest::prelude::*;
use stonework_game::Player;
use stonework_session::Registry;

use super::state::LAG;
use super::{ClockSettings, GameEvent, GameSettings, Order, Proposal, Seat, SeatKind, Step, TableState};

/// A step of a test, and the milliseconds from the step before.
#[derive(Clone, Debug)]
enum Act {
    /// The legal move of this number plays, by the side to move or by the other.
    Play(usize, bool),
    /// A text that is no move.
    Nonsense(bool),
    Other(Step),
}

fn player() -> impl Strategy<Value = Player> {
    prop_oneof![Just(Player::First), Just(Player::Second)]
}

fn act() -> impl Strategy<Value = Act> {
    let order = |order: fn() -> Order| player().prop_map(move |side| Act::Other(Step::Order(side, order())));
    let propose =
        |proposal| player().prop_map(move |side| Act::Other(Step::Order(side, Order::Propose { proposal })));
    prop_oneof![
        20 => (any::<usize>(), prop::bool::weighted(0.9)).prop_map(|(number, mine)| Act::Play(number, mine)),
        1 => any::<bool>().prop_map(Act::Nonsense),
        1 => order(|| Order::Resign),
        3 => order(|| Order::Accept),
        2 => order(|| Order::Decline),
        1 => order(|| Order::Abort),
        3 => propose(Proposal::Takeback),
        1 => propose(Proposal::Draw),
        1 => propose(Proposal::Rematch),
        4 => Just(Act::Other(Step::Flag)),
        1 => player().prop_map(|side| Act::Other(Step::Gone(side))),
    ]
}

fn settings() -> impl Strategy<Value = (GameSettings, SeatKind)> {
    let clock = prop_oneof![
        Just(ClockSettings::default()),
        (500_u64..20_000, 0_u64..500, prop::option::of(300_u64..3000))
            .prop_map(|(main, increment, per_move)| ClockSettings { main: Some(main), increment, per_move }),
        (300_u64..3000).prop_map(|most| ClockSettings { per_move: Some(most), ..ClockSettings::default() }),
    ];
    let games = prop::sample::select(vec![
        ("havannah", 3_u8, true),
        ("havannah", 4, false),
        ("cachex", 3, false),
        ("cover", 2, false),
    ]);
    let kind = prop::sample::select(vec![SeatKind::Person, SeatKind::Program, SeatKind::Engine]);
    (clock, games, kind).prop_map(|(clock, (game, size, swap), kind)| {
        (GameSettings { game: game.to_owned(), size, swap, clock }, kind)
    })
}

fn step(state: &TableState, act: &Act) -> Step {
    let order = |mine: bool, mv: String| {
        let side = if mine { state.to_move() } else { state.to_move().other() };
        Step::Order(side, Order::Play { mv, ply: None })
    };
    match act {
        Act::Play(number, mine) => {
            let legal = state.session().legal();
            let mv = if legal.is_empty() { "a1".to_owned() } else { legal[number % legal.len()].clone() };
            order(*mine, mv)
        }
        Act::Nonsense(mine) => order(*mine, "no such move".to_owned()),
        Act::Other(step) => step.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_game_has_one_end_replays_to_its_position_and_its_clocks_add_up(
        (settings, kind) in settings(),
        acts in prop::collection::vec((act(), 0_u64..900), 1..60),
    ) {
        let registry = Registry::standard();
        let seat = |name: &str, kind| Seat { name: name.to_owned(), kind };
        let begun = GameEvent::Begun { settings: settings.clone(), seats: [seat("ann", SeatKind::Person), seat("bob", kind)] };
        let (mut state, mut log) = (TableState::new(&registry, &begun).unwrap(), vec![begun]);
        let mut now = 1000;
        state.next_turn(now);
        // Each side's time of the clock, increments, and time that was used.
        let (mut used, mut increments, mut ends) = ([0_u64; 2], [0_u64; 2], 0);
        // The same before each move.
        let mut past = Vec::new();
        for (act, later) in acts {
            now += later;
            if kind == SeatKind::Engine {
                state.start_clock(now);
            }
            let step = step(&state, &act);
            let (before, known) = (state.session().moves(), state.clocks(now));
            let Ok(events) = state.decide(now, &step) else {
                // A refusal changes nothing.
                prop_assert_eq!(state.session().moves(), before);
                prop_assert_eq!(state.clocks(now), known);
                continue;
            };
            for event in events {
                if let GameEvent::Moved { side, used: by_move, clocks, .. } = &event {
                    let at = usize::from(*side != state.side(Player::First));
                    past.push((used, increments));
                    used[at] += by_move;
                    increments[at] += settings.clock.increment;
                    // What was used, and what is left, is the main time with the increments.
                    if let (Some(main), Some(left)) = (settings.clock.main, clocks) {
                        for at in 0..2 {
                            prop_assert_eq!(left[at] + used[at], main + increments[at]);
                        }
                    }
                }
                if let GameEvent::TakenBack { plies, clocks } = &event {
                    let (by, _) = state.proposed().unwrap();
                    let (by, other) = (by.index(), by.other().index());
                    let (then, standing) = past[*plies as usize];
                    past.truncate(*plies as usize);
                    let gone = increments[by] - standing[by];
                    (used[other], increments) = (then[other], standing);
                    if let (Some(main), Some(left), Some(known)) = (settings.clock.main, clocks, known) {
                        // The other side has its time back. Who takes back pays for all of it, and keeps no increment of a move that is gone.
                        prop_assert_eq!(left[other] + used[other], main + increments[other]);
                        prop_assert!(left[by] <= (main + increments[by]).saturating_sub(used[by]));
                        prop_assert!(left[by] >= known[by].saturating_sub(gone));
                        used[by] = main + increments[by] - left[by];
                    }
                }
                ends += u32::from(matches!(event, GameEvent::Over { .. }));
                prop_assert!(ends <= 1, "a second end: {event:?}");
                let changes = matches!(event, GameEvent::Moved { .. } | GameEvent::TakenBack { .. });
                prop_assert!(state.end().is_none() || !changes, "a move after the end");
                state.apply(now, &event).unwrap();
                log.push(event);
            }
            // Nobody who is late goes on: the flag falls at the deadline.
            if let Some(deadline) = state.deadline() {
                let falls = state.decide(deadline, &Step::Flag).unwrap();
                let time = falls.iter().any(|event| matches!(event, GameEvent::Over { how, .. } if how == &["time"]));
                prop_assert!(time);
                prop_assert!(state.decide(deadline - 1, &Step::Flag).unwrap().is_empty());
                prop_assert!(deadline > LAG);
            }
        }
        let mut replayed = TableState::new(&registry, &log[0]).unwrap();
        for event in &log[1..] {
            let event = serde_json::from_str(&serde_json::to_string(event).unwrap()).unwrap();
            replayed.apply(0, &event).unwrap();
        }
        replayed.stop_clock();
        prop_assert_eq!(replayed.session().moves(), state.session().moves());
        prop_assert_eq!(replayed.session().state(), state.session().state());
        prop_assert_eq!(replayed.end(), state.end());
        prop_assert_eq!(replayed.proposed(), state.proposed());
        if state.end().is_none() {
            state.stop_clock();
            prop_assert_eq!(replayed.clocks(0), state.clocks(now));
        }
    }
}

/// The third illegal move of a program loses; a person may try as often as he likes.
#[test]
fn only_a_program_loses_by_illegal_moves() {
    let registry = Registry::standard();
    for (kind, loses) in [(SeatKind::Program, true), (SeatKind::Person, false)] {
        let settings = GameSettings {
            game: "havannah".to_owned(),
            size: 4,
            swap: false,
            clock: ClockSettings::default(),
        };
        let seat = |name: &str| Seat { name: name.to_owned(), kind };
        let begun = GameEvent::Begun { settings, seats: [seat("ann"), seat("bob")] };
        let mut state = TableState::new(&registry, &begun).unwrap();
        let step = Step::Order(Player::First, Order::Play { mv: "z9".to_owned(), ply: None });
        for _ in 0..3 {
            for event in state.decide(0, &step).unwrap_or_default() {
                state.apply(0, &event).unwrap();
            }
        }
        assert_eq!(state.end().is_some(), loses, "{kind:?}");
    }
}

/// A side that takes moves back pays for the time since its last move, and earns no increment; the other side has its time back.
#[test]
fn a_takeback_gives_no_time() {
    let clock = ClockSettings { main: Some(8000), increment: 1000, per_move: None };
    let settings = GameSettings { game: "havannah".to_owned(), size: 4, swap: false, clock };
    let seat = |name: &str, kind| Seat { name: name.to_owned(), kind };
    let seats = [seat("ann", SeatKind::Person), seat("bob", SeatKind::Person)];
    let mut state = TableState::new(&Registry::standard(), &GameEvent::Begun { settings, seats }).unwrap();
    state.next_turn(0);
    let play = |mv: &str| Order::Play { mv: mv.to_owned(), ply: None };
    let takeback = Order::Propose { proposal: Proposal::Takeback };
    for (now, side, order, clocks) in [
        (2000, Player::First, play("d4"), [7250, 8000]),
        (5000, Player::Second, play("e5"), [7250, 6250]),
        (10_000, Player::First, takeback, [2250, 6250]),
        (10_000, Player::Second, Order::Accept, [1500, 8000]),
    ] {
        for event in state.decide(now, &Step::Order(side, order)).unwrap() {
            state.apply(now, &event).unwrap();
        }
        assert_eq!(state.clocks(now), Some(clocks), "{now}");
    }
    let falls = state.decide(10_000 + 1500 + LAG, &Step::Flag).unwrap();
    assert!(matches!(&falls[..], [GameEvent::Over { how, .. }] if how == &["time"]), "{falls:?}");
}

/// Proposals are stored, so a side has a number of them for each move.
#[test]
fn proposals_without_a_move_have_a_limit() {
    let clock = ClockSettings { main: None, increment: 0, per_move: None };
    let settings = GameSettings { game: "cachex".to_owned(), size: 3, swap: false, clock };
    let seat = |name: &str| Seat { name: name.to_owned(), kind: SeatKind::Person };
    let begun = GameEvent::Begun { settings, seats: [seat("ann"), seat("bob")] };
    let mut state = TableState::new(&Registry::standard(), &begun).unwrap();
    let draw = || Step::Order(Player::First, Order::Propose { proposal: Proposal::Draw });
    let mut count = 0;
    let refused = loop {
        match state.decide(0, &draw()) {
            Ok(events) => events.iter().for_each(|event| state.apply(0, event).unwrap()),
            Err(fault) => break fault,
        }
        for event in state.decide(0, &Step::Order(Player::Second, Order::Decline)).unwrap() {
            state.apply(0, &event).unwrap();
        }
        count += 1;
    };
    assert_eq!((count, &*refused.message), (10, "10 proposals without a move are enough"));
    let mv = Order::Play { mv: "0,0".to_owned(), ply: None };
    for event in state.decide(0, &Step::Order(Player::First, mv)).unwrap() {
        state.apply(0, &event).unwrap();
    }
    assert!(state.decide(0, &draw()).is_ok());
}

/// A task of its own owns a game: in paused time, its flag falls without anyone asking.
#[tokio::test(start_paused = true)]
async fn a_flag_falls_by_itself() {
    let folder = std::env::temp_dir().join(format!("stonework-flag-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // The thread of the database is no task: paused time would run on while it works.
    tokio::time::resume();
    let store = crate::Store::open(&folder.join("games.db")).await.unwrap();
    let tables = std::sync::Arc::new(super::Tables::new(store, Registry::standard(), 10));
    let clock = ClockSettings { main: Some(3_600_000), increment: 0, per_move: None };
    let settings = GameSettings { game: "cover".to_owned(), size: 2, swap: false, clock };
    let seat = |name: &str| Seat { name: name.to_owned(), kind: SeatKind::Person };
    let table = tables.begin("aaaaaaaa", settings, [seat("ann"), seat("bob")]).await.unwrap();
    let mut watch = table.watch(1).await.unwrap();
    tokio::time::pause();
    tokio::time::advance(std::time::Duration::from_secs(3601)).await;
    tokio::time::resume();
    let told = watch.next().await.unwrap();
    assert!(matches!(&told.numbered.event, GameEvent::Over { how, .. } if how == &["time"]), "{told:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A reader that lags behind by more events than wait for it reads the database when the task of the game has ended: it missed the last
/// events, and the end.
#[tokio::test]
async fn a_reader_that_lags_has_the_events_of_a_game_whose_task_has_ended() {
    let folder = std::env::temp_dir().join(format!("stonework-lag-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let store = crate::Store::open(&folder.join("games.db")).await.unwrap();
    let tables = std::sync::Arc::new(super::Tables::new(store, Registry::standard(), 1));
    let settings = |size| GameSettings {
        game: "havannah".to_owned(),
        size,
        swap: false,
        clock: ClockSettings::default(),
    };
    let seats = ["ann", "bob"].map(|name| Seat { name: name.to_owned(), kind: SeatKind::Person });
    let table = tables.begin("aaaaaaaa", settings(8), seats.clone()).await.unwrap();
    let mut watch = table.watch(0).await.unwrap();
    for _ in 0..100 {
        let view = table.view().await.unwrap();
        let side = stonework_game::Game::to_move(view.session.position());
        let mv = view.session.legal().pop().unwrap();
        table.order(side, Order::Play { mv, ply: None }).await.unwrap();
    }
    table.order(Player::First, Order::Resign).await.unwrap();
    let last = table.view().await.unwrap().last;
    assert!(last > 101, "{last}");
    // A game that has ended makes room for the next one: its task ends.
    tables.begin("bbbbbbbb", settings(4), seats).await.unwrap();
    while tables.get("aaaaaaaa").is_some() {
        tokio::task::yield_now().await;
    }
    for number in 1..=last {
        assert_eq!(watch.next().await.map(|told| told.number()), Some(number));
    }
    assert!(watch.next().await.is_none());
    std::fs::remove_dir_all(&folder).unwrap();
}
