//! The program `stonework-server`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use stonework_server::{Config, ServerApp, serve_port};
use tokio::net::TcpListener;

/// Serves games on a page in the browser and on ports for programs.
///
/// Without options, the server listens on 127.0.0.1:7171, keeps its games in the file games.db of this folder, and can be reached from this
/// machine only.
#[derive(Parser, Debug)]
#[command(name = "stonework-server", version)]
struct Arguments {
    /// Read the configuration from a file: ports for programs, engines, limits
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Keep the games in this file [default: games.db]
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Serve the page on this address [default: 127.0.0.1:7171]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,
    /// Allow addresses that other machines reach. The configuration must have the line origin = "https://…"
    #[arg(long)]
    public: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("stonework-server: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn bind(address: SocketAddr) -> Result<TcpListener, String> {
    TcpListener::bind(address).await.map_err(|error| format!("cannot listen on {address}: {error}"))
}

async fn run(arguments: Arguments) -> Result<(), Box<dyn std::error::Error>> {
    let mut config = match &arguments.config {
        Some(path) => Config::read(path)?,
        None => Config::default(),
    };
    config.data = arguments.data.unwrap_or(config.data);
    config.listen = arguments.listen.unwrap_or(config.listen);
    config.public |= arguments.public;
    let listen = config.listen;
    let ports = config.port.clone();
    let app = ServerApp::open(config).await?;
    for port in ports {
        let listener = bind(port.listen).await?;
        println!("port {}: {} of size {}", listener.local_addr()?, port.game, port.size);
        tokio::spawn(serve_port(app.clone(), port, listener));
    }
    let listener =
        TcpListener::bind(listen).await.map_err(|error| format!("cannot listen on {listen}: {error}"))?;
    println!("http://{}/", listener.local_addr()?);
    stonework_server::serve(app, listener).await?;
    Ok(())
}
