//! Distances agree with all ways to fill the board, and with slower algorithms on boards that cannot be filled.

mod common;

use proptest::prelude::*;
use stonework_board::{Board, Cell, CellSet, Symmetry};
use stonework_game::{Game, Player, Rng, Textual, below, rng};
use stonework_havannah::{Position, Setup, WinKind, WinKinds};
use stonework_havannah_analysis::{Distances, Need, Origin, OriginError, TwoDistances};

use common::{listed, scattered};

/// The kinds of win of stones of one colour, by the rules.
fn kinds(size: u8, stones: CellSet) -> WinKinds {
    let mut setup = Setup::new(size);
    setup.stones.first = stones;
    setup.position().unwrap().kinds()
}

/// The chains of a set of stones.
fn chains(board: &Board, stones: CellSet) -> Vec<CellSet> {
    let (mut left, mut chains) = (stones, Vec::new());
    while let Some(start) = left.first() {
        let (mut chain, mut stack) = (CellSet::new(), vec![start]);
        left.remove(start);
        while let Some(at) = stack.pop() {
            chain.insert(at);
            stack.extend(board.neighbours(at).filter(|&near| left.remove(near)));
        }
        chains.push(chain);
    }
    chains
}

/// `true` if no path from the cell to the outside avoids the other stones.
fn enclosed(board: &Board, stones: &CellSet, inside: Cell) -> bool {
    let (mut seen, mut stack) = (CellSet::new(), vec![inside]);
    seen.insert(inside);
    while let Some(at) = stack.pop() {
        if board.is_rim(at) {
            return false;
        }
        stack.extend(board.neighbours(at).filter(|&near| !stones.contains(near) && seen.insert(near)));
    }
    true
}

/// The least numbers over all ways to fill empty cells: for each kind and each cell, and of a ring around each cell.
struct Fillings {
    maps: [Vec<Option<u16>>; 3],
    around: Vec<Option<u16>>,
}

fn lower(least: &mut Option<u16>, stones: u16) {
    *least = Some(least.map_or(stones, |before| before.min(stones)));
}

impl Fillings {
    fn of(position: &Position, player: Player) -> Self {
        let board = position.board();
        let none = vec![None; board.len()];
        let mut fillings = Self { maps: std::array::from_fn(|_| none.clone()), around: none };
        let empty: Vec<Cell> = position.empty_cells().collect();
        for filling in 0..1u32 << empty.len() {
            let count = filling.count_ones() as u16;
            let chosen = (0..empty.len()).filter(|i| filling >> i & 1 != 0).map(|i| empty[i]);
            let stones = position.stones(player) | chosen.collect();
            for chain in chains(board, stones) {
                for kind in kinds(board.size(), chain).iter() {
                    for cell in &chain {
                        lower(&mut fillings.maps[kind as usize][cell.index()], count);
                    }
                }
            }
            for cell in board.cells().filter(|&cell| enclosed(board, &stones, cell)) {
                lower(&mut fillings.around[cell.index()], count);
            }
        }
        fillings
    }
}

/// Asserts that a need has as many empty cells as stones, and that stones on them make the win.
fn is_a_win(position: &Position, player: Player, need: &Need) -> bool {
    let stones = position.stones(player) | need.cells;
    let empty: CellSet = position.empty_cells().collect();
    let encloses = |cell| enclosed(position.board(), &stones, cell);
    need.cells.len() == usize::from(need.stones)
        && need.cells.is_subset(&empty)
        && kinds(position.size(), stones).contains(need.kind)
        && need.around.is_some() == (need.kind == WinKind::Ring)
        && need.around.is_none_or(encloses)
}

fn equals_all_fillings(position: &Position, player: Player, measure: &mut Distances) {
    let fillings = Fillings::of(position, player);
    let board = position.board();
    let text = position.position_text();
    measure.load(position, player);
    for kind in WinKind::ALL {
        let need = measure.need(kind);
        let least = fillings.maps[kind as usize].iter().flatten().min().copied();
        assert_eq!(need.map(|need| need.stones), least, "{kind} of {player:?} in {text}");
        assert!(need.is_none_or(|need| is_a_win(position, player, &need)), "{kind} of {player:?} in {text}");
        assert_eq!(
            listed(measure.map(kind), board),
            fillings.maps[kind as usize],
            "{kind} of {player:?} in {text}"
        );
        assert_eq!(measure.need(kind).map(|need| need.stones), least, "{kind} again in {text}");
    }
    assert_eq!(listed(measure.around_map(), board), fillings.around, "rings of {player:?} in {text}");
    for cell in board.cells() {
        let around = measure.ring_around(cell);
        assert_eq!(
            around.map(|need| need.stones),
            fillings.around[cell.index()],
            "{} in {text}",
            board.name(cell)
        );
        assert!(around.is_none_or(|need| need.around == Some(cell) && is_a_win(position, player, &need)));
    }
    let least = fillings.maps.iter().flatten().flatten().min().copied();
    assert_eq!(measure.nearest().map(|need| need.stones), least);
    assert_eq!(measure.win_map().least(), least);
}

