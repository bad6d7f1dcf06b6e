//! The laws on a real NATS server, which each test starts for itself on a free port of this machine. To run them:
//! `apt-get install nats-server`, then `cargo test -p stonework-farm --features nats -- --include-ignored`.

mod server;

use std::sync::Arc;
use std::time::Duration;

use server::Server;
use stonework_farm::laws::{self, Carrier};
use stonework_farm::{JetStream, JetStreamOptions, Queue};

impl Carrier for Server {
    fn connect(&self) -> Arc<dyn Queue> {
        let options = JetStreamOptions { term: Duration::from_millis(800), ..JetStreamOptions::default() };
        Arc::new(JetStream::connect(&self.url(), options).unwrap())
    }

    fn interrupt(&self) {
        self.kill();
        self.start();
    }
}

#[test]
#[ignore = "needs nats-server: apt-get install nats-server"]
fn a_server_keeps_the_laws_of_queues() {
    laws::queue(|| Server::new("")).unwrap();
}

#[test]
#[ignore = "needs nats-server: apt-get install nats-server"]
fn a_farm_on_a_server_keeps_its_laws() {
    laws::farm(|| Server::new("")).unwrap();
}
