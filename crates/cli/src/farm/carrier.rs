//! The queue of a command: a directory, or a server.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use stonework_farm::{Embedded, EmbeddedOptions, Queue};

use crate::failure::Failure;

/// The queue.
#[derive(Args, Clone)]
pub(crate) struct CarrierArgs {
    /// The directory of the journal and, without --server, of the queue
    #[arg(long, value_name = "DIR", required_unless_present = "server")]
    pub(crate) dir: Option<PathBuf>,
    /// A NATS server, or several with commas, such as `nats://127.0.0.1:4222`
    #[arg(long, value_name = "URL")]
    pub(crate) server: Option<String>,
    #[command(flatten)]
    pub(crate) link: LinkArgs,
}

/// The way to the queue.
#[derive(Args, Clone)]
pub(crate) struct LinkArgs {
    /// The name of the campaign on the server
    #[arg(long, value_name = "NAME", default_value = "farm", hide_short_help = true)]
    campaign: String,
    /// Seconds until a lost worker's job is free (coordinator)
    #[arg(long, value_name = "T", default_value = "10", value_parser = crate::start::seconds, hide_short_help = true)]
    term: std::time::Duration,
    /// Servers that hold each object of the queue (coordinator)
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=5), hide_short_help = true)]
    replicas: u32,
    /// A file of credentials for the server, as nsc writes it
    #[arg(long, value_name = "FILE", conflicts_with = "login", hide_short_help = true)]
    credentials: Option<PathBuf>,
    /// A file with USER:PASSWORD, or the seed of an nkey, for the server
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    login: Option<PathBuf>,
    /// A file of certificates that vouch for the server; asks for TLS
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    roots: Option<PathBuf>,
}

impl LinkArgs {
    /// Refuses an option that would have no effect: without a server those for a server, and without a queue `--term`, too.
    pub(crate) fn check(&self, has_queue: bool) -> Result<(), Failure> {
        let given = [
            ("--campaign", self.campaign != "farm"),
            ("--replicas", self.replicas != 1),
            ("--credentials", self.credentials.is_some()),
            ("--login", self.login.is_some()),
            ("--roots", self.roots.is_some()),
            ("--term", !has_queue && self.term != Duration::from_secs(10)),
        ];
        let Some((name, _)) = given.into_iter().find(|(_, is_given)| *is_given) else { return Ok(()) };
        Err(Failure::input(if has_queue {
            format!("{name} is for a queue on a server, and this queue is in a directory")
        } else {
            format!("{name} needs --farm")
        }))
    }
}

impl CarrierArgs {
    /// `false` if the queue is a directory without a campaign.
    fn has_begun(&self) -> bool {
        self.server.is_some() || self.dir.as_ref().is_some_and(|dir| dir.join("farm.db").exists())
    }

    /// Waits until a campaign begins in the directory, at most a time or until `stop`.
    pub(crate) fn wait(&self, time: Duration, stop: &AtomicBool) {
        let since = Instant::now();
        while !self.has_begun() && since.elapsed() < time && !stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Opens the queue. `makes` is `true` for a coordinator.
    pub(crate) fn open(&self, makes: bool) -> Result<Arc<dyn Queue>, Failure> {
        if let Some(server) = &self.server {
            return self.connect(server, makes);
        }
        let Some(dir) = &self.dir else { return Err(Failure::input("--dir or --server is needed")) };
        self.link.check(true)?;
        if !makes && !self.has_begun() {
            return Err(Failure::input(format!("--dir {}: no campaign is here", dir.display())));
        }
        let options = EmbeddedOptions { term: self.link.term, ..EmbeddedOptions::default() };
        let queue = Embedded::open(dir, &options).map_err(Failure::input)?;
        Ok(Arc::new(queue))
    }

    #[cfg(not(feature = "nats"))]
    fn connect(&self, server: &str, _: bool) -> Result<Arc<dyn Queue>, Failure> {
        let options = [&self.link.credentials, &self.link.login, &self.link.roots];
        let LinkArgs { campaign, replicas, .. } = &self.link;
        let given = options.into_iter().flatten().count();
        Err(Failure::input(format!(
            "--server {server} (campaign {campaign}, {replicas} replicas, {given} files): this program is built without the feature `nats`: \
             cargo build --release --features nats"
        )))
    }

    #[cfg(feature = "nats")]
    fn connect(&self, server: &str, makes: bool) -> Result<Arc<dyn Queue>, Failure> {
        use stonework_farm::{JetStream, JetStreamOptions, Login};
        let login = match (&self.link.credentials, &self.link.login) {
            (Some(file), _) => Login::Credentials(file.clone()),
            (None, Some(file)) => {
                let failed = |error| Failure::input(format!("--login {}: {error}", file.display()));
                let text = std::fs::read_to_string(file).map_err(failed)?;
                match text.trim().split_once(':') {
                    Some((user, password)) => {
                        Login::Password { user: user.to_owned(), password: password.to_owned() }
                    }
                    None => Login::Nkey(text.trim().to_owned()),
                }
            }
            (None, None) => Login::None,
        };
        let (roots, tls) = (self.link.roots.clone(), self.link.roots.is_some());
        let LinkArgs { campaign, term, replicas, .. } = self.link.clone();
        let certificate = None;
        let options = JetStreamOptions { campaign, term, makes, replicas, login, roots, certificate, tls };
        let queue = JetStream::connect(server, options).map_err(Failure::input)?;
        Ok(Arc::new(queue))
    }
}
