//! Slow rules of Cover, from its numbered rules, with one fault.

use std::rc::Rc;

use stonework_oracle::{Query, State};

use crate::{Rules, faults};

faults! {
    // Faults of stones and the intersections that they cover.
    HorizontalOverlap: "of horizontal stones one step apart, those along (1,1) overlap and those along (1,-1) do not",
    OverlapOnlySame: "stones overlap only in the same location",
    OverlapByLocation: "all locations next to each other overlap",
    OwnCoverBlocks: "the mover's own old intersections are not free",
    SweptBlocks: "a rotation is also blocked by a stone diagonally beside the old location",
    FirstRowWrong: "the stones begin one location further up",
    StartTurned: "red moves first",
    HomesExchanged: "the homebases are exchanged",
    // Faults of steps.
    NoUpLeft: "a stone does not rotate up to the left",
    NoDownRight: "a stone does not rotate down to the right",
    NoRotation: "stones do not rotate",
    NoSideways: "stones do not move sideways",
    NoBackwards: "stones do not move backwards lengthwise",
    TwoSteps: "a stone moves two steps in one direction as well",
    NoStep: "a stone may stay where it is",
    KnightStep: "a stone may step by (1,2) too",
    OwnHomeAllowed: "stones move onto the own homebase",
    OwnHomeAllowedLengthwise: "stones move onto the own homebase by lengthwise moves",
    EnemyStoneMoves: "stones of the enemy may be moved",
    EmptyMoves: "a location without a stone may be moved from",
    BlockedByOwnAllowed: "own stones do not block",
    BlockedByEnemyAllowed: "stones of the enemy do not block",
    BlockedEndOnAllowed: "enemy stones of the same direction do not block a lengthwise move",
    BlockedSidewaysAllowed: "sideways moves are not blocked",
    BlockedRotationAllowed: "rotations are not blocked by enemy stones",
    RowBeyondAccepted: "there is one row of locations more",
    NumberZeroAccepted: "there is a location before the first of each row",
    LastRowClosed: "nobody may step to the last row",
    // Faults of shots.
    RotationShoots: "rotations shoot as well",
    SidewaysShoots: "sideways moves shoot forward as well",
    BackwardsHolds: "backward moves do not shoot",
    HorizontalHolds: "horizontal stones do not shoot",
    RedHolds: "red's stones do not shoot",
    ShotNever: "nothing is shot",
    ShotHitsEndOn: "a stone of the same direction is shot too",
    ShotHitsOwn: "own stones are shot too",
    ShotThroughOwn: "shots pass own stones",
    ShotThroughEndOn: "shots pass enemy stones of the same direction",
    ShotHitsAll: "all stones of the other direction on the line are shot",
    ShotHitsTwo: "a shot goes on behind the first stone that it takes",
    ShotShort: "a shot reaches three intersections",
    ShotNotAdjacent: "a shot begins behind the destination",
    ShotNotAtEdge: "a shot ends before the last intersection of the line",
    ShotMissesBeyond20: "a shot reaches twenty rows at most",
    ShotHitStillBlocks: "a stone that is shot blocks the destination all the same",
    ShotBackwards: "shots go against the direction of the move",
    ShotFromOld: "a stone shoots along its old line after a rotation",
    ShotCapturesMover: "the stone that shoots is removed as well",
    // Faults of the history.
    RepetitionNever: "boards may be repeated",
    RepetitionOfEight: "none of the last eight boards may come back",
    RepetitionAny: "no earlier board may come back",
    RepetitionByMoves: "moves are compared, not boards: taking back is forbidden across captures as well",
    RepetitionOfBlue: "only blue may not repeat",
    RepetitionOfRed: "only red may not repeat",
    RepetitionStartForgotten: "the first board is no earlier board",
    RepetitionMirrored: "the mirror image of a board counts as that board",
    // Faults of ends.
    HomeNoEnd: "a stone on the enemy homebase ends nothing",
    HomeNoEndOfRed: "a red stone on blue's homebase ends nothing",
    OwnersWin: "a stone on the enemy homebase loses",
    LastStoneUntold: "the end by taking the last stone is told as one by no legal move",
    LastStoneDraw: "taking the last stone is a draw",
    NoMoveNoEnd: "a side without a legal move has not lost",
    NoMoveDraw: "a side without a legal move draws",
    NoMoveWins: "a side without a legal move has won",
    HomeMustBeVertical: "only a vertical stone wins on the homebase, which no horizontal one can reach by rotation",
    HomeFrom7NoEnd: "on size 7 and more, the homebase of red ends nothing",
    NoShotOn10: "on size 10, nothing is shot",
    AfterHomeAccepted: "moves are accepted after a win on the homebase",
    AfterLastStoneAccepted: "whoever has taken the last stone may go on",
    // Faults of texts and answers.
    WrongHitAccepted: "what a move says that it hits is not looked at",
    HitOfNothingAccepted: "a hit of an empty location may be written behind a move that hits nothing",
    HitRequired: "a shot that is not written is refused",
    HitWrittenOnly: "a shot that is not written does not happen",
    TurnStays: "after a shot the same side goes on",
    TurnAfterEnd: "after a win the winner is to move",
    IndexFromOne: "the index of an illegal move counts from one",
    IndexIsLast: "the index of an illegal move is that of the last move",
    RepetitionIsOccupied: "a repetition is refused as if the destination were taken",
    CapturedUntold: "what was shot is not told",
    LegalWithRepetition: "moves that repeat are counted as legal",
}

