//! Laws of the cells of a board and of their places.

use std::collections::{BTreeSet, HashSet, VecDeque};

use crate::common::all_boards;
use stonework_board::{Axial, Board, Cell, CellSet, Cube, Direction, Shape};

/// Boards that are small enough to compare every pair of cells.
fn small_boards() -> impl Iterator<Item = &'static Board> {
    all_boards().filter(|board| board.len() <= 130)
}

/// The number of steps from a cell to every other cell, by search.
fn walk(board: &Board, from: Cell) -> Vec<Option<u16>> {
    let mut steps = vec![None; board.len()];
    steps[from.index()] = Some(0);
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((cell, n)) = queue.pop_front() {
        for next in board.neighbours(cell) {
            if steps[next.index()].is_none() {
                steps[next.index()] = Some(n + 1);
                queue.push_back((next, n + 1));
            }
        }
    }
    steps
}

#[test]
fn a_hexagon_has_3s2_3s_1_cells_and_a_rhombus_s2() {
    for board in all_boards() {
        let s = usize::from(board.size());
        let (cells, rows) = match board.shape() {
            Shape::Hexagon(_) => (3 * s * s - 3 * s + 1, 2 * s - 1),
            _ => (s * s, s),
        };
        assert_eq!((board.len(), board.rows()), (cells, rows), "{board:?}");
        assert_eq!(board.cells().len(), cells);
        let by_rows: Vec<_> = (0..board.rows()).flat_map(|r| board.row(r)).collect();
        assert_eq!(by_rows, board.cells().collect::<Vec<_>>());
        assert_eq!((board.row(rows).len(), board.row(usize::MAX).len()), (0, 0));
    }
}

#[test]
fn sizes_beyond_the_limits_are_refused_with_the_limits() {
    let error = |shape| Board::of(shape).unwrap_err().to_string();
    for size in [0, 1, 21, 255] {
        let text = format!("no hexagon of size {size}: sizes are 2 to 20");
        assert_eq!(error(Shape::Hexagon(size)), text);
        assert_eq!(Board::hexagon(size).unwrap_err().to_string(), text);
    }
    for size in [0, 20, 255] {
        let text = format!("no rhombus of size {size}: sizes are 1 to 19");
        assert_eq!(error(Shape::Rhombus(size)), text);
        assert_eq!(Board::rhombus(size).unwrap_err().to_string(), text);
    }
}

#[test]
fn a_shape_has_one_board() {
    assert!(std::ptr::eq(Board::hexagon(7).unwrap(), Board::of(Shape::Hexagon(7)).unwrap()));
    assert_eq!(format!("{:?}", Board::hexagon(7).unwrap()), "Board(Hexagon(7))");
}

#[test]
fn cells_and_lattice_points_answer_each_other() {
    for board in all_boards() {
        let mut points = HashSet::new();
        for cell in board.cells() {
            let at = board.coord(cell);
            assert!(board.contains(cell) && points.insert(at));
            assert_eq!(board.cell_at(at), Some(cell));
            assert_eq!(at.cube().axial(), at);
            assert_eq!(at.cube().x + at.cube().y + at.cube().z, 0);
        }
        let around = (-3..45).flat_map(|r| (-3..45).map(move |c| Axial::new(r, c)));
        assert_eq!(around.filter(|&at| board.cell_at(at).is_some()).count(), board.len());
        assert_eq!(board.cell_at(Axial::new(i16::MIN, 0)), None);
        assert_eq!(board.cell_at(Axial::new(i16::MAX, i16::MAX)), None);
    }
}

#[test]
fn neighbours_are_mutual_one_step_apart_and_in_clockwise_order() {
    for board in all_boards() {
        for cell in board.cells() {
            let listed: Vec<_> = board.neighbours(cell).collect();
            let looked: Vec<_> = Direction::ALL.iter().filter_map(|&d| board.neighbour(cell, d)).collect();
            assert_eq!(listed, looked);
            assert_eq!(board.is_rim(cell), listed.len() < 6);
            for direction in Direction::ALL {
                let Some(next) = board.neighbour(cell, direction) else { continue };
                assert_eq!(board.neighbour(next, direction.opposite()), Some(cell));
                assert_eq!(board.coord(next), board.coord(cell).step(direction));
                assert_eq!(Direction::between(board.coord(cell), board.coord(next)), Some(direction));
                assert_eq!(board.distance(cell, next), 1);
            }
            assert_eq!(Direction::between(board.coord(cell), board.coord(cell)), None);
        }
    }
}

