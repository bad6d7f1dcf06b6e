//! One connection of a program on a port.

use std::collections::HashSet;
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use stonework_game::Player;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout, timeout_at};

use super::line::{ClientLine, ServerLine};
use super::seat::SeatedGame;
use super::{Port, gtp};
use crate::table::{GameEvent, GameTable, GameWatch, Order, Seat, SeatKind};
use crate::{ServerApp, keys};

/// The longest line of a client, in bytes, with its end.
const MOST_LINE: u64 = 1024;

/// The time for the first line.
const FIRST_LINE: Duration = Duration::from_secs(60);

/// The time without a line of a program that is to move, or after a game; a program that waits for an opponent, or for the opponent's move,
/// may be silent.
pub(super) const IDLE: Duration = Duration::from_secs(600);

/// The time of a program that waits for the opponent's move: longer than any game goes on without an event.
const WAITING: Duration = Duration::from_secs(365 * 24 * 3600);

/// The time in which a client must take a line.
const WRITE_TIME: Duration = Duration::from_secs(10);

/// The time without a byte after which the system asks the machine of a client whether the connection is there, and the interval of
/// further questions. A program that waits may be silent for ever, so that the end of its machine or of its network shows in no other way.
const PROBES: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(15));

/// The interval of the signs of life while there is no opponent.
const SIGN_OF_LIFE: Duration = Duration::from_secs(30);

/// The number of bad lines in a row after which a client is disconnected.
const MOST_ERRORS: u32 = 3;

/// The connection to a program, line by line.
#[derive(Debug)]
pub(super) struct Wire {
    reader: BufReader<OwnedReadHalf>,
    writer: OwnedWriteHalf,
    /// A line of which a part has come.
    part: Vec<u8>,
    errors: u32,
}

fn broken(why: &str) -> io::Error {
    io::Error::other(why.to_owned())
}

