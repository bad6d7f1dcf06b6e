//! A person in a browser and a program on a port.

use std::time::Duration;

use serde_json::json;
use stonework_server::PortConfig;
use stonework_session::{Registry, Session, Start};

use super::page::{Page, client, goto};

/// A program on a port: the next line that is no sign of life.
async fn line(reader: &mut tokio::io::BufReader<tokio::net::tcp::OwnedReadHalf>) -> String {
    use tokio::io::AsyncBufReadExt;
    loop {
        let mut line = String::new();
        let read = tokio::time::timeout(Duration::from_secs(20), reader.read_line(&mut line)).await;
        assert_ne!(read.expect("no line within 20 seconds").unwrap(), 0, "the connection has ended");
        if line.trim_end() != "wait" {
            return line.trim_end().to_owned();
        }
    }
}

/// Scenario 3, with a program on a port: a person in one browser plays against it, and a second browser follows. The boards of both, after
/// a reload of each, and the lines of the program equal the log.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver: cargo test -p stonework-server --features browser-tests --test browser -- --ignored"]
async fn a_person_plays_a_program_on_a_port_and_another_browser_follows() {
    use tokio::io::{AsyncWriteExt, BufReader};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let listen = listener.local_addr().unwrap();
    let game = "havannah".to_owned();
    let port = PortConfig { listen, game, size: 4, swap: false, clock: None, per_move: None };
    let of_port = port.clone();
    let Some(mut page) = Page::open("port", true, |config| config.port.push(of_port)).await else { return };
    tokio::spawn(stonework_server::serve_port(page.app.clone(), port, listener));
    let (reader, mut writer) = tokio::net::TcpStream::connect(listen).await.unwrap().into_split();
    let mut reader = BufReader::new(reader);
    assert!(line(&mut reader).await.starts_with("stonework 1 havannah size 4"));
    writer.write_all(b"player robot\n").await.unwrap();
    assert_eq!(line(&mut reader).await, "welcome robot");
    page.goto("/play/havannah").await;
    page.run(&format!("document.querySelector('[name=with]').value = '!port {}'", listen.port())).await;
    page.find("main form button.main").await.click().await.unwrap();
    page.until("location.pathname.startsWith('/g/')").await;
    let path = page.value("location.pathname").await.as_str().unwrap().to_owned();
    let id = path.trim_start_matches("/g/").to_owned();
    assert!(line(&mut reader).await.starts_with(&format!("game {id} ")));
    let follower = client(&page.chrome, &page.driver_address, true).await;
    goto(&follower, &format!("http://{}{path}", page.address)).await;
    let clients = [page.client.clone(), follower];
    let own = "document.querySelector('#standing')?.textContent.startsWith('Your move') === true";
    let session = Session::new(Registry::standard(), "havannah", &Start::of_size(4), Some("rogers")).unwrap();
    let cells = session.legal();
    let (mut moves, mut told) = (0, Vec::new());
    while moves < 6 {
        let log = page.app.view(&id).await.unwrap().unwrap();
        let mover = stonework_game::Game::to_move(log.session.position());
        if log.seats[mover.index()].name == "robot" {
            let free = cells.iter().find(|cell| !told.contains(&format!("Put {cell}"))).unwrap();
            while !line(&mut reader).await.starts_with("turn ") {}
            writer.write_all(format!("Put {free}\n").as_bytes()).await.unwrap();
        } else {
            page.client = clients[0].clone();
            page.until(own).await;
            let cell = page.value("document.querySelector('polygon.legal').dataset.cell").await;
            page.click(cell.as_str().unwrap(), moves + 1).await;
        }
        moves += 1;
        // Each move is told to the program once, with its number.
        loop {
            let line = line(&mut reader).await;
            let mut words = line.split_whitespace();
            if let Some("ok" | "move") = words.next() {
                assert_eq!(words.next().unwrap(), moves.to_string(), "{line}");
                told.push(words.take(2).collect::<Vec<_>>().join(" "));
                break;
            }
        }
    }
    let log = page.app.view(&id).await.unwrap().unwrap().session;
    let rogers = log.in_notation("rogers").unwrap();
    assert_eq!(told, rogers.moves().iter().map(|mv| format!("Put {mv}")).collect::<Vec<_>>());
    for one in clients {
        page.client = one.clone();
        for reload in [false, true] {
            if reload {
                page.client.refresh().await.unwrap();
            }
            page.plies(moves).await;
            let list =
                page.value("[...document.querySelectorAll('#moves td')].map((one) => one.textContent)").await;
            assert_eq!(list, json!(log.moves()));
        }
        one.close().await.unwrap();
    }
}
