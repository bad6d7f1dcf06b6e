//! The figures of `docs/results/server.md`: many games at once, over loopback, against the built program.

use std::time::Duration;

use crate::common::Folder;
use crate::common::process::Running;
use stonework_server::ServerLine;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

const GAMES: usize = 200;
const SECONDS: u64 = 20;
/// The pause before a move, so that all games together have a little more than 400 moves a second.
const PAUSE: Duration = Duration::from_millis(440);

/// A move that a program was told: the game, the number of the move, the time.
type Told = (String, u32, Instant);

/// Plays one side, and reports each move when it is sent (`true`) and when the other side hears it.
async fn play(
    port: String,
    name: String,
    cells: std::sync::Arc<Vec<String>>,
    told: mpsc::UnboundedSender<(bool, Told)>,
) {
    let (reader, mut writer) = TcpStream::connect(port).await.unwrap().into_split();
    let mut lines = BufReader::new(reader).lines();
    writer.write_all(format!("player {name}\n").as_bytes()).await.unwrap();
    let (mut game, mut next, mut last) = (String::new(), 1, 0);
    while let Ok(Some(line)) = lines.next_line().await {
        match line.parse::<ServerLine>().unwrap() {
            ServerLine::Game { id, .. } => game = id,
            ServerLine::Turn { ply, .. } => {
                assert_eq!(ply, next, "{game}");
                sleep_until(Instant::now() + PAUSE).await;
                let at = Instant::now();
                if writer.write_all(format!("Put {}\n", cells[ply as usize - 1]).as_bytes()).await.is_err() {
                    return;
                }
                let _ = told.send((true, (game.clone(), ply, at)));
            }
            ServerLine::Ok { ply, .. } => {
                assert_eq!(ply, last + 1, "lost, doubled or out of order in {game}");
                (last, next) = (ply, ply + 1);
            }
            ServerLine::Move { ply, mv, .. } => {
                assert_eq!(ply, last + 1, "lost, doubled or out of order in {game}");
                assert_eq!(mv, format!("Put {}", cells[ply as usize - 1]));
                (last, next) = (ply, ply + 1);
                let _ = told.send((false, (game.clone(), ply, Instant::now())));
            }
            ServerLine::Over { how, .. } => panic!("{game} is over: {how:?}"),
            _ => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "half a minute, and figures of a release build: cargo test --release -p stonework-server --test server load:: -- --ignored --nocapture (docs/results/server.md)"]
async fn two_hundred_games_at_once() {
    let folder = Folder::new();
    let running = Running::start(&folder, 10);
    tokio::time::sleep(Duration::from_millis(500)).await;
    let empty = running.memory("VmRSS");
    // Every third cell: no side wins within the test.
    let registry = stonework_session::Registry::standard();
    let start = stonework_session::Start::of_size(10);
    let session = stonework_session::Session::new(registry, "havannah", &start, Some("rogers")).unwrap();
    let cells: std::sync::Arc<Vec<String>> =
        std::sync::Arc::new(session.legal().into_iter().step_by(3).collect());
    let (told, mut heard) = mpsc::unbounded_channel();
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..2 * GAMES {
        tasks.spawn(play(
            running.port.clone(),
            format!("p{number}"),
            std::sync::Arc::clone(&cells),
            told.clone(),
        ));
    }
    drop(told);
    let end = Instant::now() + Duration::from_secs(SECONDS);
    let (mut sent, mut times) = (std::collections::HashMap::new(), Vec::new());
    let mut full = 0;
    loop {
        tokio::select! {
            told = heard.recv() => match told {
                Some((true, (game, ply, at))) => drop(sent.insert((game, ply), at)),
                Some((false, (game, ply, at))) => match sent.remove(&(game.clone(), ply)) {
                    Some(since) => times.push(at - since),
                    // The answer was quicker than the note of the sender.
                    None => times.push(Duration::ZERO),
                },
                None => break,
            },
            () = sleep_until(end) => break,
        }
        full = if times.len() == 1000 { running.memory("VmRSS") } else { full };
    }
    tasks.abort_all();
    let most = running.memory("VmHWM");
    running.kill();
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{GAMES} games, {} connections, {SECONDS} s: {} moves, {} a second",
        2 * GAMES,
        times.len(),
        times.len() as u64 / SECONDS
    );
    println!("told within: half {:?}, 99 % {:?}, all {:?}", at(0.5), at(0.99), at(1.0));
    println!("memory: {empty} KiB empty, {full} KiB with {GAMES} games, {most} KiB at most");
    println!(
        "memory of a game with two connections: {} bytes",
        full.saturating_sub(empty) * 1024 / GAMES as u64
    );
    assert!(times.len() as u64 > SECONDS * 300, "{} moves", times.len());
    assert!(at(0.99) < Duration::from_millis(50), "{:?}", at(0.99));
    assert!(most < 200 * 1024, "{most} KiB");
}
