//! Slow rules of Cachex, from its referee, with one fault.

use std::rc::Rc;

use stonework_oracle::{Query, State};

use crate::{Rules, faults};

faults! {
    // Faults of captures.
    LongwaysMissed: "two stones beside each other are not taken",
    SidewaysMissed: "two stones opposite each other are not taken",
    OneLongwaysMissed: "one of the six directions of longways captures is forgotten",
    OneSidewaysMissed: "one of the six directions of sideways captures is forgotten",
    CaptureOfOneColour: "four stones need not alternate: own stones beside each other take as well",
    CaptureOnePair: "of several pairs only the first is taken",
    CaptureTwoPairs: "of several pairs only two are taken",
    CaptureInTurn: "pairs are tested one after the other, on what the pairs before have left",
    CaptureHalf: "of a pair only the first stone is taken",
    CaptureOwn: "the stone across is taken as well",
    CaptureByRedOnly: "blue does not take",
    CaptureByBlueOnly: "red does not take",
    CaptureOverEdge: "what is off the board counts as an own stone across",
    CaptureAroundEdge: "a row goes on at the beginning of the next one",
    CaptureNever: "nothing is taken",
    CaptureFromSeventhTurn: "nothing is taken before the seventh turn",
    CaptureWrongFrom12: "on size 12 and more, nothing is taken sideways",
    CapturedNotEmpty: "cells of stones that were taken stay closed",
    CapturedClosedOnce: "a cell is closed for the turn after its stone was taken",
    // Faults of connections.
    SidesExchanged: "red connects the sides of blue and blue those of red",
    CornerNotBoth: "corners belong to red's sides alone",
    NeighbourMissing: "stones in one of the three directions are not connected",
    NeighbourExtra: "stones that do not touch are connected in one direction",
    UnconnectedWins: "a side wins by one stone on each of its sides",
    NoWinOfBlue: "blue's connections do not win",
    NoWinOfRed: "red's connections do not win",
    WinToLastButOne: "the row before the last one is far enough for red",
    WinOnLastCellMissed: "a connection by the last empty cell is not seen",
    WinAfterCaptureMissed: "a connection by a stone that takes is not seen",
    NoWinFrom10: "on size 10 and more, connections do not win",
    NoWinOn15: "on size 15, connections do not win",
    WinnerOpposite: "the other side is told as the winner",
    // Faults of the steal.
    StealKeepsPlace: "a steal does not mirror the stone",
    StealKeepsColour: "a steal mirrors the stone and leaves it red",
    StealKeepsTurn: "after a steal blue is to move again",
    StealKeepsStone: "a steal adds a blue stone and leaves the red one",
    StealNotOnDiagonal: "a stone on the diagonal cannot be stolen",
    StealDiagonalLost: "a stone on the diagonal vanishes by a steal",
    StealLate: "blue may steal as the second action too",
    StealFirst: "red may steal as the first action",
    StealByRed: "red may steal back",
    StealAny: "a steal is accepted at any time while the game goes on",
    StealAfterEnd: "a steal is accepted after the end",
    StealRefused: "a steal is never accepted",
    // Faults of the centre.
    CentreAllowed: "the first stone may go to the centre",
    CentreNeverAllowed: "nobody may ever go to the centre",
    CentreClosedForBlue: "blue's first stone may not go to the centre either",
    CentreOfEven: "boards of even size have a centre too",
    CentreAllowedFrom11: "on size 11 and more the first stone may go to the centre",
    // Faults of draws.
    RepetitionNever: "a board may come back for ever",
    RepetitionOfSix: "six occurrences are a draw",
    RepetitionOfEight: "only eight occurrences are a draw",
    RepetitionBySide: "boards with different sides to move are different",
    RepetitionInARow: "only occurrences four plies apart are counted",
    TurnsNever: "there is no limit of turns",
    TurnsOneLess: "342 turns are a draw",
    TurnsOneMore: "only 344 turns are a draw",
    TurnsWithoutSteal: "a steal is no turn",
    TurnsBeforeWin: "a connection at turn 343 is a draw",
    DrawIsWin: "a draw is told as a win of the last mover",
    // Faults of legal moves and of answers.
    OccupiedAccepted: "a stone may be placed on any other",
    OccupiedOwnAccepted: "a stone may be placed on an own one",
    RowBeyondAccepted: "there is one row more",
    ColumnBeyondAccepted: "there is one column more",
    NegativeAccepted: "rows before the first one are accepted",
    TransposedCells: "rows and columns are exchanged",
    TwoDigitsCut: "of a row with two digits only the first is read",
    HalfAcceptedAsColumnZero: "a row alone is read as its first cell",
    AfterWinAccepted: "moves are accepted after a connection",
    AfterRepetitionAccepted: "moves are accepted after a draw by repetition",
    AfterTurnsAccepted: "moves are accepted after the last turn",
    IndexFromOne: "the index of an illegal move counts from one",
    IndexIsLast: "the index of an illegal move is that of the last move",
    OverIsOccupied: "after the end, cells are refused as taken",
    LegalWithoutSteal: "the steal is not counted as a legal move",
    LegalWithCentre: "the centre is counted as legal for the first stone",
    CapturedUntold: "of what was taken only the first two stones are told",
    HowUntold: "a draw by turns is told as one by repetition",
}