#[test]
fn six_turns_are_none_and_three_lead_back() {
    for (i, direction) in Direction::ALL.into_iter().enumerate() {
        assert_eq!(direction.index(), i);
        assert_eq!(direction.turned(6), direction);
        assert_eq!(direction.turned(-1).turned(1), direction);
        assert_eq!(direction.turned(127), direction.turned(1));
        assert_eq!(direction.opposite(), direction.turned(3));
        let ((r, c), (back_r, back_c)) = (direction.offset(), direction.opposite().offset());
        assert_eq!((r + back_r, c + back_c), (0, 0));
        // The step clockwise after a step leads to the neighbour that both ends share.
        let at = Axial::new(0, 0);
        assert_eq!(at.step(direction).step(direction.turned(2)), at.step(direction.turned(1)));
    }
}

#[test]
fn distance_is_the_length_of_a_shortest_walk_and_half_the_cube_sum() {
    for board in small_boards() {
        for from in board.cells() {
            let steps = walk(board, from);
            for to in board.cells() {
                let Cube { x, y, z } = board.coord(from).cube();
                let other = board.coord(to).cube();
                let sum = (x - other.x).abs() + (y - other.y).abs() + (z - other.z).abs();
                assert_eq!(steps[to.index()], Some(board.distance(from, to)));
                assert_eq!(sum, 2 * board.distance(from, to) as i16);
            }
        }
    }
}

#[test]
fn a_hexagon_has_six_corners_on_no_edge_and_six_edges_of_s_2_cells() {
    for board in all_boards().filter(|b| matches!(b.shape(), Shape::Hexagon(_))) {
        let corners: Vec<_> = board.corner_cells().collect();
        assert_eq!(corners.len(), 6);
        let mut rim: CellSet = corners.iter().copied().collect();
        assert_eq!(rim.len(), 6);
        for (i, &corner) in corners.iter().enumerate() {
            assert_eq!((board.edge_mask(corner), board.corner_mask(corner)), (0, 1 << i));
            assert_eq!(board.neighbours(corner).count(), 3);
            assert_eq!(board.distance(corner, corners[(i + 1) % 6]), u16::from(board.size()) - 1);
        }
        for edge in 0..6 {
            let cells: Vec<_> = board.edge_cells(edge).collect();
            assert_eq!(cells.len(), usize::from(board.size()) - 2);
            // Edge i lies between corners i and i + 1.
            let ends = [corners[usize::from(edge)], corners[usize::from(edge + 1) % 6]];
            let line: BTreeSet<_> = board.line(ends[0], ends[1]).unwrap().into_iter().collect();
            assert_eq!(line, cells.iter().copied().chain(ends).collect());
            for cell in cells {
                assert_eq!((board.edge_mask(cell), board.corner_mask(cell)), (1 << edge, 0));
                assert!(rim.insert(cell));
            }
        }
        assert_eq!(rim, board.cells().filter(|&c| board.is_rim(c)).collect());
        assert!([6, 31, 32, 200, 255].iter().all(|&edge| board.edge_cells(edge).next().is_none()));
    }
}

#[test]
fn a_rhombus_has_four_corners_on_two_edges_each_and_four_edges_of_s_cells() {
    for board in all_boards().filter(|b| matches!(b.shape(), Shape::Rhombus(_))) {
        let corners: Vec<_> = board.corner_cells().collect();
        if board.size() == 1 {
            let only = corners[0];
            assert_eq!((corners.len(), board.edge_mask(only), board.corner_mask(only)), (1, 15, 15));
            assert!(board.is_rim(only) && board.neighbours(only).next().is_none());
            continue;
        }
        assert_eq!(corners.len(), 4);
        for (i, &corner) in corners.iter().enumerate() {
            assert_eq!(board.corner_mask(corner), 1 << i);
            assert_eq!(board.edge_mask(corner), 1 << i | 1 << ((i + 3) % 4));
        }
        let mut rim = CellSet::new();
        for edge in 0..4 {
            let ends = [corners[usize::from(edge)], corners[usize::from(edge + 1) % 4]];
            let line: BTreeSet<_> = board.line(ends[0], ends[1]).unwrap().into_iter().collect();
            assert_eq!(line.len(), usize::from(board.size()));
            assert_eq!(line, board.edge_cells(edge).collect());
            rim.extend(board.edge_cells(edge));
        }
        assert_eq!(rim, board.cells().filter(|&c| board.is_rim(c)).collect());
        assert_eq!(board.edge_cells(4).count(), 0);
    }
}

