//! The pages in a real browser: Chromium, driven through `WebDriver`.
//!
//! The tests need `chromium` and `chromedriver` of the system. They are left out with one line where there are none, unless
//! `STONEWORK_BROWSER=required`, which makes that a failure. `STONEWORK_AXE` is the file `axe.min.js` of the npm package `axe-core`, for
//! the test of accessibility. `STONEWORK_SCREENSHOTS` is a folder for pictures of the pages.

mod browser {
    mod analysis;
    pub(crate) mod page;
    mod port;
}

use std::path::PathBuf;
use std::time::{Duration, Instant};

use browser::page::{Page, client, goto};
use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::{Value, json};
use stonework_session::{Registry, Session, Start};

/// Games that end in each way.
const GAMES: [(&str, u64, &str); 3] = [
    ("ring", 4, "c3 a1 c4 a2 d5 a4 e5 b5 e4 g4 d3"),
    ("bridge", 4, "a1 b1 a2 b2 a3 b3 a4"),
    ("fork", 4, "a2 g5 b2 e5 b1 c5 c2 f7 d2 b4 e2"),
];

/// The first game of a row of random games on size 3 that fills the board without a win.
fn drawn_game() -> Vec<String> {
    let empty = Session::new(Registry::standard(), "havannah", &Start::of_size(3), None).unwrap();
    let mut seed = 1_u64;
    for _ in 0..200_000 {
        let mut session = empty.fork();
        let mut free = session.legal();
        while session.state().outcome.is_none() {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mv = free.swap_remove((seed >> 33) as usize % free.len());
            session.play(&mv).unwrap();
        }
        if session.state().outcome.as_deref() == Some("draw") {
            return session.moves();
        }
    }
    panic!("no draw among the games");
}

/// Scenarios 1 and 9: games by mouse to each kind of end; the words and the marked cells are those of the library. No error in the
/// console, so no violation of the rules for contents.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver: cargo test -p stonework-server --features browser-tests --test browser -- --ignored"]
async fn games_by_mouse_end_as_the_library_says() {
    let Some(page) = Page::open("mouse", true, |_| {}).await else { return };
    let mut kinds = Vec::new();
    for (kind, size, moves) in GAMES {
        page.analyse(&format!("1/havannah/{size}/")).await;
        let mut session =
            Session::new(Registry::standard(), "havannah", &Start::of_size(size), None).unwrap();
        for mv in moves.split(' ') {
            if session.state().outcome.is_some() {
                break;
            }
            session.play(mv).unwrap();
            page.click(mv, session.moves().len()).await;
        }
        let state = session.state();
        assert_eq!(state.outcome.as_deref(), Some("white"), "{kind}: {}", session.position().standing());
        kinds.extend(state.how.clone().unwrap());
        page.until("document.querySelector('#standing').textContent.includes('wins')").await;
        let told = page.text("#standing").await;
        assert!(told.to_lowercase().contains(&session.position().standing()), "{told}");
        let mut cells = state.cells.unwrap().concat();
        assert!(cells.iter().all(|cell| told.contains(cell.as_str())), "{told}");
        let script = "[...document.querySelectorAll('[aria-label*=winning]')].map((one) => one.dataset.cell)";
        let mut marked: Vec<String> = serde_json::from_value(page.value(script).await).unwrap();
        marked.sort();
        cells.sort();
        cells.dedup();
        assert_eq!(marked, cells, "{kind}");
    }
    assert_eq!(kinds, ["ring", "bridge", "fork"]);
    let drawn = drawn_game();
    let (last, line) = drawn.split_last().unwrap();
    page.analyse(&format!("1/havannah/3/{}", line.join("."))).await;
    page.click(last, drawn.len()).await;
    page.until("document.querySelector('#standing').textContent.startsWith('A draw')").await;
    assert_eq!(page.value("document.querySelectorAll('[aria-label*=winning]').length").await, 0);
    assert_eq!(page.errors().await, Vec::<String>::new());
    page.close().await;
}

