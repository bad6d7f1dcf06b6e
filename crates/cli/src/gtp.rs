//! `gtp`: the games and players of Stonework for any controller of the Go Text Protocol.

use std::io::{self, BufReader};

use clap::Args;
use stonework_board::Notation;
use stonework_gtp::{Server, SessionHost, SessionHostOptions};
use stonework_roster::{PlayerConfig, PlayerSpec};
use stonework_session::{Fault, Registry, Start};

use crate::engines::{Budget, refuse_endless};
use crate::explore::ProofArgs;
use crate::failure::Failure;
use crate::help;
use crate::out::Out;
use crate::start::{GameArgs, SwapArgs, any_size, number};

/// Play for a controller or graphical front end (GTP version 2)
#[derive(Args)]
#[command(long_about = help::GTP_ABOUT, after_long_help = help::GTP)]
pub(crate) struct Gtp {
    #[command(flatten)]
    game: GameArgs,
    /// Cells on a side of the board, until a command `boardsize`: Havannah 10, Cachex 8, Cover 4 unless given
    #[arg(long, value_name = "N", value_parser = any_size, allow_negative_numbers = true)]
    size: Option<u64>,
    #[command(flatten)]
    swap: SwapArgs<true>,
    /// The notation of cells, until a command such as `gridcoords`: hgui, grid, rogers or web
    #[arg(long, value_name = "NOTATION", default_value = "hgui")]
    notation: Notation,
    /// Use the conventions of `GoGui`'s tools (Havannah): black begins, a size is the number of rows, places are columns
    /// without the letter i and rows from below, and there is no swap
    #[arg(long, conflicts_with_all = ["swap", "notation"])]
    gogui: bool,
    /// The player, NAME or NAME:OPTION=VALUE,…; unless given, champion, cachex, cover
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Think also while the other side does, after each `genmove` until the next command
    #[arg(long)]
    ponder: bool,
    #[command(flatten)]
    proof: ProofArgs,
    #[command(flatten)]
    budget: Budget,
}

impl Gtp {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let game = self.game.of(registry)?;
        let standard = game.description();
        if self.notation != Notation::default() && !standard.notations.contains(&self.notation.name()) {
            // A game with one notation refuses another one in the words of every command.
            let start = game.start(&Start::of_size(standard.usual_size.into())).map_err(Failure::input)?;
            start.notation(Some(self.notation.name())).map_err(Failure::input)?;
        }
        let roster = self.budget.roster(game, self.proof.load()?)?;
        let config = PlayerConfig { limits: self.budget.limits(), ..self.budget.config() };
        let options = SessionHostOptions {
            size: self.size,
            swap: self.swap.given(),
            notation: number(&standard, self.notation),
            gogui: self.gogui,
            roster: Some(roster.clone()),
            config: config.clone(),
        };
        let host = SessionHost::new(game, options).map_err(|fault: Fault| match &*fault.kind {
            "gogui" => Failure::input(format!("--gogui: {fault}")),
            _ => Failure::input(fault),
        })?;
        let player = self.engine.as_deref().unwrap_or(game.usual_player());
        // Words that are no player are refused by the server, in the words of the protocol.
        if let Ok(spec) = player.parse::<PlayerSpec>()
            && let Ok((_, limits)) = spec.limited(&config.limits)
        {
            refuse_endless(&roster, &spec.name, &limits).map_err(Failure::input)?;
        }
        let mut server = Server::new(host, player, self.budget.seed).map_err(Failure::input)?;
        server = server.pondering(self.ponder);
        Ok(server.serve(BufReader::new(io::stdin()), out)?)
    }
}
