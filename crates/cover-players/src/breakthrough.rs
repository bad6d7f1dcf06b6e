//! [`Breakthroughs`]: which stones can walk home whatever one enemy stone does (§4.2 of the 1995 thesis).

use stonework_board::{Cell, Diagonal, Heading, Home, Motion, Orientation};
use stonework_cover::{Move, Options, Position, Recent, Repetition, SetupError};
use stonework_game::{ByPlayer, Game, Outcome, Player};

/// Which moves a stone may make that breaks through; all of them bring it a step nearer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Route {
    /// As the thesis says: a vertical stone goes forward, or sideways to the middle; a horizontal one turns
    /// once, towards the middle.
    #[default]
    Straight,
    /// A vertical stone may also turn. This finds a little more.
    Turning,
}

/// For each stone and each place of one enemy stone, whether the stone reaches the other homebase by the
/// shortest way whatever the enemy does.
///
/// The enemy moves as it likes, to shoot the stone or to stand in its way; if the stone shoots it, that is
/// as good as arriving. Who would be home first is not asked. Past moves do not matter, as the stone never
/// goes back. With more enemies it is an estimate: each of them alone cannot
/// prevent it.
///
/// Made from the nearest stones to the furthest, by the rules of Cover, in time and memory in the order of
/// the pairs of locations: a position for each. 20 ms for Cover-4.
///
/// ```
/// use stonework_game::Player;
/// use stonework_cover_players::{Breakthroughs, Route};
/// let table = Breakthroughs::new(4, Route::Straight)?;
/// let cell = |name| table.lattice().parse(name).unwrap();
/// assert_eq!(table.sure(Player::First, cell("I09"), cell("H11"), false), Some(false));
/// assert_eq!(table.sure(Player::First, cell("I09"), cell("E11"), false), Some(true));
/// assert_eq!(table.sure(Player::First, cell("I09"), cell("I10"), false), None, "no room");
/// # Ok::<(), stonework_cover::SetupError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breakthroughs {
    size: u8,
    /// By 2 · (stone · locations + enemy) + 1 if the stone's side is to move: for blue's stones.
    sure: Vec<Option<bool>>,
}

impl Breakthroughs {
    /// The table of a size from 1 to 10.
    ///
    /// # Errors
    /// [`SetupError::Size`] for any other size.
    pub fn new(size: u8, route: Route) -> Result<Self, SetupError> {
        let lattice = Diagonal::of(size).map_err(|_| SetupError::Size { size })?;
        let mut table = Self { size, sure: vec![None; 2 * lattice.len() * lattice.len()] };
        let mut stones: Vec<Cell> = lattice.cells().collect();
        stones.sort_by_key(|&stone| lattice.distance(stone, Home::Top));
        for stone in stones {
            // The enemy may move on and on, but the stone's own moves lead to nearer ones.
            for to_move in Player::BOTH {
                for enemy in lattice.cells() {
                    let sure = table.decide(stone, enemy, to_move, route);
                    table.sure[index(lattice, stone, enemy, to_move == Player::First)] = sure;
                }
            }
        }
        Ok(table)
    }

    /// Whether blue's stone gets through; blue's turn is decided before red's for each stone.
    fn decide(&self, stone: Cell, enemy: Cell, to_move: Player, route: Route) -> Option<bool> {
        let options = Options { repetition: Repetition::None, ..Options::default() };
        let stones = ByPlayer::new(std::slice::from_ref(&stone), std::slice::from_ref(&enemy));
        let position = Position::with_recent(self.size, options, stones, to_move, Recent::default()).ok()?;
        // Whether the enemy is home first is not asked.
        let home = |enemy: Cell| enemy == position.lattice().homebase(Home::Bottom);
        if home(enemy) {
            return Some(true);
        }
        if let Some(outcome) = position.outcome() {
            return Some(outcome == Outcome::Win(Player::First));
        }
        let moves = position.moves();
        let leads = |mv: Move| {
            let to = position.target(mv).unwrap_or(mv.from);
            if to_move == Player::Second && home(to) {
                return true;
            }
            let mut next = position.clone();
            next.play_unchecked(mv);
            if let Some(outcome) = next.outcome() {
                return outcome == Outcome::Win(Player::First);
            }
            let (stone, enemy) = if to_move == Player::First { (to, enemy) } else { (stone, to) };
            self.sure[index(position.lattice(), stone, enemy, to_move == Player::Second)] == Some(true)
        };
        Some(match to_move {
            Player::First => {
                moves.into_iter().any(|mv| allowed(position.lattice(), stone, mv.heading, route) && leads(mv))
            }
            Player::Second => moves.into_iter().all(leads),
        })
    }