/// Scenario 2: a game by the keyboard alone.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver: cargo test -p stonework-server --features browser-tests --test browser -- --ignored"]
async fn a_game_by_keyboard_alone() {
    let Some(page) = Page::open("keyboard", true, |_| {}).await else { return };
    page.analyse("1/havannah/3/").await;
    let tab = char::from(Key::Tab).to_string();
    for _ in 0..40 {
        page.keys(&tab).await;
        if page.value("Boolean(document.activeElement.dataset.cell)").await == Value::Bool(true) {
            break;
        }
    }
    let here = async || page.value("document.activeElement.dataset.cell").await;
    let key = |key: Key| char::from(key).to_string();
    assert_eq!(here().await, "a1");
    page.keys(&key(Key::Enter)).await;
    page.plies(1).await;
    // The focus stays on the cell after the board was drawn anew.
    page.until("document.activeElement.dataset.cell === 'a1'").await;
    page.keys("x").await;
    assert_eq!(here().await, "b2");
    page.keys(&key(Key::Enter)).await;
    page.plies(2).await;
    page.until("document.activeElement.dataset.cell === 'b2'").await;
    page.keys(&key(Key::Right)).await;
    assert_eq!(here().await, "b3");
    page.keys("w").await;
    assert_eq!(here().await, "a3");
    page.keys(&key(Key::Enter)).await;
    page.plies(3).await;
    page.until("document.activeElement.dataset.cell === 'a3'").await;
    page.keys(&key(Key::Down)).await;
    let below = here().await;
    assert_ne!(below, "a3");
    page.keys(&key(Key::Enter)).await;
    page.plies(4).await;
    let line = format!("#1/havannah/3/a1.b2.a3.{}", below.as_str().unwrap());
    assert_eq!(page.value("location.hash").await, line);
    let label = page.value("document.querySelector('[data-cell=a1]').getAttribute('aria-label')").await;
    assert_eq!(label, "a1, white");
    page.close().await;
}

/// Scenario 3: two browsers and a spectator follow one game; a reload loses nothing, and all boards equal the log.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver: cargo test -p stonework-server --features browser-tests --test browser -- --ignored"]
async fn two_browsers_and_a_spectator_see_one_game() {
    let Some(mut page) = Page::open("two", true, |_| {}).await else { return };
    let other = client(&page.chrome, &page.driver_address, true).await;
    page.goto("/play/havannah").await;
    page.run(
        "const set = (name, value) => { document.querySelector(`[name=${name}]`).value = value; };
         set('with', '!friend'); set('size', 4); set('side', 'white');
         document.querySelector('[name=swap]').checked = false",
    )
    .await;
    page.find("main form button.main").await.click().await.unwrap();
    page.until("location.pathname.startsWith('/g/')").await;
    let path = page.value("location.pathname").await.as_str().unwrap().to_owned();
    let address = format!("http://{}{path}", page.address);
    goto(&other, &address).await;
    other.wait().for_element(Locator::Css("button[value=take]")).await.unwrap().click().await.unwrap();
    let clients = [page.client.clone(), other];
    let moves = ["a1", "b1", "a2", "b2", "a3", "b3", "a4"];
    let turn = "document.querySelector('#standing')?.textContent.startsWith('Your move') === true";
    for (ply, mv) in moves.iter().enumerate() {
        page.client = clients[ply % 2].clone();
        page.until(turn).await;
        if ply == 3 {
            page.client.refresh().await.unwrap();
            page.until(turn).await;
        }
        page.click(mv, ply + 1).await;
    }
    // A spectator comes late.
    let late = client(&page.chrome, &page.driver_address, true).await;
    goto(&late, &address).await;
    let log = page.app.view(path.trim_start_matches("/g/")).await.unwrap().unwrap();
    assert_eq!(log.session.moves(), moves);
    for one in clients.iter().chain([&late]) {
        page.client = one.clone();
        page.until("document.querySelector('#standing').textContent.includes('wins by bridge')").await;
        page.until("document.querySelectorAll('#moves td').length === 7").await;
        let stones = "[...document.querySelectorAll('[data-cell]')].filter((one) => !one.ariaLabel.includes('empty')).length";
        assert_eq!(page.value(stones).await, 7);
        let list =
            page.value("[...document.querySelectorAll('#moves td')].map((one) => one.textContent)").await;
        assert_eq!(list, json!(moves));
    }
    for one in [&clients[0], &clients[1], &late] {
        one.clone().close().await.unwrap();
    }
}

