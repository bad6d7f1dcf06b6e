//! Four checks: frames by exhaustive play on their carriers; proven frames and must-play by df-pn, which is independent
//! of frames; the stones to a win by all ways to lay them; plans against random opponents.

use stonework_board::{Board, Cell, CellSet};
use stonework_game::{Game, Outcome, Player, below, rng};
use stonework_havannah::{Move, Position, WinKind};
use stonework_havannah_analysis::{Frame, FrameBudget, Frames, MustPlay, StonesToWin};
use stonework_oracle::{formation_is_forced, formations};
use stonework_search::{Dfpn, DfpnOptions, Engine, Limits, Question};

use crate::{count, random_positions, real_positions, some_position};

/// Judges up to 20 frames of each side in each position until `wanted` frames are judged.
fn judge_frames(positions: impl Iterator<Item = Position>, wanted: usize, seed: u64) {
    let mut rng = rng(seed);
    let (mut judged, mut seen, mut kinds, mut full) = (0, 0, [0; 3], 0);
    for position in positions {
        seen += 1;
        for owner in Player::BOTH {
            let frames = Frames::of(&position, owner, &FrameBudget::default()).unwrap();
            let all: Vec<&Frame> = frames.all().iter().filter(|f| f.carrier.len() <= 12).collect();
            for _ in 0..all.len().min(20) {
                let frame = all[below(&mut rng, all.len())];
                let own = position.stones(owner);
                let board = position.board();
                let forced = formation_is_forced(board, &own, frame.kind, &frame.carrier, frame.key).unwrap();
                assert!(forced, "{position:?} {owner:?} {frame:?}");
                let mut all_own = own;
                all_own.extend(&frame.carrier);
                assert!(!frame.enclosed.iter().any(|c| all_own.contains(c)));
                kinds[WinKind::ALL.iter().position(|&k| k == frame.kind).unwrap()] += 1;
                full += usize::from(frame.is_full());
                judged += 1;
            }
        }
        if judged >= wanted {
            break;
        }
    }
    println!(
        "{judged} frames of {seen} positions are forced, {full} of them full; ring, bridge, fork: {kinds:?}"
    );
}

#[test]
fn every_frame_is_forced() {
    judge_frames(random_positions(10, 75, 3), 300, 3);
}

/// `STONEWORK_FRAMES=100000 cargo test --release -p stonework-oracle --test analysis -- --ignored --nocapture every_frame`
#[test]
#[ignore = "minutes: STONEWORK_FRAMES=10000 cargo test --release -p stonework-oracle --test analysis -- --ignored every_frame_is_forced_by --nocapture (docs/lab/analysis.md)"]
fn every_frame_is_forced_by_the_thousand() {
    judge_frames(random_positions(10, 75, 4), count("STONEWORK_FRAMES", 10_000), 4);
}

/// `STONEWORK_FRAMES=100000 cargo test --release -p stonework-oracle --test analysis -- --ignored --nocapture frames_of_the`
#[test]
#[ignore = "reads ../shared/data: cargo test --workspace -- --ignored reference_data"]
fn every_frame_is_forced_in_real_games_frames_of_the_reference_data() {
    judge_frames(real_positions(5), count("STONEWORK_FRAMES", 300), 5);
}

/// `true` if `player` wins, by df-pn on the rules; `None` if a million nodes do not suffice.
pub(crate) fn wins(position: &Position, player: Player) -> Option<bool> {
    if let Some(outcome) = position.outcome() {
        return Some(outcome == Outcome::Win(player));
    }
    let options = DfpnOptions::new().bytes(16 << 20).question(Question::Wins(player));
    let report = Dfpn::new(options).unwrap().think(position, &Limits::none().nodes(1_000_000));
    let bounds = if position.to_move() == player { report.bounds } else { report.bounds.reversed() };
    if bounds.least == 1 { Some(true) } else { (bounds.most < 1).then_some(false) }
}