impl Wire {
    /// Reads a line without its end. A future that is dropped before it is ready loses nothing.
    pub(super) async fn line(&mut self) -> io::Result<String> {
        loop {
            let left = MOST_LINE.saturating_sub(self.part.len() as u64);
            let read = (&mut self.reader).take(left).read_until(b'\n', &mut self.part).await?;
            if self.part.last() == Some(&b'\n') {
                let line = String::from_utf8_lossy(&self.part).trim_end_matches(['\n', '\r']).to_owned();
                self.part.clear();
                return Ok(line);
            }
            if self.part.len() as u64 >= MOST_LINE {
                let why = format!("a line is longer than {MOST_LINE} bytes");
                self.say(&ServerLine::Error { why: why.clone() }).await?;
                return Err(broken(&why));
            }
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// Reads a line of the protocol. Bad lines are answered; the last of too many ends the connection.
    async fn client_line(&mut self) -> io::Result<ClientLine> {
        loop {
            let line = self.line().await?;
            if let Some(line) = self.read(&line).await? {
                return Ok(line);
            }
        }
    }

    /// A line of the protocol; `None` for a bad line, which is answered. Never wait for an answer beside other events: it would be cut.
    async fn read(&mut self, line: &str) -> io::Result<Option<ClientLine>> {
        match line.parse() {
            Ok(line) => {
                self.errors = 0;
                Ok(Some(line))
            }
            Err(error) => self.error(&error.to_string()).await.map(|()| None),
        }
    }

    async fn error(&mut self, why: &str) -> io::Result<()> {
        self.errors += 1;
        self.say(&ServerLine::Error { why: why.to_owned() }).await?;
        if self.errors >= MOST_ERRORS { Err(broken("too many bad lines")) } else { Ok(()) }
    }

    pub(super) async fn say(&mut self, line: &ServerLine) -> io::Result<()> {
        self.send(&line.to_string()).await
    }

    pub(super) async fn send(&mut self, line: &str) -> io::Result<()> {
        // A line feed within a text would begin another line.
        let text: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        timeout(WRITE_TIME, self.writer.write_all((text + "\n").as_bytes())).await?
    }
}

/// The names that are connected.
static CONNECTED: Mutex<Option<HashSet<(usize, String)>>> = Mutex::new(None);

/// A name that is connected as long as this value lives.
struct Connected((usize, String));

impl Connected {
    fn new(app: &ServerApp, name: &str) -> Option<Self> {
        let key = (app.address(), name.to_lowercase());
        let mut connected = CONNECTED.lock().unwrap_or_else(PoisonError::into_inner);
        connected.get_or_insert_default().insert(key.clone()).then(|| Self(key))
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        if let Some(connected) = CONNECTED.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            connected.remove(&self.0);
        }
    }
}

/// Answers a connection until it ends.
pub(super) async fn serve(app: &ServerApp, port: &Port, stream: TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let probes = TcpKeepalive::new().with_time(PROBES.0).with_interval(PROBES.1);
    SockRef::from(&stream).set_tcp_keepalive(&probes)?;
    let (reader, writer) = stream.into_split();
    let mut wire = Wire { reader: BufReader::new(reader), writer, part: Vec::new(), errors: 0 };
    let settings = &port.settings;
    let hello = ServerLine::Hello {
        game: settings.game.clone(),
        size: settings.size,
        swap: settings.swap,
        clock: settings.clock.main.map(|main| (main, settings.clock.increment)),
        per_move: settings.clock.per_move,
        notation: port.notation.unwrap_or("own").to_owned(),
    };
    wire.say(&hello).await?;
    let by = Instant::now() + FIRST_LINE;
    let (name, key, speaks_gtp) = loop {
        match timeout_at(by, wire.client_line()).await?? {
            ClientLine::Player { name, key } => break (name, key, false),
            ClientLine::Gtp { name, key } => break (name, key, true),
            ClientLine::Quit => return Ok(()),
            _ => wire.error("the first line is `player NAME` or `gtp NAME`").await?,
        }
    };
    let refused = check(app, &name, key.as_deref()).await.err();
    let connected = Connected::new(app, &name);
    let refused = refused.or_else(|| connected.is_none().then(|| format!("{name}: in use")));
    if let Some(why) = refused {
        return wire.say(&ServerLine::Refused { why }).await;
    }
    if !speaks_gtp {
        wire.say(&ServerLine::Welcome { name: name.clone() }).await?;
    }
    loop {
        // Since the last game, the key may have ended, or the name may have become a player's.
        if let Err(why) = check(app, &name, key.as_deref()).await {
            return wire.say(&ServerLine::Refused { why }).await;
        }
        let Some((table, side, returns)) = opponent(app, port, &name, &mut wire, speaks_gtp).await? else {
            return Ok(());
        };
        table.presence(side, true).await;
        let played = if speaks_gtp {
            gtp::play(app, port, &mut wire, table.clone(), side).await
        } else {
            play(app, port, &mut wire, table.clone(), side, returns).await
        };
        if played.is_err() {
            table.presence(side, false).await;
        }
        if !played? {
            return Ok(());
        }
    }
}

/// Checks the name and the key of a program.
async fn check(app: &ServerApp, name: &str, key: Option<&str>) -> Result<(), String> {
    keys::check_name(name).map_err(|fault| fault.to_string())?;
    let engine = app.engines().iter().any(|engine| engine.name.eq_ignore_ascii_case(name));
    if engine {
        return Err(format!("{name}: the name of an engine of this server"));
    }
    let failed = |error: crate::StoreError| error.to_string();
    match key {
        Some(key) => match keys::name_of(app.store(), key).await.map_err(failed)? {
            Some(owner) if owner == name => Ok(()),
            _ => Err(format!("{name}: wrong key")),
        },
        None if keys::is_registered(app.store(), name).await.map_err(failed)? => {
            Err(format!("{name}: needs its key"))
        }
        None => Ok(()),
    }
}

/// The game to play: the one that the program has left, or the next. `None` if the program quits. `true` for a game that goes on.
async fn opponent(
    app: &ServerApp,
    port: &Port,
    name: &str,
    wire: &mut Wire,
    silent: bool,
) -> io::Result<Option<(GameTable, Player, bool)>> {
    let seat = Seat { name: name.to_owned(), kind: SeatKind::Program };
    for table in app.tables() {
        if let Some(game) = table.brief().await
            && !game.over
            && game.settings == port.settings
            && let Some(at) = game.seats.iter().position(|other| *other == seat)
        {
            return Ok(Some((table, Player::BOTH[at], true)));
        }
    }
    let (begun, mut game) = oneshot::channel();
    let offer = port.offer(seat.clone());
    let id = offer.id.clone();
    let met = app.meet_on_port(offer, Some(begun)).await;
    if let Some((table, side)) = met.map_err(|fault| io::Error::other(fault.to_string()))? {
        return Ok(Some((table, side, false)));
    }
    let _withdrawn = Withdrawn { app, id: &id, name };
    if !silent {
        wire.say(&ServerLine::Wait).await?;
    }
    loop {
        tokio::select! {
            found = &mut game => {
                let (table, side) = found.map_err(|_| broken("the offer was taken back"))?;
                return Ok(Some((table, side, false)));
            }
            line = wire.line() => {
                // Anything else is a sign of life.
                if let Ok(ClientLine::Quit) = line?.parse() {
                    return Ok(None);
                }
            }
            () = tokio::time::sleep(SIGN_OF_LIFE), if !silent => wire.say(&ServerLine::Wait).await?,
        }
    }
}

/// Takes an offer back when its connection ends.
struct Withdrawn<'a> {
    app: &'a ServerApp,
    id: &'a str,
    name: &'a str,
}

