//! Requests to every address with the fields that it has, each field fit, odd or absent: each request has an answer, and none is a
//! fault of the server. `socket.rs` has the two addresses whose answer does not end, `/ws` and the events of a game.

use std::collections::BTreeMap;
use std::path::Path;

use axum::body::Body;
use axum::http::{StatusCode, header};
use serde_json::{Value, json};
use stonework_server::{Config, ServerApp, router};
use stonework_session::{Session, Start};

use crate::common::{Folder, Tested, config, request};
use crate::noise::{Random, encoded};

/// The way in which a request has its fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Carried {
    Json,
    Form,
    Query,
}

use Carried::{Form, Json, Query};

/// The fields of a position with moves.
const PLACE: &[&str] = &["game", "size", "position", "to_move", "swap", "moves", "notation"];

/// The addresses with their fields. `{field}` is a field in the address. The fields of [`PLACE`] come for `place`, and those of a look
/// for `look`.
const ROUTES: &[(&str, &str, Carried, &[&str])] = &[
    ("POST", "/api/view", Json, &["place", "look"]),
    ("POST", "/api/live", Json, &["place", "engine", "seconds", "limit"]),
    ("POST", "/api/review", Json, &["place", "engine", "seconds"]),
    ("POST", "/api/read", Json, &["place", "text"]),
    ("POST", "/api/sgf", Json, &["link"]),
    ("POST", "/api/setup", Json, &["game", "size", "first", "second", "to_move", "notation"]),
    ("POST", "/api/values", Json, &["place"]),
    ("POST", "/api/verify", Json, &["name"]),
    ("GET", "/api/proofs", Query, &[]),
    ("POST", "/api/players", Json, &["name"]),
    ("GET", "/api/players/me", Query, &[]),
    ("GET", "/api/engines", Query, &[]),
    ("GET", "/api/offers", Query, &[]),
    ("GET", "/api/games", Query, &[]),
    ("POST", "/api/games", Json, &["game", "size", "swap", "clock", "side", "engine", "friend"]),
    ("GET", "/api/games/{id}", Query, &[]),
    ("POST", "/api/games/{id}", Json, &["op", "move", "ply", "proposal"]),
    ("DELETE", "/api/games/{id}", Query, &[]),
    ("POST", "/api/games/{id}/accept", Query, &[]),
    ("POST", "/api/ports", Json, &["port"]),
    ("GET", "/api/records", Query, &["game", "size", "position", "player", "how", "after", "limit"]),
    ("POST", "/api/records", Json, &["text"]),
    ("GET", "/api/statistics", Query, &["game"]),
    ("GET", "/api/ratings", Query, &["game", "size"]),
    ("GET", "/records/{id}.{extension}", Query, &[]),
    ("GET", "/pic/{game}/{start}/{moves}.{extension}", Query, &["width", "theme", "numbers", "film"]),
    ("GET", "/exec", Query, &["cmd", "game"]),
    ("POST", "/exec", Query, &["cmd", "game"]),
    ("GET", "/status.json", Query, &["game"]),
    ("GET", "/", Query, &[]),
    ("GET", "/play/{game}", Query, &[]),
    ("POST", "/play/{game}", Form, &["with", "size", "swap", "side", "time"]),
    ("GET", "/g/{id}", Query, &[]),
    ("POST", "/g/{id}", Form, &["move", "op", "ply"]),
    ("GET", "/a", Query, &[]),
    ("GET", "/a/{game}/{start}", Query, &[]),
    ("GET", "/a/{game}/{start}/{moves}", Query, &["at"]),
    ("GET", "/r", Query, &["game", "size", "position", "player", "how", "after"]),
    ("GET", "/b", Query, &[]),
    ("GET", "/b/{game}", Query, &["size", "swap", "with", "side", "moves", "from", "go"]),
    ("GET", "/s", Query, &[]),
    ("POST", "/s", Form, &["title", "game", "size", "swap", "position"]),
    ("GET", "/s/{study}", Query, &["at", "form"]),
    ("POST", "/s/{study}", Form, &["at", "claim", "by"]),
    ("GET", "/assets/{asset}", Query, &[]),
    ("GET", "/help", Query, &[]),
];

/// The moves to the position that the server has a proof of, on size 5.
const PROVEN: &str = "c3-h6-b4-g7-c4-i9-f3";

