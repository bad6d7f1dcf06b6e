//! The built program is killed in the middle of play. Nothing that it has told is lost.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::common::Folder;
use crate::common::process::Running;
use stonework_server::ServerLine;

/// A program that plays the first free cell, and remembers what it was told.
struct Player {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Player {
    fn connect(port: &str, name: &str) -> Self {
        let mut stream = TcpStream::connect(port).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(format!("player {name}\n").as_bytes()).unwrap();
        Self { reader: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    fn next(&mut self) -> Option<ServerLine> {
        let mut line = String::new();
        match self.reader.read_line(&mut line) {
            Ok(1..) if line.ends_with('\n') => Some(line.trim_end().parse().unwrap()),
            _ => None,
        }
    }
}

/// Plays until a line fails or `plies` moves are told. Returns the moves that were told, those of the resumption, too.
fn follow(mut player: Player, plies: usize, cells: &[String]) -> Vec<String> {
    let mut told = Vec::new();
    while told.len() < plies {
        match player.next() {
            Some(ServerLine::Turn { .. }) => {
                let free = cells.iter().find(|cell| !told.contains(&format!("Put {cell}"))).unwrap();
                if player.stream.write_all(format!("Put {free}\n").as_bytes()).is_err() {
                    break;
                }
            }
            Some(ServerLine::Ok { ply, mv } | ServerLine::Move { ply, mv, .. }) => {
                assert_eq!(ply as usize, told.len() + 1, "a move is lost, doubled or out of order");
                told.push(mv);
            }
            Some(ServerLine::Over { how, .. }) => panic!("the game is over: {how:?}"),
            Some(_) => {}
            None => break,
        }
    }
    told
}

/// Cells that give neither side a win within the test: every third cell of the board.
fn cells() -> Vec<String> {
    let registry = stonework_session::Registry::standard();
    let start = stonework_session::Start::of_size(8);
    let position = registry.game("havannah").unwrap().start(&start).unwrap();
    let rogers = position.notation(Some("rogers")).unwrap();
    let session = stonework_session::Session::new(registry, "havannah", &start, None).unwrap();
    let name = |text: String| position.move_text_in(position.read_move(&text, 0).unwrap(), rogers);
    session.legal().into_iter().step_by(3).map(name).collect()
}

fn kill_in_the_middle(times: usize) {
    let (folder, cells) = (Folder::new(), cells());
    let mut known: Vec<String> = Vec::new();
    for time in 0..times {
        let running = Running::start(&folder, 8);
        // A game of less than 50 moves: then the next begins with other names.
        let game = time / 10;
        if time % 10 == 0 {
            known.clear();
        }
        let names = [format!("one-{game}"), format!("two-{game}")];
        let players = names.each_ref().map(|name| {
            let player = Player::connect(&running.port, name);
            std::thread::sleep(Duration::from_millis(20));
            player
        });
        let plies = known.len() + 3;
        let told: Vec<Vec<String>> = std::thread::scope(|scope| {
            let threads = players.map(|player| {
                let cells = &cells;
                scope.spawn(move || follow(player, plies + 1, cells))
            });
            // At any moment: in the middle of a move, mostly.
            std::thread::sleep(Duration::from_millis(60 + (time as u64 * 37) % 150));
            running.kill();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for told in told {
            let common = told.len().min(known.len());
            assert_eq!(told[..common], known[..common], "kill {time}: what was told has changed");
            if told.len() > known.len() {
                known = told;
            }
        }
    }
    assert!(!known.is_empty(), "no move was told: the test shows nothing");
    // What was told is in the database.
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let app = stonework_server::ServerApp::open(crate::common::config(&folder)).await.unwrap();
        let game = (times - 1) / 10;
        for table in app.tables() {
            let view = table.view().await.unwrap();
            if view.seats.iter().any(|seat| seat.name == format!("one-{game}")) {
                let session = view.session.in_notation("rogers").unwrap();
                let moves: Vec<String> = session.moves().iter().map(|mv| format!("Put {mv}")).collect();
                assert!(
                    moves.len() >= known.len(),
                    "{} moves are stored, {} were told",
                    moves.len(),
                    known.len()
                );
                assert_eq!(moves[..known.len()], known[..]);
                return;
            }
        }
        panic!("the game is gone");
    });
}

#[test]
fn a_kill_loses_nothing_that_was_told() {
    kill_in_the_middle(4);
}

#[test]
#[ignore = "a minute: cargo test --release -p stonework-server --test server kill:: -- --ignored (docs/results/server.md)"]
fn fifty_kills_lose_nothing_that_was_told() {
    kill_in_the_middle(50);
}

/// The clock of a player who has not come back after a restart stands still, also when the other side moves.
#[tokio::test]
async fn a_clock_waits_for_its_player_after_a_restart() {
    let folder = Folder::new();
    let server = crate::common::server_of(crate::common::config(&folder)).await;
    let keys = [server.player("ann").await, server.player("bob").await];
    let id = server.game([&keys[0], &keys[1]], serde_json::json!({ "clock": { "main": 5000 } })).await;
    drop(server);
    let server = crate::common::server_of(crate::common::config(&folder)).await;
    let ticking = async || server.app.view(&id).await.unwrap().unwrap().ticking;
    assert!(!ticking().await);
    assert_eq!(server.play(&keys[0], &id, "d4").await.status, axum::http::StatusCode::OK);
    assert!(!ticking().await, "bob has not come back");
    let draw = serde_json::json!({ "op": "propose", "proposal": "draw" });
    server.with_key("POST", &format!("/api/games/{id}"), &keys[1], &draw).await;
    assert!(ticking().await, "bob has come back");
}

/// A game without an event for 30 days is over, also if the server has started again meanwhile.
#[tokio::test]
async fn a_restart_gives_an_abandoned_game_no_time() {
    let folder = Folder::new();
    let server = crate::common::server_of(crate::common::config(&folder)).await;
    let keys = [server.player("ann").await, server.player("bob").await];
    let ids = [
        server.game([&keys[0], &keys[1]], serde_json::json!({})).await,
        server.game([&keys[0], &keys[1]], serde_json::json!({})).await,
    ];
    for (id, days) in ids.iter().zip([29, 31]) {
        let id = id.clone();
        let work = move |connection: &rusqlite::Connection| {
            let sql = "UPDATE game SET last_at = last_at - 86400000 * ?1 WHERE id = ?2";
            connection.execute(sql, rusqlite::params![days, id])
        };
        assert_eq!(server.app.store().write(work).await.unwrap(), 1);
    }
    drop(server);
    let server = crate::common::server_of(crate::common::config(&folder)).await;
    let end = async |id: &str| server.app.view(id).await.unwrap().unwrap().end;
    let since = std::time::Instant::now();
    while end(&ids[1]).await.is_none_or(|end| end.how != ["gone"]) {
        assert!(since.elapsed() < Duration::from_secs(5), "the game goes on");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(end(&ids[0]).await.is_none());
}
