//! Features of Cachex for values and priors that are learned from games, and a player that uses them.

use std::sync::Arc;

use stonework_board::Cell;
use stonework_cachex::{Move, Position};
use stonework_game::{Game, Player};
use stonework_learn::{
    LearnedPriors, MoveFeatures, MoveWeights, NetEvaluator, PositionFeatures, ValueNet, WrongCount,
};
use stonework_roster::RosterEntry;
use stonework_search::MctsOptions;

use crate::Decisive;
use crate::roster::tree;

/// The six neighbours of a cell in a circle, as differences of (r, q).
const RING: [(i16, i16); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];
/// The number of codes of six cells of four states: empty, own, enemy, off the board.
const CODES: u32 = 1 << 12;
/// The classes of places: the distance to the nearest own side and to the nearest other side, both to 4.
const PLACES: u32 = 25;
/// The steps of the filling of a board.
const STAGES: u32 = 8;
/// The number of sizes of boards, from 0 on.
const SIZES: u32 = 16;
/// The most captured stones of a move that are told apart.
const CAPTURES: u32 = 5;

/// A position as one side sees it: own and enemy stones, and the board turned so that the side connects r = 0 and r = n − 1.
struct View<'a> {
    game: &'a Position,
    side: Player,
}

impl View<'_> {
    /// The coordinates of a cell in this view.
    fn at(&self, cell: Cell) -> (i16, i16) {
        let (r, q) = self.game.coordinates(cell);
        if self.side == Player::First { (r.into(), q.into()) } else { (q.into(), r.into()) }
    }

    fn state(&self, (r, q): (i16, i16)) -> u32 {
        let (r, q) = if self.side == Player::First { (r, q) } else { (q, r) };
        let cell = match (u8::try_from(r), u8::try_from(q)) {
            (Ok(r), Ok(q)) => self.game.cell(r, q),
            _ => None,
        };
        let Some(cell) = cell else { return 3 };
        self.game.stone(cell).map_or(0, |owner| if owner == self.side { 1 } else { 2 })
    }

    /// The codes of the six neighbours and of the ends of the six two-bridges, the same for a position and its half turn.
    fn codes(&self, cell: Cell) -> [u32; 2] {
        let (r, q) = self.at(cell);
        let code = |place: &dyn Fn(usize) -> (i16, i16)| {
            let ring = (0..6).fold(0, |code, at| {
                let (dr, dq) = place(at);
                code | self.state((r + dr, q + dq)) << (2 * at)
            });
            ring.min(ring >> 6 | (ring & 0x3f) << 6)
        };
        let sum = |at: usize| (RING[at].0 + RING[(at + 1) % 6].0, RING[at].1 + RING[(at + 1) % 6].1);
        [code(&|at| RING[at]), code(&sum)]
    }

    fn place(&self, cell: Cell) -> u32 {
        let ((r, q), last) = (self.at(cell), i16::from(self.game.size()) - 1);
        let near = |at: i16| at.min(last - at).clamp(0, 4) as u32;
        near(r) * 5 + near(q)
    }
}

/// The filling of the board.
fn stage(game: &Position) -> u32 {
    (game.stone_count() as u32 * STAGES / (game.board().len() as u32 + 1)).min(STAGES - 1)
}

/// The features of a Cachex position as a side sees it, for boards of any size: for each cell its stone with the codes of its
/// six neighbours and of the ends of its six two-bridges; for each stone its place; the filling and the size of the board.
/// Blue sees the board turned, so that both sides share the features. A position and its half turn have equal features.
///
/// ```
/// use stonework_cachex::Position;
/// use stonework_cachex_players::CachexFeatures;
/// use stonework_game::Player;
/// use stonework_learn::PositionFeatures;
/// let (mut features, mut red, mut blue) = (CachexFeatures, Vec::new(), Vec::new());
/// features.features(&Position::new(5)?, Player::First, &mut red);
/// features.features(&Position::new(5)?, Player::Second, &mut blue);
/// red.sort_unstable();
/// blue.sort_unstable();
/// assert_eq!(red, blue);
/// # Ok::<(), stonework_cachex::SetupError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CachexFeatures;

