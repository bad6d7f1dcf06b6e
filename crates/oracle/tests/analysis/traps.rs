//! Cases that are often wrong, each with a name.

use stonework_board::{Cell, CellSet};
use stonework_game::{Game, Outcome, Player, Textual};
use stonework_havannah::{Move, Position, Setup, WinKind};
use stonework_havannah_analysis::{
    AnalysisError, FrameBudget, Frames, LinkBudget, LinkEnd, LinkSet, MustPlay, StonesToWin,
};

use crate::frames::wins;

/// A position with these stones of White and Black.
fn position(size: u8, white: &str, black: &str, to_move: Player) -> Position {
    let start = Position::new(size).unwrap();
    let cells = |names: &str| cells(&start, names);
    let mut setup = Setup { to_move, ..start.setup() };
    setup.stones.first = cells(white);
    setup.stones.second = cells(black);
    setup.position().unwrap()
}

fn cells(position: &Position, names: &str) -> CellSet {
    names.split_whitespace().map(|name| cell(position, name)).collect()
}

fn cell(position: &Position, name: &str) -> Cell {
    position.board().parse(name).unwrap()
}

fn frames(position: &Position, owner: Player) -> Frames {
    Frames::of(position, owner, &FrameBudget::default()).unwrap()
}

#[test]
fn two_links_side_by_side_are_no_ring() {
    // Stones above and below row d, with two-bridges at either end. If Black takes d3 and d6, White takes d4 and d5: no
    // cell is inside.
    let narrow = position(5, "c3 c4 c5 e4 e5 e6", "", Player::Second);
    assert!(frames(&narrow, Player::First).all().iter().all(|f| f.kind != WinKind::Ring || !f.is_full()));
    // With the stones one cell wider, d4 is inside for all completions of the links.
    let wide = position(5, "c2 c3 c4 c5 e3 e4 e5 e6", "", Player::Second);
    let found = frames(&wide, Player::First);
    let ring = found.all().iter().find(|f| f.kind == WinKind::Ring && f.is_full()).unwrap();
    assert_eq!((ring.carrier, ring.moves), (cells(&wide, "d2 d3 d5 d6"), 2));
    assert_eq!(ring.enclosed, cells(&wide, "d4"));
}

#[test]
fn two_links_around_a_stone_of_the_opponent_are_a_ring() {
    let wide = position(5, "c2 c3 c4 c5 e3 e4 e5 e6", "d4 a1 a5 i9", Player::Second);
    let found = frames(&wide, Player::First);
    let ring = found.proven().find(|f| f.kind == WinKind::Ring).unwrap();
    assert_eq!(ring.enclosed, cells(&wide, "d4"));
    assert_eq!(wins(&wide, Player::First), Some(true));
}

#[test]
fn the_sixth_stone_around_own_ones_is_a_half_frame() {
    let filled = position(4, "b2 b3 c2 c4 d3 c3", "f3 f4 f5 f6 e6", Player::Second);
    let d4 = cell(&filled, "d4");
    let found = frames(&filled, Player::First);
    let closing = found.all().iter().find(|f| f.key == Some(d4)).unwrap();
    assert_eq!((closing.kind, closing.moves), (WinKind::Ring, 1));
}

#[test]
fn of_two_frames_of_equal_length_that_of_the_side_to_move_wins() {
    for mover in Player::BOTH {
        let race = position(4, "d1 c2 b3 a4", "d7 e6 f5 g4", mover);
        for owner in Player::BOTH {
            let found = frames(&race, owner);
            assert!(found.all().iter().any(|f| f.is_full() && f.moves == 3), "{owner:?} has a frame");
            assert_eq!(found.proven().next().is_some(), owner == mover, "{mover:?} moves, {owner:?} owns");
        }
        assert_eq!(wins(&race, mover), Some(true));
        assert_eq!(wins(&race, mover.other()), Some(false));
        // The moves that shorten the own frame are as fast as the opponent's frame.
        let must = MustPlay::of(&race, &FrameBudget::default()).unwrap();
        assert!(!must.is_lost() && must.cells().len() < race.empty_cells().count());
    }
}

#[test]
fn a_longer_frame_does_not_win_by_the_first_move() {
    // White needs three moves. Black has a stone on e5 instead of a two-bridge and needs two.
    let race = position(4, "d1 c2 b3 a4", "d7 e6 f6 f5 g4", Player::First);
    assert_eq!(StonesToWin::of(&race, Player::Second, 9).unwrap().unwrap().stones, 2);
    assert_eq!(frames(&race, Player::First).proven().count(), 0);
    assert_eq!(wins(&race, Player::First), Some(false));
    // Black to move has the faster frame; White to move must break it.
    let must = MustPlay::of(&race, &FrameBudget::default()).unwrap();
    for outside in race.empty_cells().filter(|&c| must.reason(c).is_some()) {
        let mut after = race.clone();
        after.play(Move::Place(outside)).unwrap();
        assert_eq!(wins(&after, Player::Second), Some(true));
    }
}

