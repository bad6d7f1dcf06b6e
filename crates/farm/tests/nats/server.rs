//! A NATS server of a test's own.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A server on a free port of this machine, with a directory of its own. It ends with this value.
pub(crate) struct Server {
    folder: PathBuf,
    port: u16,
    process: Mutex<Option<Child>>,
}

impl Server {
    /// Starts a server, with more lines for its configuration.
    pub(crate) fn new(more: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("stonework-nats-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let store = folder.join("store");
        let store = store.display();
        let text = format!("listen: 127.0.0.1:{port}\njetstream {{ store_dir: \"{store}\" }}\n{more}\n");
        std::fs::write(folder.join("server.conf"), text).unwrap();
        let server = Self { folder, port, process: Mutex::new(None) };
        server.start();
        server
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Starts the server, and waits until it answers.
    pub(crate) fn start(&self) {
        let child = Command::new("nats-server")
            .arg("-c")
            .arg(self.folder.join("server.conf"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("nats-server: apt-get install nats-server");
        *self.process.lock().unwrap() = Some(child);
        let since = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(since.elapsed() < Duration::from_secs(20), "the server does not answer");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends the server as `kill -9` does.
    pub(crate) fn kill(&self) {
        if let Some(mut child) = self.process.lock().unwrap().take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