fn random_positions_equal_all_fillings(positions: usize, most_empty: usize, seed: u64) {
    let (mut rng, mut measure) = (rng(seed), Distances::new(2).unwrap());
    let mut seen = 0;
    while seen < positions {
        let size = 2 + below(&mut rng, 3) as u8;
        let (empty, share) = (below(&mut rng, most_empty + 1), 2 + below(&mut rng, 8));
        let Some(position) = scattered(size, empty, share, &mut rng) else { continue };
        for player in Player::BOTH {
            equals_all_fillings(&position, player, &mut measure);
        }
        seen += 1;
    }
}

#[test]
fn distances_equal_all_fillings() {
    random_positions_equal_all_fillings(1_000, 10, 1);
}

/// Positions with up to 11 empty cells, both sides.
#[test]
#[ignore = "two minutes: cargo test --release -p stonework-havannah-analysis --test distance -- --ignored all_fillings (docs/lab/analysis.md)"]
fn distances_equal_all_fillings_of_many_positions() {
    random_positions_equal_all_fillings(30_000, 11, 2);
}

#[test]
fn the_empty_board_of_size_3_equals_all_fillings() {
    // All sets of 19 cells, a chain that has won counted once.
    let position = Position::new(3).unwrap();
    let mut measure = Distances::of(&position, Player::First);
    let board = position.board();
    let mut least = [None; 3];
    for filling in (0..1u32 << 19).filter(|filling| filling.count_ones() <= 6) {
        let stones = board.cells().filter(|cell| filling >> cell.index() & 1 != 0).collect();
        for kind in kinds(3, stones).iter() {
            lower(&mut least[kind as usize], filling.count_ones() as u16);
        }
    }
    assert_eq!(WinKind::ALL.map(|kind| measure.need(kind).map(|need| need.stones)), least);
    assert_eq!(least, [Some(6), Some(3), Some(5)]);
}

#[test]
fn needs_of_empty_boards() {
    for size in 2..=20 {
        let mut measure = Distances::new(size).unwrap();
        let s = u16::from(size);
        let needs = WinKind::ALL.map(|kind| measure.need(kind));
        let stones = needs.map(|need| need.map(|need| need.stones));
        // A fork runs along an edge, past both of its corners; a ring is six stones.
        let fork = (size > 2).then_some(s + 2);
        assert_eq!(stones, [Some(6), Some(s), fork], "size {size}");
        for need in needs.iter().flatten() {
            assert!(
                is_a_win(&Position::new(size).unwrap(), Player::First, need),
                "{} at size {size}",
                need.kind
            );
        }
    }
}

/// The least costs from some cells, by relaxing every cell until nothing changes.
fn slow_costs(position: &Position, player: Player, begin: impl Fn(Cell) -> bool) -> Vec<Option<u16>> {
    let board = position.board();
    let own = |cell: Cell| match position.stone(cell) {
        None => Some(1),
        Some(owner) => (owner == player).then_some(0),
    };
    let mut costs = vec![None; board.len()];
    loop {
        let before = costs.clone();
        for cell in board.cells() {
            let Some(own) = own(cell) else { continue };
            let near = board.neighbours(cell).filter_map(|near| costs[near.index()]).min();
            let way = if begin(cell) { Some(own) } else { near.map(|near: u16| near + own) };
            costs[cell.index()] = [way, costs[cell.index()]].into_iter().flatten().min();
        }
        if costs == before {
            return costs;
        }
    }
}

/// The fewest stones of a ring around a cell as a smallest cut: the most paths from the cell to the outside that share no
/// cell of cost one and meet no own stone. `None` for infinitely many paths.
fn smallest_cut(position: &Position, player: Player, inside: Cell) -> Option<u16> {
    let board = position.board();
    // The nodes: 2·cell, at which a path comes in, and 2·cell + 1, at which it goes out.
    let nodes = 2 * board.len();
    let mut flow = vec![0i32; nodes * nodes];
    let room = |from: usize, to: usize| -> i32 {
        if from / 2 != to / 2 {
            return if from % 2 == 1 && to.is_multiple_of(2) { 1000 } else { 0 };
        }
        let cell = Cell::new(from / 2).unwrap();
        match (from % 2, position.stone(cell)) {
            (1, _) => 0,
            _ if cell == inside => 1000,
            (_, None) => 1,
            (_, Some(owner)) => {
                if owner == player {
                    0
                } else {
                    1000
                }
            }
        }
    };
    for stones in 0.. {
        let mut from = vec![usize::MAX; nodes];
        let start = 2 * inside.index();
        let (mut queue, mut end) = (std::collections::VecDeque::from([start]), None);
        from[start] = start;
        while let Some(node) = queue.pop_front() {
            let cell = Cell::new(node / 2).unwrap();
            if node % 2 == 1 && board.is_rim(cell) {
                end = Some(node);
                break;
            }
            let across = board.neighbours(cell).map(|near| 2 * near.index() + 1 - node % 2);
            for next in across.chain([node ^ 1]) {
                let left = room(node, next) - flow[node * nodes + next];
                if left > 0 && from[next] == usize::MAX {
                    from[next] = node;
                    queue.push_back(next);
                }
            }
        }
        let Some(mut node) = end else { return Some(stones) };
        if usize::from(stones) > board.len() {
            return None;
        }
        while from[node] != node {
            flow[from[node] * nodes + node] += 1;
            flow[node * nodes + from[node]] -= 1;
            node = from[node];
        }
    }
    None
}

