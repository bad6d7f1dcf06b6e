//! Laws about games, which any bytes are.

use stonework_board::{Cell, CellSet};
use stonework_game::{Game, Indexed, Keyed, Player};
use stonework_havannah::{Move, PlayoutBoard, Position, WinKind};
use stonework_oracle::{Judge, formations};

/// Small boards more often, where much happens in few bytes.
const SIZES: [u8; 16] = [2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6];
/// One on either side of each capacity of the playout board; one head in eight says one of them.
const LARGE: [u8; 8] = [7, 8, 9, 10, 11, 15, 20, 20];
/// Cells that are looked at in a game: its plies by the cells of the board. Larger boards have shorter games.
const LOOKS: usize = 6_000;

/// A game told by bytes: the first says size and swap, each further one – two, where the board has more
/// than 256 cells – says where to play.
struct Script<'a> {
    size: u8,
    swap: bool,
    wide: bool,
    bytes: &'a [u8],
}

impl<'a> Script<'a> {
    fn new(data: &'a [u8]) -> Self {
        let (&head, bytes) = data.split_first().unwrap_or((&0, &[]));
        let large = head >> 5 == 7;
        let size = if large { LARGE[usize::from(head & 7)] } else { SIZES[usize::from(head & 15)] };
        // A byte more or less is no matter.
        let cells = 3 * usize::from(size) * usize::from(size - 1) + 1;
        let bytes = &bytes[..bytes.len().min(LOOKS / cells * if size > 9 { 2 } else { 1 })];
        Self { size, swap: head & 16 != 0, wide: size > 9, bytes }
    }

    fn start(&self) -> Position {
        let start = if self.swap { Position::with_swap(self.size) } else { Position::new(self.size) };
        start.expect("a size from the list")
    }

    /// The next number; `None` when the bytes are used up.
    fn number(&mut self) -> Option<usize> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        if !self.wide {
            return Some(first.into());
        }
        let (&second, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(usize::from(first) << 8 | usize::from(second))
    }
}

/// The move of a number: legal as long as the game goes on. A cell that is taken stands for the next
/// empty one, so that a move that is left out changes few others.
fn legal(position: &Position, number: usize) -> Option<Move> {
    if number.is_multiple_of(251) && position.check(Move::Swap).is_ok() {
        return Some(Move::Swap);
    }
    let cells = position.board().len();
    let around = (0..cells).filter_map(|i| position.move_at((number + i) % cells));
    around.into_iter().find(|&mv| position.check(mv).is_ok())
}

/// The move of a number, legal or not; some cells are off the board.
fn any(position: &Position, number: usize) -> Move {
    let cell = Cell::new(number % (position.board().len() + 3));
    cell.filter(|_| !number.is_multiple_of(7)).map_or(Move::Swap, Move::Place)
}

/// Plays a game on the fast rules, the playout board and the slow judge; after each move they agree on
/// everything that two of them know: stones, side to move, outcome, kinds of win, which moves are
/// legal, and – on each ply of the smallest board, now and then and at the end on a larger one – winning cells and
/// whether a side can still win.
///
/// # Panics
/// If they do not.
pub fn fast_rules_are_the_slow_judge(data: &[u8]) {
    let mut script = Script::new(data);
    let mut fast = script.start();
    let mut slow = Judge::new(script.size, script.swap).expect("a size from the list");
    let mut playout = PlayoutBoard::new(script.size).expect("a size from the list");
    agree(&fast, &slow, &playout);
    while let Some(number) = script.number() {
        let tried = any(&fast, number);
        assert_eq!(fast.check(tried).is_ok(), slow.check(tried).is_ok(), "{fast:?} {tried:?}");
        let Some(mv) = legal(&fast, number) else { break };
        fast.play(mv).expect("it was checked");
        slow.play(mv).expect("the fast rules allow it");
        match mv {
            Move::Place(cell) => _ = playout.place(cell),
            Move::Swap => playout.load(&fast),
        }
        agree(&fast, &slow, &playout);
        if script.size <= 2 || number.is_multiple_of(16) {
            agree_on_what_is_next(&fast, &slow, number);
        }
    }
    agree_on_what_is_next(&fast, &slow, data.len());
    shown(&fast);
    playout.load(&fast);
    agree(&fast, &slow, &playout);
    assert_eq!(fast.setup().position().as_ref(), Ok(&fast));
}

fn agree(fast: &Position, slow: &Judge, playout: &PlayoutBoard) {
    assert_eq!(fast.outcome(), slow.outcome(), "{fast:?}");
    assert_eq!(fast.outcome(), playout.outcome(), "{fast:?}");
    assert_eq!((fast.kinds(), fast.kinds()), (slow.kinds(), playout.kinds()), "{fast:?}");
    assert_eq!((fast.to_move(), fast.to_move()), (slow.to_move(), playout.to_move()));
    let empty: CellSet = fast.empty_cells().collect();
    assert_eq!(empty, playout.empty_cells().collect(), "{fast:?}");
    for player in Player::BOTH {
        let stones = fast.stones(player);
        assert_eq!(stones, slow.stones(player));
        assert!(stones.iter().all(|c| playout.stone(c) == Some(player)), "{fast:?}");
    }
}