type Place = (i32, i32);
/// The stones with their owners, sorted: 0 blue, 1 red.
type Board = Vec<(usize, Place)>;

const STEPS: [Place; 8] = [(1, 1), (-1, -1), (1, -1), (-1, 1), (1, 0), (0, 1), (0, -1), (-1, 0)];

fn vertical((a, b): Place) -> bool {
    (a + b) % 2 == 0
}

fn add((a, b): Place, (x, y): Place) -> Place {
    (a + x, b + y)
}

/// The owner of the stone on a location.
fn at(board: &Board, place: Place) -> Option<usize> {
    board.iter().find(|stone| stone.1 == place).map(|stone| stone.0)
}

fn name((a, b): Place) -> String {
    format!("{}{b:02}", char::from(b'A' + (a - 1) as u8))
}

/// A game that remembers all its boards.
#[derive(Clone)]
pub(crate) struct Cover {
    fault: Fault,
    size: i32,
    first: usize,
    boards: Vec<Rc<Board>>,
    moves: Vec<(Place, Place)>,
    captured: Vec<Vec<String>>,
    to_move: usize,
    ended: Option<(Option<usize>, &'static str)>,
}

impl Cover {
    fn side(&self) -> i32 {
        2 * self.size + 3
    }

    fn board(&self) -> &Board {
        &self.boards[self.boards.len() - 1]
    }

    fn home(&self, player: usize) -> Place {
        let blue = (player == 0) != (self.fault == Fault::HomesExchanged);
        if blue { (1, 1) } else { (self.side(), self.side()) }
    }

    fn covers(&self, (a, b): Place) -> [Place; 2] {
        let (d, s) = (b - a, a + b);
        if self.fault == Fault::OverlapOnlySame {
            return [(a, 1000 + b), (a, 1000 + b)];
        }
        if vertical((a, b)) { [(d, s - 1), (d, s + 1)] } else { [(d - 1, s), (d + 1, s)] }
    }

    fn overlap(&self, one: Place, other: Place) -> bool {
        let (da, db) = (other.0 - one.0, other.1 - one.1);
        match self.fault {
            Fault::OverlapByLocation => da.abs() <= 1 && db.abs() <= 1,
            Fault::HorizontalOverlap if !vertical(one) && !vertical(other) => da == db && da.abs() <= 1,
            _ => self.covers(one).iter().any(|point| self.covers(other).contains(point)),
        }
    }

