//! [`Session::review`]: every move of a game judged, by proof where a solver can, and by the value of a player otherwise.

use serde::{Deserialize, Serialize};
use stonework_game::text::head;
use stonework_game::{Game, Outcome, Player};
use stonework_record::{Property, Tree};
use stonework_roster::RosterEntry;
use stonework_search::Limits;

use crate::layers::capital;
use crate::record::fault;
use crate::{Analysis, AnalysisLine, AnyPosition, Fault, GameType, Search, Session};

/// The players whose values are shares of wins, of which a review takes the first that the game has.
const TREES: [&str; 5] = ["champion", "mcts", "uct", "rave", "hybrid"];

/// A loss of this share of a point is a mistake, of twice the share a blunder.
const MISTAKE: f64 = 0.15;

/// The cost of a review.
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewOptions {
    /// The search of each position that the solver leaves open. Its player has values that are shares of wins; `None` is
    /// the first of champion, mcts and uct that the game has. `lines` is the number of candidates.
    pub search: Search,
    /// The positions that the game's usual solver may visit to prove one position of the game; 0 asks no solver.
    pub proof_nodes: u64,
}

impl Default for ReviewOptions {
    /// 3000 simulations with 5 candidates, and 20 000 positions of the solver, for each position.
    fn default() -> Self {
        let search = Search { simulations: Some(3000), lines: Some(5), ..Search::default() };
        Self { search, proof_nodes: 20_000 }
    }
}

/// A move that could have been played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Candidate {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The share of wins for the side to move, from 0 to 1, draws as halves.
    pub share: f64,
    /// The number of visits, from a Monte-Carlo search.
    pub visits: Option<u64>,
    /// The moves that follow, beginning with the move.
    pub line: Vec<String>,
}

/// A judged move of a game. Shares are those of the side that moved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReviewedMove {
    /// The number of the move, from 1.
    pub number: usize,
    /// The side that moved.
    pub side: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The share of wins before the move, from 0 to 1, draws as halves.
    pub before: f64,
    /// The share of wins after the move.
    pub after: f64,
    /// The name of the side that wins with best play before the move, or `draw`; null unless proven.
    pub proven_before: Option<String>,
    /// The same after the move.
    pub proven_after: Option<String>,
    /// `proven mistake` if proofs say that the move changed the outcome; `blunder` or `mistake` by the values; else null.
    pub verdict: Option<String>,
    /// The share that the move lost, from 0 to 1.
    pub lost: f64,
    /// The better move; null unless the move has a verdict.
    pub better: Option<String>,
    /// The candidates before the move, the best first. A proof has one.
    pub candidates: Vec<Candidate>,
    /// The moves with which the other side would have won at once, had it been to move; null if the game cannot list them.
    pub threats: Option<Vec<String>>,
    /// The best reply to the move, with the moves that follow; empty after the end.
    pub reply: Vec<String>,
}

/// The value of a position of a game.
struct Judged {
    mover: Player,
    /// The share of wins of the first player.
    share: f64,
    exact: Option<Outcome>,
    proven: Option<String>,
    candidates: Vec<Candidate>,
    threats: Option<Vec<String>>,
}

/// The share of wins of a value: thousandths of a mean result, or a proven result.
fn share(value: i32) -> f64 {
    f64::from(value.clamp(-1000, 1000)) / 2000.0 + 0.5
}

fn outcome(game: &GameType, name: &str) -> Outcome {
    game.description().player(name).map_or(Outcome::Draw, Outcome::Win)
}

impl Judged {
    fn of(session: &Session, options: &ReviewOptions, player: &str) -> Result<Self, Fault> {
        let (position, game) = (session.position(), session.game());
        let mover = position.to_move();
        let other = game.description().side(mover.other());
        let threats = session.threats(other)?;
        let exact = |outcome: Outcome, proven: String, candidates| {
            let share = f64::from(outcome.value_for(Player::First)) / 2.0 + 0.5;
            Self {
                mover,
                share,
                exact: Some(outcome),
                proven: Some(proven),
                candidates,
                threats: threats.clone(),
            }
        };
        if let Some(outcome) = position.outcome() {
            return Ok(exact(outcome, game.description().outcome(outcome).to_owned(), Vec::new()));
        }
        let proof = Search {
            engine: Some(game.usual_solver().to_owned()),
            nodes: Some(options.proof_nodes),
            seconds: None,
            simulations: None,
            depth: None,
            lines: None,
            ..options.search.clone()
        };
        if options.proof_nodes > 0 {
            let found = searched(session, &proof)?;
            if let Some(name) = found.outcome.clone() {
                return Ok(exact(outcome(game, &name), name, candidates(&found)));
            }
        }
        let search = Search { engine: Some(player.to_owned()), ..options.search.clone() };
        let found = searched(session, &search)?;
        if let Some(name) = found.outcome.clone() {
            return Ok(exact(outcome(game, &name), name, candidates(&found)));
        }
        let own = share(found.value);
        let share = if mover == Player::First { own } else { 1.0 - own };
        Ok(Self { mover, share, exact: None, proven: None, candidates: candidates(&found), threats })
    }