/// Solves positions with a proven frame and cells that a must-play leaves out, until `wanted` claims are judged.
fn judge_wins(wanted: usize, seed: u64) {
    let mut rng = rng(seed);
    let (mut judged, mut positions, mut open) = (0, 0, 0);
    let (mut proven, mut left_out, mut lost, mut long, mut three) = (0, 0, 0, 0, 0);
    while judged < wanted {
        let size = 3 + (positions % 3) as u8;
        let position = some_position(size, if size == 5 { (40, 75) } else { (15, 75) }, &mut rng);
        positions += 1;
        for owner in Player::BOTH {
            let frames = Frames::of(&position, owner, &FrameBudget::default()).unwrap();
            let deepest = frames.proven().max_by_key(|f| f.moves);
            // A win in one needs no judge.
            if let Some(frame) = deepest.filter(|f| f.moves > 1) {
                match wins(&position, owner) {
                    Some(wins) => assert!(wins, "{position:?} {owner:?} {frame:?}"),
                    None => open += 1,
                }
                proven += 1;
                judged += 1;
                long += usize::from(frame.moves > 2);
            }
        }
        let must = MustPlay::of(&position, &FrameBudget::default()).unwrap();
        let outside: Vec<Cell> = position.empty_cells().filter(|&c| must.reason(c).is_some()).collect();
        assert_eq!(outside.len() + must.cells().len(), position.empty_cells().count());
        lost += usize::from(must.is_lost());
        // Claims with a win in one are judged only now and then.
        let slow = |c: &Cell| must.reason(*c).is_some_and(|frame| frame.moves > 1);
        let slow: Vec<Cell> = outside.iter().copied().filter(slow).collect();
        let choice = if below(&mut rng, 8) == 0 { &outside } else { &slow };
        for _ in 0..choice.len().min(4) {
            let cell = choice[below(&mut rng, choice.len())];
            three += usize::from(must.reason(cell).is_some_and(|frame| frame.moves > 2));
            let mut after = position.clone();
            after.play(Move::Place(cell)).unwrap();
            match wins(&after, position.to_move().other()) {
                Some(wins) => assert!(wins, "{position:?} {cell:?} {:?}", must.reason(cell)),
                None => open += 1,
            }
            left_out += 1;
            judged += 1;
        }
    }
    println!(
        "{positions} positions: {proven} proven frames ({long} of three moves or more), {left_out} cells left out ({three} by three moves or more), \
         {lost} positions lost; {open} claims not solved"
    );
}

#[test]
fn proven_frames_win_and_cells_left_out_lose() {
    judge_wins(120, 5);
}

/// `STONEWORK_WINS=100000 cargo test --release -p stonework-oracle --test analysis -- --ignored --nocapture proven`
#[test]
#[ignore = "an hour: STONEWORK_WINS=20000 cargo test --release -p stonework-oracle --test analysis -- --ignored proven --nocapture (docs/lab/analysis.md)"]
fn proven_frames_win_and_cells_left_out_lose_by_the_thousand() {
    judge_wins(count("STONEWORK_WINS", 10_000), 6);
}

/// The fewest stones of a win, up to `most`, and the cells of all such sets, by trying all sets of cells.
fn stones_by_trial(position: &Position, player: Player, most: u16) -> Option<(u16, CellSet)> {
    let empty: Vec<_> = position.empty_cells().collect();
    let board = position.board();
    (1..=most).find_map(|stones| {
        let mut cells = CellSet::new();
        for set in 0u32..1 << empty.len() {
            if set.count_ones() != u32::from(stones) {
                continue;
            }
            let added = || empty.iter().enumerate().filter(|(i, _)| set >> i & 1 != 0).map(|(_, &c)| c);
            let mut own = position.stones(player);
            own.extend(added());
            if !formations(board, &own).is_empty() {
                cells.extend(added());
            }
        }
        (!cells.is_empty()).then_some((stones, cells))
    })
}

