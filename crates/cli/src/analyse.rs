//! `analyse`: findings about a position, in sentences.

use std::io::Write;

use clap::Args;
use stonework_session::{AnyPosition, Layer, LayerBudget, Registry};

use crate::failure::Failure;
use crate::help;
use crate::out::Out;
use crate::start::{StartArgs, split};

/// Say what is known of a position: links, frames, threats, must-play, distances
#[derive(Args)]
#[command(long_about = help::ANALYSE_ABOUT, after_long_help = help::ANALYSE)]
pub(crate) struct Analyse {
    #[command(flatten)]
    start: StartArgs,
    /// The layers by name, separated by commas; all that the game has unless given
    #[arg(long, value_name = "LIST", default_value = "", hide_default_value = true)]
    layers: String,
    /// Cells of the carrier of a link at most
    #[arg(long, value_name = "N", default_value_t = LayerBudget::default().carrier)]
    carrier: usize,
    /// Pairs of links that are put together at most
    #[arg(long, value_name = "N", default_value_t = LayerBudget::default().combinations)]
    combinations: u64,
    /// Findings of each side at most
    #[arg(long, value_name = "N", default_value_t = LayerBudget::default().findings)]
    findings: usize,
}

/// The layers of a list.
pub(crate) fn layers(
    position: &AnyPosition,
    list: &str,
    notation: usize,
    budget: &LayerBudget,
) -> Result<Vec<Layer>, Failure> {
    let names: Vec<&str> = split(list).collect();
    position.find_layers(&names, notation, budget).map_err(|fault| match fault.kind.as_str() {
        "layer" => Failure::input(format!("--layers: {fault}")),
        "budget" => Failure::input(format!("--{fault}")),
        _ => Failure::input(fault),
    })
}

impl Analyse {
    pub(crate) fn run(&self, registry: &Registry, out: &mut Out) -> Result<(), Failure> {
        let position = self.start.play_any(registry)?.open()?.position;
        let notation = self.start.notation_in(&position.description());
        let Self { carrier, combinations, findings, .. } = *self;
        let budget = LayerBudget { carrier, combinations, findings };
        for layer in layers(&position, &self.layers, notation, &budget)? {
            if out.wants_json() {
                out.object(&layer)?;
            } else {
                writeln!(out, "{}\n  {}", layer.layer, layer.text().replace('\n', "\n  "))?;
            }
        }
        Ok(())
    }
}
