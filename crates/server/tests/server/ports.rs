//! Programs on a port, and clients that misbehave, over real connections.

use std::time::Duration;

use crate::common::BRIDGE;
use crate::common::served::{Program, paired, served, served_with};
use stonework_server::{ClientLine, EngineConfig, LimitConfig, Order, PortConfig, Proposal, ServerLine};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

#[tokio::test]
async fn two_programs_play_a_game_and_the_next() {
    let served = served().await;
    let mut programs = paired(served.port).await;
    let board = stonework_board_names();
    for (at, mv) in BRIDGE.split(' ').enumerate() {
        let mv = &board[mv];
        let [mine, theirs] = if at % 2 == 0 { [0, 1] } else { [1, 0] };
        assert!(
            matches!(programs[mine].next().await, ServerLine::Turn { ply, .. } if ply as usize == at + 1)
        );
        programs[mine].say(&format!("Put {mv}")).await;
        // Who has moved is told, too (Saw and Chong).
        assert!(
            matches!(programs[mine].next().await, ServerLine::Ok { mv: told, .. } if told == format!("Put {mv}"))
        );
        assert!(
            matches!(programs[theirs].next().await, ServerLine::Move { mv: told, .. } if told == format!("Put {mv}"))
        );
    }
    for program in &mut programs {
        let ServerLine::Over { winner, how, cells } = program.next().await else { panic!("not over") };
        assert_eq!((winner.as_str(), how, cells.len()), ("white", vec!["bridge".to_owned()], 4));
        let ServerLine::Record { address } = program.next().await else { panic!("no record") };
        assert!(address.contains("/records/"), "{address}");
        program.say("again").await;
    }
    for program in &mut programs {
        assert!(matches!(program.next().await, ServerLine::Game { .. }));
    }
}

/// The names of the cells of size 4 in the notation of the port.
fn stonework_board_names() -> std::collections::BTreeMap<String, String> {
    let registry = stonework_session::Registry::standard();
    let start = registry.game("havannah").unwrap().start(&stonework_session::Start::of_size(4)).unwrap();
    let rogers = start.notation(Some("rogers")).unwrap();
    let session =
        stonework_session::Session::new(registry, "havannah", &stonework_session::Start::of_size(4), None);
    let name = |text: String| {
        let mv = start.read_move(&text, 0).unwrap();
        (text, start.move_text_in(mv, rogers))
    };
    session.unwrap().legal().into_iter().map(name).collect()
}

#[tokio::test]
async fn the_third_illegal_move_loses_and_a_pass_is_explained() {
    let served = served().await;
    let [mut white, mut black] = paired(served.port).await;
    white.next().await;
    white.say("Pass").await;
    assert_eq!(white.text().await, "illegal 1 Pass: havannah has no pass");
    for at in 1..=3 {
        white.say("Put Z99").await;
        assert!(matches!(white.next().await, ServerLine::Illegal { ply: 1, .. }), "{at}");
    }
    for program in [&mut white, &mut black] {
        assert!(
            matches!(program.next().await, ServerLine::Over { winner, how, .. } if winner == "black" && how == ["illegal"])
        );
    }
}

#[tokio::test]
async fn a_program_that_does_not_move_loses_on_time() {
    let served = served_with(|_, port| port.clock = Some("1".to_owned())).await;
    let [mut white, mut black] = paired(served.port).await;
    assert_eq!(white.next().await, ServerLine::Turn { ply: 1, clocks: Some((1000, 1000)) });
    for program in [&mut white, &mut black] {
        assert!(
            matches!(program.next().await, ServerLine::Over { winner, how, .. } if winner == "black" && how == ["time"])
        );
    }
}

#[tokio::test]
async fn a_broken_line_is_resumed_with_the_moves() {
    let served = served().await;
    let [mut white, mut black] = paired(served.port).await;
    white.next().await;
    white.say("Put A1").await;
    assert!(matches!(white.next().await, ServerLine::Ok { .. }));
    assert!(matches!(black.next().await, ServerLine::Move { .. }));
    let name = {
        let view = served.app.tables()[0].view().await.unwrap();
        view.seats[0].name.clone()
    };
    drop(white);
    // The name is free again when the server has noticed.
    let mut white = loop {
        let mut again = Program::connect(served.port).await;
        again.line().await;
        again.say(&format!("player {name}")).await;
        match again.line().await {
            ServerLine::Welcome { .. } => break again,
            ServerLine::Refused { why } => assert!(why.contains("in use"), "{why}"),
            other => panic!("{other}"),
        }
    };
    assert!(matches!(white.next().await, ServerLine::Game { resume: Some(1), side, .. } if side == "white"));
    assert_eq!(white.text().await, "move 1 Put A1 - -");
    black.next().await;
    black.say("Swap").await;
    assert!(matches!(white.next().await, ServerLine::Move { ply: 2, mv, .. } if mv == "Swap"));
    assert!(matches!(white.next().await, ServerLine::Turn { ply: 3, .. }));
}

