//! The tasks of an [`App`]: players that decide, analyses, layers and exact values.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use stonework_game::{Game, Player};
use stonework_roster::Clock;
use stonework_session::{Analysis, Search};

use crate::app::{App, Ending, Findings, LINES, Running, Sought, Tab, Thinking};
use crate::options::Effect;
use crate::page::squashed;
use crate::task::{News, Task, Work};

impl App {
    /// Starts and stops clocks and tasks, so that they fit the state.
    pub(crate) fn settle(&mut self, effects: &mut Vec<Effect>) {
        let mover = self.session.position().to_move();
        let live = self.is_live();
        if let Some(clocks) = &mut self.clocks {
            // The clocks begin with the first move.
            if live && self.line.ply() > 0 {
                clocks.start(mover, self.now);
            } else {
                clocks.stop(self.now);
            }
            if let Some(loser) = clocks.fallen(self.now) {
                clocks.stop(self.now);
                self.line.ended = Some(Ending::Time(loser));
                (self.thinking, self.unsaved) = (None, true);
                self.message = format!("{} has no time left", self.side(loser));
            }
        }
        if self.is_live() && self.players[mover.index()].is_some() {
            if self.thinking.as_ref().is_none_or(|thinking| thinking.side.is_none()) {
                self.decide(mover, effects);
            }
        } else if self.analysing && self.thinking.is_none() && self.session.position().outcome().is_none() {
            let engine = self.options.search.engine.clone();
            let name = engine.unwrap_or_else(|| self.session.game().usual_player().to_owned());
            // An analysis goes on until the user stops it, or for an hour.
            let search = Search {
                seconds: Some(3600.0),
                engine: Some(name.clone()),
                lines: Some(LINES),
                ..self.options.search.clone()
            };
            let running = self.start(Work::Analyse(search), effects);
            self.thinking = Some(Thinking { running, side: None, name });
        }
        if let (Some(layer), Sought::No, None) = (self.layer, &self.layer_found, self.working[0]) {
            let name = self.session.position().layers()[layer].name;
            let running = self.start(Work::Layer(name), effects);
            self.working[0] = Some(running.id);
            self.layer_found = Sought::Running(running);
        }
        let values = self.options.values.as_ref().filter(|_| self.tab == Tab::Proof);
        if let (Sought::No, Some(values), None) = (&self.values, values, self.working[1]) {
            let running = self.start(Work::Values(Arc::clone(values)), effects);
            self.working[1] = Some(running.id);
            self.values = Sought::Running(running);
        }
    }

    fn start(&mut self, work: Work, effects: &mut Vec<Effect>) -> Running {
        self.next_id += 1;
        let task = Task::new(self.next_id, self.session.fork(), work);
        let running = Running { id: self.next_id, cancel: task.canceller() };
        effects.push(Effect::Start(Box::new(task)));
        running
    }

    /// Lets the player of a side decide.
    fn decide(&mut self, mover: Player, effects: &mut Vec<Effect>) {
        let Some(player) = self.players[mover.index()].clone() else { return };
        self.thinking = None;
        let clock = self.clocks.map_or(Clock::NONE, |clocks| clocks.clock(mover, self.now));
        let agent = self.agents[mover.index()].take();
        let mut limits = self.options.search.clone();
        (limits.engine, limits.lines) = (None, Some(LINES));
        limits.seed = Some(limits.seed.unwrap_or(1).wrapping_add(self.line.ply() as u64));
        let running = self.start(Work::Decide { player: player.clone(), clock, limits, agent }, effects);
        self.thinking = Some(Thinking { running, side: Some(mover), name: player });
    }

    /// Ends the thoughts early: a player decides by its findings so far, an analysis ends.
    pub(crate) fn stop_thinking(&mut self) {
        self.analysing = false;
        match &self.thinking {
            Some(Thinking { running, side: Some(_), .. }) => running.cancel.store(true, Ordering::Relaxed),
            _ => self.thinking = None,
        }
    }

    pub(crate) fn news(&mut self, id: u64, news: News) {
        if matches!(news, News::Decision { .. }) {
            return self.decision(id, news);
        }
        for working in &mut self.working {
            *working = working.filter(|&working| working != id);
        }
        let is = |running: &Running| running.id == id;
        match news {
            News::Failed(message) if matches!(&self.layer_found, Sought::Running(running) if is(running)) => {
                self.layer_found = Sought::Failed(message);
            }
            News::Failed(message) if matches!(&self.values, Sought::Running(running) if is(running)) => {
                self.values = Sought::Failed(message);
            }
            News::Layer(layer) if matches!(&self.layer_found, Sought::Running(running) if is(running)) => {
                self.layer_found = Sought::Found(layer);
                self.redraw_board();
            }
            News::Values(values) if matches!(&self.values, Sought::Running(running) if is(running)) => {
                self.values = Sought::Found(values);
            }
            _ if !self.thinking.as_ref().is_some_and(|thinking| is(&thinking.running)) => {}
            News::Progress(found) => self.found(found),
            News::Analysed(found) => {
                self.found(found);
                (self.thinking, self.analysing) = (None, false);
            }
            News::Failed(message) => {
                (self.thinking, self.analysing, self.paused) = (None, false, true);
                self.message = message;
            }
            _ => {}
        }
    }

    /// Takes the decision of a player. A decision that comes too late only brings the player back.
    fn decision(&mut self, id: u64, news: News) {
        let News::Decision { mv, analysis, agent } = news else { return };
        if let Some(agent) = agent.filter(|agent| self.players[agent.side].as_ref() == Some(&agent.name)) {
            let side = agent.side;
            self.agents[side] = Some(agent);
        }
        let Some(side) =
            self.thinking.as_ref().filter(|thinking| thinking.running.id == id).and_then(|t| t.side)
        else {
            return;
        };
        if let Some(analysis) = analysis {
            self.found(analysis);
        }
        self.thinking = None;
        match mv {
            None => self.resign(side),
            Some(mv) => {
                let kept = self.findings.take();
                if let Err(fault) = self.play(&mv) {
                    self.paused = true;
                    self.message = format!("{mv}: {fault}");
                }
                // The findings of the player stay in sight until the next ones come.
                self.findings = self.findings.take().or(kept);
                self.ponder(side);
            }
        }
    }

    /// Lets the player of a side think while the other side does.
    fn ponder(&mut self, side: Player) {
        let others_turn = self.is_live() && self.session.position().to_move() != side;
        if let Some(agent) =
            self.agents[side.index()].as_mut().filter(|_| self.options.ponders && others_turn)
        {
            agent.ponder(self.session.position());
        }
    }

    /// Shows findings about the present position.
    fn found(&mut self, analysis: Analysis) {
        let sign = if self.session.position().to_move() == Player::First { 1.0 } else { -1.0 };
        self.line.present_mut().value = Some(sign * squashed(analysis.value));
        let name = self.thinking.as_ref().map_or(String::new(), |thinking| thinking.name.clone());
        self.findings = Some(Findings { name, ply: self.line.ply(), analysis });
    }
}
