//! The pages without a browser: what they have, what they weigh, and the laws of links and studies.

use std::io::Write;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use proptest::prelude::*;
use serde_json::{Value, json};
use stonework_server::{AnalysisLink, Config, ServerApp, read_anything, router};
use stonework_session::{Registry, Session, Start};
use tower::ServiceExt;

/// A server in memory of one test, without a socket.
struct Site {
    router: Router,
    folder: std::path::PathBuf,
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Site {
    async fn open(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("stonework-pages-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let config = Config { data: folder.join("games.db"), searches: 2, ..Config::default() };
        Self { router: router(ServerApp::open(config).await.unwrap()), folder }
    }

    async fn send(&self, request: Request<Body>) -> (StatusCode, String, String) {
        let answer = self.router.clone().oneshot(request).await.unwrap();
        let status = answer.status();
        let to = answer.headers().get(header::LOCATION).map(|to| to.to_str().unwrap().to_owned());
        let body = to_bytes(answer.into_body(), 8 << 20).await.unwrap();
        (status, String::from_utf8_lossy(&body).into_owned(), to.unwrap_or_default())
    }

    async fn get(&self, path: &str) -> (StatusCode, String) {
        let request = Request::get(path).header(header::HOST, "localhost").body(Body::empty()).unwrap();
        let (status, body, _) = self.send(request).await;
        (status, body)
    }

    async fn post(&self, path: &str, kind: &str, body: String) -> (StatusCode, String, String) {
        let request = Request::post(path)
            .header(header::HOST, "localhost")
            .header("sec-fetch-site", "same-origin")
            .header(header::CONTENT_TYPE, kind)
            .body(Body::from(body))
            .unwrap();
        self.send(request).await
    }

    async fn ask(&self, path: &str, body: Value) -> (StatusCode, Value) {
        let (status, body, _) = self.post(path, "application/json", body.to_string()).await;
        (status, serde_json::from_str(&body).unwrap_or(Value::Null))
    }

    async fn form(&self, path: &str, body: &str) -> (StatusCode, String, String) {
        self.post(path, "application/x-www-form-urlencoded", body.to_owned()).await
    }
}

/// The number of bytes of a text after compression.
fn gzip(text: &str) -> usize {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(9));
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap().len()
}

#[tokio::test]
async fn every_page_is_there_and_has_nothing_inline() {
    let site = Site::open("all").await;
    for path in [
        "/",
        "/play/havannah",
        "/play/cachex",
        "/play/cover",
        "/a",
        "/a/havannah/4/d4.c3",
        "/b",
        "/b/cover?size=2",
        "/s",
        "/r",
        "/help",
    ] {
        let (status, body) = site.get(path).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        assert!(!body.contains(" style=") && !body.contains("<style") && !body.contains("onclick"), "{path}");
        assert!(
            !body.replace("<script src=", "").replace("<script type=\"module\" src=", "").contains("<script"),
            "{path}"
        );
    }
    for path in ["/play/chess", "/g/aaaaaaaa", "/g/..%2f..%2fetc", "/s/aaaaaaaa"] {
        assert_eq!(site.get(path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
    for path in ["/a/havannah/99/", "/a/havannah/4/d4.d4", "/b/havannah?size=4&moves=zz"] {
        assert!(site.get(path).await.0.is_client_error(), "{path}");
    }
}

/// The page of a game on the usual board, with its modules and style sheets: at most 30 KB.
#[tokio::test]
async fn the_board_and_the_page_of_a_game_weigh_at_most_30_kilobytes() {
    let site = Site::open("weight").await;
    let (status, _, to) = site.form("/play/havannah", "with=leipzig&size=10&side=white&clock=").await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let mut total = 0;
    for path in [
        &*to,
        "/assets/page.css",
        "/assets/themes.css",
        "/assets/theme.js",
        "/assets/board.js",
        "/assets/game.js",
    ] {
        let (status, body) = site.get(path).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        println!("{path}: {} bytes, {} compressed", body.len(), gzip(&body));
        total += gzip(&body);
    }
    println!("{total} bytes compressed");
    assert!(total <= 30 << 10, "{total} bytes");
}

/// A plain page has each legal move as a link in the list, and each cell with a move as a link in the picture; a move of a person and
/// the page to continue follow each other to the end of the game.
#[tokio::test]
async fn plain_pages_list_every_legal_move() {
    let site = Site::open("plain").await;
    let mut session = Session::new(Registry::standard(), "havannah", &Start::of_size(3), None).unwrap();
    session.play_all(&["a1", "b2"]).unwrap();
    let (_, body) = site.get("/b/havannah?size=3&with=havannah-level-1&side=second&moves=a1.b2").await;
    let areas = body.split("class=\"areas\"").nth(1).unwrap().split("</svg>").next().unwrap();
    for mv in session.legal() {
        let address = format!("moves=a1.b2.{mv}\"");
        assert!(areas.contains(&address), "{mv} in the picture");
        assert!(body.matches(&address).count() == 2, "{mv} in the list");
    }
    assert_eq!(areas.matches("<a href").count(), session.legal().len());
    let (_, body) = site.get("/b/havannah?size=3&with=havannah-level-1&side=second&moves=a1.b2.c3").await;
    assert!(body.contains("id=\"continue\"") && !body.contains("id=\"legal\""));
    let next = Request::get("/b/havannah?size=3&with=havannah-level-1&side=second&moves=a1.b2.c3&go=1");
    let (status, _, to) =
        site.send(next.header(header::HOST, "localhost").body(Body::empty()).unwrap()).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let moves = to.split("moves=").nth(1).unwrap();
    assert_eq!(moves.split('.').count(), 4, "{to}");
    // A depth that is out of reach ends no page: the player has a second.
    let next = Request::get("/b/cover?size=10&with=cover-level-3&side=first&go=1");
    let (status, body, to) =
        site.send(next.header(header::HOST, "localhost").body(Body::empty()).unwrap()).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{body}");
    assert!(to.split("moves=").nth(1).is_some_and(|moves| !moves.is_empty()), "{to}");
    // The right to swap is the box of a form; an address can also say no.
    for (field, swaps) in
        [("&swap=on", true), ("&swap=true", true), ("&swap=false", false), ("&swap=", false), ("", false)]
    {
        let (_, body) = site.get(&format!("/b/havannah?size=3&moves=a1{field}")).await;
        assert_eq!(body.contains("moves=a1.swap\""), swaps, "{field}");
    }
    // In Cover, the stones that can move are links; after the choice of a stone, its places.
    let (_, body) = site.get("/b/cover?size=2").await;
    let cover = Session::new(Registry::standard(), "cover", &Start::of_size(2), None).unwrap();
    let first = cover.legal().swap_remove(0);
    let (from, _) = first.split_once('-').unwrap();
    assert!(body.contains(&format!("from={from}#board")));
    let (_, body) = site.get(&format!("/b/cover?size=2&from={from}")).await;
    assert_eq!(body.matches(&format!("moves={first}\"")).count(), 2);
}

/// On a plain page, `Take back` leads to a position in which the person is to move, and a new game keeps the settings.
#[tokio::test]
async fn a_plain_page_takes_back_to_the_turn_of_the_person() {
    let site = Site::open("back").await;
    let link = |body: &str, text: &str| {
        let before = body.split(&format!("\">{text}</a>")).next().unwrap().to_owned();
        before.rsplit("href=\"").next().unwrap().replace("&amp;", "&")
    };
    for (moves, left) in [("a1.b2.c3", "a1.b2"), ("a1.b2", ""), ("a1", "")] {
        let (_, body) = site
            .get(&format!("/b/havannah?size=3&swap=on&with=havannah-level-1&side=second&moves={moves}"))
            .await;
        assert!(
            link(&body, "Take back").ends_with(&format!("&moves={left}")),
            "{moves}: {}",
            link(&body, "Take back")
        );
        let new = link(&body, "New game");
        assert!(new.contains("swap=on") && new.contains("size=3") && new.ends_with("&moves="), "{new}");
    }
}

/// Games between persons work by forms: offer, acceptance, moves, resignation. Names are text.
#[tokio::test]
async fn a_game_between_persons_by_forms() {
    let site = Site::open("forms").await;
    let request = |path: &str, cookie: &str, body: &str| {
        Request::post(path)
            .header(header::HOST, "localhost")
            .header("sec-fetch-site", "same-origin")
            .header(header::COOKIE, cookie)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from(body.to_owned()))
            .unwrap()
    };
    let answer = site
        .router
        .clone()
        .oneshot(request("/play/cachex", "", "with=!friend&size=3&side=red&clock="))
        .await
        .unwrap();
    let cookie = |answer: &axum::response::Response| {
        answer.headers()[header::SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned()
    };
    let (ann, path) = (cookie(&answer), answer.headers()[header::LOCATION].to_str().unwrap().to_owned());
    // An offer is withdrawn by its player alone.
    let offer = request("/play/cachex", &ann, "with=!anyone&size=3&side=red&clock=30%2B1");
    let (_, _, other) = site.send(offer).await;
    assert!(site.get(&other).await.1.contains("cachex 3, 30 s + 1 s"));
    let (status, _, _) = site.send(request(&other, "", "op=withdraw")).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let (status, _, to) = site.send(request(&other, &ann, "op=withdraw")).await;
    assert_eq!((status, &*to), (StatusCode::SEE_OTHER, "/"));
    assert_eq!(site.get(&other).await.0, StatusCode::NOT_FOUND);
    let answer = site.router.clone().oneshot(request(&path, "", "op=take")).await.unwrap();
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let bob = cookie(&answer);
    assert_eq!(site.send(request(&path, &ann, "move=0,0")).await.0, StatusCode::SEE_OTHER);
    let (status, body, _) = site.send(request(&path, &ann, "move=1,0")).await;
    assert_eq!(status, StatusCode::CONFLICT, "{body}");
    assert_eq!(site.send(request(&path, &bob, "move=2,2")).await.0, StatusCode::SEE_OTHER);
    assert_eq!(site.send(request(&path, &bob, "op=resign")).await.0, StatusCode::SEE_OTHER);
    let (_, body) = site.get(&path).await;
    assert!(body.contains("Red wins: resign."), "{body}");
    assert!(body.contains("<td>0,0</td>") && body.contains("<td>2,2</td>"));
}

/// Claims back up over transpositions and symmetric positions, and a claim that the rules contradict is refuted.
#[tokio::test]
async fn claims_back_up_and_are_refuted() {
    let site = Site::open("study").await;
    let (status, _, to) =
        site.form("/s", "title=%3Cscript%3Ealert(1)%3C%2Fscript%3E&game=havannah&size=2").await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let (_, body) = site.get(&to).await;
    assert!(body.contains("&lt;script&gt;") && !body.contains("<script>alert"));
    let value = async |line: &str| -> Value {
        serde_json::from_str(&site.get(&format!("{to}?at={line}&form=json")).await.1).unwrap()
    };
    let claim = async |line: &str, who: &str| {
        let (status, body, _) = site.form(&to, &format!("at={line}&claim={who}&by=Ann")).await;
        assert_eq!(status, StatusCode::SEE_OTHER, "{line}: {body}");
    };
    assert_eq!(value("").await["claimed"], "unknown");
    // One move that wins is enough for white, so the first position is white's.
    claim("a1.b2.a2", "white").await;
    claim("a1.b2", "unknown").await;
    assert_eq!(value("a1.b2").await["claimed"], "white");
    assert_eq!(value("a1").await["claimed"], "unknown");
    // The same position by another order, and its mirror image.
    assert_eq!(value("a2.b2.a1").await["claimed"], "white");
    assert_eq!(value("c3.b2.c2").await["claimed"], "white");
    // By the rules, two corners that touch are a bridge: white has won, whatever persons say.
    claim("a1.c3.a2", "black").await;
    let told = value("a1.c3.a2").await;
    assert_eq!(told["exact"], "white");
    assert!(told["refuted"][0].as_str().unwrap().contains("refuted by rules and proofs: white"), "{told}");
    for (form, why) in [
        ("at=a1.a1&claim=white&by=Ann", "an illegal move"),
        ("at=a1&claim=green&by=Ann", "no side"),
        ("at=a1&claim=white&by=", "no name"),
    ] {
        assert_eq!(site.form(&to, form).await.0, StatusCode::UNPROCESSABLE_ENTITY, "{why}");
    }
}

/// Claims on a line of Cover that comes back to an earlier position end with values, too.
#[tokio::test]
async fn claims_on_a_cycle_of_cover_end() {
    let site = Site::open("cycle").await;
    let start = "title=t&game=cover&size=2&position=2+b+four+%5BA03%5Dx%5BE07%5D+-";
    let (status, body, to) = site.form("/s", start).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{body}");
    let line = "A03-B02 E07-E06 B02-C02 E06-E05 C02-D03 E05-D05 D03-C04 D05-E06 C04-B03 E06-D06 B03-C03 D06-E06 \
                C03-B04 E06-D07 B04-C04 D07-E06 C04-B03 E06-D06";
    let line: Vec<&str> = line.split(' ').collect();
    // The side to move loses, at each position of the cycle.
    for ply in 10..=17 {
        let (at, loser) = (line[..ply].join("."), ["red", "blue"][ply % 2]);
        let (status, body, _) = site.form(&to, &format!("at={at}&claim={loser}&by=Ann")).await;
        assert_eq!(status, StatusCode::SEE_OTHER, "{ply}: {body}");
    }
    let (status, body, _) = site.form(&to, &format!("at={}&claim=red&by=Bob", line.join("."))).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{body}");
}

/// The review of a game names the move that gave a won position away, and every value says where it is from.
#[tokio::test]
async fn a_review_names_the_mistake() {
    let site = Site::open("review").await;
    // White can win at once with a4, and plays elsewhere; then black takes a4.
    let body = json!({ "game": "havannah", "size": 4, "moves": ["a1", "g4", "a2", "g5", "a3", "d1", "d4", "a4"], "seconds": 0.2 });
    let (status, text, _) = site.post("/api/review", "application/json", body.to_string()).await;
    assert_eq!(status, StatusCode::OK);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 10, "{text}");
    let here = &lines[6];
    assert!(here["value"].as_str().unwrap().starts_with('W') && here["source"] == "solver", "{here}");
    assert!(lines[7]["mistake"]["kind"].is_string(), "{}", lines[7]);
    assert_eq!(lines[7]["mistake"]["better"], "a4");
}

/// A position that a person sets up is read again, in each game.
#[tokio::test]
async fn stones_are_set_up_in_every_game() {
    let site = Site::open("setup").await;
    for (game, size, first, second) in [
        ("havannah", 4, ["a1", "d4"], "c3"),
        ("cachex", 4, ["0,0", "1,1"], "2,2"),
        ("cover", 2, ["B03", "C04"], "E05"),
    ] {
        let body = json!({ "game": game, "size": size, "first": first, "second": [second], "to_move": null });
        let (status, told) = site.ask("/api/setup", body).await;
        if status != StatusCode::OK {
            assert_eq!(game, "cover", "{told}");
            continue;
        }
        let view = json!({ "game": game, "position": told["position"] });
        let (status, view) = site.ask("/api/view", view).await;
        assert_eq!(status, StatusCode::OK, "{view}");
        let stones = view["stones"].as_array().unwrap();
        assert!(
            stones.contains(&json!([first[0], "first"])) && stones.contains(&json!([second, "second"])),
            "{stones:?}"
        );
    }
}

/// Pasted texts of all forms are read; what cannot be read is refused with the word.
#[test]
fn pasted_texts_are_read() {
    let registry = Registry::standard();
    let read = |text: &str| {
        read_anything(&registry, "havannah", &Start::of_size(4), text).map(|(link, _)| link.to_string())
    };
    assert_eq!(read("d4 c3, e5").unwrap(), "1/havannah/4/d4.c3.e5");
    assert_eq!(read("1. d4 2. c3").unwrap(), "1/havannah/4/d4.c3");
    assert_eq!(read("https://example.org/a#1/cachex/3/0,0.1,1").unwrap(), "1/cachex/3/0,0.1,1");
    assert_eq!(read("https://hexworld.org/board/#4c1,a1:sb2d4:rb").unwrap(), "1/havannah/4s/a1.swap.b2.d4");
    assert_eq!(
        read("(;GM[Havannah]SZ[4];W[d4](;B[c3])(;B[e5];W[a1]))").unwrap(),
        "1/havannah/4s/d4(e5.a1).c3"
    );
    assert_eq!(read("(;SZ[4]C[Hi, all!];W[d4]C[ü_]).").unwrap(), "1/havannah/4s/'Hi=2c_all=21.d4'=c3=bc=5f");
    for wrong in ["1/havannah/4/d4'", "1/havannah/4/d4'=4", "1/havannah/4/d4'=ff", "1/havannah/4/d4'=+1"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
    assert!(read("d4 d4").unwrap_err().to_string().contains("d4"));
    assert!(read("").is_err());
    assert!(read("1/havannah/4/d4(").is_err());
}

/// A tree of legal moves, by numbers that choose a node and a move.
fn grown(game: &str, size: u64, choices: &[(u16, u16, bool)]) -> AnalysisLink {
    let registry = Registry::standard();
    let mut link = AnalysisLink::new(game, Start::of_size(size));
    for &(node, mv, marked) in choices {
        let at = usize::from(node) % link.nodes.len();
        let session = link.session(registry.clone(), at).unwrap();
        let legal = session.legal();
        let Some(mv) = legal.get(usize::from(mv) % legal.len().max(1)) else { continue };
        let next = link.add(at, mv).unwrap();
        if marked {
            link.nodes[next].marks = vec![legal[0].clone()];
            "-120".clone_into(&mut link.nodes[next].value);
            link.nodes[next].comment =
                format!("move {mv}: good, 50 % – {}", ["a\nb", "(')!~$_=", "ö\\]"][next % 3]);
        }
        link.shown = next;
    }
    link
}

#[test]
fn comments_too_long_for_a_link_are_left_out_with_a_sentence() {
    let registry = Registry::standard();
    let text = format!("(;SZ[4];W[d4]C[{}])", "é".repeat(11_000));
    let (link, notes) = AnalysisLink::from_sgf(&registry, &text).unwrap();
    assert_eq!(link.to_string(), "1/havannah/4s/d4");
    assert!(notes[0].contains("66017 bytes, and at most 65536"), "{notes:?}");
}

/// The readers of records go from the first node to each leaf, which would take hours with this file of 900 KB.
#[test]
fn a_record_of_many_nodes_is_refused() {
    let text = format!("(;SZ[4]{}{})", ";".repeat(300_000), "(;)".repeat(200_000));
    let refused = AnalysisLink::from_sgf(&Registry::standard(), &text).unwrap_err();
    assert_eq!(refused.to_string(), "a record of 500001 nodes: at most 16000");
}

/// The moves were cells of one board, and were played on another one.
#[test]
fn a_record_from_a_position_of_another_size_is_refused() {
    let text = "(;SZ[5]NOTATION[grid]SWP[4 w - ..../...../....../......./....../...../....];W[d4])";
    let refused = AnalysisLink::from_sgf(&Registry::standard(), text).unwrap_err();
    assert_eq!(refused.to_string(), "SWP is a position of size 4, the record is of size 5");
    let (link, _) = AnalysisLink::from_sgf(&Registry::standard(), &text.replace("SZ[5]", "SZ[4]")).unwrap();
    assert_eq!(link.nodes.len(), 2);
}

/// The moves of black were stones of white.
#[test]
fn a_record_in_which_black_begins_keeps_its_colours() {
    let registry = Registry::standard();
    let (link, _) = AnalysisLink::from_sgf(&registry, "(;SZ[3];B[a1];W[b1])").unwrap();
    assert_eq!(link.start.position.as_deref(), Some("3 b - .../..../...../..../..."));
    let again = link.sgf(&registry).unwrap();
    assert!(again.contains(";B[a1];W[b1]"), "{again}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn links_are_read_as_they_were_written(
        game in 0..2_usize,
        choices in prop::collection::vec((any::<u16>(), any::<u16>(), any::<bool>()), 0..24),
    ) {
        let link = grown(["havannah", "cachex"][game], 4, &choices);
        let text = link.to_string();
        let again: AnalysisLink = text.parse().unwrap();
        prop_assert_eq!(again.to_string(), text);
        prop_assert_eq!(again.line(), link.line());
        prop_assert_eq!(again.nodes.len(), link.nodes.len());
        // Through SGF: the same tree, except for the move on the board.
        let (mut read, _) = AnalysisLink::from_sgf(&Registry::standard(), &link.sgf(&Registry::standard()).unwrap()).unwrap();
        read.start.swap = false;
        let mut ended = again;
        ended.shown = ended.end();
        prop_assert_eq!(read.to_string(), ended.to_string());
    }

    #[test]
    fn no_text_is_too_much_for_the_readers(text in "[1/a-e0-9.()!$~:;#,=_'\\[\\]WBSZ -]{0,200}") {
        let _ = text.parse::<AnalysisLink>();
        let _ = format!("1/havannah/4/{text}").parse::<AnalysisLink>();
        let _ = read_anything(&Registry::standard(), "havannah", &Start::of_size(4), &text);
    }
}
