//! [`RefereePlayer`]: a player under the referee of the course COMP30024 (2022), by lines of text.

use std::time::Duration;

use stonework_cachex::{MAX_SIZE, MIN_SIZE, Move, Position, colour};
use stonework_game::text::head;
use stonework_game::{Game, Player, Textual};
use stonework_roster::{Agent, Clock, Decision, PlayerConfig};
use stonework_search::Limits;

use crate::{Expert, Weights, roster};

/// The options of a [`RefereePlayer`].
#[derive(Clone, PartialEq, Debug)]
pub struct RefereeOptions {
    /// The name of a player of the [`roster`].
    pub engine: String,
    /// For the player `cachex`, the processor time for a game, n² seconds unless given; for other players, the time
    /// for a move, one second unless given.
    pub time: Option<Duration>,
    /// The most bytes of the player's table.
    pub bytes: usize,
    /// The seed of all random choices.
    pub seed: u64,
}

/// The default is the player `cachex` with a table of 32 MiB, its usual time, and the seed 1.
impl Default for RefereeOptions {
    fn default() -> Self {
        Self { engine: "cachex".to_owned(), time: None, bytes: 32 << 20, seed: 1 }
    }
}

/// The answer to a command of a referee.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RefereeAnswer {
    /// The command was carried out.
    Done,
    /// The player's action, `PLACE R Q` or `STEAL`. The referee plays it by sending it back as a turn.
    Action(String),
    /// The referee ends the conversation.
    Quit,
}

/// A player that answers the commands of a referee, a line each: `init red|blue N`, `action`, `turn red|blue PLACE R Q`,
/// `turn blue STEAL` and `quit`. The commands are the three methods of a player in the course's interface, as text.
///
/// Errors are texts and no types, since a caller only sends them back. Each error names the word that the player
/// refuses, and leaves the game unchanged.
///
/// ```
/// use stonework_cachex_players::{RefereeAnswer, RefereeOptions, RefereePlayer};
/// let mut player = RefereePlayer::new(RefereeOptions { engine: "distance".into(), ..Default::default() });
/// assert_eq!(player.answer("init blue 4")?, RefereeAnswer::Done);
/// assert_eq!(player.answer("turn red PLACE 0 0")?, RefereeAnswer::Done);
/// let RefereeAnswer::Action(action) = player.answer("action")? else { panic!("an action") };
/// assert_eq!(player.answer(&format!("turn blue {action}"))?, RefereeAnswer::Done);
/// assert_eq!(player.answer("action").unwrap_err(), "red is to move, not blue");
/// # Ok::<(), String>(())
/// ```
pub struct RefereePlayer {
    options: RefereeOptions,
    game: Option<RefereedGame>,
}

/// A game in which the player takes part.
struct RefereedGame {
    side: Player,
    position: Position,
    agent: Box<dyn Agent<Position>>,
}

impl std::fmt::Debug for RefereePlayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RefereePlayer").field("options", &self.options).finish_non_exhaustive()
    }
}

impl RefereePlayer {
    /// A player that waits for the command `init`.
    #[must_use]
    pub const fn new(options: RefereeOptions) -> Self {
        Self { options, game: None }
    }

    /// Begins a game as one of the sides, as the command `init` does.
    ///
    /// # Errors
    /// An error if the size is not of Cachex, or if the player cannot be made.
    pub fn begin(&mut self, side: Player, size: u8) -> Result<(), String> {
        let position = Position::new(size).map_err(|e| e.to_string())?;
        let RefereeOptions { engine, time, bytes, seed } = &self.options;
        let agent: Box<dyn Agent<Position>> = if engine == "cachex" {
            let whole = f64::from(size) * f64::from(size);
            let part = time.map_or(1.0, |time| time.as_secs_f64() / whole);
            let expert = Expert::new(Weights::default(), Limits::none(), *bytes);
            Box::new(expert.map_err(|e| e.to_string())?.budgeted(part))
        } else {
            let limits = Limits::none().bytes(*bytes).time(time.unwrap_or(Duration::from_secs(1)));
            let config = PlayerConfig { limits, seed: *seed, ..PlayerConfig::default() };
            roster().agent(engine, &config).map_err(|e| e.to_string())?
        };
        self.game = Some(RefereedGame { side, position, agent });
        Ok(())
    }

    /// Carries out a command.
    ///
    /// # Errors
    /// An error if the line is no command, if the player has no game, or if the action is not legal; the game is
    /// unchanged then.
    pub fn answer(&mut self, line: &str) -> Result<RefereeAnswer, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["init", side, size] => {
                let side = side_of(side)?;
                let number = size.parse().ok().filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size));
                let Some(number) = number else {
                    return Err(format!("no board of size `{}`: {MIN_SIZE} to {MAX_SIZE}", head(size)));
                };
                self.begin(side, number).map(|()| RefereeAnswer::Done)
            }
            ["quit"] => Ok(RefereeAnswer::Quit),
            ["action"] | ["turn", ..] => {
                let Some(seat) = &mut self.game else {
                    return Err("no game: `init red|blue N` begins one".to_owned());
                };
                if words == ["action"] { seat.action() } else { seat.turn(&words[1..]) }
            }
            _ => Err(format!(
                "`{}` is no command: `init red|blue N`, `action`, `turn red|blue PLACE R Q`, `turn blue STEAL` or `quit`",
                head(line.trim())
            )),
        }
    }
}

fn side_of(text: &str) -> Result<Player, String> {
    let side = Player::BOTH.into_iter().find(|&player| colour(player) == text);
    side.ok_or_else(|| format!("`{}` is no side: red or blue", head(text)))
}

impl RefereedGame {
    /// The answer to the command `action`.
    fn action(&mut self) -> Result<RefereeAnswer, String> {
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
                Ok(RefereeAnswer::Action(format!("PLACE {r} {q}")))
            }
            Some(Decision::Play(Move::Steal)) => Ok(RefereeAnswer::Action("STEAL".to_owned())),
            Some(Decision::Resign) | None => Err("there is nothing to play".to_owned()),
        }
    }

    /// The answer to the command `turn`: plays an action of either side.
    fn turn(&mut self, words: &[&str]) -> Result<RefereeAnswer, String> {
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
            _ => return Err(format!("`{}` is no action: `PLACE R Q` or `STEAL`", head(&action.join(" ")))),
        };
        self.position.play(mv).map_err(|e| e.to_string())?;
        Ok(RefereeAnswer::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The whole of a long word was sent back.
    #[test]
    fn errors_have_the_beginning_of_a_long_word() {
        let mut player = RefereePlayer::new(RefereeOptions {
            engine: "distance".into(),
            bytes: 1 << 20,
            ..Default::default()
        });
        let long = "\u{e9}".repeat(5000);
        let beginning = head(&long);
        for (line, before) in [
            (long.clone(), ""),
            (format!("init {long} 4"), ""),
            (format!("init red {long}"), "no board of size "),
        ] {
            let error = player.answer(&line).unwrap_err();
            assert!(error.starts_with(&format!("{before}`{beginning}`")) && error.len() < 250, "{error}");
        }
        player.begin(Player::First, 4).unwrap();
        let error = player.answer(&format!("turn red {long}")).unwrap_err();
        assert_eq!(error, format!("`{beginning}` is no action: `PLACE R Q` or `STEAL`"));
    }
}
