//! The addresses of the server, and the rules that protect them.

use crate::common::{BRIDGE, Folder, config, request, server, server_of};
use axum::body::Body;
use axum::http::{StatusCode, header};
use serde_json::{Value, json};
use stonework_server::Config;

#[tokio::test]
async fn a_game_between_two_players_is_played_to_its_end() {
    let server = server().await;
    let keys = [server.player("ann").await, server.player("bob").await];
    let id = server.game([&keys[0], &keys[1]], json!({})).await;
    for (at, mv) in BRIDGE.split(' ').enumerate() {
        let played = server.play(&keys[at % 2], &id, mv).await;
        assert_eq!(played.status, StatusCode::OK, "{mv}: {}", played.text());
    }
    let view = server.get(&format!("/api/games/{id}")).await.json();
    assert_eq!((&view["end"]["winner"], &view["end"]["how"][0]), (&json!("white"), &json!("bridge")));
    assert_eq!(view["end"]["cells"][0], json!(["a1", "a2", "a3", "a4"]));
    let late = server.play(&keys[1], &id, "c3").await;
    assert_eq!((late.status, &late.json()["error"]["kind"]), (StatusCode::CONFLICT, &json!("over")));
    // The record in its three forms, and the list.
    let sgf = server.get(&format!("/records/{id}.sgf")).await.text();
    assert!(sgf.contains("W[") && sgf.contains("ann"), "{sgf}");
    let text = server.get(&format!("/records/{id}.txt")).await.text();
    assert!(text.contains("1 : Put ") && text.contains("white (bridge)"), "{text}");
    assert_eq!(server.get(&format!("/records/{id}.json")).await.json()["moves"].as_array().unwrap().len(), 7);
    let list = server.get("/api/records?player=ann&how=bridge").await.json();
    assert_eq!(list["games"][0]["id"], json!(id));
    assert_eq!(server.get("/api/records?player=nobody").await.json()["games"], json!([]));
    let ratings = server.get("/api/ratings?game=havannah").await.json();
    assert_eq!((&ratings[0]["name"], ratings.as_array().unwrap().len()), (&json!("ann"), 2));
    let statistics = server.get("/api/statistics").await.json();
    assert_eq!((&statistics[0]["mean_plies"], &statistics[0]["winners"]["white"]), (&json!(7.0), &json!(1)));
}

#[tokio::test]
async fn a_refusal_names_the_rule_and_changes_nothing() {
    let server = server().await;
    let keys = [server.player("ann").await, server.player("bob").await];
    let id = server.game([&keys[0], &keys[1]], json!({})).await;
    let refused = server.play(&keys[1], &id, "a1").await;
    assert_eq!(refused.json()["error"]["message"], json!("white is to move, not black"));
    server.play(&keys[0], &id, "a1").await;
    let refused = server.play(&keys[1], &id, "a1").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.json()["error"]["kind"], json!("occupied"));
    let twice = json!({ "op": "play", "move": "a2", "ply": 1 });
    let refused = server.with_key("POST", &format!("/api/games/{id}"), &keys[1], &twice).await;
    assert_eq!(refused.json()["error"]["kind"], json!("ply"));
    let stranger = server.player("eve").await;
    assert_eq!(server.play(&stranger, &id, "a2").await.status, StatusCode::FORBIDDEN);
    assert_eq!(server.get(&format!("/api/games/{id}")).await.json()["moves"], json!(["a1"]));
}

