//! A server with a page and one port, over real connections, and a program on the port.

use std::net::SocketAddr;
use std::time::Duration;

use stonework_server::{Config, PortConfig, ServerApp, ServerLine, serve, serve_port};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use super::{Folder, Tested, config};

/// A server with a page and one port.
#[derive(Debug)]
pub(crate) struct Served {
    pub(crate) app: ServerApp,
    pub(crate) port: SocketAddr,
    pub(crate) page: SocketAddr,
    _folder: Folder,
}

pub(crate) async fn served_with(change: impl FnOnce(&mut Config, &mut PortConfig)) -> Served {
    let folder = Folder::new();
    let (page, port) =
        (TcpListener::bind("127.0.0.1:0").await.unwrap(), TcpListener::bind("127.0.0.1:0").await.unwrap());
    let listen = port.local_addr().unwrap();
    let mut of_port =
        PortConfig { listen, game: "havannah".to_owned(), size: 4, swap: true, clock: None, per_move: None };
    let mut config = config(&folder);
    change(&mut config, &mut of_port);
    config.port = vec![of_port.clone()];
    let app = ServerApp::open(config).await.unwrap();
    let served = Served { app: app.clone(), port: listen, page: page.local_addr().unwrap(), _folder: folder };
    tokio::spawn(serve_port(app.clone(), of_port, port));
    tokio::spawn(serve(app, page));
    served
}

pub(crate) async fn served() -> Served {
    served_with(|_, _| {}).await
}

impl Served {
    /// The number of open connections to the page.
    pub(crate) async fn connections(&self) -> u64 {
        self.number("connections").await
    }

    /// A number of `/metrics`, asked for without a connection.
    pub(crate) async fn number(&self, name: &str) -> u64 {
        let text = self.requests().get("/metrics").await.text();
        let name = format!("stonework_{name} ");
        let line = text.lines().find_map(|line| line.strip_prefix(&name));
        line.unwrap_or_else(|| panic!("no {name}in {text}")).parse().unwrap()
    }

    /// Requests that need no connection.
    pub(crate) fn requests(&self) -> Tested {
        Tested::over(self.app.clone(), stonework_server::router(self.app.clone()))
    }
}

/// A program on the port.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) reader: BufReader<OwnedReadHalf>,
    pub(crate) writer: OwnedWriteHalf,
}

impl Program {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        let (reader, writer) = TcpStream::connect(address).await.unwrap().into_split();
        Self { reader: BufReader::new(reader), writer }
    }

    pub(crate) async fn named(address: SocketAddr, name: &str) -> Self {
        let mut program = Self::connect(address).await;
        assert!(matches!(program.line().await, ServerLine::Hello { .. }));
        program.say(&format!("player {name}")).await;
        // A key may stand behind the name.
        let name = name.split(' ').next().unwrap_or_default().to_owned();
        assert_eq!(program.line().await, ServerLine::Welcome { name });
        program
    }

    /// A program that waits for an opponent.
    pub(crate) async fn waiting(address: SocketAddr, name: &str) -> Self {
        let mut program = Self::named(address, name).await;
        assert_eq!(program.line().await, ServerLine::Wait);
        program
    }

    pub(crate) async fn say(&mut self, line: &str) {
        self.writer.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    pub(crate) async fn text(&mut self) -> String {
        let mut line = String::new();
        let read = timeout(Duration::from_secs(20), self.reader.read_line(&mut line)).await;
        read.expect("no line within 20 seconds").unwrap();
        line.trim_end().to_owned()
    }

    pub(crate) async fn line(&mut self) -> ServerLine {
        let text = self.text().await;
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The next line that is no sign of life.
    pub(crate) async fn next(&mut self) -> ServerLine {
        loop {
            match self.line().await {
                ServerLine::Wait => {}
                line => return line,
            }
        }
    }
}

/// Two programs whose game has begun: white and black.
pub(crate) async fn paired(address: SocketAddr) -> [Program; 2] {
    let mut one = Program::waiting(address, "one").await;
    let mut two = Program::named(address, "two").await;
    let ServerLine::Game { side, opponent, .. } = one.next().await else { panic!("no game") };
    assert_eq!(opponent, "two");
    assert!(matches!(two.next().await, ServerLine::Game { .. }));
    if ["white", "red"].contains(&side.as_str()) { [one, two] } else { [two, one] }
}
