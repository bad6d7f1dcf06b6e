//! The analysis page under a slow server, refusals, a set-up and another notation.

use serde_json::json;

use super::page::Page;

/// Makes the answers of an address late by the first number of milliseconds of a list, then by the next, then by none.
const SLOW: &str = "window.late = []; const real = window.fetch; window.fetch = async (address, ...rest) => { \
     const late = /view|setup/.test(address) && window.late.shift(); const answer = await real(address, ...rest); \
     if (late) await new Promise((done) => setTimeout(done, late)); return answer; };";

/// Clicks on cells without a wait between them.
fn clicks(cells: &[&str]) -> String {
    format!(
        "for (const cell of {}) document.querySelector(`[data-cell='${{cell}}']`)\
         .dispatchEvent(new MouseEvent('click', {{ bubbles: true }}));",
        json!(cells)
    )
}

async fn link(page: &Page) -> String {
    page.value("decodeURIComponent(location.hash.slice(1))").await.as_str().unwrap_or_default().to_owned()
}

async fn pause(millis: u64) {
    tokio::time::sleep(std::time::Duration::from_millis(millis)).await;
}

/// A second click before the answer is no move, and what the server refuses changes neither the analysis nor its address.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver: cargo test -p stonework-server --features browser-tests --test browser -- --ignored"]
async fn clicks_before_the_answer_and_refusals_lose_nothing() {
    let Some(page) = Page::open("clicks", true, |_| {}).await else { return };
    page.analyse("1/havannah/4/b2.c3.d4").await;
    page.run(SLOW).await;
    page.run(&format!("window.late = [150]; {}", clicks(&["e5", "e5", "f5"]))).await;
    assert_eq!(link(&page).await, "1/havannah/4/b2.c3.d4");
    page.plies(4).await;
    pause(400).await;
    assert_eq!(link(&page).await, "1/havannah/4/b2.c3.d4.e5");
    // Starts that are refused.
    for (game, size) in [("havannah", 30), ("cachex", 5)] {
        page.run("document.querySelector('#say').textContent = ''").await;
        page.run(&format!(
            "const $ = (id) => document.getElementById(id); $('game').value = '{game}'; $('size').value = {size}; \
             $('swap').checked = {}; $('new').click()",
            game == "cachex"
        ))
        .await;
        page.until("document.querySelector('#say').textContent !== ''").await;
        assert_eq!(link(&page).await, "1/havannah/4/b2.c3.d4.e5", "{game}");
    }
    page.run("document.querySelector('#back').click()").await;
    page.until("location.hash.endsWith('~3')").await;
    // An answer that comes after that of a later question.
    page.run("window.late = [300]; document.querySelector('#begin').click(); document.querySelector('#end').click()")
        .await;
    page.until("!location.hash.includes('~')").await;
    pause(500).await;
    assert_eq!(link(&page).await, "1/havannah/4/b2.c3.d4.e5");
    let taken = "document.querySelector(\"[data-cell='e5']\").getAttribute('aria-label')";
    assert!(page.value(taken).await.as_str().unwrap().contains("last move"));
    // A link that is not read stays, with a message, also after a reload.
    page.analyse("1/havannah/4/d4.e5.e5").await;
    for _ in 0..2 {
        page.until("document.querySelector('#say').textContent.startsWith('the link was not read')").await;
        assert_eq!(link(&page).await, "1/havannah/4/d4.e5.e5");
        // A busy browser may answer from the page before for a while.
        page.run("window.before = true").await;
        page.client.refresh().await.unwrap();
        page.until("window.before === undefined").await;
    }
    // The message comes before the board and after it.
    page.until(
        "document.querySelector('#say').textContent.startsWith('the link was not read') && location.hash !== '' && \
         document.querySelector('[data-cell]') !== null",
    )
    .await;
    page.run(&clicks(&["a1"])).await;
    page.plies(1).await;
    assert_eq!(link(&page).await, "1/havannah/8s/a1");
    page.run("location.hash = '#1/havannah/30/'").await;
    page.until("document.querySelector('#say').textContent.startsWith('the link was not read')").await;
    assert_eq!(link(&page).await, "1/havannah/30/");
    page.plies(1).await;
    page.close().await;
}

/// A set-up ends with its position, and a search ends with a set-up.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver: cargo test -p stonework-server --features browser-tests --test browser -- --ignored"]
async fn a_set_up_and_a_search_end_with_their_position() {
    let Some(page) = Page::open("arrange", true, |_| {}).await else { return };
    page.analyse("1/havannah/4/d4").await;
    page.run("document.querySelector('#setup').click()").await;
    page.run(&clicks(&["a1"])).await;
    page.until("location.hash.includes('=')").await;
    page.run("document.querySelector('#paste').value = '1/havannah/4/d4.c3'; document.querySelector('#load').click()").await;
    page.plies(2).await;
    assert_eq!(page.value("document.querySelector('#setup').getAttribute('aria-pressed')").await, "false");
    page.click("e5", 3).await;
    // The search of the old position.
    page.run("document.querySelector('#live').click()").await;
    page.until("document.querySelectorAll('#candidates tr').length > 0").await;
    page.run("document.querySelector('#setup').click()").await;
    page.run(&clicks(&["a1"])).await;
    page.until("location.hash.includes('=')").await;
    pause(1500).await;
    assert_eq!(page.value("document.querySelectorAll('#candidates tr').length").await, 0);
    assert_eq!(page.text("#live").await, "Analyse");
    assert!(!link(&page).await.contains('$'), "{}", link(&page).await);
    page.close().await;
}

