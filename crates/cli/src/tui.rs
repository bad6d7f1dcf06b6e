//! `tui`: the games in a terminal.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use stonework_game::Indexed;
use stonework_havannah::{Move, Position};
use stonework_havannah_solver::{Explorer, HavannahBook};
use stonework_search::Limits;
use stonework_session::{AnyMove, Registry};
use stonework_tui::{App, ExactValues, MoveValue, TimeControl, TuiOptions, read_record_file, run};

use crate::engines::{Budget, interrupted};
use crate::explore::ProofArgs;
use crate::failure::Failure;
use crate::help;
use crate::out::Out;
use crate::start::StartArgs;

/// Play, analyse and read records on a board in the terminal
#[derive(Args)]
#[command(long_about = help::TUI_ABOUT, after_long_help = help::TUI)]
pub(crate) struct Tui {
    #[command(flatten)]
    start: StartArgs<true>,
    /// An SGF file to open
    #[arg(value_name = "FILE", conflicts_with_all = ["size", "swap", "no_swap", "position", "moves"])]
    file: Option<PathBuf>,
    /// The player of the first side, as `match` names it; a person unless given
    #[arg(long, value_name = "NAME", visible_alias = "white")]
    first: Option<String>,
    /// The player of the second side; a person unless given
    #[arg(long, value_name = "NAME", visible_alias = "black")]
    second: Option<String>,
    /// Play by a clock: seconds for the game, and perhaps seconds more for each move
    #[arg(long, value_name = "T[+I]")]
    clock: Option<TimeControl>,
    /// Let players think while the other side does
    #[arg(long)]
    ponder: bool,
    /// Draw without colours, as with the environment variable `NO_COLOR`
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    proof: ProofArgs,
    #[command(flatten)]
    budget: Budget,
}

impl Tui {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let game = registry.game(self.start.game()).map_err(Failure::input)?;
        let proof = self.proof.load()?;
        let players = self.budget.roster(game, proof.clone())?;
        let mut options = TuiOptions::new(registry.clone().with(game.clone().players(players)), game.name());
        (options.start, options.moves) = self.start.options(&game.description());
        options.notation = self.start.notation().map(|notation| notation.name().to_owned());
        options.players = [self.first.clone(), self.second.clone()];
        (options.clock, options.search) = (self.clock, self.budget.search());
        options.ponders = self.ponder;
        options.plain = self.plain || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        options.values = proof.map(values);
        if let Some(path) = &self.file {
            let bytes = read_record_file(path);
            let bytes = bytes.map_err(|e| Failure::input(format!("{}: {e}", path.display())))?;
            options.record = Some((path.clone(), bytes));
        }
        let mut app = App::new(options).map_err(Failure::input)?;
        run(&mut app, &**out.disk(), &interrupted()).map_err(Failure::input)
    }
}

/// The values of the moves by a proof, or by the solver where the proof is silent.
fn values(book: Arc<HavannahBook>) -> ExactValues {
    Arc::new(move |position, cancel| {
        let none = || "a proof is about Havannah".to_owned();
        let game = position.downcast_ref::<Position>().cloned().ok_or_else(none)?;
        let limits = Limits::none().cancel(Arc::clone(cancel));
        let mut explorer = Explorer::new(&book, game.clone(), limits, 1).map_err(|why| why.to_string())?;
        let value = |(cell, known): (_, stonework_havannah_solver::KnownValue)| {
            let mv = AnyMove(game.move_index(Move::Place(cell)) as u32);
            MoveValue { mv, outcome: known.value, plies: known.plies, source: known.source.name() }
        };
        Ok(explorer.values().into_iter().map(value).collect())
    })
}