    fn share_of(&self, player: Player) -> f64 {
        if player == Player::First { self.share } else { 1.0 - self.share }
    }
}

/// The finding of a search. A search during which the flag was set has none, even if it has proven an outcome: the flag ends the
/// review, and the end of the search has cleared it.
fn searched(session: &Session, search: &Search) -> Result<Analysis, Fault> {
    match session.search_told(search, &mut |_| {})? {
        (_, true) => Err(cancelled("a search was stopped".to_owned())),
        (found, false) => Ok(found),
    }
}

fn cancelled(what: String) -> Fault {
    Fault::new("cancelled", what)
}

fn candidates(found: &Analysis) -> Vec<Candidate> {
    let candidate = |AnalysisLine { moves, value, visits }: &AnalysisLine| {
        let mv = moves.first()?.clone();
        Some(Candidate { mv, share: share(*value), visits: *visits, line: moves.clone() })
    };
    let lines: Vec<Candidate> = found.lines.iter().filter_map(candidate).collect();
    // A solver may know the move and no line.
    match (&found.best, lines.is_empty()) {
        (Some(best), true) => {
            let share = share(found.value);
            vec![Candidate { mv: best.clone(), share, visits: None, line: vec![best.clone()] }]
        }
        _ => lines,
    }
}

/// A move between two judged positions.
fn reviewed(number: usize, side: &str, mv: &str, before: &Judged, after: &Judged) -> ReviewedMove {
    let (was, is) = (before.share_of(before.mover), after.share_of(before.mover));
    let lost = (was - is).max(0.0);
    let changed = matches!((before.exact, after.exact), (Some(before), Some(after)) if before != after);
    let verdict = match lost {
        _ if changed && lost > 0.0 => Some("proven mistake"),
        _ if lost >= 2.0 * MISTAKE => Some("blunder"),
        _ if lost >= MISTAKE => Some("mistake"),
        _ => None,
    };
    // The search may prefer the very move that a deeper look at the next position refutes.
    let verdict = verdict.filter(|_| changed || before.candidates.first().is_some_and(|best| best.mv != mv));
    ReviewedMove {
        number,
        side: side.to_owned(),
        mv: mv.to_owned(),
        before: was,
        after: is,
        proven_before: before.proven.clone(),
        proven_after: after.proven.clone(),
        verdict: verdict.map(str::to_owned),
        lost,
        better: verdict.and_then(|_| before.candidates.first()).map(|best| best.mv.clone()),
        candidates: before.candidates.clone(),
        threats: before.threats.clone(),
        reply: after.candidates.first().map(|best| best.line.clone()).unwrap_or_default(),
    }
}

/// The player of a review.
fn reviewer(game: &GameType, wanted: Option<&str>) -> Result<String, Fault> {
    let roster = game.roster();
    let Some(wanted) = wanted else {
        let first = TREES.into_iter().find(|name| roster.entry(name).is_some_and(RosterEntry::is_engine));
        let none =
            || Fault::new("search", format!("{} has no player with shares of wins as values", game.name()));
        return first.map(str::to_owned).ok_or_else(none);
    };
    let name = wanted.split(':').next().unwrap_or_default();
    // The engines that count simulations, those of the caller too, are trees.
    let is_tree =
        |entry: &&RosterEntry<AnyPosition>| entry.is_engine() && entry.ends(&Limits::none().simulations(1));
    let needed =
        || roster.entries().iter().filter(is_tree).map(RosterEntry::name).collect::<Vec<_>>().join(", ");
    let Some(entry) = roster.entry(name) else {
        return Err(Fault::new("search", format!("no player `{}`: a review needs {}", head(name), needed())));
    };
    if !is_tree(&entry) {
        let what = format!("{name} has values that are no shares of wins: a review needs {}", needed());
        return Err(Fault::new("search", what));
    }
    Ok(wanted.to_owned())
}