    fn inside(&self, (a, b): Place) -> bool {
        let on = |n: i32| (1..=self.side()).contains(&n);
        on(a) && on(b)
            || match self.fault {
                Fault::RowBeyondAccepted => a == self.side() + 1 && on(b),
                Fault::NumberZeroAccepted => b == 0 && on(a),
                _ => false,
            }
    }

    /// The stones that a move shoots.
    fn hits(&self, mover: usize, from: Place, to: Place) -> Vec<(usize, Place)> {
        use Fault::*;
        let step = (to.0 - from.0, to.1 - from.1);
        let diagonal = step.0 != 0 && step.1 != 0;
        let lengthwise = diagonal && (step.0 == step.1) == vertical(from);
        let sideways = diagonal && !lengthwise;
        let forward = step.0 + step.1 > 0 || (step.0 + step.1 == 0 && step.0 > 0);
        let backward = if mover == 0 { !forward } else { forward };
        let shoots = match self.fault {
            RotationShoots | ShotFromOld => lengthwise || !diagonal,
            SidewaysShoots => lengthwise || sideways,
            BackwardsHolds => lengthwise && !(backward && vertical(from)),
            HorizontalHolds => lengthwise && vertical(from),
            RedHolds => lengthwise && mover == 0,
            NoShotOn10 => lengthwise && self.size < 10,
            ShotNever => false,
            _ => lengthwise,
        };
        if !shoots {
            return Vec::new();
        }
        // The line and the direction of the shot, in intersections.
        let along = if self.fault == ShotFromOld { from } else { to };
        let unit = if vertical(along) { (0, 1) } else { (1, 0) };
        let towards = (step.1 - step.0) * unit.0 + (step.0 + step.1) * unit.1;
        let towards = match self.fault {
            ShotBackwards => -towards,
            SidewaysShoots if sideways => 1,
            _ => towards,
        };
        let direction = (unit.0 * 2 * towards.signum(), unit.1 * 2 * towards.signum());
        let (d, s) = (along.1 - along.0, along.0 + along.1);
        let mut point = (d + direction.0 / 2, s + direction.1 / 2);
        if self.fault == ShotNotAdjacent {
            point = add(point, direction);
        }
        let board: Vec<_> = self.board().iter().copied().filter(|stone| stone.1 != from).collect();
        let covers = |(a, b): Place| {
            if vertical((a, b)) {
                [(b - a, a + b - 1), (b - a, a + b + 1)]
            } else {
                [(b - a - 1, a + b), (b - a + 1, a + b)]
            }
        };
        let (mut hits, mut walked) = (Vec::new(), 0);
        let on = |(d, s): Place| s - d.abs() >= 1 && s + d.abs() <= 2 * self.side() + 1;
        while on(point) {
            walked += 1;
            let far = match self.fault {
                ShotShort => walked > 3,
                ShotMissesBeyond20 => walked > 9,
                ShotNotAtEdge => !on(add(point, direction)),
                _ => false,
            };
            if far {
                break;
            }
            if let Some(&(owner, place)) = board.iter().find(|stone| covers(stone.1).contains(&point)) {
                let end_on = vertical(place) == vertical(along);
                let own = owner == mover;
                if own && self.fault == ShotThroughOwn || !own && end_on && self.fault == ShotThroughEndOn {
                    point = add(point, direction);
                    continue;
                }
                let hit = match self.fault {
                    ShotHitsEndOn => !own,
                    ShotHitsOwn => !end_on,
                    _ => !own && !end_on,
                };
                if hit && !hits.contains(&(owner, place)) {
                    hits.push((owner, place));
                }
                let goes_on = match self.fault {
                    ShotHitsAll => true,
                    ShotHitsTwo => hit && hits.len() < 2,
                    _ => false,
                };
                if !goes_on {
                    break;
                }
            }
            point = add(point, direction);
        }
        hits
    }

