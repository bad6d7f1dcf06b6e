//! The moves of an [`App`]: played, walked through, taken back; records opened and saved.

use stonework_game::{Game, Player};
use stonework_session::{AnyMove, Fault, Session};

use crate::app::{App, Ending};
use crate::board::cell_names;
use crate::record;

impl App {
    /// Ends the game by the resignation of a side.
    pub(crate) fn resign(&mut self, side: Player) {
        self.thinking = None;
        self.line.ended = Some(Ending::Resigned(side));
        self.unsaved = true;
        self.message = format!("{} has resigned", self.side(side));
    }

    /// Plays a move at the position on the board.
    pub(crate) fn play(&mut self, text: &str) -> Result<(), Fault> {
        let mover = self.session.position().to_move();
        let was_live = self.is_live();
        if self.line.ended.is_some() && self.line.at_end() {
            return Err(Fault::new("over", "the game is over; u takes its end or the last move back"));
        }
        self.session.play(text)?;
        let name = self.session.moves().pop().unwrap_or_default();
        let is_new = self.line.play(&name, mover);
        if let Some(clocks) = &mut self.clocks {
            // The first move is free of charge, and so is a move while the players wait.
            match (was_live, self.line.ply() > 1) {
                (true, true) => clocks.moved(mover, self.now),
                (true, false) => clocks.stop(self.now),
                (false, _) => {}
            }
            if was_live || is_new {
                self.line.present_mut().left = Some(clocks.both(self.now));
            }
        }
        self.unsaved = true;
        self.message.clear();
        self.position_changed();
        Ok(())
    }

    /// Shows the position after a number of moves. The players wait at all positions but the last.
    pub(crate) fn go(&mut self, ply: usize) {
        let ply = ply.min(self.line.len());
        let now = self.session.moves().len();
        if ply == now {
            return;
        }
        let moves: Vec<String> = self.line.moves().map(str::to_owned).collect();
        let shared = ply.min(now);
        let done = self.session.undo(now - shared).and_then(|()| self.session.play_all(&moves[shared..ply]));
        if let Err(fault) = done {
            self.message = fault.to_string();
        }
        self.line.go(self.session.moves().len());
        self.paused = true;
        self.message.clear();
        self.position_changed();
    }

    /// Takes the last move back for good; against a player also the move before, until it is a person's turn.
    pub(crate) fn take_back(&mut self) {
        let ended = self.line.ended.take();
        if matches!(ended, Some(Ending::Resigned(_) | Ending::Recorded(..))) && self.line.at_end() {
            self.say("the game goes on");
            self.unsaved = true;
            self.paused = self.players[self.session.position().to_move().index()].is_some();
            return;
        }
        if self.line.ply() == 0 {
            self.line.ended = ended;
            self.say("no move to take back");
            return;
        }
        let person = |app: &Self| app.players[app.session.position().to_move().index()].is_none();
        let mut ply = self.line.ply();
        while ply > 0 {
            ply -= 1;
            self.go(ply);
            if person(self) || self.players.iter().all(Option::is_some) {
                break;
            }
        }
        self.line.cut();
        self.unsaved = true;
        self.paused = !person(self);
        if let (Some(clocks), Some(control)) = (&mut self.clocks, self.options.clock) {
            // Without a known time, as in a record, the clocks stay as they are.
            let beginning = (self.line.ply() == 0).then_some([control.base; 2]);
            let left = self.line.present().left.or(beginning);
            clocks.set(left.unwrap_or_else(|| clocks.both(self.now)));
        }
        self.position_changed();
    }

    /// Changes to the other line of the record.
    pub(crate) fn other_line(&mut self) {
        let shown = self.session.moves().len();
        if !self.line.exchange() {
            self.say("there is one line: a move from an earlier position begins another");
            return;
        }
        let ply = self.line.ply();
        let moves: Vec<String> = self.line.moves().take(ply).map(str::to_owned).collect();
        let done = self.session.undo(shown).and_then(|()| self.session.play_all(&moves));
        if let Err(fault) = done {
            self.message = fault.to_string();
        }
        self.paused = true;
        self.position_changed();
    }