#[tokio::test]
async fn proposals_take_back_draw_and_lead_to_a_rematch() {
    let server = server().await;
    let keys = [server.player("ann").await, server.player("bob").await];
    let id = server.game([&keys[0], &keys[1]], json!({})).await;
    let order = |at: usize, body: Value| {
        let (server, key, address) = (&server, &keys[at], format!("/api/games/{id}"));
        async move { server.with_key("POST", &address, key, &body).await }
    };
    let propose = |proposal: &str| json!({ "op": "propose", "proposal": proposal });
    assert_eq!(order(0, propose("takeback")).await.status, StatusCode::CONFLICT);
    server.play(&keys[0], &id, "a1").await;
    server.play(&keys[1], &id, "a2").await;
    assert_eq!(order(0, propose("takeback")).await.status, StatusCode::OK);
    assert_eq!(order(0, json!({ "op": "accept" })).await.status, StatusCode::CONFLICT);
    assert_eq!(order(1, json!({ "op": "accept" })).await.status, StatusCode::OK);
    assert_eq!(server.get(&format!("/api/games/{id}")).await.json()["moves"], json!([]));
    assert_eq!(order(1, propose("draw")).await.status, StatusCode::OK);
    assert_eq!(order(0, json!({ "op": "decline" })).await.status, StatusCode::OK);
    // The same proposal of both is an agreement.
    order(0, propose("draw")).await;
    assert_eq!(order(1, propose("draw")).await.status, StatusCode::OK);
    let view = server.get(&format!("/api/games/{id}")).await.json();
    assert_eq!((&view["end"]["winner"], &view["end"]["how"][0]), (&json!("draw"), &json!("agreed")));
    assert_eq!(order(0, propose("rematch")).await.status, StatusCode::OK);
    assert_eq!(order(1, json!({ "op": "accept" })).await.status, StatusCode::OK);
    let mut watch = server.app.watch(&id, 0).await.unwrap().unwrap();
    let next = loop {
        let told = watch.next().await.unwrap();
        if let stonework_server::GameEvent::Rematch { id } = &told.numbered.event {
            break id.clone();
        }
    };
    let view = server.get(&format!("/api/games/{next}")).await.json();
    assert_eq!((&view["seats"][0]["name"], &view["seats"][1]["name"]), (&json!("bob"), &json!("ann")));
}

#[tokio::test]
async fn an_offer_is_taken_once() {
    let server = server().await;
    let ann = server.player("ann").await;
    let opened =
        server.with_key("POST", "/api/games", &ann, &json!({ "game": "cover", "size": 2 })).await.json();
    let id = opened["id"].as_str().unwrap();
    assert_eq!(server.get("/api/offers").await.json().as_array().unwrap().len(), 1);
    let own = server.with_key("POST", &format!("/api/games/{id}/accept"), &ann, &Value::Null).await;
    assert_eq!(own.status, StatusCode::CONFLICT);
    let mut taken = 0;
    let takers: Vec<_> = (0..8).map(|number| format!("taker-{number}")).collect();
    let accepts = takers.iter().map(|name| server.app.accept(id, name));
    for accepted in futures_util::future::join_all(accepts).await {
        taken += u32::from(accepted.is_ok());
    }
    assert_eq!(taken, 1);
    for number in 0..5 {
        let opened =
            server.with_key("POST", "/api/games", &ann, &json!({ "game": "cover", "size": 2 })).await;
        assert_eq!(opened.status, StatusCode::CREATED, "{number}");
    }
    let refused = server.with_key("POST", "/api/games", &ann, &json!({ "game": "cover", "size": 2 })).await;
    assert!(refused.text().contains("at most 5"), "{}", refused.text());
}

#[tokio::test]
async fn an_engine_answers_in_every_game() {
    let server = server().await;
    let key = server.player("ann").await;
    let games = [
        ("havannah", 4, "white", "leipzig", "a1"),
        ("cachex", 3, "red", "seed", "0,0"),
        ("cover", 2, "blue", "bos", ""),
    ];
    for (game, size, side, engine, first) in games {
        let body = json!({ "game": game, "size": size, "side": side, "engine": engine });
        let opened = server.with_key("POST", "/api/games", &key, &body).await;
        assert_eq!(opened.status, StatusCode::CREATED, "{}", opened.text());
        let id = opened.json()["id"].as_str().unwrap().to_owned();
        let legal = server.app.view(&id).await.unwrap().unwrap().session.legal();
        let first = if first.is_empty() { legal[0].clone() } else { first.to_owned() };
        assert_eq!(server.play(&key, &id, &first).await.status, StatusCode::OK);
        let mut watch = server.app.watch(&id, 0).await.unwrap().unwrap();
        for _ in 0..3 {
            watch.next().await.unwrap();
        }
        assert_eq!(server.app.view(&id).await.unwrap().unwrap().session.plies(), 2, "{game}");
        // A takeback is accepted, and the engine moves again after the next move.
        let propose = json!({ "op": "propose", "proposal": "takeback" });
        server.with_key("POST", &format!("/api/games/{id}"), &key, &propose).await;
        for _ in 0..2 {
            watch.next().await.unwrap();
        }
        assert_eq!(server.app.view(&id).await.unwrap().unwrap().session.plies(), 0, "{game}");
    }
    let unknown = server
        .with_key("POST", "/api/games", &key, &json!({ "game": "cover", "size": 2, "engine": "none" }))
        .await;
    assert!(unknown.text().contains("no engine none"), "{}", unknown.text());
}