    /// The board after a step and the stones that it hits; the kind of the fault if moving or shooting forbids the
    /// step.
    fn after(&self, mover: usize, from: Place, to: Place) -> Result<(Board, Vec<Place>), &'static str> {
        use Fault::*;
        let step = (to.0 - from.0, to.1 - from.1);
        let known = STEPS.contains(&step)
            || match self.fault {
                TwoSteps => step.0 % 2 == 0 && step.1 % 2 == 0 && STEPS.contains(&(step.0 / 2, step.1 / 2)),
                NoStep => step == (0, 0),
                KnightStep => step == (1, 2),
                _ => false,
            };
        let diagonal = step.0 != 0 && step.1 != 0;
        let lengthwise = diagonal && (step.0 == step.1) == vertical(from);
        let forbidden = match self.fault {
            NoUpLeft => step == (1, 0),
            NoDownRight => step == (-1, 0),
            NoRotation => !diagonal,
            NoSideways => diagonal && !lengthwise,
            NoBackwards => lengthwise && vertical(from) && (step.0 < 0) == (mover == 0),
            LastRowClosed => to.0 == self.side(),
            _ => false,
        };
        if !known || forbidden || !self.inside(to) {
            return Err("move");
        }
        let home_allowed = match self.fault {
            OwnHomeAllowed => true,
            OwnHomeAllowedLengthwise => lengthwise,
            _ => false,
        };
        if to == self.home(mover) && !home_allowed {
            return Err("home");
        }
        let mut board = self.board().clone();
        board.retain(|stone| stone.1 != from);
        if self.fault == OwnCoverBlocks
            && self.covers(from).iter().any(|point| self.covers(to).contains(point))
        {
            return Err("occupied");
        }
        let hits = self.hits(mover, from, to);
        if self.fault != ShotHitStillBlocks {
            board.retain(|stone| !hits.contains(stone));
        }
        let blocks = |stone: &&(usize, Place)| {
            let open = match self.fault {
                BlockedByOwnAllowed => stone.0 == mover,
                BlockedByEnemyAllowed => stone.0 != mover,
                BlockedEndOnAllowed => stone.0 != mover && lengthwise,
                BlockedSidewaysAllowed => diagonal && !lengthwise,
                BlockedRotationAllowed => !diagonal && stone.0 != mover,
                _ => false,
            };
            let swept = self.fault == SweptBlocks
                && !diagonal
                && STEPS[..4].iter().any(|&by| add(from, by) == stone.1);
            (self.overlap(stone.1, to) && !open) || swept
        };
        if board.iter().any(|stone| blocks(&stone)) {
            return Err("occupied");
        }
        board.retain(|stone| !hits.contains(stone) && stone.1 != to);
        if self.fault != ShotCapturesMover || hits.is_empty() {
            board.push((mover, to));
        }
        board.sort_unstable();
        Ok((board, hits.into_iter().map(|stone| stone.1).collect()))
    }

    fn repeats(&self, mover: usize, from: Place, to: Place, board: &Board) -> bool {
        use Fault::*;
        let skip = usize::from(self.fault == RepetitionStartForgotten);
        let boards = &self.boards[skip..];
        let back = |plies: usize| boards.len().checked_sub(plies).is_some_and(|i| *boards[i] == *board);
        match self.fault {
            RepetitionNever => false,
            RepetitionOfEight => (1..=8).any(back),
            RepetitionAny => boards.iter().any(|earlier| **earlier == *board),
            RepetitionByMoves => {
                let [.., before, mine, theirs] = self.moves.as_slice() else { return false };
                *theirs == (before.1, before.0) && (from, to) == (mine.1, mine.0)
            }
            RepetitionMirrored => {
                let mut mirror: Board = board.iter().map(|&(side, (a, b))| (side, (b, a))).collect();
                mirror.sort_unstable();
                back(4) || boards.len().checked_sub(4).is_some_and(|i| *boards[i] == mirror)
            }
            RepetitionOfBlue => mover == 0 && back(4),
            RepetitionOfRed => mover == 1 && back(4),
            _ => back(4),
        }
    }

