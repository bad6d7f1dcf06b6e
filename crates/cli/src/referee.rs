//! `referee`: a player for somebody else's referee, over a protocol of lines.

use std::io::{self, BufReader, Write};
use std::time::Duration;

use clap::{Args, ValueEnum};
use stonework_cachex::{MAX_SIZE, MIN_SIZE, Move, Position, colour};
use stonework_cachex_players::{Expert, Weights, roster};
use stonework_game::{Game, Player, Textual};
use stonework_oracle::Lines;
use stonework_roster::PlayerConfig;
use stonework_roster::{Agent, Clock, Decision};
use stonework_search::Limits;

use crate::failure::Failure;
use crate::help;
use crate::out::Out;
use crate::start::seconds;

/// Longer lines are refused.
const MAX_LINE: usize = 200;

/// Play under the referee of another program: a line in, a line out (Cachex)
#[derive(Args)]
#[command(long_about = help::REFEREE_ABOUT, after_long_help = help::REFEREE)]
pub(crate) struct Referee {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "cachex")]
    game: Foreign,
    /// The side to play, until a command `init`
    #[arg(long, value_name = "SIDE", requires = "size")]
    player: Option<Side>,
    /// Cells on a side of the board, 3 to 15, until a command `init`
    #[arg(long, value_name = "N", requires = "player", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u8).range(MIN_SIZE as i64..=MAX_SIZE as i64))]
    size: Option<u8>,
    /// The player
    #[arg(long, value_name = "NAME", default_value = "cachex", value_parser = name)]
    engine: String,
    /// For the player cachex, seconds of processor time for a game, N² unless given; for others, seconds for a move, 1 unless
    /// given
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<Duration>,
    /// Mebibytes for the table
    #[arg(long, value_name = "MIB", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    mebibytes: u32,
    /// Seed of all random choices
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
}

/// The games that other referees play.
#[derive(Clone, Copy, ValueEnum)]
enum Foreign {
    /// The referee of COMP30024 (2022).
    Cachex,
}

/// A side as the referee calls it.
#[derive(Clone, Copy, ValueEnum)]
enum Side {
    Red,
    Blue,
}

impl Side {
    const fn player(self) -> Player {
        match self {
            Self::Red => Player::First,
            Self::Blue => Player::Second,
        }
    }
}

fn name(text: &str) -> Result<String, String> {
    roster().agent(text, &PlayerConfig::default()).map(|_| text.to_owned()).map_err(|error| error.to_string())
}

impl Referee {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Failure> {
        if out.wants_json() {
            return Err(Failure::input("--json: the lines of this protocol have a form of their own"));
        }
        let Foreign::Cachex = self.game;
        let mut game = match (self.player, self.size) {
            (Some(side), Some(size)) => Some(self.begin(side.player(), size).map_err(Failure::input)?),
            _ => None,
        };
        let mut input = BufReader::new(io::stdin().lock());
        while let Some(line) = Lines::new(&mut input, MAX_LINE).next() {
            let line = line.map_err(|e| Failure::input(format!("standard input: {e}")))?;
            let answer = line.text(MAX_LINE).and_then(|text| self.answer(&mut game, &text));
            let quit = matches!(&answer, Ok(Answer::Quit));
            match answer {
                Ok(Answer::Done | Answer::Quit) => writeln!(out, "ok")?,
                Ok(Answer::Action(action)) => writeln!(out, "{action}")?,
                Err(what) => writeln!(out, "error: {what}")?,
            }
            out.flush()?;
            if quit {
                break;
            }
        }
        Ok(())
    }

