//! The counts that both evaluations use.

use stonework_board::{Cell, Heading, Home, Orientation};
use stonework_cover::{MAX_SIZE, Position};
use stonework_game::{ByPlayer, Game, Player};

/// The most stones of a side.
const MAX_STONES: usize = MAX_SIZE as usize;

/// The homebase that a side wants to reach.
pub(super) const fn goal(player: Player) -> Home {
    match player {
        Player::First => Home::Top,
        Player::Second => Home::Bottom,
    }
}

/// A stone, with its counts from its own side of the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stone {
    pub(super) cell: Cell,
    /// The steps to the opponent's homebase.
    pub(super) steps: i32,
    /// The horizontal lines to the opponent's homebase, imaginary lines included.
    pub(super) lines: i32,
    /// The vertical lines to the middle.
    pub(super) aside: i32,
    pub(super) upright: bool,
    /// `true` if the opponent could shoot the stone with its next move.
    pub(super) shootable: bool,
}

/// One side's stones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    stones: [Stone; MAX_STONES],
    count: usize,
    /// The locations that the stones could hit with their next move. A location that two stones could hit counts twice.
    pub(super) threats: i32,
    /// The lengthwise steps that are not blocked.
    pub(super) free: i32,
}

/// The counts of a position. O(stones × Y).
#[derive(Clone, Copy, Debug)]
pub(super) struct Survey {
    sides: ByPlayer<Side>,
    to_move: Player,
    /// Y − 1: the most steps, and the most vertical lines. The most horizontal lines are twice as many.
    pub(super) most: i32,
}

/// The results of figure 29, and of the adjustments below it, about the breakthrough of a stone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Through {
    /// `true` if every enemy is more horizontal lines away.
    pub(super) lines: bool,
    /// `true` if every enemy is more steps away.
    pub(super) steps: bool,
    /// `true` if `lines` and `steps` are true and no enemy can shoot the stone now.
    pub(super) full: bool,
}

impl Side {
    fn new(game: &Position, player: Player) -> Self {
        let lattice = game.lattice();
        let top = i32::from(lattice.height(lattice.homebase(goal(player))));
        let blank = Stone {
            cell: lattice.homebase(Home::Bottom),
            steps: 0,
            lines: 0,
            aside: 0,
            upright: true,
            shootable: false,
        };
        let mut side = Self { stones: [blank; MAX_STONES], count: 0, threats: 0, free: 0 };
        for (stone, cell) in side.stones.iter_mut().zip(game.stones(player)) {
            *stone = Stone {
                cell,
                steps: i32::from(lattice.distance(cell, goal(player))),
                lines: (top - i32::from(lattice.height(cell))).abs(),
                aside: i32::from(lattice.vertical_line(cell)),
                upright: lattice.orientation(cell) == Orientation::Vertical,
                shootable: false,
            };
            side.count += 1;
        }
        side
    }

    pub(super) fn stones(&self) -> &[Stone] {
        &self.stones[..self.count]
    }

    pub(super) const fn len(&self) -> i32 {
        self.count as i32
    }
}

impl Survey {
    pub(super) fn new(game: &Position) -> Self {
        let mut sides = ByPlayer::new(Side::new(game, Player::First), Side::new(game, Player::Second));
        for player in Player::BOTH {
            for i in 0..sides[player].count {
                aim(game, player, i, &mut sides);
            }
        }
        Self { sides, to_move: game.to_move(), most: i32::from(game.lattice().side()) - 1 }
    }

    pub(super) const fn mover(&self) -> Player {
        self.to_move
    }

    pub(super) fn side(&self, player: Player) -> &Side {
        &self.sides[player]
    }

    /// The least lines and steps of a side's enemies to the homebase that they defend.
    pub(super) fn guards(&self, player: Player) -> (i32, i32) {
        let enemies = self.sides[player.other()].stones();
        // An enemy's lines to the one end and to the other add up to 2 (Y − 1).
        let lines = enemies.iter().map(|z| 2 * self.most - z.lines).min();
        (lines.unwrap_or(i32::MAX), self.guard_steps(player))
    }

    fn guard_steps(&self, player: Player) -> i32 {
        let enemies = self.sides[player.other()].stones();
        enemies.iter().map(|z| self.behind(z)).min().unwrap_or(i32::MAX)
    }

    /// The steps from a stone to its own homebase. A stone at (a, b) is max(a, b) − 1 steps from one homebase and
    /// Y − min(a, b) from the other.
    pub(super) const fn behind(&self, stone: &Stone) -> i32 {
        // For the side that goes up: lines = 2(Y − 1) − (a − 1) − (b − 1) and aside = |a − b|.
        self.most - (stone.lines - stone.aside) / 2
    }

    /// The breakthrough of a stone of a side, given the side's [`guards`](Self::guards).
    pub(super) fn through(&self, player: Player, stone: &Stone, (lines, steps): (i32, i32)) -> Through {
        let mine = self.to_move == player;
        let level = mine && stone.upright && stone.lines == lines;
        let by_lines = stone.lines < lines || level;
        let by_steps = stone.steps < steps;
        let full = by_lines && by_steps && (mine || !stone.shootable);
        Through { lines: by_lines, steps: by_steps, full }
    }
}