impl Session {
    /// Judges every move of the game from its first position on. `watch` receives each judged move in order.
    ///
    /// A position is decided by the rules, or by the game's solver within its budget, or by a proof of the player's tree;
    /// else its value is that of the player. A move is a proven mistake if the outcomes before and after it are proven and
    /// differ, and by the values a mistake from a loss of 15 % of a point on, a blunder from 30 %.
    ///
    /// Takes one search for each position of the game, twice with a solver that finds nothing. The flag of
    /// [`canceller`](Session::canceller) ends the running search and the review, with the fault `cancelled`, and is cleared. The
    /// moves that `watch` has received stay judged.
    ///
    /// # Errors
    /// The faults of [`search`](Session::search), and the fault `search` for a player whose values are no shares of wins.
    ///
    /// ```
    /// # #[cfg(feature = "players")] {
    /// use stonework_session::{Registry, ReviewOptions, Session, Start};
    /// let mut session = Session::new(Registry::standard(), "havannah", &Start::of_size(3), None)?;
    /// session.play_all(&["b1", "d4", "b2", "c4", "e5", "d3", "b3"])?;
    /// let moves = session.review(&ReviewOptions::default(), &mut |_| {})?;
    /// assert_eq!(moves.len(), 7);
    /// assert!(moves.iter().any(|mv| mv.verdict.as_deref() == Some("proven mistake") && mv.better.is_some()));
    /// # }
    /// # Ok::<(), stonework_session::Fault>(())
    /// ```
    pub fn review(
        &self,
        options: &ReviewOptions,
        watch: &mut dyn FnMut(&ReviewedMove),
    ) -> Result<Vec<ReviewedMove>, Fault> {
        let player = reviewer(self.game(), options.search.engine.as_deref())?;
        let (moves, mut judged) = (self.moves(), Vec::new());
        let stopped = |ply: usize| cancelled(format!("stopped after {ply} of {} moves", moves.len()));
        let judge = |at: &Self, ply: usize| {
            let found = Judged::of(at, options, &player);
            found.map_err(|fault| if fault.kind == "cancelled" { stopped(ply) } else { fault })
        };
        let mut at = self.fork().cancelled_with(self);
        at.undo(moves.len())?;
        let mut before = judge(&at, 0)?;
        for (ply, mv) in moves.iter().enumerate() {
            if self.canceller().swap(false, std::sync::atomic::Ordering::Relaxed) {
                return Err(stopped(ply));
            }
            at.play(mv)?;
            let after = judge(&at, ply)?;
            let side = self.game().description().side(before.mover);
            judged.push(reviewed(ply + 1, side, mv, &before, &after));
            judged.last().into_iter().for_each(&mut *watch);
            before = after;
        }
        Ok(judged)
    }
}

/// A percentage.
fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

impl ReviewedMove {
    /// The judgement in a few sentences, in English: the values, the mistake with the better line, and the reply.
    #[must_use]
    pub fn comment(&self) -> String {
        let value = |share: f64, proven: &Option<String>| match proven.as_deref() {
            Some("draw") => "draw, proven".to_owned(),
            Some(side) => format!("{side} wins, proven"),
            None => percent(share),
        };
        let (before, after) =
            (value(self.before, &self.proven_before), value(self.after, &self.proven_after));
        let mut said =
            vec![if before == after { format!("{before}.") } else { format!("{before} → {after}.") }];
        if let (Some(verdict), Some(better)) = (&self.verdict, self.candidates.first()) {
            let (lost, line) = (percent(self.lost), better.line.join(" "));
            said.push(format!("{}, {lost} lost: {} was better ({line}).", capital(verdict), better.mv));
        }
        if let Some(threats) = self.threats.as_ref().filter(|threats| !threats.is_empty()) {
            said.push(format!("The other side threatened {}.", threats.join(", ")));
        }
        if !self.reply.is_empty() {
            said.push(format!("Best reply: {}.", self.reply.join(" ")));
        }
        said.join(" ")
    }

    /// The SGF property of the verdict: `BM` with 2 for a proven mistake and 1 for a blunder, `DO` for a mistake.
    #[must_use]
    pub fn property(&self) -> Option<(&'static str, &'static str)> {
        match self.verdict.as_deref()? {
            "proven mistake" => Some(("BM", "2")),
            "blunder" => Some(("BM", "1")),
            _ => Some(("DO", "")),
        }
    }
}

/// Writes judgements into the record of a game: a comment on each move of the main line, below an older comment, and the
/// properties of mistakes, in place of another judgement in the node (`BM`, `DO`, `IT` or `TE`): SGF allows one. Everything else in
/// the record stays as it is.
///
/// A review that was stopped has judged the first moves alone, and the others get no comment. A resignation is no move.
///
/// # Errors
/// The fault `record` if the main line has fewer moves than were judged.
pub fn annotate(tree: &mut Tree, game: &GameType, moves: &[ReviewedMove]) -> Result<(), Fault> {
    let letters = game.description().sides.map(|side| side[..1].to_uppercase());
    // Old records of Havannah have nodes with a move of each side.
    let played = |node| {
        let is_move = |property: &Property<'_>| {
            ["B", "W"].iter().any(|own| property.is(own)) || letters.iter().any(|own| property.is(own))
        };
        tree.properties(node).filter(is_move).map(move |property| (node, property.value()))
    };
    let moved = tree.main_line().flat_map(played);
    let nodes: Vec<_> = moved
        .take_while(|(_, text)| !text.raw().trim().eq_ignore_ascii_case("resign"))
        .map(|(node, _)| node)
        .collect();
    if nodes.len() < moves.len() {
        return Err(fault(format!("{} moves in the main line, {} moves judged", nodes.len(), moves.len())));
    }
    for (node, judged) in nodes.into_iter().zip(moves) {
        let older = tree.comment(node).map(|text| format!("{text}\n")).unwrap_or_default();
        tree.set_comment(node, &format!("{older}{}", judged.comment())).map_err(fault)?;
        if let Some((name, value)) = judged.property() {
            // A node has one of these at most. Another one may come from an earlier review.
            for other in ["BM", "DO", "IT", "TE"].into_iter().filter(|&other| other != name) {
                tree.remove_property(node, other).map_err(fault)?;
            }
            tree.set_property(node, name, &[value]).map_err(fault)?;
        }
    }
    Ok(())
}
