//! [`Pie`]: the pie rule for any game.

use std::fmt;

use crate::{Finite, Game, Indexed, Keyed, Outcome, ParseError, Player, Sym, Textual};

/// A game with the pie rule: after the first move, the second player may exchange *roles*.
///
/// The sides of a `Pie` are *seats*, the sides of the inner game are *roles*. At first each seat has the role of the same name.
/// The first seat moves first. The second seat then either answers or plays [`PieMove::Swap`]: the second seat takes the first
/// role, whose move is on the board, and the first seat takes the second role. The board stays as it is, so the rule
/// fits every game. A game with a swap of its own (Havannah recolours the stone, Cachex mirrors it) does not need a `Pie`: its
/// swap is a move of the game.
///
/// ```
/// use stonework_game::example::Nim;
/// use stonework_game::{Game, Outcome, Pie, PieMove, Player};
/// let mut game = Pie::new(Nim::new(4));
/// game.play(PieMove::Play(1))?;                            // leaves 3: a loss for the side to move
/// game.play(PieMove::Swap)?;                               // so the second seat takes the other role
/// assert_eq!(game.to_move(), Player::First);
/// game.play(PieMove::Play(1))?;
/// game.play(PieMove::Play(2))?;
/// assert_eq!(game.outcome(), Some(Outcome::Win(Player::Second)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pie<G> {
    game: G,
    stage: Stage,
}

/// The stage of the exchange.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Stage {
    /// The first turn is not over.
    First,
    /// The first turn is over, and the second seat may exchange the roles.
    Offer,
    /// The second seat has answered without an exchange: each seat keeps the role of the same name.
    Kept,
    /// The roles are exchanged.
    Swapped,
}

impl Stage {
    const fn letter(self) -> char {
        match self {
            Self::First => 'f',
            Self::Offer => 'o',
            Self::Kept => 'k',
            Self::Swapped => 's',
        }
    }

    /// The word that is combined with the key of the inner game, by exclusive or.
    const fn key(self) -> u64 {
        match self {
            Self::First => 0x243f_6a88_85a3_08d3,
            Self::Offer => 0x1319_8a2e_0370_7344,
            Self::Kept => 0,
            Self::Swapped => 0xa409_3822_299f_31d0,
        }
    }
}

/// A move of a [`Pie`] game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PieMove<M> {
    /// A move of the game itself.
    Play(M),
    /// The exchange of roles.
    Swap,
}

/// The reason why a move of a [`Pie`] game is illegal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PieIllegal<E> {
    /// The inner game forbids the move.
    #[error(transparent)]
    Game(E),
    /// The first action of the second seat alone can exchange the roles.
    #[error("roles can be exchanged only right after the first move")]
    Swap,
}

/// The undo token of a [`Pie`] game.
#[derive(Debug)]
pub struct PieUndo<U> {
    inner: Option<U>,
    stage: Stage,
}

impl<G: Game> Pie<G> {
    /// The position `game` with the pie rule, before the first move.
    #[must_use]
    pub const fn new(game: G) -> Self {
        Self { game, stage: Stage::First }
    }

    /// The inner game; its sides are roles.
    #[must_use]
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// `true` if the roles have been exchanged.
    #[must_use]
    pub fn swapped(&self) -> bool {
        self.stage == Stage::Swapped
    }

    /// The seat that has a role. For a seat, the result is its role.
    #[must_use]
    pub fn seat(&self, role: Player) -> Player {
        if self.swapped() { role.other() } else { role }
    }
}

impl<G: Game> Game for Pie<G> {
    type Move = PieMove<G::Move>;
    type Undo = PieUndo<G::Undo>;
    type Illegal = PieIllegal<G::Illegal>;

    fn to_move(&self) -> Player {
        self.seat(self.game.to_move())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().map(|outcome| match outcome {
            Outcome::Win(role) => Outcome::Win(self.seat(role)),
            Outcome::Draw => Outcome::Draw,
        })
    }

