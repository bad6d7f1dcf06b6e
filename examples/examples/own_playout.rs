//! A playout policy of your own: a pattern answers the last move; if no pattern matches, the move is random. The policy is a
//! type parameter of the Monte-Carlo tree `Mcts`.
//!
//! ```text
//! by patterns: e5, worth 714
//! random:      f8, worth 636
//! ```

use rand_core::RngCore;
use stonework::game::{Game, Player, Textual, below};
use stonework::havannah::{Move, Position};
use stonework::havannah_players::RandomGames;
use stonework::pattern::{Code, Patterns, Reach, State};
use stonework::search::{Engine, Limits, Mcts, MctsOptions, PlayoutPolicy, SearchContext};

/// Plays the answers of patterns, else random moves.
#[derive(Clone)]
struct ByPattern {
    patterns: Patterns,
    /// The moves of the playout so far.
    trace: Vec<(Player, Move)>,
}

impl ByPattern {
    fn choose(&self, game: &Position, moves: &[Move], rng: &mut impl RngCore) -> Move {
        let reply = self.trace.last().and_then(|&(mover, last)| {
            let Move::Place(last) = last else { return None };
            let code = Code::at(game.board(), last, Reach::Six, |cell| match game.stone(cell) {
                None => State::Empty,
                Some(side) if side == mover => State::Mover,
                Some(_) => State::Other,
            });
            self.patterns.find(code)?.choose(game.board(), last, rng).map(Move::Place)
        });
        reply.unwrap_or_else(|| moves[below(rng, moves.len())])
    }
}

impl PlayoutPolicy<Position> for ByPattern {
    fn run(&mut self, from: &Position, rng: &mut impl RngCore) -> f32 {
        let (mut game, mut moves) = (from.clone(), Vec::new());
        self.trace.clear();
        while game.outcome().is_none() {
            moves.clear();
            game.legal_moves(&mut moves);
            let mv = self.choose(&game, &moves, rng);
            self.trace.push((game.to_move(), mv));
            game.play_unchecked(mv);
        }
        game.outcome().map_or(0.0, |outcome| outcome.value_for(Player::First) as f32)
    }

    fn trace(&self) -> impl Iterator<Item = (Player, Move)> + '_ {
        self.trace.iter().copied()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let patterns = Patterns::compile(r#"bridge: {"o.o???", ".o....", 8}  except "o.oooo""#)?;
    let policy = ByPattern { patterns, trace: Vec::new() };
    // Black has just played on one of the two cells of a two-bridge between white stones.
    let mut game = Position::new(5)?;
    for name in ["d4", "a1", "e6", "d5"] {
        game.play(game.parse_move(name)?)?;
    }
    let limits = Limits::none().simulations(300);
    let name = |mv: Option<Move>| mv.map_or("nothing".to_owned(), |mv| game.move_text(mv));
    let own = Mcts::new(policy, MctsOptions::default())?.search(&game, &limits, SearchContext::seed(1));
    println!("by patterns: {}, worth {}", name(own.best), own.value.score());
    let random =
        Mcts::new(RandomGames::new(), MctsOptions::default())?.search(&game, &limits, SearchContext::seed(1));
    println!("random:      {}, worth {}", name(random.best), random.value.score());
    Ok(())
}