/// With another notation a set-up and a mark are on the cell of the click; the link has the game's own notation.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver: cargo test -p stonework-server --features browser-tests --test browser -- --ignored"]
async fn another_notation_names_the_same_cells() {
    let Some(page) = Page::open("notation", true, |_| {}).await else { return };
    let names = "[...document.querySelectorAll('[data-cell]')].map((one) => one.dataset.cell)";
    let stones = "[...document.querySelectorAll('[data-cell]')].map((one) => one.ariaLabel).filter((one) => !/empty/.test(one))";
    let choose = |name: &str| {
        format!(
            "const at = document.querySelector('#notation'); at.value = '{name}'; at.dispatchEvent(new Event('change'))"
        )
    };
    page.analyse("1/havannah/4/").await;
    let own = page.value(names).await;
    page.run(&choose("grid")).await;
    page.until(&format!("JSON.stringify({names}) !== {}", json!(own.to_string()))).await;
    let grid = page.value(names).await;
    let same = |name: &str| {
        let at = grid.as_array().unwrap().iter().position(|one| one == name).unwrap();
        own[at].as_str().unwrap().to_owned()
    };
    assert_ne!(same("e3"), "e3");
    page.run(
        "document.querySelector(\"[data-cell='e3']\").dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }))",
    )
    .await;
    page.until("location.hash.includes('!')").await;
    assert_eq!(link(&page).await, format!("1/havannah/4/!{}", same("e3")));
    page.run(&choose("hgui")).await;
    page.until(&format!("JSON.stringify({names}) === {}", json!(own.to_string()))).await;
    assert_eq!(page.text("#say").await, "");
    // The figures of a mark are the same in the notations that draw the board in the same way.
    let figures = "const done = arguments[0]; const figures = async (notation, marks) => { \
         const told = await fetch('/api/view', { method: 'POST', headers: { 'content-type': 'application/json' }, \
         body: JSON.stringify({ game: 'havannah', size: 4, notation, look: { marks } }) }); \
         const at = document.createElement('div'); at.innerHTML = (await told.json()).picture; \
         return [...at.querySelectorAll('svg *')].map((one) => one.outerHTML); }; \
         Promise.all(['hgui', 'grid'].map(async (notation) => { const plain = await figures(notation, []); \
         return (await figures(notation, ['e3'])).filter((one) => !plain.includes(one)); })).then(done)";
    let figures = page.client.execute_async(figures, Vec::new()).await.unwrap();
    assert!(!figures[0].as_array().unwrap().is_empty());
    assert!(figures[0] == figures[1], "{figures}");
    page.run(&choose("grid")).await;
    page.until(&format!("JSON.stringify({names}) === {}", json!(grid.to_string()))).await;
    page.run("document.querySelector('#setup').click()").await;
    page.run(&clicks(&["e3"])).await;
    page.until("location.hash.includes('=')").await;
    page.until(&format!("JSON.stringify({stones}) === '[\"e3, white\"]'")).await;
    page.close().await;
}

/// A review that ends early, by a refusal within the answer or an end of the connection, is told as such; it was told as a game without mistakes.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs chromium and chromedriver: cargo test -p stonework-server --features browser-tests --test browser -- --ignored"]
async fn a_review_that_fails_says_so_and_keeps_the_values_before() {
    let Some(page) = Page::open("fails", true, |_| {}).await else { return };
    page.analyse("1/havannah/4/d4.e5").await;
    // The first value, and then a refusal in place of the rest.
    page.run(
        "const real = window.fetch; window.fetch = (address, ...rest) => address === '/api/review' ? Promise.resolve(new Response(\
         '{\"ply\":0,\"value\":\"300\",\"mistake\":null}\\n{\"error\":{\"message\":\"the server ends\"}}\\n')) : real(address, ...rest); \
         document.querySelector('#review').click()",
    )
    .await;
    page.until("document.querySelector('#say').textContent === 'the server ends'").await;
    pause(300).await;
    assert_eq!(page.text("#say").await, "the server ends");
    assert_eq!(link(&page).await, "1/havannah/4/$300.d4.e5");
    // The next press analyses; it only ended the review that had failed.
    page.run("document.querySelector('#live').click()").await;
    page.until("document.querySelector('#live').textContent === 'Freeze'").await;
    page.close().await;
}
