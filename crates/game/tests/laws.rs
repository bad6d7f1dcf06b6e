//! The laws hold for a correct game and for its pie, and each law finds a faulty game.

mod common;

use common::{Taken, TicTacToe};
use stonework_game::{
    ByPlayer, Finite, Game, Indexed, Keyed, Outcome, ParseError, Pie, PieMove, Player, Sym, Textual, laws,
    perft,
};

fn all_laws<G: Finite + Keyed + Indexed + Textual>(start: &G) {
    laws::game(start, 42, 60).unwrap();
    laws::keyed(start, 42, 60).unwrap();
    laws::finite(start, 42, 60).unwrap();
    laws::indexed(start, 42, 60).unwrap();
    laws::notation(start, 42, 60).unwrap();
}

#[test]
fn tic_tac_toe_keeps_every_law() {
    all_laws(&TicTacToe::default());
}

#[test]
fn its_pie_keeps_every_law() {
    all_laws(&Pie::new(TicTacToe::default()));
}

#[test]
fn words_are_small_and_go_to_other_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Pie<TicTacToe>>();
    shared::<laws::Broken>();
    assert_eq!((size_of::<Player>(), size_of::<Option<Player>>(), size_of::<ByPlayer<u8>>()), (1, 1, 2));
    assert_eq!((size_of::<Outcome>(), size_of::<Option<Outcome>>(), size_of::<Sym>()), (1, 1, 1));
    assert_eq!((size_of::<PieMove<u32>>(), size_of::<Option<PieMove<u32>>>()), (8, 8));
}

#[test]
fn tic_tac_toe_has_255168_games() {
    let counts: Vec<_> = (0..=9).map(|d| perft(&TicTacToe::default(), d)).collect();
    let nodes: Vec<_> = counts.iter().map(|c| c.nodes).collect();
    assert_eq!(nodes, [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]);
    let ended: Vec<_> = counts.iter().map(|c| (c.wins.first, c.wins.second, c.draws)).collect();
    let expected = [(1440, 0, 0), (0, 5328, 0), (47952, 0, 0), (0, 72576, 0), (81792, 0, 46080)];
    assert_eq!(ended[..5], [(0, 0, 0); 5]);
    assert_eq!(ended[5..], expected);
    assert_eq!(expected.iter().map(|(a, b, c)| a + b + c).sum::<u64>(), 255_168);
}

#[test]
fn a_pie_adds_one_swapped_branch_to_every_first_move() {
    let pie = Pie::new(TicTacToe::default());
    let plain = |d| perft(&TicTacToe::default(), d).nodes;
    // A swap takes a ply of the pie and none of the game inside, so games end one ply later.
    assert_eq!([1, 2, 3].map(|d| perft(&pie, d).nodes), [9, 72 + 9, 504 + 72]);
    let last = perft(&pie, 10);
    assert_eq!((last.nodes, last.draws), (plain(9), 46080));
    assert_eq!((last.wins.first, last.wins.second), (0, 81792));
}

#[test]
fn roles_and_not_stones_are_exchanged() {
    let mut pie = Pie::new(TicTacToe::default());
    assert!(pie.play(PieMove::Swap).is_err());
    pie.play(PieMove::Play(4)).unwrap();
    let undo = pie.play(PieMove::Swap).unwrap();
    assert_eq!(
        (pie.to_move(), pie.swapped(), pie.seat(Player::First)),
        (Player::First, true, Player::Second)
    );
    assert_eq!(
        pie.play(PieMove::Swap).unwrap_err().to_string(),
        "roles can be exchanged only right after the first move"
    );
    for mv in [0, 1, 2, 7] {
        pie.play(PieMove::Play(mv)).unwrap();
    }
    assert_eq!(pie.outcome(), Some(Outcome::Win(Player::Second))); // 4, 1 and 7 are the second seat's
    let mut again = Pie::new(TicTacToe::default());
    again.play(PieMove::Play(4)).unwrap();
    again.play(PieMove::Swap).unwrap();
    again.undo(undo);
    again.play(PieMove::Play(0)).unwrap();
    assert!(again.check(PieMove::Swap).is_err(), "the offer is open for one action only");
}

/// A game that overrides every provided method.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Unusual(TicTacToe);

impl Game for Unusual {
    type Move = u8;
    type Undo = u8;
    type Illegal = Taken;
    fn to_move(&self) -> Player {
        self.0.to_move()
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        self.0.legal_moves(out);
    }
    fn check(&self, mv: u8) -> Result<(), Taken> {
        self.0.check(mv)
    }
    fn play_unchecked(&mut self, mv: u8) -> u8 {
        self.0.play_unchecked(mv)
    }
    fn undo(&mut self, mv: u8) {
        self.0.undo(mv);
    }
}