#[test]
fn the_server_listens_to_this_machine_unless_told() {
    let registry = stonework_session::Registry::standard();
    assert!(Config::default().listen.ip().is_loopback());
    assert!(Config::default().check(&registry).is_ok());
    let open = Config { listen: "0.0.0.0:7171".parse().unwrap(), ..Config::default() };
    assert!(open.check(&registry).unwrap_err().to_string().contains("--public"));
    let public = Config { public: true, ..open };
    assert!(public.check(&registry).unwrap_err().to_string().contains("origin"));
    let encrypted = Config { origin: Some("https://games.example".to_owned()), ..public };
    assert!(encrypted.check(&registry).is_ok());
}

/// Values that no server can have are refused when it starts, with the value and the limit.
#[test]
fn a_configuration_out_of_range_is_refused_with_its_value() {
    let registry = stonework_session::Registry::standard();
    for (text, told) in [
        ("searches = 0", "searches = 0: at least 1"),
        ("origin = 'https://games.example/'", "origin = \"https://games.example/\": the scheme and the host"),
        ("origin = 'https://Games.example'", "in small letters and without a path"),
        ("origin = 'https://games.example:443'", "such as \"https://games.example\""),
        ("origin = 'games.example'", "origin = \"games.example\""),
        ("origin = 'https://'", "origin = \"https://\""),
        ("games = 0", "games = 0: at least 1"),
        ("[limits]\nburst = 0", "limits.burst = 0: at least 1"),
        ("[limits]\nrequests_per_second = 0", "limits.requests_per_second = 0: at least 1"),
        ("[limits]\nconnections_per_address = 0", "limits.connections_per_address = 0: at least 1"),
        ("[[engine]]\nname = 'e'\nplayer = 'uct'\nseconds = -1.0", "`e`: seconds = -1: more than 0"),
        ("[[engine]]\nname = 'e'\nplayer = 'uct'\nseconds = nan", "`e`: seconds = NaN: more than 0"),
        ("[[engine]]\nname = 'e'\nplayer = 'uct'\nseconds = 1e300", "at most 86400"),
        ("[[engine]]\nname = 'e'\nplayer = 'uct'\nat_once = 0", "`e`: at_once = 0: at least 1"),
        (
            "[[engine]]\nname = 'e'\nplayer = 'uct'\nports = [4040]",
            "`e`: ports = [4040]: there is no such port",
        ),
    ] {
        let config: Config = toml::from_str(text).unwrap();
        let refused = config.check(&registry).unwrap_err().to_string();
        assert!(refused.contains(told), "{text}: {refused}");
    }
    // Numbers without an end are the most that there can be.
    let many: Config =
        toml::from_str("searches = 9223372036854775807\nmemory = 9223372036854775807").unwrap();
    assert!(many.check(&registry).is_ok());
}