/// The first row of the places of stones.
const STONES: u32 = 6 * CODES;

impl PositionFeatures<Position> for CachexFeatures {
    fn rows(&self) -> usize {
        (STONES + 2 * PLACES + STAGES + SIZES) as usize
    }

    fn features(&mut self, game: &Position, side: Player, out: &mut Vec<u32>) {
        let view = View { game, side };
        for cell in game.board().cells() {
            let [near, far] = view.codes(cell);
            let owner = view.state(view.at(cell));
            // An empty cell among empty cells is no feature.
            out.extend((owner + near != 0).then_some((2 * owner) * CODES + near));
            out.extend((owner + far != 0).then_some((2 * owner + 1) * CODES + far));
            if owner != 0 {
                out.push(STONES + (owner - 1) * PLACES + view.place(cell));
            }
        }
        let after = STONES + 2 * PLACES;
        out.extend([after + stage(game), after + STAGES + u32::from(game.size()).min(SIZES - 1)]);
    }
}

/// The features of a move in Cachex, for boards of any size: the codes of its six neighbours and of the ends of its six
/// two-bridges; the stones that it captures, and those that the opponent would capture there; its place; the steal.
#[derive(Clone, Copy, Debug, Default)]
pub struct CachexMoves;

impl MoveFeatures<Position> for CachexMoves {
    fn weights(&self) -> usize {
        (2 * CODES + 2 * CAPTURES + STAGES * PLACES + 1) as usize
    }

    fn features(&mut self, game: &Position, mv: Move, out: &mut Vec<u32>) {
        let captures = 2 * CODES;
        let places = captures + 2 * CAPTURES;
        let Move::Place(cell) = mv else { return out.push(places + STAGES * PLACES) };
        let (me, view) = (game.to_move(), View { game, side: game.to_move() });
        let [near, far] = view.codes(cell);
        let taken = |player| (game.captures(player, cell).len() as u32).min(CAPTURES - 1);
        out.extend([near, CODES + far, captures + taken(me), captures + CAPTURES + taken(me.other())]);
        out.push(places + stage(game) * PLACES + view.place(cell));
    }
}

/// An entry like `mcts` with values and priors that `stonework learn` has learned. Without a network the share of values is 0,
/// without weights the bias is 0; both stay options of the player.
///
/// # Errors
/// If the network or the weights are not those of [`CachexFeatures`] and [`CachexMoves`].
///
/// ```
/// use stonework_cachex_players::{CachexMoves, learned_entry, roster};
/// use stonework_learn::{MoveFeatures, MoveWeights};
/// use stonework_roster::PlayerConfig;
/// let entry = learned_entry("beginner", None, Some(MoveWeights::zero(CachexMoves.weights())))?;
/// assert!(roster().with(entry).engine("beginner", &PlayerConfig::default()).is_ok());
/// assert!(learned_entry("wrong", None, Some(MoveWeights::zero(5))).is_err());
/// # Ok::<(), stonework_learn::WrongCount>(())
/// ```
pub fn learned_entry(
    name: &str,
    value: Option<ValueNet>,
    priors: Option<MoveWeights>,
) -> Result<RosterEntry<Position>, WrongCount> {
    let share = if value.is_some() { 0.5 } else { 0.0 };
    let bias = if priors.is_some() { 0.3 } else { 0.0 };
    let value = value.unwrap_or_else(|| ValueNet::zero(CachexFeatures.rows()));
    let priors = priors.unwrap_or_else(|| MoveWeights::zero(CachexMoves.weights()));
    let value = NetEvaluator::new::<Position>(CachexFeatures, Arc::new(value))?;
    let priors = LearnedPriors::new::<Position>(CachexMoves, Arc::new(priors))?;
    let entry = RosterEntry::engine(name, "mcts with learned files of the caller", move |config| {
        let options = MctsOptions::with_rave().share(share).bias(bias).expand_after(5);
        let tree = tree(config, options)?.tactics(Decisive);
        Ok(tree.evaluator(value.clone()).priors(priors.clone()))
    });
    Ok(entry.threads().simulations())
}