/// The six steps, in their order around a cell.
const STEPS: [(i32, i32); 6] = [(1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)];

type Place = (i32, i32);
/// Rows of cells: 0 empty, 1 red, 2 blue.
type Board = Vec<Vec<u8>>;

/// A game that remembers all its boards.
#[derive(Clone)]
pub(crate) struct Cachex {
    fault: Fault,
    n: i32,
    /// All boards, the empty one first.
    boards: Vec<Rc<Board>>,
    to_move: u8,
    captured: Vec<Vec<Place>>,
    closed: Vec<Place>,
    stolen: bool,
    /// The winner, 0 for a draw, and the way of the end.
    ended: Option<(u8, &'static str)>,
}

fn plus((r, q): Place, (dr, dq): Place) -> Place {
    (r + dr, q + dq)
}

impl Cachex {
    fn board(&self) -> &Board {
        &self.boards[self.boards.len() - 1]
    }

    fn turns(&self) -> usize {
        self.boards.len() - 1
    }

    fn on(&self, (r, q): Place) -> bool {
        (0..self.n).contains(&r) && (0..self.n).contains(&q)
    }

    /// The content of a cell of a board, 0 outside.
    fn look(&self, board: &Board, (r, q): Place) -> u8 {
        if self.fault == Fault::CaptureAroundEdge {
            let index = r * self.n + q;
            let inside = (0..self.n * self.n).contains(&index);
            return if inside { board[(index / self.n) as usize][(index % self.n) as usize] } else { 0 };
        }
        if self.on((r, q)) { board[r as usize][q as usize] } else { 0 }
    }

    /// The pairs that a stone of `mover` at `p` captures.
    fn pairs(&self, board: &Board, mover: u8, p: Place) -> Vec<(Place, Place, Place)> {
        use Fault::*;
        let mut pairs = Vec::new();
        let takes = match self.fault {
            CaptureByRedOnly => mover == 1,
            CaptureByBlueOnly => mover == 2,
            CaptureNever => false,
            CaptureFromSeventhTurn => self.turns() >= 6,
            _ => true,
        };
        for i in (0..6).filter(|_| takes) {
            for d in [1, 2] {
                let missed = match self.fault {
                    LongwaysMissed => d == 1,
                    SidewaysMissed => d == 2,
                    OneLongwaysMissed => d == 1 && i == 3,
                    OneSidewaysMissed => d == 2 && i == 5,
                    CaptureWrongFrom12 => d == 2 && self.n >= 12,
                    _ => false,
                };
                let (one, other) = (STEPS[i], STEPS[(i + 6 - d) % 6]);
                let (a, b, o) = (plus(p, one), plus(p, other), plus(plus(p, one), other));
                let (x, y, z) = (self.look(board, a), self.look(board, b), self.look(board, o));
                let across = z == mover || (self.fault == CaptureOverEdge && !self.on(o));
                if !missed && x == 3 - mover && y == 3 - mover && across {
                    pairs.push((a, b, o));
                }
                if self.fault == CaptureOfOneColour
                    && d == 1
                    && x == mover
                    && y == 3 - mover
                    && z == 3 - mover
                {
                    pairs.push((b, o, a));
                }
            }
        }
        pairs
    }

