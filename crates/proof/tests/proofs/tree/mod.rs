//! A game whose positions are numbers, with all claims about it and their proofs.

use std::fmt;

use stonework_game::{Finite, Game, Indexed, Keyed, Outcome, ParseError, Player, Textual};
use stonework_proof::Claim;
use stonework_search::{Dfpn, DfpnOptions, Engine, Limits};

use crate::noughts::Illegal;

/// A game tree from a hash function, with a text form. Moves commute, and the side to move is hashed, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Tree {
    seed: u64,
    at: u64,
    ply: u8,
}

const DEPTH: u8 = 6;

impl Tree {
    /// The root of the tree of this seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, at: 0, ply: 0 }
    }

    fn hash(self, salt: u64) -> u64 {
        let mix = |x: u64| {
            let x = x.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ x >> 32
        };
        mix(mix(mix(self.seed ^ salt << 50) ^ self.at) ^ u64::from(self.ply))
    }
}

impl Game for Tree {
    type Move = u8;
    type Undo = u8;
    type Illegal = Illegal;

    fn to_move(&self) -> Player {
        Player::BOTH[(self.hash(1) >> 40 & 1) as usize]
    }

    fn outcome(&self) -> Option<Outcome> {
        let over = self.ply == DEPTH || self.ply > 1 && (self.hash(2) >> 40).is_multiple_of(7);
        over.then(|| match (self.hash(3) >> 40) % 5 {
            0 | 1 => Outcome::Win(Player::First),
            2 | 3 => Outcome::Win(Player::Second),
            _ => Outcome::Draw,
        })
    }

    fn legal_moves(&self, out: &mut impl Extend<u8>) {
        if self.outcome().is_none() {
            out.extend(1..=2 + (self.hash(4) >> 40 & 1) as u8);
        }
    }

    fn check(&self, mv: u8) -> Result<(), Illegal> {
        let moves = self.moves();
        if moves.contains(&mv) { Ok(()) } else { Err(Illegal) }
    }

    fn play_unchecked(&mut self, mv: u8) -> u8 {
        self.at += u64::from(mv);
        self.ply += 1;
        mv
    }

    fn undo(&mut self, mv: u8) {
        self.at -= u64::from(mv);
        self.ply -= 1;
    }
}

impl Finite for Tree {}

impl Keyed for Tree {
    fn key(&self) -> u64 {
        self.hash(5)
    }
}

impl Indexed for Tree {
    fn index_len(&self) -> usize {
        4
    }

    fn move_index(&self, mv: u8) -> usize {
        mv.into()
    }

    fn move_at(&self, index: usize) -> Option<u8> {
        (1..4).contains(&index).then_some(index as u8)
    }
}

impl Textual for Tree {
    fn write_move(&self, mv: u8, w: &mut dyn fmt::Write) -> fmt::Result {
        write!(w, "{mv}")
    }

    fn parse_move(&self, text: &str) -> Result<u8, ParseError> {
        text.parse().map_err(|e| ParseError { at: 0, what: format!("{e}") })
    }

    fn write_position(&self, w: &mut dyn fmt::Write) -> fmt::Result {
        write!(w, "{} {} {}", self.seed, self.at, self.ply)
    }

    fn parse_position(text: &str) -> Result<Self, ParseError> {
        let wrong = || ParseError { at: 0, what: format!("`{text}` is not three numbers") };
        let numbers: Vec<u64> = text.split(' ').map_while(|word| word.parse().ok()).collect();
        let &[seed, at, ply] = &*numbers else { return Err(wrong()) };
        Ok(Self { seed, at, ply: u8::try_from(ply).ok().filter(|&p| p <= DEPTH).ok_or_else(wrong)? })
    }
}

/// The file of a proof, by a search with a table of `bytes` bytes.
pub(crate) fn file<G: Finite + Keyed + Textual + Indexed>(root: &G, claim: Claim, bytes: usize) -> Vec<u8> {
    let proof =
        Dfpn::new(DfpnOptions::new().bytes(bytes)).unwrap().prove(root, claim, &(), &Limits::none()).unwrap();
    let mut file = Vec::new();
    let written = proof.write("test", &(), &mut file).unwrap();
    assert_eq!(written.bytes, file.len() as u64);
    file
}

/// The value of a position.
pub(crate) fn truth<G: Finite + Keyed>(root: &G) -> Outcome {
    Dfpn::default().think(root, &Limits::none()).proven.unwrap()
}

/// All claims, each with `true` if the claim holds for this outcome.
pub(crate) fn claims(outcome: Outcome) -> Vec<(Claim, bool)> {
    let sided = |p| {
        let wins = outcome == Outcome::Win(p);
        [(Claim::Wins(p), wins), (Claim::DoesNotWin(p), !wins)]
    };
    let mut all: Vec<_> = Player::BOTH.into_iter().flat_map(sided).collect();
    all.push((Claim::Draw, outcome == Outcome::Draw));
    all
}
