//! Races, decided by df-pn, which is independent of frames; each position of a winning line too.

use std::time::Instant;

use stonework_game::{Game, Player, Textual, rng};
use stonework_havannah::{Move, Position};
use stonework_havannah_analysis::{FrameBudget, Frames, LinkBudget, MustPlay, Race, RaceAnswer, RaceBudget};

use crate::frames::wins;
use crate::{count, real_positions, some_position};

/// `true` if counting alone decides the position: a win in one, a frame that is proven, or no cell that must-play leaves.
fn is_counted(position: &Position) -> bool {
    let budget = RaceBudget::default().frames;
    let frames = Frames::of(position, position.to_move(), &budget).unwrap();
    frames.proven().next().is_some() || MustPlay::of(position, &budget).unwrap().is_lost()
}

/// Judges the winner of a race and each position of its line; `None` if df-pn does not solve all of them.
fn judge(position: &Position, race: &Race, winner: Player) -> Option<()> {
    let mut game = position.clone();
    let truth = wins(&game, winner);
    assert!(truth != Some(false), "{position:?} {race:?}");
    for &cell in race.line() {
        game.play(Move::Place(cell)).unwrap();
        assert!(wins(&game, winner) != Some(false), "{position:?} after {cell:?} {race:?}");
    }
    assert!(game.outcome().is_none_or(|outcome| outcome.winner() == Some(winner)));
    truth.map(|_| ())
}

/// Random positions of sizes 3 to 5 in turn.
fn small_positions(seed: u64) -> impl Iterator<Item = Position> {
    let mut rng = rng(seed);
    (0..).map(move |i| {
        let size = 3 + (i % 3) as u8;
        some_position(size, if size == 5 { (35, 75) } else { (15, 70) }, &mut rng)
    })
}

/// Judges races in positions that counting alone leaves open, until `wanted` races are judged.
fn judge_races(positions: impl Iterator<Item = Position>, wanted: usize) {
    let budget = RaceBudget::default();
    let (mut seen, mut judged, mut counted, mut open, mut unsolved) = (0, 0, 0, 0, 0);
    let (mut won, mut by_frame, mut longest, mut looks) = (0, 0, 0, 0);
    for position in positions {
        seen += 1;
        if is_counted(&position) {
            counted += 1;
            continue;
        }
        let race = Race::of(&position, &budget).unwrap();
        looks += race.positions();
        let Some(winner) = race.winner() else {
            open += 1;
            continue;
        };
        won += usize::from(race.answer() == RaceAnswer::Won);
        by_frame += usize::from(race.frame().is_some());
        longest = longest.max(race.line().len());
        unsolved += usize::from(judge(&position, &race, winner).is_none());
        judged += 1;
        if judged == wanted {
            break;
        }
    }
    println!(
        "{seen} positions: {counted} decided by counting, {judged} by a race ({won} for the side to move, {by_frame} lines end \
         with a frame, the longest line has {longest} moves), {open} open; {unsolved} races not solved by df-pn; {} \
         positions a race",
        looks / (judged + open).max(1) as u64
    );
}

#[test]
fn races_are_won_by_the_side_that_they_name() {
    judge_races(small_positions(21), 40);
}

/// `STONEWORK_RACES=100000 cargo test --release -p stonework-oracle --test analysis -- --ignored --nocapture races_are`
#[test]
#[ignore = "an hour: STONEWORK_RACES=20000 cargo test --release -p stonework-oracle --test analysis -- --ignored races_are --nocapture (docs/lab/analysis.md)"]
fn races_are_won_by_the_side_that_they_name_by_the_thousand() {
    judge_races(small_positions(22), count("STONEWORK_RACES", 10_000));
}

/// `STONEWORK_RACES=1000 cargo test --release -p stonework-oracle --test analysis -- --ignored --nocapture races_of`
#[test]
#[ignore = "reads ../shared/data: cargo test --workspace -- --ignored reference_data"]
fn races_of_real_games_are_won_races_of_the_reference_data() {
    // df-pn solves few positions with more empty cells.
    let small = real_positions(23).filter(|position| position.empty_cells().count() <= 26);
    judge_races(small, count("STONEWORK_RACES", 20));
}

#[test]
fn a_threat_is_answered_before_a_frame_is_completed() {
    // Black wins on g7 unless White takes it. Then White's frame from d1 to a4 is faster than all that Black has.
    let position = Position::parse_position("4 w - ...w/..w../ww..../w....../....../...../bbb.").unwrap();
    let race = Race::of(&position, &RaceBudget::default()).unwrap();
    let g7 = position.board().parse("g7").unwrap();
    assert!(!is_counted(&position));
    assert_eq!((race.answer(), race.line()), (RaceAnswer::Won, &[g7][..]));
    assert_eq!(race.frame().map(|frame| frame.moves), Some(2));
    assert_eq!((race.moves(Player::First), race.moves(Player::Second)), (Some(2), Some(1)));
    // The estimate counts moves only, and is wrong here.
    assert_eq!(race.estimate(), Some(Player::Second));
    // Of two threats only one can be answered.
    let lost = Position::parse_position("4 w - ...w/..w../ww..../w....../.....b/...bb/bbb.").unwrap();
    let race = Race::of(&lost, &RaceBudget::default()).unwrap();
    assert_eq!((race.answer(), race.winner()), (RaceAnswer::Lost, Some(Player::Second)));
}

#[test]
fn a_small_budget_leaves_a_race_open_and_a_budget_of_0_is_refused() {
    let position = Position::parse_position("4 w - ...w/..w../ww..../w....../....../...../bbb.").unwrap();
    let one = Race::of(&position, &RaceBudget { positions: 1, ..RaceBudget::default() }).unwrap();
    assert_eq!((one.answer(), one.line().len(), one.positions()), (RaceAnswer::Open, 0, 2));
    assert!(!one.is_complete());
    let none = Race::of(&position, &RaceBudget { positions: 0, ..RaceBudget::default() });
    assert_eq!(none.unwrap_err().to_string(), "a budget of 0 positions is too low: the least is 1");
}

/// `cargo test --release -p stonework-oracle --test analysis -- --ignored --nocapture shares_of`
#[test]
#[ignore = "prints shares and times: cargo test --release -p stonework-oracle --test analysis -- --ignored shares_of --nocapture (docs/lab/analysis.md)"]
fn shares_of_decided_races_and_their_cost() {
    for size in [4, 5, 6, 8] {
        let mut rng = rng(24);
        let positions: Vec<Position> = std::iter::repeat_with(|| some_position(size, (15, 65), &mut rng))
            .filter(|position| !is_counted(position))
            .take(count("STONEWORK_RACES", 40))
            .collect();
        for (carrier, per_pair, most) in
            [(4, 4, 30), (4, 4, 100), (6, 6, 30), (6, 6, 100), (8, 12, 100), (4, 4, 1000)]
        {
            let usual = RaceBudget::default().frames;
            let links = LinkBudget { carrier, per_pair, ..usual.links };
            let budget = RaceBudget { frames: FrameBudget { links, ..usual }, positions: most };
            let begin = Instant::now();
            let races = positions.iter().map(|position| Race::of(position, &budget).unwrap());
            let decided = races.filter(|race| race.winner().is_some()).count();
            let each = begin.elapsed() / positions.len() as u32;
            println!(
                "size {size}, carriers to {carrier}, {per_pair} links, {most} positions: {decided} of {} decided, {each:?} each",
                positions.len()
            );
        }
    }
}