/// Scenario 3, with an engine: a game against Leipzig begins from the page, and a cut line loses nothing.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver: cargo test -p stonework-server --features browser-tests --test browser -- --ignored"]
async fn a_game_against_an_engine_survives_a_cut_line() {
    let Some(page) = Page::open("engine", true, |_| {}).await else { return };
    page.goto("/play/havannah").await;
    page.run(
        "const set = (name, value) => { document.querySelector(`[name=${name}]`).value = value; };
         set('with', 'leipzig'); set('size', 5); set('side', 'white');
         document.querySelector('[name=swap]').checked = false",
    )
    .await;
    page.find("main form button.main").await.click().await.unwrap();
    let turn = "document.querySelector('#standing')?.textContent.startsWith('Your move') === true";
    page.until(turn).await;
    page.click("e5", 2).await;
    page.until(turn).await;
    let network = |offline: bool| {
        json!({ "cmd": "Network.emulateNetworkConditions",
                "params": { "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 } })
    };
    page.devtools(&json!({ "cmd": "Network.enable", "params": {} })).await;
    page.devtools(&network(true)).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    page.devtools(&network(false)).await;
    page.until(turn).await;
    let free = "document.querySelector('polygon.legal').dataset.cell";
    let cell = page.value(free).await.as_str().unwrap().to_owned();
    // The positions after both moves are refused once: the page asks again.
    page.refuse_views(2).await;
    page.click(&cell, 4).await;
    let id = page.value("location.pathname.split('/')[2]").await.as_str().unwrap().to_owned();
    let log = page.app.view(&id).await.unwrap().unwrap().session.moves();
    let list = page.value("[...document.querySelectorAll('#moves td')].map((one) => one.textContent)").await;
    assert_eq!(list, json!(log));
    // Take back both moves; an engine agrees.
    page.find("#resign").await.click().await.unwrap();
    page.find("#resign").await.click().await.unwrap();
    page.until("document.querySelector('#standing').textContent === 'Black wins: resign.'").await;
    page.close().await;
}

/// Scenario 4: the link is the analysis: after a reload the same tree, and the same after SGF.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver: cargo test -p stonework-server --features browser-tests --test browser -- --ignored"]
async fn a_link_survives_a_reload_and_sgf() {
    let Some(page) = Page::open("link", true, |_| {}).await else { return };
    let links = [
        "1/havannah/4s/d4.swap.c3!a1!b2(e4.f5$-120)(e5).d5$340'g=c3=b6=21_yes~3",
        "1/cachex/5/0,0.2,2(1,1).3,3~2",
        "1/cover/2/",
    ];
    for link in links {
        page.analyse(link).await;
        assert_eq!(page.value("location.hash.slice(1)").await, link);
        page.client.refresh().await.unwrap();
        page.until("document.querySelectorAll('#engine option').length > 0").await;
        assert_eq!(page.value("location.hash.slice(1)").await, link);
        page.find("#save").await.click().await.unwrap();
        page.until("document.querySelector('#paste').value.startsWith('(')").await;
        page.find("#load").await.click().await.unwrap();
        page.until("/^read|file/.test(document.querySelector('#say').textContent)").await;
        let again = page.value("location.hash.slice(1)").await;
        // SGF does not say which move is on the board.
        let same = link.split('~').next().unwrap();
        assert_eq!(again.as_str().unwrap(), same);
    }
    // Moves with numbers.
    page.analyse("1/havannah/4/").await;
    page.find("#paste").await.send_keys("1. d4 2. c3 3. e5").await.unwrap();
    page.find("#load").await.click().await.unwrap();
    page.plies(3).await;
    assert_eq!(page.value("location.hash.slice(1)").await, "1/havannah/4/d4.c3.e5");
    page.close().await;
}

/// Scenario 5: the heat map comes soon, freezes, and is gone after a move.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver: cargo test -p stonework-server --features browser-tests --test browser -- --ignored"]
async fn live_heat_comes_freezes_and_goes() {
    let Some(page) = Page::open("heat", true, |_| {}).await else { return };
    page.analyse("1/havannah/5/").await;
    let figures =
        async || page.value("document.querySelectorAll('.picture > *').length").await.as_u64().unwrap();
    let plain = figures().await;
    page.find("#live").await.click().await.unwrap();
    let begun = Instant::now();
    page.until("document.querySelectorAll('#candidates tr').length > 0").await;
    let took = begun.elapsed();
    println!("first heat map after {took:?}");
    assert!(took < Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 }), "{took:?}");
    assert!(figures().await > plain + 10, "heat and labels on the cells");
    page.find("#live").await.click().await.unwrap();
    page.until("document.querySelector('#live').textContent === 'Analyse'").await;
    let frozen = page.text("#about").await;
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(page.text("#about").await, frozen);
    page.click("e5", 1).await;
    page.until("document.querySelectorAll('#candidates tr').length === 0").await;
    // A page that is left leaves its search: as many searches as the server allows, one after the other.
    for _ in 0..6 {
        page.find("#live").await.click().await.unwrap();
        page.until("document.querySelectorAll('#candidates tr').length > 0").await;
        page.analyse("1/havannah/5/").await;
    }
    // The search of a page that is gone ends on the server.
    page.goto("/metrics").await;
    let begun = Instant::now();
    while page.value("document.body.innerText.includes('stonework_searches 0\\n')").await != Value::Bool(true)
    {
        assert!(begun.elapsed() < Duration::from_secs(10), "{}", page.text("body").await);
        page.goto("/metrics").await;
    }
    page.close().await;
}

/// Scenario 9: names that are programs of a page stay text, in the list of records and on the page of their game.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver: cargo test -p stonework-server --features browser-tests --test browser -- --ignored"]
async fn hostile_names_stay_text() {
    let Some(page) = Page::open("names", true, |_| {}).await else { return };
    page.goto("/").await;
    page.run(
        "window.told = null; const name = '<img src=x onerror=alert(1)>', other = '<script>alert(2)<\\/script>';
         fetch('/api/records', { method: 'POST', body: `(;GM[Cachex]SZ[3]PR[${name}]PB[${other}]RE[R+];R[0,0])` })
             .then((answer) => answer.json()).then((told) => { window.told = told.id; })",
    )
    .await;
    page.until("typeof window.told === 'string'").await;
    let id = page.value("window.told").await.as_str().unwrap().to_owned();
    for path in ["/r".to_owned(), format!("/g/{id}")] {
        page.goto(&path).await;
        page.until("document.body.innerText.includes('<img src=x') && document.body.innerText.includes('<script>alert')").await;
        assert_eq!(
            page.value("document.querySelectorAll('main script:not([src]), main img').length").await,
            0,
            "{path}"
        );
    }
    assert_eq!(page.errors().await, Vec::<String>::new());
    page.close().await;
}

/// Scenario 7: without JavaScript, a whole game of Cover of size 2 by links.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver: cargo test -p stonework-server --features browser-tests --test browser -- --ignored"]
async fn a_whole_game_without_javascript() {
    let Some(page) = Page::open("plain", false, |_| {}).await else { return };
    page.goto("/b").await;
    // The scripts of the page did not run: a script makes this choice visible.
    assert!(page.client.find(Locator::Css("#theme[hidden]")).await.is_ok());
    page.goto("/b/cover?size=2&with=cover-level-1&side=second").await;
    let mut moves = 0;
    loop {
        let standing = page.text("#standing").await;
        if standing.contains("wins") || standing.contains("draw") {
            break;
        }
        if let Ok(go) = page.client.find(Locator::Id("continue")).await {
            go.click().await.unwrap();
        } else {
            let links = page.client.find_all(Locator::Css("#legal a")).await.unwrap();
            let picture = page.client.find_all(Locator::Css(".areas a")).await.unwrap();
            assert!(!links.is_empty() && !picture.is_empty());
            links[moves % links.len()].click().await.unwrap();
            moves += 1;
        }
        assert!(moves < 300, "the game does not end");
    }
    println!("{moves} moves by links");
    assert!(moves > 1);
    page.close().await;
}

/// Scenario 8: no violation by axe-core on the main pages.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium, chromedriver and axe-core: STONEWORK_AXE=axe.min.js cargo test -p stonework-server --features browser-tests --test browser -- --ignored"]
async fn axe_finds_no_violation() {
    let Some(axe) = std::env::var_os("STONEWORK_AXE") else {
        let required = std::env::var("STONEWORK_BROWSER").is_ok_and(|value| value == "required");
        assert!(!required, "STONEWORK_BROWSER=required, and STONEWORK_AXE is not set");
        eprintln!("axe: left out, STONEWORK_AXE is not set");
        return;
    };
    let axe = std::fs::read_to_string(axe).unwrap();
    let Some(page) = Page::open("axe", true, |_| {}).await else { return };
    let mut found = Vec::new();
    // A game that goes on, and a study.
    let mut opened = Vec::new();
    for (path, form) in [
        ("/play/havannah", "set('with', 'leipzig'); set('size', 5)"),
        ("/s", "set('title', 'Corners'); set('size', 3)"),
    ] {
        page.goto(path).await;
        let set = "const set = (name, value) => { document.querySelector(`[name=${name}]`).value = value; }";
        page.run(&format!("{set}; {form}")).await;
        page.find("main form button.main").await.click().await.unwrap();
        page.until("/^\\/[gs]\\/./.test(location.pathname)").await;
        opened.push(page.value("location.pathname").await.as_str().unwrap().to_owned());
    }
    let paths = [
        &*opened[0],
        &*opened[1],
        "/",
        "/play/havannah",
        "/play/cover",
        "/a#1/havannah/4/d4.c3",
        "/b",
        "/b/cachex?size=4&with=&side=",
        "/s",
        "/r",
        "/help",
    ];
    for path in paths {
        page.goto(path).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
        page.client.execute(&axe, Vec::new()).await.unwrap();
        let script = "const done = arguments[0]; axe.run().then((told) => done(told.violations.map((one) => \
                      `${one.id}: ${one.help}: ${one.nodes.map((node) => node.html.slice(0, 120)).slice(0, 3).join(' | ')}`)))";
        let told = page.client.execute_async(script, Vec::new()).await.unwrap();
        let violations: Vec<String> = serde_json::from_value(told).unwrap();
        found.extend(violations.into_iter().map(|violation| format!("{path}: {violation}")));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    page.close().await;
}

/// Scenarios 10 and 11: three sizes of screens without sideways scrolling, cells that can be hit, light and dark.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver: cargo test -p stonework-server --features browser-tests --test browser -- --ignored"]
async fn screens_of_three_sizes_light_and_dark() {
    let Some(page) = Page::open("screens", true, |_| {}).await else { return };
    for (width, height) in [(360, 640), (768, 1024), (1280, 757), (1440, 900)] {
        page.devtools(&json!({
            "cmd": "Emulation.setDeviceMetricsOverride",
            "params": { "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 },
        }))
        .await;
        page.devtools(
            &json!({ "cmd": "Emulation.setTouchEmulationEnabled", "params": { "enabled": width < 500 } }),
        )
        .await;
        let paths = [
            "/",
            "/play/cachex",
            "/a#1/havannah/10/e5.f6",
            "/b/havannah?size=10&with=leipzig&side=second",
            "/s",
            "/help",
        ];
        for path in paths {
            page.client.goto("about:blank").await.unwrap();
            page.goto(path).await;
            tokio::time::sleep(Duration::from_millis(400)).await;
            let script = "[document.documentElement.scrollWidth, innerWidth, [...document.querySelectorAll('main *')]\
                          .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('.scroll'))\
                          .map((one) => one.outerHTML.slice(0, 90)).slice(0, 4)]";
            let over = page.value(script).await;
            assert!(over[0].as_u64() <= over[1].as_u64(), "{width} × {height}, {path}: {over}");
            if path.starts_with("/a") {
                let script = "Math.min(...[...document.querySelectorAll('[data-cell]')].map((one) => one.getBoundingClientRect().width))";
                let size = page.value(script).await.as_f64().unwrap();
                println!("{width} × {height}: cells of {size:.1} pixels on size 10");
                if width < 500 {
                    // A finger's first touch makes the cells large enough, and its second one plays.
                    page.click("k10", 2).await;
                    let size = page.value(script).await.as_f64().unwrap();
                    assert!(size >= 24.0, "{width}: cells of {size} pixels");
                    page.click("k10", 3).await;
                } else {
                    assert!(size >= 24.0, "{width}: cells of {size} pixels");
                }
            }
        }
    }
    page.analyse("1/havannah/4/d4.c3").await;
    let mut shades = Vec::new();
    for theme in ["light", "dark"] {
        page.devtools(&json!({
            "cmd": "Emulation.setEmulatedMedia",
            "params": { "features": [{ "name": "prefers-color-scheme", "value": theme }] },
        }))
        .await;
        let script = "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('.picture path')).fill]";
        shades.push(page.value(script).await);
    }
    assert_ne!(shades[0][0], shades[1][0]);
    assert_ne!(shades[0][1], shades[1][1]);
    page.close().await;
}

/// Scenario 6: the values of all 37 openings of size 4 on the page are those of the map in the book, which `solve --map` wrote, and the
/// server checks the proof and tells its counts.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium, chromedriver and a minute for the proof of size 4: cargo test -p stonework-server --features browser-tests --test browser -- --ignored values_of (docs/lab/server.md)"]
async fn values_of_all_openings_are_those_of_the_map() {
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
    let proof = PathBuf::from(format!("{book}/results/havannah-size4.proof"));
    let Some(page) = Page::open("proof", true, |config| config.proofs.push(proof)).await else { return };
    let begun = Instant::now();
    loop {
        page.goto("/api/proofs").await;
        if page.value("document.body.innerText.includes('holds')").await == Value::Bool(true) {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(300), "the proof is not read");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    println!("the proof was read after {:?}", begun.elapsed());
    page.analyse("1/havannah/4/").await;
    page.until("!document.querySelector('#proofs').hidden").await;
    page.find("#values").await.click().await.unwrap();
    page.until("document.querySelectorAll('#candidates tr[data-outcome]').length === 37").await;
    let script = "Object.fromEntries([...document.querySelectorAll('#candidates tr')]\
                  .map((one) => [one.dataset.move, [one.dataset.outcome, one.cells[2].textContent, one.cells[3].textContent]]))";
    let told = page.value(script).await;
    let map = std::fs::read_to_string(format!("{book}/solutions/size4-map.md")).unwrap();
    let values = openings(&map);
    assert_eq!(values.len(), 37);
    for (cell, outcome, plies) in values {
        assert_eq!(told[&cell], json!([outcome, plies, "proof"]), "{cell}");
    }
    page.screenshot("proof").await;
    page.find("#candidates .line").await.click().await.unwrap();
    page.until("document.querySelector('#say').textContent.startsWith('after ')").await;
    page.find("#verify").await.click().await.unwrap();
    page.until_within(
        Duration::from_secs(200),
        "document.querySelector('#say').textContent.includes('records checked')",
    )
    .await;
    println!("{}", page.text("#say").await);
    assert_eq!(page.errors().await, Vec::<String>::new());
    page.close().await;
}

/// The outcome and the plies of each opening, from the first map of the page in the book.
fn openings(map: &str) -> Vec<(String, String, String)> {
    let board = map.split("```").nth(1).unwrap();
    let mut found = Vec::new();
    for line in board.lines() {
        let mut words = line.split_whitespace();
        let Some(row) =
            words.next().filter(|word| word.len() == 1 && word.as_bytes()[0].is_ascii_lowercase())
        else {
            continue;
        };
        // Below the middle, the first column of a row is cut off.
        let first = usize::from(row.as_bytes()[0] - b'a').saturating_sub(3) + 1;
        let values = words.filter(|word| word.starts_with(['w', 'b', '=']));
        for (column, value) in values.enumerate() {
            let outcome = match &value[..1] {
                "w" => "white",
                "b" => "black",
                _ => "draw",
            };
            found.push((format!("{row}{}", first + column), outcome.to_owned(), value[1..].to_owned()));
        }
    }
    found
}

/// Pictures of the main pages for the book, into the folder `STONEWORK_SCREENSHOTS`.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "writes pictures: STONEWORK_SCREENSHOTS=folder cargo test -p stonework-server --features browser-tests --test browser -- --ignored pictures"]
async fn pictures_of_the_main_pages() {
    if std::env::var_os("STONEWORK_SCREENSHOTS").is_none() {
        eprintln!("pictures: left out, STONEWORK_SCREENSHOTS is not set");
        return;
    }
    let Some(page) = Page::open("pictures", true, |_| {}).await else { return };
    page.goto("/play/havannah").await;
    page.screenshot("play").await;
    page.run(
        "const set = (name, value) => { document.querySelector(`[name=${name}]`).value = value; };
         set('with', 'leipzig'); set('size', 6); set('side', 'white'); set('clock', '300+5');
         document.querySelector('[name=swap]').checked = false",
    )
    .await;
    page.find("main form button.main").await.click().await.unwrap();
    for (ply, cell) in ["f6", "g7", "e6", "f8", "d4"].into_iter().enumerate() {
        page.until("document.querySelector('#standing')?.textContent.startsWith('Your move') === true").await;
        let free = format!("document.querySelector('[data-cell={cell}].legal') !== null");
        if page.value(&free).await == Value::Bool(true) {
            page.click(cell, 2 * ply + 2).await;
        } else {
            break;
        }
    }
    page.screenshot("game").await;
    page.analyse("1/havannah/6/f6.g7.e6.f8.d4.h6").await;
    page.find("#review").await.click().await.unwrap();
    page.until_within(
        Duration::from_secs(60),
        "/mistakes in/.test(document.querySelector('#say').textContent)",
    )
    .await;
    page.find("#live").await.click().await.unwrap();
    tokio::time::sleep(Duration::from_secs(3)).await;
    page.screenshot("analysis").await;
    page.goto("/b/cover?size=4&with=&side=second").await;
    page.screenshot("plain").await;
    page.goto("/s").await;
    page.run("document.querySelector('[name=title]').value = 'Is the corner good on size 3?'; document.querySelector('[name=size]').value = 3").await;
    page.find("main form button.main").await.click().await.unwrap();
    page.until("location.pathname.length > 3").await;
    let address = page.value("location.pathname").await.as_str().unwrap().to_owned();
    for (line, claim) in [("a1", "white"), ("a2", "black"), ("c3", "white"), ("b2", "unknown")] {
        page.goto(&format!("{address}?at={line}")).await;
        page.run(&format!("document.querySelector('[name=by]').value = 'Ann'; document.querySelector('[name=claim]').value = '{claim}'")).await;
        page.find("main form button.main").await.click().await.unwrap();
        page.until("document.querySelectorAll('#claims li').length > 0").await;
    }
    page.goto(&address).await;
    page.screenshot("study").await;
    page.close().await;
}
