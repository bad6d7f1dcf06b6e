//! `check_against` finds each kind of fault in rules, and shrinks the game that shows the fault.

use stonework_game::example::Nim;
use stonework_game::{Game, Outcome, Player};
use stonework_oracle::{Reference, check_against};

/// Right rules of Nim with eleven counters: a player takes one or two, the last counter wins.
fn judge(moves: &[u8]) -> Reference<u8> {
    let left = 11 - moves.iter().sum::<u8>();
    let to_move = if moves.len().is_multiple_of(2) { Player::First } else { Player::Second };
    let outcome = (left == 0).then_some(Outcome::Win(!to_move));
    Reference { to_move, outcome, legal: (1..=left.min(2)).collect() }
}

/// The fault of the rules, after a two as the last move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    Nothing,
    /// A legal move is not listed.
    Missing,
    /// A legal move is listed twice.
    Twice,
    /// A listed move is refused.
    Refused,
    /// A two is accepted with one counter left.
    Accepted,
    /// The winner is the other side.
    Winner,
    /// The same side moves again.
    Turn,
    /// A two is accepted although no counter is left, in a game in which nobody has taken two.
    AfterEnd,
    /// A two is accepted with one counter left, in a game in which nobody has taken two.
    AcceptedUnplayed,
}

/// Nim with a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Faulty {
    nim: Nim,
    fault: Fault,
    taken: Vec<u8>,
}

impl Faulty {
    fn fails(&self, fault: Fault) -> bool {
        self.fault == fault && self.taken.last() == Some(&2)
    }
}

impl Game for Faulty {
    type Move = u8;
    type Undo = <Nim as Game>::Undo;
    type Illegal = <Nim as Game>::Illegal;

    fn to_move(&self) -> Player {
        let side = self.nim.to_move();
        if self.fails(Fault::Turn) { !side } else { side }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.nim.outcome() {
            Some(Outcome::Win(side)) if self.fails(Fault::Winner) => Some(Outcome::Win(!side)),
            outcome => outcome,
        }
    }

    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        let mut moves = self.nim.moves();
        if self.fails(Fault::Missing) && moves.len() > 1 {
            moves.pop();
        }
        if self.fails(Fault::Twice) && !moves.is_empty() {
            moves.push(1);
        }
        out.extend(moves);
    }

    fn check(&self, mv: u8) -> Result<(), Self::Illegal> {
        let left = 11 - self.taken.iter().sum::<u8>();
        if self.fails(Fault::Accepted) && mv == 2 && left == 1 {
            return Ok(());
        }
        if self.fault == Fault::AfterEnd && left == 0 && mv == 2 && !self.taken.contains(&2)
            || self.fault == Fault::AcceptedUnplayed && left == 1 && mv == 2 && !self.taken.contains(&2)
        {
            return Ok(());
        }
        // The move 99 is never legal.
        self.nim.check(if self.fails(Fault::Refused) && mv == 2 { 99 } else { mv })
    }

    fn play_unchecked(&mut self, mv: u8) -> Self::Undo {
        self.taken.push(mv);
        self.nim.play_unchecked(mv)
    }

    fn undo(&mut self, undo: Self::Undo) {
        self.taken.pop();
        self.nim.undo(undo);
    }
}

fn start(fault: Fault) -> Faulty {
    Faulty { nim: Nim::new(11), fault, taken: Vec::new() }
}

#[test]
fn right_rules_pass() {
    assert!(check_against(&start(Fault::Nothing), judge, 200, 7).unwrap() > 1200);
}

#[test]
fn every_fault_is_found_and_its_game_shortened() {
    // The number of moves of the shrunk game, and its message: ten and eleven counters cannot be taken in fewer moves,
    // and leaving out moves does not turn two ones into a two.
    for (fault, left, said) in [
        (Fault::Missing, 1..=1, "the legal moves are [1], by the judge [1, 2]"),
        (Fault::Twice, 1..=1, "the legal moves are [1, 2, 1], by the judge [1, 2]"),
        (Fault::Refused, 1..=1, "2 is listed and refused"),
        (Fault::Accepted, 5..=9, "2 is accepted, which is illegal by the judge"),
        (Fault::Winner, 6..=10, "the outcome is"),
        (Fault::Turn, 1..=1, "First is to move, by the judge Second"),
    ] {
        let parted = check_against(&start(fault), judge, 200, 7).unwrap_err();
        assert!(left.contains(&parted.moves.len()), "{fault:?}: {parted}");
        assert_eq!(parted.moves.last(), Some(&2), "{fault:?}: {parted}");
        assert!(parted.to_string().contains(said), "{fault:?}: {parted}");
        assert!(parted.found_with >= parted.moves.len(), "{fault:?}");
        assert_eq!(parted.accepted.is_some(), fault == Fault::Accepted, "{fault:?}");
    }
}

/// Two moves that were legal one or two plies before, and that nobody has played: the comparison asks about both.
#[test]
fn a_move_that_was_legal_a_ply_ago_is_asked_again_and_after_the_end() {
    for (fault, counters) in [(Fault::AcceptedUnplayed, 10), (Fault::AfterEnd, 11)] {
        let parted = check_against(&start(fault), judge, 10_000, 7).unwrap_err();
        assert_eq!(parted.accepted, Some(2), "{fault:?}: {parted}");
        assert_eq!(parted.moves, vec![1; counters], "{fault:?}: {parted}");
    }
}

#[test]
fn same_seed_same_finding() {
    let find = |seed| check_against(&start(Fault::Winner), judge, 200, seed).unwrap_err();
    assert_eq!(find(1), find(1));
}
