//! The built program in a process of its own.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use super::Folder;

/// The running program with one port. It is killed with this value.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    /// The address of the port, as `HOST:NUMBER`.
    pub(crate) port: String,
    /// The address of the page, as `HOST:NUMBER`.
    pub(crate) page: String,
}

impl Running {
    /// Starts the program with a port for Havannah of a size. Its database is in the folder, from one start to the next.
    pub(crate) fn start(folder: &Folder, size: u8) -> Self {
        let config = folder.0.join("server.toml");
        let text = format!(
            "[limits]\nconnections_per_address = 1000\nrequests_per_second = 100000\nburst = 100000\n\n\
             [[port]]\nlisten = \"127.0.0.1:0\"\ngame = \"havannah\"\nsize = {size}\n"
        );
        std::fs::write(&config, text).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_stonework-server"))
            .args(["--listen", "127.0.0.1:0", "--data"])
            .arg(folder.data())
            .arg("--config")
            .arg(&config)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut line = || lines.next().unwrap().unwrap();
        let (port, page) = (line(), line());
        let port = port.split_whitespace().nth(1).unwrap().trim_end_matches(':').to_owned();
        let page = page.strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
        Self { child, port, page }
    }

    /// Kills the program as `kill -9` does.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// A figure of the process, in kibibytes: a name of `/proc/PID/status`.
    pub(crate) fn memory(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
