//! An engine of your own: a greedy search of one ply. It keeps limits, reports its result, and plays a match.
//!
//! ```text
//! report: c4 is worth +2, after 33 nodes, ended by depth
//! with 10 nodes: ended by nodes
//! greedy against a player of the first legal move: 7 points of 20 games
//! ```

use std::sync::atomic::AtomicBool;

use stonework::arena::{AgentContestant, Contestant, Event, Openings, Score, Terms};
use stonework::game::{Game, Player, Textual};
use stonework::havannah::{Move, Position};
use stonework::roster::{Agent, EngineAgent};
use stonework::search::{
    Allowance, Bounds, Engine, Evaluator, Limits, Line, Meter, Minimax, Report, SearchContext, Stop, Value,
};

/// Plays the move whose position has the best value for the side that moves.
struct Greedy<E>(E);

impl<E: Evaluator<Position>> Engine<Position> for Greedy<E> {
    fn search(&mut self, root: &Position, limits: &Limits, context: SearchContext<'_, Move>) -> Report<Move> {
        // `unless_over` reports a root that is over. Otherwise it makes a meter, which counts nodes and looks at the clock and the
        // cancel flag.
        context.unless_over(root, limits, |meter, watch| {
            let report = self.one_ply(root, meter);
            watch(&report);
            report
        })
    }
}

impl<E: Evaluator<Position>> Greedy<E> {
    fn one_ply(&mut self, root: &Position, meter: &Meter<'_>) -> Report<Move> {
        let (mut game, mut allowance, mut report) = (root.clone(), Allowance::default(), Report::empty());
        for mv in root.moves() {
            // Each move is a node. `node` returns `false` when a limit is reached.
            if !meter.node(&mut allowance) {
                break;
            }
            let undo = game.play_unchecked(mv);
            let value = match game.outcome() {
                Some(outcome) => Value::of(outcome, root.to_move(), 1),
                None => Value::Heuristic(-self.0.evaluate(&game)),
            };
            game.undo(undo);
            if report.best.is_none() || value.score() > report.value.score() {
                (report.best, report.value) = (Some(mv), value);
                report.lines = vec![Line::new(vec![mv], value)];
            }
            if value.is_win() {
                // A win in one move is proven: nothing is left to search.
                report.bounds = Bounds::exact(1);
                report.proven = report.bounds.outcome(root.to_move());
                meter.stop(Stop::Solved);
            }
        }
        // The meter takes back the nodes of the allowance that were not visited, so that the count is exact.
        meter.settle(&mut allowance);
        report.depth = 1;
        (report.nodes, report.time) = (meter.nodes(), meter.elapsed());
        report.stopped = Some(meter.stopped().unwrap_or(Stop::Depth));
        report
    }
}

/// The adjacent pairs of stones of the side to move, less those of its opponent. Each pair counts twice.
fn together(game: &Position) -> i32 {
    let pairs = |side: Player| -> i32 {
        let own = game.stones(side);
        own.iter().map(|cell| game.board().neighbours(cell).filter(|&n| own.contains(n)).count() as i32).sum()
    };
    pairs(game.to_move()) - pairs(game.to_move().other())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Position::new(4)?;
    for text in ["c3", "a1", "d5", "b1"] {
        game.play(game.parse_move(text)?)?;
    }
    let mut greedy = Greedy(together);
    let report = greedy.think(&game, &Limits::none());
    let best = report.best.ok_or("a game that goes on has a move")?;
    let ended = |report: &Report<Move>| report.stopped.map_or("none", Stop::name);
    println!(
        "report: {} is worth {}, after {} nodes, ended by {}",
        game.move_text(best),
        report.value,
        report.nodes,
        ended(&report)
    );
    println!("with 10 nodes: ended by {}", ended(&greedy.think(&game, &Limits::none().nodes(10))));

    // `EngineAgent` makes an agent, which plays whole games, out of any engine. The other agent plays the first legal move:
    // its engine may not visit a node.
    let start = Position::new(3)?;
    let openings = Openings::Random { plies: 2 }.list(&start, 10, 1);
    let event = Event { start, players: 2, terms: Terms::default(), openings, seed: 1 };
    let make = |number: usize| -> Box<dyn Contestant<Position>> {
        Box::new(AgentContestant::new(move |seed| {
            let (engine, limits): (Box<dyn Engine<Position>>, _) = match number {
                0 => (Box::new(Greedy(together)), Limits::none()),
                _ => (Box::new(Minimax::new(())), Limits::none().nodes(0)),
            };
            Ok(Box::new(EngineAgent::new(engine, limits, seed)) as Box<dyn Agent<Position>>)
        }))
    };
    let mut score = Score::new(None);
    event.run(&make, &|_| false, 1, &AtomicBool::new(false), &mut |game| score.add(&game))?;
    println!(
        "greedy against a player of the first legal move: {} points of {} games",
        score.tally().points(),
        score.tally().games()
    );
    Ok(())
}