/// The steal of a program was refused: `swap` is no move of Cachex.
#[tokio::test]
async fn the_line_swap_is_a_steal_in_cachex() {
    let cachex = |port: &mut PortConfig| (port.game, port.swap) = ("cachex".to_owned(), false);
    let served = served_with(|_, port| cachex(port)).await;
    let [mut red, mut blue] = paired(served.port).await;
    red.next().await;
    red.say("Put 0,1").await;
    assert!(matches!(red.next().await, ServerLine::Ok { .. }));
    assert!(matches!(blue.next().await, ServerLine::Move { .. }));
    assert!(matches!(blue.next().await, ServerLine::Turn { ply: 2, .. }));
    blue.say("Swap").await;
    assert!(matches!(blue.next().await, ServerLine::Ok { ply: 2, mv, .. } if mv == "Swap"));
    assert!(matches!(red.next().await, ServerLine::Move { ply: 2, mv, .. } if mv == "Swap"));
}

#[tokio::test]
async fn a_person_on_the_page_meets_the_program_that_waits() {
    let served = served().await;
    let mut program = Program::waiting(served.port, "waiting").await;
    let id = served.app.meet("ann", served.port.port()).await.unwrap();
    assert!(
        matches!(program.next().await, ServerLine::Game { id: told, opponent, .. } if told == id && opponent == "ann")
    );
}

#[tokio::test]
async fn an_engine_of_the_configuration_waits_on_its_port_game_after_game() {
    let served = served_with(|config, port| {
        let leipzig = |name: &str, ports| EngineConfig {
            name: name.to_owned(),
            player: "leipzig".to_owned(),
            games: vec!["havannah".to_owned()],
            seconds: None,
            at_once: None,
            ports,
        };
        config.engine = vec![leipzig("Example", vec![port.listen.port()])];
    })
    .await;
    let mut program = Program::named(served.port, "guest").await;
    for _ in 0..2 {
        assert!(matches!(program.next().await, ServerLine::Game { opponent, .. } if opponent == "Example"));
        program.say("Resign").await;
        while !matches!(program.next().await, ServerLine::Record { .. }) {}
        program.say("again").await;
    }
}

/// A program that speaks GTP only, here a server of our own `gtp` behind the connection.
#[tokio::test]
async fn a_program_that_speaks_gtp_only_plays_with_one_line_more() {
    let served = served().await;
    let mut program = Program::named(served.port, "lines").await;
    let address = served.port;
    std::thread::spawn(move || {
        use std::io::{BufRead, Write};
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        let mut reader = std::io::BufReader::new(stream.try_clone().unwrap());
        reader.read_line(&mut String::new()).unwrap();
        stream.write_all(b"gtp castro-like\n").unwrap();
        let registry = stonework_session::Registry::standard();
        let host = stonework_gtp::SessionHost::new(
            registry.game("havannah").unwrap(),
            stonework_gtp::SessionHostOptions::default(),
        );
        let mut server = stonework_gtp::Server::new(host.unwrap(), "leipzig", 1).unwrap();
        server.serve(reader, stream).unwrap();
    });
    let ServerLine::Game { opponent, side, .. } = program.next().await else { panic!("no game") };
    assert_eq!(opponent, "castro-like");
    let names: Vec<String> = stonework_board_names().into_values().collect();
    let (mut taken, mut over, mut moves) = (Vec::new(), false, 0);
    while !over {
        match program.next().await {
            ServerLine::Turn { .. } => {
                let free = names.iter().find(|name| !taken.contains(*name)).unwrap();
                program.say(&format!("Put {free}")).await;
            }
            ServerLine::Move { mv, .. } | ServerLine::Ok { mv, .. } => {
                moves += 1;
                taken.extend(mv.strip_prefix("Put ").map(str::to_owned));
            }
            ServerLine::Over { winner, .. } => {
                over = true;
                assert!(["white", "black", "draw"].contains(&winner.as_str()), "{winner}");
            }
            other => panic!("{other} as {side}"),
        }
    }
    assert!(moves > 6, "{moves}");
}

