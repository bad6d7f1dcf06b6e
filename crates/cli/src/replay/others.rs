//! Records of the games other than Havannah: trees in the form of `match --sgf`, and lists of games.

use std::io::Write;

use stonework_board::Notation;
use stonework_oracle::{FiledGame, RecordFile};
use stonework_session::{GameType, Start, State};

use crate::failure::{Failure, plain};
use crate::out::Out;
use crate::picture;
use crate::start::HAVANNAH;

use super::{Replay, complain, tell_variations};

impl Replay {
    /// Replays records of a game that is not Havannah.
    pub(super) fn others(&self, rules: &GameType, out: &mut Out) -> Result<(), Failure> {
        if self.statistics {
            return Err(Failure::input(format!("--statistics: {} has none, {HAVANNAH} alone", rules.name())));
        }
        // A game without a swap refuses it in the words of every command.
        let game = rules.description();
        let least = Start { swap: self.swap.of(&game), ..Start::of_size(game.sizes.0.into()) };
        let start = rules.start(&least).map_err(Failure::input)?;
        // A notation that the game does not have, too.
        start.notation(self.notation.map(Notation::name)).map_err(Failure::input)?;
        let mut bad = false;
        for file in &self.files {
            let source = match RecordFile::open(file) {
                Ok(source) => source,
                Err(error) => {
                    bad = true;
                    complain(out, &error.to_string())?;
                    continue;
                }
            };
            tell_variations(&source, out)?;
            let alone = self.files.len() == 1 && !source.has_several();
            for game in source.games_of(rules, self.size) {
                match game.and_then(|game| Ok((game.replay(rules)?, game))) {
                    Ok((state, game)) => print(rules, out, &game, &state, alone)?,
                    Err(error) => {
                        bad = true;
                        complain(out, &error.to_string())?;
                    }
                }
            }
        }
        if bad { Err(Failure::Reported) } else { Ok(()) }
    }
}

fn print(
    rules: &GameType,
    out: &mut Out,
    game: &FiledGame,
    state: &State,
    alone: bool,
) -> Result<(), Failure> {
    if out.wants_json() {
        return out.object(&game.object(state));
    }
    let (record, agrees, ends) = (&game.record, game.claim_agrees(state), FiledGame::standing(state));
    let (moves, label) = (record.moves.len(), plain(&game.label));
    if !alone {
        writeln!(out, "{label}: size {}, {moves} moves: {ends}", record.size)?;
        return Ok(());
    }
    writeln!(out, "{label}: {} of size {}, {moves} moves", rules.name(), record.size)?;
    for (side, name) in
        rules.description().sides.iter().zip(&record.players).filter(|(_, name)| !name.is_empty())
    {
        writeln!(out, "  {side:<7} {}", plain(name).trim())?;
    }
    let (position, moves) = game.position(rules).map_err(Failure::input)?;
    let drawn = position.picture(&moves, 0).map_err(Failure::input)?;
    writeln!(out, "\n{}\n{ends}", picture::indented(&drawn.text(), 2))?;
    if let Some(said) = &record.claimed {
        let moves = match agrees {
            Some(true) => "as the moves say",
            Some(false) => "but the moves say otherwise",
            None => "which the moves neither confirm nor deny",
        };
        writeln!(out, "the record says {}, {moves}", plain(said))?;
    }
    Ok(())
}