    fn legal(&self, repeating: bool) -> usize {
        let own = self.board().iter().filter(|stone| stone.0 == self.to_move);
        let steps = own.flat_map(|&(_, from)| STEPS.map(|step| (from, add(from, step))));
        let legal = steps.filter(|&(from, to)| {
            let after = self.after(self.to_move, from, to);
            after.is_ok_and(|(board, _)| repeating || !self.repeats(self.to_move, from, to, &board))
        });
        legal.count()
    }

    fn read(&self, name: &str) -> Option<Place> {
        let letter = *name.as_bytes().first()?;
        let digits = name.get(1..).filter(|digits| digits.len() == 2)?;
        let place = (i32::from(letter.to_ascii_uppercase()) - i32::from(b'A') + 1, digits.parse().ok()?);
        self.inside(place).then_some(place)
    }

    fn outcome(&self) -> Option<(Option<usize>, &'static str)> {
        use Fault::*;
        for player in [0, 1] {
            let goal = self.home(1 - player);
            let there = self.board().contains(&(player, goal));
            let counts = match self.fault {
                HomeNoEnd => false,
                HomeNoEndOfRed => player == 0,
                HomeFrom7NoEnd => self.size < 7 || player == 1,
                HomeMustBeVertical => self.moves.last().is_none_or(|&(from, _)| vertical(from)),
                _ => true,
            };
            if there && counts {
                return Some((Some(if self.fault == OwnersWin { 1 - player } else { player }), "homebase"));
            }
            if self.fault != LastStoneUntold && !self.board().iter().any(|stone| stone.0 == player) {
                let winner = (self.fault != LastStoneDraw).then_some(1 - player);
                return Some((winner, "last stone"));
            }
        }
        if self.fault == NoMoveNoEnd || self.legal(false) > 0 {
            return None;
        }
        let winner = match self.fault {
            NoMoveDraw => None,
            NoMoveWins => Some(self.to_move),
            _ => Some(1 - self.to_move),
        };
        Some((winner, "no move"))
    }
}

impl Rules for Cover {
    type Fault = Fault;

    fn start(query: &Query, fault: Fault) -> Result<Self, String> {
        let size = i32::try_from(query.size.ok_or("no size")?).map_err(|e| e.to_string())?;
        let y = 2 * size + 3;
        let mut game = Self {
            fault,
            size,
            first: usize::from(fault == Fault::StartTurned),
            boards: Vec::new(),
            moves: Vec::new(),
            captured: Vec::new(),
            to_move: 0,
            ended: None,
        };
        let mut board = Board::new();
        match &query.position {
            None => {
                for (player, s) in [(0, y - 3), (1, y + 5)] {
                    let s = if fault == Fault::FirstRowWrong { s + 2 } else { s };
                    for i in 0..size {
                        let d = 4 * i - 2 * (size - 1);
                        board.push((player, ((s - d) / 2, i32::midpoint(s, d))));
                    }
                }
            }
            Some(text) => {
                let lists = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
                let (blue, red) = lists.and_then(|text| text.split_once("]x[")).ok_or("no board")?;
                for (player, list) in [(0, blue), (1, red)] {
                    for name in list.split(',').filter(|name| !name.is_empty()) {
                        board.push((player, game.read(name).ok_or("no location")?));
                    }
                }
                game.first = usize::from(query.to_move.as_deref() == Some("red"));
            }
        }
        board.sort_unstable();
        game.to_move = game.first;
        game.boards.push(Rc::new(board));
        game.ended = game.outcome();
        Ok(game)
    }