#[test]
fn a_corner_is_on_no_edge() {
    // The stone on b1 is on edge 5. The cells of edge 0 nearest to it are a2 and beyond, not the corner a1.
    let lone = position(4, "b1", "", Player::Second);
    let links = LinkSet::of(&lone, Player::First, &LinkBudget::default()).unwrap();
    let b1 = LinkEnd::Chain(cell(&lone, "b1"));
    let own = links.full_between(b1, LinkEnd::Edge(5)).unwrap().next().unwrap();
    assert!(own.carrier.is_empty());
    let a1 = cell(&lone, "a1");
    let corner = links.half_between(b1, LinkEnd::Corner(0)).unwrap().next().unwrap();
    assert_eq!((corner.key, corner.carrier), (Some(a1), CellSet::from_iter([a1])));
    assert!(links.half_between(b1, LinkEnd::Edge(0)).unwrap().all(|l| l.carrier != CellSet::from_iter([a1])));
}

#[test]
fn bad_input_is_refused_by_name() {
    let budget = LinkBudget::default();
    let text = |error: AnalysisError| error.to_string();
    let refused = |position: &Position, budget: &LinkBudget| {
        text(LinkSet::of(position, Player::First, budget).unwrap_err())
    };
    let start = Position::new(4).unwrap();
    assert_eq!(
        refused(&start, &LinkBudget { carrier: 0, ..budget }),
        "a budget of 0 cells of a carrier is too low: the least is 1"
    );
    assert_eq!(
        refused(&start, &LinkBudget { combinations: 0, ..budget }),
        "a budget of 0 combinations is too low: the least is 1"
    );
    let least = LinkBudget::least_bytes(37);
    assert_eq!(
        refused(&start, &LinkBudget { bytes: 0, ..budget }),
        format!("a budget of 0 bytes is too low: the least is {least}")
    );
    let mut over = start.clone();
    for name in "a1 b1 a2 b2 a3 b3 a4".split(' ') {
        over.play(over.parse_move(name).unwrap()).unwrap();
    }
    assert_eq!(over.outcome(), Some(Outcome::Win(Player::First)));
    assert_eq!(refused(&over, &budget), "the game is over: white has won");
    assert!(MustPlay::of(&over, &FrameBudget::default()).is_err());
    let swap = Position::with_swap(4).unwrap();
    assert_eq!(
        refused(&swap, &budget),
        "the right to swap is still in the game, so that stones may change sides"
    );
    let frames = FrameBudget { frames: 0, ..FrameBudget::default() };
    assert_eq!(
        text(Frames::of(&start, Player::First, &frames).unwrap_err()),
        "a budget of 0 frames is too low: the least is 1"
    );

    let position = position(4, "b2", "c3", Player::First);
    let links = LinkSet::of(&position, Player::First, &budget).unwrap();
    let [b2, c3, d4] = ["b2", "c3", "d4"].map(|name| cell(&position, name));
    assert_eq!(links.end(b2), Ok(LinkEnd::Chain(b2)));
    assert_eq!(
        text(links.end(c3).unwrap_err()),
        "cell 11 has a stone of black, the opponent of the links' owner"
    );
    assert_eq!(text(links.end(Cell::new(37).unwrap()).unwrap_err()), "cell 37 is not on a board of size 4");
    let wrong = |end| text(links.full_between(LinkEnd::Chain(b2), end).err().unwrap());
    assert_eq!(wrong(LinkEnd::Edge(6)), "there is no edge 6: the numbers are 0 to 5");
    assert_eq!(
        wrong(LinkEnd::Chain(d4)),
        format!("cell {} is empty: no chain is named after it", d4.index())
    );
    assert_eq!(wrong(LinkEnd::Empty(b2)), format!("cell {} is taken: it is no empty end", b2.index()));
}

#[test]
fn a_small_budget_is_held_and_finds_less() {
    let middle = position(6, "c3 c6 f6 g8 h7 d5", "d4 e5 f7 g7 b2 i8", Player::First);
    let whole = LinkSet::of(&middle, Player::First, &LinkBudget::default()).unwrap();
    for combinations in [1, 10, 1000] {
        let budget = LinkBudget { combinations, ..LinkBudget::default() };
        let few = LinkSet::of(&middle, Player::First, &budget).unwrap();
        assert!(few.combinations() <= combinations && few.len() < whole.len() && !few.is_complete());
    }
    let least = LinkBudget::least_bytes(middle.board().len());
    let budget = LinkBudget { bytes: least + 10_000, ..LinkBudget::default() };
    let few = LinkSet::of(&middle, Player::First, &budget).unwrap();
    assert!(few.len() < 100 && !few.is_complete());
    let budget = LinkBudget { per_pair: 1, ..LinkBudget::default() };
    assert!(LinkSet::of(&middle, Player::First, &budget).unwrap().len() < whole.len());
}
