//! The order of moves, the noisy moves and the null move of Cover.

use stonework_board::{Heading, Orientation};
use stonework_cover::{Move, Passed, Position};
use stonework_game::{Game, Player};
use stonework_search::{MoveOrder, NoisyMoves, NullMove};

use crate::survey::goal;

/// The order of moves of the 1995 thesis (section 3.3). The table orders the kinds of steps. Among steps of one kind, the steps
/// of the stone that the side moved last come first.
///
/// | stone | steps, from first to last |
/// |---|---|
/// | vertical | forward, backwards, left, right, rotations |
/// | horizontal | left, right, forward, backwards, rotations |
///
/// Forward is towards the opponent's homebase. The thesis gives rotations no order. Here forward rotations come first. O(1) for
/// each move.
#[derive(Clone, Copy, Debug, Default)]
pub struct StepOrder;

/// The heading of a step relative to its player: `Up` is forward. Red moves down the board, so each heading of red is reversed.
pub(super) const fn relative_heading(player: Player, heading: Heading) -> Heading {
    match (player, heading) {
        (Player::First, _) => heading,
        (Player::Second, Heading::Up) => Heading::Down,
        (Player::Second, Heading::Down) => Heading::Up,
        (Player::Second, Heading::Left) => Heading::Right,
        (Player::Second, Heading::Right) => Heading::Left,
        (Player::Second, Heading::UpLeft) => Heading::DownRight,
        (Player::Second, Heading::UpRight) => Heading::DownLeft,
        (Player::Second, Heading::DownLeft) => Heading::UpRight,
        (Player::Second, Heading::DownRight) => Heading::UpLeft,
    }
}

impl MoveOrder<Position> for StepOrder {
    fn worth(&mut self, game: &Position, mv: Move) -> i32 {
        let heading = relative_heading(game.to_move(), mv.heading);
        let kind = match (game.lattice().orientation(mv.from), heading) {
            (Orientation::Vertical, Heading::Up) | (Orientation::Horizontal, Heading::Left) => 5,
            (Orientation::Vertical, Heading::Down) | (Orientation::Horizontal, Heading::Right) => 4,
            (Orientation::Vertical, Heading::Left) | (Orientation::Horizontal, Heading::Up) => 3,
            (Orientation::Vertical, Heading::Right) | (Orientation::Horizontal, Heading::Down) => 2,
            (_, Heading::UpLeft | Heading::UpRight) => 1,
            _ => 0,
        };
        let last = game.recent().mine.and_then(|mine| game.target(mine));
        2 * kind + i32::from(last == Some(mv.from))
    }
}

/// The noisy moves of a quiescence search: steps onto the opponent's homebase, then all other shots. O(stones × Y), for Y
/// locations on a side of the lattice.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shots;

impl NoisyMoves<Position> for Shots {
    fn noisy_moves(&mut self, game: &Position, out: &mut Vec<Move>) {
        let player = game.to_move();
        let lattice = game.lattice();
        let homebase = lattice.homebase(goal(player));
        let begin = out.len();
        for from in game.stones(player) {
            let lengthwise = match lattice.orientation(from) {
                Orientation::Vertical => [Heading::Up, Heading::Down],
                Orientation::Horizontal => [Heading::Left, Heading::Right],
            };
            let one_step_away = lattice.distance(from, goal(player)) == 1;
            if one_step_away
                && let Some(mv) = game.move_to(from, homebase).filter(|&mv| game.check(mv).is_ok())
            {
                out.insert(begin, mv);
            }
            for mv in lengthwise.map(|heading| Move::new(from, heading)) {
                // A step onto the homebase is in the list already, even if the step also shoots.
                let unlisted = !one_step_away || game.target(mv) != Some(homebase);
                if unlisted && game.hit(mv).is_some() && game.check(mv).is_ok() {
                    out.push(mv);
                }
            }
        }
    }
}

/// The null move of Cover: a pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turn;

impl NullMove<Position> for Turn {
    type Undo = Passed;

    fn play_null(&mut self, game: &mut Position) -> Option<Passed> {
        game.pass()
    }

    fn undo_null(&mut self, game: &mut Position, undo: Passed) {
        game.undo_null(undo);
    }
}