impl Drop for Withdrawn<'_> {
    fn drop(&mut self) {
        self.app.lobby().withdraw(self.id, self.name);
    }
}

/// The name of the other player, and the events of the game.
pub(super) async fn sit_down(table: &GameTable, side: Player) -> io::Result<(String, GameWatch, u64)> {
    let view = table.view().await.ok_or_else(|| broken("the game has ended"))?;
    let opponent = view.seats[side.other().index()].name.clone();
    let watch = table.watch(0).await.ok_or_else(|| broken("the game has ended"))?;
    Ok((opponent, watch, view.last))
}

/// Plays a game with a program that speaks the protocol. `false` if the program quits.
async fn play(
    app: &ServerApp,
    port: &Port,
    wire: &mut Wire,
    table: GameTable,
    side: Player,
    returns: bool,
) -> io::Result<bool> {
    let failed = |fault: stonework_session::Fault| io::Error::other(fault.to_string());
    let (opponent, mut watch, last) = sit_down(&table, side).await?;
    let mut game = SeatedGame::new(app, port, side).map_err(failed)?;
    let (mut past, mut over) = (Vec::new(), false);
    // The moves that were played while the program was away.
    while watch.has_past() {
        let Some(told) = watch.next().await else { break };
        if let GameEvent::Moved { ply, .. } = &told.numbered.event {
            let mover_is_me = game.is_mine();
            let (lines, _) = game.follow(&told.numbered.event).map_err(failed)?;
            let clocks = game.both_clocks();
            past.extend(lines.into_iter().map(|line| match line {
                ServerLine::Ok { mv, .. } if mover_is_me => ServerLine::Move { ply: *ply, mv, clocks },
                other => other,
            }));
        } else {
            let (lines, ended) = game.follow(&told.numbered.event).map_err(failed)?;
            if told.number() > last || ended {
                past.extend(lines);
            }
            over |= ended;
        }
    }
    let resume = (returns || game.plies > 0).then_some(game.plies);
    let (id, side_name) = (table.id().to_owned(), game.side_name().to_owned());
    wire.say(&ServerLine::Game { id, side: side_name, opponent, resume }).await?;
    for line in past {
        wire.say(&line).await?;
    }
    let mut told_turn = 0;
    let mut quiet = Instant::now() + IDLE;
    while !over {
        let ply = game.plies + 1;
        if game.is_mine() && told_turn != ply {
            told_turn = ply;
            wire.say(&ServerLine::Turn { ply, clocks: game.both_clocks() }).await?;
        }
        let late = if game.is_mine() { quiet } else { Instant::now() + WAITING };
        tokio::select! {
            told = watch.next() => {
                let Some(told) = told else { return Err(broken("the game has ended")) };
                if let GameEvent::Proposed { .. } = &told.numbered.event {
                    // The protocol has no proposals. One that is no longer open needs no answer.
                    let _ = table.order(side, Order::Decline).await;
                }
                let (lines, ended) = game.follow(&told.numbered.event).map_err(failed)?;
                for line in lines {
                    wire.say(&line).await?;
                }
                over = ended;
                quiet = Instant::now() + IDLE;
            }
            line = timeout_at(late, wire.line()) => {
                let Some(line) = wire.read(&line??).await? else { continue };
                let order = match line {
                    ClientLine::Put { mv } => Order::Play { mv: game.usual(&mv), ply: None },
                    ClientLine::Swap => Order::Play { mv: game.swap(), ply: None },
                    ClientLine::Pass => {
                        let why = format!("{} has no pass", port.settings.game);
                        wire.say(&ServerLine::Illegal { ply, mv: "Pass".to_owned(), why }).await?;
                        continue;
                    }
                    ClientLine::Resign | ClientLine::Quit => Order::Resign,
                    _ => {
                        wire.error("a game goes on: Put, Swap, Resign").await?;
                        continue;
                    }
                };
                match table.order(side, order).await {
                    Ok(_) => wire.errors = 0,
                    Err(fault) if fault.kind == "over" => {}
                    Err(fault) => wire.error(&fault.message).await?,
                }
                quiet = Instant::now() + IDLE;
            }
        }
    }
    let address = format!("{}/records/{}.txt", app.address_of_page(), table.id());
    wire.say(&ServerLine::Record { address }).await?;
    loop {
        match timeout(IDLE, wire.client_line()).await?? {
            ClientLine::Again => return Ok(true),
            ClientLine::Quit => return Ok(false),
            // A move that has crossed the end of the game.
            ClientLine::Put { .. } | ClientLine::Swap | ClientLine::Resign => {}
            _ => wire.error("the game is over: again, quit").await?,
        }
    }
}