/// A proposal that comes while such a program thinks was not answered at all.
#[tokio::test]
async fn a_program_that_speaks_gtp_only_declines_while_it_thinks() {
    let served = served().await;
    let mut program = Program::connect(served.port).await;
    assert!(matches!(program.line().await, ServerLine::Hello { .. }));
    program.say("gtp slow").await;
    // The program waits on the port before the person comes.
    while served.requests().get("/api/offers").await.json().as_array().unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let id = served.app.meet("ann", served.port.port()).await.unwrap();
    let table = served.app.table(&id).unwrap();
    let side = table.view().await.unwrap().side_of("ann").unwrap();
    if side == stonework_game::Player::First {
        table.order(side, Order::Play { mv: "a1".to_owned(), ply: None }).await.unwrap();
    }
    loop {
        let line = program.text().await;
        if line.starts_with("genmove") {
            break;
        }
        program.say("=\n").await;
    }
    table.order(side, Order::Propose { proposal: Proposal::Draw }).await.unwrap();
    let answered = async {
        while table.view().await.unwrap().proposed.is_some() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(20), answered).await.expect("the proposal has no answer");
    assert!(table.view().await.unwrap().end.is_none());
}

#[tokio::test]
async fn names_are_checked_and_used_once() {
    let served = served().await;
    let _one = Program::named(served.port, "one").await;
    for (first, why) in [
        ("player one", "in use"),
        ("player a/b", "no name"),
        ("player leipzig", "engine"),
        ("player x y:z", "wrong key"),
    ] {
        let mut program = Program::connect(served.port).await;
        program.line().await;
        program.say(first).await;
        let ServerLine::Refused { why: told } = program.line().await else { panic!("{first}: not refused") };
        assert!(told.contains(why), "{first}: {told}");
    }
}

/// A program plays its next game under a name that is still its own: a person may have given the name up, or have taken it.
#[tokio::test]
async fn a_name_is_checked_before_each_game() {
    let served = served().await;
    let tested = served.requests();
    let key = tested.player("ann").await;
    let mut programs =
        [Program::named(served.port, &format!("ann {key}")).await, Program::named(served.port, "bob").await];
    for program in &mut programs {
        assert!(matches!(program.next().await, ServerLine::Game { .. }));
    }
    programs[0].say("Resign").await;
    for program in &mut programs {
        while !matches!(program.next().await, ServerLine::Record { .. }) {}
    }
    let gone = tested.with_key("DELETE", "/api/players/me", &key, &serde_json::Value::Null).await;
    assert_eq!(gone.status.as_u16(), 204, "{}", gone.text());
    tested.player("ann").await;
    tested.player("bob").await;
    for (program, why) in programs.iter_mut().zip(["ann: wrong key", "bob: needs its key"]) {
        program.say("again").await;
        assert_eq!(program.next().await, ServerLine::Refused { why: why.to_owned() });
    }
}