/// The example of a configuration is one, and has every entry, perhaps behind a `#`.
#[test]
fn the_example_of_a_configuration_has_every_entry() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/server/stonework-server.toml");
    let example = Config::read(path.as_ref()).unwrap();
    example.check(&stonework_session::Registry::standard()).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = text.lines().map(|line| line.trim_start_matches(['#', ' ', '['])).collect();
    for table in ["", "[[port]]\nlisten = '127.0.0.1:1'\n", "[[engine]]\nname = 'e'\n", "[limits]\n"] {
        // The refusal of an unknown entry names all that there are.
        let refused = toml::from_str::<Config>(&format!("{table}unknown = 1")).unwrap_err().to_string();
        let (_, names) = refused.split_once("expected one of ").unwrap();
        let names: Vec<&str> = names.split('`').skip(1).step_by(2).collect();
        assert!(names.len() > 2, "{refused}");
        for name in names {
            let is_there = lines.iter().any(|line| {
                line.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with(['=', ']']))
            });
            assert!(is_there, "{table}{name} is not in the example");
        }
    }
}

#[tokio::test]
async fn a_server_takes_the_greatest_numbers() {
    let folder = Folder::new();
    let most = Config { searches: usize::MAX, ponders: usize::MAX, memory: usize::MAX, ..config(&folder) };
    let server = server_of(most).await;
    let health = server.get("/metrics").await;
    assert_eq!(health.status, StatusCode::OK, "{}", health.text());
}