/// A maker of requests.
struct Maker {
    random: Random,
    app: ServerApp,
    /// The game that the fields of a request are about, after some moves, and its legal moves.
    session: Session,
    legal: Vec<String>,
    swap: bool,
    /// `true` for a request without odd fields.
    whole: bool,
    /// Ids of games and of studies, which the server has told.
    ids: [Vec<String>; 2],
}

impl Maker {
    fn new(app: ServerApp, seed: u64) -> Self {
        let session = Session::new(app.registry().clone(), "cover", &Start::of_size(2), None).unwrap();
        let (legal, ids) = (Vec::new(), [Vec::new(), Vec::new()]);
        Self { random: Random(seed), app, session, legal, swap: false, whole: true, ids }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random.next(limit)
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    /// Chooses a game, a size and random legal moves.
    fn choose(&mut self) {
        self.whole = self.below(3) > 0;
        let (game, sizes) =
            [("havannah", [3, 4, 5]), ("cachex", [3, 4, 5]), ("cover", [1, 2, 3])][self.below(4) % 3];
        let proven = game == "havannah" && self.below(2) == 0;
        self.swap = game == "havannah" && !proven && self.below(4) == 0;
        let size = if proven { 5 } else { sizes[self.below(3)] };
        let start = Start { swap: self.swap, ..Start::of_size(size) };
        self.session = Session::new(self.app.registry().clone(), game, &start, None).unwrap();
        if proven {
            self.session.play_all(&PROVEN.split('-').collect::<Vec<_>>()).unwrap();
        }
        let plies = if self.below(8) == 0 { 200 } else { self.below(8) };
        self.legal = self.session.legal();
        for _ in 0..plies {
            if self.legal.is_empty() {
                break;
            }
            let mv = self.a_move();
            self.session.play(&mv).unwrap();
            self.legal = self.session.legal();
        }
    }

    fn a_move(&mut self) -> String {
        let chosen = self.below(self.legal.len().max(1));
        self.legal.get(chosen).map_or("a1", String::as_str).to_owned()
    }

    fn moves(&mut self) -> Vec<String> {
        (0..self.below(4)).map(|_| self.a_move()).collect()
    }

    /// A value that a field may have.
    fn fit(&mut self, field: &str) -> Value {
        let game = self.session.game().name();
        let sides = self.session.game().description().sides;
        let text = self.session.moves().join(".");
        let start = format!("{}{}", self.session.position().size(), if self.swap { "s" } else { "" });
        match field {
            "game" => json!(game),
            "size" => json!(self.session.position().size()),
            "swap" => json!(self.swap),
            "moves" => json!(self.session.moves()),
            "start" => json!(start),
            "position" => json!(self.session.state().position),
            "to_move" | "side" | "claim" => json!(self.one(&sides)),
            "friend" | "numbers" | "film" | "strokes" => json!(self.below(2) == 0),
            "marks" | "ghosts" | "threats" => json!(self.moves()),
            "first" | "second" => {
                let skip = usize::from(field == "second");
                let moves = self.session.moves();
                // A stone of Cover is named by its location, a move by two of them.
                let cells = moves.iter().skip(skip).step_by(2).filter_map(|mv| mv.split('-').next());
                json!(cells.collect::<Vec<_>>())
            }
            "layers" => json!([self.one(&["links", "frames", "must-play", "race", "dead", "distance"])]),
            "heat" => {
                json!({ "moves": [{ "move": self.a_move(), "visits": self.below(100), "value": 0.5 }] })
            }
            "notation" => json!((game == "havannah").then(|| self.one(&["hgui", "grid", "rogers"]))),
            "engine" => json!(self.one(&["uct:simulations=20", "uct", "mcts"])),
            "with" => {
                let engines =
                    self.app.engines().iter().filter(|engine| engine.games.iter().any(|of| of == game));
                let mut names: Vec<&str> = engines.map(|engine| &*engine.name).collect();
                names.extend(["!friend", "!anyone"]);
                json!(names[self.random.next(names.len())])
            }
            "seconds" => json!(0.05),
            "limit" | "ply" => json!(self.below(5)),
            "after" => json!(format!("{}-aaaaaaaa", self.below(5))),
            "width" => json!(100 + self.below(200)),
            "at" => json!(if self.below(2) == 0 { String::new() } else { text }),
            "port" => json!(4100 + self.below(3)),
            "text" => match self.below(3) {
                0 => json!(self.session.record(["Ann", "Bob"]).unwrap_or_default()),
                1 => json!(self.session.moves().join(" ")),
                _ => json!(format!("1/{game}/{start}/{text}")),
            },
            "link" => json!(format!("1/{game}/{start}/{text}")),
            "name" => json!(self.one(&["Eve", &format!("{PROVEN}.proof")])),
            "clock" => json!({ "main": 60_000, "increment": 1000 }),
            "time" => json!(self.one(&["60+1", ""])),
            "op" => {
                json!(self.one(&["play", "play", "play", "resign", "propose", "accept", "decline", "abort"]))
            }
            "move" | "from" => json!(self.a_move()),
            "proposal" => json!(self.one(&["takeback", "draw"])),
            "cmd" => json!(self.one(&["play white a1", "boardsize 4", "undo", "showboard", "list_commands"])),
            "theme" => json!(self.one(&["wood", "contrast", "colour-blind"])),
            "extension" => json!(self.one(&["svg", "png", "gif", "txt", "sgf", "json", "tex", "pdf"])),
            "how" => json!(self.one(&["ring", "bridge", "fork", "resigned", "time"])),
            "asset" => json!(self.one(&["board.css", "lobby.js", "analysis.js", "themes.css"])),
            "id" | "study" => {
                let place = usize::from(field == "study");
                let chosen = self.below(self.ids[place].len().max(1));
                json!(self.ids[place].get(chosen).map_or("aaaaaaaaaaaa", String::as_str))
            }
            _ => json!(self.one(&["text", "on", "1"])),
        }
    }

    /// A value of some other kind.
    fn odd(&mut self) -> Value {
        let long = "x".repeat(1 << self.below(13));
        match self.below(14) {
            0 => Value::Null,
            1 => json!(-1),
            2 => json!(0),
            3 => json!(255),
            4 => json!(u64::MAX),
            5 => json!(1e300),
            6 => json!(-0.5),
            7 => json!(""),
            8 => json!(long),
            9 => json!(["a1", null, 3, []]),
            10 => json!({ "moves": { "a1": 1 } }),
            11 => json!("../%00\u{0}\r\né\u{1F600}<script>"),
            12 => json!(vec!["a1"; 5000]),
            _ => json!("99999999999999999999"),
        }
    }

    /// The value of a field; `None` for an absent one.
    fn value(&mut self, field: &str) -> Option<Value> {
        // A search without seconds may take ten minutes.
        if field == "seconds" {
            let odd = [json!(-1), json!(-1e300), json!("fast"), json!([])];
            return Some(if self.whole { self.fit(field) } else { odd[self.below(4)].clone() });
        }
        match self.below(8) {
            0 if !self.whole => None,
            1 if !self.whole => Some(self.odd()),
            _ => Some(self.fit(field)),
        }
    }

    fn fields(&mut self, names: &[&str]) -> Vec<(String, Value)> {
        const LOOK: &[&str] = &["marks", "layers", "heat", "ghosts", "threats", "side", "numbers", "strokes"];
        let mut fields = Vec::new();
        for &name in names {
            match name {
                "place" => fields.extend(self.fields(PLACE)),
                "look" => {
                    let look = self.fields(LOOK).into_iter().collect::<serde_json::Map<_, _>>();
                    fields.push((name.to_owned(), Value::Object(look)));
                }
                // A form has a clock as a text, a body of JSON as an object.
                "time" => fields.extend(self.value(name).map(|time| ("clock".to_owned(), time))),
                _ => fields.extend(self.value(name).map(|value| (name.to_owned(), value))),
            }
        }
        // A text of a position has its own size, side to move and moves.
        let drop: &[&str] =
            if self.below(4) > 0 { &["position", "to_move"] } else { &["size", "moves", "to_move"] };
        if fields.iter().any(|(name, _)| name == "position") {
            fields.retain(|(name, _)| !drop.contains(&name.as_str()));
        }
        let op = fields.iter().find(|(name, _)| name == "op").map(|(_, op)| plain(op));
        if let Some(op) = op.filter(|_| self.whole) {
            // An order has the fields of its kind alone.
            let own: &[&str] = match &*op {
                "play" => &["op", "move", "ply"],
                "propose" => &["op", "proposal"],
                _ => &["op"],
            };
            fields.retain(|(name, _)| own.contains(&name.as_str()));
        }
        fields
    }

    /// The method, the address, the type of the body and the body of a request.
    fn request(&mut self, route: usize) -> (&'static str, String, &'static str, String) {
        let (method, template, carried, names) = ROUTES[route];
        self.choose();
        let mut address = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap();
            let value = if self.whole { self.fit(name) } else { self.value(name).unwrap_or_default() };
            address += before;
            address += &encoded(&plain(&value), b".,");
            rest = after;
        }
        address += rest;
        let fields = self.fields(names);
        let pairs: Vec<String> =
            fields.iter().map(|(name, value)| format!("{name}={}", encoded(&plain(value), b".,"))).collect();
        match carried {
            Json => {
                let body = Value::Object(fields.into_iter().collect()).to_string();
                (method, address, "application/json", body)
            }
            Form => (method, address, "application/x-www-form-urlencoded", pairs.join("&")),
            Query => (method, format!("{address}?{}", pairs.join("&")), "text/plain", String::new()),
        }
    }
}

