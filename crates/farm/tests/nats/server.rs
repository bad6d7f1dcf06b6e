//! A NATS server of a test's own.

use std::fs::File;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use stonework_farm::{JetStream, JetStreamOptions, Queue as _};

use crate::port::free_port;

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
        let port = free_port();
        let store = folder.join("store");
        let store = store.display();
        let text = format!("listen: 127.0.0.1:{port}\njetstream {{ store_dir: \"{store}\" }}\n{more}\n");
        std::fs::write(folder.join("server.conf"), text).unwrap();
        let server = Self { folder, port, process: Mutex::new(None) };
        server.start();
        server
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://{}", self.address())
    }

    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Starts the server, and waits until it answers.
    pub(crate) fn start(&self) {
        let log = self.folder.join("server.log");
        let child = Command::new("nats-server")
            .arg("-c")
            .arg(self.folder.join("server.conf"))
            .stdout(Stdio::null())
            .stderr(File::create(&log).unwrap())
            .spawn()
            .expect("nats-server: apt-get install nats-server");
        *self.process.lock().unwrap() = Some(child);
        let since = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let has_ended = self.has_ended();
            if has_ended || since.elapsed() > Duration::from_secs(60) {
                let does = if has_ended { "has ended" } else { "does not answer" };
                panic!("the server {does}: {}", std::fs::read_to_string(log).unwrap());
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Whether the server has ended by itself.
    fn has_ended(&self) -> bool {
        let mut process = self.process.lock().unwrap();
        process.as_mut().is_some_and(|child| child.try_wait().unwrap().is_some())
    }

    /// Ends the server as `kill -9` does.
    pub(crate) fn kill(&self) {
        if let Some(mut child) = self.process.lock().unwrap().take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

/// Three servers that are one cluster.
pub(crate) struct Cluster {
    servers: [Server; 3],
    /// The number of interruptions so far.
    count: AtomicU32,
}

impl Cluster {
    /// Starts three servers, and waits until they have a leader, by a queue of their own.
    pub(crate) fn new() -> Self {
        let ports = [(); 3].map(|()| free_port());
        let routes = ports.map(|port| format!("nats://127.0.0.1:{port}")).join(", ");
        let servers = ports.map(|port| {
            Server::new(&format!(
                "server_name: s{port}\ncluster {{ name: farm, listen: 127.0.0.1:{port}, routes: [{routes}] }}"
            ))
        });
        let cluster = Self { servers, count: AtomicU32::new(0) };
        cluster.wait();
        cluster
    }

    pub(crate) fn urls(&self) -> String {
        self.servers.each_ref().map(Server::url).join(",")
    }

    /// Waits until a queue of three replicas can be made.
    fn wait(&self) {
        let options =
            JetStreamOptions { campaign: "first".to_owned(), replicas: 3, ..JetStreamOptions::default() };
        let queue = JetStream::connect(&self.urls(), options).unwrap();
        let since = Instant::now();
        while let Err(error) = queue.decided() {
            assert!(since.elapsed() < Duration::from_secs(60), "no cluster: {error}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ends one server after another as `kill -9` does, one at each call. Returns it.
    pub(crate) fn kill_one(&self) -> &Server {
        let server = &self.servers[self.count.fetch_add(1, Ordering::Relaxed) as usize % 3];
        server.kill();
        server
    }

    /// Ends all servers as `kill -9` does, and starts them again.
    pub(crate) fn interrupt_all(&self) {
        self.servers.iter().for_each(Server::kill);
        self.servers.iter().for_each(Server::start);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