    /// Shows the game of a record in place of the present game.
    pub(crate) fn open(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let opened = record::open(&self.options.registry, &self.options.game, bytes)?;
        let notation = self.options.notation.clone().filter(|_| opened.game == self.options.game);
        let mut session = Session::new(self.options.registry.clone(), opened.game, &opened.start, None)?;
        session.play_all(&opened.moves)?;
        if let Some(name) = &notation {
            session = session.in_notation(name)?;
        }
        opened.game.clone_into(&mut self.options.game);
        (self.options.start, self.options.notation) = (opened.start, notation);
        self.session = session;
        self.begin();
        self.players = [None, None];
        let (mut replay, moves) = (self.session.fork(), self.session.moves());
        replay.undo(moves.len())?;
        for (mv, comment) in moves.iter().zip(&opened.comments) {
            self.line.present_mut().comment.clone_from(comment);
            self.line.play(mv, replay.position().to_move());
            replay.play(mv)?;
        }
        if let Some(comment) = opened.comments.last() {
            self.line.present_mut().comment.clone_from(comment);
        }
        // The rules know the end better than the record.
        let is_over = self.session.position().outcome().is_some();
        (self.line.ended, self.people) = (opened.ended.filter(|_| !is_over), opened.players);
        self.paused = true;
        self.position_changed();
        self.go(0);
        let left_out = match opened.variations {
            0 => String::new(),
            count => format!("; the variations of the file are left out: {count}"),
        };
        self.message = format!("{} moves{left_out}", self.line.len());
        Ok(())
    }

    /// Begins a new game like this one.
    pub(crate) fn new_game(&mut self) {
        match Self::session(&self.options, &mut self.options.start.clone()) {
            Ok(session) => {
                self.session = session;
                self.begin();
                (self.paused, self.file) = (false, None);
                self.say("a new game");
            }
            Err(fault) => self.message = fault.to_string(),
        }
    }

    /// Names cells and moves in the next notation of the game that fits the board.
    pub(crate) fn next_notation(&mut self) {
        let names = self.session.game().description().notations;
        let present = self.notation();
        let later = (1..names.len()).map(|step| names[(present + step) % names.len()]);
        for name in later {
            let Ok(session) = self.session.in_notation(name) else { continue };
            let mut all = session.fork();
            let ply = self.line.ply();
            let rest: Vec<AnyMove> = self.numbers(ply);
            for mv in rest {
                let text = all.text_of(mv);
                if all.play(&text).is_err() {
                    break;
                }
            }
            self.line.rename(&all.moves());
            self.session = session;
            self.options.notation = Some(name.to_owned());
            self.names = cell_names(self.session.position(), self.notation());
            self.position_changed();
            self.message = format!("notation: {name}");
            return;
        }
        self.message = format!("{} has one notation", self.session.game().name());
    }

    /// The numbers of the moves of the line from a ply on.
    fn numbers(&self, from: usize) -> Vec<AnyMove> {
        let mut session = self.session.fork();
        let mut numbers = Vec::new();
        for text in self.line.moves().skip(from) {
            if session.play(text).is_err() {
                break;
            }
            numbers.extend(session.last_move());
        }
        numbers
    }

    /// The SGF text of the record.
    pub(crate) fn sgf(&self) -> Result<String, Fault> {
        let name = |side: Player| {
            let player = self.players[side.index()].as_deref();
            player.unwrap_or(&self.people[side.index()])
        };
        let resigned = matches!(self.line.ended, Some(Ending::Resigned(side)) if side == self.side_at_end());
        record::save(&self.session, &self.line, Player::BOTH.map(name), resigned)
    }

    /// The side to move after the last move of the line.
    fn side_at_end(&self) -> Player {
        let mut end = self.session.fork();
        for mv in self.line.moves().skip(self.line.ply()) {
            if end.play(mv).is_err() {
                break;
            }
        }
        end.position().to_move()
    }
}