fn equals_slow_algorithms(position: &Position, player: Player, measure: &mut Distances, rng: &mut Rng) {
    let (board, text) = (position.board(), position.position_text());
    measure.load(position, player);
    let trees: Vec<_> = (0..12u8)
        .map(|place| {
            let (origin, place) =
                if place < 6 { (Origin::Corner(place), place) } else { (Origin::Edge(place - 6), place - 6) };
            let mask = |cell| {
                if matches!(origin, Origin::Corner(_)) {
                    board.corner_mask(cell)
                } else {
                    board.edge_mask(cell)
                }
            };
            let costs = slow_costs(position, player, |cell| mask(cell) >> place & 1 != 0);
            assert_eq!(listed(measure.from(origin).unwrap(), board), costs, "{origin:?} in {text}");
            costs
        })
        .collect();
    let from = board.cells().nth(below(rng, board.len())).unwrap();
    let costs = slow_costs(position, player, |cell| cell == from);
    assert_eq!(
        listed(measure.from(Origin::Cell(from)).unwrap(), board),
        costs,
        "{} in {text}",
        board.name(from)
    );
    let meet = |trees: &[Vec<Option<u16>>], count: usize| {
        let sums = board.cells().filter_map(|cell| {
            let mut costs: Vec<u16> = trees.iter().filter_map(|tree| tree[cell.index()]).collect();
            costs.sort_unstable();
            let own = u16::from(position.stone(cell).is_none());
            (costs.len() >= count).then(|| costs[..count].iter().sum::<u16>() - (count as u16 - 1) * own)
        });
        sums.min()
    };
    assert_eq!(measure.bridge().map(|need| need.stones), meet(&trees[..6], 2), "{text}");
    assert_eq!(measure.fork().map(|need| need.stones), meet(&trees[6..], 3), "{text}");
    let cuts: Vec<_> = board.cells().map(|cell| smallest_cut(position, player, cell)).collect();
    assert_eq!(measure.ring().map(|need| need.stones), cuts.iter().flatten().min().copied(), "{text}");
    assert_eq!(listed(measure.around_map(), board), cuts, "{text}");
    let win = measure.win_map().clone();
    for need in WinKind::ALL.into_iter().filter_map(|kind| measure.need(kind)).collect::<Vec<_>>() {
        assert!(is_a_win(position, player, &need), "{need:?} in {text}");
        let map = measure.map(need.kind);
        assert_eq!(map.least(), Some(need.stones));
        assert!(need.cells.is_subset(&map.cells_at(need.stones)), "{need:?} in {text}");
        assert!(map.iter().all(|(cell, stones)| win.get(cell).is_some_and(|least| least <= stones)));
        // One stone fewer is not enough, on the same cells or any others.
        for _ in 0..20 {
            let mut some: Vec<Cell> = match below(rng, 2) {
                0 => need.cells.iter().collect(),
                _ => position.empty_cells().collect(),
            };
            while some.len() >= usize::from(need.stones.max(1)) {
                some.swap_remove(below(rng, some.len()));
            }
            let stones = position.stones(player) | some.into_iter().collect();
            assert!(
                need.stones == 0 || !kinds(board.size(), stones).contains(need.kind),
                "{need:?} in {text}"
            );
        }
    }
}

#[test]
fn distances_equal_slow_algorithms_on_larger_boards() {
    let (mut rng, mut measure) = (rng(3), Distances::new(4).unwrap());
    for size in [4, 5, 6, 8, 10] {
        // Stones on a tenth of the board to seven tenths.
        for tenths in [1, 3, 5, 7] {
            let cells = Board::hexagon(size).unwrap().len();
            let empty = cells - tenths * cells / 10;
            for share in [5, 8] {
                let Some(position) = scattered(size, cells - cells / empty, share, &mut rng) else {
                    continue;
                };
                for player in Player::BOTH {
                    equals_slow_algorithms(&position, player, &mut measure, &mut rng);
                }
            }
        }
    }
}

