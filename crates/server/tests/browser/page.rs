//! A browser beside a server of its own.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::{Value, json};
use stonework_server::{Config, ServerApp};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A program of the system: the value of a variable, or the first of these names in `PATH`.
fn program(variable: &str, names: &[&str]) -> Option<PathBuf> {
    if let Some(path) = std::env::var_os(variable) {
        return Some(path.into());
    }
    let path = std::env::var_os("PATH")?;
    let in_folder = |folder: PathBuf| names.iter().map(|name| folder.join(name)).find(|file| file.is_file());
    std::env::split_paths(&path).find_map(in_folder)
}

/// A browser beside a server of its own.
pub(crate) struct Page {
    pub(crate) app: ServerApp,
    pub(crate) address: SocketAddr,
    pub(crate) client: Client,
    pub(crate) chrome: PathBuf,
    pub(crate) driver_address: String,
    driver: Child,
    folder: PathBuf,
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A driver on a free port, whose browsers keep their temporary files in a folder. Drivers that start at the same moment may choose the same
/// port; then one of them ends, and starts again.
fn start(program: &Path, folder: &Path) -> (Child, String) {
    for _ in 0..8 {
        let mut driver = Command::new(program)
            .arg("--port=0")
            .env("TMPDIR", folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let told = BufReader::new(driver.stdout.take().unwrap()).lines().find_map(|line| {
            let line = line.ok()?;
            let (_, port) = line.split_once("successfully on port ")?;
            Some(port.trim_end_matches('.').to_owned())
        });
        if let Some(port) = told {
            return (driver, port);
        }
        let _ = driver.kill();
        let _ = driver.wait();
    }
    panic!("{} does not start", program.display());
}

/// A browser with a profile of its own.
pub(crate) async fn client(chrome: &Path, driver: &str, script: bool) -> Client {
    let args = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=1280,900",
    ];
    let mut options = json!({ "binary": chrome, "args": args });
    if !script {
        options["prefs"] = json!({ "profile.managed_default_content_settings.javascript": 2 });
    }
    let mut capabilities = serde_json::Map::new();
    capabilities.insert("goog:chromeOptions".to_owned(), options);
    capabilities.insert("goog:loggingPrefs".to_owned(), json!({ "browser": "ALL" }));
    let mut builder = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new());
    builder.capabilities(capabilities).connect(driver).await.expect("the browser starts")
}

/// Loads a page, and waits until its document has replaced that before it and is complete: under load the driver may answer earlier.
pub(crate) async fn goto(client: &Client, address: &str) {
    client.execute("window.left = true", Vec::new()).await.unwrap();
    client.goto(address).await.unwrap();
    let begun = Instant::now();
    let loaded =
        "return window.left !== true && document.readyState === 'complete' && location.origin !== 'null'";
    while client.execute(loaded, Vec::new()).await.unwrap() != Value::Bool(true) {
        assert!(begun.elapsed() < Duration::from_secs(20), "{address} is not loaded after 20 seconds");
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}

/// A request to the driver that its client has no method for.
async fn post(address: &str, body: &str) -> Value {
    let rest = address.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let mut stream = tokio::net::TcpStream::connect(host).await.unwrap();
    let length = body.len();
    let request = format!(
        "POST /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    // The driver may leave the connection open, so the length of the answer counts.
    let mut answer = Vec::new();
    let mut block = vec![0; 1 << 16];
    loop {
        let text = String::from_utf8_lossy(&answer);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_ascii_lowercase();
            let length =
                head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return serde_json::from_str(body).unwrap_or_default();
            }
        }
        match stream.read(&mut block).await.unwrap() {
            0 => return Value::Null,
            read => answer.extend_from_slice(&block[..read]),
        }
    }
}