/// Legal moves, and what further stones would complete: on the smallest boards on every cell, on larger ones on a few that
/// the number picks, since the judge looks at the whole board for each.
fn agree_on_what_is_next(fast: &Position, slow: &Judge, number: usize) {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    fast.legal_moves(&mut ours);
    slow.legal_moves(&mut theirs);
    assert_eq!(ours, theirs, "{fast:?}");
    let empty: Vec<Cell> = fast.empty_cells().collect();
    for player in Player::BOTH {
        let cells = fast.winning_cells(player);
        assert_eq!(fast.winning_count(player), cells.len(), "{fast:?}");
        assert_eq!(fast.can_win(player), slow.can_win(player), "{fast:?}");
        if fast.size() <= 3 {
            assert_eq!(cells, slow.winning_cells(player), "{fast:?}");
            continue;
        }
        for i in (0..3).filter(|_| fast.outcome().is_none()) {
            let cell = empty[(number + 5 * i) % empty.len()];
            let mut stones = fast.stones(player);
            stones.insert(cell);
            let wins = !formations(fast.board(), &stones).is_empty();
            assert_eq!(cells.contains(cell), wins, "{fast:?} {cell:?}");
        }
    }
}

/// The chain that is shown for each kind of win is one, and no stone of it can be spared.
fn shown(position: &Position) {
    let Some(winner) = position.outcome().and_then(stonework_game::Outcome::winner) else { return };
    for kind in WinKind::ALL {
        let chain = position.winning_chain(kind);
        assert_eq!(chain.is_some(), position.kinds().contains(kind), "{position:?}");
        let Some(chain) = chain else { continue };
        let makes = |set: &CellSet| formations(position.board(), set).contains(kind);
        assert!((chain - position.stones(winner)).is_empty() && makes(&chain), "{position:?} {kind}");
        for cell in chain {
            let mut less = chain;
            less.remove(cell);
            assert!(!makes(&less), "{position:?}: {kind} without {cell:?}");
        }
    }
}

/// Plays and takes back as the bytes say; what a position tells is at all times what a fresh one tells
/// on which the moves that stand were played.
///
/// # Panics
/// If it is not.
pub fn undo_restores(data: &[u8]) {
    let mut script = Script::new(data);
    let mut position = script.start();
    let mut stack = Vec::new();
    let mut since_check = 0;
    while let Some(number) = script.number() {
        // Runs of several numbers below 48 take back several moves.
        let back = number & 255 < 48 || position.outcome().is_some();
        match (back, stack.pop()) {
            (true, Some((_, undo))) => {
                position.undo(undo);
                since_check += 1;
            }
            (_, top) => {
                stack.extend(top);
                let Some(mv) = legal(&position, number) else { continue };
                let undo = position.play_unchecked(mv);
                stack.push((mv, undo));
            }
        }
        if since_check > 0 && (script.size <= 5 || since_check == 20) {
            same_as_fresh(&script, &position, &stack);
            since_check = 0;
        }
    }
    same_as_fresh(&script, &position, &stack);
    while let Some((_, undo)) = stack.pop() {
        position.undo(undo);
    }
    same_as_fresh(&script, &position, &stack);
}

fn same_as_fresh<U>(script: &Script<'_>, position: &Position, stack: &[(Move, U)]) {
    let mut fresh = script.start();
    for &(mv, _) in stack {
        fresh.play(mv).expect("it was legal");
    }
    assert_eq!(*position, fresh);
    assert_eq!((position.key(), position.canonical()), (fresh.key(), fresh.canonical()), "{fresh:?}");
    assert_eq!((position.outcome(), position.kinds()), (fresh.outcome(), fresh.kinds()), "{fresh:?}");
    assert_eq!(position.to_move(), fresh.to_move());
    assert_eq!(position.stone_count(), fresh.stone_count());
    assert!(position.empty_cells().eq(fresh.empty_cells()), "{fresh:?}");
    for player in Player::BOTH {
        assert_eq!(position.winning_cells(player), fresh.winning_cells(player), "{fresh:?}");
        assert_eq!(position.winning_count(player), fresh.winning_count(player), "{fresh:?}");
        assert_eq!(position.can_win(player), fresh.can_win(player), "{fresh:?}");
    }
    // What is kept inside shows in what further stones would complete.
    for cell in fresh.empty_cells() {
        for player in Player::BOTH {
            assert_eq!(position.completes(player, cell), fresh.completes(player, cell), "{fresh:?} {cell:?}");
        }
    }
}
