//! [`Breakthroughs`]: stones that reach the homebase whatever one enemy stone does (§4.2 of the 1995 thesis).

use stonework_board::{Cell, Diagonal, Heading, Home, Motion, Orientation};
use stonework_cover::{Move, Options, Position, Recent, Repetition, SetupError};
use stonework_game::{ByPlayer, Game, Outcome, Player};

/// The moves that a stone may use to break through; each of them brings the stone a step nearer to the homebase.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Route {
    /// The moves of the thesis: a vertical stone goes forward, or sideways to the middle; a horizontal stone turns once,
    /// towards the middle.
    #[default]
    Straight,
    /// The moves of [`Straight`](Self::Straight), and turns of a vertical stone. These moves find a few more
    /// breakthroughs.
    Turning,
}

/// A table of breakthroughs. For each location of a stone and of one enemy stone, it says if the stone reaches the
/// opponent's homebase by a shortest way, whatever the enemy does.
///
/// The enemy may shoot the stone or stand in its way. A shot of the stone at the enemy counts as an arrival. The table does
/// not compare which side would be home first. Past moves do not matter, as the stone never goes back. Against several
/// enemies the table is an estimate: no single one of them prevents the breakthrough.
///
/// The table is computed by the rules of Cover, from the nearest locations to the farthest. Time and memory are in the
/// order of the pairs of locations; Cover-4 takes 20 ms.
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
    /// The results for blue's stones, by 2 · (stone · locations + enemy), plus 1 if the stone's side is to move.
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
            // Only locations nearer to the homebase follow on a move of the stone, and they are decided already.
            for to_move in Player::BOTH {
                for enemy in lattice.cells() {
                    let sure = table.decide(stone, enemy, to_move, route);
                    table.sure[index(lattice, stone, enemy, to_move == Player::First)] = sure;
                }
            }
        }
        Ok(table)
    }

    /// `true` if blue's stone breaks through; `None` if two stones cannot be on these locations. For each stone, the
    /// table has blue's turn before red's.
    fn decide(&self, stone: Cell, enemy: Cell, to_move: Player, route: Route) -> Option<bool> {
        let options = Options { repetition: Repetition::None, ..Options::default() };
        let stones = ByPlayer::new(std::slice::from_ref(&stone), std::slice::from_ref(&enemy));
        let position = Position::with_recent(self.size, options, stones, to_move, Recent::default()).ok()?;
        // An enemy that has come home does not stop the stone.
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

    /// The lattice of the table's boards.
    #[must_use]
    pub fn lattice(&self) -> &'static Diagonal {
        Diagonal::of(self.size).unwrap_or_else(|error| unreachable!("the table has been made: {error}"))
    }

    /// `true` if a stone of `player` breaks through against one enemy; `to_move` if it is that player's turn. `None`
    /// if two stones cannot be on these locations. O(1).
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

    /// A diagram in the form of the thesis: `X` for blue's stone, `#` where no enemy can be, `+` where an enemy does not
    /// prevent the breakthrough and `-` where it does.
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

/// `true` if the route allows a step of blue's stone.
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

/// `true` if a stone has broken through by the function of the thesis' figure 29, for any number of enemies.
///
/// A stone has broken through if it is nearer to the homebase than every enemy, in steps and in horizontal lines (§4.2).
/// The function makes both printed adjustments. A vertical stone with the turn may be as many lines away as an enemy. A
/// stone without the turn must not be in the range of an enemy's next shot.
///
/// O(enemies) with the turn; otherwise O(moves of the opponent).
///
/// # Panics
/// If the cell has no stone.
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
