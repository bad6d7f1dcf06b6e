//! Features of Cover for values and priors that are learned from games, and a player that uses them.

use std::sync::Arc;

use stonework_board::{Cell, DiagonalSymmetry, Heading, Home, Motion};
use stonework_cover::{Move, Position};
use stonework_game::{Game, Player};
use stonework_learn::{
    LearnedPriors, MoveFeatures, MoveWeights, NetEvaluator, PositionFeatures, ValueNet, WrongCount,
};
use stonework_roster::RosterEntry;
use stonework_search::{Mcts, MctsOptions, RandomPlayout};

use crate::roster::PLAYOUT;

/// The steps of distances to a homebase.
const DISTANCES: u32 = 32;
/// The steps of distances to the middle column.
const COLUMNS: u32 = 16;
/// The number of codes of the five locations ahead of a stone and beside it, of four states: empty, own, enemy, off the board.
const CODES: u32 = 1 << 10;
/// The differences of the numbers of stones, −10 to 10.
const DIFFERENCES: u32 = 21;
/// The number of sizes, from 0 on.
const SIZES: u32 = 11;
/// The kinds of steps: five headings up to the mirror image, three motions, with a shot and without.
const STEPS: u32 = 5 * 3 * 2;

/// The headings of the locations of a code, from left to right.
const AHEAD: [Heading; 5] = [Heading::Left, Heading::UpLeft, Heading::Up, Heading::UpRight, Heading::Right];

/// A position as one side sees it: own and enemy stones, and the board turned so that the side goes up.
struct View<'a> {
    game: &'a Position,
    side: Player,
}

impl View<'_> {
    fn symmetry(&self) -> DiagonalSymmetry {
        if self.side == Player::First { DiagonalSymmetry::IDENTITY } else { DiagonalSymmetry::FLIP }
    }

    /// The homebase that a player goes to.
    const fn goal(player: Player) -> Home {
        match player {
            Player::First => Home::Top,
            Player::Second => Home::Bottom,
        }
    }

    /// The code of the five locations ahead of a location and beside it, as `ahead` goes; the same for mirror images.
    fn code(&self, cell: Cell, ahead: Player) -> u32 {
        let symmetry =
            if ahead == Player::First { DiagonalSymmetry::IDENTITY } else { DiagonalSymmetry::FLIP };
        let state = |heading: Heading| {
            let there = self.game.lattice().neighbour(cell, symmetry.heading(heading));
            there.map_or(3, |there| match self.game.stone(there) {
                None => 0,
                Some(owner) if owner == self.side => 1,
                Some(_) => 2,
            })
        };
        let states = AHEAD.map(state);
        let code = |states: [u32; 5]| states.iter().fold(0, |code, state| code << 2 | state);
        let [a, b, c, d, e] = states;
        code(states).min(code([e, d, c, b, a]))
    }

    /// The distance of a location to the homebase that a player goes to.
    fn distance(&self, cell: Cell, player: Player) -> u32 {
        u32::from(self.game.lattice().distance(cell, Self::goal(player))).min(DISTANCES - 1)
    }

    fn column(&self, cell: Cell) -> u32 {
        u32::from(self.game.lattice().column(cell).unsigned_abs()).min(COLUMNS - 1)
    }
}

/// The features of a Cover position as a side sees it, for boards of any size: for each stone the distance to its goal and to
/// the middle, and the code of the five locations ahead and beside; the difference of the numbers of stones; the size. Red sees
/// the board turned, so that both sides share the features. Mirror images have equal features.
///
/// ```
/// use stonework_cover::Position;
/// use stonework_cover_players::CoverFeatures;
/// use stonework_game::Player;
/// use stonework_learn::PositionFeatures;
/// let (mut blue, mut red) = (Vec::new(), Vec::new());
/// CoverFeatures.features(&Position::new(4)?, Player::First, &mut blue);
/// CoverFeatures.features(&Position::new(4)?, Player::Second, &mut red);
/// blue.sort_unstable();
/// red.sort_unstable();
/// assert_eq!(blue, red);
/// # Ok::<(), stonework_cover::SetupError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CoverFeatures;

impl PositionFeatures<Position> for CoverFeatures {
    fn rows(&self) -> usize {
        (2 * DISTANCES * COLUMNS + 2 * CODES + DIFFERENCES + SIZES) as usize
    }

