//! `referee`: a player under the referee of another program, over a protocol of lines.

use std::io::{self, BufReader, Write};
use std::time::Duration;

use clap::{Args, ValueEnum};
use stonework_cachex::{MAX_SIZE, MIN_SIZE};
use stonework_cachex_players::{RefereeAnswer, RefereeOptions, RefereePlayer, roster};
use stonework_game::Player;
use stonework_oracle::Lines;
use stonework_roster::PlayerConfig;

use crate::engines::bytes;
use crate::failure::Failure;
use crate::help;
use crate::out::Out;
use crate::start::{seconds, seed};

/// The largest number of bytes of a line. Longer lines are refused.
const MAX_LINE: usize = 200;

/// Play under the referee of another program: a line in, a line out (Cachex)
#[derive(Args)]
#[command(long_about = help::REFEREE_ABOUT, after_long_help = help::REFEREE)]
pub(crate) struct Referee {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "cachex")]
    game: Foreign,
    /// The side to play, until a command `init`
    #[arg(long, value_name = "SIDE", requires = "size", value_parser = ["red", "blue"])]
    player: Option<String>,
    /// Cells on a side of the board, 3 to 15, until a command `init`
    #[arg(long, value_name = "N", requires = "player", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u8).range(MIN_SIZE as i64..=MAX_SIZE as i64))]
    size: Option<u8>,
    /// The player
    #[arg(long, value_name = "NAME", default_value = "cachex", value_parser = name)]
    engine: String,
    /// Seconds of processor time for a game of the player cachex, N² unless given; for others, seconds for a move, 1 unless
    /// given
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<Duration>,
    /// Memory for the table, such as 64MiB
    #[arg(long, value_name = "BYTES", default_value = "32MiB", value_parser = bytes)]
    memory: usize,
    /// The memory in mebibytes: the name of the option in 0.1.0
    #[arg(long, value_name = "MIB", hide = true, conflicts_with = "memory", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    mebibytes: Option<u32>,
    /// Seed of all random choices
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
}

/// The games that other referees play. Cachex has the referee of COMP30024 (2022).
#[derive(Clone, Copy, ValueEnum)]
enum Foreign {
    Cachex,
}

/// The name of a player, checked.
fn name(text: &str) -> Result<String, String> {
    roster().agent(text, &PlayerConfig::default()).map(|_| text.to_owned()).map_err(|error| error.to_string())
}

impl Referee {
    /// The most bytes of the table.
    fn bytes(&self) -> usize {
        self.mebibytes.map_or(self.memory, |mebibytes| (mebibytes as usize) << 20)
    }

    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        let Foreign::Cachex = self.game;
        let mut player = RefereePlayer::new(RefereeOptions {
            engine: self.engine.clone(),
            time: self.seconds,
            bytes: self.bytes(),
            seed: self.seed,
        });
        if let (Some(side), Some(size)) = (&self.player, self.size) {
            let side = if side == "red" { Player::First } else { Player::Second };
            player.begin(side, size).map_err(Failure::input)?;
        }
        let mut input = BufReader::new(io::stdin().lock());
        while let Some(line) = Lines::new(&mut input, MAX_LINE).next() {
            let line = line.map_err(|e| Failure::input(format!("standard input: {e}")))?;
            let answer = line.text(MAX_LINE).and_then(|text| player.answer(&text));
            match &answer {
                Ok(RefereeAnswer::Done | RefereeAnswer::Quit) => writeln!(out, "ok")?,
                Ok(RefereeAnswer::Action(action)) => writeln!(out, "{action}")?,
                Err(what) => writeln!(out, "error: {what}")?,
            }
            out.flush()?;
            if answer == Ok(RefereeAnswer::Quit) {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::Referee;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        referee: Referee,
    }

    fn bytes(words: &str) -> Result<usize, String> {
        let words = ["referee"].into_iter().chain(words.split_whitespace());
        Line::try_parse_from(words).map(|line| line.referee.bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn memory_has_a_unit_and_its_old_name_counts_mebibytes() {
        assert_eq!(bytes(""), Ok(32 << 20));
        assert_eq!(bytes("--memory 3MiB"), Ok(3 << 20));
        assert_eq!(bytes("--mebibytes 3"), Ok(3 << 20));
        assert!(bytes("--mebibytes 0").unwrap_err().contains("0 is not in 1..=65536"));
        assert!(bytes("--memory 3MB").unwrap_err().contains("no unit `MB`"));
        assert!(bytes("--memory 3MiB --mebibytes 3").unwrap_err().contains("cannot be used with"));
    }
}