/// The lines are nothing, half a line, too long a line, random bytes, ten thousand lines.
#[tokio::test]
async fn clients_that_misbehave_are_dropped_and_nobody_else_notices() {
    let served = served().await;
    let mut waiting = Program::named(served.port, "waiting").await;
    let mut silent = TcpStream::connect(served.port).await.unwrap();
    let mut half = TcpStream::connect(served.port).await.unwrap();
    half.write_all(b"play").await.unwrap();
    let floods: [Vec<u8>; 4] = [
        vec![b'x'; 5000],
        (0..40_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect(),
        b"nonsense\n".repeat(10_000),
        b"player ok\nPut A1\nResign\nagain\n\0\0\n".repeat(50),
    ];
    for (number, bytes) in floods.into_iter().enumerate() {
        let mut stream = TcpStream::connect(served.port).await.unwrap();
        // The server may close before all is written.
        let _ = stream.write_all(&bytes).await;
        if number < 3 {
            let closed = timeout(Duration::from_secs(10), stream.read_to_end(&mut Vec::new())).await;
            assert!(closed.is_ok(), "flood {number} was not ended");
        }
    }
    let mut next = Program::named(served.port, "next").await;
    let game = next.next().await;
    assert!(matches!(game, ServerLine::Game { .. }), "{game}");
    // `ok` of the last flood may have waited first.
    let _ = waiting.next().await;
    silent.write_all(b"quit\n").await.unwrap();
}

/// `axum::serve` would leave half a head open for ever.
#[tokio::test]
async fn half_a_head_and_a_byte_a_second_are_closed_within_their_time() {
    let served = served().await;
    let since = Instant::now();
    let mut half = TcpStream::connect(served.page).await.unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nHost: 127").await.unwrap();
    let mut slow = TcpStream::connect(served.page).await.unwrap();
    let drip = tokio::spawn(async move {
        for byte in b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" {
            if slow.write_all(&[*byte]).await.is_err() {
                return;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        panic!("a head of a byte a second was taken");
    });
    let mut silent = TcpStream::connect(served.page).await.unwrap();
    for stream in [&mut half, &mut silent] {
        let mut rest = Vec::new();
        timeout(Duration::from_secs(15), stream.read_to_end(&mut rest))
            .await
            .expect("it stays open")
            .unwrap();
    }
    drip.await.unwrap();
    assert!(since.elapsed() < Duration::from_secs(20));
}

#[tokio::test]
async fn an_address_has_a_number_of_connections() {
    let served = served_with(|config, _| {
        config.limits = LimitConfig { connections_per_address: 3, ..crate::common::WIDE }
    })
    .await;
    let mut open = Vec::new();
    for _ in 0..3 {
        open.push(Program::named(served.port, &format!("p{}", open.len())).await);
    }
    let mut fourth = TcpStream::connect(served.port).await.unwrap();
    let mut rest = Vec::new();
    let closed = timeout(Duration::from_secs(5), fourth.read_to_end(&mut rest)).await;
    assert!(closed.is_ok() && rest.is_empty());
    open.pop();
    let again = async {
        loop {
            let mut program = Program::connect(served.port).await;
            if program.text().await.starts_with("stonework 1 havannah") {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(5), again).await.expect("a place is free again");
}

/// Text and JSON are two forms of one line.
#[test]
fn every_line_is_read_back_from_both_forms() {
    let text = |text: &str| text.to_owned();
    let clocks = Some((298_123, 299_500));
    let server = [
        ServerLine::Hello {
            game: text("havannah"),
            size: 10,
            swap: true,
            clock: Some((300_000, 5000)),
            per_move: Some(30_000),
            notation: text("rogers"),
        },
        ServerLine::Hello {
            game: text("cover"),
            size: 4,
            swap: false,
            clock: None,
            per_move: None,
            notation: text("own"),
        },
        ServerLine::Welcome { name: text("ann") },
        ServerLine::Refused { why: text("ann: in use") },
        ServerLine::Wait,
        ServerLine::Game { id: text("abcdefgh"), side: text("white"), opponent: text("bob"), resume: None },
        ServerLine::Game {
            id: text("abcdefgh"),
            side: text("black"),
            opponent: text("bob"),
            resume: Some(12),
        },
        ServerLine::Turn { ply: 1, clocks },
        ServerLine::Turn { ply: 1, clocks: None },
        ServerLine::Ok { ply: 1, mv: text("Put K19") },
        ServerLine::Move { ply: 2, mv: text("Put H16"), clocks },
        ServerLine::Move { ply: 2, mv: text("Swap"), clocks: None },
        ServerLine::Illegal { ply: 3, mv: text("Put H16"), why: text("H16 is taken: choose another") },
        ServerLine::Over {
            winner: text("draw"),
            how: vec![text("turn limit"), text("plies")],
            cells: vec![],
        },
        ServerLine::Over {
            winner: text("white"),
            how: vec![text("fork")],
            cells: vec![text("K10"), text("K11")],
        },
        ServerLine::Record { address: text("http://127.0.0.1:7171/records/abcdefgh.txt") },
        ServerLine::Error { why: text("no such word") },
    ];
    for line in server {
        assert_eq!(line.to_string().parse::<ServerLine>().unwrap(), line);
        assert_eq!(serde_json::from_str::<ServerLine>(&serde_json::to_string(&line).unwrap()).unwrap(), line);
    }
    let key = Some(text("ann:00ff"));
    let client = [
        ClientLine::Player { name: text("ann"), key: None },
        ClientLine::Player { name: text("ann"), key: key.clone() },
        ClientLine::Gtp { name: text("ann"), key },
        ClientLine::Put { mv: text("K19") },
        ClientLine::Swap,
        ClientLine::Pass,
        ClientLine::Resign,
        ClientLine::Again,
        ClientLine::Quit,
    ];
    for line in client {
        assert_eq!(line.to_string().parse::<ClientLine>().unwrap(), line);
        assert_eq!(serde_json::from_str::<ClientLine>(&serde_json::to_string(&line).unwrap()).unwrap(), line);
    }
    assert_eq!("K19".parse::<ClientLine>().unwrap(), ClientLine::Put { mv: text("K19") });
    assert_eq!("PUT k19\r".parse::<ClientLine>().unwrap(), ClientLine::Put { mv: text("k19") });
}