    fn take(&self, board: &mut Board, mover: u8, p: Place) -> Vec<Place> {
        use Fault::*;
        let mut taken: Vec<Place> = Vec::new();
        let mut remove = |board: &mut Board, (r, q): Place| {
            let (r, q) = if self.fault == CaptureAroundEdge {
                ((r * self.n + q) / self.n, (r * self.n + q) % self.n)
            } else {
                (r, q)
            };
            if self.on((r, q)) && board[r as usize][q as usize] != 0 {
                board[r as usize][q as usize] = 0;
                taken.push((r, q));
            }
        };
        let pairs = self.pairs(board, mover, p);
        let most = match self.fault {
            CaptureOnePair => 1,
            CaptureTwoPairs => 2,
            _ => pairs.len(),
        };
        if self.fault == CaptureInTurn {
            while let Some(&(a, b, _)) = self.pairs(board, mover, p).first() {
                remove(board, a);
                remove(board, b);
            }
        } else {
            for &(a, b, o) in pairs.iter().take(most) {
                remove(board, a);
                if self.fault != CaptureHalf {
                    remove(board, b);
                }
                if self.fault == CaptureOwn {
                    remove(board, o);
                }
            }
        }
        taken
    }

    /// `true` if the chain of the stone at `p` connects the sides of its colour.
    fn connects(&self, board: &Board, p: Place) -> bool {
        use Fault::*;
        let side = self.look(board, p);
        let mut seen = vec![p];
        let mut next = 0;
        while next < seen.len() {
            let place = seen[next];
            next += 1;
            let extra = (self.fault == NeighbourExtra).then_some((1, 1));
            let steps = STEPS.into_iter().chain(extra);
            let steps =
                steps.filter(|&step| self.fault != NeighbourMissing || (step != (1, -1) && step != (-1, 1)));
            for place in steps.map(|step| plus(place, step)) {
                if self.on(place) && self.look(board, place) == side && !seen.contains(&place) {
                    seen.push(place);
                }
            }
        }
        if self.fault == UnconnectedWins {
            let all = (0..self.n).flat_map(|r| (0..self.n).map(move |q| (r, q)));
            seen = all.filter(|&place| self.look(board, place) == side).collect();
        }
        let red = (side == 1) != (self.fault == SidesExchanged);
        let corner = |(r, q): Place| r % (self.n - 1) == 0 && q % (self.n - 1) == 0;
        if self.fault == CornerNotBoth && side == 2 {
            seen.retain(|&place| !corner(place));
        }
        let along = |&(r, q): &Place| if red { r } else { q };
        let far = if self.fault == WinToLastButOne && red { self.n - 2 } else { self.n - 1 };
        let won = seen.iter().any(|p| along(p) == 0) && seen.iter().any(|p| along(p) >= far);
        won && match self.fault {
            NoWinOfBlue => side == 1,
            NoWinOfRed => side == 2,
            NoWinFrom10 => self.n < 10,
            NoWinOn15 => self.n < 15,
            _ => true,
        }
    }

    fn steal(&mut self) {
        use Fault::*;
        let old = self.board().clone();
        let mut board =
            if self.fault == StealKeepsStone { old.clone() } else { vec![vec![0; old.len()]; old.len()] };
        for (r, row) in old.iter().enumerate() {
            for (q, &stone) in row.iter().enumerate().filter(|&(_, &stone)| stone != 0) {
                let (r, q) = if self.fault == StealKeepsPlace { (q, r) } else { (r, q) };
                board[q][r] = if self.fault == StealKeepsColour { stone } else { 3 - stone };
                if self.fault == StealDiagonalLost && r == q {
                    board[q][r] = 0;
                }
            }
        }
        self.boards.push(Rc::new(board));
        self.captured.push(Vec::new());
        self.stolen = true;
        if self.fault != StealKeepsTurn {
            self.to_move = 3 - self.to_move;
        }
    }