/// A value as the text of a form or an address.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(plain).collect::<Vec<_>>().join("."),
        other => other.to_string(),
    }
}

/// Sends requests, in turn to each address. Returns the number of answers of each status, by address. An answer that does not come
/// within ten seconds is a fault, too, if `in_time`.
async fn requests(count: usize, seed: u64, in_time: bool) -> BTreeMap<&'static str, BTreeMap<u16, u32>> {
    let folder = Folder::new();
    let proofs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/solutions/size5");
    let proof = proofs.join(format!("{PROVEN}.proof"));
    let app = ServerApp::open(Config { proofs: vec![proof], ..config(&folder) }).await.unwrap();
    let server = Tested::over(app.clone(), router(app));
    let keys = [server.player("Ann").await, server.player("Bob").await];
    let game = server.game([&keys[0], &keys[1]], json!({})).await;
    let mut maker = Maker::new(server.app.clone(), seed);
    maker.ids[0].push(game);
    let mut answers: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for number in 0..count {
        let route = number % ROUTES.len();
        let (method, address, kind, body) = maker.request(route);
        let key = &keys[maker.below(2)];
        let request = request(method, &address)
            .header(header::AUTHORIZATION, format!("Bearer {key}"))
            .header(header::CONTENT_TYPE, kind);
        // An address longer than 65 534 bytes is refused before it is sent.
        let Ok(request) = request.body(Body::from(body.clone())) else { continue };
        let answer = server.send(request).await;
        let late = in_time && answer.status == StatusCode::REQUEST_TIMEOUT;
        let fault = late || answer.status == StatusCode::INTERNAL_SERVER_ERROR;
        assert!(!fault, "{method} {address} {body}: {}", answer.text());
        *answers.entry(ROUTES[route].1).or_default().entry(answer.status.as_u16()).or_insert(0) += 1;
        // What the server has made takes part in later requests.
        let made = answer.headers.get(header::LOCATION).map(|to| to.to_str().unwrap().to_owned());
        let opened = answer.status == StatusCode::CREATED && ROUTES[route].1 == "/api/games";
        let made = if opened { answer.json()["id"].as_str().map(|id| format!("/g/{id}")) } else { made };
        for (place, begin) in ["/g/", "/s/"].into_iter().enumerate() {
            let id = made.as_deref().and_then(|made| made.strip_prefix(begin));
            maker.ids[place].extend(id.map(|id| id.split('?').next().unwrap_or_default().to_owned()));
        }
    }
    let metrics = server.get("/metrics").await.text();
    assert!(metrics.contains("stonework_panics_total 0\n"), "{metrics}");
    answers
}

/// Every address has taken some request, but for those that need a game or a port of another player, and those that search: they refuse
/// while all places are taken.
fn all_taken(answers: &BTreeMap<&'static str, BTreeMap<u16, u32>>) {
    const MAY_REFUSE: &[&str] =
        &["{id}", "{study}", "/api/ports", "/api/values", "/api/live", "/api/review", "/b/{game}"];
    for (address, answers) in answers {
        let taken = answers.keys().any(|status| *status < 400);
        let may_refuse = MAY_REFUSE.iter().any(|part| address.contains(part));
        assert!(taken || may_refuse, "{address}: {answers:?}");
    }
}

#[tokio::test]
async fn requests_with_odd_fields_have_an_answer() {
    all_taken(&requests(6 * ROUTES.len(), 6, false).await);
}

#[tokio::test]
#[ignore = "some minutes: cargo test --release -p stonework-server --test server fields:: -- --ignored (docs/results/server.md)"]
async fn twenty_thousand_requests_with_odd_fields_have_an_answer() {
    all_taken(&requests(20_000, 6, true).await);
}