/// Counts the locations that the stone of this index can hit, and marks the enemies among them.
fn aim(game: &Position, player: Player, index: usize, sides: &mut ByPlayer<Side>) {
    let lattice = game.lattice();
    let Stone { cell, upright, .. } = sides[player].stones[index];
    // The places of a stone across the line at an intersection: left and right of it, or below and above.
    let (headings, across) =
        if upright { ([Heading::Up, Heading::Down], 2..4) } else { ([Heading::Left, Heading::Right], 0..2) };
    for heading in headings {
        for (i, &point) in lattice.ahead(cell, heading).iter().enumerate() {
            let Some((at, owner)) = game.covering(point) else {
                let places = &lattice.covering(point)[across.clone()];
                sides[player].threats += places.iter().flatten().count() as i32;
                sides[player].free += i32::from(i == 0);
                continue;
            };
            let weak = (lattice.orientation(at) == Orientation::Vertical) != upright;
            if owner != player && weak {
                sides[player].threats += 1;
                sides[player].free += i32::from(i == 0);
                let enemy = &mut sides[owner];
                let hit = enemy.stones[..enemy.count].iter_mut().find(|stone| stone.cell == at);
                if let Some(hit) = hit {
                    hit.shootable = true;
                }
            }
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonework_cover::Setup;

    fn survey(board: &str, to_move: Player) -> (Position, Survey) {
        let mut setup = Setup::from_board(4, board).unwrap();
        setup.to_move = to_move;
        let position = setup.position().unwrap();
        let survey = Survey::new(&position);
        (position, survey)
    }

    #[test]
    fn distances_are_the_lattices() {
        let start = Position::new(4).unwrap();
        let survey = Survey::new(&start);
        for player in Player::BOTH {
            assert_eq!(survey.side(player).len(), 4);
            for stone in survey.side(player).stones() {
                let lattice = start.lattice();
                assert_eq!(stone.steps, i32::from(lattice.distance(stone.cell, goal(player))));
                assert_eq!(
                    survey.behind(stone),
                    i32::from(lattice.distance(stone.cell, goal(player.other())))
                );
            }
        }
    }

    /// Figure 7: A07 shoots E10, K02 shoots E07. Every free intersection on a line counts as two locations.
    #[test]
    fn figure_7_has_its_threats() {
        let (_, survey) = survey("[A07,E07]x[E10,K02]", Player::First);
        let shot =
            |player| -> Vec<bool> { survey.side(player).stones().iter().map(|s| s.shootable).collect() };
        assert_eq!(shot(Player::First), [false, true]);
        assert_eq!(shot(Player::Second), [true, false]);
        // A07 passes four intersections up to the edge, with a location on both sides of each but the last, and
        // none down; E10 blocks the line at the third.
        let (_, alone) = self::survey("[A07]x[K02]", Player::First);
        assert_eq!(alone.side(Player::First).threats, 7);
        let (_, stopped) = self::survey("[A07]x[E10]", Player::First);
        assert_eq!(stopped.side(Player::First).threats, 5);
    }

    /// Figure 23: [I09]x[J08]. J08 is level with the blue stone, and a step behind: a breakthrough if blue
    /// moves.
    #[test]
    fn a_level_stone_breaks_through_with_the_move() {
        for (to_move, full) in [(Player::First, true), (Player::Second, false)] {
            let (_, survey) = survey("[I09]x[J08]", to_move);
            let stone = survey.side(Player::First).stones()[0];
            let through = survey.through(Player::First, &stone, survey.guards(Player::First));
            assert_eq!(through, Through { lines: full, steps: true, full });
        }
        // Blue's stone is in front, but about to be shot.
        for (to_move, full) in [(Player::First, true), (Player::Second, false)] {
            let (_, survey) = survey("[G08]x[E07]", to_move);
            let stone = survey.side(Player::First).stones()[0];
            let through = survey.through(Player::First, &stone, survey.guards(Player::First));
            assert_eq!(
                (through.lines, through.steps, through.full, stone.shootable),
                (true, true, full, !full || stone.shootable),
                "{stone:?}"
            );
        }
    }

    /// The function of figure 29 against the breakthrough diagrams of appendix C. Diagrams of horizontal
    /// stones with red to move contradict the text and are left out.
    #[test]
    fn the_function_agrees_with_the_printed_diagrams() {
        let diagrams = stonework_reference_data::json("cover/diagrams.json");
        let lattice = stonework_board::Diagonal::of(4).unwrap();
        // The counts by the printed sign, and by the result of the function.
        let mut counts = [[0; 2]; 2];
        for diagram in diagrams["thesis_diagrams"].as_array().unwrap() {
            let name = diagram["name"].as_str().unwrap();
            let blue = lattice.parse(name).unwrap();
            let mine = diagram["to_move"] == "BLUE";
            let upright = lattice.orientation(blue) == Orientation::Vertical;
            if diagram["kind"] != "breakthrough" || (!mine && !upright) {
                continue;
            }
            let rows = diagram["rows"].as_array().unwrap();
            let signs: Vec<char> = rows.iter().flat_map(|row| row.as_str().unwrap().chars()).collect();
            let mut at = 0;
            let _ = lattice.table(|red| {
                let sign = signs[at];
                at += 1;
                if sign == '+' || sign == '-' {
                    let board = format!("[{name}]x[{}]", lattice.name(red));
                    let (_, survey) = survey(&board, if mine { Player::First } else { Player::Second });
                    let stone = survey.side(Player::First).stones()[0];
                    let through = survey.through(Player::First, &stone, survey.guards(Player::First));
                    counts[usize::from(sign == '+')][usize::from(through.full)] += 1;
                }
                sign
            });
        }
        // The function never claims a breakthrough that is prevented, and finds most of the other breakthroughs.
        assert_eq!(counts, [[865, 0], [49, 1082]]);
    }
}