impl Keyed for Unusual {
    fn key(&self) -> u64 {
        7
    }
    fn horizon(&self) -> u32 {
        3
    }
    fn canonical(&self) -> (u64, Sym) {
        (9, Sym(5))
    }
    fn map_move(&self, _to: Sym, mv: u8) -> u8 {
        mv + 1
    }
    fn unmap_move(&self, _to: Sym, mv: u8) -> u8 {
        mv - 1
    }
}

impl Textual for Unusual {}

#[test]
fn a_game_without_a_notation_has_texts_for_legal_moves() {
    let mut game = Unusual(TicTacToe::default());
    for mv in game.moves() {
        assert_eq!(game.parse_move(&game.move_text(mv)), Ok(mv));
    }
    game.play(4).unwrap();
    assert_eq!(game.parse_move("4").unwrap_err().to_string(), "`4` is no legal move (at byte 0)");
    assert_eq!(game.position_text(), format!("{game:?}"));
    let error = Unusual::parse_position("x").unwrap_err();
    assert_eq!(error.to_string(), "`x`: positions of this game cannot be read (at byte 0)");
}

#[test]
fn a_pie_forwards_every_defaulted_method() {
    let inner = Unusual(TicTacToe::default());
    let pie = Pie::new(inner.clone());
    let kept = |mut pie: Pie<Unusual>| {
        pie.play_unchecked(PieMove::Play(0));
        pie.play_unchecked(PieMove::Play(1));
        pie
    };
    assert_eq!(pie.horizon(), 3);
    assert_eq!(pie.canonical().1, Sym(5));
    assert_ne!(pie.key(), kept(pie.clone()).key(), "the right to swap is in the key");
    assert_eq!(kept(pie.clone()).canonical().0, 9);
    assert_eq!(pie.map_move(Sym(5), PieMove::Play(2)), PieMove::Play(3));
    assert_eq!(pie.unmap_move(Sym(5), PieMove::Play(2)), PieMove::Play(1));
    assert_eq!(pie.map_move(Sym(5), PieMove::Swap), PieMove::Swap);
}

/// Tic-tac-toe with one fault.
#[derive(Clone, Eq, Debug)]
struct Faulty {
    game: TicTacToe,
    plies: u8,
    fault: Fault,
    /// The outcome after the last move, and the moves played so far, taken back or not: no part of `==`.
    ended: Option<Outcome>,
    played: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    UndoForgets,
    UndoKeepsTheOutcome,
    UndoKeepsThePlayedMoves,
    UndoKeepsTheCount,
    MovesAfterTheEnd,
    AcceptsTaken,
    ListsTwice,
    KeyWithoutMover,
    KeyWithoutOutcome,
    CanonicalWithoutOutcome,
    CanonicalLies,
    IndexTooLarge,
    TextIsLost,
    KeyRecurs,
}

impl PartialEq for Faulty {
    fn eq(&self, other: &Self) -> bool {
        (self.game, self.plies) == (other.game, other.plies)
    }
}

impl Game for Faulty {
    type Move = u8;
    type Undo = u8;
    type Illegal = Taken;
    fn to_move(&self) -> Player {
        self.game.to_move()
    }
    fn outcome(&self) -> Option<Outcome> {
        match self.fault {
            Fault::UndoKeepsTheOutcome | Fault::UndoKeepsTheCount => self.ended,
            _ => self.game.outcome(),
        }
    }
    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        if self.fault == Fault::UndoKeepsTheCount && self.ended.is_some() {
            return;
        }
        let mut game = self.game;
        if self.fault == Fault::UndoKeepsThePlayedMoves && self.played > 9 && game.outcome().is_none() {
            out.extend(game.moves().into_iter().rev());
            return;
        }
        if self.fault == Fault::MovesAfterTheEnd && game.outcome() == Some(Outcome::Win(Player::Second)) {
            game = TicTacToe::default();
        }
        game.legal_moves(out);
        if self.fault == Fault::ListsTwice && self.plies == 3 {
            game.legal_moves(out);
        }
    }
    fn check(&self, mv: u8) -> Result<(), Taken> {
        if self.fault == Fault::AcceptsTaken && mv == 4 && self.outcome().is_none() {
            Ok(())
        } else {
            self.game.check(mv)
        }
    }
    fn play_unchecked(&mut self, mv: u8) -> u8 {
        self.plies += 1;
        self.played += 1;
        let mv = self.game.play_unchecked(mv);
        self.ended = self.game.outcome();
        if self.fault == Fault::UndoKeepsTheCount && self.played > 11 {
            self.ended = Some(Outcome::Draw);
        }
        mv
    }
    fn undo(&mut self, mv: u8) {
        self.game.undo(mv);
        if self.fault == Fault::UndoKeepsThePlayedMoves {
            self.played += 1;
        }
        if self.fault != Fault::UndoKeepsTheOutcome {
            self.ended = None;
        }
        if self.fault != Fault::UndoForgets || mv != 8 {
            self.plies -= 1;
        }
    }
}