impl Page {
    /// A browser at a server; `None`, with one line, where there is no browser.
    pub(crate) async fn open(name: &str, script: bool, change: impl FnOnce(&mut Config)) -> Option<Self> {
        let chrome = program("CHROME", &["chromium", "chromium-browser", "google-chrome"]);
        let driver = program("CHROMEDRIVER", &["chromedriver"]);
        let (Some(chrome), Some(driver)) = (chrome, driver) else {
            let required = std::env::var("STONEWORK_BROWSER").is_ok_and(|value| value == "required");
            assert!(!required, "STONEWORK_BROWSER=required, and there is no chromium or no chromedriver");
            eprintln!("{name}: left out, there is no chromium or no chromedriver");
            return None;
        };
        let folder = std::env::temp_dir().join(format!("stonework-browser-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut config = Config { data: folder.join("games.db"), searches: 4, ..Config::default() };
        change(&mut config);
        let app = ServerApp::open(config).await.unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(stonework_server::serve(app.clone(), listener));
        let (driver, port) = start(&driver, &folder);
        let driver_address = format!("http://127.0.0.1:{port}");
        let client = client(&chrome, &driver_address, script).await;
        Some(Self { app, address, client, chrome, driver_address, driver, folder })
    }

    pub(crate) async fn close(self) {
        self.client.clone().close().await.unwrap();
    }

    pub(crate) async fn goto(&self, path: &str) {
        goto(&self.client, &format!("http://{}{path}", self.address)).await;
    }

    pub(crate) async fn find(&self, css: &str) -> Element {
        let wait = self.client.wait().at_most(Duration::from_secs(10));
        wait.for_element(Locator::Css(css)).await.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    pub(crate) async fn text(&self, css: &str) -> String {
        self.find(css).await.text().await.unwrap()
    }

    /// Runs statements in the page.
    pub(crate) async fn run(&self, script: &str) {
        self.client.execute(script, Vec::new()).await.unwrap();
    }

    /// The value of a JavaScript expression.
    pub(crate) async fn value(&self, script: &str) -> Value {
        self.client.execute(&format!("return {script}"), Vec::new()).await.unwrap()
    }

    /// Waits until the page has a body, and then until a JavaScript expression is true.
    pub(crate) async fn until(&self, script: &str) {
        self.until_within(Duration::from_secs(20), script).await;
    }

    pub(crate) async fn until_within(&self, most: Duration, script: &str) {
        let begun = Instant::now();
        let loaded = format!("document.body !== null && ({script})");
        while self.value(&loaded).await != Value::Bool(true) {
            if begun.elapsed() > most {
                let text = self.value("document.body.innerText").await;
                panic!(
                    "never true: {script}\n{}\n{:?}",
                    text.as_str().unwrap_or_default(),
                    self.errors().await
                );
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    }

    /// Opens the analysis of a link, and waits until the board is there.
    pub(crate) async fn analyse(&self, link: &str) {
        self.client.goto("about:blank").await.unwrap();
        self.goto(&format!("/a#{link}")).await;
        self.until("document.querySelectorAll('#engine option').length > 0").await;
    }

    /// Clicks on a cell, and waits for the position after `plies` moves.
    pub(crate) async fn click(&self, cell: &str, plies: usize) {
        self.find(&format!("[data-cell='{cell}']")).await.click().await.unwrap();
        self.plies(plies).await;
    }

    /// Waits for the position after this number of moves.
    pub(crate) async fn plies(&self, plies: usize) {
        self.until(&format!("document.querySelectorAll('#moves td').length === {plies}")).await;
    }

    pub(crate) async fn keys(&self, keys: &str) {
        self.client.active_element().await.unwrap().send_keys(keys).await.unwrap();
    }

    async fn session(&self) -> String {
        let id = self.client.session_id().await.unwrap().unwrap();
        format!("{}/session/{id}", self.driver_address)
    }

    /// Lets the next `count` requests for a position fail.
    pub(crate) async fn refuse_views(&self, count: u32) {
        let script = "const real = window.fetch; let left = COUNT;
            window.fetch = (what, ...rest) => String(what).includes('/api/view') && left-- > 0
              ? Promise.reject(new TypeError('cut')) : real(what, ...rest);";
        self.run(&script.replace("COUNT", &count.to_string())).await;
    }

    /// A command of the protocol of Chrome's tools for developers.
    pub(crate) async fn devtools(&self, command: &Value) {
        post(&format!("{}/goog/cdp/execute", self.session().await), &command.to_string()).await;
    }

    /// The messages of errors in the console of the browser.
    pub(crate) async fn errors(&self) -> Vec<String> {
        let body = post(&format!("{}/se/log", self.session().await), r#"{"type":"browser"}"#).await;
        let entries = body["value"].as_array().cloned().unwrap_or_default();
        // An answer that is no page has no icon, and the browser asks for one.
        let icon =
            |entry: &&Value| entry["message"].as_str().is_some_and(|text| text.contains("/favicon.ico "));
        let severe = entries.iter().filter(|entry| entry["level"] == "SEVERE" && !icon(entry));
        severe.map(|entry| entry["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Writes a picture into the folder `STONEWORK_SCREENSHOTS`, if that is set.
    pub(crate) async fn screenshot(&self, name: &str) {
        if let Some(folder) = std::env::var_os("STONEWORK_SCREENSHOTS").map(PathBuf::from) {
            std::fs::create_dir_all(&folder).unwrap();
            let picture = self.client.screenshot().await.unwrap();
            std::fs::write(folder.join(format!("{name}.png")), picture).unwrap();
        }
    }
}