/// The half plane and the slope of a lattice point from another point, for exact comparisons of angles.
/// The picture is stretched so that rows are 2 apart and cells 4: angles change, their order does not.
fn seen(from: Axial, to: Axial) -> (i32, i32) {
    let (row, column) = (i32::from(to.row - from.row), i32::from(to.column - from.column));
    (4 * column - 2 * row, 2 * row)
}

#[test]
fn a_ring_is_the_cells_at_its_radius_clockwise_from_the_west() {
    for board in small_boards() {
        for centre in board.cells() {
            for radius in 0..2 * board.rows() as u16 + 2 {
                let ring: Vec<_> = board.ring(centre, radius).collect();
                let at_distance: BTreeSet<_> =
                    board.cells().filter(|&c| board.distance(centre, c) == radius).collect();
                assert_eq!(ring.len(), at_distance.len());
                assert_eq!(ring.iter().copied().collect::<BTreeSet<_>>(), at_distance);
                // Angle from the west, clockwise on the page (y grows downwards).
                let angles: Vec<f64> = ring
                    .iter()
                    .map(|&c| {
                        let (x, y) = seen(board.coord(centre), board.coord(c));
                        f64::from(-y).atan2(f64::from(-x)).rem_euclid(std::f64::consts::TAU)
                    })
                    .collect();
                assert!(angles.is_sorted_by(|a, b| a < b), "{board:?} {centre:?} {radius}: {angles:?}");
            }
            assert_eq!(board.ring(centre, u16::MAX).count(), 0);
            assert!(board.ring(centre, 1).eq(board.neighbours(centre)));
        }
    }
}

#[test]
fn a_ray_goes_to_the_rim_and_a_line_is_the_ray_up_to_its_end() {
    for board in small_boards() {
        for from in board.cells() {
            let mut aligned = BTreeSet::from([from]);
            assert_eq!(board.line(from, from), Some(vec![from]));
            for direction in Direction::ALL {
                let ray: Vec<_> = board.ray(from, direction).collect();
                let end = ray.last().copied().unwrap_or(from);
                assert_eq!(board.neighbour(end, direction), None);
                for (i, &cell) in ray.iter().enumerate() {
                    assert_eq!(usize::from(board.distance(from, cell)), i + 1);
                    let line = board.line(from, cell).unwrap();
                    assert_eq!((line[0], &line[1..]), (from, &ray[..=i]));
                    let mut back = board.line(cell, from).unwrap();
                    back.reverse();
                    assert_eq!(back, line);
                    aligned.insert(cell);
                }
            }
            let others = board.cells().filter(|c| !aligned.contains(c));
            assert!(others.into_iter().all(|c| board.line(from, c).is_none()));
        }
    }
}

#[test]
fn two_bridges_are_the_pairs_with_two_common_neighbours_at_distance_two() {
    for board in small_boards() {
        for from in board.cells() {
            let bridges: Vec<_> = board.two_bridges(from).collect();
            for bridge in &bridges {
                assert_eq!(board.distance(from, bridge.end), 2);
                assert_eq!(board.distance(bridge.carrier[0], bridge.carrier[1]), 1);
                for cell in bridge.carrier {
                    assert_eq!((board.distance(from, cell), board.distance(cell, bridge.end)), (1, 1));
                }
                let [first, second] = bridge.carrier.map(|c| board.coord(c));
                let first = Direction::between(board.coord(from), first).unwrap();
                assert_eq!(Direction::between(board.coord(from), second), Some(first.turned(1)));
            }
            for to in board.cells() {
                let common: BTreeSet<_> =
                    board.neighbours(from).filter(|&c| board.distance(c, to) == 1).collect();
                let carrier = board.carrier(from, to);
                let is_bridge = board.distance(from, to) == 2 && common.len() == 2;
                assert_eq!(carrier.is_some(), is_bridge);
                assert_eq!(carrier.is_some(), bridges.iter().any(|b| b.end == to));
                if let Some(carrier) = carrier {
                    assert_eq!(BTreeSet::from(carrier), common);
                    assert_eq!(BTreeSet::from(board.carrier(to, from).unwrap()), common);
                }
            }
        }
    }
    let board = Board::hexagon(3).unwrap();
    let ends: Vec<_> = board.two_bridges(board.parse("c3").unwrap()).map(|b| board.name(b.end)).collect();
    assert_eq!(ends, ["b1", "a2", "b4", "d5", "e4", "d2"]);
}
