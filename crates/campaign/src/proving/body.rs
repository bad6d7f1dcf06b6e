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
    /// `false` if the answer about a position that stays open need not have the position's moves.
    pub(super) moves: bool,
    /// The nodes of a look at each move of a position that stays open; 0 for no looks.
    pub(super) glance: u64,
    /// The least nodes of the entries that workers tell each other; 0 for none.
    pub(super) share: u64,
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
    /// The question is decided. `spent` is the number of nodes, as the worker says.
    Shown { yes: bool, proof: Digest, spent: u64 },
    /// The question is open: the numbers of the position and of its moves.
    Open { numbers: (u32, u32), moves: Vec<MoveBody>, spent: u64 },
}

impl AnswerBody {
    /// The nodes of the job, as the worker says, and at most so many as the job allows: its budget and the looks at moves,
    /// both twice for searches that end a little late.
    pub(super) fn spent(&self, job: &JobBody) -> u64 {
        let (Self::Shown { spent, .. } | Self::Open { spent, .. }) = *self;
        spent.min(job.nodes.saturating_add(job.glance.saturating_mul(MOST_MOVES)).saturating_mul(2))
    }
}

/// The number of moves whose looks are believed.
const MOST_MOVES: u64 = 1024;

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