    fn legal_moves(&self, out: &mut impl Extend<Self::Move>) {
        /// Collects moves of the inner game.
        struct Inner<'a, E>(&'a mut E);
        impl<M, E: Extend<PieMove<M>>> Extend<M> for Inner<'_, E> {
            fn extend<I: IntoIterator<Item = M>>(&mut self, moves: I) {
                self.0.extend(moves.into_iter().map(PieMove::Play));
            }
        }
        self.game.legal_moves(&mut Inner(out));
        if self.check(PieMove::Swap).is_ok() {
            out.extend([PieMove::Swap]);
        }
    }

    fn check(&self, mv: Self::Move) -> Result<(), Self::Illegal> {
        match mv {
            PieMove::Play(mv) => self.game.check(mv).map_err(PieIllegal::Game),
            PieMove::Swap if self.stage == Stage::Offer && self.outcome().is_none() => Ok(()),
            PieMove::Swap => Err(PieIllegal::Swap),
        }
    }

    fn play_unchecked(&mut self, mv: Self::Move) -> Self::Undo {
        let stage = self.stage;
        let inner = match mv {
            PieMove::Play(mv) => {
                let mover = self.game.to_move();
                let undo = self.game.play_unchecked(mv);
                // The first turn may have several moves: the second seat may swap when the turn has passed to it.
                self.stage = match stage {
                    Stage::First if self.game.to_move() != mover => Stage::Offer,
                    Stage::Offer => Stage::Kept,
                    other => other,
                };
                Some(undo)
            }
            PieMove::Swap => {
                self.stage = Stage::Swapped;
                None
            }
        };
        PieUndo { inner, stage }
    }

    fn expected_plies(&self) -> Option<u32> {
        self.game.expected_plies()
    }

    fn undo(&mut self, undo: Self::Undo) {
        self.stage = undo.stage;
        if let Some(inner) = undo.inner {
            self.game.undo(inner);
        }
    }
}

impl<G: Finite> Finite for Pie<G> {}

impl<G: Keyed> Keyed for Pie<G> {
    fn key(&self) -> u64 {
        self.game.key() ^ self.stage.key()
    }

    fn horizon(&self) -> u32 {
        self.game.horizon()
    }

    fn canonical(&self) -> (u64, Sym) {
        let (key, sym) = self.game.canonical();
        (key ^ self.stage.key(), sym)
    }

    fn map_move(&self, to: Sym, mv: Self::Move) -> Self::Move {
        match mv {
            PieMove::Play(mv) => PieMove::Play(self.game.map_move(to, mv)),
            PieMove::Swap => PieMove::Swap,
        }
    }

    fn unmap_move(&self, to: Sym, mv: Self::Move) -> Self::Move {
        match mv {
            PieMove::Play(mv) => PieMove::Play(self.game.unmap_move(to, mv)),
            PieMove::Swap => PieMove::Swap,
        }
    }
}

impl<G: Indexed> Indexed for Pie<G> {
    fn index_len(&self) -> usize {
        self.game.index_len() + 1
    }

    fn move_index(&self, mv: Self::Move) -> usize {
        match mv {
            PieMove::Play(mv) => self.game.move_index(mv),
            PieMove::Swap => self.game.index_len(),
        }
    }

    fn move_at(&self, index: usize) -> Option<Self::Move> {
        if index == self.game.index_len() {
            return Some(PieMove::Swap);
        }
        self.game.move_at(index).map(PieMove::Play)
    }
}

/// The text of a move is the text of the inner game, or `swap`. The text of a position is `pie:`, a letter for the stage
/// (`f`irst move, `o`ffer open, roles `k`ept, `s`wapped), a colon, and the text of the inner game.
impl<G: Textual> Textual for Pie<G> {
    fn write_move(&self, mv: Self::Move, w: &mut dyn fmt::Write) -> fmt::Result {
        match mv {
            PieMove::Play(mv) => self.game.write_move(mv, w),
            PieMove::Swap => w.write_str("swap"),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseError> {
        if text.eq_ignore_ascii_case("swap") {
            return Ok(PieMove::Swap);
        }
        self.game.parse_move(text).map(PieMove::Play)
    }

    fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result {
        write!(w, "pie:{}:", self.stage.letter())?;
        self.game.write_position(w)
    }

    fn parse_position(text: &str) -> Result<Self, ParseError> {
        let stages = [Stage::First, Stage::Offer, Stage::Kept, Stage::Swapped];
        let prefix = |s: &Stage| text.strip_prefix("pie:")?.strip_prefix(s.letter())?.strip_prefix(':');
        let found = stages.into_iter().find_map(|s| prefix(&s).map(|rest| (s, rest)));
        let Some((stage, rest)) = found else {
            return Err(ParseError::new(0, "expected `pie:` and one of `f:`, `o:`, `k:`, `s:`"));
        };
        let game = G::parse_position(rest).map_err(|e| ParseError { at: e.at + 6, ..e })?;
        Ok(Self { game, stage })
    }
}
