//! Records of the games other than Havannah: trees in the form of `match --sgf`, and lists of games.

use std::io::Write;

use serde_json::json;
use stonework_oracle::{FiledGame, RecordFile};
use stonework_session::{GameType, State};

use crate::failure::{Failure, say};
use crate::out::Out;
use crate::picture;

use super::Replay;

impl Replay {
    /// Replays records of a game that is not Havannah.
    pub(super) fn others(&self, rules: &GameType, out: &mut Out) -> Result<(), Failure> {
        let mut bad = false;
        for file in &self.files {
            let mut complain = |what: &str, out: &mut Out| -> Result<(), Failure> {
                bad = true;
                out.flush()?;
                say(format_args!("error: {}", what.split_whitespace().collect::<Vec<_>>().join(" ")));
                Ok(())
            };
            let source = match RecordFile::open(file) {
                Ok(source) => source,
                Err(error) => {
                    complain(&error.to_string(), out)?;
                    continue;
                }
            };
            let alone = self.files.len() == 1 && !source.has_several();
            for game in source.games_of(rules, self.size) {
                match game.and_then(|game| Ok((game.replay(rules)?, game))) {
                    Ok((state, game)) => tell(rules, out, &game, state, alone)?,
                    Err(error) => complain(&error.to_string(), out)?,
                }
            }
        }
        if bad { Err(Failure::Reported) } else { Ok(()) }
    }
}

fn tell(rules: &GameType, out: &mut Out, game: &FiledGame, state: State, alone: bool) -> Result<(), Failure> {
    let (record, agrees) = (&game.record, game.claim_agrees(&state));
    if out.wants_json() {
        let mut object = serde_json::to_value(&state).unwrap_or_default();
        object["file"] = json!(game.file);
        object["size"] = json!(record.size);
        object["claimed"] = json!(record.claimed);
        object["claim_agrees"] = json!(agrees);
        if let Some(id) = &game.id {
            object["id"] = id.clone();
        }
        return out.object(&object);
    }
    let moves = record.moves.len();
    let how = state.how.filter(|how| !how.is_empty()).map(|how| format!(" by {}", how.join(" and ")));
    let ends = match state.outcome.as_deref() {
        Some("draw") => format!("a draw{}", how.unwrap_or_default()),
        Some(winner) => format!("{winner} wins{}", how.unwrap_or_default()),
        None => format!("not over, {} to move", state.to_move),
    };
    if !alone {
        writeln!(out, "{}: size {}, {moves} moves: {ends}", game.label, record.size)?;
        return Ok(());
    }
    writeln!(out, "{}: {} of size {}, {moves} moves", game.label, rules.name(), record.size)?;
    for (side, name) in
        rules.description().sides.iter().zip(&record.players).filter(|(_, name)| !name.is_empty())
    {
        writeln!(out, "  {side:<7} {}", name.trim())?;
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
        writeln!(out, "the record says {said}, {moves}")?;
    }
    Ok(())
}