impl Finite for Faulty {}

impl Keyed for Faulty {
    fn key(&self) -> u64 {
        match self.fault {
            Fault::KeyWithoutMover => self.plies.saturating_sub(5).into(),
            Fault::KeyRecurs => (self.plies % 5).into(),
            Fault::KeyWithoutOutcome if self.outcome().is_some() => self.to_move().index() as u64,
            _ => self.game.key(),
        }
    }
    fn canonical(&self) -> (u64, Sym) {
        let (key, sym) = self.game.canonical();
        match self.fault {
            Fault::CanonicalLies => (key, Sym(0)),
            Fault::CanonicalWithoutOutcome if self.outcome().is_some() => (1, sym),
            _ => (key, sym),
        }
    }
    fn map_move(&self, to: Sym, mv: u8) -> u8 {
        self.game.map_move(to, mv)
    }
    fn unmap_move(&self, to: Sym, mv: u8) -> u8 {
        self.game.unmap_move(to, mv)
    }
}

impl Indexed for Faulty {
    fn index_len(&self) -> usize {
        8
    }
    fn move_index(&self, mv: u8) -> usize {
        mv.into()
    }
    fn move_at(&self, index: usize) -> Option<u8> {
        self.game.move_at(index)
    }
}

impl Textual for Faulty {
    fn write_move(&self, mv: u8, w: &mut dyn std::fmt::Write) -> std::fmt::Result {
        self.game.write_move(mv, w)
    }
    fn parse_move(&self, text: &str) -> Result<u8, ParseError> {
        self.game.parse_move(text)
    }
    fn write_position(&self, w: &mut dyn std::fmt::Write) -> std::fmt::Result {
        self.game.write_position(w)
    }
    fn parse_position(_text: &str) -> Result<Self, ParseError> {
        Ok(faulty(Fault::TextIsLost))
    }
}

fn faulty(fault: Fault) -> Faulty {
    Faulty { game: TicTacToe::default(), plies: 0, fault, ended: None, played: 0 }
}

#[test]
fn every_law_catches_its_fault() {
    let law = |broken: Result<(), laws::Broken>| broken.unwrap_err().law;
    let game = |fault| law(laws::game(&faulty(fault), 42, 60));
    assert_eq!(game(Fault::UndoForgets), "undo restores the position");
    assert_eq!(game(Fault::UndoKeepsTheOutcome), "undo restores the side to move and the outcome");
    assert_eq!(game(Fault::UndoKeepsThePlayedMoves), "a game unwinds through the same moves and outcomes");
    assert_eq!(game(Fault::UndoKeepsTheCount), "a game that was taken back can be played again");
    assert_eq!(game(Fault::MovesAfterTheEnd), "moves exist exactly while there is no outcome");
    assert_eq!(game(Fault::AcceptsTaken), "moves that are not listed are refused");
    assert_eq!(game(Fault::ListsTwice), "moves are distinct");
    let keyed = |fault| law(laws::keyed(&faulty(fault), 42, 60));
    assert_eq!(keyed(Fault::KeyWithoutMover), "equal keys, equal moves and mover");
    assert_eq!(keyed(Fault::KeyWithoutOutcome), "equal keys, equal outcomes");
    assert_eq!(
        keyed(Fault::CanonicalWithoutOutcome),
        "equal canonical keys, equal outcomes for the side to move"
    );
    assert_eq!(keyed(Fault::CanonicalLies), "equal canonical keys, equal mapped moves");
    assert_eq!(law(laws::finite(&faulty(Fault::KeyRecurs), 42, 60)), "no position recurs");
    assert_eq!(law(laws::indexed(&faulty(Fault::IndexTooLarge), 42, 60)), "numbers are below the length");
    assert_eq!(law(laws::notation(&faulty(Fault::TextIsLost), 42, 60)), "positions read back");
}

