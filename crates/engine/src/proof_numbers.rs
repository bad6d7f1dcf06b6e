//! [`ProofNumbers`]: the effort that is left to prove and to disprove.

/// The proof number and the disproof number of a position: the least number of open positions below it that must be
/// decided to answer the question with yes, and with no.
///
/// *L. V. Allis, Searching for solutions in games and artificial intelligence, 1994.*
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ProofNumbers {
    /// The proof number: 0 if the answer is yes, [`INFINITE`](Self::INFINITE) if the answer is no.
    pub proof: u32,
    /// The disproof number: 0 if the answer is no, [`INFINITE`](Self::INFINITE) if the answer is yes.
    pub disproof: u32,
}

impl ProofNumbers {
    /// The number of an answer that is impossible, 2²⁴ − 1. Finite numbers are smaller: a table has 24 bits for a
    /// number.
    pub const INFINITE: u32 = (1 << 24) - 1;
    /// The numbers of a position whose answer is yes.
    pub const PROVEN: Self = Self { proof: 0, disproof: Self::INFINITE };
    /// The numbers of a position whose answer is no.
    pub const DISPROVEN: Self = Self { proof: Self::INFINITE, disproof: 0 };
    /// The first numbers of an open position, without other knowledge.
    pub const OPEN: Self = Self { proof: 1, disproof: 1 };
    /// Thresholds without a limit: only a proof or a refutation reaches them.
    pub const UNBOUNDED: Self = Self { proof: Self::INFINITE, disproof: Self::INFINITE };

    /// The numbers of a position whose answer is yes (`true`) or no.
    #[must_use]
    pub const fn answer(answer: bool) -> Self {
        if answer { Self::PROVEN } else { Self::DISPROVEN }
    }

    /// The answer; `None` while the question is open.
    #[must_use]
    pub const fn decided(self) -> Option<bool> {
        match self {
            Self { proof: 0, .. } => Some(true),
            Self { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }

    /// φ and δ (Nagai 2002). φ is the number of the side to move: the proof number at an OR node, and the disproof number at
    /// an AND node. δ is the number of its opponent.
    #[must_use]
    #[inline]
    pub const fn phi_delta(self, or_node: bool) -> (u32, u32) {
        if or_node { (self.proof, self.disproof) } else { (self.disproof, self.proof) }
    }

    /// The inverse of [`phi_delta`](Self::phi_delta).
    #[must_use]
    #[inline]
    pub const fn from_phi_delta((phi, delta): (u32, u32), or_node: bool) -> Self {
        if or_node { Self { proof: phi, disproof: delta } } else { Self { proof: delta, disproof: phi } }
    }
}