    fn may_steal(&self) -> bool {
        use Fault::*;
        let right = self.turns() == 1;
        let diagonal = || self.board().iter().enumerate().any(|(r, row)| row[r] != 0);
        match self.fault {
            StealNotOnDiagonal => right && !diagonal(),
            StealLate => right || self.turns() == 3,
            StealFirst => self.turns() <= 1,
            StealByRed => right || (self.turns() == 2 && self.stolen),
            StealAny => self.ended.is_none(),
            StealRefused => false,
            _ => right,
        }
    }

    fn centre(&self, (r, q): Place) -> bool {
        use Fault::*;
        let middle = match self.fault {
            CentreOfEven => r == self.n / 2 && q == r,
            _ => 2 * r == self.n - 1 && r == q,
        };
        let closed = match self.fault {
            CentreAllowed => false,
            CentreNeverAllowed => true,
            CentreClosedForBlue => self.turns() <= 1,
            CentreAllowedFrom11 => self.turns() == 0 && self.n < 11,
            _ => self.turns() == 0,
        };
        middle && closed
    }

    fn place(&mut self, p: Place) {
        use Fault::*;
        let mover = self.to_move;
        let mut board = self.board().clone();
        let before = board.iter().flatten().filter(|&&stone| stone == 0).count();
        if self.on(p) {
            board[p.0 as usize][p.1 as usize] = mover;
        }
        let taken = self.take(&mut board, mover, p);
        let mut won = self.on(p) && self.connects(&board, p);
        match self.fault {
            WinOnLastCellMissed if before == 1 => won = false,
            WinAfterCaptureMissed if !taken.is_empty() => won = false,
            _ => {}
        }
        let winner = if self.fault == WinnerOpposite { 3 - mover } else { mover };
        self.closed.clone_from(&taken);
        self.boards.push(Rc::new(board));
        self.captured.push(taken);
        self.to_move = 3 - mover;
        if self.ended.is_some() {
            return;
        }
        let now = self.board();
        let last = self.boards.len() - 1;
        let same = self.boards.iter().enumerate().filter(|&(i, board)| {
            let counts = match self.fault {
                RepetitionBySide => (last - i).is_multiple_of(2),
                RepetitionInARow => (last - i).is_multiple_of(4),
                _ => true,
            };
            counts && **board == *now
        });
        let times = same.count();
        let most = match self.fault {
            RepetitionNever => usize::MAX,
            RepetitionOfSix => 6,
            RepetitionOfEight => 8,
            _ => 7,
        };
        let turns = self.turns() - usize::from(self.fault == TurnsWithoutSteal && self.stolen);
        let limit = match self.fault {
            TurnsNever => usize::MAX,
            TurnsOneLess => 342,
            TurnsOneMore => 344,
            _ => 343,
        };
        let drawn = if self.fault == DrawIsWin { mover } else { 0 };
        self.ended = if won && !(self.fault == TurnsBeforeWin && turns >= limit) {
            Some((winner, "connection"))
        } else if times >= most {
            Some((drawn, "repetition"))
        } else if turns >= limit {
            Some((drawn, if self.fault == HowUntold { "repetition" } else { "turn limit" }))
        } else {
            None
        };
    }

    fn read(&self, text: &str) -> Option<Place> {
        let Some((r, q)) = text.split_once(',') else {
            let half = self.fault == Fault::HalfAcceptedAsColumnZero;
            return text.parse().ok().filter(|_| half).map(|r| (r, 0));
        };
        let cut = self.fault == Fault::TwoDigitsCut && r.len() == 2 && r.is_char_boundary(1);
        let (r, q) = (if cut { &r[..1] } else { r }.parse().ok()?, q.parse().ok()?);
        Some(if self.fault == Fault::TransposedCells { (q, r) } else { (r, q) })
    }
}

impl Rules for Cachex {
    type Fault = Fault;