    /// The geometry.
    #[must_use]
    pub fn lattice(&self) -> &'static Diagonal {
        Diagonal::of(self.size).unwrap_or_else(|error| unreachable!("the table has been made: {error}"))
    }

    /// Whether a stone of `player` gets through against one enemy; `to_move` if it is that player's turn.
    /// `None` if there is no such board. O(1).
    ///
    /// # Panics
    /// If a cell is not on the board.
    #[must_use]
    pub fn sure(&self, player: Player, stone: Cell, enemy: Cell, to_move: bool) -> Option<bool> {
        let lattice = self.lattice();
        let turned = |cell| match player {
            Player::First => cell,
            Player::Second => lattice.map(stonework_board::DiagonalSymmetry::FLIP, cell),
        };
        self.sure[index(lattice, turned(stone), turned(enemy), to_move)]
    }

    /// How the thesis prints it: a square of `X` for blue's stone, `#` where no enemy can lie, `+` where it
    /// does not prevent the breakthrough and `-` where it does.
    #[must_use]
    pub fn diagram(&self, stone: Cell, to_move: bool) -> String {
        self.lattice().table(|enemy| match self.sure(Player::First, stone, enemy, to_move) {
            _ if enemy == stone => 'X',
            None => '#',
            Some(true) => '+',
            Some(false) => '-',
        })
    }
}

fn index(lattice: &Diagonal, stone: Cell, enemy: Cell, to_move: bool) -> usize {
    2 * (stone.index() * lattice.len() + enemy.index()) + usize::from(to_move)
}

/// Whether blue's stone may go that way.
fn allowed(lattice: &Diagonal, stone: Cell, heading: Heading, route: Route) -> bool {
    let Some(to) = lattice.neighbour(stone, heading) else { return false };
    let orientation = lattice.orientation(stone);
    let nearer = lattice.distance(to, Home::Top) < lattice.distance(stone, Home::Top);
    let turns = heading.motion(orientation) == Motion::Rotation;
    let way = match orientation {
        Orientation::Vertical => !turns || route == Route::Turning,
        Orientation::Horizontal => turns,
    };
    nearer && way
}

/// Whether a stone has broken through by the function of the thesis' figure 29, for any enemies.
///
/// It has if it is nearer to the homebase than every enemy, in steps and in horizontal lines (§4.2). Both
/// printed adjustments are made: a vertical stone whose turn it is may be as many lines away as an enemy;
/// and if it is not its turn, no enemy may be able to shoot it in one move.
///
/// O(enemies), and the moves of the other side where that is to move.
///
/// # Panics
/// If there is no stone on the cell.
#[must_use]
pub fn broken_through(position: &Position, stone: Cell) -> bool {
    let Some(player) = position.stone(stone) else { panic!("there is no stone on cell {}", stone.index()) };
    let lattice = position.lattice();
    let home = match player {
        Player::First => Home::Top,
        Player::Second => Home::Bottom,
    };
    let lines = |cell| lattice.height(cell).abs_diff(lattice.height(lattice.homebase(home)));
    let turn = position.to_move() == player;
    let as_many = turn && lattice.orientation(stone) == Orientation::Vertical;
    let ahead = |enemy| {
        let fewer = lines(stone) < lines(enemy) || (as_many && lines(stone) == lines(enemy));
        fewer && lattice.distance(stone, home) < lattice.distance(enemy, home)
    };
    if !position.stones(player.other()).all(ahead) {
        return false;
    }
    if turn {
        return true;
    }
    let moves = position.moves();
    moves.into_iter().all(|mv| position.hit(mv) != Some(stone))
}