    fn play(&mut self, text: &str) -> Result<(), &'static str> {
        use Fault::*;
        if let Some((_, how)) = self.ended {
            let goes_on = match self.fault {
                AfterHomeAccepted => how == "homebase",
                AfterLastStoneAccepted => how == "last stone",
                _ => false,
            };
            if !goes_on {
                return Err("over");
            }
            if self.fault == AfterLastStoneAccepted {
                self.to_move = self.board().first().map_or(0, |stone| stone.0);
            }
        }
        let (step, hit) = match text.split_once(['x', 'X']) {
            Some((step, hit)) => (step, Some(hit)),
            None => (text, None),
        };
        let (from, to) = step.split_once('-').ok_or("move")?;
        let (from, to) = (self.read(from).ok_or("move")?, self.read(to).ok_or("move")?);
        let mover = self.to_move;
        let owner = at(self.board(), from);
        let may = match self.fault {
            EnemyStoneMoves => owner.is_some(),
            EmptyMoves => owner != Some(1 - mover),
            _ => owner == Some(mover),
        };
        if !may {
            return Err("move");
        }
        let (mut board, mut hits) = self.after(mover, from, to)?;
        let said: Vec<String> = hit.into_iter().map(str::to_ascii_uppercase).collect();
        let names: Vec<String> = hits.iter().map(|&place| name(place)).collect();
        let right = match self.fault {
            WrongHitAccepted => true,
            HitOfNothingAccepted => {
                let empty =
                    hit.is_some_and(|hit| self.read(hit).is_some_and(|p| at(self.board(), p).is_none()));
                said.is_empty() || said[0] == names.concat() || (names.is_empty() && empty)
            }
            HitRequired => said == names,
            _ => said.is_empty() || (said[0] == names.concat() || names.contains(&said[0])),
        };
        if !right {
            return Err("move");
        }
        if self.fault == HitWrittenOnly && said.is_empty() && !hits.is_empty() {
            let gone: Vec<_> = self.board().iter().copied().filter(|stone| hits.contains(&stone.1)).collect();
            if gone.iter().any(|stone| self.overlap(stone.1, to)) {
                return Err("occupied");
            }
            board.extend(gone);
            board.sort_unstable();
            hits.clear();
        }
        if self.repeats(mover, from, to, &board) {
            return Err(if self.fault == RepetitionIsOccupied { "occupied" } else { "repetition" });
        }
        let again = self.fault == TurnStays && !hits.is_empty();
        self.captured.push(names);
        self.boards.push(Rc::new(board));
        self.moves.push((from, to));
        self.to_move = if again { mover } else { 1 - mover };
        self.ended = self.outcome();
        if self.fault == TurnAfterEnd && self.ended.is_some() {
            self.to_move = mover;
        }
        Ok(())
    }

    fn state(&self) -> State {
        let side = |side: usize| ["blue", "red"][side].to_owned();
        let outcome = |winner: Option<usize>| winner.map_or("draw".to_owned(), side);
        let repeating = self.fault == Fault::LegalWithRepetition;
        let captured = if self.fault == Fault::CapturedUntold {
            vec![Vec::new(); self.captured.len()]
        } else {
            self.captured.clone()
        };
        State {
            plies: Some(self.moves.len() as u64),
            to_move: side(self.to_move),
            outcome: self.ended.map(|(winner, _)| outcome(winner)),
            how: Some(self.ended.iter().map(|(_, how)| (*how).to_owned()).collect()),
            legal: Some(if self.ended.is_some() { 0 } else { self.legal(repeating) } as u64),
            captured: Some(captured),
            ..State::default()
        }
    }

    fn told(fault: Fault) -> bool {
        use Fault::*;
        matches!(fault, CapturedUntold | LegalWithRepetition | LastStoneUntold | Nothing)
    }

    fn index(fault: Fault, at: usize, moves: usize) -> usize {
        match fault {
            Fault::IndexFromOne => at + 1,
            Fault::IndexIsLast => moves - 1,
            _ => at,
        }
    }
}