/// A move of a side shortens its distance by at most one, and exactly on the cells with the least number of the map.
#[test]
fn a_move_shortens_the_distance_where_the_map_says() {
    let (mut rng, mut measure) = (rng(4), Distances::new(4).unwrap());
    for _ in 0..30 {
        let Some(position) = scattered(4, 25, 5, &mut rng) else { continue };
        let player = position.to_move();
        if position.outcome().is_some() {
            continue;
        }
        measure.load(&position, player);
        let Some(before) = measure.nearest() else { continue };
        let nearer = measure.win_map().cells_at(before.stones);
        for mv in position.moves() {
            let mut after = position.clone();
            let cell = after.move_at_cell(mv);
            after.play(mv).unwrap();
            measure.load(&after, player);
            let now = measure.nearest().unwrap().stones;
            assert_eq!(now, before.stones - u16::from(nearer.contains(cell)));
        }
    }
}

trait MoveCell {
    fn move_at_cell(&self, mv: stonework_havannah::Move) -> Cell;
}

impl MoveCell for Position {
    fn move_at_cell(&self, mv: stonework_havannah::Move) -> Cell {
        match mv {
            stonework_havannah::Move::Place(cell) => cell,
            stonework_havannah::Move::Swap => unreachable!("played without"),
        }
    }
}

#[test]
fn rings_of_every_kind_need_nothing_more() {
    // The cell inside is empty, or has an own stone, or an enemy stone.
    for inside in ["..", ".w", ".b"].map(|pair| &pair[1..]) {
        let text = format!("3 w - .../.ww./.w{inside}w./.ww./...");
        let mut measure = Distances::of(&Position::parse_position(&text).unwrap(), Player::First);
        let ring = measure.ring().unwrap();
        assert_eq!((ring.stones, ring.cells.len()), (0, 0));
        assert_eq!(ring.around, Some(measure.board().parse("c3").unwrap()));
        assert_eq!(measure.nearest(), Some(ring));
    }
}

#[test]
fn an_origin_that_is_not_there_is_an_error() {
    let mut measure = Distances::new(3).unwrap();
    assert_eq!(measure.from(Origin::Corner(6)).unwrap_err(), OriginError::Corner { corner: 6 });
    let error = measure.from(Origin::Edge(9)).unwrap_err();
    assert_eq!(error.to_string(), "no edge 9: a hexagon has edges 0 to 5");
    let error = measure.from(Origin::Cell(Cell::new(19).unwrap())).unwrap_err();
    assert_eq!(error.to_string(), "cell 19 is not on a board of size 3, which has cells 0 to 18");
    assert_eq!(measure.ring_around(Cell::new(19).unwrap()), None);
    assert!(Distances::new(21).is_err());
    assert!(TwoDistances::new(1).is_err());
    assert!(TwoDistances::new(2).unwrap().from(Origin::Edge(6)).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A position that is turned or mirrored has the same distances, turned or mirrored.
    #[test]
    fn distances_turn_with_the_board(seed in any::<u64>(), size in 3..=6u8, symmetry in 0..12u8) {
        let board = Board::hexagon(size).unwrap();
        let mut rng = rng(seed);
        let position = scattered(size, board.len() / 2 + below(&mut rng, board.len() / 2), 5, &mut rng);
        prop_assume!(position.is_some());
        let setup = position.unwrap().setup();
        let symmetry = Symmetry::new(symmetry).unwrap();
        let mut turned = setup.clone();
        for player in Player::BOTH {
            turned.stones[player] = board.map_set(symmetry, &setup.stones[player]);
        }
        let positions = [setup, turned].map(|setup| setup.position().unwrap());
        for player in Player::BOTH {
            let [mut plain, mut image] = positions.each_ref().map(|position| Distances::of(position, player));
            for kind in WinKind::ALL {
                prop_assert_eq!(plain.need(kind).map(|n| n.stones), image.need(kind).map(|n| n.stones));
                let (plain, image) = (plain.map(kind), image.map(kind));
                prop_assert!(board.cells().all(|cell| plain.get(cell) == image.get(board.map(symmetry, cell))));
            }
            let [mut plain, mut image] = positions.each_ref().map(|position| TwoDistances::of(position, player));
            prop_assert_eq!(plain.ring().map(|p| (p.stones, board.map_set(symmetry, &p.cells))), image.ring().map(|p| (p.stones, p.cells)));
            prop_assert_eq!(plain.fork().map(|p| (p.stones, board.map_set(symmetry, &p.cells))), image.fork().map(|p| (p.stones, p.cells)));
            prop_assert_eq!(plain.bridge().map(|p| p.stones), image.bridge().map(|p| p.stones));
        }
    }
}