/// A token on five squares in a row that goes one step to either side; a position that comes up for the third time is
/// a draw. The key covers the square, the side to move and the draw, but not the numbers of occurrences.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Shuttle {
    square: u8,
    been: Vec<u8>,
    /// `true` if the game returns its true horizon.
    honest: bool,
}

impl Shuttle {
    fn new(honest: bool) -> Self {
        Self { square: 2, been: vec![2], honest }
    }

    /// The number of occurrences of a position: the squares of one side are the squares of even plies.
    fn times(&self, ply: usize) -> usize {
        self.been
            .iter()
            .enumerate()
            .filter(|&(i, square)| i % 2 == ply % 2 && *square == self.been[ply])
            .count()
    }
}

impl Game for Shuttle {
    type Move = bool;
    type Undo = ();
    type Illegal = common::Taken;

    fn to_move(&self) -> Player {
        Player::BOTH[(self.been.len() + 1) % 2]
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.times(self.been.len() - 1) >= 3).then_some(Outcome::Draw)
    }

    fn legal_moves(&self, out: &mut impl Extend<bool>) {
        out.extend([false, true].into_iter().filter(|&up| self.check(up).is_ok()));
    }

    fn check(&self, up: bool) -> Result<(), common::Taken> {
        let edge = if up { 4 } else { 0 };
        if self.outcome().is_some() || self.square == edge { Err(common::Taken(self.square)) } else { Ok(()) }
    }

    fn play_unchecked(&mut self, up: bool) {
        self.square = if up { self.square + 1 } else { self.square - 1 };
        self.been.push(self.square);
    }

    fn undo(&mut self, (): ()) {
        self.been.pop();
        self.square = *self.been.last().unwrap();
    }
}

impl Keyed for Shuttle {
    fn key(&self) -> u64 {
        u64::from(self.square) << 2
            | (self.to_move().index() as u64) << 1
            | u64::from(self.outcome().is_some())
    }

    fn horizon(&self) -> u32 {
        let often = (0..self.been.len()).map(|ply| self.times(ply)).max().unwrap_or(0);
        // A position with two occurrences may come up for the third time in the next ply. A position with one
        // occurrence takes three plies: there, away and there.
        match often {
            _ if !self.honest => 3,
            0 | 1 => 2,
            _ => 0,
        }
    }
}

#[test]
fn a_horizon_that_promises_too_much_is_caught_with_the_line_that_shows_it() {
    laws::keyed(&Shuttle::new(true), 1, 60).unwrap();
    laws::horizon(&Shuttle::new(true), 1, 60, 4).unwrap();
    let broken = laws::horizon(&Shuttle::new(false), 1, 60, 4).unwrap_err();
    assert_eq!(broken.law, "equal keys, equal outcomes within the horizon");
    assert!(broken.detail.contains("the outcomes are [") && broken.detail.contains("Some(Draw)"), "{broken}");
    // If keys cover the whole position, the law has nothing to compare.
    laws::horizon(&TicTacToe::default(), 1, 20, 3).unwrap();
}

/// A position drawn by its history needs a key of its own: it has no moves.
#[test]
fn equal_keys_with_different_moves_show_both_positions_and_the_moves() {
    #[derive(Clone, PartialEq, Eq, Debug)]
    struct Undrawn(Shuttle);
    impl Game for Undrawn {
        type Move = bool;
        type Undo = ();
        type Illegal = common::Taken;

        fn to_move(&self) -> Player {
            self.0.to_move()
        }

        fn outcome(&self) -> Option<Outcome> {
            self.0.outcome()
        }

        fn legal_moves(&self, out: &mut impl Extend<bool>) {
            self.0.legal_moves(out);
        }

        fn check(&self, up: bool) -> Result<(), common::Taken> {
            self.0.check(up)
        }

        fn play_unchecked(&mut self, up: bool) {
            self.0.play_unchecked(up);
        }

        fn undo(&mut self, (): ()) {
            self.0.undo(());
        }
    }
    impl Keyed for Undrawn {
        fn key(&self) -> u64 {
            self.0.key() & !1
        }
    }
    let broken = laws::keyed(&Undrawn(Shuttle::new(true)), 1, 60).unwrap_err();
    assert_eq!(broken.law, "equal keys, equal moves and mover");
    assert_eq!(broken.detail.matches("Undrawn(Shuttle").count(), 2, "{broken}");
    assert!(
        broken.detail.contains("moves of the first alone [")
            && broken.detail.ends_with("of the second alone []"),
        "{broken}"
    );
}