    fn features(&mut self, game: &Position, side: Player, out: &mut Vec<u32>) {
        let view = View { game, side };
        let codes = 2 * DISTANCES * COLUMNS;
        for (at, player) in [side, side.other()].into_iter().enumerate() {
            for cell in game.stones(player) {
                let place = view.distance(cell, player) * COLUMNS + view.column(cell);
                out.push(at as u32 * DISTANCES * COLUMNS + place);
                out.push(codes + at as u32 * CODES + view.code(cell, player));
            }
        }
        let count = |player| game.stone_count(player) as i32;
        let difference = (count(side) - count(side.other()) + 10).clamp(0, DIFFERENCES as i32 - 1) as u32;
        let after = codes + 2 * CODES;
        out.extend([after + difference, after + DIFFERENCES + u32::from(game.size()).min(SIZES - 1)]);
    }
}

/// The features of a move in Cover, for boards of any size: the kind of the step with its shot; the distance to the goal after
/// it, and to the middle; the codes of the locations ahead of the stone before and after the step.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoverMoves;

impl MoveFeatures<Position> for CoverMoves {
    fn weights(&self) -> usize {
        (STEPS + DISTANCES + COLUMNS + 2 * CODES) as usize
    }

    fn features(&mut self, game: &Position, mv: Move, out: &mut Vec<u32>) {
        let (me, view) = (game.to_move(), View { game, side: game.to_move() });
        let heading = match view.symmetry().heading(mv.heading) {
            Heading::Up => 0,
            Heading::Down => 1,
            Heading::Left | Heading::Right => 2,
            Heading::UpLeft | Heading::UpRight => 3,
            Heading::DownLeft | Heading::DownRight => 4,
        };
        let motion = match mv.heading.motion(game.lattice().orientation(mv.from)) {
            Motion::Lengthwise => 0,
            Motion::Sideways => 1,
            Motion::Rotation => 2,
        };
        let shot = u32::from(!mv.holds_fire && game.hit(mv).is_some());
        out.push((heading * 3 + motion) * 2 + shot);
        let codes = STEPS + DISTANCES + COLUMNS;
        out.push(codes + view.code(mv.from, me));
        if let Some(to) = game.target(mv) {
            out.push(STEPS + view.distance(to, me));
            out.push(STEPS + DISTANCES + view.column(to));
            out.push(codes + CODES + view.code(to, me));
        }
    }
}

/// An entry like `uct` with values and priors that `stonework learn` has learned. Without a network the share of values is 0,
/// without weights the bias is 0; both stay options of the player.
///
/// # Errors
/// If the network or the weights are not those of [`CoverFeatures`] and [`CoverMoves`].
///
/// ```
/// use stonework_cover_players::{CoverMoves, learned_entry, roster};
/// use stonework_learn::{MoveFeatures, MoveWeights};
/// use stonework_roster::PlayerConfig;
/// let entry = learned_entry("beginner", None, Some(MoveWeights::zero(CoverMoves.weights())))?;
/// assert!(roster(None).with(entry).engine("beginner", &PlayerConfig::default()).is_ok());
/// assert!(learned_entry("wrong", None, Some(MoveWeights::zero(5))).is_err());
/// # Ok::<(), stonework_learn::WrongCount>(())
/// ```
pub fn learned_entry(
    name: &str,
    value: Option<ValueNet>,
    priors: Option<MoveWeights>,
) -> Result<RosterEntry<Position>, WrongCount> {
    // A network that knows stones and distances is far better than random games, most of which never end.
    let share = if value.is_some() { 0.8 } else { 0.0 };
    let bias = if priors.is_some() { 0.3 } else { 0.0 };
    let value = value.unwrap_or_else(|| ValueNet::zero(CoverFeatures.rows()));
    let priors = priors.unwrap_or_else(|| MoveWeights::zero(CoverMoves.weights()));
    let value = NetEvaluator::new::<Position>(CoverFeatures, Arc::new(value))?;
    let priors = LearnedPriors::new::<Position>(CoverMoves, Arc::new(priors))?;
    let entry = RosterEntry::engine(name, "uct with learned files of the caller", move |config| {
        let options = MctsOptions::uct().threads(config.threads).bytes(config.bytes()).keep(true);
        let tree = Mcts::new(RandomPlayout::new(PLAYOUT), options.share(share).bias(bias))?;
        Ok(tree.evaluator(value.clone()).priors(priors.clone()))
    });
    Ok(entry.threads().simulations())
}