    fn start(query: &Query, fault: Fault) -> Result<Self, String> {
        let n = i32::try_from(query.size.ok_or("no size")?).map_err(|e| e.to_string())?;
        if query.position.is_some() {
            return Err("no positions".to_owned());
        }
        let empty = vec![vec![0; n as usize]; n as usize];
        Ok(Self {
            fault,
            n,
            boards: vec![Rc::new(empty)],
            to_move: 1,
            captured: Vec::new(),
            closed: Vec::new(),
            stolen: false,
            ended: None,
        })
    }

    fn play(&mut self, text: &str) -> Result<(), &'static str> {
        use Fault::*;
        let place = self.read(text);
        if let Some((_, how)) = self.ended {
            let goes_on = match self.fault {
                AfterWinAccepted => how == "connection" && text != "steal",
                AfterRepetitionAccepted => how == "repetition" && text != "steal",
                AfterTurnsAccepted => how == "turn limit" && text != "steal",
                StealAfterEnd => text == "steal",
                _ => false,
            };
            if !goes_on {
                return Err(if self.fault == OverIsOccupied { "occupied" } else { "over" });
            }
        }
        if text == "steal" {
            if !self.may_steal() && self.ended.is_none() {
                return Err("swap");
            }
            self.steal();
            return Ok(());
        }
        let p = place.ok_or("move")?;
        let cell = self.on(p)
            || match self.fault {
                RowBeyondAccepted => p.0 == self.n && (0..self.n).contains(&p.1),
                ColumnBeyondAccepted => p.1 == self.n && (0..self.n).contains(&p.0),
                NegativeAccepted => p.0 == -1 && (0..self.n).contains(&p.1),
                _ => false,
            };
        if !cell {
            return Err("move");
        }
        let there = if self.on(p) { self.board()[p.0 as usize][p.1 as usize] } else { 0 };
        let taken = match self.fault {
            OccupiedAccepted => false,
            OccupiedOwnAccepted => there == 3 - self.to_move,
            CapturedNotEmpty => there != 0 || self.captured.iter().flatten().any(|&c| c == p),
            CapturedClosedOnce => there != 0 || self.closed.contains(&p),
            _ => there != 0,
        };
        if taken {
            return Err("occupied");
        }
        if self.centre(p) {
            return Err("centre");
        }
        self.place(p);
        Ok(())
    }

    fn state(&self) -> State {
        use Fault::*;
        let side = |side: u8| if side == 1 { "red" } else { "blue" }.to_owned();
        let all = || (0..self.n).flat_map(|r| (0..self.n).map(move |q| (r, q)));
        let open = |p: &Place| self.board()[p.0 as usize][p.1 as usize] == 0;
        let free = all().filter(|p| open(p) && (self.fault == LegalWithCentre || !self.centre(*p))).count();
        let steal = usize::from(self.may_steal() && self.fault != LegalWithoutSteal);
        let most = if self.fault == CapturedUntold { 2 } else { 6 };
        let told = |cells: &Vec<Place>| cells.iter().take(most).map(|(r, q)| format!("{r},{q}")).collect();
        State {
            plies: Some(self.turns() as u64),
            to_move: side(self.to_move),
            outcome: self.ended.map(|(winner, _)| if winner == 0 { "draw".to_owned() } else { side(winner) }),
            how: Some(self.ended.iter().map(|(_, how)| (*how).to_owned()).collect()),
            legal: Some(if self.ended.is_some() { 0 } else { free + steal } as u64),
            captured: Some(self.captured.iter().map(told).collect()),
            ..State::default()
        }
    }

    fn told(fault: Fault) -> bool {
        use Fault::*;
        matches!(fault, LegalWithoutSteal | LegalWithCentre | CapturedUntold | HowUntold | Nothing)
    }

    fn index(fault: Fault, at: usize, moves: usize) -> usize {
        match fault {
            Fault::IndexFromOne => at + 1,
            Fault::IndexIsLast => moves - 1,
            _ => at,
        }
    }
}