#[tokio::test]
async fn a_page_of_another_site_changes_nothing() {
    let server = server().await;
    let body = || Body::from(r#"{"name":"mallory"}"#);
    let post = || request("POST", "/api/players").header(header::CONTENT_TYPE, "application/json");
    let foreign = [
        ("origin", "http://evil.example"),
        // Compared as a whole: the port has one digit more, and the name a part more.
        ("origin", "http://127.0.0.1:71710"),
        ("origin", "http://127.0.0.1:7171.evil.example"),
        ("origin", "null"),
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("sec-fetch-site", "none"),
    ];
    for (name, value) in foreign {
        let answer = server.send(post().header(name, value).body(body()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{name}: {value}");
    }
    let bare = server.send(post().body(body()).unwrap()).await;
    assert_eq!(bare.status, StatusCode::FORBIDDEN);
    assert!(bare.text().contains("no header `Origin: http://127.0.0.1:7171`"), "{}", bare.text());
    let mixed = post().header("origin", "http://127.0.0.1:7171").header("sec-fetch-site", "cross-site");
    assert_eq!(server.send(mixed.body(body()).unwrap()).await.status, StatusCode::FORBIDDEN);
    let socket = request("GET", "/ws")
        .header("upgrade", "websocket")
        .header("connection", "upgrade")
        .header("sec-websocket-version", "13")
        .header("sec-websocket-key", "AAAAAAAAAAAAAAAAAAAAAA==")
        .header("origin", "http://127.0.0.1:71710");
    assert_eq!(server.send(socket.body(Body::empty()).unwrap()).await.status, StatusCode::FORBIDDEN);
    let own = server.send(post().header("origin", "http://127.0.0.1:7171").body(body()).unwrap()).await;
    assert_eq!(own.status, StatusCode::CREATED);
    let cookie = own.header("set-cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
}

/// A page of another site can give its own name the address of this machine.
#[tokio::test]
async fn a_host_that_is_not_this_server_is_refused() {
    let server = server().await;
    for (host, status) in [
        ("evil.example", StatusCode::MISDIRECTED_REQUEST),
        ("127.0.0.1.evil.example:7171", StatusCode::MISDIRECTED_REQUEST),
        ("localhost:7171", StatusCode::OK),
        ("[::1]:7171", StatusCode::OK),
    ] {
        let request =
            axum::http::Request::builder().uri("/").header("host", host).body(Body::empty()).unwrap();
        assert_eq!(server.send(request).await.status, status, "{host}");
    }
    let folder = Folder::new();
    let config = Config { origin: Some("https://games.example".to_owned()), public: true, ..config(&folder) };
    let server = server_of(config).await;
    for (host, status) in
        [("games.example", StatusCode::OK), ("localhost:7171", StatusCode::MISDIRECTED_REQUEST)]
    {
        let request =
            axum::http::Request::builder().uri("/").header("host", host).body(Body::empty()).unwrap();
        assert_eq!(server.send(request).await.status, status, "{host}");
    }
    let post = axum::http::Request::builder()
        .method("POST")
        .uri("/api/players")
        .header("host", "games.example")
        .header("origin", "https://games.example")
        .header("content-type", "application/json");
    let answer = server.send(post.body(Body::from(r#"{"name":"ann"}"#)).unwrap()).await;
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("__Host-stonework=") && cookie.contains("; Secure"), "{cookie}");
}

#[tokio::test]
async fn every_answer_has_the_headers_that_protect_a_page() {
    let server = server().await;
    for address in ["/", "/assets/page.css", "/api/games", "/nothing/here"] {
        let answer = server.get(address).await;
        let rules = answer.header("content-security-policy");
        assert!(
            rules.contains("default-src 'none'") && rules.contains("frame-ancestors 'none'"),
            "{address}: {rules}"
        );
        assert!(!rules.contains("unsafe-inline") && !rules.contains("unsafe-eval'"), "{rules}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("referrer-policy"), "same-origin");
        assert_eq!(answer.header("cross-origin-opener-policy"), "same-origin");
    }
}

#[tokio::test]
async fn no_request_reaches_a_file() {
    let server = server().await;
    let long = format!("/records/{}.sgf", "a".repeat(500));
    for address in [
        "/assets/../Cargo.toml",
        "/assets/..%2fCargo.toml",
        "/assets/%2e%2e/Cargo.toml",
        "/assets/page.css%00",
        "/assets//etc/passwd",
        "/etc/passwd",
        "/records/../games.db",
        "/records/..%2fgames.db",
        "/records/abcdefg/.sgf",
        "/records/ABCDEFGH.sgf",
        "/records/abcdefg'.sgf",
        "/api/games/abcdefghi",
        "/api/games/%00%00%00%00%00%00%00%00",
        "/api/games/abcdefgh/events",
        long.as_str(),
    ] {
        let answer = server.get(address).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{address}: {}", answer.text());
    }
}

#[tokio::test]
async fn sizes_are_limited() {
    let server = server().await;
    let key = server.player("ann").await;
    let long = json!({ "name": "x".repeat(70_000) });
    let answer = server.with_key("POST", "/api/players", &key, &long).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    let address = format!("/api/records?player={}", "x".repeat(9000));
    assert_eq!(server.get(&address).await.status, StatusCode::URI_TOO_LONG);
    // A record may have a mebibyte.
    let record = |size: usize| {
        let body = "(;GM[Cachex]SZ[3]C[".to_owned() + &"x".repeat(size) + "];R[0,0])";
        let request = request("POST", "/api/records").header(header::AUTHORIZATION, format!("Bearer {key}"));
        request.body(Body::from(body)).unwrap()
    };
    assert_eq!(server.send(record(900_000)).await.status, StatusCode::CREATED);
    assert_eq!(server.send(record(1_100_000)).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    let wide = server.get("/pic/havannah/4/a1.png?width=4097").await;
    assert_eq!(wide.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(wide.text().contains("4096"), "{}", wide.text());
}

#[tokio::test]
async fn a_key_is_stored_as_a_hash_and_can_be_given_up() {
    let folder = Folder::new();
    let server = server_of(config(&folder)).await;
    let keys = [server.player("ann").await, server.player("bob").await];
    assert_eq!(keys[0].len(), "ann:".len() + 64);
    let id = server.game([&keys[0], &keys[1]], json!({})).await;
    let secret = keys[0].split_once(':').unwrap().1.to_owned();
    let stored: Vec<u8> = std::fs::read(folder.data())
        .unwrap()
        .into_iter()
        .chain(std::fs::read(folder.0.join("games.db-wal")).unwrap_or_default())
        .collect();
    assert!(!stored.windows(16).any(|part| part == &secret.as_bytes()[..16]));
    let wrong = format!("ann:{}", "0".repeat(64));
    let denied = server.with_key("GET", "/api/players/me", &wrong, &Value::Null).await;
    assert_eq!(denied.status, StatusCode::UNAUTHORIZED);
    let again = server.with_key("POST", "/api/players", &keys[1], &json!({ "name": "ANN" })).await;
    assert_eq!(again.status, StatusCode::UNPROCESSABLE_ENTITY);
    for name in ["", "a b", "x".repeat(25).as_str(), "<script>", "anonymous", "Havannah-Level-1"] {
        let refused = server.with_key("POST", "/api/players", &keys[1], &json!({ "name": name })).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{name}");
    }
    let running = server.with_key("DELETE", "/api/players/me", &keys[0], &Value::Null).await;
    assert_eq!(running.status, StatusCode::CONFLICT);
    let address = format!("/api/games/{id}");
    server.with_key("POST", &address, &keys[0], &json!({ "op": "resign" })).await;
    // The board of a resigned game is not over; the game is.
    let over = server.get(&address).await.json();
    let standing = over["standing"].as_str().unwrap();
    let winner = over["end"]["winner"].as_str().unwrap();
    assert_eq!(standing, format!("{winner} wins: {}", over["end"]["how"][0].as_str().unwrap()));
    let late =
        server.with_key("POST", &address, &keys[1], &json!({ "op": "play", "move": "a1" })).await.json();
    assert_eq!(late["error"]["message"], format!("the game is over: {standing}"), "{late}");
    let offer = json!({ "game": "havannah", "size": 4 });
    assert_eq!(server.with_key("POST", "/api/games", &keys[0], &offer).await.status, StatusCode::CREATED);
    let friend = json!({ "game": "havannah", "size": 4, "friend": true });
    let friend = server.with_key("POST", "/api/games", &keys[0], &friend).await.json();
    let gone = server.with_key("DELETE", "/api/players/me", &keys[0], &Value::Null).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    assert_eq!(server.get("/api/offers").await.json(), json!([]), "the offer of a player who has gone");
    let friend = server.get(&format!("/api/games/{}", friend["id"].as_str().unwrap())).await;
    assert_eq!(friend.status, StatusCode::NOT_FOUND, "{}", friend.text());
    assert_eq!(
        server.with_key("GET", "/api/players/me", &keys[0], &Value::Null).await.status,
        StatusCode::UNAUTHORIZED
    );
    let list = server.get("/api/records").await.json();
    assert_eq!(
        (&list["games"][0]["first"], &list["games"][0]["second"]),
        (&json!("anonymous"), &json!("bob"))
    );
    drop(server);
    let server = server_of(config(&folder)).await;
    assert_eq!(server.get(&format!("/api/games/{id}")).await.json()["seats"][0]["name"], json!("anonymous"));
}

#[tokio::test]
async fn a_position_is_found_in_all_its_symmetric_forms() {
    let server = server().await;
    let keys = [server.player("ann").await, server.player("bob").await];
    let id = server.game([&keys[0], &keys[1]], json!({})).await;
    for (at, mv) in ["a1", "b2", "a4"].iter().enumerate() {
        server.play(&keys[at % 2], &id, mv).await;
    }
    // a4 and a1 are corners that a reflection exchanges; so is g7 in another turn.
    for (position, found) in [("a1", 1), ("g7", 1), ("a4,b5", 0), ("a1,b2", 1), ("d4", 0), ("", 1)] {
        let address = format!("/api/records?game=havannah&size=4&position={position}");
        let list = server.get(&address).await.json();
        assert_eq!(list["games"].as_array().unwrap().len(), found, "{position}: {list}");
    }
    // A condition that cannot be read is refused: without it, every game would seem to fit.
    for bad in ["/api/records?after=x", "/r?after=1x-a", "/r?size=four", "/r?size=300"] {
        assert_eq!(server.get(bad).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{bad}");
    }
    let refused = server.get("/api/records?game=havannah&size=4&position=z9").await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn an_imported_record_has_our_verdict_beside_its_claim() {
    let server = server().await;
    let key = server.player("ann").await;
    let import = |body: &'static str| {
        let request = request("POST", "/api/records").header(header::AUTHORIZATION, format!("Bearer {key}"));
        server.send(request.body(Body::from(body)).unwrap())
    };
    let game = "(;FF[4]GM[Cachex]SZ[3]PR[Red]PB[Blue]RE[B+];R[0,0];B[0,1];R[1,0];B[1,1];R[2,0])";
    let imported = import(game).await.json();
    assert_eq!((&imported["verdict"], &imported["claimed"]), (&json!("red"), &json!("blue")), "{imported}");
    assert_eq!((&imported["agrees"], &imported["plies"]), (&json!(false), &json!(5)));
    let id = imported["id"].as_str().unwrap();
    assert!(server.get(&format!("/records/{id}.sgf")).await.text().contains("R[2,0]"));
    let illegal = import("(;GM[Cachex]SZ[3];R[0,0];B[0,0];R[2,2])").await.json();
    assert_eq!((&illegal["plies"], &illegal["agrees"]), (&json!(1), &json!(false)));
    assert!(illegal["refused"].as_str().unwrap().starts_with("move 2: "), "{illegal}");
    // A stored game is one line, and the answer says what is left out.
    assert_eq!(illegal["variations_left_out"], json!(0));
    let branched = import("(;GM[Cachex]SZ[3];R[0,0](;B[2,2](;R[1,0])(;R[0,1]))(;B[1,1]))").await.json();
    assert_eq!((&branched["plies"], &branched["variations_left_out"]), (&json!(3), &json!(2)), "{branched}");
    // The first file alone says who has won.
    let page = server.get("/r").await.text();
    assert_eq!(page.matches(", the file says ").count(), 1, "{page}");
    for bad in ["", "(", "(;)", "(;GM[Chess]SZ[8])", "\u{0}\u{0}", "(;GM[Cachex]SZ[99];R[0,0])"] {
        assert_eq!(import(bad).await.status, StatusCode::UNPROCESSABLE_ENTITY, "{bad}");
    }
    let black = import("(;SZ[4];B[a1];W[b1])").await;
    assert_eq!(black.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(black.text().contains("begins with the position `4 b - "), "{}", black.text());
    // HGF files: of a program, with a claim that the rules contradict; of Little Golem, ended by resignation, with a claim that they do not.
    let bridge = "(;FF[4]GM[Havannah]SZ[4]RE[B];W[a1];B[b1];W[a2];B[b2];W[a3];B[b3];W[a4])";
    let hgf = import(bridge).await.json();
    assert_eq!(
        (&hgf["verdict"], &hgf["how"], &hgf["claimed"]),
        (&json!("white"), &json!(["bridge"]), &json!("black"))
    );
    assert_eq!((&hgf["agrees"], &hgf["plies"]), (&json!(false), &json!(7)), "{hgf}");
    let golem = "(;FF[4]EV[null]PB[Ann]PW[Bob]SZ[4]RU[LG]RE[B]SO[http://www.littlegolem.com];W[F3];B[swap];W[E6];B[A4];W[resign])";
    let hgf = import(golem).await.json();
    assert_eq!(
        (&hgf["game"], &hgf["verdict"], &hgf["agrees"]),
        (&json!("havannah"), &Value::Null, &json!(true)),
        "{hgf}"
    );
    assert!(hgf["claimed"].is_string() && hgf["refused"].is_null(), "{hgf}");
    let list = server.get("/api/records?game=havannah").await.json();
    assert!(list["games"].as_array().unwrap().iter().all(|game| game["claimed"].is_string()), "{list}");
    // Imported games give no ratings.
    assert_eq!(server.get("/api/ratings?game=cachex").await.json(), json!([]));
}

#[tokio::test]
async fn a_list_is_paged_by_key() {
    let server = server().await;
    let key = server.player("ann").await;
    for _ in 0..53 {
        let request = request("POST", "/api/records").header(header::AUTHORIZATION, format!("Bearer {key}"));
        let body = Body::from("(;GM[Cachex]SZ[3]RE[R+];R[0,0])");
        assert_eq!(server.send(request.body(body).unwrap()).await.status, StatusCode::CREATED);
    }
    let (mut ids, mut after) = (std::collections::BTreeSet::new(), String::new());
    for pages in 1.. {
        let page = server.get(&format!("/api/records?after={after}")).await.json();
        for game in page["games"].as_array().unwrap() {
            assert!(ids.insert(game["id"].as_str().unwrap().to_owned()), "a game occurs twice");
        }
        let Some(next) = page["next"].as_str() else {
            assert_eq!(pages, 2);
            break;
        };
        next.clone_into(&mut after);
    }
    assert_eq!(ids.len(), 53);
}

#[tokio::test]
async fn pictures_have_every_format_and_are_kept_by_browsers() {
    let server = server().await;
    for (address, start) in [
        ("/pic/havannah/4/a1.b2.c3.svg", &b"<svg"[..]),
        ("/pic/havannah/4/a1.b2.c3.png?width=200", b"\x89PNG"),
        ("/pic/havannah/4/a1.b2.c3.gif?width=200&film=true", b"GIF89a"),
        ("/pic/cachex/3/0,0.1,1.pdf", b"%PDF"),
        ("/pic/cover/2.txt", b""),
        ("/pic/havannah/4s/a1.swap.tex", b"\\documentclass"),
    ] {
        let answer = server.get(address).await;
        assert_eq!(answer.status, StatusCode::OK, "{address}: {}", answer.text());
        assert!(answer.body.starts_with(start), "{address}");
        assert!(answer.header("cache-control").contains("immutable"));
        let tag = answer.header("etag").to_owned();
        let known = request("GET", address).header("if-none-match", &tag).body(Body::empty()).unwrap();
        assert_eq!(server.send(known).await.status, StatusCode::NOT_MODIFIED);
        assert_eq!(server.get(address).await.body, answer.body, "two drawings of {address} differ");
    }
    let illegal = server.get("/pic/havannah/4/a1.a1.svg").await;
    assert_eq!(
        (illegal.status, &illegal.json()["error"]["at"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!(1))
    );
    assert_eq!(server.get("/pic/havannah/4/a1.exe").await.status, StatusCode::NOT_FOUND);
    assert_eq!(server.get("/pic/chess/8.svg").await.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_board_is_driven_by_lines_of_gtp() {
    let server = server().await;
    let key = server.player("ann").await;
    let post = |line: &str| {
        let address = format!("/exec?cmd={}", line.replace(' ', "+"));
        let (server, key) = (&server, &key);
        async move { server.with_key("POST", &address, key, &Value::Null).await }
    };
    assert_eq!(post("boardsize 4").await.text(), "=\n\n");
    assert_eq!(post("7 play white d4").await.text(), "=7\n\n");
    assert!(post("play white d4").await.text().starts_with("? illegal move"));
    let request =
        request("GET", "/exec?cmd=showboard").header(header::AUTHORIZATION, format!("Bearer {key}"));
    assert!(server.send(request.body(Body::empty()).unwrap()).await.text().starts_with("=\n"));
    // What changes a board is a POST.
    assert_eq!(server.get("/exec?cmd=play+white+a1").await.status, StatusCode::METHOD_NOT_ALLOWED);
    assert!(post("playgame").await.text().starts_with("? `playgame` is not among"));
    post("play black a1").await;
    let thinking = post("genmove white");
    let heat = async {
        loop {
            let status = server.with_key("GET", "/status.json", &key, &Value::Null).await.json();
            let both =
                ["white", "black"].map(|side| status["sides"][side]["moves"].as_array().map_or(0, Vec::len));
            if status["thinking"] == json!(true) && both.iter().all(|&moves| moves > 0) {
                break both;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    let heat = tokio::time::timeout(std::time::Duration::from_secs(20), heat);
    let (answer, heat) = tokio::join!(thinking, heat);
    let heat = heat.expect("no heat for both sides while the engine thinks");
    assert!(answer.text().starts_with("= "), "{}", answer.text());
    assert!(heat.iter().all(|&moves| moves > 1), "{heat:?}");
    let metrics = server.get("/metrics").await.text();
    assert!(metrics.contains("stonework_searches 0\n"), "{metrics}");
}
