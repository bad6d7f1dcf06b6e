//! The bodies of jobs and of answers, as JSON.

use serde::{Deserialize, Serialize};
use stonework_farm::Digest;
use stonework_game::Player;
use stonework_proof::Claim;
use stonework_search::ProofNumbers;

/// The body of a job: all that a worker needs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct JobBody {
    /// The game, as proof files name it.
    pub(super) game: String,
    /// The position as text.
    pub(super) position: String,
    /// The side of the question "does this side win?": 1 or 2.
    pub(super) who: u8,
    /// The greatest number of nodes.
    pub(super) nodes: u64,
    /// The name of the job in its tree.
    pub(super) tree: u64,
}

impl JobBody {
    pub(super) fn player(&self) -> Option<Player> {
        match self.who {
            1 => Some(Player::First),
            2 => Some(Player::Second),
            _ => None,
        }
    }
}

pub(super) const fn number(player: Player) -> u8 {
    match player {
        Player::First => 1,
        Player::Second => 2,
    }
}

/// The claim that an answer makes.
pub(super) const fn claim(who: Player, yes: bool) -> Claim {
    if yes { Claim::Wins(who) } else { Claim::DoesNotWin(who) }
}

/// The body of an answer. A proof is named by its digest, and is a blob of the report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum AnswerBody {
    /// The question is decided.
    Shown { yes: bool, proof: Digest },
    /// The question is open: the numbers of the position and of its moves.
    Open { numbers: (u32, u32), moves: Vec<MoveBody> },
}

/// A move in an answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct MoveBody {
    /// The move as text.
    pub(super) mv: String,
    /// The proof and the disproof number.
    pub(super) numbers: (u32, u32),
    /// The proof of a decided move.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) proof: Option<Digest>,
}

pub(super) const fn pair(numbers: ProofNumbers) -> (u32, u32) {
    (numbers.proof, numbers.disproof)
}

/// The numbers of a pair, none above infinity.
pub(super) fn numbers((proof, disproof): (u32, u32)) -> ProofNumbers {
    let most = ProofNumbers::INFINITE;
    ProofNumbers { proof: proof.min(most), disproof: disproof.min(most) }
}

pub(super) fn encode(body: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(body).expect("bodies are plain values")
}