/// As [`stones_by_trial`], with one stone after the other, for larger boards and up to three stones.
fn judge_stones(size: u8, positions: usize, most: u16, seed: u64) {
    let mut rng = rng(seed);
    let mut near = 0;
    for _ in 0..positions {
        let position = some_position(size, (25, 75), &mut rng);
        if position.empty_cells().count() > 14 {
            continue;
        }
        for player in Player::BOTH {
            let fast = StonesToWin::of(&position, player, most).unwrap();
            let slow = stones_by_trial(&position, player, most);
            assert_eq!(fast.map(|f| (f.stones, f.cells)), slow, "{position:?} {player:?}");
            near += usize::from(slow.is_some());
        }
    }
    println!("{near} wins on size {size} within {most} stones");
    assert!(near > positions / 4);
}

#[test]
fn stones_to_win_are_the_fewest() {
    judge_stones(3, 120, 4, 8);
    judge_stones(4, 60, 4, 9);
}

/// `true` if each path from a cell to the rim meets a stone of the set on another cell.
fn is_enclosed(board: &Board, stones: &CellSet, cell: Cell) -> bool {
    let mut reached = CellSet::from_iter([cell]);
    let mut open = vec![cell];
    while let Some(next) = open.pop() {
        if board.is_rim(next) {
            return false;
        }
        open.extend(board.neighbours(next).filter(|n| !stones.contains(*n) && reached.insert(*n)));
    }
    true
}

/// Follows the plans of frames against an opponent who plays at random inside the carrier or passes. The formation is
/// complete after at most as many moves as the frame states, and every answer is an empty cell of the carrier.
fn follow_plans(positions: impl Iterator<Item = Position>, wanted: usize, seed: u64) {
    let mut rng = rng(seed);
    let (mut followed, mut seen, mut longest) = (0, 0, 0);
    for position in positions {
        seen += 1;
        for owner in Player::BOTH {
            let frames = Frames::of(&position, owner, &FrameBudget::default()).unwrap();
            for frame in frames.all() {
                let mut plan = frames.plan(frame).unwrap();
                assert_eq!(plan.key(), frame.key);
                let mut free = frame.carrier;
                let mut own = position.stones(owner);
                let mut moves = 0;
                if let Some(key) = plan.key() {
                    moves += 1;
                    assert!(free.remove(key));
                    own.insert(key);
                }
                while !plan.is_complete() {
                    let intrusion = free.iter().nth(below(&mut rng, free.len() + 2));
                    intrusion.map(|c| free.remove(c));
                    let answer = plan.answer(intrusion).unwrap();
                    assert!(free.remove(answer), "{position:?} {frame:?} {answer:?}");
                    own.insert(answer);
                    moves += 1;
                }
                assert!(moves <= frame.moves, "{position:?} {frame:?} {moves}");
                assert!(formations(position.board(), &own).contains(frame.kind), "{position:?} {frame:?}");
                assert_eq!(plan.answer(None), None);
                for cell in &frame.enclosed {
                    assert!(is_enclosed(position.board(), &own, cell), "{position:?} {frame:?} {cell:?}");
                }
                longest = longest.max(moves);
                followed += 1;
            }
        }
        if followed >= wanted {
            break;
        }
    }
    println!("{followed} plans of {seen} positions followed; the longest takes {longest} moves");
}

#[test]
fn plans_complete_their_frames() {
    follow_plans(random_positions(10, 75, 10), 4000, 10);
}

/// `STONEWORK_PLANS=1000000 cargo test --release -p stonework-oracle --test analysis -- --ignored --nocapture plans`
#[test]
#[ignore = "minutes: STONEWORK_PLANS=100000 cargo test --release -p stonework-oracle --test analysis -- --ignored plans --nocapture (docs/lab/analysis.md)"]
fn plans_complete_their_frames_by_the_million() {
    follow_plans(random_positions(10, 75, 11), count("STONEWORK_PLANS", 100_000), 11);
}