    /// A game of our player's as one of the sides.
    fn begin(&self, side: Player, size: u8) -> Result<Session, String> {
        let position = Position::new(size).map_err(|e| e.to_string())?;
        let bytes = Limits::none().bytes((self.mebibytes as usize) << 20);
        let agent: Box<dyn Agent<Position>> = if self.engine == "cachex" {
            let whole = f64::from(size) * f64::from(size);
            let part = self.seconds.map_or(1.0, |time| time.as_secs_f64() / whole);
            let expert = Expert::new(Weights::default(), Limits::none(), (self.mebibytes as usize) << 20);
            Box::new(expert.map_err(|e| e.to_string())?.budgeted(part))
        } else {
            let limits = bytes.time(self.seconds.unwrap_or(Duration::from_secs(1)));
            let config = PlayerConfig { limits, seed: self.seed, ..PlayerConfig::default() };
            roster().agent(&self.engine, &config).map_err(|e| e.to_string())?
        };
        Ok(Session { side, position, agent })
    }

    /// What a command comes to; an error leaves everything as it was.
    fn answer(&self, game: &mut Option<Session>, line: &str) -> Result<Answer, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["init", side, size] => {
                let side = side_of(side)?;
                let number = size.parse().ok().filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size));
                let Some(number) = number else {
                    return Err(format!("no board of size `{size}`: {MIN_SIZE} to {MAX_SIZE}"));
                };
                *game = Some(self.begin(side, number)?);
                Ok(Answer::Done)
            }
            ["quit"] => Ok(Answer::Quit),
            ["action"] | ["turn", ..] => {
                let Some(session) = game else {
                    return Err("no game: `init red|blue N` begins one".to_owned());
                };
                if words == ["action"] { session.action() } else { session.turn(&words[1..]) }
            }
            _ => Err(format!(
                "`{}` is no command: `init red|blue N`, `action`, `turn red|blue PLACE R Q`, `turn blue STEAL` or `quit`",
                line.trim()
            )),
        }
    }
}

/// What a command is answered with.
enum Answer {
    Done,
    Action(String),
    Quit,
}

/// A game that our player takes part in.
struct Session {
    side: Player,
    position: Position,
    agent: Box<dyn Agent<Position>>,
}

fn side_of(text: &str) -> Result<Player, String> {
    let side = Player::BOTH.into_iter().find(|&player| colour(player) == text);
    side.ok_or_else(|| format!("`{text}` is no side: red or blue"))
}

impl Session {
    /// Our player's action, which is played only when it comes back as a turn.
    fn action(&mut self) -> Result<Answer, String> {
        if let Some(ending) = self.position.ending() {
            return Err(format!("the game is over: {ending}"));
        }
        let mover = self.position.to_move();
        if mover != self.side {
            return Err(format!("{} is to move, not {}", colour(mover), colour(self.side)));
        }
        match self.agent.decide(&self.position, &Clock::NONE) {
            Some(Decision::Play(Move::Place(cell))) => {
                let (r, q) = self.position.coordinates(cell);
                Ok(Answer::Action(format!("PLACE {r} {q}")))
            }
            Some(Decision::Play(Move::Steal)) => Ok(Answer::Action("STEAL".to_owned())),
            Some(Decision::Resign) | None => Err("there is nothing to play".to_owned()),
        }
    }

    /// An action that was played, by either side.
    fn turn(&mut self, words: &[&str]) -> Result<Answer, String> {
        let (side, action) = match words {
            [side, action @ ..] if !action.is_empty() => (side_of(side)?, action),
            _ => return Err("`turn red|blue PLACE R Q` or `turn blue STEAL`".to_owned()),
        };
        let mover = self.position.to_move();
        if side != mover && self.position.ending().is_none() {
            return Err(format!("{} is to move, not {}", colour(mover), colour(side)));
        }
        let mv = match action {
            ["STEAL"] => Move::Steal,
            ["PLACE", r, q] => self.position.parse_move(&format!("{r},{q}")).map_err(|e| e.to_string())?,
            _ => return Err(format!("`{}` is no action: `PLACE R Q` or `STEAL`", action.join(" "))),
        };
        self.position.play(mv).map_err(|e| e.to_string())?;
        Ok(Answer::Done)
    }
}
